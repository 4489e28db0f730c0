"""Types that inference finds: results, merges, refinement, specialisations, and the IR they lead to."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import tsm
from tsm.frontend import program
from tsm.frontend.compilation.attempts import AttemptReporter
from tsm.frontend.diagnostics import CompileError
from tsm.frontend.infer.inference import FunctionInference
from tsm.frontend.parser.syntax import Span
from tsm.ir.graph import Program, walk
from tsm.ir.types import FLOAT, INT, STR
from tsm.ir.verify import verify


def compiled(text: str, name: str = "f") -> Program:
    result = program.compile_source("from typing import Optional, Union, Any\nimport math\nimport tsm\n" + text)
    verify(result)
    assert name in result.methods
    return result


def result_type(text: str) -> str:
    return str(compiled(text).methods["f"].function.result)


def operators(found: Program, name: str = "f") -> list[str]:
    return [node.op for node in walk(found.function(name).body)]


RESULTS = {
    "int arithmetic": ("def f(x: int): return x * 2 + 1", "int"),
    "true division": ("def f(x: int): return x / 2", "float"),
    "mixed arithmetic": ("def f(x: int, y: float): return x + y", "float"),
    "bool arithmetic": ("def f(x: bool): return x + x", "int"),
    "bool and": ("def f(x: bool): return x & True", "bool"),
    "branches": ("def f(x: int):\n  if x: return 1\n  return 2.0", "Union[float, int]"),
    "or keeps operand": ("def f(x: Optional[int]): return x or 'a'", "Union[int, str]"),
    "and keeps operand": ("def f(x: int): return x and 'a'", "Union[int, str]"),
    "no return": ("def f(x: int): print(x)", "None"),
    "maybe none": ("def f(x: int):\n  if x: return x", "Optional[int]"),
    "loop keeps tag": ("def f(xs: list[float]):\n  t = 0\n  for x in xs: t += x\n  return t", "Union[float, int]"),
    "empty list by use": ("def f(x: int):\n  r = []\n  r.append(x)\n  return r", "list[int]"),
    "empty dict by use": ("def f(s: str):\n  d = {}\n  d[s] = [1.5]\n  return d", "dict[str, list[float]]"),
    "empty list by merge": ("def f(x: int): return [x] if x else []", "list[int]"),
    "comprehension": ("def f(n: int): return {i: str(i) for i in range(n)}", "dict[int, str]"),
    "starred": ("def f(x: int):\n  a, *b = x, x, x\n  return b", "list[int]"),
    "recursion": ("def f(n: int): return 1 if n == 0 else n * f(n - 1)", "int"),
    "mutual recursion": (
        "def f(n: int):\n  if n == 0: return True\n  return g(n - 1)\n"
        "def g(n: int):\n  if n == 0: return False\n  return f(n - 1)",
        "bool",
    ),
    "unannotated is Tensor": ("def f(x): return x + 1", "Tensor"),
    "default's type": ("def f(x=2): return x + 1", "int"),
    "item": ("def f(x): return x.sum().item()", "Scalar"),
    "shape": ("def f(x): return x.shape", "tuple[int, ...]"),
    "max of dim": ("def f(x): return x.max(dim=1)", "tsm.return_types.max"),
    "max keeps tags": ("def f(x: int, y: float): return max(x, y)", "Union[float, int]"),
    "math": ("def f(x: int): return math.sqrt(x)", "float"),
    "ternary decided": ("def f(x: int): return 1 if isinstance(x, int) else 'a'", "int"),
    "tuple slice": ("def f(x: int): return (x, 'a', 1.5)[1:]", "tuple[str, float]"),
    "scripting": ("def f(x: int):\n  if tsm.is_scripting(): return 1\n  return 'a'", "int"),
}


@pytest.mark.parametrize(("text", "kind"), RESULTS.values(), ids=list(RESULTS))
def test_result(text: str, kind: str) -> None:
    assert result_type(text) == kind


NARROWED = {
    "is not None": "def f(x: Optional[int]):\n  if x is not None: return x + 1\n  return 0",
    "early return": "def f(x: Optional[int]):\n  if x is None: return 0\n  return x + 1",
    "early raise": "def f(x: Optional[int]):\n  if x is None: raise ValueError('x')\n  return x + 1",
    "assert": "def f(x: Optional[int]):\n  assert x is not None\n  return x + 1",
    "continue": (
        "def f(xs: list[Optional[int]]):\n  t = 0\n  for x in xs:\n    if x is None: continue\n    t += x\n  return t"
    ),
    "and": "def f(x: Optional[int]):\n  return 1 if x is not None and x > 2 else 0",
    "or": "def f(x: Optional[int]):\n  return 1 if x is None or x > 2 else 0",
    "truth": "def f(x: Optional[int]):\n  if x: return x + 1\n  return 0",
    "not truth": "def f(x: Optional[list[int]]):\n  if not x: return 0\n  return x[0]",
    "walrus": "def f(d: dict[str, int]):\n  if (v := d.get('a')) is not None: return v + 1\n  return 0",
    "isinstance": "def f(x: Union[int, str]):\n  if isinstance(x, str): return len(x)\n  return x + 1",
    "isinstance tuple": "def f(x: Union[int, str, None]):\n  if isinstance(x, (int, str)): return str(x)\n  return 'n'",
    "while": "def f(x: Optional[int]):\n  while x is None: x = 3\n  return x + 1",
    "reassigned": "def f(x: Optional[int]):\n  if x is None: x = 1\n  return x + 1",
    "any": "def f(y: int):\n  x: Any = y\n  if isinstance(x, str): return len(x)\n  return 0",
}


@pytest.mark.parametrize("text", NARROWED.values(), ids=list(NARROWED))
def test_refinement(text: str) -> None:
    compiled(text)


def test_refinement_ends_with_a_store() -> None:
    found = compiled(
        "def f(x: Optional[int], y: Optional[int]):\n  if x is not None:\n    x = y\n    return x\n  return 0"
    )
    assert str(found.methods["f"].function.result) == "Optional[int]"


def test_specialisations_by_call() -> None:
    found = compiled("def f(x: int, s: str): return g(x), g(s)\ndef g(v: Any): return v")
    assert str(found.methods["f"].function.result) == "tuple[Any, Any]"
    found = program.compile_function(calls_twice)
    verify(found)
    kinds = {function.result for function in found.functions if function.name.startswith("same")}
    assert kinds == {INT, STR}


def calls_twice(x: int, s: str) -> tuple[int, str]:
    return same(x), same(s)


def same(v):  # type: ignore[no-untyped-def]
    return v


def test_specialisations_are_bounded() -> None:
    with pytest.raises(CompileError, match="too many combinations"):
        program.compile_function(unbounded)


def test_chains_of_calls_are_bounded() -> None:
    functions = [f"def f{n}(x: int) -> int: return f{n + 1}(x)" for n in range(130)]
    with pytest.raises(CompileError, match="the call of 'f120' is more than 120 functions deep"):
        compiled("\n".join([*functions, "def f130(x: int) -> int: return x"]))


def unbounded(x: int) -> int:
    a, b, c, d = (x,), (x, "b"), (x, "c", 1), (x, "d", 1.5, True)
    kinds = (a, b, c, d, [a], [b], [c], [d], [[a]], [[b]], [[c]], [[d]], {1: a}, {1: b}, {1: c}, {1: d}, {"x": a})
    return sum(deeper(kind) for kind in kinds)


def deeper(x) -> int:  # type: ignore[no-untyped-def]
    return deeper((x,))


def test_temporaries_are_not_carried() -> None:
    found = compiled("def f(n: int):\n  s = 0\n  for i in range(n):\n    y = i * 2\n    s += y\n  return s")
    loop = next(node for node in walk(found.function("f").body) if node.op == "loop")
    assert len(loop.blocks[0].params) == 2
    assert [value.name for value in loop.results] == ["s"]


def test_unbound_is_carried_as_optional() -> None:
    found = compiled("def f(n: int):\n  if n: x = 1\n  return x")
    assert "is_type" in operators(found) and "raise" in operators(found)


def test_dead_arm_is_not_compiled() -> None:
    found = compiled("def f(x: int):\n  if isinstance(x, str): return x.nonsense()\n  return x")
    assert "if" not in operators(found)


def test_mixed_comparison_is_exact() -> None:
    assert "lt.Scalar" in operators(compiled("def f(x: int, y: float): return x < y"))
    assert "lt.float" in operators(compiled("def f(y: float): return 3 < y"))


def test_mirrored_comparison() -> None:
    assert "gt.TensorScalar" in operators(compiled("def f(x): return 2 < x"))


def test_keyword_order_of_evaluation() -> None:
    found = compiled("def f(x: int): return g(b=h(x), a=k(x))\ndef g(a: int, b: int): return a - b\n"
                     "def h(x: int): return x\ndef k(x: int): return x")
    calls = [node.attrs["function"].name for node in walk(found.function("f").body) if node.op == "call"]
    assert calls == ["h", "k", "g"]


def test_methods_have_defaults() -> None:
    found = compiled("def f(x: int, y: float = 2, *, z: Optional[int] = None): return y")
    params = found.methods["f"].params
    assert [(p.name, p.has_default, p.default, p.is_keyword_only) for p in params] == [
        ("x", False, None, False), ("y", True, 2.0, False), ("z", True, None, True),
    ]


def test_example_inputs() -> None:
    found = program.compile_function(same, [1.5])
    assert found.methods["same"].params[0].type == FLOAT


def test_internal_errors_are_wrapped(monkeypatch: Any, tmp_path: Any) -> None:
    from tsm.frontend.infer import inference as infer

    def fail(self: object) -> None:
        raise LookupError("broken")

    monkeypatch.setenv("TSM_REPRO", str(tmp_path))
    monkeypatch.setattr(infer.FunctionInference, "run", fail)
    with pytest.raises(CompileError, match="internal error of the compiler"):
        program.compile_function(same)
    assert "broken" in (tmp_path / "tsm_repro_0.py").read_text()


SURVIVING_PATHS = {
    "one arm": "def f(n: int):\n  if n:\n    x = 5\n  else:\n    return 0\n  return x",
    "one break": "def f(n: int):\n  while True:\n    if n:\n      x = 5\n      break\n    n = 1\n  return x",
    "walrus beside an unbound name": "def f(n: int):\n  y = (z := n) if n > 2 else z\n  return y, z",
    "walrus on the right of and": "def f(n: int):\n  y = n > 2 and (q := n)\n  return y, q",
    "unbound index": "def f(n: int):\n  xs = [1]\n  xs[i] = 2\n  i = 0\n  return xs",
    "unbound in a condition": "def f(n: int):\n  while n == 2 and k == 'b':\n    for k in 'abc': n -= 1\n  return n",
    "unbound iterable": "def f(n: int):\n  ys: list[int] = [x for x in xs]\n  xs = ys\n  return n",
    "method without result as a value": "def f(xs: list[int]): return (xs.sort(), 1)",
    "always raising callee": "def f(n: int):\n  if n: g(n)\n  return 5\ndef g(n: int): raise KeyError(n)",
}


@pytest.mark.parametrize("text", SURVIVING_PATHS.values(), ids=list(SURVIVING_PATHS))
def test_paths_that_end_early(text: str) -> None:
    compiled(text)


def test_declared_containers_convert() -> None:
    compiled("def f(xs: list[float], n: int):\n  xs.append(n)\n  xs[0] = n\n  return xs")


MANY_CLASSES = 70
LEARNER = """
class Learner{0}:
    def __init__(self, size):
        self.size = size
        self.seen = []
        self.best = None
        self.other = None

    def take(self, value):
        self.seen.append(value)
        if self.best is None or value > self.best:
            self.best = value

    def adopt(self, other):
        self.other = other

