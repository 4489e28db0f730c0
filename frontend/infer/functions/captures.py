"""Inference of what a stored function takes with it, and of the cells by which a function that outlives its frame, or
calls itself, shares variables with the function around it.

In: closures where a value is needed, stores and reads of variables. Out: captured values and cells. Holds: a variable
that changes after a stored function captured it lives in a cell from its frame's start on.
"""

from __future__ import annotations

from ....ir.types import has_arm
from ...compilation.frames import MARK, Frame
from ...compilation.specialise import Again
from ...core.denotations import (
    ArmsDenotation,
    BuiltinDenotation,
    ClassDenotation,
    ClosureDenotation,
    Denotation,
    FunctionDenotation,
    IteratorDenotation,
    MethodDenotation,
    OperatorDenotation,
)
from ...core.function_values import CONTENT, Captured
from ...core.placeholders import has_placeholder, join, resolve, unify
from ...core.typed import Expr, GetAttribute, MakeObject, Read, Recast, SetAttribute
from ...objects.function_source import own_nodes
from ...parser import syntax
from ...parser.liveness import names_captured, target_names, targets_of
from ...parser.syntax import Span
from ..base import InferenceBase
from ..environment import Variable
from .closures import OF_A_FRAME, left_by

Kept = list[tuple[Captured, Expr]]  # what a stored function takes with it, and where that is now
LOOPS = (syntax.For, syntax.While, syntax.ListComp, syntax.SetComp, syntax.DictComp, syntax.GeneratorExp)


class CaptureInference(InferenceBase):
    """Captured variables."""

    def kept_by(self, span: Span, closure: ClosureDenotation, statics: dict[str, Denotation]) -> Kept | None:
        """The variables that a closure, and those that it leads to, use; None after reporting."""
        found: dict[str, tuple[Captured, Expr]] = {}
        pending, seen = [closure], {closure}
        while pending:
            current = pending.pop()
            for name, full in self.mentioned(current):
                if full in found or full in statics or full.startswith("?"):
                    continue
                state = self.here.variables.get(full)
                if state is None or not state.is_bound:
                    self.error(span, f"'{name}' may be unbound where the function '{closure.source.name}' is stored",
                               "assign it before on every path")
                    return None
                if full in self.handler_names.values():
                    self.error(span, f"'{name}' is unbound when its handler ends: a stored function cannot use it",
                               "keep what it needs of the exception in a variable: str(...)")
                    return None
                if isinstance(state.static, IteratorDenotation):
                    self.want_value(full)
                if isinstance(state.static, OF_A_FRAME):
                    self.error(span, f"'{name}' is {state.static.describe()}, which a stored function cannot use",
                               "make a list of it")
                    return None
                static = self.kept_static(current, name, full, state)
                if static is None:
                    found[full] = self.kept_variable(current, name, full, state, len(found))
                    continue
                statics[full] = static
                if isinstance(static, ClosureDenotation) and static not in seen:
                    seen.add(static)
                    pending.append(static)
        return list(found.values())

    def kept_static(
        self, closure: ClosureDenotation, name: str, full: str, state: Variable
    ) -> Denotation | None:
        """What a captured variable denotes for good; None: it has a value, or will have one once we start again."""
        if state.static is None and not state.is_conflict:
            return None
        plain = isinstance(state.static, (FunctionDenotation, BuiltinDenotation, ClosureDenotation, ClassDenotation))
        if state.static is not None and self.is_fixed(closure, name, full):
            if plain or not isinstance(state.static, (MethodDenotation, OperatorDenotation, ArmsDenotation)):
                return state.static
        self.want_value(full)
        return state.static

    def kept_variable(
        self, closure: ClosureDenotation, name: str, full: str, state: Variable, place: int
    ) -> tuple[Captured, Expr]:
        key = self.cell_key(full)
        if full not in self.spec.celled and key not in self.spec.celled and self.is_fixed(closure, name, full):
            value = self.read_variable(full, closure.source.node.span)
            return Captured(key, full, f"value{place}", resolve(value.type), False), value
        self.want_cell(full)
        cell = self.read_hidden(cell_name(full), closure.source.node.span)
        return Captured(key, full, f"cell{place}", cell.type, True), cell

    def is_fixed(self, closure: ClosureDenotation, name: str, full: str) -> bool:
        """Whether a variable cannot change once the closure has been defined."""
        if name == full and full in [each.variable(closure.outer) for each in left_by(closure.source)]:
            return True
        if full.startswith("."):
            return False
        if name.startswith(MARK) or full in self.spec.captured:
            return True
        frame: Frame | None = closure.outer
        while frame is not None and not (frame.prefix + name == full and name in frame.source.locals):
            frame = frame.outer
        if frame is None or name in frame.source.rebound or closure.source.definition is None:
            return False
        return stays(frame.source.node, closure.source.definition, name)

    # Cells

    def cell_key(self, full: str) -> object:
        """What names a variable in every round: hidden names of comprehensions are numbered anew."""
        return self.comprehension_keys.get(full, full)

    def want_cell(self, full: str) -> None:
        """Makes sure that a variable lives in a cell."""
        key = self.cell_key(full)
        if key in self.spec.celled:
            return
        self.spec.celled[key] = self.here.variables[full].type
        raise Again(self.spec)

    def want_value(self, full: str) -> bool:
        """Makes sure that a variable holds functions as values; False if it does, and that did not help."""
        key = self.cell_key(full)
        if key in self.spec.valued:
            return False
        self.spec.valued.add(key)
        raise Again(self.spec)

    def open_cells(self, span: Span, frame: Frame) -> None:
        """At the start of a body: the cells of its variables."""
        for key, content in list(self.spec.celled.items()):
            if isinstance(key, str) and frame.owns(key) and key not in self.spec.foreign:
                self.store(cell_name(key), MakeObject(self.session.functions.cell(content), span))

    def open_comprehension_cell(self, span: Span, node: syntax.Node, name: str, full: str) -> None:
        key = (id(node), name)
        self.comprehension_keys[full] = key
        if key in self.spec.celled:
            self.store(cell_name(full), MakeObject(self.session.functions.cell(self.spec.celled[key]), span))

    def fill_cell(self, name: str, span: Span) -> None:
        """After a store: the variable's cell, if it has one, gets the value too."""
        key = self.cell_key(name)
        content = self.spec.celled.get(key)
        if content is None or self.env is None:
            return
        kind = resolve(self.here.variables[name].type)
        value: Expr = Read(kind, span, name)
        content = resolve(content)
        if kind != content and has_arm(content, kind):
            value = Recast(content, span, value)
        elif kind != content and not (has_placeholder(content) or has_placeholder(kind)) or not unify(kind, content):
            if name in self.spec.foreign:
                self.error(span, f"a variable of the function around it is {content} and cannot take {kind} here",
                           "annotate it where it is assigned first")
                return
            self.spec.celled[key] = join(content, kind)
            raise Again(self.spec)
        cell = self.read_hidden(cell_name(name), span)
        self.emit(SetAttribute(span, cell, CONTENT, value))
        self.here.paths.pop((cell_name(name), CONTENT), None)
        if has_arm(content, kind):
            self.here.paths[cell_name(name), CONTENT] = kind

    def cell_value(self, full: str, span: Span) -> Expr | None:
        """What a variable that lives in a cell is now; None if it does not."""
        key = self.cell_key(full)
        content = self.spec.celled.get(key)
        if content is None or cell_name(full) not in self.here.variables:
            return None
        read: Expr = GetAttribute(resolve(content), span, self.read_hidden(cell_name(full), span), CONTENT)
        known = resolve(self.here.variables[full].type)
        if full not in self.rebound and full not in self.spec.foreign and has_arm(read.type, known):
            return Recast(known, span, read)
        return self.known_at(read, self.cell_path(full))

    def cell_path(self, full: str) -> tuple[str, ...] | None:
        """The path of the content of a variable's cell: what is known of it holds until another function is called."""
        is_celled = self.spec.celled.get(self.cell_key(full)) is not None and cell_name(full) in self.here.variables
        return (cell_name(full), CONTENT) if is_celled else None


