"""Copies: transposes, joins, repetitions, padding, and new tensors."""

from __future__ import annotations

from functools import partial
from typing import Any

from .case import Case, array, case, given


def several(count: int, *shape: int) -> list[Any]:
    return [partial(array, *shape, seed=seed) for seed in range(count)]


MOVES: list[Case] = [
    case("roll", lambda m, a: a.roll(3, 1), array, (1000, 1000)),
    case("flip both", lambda m, a: a.flip(0, 1), array, (1000, 1000)),
    case("tril", lambda m, a: a.tril(), array, (1000, 1000)),
    case("transpose copy 2048^2", lambda m, a: a.t().contiguous(), array, (2048, 2048)),
    case("transpose copy f64 1024^2", lambda m, a: a.t().contiguous(), array, (1024, 1024), group="f64"),
    case("transpose copy u8 2048^2", lambda m, a: a.t().contiguous(), array, (2048, 2048), group="u8"),
    case("permute nchw->nhwc 8x3x256x256", lambda m, a: a.permute(0, 2, 3, 1).contiguous(), array, (8, 3, 256, 256)),
    case("permute nhwc->nchw 8x256x256x3", lambda m, a: a.permute(0, 3, 1, 2).contiguous(), array, (8, 256, 256, 3)),
    case("permute nhwc->nchw u8 8x256x256x3", lambda m, a: a.permute(0, 3, 1, 2).contiguous(), array, (8, 256, 256, 3),
         group="u8"),
    case("permute (2,0,1) 64x256x256", lambda m, a: a.permute(2, 0, 1).contiguous(), array, (64, 256, 256)),
    case("permute reverse 4d 32^4", lambda m, a: a.permute(3, 2, 1, 0).contiguous(), array, (32, 32, 32, 32)),
    case("permute heads", lambda m, a: a.permute(0, 2, 1, 3).contiguous(), array, (8, 128, 12, 64)),
    case("reshape of transposed", lambda m, a: a.t().reshape(-1), array, (1000, 1000)),
    given("cat 100 x (100,100) dim1", lambda m, *a: m.cat(list(a), 1), *several(100, 100, 100)),
    given("stack 200 x (64,64) dim -1", lambda m, *a: m.stack(list(a), -1), *several(200, 64, 64)),
    given("stack 1000 x (16)", lambda m, *a: m.stack(list(a)), *several(1000, 16)),
    case("split+cat 64", lambda m, a: m.cat(a.split(64, 1), 0), array, (1000, 1024)),
    case("unbind 1000 rows", lambda m, a: a.unbind(0)[-1] + 0, array, (1000, 64)),
    case("repeat (100,100)x(10,10)", lambda m, a: a.repeat(10, 10), array, (100, 100)),
    case("expand+clone", lambda m, a: a.expand(1000, 1000).contiguous(), array, (1000, 1)),
    case("F.pad constant", lambda m, a: m.nn.functional.pad(a, (1, 1, 1, 1)), array, (8, 64, 56, 56)),
    case("F.pad reflect", lambda m, a: m.nn.functional.pad(a, (2, 2, 2, 2), mode="reflect"), array, (8, 16, 56, 56)),
    case("F.pad replicate", lambda m, a: m.nn.functional.pad(a, (2, 2, 2, 2), mode="replicate"), array,
         (8, 16, 56, 56)),
    case("pixel_shuffle 2", lambda m, a: m.nn.functional.pixel_shuffle(a, 2), array, (4, 64, 56, 56)),
    case("unfold 3x3", lambda m, a: m.nn.functional.unfold(a, 3, padding=1), array, (4, 32, 56, 56)),
    case("meshgrid ij sum", lambda m, a, b: sum(m.meshgrid(a, b, indexing="ij")), array, (1000,), (1000,)),
    given("arange 1e6", lambda m: m.arange(1_000_000), group="i64"),
    given("arange f32 1e6", lambda m: m.arange(0, 1_000_000, dtype=m.float32)),
    given("linspace 1e6", lambda m: m.linspace(0, 1, 1_000_000)),
    given("zeros 1e6", lambda m: m.zeros(1_000_000)),
    given("full i64 1e6", lambda m: m.full((1_000_000,), 7), group="i64"),
    given("eye 1000", lambda m: m.eye(1000)),
    case("clone u8", lambda m, a: a.clone(), array, (1_000_000,), group="u8"),
    case("column write", lambda m, a, b: a.clone().index_fill(1, m.tensor([0]), 2.0), array, (1000, 1000), (1000,)),
]
