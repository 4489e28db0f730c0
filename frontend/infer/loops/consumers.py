"""Inference of builtins that consume an iterable: list, tuple, dict, sorted, any, all, sum, min, max.

In: their calls. Out: operator rows where one has the meaning, else typed loops.
Holds: any and all stop at the element that decides; min and max of several values keep each one's type.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import (
    ANY,
    BOOL,
    BYTES,
    FLOAT,
    INT,
    STR,
    TENSOR,
    DictType,
    ListType,
    NamedTupleType,
    TupleType,
    Type,
    arms_of,
    is_shape,
)
from ...compilation.frames import MARK
from ...core.conversions import as_shape, as_tuple, convert, once, operate
from ...core.denotations import KeywordsDenotation
from ...core.matcher import describe
from ...core.placeholders import join, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Choose,
    Const,
    Do,
    Expr,
    Let,
    MakeList,
    MakeTuple,
    Operate,
    ReadTemp,
    Static,
    Temp,
    after,
    boolean,
    is_silent,
    none,
)
from ...parser import syntax
from ...prelude import any_values
from ...prelude import containers as prelude
from ..base import InferenceBase, Jump
from ..iteration import NotIterable, SequenceIteration
from ..joined_types import joined_container
from ..type_facts import converted_to, wanted_arm
from .pairs import pairs_of


class ConsumerInference(InferenceBase):
    """One method a builtin: `_call_sum`."""

    def _call_list(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1):
            return self.wrong(node)
        if not node.args:
            return self.expr(syntax.List(node.span, []), want)
        argument = node.args[0]
        value = self.list_from(argument, want)
        if is_silent(value):
            return value
        if value.type == STATIC or not isinstance(resolve(value.type), ListType):
            return self.error(argument, f"{describe(value)} cannot be made a list")
        arm, kind = wanted_arm(want, ListType), resolve(value.type)
        if arm is not None and arm != kind and joined_container(arm, kind, is_deep=True) == arm:
            return self.remade(node, value, arm)  # it is asked for with more kinds of elements than these
        made = isinstance(value, Operate) and value.row.name in ("list.from_str", "list.from_tuple")
        if made or isinstance(value, (Do, MakeList)):
            return value
        return self.operate(node, "list()", [value])

    def _call_tuple(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1):
            return self.wrong(node)
        if not node.args:
            return MakeTuple(TupleType(()), node.span, [])
        if self.is_lazy(node.args[0]):
            value = self.list_from(node.args[0])
        else:
            value = self.expr(node.args[0])
            if is_shape(resolve(value.type)):
                return operate("tuple.size", value, result=TupleType((INT,), True))
            if isinstance(resolve(value.type), TupleType) or is_silent(value):
                return value
            if isinstance(resolve(value.type), NamedTupleType):
                return as_tuple(value)
            value = self.list_of(node.args[0], value)
        return value if is_silent(value) else self.operate(node, "tuple()", [value])

    def _call_Size(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1):
            return self.wrong(node)
        value = self._call_tuple(node, None)
        extents = convert(value, TupleType((INT,), True))
        if extents is None:
            return self.error(node, f"Size() takes ints, got {describe(value)}")
        return extents[0] if is_silent(extents[0]) else as_shape(extents[0])

    def _call_dict(self, node: syntax.Call, want: Type | None) -> Expr:
        if not node.args and not node.keywords:
            return self.expr(syntax.Dict(node.span, [], []), want)
        if not node.args and all(keyword.arg is not None for keyword in node.keywords):
            keys: list[syntax.Expression | None] = [
                syntax.Constant(keyword.span, keyword.arg) for keyword in node.keywords
            ]
            return self.expr(syntax.Dict(node.span, keys, [keyword.value for keyword in node.keywords]), want)
        if len(node.args) != 1 or any(keyword.arg is None for keyword in node.keywords):
            text = "dict() takes an iterable and keyword arguments here"
            return self.error(node, text, "write {k: v for k, v in ...}")
        made = self.dict_from(node.args[0], want)
        if not node.keywords or is_silent(made):
            return made
        more = self._call_dict(syntax.Call(node.span, node.func, [], node.keywords), resolve(made.type))
        return self.binary(node, "|", made, more)

    def dict_from(self, node: syntax.Expression, want: Type | None) -> Expr:
        """A new dict of a dict's entries, or of an iterable's pairs."""
        if isinstance(node, (syntax.List, syntax.Tuple)) and not node.elts:
            return self.expr(syntax.Dict(node.span, [], []), want)
        if not self.is_lazy(node) and not isinstance(node, (syntax.GeneratorExp, syntax.List, syntax.ListComp)):
            value = self.opened(self.expr(node))
            if isinstance(value, Static) and isinstance(value.denotation, KeywordsDenotation):
                return self.keywords_dict(node.span, value.denotation)
            if not is_silent(value) and resolve(value.type) == ANY:
                table = self.by_prelude(node, any_values.table_of, [value])
                return self.by_prelude(node, any_values.keyed_by_texts, [table])
            value = self.one_dict(node, value)
            if not is_silent(value) and any(isinstance(arm, DictType) for arm in arms_of(resolve(value.type))):
                return self.each_arm(value, lambda one: self.dict_of(node, one, want))
            if is_silent(value):
                return value
        return self.dict_of_pairs(node, node, want)

    def dict_of(self, node: syntax.Expression, value: Expr, want: Type | None) -> Expr:
        """The same of a value at one of the types that it may have."""
        if isinstance(resolve(value.type), DictType):
            return self.operate(node, "dict()", [value])
        name = f"{MARK}pairs.{node.span.line}.{node.span.column}"
        with self.collect() as statements:
            self.store(name, value)
            made = self.dict_of_pairs(node, syntax.Name(node.span, name), want)
        return Do(made.type, node.span, statements, made)

    def dict_of_pairs(self, node: syntax.Node, pairs: syntax.Expression, want: Type | None) -> Expr:
        pair: list[syntax.Expression] = [syntax.Name(node.span, ".key"), syntax.Name(node.span, ".value")]
        part = syntax.comprehension(node.span, syntax.Tuple(node.span, pair), pairs_of(pairs), [])
        return self.expr(syntax.DictComp(node.span, pair[0], pair[1], [part]), want)

    def call_fromkeys(self, node: syntax.Call, want: Type | None) -> Expr:
        """dict.fromkeys(keys, value)."""
        if not 1 <= len(node.args) <= 2 or node.keywords:
            return self.error(node, "dict.fromkeys() takes an iterable and a value")
        wanted = resolve(want) if want is not None else None
        hint = wanted.value if isinstance(wanted, DictType) else None
        keys = self.list_from(node.args[0])
        value = self.value(node.args[1], hint) if len(node.args) == 2 else none(node.span)
        if is_silent(keys, value):
            return self.silent(node.span, [keys, value])
        kind = resolve(keys.type)
        if not isinstance(kind, ListType) or not kind.element.is_hashable:
            return self.error(node.args[0], f"{describe(keys)} cannot give dict keys")
        if hint is not None:
            value = self.coerce(value, hint, "the value")
        if value.type == ERROR:
            return value
        return self.compared(operate("dict.fromkeys", keys, value, result=DictType(kind.element, resolve(value.type))))

    def _call_sorted(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1, ("key", "reverse")):
            return self.wrong(node)
        key, reverse = self.sort_options(node)
        values = self.list_from(node.args[0])
        if is_silent(values):
            return values
        if key is not None:
            return self.sorted_by(node, values, key, reverse)
        named = [] if reverse is None else [("reverse", self.direction(node, reverse))]
        return self.operate(node, "sorted()", [values], named)

    def _call_any(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.quantifier(node, True)

    def _call_all(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.quantifier(node, False)

    def quantifier(self, node: syntax.Call, decisive: bool) -> Expr:
        """any and all stop at the first element that decides."""
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        argument = node.args[0]
        if not isinstance(argument, syntax.GeneratorExp):
            name = syntax.Name(argument.span, ".element")
            part = syntax.comprehension(argument.span, name, argument, [])
            argument = syntax.GeneratorExp(argument.span, name, [part])
        with self.collect() as statements:
            result = self.hidden("answer")
            self.store(result, boolean(node.span, not decisive))
            try:
                self.search(argument, result, decisive)
            except NotIterable:
                return Const(ERROR, node.span, None)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
            value = self.read_hidden(result, node.span)
            self.drop([result])
        return Do(BOOL, node.span, statements, value)

    def search(self, generator: syntax.GeneratorExp, result: str, decisive: bool) -> None:
        def look(found: Jump) -> None:
            def test() -> None:
                value = self.truth(self.expr(generator.elt))
                if value.type == NEVER:
                    self.evaluate(value)
                    return
                here = self.here

                def decide() -> None:
                    self.store(result, boolean(generator.span, decisive))
                    self.leave(generator.span, found)

                arms = (decide, lambda: None) if decisive else (lambda: None, decide)
                if not is_silent(value):
                    self.branch(generator.span, value, here, here.copy(), None, *arms)

            self.comprehend(generator, generator.generators, test)

        self.once(generator.span, None, look)

    def _call_sum(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 2, ("start",)):
            return self.wrong(node)
        given = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
        if given and isinstance(given[0], syntax.Tuple) and not given[0].elts:
            return self.sum_of_tuples(node, self.list_from(node.args[0]), self.expr(given[0]))
        if self.is_lazy(node.args[0]):
            return self.running_sum(node)
        value = self.expr(node.args[0])
        if resolve(value.type) == TENSOR:
            return self.operate(node, ".sum", [value], [("dim", Const(INT, node.span, 0))])
        if isinstance(value, (MakeList, MakeTuple)) and value.items and not given and all(
            resolve(item.type) == TENSOR for item in value.items
        ):
            return self.sum_of_display(node, value.items)
        values = self.list_of(node.args[0], value)
        starts = [self.value(argument) for argument in node.args[1:]] + [value for _, value in self.keywords(node)]
        kind = resolve(values.type)
        if is_silent(values, *starts):
            return self.silent(node.span, [values, *starts])
        if isinstance(kind, ListType) and kind.element in (INT, FLOAT) and len(starts) <= 1:
            if not starts or resolve(starts[0].type) in (INT, kind.element):
                return self.operate(node, "sum()", [values, *starts])
        if starts and isinstance(resolve(starts[0].type), TupleType):
            return self.sum_of_tuples(node, values, starts[0])
        return self.fold_sum(node, values, starts[0] if starts else Const(INT, node.span, 0))

    def sum_of_display(self, node: syntax.Call, items: Sequence[Expr]) -> Expr:
        """`sum([a, b])` of tensors: there are some, so that it is no int."""
        with self.collect() as before:
            held = [self.hold(item) for item in items]
            total: Expr = Const(INT, node.span, 0)
            for item in held:
                total = self.binary(node, "+", total, item)
        return after(before, total)

    def sum_of_tuples(self, node: syntax.Call, values: Expr, start: Expr) -> Expr:
        """Their elements, however many there are, behind those of the start."""
        kind = resolve(values.type)
        if is_silent(values, start):
            return self.silent(node.span, [values, start])
        if not isinstance(kind, ListType) or not all(
            isinstance(arm, (TupleType, NamedTupleType)) for arm in arms_of(resolve(kind.element))
        ):
            text = f"sum() of {describe(values)} does not work with a tuple as its start"
            return self.error(node.args[0], text, "can only concatenate tuples to a tuple")
        members = [member for arm in (*arms_of(resolve(kind.element)), resolve(start.type)) for member in arm.members]
        parts = MakeList(ListType(join(*members) if members else INT), node.span, [])
        return self.by_prelude(node, prelude.concatenated, [parts, start, values])

    def running_sum(self, node: syntax.Call) -> Expr:
        """sum of an iterator, added up as it runs. Its elements decide whether the start is a float (D5)."""
        before, mark = self.here.copy(), self.reporter.mark()
        result, kinds = self.add_up(node, None)
        if kinds == {FLOAT}:
            self.env = before
            self.reporter.rewind(mark)
            result, _kinds = self.add_up(node, FLOAT)
        return result

    def add_up(self, node: syntax.Call, start_type: Type | None) -> tuple[Expr, set[Type]]:
        kinds: set[Type] = set()
        with self.collect() as statements:
            try:
                iteration = self.iterate(node.args[0])
                given = [self.value(argument) for argument in node.args[1:]] + [v for _, v in self.keywords(node)]
                if is_silent(*given):
                    self.end_with(node.span, given)
                start = given[0] if given else Const(INT, node.span, 0)
                if resolve(start.type) in (STR, BYTES):
                    self.end_with(node.span, [self.error(node, "sum() does not add texts", 'write "".join(...)')])
                if start_type is not None and resolve(start.type) == INT:
                    start = self.coerce(start, start_type, "the start")
                total = self.hidden("total")
                self.store(total, start)

                def each(item: Expr, on_break: object, on_continue: object) -> None:
                    kinds.add(resolve(item.type))
                    self.store(total, self.binary(node, "+", self.read_hidden(total, node.span), item))

                self.walk(node.span, iteration, frozenset([total]), None, None, each, None)
            except NotIterable:
                return Const(ERROR, node.span, None), kinds
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None)), kinds
            value = self.read_hidden(total, node.span)
            self.drop([total, *iteration.own_names()])
        return Do(value.type, node.span, statements, value), kinds

    def fold_sum(self, node: syntax.Call, values: Expr, start: Expr) -> Expr:
        """sum of what has no row: bools, tensors, mixed numbers, by addition from left to right."""
        kind = resolve(values.type)
        if not isinstance(kind, ListType):
            return self.error(node.args[0], f"sum() does not work with {describe(values)}")
        is_refused = resolve(start.type) in (STR, BYTES) or resolve(kind.element) == STR and not self.is_left(node)
        if is_refused:  # else an addition raises what Python raises
            return self.error(node.args[0], "sum() does not add texts", 'write "".join(...)')
        with self.collect() as statements:
            total = self.hidden("total")
            iteration = SequenceIteration(self, node.span, values)
            self.store(total, start)

            def each(item: Expr, on_break: object, on_continue: object) -> None:
                self.store(total, self.binary(node, "+", self.read_hidden(total, node.span), item))

            self.walk(node.span, iteration, frozenset([total]), None, None, each, None)
            value = self.read_hidden(total, node.span)
            self.drop([total, *iteration.own_names()])
        return Do(value.type, node.span, statements, value)

    def _call_min(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.extreme(node, "min", "<")

    def _call_max(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.extreme(node, "max", ">")

    def extreme(self, node: syntax.Call, name: str, op: str) -> Expr:
        is_spread = any(isinstance(argument, syntax.Starred) for argument in node.args)
        if is_spread and all(keyword.arg == "key" for keyword in node.keywords):
            return self.extreme_of_spread(node, name, op)
        if not self.takes(node, 1, 1000, ("key", "default")):
            return self.wrong(node)
        options = {keyword.arg: keyword.value for keyword in node.keywords}
        if "default" in options and len(node.args) > 1:
            return self.error(node, f"Cannot specify a default for {name}() with multiple positional arguments")
        key, _reverse = self.sort_options(node)
        is_one = len(node.args) == 1 and self.is_lazy(node.args[0])
        if key is not None or "default" in options or is_one:
            return self.extreme_by(node, name, op, key, options.get("default"))
        if len(node.args) == 1:
            values = self.list_from(node.args[0])
            kind = resolve(values.type)
            if kind == TENSOR or is_silent(values):
                return self.operate(node, f".{name}", [values])
            if isinstance(kind, ListType) and kind.element in (INT, FLOAT):
                return self.operate(node, f"{name}()", [values])
            return self.fold_extreme(node, name, op, values)
        return self.extreme_of(node, name, op, [self.value(argument) for argument in node.args])

    def extreme_of_spread(self, node: syntax.Call, name: str, op: str) -> Expr:
        """max(*pair, x)"""
        with self.collect() as before:
            items: list[Expr] = []
            for place, argument in enumerate(node.args):
                if not isinstance(argument, syntax.Starred):
                    items.append(self.hold(self.value(argument)))
                    continue
                found = self.rest_items(argument)
                if isinstance(found, Expr):
                    result = self.extreme_of_rows(node, name, op, items, found, node.args[place + 1 :])
                    return after(before, result)
                items.extend(found if found is not None else [self.wrong(node)])
            if len(items) < 2 and not is_silent(*items):
                return self.error(node, f"{name}() needs two values, or an iterable", "write it without '*'")
            result = self.extreme_in(node, items) if node.keywords else self.extreme_of(node, name, op, items)
        return after(before, result)

    def extreme_in(self, node: syntax.Call, values: Sequence[Expr]) -> Expr:
        """The same call of values that are there, with its key."""
        if is_silent(*values):
            return self.silent(node.span, values)
        names: list[syntax.Expression] = []
        for value in values:
            hidden = MARK + self.hidden("part")
            self.store(hidden, value)
            names.append(syntax.Name(node.span, hidden))
        return self.expr(syntax.Call(node.span, node.func, names, node.keywords))

    def extreme_of_rows(
        self, node: syntax.Call, name: str, op: str, first: list[Expr], row: Expr, rest: list[syntax.Expression]
    ) -> Expr:
        """max(x, *row, ...): one value alone would be the iterable."""
        names = [MARK + self.hidden("part") for _ in (*first, row)]
        for hidden, value in zip(names, (*first, row)):
            self.store(hidden, value)
        parts: list[syntax.Expression] = [syntax.Name(node.span, hidden) for hidden in names]
        parts[-1] = syntax.Starred(node.span, parts[-1])
        whole = self.hold(self.expr(syntax.List(node.span, [*parts, *rest])))
        self.drop(names)
        if is_silent(whole):
            return whole
        kind = resolve(whole.type)
        element = resolve(kind.element) if isinstance(kind, ListType) else kind
        if len(first) + sum(1 for each in rest if not isinstance(each, syntax.Starred)) < 2:
            if element not in (INT, FLOAT, BOOL):
                return self.error(node, f"{name}(*...) of {element} may have one argument, which then is the iterable",
                                  f"write {name}(...) of the list itself")
            length = self.hold(self.operate(node, "len()", [whole]))
            self.refuse_if(node.span, "eq.int", length, 0, "TypeError", f"{name} expected at least 1 argument, got 0")
            self.refuse_if(node.span, "eq.int", length, 1, "TypeError", f"'{element}' object is not iterable")
        if node.keywords:
            return self.extreme_in(node, [whole])
        if element in (INT, FLOAT):
            return self.operate(node, f"{name}()", [whole])
        return self.fold_extreme(node, name, op, whole)

    def extreme_of(self, node: syntax.Call, name: str, op: str, items: list[Expr]) -> Expr:
        """The least or greatest of several values."""
        if is_silent(*items):
            return self.silent(node.span, items)
        kinds = {resolve(item.type) for item in items}
        if kinds in ({INT}, {FLOAT}):
            result = items[0]
            for item in items[1:]:
                result = self.operate(node, f"{name}()", [result, item])
            return result
        return self.pick(node, op, items)

    def pick(self, node: syntax.Node, op: str, items: list[Expr]) -> Expr:
        """min and max of several values, each kept with its type: the first that no other beats."""
        temps = [Temp(item) for item in items]
        reads: list[Expr] = [ReadTemp(resolve(item.type), item.span, temp) for item, temp in zip(items, temps)]
        best = reads[0]
        for read in reads[1:]:
            best = self.better(node, op, read, best)
            if best.type == ERROR:
                return best
            if is_silent(best):
                break
        for temp, item in reversed(list(zip(temps, items))):
            best = Let(best.type, node.span, temp, item, best)
        return best

    def better(self, node: syntax.Node, op: str, item: Expr, best: Expr) -> Expr:
        def choose(current: Expr) -> Expr:
            test = self.compare(node, op, item, current)
            if is_silent(test):
                return test
            kind = join(current.type, item.type)
            return Choose(kind, node.span, self.truth(test), converted_to(item, kind), converted_to(current, kind), [])

        return once(best, choose)

    def fold_extreme(self, node: syntax.Call, name: str, op: str, values: Expr) -> Expr:
        """min and max over a list that has no row: by comparison from left to right."""
        if not isinstance(resolve(values.type), ListType):
            return self.error(node.args[0], f"{name}() does not work with {describe(values)}")
        with self.collect() as statements:
            held = self.hold(values)
            size = self.operate(node, "len()", [held])
            is_empty = operate("eq.int", size, Const(INT, node.span, 0))
            text = f"{name}() arg is an empty sequence"
            self.branch(
                node.span, is_empty, self.here, self.here.copy(), None,
                lambda: self.evaluate(self.raise_error(node.span, "ValueError", text)), lambda: None,
            )
            best = self.hidden("best")
            self.store(best, self.operate(node, "_[_]", [held, Const(INT, node.span, 0)]))
            iteration = SequenceIteration(self, node.span, held)

            def each(item: Expr, on_break: object, on_continue: object) -> None:
                self.store(best, self.better(node, op, item, self.read_hidden(best, node.span)))

            self.walk(node.span, iteration, frozenset([best]), None, None, each, None)
            value = self.read_hidden(best, node.span)
            self.drop([best, *iteration.own_names()])
        return Do(value.type, node.span, statements, value)
