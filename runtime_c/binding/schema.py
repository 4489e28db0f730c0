"""Parses the schema column of ops.def: `(Tensor self, int[1] dim, bool keepdim=False) -> Tensor`.

In: schema text, grammar in the legend of ops.def. Out: neutral descriptions that the matcher, the type checker and the
docs read. Holds: knows nothing of values or of any type system; kinds are words.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

KINDS = frozenset(
    ("Tensor", "int", "float", "bool", "complex", "str", "bytes", "None", "Scalar", "Any", "dtype", "device")
    + ("exception",)
)
_TOKEN = re.compile(r"\s*(->|\(\.\.\.\)|\([a-z]!?\)|\w+|\*,|[()\[\],?=])")
_DEFAULT = re.compile(r"\s*('[^']*'|\[[^\]]*\]|[^,()\s]+)")


@dataclass(frozen=True, slots=True)
class SchemaType:
    """A type in a schema.

    `kind` is a word of KINDS, "list", "optional", "dict", "set", "frozenset", "tuple", "tuple..." (any length) over
    `args`, or "var" with the variable's `name`. `alias` is the letter of an alias mark, `is_written` its exclamation
    mark, `fill` the n of `int[n]`, a list that one int fills. Types of a program (program.py) have in addition
    "union", "function", "cell", dicts and lists with the `name` of a subclass or of `deque`, and "named tuple", "enum",
    "class" with `name` and the `names` of fields, members or attributes.
    """

    kind: str
    args: tuple[SchemaType, ...] = ()
    name: str = ""
    alias: str = ""
    is_written: bool = False
    fill: int = 0
    names: tuple[str, ...] = ()
    qualified: str = ""  # of a class: "module.Point"

    def __str__(self) -> str:
        """As Python spells it."""
        if self.kind in ("var", "named tuple", "enum", "class"):
            return self.name
        if self.kind == "optional":
            return f"Optional[{self.args[0]}]"
        if self.kind == "tuple...":
            return f"tuple[{self.args[0]}, ...]"
        if self.kind == "union":
            return f"Union[{', '.join(map(str, self.args))}]"
        if self.kind in ("dict", "list") and self.name:
            return f"{self.name}[{', '.join(map(str, self.args))}]"
        if self.kind in ("list", "dict", "tuple", "set", "frozenset"):
            return f"{self.kind}[{', '.join(map(str, self.args))}]"
        return self.kind

    @property
    def has_tensor(self) -> bool:
        return self.kind == "Tensor" or any(arg.has_tensor for arg in self.args)


@dataclass(frozen=True, slots=True)
class SchemaParam:
    """One parameter; `default` is a Python literal and counts only if `has_default`."""

    name: str
    type: SchemaType
    has_default: bool = False
    default: Any = None
    is_keyword_only: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" + (f" = {self.default!r}" if self.has_default else "")


@dataclass(frozen=True, slots=True)
class SchemaResult:
    name: str  # "" if the schema gives none
    type: SchemaType


@dataclass(frozen=True, slots=True)
class Schema:
    params: tuple[SchemaParam, ...]
    results: tuple[SchemaResult, ...]

    @property
    def positional_count(self) -> int:
        return sum(not param.is_keyword_only for param in self.params)

    def __str__(self) -> str:
        """As a Python signature."""
        parts: list[str] = []
        for param in self.params:
            if param.is_keyword_only and "*" not in parts:
                parts.append("*")
            parts.append(str(param))
        return f"({', '.join(parts)}) -> {result_text(self.results)}"


def result_text(results: tuple[SchemaResult, ...]) -> str:
    if len(results) == 1:
        return str(results[0].type)
    return f"tuple[{', '.join(str(result.type) for result in results)}]" if results else "None"


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        return match.group(1) if match else ""

    def next(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            raise ValueError(f"malformed schema at {self.text[self.at :]!r} of {self.text!r}")
        self.at = match.end()
        return match.group(1)

    def take(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self.next()
        return True

    def need(self, token: str) -> None:
        found = self.next()
        if found != token:
            raise ValueError(f"expected {token!r}, found {found!r} in schema {self.text!r}")

    def type(self) -> SchemaType:
        if self.take("("):
            return self.suffixes(SchemaType("tuple", tuple(result.type for result in self.items())))
        word = self.next()
        if word == "Dict":
            self.need("(")
            key = self.type()
            self.need(",")
            value = self.type()
            self.need(")")
            return self.suffixes(SchemaType("dict", (key, value)))
        if word in ("Set", "FrozenSet"):
            variable = self.next()  # "(t)", which reads as an alias mark elsewhere
            return self.suffixes(SchemaType(word.lower(), (SchemaType("var", name=variable[1]),)))
        if word in KINDS:
            return self.suffixes(SchemaType(word))
        if len(word) == 1 and word.isalpha():
            return self.suffixes(SchemaType("var", name=word))
        raise ValueError(f"unknown type {word!r} in schema {self.text!r}")

    def suffixes(self, kind: SchemaType) -> SchemaType:
        """`[]`, `[2]`, `?`, `(...)` and alias marks; a mark belongs to the outermost type."""
        while True:
            token = self.peek()
            if token == "[":
                self.next()
                fill = int(self.next()) if self.peek() != "]" else 0
                self.need("]")
                kind = self.wrap("list", kind, fill)
            elif token == "?":
                self.next()
                kind = self.wrap("optional", kind)
            elif token == "(...)":
                self.next()
                kind = self.wrap("tuple...", kind)
            elif len(token) > 2 and token[0] == "(":
                self.next()
                kind = replace(kind, alias=token[1], is_written=token[2] == "!")
            else:
                return kind

    @staticmethod
    def wrap(kind: str, inner: SchemaType, fill: int = 0) -> SchemaType:
        return SchemaType(kind, (inner,), alias=inner.alias, is_written=inner.is_written, fill=fill)

    def items(self) -> list[SchemaResult]:
        """`A a, B b)` after the opening bracket."""
        found: list[SchemaResult] = []
        while not self.take(")"):
            kind = self.type()
            found.append(SchemaResult("" if self.peek() in (",", ")") else self.next(), kind))
            self.take(",")
        return found

    def params(self) -> tuple[SchemaParam, ...]:
        found: list[SchemaParam] = []
        keyword_only = False
        self.need("(")
        while not self.take(")"):
            if self.take("*,"):
                keyword_only = True
            kind, name = self.type(), self.next()
            has_default = self.take("=")
            found.append(SchemaParam(name, kind, has_default, self.default() if has_default else None, keyword_only))
            self.take(",")
        return tuple(found)

    def default(self) -> Any:
        match = _DEFAULT.match(self.text, self.at)
        if match is None:
            raise ValueError(f"missing default in schema {self.text!r}")
        self.at = match.end()
        return ast.literal_eval(match.group(1))

    def results(self) -> tuple[SchemaResult, ...]:
        """`()` is no result, `(A a, B b)` several, anything else one."""
        if not self.take("("):
            return (SchemaResult("", self.type()),)
        items = self.items()
        if self.at == len(self.text):
            return tuple(items)
        return (SchemaResult("", self.suffixes(SchemaType("tuple", tuple(item.type for item in items)))),)


@cache
def parse(text: str) -> Schema:
    """The schema of a row. ValueError if it is malformed."""
    parser = _Parser(text)
    params = parser.params()
    parser.need("->")
    results = parser.results()
    if parser.text[parser.at :].strip():
        raise ValueError(f"trailing text in schema {text!r}")
    return Schema(params, results)
