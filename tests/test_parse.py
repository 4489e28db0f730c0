"""The parser against CPython's: same trees, same positions; and functions found again from their objects."""

from __future__ import annotations

import ast
import io
import linecache
import os
import random
import subprocess
import sys
import tokenize
import warnings
from pathlib import Path

import pytest
from syntax_to_ast import dump_ours, dump_theirs, type_comments

from tsm.frontend.diagnostics import CompileError, SourceError
from tsm.frontend.parser import parse, syntax, tables

STDLIB = Path(os.__file__).parent

SNIPPETS = [
    "x = 0x_ff, 0o17, 0b1_0, 1_000, 1e5, 1.5e-3j, .5, 5., 00, 0xdeadbeef, 10**400",
    "x = " + "9" * 5000,
    "x = 'a' \"b\" '''c\nd''' r'\\n' u'e' '\\x41\\u0042\\N{BULLET}\\101\\\n'",
    "x = u'a' 'b', b'a\\x00' rb'\\n' Rb'x'",
    "x = f'{a}{b!r:>{w}}{{}} {c=} {d = !s} {e=:.3f}' f\"{x['y']}\" 'z'",
    "f'''{\na +\nb}'''",
    "f'{x:%H:%M}{lambda_:{a}{b}}{a != b}{(lambda: 1)()}'",
    "def f(a, b=1, /, c=2, *d, e, f=3, **g) -> int: pass",
    "def f(a, *, b): return",
    "lambda: 0\nlambda a, *b, c=1, **d: a\nlambda *, k: k",
    "with (a as b, c as d,): pass\nwith (a, b): pass\nwith (a): pass\nwith (yield): pass\nwith a, (b) as c: pass",
    "with (a).b as c, d(): pass\nwith (a as b): pass\nwith (a, b) as c: pass",
    "match = 1\nmatch[0] = case = 2\nmatch(x)\nmatch.x: int\nprint(match, case)",
    "match x:\n  case 1 | -2.5 | 1+2j | 'a' 'b' | None: pass\n  case [a, *_, {'k': v, **r}] if a: pass\n  case _: pass",
    "match x, y:\n  case a.b, C(1, k=2) as c: pass\n  case (): pass\n  case (a): pass\n  case (a,): pass\n"
    "  case *a,: pass\n  case {}: pass\n  case {a.b: 1, -1: x, None: y}: pass\n  case A(): pass",
    "try: a\nexcept* E as e: b\nelse: c\nfinally: d",
    "try:\n  a\nexcept (A, B): b\nexcept: c\nelse: d\nfinally:\n  e",
    "for x, *y in *a, b: pass\nelse: pass\nfor x in y: pass\nwhile a: b\nelse: c",
    "if a: b\nelif c: d\nelif e: f\nelse: g",
    "x[1:2, ::3, ..., *a] = x[a:=1] = x[*a] = x[:] = x[1:] = x[:, None]",
    "a = b = yield\nc += yield x\nd: int\n(e): int = 1\nf.g: int\nh: tuple = 1, *i",
    "@a.b(c)\n@d\nclass A(B, metaclass=C, **k):\n  x: int = 1; y = 2;\n  @staticmethod\n  async def f(): await x",
    "not a in b; a not in b; a is not b; not a == b < c; a or b and not c or d; a if b else c if d else e",
    "-a ** -b ** c; ~a @ b // c % d << e >> f & g | h ^ i; (a, ); (a); ()",
    "[x for x in a if b if c for y in d]; {x: y for x, y in z}; {*a, b}; {**a, 'b': 1}; f(x for x in y)",
    "async def f():\n  async for x in y: pass\n  async with a as b: pass\n  return [x async for x in y]",
    "print(*a, b, *c, k=1, **d, l=2)\nx = (y := 1)\nif (n := f()) > 1: pass",
    "from . import a\nfrom .. b import (c as d, e,)\nfrom ... import x\nfrom .... y import *\nimport a.b as c, d.e",
    "global a, b\ndel a, (b, c), d[0]\nassert a, b\nraise A from b\nraise",
    "if x:\n\ty\n\tif z:\n\t\tw\nx = 1 \\\n  + 2\n\f\ndef f():\n\n  # c\n\n  pass\n# end",
    "é = 'ü'; ﬁ = é; x = '日本' + y",
    "x = 1if y else 2\r\ny = 3\r\n",
    "", "\n\n", "# only a comment", "x", "if a:\n  b",
]  # fmt: skip


