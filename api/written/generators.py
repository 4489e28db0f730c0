"""Generator: a random stream of its own, for calls that are given one.

In: seeds, states. Out: an object whose state, the seed and the number of the next chunk, is a tensor that the rows of
the table draw from and move on. Holds: it compiles like a user's class, so scripts make, take and seed generators too.
"""

from __future__ import annotations

from ..binding.device import Device, without_device
from ..binding.functions import namespace
from ..binding.tensor import Tensor
from ..modes import is_scripting
from .generator_states import fresh_seed, signed, state_bytes, state_parts

_tensor = namespace("tsm.")["tensor"]


class Generator:
    """A random stream of its own: `tsm.rand(3, generator=g)`. It begins at PyTorch's default seed.

    Equal seeds give equal numbers on every machine and number of threads, the default stream's among them. Threads that
    draw from one generator share its numbers out as they come. The only device is the CPU."""

    __tsm_compiles__ = True
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
        seed = fresh_seed()
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
