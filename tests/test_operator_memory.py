"""Which tensors share memory, which writes are refused, and what overlapping writes do, as PyTorch has it.

In: rows with their traits. Out: for views and fresh results see also test_operators.py, which checks every sample.
"""

from __future__ import annotations

from typing import Any

import pytest
from rows import call
from test_operators import SAMPLES, converted, into

import tsm
from tsm.binding import table

WRITERS = [row for row in table.rows() if "INPLACE" in row.traits]
# Filling with one value may overlap; PyTorch allows it too.
FILLERS = {"zero_", "fill_"}


def arguments_of(row: Any) -> tuple[list[Any], dict[str, Any]]:
    """Arguments of the row's first sample with a vector or larger that is written."""
    sample = next(s for s in SAMPLES[row.full_name] if s.args[0].ndim and s.args[0].size)
    dtype = sample.dtypes[-1] if sample.dtypes else None
    return (
        into(converted(list(sample.args), dtype, "plain"), tsm.from_numpy, tsm.dtype),
        into(converted(sample.kwargs, dtype, "plain"), tsm.from_numpy, tsm.dtype),
    )


@pytest.mark.parametrize("row", WRITERS, ids=lambda row: row.full_name)
def test_inplace_rows_return_what_they_wrote(row: Any) -> None:
    args, kwargs = arguments_of(row)
    assert call(row.full_name, *args, **kwargs) is args[0]


@pytest.mark.parametrize("row", WRITERS, ids=lambda row: row.full_name)
def test_writes_to_expanded_memory_are_refused(row: Any) -> None:
    args, kwargs = arguments_of(row)
    shape = list(call("shape", args[0]))
    corner = args[0]
    for dim in range(len(shape)):
        corner = call("narrow.Tensor", corner, dim, 0, 1)
    args[0] = call("expand", call("clone", corner), shape)
    if row.full_name in FILLERS:
        assert call(row.full_name, *args, **kwargs) is args[0]
        return
    before = args[0].tolist()
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        call(row.full_name, *args, **kwargs)
    assert args[0].tolist() == before


@pytest.mark.parametrize("row", WRITERS, ids=lambda row: row.full_name)
def test_every_view_sees_a_write(row: Any) -> None:
    args, kwargs = arguments_of(row)
    twin = call("view", args[0], list(call("shape", args[0])))
    call(row.full_name, *args, **kwargs)
    assert call("equal", twin, args[0]) or args[0].tolist() != args[0].tolist()


@pytest.mark.parametrize("name", ["add_.Tensor", "mul_.Tensor", "copy_", "sub_.Tensor", "div_.Tensor"])
def test_partly_overlapping_operands_are_refused(name: str) -> None:
    base = call("arange", 6.0)
    with pytest.raises(RuntimeError, match="overlap|refer to a single memory location|same memory"):
        call(name, call("slice.Tensor", base, 0, 1, 6), call("slice.Tensor", base, 0, 0, 5))
    assert base.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize("name", ["add_.Tensor", "mul_.Tensor", "copy_"])
def test_an_operand_may_be_the_target(name: str) -> None:
    base = call("arange", 3.0)
    expected = {"add_.Tensor": [0.0, 2.0, 4.0], "mul_.Tensor": [0.0, 1.0, 4.0], "copy_": [0.0, 1.0, 2.0]}
    assert call(name, base, call("view", base, [3])).tolist() == expected[name]


def test_views_of_views_share_one_storage() -> None:
    base = call("arange", 24.0)
    view = call("select.int", call("transpose", call("view", base, [2, 3, 4]), 0, 2), 1, 1)
    call("fill_", view, -1)
    assert base.tolist() == [-1.0 if n % 12 // 4 == 1 else float(n) for n in range(24)]


def test_copies_share_nothing() -> None:
    base = call("t", call("view", call("arange", 6.0), [2, 3]))
    for name, *rest in (("reshape", [6]), ("contiguous",), ("flatten",), ("clone",), ("cast.float64",)):
        copied = call(name, base, *rest)
        call("zero_", copied)
        assert call("sum", base).tolist() == 15.0, name
