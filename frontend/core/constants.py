"""Python values as constants of a program: literals, defaults, globals and closure variables.

In: Python objects. Out: expressions. Holds: immutable values only, read once; an int beyond 64 bits is refused (D1).
"""

from __future__ import annotations

from typing import Any as PyAny

from ...binding.device import Device
from ...ir.types import BOOL, BYTES, COMPLEX, DEVICE, DTYPE, FLOAT, INT, NONE, STR, DType, ListType, TupleType
from ..parser.syntax import Span
from .placeholders import Placeholder
from .typed import Const, Expr, MakeList, MakeTuple

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
_PLAIN = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR, bytes: BYTES, type(None): NONE}


class NotConstant(Exception):
    """A value without constant form; the text says why and what to write instead."""


def dtype_of(value: PyAny) -> DType | None:
    """The element type that a Python object stands for: ours, the binding's, torch's or numpy's by name."""
    if isinstance(value, DType):
        return value
    if type(value).__name__ not in ("DType", "dtype"):
        return None
    name = getattr(value, "name", None) or str(value).rpartition(".")[2]
    return DType.__members__.get(name)


def constant(value: PyAny, span: Span) -> Expr:
    """A constant expression. Raises NotConstant."""
    kind = _PLAIN.get(type(value))
    if kind is not None:
        if kind == INT and not INT_MIN <= value <= INT_MAX:
            raise NotConstant(f"the int {value} does not fit 64 bits")
        if kind == STR and any(0xD800 <= ord(c) <= 0xDFFF for c in value):
            raise NotConstant("a str with lone surrogates is not supported")
        return Const(kind, span, value)
    dtype = dtype_of(value)
    if dtype is not None:
        return Const(DTYPE, span, dtype)
    if isinstance(value, Device):
        if value.type != "cpu":
            raise NotConstant(f"programs run on the CPU; there is no device {str(value)!r}")
        return Const(DEVICE, span, 0)
    if type(value) is tuple or (isinstance(value, tuple) and type(value).__name__ == "Size"):
        items = [constant(item, span) for item in value]
        return MakeTuple(TupleType(tuple(item.type for item in items)), span, items)
    raise NotConstant(f"a value of type {type(value).__name__} cannot be used in a script")


def known(value: Expr) -> tuple[PyAny] | None:
    """What a number, a str or a tuple of these is, if that is known while compiling; a NaN in a tuple is not, as Python
    asks there whether it is the same object."""
    if isinstance(value, Const) and value.type in (BOOL, INT, FLOAT, COMPLEX, STR):
        return (value.value,)
    if not isinstance(value, MakeTuple):
        return None
    items = [known(item) for item in value.items]
    told = tuple(item[0] for item in items if item is not None and item[0] == item[0])
    return (told,) if len(told) == len(items) else None


def default_of_parameter(value: PyAny, span: Span) -> Expr:
    """A constant, or the list of constants of one type that an operator's parameter has by default."""
    if type(value) is list:
        items = [constant(item, span) for item in value]
        return MakeList(ListType(items[0].type if items else Placeholder()), span, items)
    return constant(value, span)
