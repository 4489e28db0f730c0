"""What is measured: programs, their inputs, and what is expected of tsm.

A workload's inputs are NumPy arrays and Python numbers, the same in every process. `engines` names the peers that
have a way to run it; `best` is the ratio to the best of them that tsm aims at, `targets` ratios to single peers. `show`
is the heading (see shows.py) under which it is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

TORCH = ("eager", "jit", "frozen", "compile")
GRAPH = (*TORCH, "onnxruntime", "openvino")
FUNCTION = ("eager", "jit", "compile", "onnxruntime", "openvino")  # nothing to freeze
OURS = ("tsm", "tsm-c", "tsm-c-direct", "tsm-c-one")


@dataclass(frozen=True)
class Workload:
    """One program with its inputs. Times are divided by `work`; `tolerance` is relative to the largest result."""

    name: str
    title: str
    program: str
    inputs: Callable[[np.random.Generator], tuple[Any, ...]]
    engines: tuple[str, ...] = GRAPH
    work: int = 1
    unit: str = "us"
    tolerance: float = 1e-4
    show: int = 1
    best: float | None = None
    targets: dict[str, float] = field(default_factory=dict)
    limits: dict[str, float] = field(default_factory=dict)  # of single engines of ours, in `unit`
    weights: str = ""  # tsm stores the weights of linear layers in this dtype; peers and the reference do not
    crosses_numpy: bool = False  # arrays go in and come out, so that what the crossing costs is counted
    threads: tuple[int, ...] = (1, 2)
    bound: str = ""  # what two threads share: "compute", "small" (too little to share) or a pattern of limits.c

    @property
    def shared_memory(self) -> str:
        """The pattern of limits.c that two threads share, "" if they share none."""
        return "" if self.bound in ("", "compute", "small") else self.bound

    def arguments(self) -> tuple[Any, ...]:
        return self.inputs(np.random.default_rng(7))


def normal(*shapes: tuple[int, ...]) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    return lambda random: tuple(random.standard_normal(shape, np.float32) for shape in shapes)


def given(*values: Any) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    return lambda random: values


def words(count: int) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    return lambda random: (random.integers(0, 8192, (1, count)),)


def crystal(random: np.random.Generator) -> tuple[Any, ...]:
    """A periodic box of 216 atoms near the points of a lattice: species, positions, pairs within 5 and their shifts."""
    cell, cutoff = 13.2, 5.0
    grid = np.stack(np.meshgrid(*[np.arange(6)] * 3, indexing="ij"), -1).reshape(-1, 3) * (cell / 6)
    positions = grid + random.uniform(-0.3, 0.3, grid.shape)
    offsets = positions[None] - positions[:, None]
    shifts = -cell * np.round(offsets / cell)
    distances = np.sqrt(((offsets + shifts) ** 2).sum(-1))
    pairs = np.stack(np.nonzero((distances < cutoff) & (distances > 0)))
    given = shifts[pairs[0], pairs[1]].astype(np.float32)
    return random.integers(0, 8, len(grid)), positions.astype(np.float32), pairs, given


def magnitudes(random: np.random.Generator) -> tuple[Any, ...]:
    return (np.abs(random.standard_normal((1, 161, 100), np.float32)),)


COLLATZ_STEPS = 216_198  # of all numbers below 3000
TWO = np.array([2.0], np.float32)


def chains() -> list[Workload]:
    return [
        Workload(f"chain-{digits}", f"tanh(a*b+c)*sigmoid(a)-exp(-b*b) on 1e{digits} floats", "pointwise.chain",
                 normal(*[(10**digits,)] * 3), (*FUNCTION, "jax", "numpy"), show=3, best=0.9, bound=bound)
        for digits, bound in ((3, "small"), (5, "compute"), (7, "copy 128 MB"))
    ]


def rows() -> list[Workload]:
    shape = (4096, 1024)
    made = [
        ("layer_norm", "layer_norm 4096x1024", normal(shape, (1024,), (1024,)), "copy 16 MB"),
        ("softmax", "softmax 4096x1024", normal(shape), "copy 16 MB"),
        ("row_means", "means of the rows of 4096x1024", normal(shape), "read 16 MB"),
        ("column_means", "means of the columns of 4096x1024", normal(shape), "read 16 MB"),
    ]
    return [
        Workload(name.replace("_", "-"), title, f"pointwise.{name}", inputs, (*FUNCTION, "jax", "numpy"), show=3,
                 best=1.0, bound=bound)
        for name, title, inputs, bound in made
    ]


def loops() -> list[Workload]:
    return [
        Workload("collatz", "integer loop (Collatz), an iteration", "loops.collatz", given(3000),
                 ("jit", "cpython", "lua"), COLLATZ_STEPS, "ns", targets={"lua": 0.7, "jit": 0.06},
                 threads=(1,)),
        Workload("newton", "1-element tensor loop (Newton, 3 operators), a step", "loops.newton", given(TWO, 2000),
                 ("eager", "jit"), 2000, "ns", targets={"jit": 0.1}, threads=(1,)),
        Workload("accumulate", "1-element tensor loop (1 operator), a step", "loops.accumulate", given(TWO, 2000),
                 ("eager", "jit"), 2000, "ns", targets={"jit": 0.1}, threads=(1,)),
        Workload("call", "a call of add(a: int, b: int)", "loops.add", given(3, 4), ("jit",), 1, "ns",
                 targets={"jit": 1.0}, threads=(1,)),
    ]


def networks() -> list[Workload]:
    image = normal((1, 3, 224, 224))
    return [
        Workload("mlp-tiny", "MLP 10-5-2, NumPy in and out", "mlp.Tiny", normal((1, 10)), (*GRAPH, "numpy"),
                 crosses_numpy=True, targets={"onnxruntime": 0.6}, limits={"tsm-c": 1.0}, bound="small"),
        Workload("mlp-1", "MLP 784-512-512-10, batch 1", "mlp.Digits", normal((1, 784)),
                 (*GRAPH, "ncnn", "numpy", "jax"), show=4, best=0.95, bound="small"),
        Workload("mlp-64", "MLP 784-512-512-10, batch 64", "mlp.Digits", normal((64, 784)), (*GRAPH, "numpy", "jax"),
                 show=4, best=0.95, bound="compute"),
        Workload("lstm", "LSTM step loop, T=100, H=256, batch 1", "lstm.StepLoop", normal((100, 1, 256)),
                 (*GRAPH, "jax"), show=4, best=0.6, bound="small"),
        Workload("lenet", "LeNet 3x32x32", "convnets.LeNet", normal((1, 3, 32, 32)), (*GRAPH, "ncnn"), show=5, best=0.9,
                 bound="small"),
        Workload("resnet18", "ResNet-18, 224x224", "convnets.ResNet18", image, (*GRAPH, "ncnn", "tsm-c-direct"),
                 show=5, best=0.8, bound="compute"),
        Workload("inverted", "inverted residual 32-192-32, 56x56", "convnets.InvertedResidual", normal((1, 32, 56, 56)),
                 (*GRAPH, "ncnn"), show=5, best=0.9, bound="compute"),
        Workload("vit-tiny", "ViT-Tiny/16, 224x224", "transformers.ViTTiny", image, GRAPH, show=5, best=0.95,
                 bound="compute"),
        Workload("bert", "BERT-like 4 x 256, 128 tokens", "transformers.Bert", words(128), GRAPH, show=5, best=0.95,
                 bound="compute"),
        Workload("gpt2", "GPT-2-small shape, 16 tokens, KV cache", "transformers.Greedy",
                 given(np.array([[100]]), 16), ("eager", "jit", "frozen", "onnxruntime", "openvino"), tolerance=1e-3,
                 show=5, best=0.95, bound="read 512 MB"),
        *(Workload(f"gpt2-{weights}", f"GPT-2, {weights} weights, 16 given tokens; peers float32",
                   "transformers.Greedy", lambda random: (random.integers(0, 50257, (1, 16)), 16),
                   ("frozen", "onnxruntime", "openvino"), tolerance=tolerance, show=5, best=best, weights=weights,
                   bound="read 512 MB")
          for weights, tolerance, best in (("bfloat16", 0.05, 0.55), ("int8", 0.1, 0.35))),
    ]


def further() -> list[Workload]:
    """Networks that were written after all tuning: they are reported as they come out, and have no target."""
    return [
        Workload("detector", "YOLOv8n-like detector, 320x320", "detector.Detector", normal((1, 3, 320, 320)),
                 (*GRAPH, "ncnn"), show=5),
        Workload("potential", "message-passing potential, 216 atoms", "potential.Potential", crystal, GRAPH, show=5),
        Workload("audio", "speech denoiser, conv1d and GRU, 100 frames", "audio.Denoiser", magnitudes,
                 (*GRAPH, "ncnn"), show=5),
    ]


WORKLOADS = {item.name: item for item in (*loops(), *chains(), *rows(), *networks(), *further())}
