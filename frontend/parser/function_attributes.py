"""Attributes of functions that are defined in functions, as variables of the function around.

In: a function's tree. Out: the same with `wrapper.calls` a Name, "wrapper.calls", where a body assigns the attribute
of a function that it defines; functions inside that assign it declare it nonlocal.
Holds: only names that a body binds once, by `def`, are taken apart; what a scope inside binds anew stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from . import syntax
from .liveness import target_names, targets_of

SCOPES = (*syntax.FUNCTIONS, syntax.ClassDef)
Found = dict[tuple[str, str], str]  # a function's name and an attribute: the variable


def attribute_variable(function: str, attribute: str) -> str:
    """No name of a program has a point in it."""
    return f"{function}.{attribute}"


def keep_attributes_in_variables(root: syntax.FunctionDef) -> None:
    """Takes the attributes apart in a function and all inside it."""
    for node in [each for each in syntax.walk(root) if isinstance(each, syntax.FunctionDef)]:
        own = list(own_nodes(node))
        defined = {each.name for each in own if isinstance(each, syntax.FunctionDef)}
        if not defined:
            continue
        bound = Counter(name for each in own for name in names_bound(each))
        taken = {each.arg for each in node.args.all}
        outer = {name for each in own if isinstance(each, (syntax.Global, syntax.Nonlocal)) for name in each.names}
        found = {
            (target.value.id, target.attr): attribute_variable(target.value.id, target.attr)
            for each in own for target in targets_of(each)
            if isinstance(target, syntax.Attribute) and isinstance(target.value, syntax.Name)
            and target.value.id in defined - taken - outer and bound[target.value.id] == 1
        }
        if found:
            rename(node, found, is_inside=False)


def own_nodes(function: syntax.Node) -> Iterator[syntax.Node]:
    """The nodes of a body, without those of functions and classes in it."""
    pending: list[syntax.Node] = list(function.body) if isinstance(function, syntax.FunctionDef) else []
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, SCOPES):
            pending.extend(syntax.child_nodes(node))


def names_bound(node: syntax.Node) -> set[str]:
    if isinstance(node, (syntax.FunctionDef, syntax.ClassDef)):
        return {node.name}
    return {name for target in targets_of(node) for name in target_names(target)}


def rename(function: syntax.Node, found: Found, is_inside: bool) -> None:
    """Puts the variables where the attributes stand, in a function and those in it."""
    if is_inside and isinstance(function, syntax.FUNCTIONS):
        inner = {each.arg for each in function.args.all}
        inner |= {name for each in own_nodes(function) for name in names_bound(each)}
        found = {key: name for key, name in found.items() if key[0] not in inner}
    if not found:
        return
    stored: set[str] = set()
    pending = [function]
    while pending:
        node = pending.pop()
        for target in targets_of(node):
            stored |= {found[key] for key in [key_of(target)] if key in found}
        put_variables(node, found)
        for child in syntax.child_nodes(node):
            if isinstance(child, syntax.FUNCTIONS):
                rename(child, found, is_inside=True)
            else:
                pending.append(child)
    if is_inside and stored and isinstance(function, syntax.FunctionDef):
        function.body.insert(0, syntax.Nonlocal(function.span, sorted(stored)))


def key_of(node: object) -> tuple[str, str]:
    if isinstance(node, syntax.Attribute) and isinstance(node.value, syntax.Name):
        return node.value.id, node.attr
    return "", ""


def put_variables(node: syntax.Node, found: Found) -> None:
    for field in syntax.CHILD_FIELDS[type(node)]:
        value = getattr(node, field)
        if key_of(value) in found:
            setattr(node, field, syntax.Name(value.span, found[key_of(value)]))
        elif isinstance(value, list):
            value[:] = [
                syntax.Name(each.span, found[key_of(each)]) if key_of(each) in found else each for each in value
            ]
