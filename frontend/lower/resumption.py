"""Generator bodies as functions that go on where the last call left them.

In: the typed body of a generator, with `Suspend` at its yields. Out: the body of a function of the generator's frame,
which runs up to the next yield and says whether there was one.
Holds: control comes back to a yield through the statements around it: what stands before it in each list is skipped,
conditions around it are not asked again. A variable that lives across a yield is an attribute of the frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any as PyAny

from ...ir.operators import OPERATORS
from ...ir.types import BOOL, EXCEPTION, INT, NONE, STR, Type
from ..core import typed
from ..core.conversions import operate, to_any
from ..core.generator_values import (
    ENDED,
    FRAME,
    IS_RUNNING,
    IS_THROWN,
    ITEM,
    RESULT,
    RUNNING,
    SENT,
    STATE,
    THROWN,
    GeneratorInfo,
    given_name,
)
from ..core.placeholders import join, settled
from ..core.typed import NEVER, Branch, Choose, Const, Expr, GetAttribute, Raise, Read, SetAttribute, Stmt, boolean
from ..core.typed_parts import everything_in, expressions_in, has_yield, lists_in, lists_of
from ..diagnostics import CompileError, Diagnostic
from ..parser.syntax import Span
from .lifting import Lifting

CAUGHT = ".escaped"
Labels = range  # the numbers of the yields in a statement: consecutive, as they are numbered in order


def make_resumable(info: GeneratorInfo) -> None:
    """Rewrites the body of a generator's specialisation, and settles the attributes of its frame."""
    spec = info.spec
    span = spec.source.node.span
    given = list(zip(spec.given_names, spec.given_types))
    attributes = info.type.attributes
    attributes.update({STATE: INT, IS_RUNNING: BOOL})
    attributes[ITEM] = settled(join(*info.items)) if known(info.items) else NONE
    attributes[RESULT] = settled(info.last)
    if info.uses.sent:
        attributes[SENT] = info.uses.sent_type
    if info.uses.is_thrown:
        attributes.update({THROWN: EXCEPTION, IS_THROWN: BOOL})
    for place, (_, kind) in enumerate(given):
        attributes[given_name(place)] = settled(kind)
    frame = Read(info.type, span, FRAME)
    start: list[Stmt] = [
        typed.Store(span, name, GetAttribute(kind, span, frame, given_name(place)))
        for place, (name, kind) in enumerate(given)
    ]
    spec.body = Resumption(info, span).function([*start, *spec.body])


def known(kinds: Sequence[Type]) -> bool:
    return any(kind != NEVER for kind in kinds)


