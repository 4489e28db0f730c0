"""Samples of matrix products, convolutions, pooling and normalisation."""

from __future__ import annotations

from typing import Any

from .sample import FLOATS, NUMBERS, Failure, Sample, ints, mask, noise, ramp

IMAGE, ODD, SIGNAL = noise(2, 4, 7, 6), ramp(1, 3, 5, 5), noise(2, 4, 11)
VOLUME = noise(2, 2, 4, 5, 3)
K = noise(6, 4, 3, 2, seed=1)
CHANNELS = noise(4, seed=2)


def _bytes(*shape: int) -> Any:
    return (noise(*shape, seed=4) * 50).astype("int8")


def _row(n: int, seed: int = 9) -> Any:
    return noise(n, seed=seed).astype("float32")


def _mixed(x: Any, weight: Any, scale: Any = None, bias: Any = None) -> Any:
    result = x @ weight.to(x.dtype).T
    result = result if scale is None else result * scale
    return result if bias is None else result + bias


def _transposed(x: Any, w: Any, b: Any, stride: Any, padding: Any, dilation: Any, groups: int, more: Any) -> Any:
    import torch

    function = getattr(torch.nn.functional, f"conv_transpose{w.dim() - 2}d")
    return function(x, w, b, stride, padding, more, groups, dilation)


def _bagged(w: Any, i: Any, starts: Any, mode: str, by: Any = None, pad: int = -1) -> Any:
    import torch

    return torch.nn.functional.embedding_bag(i, w, starts, mode=mode, per_sample_weights=by, padding_idx=None if pad < 0 else pad)


def _resized(x: Any, size: list[int], scales: list[float], mode: str, corners: bool) -> Any:
    import torch

    kind = {"linear": ("linear", "bilinear", "trilinear")[len(size) - 1], "cubic": "bicubic"}.get(mode, mode)
    return torch.nn.functional.interpolate(x, size, mode=kind, align_corners=corners if mode in ("linear", "cubic") else None)


def _norm_arguments(n: int) -> tuple[Any, ...]:
    return noise(n, seed=5), abs(noise(n, seed=6)) + 0.5, noise(n, seed=7), noise(n, seed=8)


