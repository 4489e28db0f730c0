"""The benchmark's bookkeeping, without timing: rows, medians, turns, wrong results, claims, kept files, pages."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tsm

BENCH = Path(__file__).resolve().parent.parent / "bench"


@pytest.fixture(scope="module", autouse=True)
def bench_path() -> Any:
    sys.path.insert(0, str(BENCH))
    yield
    sys.path.remove(str(BENCH))


@pytest.fixture
def bench(bench_path: Any) -> ModuleType:
    import run

    return run


@pytest.fixture
def kept(bench: ModuleType, tmp_path: Path) -> Any:
    return bench.Kept("build a", tmp_path / "kept")


def workload(**changes: Any) -> Any:
    from workloads import Workload, given

    made: dict[str, Any] = {"name": "toy", "title": "Toy", "program": "loops.add", "inputs": given(3, 4),
                            "engines": ("eager", "jit"), "best": 0.9, "targets": {"jit": 0.5}, "threads": (1,)}
    return Workload(**{**made, **changes})


def row(times: dict[str, list[float]], failures: dict[str, str] | None = None, **changes: Any) -> dict[str, Any]:
    import report
    from rounds import Measured

    figures = {name: Measured(values, 1e-7, 2048) for name, values in times.items()}
    made: dict[str, Any] = report.row(workload(**changes), 1, figures, failures or {})
    return made


class FakeWorker:
    """Answers as a process would; `plan` says what each engine gives: its result and the times of its runs."""

    plan: dict[str, tuple[Any, list[float]]]
    log: list[str]

    def __init__(self, name: str, item: Any, threads: int, folder: Path) -> None:
        import rounds

        if name not in self.plan:
            raise rounds.EngineError("it is not there")
        self.name = name
        self.given, times = self.plan[name]
        self.times = iter(times)

    def result(self, path: Path) -> list[Any]:
        return [np.asarray(self.given)]

    def run(self, count: int) -> float:
        import rounds

        self.log.append(self.name)
        time = next(self.times, None)
        if time is None:
            raise rounds.EngineError("it died")
        return time

    def ask(self, question: str) -> str:
        assert question == "memory"
        return "1024"

    def close(self) -> None:
        self.log.append(f"close {self.name}")


@pytest.fixture
def fake(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> type[FakeWorker]:
    import rounds

    FakeWorker.log = []
    monkeypatch.setattr(rounds, "Worker", FakeWorker)
    monkeypatch.setattr(rounds, "calibrate", lambda worker, nanoseconds: 1)
    return FakeWorker


def measure(fake: type[FakeWorker], plan: dict[str, tuple[Any, list[float]]], count: int, expected: Any) -> Any:
    import rounds

    fake.plan = plan
    return rounds.measure(workload(), list(plan), 1, Path("."), count, expected)


def test_turns_rotate_and_the_first_round_does_not_count(fake: type[FakeWorker]) -> None:
    plan = {"tsm": (7.0, [900.0, 10.0, 30.0, 20.0]), "eager": (7.0, [900.0, 50.0, 40.0, 60.0])}
    figures, failures = measure(fake, plan, 3, [np.asarray(7.0)])
    assert not failures
    assert figures["tsm"].median == 20.0 and figures["eager"].median == 50.0
    assert figures["tsm"].memory == 1024
    assert fake.log[:8] == ["tsm", "eager", "eager", "tsm", "tsm", "eager", "eager", "tsm"]


def test_wrong_results_are_failures_and_are_not_timed(fake: type[FakeWorker]) -> None:
    plan = {"tsm": (7.0, [1.0] * 2), "eager": (7.1, [1.0] * 2), "jit": (float("nan"), [1.0] * 2)}
    figures, failures = measure(fake, plan, 1, [np.asarray(7.0)])
    assert set(figures) == {"tsm"}
    assert failures == {"eager": "wrong: its result is off by 1.4e-02", "jit": "wrong: its result is off by inf"}
    assert "eager" not in fake.log


def test_a_wrong_result_of_ours_is_a_claim_that_is_not_met(fake: type[FakeWorker]) -> None:
    import report
    import shows

    plan = {"tsm": (6.0, [1.0] * 2), "eager": (7.0, [2.0] * 2), "jit": (7.0, [2.0] * 2)}
    figures, failures = measure(fake, plan, 1, [np.asarray(7.0)])
    found = shows.of_workload(workload(), 1, report.row(workload(), 1, figures, failures))
    assert [claim.is_met for claim in found] == [False, False]
    assert all(claim.verdict.startswith("**not met**: wrong") for claim in found)


def test_an_engine_that_does_not_start_is_left_out(fake: type[FakeWorker]) -> None:
    import rounds

    fake.plan = {"tsm": (7.0, [1.0] * 2)}
    figures, failures = rounds.measure(workload(), ["tsm", "eager"], 1, Path("."), 1, [np.asarray(7.0)])
    assert set(figures) == {"tsm"} and failures == {"eager": "it is not there"}


def test_an_engine_that_dies_on_the_way_is_left_out(fake: type[FakeWorker]) -> None:
    plan = {"tsm": (7.0, [1.0] * 4), "eager": (7.0, [1.0] * 2)}
    figures, failures = measure(fake, plan, 3, [np.asarray(7.0)])
    assert len(figures["tsm"].rounds) == 3 and set(figures) == {"tsm"}
    assert failures == {"eager": "it died"} and fake.log.count("close eager") == 1


@pytest.mark.parametrize(("found", "expected", "error"), [
    ([1.0, 2.0], [1.0, 2.0], 0.0),
    ([1.0, 2.5], [1.0, 2.0], 0.25),
    ([1.0], [1.0, 2.0], float("inf")),
    ([1.0, float("nan")], [1.0, 2.0], float("inf")),
    ([1, 3], [1, 2], float("inf")),
    ([1, 2], [1, 2], 0.0),
])
def test_largest_error(bench: ModuleType, found: list[float], expected: list[float], error: float) -> None:
    import rounds

    assert rounds.largest_error([np.asarray(found)], [np.asarray(expected)]) == error
    assert rounds.largest_error([], [np.asarray(expected)]) == float("inf")


def test_a_row_has_medians_in_its_unit(bench: ModuleType) -> None:
    import report

    made = row({"tsm": [3000.0, 1000.0, 2000.0], "eager": [8000.0], "jit": [4000.0]})
    assert made["engines"]["tsm"]["time"] == 2.0 and made["unit"] == "us"
    assert report.best_peer(made) == "jit" and report.ours(made) == 2.0
    assert row({"tsm": [3000.0]}, work=3, unit="ns")["engines"]["tsm"]["time"] == 1000.0
    assert report.spread([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx(2 / 3)


def test_our_own_engines_are_no_peers(bench: ModuleType) -> None:
    import report

    made = row({"tsm": [5.0], "tsm-c": [1.0], "tsm-c-direct": [2.0], "tsm-c-one": [3.0], "jit": [9.0]})
    assert report.peers(made) == {"jit": pytest.approx(0.009)}


def test_claims_compare_with_their_limits(bench: ModuleType) -> None:
    import shows

    made = row({"tsm": [450.0], "eager": [500.0], "jit": [1000.0]})
    best, jit = shows.of_workload(workload(), 1, made)
    assert best.figure == pytest.approx(0.9) and best.is_met and "PyTorch eager" in best.what
    assert jit.figure == pytest.approx(0.45) and jit.verdict == "met" and jit.target == "<= 0.5"
    slower = row({"tsm": [460.0], "eager": [500.0], "jit": [1000.0]})
    assert [claim.verdict for claim in shows.of_workload(workload(), 1, slower)] == ["**not met**", "met"]
    assert not shows.Claim(6, "", 1.7, 1.8, is_least=True).is_met
    assert shows.Claim(6, "", 1.8, 1.8, is_least=True).is_met


def test_two_threads_are_held_against_what_bounds_them(bench: ModuleType) -> None:
    import shows

    made = row({"tsm-c": [10.0], "tsm-c-one": [15.0]})
    computes = shows.of_threads(workload(bound="compute"), made)
    reads = shows.of_threads(workload(bound="read 16 MB"), {**made, "gain": 1.6})
    assert [(claim.figure, claim.limit, claim.is_met) for claim in (*computes, *reads)] == [
        (pytest.approx(1.5), 1.8, False), (pytest.approx(1.5), 1.44, True)]


def test_products_are_held_to_their_worst_shape(bench: ModuleType) -> None:
    import shows

    found = (("256x256x256", 1.21, 0.9), ("1x64x64", 1.0, 0.8), ("1x64x64", 1.0, 0.9), ("1x9x9", 1.0, 0.95),
             ("4x8x8", 0.8, 0.1))
    rows = [{"shape": shape, "ratio": ratio, "share": share} for shape, ratio, share in found]
    mean, worst, peak, read = shows.of_products([*rows, {"note": "text"}])
    assert mean.figure == pytest.approx((1.21 * 0.8) ** (1 / 4))
    assert worst.figure == 0.8 and not worst.is_met and "4x8x8" in worst.what
    assert peak.figure == 0.9 and read.figure == pytest.approx(0.85) and "1x64x64" in read.what
    assert [claim.figure for claim in shows.of_products([])] == [None] * 4


def test_every_show_and_every_workload_has_claims(kept: Any) -> None:
    import shows
    from workloads import WORKLOADS

    found = shows.claims(kept)
    assert {claim.show for claim in found} == set(shows.SHOWS)
    assert all(claim.verdict == "not measured" and not claim.is_met for claim in found)
    without = {name for name, item in WORKLOADS.items() if not shows.of_workload(item, 1, None)}
    assert without == {"detector", "potential", "audio"}


def test_results_are_kept_by_build(bench: ModuleType, kept: Any) -> None:
    assert kept.rows("toy-1") == [] and not kept.has("toy-1")
    kept.save("toy-1", [{"name": "toy"}])
    other = bench.Kept("build b", kept.folder)
    assert kept.has("toy-1") and not other.has("toy-1")
    assert other.rows("toy-1") == [{"name": "toy"}]
    other.save("more", [])
    assert kept.builds() == {"build a", "build b"}
    assert not list(kept.folder.glob("*.new"))


def arguments(bench: ModuleType, tmp_path: Path, *names: str, **changes: Any) -> argparse.Namespace:
    made = {"names": list(names), "threads": [1, 2], "rounds": 1, "engines": None, "write": True, "minutes": 1.0,
            "into": tmp_path}
    return argparse.Namespace(**{**made, **changes})


@pytest.fixture
def measured(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What run.py measures, when all there is are two toys and a part; nothing is started."""
    log: list[str] = []
    toys = {name: workload(name=name, threads=(1, 2) if name == "other" else (1,)) for name in ("toy", "other")}
    monkeypatch.setattr(bench, "WORKLOADS", toys)
    monkeypatch.setattr(bench, "PARTS", {"part": lambda folder, count: log.append("part") or [{}]})
    monkeypatch.setattr(bench, "build_driver", lambda folder: None)

    def fake_bench(item: Any, threads: int, *_: Any) -> dict[str, Any]:
        log.append(f"{item.name}-{threads}")
        return row({"tsm": [1.0], "jit": [4.0]}, name=item.name)

    monkeypatch.setattr(bench, "bench", fake_bench)
    return log


