"""Inference of `t.tolist()`: a list for each dimension of a tensor.

In: the call, and the type that its place declares. Out: loops over rows, and the row's numbers at once.
Holds: how many dimensions and which dtype there are is known at run time, so the type comes from an annotation; what
does not fit it raises TypeError.
"""

from __future__ import annotations

from ....ir.types import BOOL, FLOAT, INT, TENSOR, ListType, Type, arms_of
from ...core.conversions import operate
from ...core.denotations import SpecialDenotation
from ...core.placeholders import Placeholder, resolve
from ...core.typed import STATIC, Expr, Static
from ...parser import syntax
from ...prelude import containers as prelude
from ..base import InferenceBase, Jump
from ..type_facts import WALKED

LEAVES: dict[Type, str] = {BOOL: "tolist.bools", INT: "tolist.ints", FLOAT: "tolist.floats"}
HINT = "annotate what takes it, as in: rows: list[list[float]] = t.tolist(); for one number use t.item()"


class TensorListInference(InferenceBase):
    """Tensors as lists."""

    def tolist_method(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        if name != "tolist" or resolve(owner.type) != TENSOR:
            return None
        return Static(STATIC, node.span, SpecialDenotation("tolist", owner))

    def call_tolist(self, node: syntax.Call, denotation: SpecialDenotation, want: Type | None) -> Expr:
        assert denotation.receiver is not None
        if node.args or node.keywords:
            return self.error(node, "tolist() takes no arguments")
        kinds = [arm for arm in arms_of(resolve(want)) if isinstance(arm, ListType)] if want else []
        leaf: Type | None = kinds[0] if len(kinds) == 1 else None
        while isinstance(leaf, ListType):
            leaf = resolve(leaf.element)
        if leaf is None or isinstance(leaf, Placeholder):
            return self.error(node, "the type of what tolist() gives is not known here", HINT)
        if kinds[0] == WALKED:
            return self.by_prelude(node, prelude.numbers_of, [denotation.receiver])
        if leaf not in LEAVES:
            return self.error(node, f"tolist() gives lists of bool, int or float, not {kinds[0]}", HINT)
        return self.tensor_rows(node, denotation.receiver, kinds[0])

    def tensor_rows(self, node: syntax.Call, tensor: Expr, kind: ListType) -> Expr:
        element = resolve(kind.element)
        if not isinstance(element, ListType):
            return operate(LEAVES[element], tensor)

        def build(result: Expr) -> None:
            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                self.evaluate(self.operate(node, ".append", [result, self.tensor_rows(node, item, element)]))

            self.walk(node.span, self.iterate_value(node, tensor), frozenset(), None, None, each, None)

        return self.gather(node, kind, build)
