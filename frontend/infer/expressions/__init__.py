"""Inference of expressions: dispatch, names, operators, conditions with what they narrow, builtin functions.

In: expression trees, and the type that the context wants. Out: typed expressions.
Holds: operands are evaluated once, in Python's order.
"""
