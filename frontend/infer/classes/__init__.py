"""Inference of instances: of script classes, enums and named tuples, and of classes as values.

In: calls of classes, attributes and operators of their instances. Out: invocations of the methods CPython would run.
Holds: a value's type names its exact class, or every class it may have.
"""
