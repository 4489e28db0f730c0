"""Signatures: the types that annotations and type comments give a function's parameters and result.

In: function sources. Out: types by parameter name, and the declared result.
Holds: a parameter annotated with a module class takes its type from the module's structure instead.
"""

from __future__ import annotations

import types
import typing
from collections import abc
from collections.abc import Iterator

from ...ir.types import ANY, NONE, DictType, ListType, SetType, TupleType, Type, arms_of, optional, union
from ..core.typed import ERROR
from ..parser import parse, syntax
from ..parser.liveness import names_stored
from .annotations import AnnotationError, OpenAnnotation, type_comment_parts, type_of_annotation, type_of_object
from .class_facts import assigned_by, is_protocol, is_script_class, local_names
from .function_source import FunctionSource
from .modules import is_module


def signature_types(source: FunctionSource, report: object) -> tuple[dict[str, Type], Type | None]:
    """Types of the annotated parameters and of the result. `report(node, message, hint)` gets bad annotations."""
    found: dict[str, Type] = {}
    declared: Type | None = None
    if source.has_overloads or is_overloaded(source.python):
        return found, declared

    def read(node: syntax.Node | None, name: str = "") -> Type | None:
        if node is None:
            return None
        try:
            return type_of_annotation(node, source.lookup, source.class_type)
        except OpenAnnotation:
            return None
        except AnnotationError as error:
            evaluated = type_as_evaluated(source, name)
            if evaluated is None and callable(report):
                report(error.node or node, str(error), error.hint)
            return evaluated or ERROR

    for param in source.params:
        annotation = param.annotation
        if annotation is None and param.type_comment is not None:
            annotation = syntax.Constant(param.span, param.type_comment)
        if annotation is not None and any(
            test(annotation, source) for test in STATIC_ANNOTATIONS
        ):
            continue
        if source.name == "__exit__" and param in source.params[1:4]:
            continue  # what a with statement gives it: None, or the exception
        kind = read(annotation, param.arg)
        if kind is not None:
            has_none = source.defaults.get(param.arg, ...) is None  # what such a default says of itself
            found[param.arg] = optional(kind) if has_none and kind != ERROR else kind
    for starred in (source.node.args.vararg, source.node.args.kwarg):
        if starred is None or starred.annotation is not None and any(
            test(starred.annotation, source) for test in STATIC_ANNOTATIONS
        ):
            continue
        kind = read(starred.annotation)
        if kind is not None:
            found[starred.arg] = kind  # of each value
    if source.node.returns is not None and not is_callable_annotation(source.node.returns, source):
        declared = read(source.node.returns, "return")
    if source.node.type_comment is not None and (parts := type_comment_parts(source.node.type_comment)):
        texts, result = parts
        params = source.params[-len(texts) :] if texts else []
        for param, text in zip(params, texts):
            kind = read(syntax.Constant(param.span, text))
            if kind is not None:
                found[param.arg] = kind
        declared = read(syntax.Constant(source.node.span, result)) if result else declared
    return found, declared if source.refined_result is None else source.refined_result


def type_as_evaluated(source: FunctionSource, name: str) -> Type | None:
    """What Python made of an annotation when it defined the function, whose names are out of reach now; None if
    nothing."""
    value = getattr(source.python, "__annotations__", {}).get(name)
    if value is None or isinstance(value, str):
        return None
    try:
        return type_of_object(value, source.class_type, source.lookup)
    except AnnotationError:
        return None


def annotation_of(param: syntax.arg, source: FunctionSource) -> syntax.Node | None:
    """A parameter's annotation, or what stands for it in a type comment."""
    if param.annotation is not None or param.type_comment is not None:
        return param.annotation or syntax.Constant(param.span, param.type_comment)
    parts = type_comment_parts(source.node.type_comment) if source.node.type_comment is not None else None
    texts = parts[0] if parts is not None else []
    place = source.params.index(param) - len(source.params) + len(texts) if param in source.params else -1
    return syntax.Constant(param.span, texts[place]) if 0 <= place < len(texts) else None


