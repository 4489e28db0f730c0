"""What all parts of inference share: the function being inferred, its environment, the statements under construction.

In: a specialisation. Out: helpers to report, store, branch and loop, which keep tree and environment in step.
Holds: `env` is None exactly where code cannot be reached; a statement is appended where control may reach it only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from ...ir.operators import Operator
from ...ir.types import STR, TENSOR, TupleType, Type, VarType, arms_of
from ..compilation.frames import MARK, Frame
from ..compilation.session import Session
from ..compilation.specialise import Specialisation
from ..core.conversions import HELD, convert, is_tensor_or_number, is_trivial, keeps_kinds
from ..core.denotations import BOUND, KEPT_BY_PARTS, Denotation, IteratorDenotation
from ..core.function_values import holds_function
from ..core.matcher import Named, NoMatch, describe, match
from ..core.placeholders import Placeholder, has_placeholder, resolve
from ..core.tensor_tuples import as_parts
from ..core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Branch,
    Carried,
    Const,
    Do,
    Evaluate,
    Expr,
    Leave,
    Loop,
    MakeTuple,
    Once,
    Operate,
    Raise,
    Read,
    Recast,
    Static,
    Stmt,
    Store,
    Unbind,
    absorb,
    is_silent,
)
from ..objects.function_source import FunctionSource
from ..parser import syntax
from ..parser.liveness import Names
from ..parser.syntax import Span
from .chosen_calls import ChosenCalls
from .environment import Environment, merge
from .error_notes import Note, call_notes, named_types, variable_notes
from .hints import conversion_hint
from .loop_heads import ended, grown_head, refreshed
from .operand_errors import is_denied
from .parts import Live
from .tensor_parts import Fact
from .text_forms import TextForm

if TYPE_CHECKING:
    from .parts import InferenceParts
else:
    InferenceParts = object

MAX_LOOP_ROUNDS = 12
STORES = frozenset(["list.append", "list.insert", "setitem.list", "setitem.dict", "set.add", "dict.setdefault"])
STORES |= frozenset(("dict.get.default", "dict.pop.default"))
FINDS = frozenset(("list.index", "list.count", "list.remove"))
SORTS = frozenset(("list.sort", "sorted.list"))


class Unreachable(Exception):
    """Raised in statement builders when the rest of a statement cannot be reached."""


@dataclass(eq=False, slots=True)
class Jump:
    """Where `break` or `continue` go: the environments that arrive there."""

    target: Loop | Once
    arrivals: list[Environment] = field(default_factory=list)
    again: list[Environment] = field(default_factory=list)
    depth: int = 0  # guards around it


@dataclass(eq=False, slots=True)
class Guard:
    """Around a consumer's code at a `yield` in a generator's `try` or `with`: a jump out of it goes to `landing` with a
    number in the variable `code`, closes the generator, and goes on from the generator's end by way of `exits`. `fell`
    is a variable that is bound while the code has not been left by a jump."""

    code: str
    landing: Jump
    exits: list[tuple[Jump, bool] | str]
    fell: str = ""


class InferenceBase(InferenceParts):
    """State of inferring one specialisation, and the operations that touch it."""

    def __init__(self, session: Session, spec: Specialisation) -> None:
        self.session = session
        self.reporter = session.reporter
        self.spec = spec
        if spec.root is None:
            spec.root = Frame(spec.source, spec.prefix, spec.outer, spec.scopes, spec.declared)
        self.frame = spec.root
        self.env: Environment | None = Environment()
        self.current: syntax.Node | None = None  # the statement that is being typed
        self.out: list[Stmt] = []
        self.declared: dict[str, Type] = {}
        self.declared_in: dict[str, Sequence[syntax.Node]] = {}  # the statements among which the annotation stands
        self.suite: Sequence[syntax.Node] = ()  # those that are being typed
        self.results: list[Type] = []
        self.jumps: list[tuple[Jump, Jump]] = []  # of enclosing user loops: break, continue
        self.origins: dict[str, Expr] = {}  # what held variables hold
        self.guarded: dict[syntax.Node, Callable[[], None]] = {}  # guards of cases, with what narrows the subject there
        self.tested: set[str] = set()  # variables and attributes of which some test has told the classes apart
        self.text_forms: dict[int, TextForm] = {}  # by definitions of variables: what texts they may be
        self.single_members: set[int] = set()  # definitions of variables that hold one member of a flag
        self.walked: set[syntax.Node] = set()  # views of dicts that a builtin walks through
        self.looped: set[syntax.Node] = set()  # what `for` statements and comprehensions walk through
        self.made_of: dict[syntax.Node, syntax.Node] = {}  # by targets that are variables: what is assigned to them
        self.taken_from: dict[str, Expr] = {}  # what variables that hold containers were last given
        self.stored_values: dict[int, Expr] = {}  # by definitions of variables: their values
        self.renames: list[dict[str, str]] = []  # of enclosing comprehensions
        self.held_once: set[str] = set()  # hidden variables whose value nothing else has
        self.rebound: set[str] = set()  # variables that some closure assigns
        self.awaiting: list[Names] = []  # what the loops around running generators assign
        self.placeholders: dict[tuple[int, str], Placeholder] = {}
        spec.displays.clear()
        spec.wanted.clear()
        self.returns: list[tuple[Jump, str]] = []  # of enclosing `finally`s: where `return` goes, with its value
        self.handling: list[str] = []  # what enclosing handlers caught
        self.handler_names: dict[str, str] = {}  # of enclosing handlers: the `e` of `as e` -> its hidden name
        self.deleted: set[str] = set()  # names that `del`, or the end of a handler, unbinds somewhere
        self.exception_classes: dict[int, type] = {}  # by definition: what a variable that holds an exception is
        self.given_views: frozenset[int] = frozenset()  # nodes of a returned display, of which a dict view is a list
        self.own_tensors: dict[int, Span] = {}  # by definition: where a variable was given a tensor nobody else has
        self.number_facts: dict[int, Fact] = {}  # by definition: what kinds of numbers tensors hold
        self.comprehension_keys: dict[str, object] = {}  # variables of comprehensions: hidden name -> node and name
        self.guards: list[Guard] = []  # of consumers' code around this point, in generators
        self.filling: dict[str, list[list[Type]]] = {}  # the types of what goes into open containers
        self.chosen_calls = ChosenCalls()
        self.settings = 0  # branches around this point that attributes of a module choose
        self.storing = 0  # iterators that variables will hold are being made
        self.owning: syntax.Node | None = None  # the call that makes a generator which will be closed
        self.defined_in: Frame | None = None  # the body around the function whose arguments are being bound
        self.given_defaults: dict[str, Expr] = {}  # of a stored function that is being called, by variable
        self._counter = count(1)

    @property
    def source(self) -> FunctionSource:
        """The function whose body is being typed."""
        return self.frame.source

    # Messages

    def error(self, node: syntax.Node | Expr | Span, message: str, hint: str | None = None) -> Expr:
        """Reports, and gives an expression that silences what follows from it."""
        span = node if isinstance(node, Span) else node.span
        self.session.classes.wait_for(named_types(span, self.current, self.env, self.frame.prefix))
        first, _, rest = message.partition("\n")
        notes: list[Note] = [(None, line.strip()) for line in rest.splitlines()]
        notes += variable_notes(
            span, self.current, self.env, self.spec, self.session.notes, self.frame.prefix
        )
        self.reporter.error(span, first, hint, [*notes, *call_notes(self.spec)])
        return Const(ERROR, span, None)

    # Environment

    @property
    def here(self) -> Environment:
        if self.env is None:
            raise Unreachable
        return self.env

    def hidden(self, purpose: str) -> str:
        return f"{HELD if purpose == 'held' else '.' + purpose}.{next(self._counter)}"

    def emit(self, statement: Stmt) -> None:
        if self.env is not None:
            self.out.append(statement)

    def store(self, name: str, value: Expr, shown: str = "") -> None:
        """Binds a variable; ends the path if the value never comes."""
        if value.type == NEVER:
            self.evaluate(value)
            return
        if isinstance(value, Static):
            is_kept = isinstance(value.denotation, KEPT_BY_PARTS) and value.denotation.made is not None
            is_valued = is_kept or (self.spec.valued and self.cell_key(name) in self.spec.valued)
            made = self.reify(value) if is_valued else None
            if made is None:
                self.evaluate(value)
                self.here.store(name, STATIC, self.bound_to(name, value))
                return
            value = made
        self.emit(Store(value.span, name, value))
        self.here.store(name, value.type)
        self.taken_from[name] = value
        self.stored_values[self.here.variables[name].definition] = value
        self.note_numbers(name, value)
        self.note_own(name, value)
        if self.spec.celled:
            self.fill_cell(name, value.span)

    def held_by(self, denotation: IteratorDenotation, name: str, holder: FunctionSource) -> IteratorDenotation:
        """An iterator that a variable of a function has, the first to have it or not."""
        return denotation if denotation.variable else replace(denotation, variable=name, holder=holder)

    def bound_to(self, name: str, value: Static) -> Denotation:
        """What a variable denotes from now on: a method keeps the object that it was taken from, an iterator knows who
        had it first."""
        denotation = value.denotation
        if isinstance(denotation, IteratorDenotation):
            return self.held_by(denotation, name, self.source)
        if isinstance(denotation, BOUND) and denotation.receiver is not None and denotation.receiver.type != STATIC:
            kept = f"{name}{MARK}self"
            self.store(kept, denotation.receiver)
            return replace(denotation, receiver=self.read_hidden(kept, value.span))
        return denotation

    def read_hidden(self, name: str, span: Span) -> Read:
        return Read(self.here.variables[name].type, span, name)

    def hold(self, value: Expr) -> Expr:
        """Evaluates now, for use later in the same statement."""
        if is_trivial(value) or value.type == ERROR:
            return value
        name = self.hidden("held")
        self.origins[name] = value
        self.store(name, value)
        return self.read_hidden(name, value.span)

    def hold_once(self, value: Expr) -> Expr:
        """The same for what goes to one place only."""
        held = self.hold(value)
        if isinstance(held, Read) and held is not value:
            self.held_once.add(held.name)
        return held

    def drop_held(self) -> None:
        if self.env is not None:
            for name in [name for name in self.env.variables if name.startswith(HELD)]:
                if name not in self.frame.kept:
                    del self.env.variables[name]

    def drop(self, names: Sequence[str]) -> None:
        if self.env is not None:
            for name in names:
                self.env.variables.pop(name, None)

    def raise_error(self, span: Span, name: str, message: str | Expr) -> Expr:
        text = Const(STR, span, message) if isinstance(message, str) else message
        return Raise(NEVER, span, name, text)

    def evaluate(self, value: Expr) -> None:
        """An expression for its effects."""
        if isinstance(value, Static):
            for statement in value.before:
                self.emit(statement)
            return
        if value.type == NEVER:  # inferring it may have ended the path already, but it has still to run
            self.out.append(Evaluate(value.span, value))
            self.env = None
        else:
            self.emit(Evaluate(value.span, value))

    # Operators

    def operate(
        self, node: syntax.Node | Expr | Span, spelling: str, values: Sequence[Expr], named: Named = (),
        rows: Sequence[Operator] = (),
    ) -> Expr:
        """A call of the row that fits, or a message."""
        span = node if isinstance(node, Span) else node.span
        values = self.with_bounds(span, spelling, values)
        everything = [*values, *(value for _, value in named)]
        if is_silent(*everything):
            return self.silent(span, everything)
        self.note_filling(spelling, values)
        if self.session.functions.info:
            self.widen_functions(values)
        if not named and (asked := self.asked_number(node, spelling, values)) is not None:
            return asked
        if not named and (found := self.by_equal_key(span, spelling, values)) is not None:
            return found
        try:
            result = match(spelling, values, named, rows)
        except NoMatch as failure:
            if not named and (found := self.operated_by_class(span, spelling, values, rows)) is not None:
                return found
            self.learn_elements(spelling, values)
            if not named and (chosen := self.by_elements(span, spelling, values, rows)) is not None:
                return chosen
            found = self.by_tensor_numbers(span, spelling, values, named, rows) or self.by_plain_members(
                span, spelling, values, named, rows) or self.by_tensors(span, spelling, values, list(named), rows)
            if found is not None:
                return found
            if (nothing := self.first_of_nothing(span, everything)) is not None:
                return nothing
            self.session.classes.wait_for([value.type for value in everything])
            return self.error(failure.expr or span, failure.message(), failure.hint(named))
        if (by_kind := self.by_kind_of_number(node, spelling, values, result)) is not None:
            return by_kind
        if (asked_values := self.with_whole_numbers(span, spelling, values, result)) is not None:
            return self.operate(node, spelling, asked_values, named, rows)
        if isinstance(result, Operate) and any(param.is_written for param in result.row.schema.params):
            self.here.forget_elements()
        result.span = span
        if isinstance(result, Operate):
            refused = self.refuse_dtype(node, result) or self.ask_elements(result)
            if refused is not None:
                return refused
        if isinstance(result, Operate) and (asked := self.ask_keys(result)) is not None:
            return asked
        return self.check_elements(as_parts(span, spelling, result), everything, spelling)

    def ask_elements(self, result: Operate) -> Expr | None:
        """What stands for an operator of the runtime that would have to call the elements' own methods."""
        name = result.row.full_name
        kind = result.operands[0].type if result.operands else NEVER
        members = resolve(kind).members
        if name == "list.index":
            refused = self.refuse_functions(result.span, "index()", *members)  # which an error would have to show
        else:
            refused = self.refuse_identity(result.span, "==", *members) if name in FINDS else None
        if refused is not None:
            return refused
        if name in FINDS and (self.compares_by_method(kind) or any(map(holds_function, members))):
            return self.found_by_method(result)
        has_instances = name in SORTS and any(map(self.has_instances, resolve(kind).members))
        if name in SORTS and (self.orders_by_method(kind) or has_instances and self.is_left(result)):
            return self.sorted_by_method(result)
        if has_instances:
            return self.error(result.span, "sorting instances needs a key", "sorted(..., key=lambda x: x.attribute)")
        return None

    def check_elements(self, result: Expr, values: Sequence[Expr], spelling: str) -> Expr:
        """An int stays an int in Python when it goes into a list that only happens to hold floats: only a container
        whose element type is declared converts (D3)."""
        if not isinstance(result, Operate) or result.row.full_name not in STORES or self.is_declared(values[0]):
            return result
        for param, value, operand in zip(result.row.schema.params, values, result.operands):
            kinds = resolve(value.type), resolve(operand.type)
            if isinstance(param.type, VarType) and kinds[0] != ERROR:
                is_function = self.session.functions.merged(kinds[0], kinds[1]) == kinds[1]
                if not is_function and not keeps_kinds(kinds[0], kinds[1]) and not has_placeholder(value.type):
                    self.learn_elements(spelling, values)
                    text = f"a container of {kinds[1]} cannot take {describe(value)}: its element type is not declared"
                    return self.error(value, text, f"give it a {kinds[1]}, or annotate the variable that holds it")
        return result

    def silent(self, span: Span, values: Sequence[Expr]) -> Expr:
        """The value of an expression some part of which raises or was reported: the parts up to there still run."""
        kind = absorb(values)
        if kind == ERROR:
            return Const(ERROR, span, None)
        last = next(i for i, value in enumerate(values) if value.type == NEVER)
        before: list[Stmt] = [Evaluate(value.span, value) for value in values[:last] if not isinstance(value, Static)]
        return Do(NEVER, span, before, values[last]) if before else values[last]

    def coerce(self, value: Expr, kind: Type, what: str) -> Expr:
        """`value` at a declared type, or a message that says what was declared."""
        if isinstance(value, Static) and isinstance(value.denotation, KEPT_BY_PARTS):
            value = self.valued(value)
        converted = convert(value, kind)
        if converted is not None:
            return converted[0]
        wanted = resolve(kind)
        if wanted == TENSOR and is_tensor_or_number(resolve(value.type)):
            return Recast(TENSOR, value.span, value)
        if isinstance(value, MakeTuple) and isinstance(wanted, TupleType) and len(value.items) == len(wanted.elements):
            if any(is_tensor_or_number(resolve(item.type)) for item in value.items) and not wanted.is_variadic:
                items = [self.coerce(item, each, what) for item, each in zip(value.items, wanted.elements)]
                return self.silent(value.span, items) if is_silent(*items) else MakeTuple(wanted, value.span, items)
        checked = self.at_declared(value, kind, what)
        if checked is not None:
            return checked
        self.declare_by_use(value, wanted)
        text = f"{what} must be {resolve(kind)}, got {describe(value)}"
        if self.may_not_run(value) and not self.here.logs and all(
            is_denied(arm, wanted) for arm in arms_of(resolve(value.type))
        ):
            return self.silent(value.span, [value, self.raise_error(value.span, "TypeError", text)])
        return self.error(value, text, conversion_hint(value, kind))

    # Control flow

    @contextmanager
    def collect(self) -> Iterator[list[Stmt]]:
        """Statements made inside go to a list of their own; in front of what cannot be reached they stay."""
        outer, self.out = self.out, []
        try:
            yield self.out
        except Unreachable:
            outer.extend(self.out)
            raise
        finally:
            self.out = outer

    def expr_or(self, first: Callable[[], Expr], second: Callable[[], Expr]) -> Expr:
        """What `first` gives, or else, if it reports an error, what `second` gives in its place."""
        mark, before = self.reporter.mark(), self.here.copy()
        with self.collect() as statements:
            value = first()
        if not self.reporter.since(mark):
            self.out.extend(statements)
            return value
        self.reporter.rewind(mark)
        self.env = before
        return second()

    def block(self, env: Environment | None, build: Callable[[], None]) -> tuple[list[Stmt], Environment | None]:
        """Statements that `build` makes starting from `env`, and the environment after them."""
        if env is None:
            return [], None
        self.env = env.copy()
        with self.collect() as statements:
            try:
                build()
            except Unreachable:
                self.env = None
        return statements, self.env

    def branch(
        self, span: Span, condition: Expr, true: Environment | None, false: Environment | None, live: Live,
        then: Callable[[], None], otherwise: Callable[[], None],
    ) -> None:
        """if: arms start from the environments that the condition left."""
        if true is None or false is None:
            if not isinstance(condition, Const):
                self.out.append(Evaluate(condition.span, condition))
            self.env = true if false is None else false
            if self.env is not None:
                (then if false is None else otherwise)()
            return
        entry = self.here.copy()
        first, end_first = self.block(true, then)
        second, end_second = self.block(false, otherwise)
        self.env, merges = merge([end_first, end_second], live, entry)
        self.out.append(Branch(span, condition, first, second, merges))
        self.unbind_gone(span, entry)

    def unbind_gone(self, span: Span, entry: Environment) -> None:
        """After a merge: what `del` unbound on every path to it has no value, though it had one before."""
        if self.env is not None:
            for name in sorted(self.deleted - self.env.variables.keys()):
                if name in entry.variables:
                    self.out.append(Unbind(span, name, False))

    def once(self, span: Span, live: Live, build: Callable[[Jump], None]) -> None:
        """Code that `leave` may end early; without such a jump no block is made."""
        entry = self.here.copy()
        jump = Jump(Once(span), depth=len(self.guards))
        jump_body, after = self.block(self.here, lambda: build(jump))
        if not jump.arrivals:
            self.out.extend(jump_body)
            self.env = after
            return
        assert isinstance(jump.target, Once)
        jump.target.body = jump_body
        self.env, jump.target.merges = merge([*jump.arrivals, after], live, entry)
        self.out.append(jump.target)
        self.unbind_gone(span, entry)

    def leave(self, span: Span, jump: Jump, is_again: bool = False) -> None:
        if self.env is None:
            return
        if jump.depth < len(self.guards):
            self.divert(span, (jump, is_again))
            return
        self.emit(Leave(span, jump.target, is_again))
        (jump.again if is_again else jump.arrivals).append(self.env)
        self.env = None

    def loop(
        self, span: Span, assigned: Names, head_live: Live, live: Live, build: Callable[[Jump], None],
        own: Sequence[str] = (),
    ) -> None:
        """Runs `build` to a fixpoint over the types of the variables that change from round to round. `own` are hidden
        variables that nobody reads after the loop."""
        entry = self.here.copy()
        assigned = assigned.union(self.rebound, *self.awaiting)
        names = sorted(n for n in assigned if n.startswith(".") or head_live is None or n in head_live)
        head = refreshed(entry, names)
        mark = self.reporter.mark()
        is_known = not any(has_placeholder(state.storage) for state in entry.variables.values() if state.static is None)
        for turn in range(MAX_LOOP_ROUNDS):
            jump = Jump(Loop(span), depth=len(self.guards))
            start = head.copy()

            def run(jump: Jump = jump) -> None:
                build(jump)
                self.leave(span, jump, is_again=True)

            statements, _after = self.block(start, run)
            grown = grown_head(entry, jump.again, names, head)
            if grown is None and (is_known or not self.reporter.since(mark)):
                break
            is_known = is_known or grown is None  # elements that a statement took before a later one put them in
            head = head if grown is None else ended(grown, head, turn)
            self.reporter.rewind(mark)
        else:
            self.error(span, "the types of variables in this loop grow without end", "annotate them before the loop")
        assert isinstance(jump.target, Loop)
        jump.target.body = statements
        jump.target.carried = [
            Carried(name, head.variables[name].storage, not head.variables[name].is_bound)
            for name in names
            if name in head.variables and head.variables[name].static is None and not head.variables[name].is_conflict
        ]
        for env in jump.arrivals:
            for name in own:
                env.variables.pop(name, None)
        self.env, jump.target.merges = merge(jump.arrivals, live, entry)
        self.out.append(jump.target)
        self.unbind_gone(span, entry)
