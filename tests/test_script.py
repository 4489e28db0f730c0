"""script(): the ways to call it, what it gives back, and files it writes."""

from __future__ import annotations

import io
import linecache
import warnings
from pathlib import Path

import numpy as np
import pytest

import tsm
from tsm import Tensor, nn


@tsm.script
def decorated(n: int) -> int:
    """Twice n."""
    return n * 2


def test_decorator_keeps_name_and_doc() -> None:
    assert decorated(4) == 8
    assert decorated.__name__ == "decorated"
    assert decorated.__doc__ == "Twice n."
    assert decorated.__wrapped__(4) == 8


def test_calls_another_scripted_function() -> None:
    @tsm.script
    def outer(n: int) -> int:
        return decorated(n) + 1

    assert outer(3) == 7


def test_source_text() -> None:
    program = tsm.script("def f(n: int) -> int:\n    return g(n) + 1\n\ndef g(n: int) -> int:\n    return n * 10\n")
    assert (program.f(2), program.g(2)) == (21, 20)


def test_source_made_by_exec() -> None:
    text = "def made(x: float) -> float:\n    return x / 4\n"
    linecache.cache["<made>"] = (len(text), None, text.splitlines(True), "<made>")
    namespace: dict[str, object] = {}
    exec(compile(text, "<made>", "exec"), namespace)
    assert tsm.script(namespace["made"])(1.0) == 0.25


def test_function_without_source() -> None:
    namespace: dict[str, object] = {}
    exec("def lost(x: int) -> int:\n    return x\n", namespace)
    with pytest.raises(tsm.CompileError, match="source"):
        tsm.script(namespace["lost"])


class Meter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(tsm.ones(2))
        self.count = 0
        self.log: list[float] = []

    def forward(self, x: Tensor) -> Tensor:
        self.count += 1
        self.log.append(float(x.sum()))
        return x * self.weight

    def reset_to(self, n: int = 0) -> int:
        self.count = n
        return self.count


def test_bound_method_is_an_entry_point() -> None:
    scripted = tsm.script(Meter().reset_to)
    assert scripted.reset_to(5) == 5
    assert scripted.reset_to() == 0


def test_parameters_are_shared_attributes_are_copied() -> None:
    meter = Meter()
    scripted = tsm.script(meter)
    meter.weight[0] = 3.0
    assert scripted(tsm.ones(2)).tolist() == [3.0, 1.0]
    assert (scripted.count, meter.count) == (1, 0)
    scripted.count = 10
    scripted(tsm.ones(2))
    assert scripted.count == 11
    assert scripted.log == [2.0, 2.0]


def test_saved_state_is_the_present_state(tmp_path: Path) -> None:
    scripted = tsm.script(Meter())
    scripted(tsm.ones(2))
    scripted.save(tmp_path / "meter.tsm")
    loaded = tsm.load(tmp_path / "meter.tsm")
    assert loaded.count == 1
    assert loaded.log == [2.0]
    loaded(tsm.ones(2))
    buffer = io.BytesIO()
    loaded.save(buffer)
    assert tsm.load(buffer.getvalue()).count == 2


def test_save_and_load_by_function_and_file_object(tmp_path: Path) -> None:
    scripted = tsm.script(decorated)
    tsm.save(scripted, tmp_path / "f.tsm")
    with open(tmp_path / "f.tsm", "rb") as file:
        assert tsm.load(file)(21) == 42


def test_extra_files_and_metadata(tmp_path: Path) -> None:
    decorated.save(tmp_path / "f.tsm", extra_files={"vocabulary.txt": b"a b"}, metadata={"author": "me"})
    loaded = tsm.load(tmp_path / "f.tsm")
    assert loaded.extra_files == {"vocabulary.txt": b"a b"}
    assert loaded.metadata["author"] == "me"


def test_a_failed_save_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "f.tsm"
    decorated.save(path)
    before = path.read_bytes()

    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        decorated.save(Full())
    assert path.read_bytes() == before
    with pytest.raises(OSError):
        decorated.save(tmp_path / "missing" / "f.tsm")


