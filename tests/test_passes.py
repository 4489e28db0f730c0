"""Passes: the pairs in their docstrings, the CHECK files under golden/passes, and what every pass must keep."""

from __future__ import annotations

import importlib
import re
import textwrap
from pathlib import Path

import pytest

from tsm import ir, serialize
from tsm.ir import knobs, passes
from tsm.ir.alias import Aliases
from tsm.ir.effects import Summaries

GOLDEN = sorted((Path(__file__).parent / "golden" / "passes").glob("*.ir"))
PREFIXES = ("# CHECK:", "# CHECK-NEXT:", "# CHECK-NOT:")


def run(text: str, *names: str) -> str:
    program = ir.parse(text)
    ir.verify(program)
    passes.run(program, names)
    ir.verify(program)
    again = ir.print_program(program)
    assert ir.print_program(ir.parse(again)) == again
    assert serialize.dumps(serialize.loads(serialize.dumps(program))) == serialize.dumps(program)
    return again


@pytest.mark.parametrize("name", passes.NAMES)
def test_docstring_pair(name: str) -> None:
    document = importlib.import_module(f"tsm.ir.passes.{name}").__doc__ or ""
    found = re.search(r"^before:\n(.*?)^after:\n(.*)", document, re.MULTILINE | re.DOTALL)
    assert found is not None, f"{name} shows no pair"
    before, after = (textwrap.dedent(part).strip() for part in found.groups())
    assert run(before, name).strip() == after


# CHECK files: `# RUN: <passes>`, a listing, then `# CHECK: text` lines that must occur in the result in this order,
# `# CHECK-NEXT: text` on the line after the last one, `# CHECK-NOT: text` not between the checks around it.


def check(result: str, checks: list[tuple[str, str]]) -> str | None:
    """The first check that does not hold, or None. `...` in a check stands for any text."""
    lines = [re.sub(r"\s+# .*", "", line).strip() for line in result.splitlines() if line]
    position = 0
    forbidden: list[str] = []
    for kind, text in [*checks, ("end", "")]:
        if kind == "# CHECK-NOT:":
            forbidden.append(text)
            continue
        pattern = re.compile(".*".join(map(re.escape, text.split("..."))))
        found = [i for i in range(position, len(lines)) if pattern.fullmatch(lines[i])]
        found = [len(lines)] if kind == "end" else found
        if not found or (kind == "# CHECK-NEXT:" and found[0] != position):
            return f"{kind} {text}"
        for line in lines[position : found[0]]:
            for unwanted in forbidden:
                if unwanted in line:
                    return f"# CHECK-NOT: {unwanted}"
        forbidden = []
        position = found[0] + 1
    return None


def parse_checks(text: str) -> list[tuple[str, str]]:
    found = []
    for line in text.splitlines():
        for prefix in PREFIXES:
            if line.startswith(prefix):
                found.append((prefix, line[len(prefix) :].strip()))
    return found


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden(path: Path, accept: bool) -> None:
    text = path.read_text()
    found = re.search(r"^# RUN: (.*)$", text, re.MULTILINE)
    assert found is not None, f"{path} does not say which passes to run"
    result = run(text, *found.group(1).split())
    if accept:
        kept = [line for line in text.splitlines() if not line.startswith(PREFIXES[:2])]
        body = [line for line in result.splitlines() if line]
        checks = [f"# CHECK: {body[0]}", *(f"# CHECK-NEXT: {line.strip()}" for line in body[1:])]
        path.write_text("\n".join(kept).rstrip() + "\n\n" + "\n".join(checks) + "\n")
        return
    checks_found = parse_checks(text)
    assert any(kind != "# CHECK-NOT:" for kind, _ in checks_found), f"{path} has no checks"
    assert check(result, checks_found) is None, f"{check(result, checks_found)}\n{result}"


def test_check_finds_what_is_wrong() -> None:
    result = "a\nb\nc\n"
    assert check(result, [("# CHECK:", "a"), ("# CHECK-NEXT:", "b"), ("# CHECK-NOT:", "d")]) is None
    assert check(result, [("# CHECK:", "a"), ("# CHECK-NEXT:", "c")]) is not None
    assert check(result, [("# CHECK:", "b"), ("# CHECK:", "a")]) is not None
    assert check(result, [("# CHECK:", "a"), ("# CHECK-NOT:", "b"), ("# CHECK:", "c")]) is not None


# Knobs


SUM = """fn f(%x : int) -> int {
  %a : int = mul.int(%x, %x)
  %b : int = mul.int(%x, %x)
  %c : int = mul.int(%x, %x)
  %d : int = add.int(%a, %b)
  %e : int = add.int(%d, %c)
  return %e
}
"""


def test_a_limit_stops_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(SUM, "cse").count("mul.int") == 1
    monkeypatch.setenv("TSM_OPT_LIMIT", "cse=1")
    assert run(SUM, "cse").count("mul.int") == 2
    monkeypatch.setenv("TSM_OPT_LIMIT", "cse=x")
    with pytest.raises(ValueError, match="TSM_OPT_LIMIT"):
        run(SUM, "cse")


