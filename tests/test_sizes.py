"""A shape is a Size in eager code, scripts, traces and loaded files, and so is what Python makes Sizes of."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Optional

import pytest

import tsm
from tsm import Tensor

X = tsm.ones(2, 3, 4)


def whole(x: Tensor):
    return x.shape, x.size(), x.view(-1).shape, x[0].size()


def parts(x: Tensor):
    s = x.shape
    for _ in range(2):
        s = s[1:]
    return s, x.shape[:], x.shape[::-1], x.shape[5:], x.shape[-1]


def sums(x: Tensor):
    return x.shape + x.shape, x.shape + (1,), (1,) + x.shape, x.shape * 2, 2 * x.shape, x.shape[:1] + x.shape[2:]


def facts(x: Tensor):
    s = x.shape
    r = tsm.zeros(s)
    return (s.numel(), len(s), str(s), f"{s}", repr([s]), type(s).__name__, isinstance(s, tuple),
            isinstance(s, tsm.Size), r.shape == s, s == (2, 3, 4), s in [(2, 3, 4)], s.index(3), sorted(s), s < (3,))


def held(x: Tensor):
    known = {"a": x.shape}
    known["b"] = x[0].shape
    best: Optional[tsm.Size] = None
    if x.dim() > 1:
        best = x.shape
    anything: Any = x.shape
    return [x.shape, x.shape[1:]], known, best, anything, str(anything), [1, x.shape]


def made(x: Tensor):
    made = tsm.Size(list(x.shape))
    return tsm.Size([1, 2]), tsm.Size(x.shape), tsm.Size((3,)), made, made.numel(), tsm.broadcast_shapes(x.shape, (1,))


def plain(x: Tensor):
    first, *rest = x.shape
    return tuple(x.shape), list(x.shape), x.stride(), first, rest, isinstance((1, 2), tsm.Size), (1, 2)


def either(x: Tensor):
    return (x.shape if len(x) > 1 else (1, 2)), ((1, 2) if len(x) > 1 else x.shape)


def as_list(x: Tensor) -> list[int]:
    return x.shape


def as_tuple(x: Tensor) -> tuple[int, ...]:
    return x.shape


def takes_list(sizes: list[int]) -> int:
    return len(sizes) + sum(sizes)


def takes_tuple(sizes: tuple[int, ...]):
    return sizes, sum(sizes)


def passed(x: Tensor):
    return takes_list(x.shape), takes_list(x.size()), takes_tuple(x.shape), tsm.ones(x.shape[1:]).shape


class Keeper(tsm.nn.Module):
    seen: tuple[int, ...]

    def __init__(self) -> None:
        super().__init__()
        self.seen = (0,)

    def forward(self, x: Tensor):
        self.seen = x.shape[1:]
        return self.seen


def shown(value: Any) -> Any:
    """With the classes of tuples."""
    if isinstance(value, tuple):
        return type(value), [shown(item) for item in value]
    return repr(value)


FUNCTIONS = [whole, parts, sums, facts, held, made, plain, either, as_list, as_tuple, passed]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_scripts_and_files(function: Callable[[Tensor], Any], tmp_path: Path) -> None:
    scripted = tsm.script(function)
    scripted.save(tmp_path / "f.tsm")
    assert shown(scripted(X)) == shown(function(X)) == shown(tsm.load(tmp_path / "f.tsm")(X))


@pytest.mark.parametrize("function", [whole, parts, sums, made, as_list, passed])
def test_traces(function: Callable[[Tensor], Any], tmp_path: Path) -> None:
    other = tsm.zeros(3, 3, 1)
    for traced in tsm.trace(function, (X,)), tsm.trace(tsm.script(function), (X,)):
        traced.save(tmp_path / "f.tsm")
        assert shown(traced(other)) == shown(function(other)) == shown(tsm.load(tmp_path / "f.tsm")(other))


def test_arguments_and_state() -> None:
    given = tsm.script(takes_tuple)
    assert shown(given(X.shape)) == shown(takes_tuple(X.shape)) and shown(given((1, 2))) == shown(takes_tuple((1, 2)))
    module, scripted = Keeper(), tsm.script(Keeper())
    assert shown(scripted(X)) == shown(module(X)) and shown(scripted.seen) == shown(module.seen)


def test_a_size_of_other_things_is_refused() -> None:
    def wrong(x: Tensor):
        return tsm.Size(["a"])

    with pytest.raises(tsm.CompileError, match=r"Size\(\) takes ints, got"):
        tsm.script(wrong)


def test_traced_tuples_of_any_length_keep_all_their_items() -> None:
    given = tsm.script(takes_tuple)

    def called(x: Tensor):
        return given((x.shape[0], 5, 6))[0], x + given(x.shape)[1]

    traced = tsm.trace(called, (X,))
    other = tsm.zeros(3, 3, 1)
    assert shown(traced(other)[0]) == shown(called(other)[0]) and traced(other)[1].equal(called(other)[1])
