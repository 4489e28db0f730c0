"""Values that Python passes for a declared type: of that type itself, else refused. A subclass has methods and texts of
its own, which a program would lose; NumPy's numbers and texts are taken for what they hold.
"""

from __future__ import annotations

import collections
import enum
import inspect
import io
from typing import Any, NamedTuple, Optional, Union

import numpy as np
import pytest

import tsm


class Level(enum.IntEnum):
    LOW = 1


class Mode(str, enum.Enum):
    FAST = "fast"


class Meters(float):
    def __str__(self) -> str:
        return f"{float(self)} m"


class Point(NamedTuple):
    x: int
    y: int


class Marked(list):  # type: ignore[type-arg]
    def __len__(self) -> int:
        return 7


class Items(list):  # type: ignore[type-arg]
    """Of another name only."""


def of_int(x: int) -> str:
    return repr(x)


def of_float(x: float) -> str:
    return repr(x)


def of_str(x: str) -> str:
    return repr(x)


def of_bytes(x: bytes) -> str:
    return repr(x)


def of_list(x: list[int]) -> str:
    return repr(x)


def of_dict(x: dict[str, int]) -> str:
    return repr(x)


def of_tuple(x: tuple[int, int]) -> str:
    return repr(x)


def of_any(x: Any) -> str:
    return repr(x)


def of_union(x: Union[int, str, float, None]) -> str:
    return repr(x)


def of_alternatives(x: Union[float, Optional[int]]) -> str:
    return repr(x)


REFUSED = [
    (of_int, Level.LOW, "expected int, got Level"), (of_float, Meters(1.5), "expected float, got Meters"),
    (of_float, Level.LOW, "expected float, got Level"), (of_str, Mode.FAST, "expected str, got Mode"),
    (of_bytes, bytearray(b"ab"), "expected bytes, got bytearray"),
    (of_bytes, memoryview(b"ab"), "expected bytes, got memoryview"),
    (of_list, Marked([1]), r"expected list\[int\], got Marked"), (of_list, [Level.LOW], "expected int, got Level"),
    (of_dict, collections.defaultdict(int), r"expected dict\[str, int\], got defaultdict"),
    (of_dict, collections.Counter("a"), r"expected dict\[str, int\], got Counter"),
    (of_dict, {Mode.FAST: 1}, "expected str, got Mode"),
    (of_tuple, Point(1, 2), r"expected tuple\[int, int\], got Point"),
    (of_any, Level.LOW, "Level"), (of_any, Mode.FAST, "Mode"), (of_any, Point(1, 2), "Point"),
    (of_any, collections.defaultdict(int), "defaultdict"), (of_union, Level.LOW, "got Level"),
]


@pytest.mark.parametrize("function, value, message", REFUSED, ids=lambda value: getattr(value, "__name__", None))
def test_subclasses_are_refused(function: Any, value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        tsm.script(function)(value)


@pytest.mark.parametrize("function, value, text", [
    (of_int, np.int32(5), "5"), (of_float, np.float64(1.5), "1.5"), (of_float, np.float32(1.5), "1.5"),
    (of_str, np.str_("a"), "'a'"), (of_int, True, "1"), (of_float, 2, "2.0"), (of_bytes, b"a", "b'a'"),
    (of_list, Items([1]), "[1]"), (of_union, True, "1"), (of_union, 1, "1"), (of_union, 1.0, "1.0"),
    (of_union, "a", "'a'"), (of_union, None, "None"),
    (of_alternatives, True, "1"), (of_alternatives, 2.0, "2.0"),
])
def test_values_that_are_taken(function: Any, value: Any, text: str) -> None:
    """A bool becomes the nearest of the declared numbers, as anywhere (D3)."""
    assert tsm.script(function)(value) == text


# ---- *args, **kwargs, / and defaults that are no constants


def signed(a: int, /, b: int = 2, *rest: float, k: str = "z", table: dict[str, int] = {"q": 1}, **more: int) -> str:  # noqa: B006
    return f"{a} {b} {rest} {k} {table} {sorted(more.items())}"


def summed(*args):  # type: ignore[no-untyped-def]
    return args[0] + args[-1]


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}), ((1, 2, 3.5, 4.5), {"k": "u", "zz": 3}), ((1,), {"table": {}, "a": 5}), ((1,), {"b": 9}),
    ((), {}), ((), {"a": 1}), ((1, 2), {"b": 3}),
]


@pytest.mark.parametrize("is_loaded", [False, True])
@pytest.mark.parametrize(("args", "keywords"), CALLS)
def test_calls_bind_as_in_python(args: tuple[Any, ...], keywords: dict[str, Any], is_loaded: bool) -> None:
    scripted = tsm.script(signed)
    buffer = io.BytesIO()
    scripted.save(buffer)
    run = tsm.load(buffer.getvalue()).signed if is_loaded else scripted

    def outcome(function: Any) -> str:
        try:
            return str(function(*args, **keywords))
        except TypeError as error:
            return f"TypeError: {error}"

    assert outcome(run) == outcome(signed)


def test_values_of_starred_parameters_are_checked() -> None:
    scripted = tsm.script(signed)
    with pytest.raises(TypeError, match=r"signed\(\) argument 'rest': expected float, got str"):
        scripted(1, 2, "x")
    with pytest.raises(TypeError, match=r"signed\(\) argument 'more': expected int, got str"):
        scripted(1, zz="x")


