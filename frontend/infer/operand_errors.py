"""The TypeErrors that CPython 3.11 raises for operands of the built-in types, where the types alone decide.

In: an operator and the types of its operands. Out: the text of the TypeError, or None where the operation has a meaning
or nothing certain is known. Holds: only classes that no subclass stands for are named; a wrong text is worse than none.
"""

from __future__ import annotations

import builtins
import math
import re

from ...ir.types import (
    ANY,
    BOOL,
    COMPLEX,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    DictType,
    FrozenSetType,
    ListType,
    SetType,
    TupleType,
    Type,
    arms_of,
)
from ..core.denotations import BuiltinDenotation, Denotation
from ..core.placeholders import resolve
from .type_facts import dict_class

MAX_COMBINATIONS = 24  # of the classes of operands that are told apart when the program runs
NUMBERS = ("bool", "int", "float")
INTEGERS = ("bool", "int")
SEQUENCES = ("str", "list", "tuple")
SETS = ("set", "frozenset")
NAMES: dict[Type, str] = {NONE: "NoneType", BOOL: "bool", INT: "int", FLOAT: "float", STR: "str"}
PURE = frozenset((
    "abs", "all", "any", "bin", "bool", "chr", "dict", "divmod", "float", "hash", "hex", "int", "len", "list", "max",
    "min", "oct", "ord", "pow", "repr", "round", "set", "sorted", "str", "sum", "tuple",
))
LACKING = {
    "__call__": "'{}' object is not callable",
    "__neg__": "bad operand type for unary -: '{}'", "__pos__": "bad operand type for unary +: '{}'",
    "__invert__": "bad operand type for unary ~: '{}'", "__abs__": "bad operand type for abs(): '{}'",
    "__int__": "int() argument must be a string, a bytes-like object or a real number, not '{}'",
    "__float__": "float() argument must be a string or a real number, not '{}'",
}  # what CPython says to an instance whose class has no such method
COUNTS = re.compile(r"takes .*arguments?|expected .*arguments?|missing required argument")


def class_name(kind: Type) -> str | None:
    """The name of the class of all values of a type; None where it is not one of the plain built-in ones."""
    kind = resolve(kind)
    if isinstance(kind, ListType):
        return "list" if kind.name == "list" else None
    if isinstance(kind, DictType):
        return None if dict_class(kind) else "dict"
    if isinstance(kind, TupleType):
        return "tuple"
    if isinstance(kind, (SetType, FrozenSetType)):
        return "set" if isinstance(kind, SetType) else "frozenset"
    return NAMES.get(kind)


def binary_error(op: str, left: Type, right: Type, in_place: bool) -> str | None:
    """`left op right`; `left op= right` if in place."""
    if TENSOR in (left, right):
        return None if in_place else tensor_error(op, left, right)
    a, b = class_name(left), class_name(right)
    return None if a is None or b is None or has_meaning(op, a, b) else classes_error(op, a, b, in_place)


def tensor_error(op: str, left: Type, right: Type) -> str | None:
    """The same of a tensor and something that is no number."""
    a, b = ("Tensor" if kind == TENSOR else class_name(kind) for kind in (left, right))
    if a is None or b is None or {a, b} <= {"Tensor", *NUMBERS} or op == "%" and a in ("str", "bytes"):
        return None
    if op == "*" and (a in SEQUENCES or b in SEQUENCES):
        return "only integer tensors of a single element can be converted to an index"
    return classes_error(op, a, b, False)


def classes_error(op: str, a: str, b: str, in_place: bool) -> str | None:
    """The same for classes by name, where the operator has no meaning."""
    if in_place and (op == "+" and a == "list" or op == "|" and a == "dict"):
        return None  # these take any iterable
    if op == "+" and a in SEQUENCES:
        return f'can only concatenate {a} (not "{b}") to {a}'
    if op == "*" and a in SEQUENCES:
        return f"can't multiply sequence by non-int of type '{b}'"
    if op == "*" and b in SEQUENCES and not (in_place and a in ("dict", *SETS)):
        return f"can't multiply sequence by non-int of type '{a}'"
    shown = f"{op}=" if in_place else "** or pow()" if op == "**" else op
    return f"unsupported operand type(s) for {shown}: '{a}' and '{b}'"


def has_meaning(op: str, a: str, b: str) -> bool:
    """Whether values of two classes may be the operands of an operator."""
    if op in ("&", "|", "^", "<<", ">>", "-") and a in SETS and b in SETS:
        return op not in ("<<", ">>")
    if op in ("&", "|", "^", "<<", ">>"):
        return a in INTEGERS and b in INTEGERS or op == "|" and a == b == "dict"
    if op == "+" and a in SEQUENCES or op == "%" and a == "str":
        return a == b or op == "%"
    if op == "*" and (a in SEQUENCES or b in SEQUENCES):
        return (b if a in SEQUENCES else a) in INTEGERS
    return op != "@" and a in NUMBERS and b in NUMBERS


