"""Inference of the context managers of contextlib: contextmanager, suppress, nullcontext, closing, ExitStacks.

In: items of `with` statements that call them. Out: the body where the generator yields, in a `try`, or as it is.
Holds: the body of a `with` over a generator function stands at its yield, so what it raises is raised there; every
other way out of it runs the rest of the generator first. On each path one yield is reached at most.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable
from typing import Any as PyAny

from ....ir.types import INT, STR
from ...compilation.frames import MARK
from ...core.conversions import is_trivial, operate
from ...core.denotations import (
    ClassDenotation,
    ClosureDenotation,
    FunctionDenotation,
    MarkerDenotation,
    MethodDenotation,
)
from ...core.typed import ERROR, STATIC, Around, Const, Evaluate, Expr, Inside, Static, Stmt, after, is_silent, none
from ...objects.function_source import FunctionSource, own_nodes
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import exceptions as prelude
from ...prelude.exit_stack import ExitStack, enter_generator
from ..base import Guard, InferenceBase, Jump
from ..functions.frames import Closing
from ..iteration import NotIterable
from ..parts import Live

OnValue = Callable[[Expr], None]
IN_BODY = -2  # what a generator's code is while the body of its `with` runs; -1 before it yields, 0 behind


class LibraryManagerInference(InferenceBase):
    """Managers of contextlib."""

    def library_manager(self, node: syntax.With, item: syntax.withitem, live: Live, inside: OnValue) -> bool:
        """Whether an item is a call of one; if so, `inside` has been typed, with what `as` is given."""
        call = item.context_expr
        if not isinstance(call, syntax.Call) or self.env is None:
            return False
        callee = self.expr(call.func)
        if not isinstance(callee, Static):
            return False
        denotation = callee.denotation
        if isinstance(denotation, (FunctionDenotation, ClosureDenotation, MethodDenotation)):
            if denotation.source.is_manager:
                self.manage_or_forget(node, lambda: self.manage_by_generator(call, callee, inside, node))
            return denotation.source.is_manager
        manage = MANAGERS.get(denotation.python) if isinstance(denotation, ClassDenotation) and isinstance(
            denotation.python, type) else None
        if manage is None:
            return False
        self.evaluate(callee)
        self.manage_or_forget(node, lambda: manage(self, call, live, inside))
        return True

    def manage_or_forget(self, node: syntax.With, manage: Callable[[], None]) -> None:
        """After a message nothing is known of what the statement stores."""
        try:
            manage()
        except NotIterable:
            self.results.append(ERROR)
            for name in self.stored_in([node]):
                self.here.store(name, ERROR)

    def refuse_library_class(self, node: syntax.Call, python: type) -> Expr:
        """A class of contextlib where a value is asked for."""
        name = python.__name__
        if python in MANAGERS:
            return self.error(node, f"'{name}' can only be used in a with statement", f"with {name}(...):")
        return self.error(node, f"'contextlib.{name}' is not supported in scripts",
                          "nest with statements, or write a class with __enter__ and __exit__")

    def refuse_manager(self, node: syntax.Node | Span, source: FunctionSource) -> Expr:
        return self.error(node, f"the context manager that '{source.name}' makes can only be used in a with statement",
                          f"with {source.name}(...):")

    def entered_generator(self, node: syntax.Call, source: FunctionSource, stack: Expr) -> Expr | None:
        """`stack.enter_context(section(...))`, where a function marked contextmanager makes the manager; None for any
        other call."""
        call = node.args[0] if len(node.args) == 1 and not node.keywords else None
        if source.owner is not ExitStack or source.name != "enter_context" or not isinstance(call, syntax.Call):
            return None
        callee = self.expr(call.func)
        denotation = callee.denotation if isinstance(callee, Static) else None
        kinds = (FunctionDenotation, ClosureDenotation, MethodDenotation)
        if not isinstance(denotation, kinds) or not denotation.source.is_manager:
            return None
        function = self.session.classes.variants.get(denotation.source)
        if function is None:
            function = dataclasses.replace(denotation.source, is_manager=False)
            self.session.classes.variants[denotation.source] = function
        with self.collect() as before:
            self.evaluate(callee)
            given = self.arguments_of(call, function, [denotation.receiver] if isinstance(
                denotation, MethodDenotation) else [])
            closure = denotation if isinstance(denotation, ClosureDenotation) else None
            bound = None if given is None else self.bind(call.span, function, *given, closure)
            if bound is None:
                return Const(ERROR, node.span, None)
            made = self.generator_object(call.span, function, bound, closure, is_owned=True)
            entered = made if is_silent(made) else self.by_prelude(node, enter_generator, [stack, made])
        return after(before, entered)

    def manage_suppress(self, call: syntax.Call, live: Live, inside: OnValue) -> None:
        """`with suppress(KeyError):`"""
        if call.keywords:
            self.error(call, "suppress() takes no keyword arguments")
        classes = self.caught_classes(syntax.Tuple(call.span, call.args))

        def handle(caught: str) -> None:
            test = self.matches_any(self.read_hidden(caught, call.span), classes, call.span)
            here = self.here
            self.branch(
                call.span, test, here, None if isinstance(test, Const) and test.value else here.copy(), None,
                lambda: None, lambda: self.throw(call.span, self.read_hidden(caught, call.span)),
            )

        self.protect(call.span, live, lambda: inside(none(call.span)), handle)

    def manage_null(self, call: syntax.Call, live: Live, inside: OnValue) -> None:
        """`with nullcontext(x) as y:`"""
        inside(self.only_argument(call, "enter_result"))

    def manage_closing(self, call: syntax.Call, live: Live, inside: OnValue) -> None:
        """`with closing(x) as y:`, which calls `x.close()`."""
        given = call.args[0] if len(call.args) == 1 and not call.keywords else None
        is_generator = given is not None and self.is_generator_call(given)
        thing = self.owned_object(given) if is_generator else self.only_argument(call, "thing")  # type: ignore[arg-type]
        if is_silent(thing):
            self.evaluate(thing)
            return
        name = self.hidden("closing")
        self.store(name, thing)

        def close() -> None:
            method = syntax.Attribute(call.span, syntax.Name(call.span, name), "close")
            self.evaluate(self.expr(syntax.Call(call.span, method, [], [])))

        def on_exception(caught: str) -> None:
            close()
            if self.env is not None:
                self.throw(call.span, self.read_hidden(caught, call.span))

        self.finally_(
            call.span, live, lambda: inside(self.read_variable(name, call.span)), on_exception, close)
        self.drop([name])

    def only_argument(self, call: syntax.Call, name: str) -> Expr:
        """The argument of a manager that takes one; None if there is none."""
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        is_known = all(keyword.arg == name for keyword in call.keywords) and not any(
            isinstance(argument, syntax.Starred) for argument in call.args)
        if not given and name == "enter_result":
            return none(call.span)
        if len(given) != 1 or not is_known:
            return self.error(call, f"this context manager takes one argument, '{name}'")
        return self.value(given[0])

    # Generator functions

    def manage_by_generator(self, call: syntax.Call, callee: Static, inside: OnValue, node: syntax.With) -> None:
        """`with section(...) as x:`, where a function marked contextmanager yields x."""
        denotation = callee.denotation
        assert isinstance(denotation, (FunctionDenotation, ClosureDenotation, MethodDenotation))
        self.evaluate(callee)
        source = denotation.source
        if self.is_left_early(node) and not ends_alike(source):
            self.error(call, f"a yield under 'with {source.name}(...)' is not supported: '{source.name}' would see "
                       "that the generator is closed", f"end '{source.name}' with try: yield ... finally: ...")
            self.give_up()
        receiver = [denotation.receiver] if isinstance(denotation, MethodDenotation) else []
        given = self.arguments_of(call, source, receiver)
        if given is None:
            self.give_up()
        positional, named = given
        written = [*positional, *(value for _, value in named)]
        if is_silent(*written):
            self.end_with(call.span, written)
        closure = denotation if isinstance(denotation, ClosureDenotation) else None
        bound = self.bind(call.span, source, positional, named, closure)
        if bound is None:
            self.give_up()
        frame = self.new_frame(call.span, source, closure, call)
        if frame is None or not self.enter(frame, bound, written):
            self.give_up()
        frame.declared = None
        close = Closing(f"{MARK}{self.hidden('code')}", "", [])
        place, handling = self.place, self.handling

        def on_yield(value: Expr, is_guarded: bool) -> None:
            self.stand_in(call, source, close, value, in_place)

        def in_place(value: Expr) -> None:
            outer, self.handling = self.handling, handling
            try:
                with self.collect() as statements, self.within(place):
                    inside(value)
            finally:
                self.handling = outer
            self.out.append(Around(call.span, statements))

        def run(leave: Jump) -> None:
            frame.exit, frame.on_yield = leave, on_yield
            with self.within((frame, [], [], [(leave, frame.result)], {})):
                self.body(source.node.body)
                if self.env is not None:
                    self.store(frame.result, none(call.span))

        with self.collect() as statements:
            self.store(close.code, Const(INT, call.span, -1))
            self.awaiting.append(self.stored_in([node]) | {close.code, close.yielded, close.fell})
            outer, self.handling = self.handling, []
            try:
                if may_stop(source):
                    self.protect(call.span, None, lambda: self.once(call.span, frame.live_at_end, run),
                                 lambda caught: self.stopped(call, close, caught))
                else:
                    self.once(call.span, frame.live_at_end, run)
            finally:
                self.awaiting.pop()
                self.handling = outer
        self.end_generator(call, source, close, statements)
        self.forget_frame(frame)

    def stopped(self, call: syntax.Call, close: Closing, caught: str) -> None:
        """StopIteration out of a generator's own code becomes RuntimeError; that of the `with`'s body stays."""
        span = call.span

        def again() -> None:
            self.throw(span, self.read_hidden(caught, span))

        def converted() -> None:
            text = Const(STR, span, "generator raised StopIteration")
            made = self.exception_of(span, RuntimeError, [text])
            self.throw(span, self.by_prelude(call, prelude.caused_by_stop, [made, self.read_hidden(caught, span)]))

        def own() -> None:
            is_body = operate("eq.int", self.read_hidden(close.code, span), Const(INT, span, IN_BODY))
            self.branch(span, is_body, self.here, self.here.copy(), None, again, converted)

        test = self.matches_any(self.read_hidden(caught, span), [StopIteration], span)
        self.branch(span, test, self.here, self.here.copy(), None, own, again)

    def is_left_early(self, node: syntax.With) -> bool:
        """Whether a generator whose consumer may leave it yields in a `with`."""
        yields = any(isinstance(inner, (syntax.Yield, syntax.YieldFrom)) for inner in syntax.walk(node))
        return yields and self.frame.on_yield is not None and not self.frame.suspends and not self.source.is_manager

    def stand_in(
        self, call: syntax.Call, source: FunctionSource, close: Closing, value: Expr, in_place: OnValue
    ) -> None:
        """The body of the `with` at a yield; jumps out of it go on behind the yield."""
        if close.yielded in self.here.variables:
            self.error(call, f"'{source.name}' may yield twice, which a context manager cannot",
                       "yield once, outside of loops")
            self.give_up()
        if not isinstance(value, Static) and not is_trivial(value):
            value = self.hold(value)
        self.store(close.code, Const(INT, call.span, IN_BODY))
        for mark in (close.yielded, close.fell):
            self.here.store(mark, STATIC, MarkerDenotation(mark))

        def with_landing(landing: Jump) -> None:
            self.guards.append(Guard(close.code, landing, close.exits, close.fell))
            try:
                in_place(value)
            finally:
                self.guards.pop()
            if self.env is not None:
                self.store(close.code, Const(INT, call.span, 0))

        self.once(call.span, None, with_landing)

    def end_generator(self, call: syntax.Call, source: FunctionSource, close: Closing, statements: list[Stmt]) -> None:
        """Behind the generator's body: RuntimeError where it did not yield, and what the `with` was being left for."""
        span = call.span
        self.out.append(Evaluate(span, Inside(none(span).type, span, statements, none(span), source.name)))
        if self.env is None:
            return
        yielded = self.here.variables.get(close.yielded)
        if yielded is None or yielded.static is None:
            test = operate("eq.int", self.read_hidden(close.code, span), Const(INT, span, -1))
            here = self.here
            self.branch(
                span, test, here, here.copy(), None,
                lambda: self.evaluate(self.raise_error(span, "RuntimeError", "generator didn't yield")), lambda: None)
        self.go_on_from(span, close)
        if self.env is not None:
            self.drop([close.code, close.yielded, close.fell])