def test_the_signature_is_that_of_the_function() -> None:
    shown = str(inspect.signature(tsm.script(signed)))
    assert shown == str(inspect.signature(signed))
    run = tsm.script(signed)
    buffer = io.BytesIO()
    run.save(buffer)
    loaded = tsm.load(buffer.getvalue())
    assert str(inspect.signature(loaded.signed)).startswith("(a: 'int', /, b: 'int' = 2, *rest: 'tuple[float, ...]'")
    assert list(loaded.methods) == ["signed"] and loaded(4) == signed(4)


def test_examples_give_the_type_of_args() -> None:
    scripted = tsm.script(summed, example_inputs=(1, 2.5))
    assert scripted(2, 3.5) == 5.5 and scripted(4) == 8
    with pytest.raises(TypeError):
        scripted("a")


def test_metadata_that_does_not_fit_says_nothing() -> None:
    program = tsm.serialize.loads(saved(signed))
    for text in ("[", "[]", '{"signed": 3}', '{"signed": {"star": "k", "keywords": "rest", "made": ["a", 1]}}',
                 '{"signed": {"positional_only": "1", "made": 7}}', '{"signed": {"made": ["table", "more"]}, "x": {}}'):
        program.metadata["tsm.call_forms"] = text
        loaded = tsm.load(tsm.serialize.dumps(program))
        assert loaded.signed(1, rest=(), table={}, more={}).startswith("1 2 ()")


def saved(function: Any) -> bytes:
    buffer = io.BytesIO()
    tsm.script(function).save(buffer)
    return buffer.getvalue()


def test_a_default_is_one_object_and_a_reset_makes_it_anew() -> None:
    loaded = tsm.load(saved(kept))
    assert loaded.kept(1) == loaded.kept(2) == 1
    loaded.reset()
    assert loaded.clone().kept(1) == 1


def kept(x: int, rows: list[list[int]] = [[1]]) -> int:  # noqa: B006
    return len(rows) + 0 * x


ONE = tsm.tensor([[2]])


def of_optional(x: Optional[int]) -> str:
    return "none" if x is None else repr(x + 1)


def of_two(x: Union[bool, int, float]) -> str:
    return repr(x)


def of_bool(x: bool) -> str:
    return repr(x)


def of_floats(x: list[float]) -> str:
    return repr(x)


def of_nested(x: dict[str, list[int]]) -> str:
    return repr(x)


@pytest.mark.parametrize(("function", "value", "expected"), [
    (of_int, ONE, "2"), (of_int, tsm.tensor(True), "1"), (of_int, np.array([3]), "3"), (of_float, ONE, "2.0"),
    (of_float, tsm.tensor(1.5), "1.5"), (of_bool, ONE, "True"), (of_bool, tsm.tensor(0.0), "False"),
    (of_optional, ONE, "3"), (of_two, ONE, "2"), (of_two, tsm.tensor(2.5), "2.5"), (of_two, tsm.tensor(True), "True"),
    (of_two, np.int64(2), "2"), (of_floats, (1, tsm.tensor(2)), "[1.0, 2.0]"), (of_floats, range(2), "[0.0, 1.0]"),
    (of_floats, tsm.ones(2, 3).shape, "[2.0, 3.0]"), (of_floats, {1: 2}.keys(), "[1.0]"),
    (of_floats, [True], "[1.0]"), (of_nested, {"a": (1, True)}, "{'a': [1, 1]}"),
])
def test_one_element_stands_for_a_number_and_a_sequence_for_a_list(function: Any, value: Any, expected: str) -> None:
    assert tsm.script(function)(value) == expected


@pytest.mark.parametrize(("function", "value"), [
    (of_int, tsm.tensor(1.5)), (of_int, tsm.ones(2, dtype=tsm.int64)), (of_float, tsm.ones(0)), (of_int, "2"),
    (of_floats, "12"), (of_floats, {1.0}), (of_floats, tsm.ones(2)), (of_optional, tsm.tensor(0.5)),
])
def test_several_elements_and_fractions_stand_for_none(function: Any, value: Any) -> None:
    with pytest.raises(TypeError):
        tsm.script(function)(value)


def of_alternatives(x: Union[list[int], tuple[int, ...]]) -> str:
    return repr(x)


def test_a_tuple_is_a_list_only_where_no_tuple_is_declared() -> None:
    assert tsm.script(of_alternatives)((1, 2)) == "(1, 2)"


def one_more(n: int) -> int:
    return n + 1


def maybe_more(n: Optional[float]) -> float:
    return 0.0 if n is None else n


def inside(x: tsm.Tensor) -> tuple[int, float, bool]:
    n: int = x
    done: bool = x > 5
    return one_more(x) + n, maybe_more(x), done


def test_inside_scripts_a_tensor_stands_for_what_is_declared() -> None:
    run = tsm.script(inside)
    assert run(tsm.tensor(3)) == (7, 3.0, False)
    with pytest.raises(TypeError, match="expected int, got float"):
        run(tsm.tensor(3.5))


def test_a_trace_keeps_the_number_that_a_tensor_stands_for() -> None:
    more, count = tsm.script(one_more), tsm.script(of_count)
    traced = tsm.jit.trace(lambda x: more(x) * x + count(x.reshape(1, 1).shape), (tsm.tensor(3),))
    assert traced(tsm.tensor(5)).item() == 32


def of_count(x: list[int]) -> int:
    return len(x)
