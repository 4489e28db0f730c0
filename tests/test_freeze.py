"""tsm.freeze: what becomes constant, what must not, results as before, in Python and after saving."""

from __future__ import annotations

import gc
import importlib
import re
import textwrap
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tsm
from tsm import Tensor, ir, nn, serialize
from tsm.ir import passes
from tsm.nn import functional as F


@pytest.fixture(autouse=True)
def verified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TSM_VERIFY", "1")


@pytest.mark.parametrize("name", ["freeze", "ranks", "fold_bn", "merge_linear"])
def test_docstring_pair(name: str) -> None:
    document = importlib.import_module(f"tsm.ir.passes.{name}").__doc__ or ""
    found = re.search(r"^before:\n(.*?)^after:\n(.*)", document, re.MULTILINE | re.DOTALL)
    assert found is not None, f"{name} shows no pair"
    before, after = (textwrap.dedent(part).strip() for part in found.groups())
    program = ir.parse(before)
    ir.verify(program)
    passes.run(program, [name])
    ir.verify(program)
    assert ir.print_program(program).strip() == after


class Block(nn.Module):
    def __init__(self, width: int, wide: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(width, wide, 3, padding=1, bias=width == wide)
        self.norm = nn.BatchNorm2d(wide)
        tsm.nn.init.uniform_(self.norm.running_mean, -1.0, 1.0)
        tsm.nn.init.uniform_(self.norm.running_var, 0.5, 2.0)
        tsm.nn.init.uniform_(self.norm.weight, 0.5, 2.0)
        tsm.nn.init.uniform_(self.norm.bias, -1.0, 1.0)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.norm(self.conv(x)))


class Net(nn.Module):
    """Submodules of one class, a counter, a buffer, a list, a branch on a setting."""

    def __init__(self, has_head: bool = True) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block(3, 4), Block(4, 4), Block(4, 5)])
        self.scale = 0.5
        self.sizes = [1, 2]
        self.calls = 0
        self.has_head = has_head
        self.head = nn.Linear(5, 2)
        self.register_buffer("seen", tsm.zeros(1))

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        self.seen += 1
        for block in self.blocks:
            x = block(x)
        x = x.mean(3).mean(2) * self.scale * self.sizes[1]
        if self.has_head:
            x = self.head(x)
        return x

    @tsm.export
    def rescale(self, by: float) -> float:
        return self.scale * by


def operators(program: tsm.LoadedModule) -> set[str]:
    return set(program.program.operators)


def check_same(module: nn.Module, *args: Tensor) -> tsm.FrozenModule:
    """The frozen program, having given what the module gives in Python, also after saving and loading."""
    expected = module(*args).numpy()
    frozen = tsm.freeze(module)
    loaded = tsm.load(frozen.to_bytes())
    for program in (frozen, loaded):
        np.testing.assert_allclose(program(*args).numpy(), expected, rtol=2e-5, atol=2e-6)
    assert tsm.load(loaded.to_bytes()).to_bytes() == loaded.to_bytes()
    return frozen


def test_a_network() -> None:
    frozen = check_same(Net().eval(), tsm.rand(2, 3, 6, 5))
    assert "batch_norm" not in operators(frozen)
    assert list(frozen.methods) == ["forward"]
    assert sorted(frozen.state_dict()) == ["seen"]
    calls = frozen.calls
    frozen(tsm.rand(2, 3, 6, 5))
    assert frozen.calls == calls + 1
    with pytest.raises(AttributeError):
        _ = frozen.scale
    with pytest.raises(AttributeError):
        frozen.scale = 2.0
    assert "import" in frozen.code
    assert repr(frozen) == "RecursiveScriptModule(original_name=Net)"
    assert len(frozen._optimised.functions) == 1


def test_branches_on_settings_go_away() -> None:
    assert "linear" not in operators(check_same(Net(has_head=False).eval(), tsm.rand(1, 3, 4, 4)))


def test_it_is_a_copy() -> None:
    module = Net().eval()
    x = tsm.rand(1, 3, 4, 4)
    frozen = tsm.freeze(module)
    before = frozen(x).tolist()
    module.head.weight.zero_()
    assert frozen(x).tolist() == before


def test_preserved() -> None:
    module = Net().eval()
    frozen = tsm.freeze(tsm.script(module), ["rescale", "scale", "head.bias"])
    assert sorted(frozen.methods) == ["forward", "rescale"]
    x = tsm.rand(1, 3, 4, 4)
    assert frozen.rescale(3.0) == 1.5
    frozen.scale = 0.25
    assert frozen.rescale(3.0) == 0.75
    frozen.get("head.bias").fill_(7.0)
    module.head.bias.fill_(7.0)
    module.scale = 0.25
    np.testing.assert_allclose(frozen(x).numpy(), tsm.script(module)(x).numpy(), rtol=2e-5)
    assert sorted(frozen.state_dict()) == ["head.bias", "seen"]


