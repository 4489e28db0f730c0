"""Cases of what tsm/nn/functional_conv.py, functional_loss.py and functional_sampling.py add."""

from __future__ import annotations

import numpy as np

from .library import FLOATS, case, cases, failing
from .sample import ints, noise

KERNELS = {"k1": noise(4, 3, 3, seed=40), "k2": noise(4, 3, 3, 2, seed=41), "k3": noise(2, 3, 2, 3, 2, seed=42), "grouped": noise(4, 2, 2, 2, seed=43), "b": noise(3, seed=44),
           "b4": noise(4, seed=45), "c1": noise(3, 4, 3, seed=46), "c2": noise(3, 4, 3, 2, seed=47), "c3": noise(3, 2, 2, 3, 2, seed=48), "g3": noise(4, 1, 2, 2, 2, seed=49)}
LOGITS = {"logits": noise(4, 5, seed=50), "deep": noise(2, 5, 3, seed=51), "classes": ints(1, 0, 4, 2), "maps": ints([0, 1, 4], [3, -100, 2]), "cw": np.abs(noise(5, seed=52)) + 0.2,
          "soft": np.abs(noise(4, 5, seed=53)), "p": np.abs(np.tanh(noise(4, 5, seed=54))), "hit": np.round(np.abs(np.tanh(noise(4, 5, seed=55)))), "signs": np.array([1.0, -1.0, 1.0, -1.0]),
          "sign5": np.sign(noise(4, 5, seed=56)), "a": noise(4, 5, seed=57)}
GRIDS = {"flow": noise(2, 3, 4, 2, seed=60), "flow3": noise(1, 2, 3, 2, 3, seed=61), "theta": noise(2, 2, 3, seed=62), "theta3": noise(1, 3, 4, seed=63)}
MODES = [f"mode='{mode}', padding_mode='{pad}', align_corners={corners}" for mode in ("bilinear", "nearest", "bicubic") for pad in ("zeros", "border", "reflection") for corners in (True, False)]
REDUCTIONS = ("mean", "sum", "none")