def may_stop(source: FunctionSource) -> bool:
    """Whether a generator's own code may raise StopIteration."""
    return any(isinstance(node, syntax.Name) and node.id in ("next", "StopIteration") or (
        isinstance(node, syntax.Attribute) and node.attr == "__next__") for node in own_nodes(source.node))


def ends_alike(source: FunctionSource) -> bool:
    """Whether a generator function does the same behind its yield whether that returns or raises GeneratorExit."""
    last = source.node.body[-1]
    if not isinstance(last, syntax.Try) or last.orelse or not isinstance(last.body[-1], syntax.Expr):
        return False
    named = [inner.id for handler in last.handlers if handler.type is not None
             for inner in syntax.walk(handler.type) if isinstance(inner, syntax.Name)]
    is_bare = any(handler.type is None for handler in last.handlers)
    is_last = isinstance(last.body[-1].value, syntax.Yield)
    return is_last and not is_bare and not {"BaseException", "GeneratorExit"} & {*named}


Manage = Callable[[LibraryManagerInference, syntax.Call, Live, OnValue], None]
MANAGERS: dict[PyAny, Manage] = {
    contextlib.suppress: LibraryManagerInference.manage_suppress,
    contextlib.nullcontext: LibraryManagerInference.manage_null,
    contextlib.closing: LibraryManagerInference.manage_closing,
}