def test_loaded_files_freeze() -> None:
    module = Net().eval()
    loaded = tsm.load(tsm.script(module).to_bytes())
    x = tsm.rand(1, 3, 4, 4)
    np.testing.assert_allclose(tsm.freeze(loaded)(x).numpy(), loaded(x).numpy(), rtol=2e-5)


def test_errors() -> None:
    with pytest.raises(RuntimeError, match="eval"):
        tsm.freeze(Net())
    with pytest.raises(TypeError, match="takes a module, not a value of type int"):
        tsm.freeze(3)
    with pytest.raises(TypeError, match="not a program of functions"):
        tsm.freeze(tsm.script(lambda_free))
    with pytest.raises(AttributeError, match="'nothing'"):
        tsm.freeze(Net().eval(), ["nothing"])


def lambda_free(x: int) -> int:
    return x


class Tricky(nn.Module):
    """Tensors that must stay attributes: written through a view, through a list, by a helper, given out, tied."""

    def __init__(self) -> None:
        super().__init__()
        self.fixed = nn.Parameter(tsm.ones(2, 2))
        for name in ("viewed", "listed", "helped", "given", "stored", "chosen", "looped"):
            self.register_buffer(name, tsm.zeros(2, 2))
        self.tied = self.helped
        self.slot = tsm.zeros(2, 2)

    def help(self, x: Tensor) -> None:
        x.add_(1.0)

    def forward(self, x: Tensor, flag: bool) -> tuple[Tensor, Tensor]:
        self.viewed[0].add_(x[0])
        listed = [self.listed]
        listed[0].add_(1.0)
        self.help(self.helped)
        self.slot = self.stored
        self.slot.add_(1.0)
        chosen = self.chosen if flag else x
        chosen = chosen.transpose(0, 1)
        chosen += 1.0
        item = self.looped
        for _ in range(2):
            item.mul_(2.0).add_(1.0)
            item = item.reshape(4).reshape(2, 2)
        total = self.fixed + self.viewed + self.listed + self.tied + self.stored + self.looped
        return total, self.given


def test_what_is_written_or_given_out_stays() -> None:
    module = Tricky().eval()
    loaded = tsm.load(tsm.script(module).to_bytes())
    frozen = tsm.freeze(loaded)
    assert "fixed" not in frozen.state_dict()
    assert "given" in frozen.state_dict()
    for flag in (True, False, True):
        for mine, right in zip(frozen(tsm.ones(2, 2), flag), loaded(tsm.ones(2, 2), flag)):
            assert mine.tolist() == right.tolist()
            right.add_(1.0)  # the second is the module's own buffer
            mine.add_(1.0)