class Resumption:
    """The rewriting of one body."""

    def __init__(self, info: GeneratorInfo, span: Span) -> None:
        self.info = info
        self.span = span
        self.labels: dict[int, Labels] = {}  # by statement
        self.count = 0
        self.lifting = Lifting()
        self.place = 0
        self.places: dict[str, set[int]] = {}  # the stretches of code without a yield in which a variable is used
        self.kinds: dict[str, list[Type]] = {}
        self.unsure: set[str] = set()  # variables that may be unbound where they are read
        self.attributes: dict[str, str] = {}
        self.targets: dict[typed.Loop | typed.Once, typed.Loop | typed.Once] = {}

    def function(self, body: list[Stmt]) -> list[Stmt]:
        """The whole of it: at most one call at a time, none after the end; PEP 479."""
        span = self.span
        body = self.flat(body)
        for statement in body:
            self.number(statement)
        self.survey(body)
        self.name_attributes()
        unbound = [self.set(span, is_bound(self.attributes[name]), boolean(span, False))
                   for name in sorted(self.unsure & self.attributes.keys())]
        body = [*unbound, *body]
        error = Read(EXCEPTION, span, CAUGHT)
        stop = operate("exception.matches", error, Const(STR, span, "StopIteration"))
        wrong: list[Stmt] = [typed.Evaluate(span, stop_escaped(error))]
        handler: list[Stmt] = [*self.at_end(span), Branch(
            span, stop, wrong, [typed.Evaluate(span, typed.Throw(NEVER, span, error))], [])]
        busy: list[Stmt] = [self.raises(span, "ValueError", "generator already executing")]
        ended = operate("eq.int", self.state(span), Const(INT, span, ENDED))
        before = self.thrown_before(span) if self.info.uses.is_thrown else []
        nothing = recast(Const(NONE, span, None), self.info.type.attributes[RESULT])
        return [
            Branch(span, self.get(span, IS_RUNNING, BOOL), [*self.not_thrown(span), *busy], [], []),
            *before,
            Branch(span, ended, [self.set(span, RESULT, nothing), self.answer(span, False)], [], []),
            self.set(span, IS_RUNNING, boolean(span, True)),
            typed.Try(span, self.statements(body), CAUGHT, handler, [], []),
        ]

    # The frame

    def frame(self, span: Span) -> Expr:
        return Read(self.info.type, span, FRAME)

    def get(self, span: Span, name: str, kind: Type) -> Expr:
        return GetAttribute(kind, span, self.frame(span), name)

    def set(self, span: Span, name: str, value: Expr) -> Stmt:
        return SetAttribute(span, self.frame(span), name, value)

    def state(self, span: Span) -> Expr:
        return self.get(span, STATE, INT)

    def is_running(self, span: Span) -> Expr:
        return operate("eq.int", self.state(span), Const(INT, span, RUNNING))

    def set_state(self, span: Span, number: int) -> Stmt:
        return self.set(span, STATE, Const(INT, span, number))

    def at_end(self, span: Span) -> list[Stmt]:
        return [self.set_state(span, ENDED), self.set(span, IS_RUNNING, boolean(span, False))]

    def answer(self, span: Span, is_item: bool) -> Stmt:
        return typed.Return(span, boolean(span, is_item))

    def raises(self, span: Span, name: str, text: str) -> Stmt:
        return typed.Evaluate(span, Raise(NEVER, span, name, Const(STR, span, text)))

    def not_thrown(self, span: Span) -> list[Stmt]:
        return [self.set(span, IS_THROWN, boolean(span, False))] if self.info.uses.is_thrown else []

    def throw(self, span: Span) -> Stmt:
        """Raises what was thrown in, if anything was."""
        error = self.get(span, THROWN, EXCEPTION)
        steps = [*self.not_thrown(span), typed.Evaluate(span, typed.Throw(NEVER, span, error))]
        return Branch(span, self.get(span, IS_THROWN, BOOL), steps, [], [])

    def thrown_before(self, span: Span) -> list[Stmt]:
        """What is thrown into a generator that does not wait at a yield ends it and comes back."""
        is_waiting = operate("gt.int", self.state(span), Const(INT, span, RUNNING))
        end = [self.set_state(span, ENDED), self.throw(span)]
        return [Branch(span, self.get(span, IS_THROWN, BOOL), [Branch(span, is_waiting, [], end, [])], [], [])]

    # What there is

    def flat(self, body: Sequence[Stmt]) -> list[Stmt]:
        """Statements that stand in an expression with a yield, in front of the statement that it is part of."""
        found: list[Stmt] = []
        for each in body:
            part = first_part(each)
            value = None if part is None else getattr(each, part)
            if part is not None and isinstance(value, Expr) and has_yield(value) and type(value) is not typed.Do:
                before, value = self.lifting.lifted(value)
                each = replace(each, **{part: value})  # type: ignore[arg-type]
                found += self.flat(before)
            if part is None or type(value) is not typed.Do or not has_yield(value):
                found.append(each)
                continue
            found += self.flat(value.body)
            if value.type != NEVER or not is_dead(value.value):
                found += self.flat([replace(each, **{part: value.value})])  # type: ignore[arg-type]
        return found

    def number(self, node: PyAny) -> Labels:
        """Numbers the yields in a statement, and keeps the statement's list flat."""
        first = self.count + 1
        if isinstance(node, typed.Suspend):
            if has_yield(node.value):
                self.refuse(node.span)
            self.count += 1
        else:
            for part in lists_in(node):
                part[:] = self.flat(part)
                for each in part:
                    self.number(each)
            if isinstance(node, typed.Stmt):
                self.check(node)
        found = self.labels[id(node)] = range(first, self.count + 1)
        return found

    def check(self, node: Stmt) -> None:
        """Refuses a yield in the middle of an expression, whose first part would be evaluated again."""
        for value in expressions_in(node):
            head = value
            while isinstance(head, typed.Do) and isinstance(node, (typed.Evaluate, typed.Store, typed.Return)):
                head = head.value
            if has_yield(head):
                self.refuse(head.span)

    def refuse(self, span: Span) -> None:
        text = "a yield inside an expression is not supported in a generator that is kept"
        raise CompileError([Diagnostic(span, text, "assign its value to a variable first")])

    def of(self, node: PyAny) -> Labels:
        return self.labels.get(id(node), range(0))

    def survey(self, body: Sequence[Stmt]) -> None:
        """In which stretches each variable is used."""
        for stretch, last in self.stretches(body):
            place = self.next_place()
            for each in (*stretch, *([last] if isinstance(last, typed.Suspend) else [])):
                self.mention(each, place)
            if last is not None and not isinstance(last, typed.Suspend):
                self.survey_within(last)

    def next_place(self) -> int:
        self.place += 1
        return self.place

    def survey_within(self, node: Stmt) -> None:
        place = self.next_place()
        for value in expressions_in(node):
            head: Expr = value
            while isinstance(head, typed.Do):
                self.survey(head.body)
                head = head.value
            self.mention(head, self.next_place())
        if isinstance(node, typed.Store):
            self.used(node.name, place, node.value.type)
        if isinstance(node, typed.Try):
            self.used(node.caught, place, EXCEPTION)
        if isinstance(node, typed.Loop):  # what a round leaves for the next one
            for each in node.carried:
                self.used(each.name, place, each.type)
        for part in lists_of(node):
            self.survey(part)

    def stretches(self, body: Sequence[Stmt]) -> list[tuple[list[Stmt], Stmt | None]]:
        """Statements without a yield, each time with the one with a yield that follows them."""
        found: list[tuple[list[Stmt], Stmt | None]] = []
        stretch: list[Stmt] = []
        for each in body:
            if self.of(each):
                found.append((stretch, each))
                stretch = []
            else:
                stretch.append(each)
        return [*found, (stretch, None)]

    def mention(self, node: PyAny, place: int) -> None:
        for each in everything_in(node):
            if isinstance(each, Read):
                self.used(each.name, place, each.type)
                if each.is_checked:
                    self.unsure.add(each.name)
            elif isinstance(each, typed.Store):
                self.used(each.name, place, each.value.type)
            elif isinstance(each, typed.Unbind):
                self.used(each.name, place, NEVER)
                self.unsure.add(each.name)
            elif isinstance(each, typed.Try):
                self.used(each.caught, place, EXCEPTION)
            elif isinstance(each, typed.Carried):
                self.kinds.setdefault(each.name, []).append(each.type)

    def used(self, name: str, place: int, kind: Type) -> None:
        self.places.setdefault(name, set()).add(place)
        self.kinds.setdefault(name, []).append(kind)

    def name_attributes(self) -> None:
        for name, places in self.places.items():
            kinds = [kind for kind in self.kinds[name] if kind != NEVER]
            if len(places) < 2 or not kinds:
                continue
            attribute = self.attributes[name] = f"local{len(self.attributes)}"
            self.info.type.attributes[attribute] = settled(join(*map(settled, kinds)))
            if name in self.unsure:
                self.info.type.attributes[is_bound(attribute)] = BOOL

    # Statements

    def statements(self, body: Sequence[Stmt]) -> list[Stmt]:
        made: list[Stmt] = []
        parts = self.stretches(body)
        for i, (stretch, last) in enumerate(parts):
            done = [new for each in stretch for new in self.statement(each)]
            if last is None:
                made += done
                continue
            if isinstance(last, typed.Suspend):
                made.append(self.suspended(done, last))
                continue
            if done:
                made.append(Branch(last.span, self.is_running(last.span), done, [], []))
            inner = self.resumed(last)
            if any(following is not None for _, following in parts[i + 1 :]):
                test = operate("le.int", self.state(last.span), Const(INT, last.span, self.of(last)[-1]))
                inner = [Branch(last.span, test, inner, [], [])]
            made += inner
        return made

    def suspended(self, before: list[Stmt], node: typed.Suspend) -> Stmt:
        """What comes before a yield, and the yield: run, or gone on from, or skipped."""
        span, number = node.span, self.of(node)[0]
        value = recast(self.expression(node.value), self.info.type.attributes[ITEM])
        give = [self.set(span, ITEM, value), self.set_state(span, number),
                self.set(span, IS_RUNNING, boolean(span, False)), self.answer(span, True)]
        is_here = operate("eq.int", self.state(span), Const(INT, span, number))
        again = [self.set_state(span, RUNNING), *([self.throw(span)] if self.info.uses.is_thrown else [])]
        go_on: list[Stmt] = [Branch(span, is_here, again, [], [])]
        return Branch(span, self.is_running(span), [*before, *give], go_on, [])

    def resumed(self, node: Stmt) -> list[Stmt]:
        """A statement with a yield in it."""
        span = node.span
        if isinstance(node, Branch):
            first = self.of_list(node.then)
            inside: Expr = boolean(span, False)
            if first:
                inside = operate("le.int", self.state(span), Const(INT, span, first[-1]))
            condition = Choose(BOOL, span, self.is_running(span), self.expression(node.condition), inside, [])
            return [Branch(span, condition, self.statements(node.then), self.statements(node.otherwise), [])]
        if isinstance(node, (typed.Loop, typed.Once)):
            made = typed.Loop(span) if isinstance(node, typed.Loop) else typed.Once(span)
            self.targets[node] = made
            made.body = self.statements(node.body)
            return [made]
        if isinstance(node, typed.Try):
            return [self.resumed_try(node)]
        if isinstance(node, typed.Around):
            return [replace(node, body=self.statements(node.body))]
        assert isinstance(node, (typed.Evaluate, typed.Store, typed.Return)), node
        value = self.within(node.value)
        if isinstance(node, typed.Store):
            return self.stored(replace(node, value=value))
        if isinstance(node, typed.Return):
            return self.returned(span, value)
        return [replace(node, value=value)]

    def within(self, value: Expr) -> Expr:
        """An expression that begins with statements with a yield."""
        if isinstance(value, typed.Do) and has_yield(value):
            return replace(value, body=self.statements(value.body), value=self.within(value.value))
        return self.expression(value)

    def resumed_try(self, node: typed.Try) -> Stmt:
        """Back in a handler by raising what it had caught once more."""
        span, inner = node.span, self.of_list(node.handler)
        body = self.statements(node.body)
        handler = self.statements(node.handler)
        attribute = self.attributes.get(node.caught)
        if attribute is not None:
            handler.insert(0, self.set(span, attribute, Read(EXCEPTION, span, node.caught)))
            if inner:
                caught = self.get(span, attribute, EXCEPTION)
                is_inside = operate("ge.int", self.state(span), Const(INT, span, inner[0]))
                again: list[Stmt] = [typed.Evaluate(span, typed.Throw(NEVER, span, caught))]
                body.insert(0, Branch(span, is_inside, again, [], []))
        return typed.Try(span, body, node.caught, handler, [], [])

    def of_list(self, body: Sequence[Stmt]) -> Labels:
        found = [self.of(each) for each in body if self.of(each)]
        return range(found[0][0], found[-1][-1] + 1) if found else range(0)

    def statement(self, node: Stmt) -> list[Stmt]:
        """A statement without a yield."""
        if isinstance(node, typed.Store):
            return self.stored(replace(node, value=self.expression(node.value)))
        if isinstance(node, typed.Return):
            return self.returned(node.span, self.expression(node.value))
        if isinstance(node, typed.Unbind) and node.name in self.attributes:
            bound = is_bound(self.attributes[node.name])
            return [self.set(node.span, bound, boolean(node.span, False))]
        made = self.rebuilt(node)
        if isinstance(node, typed.Try) and node.caught in self.attributes:
            caught = Read(EXCEPTION, node.span, node.caught)
            made.handler.insert(0, self.set(node.span, self.attributes[node.caught], caught))
        return [made]

    def stored(self, node: typed.Store) -> list[Stmt]:
        attribute = self.attributes.get(node.name)
        if attribute is None:
            return [node]
        value = recast(node.value, self.info.type.attributes[attribute])
        made = [self.set(node.span, attribute, value)]
        if node.name in self.unsure:
            made.append(self.set(node.span, is_bound(attribute), boolean(node.span, True)))
        return made

    def returned(self, span: Span, value: Expr) -> list[Stmt]:
        """The end, which the consumer may ask for its result."""
        if value.type == NEVER:
            return [typed.Evaluate(span, value)]
        value = recast(value, self.info.type.attributes[RESULT])
        return [self.set(span, RESULT, value), *self.at_end(span), self.answer(span, False)]

    # Expressions

    def expression(self, value: Expr) -> Expr:
        if isinstance(value, Read):
            return self.read(value)
        if isinstance(value, typed.Received):
            kind = self.info.type.attributes[SENT]
            return recast(self.get(value.span, SENT, kind), settled(value.type))
        made: Expr = self.rebuilt(value)
        return made

    def read(self, value: Read) -> Expr:
        attribute = self.attributes.get(value.name)
        if attribute is None:
            return value
        span, kind = value.span, settled(value.type)
        found = recast(self.get(span, attribute, self.info.type.attributes[attribute]), kind)
        if not value.is_checked:
            return found
        unbound = Raise(NEVER, span, value.unbound_error[0], Const(STR, span, value.unbound_error[1]))
        return Choose(kind, span, self.get(span, is_bound(attribute), BOOL), found, unbound, [])

    def rebuilt(self, node: PyAny) -> PyAny:
        """A node of the tree with its parts rewritten."""
        if isinstance(node, (typed.Static, Const)):
            return node
        if isinstance(node, (typed.Loop, typed.Once)):
            made: typed.Loop | typed.Once = typed.Loop(node.span) if isinstance(node, typed.Loop) else typed.Once(
                node.span)
            self.targets[node] = made
            made.body = self.part(node.body)
            made.merges = self.part(node.merges)
            if isinstance(made, typed.Loop) and isinstance(node, typed.Loop):
                made.carried = self.part(node.carried)
            return made
        if isinstance(node, typed.Leave):
            return replace(node, target=self.targets[node.target])
        changed = {each.name: self.part(getattr(node, each.name)) for each in fields(node) if each.init}
        return type(node)(**changed)

    def part(self, value: PyAny) -> PyAny:
        if isinstance(value, Expr):
            return self.expression(value)
        if not isinstance(value, list):
            return value
        made: list[PyAny] = []
        for each in value:
            if isinstance(each, typed.Carried):
                made += [] if each.name in self.attributes else [each]
            elif isinstance(each, Stmt):
                made += self.statement(each)
            else:
                made.append(self.part(each))
        return made


