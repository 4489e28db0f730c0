"""Python values to runtime values and back: the door to scopes.py, writers.py, container_writers.py and readers.py.

In: a declared type and a Python value, or a runtime value. Out: the other one. One Scope serves one call: it maps each
container to one runtime object, so that `f(a, a)` stays one list, and back, so that a returned argument is the caller's
object.
"""

from __future__ import annotations

from .container_writers import element_kind, is_wrapper
from .readers import dict_items, list_items, made_named_tuple, named_tuple_class, read, write_back
from .scopes import Buffer, Scope
from .writers import Writer, any_type, any_writer, float_of, index_of, int_of, refuse, writer

__all__ = [
    "Buffer", "Scope", "Writer", "any_type", "any_writer", "dict_items", "element_kind", "float_of", "index_of",
    "int_of",
    "is_wrapper", "list_items", "made_named_tuple", "named_tuple_class", "read", "refuse", "write_back", "writer",
]
