"""docs/ops.md is what the table gives; `--accept` writes it anew."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from tsm.binding import table

SCRIPT = Path(__file__).resolve().parent.parent / "docs" / "make_ops.py"


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_ops", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(accept: bool) -> None:
    made = generator()
    if accept:
        made.PAGE.write_text(made.page(), encoding="utf-8")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run `python docs/make_ops.py`"


def test_the_page_names_every_operator_and_every_trait_once() -> None:
    text = generator().page()
    first_cells = [line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if line.startswith("| ")]
    assert [cell[1:-1] for cell in first_cells if cell.startswith("`")] == [row.full_name for row in table.rows()]
    for trait in {trait for row in table.rows() for trait in row.traits}:
        assert first_cells.count(trait) == 1, trait
