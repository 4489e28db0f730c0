"""Random chains of pointwise operators: fused or not, a program gives the same bits.

In: a seed. Out: a program and inputs of many layouts (dense, transposed, sliced, broadcast, 0-d, empty), run with the
pass `fuse` and without it. Holds: results, dtypes, shapes, exceptions with their lines, and inputs afterwards agree bit for
bit, but for float results after a product of matrices, which may round otherwise. `python tests/fuzz/random_chains.py 1 500`.
"""

from __future__ import annotations

import linecache
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

import tsm

UNARY = (
    "tsm.exp({x})", "tsm.expm1({x})", "tsm.log({x})", "tsm.log1p({x})", "tsm.log2({x})", "tsm.sqrt({x})", "{x}.rsqrt()",
    "{x}.reciprocal()", "tsm.sin({x})", "tsm.cos({x})", "tsm.tanh({x})", "tsm.erf({x})", "tsm.sigmoid({x})", "-{x}", "abs({x})",
    "{x}.sign()", "{x}.square()", "{x}.floor()", "{x}.ceil()", "{x}.round()", "{x}.trunc()", "tsm.relu({x})", "F.silu({x})",
    "F.gelu({x})", "F.gelu({x}, approximate='tanh')", "F.leaky_relu({x}, 0.2)", "F.leaky_relu({x})", "F.elu({x})",
    "F.softplus({x})", "{x}.clamp(-0.5, 0.5)", "{x}.clamp(min=0)", "{x}.clamp(max=s)", "F.softplus({x}, 2, 3)", "F.hardswish({x})", "F.hardsigmoid({x})",
)  # fmt: skip
BINARY = (
    "{x} + {y}", "{x} - {y}", "{x} * {y}", "{x} / {y}", "tsm.maximum({x}, {y})", "tsm.minimum({x}, {y})", "{x} ** {y}",
    "{x} + 2", "{x} * s", "3 - {x}", "1.5 / {x}", "{x} ** 2", "{x} ** 3", "{x} ** 0.5", "{x} ** s", "2 ** {x}", "{x} - True",
    "{x}.add({y}, alpha=2)", "s * {x}", "{x} * 1e39",
)  # fmt: skip
MASKS = (
    "{x} < {y}", "{x} <= 0", "{x} > {y}", "{x} >= 0.5", "{x} == {y}", "{x} != {y}", "tsm.isnan({x})", "tsm.isinf({x})",
    "tsm.isfinite({x})", "{x}.logical_not()",
)  # fmt: skip
CHOICES = (
    "tsm.where({m}, {x}, {y})", "tsm.where({m}, {x}, 2.5)", "tsm.where({m}, s, {x})", "{x}.masked_fill({m}, -1e30)",
)  # fmt: skip
OTHERS = ("{x}.mul_(2)", "{x}.sum()", "{x}.t() if {x}.dim() == 2 else {x}", "{x} @ {x}.t() if {x}.dim() == 2 else {x}")


Input = tuple[np.ndarray, Callable[[Any], Any]]  # memory, and the window on it


@dataclass
class Source:
    inputs: dict[str, Input]
    scalar: float
    text: str


def make_input(rng: random.Random, shape: tuple[int, ...], dtype: str) -> Input:
    """An input that broadcasts to the shape, in some layout."""
    numbers = np.random.default_rng(rng.randrange(2**32))
    kind = rng.random()
    if kind < 0.15 and shape:
        shape = tuple(1 if rng.random() < 0.5 else n for n in shape)
    elif kind < 0.25:
        shape = shape[rng.randint(0, len(shape)) :]
    array = np.asarray(numbers.standard_normal(shape) * rng.choice((1, 1, 3, 100)), dtype)
    if array.size and rng.random() < 0.2:
        array.flat[rng.randrange(array.size)] = rng.choice((np.nan, np.inf, -np.inf, -0.0, 1e-40)) if dtype[0] == "f" else 7
    layout = rng.random()
    if layout < 0.15 and len(shape) >= 2:
        return np.ascontiguousarray(np.swapaxes(array, 0, -1)), lambda tensor: tensor.transpose(0, -1)
    if layout < 0.3 and shape:
        wide = np.zeros((*shape[:-1], 2 * shape[-1] + 1), dtype)
        wide[..., 1::2] = array
        return wide, lambda tensor: tensor[..., 1::2]
    if layout < 0.4 and shape:
        wide = np.zeros((*shape[:-1], shape[-1] + 3), dtype)
        wide[..., 2:-1] = array
        return wide, lambda tensor: tensor[..., 2:-1]
    return array, lambda tensor: tensor


