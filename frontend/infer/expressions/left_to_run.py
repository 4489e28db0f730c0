"""Errors that Python certainly raises, in a `try` and in code of a helper that may never run with the types it has.

In: places where an operation has no meaning, with the exception that CPython 3.11 raises there. Out: that exception
when the program runs, or the message of compilation.
Holds: left to the run is what a `try` is around, and what a call decides: code behind a choice of a function whose
parameters have no annotations, functions that are one of several called at a place, and what such code calls.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.typed import ERROR, Const, Expr, Static, is_silent
from ...objects.function_source import FunctionSource
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..operand_errors import class_name
from ..parts import Named

_STEPS = (syntax.Assign, syntax.AugAssign, syntax.AnnAssign, syntax.Expr, syntax.Return)
OF_ONE = frozenset((".append", ".extend", ".remove", ".count", ".add", ".discard"))


class LeftToRunInference(InferenceBase):
    """Errors of code that may not run."""

    def may_not_run(self, place: syntax.Node | Expr | Span) -> bool:
        """Whether code is reached only by calls with other types, for all that is known."""
        if self.spec.is_chosen or self.chosen_calls.is_choice:
            return True
        is_helper = self.spec.caller is not None or self.frame is not self.spec.root
        source = self.frame.source
        if not is_helper or not source.has_open_params or source.first_choice is None:
            return False
        span = place if isinstance(place, Span) else place.span
        return (span.line, span.column) >= source.first_choice

    def is_left(self, place: syntax.Node | Expr | Span) -> bool:
        """Whether an error is raised when the program runs: something may catch it, or nothing may come to it."""
        return bool(self.here.logs) or self.may_not_run(place)

    def runs_for_sure(self, node: syntax.Node) -> bool:
        """Whether every call of the program runs a part of it, and nothing catches what it raises."""
        if self.here.logs or self.spec.caller is not None or self.frame is not self.spec.root:
            return False
        return self.is_step(node)

    def is_step(self, node: syntax.Node) -> bool:
        """Whether it is part of a statement that no branch or loop of its function is around."""
        body = getattr(self.frame.source.node, "body", None)
        steps = body if isinstance(body, list) else []
        return any(part is node for step in steps if isinstance(step, _STEPS) for part in syntax.walk(step))

    def wrong_or_left(
        self, node: syntax.Node | Expr | Span, raised: tuple[str, str | None], message: str, hint: str | None = None,
        before: Sequence[Expr] = (),
    ) -> Expr:
        """The error that Python raises once the operands `before` are there, where that is left to the run; else the
        message."""
        left = self.left_to_run(node, raised, before)
        return self.error(node, message, hint) if left is None else left

    def left_to_run(
        self, node: syntax.Node | Expr | Span, raised: tuple[str, str | None], before: Sequence[Expr] = ()
    ) -> Expr | None:
        """The error alone; None where the message of compilation stands."""
        name, text = raised
        if text is None or not self.is_left(node):
            return None
        span = node if isinstance(node, Span) else node.span
        given = [value for value in before if not isinstance(value, Static)]
        if is_silent(*given):
            return self.silent(span, given)
        return self.silent(span, [*given, self.raise_error(span, name, text)])

    def misfit_of_one(self, node: syntax.Call, spelling: str, values: Sequence[Expr], named: Named) -> Expr | None:
        """The TypeError of a container's method of one argument that gets another number, where it is left to the
        run; the container is the first of the values."""
        if spelling not in OF_ONE or len(values) == 2 and not named:
            return None
        what = "no keyword arguments" if named else f"exactly one argument ({len(values) - 1} given)"
        text = f"{class_name(values[0].type)}{spelling}() takes {what}"
        return self.left_to_run(node, ("TypeError", text), values)

    def refuse_call(self, node: Expr | Span, source: FunctionSource, text: str, hint: str | None = None) -> None:
        """Arguments that do not fit the parameters: a message, or why the call fails when it is run."""
        if self.chosen_calls.leaves:
            self.chosen_calls.wrong = f"{source.qualified}() {text}"
        else:
            self.error(node, f"{source.name}() {text}", hint)

    def failed_call(self, span: Span, written: Sequence[Expr]) -> Expr:
        """What a call is whose arguments do not fit: the TypeError that was left to the run, or silence."""
        text, self.chosen_calls.wrong = self.chosen_calls.wrong, ""
        if not text:
            return Const(ERROR, span, None)
        self.chosen_calls.failed += 1
        given = [value for value in written if not isinstance(value, Static)]
        if is_silent(*given):
            return self.silent(span, given)
        return self.silent(span, [*given, self.raise_error(span, "TypeError", text)])
