"""Names in the text form: what each class, enum, named tuple and function of a program is called there.

In: a program. Out: `Spelling`, used by the printer and by error messages.
Holds: a spelling is the name itself where that is a dotted identifier and nobody else has it, else the name's
identifier part and ~number; declarations then quote the real name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any as PyAny

from .graph import Function, Program
from .state import DictState, FrozenSetState, ListState, ObjectState, SetState, TypedState
from .types import PRIMITIVES, ClassType, EnumType, NamedTupleType, Type

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
TYPE_WORDS = frozenset((*PRIMITIVES, "Tensor", "list", "dict", "set", "tuple", "Optional", "Union", "cell", "Callable"))
_LITERAL_WORDS = frozenset(("None", "True", "False", "inf", "nan", "complex", "bytes", "tensor", "fn"))
NamedType = ClassType | EnumType | NamedTupleType


def spell_name(name: str) -> str:
    """An attribute, field or parameter name: as it is, or quoted."""
    return name if re.fullmatch(r"[^\W\d]\w*", name) else json.dumps(name, ensure_ascii=False)


class _Names:
    def __init__(self, reserved: frozenset[str]) -> None:
        self.reserved = reserved
        self.taken: set[str] = set()

    def claim(self, name: str) -> str:
        found = _DOTTED.match(name)
        base = found.group() if found else "_"
        spelling, number = base, 0
        while spelling in self.taken or spelling in self.reserved or (number == 0 and base != name):
            number += 1
            spelling = f"{base}~{number}"
        self.taken.add(spelling)
        return spelling


class Spelling:
    """Spells the types and functions of one program."""

    def __init__(self, program: Program) -> None:
        self.types: dict[NamedType, str] = {}
        self.functions: dict[Function, str] = {}
        names = _Names(TYPE_WORDS)
        for kind in named_types(program):
            self.types[kind] = names.claim(kind.name)
        names = _Names(frozenset())
        for function in program.functions:
            self.functions[function] = names.claim(function.name)

    def type(self, kind: Type) -> str:
        if isinstance(kind, (ClassType, EnumType, NamedTupleType)):
            return self.types.get(kind, kind.name)
        return kind.spelled(self.type)

    def function(self, function: Function) -> str:
        return self.functions.get(function, function.name)


def named_types(program: Program) -> list[NamedType]:
    """Every class, enum and named tuple the program mentions; enums and named tuples after those they are made of."""
    found: dict[NamedType, None] = {}
    pending: list[ClassType] = []
    seen: dict[Type, None] = {}

    def visit(kind: Type) -> None:
        if kind in seen:
            return
        seen[kind] = None
        for member in (kind.value_type,) if isinstance(kind, EnumType) else kind.members:
            visit(member)
        if isinstance(kind, (EnumType, NamedTupleType)):
            found[kind] = None
        elif isinstance(kind, ClassType):
            found[kind] = None
            pending.append(kind)

    for mentioned in _mentions(program):
        visit(mentioned)
        while pending:
            for attribute in pending.pop(0).attributes.values():
                visit(attribute)
    return list(found)


def _mentions(program: Program) -> Iterator[Type]:
    for function in program.functions:
        yield from (param.type for param in function.params)
        yield function.result
        for node in function.walk():
            yield from (result.type for result in node.results)
            yield from (param.type for block in node.blocks for param in block.params)
            if node.op == "is_type":
                yield node.attrs["type"]
    yield from _state_types(program.root)


def _state_types(root: PyAny) -> Iterator[Type]:
    for state in reachable_states(root):
        yield state.type


def reachable_states(root: PyAny) -> list[PyAny]:
    """Objects, lists, dicts, sets and typed values reachable from `root`, in the order of first mention."""
    found: dict[int, PyAny] = {}
    queue = [root]
    for value in queue:  # grows while it is read
        if isinstance(value, tuple):
            queue.extend(value)
        elif isinstance(value, FrozenSetState):
            queue.extend(value.items)
        elif isinstance(value, (ObjectState, ListState, DictState, SetState, TypedState)) and id(value) not in found:
            found[id(value)] = value
            queue.extend(state_contents(value))
    return list(found.values())


def state_contents(state: PyAny) -> list[PyAny]:
    if isinstance(state, ObjectState):
        return [state.attributes[name] for name in state.type.attributes if name in state.attributes]
    if isinstance(state, DictState):
        return [part for item in state.items for part in item]
    if isinstance(state, TypedState):
        return [state.value]
    return list(state.items)
