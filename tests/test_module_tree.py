"""Modules inside a program as Python sees them: children, containers, tensors; copies; methods added later."""

from __future__ import annotations

import collections
import copy
import typing
from typing import Any

import pytest

import tsm
from tsm import Tensor, nn


class Part(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.keys = nn.Linear(2, 2, bias=False)
        self.items = [1]
        nn.init.constant_(self.keys.weight, 0.5)

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        self.items.append(len(self.items))
        return self.keys(x)


class Whole(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = Part()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.ReLU()])
        self.acts = nn.ModuleDict({"tanh": nn.Tanh(), "again": self.part})
        self.calls = 0
        self.register_buffer("seen", tsm.zeros(2))

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        self.calls += 1
        for layer in self.layers:
            x = layer(x)
        return self.acts["tanh"](self.part(x)) + self.seen


@pytest.fixture(params=["scripted", "loaded"])
def program(request):
    scripted = tsm.script(Whole())
    return scripted if request.param == "scripted" else tsm.load(scripted.to_bytes())


def test_children_and_modules(program):
    assert sorted(name for name, _ in program.named_children()) == ["acts", "layers", "part"]
    assert {name for name, _ in program.named_modules()} == {
        "", "part", "part.keys", "layers", "layers.0", "layers.1", "acts", "acts.tanh"}
    assert len(list(program.modules())) == 8 and len(list(program.children())) == 3
    assert program.get_submodule("layers.0").out_features == 2 and program.get_submodule("") is program
    assert [name for name, _ in program.part.named_children()] == ["keys"]


def test_containers(program):
    assert len(program.layers) == 2 and program.layers[-1].original_name == "ReLU"
    assert [layer.original_name for layer in program.layers] == ["Linear", "ReLU"]
    assert [layer.original_name for layer in program.layers[:1]] == ["Linear"]
    assert sorted(program.acts) == ["again", "tanh"] and "tanh" in program.acts and "relu" not in program.acts
    assert program.acts["tanh"].original_name == "Tanh"
    with pytest.raises(KeyError, match="relu"):
        program.acts["relu"]
    with pytest.raises(IndexError):
        program.layers[2]


def test_an_attribute_has_its_name_where_a_container_has_a_method(program):
    assert program.part.items == [1] and program.part.keys.weight.tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_tensors_below_a_module(program):
    layers = program.layers
    assert [name for name, _ in layers.named_parameters()] == ["0.weight", "0.bias"]
    assert [name for name, _ in layers[0].named_parameters(prefix="p")] == ["p.weight", "p.bias"]
    assert list(program.part.state_dict()) == ["keys.weight"] and list(program.part.buffers()) == []
    assert [name for name, _ in program.named_parameters(recurse=False)] == []
    assert [name for name, _ in program.named_buffers()] == ["seen"]
    layers[0].weight.fill_(2.0)
    assert dict(program.named_parameters())["layers.0.weight"].tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_modes_of_a_part(program):
    assert program.layers.eval() is not None and not program.layers[0].training and program.training
    program.layers.train()
    assert program.layers[0].training


def test_a_part_is_called_where_its_source_is_known():
    scripted = tsm.script(Whole())
    assert scripted.part(tsm.ones(2)).tolist() == [1.0, 1.0] and scripted.acts["again"].items == [1, 1]
    loaded = tsm.load(tsm.script(Whole()).to_bytes())
    with pytest.raises(AttributeError, match="no attribute or method 'forward' for its submodule 'part'"):
        loaded.part(tsm.ones(2))


def test_copies(program):
    program(tsm.ones(2))
    for made in (copy.deepcopy(program), program.clone()):
        assert type(made) is type(program) and made.calls == 1
        made.seen += 1
        made(tsm.ones(2))
        assert made.calls == 2 and program.calls == 1 and program.seen.tolist() == [0.0, 0.0]
    shallow = copy.copy(program)
    shallow.seen += 1
    shallow(tsm.ones(2))
    assert type(shallow) is type(program)
    assert shallow.calls == 2 and program.calls == 1 and program.seen.tolist() == [1.0, 1.0]


def test_a_method_defined_later_keeps_what_the_attributes_hold():
    scripted = tsm.script(Whole())
    scripted(tsm.ones(2))
    scripted.define("def twice(self, x, k: int = 2):\n    return self.forward(x) * k, self.calls")
    value, calls = scripted.twice(tsm.ones(2))
    assert calls == 2 and scripted.calls == 2 and scripted.part.items == [1, 1, 2]
    assert value.tolist() == (scripted(tsm.ones(2)) * 2).tolist()
    with pytest.raises(tsm.CompileError, match="nothing"):
        scripted.define("def bad(self, x):\n    return x.nothing()")
    assert scripted.twice(tsm.ones(2), k=0)[1] == 4


