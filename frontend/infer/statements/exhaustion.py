"""Whether the cases of a match leave nothing over: every member of an enum, both bools, every length of a sequence.

In: the cases, and what their conditions have left of the subject's type. Out: yes or no.
Holds: a case with a guard counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any as PyAny

from ....ir.state import EnumState
from ....ir.types import BOOL, EnumType, ListType, TupleType, Type, arms_of
from ...core.placeholders import resolve
from ...core.typed import Const
from ...parser import syntax
from ..base import InferenceBase


def leaves_nothing(inference: InferenceBase, cases: Sequence[syntax.match_case], left: Type) -> bool:
    """Whether the values of the type are all named by the cases."""
    plain = [case.pattern for case in cases if case.guard is None]
    named = {value for pattern in plain for value in _named(inference, pattern)}
    are_all_lengths = not any(map(_may_change_sequences, cases)) and _are_all_lengths(plain)
    return all(_is_named(resolve(arm), named, are_all_lengths) for arm in arms_of(resolve(left)))


def _is_named(arm: Type, named: set[PyAny], are_all_lengths: bool) -> bool:
    if arm == BOOL:
        return named >= {True, False}
    if isinstance(arm, ListType) or isinstance(arm, TupleType) and arm.is_variadic:
        return are_all_lengths
    return isinstance(arm, EnumType) and named >= {(arm, place) for place in range(len(arm.enumerators))}


def _may_change_sequences(case: syntax.match_case) -> bool:
    """Whether a guard calls methods: one may leave the subject with a length that an earlier case was to take."""
    return case.guard is not None and any(
        isinstance(node, syntax.Call) and isinstance(node.func, syntax.Attribute) for node in syntax.walk(case.guard))


def _are_all_lengths(patterns: Sequence[syntax.Pattern]) -> bool:
    """Whether sequences of every length match, whatever is in them."""
    found = [(len(each.patterns), any(isinstance(part, syntax.MatchStar) for part in each.patterns))
             for pattern in patterns for each in _alternatives(pattern)
             if isinstance(each, syntax.MatchSequence) and all(map(_takes_all, each.patterns))]
    exact = {count for count, has_star in found if not has_star}
    return any(set(range(count - 1)) <= exact for count, has_star in found if has_star)


def _alternatives(pattern: syntax.Pattern) -> Iterator[syntax.Pattern]:
    if isinstance(pattern, syntax.MatchOr):
        for alternative in pattern.patterns:
            yield from _alternatives(alternative)
    elif isinstance(pattern, syntax.MatchAs) and pattern.pattern is not None:
        yield from _alternatives(pattern.pattern)
    else:
        yield pattern


def _takes_all(pattern: syntax.Pattern) -> bool:
    if isinstance(pattern, syntax.MatchAs):
        return pattern.pattern is None or _takes_all(pattern.pattern)
    return isinstance(pattern, syntax.MatchStar)


def _named(inference: InferenceBase, pattern: syntax.Pattern) -> Iterator[PyAny]:
    """The bools, and the members of enums as (type, place), that a pattern takes."""
    if isinstance(pattern, syntax.MatchAs) and pattern.pattern is not None:
        yield from _named(inference, pattern.pattern)
    elif isinstance(pattern, syntax.MatchOr):
        for alternative in pattern.patterns:
            yield from _named(inference, alternative)
    elif isinstance(pattern, syntax.MatchSingleton) and pattern.value is not None:
        yield pattern.value
    elif isinstance(pattern, syntax.MatchValue) and isinstance(pattern.value, syntax.Attribute):
        value = inference.expr(pattern.value)
        if isinstance(value, Const) and isinstance(value.value, EnumState):
            yield value.type, value.value.index
