"""Inference of statements: control flow, assignment, match, with, exceptions.

In: statement trees. Out: typed statements, and the environment after each.
Holds: code that cannot be reached is not looked at.
"""
