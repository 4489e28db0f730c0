"""Operators on values whose class is known at run time only, where not all the classes have the operator.

In: operands whose types are unions that inference found, and what one combination of arms gives. Out: the choice among
the combinations, those without a meaning being CPython's TypeErrors; None where the message of compilation stands: no
combination has a meaning, an error's text is not certain, or an annotation says that the value is a union.
Holds: operands are evaluated once, from left to right, before the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod

from ....ir.types import DictType, ListType, SetType, TupleType, Type, arms_of
from ...core.conversions import is_scalar, once_all
from ...core.placeholders import resolve
from ...core.typed import (
    NEVER,
    Choose,
    Do,
    Expr,
    GetAttribute,
    Invoke,
    Let,
    MakeDict,
    MakeList,
    MakeSet,
    MakeTuple,
    Operate,
    Read,
    ReadTemp,
    Recast,
    Static,
    TupleItem,
    is_silent,
)
from ...parser import syntax
from ..base import InferenceBase
from ..indices import SliceIndex
from ..operand_errors import (
    MAX_COMBINATIONS,
    binary_error,
    class_name,
    contains_error,
    index_error,
    is_no_key,
    length_error,
    order_error,
    slice_error,
    unary_error,
)

CHANGED = (ListType, DictType, SetType)  # by an augmented assignment
HOLDERS = (*CHANGED, TupleType)

ErrorOf = Callable[..., "str | None"]


class UnionOperatorInference(InferenceBase):
    """Operators on unions."""

    def binary_of_arms(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        in_place = isinstance(node, syntax.AugAssign)

        def error(a: Type, b: Type) -> str | None:
            return binary_error(op, a, b, in_place)

        if in_place and not all(
            error(a, b) for a in arms_of(resolve(left.type)) for b in arms_of(resolve(right.type))
            if isinstance(a, CHANGED)
        ):
            return None
        return self.by_arms(node, [left, right], error, lambda x, y: self.binary(node, op, x, y))

    def order_of_arms(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        return self.by_arms(
            node, [left, right], lambda a, b: order_error(op, a, b), lambda x, y: self.relation(node, op, x, y))

    def contains_of_arms(self, node: syntax.Node, item: Expr, owner: Expr) -> Expr | None:
        return self.by_arms(node, [item, owner], contains_error, lambda x, y: self.contains(node, x, y))

    def unary_of_arms(self, node: syntax.Node, op: str, value: Expr, use: Callable[[Expr], Expr]) -> Expr | None:
        return self.by_arms(node, [value], lambda kind: unary_error(op, kind), use)

    def length_of_arms(self, node: syntax.Node, value: Expr, use: Callable[[Expr], Expr]) -> Expr | None:
        return self.by_arms(node, [value], length_error, use)

    def item_of_arms(self, node: syntax.Subscript, owner: Expr, index: Expr | SliceIndex) -> Expr | None:
        if isinstance(index, SliceIndex):
            return self.by_arms(node, [owner], slice_error, lambda one: self.get_item(node, one, index))
        kind = resolve(owner.type)
        if isinstance(kind, DictType) and class_name(kind) == "dict" and is_no_key(kind.key, index.type):
            return self.raise_key(node.span, index) if self.is_left(node) else None
        return self.by_arms(node, [owner, index], index_error, lambda one, at: self.item_or_absent(node, one, at))

    def item_or_absent(self, node: syntax.Subscript, owner: Expr, index: Expr) -> Expr:
        """The item; a KeyError where no key of a dict is of the class of the index."""
        kind = resolve(owner.type)
        if isinstance(kind, DictType) and class_name(kind) == "dict" and is_no_key(kind.key, index.type):
            return self.raise_key(node.span, index)
        return self.get_item(node, owner, index)

    def by_arms(
        self, node: syntax.Node, operands: Sequence[Expr], error: ErrorOf, use: Callable[..., Expr]
    ) -> Expr | None:
        """`use` of the operands at each combination of their arms that has no error; where an annotation says that a
        value is a union, none may have one."""
        if not self.are_few_unions(operands):
            return self.left_of_one(node, operands, error)
        if not self.are_inferred_unions(operands) and not self.here.logs:
            arms = [arms_of(resolve(operand.type)) for operand in operands]
            if any(error(*each) is not None for each in product(*arms)):
                return self.left_of_one(node, operands, error)
        mark, before = self.reporter.mark(), self.here.copy()

        def choose(held: list[Expr], fixed: list[Expr]) -> Expr:
            if held:
                return self.each_arm(held[0], lambda one: choose(held[1:], [*fixed, one]))
            text = error(*(resolve(value.type) for value in fixed))
            return use(*fixed) if text is None else self.raise_error(node.span, "TypeError", text)

        with self.collect() as statements:
            result = once_all(operands, lambda held: choose(held, []))
        is_wrong = is_silent(result) and not (result.type == NEVER and self.is_left(node))
        is_wrong = is_wrong or isinstance(result, Static) or bool(self.reporter.since(mark))
        if not is_wrong and not statements:
            return result
        self.reporter.rewind(mark)
        self.env = before
        return None if is_wrong else self.in_branches(node, operands, error, use)

    def left_of_one(self, node: syntax.Node, operands: Sequence[Expr], error: ErrorOf) -> Expr | None:
        """The error of operands of one class each, where it is left to the run."""
        kinds = [resolve(value.type) for value in operands]
        if any(isinstance(value, Static) or len(arms_of(kind)) > 1 for value, kind in zip(operands, kinds)):
            return None
        return self.left_to_run(node, ("TypeError", error(*kinds)), operands)

    def in_branches(
        self, node: syntax.Node, operands: Sequence[Expr], error: ErrorOf, use: Callable[..., Expr]
    ) -> Expr:
        """The same where `use` needs statements."""
        def choose(held: Sequence[Expr], fixed: Sequence[Expr]) -> Expr:
            if held:
                return self.by_branches(node.span, held[0], lambda one: choose(held[1:], [*fixed, one]))
            text = error(*(resolve(value.type) for value in fixed))
            return use(*fixed) if text is None else self.raise_error(node.span, "TypeError", text)

        with self.collect() as statements:
            result = choose([self.hold(operand) for operand in operands], [])
        return Do(result.type, node.span, statements, result)

    def are_inferred_unions(self, operands: Sequence[Expr]) -> bool:
        """Whether some operand has a union for its type, and none of these was annotated but as numbers."""
        unions = [value for value in operands if len(arms_of(resolve(value.type))) > 1]
        is_known = all(is_scalar(resolve(value.type)) or self.is_inferred(value) for value in unions)
        return is_known and self.are_few_unions(operands)

    def are_few_unions(self, operands: Sequence[Expr]) -> bool:
        """Whether some operand has a union for its type, and all their arms can be told apart."""
        if is_silent(*operands) or any(isinstance(value, Static) for value in operands):
            return False
        counts = [len(arms_of(resolve(value.type))) for value in operands]
        return 1 < prod(counts) <= MAX_COMBINATIONS

    def is_inferred(self, value: Expr) -> bool:
        """Whether no annotation says that a value is a union, be it its own or that of the container that holds it; or
        else the function tests somewhere which of its classes it has."""
        if len(arms_of(resolve(value.type))) < 2 and not isinstance(resolve(value.type), HOLDERS):
            return True
        if isinstance(value, Read):
            origin = self.origins.get(value.name)
            is_free = value.name not in self.declared and (origin is None or self.is_inferred(origin))
            return is_free or value.name in self.tested
        if isinstance(value, GetAttribute):
            return value.name in self.tested or not self.is_declared_attribute(value)
        if isinstance(value, Invoke):
            source = value.callee.source
            return value.callee.declared is None or value.callee.is_folded or source.refined_result is not None
        if isinstance(value, ReadTemp):
            return value.temp.value is not None and self.is_inferred(value.temp.value)
        if isinstance(value, Choose):
            return self.is_inferred(value.then) and self.is_inferred(value.otherwise)
        if isinstance(value, Operate) and value.row.name == "getitem":
            return self.is_inferred(value.operands[0])
        if isinstance(value, (MakeList, MakeTuple, MakeDict, MakeSet)):
            return all(map(self.is_inferred, value.items))
        if isinstance(value, Let):
            return self.is_inferred(value.body)
        return self.is_inferred(value.value) if isinstance(value, (Recast, TupleItem, Do)) else True
