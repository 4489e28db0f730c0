"""Prints a program as text that `parser` reads back without loss.

In: a Program or one Function. Out: the listing: types, functions, methods, state, tensors, storages, texts.
Holds: print(parse(print(p))) == print(p), and the parsed program writes the same file. User names are kept and made
unique (%x, %x.1), temporaries are numbered, locations are trailing comments.
"""

from __future__ import annotations

import base64
import json
import os
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any as PyAny

from .graph import Block, Function, Location, Method, Node, Param, Program, Value
from .spelling import NamedType, Spelling, named_types, reachable_states, spell_name
from .state import DictState, ListState, ObjectState, SetState, StorageState, TensorState, arm_of, storage_bytes
from .types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DEVICE,
    DTYPE,
    FLOAT,
    NONE,
    SCALAR,
    STR,
    ClassType,
    DType,
    EnumType,
    FrozenSetType,
    NamedTupleType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)

COMMENT_COLUMN = 64


def print_program(program: Program, *, locations: bool = True, weights: bool = True) -> str:
    """The whole listing. Without `locations` or `weights` it is shorter, and no longer lossless."""
    return _Printer(program, locations, weights).program()


def print_functions(program: Program) -> str:
    """The functions and the types they name, with short locations: what a reader wants; not lossless."""
    return _Printer(program, True, False, spell_place).functions()


def print_function(function: Function, *, locations: bool = False) -> str:
    """The listing of one function."""
    printer = _Printer(Program([function]), locations, False)
    return "\n".join(printer.function(function)) + "\n"


def print_node(node: Node) -> str:
    """One node as a line, for messages; blocks are left out. The node may be malformed."""
    printer = _Printer(Program([]), False, False)
    try:
        return printer.header(node)
    except (LookupError, TypeError, ValueError, AttributeError):
        return f"{', '.join(map(repr, node.results))} = {node.op}({', '.join(map(repr, node.operands))})"


def quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def spell_float(value: float) -> str:
    if value != value:
        bits = struct.pack(">d", value).hex()
        return "nan" if bits == "7ff8000000000000" else f'nan("{bits}")'
    return repr(value)


def spell_location(location: Location | None) -> str:
    """As a comment's text: file:line:col-endcol in function < the call it was inlined at."""
    parts = []
    while location is not None:
        file = location.file if re.fullmatch(r"[^\s\":]+", location.file) else quote(location.file)
        text = f"{file}:{location.line}:{location.column}"
        if (location.end_line, location.end_column) != (0, 0):
            same_line = location.end_line == location.line
            text += f"-{location.end_column}" if same_line else f"-{location.end_line}:{location.end_column}"
        if location.function:
            simple = re.fullmatch(r"[^\s\"]+", location.function)
            text += f" in {location.function if simple else quote(location.function)}"
        parts.append(text)
        location = location.inlined_at
    return " < ".join(parts)


def spell_place(location: Location) -> str:
    """Where a reader looks: the file's name, line and column, without the calls it was inlined through."""
    return f"{os.path.basename(location.file)}:{location.line}:{location.column}"


class _ValueNames:
    """Unique names of a function's values, and labels of its loops and blocks, in the order of the text."""

    def __init__(self) -> None:
        self.values: dict[Value, str] = {}
        self.labels: dict[Node, str] = {}
        self.used: dict[str, int] = {}
        self.temporaries = 0

    def define(self, values: Sequence[Value]) -> None:
        for value in values:
            if not value.name:
                self.values[value] = f"%{self.temporaries}"
                self.temporaries += 1
                continue
            base = spell_name(value.name)
            count = self.used.get(base, 0)
            self.used[base] = count + 1
            self.values[value] = f"%{base}.{count}" if count else f"%{base}"

    def label(self, node: Node) -> None:
        self.labels[node] = f"@{node.op[0]}{len(self.labels)}"

    def use(self, value: Value) -> str:
        return self.values.get(value) or f"%{value.name or '?'}"


