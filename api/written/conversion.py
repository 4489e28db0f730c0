"""Tensors of other things: of numbers and lists, of arrays of other libraries, by the names of old tensor classes.

In: numbers, lists, tensors, arrays. Out: tensors. Holds: compiled code knows numbers, lists and tensors only.
"""

from __future__ import annotations

from typing import Any

from ..binding import dtype as dtypes
from ..binding.device import check_place
from ..binding.dispatch import extensions
from ..binding.dtype import DType
from ..binding.tensor import Tensor
from ..modes import is_scripting
from .facts import shown_dtype
from .spelling import rows, spelled

KINDS = tuple(member for member in DType if member.is_stored)
_tensor, _empty = rows["tensor"], rows["empty"]


def _foreign(data) -> Tensor:
    """A tensor over what another library made; layers are not loaded before one is met."""
    from ..nn.weights import as_tensor

    return as_tensor(data)


@spelled("tsm.as_tensor", "tsm.asarray")
def as_tensor(data, dtype: DType | None = None, device=None) -> Tensor:
    """A tensor of data, without a copy where that is possible: arrays and tensors of other libraries share memory."""
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    if is_scripting() or isinstance(data, (list, tuple, range, int, float, bool)):
        return _tensor(data, dtype=dtype)
    return _foreign(data) if dtype is None else _foreign(data).to(dtype)


@spelled("tsm.is_tensor")
def is_tensor(obj) -> bool:
    """Whether it is a tensor."""
    return isinstance(obj, Tensor)


@spelled("tsm._assert")
def assert_(condition, message: str) -> None:
    """AssertionError with the message, unless the condition holds."""
    assert condition, message


@spelled("tsm._assert_async")
def assert_async(condition, message: str = "Expected Tensor with single nonzero value, but got zero") -> None:
    """RuntimeError with the message, unless the condition holds."""
    if not condition:
        raise RuntimeError(message)


@spelled("tsm.is_autocast_enabled")
def is_autocast_enabled(device_type: str = "cpu") -> bool:
    """Whether operators choose dtypes of their own: never."""
    return False


@spelled("tsm.get_default_dtype")
def get_default_dtype() -> DType:
    """float32."""
    return DType.float32


def _filled(data, kind: DType) -> Tensor:
    """Of numbers; or, of a size, with memory as it is."""
    if len(data) == 0:
        return _empty([0], dtype=kind)
    if isinstance(data[0], int):
        return _empty(list(data), dtype=kind)
    return as_tensor(data[0]).to(kind)


@spelled("tsm.FloatTensor")
def float_tensor(*data) -> Tensor:
    """Of numbers, as float32; or of a size."""
    return _filled(data, DType.float32)


extensions["tsm.Tensor"] = float_tensor  # calls of the class


@spelled("tsm.DoubleTensor")
def double_tensor(*data) -> Tensor:
    """Of numbers, as float64; or of a size."""
    return _filled(data, DType.float64)


@spelled("tsm.LongTensor")
def long_tensor(*data) -> Tensor:
    """Of numbers, as int64; or of a size."""
    return _filled(data, DType.int64)


@spelled("tsm.IntTensor")
def int_tensor(*data) -> Tensor:
    """Of numbers, as int32; or of a size."""
    return _filled(data, DType.int32)


@spelled("tsm.ByteTensor")
def byte_tensor(*data) -> Tensor:
    """Of numbers, as uint8; or of a size."""
    return _filled(data, DType.uint8)


@spelled("tsm.BoolTensor")
def bool_tensor(*data) -> Tensor:
    """Of truth values; or of a size."""
    return _filled(data, DType.bool)


@spelled("tsm.ShortTensor")
def short_tensor(*data) -> Tensor:
    """Of numbers, as int16; or of a size."""
    return _filled(data, DType.int16)


@spelled("tsm.CharTensor")
def char_tensor(*data) -> Tensor:
    """Of numbers, as int8; or of a size."""
    return _filled(data, DType.int8)


@spelled("tsm.BFloat16Tensor")
def bfloat16_tensor(*data) -> Tensor:
    """Of numbers, as bfloat16; or of a size."""
    return _filled(data, DType.bfloat16)


@spelled(".type")
def type_(self: Tensor, dtype=None, non_blocking: bool = False):
    """The tensor in a dtype, which may be named as PyTorch names a class of tensors; without one, that name."""
    if dtype is None:
        return "torch." + shown_dtype(self.dtype) + "Tensor"
    if isinstance(dtype, str):
        name = dtype.split(".")[-1]
        for kind in KINDS:
            if name == shown_dtype(kind) + "Tensor":
                return self.to(kind)
        raise ValueError("invalid type: " + repr(dtype))
    return self.to(dtype)


class TensorType(type):
    """The class of `tsm.FloatTensor` and its kin: a call makes a tensor, and tensors of the dtype are the instances."""

    dtype: DType

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Tensor) and value.dtype is cls.dtype

    def __call__(cls, *data: Any, device: Any = None) -> Any:
        if device is not None:
            check_place(device)
        return cls.__tsm_instead__(*data)  # type: ignore[attr-defined]

    def __repr__(cls) -> str:
        return f"<class 'tsm.{cls.__name__}'>"


def _class_of(kind: DType, function: Any) -> Any:
    name = shown_dtype(kind) + "Tensor"
    members = {"dtype": kind, "__tsm_instead__": staticmethod(function), "__tsm_annotates__": Tensor}
    made = TensorType(name, (), {**members, "__module__": "tsm", "__doc__": function.__doc__, "__slots__": ()})
    dtypes.also_means(made, kind)
    return made


_MAKERS = (
    bool_tensor, byte_tensor, char_tensor, short_tensor, int_tensor, long_tensor, float_tensor, double_tensor,
    bfloat16_tensor,
)
TENSOR_TYPES = {shown_dtype(kind) + "Tensor": _class_of(kind, maker) for kind, maker in zip(KINDS, _MAKERS)}
