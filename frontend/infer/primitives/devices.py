"""Inference of devices: there is only the CPU, so a device is known when compiling and costs nothing.

In: `x.device`, `tsm.device("cpu")`, `device=` in calls. Out: denotations and constants.
Holds: what a device argument is given by is evaluated, then left out.
"""

from __future__ import annotations

from ....ir.types import BOOL, NONE, STR, TENSOR
from ...core.denotations import DeviceDenotation, SpecialDenotation
from ...core.placeholders import resolve
from ...core.typed import STATIC, Const, Evaluate, Expr, Static, Stmt, is_silent, none
from ...parser import syntax
from ..base import InferenceBase

FLAGS = {
    "is_cpu": True, "is_cuda": False, "is_mps": False, "is_sparse": False, "is_quantized": False,
    "requires_grad": False, "is_leaf": True,
}


class DeviceInference(InferenceBase):
    """Devices."""

    def device_fact(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        """`x.device`, `x.is_cuda` of a tensor."""
        if resolve(owner.type) != TENSOR:
            return None
        if name == "device":
            before: list[Stmt] = [Evaluate(owner.span, owner)]
            return Static(STATIC, node.span, DeviceDenotation(), before)
        if name == "cpu":
            return Static(STATIC, node.span, SpecialDenotation("cpu", owner))
        if name in FLAGS:
            return self.then(owner, Const(BOOL, node.span, FLAGS[name]))
        return None

    def _special_cpu(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        return self.error(node, "cpu() takes no arguments") if node.args or node.keywords else denotation.receiver

    def device_attribute(self, node: syntax.Node, owner: Static, name: str) -> Expr:
        """`d.type`, `d.index`."""
        self.evaluate(owner)
        if name == "type":
            return Const(STR, node.span, "cpu")
        if name == "index":
            return none(node.span)
        return self.error(node, f"a device has no attribute '{name}'", "write device.type")

    def make_device(self, node: syntax.Call) -> Expr:
        """`tsm.device(...)`."""
        if len(node.args) != 1 or node.keywords:
            return self.error(node, "device() takes the name of a device", 'write device("cpu")')
        value = self.expr(node.args[0])
        if is_silent(value):
            return value
        if is_device(value):
            return value
        if not isinstance(value, Const) or value.type != STR:
            return self.error(node, "the name of a device must be a constant", 'write device("cpu")')
        if value.value not in ("cpu", "cpu:0"):
            text = f"tensors lie on the CPU; there is no device '{value.value}'"
            return self.raise_error(node.span, "RuntimeError", text)
        return Static(STATIC, node.span, DeviceDenotation())

    def is_place(self, node: syntax.Node, value: Expr) -> bool:
        """Whether an argument only says where; it is evaluated, and another place than the CPU reported."""
        if is_device(value):
            self.evaluate(value)
            return True
        if isinstance(value, Const) and value.type == STR and str(value.value).partition(":")[0] in ("cpu", "cuda"):
            if value.value not in ("cpu", "cpu:0"):
                self.error(node, f"tensors lie on the CPU; there is no device '{value.value}'", 'write "cpu"')
            return True
        return False

    def is_device_argument(self, keyword: syntax.keyword) -> bool:
        """Whether it is a `device=` that is left out; a value that is no device is reported."""
        if keyword.arg != "device":
            return False
        value = self.expr(keyword.value)
        if not self.is_place(keyword.value, value) and resolve(value.type) != NONE and not is_silent(value):
            self.error(keyword.value, "'device' must be a device", 'write device="cpu", or x.device')
        return True


def is_device(value: Expr) -> bool:
    return isinstance(value, Static) and isinstance(value.denotation, DeviceDenotation)