CASES = [
    *cases(FLOATS, "F.conv_transpose1d(line, k1)", "F.conv_transpose1d(line, k1, b, stride=2, padding=1, output_padding=1, dilation=2)", "F.conv_transpose2d(image, k2)",
           "F.conv_transpose2d(image, k2, b, 2)", "F.conv_transpose2d(image, k2, b, stride=(2, 1), padding=(1, 0), output_padding=(1, 0))", "F.conv_transpose2d(image, k2, None, (3, 2))",
           "F.conv_transpose2d(image, grouped, b4, stride=2, groups=2)", "F.conv_transpose2d(image, grouped, stride=1, padding=1, groups=2, dilation=(1, 2))", "F.conv_transpose2d(image[0], k2, b)",
           "F.conv_transpose3d(volume, k3, b)", "F.conv_transpose3d(volume, k3, stride=2, padding=(1, 0, 1), output_padding=1)", "F.conv_transpose2d(image[:0], k2)", rtol=1e-4, **KERNELS),
    *cases(FLOATS, "F.conv3d(volume, c3, b)", "F.conv3d(volume, c3, None, stride=2, padding=1)", "F.conv3d(volume, c3, padding=(0, 2, 1), dilation=(2, 1, 1))", "F.conv3d(volume[0], c3)",
           "F.conv3d(volume, g3, groups=2)", "F.conv3d(volume, c3, padding='same')", "F.conv1d(line, c1, padding='same')", "F.conv1d(line, c1, b, padding='valid', stride=2)",
           "F.conv2d(image, c2, b, padding='same')", "F.conv2d(image, c2, padding='same', dilation=(1, 2))", "F.conv2d(image, c2, None, 2, 'valid')", rtol=1e-4, **KERNELS),
    *cases(FLOATS, "F.unfold(image, 2)", "F.unfold(image, (3, 2), dilation=(1, 2), padding=1, stride=(2, 1))", "F.unfold(image[0], (2, 3))", "F.fold(F.unfold(image, 2), (6, 5), 2)",
           "F.fold(F.unfold(image, 3, padding=1, stride=2), (6, 5), kernel_size=3, padding=1, stride=2)", "F.fold(F.unfold(image, 2)[0], output_size=(6, 5), kernel_size=(2, 2))"),
    *cases(FLOATS, *(f"F.cross_entropy(logits, classes, reduction='{r}')" for r in REDUCTIONS), *(f"F.cross_entropy(deep, maps, cw, reduction='{r}', label_smoothing=0.1)" for r in REDUCTIONS),
           "F.cross_entropy(logits, classes, weight=cw)", "F.cross_entropy(logits, classes, ignore_index=4)", "F.cross_entropy(logits[0], classes[1])", "F.cross_entropy(logits, soft)",
           *(f"F.cross_entropy(logits, soft, cw, label_smoothing=0.2, reduction='{r}')" for r in REDUCTIONS), "F.nll_loss(logits, classes)", "F.nll_loss(deep, maps, cw, reduction='none')",
           "F.nll_loss(deep, maps, cw)", "F.nll_loss(logits, classes, None, ignore_index=1, reduction='sum')", rtol=5e-5, **LOGITS),
    *cases(FLOATS, *(f"F.binary_cross_entropy(p, hit, reduction='{r}')" for r in REDUCTIONS), "F.binary_cross_entropy(p, p, weight=cw)", "F.binary_cross_entropy(hit, 1 - hit)",
           *(f"F.binary_cross_entropy_with_logits(logits, hit, reduction='{r}')" for r in REDUCTIONS), "F.binary_cross_entropy_with_logits(logits * 100, p, cw, pos_weight=cw)",
           *(f"F.smooth_l1_loss(logits, a, reduction='{r}')" for r in REDUCTIONS), "F.smooth_l1_loss(logits, a, beta=0.3)", "F.smooth_l1_loss(logits, a, beta=0.0)", "F.huber_loss(logits, a)",
           "F.huber_loss(logits, a, reduction='none', delta=0.5)", *(f"F.kl_div(logits, p, reduction='{r}')" for r in (*REDUCTIONS, "batchmean")), "F.kl_div(logits, a, log_target=True, reduction='sum')",
           "F.poisson_nll_loss(logits, p)", "F.poisson_nll_loss(p, soft * 3, log_input=False, full=True)", "F.gaussian_nll_loss(logits, a, soft)", "F.gaussian_nll_loss(logits, a, soft[:, 0], full=True)",
           "F.soft_margin_loss(logits, sign5)", "F.hinge_embedding_loss(logits, sign5)", "F.hinge_embedding_loss(logits, sign5, margin=0.5, reduction='none')",
           "F.margin_ranking_loss(logits, a, sign5, 0.3)", "F.cosine_embedding_loss(logits, a, signs)", "F.cosine_embedding_loss(logits, a, signs, margin=0.2, reduction='none')",
           "F.triplet_margin_loss(logits, a, p)", "F.triplet_margin_loss(logits, a, p, margin=2.0, p=1.0, swap=True, reduction='none')", "F.multilabel_soft_margin_loss(logits, hit)",
           "F.multilabel_soft_margin_loss(logits, hit, cw, reduction='none')", rtol=5e-5, **LOGITS),
    *cases(FLOATS, *(f"F.grid_sample(image, flow, {mode})" for mode in MODES), "F.grid_sample(image, flow)", "F.grid_sample(volume, flow3, align_corners=False)",
           "F.grid_sample(volume, flow3, 'nearest', 'border', True)", "F.affine_grid(theta, (2, 1, 3, 4), align_corners=False)", "F.affine_grid(theta, [2, 1, 3, 4], True)",
           "F.affine_grid(theta3, (1, 1, 2, 3, 4), align_corners=False)", rtol=2e-3, **GRIDS),
    *cases(FLOATS, "F.rms_norm(cube, (4,))", "F.rms_norm(cube, [3, 4], cube[0], 1e-3)", "F.local_response_norm(image, 3)", "F.local_response_norm(line, size=2, alpha=0.5, beta=0.5, k=2.0)",
           "F.dropout1d(line, 0.5, training=False)", "F.dropout2d(image, p=0.0)", "F.dropout3d(volume, 1.0)", "F.softmax(x, dim=1, dtype=torch.float64)",
           "F.log_softmax(x, -1, dtype=torch.float64)", "F.channel_shuffle(image, 2)", "F.lp_pool1d(line.abs(), 2.0, 3)", "F.lp_pool2d(image, 2.0, (2, 3), stride=2)", "F.max_pool3d(volume, 2)",
           "F.max_pool3d(volume, (2, 3, 1), stride=1, padding=(1, 1, 0))", "F.avg_pool3d(volume, 2)", "F.avg_pool3d(volume, (2, 2, 1), 1)",
           "F.adaptive_avg_pool3d(volume, (2, 3, 1))", "F.adaptive_avg_pool3d(volume, 2)", rtol=5e-5),
    *cases(FLOATS, "F.max_pool2d(image, 2, return_indices=True)", "F.max_pool2d(image, (2, 3), 1, 1, (1, 2), True, return_indices=True)", "F.max_pool2d(image, 2, return_indices=False)",
           "torch.max_pool2d(image, 2, 1)", "F.max_pool1d(line, 2)", "F.max_pool1d(line, 3, 1, 1, return_indices=True)", "torch.max_pool1d(line, 2)",
           "F.max_unpool2d(*F.max_pool2d(image[..., :4], 2, return_indices=True), 2)", "F.max_unpool2d(*F.max_pool2d(image, 2, return_indices=True), (2, 2), 2, 0, [6, 5])",
           "F.max_unpool1d(*F.max_pool1d(line, 2, return_indices=True), 2)"),
    *cases(FLOATS, "torch.greater(x, y)", "x.less(0.5)", "x.greater_equal(y)", "torch.less_equal(x, 0)", "x.not_equal(y)", "torch.arctan2(x, y)", "torch.concatenate([x, y])", "x.negative()",
           "x.absolute()", "x.subtract(y)", "x.multiply(2)", "x.true_divide(y)", "torch.conv3d(volume, volume[:, :, :2, :2, :2])", "torch.rms_norm(x, [4])", "torch.pixel_shuffle(image, 2)",
           "torch.cosine_similarity(x, y)", "torch.selu(x)", "torch.layer_norm(x, [4])"),
    case("F.one_hot(at)"), case("F.one_hot(at, num_classes=-1)"), case("F.one_hot(at, 4)"), case("F.gumbel_softmax(x, hard=True).sum(-1)"), case("F.gumbel_softmax(x, tau=0.5, dim=0).sum(0)"),
    *cases(FLOATS, "F.pad(x, (1, 2))", "F.pad(x, (1, 0, 2, 1), value=3.0)", "F.pad(image, (1, 2, 3, 4), mode='reflect')", "F.pad(line, (1, 2), 'replicate')", "F.pad(image, (2, 2, 1, 1), 'circular')",
           "F.normalize(x)", "F.cosine_similarity(x, y)", "F.pixel_shuffle(image, 2)", "F.interpolate(image, size=(3, 10), mode='bilinear')", "F.interpolate(image, (3, 7))",
           "F.interpolate(image, scale_factor=(2, 0.5))", "F.interpolate(image, (9, 4), mode='bicubic')", "F.interpolate(image, scale_factor=2.0, mode='bicubic', align_corners=True)",
           "F.interpolate(image, (3, 5), mode='area')", "F.interpolate(line, 4, mode='area')", rtol=1e-4),
    *cases(FLOATS, *(f"F.ctc_loss(paths, words, spans, counts, reduction='{r}')" for r in REDUCTIONS), "F.ctc_loss(paths, words, (6, 5), (3, 2), blank=3)", "F.ctc_loss(paths, words.reshape(-1)[:5], spans, counts)",
           "F.ctc_loss(paths[:2], words, (2, 2), (3, 2), zero_infinity=True)", "F.ctc_loss(paths[:, 0], words[0], spans[:1], counts[:1])",
           paths=np.log(np.abs(noise(6, 2, 5, seed=70)) / 9 + 0.01), words=ints([1, 2, 2], [4, 1, 0]), spans=ints(6, 5), counts=ints(3, 2), rtol=1e-4),
    *cases(FLOATS, *(f"F.multi_margin_loss(logits, classes, reduction='{r}')" for r in REDUCTIONS), "F.multi_margin_loss(logits, classes, 2, 0.5, cw)", *(f"F.multilabel_margin_loss(logits, labels, reduction='{r}')" for r in REDUCTIONS),
           "F.triplet_margin_with_distance_loss(logits, a, p)", "F.triplet_margin_with_distance_loss(logits, a, p, swap=True, margin=2.0, reduction='none')", "F.alpha_dropout(x)", "F.alpha_dropout(x, 0.0, True)",
           "F.rrelu(x)", "F.rrelu(x, 0.2, 0.2, True)", labels=ints([1, 2, -1, 0, 0], [-1, 0, 0, 0, 0], [0, 1, 2, 3, 4], [3, -1, 3, 3, 3]), rtol=5e-5, **LOGITS),
]

