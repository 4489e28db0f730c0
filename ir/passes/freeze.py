"""freeze: attributes of modules that nothing changes become constants. On request only: hosts can set them no more.

Functions are copied for the modules they are called with. Numbers, texts and tuples are constant if no code sets the
attribute; tensors if, besides, nothing may write their memory or hand it to the host; lists are made anew where they
are only read. `drop_attributes` then takes out of the state what no code reads.

before:
    class Net (module) { weight : Tensor; factor : float; calls : int }

    fn Net.forward(self %self : Net, %x : Tensor) -> Tensor {
      %n : int = get_attr(%self, calls)
      %one : int = const 1
      %m : int = add.int(%n, %one)
      set_attr(%self, calls, %m)
      %w : Tensor = get_attr(%self, weight)
      %y : Tensor = mul.Tensor(%x, %w)
      %f : float = get_attr(%self, factor)
      %s : Scalar = widen(%f)
      %z : Tensor = mul.TensorScalar(%y, %s)
      return %z
    }

    method forward = Net.forward(x)

    state {
      @0 : Net { weight = tensor 0; factor = 2.0; calls = 0 }
    }

    tensor 0 : float32 (2) strides (1) offset 0 in storage 0

    storage 0 = hex "0000803f00000040"
after:
    class Net (module) { weight : Tensor; factor : float; calls : int }

    fn Net.forward(self %self : Net, %x : Tensor) -> Tensor {
      %n : int = get_attr(%self, calls)
      %one : int = const 1
      %m : int = add.int(%n, %one)
      set_attr(%self, calls, %m)
      %w : Tensor = const tensor 0
      %y : Tensor = mul.Tensor(%x, %w)
      %f : float = const 2.0
      %s : Scalar = widen(%f)
      %z : Tensor = mul.TensorScalar(%y, %s)
      return %z
    }

    method forward = Net.forward(x)

    state {
      @0 : Net { weight = tensor 0; factor = 2.0; calls = 0 }
    }

    tensor 0 : float32 (2) strides (1) offset 0 in storage 0

    storage 0 = hex "0000803f00000040"
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any as PyAny

from ..graph import Node, Program
from ..knobs import Budget
from ..origins import WrittenStorages, storages_in
from ..specialise import Attributes, Objects
from ..spelling import reachable_states, state_contents
from ..state import ListState, ObjectState, TensorState, is_constant_type, natural_type
from ..types import ClassType, OptionalType, Type
from .cse import is_only_read
from .fold_bn import uses_running_statistics

Paths = frozenset[str]
Place = tuple[ObjectState, str]


def freeze(program: Program, budget: Budget, preserved: Paths = frozenset()) -> None:
    """Constants for all attributes that stay as they are; `preserved` are dotted paths that the host may still set."""
    if not isinstance(program.root, ObjectState):
        return
    ends = _ends(program.root, preserved)
    objects = Objects(program, Attributes(program, frozenset((id(state), name) for state, name in ends)))
    written = WrittenStorages(program, objects, uses_running_statistics)
    for state, name in ends:
        written.written |= storages_in(state.attributes[name])
    changing = _changing_lists(program, objects)
    for function in program.functions:
        for node in list(function.walk()):
            if node.op == "get_attr":
                is_known, value = objects.value_of(node)
                if is_known and id(value) not in changing:
                    _become(node, value, written, budget)


def _changing_lists(program: Program, objects: Objects) -> set[int]:
    """Identities of lists that some code may change or hand out: by an attribute of a known or any object, or through
    what holds them."""
    found: set[int] = set()
    unknown: set[tuple[Type, str]] = set()
    for function in program.functions:
        for node in function.walk():
            if node.op == "get_attr" and node.result.type.is_mutable and not is_only_read(node.result):
                is_known, value = objects.value_of(node)
                if isinstance(value, ListState):
                    found.add(id(value))
                elif not is_known:
                    unknown.add((node.operands[0].type, node.attrs["name"]))
    for state in reachable_states(program.root):
        if isinstance(state, ObjectState):
            held = [value for name, value in state.attributes.items() if (state.type, name) in unknown]
            held += [part for value in state.attributes.values() if isinstance(value, tuple) for part in value]
        else:
            held = state_contents(state)
        found.update(id(value) for value in held if isinstance(value, ListState))
    return found


def _become(node: Node, value: PyAny, written: WrittenStorages, budget: Budget) -> None:
    kind = node.result.type
    assert node.block is not None
    if isinstance(value, ListState):
        items = [natural_type(item) for item in value.items if not isinstance(item, (TensorState, ObjectState))]
        is_plain = len(items) == len(value.items) and all(item == value.type.element for item in items)
        if is_plain and all(map(is_constant_type, items)) and is_only_read(node.result) and budget.take():
            constants = [Node("const", (), (kind,), {"value": item}) for kind, item in zip(items, value.items)]
            for constant in constants:
                constant.location = node.location
                node.block.insert_before(node, constant)
            node.op, node.attrs = "list", {}
            node.set_operands([constant.result for constant in constants])
        return
    if isinstance(value, TensorState):
        if written.may_write(value.storage):
            return
    elif kind.is_mutable and not (isinstance(kind, OptionalType) and value is None):
        return
    if is_constant_type(kind) and budget.take():
        node.op, node.attrs = "const", {"value": value}
        node.set_operands(())


def drop_attributes(program: Program, budget: Budget, preserved: Paths = frozenset()) -> None:
    """Removes attributes of modules that no code reads or sets and no path preserves, and with them their weights."""
    if not isinstance(program.root, ObjectState):
        return
    used = {
        (node.operands[0].type, node.attrs["name"])
        for function in program.functions
        for node in function.walk()
        if node.op in ("get_attr", "set_attr")
    }
    kept = {(state.type, name) for state, name in _along(program.root, preserved)}
    states = [state for state in reachable_states(program.root) if isinstance(state, ObjectState)]
    for kind in dict.fromkeys(state.type for state in states if state.type.is_module):
        dead = [name for name in kind.attributes if (kind, name) not in used and (kind, name) not in kept]
        if dead and budget.take():
            _drop(kind, dead, [state for state in states if state.type is kind])


def _drop(kind: ClassType, names: list[str], states: list[ObjectState]) -> None:
    for name in names:
        del kind.attributes[name]
        for state in states:
            state.attributes.pop(name, None)


def _along(root: ObjectState, paths: Iterable[str]) -> list[Place]:
    """The attributes on dotted paths from the root, and all that is in what they end in. AttributeError for a path
    that leads nowhere."""
    found = []
    for path in paths:
        state: PyAny = root
        for name in path.split("."):
            if not isinstance(state, ObjectState) or name not in state.attributes:
                raise AttributeError(f"there is no attribute {path!r} to preserve")
            found.append((state, name))
            state = state.attributes[name]
        found += _inside(state)
    return found


def _ends(root: ObjectState, paths: Iterable[str]) -> list[Place]:
    """The same without the modules on the way, which stay what they are."""
    return [(state, name) for state, name in _along(root, paths) if not isinstance(state.attributes[name], ObjectState)]


def _inside(value: PyAny) -> list[Place]:
    """All attributes of a preserved module and of those in it."""
    states = reachable_states(value) if isinstance(value, ObjectState) else []
    return [(state, name) for state in states if isinstance(state, ObjectState) for name in state.attributes]
