"""Inference of flags: `|`, `&`, `^`, `~`, `in`, truth, length, loops, and combinations by their value.

In: values of enums whose enumerators are all combinations of bits. Out: operators on their values, and combinations by
place. Holds: constants stay constants; what has bits that no member has is what CPython's boundary says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any as PyAny

from ....ir.state import EnumState
from ....ir.types import BOOL, INT, NONE, STR, EnumType, TupleType, Type
from ...core.conversions import once, operate, to_any
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import Const, Expr, Read, Static, is_silent
from ...objects.class_facts import is_enum
from ...objects.enums import member_constant
from ...objects.flags import FlagFacts, enumerator_name, flag_facts
from ...parser import syntax
from ...prelude import flags as prelude
from ..base import InferenceBase
from ..iteration import Iteration, SequenceIteration

BITS = {"&": "and.int", "|": "or.int", "^": "xor.int"}


class FlagInference(InferenceBase):
    """Flags."""

    def flag_kind(self, kind: Type) -> EnumType | None:
        kind = resolve(kind)
        return kind if isinstance(kind, EnumType) and kind.is_flag else None

    def flag_facts(self, kind: EnumType) -> FlagFacts:
        return flag_facts(self.session.classes.python_of(kind))

    # Between combinations and their values

    def looked_up_at(self, member: Expr, results: Sequence[PyAny], of: Type) -> Expr:
        """The constant of a member, from a table of those of all."""
        if isinstance(member, Const):
            return Const(of, member.span, results[member.value.index])
        table = Const(TupleType((of,), True), member.span, tuple(results))
        return operate("getitem.tuple", table, operate("member_index.any", to_any(member)), result=of)

    def flag_value(self, value: Expr) -> Expr:
        kind = self.flag_kind(value.type)
        assert kind is not None
        if self.flag_facts(kind).is_dense and not isinstance(value, Const):
            return operate("member_index.any", to_any(value))
        return self.looked_up_at(value, self.flag_facts(kind).values, INT)

    def flag_of_number(self, node: syntax.Node, kind: EnumType, number: Expr) -> Expr:
        """The one that has a value, which is one of all."""
        facts = self.flag_facts(kind)
        if isinstance(number, Const) and number.value in facts.values:
            return Const(kind, node.span, EnumState(kind, facts.values.index(number.value)))
        if not facts.is_dense:
            number = self.by_prelude(node, prelude.place_of, [number, self.flag_table(node, facts.values, INT)])
        places = [EnumState(kind, place) for place in range(len(facts.combinations))]
        return operate("getitem.tuple", self.flag_table(node, places, kind), number, result=kind)

    def flag_table(self, node: syntax.Node, items: Sequence[PyAny], of: Type) -> Expr:
        return Const(TupleType((of,), True), node.span, tuple(items))

    def bounded_flag(self, node: syntax.Node, kind: EnumType, number: Expr) -> Expr:
        """The combination of a value that may have bits which no member has."""
        facts, python = self.flag_facts(kind), self.session.classes.python_of(kind)
        if isinstance(number, Const) and number.value in facts.values:
            return self.flag_of_number(node, kind, number)
        fixed: list[Expr] = [Const(INT, node.span, facts.mask), Const(INT, node.span, facts.all_bits)]
        if facts.boundary == "CONFORM":
            made = self.by_prelude(node, prelude.conformed, [number, *fixed])
        elif facts.boundary == "STRICT":
            made = self.by_prelude(node, prelude.checked, [number, *fixed, Const(STR, node.span, repr(python))])
        else:
            count = Const(INT, node.span, len(facts.combinations))
            made = self.by_prelude(node, prelude.kept, [number, *fixed, count, Const(STR, node.span, kind.name)])
        return made if is_silent(made) else self.flag_of_number(node, kind, made)

    def flag_by_value(self, node: syntax.Call, kind: EnumType, given: Expr) -> Expr:
        """`Perm(6)`."""
        number = self.plain(given)
        if resolve(number.type) not in (INT, BOOL):
            return self.error(node, f"{kind}() takes an int here, not {describe(given)}")
        return self.bounded_flag(node, kind, self.coerce(number, INT, "a value"))

    # Operators

    def binary_of_flags(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`a | b` and its like; None if the operands are no flags, or Python takes them for ints."""
        kind, other = self.flag_kind(left.type), right
        if kind is None:
            kind, other = self.flag_kind(right.type), left
            if kind is None or resolve(self.plain(other).type) != INT:
                return None
        given = resolve(other.type)
        if op not in BITS or given != kind and not (kind.is_value and resolve(self.plain(other).type) in (INT, BOOL)):
            return None
        flag = kind

        def use(first: Expr) -> Expr:
            def both(second: Expr) -> Expr:
                numbers = [self.value_of_flag(first), self.value_of_flag(second)]
                number = self.bits_joined(node, op, numbers)
                if given == flag:
                    return self.flag_of_number(node, flag, number)
                return self.bounded_flag(node, flag, number)

            return once(right, both)

        return once(left, use)

    def value_of_flag(self, value: Expr) -> Expr:
        if self.flag_kind(value.type) is not None:
            return self.flag_value(value)
        return self.coerce(self.plain(value), INT, "a value")

    def bits_joined(self, node: syntax.Node, op: str, numbers: Sequence[Expr]) -> Expr:
        a, b = numbers
        if isinstance(a, Const) and isinstance(b, Const):
            value = a.value & b.value if op == "&" else a.value | b.value if op == "|" else a.value ^ b.value
            return Const(INT, node.span, value)
        return operate(BITS[op], a, b)

    def inverted_flag(self, node: syntax.Node, value: Expr, kind: EnumType) -> Expr:
        """`~flag`."""
        facts, number = self.flag_facts(kind), self.flag_value(value)
        if facts.boundary == "KEEP":
            minus = self.bits_joined(node, "^", [number, Const(INT, node.span, -1)])
            return self.bounded_flag(node, kind, minus)
        return self.flag_of_number(node, kind, self.bits_joined(node, "^", [number, Const(INT, node.span, facts.mask)]))

    def flag_in(self, node: syntax.Node, item: Expr, owner: Expr, kind: EnumType) -> Expr:
        """Whether all bits of one are in the other."""
        if resolve(item.type) != kind:
            return self.error(node, f"'in' does not work with {describe(item)} and {describe(owner)}",
                              f"write {kind.name}(value) in ...")

        def use(first: Expr) -> Expr:
            number = self.flag_value(first)
            common = operate("and.int", self.flag_value(owner), number)
            return operate("eq.int", common, number)

        return once(item, use)

    def flag_length(self, value: Expr, kind: EnumType) -> Expr:
        return self.looked_up_at(value, [bin(each).count("1") for each in self.flag_facts(kind).values], INT)

    # Members

    def flag_members(self, node: syntax.Node, value: Expr, kind: EnumType) -> Expr:
        """The members in a combination, as a list."""
        python: PyAny = self.session.classes.python_of(kind)
        members = list(python(self.flag_facts(kind).mask))
        bits = self.flag_table(node, [member.value for member in members], INT)
        states = [member_constant(kind, enumerator_name(member), node.span).value for member in members]
        table = self.flag_table(node, states, kind)
        return self.by_prelude(node, prelude.members_in, [self.flag_value(value), bits, table])

    def members_walked(self, node: syntax.Node, value: Expr) -> Iteration | None:
        """A loop over the members of an enum, or over those in a flag; None for anything else."""
        if isinstance(value, Static):
            python: PyAny = getattr(value.denotation, "python", None)
            if not is_enum(python):
                return None
            members = self.members(node, python)
        else:
            kind = self.flag_kind(value.type)
            if kind is None:
                return None
            members = self.flag_members(node, value, kind)
        if is_silent(members):
            self.end_with(node.span, [members])
        return MemberIteration(self, node.span, members)

    def flag_name(self, owner: Expr, kind: EnumType) -> Expr:
        """`.name`: None for a combination without one."""
        names = [member.name for member in self.flag_facts(kind).combinations]
        if isinstance(owner, Const):
            name = names[owner.value.index]
            return Const(NONE if name is None else STR, owner.span, name)
        if None not in names:
            return self.looked_up_at(owner, names, STR)
        found = self.looked_up_at(owner, [name or "" for name in names], STR)
        if self.is_one_member(owner):
            return found
        return self.by_prelude(syntax.Node(owner.span), prelude.name_or_none, [found])

    def is_one_member(self, value: Expr) -> bool:
        """Whether a variable holds what a loop over members gave it."""
        state = self.here.variables.get(value.name) if isinstance(value, Read) else None
        return state is not None and state.definition in self.single_members

    def note_item(self, target: syntax.Node, iteration: Iteration, walked: syntax.Node) -> None:
        """After a target was assigned what a loop gives: one member of a flag, or one of texts that are known."""
        self.note_texts(target, walked)
        if isinstance(target, syntax.Name) and isinstance(iteration, MemberIteration) and self.env is not None:
            state = self.here.variables.get(self.local_name(target.id))
            if state is not None:
                self.single_members.add(state.definition)


class MemberIteration(SequenceIteration):
    """A loop over the members of a flag, or of its class."""
