"""Inference of generators as values: what makes them, asks them for items, and makes iterators of other kinds such.

In: calls of generator functions, generator expressions, zip, map and their like where a value is wanted. Out: instances
of generator classes, and calls of the function that goes on with one.
Holds: nothing of a generator runs before it is asked for; one that is kept has no clean-up to run if it is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import DictType, SetType, Type
from ...compilation.frames import MARK
from ...compilation.specialise import TooManySpecialisations
from ...core.conversions import convert
from ...core.denotations import (
    ClosureDenotation,
    Denotation,
    IteratorDenotation,
    RangeDenotation,
    ViewDenotation,
)
from ...core.generator_values import (
    IS_RUNNING,
    IS_THROWN,
    ITEM,
    RESULT,
    RUNNING,
    STATE,
    GeneratorInfo,
    given_name,
)
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Const,
    Do,
    Expr,
    GetAttribute,
    Let,
    MakeObject,
    ReadTemp,
    Recast,
    SetAttribute,
    Static,
    Stmt,
    Suspend,
    Temp,
    after,
    boolean,
    is_silent,
)
from ...objects.function_source import FunctionSource, own_nodes
from ...objects.signatures import signature_types
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import iterators as prelude_iterators
from ..base import InferenceBase
from ..functions.calls import belongs_here
from ..functions.frames import is_yield_guarded
from ..iteration import End, Iteration, Push
from ..parts import Named
from .union_iteration import UnionIteration

TRY = "a 'try' with 'finally'"
ITEMS = "0items"  # the parameter of a generator expression, which no name of a script can be


class ResumableInference(InferenceBase):
    """Generators as values."""

    # Inside one

    def suspend(self, value: Expr, is_guarded: bool) -> Expr | None:
        """A yield in the body of a generator that is a value; what it gives, None if nothing."""
        info = self.spec.generator
        assert info is not None
        value = self.valued(value)
        if value.type == NEVER:
            self.evaluate(value)
            return None
        if self.env is None:
            return None
        fitted = None if info.ended is None else convert(value, info.ended)
        value = value if fitted is None else fitted[0]
        info.items.append(value.type)
        self.emit(Suspend(value.span, value))
        self.here.forget_all_paths()
        return self.received(value.span)

    # Making one

    def generator_object(
        self, span: Span, source: FunctionSource, bound: dict[str, Expr], closure: ClosureDenotation | None = None,
        taken: dict[str, Expr] | None = None, is_owned: bool = False,
    ) -> Expr:
        """A call of a generator function, with its arguments bound, as a value. `taken`: what a stored one captured;
        `is_owned`: something closes it when it is dropped."""
        if source.is_manager:
            return self.refuse_manager(span, source)
        refused = next((node for node in own_nodes(source.node) if is_cleaning(node)), None)
        if refused is not None and not is_owned:
            return self.refuse_clean_up(span, source, "a 'with'" if isinstance(refused, syntax.With) else TRY)
        taken = self.taken_by(span, closure) if taken is None else taken
        if taken is None:
            return Const(ERROR, span, None)
        hints, _result = signature_types(source, None)
        operands: list[Expr] = []
        for name, value in bound.items():
            if isinstance(value, Static):
                value = self.given(value)
            elif name in hints and any(name == param.arg for param in source.params):
                value = self.coerce(value, hints[name], f"argument '{name}' of '{source.name}'")
            operands.append(value)
        operands = list(self.ended_arguments(source, dict(zip(bound, operands))).values())
        if is_silent(*operands):
            return self.silent(span, operands)
        around: dict[str, Expr | Type] = {k: v if isinstance(v, Static) else v.type for k, v in taken.items()}
        arguments = tuple(v if isinstance(v, Static) else resolve(v.type) for v in operands)
        self.session.specialiser.site = span
        try:
            spec = self.session.specialiser.request(source, arguments, None, closure, around or None, is_stored=True)
        except TooManySpecialisations as error:
            return self.error(span, error.message, error.hint)
        assert spec.generator is not None
        if spec.generator.uses.cleans_up and not is_owned:
            return self.refuse_clean_up(span, source, TRY)
        run = [value for value in (*operands, *taken.values()) if not isinstance(value, Static)]
        return self.waiting(span, spec.generator, run)

    def refuse_clean_up(self, span: Span, source: FunctionSource, what: str) -> Expr:
        text = f"the generator '{source.name}' is kept, and yields in {what}, which would have to end when it is"
        hint = "consume it in one loop, or give it to a variable in the function's own block"
        return self.error(span, f"{text} dropped", hint)

    def taken_by(self, span: Span, closure: ClosureDenotation | None) -> dict[str, Expr] | None:
        """The variables that a generator function defined in a function brings with it; None after reporting."""
        if closure is None:
            return {}
        one = self.stored_function(Static(STATIC, span, closure))
        info = None if one is None else self.session.functions.of(one.type)
        if one is None or info is None:
            return None
        one = self.hold(one)
        return self.brought(span, info, one)

    def given(self, value: Static) -> Expr:
        """An argument of a generator that is known when compiling: a value, if it uses variables of this function."""
        denotation = value.denotation
        if isinstance(denotation, ViewDenotation):
            return self.error(value, f"{denotation.describe()} cannot be given to a generator that is kept",
                              "write list(...) around it")
        if not belongs_here(value):
            return value
        made = self.reify(value)
        if made is None:
            return self.error(value, f"{denotation.describe()} cannot be given to a generator that is kept")
        return self.hold(made)

    def waiting(self, span: Span, info: GeneratorInfo, given: Sequence[Expr]) -> Expr:
        """A new frame, before its body's start."""
        temp = Temp()
        whole = ReadTemp(info.type, span, temp)
        steps: list[Stmt] = [
            SetAttribute(span, whole, given_name(i), value) for i, value in enumerate(given)
        ]
        steps += [SetAttribute(span, whole, STATE, self.session.denote(RUNNING, span)),
                  SetAttribute(span, whole, IS_RUNNING, boolean(span, False))]
        if info.uses.is_thrown:
            steps.append(SetAttribute(span, whole, IS_THROWN, boolean(span, False)))
        return Let(info.type, span, temp, MakeObject(info.type, span), Do(info.type, span, steps, whole))

    # From an iterator known when compiling

    def kept_iterator(self, value: Static, denotation: IteratorDenotation) -> Expr | None:
        """An iterator as a value; None if this kind has none."""
        from .generators import GeneratorIteration

        if denotation.variable:
            self.want_value(denotation.variable)
            return None
        iteration = denotation.iteration
        if isinstance(iteration, GeneratorIteration):
            for statement in value.before:
                self.emit(statement)
            return self.generator_object(value.span, iteration.source, iteration.bound, iteration.closure)
        self.drop(sorted(denotation.own_names))
        for name, definition in denotation.checked:
            self.here.doubt(name, definition)
        with self.within(denotation.place):
            return self.iterator_object(denotation.node)

    def iterator_object(self, node: syntax.Node) -> Expr | None:
        """A generator expression, or a call of zip, map and their like, as a generator; None for all else."""
        if isinstance(node, syntax.GeneratorExp):
            return self.expression_object(node)
        if not isinstance(node, syntax.Call) or not isinstance(node.func, syntax.Name):
            return None
        from .zip_columns import columns_object

        if node.func.id == "zip" and (columns := columns_object(self, node)) is not None:
            return columns
        function = prelude_iterators.iterator_script(node.func.id, len(node.args))
        named_too = {each.arg for each in node.keywords} - ({"start"} if node.func.id == "enumerate" else set())
        if function is None or named_too or any(isinstance(each, syntax.Starred) for each in node.args):
            return None
        values = [self.iterable_value(argument) for argument in node.args]
        named: Named = [(each.arg or "", self.hold(self.value(each.value))) for each in node.keywords]
        if is_silent(*values, *(value for _, value in named)):
            return self.silent(node.span, [*values, *(value for _, value in named)])
        source = self.session.source(function)
        bound = self.bind(node.span, source, values, named)
        return Const(ERROR, node.span, None) if bound is None else self.generator_object(node.span, source, bound)

    def iterable_value(self, node: syntax.Node) -> Expr:
        """An argument of a generator, evaluated now: ranges, dicts, their views and sets become generators of what they
        give, which know their size."""
        return self.iterable_made(node, self.expr(node))

    def iterated_arm(self, node: syntax.Node, want: Type | None) -> Expr:
        """An arm of a ternary that a loop walks through."""
        if isinstance(node, syntax.IfExp):
            return self.ternary(node, want, self.iterated_arm, self.iterated_arm)
        value = self.expr(node, want)
        is_view = isinstance(value, Static) and isinstance(value.denotation, ViewDenotation)
        with self.collect() as before:
            made = self.iterable_made(node, value) if is_view else self.valued(value)
        return after(before, made)

    def iterable_made(self, node: syntax.Node, value: Expr) -> Expr:
        denotation = value.denotation if isinstance(value, Static) else None
        parts: Sequence[Expr] = ()
        function: object = None
        if isinstance(denotation, RangeDenotation):
            parts, function = denotation.parts, prelude_iterators.numbers
        elif isinstance(denotation, ViewDenotation):
            parts, function = [denotation.receiver], prelude_iterators.VIEWS[denotation.view]
        elif isinstance(resolve(value.type), (DictType, SetType)):
            value = self.hold(value)
            is_dict = isinstance(resolve(value.type), DictType)
            parts, function = [value], prelude_iterators.keys_of if is_dict else prelude_iterators.elements_of
        if function is not None and len(parts) == 1:
            parts = [*parts, self.each_arm(parts[0], lambda one: self.operate(node, "len()", [one]))]
        if function is None:
            return value if isinstance(value, Static) or is_silent(value) else self.hold(value)
        self.evaluate(value)
        return self.hold(self.prelude_generator(node.span, function, parts))

    def prelude_generator(self, span: Span, script: object, values: Sequence[Expr]) -> Expr:
        """A generator of a script of our own."""
        source = self.session.source(script)
        bound = self.bind(span, source, [self.hold(value) for value in values], [])
        assert bound is not None
        return self.generator_object(span, source, bound)

    def expression_object(self, node: syntax.GeneratorExp) -> Expr:
        """A generator expression as a call of a function that yields, given the first iterable."""
        definition = self.session.expression_functions.get(node)
        if definition is None:
            definition = self.session.expression_functions[node] = function_of_expression(node)
        first = self.iterable_value(node.generators[0].iter)
        if is_silent(first):
            return first
        closure = self.closure(definition)
        denotation: Denotation = closure.denotation
        source: FunctionSource = denotation.source  # type: ignore[attr-defined]
        outer = denotation if isinstance(denotation, ClosureDenotation) else None
        return self.generator_object(node.span, source, {ITEMS: first}, outer)

    def pulled(self, node: syntax.Node) -> Iteration:
        """The iteration of one of several iterables, which are asked in turn: a generator is a value for that."""
        from .generators import GeneratorIteration

        known = set(self.here.variables)
        with self.collect() as before:
            found = self.iterate(node)
        if not isinstance(found, Push):
            self.out.extend(before)
            return found
        if isinstance(node, syntax.Name) and isinstance(value := self.expr(node), Static):
            if isinstance(value.denotation, IteratorDenotation) and value.denotation.variable:
                self.want_value(value.denotation.variable)
        if isinstance(found, GeneratorIteration):
            self.out.extend(before)
            made: Expr | None = self.generator_object(node.span, found.source, found.bound, found.closure)
        else:
            self.drop(sorted(self.here.variables.keys() - known))
            asked = node
            if isinstance(found, UnionIteration):
                assert isinstance(node, syntax.Expression)
                asked = syntax.Call(node.span, syntax.Name(node.span, "iter"), [node], [])
            made = self.iterator_object(asked)
        if made is None:
            self.error(node, "a generator of this kind cannot be asked in turn with others",
                       "write list(...) around it")
            self.give_up()
        if is_silent(made):
            self.end_with(node.span, [made])
        return GeneratorObjectIteration(self, node.span, made)

    # Asking one

    def item_of(self, span: Span, owner: Expr) -> Expr:
        """The item that a generator has gone on to."""

        def one(arm: Expr) -> Expr:
            info = self.session.functions.generator(arm.type)
            assert info is not None
            kind = resolve(info.spec.result)
            if kind == NEVER:  # no yield can be reached, as far as is known
                return self.raise_error(span, "RuntimeError", "a generator without items")
            return GetAttribute(kind, span, arm, ITEM)

        return self.each_arm(owner, one)

    def result_of_generator(self, span: Span, owner: Expr, is_new: bool = False) -> Expr:
        """What the body returned; None from a generator that had ended before, which none is that `is_new`."""

        def one(arm: Expr) -> Expr:
            info = self.session.functions.generator(arm.type)
            assert info is not None
            found = GetAttribute(info.last, span, arm, RESULT)
            return Recast(info.result, span, found) if is_new and info.result != info.last else found

        return self.each_arm(owner, one)

    def next_of_generator(self, node: syntax.Call, owner: Expr) -> Expr:
        """next() of a generator that is a value."""
        with self.collect() as statements:
            owner = self.hold(owner)
            default = self.value(node.args[1]) if len(node.args) == 2 else None
            if default is not None:
                if is_silent(default):
                    return self.silent(node.span, [default])
                default = self.hold(default)
            is_first = self.is_first(node)
            value = self.item_or_end(node.span, owner, lambda: self.has_next(node.span, owner, is_first), default)
        return Do(value.type, node.span, statements, value)


