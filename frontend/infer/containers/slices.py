"""Inference of slices that variables hold: `s = slice(1, None)`, `x[s]`, `s.start`, `s.indices(n)`.

In: calls of slice, and what is done with them. Out: denotations with the parts evaluated, parts of indices.
Holds: a slice is known when compiling, its parts are values; where it is kept it is an instance of a class of our own.
"""

from __future__ import annotations

from ....ir.types import BOOL, INT, NONE, STR, TupleType, Type, arms_of, optional
from ...core.conversions import operate
from ...core.denotations import SliceDenotation, SpecialDenotation
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import STATIC, Const, Expr, GetAttribute, MakeTuple, Static, after, is_silent, none
from ...parser import syntax
from ...prelude import slices as prelude
from ..base import InferenceBase
from ..indices import Hold, SliceIndex

NAMES = ("start", "stop", "step")


class SliceInference(InferenceBase):
    """Slices."""

    def _call_slice(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 3):
            return self.wrong(node)
        given = node.args if len(node.args) > 1 else [syntax.Constant(node.span, None), *node.args]
        with self.collect() as before:
            values = [self.bound(each) for each in given]
            if is_silent(*values):
                return self.silent(node.span, values)
            for value in values:
                if not all(arm in (INT, BOOL, NONE) for arm in arms_of(resolve(value.type))):
                    return self.error(value, f"the parts of a slice must be int or None, not {describe(value)}")
            parts = [self.keep_always(value) for value in values]
        start, stop, step = [*parts, none(node.span)][:3]
        return Static(STATIC, node.span, SliceDenotation((start, stop, step), next(self._counter)), before)

    def slice_value(self, node: syntax.Slice) -> Expr:
        """`a:b` in the index of an instance, whose method gets a slice."""
        parts = [syntax.Constant(node.span, None) if part is None else part for part in (
            node.lower, node.upper, node.step)]
        value = self._call_slice(syntax.Call(node.span, self.builtin_name(node.span, "slice"), parts, []), None)
        if isinstance(value, Static):
            self.evaluate(value)
            return Static(STATIC, node.span, value.denotation)
        return value

    def index_by(self, value: Static, hold: Hold) -> SliceIndex | None:
        """The parts of a slice in an index; None for what is no slice."""
        denotation = value.denotation
        if not isinstance(denotation, SliceDenotation):
            return None
        before, parts = value.before, list[Expr | None]()
        for part in denotation.parts:
            if resolve(part.type) == NONE:
                parts.append(None)
                continue
            parts.append(hold(after(before, part)))
            before = []
        if before:
            self.evaluate(value)
        return SliceIndex(*parts)

    def slice_attribute(self, node: syntax.Node, owner: Static, denotation: SliceDenotation, name: str) -> Expr:
        if name in NAMES:
            return after(owner.before, denotation.parts[NAMES.index(name)])
        if name == "indices":
            whole = self.parts_of_slice(node.span, denotation)
            return Static(STATIC, node.span, SpecialDenotation("slice_indices", whole), owner.before)
        return self.error(node, f"attribute '{name}' of a slice is not supported in scripts")

    def parts_of_slice(self, span: syntax.Span, denotation: SliceDenotation) -> MakeTuple:
        kinds = tuple(resolve(part.type) for part in denotation.parts)
        return MakeTuple(TupleType(kinds), span, list(denotation.parts))

    def _special_slice_indices(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        if not self.has_count(node, "indices", 1):
            return self.wrong(node)
        length = self.value(node.args[0])
        if is_silent(length):
            return length
        assert isinstance(denotation.receiver, MakeTuple)
        length = self.coerce(length, INT, "the length")
        return self.by_prelude(node, prelude.slice_indices, [*denotation.receiver.items, length])

    def kept_slice(self, value: Static, denotation: SliceDenotation) -> Expr:
        """A slice as an instance of the class of those that are kept."""
        if denotation.made is not None:
            return after(value.before, denotation.made)
        made = self.by_prelude(syntax.Node(value.span), prelude.made_slice, denotation.parts)
        return after(value.before, made)

    def opened_slice(self, value: Expr) -> Expr:
        """A slice that was kept, as one of which start, stop and step are known."""
        with self.collect() as before:
            made = self.hold(value)
        start, stop, step = self.parts_of_kept(made)
        return Static(STATIC, value.span, SliceDenotation((start, stop, step), next(self._counter), made), before)

    def parts_of_kept(self, value: Expr) -> list[Expr]:
        return [GetAttribute(optional(INT), value.span, value, name) for name in NAMES]

    def is_kept_slice(self, kind: Type) -> bool:
        """Whether a type is the class of slices that are kept, and this no method of it."""
        return self.session.classes.python_of(kind) is prelude.Slice and self.source.owner is not prelude.Slice

    def slices_equal(self, node: syntax.Node, left: SliceDenotation, right: SliceDenotation) -> Expr:
        return self.by_prelude(node, prelude.slices_equal, [*left.parts, *right.parts])

    def slice_text(self, value: Static, denotation: SliceDenotation) -> Expr:
        """`slice(1, None, 2)`."""
        whole = self.text_of(self.parts_of_slice(value.span, denotation), "repr.any")
        return after(value.before, operate("add.str", Const(STR, value.span, "slice"), whole))
