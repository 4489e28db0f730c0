"""Facts about types and values that several parts of inference ask for.

In: static types, typed expressions. Out: answers, and small typed expressions built of them.
Holds: nothing here looks at an environment or reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ...binding.size import Size
from ...ir.operators import OPERATORS
from ...ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DEVICE,
    DTYPE,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    ClassType,
    DictType,
    EnumType,
    ListType,
    NamedTupleType,
    SetType,
    TupleType,
    Type,
    arms_of,
    is_shape,
)
from ..core.conversions import convert, has_arm
from ..core.placeholders import resolve
from ..core.typed import ERROR, NEVER, Choose, Expr, MakeTuple, Operate, Recast, TupleItem, boolean
from ..objects.builtin_classes import class_behind
from .abstract_classes import is_abstract_class

Wanted = TypeVar("Wanted", bound=Type)
ANY_ARMS: dict[str, tuple[Type, ...]] = {
    "int": (INT, BOOL), "float": (FLOAT,), "bool": (BOOL,), "str": (STR,), "bytes": (BYTES,),
    "complex": (COMPLEX,), "Tensor": (TENSOR,),
    "NoneType": (NONE,),
}

VIEWS = ("keys", "values", "items")  # of dicts


def hashes_identity(kind: Type, seen: frozenset[Type] = frozenset()) -> bool:
    """Whether the hash of a value depends on an instance that is equal to itself only, and so on its address."""
    if isinstance(kind, ClassType) and (kind.possible_key == 0 or kind in seen):
        return kind.possible_key == 0
    members = kind.key_types if isinstance(kind, ClassType) else kind.members
    return any(hashes_identity(member, seen | {kind}) for member in members)


def holds_any(kind: Type) -> bool:
    """Whether a value is an Any, or has one in it."""
    kind = resolve(kind)
    return kind == ANY or any(map(holds_any, kind.members))


def wanted_arm(want: Type | None, python: type[Wanted], is_empty: bool = False) -> Wanted | None:
    """The type that the context wants of a display of a class: of several, what it holds decides."""
    arms = [arm for arm in arms_of(resolve(want)) if isinstance(arm, python)] if want is not None else []
    return arms[0] if len(arms) == 1 or arms and is_empty else None


def tuple_items(whole: Expr, kind: TupleType) -> list[Expr]:
    """The elements of a tuple of known length; `whole` is trivial to evaluate, or a display."""
    if isinstance(whole, MakeTuple):
        return list(whole.items)
    return [TupleItem(element, whole.span, whole, i) for i, element in enumerate(kind.elements)]


def converted_to(value: Expr, kind: Type) -> Expr:
    """A value at a union that has its type as an arm."""
    source, kind = resolve(value.type), resolve(kind)
    if source == kind or source in (NEVER, ERROR):
        return value
    if has_arm(kind, source):
        return Recast(kind, value.span, value)
    converted = convert(value, kind)
    return value if converted is None else converted[0]


def any_of(tests: Sequence[Expr]) -> Expr:
    """or of bools that have no effects."""
    result = tests[-1]
    for test in reversed(tests[:-1]):
        result = Choose(BOOL, test.span, test, boolean(test.span, True), result, [])
    return result


def number_result(op: str, a: Type, b: Type) -> Type:
    """Type of Python's arithmetic on two kinds of number."""
    if COMPLEX in (a, b):
        return COMPLEX
    return FLOAT if op == "/" or FLOAT in (a, b) else INT


def is_instance(kind: Type, python: object) -> bool:
    """Whether values of a static type are instances of a Python class."""
    name, behind = getattr(python, "__name__", ""), class_behind(kind)
    if python is object:
        return True
    if python is Size:
        return is_shape(kind)
    if kind == EXCEPTION:
        return python in (Exception, BaseException)
    if behind is not None and (kind != TENSOR or is_abstract_class(python)):
        return isinstance(python, type) and issubclass(behind, python)
    return name == str(kind) or (kind, name) in ((DTYPE, "DType"), (DEVICE, "Device"))


def is_class_like(kind: Type) -> bool:
    """Whether values of the type are defined by Python classes."""
    return isinstance(kind, (ClassType, EnumType, NamedTupleType))


def always_true(kind: Type) -> bool:
    """Whether every value of the type is true."""
    return isinstance(kind, ClassType) or kind in (DTYPE, DEVICE, EXCEPTION) or (
        isinstance(kind, TupleType) and not kind.is_variadic and bool(kind.elements)
    )


def has_identity(kind: Type) -> bool:
    return kind in (NONE, BOOL, TENSOR, DTYPE, ANY) or isinstance(
        kind, (ListType, DictType, SetType, ClassType, EnumType)
    )


def takes_anything(kind: Type) -> bool:
    """Whether a container of the type, or one in it, has elements of type Any."""
    return any(resolve(member) == ANY or takes_anything(member) for member in resolve(kind).members)


def is_receiver(pattern: Type, kind: Type) -> bool:
    """Whether a method's first parameter may be of this type."""
    if isinstance(pattern, TupleType) or isinstance(kind, TupleType):
        return isinstance(pattern, TupleType) and isinstance(kind, TupleType)
    if isinstance(pattern, (ListType, DictType, SetType)):
        return type(pattern) is type(kind)
    return pattern == kind


def all_methods() -> list[str]:
    return sorted({s for row in OPERATORS.values() for s in row.spellings if s.startswith(".")})


def is_rounded(value: Expr) -> bool:
    """Whether a conversion of an int to float may have changed it."""
    return isinstance(value, Operate) and value.row.full_name == "float.int"


def dict_class(kind: Type) -> str:
    """The subclass of dict that a type is, "" for all other types."""
    kind = resolve(kind)
    return kind.name.partition(".")[0] if isinstance(kind, DictType) and kind.name != "dict" else ""


def holds_index(value: Expr) -> bool:
    """Whether it is a tensor, or a tensor or an int, as `n or lengths.max()` is."""
    arms = arms_of(resolve(value.type))
    return TENSOR in arms and all(arm in (TENSOR, BOOL, INT) for arm in arms)
