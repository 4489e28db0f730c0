"""Reads the text form that `printer` writes.

In: a listing. Out: a Program (not verified). ParseError names line and column of what is wrong.
Holds: white space is free, and comments are, except those that are locations: they belong to the node whose line they
end. Every listing the printer writes is read back without loss.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import struct
from collections.abc import Callable
from typing import Any as PyAny
from typing import NoReturn, TypeVar

from .graph import Block, Function, Location, Method, Node, Param, Program, Value
from .state import (
    STATE_CLASSES,
    DictState,
    EnumState,
    ObjectState,
    StorageState,
    TensorState,
    with_arm,
)
from .types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DEVICE,
    DTYPE,
    FLOAT,
    INT,
    NONE,
    PRIMITIVES,
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
    optional,
    union,
)

MAX_NESTING = 200
T = TypeVar("T")


class ParseError(ValueError):
    """A listing that breaks the grammar; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


_STRING = r'"(?:[^"\\\n]|\\.)*"'
_TOKEN = re.compile(
    rf"""(?P<space>[ \t\r]+) | (?P<line>\n) | (?P<comment>\#[^\n]*)
    | (?P<value>%(?:{_STRING}|\w+)(?:\.\d+)?) | (?P<label>@\w+) | (?P<string>{_STRING})
    | (?P<number>-?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|inf\b))
    | (?P<name>[^\W\d]\w*(?:\.\w+)*(?:~\d+)?) | (?P<sign>->|\.\.\.|[-=:;,(){{}}\[\]!*?])""",
    re.VERBOSE,
)
_LOCATION = re.compile(
    rf"({_STRING}|[^\s\":]+):(\d+):(\d+)(?:-(?:(\d+):)?(\d+))?(?: in ({_STRING}|[^\s\"]+))?(?: < |$)"
)


def parse(text: str) -> Program:
    """The program of a listing; ParseError when it is malformed."""
    try:
        return _Parser(text).program()
    except RecursionError:
        raise ParseError("the listing is nested too deep", 1, 1) from None


def parse_location(text: str) -> Location | None:
    """The location that a comment spells, or None if it is just a comment."""
    links = []
    position = 0
    while position < len(text):
        match = _LOCATION.match(text, position)
        if match is None:
            return None
        links.append(match.groups())
        position = match.end()
    location: Location | None = None
    for file, line, column, end_line, end_column, function in reversed(links):
        file = json.loads(file) if file.startswith('"') else file
        function = json.loads(function) if function and function.startswith('"') else function or ""
        ends = (0, 0) if end_column is None else (int(end_line or line), int(end_column))
        location = Location(file, int(line), int(column), *ends, function, location)
    return location