class Weird(nn.Module):
    """Norms that must not be folded, beside one that may."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(2, 2, 1)
        self.norm = nn.BatchNorm2d(2)
        self.plain = nn.BatchNorm2d(2, track_running_stats=False)
        self.linear = nn.Linear(3, 3)
        self.row = nn.BatchNorm2d(2)

    def forward(self, x: Tensor) -> Tensor:
        y = self.conv(x)
        shared = self.norm(y) + y
        batch = self.plain(self.conv(shared))
        rows = self.row(self.linear(batch))
        return rows


def test_norms_that_stay() -> None:
    frozen = check_same(Weird().eval(), tsm.rand(2, 2, 4, 3))
    assert "batch_norm" in operators(frozen)


class LinearNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(6, 3)
        self.norm = nn.BatchNorm2d(3)

    def forward(self, x: Tensor) -> Tensor:
        y = self.linear(tsm.flatten(x, 1))
        return F.batch_norm(y, self.norm.running_mean, self.norm.running_var, self.norm.weight, self.norm.bias)


def test_linear_and_norm() -> None:
    module = LinearNorm().eval()
    tsm.nn.init.uniform_(module.norm.running_mean, -1.0, 1.0)
    assert "batch_norm" not in operators(check_same(module, tsm.rand(4, 2, 3)))


@pytest.mark.parametrize("limit", range(0, 24, 3))
def test_every_prefix_of_the_rewrites_is_right(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("freeze", "fold_bn", "drop_attributes", "ranks", "merge_linear"):
        monkeypatch.setenv("TSM_OPT_LIMIT", f"{name}={limit}")
        check_same(Net().eval(), tsm.rand(1, 3, 4, 4))


class Projections(nn.Module):
    """Queries, keys and values of one input; another layer after the input was written; one whose strides are seen."""

    def __init__(self) -> None:
        super().__init__()
        self.q = nn.Linear(8, 8)
        self.k = nn.Linear(8, 8)
        self.v = nn.Linear(8, 4)
        self.late = nn.Linear(8, 8)
        self.seen = nn.Linear(8, 8)

    def split(self, x: Tensor) -> Tensor:
        return x.reshape(x.size(0), x.size(1), 2, x.size(2) // 2).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        x = x * 2.0
        y = F.scaled_dot_product_attention(self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x)))
        flat = self.seen(x).view(-1)
        x += 1.0
        return y.sum() + self.late(x).sum() + flat.sum()


def test_projections_merge() -> None:
    frozen = check_same(Projections().eval(), tsm.rand(2, 5, 8))
    linear = [node for node in frozen._optimised.methods["forward"].function.walk() if node.op == "linear"]
    assert len(linear) == 3


def test_frozen_weights_lie_as_kernels_want_them() -> None:
    frozen = tsm.freeze(nn.Sequential(nn.Linear(300, 200), nn.Linear(200, 3)).eval())
    assert frozen._bound and all(tensor.numpy().ctypes.data % 64 == 0 for tensor in frozen._bound)


class Filters(nn.Module):
    """Layers of one input, each for another layer of the network; two for the first."""

    def __init__(self) -> None:
        super().__init__()
        self.filters = nn.ModuleList([nn.Linear(3, 8) for _ in range(3)])
        self.gate = nn.Linear(3, 8)
        self.mix = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])

    def forward(self, x: Tensor, place: Tensor) -> Tensor:
        state = tsm.sigmoid(self.gate(x))
        for filters, mix in zip(self.filters, self.mix):
            summed = tsm.zeros(4, 8)
            summed.index_add_(0, place, filters(x) * state)
            state = mix(summed)[place]
        return state


def test_layers_that_wait_for_products_stay_apart() -> None:
    frozen = check_same(Filters().eval(), tsm.rand(6, 3), tsm.tensor([0, 1, 2, 3, 0, 1]))
    linear = [node for node in frozen._optimised.methods["forward"].function.walk() if node.op == "linear"]
    assert len(linear) == 3 + 3  # the gate's is the first filter's, too


@settings(max_examples=15, deadline=None)
@given(groups=st.sampled_from([1, 2]), stride=st.integers(1, 2), bias=st.booleans(), affine=st.booleans(),
       eps=st.sampled_from([1e-5, 1e-3]), is_double=st.booleans())
def test_folded_convolutions(groups: int, stride: int, bias: bool, affine: bool, eps: float, is_double: bool) -> None:
    convolution = nn.Conv2d(4, 6, 3, stride=stride, padding=1, groups=groups, bias=bias)
    module = nn.Sequential(convolution, nn.BatchNorm2d(6, eps=eps, affine=affine)).eval()
    tsm.nn.init.uniform_(module[1].running_mean, -1.0, 1.0)
    tsm.nn.init.uniform_(module[1].running_var, 0.1, 2.0)
    x = tsm.rand(2, 4, 7, 5)
    if is_double:
        module, x = module.double(), x.double()
    assert "batch_norm" not in operators(check_same(module, x))


def test_weights_are_held_once() -> None:
    module = nn.Linear(128, 128).eval()
    frozen, alive = tsm.freeze(module), weakref.ref(module)
    x = tsm.rand(1, 128)
    expected = module(x).numpy()
    del module
    gc.collect()
    assert alive() is None
    shared = sum(tensor.untyped_storage().nbytes() for tensor in frozen._bound)
    assert shared >= 128 * 128 * 4
    assert len(serialize.dumps(frozen._optimised, bound=[])) < 128 * 128
    np.testing.assert_allclose(frozen(x).numpy(), expected, rtol=2e-5, atol=2e-6)


def test_a_copy_of_what_a_frozen_program_writes() -> None:
    frozen = tsm.freeze(Net().eval())
    x, before = tsm.rand(1, 3, 4, 4), frozen.to_bytes()
    clone = frozen.clone()
    frozen(x)
    frozen(x)
    assert frozen.seen.item() == 2
    assert clone.seen.item() == 0
    assert tsm.load(before).seen.item() == 0


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.factor = 2.0

    def forward(self, x: Tensor) -> Tensor:
        return self.scaled(x) + 1

    def scaled(self, x: Tensor) -> Tensor:
        return x * self.factor


class Outer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()

    def forward(self, x: Tensor) -> Tensor:
        return self.twice(self.inner(x))

    def twice(self, x: Tensor) -> Tensor:
        return x * 2


def test_methods_that_nothing_exports_are_kept_by_name() -> None:
    frozen = tsm.jit.freeze(tsm.script(Outer().eval()), ["inner.scaled", "twice"])
    x = tsm.ones(1)
    assert sorted(frozen.methods) == ["forward", "inner.scaled", "twice"]
    assert [frozen(x).item(), frozen.inner.scaled(x).item(), frozen.twice(x).item()] == [6.0, 2.0, 2.0]


class Logged(nn.Module):
    """A list that one method changes, and that others only read."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[int] = []
        self.steps = [1, 2]

    def forward(self, n: int) -> int:
        total = sum(self.seen)
        self.seen.append(n)
        return total + self.steps[0]

    @tsm.export
    def total(self) -> int:
        return sum(self.seen)


def test_a_list_that_another_read_changes_stays() -> None:
    frozen = tsm.freeze(Logged().eval(), ["total"])
    assert [frozen(2), frozen(3), frozen(4), frozen.total()] == [1, 3, 6, 9]
