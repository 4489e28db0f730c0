"""tsm.nn against torch.nn: parameter names, initial values' ranges, outputs, state, text."""

from __future__ import annotations

import collections
import copy
import math

import numpy as np
import pytest

import tsm
from tsm import nn
from tsm.nn import functional as F

torch = pytest.importorskip("torch")

PLACED = (
    "Linear(3, 4, {})", "Conv2d(2, 4, 3, {})", "BatchNorm1d(3, {})", "LayerNorm(4, {})", "Embedding(5, 2, {})",
    "GRU(3, 2, {})", "LSTMCell(3, 2, {})", "MultiheadAttention(4, 2, {})", "TransformerEncoderLayer(4, 2, 8, {})",
)
LAYERS = [
    ("Linear(3, 4)", (5, 3)),
    ("Linear(3, 4, bias=False)", (2, 5, 3)),
    ("Conv1d(2, 4, 3, padding=1)", (2, 2, 9)),
    ("Conv1d(2, 4, 3, stride=2, dilation=2, groups=2, bias=False)", (2, 2, 9)),
    ("Conv2d(2, 4, 3)", (2, 2, 7, 6)),
    ("Conv2d(2, 4, (3, 2), stride=(2, 1), padding=(1, 0), dilation=(1, 2), groups=2)", (2, 2, 7, 6)),
    ("BatchNorm2d(3)", (2, 3, 4, 4)),
    ("BatchNorm2d(3, momentum=None, affine=False)", (2, 3, 4, 4)),
    ("BatchNorm2d(3, track_running_stats=False)", (2, 3, 4, 4)),
    ("LayerNorm(4)", (2, 3, 4)),
    ("LayerNorm((3, 4), bias=False)", (2, 3, 4)),
    ("LayerNorm([3, 4], elementwise_affine=False)", (2, 3, 4)),
    ("ReLU()", (2, 3)),
    ("ReLU(inplace=True)", (2, 3)),
    ("Tanh()", (2, 3)),
    ("Sigmoid()", (2, 3)),
    ("SiLU()", (2, 3)),
    ("GELU()", (2, 3)),
    ("GELU(approximate='tanh')", (2, 3)),
    ("Dropout(p=0.3)", (2, 3)),
    ("MaxPool2d(2)", (2, 3, 6, 7)),
    ("MaxPool2d((3, 2), stride=1, padding=(1, 0), ceil_mode=True)", (2, 3, 6, 7)),
    ("AvgPool2d(2)", (2, 3, 6, 7)),
    ("AvgPool2d(3, stride=(2, 1), padding=1)", (2, 3, 6, 7)),
    ("AdaptiveAvgPool2d((2, 3))", (2, 3, 6, 7)),
    ("Flatten()", (2, 3, 4)),
    ("Flatten(0, 1)", (2, 3, 4)),
    ("Identity()", (2, 3)),
    ("Softmax(dim=-1)", (2, 3)),
    ("LogSoftmax(dim=0)", (2, 3)),
    ("Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Sequential(nn.Linear(4, 2), nn.Tanh()))", (5, 3)),
    ("ModuleList([nn.Linear(3, 3), nn.ReLU()])", None),
    *((f"{name}()", (2, 6, 8)) for name in (
        "ReLU6", "Hardtanh", "Hardswish", "Hardsigmoid", "Mish", "SELU", "ELU", "CELU", "LeakyReLU", "PReLU",
        "Softplus", "Softsign", "LogSigmoid", "Tanhshrink", "Hardshrink", "Softshrink", "GLU", "SiLU",
    )),
    ("ReLU6(inplace=True)", (2, 3)),
    ("Hardtanh(-2, 1.5)", (2, 3)),
    ("LeakyReLU(negative_slope=0.2, inplace=True)", (2, 3)),
    ("PReLU(num_parameters=6)", (2, 6, 8)),
    ("Softplus(beta=2, threshold=3)", (2, 3)),
    ("Threshold(0.1, 20)", (2, 3)),
    ("Softmin(dim=1)", (2, 3)),
    ("BatchNorm1d(6)", (2, 6, 8)),
    ("BatchNorm1d(6)", (4, 6)),
    ("GroupNorm(3, 6)", (2, 6, 5, 7)),
    ("GroupNorm(2, 6, affine=False)", (2, 6, 5)),
    ("InstanceNorm1d(6)", (2, 6, 8)),
    ("InstanceNorm2d(6, affine=True)", (2, 6, 5, 7)),
    ("MaxPool1d(3, stride=2, padding=1, ceil_mode=True)", (2, 6, 11)),
    ("AvgPool1d(3)", (2, 6, 11)),
    ("AdaptiveAvgPool1d(4)", (2, 6, 11)),
    ("AdaptiveMaxPool1d(4)", (2, 6, 11)),
    ("AdaptiveMaxPool2d((3, 2))", (2, 6, 5, 7)),
    ("ConstantPad2d((1, 2, 0, 3), 1.5)", (2, 6, 5, 7)),
    ("ZeroPad2d(1)", (2, 6, 5, 7)),
    ("ReflectionPad2d((1, 2, 3, 0))", (2, 6, 5, 7)),
    ("ReplicationPad1d((1, 0))", (2, 6, 5)),
    ("CircularPad2d(2)", (2, 6, 5, 7)),
    ("Upsample(scale_factor=2.0)", (2, 6, 5, 7)),
    ("Upsample(scale_factor=2.0, mode='bilinear')", (2, 6, 5, 7)),
    ("PixelShuffle(2)", (1, 8, 3, 3)),
    ("PixelUnshuffle(2)", (1, 2, 4, 6)),
    ("ConvTranspose1d(4, 6, 3, stride=2)", (2, 4, 5)),
    ("ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)", (2, 4, 5, 6)),
    ("ConvTranspose2d(4, 2, 2, 2, bias=False)", (2, 4, 5, 6)),
    ("ConvTranspose3d(4, 2, (1, 2, 3), dilation=2)", (1, 4, 3, 4, 5)),
    ("Conv3d(2, 4, 3, padding=1)", (1, 2, 4, 5, 6)),
    ("Conv3d(2, 4, (1, 2, 3), stride=(1, 2, 1), groups=2, bias=False)", (1, 2, 4, 5, 6)),
    ("Conv3d(2, 4, 3, padding='same', padding_mode='replicate')", (1, 2, 4, 5, 6)),
    ("Conv2d(2, 4, 3, padding='same')", (1, 2, 5, 6)),
    ("Conv2d(2, 4, (2, 4), padding='same')", (1, 2, 5, 6)),
    ("Conv2d(2, 4, 3, padding='valid')", (1, 2, 5, 6)),
    ("Conv2d(2, 4, 3, padding=1, padding_mode='reflect')", (1, 2, 5, 6)),
    ("Conv1d(2, 4, 4, padding='same', dilation=2)", (1, 2, 9)),
    ("Conv1d(2, 4, 3, padding=2, padding_mode='circular')", (1, 2, 9)),
    ("BatchNorm3d(3)", (2, 3, 4, 4, 2)),
    ("InstanceNorm3d(3, affine=True)", (2, 3, 4, 4, 2)),
    ("RMSNorm(4)", (2, 3, 4)),
    ("RMSNorm((3, 4), eps=0.001)", (2, 3, 4)),
    ("LocalResponseNorm(2)", (2, 4, 5, 5)),
    ("MaxPool3d(2)", (1, 2, 4, 5, 6)),
    ("AvgPool3d(2)", (1, 2, 4, 5, 6)),
    ("AdaptiveAvgPool3d((2, 3, 1))", (1, 2, 4, 5, 6)),
    ("Dropout1d(p=0.3)", (1, 2, 4)),
    ("Dropout2d(p=0.3)", (1, 2, 4, 4)),
    ("Dropout3d(p=0.3)", (1, 2, 4, 2, 2)),
    ("Softmax2d()", (1, 2, 4, 4)),
    ("ChannelShuffle(2)", (1, 4, 3)),
    ("CircularPad1d(2)", (1, 2, 4)),
    ("ConstantPad3d(1, 2.0)", (1, 2, 3, 4, 5)),
    ("ZeroPad3d((1, 0, 0, 2, 1, 1))", (1, 2, 3, 4, 5)),
    ("ReflectionPad3d(1)", (1, 2, 3, 4, 5)),
    ("ReplicationPad3d(1)", (1, 2, 3, 4, 5)),
    ("CircularPad3d(1)", (1, 2, 3, 4, 5)),
    ("Unflatten(1, (2, 3))", (2, 6, 4)),
    ("Unfold((2, 3), stride=2)", (1, 2, 5, 6)),
    ("Fold((4, 5), (2, 1))", (1, 4, 15)),
    ("UpsamplingNearest2d(scale_factor=2)", (1, 2, 3, 4)),
    ("UpsamplingBilinear2d(scale_factor=2)", (1, 2, 3, 4)),
    ("Bilinear(3, 4, 2)", None),
    ("CosineSimilarity()", None),
]


