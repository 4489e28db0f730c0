"""Inference of calls: scripted functions and methods, submodules, operators.

In: call expressions. Out: invocations of specialisations and operator rows.
Holds: arguments are evaluated in the order written and bound to parameters as Python binds them.
"""

from __future__ import annotations

import collections
from collections.abc import Sequence

from ....binding.device import Device
from ....binding.dispatch import extensions
from ....ir.operators import spelled as rows_spelled
from ....ir.types import ANY, INT, STR, DictType, ListType, Type, arms_of
from ...compilation.specialise import TooManySpecialisations
from ...core.denotations import (
    ArmsDenotation,
    BuiltinDenotation,
    ClassDenotation,
    ClosureDenotation,
    ContainerDenotation,
    Denotation,
    FieldsDenotation,
    FunctionDenotation,
    GraphDenotation,
    IteratorDenotation,
    KeywordsDenotation,
    MethodDenotation,
    OperatorDenotation,
    RangeDenotation,
    SliceDenotation,
    SpecialDenotation,
    TypeDenotation,
    UnionMethodDenotation,
    ViewDenotation,
)
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Const,
    Expr,
    Invoke,
    Let,
    ReadTemp,
    Static,
    Temp,
    after,
    is_silent,
)
from ...objects.class_facts import (
    is_enum,
    is_instance,
    is_module_class,
    is_named_tuple,
    is_script_class,
    is_typed_dict,
)
from ...objects.class_sources import is_missing
from ...objects.exception_classes import is_builtin_exception
from ...objects.function_source import FunctionSource, calls_itself
from ...objects.library_refusals import library_refusal
from ...objects.signatures import signature_types
from ...parser import syntax
from ...parser.ownership import only_reads
from ...parser.syntax import Span
from ..base import InferenceBase
from ..collection_types import DICT_PYTHON
from ..finer_types import argument_type
from ..iteration import NotIterable
from ..joined_types import asked_of
from ..parts import Named
from .arguments import is_unpacking
from .spreads import OWN_NAMES, OWN_STARS


