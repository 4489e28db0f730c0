"""`tsm.device`: PyTorch's name for where a tensor lies, which is always the CPU; and what else is always so.

In: "cpu". Out: a value to compare, print and pass on. Holds: every argument `device=` that is one is accepted and
changes nothing, and so are `layout=`, `pin_memory=` and `requires_grad=` with what every tensor has. Outside of
scripts `requires_grad=True` is taken, too, as Parameter takes it: constructors of modules say it, and gradients are not
computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final


class Device:
    """The CPU. RuntimeError for any other name."""

    type: Final[str] = "cpu"
    index: Final[None] = None

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        name = str(type) if index is None else f"{type}:{index}"
        if name not in ("cpu", "cpu:0"):
            raise RuntimeError(f"tensors lie on the CPU; there is no device {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device)

    def __hash__(self) -> int:
        return hash(Device)

    def __str__(self) -> str:
        return "cpu"

    def __repr__(self) -> str:
        return "device(type='cpu')"


CPU = Device()
STRIDED = "tsm.strided"
NEVER_SO = (
    "is_cuda", "is_meta", "is_mkldnn", "is_mps", "is_nested", "is_quantized", "is_sparse", "is_sparse_csr", "is_xpu",
)
ALWAYS = {"layout": (STRIDED, None), "pin_memory": (False, None), "requires_grad": (False,)}
OUTSIDE = {**ALWAYS, "requires_grad": (False, True)}  # of scripts
PLACES = frozenset(("device", *ALWAYS))


def is_device(value: Any) -> bool:
    """Whether an argument says where: a device, or the name of one."""
    return isinstance(value, Device) or (isinstance(value, str) and value.partition(":")[0] in ("cpu", "cuda", "mps"))


def without_device(args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments without those that say where, or what is always so. RuntimeError for another place than the CPU."""
    rest = {name: value for name, value in kwargs.items() if name not in OUTSIDE or value not in OUTSIDE[name]}
    given = rest.pop("device", None)
    for value in (*args, *([given] if given is not None else [])):
        if is_device(value):
            Device(value)
    return tuple(value for value in args if not is_device(value)), rest
