"""Inference of subscripts: reading, writing and deleting items and slices of every kind of container.

In: `x[index]` as an expression and as a target. Out: operator rows.
Holds: object and index are evaluated once, also where an augmented assignment reads and writes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ....ir.types import (
    ANY,
    BOOL,
    BYTES,
    INT,
    NONE,
    STR,
    TENSOR,
    DictType,
    ListType,
    NamedTupleType,
    TupleType,
    Type,
    arms_of,
    union,
)
from ...core.constants import known
from ...core.conversions import as_tuple, convert, keeps_kinds
from ...core.denotations import ClassDenotation, KeywordsDenotation, RangeDenotation
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Const,
    Do,
    Evaluate,
    Expr,
    Inside,
    Let,
    MakeDict,
    MakeTuple,
    Operate,
    ReadTemp,
    Recast,
    Static,
    Temp,
    TupleItem,
    after,
    is_silent,
    none,
)
from ...objects.class_facts import is_enum, is_generic, is_plain_class, takes_any_arguments
from ...objects.classes import NotScriptable
from ...parser import syntax
from ...prelude import any_values
from ...prelude import containers as prelude
from ..base import InferenceBase
from ..collection_types import is_deque
from ..hints import conversion_hint, none_hint
from ..indices import Hold, Index, SliceIndex, TensorIndex, evaluated_parts, slice_operands
from ..operand_errors import class_name, iteration_error
from ..type_facts import dict_class, holds_index, tuple_items
from .deques import SLICES

NO_ITEMS = {
    "__getitem__": ("is not subscriptable", "cannot be indexed"),
    "__setitem__": ("does not support item assignment", "does not support item assignment"),
    "__delitem__": ("doesn't support item deletion", "does not support deletion of items"),
}  # of classes without the method: what CPython says, and what the message of compilation says


class SubscriptInference(InferenceBase):
    """Subscripts."""

    def _Subscript(self, node: syntax.Subscript, want: Type | None) -> Expr:
        owner = self.opened(self.expr(node.value))
        function = None if isinstance(owner, Static) else self.session.functions.of(owner.type)
        if function is not None and isinstance(function.denotation, ClassDenotation):
            owner = Static(STATIC, owner.span, function.denotation, [Evaluate(owner.span, owner)])
        if isinstance(owner, Static):
            python = getattr(owner.denotation, "python", None)
            if isinstance(python, type) and is_enum(python):
                return after(owner.before, self.member_by_name(node, python))
            if isinstance(python, type) and is_generic(python):
                return self.generic_class(node, python)
            if takes_any_arguments(python):
                return owner
            if isinstance(owner.denotation, RangeDenotation):
                return after(owner.before, self.range_item(node, owner, owner.denotation))
            if isinstance(owner.denotation, KeywordsDenotation):
                return self.keywords_item(node, owner.denotation)
            if isinstance(owner.denotation, ClassDenotation) and not is_plain_class(python):
                return self.error(node, "a type with arguments is no class", "tsm.jit.isinstance looks into containers")
            refusal = owner.denotation.refusal(f"{owner.denotation.describe()} cannot be indexed")
            return self.error(node.value, *refusal)
        if is_silent(owner):
            return self.silent(node.span, [owner])
        owner = self.plain(owner)
        temps: list[tuple[Temp, Expr]] = []

        def hold(value: Expr) -> Expr:
            if isinstance(value, Const):
                return value
            temps.append((Temp(value), value))
            return ReadTemp(value.type, value.span, temps[-1][0])

        kind = resolve(owner.type)
        is_simple = not isinstance(kind, (TupleType, NamedTupleType)) and kind != TENSOR
        is_dim = isinstance(owner, Operate) and owner.row.full_name == "shape"
        held = owner if is_simple or is_dim or known(owner) is not None else hold(owner)
        index = self.index(held, node.slice, hold if not is_simple else lambda value: value)
        result = self.get_item(node, held, index)
        if self.here.paths and not is_silent(result) and not isinstance(result, Static):
            result = self.known_at(result, self.path_of(node))
        for temp, value in reversed(temps):
            result = Let(result.type, node.span, temp, value, result)
        return result

    def generic_class(self, node: syntax.Subscript, python: type) -> Expr:
        """`Stack[int]`, to be called."""
        try:
            kind = self.annotation(node)
        except NotScriptable as error:
            return self.error(node, str(error))
        info = self.session.classes.of(kind) if kind is not None else None
        if info is None:
            return self.error(node, f"the class '{python.__name__}' cannot be indexed") if kind is not None else Const(
                ERROR, node.span, None)
        return Static(STATIC, node.span, ClassDenotation(python, info.arguments))

    def held_index(self, owner: Expr, node: syntax.Node) -> Index:
        return self.index(owner, node, self.hold)

    def index(self, owner: Expr, node: syntax.Node, hold: Hold) -> Index:
        """The parts of an index, evaluated from left to right."""
        if resolve(owner.type) == TENSOR:
            return TensorIndex(tuple(self.items_of_index(node, hold)))
        if isinstance(node, syntax.Slice) and self.has_instances(owner.type):
            return self.slice_value(node)
        if isinstance(node, syntax.Slice):
            return self.slice_parts(node, hold)
        kind = resolve(owner.type)
        want = kind.key if isinstance(kind, DictType) else None
        value = self.expr(node, want)
        if isinstance(value, Static) and self.has_instances(owner.type):
            self.evaluate(value)
            return Static(STATIC, node.span, value.denotation)
        if isinstance(value, Static) and (parts := self.index_by(value, hold)) is not None:
            return parts
        value = self.valued(value)
        return value if is_silent(value) else hold(value)

    def slice_parts(self, node: syntax.Slice, hold: Hold) -> SliceIndex:
        parts = [None if part is None else hold(self.bound(part)) for part in (node.lower, node.upper, node.step)]
        parts = [None if part is not None and resolve(part.type) == NONE else part for part in parts]
        return SliceIndex(*parts)

    def bound(self, node: syntax.Node) -> Expr:
        """A part of a slice, whose `__index__` counts."""
        value = self.value(node)
        found = self.index_of_tensor(value) if holds_index(value) else self.as_index(value)
        is_wrong = class_name(found.type) not in (None, "NoneType", "bool", "int")
        raised = "TypeError", "slice indices must be integers or None or have an __index__ method"
        left = self.left_to_run(node, raised, [found]) if is_wrong else None
        return found if left is None else left

    def item_of_instance(
        self, node: syntax.Subscript, owner: Expr, method: str, index: Index, values: list[Expr],
        of_container: Callable[[Expr, Index], Expr],
    ) -> Expr:
        """`x[i]`, `x[i] = v`, `del x[i]` of an instance of a script class; `of_container` is the same of what else the
        owner may be."""
        if isinstance(index, (SliceIndex, TensorIndex)):
            return self.error(node.slice, "a slice of an instance is not supported: a slice is no value here",
                              "write a method with start and stop")
        at = index

        def each(one: Expr) -> Expr:
            if is_container(resolve(one.type)):
                parts = self.index_by(at, lambda value: value) if isinstance(at, Static) else None
                return of_container(one, parts or at)
            if not self.defines(one.type, method):
                shown, verb = NO_ITEMS[method]
                text = f"{describe(one)} {verb}"
                return self.class_misfit(node, one, f"'{{}}' object {shown}", text, f"define {method} in the class")
            return self.call_member(node.span, one, method, [at, *values])

        return self.each_arm(owner, each)

    def run_for_none(self, node: syntax.Node, run: Callable[[], None]) -> Expr:
        """What statements do, as an expression without a value."""
        with self.collect() as statements:
            run()
        return Do(NONE, node.span, statements, none(node.span))

    # Reading

    def get_item(self, node: syntax.Subscript, owner: Expr, index: Index) -> Expr:
        if is_silent(owner):
            return self.silent(node.span, [owner])
        parts = evaluated_parts(index)
        if is_silent(*parts):
            return self.silent(node.span, [owner, *parts])
        if self.has_instances(owner.type):
            return self.item_of_instance(
                node, owner, "__getitem__", index, [], lambda one, at: self.get_item(node, one, at))
        owner = as_tuple(owner)
        if isinstance(index, Const) and (found := self.item_of_display(owner, index)) is not None:
            return found
        if not isinstance(index, TensorIndex) and (found := self.item_of_arms(node, owner, index)) is not None:
            return found
        arms = arms_of(resolve(owner.type))
        if len(arms) > 1 and not isinstance(index, TensorIndex) and all(map(is_container, arms)):
            return self.each_arm(owner, lambda arm: self.get_item(node, arm, index))
        if isinstance(index, TensorIndex):
            return self.get_tensor(node, owner, index)
        if isinstance(index, SliceIndex):
            return self.get_slice(node, owner, index)
        kind = resolve(owner.type)
        info = self.module_info(kind)
        if info is not None:
            return self.get_submodule(node, owner, info, index)
        if isinstance(owner, Operate) and owner.row.full_name == "shape" and resolve(index.type) in (INT, BOOL):
            return self.operate(node, ".size", [owner.operands[0], index])
        if isinstance(kind, TupleType) and not kind.is_variadic:
            return self.get_of_tuple(node, owner, kind, index)
        if kind == ANY:
            return self.item_of_any(node, owner, index)
        if not (kind in (STR, BYTES) or isinstance(kind, (ListType, DictType, TupleType))):
            self.session.classes.wait_for([owner.type])
            nothing = self.of_nothing(node, owner, "an element of an empty container cannot be indexed")
            return nothing or self.error(node, f"{describe(owner)} cannot be indexed", none_hint(owner))
        made = self.item_of_dict_class(node, owner, index)
        if made is not None:
            return made
        if not isinstance(kind, DictType):
            checked = self.position(node, kind, index)
            if checked.type == ERROR:
                return checked
            index = checked
        return self.operate(node, "_[_]", [owner, index])

    def position(self, node: syntax.Subscript, kind: Type, index: Expr) -> Expr:
        """An index of a sequence as an int."""
        index = self.as_index(index)
        source = resolve(index.type)
        if source == TENSOR:
            return self.by_prelude(node.slice, prelude.tensor_index, [index])
        if source == ANY:
            name = "string" if kind == STR else "byte" if kind == BYTES else "list" if isinstance(
                kind, ListType) else "tuple"
            return self.by_prelude(node.slice, any_values.place_of, [index, Const(STR, node.span, name)])
        converted = convert(index, INT)
        if converted is not None:
            return converted[0]
        name = str(kind) if kind in (STR, BYTES) else "list" if isinstance(kind, ListType) else "tuple"
        return self.error(node.slice, f"{name} indices must be int or slices, not {describe(index)}",
                          conversion_hint(index, INT))

    def item_of_display(self, owner: Expr, index: Const) -> Expr | None:
        """`{"a": 1, "b": "x"}["b"]`, and of what a dict of attributes is made of: the value with its own type."""
        if isinstance(owner, Do) and not isinstance(owner, Inside):
            found = self.item_of_display(owner.value, index)
            return None if found is None else Do(found.type, owner.span, owner.body, found)
        if not isinstance(owner, MakeDict) or len(arms_of(resolve(owner.type).members[1])) < 2:
            return None
        keys = [each.value if isinstance(each, Const) and each.type == index.type == STR else None
                for each in owner.items[::2]]
        if None in keys or index.value not in keys:
            return None
        place = len(keys) - 1 - keys[::-1].index(index.value)
        with self.collect() as statements:
            values = [self.hold(each.value if isinstance(each, Recast) else each) for each in owner.items[1::2]]
        return Do(values[place].type, owner.span, statements, values[place])

    def get_of_tuple(self, node: syntax.Subscript, owner: Expr, kind: TupleType, index: Expr) -> Expr:
        count = len(kind.elements)
        if isinstance(index, Const) and resolve(index.type) in (INT, BOOL):
            place = int(index.value)
            if not -count <= place < count:
                text = f"tuple index {place} is out of range for {count} elements"
                return self.wrong_or_left(node, ("IndexError", "tuple index out of range"), text, None, [owner])
            place %= count
            return owner.items[place] if isinstance(owner, MakeTuple) else TupleItem(
                kind.elements[place], node.span, owner, place)
        position = self.position(node, kind, index)
        if position.type == ERROR:
            return position
        whole = self.as_variadic(owner, kind.elements)
        if whole is None:
            return self.error(node.slice, "the index of a tuple of different types must be a constant",
                              "use a list of one type")
        return self.operate(node, "_[_]", [whole, position])

    def as_variadic(self, owner: Expr, elements: tuple[Type, ...]) -> Expr | None:
        """A tuple as one of any length, whose elements have all its types; None if it has no such form."""
        element = (self.session.functions.merged_all(elements) or union(*elements)) if elements else INT
        converted = convert(owner, TupleType((element,), True))
        return None if converted is None else converted[0]

    def get_slice(self, node: syntax.Subscript, owner: Expr, index: SliceIndex) -> Expr:
        kind = resolve(owner.type)
        if kind == ANY:
            return self.slice_of_any(node, owner, slice_operands(node, index))
        if is_deque(kind):
            return self.error(node.slice, SLICES, "write list(d)[...]")
        info = self.module_info(kind)
        if info is not None and info.is_container and not info.is_dict:
            members = self.submodules(owner, info)
            kind = TupleType(tuple(member.type for member in members), is_chain=info.is_sequential)
            owner = MakeTuple(kind, node.span, members)
        if isinstance(kind, TupleType) and not kind.is_variadic:
            parts = [index.lower, index.upper, index.step]
            if all(part is None or isinstance(part, Const) for part in parts):
                chosen = slice(*(part.value if isinstance(part, Const) else None for part in parts))
                if chosen.step == 0:
                    return self.error(node.slice, "slice step cannot be zero")
                items = tuple_items(owner, kind)[chosen]
                return MakeTuple(TupleType(kind.elements[chosen], is_chain=kind.is_chain), node.span, items)
            whole = self.as_variadic(owner, kind.elements)
            if whole is None:
                return self.error(node.slice, "a slice of a tuple of different types must be constant", "use a list")
            owner = whole
        elif not (kind in (STR, BYTES) or isinstance(kind, (ListType, TupleType))):
            return self.error(node, f"{describe(owner)} cannot be sliced")
        operands = slice_operands(node, index)
        while operands and isinstance(operands[-1], Const) and operands[-1].value is None:
            operands.pop()
        sliced = self.operate(node, "_[:]", [owner, *operands])
        if isinstance(kind, TupleType) and kind.is_chain and isinstance(sliced.type, TupleType):
            sliced.type = replace(sliced.type, is_chain=True)
        return sliced

    # Writing

    def set_item(self, node: syntax.Subscript, owner: Expr, index: Index, value: Expr) -> None:
        parts = [owner, *evaluated_parts(index)]
        if is_silent(*parts, value):
            self.evaluate(self.silent(node.span, [*parts, value]))
            return
        if isinstance(value, Static) and (made := self.reify(value)) is not None:
            value = made
        if isinstance(index, SliceIndex) and isinstance(resolve(owner.type), ListType):
            value = self.not_assigned(node, owner, index, value) or self.list_of(node, value)
        if value.type in (ERROR, NEVER):
            self.evaluate(value)
            return
        if isinstance(value, Static):
            self.error(value, f"{value.denotation.describe()} cannot be stored")
            return
        if self.has_instances(owner.type):
            self.evaluate(self.item_of_instance(
                node, owner, "__setitem__", index, [value],
                lambda one, at: self.run_for_none(node, lambda: self.set_item(node, one, at, value))))
            return
        changed = self.items_of_union(node, owner, index, lambda one: self.set_item(node, one, index, value), False)
        if changed is not None:
            self.evaluate(changed)
            return
        kind = resolve(owner.type)
        if isinstance(index, TensorIndex):
            self.set_tensor(node, owner, index, value)
        elif isinstance(index, SliceIndex):
            self.set_slice(node, owner, index, value)
        elif kind == ANY:
            self.set_item_of_any(node, owner, index, value)
        elif isinstance(kind, (ListType, DictType)):
            if isinstance(kind, ListType):
                index = self.position(node, kind, index)
            value = self.made_for(owner, value)
            self.evaluate(self.operate(node, "_[_]=_", [owner, index, value]))
        else:
            hint = "make a new one" if kind in (STR, BYTES) or isinstance(kind, TupleType) else None
            raised = "TypeError", "'bytes' object does not support item assignment" if kind == BYTES else None
            text = f"{describe(owner)} does not support item assignment"
            nothing = self.of_nothing(node, owner, "an element of an empty container has no items")
            self.evaluate(nothing or self.wrong_or_left(node, raised, text, hint, [owner]))

    def not_assigned(self, node: syntax.Subscript, owner: Expr, index: SliceIndex, value: Expr) -> Expr | None:
        """The TypeError of `x[a:b] = v` where `v` is not iterable and that is left to the run."""
        if isinstance(value, Static) or iteration_error(value.type) is None:
            return None
        is_extended = index.step is not None and not (isinstance(index.step, Const) and index.step.value == 1)
        text = "must assign iterable to extended slice" if is_extended else "can only assign an iterable"
        return self.left_to_run(node, ("TypeError", text), [owner, value])

    def set_slice(self, node: syntax.Subscript, owner: Expr, index: SliceIndex, value: Expr) -> None:
        if not isinstance(resolve(owner.type), ListType) or is_deque(owner.type):
            self.error(node, f"{describe(owner)} does not support slice assignment")
            return
        operands = slice_operands(node, index)
        element, given = resolve(owner.type).members[0], resolve(value.type)
        if isinstance(given, ListType) and given.element != element and keeps_kinds(given.element, element):
            value = self.remade(node, value, ListType(element))
        self.evaluate(self.operate(node, "_[:]=_", [owner, *operands, value]))

    def delete_item(self, node: syntax.Subscript) -> None:
        owner = self.hold(self.value(node.value))
        if is_silent(owner):
            return
        index = self.held_index(owner, node.slice)
        parts = evaluated_parts(index)
        if is_silent(*parts):
            self.evaluate(self.silent(node.span, parts))
            return
        deleted = self.items_of_union(node, owner, index, lambda one: self.delete_at(node, one, index), True)
        if deleted is not None:
            self.evaluate(deleted)
        else:
            self.delete_at(node, owner, index)

    def delete_at(self, node: syntax.Subscript, owner: Expr, index: Index) -> None:
        """`del owner[index]`, of one class."""
        kind = resolve(owner.type)
        if self.has_instances(kind):
            self.evaluate(self.item_of_instance(
                node, owner, "__delitem__", index, [],
                lambda one, at: self.run_for_none(node, lambda: self.delete_at(node, one, at))))
        elif isinstance(index, SliceIndex) and isinstance(kind, ListType) and not is_deque(kind):
            self.evaluate(self.operate(node, "del_[:]", [owner, *slice_operands(node, index)]))
        elif kind == ANY and not isinstance(index, (SliceIndex, TensorIndex)):
            self.delete_item_of_any(node, owner, index)
        elif isinstance(index, (SliceIndex, TensorIndex)) or not isinstance(kind, (ListType, DictType)):
            self.error(node, f"items of {describe(owner)} cannot be deleted")
        elif is_deque(kind):
            self.evaluate(self.delete_of_deque(node, owner, index))
        elif dict_class(kind) == "Counter":
            self.evaluate(self.delete_of_counter(node, owner, index))
        else:
            self.evaluate(self.operate(node, "del_[_]", [owner, index]))


def is_container(kind: Type) -> bool:
    return kind in (STR, BYTES) or isinstance(kind, (ListType, DictType, TupleType))
