"""Sequences of different lengths: padded to one tensor, or packed without padding.

In: tensors and lengths. Out: a padded tensor, or a PackedSequence, which RNN, LSTM and GRU take.
Holds: packed rows stand step by step, of each step those sequences that are still going on, the longest first.
"""

from __future__ import annotations

from typing import NamedTuple

from ...binding import functions
from ...binding.dtype import DType
from ...binding.tensor import Tensor
from ...written.conversion import as_tensor
from ...written.dims import whole

_names = functions.namespace("tsm.")
_arange, _full, _empty = _names["arange"], _names["full"], _names["empty"]


class PackedSequence(NamedTuple):
    """Rows of all sequences, how many of each step there are, and the order of the sequences, None as given."""

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None = None
    unsorted_indices: Tensor | None = None


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The order that undoes an order."""
    return None if permutation is None else permutation.argsort()


def is_going_on(batch_sizes: Tensor) -> Tensor:
    """Of each step and sequence: whether it is not over, (L, N)."""
    return _arange(whole(batch_sizes[0])).unsqueeze(0) < batch_sizes.unsqueeze(1)


def pack_padded_sequence(
    input: Tensor, lengths, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Packs (L, N, ...), or (N, L, ...) with `batch_first`; lengths decrease, unless `enforce_sorted` is False."""
    x = input.transpose(0, 1) if batch_first else input
    counts, order = as_tensor(lengths, dtype=DType.int64), as_tensor(lengths, dtype=DType.int64)
    sorted_indices: Tensor | None = None
    if counts.numel() == 0 or whole(counts.min()) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if counts.numel() != x.size(1):
        text = "Expected `len(lengths)` to be equal to batch_size, but got " + str(counts.numel())
        raise RuntimeError(text + " (batch_size=" + str(x.size(1)) + ")")
    if not enforce_sorted:
        counts, order = counts.sort(descending=True)
        sorted_indices = order
        x = x.index_select(1, order)
    elif bool((counts[1:] > counts[:-1]).any()):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            + "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
            + "do not need ONNX exportability."
        )
    longest = whole(counts[0])
    mask = _arange(longest).unsqueeze(1) < counts.unsqueeze(0)
    return PackedSequence(x[:longest][mask], mask.sum(1), sorted_indices, invert_permutation(sorted_indices))


def padded(sequence: PackedSequence, padding_value: float, longest: int) -> Tensor:
    """(longest, N, ...), sequences in the order they are packed in."""
    mask = is_going_on(sequence.batch_sizes)
    shape = [longest, mask.size(1)] + list(sequence.data.shape)[1:]
    made = _full(shape, padding_value, dtype=sequence.data.dtype)
    made[: mask.size(0)][mask] = sequence.data
    return made


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """The padded tensor (L, N, ...), or (N, L, ...) with `batch_first`, and the lengths."""
    longest = sequence.batch_sizes.numel()
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but got "
                + "total_length=" + str(total_length) + " and max sequence length being " + str(longest)
            )
        longest = total_length
    made, lengths = padded(sequence, padding_value, longest), is_going_on(sequence.batch_sizes).sum(0)
    order = sequence.unsorted_indices
    if order is not None:
        made, lengths = made.index_select(1, order), lengths[order]
    return made.transpose(0, 1) if batch_first else made, lengths


def pad_sequence(sequences: list[Tensor], batch_first: bool = False, padding_value: float = 0.0) -> Tensor:
    """Sequences (L_i, ...) as (L, N, ...), or (N, L, ...) with `batch_first`."""
    if len(sequences) == 0:
        raise RuntimeError("received an empty list of sequences")
    longest = max([each.size(0) for each in sequences])
    shape = [len(sequences), longest] + list(sequences[0].shape)[1:]
    made = _full(shape, padding_value, dtype=sequences[0].dtype)
    for i, each in enumerate(sequences):
        made[i, : each.size(0)] = each
    return made if batch_first else made.transpose(0, 1)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The sequences of a padded tensor."""
    x = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [x[i, : int(lengths[i])] for i in range(x.size(0))]


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Packs sequences (L_i, ...)."""
    lengths = [each.size(0) for each in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, False, enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed."""
    whole, lengths = pad_packed_sequence(packed_sequences, True)
    return unpad_sequence(whole, lengths, True)