FAILURES = [
    failing("F.conv_transpose2d(image, k2[:3])", "RuntimeError", "channels", **KERNELS),
    failing("F.conv_transpose2d(x, k2)", "RuntimeError", "Expected", **KERNELS),
    failing("F.conv_transpose2d(image, k2, stride=2, output_padding=2)", "RuntimeError", "output padding", **KERNELS),
    failing("F.conv_transpose2d(image, k2, stride=0)", "RuntimeError", "stride", **KERNELS),
    failing("F.conv2d(image, c2, stride=2, padding='same')", "RuntimeError", "strided", **KERNELS),
    failing("F.conv2d(image, c2, padding='full')", "RuntimeError", "padding", **KERNELS),
    failing("F.conv3d(x, c3)", "RuntimeError", "xpected", **KERNELS),
    failing("F.unfold(x, 2)", "RuntimeError", "Expected", only_ours=True),
    failing("F.unfold(image, 9)", "RuntimeError", "sliding blocks"),
    failing("F.fold(batch, (4, 4), 2)", "RuntimeError", "divisible"),
    failing("F.fold(batch[:, :2], (4, 4), (2, 1))", "RuntimeError", "sliding blocks"),
    failing("F.cross_entropy(logits, classes, reduction='avg')", "ValueError", "reduction", **LOGITS),
    failing("F.cross_entropy(logits, classes + 3)", "IndexError", "out of bounds", **LOGITS),
    failing("F.cross_entropy(logits, classes[:2])", "ValueError", "batch_size", **LOGITS),
    failing("F.cross_entropy(logits, classes, label_smoothing=2.0)", "RuntimeError", "label_smoothing", **LOGITS),
    failing("F.binary_cross_entropy(p, cw)", "ValueError", "target size", **LOGITS),
    failing("F.binary_cross_entropy(logits, p)", "RuntimeError", "between 0 and 1", **LOGITS),
    failing("F.binary_cross_entropy_with_logits(logits, cw)", "ValueError", "Target size", **LOGITS),
    failing("F.smooth_l1_loss(x, y, beta=-1.0)", "RuntimeError", "negative"),
    failing("F.grid_sample(image, flow, 'cubic')", "ValueError", "expected mode", **GRIDS),
    failing("F.grid_sample(image, flow, padding_mode='edge')", "ValueError", "padding_mode", **GRIDS),
    failing("F.grid_sample(image, flow[:1])", "RuntimeError", "batch size", **GRIDS),
    failing("F.rms_norm(x, (3,))", "RuntimeError", "normalized_shape"),
    failing("F.max_unpool2d(F.max_pool2d(image, 2), F.max_pool2d(image, 2).long() + 99, 2)", "RuntimeError", "Found an invalid max index"),
    failing("F.channel_shuffle(image, 3)", "RuntimeError", "divisible"),
    failing("F.dropout2d(image, 2.0)", "ValueError", "between 0 and 1"),
]
