"""Names that cannot be used: each function is refused, with the message on the line that produces it."""
import random

settings = {"depth": 3}
sizes = [1, 2]


def undefined(x: int) -> int:
    return x + undefned


def misspelt(value: int) -> int:
    return valeu * 2


def global_dict(x: int) -> int:
    return settings["depth"] + x


def global_list(x: int) -> int:
    return sizes[x]


def global_statement(x: int) -> int:
    global counter
    return x


def python_object(x: int) -> int:
    return random.randint(0, x)


def huge_literal(x: int) -> int:
    return x + 9223372036854775808


def unknown_builtin(x: int) -> str:
    return input()


def module_attribute(x: float) -> float:
    import math
    return x


def two_errors(x: int) -> int:
    y = first_missing
    return x + second_missing