def pair(text: str):
    """Our layer and PyTorch's with the same weights."""
    torch.manual_seed(0)
    theirs = eval(f"nn.{text}", {"nn": torch.nn})
    ours = eval(f"nn.{text}", {"nn": nn})
    assert list(ours.state_dict()) == list(theirs.state_dict())
    ours.load_state_dict(theirs.state_dict())
    return ours, theirs


@pytest.mark.parametrize("text, shape", LAYERS)
def test_layer_computes_as_torch(text, shape):
    ours, theirs = pair(text)
    if shape is None:
        return
    array = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    for training in (True, False):
        if "Dropout" in text and training:
            continue
        ours.train(training)
        theirs.train(training)
        got, expected = ours(tsm.from_numpy(array.copy())), theirs(torch.from_numpy(array.copy()))
        np.testing.assert_allclose(got.numpy(), expected.detach().numpy(), rtol=2e-5, atol=2e-6)
    for name, value in theirs.state_dict().items():
        np.testing.assert_allclose(ours.state_dict()[name].numpy(), value.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("text", [text for text, _ in LAYERS])
def test_layer_prints_as_torch(text):
    ours, theirs = pair(text)
    # the same, but an int where a pair is of equals, or without an argument that is a default
    if "Pool2d((" in text or "AvgPool2d(3" in text or "Pool1d(" in text or "inplace" in text:
        assert repr(ours).startswith(text.split("(")[0])
    else:
        assert repr(ours).replace("AdaptiveAvgPool2d(output_size=(2, 3))", repr(theirs)) == repr(theirs)


@pytest.mark.parametrize("make", ["Linear(50, 40)", "Conv2d(8, 16, 3)", "Conv1d(8, 64, 3, groups=2)"])
def test_initial_values_have_torch_bounds(make):
    tsm.manual_seed(1)
    layer = eval(f"nn.{make}")
    bound = 1 / math.sqrt(nn.init.fans(layer.weight)[0])
    for parameter in layer.parameters():
        values = parameter.numpy()
        assert np.abs(values).max() <= bound and np.abs(values).max() > 0.6 * bound and abs(values.mean()) < 0.4 * bound


def test_embedding():
    theirs = torch.nn.Embedding(7, 3, padding_idx=2)
    ours = nn.Embedding(7, 3, padding_idx=2)
    assert ours.weight[2].tolist() == [0, 0, 0] and ours.weight.numpy().std() > 0.3
    ours.load_state_dict(theirs.state_dict())
    indices = np.array([[1, 2, 6], [0, 0, 5]])
    expected = theirs(torch.from_numpy(indices)).detach().numpy()
    np.testing.assert_array_equal(ours(tsm.from_numpy(indices)).numpy(), expected)
    np.testing.assert_array_equal(F.embedding(tsm.from_numpy(indices), ours.weight).numpy(), expected)
    with pytest.raises(IndexError):
        ours(tsm.tensor([7]))


def test_dropout_scales_what_it_keeps():
    tsm.manual_seed(0)
    values = nn.Dropout(0.25)(tsm.ones(1000)).numpy()
    assert set(np.unique(values)) <= {0, np.float32(1 / 0.75)} and 0.15 < (values == 0).mean() < 0.35
    with pytest.raises(ValueError):
        nn.Dropout(1.5)


def test_batch_norm_refuses_other_ranks():
    with pytest.raises(ValueError, match="expected 4D input"):
        nn.BatchNorm2d(3)(tsm.zeros(2, 3))


# ---- Module


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.shared = self.first
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.ReLU()])
        self.scale = nn.Parameter(tsm.ones(1))
        self.register_buffer("count", tsm.zeros((), dtype=tsm.int64))
        self.register_buffer("scratch", tsm.zeros(2), persistent=False)
        self.steps = 0

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        self.steps += 1
        self.count += 1
        x = self.first(x)
        for layer in self.layers:
            x = layer(x)
        return x * self.scale


