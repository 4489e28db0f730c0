"""Names that cannot be used: each function is refused, with the message on the line that produces it."""
# ruff: noqa
from language_rows import of_row
import random

settings = {"depth": 3}
sizes = [1, 2]


of_row("names")


def undefined(x: int) -> int:
    return x + undefned  # error 16: name 'undefned' is not defined


def misspelt(value: int) -> int:
    return valeu * 2  # error 12: name 'valeu' is not defined


def global_dict(x: int) -> int:
    return settings["depth"] + x


def global_list(x: int) -> int:
    return sizes[x]


def global_statement(x: int) -> int:
    global counter
    return x


def python_object(x: int) -> float:
    return random.triangular(0, x)  # error 12: 'random.triangular' of the standard library is not supported in scripts


of_row("overflow")


def huge_literal(x: int) -> int:
    return x + 9223372036854775808  # error 16: the int 9223372036854775808 does not fit 64 bits


of_row("builtins")


def unknown_builtin(x: int) -> str:
    return input()  # error 12: the builtin 'input' is not supported in scripts


of_row("names")


def two_errors(x: int) -> int:
    y = first_missing  # error 9: name 'first_missing' is not defined
    return x + second_missing  # error 16: name 'second_missing' is not defined