def order_error(op: str, left: Type, right: Type) -> str | None:
    """`<` and its like."""
    a, b = class_name(left), class_name(right)
    if a is None or b is None or a in NUMBERS and b in NUMBERS or a in SETS and b in SETS or a == b in SEQUENCES:
        return None
    return f"'{op}' not supported between instances of '{a}' and '{b}'"


def unary_error(op: str, kind: Type) -> str | None:
    name = class_name(kind)
    if name is None or name in (INTEGERS if op == "~" else NUMBERS):
        return None
    return f"bad operand type for unary {op}: '{name}'"


def length_error(kind: Type) -> str | None:
    name = class_name(kind)
    return f"object of type '{name}' has no len()" if name in ("NoneType", *NUMBERS) else None


def iteration_error(kind: Type) -> str | None:
    """iter(x), as loops ask for it."""
    name = class_name(kind)
    return f"'{name}' object is not iterable" if name in ("NoneType", *NUMBERS) else None


def unpack_error(kind: Type) -> str | None:
    name = class_name(kind)
    return f"cannot unpack non-iterable {name} object" if name in ("NoneType", *NUMBERS) else None


def contains_error(item: Type, owner: Type) -> str | None:
    a, b = class_name(item), class_name(owner)
    if b == "str" and a not in ("str", None):
        return f"'in <string>' requires string as left operand, not {a}"
    return f"argument of type '{b}' is not iterable" if b in ("NoneType", *NUMBERS) else None


def is_no_key(key: Type, index: Type) -> bool:
    """Whether a dict with keys of one type has none that equals a value of the other, whatever they are."""
    known = [class_name(arm) for arm in arms_of(resolve(key))]
    at = class_name(index)
    if None in known or at not in (*NUMBERS, "str", "NoneType"):
        return False
    return at not in known and not (at in NUMBERS and any(name in NUMBERS for name in known))


def subscript_error(owner: Type) -> str | None:
    """`x[...]`, whatever the index."""
    name = class_name(owner)
    return f"'{name}' object is not subscriptable" if name in ("NoneType", *NUMBERS, *SETS) else None


def slice_error(owner: Type) -> str | None:
    """`x[i:j]`."""
    return "unhashable type: 'slice'" if class_name(owner) == "dict" else subscript_error(owner)


def key_error(kind: Type) -> str | None:
    """The hash of a key."""
    name = class_name(kind)
    return f"unhashable type: '{name}'" if name in ("list", "dict", "set") else None


def whole_error(kind: Type) -> str | None:
    """An argument that has to be an integer."""
    name = class_name(kind)
    return None if name is None or name in INTEGERS else f"'{name}' object cannot be interpreted as an integer"


def reversal_error(kind: Type) -> str | None:
    """reversed(x)."""
    name = class_name(kind)
    return f"'{name}' object is not reversible" if name in ("NoneType", *NUMBERS, *SETS) else None


def change_error(owner: Type, index: Type | None, is_deletion: bool) -> str | None:
    """`x[i] = v`, or `del x[i]`; without a type of the index, of a slice."""
    name, at = class_name(owner), class_name(index) if index is not None else "slice"
    if name in ("NoneType", *NUMBERS, *SETS, "str", "tuple"):
        is_asked_by_place = is_deletion and at in INTEGERS and name in (*SETS, "str", "tuple")
        verb = "doesn't" if is_asked_by_place else "does not"
        return f"'{name}' object {verb} support item {'deletion' if is_deletion else 'assignment'}"
    if name == "dict" and at in ("list", "dict", "set", "slice"):
        return f"unhashable type: '{at}'"
    if name != "list" or at is None or at in (*INTEGERS, "slice"):
        return None
    return f"list indices must be integers or slices, not {at}"


def index_error(owner: Type, index: Type) -> str | None:
    """`x[i]`."""
    a, b = class_name(owner), class_name(index)
    if a == "dict" and b in ("list", "dict", "set"):
        return f"unhashable type: '{b}'"
    if a not in SEQUENCES or b is None or b in INTEGERS:
        return subscript_error(owner)
    if a == "str":
        return f"string indices must be integers, not '{b}'"
    return f"{a} indices must be integers or slices, not {b}"


def is_denied(kind: Type, declared: Type) -> bool:
    """Whether no value of a type can be one of the declared type, whatever is in it."""
    name = "complex" if kind == COMPLEX else class_name(kind)
    arms = arms_of(declared)
    if name is None or ANY in arms or EXCEPTION in arms or TENSOR in arms and name in NUMBERS:
        return False
    return all(arm != kind if kind == COMPLEX else class_name(arm) != name for arm in arms)


def count_error(denotation: Denotation, count: int) -> str | None:
    """What CPython says to this many arguments of a builtin; None if their number is right, or it is none of PURE."""
    name = denotation.name if isinstance(denotation, BuiltinDenotation) else getattr(denotation, "spelling", "")
    function = getattr(math if name.startswith("math.") else builtins, name.rpartition(".")[2], None)
    if not callable(function) or name not in PURE and not name.startswith("math."):
        return None
    try:
        function(*(object() for _ in range(count)))
    except TypeError as error:
        return str(error) if COUNTS.search(str(error)) else None
    return None
