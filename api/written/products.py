"""Products of tensors beyond the matrix product: sums of products by an equation, outer and cross products, distances.

In: tensors. Out: new tensors. Holds: what can be a matrix product is one.
"""

from __future__ import annotations

import math

from ..binding.dtype import DType
from ..binding.tensor import Tensor
from .dims import wrapped
from .facts import shown_dtype
from .pointwise import nan_to_num
from .shapes import tensors_of
from .spelling import rows, spelled

_matmul, _stack, _eye = rows["matmul"], rows["stack"], rows["eye"]
_ELLIPSIS = 1000  # labels of the dimensions that an ellipsis stands for; letters are their code points


def _labels(term: str, rank: int, number: int) -> list[int]:
    """A label for each dimension of an operand."""
    found: list[int] = []
    at = term.find("...")
    named = len(term) - (3 if at >= 0 else 0)
    if named > rank or (at < 0 and named != rank):
        text = "einsum(): the number of subscripts in the equation (" + str(named) + ") does not match the number of "
        text += "dimensions (" + str(rank) + ") for operand " + str(number)
        raise RuntimeError(text + (" and no ellipsis was given" if at < 0 else ""))
    i = 0
    while i < len(term):
        if i == at:
            for k in range(rank - named):
                found.append(_ELLIPSIS + rank - named - 1 - k)
            i += 3
            continue
        if not term[i].isalpha():
            raise RuntimeError("einsum(): invalid subscript given: " + term[i] + ", subscripts must be in [a-zA-Z]")
        found.append(ord(term[i]))
        i += 1
    return found


def _output(term: str, every: list[int]) -> list[int]:
    """The labels of the result, as written behind the arrow."""
    dots = [label for label in every if label >= _ELLIPSIS]
    count = max(dots) - _ELLIPSIS + 1 if len(dots) > 0 else 0
    found = _labels(term, len(term) - 3 + count if term.find("...") >= 0 else len(term), -1)
    for i, label in enumerate(found):
        if label in found[:i]:
            raise RuntimeError("einsum(): output subscript " + chr(label) + " appears more than once in the output")
        if label not in every:
            text = "einsum(): output subscript " + chr(label) + " does not appear in the equation for any input operand"
            raise RuntimeError(text)
    return found


def _implied(every: list[int]) -> list[int]:
    """The labels of a result that is not written: those of ellipses, then what occurs once, in order."""
    dots = [label for label in every if label >= _ELLIPSIS]
    count = max(dots) - _ELLIPSIS + 1 if len(dots) > 0 else 0
    found = [_ELLIPSIS + count - 1 - k for k in range(count)]
    for label in sorted(every):
        if label < _ELLIPSIS and every.count(label) == 1:
            found.append(label)
    return found


def _without_repeats(x: Tensor, labels: list[int]) -> tuple[Tensor, list[int]]:
    """The diagonal of dimensions that have one label."""
    made, names = x, list(labels)
    for label in labels:
        while names.count(label) > 1:
            first = names.index(label)
            second = first + 1 + names[first + 1 :].index(label)
            if made.size(first) != made.size(second):
                text = "einsum(): subscript " + chr(label) + " is repeated for operand but the sizes don't match, "
                raise RuntimeError(text + str(made.size(second)) + " != " + str(made.size(first)))
            made = made.diagonal(0, first, second)
            del names[second]
            del names[first]
            names.append(label)
    return made, names


def _arranged(x: Tensor, labels: list[int], order: list[int]) -> Tensor:
    """With the dimensions in an order of labels, new ones of extent 1 where a label is not there."""
    places = [labels.index(label) for label in order if label in labels]
    made = x.permute(places)
    for i, label in enumerate(order):
        if label not in labels:
            made = made.unsqueeze(i)
    return made


def _extent(sizes: list[int]) -> int:
    product = 1
    for size in sizes:
        product *= size
    return product


