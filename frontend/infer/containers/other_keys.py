"""Inference of keys that are looked up in a dict whose keys have another type but may be equal, as 1 in {1.0: "a"}, of
keys of type Any, and of such items that are looked for in lists.

In: `d[k]`, `d.get(k)`, `x.index(v)`. Out: operators that compare values of any type, as Python does. None for all
other keys.
Holds: a KeyError is about the key that was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import ANY, DictType, ListType, NamedTupleType, TupleType, Type, arms_of, has_arm, union
from ...core.conversions import is_scalar, keeps_kinds, once_all, operate, to_any
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import Choose, Expr, Recast, Static, is_silent, none
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import any_values as prelude
from ..base import InferenceBase
from ..collection_types import is_deque
from ..type_facts import converted_to, dict_class

FINDING = (".index", ".count", ".remove")
TUPLES = (TupleType, NamedTupleType)


class OtherKeyInference(InferenceBase):
    """Keys of other types."""

    def by_equal_key(self, span: Span, spelling: str, values: Sequence[Expr]) -> Expr | None:
        if spelling in FINDING and len(values) > 1 and not is_silent(*values):
            return self.found_as_any(span, spelling, values)
        if spelling not in ("_[_]", ".get") or len(values) < 2 or is_silent(*values):
            return None
        kind = resolve(values[0].type)
        if not isinstance(kind, DictType) or dict_class(kind) or any(isinstance(value, Static) for value in values):
            return None
        given = resolve(values[1].type)
        if self.is_number_member(kind.key) and getattr(resolve(kind.key), "value_type", None) == given:
            function = prelude.item_of_member if spelling == "_[_]" else (
                prelude.item_of_member_or if len(values) > 2 else prelude.item_of_member_if)
            return self.by_prelude(syntax.Constant(span, None), function, values)
        if self.is_number_member(given) and getattr(given, "value_type", None) == resolve(kind.key):
            return self.by_value_of_member(span, spelling, values)
        if self.are_other_functions(kind.key, given):
            return self.by_function(span, spelling, values, kind.key)
        if not self.may_equal(kind.key, values[1].type):
            return None
        if spelling == "_[_]":
            return Recast(kind.value, span, operate("getitem.any", to_any(values[0]), to_any(values[1])))
        default = values[2] if len(values) > 2 else none(span)
        wide = union(kind.value, default.type)

        def use(held: list[Expr]) -> Expr:
            whole, key = to_any(held[0]), to_any(held[1])
            found = Recast(kind.value, span, operate("getitem.any", whole, key))
            test = operate("contains.any", whole, key)
            return Choose(wide, span, test, converted_to(found, wide), converted_to(held[2], wide), [])

        return once_all([values[0], values[1], default], use)

    def are_other_functions(self, key: Type, given: Type) -> bool:
        """Whether keys are functions or classes, and one that is given may be none of them."""
        functions, key = self.session.functions, resolve(key)
        return functions.is_function(key) and functions.is_function(given) and not has_placeholder(key) and not all(
            has_arm(key, arm) for arm in arms_of(given))

    def by_function(self, span: Span, spelling: str, values: Sequence[Expr], key: Type) -> Expr:
        """`d[type(x)]` and `d.get(type(x))`: what is none of the keys is not found."""
        def use(held: list[Expr]) -> Expr:
            def one(arm: Expr) -> Expr:
                if has_arm(resolve(key), resolve(arm.type)):
                    return self.operate(span, spelling, [held[0], arm, *held[2:]])
                if spelling == "_[_]":
                    return self.raise_key(span, arm)
                return held[2] if len(held) > 2 else none(span)

            return self.each_arm(held[1], one)

        return once_all(list(values), use)

    def by_value_of_member(self, span: Span, spelling: str, values: Sequence[Expr]) -> Expr:
        """`d[Level.LOW]` and `d.get(Level.LOW)` where the keys are ints; a KeyError shows the member."""
        node = syntax.Node(span)

        def use(held: list[Expr]) -> Expr:
            given = [held[0], self.plain(held[1]), *held[2:]]
            found = self.operate(span, spelling, given)
            if spelling != "_[_]" or is_silent(found):
                return found
            test = self.contains(node, given[1], held[0])
            return Choose(found.type, span, test, found, self.raise_key(span, held[1]), [])

        return once_all(list(values), use)

    def found_as_any(self, span: Span, spelling: str, values: Sequence[Expr]) -> Expr | None:
        """An item of type Any that is looked for in a list of elements of one type."""
        kind = resolve(values[0].type)
        if not isinstance(kind, ListType) or is_deque(kind) or resolve(values[1].type) != ANY:
            return None
        if kind.element == ANY or has_placeholder(kind) or self.has_instances(kind.element):
            return None
        if spelling == ".remove":
            return self.by_prelude(syntax.Constant(span, None), prelude.remove_equal, values)
        return self.operate(span, spelling, [operate("list.from_any", to_any(values[0])), *values[1:]])

    def may_equal(self, key: Type, given: Type) -> bool:
        """Whether a value of one type may be equal to a key of another type, which it is not."""
        key, given = resolve(key), resolve(given)
        if has_placeholder(key) or has_placeholder(given) or has_arm(key, given) or keeps_kinds(given, key):
            return False
        if given == ANY:
            return not self.has_instances(key)
        if is_scalar(key) and is_scalar(given):
            return True
        is_tuple = isinstance(given, TUPLES) and any(isinstance(arm, TUPLES) for arm in arms_of(key))
        return is_tuple and given.is_hashable and not self.has_instances(key, given)
