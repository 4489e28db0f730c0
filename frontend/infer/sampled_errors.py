"""The TypeErrors that Python raises for arguments of some types whatever their values are, found by asking it.

In: a builtin function or method, and types of built-in classes. Out: the text of the TypeError that all samples of the
types raise alike, or None. Holds: only functions without effects are called, and only with values made here.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Sequence
from itertools import islice, product

from ...ir.types import (
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    DictType,
    FrozenSetType,
    ListType,
    SetType,
    TupleType,
    Type,
)
from ..core.denotations import BuiltinDenotation, Denotation
from ..core.placeholders import resolve
from ..core.typed import Const, Expr, MakeList, MakeTuple, Static
from .operand_errors import PURE, class_name

SAMPLES: dict[Type, tuple[object, ...]] = {
    NONE: (None,), BOOL: (False, True), INT: (0, 1, 70), FLOAT: (0.0, 1.0, 2.5), COMPLEX: (0j, 1 + 2j),
    STR: ("", "a", "1", "12"), BYTES: (b"", b"a", b"12"),
}
MAX_CALLS = 100
MAX_INT = 1000  # of constants that functions are called with
PYTHON_OPERATORS: dict[str, Callable[..., object]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift,
    ">>": operator.rshift, "@": operator.matmul, "**": operator.pow, "divmod()": divmod,
}
FUNCTIONS = PURE | {
    "range", "enumerate", "zip", "reversed", "bytes", "complex", "frozenset", "isinstance", "iter", "next", "format",
}


def samples(kind: Type) -> tuple[object, ...]:
    """Values of a type that differ in what functions ask of values; none where not all of its parts are built in."""
    kind = resolve(kind)
    if kind in SAMPLES:
        return SAMPLES[kind]
    if isinstance(kind, TupleType) and not kind.is_variadic:
        return tuple(islice(product(*map(samples, kind.elements)), 4))
    if class_name(kind) is None or isinstance(kind, TupleType):
        return ()
    if isinstance(kind, ListType):
        return ([], list(samples(kind.element)))
    if isinstance(kind, DictType):
        return ({}, dict(zip(samples(kind.key), samples(kind.value))))
    if isinstance(kind, (SetType, FrozenSetType)):
        python = set if isinstance(kind, SetType) else frozenset
        return (python(), python(samples(kind.element)))
    return ()


def spelled_function(denotation: Denotation, owner: Type | None) -> Callable[..., object] | None:
    """What is called: a builtin, a function of `math`, a method of the class of a receiver."""
    name = denotation.name if isinstance(denotation, BuiltinDenotation) else getattr(denotation, "spelling", "")
    if owner is not None:
        is_plain = class_name(owner) is not None or resolve(owner) in (BYTES, COMPLEX)
        return getattr(type(next(iter(samples(owner)), None)), name.lstrip("."), None) if is_plain else None
    if name.startswith("math."):
        return getattr(math, name.removeprefix("math."), None)
    return getattr(builtins, name) if name in FUNCTIONS else None


def values_of(given: Expr) -> tuple[object, ...]:
    """What an argument may be: the constant, or display, that it is; else samples of its type."""
    if isinstance(given, Const) and type(given.value) in (str, float, bool) or given.type == INT and (
        isinstance(given, Const) and abs(given.value) < MAX_INT
    ):
        return (given.value,)
    if isinstance(given, MakeList):
        return tuple(map(list, islice(product(*map(values_of, given.items)), MAX_CALLS)))
    if isinstance(given, MakeTuple):
        return tuple(islice(product(*map(values_of, given.items)), MAX_CALLS))
    return samples(given.type)


def certain_error(
    function: Callable[..., object] | None, given: Sequence[Expr], names: Sequence[str] = ()
) -> str | None:
    """The text of the TypeError of a call, if all values of the arguments raise it; the last of them are named."""
    if function is None or any(isinstance(value, Static) for value in given):
        return None
    count = len(given) - len(names)
    texts: set[str] = set()
    for values in islice(product(*map(values_of, given)), MAX_CALLS):
        try:
            function(*values[:count], **dict(zip(names, values[count:])))
        except TypeError as error:
            texts.add(str(error))
        except Exception:
            return None
        else:
            return None
    return texts.pop() if len(texts) == 1 else None