class _Token:
    __slots__ = ("kind", "position", "text")

    def __init__(self, kind: str, text: str, position: int) -> None:
        self.kind, self.text, self.position = kind, text, position


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self.scan()
        self.index = 0
        self.types: dict[str, Type] = dict(PRIMITIVES)
        self.undeclared: dict[str, _Token] = {}
        self.functions: dict[str, Function] = {}
        self.tensors: dict[int, TensorState] = {}
        self.storages: dict[int, StorageState] = {}
        self.objects: dict[str, PyAny] = {}
        self.result = Program()
        self.values: dict[str, Value] = {}
        self.labels: dict[str, Node] = {}
        self.begun: Node | None = None  # the node that a location comment belongs to
        self.depth = 0

    # Tokens

    def scan(self) -> list[_Token]:
        tokens = []
        position = 0
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                self.fail_at(position, f"unexpected {self.text[position]!r}")
            kind = match.lastgroup or ""
            if kind == "comment":
                tokens.append(_Token(kind, match.group()[1:].strip(), position))
            elif kind not in ("space", "line"):
                tokens.append(_Token(kind, match.group(), position))
            position = match.end()
        tokens.append(_Token("end", "end of text", position))
        return tokens

    def fail_at(self, position: int, message: str) -> NoReturn:
        line = self.text.count("\n", 0, position) + 1
        column = position - (self.text.rfind("\n", 0, position) + 1) + 1
        raise ParseError(message, line, column)

    def fail(self, message: str, token: _Token | None = None) -> NoReturn:
        self.fail_at((token or self.next).position, message)

    @property
    def next(self) -> _Token:
        while self.tokens[self.index].kind == "comment":
            self.attach(self.tokens[self.index].text)
            self.index += 1
        return self.tokens[self.index]

    def attach(self, comment: str) -> None:
        if self.begun is None:
            return
        location = parse_location(comment)
        if location is not None:
            self.begun.location = location
            self.begun = None

    def peek(self, text: str) -> bool:
        token = self.next
        return token.text == text and token.kind in ("sign", "name", "number")

    def take(self, text: str) -> bool:
        if not self.peek(text):
            return False
        self.index += 1
        return True

    def expect(self, text: str) -> None:
        if not self.take(text):
            self.fail(f"expected {text!r}, found {self.next.text!r}")

    def token(self, kind: str, what: str) -> _Token:
        token = self.next
        if token.kind != kind:
            self.fail(f"expected {what}, found {token.text!r}")
        self.index += 1
        return token

    def string(self) -> str:
        token = self.token("string", "a text in quotes")
        try:
            text: str = json.loads(token.text)
            text.encode()
        except ValueError:
            self.fail("a malformed text", token)
        return text

    def strings(self) -> list[str]:
        texts = [self.string()]
        while self.next.kind == "string":
            texts.append(self.string())
        return texts

    def integer(self) -> int:
        token = self.token("number", "an integer")
        if not re.fullmatch(r"-?\d{1,20}", token.text):
            self.fail("expected an integer of 64 bits", token)
        return int(token.text)

    def count(self) -> int:
        token = self.next
        number = self.integer()
        if not 0 <= number < 2**63:
            self.fail("expected a count", token)
        return number

    def name(self) -> str:
        """A name as it is, or quoted."""
        if self.next.kind == "string":
            return self.string()
        if self.peek("inf"):
            self.index += 1
            return "inf"
        return self.token("name", "a name").text

    def spelled(self, names: Callable[[str], str] | None = None) -> tuple[str, str]:
        """A declared name: its spelling, and the real name that may follow it."""
        spelling = "inf" if self.take("inf") else self.token("name", "a name").text
        return spelling, self.string() if self.take("=") else spelling

    def items(self, item: Callable[[], T], end: str, separator: str = ",") -> list[T]:
        """Items up to and including `end`."""
        found: list[T] = []
        while not self.take(end):
            if found and not self.take(separator) and separator == ",":
                self.fail(f"expected ',' or {end!r}, found {self.next.text!r}")
            found.append(item())
        return found

    def nested(self, item: Callable[[], T]) -> T:
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"nested more than {MAX_NESTING} deep")
        found = item()
        self.depth -= 1
        return found

    # The program

    def program(self) -> Program:
        self.declare_functions()
        sections = {
            "enum": self.enum, "namedtuple": self.named_tuple, "class": self.klass, "fn": self.function,
            "method": self.method, "state": self.state, "tensor": self.tensor_record, "storage": self.storage,
            "metadata": self.metadata, "extra": self.extra, "source": self.source,
        }  # fmt: skip
        while self.next.kind != "end":
            token = self.token("name", "a section")
            if token.text not in sections:
                self.fail(f"there is no section {token.text!r}", token)
            sections[token.text]()
        self.finish()
        return self.result

    def finish(self) -> None:
        for token in self.undeclared.values():
            self.fail(f"the type {token.text} is not declared", token)
        for tensor in self.tensors.values():
            if tensor.storage is _MISSING:
                self.fail("a tensor that is used is not described")
        for storage in self.storages.values():
            if storage.data is None:
                self.fail("a storage that is used has no bytes")

    def declare_functions(self) -> None:
        """Makes every function before any is read, so that calls may point forward."""
        for before, token in zip(self.tokens, self.tokens[1:]):
            is_declaration = before.text == "fn" and before.kind == "name" and self.is_line_start(before.position)
            if is_declaration and token.kind in ("name", "number"):
                if token.text in self.functions:
                    self.fail(f"function {token.text} is defined twice", token)
                self.functions[token.text] = Function("", [], NONE)

    def is_line_start(self, position: int) -> bool:
        return position == 0 or self.text[position - 1] == "\n"

    # Types

    def declare(self, token: _Token, spelling: str, kind: Type) -> None:
        if spelling in self.types:
            self.fail(f"type {spelling} is declared twice", token)
        self.types[spelling] = kind

    def enum(self) -> None:
        token = self.next
        spelling, name = self.spelled()
        self.expect(":")
        value_type = self.type()
        self.expect("{")

        def member() -> tuple[str, PyAny]:
            member_name = self.name()
            self.expect("=")
            return member_name, self.literal(value_type)

        self.declare(token, spelling, EnumType(name, value_type, tuple(self.items(member, "}", ";"))))

    def named_tuple(self) -> None:
        token = self.next
        spelling, name = self.spelled()
        self.expect("{")
        self.declare(token, spelling, NamedTupleType(name, tuple(self.items(self.field, "}", ";"))))

    def field(self) -> tuple[str, Type]:
        name = self.name()
        self.expect(":")
        return name, self.type()

    def klass(self) -> None:
        token = self.next
        spelling, name = self.spelled()
        kind = self.types.get(spelling)
        if self.undeclared.pop(spelling, None) is None:
            kind = ClassType(name)
            self.declare(token, spelling, kind)
        assert isinstance(kind, ClassType)
        kind.name = name
        if self.take("("):
            self.expect("module")
            self.expect(")")
            kind.is_module = True
        self.expect("{")
        for attribute, attribute_type in self.items(self.field, "}", ";"):
            if attribute in kind.attributes:
                self.fail(f"class {name} has two attributes {attribute}", token)
            kind.attributes[attribute] = attribute_type

    def type(self) -> Type:
        return self.nested(self.type_inside)

    def type_inside(self) -> Type:
        token = self.token("name", "a type")
        word = token.text
        if word == "Tensor":
            return self.tensor_type() if self.take("[") else TensorType()
        if word in _ONE_MEMBER:
            return _ONE_MEMBER[word](self.bracketed(1)[0])
        if word == "dict":
            key, value = self.bracketed(2)
            return DictType(key, value)
        if word == "Union":
            return union(*self.bracketed(0))
        if word == "tuple":
            return self.tuple_type()
        if word == "Callable":
            return self.callable_type()
        if word not in self.types:
            self.types[word] = ClassType(word)
            self.undeclared[word] = token
        return self.types[word]

    def bracketed(self, count: int) -> list[Type]:
        token = self.next
        self.expect("[")
        kinds = self.items(self.type, "]")
        if not kinds or (count and len(kinds) != count):
            self.fail(f"expected {count or 'some'} types in brackets", token)
        return kinds

    def tuple_type(self) -> Type:
        self.expect("[")
        if self.take("("):
            self.expect(")")
            self.expect("]")
            return TupleType(())
        kinds = [self.type()]
        while self.take(","):
            if self.take("..."):
                self.expect("]")
                return TupleType((kinds[0],), is_variadic=True)
            kinds.append(self.type())
        self.expect("]")
        return TupleType(tuple(kinds))

    def callable_type(self) -> Type:
        self.expect("[")
        self.expect("[")
        params = self.items(self.type, "]")
        self.expect(",")
        result = self.type()
        self.expect("]")
        return FunctionType(tuple(params), result)

    def tensor_type(self) -> Type:
        dtype = None if self.peek("(") else self.dtype()
        shape = None
        if dtype is None or self.take(","):
            self.expect("(")
            shape = tuple(self.items(self.extent, ")"))
        self.expect("]")
        return TensorType(dtype, shape)

    def extent(self) -> int | None:
        return None if self.take("?") else self.count()

    def dtype(self) -> DType:
        token = self.token("name", "a dtype")
        if token.text not in DType.__members__:
            self.fail(f"there is no dtype {token.text!r}", token)
        return DType[token.text]

    # Functions

    def function_name(self) -> Function:
        token = self.next
        spelling = "inf" if self.take("inf") else self.token("name", "a function").text
        if spelling not in self.functions:
            self.fail(f"there is no function {spelling}", token)
        return self.functions[spelling]

    def function(self) -> None:
        spelling, name = self.spelled()
        self.values, self.labels = {}, {}
        if spelling not in self.functions:
            self.fail("`fn` must start its line")
        function = self.functions[spelling]
        function.name = name
        self.expect("(")
        function.has_self = self.take("self")
        for value_name, kind in self.items(self.typed_value, ")"):
            value = function.body.add_param(kind, _plain_name(value_name.text))
            self.define(value_name, value)
            function.params.append(Param(value.name, kind))
        self.expect("->")
        function.result = self.type()
        self.expect("{")
        self.block(function.body)
        self.begun = None
        self.result.functions.append(function)

    def typed_value(self) -> tuple[_Token, Type]:
        token = self.token("value", "a value")
        self.expect(":")
        return token, self.type()

    def define(self, token: _Token, value: Value) -> None:
        if token.text in self.values:
            self.fail(f"{token.text} is defined twice", token)
        self.values[token.text] = value

    def use(self) -> Value:
        token = self.token("value", "a value")
        if token.text not in self.values:
            self.fail(f"{token.text} is not defined here", token)
        return self.values[token.text]

    def block(self, block: Block) -> None:
        """Nodes up to the closing brace; values defined inside end with it."""
        outside = dict(self.values)
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"nested more than {MAX_NESTING} deep")
        while not self.take("}"):
            self.node(block)
        self.depth -= 1
        self.values = outside

    def node(self, block: Block) -> None:
        results = []
        if self.next.kind == "value":
            results = [self.typed_value()]
            while self.take(","):
                results.append(self.typed_value())
            self.expect("=")
        node = Node("", (), [kind for _, kind in results])
        block.append(node)
        self.begun = node
        token = self.token("name", "an operator")
        node.op = token.text
        special = getattr(self, f"node_{node.op}", None)
        if special is not None:
            special(node)
        else:
            self.expect("(")
            self.operands(node)
        for name, value in zip((name for name, _ in results), node.results):
            value.name = _plain_name(name.text)
            self.define(name, value)

    def operands(self, node: Node, end: str = ")") -> None:
        for operand in self.items(self.use, end):
            node.add_operand(operand)

    def optional_operands(self, node: Node) -> None:
        if self.take("("):
            self.operands(node)

    def node_const(self, node: Node) -> None:
        if len(node.results) != 1:
            self.fail("a constant has one result")
        node.attrs["value"] = self.literal(node.result.type)

    def node_call(self, node: Node) -> None:
        node.attrs["function"] = self.function_name()
        self.expect("(")
        self.operands(node)

    def node_if(self, node: Node) -> None:
        self.optional_operands(node)
        self.expect("{")
        self.block(node.add_block(Block()))
        self.expect("else")
        self.expect("{")
        self.block(node.add_block(Block()))

    def node_loop(self, node: Node) -> None:
        self.label(node)
        self.node_fused(node)

    def node_fused(self, node: Node) -> None:
        body = node.add_block(Block())
        outside = dict(self.values)
        self.expect("(")
        for name, kind, initial in self.items(self.loop_param, ")"):
            node.add_operand(initial)
            self.define(name, body.add_param(kind, _plain_name(name.text)))
        self.expect("{")
        self.block(body)
        self.values = outside

    def loop_param(self) -> tuple[_Token, Type, Value]:
        name = self.token("value", "a value")
        kind = self.type() if self.take(":") else None
        self.expect("=")
        initial = self.use()
        return name, kind or initial.type, initial

    def node_block(self, node: Node) -> None:
        self.label(node)
        self.expect("{")
        self.block(node.add_block(Block()))

    def label(self, node: Node) -> None:
        self.labels[self.token("label", "a label").text] = node

    def node_try(self, node: Node) -> None:
        self.expect("{")
        self.block(node.add_block(Block()))
        self.expect("except")
        handler = node.add_block(Block())
        outside = dict(self.values)
        self.expect("(")
        for name, kind in self.items(self.typed_value, ")"):
            self.define(name, handler.add_param(kind, _plain_name(name.text)))
        self.expect("{")
        self.block(handler)
        self.values = outside

    def node_yield(self, node: Node) -> None:
        self.optional_operands(node)

    def node_break(self, node: Node) -> None:
        token = self.token("label", "a label")
        if token.text not in self.labels:
            self.fail(f"there is no label {token.text}", token)
        node.attrs["target"] = self.labels[token.text]
        self.optional_operands(node)

    node_continue = node_break

    def node_return(self, node: Node) -> None:
        node.add_operand(self.use())

    node_raise = node_return

    def node_unreachable(self, node: Node) -> None:
        pass

    def node_tuple_get(self, node: Node) -> None:
        self.expect("(")
        node.add_operand(self.use())
        self.expect(",")
        node.attrs["index"] = self.count()
        self.expect(")")

    def node_get_attr(self, node: Node) -> None:
        self.expect("(")
        node.add_operand(self.use())
        self.expect(",")
        node.attrs["name"] = self.name()
        if node.op == "set_attr":
            self.expect(",")
            node.add_operand(self.use())
        self.expect(")")

    node_set_attr = node_get_attr

    def node_is_type(self, node: Node) -> None:
        self.expect("(")
        node.add_operand(self.use())
        self.expect(",")
        node.attrs["type"] = self.type()
        self.expect(")")

    # Constants

    def literal(self, kind: Type) -> PyAny:
        return self.nested(lambda: self.literal_inside(kind))

    def literal_inside(self, kind: Type) -> PyAny:
        if isinstance(kind, OptionalType):
            return None if self.take("None") else self.literal(kind.inner)
        if isinstance(kind, UnionType) or kind in (SCALAR, ANY):
            arm = self.type()
            return with_arm(self.literal(arm), arm, kind)
        if isinstance(kind, (TupleType, NamedTupleType)):
            return self.tuple_literal(kind)
        if isinstance(kind, EnumType):
            return self.enum_literal(kind)
        if isinstance(kind, TensorType):
            self.expect("tensor")
            return self.tensors.setdefault(self.count(), TensorState(_MISSING, DType.bool, (), ()))
        if isinstance(kind, (ClassType, ListType, DictType, SetType)):
            return self.object(kind)
        return self.plain_literal(kind)

    def tuple_literal(self, kind: TupleType | NamedTupleType) -> PyAny:
        token = self.next
        self.expect("(")
        is_variadic = isinstance(kind, TupleType) and kind.is_variadic
        items: list[PyAny] = []
        while not self.take(")"):
            if items:
                self.expect(",")
            if not is_variadic and len(items) == len(kind.members):
                self.fail(f"too many elements for {kind}")
            items.append(self.literal(kind.members[0 if is_variadic else len(items)]))
        if not is_variadic and len(items) != len(kind.members):
            self.fail(f"expected {len(kind.members)} elements of {kind}", token)
        return tuple(items)

    def enum_literal(self, kind: EnumType) -> PyAny:
        token = self.next
        names = [name for name, _ in kind.enumerators]
        if token.kind == "number" and token.text != "inf":
            index = self.count()
        else:
            name = self.name()
            index = names.index(name) if name in names else len(names)
        if index >= len(names):
            self.fail(f"{kind} has no member {token.text}", token)
        return EnumState(kind, index)

    def plain_literal(self, kind: Type) -> PyAny:
        token = self.next
        if kind == NONE:
            return self.expect("None")
        if kind == BOOL and token.text in ("True", "False"):
            self.index += 1
            return token.text == "True"
        if kind == INT:
            value = self.integer()
            return value if -(2**63) <= value < 2**63 else self.fail("an int has 64 bits", token)
        if kind == FLOAT:
            return self.float()
        if kind == COMPLEX:
            self.expect("complex")
            self.expect("(")
            real = self.float()
            self.expect(",")
            imaginary = self.float()
            self.expect(")")
            return complex(real, imaginary)
        if kind == STR:
            return self.string()
        if kind == BYTES:
            self.expect("bytes")
            return self.hex()
        if kind == DTYPE:
            return self.dtype()
        if kind == DEVICE:
            self.expect("cpu")
            return 0
        self.fail(f"a value of {kind} cannot be written here", token)

    def float(self) -> float:
        token = self.next
        if self.take("nan"):
            if not self.take("("):
                return float("nan")
            bits = self.hex()
            self.expect(")")
            value: float = struct.unpack(">d", bits)[0] if len(bits) == 8 else 0.0
            return value if value != value else self.fail("these are not the bits of a NaN", token)
        return float(self.token("number", "a float").text)

    def hex(self) -> bytes:
        token = self.next
        try:
            return bytes.fromhex(self.string())
        except ValueError:
            self.fail("malformed hexadecimal digits", token)

    # Methods and state

    def method(self) -> None:
        token = self.next
        name = self.name()
        self.expect("=")
        method = Method(name, self.function_name(), [])
        inner = method.function.params[1:] if method.function.has_self else method.function.params
        keyword_only = False
        mutates = set()
        self.expect("(")
        while not self.take(")"):
            if method.params or keyword_only:
                self.expect(",")
            if self.take("*"):
                keyword_only = True
                if method.params:
                    self.expect(",")
                else:
                    self.take(",")
            param_name, index = self.name(), len(method.params)
            if index >= len(inner) or inner[index].name != param_name:
                self.fail(f"{method.function.name} has no parameter {param_name} there", token)
            param = Param(param_name, inner[index].type, is_keyword_only=keyword_only)
            if self.take("!"):
                mutates.add(index)
            if self.take("="):
                param.has_default, param.default = True, self.literal(param.type)
            method.params.append(param)
        if len(method.params) != len(inner) or name in self.result.methods:
            self.fail(f"method {name} does not fit {method.function.name}, or is defined twice", token)
        method.mutates = frozenset(mutates)
        method.doc = self.string() if self.next.kind == "string" else ""
        self.result.methods[name] = method

    def object(self, kind: Type) -> PyAny:
        token = self.token("label", "an object")
        found = self.objects.get(token.text)
        if found is None or found.type != kind:
            self.fail(f"{token.text} is not an object of {kind}", token)
        return found

    def state(self) -> None:
        self.declare_objects()
        self.expect("{")
        while not self.take("}"):
            state = self.objects[self.token("label", "an object").text]
            self.expect(":")
            self.type()
            self.expect("{")
            while not self.take("}"):
                self.content(state)
                self.take(";")

    def declare_objects(self) -> None:
        """Makes every object before its contents are read, so that they may refer forward and in circles."""
        start = self.index
        depth = 0
        self.expect("{")
        while depth >= 0 and self.next.kind != "end":
            token = self.next
            self.index += 1
            depth += (token.text == "{") - (token.text == "}") if token.kind == "sign" else 0
            if token.kind == "label" and depth == 0 and self.take(":"):
                if token.text in self.objects:
                    self.fail(f"{token.text} is defined twice", token)
                self.objects[token.text] = self.empty_state(token, self.type())
        self.index = start
        self.result.root = next(iter(self.objects.values()), None)

    def empty_state(self, token: _Token, kind: Type) -> PyAny:
        for type_class, state_class in STATE_CLASSES:
            if isinstance(kind, type_class):
                return state_class(kind)
        self.fail(f"{kind} is no type of objects", token)

    def content(self, state: PyAny) -> None:
        if isinstance(state, ObjectState):
            token = self.next
            name = self.name()
            if name not in state.type.attributes:
                self.fail(f"{state.type} has no attribute {name}", token)
            self.expect("=")
            state.attributes[name] = self.literal(state.type.attributes[name])
        elif isinstance(state, DictState):
            key = self.literal(state.type.key)
            self.expect(":")
            state.items.append((key, self.literal(state.type.value)))
        else:
            state.items.append(self.literal(state.type.element))

    # Tensors and texts

    def tensor_record(self) -> None:
        tensor = self.tensors.setdefault(self.count(), TensorState(_MISSING, DType.bool, (), ()))
        self.expect(":")
        tensor.dtype = self.dtype()
        self.expect("(")
        tensor.shape = tuple(self.items(self.count, ")"))
        self.expect("strides")
        self.expect("(")
        tensor.strides = tuple(self.items(self.integer, ")"))
        self.expect("offset")
        tensor.offset = self.count()
        self.expect("in")
        self.expect("storage")
        tensor.storage = self.storages.setdefault(self.count(), StorageState(0))

    def storage(self) -> None:
        storage = self.storages.setdefault(self.count(), StorageState(0))
        self.expect("=")
        storage.data = self.hex() if self.take("hex") else self.base64()
        storage.size = len(storage.data)

    def base64(self) -> bytes:
        self.expect("base64")
        token = self.next
        try:
            return b"".join(base64.b64decode(text, validate=True) for text in self.strings())
        except binascii.Error:
            self.fail("malformed base64", token)

    def metadata(self) -> None:
        key = self.string()
        self.expect("=")
        self.result.metadata[key] = self.string()

    def extra(self) -> None:
        name = self.string()
        self.expect("=")
        self.result.extra_files[name] = self.base64()

    def source(self) -> None:
        path = self.string()
        self.expect("=")
        self.result.sources[path] = "".join(self.strings())


_ONE_MEMBER: dict[str, Callable[[Type], Type]] = {
    "list": ListType, "set": SetType, "cell": CellType, "Optional": optional,
}  # fmt: skip
_MISSING = StorageState(-1)


def _plain_name(text: str) -> str:
    """The user's name in "%x.1" or "%\"any text\".1"; "" for the number of a temporary."""
    body = text[1:]
    if body.startswith('"'):
        end = body.rindex('"') + 1
        return str(json.loads(body[:end]))
    return "" if body[0].isdigit() else body.partition(".")[0]
