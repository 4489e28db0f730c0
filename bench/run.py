"""Measures tsm beside its peers and prints ratios: `python bench/run.py` (or `make bench`).

Every workload runs in rounds in which the engines take turns; a figure is the median over the rounds, a ratio is tsm's
median over the peer's. Absolute times mean little between machines, ratios within one run do. A peer that is not
installed is named and left out.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import tsm
import workloads

Engine = Callable[[], float]  # runs once, returns seconds


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def rounds(engines: dict[str, Engine], count: int) -> dict[str, float]:
    """Median seconds of each engine over interleaved rounds; the order rotates, one round first is not counted."""
    names = list(engines)
    samples: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(count + 1):
        for name in names[turn % len(names):] + names[: turn % len(names)]:
            seconds = engines[name]()
            if turn:
                samples[name].append(seconds)
    return {name: median(values) for name, values in samples.items()}


def report(title: str, unit: str, per: float, medians: dict[str, float], targets: dict[str, float]) -> None:
    """One line a peer: tsm's time, the peer's, their ratio, and the target for it."""
    print(f"\n{title}")
    ours = medians["tsm"]
    print(f"  {'tsm':<14}{ours / per:>10.2f} {unit}")
    for name, seconds in medians.items():
        if name == "tsm":
            continue
        target = f"   target <= {targets[name]}" if name in targets else ""
        print(f"  {name:<14}{seconds / per:>10.2f} {unit}   ratio {ours / seconds:.3f}{target}")


def torch_functions(folder: Path) -> object | None:
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed: its rows are left out")
        return None
    torch.set_num_threads(1)
    source = folder / "torch_twins.py"
    source.write_text(workloads.TORCH_SOURCE)
    sys.path.insert(0, str(folder))
    import torch_twins

    return type("Twins", (), {name: staticmethod(torch.jit.script(getattr(torch_twins, name)))
                              for name in ("newton", "accumulate", "add")})


def lua_engine(folder: Path, limit: int) -> Engine | None:
    lua = shutil.which("lua5.4") or shutil.which("lua")
    if lua is None:
        print("Lua 5.4 is not installed: its rows are left out")
        return None
    script = folder / "collatz.lua"
    script.write_text(workloads.LUA_SOURCE)
    command = [lua, script, str(limit)]
    return lambda: float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0])


def bench_integers(folder: Path, count: int) -> None:
    limit = 3000
    scripted = tsm.script(workloads.collatz)
    steps = scripted(limit)
    assert steps == workloads.collatz(limit)
    engines: dict[str, Engine] = {
        "tsm": lambda: timed(lambda: scripted(limit)),
        "CPython": lambda: timed(lambda: workloads.collatz(limit)),
    }
    lua = lua_engine(folder, limit)
    if lua:
        engines["Lua 5.4"] = lua
    report(f"integer loop (Collatz, {steps} iterations)", "ns/iteration", steps / 1e9, rounds(engines, count),
           {"CPython": 0.4, "Lua 5.4": 1.0})


def bench_tiny_tensors(folder: Path, twins: object | None, count: int) -> None:
    steps = 20_000
    for name, operators, target in (("accumulate", 1, 0.3), ("newton", 3, 0.3)):
        scripted = tsm.script(getattr(workloads, name))
        x = tsm.tensor([2.0])
        engines: dict[str, Engine] = {"tsm": lambda s=scripted, x=x: timed(lambda: s(x, steps))}
        if twins is not None:
            import torch

            twin, y = getattr(twins, name), torch.tensor([2.0])
            assert abs(twin(y, 10).item() - scripted(x, 10).item()) < 1e-5
            engines["TorchScript"] = lambda twin=twin, y=y: timed(lambda: twin(y, steps))
        report(f"1-element tensor loop ({name}, {operators} operators a step)", "ns/step", steps / 1e9,
               rounds(engines, count), {"TorchScript": target})


def bench_calls_from_python(twins: object | None, count: int) -> None:
    calls = 20_000
    scripted = tsm.script(workloads.add)

    def loop(function: Callable[[int, int], int]) -> Engine:
        def run() -> None:
            for i in range(calls):
                function(i, 1)
        return lambda: timed(run)

    engines = {"tsm": loop(scripted)}
    if twins is not None:
        engines["torch.jit"] = loop(twins.add)  # type: ignore[attr-defined]
    times = rounds(engines, count)
    report("a call of add(a: int, b: int) from Python", "ns/call", calls / 1e9, times, {"torch.jit": 1.0})


def bench_calls_from_c(folder: Path, count: int) -> None:
    tsm.script(workloads.add).save(folder / "add.tsm")
    flags = subprocess.run([sys.executable, "-m", "tsm", "config", "--cflags", "--libs"],
                           capture_output=True, text=True, check=True).stdout.split()
    source = Path(__file__).with_name("call.c")
    lua_flags = ["-I/usr/include/lua5.4", "-llua5.4"]
    built = subprocess.run(["cc", "-O2", str(source), "-o", str(folder / "call"), *flags, *lua_flags],
                           capture_output=True, text=True)
    if built.returncode:
        print("\nLua's headers and library are not installed: the call from C is left out")
        return
    output = subprocess.run([folder / "call", folder / "add.tsm", str(count), "200000"],
                            capture_output=True, text=True, check=True).stdout
    ours, lua = zip(*(map(float, line.split()) for line in output.splitlines()))
    report("a call of add(a: int, b: int) from C", "ns/call", 1.0,
           {"tsm": median(ours), "lua_pcall": median(lua)}, {"lua_pcall": 3.0})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    count = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        twins = torch_functions(folder)
        bench_integers(folder, count)
        bench_tiny_tensors(folder, twins, count)
        bench_calls_from_python(twins, count)
        bench_calls_from_c(folder, count)


if __name__ == "__main__":
    main()
