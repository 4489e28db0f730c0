"""Inference of which exception is being handled, for `raise` alone in a function that a handler calls, and for
`__context__`.

In: handlers, `finally`s and exits of managers, in programs that ask. Out: their code, with the exception kept at run
time around it. Holds: a handler's exception is the one being handled until the handler is left, however that is; what
is raised meanwhile has it for its context.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...compilation.frames import MARK
from ...core.typed import Expr
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import exceptions as prelude_exceptions
from ..base import InferenceBase
from ..functions.library import is_own


class HandledInference(InferenceBase):
    """The exception that is being handled."""

    def track_handled(self) -> None:
        """From now on the program keeps what is being handled: all of it is inferred again."""
        exceptions = self.session.exceptions
        if not exceptions.is_tracked:
            exceptions.is_tracked = True
            self.session.specialiser.start_again()

    def tracks_handled(self) -> bool:
        return self.session.exceptions.is_tracked and not is_own(self.source)

    def while_handling(
        self, span: Span, caught: str, statements: Sequence[syntax.Node], build: Callable[[], None]
    ) -> None:
        """`build`, which stands for these statements, while the caught exception is the one being handled."""
        if not self.tracks_handled():
            build()
            return
        for each in (found for statement in statements for found in syntax.walk(statement)):
            if isinstance(each, (syntax.Yield, syntax.YieldFrom)) and self.source.is_generator:
                self.error(each, "a generator that yields where it handles an exception is not supported together "
                           "with __context__, or 'raise' alone in a function that a handler calls", "yield after it")
        node = syntax.Node(span)
        before = MARK + self.hidden("handled")
        self.store(before, self.by_prelude(node, prelude_exceptions.begin_handling, [self.read_hidden(caught, span)]))

        def put_back() -> None:
            self.evaluate(self.by_prelude(node, prelude_exceptions.end_handling, [self.read_hidden(before, span)]))

        def on_exception(raised: str) -> None:
            values = [self.read_hidden(name, span) for name in (before, raised, caught)]
            self.evaluate(self.by_prelude(node, prelude_exceptions.leave_handling, values))
            self.throw(span, self.read_hidden(raised, span))

        self.finally_(span, None, build, on_exception, put_back)
        self.drop([before])

    def raised_now(self, node: syntax.Node, value: Expr) -> Expr:
        """An exception that `raise` raises: its context is the one being handled."""
        return self.by_prelude(node, prelude_exceptions.raised, [value]) if self.tracks_handled() else value

    def handled_now(self, node: syntax.Node) -> Expr:
        """What `raise` alone raises in a function that a handler calls."""
        self.track_handled()
        return self.by_prelude(node, prelude_exceptions.handled, [])
