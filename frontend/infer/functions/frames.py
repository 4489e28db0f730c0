"""Inference of bodies typed where they are called: closures, functions given closures, generators.

In: calls of functions that read or write variables of the function around them. Out: their statements in the caller's
tree, under names of their own. Holds: a closure sees the variables themselves, not values; a body is typed inside
itself never; what a body leaves behind is what some closure still reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ....ir.types import INT, NONE, STR
from ...compilation.frames import MARK, Frame, LiveNames
from ...compilation.specialise import Again
from ...core.conversions import convert, is_trivial, operate
from ...core.denotations import (
    KEPT_BY_PARTS,
    ClosureDenotation,
    Denotation,
    IteratorDenotation,
    KeywordsDenotation,
    MethodDenotation,
    OperatorDenotation,
    ViewDenotation,
)
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Around,
    Const,
    Evaluate,
    Expr,
    Inside,
    Read,
    Static,
    Stmt,
    boolean,
    none,
)
from ...objects.function_source import FunctionSource, own_nodes
from ...objects.signatures import signature_types
from ...parser import syntax
from ...parser.liveness import Names, names_stored
from ...parser.syntax import Span
from ...parser.tensor_handles import names_reshaped
from ...prelude.exceptions import caused_by_stop
from ..base import Guard, InferenceBase, Jump
from ..finer_types import argument_type
from ..iteration import ChangedPush, GeneratorCall, Iteration
from ..parts import Live

MAX_BODIES = 400  # typed inside one function
MAX_NESTING = 24
MAX_REPEATS = 3  # of one function inside itself

Place = tuple[
    Frame, list[tuple[Jump, Jump]], list[dict[str, str]], list[tuple[Jump, str]], dict[str, str]
]  # a body, and of what surrounds in it: where jumps go, names of comprehensions, where returns go, of handlers


@dataclass
class Closing:
    """How the consumer of a generator left it early: a number in `code`, 0 with an exception in `escaped`."""

    code: str
    escaped: str
    exits: list[tuple[Jump, bool] | str]

    @property
    def yielded(self) -> str:
        """A variable that is bound once a generator that manages a `with` has yielded."""
        return f"{self.code}.yielded"

    @property
    def fell(self) -> str:
        """One that is bound while the body of that `with` has not been left by a jump."""
        return f"{self.code}.fell"


def is_yield_guarded(node: syntax.Node) -> bool:
    """Whether a yield stands in a try or with statement, which its consumer may leave early."""
    if not isinstance(node, (syntax.Try, syntax.TryStar, syntax.With)):
        return False
    return any(isinstance(inner, (syntax.Yield, syntax.YieldFrom)) for inner in syntax.walk(node))


class FrameInference(InferenceBase):
    """Bodies inside bodies."""

    # Names

    def find_name(self, name: str) -> str | None:
        """The full name of a variable; None for a global."""
        for scope in reversed(self.renames):
            if name in scope:
                return scope[name]
        if name in self.handler_names:
            return self.handler_names[name]
        return name if name.startswith((".", MARK)) else self.frame.find(name)

    def local_name(self, name: str) -> str:
        """The full name of a variable; one that nothing has for a global."""
        found = self.find_name(name)
        return f"{MARK}{name}" if found is None else found

    def is_outer(self, name: str) -> bool:
        """Whether a variable is another scope's: of a function around this one, or around a comprehension in it."""
        if any(name in scope for scope in self.renames):
            return False
        return bool(self.renames) or name not in self.source.locals

    def live_after(self, node: syntax.Node) -> Live:
        names = self.source.liveness.after.get(id(node))
        return None if names is None else LiveNames(self.frame, names)

    def live_head(self, node: syntax.Node) -> Live:
        return LiveNames(self.frame, self.source.liveness.head[id(node)])

    def stored_in(self, nodes: Sequence[syntax.Node]) -> Names:
        return frozenset(map(self.local_name, names_stored(nodes) | names_reshaped(nodes)))

    # Places

    @property
    def place(self) -> Place:
        return self.frame, self.jumps, self.renames, self.returns, self.handler_names

    @contextmanager
    def within(self, place: Place) -> Iterator[None]:
        """Goes on typing in another body."""
        outer = self.place
        self.frame, self.jumps, self.renames, self.returns, self.handler_names = place
        try:
            yield
        finally:
            self.frame, self.jumps, self.renames, self.returns, self.handler_names = outer

    def new_frame(
        self, span: Span, source: FunctionSource, closure: ClosureDenotation | None, node: syntax.Node
    ) -> Frame | None:
        """A frame for one call, the same in every round of a fixpoint; None after reporting."""
        callers = (*self.frame.callers, (self.source, self.frame.outer))
        own = (source, closure and closure.outer)
        if callers.count(own) > MAX_REPEATS or len(callers) > MAX_NESTING:
            if closure is None and not source.is_generator and source not in self.session.recursive:
                self.session.recursive.add(source)
                raise Again(self.spec)
            self.error(span, f"'{source.name}' calls itself where a function with variables is passed on or returned, "
                       "or in a generator", "pass the values it needs as arguments, or return a list")
            return None
        key = (node.span, self.frame, source, closure and closure.outer)  # calls of our own are new nodes each round
        found = self.spec.frames.get(key)
        if found is None:
            if len(self.spec.frames) >= MAX_BODIES:
                self.error(span, "too many calls of functions with variables of this one", "pass values as arguments")
                return None
            found = self.spec.frames[key] = Frame(source, self.session.unique_prefix())
        if closure is not None:
            found.outer, found.scopes = closure.outer, tuple(map(dict, closure.scopes))
        found.callers = callers
        found.kept = frozenset(self.here.variables)
        self.forget_frame(found)
        self.rebound.update(found.prefix + name for name in source.rebound)
        return found

    def forget_frame(self, frame: Frame) -> None:
        """Its variables are gone, unless a function that somebody still has reaches them."""
        if self.env is None:
            return
        kept = [state.static for state in self.env.variables.values()]
        if not any(isinstance(each, KEEPING) and reaches(each, frame) for each in kept):
            self.drop([name for name in self.env.variables if frame.owns(name)])

    # Calls

    def inline(
        self, span: Span, source: FunctionSource, bound: dict[str, Expr], written: Sequence[Expr],
        closure: ClosureDenotation | None, node: syntax.Node,
    ) -> Expr:
        """The body of a function in the place of its call, with arguments `bound` to its parameters."""
        frame = self.new_frame(span, source, closure, node)
        if frame is None:
            return Const(ERROR, span, None)
        with self.collect() as statements:
            bound = {name: self.apart_from(frame, value) for name, value in bound.items()}
            given = self.enter(frame, bound, written)

            def run(leave: Jump) -> None:
                frame.exit = leave
                with self.within((frame, [], [], [(leave, frame.result)], {})):
                    self.body(source.node.body)
                    if self.env is not None:
                        self.fall_off_inside()

            if given:
                self.once(span, frame.live_at_end, run)
        if not given:
            return Const(ERROR, span, None)
        return self.result_of(span, frame, statements)

    def apart_from(self, frame: Frame, value: Expr) -> Expr:
        """A function that uses variables of a frame which is about to be entered again, as a value that has them."""
        if not isinstance(value, Static) or not self.leads_to(value.denotation, frame, set()):
            return value
        made = self.reify(value)
        return value if made is None else self.hold(made)

    def leads_to(self, denotation: Denotation, frame: Frame, seen: set[Frame]) -> bool:
        """Whether a function uses variables of a frame, itself or through functions that its variables denote."""
        if not isinstance(denotation, ClosureDenotation) or denotation.outer in seen:
            return False
        if denotation.outer.is_within(frame):
            return True
        seen.add(denotation.outer)
        held = [state.static for full, state in self.here.variables.items() if denotation.outer.owns(full)]
        return any(each is not None and self.leads_to(each, frame, seen) for each in held)

    def result_of(self, span: Span, frame: Frame, statements: list[Stmt]) -> Expr:
        """What a body gave; its variables end here, unless it gave a function that uses them."""
        name = frame.source.name
        if self.env is None:
            return Inside(NEVER, span, statements, Const(NEVER, span, None), name)
        state = self.here.variables.pop(frame.result)
        if state.is_conflict and not self.want_value(frame.result):
            return self.error(span, f"'{name}' gives different functions on different paths", "call them in it")
        if isinstance(state.static, IteratorDenotation) and takes_iterators(state.static.iteration):
            self.want_value(frame.result)
        if state.static is not None:
            before: list[Stmt] = [Evaluate(span, Inside(NONE, span, statements, none(span), name))]
            if not reaches(state.static, frame):
                self.forget_frame(frame)
            return Static(STATIC, span, state.static, before)
        self.forget_frame(frame)
        kind = resolve(state.type)
        if kind == ERROR:
            return Const(ERROR, span, None)
        return Inside(kind, span, statements, Read(kind, span, frame.result), name)

    def enter(self, frame: Frame, bound: dict[str, Expr], written: Sequence[Expr]) -> bool:
        """Stores the arguments, in the order they were written, as variables of the body."""
        if self.spec.celled:
            self.open_cells(frame.source.node.span, frame)
        hints, frame.declared = signature_types(frame.source, None)
        starred = frame.source.node.args.vararg, frame.source.node.args.kwarg
        hints = {name: kind for name, kind in hints.items() if all(s is None or name != s.arg for s in starred)}
        order = {id(value): place for place, value in enumerate(written)}
        for name, value in sorted(bound.items(), key=lambda item: order.get(id(item[1]), len(order))):
            full = frame.prefix + name
            hint = hints.get(name)
            if hint is not None and isinstance(value, Static) and isinstance(value.denotation, KEPT_BY_PARTS):
                value = self.valued(value)
            if hint is None:
                self.store(full, value)
            elif isinstance(value, Static):
                text = f"argument '{name}' of '{frame.source.name}' must be {hint}, got {describe(value)}"
                self.error(value, text)
                return False
            else:
                hint = argument_type(hint, value)
                self.declared[full], self.declared_in[full] = hint, frame.source.node.body
                value = self.coerce(value, hint, f"argument '{name}' of '{frame.source.name}'")
                if value.type == ERROR:
                    return False
                self.store(full, value)
            if self.env is None:
                return False
        return True

    def give_inside(self, span: Span, value: Expr) -> bool:
        """`return value` in a body typed inside another: a function is given here, and what a generator returns is
        nobody's; False: any other value goes the usual way."""
        exit = self.frame.exit
        assert exit is not None
        if not isinstance(value, Static):
            return False
        if self.frame.on_yield is not None:
            self.evaluate(value)
        elif self.frame.declared is not None:
            text = f"the result of '{self.source.name}' must be {self.frame.declared}, got {describe(value)}"
            self.error(value, text)
            self.env = None
        else:
            self.store(self.frame.result, value)
        self.leave(span, exit)
        return True

    def fall_off_inside(self) -> None:
        """The end of a body: None is its result."""
        node = self.source.node
        span = node.body[-1].span
        declared = self.frame.declared
        value: Expr = none(span)
        if declared is not None:
            converted = convert(value, declared)
            if converted is None and self.source.owner is None:
                self.gives_none(declared)
            if converted is None:
                self.error(node, f"'{node.name}' can end without a return, but its result is {declared}",
                           "return a value on every path, or raise")
                self.env = None
                return
            value = converted[0]
        self.give_back(span, value)

    # Generators

    def run_generator(
        self, span: Span, source: FunctionSource, bound: dict[str, Expr], written: Sequence[Expr],
        closure: ClosureDenotation | None, node: syntax.Node, on_item: Callable[[Expr], Expr | None], assigned: Names,
        suspends: bool = False,
    ) -> Expr | None:
        """The body of a generator, with `on_item` typed at each of its yields, in the place of the loop; what it
        returns, if its end is reached. `suspends`: `on_item` waits there, for what the yield gives or raises."""
        frame = self.new_frame(span, source, closure, node)
        if frame is None or not self.enter(frame, bound, written):
            return None
        frame.declared = None
        place = self.place
        close = Closing(f"{MARK}{self.hidden('code')}", f"{MARK}{self.hidden('escaped')}", [])
        stops = "" if suspends or not self.may_stop(source) else f"{MARK}{self.hidden('outside')}"

        def consume(value: Expr) -> Expr | None:
            with self.collect() as statements, self.within(place):
                if stops:
                    self.store(stops, boolean(span, True))
                received = on_item(value)
                if stops and self.env is not None:
                    self.store(stops, boolean(span, False))
            self.out.append(Around(span, statements))
            return received

        def on_yield(value: Expr, is_guarded: bool) -> Expr | None:
            if is_guarded and self.spec.generator is not None:
                self.spec.generator.uses.cleans_up = True
            if not is_guarded or suspends:
                return consume(value)
            self.guarded_yield(span, close, value, consume)
            return None

        def run(leave: Jump) -> None:
            frame.exit, frame.on_yield, frame.suspends = leave, on_yield, suspends
            frame.closing = "" if suspends else close.code
            with self.within((frame, [], [], [(leave, frame.result)], {})):
                self.body(source.node.body)
                if self.env is not None:
                    self.store(frame.result, none(span))

        def run_all() -> None:
            self.once(span, frame.live_at_end, run)

        with self.collect() as statements:
            if stops:
                self.store(stops, boolean(span, False))
            if any(is_yield_guarded(inner) for inner in own_nodes(source.node)):
                self.store(close.code, Const(INT, span, -1))
            self.awaiting.append(assigned)
            try:
                if stops:
                    self.protect(span, None, run_all, lambda caught: self.convert_stop(span, stops, caught))
                else:
                    run_all()
            finally:
                self.awaiting.pop()
        self.out.append(Evaluate(span, Inside(NONE, span, statements, none(span), source.name)))
        self.go_on_from(span, close)
        if self.env is None:
            return None
        state = self.here.variables.pop(frame.result, None)
        self.drop([close.code, close.escaped, stops])
        self.forget_frame(frame)
        if state is None or state.static is not None or state.is_conflict or resolve(state.type) == ERROR:
            return none(span)
        return Read(resolve(state.type), span, frame.result)

    def convert_stop(self, span: Span, outside: str, caught: str) -> None:
        """A generator raised, or the code that consumes it, which a variable says: StopIteration of its own becomes
        RuntimeError."""
        def again() -> None:
            self.throw(span, self.read_hidden(caught, span))

        def own() -> None:
            self.branch(span, self.read_hidden(outside, span), self.here, self.here.copy(), None, again, changed)

        def changed() -> None:
            made = self.exception_of(span, RuntimeError, [Const(STR, span, "generator raised StopIteration")])
            self.throw(span, self.by_prelude(self.source.node, caused_by_stop, [made, self.read_hidden(caught, span)]))

        test = self.matches_any(self.read_hidden(caught, span), [StopIteration], span)
        self.branch(span, test, self.here, self.here.copy(), None, own, again)

    def guarded_yield(
        self, span: Span, close: Closing, value: Expr, consume: Callable[[Expr], Expr | None]
    ) -> None:
        """A yield in `try` or `with`: whatever leaves the consumer's code closes the generator on its way."""
        if not isinstance(value, Static) and not is_trivial(value):
            name = f"{MARK}{self.hidden('yielded')}"
            self.store(name, value)
            value = self.read_hidden(name, span)

        def with_done(done: Jump) -> None:
            def with_landing(landing: Jump) -> None:
                def protected() -> None:
                    self.guards.append(Guard(close.code, landing, close.exits))
                    try:
                        consume(value)
                    finally:
                        self.guards.pop()

                def handle(caught: str) -> None:
                    self.store(close.escaped, self.read_hidden(caught, span))
                    self.store(close.code, Const(INT, span, 0))
                    self.leave(span, landing)

                self.protect(span, None, protected, handle)
                self.leave(span, done)

            self.once(span, None, with_landing)
            if self.env is not None:
                self.give_back(span, none(span))

        self.once(span, None, with_done)

    def divert(self, span: Span, exit: tuple[Jump, bool] | str) -> None:
        """A jump, or a return by a variable, that leaves the consumer's code: by way of the generator's end."""
        guard = self.guards.pop()
        try:
            if exit not in guard.exits:
                guard.exits.append(exit)
            self.store(guard.code, Const(INT, span, guard.exits.index(exit) + 1))
            self.here.unbind(guard.fell)
            self.leave(span, guard.landing)
        finally:
            self.guards.append(guard)

    def go_on_from(self, span: Span, close: Closing) -> None:
        """After a generator: what its consumer had been leaving for."""
        if self.env is None or close.code not in self.here.variables:
            return

        def step(number: int) -> None:
            if number > len(close.exits) or (number == 0 and close.escaped not in self.here.variables):
                if number == 0:
                    step(1)
                return
            if number == len(close.exits) and self.has_left(close):
                go(number)
                return
            test = operate("eq.int", self.read_hidden(close.code, span), Const(INT, span, number))
            here = self.here
            self.branch(span, test, here, here.copy(), None, lambda: go(number), lambda: step(number + 1))

        def go(number: int) -> None:
            if number == 0:
                self.throw(span, self.read_hidden(close.escaped, span))
                return
            exit = close.exits[number - 1]
            if isinstance(exit, str) and exit not in self.here.variables:  # after a message
                self.env = None
            elif isinstance(exit, str):
                self.give_back(span, self.read_variable(exit, span))
            else:
                self.leave(span, exit[0], exit[1])

        step(0)

    def has_left(self, close: Closing) -> bool:
        """Whether the body of a `with` over a generator can only have been left by jumps."""
        state = self.here.variables.get(close.yielded)
        return state is not None and state.static is not None and close.fell not in self.here.variables

    # Values as arguments

    def apply(self, span: Span, callee: str, values: Sequence[Expr]) -> Expr:
        """A call of what a hidden variable denotes, with values already there."""
        names: list[syntax.Expression] = []
        for value in values:
            name = self.hidden("argument")
            self.store(name, value)
            names.append(syntax.Name(span, name))
        return self.expr(syntax.Call(span, syntax.Name(span, callee), names, []))

    def apply_row(self, span: Span, callee: str, row: Expr) -> Expr:
        """The same with the items of a tuple or list."""
        name = self.hidden("row")
        self.store(name, row)
        starred = syntax.Starred(span, syntax.Name(span, name))
        return self.expr(syntax.Call(span, syntax.Name(span, callee), [starred], []))

    def keyword_values(self, span: Span, denotation: KeywordsDenotation) -> list[tuple[str, Expr]]:
        return [(name, self.read_variable(full, span)) for name, full in denotation.variables]

    def read_variable(self, full: str, span: Span) -> Expr:
        """A variable that is bound, by its full name."""
        state = self.here.variables[full]
        if state.static is not None:
            return Static(STATIC, span, state.static)
        celled = self.cell_value(full, span) if self.spec.celled else None
        return Read(resolve(state.type), span, full) if celled is None else celled


KEEPING = (ClosureDenotation, IteratorDenotation)


def takes_iterators(iteration: Iteration) -> bool:
    """Whether it asks other iterators, whose code is still that of the function which made them."""
    if isinstance(iteration, ChangedPush):
        return True
    given = getattr(iteration, "bound", {}).values() if isinstance(iteration, GeneratorCall) else ()
    return any(isinstance(value, Static) and isinstance(value.denotation, IteratorDenotation) for value in given)


def reaches(denotation: Denotation, frame: Frame) -> bool:
    """Whether it uses variables of a frame."""
    if isinstance(denotation, ClosureDenotation):
        return denotation.outer.is_within(frame)
    if isinstance(denotation, IteratorDenotation):
        return denotation.is_push and denotation.frame.is_within(frame)
    return isinstance(denotation, (MethodDenotation, OperatorDenotation, KeywordsDenotation, ViewDenotation))
