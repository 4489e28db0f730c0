"""Python's own syntax trees of what was compiled, and their rewriting for a listing.

In: function sources and classes with their files' texts. Out: `ast` trees with free names replaced and pruned branches
gone. Holds: a tree is a copy; positions in it are those of the file.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from typing import Any as PyAny

from ...ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    DictType,
    FrozenSetType,
    ListType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    UnionType,
)
from ..compilation.session import unwrap
from ..objects.function_source import FunctionSource
from ..parser.parse import normalised

if TYPE_CHECKING:
    from .code import Listing

_PLAIN = {INT: "int", FLOAT: "float", BOOL: "bool", STR: "str", BYTES: "bytes", COMPLEX: "complex", NONE: "None",
          TENSOR: "tsm.Tensor", ANY: "typing.Any"}
_KEPT = ("staticmethod", "classmethod", "property", "abstractmethod")


@dataclass
class Definition:
    """A function's tree."""

    tree: ast.FunctionDef

    def keeps(self, decorator: ast.expr) -> bool:
        """Whether a decorator changes what the function is."""
        name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
        return name in (*_KEPT, "setter")


@lru_cache(maxsize=16)
def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text, type_comments=True)
    except SyntaxError:
        pass
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _copy(node: PyAny) -> PyAny:
    import copy

    return copy.deepcopy(node)


def function_tree(source: FunctionSource, texts: dict[str, str]) -> Definition | None:
    """A copy of the definition; a lambda becomes a function that returns its body. None if it has no text."""
    span = source.node.span
    module = _parsed(texts.get(span.file, ""))
    if module is None:
        return None
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name == source.node.name and _begins_at(node, span.line):
            return Definition(_copy(node))
    lines = texts[span.file].split("\n")
    for node in ast.walk(module):
        if isinstance(node, ast.Lambda) and node.lineno == span.line:
            if len(lines[span.line - 1].encode()[: node.col_offset].decode()) + 1 == span.column:
                body = ast.Return(_copy(node.body))
                made = ast.FunctionDef("made", _copy(node.args), [body], [], None, None)
                return Definition(ast.fix_missing_locations(ast.copy_location(made, node)))
    return None


def _begins_at(node: ast.FunctionDef, line: int) -> bool:
    return line in (node.lineno, *(each.lineno for each in node.decorator_list))


def class_tree(python: type, texts: dict[str, str]) -> tuple[ast.ClassDef, PyAny] | None:
    """A copy of the class statement, and how the names in it are found. None if no class statement made it."""
    import sys

    try:
        file = inspect.getsourcefile(python)
        text = normalised("".join(inspect.findsource(python)[0]), file or "")
    except (OSError, TypeError):
        return None
    module = _parsed(text)
    if module is None:
        return None
    lines = [function.__code__.co_firstlineno for function in own_functions(python, file)]
    path = [part for part in python.__qualname__.split(".") if part != "<locals>"]
    found = _by_path(module, path, min(lines, default=None))
    if found is None:
        return None
    scope = vars(sys.modules[python.__module__]) if python.__module__ in sys.modules else {}
    method = next(iter(own_functions(python, file)), None)
    if method is not None:
        scope = {**method.__globals__, **_closure(method)}

    def lookup(name: str) -> PyAny:
        if name in scope:
            return scope[name]
        import builtins

        return vars(builtins)[name]

    return _copy(found), lookup


def _closure(function: PyAny) -> dict[str, PyAny]:
    found: dict[str, PyAny] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    found.pop("__class__", None)
    return found


def own_functions(python: type, file: str | None) -> list[PyAny]:
    """Methods that the class statement holds: not those that dataclasses and enums add."""
    found = (getattr(value, "__func__", value) for value in vars(python).values())
    plain = [unwrap(value) for value in found if inspect.isfunction(value)]
    return [value for value in plain if value.__code__.co_filename == file]


