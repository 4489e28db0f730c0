"""tsm.random: the default random stream, and generators. As torch.random.

In: seeds, states. Out: the stream that all code of this process draws from, seeded, read and set. Holds: eager,
scripted, traced and loaded code share it, in the order in which they draw.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from .binding import functions, library
from .binding.dispatch import recorders
from .binding.library import ffi, lib
from .binding.tensor import Tensor
from .written.generator_states import fresh_seed, signed, state_bytes, state_parts
from .written.generators import Generator

_seed_row = functions.namespace("tsm.")["manual_seed"]


class DefaultGenerator(Generator):
    """The default stream. Calls that are given it draw as those that are given none."""

    __tsm_compiles__ = False

    def __init__(self) -> None:
        self.state = None  # type: ignore[assignment]

    def manual_seed(self, seed: int) -> Generator:
        lib.tsm_runtime_set_random(library.runtime(), (signed(seed) % 2**64, 0))
        return self

    def initial_seed(self) -> int:
        return _parts()[0]

    def get_state(self) -> Tensor:
        return state_bytes(*_parts())

    def set_state(self, new_state: Tensor) -> Generator:
        lib.tsm_runtime_set_random(library.runtime(), state_parts(new_state))
        return self


def _parts() -> tuple[int, int]:
    state = ffi.new("uint64_t[2]")
    lib.tsm_runtime_random(library.runtime(), state)
    return int(state[0]), int(state[1])


default_generator: Generator = DefaultGenerator()


def manual_seed(seed: Any) -> Generator:
    """Starts the default stream anew, for eager, scripted, traced and loaded code; equal seeds give equal numbers on
    every machine. ValueError for a seed of more than 64 bits. Returns the default generator."""
    number = signed(int(seed))
    if recorders():
        _seed_row(number)
    else:
        default_generator.manual_seed(number)
    return default_generator


manual_seed.__tsm_spelling__ = "tsm.manual_seed"  # type: ignore[attr-defined]


def seed() -> int:
    """Starts the default stream anew at a seed from the system, which is returned."""
    number = fresh_seed()
    default_generator.manual_seed(number)
    return number


def initial_seed() -> int:
    """The seed that the default stream began at; 67280421310721 if nobody seeded it."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default stream: 24 bytes, uint8."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Goes on from what get_rng_state gave. TypeError, RuntimeError for anything else."""
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, **names: Any) -> Iterator[None]:
    """`with fork_rng():` what is drawn inside does not move the default stream. There are no other devices."""
    state = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            set_rng_state(state)


__all__ = [
    "Generator", "default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed",
    "set_rng_state",
]