def test_a_run_goes_on_where_the_last_one_ended(
    bench: ModuleType, kept: Any, measured: list[str], tmp_path: Path
) -> None:
    kept.save("other-1", [row({"tsm": [1.0]})])
    assert bench.run(arguments(bench, tmp_path), kept, tmp_path)
    assert measured == ["toy-1", "other-2", "part"]
    measured.clear()
    assert bench.run(arguments(bench, tmp_path), kept, tmp_path)
    assert measured == []
    assert bench.run(arguments(bench, tmp_path, "toy"), kept, tmp_path)
    assert measured == ["toy-1"]
    measured.clear()
    newer = bench.Kept("build b", kept.folder)
    assert bench.run(arguments(bench, tmp_path), newer, tmp_path)
    assert measured == ["toy-1", "other-1", "other-2", "part"]


def test_nothing_is_begun_when_the_time_is_over(
    bench: ModuleType, kept: Any, measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.run(arguments(bench, tmp_path, minutes=0.0), kept, tmp_path)
    assert measured == [] and "no time left for toy-1: run again" in capsys.readouterr().out


def test_a_wrong_result_of_ours_fails_the_run(
    bench: ModuleType, kept: Any, measured: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = row({"jit": [1.0]}, {"tsm-c": "wrong: its result is off by 1.0e+00"})
    monkeypatch.setattr(bench, "bench", lambda *_: broken)
    assert not bench.run(arguments(bench, tmp_path, "toy"), kept, tmp_path)
    theirs = row({"tsm": [1.0]}, {"jit": "wrong: its result is off by 1.0e+00"})
    monkeypatch.setattr(bench, "bench", lambda *_: theirs)
    assert bench.run(arguments(bench, tmp_path, "toy"), kept, tmp_path)


def test_the_page_has_all_shows_before_and_after(bench: ModuleType, kept: Any) -> None:
    import page
    import shows

    empty = page.page(kept)
    headings = [f"## {show}. {title}" for show, title in shows.SHOWS.items()]
    assert all(heading in empty for heading in headings) and "not measured" in empty
    times = {"tsm": [1.0], "onnxruntime": [4.0], "openvino": [5.0]}
    made = row(times, {"ncnn": "it died"}, name="lenet", title="LeNet")
    kept.save("lenet-1", [made])
    kept.save("potential-1", [row({"tsm": [9.0], "openvino": [6.0]}, name="potential", title="Atoms")])
    kept.save("baselines", [{"engines": {"tsm": 1024, "onnxruntime": 2048}}])
    kept.save("needs", [{"name": "lenet", "least": 1 << 20, "most": 3 << 20, "held": 4 << 20}])
    text = page.page(kept)
    assert "| LeNet 3x32x32: of onnxruntime's time | 0.25 | <= 0.9 | met |" in text
    assert "| Atoms | 1 | OpenVINO | 1.50 |" in text
    assert "| only started | 1 | 2 | - | - |" in text
    assert "| LeNet | 2 | 2 | 2 | 3.0 / 1.0 |" in text
    assert "LeNet: ncnn: it died" in text


def test_exporters_say_why(bench: ModuleType, tmp_path: Path) -> None:
    import export
    from workloads import WORKLOADS

    log = tmp_path / "toy.onnx.log"
    assert export.last_line(log) == "it said nothing"
    log.write_text("a\nno such operator\n\n")
    assert export.last_line(log) == "no such operator"
    assert export.ncnn_name(workload(name="mlp-1")) == "mlp_1"
    assert {export.onnx_path(WORKLOADS[name], tmp_path).name for name in ("gpt2", "gpt2-int8")} == {"greedy.onnx"}


def test_inputs_are_the_same_in_every_process(bench: ModuleType) -> None:
    from workloads import WORKLOADS

    first, second = (WORKLOADS["potential"].arguments() for _ in range(2))
    for one, other in zip(first, second):
        np.testing.assert_array_equal(one, other)
    species, positions, pairs, shifts = first
    ends = positions[pairs[1]] + shifts - positions[pairs[0]]
    assert species.shape == (216,) and pairs.shape[0] == 2 and 0.5 < np.linalg.norm(ends, axis=1).min()
    assert np.linalg.norm(ends, axis=1).max() < 5.0 + 1e-4


def small(item: Any) -> int:
    """An argument that takes no time."""
    return min(item.argument, 12 if "recursive" in item.title else 50)


def language_workloads() -> list[Any]:
    sys.path.insert(0, str(BENCH))
    from language import WORKLOADS

    sys.path.remove(str(BENCH))
    return WORKLOADS


@pytest.mark.parametrize("item", language_workloads(), ids=lambda item: item.name)
def test_language_twins_agree(bench: ModuleType, item: Any) -> None:
    expected = item.function(small(item))
    assert tsm.script(item.function)(small(item)) == expected
    if shutil.which("lua5.4"):
        text = f"dofile([[{BENCH / item.lua_file}]]) print(string.format('%.17g', {item.name}({small(item)})))"
        done = subprocess.run(["lua5.4", "-e", text], capture_output=True, text=True, check=True)
        assert float(done.stdout) == pytest.approx(expected, rel=1e-12)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("name", ["driver.c", "gemm.c", "handoff.c", "limits.c"])
def test_programs_fit_the_runtime(name: str) -> None:
    runtime = BENCH.parent / "runtime_c"
    folders = [f"-I{runtime / 'src'}", f"-I{runtime / 'include'}", f"-I{runtime / 'cli'}"]
    command = ["cc", "-std=gnu11", "-fsyntax-only", "-Wall", "-Werror", *folders, str(BENCH / name)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_line_of_a_product_is_read(bench: ModuleType) -> None:
    import parts

    line = "1x768x768    ratio 1.21 to sgemv     0.90 of reading  GFLOP/s: tsm 58  MKL 36  sgemv 48"
    assert parts.PRODUCT.findall(line) == [("1x768x768", "1.21", "sgemv", "0.90", "tsm 58  MKL 36  sgemv 48")]
