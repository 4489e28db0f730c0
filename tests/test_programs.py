"""The corpus: every program of tests/programs against the oracle, and the corpus against repetition.

`pytest tests/test_programs.py -k name` runs one program.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
import textwrap
from pathlib import Path

import pytest
import recorded

import language_rows
import oracle

FOLDER = Path(__file__).parent / "programs"
NEEDS = {"flags_corpus": (3, 11)}  # the first Python that has what a file imports


def load_corpus() -> list[oracle.Program]:
    for path in sorted(FOLDER.glob("*_corpus.py")):
        if path.stem not in sys.modules and sys.version_info >= NEEDS.get(path.stem, (3, 10)):
            spec = importlib.util.spec_from_file_location(path.stem, path)
            assert spec is not None and spec.loader is not None
            module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
            language_rows.of_row("")
            spec.loader.exec_module(module)
    return oracle.CORPUS


CORPUS = load_corpus()


@pytest.mark.parametrize("item", CORPUS, ids=lambda item: item.name)
def test_program(item: oracle.Program) -> None:
    recorded.skip_if_changed(item.name)
    oracle.check_program(item)


@pytest.mark.parametrize("item", oracle.REFUSED, ids=lambda item: item.name)
def test_refused(item: oracle.Refused) -> None:
    oracle.check_refused(item)


class Erase(ast.NodeTransformer):
    """Removes names and constants: what is left is the shape of a program."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name("x", node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg("x", self.visit(node.annotation) if node.annotation else None)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(type(node.value).__name__)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name, node.decorator_list = "f", []
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.name, node.decorator_list = "C", []
        return node


def test_corpus_is_large_and_without_repetition() -> None:
    assert len(CORPUS) >= 300
    seen: dict[str, str] = {}
    for item in [*CORPUS, *oracle.REFUSED]:
        tree = ast.parse(textwrap.dedent(inspect.getsource(item.source)))
        shape = ast.dump(Erase().visit(tree))
        assert shape not in seen, f"{item.name} is {seen[shape]} with other names"
        assert item.row in language_rows.BY_KEY, f"{item.name} belongs to no row: write of_row(...) above it"
        seen[shape] = item.name
    features = [item.feature for item in [*CORPUS, *oracle.REFUSED]]
    assert len(set(features)) == len(features), "two programs claim the same feature"
