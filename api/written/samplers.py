"""Tensors drawn at random, beyond the table's rows; all of them with a generator.

In: extents, numbers, tensors, a Generator. Out: new tensors, or the one that was filled. Holds: every number is drawn
by a row, from the generator's stream or, without one, from the default stream.
"""

from __future__ import annotations

import math

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .dims import size_of
from .generators import Generator, state_of
from .indexing import searchsorted
from .spelling import own, rows, spelled

_rand, _randn, _randint, _bernoulli, _order = (
    rows["rand"], rows["randn"], rows["randint"], rows["bernoulli"], own["randperm"],
)


@spelled("tsm.rand")
def rand(*sizes, generator: Generator | None, size=None, dtype: DType | None = None, device=None) -> Tensor:
    """Uniform samples of [0, 1)."""
    return _rand(size_of(sizes) if size is None else size, dtype=dtype, generator=state_of(generator))


@spelled("tsm.randn")
def randn(*sizes, generator: Generator | None, size=None, dtype: DType | None = None, device=None) -> Tensor:
    """Normal samples."""
    return _randn(size_of(sizes) if size is None else size, dtype=dtype, generator=state_of(generator))


@spelled("tsm.rand_like")
def rand_like(self: Tensor, *, generator: Generator | None, dtype: DType | None = None, device=None) -> Tensor:
    """Uniform samples in self's shape and dtype."""
    kind = self.dtype if dtype is None else dtype
    return _rand(list(self.shape), dtype=kind, generator=state_of(generator))


@spelled("tsm.randn_like")
def randn_like(self: Tensor, *, generator: Generator | None, dtype: DType | None = None, device=None) -> Tensor:
    """Normal samples in self's shape and dtype."""
    kind = self.dtype if dtype is None else dtype
    return _randn(list(self.shape), dtype=kind, generator=state_of(generator))


@spelled("tsm.randperm")
def randperm(n: int, *, generator: Generator | None = None, dtype: DType = DType.int64, device=None) -> Tensor:
    """0 ... n - 1 in a random order."""
    return _order(n, generator=state_of(generator)).to(dtype)


@spelled("tsm.randint")
def randint(low: int, high, size=None, *, generator: Generator | None = None, dtype: DType | None = None,
            device=None) -> Tensor:
    """Integer samples of [low, high), or of [0, low) where `high` is the size."""
    if size is None:
        return _randint(0, low, high, dtype=dtype, generator=state_of(generator))
    return _randint(low, high, size, dtype=dtype, generator=state_of(generator))


@spelled("tsm.randint_like")
def randint_like(
    self: Tensor, low: int, high: int | None = None, *, generator: Generator | None = None, dtype: DType | None = None,
    device=None,
) -> Tensor:
    """Integer samples of [low, high), or of [0, low), in self's shape and dtype."""
    kind = self.dtype if dtype is None else dtype
    if high is None:
        return _randint(0, low, list(self.shape), dtype=kind, generator=state_of(generator))
    return _randint(low, high, list(self.shape), dtype=kind, generator=state_of(generator))


@spelled("tsm.normal")
def normal(
    mean, std=1.0, size: list[int] | None = None, *, generator: Generator | None = None, dtype: DType | None = None,
    device=None,
) -> Tensor:
    """Normal samples with means and standard deviations, tensors or numbers; both numbers need a size."""
    if isinstance(std, (int, float)) and std < 0:
        raise RuntimeError("normal expects std >= 0.0, but found std " + f"{std:g}")
    if isinstance(mean, Tensor):
        return _randn(list((mean + std).shape), dtype=mean.dtype, generator=state_of(generator)) * std + mean
    if isinstance(std, Tensor):
        return _randn(list(std.shape), dtype=std.dtype, generator=state_of(generator)) * std + mean
    if size is None:
        raise TypeError("normal(): numbers for mean and std need a size")
    return _randn(size, dtype=dtype, generator=state_of(generator)) * std + mean


@spelled("tsm.bernoulli", ".bernoulli")
def bernoulli(self: Tensor, p: float | None = None, *, generator: Generator | None = None) -> Tensor:
    """1 with the probability in self, or with probability p in self's shape, else 0."""
    if p is None:
        return _bernoulli(self, generator=state_of(generator))
    return bernoulli_(self.clone(), p, generator=generator)


@spelled(".bernoulli_")
def bernoulli_(self: Tensor, p=0.5, *, generator: Generator | None = None) -> Tensor:
    """Fills with 1 with probability p, a number or a tensor, else 0."""
    if isinstance(p, Tensor):
        return self.copy_(_bernoulli(p.expand(self.shape), generator=state_of(generator)))
    if p < 0.0 or p > 1.0:
        raise RuntimeError("bernoulli_ expects p to be in [0, 1], but got p=" + str(p))
    return self.copy_(_rand(list(self.shape), generator=state_of(generator), dtype=DType.float64) < p)


@spelled(".normal_")
def normal_(self: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Generator | None) -> Tensor:
    """Fills with normal samples."""
    return self.normal_(mean, std, generator=state_of(generator))


@spelled(".uniform_")
def uniform_(self: Tensor, low: float = 0.0, high: float = 1.0, *, generator: Generator | None) -> Tensor:
    """Fills with uniform samples of [low, high)."""
    return self.uniform_(low, high, generator=state_of(generator))


@spelled(".exponential_")
def exponential_(self: Tensor, lambd: float = 1.0, *, generator: Generator | None) -> Tensor:
    """Fills with samples of the exponential distribution of a rate."""
    return self.exponential_(lambd, generator=state_of(generator))


def _largest(kind: DType) -> int:
    """How far `random_` goes by itself: to the last integer up to which all are of the dtype."""
    if kind == DType.float32:
        return 1 << 24
    if kind == DType.float64:
        return 1 << 53
    if kind == DType.bool:
        return 1
    if kind == DType.uint8:
        return 255
    if kind == DType.int8:
        return 127
    if kind == DType.int16:
        return 32767
    return 2147483647 if kind == DType.int32 else 9223372036854775806


@spelled(".random_")
def random_(self: Tensor, low: int | None = None, high: int | None = None, *,
            generator: Generator | None = None) -> Tensor:
    """Fills with integers of [low, high), of [0, low), or of all from 0 on that the dtype has."""
    if low is None:
        drawn = _randint(0, _largest(self.dtype) + 1, list(self.shape), generator=state_of(generator))
    elif high is None:
        drawn = _randint(0, low, list(self.shape), generator=state_of(generator))
    else:
        drawn = _randint(low, high, list(self.shape), generator=state_of(generator))
    return self.copy_(drawn)


@spelled("tsm.multinomial", ".multinomial")
def multinomial(
    self: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator | None = None
) -> Tensor:
    """Indices along the last dimension, drawn with probabilities proportional to the elements."""
    if self.dim() < 1 or self.dim() > 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > self.size(-1):
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if bool(((self < 0) | (self == math.inf) | (self != self)).any()):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if bool((self.sum(-1) == 0).any()):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if replacement:
        ends = self.double().cumsum(-1)
        total = ends.narrow(-1, ends.size(-1) - 1, 1)
        shape = list(self.shape)[:-1] + [num_samples]
        drawn = _rand(shape, dtype=DType.float64, generator=state_of(generator)) * total
        return searchsorted(ends, drawn, right=True).clamp(max=self.size(-1) - 1)
    waits = self.new_empty(self.shape).exponential_(1.0, generator=state_of(generator))
    return (self / waits).topk(num_samples, -1)[1]
