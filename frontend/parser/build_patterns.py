"""Patterns of `match`.

In: what the rules of patterns have as children. Out: patterns. Holds: stars and keywords stand where Python has them.
"""

from __future__ import annotations

from typing import Any

from ..diagnostics import Span
from . import syntax
from .build_checks import Checks
from .build_parameters import Marker
from .syntax import Expression, Pattern


class PatternBuilder(Checks):
    """One method a rule."""

    def build_match(self, span: Span, subject: Expression, *cases: syntax.match_case) -> syntax.Match:
        return syntax.Match(span, subject, list(cases))

    def build_open_sequence(self, span: Span, *patterns: Pattern) -> syntax.MatchSequence:
        return self.build_match_sequence(span, *patterns)

    def build_match_sequence(self, span: Span, *patterns: Pattern) -> syntax.MatchSequence:
        stars = [pattern for pattern in patterns if isinstance(pattern, syntax.MatchStar)]
        if len(stars) > 1:
            self.source.fail(stars[1].span, "multiple starred expressions in sequence pattern")
        return syntax.MatchSequence(span, list(patterns))

    def build_as_pattern(self, span: Span, pattern: Pattern, name: str) -> syntax.MatchAs:
        if name == "_":
            self.source.fail(span, "cannot use '_' as a target")
        return syntax.MatchAs(span, pattern, name)

    def build_match_or(self, span: Span, *patterns: Pattern) -> syntax.MatchOr:
        return syntax.MatchOr(span, list(patterns))

    def build_capture(self, span: Span, name: str) -> syntax.MatchAs:
        return syntax.MatchAs(span, None, None if name == "_" else name)

    def build_match_star(self, span: Span, name: str) -> syntax.MatchStar:
        return syntax.MatchStar(span, None if name == "_" else name)

    def build_match_singleton(self, span: Span, text: str) -> syntax.MatchSingleton:
        return syntax.MatchSingleton(span, {"None": None, "True": True, "False": False}[text])

    def build_match_value(self, span: Span, value: Expression) -> syntax.MatchValue:
        if isinstance(value, syntax.JoinedStr):
            self.source.fail(span, "patterns may only match literals and attribute lookups")
        return syntax.MatchValue(span, value)

    def build_signed_number(self, span: Span, value: Expression) -> Expression:
        return value

    def build_negative_number(self, span: Span, value: Expression) -> syntax.UnaryOp:
        return syntax.UnaryOp(span, "-", value)

    def build_complex_number(self, span: Span, left: Expression, op: str, right: syntax.Constant) -> syntax.BinOp:
        if not isinstance(right.value, complex):
            self.source.fail(right.span, "imaginary number required in complex literal")
        return syntax.BinOp(span, left, op, right)

    def build_mapping_pair(self, span: Span, key: Expression, pattern: Pattern) -> tuple[Expression, Pattern]:
        return key, pattern

    def build_mapping_rest(self, span: Span, name: str) -> Marker:
        return Marker(span, name)

    def build_match_mapping(self, span: Span, *items: Any) -> syntax.MatchMapping:
        for item in items[:-1]:
            if isinstance(item, Marker):
                self.source.fail(item.span, "'**' must be the last item of a mapping pattern")
        rest = items[-1].text if items and isinstance(items[-1], Marker) else None
        pairs = [item for item in items if not isinstance(item, Marker)]
        return syntax.MatchMapping(span, [key for key, _ in pairs], [pattern for _, pattern in pairs], rest)

    def build_keyword_pattern(self, span: Span, name: str, pattern: Pattern) -> tuple[str, Pattern]:
        return name, pattern

    def build_match_class(self, span: Span, kind: Expression, *items: Any) -> syntax.MatchClass:
        patterns = [item for item in items if not isinstance(item, tuple)]
        keywords = [item for item in items if isinstance(item, tuple)]
        if patterns and isinstance(items[-1], Pattern) and keywords:
            self.source.fail(items[-1].span, "positional patterns follow keyword patterns")
        return syntax.MatchClass(span, kind, patterns, [name for name, _ in keywords], [p for _, p in keywords])