def stop_escaped(error: Expr) -> Expr:
    """RuntimeError for a StopIteration that a generator's body raised, its cause and context (PEP 479)."""
    span, temp = error.span, typed.Temp()
    made = typed.ReadTemp(EXCEPTION, span, temp)
    texts = [Const(STR, span, text) for text in ("RuntimeError", "generator raised StopIteration")]
    keep = OPERATORS["exception.set"]
    steps: list[Stmt] = [
        typed.Evaluate(span, typed.Operate(NONE, span, keep, [made, Const(STR, span, name), value], ()))
        for name, value in (("__cause__", to_any(error)), ("__context__", to_any(error)),
                            ("__suppress_context__", to_any(boolean(span, True))))
    ]
    raising = typed.Do(NEVER, span, steps, typed.Throw(NEVER, span, made))
    return typed.Let(NEVER, span, temp, operate("exception.new", *texts), raising)


def recast(value: Expr, kind: Type) -> Expr:
    """A value at a type that flow has proved, or that holds it."""
    return value if settled(value.type) in (kind, NEVER) else typed.Recast(kind, value.span, value)


def is_bound(attribute: str) -> str:
    """The attribute that says whether a variable is bound."""
    return f"{attribute}_is_bound"


def first_part(node: Stmt) -> str | None:
    """The expression that a statement evaluates before it does anything else."""
    if isinstance(node, (typed.Evaluate, typed.Store, typed.Return)):
        return "value"
    if isinstance(node, Branch):
        return "condition"
    return "value" if isinstance(node, SetAttribute) and isinstance(node.object, Read) else None


def is_dead(value: Expr) -> bool:
    return isinstance(value, Const)
