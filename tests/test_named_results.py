"""Several tensors that an operator gives are of one class in eager code, scripts, traces and loaded files."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, Optional

import pytest

import tsm
from tsm import Tensor, return_types

X = tsm.tensor([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]])


def whole(x: Tensor):
    return x.max(0)


def of_all(x: Tensor):
    return x.max(0), x.min(1), x.cummax(0), x.cummin(1), x.kthvalue(2), x.sort(dim=0, descending=True), x.topk(2)


def fields(x: Tensor):
    m = tsm.topk(x, 2)
    values, indices = m
    k, *rest = x.sort()
    return m.values + values, m[1] + indices, m[-1], m[:1], len(m), k, rest, isinstance(m, tuple), m.index is None


def texts(x: Tensor):
    m = x.max(0)
    return f"{m}", repr(m), str([m]), type(m).__name__, m._fields, m._replace(values=x).values


def held(x: Tensor):
    known = {"max": x.max(0)}
    for i in range(2):
        known["max"] = x.max(i)
    rows = [x.sort(), x.sort(descending=True)]
    best: Optional[return_types.max] = None
    for row in x:
        best = row.max(0) if best is None else best
    assert best is not None
    return known, rows, best.values, (x.max(0), 1), max([m.values.sum().item() for m in rows])


def chosen(x: Tensor):
    return x.max(0) if len(x) > 1 else x.min(0)


def either(x: Tensor):
    pair = x.max(0) if len(x) > 1 else (x, x)
    a, b = pair
    return a + b


def takes(m: return_types.max, pair: tuple[Tensor, Tensor]):
    return m.values + pair[0], m


def declared(x: Tensor) -> tuple[Tensor, Tensor]:
    pairs: list[tuple[Tensor, Tensor]] = []
    pairs.append(x.sort())
    pairs += [x.max(0), (x, x)]
    first: tuple[Tensor, Tensor] = x.max(0)
    return pairs[0] if len(pairs) > 5 else first


def shown(value: Any) -> Any:
    """With the classes of tuples."""
    if isinstance(value, tuple):
        return type(value), [shown(item) for item in value]
    if isinstance(value, (list, dict)):
        return repr(value)
    return value.tolist() if isinstance(value, Tensor) else value


@pytest.mark.parametrize("function", [whole, of_all, fields, texts, held, chosen, either])
def test_scripts_give_the_classes_of_eager_code(function: Callable[[Tensor], Any], tmp_path: Path) -> None:
    scripted = tsm.script(function)
    scripted.save(tmp_path / "f.tsm")
    assert shown(scripted(X)) == shown(function(X)) == shown(tsm.load(tmp_path / "f.tsm")(X))


@pytest.mark.parametrize("function", [whole, of_all])
def test_traces_give_the_classes_of_eager_code(function: Callable[[Tensor], Any], tmp_path: Path) -> None:
    for traced in tsm.trace(function, (X,)), tsm.trace(tsm.script(function), (X,)):
        traced.save(tmp_path / "f.tsm")
        assert shown(traced(X)) == shown(function(X)) == shown(tsm.load(tmp_path / "f.tsm")(X))


def test_they_go_in_where_their_class_or_a_tuple_is_declared() -> None:
    m = X.max(0)
    assert shown(tsm.script(takes)(m, X.min(0))) == shown(takes(m, X.min(0)))
    with pytest.raises(TypeError, match="expected tsm.return_types.max, got min"):
        tsm.script(takes)(X.min(0), m)


def test_a_declared_tuple_is_a_plain_one() -> None:
    values, indices = tsm.script(declared)(X)
    assert shown((values, indices)) == shown(tuple(declared(X)))


def test_classes_have_a_module_and_pickle() -> None:
    m = X.max(0)
    assert type(m) is return_types.max and isinstance(m, tuple) and m._fields == ("values", "indices")
    assert shown(pickle.loads(pickle.dumps(m))) == shown(m)
    with pytest.raises(AttributeError, match="there are .*kthvalue"):
        return_types.maximum
