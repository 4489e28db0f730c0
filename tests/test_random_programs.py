"""Random programs against CPython: a fixed run of 1,000, or a sample of it.

`make fuzz-programs COUNT=10000` is the long one, with a log. A difference shows the seed;
`tests/fuzz/compare_programs.py --count 1 --from N --reduced DIR` makes its program small.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent / "fuzz"))

import compare_programs  # noqa: E402
import mutate_corpus  # noqa: E402
import planted_bugs  # noqa: E402
import program_idioms  # noqa: E402
import program_log  # noqa: E402
import program_rows  # noqa: E402
import random_programs  # noqa: E402
import shrink_programs  # noqa: E402

import language_rows  # noqa: E402
import tsm  # noqa: E402

PIECES, PIECE = 20, 50  # pieces, so that workers of the test run share them
NOT_GENERATED: set[str] = set()


@pytest.mark.one_in(2)
@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other versions differ in texts and orders")
@pytest.mark.parametrize("number", range(PIECES))
def test_random_programs_agree_with_python(number: int) -> None:
    totals = compare_programs.Totals()
    for seed, verdict in compare_programs.verdicts(range(number * PIECE, (number + 1) * PIECE)):
        totals.add(seed, verdict)
    print(totals)
    shown = "\n".join(f"seed {seed}: {verdict.text}" for seed, verdict in totals.differences.items())
    assert not totals.differences, shown
    assert totals.kinds["same"] >= PIECE * 0.9, dict(totals.reasons)
    assert totals.excused <= totals.calls * 0.05


def test_every_row_is_generated() -> None:
    found = {row for seed in range(500) for row in program_rows.rows_of(random_programs.generate(seed))}
    missing = {row.key for row in language_rows.ROWS} - found
    assert missing == NOT_GENERATED
    assert {each.row for each in program_idioms.IDIOMS} <= {row.key for row in language_rows.ROWS}


def test_a_seed_always_gives_the_same_program() -> None:
    assert [random_programs.generate(seed) for seed in (3, 4, 3)][::2] == [random_programs.generate(3)] * 2


def test_a_program_that_differs_is_made_small() -> None:
    loop = "    for i in range(3):\n        b += i * 2\n"
    text = f"class A:\n    pass\n\n\ndef main(a: int) -> int:\n    b = a + 1\n    print(a)\n{loop}    return b // 0\n"
    small = shrink_programs.shrink(text, lambda candidate: "// 0" in candidate)
    assert small == "def main(a: int) -> int:\n    return b // 0"


def test_the_log_gives_its_sums() -> None:
    assert program_log.next_seed() == max((entry.last + 1 for entry in program_log.entries()), default=1)
    assert "rows of LANGUAGE.md" in program_log.totals()


def test_few_programs_of_the_log_are_refused() -> None:
    entries = program_log.entries()
    assert sum(each.refused for each in entries) <= 0.05 * sum(each.programs for each in entries)


def test_mutants_of_the_corpus(tmp_path: Path) -> None:
    assert mutate_corpus.mutant(5) == mutate_corpus.mutant(5)
    texts = {made[1] for made in map(mutate_corpus.mutant, range(20)) if made is not None}
    assert len(texts) >= 10
    counts = mutate_corpus.run(range(10), tmp_path)
    assert sum(counts.values()) == 10


@pytest.mark.parametrize("bug", planted_bugs.BUGS, ids=lambda bug: bug.title)
def test_what_a_planted_bug_replaces_is_there_once(bug: planted_bugs.Bug) -> None:
    text = (Path(tsm.__file__).parent / bug.file).read_text()
    assert text.count(bug.old) == 1 and bug.old != bug.new
