"""Methods that Python's dataclasses write for a class: as source text of our own, parsed like the user's.

In: a dataclass and the name of a method. Out: a FunctionSource at the class's line.
Holds: each does what the one of CPython 3.11 does, in its order: fields as `__init__` takes them, then __post_init__.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any as PyAny

from ...ir.types import NONE, Type
from ..core.denotations import Denotation, MarkerDenotation
from ..parser import parse, syntax
from ..prelude import containers as prelude
from .class_places import span_of
from .function_source import FunctionSource

TypeOf = Callable[[type, PyAny], Type | None]
_ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


_PLAIN = ("int", "float", "bool", "str", "complex", "bytes", "Tensor")  # fields that cannot lead back
GENERATED = frozenset(("__init__", "__eq__", "__repr__", "__hash__", *_ORDER))


class Missing:
    """Stands for an argument that was not given, whose default a factory makes."""

    __tsm_marker__ = "a default"


MISSING = Missing()


def is_missing(denotation: Denotation) -> bool:
    """Whether it stands for an argument that was not given."""
    return isinstance(denotation, MarkerDenotation) and denotation.python is MISSING


def generated_source(python: type, name: str, type_of: TypeOf) -> FunctionSource:
    """The method that dataclasses wrote for a class. KeyError for one that scripts do not know."""
    names: dict[str, PyAny] = {"_MISSING": MISSING, "_NONE": NONE}
    defaults: dict[str, PyAny] = {}
    if name == "__init__":
        text = _init(python, type_of, names, defaults)
    elif name == "__eq__":
        text = _compared(python, "__eq__", "==")
    elif name in _ORDER:
        text = _compared(python, name, _ORDER[name])
    elif name == "__repr__":
        text = _repr(python)
        names.update(_begins_text=prelude.begins_text, _ends_text=prelude.ends_text)
    elif name == "__hash__":
        hashed = [f for f in dataclasses.fields(python) if (f.compare if f.hash is None else f.hash)]
        shown = "".join(f"self.{f.name}, " for f in hashed)
        text = f"def __hash__(self):\n    return hash(({shown}))\n"
    else:
        raise KeyError(name)
    names["_same"] = lambda other: None
    source = FunctionSource(name, _parsed(python, text), _lookup(names), defaults, python)
    source.is_generated = True
    return source


def _lookup(names: dict[str, PyAny]) -> Callable[[str], PyAny]:
    import builtins

    def lookup(name: str) -> PyAny:
        return names[name] if name in names else vars(builtins)[name]

    return lookup


def _parsed(python: type, text: str) -> syntax.FunctionDef:
    """The definition, with every node at the line of the class."""
    where = span_of(python)
    node = parse.parse_source(text, where.file).body[0]
    assert isinstance(node, syntax.FunctionDef)
    for each in syntax.walk(node):
        each.span = where
    return node


def _init(python: PyAny, type_of: TypeOf, names: dict[str, PyAny], defaults: dict[str, PyAny]) -> str:
    params, body = ["self"], []
    fields = list(python.__dataclass_fields__.values())
    given = [f for f in fields if f.init and f._field_type is not dataclasses._FIELD_CLASSVAR]  # type: ignore[attr-defined]
    for f in [f for f in given if not f.kw_only]:
        params.append(_parameter(python, f, type_of, names, defaults))
    if any(f.kw_only for f in given):
        params += ["*", *(_parameter(python, f, type_of, names, defaults) for f in given if f.kw_only)]
    for f in fields:
        is_variable = f._field_type is dataclasses._FIELD_INITVAR  # type: ignore[attr-defined]
        if is_variable or f._field_type is dataclasses._FIELD_CLASSVAR:  # type: ignore[attr-defined]
            continue
        body += _field_lines(f, names)
    if hasattr(python, "__post_init__"):
        variables = [f.name for f in fields if f._field_type is dataclasses._FIELD_INITVAR]  # type: ignore[attr-defined]
        body.append(f"self.__post_init__({', '.join(variables)})")
    lines = "".join(f"    {line}\n" for line in body or ["pass"])
    return f"def __init__({', '.join(params)}) -> _NONE:\n{lines}"


def _parameter(
    python: type, f: PyAny, type_of: TypeOf, names: dict[str, PyAny], defaults: dict[str, PyAny]
) -> str:
    owner = next((base for base in python.__mro__ if f.name in inspect.get_annotations(base)), python)
    hint = f.type.type if isinstance(f.type, dataclasses.InitVar) else f.type
    kind = names[f"_type_{f.name}"] = type_of(owner, hint)
    annotation = ": object" if kind is None else f": _type_{f.name}"
    if f.default_factory is not dataclasses.MISSING:
        defaults[f.name] = MISSING
        return f"{f.name}{annotation} = _MISSING"
    if f.default is not dataclasses.MISSING:
        defaults[f.name] = f.default
        return f"{f.name}{annotation} = _MISSING"
    return f"{f.name}{annotation}"


def _field_lines(f: PyAny, names: dict[str, PyAny]) -> list[str]:
    made = None
    if f.default_factory is not dataclasses.MISSING:
        names[f"_make_{f.name}"] = f.default_factory
        made = {list: "[]", dict: "{}"}.get(f.default_factory, f"_make_{f.name}()")
    elif not f.init and f.default is not dataclasses.MISSING:
        names[f"_value_{f.name}"] = f.default
        made = f"_value_{f.name}"
    if not f.init:
        return [] if made is None else [f"self.{f.name} = {made}"]
    if made is None:
        return [f"self.{f.name} = {f.name}"]
    return [f"if {f.name} is _MISSING:", f"    self.{f.name} = {made}", "else:", f"    self.{f.name} = {f.name}"]


def _compared(python: type, name: str, op: str) -> str:
    """Only with an instance of the same class, field by field as a tuple."""
    mine = "".join(f"self.{f.name}, " for f in dataclasses.fields(python) if f.compare)
    other = mine.replace("self.", "other.")
    return (
        f"def {name}(self, other):\n    if other.__class__ is self.__class__:\n"
        f"        return ({mine}) {op} ({other})\n    return NotImplemented\n"
    )


def _repr(python: type) -> str:
    shown = ", ".join(f"{f.name}={{self.{f.name}!r}}" for f in dataclasses.fields(python) if f.repr)
    text = f"f'{{self.__class__.__qualname__}}({shown})'"
    if all(f.type in _PLAIN or getattr(f.type, "__name__", "") in _PLAIN for f in dataclasses.fields(python) if f.repr):
        return f"def __repr__(self):\n    return {text}\n"
    return (
        f"def __repr__(self):\n    if not _begins_text(self):\n        return '...'\n"
        f"    try:\n        return {text}\n    finally:\n        _ends_text(self)\n"
    )
