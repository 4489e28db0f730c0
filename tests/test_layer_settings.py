"""A layer reads its public attributes when it runs: made with settings A and given the attributes of settings B, it
computes as a layer made with B, in eager, scripted, frozen and traced, and as PyTorch's layer treated so."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import tsm
from tsm import nn

torch = pytest.importorskip("torch")

IMAGE, LINE, VOLUME, FLAT = (2, 4, 9, 8), (2, 4, 9), (2, 4, 5, 6, 7), (3, 4)
CONVOLUTION = ("stride=1, padding=0, dilation=1", "stride=2, padding=1, dilation=2")
POOL = ("2", "3, stride=2, padding=1, ceil_mode=True")
PADS = ("1", "2")
# class, arguments before settings, settings A, settings B, shapes of the inputs
ROWS = [
    *((f"Conv{n}d", "4, 4, 3", *CONVOLUTION, shape) for n, shape in ((1, LINE), (2, IMAGE), (3, VOLUME))),
    ("Conv2d", "4, 4, (3, 2)", "padding='same'", "padding='valid', dilation=2", IMAGE),
    ("Conv2d", "4, 4, 3", "padding=1", "padding='same', dilation=(2, 1)", IMAGE),
    ("Conv1d", "4, 4, 3", "padding=1", "padding=1, padding_mode='circular'", LINE),
    *((f"ConvTranspose{n}d", "4, 4, 3", "stride=1", "stride=2, padding=1, output_padding=1, dilation=2", shape)
      for n, shape in ((1, LINE), (2, IMAGE), (3, VOLUME))),
    *((f"MaxPool{n}d", "", POOL[0], POOL[1] + ", dilation=1", shape)
      for n, shape in ((1, LINE), (2, IMAGE), (3, VOLUME))),
    ("MaxPool2d", "", "(2, 2)", "3, dilation=2, return_indices=True", IMAGE),
    ("MaxPool1d", "", "2", "3, padding=1, return_indices=True", LINE),
    ("MaxPool3d", "", "2", "(3, 2, 2), padding=1, return_indices=True", VOLUME),
    *((f"AvgPool{n}d", "", POOL[0], POOL[1] + ", count_include_pad=False", shape)
      for n, shape in ((1, LINE), (2, IMAGE), (3, VOLUME))),
    *((f"AvgPool{n}d", "", POOL[0], POOL[1] + ", divisor_override=5", shape) for n, shape in ((2, IMAGE), (3, VOLUME))),
    *((f"Adaptive{kind}Pool{n}d", "", "2", settings, shape) for kind in ("Avg", "Max")
      for n, settings, shape in ((1, "3", LINE), (2, "(3, None)", IMAGE), (3, "(3, 2, 1)", VOLUME))),
    ("LPPool1d", "", "2, 3", "3, 2, stride=1, ceil_mode=True", LINE),
    ("LPPool2d", "", "2, (2, 3)", "1, 3, stride=2, ceil_mode=True", IMAGE),
    ("MaxUnpool1d", "", "2", "3, stride=3", ((2, 4, 4), "places")),
    ("MaxUnpool2d", "", "2", "(3, 2), stride=2, padding=(1, 0)", ((2, 4, 4, 4), "places")),
    *((f"{kind}Pad{n}d", "", *PADS, shape) for kind in ("Zero", "Reflection", "Replication", "Circular")
      for n, shape in ((1, LINE), (2, IMAGE), (3, VOLUME))),
    *((f"ConstantPad{n}d", "", "1, 2.0", "2, 3.5", shape) for n, shape in ((1, LINE), (2, IMAGE), (3, VOLUME))),
    ("Upsample", "", "scale_factor=2", "size=(5, 6), mode='bilinear', align_corners=True", IMAGE),
    ("Upsample", "", "size=4", "scale_factor=(1.5, 2.5), mode='nearest', recompute_scale_factor=True", IMAGE),
    ("UpsamplingNearest2d", "", "scale_factor=2", "size=(5, 6)", IMAGE),
    ("UpsamplingBilinear2d", "", "size=3", "scale_factor=3", IMAGE),
    ("PixelShuffle", "", "1", "2", IMAGE),
    ("PixelUnshuffle", "", "1", "2", (1, 2, 4, 6)),
    ("ChannelShuffle", "", "1", "2", IMAGE),
    ("Fold", "", "(5, 6), 2", "(4, 5), (2, 1), padding=0", (1, 4, 15)),
    ("Unfold", "", "2", "(2, 3), dilation=2, padding=1, stride=2", IMAGE),
    ("Flatten", "", "", "0, 1", IMAGE),
    ("Unflatten", "", "1, (2, 2)", "2, (3, 3)", IMAGE),
    ("BatchNorm1d", "4", "", "eps=0.1, momentum=0.5", LINE),
    ("BatchNorm2d", "4", "momentum=0.3", "eps=0.1, momentum=None", IMAGE),
    ("BatchNorm3d", "4", "", "eps=0.1", VOLUME),
    ("InstanceNorm1d", "4", "track_running_stats=True, affine=True", "track_running_stats=True, eps=0.1, momentum=0.5",
     LINE),
    ("InstanceNorm2d", "4", "", "eps=0.5", IMAGE),
    ("InstanceNorm3d", "4", "", "eps=0.5", VOLUME),
    ("LayerNorm", "", "4, elementwise_affine=False", "(3, 4), eps=0.5, elementwise_affine=False", FLAT),
    ("RMSNorm", "", "4, elementwise_affine=False", "(3, 4), eps=0.5, elementwise_affine=False", FLAT),
    ("GroupNorm", "", "1, 4", "2, 4, eps=0.5", IMAGE),
    ("LocalResponseNorm", "", "2", "3, alpha=0.5, beta=0.5, k=2.0", IMAGE),
    ("ELU", "", "", "0.5, inplace=True", FLAT), ("CELU", "", "", "0.5, inplace=True", FLAT),
    ("GELU", "", "", "'tanh'", FLAT), ("GLU", "", "", "0", (4, 4)), ("Hardshrink", "", "", "0.9", FLAT),
    ("Softshrink", "", "", "0.9", FLAT), ("Hardtanh", "", "", "-0.5, 0.7, inplace=True", FLAT),
    ("LeakyReLU", "", "", "0.5, inplace=True", FLAT), ("RReLU", "", "", "0.4, 0.4", FLAT),
    ("Softplus", "", "", "2.0, 0.5", FLAT), ("Threshold", "", "0.1, 3.0", "0.5, 2.0, inplace=True", FLAT),
    ("Softmax", "", "0", "1", FLAT), ("LogSoftmax", "", "0", "1", FLAT), ("Softmin", "", "0", "1", FLAT),
    *((name, "", "", "inplace=True", FLAT) for name in (
        "ReLU", "ReLU6", "SELU", "SiLU", "Mish", "Hardsigmoid", "Hardswish")),
    *((name, "", "0.0", "1.0, inplace=True", IMAGE if name == "Dropout2d" else VOLUME if name == "Dropout3d" else LINE)
      for name in ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout")),
    ("Embedding", "5, 4", "", "padding_idx=2, max_norm=0.5, norm_type=1.0", ("indices",)),
    *(("EmbeddingBag", "5, 4", "", f"mode='{mode}', padding_idx=1, max_norm=0.7", ("indices",))
      for mode in ("sum", "max")),
    ("CosineSimilarity", "", "", "0, 0.5", (FLAT, FLAT)),
    ("PairwiseDistance", "", "", "3.0, 0.5, True", (FLAT, FLAT)),
    *((name, "4, 3, 2", "", f"batch_first=True, dropout=1.0{more}", (3, 2, 4))
      for name, more in (("RNN", ""), ("LSTM", ""), ("GRU", ""))),
    ("RNNCell", "4, 3", "", "nonlinearity='relu'", FLAT),
    ("MultiheadAttention", "4", "1", "2, batch_first=True", ((2, 3, 4),) * 3),
    *((f"Transformer{half}Layer", "4, 2, 8, 0.0", "", "norm_first=True, activation='gelu', layer_norm_eps=1e-5", shapes)
      for half, shapes in (("Encoder", (2, 3, 4)), ("Decoder", ((2, 3, 4), (2, 3, 4))))),
    *((name, "", "", settings, (FLAT, FLAT)) for name, settings in (
        ("MSELoss", "reduction='none'"), ("L1Loss", "reduction='sum'"), ("HuberLoss", "reduction='sum', delta=0.3"),
        ("SmoothL1Loss", "reduction='none', beta=0.2"), ("SoftMarginLoss", "reduction='sum'"),
        ("BCEWithLogitsLoss", "reduction='sum'"), ("KLDivLoss", "reduction='batchmean', log_target=True"),
        ("HingeEmbeddingLoss", "2.0, reduction='none'"), ("PoissonNLLLoss", "False, True, eps=0.1, reduction='none'"),
        ("MultiLabelSoftMarginLoss", "reduction='none'"))),
    ("BCELoss", "", "", "reduction='none'", ("chances", "chances")),
    ("CrossEntropyLoss", "", "", "ignore_index=1, reduction='sum', label_smoothing=0.2", (FLAT, "classes")),
    ("NLLLoss", "", "", "ignore_index=1, reduction='none'", (FLAT, "classes")),
    ("MultiMarginLoss", "", "", "2, 0.5, reduction='none'", (FLAT, "classes")),
    ("MultiLabelMarginLoss", "", "", "reduction='none'", (FLAT, "labels")),
    ("GaussianNLLLoss", "", "", "full=True, eps=0.3, reduction='sum'", (FLAT, FLAT, "chances")),
    ("CosineEmbeddingLoss", "", "", "0.3, reduction='sum'", (FLAT, FLAT, "signs")),
    ("MarginRankingLoss", "", "", "0.3, reduction='none'", ((3,), (3,), "signs")),
    ("TripletMarginLoss", "", "", "0.5, 1.0, 0.1, True, reduction='none'", (FLAT, FLAT, FLAT)),
    ("CTCLoss", "", "", "1, 'none', True", ((6, 3, 5), "targets", "lengths6", "lengths2")),
]
# classes without settings, and those whose settings are shapes of parameters or parts
WITHOUT = set(
    "Module ModuleDict ModuleList ParameterDict ParameterList Sequential Identity Sigmoid Tanh Softsign LogSigmoid "
    "Tanhshrink Softmax2d Linear Bilinear PReLU LSTMCell GRUCell Transformer TransformerEncoder TransformerDecoder "
    "MixedLinear".split()
)
KINDS = {
    "indices": lambda draw: np.array([[0, 2, 1], [4, 1, 1]]), "classes": lambda draw: np.array([0, 3, 1]),
    "signs": lambda draw: np.array([1.0, -1.0, 1.0], np.float32),
    "labels": lambda draw: np.array([[1, 3, -1, 0], [0, -1, 1, 2], [3, 2, 1, 0]]),
    "chances": lambda draw: draw.random((3, 4), np.float32) * 0.9 + 0.05,
    "targets": lambda draw: np.array([[2, 3], [2, 2], [3, 4]]),
    "lengths6": lambda draw: np.array([6, 6, 6]), "lengths2": lambda draw: np.array([2, 2, 1]),
}


def arrays(shapes) -> list[np.ndarray]:
    draw = np.random.default_rng(0)
    made: list[np.ndarray] = []
    for shape in shapes if isinstance(shapes[0], (tuple, str)) else (shapes,):
        if shape == "places":  # every fourth element of each plane
            made.append(np.broadcast_to(np.arange(made[0][0, 0].size).reshape(made[0][0, 0].shape) % 7, made[0].shape))
        else:
            drawn = KINDS[shape](draw) if isinstance(shape, str) else draw.standard_normal(shape).astype(np.float32)
            made.append(np.ascontiguousarray(drawn))
    return made


def settled(library, name: str, first: str, before: str, after: str, state: dict[str, np.ndarray]):
    """A layer of settings A with every public attribute of one of settings B, and that one; with the same weights."""
    layers = [eval(f"nn.{name}({', '.join(filter(None, (first, more)))})", {"nn": library.nn})
              for more in (before, after)]
    for layer in layers:
        shapes = {key: tuple(each.shape) for key, each in layer.state_dict().items()}
        layer.load_state_dict({key: library.tensor(state[key]) for key in shapes if key in state}, strict=False)
    changed, wanted = layers
    for key, value in vars(wanted).items():
        if not key.startswith("_") and key not in ("training", "head_dim", "affine"):
            setattr(changed, key, value)
    return changed, wanted


def listed(result) -> list[np.ndarray]:
    if isinstance(result, tuple):
        return [each for part in result if part is not None for each in listed(part)]
    return [result.detach().numpy()]


def run(library, layer, inputs: list[np.ndarray]) -> list[np.ndarray]:
    library.manual_seed(0)
    return listed(layer(*(library.from_numpy(each.copy()) for each in inputs)))


def assert_same(got: list[np.ndarray], wanted: list[np.ndarray], tolerance: float = 2e-5) -> None:
    assert len(got) == len(wanted)
    for a, b in zip(got, wanted):
        assert a.shape == b.shape and a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def cases(name, first, before, after, shapes):
    torch.manual_seed(0)
    wanted = eval(f"nn.{name}({', '.join(filter(None, (first, after)))})", {"nn": torch.nn})
    state = {key: each.numpy().copy() for key, each in wanted.state_dict().items()}
    return arrays(shapes), state


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}({row[3]})")
@pytest.mark.parametrize("training", [True, False], ids=["training", "evaluation"])
def test_settings_of_a_finished_layer_count(row, training: bool, request) -> None:
    name, first, before, after, shapes = row
    inputs, state = cases(*row)
    results = {}
    for library in (tsm, torch):
        changed, wanted = (each.train(training) for each in settled(library, name, first, before, after, state))
        results[library] = run(library, changed, inputs)
        if "padding_mode" not in after or library is tsm:  # PyTorch's keep what they put around
            assert_same(results[library], run(library, wanted, inputs))
            results[library] = run(library, wanted, inputs)
    assert_same(results[tsm], results[torch], 5e-5)
    if ROWS.index(row) % 3 and not request.config.getoption("--whole"):  # a third is compiled
        return
    if training and "Norm" not in name:  # compiled code reads the flag as it reads the rest
        return
    fresh, _ = settled(tsm, name, first, before, after, state)
    scripted = tsm.script(fresh.train(training))
    again = run(tsm, scripted, inputs)
    if "momentum" not in after:  # the layer has followed two batches by now
        assert_same(again, results[tsm])
    if not training:
        example = tuple(tsm.from_numpy(each.copy()) for each in inputs)
        assert_same(run(tsm, tsm.trace(fresh, example), inputs), results[tsm])
        assert_same(run(tsm, tsm.freeze(scripted), inputs), results[tsm])


def test_every_layer_has_a_row() -> None:
    classes = {name for name, each in vars(nn).items() if inspect.isclass(each) and issubclass(each, nn.Module)}
    assert classes == WITHOUT | {row[0] for row in ROWS}


@pytest.mark.parametrize(("name", "key", "value", "shape"), [
    ("Conv1d(4, 2, 3)", "stride", 2, LINE), ("Conv2d(4, 2, 3)", "padding", 1, IMAGE),
    ("Conv3d(4, 2, 3)", "dilation", 2, VOLUME), ("ConvTranspose2d(4, 2, 3)", "stride", 2, IMAGE),
    ("MaxPool2d((2, 2))", "kernel_size", 3, IMAGE), ("MaxPool2d(2)", "stride", (1, 2), IMAGE),
    ("AvgPool1d(2)", "kernel_size", 3, LINE), ("AvgPool3d((2, 2, 2))", "stride", 1, VOLUME),
    ("AdaptiveAvgPool2d(3)", "output_size", (None, 2), IMAGE), ("LPPool2d(2, 2)", "stride", (1, 2), IMAGE),
    ("Unfold((2, 2))", "dilation", 2, IMAGE), ("Upsample(scale_factor=2.0)", "scale_factor", (1.0, 3.0), IMAGE),
])
def test_one_number_stands_for_all_dimensions(name: str, key: str, value: object, shape) -> None:
    inputs, results = arrays(shape), []
    theirs = eval(f"nn.{name}", {"nn": torch.nn})
    ours = eval(f"nn.{name}", {"nn": nn})
    ours.load_state_dict(theirs.state_dict())
    for library, layer in ((tsm, ours), (torch, theirs)):
        setattr(layer, key, value)
        results.append(run(library, layer, inputs))
    assert_same(*results)
    assert_same(run(tsm, tsm.script(ours), inputs), results[1])
    assert f"{key}={value}" in repr(ours) or key == "scale_factor" or "Transpose" in name or "LPPool" in name