SAMPLES: dict[str, list[Sample]] = {
    "matmul": [
        *(
            Sample((ramp(*a), ramp(*b)), {}, NUMBERS)
            for a, b in (((2, 3), (3, 4)), ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)))
        ),
        *(
            Sample((ramp(*a), ramp(*b)), {}, NUMBERS)
            for a, b in (((2, 2, 3), (3, 2)), ((2, 1, 2, 3), (4, 3, 2)), ((3,), (2, 3, 2)))
        ),
        *(
            Sample((ramp(*a), ramp(*b)), {}, FLOATS)
            for a, b in (((0, 3), (3, 2)), ((2, 0), (0, 3)), ((0, 2, 3), (3, 2)), ((4, 2, 3), (3,)))
        ),
        *(
            Sample((noise(m, k), noise(k, n, seed=1)), {}, FLOATS, None, 1e-4)
            for m, k, n in ((65, 300, 70), (130, 17, 33), (1, 90, 40), (5, 8, 513))
        ),
    ],
    "linear": [
        *(
            Sample((noise(*s), noise(5, 7), b), {}, FLOATS, "nn.functional.linear", 1e-4)
            for s in ((7,), (3, 7), (2, 3, 7), (0, 7), (70, 7))
            for b in (None, noise(5))
        ),
        Sample((ramp(2, 3), ramp(4, 3), ramp(4)), {}, NUMBERS, "nn.functional.linear"),
        Sample((ramp(2, 3), ramp(3)), {}, FLOATS, "nn.functional.linear"),
        Sample((noise(1, 300), noise(200, 300, seed=1), noise(200)), {}, FLOATS, "nn.functional.linear", 1e-4),
    ],
    "linear_mixed": [
        Sample((noise(*rows, k).astype("float32"), _bytes(n, k), *more), {}, (), _mixed, 1e-4)
        for rows, n, k in (((), 5, 7), ((3,), 9, 40), ((2, 3), 33, 64), ((0,), 5, 7), ((70,), 50, 30), ((2,), 3, 0))
        for more in ((), (None, _row(n)), (abs(_row(n)), _row(n, 3)))
    ],
    "conv1d": [
        Sample((SIGNAL, noise(6, 4, 3), b, [s], [p], [d]), {}, FLOATS, "nn.functional.conv1d", 1e-4)
        for b in (None, noise(6))
        for s, p, d in ((1, 0, 1), (2, 1, 1), (1, 2, 3))
    ]
    + [
        Sample((SIGNAL, noise(6, 2, 3), None, [1], [0], [1], 2), {}, FLOATS, "nn.functional.conv1d", 1e-4),
        Sample((SIGNAL[0], noise(6, 4, 3)), {}, FLOATS, "nn.functional.conv1d", 1e-4),
    ],
    "conv2d": [
        Sample((IMAGE, K, b, s, p, d), {}, FLOATS, "nn.functional.conv2d", 1e-4)
        for b in (None, noise(6))
        for s, p, d in (([1, 1], [0, 0], [1, 1]), ([2, 1], [1, 0], [1, 1]), ([1, 2], [2, 2], [2, 3]))
    ]
    + [
        Sample(
            (IMAGE, noise(6, 2, 3, 3), noise(6), [1, 1], [1, 1], [1, 1], 2), {}, FLOATS, "nn.functional.conv2d", 1e-4
        ),
        Sample((IMAGE, noise(4, 1, 3, 3), None, [1, 1], [1, 1], [1, 1], 4), {}, FLOATS, "nn.functional.conv2d", 1e-4),
        Sample((IMAGE, noise(5, 4, 1, 1), noise(5)), {}, FLOATS, "nn.functional.conv2d", 1e-4),
        Sample((IMAGE[0], K), {}, FLOATS, "nn.functional.conv2d", 1e-4),
        Sample((IMAGE[:0], K), {}, FLOATS, "nn.functional.conv2d"),
        Sample((ramp(1, 2, 4, 4), ramp(3, 2, 2, 2)), {}, ("int8", "int64"), "nn.functional.conv2d"),
        Sample(
            (noise(1, 64, 30, 30), noise(8, 64, 3, 3), None, [1, 1], [1, 1]),
            {},
            ("float32",),
            "nn.functional.conv2d",
            1e-3,
        ),
    ],
    "conv3d": [
        Sample((VOLUME, noise(3, 2, 2, 3, 2), b, s, p, d), {}, FLOATS, "nn.functional.conv3d", 1e-4)
        for b in (None, noise(3))
        for s, p, d in (([1, 1, 1], [0, 0, 0], [1, 1, 1]), ([2, 1, 3], [1, 2, 0], [1, 2, 1]))
    ]
    + [
        Sample((VOLUME[0], noise(4, 1, 1, 2, 3), None, [1], [1], [1], 2), {}, FLOATS, "nn.functional.conv3d", 1e-4),
        Sample((VOLUME[:0], noise(3, 2, 2, 3, 2)), {}, FLOATS, "nn.functional.conv3d"),
        Sample((noise(1, 20, 4, 5, 6), noise(9, 20, 3, 3, 3), None, [1], [1]), {}, FLOATS, "nn.functional.conv3d", 1e-3),
        Sample((ramp(1, 2, 3, 4, 4), ramp(3, 2, 2, 2, 2)), {}, ("int8", "int64"), "nn.functional.conv3d"),
    ],
    "conv_transpose": [
        Sample((x, noise(4, 3, *kernel), b, s, p, d, 1, more), {}, FLOATS, _transposed, 1e-4)
        for b in (None, noise(3))
        for x, kernel, s, p, d, more in (
            (SIGNAL, (3,), [1], [0], [1], [0]),
            (SIGNAL[0], (4,), [3], [2], [2], [1]),
            (SIGNAL, (2,), [5], [0], [1], [4]),
            (IMAGE, (2, 3), [2, 1], [1, 0], [1, 3], [1, 0]),
            (IMAGE, (3, 4), [2, 4], [0, 2], [4, 2], [3, 1]),
            (IMAGE[:0], (2, 2), [2, 2], [0, 0], [1, 1], [0, 0]),
        )
    ]
    + [
        Sample((VOLUME, noise(2, 3, 2, 3, 2), noise(3), [2, 1, 2], [1, 0, 1], [1, 2, 1], 1, [1, 0, 0]), {}, FLOATS, _transposed, 1e-4),
        Sample((IMAGE, noise(4, 3, 2, 3), noise(6), [2], [1], [1], 2, [1]), {}, FLOATS, _transposed, 1e-4),
        Sample((noise(1, 20, 6, 17), noise(20, 33, 4, 4), None, [2], [1], [1], 1, [0]), {}, FLOATS, _transposed, 1e-3),
        Sample((SIGNAL[:, :2, :2], noise(2, 1, 1), None, [2], [1], [1], 1, [1]), {}, FLOATS, _transposed, 1e-4),
    ],
    "max_pool2d": [
        Sample((x, k, s, p, d, c), {}, NUMBERS, "nn.functional.max_pool2d")
        for x in (ODD, ODD[0])
        for k, s, p, d, c in (
            ([2, 2], [], [0, 0], [1, 1], False),
            ([3, 2], [2, 1], [1, 1], [1, 1], False),
            ([2, 2], [2, 2], [0, 0], [1, 1], True),
            ([2, 2], [1, 1], [0, 0], [2, 2], False),
        )
    ],
    "avg_pool2d": [
        Sample((x, k, s, p, c, i), {}, (*FLOATS, "int64"), "nn.functional.avg_pool2d")
        for x in (abs(ODD), abs(ODD[0]))
        for k, s, p, c, i in (
            ([2, 2], [], [0, 0], False, True),
            ([3, 2], [2, 1], [1, 1], False, True),
            ([3, 3], [2, 2], [1, 1], True, False),
            ([3, 3], [2, 2], [1, 1], True, True),
        )
    ],
    "adaptive_avg_pool2d": [
        Sample((x, s), {}, FLOATS, "nn.functional.adaptive_avg_pool2d")
        for x in (ODD, IMAGE, IMAGE[0])
        for s in ([1, 1], [2, 3], [7, 9])
    ],
    "interpolate": [
        *(
            Sample((x, size, [old / new for old, new in zip(x.shape[2:], size)], mode, corners), {}, FLOATS, _resized, 1e-4)
            for x, size in (
                (SIGNAL, [17]), (SIGNAL, [4]), (IMAGE, [14, 3]), (IMAGE, [3, 19]), (IMAGE, [7, 1]), (VOLUME, [3, 9, 8]),
                (noise(1, 1, 40, 33), [80, 66]), (noise(1, 2, 1, 70), [5, 35]), (IMAGE.transpose(0, 2, 3, 1).copy().transpose(0, 3, 1, 2), [9, 5]),
            )
            for mode, corners in (("nearest", False), ("nearest-exact", False), ("linear", False), ("linear", True), ("cubic", False), ("cubic", True))
            if mode != "cubic" or x.ndim == 4
        ),
        Sample((ramp(2, 3, 4, 5), [7, 9], [4 / 7, 5 / 9], "nearest", False), {}, ("uint8",), _resized),
        Sample((IMAGE[:0], [4, 4], [2.0, 2.0], "linear", False), {}, FLOATS, _resized),
    ],
    "embedding_bag": [
        Sample((noise(9, width), ints(0, 4, 4, 8, 2, 0, 1), starts, mode, by, pad), {}, FLOATS, _bagged, 1e-5)
        for width in (1, 5, 64, 70)
        for starts in (ints(0, 3, 3, 6), ints(0), ints(0, 1, 7))
        for mode, by, pad in (("sum", None, -1), ("mean", None, 4), ("max", None, -1), ("max", None, 0), ("sum", noise(7, seed=3), 2))
    ]
    + [
        Sample((noise(50, 40), ints(*range(0, 300, 3)) % 50, ints(0, 70), mode), {}, FLOATS, _bagged, 1e-4)
        for mode in ("sum", "mean", "max")
    ],
    "grid_sample": [
        Sample((x, grid, mode, border, corners), {}, FLOATS, "nn.functional.grid_sample", 1e-3)
        for x, grid in ((IMAGE, noise(2, 5, 3, 2, seed=3) * 0.9), (IMAGE[:, :1], noise(2, 9, 15, 2, seed=4)), (VOLUME, noise(2, 3, 2, 9, 3, seed=5)))
        for mode in ("bilinear", "nearest", "bicubic")
        for border in ("zeros", "border", "reflection")
        for corners in (False, True)
        if mode != "bicubic" or x.ndim == 4
    ],
    "layer_norm": [
        Sample((IMAGE, s, w, b), {}, FLOATS, "nn.functional.layer_norm", 1e-4)
        for s, w, b in (
            ([6], None, None),
            ([7, 6], noise(7, 6), None),
            ([6], noise(6), noise(6, seed=3)),
            ([7, 6], None, noise(7, 6)),
        )
    ],
    "group_norm": [
        Sample((x, groups, *more), {}, FLOATS, "nn.functional.group_norm", 1e-4)
        for x in (IMAGE, SIGNAL, IMAGE[:, :, 0, 0], IMAGE[:0])
        for groups, *more in ((1,), (2, CHANNELS), (4, None, CHANNELS) if x.ndim > 2 else (1, CHANNELS), (2, CHANNELS, CHANNELS, 0.1))
    ],
    "batch_norm": [
        Sample((x, *_norm_arguments(4), t, 0.3), {}, FLOATS, "nn.functional.batch_norm", 1e-4)
        for x in (IMAGE, SIGNAL, noise(5, 4))
        for t in (False, True)
    ]
    + [Sample((IMAGE, None, None, None, CHANNELS, True), {}, FLOATS, "nn.functional.batch_norm", 1e-4)],
}

