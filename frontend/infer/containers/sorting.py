"""Inference of key=, reverse= and default=: sorted, list.sort, min and max.

In: their calls. Out: loops that ask for keys, and rows that sort. Holds: each key is asked for once, in order; equal
keys keep their order, also when reversed; only keys are compared.
"""

from __future__ import annotations

from ....ir.types import BOOL, INT, NONE, STR, DictType, ListType, TupleType, Type, arms_of
from ...core.conversions import is_number, operate, to_any
from ...core.denotations import BuiltinDenotation
from ...core.matcher import describe
from ...core.placeholders import Placeholder, resolve
from ...core.typed import ERROR, NEVER, Const, Do, Expr, MakeList, MakeTuple, Read, Static, TupleItem, is_silent, none
from ...parser import syntax
from ...prelude import containers as prelude
from ...prelude import sorting as prelude_sorting
from ..base import InferenceBase, Jump
from ..iteration import Iteration, NotIterable, SequenceIteration


class SortingInference(InferenceBase):
    """Keys."""

    def sort_options(self, node: syntax.Call) -> tuple[syntax.Node | None, syntax.Node | None]:
        """The nodes of key= and reverse=; key=None is no key."""
        options = {keyword.arg: keyword.value for keyword in node.keywords}
        key: syntax.Node | None = options.get("key")
        if key is None or is_none(key) or self.kind_at(key) == NONE:
            return None, options.get("reverse")
        if len(node.args) == 1:
            key = self.key_in(node.args[0], key)
        return self.key_or_itself(key), options.get("reverse")

    def key_or_itself(self, key: syntax.Node) -> syntax.Node:
        """A key that may be None, which stands for the elements themselves."""
        assert isinstance(key, syntax.Expression)
        kind, span = self.kind_at(key), key.span
        if isinstance(key, syntax.IfExp) and (is_none(key.body) or is_none(key.orelse)):
            body, other = (self.itself(key) if is_none(part) else part for part in (key.body, key.orelse))
            return syntax.IfExp(span, key.test, body, other)
        if kind is None or NONE not in arms_of(kind):
            return key
        test = syntax.Compare(span, key, ["is"], [syntax.Constant(span, None)])
        return syntax.IfExp(span, test, self.itself(key), key)

    def itself(self, key: syntax.Node) -> syntax.Lambda:
        """`lambda x: x`, the same in every round."""
        made = self.session.made_lambdas.get((key, "itself"))
        if made is None:
            span, name = key.span, "0key"
            params = syntax.arguments(span, [], [syntax.arg(span, name, None)], None, [], [], None, [])
            made = self.session.made_lambdas[key, "itself"] = syntax.Lambda(span, params, syntax.Name(span, name))
        return made

    def key_in(self, iterable: syntax.Node, key: syntax.Node) -> syntax.Node:
        """`key=d.get` for the keys of `d` itself finds each of them: it is `d[x]`, and never None."""
        while isinstance(iterable, syntax.Call) and isinstance(iterable.func, syntax.Attribute) and (
            iterable.func.attr == "keys" and not iterable.args
        ):
            iterable = iterable.func.value
        if not isinstance(key, syntax.Attribute) or key.attr != "get":
            return key
        if not isinstance(self.kind_at(key.value), DictType) or self.path_of(key.value) != self.path_of(iterable):
            return key
        made = self.session.made_lambdas.get((key, ""))
        if made is None:
            span, name = key.span, "0key"
            params = syntax.arguments(span, [], [syntax.arg(span, name, None)], None, [], [], None, [])
            made = syntax.Lambda(span, params, syntax.Subscript(span, key.value, syntax.Name(span, name)))
            self.session.made_lambdas[key, ""] = made
        return made

    def direction(self, node: syntax.Node, reverse: syntax.Node | None) -> Expr:
        """`reverse=` as a bool."""
        if reverse is None:
            return Const(BOOL, node.span, False)
        value = self.value(reverse)
        if is_silent(value) or resolve(value.type) in (BOOL, INT):
            return value if is_silent(value) else self.truth(value)
        return self.error(reverse, f"reverse= must be a bool, not {describe(value)}")

    def sorted_by(self, node: syntax.Call, values: Expr, key: syntax.Node, reverse: syntax.Node | None) -> Expr:
        """A new list of the elements of a list, in the order of their keys."""
        with self.collect() as statements:
            try:
                result = self.in_key_order(node, values, key, reverse)
            except NotIterable:
                return Const(ERROR, node.span, None)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        return result if result.type == ERROR else Do(result.type, node.span, statements, result)

    def sort_list(self, node: syntax.Call, owner: Expr) -> Expr:
        """`list.sort`, where a key function sees an empty list."""
        key, reverse = self.sort_options(node)
        if node.args or any(keyword.arg not in ("key", "reverse") for keyword in node.keywords):
            return self.error(node, "sort takes key= and reverse= only")
        if is_silent(owner):
            return owner
        with self.collect() as statements:
            owner = self.hold(owner)
            if key is None:
                named = [] if reverse is None else [("reverse", self.direction(node, reverse))]
                self.evaluate(self.operate(node, ".sort", [owner], named))
            else:
                self.sort_by_key(node, owner, key, reverse)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        return Do(NONE, node.span, statements, none(node.span))

    def sort_by_key(self, node: syntax.Call, owner: Expr, key: syntax.Node, reverse: syntax.Node | None) -> None:
        if not isinstance(resolve(owner.type), ListType):
            self.error(node, f"{describe(owner)} cannot be sorted")
            return
        comparison = self.comparison_in(key)
        try:
            callee = self.callee_of(key if comparison is None else comparison)
        except NotIterable:
            return
        backwards = self.direction(node, reverse)
        if is_silent(backwards):
            self.evaluate(backwards)
            return
        function = self.read_variable(callee, node.span)
        made = prelude.sort_by if comparison is None else prelude_sorting.sort_by_comparison
        self.evaluate(self.by_prelude(node, made, [owner, function, self.hold(backwards)]))

    def comparison_in(self, key: syntax.Node) -> syntax.Node | None:
        """The function in `key=cmp_to_key(function)`; None for any other key."""
        if not isinstance(key, syntax.Call) or len(key.args) != 1 or key.keywords:
            return None
        mark = self.reporter.mark()
        callee = self.callee_again(key) if isinstance(key.func, (syntax.Name, syntax.Attribute)) else None
        self.reporter.rewind(mark)
        is_known = isinstance(callee, Static) and callee.denotation == BuiltinDenotation("functools.cmp_to_key")
        return key.args[0] if is_known else None

    def _call_functools_cmp_to_key(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.error(node, "cmp_to_key() can only be written as the key= of sorted() or sort()",
                          "write sorted(..., key=cmp_to_key(function))")

    def in_key_order(self, node: syntax.Call, values: Expr, key: syntax.Node, reverse: syntax.Node | None) -> Expr:
        """Sorts pairs of key and place, then takes the elements at the places."""
        if is_silent(values):
            self.evaluate(values)
            return values
        kind = resolve(values.type)
        if not isinstance(kind, ListType):
            return self.error(node, f"{describe(values)} cannot be sorted")
        values = self.hold(values)
        comparison = self.comparison_in(key)
        callee = self.callee_of(key if comparison is None else comparison)
        backwards = self.direction(node, reverse)
        if is_silent(backwards):
            self.evaluate(backwards)
            return backwards
        backwards = self.hold(backwards)
        if comparison is not None:
            function = self.read_variable(callee, node.span)
            return self.by_prelude(node, prelude_sorting.sorted_by_comparison, [values, function, backwards])
        held = self.hold(operate("list.copy", values, result=kind))
        step = -1 if isinstance(backwards, Const) and backwards.value else 1
        pair = TupleType((Placeholder(), INT))
        pairs = self.hold(MakeList(ListType(pair), node.span, []))
        place = self.hidden("place")
        self.store(place, Const(INT, node.span, 0))
        iteration = SequenceIteration(self, node.span, held)
        is_fixed = isinstance(backwards, Const)

        def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
            found = self.apply(node.span, callee, [item])
            if isinstance(found, Static) or is_silent(found):
                if isinstance(found, Static):
                    self.error(key, f"the key is {found.denotation.describe()}, not a value")
                self.evaluate(found)
                return
            found = self.hold(found)
            here = self.read_hidden(place, node.span)
            made = MakeTuple(TupleType((resolve(found.type), INT)), node.span, [found, here])
            self.evaluate(self.operate(node, ".append", [pairs, made]))
            if self.env is None:
                return
            if is_fixed:
                moved: Expr = operate("add.int", here, Const(INT, node.span, step))
            else:
                sign = operate("mul.int", operate("int.bool", backwards), Const(INT, node.span, -2))
                moved = operate("add.int", here, operate("add.int", sign, Const(INT, node.span, 1)))
            self.store(place, moved)

        self.walk(node.span, iteration, frozenset([place]), None, None, each, None)
        self.drop([place, *iteration.own_names()])
        if self.env is None:
            return Const(NEVER, node.span, None)
        if not isinstance(resolve(pair.elements[0]), Placeholder):
            pairs = self.hold(self.pairs_in_order(node, pairs, pair.elements[0], backwards))
            if is_silent(pairs):
                return pairs
        return self.at_places(node, held, kind, pairs)

    def pairs_in_order(self, node: syntax.Call, pairs: Expr, key: Type, backwards: Expr) -> Expr:
        """Pairs of key and place by their keys: places only decide where keys are plain values."""
        if self.orders_by_method(key) and (self.without_order(key) is None or self.is_left(node)):
            return self.by_prelude(node, prelude_sorting.sorted_pairs, [pairs, backwards])
        return self.operate(node, "sorted()", [pairs], [("reverse", backwards)])

    def at_places(self, node: syntax.Call, held: Expr, kind: ListType, pairs: Expr) -> Expr:
        result = self.hold(MakeList(kind, node.span, []))
        iteration = SequenceIteration(self, node.span, pairs)

        def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
            place = self.hold(TupleItem(INT, node.span, item, 1))
            found = self.operate(node, "_[_]", [held, operate("abs.int", place)])
            self.evaluate(self.operate(node, ".append", [result, found]))

        self.walk(node.span, iteration, frozenset(), None, None, each, None)
        self.drop(iteration.own_names())
        return result

    # min, max

    def extreme_by(
        self, node: syntax.Call, name: str, op: str, key: syntax.Node | None, default: syntax.Node | None
    ) -> Expr:
        """min or max with key= or default=: the first element that no other beats."""
        with self.collect() as statements:
            try:
                result = self.search_extreme(node, name, op, key, default)
            except NotIterable:
                return Const(ERROR, node.span, None)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        if isinstance(result, Static) or result.type == ERROR:
            return result
        return Do(result.type, node.span, statements, result)

    def search_extreme(
        self, node: syntax.Call, name: str, op: str, key: syntax.Node | None, default: syntax.Node | None
    ) -> Expr:
        if len(node.args) == 1:
            iteration = self.iterate(node.args[0])
        else:
            items = [self.value(argument) for argument in node.args]
            if is_silent(*items):
                self.end_with(node.span, items)
            whole = MakeTuple(TupleType(tuple(resolve(item.type) for item in items)), node.span, items)
            iteration = self.iterate_value(node, whole)
        callee = None if key is None else self.callee_of(key)
        otherwise = None if default is None else self.value(default)
        if otherwise is not None and is_silent(otherwise):
            self.end_with(node.span, [otherwise])
        otherwise = None if otherwise is None else self.hold(otherwise)
        return self.scan(node, name, op, iteration, callee, otherwise)

    def scan(
        self, node: syntax.Call, name: str, op: str, iteration: Iteration, callee: str | None, otherwise: Expr | None
    ) -> Expr:
        best, best_key = f":{self.hidden('best')}", f":{self.hidden('key')}"
        span = node.span
        any_yet = self.hidden("any")
        self.store(any_yet, Const(BOOL, span, False))

        def take(item: Expr, found: Expr) -> None:
            self.store(best, item)
            self.store(best_key, found)
            self.store(any_yet, Const(BOOL, span, True))

        def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
            item = self.hold(item)
            found = item if callee is None else self.apply(span, callee, [item])
            if isinstance(found, Static) or is_silent(found):
                if isinstance(found, Static):
                    self.error(node, f"{name}() cannot compare {found.denotation.describe()}")
                self.evaluate(found)
                return
            found = self.hold(found)
            if best not in self.here.variables:
                take(item, found)
                return
            seen = self.read_hidden(any_yet, span)

            def compare() -> None:
                self.here.mark_bound(best_key)
                state = self.here.variables[best_key]
                test = self.before(node, op, found, self.maybe(best_key, span))
                if state.type == NEVER or is_silent(test):
                    self.evaluate(test)
                    return
                here = self.here
                self.branch(span, test, here, here.copy(), None, lambda: take(item, found), lambda: None)

            here = self.here
            self.branch(span, seen, here, here.copy(), None, compare, lambda: take(item, found))

        self.walk(span, iteration, frozenset([best, best_key, any_yet]), None, None, each, None)
        self.drop([best_key, *iteration.own_names()])
        if self.env is None:
            return Const(NEVER, span, None)
        return self.outcome(node, name, best, any_yet, otherwise)

    def before(self, node: syntax.Node, op: str, key: Expr, best: Expr) -> Expr:
        """Whether a key beats the best so far; None among them, as `d.get` may give, raises when it is met."""
        kinds = {arm for value in (key, best) for arm in arms_of(resolve(value.type))}
        if NONE in kinds and len(kinds) > 1 and all(arm in (NONE, STR) or is_number(arm) for arm in kinds):
            return operate("lt.any" if op == "<" else "gt.any", to_any(key), to_any(best))
        return self.truth(self.compare(node, op, key, best))

    def outcome(self, node: syntax.Call, name: str, best: str, any_yet: str, otherwise: Expr | None) -> Expr:
        """The best if there is one, else the default or ValueError."""
        span = node.span
        result = f":{self.hidden('extreme')}"
        seen = self.read_hidden(any_yet, span)

        def found() -> None:
            if best in self.here.variables:
                self.store(result, self.maybe(best, span))
            else:
                self.evaluate(self.raise_error(span, "ValueError", "unreachable"))

        def empty() -> None:
            if otherwise is None:
                self.evaluate(self.raise_error(span, "ValueError", f"{name}() arg is an empty sequence"))
            else:
                self.store(result, otherwise)

        here = self.here
        self.branch(span, seen, here, here.copy(), None, found, empty)
        self.drop([best, any_yet])
        if self.env is None:
            return Const(NEVER, span, None)
        value = self.read_variable(result, span)
        self.drop([result])
        return value

    def maybe(self, full: str, span: syntax.Span) -> Expr:
        """A variable that is bound here, whatever flow has proved."""
        state = self.here.variables[full]
        return Read(resolve(state.type), span, full)


def is_none(node: syntax.Node) -> bool:
    return isinstance(node, syntax.Constant) and node.value is None
