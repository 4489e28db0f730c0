"""`p.data = v`: a tensor takes another's numbers.

In: an assignment to `data`. Out: a typed statement that copies the numbers into the tensor's memory.
Holds: PyTorch makes both tensors one memory, so what is assigned must be a tensor that nobody else has afterwards.
"""

from __future__ import annotations

from ....ir.types import TENSOR
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import Expr, is_silent
from ...parser import syntax
from ...prelude import own_tensors as prelude
from ..base import InferenceBase

_SAME = ("data", "detach", "view", "reshape", "contiguous", "t", "T")  # gives the tensor it is asked of, or its memory


class TensorDataInference(InferenceBase):
    """Assignment to the data of a tensor."""

    def assign_data(self, node: syntax.Assign, target: syntax.Attribute, value: Expr) -> None:
        value = self.hold(value)
        owner = self.hold(self.expr(target.value))
        if resolve(owner.type) != TENSOR or is_silent(owner, value):
            self.set_attribute(target, owner, value)
        elif resolve(value.type) != TENSOR:
            self.error(node.value, f"the data of a tensor must be a Tensor, got {describe(value)}")
        elif self.is_known_elsewhere(node):
            self.error(target, "both tensors would be one memory: a script only copies into the data of a tensor",
                       "write .data.copy_(x), or assign x.clone()")
        else:
            self.evaluate(self.by_prelude(node, prelude.take_data, [owner, value]))

    def is_known_elsewhere(self, node: syntax.Assign) -> bool:
        """Whether something reads the assigned tensor after this, so that it could tell a copy from the memory."""
        source = node.value
        while isinstance(source, (syntax.Attribute, syntax.Call)):
            inner = source.func if isinstance(source, syntax.Call) else source
            if not (isinstance(inner, syntax.Attribute) and inner.attr in _SAME):
                break
            source = inner.value
        if isinstance(source, (syntax.Attribute, syntax.Subscript)):
            return True
        if not isinstance(source, syntax.Name):
            return False
        function = self.source.node
        args = function.args
        given = {param.arg for param in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
        uses = [each for each in syntax.walk(function) if isinstance(each, syntax.Name) and each.id == source.id]
        made = [each for each in syntax.walk(function) if isinstance(each, syntax.Assign)
                and any(isinstance(each_target, syntax.Name) and each_target.id == source.id
                        for each_target in each.targets)]
        is_fresh = len(made) == 1 and not isinstance(made[0].value, (syntax.Name, syntax.Attribute, syntax.Subscript))
        return source.id in given or not is_fresh or any(use.span.line > node.span.end_line for use in uses)
