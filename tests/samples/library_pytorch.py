"""Cases that PyTorch's own operator samples showed: small integers, flags by position, empty tensors, odd options.

Every fourth one is compiled too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .library import FLOATS, INTS, NUMBERS, cases, failing
from .sample import ints

WHOLE = ("int64", "int32", "int16", "int8", "uint8")
ROUND = {"a": np.array([[3.0, 1.0, 2.0], [0.0, 4.0, 1.0]]), "b": np.array([[1.0, 2.0], [3.0, 0.0], [2.0, 5.0]]),
         "c": np.array([[1.0, 2.0], [3.0, 4.0]]), "d": np.array([4.0, 2.0]), "e": np.array([2.0, 0.0, 3.0]),
         "aa": np.arange(12.0).reshape(2, 2, 3) % 5, "bb": np.arange(12.0).reshape(2, 3, 2) % 7}
SCALED = "beta=0.6, alpha=1.7"
STEEP = {"s": np.array([[10.0, 120.0, 90.0], [100.0, 3.0, 127.0]]), "p": np.array([1.0, 100.0, 7.0]), "wide": np.array([[1.0, 100.0, 7.0]])}
BYTES = {"bytes4": (np.arange(2 * 3 * 7 * 6).reshape(2, 3, 7, 6) * 37 % 251).astype(np.uint8),
         "bytes3": (np.arange(60).reshape(2, 3, 10) * 37 % 251).astype(np.uint8)}
COUNTS = {"how": ints(1, 3, 0, 2, 1), "heavy": np.array([0.5, 1.0, 2.0, 0.25, 1.0])}
PLACES = {"flat": np.array([[0.0, 5.0, 19.0], [7.0, 12.0, 3.0]])}

_ALL = [
    *cases(FLOATS, *(f"torch.{name}(x, {how})" for name in ("var_mean", "std_mean", "var", "std")
                     for how in ("True", "False", "1, False", "1, True, True", "None, False", "None, True, True", "correction=0", "dim=0, unbiased=False"))),
    *cases(FLOATS, "x.std(None, False)", "x.var(None, True, True)"),
    *cases(WHOLE, f"torch.addmv(d, a, e, {SCALED})", f"torch.addmm(c, a, b, {SCALED})", f"torch.baddbmm(c, aa, bb, {SCALED})", f"torch.addbmm(c, aa, bb, {SCALED})",
           "torch.addbmm(c, aa, bb)", "torch.addcmul(a, a, a, value=1.5)", **ROUND),
    *cases(("bool",), "torch.addr(a, d, e, beta=3, alpha=2)", "torch.addr(a, d, e, beta=0)", **ROUND),
    *cases(NUMBERS, "a.sum_to_size(())", "a.sum_to_size(1, 3)", "a.sum_to_size(3)", "d.sum_to_size(())", **ROUND),
    *cases(NUMBERS, "torch.corrcoef(x[:1])", "torch.cov(x[:1])", "x[0].cov()"),
    *cases(FLOATS, "torch.cov(mat, fweights=how)", "torch.cov(mat, aweights=heavy)", "mat.cov(correction=0, fweights=how, aweights=heavy)", rtol=1e-4, **COUNTS),
    *cases(WHOLE, "torch.unravel_index(flat, (4, 5))", "torch.unravel_index(flat, (4, 1073741824))", "torch.unravel_index(flat, (3,))", **PLACES),
    *cases(NUMBERS, "torch.vander(e)", "torch.vander(e, 2, True)", "torch.linalg.vander(e)", "torch.linalg.vander(a, N=3)", "torch.linalg.vander(zero_d, N=2)", **ROUND),
    *cases(("uint8", "int8", "int64", "float32"), "torch.trapz(s)", "torch.trapezoid(s, dx=2.0, dim=0)", "torch.trapz(s, s)", "torch.trapz(s, p)", "torch.trapezoid(s, wide)",
           "torch.cumulative_trapezoid(s)", "torch.cumulative_trapezoid(s, p)", "torch.cumulative_trapezoid(s, s, dim=0)", **STEEP),
    *cases(("int32", "int16", "uint8"), "torch.arange(3.1, dtype=a.dtype)", "torch.arange(-0.9, 2.1, 2.0, dtype=a.dtype)", "torch.arange(2.1, -2.9, -1.0, dtype=torch.int32)",
           "torch.logspace(4.3, -3, 2, 2.0, dtype=a.dtype)", "torch.logspace(0, 1.2, 4, 5.0, dtype=a.dtype)", **ROUND),
    *cases(("int64",), "torch.arange(3.1, dtype=torch.int64) + a[0, 0]", "torch.arange(0.0, -8.000001, -4.0, dtype=torch.int64) + a[0, 0]", **ROUND),
    *cases(("uint8",), *(f"F.interpolate(bytes4, {how}, mode='{mode}')" for mode in ("nearest", "nearest-exact", "bilinear", "bicubic")
                         for how in ("size=(5, 9)", "scale_factor=1.7", "size=3")), **BYTES),
    *cases(("uint8",), "F.interpolate(bytes4, size=(11, 4), mode='bilinear', align_corners=True)", "F.interpolate(bytes4, scale_factor=2, mode='bicubic', align_corners=True)",
           "F.interpolate(bytes3, size=4)", **BYTES),
    *cases(FLOATS, "F.interpolate(volume, size=(2, 3, 2), mode='area')", "F.pad(image, (-1, 1, -2, 1), mode='circular')", "F.pad(image, (2, -3, 1, -1), mode='circular')"),
    *cases(FLOATS, "F.avg_pool2d(image, 3, 2, 1, divisor_override=4)", "F.avg_pool2d(image, (3, 2), (1, 2), (1, 0), True, False, 5)", "F.avg_pool3d(volume, 2, ceil_mode=True, divisor_override=3)",
           "F.avg_pool3d(volume[0], (2, 3, 2), 1, 1, False, False)", "F.avg_pool3d(volume, 2, 1, (1, 0, 1), True, True, 7)"),
    *cases(("int64",), "F.avg_pool3d((volume * 10).to(torch.int64), 2, 1)", "F.avg_pool2d((image * 10).to(torch.int64), 3, 1, 1, True, False, 2)"),
    *cases(FLOATS, *(f"F.adaptive_max_pool{n}d({of}, {size}, return_indices=True)" for n, of, size in (
        (1, "line", "4"), (2, "image", "(3, 2)"), (2, "image[0]", "(None, 2)"), (3, "volume", "(2, 3, 2)"), (3, "volume[0]", "2"))),
           "F.max_pool3d(volume, 2, 1, 1, 1, return_indices=True)", "F.max_pool3d(volume[0], (2, 3, 2), stride=(1, 2, 1), ceil_mode=True, return_indices=True)",
           "F.max_pool3d(volume[0], 2)", "F.adaptive_avg_pool3d(volume[0], (2, None, 1))"),
    *cases(FLOATS, "F.cosine_similarity(cube[:1, 0:1], cube[:, :, 1:2], dim=-2)", "F.normalize(x, p=0.0)", "F.normalize(x, p=-math.inf, dim=0)", "F.prelu(zero_d, x[0, :1])",
           "F.pairwise_distance(x, y, p=0.0)", "F.instance_norm(image, x[0].clone(), positive[0].clone(), use_input_stats=False)", "F.instance_norm(image, x[0].clone(), positive[0].clone())"),
    *cases(NUMBERS, "torch.masked_fill(x, m, 3)", "x.masked_fill(m, 2)", "torch.take_along_dim(ties, below, 1)", "torch.diff(x, 0, 0, x, x)", "torch.tensor_split(v, 3)",
           below=ints([-1, 0], [1, -2])),
    *cases(NUMBERS, "torch.atleast_1d(zero_d, v)", "torch.atleast_2d([zero_d, v, x])", "torch.atleast_3d((v, cube))", "torch.atleast_2d(v)"),
    *cases(FLOATS, "torch.tensordot(line[:, :1, :1], cube[:, :2], dims=((0, 1), (0, 1)))", "F.bilinear(x[:0, :2], y[:0, :3], cube[:, :2, :3])", "F.pixel_shuffle(image[:, :0, :1, :1], 1)",
           "F.pixel_unshuffle(image[:, :0], 1)", "F.group_norm(image[:0], 2)", "F.group_norm(image[:, :, :0], 2)", "torch.unique(cube[:, :0], dim=1)"),
    *cases(WHOLE, "F.bilinear(c[:, :2], c, aa[:, :, :2])", **ROUND),
    *cases(NUMBERS, "x.float(memory_format=torch.preserve_format)", "x.double(memory_format=torch.contiguous_format)", "x.int(memory_format=torch.preserve_format)",
           "image.float(memory_format=torch.channels_last)", "x.byte(memory_format=torch.preserve_format)", "x.to(torch.float64, False, True)", "x.to('cpu', torch.int32, False, True)"),
    *cases(FLOATS, "torch.linalg.eigh(square, UPLO='U')[0]", "torch.linalg.eigvalsh(square, 'U')", rtol=1e-4),
    *cases(INTS, "torch.sort(ties, descending=True, stable=True)", "torch.argsort(x, stable=True, dim=0, descending=True)"),
    *cases(FLOATS, "F.multi_margin_loss(v, at[0])", "F.multi_margin_loss(zero_d, at[1])", "F.multilabel_margin_loss(zero_d, at[1])"),
]

CASES = [replace(each, is_scripted=i % 4 == 0) for i, each in enumerate(_ALL)]

FAILURES = [
    failing("torch.addr(grid, i[:3], i, beta=0.5)", "RuntimeError", "must not be a floating point number"),
    failing("torch.vander(x)", "RuntimeError", "one-dimensional"),
    failing("torch.linalg.vander(v, N=1)", "RuntimeError", "N must be greater than 1"),
    failing("torch.unravel_index(x, (3, 4))", "TypeError", "integer dtype"),
    failing("torch.cov(m)", "RuntimeError", "bool dtype is not supported"),
    failing("torch.trapz(m)", "RuntimeError", "received a bool input"),
    failing("torch.cov(mat, fweights=i)", "RuntimeError", "to have the same numel"),
    failing("torch.var(x, 1, unbiased=True, correction=1)", "TypeError", "", is_scripted=False),
    failing("F.avg_pool2d(image, 2, divisor_override=0)", "RuntimeError", "divisor must be not zero"),
    failing("F.interpolate(image.to(torch.int32), size=3, mode='bilinear')", "NotImplementedError", ""),
    failing("F.instance_norm(image, x[0], None)", "RuntimeError", "", is_scripted=False, only_ours=True),
]
