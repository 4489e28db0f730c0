"""Inference of unpacking assignments.

In: a value and how many targets it has, one of them starred or none. Out: a value for each target.
Holds: the length is checked before anything is taken apart, with CPython's text.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import (
    ANY,
    BOOL,
    BYTES,
    INT,
    STR,
    TENSOR,
    DictType,
    FrozenSetType,
    ListType,
    SetType,
    TupleType,
    arms_of,
)
from ...compilation.frames import MARK
from ...core.conversions import as_tuple, operate, to_any
from ...core.matcher import describe, readable_set
from ...core.placeholders import Placeholder, join, resolve
from ...core.tensor_tuples import taken_one_by_one
from ...core.typed import ERROR, NEVER, Const, Expr, IsType, MakeList, MakeTuple, Recast, is_silent, none
from ...parser import syntax
from ..base import InferenceBase
from ..hints import none_hint
from ..iteration import tensor_rows
from ..loops.union_iteration import is_iterable, is_union_of_iterables
from ..operand_errors import unpack_error
from ..type_facts import converted_to, tuple_items


class UnpackingInference(InferenceBase):
    """Unpacking."""

    def sequence_parts(self, node: syntax.Node, value: Expr, count: int, star: int | None) -> list[Expr]:
        """The values for the targets of an unpacking assignment, after Python's check of the length."""
        value = taken_one_by_one(as_tuple(value))
        module = self.module_info(value.type)
        if module is not None and module.is_container and not module.is_dict:
            members = self.submodules(value, module)
            value = MakeTuple(TupleType(tuple(member.type for member in members)), value.span, members)
        kind = resolve(value.type)
        if isinstance(kind, TupleType) and not kind.is_variadic:
            return self.tuple_parts(node, value, kind, count, star)
        if kind == TENSOR:
            value = tensor_rows(self, value)
        elif kind == ANY:
            value = self.unpacked_any(node, value)
            if is_silent(value):
                return [value] * count
        elif isinstance(kind, DictType):
            value = operate("dict.keys", value, result=ListType(kind.key))
        elif isinstance(kind, (SetType, FrozenSetType)):
            value = operate("list.from_set", readable_set(value), result=ListType(kind.element))
        elif is_union_of_iterables(kind) or self.is_told_apart(value) and any(map(is_iterable, arms_of(kind))):
            return self.arms_parts(node, self.hold(value), count, star)
        elif not (kind in (STR, BYTES) or isinstance(kind, (ListType, TupleType))):
            raised = ("TypeError", unpack_error(kind))
            found = self.wrong_or_left(value, raised, f"cannot unpack {describe(value)}", none_hint(value), [value])
            if found.type != ERROR:
                self.evaluate(found)
            return [Const(found.type, node.span, None)] * count
        value = self.hold(value)
        self.check_length(node, value, count, star)
        parts: list[Expr] = []
        for i in range(count):
            if i == star:
                upper = i - count + 1
                bounds = [Const(INT, node.span, i), Const(INT, node.span, upper) if upper else none(node.span)]
                rest = self.operate(node, "_[:]", [value, *bounds])
                if resolve(rest.type) in (STR, BYTES) or isinstance(resolve(rest.type), TupleType):
                    rest = self.operate(node, "list()", [rest])
                parts.append(self.hold(rest))
            else:
                place = i if star is None or i < star else i - count
                parts.append(self.hold(self.operate(node, "_[_]", [value, Const(INT, node.span, place)])))
        return parts

    def arms_parts(self, node: syntax.Node, value: Expr, count: int, star: int | None) -> list[Expr]:
        """The parts of a value of one of several types; a tuple of another length fails where it is met."""
        names = [MARK + self.hidden("part") for _ in range(count)]
        arms = list(arms_of(resolve(value.type)))

        def take() -> None:
            arm = arms.pop(0)
            test = IsType(BOOL, node.span, value, arm)

            def store() -> None:
                one = Recast(arm, node.span, value)
                text = wrong_length(arm, count, star) if isinstance(arm, TupleType) and not arm.is_variadic else None
                if text is not None:
                    self.evaluate(self.raise_error(node.span, "ValueError", text))
                    return
                if (text := unpack_error(arm)) is not None:
                    self.evaluate(self.raise_error(node.span, "TypeError", text))
                    return
                for name, part in zip(names, self.sequence_parts(node, one, count, star)):
                    self.store(name, part)

            if arms:
                self.branch(node.span, test, self.here, self.here.copy(), None, store, take)
            else:
                store()

        take()
        if self.env is None:
            return [Const(NEVER, node.span, None)] * count
        parts = [self.hold(self.read_hidden(name, node.span)) for name in names]
        self.drop(names)
        return parts

    def tuple_parts(self, node: syntax.Node, value: Expr, kind: TupleType, count: int, star: int | None) -> list[Expr]:
        have = len(kind.elements)
        text = wrong_length(kind, count, star)
        if text is not None:
            found = self.wrong_or_left(node, ("ValueError", text), text, None, [value])
            if found.type != ERROR:
                self.evaluate(found)
            return [Const(found.type, node.span, None)] * count
        if isinstance(value, MakeTuple):
            items: Sequence[Expr] = [self.hold(item) for item in value.items]
        else:
            items = tuple_items(self.hold(value), kind)
        if star is None:
            return list(items)
        rest = items[star : have - (count - star - 1)]
        tail = items[have - (count - star - 1) :]
        element = join(*(item.type for item in rest)) if rest else Placeholder()
        gathered = MakeList(ListType(element), node.span, [converted_to(item, element) for item in rest])
        return [*items[:star], gathered, *tail]

    def check_length(self, node: syntax.Node, value: Expr, count: int, star: int | None) -> None:
        self.check_count(node, self.hold(self.operate(node, "len()", [value])), count, star)

    def check_count(self, node: syntax.Node, size: Expr, count: int, star: int | None) -> None:
        """ValueError with CPython's text unless so many items fit."""
        least = count if star is None else count - 1
        more = "at least " if star is not None else ""
        too_few = operate("lt.int", size, Const(INT, node.span, least))

        def few() -> None:
            head = Const(STR, node.span, f"not enough values to unpack (expected {more}{least}, got ")
            start = operate("add.str", head, operate("str.any", to_any(size)))
            text = operate("add.str", start, Const(STR, node.span, ")"))
            self.evaluate(self.raise_error(node.span, "ValueError", text))

        def many() -> None:
            self.evaluate(self.raise_error(node.span, "ValueError", f"too many values to unpack (expected {count})"))

        if least:
            self.branch(node.span, too_few, self.here, self.here.copy(), None, few, lambda: None)
        if star is None:
            too_many = operate("gt.int", size, Const(INT, node.span, count))
            self.branch(node.span, too_many, self.here, self.here.copy(), None, many, lambda: None)


def wrong_length(kind: TupleType, count: int, star: int | None) -> str | None:
    """CPython's text if a tuple of this type does not fit so many targets."""
    have = len(kind.elements)
    least = count if star is None else count - 1
    if have < least:
        more = "at least " if star is not None else ""
        return f"not enough values to unpack (expected {more}{least}, got {have})"
    return f"too many values to unpack (expected {count})" if star is None and have > count else None