def _contracted(a: Tensor, la: list[int], b: Tensor, lb: list[int], kept: list[int]) -> tuple[Tensor, list[int]]:
    """The sum over labels that nothing else needs of the products of two operands, and its labels."""
    alone = [i for i, label in enumerate(la) if label not in lb and label not in kept]
    if len(alone) > 0:
        a, la = a.sum(alone), [label for i, label in enumerate(la) if i not in alone]
    alone = [i for i, label in enumerate(lb) if label not in la and label not in kept]
    if len(alone) > 0:
        b, lb = b.sum(alone), [label for i, label in enumerate(lb) if i not in alone]
    shared = [label for label in la if label in lb]
    summed = [label for label in shared if label not in kept]
    batch = [label for label in shared if label in kept]
    only_a = [label for label in la if label not in lb]
    only_b = [label for label in lb if label not in la]
    if len(summed) == 0:
        order = batch + only_a + only_b
        return _arranged(a, la, order) * _arranged(b, lb, order), order
    left, right = _arranged(a, la, batch + only_a + summed), _arranged(b, lb, batch + summed + only_b)
    n, m = len(batch), len(only_a)
    lead: list[int] = []
    for i in range(n):
        lead.append(right.size(i) if left.size(i) == 1 else left.size(i))
    inner: list[int] = []
    for i in range(len(summed)):
        inner.append(right.size(n + i) if left.size(n + m + i) == 1 else left.size(n + m + i))
    rows_of, columns = list(left.shape)[n : n + m], list(right.shape)[n + len(summed) :]
    left, right = left.expand(lead + rows_of + inner), right.expand(lead + inner + columns)
    outer = [_extent(lead)] if n > 0 else []
    left = left.reshape(outer + [_extent(rows_of), _extent(inner)])
    right = right.reshape(outer + [_extent(inner), _extent(columns)])
    return _matmul(left, right).reshape(lead + rows_of + columns), batch + only_a + only_b


@spelled("tsm.einsum")
def einsum(equation: str, *operands) -> Tensor:
    """Sums of products by subscripts: "ik,kj->ij", with "..." for dimensions that broadcast, a repeated subscript for a
    diagonal; without an arrow the result has the subscripts that occur once, in alphabetical order. Operands are
    contracted from left to right. RuntimeError for an equation that does not fit."""
    given = tensors_of(operands)
    text = equation.replace(" ", "")
    arrow = text.find("->")
    terms = (text[:arrow] if arrow >= 0 else text).split(",")
    if len(terms) != len(given):
        what = "more" if len(terms) > len(given) else "fewer"
        raise RuntimeError("einsum(): " + what + " subscripts in the equation than operands provided")
    every: list[int] = []
    labels: list[list[int]] = []
    sizes: dict[int, int] = {}
    for i, term in enumerate(terms):
        before = _labels(term, given[i].dim(), i)
        x, names = _without_repeats(given[i], before)
        given[i] = x
        labels.append(names)
        for k, label in enumerate(names):
            size = x.size(k)
            seen = sizes.get(label, 1)
            if size != seen and size != 1 and seen != 1:
                name = chr(label) if label < _ELLIPSIS else "..."
                text = "einsum(): subscript " + name + " has size " + str(size) + " for operand " + str(i)
                raise RuntimeError(text + " which does not broadcast with previously seen size " + str(seen))
            sizes[label] = size if seen == 1 else seen
        every += before
    wanted = _output(text[arrow + 2 :], every) if arrow >= 0 else _implied(every)
    made, names = given[0], labels[0]
    for i in range(1, len(given)):
        kept = list(wanted)
        for later in labels[i + 1 :]:
            kept += later
        made, names = _contracted(made, names, given[i], labels[i], kept)
    rest = [i for i, label in enumerate(names) if label not in wanted]
    if len(rest) > 0:
        made, names = made.sum(rest), [label for label in names if label in wanted]
    return _arranged(made, names, wanted)


