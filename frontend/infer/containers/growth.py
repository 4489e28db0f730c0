"""Inference of what takes in the elements of iterables: extend and += of lists, update of dicts, displays with
`*` and `**`.

In: their syntax. Out: containers that grow item by item in the order of evaluation, as CPython's do: an iterable sees
what was put in before it, and what came before an error stays. Holds: a display is always a new container.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import ANY, INT, NONE, STR, DictType, ListType, TupleType, Type, arms_of, plain_container
from ...core.conversions import convert, keeps_kinds, once_all
from ...core.denotations import KeywordsDenotation
from ...core.matcher import NoMatch, describe, match
from ...core.placeholders import has_placeholder, join, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    Const,
    Do,
    Expr,
    Let,
    MakeDict,
    MakeList,
    MakeTuple,
    ReadTemp,
    Static,
    Temp,
    is_silent,
    none,
)
from ...objects.class_facts import find_method
from ...parser import syntax
from ...prelude import any_values, containers
from ..base import InferenceBase
from ..functions.operator_calls import element_hint
from ..iteration import DictIteration, Iteration, NotIterable
from ..loops.pairs import first_error, pairs_iteration
from ..operand_errors import class_name, iteration_error
from ..type_facts import tuple_items, wanted_arm

Part = tuple[bool, Expr]  # whether a star stands before it, and the value: a list if so


class GrowthInference(InferenceBase):
    """Containers that take in others."""

    # extend and +=

    def call_extend(self, node: syntax.Call, owner: Expr) -> Expr:
        """`owner.extend(iterable)`."""
        argument = node.args[0]
        hint = element_hint(owner) if self.is_declared(owner) else None
        return self.grown(node, owner, argument, ".extend", hint and ListType(hint))

    def grown(self, node: syntax.Node, owner: Expr, argument: syntax.Node, row: str, want: Type | None = None) -> Expr:
        """A list after the items of `argument` were put behind its own: at once by `row` if they are in such a list."""
        value = None if self.is_lazy(argument) else self.expr(argument, want)
        if value is not None and is_silent(value):
            return self.silent(node.span, [owner, value])
        if value is not None and isinstance(resolve(value.type), ListType):
            try:
                if self.is_declared(owner) or not self.changes_kinds(owner, value):
                    return match(row, [owner, value])
            except NoMatch:
                if not self.goes_into(value, owner):
                    return self.operate(node, row, [owner, value])
        with self.collect() as statements:
            held = self.hold(owner)
            self.looped.add(argument)
            try:
                iteration = self.iterate(argument) if value is None else self.iterate_value(argument, value)
            except NotIterable:
                return Const(ERROR, node.span, None)
            self.append_each(node, held, iteration)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        result = none(node.span) if row == ".extend" else held
        return Do(result.type, node.span, statements, result)

    def changes_kinds(self, first: Expr, second: Expr) -> bool:
        """Whether numbers of the second of two lists or dicts would become of the kind of the first one's."""
        a, b = resolve(first.type), resolve(second.type)
        is_plain = isinstance(a, (ListType, DictType)) and type(a) is type(b) and a.name in ("list", "dict")
        if a == b or not is_plain or any(map(has_placeholder, (a, b))):
            return False
        return not all(map(keeps_kinds, b.members, a.members))

    def goes_into(self, value: Expr, owner: Expr) -> bool:
        """Whether the elements of one list can be put into another of a wider type."""
        source, target = resolve(value.type), resolve(owner.type)
        assert isinstance(source, ListType) and isinstance(target, ListType)
        return convert(sample(source.element, value), target.element) is not None

    def append_each(
        self, node: syntax.Node, owner: Expr, iteration: Iteration, element: Type | None = None
    ) -> None:
        """Appends the items, at the element type of a display."""
        def each(item: Expr, on_break: object, on_continue: object) -> None:
            value = self.valued(item)
            self.evaluate(self.operate(node, ".append", [owner, as_element(value, element) if element else value]))

        self.walk(node.span, iteration, frozenset(), None, None, each, None)
        self.drop(iteration.own_names())

    # dict.update

    def call_dict_update(self, node: syntax.Call, receiver: Expr) -> Expr:
        """A dict, or an iterable of pairs, then keywords: entered one by one."""
        kind = resolve(receiver.type)
        assert isinstance(kind, DictType)
        if len(node.args) > 1 or any(isinstance(argument, syntax.Starred) for argument in node.args):
            return self.error(node, f"update expected at most 1 argument, got {len(node.args)}")
        with self.collect() as statements:
            owner = self.hold(receiver)
            try:
                for argument in node.args:
                    self.update_from(node, owner, argument)
            except NotIterable:
                return Const(ERROR, node.span, None)
            if self.env is not None and node.keywords:
                keys: list[syntax.Expression | None] = []
                for keyword in node.keywords:
                    if keyword.arg is None:
                        text = "'**' in a call is not supported yet"
                        return self.error(keyword, text, "write the keyword arguments out")
                    keys.append(syntax.Constant(keyword.span, keyword.arg))
                entries = syntax.Dict(node.span, keys, [keyword.value for keyword in node.keywords])
                more = self.expr(entries, self.entries_hint(owner))
                if not self.is_declared(owner) and self.changes_kinds(owner, more):
                    self.learn_elements(".update", [owner, more])
                self.evaluate(self.operate(node, ".update", [owner, more]))
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        return Do(NONE, node.span, statements, none(node.span))

    def entries_hint(self, owner: Expr) -> Type | None:
        """The type of a dict's entries, where an annotation says it or nothing is known of it yet."""
        kind = resolve(owner.type)
        return kind if self.is_declared(owner) or has_placeholder(kind) else None

    def update_from(self, node: syntax.Call, owner: Expr, argument: syntax.Expression) -> None:
        is_lazy = self.is_lazy(argument)
        value = None if is_lazy else self.opened(self.expr(argument, self.entries_hint(owner)))
        if value is not None and not is_silent(value) and resolve(value.type) == ANY:
            value = self.by_prelude(argument, any_values.table_of, [value])
        value = None if value is None else self.one_dict(argument, value)
        kinds = () if value is None or is_silent(value) else arms_of(resolve(value.type))
        if value is not None and len(kinds) > 1 and any(isinstance(kind, DictType) for kind in kinds):
            self.evaluate(self.each_arm(value, lambda one: self.entering(node, owner, argument, one)))
        else:
            self.update_with(node, owner, argument, value)

    def entering(self, node: syntax.Call, owner: Expr, argument: syntax.Expression, value: Expr) -> Expr:
        with self.collect() as statements:
            self.update_with(node, owner, argument, value)
        return Do(NONE, node.span, statements, none(node.span))

    def update_with(
        self, node: syntax.Call, owner: Expr, argument: syntax.Expression, value: Expr | None
    ) -> None:
        """`value` is that of the argument, None where it is iterated as it is evaluated."""
        value = None if value is None else self.one_mapping(argument, value)
        if isinstance(value, Static) and isinstance(value.denotation, KeywordsDenotation):
            for name, entry in self.keyword_values(node.span, value.denotation):
                self.evaluate(self.operate(node, "_[_]=_", [owner, Const(STR, node.span, name), entry]))
            return
        if value is None or isinstance(value, Static):
            iteration = self.iterate(argument) if value is None else self.iterate_value(argument, value)
            iteration = pairs_iteration(self, argument, iteration)
        elif not is_silent(value) and isinstance(resolve(value.type), DictType) and self.fits_entries(value, owner):
            iteration = DictIteration(self, node.span, value, "items")
        elif is_silent(value) or isinstance(resolve(value.type), DictType):
            if not self.is_declared(owner) and self.changes_kinds(owner, value):
                self.learn_elements(".update", [owner, value])
            self.evaluate(self.operate(node, ".update", [owner, value]))
            return
        else:
            iteration = pairs_iteration(self, argument, self.iterate_value(argument, value))

        def each(item: Expr, on_break: object, on_continue: object) -> None:
            if isinstance(item, Static) or first_error(resolve(item.type)) is not None:
                self.error(argument, f"update() takes a dict or pairs, got elements of type {describe(item)}")
            elif self.env is not None:
                key, entry = self.sequence_parts(argument, item, 2, None)
                self.evaluate(self.operate(node, "_[_]=_", [owner, key, entry]))

        self.walk(node.span, iteration, frozenset(), None, None, each, None)
        self.drop(iteration.own_names())

    def fits_entries(self, value: Expr, owner: Expr) -> bool:
        """Whether a dict is of another type than `owner`, which its entries can be put into one by one."""
        source, target = plain_container(resolve(value.type)), plain_container(resolve(owner.type))
        assert isinstance(source, DictType) and isinstance(target, DictType)
        if source == target or has_placeholder(source) or has_placeholder(target):
            return False
        pairs = ((source.key, target.key), (source.value, target.value))
        return all(convert(sample(each, value), wanted) is not None for each, wanted in pairs)

    # Displays

    def starred_list(self, node: syntax.List, element: Type | None, in_set: bool = False) -> Expr:
        """[*a, b]; the items of {*a, b}."""
        parts: list[Part] = []
        for item in node.elts:
            if isinstance(item, syntax.Starred):
                if in_set or self.is_lazy(item.value) or isinstance(item.value, syntax.GeneratorExp):
                    parts.append((True, self.list_from(item.value)))
                else:
                    parts.append((True, self.list_of(item.value, self.not_spread(item, self.expr(item.value)))))
            else:
                parts.append((False, self.value(item, element)))
        return self.joined_list(node, parts, element)

    def not_spread(self, node: syntax.Node, value: Expr) -> Expr:
        """The value of `x` in a list or tuple with `*x`; the TypeError where it is not iterable and that is left to
        the run."""
        def error(kind: Type) -> str | None:
            return iteration_error(kind) and f"Value after * must be an iterable, not {class_name(kind)}"

        if isinstance(value, Static) or error(value.type) is None:
            return self.fitting(node, value, error)
        return self.left_to_run(node, ("TypeError", error(value.type)), [value]) or value

    def joined_list(self, node: syntax.Node, parts: Sequence[Part], element: Type | None) -> Expr:
        """A new list of values and of the items of lists, in order."""
        values = [value for _, value in parts]
        if is_silent(*values):
            return self.silent(node.span, values)
        samples: list[Expr] = []
        for is_starred, value in parts:
            held = resolve(value.type)
            samples.append(sample(held.element, value) if is_starred and isinstance(held, ListType) else value)
        kind, _ = self.common(samples, element)
        if any(is_starred and resolve(value.type) != ListType(kind) for is_starred, value in parts):
            return self.widened_list(node, parts, ListType(kind))
        return self.assembled(node, MakeList(ListType(kind), node.span, []), [
            (".extend", [value]) if is_starred else (".append", [as_element(value, kind)])
            for is_starred, value in parts
        ])

    def widened_list(self, node: syntax.Node, parts: Sequence[Part], kind: ListType) -> Expr:
        """The same where some lists are of a narrower type: everything is evaluated first, from copies."""
        lists = [self.operate(node, ".copy", [value]) if is_starred else value for is_starred, value in parts]
        with self.collect() as statements:
            held = [self.hold(value) for value in lists]
            result = self.hold_once(MakeList(kind, node.span, []))
            for (is_starred, _), value in zip(parts, held):
                if is_starred:
                    self.append_each(node, result, self.iterate_value(node, value), kind.element)
                else:
                    self.evaluate(self.operate(node, ".append", [result, as_element(value, kind.element)]))
        return Do(kind, node.span, statements, result)

    def assembled(self, node: syntax.Node, start: Expr, steps: Sequence[tuple[str, list[Expr]]]) -> Expr:
        """A container after calls of rows that change it."""
        temp = Temp()
        whole = ReadTemp(start.type, node.span, temp)
        with self.collect() as statements:
            for row, operands in steps:
                self.evaluate(self.operate(node, row, [whole, *operands]))
        return Let(start.type, node.span, temp, start, Do(start.type, node.span, statements, whole))

    def starred_tuple(self, node: syntax.Tuple, wants: Sequence[Type | None], count: int | None = None) -> Expr:
        """(*a, b): of known length if that of all its parts is, or if it is unpacked at once into `count` targets."""
        parts: list[Part] = []
        lets: list[tuple[Temp, Expr]] = []
        for item, want in zip(node.elts, wants):
            inner = item.value if isinstance(item, syntax.Starred) else item
            value = self.list_from(inner) if self.is_lazy(inner) else self.expr(inner, want)
            kind = resolve(value.type)
            known = kind if isinstance(kind, TupleType) and not kind.is_variadic else None
            is_list = isinstance(item, syntax.Starred) and known is None
            value = self.not_spread(item, value) if is_list else value
            if is_list and not is_silent(value):
                value = self.operate(node, ".copy", [self.list_of(inner, value)])
            value = self.valued(value)
            if is_silent(value):
                return self.silent(node.span, [*(each for _, each in lets), value])
            lets.append((Temp(), value))
            read = ReadTemp(value.type, value.span, lets[-1][0])
            if isinstance(item, syntax.Starred) and known is not None:
                parts += [(False, each) for each in tuple_items(read, known)]
            else:
                parts.append((is_list, read))
        spread = [place for place, (is_starred, _) in enumerate(parts) if is_starred]
        if count is not None and len(spread) == 1 and count >= len(parts) - 1:
            result = self.measured_tuple(node, parts, spread[0], count)
        elif spread:
            result = self.operate(node, "tuple()", [self.joined_list(node, parts, None)])
        else:
            items = [value for _, value in parts]
            result = MakeTuple(TupleType(tuple(resolve(item.type) for item in items)), node.span, items)
        for temp, value in reversed(lets):
            result = Let(result.type, node.span, temp, value, result)
        return result

    def measured_tuple(self, node: syntax.Tuple, parts: Sequence[Part], place: int, count: int) -> Expr:
        """The same with one list among its parts, after the check that there are `count` items; each keeps its type."""
        spread, others = parts[place][1], len(parts) - 1
        with self.collect() as checks:
            length = self.operate(node, "_+_", [self.operate(node, "len()", [spread]), Const(INT, node.span, others)])
            self.check_count(node, self.hold(length), count, None)
        items = [value for _, value in parts]
        items[place : place + 1] = [
            self.operate(node, "_[_]", [spread, Const(INT, node.span, i)]) for i in range(count - others)]
        made = MakeTuple(TupleType(tuple(resolve(item.type) for item in items)), node.span, items)
        return Do(made.type, node.span, checks, made)

    def merged_dict(self, node: syntax.Dict, want: Type | None) -> Expr:
        """{**a, k: v}."""
        wanted = wanted_arm(want, DictType)
        key, value = (None, None) if wanted is None else (wanted.key, wanted.value)
        parts: list[tuple[Expr | None, Expr]] = []  # key and value, or None and a dict
        is_any = False  # where the keys of some dict are known at run time only, the result is an Any
        for key_node, value_node in zip(node.keys, node.values):
            name = None if key_node is None else self.value(key_node, key)
            entry = self.value(value_node, want if name is None else value)
            if name is None and not is_silent(entry) and resolve(entry.type) == ANY:
                entry = self.by_prelude(value_node, any_values.mapping_of, [entry])
                is_any = want is None or wanted is not None
            entry = entry if name is not None else self.one_dict(value_node, entry)
            parts.append((name, entry))
            if name is None and not is_silent(entry) and not isinstance(resolve(entry.type), DictType):
                shown = None if isinstance(entry, Static) else class_name(entry.type)
                raised = "TypeError", shown and f"'{shown}' object is not a mapping"
                return self.wrong_or_left(
                    value_node, raised, f"'{describe(entry)}' object is not a mapping", None, [entry])
        if not is_any:
            return self.joined_dict(node, parts, key, value)
        table = self.joined_dict(node, parts, ANY, ANY)
        return table if is_silent(table) else self.by_prelude(node, any_values.keyed_by_texts, [table])

    def joined_dict(
        self, node: syntax.Node, parts: Sequence[tuple[Expr | None, Expr]], key: Type | None, value: Type | None
    ) -> Expr:
        """A new dict of entries and of those of dicts, in order."""
        given = [each for part in parts for each in part if each is not None]
        if is_silent(*given):
            return self.silent(node.span, given)
        samples = [pair_of(name, entry) for name, entry in parts]
        kind = DictType(self.common([k for k, _ in samples], key)[0], self.common([v for _, v in samples], value)[0])
        if not kind.key.is_hashable:
            return self.unhashable_key(node, kind.key)
        if any(name is None and plain_container(resolve(entry.type)) != kind for name, entry in parts):
            return self.widened_dict(node, parts, kind)
        return self.assembled(node, MakeDict(kind, node.span, []), [
            (".update", [entry]) if name is None else ("_[_]=_", as_entry(name, entry, kind)) for name, entry in parts
        ])

    def joined_containers(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`a + b` of lists and `a | b` of dicts of several types: a container that takes both. None for all others."""
        kinds = resolve(left.type), resolve(right.type)
        if op == "+" and all(isinstance(kind, ListType) and kind.name == "list" for kind in kinds):
            return once_all([left, right], lambda held: self.joined_list(node, [(True, each) for each in held], None))
        if op == "|" and all(isinstance(kind, DictType) and kind.name == "dict" for kind in kinds):
            return once_all([left, right], lambda held: self.joined_dict(
                node, [(None, each) for each in held], None, None))
        return self.joined_sets(node, op, left, right)

    def widened_dict(self, node: syntax.Node, parts: Sequence[tuple[Expr | None, Expr]], kind: DictType) -> Expr:
        """The same where some dicts are of a narrower type: everything is evaluated first, from copies."""
        with self.collect() as statements:
            held = [
                (None, self.hold(self.operate(node, "dict()", [entry]))) if name is None
                else (self.hold(name), self.hold(entry)) for name, entry in parts
            ]  # fmt: skip
            result = self.hold(MakeDict(kind, node.span, []))
            for name, entry in held:
                if name is None:
                    self.enter_each(node, result, DictIteration(self, node.span, entry, "items"), kind)
                else:
                    self.evaluate(self.operate(node, "_[_]=_", [result, *as_entry(name, entry, kind)]))
        return Do(kind, node.span, statements, result)

    def one_mapping(self, node: syntax.Node, value: Expr) -> Expr:
        """The items of an instance that Python takes for a mapping; any other value as it is."""
        info = None if is_silent(value) or isinstance(value, Static) else self.class_info(value.type)
        if info is None or not all(find_method(info.python, name) for name in ("keys", "__getitem__")):
            return value
        return self.by_prelude(node, containers.items_by_keys, [value])

    def one_dict(self, node: syntax.Node, value: Expr) -> Expr:
        """A dict of one of several types as a new one, whose type takes them all, and what an instance with `keys` has
        for each; any other value as it is."""
        value = self.one_mapping(node, value)
        arms = arms_of(resolve(value.type))
        if is_silent(value) or len(arms) < 2 or not all(isinstance(arm, DictType) for arm in arms):
            return value
        keys, values = ([arm.members[place] for arm in arms] for place in (0, 1))
        kind = DictType(join(*keys), join(*values))
        return self.each_arm(value, lambda one: self.widened_dict(node, [(None, one)], kind))

    def enter_each(self, node: syntax.Node, owner: Expr, iteration: Iteration, kind: DictType) -> None:
        def each(item: Expr, on_break: object, on_continue: object) -> None:
            pair = resolve(item.type)
            assert isinstance(pair, TupleType)
            name, entry = tuple_items(self.hold(item), pair)
            self.evaluate(self.operate(node, "_[_]=_", [owner, *as_entry(name, entry, kind)]))

        self.walk(node.span, iteration, frozenset(), None, None, each, None)
        self.drop(iteration.own_names())


def sample(kind: Type, value: Expr) -> Expr:
    """Stands for the elements of a container where their type is looked for."""
    return ReadTemp(resolve(kind), value.span, Temp())


def as_element(value: Expr, kind: Type) -> Expr:
    """A value at the element type of the display it stands in."""
    converted = convert(value, kind)
    return value if converted is None else converted[0]


def as_entry(name: Expr, entry: Expr, kind: DictType) -> list[Expr]:
    return [as_element(name, kind.key), as_element(entry, kind.value)]


def pair_of(name: Expr | None, entry: Expr) -> tuple[Expr, Expr]:
    kind = resolve(entry.type)
    if name is not None:
        return name, entry
    assert isinstance(kind, DictType)
    return sample(kind.key, entry), sample(kind.value, entry)
