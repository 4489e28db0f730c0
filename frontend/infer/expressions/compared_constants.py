"""Refinement by comparisons with constants: `len(x) == 2`, `x == "a"`.

In: a comparison of a variable of several types. Out: a bool, and the environments of both outcomes.
Holds: a type is left out only where none of its values gives that outcome.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any as PyAny

from ....ir.types import (
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    DictType,
    FrozenSetType,
    ListType,
    NamedTupleType,
    SetType,
    TupleType,
    Type,
    arms_of,
    union,
)
from ...core.conversions import once
from ...core.placeholders import resolve
from ...core.typed import IsType, boolean, is_silent
from ...parser import syntax
from ..base import InferenceBase
from ..parts import Outcome
from ..type_facts import any_of

RELATIONS: dict[str, Callable[[PyAny, PyAny], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}
SCALARS = (BOOL, INT, FLOAT, COMPLEX)
PLAIN = (*SCALARS, STR, BYTES, NONE)
CONTAINERS = (ListType, DictType, SetType, FrozenSetType, TupleType, NamedTupleType)
FAMILIES: dict[type, Type] = {str: STR, bytes: BYTES, bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}


class ComparedConstantInference(InferenceBase):
    """Comparisons with constants."""

    def length_test(self, node: syntax.Compare, left: syntax.Node, right: syntax.Node) -> Outcome | None:
        """`len(x) == 2` where types of tuples tell their lengths; None for anything else."""
        compare = RELATIONS.get(node.ops[0])
        if compare is None or not (isinstance(right, syntax.Constant) and type(right.value) is int):
            return None
        if not (isinstance(left, syntax.Call) and isinstance(left.func, syntax.Name) and len(left.args) == 1):
            return None
        subject = left.args[0]
        if left.func.id != "len" or not self.is_builtin(left.func, "len") or not isinstance(subject, syntax.Name):
            return None
        arms = self.known_arms(subject)
        lengths = {arm: len(arm.elements) for arm in arms if isinstance(arm, TupleType) and not arm.is_variadic}
        others = [arm for arm in arms if arm not in lengths]
        inside = [arm for arm, length in lengths.items() if compare(length, right.value)]
        outside = [arm for arm in lengths if arm not in inside]
        if others and lengths:
            length, other = self.expr(left), self.expr(right)
            if is_silent(length):
                return None
            return self.relation(node, node.ops[0], length, other), *self.both(
                subject, union(*inside, *others), union(*outside, *others))
        if not lengths:
            return None
        if not inside or not outside:
            return self.decided(boolean(node.span, bool(inside)), self.here, self.here.copy())
        test = once(self.expr(subject), lambda x: any_of([IsType(BOOL, node.span, x, arm) for arm in inside]))
        yes, no = self.both(subject, union(*inside), union(*outside))
        return test, yes, no

    def constant_test(self, node: syntax.Compare, subject: syntax.Node, other: syntax.Node) -> Outcome | None:
        """`x == "a"`: what is equal to a text is one, if no class decides; None for anything else."""
        if node.ops[0] not in ("==", "!=") or not isinstance(other, syntax.Constant):
            return None
        family = next((kinds for kinds in (SCALARS, (STR,), (BYTES,)) if FAMILIES.get(type(other.value)) in kinds), ())
        arms = self.known_arms(subject)
        inside = [arm for arm in arms if arm in family]
        is_plain = family and all(arm in PLAIN or isinstance(arm, CONTAINERS) for arm in arms)
        if not is_plain or len(inside) == len(arms):
            return None
        if not inside:
            return self.decided(boolean(node.span, node.ops[0] == "!="), self.here, self.here.copy())
        test = self.relation(node, node.ops[0], self.expr(subject), self.expr(other))
        yes, no = self.both(subject, union(*inside), union(*arms))
        return (test, yes, no) if node.ops[0] == "==" else (test, *self.both(subject, union(*arms), union(*inside)))

    def known_arms(self, subject: syntax.Node) -> tuple[Type, ...]:
        """The types of a variable, which is looked at without a read: that would count as the check that it is bound;
        none for anything else."""
        name = self.find_name(subject.id) if isinstance(subject, syntax.Name) else None
        state = self.here.variables.get(name) if name is not None and self.path_of(subject) is not None else None
        is_value = state is not None and state.static is None and state.is_bound
        return arms_of(resolve(state.type)) if state is not None and is_value else ()


def compared(op: str, left: tuple[PyAny] | None, right: tuple[PyAny] | None) -> bool | None:
    """What the comparison of two known values gives; None if one is not known, or they are of kinds that have no order
    and no equality of their own here."""
    if left is None or right is None or op in RELATIONS and kind_of(left[0]) != kind_of(right[0]):
        return None
    try:
        return left[0] in right[0] if op == "in" else RELATIONS[op](left[0], right[0])
    except TypeError:  # of items that have no order
        return None


def kind_of(value: PyAny) -> type:
    return type(value) if isinstance(value, (str, tuple)) else float
