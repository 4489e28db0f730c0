"""Inference of subscripts of tensors.

In: the items of an index. Out: the steps of the binding's index plan where no item is a tensor, else one operator that
plans when it runs: what tensors in an index mean depends on ranks.
"""

from __future__ import annotations

from ....binding.indexing import IndexingError, Item, Step, is_whole, needs_rank, plan
from ....ir.operators import OPERATORS
from ....ir.types import ANY, BOOL, DTYPE, INT, NONE, STR, TENSOR, ListType, TupleType, has_arm, optional
from ...core.conversions import convert, is_scalar, is_tensor_or_number, narrowed, once, operate, to_any, to_scalar
from ...core.denotations import RangeDenotation
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    Choose,
    Const,
    Expr,
    IsType,
    MakeList,
    Operate,
    Recast,
    Static,
    is_silent,
    none,
)
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import ranges as prelude
from ..base import InferenceBase
from ..hints import conversion_hint, none_hint
from ..indices import Hold, SliceIndex, TensorIndex, slice_operands
from ..type_facts import tuple_items


def step_or_one(step: Expr) -> Expr:
    is_none = IsType(BOOL, step.span, step, NONE)
    return Choose(INT, step.span, is_none, Const(INT, step.span, 1), narrowed(step, INT), [])


TENSORS = ("tensor", "tensors")


