"""Inference of loops over iterables and of comprehensions.

In: for statements, comprehensions, generator expressions of consuming builtins. Out: typed loops, unrolled or not.
Holds: iterables are consumed lazily and in Python's order; a loop over things of different types is unrolled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

from ..ir.types import INT, NONE, TENSOR, ClassType, DictType, ListType, TupleType, Type, arms_of
from . import syntax
from .conversions import is_trivial, operate
from .denotations import BuiltinDenotation, OperatorDenotation, ViewDenotation
from .infer_base import InferenceBase, Jump, Unreachable
from .iteration import (
    DictIteration,
    EnumerateIteration,
    Iteration,
    RangeIteration,
    SequenceIteration,
    UnrolledIteration,
    ZipIteration,
    is_sequence,
    tensor_rows,
)
from .liveness import Names, names_stored, target_names
from .matcher import describe
from .modules import ModuleInfo
from .placeholders import Placeholder, resolve
from .syntax import Span
from .type_facts import tuple_items
from .typed import ERROR, NEVER, Const, Do, Evaluate, Expr, GetAttribute, MakeDict, MakeList, Once, Static, is_silent

UNROLL = 16  # tuples of equal elements up to this length are unrolled


class NotIterable(Exception):
    """Reported already."""


class IterationInference(InferenceBase):
    """Loops."""

    # For statements

    def for_loop(self, node: syntax.For) -> None:
        liveness = self.source.liveness
        head, after = liveness.head[id(node)], liveness.after[id(node)]
        try:
            iteration = self.iterate(node.iter)
        except NotIterable:
            self.skip_body(node)
            return
        assigned = names_stored(node.body) | target_names(node.target)

        def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
            self.assign(node.target, item)
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
        for name in names_stored([node]):
            self.env.store(name, ERROR)

    def walk(
        self, span: Span, iteration: Iteration, assigned: Names, head: Names | None, live: Names | None,
        each: Callable[[Expr, Jump, Jump], None], leave: Jump | None,
    ) -> None:
        """Runs `each(item, break, continue)` for every item; `leave` is where break goes, None: to the loop's end."""
        names = assigned | frozenset(iteration.all_names())
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

    def unrolled_round(
        self, each: Callable[[Expr, Jump, Jump], None], item: Expr, on_break: Jump, on_continue: Jump
    ) -> None:
        each(item, on_break, on_continue)

    # Iterables

    def iterate(self, node: syntax.Node) -> Iteration:
        """Starts walking an iterable. Raises NotIterable after reporting."""
        if isinstance(node, syntax.Call):
            callee = self.expr(node.func)
            if isinstance(callee, Static):
                found = self.iterate_call(node, callee)
                if found is not None:
                    return found
        if isinstance(node, syntax.GeneratorExp):
            self.error(node, "a generator expression cannot be looped over here", "write a list: [...]")
            raise NotIterable
        return self.iterate_value(node, self.expr(node))

    def iterate_call(self, node: syntax.Call, callee: Static) -> Iteration | None:
        denotation = callee.denotation
        if not isinstance(denotation, BuiltinDenotation):
            return self.iterate_container_call(node, callee)
        name = denotation.name
        if name == "range":
            return RangeIteration(self, node.span, *self.range_parts(node))
        if name == "enumerate":
            return self.iterate_enumerate(node)
        if name == "zip":
            return self.iterate_zip(node)
        if name == "reversed" and len(node.args) == 1:
            return self.iterate_reversed(node)
        if name in ("map", "filter", "iter"):
            self.error(node, f"'{name}' is not supported yet", "write a comprehension")
            raise NotIterable
        return None

    def iterate_container_call(self, node: syntax.Call, callee: Static) -> Iteration | None:
        """`self.blocks.items()` of a ModuleDict, `self.net.children()`."""
        from .denotations import MethodDenotation

        denotation = callee.denotation
        if not isinstance(denotation, MethodDenotation) or node.args or node.keywords:
            return None
        info = self.module_info(denotation.receiver.type)
        name = denotation.source.name
        if info is None or name not in ("items", "keys", "values", "children", "named_children"):
            return None
        if name in ("items", "keys", "values") and not info.is_dict:
            return None
        from ..ir.types import STR
        from .typed import MakeTuple

        values = self.submodules(denotation.receiver, info)
        keys: list[Expr] = [Const(STR, node.span, key) for key in info.children]
        if name in ("values", "children"):
            return UnrolledIteration(self, node.span, values)
        if name == "keys":
            return UnrolledIteration(self, node.span, keys)
        pairs = [
            MakeTuple(TupleType((STR, value.type)), node.span, [key, value]) for key, value in zip(keys, values)
        ]
        return UnrolledIteration(self, node.span, pairs)

    def submodules(self, owner: Expr, info: ModuleInfo) -> list[Expr]:
        owner = self.hold(owner)
        return [GetAttribute(info.type.attributes[name], owner.span, owner, name) for name in info.children]

    def range_parts(self, node: syntax.Call) -> tuple[Expr, Expr, Expr]:
        """start, stop, step of a call of range, held."""
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

    def end_with(self, span: Span, values: Sequence[Expr]) -> NoReturn:
        """Ends the path if one of the values never comes; raises NotIterable if one was reported."""
        if any(value.type == ERROR for value in values):
            raise NotIterable
        self.out.append(Evaluate(span, self.silent(span, values)))
        raise Unreachable

    def index_value(self, node: syntax.Node) -> Expr:
        value = self.value(node)
        kind = resolve(value.type)
        if is_silent(value):
            return value
        if kind == TENSOR:
            return operate("int.Tensor", value)
        if kind == INT or kind.__str__() == "bool":
            return self.coerce(value, INT, "an argument of range")
        return self.error(node, f"an argument of range must be int, got {describe(value)}", "write int(...)")

    def iterate_enumerate(self, node: syntax.Call) -> Iteration:
        starts = [keyword.value for keyword in node.keywords if keyword.arg == "start"] + node.args[1:]
        if not node.args or len(starts) > 1 or len(node.args) + len(node.keywords) > 2:
            self.error(node, "enumerate takes an iterable and a start")
            raise NotIterable
        inner = self.iterate(node.args[0])
        start = self.value(starts[0]) if starts else Const(INT, node.span, 0)
        if is_silent(start):
            self.end_with(node.span, [start])
        return EnumerateIteration(self, node.span, inner, self.coerce(start, INT, "the start of enumerate"))

    def iterate_zip(self, node: syntax.Call) -> Iteration:
        if node.keywords:
            self.error(node, "zip(strict=) is not supported yet", "compare the lengths with an assert")
            raise NotIterable
        if not node.args:
            return UnrolledIteration(self, node.span, [])
        return ZipIteration(self, node.span, [self.iterate(argument) for argument in node.args])

    def iterate_reversed(self, node: syntax.Call) -> Iteration:
        inner = node.args[0]
        if isinstance(inner, syntax.Call):
            callee = self.expr(inner.func)
            if isinstance(callee, Static) and callee.denotation == BuiltinDenotation("range"):
                return RangeIteration(self, node.span, *self.range_parts(inner), is_reversed=True)
        value = self.value(inner)
        kind = resolve(value.type)
        info = self.module_info(kind)
        if info is not None and info.is_container:
            return UnrolledIteration(self, node.span, self.submodules(value, info)[::-1])
        if isinstance(kind, TupleType) and not kind.is_variadic:
            return UnrolledIteration(self, node.span, tuple_items(self.hold(value), kind)[::-1])
        if is_sequence(kind):
            return SequenceIteration(self, node.span, value, is_reversed=True)
        if is_silent(value):
            self.end_with(node.span, [value])
        self.error(inner, f"reversed does not work with {describe(value)}")
        raise NotIterable

    def iterate_value(self, node: syntax.Node, value: Expr) -> Iteration:
        if isinstance(value, Static) and isinstance(value.denotation, ViewDenotation):
            return DictIteration(self, node.span, value.denotation.receiver, value.denotation.view)
        kind = resolve(value.type)
        if is_silent(value):
            self.end_with(node.span, [value])
        if is_sequence(kind):
            return SequenceIteration(self, node.span, value)
        if isinstance(kind, DictType):
            return DictIteration(self, node.span, value, "keys")
        if isinstance(kind, TupleType):
            return self.iterate_tuple(node, value, kind)
        if kind == TENSOR:
            return SequenceIteration(self, node.span, tensor_rows(self, value))
        info = self.module_info(kind)
        if info is not None and info.is_container:
            items = self.submodules(value, info)
            if info.is_dict:
                from ..ir.types import STR

                items = [Const(STR, node.span, name) for name in info.children]
            return UnrolledIteration(self, node.span, items)
        hint = "it may be None here; test it first" if NONE in arms_of(kind) and kind != NONE else None
        if isinstance(value, Static) and isinstance(value.denotation, OperatorDenotation):
            hint = "call it"
        if kind == INT:
            hint = "write range(...)"
        self.error(node, f"{describe(value)} is not iterable", hint)
        raise NotIterable

    def iterate_tuple(self, node: syntax.Node, value: Expr, kind: TupleType) -> Iteration:
        if len(kind.elements) > UNROLL and len(set(kind.elements)) == 1 and not isinstance(kind.elements[0], ClassType):
            whole = self.coerce(value, TupleType((kind.elements[0],), True), "the iterable")
            return SequenceIteration(self, node.span, whole)
        return UnrolledIteration(self, node.span, tuple_items(self.held_tuple(value), kind))

    def held_tuple(self, value: Expr) -> Expr:
        """A tuple, or a display with each element, evaluated once."""
        from .typed import MakeTuple

        if isinstance(value, MakeTuple):
            return MakeTuple(value.type, value.span, [self.hold(item) for item in value.items])
        return value if is_trivial(value) else self.hold(value)

    # Comprehensions

    def comprehend(
        self, node: syntax.Node, generators: Sequence[syntax.comprehension], build: Callable[[], None]
    ) -> None:
        """Nested loops of a comprehension around `build`; its variables are hidden from the function."""
        scope: dict[str, str] = {}
        stored = names_stored([node])

        first = self.iterate(generators[0].iter)  # still outside
        for generator in generators:
            scope.update((name, self.hidden(name)) for name in target_names(generator.target))

        def nest(depth: int) -> None:
            if depth == len(generators):
                build()
                return
            generator = generators[depth]
            iteration = self.iterate(generator.iter) if depth else first

            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                from .typed import Loop

                self.assign(generator.target, item)
                again = isinstance(on_continue.target, Loop)

                def skip() -> None:
                    self.leave(generator.span, on_continue, again)

                for test in generator.ifs:
                    value, true, false = self.condition(test)
                    self.branch(test.span, value, true, false, None, lambda: None, skip)
                    if self.env is None:
                        return
                nest(depth + 1)

            self.walk(generator.iter.span, iteration, stored, None, None, each, None)
            self.drop(iteration.own_names())

        self.renames.append(scope)
        try:
            nest(0)
        finally:
            self.renames.pop()

    def gather(self, node: syntax.Node, kind: Type, build: Callable[[Expr], None]) -> Expr:
        """An empty list or dict, filled by `build`, as a value."""
        with self.collect() as statements:
            name = self.hidden("result")
            empty = MakeList(kind, node.span, []) if isinstance(kind, ListType) else MakeDict(kind, node.span, [])
            self.store(name, empty)
            try:
                build(self.read_hidden(name, node.span))
            except NotIterable:
                self.drop([name])
                return Const(ERROR, node.span, None)
            except Unreachable:
                self.env = None
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
            result = self.read_hidden(name, node.span)
            self.drop([name])
        return Do(resolve(kind), node.span, statements, result)

    def _ListComp(self, node: syntax.ListComp | syntax.GeneratorExp, want: Type | None) -> Expr:
        wanted = next((arm for arm in arms_of(resolve(want)) if isinstance(arm, ListType)), None) if want else None
        element: Type = wanted.element if wanted is not None else Placeholder()

        def build(result: Expr) -> None:
            def add() -> None:
                value = self.value(node.elt, None if isinstance(element, Placeholder) else element)
                self.evaluate(self.operate(node.elt, ".append", [result, value]))

            self.comprehend(node, node.generators, add)

        return self.gather(node, ListType(element), build)

    def _GeneratorExp(self, node: syntax.GeneratorExp, want: Type | None) -> Expr:
        return self.error(node, "a generator expression can only be the argument of a consuming builtin",
                          "write a list: [...]")

    def _DictComp(self, node: syntax.DictComp, want: Type | None) -> Expr:
        wanted = next((arm for arm in arms_of(resolve(want)) if isinstance(arm, DictType)), None) if want else None
        kind = wanted or DictType(Placeholder(), Placeholder())

        def build(result: Expr) -> None:
            def add() -> None:
                key = self.hold(self.value(node.key, wanted and wanted.key))
                value = self.hold(self.value(node.value, wanted and wanted.value))
                self.evaluate(self.operate(node.key, "_[_]=_", [result, key, value]))

            self.comprehend(node, node.generators, add)

        return self.gather(node, kind, build)

    def list_from(self, node: syntax.Node, want: Type | None = None) -> Expr:
        """Any iterable as a list: the list itself if it is one, else a new one."""
        if isinstance(node, syntax.GeneratorExp):
            return self._ListComp(node, want)
        if not self.is_lazy(node):
            value = self.expr(node, want)
            if isinstance(value, Static):
                return self.collected(node, lambda: self.iterate_value(node, value))
            kind = resolve(value.type)
            if isinstance(kind, ListType) or is_silent(value):
                return value
            if is_sequence(kind):
                return self.operate(node, "list()", [value])
            if isinstance(kind, TupleType) and kind.elements and len(set(kind.elements)) == 1:
                from .conversions import once
                from .matcher import list_of_tuple

                return once(value, lambda whole: list_of_tuple(whole, kind))
            return self.collected(node, lambda: self.iterate_value(node, value))
        return self.collected(node, lambda: self.iterate(node))

    def is_lazy(self, node: syntax.Node) -> bool:
        """Whether it is a call whose result is an iterator."""
        return isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and any(
            node.func.id == name and self.is_builtin(node.func, name)
            for name in ("range", "zip", "enumerate", "reversed", "map", "filter", "iter")
        )

    def collected(self, node: syntax.Node, start: Callable[[], Iteration]) -> Expr:
        element = Placeholder()

        def build(result: Expr) -> None:
            iteration = start()

            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                self.evaluate(self.operate(node, ".append", [result, item]))

            self.walk(node.span, iteration, frozenset(), None, None, each, None)

        return self.gather(node, ListType(element), build)


