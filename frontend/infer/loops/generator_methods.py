"""Inference of what is sent to and thrown into generators: their methods, and `yield from` of one that is a value.

In: calls of send, throw and close; generators that others delegate to. Out: calls of the function that goes on with
one, whose frame says what `yield` gives or raises there.
Holds: a body is typed with all that anything in the program sends to it; what is learned late starts inference again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import BOOL, INT, NONE, Type, arms_of
from ...compilation.frames import MARK
from ...compilation.specialise import Again
from ...core.conversions import operate
from ...core.denotations import SpecialDenotation, SpecialMethodDenotation
from ...core.generator_values import (
    ENDED,
    GENERATOR_METHODS,
    IS_RUNNING,
    IS_THROWN,
    RUNNING,
    SENT,
    STATE,
    THROWN,
    GeneratorInfo,
)
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Choose,
    Const,
    Do,
    Expr,
    GetAttribute,
    Invoke,
    IsType,
    Received,
    SetAttribute,
    Static,
    Stmt,
    boolean,
    is_silent,
    none,
)
from ...objects.function_source import own_nodes
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase, Jump
from ..functions.frames import is_yield_guarded
from ..functions.library import is_own
from ..type_facts import converted_to


class GeneratorMethodInference(InferenceBase):
    """send, throw and close."""

    def generator_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """`g.close`."""
        is_builtin = any(is_own(info.spec.source) for info in self.infos(owner))
        if name == "__next__" or name in GENERATOR_METHODS and not is_builtin:
            return Static(STATIC, node.span, SpecialMethodDenotation(f".{name}", owner, f"generator_{name.strip('_')}"))
        return self.error(node, f"attribute '{name}' of a generator is not supported in scripts",
                          "use next(), send(), throw(), close() and loops")

    # What is known of one

    def infos(self, owner: Expr) -> list[GeneratorInfo]:
        found = [self.session.functions.generator(arm) for arm in arms_of(resolve(owner.type))]
        return [info for info in found if info is not None]

    def type_anew(self) -> None:
        """Bodies are typed anew with what was learned of their generators."""
        self.session.specialiser.start_again()
        raise Again(self.spec)

    def learn_sent(self, owner: Expr, kind: Type) -> None:
        """Something sends values of a type."""
        for info in self.infos(owner):
            if kind == NONE and not info.uses.sent or kind in map(resolve, info.uses.sent):
                continue
            if kind != NONE and NONE not in info.uses.sent and info.uses.takes_none:
                info.uses.sent.append(NONE)
            info.uses.sent.append(kind)
            self.type_anew()

    def learn_asked(self, owner: Expr) -> None:
        """Something asks for the next item, which sends None."""
        for info in self.infos(owner):
            info.uses.takes_none = True
        self.learn_sent(owner, NONE)

    def learn_thrown(self, owner: Expr) -> None:
        for info in self.infos(owner):
            if not info.uses.is_thrown:
                info.uses.is_thrown = True
                self.type_anew()

    def received(self, span: Span) -> Expr:
        """What a yield gives in the body of a generator that is a value."""
        info = self.spec.generator
        if info is None or not info.uses.sent:
            return none(span)
        name = MARK + self.hidden("received")
        self.store(name, Received(info.uses.sent_type, span))
        return self.read_hidden(name, span)

    # Going on with one

    def goes_on(self, span: Span, owner: Expr, prepare: Callable[[Expr, GeneratorInfo], list[Stmt]]) -> Expr:
        """Goes on to the next item; whether there is one. `prepare` says first what the yield gives or raises."""
        def one(arm: Expr) -> Expr:
            info = self.session.functions.generator(arm.type)
            assert info is not None
            asked = Invoke(BOOL, span, info.spec, [arm])
            steps = prepare(arm, info)
            return Do(BOOL, span, steps, asked) if steps else asked

        self.here.forget_all_paths()
        return self.each_arm(owner, one)

    def has_next(self, span: Span, owner: Expr, is_first: bool = False) -> Expr:
        """Goes on to the next item; whether there is one. `is_first`: it waits at no yield yet."""
        if not is_first:
            self.learn_asked(owner)
        return self.sent_to(span, owner, none(span))

    def sent_to(self, span: Span, owner: Expr, value: Expr) -> Expr:
        """`value`, which is there already, is what the yield gives."""
        def prepare(arm: Expr, info: GeneratorInfo) -> list[Stmt]:
            kind = info.uses.sent_type
            if kind == NONE or value.type == NONE and not any(resolve(each) == NONE for each in info.uses.sent):
                return []
            return [SetAttribute(span, arm, SENT, converted_to(value, kind))]

        return self.goes_on(span, owner, prepare)

    def thrown_into(self, span: Span, owner: Expr, error: Expr) -> Expr:
        """`error`, which is there already, is what the yield raises."""
        self.learn_thrown(owner)

        def prepare(arm: Expr, info: GeneratorInfo) -> list[Stmt]:
            return [SetAttribute(span, arm, THROWN, error), SetAttribute(span, arm, IS_THROWN, boolean(span, True))]

        return self.goes_on(span, owner, prepare)

    # Methods

    def _special_generator_next(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        return self.next_of_generator(node, denotation.receiver) if self.has_count(node, "__next__", 0) else Const(
            ERROR, node.span, None)

    def _special_generator_send(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        if not self.has_count(node, "send", 1):
            return Const(ERROR, node.span, None)
        with self.collect() as statements:
            owner = self.hold(denotation.receiver)
            value = self.valued(self.value(node.args[0]))
            if is_silent(value):
                return self.behind(statements, value)
            value = self.hold(value)
            kind = resolve(value.type)
            if has_placeholder(kind):
                return self.error(node.args[0], "what is sent to a generator must have a type that is known",
                                  "annotate the variable that holds it")
            if kind != NONE or not self.is_first(node):
                for arm in arms_of(kind):
                    self.learn_sent(owner, arm)
            if kind != NONE:
                self.refuse_unstarted(node.span, owner, value)
            result = self.item_or_end(node.span, owner, lambda: self.sent_to(node.span, owner, value), None)
        return self.behind(statements, result)

    def refuse_unstarted(self, span: Span, owner: Expr, value: Expr) -> None:
        """Nothing but None can be sent to a generator that waits at no yield."""
        fresh = self.each_arm(owner, lambda arm: self.is_fresh(span, arm))

        def wrong() -> None:
            error = self.raise_error(span, "TypeError", "can't send non-None value to a just-started generator")
            if NONE not in arms_of(resolve(value.type)):
                self.evaluate(error)
                return
            here = self.here
            self.branch(span, IsType(BOOL, span, value, NONE), here, here.copy(), None, lambda: None,
                        lambda: self.evaluate(error))

        here = self.here
        self.branch(span, fresh, here, here.copy(), None, wrong, lambda: None)

    def is_fresh(self, span: Span, arm: Expr) -> Expr:
        state = operate("eq.int", GetAttribute(INT, span, arm, STATE), Const(INT, span, RUNNING))
        is_idle = self.negate(GetAttribute(BOOL, span, arm, IS_RUNNING), span)
        return Choose(BOOL, span, state, is_idle, boolean(span, False), [])

    def _special_generator_throw(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        if not self.has_count(node, "throw", 1):
            return Const(ERROR, node.span, None)
        with self.collect() as statements:
            owner = self.hold(denotation.receiver)
            error = self.exception_value(node.args[0])
            if is_silent(error):
                return self.behind(statements, error)
            error = self.hold(error)
            result = self.item_or_end(node.span, owner, lambda: self.thrown_into(node.span, owner, error), None)
        return self.behind(statements, result)

    def behind(self, statements: Sequence[Stmt], result: Expr) -> Expr:
        return Do(result.type, result.span, list(statements), result)

    def item_or_end(self, span: Span, owner: Expr, ask: Callable[[], Expr], default: Expr | None) -> Expr:
        """The item that a generator gives when it is asked; the default, or StopIteration, where it ends."""
        name = MARK + self.hidden("first")

        def end() -> None:
            if default is not None:
                self.store(name, default)
                return
            result = self.result_of_generator(span, owner)
            self.throw(span, self.each_arm(result, lambda arm: self.exception_of(
                span, StopIteration, [] if resolve(arm.type) == NONE else [arm])))

        found = ask()
        here = self.here
        self.branch(span, found, here, here.copy(), None,
                    lambda: self.store(name, self.item_of(span, owner)), end)
        if self.env is None:
            return Const(NEVER, span, None)
        value = self.read_variable(name, span)
        self.drop([name])
        return value

    def _special_generator_close(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        if not self.has_count(node, "close", 0):
            return Const(ERROR, node.span, None)
        with self.collect() as statements:
            self.close_generator(node.span, self.hold(denotation.receiver))
        if self.env is None:
            return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        return Do(NONE, node.span, statements, none(node.span))

    def close_generator(self, span: Span, owner: Expr) -> None:
        """GeneratorExit at the yield where it waits, and an end for one that does not wait."""
        if not any(is_closed_by_code(info) for info in self.infos(owner)):
            self.evaluate(self.each_arm(owner, lambda arm: self.ended(span, arm)))
            return
        self.learn_thrown(owner)

        def ask() -> None:
            error = self.hold(self.exception_of(span, GeneratorExit, []))
            found = self.thrown_into(span, owner, error)
            here = self.here
            self.branch(span, found, here, here.copy(), None, ignored, lambda: None)

        def ignored() -> None:
            self.evaluate(self.raise_error(span, "RuntimeError", "generator ignored GeneratorExit"))

        def handle(caught: str) -> None:
            error = self.read_hidden(caught, span)
            test = self.matches_any(error, [GeneratorExit, StopIteration], span)
            here = self.here
            self.branch(span, test, here, here.copy(), None, lambda: None,
                        lambda: self.throw(span, self.read_hidden(caught, span)))

        def busy() -> None:
            self.evaluate(self.raise_error(span, "ValueError", "generator already executing"))

        def attribute(name: str, kind: Type) -> Expr:
            return self.each_arm(owner, lambda arm: GetAttribute(kind, span, arm, name))

        here = self.here
        self.branch(span, attribute(IS_RUNNING, BOOL), here, here.copy(), None, busy, lambda: None)
        waits = operate("gt.int", attribute(STATE, INT), Const(INT, span, RUNNING))
        here = self.here
        self.branch(span, waits, here, here.copy(), None, lambda: self.protect(span, None, ask, handle),
                    lambda: self.evaluate(self.each_arm(owner, lambda arm: self.ended(span, arm))))

    def ended(self, span: Span, arm: Expr) -> Expr:
        return Do(NONE, span, [SetAttribute(span, arm, STATE, Const(INT, span, ENDED))], none(span))

    # yield from

    def is_resumed_by_values(self) -> bool:
        """Whether the generator being typed, which is a value, is ever sent or thrown anything."""
        info = self.spec.generator
        return self.frame.suspends and info is not None and (bool(info.uses.sent) or info.uses.is_thrown)

    def delegate(
        self, node: syntax.YieldFrom, owner_name: str, on_yield: Callable[[Expr, bool], Expr | None]
    ) -> None:
        """`yield from` a generator that is a value: it gets what is sent and thrown."""
        span = node.span
        found, sent = MARK + self.hidden("found"), MARK + self.hidden("sent")

        def owner() -> Expr:
            return self.read_hidden(owner_name, span)

        def given() -> None:
            received = on_yield(self.item_of(span, owner()), False)
            self.store(sent, none(span) if received is None else received)

        def round_of(loop: Jump) -> None:
            here = self.here
            self.branch(span, self.read_hidden(found, span), here, here.copy(), None, lambda: None,
                        lambda: self.leave(span, loop))

            def asked(done: Jump) -> None:
                def thrown(caught: str) -> None:
                    test = self.matches_any(self.read_hidden(caught, span), [GeneratorExit], span)
                    here = self.here
                    self.branch(span, test, here, here.copy(), None, lambda: closed(caught), lambda: passed(caught))

                def closed(caught: str) -> None:
                    self.close_generator(span, owner())
                    self.throw(span, self.read_hidden(caught, span))

                def passed(caught: str) -> None:
                    self.store(found, self.thrown_into(span, owner(), self.read_hidden(caught, span)))
                    self.leave(span, done)

                self.protect(span, None, given, thrown)
                value = self.read_hidden(sent, span)
                for arm in arms_of(resolve(value.type)):
                    self.learn_sent(owner(), arm)
                self.store(found, self.sent_to(span, owner(), value))

            self.once(span, None, asked)

        self.store(found, self.has_next(span, owner(), self.is_generator_call(node.value)))
        self.loop(span, frozenset([found, sent]), None, None, round_of, [found, sent])

    # The first question

    def is_first(self, node: syntax.Call) -> bool:
        """Whether a call asks a generator for the first time: `g = f(...)` and `next(g)`, with no `g` between them."""
        owner = node.func.value if isinstance(node.func, syntax.Attribute) else next(iter(node.args), None)
        is_next = isinstance(node.func, syntax.Name) and node.func.id == "next"
        if not isinstance(owner, syntax.Name) or not (is_next or isinstance(node.func, syntax.Attribute)):
            return False
        name = owner.id
        inner = [each for each in syntax.walk(self.source.node) if isinstance(each, syntax.FUNCTIONS)]
        is_shared = any(mentions(each, name) for each in inner if each is not self.source.node)
        if is_shared or name not in self.source.locals:
            return False
        for block in blocks_of(self.source.node):
            place = next((i for i, each in enumerate(block) if asks_once(each, node, name)), 0)
            before = next((each for each in reversed(block[:place]) if mentions(each, name)), None)
            if isinstance(before, syntax.Assign) and len(before.targets) == 1 and is_named(before.targets[0], name):
                return not mentions(before.value, name) and self.is_generator_call(before.value)
        return False


def is_closed_by_code(info: GeneratorInfo) -> bool:
    """Whether the body may see that its generator is closed."""
    body = own_nodes(info.spec.source.node)
    return info.uses.cleans_up or any(is_yield_guarded(each) or isinstance(each, syntax.YieldFrom) for each in body)


def blocks_of(function: syntax.Node) -> list[Sequence[syntax.Node]]:
    """The lists of statements in a function."""
    names = ("body", "orelse", "finalbody")
    parts = [getattr(each, name, None) for each in own_nodes(function) for name in names]
    return [getattr(function, "body", []), *(part for part in parts if isinstance(part, (list, tuple)))]


def asks_once(statement: syntax.Node, node: syntax.Node, name: str) -> bool:
    """Whether a statement without parts that run again mentions a name once, in a call."""
    if not isinstance(statement, (syntax.Expr, syntax.Assign, syntax.AnnAssign, syntax.AugAssign, syntax.Return)):
        return False
    inside = list(syntax.walk(statement))
    runs_again = any(isinstance(each, (syntax.Lambda, *syntax.COMPREHENSIONS)) for each in inside)
    return not runs_again and any(each is node for each in inside) and sum(is_named(each, name) for each in inside) == 1


def is_named(node: syntax.Node, name: str) -> bool:
    return isinstance(node, syntax.Name) and node.id == name


def mentions(node: syntax.Node, name: str) -> bool:
    return any(is_named(each, name) for each in syntax.walk(node))
