"""Inference of deques: lists whose type has the name.

In: constructions, methods, operators. Out: calls of the prelude, and operator rows of lists for what does not change
the ends. Holds: every change counts, so that iterators notice it; a deque is never taken for a list.
"""

from __future__ import annotations

from collections.abc import Callable

from ....ir.types import BOOL, INT, NONE, STR, DictType, ListType, SetType, TupleType, Type, arms_of, optional
from ...core.conversions import convert, keeps_kinds, operate
from ...core.denotations import MethodDenotation, OperatorDenotation
from ...core.matcher import describe
from ...core.placeholders import has_placeholder, join, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Choose,
    Const,
    Do,
    Evaluate,
    Expr,
    MakeList,
    ReadTemp,
    Recast,
    Static,
    Temp,
    boolean,
    is_silent,
    none,
)
from ...parser import syntax
from ...prelude import deque as prelude
from ..base import InferenceBase
from ..collection_types import is_deque
from ..iteration import NotIterable

METHODS: dict[str, Callable[..., object]] = {
    "append": prelude.append, "appendleft": prelude.appendleft, "pop": prelude.pop, "popleft": prelude.popleft,
    "extend": prelude.extend, "extendleft": prelude.extendleft, "rotate": prelude.rotate, "insert": prelude.insert,
    "remove": prelude.remove, "index": prelude.index, "clear": prelude.clear,
}
ADDERS = {"append": 0, "appendleft": 0, "insert": 1}  # the place of the new item among the arguments
TAKERS = ("extend", "extendleft")
ROWS = ("count", "reverse")
DEQUE = ".deque"  # a name for the class that no script can hide
RANGE = ".range"  # another
SLICES = "sequence index must be integer, not 'slice'"


def kind_of_items(kind: Type) -> Type | None:
    """The type of what iterating a value of a builtin type gives; None of all others."""
    if isinstance(kind, TupleType):
        return join(*kind.elements) if kind.elements else None
    return STR if kind == STR else resolve(kind.members[0]) if isinstance(kind, (ListType, SetType, DictType)) else None


