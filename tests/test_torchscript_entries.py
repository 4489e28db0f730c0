"""What TorchScript takes at entry points: functions of compilation units, returned dict views, states of modules."""

from typing import Dict, List

import pytest

import tsm
from tsm import Tensor, nn

unit = tsm.jit.CompilationUnit("""
def f(x: int, y: int = 3) -> int:
    return x * 2 + y
def g(x):
    return x + f(1)
""")
f_of_unit = unit.f
other = tsm.jit.CompilationUnit("def f(x: int) -> int:\n    return -x\n")


def calls(n: int):
    return unit.f(n) + unit.f(n, y=1), f_of_unit(n), other.f(n), unit.g(tsm.ones(1)).item()


class Holds(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.f = unit.f

    def forward(self, n: int) -> int:
        return self.f(n)


def test_scripts_call_functions_of_compilation_units() -> None:
    assert tsm.script(calls)(3) == (16, 9, -3, 6.0) == calls(3)
    assert tsm.script(Holds())(3) == 9

    def unknown(n: int) -> int:
        return unit.h(n)

    with pytest.raises(tsm.CompileError, match="'h'"):
        tsm.script(unknown)


def in_tuple(d: Dict[str, int]):
    return d.keys(), 1


def in_containers(d: Dict[str, int]):
    return {"all": d.items()}, [d.values(), d.values()], (3, (d.keys(),))


def after_a_change(d: Dict[str, int]):
    return d.pop("a"), d.keys()


def before_a_change(d: Dict[str, int]):
    return d.keys(), d.pop("a")


def kept(d: Dict[str, int]):
    both = (d.keys(), 1)
    return both


def in_a_helper(d: Dict[str, int]) -> int:
    keys, _ = in_tuple(d)
    d["z"] = 1
    return len(keys)


def test_views_in_what_is_returned_are_lists() -> None:
    table = {"a": 1, "b": 2}
    assert tsm.script(in_tuple)(table) == (["a", "b"], 1)
    assert tsm.script(in_containers)(table) == ({"all": [("a", 1), ("b", 2)]}, [[1, 2]] * 2, (3, (["a", "b"],)))
    assert tsm.script(after_a_change)(dict(table)) == (1, ["b"])


@pytest.mark.parametrize("function", [before_a_change, kept, in_a_helper])
def test_views_that_could_show_a_change_are_refused(function) -> None:
    with pytest.raises(tsm.CompileError, match="dict view"):
        tsm.script(function)


class Stateful(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table: Dict[str, List[float]] = {"a": [1.5]}
        self.name = "x"
        self.weight = tsm.ones(2)

    @tsm.export
    def __setstate__(self, state):
        self.table, self.name, self.weight, self.training = state

    @tsm.export
    def __getstate__(self):
        return {"a": [2.5]}, self.name, self.weight, self.training

    def forward(self, x: Tensor) -> Tensor:
        return x + self.weight * self.table["a"][0]


def test_setstate_takes_what_getstate_gives() -> None:
    scripted = tsm.script(Stateful())
    scripted.method("__setstate__")(scripted.method("__getstate__")())
    assert scripted(tsm.zeros(2)).tolist() == [2.5, 2.5]


class Swaps(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.other = nn.Linear(2, 2), nn.Linear(2, 2), nn.Tanh()
        self.impl = self.first

    def forward(self, x: Tensor, second: bool) -> Tensor:
        before = self.impl(x)
        if second:
            self.impl = self.second
        else:
            self.impl = self.first
        return self.impl(x) - 2 * before

    @tsm.export
    def now(self, x: Tensor) -> Tensor:
        return self.impl(x)


class SwapsWrongly(Swaps):
    def forward(self, x: Tensor, second: bool) -> Tensor:
        self.impl = self.other
        return self.impl(x)


def test_a_submodule_is_replaced_by_one_of_the_same_structure(tmp_path) -> None:
    module, x = Swaps(), tsm.ones(2)
    scripted, frozen = tsm.script(module), tsm.jit.freeze(tsm.script(module).eval())
    for second in (True, True, False, True, False, False, True):
        expected = module(x, second)
        assert scripted(x, second).equal(expected) and frozen(x, second).equal(expected)
        assert scripted.now(x).equal(module.impl(x))
    scripted.save(tmp_path / "m.tsm")
    loaded = tsm.load(tmp_path / "m.tsm")
    assert loaded.now(x).equal(module.second(x)) and loaded(x, False).equal(module(x, False))
    with pytest.raises(tsm.CompileError, match="'impl' can be replaced by one of the same structure only"):
        tsm.script(SwapsWrongly())
