"""Inference of definitions in functions, with their decorators: functions of the script, and those of the library that
the compiler knows: `contextmanager`, `wraps`, `cache` and `lru_cache`.

In: `def` statements. Out: what their names denote. Holds: decorators are evaluated from the top, and applied from the
bottom; a cache is a dict beside the function, with the keys and the order of CPython's.
"""

from __future__ import annotations

import contextlib
import functools
from dataclasses import replace

from ...compilation.frames import MARK
from ...core.denotations import ClosureDenotation, FunctionDenotation, ObjectDenotation
from ...core.typed import ERROR, Expr, Static, is_silent
from ...parser import syntax
from ..base import InferenceBase

VALUE = "0value"  # a local variable that no name of a script can be
DECORATED = ".function"  # what a decorator gets, beside it
FROM_LIBRARY = (contextlib.contextmanager, functools.wraps, functools.cache, functools.lru_cache)


class DecoratorInference(InferenceBase):
    """Definitions with decorators."""

    def _FunctionDef(self, node: syntax.FunctionDef) -> None:
        names: list[str] = []
        marks = [self.library_decorator(decorator) for decorator in node.decorator_list]
        for decorator, mark in zip(node.decorator_list, marks):
            names.append(f"{MARK}{self.frame.prefix}decorator.{decorator.span.line}.{decorator.span.column}")
            value = Static(ERROR, node.span, ObjectDenotation(None)) if mark is not None else self.expr(decorator)
            if mark is None and is_silent(value):
                self.evaluate(value)
                if self.env is not None:
                    self.here.store(self.local_name(node.name), ERROR)
                return
            if mark is None:
                self.store(names[-1], value)
        made: Expr | None = None
        for name, decorator, mark in reversed(list(zip(names, node.decorator_list, marks))):
            if mark is functools.cache and made is None:
                made = self.cached(node, decorator)
            elif mark is not None:
                if made is not None:
                    self.error(decorator, "this decorator must stand right above 'def' in scripts")
                    made = None
                    break
                made = self.marked(node, decorator, mark)
            else:
                made = self.closure(node) if made is None else made
                call = self.decorating_call(node, decorator, name)
                self.store(f"{name}{DECORATED}", made)
                made = self.expr(call)
        self.assign(syntax.Name(node.span, node.name), self.closure(node) if made is None else made)

    def decorating_call(self, node: syntax.FunctionDef, decorator: syntax.Expression, name: str) -> syntax.Call:
        """`decorator(function)`, both in hidden variables: one node in all rounds of inference, which find the
        variables of the decorator's body by it."""
        calls = self.session.decorating_calls
        if name not in calls or calls[name].span is not decorator.span:
            given: list[syntax.Expression] = [syntax.Name(node.span, f"{name}{DECORATED}")]
            calls[name] = syntax.Call(decorator.span, syntax.Name(decorator.span, name), given, [])
        return calls[name]

    def library_decorator(self, node: syntax.Expression) -> object:
        """The function of the library that a decorator is a use of; None for any other decorator."""
        named = node.func if isinstance(node, syntax.Call) else node
        mark, before = self.reporter.mark(), self.here.copy()
        with self.collect():
            callee = self.expr(named)
        self.reporter.rewind(mark)
        self.env = before
        denotation = callee.denotation if isinstance(callee, Static) else None
        python = denotation.python if isinstance(denotation, ObjectDenotation) else None
        found = next((each for each in FROM_LIBRARY if each is python), None)
        return functools.cache if found is functools.lru_cache else found

    def marked(self, node: syntax.FunctionDef, decorator: syntax.Expression, mark: object) -> Expr:
        """A definition right below `@contextmanager` or `@wraps(function)`."""
        made = self.closure(node)
        assert isinstance(made.denotation, (FunctionDenotation, ClosureDenotation))
        source = made.denotation.source
        if mark is contextlib.contextmanager:
            source.is_manager = True
            return made
        is_plain = isinstance(decorator, syntax.Call) and len(decorator.args) == 1 and not decorator.keywords
        wrapped = self.expr(decorator.args[0]) if isinstance(decorator, syntax.Call) and is_plain else None
        function = getattr(wrapped.denotation, "source", None) if isinstance(wrapped, Static) else None
        if function is None:
            return self.error(decorator, "wraps() takes the function that the wrapper stands for alone",
                              "take the decorator away")
        return replace(made, denotation=replace(made.denotation, source=self.session.renamed(source, function)))

    # Caches

    def cached(self, node: syntax.FunctionDef, decorator: syntax.Expression) -> Expr:
        """A definition right below `@cache` or `@lru_cache(maxsize=None)`."""
        most = most_cached(decorator)
        args = node.args
        if most == 0 or args.vararg is not None or args.kwarg is not None:
            what = "maxsize must be None or a positive constant, without other options" if most == 0 else (
                "the function cannot take *args or **kwargs")
            return self.error(decorator, f"{what}, for a cache in scripts", "take the decorator away")
        key = node, self.frame.prefix
        if key not in self.session.caches:
            where = f"{MARK}{self.frame.prefix}{{}}.{node.span.line}.{node.span.column}"
            self.session.caches[key] = Cache(node, where.format("cache"), where.format("body"), most)
        cache = self.session.caches[key]
        for made in (cache.inner, cache.outer):
            self.session.nested_source(made, self.source).definition = node
        outer = self.session.nested_source(cache.outer, self.source)
        if outer.forms is None and does_more(node):
            outer.forms = []
        self.store(cache.table, self.expr(cache.empty, self.spec.learned.get(cache.table)))
        self.store(cache.body, self.closure(cache.inner))
        return self.closure(cache.outer)


