"""Inference of statements: control flow, assignment in all its forms, raise and assert.

In: statement trees. Out: typed statements, and the environment after each.
Holds: every part is evaluated once and in Python's order; code that cannot be reached is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import DictType
from ...compilation.frames import MARK
from ...core.conversions import convert
from ...core.denotations import (
    KEPT_BY_PARTS,
    MarkerDenotation,
    ViewDenotation,
)
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    NEVER,
    NOT_IMPLEMENTED,
    Expr,
    Loop,
    MakeObject,
    Once,
    Return,
    Static,
    Unbind,
    is_silent,
    none,
)
from ...parser import syntax
from ...parser.liveness import names_stored
from ...parser.syntax import Span
from ..base import InferenceBase, Jump, Unreachable
from ..type_facts import VIEWS, takes_anything

DISPLAYS = (syntax.Tuple, syntax.List, syntax.Dict)
LATER = {
    syntax.TryStar: ("'except*' is not supported", "write except"),
    syntax.AsyncFunctionDef: ("'async' is not supported", "write a plain function"),
    syntax.AsyncFor: ("'async' is not supported", "write a plain for loop"),
    syntax.AsyncWith: ("'async' is not supported", "write plain code"),
}


class StatementInference(InferenceBase):
    """One method a statement class: `_If`, `_Assign`."""

    def body(self, statements: Sequence[syntax.Node], goes_on: bool = False) -> None:
        """`goes_on`: they run whenever the statements around them do."""
        outer = self.suite
        self.suite = outer if goes_on else statements
        try:
            for place, statement in enumerate(statements):
                if self.env is None:
                    return
                try:
                    if self.owns_generator(statement):
                        self.with_owned(statement, statements[place + 1 :])
                        return
                    self.statement(statement)
                except Unreachable:
                    self.env = None
                self.drop_held()
        finally:
            self.suite = outer

    def statement(self, node: syntax.Node) -> None:
        self.current = node
        self.session.place = node.span
        refusal = LATER.get(type(node))
        if refusal is not None:
            self.error(Span(*node.span[:3], node.span.line, node.span.column + 3), *refusal)
            self.results.append(ERROR)
            for name in self.stored_in([node]):
                self.here.store(name, ERROR)
            return
        method: Callable[[syntax.Node], None] | None = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            self.error(node, f"this statement ({type(node).__name__}) is not supported in scripts")
            return
        method(node)

    def _Pass(self, node: syntax.Pass) -> None:
        pass

    def _Global(self, node: syntax.Global) -> None:
        stored = names_stored(self.source.node.body)
        around = self.frame.outer
        if not any(name in stored or (around is not None and around.find(name) is not None) for name in node.names):
            return
        self.error(node, "a script cannot assign globals", "keep state in a module attribute, or return the value")

    def _Expr(self, node: syntax.Expr) -> None:
        if isinstance(node.value, syntax.Constant):
            return
        self.evaluate(self.expr(node.value))

    # Control flow

    def _If(self, node: syntax.If) -> None:
        chosen = self.chosen_by_if(node)
        if chosen is not None:
            self._Assign(chosen)
            return
        live = self.live_after(node)
        condition, true, false = self.condition(node.test)
        self.session.notes.branch(node, true is not None, false is not None)
        is_decided = true is None or false is None
        is_setting = self.asks_setting(node.test)

        def arm(body: list[syntax.Statement]) -> None:
            self.settings += is_setting
            try:
                self.body(body, is_decided)
            finally:
                self.settings -= is_setting

        self.branch(node.span, condition, true, false, live, lambda: arm(node.body), lambda: arm(node.orelse))

    def _While(self, node: syntax.While) -> None:
        head, after = self.live_head(node), self.live_after(node)
        assigned = self.stored_in([node.test, *node.body])

        def run(leave: Jump) -> None:
            def round_of(loop: Jump) -> None:
                condition, true, false = self.condition(node.test)
                self.branch(
                    node.test.span, condition, true, false, None, lambda: None, lambda: self.leave(node.span, loop)
                )
                again = Jump(loop.target, depth=loop.depth)
                again.again = loop.again
                self.in_loop(leave if node.orelse else loop, again, node.body)

            self.loop(node.span, assigned, head, head if node.orelse else after, round_of)
            self.body(node.orelse)

        if node.orelse:
            self.once(node.span, after, run)
        else:
            run(Jump(Once(node.span)))

    def in_loop(self, on_break: Jump, on_continue: Jump, body: Sequence[syntax.Node]) -> None:
        """The body of a user's loop."""
        self.jumps.append((on_break, on_continue))
        try:
            self.body(body)
        finally:
            self.jumps.pop()

    def _For(self, node: syntax.For) -> None:
        self.for_loop(node)

    def _Break(self, node: syntax.Break) -> None:
        if not self.jumps:
            self.error(node, "'break' outside loop")
            return
        self.leave(node.span, self.jumps[-1][0])

    def _Continue(self, node: syntax.Continue) -> None:
        if not self.jumps:
            self.error(node, "'continue' not properly in loop")
            return
        jump = self.jumps[-1][1]
        self.leave(node.span, jump, is_again=isinstance(jump.target, Loop))

    def _Return(self, node: syntax.Return) -> None:
        ways = (node.value.body, node.value.orelse) if isinstance(node.value, syntax.IfExp) else ()
        if any(map(self.is_declining, ways)) or any(map(holds_view, ways)):
            choice = node.value
            assert isinstance(choice, syntax.IfExp)
            first, second = (syntax.Return(way.span, way) for way in (choice.body, choice.orelse))
            self.statement(syntax.If(node.span, choice.test, [first], [second]))
            return
        self.given_views = self.listed_views(node.value) if self.frame.exit is None else frozenset()
        declared = self.frame.declared
        asked = None if declared is not None else self.asked_result(node)
        value = none(node.span) if node.value is None else self.opened(self.expr(node.value, declared or asked))
        self.learn_result(value, asked)
        if declared is not None and not isinstance(value, Static) and not is_silent(value):
            self.refine_result(value, declared)
            declared = self.frame.declared
        if isinstance(value, Static) and len(self.returns) > 1 and (made := self.reify(value)) is not None:
            value = made  # on its way through a `finally`
        is_declining = isinstance(value, Static) and value.denotation == MarkerDenotation(NotImplemented)
        if is_declining and self.spec.may_decline:
            value, is_declining = MakeObject(self.session.declined, node.span), False
        if self.frame.exit is not None and self.give_inside(node.span, value):
            return
        if is_declining:
            self.results.append(NOT_IMPLEMENTED)
            self.emit(Return(node.span, none(node.span)))
            self.env = None
            return
        is_value = self.spec.is_stored or self.spec.outer is not None
        is_kept = is_value or isinstance(value, Static) and isinstance(value.denotation, KEPT_BY_PARTS)
        if isinstance(value, Static) and is_kept and (made := self.reify(value)) is not None:
            value = made
        view = value.denotation if isinstance(value, Static) else None
        if isinstance(view, ViewDenotation) and not view.is_method:
            self.spec.gives_function, value = True, self.list_of(node, value)  # D18; where it is called, the live view
        if isinstance(value, Static):
            self.spec.gives_function = True
            self.error(value, f"a function cannot return {value.denotation.describe()}")
        elif value.type == NEVER:
            self.evaluate(value)
        elif declared is not None:
            value = self.as_result(node.value, value, declared)
            if (self.spec.is_folded or takes_anything(declared)) and convert(value, declared) is None:
                self.learn_folded(value, declared)
            value = self.coerce(value, declared, f"the result of '{self.source.name}'")
        self.give_back(node.span, value)

    def listed_views(self, node: syntax.Node | None) -> frozenset[int]:
        """The parts of a returned display that are lists if they are dict views: those after which nothing is called
        that could change the dict, as the view would show."""
        parts = leaves_of(node) if isinstance(node, DISPLAYS) else []
        found: set[int] = set()
        for part in reversed(parts):
            found.add(id(part))
            if any(isinstance(each, syntax.Call) for each in syntax.walk(part)) and not self.is_view_of_dict(part):
                break
        return frozenset(found)

    def is_view_of_dict(self, node: syntax.Node) -> bool:
        owner = node.func.value if isinstance(node, syntax.Call) and isinstance(node.func, syntax.Attribute) else None
        return owner is not None and names_view(node) and isinstance(resolve(self.kind_at(owner) or ERROR), DictType)

    def is_declining(self, node: syntax.Expression) -> bool:
        """`NotImplemented`, or a choice with it: no value of scripts."""
        if isinstance(node, syntax.IfExp):
            return self.is_declining(node.body) or self.is_declining(node.orelse)
        if not isinstance(node, syntax.Name) or node.id != "NotImplemented" or self.find_name(node.id) is not None:
            return False
        value = self.outer_name(node)
        return isinstance(value, Static) and value.denotation == MarkerDenotation(NotImplemented)

    def give_back(self, span: Span, value: Expr) -> None:
        """Returns a value, by way of the `finally`s around."""
        if self.returns and self.env is not None and not is_silent(value) and not isinstance(value, Static):
            jump, name = self.returns[-1]
            self.store(name, value)
            self.leave(span, jump)
            return
        if self.guards and self.env is not None and not is_silent(value) and not isinstance(value, Static):
            name = f"{MARK}{self.hidden('returned')}"
            self.store(name, value)
            self.divert(span, name)
            return
        self.results.append(value.type)
        if self.env is not None:
            self.emit(Return(span, value))
            self.env = None

    def _Assert(self, node: syntax.Assert) -> None:
        condition, true, false = self.condition(node.test)

        def fail() -> None:
            values = [] if node.msg is None else [self.value(node.msg)]
            self.throw(node.span, self.exception_of(node.span, AssertionError, values))

        live = self.live_after(node)
        self.branch(node.span, condition, true, false, live, lambda: None, fail)

    def _Delete(self, node: syntax.Delete) -> None:
        for target in node.targets:
            if isinstance(target, (syntax.Tuple, syntax.List)):
                self._Delete(syntax.Delete(target.span, target.elts))
            elif isinstance(target, syntax.Name):
                self.delete_name(target)
            elif isinstance(target, syntax.Subscript):
                self.delete_item(target)
            elif isinstance(target, syntax.Attribute):
                self.take_attribute(target, self.expr(target.value), target.attr)
            else:
                self.error(target, "this cannot be deleted")

    def delete_name(self, target: syntax.Name) -> None:
        name = self.local_name(target.id)
        state = self.here.variables.get(name)
        if state is None:
            self.evaluate(self.expr(target))
            return
        if self.cell_key(name) in self.spec.celled:
            self.error(target, f"'{target.id}' is used by a stored function and cannot be deleted", "assign None")
            return
        if state.static is None and not state.is_conflict:
            if not state.is_bound:
                self.evaluate(self.expr(target))
            self.deleted.add(name)
            self.emit(Unbind(target.span, name, False))
        self.here.unbind(name)

    # Assignment


def holds_view(node: syntax.Node) -> bool:
    """Whether a display, or a choice of displays, is written with what may be a dict view."""
    if isinstance(node, syntax.IfExp):
        return holds_view(node.body) or holds_view(node.orelse)
    return isinstance(node, DISPLAYS) and any(map(names_view, leaves_of(node)))


def names_view(node: syntax.Node) -> bool:
    return isinstance(node, syntax.Call) and isinstance(node.func, syntax.Attribute) and node.func.attr in VIEWS


def leaves_of(node: syntax.Node | None) -> list[syntax.Node]:
    """The parts of displays inside displays, in the order in which they are evaluated."""
    if isinstance(node, (syntax.Tuple, syntax.List)):
        return [leaf for part in node.elts for leaf in leaves_of(part)]
    if isinstance(node, syntax.Dict):
        pairs = [part for pair in zip(node.keys, node.values) for part in pair]
        return [leaf for part in pairs if part is not None for leaf in leaves_of(part)]
    return [] if node is None else [node]