@pytest.mark.parametrize("text", SNIPPETS)
def test_a_snippet_parses_as_in_cpython(text: str) -> None:
    sys.set_int_max_str_digits(0)
    ours = parse.parse_source(text, "a.py")
    if sys.version_info < (3, 11) and any(new in text for new in ("except*", "[*a]", ", *a]")):
        pytest.skip("syntax of Python 3.11")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert dump_ours(ours) == dump_theirs(ast.parse(text), text)


NESTED = [  # strings in fields of f-strings, in the quotes around them (Python 3.12) and in others
    ("""f"{a["x"]}" """, """f"{a['x']}" """),
    ("""f'{a['b']['c']!r:>{w['k']}} and {len('}')}'""", """f'{a["b"]["c"]!r:>{w["k"]}} and {len("}")}'"""),
    ("""f"{f"{f"{x:{"w"}}"}"}" """, """f'{f"{f'{x:{"w"}}'}"}' """),
    ("""rf'{'\\d'}{x}'""", """rf'{"\\d"}{x}'"""),
]


@pytest.mark.parametrize(("text", "other"), NESTED)
def test_f_strings_hold_strings_in_the_same_quotes(text: str, other: str) -> None:
    ours = dump_ours(parse.parse_source(text, "a.py"))
    assert ours == dump_ours(parse.parse_source(other, "a.py"))
    if sys.version_info >= (3, 12):
        assert ours == dump_theirs(ast.parse(text), text)


def test_an_f_string_that_does_not_end_is_refused() -> None:
    for text in ("f'{a['", "f'{a", "f'{a:", "f'{a['b'}'", "f'{a[\nb'", "f'" + "{f'" * 100, "f'{(' )}'"):
        with pytest.raises(CompileError):
            parse.parse_source(text, "a.py")


def has_nested_quotes(text: str) -> bool:
    """Whether an f-string holds its own kind of quotes, a backslash or a line end: Python 3.12 on (PEP 701)."""
    start, end = getattr(tokenize, "FSTRING_START", None), getattr(tokenize, "FSTRING_END", None)
    around: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if around and token.type in (start, tokenize.STRING, tokenize.NL):
            if token.type == tokenize.NL or "\\" in token.string or token.string[-1] in around[-1]:
                return True
        if token.type == start:
            around.append(token.string)
        elif token.type == end:
            around.pop()
    return False


def test_the_standard_library_parses_as_in_cpython() -> None:
    files = [path for path in sorted(STDLIB.rglob("*.py")) if "site-packages" not in path.parts]
    files = [path for path in files if path.stat().st_size < 12_000]
    compared = 0
    for path in random.Random(3).sample(files, 300):
        data = path.read_bytes()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                text = parse.decode_source(data, str(path))
                theirs = ast.parse(text, feature_version=(3, 11))
            if has_nested_quotes(text):
                continue
        except (SyntaxError, ValueError, CompileError):
            with pytest.raises(CompileError):
                parse.parse_source(data, str(path))
            continue
        ours = parse.parse_source(data, str(path))
        for node in syntax.walk(ours):
            if hasattr(node, "type_comment"):
                node.type_comment = None
        assert dump_ours(ours) == dump_theirs(theirs, text), path
        compared += 1
    assert compared > 280


@pytest.mark.parametrize(
    "text",
    [
        "x = [] # type: list[int]\nfor a in b: # type: int\n  pass\nwith a as b: # type: X\n  pass",
        "def f(a, b):\n  # type: (int, str) -> int\n  return a # type: ignore",
        "def f(a, # type: int\n      b=1, # type: str\n      ):\n  # type: (...) -> None\n  x = 1",
        "def f(a): # type: (int) -> int\n  return a",
    ],
)
def test_type_comments_are_kept(text: str) -> None:
    assert type_comments(parse.parse_source(text, "a.py")) == type_comments(ast.parse(text, type_comments=True))