def test_what_methods_tell_of_themselves():
    scripted = tsm.script(Whole())
    assert scripted.forward.name == "forward" and scripted.forward.schema == "forward(x: Tensor) -> Tensor"

    def scaled(x: tsm.Tensor, n: int = 2) -> tsm.Tensor:
        return x * n

    made = tsm.script(scaled)
    assert made.name == "scaled" and made.qualified_name.endswith("scaled") and made.code_with_constants[1] == {}
    assert [(each.name, each.default_value) for each in made.schema.arguments] == [("x", None), ("n", 2)]
    assert made.schema.name == "scaled" and str(made.schema.returns[0].type) == "Tensor"


def test_modes_of_a_trace():
    traced = tsm.trace(nn.Linear(2, 2).eval(), tsm.ones(1, 2))
    assert traced.training is False and traced.train().training is True and traced.eval().training is False


def test_a_trace_is_compared_with_what_was_traced():
    @tsm.jit.script_if_tracing
    def repeated(x: tsm.Tensor, n: tsm.Tensor) -> tsm.Tensor:
        for i in range(int(n)):
            x = x * 2 + i
        return x

    def told(x, n):
        return repeated(x + 1 if tsm.jit.is_tracing() else x, n)

    traced = tsm.trace(told, (tsm.ones(2), tsm.tensor(2)))
    assert told(tsm.ones(1), tsm.tensor(1)).tolist() == [2.0]
    assert traced(tsm.ones(1), tsm.tensor(1)).tolist() == [4.0] and traced(tsm.ones(1), tsm.tensor(0)).tolist() == [2.0]


Settings = collections.namedtuple("Settings", "factor note extra")


class Declared(typing.NamedTuple):
    factor: int
    note: str = ""


class WithSettings(nn.Module):
    def __init__(self, settings: Any) -> None:
        super().__init__()
        self.settings = settings
        self.table = {"a": (settings, 1)}

    def forward(self, x: Tensor) -> Tensor:
        return x * self.settings.factor + self.table["a"][0].factor


class Unused(WithSettings):
    def forward(self, x: Tensor) -> Tensor:
        return x


def test_fields_of_named_tuples_have_the_types_of_their_values() -> None:
    given = (Settings(2, "two", 2.5), Settings(2.0, None, tsm.ones(1)), Settings(tsm.tensor(2.0), (1, "x"), [1]),
             Declared(2))
    for settings in given:
        scripted = tsm.script(WithSettings(settings))
        for module in (scripted, tsm.load(scripted.to_bytes())):
            assert module(tsm.ones(1)).tolist() == [4.0]
            assert str(module.settings) == str(settings)
    both = nn.Sequential(*map(WithSettings, given[:2]))
    assert tsm.load(tsm.script(both).to_bytes())(tsm.ones(1)).tolist() == [10.0]


def test_named_tuples_that_do_not_fit_their_class() -> None:
    for wrong in (Declared(2.5), Declared("two"), Settings(object(), [], {})):  # type: ignore[arg-type]
        assert tsm.script(Unused(wrong))(tsm.ones(1)).tolist() == [1.0]
        with pytest.raises(tsm.CompileError, match="attribute 'settings' cannot be used"):
            tsm.script(WithSettings(wrong))


def test_places_of_a_list_may_be_empty() -> None:
    class Chosen(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.steps = nn.ModuleList([nn.Linear(2, 2), None])
            self.steps.append(None)

        def forward(self, x: tsm.Tensor) -> tsm.Tensor:
            for step in self.steps:
                if step is not None:
                    x = step(x)
            return x

    made = Chosen()
    assert len(made.steps) == 3 and made.steps[1] is None
    assert list(made.state_dict()) == ["steps.0.weight", "steps.0.bias"]
    assert made(tsm.ones(1, 2)).shape == (1, 2)
    scripted = tsm.script(made)
    assert scripted(tsm.ones(1, 2)).tolist() == made(tsm.ones(1, 2)).tolist()


def test_assigned_state_takes_the_place_of_the_own() -> None:
    made = nn.Sequential(nn.Linear(2, 1), nn.BatchNorm1d(1))
    state = {name: each.clone() for name, each in made.double().state_dict().items()}
    made.float()
    state["0.weight"] = nn.Parameter(tsm.ones(1, 2, dtype=tsm.float64), requires_grad=False)
    state["1.running_mean"] = tsm.full((1,), 3.0)
    made.load_state_dict(state, assign=True)
    assert made[0].weight is state["0.weight"] and made[1].running_mean is state["1.running_mean"]
    assert isinstance(made[0].bias, nn.Parameter) and made[0].bias.dtype == tsm.float64
    with pytest.raises(RuntimeError, match="size mismatch"):
        made.load_state_dict({**state, "0.bias": tsm.ones(3)}, assign=True)


@pytest.mark.parametrize("replace", ["assign", "attribute"])
def test_recurrent_layers_follow_weights_that_are_replaced(replace: str) -> None:
    first, second = nn.LSTM(2, 3, 2, bidirectional=True), nn.LSTM(2, 3, 2, bidirectional=True)
    x = tsm.ones(4, 1, 2)
    if replace == "assign":
        first.load_state_dict(second.state_dict(), assign=True)
    else:
        for name, weight in second.named_parameters():
            setattr(first, name, weight)
    assert first(x)[0].tolist() == second(x)[0].tolist() == tsm.script(first)(x)[0].tolist()
