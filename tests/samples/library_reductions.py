"""Cases of tsm/library/reductions.py."""

from __future__ import annotations

from .library import ALL, FLOATS, NUMBERS, case, cases, failing

CASES = [
    *cases(FLOATS, "nan.nanmedian()", "torch.nanmedian(nan, 1)", "nan.nanmedian(0, keepdim=True)", "x.nanmedian()", "ties.mode()", "ties.mode(0)[0]", "torch.mode(ties, 1, True)", "torch.renorm(x, 2, 0, 1.0)", "cube.renorm(1, 2, 0.5)"),
    *cases(FLOATS, "torch.norm(x)", "x.norm()", "x.norm(2)", "x.norm(p=1, dim=-1)", "x.norm(dim=(0, 1), keepdim=True)", "x.norm('fro', 1)",
           "x.norm(math.inf, 0)", "x.norm(-math.inf, dim=[1], keepdim=True)", "x.norm(0, 1)", "x.norm(3, 1)", "x.norm(2.5)", "zero_d.norm()", "empty.norm()",
           "torch.norm(cube, 2, (0, 2))", "nan.norm(dim=1)", "x.norm(1, 0, True)"),
    *cases(FLOATS, "torch.logsumexp(x, 1)", "x.logsumexp((0, 1))", "x.logsumexp(-1, keepdim=True)", "torch.logsumexp(x * 1000, [0])", "zero_d.logsumexp(0)",
           "(x * math.inf).logsumexp(1)", "nan.logsumexp(0)", "empty.logsumexp(0)"),
    *cases(ALL, "cube.prod(1)", "cube.prod(-1, True)", "cube.prod(0, keepdim=True)", "zero_d.prod(0)", "empty.prod(0)", "cube.cumprod(1)", "torch.cumprod(cube, dim=0)"),
    *cases(NUMBERS, "cube.prod(dtype=torch.float64)", "cube.prod(2, dtype=torch.float32)", "cube.cumsum(1, dtype=torch.float64)", "cube.cumsum(dim=0, dtype=torch.int64)",
           "torch.cumsum(cube, -1, dtype=torch.float32)", "cube.sum(dim=None)", "cube.mean(1, dtype=torch.float64)", "cube.mean(dtype=torch.float32)"),
    *cases(FLOATS, "x.logcumsumexp(1)", "x.cummax(0)[0]", "x.cummax(1)[1]", "nan.cummax(1)[0]", "nan.cummin(1)[1]", "x.cummin(1).values", "torch.cummin(x, 0).indices",
           "x.mean(dim=None)", "x.nansum()", "nan.nansum(1)", "nan.nansum(dim=(0, 1))", "nan.nanmean()", "nan.nanmean(0, keepdim=True)"),
    *cases(FLOATS, "x.var(0, correction=0)", "x.std(correction=0)", "x.std(dim=(0, 1), correction=1)", "x.var(dim=1, correction=2, keepdim=True)", "torch.var_mean(x)",
           "torch.var_mean(x, 1)", "torch.var_mean(x, (0, 1), keepdim=True)", "torch.std_mean(x, dim=0, correction=0)", "torch.std_mean(x, 1, False)",
           "torch.var(cube, dim=None)"),
    *cases(NUMBERS, "torch.aminmax(x)", "x.aminmax(dim=1)", "x.aminmax(dim=0, keepdim=True).max", "x.count_nonzero()", "ties.count_nonzero(1)", "ties.count_nonzero((0, 1))"),
    *cases(ALL, "ties.any((0, 1))", "torch.any(ties, dim=(1,), keepdim=True)", "ties.all(dim=(0, 1))", "ties.all((0,), True)"),
    *cases(("float32", "int32"), "x.softmax(1, dtype=torch.float64)", "torch.softmax(x, dim=0, dtype=torch.float32)", "x.log_softmax(-1, torch.float64)",
           "torch.log_softmax(x, dim=1, dtype=torch.float32)"),
    *cases(NUMBERS, "square.trace()", "x.trace()", "x.median()", "torch.median(big)", "x.median(1)[0]", "ties.median(0).values", "x.median(-1, keepdim=True)[0]",
           "x.kthvalue(2)[0]", "x.kthvalue(3, 1, True)[0]", "zero_d.median()"),
    *cases(FLOATS, "torch.kthvalue(x, 1, 0).indices", "nan.median()", "nan.median(1)", "x.quantile(0.3)", "torch.quantile(x, 0.5, dim=1)", "x.quantile(0.25, 0, keepdim=True)",
           "x.quantile(q, dim=1)", "x.quantile(q, interpolation='lower')", "x.quantile(q, 0, True, interpolation='higher')", "x.quantile(0.4, interpolation='nearest')",
           "x.quantile(0.4, 1, interpolation='midpoint')", "nan.quantile(0.5, 1)", "nan.nanquantile(0.5)", "torch.nanquantile(nan, 0.3, 1, keepdim=True)", "nan.nanquantile(q, dim=0)", q=__import__("numpy").array([0.0, 0.35, 1.0])),
    *cases(FLOATS, "torch.logcumsumexp(x, 0)", "torch.cummax(x, 1)", "torch.nansum(nan, 0)", "torch.nanmean(nan, dim=1)", "torch.count_nonzero(x)", "torch.prod(x, 1)", "torch.mean(x, dim=None)",
           "torch.sum(x, dim=None, keepdim=True)", "torch.std(x, 0, correction=0)", "torch.all(x, dim=(0, 1))"),
    case("torch.bincount(at)"), case("at.bincount(minlength=7)"), case("torch.bincount(at, v)", FLOATS), case("at.bincount(weights=at)"),
    *cases(FLOATS, "torch.histc(x, bins=4, min=-1, max=1)", "v.histc(3)", "torch.histc(x * 0 + 2, 5)", "torch.histc(x, 7, -10.0, 10.0)"),
    *cases(FLOATS, "torch.dist(x, y)", "x.dist(y, 1)", "torch.dist(x, y, math.inf)"),
]

FAILURES = [
    failing("torch.renorm(x[0], 2, 0, 1.0)", "RuntimeError", "at least 2 dimensions"),
    failing("torch.trapezoid(x[0], x[0, :1])", "RuntimeError", "one `x` value"),
    failing("torch.normal(0.0, -1.0, (2,))", "RuntimeError", "normal expects std >= 0.0"),
    failing("torch.histc(x, 4, 2, 1)", "RuntimeError", "max must be larger than min"),
    failing("torch.norm(i)", "RuntimeError", "floating point"),
    failing("x.norm(dim=2)", "IndexError", "Dimension out of range"),
    failing("x.norm(dim=(0, 0))", "RuntimeError", "multiple times"),
    failing("x.norm('nuc2')", "RuntimeError", "order"),
    failing("x.logsumexp(5)", "IndexError", "Dimension out of range"),
    failing("x.prod(3)", "IndexError", "Dimension out of range"),
    failing("v.trace()", "RuntimeError", "expected a matrix"),
    failing("i.var(0, correction=0)", "RuntimeError", "only support floating"),
    failing("x.kthvalue(9)", "RuntimeError", "out of range"),
    failing("x.quantile(2.0)", "RuntimeError", "range [0, 1]"),
    failing("x.quantile(0.5, interpolation='x')", "RuntimeError", "interpolation"),
    failing("torch.bincount(i)", "RuntimeError", "non-negative"),
    failing("torch.bincount(at, x)", "RuntimeError", "weights"),
    failing("x.cummax(2)", "IndexError", "Dimension out of range"),
]