Q, K_, V = noise(2, 4, 9, 8), noise(2, 4, 13, 8, seed=1), noise(2, 4, 13, 5, seed=2)
LONG_Q, LONG_K, LONG_V = noise(3, 70, 20, scale=2.0), noise(3, 210, 20, seed=1), noise(3, 210, 33, seed=2)
SEEN = noise(9, 13, seed=3) > 0
ATTENTION = "nn.functional.scaled_dot_product_attention"
CALLS: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((Q, K_, V), {}),
    ((Q, K_, V, None, 0.0, True), {}),
    ((Q, K_, V, SEEN), {"scale": 0.3}),
    ((Q, K_, V, SEEN & False), {}),
    ((Q, K_, V, noise(2, 1, 9, 13, seed=4)), {}),
    ((Q, K_, V, SEEN[:1].reshape(1, 1, 1, 13)), {}),
    ((Q[0], K_[0, :1], V), {}),
    ((Q, K_[:, :2], V[:, :2]), {"enable_gqa": True}),
    ((Q[0, 0], K_[0, 0], V[0, 0]), {}),
    ((Q[:, :, :1], K_, V, noise(1, 13, seed=4)), {}),
    ((Q[:, :, :2], K_, V, None, 0.0, True), {}),
    ((Q[..., :0], K_[..., :0], V), {}),
    ((Q, K_[:, :, :0], V[:, :, :0]), {}),
    ((Q[:, :, :0], K_, V), {}),
    ((LONG_Q, LONG_K, LONG_V), {}),
    ((LONG_Q, LONG_K, LONG_V, None, 0.0, True), {}),
    ((LONG_Q, LONG_K, LONG_V, noise(70, 210, seed=4) > 0), {}),
    ((LONG_Q[:, :1], LONG_K, LONG_V), {}),
)
SAMPLES["scaled_dot_product_attention"] = [
    Sample(args, kwargs, FLOATS, ATTENTION, 1e-4) for args, kwargs in CALLS
]