def cell_name(full: str) -> str:
    """The variable that holds the cell of a variable."""
    return f"{full}{MARK}cell"


def stays(function: syntax.Node, definition: syntax.Node, name: str) -> bool:
    """Whether no assignment of a name in a function's own body can run after a definition in it: each stands before,
    and no loop holds both."""
    inner = next((node for node in own_nodes(function) if isinstance(node, syntax.FUNCTIONS) and any(
        each is definition for each in syntax.walk(node))), None)
    if inner is None:
        return False
    start = (inner.span.line, inner.span.column)
    sites = [node for node in own_nodes(function) if name in bound_by(node)]
    loops = [node for node in own_nodes(function) if isinstance(node, LOOPS)]
    is_defined = len(sites) == 1 and isinstance(sites[0], syntax.FunctionDef)
    if is_defined and not any(holds(loop, sites[0]) for loop in loops):
        return True  # of a function that is defined once: bound by then, or not at all
    for site in sites:
        is_own = site is inner or getattr(site, "value", None) is inner
        if not is_own and ((site.span.line, site.span.column) > start or holds(site, inner)):
            return False
    others = [site for site in sites if site is not inner]  # defined anew, it is the same function over the same names
    around = [loop for loop in loops if holds(loop, inner)]
    return not any(site is loop or holds(loop, site) for loop in around for site in others)


def bound_by(node: syntax.Node) -> set[str]:
    """Names that a node itself binds."""
    found: set[str] = set(names_captured(node))
    for target in targets_of(node):
        found |= target_names(target)
    if isinstance(node, (syntax.FunctionDef, syntax.ClassDef)):
        found.add(node.name)
    if isinstance(node, syntax.ExceptHandler) and node.name is not None:
        found.add(node.name)
    return found


def holds(outer: syntax.Node, inner: syntax.Node) -> bool:
    return any(each is inner for each in syntax.walk(outer))