class _Printer:
    def __init__(
        self,
        program: Program,
        locations: bool,
        weights: bool,
        spell: Callable[[Location], str] = spell_location,
    ) -> None:
        self.spell = spell
        self.source = program
        self.spelling = Spelling(program)
        self.locations = locations
        self.weights = weights
        self.names = _ValueNames()
        self.tensors: dict[TensorState, int] = {}
        self.objects: dict[int, int] = {}

    def program(self) -> str:
        source = self.source
        sections = [[line for kind in self.declared() for line in self.declaration(kind)]]
        sections += [list(self.function(function)) for function in source.functions]
        sections.append([self.method(source.methods[name]) for name in sorted(source.methods)])
        sections.append(list(self.state()))
        sections.append(list(self.tensor_lines()))
        sections.append([f"metadata {quote(k)} = {quote(source.metadata[k])}" for k in sorted(source.metadata)])
        sections += [list(self.source_lines(path)) for path in sorted(source.sources)]
        if self.weights:
            sections += [list(self.extra_lines(name)) for name in sorted(source.extra_files)]
            sections.append(list(self.storage_lines()))
        return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"

    def functions(self) -> str:
        sections = [[line for kind in self.declared() for line in self.declaration(kind)]]
        sections += [list(self.function(function)) for function in self.source.functions]
        return "\n\n".join("\n".join(lines) for lines in sections if lines)

    # Types

    def declared(self) -> list[NamedType]:
        kinds = named_types(self.source)
        classes: list[NamedType] = [kind for kind in kinds if isinstance(kind, ClassType)]
        return [kind for kind in kinds if not isinstance(kind, ClassType)] + classes

    def declaration(self, kind: NamedType) -> Iterator[str]:
        spelling = self.spelling.type(kind)
        head = spelling if spelling == kind.name else f"{spelling} = {quote(kind.name)}"
        if isinstance(kind, EnumType):
            members = [f"{spell_name(name)} = {self.literal(v, kind.value_type)}" for name, v in kind.enumerators]
            yield f"enum {head} : {self.spelling.type(kind.value_type)} {{ {'; '.join(members)} }}"
            return
        is_class = isinstance(kind, ClassType)
        fields = kind.attributes.items() if isinstance(kind, ClassType) else kind.fields
        word = "class" if is_class else "namedtuple"
        marks = ["module"] * kind.is_module if isinstance(kind, ClassType) else []
        if isinstance(kind, ClassType) and kind.key is not None:
            marks.append(f"key {kind.key}")
        mark = f" ({', '.join(marks)})" if marks else ""
        parts = [f"{spell_name(name)} : {self.spelling.type(t)}" for name, t in fields]
        line = f"{word} {head}{mark} {{ {'; '.join(parts)} }}" if parts else f"{word} {head}{mark} {{ }}"
        if len(line) <= 120:
            yield line
            return
        yield f"{word} {head}{mark} {{"
        yield from (f"  {part}" for part in parts)
        yield "}"

    # Functions

    def function(self, function: Function) -> Iterator[str]:
        self.names = _ValueNames()
        for param, value in zip(function.params, function.body.params):
            value.name = param.name
        self.names.define(function.body.params)
        params = [self.definition(value) for value in function.body.params]
        if function.has_self and params:
            params[0] = f"self {params[0]}"
        name, result = self.spelling.function(function), self.spelling.type(function.result)
        head = name if name == function.name else f"{name} = {quote(function.name)}"
        yield f"fn {head}({', '.join(params)}) -> {result} {{"
        yield from self.block(function.body, 1)
        yield "}"

    def block(self, block: Block, depth: int) -> Iterator[str]:
        for node in block.nodes:
            self.names.define(node.results)
            if node.op in ("loop", "block"):
                self.names.label(node)
            for inner in node.blocks[:1]:
                self.names.define(inner.params)
            head = "  " * depth + self.header(node)
            if node.blocks:
                head += " {"
            if self.locations and node.location is not None:
                head = f"{head:<{COMMENT_COLUMN}}# {self.spell(node.location)}"
            yield head
            for position, inner in enumerate(node.blocks):
                if position:
                    self.names.define(inner.params)
                    yield "  " * depth + self.separator(node, inner)
                yield from self.block(inner, depth + 1)
            if node.blocks:
                yield "  " * depth + "}"

    def separator(self, node: Node, block: Block) -> str:
        if node.op != "try":
            return "} else {"
        return f"}} except ({', '.join(map(self.definition, block.params))}) {{"

    def definition(self, value: Value) -> str:
        return f"{self.names.use(value)} : {self.spelling.type(value.type)}"

    def header(self, node: Node) -> str:
        results = ", ".join(map(self.definition, node.results))
        return f"{results} = {self.right(node)}" if results else self.right(node)

    def right(self, node: Node) -> str:
        operands = ", ".join(map(self.names.use, node.operands))
        arguments = f" ({operands})" if operands else ""
        op, attrs = node.op, node.attrs
        if op == "const":
            return f"const {self.literal(attrs['value'], node.result.type)}"
        if op == "call":
            return f"call {self.spelling.function(attrs['function'])}({operands})"
        if op in ("block", "loop"):
            label = self.names.labels.get(node, "@?")
            return f"{op} {label} ({self.loop_params(node)})" if op == "loop" else f"{op} {label}"
        if op == "fused":
            return f"{op} ({self.loop_params(node)})"
        if op in ("break", "continue"):
            return f"{op} {self.names.labels.get(attrs['target'], '@?')}{arguments}"
        if op in ("if", "yield", "try", "unreachable"):
            return op + arguments
        if op in ("return", "raise"):
            return f"{op} {operands}"
        if op == "tuple_get":
            return f"tuple_get({operands}, {attrs['index']})"
        if op in ("get_attr", "set_attr"):
            values = [self.names.use(operand) for operand in node.operands]
            return f"{op}({', '.join([*values[:1], spell_name(attrs['name']), *values[1:]])})"
        if op == "is_type":
            return f"is_type({operands}, {self.spelling.type(attrs['type'])})"
        return f"{op}({operands})"

    def loop_params(self, node: Node) -> str:
        parts = []
        for param, initial in zip(node.blocks[0].params if node.blocks else (), node.operands):
            kind = "" if param.type == initial.type else f" : {self.spelling.type(param.type)}"
            parts.append(f"{self.names.use(param)}{kind} = {self.names.use(initial)}")
        return ", ".join(parts)

    # Constants, methods, state

    def literal(self, value: PyAny, kind: Type) -> str:
        if isinstance(kind, OptionalType):
            return "None" if value is None else self.literal(value, kind.inner)
        if isinstance(kind, UnionType) or kind in (SCALAR, ANY):
            arm, plain = arm_of(value, kind)
            return f"{self.spelling.type(arm)} {self.literal(plain, arm)}"
        if isinstance(kind, (TupleType, NamedTupleType)):
            members = kind.members
            if isinstance(kind, TupleType) and kind.is_variadic:
                members = kind.elements * len(value)
            return f"({', '.join(self.literal(item, member) for item, member in zip(value, members))})"
        if isinstance(kind, FrozenSetType):
            return f"frozenset({', '.join(self.literal(item, kind.element) for item in value.items)})"
        if isinstance(kind, EnumType):
            names = [name for name, _ in kind.enumerators]
            name = names[value.index]
            return spell_name(name) if names.count(name) == 1 else str(value.index)
        if isinstance(kind, TensorType):
            return f"tensor {self.tensors.setdefault(value, len(self.tensors))}"
        if id(value) in self.objects:
            return f"@{self.objects[id(value)]}"
        return _spell_plain(value, kind)

    def method(self, method: Method) -> str:
        parts: list[str] = []
        for index, param in enumerate(method.params):
            if param.is_keyword_only and "*" not in parts:
                parts.append("*")
            parts.append(self.parameter(param, index in method.mutates))
        doc = f" {quote(method.doc)}" if method.doc else ""
        name = self.spelling.function(method.function)
        return f"method {spell_name(method.name)} = {name}({', '.join(parts)}){doc}"

    def parameter(self, param: Param, is_written: bool) -> str:
        text = spell_name(param.name) + ("!" if is_written else "")
        return f"{text} = {self.literal(param.default, param.type)}" if param.has_default else text

    def state(self) -> Iterator[str]:
        states = [s for s in reachable_states(self.source.root) if not hasattr(s, "value")]
        if not states:
            return
        self.objects = {id(state): number for number, state in enumerate(states)}
        yield "state {"
        for number, state in enumerate(states):
            yield f"  @{number} : {self.spelling.type(state.type)} {self.contents(state)}"
        yield "}"

    def contents(self, state: PyAny) -> str:
        if isinstance(state, ObjectState):
            return self.braced(
                f"{spell_name(name)} = {self.literal(state.attributes[name], kind)}"
                for name, kind in state.type.attributes.items()
                if name in state.attributes
            )
        if isinstance(state, DictState):
            key, value = state.type.key, state.type.value
            return self.braced(f"{self.literal(k, key)} : {self.literal(v, value)}" for k, v in state.items)
        assert isinstance(state, (ListState, SetState))
        return self.braced(self.literal(item, state.type.element) for item in state.items)

    def braced(self, parts: Iterator[str]) -> str:
        text = "; ".join(parts)
        return f"{{ {text} }}" if text else "{ }"

    # Tensors and texts

    def storages(self) -> dict[StorageState, int]:
        found: dict[StorageState, int] = {}
        for tensor in self.tensors:
            found.setdefault(tensor.storage, len(found))
        return found

    def tensor_lines(self) -> Iterator[str]:
        storages = self.storages()
        for tensor, number in self.tensors.items():
            shape, strides = (f"({', '.join(map(str, numbers))})" for numbers in (tensor.shape, tensor.strides))
            place = f"offset {tensor.offset} in storage {storages[tensor.storage]}"
            yield f"tensor {number} : {tensor.dtype.name} {shape} strides {strides} {place}"

    def storage_lines(self) -> Iterator[str]:
        for storage, number in self.storages().items():
            content = bytes(storage_bytes(storage))
            if len(content) <= 32:
                yield f'storage {number} = hex "{content.hex()}"'
            else:
                yield f"storage {number} = base64"
                yield from _base64_lines(content)

    def source_lines(self, path: str) -> Iterator[str]:
        yield f"source {quote(path)} ="
        yield from (f"  {quote(line)}" for line in self.source.sources[path].splitlines(keepends=True) or [""])

    def extra_lines(self, name: str) -> Iterator[str]:
        yield f"extra {quote(name)} = base64"
        yield from _base64_lines(self.source.extra_files[name])


def _base64_lines(content: bytes) -> Iterator[str]:
    for start in range(0, max(len(content), 1), 78):
        yield f'  "{base64.b64encode(content[start : start + 78]).decode()}"'


def _spell_plain(value: PyAny, kind: Type) -> str:
    if kind == FLOAT:
        return spell_float(float(value))
    if kind == COMPLEX:
        return f"complex({spell_float(value.real)}, {spell_float(value.imag)})"
    if kind == STR:
        return quote(value)
    if kind == BYTES:
        return f'bytes "{value.hex()}"'
    if kind == DTYPE:
        return DType(value).name
    if kind == DEVICE:
        return "cpu"
    if kind in (NONE, BOOL):
        return str(value)
    return str(int(value))