def is_overloaded(python: object) -> bool:
    """Whether `torch.jit._overload` gave a function signatures: its own annotations are those of one of them."""
    scope = getattr(python, "__globals__", {})
    return getattr(python, "__qualname__", "") in scope.get("__tsm_overloads__", ())


def is_open_annotation(annotation: syntax.Node, source: FunctionSource) -> bool:
    """`object`, a protocol, or Final alone: the type is that of the argument or value, and its uses are checked."""
    value = named_object(annotation, source)
    return value is object or value is typing.Final or is_protocol(value)


def is_callable_annotation(annotation: syntax.Node, source: FunctionSource) -> bool:
    """`Callable[[int], int]`: a function, known when compiling, or a call of which says what it gives."""
    node: syntax.Node = annotation
    if isinstance(node, syntax.Constant) and isinstance(node.value, str):
        return node.value.partition("[")[0].rpartition(".")[2] == "Callable"
    if isinstance(node, syntax.Subscript):
        node = node.value
    return named_object(node, source) in (typing.Callable, abc.Callable, callable)


def is_left_open(annotation: syntax.Node, source: FunctionSource) -> bool:
    """Whether a part of an annotation leaves open what a value is: Callable, Sequence, a type variable."""
    try:
        type_of_annotation(annotation, source.lookup, source.class_type)
    except OpenAnnotation:
        return True
    except AnnotationError:
        return False
    return False


def is_resident_annotation(annotation: syntax.Node | None, source: FunctionSource) -> bool:
    """`tsm.List[int]`, `tsm.Dict[str, int]`: a container that the program and its caller may both keep."""
    if annotation is None:
        return False
    written = unquoted(annotation)
    node = written.value if isinstance(written, syntax.Subscript) else written
    return hasattr(named_object(node, source), "__tsm_resident__")


def mentions_callable(annotation: syntax.Node, source: FunctionSource) -> bool:
    """Whether `Callable` stands in an annotation: `list[Callable[[int], int]]`."""
    names = {node.id if isinstance(node, syntax.Name) else node.attr for node in syntax.walk(annotation)
             if isinstance(node, (syntax.Name, syntax.Attribute))}
    return "Callable" in names or is_callable_annotation(annotation, source)


def outer_type(annotation: syntax.Node, source: FunctionSource) -> Type | None:
    """What an open annotation means at an entry point; None if it is not open, or open there, too."""
    if named_object(annotation, source) is object:
        return ANY
    if not is_left_open(annotation, source):
        return None
    try:
        return type_of_annotation(annotation, source.lookup, source.class_type, is_outer=True)
    except AnnotationError:
        return None


def outer_error(annotation: syntax.Node, source: FunctionSource) -> str | None:
    """What is missing in an annotation at an entry point, where that is not just a class; else None."""
    try:
        type_of_annotation(annotation, source.lookup, source.class_type, is_outer=True)
    except OpenAnnotation:
        return None
    except AnnotationError as error:
        return str(error)
    return None


def is_module_annotation(annotation: syntax.Node, source: FunctionSource) -> bool:
    """`self: Net`, `net: nn.Module`, `net: Optional[nn.Linear]`: the module's structure decides its type, not the
    annotation."""
    value = named_object(optional_part(annotation, source) or annotation, source)
    return isinstance(value, type) and "forward" in dir(value) and not is_script_class(value) and not is_module(value)


def optional_part(annotation: syntax.Node, source: FunctionSource) -> syntax.Node | None:
    """What may be None by an annotation, if it is a single type."""
    annotation = unquoted(annotation)
    if isinstance(annotation, syntax.Subscript) and named_object(annotation.value, source) is typing.Optional:
        return annotation.slice
    if isinstance(annotation, syntax.BinOp) and annotation.op == "|":
        sides = (annotation.left, annotation.right)
        others = [side for side in sides if not (isinstance(side, syntax.Constant) and side.value is None)]
        return others[0] if len(others) == 1 else None
    return None


def unquoted(annotation: syntax.Node) -> syntax.Node:
    """An annotation as a tree, also one that is written as a string; what is no expression stays as it is."""
    if not isinstance(annotation, syntax.Constant) or not isinstance(annotation.value, str):
        return annotation
    span = annotation.span
    try:
        return parse.parse_expression(annotation.value, span.file, span.line, span.column)
    except Exception:
        return annotation


