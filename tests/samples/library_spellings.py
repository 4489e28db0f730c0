"""Cases of functions that give old operators other spellings: formats.py, told_later.py, pivoting.py, in-place functions."""

from __future__ import annotations

from .library import ALL, FLOATS, case, cases, failing

WRITTEN = ("sigmoid", "tanh", "abs", "log", "log2", "log10", "log1p", "rsqrt", "reciprocal", "square", "sin", "cos", "tan", "sinh", "cosh", "atan", "floor", "ceil",
           "round", "trunc", "frac", "erf", "erfc", "exp2", "expm1", "deg2rad", "rad2deg", "sinc", "relu", "exp", "sqrt", "neg", "zero", "detach")

CASES = [
    *cases(FLOATS, *(f"torch.{name}_(positive)" for name in WRITTEN), "torch.asin_(unit)", "torch.acos_(unit)", "torch.logit_(positive / 8)", "torch.clamp_(x, -0.5, 0.5)",
           "torch.clamp_min_(x, 0.2)", "torch.clamp_max_(x, 0.2)", "torch.fill_(x, 2)", "torch.xlogy_(positive, y * y)", "torch.negative_(x)", "torch.clip_(x, 0, 1)", "torch.addmv_(x[:, 0].clone(), mat, v)",
           rtol=2e-5),
    *cases(FLOATS, "x.deg2rad_()", "x.rad2deg_()", "x.sinc_()", "x.fix()", "torch.fix(x)", "special.angle()", "torch.angle(x)", "torch.hardshrink(x)", "torch.dropout(x, 0.5, False)", rtol=2e-5),
    *cases(FLOATS, *(f"torch.{name}_(unit)" for name in ("arcsin", "arccos", "atanh", "arctanh", "i0", "fix")), *(f"torch.{name}_(positive + 1.0)" for name in ("acosh", "arccosh", "asinh", "arcsinh", "arctan")),
           "(unit / 2).erfinv_()", "x.arctan2_(y)", "x.heaviside_(y)", "x.ldexp_(y.round())", "torch.nan_to_num_(positive.log(), 0.5)", "torch.selu_(x)", "torch.celu_(x, 0.5)", "torch.threshold_(x, 0.1, 2.0)",
           "torch.rrelu_(x, 0.1, 0.3)", "F.elu_(x)", "F.hardtanh_(x, -0.3, 0.4)", "F.leaky_relu_(x, 0.2)", "F.selu_(x)", "F.celu_(x)", "F.threshold_(x, 0.0, 1.0)", "F.rrelu_(x)", "torch.alpha_dropout(x, 0.5, False)",
           "x.greater_(y)", "x.greater_equal_(y)", "x.less_(y)", "x.less_equal_(0.1)", "x.not_equal_(y)", rtol=2e-5),
    case("i.gcd_(i + 6)"), case("torch.gcd_(i, i + 6)"), case("torch.lcm_(i, i + 2)"), case("torch.ldexp_(x, y.round())"), case("positive.double().float_power_(2)"),
    *cases(ALL, "v.broadcast_to(2, 1, v.size(0))", "v.broadcast_to([2, v.size(0)])", "v.broadcast_to(size=(2, v.size(0)))", "x[None, :, None].squeeze(0, 2)", "x[None, :, None].squeeze((0, 2))",
           "x[None].squeeze(dim=(0, 1))", "x.resolve_conj()", "torch.resolve_neg(x)", "torch.conj_physical(x)", "torch.resolve_conj(x)", "[x.is_conj(), torch.is_conj(x), x.is_neg(), torch.is_neg(x), x.is_pinned(), x.is_shared()]", "[x.get_device(), torch.get_device(x)]"),
    *cases(ALL, "torch.zeros_like(cube, memory_format=torch.preserve_format)", "torch.ones_like(cube, dtype=torch.int64, memory_format=torch.contiguous_format)",
           "torch.empty_like(cube, memory_format=torch.preserve_format).fill_(1)", "cube.clone(memory_format=torch.contiguous_format)", "torch.clone(cube, memory_format=torch.preserve_format)",
           "cube.contiguous(memory_format=torch.contiguous_format)", "x.tile(2)", "x.tile(2, 1, 2)", "v.tile([2, 2])", "x.narrow_copy(1, 1, 2)", "torch.narrow_copy(x, 0, 0, 2)",
           "torch.detach(x)", "x.detach_()", "x.requires_grad_(False)", "torch.real(x)"),
    *cases(ALL, "x.put(i, x[0])", "torch.put(x, i, x[0], True)", "x.put_(grid, other[0, :, :].to(x.dtype), accumulate=True)"),
    case("i.logical_xor_(i * 0)"), case("torch.detach(i)"),
    case("torch.concat([x, y], 1)"), case("torch.concatenate((x, y))"), case("torch.cat([x, y])"), case("torch.stack([x, y], 1)"),
    *cases(FLOATS, "torch.linalg.lu(square)", "torch.linalg.lu(squares)", "torch.linalg.lu(three)", "torch.linalg.lu(three.mT)", "torch.linalg.lu_factor(squares)", "torch.linalg.inv_ex(squares)",
           "torch.linalg.cholesky_ex(square @ square.mT)", "torch.linalg.cholesky_ex(square @ square.mT, upper=True)", "torch.linalg.vander(v, N=3)", "torch.linalg.vander(x)",
           "torch.linalg.lu_solve(*torch.linalg.lu_factor(square), three.mT[:3])", "torch.linalg.lu_solve(*torch.linalg.lu_factor(square), mat[:, :3], left=False)",
           "torch.linalg.lu_solve(*torch.linalg.lu_factor(square), square, adjoint=True)", "torch.lu_solve(square, *torch.linalg.lu_factor(square))",
           "square.lu_solve(*torch.linalg.lu_factor(square))", rtol=2e-3),
    case("x.resize_(*x.shape)"), case("x.resize_as_(y)"), case("torch._shape_as_tensor(x)"), case("i.type('torch.FloatTensor')"), case("i.type()"),
    case("torch.ShortTensor([1, 2])"), case("torch.CharTensor([1, 2])"), case("torch.BFloat16Tensor([1, 2]).float()"),
    case("torch.linalg.inv_ex(square * 0).info"), case("torch.linalg.cholesky_ex(-square @ square.mT).info"),
]

FAILURES = [
    failing("torch.linalg.cholesky(-square @ square.mT)", "_LinAlgError", "(the leading minor of order 1 is not positive-definite)."),
    failing("torch.linalg.inv(square * 0)", "_LinAlgError", "linalg.inv: The diagonal element 1 is zero, the inversion could not be completed"),
    failing("torch.linalg.solve(squares * 0, square)", "_LinAlgError", "torch.linalg.solve: (Batch element 0): The solver failed because the input matrix is singular."),
    failing("torch.linalg.inv_ex(square * 0, check_errors=True)", "_LinAlgError", "singular"),
    failing("torch.stack([1, 2])", "TypeError", "expected Tensor as element 0 in argument 0, but got int"),
    failing("torch.cat(['a'])", "TypeError", "expected Tensor as element 0 in argument 0, but got str"),
    failing("x.float_power_(2)", "RuntimeError", "float64"),
    failing("i.erfinv_()", "RuntimeError", "can't be cast"),
    failing("i.requires_grad_()", "RuntimeError", "no gradients"),
]
