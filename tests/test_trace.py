"""Traces: what they follow, what they fix with a warning, and how they mix with scripts."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

import tsm
from tsm import Tensor, nn
from tsm.nn import functional as F


def same(a: Tensor, b: Tensor) -> bool:
    return bool(np.allclose(a.numpy(), b.numpy(), atol=1e-6))


def test_records_operators() -> None:
    def f(x: Tensor, y: Tensor) -> Tensor:
        return tsm.relu(x @ y) + x.sum(dim=1, keepdim=True)

    x, y = tsm.randn(2, 3), tsm.randn(3, 2)
    traced = tsm.trace(f, (x, y))
    assert "matmul" in str(traced.graph)
    a, b = tsm.randn(4, 3), tsm.randn(3, 4)
    assert same(traced(a, b), f(a, b))


def test_shapes_stay_symbolic() -> None:
    def f(x: Tensor) -> Tensor:
        n, m = x.shape
        half = x.size(0) // 2
        return x.reshape(m, n)[:, :1] * half + tsm.ones(m, 1) * (n * 0.5)

    traced = tsm.trace(f, (tsm.ones(4, 3),))
    other = tsm.randn(6, 5)
    assert same(traced(other), f(other))


def test_branch_on_elements_warns_with_the_line() -> None:
    def f(x: Tensor) -> Tensor:
        if x.sum() > 0:
            return x
        return -x

    with pytest.warns(tsm.TracerWarning, match="bool of a tensor") as caught:
        traced = tsm.trace(f, (tsm.ones(2),))
    assert caught[0].filename == __file__
    assert caught[0].lineno == f.__code__.co_firstlineno + 1
    assert same(traced(tsm.tensor([-1.0, -1.0])), tsm.tensor([-1.0, -1.0]))


def test_branch_on_a_size_warns() -> None:
    def f(x: Tensor) -> Tensor:
        return x * 2 if x.shape[0] > 1 else x

    with pytest.warns(tsm.TracerWarning, match="comparison '>' of a size"):
        tsm.trace(f, (tsm.ones(2),))


def test_item_is_followed() -> None:
    def f(x: Tensor) -> Tensor:
        return x * x.sum().item()

    traced = tsm.trace(f, (tsm.ones(2),))
    assert same(traced(tsm.tensor([1.0, 2.0])), tsm.tensor([3.0, 6.0]))


def test_in_place_and_views() -> None:
    def f(x: Tensor) -> Tensor:
        y = x.clone()
        y[0] += 1
        row = y[1]
        row.mul_(2)
        return y

    x = tsm.randn(3, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error", tsm.TracerWarning)
        traced = tsm.trace(f, (x,))
    other = tsm.randn(5, 2)
    assert same(traced(other), f(other))


def test_structures_in_and_out() -> None:
    def f(pair: tuple[Tensor, list[Tensor]], named: dict[str, Tensor], n: int) -> dict[str, Tensor]:
        return {"sum": pair[0] + pair[1][0] * n, "scaled": named["a"] * pair[1][1]}

    args = ((tsm.ones(2), [tsm.ones(2), tsm.full([2], 3.0)]), {"a": tsm.ones(2)}, 2)
    traced = tsm.trace(f, args)
    other = ((tsm.randn(2), [tsm.randn(2), tsm.randn(2)]), {"a": tsm.randn(2)}, 5)
    expected, got = f(*other), traced(*other)
    assert list(got) == list(expected)
    assert all(same(got[key], expected[key]) for key in expected)


def test_constants_are_kept() -> None:
    table = tsm.tensor([1.0, 2.0])
    traced = tsm.trace(lambda x: x + table, (tsm.ones(2),))
    assert same(tsm.load(traced.to_bytes())(tsm.ones(2)), tsm.tensor([2.0, 3.0]))


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.head = nn.Linear(8, 3)

    def forward(self, x: Tensor) -> Tensor:
        y = F.max_pool2d(F.relu(self.conv(x)), 2)
        return self.head(y.flatten(1))


def test_results_in_dicts_also_if_strict() -> None:
    traced = tsm.trace(lambda x: {"a": x, "b": x * 2}, tsm.ones(1), strict=False)
    assert [value.tolist() for value in (traced(tsm.ones(2))["a"], traced(tsm.ones(2))["b"])] == [[1, 1], [2, 2]]


def test_modules_keep_their_parameters() -> None:
    net = Net()
    traced = tsm.trace(net, (tsm.randn(1, 1, 4, 4),))
    batch = tsm.randn(5, 1, 4, 4)
    assert same(traced(batch), net(batch))
    net.head.bias[0] = 100.0
    assert same(traced(batch), net(batch)), "parameters are shared, not copied"
    loaded = tsm.load(traced.to_bytes())
    assert same(loaded(batch), net(batch))
    assert sorted(loaded.state_dict()) == sorted(net.state_dict())


@tsm.script
def clip_steps(x: Tensor, limit: float) -> Tensor:
    steps = 0
    while x.abs().max() > limit:
        x = x / 2
        steps += 1
    return x + steps


def test_scripted_callee_keeps_its_control_flow() -> None:
    def f(x: Tensor) -> Tensor:
        return clip_steps(x * 2, 1.0) - 1

    traced = tsm.trace(f, (tsm.tensor([0.25]),))
    assert "loop" in str(traced.graph) and "call" in str(traced.graph)
    assert same(traced(tsm.tensor([100.0])), f(tsm.tensor([100.0])))


def test_scripted_submodule_keeps_its_state() -> None:
    class Counter(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.count = 0

        def forward(self, x: Tensor) -> Tensor:
            self.count += 1
            return x * self.count

    class Outer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = tsm.script(Counter())

        def forward(self, x: Tensor) -> Tensor:
            return self.inner(x) + 1

    traced = tsm.trace(Outer(), (tsm.ones(1),), check_trace=False)
    loaded = tsm.load(traced.to_bytes())
    first = loaded(tsm.ones(1)).item()
    assert loaded(tsm.ones(1)).item() == first + 1


def test_traced_function_called_from_script() -> None:
    traced = tsm.trace(lambda x: x * 3 + 1, (tsm.ones(1),))

    @tsm.script
    def twice(x: Tensor) -> Tensor:
        for _ in range(2):
            x = traced(x)
        return x

    assert twice(tsm.ones(1)).item() == 13


def test_check_finds_what_a_trace_cannot_repeat() -> None:
    state = [1.0]

    def f(x: Tensor) -> Tensor:
        state[0] += 1
        return x * state[0]

    with pytest.raises(tsm.TracingCheckError, match="differs"):
        tsm.trace(f, (tsm.ones(2),))


def test_check_inputs() -> None:
    def f(x: Tensor) -> Tensor:
        return x if x.sum() > 0 else -x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(tsm.TracingCheckError):
            tsm.trace(f, (tsm.ones(2),), check_inputs=[(-tsm.ones(2),)])


def test_random_operators_are_not_checked() -> None:
    with pytest.warns(tsm.TracerWarning, match="random"):
        traced = tsm.trace(lambda x: F.dropout(x, 0.5, True), (tsm.ones(100),))
    assert set(traced(tsm.ones(100)).tolist()) == {0.0, 2.0}


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ((object(),), "argument 'x' is of type object"),
        (([],), "a list that is empty"),
        (([1, 2.5],), "mixes int and float"),
    ],
)
def test_inputs_that_cannot_be_traced(example: tuple[object, ...], message: str) -> None:
    def f(x: object) -> object:
        return x

    with pytest.raises(TypeError, match=message):
        tsm.trace(f, example)


def test_wrong_number_of_examples() -> None:
    with pytest.raises(TypeError, match="example_inputs do not fit"):
        tsm.trace(lambda x: x, (tsm.ones(1), tsm.ones(1)))


def test_tracing_leaves_the_module_as_it_was() -> None:
    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = nn.BatchNorm2d(2)
            self.calls = 0

        def forward(self, x: Tensor) -> Tensor:
            self.calls += 1
            return self.norm(x)

    module = Counting()
    before = module.norm.running_mean.clone()
    traced = tsm.trace(module, (tsm.randn(2, 2, 3, 3),))
    assert same(module.norm.running_mean, before)
    assert module.calls == 0
    traced(tsm.randn(2, 2, 3, 3))
    assert not same(module.norm.running_mean, before)


def test_len_of_a_tensor_warns() -> None:
    with pytest.warns(tsm.TracerWarning, match="len"):
        tsm.trace(lambda x: x * len(x), (tsm.ones(3),))


class Pair(NamedTuple):
    left: tsm.Tensor
    right: tsm.Tensor


def test_named_tuples_go_in_and_come_out() -> None:
    def swap(pair: Pair) -> Pair:
        return Pair(pair.right + 1, pair.left)

    traced = tsm.trace(swap, (Pair(tsm.ones(2), tsm.zeros(2)),))
    found = traced(Pair(tsm.ones(2) * 3, tsm.ones(2)))
    assert type(found) is Pair and found.left.tolist() == [2.0, 2.0] and found.right.tolist() == [3.0, 3.0]
    assert traced.schema == "swap(pair: Pair) -> Pair"


def test_dicts_inside_dicts_and_numbered_ones() -> None:
    def total(tree: dict[str, dict[int, tsm.Tensor]]) -> tsm.Tensor:
        return tree["a"][1] + tree["b"][2]

    traced = tsm.trace(total, ({"a": {1: tsm.ones(1)}, "b": {2: tsm.ones(1)}},))
    assert traced({"a": {1: tsm.ones(1) * 4}, "b": {2: tsm.ones(1), 3: tsm.ones(1)}}).tolist() == [5.0]


@pytest.mark.parametrize("whole", [math.floor, math.ceil, math.trunc, round])
def test_whole_numbers_of_sizes_are_followed(whole: Callable[[float], int]) -> None:
    traced = tsm.trace(lambda x: x[: whole(x.shape[0] * 0.7)], tsm.ones(4))
    assert traced(tsm.ones(9)).shape == (whole(9 * 0.7),)


def test_int_of_a_size_warns() -> None:
    with pytest.warns(tsm.TracerWarning, match=r"int\(\) of a size .* fixed in the trace: use math.floor"):
        tsm.trace(lambda x: x[: int(x.shape[0] * 0.5)], tsm.ones(4))


def test_resizing_follows_the_size() -> None:
    traced = tsm.trace(lambda x: F.interpolate(x, scale_factor=1.5, mode="bilinear"), tsm.ones(1, 1, 4, 4))
    assert traced(tsm.ones(1, 1, 6, 2)).shape == (1, 1, 9, 3)


def test_arguments_by_name_and_what_changes_nothing() -> None:
    def weighted(x: tsm.Tensor, y: tsm.Tensor, scale: float = 2.0) -> tsm.Tensor:
        return x + y * scale

    x = tsm.ones(2)
    traced = tsm.trace(weighted, example_kwarg_inputs={"y": x, "x": x}, _force_outplace=True, strict=False)
    assert traced(x=x, y=x * 2).tolist() == [5.0, 5.0]
    net = Net()
    both = tsm.trace_module(net, {"forward": {"x": tsm.ones(1, 1, 4, 4)}}, example_inputs_is_kwarg=True)
    image = tsm.ones(2, 1, 4, 4)
    assert both(image).tolist() == net(image).tolist()


def test_a_compiled_member_is_called_with_the_state_it_has() -> None:
    class Around(tsm.nn.Module):
        def __init__(self, inner: object) -> None:
            super().__init__()
            self.inner = inner

        def forward(self, x: tsm.Tensor) -> tsm.Tensor:
            return self.inner(x) * 2

    class Counter(tsm.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.calls = 0
            self.weight = tsm.nn.Parameter(tsm.ones(1))

        def forward(self, x: tsm.Tensor) -> tsm.Tensor:
            self.calls += 1
            return x * self.weight + self.calls

    counter = tsm.script(Counter())
    loaded = tsm.load(counter.to_bytes())
    for inner in (counter, loaded):
        inner(tsm.ones(1))
        around = Around(inner)
        traced = tsm.trace(around, tsm.ones(1))
        assert inner.calls == 1 and list(traced.state_dict()) == ["inner.weight"]
        assert [traced(tsm.ones(1)).item(), traced(tsm.ones(1)).item()] == [6.0, 8.0] and traced.inner.calls == 3
        assert tsm.script(around)(tsm.ones(1)).item() == 6.0 and inner.calls == 1
        around.inner.weight[...] = 5.0
        assert traced(tsm.zeros(1)).item() == 8.0 and traced(tsm.ones(1)).item() == 20.0


@tsm.script
def summed(x: tsm.Tensor, n: int) -> tsm.Tensor:
    for i in range(n):
        x = x + i
    return x


def test_sizes_reach_scripted_functions_as_sizes() -> None:
    traced = tsm.trace(lambda x: summed(x, x.size(0)), tsm.ones(3, 1))
    assert traced(tsm.zeros(5, 1))[0].item() == 10.0 and traced(tsm.zeros(1, 1))[0].item() == 0.0


@pytest.mark.parametrize("layer", [
    nn.LSTM(3, 2, num_layers=2, bidirectional=True), nn.GRU(3, 2, batch_first=True), nn.RNN(3, 2, nonlinearity="relu"),
])
def test_traced_sequence_layers_take_sequences_of_any_length(layer):
    traced = tsm.trace(layer, tsm.ones(4, 2, 3))
    x = tsm.arange(42.0).reshape(2, 7, 3) if layer.batch_first else tsm.arange(36.0).reshape(6, 2, 3)
    x = x.sin()
    for got in (traced(x), tsm.load(traced.to_bytes())(x)):
        assert got[0].shape == layer(x)[0].shape and tsm.allclose(got[0], layer(x)[0])


def test_modules_and_tensors_of_pytorch_are_refused_before_they_run() -> None:
    torch = pytest.importorskip("torch")
    linear = torch.nn.Linear(2, 2)
    calls: list[Callable[[], object]] = [
        lambda: tsm.trace(linear, tsm.ones(2)), lambda: tsm.trace(linear.forward, torch.ones(2)),
        lambda: tsm.trace_module(linear, {"forward": tsm.ones(2)}),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="Linear is a module of PyTorch.*load_state_dict"):
            call()
    with pytest.raises(TypeError, match="hold a tensor of PyTorch: pass tsm.from_dlpack"):
        tsm.trace(lambda x: x + 1, (torch.ones(2),))