def test_names_and_sharing():
    net = Net()
    names = ["scale", "first.weight", "first.bias", "layers.0.weight", "layers.0.bias"]
    assert [name for name, _ in net.named_parameters()] == names
    assert [name for name, _ in net.named_buffers()] == ["count", "scratch"]
    assert [name for name, _ in net.named_modules()] == ["", "first", "layers", "layers.0", "layers.1"]
    assert [name for name, _ in net.named_children()] == ["first", "layers"]
    state = ["scale", "count", "first.weight", "first.bias", "shared.weight", "shared.bias"]
    assert list(net.state_dict()) == [*state, "layers.0.weight", "layers.0.bias"]
    assert net.shared.weight is net.first.weight and net.get_submodule("layers.1").inplace is False
    assert net.get_parameter("first.bias") is net.first.bias and net.get_buffer("count") is net.count
    net(tsm.zeros(2, 3))
    assert net.steps == 1 and net.count.item() == 1


def test_buffers_by_assignment():
    net = nn.Module()
    net.mean = nn.Buffer(tsm.ones(2))
    net.last = nn.Buffer(tsm.zeros(2), persistent=False)
    assert [name for name, _ in net.named_buffers()] == ["mean", "last"] and list(net.state_dict()) == ["mean"]
    assert isinstance(net.mean, nn.Buffer) and not list(net.parameters())
    net.mean = tsm.full((2,), 3.0)
    assert net.get_buffer("mean").tolist() == [3.0, 3.0]
    with pytest.raises(TypeError, match="a Buffer is made of a tensor, not of a list"):
        nn.Buffer([1.0])


