"""`python -m tsm`: every command on good and on bad input; an error is one line and a status, never a traceback."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import tsm
from tsm import Tensor, nn

COMMANDS = ("dump", "asm", "verify", "info", "run")


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(tsm.ones(3))

    def forward(self, x: Tensor, factor: float = 0.5) -> Tensor:
        return x * self.scale * factor

    @tsm.export
    def count(self, words: list[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for word in words:
            found[word] = found.get(word, 0) + 1
        return found

    @tsm.export
    def divide(self, by: int) -> int:
        return 10 // by

    @tsm.export
    def greet(self, name: str) -> None:
        print("hello", name)


def endless(n: int) -> int:
    while True:
        n ^= 1
    return n


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """model.tsm, endless.tsm, and files that are wrong in several ways."""
    made = tmp_path_factory.mktemp("cli")
    tsm.script(Model()).save(str(made / "model.tsm"))
    tsm.script(endless).save(str(made / "endless.tsm"))
    data = (made / "model.tsm").read_bytes()
    (made / "damaged.tsm").write_bytes(data[:100] + b"\xff\xfe" + data[102:])
    (made / "short.tsm").write_bytes(data[:500])
    (made / "empty.tsm").write_bytes(b"")
    (made / "folder.tsm").mkdir()
    np.save(made / "x.npy", np.ones((2, 3), "float32"))
    np.save(made / "objects.npy", np.array([None, "x"], dtype=object), allow_pickle=True)
    return made


def command(folder: Path, *arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tsm", *arguments], capture_output=True, text=True, cwd=folder, input=stdin, timeout=60
    )


def printed(folder: Path, *arguments: str, stdin: str | None = None) -> str:
    done = command(folder, *arguments, stdin=stdin)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout


def refused(folder: Path, *arguments: str) -> str:
    done = command(folder, *arguments)
    assert done.returncode == 1 and done.stdout == "", done
    assert done.stderr.startswith("tsm: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize("name", ["missing.tsm", "damaged.tsm", "short.tsm", "folder.tsm"])
@pytest.mark.parametrize("verb", COMMANDS)
def test_a_file_that_cannot_be_read(folder: Path, verb: str, name: str) -> None:
    text = refused(folder, verb, name)
    if name == "missing.tsm":
        assert text == "tsm: FileNotFoundError: No such file or directory: 'missing.tsm'\n"


@pytest.mark.parametrize("verb", ["dump", "verify", "info", "run"])
def test_an_empty_file(folder: Path, verb: str) -> None:
    refused(folder, verb, "empty.tsm")


@pytest.mark.parametrize(
    "arguments",
    [(), ("nonsense",), *[(verb,) for verb in COMMANDS], ("dump", "a", "b"), ("config", "--nonsense"), ("asm", "-"),
     ("run", "endless.tsm", "1", "--fuel", "much"), ("run", "endless.tsm", "1", "--fuel", "-1")],
)  # fmt: skip
def test_wrong_usage(folder: Path, arguments: tuple[str, ...]) -> None:
    done = command(folder, *arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("usage: tsm") and "error: " in done.stderr.splitlines()[-1]


def test_text_and_back_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for name in ("model.tsm", "endless.tsm"):
        text = printed(folder, "dump", name)
        (tmp_path / "text.ir").write_text(text)
        assert printed(folder, "asm", str(tmp_path / "text.ir")) == ""
        assert printed(folder, "asm", "-", "-o", str(tmp_path / "piped.tsm"), stdin=text) == ""
        data = (folder / name).read_bytes()
        assert (tmp_path / "text.tsm").read_bytes() == data and (tmp_path / "piped.tsm").read_bytes() == data


def test_asm_refuses_what_is_no_program(folder: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.ir"
    text.write_text("fn broken")
    assert "line 1" in refused(folder, "asm", str(text)) or "line 2" in refused(folder, "asm", str(text))
    text.write_text("fn f(%a : int) -> str {\n  return %a\n}\n")
    refused(folder, "asm", str(text))
    text.write_text(printed(folder, "dump", "model.tsm"))
    refused(folder, "asm", str(text), "-o", "folder.tsm")
    assert "missing/x.tsm cannot be written" in refused(folder, "asm", str(text), "-o", "missing/x.tsm")
    assert not (tmp_path / "text.tsm").exists()


def test_verify_and_info(folder: Path) -> None:
    assert printed(folder, "verify", "model.tsm") == "model.tsm: ok\n"
    lines = printed(folder, "info", "model.tsm").splitlines()
    assert "  forward(x: Tensor, factor: float = 0.5) -> Tensor" in lines
    assert "  scale: float32[3]" in lines and "  floordiv.int" in lines


def test_run_gives_methods_arrays_and_literals(folder: Path, tmp_path: Path) -> None:
    assert printed(folder, "run", "model.tsm", "count", "['a', 'b', 'a']") == "{'a': 2, 'b': 1}\n"
    assert printed(folder, "run", "model.tsm", "divide", "-3") == "-4\n"
    assert printed(folder, "run", "model.tsm", "greet", "you") == "hello you\n"
    assert printed(folder, "run", "model.tsm", "x.npy", "2.0", "-o", str(tmp_path / "result")) == ""
    assert np.array_equal(np.load(tmp_path / "result"), np.full((2, 3), 2, "float32"))


def test_run_reports_errors_of_the_program_with_their_place(folder: Path) -> None:
    line = 1 + Path(__file__).read_text().splitlines().index("        return 10 // by")
    assert refused(folder, "run", "model.tsm", "divide", "0") == (
        f"tsm: {Path(__file__)}:{line}: ZeroDivisionError: integer division or modulo by zero\n"
    )
    assert "FuelError" in refused(folder, "run", "endless.tsm", "1", "--fuel", "1000")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [((), "missing 1 required positional argument: 'x'"), (("divide", "1", "2"), "but 2 were given"),
     (("divide", "one"), "argument 'by': expected int, got str"), (("divide", "9" * 30), "64 bits"),
     (("divide", "(" * 10_000), "expected int, got str"), (("objects.npy",), "Object arrays cannot be loaded"),
     (("missing.npy",), "No such file or directory: 'missing.npy'"), (("divide", "2", "-o", "y"), "takes a tensor"),
     (("x.npy", "-o", "folder.tsm"), "Is a directory: 'folder.tsm'")],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_run_refuses_wrong_inputs(folder: Path, arguments: tuple[str, ...], error: str) -> None:
    assert error in refused(folder, "run", "model.tsm", *arguments)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_run_ends_on_interrupt(folder: Path) -> None:
    process = subprocess.Popen([sys.executable, "-m", "tsm", "run", "endless.tsm", "1"], cwd=folder)
    try:
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == -signal.SIGINT
    finally:
        process.kill()


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tsm", "dump", "model.tsm"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0
    process.stderr.close()


def test_native_runner_reads_arrays_of_either_byte_order(folder: Path, tmp_path: Path) -> None:
    values = np.arange(6, dtype=">f4").reshape(2, 3)
    runner = Path(tsm.binding.__file__).parent / "bin" / "tsm-run"
    for name, array in {"big": values, "little": values.astype("<f4"), "turned": np.asfortranarray(values)}.items():
        np.save(tmp_path / f"{name}.npy", array)
        command = [runner, "-o", tmp_path / f"y{name}", folder / "model.tsm", "forward", tmp_path / f"{name}.npy"]
        subprocess.run(command, check=True)
    results = [np.load(tmp_path / f"y{name}.npy") for name in ("big", "little", "turned")]
    assert results[0].dtype == "<f4" and np.array_equal(results[0], results[1])
    assert np.array_equal(results[1], results[2]) and results[0].any()


def test_native_runner_prints_the_memory_it_took_beside_the_least(folder: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.ones((1000, 3), np.float32))
    runner = Path(tsm.binding.__file__).parent / "bin" / "tsm-run"
    command = [runner, "--stats", "-o", tmp_path / "y", folder / "model.tsm", "forward", tmp_path / "x.npy"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded, tensors, least, most, held = map(int, re.findall(r"\d+", done.stderr))
    assert 24000 <= tensors <= 36000 and least == loaded + tensors
    assert least <= most + 8192 and most <= held + 8192
    assert "--stats" in subprocess.run([runner, "--help"], capture_output=True, text=True, check=True).stdout


def test_native_runner_shows_the_lines_of_a_traceback_from_the_file(folder: Path, tmp_path: Path) -> None:
    line = 1 + Path(__file__).read_text().splitlines().index("        return 10 // by")
    runner = Path(tsm.binding.__file__).parent / "bin" / "tsm-run"
    program = tsm.serialize.load(folder / "model.tsm")
    for sources, shown in ((program.sources, "    return 10 // by\n"), ({}, "")):
        program.sources = sources
        tsm.serialize.save(program, tmp_path / "model.tsm")
        done = subprocess.run([runner, tmp_path / "model.tsm", "divide", "0"], capture_output=True, text=True)
        assert done.returncode == 1 and done.stderr == (
            f'Traceback (most recent call last):\n  File "{__file__}", line {line}, in Model.divide\n{shown}'
            "ZeroDivisionError: integer division or modulo by zero\n"
        )


def shown_values(
    points: list[tuple[int, float]], sets: list[set[int]], frozen: frozenset[str], named: dict[str, list[float]]
) -> str:
    return f"{points} {sets} {frozen} {named}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("[(1, 2), (3, 4.5),]", "[{1, 2}, {3}]", "{'a'}", "{'a': [1, True]}"),
      "[(1, 2.0), (3, 4.5)] [{1, 2}, {3}] frozenset({'a'}) {'a': [1.0, 1.0]}"),
     (("[]", "[]", "{'b',}", "{}"), "[] [] frozenset({'b'}) {}"),
     (("[[1, 2]]", "[]", "{'a'}", "{}"), "must be list[tuple[int, float]], not list with other elements"),
     (("[(1, 2)]", "[{1: 2}]", "{'a'}", "{}"), "must be list[set[int]], not list with other elements"),
     (("[(1, 2)", "[]", "{'a'}", "{}"), "'[(1, 2)' is neither an .npy file nor a Python literal"),
     (("[]", "[{1, 2: 3}]", "{'a'}", "{}"), "'[{1, 2: 3}]' is neither an .npy file nor a Python literal")],
    ids=["nested", "empty", "lists for tuples", "dicts for sets", "open", "no set and no dict"],
)  # fmt: skip
def test_native_runner_reads_containers_as_they_are_declared(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    tsm.script(shown_values).save(str(tmp_path / "shown.tsm"))
    runner = Path(tsm.binding.__file__).parent / "bin" / "tsm-run"
    done = subprocess.run([runner, tmp_path / "shown.tsm", *arguments], capture_output=True, text=True)
    assert said in done.stdout + done.stderr


def test_version_and_help(folder: Path) -> None:
    assert printed(folder, "--version") == f"tsm {tsm.__version__}\n"
    assert all(verb in printed(folder, "--help") for verb in (*COMMANDS, "config"))


def test_native_runner_writes_the_tensors_of_nested_results(tmp_path: Path) -> None:
    def nested(x: tsm.Tensor) -> tuple[dict[str, list[tsm.Tensor]], dict[int, tuple[tsm.Tensor, int]], str]:
        return {"out": [x, x + 1], "../aux": [x + 2]}, {-3: (x + 4, 5)}, "done"

    tsm.script(nested).save(tmp_path / "nested.tsm")
    np.save(tmp_path / "x.npy", np.zeros(2, np.float32))
    runner = Path(tsm.binding.__file__).parent / "bin" / "tsm-run"
    done = subprocess.run(
        [runner, "-o", "y", "nested.tsm", "x.npy"], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout == "5\n'done'\n"
    written = {path.name: float(np.load(path)[0]) for path in tmp_path.glob("y*")}
    assert written == {"y.0.out.0.npy": 0, "y.0.out.1.npy": 1, "y.0.=1.0.npy": 2, "y.1.-3.0.npy": 4}
    named_long = [runner, "-o", "y" * 4090, "nested.tsm", "x.npy"]
    long = subprocess.run(named_long, capture_output=True, text=True, cwd=tmp_path)
    assert long.returncode and "too long" in long.stderr
