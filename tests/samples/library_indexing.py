"""Cases of tsm/library/indexing.py."""

from __future__ import annotations

import numpy as np

from .library import ALL, FLOATS, NUMBERS, case, cases, failing
from .sample import ints

ORDERED = np.array([-1.0, 0.0, 0.0, 2.0, 5.0])

CASES = [
    *cases(ALL, "x.masked_select(m)", "torch.masked_select(x, row)", "torch.masked_select(v[:1], m)", "x.masked_select(x > 0)", "empty.masked_select(empty > 0)",
           "x.masked_scatter(m, y.to(x.dtype))", "torch.masked_scatter(x, row, cube)", "x.masked_scatter_(m, cube)", "x.masked_fill(m, zero_d)", "torch.masked_fill(x, m, zero_d)",
           "x.masked_fill_(row, zero_d)"),
    *cases(NUMBERS, "x.index_add(0, k, three[:3, :].repeat(1, 2)[:, :4])", "torch.index_add(x, 1, at, c)", "x.index_add(1, at, c, alpha=2)", "x.index_add_(1, at, c, alpha=3)",
           "torch.index_add(x, dim=-1, index=at, source=c)", k=ints(0, 0, 2), c=np.arange(15.0).reshape(3, 5)),
    *cases(ALL, "x.index_copy(1, k, c)", "torch.index_copy(x, 0, k, c[:2, :1].expand(2, 4))", "x.index_copy_(-1, k, c)", "x.index_fill(1, k, 1)", "torch.index_fill(x, 0, k, 0)",
           "x.index_fill_(1, at, 1)", "x.select_scatter(x[0], 0, 2)", "torch.select_scatter(x, x[:, 0], 1, 1)", k=ints(2, 0), c=np.arange(6.0).reshape(3, 2)),
    *cases(NUMBERS, "x.scatter(0, grid, other[0])", "torch.scatter(x, 1, grid[:, :2], other[0])", "x.scatter(0, grid, 2)", "torch.scatter(x, 0, grid, 5)",
           "x.scatter_(1, grid[:, :1], 7)", "x.scatter_(0, grid, 2, reduce='add')", "x.scatter_(0, grid, 2, reduce='multiply')", "x.scatter(dim=0, index=grid, value=1)",
           "x.scatter_add(0, grid, other[0])", "torch.scatter_add(x, 1, grid[:, :3], other[0])", "x.scatter_add_(0, grid[:1], other[0])"),
    *cases(NUMBERS, *(f"x.scatter_reduce(0, grid, other[0], '{how}', include_self={own})" for how in ("sum", "prod", "amax", "amin", "mean") for own in (True, False)),
           "torch.scatter_reduce(x, 1, grid, other[0], reduce='amax')", "x.scatter_reduce_(1, grid[:, :2], other[0], 'sum')", rtol=1e-4),
    *cases(FLOATS, "nan.scatter_reduce(1, grid[:2, :2], nan[:, 1:], 'amax')", "nan.scatter_reduce(1, grid[:2, :2], nan, 'amin')"),
    *cases(ALL, "x.index_put((at[:2],), x[0])", "x.index_put_((at[:2], at[1:3]), x[0, :2].clone())", "torch.index_put(x, [grid[:2, :2]], x[0])"),
    *cases(NUMBERS, "x.index_put((at,), x[1], accumulate=True)", "x.index_put_((at[:3], at[:3]), x[1, :3].clone(), True)"),
    *cases(ALL, "x.take(grid)", "torch.take(x, at - 3)", "torch.take_along_dim(x, grid, 1)", "x.take_along_dim(grid[:, :1], dim=1)", "x.take_along_dim(at)",
           "ties.argwhere()", "torch.argwhere(ties)", "ties.nonzero(as_tuple=True)", "torch.nonzero(ties, as_tuple=True)", "torch.nonzero(ties, as_tuple=False)",
           "zero_d.nonzero(as_tuple=True)", "torch.where(ties)", "ties.where(ties > 1, ties * 0)", "x.where(m, 0)"),
    *cases(NUMBERS, "torch.isin(ties, ties[0, :2])", "torch.isin(ties, v.to(ties.dtype), invert=True)", "torch.isin(elements=at, test_elements=at[:2])"),
    *cases(NUMBERS, "torch.searchsorted(s, x)", "torch.searchsorted(s, x, right=True)", "torch.searchsorted(s, x, side='right', out_int32=True)", "torch.searchsorted(s, 1)",
           "torch.searchsorted(s.expand(3, 5), x)", "torch.bucketize(x, s)", "torch.bucketize(x, s, right=True)", "torch.bucketize(2, s)", "torch.searchsorted(s[:0], x)", s=ORDERED),
    *cases(ALL, "torch.unique(ties)", "ties.unique()", "torch.unique(ties, return_inverse=True)", "torch.unique(ties, sorted=True, return_counts=True)",
           "ties.unique(return_inverse=True, return_counts=True)", "torch.unique_consecutive(ties)", "ties.unique_consecutive(return_inverse=True)",
           "torch.unique_consecutive(ties, return_counts=True)", "ties.unique_consecutive(return_inverse=True, return_counts=True)"),
    *cases(ALL, "torch.unique(ties, dim=0)", "ties.unique(dim=1, return_inverse=True)", "torch.unique(grid % 2, dim=-1, return_inverse=True, return_counts=True)", "torch.unique(ties, True, dim=1, return_counts=True)",
           "torch.unique_consecutive(ties, dim=1)", "ties.unique_consecutive(dim=0, return_inverse=True)", "torch.unique_consecutive(grid[:, 0], return_counts=True, dim=0)",
           "ties.unique_consecutive(return_inverse=True, return_counts=True, dim=-1)"),
    case("torch.unique(empty)"), case("torch.unique(empty, return_counts=True)"), case("torch.unique_consecutive(empty, return_inverse=True)"),
    case("torch.multinomial(p, 5, replacement=True).shape[0]", FLOATS, p=np.array([0.0, 1.0, 0.0])), case("torch.multinomial(p, 4, True)", p=np.array([0.0, 1.0, 0.0])),
    case("p.multinomial(1)", p=np.array([[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]])), case("p.multinomial(3).sort(-1)[0]", p=np.array([[0.5, 1.0, 0.2], [2.0, 0.5, 0.1]])),
]

