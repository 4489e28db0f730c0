"""Builds the library for other machines, runs the same files there under QEMU and compares with x86-64.

`python tests/portability/compare.py [MACHINE ...]` prints a table, machine x file. In: Debian's cross compilers and
qemu-user; machines without them are named and left out. Out: exit code 1 if anything differs. Holds: texts, ints and
saved files are equal to the byte; floats of tensors are within what the order of a sum changes.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tsm.serialize import container
from tsm.serialize.container import Kind

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RUNTIME = ROOT / "runtime_c"
TOLERANCE = {"f4": 2e-5, "f8": 1e-12}
PRINTED = 2e-4  # tensors are printed with four digits
NUMBER = re.compile(r"-?(?:\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+|inf|nan)\b")
SECONDS = 600


@dataclass(frozen=True)
class Machine:
    name: str
    triple: str = ""
    emulator: str = ""
    compiler: tuple[str, ...] = ("cc",)

    def missing(self) -> list[str]:
        return [tool for tool in (self.compiler[0], self.emulator) if tool and not shutil.which(tool)]

    def command(self) -> list[str]:
        """What a program of this machine is run with."""
        return [self.emulator, "-L", f"/usr/{self.triple}"] if self.emulator else []


def cross(name: str, triple: str, *flags: str, emulator: str = "") -> Machine:
    return Machine(name, triple, emulator or f"qemu-{name}", (f"{triple}-gcc", *flags))


REFERENCE = Machine("x86-64")
MACHINES = [
    cross("aarch64", "aarch64-linux-gnu"),
    cross("riscv64", "riscv64-linux-gnu"),
    cross("s390x", "s390x-linux-gnu"),
    cross("armhf", "arm-linux-gnueabihf", emulator="qemu-arm"),
    cross("i686", "i686-linux-gnu", "-msse2", "-mfpmath=sse", emulator="qemu-i386"),
]


def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, **options)  # type: ignore[call-overload, no-any-return]


def build(machine: Machine, into: Path, tests: bool) -> Path:
    """The folder with tsm-run, answers and fuzz_file of this machine; SystemExit with the compiler's messages."""
    folder = into / machine.name
    launcher = os.environ.get("CC", "").split()[:-1]  # a compiler cache, if there is one
    programs = [f"{folder}/{name}" for name in ("tsm-run", "answers", "fuzz_file", *(["c-tests"] if tests else []))]
    done = run(["make", "-s", "-C", str(RUNTIME), f"-j{os.cpu_count()}", f"BUILD={folder}", "CFLAGS=-O2 -g -Werror",
                f"CC={' '.join([*launcher, *machine.compiler])}", *programs])
    if done.returncode:
        raise SystemExit(f"{machine.name} does not build\n{done.stderr}")
    return folder


class Answers:
    """What one machine gives for the files of `made`."""

    def __init__(self, machine: Machine, folder: Path, made: Path) -> None:
        self.machine, self.folder, self.made = machine, folder, made
        self.out = folder / "out"
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)

    def call(self, program: str, *arguments: str) -> str:
        done = run([*self.machine.command(), str(self.folder / program), *arguments])
        return f"{done.stdout}{done.stderr}exit {done.returncode}\n"

    def of_case(self, case: Path) -> None:
        """Runs the calls in CASE.calls, one a line, words apart by tabs: texts to CASE.N.txt, tensors to CASE.N.npy."""
        for i, line in enumerate(case.with_suffix(".calls").read_text(encoding="utf-8").splitlines()):
            stem = self.out / f"{case.stem}.{i}"
            told = self.call("tsm-run", "-o", str(stem), str(case), *line.split("\t"))
            stem.with_name(stem.name + ".txt").write_text(told.replace(str(self.out), ""), encoding="utf-8")

    def of_seed(self, case: Path) -> None:
        stem = self.out / case.stem
        told = self.call("answers", str(case), str(stem) + ".saved", "3")
        (self.out / f"{case.stem}.txt").write_text(told, encoding="utf-8")


def texts_differ(want: str, got: str) -> str:
    """"" when equal, "~" when only floats differ within the tolerance, else where they do not."""
    if want == got:
        return ""
    if NUMBER.sub("#", want) != NUMBER.sub("#", got):
        lines = zip(want.split("\n"), got.split("\n"), strict=False)
        return next((f"{a!r} is {b!r}" for a, b in lines if a != b), "one is longer")
    for a, b in zip(NUMBER.findall(want), NUMBER.findall(got), strict=True):
        if not math.isclose(float(a), float(b), rel_tol=PRINTED, abs_tol=PRINTED) and a != b:
            return f"{a} is {b}"
    return "~"


def arrays_differ(want: np.ndarray, got: np.ndarray) -> str:
    if want.dtype != got.dtype or want.shape != got.shape:
        return f"{want.dtype}{want.shape} is {got.dtype}{got.shape}"
    if want.tobytes() == got.tobytes():
        return ""
    if want.dtype.kind != "f":
        return "integers differ"
    size = TOLERANCE[want.dtype.str[1:]]
    largest = float(np.nanmax(np.abs(np.where(np.isfinite(want), want, 0)), initial=1.0))
    if np.allclose(want, got, rtol=size, atol=size * largest, equal_nan=True):
        return "~"
    with np.errstate(all="ignore"):
        return f"off by {np.nanmax(np.abs(want - got)):.3g}"