class DequeInference(InferenceBase):
    """Deques."""

    def make_deque(self, node: syntax.Call, want: Type | None) -> Expr:
        """`deque(iterable, maxlen)`."""
        wanted = None if want is None else next((arm for arm in arms_of(resolve(want)) if is_deque(arm)), None)
        arguments: list[syntax.Expression | None] = [*node.args, None, None][: max(2, len(node.args))]
        for keyword in node.keywords:
            place = {"iterable": 0, "maxlen": 1}.get(keyword.arg or "", 2)
            if place == 2 or arguments[place] is not None:
                return self.error(keyword, f"deque() takes no argument '{keyword.arg}' here")
            arguments[place] = keyword.value
        if len(arguments) > 2 or any(isinstance(each, syntax.Starred) for each in arguments):
            return self.error(node, f"deque() takes at most 2 arguments here, got {len(arguments)}")
        kind = wanted if wanted is not None else ListType(self.placeholder(node), "deque")
        if arguments == [None, None]:
            return MakeList(kind, node.span, [])
        with self.collect() as statements:
            owner = self.hold(MakeList(kind, node.span, []))
            values = [None if each is None else self.iterable(each) for each in arguments]
            given = [value for value in values if value is not None]
            if is_silent(*given):
                return self.silent(node.span, given)
            if values[1] is not None:
                self.evaluate(self.limited(node, owner, values[1]))
            if values[0] is not None and self.env is not None:
                self.evaluate(self.taken_in(node, owner, "extend", values[0]))
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        return Do(resolve(owner.type), node.span, statements, owner)

    def iterable(self, node: syntax.Expression) -> Expr:
        """A value that is read later in the statement; of a deque, what it holds now."""
        value = self.expr(node)
        if not isinstance(value, Static) and is_deque(value.type):
            value = self.list_of(node, value)
        return value if isinstance(value, Static) or is_silent(value) else self.hold(value)

    def limited(self, node: syntax.Node, owner: Expr, maxlen: Expr) -> Expr:
        if isinstance(maxlen, Static) or any(arm not in (INT, NONE) for arm in arms_of(resolve(maxlen.type))):
            return self.error(maxlen, f"maxlen must be an int or None, not {describe(maxlen)}")
        return self.by_dict_prelude(node, prelude.limited, [owner, maxlen])

    def taken_in(self, node: syntax.Node, owner: Expr, method: str, value: Expr) -> Expr:
        """extend and extendleft."""
        items, element = kind_of_items(resolve(value.type)), resolve(owner.type).members[0]
        if items is not None and not any(map(has_placeholder, (items, element))) and not self.is_declared(owner):
            if not keeps_kinds(items, element):
                self.learn_elements(".append", [owner, ReadTemp(items, value.span, Temp())])
        try:
            return self.by_dict_prelude(node, METHODS[method], [owner, value])
        except NotIterable:
            return Const(ERROR, node.span, None)

    # Methods

    def attribute_of_deque(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        if name in METHODS:
            return Static(STATIC, node.span, MethodDenotation(self.session.source(METHODS[name]), owner))
        if name in (*ROWS, "copy"):
            return Static(STATIC, node.span, OperatorDenotation(f".{name}", owner))
        if name != "maxlen":
            return self.error(node, f"'{describe(owner)}' has no attribute '{name}' in scripts")
        held = self.hold(operate("deque.limit", owner))
        kind = optional(INT)
        is_none = operate("lt.int", held, Const(INT, node.span, 0))
        nothing = Recast(kind, node.span, none(node.span))
        return Choose(kind, node.span, is_none, nothing, Recast(kind, node.span, held), [])

    def call_deque_method(self, node: syntax.Call, denotation: MethodDenotation) -> Expr | None:
        """A method of a deque; None for all other methods."""
        owner, name = denotation.receiver, denotation.source.name
        if not is_deque(owner.type) or denotation.source.python is not METHODS.get(name):
            return None
        is_written_out = not node.keywords and not any(isinstance(each, syntax.Starred) for each in node.args)
        if not is_written_out or (name in TAKERS and len(node.args) != 1):
            return self.error(node, f"deque.{name}() takes its arguments by position", "write them out")
        with self.collect() as statements:
            owner = self.hold(owner)
            values = [self.iterable(each) if name in TAKERS else self.value(each) for each in node.args]
            if is_silent(*values):
                return self.silent(node.span, [owner, *values])
            place = ADDERS.get(name, -1)
            if place in range(len(values)):
                values[place] = self.new_item_of(owner, values[place])
            if name in TAKERS:
                done = self.taken_in(node, owner, name, values[0])
            else:
                done = self.by_dict_prelude(node, METHODS[name], [owner, *values])
        return done if is_silent(done) and done.type == ERROR else Do(done.type, node.span, statements, done)

    def new_item_of(self, owner: Expr, value: Expr) -> Expr:
        """A new item at the element type, where that is known and declared."""
        kind = resolve(owner.type)
        assert isinstance(kind, ListType)
        element = resolve(kind.element)
        if has_placeholder(element) or has_placeholder(value.type) or resolve(value.type) == element:
            return value
        converted = convert(value, element)
        if converted is not None and (self.is_declared(owner) or keeps_kinds(value.type, element)):
            return converted[0]
        self.learn_elements(".append", [owner, value])
        text = f"a deque of {element} cannot take {describe(value)}"
        return self.error(value, text, f"give it a {element}, or annotate the variable that holds it")

    def call_copy_of_deque(self, node: syntax.Call, owner: Expr) -> Expr:
        if node.args or node.keywords:
            return self.error(node, "copy() takes no arguments")
        return self.copy_of_deque(node, owner)

    def copy_of_deque(self, node: syntax.Node, owner: Expr) -> Expr:
        """A new deque of the same items and maxlen."""
        with self.collect() as statements:
            held = self.hold(owner)
            fresh = self.hold(MakeList(resolve(owner.type), node.span, []))
            made = self.by_dict_prelude(node, prelude.filled_like, [fresh, held, held])
        return Do(made.type, node.span, statements, made)

    # Operators

    def binary_of_deques(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`d + e` and `d * n`; None where no deque is."""
        sides = is_deque(left.type), is_deque(right.type)
        if sides == (False, False):
            return None
        if op == "*" and sides == (False, True):
            left, right, sides = right, left, (True, False)
        if (op == "+" and sides == (True, True)) or (op == "*" and resolve(right.type) in (INT, BOOL)):
            with self.collect() as statements:
                first, second = self.hold(left), self.hold(right)
                made = self.hold(self.copy_of_deque(node, first))
                if op == "*":
                    self.repeat_deque(node, made, second)
                else:
                    self.evaluate(self.by_dict_prelude(node, prelude.extend, [made, second]))
            return Do(made.type, node.span, statements, made)
        return self.error(node, f"unsupported operand types for {op}: {describe(left)} and {describe(right)}")

    def repeat_deque(self, node: syntax.Node, owner: Expr, times: Expr) -> None:
        items = self.hold(self.list_of(node, owner))
        self.evaluate(self.by_dict_prelude(node, prelude.appended_again, [owner, items, times]))

    def augmented_of_deque(self, node: syntax.AugAssign, old: Expr) -> Expr | None:
        """`d += iterable` and `d *= n`, in place; None where no deque is."""
        if not is_deque(old.type):
            return None
        with self.collect() as statements:
            owner = self.hold(old)
            value = self.iterable(node.value)
            if is_silent(value):
                return self.silent(node.span, [owner, value])
            if node.op == "+":
                self.evaluate(self.taken_in(node, owner, "extend", value))
            elif node.op == "*" and resolve(value.type) in (INT, BOOL):
                self.repeat_deque(node, owner, value)
            else:
                text = f"unsupported operand types for {node.op}=: {describe(old)} and {describe(value)}"
                return self.error(node, text)
        return Do(owner.type, node.span, statements, owner)

    def relation_of_deques(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """A deque is equal to deques only, and has an order among them; None where the runtime's serves."""
        sides = is_deque(left.type), is_deque(right.type)
        if sides in ((False, False), (True, True)) or not all(
            isinstance(resolve(side.type), ListType) for side in (left, right)
        ):
            return None
        if op in ("==", "!="):
            return self.then(left, self.then(right, boolean(node.span, op == "!=")))
        return self.error(node, f"'{op}' is not supported between {describe(left)} and {describe(right)}")

    def delete_of_deque(self, node: syntax.Subscript, owner: Expr, index: Expr) -> Expr:
        """`del d[i]`."""
        done = self.by_dict_prelude(node, prelude.item_deleted, [owner, index])
        return done if is_silent(done) else Do(NONE, node.span, [Evaluate(node.span, done)], none(node.span))

