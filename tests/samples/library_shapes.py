"""Cases of tsm/library/shapes.py."""

from __future__ import annotations

from .library import ALL, FLOATS, NUMBERS, case, cases, failing
from .sample import ints

CASES = [
    *cases(ALL, "cube.movedim(0, 2)", "torch.movedim(cube, (0, 1), (-1, 0))", "torch.moveaxis(cube, 2, 0)", "cube.moveaxis([0], [1])", "torch.swapaxes(cube, 0, 2)",
           "torch.swapdims(cube, 1, -1)", "cube.swapdims(0, 1)", "cube[:1].squeeze((0, 2))", "torch.squeeze(cube[:, :1, :1], (1, 2))", "cube.unflatten(2, (2, 2))",
           "torch.unflatten(cube, -1, (-1, 2))", "cube.ravel()", "torch.ravel(cube.transpose(0, 1))", "zero_d.ravel()", "v.expand_as(x[0, 0].reshape(1, 1).expand(3, 5))",
           "cube.view_as(cube.reshape(6, 4))", "cube.reshape_as(cube.reshape(4, 6))", "torch.broadcast_to(v, (2, 5))", "v.broadcast_to((3, 5))"),
    *cases(ALL, "torch.broadcast_tensors(v, zero_d)", "torch.broadcast_tensors(x[:, :1], x[:1])", "torch.meshgrid(v, three[0], indexing='ij')",
           "torch.meshgrid([v, three[0], zero_d], indexing='xy')", "torch.meshgrid(v, three[0], indexing='xy')[1]", "torch.cartesian_prod(v, three[0])",
           "torch.cartesian_prod(v)", "torch.atleast_1d(zero_d)", "torch.atleast_2d(v)", "torch.atleast_2d(zero_d)", "torch.atleast_3d(x)", "torch.atleast_3d(v)",
           "torch.hstack((v, v))", "torch.hstack([x, x])", "torch.vstack((v, v))", "torch.row_stack((x, x))", "torch.dstack((x, x))", "torch.column_stack((v, v))",
           "torch.column_stack([x, three[:3]])"),
    *cases(ALL, "cube.roll(1, 0)", "cube.roll((1, -2), (1, 2))", "torch.roll(cube, 5)", "torch.roll(cube, shifts=-1, dims=-1)", "empty.roll(1, 0)", "zero_d.roll(1)",
           "cube.rot90()", "torch.rot90(cube, 2, [1, 2])", "cube.rot90(3, (0, 2))", "cube.rot90(-4)", "cube.flip(1)", "torch.flip(cube, (0, 1))", "cube.fliplr()",
           "torch.flipud(cube)", "torch.fliplr(x)", "v.flipud()", "cube.tile((2,))", "torch.tile(x, (2, 1, 2))", "v.tile((2, 2))"),
    *cases(ALL, "cube.repeat_interleave(2)", "cube.repeat_interleave(3, dim=1)", "torch.repeat_interleave(x, r, dim=0)", "x.repeat_interleave(r, 0)", "torch.repeat_interleave(r)",
           "torch.repeat_interleave(cube, 2, -1)", "x.repeat_interleave(r[:1], 1)", "x.repeat_interleave(0, 1)", r=ints(2, 0, 1)),
    *cases(NUMBERS, "cube.tensor_split(3, 2)", "torch.tensor_split(v, (1, 3))", "v.tensor_split([1, 9, -1])", "cube.split([1, 3], 2)", "torch.split(cube, (1, 2), dim=1)",
           "torch.split_with_sizes(v, [2, 3])", "v.split_with_sizes((1, 4))", "x.hsplit(2)", "torch.hsplit(v, [2])", "torch.vsplit(x, 3)", "x.vsplit((1,))"),
    *cases(ALL, "v.diag()", "torch.diag(v, 1)", "x.diag(-1)", "torch.diag(x, diagonal=2)", "torch.diag_embed(x)", "x.diag_embed(1)", "x.diag_embed(-1, 0, 2)",
           "torch.diagflat(x)", "v.diagflat(-1)", "torch.block_diag(x, v, square)", "torch.block_diag(zero_d, x)"),
    case("torch.tril_indices(3, 4)"), case("torch.triu_indices(3, 4, offset=1)"), case("torch.tril_indices(2, 5, -1, dtype=torch.int32, device='cpu')"),
    case("torch.triu_indices(0, 2)"),
    *cases(FLOATS, "torch.gradient(x)", "torch.gradient(x, spacing=0.5, dim=1)", "torch.gradient(cube, dim=[0, 2], edge_order=1)"),
    *cases(ALL, "torch.diff(cube)", "cube.diff(dim=0)", "x.diff(1, 1, prepend=x[:, :1])", "torch.diff(x, dim=0, append=x[:2])"),
    *cases(NUMBERS, "x.diff(n=2)", "x.diff(9)", "cube.unfold(2, 2, 1)", "cube.unfold(1, 2, 2)", "cube.unfold(-1, 3, 2)", "zero_d.unfold(0, 1, 1)"),
    *cases(FLOATS, "x.new_zeros(2, 3)", "x.new_zeros((2, 3))", "x.new_zeros(x.shape)", "x.new_zeros([2])", "x.new_zeros(2, dtype=torch.int64)", "x.new_ones(3)",
           "x.new_ones((1, 2), device=x.device)", "x.new_empty(0)", "x.new_empty((0, 2), dtype=torch.bool)", "x.new_full((2, 2), 3.5)", "x.new_full((2,), 1, dtype=torch.int64)",
           "x.new_tensor([1, 2])", "x.new_tensor([[1.5]], dtype=torch.float64)"),
]

