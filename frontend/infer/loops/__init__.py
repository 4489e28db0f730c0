"""Inference of iteration: loops, comprehensions, iterators, generators, and the builtins that consume them.

In: what stands behind `in`, and calls that take iterables. Out: typed loops, generators as values.
Holds: iterables are consumed lazily and in Python's order.
"""
