"""Names: which scope each belongs to, as CPython's symbol table says; checks source text, which no Python has compiled.

In: a syntax tree. Out: a Scope for each module, class, function and comprehension. Holds: every name of a scope is
classified; private names are mangled; misplaced `global` and `nonlocal` are reported, and resolution goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from ..diagnostics import Reporter
from . import syntax
from .syntax import AsyncFunctionDef, ClassDef, FunctionDef, Lambda, Module, Node


class Kind(Enum):
    """Where a name lives, seen from one scope."""

    PARAMETER = "parameter"
    LOCAL = "local"
    CELL = "cell"  # local or parameter that a nested scope uses
    FREE = "free"  # belongs to an enclosing function
    GLOBAL = "global"  # declared so, or found nowhere else: a global or builtin


@dataclass(eq=False)
class Scope:
    """The names of one module, class, function, lambda or comprehension, already mangled.

    `assigned` gives for each name the nodes that bind it, `used` the nodes that read it. `loop_targets` and
    `deleted` are names bound by `for` and unbound by `del`. `kinds` is complete after `resolve`.
    """

    node: Node
    parent: Scope | None
    class_name: str | None
    children: list[Scope] = field(default_factory=list)
    kinds: dict[str, Kind] = field(default_factory=dict)
    parameters: list[str] = field(default_factory=list)
    assigned: dict[str, list[Node]] = field(default_factory=dict)
    used: dict[str, list[Node]] = field(default_factory=dict)
    globals: dict[str, Node] = field(default_factory=dict)
    nonlocals: dict[str, Node] = field(default_factory=dict)
    loop_targets: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)

    @property
    def is_function(self) -> bool:
        """Whether names can be free in it and captured from it."""
        return not isinstance(self.node, Module | ClassDef)

    @property
    def is_comprehension(self) -> bool:
        return isinstance(self.node, syntax.COMPREHENSIONS)

    @property
    def is_class(self) -> bool:
        return isinstance(self.node, ClassDef)

    def names_of(self, *kinds: Kind) -> list[str]:
        return [name for name, kind in self.kinds.items() if kind in kinds]

    @property
    def locals(self) -> list[str]:
        """Names that a call of this function owns, parameters first."""
        return self.names_of(Kind.PARAMETER, Kind.LOCAL, Kind.CELL)

    @property
    def free(self) -> list[str]:
        return self.names_of(Kind.FREE)

    @property
    def is_binding(self) -> set[str]:
        """Names bound here, unless declared to belong elsewhere."""
        return (set(self.assigned) | set(self.parameters)) - set(self.globals) - set(self.nonlocals)


def mangle(name: str, class_name: str | None) -> str:
    """`__x` in class `_C` is `_C__x` (less the class's leading underscores); other names stay."""
    if class_name is None or not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    stripped = class_name.lstrip("_")
    return f"_{stripped}{name}" if stripped else name


@dataclass
class Scopes:
    """All scopes of one tree, by node."""

    root: Scope
    by_node: dict[Node, Scope]

    def __getitem__(self, node: Node) -> Scope:
        return self.by_node[node]


def resolve(
    root: Node, reporter: Reporter, class_name: str | None = None, enclosing: Iterable[str] = ()
) -> Scopes:
    """Scopes of `root` (a Module, or one function) and all below.

    `class_name` is that of the class whose body the function stands in; `enclosing` are the variables of the functions
    around it (`co_freevars` of a function object).
    """
    collector = _Collector(reporter)
    scope = collector.collect(root, class_name)
    _classify(scope, frozenset(enclosing), reporter)
    return Scopes(scope, collector.by_node)


class _Collector:
    """Walks the tree once and notes bindings, uses and declarations per scope."""

    def __init__(self, reporter: Reporter) -> None:
        self.reporter = reporter
        self.by_node: dict[Node, Scope] = {}

    def collect(self, root: Node, class_name: str | None) -> Scope:
        if isinstance(root, Module):
            scope = self._open(root, None, None)
            self._visit_all(root.body, scope)
            return scope
        assert isinstance(root, FunctionDef | AsyncFunctionDef | Lambda)
        return self._function_scope(root, None, class_name)

    def _open(self, node: Node, parent: Scope | None, class_name: str | None) -> Scope:
        scope = Scope(node, parent, class_name)
        self.by_node[node] = scope
        if parent is not None:
            parent.children.append(scope)
        return scope

    def _visit_all(self, nodes: Iterable[Node | None], scope: Scope) -> None:
        for node in nodes:
            if node is not None:
                self._visit(node, scope)

    def _visit(self, node: Node, scope: Scope) -> None:
        method = getattr(self, f"_visit_{type(node).__name__}", None)
        if method is not None:
            method(node, scope)
        else:
            self._visit_all(syntax.child_nodes(node), scope)

    # Bindings

    def _bind(self, name: str, node: Node, scope: Scope) -> None:
        scope.assigned.setdefault(mangle(name, scope.class_name), []).append(node)

    def _bind_target(self, target: Node, scope: Scope) -> None:
        """Names in a target are bound, everything else in it is read."""
        if isinstance(target, syntax.Name):
            self._bind(target.id, target, scope)
        elif isinstance(target, syntax.Tuple | syntax.List | syntax.Starred):
            for child in syntax.child_nodes(target):
                self._bind_target(child, scope)
        else:
            self._visit(target, scope)

    def _visit_Name(self, node: syntax.Name, scope: Scope) -> None:
        scope.used.setdefault(mangle(node.id, scope.class_name), []).append(node)
        if node.id == "super" and scope.is_function and scope.class_name is not None:
            scope.used.setdefault("__class__", []).append(node)

    def _visit_Assign(self, node: syntax.Assign, scope: Scope) -> None:
        self._visit(node.value, scope)
        for target in node.targets:
            self._bind_target(target, scope)

    def _visit_AugAssign(self, node: syntax.AugAssign, scope: Scope) -> None:
        self._visit(node.value, scope)
        self._bind_target(node.target, scope)

    def _visit_AnnAssign(self, node: syntax.AnnAssign, scope: Scope) -> None:
        self._visit_all((node.annotation, node.value), scope)
        if node.simple or node.value is not None or not isinstance(node.target, syntax.Name):
            self._bind_target(node.target, scope)

    def _visit_NamedExpr(self, node: syntax.NamedExpr, scope: Scope) -> None:
        """In a comprehension the name belongs to the function around it."""
        self._visit(node.value, scope)
        owner = scope
        while owner.is_comprehension and owner.parent is not None:
            if any(node.target.id in _names(g.target) for g in _generators(owner.node)):
                message = "assignment expression cannot rebind comprehension iteration variable "
                self.reporter.error(node.span, f"{message}'{node.target.id}'")
                return
            owner = owner.parent
        if owner is not scope and owner.is_class:
            message = "assignment expression within a comprehension cannot be used in a class body"
            self.reporter.error(node.span, message)
            return
        self._bind(node.target.id, node.target, owner)
        if owner is not scope:
            scope.nonlocals.setdefault(mangle(node.target.id, scope.class_name), node)

    def _visit_Delete(self, node: syntax.Delete, scope: Scope) -> None:
        for target in node.targets:
            self._bind_target(target, scope)
            scope.deleted.update(mangle(name, scope.class_name) for name in _names(target))

    def _visit_For(self, node: syntax.For | syntax.AsyncFor, scope: Scope) -> None:
        self._visit(node.iter, scope)
        self._bind_target(node.target, scope)
        scope.loop_targets.update(mangle(name, scope.class_name) for name in _names(node.target))
        self._visit_all((*node.body, *node.orelse), scope)

    _visit_AsyncFor = _visit_For

    def _visit_withitem(self, node: syntax.withitem, scope: Scope) -> None:
        self._visit(node.context_expr, scope)
        if node.optional_vars is not None:
            self._bind_target(node.optional_vars, scope)

    def _visit_ExceptHandler(self, node: syntax.ExceptHandler, scope: Scope) -> None:
        if node.type is not None:
            self._visit(node.type, scope)
        if node.name is not None:
            self._bind(node.name, node, scope)
        self._visit_all(node.body, scope)

    def _visit_Import(self, node: syntax.Import | syntax.ImportFrom, scope: Scope) -> None:
        for each in node.names:
            if each.name != "*":
                self._bind(each.asname or each.name.split(".")[0], each, scope)

    _visit_ImportFrom = _visit_Import

    def _visit_MatchAs(self, node: syntax.MatchAs, scope: Scope) -> None:
        self._visit_all(syntax.child_nodes(node), scope)
        if node.name is not None:
            self._bind(node.name, node, scope)

    def _visit_MatchStar(self, node: syntax.MatchStar, scope: Scope) -> None:
        if node.name is not None:
            self._bind(node.name, node, scope)

    def _visit_MatchMapping(self, node: syntax.MatchMapping, scope: Scope) -> None:
        self._visit_all(syntax.child_nodes(node), scope)
        if node.rest is not None:
            self._bind(node.rest, node, scope)

    def _visit_Global(self, node: syntax.Global, scope: Scope) -> None:
        self._declare(node, node.names, scope, scope.globals)

    def _visit_Nonlocal(self, node: syntax.Nonlocal, scope: Scope) -> None:
        if isinstance(scope.node, Module):
            self.reporter.error(node.span, "nonlocal declaration not allowed at module level")
            return
        self._declare(node, node.names, scope, scope.nonlocals)

    def _declare(
        self, node: syntax.Global | syntax.Nonlocal, names: list[str], scope: Scope, into: dict[str, Node]
    ) -> None:
        word = "global" if isinstance(node, syntax.Global) else "nonlocal"
        for written in names:
            name = mangle(written, scope.class_name)
            if name in scope.parameters:
                self.reporter.error(node.span, f"name '{written}' is parameter and {word}")
            elif name in scope.assigned:
                self.reporter.error(node.span, f"name '{written}' is assigned to before {word} declaration")
            elif name in scope.used:
                self.reporter.error(node.span, f"name '{written}' is used prior to {word} declaration")
            elif name in (scope.nonlocals if into is scope.globals else scope.globals):
                self.reporter.error(node.span, f"name '{written}' is nonlocal and global")
            into.setdefault(name, node)

    # Nested scopes

    def _visit_FunctionDef(self, node: FunctionDef | AsyncFunctionDef, scope: Scope) -> None:
        self._bind(node.name, node, scope)
        self._visit_all(node.decorator_list, scope)
        self._visit_signature(node.args, node.returns, scope)
        self._function_scope(node, scope, scope.class_name)

    _visit_AsyncFunctionDef = _visit_FunctionDef

    def _visit_Lambda(self, node: Lambda, scope: Scope) -> None:
        self._visit_signature(node.args, None, scope)
        self._function_scope(node, scope, scope.class_name)

    def _visit_signature(self, args: syntax.arguments, returns: Node | None, scope: Scope) -> None:
        """Defaults and annotations are evaluated around the function."""
        self._visit_all((*args.defaults, *args.kw_defaults), scope)
        self._visit_all((each.annotation for each in args.all), scope)
        self._visit_all((returns,), scope)

    def _function_scope(
        self, node: FunctionDef | AsyncFunctionDef | Lambda, parent: Scope | None, class_name: str | None
    ) -> Scope:
        inner = self._open(node, parent, class_name)
        inner.parameters = [mangle(each.arg, class_name) for each in node.args.all]
        self._visit_all(node.body if isinstance(node.body, list) else [node.body], inner)
        return inner

    def _visit_ClassDef(self, node: ClassDef, scope: Scope) -> None:
        self._bind(node.name, node, scope)
        self._visit_all((*node.decorator_list, *node.bases, *node.keywords), scope)
        self._visit_all(node.body, self._open(node, scope, node.name))

    def _visit_comprehension_scope(self, node: syntax.AnyComprehension, scope: Scope) -> None:
        """The first iterable is evaluated around the comprehension."""
        first, *others = node.generators
        self._visit(first.iter, scope)
        inner = self._open(node, scope, scope.class_name)
        self._bind_target(first.target, inner)
        self._visit_all(first.ifs, inner)
        for generator in others:
            self._bind_target(generator.target, inner)
            self._visit_all((generator.iter, *generator.ifs), inner)
        elements = (node.key, node.value) if isinstance(node, syntax.DictComp) else (node.elt,)
        inner.loop_targets.update(mangle(n, scope.class_name) for g in node.generators for n in _names(g.target))
        self._visit_all(elements, inner)

    _visit_ListComp = _visit_SetComp = _visit_DictComp = _visit_GeneratorExp = _visit_comprehension_scope


def _generators(node: Node) -> list[syntax.comprehension]:
    assert isinstance(node, syntax.ListComp | syntax.SetComp | syntax.DictComp | syntax.GeneratorExp)
    return node.generators


def _names(target: Node) -> set[str]:
    """The bare names that a target binds."""
    if isinstance(target, syntax.Name):
        return {target.id}
    if isinstance(target, syntax.Tuple | syntax.List | syntax.Starred):
        return {name for child in syntax.child_nodes(target) for name in _names(child)}
    return set()


def _classify(scope: Scope, enclosing: frozenset[str], reporter: Reporter) -> set[str]:
    """Fill `kinds` of this scope and those below; the names that they take from around this scope.

    `enclosing` are the names bound by the functions around it.
    """
    bound = set(scope.is_binding)
    if scope.is_comprehension and scope.parent is not None and isinstance(scope.parent.node, Module):
        scope.globals.update(scope.nonlocals)
        scope.nonlocals = {}
    hidden: set[str] = set() if scope.is_class else set(scope.globals)  # a class's do not reach its methods
    visible = (enclosing - hidden) | (bound if scope.is_function else set())
    wanted: set[str] = set()
    for child in scope.children:
        seen = visible | {"__class__"} if scope.is_class else visible
        wanted |= _classify(child, frozenset(seen), reporter)
    if scope.is_class:
        wanted.discard("__class__")
    for name in (*scope.parameters, *scope.assigned, *scope.used, *scope.globals, *scope.nonlocals):
        scope.kinds[name] = _kind(name, scope, bound, enclosing, wanted, reporter)
    for name in wanted - set(scope.kinds):
        scope.kinds[name] = Kind.FREE if name in enclosing else Kind.GLOBAL
    taken = {name for name in wanted if scope.kinds[name] is not Kind.CELL}
    return taken | {name for name, kind in scope.kinds.items() if kind is Kind.FREE}


def _kind(
    name: str, scope: Scope, bound: set[str], enclosing: frozenset[str], wanted: set[str], reporter: Reporter
) -> Kind:
    if name in scope.globals:
        return Kind.GLOBAL
    if name in scope.nonlocals:
        if name in enclosing:
            return Kind.FREE
        if not scope.is_comprehension:
            reporter.error(scope.nonlocals[name].span, f"no binding for nonlocal '{name}' found")
        return Kind.GLOBAL
    if name in bound:
        if name in wanted and scope.is_function:
            return Kind.CELL
        return Kind.PARAMETER if name in scope.parameters else Kind.LOCAL
    return Kind.FREE if name in enclosing else Kind.GLOBAL
