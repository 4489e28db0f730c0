"""Types as a listing spells them, and the declarations of named tuples and classes.

In: tokens. Out: Types. Holds: a class may be used before it is declared; one that never is, is an error at the end.
"""

from __future__ import annotations

from collections.abc import Callable

from .parse_tokens import Token, TokenParser
from .types import (
    DICT_CLASSES,
    PRIMITIVES,
    CellType,
    ClassType,
    DictType,
    DType,
    FrozenSetType,
    FunctionType,
    ListType,
    NamedTupleType,
    SetType,
    TensorType,
    TupleType,
    Type,
    optional,
    union,
)


class TypeParser(TokenParser):
    """Adds types."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.types: dict[str, Type] = dict(PRIMITIVES)
        self.undeclared: dict[str, Token] = {}

    def declare(self, token: Token, spelling: str, kind: Type) -> None:
        if spelling in self.types:
            self.fail(f"type {spelling} is declared twice", token)
        self.types[spelling] = kind

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
            kind.is_module = self.take("module")
            if not kind.is_module or self.take(","):
                self.expect("key")
                kind.key = self.count()
            self.expect(")")
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
        if word in ONE_MEMBER and self.peek("["):
            return ONE_MEMBER[word](self.bracketed(1)[0])
        if word.partition(".")[0] in DICT_CLASSES and self.peek("["):
            key, value = self.bracketed(2)
            return DictType(key, value, word)
        if word == "Union":
            return union(*self.bracketed(0))
        if word == "tuple":
            return self.tuple_type()
        if word == "Callable":
            return self.callable_type()
        if word not in self.types:
            self.types[word] = ClassType(self.class_name(token))
            self.undeclared[word] = token
        return self.types[word]

    def class_name(self, used: Token) -> str:
        """The real name of a class that is used before it is declared: the arms of a Union stand in its order."""
        for place, token in enumerate(self.tokens[:-2]):
            named = self.tokens[place + 1]
            if token.kind == named.kind == "name" and token.text == "class" and named.text == used.text:
                here, self.index = self.index, place + 1
                name = self.spelled()[1]
                self.index = here
                return name
        return used.text

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
        dtype = None if self.peek("(") else self.tensor_dtype()
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

    def tensor_dtype(self) -> DType:
        dtype = self.dtype()
        if not dtype.is_stored:
            self.fail(f"there is no tensor of dtype {dtype.name!r}")
        return dtype


ONE_MEMBER: dict[str, Callable[[Type], Type]] = {
    "list": ListType, "deque": lambda element: ListType(element, "deque"), "set": SetType,
    "frozenset": FrozenSetType, "cell": CellType, "Optional": optional,
}  # fmt: skip
