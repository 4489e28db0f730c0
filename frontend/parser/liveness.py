"""Which variables may still be read: before each round of a loop, and after each statement that branches.

In: the AST of a function. Out: sets of names by node, so that merges carry no variable that nobody reads again.
Holds: the answer errs on the side of life; a name that a nested scope mentions is live everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any as PyAny

from . import syntax

Names = frozenset[str]
NO_NAMES: Names = frozenset()


def names_read(*nodes: PyAny) -> Names:
    """Every name mentioned in an expression; a superset of those it reads."""
    found: set[str] = set()
    for node in nodes:
        if node is not None:
            found.update(item.id for item in syntax.walk(node) if isinstance(item, syntax.Name))
    return frozenset(found)


def names_free(node: PyAny) -> Names:
    """Names that a definition or an expression mentions and does not bind itself."""
    if isinstance(node, syntax.Name):
        return frozenset((node.id,))
    found = frozenset().union(*map(names_free, syntax.child_nodes(node)))
    if isinstance(node, (syntax.FunctionDef, syntax.Lambda)):
        params = {param.arg for param in node.args.all}
        stored = names_stored(node.body) if isinstance(node, syntax.FunctionDef) else NO_NAMES
        return found - params - (stored - _declared_outside(node))
    if isinstance(node, (syntax.ListComp, syntax.SetComp, syntax.DictComp, syntax.GeneratorExp)):
        targets = set().union(*(target_names(part.target) for part in node.generators))
        return (found - targets) | names_free(node.generators[0].iter)
    return found


def _declared_outside(function: PyAny) -> Names:
    """Names that a function, or one in it, declares nonlocal or global."""
    return frozenset(
        name for node in syntax.walk(function) if isinstance(node, (syntax.Nonlocal, syntax.Global))
        for name in node.names
    )


def names_stored(nodes: Iterable[PyAny]) -> Names:
    """Names that statements bind or unbind, without those of nested functions and of comprehensions' own targets."""
    found: set[str] = set()
    for node in nodes:
        _collect_stored(node, found)
    return frozenset(found)


def _collect_stored(node: PyAny, found: set[str]) -> None:
    if isinstance(node, (syntax.FunctionDef, syntax.ClassDef)):
        found.add(node.name)
        return
    if isinstance(node, syntax.Lambda):
        return
    if isinstance(node, syntax.ExceptHandler) and node.name is not None:
        found.add(node.name)
    if isinstance(node, (syntax.Import, syntax.ImportFrom)):
        found.update(name_imported(alias) for alias in node.names)
    for target in targets_of(node):
        found.update(target_names(target))
    found.update(names_captured(node))
    for child in syntax.child_nodes(node):
        _collect_stored(child, found)


