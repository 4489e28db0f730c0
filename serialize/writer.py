"""Program to bytes; `reader` is the mirror image, function for function.

In: a verified Program. Out: the sections of FORMAT.md.
Holds: equal programs give equal bytes: strings, types, constants, tensors, storages and objects are numbered in the
order of first use by a walk over METHODS, STATE, FUNCTIONS, SOURCE.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any as PyAny

from ..ir.graph import Block, Function, Location, Method, Node, Param, Program, Value
from ..ir.operators import OPERATORS, node_numbers
from ..ir.signature import needed_operands
from ..ir.state import (
    DictState,
    EnumState,
    ListState,
    ObjectState,
    SetState,
    StorageState,
    TensorState,
    arm_of,
    storage_bytes,
)
from ..ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DEVICE,
    DTYPE,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    STR,
    CellType,
    ClassType,
    DictType,
    EnumType,
    FunctionType,
    ListType,
    NamedTupleType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from .container import FEATURE_BOUND, MINOR_FUSED, Kind, align, pack
from .encoder import Encoder

PRIMITIVE_KINDS = {
    NONE: 0, BOOL: 1, INT: 2, FLOAT: 3, COMPLEX: 4, STR: 5, BYTES: 6, SCALAR: 15, ANY: 16, DTYPE: 20, DEVICE: 21,
    EXCEPTION: 22,
}  # fmt: skip
FIRST_OPERATOR = 32


def write(program: Program, bound: list[PyAny] | None = None) -> bytes:
    """The file of a program. With `bound`, storages that the host owns are left out and appended to it, in order."""
    return _Writer(program, bound).file()


class _Writer:
    def __init__(self, program: Program, bound: list[PyAny] | None) -> None:
        self.program = program
        self.bound = bound
        self.strings: dict[str, int] = {}
        self.types: dict[Type, int] = {}
        self.type_records: list[Type] = []
        self.type_of_id: dict[int, tuple[Type, int]] = {}
        self.constants: dict[PyAny, int] = {}
        self.constant_records: list[tuple[PyAny, Type]] = []
        self.tensors: dict[TensorState, int] = {}
        self.storages: dict[StorageState, int] = {}
        self.objects: dict[int, int] = {}
        self.object_records: list[PyAny] = []
        self.functions = {function: number for number, function in enumerate(program.functions)}
        names = {node.op for function in program.functions for node in function.walk()}
        self.has_fused = "fused" in names
        names -= node_numbers().keys()
        operators = sorted((OPERATORS[name] for name in names), key=lambda o: (o.name.encode(), o.overload.encode()))
        self.operators = {operator.full_name: number for number, operator in enumerate(operators)}
        self.values: dict[Value, int] = {}
        self.labels: list[Node] = []
        self.out = Encoder()

    def file(self) -> bytes:
        sections: dict[Kind, bytes | bytearray] = {}
        order: list[tuple[Kind, Callable[[], None]]] = [
            (Kind.METHODS, self.methods), (Kind.STATE, self.state), (Kind.FUNCTIONS, self.function_section),
            (Kind.SOURCE, self.source), (Kind.OPERATORS, self.operator_section), (Kind.TYPES, self.type_section),
            (Kind.CONSTANTS, self.constant_section), (Kind.TENSORS, self.tensor_section),
            (Kind.STORAGES, self.storage_section), (Kind.STRINGS, self.string_section),
            (Kind.METADATA, self.metadata), (Kind.TEXT, self.text), (Kind.EXTRA, self.extra), (Kind.DATA, self.data),
        ]  # fmt: skip
        has_something_to_say = {
            Kind.METADATA: bool(self.program.metadata), Kind.TEXT: bool(self.program.sources),
            Kind.EXTRA: bool(self.program.extra_files), Kind.SOURCE: self.has_source(),
        }  # fmt: skip
        for kind, section in order:
            if has_something_to_say.get(kind, True):
                self.out = Encoder()
                section()
                sections[kind] = self.out.data
        is_bound = self.bound is not None and any(self.is_bound(storage) for storage in self.storages)
        return pack(sections, FEATURE_BOUND if is_bound else 0, MINOR_FUSED if self.has_fused else 0)

    # Numbers

    def string(self, value: str) -> None:
        self.out.uv(self.strings.setdefault(value, len(self.strings)))

    def opt_string(self, value: str) -> None:
        self.out.opt(self.strings.setdefault(value, len(self.strings)) if value else None)

    def type(self, kind: Type) -> None:
        self.out.uv(self.type_number(kind))

    def type_number(self, kind: Type) -> int:
        """The type's number, after those of the types it is made of."""
        known = self.type_of_id.get(id(kind))
        if known is not None:
            return known[1]
        number = self.types.get(kind)
        if number is None:
            for member in kind.members:
                self.type_number(member)
            if isinstance(kind, EnumType):
                self.type_number(kind.value_type)
                for _, value in kind.enumerators:
                    self.const_number(value, kind.value_type)
            number = self.types.setdefault(kind, len(self.types))
            if number == len(self.type_records):
                self.type_records.append(kind)
        self.type_of_id[id(kind)] = (kind, number)
        return number

    def const_number(self, value: PyAny, kind: Type) -> int:
        """The constant's number, after those of its elements."""
        key = self.const_key(value, kind)
        number = self.constants.get(key)
        if number is None:
            number = self.constants[key] = len(self.constants)
            self.constant_records.append((value, kind))
        return number

    def const_key(self, value: PyAny, kind: Type) -> PyAny:
        number = self.type_number(kind)
        if isinstance(kind, (TupleType, NamedTupleType)):
            return number, tuple(self.const_number(v, k) for v, k in zip(value, _elements(kind, value)))
        if isinstance(kind, OptionalType):
            return number, None if value is None else self.const_number(value, kind.inner)
        if isinstance(kind, TensorType):
            return number, self.tensor_number(value)
        if kind == FLOAT:
            return number, struct.pack("<d", value)
        if kind == COMPLEX:
            return number, struct.pack("<2d", value.real, value.imag)
        return number, value

    def tensor_number(self, tensor: TensorState) -> int:
        number = self.tensors.get(tensor)
        if number is None:
            number = self.tensors[tensor] = len(self.tensors)
            self.storages.setdefault(tensor.storage, len(self.storages))
        return number

    def object_number(self, state: PyAny) -> int:
        number = self.objects.get(id(state))
        if number is None:
            number = self.objects[id(state)] = len(self.objects)
            self.object_records.append(state)
        return number

    # Tables

    def metadata(self) -> None:
        self.entries({key: value.encode() for key, value in self.program.metadata.items()})

    def entries(self, entries: dict[str, bytes]) -> None:
        def entry(item: tuple[bytes, bytes]) -> None:
            self.out.bytes(item[0])
            self.out.bytes(item[1])

        self.out.many(sorted((name.encode(), content) for name, content in entries.items()), entry)

    def string_section(self) -> None:
        self.out.many(self.strings, self.out.text)

    def type_section(self) -> None:
        for kind in self.type_records:  # grows while it is read: attributes bring in more types
            if isinstance(kind, ClassType):
                for attribute in kind.attributes.values():
                    self.type_number(attribute)
        self.out.many(self.type_records, self.type_record)

    def type_record(self, kind: Type) -> None:
        out = self.out
        if kind in PRIMITIVE_KINDS:
            out.u8(PRIMITIVE_KINDS[kind])
        elif isinstance(kind, TensorType):
            self.tensor_type(kind)
        elif isinstance(kind, (ListType, SetType)):
            out.u8(8 if isinstance(kind, ListType) else 10)
            self.type(kind.element)
        elif isinstance(kind, DictType):
            out.u8(9)
            self.type(kind.key)
            self.type(kind.value)
        elif isinstance(kind, TupleType):
            self.tuple_type(kind)
        elif isinstance(kind, NamedTupleType):
            out.u8(12)
            self.string(kind.name)
            out.many(kind.fields, self.field)
        elif isinstance(kind, OptionalType):
            out.u8(13)
            self.type(kind.inner)
        elif isinstance(kind, UnionType):
            out.u8(14)
            out.many(kind.arms, self.type)
        elif isinstance(kind, EnumType):
            self.enum_type(kind)
        elif isinstance(kind, ClassType):
            out.u8(18)
            self.string(kind.name)
            out.u8(kind.is_module)
            out.many(kind.attributes.items(), self.field)
        elif isinstance(kind, FunctionType):
            out.u8(19)
            out.many(kind.params, self.type)
            self.type(kind.result)
        elif isinstance(kind, CellType):
            out.u8(23)
            self.type(kind.content)
        else:
            raise ValueError(f"the type {kind} has no form in files")

    def tensor_type(self, kind: TensorType) -> None:
        self.out.u8(7)
        self.out.u8(255 if kind.dtype is None else kind.dtype)
        self.out.u8(255 if kind.shape is None else len(kind.shape))
        for extent in kind.shape or ():
            self.out.opt(extent)

    def tuple_type(self, kind: TupleType) -> None:
        self.out.u8(11)
        self.out.u8(kind.is_variadic)
        if kind.is_variadic:
            self.type(kind.elements[0])
        else:
            self.out.many(kind.elements, self.type)

    def field(self, field: tuple[str, Type]) -> None:
        self.string(field[0])
        self.type(field[1])

    def enum_type(self, kind: EnumType) -> None:
        self.out.u8(17)
        self.string(kind.name)
        self.type(kind.value_type)

        def member(item: tuple[str, PyAny]) -> None:
            self.string(item[0])
            self.out.uv(self.const_number(item[1], kind.value_type))

        self.out.many(kind.enumerators, member)

    def storage_offsets(self) -> list[int]:
        offsets, end = [], 0
        for storage in self.storages:
            offsets.append(0 if self.is_bound(storage) else align(end))
            end = end if self.is_bound(storage) else align(end) + storage.size
        return offsets

    def is_bound(self, storage: StorageState) -> bool:
        return self.bound is not None and storage.bound is not None

    def storage_section(self) -> None:
        self.out.uv(len(self.storages))
        for storage, offset in zip(self.storages, self.storage_offsets()):
            self.out.u8(self.is_bound(storage))
            self.out.uv(offset)
            self.out.uv(storage.size)
            if self.is_bound(storage) and self.bound is not None:
                self.bound.append(storage.bound)

    def data(self) -> None:
        for storage, offset in zip(self.storages, self.storage_offsets()):
            if not self.is_bound(storage):
                self.out.data += bytes(offset - len(self.out.data))
                self.out.data += storage_bytes(storage)

    def tensor_section(self) -> None:
        self.out.many(self.tensors, self.tensor_record)

    def tensor_record(self, tensor: TensorState) -> None:
        self.out.uv(self.storages[tensor.storage])
        self.out.u8(tensor.dtype)
        self.out.u8(len(tensor.shape))
        for extent in tensor.shape:
            self.out.uv(extent)
        for stride in tensor.strides:
            self.out.sv(stride)
        self.out.uv(tensor.offset)

    def constant_section(self) -> None:
        self.out.many(self.constant_records, self.constant)

    def constant(self, record: tuple[PyAny, Type]) -> None:
        value, kind = record
        self.type(kind)
        out = self.out
        if isinstance(kind, (TupleType, NamedTupleType)):
            if isinstance(kind, TupleType) and kind.is_variadic:
                out.uv(len(value))
            for element, element_type in zip(value, _elements(kind, value)):
                out.uv(self.const_number(element, element_type))
        elif isinstance(kind, OptionalType):
            out.opt(None if value is None else self.const_number(value, kind.inner))
        elif isinstance(kind, TensorType):
            out.uv(self.tensor_number(value))
        else:
            self.plain(value, kind)

    def plain(self, value: PyAny, kind: Type) -> None:
        """A value without parts, in a constant or in the state."""
        out = self.out
        if kind == NONE:
            return
        if kind in (BOOL, DTYPE, DEVICE):
            out.u8(int(value))
        elif kind == INT:
            out.sv(int(value))
        elif kind == FLOAT:
            out.f64(value)
        elif kind == COMPLEX:
            out.f64(value.real)
            out.f64(value.imag)
        elif kind == STR:
            self.string(value)
        elif kind == BYTES:
            out.bytes(value)
        elif isinstance(value, EnumState):
            out.uv(value.index)
        else:
            raise ValueError(f"a value of type {kind} cannot be stored")

    def operator_section(self) -> None:
        def operator(name: str) -> None:
            row = OPERATORS[name]
            self.out.text(row.name)
            self.out.text(row.overload)
            self.out.uv(row.since)

        self.out.many(self.operators, operator)

    # Functions

    def function_section(self) -> None:
        self.out.many(self.program.functions, self.function)

    def function(self, function: Function) -> None:
        self.string(function.name)
        self.out.u8(function.has_self)
        self.out.many(function.params, lambda param: self.field((param.name, param.type)))
        self.type(function.result)
        self.values, self.labels = {}, []
        for value in function.body.params:
            self.values[value] = len(self.values)
        outer, self.out = self.out, Encoder()
        self.out.uv(0)
        self.nodes(function.body)
        body, self.out = self.out, outer
        self.out.bytes(body.data)

    def block(self, block: Block) -> None:
        self.out.many(block.params, lambda param: self.type(param.type))
        for param in block.params:
            self.values[param] = len(self.values)
        self.nodes(block)

    def nodes(self, block: Block) -> None:
        self.out.uv(len(block.nodes))
        for node in block.nodes:
            self.node(node)

    def node(self, node: Node) -> None:
        number = node_numbers().get(node.op)
        operands = node.operands
        if number is None:
            self.out.uv(FIRST_OPERATOR + self.operators[node.op])
            operands = operands[: needed_operands(OPERATORS[node.op], node)]
        else:
            self.out.uv(number)
        self.out.many(operands, lambda operand: self.out.uv(self.values[operand]))
        self.fields(node)
        if node.op in ("loop", "block"):
            self.labels.append(node)
        for block in node.blocks:
            self.block(block)
        if node.op in ("loop", "block"):
            self.labels.pop()
        if not node.is_terminator:
            self.out.many(node.results, lambda result: self.type(result.type))
        for result in node.results:
            self.values[result] = len(self.values)

    def fields(self, node: Node) -> None:
        op, attrs = node.op, node.attrs
        if op == "const":
            self.out.uv(self.const_number(attrs["value"], node.result.type))
        elif op == "call":
            self.out.uv(self.functions[attrs["function"]])
        elif op in ("break", "continue"):
            self.out.uv(self.labels[::-1].index(attrs["target"]))
        elif op == "tuple_get":
            self.out.uv(attrs["index"])
        elif op in ("get_attr", "set_attr"):
            kind = node.operands[0].type
            assert isinstance(kind, ClassType)
            self.out.uv(list(kind.attributes).index(attrs["name"]))
        elif op == "is_type":
            self.type(attrs["type"])

    # State and methods

    def state(self) -> None:
        root = None if self.program.root is None else self.object_number(self.program.root)
        outer, self.out = self.out, Encoder()
        for state in self.object_records:  # grows while it is read
            self.object(state)
        contents, self.out = self.out, outer
        self.out.uv(len(self.object_records))
        self.out.data += contents.data
        self.out.opt(root)

    def object(self, state: PyAny) -> None:
        self.type(state.type)
        if isinstance(state, ObjectState):
            for name, kind in state.type.attributes.items():
                self.out.u8(name in state.attributes)
                if name in state.attributes:
                    self.value(state.attributes[name], kind)
        elif isinstance(state, DictState):
            self.out.uv(len(state.items))
            for key, value in state.items:
                self.value(key, state.type.key)
                self.value(value, state.type.value)
        else:
            assert isinstance(state, (ListState, SetState))
            self.out.uv(len(state.items))
            for item in state.items:
                self.value(item, state.type.element)

    def value(self, value: PyAny, kind: Type) -> None:
        if isinstance(kind, OptionalType):
            self.out.u8(value is not None)
            if value is not None:
                self.value(value, kind.inner)
        elif isinstance(kind, UnionType) or kind in (SCALAR, ANY):
            arm, plain = arm_of(value, kind)
            self.type(arm)
            self.value(plain, arm)
        elif isinstance(kind, (TupleType, NamedTupleType)):
            if isinstance(kind, TupleType) and kind.is_variadic:
                self.out.uv(len(value))
            for element, element_type in zip(value, _elements(kind, value)):
                self.value(element, element_type)
        elif isinstance(kind, TensorType):
            self.out.uv(self.tensor_number(value))
        elif isinstance(kind, (ClassType, ListType, DictType, SetType)):
            if value.type != kind:
                raise ValueError(f"a value of type {value.type} where {kind} is declared")
            self.out.uv(self.object_number(value))
        else:
            self.plain(value, kind)

    def methods(self) -> None:
        methods = sorted(self.program.methods.values(), key=lambda method: method.name.encode())
        self.out.many(methods, self.method)

    def method(self, method: Method) -> None:
        self.string(method.name)
        self.out.uv(self.functions[method.function])
        self.out.u8(method.function.has_self)
        self.string(method.doc)
        self.out.uv(len(method.params))
        for index, param in enumerate(method.params):
            self.param(param, index in method.mutates)

    def param(self, param: Param, is_changed: bool) -> None:
        self.out.opt(self.const_number(param.default, param.type) if param.has_default else None)
        self.out.u8(param.is_keyword_only | is_changed << 1)

    # Source

    def has_source(self) -> bool:
        return any(
            any(param.name for param in function.params)
            or any(value.name for value in _values(function))
            or any(node.location is not None for node in function.walk())
            for function in self.program.functions
        )

    def source(self) -> None:
        files: dict[str, int] = {}
        outer, self.out = self.out, Encoder()
        for function in self.program.functions:
            self.function_source(function, files)
        body, self.out = self.out, outer
        self.out.many(files, self.string)
        self.out.data += body.data

    def function_source(self, function: Function, files: dict[str, int]) -> None:
        names = [param.name for param in function.params] + [value.name for value in _values(function)]
        self.out.many(names if any(names) else [], self.opt_string)
        locations: dict[Location, int] = {}
        numbers = [_location_number(node.location, locations) for node in function.walk()]
        self.out.many(numbers if locations else [], self.out.opt)
        self.out.many(locations, lambda location: self.location(location, locations, files))

    def location(self, location: Location, locations: dict[Location, int], files: dict[str, int]) -> None:
        self.out.uv(files.setdefault(location.file, len(files)))
        for number in (location.line, location.column, location.end_line, location.end_column):
            self.out.uv(number)
        self.string(location.function)
        self.out.opt(None if location.inlined_at is None else locations[location.inlined_at])

    def text(self) -> None:
        self.entries({path: source.encode() for path, source in self.program.sources.items()})

    def extra(self) -> None:
        self.entries(self.program.extra_files)


def _elements(kind: TupleType | NamedTupleType, value: tuple[PyAny, ...]) -> tuple[Type, ...]:
    is_variadic = isinstance(kind, TupleType) and kind.is_variadic
    return kind.members * len(value) if is_variadic else kind.members


def _values(function: Function) -> list[Value]:
    """Values after the parameters, in the order of their numbers."""
    found: list[Value] = []

    def visit(block: Block) -> None:
        for node in block.nodes:
            for inner in node.blocks:
                found.extend(inner.params)
                visit(inner)
            found.extend(node.results)

    visit(function.body)
    return found


def _location_number(location: Location | None, locations: dict[Location, int]) -> int | None:
    if location is None:
        return None
    if location not in locations:
        _location_number(location.inlined_at, locations)
        locations[location] = len(locations)
    return locations[location]
