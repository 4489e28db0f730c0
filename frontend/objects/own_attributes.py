"""The attributes that every instance of a class has of its own, in the order in which it gets them.

In: a class. Out: names, as in its `__dict__`. Holds: they are read off `__init__` and what that calls on the instance;
None where the order, or what there is, would depend on the run.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from ..parser import syntax
from .class_facts import assigned_attributes, find_method, is_generated, is_structural, mangled
from .function_source import FunctionSource

MethodOf = Callable[[type, str], FunctionSource]
_STEPS = (syntax.Assign, syntax.AnnAssign, syntax.AugAssign, syntax.Expr)
_NEUTRAL = (syntax.Pass, syntax.Raise, syntax.Assert)


def own_attributes(python: type, method_of: MethodOf) -> list[str] | None:
    """None where a run decides."""
    walk = _Walk(python, method_of)
    return list(walk.found) if walk.enter(_after(python, None, "__init__"), "__init__") else None


class _Walk:
    """Through the bodies that make an instance."""

    def __init__(self, python: type, method_of: MethodOf) -> None:
        self.python, self.method_of = python, method_of
        self.found: dict[str, None] = {}
        self.entered: list[tuple[type, str]] = []

    def enter(self, base: type | None, name: str) -> bool:
        """The body of a method; False where what it assigns is not certain. object's has nothing to say."""
        if base is None:
            return True
        if (base, name) in self.entered:
            return False
        if name == "__init__" and is_generated(base, name):
            self.found.update(dict.fromkeys(each.name for each in dataclasses.fields(base) if (
                each.init or each.default_factory is not dataclasses.MISSING)))
            after = _after(self.python, None, "__post_init__")
            return after is None or self.enter(after, "__post_init__")
        self.entered.append((base, name))
        source = self.method_of(base, name)
        params = source.params
        is_certain = bool(params) and all(self.step(each, base, params[0].arg) for each in source.node.body)
        self.entered.pop()
        return is_certain

    def step(self, node: syntax.Node, base: type, me: str) -> bool:
        if isinstance(node, syntax.Return):
            return node.value is None or self.is_plain(node, base, me)
        if not isinstance(node, _STEPS):
            return isinstance(node, _NEUTRAL) or self.is_plain(node, base, me)
        if isinstance(node, syntax.Expr) and isinstance(node.value, syntax.Call):
            called = self.called(node.value, base, me)
            if called is not None:
                given = [*node.value.args, *(keyword.value for keyword in node.value.keywords)]
                own = [each for each in given if not (isinstance(each, syntax.Name) and each.id == me)]
                return all(self.is_plain(each, base, me) for each in own) and self.enter(*called)
        targets: Sequence[syntax.Node] = node.targets if isinstance(node, syntax.Assign) else (
            [] if isinstance(node, syntax.Expr) else [node.target])
        value = node.value
        if value is not None and not self.is_plain(value, base, me):
            return False
        if value is None:
            return True
        parts = [part for target in targets for part in syntax.walk(target)]
        for part in parts:
            if isinstance(part, syntax.Attribute) and isinstance(part.value, syntax.Name) and part.value.id == me:
                self.found.setdefault(mangled(part.attr, base))
        return True

    def called(self, call: syntax.Call, base: type, me: str) -> tuple[type | None, str] | None:
        """The method that `super().__init__()`, `Base.__init__(self)` or `self.reset()` runs."""
        function = call.func
        if not isinstance(function, syntax.Attribute):
            return None
        owner = function.value
        if is_super(owner, base.__name__, me):
            return _after(self.python, base, function.attr), function.attr
        if isinstance(owner, syntax.Name) and owner.id == me:
            name = mangled(function.attr, base)
            found = _after(self.python, None, name)
            return None if found is None else (found, name)
        named = [each for each in self.python.__mro__ if isinstance(owner, syntax.Name) and each.__name__ == owner.id]
        return (_after(named[0], None, function.attr), function.attr) if named else None

    def is_plain(self, node: syntax.Node, base: type, me: str) -> bool:
        """Whether it gives the instance no attribute that it does not have, whichever way it goes."""
        parts = list(syntax.walk(node))
        held = {id(part.value) for part in parts if isinstance(part, syntax.Attribute)}
        for part in parts:
            if isinstance(part, (syntax.FunctionDef, syntax.Lambda, syntax.Return)) and part is not node:
                return False
            if isinstance(part, syntax.Name) and part.id == me and id(part) not in held:
                return False
            if not (isinstance(part, syntax.Attribute) and isinstance(part.value, syntax.Name) and part.value.id == me):
                continue
            name = mangled(part.attr, base)
            method = find_method(self.python, name)
            if method is None and _is_read(part, node):
                continue
            assigned = [name]
            if method is not None:
                assigned = assigned_attributes(self.method_of(method[0], name).node, method[0])
            if not set(assigned) <= self.found.keys():
                return False
        return True


def is_super(node: syntax.Node, owner: str, me: str) -> bool:
    """`super()`, or `super(Owner, self)` in a method of that class."""
    if not (isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and node.func.id == "super"):
        return False
    return not node.args or [getattr(each, "id", "") for each in node.args] == [owner, me]


def _is_read(part: syntax.Attribute, node: syntax.Node) -> bool:
    """Whether nothing in the node assigns or deletes it."""
    targets: list[syntax.Node] = []
    for each in syntax.walk(node):
        if isinstance(each, (syntax.Assign, syntax.Delete)):
            targets += each.targets
        elif isinstance(each, (syntax.AugAssign, syntax.AnnAssign, syntax.For)):
            targets.append(each.target)
    return all(part is not each for target in targets for each in syntax.walk(target))


def _after(python: type, base: type | None, name: str) -> type | None:
    """The class that defines a method, after `base` in the order of resolution."""
    order = python.__mro__
    for each in order[0 if base is None else order.index(base) + 1 :]:
        if name in each.__dict__ and not is_structural(each):
            return each
    return None
