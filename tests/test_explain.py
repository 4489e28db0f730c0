"""What users see of a compile: explain(), schema, types from example inputs, and the notes of errors."""

from __future__ import annotations

import re
from typing import Any, Optional, Union

import pytest

import tsm
from tsm import Tensor, nn


def helper(x, n=3):
    return x * n


def main(x, k: int = 2, mask=None):
    if tsm.is_scripting():
        y = helper(x)
    else:
        y = nowhere(x)  # noqa: F821
    if mask is not None:
        y = y + mask
    total = 0
    for _ in range(k):
        total += helper(k)
    return y, total


class Net(nn.Module):
    def __init__(self, deep: bool) -> None:
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.down = nn.Linear(2, 2) if deep else None

    def forward(self, x: Tensor) -> Tensor:
        y = self.fc(x)
        if self.down is not None:
            y = self.down(y)
        return y


def test_explain_says_where_types_come_from() -> None:
    found = tsm.explain(main)
    entry = found["main"]
    assert entry.signature == "main(x: Tensor, k: int, mask: Optional[Tensor]) -> tuple[Tensor, int]"
    assert [(name, kind, why) for name, kind, why in entry.parameters] == [
        ("x", "Tensor", "no annotation, so a Tensor"),
        ("k", "int", f"annotated on line {main.__code__.co_firstlineno}"),
        ("mask", "Optional[Tensor]", "no annotation, so a Tensor"),
    ]
    assert [(name, kind) for name, kind, _ in entry.variables] == [("y", "Tensor"), ("total", "int")]
    assert [(span.line, why) for span, why in entry.left_out] == [
        (main.__code__.co_firstlineno + 4, "`tsm.is_scripting()` is True")
    ]
    assert "mul.TensorScalar" in found["helper"].operators and found["helper"].called_at is not None
    assert [each.signature for each in found.functions if each.name.startswith("helper")] == [
        "helper(x: Tensor, n: int) -> Tensor", "helper.1(x: int, n: int) -> int",
    ]
    text = str(found)
    assert text.startswith("main(x: Tensor") and "left out\n    line " in text
    with pytest.raises(KeyError):
        found["nothing"]


def test_explain_of_a_module_says_which_branches_its_attributes_decide() -> None:
    assert tsm.explain(Net(True))["Net.forward"].left_out == []
    left_out = tsm.explain(Net(False))["Net.forward"].left_out
    assert [why for _, why in left_out] == ["`self.down is not None` is False"]


def test_explain_takes_what_was_scripted_but_no_trace() -> None:
    assert tsm.explain(tsm.script(main))["main"].signature.startswith("main(")
    with pytest.raises(TypeError, match="shows a trace"):
        tsm.explain(tsm.trace(helper, (tsm.ones(2),)))
    with pytest.raises(tsm.CompileError):
        tsm.explain("def f(x: int) -> int:\n    return y\n")


# ---- example inputs


def pair(x, y):
    return x, y


def untyped(x):
    return x


class Scale(nn.Module):
    def forward(self, x, factor):
        return x * factor

    @tsm.export
    def shift(self, amount):
        return amount + 1


@pytest.mark.parametrize(
    ("examples", "schema"),
    [
        (None, "pair(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]"),
        ((1, "a"), "pair(x: int, y: str) -> tuple[int, str]"),
        ([1, 2.5], "pair(x: int, y: float) -> tuple[int, float]"),
        ([(1, [2]), (2, [3])], "pair(x: int, y: list[int]) -> tuple[int, list[int]]"),
        ([(1, None), (2, "a")], "pair(x: int, y: Optional[str]) -> tuple[int, Optional[str]]"),
        ([({"a": 1}, (1, 2.0))], "pair(x: dict[str, int], y: tuple[int, float])"
                                 " -> tuple[dict[str, int], tuple[int, float]]"),
        ([(1, 1), ("b", 2)], "pair(x: Union[int, str], y: int) -> tuple[Union[int, str], int]"),
    ],
)
def test_types_from_example_inputs(examples: Any, schema: str) -> None:
    assert tsm.script(pair, example_inputs=examples).schema == schema


def test_example_inputs_of_modules() -> None:
    scripted = tsm.script(Scale(), example_inputs=(tsm.ones(2), 3))
    assert scripted.schemas["forward"] == "forward(x: Tensor, factor: int) -> Tensor"
    both = tsm.script(Scale(), example_inputs={"forward": (2.0, 3.0), "shift": [(1,)]})
    assert both.forward(2.0, 4.0) == 8.0 and both.shift(1) == 2
    assert both.schemas == {
        "forward": "forward(x: float, factor: float) -> float", "shift": "shift(amount: int) -> int"
    }
    with pytest.raises(AttributeError, match="given for 'missing', which is none of forward, shift"):
        tsm.script(Scale(), example_inputs={"missing": (1,)})


def lacks_method(x):  # type: ignore[no-untyped-def]
    return x.foo


def test_errors_say_that_examples_gave_a_type() -> None:
    with pytest.raises(tsm.CompileError, match="note: 'x' is str: from example_inputs"):
        tsm.script(lacks_method, example_inputs=("a",))


def test_examples_without_a_type() -> None:
    with pytest.raises(tsm.CompileError, match="'x': a value of type 'object' has no type in scripts"):
        tsm.script(untyped, example_inputs=(object(),))
    with pytest.raises(tsm.CompileError, match="a module cannot be an argument of an entry point"):
        tsm.script(untyped, example_inputs=(nn.Linear(1, 1),))


