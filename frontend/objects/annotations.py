"""Annotations as types: from syntax, from strings, from type comments, from `typing` objects.

In: annotation trees and Python objects. Out: static types.
Holds: an annotation that has no type here is refused with what to write instead.
"""

from __future__ import annotations

import builtins
import collections
import types as python_types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any as PyAny

from ...binding.device import Device
from ...binding.size import Size
from ...binding.tensor import Tensor
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
    SHAPE,
    STR,
    TENSOR,
    DictType,
    FrozenSetType,
    ListType,
    SetType,
    TupleType,
    Type,
    optional,
    union,
)
from ..diagnostics import suggestion
from ..parser import parse, syntax
from .class_facts import takes_any_arguments

Lookup = Callable[[str], PyAny]  # raises KeyError
_PLAIN: dict[PyAny, Type] = {
    bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR, bytes: BYTES, None: NONE, type(None): NONE,
    typing.Any: ANY, Size: SHAPE,
}
_BARE = {list: "list[int]", dict: "dict[str, int]", tuple: "tuple[int, ...]", set: "set[int]",
         frozenset: "frozenset[int]", collections.OrderedDict: "OrderedDict[str, int]",
         collections.Counter: "Counter[str]", collections.defaultdict: "defaultdict[str, int]",
         collections.deque: "deque[int]"}
_GENERIC = frozenset(
    ("list", "List", "dict", "Dict", "tuple", "Tuple", "set", "Set", "Optional", "Union", "UnionType", "OrderedDict",
     "Counter", "DefaultDict", "defaultdict", "deque", "Deque")
) | frozenset(("Final", "Annotated", "ClassVar", "InitVar", "Future", "frozenset", "FrozenSet", "TypeGuard",
                 "TypeIs"))
OPEN = frozenset((
    "Callable", "Sequence", "MutableSequence", "Iterable", "Iterator", "Generator", "Collection", "Container", "Sized",
    "Reversible", "Mapping", "MutableMapping", "AbstractSet", "MutableSet", "Set", "Hashable", "Type", "type",
))
_ITERATORS = (map, filter, zip, enumerate, reversed)
_DICT_CLASSES = (collections.OrderedDict, collections.Counter, collections.defaultdict)
_OUTER: dict[str, tuple[type, ...]] = {  # what callers of an entry point may give
    "Sequence": (list, tuple), "Reversible": (list, tuple), "MutableSequence": (list,),
    "Iterable": (list, tuple, set, frozenset), "Collection": (list, tuple, set, frozenset),
    "Container": (list, tuple, set, frozenset), "AbstractSet": (set, frozenset), "Set": (set, frozenset),
    "MutableSet": (set,), "Mapping": (dict,), "MutableMapping": (dict,),
}
_LATER = "is not supported yet"
# Names that type comments and quoted annotations may use without an import, as TorchScript's do.
_KNOWN = {name: getattr(typing, name) for name in ("Any", "Dict", "List", "Optional", "Tuple", "Union")}
_KNOWN |= {"Tensor": Tensor, "Device": Device, "NoneType": type(None)}


