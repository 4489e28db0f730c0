"""Runs every code block of README.md and docs/*.md, in order, one folder and one namespace a page.

python blocks are executed; a `text` block right after one is what it prints. `c` blocks are files that their first line
names. `console` blocks are run: lines after `$ ` are commands, the rest what they print, `...` standing for anything.
`make` commands in them are only checked to exist. `--accept` rewrites the outputs of `text` and `console` blocks.
"""

from __future__ import annotations

import contextlib
import fnmatch
import io
import linecache
import os
import re
import subprocess
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Block:
    language: str
    text: str
    start: int
    end: int


def blocks_of(text: str) -> list[Block]:
    return [Block(m[1], m[2], m.start(2), m.end(2)) for m in FENCE.finditer(text)]


def run_python(block: Block, namespace: dict[str, object], name: str) -> str:
    """Executes the block so that its functions have source, and returns what it printed."""
    linecache.cache[name] = (len(block.text), None, block.text.splitlines(True), name)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.text, name, "exec"), namespace)  # noqa: S102
    return printed.getvalue()


def run_command(command: str, folder: Path) -> str:
    if command.startswith("make "):
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert set(command.split()[1:]) <= set(targets), f"no such make target: {command}"
        return ""
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True, capture_output=True, timeout=120)
    return done.stdout + done.stderr


def run_console(block: Block, folder: Path) -> str:
    lines = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            lines += [line, *run_command(line[2:], folder).splitlines()]
    return "".join(line + "\n" for line in lines)


def matches(expected: str, printed: str) -> bool:
    pattern = "\n".join(line.rstrip() for line in expected.splitlines())
    escaped = re.sub(r"([\[\]?*])", r"[\1]", pattern).replace("...", "*")
    return fnmatch.fnmatchcase("\n".join(line.rstrip() for line in printed.splitlines()), escaped)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if page.name == "language.md" and sys.version_info < (3, 11):
        pytest.skip("it shows flags, which are supported from 3.11 on")
    text = page.read_text()
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType("__page__")  # dataclasses look their module up
    monkeypatch.setitem(sys.modules, module.__name__, module)
    namespace = vars(module)
    printed = ""
    changed: list[tuple[Block, str]] = []
    for number, block in enumerate(blocks_of(text)):
        if block.language == "python":
            printed = run_python(block, namespace, f"{page.stem.lower()}_{number}.py")
        elif block.language == "c":
            (tmp_path / block.text.split()[1]).write_text(block.text)
        elif block.language in ("text", "console"):
            got = printed if block.language == "text" else run_console(block, tmp_path)
            if not matches(block.text, got):
                changed.append((block, got))
    if request.config.getoption("--accept"):
        for block, got in reversed(changed):
            text = text[: block.start] + got + text[block.end:]
        page.write_text(text)
    else:
        for block, got in changed:
            line = text.count("\n", 0, block.start) + 1
            raise AssertionError(f"{page.name}:{line}: the page says\n{block.text}\nbut this was printed\n{got}")
