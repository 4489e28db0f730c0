"""Operands of any size for single rows of ops.def, made to be slow: what fuel_sweep.py and tests/test_fuel.py run.

In: a row. Out: cases, each of which makes the arguments of one call from a size n, about the elements that are looked
at. Three sources: the samples of test_operators.py with each of their extents, texts and numbers grown in turn; values of
the types in the row's schema (equal prefixes, shared parts, equal hashes, reversed and strided tensors); and rows whose
arguments must fit each other, by hand. A case whose small form the row refuses is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rows import Raised, call  # noqa: E402
from test_operators import PLAIN, SAMPLES, into  # noqa: E402

import tsm  # noqa: E402
from tsm.binding import TsmError  # noqa: E402

Make = Callable[[int], Any]
MOST = {"Tensor": 10**7, "str": 10**7, "bytes": 10**7, "list": 10**5}
REFUSED = (TypeError, ValueError, IndexError, KeyError, OverflowError, ArithmeticError, AssertionError, AttributeError,
           RuntimeError, NotImplementedError, MemoryError, TsmError)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One way to call a row with operands of a size."""

    row: str
    what: str
    make: Callable[[int], list[Any]]
    most: int = 10**7  # elements, by what Python takes to make them

    def fits(self, n: int = 24) -> bool:
        """Whether the row takes the small form."""
        try:
            call(self.row, *self.make(n))
        except REFUSED:
            return False
        return True


# ---- Samples that grow ----------------------------------------------------------------------------------------------

DENORMAL = {"float32": 1e-41, "float64": 1e-310}
Scale = Callable[[int], int]  # of an extent: by how much it grows


