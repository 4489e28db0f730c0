"""Cases that are known to take more than 1.2 of PyTorch's time, and why."""

_PASSES = "several operators, each a pass over memory"
_SERIES = "a longer polynomial beside exp, for small errors in the tail"
_LOG = "logarithms divide; PyTorch's come from a table"

SLOW: dict[str, str] = {
    **{f"{name} {dtype} 1e6": _PASSES
       for name in ("lerp", "addcmul", "nan_to_num", "frac") for dtype in ("f32", "f64")},
    **{f"norm {dtype} 1e6": _PASSES for dtype in ("f32", "f64")},
    "norm dim=1": _PASSES,
    "norm dim=1 f64": _PASSES,
    "count_nonzero i64 1e6": _PASSES,
    **{f"{name} 1e6": _SERIES for name in ("erf f64", "erfc f32", "erfc f64", "erfinv f64")},
    **{f"{name} {dtype} 1e6": _LOG for name in ("log", "log10") for dtype in ("f32", "f64")},
    "f64 pow f64": "libm, one element at a time",
    "f32 pow f32": "by way of doubles, for 1 ulp",
    "pow f32 ** 1.7": "by way of doubles, for 1 ulp",
    "shift u8 1e6": "no set shifts bytes by counts of their own: three steps",
}
