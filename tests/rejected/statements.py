"""Statements and expressions that scripts do not have, or not yet."""
# ruff: noqa
from typing import List


def with_statement(x: int) -> int:
    with open("a"):  # error 5: 'with' is not supported yet
        pass
    return x


def try_statement(x: int) -> int:
    try:  # error 5: 'try' is not supported yet
        return 1 // x
    except ZeroDivisionError:
        return 0


def nested_function(x: int) -> int:
    def inner(y: int) -> int:  # error 5: a function inside a function is not supported yet
        return y
    return x


def lambda_(x: int) -> int:
    f = lambda y: y  # error 9: 'lambda' is not supported yet
    return x


def set_display(x: int) -> int:
    s = {1, x}  # error 9: sets are not supported yet
    return x


def generator(x: int) -> int:  # error 1: 'generator' can end without a return, but its result is int
    yield x  # error 5: generators are not supported yet


def generator_value(xs: List[int]) -> int:
    g = (x for x in xs)  # error 9: a generator expression can only be the argument of a consuming builtin
    return 1


def format_spec(x: float) -> str:
    return f"{x:.2f}"  # error 12: format specifications in f-strings are not supported yet


def double_star_dict(x: int) -> int:
    d = {**{"a": x}}  # error 9: '**' in a dict display is not supported yet
    return x


def match_statement(x: int) -> int:
    match x:  # error 5: 'match' is not supported yet
        case 1:
            return 2
    return x


def bare_raise(x: int) -> int:
    raise  # error 5: a bare 'raise' needs an exception being handled, and 'try' is not supported yet


def delete_attribute(x: int) -> int:
    del x.real  # error 9: attributes cannot be deleted in scripts
    return x


def class_statement(x: int) -> int:
    class Inner:  # error 5: a class inside a function is not supported
        pass
    return x


def nonlocal_(x: int) -> int:
    return [i for i in map(abs, [x])][0]  # error 24: 'map' is not supported yet


def zip_strict(xs: List[int]) -> int:
    n = 0
    for a, b in zip(xs, xs, strict=True):  # error 17: zip(strict=) is not supported yet
        n += a * b
    return n


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