def optional(x, y=None, z=2.0):
    return x if y is None else y * z


def test_a_default_none_makes_a_parameter_optional() -> None:
    scripted = tsm.script(optional)
    assert scripted.schema == "optional(x: Tensor, y: Optional[Tensor] = None, z: float = 2.0) -> Tensor"
    assert scripted(tsm.ones(1)).tolist() == [1.0] and scripted(tsm.ones(1), tsm.ones(1)).tolist() == [2.0]


# ---- notes


def inner(a, b):
    return a.foo(b)


def middle(q):
    return inner(q, [1, 2])


def outer(x, k: int = 3):
    return middle(k)


def notes_of(target: Any) -> list[str]:
    with pytest.raises(tsm.CompileError) as caught:
        tsm.script(target)
    texts = [text for diagnostic in caught.value.diagnostics for _, text in diagnostic.notes]
    return [re.sub(r"line \d+", "line N", text) for text in texts]


def test_an_error_shows_the_calls_that_led_there() -> None:
    assert notes_of(outer) == [
        "'a' is int: from the call's argument",
        "'b' is list[int]: from the call's argument",
        "'inner' is compiled for (int, list[int]) because of this call",
        "'middle' is compiled for (int) because of this call",
    ]


def assigned(n: int, text: str, either: Union[int, str], maybe: Optional[int]):
    total = 0
    total += n
    return total + text


def test_an_error_shows_where_types_come_from() -> None:
    assert notes_of(assigned) == ["'total' is int: assigned on line N", "'text' is str: annotated on line N"]


def assigned_twice(n: int) -> int:
    count: int = n
    for _ in range(n):
        count += 1
    count = str(n)
    return count


def test_an_error_shows_the_assignment_that_gave_the_type() -> None:
    with pytest.raises(tsm.CompileError) as caught:
        tsm.script(assigned_twice)
    line = assigned_twice.__code__.co_firstlineno + 4
    assert [text for _, text in caught.value.diagnostics[0].notes] == [f"'count' is str: assigned on line {line}"]


def callee(first: int, second: int = 2) -> int:
    return first + second


class Point:
    def __init__(self, x: int) -> None:
        self.x = x
        self.y = 0


def hint_0(x: Tensor):
    return x.sume()


def hint_1(x: Tensor):
    return tsm.zeros(2, dtyp=tsm.float32)


def hint_2(n: int):
    return rnage(n)  # noqa: F821


def hint_3(n: int):
    return callee(n, 1, 2)


def hint_4(n: int):
    return callee(n, secnd=2)


def hint_5(p: Point):
    return p.radius


def hint_6(x: Tensor):
    return tsm.softmax(x)


def hint_7(n: int):
    for i in n:
        print(i)


def hint_8(either: Union[int, str]):
    return either + 1


def hint_9(x: Tensor):
    return nn.Linear(2, 2)(x)


def hint_10(values: list[int]):
    total = 0
    for each in values:
        total += each
    return totl  # noqa: F821


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        (hint_0, "did you mean 'sum'?"),
        (hint_1, "did you mean 'dtype'?"),
        (hint_2, "did you mean 'range'?"),
        (hint_3, "it is defined as callee(first: int, second: int = 2) on line N"),
        (hint_4, "did you mean 'second'?"),
        (hint_5, "it has: x, y"),
        (hint_6, "write tsm.softmax(Tensor self, int dim)"),
        (hint_7, "write range(n)"),
        (hint_8, "find out which it is first: `if isinstance(either, int):`"),
        (hint_9, "make it in __init__: self.layer = Linear(...), and call self.layer(...) here"),
        (hint_10, "did you mean 'total'?"),
    ],
    ids=lambda item: getattr(item, "__name__", ""),
)
def test_hints(target: Any, hint: str) -> None:
    with pytest.raises(tsm.CompileError) as caught:
        tsm.script(target)
    (diagnostic,) = caught.value.diagnostics
    assert re.sub(r"line \d+", "line N", diagnostic.hint or "") == hint


def test_all_errors_are_reported_at_once() -> None:
    text = "def f(x: int) -> int:\n    a = y\n    b = x.foo\n    c = g(1, 2)\n    return 'a'\n\n"
    text += "def g(n: int) -> int:\n    return z\n"
    with pytest.raises(tsm.CompileError) as caught:
        tsm.script(text)
    assert [diagnostic.span.line for diagnostic in caught.value.diagnostics] == [2, 3, 4, 5, 8]
    assert "    c = g(1, 2)\n        ^~~~~~~" in str(caught.value)


# ---- errors at run time


def divided(a: int, b: int) -> float:
    return a / b


def summed(n: int) -> float:
    total = 0.0
    for i in range(n):
        total += divided(i, 2 - i)
    return total


def test_an_error_at_run_time_shows_the_stack_with_its_lines_also_after_load() -> None:
    scripted = tsm.script(summed)
    for run in (scripted, tsm.load(scripted.to_bytes())):
        with pytest.raises(ZeroDivisionError, match="division by zero") as caught:
            run(5)
        if hasattr(caught.value, "__notes__"):  # Python 3.11
            (note,) = caught.value.__notes__
            lines = [line.strip() for line in note.splitlines()]
            assert lines[0] == "In the program (most recent call last):"
            assert lines[2::2] == ["total += divided(i, 2 - i)", "return a / b"]
            assert lines[1].endswith("in summed") and lines[3].endswith("in divided")
