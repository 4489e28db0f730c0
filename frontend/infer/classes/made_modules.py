"""Inference of modules that a script makes: `nn.Softmax(dim=1)(x)`, `loss = nn.CrossEntropyLoss()`.

In: a call of a class of modules with constant arguments. Out: a new instance with the attributes of one that is made
while compiling. Holds: such a module has no tensors and no submodules, so that nobody could miss them in the program's
state, and its `__init__` only sets attributes; it is in training mode, as every new one.
"""

from __future__ import annotations

import inspect
from typing import Any as PyAny

from ...core.typed import Const, Do, Expr, MakeList, MakeObject, MakeTuple, SetAttribute, is_silent
from ...objects.dict_values import NotAttribute
from ...objects.function_source import own_nodes
from ...objects.module_attributes import attributes_of, is_module
from ...parser import syntax
from ..base import InferenceBase


class MadeModuleInference(InferenceBase):
    """Layers without weights, made where they are called."""

    def made_module(self, node: syntax.Call, python: PyAny) -> Expr | None:
        """A new module; None if its arguments are not constants, or it holds what a program must know of."""
        if any(isinstance(each, syntax.Starred) for each in node.args) or any(k.arg is None for k in node.keywords):
            return None
        if not all(map(self.only_sets_attributes, python.__mro__)):
            return None
        values = [self.value(each) for each in (*node.args, *(keyword.value for keyword in node.keywords))]
        known = [python_value(value) for value in values]
        if any(each is None for each in known):
            return self.silent(node.span, values) if is_silent(*values) else None
        given = [each[0] for each in known if each is not None]
        count = len(node.args)
        try:
            live = python(*given[:count], **dict(zip([keyword.arg or "" for keyword in node.keywords], given[count:])))
            held = attributes_of(live) if is_module(live) else {"": live}
            if not all(map(is_plain, held.values())):
                return None
            info = self.session.modules.describe(live)
        except NotAttribute:
            return None
        except Exception as error:
            return self.error(node, f"'{python.__name__}(...)' raises {type(error).__name__}: {error}")
        with self.collect() as steps:
            made = self.hold(MakeObject(info.type, node.span))
            for name, kind in info.type.attributes.items():
                value = self.session.denote(held[name], node.span)
                self.emit(SetAttribute(node.span, made, name, self.coerce(value, kind, f"attribute '{name}'")))
        return Do(info.type, node.span, steps, made)

    def only_sets_attributes(self, base: type) -> bool:
        """Whether nobody can tell when the `__init__` of a user's class ran: it calls that of its base and no more."""
        if "__init__" not in vars(base) or base.__module__.partition(".")[0] == __name__.partition(".")[0]:
            return True
        if not inspect.isfunction(vars(base)["__init__"]):
            return base is object
        calls = [node.func for node in own_nodes(self.session.source(vars(base)["__init__"], base).node)
                 if isinstance(node, syntax.Call)]
        return all(getattr(called, "id", getattr(called, "attr", "")) in ("super", "__init__") for called in calls)


def python_value(value: Expr) -> tuple[PyAny] | None:
    """What an expression is known to give, in a tuple; None if that is known at run time only."""
    if isinstance(value, Const):
        return (value.value,) if is_plain(value.value) and not is_silent(value) else None
    if isinstance(value, (MakeTuple, MakeList)):
        items = [python_value(item) for item in value.items]
        held = [item[0] for item in items if item is not None]
        return (tuple(held) if isinstance(value, MakeTuple) else held,) if len(held) == len(items) else None
    return None


def is_plain(value: PyAny) -> bool:
    """Whether it is a number, a text, None or a tuple of these."""
    return value is None or type(value) in (bool, int, float, str) or (
        type(value) is tuple and all(map(is_plain, value)))