def test_hooks_in_front_of_others():
    order: list[str] = []
    net = nn.Linear(2, 2)
    for name, prepend in (("first", False), ("second", False), ("front", True)):
        net.register_forward_pre_hook(lambda module, args, name=name: order.append(name), prepend=prepend)
        handle = net.register_forward_hook(lambda module, args, out, name=name: order.append(name), prepend=prepend)
    net(tsm.zeros(1, 2))
    assert order == ["front", "first", "second"] * 2
    handle.remove()
    net(tsm.zeros(1, 2))
    assert order[6:] == ["front", "first", "second", "first", "second"]


def test_state_dict_shares_memory_and_loads_in_place():
    net, other = Net(), Net()
    weight = net.first.weight
    array = weight.numpy()
    net.load_state_dict(other.state_dict())
    assert net.first.weight is weight
    np.testing.assert_array_equal(array, other.first.weight.numpy())
    net.state_dict()["scale"].fill_(3)
    assert net.scale.item() == 3


def test_load_state_dict_reports_everything():
    net = Net()
    state = {name: value.numpy() for name, value in net.state_dict().items()}
    del state["scale"]
    state["extra"] = np.zeros(1)
    state["first.bias"] = np.zeros(5)
    with pytest.raises(RuntimeError) as failure:
        net.load_state_dict(state)
    text = str(failure.value)
    assert "Error(s) in loading state_dict for Net:" in text
    assert "Missing key(s) in state_dict: 'scale'" in text and "Unexpected key(s) in state_dict: 'extra'" in text
    assert "size mismatch for first.bias: the state has shape (5,), the module (4,)." in text
    del state["first.bias"], state["extra"]
    keys = net.load_state_dict(state, strict=False)
    assert keys.missing_keys == ["scale", "first.bias"] and keys.unexpected_keys == []


