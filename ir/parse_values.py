"""Constants, enums and the state of a program: what a listing says of values.

In: tokens and types. Out: literals, objects, tensors, storages. Holds: objects may refer to one another in circles and
before they are described; a tensor or storage that never is, is an error at the end.
"""

from __future__ import annotations

import base64
import binascii
import struct
from typing import Any as PyAny

from .parse_tokens import Token
from .parse_types import TypeParser
from .state import (
    STATE_CLASSES,
    DictState,
    EnumState,
    FrozenSetState,
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
    SCALAR,
    STR,
    ClassType,
    DictType,
    DType,
    EnumType,
    FrozenSetType,
    ListType,
    NamedTupleType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)

MISSING = StorageState(-1)


class ValueParser(TypeParser):
    """Adds literals and state."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.tensors: dict[int, TensorState] = {}
        self.storages: dict[int, StorageState] = {}
        self.objects: dict[str, PyAny] = {}

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
        if isinstance(kind, FrozenSetType):
            self.expect("frozenset")
            self.expect("(")
            return FrozenSetState(kind, tuple(self.items(lambda: self.literal(kind.element), ")")))
        if isinstance(kind, EnumType):
            return self.enum_literal(kind)
        if isinstance(kind, TensorType):
            self.expect("tensor")
            return self.tensors.setdefault(self.count(), TensorState(MISSING, DType.bool, (), ()))
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

    # State

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

    def empty_state(self, token: Token, kind: Type) -> PyAny:
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

    # Tensors

    def tensor_record(self) -> None:
        tensor = self.tensors.setdefault(self.count(), TensorState(MISSING, DType.bool, (), ()))
        self.expect(":")
        tensor.dtype = self.tensor_dtype()
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
