"""docs/language-matrix.md and the records behind it are those of the corpus; `--accept` writes the page anew."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
import recorded
from test_programs import CORPUS, NEEDS

import oracle

SCRIPT = Path(__file__).resolve().parent.parent / "docs" / "make_matrix.py"
RECORD = recorded.load(recorded.PYTHON)


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_matrix", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = sys.modules["make_matrix"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("item", CORPUS, ids=lambda item: item.name)
def test_the_interpreter_gives_what_is_recorded(item: oracle.Program) -> None:
    recorded.skip_if_changed(item.name)
    assert item.name in RECORD, "run `python tests/recorded.py` under CPython 3.11"
    assert recorded.agree(recorded.outcomes(item), RECORD[item.name])


@pytest.mark.skipif(any(sys.version_info < version for version in NEEDS.values()),
                    reason="the page is of all programs, some of which need a later Python")
def test_the_page_is_up_to_date(accept: bool) -> None:
    made = generator()
    if accept:
        made.PAGE.write_text(made.page(), encoding="utf-8")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run `python docs/make_matrix.py`"


def test_the_corpus_is_as_large_as_it_says() -> None:
    accepted, refused = len(CORPUS), len(oracle.REFUSED)
    assert accepted + refused >= 1200
    assert accepted >= 0.97 * (accepted + refused)
