"""Python's subclasses of dict, and its deque: which one a program's type means, and new ones.

In: types of a program and Python containers. Out: Python containers of the right class.
Holds: a defaultdict that crosses makes what its value type makes without arguments; one with another factory stays
inside its program.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

from .library import ffi, lib
from .schema import SchemaType
from .writers import is_plain

_NO_LIMIT = 2**64 - 1
_PLAIN: dict[str, Any] = {"OrderedDict": OrderedDict, "Counter": Counter}
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
_FACTORIES: dict[str, Any] = {
    "int": int, "float": float, "bool": bool, "complex": complex, "str": str, "bytes": bytes, "list": list,
    "dict": dict, "set": set, "frozenset": frozenset,
}  # fmt: skip


def made_dict(pointer: Any) -> dict[Any, Any]:
    """A new dict for a runtime dict of this type (NULL: the host's own)."""
    name = "" if pointer == ffi.NULL else ffi.string(lib.tsm_type_qualified_name(pointer)).decode()
    if not name:
        return {}
    from .program_types import read_type

    found: dict[Any, Any] = _PLAIN[name]() if name in _PLAIN else defaultdict(factory(read_type(pointer)))
    return found


def factory(kind: SchemaType) -> Any:
    """The class that a defaultdict of this type calls. TypeError for a function of the program."""
    made = kind.args[1]
    if kind.name != "defaultdict":
        raise TypeError("a defaultdict whose factory is a function cannot leave its program")
    return _PLAIN[made.name] if made.kind == "dict" and made.name else _FACTORIES[made.kind]


def is_dict_of(value: Any, kind: SchemaType) -> bool:
    """Whether a Python dict may go where `kind` is declared."""
    if not kind.name:
        return is_plain(value, dict)
    if kind.name in _PLAIN:
        return type(value) is _PLAIN[kind.name]
    return type(value) is defaultdict and value.default_factory is factory(kind)


def is_list_of(value: Any, kind: SchemaType) -> bool:
    """Whether a Python list or deque may go where `kind` is declared."""
    return type(value) is deque if kind.name else is_plain(value, list)


def is_sequence(value: Any) -> bool:
    """Whether its elements may go as those of a list (D3): nobody can change it, or it is a view."""
    return isinstance(value, (tuple, range, *_VIEWS))


def made_list(value: Any, pointer: Any) -> Any:
    """A new list for a runtime list, or a deque with its maxlen for a deque."""
    if pointer == ffi.NULL or ffi.string(lib.tsm_type_name(pointer)) != b"deque":
        return []
    limit = lib.tsm_deque_limit(value)
    return deque(maxlen=None if limit == _NO_LIMIT else limit)


def refill(target: dict[Any, Any], items: list[tuple[Any, Any]]) -> None:
    """Gives a dict new entries."""
    target.clear()
    if isinstance(target, Counter):
        dict.update(target, items)  # its own method adds
    else:
        target.update(items)
