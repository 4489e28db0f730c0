"""Inference of what gives a tensor another shape in place: `x.unsqueeze_(0)`, `tsm.add(a, b, out=x)`.

In: calls of such methods, calls with `out=`. Out: the variable is given a tensor in the new shape. Holds: nobody may be
able to tell that from the old tensor in its new shape, so the variable must be all that knows it: it was given what an
operator had just made, and since then it was only computed with. Elsewhere a method is refused, and an `out` that does
not have the shape of the result raises RuntimeError.
"""

from __future__ import annotations

from ....binding.dispatch import extensions
from ....ir.operators import spelled
from ....ir.types import TENSOR
from ...compilation.notes import text_of
from ...core.denotations import FunctionDenotation, OperatorDenotation, SpecialDenotation
from ...core.placeholders import resolve
from ...core.typed import ERROR, STATIC, Const, Do, Expr, Operate, Read, Static, is_silent
from ...parser import syntax
from ...parser.syntax import Span
from ...parser.tensor_handles import SHAPE_CHANGES, handed_on
from ...prelude import own_tensors as prelude
from ..base import InferenceBase
from ..functions.library import is_own

NEW_VIEWS = frozenset(("view", "reshape", "permute", "transpose", "t", "squeeze", "squeeze.dim", "unsqueeze", "expand",
                       "select.int", "slice.Tensor", "narrow.Tensor", "diagonal", "getitem.Tensor"))

WRITABLE = (syntax.Name, syntax.Attribute, syntax.Subscript)


class OwnTensorInference(InferenceBase):
    """Tensors that one variable alone knows."""

    def note_own(self, name: str, value: Expr) -> None:
        """Remembers where a variable was given a tensor that nobody else has."""
        if resolve(value.type) == TENSOR and self.is_new_tensor(value):
            self.own_tensors[self.here.variables[name].definition] = value.span

    def is_new_tensor(self, value: Expr) -> bool:
        if isinstance(value, Do):
            return self.is_new_tensor(value.value)
        if not isinstance(value, Operate):
            return False
        if "INPLACE" in value.row.traits:
            return self.is_new_tensor(value.operands[0]) or (
                isinstance(value.operands[0], Read) and self.given_at(value.operands[0].name) is not None)
        return "FRESH" in value.row.traits or value.row.full_name in NEW_VIEWS

    def given_at(self, name: str) -> Span | None:
        """Where a variable was given the tensor it holds, if that was a new one."""
        state = self.here.variables.get(name)
        return None if state is None or state.static is not None else self.own_tensors.get(state.definition)

    def sole_owner(self, node: syntax.Node, value: syntax.Node) -> str | None:
        """The variable that alone knows a tensor, at this place; None where others may."""
        if not isinstance(value, syntax.Name) or value.id in self.frame.source.rebound:
            return None
        name = self.find_name(value.id)
        since = None if name is None else self.given_at(name)
        if name is None or since is None or self.cell_key(name) in self.spec.celled:
            return None
        start, end = (since.end_line, since.end_column), (node.span.line, node.span.column)
        for each in handed_on(self.frame.source.node, value.id, makes_new):
            if start <= (each.span.line, each.span.column) and (each.span.line, each.span.column) < end:
                return None
        return name

    # Methods

    def shape_method(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        """`x.unsqueeze_`; None for other methods."""
        if name not in SHAPE_CHANGES or resolve(owner.type) != TENSOR:
            return None
        return Static(STATIC, node.span, SpecialDenotation("changed_shape", owner))

    def _special_changed_shape(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        owner = denotation.receiver
        if owner is None or not isinstance(node.func, syntax.Attribute):
            return self.error(node, "a method that changes a shape must be called where it is named")
        plain = node.func.attr.rstrip("_")
        name = self.sole_owner(node, node.func.value)
        if name is None and not self.is_new_tensor(owner):
            shown = text_of(node.func.value.span) if isinstance(node.func.value, syntax.Name) else "x"
            return self.error(node, f"{plain}_() would change the shape of a tensor that others may know",
                              f"write {shown} = {shown}.{plain}(...)")
        method = self.attribute(node.func, owner, plain, None)
        assert isinstance(method, Static)
        with self.collect() as statements:
            made = self.call_of(node, method, None)
            if name is None or is_silent(made):
                return Do(made.type, node.span, statements, made) if statements else made
            self.store(name, made)
            self.own_tensors[self.here.variables[name].definition] = node.span
            result = self.read_hidden(name, node.span)
        return Do(result.type, node.span, statements, result)

    # out=

    def call_into(self, node: syntax.Call, callee: Static) -> Expr | None:
        """A call of a tensor function with `out=`; None for any other call."""
        given = next((each for each in node.keywords if each.arg == "out"), None)
        denotation = callee.denotation
        is_function = isinstance(denotation, FunctionDenotation) and is_own(denotation.source)
        is_row = isinstance(denotation, OperatorDenotation) and denotation.spelling.startswith(("tsm.", "F."))
        if given is None or not (is_function or is_row):
            return None
        out = given.value
        if isinstance(out, syntax.Constant) and out.value is None:
            return self.call_of(without(node, given), callee, None)
        if given is not node.keywords[-1] or not isinstance(out, WRITABLE):
            return self.error(given, "out= must be a variable, an attribute or a part of one, and stand last")
        name = self.sole_owner(given, out)
        with self.collect() as statements:
            result = self.call_of(without(node, given), callee, None)
            held = self.hold(self.expr(out))
            if is_silent(result, held):
                return self.silent(node.span, [result, held])
            if resolve(result.type) != TENSOR or resolve(held.type) != TENSOR:
                return self.error(given, "out= is supported for one tensor", "assign the result")
            result = self.hold(result)
            made = self.by_prelude(node, prelude.written if name is None else prelude.written_or_new, [held, result])
            if name is not None:
                self.store(name, made)
                self.own_tensors[self.here.variables[name].definition] = node.span
                made = self.read_hidden(name, node.span)
        return Do(TENSOR, node.span, statements, made) if not is_silent(made) else Const(ERROR, node.span, None)


def without(node: syntax.Call, keyword: syntax.keyword) -> syntax.Call:
    return syntax.Call(node.span, node.func, node.args, [each for each in node.keywords if each is not keyword])


def makes_new(name: str) -> bool:
    """Whether a function of tensors has this name."""
    return any(spelled(f"{place}{name}") or f"{place}{name}" in extensions for place in ("tsm.", "F."))
