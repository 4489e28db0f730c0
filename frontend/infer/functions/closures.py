"""Inference of functions defined in functions: definitions, lambdas, nonlocal, calls of those that call themselves.

In: definitions and calls of closures. Out: denotations of closures; specialisations that get captured variables as
further arguments. Holds: a default is evaluated where its function is defined; a recursive closure changes no variable
of the functions around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ....ir.types import Type
from ...compilation.frames import MARK, Frame
from ...compilation.specialise import TooManySpecialisations
from ...core.denotations import (
    ClosureDenotation,
    FunctionDenotation,
    IteratorDenotation,
    KeywordsDenotation,
    RangeDenotation,
    SliceDenotation,
    ViewDenotation,
)
from ...core.placeholders import resolve
from ...core.typed import ERROR, STATIC, Const, Expr, Invoke, MakeObject, Static
from ...objects.function_source import FunctionSource, own_nodes
from ...objects.signatures import signature_types
from ...parser import syntax
from ...parser.function_attributes import attribute_variable
from ...parser.liveness import names_free, names_read
from ...parser.syntax import Span
from ..base import InferenceBase

OF_A_FRAME = (IteratorDenotation, RangeDenotation, SliceDenotation, ViewDenotation, KeywordsDenotation)
Definition = syntax.FunctionDef | syntax.Lambda


class Default:
    """A default that was evaluated into a variable of the body that defines the function, last into that of `around`:
    each call of that body defines another function, with a default of its own."""

    def __init__(self, place: str, around: Frame) -> None:
        self.place, self.around = place, around

    def variable(self, around: Frame | None) -> str:
        return (around or self.around).prefix + self.place


class ClosureInference(InferenceBase):
    """Closures."""

    def _Lambda(self, node: syntax.Lambda, want: Type | None) -> Expr:
        return self.closure(node)

    def _Nonlocal(self, node: syntax.Nonlocal) -> None:
        for name in node.names:
            if self.frame.find(name) is None:
                self.error(node, f"a script cannot assign '{name}', a variable outside the scripted function",
                           "pass it in and return the new value")

    def closure(self, node: Definition) -> Static:
        """What a definition denotes: a plain function if it uses no variables of those around it."""
        source = self.session.nested_source(node, self.source)
        with self.collect() as before:
            self.defaults(node, source)
            self.leave_identity(node, source)
        free = names_read(node) - source.locals
        is_free = not any(self.find_name(name) is not None for name in free | source_outer(source))
        if is_free and not left_by(source) and not attributes_kept(node, self.source):
            return Static(STATIC, node.span, FunctionDenotation(source), before)
        around = [self.handler_names] if self.handler_names else []
        scopes = tuple(tuple(sorted(scope.items())) for scope in (*around, *self.renames))
        return Static(STATIC, node.span, ClosureDenotation(source, self.frame, scopes), before)

    def _call_functools_partial(self, node: syntax.Call, want: Type | None) -> Expr:
        """partial(): a closure over the function and the arguments that are there."""
        span = node.span
        if not node.args or any(isinstance(each, syntax.Starred) for each in node.args) or any(
            keyword.arg is None for keyword in node.keywords
        ):
            return self.error(node, "partial() takes a function and arguments here", "write a lambda")
        count = len(node.args)

        def build(held: list[syntax.Expression]) -> syntax.Lambda:
            args: list[syntax.Expression] = [*held[1:count], syntax.Starred(span, syntax.Name(span, "args"))]
            given: list[syntax.Expression | None] = [syntax.Constant(span, each.arg) for each in node.keywords]
            named = syntax.Dict(span, [*given, None], [*held[count:], syntax.Name(span, "keywords")])
            params = syntax.arguments(
                span, [], [], syntax.arg(span, "args", None), [], [], syntax.arg(span, "keywords", None), []
            )
            return syntax.Lambda(span, params, syntax.Call(span, held[0], args, [syntax.keyword(span, None, named)]))

        return self.function_over(node, [*node.args, *(keyword.value for keyword in node.keywords)], build)

    def function_over(
        self, node: syntax.Call, kept: Sequence[syntax.Expression],
        build: Callable[[list[syntax.Expression]], syntax.Lambda],
    ) -> Expr:
        """A closure that a call makes over the values of some expressions: `build` gets the names they have in it."""
        span, key = node.span, (node, self.frame.prefix)
        names = [f"{MARK}{self.frame.prefix}partial.{span.line}.{span.column}.{i}" for i in range(len(kept))]
        with self.collect() as before:
            for name, each in zip(names, kept):
                value = self.expr(each)
                if is_made_by(value, self.session.made_lambdas.get(key)):
                    return self.error(each, "an argument of partial() cannot be what the same call made before",
                                      "keep the functions in a list, and call them in turn")
                if value.type == ERROR:
                    return value
                self.store(name, value)
        made = self.session.made_lambdas.get(key)
        if made is None:
            made = self.session.made_lambdas[key] = build([syntax.Name(span, name) for name in names])
        found = self.closure(made)
        return Static(STATIC, span, found.denotation, before)

    def defaults(self, node: Definition, source: FunctionSource) -> None:
        args = node.args
        positional = [*args.posonlyargs, *args.args]
        given = list(zip(positional[len(positional) - len(args.defaults) :], args.defaults))
        given += [(param, value) for param, value in zip(args.kwonlyargs, args.kw_defaults) if value is not None]
        hints, _result = signature_types(source, None)
        for param, default in given:
            default_of = Default(f"{MARK}{node.span.line}.{node.span.column}.{param.arg}", self.frame)
            name = default_of.variable(self.frame)
            value = self.expr(default, hints.get(param.arg))
            if is_made_by(value, node):
                value = self.error(default, "a default cannot be what the same definition made before",
                                   "keep the functions in a list, and call them in turn")
            if value.type == ERROR:
                self.here.store(name, ERROR)
            else:
                self.store(name, value)
            source.defaults[param.arg] = default_of

    def leave_identity(self, node: Definition, source: FunctionSource) -> None:
        """Each run of a definition makes another function."""
        if self.session.functions.have_identities:
            source.identity = Default(f"{MARK}{node.span.line}.{node.span.column}.:identity", self.frame)
            made = MakeObject(self.session.functions.identity_type, node.span)
            self.store(source.identity.variable(self.frame), made)

    # Closures that call themselves

    def is_recursive(self, closure: ClosureDenotation) -> bool:
        """Whether its body mentions a name that leads back to it."""
        source = closure.source
        return source.definition in {
            inner for node in definitions_named(source.definition or source.node, closure.outer)
            for inner in reachable(node, closure.outer)
        }

    def call_recursive(
        self, span: Span, closure: ClosureDenotation, operands: dict[str, Expr], declared: Type | None
    ) -> Expr:
        """A call of a function of its own, which gets the captured variables as arguments."""
        captured = self.captured(span, closure)
        if captured is None:
            return Const(ERROR, span, None)
        operands = self.ended_arguments(closure.source, operands)
        arguments = tuple(v if isinstance(v, Static) else resolve(v.type) for v in operands.values())
        kinds: dict[str, Expr | Type] = {
            name: v if isinstance(v, Static) else resolve(v.type) for name, v in captured.items()
        }
        try:
            callee = self.session.specialiser.request(
                closure.source, arguments, declared, closure, kinds, is_chosen=self.is_left(span))
        except TooManySpecialisations as error:
            return self.error(span, error.message, error.hint)
        self.here.forget_all_paths()
        values = [value for value in (*operands.values(), *captured.values()) if not isinstance(value, Static)]
        if callee.wanted:
            self.learn_arguments(callee, values)
        return Invoke(resolve(callee.result), span, callee, values)

    def captured(self, span: Span, closure: ClosureDenotation) -> dict[str, Expr] | None:
        """The variables that a recursive closure, or one that it reaches, may use; None after reporting."""
        found: dict[str, Expr] = {}
        pending, seen = [closure], {closure}
        while pending:
            current = pending.pop()
            for name, full in self.mentioned(current):
                state = self.here.variables.get(full)
                if state is None or full in found:
                    continue
                if state.static is None and full in self.rebound and self.is_changed(current, name):
                    self.want_cell(full)
                if state.static is None and not self.is_fixed(current, name, full) and is_used_inside(current, name):
                    self.want_cell(full)
                if self.cell_key(full) in self.spec.celled:
                    found[f"{full}{MARK}cell"] = self.read_hidden(f"{full}{MARK}cell", span)
                    continue
                if state.is_conflict or not state.is_bound:
                    self.error(span, f"'{name}' may be unbound where '{closure.source.name}' is called",
                               "assign it before the call on every path")
                    return None
                if isinstance(state.static, IteratorDenotation):
                    self.want_value(full)
                if isinstance(state.static, OF_A_FRAME):
                    self.error(span, f"'{name}' is {state.static.describe()}, which a function that calls itself "
                               "cannot use", "make a list of it")
                    return None
                found[full] = self.read_variable(full, span)
                static = state.static
                if isinstance(static, ClosureDenotation) and static not in seen:
                    seen.add(static)
                    pending.append(static)
        return dict(sorted(found.items()))

    def mentioned(self, closure: ClosureDenotation) -> Iterator[tuple[str, str]]:
        """Names in a closure's body, and in the functions it reaches, that may be variables around it."""
        nodes = [closure.source.node, *reachable(closure.source.node, closure.outer)]
        inner = Frame(closure.source, "?", closure.outer, tuple(map(dict, closure.scopes)))
        for name in sorted(frozenset().union(*map(names_free, nodes))):
            if name.startswith(MARK):  # what a partial keeps
                yield name, name
                continue
            full = closure.outer.find(name) if name in closure.source.locals else inner.find(name)
            if full is not None:
                yield name, full
        for default in left_by(closure.source):
            name = default.variable(closure.outer)
            yield name, name
        for name in attributes_kept(closure.source.definition, closure.outer.source):
            yield name, closure.outer.prefix + name

    def is_changed(self, closure: ClosureDenotation, name: str) -> bool:
        """Whether a recursive closure, or a function it reaches, declares the name nonlocal."""
        nodes = [closure.source.node, *reachable(closure.source.node, closure.outer)]
        return any(
            isinstance(inner, syntax.Nonlocal) and name in inner.names for node in nodes for inner in syntax.walk(node)
        )