"""


def counted_runs(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each function is inferred from now on."""
    runs = Counter[str]()
    run = FunctionInference.run

    def counted(self: FunctionInference) -> Any:
        runs[self.source.name] += 1
        return run(self)

    monkeypatch.setattr(FunctionInference, "run", counted)
    return runs


def test_attributes_of_many_classes_are_learned_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each class learns types at its calls, and what was inferred before is inferred anew once, not once for each."""
    text = "".join(LEARNER.format(number) for number in range(MANY_CLASSES)) + "\ndef main(n: int) -> str:\n"
    for number in range(MANY_CLASSES):
        text += f"    one{number} = Learner{number}(n)\n    one{number}.take(n + {number})\n"
        text += f"    one{number}.adopt(one{max(0, number - 1)})\n"
    text += f"    return str(one0.seen) + str(one{MANY_CLASSES - 1}.other.best)\n"
    path = tmp_path / "learners.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("learners", path)
    assert spec is not None and spec.loader is not None
    learners = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "learners", learners)
    spec.loader.exec_module(learners)
    runs = counted_runs(monkeypatch)
    assert tsm.script(learners.main)(3) == learners.main(3)
    assert runs["main"] <= 4
    assert runs["take"] <= 4 * MANY_CLASSES


def numbered(n: int) -> int:
    return n + 1


def grouped(n: int) -> int:
    rows = []
    for i in range(n):
        if rows and rows[-1][0] == i % 3:
            rows[-1][1].append(i)
        else:
            rows.append((i % 3, [i]))
    return len(rows)


def grouped_wrongly(n: int) -> int:
    return grouped(n) + n.missing


def calls_both(n: int) -> int:
    return numbered(n) + grouped(n) + grouped_wrongly(n)


def test_what_is_known_late_is_inferred_anew_without_its_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements that a loop's first line asks for are known at its end: that function starts again, and no other."""
    runs = counted_runs(monkeypatch)
    with pytest.raises(CompileError, match="'int' has no attribute 'missing'"):
        tsm.script(calls_both)
    assert runs == {"calls_both": 1, "numbered": 1, "grouped": 2, "grouped_wrongly": 1}


def test_what_two_functions_report_at_one_place_is_known_of_each() -> None:
    """A specialisation says its messages again where a caller's round took them back, not those of another."""
    reporter, span = AttemptReporter(), Span("<string>", 1, 1, 1, 2)
    outer = reporter.mark()
    reporter.error(span, "wrong")
    inner = reporter.mark()
    reporter.error(span, "wrong")
    reporter.error(span, "wrong")
    found = reporter.since(inner)
    assert [each.message for each in found] == ["wrong"]
    reporter.rewind(inner)
    assert reporter.has_errors
    reporter.rewind(outer)
    assert not reporter.has_errors
    reporter.add(found[0])
    assert [each.message for each in reporter.since(outer)] == ["wrong"]
