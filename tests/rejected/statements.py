"""Statements and expressions that scripts do not have, or not yet."""
# ruff: noqa
from typing import List


def bare_raise(x: int) -> int:
    raise  # error 5: a bare 'raise' needs an exception being handled here


def delete_attribute(x: int) -> int:
    del x.real  # error 9: attributes cannot be deleted in scripts
    return x


def class_statement(x: int) -> int:
    class Inner:  # error 5: a class inside a function is not supported
        pass
    return x


def merged_functions(x: int) -> int:
    if x > 0:
        f = first
    else:
        f = second
    return f(x)  # error 12: 'f' denotes different functions or classes on different paths


def first(x: int) -> int:
    return x


def second(x: int) -> int:
    return x + 1
