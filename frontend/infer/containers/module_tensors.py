"""Inference of a module's methods that walk through its tree: `parameters()`, `state_dict()`, `modules()`.

In: the method, of a module whose class does not define it itself. Out: a script of the prelude, bound to the tensors
or modules and their names. Holds: which there are is part of a module's structure, which never changes; a buffer that
may be None is asked for when the method is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any as PyAny

from ....ir.types import STR, TENSOR, ListType, TupleType, arms_of, optional
from ...core.conversions import convert
from ...core.denotations import MethodDenotation
from ...core.placeholders import resolve
from ...core.typed import STATIC, Const, Expr, GetAttribute, MakeList, MakeTuple, Static
from ...objects.module_attributes import BUFFERS, PARAMETERS, PERSISTENT
from ...objects.modules import ModuleInfo, is_own_method
from ...parser import syntax
from ...prelude import module_tensors as prelude
from ..base import InferenceBase

WALKS: dict[str, tuple[object, tuple[str, ...]]] = {
    "parameters": (prelude.tensors, (PARAMETERS,)),
    "buffers": (prelude.tensors, (BUFFERS,)),
    "named_parameters": (prelude.named_tensors, (PARAMETERS,)),
    "named_buffers": (prelude.named_tensors, (BUFFERS,)),
    "state_dict": (prelude.state_dict, (PARAMETERS, PERSISTENT)),
}
TREES: dict[str, object] = {"modules": prelude.modules, "named_modules": prelude.named_modules}


class ModuleTensorInference(InferenceBase):
    """The tensors of modules."""

    def module_tensors(self, node: syntax.Node, owner: Expr, info: ModuleInfo, name: str) -> Expr | None:
        """The method `name` of a module if it walks through tensors or modules; None for any other."""
        if name in TREES and is_own_method(info.python, name):
            return self.module_tree(node, owner, info, name)
        if name not in WALKS or not is_own_method(info.python, name):
            return None
        function, groups = WALKS[name]
        if self.holds_trace(info):
            return self.error(node, f"'{name}' of a module that holds a traced one is not supported",
                              "name the tensors: self.layer.weight")
        found = [*self.tensors_below(node, self.hold(owner), info, groups, "")]
        element = TENSOR if all(resolve(tensor.type) == TENSOR for _, tensor in found) else optional(TENSOR)
        kind = TupleType((STR, element))
        items: list[Expr] = []
        for path, tensor in found:
            converted = convert(tensor, element)
            assert converted is not None
            items.append(MakeTuple(kind, node.span, [Const(STR, node.span, path), converted[0]]))
        receiver = MakeList(ListType(kind), node.span, items)
        return Static(STATIC, node.span, MethodDenotation(self.session.source(function), receiver))

    def module_tree(self, node: syntax.Node, owner: Expr, info: ModuleInfo, name: str) -> Expr:
        """`modules()` and `named_modules()`: a tuple of the names and modules, which differ in their types."""
        if self.holds_trace(info):
            return self.error(node, f"'{name}' of a module that holds a traced one is not supported",
                              "walk through its parts by name")
        known = {frozenset(first_paths(module)) for module in info.alike}
        if len(known) > 1:
            return self.error(node, f"'{name}' of modules that share submodules differently is not supported",
                              "find what is wanted before scripting")
        paths = known.pop()
        items: list[Expr] = [
            MakeTuple(TupleType((STR, each.type)), node.span, [Const(STR, node.span, path), each])
            for path, each in self.modules_in(node, self.hold(owner), info, "") if path in paths]
        receiver = MakeTuple(TupleType(tuple(item.type for item in items)), node.span, items)
        return Static(STATIC, node.span, MethodDenotation(self.session.source(TREES[name]), receiver))

    def modules_in(self, node: syntax.Node, owner: Expr, info: ModuleInfo, path: str) -> Iterator[tuple[str, Expr]]:
        """A module and those below it, with their names."""
        yield path, owner
        for name, inner in self.inner_modules(info):
            below = GetAttribute(inner.type, node.span, owner, name)
            yield from self.modules_in(node, below, inner, f"{path}.{name}" if path else name)

    def tensors_below(
        self, node: syntax.Node, owner: Expr, info: ModuleInfo, groups: tuple[str, ...], path: str
    ) -> Iterator[tuple[str, Expr]]:
        """The tensors of a module, then those of its submodules, with their names."""
        kinds = info.type.attributes
        for name in (name for group in groups for name in info.tensors[group]):
            if name in kinds and TENSOR in arms_of(kinds[name]):
                yield path + name, GetAttribute(kinds[name], node.span, owner, name)
        for name, inner in self.inner_modules(info):
            below = GetAttribute(inner.type, node.span, owner, name)
            yield from self.tensors_below(node, below, inner, groups, f"{path}{name}.")

    def inner_modules(self, info: ModuleInfo) -> Iterator[tuple[str, ModuleInfo]]:
        for name, kind in info.type.attributes.items():
            if (inner := self.module_info(kind)) is not None:
                yield name, inner

    def holds_trace(self, info: ModuleInfo) -> bool:
        kinds = info.type.attributes.values()
        return any(kind in self.session.modules.traced_types for kind in kinds) or any(
            self.holds_trace(inner) for _, inner in self.inner_modules(info))


def first_paths(module: PyAny) -> Iterator[str]:
    """The dotted names of a module and those below it, the first of each, in the order of the tree."""
    seen: set[int] = set()

    def walk(each: PyAny, path: str) -> Iterator[str]:
        if id(each) in seen:
            return
        seen.add(id(each))
        yield path
        for name, child in each._modules.items():
            if child is not None:
                yield from walk(child, f"{path}.{name}" if path else name)

    return walk(module, "")
