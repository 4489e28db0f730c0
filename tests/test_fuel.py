"""Fuel is time: what a row or an instruction charges grows with what it looks at, and too little fuel and a cancel end
it early. No clock is read: `make fuel` measures how long a unit takes.

In: the cases of fuzz/fuel_operands.py and fuzz/fuel_programs.py, at two sizes. Out: counts of units.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent / "fuzz"))

from fuel_operands import REFUSED, Case, cases  # noqa: E402
from fuel_programs import PROGRAMS, Running  # noqa: E402
from fuel_sweep import Calling  # noqa: E402

from tsm.binding import table  # noqa: E402
from tsm.binding.library import lib  # noqa: E402

SMALL, LARGE = 1_000, 8_000
LEAST = 300  # elements, of which each that is added costs a unit at least
AMPLE = 10**12
CONTAINERS = frozenset(("str", "bytes", "list", "dict", "set", "frozenset", "tuple", "Any", "Tensor"))
# What they do does not grow: they look at one element, a length or a shape, share what they are given, or were paid for
# when it was made. Searches in a dict or set grow where hashes are equal only, which shared/found/hang shows.
CONSTANT = frozenset(
    """
    int.Tensor float.Tensor bool.str bool.Tensor bool.any is.any len.str getitem.str len.bytes getitem.bytes len.list
    getitem.list setitem.list list.append list.clear deque.popleft deque.pushleft deque.limit deque.set_limit
    deque.version deque.changed list.take list.restore len.dict getitem.dict delitem.dict dict.pop dict.clear
    dict.popitem dict.next dict.version dict.key_at dict.value_at len.set contains.set set.add set.remove set.discard
    set.pop set.clear set.of_frozenset set.isdisjoint set.next set.item_at keys.probe.dict keys.probe.set
    keys.append.dict keys.append.set keys.store keys.remove.dict keys.remove.set is_tuple.any len.any is_open.list
    is_open.dict append.open attribute.unset class_name.any member_index.any exception.new dim numel shape size.dim
    stride len.Tensor dtype is_contiguous is_floating_point item pos.Tensor view view.dtype permute transpose t mT
    squeeze squeeze.dim unsqueeze expand select.int slice.Tensor narrow.Tensor as_strided chunk diagonal detach ord
    exception.set bytes.byte
    """.split()
)
# Nothing grows in the cases that are made for them: they want exceptions, hashes of scripts, iterators, or raise on
# what would take long. test_operator_limits.py stops most of them.
UNTRIED = frozenset(
    """
    str.index bytes.index keys.rehash.dict keys.rehash.set open.list open.dict exception.matches exception.args
    exception.attribute exception.class exception.message reshape range_length
    """.split()
)
ROWS = [
    row
    for row in table.rows()
    if row.full_name not in CONSTANT | UNTRIED
    and "IO" not in row.traits
    and any(param.type.kind in CONTAINERS for param in row.parsed.params)
]


def charged(case: Case, n: int, fuel: int = AMPLE) -> tuple[int, int]:
    """How a call ends, and its units."""
    calling = Calling(case.row, case.make(n))
    try:
        found = calling.run(fuel)
    finally:
        calling.close()
    return found.status, found.units


def growing(row: Any) -> Case | None:
    """The first of the row's cases that fits and charges in proportion to its operands."""
    for case in cases(row, wide=False):
        try:
            (small_end, small), (large_end, large) = charged(case, SMALL), charged(case, LARGE)
        except REFUSED:
            continue
        if small_end == large_end == lib.TSM_OK and large - small >= (LARGE - SMALL) // LEAST:
            return case
    return None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.full_name)
def test_a_row_charges_for_what_it_looks_at(row: Any) -> None:
    """It stops where half of its fuel is missing, and at once where it is cancelled."""
    case = growing(row)
    assert case is not None, "no case charges more for more"
    _, units = charged(case, LARGE)
    assert charged(case, LARGE, fuel=units // 2)[0] == lib.TSM_ERR_FUEL
    calling = Calling(case.row, case.make(LARGE))
    calling.cancel()
    assert calling.run().status == lib.TSM_ERR_CANCELLED
    calling.close()


def test_the_lists_name_rows() -> None:
    names = {row.full_name for row in table.rows()}
    assert CONSTANT - names == set() and UNTRIED - names == set()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_an_instruction_charges_for_what_it_looks_at(program: Any) -> None:
    running, larger = Running(program, SMALL), Running(program, LARGE)
    small, large = running.run(AMPLE), larger.run(AMPLE)
    assert small.status == large.status == lib.TSM_OK
    assert large.units > small.units
    assert larger.run(large.units // 2).status == lib.TSM_ERR_FUEL
