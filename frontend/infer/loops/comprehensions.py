"""Inference of comprehensions, and of any iterable as a list.

In: comprehensions, generator expressions of consuming builtins. Out: typed loops around an empty container.
Holds: the first iterable belongs to the scope outside; the variables of a comprehension end with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import (
    ANY,
    SCALAR,
    DictType,
    FrozenSetType,
    ListType,
    SetType,
    TupleType,
    Type,
    map_members,
)
from ...core.conversions import convert, once, operate
from ...core.matcher import list_of_tuple
from ...core.placeholders import (
    Placeholder,
    has_placeholder,
    join,
    resolve,
)
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Const,
    Do,
    Expr,
    Loop,
    MakeDict,
    MakeList,
    MakeSet,
    Read,
    Static,
    is_silent,
)
from ...parser import syntax
from ...parser.liveness import target_names
from ..base import InferenceBase, Jump, Unreachable
from ..iteration import Iteration, NotIterable, is_sequence
from ..operand_errors import key_error
from ..type_facts import converted_to, tuple_items, wanted_arm

FILLS = frozenset((".append", ".add", "_[_]=_"))


class ComprehensionInference(InferenceBase):
    """Comprehensions."""

    def comprehend(
        self, node: syntax.Node, generators: Sequence[syntax.comprehension], build: Callable[[], None],
        first: Iteration | None = None,
    ) -> None:
        """Nested loops of a comprehension around `build`; its variables are hidden from the function."""
        scope: dict[str, str] = {}
        stored = self.stored_in([node])
        self.looped.update(generator.iter for generator in generators)
        if first is None:
            first = self.iterate(generators[0].iter)  # still outside
        outermost = first
        for generator in generators:
            scope.update((name, self.hidden(name)) for name in target_names(generator.target))
        for name, full in scope.items():
            self.open_comprehension_cell(node.span, node, name, full)

        def nest(depth: int) -> None:
            if depth == len(generators):
                build()
                return
            generator = generators[depth]
            iteration = self.iterate(generator.iter) if depth else outermost

            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                self.assign(generator.target, item)
                self.note_item(generator.target, iteration, generator.iter)
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

        outer = self.renames
        self.renames = [*outer, scope]  # another list: what code around this one runs inside keeps its own names
        try:
            nest(0)
        finally:
            self.renames = outer

    def gather(self, node: syntax.Node, kind: Type, build: Callable[[Expr], None]) -> Expr:
        """An empty list, set or dict, filled by `build`, as a value. Where items of several types go into one whose
        element type is open, it is filled once more, with a type that holds them all."""
        is_open = [has_placeholder(member) for member in kind.members]
        if not any(is_open):
            return self.gathered_once(node, kind, build, [])
        mark, before = self.reporter.mark(), self.here.copy()
        taken: list[list[Type]] = []
        made = self.gathered_once(node, kind, build, taken)
        found = self.reporter.since(mark)
        wide = joined_elements(kind, is_open, taken) if found else None
        if wide is None:
            return made
        self.reporter.rewind(mark)
        after, self.env = self.env, before
        again = self.gathered_once(node, wide, build, [])
        if not self.reporter.since(mark):
            return again
        self.reporter.rewind(mark)
        for each in found:
            self.reporter.add(each)
        self.env = after
        return made

    def note_filling(self, spelling: str, values: Sequence[Expr]) -> None:
        """What an operator puts into a container that is being filled."""
        if self.filling and spelling in FILLS and isinstance(values[0], Read) and values[0].name in self.filling:
            self.filling[values[0].name].append([resolve(value.type) for value in values[1:]])

    def gathered_once(
        self, node: syntax.Node, kind: Type, build: Callable[[Expr], None], taken: list[list[Type]]
    ) -> Expr:
        """The same, done once. `taken` gets the types of what goes in."""
        with self.collect() as statements:
            name = self.hidden("result")
            self.filling[name] = taken
            made = MakeList if isinstance(kind, ListType) else MakeSet if isinstance(kind, SetType) else MakeDict
            self.store(name, made(kind, node.span, []))
            try:
                build(self.read_hidden(name, node.span))
            except NotIterable:
                self.drop([name])
                return Const(ERROR, node.span, None)
            except Unreachable:
                self.env = None
            finally:
                del self.filling[name]
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
            result = self.read_hidden(name, node.span)
            self.drop([name])
        return Do(resolve(kind), node.span, statements, result)

    def _ListComp(self, node: syntax.ListComp | syntax.GeneratorExp, want: Type | None) -> Expr:
        wanted = wanted_arm(want, ListType)

        def free() -> Expr:
            return self.as_they_are(1, lambda kinds, element: self.list_of_each(node, element, kinds))

        return free() if wanted is None else self.expr_or(lambda: self.list_of_each(node, wanted.element, [[]]), free)

    def as_they_are(self, count: int, make: Callable[..., Expr]) -> Expr:
        """A container whose elements are of the first one's type; where others do not fit, of all their types, which
        `make` notes in the lists it gets."""
        kinds: list[list[Type]] = [[] for _ in range(count)]

        def again() -> Expr:
            noted = [[kind for kind in dict.fromkeys(map(resolve, each)) if is_value(kind)] for each in kinds]
            return make(kinds, *(join(*each) if len(each) > 1 else Placeholder() for each in noted))

        return self.expr_or(lambda: make(kinds, *(Placeholder() for _ in kinds)), again)

    def list_of_each(
        self, node: syntax.ListComp | syntax.GeneratorExp, element: Type, kinds: Sequence[list[Type]]
    ) -> Expr:
        def build(result: Expr) -> None:
            def add() -> None:
                value = self.value(node.elt, None if isinstance(element, Placeholder) else element)
                kinds[0].append(value.type)
                self.evaluate(self.operate(node.elt, ".append", [result, declared_part(value, element)]))

            self.comprehend(node, node.generators, add)

        return self.gather(node, ListType(element), build)

    def _GeneratorExp(self, node: syntax.GeneratorExp, want: Type | None) -> Expr:
        return self.stored_iterator(node)

    def _DictComp(self, node: syntax.DictComp, want: Type | None) -> Expr:
        wanted = wanted_arm(want, DictType)

        def free() -> Expr:
            return self.as_they_are(
                2, lambda kinds, keys, values: self.dict_of_each(node, DictType(keys, values), kinds, None))

        return free() if wanted is None else self.expr_or(
            lambda: self.dict_of_each(node, wanted, ([], []), wanted), free)

    def dict_of_each(
        self, node: syntax.DictComp, kind: DictType, kinds: Sequence[list[Type]], wanted: DictType | None
    ) -> Expr:
        def build(result: Expr) -> None:
            def add() -> None:
                given = self.fitting(node.key, self.value(node.key, wanted and wanted.key), key_error)
                key = self.hold(declared_part(given, kind.key))
                value = self.hold(declared_part(self.value(node.value, wanted and wanted.value), kind.value))
                kinds[0].append(key.type)
                kinds[1].append(value.type)
                self.evaluate(self.operate(node.key, "_[_]=_", [result, key, value]))

            self.comprehend(node, node.generators, add)

        return self.gather(node, kind, build)

    # Iterables as lists

    def list_from(self, node: syntax.Node, want: Type | None = None) -> Expr:
        """Any iterable as a list: the list itself if it is one, else a new one."""
        if self.env is None:
            return Const(NEVER, node.span, None)
        if isinstance(node, syntax.GeneratorExp):
            return self._ListComp(node, want)
        if not self.is_lazy(node):
            value = self.expr(node, want)
            return self.list_of(node, value)
        return self.collected(node, lambda: self.iterate(node))

    def list_of(self, node: syntax.Node, value: Expr) -> Expr:
        """The value of an iterable as a list: itself if it is one, else a new one."""
        if isinstance(value, Static):
            return self.collected(node, lambda: self.iterate_value(node, value))
        kind = resolve(value.type)
        if isinstance(kind, ListType) and kind.name != "list":
            return operate("list.copy", value, result=ListType(kind.element))
        if isinstance(kind, ListType) or is_silent(value):
            return value
        if is_sequence(kind) or isinstance(kind, (SetType, FrozenSetType)):
            return self.operate(node, "list()", [value])
        if isinstance(kind, TupleType) and (element := self.session.functions.merged_all(kind.elements)) is not None:
            return once(value, lambda whole: self.list_of_functions(node, tuple_items(whole, kind), element))
        if isinstance(kind, TupleType) and kind.elements and len(set(kind.elements)) == 1:
            return once(value, lambda whole: list_of_tuple(whole, kind))
        return self.collected(node, lambda: self.iterate_value(node, value))

    def list_of_functions(self, node: syntax.Node, items: list[Expr], element: Type) -> Expr:
        """A new list of functions, which may take in others later."""
        element = self.displayed(node, self.widened(node, items) or element)
        return MakeList(ListType(element), node.span, [converted_to(item, element) for item in items])

    def is_lazy(self, node: syntax.Node) -> bool:
        """Whether it is a call whose result is an iterator, or may be a view of a dict."""
        if isinstance(node, syntax.GeneratorExp) or self.is_generator_call(node):
            return True
        if isinstance(node, syntax.IfExp):
            return any(map(is_view_call, (node.body, node.orelse)))
        return isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and any(
            node.func.id == name and self.is_builtin(node.func, name)
            for name in ("range", "zip", "enumerate", "reversed", "map", "filter", "iter")
        )

    def collected(self, node: syntax.Node, start: Callable[[], Iteration]) -> Expr:
        def make(kinds: Sequence[list[Type]], element: Type) -> Expr:
            def build(result: Expr) -> None:
                iteration = start()

                def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                    made = self.reify(item) if isinstance(item, Static) else None
                    value = item if made is None else made
                    kinds[0].append(value.type)
                    self.evaluate(self.operate(node, ".append", [result, value]))

                self.walk(node.span, iteration, frozenset(), None, None, each, None)

            return self.gather(node, ListType(element), build)

        return self.as_they_are(1, make)


def is_view_call(node: syntax.Node) -> bool:
    """`d.keys()`, as far as the text says."""
    return isinstance(node, syntax.Call) and not node.args and isinstance(node.func, syntax.Attribute) and (
        node.func.attr in ("keys", "values", "items"))


def is_value(kind: Type) -> bool:
    """Whether values have this type."""
    return kind not in (ERROR, NEVER, STATIC) and not isinstance(kind, Placeholder)


def declared_part(value: Expr, element: Type) -> Expr:
    """A value of type Any, or a number out of a tensor, where a declared type says what it is (D2)."""
    is_told = resolve(value.type) in (ANY, SCALAR) and not isinstance(resolve(element), Placeholder)
    checked = convert(value, element) if is_told else None
    return value if checked is None else checked[0]


def joined_elements(kind: Type, is_open: Sequence[bool], taken: Sequence[Sequence[Type]]) -> Type | None:
    """The type of a container that takes all of these items, or keys and values, where its element types are open;
    None if that is known as well as it can be, or not at all."""
    columns = [[resolve(each) for each in column] for column in zip(*taken)]
    if len(columns) != len(is_open):
        return None
    columns = [column if is_free else [] for column, is_free in zip(columns, is_open)]
    if any(has_placeholder(each) or each in (ERROR, NEVER, STATIC) for column in columns for each in column):
        return None
    if all(len(set(column)) < 2 for column in columns):
        return None
    joins = iter(columns)

    def joined(member: Type) -> Type:
        column = next(joins)
        return join(*column) if column else member

    return map_members(kind, joined)
