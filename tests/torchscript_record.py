"""What TorchScript makes of the corpus: `python tests/torchscript_record.py` writes samples/torchscript.json.

In: the corpus files, their imports of tsm turned into PyTorch's; each program runs in a process of its own, because
some end it. Out: for each program `equal`, `differs` with both answers, `refused` with the first line of the message,
or `ends the process` with the signal. Holds: the comparison is with PyTorch in plain Python; where Python raises, any
error of TorchScript counts as equal, since it has one class for all; tensors within 2e-5.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import re
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import recorded
import torch

import language_rows
import oracle

PROGRAMS = Path(__file__).parent / "programs"
IMPORTS = [
    ("import tsm\n", "import torch as tsm\n"),
    ("from tsm import ", "from torch import "),
    ("from tsm.nn import functional", "from torch.nn import functional"),
    ("tsm.is_scripting()", "tsm.jit.is_scripting()"),
    ("from torch import Tensor, no_grad, record_function", "from torch import Tensor, no_grad"),
]
LONGEST = 160  # characters of an answer that the record keeps
SECONDS = 20


def load_twin(path: Path, folder: Path) -> list[oracle.Program]:
    """The programs of a corpus file, over PyTorch."""
    text = path.read_text()
    for ours, theirs in IMPORTS:
        text = text.replace(ours, theirs)
    twin = folder / path.name
    twin.write_text(text)
    first, refused = len(oracle.CORPUS), len(oracle.REFUSED)
    spec = importlib.util.spec_from_file_location(path.stem, twin)
    assert spec is not None and spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    language_rows.of_row("")
    spec.loader.exec_module(module)
    found = oracle.CORPUS[first:]
    for each in oracle.REFUSED[refused:]:
        make = each.source if isinstance(each.source, type) else lambda source=each.source: source
        found.append(oracle.Program(each.feature, make, each.calls, each.source))
    return found


def run(target: Any, program: oracle.Program) -> list[oracle.Outcome]:
    is_module = isinstance(program.source, type)
    call = getattr(target, program.method) if is_module else target
    return [oracle.observe(call, copy.deepcopy(each), torch.from_numpy) for each in program.calls]


def verdict(program: oracle.Program) -> list[str]:
    expected = run(program.make(), program)
    try:
        scripted = torch.jit.script(program.make())
    except Exception as error:  # noqa: BLE001 - whatever its compiler raises is its refusal
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return ["refused", (lines or [type(error).__name__])[0][:LONGEST]]
    for want, got in zip(expected, run(scripted, program)):
        if not is_same(want, got):
            return ["differs", *answers(want, got)]
    return ["equal"]


def is_same(want: oracle.Outcome, got: oracle.Outcome) -> bool:
    if want.error or got.error:
        return bool(want.error) == bool(got.error)
    return oracle.equal(want.result, got.result, False) and oracle.equal(want.args, got.args, False)


def answers(want: oracle.Outcome, got: oracle.Outcome) -> list[str]:
    """Both results, or both states of the arguments where the results agree."""
    is_result = want.error or got.error or not oracle.equal(want.result, got.result, False)
    return [shortened(found) if is_result else f"leaves {plain(found.args)}" for found in (want, got)]


def shortened(found: oracle.Outcome) -> str:
    return f"raises {found.error[0].__name__}" if found.error else f"gives {plain(found.result)}"


def plain(value: Any) -> str:
    """Its repr on one line, without addresses."""
    return re.sub(r" object at 0x[0-9a-f]+", "", " ".join(repr(value).split()))[:LONGEST]


def in_child(program: oracle.Program) -> list[str]:
    """The verdict of a forked process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        try:
            os.write(writing, json.dumps(verdict(program)).encode()[:60000])
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return ["ends the process", f"does not end in {SECONDS} s" if name == "SIGALRM" else name]
    return list(json.loads(answer)) if answer else ["refused", "an internal error"]


def main() -> None:
    torch.set_num_threads(1)
    entries: dict[str, Any] = {"version": torch.__version__.partition("+")[0]}
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(PROGRAMS.glob("*_corpus.py")):
            try:
                programs = load_twin(path, Path(folder))
            except (AttributeError, ImportError, TypeError) as error:
                print(f"{path.name} needs what PyTorch does not have: {error}")
                continue
            for program in programs:
                entries[program.name] = in_child(program)
    recorded.save(recorded.TORCHSCRIPT, entries)


if __name__ == "__main__":
    main()
