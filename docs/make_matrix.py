"""Writes language-matrix.md: every row of the language by its programs, with tsm and TorchScript side by side.

In: the corpora of tests/programs and tests/rejected; the records of CPython and TorchScript in tests/samples.
Out: `page()`, the text of the page. Holds: `python docs/make_matrix.py` runs every program in plain Python and scripted
before it writes, and stops at the first that differs; `--jit` first asks TorchScript again, where PyTorch is installed.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "language-matrix.md"
sys.path.insert(0, str(ROOT / "tests"))

import recorded  # noqa: E402
import test_compile_errors  # noqa: E402
import test_programs  # noqa: E402

import language_rows  # noqa: E402
import oracle  # noqa: E402

LONGEST_EXAMPLE = 7  # lines
VERDICTS = ("equal", "differs", "refused", "ends the process")

HEAD = """# The language, row by row

Made by `python docs/make_matrix.py`, which runs every program; edit the corpora in tests/programs and tests/rejected,
not this page. The rows are those of [language.md](language.md).

**equal**: programs whose results, printed text, changed arguments, identities and exceptions are those that CPython
3.11 gave, on every road (scripted, after each pass, printed and parsed, saved and loaded). **refused**: programs that
Python runs and tsm refuses with a located message; each is listed with its reason. **neighbours**: programs one step
beside accepted ones that are refused with an exact message. TorchScript (PyTorch {version}) runs the same programs with
the imports changed and is compared with PyTorch in plain Python; where Python raises, any error of it counts as equal.

In the mark column, T is what TorchScript has too, + what it lacks, py what it answers differently from Python.

"""


def refused_neighbours() -> Counter[str]:
    """Messages of tests/rejected by row."""
    found: Counter[str] = Counter()
    for path, function in test_compile_errors.CASES:
        key = test_compile_errors.row_of(path, function)
        found[key] += bool(test_compile_errors.expected(path, function))
    return found


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def summary(verdicts: dict[str, Any]) -> list[str]:
    equal, refused = len(oracle.CORPUS), len(oracle.REFUSED)
    neighbours = sum(refused_neighbours().values())
    theirs = Counter(verdict[0] for verdict in verdicts.values())
    total = sum(theirs.values())
    lines = [
        f"{equal + refused + neighbours} programs. Of {equal + refused} that Python accepts, tsm gives Python's answer"
        f" for {equal} ({100 * equal / (equal + refused):.1f} %) and refuses {refused}; none gives anything else.",
        f"TorchScript, of {total}: " + ", ".join(f"{theirs[kind]} {kind}" for kind in VERDICTS) + ".",
        "",
    ]
    return lines


def table(verdicts: dict[str, Any]) -> list[str]:
    lines = [
        "| row | | equal | refused | neighbours | TorchScript: equal | differs | refused | ends the process |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    neighbours = refused_neighbours()
    group = ""
    for row in language_rows.ROWS:
        if row.group != group:
            group = row.group
            lines.append(f"| **{group}** | | | | | | | | |")
        equal = [item for item in oracle.CORPUS if item.row == row.key]
        refused = [item for item in oracle.REFUSED if item.row == row.key]
        theirs = Counter(verdicts.get(item.name, ["not run"])[0] for item in [*equal, *refused])
        counts = [len(equal), len(refused), neighbours[row.key], *(theirs[kind] for kind in VERDICTS)]
        lines.append(f"| {cell(row.title)} | {row.mark} | " + " | ".join(str(n or "") for n in counts) + " |")
    return lines


def example(programs: list[oracle.Program]) -> list[str]:
    """The shortest program of at least two statements, as it stands in the corpus."""
    texts = []
    for item in programs:
        source = textwrap.dedent(inspect.getsource(item.source))
        start = source.index("def " if source.find("\ndef ") >= 0 or source.startswith("def") else "class ")
        lines = source[start:].rstrip().splitlines()
        if 2 < len(lines) <= LONGEST_EXAMPLE and max(map(len, lines)) < 110:
            texts.append(lines)
    return min(texts, key=lambda lines: (-len(lines), "\n".join(lines))) if texts else []


def sections(verdicts: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for row in language_rows.ROWS:
        programs = [item for item in oracle.CORPUS if item.row == row.key]
        lines += ["", f"## {row.title}", ""]
        shown = example(programs)
        if shown:
            lines += ["```py", *shown, "```", ""]
        for item in oracle.REFUSED:
            if item.row == row.key:
                lines.append(f"* refused: {item.feature}: `{item.message}`. {item.reason}")
        lines += differences(programs, verdicts)
    return lines


def differences(programs: list[oracle.Program], verdicts: dict[str, Any]) -> list[str]:
    """Where TorchScript answers otherwise than Python."""
    lines = []
    for item in programs:
        verdict = verdicts.get(item.name, [""])
        if verdict[0] == "differs":
            lines.append(f"* TorchScript: {item.feature}: `{verdict[2]}`; Python `{verdict[1]}`")
        elif verdict[0] == "ends the process":
            lines.append(f"* TorchScript: {item.feature}: {verdict[1]}")
    return lines


def page() -> str:
    verdicts = recorded.load(recorded.TORCHSCRIPT)
    version = verdicts.pop("version", "")
    verdicts = {name: verdict for name, verdict in verdicts.items() if name in known()}
    lines = [*summary(verdicts), *table(verdicts), *sections(verdicts)]
    return HEAD.format(version=version) + "\n".join(lines).rstrip() + "\n"


def known() -> set[str]:
    return {item.name for item in [*oracle.CORPUS, *oracle.REFUSED]}


def run_all() -> None:
    """Every program in plain Python, against its record, and scripted; every refusal."""
    record = recorded.load(recorded.PYTHON)
    for item in test_programs.CORPUS:
        assert recorded.agree(recorded.outcomes(item), record.get(item.name)), f"{item.name} differs from its record"
        oracle.check_scripted(item)
    for refused in oracle.REFUSED:
        oracle.check_refused(refused)


def main() -> None:
    if "--jit" in sys.argv:
        import torchscript_record

        torchscript_record.main()
    run_all()
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
