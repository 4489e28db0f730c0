"""Programs written for TorchScript run here with nothing but their imports changed, and give what PyTorch gives.

Each file of tests/torchscript is a program with a `main`. Where PyTorch is installed it runs there as it is, and
`--accept` records what it gave; everywhere else the record is what it must equal.
"""

from __future__ import annotations

import importlib.util
import json
import math
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tsm

FOLDER = Path(__file__).parent / "torchscript"
RECORD = FOLDER / "expected.json"
PROGRAMS = sorted(FOLDER.glob("*.py"))
HAS_TORCH = importlib.util.find_spec("torch") is not None


def with_imports_changed(text: str) -> str:
    text = re.sub(r"^import torch$", "import tsm as torch", text, flags=re.MULTILINE)
    return re.sub(r"^(import|from) torch\b", r"\1 tsm", text, flags=re.MULTILINE)


def load(text: str, path: Path, name: str) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_close(expected: Any, got: Any) -> bool:
    if isinstance(expected, float) and isinstance(got, float):
        return math.isclose(expected, got, rel_tol=1e-4, abs_tol=1e-5)
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(is_close, expected, got))
    if isinstance(expected, dict) and isinstance(got, dict):
        return list(expected) == list(got) and all(is_close(expected[key], got[key]) for key in expected)
    return type(expected) is type(got) and bool(expected == got)


def plain(value: Any) -> Any:
    """As JSON gives it back."""
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program(path: Path, tmp_path: Path) -> None:
    module = load(with_imports_changed(path.read_text()), tmp_path / path.name, f"torchscript_{path.stem}")
    expected = json.loads(RECORD.read_text())[path.stem]
    got = plain(module.main())
    assert is_close(expected, got), f"expected {expected}\ngot      {got}"


def test_a_compilation_unit_names_what_is_around_it(tmp_path: Path) -> None:
    def twice(x: int) -> int:
        return x * 2

    offset = 7  # noqa: F841 - the text names it
    unit = tsm.jit.CompilationUnit("def f(a: int) -> int:\n    return twice(a) + offset\n")
    unit.define("def g(d, n):\n    # type: (Device, float) -> Tuple[str, float]\n    return d.type, n\n")
    assert [unit.f(1), unit.g(tsm.device("cpu"), 2.5)] == [9, ("cpu", 2.5)]
    assert isinstance(unit.f, tsm.jit.ScriptFunction) and unit.f is unit.find_function("f")
    assert str(unit.f.graph) and "def f" in unit.f.code and [each.name for each in unit.get_functions()] == ["f", "g"]
    unit.f.save(tmp_path / "f.tsm")
    assert tsm.load(tmp_path / "f.tsm")(1) == 9
    with pytest.raises(RuntimeError, match="'nowhere' is not defined"):
        unit.define("def h():\n    return nowhere\n")
    assert unit.f(2) == 11


