"""Cases of tsm/library/creation.py."""

from __future__ import annotations

from .library import ALL, FLOATS, NUMBERS, case, cases, failing

CASES = [
    case("torch.randperm(7).sort()[0]"), case("torch.randperm(0)"), case("torch.randperm(3, dtype=torch.int32, device='cpu').sum()"), case("torch.randint(1, (2, 3))"),
    case("torch.randint(5, (2, 3)).clamp(0, 0)"), *cases(NUMBERS, "torch.randint_like(x, 1)", "torch.randint_like(x, 3, 4)", "torch.randint_like(x, 1, dtype=torch.int64)"),
    *cases(FLOATS, "torch.normal(x, x * 0)", "torch.normal(x, 0.0)", "torch.normal(2.0, x * 0)", "torch.normal(0.0, 1.0, size=(2, 3)).shape[1]", "x.bernoulli_(1.0)", "x.bernoulli_(0.0)",
           "(x.exponential_(2.0) >= 0).all()"),
    case("torch.scalar_tensor(2)"), case("torch.scalar_tensor(1.5, dtype=torch.float64)"), case("torch.logspace(0, 3, 4)"), case("torch.logspace(-1.0, 2.0, steps=5, base=2.0, dtype=torch.float64)"),
    *cases(NUMBERS, "torch.fmax(x, y)", "x.fmin(y)", "cube.msort()", "torch.msort(x)"), *cases(FLOATS, "special.fmax(special * 0 + 1)", "torch.fmin(special, special * 0 + 1)", "x.sinc()",
           "torch.sinc(special * 0 + 0.5)", "x.fmax(y)", "special.nan_to_num_(1.0)", "x.atan2_(y)"),
    *cases(ALL, "x.fill_diagonal_(1)", "squares.expand(3, 2, 3, 3)[:, 0].clone().fill_diagonal_(2)", "torch.slice_scatter(x, y[:2].to(x.dtype), 0, 1, 3)", "x.slice_scatter(x[:, :2], 1, step=2)",
           "torch.diagonal_scatter(x, x[0, :3])", "x.diagonal_scatter(x[0, :3], 1)"),
    *cases(FLOATS, "torch.cov(x)", "x.cov(correction=0)", "v.cov()", "torch.corrcoef(x)", "x.corrcoef()", "torch.trapezoid(x)", "torch.trapz(x, dx=0.5)", "torch.trapezoid(x, y)", "torch.trapezoid(x, x[0], dim=1)",
           "torch.trapezoid(cube, dim=0)", rtol=5e-5),
    case("torch.combinations(v)"), case("torch.combinations(v, r=3)"), case("torch.combinations(v, 2, with_replacement=True)"), case("torch.combinations(v, 0)"), case("torch.combinations(v[:1])"),
    case("torch.vander(v)"), case("torch.vander(v, 3, increasing=True)"), case("torch.kaiser_window(6)"), case("torch.kaiser_window(5, False, 8.0)"), case("torch.kaiser_window(1)"),
    case("torch.unravel_index(at, (2, 2))"), *cases(FLOATS, "torch.cumulative_trapezoid(x)", "torch.cumulative_trapezoid(x, y)", "torch.cumulative_trapezoid(x, x[0], dim=1)", "torch.cumulative_trapezoid(cube, dx=0.5, dim=0)",
           "x.ldexp(y)", "cube.sum_to_size(3, 1)", rtol=5e-5), case("torch.gcd(at * 6, at + 4)"), case("at.lcm(at + 3)"), case("torch.gcd(at, -at * 2)"),
    case("torch.is_nonzero(zero_d)"), case("zero_d.is_nonzero()"), case("torch.is_same_size(x, y)"), case("x.is_same_size(v)"), case("x.is_complex()"), case("torch.is_complex(x)"),
]

FAILURES = [
    failing("torch.randperm(-1)", "RuntimeError", "non-negative"),
    failing("x.bernoulli_(2.0)", "RuntimeError", "expects p"),
    failing("x.exponential_(-1.0)", "RuntimeError", "lambda"),
    failing("v.fill_diagonal_(1)", "RuntimeError", "larger than 1"),
    failing("cube.fill_diagonal_(1)", "RuntimeError", "equal length"),
    failing("x.diagonal_scatter(x)", "RuntimeError", "size equal"),
    failing("cube.cov()", "RuntimeError", "two or fewer"),
    failing("torch.is_nonzero(x)", "RuntimeError", "ambiguous"),
]
