"""Inference of exceptions: try, raise, exceptions as values.

In: their statements and expressions. Out: `Try` and `Throw` of the core tree; tests of an exception's class.
Holds: a `finally` is inferred once for each way into it (its end, an exception, return, break, continue), as CPython
compiles it, so each copy knows what is bound there; the name of `except ... as e` is a hidden variable, which ends with
the handler however that is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from ..ir.types import ANY, BYTES, COMPLEX, DEVICE, EXCEPTION, INT, STR, TupleType, Type, arms_of
from . import syntax
from .conversions import is_trivial, narrowed, operate, to_any
from .denotations import ClassDenotation
from .environment import Environment, StoreLog, at_handler, defined, merge
from .exception_classes import NotSimple, builtin_base, init_of
from .infer_base import InferenceBase, Jump
from .infer_parts import Live
from .placeholders import resolve
from .syntax import Span
from .type_facts import any_of
from .typed import (
    ERROR,
    NEVER,
    Const,
    Expr,
    Let,
    MakeTuple,
    Once,
    ReadTemp,
    Static,
    Temp,
    Throw,
    Try,
    TupleItem,
    Unbind,
    boolean,
    is_silent,
    none,
)

FEW_ARGUMENTS = (OSError, SyntaxError, ImportError, StopIteration)  # more arguments mean more than a text to them
TOO_MANY = (UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError)
KEPT = (COMPLEX, BYTES, DEVICE)


class ExceptionInference(InferenceBase):
    """`_Try`, `_Raise`, and what other parts ask about exceptions."""

    # Statements

    def _Try(self, node: syntax.Try) -> None:
        live = self.live_after(node)
        if not node.finalbody:
            self.try_except(node, live)
            return

        def on_exception(caught: str) -> None:
            self.body(node.finalbody)
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
                self.handlers(node, caught)
                if node.orelse:
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
            classes = [BaseException] if handler.type is None else self.caught_classes(handler.type)
            test = self.matches_any(self.read_hidden(caught, handler.span), classes, handler.span)
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
            self.note_class(self.here, hidden, nearest_common(classes))
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

    def note_class(self, env: Environment, name: str, python: type) -> None:
        self.exception_classes[env.variables[name].definition] = python

    def caught_classes(self, node: syntax.Node) -> list[type]:
        """The classes that an `except` clause names; none after reporting."""
        items = node.elts if isinstance(node, syntax.Tuple) else [node]
        found = [self.exception_class(item) for item in items]
        return [python for python in found if python is not None]

    def exception_class(self, node: syntax.Node) -> type | None:
        value = self.expr(node)
        python = getattr(value.denotation, "python", None) if isinstance(value, Static) else None
        if isinstance(python, type) and issubclass(python, BaseException):
            return python
        if value.type != ERROR:
            self.error(node, "an except clause needs an exception class, or a tuple of them, known at compile time")
        return None

    def _Raise(self, node: syntax.Raise) -> None:
        if node.exc is None:
            if not self.handling:
                self.error(node, "a bare 'raise' needs an exception being handled here", "raise the exception by name")
                self.env = None
                return
            self.throw(node.span, self.read_hidden(self.handling[-1], node.span))
            return
        value = self.exception_value(node.exc)
        if node.cause is not None and not is_silent(value):
            value = value if is_trivial(value) else self.hold(value)
            is_none = isinstance(node.cause, syntax.Constant) and node.cause.value is None
            cause = none(node.cause.span) if is_none else self.exception_value(node.cause)
            self.evaluate(cause)
        self.throw(node.span, value)
        self.env = None

    def exception_value(self, node: syntax.Expression) -> Expr:
        """What follows `raise` or `from`: an instance, or a class that is called without arguments."""
        value = self.expr(node)
        if isinstance(value, Static) and isinstance(value.denotation, ClassDenotation):
            python = value.denotation.python
            if isinstance(python, type) and issubclass(python, BaseException):
                return self.make_exception(syntax.Call(node.span, node, [], []), python)
        if is_silent(value) or resolve(value.type) == EXCEPTION:
            return value
        return self.error(node, "only an exception can be raised", "write raise ValueError(...)")

    def throw(self, span: Span, exception: Expr) -> None:
        """raise exception"""
        if exception.type == ERROR:
            self.env = None
            return
        self.evaluate(exception if exception.type == NEVER else Throw(NEVER, span, exception))

    # Exceptions as values

    def make_exception(self, node: syntax.Call, python: type) -> Expr:
        """A call of an exception class."""
        if not issubclass(python, Exception):
            return self.error(node, f"'{python.__name__}' is not an Exception and cannot be made in scripts",
                              "use a subclass of Exception")
        if any(isinstance(argument, syntax.Starred) for argument in node.args):
            return self.error(node, "'*' is not supported in a call of an exception", "write the arguments out")
        try:
            init = init_of(self.session, python)
            self.session.exceptions.describe(python)
        except NotSimple as problem:
            return self.error(node, f"the exception '{python.__name__}' cannot be used: {problem}", problem.hint)
        hints = self.hints_of(init.source) if init is not None else {}
        names = [param.arg for param in init.source.params] if init is not None else []
        values = [self.value(argument, hints.get(names[i]) if i < len(names) else None)
                  for i, argument in enumerate(node.args)]
        named = [(keyword.arg or "", self.value(keyword.value)) for keyword in node.keywords]
        if init is None:
            if named:
                return self.error(node, f"{python.__name__}() takes no keyword arguments")
            return self.exception_of(node.span, python, values)
        if not init.has_args and not is_silent(*values):
            values = [self.hold(value) for value in values]
        made = self.invoke_source(node.span, init.source, values, named)
        if is_silent(made):
            return made
        kind = resolve(made.type)
        assert isinstance(kind, TupleType)
        temp = Temp()
        whole = ReadTemp(kind, node.span, temp)
        args: Expr = TupleItem(kind.elements[0], node.span, whole, 0)
        if not init.has_args:
            args = MakeTuple(TupleType(tuple(resolve(value.type) for value in values)), node.span, values)
        fields = TupleItem(kind.elements[1], node.span, whole, 1)
        result = self.assemble_exception(node.span, python, args, fields, init.attributes)
        return result if result.type == ERROR else Let(EXCEPTION, node.span, temp, made, result)

    def hints_of(self, source: object) -> dict[str, Type]:
        from .function_source import FunctionSource
        from .signatures import signature_types

        assert isinstance(source, FunctionSource)
        return signature_types(source, None)[0]

    def raise_key(self, span: Span, key: Expr) -> Expr:
        """KeyError about a key, which is its argument."""
        made = self.exception_of(span, KeyError, [key])
        return made if made.type == ERROR else Throw(NEVER, span, made)

    def exception_of(self, span: Span, python: type, values: Sequence[Expr]) -> Expr:
        """An exception of a builtin class, or of a user's class without an `__init__`, with these arguments."""
        if is_silent(*values):
            return self.silent(span, values)
        base = builtin_base(python)
        is_special = issubclass(base, TOO_MANY) or base.__name__.endswith("Group")
        if is_special or (issubclass(base, FEW_ARGUMENTS) and len(values) > 1):
            return self.error(span, f"'{python.__name__}' cannot be made with these arguments in scripts",
                              "raise a ValueError or RuntimeError with a message")
        name = Const(STR, span, self.session.exceptions.describe(python))
        only = values[0] if len(values) == 1 else None
        is_text = isinstance(only, Const) and only.type == STR and bool(only.value)
        if not values or (is_text and not issubclass(base, KeyError)):
            message = only if only is not None else Const(STR, span, "")
            return operate("exception.new", name, message)
        kinds = TupleType(tuple(resolve(value.type) for value in values))
        return self.assemble_exception(span, python, MakeTuple(kinds, span, list(values)), None, ())

    def assemble_exception(
        self, span: Span, python: type, args: Expr, fields: Expr | None, names: Sequence[str]
    ) -> Expr:
        refused = first_mutable(resolve(args.type))
        if refused is not None:
            text = f"an argument of an exception cannot be {refused} in scripts"
            return self.error(span, text, "pass str(...) of it")
        name = Const(STR, span, self.session.exceptions.describe(python))
        if fields is None or not names:
            return operate("exception.make", name, to_any(args), to_any(none(span)))
        kind = resolve(fields.type)
        assert isinstance(kind, TupleType)
        items: list[Expr] = []
        for i, attribute in enumerate(names):
            refused = first_mutable(resolve(kind.elements[i]))
            if refused is not None:
                text = f"the attribute '{attribute}' of '{python.__name__}' cannot be {refused} in scripts"
                return self.error(span, text, "keep a number, str or tuple")
            items += [Const(STR, span, attribute), TupleItem(kind.elements[i], span, fields, i)]
        whole = TupleType(tuple(resolve(item.type) for item in items))
        return operate("exception.make", name, to_any(args), to_any(MakeTuple(whole, span, items)))

    def exception_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """`e.args`, and attributes of a user's class that is known here."""
        if name == "args":
            return operate("exception.args", owner)
        python = self.exception_class_of(node)
        if python is None or python.__module__ == "builtins":
            return self.error(node, f"an exception has no attribute '{name}' here",
                              "catch the class that has it: except MyError as e")
        try:
            init = init_of(self.session, python)
        except NotSimple as problem:
            return self.error(node, f"the exception '{python.__name__}' cannot be used: {problem}", problem.hint)
        if init is None or name not in init.attributes:
            return self.error(node, f"'{python.__name__}' has no attribute '{name}' that its __init__ assigns")
        hints = self.hints_of(init.source)
        missing = [param.arg for param in init.source.params if param.arg not in hints]
        if missing:
            return self.error(node, f"the type of '{name}' is not known",
                              f"annotate '{missing[0]}' of {python.__name__}.__init__")
        types = tuple(hints[param.arg] for param in init.source.params)
        result = resolve(self.session.specialiser.request(init.source, types, None).result)
        if not isinstance(result, TupleType):
            return Const(ERROR if result == ERROR else NEVER, node.span, None)
        fields = resolve(result.elements[1])
        assert isinstance(fields, TupleType)
        kind = resolve(fields.elements[init.attributes.index(name)])
        value = operate("exception.attribute", owner, Const(STR, node.span, name))
        return value if kind == ANY else narrowed(value, kind)

    def exception_class_of(self, node: syntax.Node) -> type | None:
        """The class of the exception that a variable before the dot is known to hold."""
        if not isinstance(node, syntax.Attribute) or not isinstance(node.value, syntax.Name):
            return None
        state = self.here.variables.get(self.local_name(node.value.id))
        return None if state is None else self.exception_classes.get(state.definition)

    def exception_of_type(self, node: syntax.Node) -> syntax.Node | None:
        """The `e` of `type(e)` and `e.__class__`, if it is a variable or attribute that holds an exception."""
        named: syntax.Node | None = None
        if isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and len(node.args) == 1:
            named = node.args[0] if self.is_builtin(node.func, "type") else None
        elif isinstance(node, syntax.Attribute) and node.attr == "__class__":
            named = node.value
        if isinstance(named, syntax.Attribute) and self.kind_at(named) == EXCEPTION:
            return named
        if not isinstance(named, syntax.Name) or self.env is None:
            return None
        state = self.env.variables.get(self.local_name(named.id))
        is_exception = state is not None and state.static is None and resolve(state.type) == EXCEPTION
        return named if is_exception else None

    def exception_class_name(self, node: syntax.Node, raised: syntax.Node) -> Expr:
        """type(e).__name__"""
        value = self.expr(raised)
        return self.silent(node.span, [value]) if is_silent(value) else operate("exception.class", value)

    def narrow_exception(self, env: Environment, subject: syntax.Node, classes: Sequence[type]) -> None:
        """After isinstance of a variable that holds an exception."""
        if isinstance(subject, syntax.Name):
            name = self.local_name(subject.id)
            if name in env.variables:
                env.variables[name] = replace(env.variables[name], definition=defined(EXCEPTION).definition)
                self.note_class(env, name, nearest_common(classes))

    def matches_any(self, value: Expr, classes: Sequence[type], span: Span) -> Expr:
        """isinstance(value, classes) of an exception; True where every exception is one."""
        if any(python in (BaseException, Exception, object) for python in classes):
            return boolean(span, True)
        return any_of([self.matches(value, python, span) for python in classes]) if classes else boolean(span, False)

    def matches(self, value: Expr, python: type, span: Span) -> Expr:
        """isinstance(value, python) of an exception."""
        try:
            name = self.session.exceptions.name(python)
        except NotSimple as problem:
            return self.error(span, f"the exception '{python.__name__}' cannot be used: {problem}", problem.hint)
        return operate("exception.matches", value, Const(STR, span, name))


def nearest_common(classes: Sequence[type]) -> type:
    """The first class in the first one's order of resolution that all of them derive from."""
    if not classes:
        return Exception
    return next(base for base in classes[0].__mro__ if all(issubclass(python, base) for python in classes))


def first_mutable(kind: Type) -> str | None:
    """The part of a type that an exception cannot hold, None if there is none."""
    if isinstance(kind, TupleType):
        return next((found for found in map(first_mutable, map(resolve, kind.elements)) if found is not None), None)
    for arm in arms_of(kind):
        if isinstance(arm, TupleType) and arm != kind:
            found = first_mutable(arm)
            if found is not None:
                return found
        elif not arm.is_hashable and arm not in KEPT:
            return f"of type {arm}"
    return None
