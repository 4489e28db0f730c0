"""Cases of tsm/library/pointwise.py and inplace.py."""

from __future__ import annotations

from .library import ALL, FLOATS, INTS, NUMBERS, case, cases, failing

ANGLES = ("atan", "asin", "acos", "arctan", "arcsin", "arccos", "sinh", "cosh", "asinh", "acosh", "atanh", "log10", "exp2", "deg2rad", "rad2deg", "logit")
WRITTEN = (
    "sigmoid_()", "tanh_()", "abs_()", "log_()", "log2_()", "log10_()", "log1p_()", "rsqrt_()", "reciprocal_()", "square_()", "sin_()", "cos_()", "tan_()", "asin_()",
    "acos_()", "atan_()", "sinh_()", "cosh_()", "floor_()", "ceil_()", "round_()", "trunc_()", "frac_()", "sign_()", "logical_not_()", "clamp_min_(0.2)",
    "clamp_max_(0.2)", "fmod_(0.3)", "cumsum_(1)", "tril_()", "triu_(1)", "lerp_(y, 0.3)", "addcmul_(y, y, value=0.5)", "addcdiv_(y, y)",
)

CASES = [
    *cases(FLOATS, *(f"torch.special.{name}(x)" for name in ("expit", "erf", "erfc", "erfinv", "expm1", "exp2", "log1p", "sinc", "digamma", "psi", "gammaln", "entr", "ndtr", "log_ndtr", "i0", "i0e", "round")),
           "torch.special.entr(special)", "torch.special.i0(special[:1] * 0 + 30)", "torch.special.xlogy(positive, 2.0)", "torch.xlogy(2.0, positive)", "positive.xlogy(3)", "torch.special.xlog1py(x, positive)",
           "torch.special.xlog1py(positive, 0.5)", "torch.special.ndtri(positive / 8)", "torch.special.multigammaln(positive + 2, 2)", "torch.mvlgamma(positive + 1, 1)", "torch.special.logit(positive / 8)",
           "torch.special.softmax(x, 1)", "torch.special.log_softmax(x, 0)", "torch.special.logsumexp(x, 1)", "torch.i0(x)", "x.erfc_()", "x.exp2_()", "positive.lgamma_()", "positive.digamma_()", "x.clip_(0, 1)",
           "x.absolute_()", "x.sgn_()", "x.hypot_(y)", "x.copysign_(y)", "positive.xlogy_(positive)", "x.eq_(y)", "x.lt_(0)", "x.ge_(y)", "x.gt_(y)", "x.le_(y)", "x.ne_(x)", "x.renorm_(2, 0, 1.0)", "x.addmm_(mat, mat2)",
           "cube.baddbmm_(batch, batch2)", "positive.div_(8).logit_()", rtol=1e-4),
    case("x.element_size()"), case("x.double().element_size()"), case("at.nelement()"), case("x.ndimension()"), case("x.is_signed()"), case("torch.is_signed(m)"), case("x.stride(-1)"), case("cube.stride(1)"),
    case("torch.ldexp(x, y)"), case("torch.lcm(at + 1, at + 3)"), case("x[:, 0].addmv_(mat, v)"), case("x.addr_(y[:, 0], y[0])"), case("torch.isreal(x)"), case("torch.adjoint(squares)"), case("x.isreal()"), case("torch.conj(x)"), case("squares.adjoint()"), case("torch.broadcast_shapes((2, 1), (3,))"), case("torch.can_cast(torch.float32, torch.int64)"),
    case("torch.can_cast(torch.bool, torch.int32)"), case("torch.zeros(0, dtype=torch.promote_types(torch.int64, torch.float32))"), case("torch.zeros(0, dtype=torch.result_type(at, 1.5))"),
    case("torch.zeros(0, dtype=torch.result_type(x, zero_d))"),
    *cases(FLOATS, "torch.erfinv(unit)", "unit.erfinv()", "torch.erfinv(special)", "torch.erfinv(unit * 0.001)", "torch.erfinv(1 - positive * 1e-4)"),
    *cases(FLOATS, "x.true_divide_(y)", "x.div_(y, rounding_mode='floor')", "x.divide_(2.0)", "x.multiply_(y)", "x.multiply_(3)", "x.subtract_(1)", "x.negative_()", "x.erf_()", "x.expm1_()", "x.cumprod_(1)",
           "x.div_(y, rounding_mode='trunc')"),
    case("i.div_(2, rounding_mode='floor')"), case("m.logical_and_(row)"), case("m.logical_or_(row)"),
    *cases(("float32", "float64", "int32"), *(f"unit.{name}()" for name in ANGLES), *(f"torch.{name}(positive)" for name in ANGLES), rtol=2e-5),
    *cases(FLOATS, *(f"special.{name}()" for name in ANGLES if name not in ("exp2", "deg2rad", "rad2deg", "logit")), rtol=2e-5),
    *cases(FLOATS, "x.frac()", "unit.logit(0.1)", "torch.logit(positive, eps=0.3)", "special.logit(1e-6)", rtol=2e-5),
    *cases(NUMBERS, "x.sgn()", "torch.clamp_min(cube, 2)", "cube.clamp_max(1)", "cube.clamp(min=other.to(cube.dtype))", "torch.clamp(cube, cube - 1, cube * 0)",
           "cube.clip(None, cube * 0)", "cube.maximum(cube * 0)", "cube.clamp_min(cube * 0)"),
    *cases(NUMBERS, "cube.fmod(3)", "cube.fmod(-3)", "torch.fmod(cube, cube * 0 + 2)", "torch.div(cube, 3, rounding_mode='floor')", "cube.div(3, rounding_mode='trunc')",
           "cube.div(cube * 0 - 2, rounding_mode='trunc')", "cube.divide(2, rounding_mode=None)", "torch.div(cube, 2, rounding_mode='trunc')", "torch.rsub(cube, 2)",
           "torch.rsub(cube, cube * 2, alpha=3)", "cube.float_power(2)", "torch.float_power(cube, cube * 0 + 2)"),
    *cases(FLOATS, "special.fmod(1.5)", "torch.fmod(v, 0.3)", "torch.lerp(x, y, 0.25)", "x.lerp(y, 0.75)", "x.lerp(y, weight=y)", "torch.addcmul(x, y, y)",
           "x.addcmul(y, y, value=-0.5)", "torch.addcdiv(x, y, y, value=2)", "x.addcdiv(y, x)", "special.nan_to_num()", "torch.nan_to_num(special, 1.0, 2.0, 3.0)",
           "special.nan_to_num(nan=-1.0)", "torch.hypot(x, y)", "special.hypot(special * 0 + 2)", "torch.logaddexp(x, y)", "torch.logaddexp(special, special)",
           "x.logaddexp2(y)", "special.isposinf()", "torch.isneginf(special)", "special.signbit()", "torch.copysign(x, y)", "x.copysign(-2.0)", "special.copysign(special)",
           "torch.heaviside(x, y)", "special.heaviside(special * 0 + 0.5)", "torch.round(x, decimals=2)", "(x * 100).round(decimals=-1)", rtol=2e-5),
    *cases(ALL, "torch.isclose(cube, cube.clone())", "torch.logical_xor(ties, ties.clone())"),
    *cases(FLOATS, "torch.isclose(x, x + 1e-7)", "x.isclose(y, rtol=0.5, atol=0.5)", "special.isclose(special)", "torch.isclose(special, special, equal_nan=True)"),
    *cases(INTS, "cube.nan_to_num()", "cube.addcmul(cube, cube, value=2)", "cube.byte()", "cube.char()", "cube.short()"),
    *cases(ALL, "cube.to(zero_d)", "cube.to(i)", "cube.type_as(i)", "i.type_as(cube)", "cube.to(torch.float64, copy=True)", "cube.to(torch.int32, non_blocking=True)",
           "cube.to('cpu', torch.float32)", "cube.to(cube.device, non_blocking=True)", "cube.to(dtype=torch.float64)", "cube.to(copy=True)"),
    *cases(FLOATS, "torch.frac(x)", "torch.sgn(x)", "torch.logaddexp2(x, y)", "torch.isposinf(x)", "torch.signbit(x)", "torch.clamp_max(x, 0.5)", "torch.arcsinh(x)",
           "torch.arccosh(positive + 1)", "torch.arctanh(unit)", "x.arcsinh()", "positive.arccosh()", "unit.arctanh()", "x.type(torch.int64)", "torch.clip(x, min=y)", "x.clip(y, y + 1)",
           "torch.divide(x, 3, rounding_mode='floor')", rtol=2e-5),
    *cases(FLOATS, *(f"positive.{text}" for text in WRITTEN), rtol=2e-5),
    *cases(INTS, "cube.bitwise_not_()", "cube.abs_()", "cube.sign_()", "cube.square_()", "cube.clamp_min_(2)", "cube.fmod_(2)", "cube.floor_()"),
]

FAILURES = [
    failing("i.sigmoid_()", "RuntimeError", "can't be cast"),
    failing("i.log_()", "RuntimeError", "can't be cast"),
    failing("torch.div(x, y, rounding_mode='up')", "RuntimeError", "rounding_mode"),
    failing("torch.addcdiv(i, i, i)", "RuntimeError", "Integer division"),
    failing("torch.isclose(x, x.double())", "RuntimeError", "same dtype"),
    failing("torch.heaviside(x, x.double())", "RuntimeError", "different dtypes"),
    failing("torch.lerp(x, x.double(), 0.5)", "RuntimeError", "dtype"),
    failing("torch.fmod(x, v)", "RuntimeError", ""),
    failing("v.clamp_min_(x)", "RuntimeError", ""),
]
