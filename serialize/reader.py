"""Bytes that may be anything to a Program; `writer` is the mirror image, function for function.

In: a file. Out: a verified Program, or FormatError with section and offset.
Holds: nothing the bytes say is believed: indices, counts, nesting and sizes are checked before they are used, and the
functions pass the verifier before anybody sees them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any as PyAny

from ..ir.graph import Block, Function, Location, Method, Node, Param, Program, Value
from ..ir.operators import OPERATORS, node_numbers
from ..ir.state import (
    STATE_CLASSES,
    DictState,
    EnumState,
    ObjectState,
    StorageState,
    TensorState,
    with_arm,
)
from ..ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DEVICE,
    DTYPE,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    STR,
    CellType,
    ClassType,
    DictType,
    DType,
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
    arms_of,
    unrefined,
)
from ..ir.verify import VerifyError, verify
from .container import FEATURE_BOUND, MINOR_FUSED, Kind, align, unpack
from .errors import FormatError
from .writer import FIRST_OPERATOR, PRIMITIVE_KINDS

MAX_NESTING = 200
MAX_TYPE_PARTS = 10_000
MAX_ARMS = 64
MAX_VOID = 1000
MAX_CONSTANT_PARTS = 65536
MAX_RANK = 32
ITEM_SIZES = (1, 1, 1, 2, 4, 8, 4, 8, 2)
PRIMITIVES = {number: kind for kind, number in PRIMITIVE_KINDS.items()}


def read(data: memoryview, bound: Sequence[PyAny] = (), check_data: bool = False) -> Program:
    """The program of a file; `bound` are the tensors that an in-memory image left with its host."""
    try:
        return _Reader(data, bound, check_data).program()
    except RecursionError:
        raise FormatError("nested too deep") from None


class _Reader:
    def __init__(self, data: memoryview, bound: Sequence[PyAny], check_data: bool) -> None:
        self.sections, self.features, self.minor = unpack(data, check_data)
        self.host_tensors = list(bound)
        self.strings: list[str] = []
        self.types: list[Type] = []
        self.type_count = 0
        self.type_sizes: list[tuple[int, int]] = []  # nesting, parts
        self.class_attributes: list[tuple[ClassType, list[tuple[str, int]]]] = []
        self.class_names: set[str] = set()
        self.enum_members: dict[int, tuple[EnumType, list[tuple[str, int]]]] = {}
        self.constants: list[tuple[Type, PyAny]] = []
        self.constant_sizes: list[tuple[int, int]] = []
        self.constant_has_tensor: list[bool] = []
        self.has_tensor = False
        self.nesting = self.parts = 0  # of the type or constant being read
        self.tensors: list[TensorState] = []
        self.storages: list[StorageState] = []
        self.operators: list[str] = []
        self.functions: list[Function] = []
        self.values: list[Value | None] = []  # None: its block has ended
        self.numbered: list[Value] = []
        self.all_values: dict[Function, list[Value]] = {}
        self.labels: list[Node] = []
        self.depth = 0
        self.constant_index = 0  # of the const node being read
        self.objects: list[PyAny] = []
        self.object_count = 0
        self.data = self.sections[Kind.STRINGS]  # the section being read

    def program(self) -> Program:
        for kind, section in (
            (Kind.STRINGS, self.string_section), (Kind.TYPES, self.type_section), (Kind.STORAGES, self.storage_section),
            (Kind.TENSORS, self.tensor_section), (Kind.OPERATORS, self.operator_section),
            (Kind.FUNCTIONS, self.function_shells), (Kind.CONSTANTS, self.constant_section),
            (Kind.FUNCTIONS, self.function_section),
        ):  # fmt: skip
            self.data = self.sections[kind]
            section()
        result = Program(self.functions)
        self.data = self.sections[Kind.STATE]
        result.root = self.state()
        self.data = self.sections[Kind.METHODS]
        result.methods = self.methods()
        self.verify(result)
        self.data = self.sections.get(Kind.SOURCE, self.data)
        if Kind.SOURCE in self.sections:
            self.source()
        result.metadata = {name: self.utf8(text) for name, text in self.entries(Kind.METADATA).items()}
        result.sources = {path: self.utf8(text) for path, text in self.entries(Kind.TEXT).items()}
        result.extra_files = self.entries(Kind.EXTRA)
        return result

    def verify(self, program: Program) -> None:
        try:
            verify(program)
        except VerifyError as error:
            data = self.sections[Kind.METHODS if not error.function else Kind.FUNCTIONS]
            data.position = 0
            data.fail(str(error))

    # Numbers

    def string(self) -> str:
        return self.strings[self.data.index(len(self.strings), "string")]

    def opt_string(self) -> str:
        index = self.data.opt(len(self.strings), "string")
        return "" if index is None else self.strings[index]

    def name(self) -> str:
        text = self.string()
        self.data.check("\0" not in text, "a name with a zero byte")
        return text

    def type(self) -> Type:
        return self.types[self.data.index(len(self.types), "type")]

    def dtype(self) -> DType:
        number = self.data.u8()
        self.data.check(number < len(DType), f"there is no dtype {number}")
        return DType(number)

    # Tables

    def entries(self, kind: Kind) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        if kind not in self.sections:
            return found
        self.data = self.sections[kind]
        last: bytes | None = None
        for _ in range(self.data.count()):
            name = self.data.name()
            self.data.check(last is None or last < name.encode(), "names that are not sorted and distinct")
            last = name.encode()
            found[name] = self.data.bytes()
        self.data.end()
        return found

    def utf8(self, content: bytes) -> str:
        try:
            return content.decode()
        except UnicodeDecodeError:
            self.data.fail("a text that is not UTF-8")

    def string_section(self) -> None:
        self.strings = self.data.many(self.data.text)
        self.data.check(len(set(self.strings)) == len(self.strings), "two equal strings")
        self.data.end()

    def type_section(self) -> None:
        """Attributes of classes and members of enums are filled in afterwards: they may lie further on."""
        data = self.data
        records: set[bytes] = set()
        self.type_count = data.count()
        for _number in range(self.type_count):
            self.nesting, self.parts = 0, 1
            start = data.position
            kind = self.type_record()
            data.check(self.nesting < MAX_NESTING, f"types nest at most {MAX_NESTING} deep")
            data.check(self.parts <= MAX_TYPE_PARTS, f"a type has at most {MAX_TYPE_PARTS} parts")
            record = bytes(data.view[start : data.position])
            data.check(record not in records, "two equal types")
            records.add(record)
            self.types.append(kind)
            self.type_sizes.append((self.nesting + 1, self.parts))
        data.end()
        for kind, attributes in self.class_attributes:
            kind.attributes.update((name, self.types[index]) for name, index in attributes)

    def type_record(self) -> Type:
        data = self.data
        number = data.u8()
        if number in PRIMITIVES:
            return PRIMITIVES[number]
        if number == 7:
            return self.tensor_type()
        if number == 8:
            return ListType(self.member())
        if number == 9:
            key, value = self.member(), self.member()
            data.check(key.is_hashable, f"{key} cannot be a key")
            return DictType(key, value)
        if number == 10:
            element = self.member()
            data.check(element.is_hashable, f"{element} cannot be in a set")
            return SetType(element)
        if number == 11:
            return self.tuple_type()
        if number == 12:
            name, fields = self.name(), data.many(lambda: (self.name(), self.member()))
            data.check(len(dict(fields)) == len(fields), "two fields of one name")
            return NamedTupleType(name, tuple(fields))
        if number == 13:
            inner = self.member()
            data.check(_is_arm(inner) and inner is not NONE, "an Optional of what is one already")
            return OptionalType(inner)
        if number == 14:
            return self.union_type()
        if number == 17:
            return self.enum_type()
        if number == 18:
            return self.class_type()
        if number == 19:
            params = tuple(data.many(self.member))
            return FunctionType(params, self.member())
        if number == 23:
            return CellType(self.member())
        data.fail(f"there is no kind of type {number}")

    def member(self) -> Type:
        """A type that the record being read is made of."""
        index = self.data.index(len(self.types), "type before this one")
        nesting, parts = self.type_sizes[index]
        self.nesting = max(self.nesting, nesting)
        self.parts += parts
        return self.types[index]

    def tensor_type(self) -> Type:
        dtype = self.data.u8()
        self.data.check(dtype < len(DType) or dtype == 255, f"there is no dtype {dtype}")
        rank = self.data.u8()
        self.data.check(rank <= MAX_RANK or rank == 255, f"a rank is at most {MAX_RANK}")
        shape = None if rank == 255 else tuple(self.data.opt(2**63, "extent") for _ in range(rank))
        return TensorType(None if dtype == 255 else DType(dtype), shape)

    def tuple_type(self) -> Type:
        if self.data.flag():
            return TupleType((self.member(),), is_variadic=True)
        return TupleType(tuple(self.data.many(self.member)))

    def union_type(self) -> Type:
        indices: list[int] = []
        arms = []
        for _ in range(self.data.count()):
            position = self.data.position
            indices.append(self.data.uv())
            self.data.position = position
            arms.append(self.member())
        are_arms = all(map(_is_arm, arms)) and len(set(indices)) == len(indices)
        enough = (3 if NONE in arms else 2) <= len(arms) <= MAX_ARMS and len(set(map(unrefined, arms))) == len(arms)
        self.data.check(are_arms and enough and set(arms) != set(arms_of(SCALAR)), "a malformed Union")
        return UnionType(tuple(arms))

    def enum_type(self) -> Type:
        kind = EnumType(self.name(), self.member(), ())
        members = self.data.many(lambda: (self.name(), self.data.uv()))
        self.data.check(len(dict(members)) == len(members), "two members of one name")
        self.enum_members[id(kind)] = (kind, members)
        return kind

    def class_type(self) -> Type:
        name = self.name()
        flags = self.data.u8()
        self.data.check(flags <= 1, "unknown flags of a class")
        kind = ClassType(name, {}, flags == 1)
        attributes = self.data.many(lambda: (self.name(), self.data.index(self.type_count, "type")))
        self.data.check(len(dict(attributes)) == len(attributes), "two attributes of one name")
        self.data.check(name not in self.class_names, f"two classes are called {name}")
        self.class_names.add(name)
        self.class_attributes.append((kind, attributes))
        return kind

    def storage_section(self) -> None:
        content = self.sections[Kind.DATA]
        end = 0
        host_tensors = iter(self.host_tensors)
        for _ in range(self.data.count()):
            is_bound = self.data.flag()
            offset, size = self.data.uv(), self.data.uv()
            if is_bound:
                self.data.check(self.features & FEATURE_BOUND != 0 and offset == 0, "a bound storage in a file")
                tensor = next(host_tensors, None)
                self.data.check(tensor is not None, "the host gives too few tensors for the bound storages")
                self.storages.append(StorageState(size, None, tensor))
                continue
            is_placed = offset == align(end) and offset <= len(content.view) and size <= len(content.view) - offset
            self.data.check(is_placed, "a storage that is not where it belongs")
            self.data.check(not any(content.view[end:offset]), "padding that is not zero")
            end = offset + size
            self.storages.append(StorageState(size, content.view[offset:end].toreadonly()))
        self.data.end()
        content.position = end
        content.end()

    def tensor_section(self) -> None:
        self.tensors = self.data.many(self.tensor_record)
        self.data.end()

    def tensor_record(self) -> TensorState:
        data = self.data
        storage = self.storages[data.index(len(self.storages), "storage")]
        dtype, rank = self.dtype(), data.u8()
        data.check(rank <= MAX_RANK, f"a rank is at most {MAX_RANK}")
        shape = tuple(data.index(2**63, "extent") for _ in range(rank))
        strides = tuple(data.sv() for _ in range(rank))
        offset = data.uv()
        elements = math.prod(extent for extent in shape if extent)
        data.check(elements * ITEM_SIZES[dtype] < 2**63, "a tensor that is too large")
        if 0 not in shape:
            steps = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
            first = offset + sum(step for step in steps if step < 0)
            last = offset + sum(step for step in steps if step > 0)
            fits = first >= 0 and (last + 1) * ITEM_SIZES[dtype] <= storage.size
            data.check(fits, "a tensor that reaches outside of its storage")
        return TensorState(storage, dtype, shape, strides, offset)

    def constant_section(self) -> None:
        for _ in range(self.data.count()):
            self.nesting, self.parts, self.has_tensor = 0, 1, False
            kind = self.type()
            self.constants.append((kind, self.constant(kind)))
            self.constant_has_tensor.append(self.has_tensor)
            self.data.check(not self.has_tensor or not isinstance(kind, TUPLES), "a constant tuple with a Tensor")
            self.data.check(self.nesting < MAX_NESTING, f"constants nest at most {MAX_NESTING} deep")
            self.data.check(self.parts <= MAX_CONSTANT_PARTS, f"a constant has at most {MAX_CONSTANT_PARTS} parts")
            self.constant_sizes.append((self.nesting + 1, self.parts))
        self.data.end()
        for enum, members in self.enum_members.values():
            enumerators = tuple((name, self.enumerator(index, enum.value_type)) for name, index in members)
            object.__setattr__(enum, "enumerators", enumerators)

    def enumerator(self, index: int, kind: Type) -> PyAny:
        is_right = index < len(self.constants) and self.constants[index][0] is kind
        self.data.check(is_right and not self.constant_has_tensor[index], "a malformed enum")
        return self.constants[index][1]

    def constant(self, kind: Type) -> PyAny:
        data = self.data
        if isinstance(kind, TupleType) and kind.is_variadic:
            return tuple(data.many(lambda: self.element(kind.elements[0])))
        if isinstance(kind, (TupleType, NamedTupleType)):
            return tuple(self.element(member) for member in kind.members)
        if isinstance(kind, OptionalType):
            if bytes(data.view[data.position : data.position + 1]) == b"\0":
                return data.opt(0, "constant")
            return self.element(kind.inner, shift=1)
        if isinstance(kind, TensorType):
            self.has_tensor = True
            return self.tensors[data.index(len(self.tensors), "tensor")]
        if isinstance(kind, EnumType):
            return EnumState(kind, data.index(len(self.enum_members[id(kind)][1]), "member"))
        return self.plain(kind)

    def element(self, kind: Type, shift: int = 0) -> PyAny:
        """A constant before this one that it is made of."""
        index = self.data.index(len(self.constants) + shift, "constant before this one") - shift
        found, value = self.constants[index]
        self.data.check(found is kind, f"a constant of type {kind} is wanted here")
        nesting, parts = self.constant_sizes[index]
        self.has_tensor |= self.constant_has_tensor[index]
        self.nesting = max(self.nesting, nesting)
        self.parts += parts
        return value

    def plain(self, kind: Type) -> PyAny:
        """A value without parts, in a constant or in the state."""
        data = self.data
        if kind == NONE:
            return None
        if kind == BOOL:
            return data.flag()
        if kind == DTYPE:
            return self.dtype()
        if kind == DEVICE:
            return data.index(1, "device")
        if kind == INT:
            return data.sv()
        if kind == FLOAT:
            return data.f64()
        if kind == COMPLEX:
            real = data.f64()
            return complex(real, data.f64())
        if kind == STR:
            return self.string()
        if kind == BYTES:
            return data.bytes()
        if isinstance(kind, EnumType):
            return EnumState(kind, data.index(len(kind.enumerators), "member"))
        data.fail(f"a value of type {kind} cannot be stored")

    def operator_section(self) -> None:
        unknown: list[str] = []
        last: tuple[bytes, bytes] | None = None
        for _ in range(self.data.count()):
            name, overload, since = self.data.name(), self.data.name(), self.data.uv()
            key = (name.encode(), overload.encode())
            self.data.check(last is None or last < key, "operators that are not sorted and distinct")
            last = key
            full_name = f"{name}.{overload}" if overload else name
            row = OPERATORS.get(full_name)
            if row is None or row.name != name:
                unknown.append(f"{full_name} (since {since // 1000}.{since % 1000})")
            self.operators.append(full_name)
        self.data.check(not unknown, f"this version does not have the operators {', '.join(unknown)}")
        self.data.end()

    # Functions

    def function_shells(self) -> None:
        """Makes every function before any is read: constants and calls may point forward."""
        position = self.data.position
        self.functions = [Function("", [], NONE) for _ in range(self.data.count())]
        self.data.position = position

    def function_section(self) -> None:
        self.data.count()
        for function in self.functions:
            self.function(function)
        self.data.end()

    def function(self, function: Function) -> None:
        data = self.data
        function.name = self.name()
        flags = data.u8()
        data.check(flags <= 1, "unknown flags of a function")
        function.has_self = flags == 1
        function.params = data.many(lambda: Param(self.name(), self.type()))
        data.check(not function.has_self or bool(function.params), "a function without the self it should have")
        function.result = self.type()
        self.labels, self.depth = [], 0
        self.values = [function.body.add_param(param.type, param.name) for param in function.params]
        self.numbered = self.all_values[function] = []
        length = data.count()
        end = data.position + length
        data.check(data.count() == 0, "a body's parameters are the function's")
        self.nodes(function.body)
        data.check(data.position == end, "a body of another length")

    def block(self, block: Block) -> None:
        first = len(self.values)
        self.depth += 1
        self.data.check(self.depth <= MAX_NESTING, f"blocks nest at most {MAX_NESTING} deep")
        for _ in range(self.data.count()):
            self.define(block.add_param(self.type()))
        self.nodes(block)
        self.depth -= 1
        for number in range(first, len(self.values)):
            self.values[number] = None

    def nodes(self, block: Block) -> None:
        count = self.data.count()
        self.data.check(count > 0, "a block without nodes")
        for _ in range(count):
            self.node(block)

    def define(self, value: Value) -> None:
        self.values.append(value)
        self.numbered.append(value)

    def operand(self) -> Value:
        value = self.values[self.data.index(len(self.values), "value")]
        if value is None:
            self.data.fail("an operand that is not defined here")
        return value

    def node(self, block: Block) -> None:
        data = self.data
        node = Node(self.op(), data.many(self.operand))
        block.append(node)
        self.fields(node)
        if node.op in ("loop", "block"):
            self.labels.append(node)
        for _ in range(BLOCK_COUNTS.get(node.op, 0)):
            self.block(node.add_block(Block()))
        if node.op in ("loop", "block"):
            self.labels.pop()
        if not node.is_terminator:
            node.results = [Value(self.type(), node, index) for index in range(data.count())]
        if node.op == "const":
            is_typed = len(node.results) == 1 and node.result.type is self.constants[self.constant_index][0]
            data.check(is_typed, "a constant has one result, of its type")
        for result in node.results:
            self.define(result)

    def op(self) -> str:
        code = self.data.uv()
        if code >= FIRST_OPERATOR:
            self.data.check(code - FIRST_OPERATOR < len(self.operators), f"there is no operator {code}")
            return self.operators[code - FIRST_OPERATOR]
        names = list(node_numbers())
        self.data.check(code < len(names), f"there is no node {code}")
        if names[code] == "fused":
            self.data.check(self.minor >= MINOR_FUSED, "the header allows readers that do not know the node fused")
        return names[code]

    def fields(self, node: Node) -> None:
        data, op = self.data, node.op
        if op == "const":
            self.constant_index = data.index(len(self.constants), "constant")
            node.attrs["value"] = self.constants[self.constant_index][1]
        elif op == "call":
            node.attrs["function"] = self.functions[data.index(len(self.functions), "function")]
        elif op in ("break", "continue"):
            node.attrs["target"] = self.labels[-1 - data.index(min(len(self.labels), MAX_NESTING), "label")]
        elif op == "tuple_get":
            node.attrs["index"] = data.index(2**31, "element")
        elif op in ("get_attr", "set_attr"):
            kind = node.operands[0].type if node.operands else NONE
            attributes = list(kind.attributes) if isinstance(kind, ClassType) else []
            node.attrs["name"] = attributes[data.index(len(attributes), "attribute")]
        elif op == "is_type":
            node.attrs["type"] = self.type()

    # State and methods

    def state(self) -> PyAny:
        """The objects are read twice: first for their types, because contents may refer forward."""
        start = self.data.position
        for _ in range(2):
            self.data.position = start
            count = self.data.count()
            self.object_count = count
            states = [self.object(number) for number in range(count)]
            self.objects = states
        root = self.data.opt(len(self.objects), "object")
        self.data.end()
        if root is None:
            return None
        kind = self.objects[root].type
        self.data.check(isinstance(kind, ClassType) and kind.is_module, "the root must be a module")
        return self.objects[root]

    def object(self, number: int) -> PyAny:
        kind = self.type()
        state = self.objects[number] if self.objects else self.empty_state(kind)
        if isinstance(state, ObjectState):
            for name, attribute in state.type.attributes.items():
                if self.data.flag():
                    state.attributes[name] = self.value(attribute)
        elif isinstance(state, DictState):
            state.items = self.data.many(lambda: (self.value(state.type.key), self.value(state.type.value)))
        else:
            state.items = self.elements(state.type.element)
        return state

    def empty_state(self, kind: Type) -> PyAny:
        for type_class, state_class in STATE_CLASSES:
            if isinstance(kind, type_class):
                return state_class(kind)
        self.data.fail(f"{kind} is no type of objects")

    def value(self, kind: Type) -> PyAny:
        self.depth += 1
        self.data.check(self.depth <= MAX_NESTING, f"values nest at most {MAX_NESTING} deep")
        found = self.value_inside(kind)
        self.depth -= 1
        return found

    def value_inside(self, kind: Type) -> PyAny:
        data = self.data
        if isinstance(kind, OptionalType):
            return self.value(kind.inner) if data.flag() else None
        if isinstance(kind, UnionType) or kind in (SCALAR, ANY):
            arm = self.type()
            is_arm = _is_arm(arm) if kind == ANY else arm in arms_of(kind)
            data.check(is_arm, f"{arm} is no arm of {kind}")
            return with_arm(self.value(arm), arm, kind)
        if isinstance(kind, TupleType) and kind.is_variadic:
            return tuple(self.elements(kind.elements[0]))
        if isinstance(kind, TUPLES):
            data.check(_void_size(kind) <= MAX_VOID, f"at most {MAX_VOID} values without bytes")
            return tuple([self.value(member) for member in kind.members])
        if isinstance(kind, TensorType):
            return self.tensors[data.index(len(self.tensors), "tensor")]
        if isinstance(kind, (ClassType, ListType, DictType, SetType)):
            return self.reference(kind)
        return self.plain(kind)

    def elements(self, kind: Type) -> list[PyAny]:
        """`n * value`; values without bytes are counted instead."""
        size = _void_size(kind)
        if not size:
            return self.data.many(lambda: self.value(kind))
        count = self.data.uv()
        self.data.check(count * size <= MAX_VOID, f"at most {MAX_VOID} values without bytes")
        return [self.value(kind) for _ in range(count)]

    def reference(self, kind: Type) -> PyAny:
        index = self.data.index(self.object_count, "object")
        if not self.objects:
            return None  # first reading
        self.data.check(self.objects[index].type is kind, f"an object of type {kind} is wanted here")
        return self.objects[index]

    def methods(self) -> dict[str, Method]:
        found: dict[str, Method] = {}
        last: bytes | None = None
        for _ in range(self.data.count()):
            method = self.method()
            self.data.check(last is None or last < method.name.encode(), "methods that are not sorted and distinct")
            last = method.name.encode()
            found[method.name] = method
        self.data.end()
        return found

    def method(self) -> Method:
        data = self.data
        name = self.name()
        function = self.functions[data.index(len(self.functions), "function")]
        flags = data.u8()
        data.check(flags <= 1 and (flags == 1) == function.has_self, "flags of a method that are not its function's")
        doc = self.string()
        inner = function.params[1:] if function.has_self else function.params
        data.check(data.count() == len(inner), "a method with another number of parameters than its function")
        mutates = set()
        params = []
        for index, param in enumerate(inner):
            params.append(self.param(param))
            flags = data.u8()
            data.check(flags <= 3, "unknown flags of a parameter")
            params[-1].is_keyword_only = flags & 1 == 1
            if flags & 2:
                data.check(index < 64, "a parameter after the 64th that the call may change")
                mutates.add(index)
        return Method(name, function, params, frozenset(mutates), doc)

    def param(self, param: Param) -> Param:
        default = self.data.opt(len(self.constants), "constant")
        if default is None:
            return Param(param.name, param.type)
        kind, value = self.constants[default]
        self.data.check(kind is param.type, f"the default of {param.name} must be of type {param.type}")
        return Param(param.name, param.type, True, value)

    # Source

    def source(self) -> None:
        files = self.data.many(self.name)
        for function in self.functions:
            self.function_source(function, files)
        self.data.end()

    def function_source(self, function: Function, files: list[str]) -> None:
        data = self.data
        values = [*function.body.params, *self.all_values[function]]
        names = data.many(self.opt_string)
        data.check(len(names) in (0, len(values)), "names for another number of values")
        for value, name in zip(values[len(function.params) :], names[len(function.params) :]):
            value.name = name
        nodes = list(function.walk())
        numbers = data.many(data.uv)
        data.check(len(numbers) in (0, len(nodes)), "locations for another number of nodes")
        locations: list[Location] = []
        depths: list[int] = []
        for _ in range(data.count()):
            locations.append(self.location(files, locations, depths))
        data.check(all(number <= len(locations) for number in numbers), "there is no such location")
        for node, number in zip(nodes, numbers):
            node.location = locations[number - 1] if number else None

    def location(self, files: list[str], locations: list[Location], depths: list[int]) -> Location:
        data = self.data
        file = files[data.index(len(files), "file")]
        line, column, end_line, end_column = (data.index(2**31, "line or column") for _ in range(4))
        function = self.name()
        outer = data.opt(len(locations), "location before this one")
        depths.append(1 if outer is None else depths[outer] + 1)
        data.check(depths[-1] <= MAX_NESTING, f"inlining nests at most {MAX_NESTING} deep")
        inlined_at = None if outer is None else locations[outer]
        return Location(file, line, column, end_line, end_column, function, inlined_at)


def _is_arm(kind: Type) -> bool:
    """Whether a Union may have the arm, and an Any the type."""
    return not isinstance(kind, (OptionalType, UnionType)) and kind is not SCALAR and kind is not ANY


def _void_size(kind: Type) -> int:
    """How many values without bytes a value of the type is, with everything nested in it; 0 if it takes bytes."""
    if kind == NONE:
        return 1
    if not isinstance(kind, TUPLES) or (isinstance(kind, TupleType) and kind.is_variadic):
        return 0
    sizes = [_void_size(member) for member in kind.members]
    return 0 if 0 in sizes else 1 + sum(sizes)


TUPLES = (TupleType, NamedTupleType)
BLOCK_COUNTS = {"if": 2, "loop": 1, "block": 1, "try": 2, "fused": 1}