class TensorSubscriptInference(InferenceBase):
    """Subscripts of tensors."""

    def tensor_item(self, node: syntax.Node, hold: Hold) -> Item:
        if isinstance(node, syntax.Slice):
            return self.slice_item(node, self.slice_parts(node, hold))
        if isinstance(node, syntax.Constant) and node.value is Ellipsis:
            return Item("ellipsis")
        if isinstance(node, syntax.Name) and node.id == "Ellipsis" and self.find_name(node.id) is None:
            return Item("ellipsis")
        if isinstance(node, syntax.List) and not node.elts:
            empty_list = MakeList(ListType(INT), node.span, [])
            return Item("tensor", hold(operate("cast.int64", operate("tensor", to_any(empty_list)))))
        if isinstance(node, (syntax.List, syntax.ListComp)):
            return Item("tensor", hold(operate("tensor", to_any(self.value(node)))))
        return self.item_of_index(node, self.expr(node), hold)

    def item_of_index(self, node: syntax.Node, value: Expr, hold: Hold) -> Item:
        """The item that a value is."""
        if self.is_kept_slice(value.type):
            return self.slice_item(node, SliceIndex(*map(hold, self.parts_of_kept(value))))
        if isinstance(value, Static) and (parts := self.index_by(value, hold)) is not None:
            return self.slice_item(node, parts)
        if isinstance(value, Static) and isinstance(value.denotation, RangeDenotation):
            self.evaluate(value)
            numbers = self.by_prelude(node, prelude.range_list, value.denotation.parts)
            return Item("tensor", hold(operate("cast.int64", operate("tensor", to_any(numbers)))))
        value = self.whole(self.valued(value))
        kind = resolve(value.type)
        if is_silent(value):
            return Item("none", value)
        if kind == ANY and self.is_any_guessed():
            self.error(node, "an index of a tensor must not be Any", none_hint(value))
            return Item("none", Const(ERROR, node.span, None))
        if kind == NONE:
            return Item("none")
        if kind == TENSOR:
            return Item("tensor", hold(value))
        if isinstance(kind, ListType):
            made = operate("tensor", to_any(value))  # an empty list would make a tensor of floats
            return Item("tensor", hold(operate("cast.int64", made) if resolve(kind.element) == INT else made))
        if kind == BOOL:
            return Item("tensor", hold(operate("tensor", to_any(value))))  # a mask without dimensions
        converted = convert(value, INT)
        if converted is None:
            text = f"a tensor index must be int, slice, None, ... or Tensor, got {describe(value)}"
            self.error(node, text, none_hint(value))
            return Item("none", Const(ERROR, node.span, None))
        return Item("int", hold(converted[0]))

    def items_of_index(self, node: syntax.Node, hold: Hold) -> list[Item]:
        """The items of an index: those written, or those of a tuple that was made elsewhere."""
        if isinstance(node, syntax.Tuple):
            return [self.tensor_item(item, hold) for item in node.elts]
        if isinstance(node, syntax.List) and node.elts and not any(isinstance(each, syntax.List) for each in node.elts):
            made = self.value(node)
            if isinstance(made, MakeList) and resolve(resolve(made.type).members[0]) == TENSOR:
                return [self.item_of_index(node, item, hold) for item in made.items]  # PyTorch takes it for a tuple
            return [Item("none", made) if is_silent(made) else Item("tensor", hold(operate("tensor", to_any(made))))]
        is_nested = isinstance(node, syntax.List) and any(isinstance(each, syntax.List) for each in node.elts)
        if not is_nested and not isinstance(node, (syntax.Name, syntax.Attribute, syntax.Call, syntax.Subscript)):
            return [self.tensor_item(node, hold)]
        value = self.expr(node)
        kind = resolve(value.type)
        if isinstance(kind, ListType) and isinstance(resolve(kind.element), ListType):
            self.error(node, "a list of lists alone is no index: PyTorch takes it for a tuple of as many indices",
                       "write x[tsm.tensor(rows)], or x[rows[0], rows[1]]")
            return [Item("none", Const(ERROR, node.span, None))]
        if isinstance(kind, (ListType, TupleType)) and [resolve(each) for each in kind.members] == [TENSOR]:
            if isinstance(kind, ListType) or kind.is_variadic:
                listed = value if isinstance(kind, ListType) else operate(
                    "list.from_tuple", value, result=ListType(TENSOR))
                return [Item("tensors", hold(listed))]
        if not isinstance(kind, TupleType) or kind.is_variadic:
            return [self.item_of_index(node, value, hold)]
        return [self.item_of_index(node, item, hold) for item in tuple_items(hold(value), kind)]

    def slice_item(self, node: syntax.Node, parts: SliceIndex) -> Item:
        written = [part for part in (parts.lower, parts.upper, parts.step) if part is not None]
        if is_silent(*written):
            return Item("none", self.silent(node.span, written))
        for part in written:
            if convert(part, optional(INT)) is None:
                text = f"the parts of a slice must be int or None, not {describe(part)}"
                return Item("none", self.error(part, text, conversion_hint(part, INT)))
        if parts.step is not None and has_arm(resolve(parts.step.type), NONE):
            parts = SliceIndex(parts.lower, parts.upper, once(parts.step, step_or_one))
        empty = (parts.lower, parts.upper) == (None, None) and (
            parts.step is None or (isinstance(parts.step, Const) and parts.step.value == 1)
        )
        return Item("slice", slice(None) if empty else parts)

    # Reading

    def get_tensor(self, node: syntax.Subscript, owner: Expr, index: TensorIndex) -> Expr:
        if any(item.kind in TENSORS for item in index.items) or needs_rank(index.items):
            operands = self.whole_index(node, owner, index)
            return Operate(TENSOR, node.span, OPERATORS["getitem.Tensor"], operands, (TENSOR,))
        view = self.tensor_view(node, owner, index)
        if view is None:
            return Const(ERROR, node.span, None)
        return operate("detach", owner) if view is owner else view

    def tensor_view(self, node: syntax.Subscript, owner: Expr, index: TensorIndex) -> Expr | None:
        """The view that the steps of an index without tensors give. None after reporting."""
        try:
            steps = plan(index.items, None)
        except IndexingError as error:
            self.error(node.slice, str(error))
            return None
        view = owner
        for step in steps:
            view = self.tensor_step(node.span, view, step)
        return view

    def whole_index(self, node: syntax.Subscript, owner: Expr, index: TensorIndex) -> list[Expr]:
        """The first operands of getitem.Tensor and setitem.Tensor: what tensors in an index mean depends on ranks."""
        span, letters = node.span, ""
        first = index.items[0] if index.items else None
        if first is not None and first.kind == "tensors":  # as many as there are
            count = operate("len.list", first.value)
            return [owner, operate("mul.str", Const(STR, span, "t"), count),
                    MakeList(ListType(optional(INT)), span, []), first.value]
        numbers: list[Expr] = []
        tensors: list[Expr] = []
        for item in index.items:
            letters += {"int": "i", "slice": "s", "none": "n", "ellipsis": "e", "tensor": "t"}[item.kind]
            if item.kind == "int":
                numbers.append(item.value)
            elif item.kind == "tensor":
                tensors.append(item.value)
            elif item.kind == "slice":
                parts = item.value if isinstance(item.value, SliceIndex) else SliceIndex(None, None, None)
                numbers += slice_operands(node, parts)
        kind = optional(INT)
        fitted = [(convert(number, kind) or (number,))[0] for number in numbers]
        lists = [MakeList(ListType(kind), span, fitted), MakeList(ListType(TENSOR), span, tensors)]
        return [owner, Const(STR, span, letters), *lists]

    def tensor_step(self, span: Span, view: Expr, step: Step) -> Expr:
        dim: Expr = Const(INT, span, step.dim)
        if step.op == "select":
            return operate("select.int", view, dim, step.value)
        if step.op == "unsqueeze":
            return operate("unsqueeze", view, dim)
        parts: SliceIndex = SliceIndex(None, None, None) if is_whole(step.value) else step.value
        operands = []
        for part in (parts.lower, parts.upper):
            value: Expr = none(span) if part is None else part
            converted = convert(value, optional(INT))
            operands.append(value if converted is None else converted[0])
        step_value = Const(INT, span, 1) if parts.step is None else parts.step
        return operate("slice.Tensor", view, dim, *operands, step_value)

    # Writing

    def set_tensor(self, node: syntax.Subscript, owner: Expr, index: TensorIndex, value: Expr) -> None:
        if is_tensor_or_number(resolve(value.type)):
            value = self.each_arm(
                value, lambda one: one if resolve(one.type) == TENSOR else self.element_of(owner, one))
        kind, span = resolve(value.type), node.span
        if kind != TENSOR and not is_scalar(kind):
            self.error(value, f"an item of a tensor must be a Tensor or a number, got {describe(value)}")
            return
        if kind == TENSOR or any(item.kind in TENSORS for item in index.items) or needs_rank(index.items):
            source = value if kind == TENSOR else self.element_of(owner, value)
            operands = [*self.whole_index(node, owner, index), source]
            self.evaluate(Operate(TENSOR, span, OPERATORS["setitem.Tensor"], operands, (TENSOR,)))
            return
        view = self.tensor_view(node, owner, index)
        if view is not None:
            self.evaluate(operate("fill_", view, to_scalar(value)))

    def element_of(self, owner: Expr, value: Expr) -> Expr:
        """A number as a 0-d tensor of the dtype of a tensor."""
        dtype = Recast(optional(DTYPE), value.span, operate("dtype", owner))
        size = MakeList(ListType(INT), value.span, [])
        return Operate(TENSOR, value.span, OPERATORS["full"], [size, to_scalar(value), dtype], (TENSOR,))