def _by_path(node: ast.AST, path: list[str], first: int | None) -> ast.ClassDef | None:
    """The last class statement of that path that has the line `first`: the others were overwritten by it."""
    best: ast.ClassDef | None = None
    pending: list[tuple[ast.AST, list[str]]] = [(node, path)]
    while pending:
        each, rest = pending.pop()
        for child in ast.iter_child_nodes(each):
            if isinstance(child, (ast.ClassDef, ast.FunctionDef)) and child.name == rest[0]:
                if len(rest) == 1 and isinstance(child, ast.ClassDef):
                    is_here = first is None or child.lineno <= first <= (child.end_lineno or first)
                    if is_here and (best is None or child.lineno > best.lineno):
                        best = child
                elif len(rest) > 1:
                    pending.append((child, rest[1:]))
            elif not isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.expr)):
                pending.append((child, rest))
    return best


def free_names(tree: ast.AST) -> set[str]:
    """Names that a function or class reads and that neither it nor a function in it binds."""
    collector = _Free()
    collector.visit(tree)
    return collector.free


class _Free(ast.NodeVisitor):
    """Scopes by `symtable` would need text; names are few, so a walk by hand does."""

    def __init__(self) -> None:
        self.free: set[str] = set()
        self.bound: list[set[str]] = []

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and not any(node.id in names for names in self.bound):
            self.free.add(node.id)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for each in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults, node.returns):
            if each is not None:
                self.visit(each)
        for arg in ast.walk(node.args):
            if isinstance(arg, ast.arg) and arg.annotation is not None:
                self.visit(arg.annotation)
        self._inside(node, node.body)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for each in (*node.args.defaults, *node.args.kw_defaults):
            if each is not None:
                self.visit(each)
        self._inside(node, [node.body])

    def _inside(self, node: ast.FunctionDef | ast.Lambda, body: list[PyAny]) -> None:
        self.bound.append(bound_names(node))
        for each in body:
            self.visit(each)
        self.bound.pop()

    def _comprehension(self, node: PyAny) -> None:
        names = {n.id for each in node.generators for n in ast.walk(each.target) if isinstance(n, ast.Name)}
        self.visit(node.generators[0].iter)
        self.bound.append(names)
        for place, each in enumerate(node.generators):
            for part in (*([] if place == 0 else [each.iter]), *each.ifs):
                self.visit(part)
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                self.visit(getattr(node, name))
        self.bound.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def bound_names(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    """Parameters and names that the body of a function binds itself."""
    found = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
    if isinstance(node, ast.Lambda):
        found |= {n.target.id for n in ast.walk(node.body) if isinstance(n, ast.NamedExpr)}
        return found
    outer: set[str] = set()
    pending: list[ast.AST] = list(node.body)
    while pending:
        each = pending.pop()
        if isinstance(each, (ast.Nonlocal, ast.Global)):
            outer.update(each.names)
        elif isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            found.add(each.id)
        elif isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            found.add(each.name)
            continue
        elif isinstance(each, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and each.name:
            found.add(each.name)
        elif isinstance(each, ast.MatchMapping) and each.rest:
            found.add(each.rest)
        if isinstance(each, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            found |= {n.target.id for n in ast.walk(each) if isinstance(n, ast.NamedExpr)}
            continue
        if not isinstance(each, ast.Lambda):
            pending.extend(ast.iter_child_nodes(each))
    return found - outer


class Rewriter(ast.NodeTransformer):
    """Replaces free names, and drops what was not compiled."""

    def __init__(self, listing: Listing, source: FunctionSource, files: tuple[str, ...]) -> None:
        self.listing = listing
        self.source = source
        self.files = files
        self.names: dict[str, str] | None = None
        self.bound: list[set[str]] = []

    def visit(self, node: ast.AST) -> PyAny:
        if self.names is None:
            node = self._pruned(node)
            self.names = self.listing.resolve_free(sorted(free_names(node)), self.source)
        return super().visit(node)

    def _pruned(self, node: ast.AST) -> ast.AST:
        file = self.files[0] if self.files else ""
        return _Unquoter().visit(_Pruner(self.listing.session.notes, file, self.source).visit(node))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> PyAny:
        self._outside(node)
        self.bound.append(bound_names(node))
        node.body = [self.visit(each) for each in node.body]
        self.bound.pop()
        return node

    def visit_Lambda(self, node: ast.Lambda) -> PyAny:
        self._outside(node)
        self.bound.append(bound_names(node))
        node.body = self.visit(node.body)
        self.bound.pop()
        return node

    def _outside(self, node: ast.FunctionDef | ast.Lambda) -> None:
        """What is evaluated where the function is defined."""
        node.args = self.visit(node.args)
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = [self.visit(each) for each in node.decorator_list]
            node.returns = self.visit(node.returns) if node.returns is not None else None

    def _comprehension(self, node: PyAny) -> PyAny:
        node.generators[0].iter = self.visit(node.generators[0].iter)
        self.bound.append({n.id for each in node.generators for n in ast.walk(each.target) if isinstance(n, ast.Name)})
        for place, each in enumerate(node.generators):
            if place:
                each.iter = self.visit(each.iter)
            each.target = self.visit(each.target)
            each.ifs = [self.visit(one) for one in each.ifs]
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                setattr(node, name, self.visit(getattr(node, name)))
        self.bound.pop()
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_Name(self, node: ast.Name) -> ast.expr:
        assert self.names is not None
        new = self.names.get(node.id)
        if new is None or not isinstance(node.ctx, ast.Load) or any(node.id in names for names in self.bound):
            return node
        return ast.copy_location(ast.parse(new, mode="eval").body, node)

    def visit_Attribute(self, node: ast.Attribute) -> PyAny:
        found = self._through_module(node)
        return found if found is not None else self.generic_visit(node)

    def _through_module(self, node: ast.Attribute) -> ast.expr | None:
        """`helpers.f` of a module of the user's: the function itself."""
        names: list[str] = []
        target: ast.expr = node
        while isinstance(target, ast.Attribute):
            names.append(target.attr)
            target = target.value
        if not isinstance(target, ast.Name) or any(target.id in bound for bound in self.bound):
            return None
        try:
            value = self.source.lookup(target.id)
        except KeyError:
            return None
        if not inspect.ismodule(value):
            return None
        for name in reversed(names):
            if not hasattr(value, name):
                return None
            value = getattr(value, name)
            if not inspect.ismodule(value) and name is not names[0]:
                return None
        return ast.parse(self.listing.name_of(value, names[0]), mode="eval").body


class _Pruner(ast.NodeTransformer):
    """Branches that nothing compiled, and the answer of is_scripting()."""

    def __init__(self, notes: PyAny, file: str, source: FunctionSource) -> None:
        self.notes = notes
        self.file = file
        self.source = source

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "is_scripting" and not node.args:
            return ast.copy_location(ast.Constant(True), node)
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> PyAny:
        side = self.notes.only_side(self.file, node.lineno, node.end_lineno) if _is_pure(node.test) else None
        if side is None:
            return self.generic_visit(node)
        kept = node.body if side else node.orelse
        visited: list[ast.stmt] = []
        for each in kept:
            new = self.visit(each)
            visited += new if isinstance(new, list) else [new]
        return visited or [ast.copy_location(ast.Pass(), node)]


class _Unquoter(ast.NodeTransformer):
    """Annotations that are texts as a whole become what they say, so that their names are found."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = _unquoted(node.annotation)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None if node.annotation is None else _unquoted(node.annotation)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None if node.returns is None else _unquoted(node.returns)
        return self.generic_visit(node)


def _unquoted(annotation: ast.expr) -> ast.expr:
    if not isinstance(annotation, ast.Constant) or not isinstance(annotation.value, str):
        return annotation
    return ast.copy_location(ast.parse(annotation.value.strip(), mode="eval").body, annotation)


def _is_pure(test: ast.expr) -> bool:
    """Whether leaving a test out changes nothing."""
    for node in ast.walk(test):
        if isinstance(node, (ast.NamedExpr, ast.Subscript, ast.BinOp, ast.Await)):
            return False
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in ("isinstance", "hasattr", "is_scripting", "is_tracing", "len", "getattr"):
                return False
    return True


def spelled_type(kind: Type) -> str | None:
    """An annotation for a type; None for one that only a program has."""
    try:
        return _spelled(kind)
    except KeyError:
        return None


def _spelled(kind: Type) -> str:
    if isinstance(kind, (OptionalType, UnionType)):
        return f"typing.{kind.spelled(_spelled)}"
    if isinstance(kind, (ListType, SetType, FrozenSetType, DictType, TupleType)):
        return kind.spelled(_spelled)
    return _PLAIN[kind]