class GeneratorObjectIteration(Iteration):
    """A generator that is a value."""

    def __init__(self, inference: InferenceBase, span: Span, owner: Expr, is_new: bool = False) -> None:
        super().__init__(inference, span)
        self.is_new = is_new
        self.owner = MARK + inference.hidden("generator")  # which merges keep: its result may be asked for
        inference.store(self.owner, owner)

    def advance(self, step: int, end: End) -> Expr:
        inference = self.inference
        owner = self.read(self.owner)
        self.end_unless(inference.has_next(self.span, owner), end)
        item = inference.item_of(self.span, owner)
        if item.type == NEVER:
            inference.evaluate(item)
            return item
        return self.item(item)

    @property
    def result(self) -> Expr:
        return self.inference.result_of_generator(self.span, self.read(self.owner), self.is_new)


def is_cleaning(node: syntax.Node) -> bool:
    """Whether something is to be done when the generator ends at a yield in it: `with`, `finally`."""
    return is_yield_guarded(node) and (not isinstance(node, syntax.Try) or bool(node.finalbody))


def function_of_expression(node: syntax.GeneratorExp) -> syntax.FunctionDef:
    """The function that a generator expression is, as Python compiles it."""
    span = node.span
    body: syntax.Statement = syntax.Expr(span, syntax.Yield(span, node.elt))
    for place, part in reversed(list(enumerate(node.generators))):
        for test in reversed(part.ifs):
            body = syntax.If(span, test, [body], [])
        iterable = part.iter if place else syntax.Name(span, ITEMS)
        body = syntax.For(span, part.target, iterable, [body], [])
    params = syntax.arguments(span, [syntax.arg(span, ITEMS, None)], [], None, [], [], None, [])
    return syntax.FunctionDef(span, "<genexpr>", params, [body], [])
