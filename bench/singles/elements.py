"""Operators that work element by element: arithmetic, functions, conversions, broadcasting."""

from __future__ import annotations

from functools import partial
from typing import Any

from .case import Case, array, case, given, positive, unit

N = (1_000_000,)

# name -> (expression of one or two tensors, how many, dtypes)
FLOATS, INTS, ALL = ("f32", "f64"), ("i64", "i32", "u8"), ("f32", "f64", "i64", "i32", "u8")
ARITHMETIC: dict[str, tuple[Any, int, tuple[str, ...]]] = {
    "add": (lambda m, a, b: a + b, 2, ALL),
    "sub": (lambda m, a, b: a - b, 2, ALL),
    "mul": (lambda m, a, b: a * b, 2, ALL),
    "div": (lambda m, a, b: a / b, 2, ALL),
    "mul by a number": (lambda m, a: a * 3, 1, ALL),
    "abs": (lambda m, a: a.abs(), 1, ALL),
    "neg": (lambda m, a: -a, 1, ALL),
    "gt": (lambda m, a, b: a > b, 2, ALL),
    "eq": (lambda m, a, b: a == b, 2, (*ALL, "bool")),
    "clamp": (lambda m, a: a.clamp(2, 50), 1, ALL),
    "maximum": (lambda m, a, b: m.maximum(a, b), 2, ALL),
    "where": (lambda m, a, b: m.where(a > b, a, b), 2, ALL),
    "sign": (lambda m, a: m.sign(a), 1, ALL),
    "square": (lambda m, a: a ** 2, 1, ALL),
    "and": (lambda m, a, b: a & b, 2, (*INTS, "bool")),
    "xor": (lambda m, a, b: a ^ b, 2, (*INTS, "bool")),
    "not": (lambda m, a: ~a, 1, (*INTS, "bool")),
    "shift": (lambda m, a: a << 3, 1, INTS),
    "logical_and": (lambda m, a, b: m.logical_and(a, b), 2, (*ALL, "bool")),
    "logical_xor": (lambda m, a, b: m.logical_xor(a, b), 2, (*ALL, "bool")),
    "logical_not": (lambda m, a: m.logical_not(a), 1, (*ALL, "bool")),
    "lerp": (lambda m, a, b: m.lerp(a, b, 0.3), 2, FLOATS),
    "addcmul": (lambda m, a, b: m.addcmul(a, a, b, value=0.5), 2, FLOATS),
    "nan_to_num": (lambda m, a: m.nan_to_num(a), 1, FLOATS),
    "isnan any": (lambda m, a: m.isnan(a).any(), 1, FLOATS),
    "frac": (lambda m, a: m.frac(a), 1, FLOATS),
    "floor": (lambda m, a: m.floor(a), 1, FLOATS),
    "round": (lambda m, a: m.round(a), 1, FLOATS),
    "trunc": (lambda m, a: m.trunc(a), 1, FLOATS),
}
DIVISION: dict[str, tuple[Any, tuple[str, ...]]] = {
    "//": (lambda m, a, b: a // b, ALL),
    "%": (lambda m, a, b: a % b, ALL),
    "fmod": (lambda m, a, b: m.fmod(a, b), ALL),
    "pow": (lambda m, a, b: a ** b, FLOATS),
}
FUNCTIONS = [
    "exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin",
    "acos", "atan", "asinh", "atanh", "sqrt", "rsqrt", "reciprocal", "sigmoid", "erf", "erfc", "erfinv", "lgamma",
    "digamma",
]
ACTIVATIONS = [
    "gelu", "silu", "hardswish", "mish", "softplus", "elu", "leaky_relu", "logsigmoid", "hardsigmoid", "hardtanh",
    "relu", "relu6", "selu", "softsign", "tanhshrink",
]


def function_input(name: str, dtype: str) -> Any:
    if name in ("asin", "acos", "atanh", "erfinv"):
        return unit(*N, dtype=dtype)
    if name.startswith("log") or name in ("sqrt", "rsqrt", "lgamma", "digamma"):
        return positive(*N, dtype=dtype)
    return array(*N, dtype=dtype)


def call(name: str, m: Any, a: Any) -> Any:
    return getattr(m, name)(a)


def activate(name: str, m: Any, a: Any) -> Any:
    return getattr(m.nn.functional, name)(a)


def convert(source: str, target: str) -> Case:
    name = {"f32": "float32", "f64": "float64", "i64": "int64", "i32": "int32", "u8": "uint8", "bf16": "bfloat16",
            "bool": "bool"}[target]
    return given(f"{source} -> {target}", lambda m, a: a.to(getattr(m, name)),
                 partial(array, *N, dtype=source), group=source)


ELEMENTS: list[Case] = [
    *(case(f"{name} {dtype} 1e6", run, array, *[N] * count, group=dtype)
      for name, (run, count, dtypes) in ARITHMETIC.items() for dtype in dtypes),
    *(case(f"{dtype} {name} {dtype}", run, positive, N, N, group=dtype)
      for name, (run, dtypes) in DIVISION.items() for dtype in dtypes),
    *(given(f"{name} {dtype} 1e6", partial(call, name), partial(function_input, name, dtype), group=dtype,
            tolerance=1e-4 if name in ("lgamma", "digamma") else 2e-5)
      for name in FUNCTIONS for dtype in ("f32", "f64")),
    *(case(f"{name} f32 1e6", partial(activate, name), array, N) for name in ACTIVATIONS),
    *(case(f"{name} f64 1e6", partial(activate, name), array, N, group="f64")
      for name in ("gelu", "silu", "hardswish")),
    *(case(f"{name} {dtype}", run, array, N, N, group=dtype) for dtype in FLOATS for name, run in {
        "atan2": lambda m, a, b: m.atan2(a, b), "hypot": lambda m, a, b: m.hypot(a, b)}.items()),
    *(case(f"pow {dtype} ** 3", lambda m, a: a ** 3, array, N, group=dtype) for dtype in ("f32", "i64")),
    case("pow f32 ** 1.7", lambda m, a: a ** 1.7, positive, N),
    *(convert(source, target) for source in ("f32", "f64", "i64", "i32", "u8", "bool")
      for target in ("f32", "f64", "i64", "i32", "u8", "bf16", "bool")
      if source != target and not (target == "u8" and source in ("f32", "f64"))),
    given("f32->bf16->f32", lambda m, a: a.to(m.bfloat16).to(m.float32), partial(array, *N)),
    given("u8->f32/255", lambda m, a: a.float() / 255, partial(array, *N, dtype="u8"), group="u8"),
    given("add f32 + i64", lambda m, a, b: a + b, partial(array, *N), partial(array, *N, dtype="i64")),
    given("add f32 + f64", lambda m, a, b: a + b, partial(array, *N), partial(array, *N, dtype="f64")),
    given("add u8 + i32", lambda m, a, b: a + b, partial(array, *N, dtype="u8"), partial(array, *N, dtype="i32"),
          group="u8"),
    case("add broadcast (1000,1)+(1,1000)", lambda m, a, b: a + b, array, (1000, 1), (1, 1000)),
    case("add broadcast i64 (1000,1)+(1,1000)", lambda m, a, b: a + b, array, (1000, 1), (1, 1000), group="i64"),
    case("add broadcast (64,1,128,1)*(1,32,1,128)", lambda m, a, b: a * b, array, (64, 1, 128, 1), (1, 32, 1, 128)),
    case("add a + a.t()", lambda m, a: a + a.t(), array, (1000, 1000)),
    case("exp of a[:, ::2]", lambda m, a: a[:, ::2].exp(), array, (1000, 2000)),
    case("mul of a[::3, 1::5]", lambda m, a: a[::3, 1::5] * 2, array, (1500, 1500)),
    case("(n,c,h,w)*(c,1,1)+(c,1,1)", lambda m, a, b: a * b + b, array, (8, 64, 56, 56), (64, 1, 1)),
    *(case(f"{name} f32 {count}", run, array, (count,)) for count in (1, 100, 10_000) for name, run in {
        "tanh": lambda m, a: a.tanh(), "add itself": lambda m, a: a + a, "gelu": partial(activate, "gelu")}.items()),
]
