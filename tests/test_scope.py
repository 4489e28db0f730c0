"""Scopes against CPython's symbol tables, and lookups of free names."""

from __future__ import annotations

import ast
import os
import random
import symtable
import sys
import warnings
from pathlib import Path

import pytest
from symtable_to_kinds import kinds_of_ours, kinds_of_theirs

import tsm
from tsm.frontend.diagnostics import Reporter
from tsm.frontend.parser import parse
from tsm.frontend.parser.scope import Kind, mangle, resolve

# PEP 709: since Python 3.12 symbol tables hold a comprehension's names in the scope around it.
INLINED = (ast.ListComp, ast.SetComp, ast.DictComp) if sys.version_info >= (3, 12) else ()

SNIPPETS = [
    "def f(a, *b, c=x, **d):\n  e = a\n  def g():\n    nonlocal e\n    e = b\n    return h\n  return g",
    "def f():\n  global x\n  x = 1\n  def g(): return x\n  y = [z for z in y if z for w in z]\n  return g",
    "class _A:\n  __x = 1\n  def f(self): return self.__x, __y, __class__, super()\n  def g(__p): return lambda: __p",
    "def f():\n  return [a := b for b in c], {k: v for k, v in d}, (e for e in (lambda: f)())",
    "x = 1\nclass C:\n  x = x\n  y = [x for _ in x]\n  def m(self): return x",
    "def f():\n  for i in r:\n    with a as (b, c.d), e as g: pass\n  try: pass\n  except E as err: pass\n"
    "  del i, c[j]\n"
    "  import m.n, o as p\n  from q import s as t\n  match u:\n    case [v, *w, {'k': y, **z}]: pass",
    "def f(x):\n  def g():\n    def h(): return x\n    return h\n  x: int\n  y: int = 1\n  x += 1\n  return g",
    "def f(__a):\n  x = 1\n  class C:\n    global x\n    x = 2\n    def g(self): return x\n  return C",
]


@pytest.mark.parametrize("text", SNIPPETS)
def test_a_snippet_resolves_as_in_cpython(text: str) -> None:
    ours = kinds_of_ours(parse.parse_source(text, "a.py"))
    if not is_resolved_otherwise(text):
        assert ours == kinds_of_theirs(symtable.symtable(text, "a.py", "exec"))


def is_resolved_otherwise(text: str) -> bool:
    """Whether this Python, other than 3.11, has other symbol tables for the text."""
    return any(isinstance(node, INLINED) for node in ast.walk(ast.parse(text)))


def test_the_standard_library_resolves_as_in_cpython() -> None:
    files = [path for path in sorted(Path(os.__file__).parent.rglob("*.py")) if "site-packages" not in path.parts]
    files = [path for path in files if path.stat().st_size < 12_000]
    for path in random.Random(5).sample(files, 80):
        try:
            text = path.read_bytes().decode()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                theirs = symtable.symtable(text, str(path), "exec")
        except (SyntaxError, ValueError):
            continue
        if "import annotations" not in text and not is_resolved_otherwise(text):  # the former leaves some unresolved
            assert kinds_of_ours(parse.parse_source(text, str(path))) == kinds_of_theirs(theirs), path


def test_cells_loop_targets_and_deleted_names() -> None:
    module = parse.parse_source("def f(a, b):\n  for i in a: c = i\n  del c\n  return lambda: a\n", "a.py")
    function = module.body[0]
    scope = resolve(function, Reporter())[function]
    assert scope.kinds["a"] is Kind.CELL and scope.kinds["b"] is Kind.PARAMETER
    assert (scope.loop_targets, scope.deleted) == ({"i"}, {"c"})
    assert scope.locals == ["a", "b", "i", "c"]


def test_enclosing_variables_of_a_function_object_are_free() -> None:
    function = parse.parse_source("def f(): return x + y", "a.py").body[0]
    scope = resolve(function, Reporter(), enclosing=["x"])[function]
    assert (scope.kinds["x"], scope.kinds["y"]) == (Kind.FREE, Kind.GLOBAL)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(x):\n  global x", "name 'x' is parameter and global"),
        ("def f():\n  x = 1\n  global x", "name 'x' is assigned to before global declaration"),
        ("def f():\n  print(x)\n  global x", "name 'x' is used prior to global declaration"),
        ("def f():\n  nonlocal x", "no binding for nonlocal 'x' found"),
        ("nonlocal x", "nonlocal declaration not allowed at module level"),
        ("[x := 1 for x in y]", "assignment expression cannot rebind comprehension iteration variable 'x'"),
    ],
)
def test_misplaced_declarations_are_reported(text: str, message: str) -> None:
    reporter = Reporter()
    resolve(parse.parse_source(text, "a.py"), reporter)
    assert [each.message for each in reporter.diagnostics] == [message]


def test_mangling() -> None:
    names = [mangle(*pair) for pair in (("__x", "_C"), ("__x__", "C"), ("_x", "C"), ("__x", "__"), ("__x", None))]
    assert names == ["_C__x", "__x__", "_x", "__x", "__x"]


@pytest.mark.parametrize(("lines", "message"), [
    ("    print(x)\n    global x", "global"), ("    nonlocal y", "nonlocal"), ("    y = 1\n    global y", "global"),
])
def test_source_text_with_misplaced_declarations_is_refused(lines: str, message: str) -> None:
    with pytest.raises(tsm.CompileError, match=message):
        tsm.script(f"def f(x: int) -> int:\n{lines}\n    return x\n")
