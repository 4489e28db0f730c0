"""Inference of functions: arguments, calls, closures, functions as values, and functions of libraries and hosts.

In: calls and definitions. Out: invocations of specialisations, operator rows, bodies typed where they are called.
Holds: arguments are evaluated in the order written and bound to parameters as Python binds them.
"""
