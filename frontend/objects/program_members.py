"""Compiled programs inside others: traces, loaded files and frozen modules that a module holds, or that a trace calls.

In: an object that runs a program. Out: that program as IR, to be merged into another. Holds: its state is the present
one, and its tensors are shared with the object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any as PyAny

from ...ir.graph import Function, Program, walk
from ...ir.state import ObjectState, TensorState
from ...ir.types import ClassType, Type
from .tensors import TensorPool, is_tensor


def is_program_module(value: PyAny) -> bool:
    """Whether it is a module that was compiled, or one below it."""
    return getattr(type(value), "__tsm_program_module__", False) is True


def source_of(value: PyAny) -> PyAny:
    """The Python module that a scripted one, or a submodule of it, was compiled from: it is compiled anew where it is
    used, for the types of the calls there. Any other value itself."""
    while is_program_module(value):
        root, path = value._at()
        original = vars(root).get("_source")
        if original is None or "_tsm_trace" in vars(root):
            break
        value = original.get_submodule(path)
    return value


def program_now(value: PyAny, pool: TensorPool) -> Program:
    """The program that `value` runs. Names are as they were: see `name_apart`."""
    program: Program = value.present_program()
    if isinstance(program.root, ObjectState):
        _share(program.root, value, "", pool, set())
    return program


def name_apart(program: Program, taken_over: Sequence[Program] = ()) -> None:
    """Numbers the classes and functions that have the name of another one; those of programs that it has
    taken over give way, as nothing else knows their names."""
    classes = {kind for each in taken_over for kind in _class_types(each)}
    functions = {function for each in taken_over for function in each.functions}
    _number(sorted(_class_types(program), key=classes.__contains__))
    _number(sorted(program.functions, key=functions.__contains__))


def _number(items: Sequence[PyAny]) -> None:
    taken: set[str] = set()
    for item in items:
        first, number = item.name, 0
        while item.name in taken:
            number += 1
            item.name = f"{first}.{number}"
        taken.add(item.name)


def _share(state: ObjectState, value: PyAny, path: str, pool: TensorPool, seen: set[int]) -> None:
    """Puts the tensors that a program has in the place of their copies."""
    seen.add(id(state))
    for name, held in state.attributes.items():
        if isinstance(held, TensorState):
            tensor = value.get(path + name)
            if is_tensor(tensor):
                state.attributes[name] = pool.state(tensor)
        elif isinstance(held, ObjectState) and held.type.is_module and id(held) not in seen:
            _share(held, value, f"{path}{name}.", pool, seen)


def _class_types(program: Program) -> list[ClassType]:
    """Every class that a program mentions."""
    found: dict[Type, None] = {}
    pending: list[Type] = [program.root.type] if program.root is not None else []
    for function in program.functions:
        pending += _types_in(function)
    for kind in pending:  # grows while it is read
        if kind not in found:
            found[kind] = None
            pending += kind.attributes.values() if isinstance(kind, ClassType) else kind.members
    return [kind for kind in found if isinstance(kind, ClassType)]


def _types_in(function: Function) -> Iterator[Type]:
    yield function.result
    for value in function.body.params:
        yield value.type
    for node in walk(function.body):
        for value in node.results:
            yield value.type
        for block in node.blocks:
            for value in block.params:
                yield value.type