def test_dump_and_time(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TSM_DUMP", "cse")
    monkeypatch.setenv("TSM_TIME", "1")
    run(SUM, "cse", "dce")
    error = capsys.readouterr().err
    assert "# after cse\nfn f(%x : int) -> int {" in error
    assert "# after dce" not in error
    assert re.search(r"tsm: dce: \d+\.\d\d ms", error)


def test_a_failing_pass_leaves_its_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(program: ir.Program, budget: knobs.Budget) -> None:
        raise AssertionError("on purpose")

    monkeypatch.setitem(passes.PASSES, "cse", fail)
    monkeypatch.setenv("TSM_REPRO", str(tmp_path))
    with pytest.raises(AssertionError):
        passes.run(ir.parse(SUM), ["cse"])
    assert (tmp_path / "cse.ir").read_text() == ir.print_program(ir.parse(SUM))


def test_the_verifier_runs_between_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(program: ir.Program, budget: knobs.Budget) -> None:
        program.functions[0].body.nodes.pop()

    monkeypatch.setitem(passes.PASSES, "cse", breaks)
    monkeypatch.setenv("TSM_VERIFY", "1")
    with pytest.raises(ir.VerifyError):
        passes.optimize(ir.parse(SUM))


def test_a_copy_is_independent() -> None:
    program = ir.parse(SUM)
    passes.optimize(program.copy())
    assert ir.print_program(program) == SUM


# Locations


def test_inlined_code_keeps_its_calls() -> None:
    program = ir.parse(
        """fn h(%x : int) -> int {
  %y : int = neg.int(%x)   # a.py:1:1 in h
  return %y
}
fn g(%x : int) -> int {
  %y : int = call h(%x)   # a.py:2:1 in g
  return %y
}
fn f(%x : int) -> int {
  %y : int = call g(%x)   # a.py:3:1 in f
  return %y
}
"""
    )
    passes.run(program, ["inline", "canonicalize"])
    first = program.function("f").body.nodes[0]
    assert first.op == "neg.int"
    assert ir.print_program(program).splitlines()[-3].endswith("# a.py:1:1 in h < a.py:2:1 in g < a.py:3:1 in f")


# Effects and aliases


def test_summaries_follow_recursion() -> None:
    program = ir.parse(
        """fn even(%l : list[int], %n : int) -> int {
  list.append(%l, %n)
  %x : int = call odd(%l, %n)
  return %x
}
fn odd(%m : list[int], %n : int) -> int {
  %x : int = call even(%m, %n)
  return %x
}
fn pure(%l : list[int]) -> int {
  %n : int = len.list(%l)
  return %n
}
fn copies(%l : list[int]) -> list[int] {
  %c : list[int] = list.copy(%l)
  %n : int = len.list(%c)
  return %c
}
"""
    )
    summaries = Summaries(program)
    effects = {function.name: found for function, found in summaries.functions.items()}
    assert effects["even"].writes == effects["odd"].writes == {0}
    assert effects["odd"].diverges and effects["odd"].raises
    assert not effects["pure"].writes and not effects["pure"].raises and effects["pure"].reads
    assert not effects["copies"].writes


def test_a_write_through_a_view_writes_the_parameter() -> None:
    program = ir.parse(
        """fn f(%x : Tensor, %y : Tensor) -> Tensor {
  %v : Tensor = t(%x)
  %r : Tensor = add_.Tensor(%v, %y)
  return %r
}
"""
    )
    assert Summaries(program).functions[program.functions[0]].writes == {0}


def test_aliases() -> None:
    program = ir.parse(
        """fn f(%x : Tensor, %y : Tensor, %l : list[int]) -> Tensor {
  %v : Tensor = t(%x)
  %z : Tensor = add.Tensor(%x, %y)
  %w : Tensor = t(%z)
  %ts : list[Tensor] = list(%z)
  %zero : int = const 0
  %e : Tensor = getitem.list(%ts, %zero)
  %u : Tensor = add_.Tensor(%e, %y)
  return %z
}
"""
    )
    function = program.functions[0]
    aliases = Aliases(function, Summaries(program))
    values = {value.name: value for value in (*function.body.params, *(r for n in function.walk() for r in n.results))}
    assert aliases.may_alias(values["x"], values["v"])
    assert aliases.may_alias(values["x"], values["y"])
    assert not aliases.may_alias(values["x"], values["l"])
    assert not aliases.may_alias(values["z"], values["x"])
    assert aliases.may_alias(values["z"], values["w"])
    assert aliases.may_alias(values["e"], values["z"])
    assert not aliases.is_never_written(values["w"])
    assert aliases.is_never_written(values["x"])
    assert aliases.may_be_written_between(values["ts"], function.body.nodes[0], function.body.nodes[-1])
    assert not aliases.may_be_written_between(values["x"], function.body.nodes[0], function.body.nodes[-1])
