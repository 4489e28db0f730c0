"""What stops a row: fuel, memory, impossible sizes; and what holds of all rows: infer says what running gives.

In: the samples of test_operators.py and arguments of 2**60 elements that need no memory. Out: nothing hangs or crashes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from rows import Raised, call, context, infer
from test_operators import ERRORS, PLAIN, SAMPLES, calls_of, converted, into, lines_of, record

import tsm
from tsm.binding import table
from tsm.binding.errors import FuelError
from tsm.binding.library import lib

HUGE, SIDE = 2**60, 2**30
STOPS = (FuelError, MemoryError, RuntimeError)


def spread(*shape: int, dtype: str = "float32") -> Any:
    """A tensor of any size that is one element in memory."""
    return call("expand", call("zeros", [1] * len(shape), dtype=tsm.dtype(dtype)), list(shape))


LINE, SQUARE, MASK, INDEX = spread(HUGE), spread(SIDE, SIDE), spread(HUGE, dtype="bool"), spread(HUGE, dtype="int64")
IMAGE = spread(1, 1, SIDE, SIDE)
# Its dimensions cannot be joined without a copy.
SKEW = call("t", call("expand", call("zeros", [2, 1]), [2, HUGE // 4]))
DEFAULTS = {
    "int": 0,
    "float": 0.5,
    "bool": False,
    "Scalar": 1,
    "str": "none",
    "dtype": tsm.float64,
    "Any": 1,
    "Tensor": LINE,
}
HEAVY: dict[str, list[Any]] = {
    "gather": [LINE, 0, INDEX],
    "index_select": [LINE, 0, INDEX],
    "embedding": [call("zeros", [3, 4]), INDEX],
    "one_hot": [INDEX, 5],
    "randperm": [HUGE],
    "topk": [LINE, 1],
    "scaled_dot_product_attention": [call("zeros", [1, 4]), spread(HUGE // 8, 4), spread(HUGE // 8, 4)],
    "masked_fill": [LINE, MASK, 1],
    "clamp": [LINE, 0],
    "bitwise_and.Tensor": [INDEX, INDEX],
    "bitwise_or.Tensor": [INDEX, INDEX],
    "bitwise_xor.Tensor": [INDEX, INDEX],
    "bitwise_left_shift.Tensor": [INDEX, INDEX],
    "bitwise_right_shift.Tensor": [INDEX, INDEX],
    "bitwise_not": [INDEX],
    "where": [MASK, LINE, LINE],
    "where.TensorScalar": [MASK, LINE, 1],
    "where.ScalarTensor": [MASK, 1, LINE],
    "where.Scalars": [MASK, 1, 2],
    "matmul": [LINE, LINE],
    "getitem.Tensor": [LINE, "t", [], [INDEX]],
    "mT": [SKEW],
    "setitem.Tensor": [LINE, "s", [None, None, None], [], call("zeros", [1])],
    "cast.float32": [INDEX],
    "to.dtype": [INDEX, tsm.float32],
    "chunk": [LINE, HUGE],
    "split": [LINE, 1],
    "unbind": [LINE, 0],
    "repeat": [LINE, [4]],
    "index.Tensor": [LINE, [INDEX]],
    "tolist.ints": [INDEX],
    "tolist.floats": [LINE],
    "tolist.bools": [MASK],
    "flip": [LINE, [0]],
    "zeros": [[HUGE]],
    "ones": [[HUGE]],
    "empty": [[HUGE]],
    "full": [[HUGE], 1],
    "rand": [[HUGE]],
    "randn": [[HUGE]],
    "randint": [0, 5, [HUGE]],
    "arange": [10**18],
    "arange.start": [0, 10**18, 1],
    "linspace": [0, 1, HUGE],
    "eye": [HUGE],
    "layer_norm": [SQUARE, [SIDE]],
    "conv1d": [spread(1, 1, HUGE), spread(1, 1, HUGE // 2)],
    "conv2d": [IMAGE, spread(1, 1, SIDE, SIDE // 2)],
    "conv3d": [spread(1, 1, 1, SIDE, SIDE), spread(1, 1, 1, SIDE, SIDE // 2)],
    "conv_transpose": [IMAGE, spread(1, 1, SIDE, SIDE // 2), None, [1], [0], [1], 1, [0]],
    "embedding_bag": [spread(2, SIDE), call("zeros", [2**20]).long(), call("zeros", [1]).long(), "sum"],
    "pad": [LINE, [1, 1], "constant", 0],
    "interpolate": [spread(1, 1, 2**30), [2**30], [1.0], "linear", False],
    "grid_sample": [spread(1, 1, 2, 2), spread(1, SIDE, SIDE, 2), "bilinear", "zeros", False],
    "group_norm": [spread(2**58, 2), 1],
    "batch_norm": [spread(2**58, 2), None, None, None, None, True],
    "max_pool2d": [IMAGE, [SIDE // 2, SIDE // 2]],
    "avg_pool2d": [IMAGE, [SIDE // 2, SIDE // 2]],
    "adaptive_avg_pool2d": [IMAGE, [2, 2]],
    "tril": [SQUARE],
    "triu": [SQUARE],
    "softmax": [LINE, 0],
    "log_softmax": [LINE, 0],
    "equal": [LINE, spread(HUGE, dtype="float64")],
    "reshape": [SKEW, [HUGE]],
    "flatten": [SKEW],
    "view": [LINE, [SIDE, SIDE]],
    "expand": [LINE, [3, HUGE]],
    "diagonal": [SQUARE],
    "stack": [[LINE, LINE]],
    "cat": [[LINE, LINE]],
    "tensor": [[[0.0] * 1000] * 200],
}
# Large enough to need 100 units of fuel at 64 elements or more each.
TEXT, MANY, NAMES = "ab" * 500_000, [1.5] * 300_000, ["a"] * 20_000
NUMBERS = set(range(20_000))
ENTRIES = {number: 1.5 for number in range(20_000)}
DATA, BLANK, WORDS = b"ab" * 500_000, b" " * 10**6, [b"a"] * 20_000
HEAVY |= {f"bytes.{name}": [BLANK] for name in ("strip", "lstrip", "rstrip")}
HEAVY |= {f"bytes.{name}": [DATA] for name in (
    "hex", "upper", "lower", "capitalize", "title", "swapcase", "isascii", "isalpha", "isalnum", "isupper", "islower",
    "expandtabs", "splitlines",
)}
HEAVY |= {
    "add.bytes": [DATA, DATA],
    "mul.bytes": [DATA, 50],
    "getslice.bytes": [DATA, None, None, -1],
    "list.from_bytes": [DATA],
    "bytes.count": [DATA, b"aa"],
    "bytes.split": [DATA, b"a"],
    "bytes.rsplit": [DATA, b"a"],
    "bytes.join": [b",", WORDS],
    "bytes.replace": [DATA, b"a", b"b"],
    "bytes.isdigit": [b"1" * 10**6],
    "bytes.isspace": [BLANK],
    "bytes.istitle": [DATA],
    "bytes.zfill": [DATA, 3 * 10**6],
    "math.norm": [MANY],
    "str.isnumeric": ["1" * 10**6],
    "str.any": [NAMES],
    "repr.any": [NAMES],
    "add.str": [TEXT, TEXT],
    "str.strip": [" " * 10**6],
    "str.lstrip": [" " * 10**6],
    "str.rstrip": [" " * 10**6],
    "str.join": [",", NAMES],
    "str.replace": [TEXT, "a", "b"],
    "add.list": [MANY, MANY],
    "iadd.list": [MANY, MANY],
    "contains.list": [MANY, 2.5],
    "delitem.list": [MANY, 0],
    "list.pop": [MANY, len(MANY) // 2],
    "list.extend": [MANY, MANY],
    "list.insert": [MANY, 0, 2.5],
    "list.copy": [MANY],
    "list.count": [MANY, 2.5],
    "list.from_str": [TEXT],
    "sum.floats": [MANY],
    "dict.update": [{1: 1.5}, ENTRIES],
    "dict.copy": [ENTRIES],
    "dict.keys": [ENTRIES],
    "dict.values": [ENTRIES],
    "dict.items": [ENTRIES],
    "keys.hashes.dict": [ENTRIES],
    "keys.hashes.set": [NUMBERS],
    "keys.combine": [list(NUMBERS)],
    "list.from_tuple": [tuple(NAMES)],
    "tuple.list": [MANY],
    "eq.any": [MANY, [*MANY]],
    "ne.any": [MANY, [*MANY]],
    "str.split": [TEXT, "a"],
    "mul.str": [TEXT, 50],
    "mul.list": [MANY, 50],
    "list.sort": [MANY],
    "sorted.list": [MANY],
    "list.index": [MANY, 2.5],
    "list.remove": [MANY, 2.5],
    "range_list": [0, 10**7, 1],
    "getslice.list": [MANY],
    "getslice.str": [TEXT, None, None, -1],
    "list.reverse": [MANY],
    "any.bools": [[False] * 10**6],
    "all.bools": [[True] * 10**6],
    "min.floats": [MANY],
    "max.floats": [MANY],
    "contains.str": [TEXT, "aa"],
    "str.find": [TEXT, "aa"],
    "str.count": [TEXT, "aa"],
    "str.upper": [TEXT],
    "str.lower": [TEXT],
    "eq.str": [TEXT, TEXT[:-1] + "c"],
    "str.rfind": [TEXT, "aa"],
    "str.splitlines": ["\n" * 1000],
    "str.zfill": [TEXT, 10**7],
    "str.expandtabs": [TEXT],
    "math.prod.floats": [MANY],
    "or.dict": [ENTRIES, {1: 1.5}],
    "dict.fromkeys": [MANY, 1],
    "ascii.any": [NAMES],
    "set.copy": [NUMBERS],
    "set.from_list": [MANY],
    "list.from_set": [NUMBERS],
    "copy.any": [MANY, True],
    "frozenset.of_set": [NUMBERS],
    "set.of_frozenset": [frozenset(NUMBERS)],
    "set.update": [{1}, NUMBERS],
    "set.intersection_update": [NUMBERS, {1}],
    "set.difference_update": [NUMBERS, {1}],
    "set.symmetric_difference_update": [NUMBERS, {1}],
    "set.isdisjoint": [NUMBERS, {-1}],
    "le.set": [NUMBERS, NUMBERS],
    "lt.set": [NUMBERS, NUMBERS],
    "ge.set": [NUMBERS, NUMBERS],
    "gt.set": [NUMBERS, NUMBERS],
    "or.set": [NUMBERS, {1}],
    "and.set": [NUMBERS, {1}],
    "sub.set": [NUMBERS, {1}],
    "xor.set": [NUMBERS, {1}],
}
HEAVY |= {f"str.{name}": [TEXT] for name in ("capitalize", "title", "swapcase", "casefold", "isalpha", "isalnum")}
HEAVY |= {f"str.{name}": [TEXT] for name in ("isdecimal", "isdigit", "isspace", "isprintable", "isidentifier")}
HEAVY |= {f"str.{name}": [TEXT] for name in ("isupper", "islower", "istitle")}
# Reading the shape, making a view, or writing one value over and over: nothing grows with the number of elements.
CONSTANT = frozenset(
    (
        "dim",
        "numel",
        "shape",
        "size.dim",
        "stride",
        "len.Tensor",
        "dtype",
        "is_contiguous",
        "is_floating_point",
        "view",
        "permute",
        "transpose",
        "t",
        "mT",
        "squeeze",
        "squeeze.dim",
        "unsqueeze",
        "expand",
        "select.int",
        "slice.Tensor",
        "narrow.Tensor",
        "as_strided",
        "diagonal",
        "detach",
        "pos.Tensor",
        "set.of_frozenset",
    )
)
# They raise only where memory ends, and do too little to be stopped earlier.
SMALL = frozenset(
    (
        "bool.any",
        "size.tuple",
        "tuple.size",
        "list.append",
        "deque.pushleft",
        "list.take",
        "text.begin.any",
        "str.startswith",
        "str.endswith",
        "str.removeprefix",
        "str.removesuffix",
        "bytes.find",
        "bytes.rfind",
        "bytes.startswith",
        "bytes.endswith",
        "bytes.removeprefix",
        "bytes.removesuffix",
        "complex.make",
        "class_name.any",
        "len.any",
        "list.from_any",
        "exception.new",
        "exception.make",
        "exception.args",
        "exception.attribute",
        "exception.class",
        "exception.message",
        "squeeze",
        # A search is charged only among entries that scripts gave equal hashes.
        "keys.probe.dict",
        "keys.probe.set",
    )
)


def deals_with_tensors(row: Any) -> bool:
    return any(part.type.has_tensor for part in (*row.parsed.params, *row.parsed.results))


def heavy_arguments(row: Any) -> list[Any]:
    if row.full_name in HEAVY:
        return HEAVY[row.full_name]
    return [DEFAULTS.get(param.type.kind, [0]) for param in row.parsed.params if not param.has_default]


HEAVY_ROWS = [row for row in table.rows() if row.full_name in HEAVY or deals_with_tensors(row)]


@pytest.mark.parametrize("row", HEAVY_ROWS, ids=lambda row: row.full_name)
def test_fuel_stops_every_kernel(row: Any) -> None:
    arguments, started = heavy_arguments(row), time.monotonic()
    writes = "MUTATES" in row.traits and deals_with_tensors(row)
    refuses = writes or row.full_name in ("int.Tensor", "float.Tensor")
    expected = (*STOPS, ValueError, TypeError, IndexError) if refuses else STOPS
    try:
        call(row.full_name, *arguments, within=context(fuel=1000 if deals_with_tensors(row) else 100))
    except expected:
        assert row.full_name not in CONSTANT
    else:
        assert row.full_name in CONSTANT, "ran to its end"
    assert time.monotonic() - started < 120, 'it does not end in time'


def test_every_row_that_raises_has_an_error_sample() -> None:
    """A failing call, one that fuel stops, or one whose reference raises."""

    def raises(key: str) -> bool:
        return key in PLAIN and any(record().entries[name][1][0].startswith("raises ") for name, *_ in lines_of(key))

    stopped = {row.full_name for row in HEAVY_ROWS} - CONSTANT | SMALL
    rows = [row.full_name for row in table.rows() if "RAISES" in row.traits]
    assert [key for key in rows if not (key in ERRORS or key in stopped or raises(key))] == []


# ---- Impossible sizes ---------------------------------------------------------------------------------------------

EXTREMES = (2**63 - 1, -(2**63), 2**62, 2**32, -1, -(2**31), 33)


def replaced(value: Any, kind: Any) -> Iterator[Any]:
    """An argument with one of its ints made extreme, in turn."""
    inner = kind.args[0] if kind.kind == "optional" else kind
    if inner.kind == "int":
        yield from EXTREMES
    elif inner.kind == "list" and str(inner.args[0]) in ("int", "Optional[int]") and isinstance(value, list):
        for position in range(len(value)):
            yield from ([*value[:position], extreme, *value[position + 1 :]] for extreme in EXTREMES)
        yield from ([2] * 40, [*value, *value], [2**31] * 3, [0, 2**62, 2**62])
    elif inner.kind == "Scalar" and isinstance(value, (int, float)):
        yield from (*EXTREMES, 1e300, float("inf"), float("nan"))


def extreme_calls(row: Any) -> Iterator[list[Any]]:
    params = row.parsed.params
    for sample in SAMPLES[row.full_name][:2]:
        dtype = sample.dtypes[-1] if sample.dtypes else None
        given = list(sample.args) + [p.default for p in params[len(sample.args) :] if not p.is_keyword_only]
        for position, value in enumerate(given):
            for extreme in replaced(value, params[position].type):
                changed = [*given[:position], extreme, *given[position + 1 :]]
                yield into(converted(changed, dtype, "plain"), tsm.from_numpy, tsm.dtype)


SIZED = [row for row in table.rows() if row.full_name in SAMPLES and next(extreme_calls(row), None)]


@pytest.mark.parametrize("row", SIZED, ids=lambda row: row.full_name)
def test_impossible_sizes_are_errors(row: Any) -> None:
    """A call gives a result or an ordinary exception, soon, whatever its ints are."""
    within, started = context(fuel=10**6), time.monotonic()
    for arguments in extreme_calls(row):
        try:
            call(row.full_name, *arguments, within=within)
        except (FuelError, MemoryError, RuntimeError, IndexError, ValueError, TypeError, OverflowError):
            lib.tsm_context_set_fuel(within, 10**6)
    assert time.monotonic() - started < 120, 'it does not end in time'


# ---- Infer --------------------------------------------------------------------------------------------------------


def facts(result: Any) -> Any:
    """Dtype and shape of every tensor; other values as they are."""
    if isinstance(result, (list, tuple)):
        return [facts(item) for item in result]
    return (call("dtype", result), call("shape", result)) if isinstance(result, tsm.Tensor) else result


def without_memory(value: Any, within: Any) -> Any:
    """Tensors as meta tensors, which have no elements."""
    if isinstance(value, list):
        return [without_memory(item, within) for item in value]
    return infer("empty_like", value) if isinstance(value, tsm.Tensor) else value


@pytest.mark.parametrize("key", [key for key in SAMPLES if deals_with_tensors(table.find(key))])
def test_infer_says_what_running_gives(key: str) -> None:
    row = table.find(key)
    for name, sample, dtype, layout in calls_of(key):
        if layout != "plain":
            continue
        arguments = into(converted(list(sample.args), dtype, layout), tsm.from_numpy, tsm.dtype)
        options = into(converted(sample.kwargs, dtype, layout), tsm.from_numpy, tsm.dtype)
        metas = [without_memory(value, None) for value in arguments]
        try:
            inferred = infer(key, *metas, **options)
        except TypeError as error:
            assert "only known by running it" in str(error) or "memory" in str(error), name
            assert "META" not in row.traits and "INPLACE" not in row.traits
            return
        got = call(key, *arguments, **options)
        assert facts(inferred) == facts(got), name


@pytest.mark.parametrize("key", [key for key in ERRORS if key in SAMPLES and not table.find(key).traits & {"INPLACE"}])
def test_infer_never_crashes_on_failures(key: str) -> None:
    for case in ERRORS[key]:
        arguments = into(converted(list(case.args), None, "plain"), tsm.from_numpy, tsm.dtype)
        options = into(converted(case.kwargs, None, "plain"), tsm.from_numpy, tsm.dtype)
        try:
            infer(key, *(without_memory(value, None) for value in arguments), **options)
        except Exception as error:
            assert type(error).__name__ in (case.error, "TypeError"), error


def test_exceptions_are_values() -> None:
    assert call("exception.message", Raised("ValueError", "bad")) == "bad"
