"""Inference of generators: functions that yield, and generator expressions, where something consumes them at once.

In: loops, comprehensions and builtins over them. Out: the generator's body with the consumer's at each yield.
Holds: nothing of a generator runs before it is asked for, or after its consumer has left.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

from ....ir.types import Type
from ...compilation.frames import MARK
from ...core.denotations import (
    ClosureDenotation,
    FunctionDenotation,
    IteratorDenotation,
    MethodDenotation,
    RangeDenotation,
)
from ...core.matcher import describe
from ...core.typed import ERROR, NEVER, Const, Do, Expr, Static, is_silent, none
from ...objects.function_source import FunctionSource, own_nodes
from ...parser import syntax
from ...parser.liveness import Names
from ...parser.syntax import Span
from ..base import InferenceBase, Jump
from ..functions.frames import is_yield_guarded
from ..iteration import GeneratorCall, Iteration, NotIterable, Push
from ..parts import Named
from .generator_methods import is_named
from .resumable import GeneratorObjectIteration, is_cleaning

MAX_DEPTH = 3  # of functions that a generator calls, and that are looked into
OnItem = Callable[[Expr], "Expr | None"]


OF_THIS_BODY = (IteratorDenotation, RangeDenotation)  # whose state is variables of the function that yields them


class GeneratorInference(InferenceBase):
    """Generators."""

    def generator_call(self, node: syntax.Call, callee: Static) -> Iteration | None:
        """The iteration of a call of a generator function; None if it is none."""
        denotation = callee.denotation
        if not isinstance(denotation, (FunctionDenotation, ClosureDenotation, MethodDenotation)):
            return None
        source = denotation.source
        if not source.is_generator:
            return None
        self.evaluate(callee)
        receiver = [denotation.receiver] if isinstance(denotation, MethodDenotation) else []
        given = self.arguments_of(node, source, receiver)
        if given is None:
            self.give_up()
        positional, named = given
        written = [*positional, *(value for _, value in named)]
        if is_silent(*written):
            self.end_with(node.span, written)
        closure = denotation if isinstance(denotation, ClosureDenotation) else None
        return self.generator_of(node, source, positional, named, closure)

    def generator_of(
        self, node: syntax.Node, source: FunctionSource, positional: Sequence[Expr], named: Named,
        closure: ClosureDenotation | None = None,
    ) -> Iteration:
        """The iteration of a generator function that is called with these values."""
        if source.is_manager:
            self.refuse_manager(node, source)
            self.give_up()
        values = [self.keep(value) for value in positional]
        bound = self.bind(node.span, source, values, [(name, self.keep(value)) for name, value in named], closure)
        if bound is None:
            self.give_up()
        if self.owning is node:
            made = self.generator_object(node.span, source, bound, closure, is_owned=True)
            if is_silent(made):
                self.end_with(node.span, [made])
            return GeneratorObjectIteration(self, node.span, made)
        refused = next(filter(None, map(refused_guard, own_nodes(source.node))), None)
        if refused is not None:
            self.error(node, f"'{source.name}' {refused}", "yield after it")
            self.give_up()
        if self.is_inside(source) or (not any(map(is_cleaning, own_nodes(source.node))) and self.may_stop(source)):
            made = self.generator_object(node.span, source, bound, closure)
            if is_silent(made):
                self.end_with(node.span, [made])
            return GeneratorObjectIteration(self, node.span, made, is_new=True)
        return GeneratorIteration(self, node, source, bound, closure)

    def is_inside(self, source: FunctionSource) -> bool:
        """Whether the body of a generator is being typed here already."""
        return source is self.source or any(source is caller for caller, _ in self.frame.callers) or (
            self.spec.generator is not None and source is self.spec.source)

    def _Yield(self, node: syntax.Yield, want: Type | None) -> Expr:
        value = none(node.span) if node.value is None else self.expr(node.value)
        on_yield = self.frame.on_yield
        if on_yield is None:
            return self.refuse_generator(node.span)
        if isinstance(value, Static) and isinstance(value.denotation, OF_THIS_BODY):
            value = self.valued(value)
        if is_silent(value):
            return value
        with self.collect() as statements:
            received = on_yield(value, self.is_guarded(node))
        if self.env is None:
            return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        received = received or none(node.span)
        return Do(received.type, node.span, statements, received)

    def _YieldFrom(self, node: syntax.YieldFrom, want: Type | None) -> Expr:
        on_yield = self.frame.on_yield
        if on_yield is None:
            return self.refuse_generator(node.span)
        is_guarded = self.is_guarded(node)
        result: Expr | None = None
        with self.collect() as statements:
            iteration = self.iterate(node.value)
            if isinstance(iteration, GeneratorIteration) and self.frame.suspends:
                iteration.suspends = True
                iteration.drive(lambda item: on_yield(item, is_guarded), frozenset())
            elif isinstance(iteration, GeneratorObjectIteration) and self.is_resumed_by_values():
                self.delegate(node, iteration.owner, on_yield)
            else:
                owned = isinstance(iteration, GeneratorObjectIteration)
                self.walk_all(node.span, iteration, lambda item: on_yield(item, is_guarded), not owned)
            result = None
            if self.env is not None and isinstance(iteration, (GeneratorIteration, GeneratorObjectIteration)):
                result = iteration.result
        if self.env is None:
            return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        result = result or none(node.span)
        return Do(result.type, node.span, statements, result)

    def is_guarded(self, node: syntax.Node) -> bool:
        """Whether a yield stands in a try or with statement of its function."""
        return any(
            is_yield_guarded(outer) and any(inner is node for inner in syntax.walk(outer))
            for outer in own_nodes(self.source.node)
        )

    def refuse_generator(self, span: Span) -> Expr:
        self.results.append(ERROR)
        name = self.source.name
        if self.source.is_manager:
            return self.error(span, f"the context manager '{name}' cannot be scripted by itself",
                              f"use it in a scripted function: with {name}(...):")
        return self.error(span, f"the generator '{name}' cannot be scripted by itself",
                          "loop over it in a scripted function, or return a list")

    def walk_all(self, span: Span, iteration: Iteration, on_item: OnItem, drops: bool = True) -> None:
        def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
            on_item(item)

        self.walk(span, iteration, frozenset(), None, None, each, None)
        if drops:
            self.drop(iteration.own_names())

    def may_stop(self, source: FunctionSource, depth: int = 0) -> bool:
        """Whether a function may raise StopIteration, which becomes RuntimeError in a generator."""
        return any(self.stops_by(each, source, depth) for each in escaping_nodes(source.node))

    def stops_by(self, node: syntax.Node, source: FunctionSource, depth: int) -> bool:
        if isinstance(node, syntax.Raise) and node.exc is not None:
            return any(is_named(each, "StopIteration") for each in syntax.walk(node.exc))
        if not isinstance(node, syntax.Call):
            return False
        callee = node.func
        if isinstance(callee, syntax.Attribute):
            if callee.attr in ("__next__", "send", "throw"):
                return True
            is_method = source.owner is not None and isinstance(callee.value, syntax.Name)
            python = getattr(source.owner, callee.attr, None) if is_method else None
            return inspect.isfunction(python) and self.source_may_stop(self.session.source(python, source.owner), depth)
        if not isinstance(callee, syntax.Name):
            return False
        if callee.id in source.locals:
            inner = [each for each in syntax.walk(source.node) if isinstance(each, syntax.FunctionDef) and (
                each.name == callee.id)] if depth < 2 * MAX_DEPTH else []
            below = max(depth, MAX_DEPTH) + 1  # functions outside are not looked into from there
            return any(self.stops_by(each, source, below) for part in inner for each in escaping_nodes(part))
        if callee.id == "next":
            return len(node.args) == 1
        python = self.global_named(source, callee.id)
        return inspect.isfunction(python) and self.source_may_stop(self.session.source(python), depth)

    def source_may_stop(self, source: FunctionSource, depth: int) -> bool:
        return depth < MAX_DEPTH and not source.is_generator and self.may_stop(source, depth + 1)

    # next

    def _call_next(self, node: syntax.Call, want: Type | None) -> Expr:
        """next() of an iterator made on the spot: its first item."""
        if not self.takes(node, 1, 2):
            return self.wrong(node)
        iterable = node.args[0]
        made = isinstance(iterable, syntax.GeneratorExp) or self.makes_iterator(iterable)
        before = self.here.copy()
        stored = None if made else self.expr(iterable)
        if stored is not None and is_silent(stored):
            return stored
        denotation = stored.denotation if isinstance(stored, Static) else None
        if stored is not None and not isinstance(stored, Static) and self.defines(stored.type, "__next__"):
            return self.next_of_instance(node, stored)
        if stored is not None and not isinstance(stored, Static) and self.session.functions.is_generator(stored.type):
            return self.next_of_generator(node, stored)
        if not made and not isinstance(denotation, IteratorDenotation):
            what = describe(stored) if stored is not None else "this"
            return self.error(node, f"next() needs an iterator, not {what}", "write next(iter(...)), or index")
        with self.collect() as statements:
            result = self.hidden("first")
            goes_on = isinstance(denotation, IteratorDenotation) and not denotation.is_push
            if not goes_on:
                self.env = before  # what the iterator kept is kept when it is made to be walked
            iteration = None if goes_on else self.iterate(iterable)
            if goes_on and isinstance(stored, Static):
                self.evaluate(stored)
            default = self.value(node.args[1]) if len(node.args) == 2 else None
            if default is not None:
                if is_silent(default):
                    return self.silent(node.span, [default])
                default = self.hold(default)
            name = f":{result}"

            def look(found: Jump) -> None:
                def take(item: Expr) -> None:
                    self.store(name, item)
                    self.leave(node.span, found)

                if iteration is not None:
                    self.walk_all(node.span, iteration, take)
                elif isinstance(denotation, IteratorDenotation):
                    self.next_of(node, denotation.iteration, name, found)
                if default is None:
                    self.evaluate(self.raise_error(node.span, "StopIteration", ""))
                else:
                    self.store(name, default)

            self.once(node.span, None, look)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
            value = self.read_variable(name, node.span)
            self.drop([name])
        return value if isinstance(value, Static) else Do(value.type, node.span, statements, value)

    def next_of_instance(self, node: syntax.Call, owner: Expr) -> Expr:
        """`__next__` of an instance; the default where it raises StopIteration."""
        if len(node.args) == 1:
            return self.call_member(node.span, owner, "__next__", [])
        with self.collect() as statements:
            name = MARK + self.hidden("first")
            owner = self.hold(owner)
            default = self.value(node.args[1])
            if is_silent(default):
                return self.silent(node.span, [default])
            default = self.hold(default)

            def handle(caught: str) -> None:
                test = self.matches_any(self.read_hidden(caught, node.span), [StopIteration], node.span)
                here = self.here
                self.branch(node.span, test, here, here.copy(), None, lambda: self.store(name, default),
                            lambda: self.throw(node.span, self.read_hidden(caught, node.span)))

            self.protect(node.span, None, lambda: self.store(name, self.call_member(node.span, owner, "__next__", [])),
                         handle)
            value = self.read_variable(name, node.span)
            self.drop([name])
        return Do(value.type, node.span, statements, value)

    def makes_iterator(self, node: syntax.Node) -> bool:
        """Whether it is a call that gives an iterator, of a builtin or a generator function."""
        if not isinstance(node, syntax.Call):
            return False
        if isinstance(node.func, syntax.Name) and node.func.id != "range" and self.is_lazy(node):
            return True
        return self.is_generator_call(node)

    def is_generator_call(self, node: syntax.Node) -> bool:
        if not isinstance(node, syntax.Call) or not isinstance(node.func, (syntax.Name, syntax.Attribute)):
            return False
        mark = self.reporter.mark()
        callee = self.callee_again(node) if self.env is not None else None
        try:
            callee = self.library_call(node, callee)[1] if isinstance(callee, Static) else callee
        except NotIterable:
            callee = None
        self.reporter.rewind(mark)
        return isinstance(callee, Static) and getattr(getattr(callee.denotation, "source", None), "is_generator", False)


class GeneratorIteration(GeneratorCall):
    """A call of a generator function."""

    def __init__(
        self, inference: InferenceBase, node: syntax.Node, source: FunctionSource, bound: dict[str, Expr],
        closure: ClosureDenotation | None,
    ) -> None:
        super().__init__(inference, node.span)
        self.node, self.source, self.bound, self.closure = node, source, bound, closure
        self.result: Expr | None = None
        self.suspends = False  # its yields are those of a generator that is a value

    def drive(self, on_item: OnItem, assigned: Names) -> None:
        self.result = self.inference.run_generator(
            self.span, self.source, self.bound, (), self.closure, self.node, on_item, assigned, self.suspends
        )


class ExpressionIteration(Push):
    """A generator expression. Its first iterable is evaluated at once."""

    def __init__(self, inference: InferenceBase, node: syntax.GeneratorExp) -> None:
        super().__init__(inference, node.span)
        self.node = node
        frame, jumps, renames, returns, handlers = inference.place
        self.place = frame, jumps, [*renames], returns, handlers
        self.first = inference.iterate(node.generators[0].iter)

    def own_names(self) -> list[str]:
        return self.first.own_names()

    def drive(self, on_item: OnItem, assigned: Names) -> None:
        inference = self.inference
        frame, jumps, renames, returns, handlers = inference.place
        place = frame, jumps, [*renames], returns, handlers  # the consumer's: names of this expression are not in it

        def build() -> None:
            value = inference.expr(self.node.elt)
            if value.type == NEVER:
                inference.evaluate(value)
                return
            item = value if isinstance(value, Static) else self.item(value)
            with inference.within(place):
                on_item(item)

        inference.awaiting.append(assigned)
        try:
            with inference.within(self.place):
                inference.comprehend(self.node, self.node.generators, build, self.first)
        finally:
            inference.awaiting.pop()


def escaping_nodes(function: syntax.Node) -> list[syntax.Node]:
    """The nodes of a function's body but for those of functions in it, and of `try`s that catch StopIteration."""
    found: list[syntax.Node] = []
    caught = {id(inner) for each in own_nodes(function) if isinstance(each, syntax.Try) and any(
        catches_stop(handler) for handler in each.handlers) for part in each.body for inner in syntax.walk(part)}
    for each in own_nodes(function):
        if id(each) not in caught:
            found.append(each)
    return found


def catches_stop(handler: syntax.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return any(is_named(each, name) for each in syntax.walk(handler.type) for name in (
        "StopIteration", "Exception", "BaseException"))


def refused_guard(node: syntax.Node) -> str | None:
    """Why a generator cannot be closed at a yield in a statement, whose exception GeneratorExit it would see."""
    if not isinstance(node, syntax.Try) or not is_yield_guarded(node):
        return None
    final = [inner for part in node.finalbody for inner in syntax.walk(part)]
    if any(isinstance(inner, (syntax.Yield, syntax.YieldFrom)) for inner in final):
        return "yields inside 'finally', which is not supported"
    for handler in node.handlers:
        names = {inner.id for inner in syntax.walk(handler.type) if isinstance(inner, syntax.Name)} if (
            handler.type is not None) else {"BaseException"}
        if names & {"BaseException", "GeneratorExit"}:
            return "yields inside a 'try' that catches GeneratorExit, which is not supported"
    return None
