"""Generator: a random stream of its own, for calls that are given one.

In: seeds, states. Out: an object whose state, the seed and the number of the next chunk, is a tensor that the rows of the
table draw from and move on. Holds: it compiles like a user's class, so scripts make, take and seed generators too.
"""

from __future__ import annotations

import secrets

from ..binding.device import Device, without_device
from ..binding.dtype import DType
from ..binding.functions import namespace
from ..binding.tensor import Tensor
from ..modes import is_scripting

_tensor = namespace("tsm.")["tensor"]
_frombuffer_tag = (116, 115, 109, 46, 114, 110, 103, 49)  # a state's first bytes: "tsm.rng1"

FIRST_SEED = 67280421310721


def signed(seed: int) -> int:
    """A seed as 64 bits with a sign. RuntimeError for what is no int, ValueError for one of more bits."""
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
    if not -(2**63) <= seed < 2**64:
        raise ValueError("Overflow when unpacking long long")
    return seed - 2**64 if seed >= 2**63 else seed


def state_bytes(seed: int, chunk: int) -> Tensor:
    """24 bytes: a tag, the seed and the next chunk, little-endian."""
    parts = bytes(_frombuffer_tag) + (seed % 2**64).to_bytes(8, "little") + (chunk % 2**64).to_bytes(8, "little")
    return _tensor(list(parts), dtype=DType.uint8)


def state_parts(state: Tensor) -> tuple[int, int]:
    """What state_bytes was given, without signs. TypeError for other than a tensor of bytes, RuntimeError for bytes that
    are no state."""
    if not isinstance(state, Tensor):
        raise TypeError(f"expected a tsm.ByteTensor, but got {type(state).__name__}")
    if state.dtype != DType.uint8:
        raise TypeError("RNG state must be a tsm.ByteTensor")
    if state.numel() != 24:
        raise RuntimeError(f"Expected a generator's state of size 24 but found one of size {state.numel()}")
    found = bytes(state.reshape([-1]).tolist())
    if found[:8] != bytes(_frombuffer_tag):
        raise RuntimeError("Invalid state of a generator")
    return int.from_bytes(found[8:16], "little"), int.from_bytes(found[16:], "little")


class Generator:
    """A random stream of its own: `tsm.rand(3, generator=g)`. It begins at PyTorch's default seed.

    Equal seeds give equal numbers on every machine and number of threads, the default stream's among them. Threads that
    draw from one generator share its numbers out as they come. The only device is the CPU."""

    state: Tensor

    def __init__(self, device: Device | str = "cpu") -> None:
        if not is_scripting():
            without_device((), {"device": device})
        self.state = _tensor([67280421310721, 0])

    def manual_seed(self, seed: int) -> Generator:
        """Starts anew. RuntimeError for what is no int, ValueError for one of more than 64 bits."""
        if not is_scripting():
            seed = signed(seed)
        self.state[0] = seed
        self.state[1] = 0
        return self

    def initial_seed(self) -> int:
        """The seed that it began at."""
        seed = int(self.state[0].item())
        if not is_scripting():
            seed = seed % 2**64
        return seed

    def seed(self) -> int:
        """Starts anew at a seed from the system, which is returned."""
        seed = secrets.randbits(64)
        self.manual_seed(seed)
        return seed

    def get_state(self) -> Tensor:
        """Its state as 24 bytes, uint8."""
        return state_bytes(*map(int, self.state.tolist()))

    def set_state(self, new_state: Tensor) -> Generator:
        """Goes on from what get_state gave. TypeError, RuntimeError for anything else."""
        seed, chunk = state_parts(new_state)
        self.state[0] = signed(seed)
        self.state[1] = signed(chunk)
        return self

    def clone_state(self) -> Generator:
        """Another generator that goes on from here."""
        return Generator().set_state(self.get_state())

    graphsafe_get_state = clone_state

    def graphsafe_set_state(self, state: Generator) -> Generator:
        """Goes on from where another generator is."""
        return self.set_state(state.get_state())

    @property
    def device(self) -> Device:
        return Device("cpu")

    def get_offset(self) -> int:
        raise RuntimeError("a generator of the CPU has no offset")

    def set_offset(self, offset: int) -> None:
        raise RuntimeError("a generator of the CPU has no offset")


def state_of(generator: Generator | None) -> Tensor | None:
    """What a row draws from: None, the default stream."""
    return None if generator is None else generator.state
