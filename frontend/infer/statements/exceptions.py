"""Inference of exceptions: try, raise, exceptions as values.

In: their statements and expressions. Out: `Try` and `Throw` of the core tree; tests of an exception's class.
Holds: a `finally` is inferred once for each way into it (its end, an exception, return, break, continue), as CPython
compiles it, so each copy knows what is bound there; the name of `except ... as e` is a hidden variable, which ends with
the handler however that is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ....ir.types import EXCEPTION, INT, NONE, STR, Type, arms_of, union
from ...core.conversions import as_exception, is_trivial, operate, remove_none
from ...core.denotations import ClassDenotation
from ...core.exception_types import is_exception
from ...core.placeholders import resolve
from ...core.typed import ERROR, NEVER, Const, Expr, Once, Static, Throw, Try, Unbind, is_silent
from ...objects.annotations import AnnotationError
from ...objects.exception_classes import is_builtin
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import exceptions as prelude_exceptions
from ..base import InferenceBase, Jump
from ..environment import Environment, StoreLog, at_handler, merge
from ..operand_errors import class_name
from ..parts import Live


class ExceptionInference(InferenceBase):
    """`_Try`, `_Raise`, and what other parts ask about exceptions."""

    # Statements

    def _Try(self, node: syntax.Try) -> None:
        live = self.live_after(node)
        if not node.finalbody:
            self.try_except(node, live)
            return

        def on_exception(caught: str) -> None:
            self.while_handling(node.span, caught, node.finalbody, lambda: self.body(node.finalbody))
            if self.env is not None:
                self.throw(node.span, self.read_hidden(caught, node.span))

        self.finally_(
            node.span, live, lambda: self.try_except(node, None), on_exception, lambda: self.body(node.finalbody)
        )

    def try_except(self, node: syntax.Try, live: Live) -> None:
        """All but the `finally`. What `else` raises is not caught: it stands behind."""
        if not node.handlers:
            self.body(node.body)
            return

        def run(done: Jump) -> None:
            def handle(caught: str) -> None:
                self.while_handling(node.span, caught, node.handlers, lambda: self.handlers(node, caught))
                if node.orelse and self.env is not None:
                    self.leave(node.span, done)

            self.protect(node.span, None if node.orelse else live, lambda: self.body(node.body), handle)
            if self.env is not None:
                self.body(node.orelse)

        self.once(node.span, live, run)

    def protect(
        self, span: Span, live: Live, build: Callable[[], None], handle: Callable[[str], None]
    ) -> None:
        """`build` with `handle(caught)` for what it raises."""
        entry = self.here.copy()
        log: StoreLog = []
        start = entry.copy()
        start.logs = (*entry.logs, log)
        body, after = self.block(start, build)
        caught = self.hidden("caught")
        arrived, cells = at_handler(entry, log)
        arrived.logs = entry.logs
        arrived.store(caught, EXCEPTION)

        def run() -> None:
            self.handling.append(caught)
            try:
                handle(caught)
            finally:
                self.handling.pop()

        handler, end = self.block(arrived, run)
        self.env, merges = merge([after, end], live, entry)
        self.out.append(Try(span, body, caught, handler, cells, merges))
        self.unbind_gone(span, entry)

    def finally_(
        self, span: Span, live: Live, build: Callable[[], None], on_exception: Callable[[str], None],
        on_exit: Callable[[], None],
    ) -> None:
        """`build`, then `on_exit` however it is left; `on_exception(caught)` instead where it raises."""
        name = f"return{self.hidden('value')}"

        def with_end(end: Jump) -> None:
            def with_return(returned: Jump) -> None:
                def with_break(broken: Jump) -> None:
                    def with_continue(continued: Jump) -> None:
                        def protected() -> None:
                            self.intercepted(build, (returned, name), (broken, continued))

                        self.protect(span, None, protected, on_exception_then_end)
                        self.then_exit(on_exit, lambda: self.leave(span, end))

                    self.once(span, None, with_continue)
                    self.then_exit(on_exit, lambda: self.jump(span, 1))

                self.once(span, None, with_break)
                self.then_exit(on_exit, lambda: self.jump(span, 0))

            def on_exception_then_end(caught: str) -> None:
                on_exception(caught)
                if self.env is not None:
                    self.leave(span, end)

            self.once(span, None, with_return)
            self.then_exit(partial(self.closed_quietly, span, on_exit),
                           lambda: self.give_back(span, self.read_hidden(name, span)))

        self.once(span, live, with_end)

    def closed_quietly(self, span: Span, on_exit: Callable[[], None]) -> None:
        """What a generator that is being closed raises on its way out is dropped, as when CPython frees it."""
        code = self.frame.closing
        if not code or code not in self.here.variables:
            on_exit()
            return

        def handle(caught: str) -> None:
            test = operate("eq.int", self.read_hidden(code, span), Const(INT, span, -1))
            here = self.here
            self.branch(span, test, here, here.copy(), None,
                        lambda: self.throw(span, self.read_hidden(caught, span)), lambda: None)

        self.protect(span, None, on_exit, handle)

    def intercepted(self, build: Callable[[], None], returns: tuple[Jump, str], loop: tuple[Jump, Jump]) -> None:
        """`build` with the jumps that leave it redirected."""
        self.returns.append(returns)
        if self.jumps:
            self.jumps.append(loop)
        try:
            build()
        finally:
            self.returns.pop()
            if self.jumps:
                self.jumps.pop()

    def then_exit(self, on_exit: Callable[[], None], go_on: Callable[[], None]) -> None:
        """One way out, where there is any."""
        if self.env is None:
            return
        on_exit()
        if self.env is not None:
            go_on()

    def jump(self, span: Span, which: int) -> None:
        """`break` (0) or `continue` (1) of the loop around."""
        jump = self.jumps[-1][which]
        self.leave(span, jump, is_again=not isinstance(jump.target, Once) and which == 1)

    def handlers(self, node: syntax.Try, caught: str) -> None:
        """`except` clauses in their order; what none of them takes is raised again."""

        def otherwise(rest: Sequence[syntax.ExceptHandler]) -> None:
            if not rest:
                self.throw(node.span, self.read_hidden(caught, node.span))
                return
            handler = rest[0]
            if handler.type is None and len(rest) > 1:
                self.error(handler, "default 'except:' must be last")
            now = self.read_hidden(caught, handler.span)
            chosen = None if handler.type is None else self.chosen_classes(handler.type)
            if chosen is not None:
                classes = [each for found in chosen[1].values() for each in found]
                test = self.is_of_chosen(handler.span, now, *chosen)
            else:
                classes = [BaseException] if handler.type is None else self.caught_classes(handler.type)
                test = self.matches_any(now, classes, handler.span)
            true, false = self.here, self.here.copy()
            is_all = isinstance(test, Const)
            self.branch(
                handler.span, test, true, None if is_all else false, None,
                lambda: self.handler(handler, caught, classes), lambda: otherwise(rest[1:]),
            )

        otherwise(node.handlers)

    def handler(self, node: syntax.ExceptHandler, caught: str, classes: Sequence[type]) -> None:
        """One clause. Its name is unbound outside of it, whatever it was before."""
        if node.name is None:
            self.body(node.body)
            return
        self.unbind(node.span, self.local_name(node.name))
        hidden = self.hidden("exception")
        outer = self.handler_names
        self.handler_names = {**outer, node.name: hidden}
        try:
            self.store(hidden, self.read_hidden(caught, node.span))
            self.narrow_caught(self.here, node.type, hidden, classes)
            self.body(node.body)
        finally:
            self.handler_names = outer
        self.drop([hidden])

    def unbind(self, span: Span, name: str) -> None:
        """Whether it is bound or not."""
        self.deleted.add(name)
        state = self.here.variables.get(name)
        if state is not None:
            if state.static is None and not state.is_conflict:
                self.emit(Unbind(span, name, False))
            self.here.unbind(name)

    def narrow_caught(
        self, env: Environment, node: syntax.Node | None, name: str, classes: Sequence[type]
    ) -> None:
        """A variable that holds an exception of one of these classes."""
        kind = self.instances_of(node, classes) if node is not None else None
        if kind is not None:
            env.narrow(name, kind)
        elif classes:
            self.exception_classes[env.variables[name].definition] = nearest_common(classes)

    def instances_of(self, node: syntax.Node, classes: Sequence[type]) -> Type | None:
        """The type of instances of these classes; None if one is a builtin class."""
        if not classes or any(map(is_builtin, classes)):
            return None
        try:
            return union(*(self.session.classes.annotated(python) or EXCEPTION for python in classes))
        except AnnotationError as error:
            self.error(node, str(error))
            return None

    def caught_classes(self, node: syntax.Node) -> list[type]:
        """The classes that an `except` clause names; none after reporting."""
        items = node.elts if isinstance(node, syntax.Tuple) else [node]
        found: list[type] = []
        for item in items:
            is_tuple = item is node or isinstance(item, syntax.Starred)
            found += self.exception_classes_of(item.value if isinstance(item, syntax.Starred) else item, is_tuple)
        return found

    def exception_classes_of(self, node: syntax.Node, is_tuple: bool) -> Sequence[type]:
        """The class that an expression denotes, or those of a constant tuple."""
        value = self.expr(node)
        denotation = value.denotation if isinstance(value, Static) else None
        python = getattr(denotation, "python", None)
        classes = self.stored_classes(value) or (python if is_tuple and type(python) is tuple else (python,))
        if all(isinstance(each, type) and issubclass(each, BaseException) for each in classes):
            return classes
        if value.type != ERROR:
            self.error(node, "an except clause needs an exception class, or a tuple of them, known at compile time")
        return ()

    def _Raise(self, node: syntax.Raise) -> None:
        if node.exc is None:
            now = self.read_hidden(self.handling[-1], node.span) if self.handling else self.handled_now(node)
            self.throw(node.span, now)
            return
        value = self.exception_value(node.exc)
        if node.cause is not None and not is_silent(value):
            value = value if is_trivial(value) else self.hold(value)
            cause = self.cause_value(node.cause)
            value = cause if is_silent(cause) else self.by_prelude(node, prelude_exceptions.caused, [value, cause])
        self.throw(node.span, value if is_silent(value) else self.raised_now(node, value))
        self.env = None

    def cause_value(self, node: syntax.Expression) -> Expr:
        """What follows `from`: None too."""
        value = self.expr(node)
        kind = resolve(value.type)
        if isinstance(value, Static) or is_silent(value) or NONE not in arms_of(kind):
            return self.exception_of_value(node, value, "exception causes must derive from BaseException")
        rest = remove_none(kind)
        if rest != NEVER and not is_exception(rest):
            return self.error(node, "exception causes must derive from BaseException")
        return value

    def exception_value(self, node: syntax.Expression) -> Expr:
        """What follows `raise`: an instance, or a class that is called without arguments."""
        value = self.expr(node)
        if not isinstance(value, Static) and NONE in arms_of(resolve(value.type)) and self.is_inferred(value):
            rest = remove_none(resolve(value.type))
            if rest != NEVER and is_exception(rest):
                return self.each_arm(value, self.raised_arm)
        return self.exception_of_value(node, value, "only an exception can be raised")

    def raised_arm(self, value: Expr) -> Expr:
        """What `raise` raises for an exception or None."""
        if resolve(value.type) != NONE:
            return as_exception(value)
        text = Const(STR, value.span, "exceptions must derive from BaseException")
        return self.exception_of(value.span, TypeError, [text])

    def exception_of_value(self, node: syntax.Expression, value: Expr, refusal: str) -> Expr:
        if isinstance(value, Static) and isinstance(value.denotation, ClassDenotation):
            python = value.denotation.python
            if isinstance(python, type) and issubclass(python, BaseException):
                self.evaluate(value)
                return self.made_exception(syntax.Call(node.span, node, [], []), python)
        if is_silent(value):
            return value
        if not isinstance(value, Static) and is_exception(resolve(value.type)):
            return as_exception(value)
        if not isinstance(value, Static) and all(map(self.is_exception_class, arms_of(resolve(value.type)))):
            made = self.call_function_value(syntax.Call(node.span, node, [], []), value)
            return made if is_silent(made) or isinstance(made, Static) else as_exception(made)
        name = None if isinstance(value, Static) else class_name(value.type)
        raised = "TypeError", name and "exceptions must derive from BaseException"
        return self.wrong_or_left(node, raised, refusal, "write raise ValueError(...)", [value])

    def is_exception_class(self, kind: Type) -> bool:
        """Whether values of a type are one exception class."""
        info = self.session.functions.of(kind)
        python = getattr(info and info.denotation, "python", None)
        return isinstance(python, type) and issubclass(python, BaseException)

    def throw(self, span: Span, exception: Expr) -> None:
        """raise exception"""
        if exception.type == ERROR:
            self.env = None
            return
        self.evaluate(exception if exception.type == NEVER else Throw(NEVER, span, exception))


def nearest_common(classes: Sequence[type]) -> type:
    """The first class in the first one's order of resolution that all of them derive from."""
    if not classes:
        return Exception
    return next(base for base in classes[0].__mro__ if all(issubclass(python, base) for python in classes))
