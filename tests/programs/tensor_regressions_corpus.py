"""Tensor programs that once gave other answers than PyTorch, as small as they go."""

from __future__ import annotations

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor

ONE = T([2.5])
TABLE = T([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
CUBE = T([[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]])
MASK = T([[True, False, True], [False, True, True]])


of_row("tensor indexing")


@program("one element converts as many do", (ONE,), (T(-1.5),), (T([3.0], "float64"),))
def convert_one(x: Tensor) -> list[Tensor]:
    return [x.to(tsm.float64), x.long(), x.bool(), x.to(tsm.int16)]


@program("one element of another dtype is written", (T([[3, 0], [1, 3]], "uint8"), T(0.375)))
def write_converted(x: Tensor, y: Tensor) -> Tensor:
    x[-2, ..., -1::3] = y
    return x


@program("a 0-d condition of where is converted", (T(0.0), T(3.0)))
def choose_by_one(a: Tensor, b: Tensor) -> Tensor:
    return tsm.where(a.bool(), b, 0.5) + tsm.where(b.bool(), 2.0, 0.5)


of_row("tensor views")


@program("an integer tensor index of rank 0 gives a view", (CUBE, T(1)), (CUBE, T(-3)))
def view_by_tensor(x: Tensor, i: Tensor) -> Tensor:
    row = x[i]
    row += 100
    return x


of_row("tensor indexing")


@program("a mask of rank 0 adds a dimension", (T(-0.75), T(True)), (TABLE, T(False)))
def scalar_mask(x: Tensor, m: Tensor) -> Tensor:
    kept = x[m]
    x[m] = 2.0
    return kept


@program("a mask of rank 2 before other items", (CUBE, MASK))
def mask_then_int(x: Tensor, m: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x[m, 1], x[m, None, :1], x[m][::2]


@program("an index tensor behind an ellipsis", (CUBE, T([1, 0, 1])), (TABLE, T([[2], [0]])))
def behind_ellipsis(x: Tensor, i: Tensor) -> tuple[Tensor, Tensor]:
    return x[..., i], x[..., :1, i]


@program("writing through an ellipsis and indices, masks and slices", (CUBE, T([1, 0])))
def write_behind_ellipsis(x: Tensor, i: Tensor) -> Tensor:
    x[..., i] = tsm.tensor([20, 10])
    x[..., 0, i] += 1
    x[None, ..., [True, False]] *= 2
    return x


@program("an empty list as an index", (TABLE,), (T([[1, 2]], "int32"),))
def empty_list(x: Tensor) -> tuple[Tensor, Tensor]:
    x[[]] = 7
    return x[[]], x[:, []]


@program("leading extents of one are ignored by assignment", (TABLE, T([[[1.0, 2.0, 3.0]]])), (TABLE, T([[[1.0, 2.0]]])))
def leading_ones(x: Tensor, y: Tensor) -> Tensor:
    x[0] = y
    x[1, 1:] = y[..., :2]
    return x


@program("a number written through an index is converted once", (T([[5, 1, -1]], "int32"),), (TABLE,))
def number_through_index(x: Tensor) -> Tensor:
    x[[-1], tsm.tensor([[0], [0]])] = 1.5
    return x


@program("one value through one mask converts", (T([1, -100, 2], "int32"), T([9.0])), (TABLE, T(4)))
def fill_by_mask(x: Tensor, y: Tensor) -> Tensor:
    x[x > 0] = y
    return x


@program("several values through a mask must have the dtype", (T([1, -100, 2], "int32"), T([9.0, 8.0])))
def values_by_mask(x: Tensor, y: Tensor) -> Tensor:
    x[x > 0] = y
    x[x < 0] = 0
    return x


of_row("tensor operations")


@program("bitwise operators with numbers on both sides", (T([1, 2, 7]),), (T([True, False]),), (T([250, 3], "uint8"),))
def bitwise_numbers(x: Tensor) -> list[Tensor]:
    return [x & 3, 1 | x, x ^ True, False ^ x]


@program("bitwise augmented assignment through a view", (T([1, 2, 7]), 6), (T([1, 2, 7], "int8"), 1))
def bitwise_in_place(x: Tensor, n: int) -> Tensor:
    y = x[1:]
    y &= n
    y |= 8
    y ^= x[:1]
    return x


@program("floor division, remainder and power in place", (TABLE, 2), (T([5, -7, 8]), 3), (T([5, 7], "uint8"), 4))
def divide_in_place(x: Tensor, n: int) -> Tensor:
    y = x.t()
    y **= 2
    y //= n
    y %= 5
    return x


@program("in-place results that do not fit the dtype", (T([1, 2]), T([0.5, 2.0])), (T([3]), T([2])))
def cannot_store(x: Tensor, y: Tensor) -> Tensor:
    x **= y
    return x.floor_divide_(y)


@program("unary plus", (TABLE,), (T([True]),))
def plus(x: Tensor) -> Tensor:
    y = +x
    y[0] = 5
    return x + (+y)


of_row("tensor indexing")


@program("out of range indices that no element needs", (T(TABLE.array[:, :0]), T([5])), (TABLE, T([5])))
def nothing_to_index(x: Tensor, i: Tensor) -> Tensor:
    return x[i] * 1


of_row("tensor views")


@program("a whole slice is a new view", (T([1, 2]),))
def whole_slice(x: Tensor) -> Tensor:
    y = x[:]
    y.zero_()
    return y


of_row("tensor indexing")

INDICES = (T(1),), (T([2]),), (T(1.5),), (T([1, 1]),), (T(True),)


@program("a tensor is an index, a bound of a slice and an argument of range, if it is one integer", *INDICES)
def tensor_as_index(t: Tensor) -> tuple[int, list[int], int]:
    values = [5, 7, 9, 11]
    total = 0
    try:
        for i in range(t):
            total += values[i]
        return values[t], values[t:], total
    except TypeError as e:
        assert str(e) == "only integer tensors of a single element can be converted to an index"
        return total, values[:1], -1


@program("a slice of a tensor between tensors", (T([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), T(1), T(3)))
def slice_between_tensors(x: Tensor, start: Tensor, stop: Tensor) -> Tensor:
    x[start:stop, :1] = -1
    return x[start:]