def name_imported(alias: syntax.alias) -> str:
    """The variable that a part of an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def targets_of(node: PyAny) -> list[PyAny]:
    """What a node stores to, itself."""
    if isinstance(node, (syntax.Assign, syntax.Delete)):
        return list(node.targets)
    if isinstance(node, (syntax.AugAssign, syntax.AnnAssign, syntax.For, syntax.NamedExpr)):
        return [node.target]
    if isinstance(node, syntax.withitem) and node.optional_vars is not None:
        return [node.optional_vars]
    return []


def names_captured(pattern: PyAny) -> set[str]:
    """What a pattern binds, itself."""
    if isinstance(pattern, (syntax.MatchAs, syntax.MatchStar)) and pattern.name is not None:
        return {pattern.name}
    if isinstance(pattern, syntax.MatchMapping) and pattern.rest is not None:
        return {pattern.rest}
    return set()


def target_names(target: PyAny) -> set[str]:
    """The plain names in a target."""
    if isinstance(target, syntax.Name):
        return {target.id}
    if isinstance(target, (syntax.Tuple, syntax.List)):
        return set().union(*map(target_names, target.elts)) if target.elts else set()
    if isinstance(target, syntax.Starred):
        return target_names(target.value)
    return set()


def target_reads(target: PyAny) -> Names:
    """Names that evaluating a target reads: `a` and `i` of `a[i].x`."""
    if isinstance(target, syntax.Name):
        return NO_NAMES
    if isinstance(target, (syntax.Tuple, syntax.List)):
        return frozenset().union(*map(target_reads, target.elts)) if target.elts else NO_NAMES
    if isinstance(target, syntax.Starred):
        return target_reads(target.value)
    return names_read(target)


class Liveness:
    """Liveness of one function: `after[id(stmt)]` and, for loops, `head[id(stmt)]`."""

    def __init__(self, body: list[PyAny]) -> None:
        self.after: dict[int, Names] = {}
        self.head: dict[int, Names] = {}
        self._loops: list[tuple[Names, Names]] = []  # live at continue, at break
        self.always = _names_of_nested_scopes(body)
        self._body(body, self.always)

    def _body(self, body: list[PyAny], after: Names) -> Names:
        for statement in reversed(body):
            after = self._statement(statement, after) | self.always
        return after

    def _statement(self, node: PyAny, after: Names) -> Names:
        self.after[id(node)] = self.after.get(id(node), NO_NAMES) | after
        if isinstance(node, syntax.If):
            return self._body(node.body, after) | self._body(node.orelse, after) | names_read(node.test)
        if isinstance(node, (syntax.For, syntax.While)):
            return self._loop(node, after)
        if isinstance(node, syntax.Try):
            return self._try(node, after)
        if isinstance(node, syntax.With):
            return self._pinned(node.body, after, after) | names_read(*node.items)
        if isinstance(node, syntax.Match):
            bodies = [self._body(case.body, after) | names_read(case.pattern, case.guard) for case in node.cases]
            return after | names_read(node.subject) | frozenset().union(*bodies)
        if isinstance(node, (syntax.Return, syntax.Raise)):
            return names_read(*syntax.child_nodes(node))
        if isinstance(node, syntax.Break):
            return self._loops[-1][1] if self._loops else NO_NAMES
        if isinstance(node, syntax.Continue):
            return self._loops[-1][0] if self._loops else NO_NAMES
        if isinstance(node, (syntax.Assign, syntax.AnnAssign)):
            targets = targets_of(node)
            killed = set().union(*map(target_names, targets))
            if node.value is None:
                killed = set()
            return (after - killed) | names_read(node.value) | frozenset().union(*map(target_reads, targets))
        return after | names_read(*syntax.child_nodes(node))

    def _try(self, node: syntax.Try, after: Names) -> Names:
        """What handlers read is read from everywhere in the body; a `finally` goes on to wherever a jump led."""
        final = after
        if node.finalbody:
            final = self._body(node.finalbody, after.union(*(names for pair in self._loops for names in pair)))
        handlers = NO_NAMES
        for handler in node.handlers:
            handlers |= self._pinned(handler.body, final, final) | names_read(handler.type)
        otherwise = self._pinned(node.orelse, final, final)
        return self._pinned(node.body, otherwise, handlers | final)

    def _pinned(self, body: list[PyAny], after: Names, pinned: Names) -> Names:
        """A body in which some names are live everywhere."""
        outer, self.always = self.always, self.always | pinned
        try:
            return self._body(body, after | pinned)
        finally:
            self.always = outer

    def _loop(self, node: PyAny, after: Names) -> Names:
        otherwise = self._body(node.orelse, after)
        is_for = isinstance(node, syntax.For)
        own_reads = target_reads(node.target) if is_for else names_read(node.test)
        killed = target_names(node.target) if is_for else set()
        head = otherwise | own_reads
        while True:
            self._loops.append((head, after))
            body = self._body(node.body, head)
            self._loops.pop()
            grown = head | (body - killed)
            if grown == head:
                break
            head = grown
        self.head[id(node)] = head
        return head | (names_read(node.iter) if is_for else NO_NAMES)


def _names_of_nested_scopes(body: list[PyAny]) -> Names:
    found: set[str] = set()
    for statement in body:
        for node in syntax.walk(statement):
            if isinstance(node, (syntax.FunctionDef, syntax.Lambda, syntax.ClassDef)):
                found.update(names_read(node))
                for inner in syntax.walk(node):
                    if isinstance(inner, syntax.Nonlocal):
                        found.update(inner.names)
    return frozenset(found)
