"""Types of the IR: immutable and structural (equal fields are equal types); only classes are equal just to themselves.

In: annotations, operator schemas, files. Out: everything that checks or spells a type.
Holds: Optional and Union are built only by `optional()` and `union()`, which flatten, so one meaning has one spelling.
"""

from __future__ import annotations

import builtins
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any as PyAny


class DType(IntEnum):
    """Element types of tensors, numbered as in tsm.h and in files; from float16 on names only, which no tensor has."""

    bool = 0
    uint8 = 1
    int8 = 2
    int16 = 3
    int32 = 4
    int64 = 5
    float32 = 6
    float64 = 7
    bfloat16 = 8
    float16 = 9
    complex64 = 10
    complex128 = 11
    uint16 = 12
    uint32 = 13
    uint64 = 14
    complex32 = 15
    float8_e4m3fn = 16
    float8_e5m2 = 17
    float8_e4m3fnuz = 18
    float8_e5m2fnuz = 19
    float8_e8m0fnu = 20

    @property
    def is_stored(self) -> builtins.bool:
        """Whether tensors can have it."""
        return self <= DType.bfloat16


class Type:
    """A static type. `str(type)` is how Python spells it; `members` are the types it is made of."""

    __slots__ = ()

    @abstractmethod
    def spelled(self, of: Callable[[Type], str]) -> str:
        """The type with its members spelled by `of`."""

    def __str__(self) -> str:
        return self.spelled(str)

    @property
    def members(self) -> tuple[Type, ...]:
        return ()

    @property
    def is_mutable(self) -> bool:
        """Whether a value of this type can change: tensors, containers, instances."""
        return any(member.is_mutable for member in self.members)

    @property
    def is_hashable(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Primitive(Type):
    """A type without members: None, bool, int, float, complex, str, bytes, Scalar, Any, dtype, device, exception."""

    name: str

    def spelled(self, of: Callable[[Type], str]) -> str:
        return self.name

    @property
    def is_mutable(self) -> bool:
        return self.name in ("Any", "exception")  # which may hold what can change

    @property
    def is_hashable(self) -> bool:
        return self.name in ("None", "bool", "int", "float", "complex", "str", "bytes", "dtype", "Scalar", "Any")


NONE = Primitive("None")
BOOL = Primitive("bool")
INT = Primitive("int")
FLOAT = Primitive("float")
COMPLEX = Primitive("complex")
STR = Primitive("str")
BYTES = Primitive("bytes")
SCALAR = Primitive("Scalar")  # Union[bool, int, float, complex]
ANY = Primitive("Any")
DTYPE = Primitive("dtype")
DEVICE = Primitive("device")
EXCEPTION = Primitive("exception")

PRIMITIVES = {t.name: t for t in (NONE, BOOL, INT, FLOAT, COMPLEX, STR, BYTES, SCALAR, ANY, DTYPE, DEVICE, EXCEPTION)}


@dataclass(frozen=True, slots=True)
class TensorType(Type):
    """Tensor, optionally refined: `dtype`, and `shape` with None for an unknown extent (`shape` None: unknown rank)."""

    dtype: DType | None = None
    shape: tuple[int | None, ...] | None = None

    def spelled(self, of: Callable[[Type], str]) -> str:
        parts = [] if self.dtype is None else [self.dtype.name]
        if self.shape is not None:
            parts.append("(" + ", ".join("?" if n is None else str(n) for n in self.shape) + ")")
        return f"Tensor[{', '.join(parts)}]" if parts else "Tensor"

    @property
    def is_mutable(self) -> bool:
        return True


TENSOR = TensorType()


@dataclass(frozen=True, slots=True)
class _Collection(Type):
    element: Type

    def __post_init__(self) -> None:
        """What a set does with its elements."""

    @property
    def members(self) -> tuple[Type, ...]:
        return (self.element,)

    @property
    def is_mutable(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class ListType(_Collection):
    """A list, or with the name "deque" one of `collections`."""

    name: str = "list"

    def spelled(self, of: Callable[[Type], str]) -> str:
        return f"{self.name}[{of(self.element)}]"


class SetType(_Collection):
    __slots__ = ()

    def __post_init__(self) -> None:
        become_keys(self.element)

    def spelled(self, of: Callable[[Type], str]) -> str:
        return f"set[{of(self.element)}]"


@dataclass(frozen=True, slots=True)
class FrozenSetType(Type):
    element: Type

    def __post_init__(self) -> None:
        become_keys(self.element)

    def spelled(self, of: Callable[[Type], str]) -> str:
        return f"frozenset[{of(self.element)}]"

    @property
    def members(self) -> tuple[Type, ...]:
        return (self.element,)

    @property
    def is_hashable(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class DictType(Type):
    """A dict, or with a `name` one of Python's subclasses of dict, whose text and equality differ (DICT_CLASSES)."""

    key: Type
    value: Type
    name: str = "dict"

    def __post_init__(self) -> None:
        become_keys(self.key)

    def spelled(self, of: Callable[[Type], str]) -> str:
        return f"{self.name}[{of(self.key)}, {of(self.value)}]"

    @property
    def members(self) -> tuple[Type, ...]:
        return (self.key, self.value)

    @property
    def is_mutable(self) -> bool:
        return True


DICT_CLASSES = ("dict", "OrderedDict", "Counter", "defaultdict")  # by number, as in files and in the runtime


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """tuple[A, B]; with `is_variadic`, tuple[T, ...] and exactly one element type."""

    elements: tuple[Type, ...]
    is_variadic: bool = False
    is_shape: bool = field(default=False, compare=False)  # a torch.Size in Python; known while compiling only
    is_chain: bool = field(default=False, compare=False)  # a Sequential in Python, a slice of one; known then too

    def spelled(self, of: Callable[[Type], str]) -> str:
        if self.is_variadic:
            return f"tuple[{of(self.elements[0])}, ...]"
        return f"tuple[{', '.join(map(of, self.elements)) or '()'}]"

    @property
    def members(self) -> tuple[Type, ...]:
        return self.elements

    @property
    def is_hashable(self) -> bool:
        return all(element.is_hashable for element in self.elements)


SHAPE = TupleType((INT,), True, True)


@dataclass(frozen=True, slots=True)
class NamedTupleType(Type):
    name: str
    fields: tuple[tuple[str, Type], ...]
    hashes_itself: bool = field(default=False, compare=False)  # as ClassType's; known while compiling only

    def spelled(self, of: Callable[[Type], str]) -> str:
        return self.name

    @property
    def members(self) -> tuple[Type, ...]:
        return tuple(kind for _, kind in self.fields)

    @property
    def is_hashable(self) -> bool:
        return all(member.is_hashable for member in self.members)


@dataclass(frozen=True, slots=True)
class OptionalType(Type):
    """Use `optional()` to make one: the inner type is never None, Optional, Union, Scalar or Any."""

    inner: Type

    def spelled(self, of: Callable[[Type], str]) -> str:
        return f"Optional[{of(self.inner)}]"

    @property
    def members(self) -> tuple[Type, ...]:
        return (self.inner,)

    @property
    def is_hashable(self) -> bool:
        return self.inner.is_hashable


@dataclass(frozen=True, slots=True)
class UnionType(Type):
    """Use `union()` to make one: at least two arms, distinct, in alphabetical order with None last."""

    arms: tuple[Type, ...]

    def spelled(self, of: Callable[[Type], str]) -> str:
        return f"Union[{', '.join(map(of, self.arms))}]"

    @property
    def members(self) -> tuple[Type, ...]:
        return self.arms

    @property
    def is_hashable(self) -> bool:
        return all(arm.is_hashable for arm in self.arms)


@dataclass(frozen=True, slots=True)
class EnumType(Type):
    name: str
    value_type: Type
    enumerators: tuple[tuple[str, PyAny], ...]
    # Known while compiling only:
    is_value: bool = field(default=False, compare=False)  # members are values of that type in Python
    shows_value: bool = field(default=False, compare=False)  # and str() of one is that of its value
    has_texts: bool = field(default=False, compare=False)  # the values here are the texts of those in Python
    is_flag: bool = field(default=False, compare=False)  # members are sets of bits: all combinations are enumerators
    hashes_itself: bool = field(default=False, compare=False)  # as ClassType's

    def spelled(self, of: Callable[[Type], str]) -> str:
        return self.name

    @property
    def is_hashable(self) -> bool:
        return True


@dataclass(eq=False, slots=True)
class ClassType(Type):
    """A scripted class or module. Attributes are added while it is compiled, then fixed; identity is equality.

    `name` is unique in a program ("Net", "Net.1"); attribute order is layout order in files. With a `key`, instances
    are keys of dicts and elements of sets: equal if so many first attributes are, or the same one if it is 0. While
    compiling, `possible_key` is what it will be once a type of a dict or set asks for it.
    """

    name: str
    attributes: dict[str, Type] = field(default_factory=dict)
    is_module: bool = False
    key: int | None = None
    possible_key: int | None = None
    hashes_itself: bool = False  # as a key by its own methods, which scripts call; known while compiling only

    def spelled(self, of: Callable[[Type], str]) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"ClassType({self.name!r})"

    @property
    def is_mutable(self) -> bool:
        return True

    @property
    def is_hashable(self) -> bool:
        return self.key is not None or self.possible_key is not None

    @property
    def key_types(self) -> list[Type]:
        """The types of the attributes that make instances equal."""
        return list(self.attributes.values())[: self.key or self.possible_key or 0]


@dataclass(frozen=True, slots=True)
class FunctionType(Type):
    params: tuple[Type, ...]
    result: Type

    def spelled(self, of: Callable[[Type], str]) -> str:
        return f"Callable[[{', '.join(map(of, self.params))}], {of(self.result)}]"

    @property
    def members(self) -> tuple[Type, ...]:
        return (*self.params, self.result)


@dataclass(frozen=True, slots=True)
class CellType(Type):
    content: Type

    def spelled(self, of: Callable[[Type], str]) -> str:
        return f"cell[{of(self.content)}]"

    @property
    def members(self) -> tuple[Type, ...]:
        return (self.content,)

    @property
    def is_mutable(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class VarType(Type):
    """A type variable of an operator schema: t, k or v."""

    name: str

    def spelled(self, of: Callable[[Type], str]) -> str:
        return self.name


def become_keys(kind: Type) -> None:
    """Makes keys of the instances that values of this type are or hold, and of those that make them equal."""
    if isinstance(kind, ClassType):
        if kind.key is None and kind.possible_key is not None:
            kind.key = kind.possible_key
            for member in kind.key_types:
                become_keys(member)
    elif isinstance(kind, (TupleType, NamedTupleType, OptionalType, UnionType)):
        for member in kind.members:
            become_keys(member)


def arms_of(kind: Type) -> tuple[Type, ...]:
    """The alternatives of a type; a type that has none is its only arm. None is listed last for an Optional."""
    if isinstance(kind, OptionalType):
        return (kind.inner, NONE)
    if isinstance(kind, UnionType):
        return kind.arms
    if kind == SCALAR:
        return (BOOL, INT, FLOAT, COMPLEX)
    return (kind,)


def union(*kinds: Type) -> Type:
    """The smallest type that holds values of all `kinds`; flattened, without repetition."""
    arms: dict[Type, None] = {}
    for kind in kinds:
        for arm in arms_of(kind):
            arms[arm] = None
    if ANY in arms:
        return ANY
    if set(arms) == {BOOL, INT, FLOAT, COMPLEX}:
        return SCALAR
    if len(arms) == 1:
        return next(iter(arms))
    if len(arms) == 2 and NONE in arms:
        return OptionalType(next(arm for arm in arms if arm != NONE))
    return UnionType(tuple(sorted(arms, key=lambda arm: (arm == NONE, str(arm)))))


def optional(kind: Type) -> Type:
    return union(kind, NONE)


def has_arm(wide: Type, narrow: Type) -> bool:
    """Whether `widen` may take `narrow` to `wide` (FORMAT.md, node 23)."""
    if wide == narrow:
        return False
    if wide == ANY:
        return not isinstance(narrow, (CellType, FunctionType))
    if isinstance(wide, TupleType) and wide.is_variadic:
        return (
            isinstance(narrow, TupleType)
            and not narrow.is_variadic
            and all(element == wide.elements[0] for element in narrow.elements)
        )
    if not isinstance(wide, (OptionalType, UnionType)) and wide != SCALAR:
        return False
    return all(arm in arms_of(wide) for arm in arms_of(narrow))


def plain_container(kind: Type) -> Type:
    """A deque or a subclass of dict as the list or dict that operators take it for; any other type as it is."""
    if isinstance(kind, ListType):
        return ListType(kind.element)
    return DictType(kind.key, kind.value) if isinstance(kind, DictType) else kind


def dict_class_number(name: str) -> int:
    """The number of a subclass of dict; a defaultdict whose factory is a function is "defaultdict.1" and so on."""
    base, _, suffix = name.partition(".")
    return DICT_CLASSES.index(base) + int(suffix or 0)


def dict_class_name(number: int) -> str:
    """The reverse of `dict_class_number`."""
    last = len(DICT_CLASSES) - 1
    return DICT_CLASSES[number] if number <= last else f"{DICT_CLASSES[last]}.{number - last}"


def map_members(kind: Type, change: Callable[[Type], Type]) -> Type:
    """`kind` with `change` applied to the types it is made of."""
    if isinstance(kind, ListType):
        return ListType(change(kind.element), kind.name)
    if isinstance(kind, SetType):
        return SetType(change(kind.element))
    if isinstance(kind, FrozenSetType):
        return FrozenSetType(change(kind.element))
    if isinstance(kind, DictType):
        return DictType(change(kind.key), change(kind.value), kind.name)
    if isinstance(kind, TupleType):
        return TupleType(tuple(map(change, kind.elements)), kind.is_variadic, kind.is_shape, kind.is_chain)
    if isinstance(kind, NamedTupleType):
        fields = tuple((name, change(member)) for name, member in kind.fields)
        return NamedTupleType(kind.name, fields, kind.hashes_itself)
    if isinstance(kind, (OptionalType, UnionType)):
        return union(*(arm if arm == NONE else change(arm) for arm in arms_of(kind)))
    if isinstance(kind, CellType):
        return CellType(change(kind.content))
    if isinstance(kind, FunctionType):
        return FunctionType(tuple(map(change, kind.params)), change(kind.result))
    return kind


def unrefined(kind: Type) -> Type:
    """`kind` with every tensor refinement removed: what the runtime believes of a file's type."""
    if kind.__class__ is Primitive:
        return kind
    return TENSOR if isinstance(kind, TensorType) else map_members(kind, unrefined)


def is_shape(kind: Type) -> bool:
    """Whether values of this type are what PyTorch has as torch.Size."""
    return isinstance(kind, TupleType) and kind.is_shape


def holds_shapes(kind: Type) -> bool:
    return is_shape(kind) or any(map(holds_shapes, kind.members))


def has_instances(kind: Type) -> bool:
    """Whether keys of this type are, or hold, instances of classes."""
    return isinstance(kind, ClassType) or any(map(has_instances, kind.members))


def has_no_state(kind: Type, seen: frozenset[Type] = frozenset()) -> bool:
    """Whether values of a type are, or hold, what the STATE of a file has no form for: deques, instances as keys."""
    if kind in seen:
        return False
    if isinstance(kind, ListType) and kind.name == "deque":
        return True
    if isinstance(kind, (DictType, SetType, FrozenSetType)) and has_instances(kind.members[0]):
        return True
    members = tuple(kind.attributes.values()) if isinstance(kind, ClassType) else kind.members
    return any(has_no_state(member, seen | {kind}) for member in members)
