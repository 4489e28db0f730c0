"""Annotations of attributes written in `__init__`: `self.cache: Optional[Tensor] = None`, and what `annotate` says.

In: a class. Out: attribute name -> type, or typing.Final. Holds: a class without source, or an annotation that is not
understood, gives nothing; the attribute then has the type of its value.
"""

from __future__ import annotations

import typing
from typing import Any as PyAny

from ..diagnostics import CompileError
from ..parser import parse, syntax
from .annotations import AnnotationError, type_of_annotation
from .function_source import no_class, python_lookup


def init_annotations(python: type, class_type: PyAny = no_class) -> dict[str, PyAny]:
    """Annotated assignments to attributes of self in the `__init__` that this class itself defines."""
    init = python.__dict__.get("__init__")
    if init is None or not hasattr(init, "__code__") or not init.__code__.co_argcount:
        return {}
    try:
        node = parse.parse_function(init).node
    except CompileError:
        return {}
    receiver, lookup = init.__code__.co_varnames[0], python_lookup(init)
    found: dict[str, PyAny] = {}
    for statement in syntax.walk(node):
        if isinstance(statement, syntax.AnnAssign) and _is_attribute(statement.target, receiver):
            assert isinstance(statement.target, syntax.Attribute)
            hint = _hint(statement.annotation, lookup, class_type)
            if hint is not None:
                found[statement.target.attr] = hint
        if isinstance(statement, syntax.Assign) and (said := _annotated(statement.value)) is not None:
            hint = _hint(said, lookup, class_type)
            names = [each.attr for each in statement.targets if _is_attribute(each, receiver)]  # type: ignore[attr-defined]
            found.update((name, hint) for name in names if hint is not None)
    return found


def _annotated(value: syntax.Node) -> syntax.Node | None:
    """The type in `tsm.jit.annotate(T, value)`."""
    if not isinstance(value, syntax.Call) or len(value.args) != 2:
        return None
    name = value.func.attr if isinstance(value.func, syntax.Attribute) else getattr(value.func, "id", "")
    return value.args[0] if name == "annotate" else None


def _is_attribute(target: syntax.Node, receiver: str) -> bool:
    return (
        isinstance(target, syntax.Attribute) and isinstance(target.value, syntax.Name) and target.value.id == receiver
    )


def _hint(annotation: syntax.Node, lookup: PyAny, class_type: PyAny) -> PyAny:
    outer = annotation.value if isinstance(annotation, syntax.Subscript) else annotation
    name = outer.attr if isinstance(outer, syntax.Attribute) else getattr(outer, "id", "")
    if name == "Final":
        return typing.Final
    try:
        return type_of_annotation(annotation, lookup, class_type)
    except AnnotationError:
        return None
