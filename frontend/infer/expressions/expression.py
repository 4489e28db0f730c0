"""Inference of expressions: dispatch, displays, f-strings, walrus.

In: expression trees, and the type that the context wants as a hint for literals. Out: typed expressions.
Holds: elements of a display go to the wanted type if all can, else to their union.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence

from ....ir.types import (
    ANY,
    EXCEPTION,
    STR,
    TENSOR,
    ClassType,
    DictType,
    EnumType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
    arms_of,
)
from ...core.conversions import convert, is_tensor_or_number, operate, to_any
from ...core.denotations import (
    BuiltinDenotation,
    ClassDenotation,
    Denotation,
    KeywordsDenotation,
    RangeDenotation,
    SliceDenotation,
    TypeDenotation,
    ViewDenotation,
    is_mutable_container,
)
from ...core.placeholders import Placeholder, join, resolve
from ...core.typed import NEVER, Const, Do, Expr, MakeDict, MakeList, MakeTuple, Recast, Static, after, is_silent
from ...parser import syntax
from ...prelude import ranges as prelude_ranges
from ..base import InferenceBase, Unreachable
from ..containers.sets import KEY_OF_INSTANCE
from ..operand_errors import key_error
from ..type_facts import converted_to, wanted_arm

LATER = {
    syntax.Await: ("'await' is not supported", None),
    syntax.Slice: ("a slice can only stand in an index", None),
    syntax.Starred: ("a starred expression is not supported here", "write the elements out"),
}
WITH_TEXT = (RangeDenotation, SliceDenotation, TypeDenotation, ViewDenotation)
MAYBE_UNKNOWN = (Placeholder, OptionalType, UnionType)  # types of what may be an element of an unknown type


class ExpressionInference(InferenceBase):
    """One method an expression class: `_Tuple`, `_JoinedStr`."""

    def expr(self, node: syntax.Node, want: Type | None = None) -> Expr:
        """The typed form of an expression; ERROR after a message, NEVER if it raises for sure."""
        refusal = LATER.get(type(node))
        if refusal is not None:
            return self.error(node, *refusal)
        method: Callable[[syntax.Node, Type | None], Expr] = getattr(self, f"_{type(node).__name__}")
        if self.env is None:
            return Const(NEVER, node.span, None)
        out, start = self.out, len(self.out)
        try:
            found = method(node, want)
            if isinstance(found, Static):
                return self.opened(found) if is_mutable_container(found.denotation) else found
            kind = resolve(found.type)
            if isinstance(kind, MAYBE_UNKNOWN):
                self.session.classes.wait_for([arm for arm in arms_of(kind) if isinstance(arm, Placeholder)])
            if not isinstance(kind, ClassType):
                return found
            if self.is_kept_range(found.type):
                return self.opened_range(found)
            return self.opened_slice(found) if self.is_kept_slice(found.type) else found
        except Unreachable:
            self.env = None
            ending = out[start:]
            del out[start:]
            return Do(NEVER, node.span, ending, Const(NEVER, node.span, None))

    def value(self, node: syntax.Node, want: Type | None = None) -> Expr:
        """An expression that must have a run-time value."""
        value = self.expr(node, want)
        view = value.denotation if id(node) in self.given_views and isinstance(value, Static) else None
        if isinstance(view, ViewDenotation) and not view.is_method:
            self.spec.gives_function, value = True, self.list_of(node, value)  # D18; where it is called, the live view
        return self.valued(value)

    def valued(self, result: Expr) -> Expr:
        """An expression as a run-time value, or a message."""
        node = result.span
        if isinstance(result, Static):
            made = self.reify(result)
            if made is not None:
                return made
            if isinstance(result.denotation, KeywordsDenotation):
                return after(result.before, self.keywords_dict(node, result.denotation))
            text = f"{result.denotation.describe()} has no value in scripts; call it"
            return self.error(node, *result.denotation.refusal(text))
        return result

    def _NamedExpr(self, node: syntax.NamedExpr, want: Type | None) -> Expr:
        value = self.expr(node.value, want)
        with self.collect() as statements:
            self.renames, outer = [], self.renames
            try:
                self.assign(node.target, value)
                result = self.expr(node.target) if self.env is not None else value
            finally:
                self.renames = outer
        return result if is_silent(result) else after(statements, result)

    def _Tuple(self, node: syntax.Tuple, want: Type | None) -> Expr:
        wants: list[Type | None] = [None] * len(node.elts)
        wanted = next((arm for arm in arms_of(resolve(want)) if isinstance(arm, TupleType)), None) if want else None
        if wanted is not None:
            wants = [*wanted.elements] * (len(node.elts) if wanted.is_variadic else 1)
        wants += [None] * (len(node.elts) - len(wants))
        if any(isinstance(item, syntax.Starred) for item in node.elts):
            return self.starred_tuple(node, wants)
        items = [self.value(item, hint) for item, hint in zip(node.elts, wants)]
        if is_silent(*items):
            return self.silent(node.span, items)
        return MakeTuple(TupleType(tuple(resolve(item.type) for item in items)), node.span, items)

    def _List(self, node: syntax.List, want: Type | None) -> Expr:
        wanted = wanted_arm(want, ListType, not node.elts)
        element = wanted.element if wanted is not None else None
        if want is not None and resolve(want) == ANY:
            element = ANY if not node.elts else None
        if not node.elts:
            return MakeList(ListType(element or self.placeholder(node)), node.span, [])
        if any(isinstance(item, syntax.Starred) for item in node.elts):
            return self.starred_list(node, element)
        items = [self.value(item, element) for item in node.elts]
        if is_silent(*items):
            return self.silent(node.span, items)
        kind, items = self.common(items, self.widened(node, items) or element)
        return MakeList(ListType(self.displayed(node, kind)), node.span, items)

    def common(self, items: list[Expr], element: Type | None) -> tuple[Type, list[Expr]]:
        """Elements of one display at one type: the wanted one if all go there, else their union."""
        if element is not None:
            is_tensor = resolve(element) == TENSOR
            given = [Recast(TENSOR, item.span, item) if is_tensor and is_tensor_or_number(resolve(item.type)) else item
                     for item in items]
            converted = [convert(item, element) for item in given]
            if all(pair is not None for pair in converted):
                return resolve(element), [pair[0] for pair in converted if pair is not None]
        merged = self.session.functions.merged_all([item.type for item in items])
        if merged is not None:
            converted = [convert(item, merged) for item in items]
            if all(pair is not None for pair in converted):
                return merged, [pair[0] for pair in converted if pair is not None]
        kind = join(*(item.type for item in items))
        return kind, [converted_to(item, kind) for item in items]

    def _Dict(self, node: syntax.Dict, want: Type | None) -> Expr:
        wanted = wanted_arm(want, DictType, not node.keys)
        if want is not None and resolve(want) == ANY and all(is_text(key) for key in node.keys):
            wanted = DictType(STR, ANY)  # it may be changed where only the run shows what it is
        if not node.keys:
            key = wanted.key if wanted else self.placeholder(node, "key")
            value = wanted.value if wanted else self.placeholder(node, "value")
            return MakeDict(DictType(key, value), node.span, [])
        if any(key is None for key in node.keys):
            return self.merged_dict(node, want)
        keys, values = [], []
        for key_node, value_node in zip(node.keys, node.values):
            assert key_node is not None
            keys.append(self.fitting(key_node, self.value(key_node, wanted.key if wanted else None), key_error))
            values.append(self.value(value_node, wanted.value if wanted else None))
        written = [part for pair in zip(keys, values) for part in pair]
        if is_silent(*written):
            return self.silent(node.span, written)
        given = keys
        key_kind, keys = self.common(keys, self.widened(node, keys, "key") or (wanted.key if wanted else None))
        value_kind, values = self.common(values, self.widened(node, values, "value") or (
            wanted.value if wanted else None))
        self.displayed(node, key_kind, "key")
        self.displayed(node, value_kind, "value")
        items = [item for pair in zip(keys, values) for item in pair]
        if not key_kind.is_hashable:
            return self.unhashable_key(node, key_kind, written, given)
        return self.displayed_keys(MakeDict(DictType(key_kind, value_kind), node.span, items))

    def unhashable_key(
        self, node: syntax.Node, kind: Type, written: Sequence[Expr] = (), keys: Sequence[Expr] = ()
    ) -> Expr:
        hint = KEY_OF_INSTANCE if self.has_instances(kind) else "use keys of one type: int, str, tuple ..."
        return self.unhashable(node, written, f"{kind} cannot be a dict key here", hint, keys)

    def widened(self, node: syntax.Node, items: list[Expr], part: str = "") -> Type | None:
        """What a display of functions holds together with those that are put in later; None: nothing more."""
        known = self.session.functions.widened.get((id(node), part))
        return None if known is None else join(known, *(item.type for item in items))

    def displayed(self, node: syntax.Node, kind: Type, part: str = "") -> Type:
        if self.session.functions.is_held(kind):
            self.spec.displays[(id(node), part)] = kind
        return kind

    def placeholder(self, node: syntax.Node, part: str = "") -> Type:
        """The unknown element type of an empty display, the same one in every round of a fixpoint."""
        key = (id(node), part)
        if key in self.session.functions.widened:
            self.spec.displays[key] = self.session.functions.widened[key]
            return self.session.functions.widened[key]
        found = self.placeholders.get(key)
        if found is None:
            found = self.placeholders[key] = self.spec.displays[key] = Placeholder(self.spec.foreseen.get(key))
        return found

    def static_text(self, value: Static, row: str) -> Expr:
        """The text of a range, a slice, a view or a class."""
        denotation, python = value.denotation, class_of(value.denotation)
        if isinstance(denotation, SliceDenotation):
            return self.slice_text(value, denotation)
        if isinstance(denotation, RangeDenotation):
            node = syntax.Node(value.span)
            return after(value.before, self.by_prelude(node, prelude_ranges.range_text, denotation.parts))
        if isinstance(denotation, TypeDenotation):
            return self.text_of_type(value, denotation)
        if isinstance(denotation, ViewDenotation) and not denotation.is_method:
            return self.view_text(value, denotation)
        if isinstance(denotation, KeywordsDenotation):
            return self.text_of(self.valued(value), row)
        if python is not None:
            return after(value.before, Const(STR, value.span, repr(python)))
        return self.error(value, f"{denotation.describe()} cannot be printed in scripts")

    def has_text(self, value: Static) -> bool:
        """Whether it is known when compiling and has a text all the same."""
        return isinstance(value.denotation, WITH_TEXT) or class_of(value.denotation) is not None

    def text_of(self, value: Expr, row: str = "str.any") -> Expr:
        """str(value), or repr(value)."""
        if isinstance(value, Static):
            return self.static_text(value, row)
        if is_silent(value) or (resolve(value.type) == STR and row == "str.any"):
            return value
        refused = self.refuse_functions(value, "the text", value.type) if self.session.functions.info else None
        if refused is not None:
            return refused
        if self.says_text(row, value.type):
            return self.class_text(value, row)
        kind = resolve(value.type)
        if row == "repr.any" and isinstance(kind, EnumType) and kind.has_texts:
            return self.member_repr(value, kind)
        if EXCEPTION in (arms := arms_of(resolve(value.type))):
            if len(arms) == 1:
                return self.exception_text(value, row)
            return self.each_arm(value, lambda one: self.text_of(one, row))
        if row == "str.any":
            arms = arms_of(resolve(value.type))
            if len(arms) > 1 and any(isinstance(arm, EnumType) for arm in arms):
                return self.each_arm(value, self.text_of)
            value = self.shown(value)
            if resolve(value.type) == STR or is_silent(value):
                return value
        if kind == ANY and (asked := self.text_of_any(value, row)) is not None:
            return asked
        shown = self.container_text(value)
        if shown is not None:
            return shown
        return operate(row, to_any(value))


def is_text(node: syntax.Node | None) -> bool:
    return isinstance(node, (syntax.JoinedStr, syntax.Constant)) and isinstance(getattr(node, "value", ""), str)


def class_of(denotation: Denotation) -> type | None:
    """The class that a denotation is, if it is one."""
    found = getattr(builtins, denotation.name, None) if isinstance(denotation, BuiltinDenotation) else None
    if isinstance(denotation, ClassDenotation) and not denotation.arguments:
        found = denotation.python
    return found if isinstance(found, type) else None
