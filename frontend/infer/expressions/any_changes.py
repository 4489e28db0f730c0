"""Changes of lists and dicts that a value of type Any may be: items assigned and deleted, append, setdefault, update.

In: the value, and what goes in. Out: the change of a list or dict whose type takes that, looked for when the program
runs; CPython's error where the value is something else, a TypeError where its elements are declared otherwise (D2).
Holds: what is no list or dict is found before the arguments of a method are evaluated, as in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import ANY, BOOL, FLOAT, INT, NONE, STR, DictType, ListType, TupleType, Type
from ...compilation.frames import MARK
from ...core.conversions import operate, to_any
from ...core.denotations import SpecialDenotation
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import NEVER, Const, Do, Expr, IsType, MakeList, Recast, is_silent, none
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import any_values as prelude
from ..base import InferenceBase
from ..iteration import DictIteration
from ..joined_types import joined_container
from ..type_facts import tuple_items
from .any_methods import PLAIN

METHODS = {"append": (1, 1), "extend": (1, 1), "setdefault": (1, 2), "update": (1, 1)}  # numbers of arguments
KEYS = (STR, INT, FLOAT, BOOL)  # what a key of type Any is tried as


class AnyChangeInference(InferenceBase):
    """What is changed when only the run shows what it is."""

    def by_types(
        self, span: Span, value: Expr, kinds: Sequence[Type], use: Callable[[Expr], None], otherwise: Callable[[], None]
    ) -> None:
        """`use` of the value as the first of these types that it is of."""
        self.by_tests(span, self.arms_of_any(span, value, kinds), use, otherwise)

    def set_item_of_any(self, node: syntax.Subscript, owner: Expr, index: Expr, value: Expr) -> None:
        """`x[i] = v`."""
        refused = self.asks_any(node, "__setitem__")
        if refused is not None:
            return
        owner, index, value = self.hold(owner), self.hold(index), self.hold(value)

        def use(one: Expr) -> None:
            self.evaluate(self.operate(node, "_[_]=_", [one, *self.fitted_entry(one, index, value)]))

        def fail() -> None:
            self.evaluate(self.by_prelude(node, prelude.refuse_item, [owner, to_any(index), to_any(value)]))

        def with_any_key() -> None:
            self.by_types(node.span, owner, holders(ANY, resolve(value.type)), use, fail)

        def choose() -> None:
            arms = [(IsType(BOOL, node.span, index, kind), Recast(kind, node.span, index)) for kind in KEYS]
            self.by_tests(node.span, arms, lambda one: self.set_item_of_any(node, owner, one, value), with_any_key)

        if resolve(index.type) == ANY:
            choose()
        else:
            self.by_types(node.span, owner, holders(resolve(index.type), resolve(value.type)), use, fail)

    def fitted_entry(self, owner: Expr, index: Expr, value: Expr) -> list[Expr]:
        """Key and value at the types of a container."""
        kind = resolve(owner.type)
        assert isinstance(kind, (ListType, DictType))
        index = to_any(index) if isinstance(kind, DictType) and resolve(kind.key) == ANY else index
        return [index, to_any(value) if resolve(kind.members[-1]) == ANY else value]

    def delete_item_of_any(self, node: syntax.Subscript, owner: Expr, index: Expr) -> None:
        """`del x[i]`."""
        if self.asks_any(node, "__delitem__") is not None:
            return
        owner, index = self.hold(owner), self.hold(index)

        def fail() -> None:
            self.evaluate(self.by_prelude(node, prelude.refuse_deletion, [owner, to_any(index)]))

        kinds = [kind for element in (ANY, *PLAIN) for kind in holders(resolve(index.type), element)]
        self.by_types(
            node.span, owner, list(dict.fromkeys(kinds)),
            lambda one: self.evaluate(self.operate(node, "del_[_]", [one, index])), fail,
        )

    # Methods

    def change_of_any(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        """A call of a method that changes a list or dict."""
        name = denotation.name.rpartition("_")[2]
        least, most = METHODS[name]
        receiver = denotation.receiver
        assert receiver is not None
        if node.keywords or not least <= len(node.args) <= most or any(
            isinstance(each, syntax.Starred) for each in node.args
        ):
            return self.error(node, f"{name}() of a value of type Any takes {least} to {most} arguments here",
                              "declare its type")
        with self.collect() as statements:
            owner = self.hold(receiver)
            self.evaluate(self.by_prelude(node, prelude.need_method, [owner, Const(STR, node.span, name)]))
            result = self.changed_by(node, name, owner) if self.env is not None else none(node.span)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        return Do(result.type, node.span, statements, result)

    def changed_by(self, node: syntax.Call, name: str, owner: Expr) -> Expr:
        values = [self.hold(self.value(argument, ANY)) for argument in node.args]
        if is_silent(*values):
            return self.silent(node.span, values)
        if name == "setdefault":
            default = values[1] if len(values) > 1 else none(node.span)
            test = self.contains(node, values[0], owner)
            place = syntax.Subscript(node.span, node.func, node.args[0])
            self.branch(
                node.span, test, self.here, self.here.copy(), None, lambda: None,
                lambda: self.set_item_of_any(place, owner, values[0], default),
            )
            return self.hold(self.item_of_any(node, owner, values[0]))
        if name == "append":
            self.append_to_any(node, owner, values[0])
            return none(node.span)
        given = resolve(values[0].type)
        if name == "update" and given == ANY:
            self.enter_all(node, owner, values[0])
            return none(node.span)
        row = f".{name}"
        wide = ListType(ANY) if name == "extend" else DictType(given.key if isinstance(given, DictType) else STR, ANY)
        kinds = [wide] if given == ANY or joined_container(given, wide) is None else [wide, given]

        def use(one: Expr) -> None:
            self.evaluate(self.grown_any(node, row, one, values[0]))

        def fail() -> None:
            self.evaluate(self.by_prelude(node, prelude.refuse_value, [owner, to_any(values[0])]))

        self.by_types(node.span, owner, list(dict.fromkeys(kinds)), use, fail)
        return none(node.span)

    def enter_all(self, node: syntax.Call, owner: Expr, entries: Expr) -> None:
        """The entries of what is a dict, or an iterable of pairs, one by one."""
        table = self.hold(self.by_prelude(node, prelude.table_of, [entries]))
        iteration = DictIteration(self, node.span, table, "items")
        place = syntax.Subscript(node.span, node.func, node.args[0])

        def each(item: Expr, on_break: object, on_continue: object) -> None:
            kind = resolve(item.type)
            assert isinstance(kind, TupleType)
            key, entry = tuple_items(self.hold(item), kind)
            self.set_item_of_any(place, owner, key, entry)

        self.walk(node.span, iteration, frozenset(), None, None, each, None)
        self.drop(iteration.own_names())

    def grown_any(self, node: syntax.Call, row: str, owner: Expr, value: Expr) -> Expr:
        name = syntax.Name(node.args[0].span, MARK + self.hidden("operand"))
        self.store(name.id, value)
        call = syntax.Call(node.span, node.func, [name], [])
        grown = self.call_extend(call, owner) if row == ".extend" else self.call_dict_update(call, owner)
        self.drop([name.id])
        return grown

    def append_to_any(self, node: syntax.Call, owner: Expr, value: Expr) -> None:
        def use(one: Expr) -> None:
            kind = resolve(one.type)
            assert isinstance(kind, ListType)
            item = to_any(value) if kind.element == ANY else value
            self.evaluate(self.operate(node, ".append", [one, item]))

        def fail() -> None:
            self.evaluate(self.by_prelude(node, prelude.refuse_value, [owner, to_any(value)]))

        def grow() -> None:
            like = MakeList(ListType(ANY), node.span, [])
            self.evaluate(self.operate(node, "prelude.append_open", [owner, to_any(value), like]))

        kinds = [kind for kind in holders(INT, resolve(value.type)) if isinstance(kind, ListType)]
        known = [(IsType(BOOL, node.span, owner, kind), Recast(kind, node.span, owner)) for kind in kinds]

        def otherwise() -> None:
            self.by_tests(node.span, known, use, fail)

        is_open = operate("is_open.list", owner)
        self.branch(node.span, is_open, self.here, self.here.copy(), None, grow, otherwise)


def holders(index: Type, value: Type) -> list[Type]:
    """The types of lists and dicts with items of such an index and value."""
    if has_placeholder(value):
        value = ANY
    found: list[Type] = []
    for element in dict.fromkeys((ANY, value)):
        if index in (INT, BOOL):
            found.append(ListType(element))
        if index.is_hashable:
            found += [DictType(key, element) for key in dict.fromkeys((index, ANY)) if key != NONE]
    return found
