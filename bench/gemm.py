"""Matrix products against MKL, oneDNN and OpenBLAS: `python bench/gemm.py --library libtsm.a`. Weights are packed where
linear layers pack them.

MKL and oneDNN are the ones inside torch, OpenBLAS the one inside numpy. Engines take turns in every round and the order
rotates; a figure is the median, the ratio is the best peer's time over tsm's, so that above 1 tsm is faster. With one
thread the clock counts the processor time of the thread, so that other work on the machine distorts less; with more it
is the wall clock. Results of all engines are compared with float64.

In the same rounds multiply-adds in registers are timed, and reading the weights where the product has them: "of peak"
is tsm's rate over the first, "of reading" the time of the second over that of a product with one row.
"""

from __future__ import annotations

import argparse
import ctypes
import glob
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SQUARE = [(n, n, n) for n in (128, 256, 384, 512, 768, 1024, 1536, 2048)]
SKINNY = [
    (16, 768, 768), (4, 768, 768), (1, 768, 768), (8, 768, 3072), (64, 512, 784), (64, 512, 512), (64, 10, 512),
    (1, 512, 784), (1, 1024, 256), (1, 2304, 768), (1, 4096, 4096), (128, 256, 256), (197, 576, 192), (128, 128, 64),
]
Engine = Callable[[int], float]


