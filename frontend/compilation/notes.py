"""What a compilation notes for those who ask how it went: branches taken, types given to variables, calls compiled.

In: notes of inference as it goes, several times for code that is typed more than once. Out: answers by place.
Holds: nothing here decides anything; a branch is pruned only if every look at it left it out.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass, field

from ...ir.types import Type
from ..parser import syntax
from ..parser.syntax import Span


def text_of(span: Span) -> str:
    """The source text of a span, its first line if there are several."""
    line = linecache.getline(span.file, span.line).rstrip("\n")
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    return line[span.column - 1 : end].strip()


@dataclass
class Notes:
    """Of one compilation."""

    sides: dict[tuple[str, int, int], set[bool]] = field(default_factory=dict)  # `if` by file and lines: arms compiled
    tests: dict[tuple[str, int, int], syntax.If] = field(default_factory=dict)
    variables: dict[tuple[str, str], dict[str, dict[Span, Type]]] = field(default_factory=dict)

    def branch(self, node: syntax.If, has_true: bool, has_false: bool) -> None:
        """An `if` was typed, with these arms."""
        span = node.span
        key = (span.file, span.line, span.end_line)
        self.tests[key] = node
        sides = self.sides.setdefault(key, set())
        sides.update(side for side, is_there in ((True, has_true), (False, has_false)) if is_there)

    def only_side(self, file: str, line: int, end_line: int | None) -> bool | None:
        """The one arm of an `if` that was compiled; None if both were, or it was never looked at."""
        sides = self.sides.get((file, line, end_line or line), set())
        return next(iter(sides)) if len(sides) == 1 else None

    def left_out(self, function: Span) -> list[tuple[Span, str]]:
        """The arms in a function that were not compiled, with what decided it; an empty text where there was no arm."""
        found = []
        for (file, line, end_line), node in self.tests.items():
            side = self.only_side(file, line, end_line)
            if file != function.file or side is None or not function.line <= line <= function.end_line:
                continue
            gone = node.orelse if side else node.body
            if gone:
                span = gone[0].span.to(gone[-1].span)
                found.append((span, f"`{text_of(node.test.span)}` is {side}"))
        return found

    def store(self, function: str, name: str, span: Span, kind: Type) -> None:
        """A variable got a value; a place that is typed more than once keeps the latest type."""
        self.variables.setdefault((span.file, function), {}).setdefault(name, {})[span] = kind
