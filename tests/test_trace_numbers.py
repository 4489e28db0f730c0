"""Numbers that a traced function takes from tensors are followed into the operators that take them."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tsm
from samples.sample import DType, Sample
from tsm import Tensor, nn
from tsm.binding import dispatch, table
from tsm.binding.schema import SchemaType
from tsm.nn import functional as F

SAMPLES = [
    (name, sample)
    for path in sorted((Path(__file__).parent / "samples").glob("*.py"))
    for name, found in getattr(importlib.import_module(f"samples.{path.stem}"), "SAMPLES", {}).items()
    for sample in found
]


WAYS: dict[str, tuple[Callable[[Tensor], Any], str]] = {  # how a number is had, and the node that gives it
    "item": (lambda source: source.item(), "item"),
    "tensor": (lambda source: source, "int.Tensor"),
    "size": (lambda source: source.shape[0], "size"),
}


def takes_ints(kind: SchemaType) -> bool:
    while kind.kind in ("optional", "list"):
        kind = kind.args[0]
    return kind.kind == "int"


def cases() -> Iterator[Any]:
    """Each int parameter of each row, with a sample that gives it: as an int, in a list, or one for a whole list."""
    seen = set()
    for name, sample in SAMPLES:
        for i, param in enumerate(table.find(name).parsed.params):
            given = sample.args[i] if i < len(sample.args) else sample.kwargs.get(param.name)
            is_given = type(given) is int or isinstance(given, (list, tuple)) and type([*given, None][0]) is int
            if takes_ints(param.type) and is_given and (name, i, type(given)) not in seen:
                seen.add((name, i, type(given)))
                yield name, sample, i


def made(value: Any, dtype: str) -> Any:
    if isinstance(value, np.ndarray):
        kind = value.dtype if value.dtype.kind in "bui" and dtype.startswith("float") else np.dtype(dtype)
        return tsm.from_numpy(value.astype(kind).copy())
    if isinstance(value, DType):
        return getattr(tsm, value.name)
    return type(value)(made(item, dtype) for item in value) if type(value) in (list, tuple) else value


@pytest.mark.parametrize("spelled", WAYS)
def test_every_int_parameter_of_every_row(spelled: str) -> None:
    """The int of the sample comes from an input: the trace takes it from there, and gives no warning."""
    found = {(name, position): follows(name, sample, position, spelled) for name, sample, position in cases()}
    fixed = [f"{key}: {said}" for key, said in found.items() if said]
    assert sum(said == "" for said in found.values()) > 80 and not fixed, "\n".join(fixed)


def follows(name: str, sample: Sample, position: int, spelled: str) -> str | None:
    """"" if the trace follows the number, else what is wrong; None if no number of this sort can be given there."""
    dtype, param = (sample.dtypes or ("float32",))[0], table.find(name).parsed.params[position]
    args = [made(value, dtype) for value in sample.args]
    kwargs = {key: made(value, dtype) for key, value in sample.kwargs.items()}
    given = args[position] if position < len(args) else kwargs[param.name]
    number = given if type(given) is int else given[0]
    if spelled == "size" and number < 0:
        return None
    source = tsm.ones(number, 0) if spelled == "size" else tsm.tensor(number)

    def run(source: Tensor) -> Any:
        found = WAYS[spelled][0](source)
        value = found if type(given) is int else type(given)([found, *given[1:]])
        if position < len(args):
            return dispatch.run(name, (*args[:position], value, *args[position + 1 :]), kwargs)
        return dispatch.run(name, args, {**kwargs, param.name: value})

    try:
        run(source)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            text = str(tsm.trace(run, (source,), check_trace=False).graph)
    except (RuntimeError, TypeError, ValueError, IndexError):
        return None
    said = [str(each.message) for each in caught] or ([] if WAYS[spelled][1] in text else [text])
    return "; ".join(said)


L = tsm.tensor
VECTOR = tsm.arange(9.0)
FOLLOWED: dict[str, tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...]]] = {
    "topk": (lambda x, k: x.topk(k, dim=0)[0], (VECTOR, L(5)), (VECTOR, L(2))),
    "slice": (lambda x, k: x[k : k + 2], (VECTOR, L(5)), (VECTOR, L(2))),
    "repeats": (lambda x, n: x.repeat_interleave(n), (VECTOR[:3], L([1, 2, 1])), (VECTOR[:3], L([2, 2, 2]))),
    "repeat": (lambda x, n: x.repeat_interleave(n), (VECTOR, L(2)), (VECTOR, L(3))),
    "packed": (lambda x, n: nn.utils.rnn.pack_padded_sequence(x, n)[0],
               (tsm.ones(3, 2, 1), L([3, 1])), (tsm.ones(3, 2, 1), L([2, 2]))),
    "bincount": (lambda x: tsm.bincount(x, minlength=4), (L([1, 2]),), (L([5, 2]),)),
    "one_hot": (F.one_hot, (L([1, 2]),), (L([5, 2]),)),
    "masked_scatter": (lambda x, m: x.masked_scatter(m, VECTOR), (VECTOR, VECTOR > 3), (VECTOR, VECTOR > 1)),
    "tensor of a size": (lambda x: tsm.tensor(x.size(0)), (tsm.ones(2),), (tsm.ones(5),)),
    "tensor of a shape": (lambda x: tsm.tensor(x.shape), (tsm.ones(2, 1),), (tsm.ones(5, 3),)),
    "tolist": (lambda x, n: x.split(n.tolist())[0], (VECTOR, L([4, 5])), (VECTOR, L([2, 7]))),
    "full": (lambda n: tsm.full((n,), n), (L(5),), (L(2),)),
    "view": (lambda x, n: x.view(n, -1), (tsm.arange(8.0), L(4)), (tsm.arange(8.0), L(2))),
    "roll": (lambda x, n: x.roll(n), (VECTOR, L(4)), (VECTOR, L(2))),
    "pad": (lambda x, n: F.pad(x, (n, 0)), (VECTOR, L(4)), (VECTOR, L(2))),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_library_functions_follow_numbers(name: str) -> None:
    function, example, other = FOLLOWED[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error", tsm.TracerWarning)
        traced = tsm.trace(function, example)
    assert str(traced(*other)) == str(function(*other))


class Packed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.GRU(3, 2)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        out, _ = self.rnn(nn.utils.rnn.pack_padded_sequence(x, lengths))
        return nn.utils.rnn.pad_packed_sequence(out)[0]


def test_recurrent_layers_follow_lengths() -> None:
    module, x = Packed(), tsm.randn(5, 3, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error", tsm.TracerWarning)
        traced = tsm.trace(module, (x, L([3, 2, 1])))
    for lengths in (L([2, 2, 1]), L([5, 4, 4])):
        assert np.allclose(traced(x, lengths).numpy(), module(x, lengths).numpy(), atol=1e-6)


@pytest.mark.parametrize(("function", "text"), [
    (lambda x, n: x[: int(n)], r"int of a tensor .* value 5 only.*item\(\) is followed, int\(\) is not"),
    (lambda x, n: x * len(range(n)), r"int of a tensor .* value 5 only"),
    (lambda x, n: x if n > 3 else -x, r"bool of a tensor .* value True only"),
    (lambda x, n: x if (n > 3).item() else -x, "item\\(\\) of a bool tensor .* the plain bool True"),
])
def test_what_is_fixed_is_said_with_its_value_and_line(function: Callable[..., Any], text: str) -> None:
    with pytest.warns(tsm.TracerWarning, match=text) as caught:
        tsm.trace(function, (VECTOR, L(5)))
    assert (caught[0].filename, caught[0].lineno) == (__file__, function.__code__.co_firstlineno)
