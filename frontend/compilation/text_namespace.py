"""Source text as a namespace: the functions, imports and constants that a text compiled by itself consists of.

In: a parsed text. Out: FunctionSources by name, and what their free names mean.
Holds: nothing of the text is executed; it imports math, typing and tsm only.
"""

from __future__ import annotations

import builtins
import linecache
import math
import types as python_types
import typing
from collections.abc import Mapping
from typing import Any as PyAny

from ..objects.function_source import FunctionSource
from ..parser import parse, scope, syntax
from .session import Session


def text_names() -> dict[str, PyAny]:
    """What a source text may name without importing it."""
    package = _import(__name__.rpartition(".frontend")[0])
    found = {name: getattr(typing, name) for name in ("List", "Dict", "Tuple", "Optional", "Union", "Any", "Final")}
    return {**found, "tsm": package, "torch": package, "Tensor": package.Tensor, "math": math}


def functions_of_text(
    session: Session, text: str, filename: str, names: Mapping[str, PyAny]
) -> dict[str, FunctionSource]:
    """The functions that a text defines, by name, once its mistakes are reported. `names` are those around it."""
    module = parse.parse_source(text, filename)
    session.texts[filename] = text
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)  # messages show its lines
    scope.resolve(module, session.reporter)
    return {} if session.reporter.has_errors else TextNamespace(session, module, names).functions


class TextNamespace:
    """The names of a source text: functions, imports of known modules, constants; then those around it."""

    def __init__(self, session: Session, module: syntax.Module, around: Mapping[str, PyAny]) -> None:
        self.session = session
        self.around = around
        self.names: dict[str, PyAny] = {}
        self.functions: dict[str, FunctionSource] = {}
        for statement in module.body:
            self.add(statement)

    def lookup(self, name: str) -> PyAny:
        if name in self.names:
            return self.names[name]
        if name in self.around:
            return self.around[name]
        return vars(builtins)[name] if name in vars(builtins) else text_names()[name]

    def add(self, node: syntax.Node) -> None:
        if isinstance(node, syntax.FunctionDef):
            self.define(node)
        elif isinstance(node, (syntax.Import, syntax.ImportFrom)):
            self.import_names(node)
        elif isinstance(node, syntax.Assign) and all(isinstance(target, syntax.Name) for target in node.targets):
            for target in node.targets:
                assert isinstance(target, syntax.Name)
                self.names[target.id] = self.evaluate(node.value)
        elif isinstance(node, syntax.AnnAssign) and isinstance(node.target, syntax.Name) and node.value is not None:
            self.names[node.target.id] = self.evaluate(node.value)
        elif not (isinstance(node, syntax.Expr) and isinstance(node.value, syntax.Constant)):
            self.session.reporter.error(
                node.span, "source text may hold functions, imports and constants only", "move this into a function"
            )

    def define(self, node: syntax.FunctionDef) -> None:
        source = FunctionSource(node.name, node, self.lookup, class_type=self.session.classes.annotated)
        positional = [*node.args.posonlyargs, *node.args.args]
        for param, default in zip(positional[len(positional) - len(node.args.defaults) :], node.args.defaults):
            source.defaults[param.arg] = self.evaluate(default)
        for param, keyword_default in zip(node.args.kwonlyargs, node.args.kw_defaults):
            if keyword_default is not None:
                source.defaults[param.arg] = self.evaluate(keyword_default)
        self.names[node.name] = self.functions[node.name] = source

    def import_names(self, node: syntax.Import | syntax.ImportFrom) -> None:
        package = __name__.rpartition(".frontend")[0]
        allowed = {"math": math, "typing": typing, "__future__": None}
        for alias in node.names:
            full = alias.name if isinstance(node, syntax.Import) else node.module or ""
            if full in allowed:
                module = allowed[full]
            elif full.split(".")[0] == package.split(".")[0]:
                module = _import(full)
            else:
                text = f"source text cannot import '{full}'"
                self.session.reporter.error(node.span, text, "import math, typing or tsm")
                continue
            if isinstance(node, syntax.Import):
                top = module if alias.asname else _import(full.split(".")[0])
                self.names[alias.asname or full.split(".")[0]] = top
            elif module is not None:
                self.names[alias.asname or alias.name] = getattr(module, alias.name, None)

    def evaluate(self, node: syntax.Node) -> PyAny:
        """The Python value of a constant expression: literals, tuples, names and their attributes."""
        if isinstance(node, syntax.Constant):
            return node.value
        if isinstance(node, syntax.Tuple):
            return tuple(self.evaluate(item) for item in node.elts)
        if isinstance(node, syntax.UnaryOp) and node.op == "-":
            value = self.evaluate(node.operand)
            if isinstance(value, (int, float)):
                return -value
        if isinstance(node, syntax.Name):
            try:
                return self.lookup(node.id)
            except KeyError:
                pass
        if isinstance(node, syntax.Attribute):
            owner = self.evaluate(node.value)
            if owner is not None and hasattr(owner, node.attr):
                return getattr(owner, node.attr)
        self.session.reporter.error(node.span, "this is not a constant", "write a literal")
        return None


def _import(name: str) -> python_types.ModuleType:
    import importlib

    return importlib.import_module(name)