FAILURES = [
    failing("x.movedim((0, 1), (0,))", "RuntimeError", "must be as many"),
    failing("x.movedim((0, 0), (1, 0))", "RuntimeError", "repeated dim"),
    failing("x.unflatten(1, (3, 2))", "RuntimeError", "multiply up"),
    failing("torch.broadcast_tensors(x, v)", "RuntimeError", "must match"),
    failing("torch.meshgrid(x, v)", "RuntimeError", "0D or 1D"),
    failing("torch.meshgrid(v, at)", "RuntimeError", "same dtype"),
    failing("torch.meshgrid(v, v, indexing='yx')", "RuntimeError", "must be one of"),
    failing("x.roll((1, 2), 0)", "RuntimeError", "must align"),
    failing("v.fliplr()", "RuntimeError", ">= 2-d"),
    failing("zero_d.flipud()", "RuntimeError", ">= 1-d"),
    failing("x.rot90(1, [0])", "RuntimeError", "rotation dims"),
    failing("x.rot90(2, [1, -1])", "RuntimeError", "rotation dims to be different"),
    failing("torch.cartesian_prod(x)", "RuntimeError", "Expect a 1D vector, but got shape"),
    failing("x.repeat_interleave(-1)", "RuntimeError", "non-negative"),
    failing("x.repeat_interleave(at, 0)", "RuntimeError", "repeats"),
    failing("x.split([1, 1])", "RuntimeError", "sum exactly"),
    failing("x.tensor_split(0)", "RuntimeError", "larger than 0"),
    failing("cube.diag()", "RuntimeError", "1D or 2D"),
    failing("x.diag_embed(0, 1, 1)", "RuntimeError", "identical"),
    failing("zero_d.diff()", "RuntimeError", "one-dimensional"),
    failing("x.diff(-1)", "RuntimeError", "non-negative"),
    failing("v.unfold(0, 9, 1)", "RuntimeError", "maximum size"),
    failing("v.unfold(0, 1, 0)", "RuntimeError", "must be > 0"),
    failing("x.swapdims(0, 5)", "IndexError", ""),
]