def test_load_state_dict_from_numpy_torch_and_half():
    layer = nn.Linear(2, 2)
    layer.load_state_dict({"weight": np.arange(4.0).reshape(2, 2), "bias": torch.tensor([1, 2], dtype=torch.bfloat16)})
    assert (
        layer.weight.dtype is tsm.float32
        and layer.weight.tolist() == [[0, 1], [2, 3]]
        and layer.bias.tolist() == [1, 2]
    )
    layer.load_state_dict({"weight": np.ones((2, 2), np.float16), "bias": torch.nn.Parameter(torch.zeros(2))})
    assert layer.weight.tolist() == [[1, 1], [1, 1]] and layer.bias.tolist() == [0, 0]


def test_load_state_dict_from_safetensors(tmp_path):
    save_file = pytest.importorskip("safetensors.torch").save_file
    theirs = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm2d(2))
    path = tmp_path / "weights.safetensors"
    save_file(theirs.state_dict(), path)
    ours = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm2d(2))
    ours.load_state_dict(path)
    for name, value in theirs.state_dict().items():
        np.testing.assert_array_equal(ours.state_dict()[name].numpy(), value.numpy())
    save_file({name: value.bfloat16() for name, value in theirs.state_dict().items()}, path)
    ours.load_state_dict(path.read_bytes())
    expected = theirs[0].weight.bfloat16().float().detach().numpy()
    np.testing.assert_array_equal(ours[0].weight.numpy(), expected)


def test_modes_and_conversions():
    net = Net()
    weight = net.first.weight
    assert net.eval() is net and not net.layers[1].training and net.train().training
    net.double()
    assert net.first.weight is weight is net.shared.weight and weight.dtype is tsm.float64
    assert net.count.dtype is tsm.int64 and net.scratch.dtype is tsm.float64
    assert net(tsm.zeros(1, 3, dtype=tsm.float64)).dtype is tsm.float64
    with pytest.raises(TypeError):
        net.to(tsm.int64)
    seen = []
    net.apply(lambda module: seen.append(type(module).__name__))
    assert seen == ["Linear", "Linear", "ReLU", "ModuleList", "Net"]
    net.requires_grad_(False)
    assert not any(parameter.requires_grad for parameter in net.parameters())


def test_assignment_rules():
    net = Net()
    net.scale = nn.Parameter(tsm.zeros(1))
    net.count = tsm.tensor(5)
    assert "count" in net._buffers and net.scale.item() == 0
    for name, value in [("scale", tsm.ones(1)), ("first", 3), ("count", 3)]:
        with pytest.raises(TypeError):
            setattr(net, name, value)
    net.first = None
    assert net.first is None
    del net.scale
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'scale'"):
        net.scale  # noqa: B018
    for name in ("", "a.b", "steps"):
        with pytest.raises(KeyError):
            net.register_buffer(name, None)

    with pytest.raises(NotImplementedError, match="Module"):
        nn.Module()(1)


def test_deepcopy_is_independent():
    net = Net()
    other = copy.deepcopy(net)
    other.first.weight.zero_()
    assert isinstance(other.first.weight, nn.Parameter) and other.shared.weight is other.first.weight
    assert net.first.weight.numpy().any()


