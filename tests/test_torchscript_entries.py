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


def unit_around(factor: int):
    return tsm.jit.CompilationUnit("def f(x: int) -> int:\n    return x * factor\n")


twice, thrice = unit_around(2), unit_around(3)


def of_one_text(n: int):
    return twice.f(n), thrice.f(n)


def test_units_of_one_text_have_the_names_around_each() -> None:
    assert tsm.script(of_one_text)(5) == (10, 15)


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


class Changes:
    def __init__(self, table: Dict[str, int]):
        self.table = table

    def keys(self) -> int:
        self.table["z"] = 1
        return len(self.table)


def before_keys_that_change(d: Dict[str, int]):
    changes = Changes(d)
    return d.keys(), changes.keys()


def chosen(d: Dict[str, int], short: bool):
    return (d.keys(), 1) if short else ([*d], 2)


def test_views_in_what_is_returned_are_lists() -> None:
    assert tsm.script(chosen)({"a": 1}, True) == (["a"], 1)
    table = {"a": 1, "b": 2}
    assert tsm.script(in_tuple)(table) == (["a", "b"], 1)
    assert tsm.script(in_containers)(table) == ({"all": [("a", 1), ("b", 2)]}, [[1, 2]] * 2, (3, (["a", "b"],)))
    assert tsm.script(after_a_change)(dict(table)) == (1, ["b"])


@pytest.mark.parametrize("function", [before_a_change, before_keys_that_change, kept, in_a_helper])
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


class Scale(nn.Module):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor, self.weight = factor, nn.Parameter(tsm.ones(1) * factor)

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor * self.weight

    def negative(self, x: Tensor) -> Tensor:
        return -self.forward(x)


class Turns(nn.Module):
    """Which of its submodules comes first differs, and so whose path a shared module has first."""

    def __init__(self, first: bool) -> None:
        super().__init__()
        if first:
            self.impl = Scale(2.0)
        self.a = self.impl if first else Scale(2.0)
        self.b = Scale(3.0)
        if not first:
            self.impl = self.a

    @tsm.export
    def turn(self, both: bool) -> None:
        if both:
            self.a, self.b = self.b, self.a
        else:
            self.impl = self.b

    def forward(self, x: Tensor) -> Tensor:
        return self.impl(x) + 100 * self.a(x) + 10000 * self.b(x)


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("held", [False, True])
def test_python_sees_the_modules_that_a_script_has_replaced(first: bool, both: bool, held: bool) -> None:
    module, x = Turns(first), tsm.ones(1)
    scripted = tsm.script(Turns(first))  # of its own: Python makes it anew from what it was scripted from
    olds = [[each.impl, each.a, each.b] for each in (module, scripted)] if held else [[], []]
    module.turn(both)
    scripted.turn(both)

    def seen(each, olds):
        parts = [each.impl, each.a, each.b]
        values = [value for part in [*parts, *olds] for value in (part.factor, part.weight.item())]
        return values, [one is other for one in parts for other in [*parts, *olds]], each(x).item()

    assert seen(scripted, olds[1]) == seen(module, olds[0])
    assert scripted.b.negative(x).equal(module.b.negative(x))  # which makes it another program
    assert seen(scripted, olds[1]) == seen(module, olds[0])
    assert scripted.impl.negative(x).equal(module.impl.negative(x))


class Drops(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = Scale(2.0), Scale(3.0)

    def forward(self, x: Tensor) -> Tensor:
        self.a = self.b
        return self.a(x)


def test_a_module_that_a_script_dropped_says_so() -> None:
    scripted = tsm.script(Drops())
    dropped = scripted.a
    scripted(tsm.ones(1))
    with pytest.raises(RuntimeError, match="'a' is no longer part of the program"):
        dropped.factor  # noqa: B018
    assert scripted.a is scripted.b and scripted.a.negative(tsm.ones(1)).item() == -9.0 and scripted.a.factor == 3.0


@tsm.jit.interface
class Step(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


def takes_step(step: Step, x: Tensor) -> Tensor:
    return step.forward(x)


def test_a_module_as_an_argument_is_refused_with_what_to_write() -> None:
    with pytest.raises(tsm.CompileError, match="make the module an attribute of the one that is scripted"):
        tsm.script(takes_step)
