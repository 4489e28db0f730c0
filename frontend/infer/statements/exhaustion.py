"""Whether the cases of a match leave nothing over: every member of an enum, both bools.

In: the cases, and what their conditions have left of the subject's type. Out: yes or no.
Holds: a case with a guard counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any as PyAny

from ....ir.state import EnumState
from ....ir.types import BOOL, EnumType, Type, arms_of
from ...core.placeholders import resolve
from ...core.typed import Const
from ...parser import syntax
from ..base import InferenceBase


def leaves_nothing(inference: InferenceBase, cases: Sequence[syntax.match_case], left: Type) -> bool:
    """Whether the values of the type are all named by the cases."""
    named = {value for case in cases if case.guard is None for value in _named(inference, case.pattern)}
    return all(_is_named(resolve(arm), named) for arm in arms_of(resolve(left)))


def _is_named(arm: Type, named: set[PyAny]) -> bool:
    if arm == BOOL:
        return named >= {True, False}
    return isinstance(arm, EnumType) and named >= {(arm, place) for place in range(len(arm.enumerators))}


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
