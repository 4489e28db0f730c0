"""Types of the containers of `collections`: list types with the name deque, dict types with the names of subclasses.

In: static types. Out: which Python class their values have.
Holds: the name is the only difference, so that what serves lists and dicts serves these where it means the same.
"""

from __future__ import annotations

import collections

from ...ir.types import DictType, ListType, Type
from ..core.placeholders import resolve
from .type_facts import dict_class

DICT_PYTHON: dict[object, str] = {
    collections.OrderedDict: "OrderedDict", collections.Counter: "Counter", collections.defaultdict: "defaultdict",
}
KEYWORDS = {"OrderedDict.pop", "OrderedDict.setdefault", "OrderedDict.update", "Counter.update", "Counter.subtract"}


def python_class(kind: DictType) -> type:
    """The Python class of a dict type."""
    name = dict_class(kind)
    return getattr(collections, name) if name else dict


def is_deque(kind: Type) -> bool:
    kind = resolve(kind)
    return isinstance(kind, ListType) and kind.name == "deque"