def test_positions_are_those_of_the_file() -> None:
    module = parse.parse_source("a\nbc", "a.py", first_line=10, column_offset=4)
    assert [tuple(node.span)[1:] for node in module.body] == [(10, 5, 10, 6), (11, 1, 11, 3)]


@pytest.mark.parametrize("text", ["-" * 8_000 + "1", "(" * 8_000, "a" + ".b" * 8_000, "a+" * 5_000 + "a",
                                  "if a: b\n" + "elif a: b\n" * 5000, "not " * 2000 + "a", "[" * 150 + "]" * 150,
                                  "".join(" " * i + "if a:\n" for i in range(300))])  # fmt: skip
def test_deep_nesting_is_refused_or_parsed_never_a_crash(text: str) -> None:
    try:
        parse.parse_source(text, "a.py")
    except CompileError as error:
        assert error.diagnostics[0].span.file == "a.py"


def outer(captured: int):  # type: ignore[no-untyped-def]
    @staticmethod
    def inner(x, y=3):  # type: ignore[no-untyped-def]
        """Doc

string without indentation."""
        return x + y * captured

    return inner


def test_a_nested_decorated_function_is_found_with_its_columns() -> None:
    parsed = parse.parse_function(outer(1).__func__)
    assert parsed.node.name == "inner"
    assert parsed.node.span.column == 5
    assert parsed.node.span.line == outer.__code__.co_firstlineno + 2
    assert parsed.text.split("\n")[parsed.node.span.line - 1].lstrip().startswith("def inner")


def test_the_right_lambda_of_several_is_found() -> None:
    first, second = (lambda x: x + 1), (lambda x: x +
                                        2)  # fmt: skip
    found = [parse.parse_function(each).node.body[0] for each in (first, second)]
    assert [node.value.right.value for node in found] == [1, 2]  # type: ignore[attr-defined]


def define(text: str, name: str, filename: str = "<cell 1>"):  # type: ignore[no-untyped-def]
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space: dict[str, object] = {}
    exec(compile(text, filename, "exec"), space)
    return space[name]


def test_exec_d_source_in_linecache_is_found() -> None:
    parsed = parse.parse_function(define("x = 1\ndef f(a):\n    return a\ny = 2\n", "f"))
    assert (parsed.node.name, parsed.file, parsed.node.span.line) == ("f", "<cell 1>", 2)


@pytest.mark.parametrize(
    "edited", ["def g(a):\n    return a\n", "def f(b):\n    return 7\n", "def f(a):\n    return 8\n", "x = 1\n"]
)
def test_edited_source_is_refused(edited: str) -> None:
    function = define("def f(a):\n    return 7\n", "f", "<cell 2>")
    linecache.cache["<cell 2>"] = (len(edited), None, edited.splitlines(True), "<cell 2>")
    with pytest.raises(SourceError, match="it was edited since it was imported"):
        parse.parse_function(function)


def test_missing_source_is_refused() -> None:
    space: dict[str, object] = {}
    exec("def f(): pass", space)
    with pytest.raises(SourceError, match="the source text of 'f' is not available"):
        parse.parse_function(space["f"])  # type: ignore[arg-type]
    with pytest.raises(SourceError, match="'len' has no Python source"):
        parse.parse_function(len)


def test_importing_the_package_loads_no_lark() -> None:
    code = "import sys, tsm.frontend; assert 'lark' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_tables_are_saved_and_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "TABLES", tmp_path / "tables.bin")
    assert tables.load() is None
    path = tables.write()
    loaded = tables.load()
    assert loaded is not None and loaded.spelling == tables.parser().spelling
    path.write_bytes(b"\0" + path.read_bytes()[1:])
    assert tables.load() is None


def test_every_rule_has_a_builder() -> None:
    from tsm.frontend.parser.build import RULE_CLASSES, Builder

    rules = {rule.alias or str(rule.origin.name) for rule in tables.build().engine.rules}
    expand = {str(r.origin.name) for r in tables.build().engine.rules if r.options.expand1 and not r.alias}
    named = {rule for rule in rules - expand if not rule.startswith("_")}
    assert {rule for rule in named if rule not in RULE_CLASSES and not hasattr(Builder, f"build_{rule}")} == set()
