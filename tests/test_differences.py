"""The closed table of differences from Python, row by row: what tsm gives where CPython gives something else.

In: small programs, each under the row that allows it. Holds: every row of the table in docs/language.md has at least
two programs here.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tsm
from tsm import Tensor
from tsm.nn import functional as F

ROOT = Path(__file__).resolve().parent.parent


def run(function: Callable[..., Any], *args: Any) -> Any:
    """The scripted function's result; AssertionError if the loaded file gives another."""
    scripted = tsm.script(function)
    result = scripted(*args)
    assert repr(tsm.load(saved(scripted))(*args)) == repr(result)
    return result


def saved(scripted: Any) -> bytes:
    import io

    buffer = io.BytesIO()
    scripted.save(buffer)
    return buffer.getvalue()


def refused(function: Callable[..., Any]) -> str:
    with pytest.raises(tsm.CompileError) as caught:
        tsm.script(function)
    return caught.value.diagnostics[0].message


# D1: int is 64-bit


def squared(n: int) -> int:
    return n * n


def summed(v: list[int]) -> int:
    return sum(v)


def large(n: int) -> int:
    return n + 9223372036854775808


def test_d1_overflow_raises() -> None:
    assert run(squared, 3037000499) == 9223372030926249001
    with pytest.raises(OverflowError, match="does not fit in 64 bits"):
        tsm.script(squared)(3037000500)


def test_d1_builtins_overflow_too() -> None:
    with pytest.raises(OverflowError):
        tsm.script(summed)([2**62, 2**62])


def test_d1_literals_are_refused() -> None:
    assert refused(large) == "the int 9223372036854775808 does not fit 64 bits"


def test_d1_arguments_from_python() -> None:
    with pytest.raises((OverflowError, TypeError)):
        tsm.script(squared)(2**63)


# D2: annotations are enforced


def takes_text(s: str) -> int:
    return len(s)


def misdeclared(n: int) -> str:
    return n  # type: ignore[return-value]


def test_d2_arguments_are_checked() -> None:
    assert takes_text([1]) == 1  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected str, got list"):
        tsm.script(takes_text)([1])


def test_d2_results_are_checked_when_compiled() -> None:
    assert refused(misdeclared) == "the result of 'misdeclared' must be str, got int"


def last_of(v: list[int]) -> int:
    last = None
    for each in v:
        last = each
    return last  # type: ignore[return-value]


def pairs_of(rows: list[list[int]]) -> list[tuple[int, int]]:
    return [tuple(row) for row in rows]  # type: ignore[misc]


def test_d2_tuples_of_any_length_are_checked_when_they_get_there() -> None:
    scripted = tsm.script(pairs_of)
    assert scripted([[1, 2], [3, 4]]) == [(1, 2), (3, 4)]
    with pytest.raises(TypeError, match=r"must be tuple\[int, int\], got tuple\[int, \.\.\.\] of another length"):
        scripted([[1, 2], [3]])


def slots_of(v: list[int]) -> list[int]:
    slots = [None] * (len(v) + 1)
    for place, each in enumerate(v):
        slots[place] = each
    return slots  # type: ignore[return-value]


def kept(v: list[int], n: int) -> int:
    found = None
    for each in v:
        found = each
    declared: dict[int, int] = {}
    try:
        declared[n] = found  # type: ignore[assignment]
    except TypeError as error:
        assert str(error) == "'[]=': argument 'value' must be int, got None"
    return len(declared)


def test_d2_inferred_unions_are_checked_when_they_get_there() -> None:
    assert run(last_of, [4, 5]) == 5 and run(kept, [3], 1) == 1 and run(kept, [], 1) == 0
    for function, text in ((last_of, "the result of 'last_of'"), (slots_of, "an element of the result")):
        for scripted in (tsm.script(function), tsm.load(saved(tsm.script(function)))):
            with pytest.raises(TypeError, match=f"{text} must be int, got None"):
                scripted([])