FAILURES = [
    failing("x.masked_select(grid)", "RuntimeError", "BoolTensor"),
    failing("x.masked_select(m[:, :3])", "RuntimeError", "must match"),
    failing("x.masked_scatter(m, v[:1])", "RuntimeError", "as many elements"),
    failing("x.index_add(0, at, x)", "RuntimeError", "", only_ours=True),
    failing("x.index_copy(1, at, x)", "IndexError", "Number of indices"),
    failing("x.index_copy(0, at[:3], x.double())", "RuntimeError", "same dtype"),
    failing("x.scatter(0, grid + 5, x)", "RuntimeError", "out of bounds"),
    failing("x.scatter_add(0, grid, x.double())", "RuntimeError", "same dtype"),
    failing("x.scatter_reduce(0, grid, x, 'most')", "RuntimeError", "reduce argument"),
    failing("x.scatter_(0, grid, 1, reduce='mean')", "RuntimeError", "add or multiply"),
    failing("x.take(at + 100)", "IndexError", "out of range"),
    failing("x.take_along_dim(at, 1)", "RuntimeError", "same number of dimensions"),
    failing("torch.bucketize(x, x)", "RuntimeError", "1 dimension"),
    failing("torch.searchsorted(v, x, side='up')", "RuntimeError", "left"),
    failing("torch.searchsorted(x, x[:2])", "RuntimeError", "match"),
    failing("x.multinomial(2)", "RuntimeError", "element < 0"),
    failing("v.abs().multinomial(9)", "RuntimeError", "without replacement"),
    failing("cube.multinomial(1)", "RuntimeError", "1 or 2 dim"),
    failing("x.index_fill(0, grid, 1)", "RuntimeError", "vector"),
]
