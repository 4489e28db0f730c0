"""Tensor programs as model authors write them: lists of numbers of tensors, chosen ranges, results written into parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor
from tsm.nn import functional as F

M = T([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
V = T([1.0, 2.0, 3.0])


of_row("numbers meet")


@program("numbers of tensors returned as a list of floats", (M,), (T([[0.5]]),))
def row_sums(x: Tensor) -> list[float]:
    return [row.sum().item() for row in x]


@program("numbers of tensors collected beside a mean", (V,), (T([0.0, 2.0]),))
def shares(x: Tensor) -> tuple[float, list[float]]:
    found = []
    for i in range(x.size(0)):
        whole = x[i].item()
        if whole == 0:
            found.append(float("nan"))
        else:
            found.append((x > i).sum().item() / whole)
    finite = [each for each in found if each == each]
    return sum(finite) / max(len(finite), 1), found


@program("rows of numbers of tensors, made one by one", (M,))
def rows_of(x: Tensor) -> list[list[float]]:
    rows = []
    for row in x:
        rows.append([each.item() * 2 for each in row])
    return rows


of_row("loops")


@program("a range that a condition chooses, iterated twice", (4, True), (4, False), (0, True))
def twice(n: int, is_reversed: bool) -> tuple[list[int], int]:
    order = range(n - 1, -1, -1) if is_reversed else range(n)
    seen = []
    for i in order:
        seen.append(i)
    return seen + [i * 10 for i in order], len(order)


@program("a loop over a range or its reverse", (3, 0), (3, 1), (3, 2), (3, 3))
def swept(n: int, way: int) -> list[int]:
    seen = []
    for i in reversed(range(n)) if way == 0 else range(1, n) if way == 1 else range(0, n * way, way):
        seen.append(i)
    return seen


@program("a range assigned in branches", (3, "up"), (3, "down"), (5, "even"))
def assigned_range(n: int, way: str) -> int:
    if way == "up":
        steps = range(n)
    elif way == "down":
        steps = range(n - 1, -1, -1)
    else:
        steps = range(0, n, 2)
    found = 0
    for i in steps:
        found = found * 10 + i
    return found + steps.stop


@program("a chosen range whose step is zero", (1,), (0,))
def zero_step(step: int) -> list[int]:
    return list(range(0, 4, step) if step < 3 else range(step))


of_row("tensor operations")


@program("a comparison of a bool tensor that fills another", (M, T([[True, False, True], [False, False, True]])))
def hidden_where(scores: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    return scores.masked_fill(mask == 0, -1e9).softmax(-1), tsm.where(mask < 1, scores, scores * 2)


@program("results written into parts of a tensor and into a dict", (M,))
def into_parts(x: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
    out = tsm.zeros(2, 2, 3)
    tsm.add(x, 1, out=out[0])
    tsm.mul(x, x, out=out[1, :])
    state = {"max": tsm.zeros(2, 3)}
    tsm.maximum(state["max"], x, out=state["max"])
    return out, state


@program("tensors of a dict of anything, stacked", ({"a": M, "b": M},), ({"a": M, "b": 3},))
def stacked(parts: dict[str, Any]) -> tuple[Tensor, Tensor]:
    values = [parts[key] for key in sorted(parts)]
    return tsm.stack(values), tsm.cat(values, dim=-1)


@program("memory formats that rows have anyway", (M,))
def formatted(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    turned = x.t().contiguous(memory_format=tsm.contiguous_format)
    return turned, tsm.zeros_like(x, memory_format=tsm.preserve_format), x.clone(memory_format=tsm.preserve_format)


@program("matrices of a batch transposed", (T([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]),), (M,))
def turned_batch(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x.mT
    y[..., 0, 1] = 9
    return x, y.mH


@program("NumPy's names of the arguments dim and keepdim", (T([[0.0, 1.0, 5.0], [3.0, 4.0, 2.0]]),))
def along_axes(x):
    scale = x.sum(axis=1, keepdims=True) + tsm.mean(x, axis=(0, 1)) + x.std(axis=0, keepdims=True)
    best, where = tsm.max(x, axis=1)
    joined = tsm.cat([x, scale], axis=1)
    return best, where, joined, tsm.stack([x, x], axis=0).squeeze(axis=1), x.softmax(axis=-1).argmax(axis=1)


of_row("tensor indexing")


@program("a list of a tensor's numbers as an index", (M, T([1, 0, 1])))
def by_list(x: Tensor, at: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    places = at.tolist()
    y = x.clone()
    y[:, places[:1]] += 10
    return y, x[places], x[:, at.tolist()]


@program("a range as an index beside a tensor", (M, T([2, 0])))
def by_range(x: Tensor, at: Tensor) -> tuple[Tensor, Tensor]:
    y = x.clone()
    y[range(2), at] = -1
    return x[range(x.size(0)), at], y


@program("an item that is a tensor or a number", (M, None), (M, 7.0), (T([[1, 2], [3, 4]], "int64"), 2.5))
def filled(x: Tensor, value: float | None) -> Tensor:
    fill = x.double().mean() if value is None else value
    y = x.clone()
    y[:, 1:] = fill
    y[y > 2] = fill
    return y


of_row("tensor views")


@program("augmented in place by a tensor or a number", (M, None), (M, 2.0), (T([[1, 2], [3, 4]], "int64"), 2.5))
def grown(x: Tensor, value: float | None) -> tuple[Tensor, Tensor]:
    by = x.double().mean() if value is None else value
    same = x
    x += by
    x[0] *= by
    return x, same


of_row("math")


@program("functions of math on tensors with one element", (V,), (M,))
def of_elements(x: Tensor) -> tuple[list[float], int]:
    found = [math.exp(x[0]), math.pow(x[1], 2), math.atan2(x[0], 0.5), math.hypot(x[0], x[1])]
    return found, math.floor(x[2] * 1.5)


of_row("numbers meet")


@program("numbers of a tensor beside a variable that was another", (V,))
def history(x: Tensor) -> tuple[Tensor, list[float]]:
    seen = [x.sum().item()]
    for _ in range(2):
        y = x * 2
        x = y
        seen.append(x.sum().item())
    return x, seen


of_row("abstract types")


@program("an entry's Sequence, given a list or a tuple", (M, [2, 3]), (M, (3,)), (M, ()))
def over_last(x: Tensor, shape: Sequence[int]) -> tuple[Tensor, Tensor, int, bool]:
    dims = tuple(range(-len(shape), 0))
    whole = x.sum(dim=dims) if dims else x
    return whole, tsm.zeros(shape), sum(shape), isinstance(shape, tuple)


of_row("try")


@program("LinAlgError caught before RuntimeError", (T([[2.0, 0.0], [0.0, 1.0]]),), (T([[0.0, 0.0], [0.0, 1.0]]),), (M,))
def with_jitter(x: Tensor) -> tuple[float, str]:
    for jitter in [0.0, 1e-3, 1.0]:
        try:
            return tsm.linalg.cholesky(x + jitter * tsm.eye(2, x.size(1))).sum().item(), "factors"
        except tsm.linalg.LinAlgError as error:
            print(error)
        except RuntimeError:
            return jitter, "no matrix"
    return -1.0, "none"


of_row("errors")


@program("texts of PyTorch's tensor errors", *[(kind,) for kind in range(14)])
def refused(kind: int) -> Tensor:
    x, mask = tsm.ones(2, 3), tsm.ones(2, 3) > 0
    if kind == 0:
        return ~x
    if kind == 1:
        return -mask
    if kind == 2:
        return mask - mask
    if kind == 3:
        return tsm.arange(3).mean()
    if kind == 4:
        return x << 1
    if kind == 5:
        return x & x
    if kind == 6:
        return tsm.where(x, x, x)
    if kind == 7:
        return tsm.zeros(0).max()
    if kind == 8:
        return x @ x.T.double()
    if kind == 9:
        return F.conv1d(x, tsm.ones(2, 3, 1))
    if kind == 10:
        return F.cross_entropy(x, tsm.tensor([0, 5]))
    if kind == 11:
        return x.index_add(0, tsm.tensor([0, 1]), tsm.ones(1, 3))
    if kind == 12:
        return tsm.arange(3, 0)
    return tsm.dot(x[0], tsm.arange(3))


def told(shape) -> str:
    return f"<{shape}>"


@program("the text of a shape, of slices and sums of shapes, and of what holds them", (T([[1.0, 2.0, 3.0]]), True), (T([[1.0], [2.0]]), False))
def shape_texts(x: Tensor, is_whole: bool) -> bool:
    s = x.shape
    print(s, x.size(), s[:1], s + (1,), (2,) + s, s * 2, tuple(s), (*s, 1), [x.shape, s], {"a": s}, (s, 1), list(s))
    maybe = x.size() if is_whole else None
    print(maybe, f"{s} {s!r} {x.shape[1:]}", "%s" % (s,), "{}".format(s), x.stride(), told(s), told((1, 2)), told(tuple(s)))
    for each in [x.shape, x.T.shape]:
        print(each, each[0])
    return s == x.size() and s == (1, 3)


@program("all of a tensor without dimensions", (T(2.5),))
def all_of_number(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    y = x[...]
    y += 1
    return x[()], x[None], x[..., None]


@program("the first argument of functions by the name that PyTorch gives it", (T([[1.0, 2.0], [3.0, 4.0]]),))
def by_input(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return tsm.sum(input=x, dim=1), tsm.softmax(input=x, dim=0), tsm.cumsum(dim=1, input=x)


@program("tensors made by calling their class", (2, [1, 2, 3]), torch=False)
def by_their_class(n: int, items: list[int]) -> tuple[Tensor, list[int], int, Tensor]:
    return tsm.Tensor(items) / n, list(tsm.Tensor(n, 3).shape), tsm.Tensor().numel(), tsm.Tensor([[1.5, n], [0, -1]])