SHAPES = ((), (1,), (5,), (17,), (2, 3), (4, 64), (3, 70), (2, 3, 4, 5), (7, 1, 9), (3, 200), (0, 3), (5000,), (2, 3, 40, 41))


def generate(seed: int) -> Source:
    rng = random.Random(seed)
    shape, dtype = rng.choice(SHAPES), rng.choice(("float32", "float32", "float64"))
    inputs = {}
    for name in "abcd"[: rng.randint(1, 4)]:
        kind = dtype if rng.random() < 0.95 else rng.choice(("float32", "float64", "int64"))
        inputs[name] = make_input(rng, shape, kind)
    tensors, masks, lines = list(inputs), [], []
    for number in range(rng.randint(2, 14)):
        group = rng.choice((UNARY, BINARY, BINARY, MASKS, CHOICES, OTHERS if rng.random() < 0.3 else UNARY))
        if group is CHOICES and not masks:
            group = MASKS
        template = rng.choice(group)
        recent = tensors[-3:] if rng.random() < 0.7 else tensors
        made = template.replace("{x}", rng.choice(recent)).replace("{y}", rng.choice(tensors))
        if "{m}" in made:
            made = made.replace("{m}", rng.choice(masks))
        name = f"v{number}"
        lines.append(f"{name} = {made}")
        (masks if group is MASKS else tensors).append(name)
    found = [name for name in (*tensors, *masks) if name not in inputs]
    results = found[-1:] + [name for name in found[:-1] if rng.random() < 0.15]
    params = ", ".join(f"{name}: Tensor" for name in inputs)
    body = "".join(f"    {line}\n" for line in lines)
    text = f"def compute({params}, s: float) -> list[Tensor]:\n{body}    return [{', '.join(results)}]\n"
    return Source(inputs, rng.choice((0.5, -1.25, 2.0, 3.0, 1e300)), text)


@contextmanager
def limited(limit: str) -> Iterator[None]:
    before = os.environ.get("TSM_OPT_LIMIT")
    os.environ["TSM_OPT_LIMIT"] = limit
    try:
        yield
    finally:
        del os.environ["TSM_OPT_LIMIT"]
        if before is not None:
            os.environ["TSM_OPT_LIMIT"] = before


def compiled(text: str, limit: str, number: list[int] = [0]) -> Callable[..., Any]:  # noqa: B006 - a counter
    number[0] += 1
    name = f"<chain {number[0]}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {"tsm": tsm, "Tensor": tsm.Tensor, "F": tsm.nn.functional}
    exec(compile(text, name, "exec"), namespace)  # noqa: S102
    with limited(limit):
        program = tsm.script(namespace["compute"])
        program.inlined_graph  # noqa: B018 - makes it now
    return program  # type: ignore[no-any-return]


def observe(program: Callable[..., Any], source: Source) -> list[Any]:
    inputs = [view(tsm.from_numpy(np.array(base))) for base, view in source.inputs.values()]
    try:
        results = program(*inputs, source.scalar)
    except Exception as error:  # noqa: BLE001 - compared
        place = [getattr(error, f"tsm_{what}", None) for what in ("line", "operator")]
        return [type(error).__name__, str(error), *place]
    arrays = [np.array(t.contiguous().numpy()) for t in (*results, *inputs)]
    return [(str(a.dtype), a.shape, t.stride()) for a, t in zip(arrays, (*results, *inputs))] + arrays


def agree(left: list[Any], right: list[Any], is_exact: bool) -> bool:
    if len(left) != len(right):
        return False
    for a, b in zip(left, right):
        if not isinstance(a, np.ndarray):
            if a != b:
                return False
        elif is_exact and not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
            return False
        elif not np.allclose(a, b, rtol=1e-4, atol=1e-4, equal_nan=True):
            return False
    return True


def failure(source: Source) -> str | None:
    plain = observe(compiled(source.text, "fuse=0"), source)
    fused = observe(compiled(source.text, "fuse=1000000"), source)
    if agree(plain, fused, "@" not in source.text):
        return None
    return f"plain {plain}\nfused {fused}"


def main(first: int, last: int) -> int:
    failed = 0
    for seed in range(first, last):
        source = generate(seed)
        try:
            found = failure(source)
        except tsm.CompileError as error:
            found = f"does not compile: {error}"
        if found is not None:
            failed += 1
            made = {n: view(tsm.from_numpy(base)) for n, (base, view) in source.inputs.items()}
            shapes = {n: (tuple(t.shape), t.stride(), str(t.dtype)) for n, t in made.items()}
            print(f"==== seed {seed}: {shapes} s={source.scalar}\n{source.text}{found[:1500]}", flush=True)
    print(f"{last - first} chains, {failed} disagree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