@spelled("tsm.dot", ".dot", "tsm.vdot", ".vdot")
def dot(self: Tensor, other: Tensor) -> Tensor:
    """Sum of the products of two vectors."""
    if self.dim() != 1 or other.dim() != 1:
        text = "1D tensors expected, but got " + str(self.dim()) + "D and " + str(other.dim()) + "D tensors"
        raise RuntimeError(text)
    if self.dtype != other.dtype:
        found = shown_dtype(self.dtype) + " and " + shown_dtype(other.dtype)
        raise RuntimeError("dot : expected both vectors to have same dtype, but found " + found)
    if self.numel() != other.numel():
        raise RuntimeError(
            "inconsistent tensor size, expected tensor ["
            + str(self.numel())
            + "] and src ["
            + str(other.numel())
            + "] to have the same number of elements"
        )
    return _matmul(self, other)


@spelled("tsm.inner", ".inner")
def inner(self: Tensor, other: Tensor) -> Tensor:
    """Sums of products along the last dimension of both."""
    if self.dim() == 0 or other.dim() == 0:
        return self * other
    if self.size(-1) != other.size(-1):
        raise RuntimeError("inner() the last dimension must match on both input tensors")
    return tensordot(self, other, [[self.dim() - 1], [other.dim() - 1]])


@spelled("tsm.mm", ".mm")
def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices."""
    if input.dim() != 2:
        raise RuntimeError("self must be a matrix")
    if mat2.dim() != 2:
        raise RuntimeError("mat2 must be a matrix")
    return _matmul(input, mat2)


@spelled("tsm.bmm", ".bmm")
def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of the matrices of two batches."""
    if input.dim() != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if mat2.dim() != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if input.size(0) != mat2.size(0) or input.size(2) != mat2.size(1):
        wanted, found = [input.size(0), input.size(2)], [mat2.size(0), mat2.size(1)]
        raise RuntimeError("Expected size for first two dimensions of batch2 tensor to be: " + str(wanted)
                           + " but got: " + str(found) + ".")
    return _matmul(input, mat2)


@spelled("tsm.mv", ".mv")
def mv(self: Tensor, vec: Tensor) -> Tensor:
    """Matrix times vector."""
    if self.dim() != 2 or vec.dim() != 1:
        raise RuntimeError("vector + matrix @ vector expected, got 1, " + str(self.dim()) + ", " + str(vec.dim()))
    return _matmul(self, vec)


@spelled("tsm.outer", ".outer", "tsm.ger", ".ger")
def outer(self: Tensor, vec2: Tensor) -> Tensor:
    """Every product of elements of two vectors, as a matrix."""
    if self.dim() != 1 or vec2.dim() != 1:
        raise RuntimeError(
            "outer: Expected 1-D arguments, but got " + str(self.dim()) + "-D and " + str(vec2.dim()) + "-D"
        )
    return self.unsqueeze(1) * vec2


def _scaled_sum(input: Tensor, product: Tensor, beta, alpha) -> Tensor:
    if input.dtype != product.dtype:
        raise RuntimeError("self and the product must have the same dtype")
    if not product.is_floating_point() and (isinstance(beta, float) or isinstance(alpha, float)):
        return _scaled_sum(input, product, int(beta), int(alpha))
    scaled = product if alpha == 1 else product * alpha
    if beta == 0:
        return scaled if input.shape == product.shape else scaled + nan_to_num(input) * 0
    total = (input if beta == 1 else input * beta) + scaled
    if total.shape != product.shape:
        raise RuntimeError("self of shape " + str(list(input.shape)) + " does not expand to the product's shape "
                           + str(list(product.shape)))
    return total


def _check_ranks(name: str, a: Tensor, first: int, b: Tensor, second: int) -> None:
    if a.dim() != first or b.dim() != second:
        text = name + ": expected tensors of " + str(first) + " and " + str(second) + " dimensions, got "
        raise RuntimeError(text + str(a.dim()) + " and " + str(b.dim()))


@spelled("tsm.addmm", ".addmm")
def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """beta * self + alpha * mat1 @ mat2."""
    _check_ranks("addmm", mat1, 2, mat2, 2)
    return _scaled_sum(self, _matmul(mat1, mat2), beta, alpha)