DOUBLE = ramp(2, 3)
ERRORS: dict[str, list[Failure]] = {
    "matmul": [
        Failure((DOUBLE, DOUBLE), "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
        Failure((DOUBLE, ramp()), "RuntimeError", "at least one dimension"),
        Failure((DOUBLE, ramp(3).astype("float32")), "RuntimeError", "same dtype"),
        Failure((ramp(2, 1, 3), ramp(3, 3, 1)), "RuntimeError", "must match the size of tensor b (3)"),
        Failure((mask([True]), mask([True])), "NotImplementedError", "Bool"),
    ],
    "linear": [
        Failure((DOUBLE, ramp(2, 2)), "RuntimeError", "cannot be multiplied (2x3 and 2x2)", {}, "nn.functional.linear"),
        Failure((DOUBLE, ramp(2, 3), ramp(5)), "RuntimeError", "bias", {}, "nn.functional.linear"),
    ],
    "linear_mixed": [
        Failure((DOUBLE, _bytes(2, 3)), "RuntimeError", "float32 input", {}, None, True),
        Failure((_row(3), _row(3)), "RuntimeError", "int8 or bfloat16 weight", {}, None, True),
        Failure((_row(3), _bytes(2, 2)), "RuntimeError", "last extents", {}, None, True),
        Failure((_row(3), _bytes(3)), "RuntimeError", "two-dimensional", {}, None, True),
        Failure((_row(3), _bytes(2, 3), _row(3)), "RuntimeError", "scale should be", {}, None, True),
        Failure((_row(3), _bytes(2, 3), None, DOUBLE), "RuntimeError", "bias should be", {}, None, True),
    ],
    "conv2d": [
        Failure((IMAGE, ramp(1, 3, 2, 2)), "RuntimeError", "expected input[2, 4, 7, 6] to have 3 channels, but got 4", {}, "nn.functional.conv2d"),
        Failure((ramp(1, 1, 2, 2), ramp(1, 1, 3, 3)), "RuntimeError", "padded input", {}, "nn.functional.conv2d"),
        Failure((IMAGE, K, None, [0, 0]), "RuntimeError", "stride", {}, "nn.functional.conv2d"),
        Failure((IMAGE, K, None, [1, 1], [-1, -1]), "RuntimeError", "padding", {}, "nn.functional.conv2d"),
        Failure((IMAGE, K, ramp(3)), "RuntimeError", "bias", {}, "nn.functional.conv2d"),
        Failure((IMAGE, K.astype("float32")), "RuntimeError", "dtype", {}, "nn.functional.conv2d"),
    ],
    "conv1d": [
        Failure((ramp(4), ramp(1, 1, 2)), "RuntimeError", "2D (unbatched) or 3D (batched)", {}, "nn.functional.conv1d")
    ],
    "conv3d": [
        Failure((IMAGE[0], noise(3, 2, 2, 3, 2)), "RuntimeError", "4D (unbatched) or 5D (batched)", {}, "nn.functional.conv3d"),
        Failure((VOLUME, noise(3, 2, 2, 3, 2), None, [1, 1]), "RuntimeError", "stride", {}, "nn.functional.conv3d"),
    ],
    "conv_transpose": [
        Failure((IMAGE, noise(3, 3, 2, 2), None, [1], [0], [1], 1, [0]), "RuntimeError", "channels", {}, _transposed),
        Failure((IMAGE, noise(4, 3, 2, 2), None, [1], [0], [1], 3, [0]), "RuntimeError", "groups", {}, _transposed),
        Failure((IMAGE, noise(4, 3, 2, 2), None, [2], [0], [1], 1, [2]), "RuntimeError", "output padding", {}, _transposed),
        Failure((SIGNAL, noise(4, 3, 1), None, [1], [9], [1], 1, [0]), "RuntimeError", "too small", {}, _transposed),
        Failure((IMAGE, noise(4, 3, 2, 2), None, [0], [0], [1], 1, [0]), "RuntimeError", "stride", {}, _transposed),
        Failure((IMAGE, DOUBLE, None, [1], [0], [1], 1, [0]), "RuntimeError", "dimensions", {}, None, True),
    ],
    "max_pool2d": [
        Failure((ramp(1, 1, 2, 2), [3, 3]), "RuntimeError", "too small", {}, "nn.functional.max_pool2d"),
        Failure((IMAGE, [2, 2], [1, 1], [2, 2]), "RuntimeError", "half", {}, "nn.functional.max_pool2d"),
        Failure((DOUBLE, [2, 2]), "RuntimeError", "3D or 4D", {}, "nn.functional.max_pool2d"),
    ],
    "avg_pool2d": [
        Failure((IMAGE.astype("int8"), [2, 2]), "NotImplementedError", "Char", {}, "nn.functional.avg_pool2d")
    ],
    "adaptive_avg_pool2d": [
        Failure((IMAGE, [3, -1]), "RuntimeError", "output_size", {}, "nn.functional.adaptive_avg_pool2d")
    ],
    "interpolate": [
        Failure((IMAGE, [4], [1.0], "nearest", False), "RuntimeError", "extents", {}, None, True),
        Failure((IMAGE, [4, 0], [1.0, 1.0], "nearest", False), "RuntimeError", "greater than 0", {}, None, True),
        Failure((IMAGE, [4, 4], [1.0, 1.0], "area", False), "RuntimeError", "mode must be", {}, None, True),
        Failure((IMAGE.astype("int32"), [4, 4], [1.0, 1.0], "linear", False), "NotImplementedError", "'Int'", {}, None, True),
    ],
    "embedding_bag": [
        Failure((noise(4, 3), ints(0, 4), ints(0), "sum"), "IndexError", "out of range", {}, None, True),
        Failure((noise(4, 3), ints(0, 1), ints(0, 3), "sum"), "RuntimeError", "offset 3", {}, None, True),
        Failure((noise(4, 3), ints(0, 1), ints(0), "median"), "RuntimeError", "mode must be", {}, None, True),
        Failure((noise(4, 3), ints(0, 1), ints(0), "mean", noise(2)), "RuntimeError", "for sums", {}, None, True),
    ],
    "grid_sample": [
        Failure((IMAGE, noise(2, 5, 3, 3), "bilinear", "zeros", False), "RuntimeError", "grid", {}, None, True),
        Failure((IMAGE, noise(1, 5, 3, 2), "bilinear", "zeros", False), "RuntimeError", "grid", {}, None, True),
        Failure((VOLUME, noise(2, 5, 3, 2, 3), "bicubic", "zeros", False), "RuntimeError", "grid", {}, None, True),
        Failure((IMAGE, noise(2, 5, 3, 2), "linear", "zeros", False), "RuntimeError", "mode must be", {}, None, True),
        Failure((IMAGE, noise(2, 5, 3, 2).astype("float32"), "bilinear", "zeros", False), "RuntimeError", "same dtype", {}, None, True),
    ],
    "layer_norm": [Failure((DOUBLE, [2]), "RuntimeError", "normalized_shape [2]", {}, "nn.functional.layer_norm")],
    "group_norm": [
        Failure((IMAGE, 3), "RuntimeError", "divisible", {}, "nn.functional.group_norm"),
        Failure((IMAGE, 2, CHANNELS[:3]), "RuntimeError", "weight", {}, "nn.functional.group_norm"),
    ],
    "batch_norm": [
        Failure((DOUBLE, ramp(2), ramp(3)), "RuntimeError", "running_mean", {}, "nn.functional.batch_norm"),
        Failure(
            (ramp(1, 3), None, None, None, None, True),
            "ValueError",
            "more than 1 value",
            {},
            "nn.functional.batch_norm",
        ),
    ],
    "scaled_dot_product_attention": [
        Failure(args, error, text, kwargs, ATTENTION)
        for args, error, text, kwargs in (
            ((Q, K_[..., :3], V), "RuntimeError", "differ in their last extent", {}),
            ((Q, K_, V[:, :, :3]), "RuntimeError", "differ in their second to last extent", {}),
            ((Q, K_[:, :3], V), "RuntimeError", "do not broadcast", {}),
            ((Q[0, 0, 0], K_[0, 0, 0], V[0, 0, 0]), "RuntimeError", "at least 2 dimensions", {}),
            ((Q, K_.astype("float32"), V), "RuntimeError", "query is float64 but key is float32", {}),
            ((Q.astype("int64"), K_.astype("int64"), V.astype("int64")), "RuntimeError", "int64", {}),
            ((Q, K_, V, SEEN.astype("int64")), "RuntimeError", "attn_mask must be bool", {}),
            ((Q, K_, V, noise(3, 1, 9, 13)), "RuntimeError", "does not broadcast to [2, 4, 9, 13]", {}),
            ((Q, K_, V, SEEN[0]), "IndexError", "at least 2 dimensions", {}),
            ((Q, K_, V, SEEN, 0.0, True), "RuntimeError", "Explicit attn_mask", {}),
            ((Q, K_[:, :3], V[:, :3]), "RuntimeError", "must divide", {"enable_gqa": True}),
        )
    ]
    + [Failure((Q, K_, V, None, 0.5), "RuntimeError", "dropout_p must be 0", {}, ATTENTION, only_ours=True)],
}