class AnnotationError(Exception):
    """An annotation without a type; `node` is the part that is wrong, None for Python objects; `hint` what to write."""

    def __init__(self, message: str, node: syntax.Node | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.node = node
        self.hint = hint


class OpenAnnotation(AnnotationError):
    """An annotation that leaves open what a value is: Callable, Sequence, a type variable, a protocol. A variable or
    parameter takes the type of its value then, and its uses are checked."""

    def __init__(self, name: str, node: syntax.Node | None) -> None:
        super().__init__(f"'{name}' leaves open what the value is; name a type here", node)


@dataclass(frozen=True)
class Parametrised:
    """`Stack[int]`: a generic class with its arguments."""

    python: type
    arguments: tuple[Type, ...]


def type_of_annotation(
    node: syntax.Node, lookup: Lookup, module_type: Callable[[PyAny], Type | None], is_outer: bool = False
) -> Type:
    """The type that an annotation tree spells. `module_type` gives the type of a class it names, or None. `is_outer`:
    of an entry point, whose callers are not known: a Sequence is a list or a tuple there, an Iterable a set as well, a
    Mapping a dict."""
    return _Reader(lookup, module_type, is_outer).read(node)


def nothing(name: str) -> PyAny:
    """Where no names are known."""
    raise KeyError(name)


def type_of_object(
    value: PyAny, class_type: Callable[[PyAny], Type | None] = lambda python: None, lookup: Lookup = nothing
) -> Type:
    """The type that an annotation object spells: `int`, `Optional[Tensor]`, `list[int] | None`. `lookup` finds the
    names in strings inside it: `list["Tree"]`."""
    return _Reader(lookup, class_type).object(value, None)


def type_comment_parts(comment: str) -> tuple[list[str], str] | None:
    """`(int, List[str]) -> float` as its parts; None if the comment is no signature. One without `->` says nothing of
    the result."""
    text = comment.strip()
    if not text.startswith("(") or ("->" not in text and not text.endswith(")")):
        return None
    inside, _, result = text.rpartition("->") if "->" in text else (text, "", "")
    inside = inside.strip()[1:-1]
    parts, depth, start = [], 0, 0
    for i, c in enumerate(inside):
        depth += (c in "[(") - (c in "])")
        if c == "," and depth == 0:
            parts.append(inside[start:i].strip())
            start = i + 1
    parts.append(inside[start:].strip())
    return [part for part in parts if part and part != "..."], result.strip()


def has_variables(python: PyAny) -> bool:
    """Whether it is a generic class."""
    return bool(getattr(python, "__parameters__", ()))


def leaves_open(value: PyAny) -> bool:
    """Whether an annotation by this object leaves open what a value is."""
    if isinstance(value, (typing.TypeVar, typing.ParamSpec)):
        return True
    name = getattr(value, "__name__", "") or getattr(value, "_name", "") or ""
    module = getattr(value, "__module__", "")
    if value is typing.NoReturn or name == "Never" and module in ("typing", "typing_extensions"):
        return True
    is_set = value is typing.Set  # noqa: UP006 - the type, whose name the abstract class has too
    if name == "Self" and module in ("typing", "typing_extensions"):
        return True
    if isinstance(value, type) and (value in _ITERATORS or module == "itertools"):
        return True
    return (name in OPEN and module in ("typing", "collections.abc") and not is_set) or value is type or value is slice


class _Reader:
    def __init__(
        self, lookup: Lookup, module_type: Callable[[PyAny], Type | None], is_outer: bool = False
    ) -> None:
        self.lookup = lookup
        self.module_type = module_type
        self.is_outer = is_outer
        self.open_names: list[str] = []  # aliases that are being read
        self.recursive: set[str] = set()  # those of them that contain themselves

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
        if isinstance(node, syntax.Name):
            return self.named(node.id, self.evaluate(node), node)
        return self.object(self.evaluate(node), node)

    def named(self, name: str, value: PyAny, node: syntax.Node) -> Type:
        """What a name of the module stands for; an alias that contains itself can only be Any."""
        if typing.get_origin(value) is None:
            return self.object(value, node)
        if name in self.open_names:
            self.recursive.add(name)
            return ANY
        self.open_names.append(name)
        try:
            found = self.object(value, node)
        finally:
            self.open_names.pop()
        return ANY if name in self.recursive else found

    def text(self, text: str, node: syntax.Node | None) -> Type:
        where = ("<annotation>", 1, 1) if node is None else (node.span.file, node.span.line, node.span.column)
        try:
            tree = parse.parse_expression(text, *where)
        except Exception:
            raise AnnotationError(f"the annotation {text!r} is not an expression", node) from None
        return self.read(tree)

    def evaluate(self, node: syntax.Node) -> PyAny:
        if isinstance(node, syntax.Name):
            try:
                return self.lookup(node.id)
            except KeyError:
                if node.id in _KNOWN:
                    return _KNOWN[node.id]
                hint = suggestion(node.id, (*typing.__all__, *dir(builtins), *_KNOWN))
                raise AnnotationError(f"name '{node.id}' is not defined", node, hint) from None
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
        if origin is typing.Literal:
            return union(*(self.literal(item) for item in items))
        if name == "tuple" and len(items) == 1 and isinstance(items[0], syntax.Tuple) and not items[0].elts:
            return TupleType(())
        if leaves_open(origin):
            if self.is_outer and name in _OUTER:
                return self.outer(name, [self.read(item) for item in items], node)
            raise OpenAnnotation(name, node)
        if typing.get_origin(origin) is not None and has_variables(origin):
            return self.bound_alias(origin, items, node)
        if isinstance(origin, type) and origin is not python_types.UnionType and has_variables(origin):
            return self.generic_class(origin, items, node)
        if takes_any_arguments(origin):
            return self.object(origin, node)
        if name not in _GENERIC:
            raise AnnotationError(f"the annotation {name}[...] {_LATER}", node)
        is_first = is_open or origin is typing.Annotated
        members = [self.read(item) for item in (items[:1] if is_first else items)]
        return self.apply(origin, name, members, is_open, node)

    def literal(self, node: syntax.Node) -> Type:
        """The type of a literal's value: str for "a"."""
        if isinstance(node, syntax.UnaryOp):
            return self.literal(node.operand)
        value = node.value if isinstance(node, syntax.Constant) else self.evaluate(node)
        return self.literal_type(value, node)

    def literal_type(self, value: PyAny, node: syntax.Node | None) -> Type:
        return self.object(type(value), node)

    def generic_class(self, origin: type, items: list[syntax.Expression], node: syntax.Node) -> Type:
        if len(items) != len(origin.__parameters__):  # type: ignore[attr-defined]
            wanted = len(origin.__parameters__)  # type: ignore[attr-defined]
            raise AnnotationError(f"'{origin.__name__}' takes {wanted} type arguments, got {len(items)}", node)
        found = self.module_type(Parametrised(origin, tuple(self.read(item) for item in items)))
        return self._refuse(origin, node) if found is None else found

    def bound_alias(self, alias: PyAny, items: list[syntax.Expression], node: syntax.Node) -> Type:
        """`Result[int]`, where `Result = Union[Ok[T], Err]`."""
        wanted = alias.__parameters__
        if len(items) != len(wanted):
            raise AnnotationError(f"{alias} takes {len(wanted)} type arguments, got {len(items)}", node)
        given, outer = dict(zip(wanted, map(self.read, items))), self.module_type
        self.module_type = lambda python: (
            given[python] if isinstance(python, typing.TypeVar) and python in given else outer(python))
        try:
            return self.object(alias, node)
        finally:
            self.module_type = outer

    def apply(self, origin: PyAny, name: str, members: list[Type], is_open: bool, node: syntax.Node | None) -> Type:
        origin = typing.get_origin(origin) or origin
        origin = getattr(origin, "__tsm_resident__", origin)  # tsm.List is a list in a script
        if origin is tuple:
            return TupleType(tuple(members), is_open)
        if origin in (list, collections.deque) and len(members) == 1:
            return ListType(members[0], origin.__name__)
        if origin is dict and len(members) == 2:
            if not members[0].is_hashable:
                raise AnnotationError(f"{members[0]} cannot be a dict key; use int, str, bool, float or tuples", node)
            return DictType(members[0], members[1])
        if origin in _DICT_CLASSES and len(members) == (1 if origin is collections.Counter else 2):
            plain = self.apply(dict, name, [*members, INT][:2], False, node)
            assert isinstance(plain, DictType)
            return DictType(plain.key, plain.value, origin.__name__)
        if origin in (set, frozenset) and len(members) == 1:
            if not members[0].is_hashable:
                text = f"{members[0]} cannot be a set element; use int, str, bool, float or tuples"
                raise AnnotationError(text, node)
            return SetType(members[0]) if origin is set else FrozenSetType(members[0])
        if origin is typing.Optional and len(members) == 1:
            return optional(members[0])
        if origin is typing.Optional:
            shown = ", ".join(map(str, members))
            raise AnnotationError(f"Optional takes one type, got {len(members)}", node, f"write Union[{shown}, None]")
        if origin in (typing.Union, python_types.UnionType):
            return union(*members)
        if origin is typing.Final or name in ("Final", "Annotated", "ClassVar", "InitVar"):
            return members[0]
        if name in ("TypeGuard", "TypeIs"):
            return BOOL
        if origin is list or origin is dict:
            wanted = "one type" if origin is list else "two types"
            hint = f"write list[{' | '.join(map(str, members))}]" if origin is list else "write dict[key, value]"
            raise AnnotationError(f"{name} takes {wanted}, got {len(members)}", node, hint)
        raise AnnotationError(f"the annotation {name}[...] {_LATER}", node)

    def object(self, value: PyAny, node: syntax.Node | None) -> Type:
        value = getattr(value, "__tsm_annotates__", value)  # torch.LongTensor
        try:
            plain = _PLAIN.get(value)
        except TypeError:
            plain = None
        if plain is not None:
            return plain
        if isinstance(value, typing.TypeVar) and (known := self.module_type(value)) is not None:
            return known
        if leaves_open(value) or leaves_open(typing.get_origin(value)):
            return self.open_object(value, node)
        if hasattr(value, "__supertype__"):  # NewType
            return self.object(value.__supertype__, node)
        text = getattr(value, "__forward_arg__", value)
        if isinstance(text, str):
            return self.text(text, node)
        if value in (list, dict, typing.List, typing.Dict):  # noqa: UP006
            if not self.is_outer:
                raise OpenAnnotation(value.__name__, node)
            return ListType(ANY) if value in (list, typing.List) else DictType(STR, ANY)  # noqa: UP006
        if value in (tuple, set, frozenset, typing.Tuple, typing.Set) and not self.is_outer:  # noqa: UP006
            raise OpenAnnotation(value.__name__, node)
        if value in (tuple, typing.Tuple):  # noqa: UP006
            return TupleType((ANY,), True)
        if value in _BARE and not self.is_outer:
            raise OpenAnnotation(value.__name__, node)
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

    def open_object(self, value: PyAny, node: syntax.Node | None) -> Type:
        name = getattr(value, "__name__", None) or str(value).rpartition(".")[2]
        arguments = typing.get_args(value)
        if self.is_outer and arguments and name in _OUTER:
            return self.outer(name, [self.object(item, node) for item in arguments], node)
        raise OpenAnnotation(name, node)

    def outer(self, name: str, members: list[Type], node: syntax.Node | None) -> Type:
        """What an abstract container means at an entry point: sets only of what they can hold, a text if of texts."""
        is_hashable = members[0].is_hashable
        origins = [each for each in _OUTER[name] if is_hashable or each not in (set, frozenset) or name.endswith("Set")]
        texts = [STR] if tuple in origins and members[0] == STR else []
        return union(*texts, *(self.apply(each, each.__name__, members, each is tuple, node) for each in origins))

    def _alias(self, value: PyAny, origin: PyAny, node: syntax.Node | None) -> Type:
        arguments = typing.get_args(value)
        if origin is typing.Literal:
            return union(*(self.literal_type(item, node) for item in arguments))
        if isinstance(origin, type) and isinstance(getattr(origin, "__parameters__", None), tuple):
            found = self.module_type(Parametrised(origin, tuple(self.object(item, node) for item in arguments)))
            return self._refuse(origin, node) if found is None else found
        if takes_any_arguments(origin):
            return self.object(origin, node)
        is_open = len(arguments) == 2 and arguments[1] is Ellipsis
        if not arguments and origin in _BARE:
            raise AnnotationError(f"'{value}' needs its element type: write {_BARE[origin]}", node)
        is_first = is_open or origin is typing.Annotated
        members = [self.object(item, node) for item in (arguments[:1] if is_first else arguments)]
        return self.apply(origin, getattr(origin, "__name__", str(origin)), members, is_open, node)

    def _class(self, value: type, node: syntax.Node | None) -> Type:
        if value.__name__ in ("Tensor", "Parameter", "Buffer"):
            return TENSOR
        if value.__name__ in ("dtype", "DType"):
            return DTYPE
        if value is Device:
            return DEVICE
        found = self.module_type(value)
        if found is not None:
            return found
        if issubclass(value, BaseException):
            return EXCEPTION
        if typing.is_typeddict(value):
            return DictType(STR, ANY)
        if value is builtins.object:
            return ANY
        return self._refuse(value, node)

    def _refuse(self, value: PyAny, node: syntax.Node | None) -> Type:
        name = getattr(value, "__name__", None) or str(value)
        raise AnnotationError(
            f"'{name}' is not a type that scripts support; use Tensor, int, float, bool, str, None, "
            "list[...], dict[...], set[...], tuple[...], Optional[...] or Union[...]",
            node,
        )
