"""Annotations as types: from syntax, from strings, from type comments, from `typing` objects.

In: annotation trees and Python objects. Out: static types.
Holds: an annotation that has no type here is refused with what to write instead.
"""

from __future__ import annotations

import builtins
import types as python_types
import typing
from collections.abc import Callable
from typing import Any as PyAny

from ..ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DTYPE,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    DictType,
    ListType,
    SetType,
    TupleType,
    Type,
    optional,
    union,
)
from . import parse, syntax

Lookup = Callable[[str], PyAny]  # raises KeyError
_PLAIN: dict[PyAny, Type] = {
    bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR, bytes: BYTES, None: NONE, type(None): NONE,
    typing.Any: ANY,
}
_BARE = {list: "list[int]", dict: "dict[str, int]", tuple: "tuple[int, ...]", set: "set[int]"}
_GENERIC = frozenset(
    ("list", "List", "dict", "Dict", "tuple", "Tuple", "set", "Set", "Optional", "Union", "UnionType")
) | frozenset(("Final", "Annotated", "ClassVar"))
_LATER = "is not supported yet"


class AnnotationError(Exception):
    """An annotation without a type; `node` is the part that is wrong, None for Python objects."""

    def __init__(self, message: str, node: syntax.Node | None = None) -> None:
        super().__init__(message)
        self.node = node


def type_of_annotation(node: syntax.Node, lookup: Lookup, module_type: Callable[[PyAny], Type | None]) -> Type:
    """The type that an annotation tree spells. `module_type` gives the type of a class it names, or None."""
    return _Reader(lookup, module_type).read(node)


def type_of_object(value: PyAny, class_type: Callable[[PyAny], Type | None] = lambda python: None) -> Type:
    """The type that an annotation object spells: `int`, `Optional[Tensor]`, `list[int] | None`."""

    def nothing(name: str) -> PyAny:
        raise KeyError(name)

    return _Reader(nothing, class_type).object(value, None)


def type_comment_parts(comment: str) -> tuple[list[str], str] | None:
    """`(int, List[str]) -> float` as its parts; None if the comment is no signature."""
    text = comment.strip()
    if not text.startswith("(") or "->" not in text:
        return None
    inside, _, result = text.rpartition("->")
    inside = inside.strip()[1:-1]
    parts, depth, start = [], 0, 0
    for i, c in enumerate(inside):
        depth += (c in "[(") - (c in "])")
        if c == "," and depth == 0:
            parts.append(inside[start:i].strip())
            start = i + 1
    parts.append(inside[start:].strip())
    return [part for part in parts if part and part != "..."], result.strip()