# D3: bool -> int -> float convert at declared types, elements too


def as_float(x: float) -> str:
    return str(x)


def elements(v: list[float]) -> str:
    return str(v)


def result(n: int) -> float:
    return n


def test_d3_arguments_results_and_elements_convert() -> None:
    assert as_float(3) == "3" and run(as_float, 3) == "3.0"
    assert run(elements, [1, True, 2.5]) == "[1.0, 1.0, 2.5]"
    found = run(result, 3)
    assert found == 3.0 and type(found) is float


def test_d3_nothing_converts_back() -> None:
    with pytest.raises(TypeError):
        tsm.script(squared)(2.0)


# D4: the type of a power does not depend on a value


def power(a: int, b: int) -> int:
    return a**b


def root(x: float, y: float) -> float:
    return x**y


def test_d4_negative_exponent_of_ints() -> None:
    assert power(2, -1) == 0.5
    with pytest.raises(ValueError):
        tsm.script(power)(2, -1)


def test_d4_fraction_of_a_negative_float() -> None:
    assert isinstance(root(-8.0, 0.5), complex)
    with pytest.raises(ValueError):
        tsm.script(root)(-8.0, 0.5)


# D5: sum of floats is a float


def total(v: list[float]) -> str:
    return str(sum(v))


def total_of(v: list[float]) -> str:
    return str(sum([x * 2 for x in v]))


def test_d5_empty_sums_of_floats() -> None:
    assert total([]) == "0" and run(total, []) == "0.0"
    assert run(total_of, []) == "0.0" and run(total_of, [1.5]) == "3.0"


# D6: containers compare by ==; values have no identity


def finds(v: list[float]) -> bool:
    x = v[0]
    return x in v


def equals(v: list[float]) -> bool:
    return v == v.copy()


def same_number(a: int, b: int) -> bool:
    return a is b


def same_text(a: str, b: str) -> bool:
    return a is b


def test_d6_nan_is_not_in_its_list() -> None:
    assert finds([math.nan]) is True
    assert run(finds, [math.nan]) is False and run(finds, [1.0]) is True
    assert equals([math.nan]) is True and run(equals, [math.nan]) is False


def test_d6_is_on_values_is_refused() -> None:
    assert "its values have no identity" in refused(same_number)
    assert "no identity" in refused(same_text)


# D7: sets iterate in insertion order


def set_order(v: list[int]) -> list[int]:
    return list(set(v))


def set_after_removal(v: list[str]) -> list[str]:
    s = set(v)
    s.remove(v[0])
    s.add(v[0])
    return [x for x in s]


def test_d7_insertion_order() -> None:
    assert run(set_order, [30, 1, 20, 1, 5]) == [30, 1, 20, 5]
    assert run(set_after_removal, ["b", "a", "c"]) == ["a", "c", "b"]


# D8: hash(str) is fixed, default reprs have no address


class Plain:
    def __init__(self) -> None:
        self.n = 1


def hashed(s: str) -> int:
    return hash(s)


def shown(n: int) -> str:
    return repr(Plain())


def test_d8_hash_of_text_is_the_same_in_every_process() -> None:
    assert run(hashed, "a") == tsm.script(hashed)("a") != tsm.script(hashed)("b")
    assert run(hashed, "") == 0 or isinstance(run(hashed, ""), int)


def test_d8_default_repr() -> None:
    assert "0x" not in run(shown, 1) and "Plain" in run(shown, 1)


# D9: sorting with NaN gives some permutation


def ordered(v: list[float]) -> list[float]:
    return sorted(v)


def ordered_backwards(v: list[float]) -> list[float]:
    v.sort(key=lambda x: x, reverse=True)
    return v


