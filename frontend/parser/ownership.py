"""Whether a function's own text shows that nobody else has a container that it made.

In: the AST of a function. Out: yes or no. Holds: the answer errs on the side of no; what a variable's container is
asked for does not give it away, neither do assignments to variables of which the same is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import syntax

NEW_BY_CALL = frozenset(("list", "dict", "set", "sorted", "copy", "deepcopy", "fromkeys", "split", "union",
                         "intersection", "difference", "symmetric_difference"))
ASKING = frozenset(("len", "sum", "min", "max", "sorted", "any", "all", "enumerate", "zip", "range", "list", "dict",
                    "tuple", "set", "frozenset", "str", "repr", "print", "reversed", "isinstance"))
ASKING_WHOLE = frozenset(("len", "str", "repr", "print", "isinstance"))  # without giving away what is in it
PAIRING = ("enumerate", "zip", "reversed")
LIBRARIES = ("heapq", "bisect", "math")
NEW = (syntax.BinOp, syntax.ListComp, syntax.SetComp, syntax.DictComp, syntax.List, syntax.Dict, syntax.Set)


def is_new(node: syntax.Node) -> bool:
    """Whether an expression makes a container that nobody else has."""
    if isinstance(node, syntax.Call):
        name = node.func.attr if isinstance(node.func, syntax.Attribute) else getattr(node.func, "id", "")
        return name in NEW_BY_CALL
    if isinstance(node, syntax.Subscript):
        return isinstance(node.slice, syntax.Slice)
    return isinstance(node, NEW)


def is_owned(function: syntax.FunctionDef, name: str, is_nested: bool = False, seen: tuple[str, ...] = ()) -> bool:
    """Whether the container that a variable holds is known to nobody but the function, at its end; with `is_nested`
    neither are the containers in it."""
    args = function.args
    if any(param.arg == name for param in (*args.posonlyargs, *args.args, *args.kwonlyargs)):
        return False
    nodes = list(syntax.walk(function))
    if any(isinstance(node, syntax.Try) and node.finalbody for node in nodes):
        return False
    allowed = {id(each) for node in nodes for each in asked(node, is_nested)}
    if is_nested:  # what is asked of one of its containers
        allowed.update(id(each) for node in nodes for each in asked(node, False) if not isinstance(each, syntax.Name))
    for node in nodes:
        if isinstance(node, syntax.Assign):
            pairs = list(assigned(node))
            others = [target for target, value in pairs if is_named(value, name)]
            if any(is_named(target, name) and not (is_new(value) or isinstance(value, (syntax.Name, syntax.Constant)))
                   for target, value in pairs):
                return False
            if all(keeps(function, other, is_nested, (*seen, name)) for other in others):
                allowed.update(id(value) for _, value in pairs if is_named(value, name))
            allowed.update(id(target) for target, _ in pairs)
        if is_nested and isinstance(node, (syntax.For, syntax.comprehension)):
            if any(is_named(each, name) for each in syntax.walk(node.iter)):
                if not all(keeps(function, each, True, (*seen, name)) for each in syntax.walk(node.target)
                           if isinstance(each, syntax.Name)):
                    return False
                allowed.update(id(each) for each in syntax.walk(node.target))
    return all(id(node) in allowed for node in nodes if is_handle(node, name, is_nested))


def are_distinct(function: syntax.FunctionDef, names: Sequence[str]) -> bool:
    """Whether no two of these variables can be one container: none is given another variable's."""
    nodes = [node for node in syntax.walk(function) if isinstance(node, syntax.Assign)]
    given = [(target, value) for node in nodes for target, value in assigned(node)]
    is_shared = any(len(node.targets) > 1 for node in nodes) or any(
        isinstance(value, syntax.Name) and any(is_named(each, name) for each in (target, value) for name in names)
        for target, value in given)
    return len(names) < 2 or (len(set(names)) == len(names) and not is_shared)


def keeps(function: syntax.FunctionDef, target: syntax.Node, is_nested: bool, seen: tuple[str, ...]) -> bool:
    """Whether a container that is assigned to a target is still the function's own."""
    if not isinstance(target, syntax.Name):
        return False
    return target.id in seen or is_owned(function, target.id, is_nested, seen)


