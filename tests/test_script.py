"""script(): the ways to call it, what it gives back, and files it writes."""

from __future__ import annotations

import copy
import io
import linecache
import pickle
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


class Ticker(tsm.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.ticks = 0
        self.names = ["a"]
        self.weight = tsm.nn.Parameter(tsm.ones(1))

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        self.ticks += 1
        return self.scaled(x, 2)

    def scaled(self, x: tsm.Tensor, n: int) -> tsm.Tensor:
        return x * n * self.weight

    def undeclared(self, x: tsm.Tensor) -> tsm.Tensor:
        return x + nowhere  # noqa: F821


def test_methods_that_nothing_exports_are_compiled_when_python_calls_them() -> None:
    ticker = tsm.script(Ticker())
    assert list(ticker.methods) == ["forward"] and ticker(tsm.ones(1)).item() == 2.0
    ticker.names = ["b", "c"]
    ticker.weight[...] = 3.0
    assert ticker.scaled(tsm.ones(1), 5).item() == 15.0
    assert sorted(ticker.methods) == ["forward", "scaled"] and ticker.ticks == 1 and ticker.names == ["b", "c"]
    assert ticker(tsm.ones(1)).item() == 6.0 and ticker.ticks == 2
    assert not hasattr(ticker, "undeclared") and not hasattr(ticker, "other")
    with pytest.raises(AttributeError, match="no method that can be compiled: .*name 'nowhere' is not defined"):
        ticker.undeclared(tsm.ones(1))


def test_copies_of_scripted_modules() -> None:
    ticker = tsm.script(Ticker())
    ticker(tsm.ones(1))
    deep, shallow = copy.deepcopy(ticker), copy.copy(ticker)
    ticker.weight[...] = 5.0
    assert [each(tsm.ones(1)).item() for each in (ticker, deep, shallow)] == [10.0, 2.0, 10.0]
    assert [each.ticks for each in (ticker, deep, shallow)] == [2, 2, 2] and type(deep) is type(ticker)


def test_another_module_in_the_place_of_a_submodule() -> None:
    class Holder(tsm.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Ticker()
            self.calls = 0

        def forward(self, x: tsm.Tensor) -> tsm.Tensor:
            self.calls += 1
            return self.inner(x) + self.calls

    original = Holder()
    holder = tsm.script(original)
    assert holder(tsm.ones(1)).item() == 3.0
    holder.inner = tsm.nn.Identity()
    assert holder(tsm.ones(1)).item() == 3.0 and type(original.inner) is Ticker
    with pytest.raises(tsm.CompileError, match="missing 1 required positional argument"):
        holder.inner = tsm.nn.Bilinear(1, 1, 1)
    assert holder(tsm.ones(1)).item() == 4.0 and holder.calls == 3


def test_example_inputs_by_module_and_method() -> None:
    class Two(tsm.nn.Module):
        def forward(self, x):  # type: ignore[no-untyped-def]
            return x * 2

        @tsm.export
        def joined(self, x, y):  # type: ignore[no-untyped-def]
            return f"{x}{y}"

    two = Two()
    scripted = tsm.script(two, example_inputs={two: [(1,), (2.5,)], two.joined: [("a", 1)]})
    assert scripted(3) == 6 and scripted(0.5) == 1.0 and scripted.joined("b", 2) == "b2"
    with pytest.raises(AttributeError, match="example_inputs are given for 'Ticker', which is none of forward, joined"):
        tsm.script(two, example_inputs={Ticker(): [(1,)]})


class Labelled(tsm.nn.Module):
    classes: tsm.jit.Final[int]
    __constants__ = ["padding"]

    def __init__(self) -> None:
        super().__init__()
        self.classes = 4
        self.padding = 7
        self.width = 2
        self.drop = tsm.nn.Dropout(1.0)

    @property
    def doubled(self) -> int:
        return self.width * 2

    @tsm.jit.ignore
    def described(self) -> str:
        return f"{self.width} wide"

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        return self.drop(x) + self.classes + self.padding + self.doubled


def test_constants_properties_and_ignored_methods_are_read_from_python() -> None:
    labelled = tsm.script(Labelled())
    labelled.width = 5
    assert (labelled.classes, labelled.padding, labelled.doubled, labelled.described()) == (4, 7, 10, "5 wide")


def test_modes_reach_scripted_members() -> None:
    outer = tsm.nn.Sequential(tsm.script(Labelled()))
    assert outer(tsm.ones(1)).item() == 15.0 and outer.eval()(tsm.ones(1)).item() == 16.0
    assert not outer[0].drop.training and outer.train()[0].drop.training
    for parameter in tsm.script(Ticker()).parameters():
        parameter.requires_grad = False
        assert isinstance(parameter, tsm.nn.Parameter)


def test_pickles_hold_what_a_file_would() -> None:
    ticker = tsm.script(Ticker())
    ticker(tsm.ones(1))
    again = pickle.loads(pickle.dumps(ticker))
    assert again(tsm.ones(1)).item() == 2.0 and (again.ticks, ticker.ticks) == (2, 1)
    holder = tsm.nn.Sequential(tsm.script(Ticker()))
    holder.function = decorated
    twin = copy.deepcopy(holder)
    twin[0].weight[...] = 7.0
    assert twin.function is decorated and holder[0].weight.item() == 1.0
    assert pickle.loads(pickle.dumps(decorated))(4) == 8


def test_prepare_scriptable_gives_the_module_to_compile() -> None:
    class Smooth(tsm.nn.SELU):
        def __prepare_scriptable__(self) -> tsm.nn.Module:
            return tsm.nn.ReLU()

    module = tsm.nn.Sequential(Smooth(), tsm.nn.ModuleDict({"a": Smooth()})["a"])
    assert tsm.script(module)(-tsm.ones(1)).item() == 0.0 and tsm.script(Smooth())(-tsm.ones(1)).item() == 0.0
    assert type(module[0]) is Smooth and module(-tsm.ones(1)).item() < -1.0


def test_constants_of_modules_are_in_the_file() -> None:
    class Around(tsm.nn.Module):
        def __init__(self, inner: tsm.nn.Module) -> None:
            super().__init__()
            self.inner = inner

        def forward(self, x: tsm.Tensor) -> tsm.Tensor:
            return self.inner(x) * self.inner.classes

    loaded = tsm.load(tsm.script(Labelled().eval()).to_bytes())
    assert (loaded.classes, loaded.padding) == (4, 7)
    around = tsm.load(tsm.script(Around(loaded)).to_bytes())
    assert around(tsm.ones(1)).item() == 64.0