def test_containers():
    model = nn.Sequential(nn.Linear(1, 2), nn.ReLU(), nn.Linear(2, 1))
    assert len(model) == 3 and isinstance(model[-1], nn.Linear) and model[:2][1] is model[1]
    model.append(nn.Tanh()).insert(1, nn.Identity())
    assert [type(m).__name__ for m in model] == ["Linear", "Identity", "ReLU", "Linear", "Tanh"]
    del model[1]
    assert list(model._modules) == ["0", "1", "2", "3"]
    named = nn.Sequential({"a": nn.ReLU(), "b": nn.Tanh()})
    assert named.a is named[0] and isinstance(named[:1], nn.Sequential)
    layers = nn.ModuleList([nn.ReLU()])
    layers += [nn.Tanh()]
    layers.extend([nn.Sigmoid()])
    layers[0] = nn.Identity()
    assert [type(m).__name__ for m in layers] == ["Identity", "Tanh", "Sigmoid"] and layers[0] in layers
    with pytest.raises(IndexError):
        layers[3]
    with pytest.raises(TypeError):
        layers.append(1)


def test_parameter_shares_memory():
    data = tsm.zeros(2)
    parameter = nn.Parameter(data)
    parameter[0] = 1
    assert (
        data.tolist() == [1, 0]
        and isinstance(parameter + 1, tsm.Tensor)
        and not isinstance(parameter + 1, nn.Parameter)
    )
    assert repr(parameter).startswith("Parameter containing:\ntensor(")
    with pytest.raises(TypeError):
        nn.Parameter([1.0])


class Weighted(nn.Module):
    """Parameters in a list and in a dict, and a loss."""

    def __init__(self, kit, make):
        super().__init__()
        self.scales = kit.ParameterList([make([1.0, 2.0]), make([3.0, 0.5])])
        self.shifts = kit.ParameterDict({"a": make([1.0, 0.0]), "b": make([5.0, -1.0])})
        self.loss = kit.CrossEntropyLoss(weight=make([1.0, 2.0]), label_smoothing=0.1)

    def forward(self, x: tsm.Tensor, which: int):
        for scale in self.scales:
            x = x * scale
        for name, shift in self.shifts.items():
            x = x + shift if name == "a" else x - shift
        y = x * self.scales[which] + self.scales[-1] * len(self.scales) + self.shifts["b"]
        return y, self.loss(y.reshape(1, 2), (y > 0)[:1].to(tsm.int64))


def test_parameter_lists_and_dicts_run_and_compile():
    module = Weighted(nn, tsm.tensor)
    assert list(module.state_dict()) == ["scales.0", "scales.1", "shifts.a", "shifts.b", "loss.weight"]
    assert [name for name, _ in module.named_parameters()] == ["scales.0", "scales.1", "shifts.a", "shifts.b"]
    x = tsm.tensor([0.5, -2.0])
    want = module(x, 1)
    scripted = tsm.script(module)
    for got, expected in zip(scripted(x, 1), want):
        np.testing.assert_allclose(got.numpy(), expected.numpy(), rtol=1e-6)
    np.testing.assert_allclose(want[0].numpy(), [(0.5 * 3 + 1 - 5) * 3 + 6 + 5, (-2 * 1 + 0 + 1) * 0.5 + 1 - 1])
    with pytest.raises(IndexError):
        scripted(x, 2)
    module.scales.append(tsm.ones(2))
    module.scales[0] = tsm.zeros(2)
    assert len(module.scales) == 3 and len(module.scales[1:]) == 2 and "a" in module.shifts
    with pytest.raises(TypeError, match="expected a Parameter or a Tensor"):
        module.scales.append(1.0)


LOSSES = [
    ("MSELoss()", "plain"),
    ("L1Loss(reduction='sum')", "plain"),
    ("SmoothL1Loss(beta=0.5)", "plain"),
    ("HuberLoss(delta=0.3)", "plain"),
    ("CrossEntropyLoss(label_smoothing=0.2)", "classes"),
    ("NLLLoss(ignore_index=1)", "classes"),
    ("BCEWithLogitsLoss()", "plain"),
    ("KLDivLoss(reduction='batchmean', log_target=True)", "plain"),
    ("SoftMarginLoss()", "plain"),
]


