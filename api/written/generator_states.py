"""What only Python does with random streams: seeds of 64 bits without a sign, states as bytes.

In: what callers give. Out: checked numbers, tensors. Holds: scripts are refused these functions by name.
"""

from __future__ import annotations

import secrets

from ..binding.dtype import DType
from ..binding.functions import namespace
from ..binding.tensor import Tensor

_tensor = namespace("tsm.")["tensor"]
_TAG = b"tsm.rng1"  # a state's first bytes


def fresh_seed() -> int:
    """64 bits from the system."""
    return secrets.randbits(64)


def signed(seed: int) -> int:
    """A seed as 64 bits with a sign. RuntimeError for what is no int, ValueError for one of more bits."""
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
    if not -(2**63) <= seed < 2**64:
        raise ValueError("Overflow when unpacking long long")
    return seed - 2**64 if seed >= 2**63 else seed


def state_bytes(seed: int, chunk: int) -> Tensor:
    """24 bytes: a tag, the seed and the next chunk, little-endian."""
    parts = _TAG + (seed % 2**64).to_bytes(8, "little") + (chunk % 2**64).to_bytes(8, "little")
    return _tensor(list(parts), dtype=DType.uint8)


def state_parts(state: Tensor) -> tuple[int, int]:
    """What state_bytes was given, without signs. TypeError for other than a tensor of bytes, RuntimeError for bytes
    that are no state."""
    if not isinstance(state, Tensor):
        raise TypeError(f"expected a tsm.ByteTensor, but got {type(state).__name__}")
    if state.dtype != DType.uint8:
        raise TypeError("RNG state must be a tsm.ByteTensor")
    if state.numel() != 24:
        raise RuntimeError(f"Expected a generator's state of size 24 but found one of size {state.numel()}")
    found = bytes(state.reshape([-1]).tolist())
    if found[:8] != _TAG:
        raise RuntimeError("Invalid state of a generator")
    return int.from_bytes(found[8:16], "little"), int.from_bytes(found[16:], "little")
