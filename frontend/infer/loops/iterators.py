"""Inference of iterators and ranges that variables hold: `it = iter(x)`, `pairs = zip(a, b)`, `r = range(n)`.

In: calls of iter, zip, map, range and generators where a value is wanted. Out: denotations whose state is hidden
variables of the function, so that each `next` and each loop goes on where the last one stopped.
Holds: what a generator runs is typed where it is consumed, so a stored one is consumed in one place of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ....ir.types import BOOL, INT, NONE, ListType, TupleType, Type
from ...compilation.frames import MARK, shown_name
from ...core.conversions import operate
from ...core.denotations import IteratorDenotation, RangeDenotation, SpecialDenotation
from ...core.placeholders import Placeholder, resolve
from ...core.typed import ERROR, NEVER, STATIC, Const, Expr, GetAttribute, Static, after, boolean, is_silent
from ...objects.function_source import own_nodes
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import ranges as prelude_ranges
from ..base import InferenceBase, Jump
from ..iteration import (
    End,
    GeneratorCall,
    Iteration,
    MethodIteration,
    NotIterable,
    Push,
    RangeIteration,
    UnrolledIteration,
)
from ..type_facts import tuple_items
from .resumable import GeneratorObjectIteration
from .zip_columns import ColumnsIteration

RANGE_PARTS = ("start", "stop", "step")
RANGE_METHODS = ("index", "count")


class StoredIteration(Iteration):
    """An iterator in a variable: once ended, it stays ended."""

    def __init__(self, inference: InferenceBase, span: Span, inner: Iteration) -> None:
        super().__init__(inference, span)
        self.inner = inner
        self.done = self.state("done", boolean(span, False))

    def all_names(self) -> list[str]:
        return [*self.names, *self.inner.all_names()]

    def own_names(self) -> list[str]:
        return []

    def advance(self, step: int, end: End) -> Expr:
        inference = self.inference
        here = inference.here
        inference.branch(self.span, self.read(self.done), here, here.copy(), None, end, lambda: None)
        if inference.env is None:
            return self.integer(0)

        def finish() -> None:
            inference.store(self.done, boolean(self.span, True))
            end()

        return self.inner.advance(0, finish)


class IteratorInference(InferenceBase):
    """Iterators as values."""

    def keep(self, value: Expr) -> Expr:
        """Evaluates now, for use by what is kept longer than this statement if that is being made."""
        return self.keep_always(value) if self.storing else self.hold(value)

    def keep_always(self, value: Expr) -> Expr:
        """Evaluates now, for use after this statement."""
        if isinstance(value, (Const, Static)):
            return value
        return self.read_hidden(self.keep_name(value), value.span)

    def keep_name(self, value: Expr) -> str:
        """A variable that holds a value for good."""
        name = MARK + self.hidden("kept")
        self.store(name, value)
        return name

    def stored_iterator(self, node: syntax.Node) -> Expr:
        """An iterator that the program goes on with later."""
        known = set(self.here.variables)
        unbound = {name: state.definition for name, state in self.here.variables.items() if not state.is_bound}
        with self.collect() as before:
            self.storing += 1
            try:
                inner = self.iterate(node)
                if isinstance(inner, UnrolledIteration) and inner.items:
                    self.error(node, "an iterator over these cannot be kept", "loop over them")
                    self.give_up()
                is_kept = isinstance(inner, (StoredIteration, Push, MethodIteration))
                kept = inner if is_kept else StoredIteration(self, node.span, inner)
            except NotIterable:
                return Const(ERROR, node.span, None)
            finally:
                self.storing -= 1
            self.rebound.update(kept.all_names())
        if isinstance(inner, GeneratorObjectIteration) or isinstance(inner, MethodIteration) and inner.is_iterator:
            return after(before, self.read_hidden(inner.owner, node.span))
        own = frozenset(self.here.variables.keys() - known)
        frame, jumps, renames, *more = self.place
        place = (frame, jumps, [*renames], *more)
        states = self.here.variables
        checked = tuple(pair for pair in unbound.items() if pair[0] in states and states[pair[0]].is_bound)
        denotation = IteratorDenotation(
            kept, id(kept), isinstance(kept, Push), self.frame, node, own, place, checked=checked)
        return Static(STATIC, node.span, denotation, before)

    def stored_range(self, node: syntax.Call) -> Expr:
        with self.collect() as before:
            self.storing += 1
            try:
                start, stop, step = map(self.keep, self.range_parts(node))
                parts = start, stop, step
                if not isinstance(step, Const) or step.value == 0:
                    self.evaluate(operate("range_length", *parts))
            except NotIterable:
                return Const(ERROR, node.span, None)
            finally:
                self.storing -= 1
        return Static(STATIC, node.span, RangeDenotation(parts, next(self._counter)), before)

    def iterate_stored(self, node: syntax.Node, value: Static) -> Iteration | None:
        """A loop over a stored iterator or range; None if it is none."""
        denotation = value.denotation
        if isinstance(denotation, RangeDenotation):
            self.evaluate(value)
            return RangeIteration(self, node.span, *denotation.parts)
        if not isinstance(denotation, IteratorDenotation):
            return None
        self.evaluate(value)
        if denotation.is_push and isinstance(node, syntax.Name) and (
            not self.is_consumed_once(node, denotation) or self.is_left_open(node, denotation)
        ):
            self.want_value(denotation.variable)
        return denotation.iteration

    def is_left_open(self, node: syntax.Name, denotation: IteratorDenotation) -> bool:
        """Whether a loop may leave a generator that its variable still has, and that does something when it ends."""
        source = denotation.iteration.source if isinstance(denotation.iteration, GeneratorCall) else None
        if source is None or not self.ends_by_code(source):
            return False
        return not any(goes_to_end(each, node) for each in own_nodes(self.source.node))

    def is_consumed_once(self, node: syntax.Name, denotation: IteratorDenotation) -> bool:
        """Whether a generator in a variable is consumed here alone, so that it need not be a value."""
        holder = denotation.holder
        first = shown_name(denotation.variable)
        if holder is None or not is_used_once(first, holder.node):
            return False
        return node.id == first or is_used_once(node.id, self.source.node)

    def gathered(self, node: syntax.Node, value: Expr, most: int | None) -> Expr:
        """The items as a list for an unpacking, which asks for one more than it has names for."""
        element = Placeholder()

        def build(result: Expr) -> None:
            iteration = self.iterate_value(node, value)

            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                self.evaluate(self.operate(node, ".append", [result, item]))
                if most is None or self.env is None:
                    return
                test = operate("gt.int", self.operate(node, "len()", [result]), Const(INT, node.span, most))
                here = self.here
                self.branch(node.span, test, here, here.copy(), None, lambda: self.leave(node.span, on_break),
                            lambda: None)

            self.walk(node.span, iteration, frozenset(), None, None, each, None)

        return self.gather(node, ListType(element), build)

    # Several at once

    def makes_iterators(self, node: syntax.Assign) -> bool:
        """`a, b = iter(x), iter(y)`: no tuple is made, since one cannot hold iterators."""
        target, value = node.targets[0], node.value
        if not isinstance(value, syntax.Tuple) or not isinstance(target, (syntax.Tuple, syntax.List)):
            return False
        starred = any(isinstance(item, syntax.Starred) for item in (*target.elts, *value.elts))
        if starred or len(target.elts) != len(value.elts) or len(node.targets) > 1:
            return False
        return any(isinstance(item, syntax.GeneratorExp) or is_view(item) or self.makes_iterator(item)
                   or self.makes_static(item) for item in value.elts)

    def chooses_iterator(self, node: syntax.Assign) -> bool:
        """`a, b = zip(*pairs) if pairs else ([], [])`: an iterator that is unpacked in one arm only."""
        value = node.value
        return isinstance(value, syntax.IfExp) and len(node.targets) == 1 and (
            isinstance(node.targets[0], (syntax.Tuple, syntax.List))) and (
            any(isinstance(arm, syntax.Call) and self.is_lazy(arm) for arm in (value.body, value.orelse)))

    def assign_chosen(self, node: syntax.Assign) -> None:
        """The assignment in each arm."""
        assert isinstance(node.value, syntax.IfExp)
        then, otherwise = (syntax.Assign(node.span, node.targets, arm) for arm in (node.value.body, node.value.orelse))
        self.body([syntax.If(node.span, node.value.test, [then], [otherwise])], goes_on=True)

    def makes_static(self, node: syntax.Node) -> bool:
        """Whether it is a call of range or slice."""
        return isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and any(
            self.is_builtin(node.func, name) for name in ("range", "slice"))

    def assign_each(self, node: syntax.Assign) -> None:
        assert isinstance(node.value, syntax.Tuple) and isinstance(node.targets[0], (syntax.Tuple, syntax.List))
        values: list[Expr] = []
        for item in node.value.elts:
            value = self.expr(item)
            if value.type == NEVER:
                self.evaluate(value)
                return
            if isinstance(value, Static):
                self.evaluate(value)
                denotation = value.denotation
                receiver = getattr(denotation, "receiver", None)
                if isinstance(receiver, Expr) and not isinstance(receiver, Static):
                    denotation = replace(denotation, receiver=self.hold(receiver))  # type: ignore[type-var]
                value = Static(STATIC, value.span, denotation)
            values.append(value if isinstance(value, Static) else self.hold(value))
        for target, value in zip(node.targets[0].elts, values):
            self.assign(target, value)

    # next

    def next_of(self, node: syntax.Call, stored: Iteration, result: str, found: Jump) -> None:
        """The next item of a stored iterator into a variable, if there is one."""

        def look(ended: Jump) -> None:
            item = stored.advance(0, lambda: self.leave(node.span, ended))
            if self.env is not None:
                self.store(result, item)
                self.leave(node.span, found)

        self.once(node.span, None, look)

    # Ranges

    def range_value(self, value: Static, denotation: RangeDenotation) -> Expr:
        """A range as an instance of the class of those that are kept."""
        if denotation.made is not None:
            return after(value.before, denotation.made)
        made = self.by_prelude(syntax.Node(value.span), prelude_ranges.made_range, denotation.parts)
        return after(value.before, made)

    def opened_range(self, value: Expr) -> Expr:
        """A range that was kept, as one of which start, stop and step are known."""
        with self.collect() as before:
            made = self.hold(value)
        start, stop, step = (GetAttribute(INT, value.span, made, name) for name in RANGE_PARTS)
        denotation = RangeDenotation((start, stop, step), next(self._counter), made)
        return Static(STATIC, value.span, denotation, before)

    def is_kept_range(self, kind: Type) -> bool:
        """Whether a type is the class of ranges that are kept, and this no method of it."""
        python = prelude_ranges.Range
        return self.session.classes.python_of(kind) is python and self.source.owner is not python

    def range_length(self, span: Span, denotation: RangeDenotation) -> Expr:
        return operate("range_length", *denotation.parts)

    def range_item(self, node: syntax.Subscript, owner: Static, denotation: RangeDenotation) -> Expr:
        """`r[i]`, `r[a:b:c]`."""
        parts = list(denotation.parts)
        if isinstance(node.slice, syntax.Slice):
            bounds = [self.value(each) if each is not None else Const(NONE, node.span, None) for each in (
                node.slice.lower, node.slice.upper, node.slice.step)]
            if is_silent(*bounds):
                return self.silent(node.span, bounds)
            with self.collect() as before:
                self.storing += 1
                whole = self.keep(self.by_prelude(node, prelude_ranges.range_slice, [*parts, *bounds]))
                self.storing -= 1
            kind = resolve(whole.type)
            if not isinstance(kind, TupleType):
                return whole
            start, stop, step = tuple_items(whole, kind)
            made = RangeDenotation((start, stop, step), next(self._counter))
            return Static(STATIC, node.span, made, before)
        index = self.as_index(self.value(node.slice))
        if is_silent(index):
            return index
        if resolve(index.type) not in (INT, BOOL):
            return self.error(node.slice, f"range indices must be integers or slices, not {resolve(index.type)}")
        return self.by_prelude(node, prelude_ranges.range_item, [*parts, self.coerce(index, INT, "the index")])

    def range_contains(self, node: syntax.Node, item: Expr, denotation: RangeDenotation) -> Expr:
        if resolve(item.type) not in (INT, BOOL):
            return self.error(node, "'in' of a range works with an int here", "compare with its ends")
        item = self.coerce(item, INT, "the item")
        return self.by_prelude(node, prelude_ranges.range_contains, [*denotation.parts, item])

    def ranges_equal(self, node: syntax.Node, left: RangeDenotation, right: RangeDenotation) -> Expr:
        return self.by_prelude(node, prelude_ranges.ranges_equal, [*left.parts, *right.parts])

    def range_attribute(self, node: syntax.Node, denotation: RangeDenotation, name: str) -> Expr:
        if name in RANGE_PARTS:
            return denotation.parts[RANGE_PARTS.index(name)]
        if name in RANGE_METHODS:
            return Static(STATIC, node.span, SpecialDenotation(f"range_{name}", Static(STATIC, node.span, denotation)))
        return self.error(node, f"attribute '{name}' of a range is not supported in scripts", "make a list of it")

    def _special_range_index(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        return self.range_search(node, denotation, prelude_ranges.range_index)

    def _special_range_count(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        return self.range_search(node, denotation, prelude_ranges.range_count)

    def range_search(self, node: syntax.Call, denotation: SpecialDenotation, function: Callable[..., int]) -> Expr:
        """`r.index(i)`, `r.count(i)`"""
        owner = denotation.receiver
        assert isinstance(owner, Static) and isinstance(owner.denotation, RangeDenotation)
        if not self.has_count(node, denotation.name.removeprefix("range_"), 1):
            return Const(ERROR, node.span, None)
        item = self.value(node.args[0])
        if is_silent(item):
            return item
        if resolve(item.type) not in (INT, BOOL):
            return self.error(node.args[0], "a range is searched for an int here", "make a list of it")
        return self.by_prelude(node, function, [*owner.denotation.parts, self.coerce(item, INT, "the item")])


def goes_to_end(node: syntax.Node, walked: syntax.Node) -> bool:
    """Whether it walks through an iterator until that ends, if nothing raises."""
    if isinstance(node, syntax.For) and node.iter is walked:
        return not any(isinstance(each, (syntax.Break, syntax.Return)) for each in syntax.walk(node))
    if isinstance(node, (syntax.ListComp, syntax.SetComp, syntax.DictComp)):
        return node.generators[0].iter is walked
    whole = ("list", "tuple", "set", "frozenset", "dict", "sum", "min", "max", "sorted")
    return isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and node.func.id in whole and (
        any(each is walked for each in node.args))


def is_view(node: syntax.Node) -> bool:
    """Whether it is written like `d.keys()`."""
    return isinstance(node, syntax.Call) and isinstance(node.func, syntax.Attribute) and not node.args and (
        node.func.attr in ("keys", "values", "items"))


def columns_in(value: Expr) -> ColumnsIteration | None:
    """The columns that a stored `zip(*rows)` of tuples has."""
    denotation = value.denotation if isinstance(value, Static) else None
    stored = denotation.iteration if isinstance(denotation, IteratorDenotation) else None
    inner = stored.inner if isinstance(stored, StoredIteration) else None
    return inner if isinstance(inner, ColumnsIteration) else None


def is_used_once(name: str, function: syntax.Node) -> bool:
    """Whether a function reads a variable in one place, once for each time that it is assigned; a walrus reads what it
    assigns."""
    reads = [each for each in syntax.walk(function) if isinstance(each, syntax.Name) and each.id == name]
    kinds = (syntax.Assign, syntax.NamedExpr, syntax.AnnAssign)
    sites = [each for each in syntax.walk(function) if isinstance(each, kinds) and any(
        isinstance(target, syntax.Name) and target.id == name for target in targets(each))]
    written = {id(target) for site in sites for target in targets(site)}
    used: list[syntax.Node] = [each for each in reads if id(each) not in written]
    used += [each for each in sites if isinstance(each, syntax.NamedExpr)]
    if len(used) != 1 or len(sites) > 1:
        return False
    around = [each for each in syntax.walk(function) if each is not function and isinstance(each, REPEATED)
              and is_repeated(each, used[0])]
    return all(sites and any(each is sites[0] for each in syntax.walk(loop)) for loop in around)


REPEATED = (
    syntax.For, syntax.While, syntax.ListComp, syntax.SetComp, syntax.DictComp, syntax.GeneratorExp, syntax.FunctionDef,
    syntax.Lambda,
)


def is_repeated(loop: syntax.Node, node: syntax.Node) -> bool:
    """Whether a node stands where a loop, or a call of a function, runs it again."""
    if isinstance(loop, syntax.For):
        parts: Sequence[syntax.Node] = loop.body
    elif isinstance(loop, syntax.While):
        parts = [loop.test, *loop.body]
    elif isinstance(loop, (syntax.ListComp, syntax.SetComp, syntax.DictComp, syntax.GeneratorExp)):
        parts = [loop]
        if any(each is node for each in syntax.walk(loop.generators[0].iter)):
            return False
    else:
        parts = [loop]
    return any(each is node for part in parts for each in syntax.walk(part))


def targets(node: syntax.Node) -> list[syntax.Node]:
    return list(node.targets) if isinstance(node, syntax.Assign) else [node.target]  # type: ignore[attr-defined]