def is_used_inside(closure: ClosureDenotation, name: str) -> bool:
    """Whether functions defined in a closure's body, or in what it reaches, use a name around it."""
    return any(
        isinstance(inner, syntax.FUNCTIONS) and inner is not node and name in names_free(inner)
        for node in reachable(closure.source.node, closure.outer) for inner in syntax.walk(node)
    )


def is_made_by(value: Expr, definition: syntax.Node | None) -> bool:
    """Whether a value is a function, known when compiling, that this definition made."""
    denotation = value.denotation if isinstance(value, Static) else None
    return isinstance(denotation, ClosureDenotation) and denotation.source.definition is definition is not None


def is_changed_by_defining(closure: ClosureDenotation, root: Frame | None) -> bool:
    """Whether a function would be another if its definition ran once more: what it leaves, or what it is over."""
    definition = closure.source.definition
    over = names_read(definition) if definition is not None else ()
    return bool(left_by(closure.source)) or closure.outer is not root or any(each.startswith(MARK) for each in over)


def left_by(source: FunctionSource) -> list[Default]:
    """What a definition leaves in variables: its defaults, and its identity."""
    return [each for each in (*source.defaults.values(), source.identity) if isinstance(each, Default)]


def attributes_kept(definition: syntax.Node | None, around: FunctionSource) -> list[str]:
    """Variables that a body keeps the attributes of a function in."""
    if not isinstance(definition, syntax.FunctionDef):
        return []
    return sorted(each for each in around.locals if each.startswith(attribute_variable(definition.name, "")))


def source_outer(source: FunctionSource) -> frozenset[str]:
    """Names that a function declares nonlocal."""
    found = (node.names for node in own_nodes(source.node) if isinstance(node, syntax.Nonlocal))
    return frozenset(name for names in found for name in names)


def definitions_named(node: syntax.Node, frame: Frame | None) -> list[syntax.Node]:
    """Functions defined around a body whose names it mentions."""
    names = names_read(node)
    found: list[syntax.Node] = []
    while frame is not None:
        for inner in own_nodes(frame.source.node):
            if isinstance(inner, syntax.FunctionDef) and inner.name in names:
                found.append(inner)
            if isinstance(inner, syntax.Assign) and isinstance(inner.value, syntax.Lambda):
                if any(isinstance(target, syntax.Name) and target.id in names for target in inner.targets):
                    found.append(inner.value)
        frame = frame.outer
    return found


def reachable(node: syntax.Node, frame: Frame) -> list[syntax.Node]:
    """A definition and those it leads to by the names in their bodies."""
    found: list[syntax.Node] = []
    pending = [node]
    while pending:
        current = pending.pop()
        if current not in found:
            found.append(current)
            pending.extend(definitions_named(current, frame))
    return found