def saved_differ(want: bytes, got: bytes) -> str:
    """Of two .tsm files; only weights may differ, as float32."""
    if want == got:
        return ""
    kept, other = (container.unpack(memoryview(file), True)[0] for file in (want, got))
    data, different = [bytes(sections.pop(Kind.DATA).view) for sections in (kept, other)], list(kept) != list(other)
    if different or any(bytes(kept[kind].view) != bytes(other[kind].view) for kind in kept):
        return "the saved files differ"
    a, b = (np.frombuffer(part.ljust(-(-len(part) // 4) * 4, b"\0"), "<f4") for part in data)
    return arrays_differ(a, b)


def file_differs(want: Path, got: Path) -> str:
    if not got.exists():
        return "missing"
    if want.suffix == ".npy":
        return arrays_differ(np.load(want), np.load(got))
    if want.suffix == ".saved":
        return saved_differ(want.read_bytes(), got.read_bytes())
    return texts_differ(want.read_text(encoding="utf-8"), got.read_text(encoding="utf-8"))


def verdict(case: str, want: Path, got: Path) -> tuple[str, str]:
    """(mark, reason) of all files of a case: "=" equal, "~" within tolerance, "X" different."""
    found = {path.name: file_differs(path, got / path.name) for path in sorted(want.glob(f"{case}.*"))}
    extra = {path.name for path in got.glob(f"{case}.*")} - set(found)
    wrong = [f"{name}: {why}" for name, why in found.items() if why not in ("", "~")] + sorted(extra)
    if wrong or not found:
        return "X", "; ".join(wrong[:3]) or "nothing was written"
    return ("~" if "~" in found.values() else "="), ""


def write_files(into: Path) -> tuple[list[Path], list[Path]]:
    """The .tsm files: those of programs.py with their calls, and the seeds of the fuzzer."""
    sys.path[:0] = [str(HERE), str(ROOT / "tests" / "fuzz")]
    import make_seeds
    import programs

    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    cases, seeds = [], []
    for case in programs.cases():
        path = into / f"{case.name.replace(' ', '_')}.tsm"
        case.program.save(path)
        lines = []
        for i, (method, arguments) in enumerate(case.calls):
            words = [method]
            for k, argument in enumerate(arguments):
                if isinstance(argument, np.ndarray):
                    array = path.with_name(f"{path.stem}.{i}.{k}.npy")
                    np.save(array, argument)
                words.append(str(array) if isinstance(argument, np.ndarray) else repr(argument))
            lines.append("\t".join(words))
        path.with_suffix(".calls").write_text("\n".join(lines) + "\n", encoding="utf-8")
        cases.append(path)
    for name, image in make_seeds.images().items():
        seeds.append(into / f"seed_{name.replace('.', '_')}.tsm")
        seeds[-1].write_bytes(image)
    return cases, seeds


def c_tests(machine: Machine, folder: Path) -> str:
    failed = []
    for program in sorted((folder / "tests").glob("test_*")):
        if program.suffix:
            continue
        done = run([*machine.command(), str(program)])
        if done.returncode:
            failed.append(f"{program.name}: {done.stderr.strip().splitlines()[-1:]}")
    return "; ".join(failed)


def mutants(machine: Machine, folder: Path, seeds: list[Path], count: int, want: str | None) -> tuple[str, str]:
    """(what fuzz_file printed, why that is wrong): which mutants load is the same everywhere, and none crashes."""
    done = run([*machine.command(), str(folder / "fuzz_file"), str(count), "1", *map(str, seeds)], cwd=folder)
    loading = done.stdout.partition("calls:\n")[0]
    if done.returncode:
        return loading, f"exit {done.returncode}: {done.stderr.strip()[-200:]}"
    return loading, "" if want in (None, loading) else f"other mutants load:\n{loading}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("machines", nargs="*", help="names of machines; default: all")
    parser.add_argument("--into", type=Path, default=ROOT / "build" / "portability")
    parser.add_argument("--mutants", type=int, default=3000)
    parser.add_argument("--no-tests", action="store_true", help="leave out the C tests")
    options = parser.parse_args()
    into = options.into.resolve()
    cases, seeds = write_files(into / "files")
    chosen = []
    for machine in MACHINES:
        if options.machines and machine.name not in options.machines:
            continue
        if lacking := machine.missing():
            print(f"{machine.name}: left out, as {' and '.join(lacking)} cannot be found")
            continue
        chosen.append(machine)
    names = [path.stem for path in (*cases, *seeds)]
    marks: dict[str, dict[str, str]] = {}
    reasons: list[str] = []
    loading: str | None = None
    for machine in (REFERENCE, *chosen):
        folder = build(machine, into, not options.no_tests)
        answers = Answers(machine, folder, into / "files")
        for path in cases:
            answers.of_case(path)
            answers.of_seed(path)
        for path in seeds:
            answers.of_seed(path)
        print(f"{machine.name}: ran {len(names)} files", flush=True)
        column = marks[machine.name] = {}
        for name in names:
            column[name], why = verdict(name, into / REFERENCE.name / "out", answers.out)
            if why:
                reasons.append(f"{machine.name}, {name}: {why}")
                print(reasons[-1], flush=True)
        told, why = mutants(machine, folder, seeds, options.mutants, loading)
        loading = loading or told
        outcomes = {f"{options.mutants} mutants": why}
        if not options.no_tests:
            outcomes["C tests"] = c_tests(machine, folder)
        for name, why in outcomes.items():
            column[name] = "X" if why else "="
            reasons += [f"{machine.name}, {name}: {why}"] if why else []
    print_table(marks)
    print(*reasons, sep="\n")
    return 1 if reasons else 0


def print_table(marks: dict[str, dict[str, str]]) -> None:
    """Machine x file: = equal to x86-64, ~ equal but for the last digits of sums, X different."""
    machines = list(marks)
    rows = list(marks[machines[0]])
    width = max(map(len, rows))
    print(" " * width, *machines)
    for row in rows:
        print(row.ljust(width), *(marks[name][row].center(len(name)) for name in machines))


if __name__ == "__main__":
    sys.exit(main())
