"""Arithmetic with values of type Any, written as scripts.

In: nothing. Out: functions that inference calls; `shown` is the operator as CPython's errors write it. Holds: each has
CPython 3.11's meaning and errors; numbers keep their kinds.
"""

from __future__ import annotations

from typing import Any

from ...binding.tensor import Tensor
from .formatting import class_name


def unsupported(a: Any, b: Any, shown: str) -> TypeError:
    return TypeError(f"unsupported operand type(s) for {shown}: '{class_name(a)}' and '{class_name(b)}'")


def need_new(a: Any, shown: str) -> None:
    if shown.endswith("=") and class_name(a) in ("list", "dict", "set", "deque"):
        raise TypeError(f"a {class_name(a)} that is declared as Any cannot be changed by {shown}")


def add(a: Any, b: Any, shown: str) -> Any:
    if isinstance(a, (int, float, complex)) and isinstance(b, (int, float, complex)):
        return a + b
    if isinstance(a, Tensor):
        if isinstance(b, Tensor):
            return a + b
        if isinstance(b, (int, float, complex)):
            return a + b
    elif isinstance(b, Tensor) and isinstance(a, (int, float, complex)):
        return a + b
    need_new(a, shown)
    if isinstance(a, str):
        if isinstance(b, str):
            return a + b
        raise TypeError(f'can only concatenate str (not "{class_name(b)}") to str')
    if isinstance(a, bytes):
        if isinstance(b, bytes):
            return a + b
        raise TypeError(f"can't concat {class_name(b)} to bytes")
    if isinstance(a, list):
        if isinstance(b, list):
            return [x for x in a] + [x for x in b]  # noqa: C416
        raise TypeError(f'can only concatenate list (not "{class_name(b)}") to list')
    if isinstance(a, tuple):
        if isinstance(b, tuple):
            return tuple([x for x in a] + [x for x in b])  # noqa: C416
        raise TypeError(f'can only concatenate tuple (not "{class_name(b)}") to tuple')
    raise unsupported(a, b, shown)


def subtract(a: Any, b: Any, shown: str) -> Any:
    if isinstance(a, (int, float, complex)) and isinstance(b, (int, float, complex)):
        return a - b
    if isinstance(a, Tensor):
        if isinstance(b, Tensor):
            return a - b
        if isinstance(b, (int, float, complex)):
            return a - b
    elif isinstance(b, Tensor) and isinstance(a, (int, float, complex)):
        return a - b
    raise unsupported(a, b, shown)


def multiply(a: Any, b: Any, shown: str) -> Any:
    if isinstance(a, (int, float, complex)) and isinstance(b, (int, float, complex)):
        return a * b
    if isinstance(a, Tensor):
        if isinstance(b, Tensor):
            return a * b
        if isinstance(b, (int, float, complex)):
            return a * b
    elif isinstance(b, Tensor) and isinstance(a, (int, float, complex)):
        return a * b
    need_new(a, shown)
    for x, n in ((a, b), (b, a)):
        if isinstance(n, int):
            if isinstance(x, str):
                return x * n
            if isinstance(x, list):
                return [each for each in x] * n  # noqa: C416
    raise unsupported(a, b, shown)


def divide(a: Any, b: Any, shown: str) -> Any:
    if isinstance(a, (int, float, complex)) and isinstance(b, (int, float, complex)):
        return a / b
    if isinstance(a, Tensor):
        if isinstance(b, Tensor):
            return a / b
        if isinstance(b, (int, float, complex)):
            return a / b
    elif isinstance(b, Tensor) and isinstance(a, (int, float, complex)):
        return a / b
    raise unsupported(a, b, shown)


def floor_divide(a: Any, b: Any, shown: str) -> Any:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a // b
    if isinstance(a, Tensor):
        if isinstance(b, Tensor):
            return a // b
        if isinstance(b, (int, float)):
            return a // b
    raise unsupported(a, b, shown)


def modulo(a: Any, b: Any, shown: str) -> Any:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a % b
    if isinstance(a, Tensor):
        if isinstance(b, Tensor):
            return a % b
        if isinstance(b, (int, float)):
            return a % b
    if isinstance(a, (str, bytes)):
        raise TypeError(f"a {class_name(a)} that is declared as Any cannot be formatted by %")
    raise unsupported(a, b, shown)


def power(a: Any, b: Any, shown: str) -> Any:
    if isinstance(a, (int, float, complex)) and isinstance(b, (int, float, complex)):
        return a ** b
    if isinstance(a, Tensor):
        if isinstance(b, Tensor):
            return a ** b
        if isinstance(b, (int, float)):
            return a ** b
    raise unsupported(a, b, "** or pow()" if shown == "**" else shown)


def negative(value: Any) -> Any:
    if isinstance(value, (int, float, complex)):
        return -value
    if isinstance(value, Tensor):
        return -value
    raise TypeError(f"bad operand type for unary -: '{class_name(value)}'")


def positive(value: Any) -> Any:
    if isinstance(value, (int, float, complex)):
        return +value
    if isinstance(value, Tensor):
        return value
    raise TypeError(f"bad operand type for unary +: '{class_name(value)}'")


def inverted(value: Any) -> Any:
    if isinstance(value, int):
        return ~value
    if isinstance(value, Tensor):
        return ~value  # type: ignore[operator]
    raise TypeError(f"bad operand type for unary ~: '{class_name(value)}'")
