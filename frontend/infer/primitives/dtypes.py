"""Inference of what dtypes are asked, and tensors of their memory; dtypes that no tensor has.

In: attribute reads, comparisons, operands. Out: calls of the prelude, constants, messages.
Holds: they are properties, as in PyTorch; what only a tensor of another library could be is not compiled.
"""

from __future__ import annotations

from ....ir.types import BOOL, DTYPE, TENSOR, DType
from ...core.conversions import operate
from ...core.placeholders import resolve
from ...core.typed import Const, Expr, Operate, Recast
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import dtypes as prelude
from ..base import InferenceBase
from ..hints import COMPLEX, HALF

OF_DTYPES = {
    "is_floating_point": prelude.is_floating_point, "is_complex": prelude.is_complex, "is_signed": prelude.is_signed,
    "itemsize": prelude.itemsize,
}
OF_TENSORS = {"itemsize": prelude.itemsize_of, "nbytes": prelude.nbytes}


class DtypeInference(InferenceBase):
    """Dtypes."""

    def dtype_fact(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        """A property of a dtype, or of a tensor's memory."""
        kind = resolve(owner.type)
        if kind == TENSOR and name == "data":
            return operate("detach", owner)
        facts = OF_DTYPES if kind == DTYPE else OF_TENSORS if kind == TENSOR else {}
        return self.by_prelude(node, facts[name], [owner]) if name in facts else None

    def never_dtype(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`x.dtype == tsm.float16` of a tensor: known when compiling."""
        asked, name = (right, left) if isinstance(left, Const) else (left, right)
        if op not in ("==", "!=", "is", "is not") or absent_dtype(name) is None:
            return None
        if not (isinstance(asked, Operate) and asked.row.full_name == "dtype"):
            return None
        return self.then(asked, Const(BOOL, node.span, op in ("!=", "is not")))

    def refuse_dtype(self, node: syntax.Node | Expr | Span, result: Operate) -> Expr | None:
        """A message about a call that would make a tensor of a dtype that no tensor has; in a branch it is left to the
        run, which raises NotImplementedError."""
        operand = next((value for value in result.operands if absent_dtype(value) is not None), None)
        absent = None if operand is None else absent_dtype(operand)
        if operand is None or absent is None or TENSOR not in result.result_types:
            return None
        if isinstance(node, syntax.Node) and not self.is_step(node):
            return None
        hint = COMPLEX if absent.name.startswith("complex") else HALF
        if absent.name.startswith("uint"):
            hint = "write int32 or int64"
        return self.error(operand, f"tensors have no dtype {absent.name}", hint)


def absent_dtype(value: Expr) -> DType | None:
    """The dtype that it names, if no tensor has that; else None."""
    while isinstance(value, Recast):
        value = value.value
    if not isinstance(value, Const) or value.type != DTYPE or DType(value.value).is_stored:
        return None
    return DType(value.value)
