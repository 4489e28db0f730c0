"""Dtypes that no tensor has are asked for, compared and handed on; what programs ask of the compiler around them."""

from __future__ import annotations

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor

X = T([1.0, 2.0])
HALVES = (tsm.float16, tsm.bfloat16)
STEPS = {tsm.float16: 1e-3, tsm.float32: 1e-6, tsm.float64: 1e-12}


of_row("scalars")


@program("branches for dtypes that no tensor has", (X,), (T([1, 2], "int32"),))
def scaled(x: Tensor) -> Tensor:
    if x.dtype == tsm.float16:
        return x.to(tsm.float16) * 2
    if x.dtype is tsm.complex64 or x.dtype == tsm.cdouble:
        return x.to(tsm.complex64)
    if x.dtype != tsm.half and not x.is_floating_point():
        return x + 1
    return x * 3


@program("names of dtypes in tuples and dicts of the module", (X,), (T([1.0], "float64"),), torch=False)
def smallest(x: Tensor) -> tuple[bool, float, bool]:
    return x.dtype in HALVES, STEPS[x.dtype], x.dtype in (tsm.half, tsm.float64)


def most(dtype: tsm.dtype) -> int:
    if dtype == tsm.uint8:
        return 255
    if dtype == tsm.uint16:
        return 65535
    return 4294967295 if dtype == tsm.uint32 else -1


@program("dtypes that no tensor has as arguments", (X,), torch=False)
def largest(x: Tensor) -> list[int]:
    return [most(kind) for kind in [tsm.uint8, tsm.uint16, tsm.uint32, tsm.uint64, x.dtype]]


@program("facts of dtypes that no tensor has", (), torch=False)
def facts() -> list[tuple[bool, bool, bool, int]]:
    kinds = [tsm.float16, tsm.complex64, tsm.cdouble, tsm.uint16, tsm.uint32, tsm.uint64, tsm.int16, tsm.float64]
    return [(kind.is_floating_point, kind.is_complex, kind.is_signed, kind.itemsize) for kind in kinds]


@program("the dtype that a tensor would get is chosen by the run", (True, X), (False, X), torch=False)
def chosen(is_half: bool, x: Tensor) -> str:
    kind = tsm.float16 if is_half else tsm.float64
    try:
        return str(x.to(kind).dtype.itemsize)
    except NotImplementedError as error:
        return str(error)


@program("tensors of a dtype that none has are made in a try", (tsm.float16,), (tsm.int32,), (tsm.uint64,), torch=False)
def tried(kind: tsm.dtype) -> list[str]:
    told: list[str] = []
    try:
        told.append(str(tsm.zeros(2, dtype=kind).sum()))
    except NotImplementedError as error:
        told.append(str(error))
    try:
        told.append(str(tsm.ones(2).view(kind).numel()))
    except NotImplementedError as error:
        told.append(str(error))
    return told


@program("limits of float16", (), torch=False)
def half_limits() -> tuple[float, float, float, int]:
    info = tsm.finfo(tsm.float16)
    return info.min, info.eps, info.tiny, info.bits


of_row("pruned branches")


@program("what is asked of torch.compile and autocast", (X,))
def around(x: Tensor) -> Tensor:
    if tsm.compiler.is_compiling() or tsm.is_autocast_enabled():
        return x * 2
    tsm._assert_async(x.sum() > 0, "a positive sum")
    return x


@program("a conversion to float16 in a branch that does not run", (X,))
def kept(x: Tensor) -> Tensor:
    is_half = x.dtype == tsm.float16
    y = (x.float() if is_half else x) + 1
    if is_half:
        y = y.to(tsm.float16)
    return y


of_row("tensor operations")


@program("arguments that say what every tensor has", (X,))
def plain_tensors(x: Tensor) -> list[Tensor]:
    made = tsm.zeros(2, dtype=tsm.float32, layout=tsm.strided, device=x.device, requires_grad=False, pin_memory=False)
    return [made, tsm.ones_like(x, layout=tsm.strided), tsm.arange(3, requires_grad=False), x.new_zeros(2, device="cpu")]


of_row("tensor views")


@program("memory with the channels last", (T([[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]]),))
def by_pixel(x: Tensor) -> tuple[Tensor, list[int], list[bool]]:
    y = x.contiguous(memory_format=tsm.channels_last)
    facts = [y.is_contiguous(), y.is_contiguous(memory_format=tsm.channels_last), x.is_contiguous()]
    return y * 2, list(y.stride()) + list(x.to(memory_format=tsm.channels_last).stride()), facts


of_row("with")


@program("autocast that is not wished", (X,))
def uncast(x: Tensor) -> Tensor:
    with tsm.autocast(device_type="cpu", enabled=False):
        return x / 3


@program("autocast that operators would have to follow", (X,), torch=False)
def cast(x: Tensor) -> str:
    try:
        with tsm.autocast("cpu", dtype=tsm.bfloat16):
            return str((x / 3).dtype)
    except NotImplementedError as error:
        return str(error)


of_row("try")


class Told(Exception):
    def __init__(self, text: str, *args: int, **kwargs: int) -> None:
        super().__init__("told: " + text, *args, **kwargs)


@program("an exception hands on keywords that it did not get", (3,))
def told(x: int) -> list[str]:
    texts: list[str] = []
    for rest in range(x):
        try:
            if rest == 2:
                raise Told("two", rest, 5)
            raise Told("one")
        except Told as error:
            texts.append(str(error))
    return texts


of_row("operators")


@program("devices and dtypes in a chain of comparisons", (X, X, X), (X, T([1]), X))
def alike(x: Tensor, y: Tensor, z: Tensor) -> bool:
    if not x.device == y.device == z.device:
        raise AssertionError("one device")
    return x.dtype == y.dtype == z.dtype and (x.device != y.device == z.device) is False


of_row("annotations")


@program("names of type comments without imports", (X, [2]), (X, [1], X))
def commented(x, sizes, other=None):
    # type: (Tensor, List[int], Optional[Tensor]) -> Dict[str, Tensor]
    return {"scaled": x * sizes[0] if other is None else other}
