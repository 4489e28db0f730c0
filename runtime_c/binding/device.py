"""`tsm.device`: PyTorch's name for where a tensor lies, which is always the CPU; and what else is always so.

In: "cpu", or another name, as a value only. Out: a value to compare, print and pass on. Holds: every argument
`device=` that is the CPU is accepted and changes nothing, and so are `layout=`, `pin_memory=` and `requires_grad=` with
what every tensor has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .gradients import refuse_gradients

KINDS = (  # of devices, as PyTorch names them
    "cpu", "cuda", "mps", "xpu", "meta", "hpu", "xla", "mtia", "ipu", "hip", "vulkan", "mkldnn", "opengl", "opencl",
    "ideep", "fpga", "maia", "ve", "lazy", "privateuseone",
)


class Device:
    """The name of a device: `Device("cuda", 0)`, `Device("cuda:0")`. A name is compared, printed and passed on; where a
    tensor would be put on another device than the CPU, RuntimeError. "cpu:0" is the CPU. RuntimeError for a name that
    PyTorch does not have."""

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, Device):
            kind, index = type.type, type.index if index is None else index
        elif isinstance(type, int) and not isinstance(type, bool):
            kind, index = "cuda", type  # a number alone is that of an accelerator
        else:
            kind, index = _parsed(str(type), index)
        object.__setattr__(self, "type", kind)
        object.__setattr__(self, "index", None if kind == "cpu" and index == 0 else index)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"attribute '{name}' of a device is not writable")

    def __reduce__(self) -> tuple[Any, ...]:
        return Device, (self.type, self.index)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        return f"device(type='{self.type}'" + (")" if self.index is None else f", index={self.index})")

    def __enter__(self) -> Device:
        check_place(self)
        return self

    def __exit__(self, *error: object) -> None:
        return None


def _parsed(name: str, index: int | None) -> tuple[str, int | None]:
    kind, colon, number = name.partition(":")
    if kind not in KINDS:
        raise RuntimeError(f"there is no kind of device {kind!r}; they are {', '.join(KINDS)}")
    if not colon:
        return kind, index
    if not (number.isascii() and number.isdigit()) or index is not None:
        raise RuntimeError(f"a device is named as 'cuda' or 'cuda:0', not {name!r}")
    return kind, int(number)


def check_place(place: Any) -> None:
    """RuntimeError for another place than the CPU: a device, or the name of one."""
    device = Device(place)
    if device.type != "cpu":
        raise RuntimeError(f"tensors lie on the CPU; there is no device {str(device)!r}")


CPU = Device()
STRIDED = "tsm.strided"
NEVER_SO = (
    "is_cuda", "is_meta", "is_mkldnn", "is_mps", "is_nested", "is_quantized", "is_sparse", "is_sparse_csr", "is_xpu",
)
ALWAYS = {"layout": (STRIDED, None), "pin_memory": (False, None), "requires_grad": (False,)}
OUTSIDE = {**ALWAYS, "pin_memory": (False, True, None)}  # of scripts: there is no device to pin memory for
PLACES = frozenset(("device", *ALWAYS))


def is_device(value: Any) -> bool:
    """Whether an argument says where: a device, or the name of one."""
    return isinstance(value, Device) or (isinstance(value, str) and value.partition(":")[0] in KINDS)


def without_device(args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments without those that say where, or what is always so. RuntimeError for another place than the CPU."""
    rest = {name: value for name, value in kwargs.items() if name not in OUTSIDE or value not in OUTSIDE[name]}
    if "requires_grad" in rest:
        refuse_gradients(rest.pop("requires_grad"))
    given = rest.pop("device", None)
    for value in (*args, *([given] if given is not None else [])):
        if is_device(value) or value is given:
            check_place(value)
    return tuple(value for value in args if not is_device(value)), rest
