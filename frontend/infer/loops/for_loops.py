"""Inference of loops over iterables.

In: for statements, and what may stand behind `in`. Out: typed loops, unrolled or not.
Holds: iterables are consumed lazily and in Python's order; a loop over things of different types is unrolled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

from ....ir.types import (
    ANY,
    BOOL,
    INT,
    STR,
    TENSOR,
    ClassType,
    DictType,
    FrozenSetType,
    ListType,
    SetType,
    TupleType,
    Type,
    arms_of,
    union,
)
from ...compilation.notes import text_of
from ...core.conversions import as_tuple, convert, is_scalar, is_trivial, operate
from ...core.denotations import (
    BuiltinDenotation,
    ClosureDenotation,
    KeywordsDenotation,
    OperatorDenotation,
    RangeDenotation,
    ViewDenotation,
)
from ...core.matcher import describe, readable_set
from ...core.placeholders import resolve
from ...core.tensor_tuples import taken_one_by_one
from ...core.typed import ERROR, NEVER, STATIC, Const, Evaluate, Expr, MakeList, MakeTuple, Once, Static, is_silent
from ...objects.class_facts import is_enum
from ...parser import syntax
from ...parser.liveness import Names, target_names
from ...parser.syntax import Span
from ...prelude import any_values
from ...prelude import containers as prelude
from ..base import InferenceBase, Jump, Unreachable
from ..collection_types import is_deque
from ..functions.calls import is_spread
from ..functions.closures import is_changed_by_defining
from ..hints import none_hint
from ..iteration import (
    ChangedPush,
    EnumerateIteration,
    FilterIteration,
    Iteration,
    MapIteration,
    NotIterable,
    Push,
    RangeIteration,
    SequenceIteration,
    SetIteration,
    UnrolledIteration,
    Walked,
    ZipIteration,
    is_sequence,
    tensor_rows,
)
from ..operand_errors import class_name, iteration_error, reversal_error, whole_error
from ..parts import Live
from ..sampled_errors import certain_error
from ..type_facts import tuple_items
from .generators import ExpressionIteration
from .keyword_loops import keyword_iteration
from .ordered_iteration import DequeIteration, dict_iteration
from .pairs import is_pairs, pairs_iteration
from .resumable import GeneratorObjectIteration
from .reversed_dict import reversed_iteration
from .union_iteration import (
    UnionIteration,
    is_iterable,
    is_never_iterable,
    is_union_of_sequences,
    may_be_iterable,
)
from .zip_columns import iterate_columns

UNROLL = 16  # tuples of equal elements up to this length are unrolled


class IterationInference(InferenceBase):
    """Loops."""

    # For statements

    def for_loop(self, node: syntax.For) -> None:
        head, after = self.live_head(node), self.live_after(node)
        self.looped.add(node.iter)
        try:
            iteration = keyword_iteration(self, node.iter, node.body) or self.iterate(node.iter)
        except NotIterable:
            self.skip_body(node)
            return
        assigned = self.stored_in(node.body) | frozenset(map(self.local_name, target_names(node.target)))

        def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
            self.assign(node.target, item)
            self.note_item(node.target, iteration, node.iter)
            self.note_constants(node.target, item)
            self.in_loop(on_break, on_continue, node.body)

        def run(leave: Jump | None) -> None:
            self.walk(node.span, iteration, assigned, head, head if node.orelse else after, each, leave)
            self.body(node.orelse)

        if node.orelse:
            self.once(node.span, after, run)
        else:
            run(None)
        self.drop(iteration.own_names())

    def skip_body(self, node: syntax.For) -> None:
        """After an iterable that was reported: the body is looked at with a target that silences."""
        jump = Jump(Once(node.span))

        def look() -> None:
            self.assign(node.target, Const(ERROR, node.target.span, None))
            self.in_loop(jump, jump, node.body)

        entry = self.here.copy()
        self.block(self.here.copy(), look)
        self.env = entry
        for name in self.stored_in([node]):
            self.env.store(name, ERROR)

    def walk(
        self, span: Span, iteration: Iteration, assigned: Names, head: Live, live: Live,
        each: Callable[[Expr, Jump, Jump], None], leave: Jump | None,
    ) -> None:
        """Runs `each(item, break, continue)` for every item; `leave` is where break goes, None: to the loop's end."""
        names = assigned | frozenset(iteration.all_names())
        if isinstance(iteration, Push):
            self.once(span, live, partial(self.driven, span, iteration, assigned, each, leave))
            return
        if iteration.rounds is None:

            def round_of(loop: Jump) -> None:
                item = iteration.advance(0, lambda: self.leave(span, loop))
                each(item, leave or loop, loop)

            self.loop(span, names, head, live, round_of, iteration.own_names())
            return
        rounds = iteration.rounds

        def unrolled(out: Jump) -> None:
            for step in range(rounds):
                if self.env is None:
                    return
                item = iteration.advance(step, lambda: self.leave(span, out))
                if self.env is not None:
                    self.once(span, None, partial(self.unrolled_round, each, item, leave or out))

        self.once(span, live, unrolled)

    def driven(
        self, span: Span, iteration: Push, assigned: Names, each: Callable[[Expr, Jump, Jump], None],
        leave: Jump | None, out: Jump,
    ) -> None:
        """A generator, with a round of the loop at each of its yields."""
        def on_item(item: Expr) -> None:
            self.once(span, None, partial(self.unrolled_round, each, item, leave or out))

        iteration.drive(on_item, assigned)

    def unrolled_round(
        self, each: Callable[[Expr, Jump, Jump], None], item: Expr, on_break: Jump, on_continue: Jump
    ) -> None:
        each(item, on_break, on_continue)

    # Iterables

    def iterate(self, node: syntax.Node) -> Iteration:
        """Starts walking an iterable. Raises NotIterable after reporting."""
        if isinstance(node, syntax.Call):
            if is_pairs(node):
                return pairs_iteration(self, node.args[0], self.iterate(node.args[0]))
            callee = self.callee_again(node)
            if isinstance(callee, Static):
                node, callee = self.library_call(node, callee)
                if is_spread(node, callee.denotation):
                    return self.iterate_value(node, self.expr(node))
                found = self.iterate_container_call(node, callee)
                found = found or self.generator_call(node, callee) or self.iterate_call(node, callee)
                if found is not None:
                    return found
        if isinstance(node, syntax.GeneratorExp):
            return ExpressionIteration(self, node)
        if isinstance(node, (syntax.Tuple, syntax.List)) and not self.storing and any(
            map(self.names_function, node.elts)
        ):
            items = [self.expr(item) for item in node.elts]
            if is_silent(*items):
                self.end_with(node.span, items)
            held: list[Expr] = []
            for item in items:
                if isinstance(item, Static):
                    self.evaluate(item)
                    item = Static(STATIC, item.span, item.denotation)
                held.append(self.hold(item))
            return UnrolledIteration(self, node.span, held)
        if isinstance(node, syntax.IfExp) and self.chooses_range(node, is_once=True):
            return self.iterate_value(node, self.stored_choice(node))
        if isinstance(node, syntax.IfExp):
            return self.iterate_value(node, self.ternary(node, None, self.expr, self.iterated_arm))
        return self.iterate_value(node, self.expr(node))

    def callee_again(self, node: syntax.Call) -> Expr:
        """What is called, when the call may be looked at once more: a read checked here counts as unchecked."""
        before, emitted = self.here.copy(), len(self.out)
        callee = self.expr(node.func)
        if self.env is not None and len(self.out) == emitted:
            self.env = before
        return callee

    def iterate_call(self, node: syntax.Call, callee: Static) -> Iteration | None:
        denotation = callee.denotation
        if not isinstance(denotation, BuiltinDenotation):
            return self.iterate_container_call(node, callee) or self.iterate_any(node, callee)
        name = denotation.name
        if name == "range":
            return RangeIteration(self, node.span, *self.range_parts(node))
        if name == "enumerate":
            return self.iterate_enumerate(node)
        if name == "zip":
            return self.iterate_zip(node)
        if name == "dataclasses.fields":
            return UnrolledIteration(self, node.span, self.data_fields(node))
        if name == "reversed" and len(node.args) == 1:
            return self.iterate_reversed(node)
        if name == "map":
            return self.iterate_map(node)
        if name == "filter":
            return self.iterate_filter(node)
        if name == "iter" and len(node.args) == 1 and not node.keywords:
            return self.iterate(node.args[0])
        return None

    def callee_of(self, node: syntax.Node) -> str:
        """The function that map, filter or key= is given, as what a hidden variable denotes."""
        value = self.expr(node)
        is_callable = self.module_info(value.type) or self.session.functions.is_function(value.type)
        if not (isinstance(value, Static) or is_silent(value) or is_callable or self.speaks(("__call__",), value.type)):
            name = class_name(value.type)
            raised = "TypeError", name and f"'{name}' object is not callable"
            value = self.wrong_or_left(node, raised, f"a function is needed here, not {describe(value)}", None, [value])
        if is_silent(value):
            self.end_with(node.span, [value])
        if self.storing and isinstance(value, Static) and isinstance(value.denotation, ClosureDenotation):
            if is_changed_by_defining(value.denotation, self.spec.root):
                value = self.reify(value) or value
        name = f":{self.hidden('function')}"
        self.store(name, value)
        return name

    def iterate_map(self, node: syntax.Call) -> Iteration:
        if len(node.args) < 2 or node.keywords or isinstance(node.args[0], syntax.Starred):
            self.error(node, "map takes a function and iterables")
            self.give_up()
        callee = self.callee_of(node.args[0])
        if any(isinstance(item, syntax.Starred) for item in node.args):
            apart = self.map_of_rows(node)
            if apart is None:
                self.give_up()
            if isinstance(apart.args[0], syntax.Starred):
                return MapIteration(self, node.span, callee, self.iterate(apart), spreads=True)
            node = apart
        rest = node.args[1:]
        inner = [self.iterate(rest[0])] if len(rest) == 1 else [self.pulled(argument) for argument in rest]
        if len(inner) > 1:
            self.refuse_pushes(node, inner, "map")
            return MapIteration(self, node.span, callee, ZipIteration(self, node.span, inner), spreads=True)
        if not isinstance(inner[0], Push):
            return MapIteration(self, node.span, callee, inner[0])

        def change(item: Expr, on_item: Callable[[Expr], None]) -> None:
            value = self.apply(node.span, callee, [item])
            if value.type == NEVER:
                self.evaluate(value)
            else:
                on_item(value if isinstance(value, Static) else self.hold(value))

        return ChangedPush(self, node.span, inner[0], change)

    def iterate_filter(self, node: syntax.Call) -> Iteration:
        if len(node.args) != 2 or node.keywords:
            self.error(node, "filter takes a function, or None, and an iterable")
            self.give_up()
        first = node.args[0]
        is_none = isinstance(first, syntax.Constant) and first.value is None
        callee = "" if is_none else self.callee_of(first)
        inner = self.iterate(node.args[1])

        def test(item: Expr) -> Expr:
            return self.truth(item if is_none else self.apply(node.span, callee, [item]))

        def change(item: Expr, on_item: Callable[[Expr], None]) -> None:
            item = self.hold(item)
            found = test(item)
            if found.type == NEVER:
                self.evaluate(found)
                return
            here = self.here
            self.branch(node.span, found, here, here.copy(), None, lambda: on_item(item), lambda: None)

        if isinstance(inner, Push) or inner.rounds is not None:
            whole = inner if isinstance(inner, Push) else Walked(self, node.span, inner)
            return ChangedPush(self, node.span, whole, change)
        return FilterIteration(self, node.span, test, inner)

    def names_function(self, node: syntax.Node) -> bool:
        """Whether an element of a display is a function, so that the display is no value."""
        if isinstance(node, syntax.Lambda):
            return True
        if not isinstance(node, syntax.Name):
            return False
        name = self.find_name(node.id)
        state = self.here.variables.get(name) if name is not None else None
        if name is not None:
            return state is not None and state.static is not None
        return isinstance(self.outer_name(node), Static)

    def refuse_pushes(self, node: syntax.Node, inner: Sequence[Iteration], name: str) -> None:
        """Several iterables are asked in turn, which code that runs by itself cannot be."""
        if any(isinstance(each, Push) for each in inner):
            self.error(node, f"{name} of several iterables cannot have a generator among them",
                       "write list(...) around it")
            self.give_up()

    def range_parts(self, node: syntax.Call) -> tuple[Expr, Expr, Expr]:
        """start, stop, step of a call of range, held."""
        if any(isinstance(each, syntax.Starred) for each in node.args) and not node.keywords:
            apart = self.bounds_apart(node, "range")
            if apart is None:
                raise NotIterable
            node = apart
        if node.keywords or not 1 <= len(node.args) <= 3:
            self.error(node, f"range takes 1 to 3 positional arguments, got {len(node.args) + len(node.keywords)}")
            raise NotIterable
        values = [self.index_value(argument) for argument in node.args]
        if is_silent(*values):
            self.end_with(node.span, values)
        held = [self.hold(value) for value in values]
        zero, one = Const(INT, node.span, 0), Const(INT, node.span, 1)
        if len(held) == 1:
            return zero, held[0], one
        return held[0], held[1], held[2] if len(held) == 3 else one

    def give_up(self) -> NoReturn:
        """After something was reported."""
        raise NotIterable

    def end_with(self, span: Span, values: Sequence[Expr]) -> NoReturn:
        """Ends the path if one of the values never comes; raises NotIterable if one was reported."""
        if any(value.type == ERROR for value in values):
            raise NotIterable
        self.out.append(Evaluate(span, self.silent(span, values)))
        raise Unreachable

    def index_value(self, node: syntax.Node) -> Expr:
        value = self.as_index(self.fitting(node, self.plain(self.value(node)), whole_error))
        kind = resolve(value.type)
        if is_silent(value):
            return value
        if kind == TENSOR:
            return self.by_prelude(node, prelude.tensor_index, [value])
        if kind in (INT, BOOL):
            return self.coerce(value, INT, "an argument of range")
        if kind == ANY:
            return self.asked_whole(node.span, "range()", value)
        if is_scalar(kind) and convert(value, INT) is not None:
            return self.by_prelude(node, prelude.number_index, [value])
        raised = "TypeError", certain_error(range, [value])
        text = f"an argument of range must be int, got {describe(value)}"
        return self.wrong_or_left(node, raised, text, "write int(...)", [value])

    def iterate_enumerate(self, node: syntax.Call) -> Iteration:
        starts = [keyword.value for keyword in node.keywords if keyword.arg == "start"] + node.args[1:]
        if not node.args or len(starts) > 1 or len(node.args) + len(node.keywords) > 2:
            self.error(node, "enumerate takes an iterable and a start")
            raise NotIterable
        inner = self.iterate(node.args[0])
        start = self.value(starts[0]) if starts else Const(INT, node.span, 0)
        if is_silent(start):
            self.end_with(node.span, [start])
        start = self.coerce(start, INT, "the start of enumerate")
        return self.enumerate_push(node, inner, start) if isinstance(inner, Push) else EnumerateIteration(
            self, node.span, inner, start
        )

    def enumerate_push(self, node: syntax.Node, inner: Push, start: Expr) -> Push:
        number = self.hidden("n")
        self.store(number, start)

        def change(item: Expr, on_item: Callable[[Expr], None]) -> None:
            count = self.hold(self.read_hidden(number, node.span))
            self.store(number, operate("add.int", count, Const(INT, node.span, 1)))
            on_item(MakeTuple(TupleType((INT, item.type)), node.span, [count, item]))

        return ChangedPush(self, node.span, inner, change, [number])

    def iterate_zip(self, node: syntax.Call) -> Iteration:
        is_strict = False
        for keyword in node.keywords:
            if keyword.arg != "strict" or not isinstance(keyword.value, syntax.Constant):
                self.error(keyword, "zip takes iterables and strict=True or strict=False")
                self.give_up()
            is_strict = bool(keyword.value.value)
        if not node.args:
            return UnrolledIteration(self, node.span, [])
        starred = [argument for argument in node.args if isinstance(argument, syntax.Starred)]
        if starred and not is_strict:
            rows = syntax.Starred(node.span, syntax.List(node.span, [self.listed_range(each) for each in node.args]))
            return iterate_columns(self, node, starred[0] if len(node.args) == 1 else rows)
        several = len(node.args) > 1
        inner = [self.pulled(argument) if several else self.iterate(argument) for argument in node.args]
        if len(inner) == 1 and isinstance(inner[0], Push):
            return ChangedPush(self, node.span, inner[0], lambda item, on_item: on_item(
                MakeTuple(TupleType((item.type,)), node.span, [item])))
        self.refuse_pushes(node, inner, "zip")
        known = {each.rounds for each in inner}
        if is_strict and len(known) > 1 and None in known:
            self.error(node, "zip(strict=True) of a tuple and an iterable of unknown length is not supported",
                       "write list(...) around the tuple")
            self.give_up()
        return ZipIteration(self, node.span, inner, is_strict)

    def listed_range(self, node: syntax.Expression) -> syntax.Expression:
        """A range written where it is one row of several: a list, as the others may be."""
        callee = self.callee_again(node) if isinstance(node, syntax.Call) else None
        if not isinstance(callee, Static) or callee.denotation != BuiltinDenotation("range"):
            return node
        return syntax.Call(node.span, self.builtin_name(node.span, "list"), [node], [])

    def iterate_reversed(self, node: syntax.Call) -> Iteration:
        inner = node.args[0]
        if isinstance(inner, syntax.Call):
            callee = self.callee_again(inner)
            if isinstance(callee, Static) and callee.denotation == BuiltinDenotation("range"):
                return RangeIteration(self, node.span, *self.range_parts(inner), is_reversed=True)
        value = self.expr(inner)
        if isinstance(value, Static) and isinstance(value.denotation, RangeDenotation):
            self.evaluate(value)
            return RangeIteration(self, node.span, *value.denotation.parts, is_reversed=True)
        if isinstance(value, Static) and isinstance(value.denotation, ViewDenotation):
            self.evaluate(Static(STATIC, node.span, value.denotation, value.before))
            value = Static(STATIC, node.span, value.denotation)
        return self.iterate_backwards(node, value)

    def iterate_backwards(self, node: syntax.Node, value: Expr) -> Iteration:
        """`reversed` of a value."""
        if isinstance(value, Static) and is_enum(getattr(value.denotation, "python", None)):
            value = self.members(node, value.denotation.python)  # type: ignore[attr-defined]
        if isinstance(value, Static) and isinstance(value.denotation, ViewDenotation):
            owner, view = value.denotation.receiver, value.denotation.view
            if len(arms_of(resolve(owner.type))) > 1:
                return UnionIteration(self, node, owner, True, view)
            return reversed_iteration(self, node, owner, view)
        value = self.fitting(node, self.valued(value), reversal_error)
        kind = resolve(value.type)
        info = self.module_info(kind)
        if info is not None and info.is_container:
            return UnrolledIteration(self, node.span, self.submodules(value, info)[::-1])
        if isinstance(kind, TupleType) and not kind.is_variadic:
            backwards = TupleType(kind.elements[::-1])
            items = tuple_items(self.held_tuple(value), kind)[::-1]
            return self.iterate_tuple(node, MakeTuple(backwards, node.span, items), backwards)
        if isinstance(kind, DictType):
            return reversed_iteration(self, node, value, "keys")
        if kind == TENSOR:
            first = MakeList(ListType(INT), node.span, [Const(INT, node.span, 0)])
            return self.iterate_value(node, self.operate(node, ".flip", [value, first]))
        if is_sequence(kind):
            made = DequeIteration if is_deque(kind) else SequenceIteration
            return made(self, node.span, value, is_reversed=True)
        if is_silent(value):
            self.end_with(node.span, [value])
        if kind == ANY:
            found = self.asks_any(node, "__reversed__") or self.by_prelude(node, any_values.reversed_of, [value])
            return SequenceIteration(self, node.span, found)
        if self.has_instances(kind):
            return self.iterate_instance(node, value, "__reversed__")
        if is_union_of_sequences(kind):
            return UnionIteration(self, node, value, is_reversed=True)
        text = certain_error(reversed, [value])
        shown = f"reversed does not work with {describe(value)}"
        left = self.wrong_or_left(node, ("TypeError", text), shown, None, [value])
        if left.type == NEVER:
            self.end_with(node.span, [left])
        raise NotIterable

    def is_walked_arm(self, kind: Type) -> bool:
        """Whether a loop over a value of several types can walk through one of this type."""
        is_own = is_iterable(kind) or self.is_kept_range(kind) or self.session.functions.is_generator(kind)
        return is_own or self.defines(kind, "__iter__")

    def iterate_value(self, node: syntax.Node, value: Expr) -> Iteration:
        value = self.opened_range(value) if self.is_kept_range(value.type) else self.opened(value)
        if isinstance(value, Static) and isinstance(value.denotation, ViewDenotation) and value.before:
            self.evaluate(value)
            value = Static(STATIC, value.span, value.denotation)
        if isinstance(value, Static) and isinstance(value.denotation, ViewDenotation) and value.denotation.is_method:
            self.error(node, f"the method '{value.denotation.view}' is not iterable", "call it")
            raise NotIterable
        stored = self.iterate_stored(node, value) if isinstance(value, Static) else None
        if stored is not None:
            return stored
        if isinstance(value, Static) and isinstance(value.denotation, ViewDenotation):
            owner, view = value.denotation.receiver, value.denotation.view
            if len(arms_of(resolve(owner.type))) > 1:
                return UnionIteration(self, node, owner, view=view)
            return dict_iteration(self, node.span, owner, view)
        if isinstance(value, Static) and isinstance(value.denotation, KeywordsDenotation):
            value = self.keywords_dict(node.span, value.denotation)
        if (members := self.members_walked(node, value)) is not None:
            return members
        value = taken_one_by_one(as_tuple(self.plain(value)))
        kind = resolve(value.type)
        if is_silent(value):
            self.end_with(node.span, [value])
        if is_sequence(kind):
            return (DequeIteration if is_deque(kind) else SequenceIteration)(self, node.span, value)
        if isinstance(kind, DictType):
            return dict_iteration(self, node.span, value, "keys")
        if isinstance(kind, (SetType, FrozenSetType)):
            return SetIteration(self, node.span, readable_set(value))
        if isinstance(kind, TupleType):
            return self.iterate_tuple(node, value, kind)
        if kind == TENSOR:
            return SequenceIteration(self, node.span, tensor_rows(self, value))
        if kind == ANY:
            if self.is_for_loop(node):
                value = self.unless_asked(value, ("__iter__", "__getitem__"), "iterated over", lambda whole: whole)
                return self.generator_of(node, self.session.source(any_values.walked), [self.hold(value)], [])
            walked = self.items_of_any(node, value)
            if is_silent(walked):
                raise NotIterable
            return SequenceIteration(self, node.span, walked)
        if self.session.functions.is_generator(kind):
            return GeneratorObjectIteration(self, node.span, value)
        if len(arms_of(kind)) > 1 and all(map(self.is_walked_arm, arms_of(kind))):
            return UnionIteration(self, node, value)
        if self.has_instances(kind):
            return self.iterate_instance(node, value)
        raised = "TypeError", None if isinstance(value, Static) else iteration_error(kind)
        left = self.left_to_run(node, raised, [value])
        if left is not None:
            self.end_with(node.span, [left])
        if may_be_iterable(kind) and self.is_inferred(value) or (
            (is_never_iterable(kind) or may_be_iterable(kind)) and self.is_left(node)
        ):
            return UnionIteration(self, node, value)
        info = self.module_info(kind)
        if info is not None and info.is_container:
            items = self.submodules(value, info)
            if info.is_dict:
                items = [Const(STR, node.span, name) for name in info.children]
            return UnrolledIteration(self, node.span, items)
        hint = none_hint(value)
        if isinstance(value, Static) and isinstance(value.denotation, OperatorDenotation):
            hint = "call it"
        if kind == INT:
            hint = f"write range({text_of(node.span)})"
        if (nothing := self.of_nothing(node, value, "an element of an empty container is not iterable")) is not None:
            self.end_with(node.span, [nothing])
        self.session.classes.wait_for([value.type])
        self.error(node, f"{describe(value)} is not iterable", hint)
        raise NotIterable

    def iterate_tuple(self, node: syntax.Node, value: Expr, kind: TupleType) -> Iteration:
        if self.storing and kind.elements:
            element = self.session.functions.merged_all(kind.elements) or union(*kind.elements)
            return SequenceIteration(self, node.span, self.coerce(value, TupleType((element,), True), "the iterable"))
        if len(kind.elements) > UNROLL and len(set(kind.elements)) == 1 and not isinstance(kind.elements[0], ClassType):
            whole = self.coerce(value, TupleType((kind.elements[0],), True), "the iterable")
            return SequenceIteration(self, node.span, whole)
        return UnrolledIteration(self, node.span, tuple_items(self.held_tuple(value), kind))

    def held_tuple(self, value: Expr) -> Expr:
        """A tuple, or a display with each element, evaluated once."""
        if isinstance(value, MakeTuple):
            return MakeTuple(value.type, value.span, [self.hold(item) for item in value.items])
        return value if is_trivial(value) else self.hold(value)
