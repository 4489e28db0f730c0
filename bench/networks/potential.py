"""A message-passing potential in PaiNN's shape: energy and forces of atoms from a list of neighbours, as MD codes call.

Forces are an output of their own, not the gradient of the energy.
"""

from __future__ import annotations

import math

import tsm
from tsm import Tensor, nn
from tsm.nn import functional as F

WIDTH = 64
CUTOFF = 5.0
WAVES = 20


class Message(nn.Module):
    """Sums over neighbours of what their scalars and vectors say at this distance and direction."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(WIDTH, WIDTH)
        self.outer = nn.Linear(WIDTH, 3 * WIDTH)
        self.filters = nn.Linear(WAVES, 3 * WIDTH)

    def forward(
        self, scalars: Tensor, vectors: Tensor, receivers: Tensor, senders: Tensor, waves: Tensor, envelope: Tensor,
        directions: Tensor,
    ) -> tuple[Tensor, Tensor]:
        filters = self.filters(waves) * envelope
        said = self.outer(F.silu(self.inner(scalars)))[senders] * filters
        to_scalars, along_vectors, along_directions = said.chunk(3, 1)
        to_vectors = vectors[senders] * along_vectors.unsqueeze(1)
        to_vectors = to_vectors + directions.unsqueeze(2) * along_directions.unsqueeze(1)
        new_scalars = scalars.clone()
        new_scalars.index_add_(0, receivers, to_scalars)
        new_vectors = vectors.clone()
        new_vectors.index_add_(0, receivers, to_vectors)
        return new_scalars, new_vectors


class Update(nn.Module):
    """Mixes an atom's scalars with the lengths and products of its vectors."""

    def __init__(self) -> None:
        super().__init__()
        self.left = nn.Linear(WIDTH, WIDTH, bias=False)
        self.right = nn.Linear(WIDTH, WIDTH, bias=False)
        self.inner = nn.Linear(2 * WIDTH, WIDTH)
        self.outer = nn.Linear(WIDTH, 3 * WIDTH)

    def forward(self, scalars: Tensor, vectors: Tensor) -> tuple[Tensor, Tensor]:
        left, right = self.left(vectors), self.right(vectors)
        lengths = tsm.sqrt((right * right).sum(1) + 1e-8)
        gates = self.outer(F.silu(self.inner(tsm.cat([scalars, lengths], 1))))
        vector_gate, product_gate, bias = gates.chunk(3, 1)
        scalars = scalars + bias + product_gate * (left * right).sum(1)
        return scalars, vectors + left * vector_gate.unsqueeze(1)


class Potential(nn.Module):
    """Species (n,), positions (n, 3), pairs (2, e) and the cell shifts of the pairs' second atoms (e, 3): the energy
    (1,) and the forces (n, 3)."""

    def __init__(self) -> None:
        super().__init__()
        self.species = nn.Embedding(8, WIDTH)
        self.messages = nn.ModuleList([Message() for _ in range(3)])
        self.updates = nn.ModuleList([Update() for _ in range(3)])
        self.energy = nn.Sequential(nn.Linear(WIDTH, WIDTH // 2), nn.SiLU(), nn.Linear(WIDTH // 2, 1))
        self.force = nn.Linear(WIDTH, 1, bias=False)
        self.width = WIDTH
        self.waves = WAVES
        self.cutoff = CUTOFF

    def forward(self, species: Tensor, positions: Tensor, pairs: Tensor, shifts: Tensor) -> tuple[Tensor, Tensor]:
        receivers, senders = pairs[0], pairs[1]
        offsets = positions[senders] + shifts - positions[receivers]
        distances = tsm.sqrt((offsets * offsets).sum(1, keepdim=True))
        directions = offsets / distances
        orders = tsm.arange(1, self.waves + 1).to(positions.dtype)
        waves = tsm.sin(distances * orders * (math.pi / self.cutoff)) / distances
        near = distances < self.cutoff
        falling = 0.5 * (tsm.cos(distances * (math.pi / self.cutoff)) + 1.0)
        envelope = tsm.where(near, falling, tsm.zeros_like(distances))
        scalars = self.species(species)
        vectors = tsm.zeros(species.size(0), 3, self.width, dtype=positions.dtype)
        for message, update in zip(self.messages, self.updates):
            scalars, vectors = message(scalars, vectors, receivers, senders, waves, envelope, directions)
            scalars, vectors = update(scalars, vectors)
        return self.energy(scalars).sum(0), self.force(vectors).squeeze(2)
