"""What tensors and dtypes are asked besides the table's facts, and functions that only give a tensor another name.

In: tensors, dtypes, shapes. Out: numbers, bools, dtypes; tensors as they are. Holds: nothing here computes elements.
"""

from __future__ import annotations

from ..binding.dtype import DType
from ..binding.size import Size
from ..binding.tensor import Tensor
from .dims import wrapped
from .shapes import common_shape
from .spelling import rows, spelled

_empty = rows["empty"]


@spelled(".nelement")
def nelement(self: Tensor) -> int:
    """How many elements there are."""
    return self.numel()


@spelled(".ndimension")
def ndimension(self: Tensor) -> int:
    """How many dimensions there are."""
    return self.dim()


@spelled(".element_size")
def element_size(self: Tensor) -> int:
    """Bytes of one element."""
    return self.dtype.itemsize


@spelled(".stride")
def stride(self: Tensor, dim: int) -> int:
    """How many elements the next index of a dimension is away."""
    place = wrapped(dim, self.dim())
    return self.stride()[place]


@spelled("tsm.is_signed", ".is_signed")
def is_signed(self: Tensor) -> bool:
    """Whether the dtype has negative numbers."""
    return self.dtype != DType.bool and self.dtype != DType.uint8


def shown_dtype(dtype: DType) -> str:
    """The name that PyTorch's messages have for a dtype: Long for int64."""
    names = ["Bool", "Byte", "Char", "Short", "Int", "Long", "Float", "Double"]
    kinds = [DType.bool, DType.uint8, DType.int8, DType.int16, DType.int32, DType.int64, DType.float32, DType.float64]
    return names[kinds.index(dtype)] if dtype in kinds else "BFloat16"


@spelled("tsm.promote_types")
def promote_types(type1: DType, type2: DType) -> DType:
    """The dtype that tensors of two dtypes meet in."""
    return (_empty([0], dtype=type1) + _empty([0], dtype=type2)).dtype


@spelled("tsm.result_type")
def result_type(tensor, other) -> DType:
    """The dtype of what arithmetic on two tensors, or a tensor and a number, gives."""
    if isinstance(tensor, Tensor):
        return _met(tensor, other)
    return _met(other, tensor)


def _met(tensor: Tensor, other) -> DType:
    first = tensor.new_empty([0]) if tensor.dim() > 0 else tensor.new_zeros([])
    if isinstance(other, Tensor):
        return (first + (other.new_empty([0]) if other.dim() > 0 else other.new_zeros([]))).dtype
    return (first + other).dtype


@spelled("tsm.can_cast")
def can_cast(from_: DType, to: DType) -> bool:
    """Whether numbers of a dtype may be written over those of another: neither from floats to integers nor to bool."""
    if from_.is_floating_point and not to.is_floating_point:
        return False
    return from_ == DType.bool or to != DType.bool


@spelled("tsm.broadcast_shapes")
def broadcast_shapes(*shapes) -> Size:
    """The shape that shapes broadcast to."""
    listed: list[list[int]] = []
    for shape in shapes:
        if isinstance(shape, int):
            listed.append([shape])
        else:
            listed.append(list(shape))
    return Size(common_shape(listed))


@spelled(
    "tsm.conj", ".conj", "tsm.resolve_conj", ".resolve_conj", "tsm.resolve_neg", ".resolve_neg", "tsm.conj_physical",
    ".conj_physical",
)
def conj(self: Tensor) -> Tensor:
    """The tensor: there are no complex ones."""
    return self


@spelled("tsm.is_conj", ".is_conj", "tsm.is_neg", ".is_neg", ".is_pinned", ".is_shared")
def is_elsewhere(self: Tensor) -> bool:
    """False: nothing is left to be conjugated or negated, and memory is the process's own."""
    return False


@spelled("tsm.get_device", ".get_device")
def get_device(self: Tensor) -> int:
    """-1: the CPU has no number."""
    return -1


@spelled("tsm.isreal", ".isreal")
def isreal(self: Tensor) -> Tensor:
    """True for each element."""
    return self == self if not self.is_floating_point() else (self == self) | (self != self)


@spelled("tsm.adjoint", ".adjoint")
def adjoint(self: Tensor) -> Tensor:
    """The matrices transposed."""
    return self.transpose(-2, -1)


@spelled(".requires_grad_")
def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """The tensor itself. RuntimeError if gradients are asked for: there are none."""
    if requires_grad:
        raise RuntimeError("requires_grad_: tensors have no gradients here")
    return self


@spelled(".detach_", "tsm.detach_")
def detach_(self: Tensor) -> Tensor:
    """The tensor itself: no tensor has a history."""
    return self


@spelled("tsm.detach")
def detach(self: Tensor) -> Tensor:
    """Another tensor over the same memory."""
    return self.detach()


@spelled("tsm.real")
def real(self: Tensor) -> Tensor:
    """The tensor itself: none is complex."""
    return self
