"""Which keywords the methods of Python's own types take: most take none, whatever their documentation calls them.

In: a type and the name of a method, or of a function of math and cmath. Out: CPython's text for a keyword it refuses.
Holds: the table lists every method that takes any; names are those of CPython 3.11.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....ir.types import BYTES, COMPLEX, FLOAT, INT, STR, DictType, FrozenSetType, ListType, SetType, TupleType, Type

_NAMES: dict[Type, str] = {STR: "str", BYTES: "bytes", INT: "int", FLOAT: "float", COMPLEX: "complex"}
_CONTAINERS: dict[type[Type], str] = {
    ListType: "list", DictType: "dict", SetType: "set", FrozenSetType: "frozenset", TupleType: "tuple",
}
_SPLIT = frozenset(("sep", "maxsplit"))
_CODING = frozenset(("encoding", "errors"))
_CLOSE = frozenset(("rel_tol", "abs_tol"))
_TAKEN = {
    "str.split": _SPLIT, "str.rsplit": _SPLIT, "bytes.split": _SPLIT, "bytes.rsplit": _SPLIT,
    "str.splitlines": frozenset(("keepends",)), "bytes.splitlines": frozenset(("keepends",)),
    "str.expandtabs": frozenset(("tabsize",)), "bytes.expandtabs": frozenset(("tabsize",)),
    "str.encode": _CODING, "bytes.decode": _CODING, "bytes.translate": frozenset(("delete",)),
    "bytes.hex": frozenset(("sep", "bytes_per_sep")),
    "int.to_bytes": frozenset(("length", "byteorder", "signed")),
    "int.from_bytes": frozenset(("bytes", "byteorder", "signed")),
    "list.sort": frozenset(("key", "reverse")),
    "math.isclose": _CLOSE, "cmath.isclose": _CLOSE, "math.prod": frozenset(("start",)),
}
_ANY_NAME = ("str.format", "dict.update")


def type_name(kind: Type) -> str | None:
    """The name of a type of Python's own that has methods."""
    return _NAMES.get(kind) or _CONTAINERS.get(type(kind))


def refused_keyword(owner: str, method: str, names: Iterable[str]) -> str | None:
    """Why CPython refuses one of the keywords; None if it takes them all."""
    full = f"{owner}.{method}"
    taken = _TAKEN.get(full, frozenset())
    for name in names if full not in _ANY_NAME else ():
        if not taken:
            return f"{full}() takes no keyword arguments"
        if name not in taken:
            return f"'{name}' is an invalid keyword argument for {method}()"
    return None
