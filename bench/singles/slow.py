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
    "conv2d groups=8 64 56^2": "8 filters a group fill half of a vector of 16 lanes",
    "conv1d groups=8 k=5 64 2000": "8 filters a group fill half of a vector of 16 lanes",
    "conv2d f64 3x3 32 28^2": "unfolded into columns: the direct kernel is of float32",
    "conv3d 3^3 3->32 32^3 b2": "a border is put around the input and the result turned: two more passes over memory",
    "max_pool1d 2": "two elements a window: what a window costs beside them",
    "F.pad reflect": "borders of two columns go element by element, and each is a copy of its own",
    "F.pad replicate": "borders of two columns go element by element, and each is a copy of its own",
    "grid_sample bilinear": "positions are worked out place by place, not by vectors",
    "embedding_bag sum": "rows are looked up one by one; PyTorch compiles a loop for the width, with prefetches",
    "bmm 64x33x65x31": "each product packs its right side anew",
    "masked_scatter": "the positions of a mask are written out before they are used",
    "scatter_add 1e6 into 1e4": "indices are checked in a pass of their own",
    "scatter_add dim0 (1e4,64)": "offsets are written out before they are used",
    "repeat_interleave counts": "four scans and gathers, each over all elements",
}
