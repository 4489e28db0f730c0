"""Inference of calls of library functions that are written as scripts: the package's own of tensors, and Python's.

In: methods of a Tensor and spellings of operators that no row takes; functions of itertools and their like; arguments
of such functions. Out: calls of them.
Holds: arguments convert as an operator's do: a tuple stands for a list. A flag that says what the result is must be a
constant, and chooses the function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any as PyAny

from ....binding.dispatch import extensions, takes
from ....ir.operators import Operator
from ....ir.types import ANY, BOOL, NONE, TENSOR, ListType, TupleType, Type, arms_of, is_shape
from ...compilation.frames import MARK
from ...core.conversions import convert, once
from ...core.denotations import BuiltinDenotation, FunctionDenotation, MethodDenotation
from ...core.matcher import NoMatch, list_of_tuple, match
from ...core.placeholders import resolve
from ...core.tensor_tuples import listed
from ...core.typed import ERROR, STATIC, Const, Expr, MakeList, Static, TupleItem, is_silent
from ...objects.function_source import FunctionSource
from ...objects.library_sources import WrongCall, library_call
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import containers as prelude
from ..base import InferenceBase
from ..parts import Named


def wants_sequence(function: Callable[..., PyAny]) -> bool:
    """Whether a function's first argument is a list or a tuple of whatever."""
    return next(iter(function.__annotations__.values()), None) == "Sequence"


class LibraryInference(InferenceBase):
    """The package's own functions."""

    def library_method(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        """A method of Tensor, or of a shape, that is written as a script."""
        kind = resolve(owner.type)
        function = extensions.get(f".{name}") if kind == TENSOR else None
        if is_shape(kind) and name == "numel":
            function = prelude.shape_numel
        if function is None:
            return None
        return Static(STATIC, node.span, MethodDenotation(self.session.source(function), owner))

    def extended(
        self, node: syntax.Call, spelling: str, values: Sequence[Expr], named: Named, rows: Sequence[Operator]
    ) -> Expr | None:
        """The call of the function that takes what no row of a spelling takes."""
        function = extensions.get(spelling)
        if function is None or is_silent(*values, *(value for _, value in named)):
            return None
        values = [self.plain_items(value) for value in values]
        named = [(name, self.plain_items(value)) for name, value in named]
        everything = [*values, *(value for _, value in named)]
        if not takes(function, list(values), dict(named)):
            return None
        if wants_sequence(function) and values and not isinstance(resolve(values[0].type), (ListType, TupleType)):
            return None
        try:
            match(spelling, values, named, rows)
        except NoMatch:
            return self.invoke_source(node.span, self.session.source(function), values, named)
        unknown = next((value for value in everything if resolve(value.type) == ANY), None)
        if unknown is not None:
            return self.error(unknown, "what an Any holds must be tested first", "declare its type")
        return None

    def library_call(self, node: syntax.Call, callee: Static) -> tuple[syntax.Call, Static]:
        """A call of a function of Python's library as one of its script; any other call as it is. NotIterable after
        reporting."""
        denotation = callee.denotation
        if not isinstance(denotation, BuiltinDenotation):
            return node, callee
        made = self.session.library_calls.get(node)
        if made is None:
            try:
                chosen = library_call(denotation.name, node)
            except WrongCall as error:
                self.error(node, f"{error}", error.hint)
                self.give_up()
            if chosen is None:
                return node, callee
            name = f"{MARK}library.{denotation.name}"
            source = self.session.library_source(chosen)
            args = [*chosen.args]
            for i in range(chosen.wholes):
                args[i] = syntax.Call(args[i].span, self.builtin_name(args[i].span, "tuple"), [args[i]], [])
            call = syntax.Call(node.span, syntax.Name(node.span, name), args, chosen.keywords)
            made = self.session.library_calls[node] = call, source
        call, source = made
        assert isinstance(call.func, syntax.Name)
        found = FunctionDenotation(source)
        self.builtin_name(node.span, "tuple")
        self.here.store(call.func.id, STATIC, found)
        return call, Static(STATIC, node.span, found, callee.before)

    def library_arguments(self, source: FunctionSource, hints: Mapping[str, Type], bound: dict[str, Expr]) -> None:
        """Tuples for parameters that are lists, made lists."""
        if not is_own(source):
            return
        for name, kind in hints.items():
            if name in bound and not isinstance(bound[name], Static):
                bound[name] = as_list(self.as_numbers(bound[name], kind), kind)

    def by_flags(
        self, span: Span, source: FunctionSource, bound: dict[str, Expr]
    ) -> tuple[FunctionSource, dict[str, Expr]] | None:
        """The function that constant flags choose, and its arguments; None after reporting."""
        choices: dict[str, Callable[..., PyAny]] | None = getattr(source.python, "__tsm_choices__", None)
        if not choices or not is_own(source):
            return source, bound
        flags = {name for names in choices for name in flags_of(names)}
        for name in flags:
            value = bound[name]
            if not isinstance(value, Const) or value.type not in (BOOL, NONE):
                if value.type != ERROR:
                    self.error(value, f"'{name}' says what {source.name}() returns: it must be True or False itself")
                return None
        given = {name for name in flags if getattr(bound[name], "value", False)}
        rest = {name: value for name, value in bound.items() if name not in flags}
        for names, function in choices.items():
            if flags_of(names) == given:
                return self.session.source(function), rest
        raise AssertionError(f"{source.name} has no choice for {sorted(given)}")


def flags_of(names: str) -> set[str]:
    """The flags in "a__b"; "neither" is none."""
    return set() if names == "neither" else set(names.split("__"))


def is_own(source: FunctionSource) -> bool:
    """Whether a function is of this package, or defined in one that is."""
    home = getattr(source.python, "__module__", None)
    return isinstance(home, str) and home.partition(".")[0] == __name__.partition(".")[0]


def as_list(value: Expr, kind: Type) -> Expr:
    """A tuple as a new list, where a list is meant."""
    given = resolve(value.type)
    lists = [arm for arm in arms_of(resolve(kind)) if isinstance(arm, ListType)]
    if len(lists) != 1 or not isinstance(given, TupleType) or given in arms_of(resolve(kind)):
        return value
    if given.is_variadic:
        return listed(value, given.elements[0])
    if not given.elements:
        return MakeList(lists[0], value.span, [])
    return once(value, lambda whole: list_of(whole, given, lists[0]))


def list_of(whole: Expr, given: TupleType, wanted: ListType) -> Expr:
    """The elements of a tuple as a list, converted to its element type."""
    items = [TupleItem(element, whole.span, whole, i) for i, element in enumerate(given.elements)]
    converted = [convert(item, wanted.element) for item in items]
    if None in converted:
        return list_of_tuple(whole, given)
    return MakeList(wanted, whole.span, [pair[0] for pair in converted if pair is not None])
