"""Depth: what is nested far more deeply than Python's stack crosses the boundary, and recursion ends cleanly."""

from __future__ import annotations

import sys
from typing import Any, Optional, Union

import pytest

import tsm

DEEP = 100_000


class Link:
    def __init__(self, value: int, rest: Optional[Link] = None) -> None:
        self.value = value
        self.rest = rest


def length(link: Link) -> int:
    count, at = 1, link
    while at.rest is not None:
        after = at.rest
        after.value += 1
        at = after
        count += 1
    return count


def chain(n: int) -> Link:
    made = Link(0)
    for i in range(n):
        made = Link(i, made)
    return made


def same(value: Any) -> Any:
    return value


def nested(n: int) -> list[Any]:
    made: list[Any] = []
    for _ in range(n):
        made = [made]
    return made


def shown(value: Any) -> str:
    try:
        return str(value)
    except RecursionError:
        return "too deep"


def down(n: int) -> int:
    return 0 if n == 0 else 1 + down(n - 1)


def caught(n: int) -> int:
    try:
        return down(n)
    except RecursionError:
        return -1


def either(value: Union[list[int], list[str], dict[str, list[int]]]) -> str:
    return str(value)


def unlinked(link: Link) -> list[int]:
    """The values of a chain, which is taken apart so that Python can free it."""
    values = []
    at: Optional[Link] = link
    while at is not None:
        values.append(at.value)
        at.rest, at = None, at.rest
    return values


def depth_of(value: Any) -> int:
    depth = 0
    while value:
        value, depth = value[0], depth + 1
    return depth


def test_long_chains_of_instances_come_in_and_are_written_back() -> None:
    link = chain(20_000)
    assert tsm.script(length)(link) == 20_001
    assert unlinked(link)[:3] == [19_999, 19_999, 19_998]


def test_long_chains_of_instances_come_out() -> None:
    assert unlinked(tsm.script(chain)(20_000)) == unlinked(chain(20_000))


def test_deeply_nested_containers_cross() -> None:
    value = nested(DEEP)
    assert tsm.script(same)(value) is value
    assert depth_of(tsm.script(nested)(DEEP)) == DEEP
    table: dict[str, Any] = {}
    for _ in range(DEEP):
        table = {"a": table}
    assert tsm.script(same)(table) is table


def test_nested_tuples_are_followed_as_far_as_pythons_stack_goes() -> None:
    value: tuple[Any, ...] = ()
    for _ in range(DEEP):
        value = (value,)
    with pytest.raises(RecursionError):
        tsm.script(same)(value)
    assert tsm.script(same)(1) == 1


def test_a_module_attribute_nested_too_deeply_is_refused() -> None:
    class Holder(tsm.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.value = nested(DEEP)

        def forward(self, n: int) -> int:
            return n + len(self.value)

    with pytest.raises(tsm.CompileError, match="too deeply"):
        tsm.script(Holder())


def test_the_text_of_what_is_nested_too_deeply_raises_in_the_program() -> None:
    assert tsm.script(shown)(nested(DEEP)) == "too deep"
    assert tsm.script(shown)(nested(3)) == "[[[[]]]]"


def test_recursion_ends_with_an_error_that_can_be_caught() -> None:
    with pytest.raises(RecursionError):
        tsm.script(down)(10**6)
    assert tsm.script(caught)(10**6) == -1
    assert tsm.script(caught)(100) == 100


@pytest.mark.parametrize("fuel", [1, 100, 10_000])
def test_traps_pass_every_except(fuel: int) -> None:
    def endless() -> int:
        total = 0
        while True:
            try:
                total += 1
            except BaseException:
                return total
            finally:
                total += 1

    run: Any = tsm.script(endless)
    run.set_fuel(fuel)
    with pytest.raises(tsm.FuelError):
        run()


def test_a_call_near_the_end_of_pythons_stack() -> None:
    run = tsm.script(length)

    def deeper(n: int) -> int:
        return run(Link(1, Link(2))) if n == 0 else deeper(n - 1)

    for depth in range(sys.getrecursionlimit() - 300, sys.getrecursionlimit() + 10, 7):
        try:
            assert deeper(depth) == 2
        except RecursionError:
            continue
    assert run(Link(1)) == 1


def test_a_union_of_containers_tries_its_arms_one_by_one() -> None:
    run = tsm.script(either)
    for value in ([1, 2], ["a"], [], {"a": [1]}):
        assert run(value) == str(value)
    with pytest.raises(TypeError, match="expected Union"):
        run([1, "a"])


def test_what_holds_itself_or_shares_its_parts_is_walked_once() -> None:
    ring: list[Any] = []
    ring.append(ring)
    assert tsm.script(same)(ring) is ring
    shared: list[Any] = [1]
    for _ in range(60):
        shared = [shared, shared]
    assert tsm.script(same)(shared) is shared
