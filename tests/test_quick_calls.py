"""Calls with small containers take a path of their own in C: what it takes and declines, and what it must not leak."""

from __future__ import annotations

import gc
from collections import OrderedDict
from typing import Any, Optional

import pytest

import tsm
from tsm import Tensor
from tsm.binding import library


class Items(list):  # type: ignore[type-arg]
    """A subclass, which the path declines."""


def grow(xs: list[int], n: int) -> list[int]:
    xs.append(n)
    if n < 0:
        raise ValueError("negative")
    return xs


def swapped(xs: list[int]) -> None:
    xs[0], xs[1] = xs[1], xs[0]
    xs.reverse()


def total(xs: list[float]) -> float:
    return sum(xs)


def picked(rows: list[list[int]], i: int) -> list[int]:
    return rows[i]


def doubled(rows: list[list[int]]) -> list[list[int]]:
    return [rows[0], rows[0], [1], *rows]


def tensors(xs: list[Tensor], n: int) -> list[Tensor]:
    out = [x + 1 for x in xs for _ in range(n)]
    return out + xs + out


def entries(table: dict[str, int]) -> tuple[dict[str, int], str]:
    table["new"] = len(table)
    if "old" in table:
        del table["old"]
    return table, "ü" + "".join(table)


def maybe(xs: list[str]) -> Optional[str]:
    return xs[0] if xs else None


def mixed(pair: tuple[int, str], flags: list[bool], table: dict[str, Tensor]) -> tuple[str, list[bool], int]:
    return pair[1] * pair[0], flags[::-1], len(table)


def quick(function: Any) -> tuple[Any, Any]:
    """The function of the path itself, and what it gives when it declines."""
    run = tsm.script(function)._run
    return run.__globals__["_quick"], run.__globals__["_declined"]


def test_it_takes_arguments_of_exactly_the_declared_types() -> None:
    call, declined = quick(total)
    assert call([1.0, 2.5]) == 3.5
    for other in ([1, 2.5], range(2), (1,), Items([1.0]), [True], None, [None]):
        assert call(other) is declined
    assert call((1.0, 2.5)) == 3.5
    call_text, declined_text = quick(maybe)
    assert call_text(["\ud800"]) is declined_text
    assert call() is declined
    assert call([1.0], [2.0]) is declined


@pytest.mark.parametrize("xs", [[1, 2.5], Items([1.0, 2.0]), [True, 1.0], [], (1.0, 2.5), range(3)])
def test_what_it_declines_goes_the_general_way(xs: Any) -> None:
    assert tsm.script(total)(xs) == total(xs)


def test_errors_of_arguments_are_those_of_the_general_way() -> None:
    run = tsm.script(grow)
    with pytest.raises(OverflowError, match="does not fit"):
        run([2**63], 1)
    with pytest.raises(TypeError, match=r"argument 'xs': expected list\[int\], got str"):
        run("1", 1)
    with pytest.raises(ValueError, match="lone surrogates"):
        tsm.script(maybe)(["\ud800"])


def test_a_returned_argument_is_the_callers_and_is_written_back_when_it_raises() -> None:
    run, xs = tsm.script(grow), [1]
    assert run(xs, 5) is xs
    assert xs == [1, 5]
    with pytest.raises(ValueError, match="negative"):
        run(xs, -1)
    assert xs == [1, 5, -1]


def test_elements_that_did_not_change_stay_the_callers() -> None:
    big = [int("123456789"), int("987654321")]
    kept = list(big)
    tsm.script(swapped)(big)
    assert big[0] is kept[0]
    assert big[1] is kept[1]


def test_shared_rows_stay_shared_on_both_sides() -> None:
    row = [7]
    out = tsm.script(doubled)([row, [2], row])
    assert out[0] is row
    assert out[1] is row
    assert out[5] is row
    assert out[2] == [1]


@pytest.mark.parametrize("n", [1, 40])
def test_tensors_keep_their_identity_also_where_there_are_many(n: int) -> None:
    xs = [tsm.ones(1), tsm.zeros(2)]
    out = tsm.script(tensors)(xs, n)
    count = 2 * n
    assert [out[i] is out[count + 2 + i] for i in range(count)] == [True] * count
    assert out[count] is xs[0]
    assert out[count + 1] is xs[1]
    assert [x.tolist() for x in out[:1]] == [[2.0]]


def test_more_containers_than_it_has_room_for() -> None:
    rows = [[i] for i in range(200)]
    assert tsm.script(picked)(rows, 150) is rows[150]


def test_dicts_are_written_back_in_order() -> None:
    table = {"b": 1, "old": 2}
    found, text = tsm.script(entries)(table)
    assert found is table
    assert (list(table.items()), text) == ([("b", 1), ("new", 2)], "übnew")
    ordered = OrderedDict(a=1)
    assert tsm.script(entries)(ordered)[0] is ordered


def test_tuples_bools_and_optional_results() -> None:
    assert tsm.script(mixed)((2, "ab"), [True, False], {"w": tsm.ones(1)}) == ("abab", [False, True], 1)
    assert tsm.script(maybe)([]) is None
    assert tsm.script(maybe)(["x"]) == "x"


def test_nothing_is_left_after_many_calls() -> None:
    runs = [tsm.script(f) for f in (grow, tensors, entries, mixed, doubled)]
    x = tsm.ones(3)

    def once() -> None:
        with pytest.raises(ValueError, match="negative"):
            runs[0]([1], -1)
        runs[1]([x, x], 40)
        runs[2]({"a": 1})
        runs[3]((1, "a"), [True], {"a": x})
        runs[4]([[1], [2]])
        with pytest.raises(TypeError):
            runs[4]([[1], ["a"]])

    def used() -> int:
        gc.collect()
        return int(library.lib.tsm_runtime_memory(library.runtime()))

    for _ in range(20):
        once()
    before = used()
    for _ in range(200):
        once()
    assert used() - before < 10_000
