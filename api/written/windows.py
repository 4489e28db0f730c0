"""Windows for frames of a signal.

In: a length. Out: a vector. Holds: `periodic` gives the window that is one longer without its last element, as spectra
want it.
"""

from __future__ import annotations

import math

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .dims import ask_no_gradients
from .spelling import rows, spelled

_arange, _ones, _where = rows["arange"], rows["ones"], rows["where"]


def _checked(window_length: int, dtype: DType | None) -> DType:
    if window_length < 0:
        raise RuntimeError("window length must be non-negative, got " + str(window_length))
    return DType.float32 if dtype is None else dtype


def _angles(window_length: int, periodic: bool, kind: DType) -> Tensor:
    """From 0 to 2 pi at the last element of the symmetric window."""
    last = window_length if periodic else window_length - 1
    return _arange(window_length, dtype=DType.float64).to(kind) * (2.0 * math.pi / last)


@spelled("tsm.hamming_window")
def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *,
    dtype: DType | None = None, layout=None, device=None, pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:
    """alpha - beta * cos over one turn."""
    ask_no_gradients(requires_grad)
    kind = _checked(window_length, dtype)
    if window_length < 2:
        return _ones([window_length], dtype=kind)
    return _angles(window_length, periodic, kind).cos() * -beta + alpha


@spelled("tsm.hann_window")
def hann_window(
    window_length: int, periodic: bool = True, *,
    dtype: DType | None = None, layout=None, device=None, pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:
    """0.5 - 0.5 * cos over one turn."""
    ask_no_gradients(requires_grad)
    return hamming_window(window_length, periodic, 0.5, 0.5, dtype=dtype)


@spelled("tsm.blackman_window")
def blackman_window(
    window_length: int, periodic: bool = True, *,
    dtype: DType | None = None, layout=None, device=None, pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:
    """0.42 - 0.5 * cos + 0.08 * cos of the double angle, over one turn."""
    ask_no_gradients(requires_grad)
    kind = _checked(window_length, dtype)
    if window_length < 2:
        return _ones([window_length], dtype=kind)
    angles = _angles(window_length, periodic, kind)
    return (angles * 2.0).cos() * 0.08 - angles.cos() * 0.5 + 0.42


@spelled("tsm.bartlett_window")
def bartlett_window(
    window_length: int, periodic: bool = True, *,
    dtype: DType | None = None, layout=None, device=None, pin_memory: bool = False, requires_grad: bool = False,
) -> Tensor:
    """A triangle from 0 over 1 to 0."""
    ask_no_gradients(requires_grad)
    kind = _checked(window_length, dtype)
    if window_length < 2:
        return _ones([window_length], dtype=kind)
    last = window_length if periodic else window_length - 1
    line = _arange(window_length, dtype=DType.float64).to(kind) * (2.0 / last)
    return _where(line > 1.0, 2.0 - line, line)
