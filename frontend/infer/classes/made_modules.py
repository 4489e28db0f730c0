"""Inference of modules that a script makes: `nn.Softmax(dim=1)(x)`, `loss = nn.CrossEntropyLoss()`.

In: a call of a class of modules with constant arguments, or ints that become attributes of layers. Out: a new instance
with the attributes of one that is made while compiling. Holds: such a module has no tensors and no submodules, so that
nobody could miss them in the program's state, and its `__init__` only sets attributes; it is in training mode, as every
new one.
"""

from __future__ import annotations

import inspect
from typing import Any as PyAny

from ....ir.types import INT
from ...core.placeholders import resolve
from ...core.typed import Const, Do, Expr, MakeList, MakeObject, MakeTuple, SetAttribute, is_silent
from ...objects.dict_values import NotAttribute
from ...objects.function_source import own_nodes
from ...objects.module_attributes import attributes_of, is_module
from ...parser import syntax
from ..base import InferenceBase

PROBES = (1, 2)  # two ints that an argument known at run time may be: which attributes hold it


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
        asked = [value for value, each in zip(values, known) if each is None]
        if is_silent(*values):
            return self.silent(node.span, values)
        if asked and (not is_ours(python) or any(resolve(value.type) != INT for value in asked)):
            return None
        names = [keyword.arg or "" for keyword in node.keywords]
        try:
            live, other = (make(python, known, names, probe) for probe in PROBES)
            held = attributes_of(live) if is_module(live) else {"": live}
            if not all(map(is_plain, held.values())):
                return None
            info = self.session.modules.describe(live)
        except NotAttribute:
            return None
        except Exception as error:
            return self.error(node, f"'{python.__name__}(...)' raises {type(error).__name__}: {error}")
        open_names = [name for name, value in attributes_of(other).items() if value != held[name]]
        places = inspect.signature(python).bind(*range(len(node.args)), **dict(zip(names, range(len(node.args), 99))))
        given = {name: values[place] for name, place in places.arguments.items() if known[place] is None}
        if {*open_names} != {*given} or not {*given} <= {*info.type.attributes}:
            return None
        with self.collect() as steps:
            given = {name: self.hold(value) for name, value in given.items()}
            made = self.hold(MakeObject(info.type, node.span))
            for name, kind in info.type.attributes.items():
                value = given[name] if name in given else self.session.denote(held[name], node.span)
                self.emit(SetAttribute(node.span, made, name, self.coerce(value, kind, f"attribute '{name}'")))
        return Do(info.type, node.span, steps, made)

    def only_sets_attributes(self, base: type) -> bool:
        """Whether nobody can tell when the `__init__` of a user's class ran: it calls that of its base and no more."""
        if "__init__" not in vars(base) or is_ours(base):
            return True
        if not inspect.isfunction(vars(base)["__init__"]):
            return base is object
        calls = [node.func for node in own_nodes(self.session.source(vars(base)["__init__"], base).node)
                 if isinstance(node, syntax.Call)]
        return all(getattr(called, "id", getattr(called, "attr", "")) in ("super", "__init__") for called in calls)


def make(python: PyAny, known: list[tuple[PyAny] | None], names: list[str], probe: int) -> PyAny:
    """A module of a class, made of what is known of its arguments, and a probe in the place of the rest."""
    given = [probe if each is None else each[0] for each in known]
    count = len(given) - len(names)
    return python(*given[:count], **dict(zip(names, given[count:])))


def is_ours(python: type) -> bool:
    return python.__module__.partition(".")[0] == __name__.partition(".")[0]


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