@pytest.mark.parametrize("function", [ordered, ordered_backwards])
def test_d9_nan_among_sorted(function: Any) -> None:
    found = tsm.script(function)([3.0, math.nan, 1.0, 2.0])
    assert sorted(x for x in found if x == x) == [1.0, 2.0, 3.0] and sum(x != x for x in found) == 1


# D10: globals, closures of entries and defaults are read once

LIMIT = 5


def limited(n: int) -> int:
    return min(n, LIMIT)


def scaled(k: int) -> Any:
    def inner(n: int) -> int:
        return n * k

    compiled = tsm.script(inner)
    k = 100
    return compiled, inner


def test_d10_globals_are_read_when_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = tsm.script(limited)
    monkeypatch.setitem(globals(), "LIMIT", 50)
    assert compiled(70) == 5 and limited(70) == 50


def test_d10_closures_of_an_entry_too() -> None:
    compiled, inner = scaled(3)
    assert compiled(2) == 6 and inner(2) == 200


# D11: script(module) shares tensors, copies plain attributes


class Scale(tsm.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = tsm.nn.Parameter(tsm.ones(2))
        self.times = 2

    def forward(self, x: Tensor) -> Tensor:
        return x * self.weight * self.times


def test_d11_tensors_are_shared() -> None:
    module = Scale()
    scripted = tsm.script(module)
    module.weight.fill_(3.0)
    assert scripted(tsm.ones(2)).tolist() == [6.0, 6.0]


def test_d11_plain_attributes_are_copied() -> None:
    module = Scale()
    scripted = tsm.script(module)
    module.times = 10
    assert scripted(tsm.ones(2)).tolist() == [2.0, 2.0]


class Listed(tsm.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("seen", tsm.zeros(1))
        self.log = [1]

    def forward(self, x: Tensor) -> int:
        self.seen += x.sum()
        self.log.append(2)
        return len(self.log)


def test_d11_a_run_changes_the_scripts_copy_of_a_list() -> None:
    module = Listed()
    scripted = tsm.script(module)
    assert [scripted(tsm.ones(1)), scripted(tsm.ones(1))] == [2, 3]
    assert module.log == [1]


# D12: own limits; traps pass every except


def deep(n: int) -> int:
    return 0 if n == 0 else 1 + deep(n - 1)


def guarded_deep(n: int) -> int:
    try:
        return deep(n)
    except RecursionError:
        return -1


def endless(n: int) -> int:
    while True:
        try:
            n += 1
            n -= 1
        except Exception:  # noqa: BLE001 - it must not catch the trap
            n = 0


def test_d12_own_recursion_limit() -> None:
    assert run(deep, 900) == 900
    assert run(guarded_deep, 10**7) == -1


def test_d12_fuel_passes_every_except() -> None:
    scripted = tsm.script(endless)
    loaded = tsm.load(saved(scripted))
    loaded.set_fuel(100_000)
    with pytest.raises(tsm.FuelError):
        loaded(1)


# D13: own random streams


FIRST_OF_SEED_1 = [0.8902591466903687, 0.8946846723556519, 0.6719982624053955]


def noise(n: int) -> Tensor:
    return tsm.rand(n)


def dropped(n: int) -> Tensor:
    return F.dropout(tsm.ones(n), p=0.5, training=True)


@pytest.mark.parametrize("function", [noise, dropped])
def test_d13_streams_repeat_from_their_seed(function: Any) -> None:
    loaded = tsm.load(saved(tsm.script(function)))
    loaded.seed(3)
    first, second = loaded(40).tolist(), loaded(40).tolist()
    loaded.seed(3)
    assert [loaded(40).tolist(), loaded(40).tolist()] == [first, second] and first != second


def test_d13_a_stream_is_the_same_everywhere() -> None:
    loaded = tsm.load(saved(tsm.script(noise)))
    loaded.seed(1)
    assert loaded(3).tolist() == FIRST_OF_SEED_1


# D14: user exceptions after load


class Refusal(ValueError):
    pass


def refuses(n: int) -> int:
    raise Refusal("no", n)


def test_d14_the_class_comes_back_while_python_has_it() -> None:
    with pytest.raises(Refusal) as caught:
        tsm.script(refuses)(7)
    assert caught.value.args == ("no", 7)


def test_d14_after_load_a_script_error_of_the_nearest_builtin() -> None:
    with pytest.raises(tsm.ScriptError) as caught:
        tsm.load(saved(tsm.script(refuses)))(7)
    assert isinstance(caught.value, ValueError) and type(caught.value).__name__ == "Refusal"
    assert caught.value.args == ("no", 7)


def caught_inside(n: int) -> str:
    try:
        return str(refuses(n))
    except Refusal as error:
        return f"{error.args}"


def test_d14_inside_the_file_the_class_is_itself() -> None:
    assert run(caught_inside, 4) == "('no', 4)"


# D15: no lone surrogates


def made(n: int) -> str:
    return chr(n)


def length(s: str) -> int:
    return len(s)


def test_d15_no_lone_surrogates() -> None:
    assert len(made(0xD800)) == 1
    with pytest.raises(ValueError):
        tsm.script(made)(0xD800)
    with pytest.raises(ValueError):
        tsm.script(length)("\ud800")


# D16: repr of Tensor is ours; transcendental functions within 1 ulp


def text_of(x: Tensor) -> str:
    return str(x)


def waves(x: float) -> list[float]:
    return [math.sin(x), math.exp(x), math.log(x), math.tanh(x), math.pow(x, 0.3)]


def test_d16_repr_of_tensors_is_the_same_scripted_and_eager() -> None:
    x = tsm.tensor([[1.0, 2.5]])
    assert run(text_of, x) == str(x) and "2.5" in str(x)


@pytest.mark.parametrize("x", [1e-3, 0.5, 1.0, 17.25, 700.0])
def test_d16_transcendental_functions(x: float) -> None:
    for got, want in zip(tsm.script(waves)(x), waves(x)):
        assert abs(got - want) <= np.spacing(abs(want)), (got, want)


# D17: dead errors may vanish, live ones never


def unused_operator(a: Tensor, b: Tensor) -> int:
    a @ b
    return 1


def unused_in_try(a: Tensor, b: Tensor) -> int:
    try:
        a @ b
    except RuntimeError:
        return 2
    return 1


def unused_overflow(n: int) -> int:
    n * n
    return 1


def unused_division(n: int) -> int:
    1 // n
    return 1


def test_d17_an_unused_tensor_operator_may_vanish() -> None:
    a, b = tsm.ones(2, 3), tsm.ones(2, 3)
    assert outcome(unused_operator, a, b) in (1, RuntimeError)
    assert run(unused_in_try, a, b) == 2


def test_d17_an_unused_overflow_may_vanish_and_nothing_else() -> None:
    assert outcome(unused_overflow, 2**62) in (1, OverflowError)
    assert outcome(unused_division, 0) is ZeroDivisionError


def outcome(function: Any, *args: Any) -> Any:
    try:
        return tsm.script(function)(*args)
    except Exception as error:  # noqa: BLE001 - its class is what is asked
        return type(error)


def test_every_row_has_two_programs() -> None:
    tree = ast.parse(Path(__file__).read_text())
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_d")]
    names = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    used: dict[str, set[str]] = {}
    for test in tests:
        inside = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)} & names
        used.setdefault(re.match(r"test_(d\d+)_", test.name)[1], set()).update(  # type: ignore[index]
            inside - {"run", "refused", "saved", "outcome", "Refusal"}
        )
    page = (ROOT / "docs" / "language.md").read_text()
    rows = re.findall(r"^\| (D\d+) \|", page, re.MULTILINE)
    assert [f"D{n}" for n in range(1, 18)] == rows
    assert all(len(used[row.lower()]) >= 2 for row in rows), used
