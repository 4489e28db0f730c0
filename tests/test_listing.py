"""`scripted.code` of every program of the corpus: it runs under CPython and, scripted again, gives the same results."""

from __future__ import annotations

import copy
import enum
import linecache
import types
from itertools import count
from typing import Any

import pytest
import recorded
import test_programs  # noqa: F401 - fills the corpus

import tsm
from oracle import CORPUS, SIZES, Outcome, Program, equal_errors, instantiate, is_instance, observe

_numbers = count(1)
# Programs whose text cannot give them again, and why.
UNPRINTED = {
    "class_values_corpus.outside": "an OrderedDict or Counter outside is not printed",
    "left_to_run_corpus.routed": "attributes of functions outside are not printed",
    "left_to_run_corpus.dispatched": "functions of functools.singledispatch are not printed",
    "class_corners_corpus.dispatched_methods": "methods of functools.singledispatchmethod are not printed",
    "left_to_run_corpus.weighing": "functions of functools.singledispatch are not printed",
}


def run_text(text: str) -> dict[str, Any]:
    """The names that a printed text defines; its source can be found, so it can be scripted."""
    name = f"<listing {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    module = types.ModuleType(name)
    module.__dict__["__name__"] = "printed_corpus"
    import sys

    sys.modules["printed_corpus"] = module
    exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
    return module.__dict__


class Recast:
    """Values with the printed classes in the place of the corpus's."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names
        self.memo: dict[int, Any] = {}

    def __call__(self, value: Any) -> Any:
        if id(value) in self.memo:
            return self.memo[id(value)]
        kind = self.names.get(type(value).__name__)
        if isinstance(value, enum.Enum):
            if isinstance(value, enum.Flag):
                return value if kind is None else kind(value.value)
            return kind[value.name] if kind is not None else value
        if isinstance(value, tuple):
            items = [self(item) for item in value]
            return kind(*items) if kind is not None and type(value) is not tuple else tuple(items)
        if isinstance(value, list):
            self.memo[id(value)] = new = []
            new += [self(item) for item in value]
            return new
        if isinstance(value, frozenset):
            return frozenset(map(self, value))
        if isinstance(value, set):
            new = self.memo[id(value)] = set()
            new.update(map(self, value))
            return new
        if isinstance(value, dict):
            new = self.memo[id(value)] = copy.copy(value)  # a Counter stays one
            new.clear()
            for key, item in value.items():
                new[self(key)] = self(item)
            return new
        if isinstance(value, types.MethodType) and isinstance(value.__self__, tsm.nn.Module):
            receiver = self(value.__self__)
            return getattr(type(receiver), value.__name__).__get__(receiver)
        if is_instance(value) or isinstance(value, tsm.nn.Module):
            new = self.memo[id(value)] = copy.copy(value)
            self.memo[id(new)] = new
            if kind is not None:
                object.__setattr__(new, "__class__", kind)
            for name, item in list(value.__dict__.items()):
                new.__dict__[name] = self(item)
            return new
        return value


def shape_of(value: Any, above: frozenset[int] = frozenset()) -> Any:
    """A value without the identity of classes."""
    if isinstance(value, tsm.Tensor):
        return "tensor", str(value.dtype), value.shape, repr(value.tolist())
    if isinstance(value, enum.Enum):
        return type(value).__name__, value.name
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(map(repr, value))
    if isinstance(value, (list, tuple)):
        if id(value) in above:
            return "itself"
        kind = "tuple" if isinstance(value, SIZES) else type(value).__name__  # a script gives a plain tuple
        return kind, [shape_of(item, above | {id(value)}) for item in value]
    if isinstance(value, dict):
        keys = [key if isinstance(key, (int, float)) else shape_of(key) for key in value]  # equal numbers are one key
        return type(value).__name__, list(zip(keys, (shape_of(item, above | {id(value)}) for item in value.values())))
    if hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value):
        if id(value) in above:
            return "itself"
        return type(value).__name__, shape_of(dict(vars(value)), above | {id(value)})
    return type(value).__name__, repr(value)


def same_outcome(expected: Outcome, got: Outcome) -> bool:
    if expected.error is not None and got.error is not None:
        if expected.error[0] is not got.error[0] and expected.error[0].__name__ == got.error[0].__name__:
            return expected.error[1] == got.error[1]
        return equal_errors(expected.error, got.error)
    if (expected.error is None) != (got.error is None):
        return False
    return (
        shape_of(expected.result) == shape_of(got.result) and shape_of(expected.args) == shape_of(got.args)
        and expected.printed == got.printed
    )


def outcomes(program: Program, run: Any, names: dict[str, Any] | None) -> list[Outcome]:
    found = []
    for call in program.calls:
        if names is not None:
            args = instantiate(call, tsm.from_numpy, {})
            call = Recast(names)(args)  # noqa: PLW2901
        found.append(observe(run, call, tsm.from_numpy))
    return found


def last_function(names: dict[str, Any]) -> Any:
    return [value for value in names.values() if isinstance(value, types.FunctionType)][-1]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", CORPUS, ids=lambda program: program.name)
def test_printed_text_is_the_program(program: Program) -> None:
    if program.name in UNPRINTED:
        pytest.skip(UNPRINTED[program.name])
    target = program.make()
    is_module = isinstance(target, tsm.nn.Module)
    recorded.skip_if_changed(program.name)
    text = tsm.script(target).code
    names = run_text(text)
    if is_module:
        printed: Any = getattr(Recast(names)(program.make()), program.method)
        again = getattr(tsm.script(Recast(names)(program.make())), program.method)
    else:
        printed = last_function(names)
        again = tsm.script(printed)
    expected = outcomes(program, getattr(target, program.method) if is_module else target, None)
    for road, run in (("CPython", printed), ("scripted again", again)):
        for call, want, got in zip(program.calls, expected, outcomes(program, run, names)):
            differ = f"{road}, called with {call!r}:\n  expected {want}\n  got      {got}\n{text}"
            assert same_outcome(want, got), differ


def in_scripts(n: int) -> tuple[int, str]:
    kind = "script" if tsm.is_scripting() else "python"
    if tsm.is_scripting() and n > 0:
        n += 1
    return n, kind


def test_the_text_takes_the_side_of_scripts() -> None:
    text = tsm.script(in_scripts).code
    assert run_text(text)["in_scripts"](1) == tsm.script(in_scripts)(1) == (2, "script")


LARGE = tsm.zeros(5000)
SMALL = tsm.tensor([[1, 2], [3, 4]], dtype=tsm.int32)


def uses_small(x: tsm.Tensor) -> tsm.Tensor:
    return x + SMALL


def uses_large(x: tsm.Tensor) -> tsm.Tensor:
    return x + LARGE


def test_tensors_are_printed_if_they_are_small() -> None:
    assert "SMALL = tsm.tensor([[1, 2], [3, 4]], dtype=tsm.int32)" in tsm.script(uses_small).code
    assert "# LARGE is a tensor of 5000 elements, which is not printed" in tsm.script(uses_large).code


def test_code_of_a_trace_is_its_graph() -> None:
    traced = tsm.trace(uses_small, (tsm.ones(2),))
    assert traced.code == str(traced.graph)
