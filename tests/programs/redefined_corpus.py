"""Names that are given a value their annotation does not take, tuples where lists are annotated, callable instances."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn

X = T([[1.0, 2.0], [3.0, -4.0]])


of_row("annotations")


@program("a parameter becomes the list of its dict's values", ({"b": 2, "a": 1},), ({},))
def values_of(x: Dict[str, int]) -> Tuple[List[str], List[int]]:
    names = list(x)
    x = list(x.values())
    for i in range(len(x)):
        x[i] += i
    x.append(len(names))
    return names, x


@program("a comprehension over a list of lists takes its name", ([[1, 2], [3]],), ([[]],))
def flattened(rows: List[List[int]]) -> Tuple[List[int], int]:
    sums: List[List[int]] = []
    for row in rows:
        sums.append([sum(row)])
    sums = [first[0] for first in sums]
    return sums, max(sums)


@program("a number becomes text, then a list, then None", (5,), (12,))
def digits(n: int) -> Tuple[List[str], Optional[str]]:
    n = str(n * 7)
    last = n[-1]
    n = [digit + "." for digit in n]
    kept = n
    n = None
    return kept, last if n is None else n


@program("a variable annotated in each round of a loop changes there", (3,), (0,))
def rounds(n: int) -> List[str]:
    out: List[str] = []
    for i in range(n):
        item: List[int] = list(range(i))
        item = str(item) + "!"
        out.append(item)
    return out


@program("both names of an unpacking change", ((1, "a"),), ((3, ""),))
def swapped(pair: Tuple[int, str]) -> Tuple[str, int]:
    a: int = pair[0]
    b: str = pair[1]
    a, b = b + "?", a + 1
    return a, b


@program("the block of no_grad and of a decided test belong to the statements around them", (4,), torch=False)
def undivided(n: int) -> List[int]:
    with tsm.no_grad():
        n = [n]
    if n is not None:
        n.append(1)
    size: int = 3
    if tsm.jit.is_scripting() or True:
        size = [size]
    return n + size


@program("a redefined name in the arms of a test keeps its new type", (3, True), (4, False))
def branched(n: int, flag: bool) -> str:
    n = [n, n]
    if flag:
        n = [0]
    else:
        n.append(9)
    return f"{n} {len(n)}"


of_row("abstract types")


def volume(size: List[int]) -> int:
    total = 1
    for extent in size:
        total *= extent
    return total


def is_square(size: List[int], other: Optional[List[int]] = None) -> Tuple[bool, bool]:
    return size == [2, 2], other == (2, 2)


@program("a shape stands where a list of ints is annotated, and stays a tuple", (X,), (T([[1.0, 2.0]]),))
def shapes_passed(x: Tensor):
    size: List[int] = x.shape
    maybe: Optional[List[int]] = None
    maybe = x.shape
    return volume(x.shape), is_square(x.shape, x.shape), is_square([2, 2]), size == tuple(size), maybe is not None


def extents(x: Tensor) -> List[int]:
    return x.shape


@program("a result that is annotated as a list is the shape that is returned", (X,), torch=False)
def shape_returned(x: Tensor):
    return len(extents(x)), extents(x)[1:], extents(x) + (1,)


def areas(sizes: List[List[int]]) -> List[int]:
    return [h * w for h, w in sizes]


@program("a list of shapes for a list of lists", (X, X))
def shapes_in_list(x: Tensor, y: Tensor) -> List[int]:
    return areas([each.shape for each in (x, y)]) + areas([[1, 2]])


@program("a tuple of one type times a number that is known at run time", (3, 0.5), (0, 1.0), (-1, 2.0))
def repeated(n: int, x: float) -> Tuple[int, Tuple[float, ...]]:
    pair = (x, x + 1)
    many = pair * n
    return len(many), n * (x,) + many


@program("a tuple of tensors times a length, stacked", (X, [1, 2, 3]))
def stacked(x: Tensor, v: List[int]) -> Tensor:
    a, b = x.unbind(0)
    return tsm.stack((a, b) * len(v), dim=-1)


@program("what item() gives for an annotated Optional", (X,))
def scale_of(x: Tensor) -> float:
    factor: Optional[float] = None
    factor = min(2.0 / x.max().item(), 1.5)
    return factor * 2 if factor is not None else 0.0


of_row("modules")


class Threshold:
    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.calls = 0

    def __call__(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x * (x > self.limit)


@program("an instance that a module keeps is called", (X,), (T([5.0]),), torch=False)
class Matching(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.above = Threshold(1.5)

    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        return self.above(x) + self.above.limit, self.above.calls


class Layer(nn.Module):
    @tsm.jit._overload_method
    def forward(self, x: Tensor) -> Tensor:
        pass

    @tsm.jit._overload_method
    def forward(self, x: List[Tensor]) -> Tensor:  # noqa: F811
        pass

    def forward(self, x: Tensor) -> Tensor:  # noqa: F811
        parts = [x] if isinstance(x, Tensor) else x
        return tsm.cat(parts, 0)


@program("a method with overloads is compiled for each call", (X,), torch=False)
class Overloaded(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = Layer()

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x) + self.layer([x[0], x[1]]).reshape(2, 2)


@program("dtype and device taken apart at once", (X,), torch=False)
def placed(x: Tensor) -> Tensor:
    dtype, device = x.dtype, x.device
    made = tsm.as_tensor([1.0, 2.0], dtype=dtype, device=device)
    return made + tsm.as_tensor(x, device=x.device) + tsm.as_tensor(3)


@program("limits of dtypes", (T([1.5]),), (T([1.5], "float64"),), torch=False)
def limits(x: Tensor) -> Tuple[float, float, float, int, int]:
    info = tsm.finfo(x.dtype)
    return info.min, info.max, info.eps, tsm.iinfo(tsm.int32).max, tsm.iinfo(tsm.uint8).min


@program("finfo of integers", (T([1]),), torch=False)
def no_limits(x: Tensor) -> str:
    try:
        return str(tsm.finfo(x.dtype).max)
    except TypeError as error:
        return str(error)


@program("_assert raises with its message", (X,), (T([[1.0]]),), torch=False)
def checked(x: Tensor) -> int:
    tsm._assert(len(x.shape) == 2 and x.shape[0] == 2, f"2 rows, not {x.shape[0]}")
    return x.shape[0]


@program("dtypes compared with bfloat16", (X,), (T([1]),), torch=False)
def is_brain_float(x: Tensor) -> Tuple[bool, bool, bool]:
    return x.dtype == tsm.bfloat16, tsm.bfloat16 != x.dtype, x.to(tsm.bfloat16).dtype == tsm.bfloat16