@pytest.mark.parametrize("text, kind", LOSSES)
def test_losses_compute_as_torch(text, kind):
    generator = np.random.default_rng(0)
    x = generator.standard_normal((3, 4)).astype(np.float32)
    y = np.array([0, 3, 1]) if kind == "classes" else generator.standard_normal((3, 4)).astype(np.float32)
    want = eval(f"nn.{text}", {"nn": torch.nn})(torch.from_numpy(x), torch.from_numpy(y)).numpy()
    ours = eval(f"nn.{text}", {"nn": nn})
    for run in (ours, tsm.script(ours)):
        np.testing.assert_allclose(run(tsm.from_numpy(x), tsm.from_numpy(y)).numpy(), want, rtol=2e-5)


@pytest.mark.parametrize("options", ["", "norm_first=True", "batch_first=True, activation='gelu'"])
def test_transformer_computes_as_torch(options):
    text = f"Transformer(8, 2, 2, 2, 16, {options})"
    torch.manual_seed(0)
    theirs, ours = eval(f"nn.{text}", {"nn": torch.nn}).eval(), eval(f"nn.{text}", {"nn": nn}).eval()
    assert list(ours.state_dict()) == list(theirs.state_dict())
    ours.load_state_dict(theirs.state_dict())
    generator = np.random.default_rng(0)
    src, tgt = (generator.standard_normal((3, 3, 8)).astype(np.float32) for _ in range(2))
    mask = nn.Transformer.generate_square_subsequent_mask(3)
    np.testing.assert_array_equal(mask.numpy(), torch.nn.Transformer.generate_square_subsequent_mask(3).numpy())
    want = theirs(torch.from_numpy(src), torch.from_numpy(tgt), tgt_mask=torch.from_numpy(mask.numpy())).detach()
    for run in (ours, tsm.script(ours)):
        got = run(tsm.from_numpy(src), tsm.from_numpy(tgt), tgt_mask=mask)
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("text", PLACED)
def test_layers_take_a_device_and_a_dtype(text: str) -> None:
    made = {}
    for library, layers in ((tsm, nn), (torch, torch.nn)):
        place = {"nn": layers, "where": library.device("cpu"), "kind": library.float64}
        layer = eval("nn." + text.format("device=where, dtype=kind"), place)
        made[library] = [(name, str(each.dtype).split(".")[-1]) for name, each in layer.state_dict().items()]
    assert made[tsm] == made[torch]
    with pytest.raises(RuntimeError, match="there is no device 'cuda'"):
        eval("nn." + text.format("device='cuda'"), {"nn": nn})


def test_computed_weights_have_pytorchs_state() -> None:
    for layer in ("Linear(3, 4)", "Conv1d(2, 4, 3)", "ConvTranspose1d(2, 4, 3)"):
        for wrap in ("weight_norm", "spectral_norm"):
            made = []
            for layers in (nn, torch.nn):
                module = eval(f"nn.utils.{wrap}(nn.{layer})", {"nn": layers})
                made.append({name: tuple(each.shape) for name, each in module.state_dict().items()})
            assert made[0] == made[1]
    with pytest.raises(ValueError, match="weight_norm of 'weight' not found"):
        nn.utils.remove_weight_norm(nn.Linear(2, 2))


def test_declared_attributes_hold_what_they_are_declared_as() -> None:
    class Counted:
        def __init__(self, count: int) -> None:
            self.count: int = count

    class Wrong(nn.Module):
        sizes: list[int]

        def __init__(self, counted: Counted) -> None:
            super().__init__()
            self.sizes = ["a"]  # type: ignore[list-item]
            self.counted = counted

        def forward(self, i: int) -> int:
            return self.sizes[i] + self.counted.count

    with pytest.raises(tsm.CompileError) as caught:
        tsm.script(Wrong(Counted("two")))  # type: ignore[arg-type]
    assert "attribute 'sizes' cannot be used: it is declared as list[int], but holds a str" in str(caught.value)
    assert "its attribute 'count' does not fit: it is declared as int, but is a str" in str(caught.value)


