"""Operator schemas: text such as "(Tensor(a!) self, int[1] dim, *, dtype? dtype=None) -> Tensor(a!)" into types.

In: the schema column of the operator table; its grammar is the legend of ops.def. Out: `Schema`.
Holds: `Scalar?` is Union[bool, int, float, complex, None], as everywhere; t, k and v are `VarType`s.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any as PyAny

from .types import (
    PRIMITIVES,
    TENSOR,
    DictType,
    DType,
    FrozenSetType,
    ListType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    VarType,
    optional,
)


@dataclass(frozen=True, slots=True)
class SchemaParam:
    """A parameter. `alias` is its mark ("a" or ""), `fill` the n of int[n]: the length of the list one int fills."""

    name: str
    type: Type
    has_default: bool = False
    default: PyAny = None  # a Python value: DType for dtypes, a list for lists
    is_keyword_only: bool = False
    alias: str = ""
    is_written: bool = False
    fill: int = 0


@dataclass(frozen=True, slots=True)
class Schema:
    """Parameters and results. Names of results are "" where the text gives none; aliases likewise."""

    params: tuple[SchemaParam, ...]
    results: tuple[Type, ...]
    result_names: tuple[str, ...]
    result_aliases: tuple[str, ...]


class SchemaError(ValueError):
    """A schema text that breaks the grammar."""


_TOKEN = re.compile(r"\s*(\(\.\.\.\)|\([a-z]!?\)|->|'[^']*'|-?\d[\d.]*(?:e[+-]?\d+)?|\w+|[()\[\],*=?])")
_NAMED: dict[str, Type] = {**PRIMITIVES, "Tensor": TENSOR}


def parse_schema(text: str) -> Schema:
    """Schema of a table row; SchemaError names the text when it is malformed."""
    return _Parser(text).schema()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = []
        position = 0
        while match := _TOKEN.match(text, position):
            self.tokens.append(match.group(1))
            position = match.end()
        if text[position:].strip():
            self.fail(f"unexpected {text[position:]!r}")
        self.tokens.append("")
        self.position = 0
        self.alias, self.is_written, self.fill = "", False, 0

    def fail(self, why: str) -> PyAny:
        raise SchemaError(f"schema {self.text!r}: {why}")

    @property
    def next(self) -> str:
        return self.tokens[self.position]

    def take(self, token: str) -> bool:
        if self.next != token:
            return False
        self.position += 1
        return True

    def expect(self, token: str) -> None:
        if not self.take(token):
            self.fail(f"expected {token!r}, found {self.next!r}")

    def word(self) -> str:
        token = self.next
        if not re.fullmatch(r"[A-Za-z_]\w*", token):
            self.fail(f"expected a name, found {token!r}")
        self.position += 1
        return token

    def schema(self) -> Schema:
        params: list[SchemaParam] = []
        keyword_only = False
        self.expect("(")
        while not self.take(")"):
            if params:
                self.expect(",")
            if self.take("*"):
                keyword_only = True
                self.expect(",")
            params.append(self.param(keyword_only))
        self.expect("->")
        return Schema(tuple(params), *self.results())

    def param(self, keyword_only: bool) -> SchemaParam:
        kind = self.type()
        alias, is_written, fill = self.alias, self.is_written, self.fill
        name = self.word()
        if not self.take("="):
            return SchemaParam(name, kind, False, None, keyword_only, alias, is_written, fill)
        default = self.default(kind, fill)
        return SchemaParam(name, kind, True, default, keyword_only, alias, is_written, fill)

    def default(self, kind: Type, fill: int) -> PyAny:
        tokens = [self.next]
        self.position += 1
        while tokens[0] == "[" and tokens[-1] != "]":
            if not self.next:
                self.fail("a default without its end")
            tokens.append(self.next)
            self.position += 1
        text = "".join(tokens)
        if kind == PRIMITIVES["dtype"]:
            return DType[text]
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return self.fail(f"{text!r} is no default")
        return [value] * fill if fill and isinstance(value, int) else value

    def results(self) -> tuple[tuple[Type, ...], tuple[str, ...], tuple[str, ...]]:
        if self.next != "(":
            kind = self.type()
            self.end()
            return (kind,), ("",), (self.alias,)
        start = self.position
        self.expect("(")
        kinds, names, aliases = self.items()
        if self.next:  # "(k, v)[]": one result after all
            self.position = start
            kind = self.type()
            kinds, names, aliases = [kind], [""], [self.alias]
        self.end()
        return tuple(kinds), tuple(names), tuple(aliases)

    def end(self) -> None:
        if self.next:
            self.fail(f"unexpected {self.next!r}")

    def items(self) -> tuple[list[Type], list[str], list[str]]:
        kinds: list[Type] = []
        names: list[str] = []
        aliases: list[str] = []
        while not self.take(")"):
            if kinds:
                self.expect(",")
            kinds.append(self.type())
            aliases.append(self.alias)
            names.append("" if self.next in (",", ")") else self.word())
        return kinds, names, aliases

    def type(self) -> Type:
        self.alias, self.is_written, self.fill = "", False, 0
        if self.take("("):
            return self.suffixes(TupleType(tuple(self.items()[0])))
        return self.suffixes(self.named())

    def named(self) -> Type:
        name = self.word()
        if name == "Dict":
            self.expect("(")
            key = self.type()
            self.expect(",")
            value = self.type()
            self.expect(")")
            return DictType(key, value)
        if name in ("Set", "FrozenSet"):
            variable = self.next  # "(t)", which reads as an alias mark elsewhere
            self.position += 1
            return (SetType if name == "Set" else FrozenSetType)(VarType(variable[1]))
        if len(name) == 1:
            return VarType(name)
        return _NAMED.get(name) or self.fail(f"there is no type {name!r}")

    def suffixes(self, kind: Type) -> Type:
        while True:
            token = self.next
            if token == "?":
                kind = OptionalType(kind) if isinstance(kind, VarType) else optional(kind)
            elif token == "[":
                self.position += 1
                self.fill = int(self.next) if self.next.isdigit() else 0
                self.position += bool(self.fill)
                kind = ListType(kind)
                if self.next != "]":
                    self.fail("expected ']'")
            elif token == "(...)":
                kind = TupleType((kind,), is_variadic=True)
            elif len(token) in (3, 4) and token[0] == "(":
                self.alias, self.is_written = token[1], token[2] == "!"
            else:
                return kind
            self.position += 1