class CallInference(InferenceBase):
    """Calls."""

    def _Call(self, node: syntax.Call, want: Type | None) -> Expr:
        if isinstance(node.func, syntax.Attribute) and node.func.attr == "fromkeys":
            owner = node.func.value
            if isinstance(owner, syntax.Name) and owner.id == "dict" and self.is_builtin(owner, "dict"):
                return self.call_fromkeys(node, want)
            if (made := self.call_fromkeys_of_class(node, owner, want)) is not None:
                return made
        if isinstance(node.func, syntax.Subscript) and (made := self.call_alias(node, node.func)) is not None:
            return made
        callee = self.expr(node.func)
        if isinstance(callee, Static):
            try:
                node, callee = self.library_call(node, callee)
            except NotIterable:
                return Const(ERROR, node.span, None)
        if isinstance(callee, Static) and callee.before:
            return after(callee.before, self.call_of(node, Static(STATIC, callee.span, callee.denotation), want))
        return self.call_of(node, callee, want)

    def call_alias(self, node: syntax.Call, alias: syntax.Subscript) -> Expr | None:
        """`list[int](...)`, `deque[int](...)`: a container whose type is written out; None for anything else."""
        name = alias.value
        if (python := self.collection_outside(name)) is not None:
            kind = self.annotation(alias)
            return Const(ERROR, node.span, None) if kind is None else self.call_class(
                node, ClassDenotation(python), kind)
        if not (isinstance(name, syntax.Name) and name.id in CONTAINERS and self.is_builtin(name, name.id)):
            return None
        kind = self.annotation(alias)
        return Const(ERROR, node.span, None) if kind is None else self.call_builtin(node, name.id, kind)

    def call_of(self, node: syntax.Call, callee: Expr, want: Type | None) -> Expr:
        if is_silent(callee):
            return self.silent(node.span, [callee])
        if not isinstance(callee, Static):
            return self.call_object(node, callee)
        denotation = callee.denotation
        if node.keywords and (made := self.call_into(node, callee)) is not None:
            return made
        if is_spread(node, denotation):
            if isinstance(denotation, OperatorDenotation) and is_size(node, denotation):
                whole = syntax.List(node.span, [*node.args])
                return self.call_operator(syntax.Call(node.span, node.func, [whole], node.keywords), denotation)
            own = self.call_set_spread(node, denotation) or self.call_bounds_spread(node, denotation) or (
                self.call_dict_spread(node, denotation, want))
            return own or self.call_spread(node, denotation)
        if isinstance(denotation, ContainerDenotation) and is_instance(denotation.python):
            return self.call_object(node, self.opened(callee))
        if isinstance(denotation, BuiltinDenotation):
            name = denotation.name
            return self.called_or_left(node, denotation, lambda: self.call_builtin(node, name, want))
        if isinstance(denotation, FunctionDenotation):
            return self.call_source(node, denotation.source, [], None, want)
        if isinstance(denotation, ClosureDenotation):
            return self.call_source(node, denotation.source, [], denotation, want)
        if isinstance(denotation, MethodDenotation):
            if (done := self.call_deque_method(node, denotation)) is not None:
                return done
            view = self.container_view(node, denotation)
            return view or self.call_source(node, denotation.source, [denotation.receiver], None, want)
        if isinstance(denotation, ArmsDenotation):
            return self.call_arms(node, denotation)
        if isinstance(denotation, UnionMethodDenotation):
            is_any = resolve(denotation.receiver.type) == ANY
            return self.call_of_any(node, denotation) if is_any else self.call_of_union(node, denotation)
        if isinstance(denotation, FieldsDenotation):
            return self.call_fields(node, denotation)
        if isinstance(denotation, OperatorDenotation):
            operator = denotation
            return self.called_or_left(node, denotation, lambda: self.call_operator(node, operator))
        if isinstance(denotation, SpecialDenotation):
            if denotation.name == "tolist":
                return self.call_tolist(node, denotation, want)
            return self.call_special(node, denotation)
        if isinstance(denotation, GraphDenotation):
            return self.call_graph(node, denotation)
        if isinstance(denotation, ClassDenotation):
            return self.call_class(node, denotation, want)
        if isinstance(denotation, TypeDenotation) and (made := self.make_of_type(node, denotation)) is not None:
            return made
        if isinstance(denotation, ViewDenotation):
            if node.args:
                return self.error(node, f"{denotation.view}() takes no arguments")
            return Static(STATIC, callee.span, ViewDenotation(denotation.receiver, denotation.view), callee.before)
        return self.error(node.func, *denotation.refusal(f"{denotation.describe()} cannot be called in scripts"))

    def call_class(self, node: syntax.Call, denotation: ClassDenotation, want: Type | None = None) -> Expr:
        python = denotation.python
        name = getattr(python, "__name__", str(python))
        if python is collections.deque:
            return self.make_deque(node, want)
        if python in DICT_PYTHON:
            return self.make_dict_class(node, DICT_PYTHON[python], want)
        if is_enum(python):
            return self.find_member(node, python)
        if is_named_tuple(python):
            return self.make_named_tuple(node, python)
        if is_script_class(python):
            arms = arms_of(resolve(want)) if want is not None and not denotation.arguments else ()
            known = [self.session.classes.of(arm) for arm in arms]
            found = [info for info in known if info is not None and info.python is python]
            wanted = found[0] if len(found) == 1 else None
            if wanted is not None:
                return self.construct(node, python, wanted.arguments)
            return self.construct(node, python, denotation.arguments or self.arguments_of_class(node, python))
        if is_builtin_exception(python):
            return self.make_exception(node, python)
        if is_typed_dict(python):
            return self.call_builtin(node, "dict", DictType(STR, ANY))
        if python is Device:
            return self.make_device(node)
        if isinstance(python, type) and python.__name__ == "Tensor":
            return self.call_source(node, self.session.source(extensions["tsm.Tensor"]), [])
        if is_module_class(python) and (made := self.made_module(node, python)) is not None:
            return made
        if is_module_class(python):
            return self.error(node, f"a script cannot make modules: '{name}(...)' is made once, outside",
                              f"make it in __init__: self.layer = {name}(...), and call self.layer(...) here")
        if isinstance(python, type) and python.__module__ == "contextlib":
            return self.refuse_library_class(node, python)
        refused = library_refusal(python)
        if refused is not None:
            return self.error(node, *refused)
        hint = "pass its parts as a tuple"
        if hasattr(python, "__tsm_resident__"):
            hint = "write a display, as [1, 2] or {}: all containers of a script live in the runtime"
        return self.error(node, f"instances of '{name}' cannot be made in scripts", hint)

    def call_source(
        self, node: syntax.Call, source: FunctionSource, receiver: list[Expr],
        closure: ClosureDenotation | None = None, want: Type | None = None,
    ) -> Expr:
        marked = self.marked_call(node, source, receiver)
        if marked is not None:
            return marked
        if source.is_manager:
            return self.refuse_manager(node, source)
        if source.is_generator:
            return self.stored_iterator(node)
        if receiver and (entered := self.entered_generator(node, source, receiver[0])) is not None:
            return entered
        with self.collect() as before:
            given = self.arguments_of(node, source, receiver)
            if given is None:
                return Const(ERROR, node.span, None)
            result = self.invoke_source(node.span, source, *given, closure, node, want)
        return after(before, result)

    def param_types(self, source: FunctionSource) -> dict[str, Type]:
        """Annotated parameters' types; the annotations are reported where the function is compiled."""
        found, _result = signature_types(source, None)
        return found

    def invoke_source(
        self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named,
        closure: ClosureDenotation | None = None, node: syntax.Node | None = None, want: Type | None = None,
    ) -> Expr:
        written = [*values, *(value for _, value in named)]
        if self.env is None and is_silent(*written):  # nothing can be bound; the first that raises has still to run
            return self.silent(span, written)
        bound = self.bind(span, source, values, named, closure, self.chosen_calls.is_choice or self.is_left(span))
        if bound is None:
            return self.failed_call(span, written)
        if is_silent(*written):
            return self.silent(span, written)
        is_recursive = closure is not None and self.is_recursive(closure)
        if not source.is_ignored and any(map(belongs_here, bound.values())) and self.is_repeated(source, closure):
            bound = {name: self.handed_on(value) for name, value in bound.items()}
            if is_silent(*bound.values()):
                return self.silent(span, list(bound.values()))
        if not source.is_ignored and (
            (closure is not None and not is_recursive) or any(map(belongs_here, bound.values()))
        ):
            if source.is_cached:
                return self.error(span, f"'{source.name}' is wrapped by a cache of functools, and is given a function",
                                  "take the decorator away")
            return self.inline(span, source, bound, written, closure, node or source.node)
        choice = self.by_flags(span, source, bound)
        if choice is None:
            return Const(ERROR, span, None)
        source, bound = choice
        hints, declared = signature_types(source, None)
        self.library_arguments(source, hints, bound)
        operands: dict[str, Expr] = {}
        for name, value in bound.items():
            is_declared = name in hints and any(name == param.arg for param in source.params)
            if is_declared and not isinstance(value, Static):
                hint = argument_type(hints[name], value)
                if resolve(value.type) == ANY and only_reads(source.node, name):
                    value = self.plain_of_any(node or source.node, value, hint)
                given, value = value, self.argument_at(value, hint, f"argument '{name}' of '{source.name}'")
                if value.type == NEVER != given.type:
                    return self.silent(span, [*(each for each in operands.values() if each.type != STATIC), value])
            elif is_declared and isinstance(value, Static) and not is_missing(value.denotation):
                text = f"argument '{name}' of '{source.name}' must be {hints[name]}, got {describe(value)}"
                return self.error(value, text)
            operands[name] = value
        if any(value.type == ERROR for value in operands.values()):
            return Const(ERROR, span, None)
        if closure is not None:
            return self.call_recursive(span, closure, operands, declared)
        mark = self.reporter.mark()
        result = self.request(span, source, operands, written, bound, declared, want)
        if isinstance(result, Invoke) and result.callee.gives_function:
            self.reporter.rewind(mark)
            if calls_itself(source) or source in self.session.recursive:
                return self.request_stored(span, source, operands, declared)
            return self.inline(span, source, bound, written, None, node or source.node)
        return result

    def argument_at(self, value: Expr, declared: Type, what: str) -> Expr:
        """An argument at its declared type; where one of several classes is called, the run finds out (D2)."""
        mark = self.reporter.mark()
        found = self.coerce(value, declared, what)
        if found.type != ERROR or not self.chosen_calls.is_choice or is_silent(value):
            return found
        self.reporter.rewind(mark)
        return self.raise_error(value.span, "TypeError", f"{what} must be {declared}, got {describe(value)}")

    def is_repeated(self, source: FunctionSource, closure: ClosureDenotation | None) -> bool:
        """Whether a body is being typed inside itself."""
        return (source, closure and closure.outer) in (*self.frame.callers, (self.source, self.frame.outer))

    def handed_on(self, value: Expr) -> Expr:
        """A function with variables of this one, as a value that a function which calls itself can take."""
        if not isinstance(value, Static) or not isinstance(value.denotation, HANDED_ON) or not belongs_here(value):
            return value
        made = self.reify(value)
        return value if made is None else self.hold(made)

    def request(
        self, span: Span, source: FunctionSource, operands: dict[str, Expr], written: list[Expr],
        bound: dict[str, Expr], declared: Type | None, want: Type | None = None,
    ) -> Expr:
        arguments: list[Expr | Type] = []
        operands = self.ended_arguments(source, operands)
        for value in operands.values():
            if isinstance(value, Static):
                arguments.append(value)
            else:
                arguments.append(resolve(value.type))
        self.session.specialiser.site = span
        try:
            callee = self.session.specialiser.request(
                source, tuple(arguments), declared, is_chosen=self.is_left(span))
            if want is not None and declared is None and (asked := asked_of(callee.result, want)) is not None:
                callee = self.session.specialiser.request(source, tuple(arguments), None, asked=asked)
        except TooManySpecialisations as error:
            return self.error(span, error.message, error.hint)
        self.here.forget_all_paths()
        kind = resolve(callee.result)
        run = [value for value in operands.values() if not isinstance(value, Static)]
        if callee.wanted:
            self.learn_arguments(callee, run)
        places = [next((i for i, w in enumerate(written) if w is bound[name]), -1) for name in operands
                  if not isinstance(operands[name], Static)]
        given = [place for place in places if place >= 0]
        if given == sorted(given):
            return Invoke(kind, span, callee, run)
        temps = {place: Temp() for place in given}
        body_operands = [
            value if place < 0 else ReadTemp(value.type, value.span, temps[place]) for place, value in zip(places, run)
        ]
        body: Expr = Invoke(kind, span, callee, body_operands)
        for place, value in sorted(zip(places, run), key=lambda pair: -pair[0]):
            if place >= 0:
                body = Let(kind, span, temps[place], value, body)
        return body


