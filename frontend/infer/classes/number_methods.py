"""Inference of what instances give where Python asks for a number: `__index__`, `__int__`, `__float__`, `__round__` ...

In: instances among the operands of builtins, indices, bounds. Out: calls of these methods.
Holds: they are asked in CPython's order (`int` asks `__int__`, `__index__`, `__trunc__`); what has none stays as it
is.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.operators import Operator, spelled
from ....ir.types import ANY, COMPLEX, FLOAT, INT, TENSOR, ListType, TupleType, Type, VarType, arms_of
from ...core.conversions import once_all, operate
from ...core.matcher import Named, NoMatch, describe, match
from ...core.placeholders import resolve
from ...core.typed import Expr, MakeList, MakeTuple, Recast, Static, is_silent
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..operand_errors import LACKING

ASKED = {"int": ("__int__", "__index__", "__trunc__"), "float": ("__float__", "__index__"), "abs": ("__abs__",),
         "complex": ("__complex__", "__float__", "__index__")}
ROUNDED = {"math.floor": "__floor__", "math.ceil": "__ceil__", "math.trunc": "__trunc__"}
OF_INTEGERS = tuple(f"math.{name}" for name in (
    "gcd", "lcm", "comb", "perm", "factorial", "isqrt", "trunc", "ldexp"))  # do not ask for a float
SOUGHT = (".get", ".pop", ".remove", ".discard", "del_[_]")  # take what is looked for, and keep nothing of it
INDEXED = ("hex()", "bin()", "oct()", "chr()")
GIVEN: dict[str, tuple[Type, str]] = {
    "__int__": (INT, "int"), "__index__": (INT, "int"), "__float__": (FLOAT, "float"),
    "__complex__": (COMPLEX, "complex"),
}


class NumberMethodInference(InferenceBase):
    """Instances where numbers are expected."""

    def asked_number(self, node: syntax.Node | Expr | Span, spelling: str, values: Sequence[Expr]) -> Expr | None:
        """An operator on numbers whose operands are instances; None for all others."""
        if spelling.startswith("math.") and values and resolve(values[0].type) == ANY:
            return self.operated_by_class(values[0].span, spelling, values, ())
        is_of_math = spelling.startswith("math.")
        if not is_of_math and spelling not in INDEXED:
            return None
        if is_of_math and spelling not in OF_INTEGERS and any(resolve(value.type) == TENSOR for value in values):
            return self.operate(node, spelling, [
                operate("float.Tensor", value) if resolve(value.type) == TENSOR else value for value in values])
        if any(isinstance(value, Static) for value in values) or not any(self.has_instances(v.type) for v in values):
            return None
        span = node if isinstance(node, Span) else node.span
        method = ROUNDED.get(spelling, "")
        if len(values) == 1 and self.defines(values[0].type, method):
            return self.call_member(span, values[0], method, [])
        numbers = [self.number_for(value, ASKED["float"] if is_of_math else ("__index__",)) for value in values]
        if any(number is None for number in numbers):
            return None
        return self.operate(node, spelling, [number for number in numbers if number is not None])

    def number_for(self, value: Expr, methods: Sequence[str]) -> Expr | None:
        """What the first of these methods gives for an instance; other values as they are, None if it has none."""
        if not self.speaks(methods, value.type):
            return value
        method = next((name for name in methods if self.defines(value.type, name)), None)
        if method is None:
            return None
        found = self.call_member(value.span, value, method, [])
        kind, name = GIVEN.get(method, (None, ""))
        if is_silent(found) or kind is None:
            return found
        if resolve(found.type) != kind:
            return self.error(value, f"{method} returned non-{name} (type {describe(found)})")
        return found

    def as_index(self, value: Expr) -> Expr:
        """An index, a bound or an argument of `range`: of an instance what its `__index__` gives, of a member of an
        IntEnum its int."""
        if is_silent(value) or isinstance(value, Static):
            return value
        return self.number_for(self.whole(value), ("__index__",)) or value

    def whole(self, value: Expr) -> Expr:
        """A member of an IntEnum as its int; every other value as it is, also a member that is text."""
        members = [arm for arm in arms_of(resolve(value.type)) if self.is_number_member(arm)]
        return value if all(map(self.is_text_member, members)) else self.plain(value)

    def plain_items(self, value: Expr) -> Expr:
        """What a member stands for, also in a display of numbers; every other value as it is."""
        if not isinstance(value, MakeTuple | MakeList) or not any(map(self.is_number_member, value.type.members)):
            return self.plain(value)
        items = [self.plain(item.value if isinstance(item, Recast) else item) for item in value.items]
        kinds = [resolve(item.type) for item in items]
        if isinstance(value, MakeTuple):
            return MakeTuple(TupleType(tuple(kinds)), value.span, items)
        return MakeList(ListType(kinds[0]), value.span, items) if len(set(kinds)) == 1 else value

    def by_plain_members(
        self, span: Span, spelling: str, values: Sequence[Expr], named: Named, rows: Sequence[Operator]
    ) -> Expr | None:
        """The call with what members of an IntEnum or a StrEnum stand for, where some row takes that; a container that
        is changed keeps the members."""
        written = [row for row in (rows or spelled(spelling)) if any(param.is_written for param in row.schema.params)]
        kept = {place for row in written for place, param in enumerate(row.schema.params) if any(
            isinstance(part, VarType) for part in (param.type, *param.type.members))}
        if spelling in SOUGHT:
            kept.discard(1)
        kept |= {2} if spelling == ".get" else set()
        plain = [value if place in kept else self.plain_items(value) for place, value in enumerate(values)]
        plain_named = [(name, self.plain_items(value)) for name, value in named]
        before = [*values, *(value for _, value in named)]
        if all(one is other for one, other in zip(before, [*plain, *(value for _, value in plain_named)])):
            return None
        try:
            match(spelling, plain, plain_named, rows)
        except NoMatch:
            return None
        return self.operate(span, spelling, plain, plain_named, rows)

    def number_of_instance(self, node: syntax.Call, name: str, value: Expr) -> Expr:
        """`int(x)`, `float(x)`, `abs(x)`, `complex(x)` of an instance."""

        def one(owner: Expr) -> Expr:
            if not self.speaks(ASKED[name], owner.type):
                return self.operate(node, f"{name}()", [self.plain(owner)])
            found = self.number_for(owner, ASKED[name])
            if found is None:
                wanted = ASKED[name][0]
                return self.class_misfit(
                    node, owner, LACKING.get(wanted), f"{describe(owner)} has no method '{wanted}'")
            if is_silent(found) or name in ("int", "abs") or resolve(found.type) == GIVEN[ASKED[name][0]][0]:
                return found
            return self.operate(node, f"{name}()", [found])

        return self.each_arm(value, one)

    def rounded_instance(self, node: syntax.Call, values: Sequence[Expr]) -> Expr:
        """`round(x)` and `round(x, n)` of an instance."""
        return once_all(list(values), lambda held: self.each_arm(
            held[0], lambda one: self.call_member(node.span, one, "__round__", held[1:])))
