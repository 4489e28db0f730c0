"""Statements and expressions that scripts do not have, or not yet."""
# ruff: noqa
from language_rows import of_row
from typing import List

from tsm import Tensor


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


of_row("modules")


def data_of_a_parameter(x: Tensor, y: Tensor) -> Tensor:
    x.data = y.detach()  # error 5: both tensors would be one memory: a script only copies into the data of a tensor
    return x


def data_read_later(x: Tensor) -> Tensor:
    y = x * 2
    x.data = y  # error 5: both tensors would be one memory: a script only copies into the data of a tensor
    y.add_(1)
    return x


def data_of_a_number(x: Tensor) -> Tensor:
    x.data = 3  # error 14: the data of a tensor must be a Tensor, got int
    return x
