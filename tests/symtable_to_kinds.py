"""Our scopes and CPython's symbol tables in one comparable form: (scope name, {name: kind}) in source order."""

from __future__ import annotations

import symtable

from tsm.frontend.diagnostics import Reporter
from tsm.frontend.parser import syntax
from tsm.frontend.parser.scope import Kind, Scope, resolve

NAMES = {
    syntax.Module: "top",
    syntax.Lambda: "lambda",
    syntax.ListComp: "listcomp",
    syntax.SetComp: "setcomp",
    syntax.DictComp: "dictcomp",
    syntax.GeneratorExp: "genexpr",
}
Kinds = list[tuple[str, dict[str, str]]]


def kinds_of_ours(root: syntax.Module) -> Kinds:
    reporter = Reporter()
    scopes = resolve(root, reporter)
    reporter.raise_if_errors()
    found: Kinds = []
    _ours(scopes.root, found)
    return sorted(((name, dict(sorted(kinds.items()))) for name, kinds in found), key=repr)


def _ours(scope: Scope, found: Kinds) -> None:
    name = NAMES.get(type(scope.node)) or scope.node.name
    at_top = isinstance(scope.node, syntax.Module)
    # Names that only pass through, or that CPython adds for itself, are not in both.
    mentioned = {*scope.parameters, *scope.assigned, *scope.used, *scope.globals, *scope.nonlocals} - {"__class__"}
    owned = {Kind.PARAMETER, Kind.LOCAL, Kind.CELL}
    kinds = {}
    for each in mentioned:
        kind = scope.kinds[each]
        simple = "local" if kind in owned else "free" if kind is Kind.FREE else "global"
        kinds[each] = simple
    if not at_top:
        found.append((name, kinds))
    for child in scope.children:
        _ours(child, found)


def kinds_of_theirs(table: symtable.SymbolTable) -> Kinds:
    found: Kinds = []
    _theirs(table, found)
    return sorted(((name, dict(sorted(kinds.items()))) for name, kinds in found), key=repr)


def _theirs(table: symtable.SymbolTable, found: Kinds) -> None:
    kinds = {}
    for symbol in table.get_symbols():
        name = symbol.get_name()
        uses = symbol.is_referenced() or symbol.is_assigned() or symbol.is_parameter() or symbol.is_declared_global()
        if name in (".0", "__class__") or not (uses or symbol.is_imported() or symbol.is_annotated()):
            continue
        kinds[name] = "free" if symbol.is_free() else "local" if symbol.is_local() else "global"
    if table.get_type() != "module":  # all of a module's names are globals
        found.append((table.get_name(), kinds))
    for child in table.get_children():
        _theirs(child, found)
