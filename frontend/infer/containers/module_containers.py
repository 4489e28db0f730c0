"""Inference of modules that hold modules: members by index, name and slice, views of their names, `in`.

In: subscripts, loops and tests of ModuleList, Sequential, ModuleDict and lists of parameters. Out: their members, known
when compiling, or a choice among them at run time. Holds: a container's members never change in a script.
"""

from __future__ import annotations

from ....ir.types import ANY, BOOL, INT, STR, TupleType, union
from ...core.conversions import once, operate
from ...core.denotations import MethodDenotation
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import NEVER, Choose, Const, Expr, GetAttribute, MakeTuple, Read, ReadTemp, Static, after, boolean
from ...objects.modules import ModuleInfo
from ...parser import syntax
from ...prelude import any_values
from ...prelude import calls as prelude
from ..base import InferenceBase
from ..iteration import Iteration, UnrolledIteration
from ..type_facts import any_of, converted_to, holds_index


class ModuleContainerInference(InferenceBase):
    """Containers of modules."""

    def get_submodule(self, node: syntax.Subscript, owner: Expr, info: ModuleInfo, index: Expr) -> Expr:
        if not info.is_container:
            own = self.module_special(node, owner, "__getitem__", [index])
            return self.error(node, f"'{info.type}' cannot be indexed") if own is None else own
        names = info.children
        if not isinstance(index, Const):
            return self.choose_submodule(node, owner, info, index)
        if isinstance(index.value, str) and index.value in names:
            name = index.value
        elif type(index.value) is int and -len(names) <= index.value < len(names):
            name = names[index.value]
        elif isinstance(index.value, str) and info.is_dict:  # as behind `if "norm" in self.layers:`
            return self.then(owner, self.raise_key(node.span, index))
        elif type(index.value) is int and not info.is_dict:
            return self.then(owner, self.raise_error(node.span, "IndexError", f"index {index.value} is out of range"))
        else:
            return self.error(node.slice, f"index {index.value!r} is not in this container of {len(names)}")
        return GetAttribute(info.type.attributes[name], node.span, owner, name)

    def choose_submodule(self, node: syntax.Subscript, owner: Expr, info: ModuleInfo, index: Expr) -> Expr:
        """The member that an index names at run time; members of several structures become a Union of them."""
        index = index if info.is_dict else self.place_in_container(index)
        span, kind = node.span, resolve(index.type)
        if kind not in ((STR,) if info.is_dict else (INT, BOOL)):
            wanted = "str" if info.is_dict else "int"
            return self.error(node.slice, f"this container is indexed by {wanted}, got {describe(index)}")
        if not is_path(owner):
            return self.error(node.value, "a container that is indexed at run time must be an attribute or a variable")
        members: list[Expr] = [GetAttribute(info.type.attributes[name], span, owner, name) for name in info.children]
        whole = union(*(member.type for member in members)) if members else NEVER

        def choose(at: Expr) -> Expr:
            if info.is_dict:
                found = self.raise_key(span, at)
                tests: list[Expr] = [operate("eq.str", at, Const(STR, span, name)) for name in info.children]
            else:
                shown = self.text_of(at, "repr.any")
                text = operate("add.str", Const(STR, span, "index "), operate(
                    "add.str", shown, Const(STR, span, " is out of range")))
                found = self.raise_error(span, "IndexError", text)
                count = len(members)
                tests = [any_of([operate("eq.int", at, Const(INT, span, i)),
                                 operate("eq.int", at, Const(INT, span, i - count))]) for i in range(count)]
            for test, member in reversed(list(zip(tests, members))):
                found = Choose(whole, span, test, converted_to(member, whole), found, [])
            return found

        position = index if kind != BOOL else operate("int.bool", index)
        return once(position, choose)

    def place_in_container(self, index: Expr) -> Expr:
        """The number that a tensor, an instance with `__index__` or a value of any type stands for; others stay."""
        if resolve(index.type) == ANY:
            return self.by_prelude(syntax.Constant(index.span, None), any_values.whole_of, [index])
        return self.index_of_tensor(index) if holds_index(index) else self.as_index(index)

    def call_of_slice(self, node: syntax.Call, callee: Expr) -> Expr | None:
        """`self.net[:2](x)` of a Sequential: its members one after the other; None for other calls."""
        kind = resolve(callee.type)
        if not isinstance(kind, TupleType) or not kind.is_chain:
            return None
        if len(node.args) != 1 or node.keywords:
            return self.error(node, "a slice of a Sequential takes one argument")
        return self.by_prelude(node, prelude.applied, [callee, self.value(node.args[0])])

    def iterate_container_call(self, node: syntax.Call, callee: Static) -> Iteration | None:
        """`self.blocks.items()` of a ModuleDict, `self.net.children()`."""
        denotation = callee.denotation
        if not isinstance(denotation, MethodDenotation) or node.args or node.keywords:
            return None
        info = self.module_info(denotation.receiver.type)
        name = denotation.source.name
        if info is None or name not in ("items", "keys", "values", "children", "named_children"):
            return None
        if name in ("items", "keys", "values") and not info.is_dict:
            return None
        return UnrolledIteration(self, node.span, self.container_items(node, denotation.receiver, info, name))

    def container_items(self, node: syntax.Call, owner: Expr, info: ModuleInfo, name: str) -> list[Expr]:
        """What `keys()`, `values()` and `items()` of a container give."""
        names: list[str] | None = info.children
        if name in ("children", "named_children") and info.children:
            names = info.children_once()
        if names is None:
            self.error(node, f"'{name}' of modules that share submodules differently is not supported",
                       "name the submodules")
            return []
        known = dict(zip(info.children, self.submodules(owner, info)))
        values = [known[each] for each in names]
        keys: list[Expr] = [Const(STR, node.span, key) for key in names]
        if name in ("values", "children"):
            return values
        if name == "keys":
            return keys
        return [MakeTuple(TupleType((STR, value.type)), node.span, [key, value]) for key, value in zip(keys, values)]

    def container_view(self, node: syntax.Call, method: MethodDenotation) -> Expr | None:
        """`self.layers.keys()` of a ModuleDict as a value, which never changes; None for other calls."""
        info, name = self.module_info(method.receiver.type), method.source.name
        if info is None or not info.is_dict or name not in ("keys", "values", "items") or node.args or node.keywords:
            return None
        with self.collect() as before:
            items = self.container_items(node, method.receiver, info, name)
        return after(before, MakeTuple(TupleType(tuple(resolve(item.type) for item in items)), node.span, items))

    def submodules(self, owner: Expr, info: ModuleInfo) -> list[Expr]:
        owner = self.hold(owner)
        return [GetAttribute(info.type.attributes[name], owner.span, owner, name) for name in info.children]

    def contains_in_module(self, node: syntax.Node, item: Expr, owner: Expr) -> Expr | None:
        """`key in self.layers` of a ModuleDict, or what a module's own __contains__ says; None for other values."""
        info = self.module_info(owner.type)
        if info is None or not info.is_dict:
            found = self.module_special(node, owner, "__contains__", [item])
            return found if found is None else self.truth(found)
        names = [Const(STR, node.span, name) for name in info.children]
        kind = TupleType(tuple(name.type for name in names))
        keys = MakeTuple(kind, node.span, [*names])
        return self.then(owner, self.contains_in_tuple(node, item, keys, kind)) if names else (
            self.then(item, boolean(node.span, False)))

def is_path(value: Expr) -> bool:
    """Whether evaluating it again gives the same module: submodules are never replaced."""
    while isinstance(value, GetAttribute):
        value = value.value
    return isinstance(value, (Read, ReadTemp))
