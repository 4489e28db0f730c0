"""Bytes that may be anything to a Program; `writer` is the mirror image, function for function.

In: a file. Out: a verified Program, or FormatError with section and offset.
Holds: nothing the bytes say is believed: indices, counts, nesting and sizes are checked before they are used, and the
functions pass the verifier before anybody sees them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any as PyAny

from ..ir.graph import Block, Function, Location, Method, Node, Param, Program, Value
from ..ir.operators import OPERATORS, node_numbers
from ..ir.types import NONE, ClassType
from ..ir.verify import VerifyError, verify
from .container import MINOR_FUSED, Kind
from .errors import FormatError
from .read_types import MAX_NESTING
from .read_values import ValueReader
from .writer import FIRST_OPERATOR

BLOCK_COUNTS = {"if": 2, "loop": 1, "block": 1, "try": 2, "fused": 1}


def read(data: memoryview, bound: Sequence[PyAny] = (), check_data: bool = False) -> Program:
    """The program of a file; `bound` are the tensors that an in-memory image left with its host."""
    try:
        return _Reader(data, bound, check_data).program()
    except RecursionError:
        raise FormatError("nested too deep") from None


class _Reader(ValueReader):
    def __init__(self, file: memoryview, bound: Sequence[PyAny], check_data: bool) -> None:
        super().__init__(file, bound, check_data)
        self.controls = tuple(node_numbers())
        self.operators: list[str] = []
        self.functions: list[Function] = []
        self.values: list[Value | None] = []  # None: its block has ended
        self.numbered: list[Value] = []
        self.all_values: dict[Function, list[Value]] = {}
        self.labels: list[Node] = []
        self.constant_index = 0  # of the const node being read

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
            if code - FIRST_OPERATOR >= len(self.operators):
                self.data.fail(f"there is no operator {code}")
            return self.operators[code - FIRST_OPERATOR]
        if code >= len(self.controls):
            self.data.fail(f"there is no node {code}")
        name = self.controls[code]
        if name == "fused":
            self.data.check(self.minor >= MINOR_FUSED, "the header allows readers that do not know the node fused")
        return name

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

    # Methods

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