def test_saving_twice_gives_the_same_bytes() -> None:
    assert decorated.to_bytes() == decorated.to_bytes()
    assert tsm.script(Meter()).to_bytes() == tsm.script(Meter()).to_bytes()


def test_graph_and_code_are_readable() -> None:
    @tsm.script
    def caller(n: int) -> int:
        return decorated(n)

    assert "= call decorated(" in str(caller.graph)
    assert "= call" not in str(caller.inlined_graph)
    assert "def caller" in caller.code


def test_numpy_arrays_are_taken_and_shared() -> None:
    @tsm.script
    def double(x: Tensor) -> Tensor:
        x *= 2
        return x

    array = np.ones(3, dtype=np.float32)
    double(tsm.from_numpy(array))
    assert array.tolist() == [2.0, 2.0, 2.0]


def test_example_inputs_give_types() -> None:
    def f(a, b):  # type: ignore[no-untyped-def]
        return a * b

    assert tsm.script(f, example_inputs=(2, 1.5))(4, 0.5) == 2.0


def test_an_empty_container_among_examples_holds_what_the_others_hold() -> None:
    def f(rows, names):  # type: ignore[no-untyped-def]
        return len(rows) + len(names)

    made = tsm.script(f, example_inputs=[([], {}), ([[1.5], []], {"a": [1]}), ([[]], {"b": []})])
    assert made.schema == "f(rows: list[list[float]], names: dict[str, list[int]]) -> int"
    with pytest.raises(tsm.CompileError, match="the element type of an empty container is not known; .*list"):
        tsm.script(f, example_inputs=([[]], {"a": 1}))


def test_entry_points_of_classes_that_functions_define() -> None:
    class Sized:
        def __init__(self, size: int) -> None:
            self.size = size

        def __eq__(self, other: "Sized") -> bool:  # type: ignore[override]
            return self.size == other.size

    def f(n: int) -> bool:
        return Sized(n) == Sized(2)

    made = tsm.script(f)
    assert made(2) and not made(3)


def test_wrong_arguments_name_the_parameter() -> None:
    with pytest.raises(TypeError, match=r"'n'.*str"):
        decorated("text")
    with pytest.raises(TypeError, match="missing"):
        decorated()


def test_tensor_of_another_library_is_named() -> None:
    class Foreign:
        def __dlpack__(self) -> object:
            return None

    @tsm.script
    def double(x: Tensor) -> Tensor:
        return x * 2

    with pytest.raises(TypeError, match=r"expected Tensor, got .*Foreign \(pass tsm.from_dlpack"):
        double(Foreign())


def test_run_time_error_names_the_line() -> None:
    @tsm.script
    def fails(v: list[int], i: int) -> int:
        return v[i]

    with pytest.raises(IndexError) as caught:
        fails([1], 5)
    assert str(caught.value) == "list index out of range"
    assert f'{__file__}", line' in "".join(getattr(caught.value, "__notes__", [])) + caught.value.tsm_traceback


def test_fuel_and_cancel() -> None:
    @tsm.script
    def forever(n: int) -> int:
        while True:
            n = (n + 1) % 10
        return n

    forever.set_fuel(10_000)
    with pytest.raises(tsm.FuelError):
        forever(1)


def test_not_a_function() -> None:
    with pytest.raises(TypeError, match="takes a function"):
        tsm.script(5)


def careful(n: int) -> int:
    if n > 2:
        warnings.warn(f"n is {n}", UserWarning, stacklevel=2)
    return n


def test_warnings_reach_the_host() -> None:
    scripted = tsm.script(careful)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert scripted(1) == 1
    with pytest.warns(UserWarning, match="^n is 3$"):
        assert scripted(3) == 3


def test_a_function_may_have_the_name_of_a_method_of_ours(tmp_path: Path) -> None:
    def method(n: int) -> int:
        return n + 1

    def save(n: int) -> int:
        return n + 2

    def methods(n: int) -> int:
        return n + 3

    made = [tsm.script(each) for each in (method, save, methods)]
    assert [each(1) for each in made] == [2, 3, 4]
    made[1].save(str(tmp_path / "save.tsm"))
    assert tsm.load(str(tmp_path / "save.tsm"))(1) == 3