def arrays(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from arrays(item)


def enlarged(value: Any, scale: Scale, grows_ints: bool) -> Any:
    """Arrays repeated along each axis; ints too, if wanted."""
    if isinstance(value, np.ndarray):
        return np.tile(value, [scale(extent) for extent in value.shape]) if value.ndim else value
    if isinstance(value, list):
        return [enlarged(item, scale, grows_ints) for item in value]
    if grows_ints and type(value) is int and value > 1:
        return value * scale(value)
    return value


def prepared(value: Any, dtype: str | None, layout: str) -> Any:
    """Float64 arrays as the dtype of the sweep, then tensors in a layout."""
    if isinstance(value, list):
        return [prepared(item, dtype, layout) for item in value]
    if not isinstance(value, np.ndarray):
        return into(value, tsm.from_numpy, tsm.dtype)
    if dtype and value.dtype == np.float64:
        with np.errstate(invalid="ignore"):
            value = value.astype(dtype)
        if layout == "denormal" and dtype in DENORMAL:
            value = value * np.array(DENORMAL[dtype], value.dtype)
    if layout == "turned" and value.ndim > 1:
        return tsm.from_numpy(np.ascontiguousarray(value.T)).permute(*reversed(range(value.ndim)))
    if layout == "strided" and value.ndim:
        return tsm.from_numpy(np.repeat(value, 9, axis=-1))[..., ::9]
    return tsm.from_numpy(np.ascontiguousarray(value))


def growths(args: list[Any]) -> Iterator[tuple[str, Callable[[int], list[Any]]]]:
    """Ways to grow a sample's arguments: one extent wherever it occurs, all of them, one axis of the first array, ints."""
    found = list(arrays(args))
    size = max((array.size for array in found), default=1) or 1
    for extent in dict.fromkeys(extent for array in found for extent in array.shape if extent > 1):
        for grows_ints in (False, True):
            yield f"extent {extent}{' and ints' if grows_ints else ''}", lambda n, e=extent, g=grows_ints: enlarged(
                args, lambda x: max(n // size, 1) if x == e else 1, g
            )
    if found:
        rank = max(array.ndim for array in found) or 1
        yield "all extents", lambda n: enlarged(args, lambda x: max(int((n / size) ** (1 / rank)), 1), False)
        first = next((i for i, value in enumerate(args) if isinstance(value, np.ndarray) and value.ndim), None)
        for axis in range(args[first].ndim if first is not None else 0):
            yield f"axis {axis}", lambda n, a=axis: [
                np.repeat(value, max(n // max(value.size, 1), 1), axis=a) if i == first else value
                for i, value in enumerate(args)
            ]
    for at, value in enumerate(args):
        if isinstance(value, list) and value and all(type(item) is int for item in value):
            yield f"ints {at}", lambda n, a=at: [
                [int(item * max(n / size, 1) ** (1 / len(x))) for item in x] if i == a else x
                for i, x in enumerate(args)
            ]
        elif type(value) is int and value > 0:
            yield f"int {at}", lambda n, a=at: [n if i == a else x for i, x in enumerate(args)]


def dtypes_of(sample: Any, wide: bool) -> list[str | None]:
    known = [d for d in ("float32", "float64", "int64", "uint8", "bool", "int16") if d in sample.dtypes]
    return (known if wide else known[:1]) or list(sample.dtypes[:1]) or [None]


def grown_samples(key: str, wide: bool) -> Iterator[Case]:
    for number, sample in enumerate(SAMPLES.get(key, ())[: 4 if wide else 1]):
        if sample.kwargs:
            continue
        for what, grow in growths(list(sample.args)):
            for dtype in dtypes_of(sample, wide):
                for layout in ("plain", "turned", "strided", "denormal") if wide else ("plain",):
                    if layout == "denormal" and dtype not in DENORMAL:
                        continue
                    yield Case(key, f"sample {number} {what} {dtype or ''} {layout}",
                               lambda n, g=grow, d=dtype, w=layout: prepared(g(n), d, w))  # fmt: skip


def grown_calls(key: str, wide: bool) -> Iterator[Case]:
    """Calls without tensors: texts and lists repeated, one at a time and all."""
    calls = [args for plain in PLAIN.get(key, ()) for args in plain.calls if not any(isinstance(a, Raised) for a in args)]
    for number, args in enumerate(calls[: 12 if wide else 3]):
        can = [i for i, value in enumerate(args) if isinstance(value, (str, bytes, list, tuple)) and value]
        for chosen in [[i] for i in can] + ([can] if len(can) > 1 else []):
            most = MOST["list" if any(isinstance(args[i], (list, tuple)) for i in chosen) else "str"]
            yield Case(key, f"call {number} {chosen}", lambda n, a=args, c=chosen: [
                value * max(n // len(value), 1) if i in c else value for i, value in enumerate(a)
            ], most)  # fmt: skip
        for at in [i for i, value in enumerate(args) if type(value) is int and value > 1]:
            yield Case(key, f"call {number} int {at}", lambda n, a=args, w=at: [n if i == w else x for i, x in enumerate(a)])


# ---- Values of a schema's types ---------------------------------------------------------------------------------------


def shared(levels: int, pair: Callable[[Any], Any]) -> Any:
    """2**levels leaves in `levels` objects."""
    value = pair(1)
    for _ in range(levels):
        value = pair(value)
    return value


def long_texts(n: int) -> list[str]:
    width = max(int(n**0.5), 1)
    return ["a" * width + str(i % 2) for i in range(max(n // width, 1))]


TEXTS: list[tuple[str, Make]] = [
    ("aaa", lambda n: "a" * n),
    ("aab", lambda n: "a" * max(n - 1, 0) + "b"),
    ("spaces", lambda n: " " * n),
    ("wide", lambda n: "\u00e9" * (n // 2)),
    ("sigma", lambda n: "\u03a3" * (n // 2)),
    ("far", lambda n: "\u4e2d\ufb03" * (n // 6)),
    ("ignorable", lambda n: "\u03a3" + ":" * n + "\u03a3"),
    ("lines", lambda n: "a\n" * (n // 2)),
    ("digits", lambda n: "1" * n),
]
BYTES: list[tuple[str, Make]] = [(what, lambda n, make=make: make(n).encode()) for what, make in TEXTS if what != "far"]
ELEMENTS: list[tuple[str, Make]] = [
    ("equal ints", lambda n: [1] * n),
    ("ints", lambda n: list(range(n, 0, -1))),
    ("floats", lambda n: [0.5 * i for i in range(n)]),
    ("bools", lambda n: [True] * n),
    ("long texts", long_texts),
    ("lists", lambda n: [[1, 2, 3, i % 2] for i in range(n // 4 + 1)]),
    ("equal lists", lambda n: [[0] * int(n**0.5 + 1)] * int(n**0.5 + 1)),
]
KEYS: list[tuple[str, Make]] = [
    ("ints", lambda n: list(range(n))),
    ("equal hashes", lambda n: [float(f"1e{i % 300}") if i % 2 else i * 2.5 for i in range(n // 8)]),
    ("long texts", lambda n: ["a" * max(int(n**0.5), 1) + str(i) for i in range(int(n**0.5) + 1)]),
    ("tuples", lambda n: [((1, 2, 3), i) for i in range(n // 8 + 1)]),
]
NESTED: list[tuple[str, Make]] = [
    ("shared lists", lambda n: shared(min(n.bit_length(), 13), lambda x: [x, x])),
    ("shared tuples", lambda n: shared(min(n.bit_length(), 13), lambda x: (x, x))),
]
ANYTHING: list[tuple[str, Make]] = [
    *NESTED, *ELEMENTS[:1], *ELEMENTS[4:], ("text", lambda n: "a" * n), ("bytes", lambda n: b"a" * n),
    ("set", lambda n: set(range(n))), ("dict", lambda n: {i: i for i in range(n)}),
    ("texts to texts", lambda n: dict.fromkeys(KEYS[2][1](n), 1)),
]  # fmt: skip


def tensor(dtype: str, *shape: int) -> Any:
    return tsm.from_numpy((np.arange(int(np.prod(shape))) % 7 + 1).astype(dtype).reshape(shape))


def tensor_makers(dtype: str) -> list[tuple[str, Make]]:
    def square(n: int) -> Any:
        side = max(int(n**0.5), 1)
        return tensor(dtype, side, side)

    def images(n: int) -> Any:
        side = max(int((n / 4) ** 0.5), 1)
        return tensor(dtype, 1, 4, side, side)

    return [
        (f"{dtype} line", lambda n: tensor(dtype, n)),
        (f"{dtype} square", square),
        (f"{dtype} turned", lambda n: square(n).t()),
        (f"{dtype} images", images),
        (f"{dtype} thin", lambda n: tensor(dtype, max(n // 2, 1), 2)),
    ]


BUILT = {"dict": lambda keys: dict.fromkeys(keys, 1), "set": set, "frozenset": frozenset}


def of_type(kind: Any) -> list[tuple[str, Make]]:
    """Makers of operands of a schema's type, by what grows in them; none for what does not grow."""
    if kind.kind in ("str", "bytes"):
        return TEXTS if kind.kind == "str" else BYTES
    if kind.kind == "Tensor":
        return [maker for dtype in ("float32", "float64", "int64", "uint8", "bool") for maker in tensor_makers(dtype)]
    if kind.kind == "Any":
        return ANYTHING
    if kind.kind in BUILT:
        return [(what, lambda n, make=make: BUILT[kind.kind](make(n))) for what, make in KEYS]
    if kind.kind == "tuple":
        return [(what, lambda n, make=make: tuple(make(n))) for what, make in ELEMENTS]
    if kind.kind != "list":
        return []
    inner = kind.args[0].kind if kind.args else "var"
    if inner == "Tensor":
        makers = tensor_makers("float32")[:2]
        return [(f"tensors {what}", lambda n, make=make: [make(max(n // 8, 1))] * 8) for what, make in makers]
    if inner == "bytes":
        return [("long bytes", lambda n: [x.encode() for x in long_texts(n)])]
    return {"int": ELEMENTS[:2], "float": ELEMENTS[2:3], "bool": ELEMENTS[3:4], "str": ELEMENTS[4:5],
            "var": ELEMENTS}.get(inner, [])  # fmt: skip


def alike(value: Any) -> Any:
    """An equal value that is another object, where that can be."""
    if isinstance(value, str):
        return value[:1] + value[1:]
    return value.copy() if isinstance(value, (list, dict, set)) else value


SCALARS: dict[str, list[Any]] = {
    "int": [0, 1, 3], "float": [0.5], "bool": [False, True], "dtype": [tsm.float64], "Scalar": [2], "complex": [1j],
    "None": [None],
}  # fmt: skip


def beside(param: Any, main: Any, make: Make, n: int, variant: str) -> Any:
    """Another argument of a call whose growing one is `main`: alike, one of its elements, or its last part."""
    kind = param.type.kind
    if kind == "var":
        if isinstance(main, (list, tuple)):
            return alike(main[0 if variant == "one" else -1]) if main else 0
        key = next(reversed(list(main)), 0) if isinstance(main, (dict, set, frozenset)) else 0
        return key if param.type.name in ("k", "t") else 1
    if kind in ("str", "bytes"):
        small: Any = "a" if kind == "str" else b"a"
        if not isinstance(main, type(small)):
            return small
        return alike(main) if variant == "alike" else small if variant == "one" else main[: n // 2 + 1] + small + small
    if kind == "Any":
        return make(n) if variant == "alike" else 0 if variant == "one" else alike(main)
    if kind == "list" and param.type.args and param.type.args[0].kind == "int" and not isinstance(main, list):
        return [1] * max(getattr(main, "ndim", 1), 1)
    if kind in ("list", "dict", "set", "frozenset", "tuple"):
        return alike(main) if type(main).__name__ == kind or not param.type.args else []
    if kind == "Tensor":
        return make(n)
    return SCALARS.get(kind, [0])[-1 if variant == "last" else 0]


def by_type(row: Any) -> Iterator[Case]:
    """The first parameter that can grow does; the others are beside it."""
    params = [p for p in row.parsed.params if not p.has_default] or list(row.parsed.params[:1])
    first = next((i for i, p in enumerate(params) if of_type(p.type)), None)
    if first is None:
        return
    for what, make in of_type(params[first].type):
        for variant in ("alike", "one", "last"):
            if variant != "alike" and (len(params) == 1 or params[first].type.kind == "Tensor"):
                continue

            def build(n: int, make: Make = make, variant: str = variant) -> list[Any]:
                main = make(n)
                return [main if i == first else beside(p, main, make, n, variant) for i, p in enumerate(params)]

            yield Case(row.full_name, f"{what}, {variant}", build, MOST.get(params[first].type.kind, 10**5))


# ---- By hand ----------------------------------------------------------------------------------------------------------


def scattered(n: int, below: int | None = None) -> Any:
    """Indices that jump about."""
    return tsm.from_numpy(np.random.default_rng(0).permutation(n) % (below or n))


def line(n: int) -> Any:
    return tensor("float64", n)


def images(n: int, channels: int = 4) -> Any:
    side = max(int((n / channels) ** 0.5), 8)
    return tensor("float32", 1, channels, side, side)


BY_HAND: dict[str, list[Callable[[int], list[Any]]]] = {
    "range_list": [lambda n: [0, n, 1]],
    "randperm": [lambda n: [n]],
    **{name: [lambda n: [[n]]] for name in ("zeros", "ones", "empty", "rand", "randn")},
    "format.any": [lambda n: ["a" * n, ">10"]],
    "percent.any": [lambda n: ["a" * n, "s"]],
    "exception.message": [lambda n: [Raised("ValueError", "a" * n)]],
    "gather": [lambda n: [line(n), 0, scattered(n)]],
    "index_select": [lambda n: [line(n), 0, scattered(n)], lambda n: [tensor("float32", 8, n // 8), 1, scattered(n // 8)]],
    "index.Tensor": [lambda n: [line(n), [scattered(n)]]],
    "index_put_": [lambda n: [line(n), [scattered(n)], line(n)], lambda n: [line(n), [scattered(n)], line(n), True]],
    "embedding": [lambda n: [tensor("float32", n, 1), scattered(n)], lambda n: [tensor("float32", n // 16 + 1, 16), scattered(n // 16 + 1)]],
    "one_hot": [lambda n: [scattered(n // 8, 8), 8]],
    "topk": [lambda n: [line(n), 1], lambda n: [line(n), min(n, 60)], lambda n: [line(n), n // 2]],
    "kthvalue": [lambda n: [line(n), n // 2]],
    "matmul": [lambda n: [tensor(d, int(n**0.5), int(n**0.5)) for d in ("float64",) * 2],
               lambda n: [tensor("int64", int(n**0.5), int(n**0.5))] * 2,
               lambda n: [tensor("float32", n // 9 + 1, 3, 3)] * 2],
    "conv1d": [lambda n: [tensor("float32", 1, 1, n), tensor("float32", 1, 1, max(n // 2, 1))],
               lambda n: [tensor("float64", 1, 4, n // 4 + 8), tensor("float64", 4, 4, 3)]],
    "conv2d": [lambda n: [images(n), tensor("float32", 4, 4, 3, 3)], lambda n: [images(n, 64), tensor("float32", 64, 64, 3, 3)],
               lambda n: [images(n), tensor("float32", 4, 4, 7, 7)]],
    "max_pool2d": [lambda n: [images(n), [3, 3]], lambda n: [images(n), [8, 8], [1, 1]]],
    "avg_pool2d": [lambda n: [images(n), [3, 3]], lambda n: [images(n), [8, 8], [1, 1]]],
    "adaptive_avg_pool2d": [lambda n: [images(n), [3, 3]]],
    "batch_norm": [lambda n: [images(n), None, None, None, None, True]],
    "scaled_dot_product_attention": [lambda n: [tensor("float32", int(n**0.5), 16)] * 3],
    "linalg_solve_triangular": [lambda n: [tensor("float64", int(n**0.5), int(n**0.5))] * 2 + [True, True]],
    **{name: [lambda n: [tensor("float64", int(n**0.5), int(n**0.5)) + call("eye", int(n**0.5)) * n],
              lambda n: [tensor("float32", n // 16 + 1, 4, 4) + call("eye", 4) * 99]]
       for name in ("linalg_lu_factor", "linalg_cholesky", "linalg_qr", "linalg_eigh", "linalg_svd")},
}  # fmt: skip


def cases(row: Any, wide: bool = True) -> Iterator[Case]:
    """All of a row's cases, or the few that tests run. Whether they fit is not known yet."""
    for number, make in enumerate(BY_HAND.get(row.full_name, ())):
        yield Case(row.full_name, f"by hand {number}", make)
    for made in (grown_samples, grown_calls):
        yield from made(row.full_name, wide)
    yield from by_type(row)
