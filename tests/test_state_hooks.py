"""`_save_to_state_dict` and `_load_from_state_dict` of one's own, in eager modules and exported ones of scripts."""

from typing import Any, Dict, List

import pytest

import tsm
from tsm import Tensor, nn


class Counted(nn.Module):
    """Saves a count, which is no tensor of its own, beside its weight."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(tsm.ones(2))
        self.inner = nn.Linear(2, 2)
        self.count = 3
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x * self.weight) + self.count

    @tsm.export
    def _save_to_state_dict(self, destination: Dict[str, Tensor], prefix: str, keep_vars: bool) -> None:
        self.calls += 1
        destination[prefix + "weight"] = self.weight * 1
        destination[prefix + "count"] = tsm.tensor(self.count)

    @tsm.export
    def _load_from_state_dict(
        self, state_dict: Dict[str, Tensor], prefix: str, local_metadata: Dict[str, int], strict: bool,
        missing_keys: List[str], unexpected_keys: List[str], error_msgs: List[str],
    ) -> None:
        if prefix + "count" in state_dict:
            self.count = int(state_dict[prefix + "count"])
        else:
            missing_keys.append(prefix + "count")
        if self.count < 0:
            error_msgs.append("count is negative")
        self.weight.copy_(state_dict[prefix + "weight"])


class Outer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = Counted()
        self.scale = nn.Parameter(tsm.ones(1))

    def forward(self, x: Tensor) -> Tensor:
        return self.part(x) * self.scale


class Versioned(nn.Linear):
    """Extends what Module does."""

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "version"] = tsm.tensor(2)

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        given = dict(state_dict)
        assert int(given.pop(prefix + "version")) == 2
        super()._load_from_state_dict(given, prefix, *rest)


@pytest.mark.parametrize("way", [lambda module: module, tsm.script], ids=["eager", "scripted"])
@pytest.mark.parametrize("kind", [Counted, Outer])
def test_own_ways_are_taken(way, kind) -> None:
    module, start = way(kind()), "part." if kind is Outer else ""
    state = module.state_dict()
    names = [f"{start}{name}" for name in ("count", "inner.bias", "inner.weight", "weight")]
    assert sorted(state) == sorted([*names, *(["scale"] if start else [])]) and int(state[start + "count"]) == 3
    changed = {name: value + 1 for name, value in state.items()}
    assert not any(module.load_state_dict(changed))
    again = module.state_dict()
    assert all(again[name].equal(value) for name, value in changed.items())
    part = module.part if start else module
    assert part.count == 4 and part.calls == 2

    del changed[start + "count"]
    with pytest.raises(RuntimeError, match=rf"Missing key\(s\) in state_dict: '{start}count'"):
        module.load_state_dict(changed)
    assert module.load_state_dict(changed, strict=False).missing_keys == [start + "count"]
    with pytest.raises(RuntimeError, match="count is negative"):
        module.load_state_dict({**changed, start + "count": tsm.tensor(-1)})
    stray = "other" if start else "inner.other"  # what would be the module's own is its own affair
    with pytest.raises(RuntimeError, match=rf"Unexpected key\(s\) in state_dict: '{stray}'"):
        module.load_state_dict({**state, stray: state[start + "weight"]})


def test_modules_own_way_may_be_extended() -> None:
    module, plain = nn.Sequential(Versioned(2, 2), nn.Linear(2, 2)), nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    state = module.state_dict()
    assert sorted(set(state) - set(plain.state_dict())) == ["0.version"]
    other = nn.Sequential(Versioned(2, 2), nn.Linear(2, 2))
    assert not any(other.load_state_dict(state)) and all(
        each.equal(state[name]) for name, each in other.state_dict().items())
    del state["0.bias"]
    state["0.weight"] = tsm.ones(3)
    state["0.what"] = tsm.ones(3)
    with pytest.raises(RuntimeError) as error:
        other.load_state_dict(state)
    for text in ("Missing key(s) in state_dict: '0.bias'", "'0.what'", "size mismatch for 0.weight"):
        assert text in str(error.value)


def test_an_extended_way_assigns_where_it_is_asked_to() -> None:
    module = nn.Sequential(Versioned(2, 2))
    state = {name: each.double() for name, each in module.state_dict().items()}
    assert not any(module.load_state_dict(state, assign=True)) and module[0].weight.dtype is tsm.float64
    assert isinstance(module[0].weight, nn.Parameter) and module[0](tsm.ones(2).double()).dtype is tsm.float64
