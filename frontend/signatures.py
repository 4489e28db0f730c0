"""Signatures: the types that annotations and type comments give a function's parameters and result.

In: function sources. Out: types by parameter name, and the declared result.
Holds: a parameter annotated with a module class takes its type from the module's structure instead.
"""

from __future__ import annotations

import inspect

from ..ir.types import (
    Type,
)
from . import syntax
from .annotations import AnnotationError, type_comment_parts, type_of_annotation
from .function_source import FunctionSource
from .modules import is_module
from .typed import (
    ERROR,
)


def signature_types(source: FunctionSource, report: object) -> tuple[dict[str, Type], Type | None]:
    """Types of the annotated parameters and of the result. `report(node, message)` is called for bad annotations."""
    found: dict[str, Type] = {}
    declared: Type | None = None

    def read(node: syntax.Node | None) -> Type | None:
        if node is None:
            return None
        try:
            return type_of_annotation(node, source.lookup, lambda python: None)
        except AnnotationError as error:
            if callable(report):
                report(error.node or node, str(error))
            return ERROR

    for param in source.params:
        annotation = param.annotation
        if annotation is None and param.type_comment is not None:
            annotation = syntax.Constant(param.span, param.type_comment)
        if annotation is not None and is_module_annotation(annotation, source):
            continue
        kind = read(annotation)
        if kind is not None:
            found[param.arg] = kind
    declared = read(source.node.returns)
    if source.node.type_comment is not None and (parts := type_comment_parts(source.node.type_comment)):
        texts, result = parts
        params = source.params[-len(texts) :] if texts else []
        for param, text in zip(params, texts):
            kind = read(syntax.Constant(param.span, text))
            if kind is not None:
                found[param.arg] = kind
        declared = read(syntax.Constant(source.node.span, result))
    return found, declared


def is_module_annotation(annotation: syntax.Node, source: FunctionSource) -> bool:
    """`self: Net`, `net: nn.Module`: the module's structure decides its type, not the annotation."""
    node: syntax.Node = annotation
    names: list[str] = []
    while isinstance(node, syntax.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, syntax.Name):
        return False
    try:
        value = source.lookup(node.id)
        for name in reversed(names):
            value = getattr(value, name)
    except (KeyError, AttributeError):
        return False
    return isinstance(value, type) and inspect.isclass(value) and "forward" in dir(value) and not is_module(value)
