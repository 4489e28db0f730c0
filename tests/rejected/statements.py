"""Statements and expressions that scripts do not have, or not yet."""
# ruff: noqa
from language_rows import of_row
from typing import List


of_row("raise")


of_row("names")


def delete_attribute(x: int) -> int:
    del x.real  # error 9: attributes of int cannot be deleted in scripts
    return x


def class_statement(x: int) -> int:
    class Inner:
        @staticmethod
        def get():
            return x  # error 20: the class 'Inner' uses 'x', a variable of the function around it
    return Inner.get()


of_row("functions as values")


def merged_functions(x: int) -> int:
    if x > 0:
        f = first
    else:
        f = second
    return f(x)


def first(x: int) -> int:
    return x


def second(x: int) -> int:
    return x + 1
