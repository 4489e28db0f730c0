"""Inference of devices: there is only the CPU, so a device is known when compiling and costs nothing.

In: `x.device`, `tsm.device("cpu")`, `device=` in calls. Out: constants.
Holds: what a device argument is given by is evaluated, then left out.
"""

from __future__ import annotations

from ....binding.device import ALWAYS, NEVER_SO, STRIDED
from ....ir.types import BOOL, DEVICE, NONE, STR, TENSOR, arms_of
from ...core.denotations import SpecialDenotation
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import STATIC, Const, Expr, Static, is_silent, none
from ...parser import syntax
from ...prelude import devices as prelude
from ..base import InferenceBase

FLAGS = {
    **dict.fromkeys(("is_cpu", "is_leaf"), True), **dict.fromkeys(NEVER_SO, False), "requires_grad": False,
}
NAMES = ("cpu", "cpu:0")


class DeviceInference(InferenceBase):
    """Devices."""

    def device_fact(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        """`x.device`, `x.is_cuda` of a tensor; `d.type` of a device."""
        kind = resolve(owner.type)
        if kind == DEVICE:
            return self._device_attribute(node, owner, name)
        if kind != TENSOR:
            return None
        if name == "device":
            return self.then(owner, Const(DEVICE, node.span, 0))
        if name == "cpu":
            return Static(STATIC, node.span, SpecialDenotation("cpu", owner))
        if name in FLAGS:
            return self.then(owner, Const(BOOL, node.span, FLAGS[name]))
        return self.then(owner, Const(STR, node.span, STRIDED)) if name == "layout" else None

    def _special_cpu(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        return self.error(node, "cpu() takes no arguments") if node.args or node.keywords else denotation.receiver

    def _device_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """`d.type`, `d.index`: constants, so that what asks for another device is not compiled."""
        if name not in ("type", "index"):
            return self.error(node, f"a device has no attribute '{name}'", "write device.type")
        self.evaluate(owner)
        return Const(STR, node.span, "cpu") if name == "type" else none(node.span)

    def make_device(self, node: syntax.Call) -> Expr:
        """`tsm.device(...)`."""
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        if len(node.args) + len(named) != 1 or set(named) - {"type"}:
            return self.error(node, "device() takes the name of a device", 'write device("cpu")')
        value = self.expr([*node.args, *named.values()][0])
        if is_silent(value):
            return value
        if isinstance(value, Const) and value.type == STR and value.value not in NAMES:
            text = f"tensors lie on the CPU; there is no device '{value.value}'"
            return self.raise_error(node.span, "RuntimeError", text)
        if not self._may_be_place(value):
            text = f"device() takes the name of a device, not {describe(value)}"
            return self.error(node, text, 'write device("cpu")')
        self._check_place(node, value)
        return Const(DEVICE, node.span, 0)

    def is_place(self, node: syntax.Node, value: Expr) -> bool:
        """Whether an argument only says where; it is evaluated, and another place than the CPU reported."""
        if isinstance(value, Const) and value.type == STR:
            if value.value not in NAMES and str(value.value).partition(":")[0] in ("cpu", "cuda"):
                self.error(node, f"tensors lie on the CPU; there is no device '{value.value}'", 'write "cpu"')
                return True
            return value.value in NAMES
        if not self._may_be_place(value):
            return False
        self._check_place(node, value)
        return True

    def _may_be_place(self, value: Expr) -> bool:
        arms = set(map(resolve, arms_of(resolve(value.type))))
        return not isinstance(value, Static) and arms != {NONE} and arms <= {NONE, STR, DEVICE}

    def _check_place(self, node: syntax.Node, value: Expr) -> None:
        """A name that is known at run time only is looked at there."""
        if STR in arms_of(resolve(value.type)):
            value = self.by_prelude(node, prelude.check_place, [value])
        self.evaluate(value)

    def is_device_argument(self, keyword: syntax.keyword) -> bool:
        """Whether it is left out: a `device=`, or what every tensor has. A value that is no device is reported."""
        if keyword.arg in ALWAYS:
            given = self.expr(keyword.value)
            return resolve(given.type) == NONE or isinstance(given, Const) and given.value in ALWAYS[keyword.arg]
        if keyword.arg != "device":
            return False
        value = self.expr(keyword.value)
        if not self.is_place(keyword.value, value) and resolve(value.type) != NONE and not is_silent(value):
            self.error(keyword.value, "'device' must be a device", 'write device="cpu", or x.device')
        return True


def is_device(value: Expr) -> bool:
    return resolve(value.type) == DEVICE
