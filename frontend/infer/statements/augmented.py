"""Inference of augmented assignments: `x += y` and its like.

In: their targets and values. Out: changes in place where Python has them, else `x = x + y`.
Holds: object and index of a target are evaluated once; the target is read before the value.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from ....ir.types import TENSOR, DictType, ListType, SetType, TupleType, Type, arms_of
from ...compilation.frames import MARK
from ...core.conversions import is_tensor_or_number, once, once_all, operate
from ...core.matcher import NoMatch, match, readable_set, spelled
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import ERROR, NEVER, Do, Evaluate, Expr, Operate, Static, is_silent, none
from ...objects.class_facts import mangled
from ...parser import syntax
from ..base import InferenceBase
from ..expressions.union_operators import CHANGED
from ..operand_errors import binary_error, iteration_error
from ..type_facts import dict_class

UPDATES = {
    "_|=_": ".update", "_&=_": ".intersection_update", "_-=_": ".difference_update",
    "_^=_": ".symmetric_difference_update",
}  # augmented assignments of sets and dicts, by the method that does the same


class AugmentedInference(InferenceBase):
    """Augmented assignments."""

    def _AugAssign(self, node: syntax.AugAssign) -> None:
        target = node.target
        if isinstance(target, syntax.Name):
            old = self.expr(target)
            if self.local_name(target.id) not in self.here.variables and old.type not in (NEVER, ERROR):
                self.error(target, f"a script cannot assign the global '{target.id}'")
                return
            self.assign(target, self.augmented(node, old))
        elif isinstance(target, syntax.Attribute):
            owner = self.hold(self.expr(target.value))
            name = mangled(target.attr, self.source.owner)
            old = self.hold(self.attribute(target, owner, name, self.path_of(target)))
            if resolve(owner.type) == TENSOR and name == "data":
                self.evaluate(self.augmented(node, old))  # it is the same memory
                return
            self.set_attribute(target, owner, self.hold(self.augmented(node, old)))
        elif isinstance(target, syntax.Subscript):
            owner = self.hold(self.expr(target.value))
            index = self.held_index(owner, target.slice)
            old = self.get_item(target, owner, index)
            is_value = not is_silent(old) and not isinstance(old, Static)
            old = self.hold(self.known_at(old, self.path_of(target)) if is_value else old)
            value = self.hold(self.augmented(node, old))
            self.set_item(target, owner, index, value)
            self.note_element(target, value)
        else:
            self.error(target, "this cannot be assigned to")

    def augmented(self, node: syntax.AugAssign, old: Expr) -> Expr:
        """`old op= value`: in place where a row says so, else `old op value`."""
        spelling = f"_{node.op}=_"
        if (done := self.augmented_of_deque(node, old)) is not None:
            return done
        if self.is_told_apart(old) and any(isinstance(arm, CHANGED) for arm in arms_of(resolve(old.type))):
            return self.by_branches(node.span, old, lambda one: self.augmented_of_arm(node, one))
        if isinstance(resolve(old.type), ListType) and node.op == "+":
            return self.grown(node, old, node.value, spelling)
        if node.op == "|" and self.takes_pairs(node, resolve(old.type)):
            old = self.hold(old)
            updated = self.call_dict_update(syntax.Call(node.span, node.target, [node.value], []), old)
            return self.then(updated, old)
        value = self.expr(node.value)
        if is_silent(old, value):
            return self.silent(node.span, [old, value])
        if self.has_instances(old.type):
            found = self.class_augmented(node, node.op, old, value)
            return self.binary(node, node.op, old, value) if found is None else found
        counted = self.augmented_of_dict_class(node, node.op, old, value)
        if counted is not None:
            return counted
        kind = resolve(old.type)
        if isinstance(kind, ListType) and node.op == "*":
            return self.repeated_in_place(node, old, value)
        if kind == TENSOR and spelled(spelling):
            with suppress(NoMatch):
                return match(spelling, [old, value])
            if is_tensor_or_number(resolve(value.type)):
                return once_all([old, value], lambda held: self.each_arm(
                    held[1], lambda one: match(spelling, [held[0], one])))
        if isinstance(kind, SetType) and spelling in UPDATES and self.is_set_view(value):
            value = self.view_as_set(node, value)
        value = readable_set(value) if isinstance(kind, SetType) else value
        if isinstance(kind, (SetType, DictType)) and type(resolve(value.type)) is type(kind) and spelling in UPDATES:
            return self.updated(node, spelling, old, value)
        if kind == TENSOR and node.op != "@" and not isinstance(value, Static):
            result = self.binary(node, node.op, old, value)
            if is_silent(result):
                return result
            return Operate(TENSOR, node.span, operate("copy_", old, result).row, [old, result], (TENSOR,))
        return self.binary(node, node.op, old, value)

    def takes_pairs(self, node: syntax.AugAssign, kind: Type) -> bool:
        """Whether `d |= x` enters the pairs that an iterable gives, or a dict of other types, into a dict."""
        if not isinstance(kind, DictType) or dict_class(kind):
            return False
        given = None if self.is_lazy(node.value) else self.natural_type(node.value)
        is_other = isinstance(given, DictType) and given != kind and not has_placeholder(given)
        return given is None or is_other or isinstance(given, (ListType, SetType, TupleType))

    def augmented_of_arm(self, node: syntax.AugAssign, old: Expr) -> Expr:
        """The same where `old` is of one of several classes, not all of which may have the operator."""
        if self.is_lazy(node.value):
            return self.augmented(node, old)
        kind, given = resolve(old.type), self.natural_type(node.value)
        if len(arms_of(given)) > 1:
            value = self.value(node.value)
            return self.by_branches(node.span, value, lambda one: self.augmented_by(node, old, one))
        text = binary_error(node.op, kind, given, True)
        if isinstance(kind, ListType) and node.op == "+" or isinstance(kind, DictType) and node.op == "|":
            text = iteration_error(given)
        if text is None:
            return self.augmented(node, old)
        return self.then(self.expr(node.value), self.raise_error(node.span, "TypeError", text))

    def augmented_by(self, node: syntax.AugAssign, old: Expr, value: Expr) -> Expr:
        """The same with a value that was evaluated before."""
        name = MARK + self.hidden("operand")
        self.store(name, value)
        result = self.augmented_of_arm(replace(node, value=syntax.Name(node.value.span, name)), old)
        self.drop([name])
        return result

    def repeated_in_place(self, node: syntax.AugAssign, old: Expr, value: Expr) -> Expr:
        """`v *= n` of a list: its elements are replaced by those of `v * n`, and it is itself the result."""
        def store(whole: Expr) -> Expr:
            product = self.operate(node, "_*_", self.with_count(node.span, whole, value))
            if is_silent(product):
                return product
            ends = [none(node.span) for _ in range(3)]
            call = self.operate(node, "_[:]=_", [whole, *ends, product])
            return call if is_silent(call) else Do(old.type, node.span, [Evaluate(node.span, call)], whole)

        return once(old, store)

    def updated(self, node: syntax.AugAssign, spelling: str, old: Expr, value: Expr) -> Expr:
        """`s |= t` and its like on a set or dict: changed in place, and itself the result."""
        rows = [row for row in spelled(UPDATES[spelling]) if type(row.schema.params[0].type) is type(resolve(old.type))]
        if not rows:
            return self.binary(node, node.op, old, value)

        def update(whole: Expr) -> Expr:
            call = self.set_changed(node, UPDATES[spelling], whole, value, rows)
            return call if is_silent(call) else Do(old.type, node.span, [Evaluate(node.span, call)], whole)

        return once(old, update)
