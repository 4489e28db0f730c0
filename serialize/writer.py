"""Program to bytes; `reader` is the mirror image, function for function.

In: a verified Program. Out: the sections of FORMAT.md.
Holds: equal programs give equal bytes: strings, types, constants, tensors, storages and objects are numbered in the
order of first use by a walk over METHODS, STATE, FUNCTIONS, SOURCE.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..ir.graph import Block, Function, Location, Method, Node, Param, Program, Value
from ..ir.operators import OPERATORS, node_numbers
from ..ir.signature import needed_operands
from ..ir.state import StorageState
from ..ir.types import ClassType
from .container import FEATURE_BOUND, MINOR_FUSED, Kind, pack
from .encoder import Encoder
from .write_values import ValueWriter

FIRST_OPERATOR = 32


def write(program: Program, bound: list[StorageState] | None = None) -> bytes:
    """The file of a program. With `bound`, storages of the host and of a file in memory are left out and
    appended to it, in order."""
    return _Writer(program, bound).file()


class _Writer(ValueWriter):
    def __init__(self, program: Program, bound: list[StorageState] | None) -> None:
        super().__init__(bound)
        self.program = program
        self.functions = {function: number for number, function in enumerate(program.functions)}
        names = {node.op for function in program.functions for node in function.walk()}
        self.minor = MINOR_FUSED if "fused" in names else 0
        names -= node_numbers().keys()
        operators = sorted((OPERATORS[name] for name in names), key=lambda o: (o.name.encode(), o.overload.encode()))
        self.operators = {operator.full_name: number for number, operator in enumerate(operators)}
        self.values: dict[Value, int] = {}
        self.labels: list[Node] = []

    def file(self) -> bytes:
        sections: dict[Kind, bytes | bytearray] = {}
        order: list[tuple[Kind, Callable[[], None]]] = [
            (Kind.METHODS, self.methods), (Kind.STATE, partial(self.state, self.program.root)),
            (Kind.FUNCTIONS, self.function_section), (Kind.SOURCE, self.source),
            (Kind.OPERATORS, self.operator_section), (Kind.TYPES, self.type_section),
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
        return pack(sections, FEATURE_BOUND if is_bound else 0, self.minor)

    # Tables

    def metadata(self) -> None:
        self.entries({key: value.encode() for key, value in self.program.metadata.items()})

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

    # Methods

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