class Cache:
    """The syntax of a cached function: `inner` has the body as written; `outer` asks the dict `table` first, and calls
    it by the variable `body`."""

    def __init__(self, node: syntax.FunctionDef, table: str, body: str, most: int | None) -> None:
        span, args = node.span, node.args
        self.table, self.body, self.empty = table, body, syntax.Dict(span, [], [])
        self.inner = syntax.FunctionDef(span, node.name, args, node.body, [], node.returns, node.type_comment)

        def name(text: str) -> syntax.Name:
            return syntax.Name(span, text)

        def item() -> syntax.Subscript:
            return syntax.Subscript(span, name(table), key())

        def key() -> syntax.Expression:
            params = [param.arg for param in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
            return name(params[0]) if len(params) == 1 else syntax.Tuple(span, [name(each) for each in params])

        def method(attr: str, values: list[syntax.Expression]) -> syntax.Call:
            return syntax.Call(span, syntax.Attribute(span, name(table), attr), values, [])

        call = syntax.Call(span, name(body), [name(each.arg) for each in (*args.posonlyargs, *args.args)],
                           [syntax.keyword(span, each.arg, name(each.arg)) for each in args.kwonlyargs])
        keep = syntax.Assign(span, [item()], name(VALUE))
        found: list[syntax.Statement] = [syntax.Return(span, item())]
        after: list[syntax.Statement] = [keep]
        if most is not None:  # the entry that was asked for last is the last one
            found = [syntax.Assign(span, [name(VALUE)], method("pop", [key()])), keep, syntax.Return(span, name(VALUE))]
            first = syntax.Call(span, name("next"), [syntax.Call(span, name("iter"), [name(table)], [])], [])
            is_full = syntax.Compare(span, syntax.Call(span, name("len"), [name(table)], []), [">="],
                                     [syntax.Constant(span, most)])
            drop = syntax.If(span, is_full, [syntax.Delete(span, [syntax.Subscript(span, name(table), first)])], [])
            is_new = syntax.Compare(span, key(), ["not in"], [name(table)])
            after = [syntax.If(span, is_new, [drop, keep], [])]
        self.outer = syntax.FunctionDef(span, node.name, args, [
            syntax.If(span, syntax.Compare(span, key(), ["in"], [name(table)]), found, []),
            syntax.Assign(span, [name(VALUE)], call), *after, syntax.Return(span, name(VALUE)),
        ], [], node.returns, node.type_comment)


def does_more(node: syntax.FunctionDef) -> bool:
    """Whether somebody may be able to tell how often a function is run."""
    for each in syntax.walk(node):
        if isinstance(each, (syntax.Nonlocal, syntax.Delete)):
            return True
        if isinstance(each, syntax.Expr) and isinstance(each.value, syntax.Call):
            return True
        if isinstance(each, syntax.Call) and isinstance(each.func, syntax.Name) and each.func.id in ("print", "next"):
            return True
        targets = each.targets if isinstance(each, syntax.Assign) else [each.target] if isinstance(
            each, syntax.AugAssign) else []
        if any(isinstance(target, (syntax.Subscript, syntax.Attribute)) for target in targets):
            return True
    return False


def most_cached(decorator: syntax.Expression) -> int | None:
    """`maxsize`; None: there is no limit; 0: it is not known, or there are other options."""
    if not isinstance(decorator, syntax.Call):
        name = decorator.attr if isinstance(decorator, syntax.Attribute) else getattr(decorator, "id", "")
        return None if name == "cache" else 128
    given = [*decorator.args, *(each.value for each in decorator.keywords if each.arg == "maxsize")]
    if len(given) != len(decorator.args) + len(decorator.keywords) or len(given) > 1:
        return 0
    if not given:
        return 128
    value = given[0].value if isinstance(given[0], syntax.Constant) else 0
    return value if value is None or type(value) is int and value > 0 else 0
