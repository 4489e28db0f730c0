"""Inference of numbers, text, bytes and devices beyond their operators.

In: their methods and literals, formatting, print. Out: operator rows, and calls of the prelude.
Holds: a text's fields are known when compiling, or read by the prelude as CPython reads them.
"""