def is_spread(node: syntax.Call, denotation: Denotation) -> bool:
    """Whether it is a call of a builtin or an operator with stars that stand for single arguments."""
    if not isinstance(denotation, (BuiltinDenotation, OperatorDenotation)):
        return False
    name = denotation.name if isinstance(denotation, BuiltinDenotation) else denotation.spelling
    has_names = any(keyword.arg is None for keyword in node.keywords)
    return is_unpacking(node) and (name not in OWN_STARS or has_names and name not in OWN_NAMES)


def is_size(node: syntax.Call, denotation: OperatorDenotation) -> bool:
    """Whether the arguments are the ints of one list, among which an iterable of any length is spread:
    `x.view(*x.shape[:-1], 2, 3)`."""
    place = 0 if denotation.receiver is None else 1
    spread = [each.value for each in node.args if isinstance(each, syntax.Starred)]
    displays = [isinstance(value, (syntax.List, syntax.Tuple)) for value in spread]
    return bool(displays) and not any(displays) and any(
        len(row.schema.params) > place and row.schema.params[place].type == ListType(INT)
        for row in rows_spelled(denotation.spelling)
    )


CONTAINERS = ("list", "dict", "set", "frozenset", "tuple")
HANDED_ON = (ClosureDenotation, MethodDenotation, OperatorDenotation, RangeDenotation, IteratorDenotation)
HERE = (
    ClosureDenotation, MethodDenotation, KeywordsDenotation, IteratorDenotation, RangeDenotation, SliceDenotation,
    ViewDenotation,
)


def belongs_here(value: Expr) -> bool:
    """Whether an argument is known when compiling but uses variables of the caller."""
    if not isinstance(value, Static):
        return False
    denotation = value.denotation
    if isinstance(denotation, OperatorDenotation):
        return denotation.receiver is not None
    return bool(value.before) or isinstance(denotation, HERE)