class Groups(nn.Module):
    def __init__(self, factory, value) -> None:
        super().__init__()
        self.groups = collections.defaultdict(factory, a=value)

    def forward(self, key: str) -> str:
        return str(self.groups[key])


@pytest.mark.parametrize(("factory", "value", "missing"), [
    (int, 1, "0"), (bool, True, "False"), (frozenset, frozenset([1]), "frozenset()"), (dict, {1: 2}, "{}"),
    (collections.OrderedDict, collections.OrderedDict({1: 2}), "OrderedDict()"),
    (float, 1, None), (type(None), None, None), (tuple, (1,), None), (tsm.Tensor, tsm.zeros(1), None),
    (collections.defaultdict, collections.defaultdict(int, {1: 2}), None),
])
def test_missing_values_of_a_defaultdict_have_the_class_of_its_factory(factory, value, missing: str | None) -> None:
    module = Groups(factory, value)
    if missing is not None:
        assert tsm.script(module)("b") == missing == module("b")
        return
    with pytest.raises(tsm.CompileError, match="'groups' cannot be used: a defaultdict of .* is not supported"):
        tsm.script(module)


def test_hooks_may_change_what_is_loaded() -> None:
    class Renamed(nn.Module):
        def __init__(self) -> None:
            self.places = 2  # plain attributes may come first
            super().__init__()
            self.inner = nn.Linear(self.places, 1, bias=False)
            self.inner._register_load_state_dict_pre_hook(self.rename)

        def rename(self, state, prefix, *_):
            state[prefix + "weight"] = state.pop(prefix + "kernel")

    made, given = Renamed(), {"inner.kernel": tsm.ones(1, 2)}
    made.load_state_dict(given)
    assert made.inner.weight.tolist() == [[1.0, 1.0]] and list(given) == ["inner.kernel"]
    assert tsm.script(made.inner)(tsm.ones(2)).tolist() == [2.0]
    hook = made.register_load_state_dict_pre_hook(lambda module, state, *rest: state.clear())
    with pytest.raises(KeyError):
        made.load_state_dict(given)
    hook.remove()
    made.load_state_dict(given)


def test_parameters_before_the_constructor_of_the_base_are_refused() -> None:
    class Early(nn.Module):
        def __init__(self) -> None:
            self.weight = nn.Parameter(tsm.ones(1))
            super().__init__()

    with pytest.raises(AttributeError, match="before assigning 'weight'"):
        Early()


def test_gradients_are_promised_to_nobody() -> None:
    class Scale(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale = nn.Parameter(tsm.full((2,), 3.0), requires_grad=True).requires_grad_(False)
            self.shift = tsm.tensor([1.0, 2.0], requires_grad=False)

        def forward(self, x):
            return x * self.scale + self.shift

    assert tsm.script(Scale())(tsm.ones(2)).tolist() == [4.0, 5.0]
    x = tsm.zeros(2)
    for asking in (
        lambda: tsm.zeros(2, requires_grad=True), lambda: tsm.tensor([1.0], requires_grad=True), x.sum().backward,
        lambda: setattr(x, "requires_grad", True), lambda: tsm.autograd.Variable(x, requires_grad=True),
        lambda: x.register_hook(print), x.requires_grad_, lambda: x.new_zeros(2, requires_grad=True),
    ):
        with pytest.raises(RuntimeError, match="gradients"):
            asking()


def test_samples_take_a_device_and_a_dtype() -> None:
    assert tsm.randint_like(tsm.zeros(3), 2, 9, device="cpu", dtype=tsm.int64).dtype is tsm.int64
    assert tsm.normal(1.5, 0.25, (2, 3), dtype=tsm.float64, device="cpu").dtype is tsm.float64
