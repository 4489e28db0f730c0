"""What a cache of a function outside the script may not change: each call from the script has one of its own.

In: a program, the specialisations of cached functions. Out: errors where a call could be told from a cached one.
Holds: a function that passes takes and gives what cannot change, prints and draws nothing, and is not called by the
functions that it calls.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.effects import Summaries
from ...ir.graph import Function, Program
from ...ir.types import TENSOR, TensorType, Type
from ..compilation.specialise import Specialisation
from ..core.placeholders import resolve
from ..diagnostics import Reporter

HINT = "take the decorator away, or define the cached function in the function that calls it"


def check_caches(program: Program, specs: Sequence[Specialisation], reporter: Reporter) -> None:
    """Reports what a cache would change."""
    cached = [spec for spec in specs if spec.source.is_cached and spec.function is not None]
    summaries = Summaries(program) if cached else None
    for spec in cached:
        assert spec.function is not None and summaries is not None
        effects = summaries.functions[spec.function]
        reason = ""
        if effects.io or effects.random or effects.writes:
            reason = "does more than give a result"
        elif not all(map(is_constant, (*spec.types, resolve(spec.result)))):
            reason = "takes or gives what can change"
        elif spec.function in called_from(spec.function):
            reason = "is called by a function that it calls"
        if reason:
            text = f"'{spec.source.name}' is wrapped by a cache of functools, and {reason}"
            reporter.error(spec.source.node.span, text, HINT)


def is_constant(kind: Type) -> bool:
    return not kind.is_mutable and not isinstance(kind, TensorType) and kind != TENSOR


def called_from(function: Function) -> set[Function]:
    """The functions that a function calls, and those that they call."""
    found: set[Function] = set()
    pending = [function]
    while pending:
        for node in pending.pop().walk():
            callee = node.attrs.get("function") if node.op == "call" else None
            if callee is not None and callee not in found:
                found.add(callee)
                pending.append(callee)
    return found