def assigned(node: syntax.Assign) -> Iterator[tuple[syntax.Node, syntax.Node]]:
    """Targets with what they are given."""
    for target in node.targets:
        if isinstance(target, (syntax.Tuple, syntax.List)) and isinstance(node.value, (syntax.Tuple, syntax.List)):
            if len(target.elts) == len(node.value.elts):
                yield from zip(target.elts, node.value.elts)
                continue
        yield target, node.value


def is_named(node: syntax.Node, name: str) -> bool:
    return isinstance(node, syntax.Name) and node.id == name


def is_handle(node: syntax.Node, name: str, is_nested: bool) -> bool:
    """Whether an expression gives the variable's container, or one in it."""
    if is_nested and isinstance(node, syntax.Subscript) and is_named(node.value, name):
        return True
    return is_named(node, name)


def asked(node: syntax.Node, is_nested: bool) -> list[syntax.Node]:
    """The parts of a piece of syntax that it only asks for something, changes, or returns."""
    if isinstance(node, (syntax.Subscript, syntax.FormattedValue)):
        return [node.value]
    if isinstance(node, syntax.Call):
        return asked_by_call(node, is_nested)
    if isinstance(node, syntax.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, syntax.BinOp) and not is_nested:
        return [node.left, node.right]
    if isinstance(node, (syntax.For, syntax.comprehension)):
        iterable = node.iter
        is_paired = isinstance(iterable, syntax.Call) and getattr(iterable.func, "id", "") in PAIRING
        return [iterable, *(iterable.args if is_paired and isinstance(iterable, syntax.Call) else [])]
    if isinstance(node, (syntax.If, syntax.While, syntax.IfExp)):
        return [node.test]
    if isinstance(node, syntax.Return) and node.value is not None:
        return list(node.value.elts) if isinstance(node.value, syntax.Tuple) else [node.value]
    if isinstance(node, (syntax.AugAssign, syntax.AnnAssign)):
        return [node.target]
    if isinstance(node, syntax.Assign):
        return [target for target, _ in assigned(node) if isinstance(target, syntax.Subscript)]
    return []


def asked_by_call(node: syntax.Call, is_nested: bool) -> list[syntax.Node]:
    function = node.func
    if isinstance(function, syntax.Name):
        return list(node.args) if function.id in (ASKING_WHOLE if is_nested else ASKING) else []
    if not isinstance(function, syntax.Attribute):
        return []
    owner = function.value
    if is_nested:
        return [owner] if function.attr == "append" and all(map(is_new, node.args)) else []
    is_library = isinstance(owner, syntax.Name) and owner.id in LIBRARIES
    return [owner, *(node.args[:1] if is_library else [])]


READING = frozenset(("get", "items", "keys", "values", "copy", "index", "count"))


def only_reads(function: syntax.FunctionDef, name: str) -> bool:
    """Whether a function asks the container that a variable holds for its elements and lengths, and nothing more."""
    nodes = list(syntax.walk(function))
    allowed: set[int] = set()
    for node in nodes:
        if isinstance(node, syntax.Call):
            owner = node.func.value if isinstance(node.func, syntax.Attribute) and node.func.attr in READING else None
            is_asking = isinstance(node.func, syntax.Name) and node.func.id in ASKING
            allowed.update(id(each) for each in ([owner] if owner is not None else node.args if is_asking else []))
        elif isinstance(node, syntax.AnnAssign):
            allowed.add(id(node.target))
        elif not isinstance(node, (syntax.Return, syntax.AugAssign, syntax.BinOp)):
            allowed.update(id(each) for each in asked(node, False))
    for node in nodes:
        targets = node.targets if isinstance(node, (syntax.Assign, syntax.Delete)) else [node.target] if isinstance(
            node, (syntax.AugAssign, syntax.AnnAssign, syntax.For)) else []
        for target in targets:
            for each in syntax.walk(target):
                if isinstance(each, syntax.Subscript) and is_named(each.value, name):
                    return False
    return all(id(node) in allowed for node in nodes if is_named(node, name))