def built(library: str, folder: str) -> ctypes.CDLL:
    """gemm.c linked with libtsm.a into a shared library."""
    target = str(Path(folder) / "gemm.so")
    sources = ["-I", str(ROOT / "runtime_c/src"), str(ROOT / "bench/gemm.c"), library]
    flags = ["-O3", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC", "-pthread"]
    subprocess.run(["cc", *flags, *sources, "-lm", "-o", target], check=True)
    found = ctypes.CDLL(target)
    found.bench_new.restype = ctypes.c_void_p
    found.bench_run.restype = found.bench_peak.restype = found.bench_read.restype = ctypes.c_double
    return found


def aligned(shape: tuple[int, ...], seed: int) -> Any:
    import numpy as np

    count = int(np.prod(shape))
    room = np.empty(count + 16, np.float32)
    start = -room.ctypes.data % 64 // 4
    view = room[start : start + count].reshape(shape)
    view[...] = np.random.default_rng(seed).standard_normal(shape)
    return view


def address(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def timed(clock: int, function: Callable[[], object]) -> Engine:
    def run(count: int) -> float:
        start = time.clock_gettime(clock)
        for _ in range(count):
            function()
        return (time.clock_gettime(clock) - start) / count

    return run


def peers(
    m: int, n: int, k: int, a: Any, b: Any, threads: int, clock: int
) -> dict[str, tuple[Engine, Callable[[], Any]]]:
    """Of each peer a function that runs it and one that gives its result."""
    import numpy as np
    import torch

    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    one, zero, long = ctypes.c_float(1), ctypes.c_float(0), ctypes.c_int64
    mkl = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib/libtorch_cpu.so"))
    mkl.cblas_sgemm_pack_get_size.restype = ctypes.c_size_t
    packed = aligned((mkl.cblas_sgemm_pack_get_size(162, m, n, k) // 4 + 16,), 0)
    mkl.cblas_sgemm_pack(101, 162, 112, m, n, k, one, address(b), k, address(packed))
    out = [*(aligned((m, n), 0) for _ in range(3)), packed]  # kept alive by the functions below
    args = (101, 111, 151, m, n, k, address(a), k, address(packed), n, zero, address(out[0]), n)
    found = {"MKL": (timed(clock, lambda: mkl.cblas_sgemm_compute(*args)), lambda: out[0])}
    x, w = torch.from_numpy(a), torch.from_numpy(b)
    weight = torch.ops.mkldnn._reorder_linear_weight(w, m)
    linear = torch.ops.mkldnn._linear_pointwise
    found["oneDNN"] = (timed(clock, lambda: linear(x, weight, None, "none", [], "")),
                       lambda: linear(x, weight, None, "none", [], "").numpy())
    blas = ctypes.CDLL(glob.glob(os.path.join(os.path.dirname(np.__file__), "..", "numpy.libs", "*openblas*"))[0])
    blas.scipy_openblas_set_num_threads64_(threads)
    last = (long(k), address(b), long(k), zero, address(out[1]), long(n))
    sgemm = (long(101), long(111), long(112), long(m), long(n), long(k), one, address(a), *last)
    found["OpenBLAS"] = (timed(clock, lambda: blas.scipy_cblas_sgemm64_(*sgemm)), lambda: out[1])
    if m == 1:
        gemv = (long(101), long(111), long(n), long(k), one, address(b), long(k), address(a), long(1), zero,
                address(out[2]), long(1))
        found["sgemv"] = (timed(clock, lambda: blas.scipy_cblas_sgemv64_(*gemv)), lambda: out[2])
    return found


class Figures(NamedTuple):
    """The best peer's time over tsm's; tsm's rate over the peak; reading's time over tsm's, 0 with rows; the peak."""

    ratio: float
    peak: float
    reading: float
    gigaflops: float


def measure(tsm: ctypes.CDLL, shape: tuple[int, int, int], options: argparse.Namespace) -> Figures:
    """Prints a line for a shape."""
    import numpy as np

    m, n, k = shape
    clock = time.CLOCK_THREAD_CPUTIME_ID if options.threads == 1 else time.CLOCK_MONOTONIC
    a, b, c = aligned((m, k), 1), aligned((n, k), 2), aligned((m, n), 3)
    handle = ctypes.c_void_p(tsm.bench_new(options.isa.encode() if options.isa else None, options.threads))
    sizes = [ctypes.c_int64(size) for size in shape]
    assert handle.value and tsm.bench_set(handle, 0, *sizes, address(a), address(b), address(c), not options.unpacked)
    others = peers(m, n, k, a, b, options.threads, clock)
    engines: dict[str, Engine] = {"tsm": lambda count: tsm.bench_run(handle, clock, count)}
    engines.update({name: run for name, (run, _) in others.items()})
    if m == 1:
        engines["reading"] = lambda count: tsm.bench_read(handle, clock, count)
    peaks = []
    count = max(1, min(2000, int(1e8 / (m * n * k + 1e4))))
    names = list(engines)
    samples: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(options.rounds + 1):
        peaks.append(tsm.bench_peak(handle, clock))
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            seconds = engines[name](count)
            if turn:
                samples[name].append(seconds)
    exact = a.astype(np.float64) @ b.astype(np.float64).T
    for name, result in [("tsm", c), *((name, result()) for name, (_, result) in others.items())]:
        assert np.abs(result - exact).max() <= 1e-5 * k**0.5 * 4, f"{name} is wrong at {shape}"
    tsm.bench_free(handle)
    medians = {name: median(values) for name, values in samples.items()}
    reading = medians.pop("reading", 0.0) / medians["tsm"]
    peak = 2 * m * n * k / medians["tsm"] / median(peaks)
    best = min((name for name in medians if name != "tsm"), key=lambda name: medians[name])
    rates = "  ".join(f"{name} {2e-9 * m * n * k / seconds:.0f}" for name, seconds in medians.items())
    ratio = medians[best] / medians["tsm"]
    share = f"{reading:.2f} of reading" if m == 1 else f"{peak:.2f} of peak   "
    print(f"{m}x{n}x{k:<6} ratio {ratio:.2f} to {best:<9} {share}  GFLOP/s: {rates}", flush=True)
    return Figures(ratio, peak, reading, median(peaks) / 1e9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", required=True, help="libtsm.a")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--isa", help="base, avx2 or avx512; default the best")
    parser.add_argument("--unpacked", action="store_true", help="tsm's weights as they are")
    parser.add_argument("--shapes", help="such as 16x768x768,4x768x768 (rows x outputs x inputs)")
    options = parser.parse_args()
    shapes = [*SQUARE, *SKINNY]
    if options.shapes:
        shapes = [tuple(map(int, text.split("x"))) for text in options.shapes.split(",")]  # type: ignore[misc]
    with tempfile.TemporaryDirectory() as folder:
        tsm = built(options.library, folder)
        found = {shape: measure(tsm, shape, options) for shape in shapes}
    ratios = [item.ratio for item in found.values()]
    print(f"geometric mean {geometric_mean(ratios):.3f}, least {min(ratios):.3f}")
    print(f"measured peak {median(item.gigaflops for item in found.values()):.0f} GFLOP/s, {options.threads} thread(s)")
    large = [item.peak for shape, item in found.items() if min(shape) >= 256]
    single = [item.reading for item in found.values() if item.reading]
    if large:
        print(f"from 256 up: {min(large):.2f} to {max(large):.2f} of it")
    if single:
        print(f"one row: {min(single):.2f} to {max(single):.2f} of reading")


if __name__ == "__main__":
    main()
