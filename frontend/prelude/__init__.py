"""Parts of Python's builtins and library, written as scripts that inference calls.

In: nothing. Out: functions, compiled for the types of each call like the user's own.
Holds: each has CPython 3.11's meaning, errors and order of calls; inference is the only reader.
"""
