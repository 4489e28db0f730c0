"""Quantiles: numbers that a share of the elements is not above.

In: a tensor of floats, shares q in [0, 1], the dimension to reduce (None: all). Out: the elements at these places in
order, or between two of them; the dimension of several shares comes first. Holds: NaN wins, or is left out.
"""

from __future__ import annotations

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .dims import listed
from .reductions import gathered, reduced_shape
from .spelling import rows, spelled

_where, _full = rows["where"], rows["full"]


def _places(at: Tensor, name: str, interpolation: str) -> Tensor:
    """Where to look, as the interpolation has it."""
    if interpolation == "lower":
        return at.floor()
    if interpolation == "higher":
        return at.ceil()
    if interpolation == "nearest":
        return at.round()
    if interpolation == "midpoint":
        return (at.floor() + at.ceil()) / 2
    if interpolation != "linear":
        raise RuntimeError(name + "() interpolation must be one of linear, lower, higher, midpoint or nearest")
    return at


def _found(self: Tensor, q, dim: int | None, keepdim: bool, interpolation: str, name: str) -> Tensor:
    if not self.is_floating_point():
        raise RuntimeError(name + "() input tensor must be either float or double dtype")
    wanted = q if isinstance(q, Tensor) else _full([], q, dtype=self.dtype)
    if wanted.dim() > 1:
        raise RuntimeError(name + "() q must be a scalar or 1D tensor")
    if bool(((wanted < 0) | (wanted > 1)).any()):
        raise RuntimeError(name + "() q values must be in the range [0, 1]")
    dims = listed(dim, self.dim())
    lines = gathered(self, dims).sort(-1)[0]
    if lines.size(-1) == 0:
        raise RuntimeError(name + "() input tensor must be non-empty")
    missing = lines != lines
    counts = (lines.size(-1) - missing.sum([-1], True)).to(self.dtype)
    if name == "quantile":
        counts = _full([1], lines.size(-1), dtype=self.dtype)
    at = _places(wanted.reshape([-1]) * (counts - 1).clamp(0), name, interpolation)
    at = at.expand(list(lines.shape)[:-1] + [at.size(-1)])
    low = at.floor()
    below, above = lines.gather(-1, low.to(DType.int64)), lines.gather(-1, at.ceil().to(DType.int64))
    made = below + (above - below) * (at - low)
    if name == "quantile":
        last = lines.narrow(-1, lines.size(-1) - 1, 1)
        made = _where(last != last, last, made)
    made = made.permute([made.dim() - 1] + list(range(made.dim() - 1)))
    shape = reduced_shape(self, dims, keepdim)
    return made.reshape(([made.size(0)] if wanted.dim() == 1 else []) + shape).contiguous()


@spelled("tsm.quantile", ".quantile")
def quantile(
    self: Tensor, q, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Tensor:
    """Quantiles q in [0, 1], a float or a tensor of rank at most 1, whose dimension comes first."""
    return _found(self, q, dim, keepdim, interpolation, "quantile")


@spelled("tsm.nanquantile", ".nanquantile")
def nanquantile(
    self: Tensor, q, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Tensor:
    """Quantiles of what is not NaN."""
    return _found(self, q, dim, keepdim, interpolation, "nanquantile")
