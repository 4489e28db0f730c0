"""The strings and types of a file, and what every other section is read with.

In: bytes that may be anything. Out: strings and Types. Holds: a type is made of types before it, so it cannot contain
itself; its nesting and parts are limited; attributes of classes and members of enums may lie further on.
"""

from __future__ import annotations

from ..ir.types import (
    ANY,
    NONE,
    SCALAR,
    CellType,
    ClassType,
    DictType,
    DType,
    EnumType,
    FrozenSetType,
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
    dict_class_name,
    unrefined,
)
from .container import MINOR_DICT_CLASS, MINOR_FROZENSET, MINOR_KEYS, Kind, unpack
from .write_types import PRIMITIVE_KINDS, minor_of_key

MAX_NESTING = 200
MAX_TYPE_PARTS = 10_000
MAX_ARMS = 64
MAX_RANK = 32
MAX_DICT_CLASS = 65_535
PRIMITIVES = {number: kind for kind, number in PRIMITIVE_KINDS.items()}
TUPLES = (TupleType, NamedTupleType)


class TypeReader:
    """Reads from `data`, the section that is its turn; each further class of the reader adds sections."""

    def __init__(self, file: memoryview, check_data: bool) -> None:
        self.sections, self.features, self.minor = unpack(file, check_data)
        self.data = self.sections[Kind.STRINGS]
        self.strings: list[str] = []
        self.types: list[Type] = []
        self.type_count = 0
        self.type_sizes: list[tuple[int, int]] = []  # nesting, parts
        self.nesting = self.parts = 0  # of the type or constant being read
        self.class_attributes: list[tuple[ClassType, list[tuple[str, int]]]] = []
        self.class_names: set[str] = set()
        self.enum_members: dict[int, tuple[EnumType, list[tuple[str, int]]]] = {}

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

    def tensor_dtype(self) -> DType:
        dtype = self.dtype()
        self.data.check(dtype.is_stored, f"there is no tensor of dtype {dtype.name}")
        return dtype

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
            return DictType(self.key("a key"), self.member())
        if number == 10:
            return SetType(self.key("in a set"))
        if number == 24:
            data.check(self.minor >= MINOR_FROZENSET, "the header allows readers that do not know frozensets")
            return FrozenSetType(self.key("in a set"))
        if number == 26:
            data.check(self.minor >= MINOR_DICT_CLASS, "the header allows readers that do not know deques")
            return ListType(self.member(), "deque")
        if number == 25:
            return self.dict_class_type()
        if number == 11:
            return self.tuple_type()
        if number == 12:
            name, fields = self.name(), data.many(lambda: (self.name(), self.member()))
            data.check(len(dict(fields)) == len(fields), "two fields of one name")
            return NamedTupleType(name, tuple(fields))
        if number == 13:
            inner = self.member()
            data.check(is_arm(inner) and inner is not NONE, "an Optional of what is one already")
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

    def key(self, what: str) -> Type:
        """The type of a dict's keys or a set's elements."""
        kind = self.member()
        if not kind.is_hashable or self.minor < minor_of_key(kind):
            self.data.fail(f"{kind} cannot be {what}")
        return kind

    def dict_class_type(self) -> Type:
        self.data.check(
            self.minor >= MINOR_DICT_CLASS, "the header allows readers that do not know subclasses of dict"
        )
        number = self.data.uv()
        self.data.check(1 <= number <= MAX_DICT_CLASS, f"there is no subclass {number} of dict")
        return DictType(self.key("a key"), self.member(), dict_class_name(number))

    def tensor_type(self) -> Type:
        dtype = self.data.u8()
        self.data.check(dtype <= DType.bfloat16 or dtype == 255, f"there is no dtype {dtype}")
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
        are_arms = all(map(is_arm, arms)) and len(set(indices)) == len(indices)
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
        self.data.check(flags <= 3, "unknown flags of a class")
        key = None
        if flags & 2:
            self.data.check(self.minor >= MINOR_KEYS, "the header allows readers that do not know instances as keys")
            key = self.data.uv()
        kind = ClassType(name, {}, bool(flags & 1), key)
        attributes = self.data.many(lambda: (self.name(), self.data.index(self.type_count, "type")))
        self.data.check(len(dict(attributes)) == len(attributes), "two attributes of one name")
        self.data.check((key or 0) <= len(attributes), "a key of more attributes than the class has")
        self.data.check(name not in self.class_names, f"two classes are called {name}")
        self.class_names.add(name)
        self.class_attributes.append((kind, attributes))
        return kind


def is_arm(kind: Type) -> bool:
    """Whether a Union may have the arm, and an Any the type."""
    return not isinstance(kind, (OptionalType, UnionType)) and kind is not SCALAR and kind is not ANY