def named_object(annotation: syntax.Node, source: FunctionSource) -> object:
    """The Python object that an annotation names, if it is a name with attributes."""
    node = unquoted(annotation)
    names: list[str] = []
    while isinstance(node, syntax.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, syntax.Name):
        return None
    try:
        value = source.lookup(node.id)
        for name in reversed(names):
            value = getattr(value, name)
    except (KeyError, AttributeError):
        return None
    return value


def passed_on(source: FunctionSource, attribute: str) -> Type | None:
    """The type of the annotated parameter that a method assigns to an attribute of its first one, as it was passed."""
    params = {param.arg for param in source.params[1:] if param.annotation is not None} - names_stored(source.node.body)
    for node in source.node.body:
        if not (isinstance(node, syntax.Assign) and isinstance(node.value, syntax.Name)):
            continue
        if node.value.id in params and attribute in assigned_by(node, source.params[0].arg, source.owner):
            kind = signature_types(source, None)[0].get(node.value.id)
            return kind if kind != ERROR else None
    return None


def variables_told(annotation: syntax.Node, kind: Type, source: FunctionSource) -> Iterator[tuple[object, Type]]:
    """The type variables of an annotation, `K` of `dict[K, list[V]]`, beside what they are in a value's type."""
    annotation = unquoted(annotation)
    arms = [arm for arm in arms_of(kind) if arm != NONE]
    if isinstance(annotation, syntax.Name):
        yield named_object(annotation, source), kind
    elif isinstance(annotation, syntax.BinOp) and arms:
        for side in (annotation.left, annotation.right):
            yield from variables_told(side, union(*arms), source)
    elif isinstance(annotation, syntax.Subscript) and arms:
        inside = annotation.slice.elts if isinstance(annotation.slice, syntax.Tuple) else [annotation.slice]
        if named_object(annotation.value, source) is typing.Optional:
            yield from variables_told(inside[0], union(*arms), source)
        elif isinstance(kind, (ListType, DictType, SetType, TupleType)):
            for node, member in zip(inside, kind.members):
                yield from variables_told(node, member, source)


def variables_told_by_hint(hint: object, kind: Type) -> Iterator[tuple[object, Type]]:
    """The same of an annotation as Python evaluated it."""
    arms = [arm for arm in arms_of(kind) if arm != NONE]
    if isinstance(hint, typing.TypeVar):
        yield hint, kind
    elif typing.get_origin(hint) in (typing.Union, types.UnionType) and arms:
        for each in typing.get_args(hint):
            yield from variables_told_by_hint(each, union(*arms))
    elif isinstance(kind, (ListType, DictType, SetType, TupleType)):
        for each, member in zip(typing.get_args(hint), kind.members):
            yield from variables_told_by_hint(each, member)


def hints_of_fields(python: type) -> dict[str, object]:
    """The annotations in the body of a class, evaluated; none of them if one cannot be."""
    try:
        return typing.get_type_hints(python, localns=local_names(python))
    except (NameError, TypeError, SyntaxError, AttributeError):
        return {}


STATIC_ANNOTATIONS = (is_module_annotation, is_open_annotation, is_callable_annotation)


def origin(source: FunctionSource, name: str, is_entry: bool, has_examples: bool = False) -> str:
    """Where a parameter's type comes from."""
    param = next(each for each in source.all_params if each.arg == name)
    if source.owner is not None and source.params and source.params[0] is param:
        return "the object whose method it is"
    if param.annotation is not None:
        return f"annotated on line {param.annotation.span.line}"
    if param.type_comment is not None or source.node.type_comment is not None:
        return "from the type comment"
    if not is_entry:
        return "from the call's argument"
    if source.name == "__setstate__" and source.owner is not None:
        return "what __getstate__ gives, else a Tensor"
    if source.defaults.get(name) is not None:
        return f"from its default, {source.defaults[name]!r}"
    return "from example_inputs" if has_examples else "no annotation, so a Tensor"
