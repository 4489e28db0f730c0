"""Inference of generators with clean-up that a variable holds: `g = f()`, where f yields in a `try` or `with`.

In: assignments of calls of such functions. Out: the rest of the function, then what closes the generator.
Holds: nobody but the variable keeps the generator, and it keeps no other, so that it ends where the function does, as
when CPython frees it: behind the value that is returned, in the order of the function's variables.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from ...core.denotations import ClosureDenotation, FunctionDenotation, MethodDenotation
from ...core.generator_values import GENERATOR_METHODS
from ...core.typed import ERROR, Const, Expr, Read, Static
from ...objects.function_source import FunctionSource, own_nodes
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..functions.frames import is_yield_guarded
from ..iteration import NotIterable
from .generator_methods import is_named
from .resumable import GeneratorObjectIteration, is_cleaning

CONSUMERS = frozenset((  # builtins that keep nothing of what they walk through, and give no iterator
    "next", "list", "tuple", "set", "frozenset", "dict", "sum", "min", "max", "any", "all", "sorted",
))
METHOD_CONSUMERS = frozenset(("join", "extend"))
MAX_DEPTH = 3  # of functions that pass a generator on
LAZY = frozenset(("zip", "enumerate", "map", "filter", "iter", "islice"))


class OwnedGeneratorInference(InferenceBase):
    """Variables that own generators."""

    def owns_generator(self, node: syntax.Node) -> bool:
        """Whether a statement of a function's own block gives a variable a generator with clean-up, which nothing else
        comes to hold."""
        if not isinstance(node, syntax.Assign) or len(node.targets) != 1 or not isinstance(node.value, syntax.Call):
            return False
        target = node.targets[0]
        if not isinstance(target, syntax.Name) or self.suite is not self.source.node.body:
            return False
        source = self.generator_source(node.value)
        if source is None or not self.ends_by_code(source):
            return False
        if self.source.is_generator or self.may_be_caught(source):
            return False
        return self.is_only_borrowed(self.source, target.id)

    def ends_by_code(self, source: FunctionSource, depth: int = 0) -> bool:
        """Whether a generator function does something when its generator is closed, or one that it walks through."""
        walked: list[syntax.Node] = []
        for each in own_nodes(source.node):
            if is_yield_guarded(each) and (is_cleaning(each) or catches_exit(each)):
                return True
            if isinstance(each, (syntax.For, syntax.YieldFrom)):
                walked.append(each.iter if isinstance(each, syntax.For) else each.value)
        for each in walked:
            name = each.func.id if isinstance(each, syntax.Call) and isinstance(each.func, syntax.Name) else ""
            python = self.global_named(source, name)
            if depth < MAX_DEPTH and inspect.isfunction(python) and inspect.isgeneratorfunction(python):
                if self.ends_by_code(self.session.source(python), depth + 1):
                    return True
        return False

    def generator_source(self, node: syntax.Call) -> FunctionSource | None:
        """The generator function that is called; None if it is none."""
        if not self.is_generator_call(node):
            return None
        mark = self.reporter.mark()
        callee = self.callee_again(node)
        self.reporter.rewind(mark)
        denotation = callee.denotation if isinstance(callee, Static) else None
        kinds = (FunctionDenotation, ClosureDenotation, MethodDenotation)
        return denotation.source if isinstance(denotation, kinds) and not denotation.source.is_manager else None

    def is_only_borrowed(self, source: FunctionSource, name: str, depth: int = 0) -> bool:
        """Whether all that a function does with a variable, which gets one value, is to ask it for items, to send,
        throw and close, and to pass it to functions that do no more."""
        used = {id(each) for each in syntax.walk(source.node) if is_named(each, name)}
        allowed: set[int] = set()
        stores = sum(param.arg == name for param in source.params)
        for each in own_nodes(source.node):
            if isinstance(each, syntax.Assign) and any(is_named(target, name) for target in each.targets):
                stores += 1
                allowed.update(map(id, each.targets))
            elif is_unpacking(each) or isinstance(each, syntax.Attribute) and each.attr in GENERATOR_METHODS:
                allowed.add(id(each.value))  # type: ignore[attr-defined]
            elif isinstance(each, syntax.For):
                allowed.update(map(id, walked_in(each.iter)))
            elif isinstance(each, (syntax.ListComp, syntax.SetComp, syntax.DictComp)):
                allowed.update(id(found) for part in each.generators for found in walked_in(part.iter))
            elif isinstance(each, (syntax.Call, syntax.List, syntax.Tuple, syntax.Set)):
                allowed.update(map(id, self.borrowed_in(each, source, depth)))
        return stores == 1 and used <= allowed

    def borrowed_in(self, node: syntax.Node, source: FunctionSource, depth: int) -> Sequence[syntax.Node]:
        """The parts of a call or display that are walked through at once, or passed to what does not keep them."""
        given = node.args if isinstance(node, syntax.Call) else node.elts  # type: ignore[attr-defined]
        found = [each.value for each in given if isinstance(each, syntax.Starred)]
        callee = node.func if isinstance(node, syntax.Call) else None
        if isinstance(callee, syntax.Attribute):
            is_walked = callee.attr in METHOD_CONSUMERS
            return [*found, *(each for argument in given if is_walked for each in walked_in(argument))]
        if not isinstance(callee, syntax.Name) or callee.id in source.locals:
            return found
        if callee.id in CONSUMERS:
            return [each for argument in given for each in walked_in(argument)]
        python = self.global_named(source, callee.id)
        if depth < MAX_DEPTH and inspect.isfunction(python):
            called = self.session.source(python)
            if not called.is_generator:
                found += [each for each, param in zip(given, called.params) if self.is_only_borrowed(
                    called, param.arg, depth + 1)]
        return found

    def global_named(self, source: FunctionSource, name: str) -> object:
        try:
            return source.lookup(name)
        except KeyError:
            return None

    def may_be_caught(self, source: FunctionSource) -> bool:
        """Whether an exception may leave this function for a handler around it: CPython then keeps the function's
        variables while that handles it."""
        around = [caller for caller, _ in self.frame.callers]
        around += [spec.source for spec in self.session.specialiser.stack if spec is not self.spec]
        if self.frame is not self.spec.root:
            around.append(self.spec.source)
        known = [*around, *(spec.source for spec in self.session.specialiser.known.values())] if around else []
        others = [each for each in known if each not in (source, self.source)]
        return any(isinstance(node, (syntax.Try, syntax.With)) for each in others for node in own_nodes(each.node))

    def with_owned(self, node: syntax.Node, rest: Sequence[syntax.Node]) -> None:
        """The assignment, and the rest of the function."""
        assert isinstance(node, syntax.Assign) and isinstance(node.value, syntax.Call)
        span = node.span
        made = self.owned_object(node.value)
        self.assign(node.targets[0], made)
        if not isinstance(made, Read):
            self.body(rest, goes_on=True)
            return
        frame, name = self.frame, made.name
        owned = frame.owned
        owned.append(name)
        before = list(owned)

        def close() -> None:
            for each in before:
                self.close_quietly(span, self.read_hidden(each, span))

        def on_exception(caught: str) -> None:
            close()
            if self.env is not None:
                self.throw(span, self.read_hidden(caught, span))

        try:
            self.finally_(span, None, lambda: self.body(rest, goes_on=True), on_exception, close)
        finally:
            owned.remove(name)

    def owned_object(self, node: syntax.Call) -> Expr:
        """A call of a generator function as a value that something closes."""
        outer, self.owning = self.owning, node
        try:
            iteration = self.iterate(node)
        except NotIterable:
            return Const(ERROR, node.span, None)
        finally:
            self.owning = outer
        assert isinstance(iteration, GeneratorObjectIteration)
        return self.read_hidden(iteration.owner, node.span)

    def close_quietly(self, span: Span, owner: Expr) -> None:
        """What CPython does when it frees a generator: an exception is only shown."""
        self.protect(span, None, lambda: self.close_generator(span, owner), lambda caught: None)


def catches_exit(node: syntax.Node) -> bool:
    """Whether a `try` has a handler for GeneratorExit."""
    if not isinstance(node, syntax.Try):
        return False
    named = {each.id for handler in node.handlers if handler.type is not None for each in syntax.walk(handler.type)
             if isinstance(each, syntax.Name)}
    return any(handler.type is None for handler in node.handlers) or bool(named & {"BaseException", "GeneratorExit"})


def is_unpacking(node: syntax.Node) -> bool:
    return isinstance(node, syntax.Assign) and isinstance(node.targets[0], (syntax.Tuple, syntax.List))


def walked_in(node: syntax.Node) -> list[syntax.Node]:
    """What a loop over an expression walks through."""
    if isinstance(node, syntax.GeneratorExp):
        return walked_in(node.generators[0].iter)
    if isinstance(node, syntax.Starred):
        return walked_in(node.value)
    if isinstance(node, syntax.Call) and isinstance(node.func, (syntax.Name, syntax.Attribute)):
        name = node.func.id if isinstance(node.func, syntax.Name) else node.func.attr
        return [found for argument in node.args for found in walked_in(argument)] if name in LAZY else []
    return [node]