class _Reader:
    def __init__(self, lookup: Lookup, module_type: Callable[[PyAny], Type | None]) -> None:
        self.lookup = lookup
        self.module_type = module_type

    def read(self, node: syntax.Node) -> Type:
        if isinstance(node, syntax.Constant):
            if node.value is None:
                return NONE
            if isinstance(node.value, str):
                return self.text(node.value, node)
        if isinstance(node, syntax.BinOp) and node.op == "|":
            return union(self.read(node.left), self.read(node.right))
        if isinstance(node, syntax.Subscript):
            return self.generic(node)
        return self.object(self.evaluate(node), node)

    def text(self, text: str, node: syntax.Node) -> Type:
        try:
            tree = parse.parse_expression(text, node.span.file, node.span.line, node.span.column)
        except Exception:
            raise AnnotationError(f"the annotation {text!r} is not an expression", node) from None
        return self.read(tree)

    def evaluate(self, node: syntax.Node) -> PyAny:
        if isinstance(node, syntax.Name):
            try:
                return self.lookup(node.id)
            except KeyError:
                raise AnnotationError(f"name '{node.id}' is not defined", node) from None
        if isinstance(node, syntax.Attribute):
            owner = self.evaluate(node.value)
            try:
                return getattr(owner, node.attr)
            except AttributeError:
                name = getattr(owner, "__name__", type(owner).__name__)
                raise AnnotationError(f"'{name}' has no attribute '{node.attr}'", node) from None
        raise AnnotationError("this annotation is not a type", node)

    def generic(self, node: syntax.Subscript) -> Type:
        origin = self.evaluate(node.value)
        items = node.slice.elts if isinstance(node.slice, syntax.Tuple) else [node.slice]
        is_open = len(items) == 2 and isinstance(items[1], syntax.Constant) and items[1].value is Ellipsis
        name = getattr(typing.get_origin(origin) or origin, "__name__", None) or str(origin).rpartition(".")[2]
        if name.lower() == "literal":
            raise AnnotationError(f"Literal {_LATER}; write the type of its values", node)
        if name == "tuple" and len(items) == 1 and isinstance(items[0], syntax.Tuple) and not items[0].elts:
            return TupleType(())
        if name not in _GENERIC:
            raise AnnotationError(f"the annotation {name}[...] {_LATER}", node)
        members = [self.read(item) for item in (items[:1] if is_open else items)]
        return self.apply(origin, name, members, is_open, node)

    def apply(self, origin: PyAny, name: str, members: list[Type], is_open: bool, node: syntax.Node | None) -> Type:
        origin = typing.get_origin(origin) or origin
        if origin is tuple:
            return TupleType(tuple(members), is_open)
        if origin is list and len(members) == 1:
            return ListType(members[0])
        if origin is dict and len(members) == 2:
            if not members[0].is_hashable:
                raise AnnotationError(f"{members[0]} cannot be a dict key; use int, str, bool, float or tuples", node)
            return DictType(members[0], members[1])
        if origin is set and len(members) == 1:
            if not members[0].is_hashable:
                text = f"{members[0]} cannot be a set element; use int, str, bool, float or tuples"
                raise AnnotationError(text, node)
            return SetType(members[0])
        if origin is typing.Optional and len(members) == 1:
            return optional(members[0])
        if origin in (typing.Union, python_types.UnionType):
            return union(*members)
        if origin is typing.Final or name in ("Final", "Annotated", "ClassVar"):
            return members[0]
        if origin is list or origin is dict:
            wanted = "one type" if origin is list else "two types"
            raise AnnotationError(f"{name} takes {wanted}, got {len(members)}", node)
        raise AnnotationError(f"the annotation {name}[...] {_LATER}", node)

    def object(self, value: PyAny, node: syntax.Node | None) -> Type:
        try:
            plain = _PLAIN.get(value)
        except TypeError:
            plain = None
        if plain is not None:
            return plain
        if isinstance(value, str):
            return self.text(value, node) if node is not None else self._refuse(value, node)
        if value in _BARE:
            raise AnnotationError(f"'{value.__name__}' needs its element type: write {_BARE[value]}", node)
        origin = typing.get_origin(value)
        if origin is not None:
            return self._alias(value, origin, node)
        if isinstance(value, Type):
            return value
        if isinstance(value, type):
            return self._class(value, node)
        if getattr(value, "__name__", "") in ("List", "Dict", "Tuple", "Optional", "Union"):
            name = value.__name__
            raise AnnotationError(f"'{name}' needs its element type: write {name}[int]", node)
        return self._refuse(value, node)

    def _alias(self, value: PyAny, origin: PyAny, node: syntax.Node | None) -> Type:
        arguments = typing.get_args(value)
        is_open = len(arguments) == 2 and arguments[1] is Ellipsis
        if not arguments and origin in _BARE:
            raise AnnotationError(f"'{value}' needs its element type: write {_BARE[origin]}", node)
        members = [self.object(item, node) for item in (arguments[:1] if is_open else arguments)]
        return self.apply(origin, getattr(origin, "__name__", str(origin)), members, is_open, node)

    def _class(self, value: type, node: syntax.Node | None) -> Type:
        if value.__name__ == "Tensor":
            return TENSOR
        if value.__name__ in ("dtype", "DType"):
            return DTYPE
        found = self.module_type(value)
        if found is not None:
            return found
        if value is builtins.object:
            raise AnnotationError("'object' is no static type; write typing.Any", node)
        return self._refuse(value, node)

    def _refuse(self, value: PyAny, node: syntax.Node | None) -> Type:
        name = getattr(value, "__name__", None) or str(value)
        raise AnnotationError(
            f"'{name}' is not a type that scripts support; use Tensor, int, float, bool, str, None, "
            "list[...], dict[...], set[...], tuple[...], Optional[...] or Union[...]",
            node,
        )