@spelled("tsm.addmv", ".addmv")
def addmv(self: Tensor, mat: Tensor, vec: Tensor, *, beta=1, alpha=1) -> Tensor:
    """beta * self + alpha * mat @ vec."""
    _check_ranks("addmv", mat, 2, vec, 1)
    return _scaled_sum(self, _matmul(mat, vec), beta, alpha)


@spelled("tsm.addr", ".addr")
def addr(self: Tensor, vec1: Tensor, vec2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """beta * self + alpha * outer(vec1, vec2)."""
    _check_ranks("addr", vec1, 1, vec2, 1)
    product = outer(vec1, vec2)
    for name, factor in (("beta", beta), ("alpha", alpha)):
        if isinstance(factor, float) and not product.is_floating_point():
            raise RuntimeError("For integral input tensors, argument " + name + " must not be a floating point number.")
    if product.dtype == DType.bool:
        return (self if beta else self & False) | (product if alpha else product & False)
    return _scaled_sum(self, product, beta, alpha)


@spelled("tsm.baddbmm", ".baddbmm")
def baddbmm(self: Tensor, batch1: Tensor, batch2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """beta * self + alpha * batch1 @ batch2, batch by batch."""
    return _scaled_sum(self, bmm(batch1, batch2), beta, alpha)


@spelled("tsm.addbmm", ".addbmm")
def addbmm(self: Tensor, batch1: Tensor, batch2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """beta * self + alpha * the sum of batch1 @ batch2 over the batch."""
    return _scaled_sum(self, bmm(batch1, batch2).sum(0, dtype=batch1.dtype), beta, alpha)


@spelled("tsm.tensordot")
def tensordot(a: Tensor, b: Tensor, dims=2) -> Tensor:
    """Sums of products over the last dimensions of a and the first of b, as many as said, or over listed ones."""
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError("tensordot expects dims >= 0, but got dims=" + str(dims))
        first = [a.dim() - dims + i for i in range(dims)]
        second = list(range(dims))
    else:
        first = [wrapped(i, a.dim()) for i in dims[0]]
        second = [wrapped(i, b.dim()) for i in dims[1]]
    if len(first) != len(second):
        raise RuntimeError("both dimension lists should have same length")
    for i, k in zip(first, second):
        if a.size(i) == 1 and b.size(k) != 1:
            b = b.sum([k], True, dtype=b.dtype)
        elif b.size(k) == 1 and a.size(i) != 1:
            a = a.sum([i], True, dtype=a.dtype)
        if a.size(i) != b.size(k):
            text = "contracted dimensions need to match, but first has size " + str(a.size(i)) + " in dim " + str(i)
            raise RuntimeError(text + " and second has size " + str(b.size(k)) + " in dim " + str(k))
    left = [i for i in range(a.dim()) if i not in first]
    right = [i for i in range(b.dim()) if i not in second]
    rows_of, columns, inner_of = [a.size(i) for i in left], [b.size(i) for i in right], [a.size(i) for i in first]
    x = a.permute(left + first).reshape([_extent(rows_of), _extent(inner_of)])
    y = b.permute(second + right).reshape([_extent(inner_of), _extent(columns)])
    return _matmul(x, y).reshape(rows_of + columns)


@spelled("tsm.kron", ".kron")
def kron(self: Tensor, other: Tensor) -> Tensor:
    """Every element of self times other, as blocks."""
    rank = max(self.dim(), other.dim())
    a = self.reshape([1] * (rank - self.dim()) + list(self.shape))
    b = other.reshape([1] * (rank - other.dim()) + list(other.shape))
    shape = [a.size(i) * b.size(i) for i in range(rank)]
    for i in range(rank):
        a, b = a.unsqueeze(2 * i + 1), b.unsqueeze(2 * i)
    return (a * b).reshape(shape)


@spelled("tsm.cross", ".cross")
def cross(self: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Vector product along a dimension of extent 3: the first such, unless given."""
    place = -1
    if dim is None:
        for i in range(self.dim() - 1, -1, -1):
            if self.size(i) == 3:
                place = i
        if place < 0:
            raise RuntimeError("no dimension of size 3 in input")
    else:
        place = wrapped(dim, self.dim())
    if self.dim() != other.dim():
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    if self.size(place) != 3 or other.size(place) != 3:
        text = "linalg.cross: inputs dimension " + str(place) + " must have length 3. Got " + str(self.size(place))
        raise RuntimeError(text + " and " + str(other.size(place)))
    a0, a1, a2 = self.select(place, 0), self.select(place, 1), self.select(place, 2)
    b0, b1, b2 = other.select(place, 0), other.select(place, 1), other.select(place, 2)
    return _stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], place)


@spelled("tsm.cdist")
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    """p-norm distances between the rows of (..., P, M) and (..., R, M): (..., P, R)."""
    if not x1.is_floating_point() or not x2.is_floating_point():
        raise RuntimeError("cdist only supports floating-point dtypes")
    if x1.dim() < 2 or x2.dim() < 2:
        raise RuntimeError("cdist only supports at least 2D tensors")
    if x1.size(-1) != x2.size(-1):
        text = "X1 and X2 must have the same number of columns. X1: " + str(x1.size(-1)) + " X2: " + str(x2.size(-1))
        raise RuntimeError(text)
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    is_large = x1.size(-2) > 25 or x2.size(-2) > 25
    if p == 2.0 and (compute_mode == "use_mm_for_euclid_dist" or (is_large and compute_mode[:6] == "use_mm")):
        squares = x1.square().sum([-1], True) + x2.square().sum([-1], True).transpose(-2, -1)
        return (squares - _matmul(x1, x2.transpose(-2, -1)) * 2).clamp(min=0).sqrt()
    gaps = (x1.unsqueeze(-2) - x2.unsqueeze(-3)).abs()
    if p == 2.0:
        return gaps.square().sum([-1]).sqrt()
    if p == 1.0:
        return gaps.sum([-1])
    if p == math.inf:
        return gaps.amax([-1])
    if p == 0.0:
        return (gaps != 0).sum([-1]).to(gaps.dtype)
    return (gaps**p).sum([-1]) ** (1.0 / p)


@spelled("tsm.matrix_power", ".matrix_power")
def matrix_power(self: Tensor, n: int) -> Tensor:
    """A square matrix multiplied n times with itself; for negative n its inverse."""
    if self.dim() < 2 or self.size(-1) != self.size(-2):
        raise RuntimeError("linalg.matrix_power: The input tensor A must be batches of square matrices")
    base = self
    if n < 0:
        base = base.inverse()
    made = _eye(self.size(-1), dtype=self.dtype).expand(list(self.shape)).clone()
    rest = abs(n)
    while rest > 0:
        if rest % 2 == 1:
            made = _matmul(made, base)
        rest //= 2
        if rest > 0:
            base = _matmul(base, base)
    return made


@spelled("tsm.bilinear", "F.bilinear")
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input1 @ weight[k] @ input2 for each k, plus bias: (..., I), (..., J), (K, I, J) to (..., K)."""
    if input1.dim() != input2.dim() or list(input1.shape)[:-1] != list(input2.shape)[:-1]:
        raise RuntimeError("bilinear(): input batch dimensions do not match")
    lead = list(input1.shape)[:-1]
    count, outputs = _extent(lead), weight.size(0)
    a, b = input1.reshape([count, input1.size(-1)]), input2.reshape([count, input2.size(-1)])
    flat = weight.permute([1, 0, 2]).reshape([weight.size(1), outputs * weight.size(2)])
    partial = _matmul(a, flat).reshape([count, outputs, weight.size(2)])
    made = (partial * b.unsqueeze(1)).sum([2], dtype=partial.dtype).reshape(lead + [outputs])
    return made if bias is None else made + bias


@spelled("tsm.chain_matmul")
def chain_matmul(*matrices) -> Tensor:
    """The product of matrices, from left to right."""
    given = tensors_of(matrices)
    made = given[0]
    for each in given[1:]:
        made = _matmul(made, each)
    return made
