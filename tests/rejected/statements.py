"""Statements and expressions that scripts do not have, or not yet."""
from typing import List


def with_statement(x: int) -> int:
    with open("a"):
        pass
    return x


def try_statement(x: int) -> int:
    try:
        return 1 // x
    except ZeroDivisionError:
        return 0


def nested_function(x: int) -> int:
    def inner(y: int) -> int:
        return y
    return x


def lambda_(x: int) -> int:
    f = lambda y: y
    return x


def set_display(x: int) -> int:
    s = {1, x}
    return x


def generator(x: int) -> int:
    yield x


def generator_value(xs: List[int]) -> int:
    g = (x for x in xs)
    return 1


def format_spec(x: float) -> str:
    return f"{x:.2f}"


def double_star_dict(x: int) -> int:
    d = {**{"a": x}}
    return x


def match_statement(x: int) -> int:
    match x:
        case 1:
            return 2
    return x


def bare_raise(x: int) -> int:
    raise


def delete_attribute(x: int) -> int:
    del x.real
    return x


def class_statement(x: int) -> int:
    class Inner:
        pass
    return x


def nonlocal_(x: int) -> int:
    return [i for i in map(abs, [x])][0]


def zip_strict(xs: List[int]) -> int:
    n = 0
    for a, b in zip(xs, xs, strict=True):
        n += a * b
    return n


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