@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
def test_record_is_what_pytorch_gives(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in PROGRAMS:
            found[path.stem] = plain(load(path.read_text(), tmp_path / path.name, f"pytorch_{path.stem}").main())
    if request.config.getoption("--accept"):
        RECORD.write_text(json.dumps(found, indent=1) + "\n")
    recorded = json.loads(RECORD.read_text())
    assert list(recorded) == list(found)
    for name, value in found.items():
        assert is_close(recorded[name], value), name


def test_there_are_enough() -> None:
    assert len(PROGRAMS) >= 25


def test_the_ways_to_import() -> None:
    text = (
        "import tsm as torch\nimport tsm.jit\nimport tsm.nn as nn\nimport tsm.nn.functional as F\n"
        "from tsm import Tensor, jit\nfrom tsm.jit import script, Final, annotate, export\n"
        "assert torch.jit.script is script and tsm.jit is jit and tsm.Tensor is Tensor and nn.functional is F\n"
        "assert torch.jit.Future and torch.no_grad and torch.float32\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_importing_tsm_leaves_the_jit_names_for_later() -> None:
    text = "import sys, tsm; assert 'tsm.jit' not in sys.modules and 'lark' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@tsm.script
def halves(x: int) -> float:
    return 1 / x


def test_switches_of_torchscripts_executor_change_nothing() -> None:
    assert tsm.jit.set_fusion_strategy([("STATIC", 2)]) == []
    with tsm.jit.optimized_execution(False), tsm.jit.fuser("fuser1"), tsm.jit.strict_fusion():
        assert halves(2) == 0.5
    tsm.jit.enable_onednn_fusion(True)
    assert tsm.jit.onednn_fusion_enabled() is False
    assert tsm.jit.run_frozen_optimizations(halves) is None


def test_errors_of_compiled_code_are_caught_by_their_torchscript_name() -> None:
    with pytest.raises(tsm.jit.Error, match="division by zero"):
        halves(0)


def test_unwrapped_optionals() -> None:
    def after(x: int | None) -> int:
        return tsm.jit._unwrap_optional(x) + 1

    scripted = tsm.script(after)
    assert scripted(2) == after(2) == 3
    for function in (after, scripted):
        with pytest.raises(AssertionError, match="Unwrapping null optional"):
            function(None)


def test_no_other_compiler_is_at_work() -> None:
    @tsm.compiler.disable
    def one() -> int:
        return 1

    def asks(x: int) -> int:
        if tsm.compiler.is_compiling() or tsm.compiler.is_dynamo_compiling() or tsm.compiler.is_exporting():
            return 0
        return x + one()

    assert tsm.script(asks)(2) == asks(2) == 3
    assert tsm.compiler.disable(recursive=False)(asks) is asks


@pytest.mark.parametrize("name", ["last_executed_optimized_graph", "supported_ops"])
def test_names_that_mean_nothing_here_say_what_to_write(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"^tsm\.jit has no '{name}': \w+"):
        getattr(tsm.jit, name)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'tsm.jit' has no attribute 'scirpt'"):
        tsm.jit.scirpt  # noqa: B018


def test_all_names_exist() -> None:
    for name in tsm.jit.__all__:
        assert getattr(tsm.jit, name) is not None, name


# Every line of this module is one that a compiled program takes or refuses; the messages are those of a user's mistake.


def gives_future(n: int) -> "tsm.jit.Future[int]":
    return tsm.jit.fork(twice, n)


def twice(n: int) -> int:
    return n * 2


def test_future_does_not_leave() -> None:
    with pytest.raises(tsm.CompileError, match="cannot take or return a Future"):
        tsm.jit.script(gives_future)


def wrong_wait(n: int) -> int:
    return tsm.jit.wait(n)


def future_attribute(n: int) -> int:
    return tsm.jit.fork(twice, n).result


def test_wrong_uses_of_futures() -> None:
    with pytest.raises(tsm.CompileError, match=r"wait\(\) takes what fork\(\) gave, got int"):
        tsm.jit.script(wrong_wait)
    with pytest.raises(tsm.CompileError, match=r"'Future\[int\]' has no attribute 'result'"):
        tsm.jit.script(future_attribute)


def forks_raise(n: int) -> int:
    future = tsm.jit.fork(fails, n)
    return tsm.jit.wait(future)


def fails(n: int) -> int:
    return 10 // n


def test_a_fork_raises_where_it_stands() -> None:
    scripted = tsm.jit.script(forks_raise)
    assert scripted(5) == forks_raise(5) == 2
    for run in (scripted, forks_raise):
        with pytest.raises(ZeroDivisionError):
            run(0)


def wrong_annotate(x: float) -> int:
    return tsm.jit.annotate(int, x)


def test_annotate_is_checked() -> None:
    with pytest.raises(tsm.CompileError, match="the annotated value must be int, got float"):
        tsm.jit.script(wrong_annotate)


def test_script_of_a_class() -> None:
    class Plain:
        def __init__(self, n: int) -> None:
            self.n = n

    assert tsm.jit.script(Plain) is Plain

    class Odd:
        def __getattr__(self, name: str) -> int:
            return 1

    with pytest.raises(tsm.CompileError, match="'Odd' cannot be used in scripts: '__getattr__' is not supported"):
        tsm.jit.script(Odd)
    with pytest.raises(TypeError, match="script\\(\\) takes a module, not its class"):
        tsm.jit.script(tsm.nn.Linear)


def test_compilation_unit_messages() -> None:
    unit = tsm.jit.CompilationUnit("def f(x: int) -> int:\n    return x + 1\n")
    with pytest.raises(AttributeError, match="defines no function 'g'; it defines: f"):
        unit.g(1)
    with pytest.raises(tsm.CompileError, match="name 'z' is not defined"):
        unit.define("def g(x: int) -> int:\n    return z\n")
    assert unit.f(1) == 2 and "def f" in unit.code and "def g" not in unit.code


def test_devices_are_the_cpu() -> None:
    x = tsm.ones(2)
    assert x.device == tsm.device("cpu") and str(x.device) == "cpu" and x.to(x.device) is x and x.cpu() is x
    assert tsm.zeros(2, device="cpu", dtype=tsm.float64).dtype is tsm.float64
    with pytest.raises(RuntimeError, match="there is no device 'cuda'"):
        tsm.zeros(2, device="cuda")


def on_cuda(x: tsm.Tensor) -> tsm.Tensor:
    return x.to("cuda")


def takes_device(x: tsm.Tensor, where: tsm.device) -> tsm.Tensor:
    return x.to(where)


def test_devices_in_scripts() -> None:
    with pytest.raises(tsm.CompileError, match="tensors lie on the CPU; there is no device 'cuda'"):
        tsm.script(on_cuda)
    placed = tsm.script(takes_device)
    assert placed(tsm.ones(2), tsm.device("cpu")).tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="where"):
        placed(tsm.ones(2), 3)


def test_load_takes_torchs_parameters(tmp_path: Path) -> None:
    path = tmp_path / "f.tsm"
    tsm.jit.save(tsm.jit.script(twice), path, _extra_files={"a": b"1", "b": "two"})
    files: dict[str, Any] = {"a": "", "missing": "kept"}
    assert tsm.jit.load(path, map_location=tsm.device("cpu"), _extra_files=files)(4) == 8
    assert files == {"a": b"1", "missing": "kept"}
    with pytest.raises(ValueError, match="map_location must be None or 'cpu'"):
        tsm.jit.load(path, map_location="cuda:0")


def test_export_opnames() -> None:
    assert tsm.jit.export_opnames(tsm.jit.script(twice)) == ["mul.int"]


def test_a_script_module_keeps_its_state_in_the_program() -> None:
    class Counter(tsm.jit.ScriptModule):
        def __init__(self) -> None:
            super().__init__()
            self.count = 0

        @tsm.jit.script_method
        def forward(self) -> int:
            self.count += 1
            return self.count

    counter = Counter()
    counter.count = 5
    assert (counter(), counter(), counter.count) == (6, 7, 7)
    counter.count = 1
    assert (counter(), counter.count) == (2, 2)


def keys_of(table: dict[str, int]):  # type: ignore[no-untyped-def]
    return table.keys()


def live_keys(table: dict[str, int]) -> int:
    keys = keys_of(table)
    table["b"] = 2
    return len(keys)


def test_a_returned_view_is_a_list_outside_and_live_inside() -> None:
    assert tsm.script(keys_of)({"a": 1}) == ["a"]
    assert tsm.script(live_keys)({"a": 1}) == 2


def kind_of(x: Any) -> str:
    if isinstance(x, list[int]):
        return f"ints {len(x)}"
    is_table = isinstance(x, (dict[str, int], list[str]))  # type: ignore[misc]
    return "table or texts" if is_table else "other"


def test_isinstance_takes_types_with_arguments_in_scripts() -> None:
    assert [tsm.script(kind_of)(x) for x in ([1], {"a": 1}, ["a"], 2.5)] == ["ints 1", *["table or texts"] * 2, "other"]


def test_script_of_a_list_or_dict_is_resident() -> None:
    items, table = tsm.script([1, 2]), tsm.script({1: 2})
    assert isinstance(items, tsm.List) and items == [1, 2] and tsm.script(items) is items
    assert isinstance(table, tsm.Dict) and table == {1: 2}
