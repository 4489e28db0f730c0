"""Inference of what dtypes are asked, and tensors of their memory.

In: attribute reads. Out: calls of the prelude. Holds: they are properties, as in PyTorch.
"""

from __future__ import annotations

from ....ir.types import DTYPE, TENSOR
from ...core.conversions import operate
from ...core.placeholders import resolve
from ...core.typed import Expr
from ...parser import syntax
from ...prelude import dtypes as prelude
from ..base import InferenceBase

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
