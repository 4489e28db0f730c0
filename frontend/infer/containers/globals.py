"""Inference of what is outside the function: lists, dicts, sets and instances of constants, functions and such things,
read as they are when the script is compiled (D10).

In: expressions that name such containers. Out: reads of a copy that is made at the start of the function. Holds: that
it is a copy cannot be told; what the program does to it is checked when all of it is there (lower/outside.py).
"""

from __future__ import annotations

from typing import Any as PyAny

from ....ir.types import INT, TENSOR, DictType, ListType, SetType, TupleType, Type
from ...compilation.frames import MARK
from ...compilation.notes import text_of
from ...compilation.specialise import Again
from ...core.denotations import ContainerDenotation, ObjectDenotation, described_outside
from ...core.placeholders import Placeholder, join, resolve
from ...core.typed import (
    ERROR,
    ClassObject,
    Do,
    Expr,
    GetAttribute,
    MakeDict,
    MakeList,
    MakeObject,
    MakeSet,
    MakeTuple,
    Outside,
    SetAttribute,
    Static,
    is_silent,
)
from ...objects.class_facts import instance_values, is_instance
from ...objects.class_info import ClassInfo
from ...objects.classes import NotScriptable
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..collection_types import DICT_PYTHON
from ..type_facts import converted_to

MAX_ITEMS = 4096
MAX_DEPTH = 20  # of containers in one another, in the search for what a message names


class GlobalInference(InferenceBase):
    """Containers outside."""

    copying: list[PyAny]  # containers around the one that is being copied

    def opened(self, value: Expr) -> Expr:
        """A container outside the function as a value; anything else as it is."""
        if not isinstance(value, Static) or not isinstance(value.denotation, ContainerDenotation):
            return value
        denotation = value.denotation
        name = f"{MARK}global.{id(denotation.python)}"
        if name not in self.here.variables:
            if name in self.spec.containers:
                return self.unusable(value, denotation)
            self.spec.containers[name] = denotation.python
            raise Again(self.spec)
        if self.here.variables[name].type == ERROR:
            return self.unusable(value, denotation)
        return self.read_hidden(name, value.span)

    def unusable(self, value: Static, denotation: ContainerDenotation) -> Expr:
        """The message for a container without a constant form, which names what in it has none."""
        hint = self.unusable_part(denotation.python, text_of(value.span), value.span, [])
        return self.error(value, denotation.reason, hint)

    def unusable_part(self, python: PyAny, path: str, span: Span, around: list[PyAny]) -> str | None:
        """The first thing in a container that is no value in scripts: how it is reached, its class, what to do."""
        if any(each is python for each in around) or len(around) > MAX_DEPTH:
            return None
        if is_instance(python):
            parts = [(f"{path}.{name}", each) for name, each in instance_values(python).items()]
        elif isinstance(python, dict):
            parts = [(f"{path}[{key!r}]", each) for key, each in python.items()]
        else:
            parts = [(f"{path}[{i}]", each) for i, each in enumerate(python)]
        for name, each in parts[:MAX_ITEMS]:
            value = self.session.denote(each, span)
            denotation = value.denotation if isinstance(value, Static) else None
            if isinstance(denotation, ObjectDenotation):
                module = type(each).__module__
                kind = type(each).__name__ if module == "builtins" else f"{module}.{type(each).__name__}"
                return f"{name} is a '{kind}'" + (f"; {denotation.hint}" if denotation.hint else "")
            if isinstance(denotation, ContainerDenotation):
                found = self.unusable_part(each, name, span, [*around, python])
                if found is not None:
                    return found
        return None

    def open_containers(self) -> None:
        """At the start of the function: copies of those it reads."""
        self.copying = []
        for name, python in self.spec.containers.items():
            span = self.source.node.span
            made = self.copied_container(span, python)
            if made is None:
                self.here.store(name, ERROR)
            else:
                shown = self.session.defaults.get(id(python), described_outside(python))
                self.store(name, Outside(made.type, span, made, shown))

    def container_copy(self, span: Span, python: PyAny) -> Expr | None:
        """A display of the same elements; None if one of them has no constant form."""
        if is_instance(python):
            return self.instance_copy(span, python)
        if len(python) > MAX_ITEMS:
            return None
        if isinstance(python, dict):
            keys, values = self.copied_items(span, list(python)), self.copied_items(span, list(python.values()))
            if keys is None or values is None:
                return None
            kind, whole = self.kind_of_items(keys), self.kind_of_items(values)
            if keys and (not kind.is_hashable or holds_tensors(kind)):
                return None
            name = DICT_PYTHON.get(type(python), "dict")
            if name == "Counter" and values and whole != INT:
                return None
            items = [converted_to(item, of) for pair in zip(keys, values) for item, of in zip(pair, (kind, whole))]
            return MakeDict(DictType(kind, INT if name == "Counter" else whole, name), span, items)
        found = self.copied_items(span, list(python))
        if found is None:
            return None
        if isinstance(python, tuple):
            return MakeTuple(TupleType(tuple(resolve(item.type) for item in found)), span, found)
        kind = self.kind_of_items(found)
        if not isinstance(python, list) and holds_tensors(kind):
            return None
        found = [converted_to(item, kind) for item in found]
        if isinstance(python, list):
            return MakeList(ListType(kind), span, found)
        made = MakeSet(SetType(kind), span, found)
        return self.frozen(made) if isinstance(python, frozenset) else made

    def instance_copy(self, span: Span, python: PyAny) -> Expr | None:
        """An instance with the same attributes; None if one of them has no constant form."""
        try:
            info = self.session.classes.describe(self.session.classes.exact(type(python)))
        except NotScriptable:
            return None
        state = self.session.class_state
        place = state.place_of_object(self.session.classes, python)
        if place is not None:
            return GetAttribute(state.kind.attributes[place], span, ClassObject(state.kind, span), place)
        own = instance_values(python)
        values = self.copied_items(span, list(own.values()))
        if values is None:
            return None
        with self.collect() as steps:
            made = self.hold(MakeObject(info.type, span))
            steps += self.initial_values(syntax.Node(span), info, made)
            for name, value in zip(own, values):
                self.attribute_copy(info, made, name, value)
        return Do(info.type, span, steps, made)

    def attribute_copy(self, info: ClassInfo, made: Expr, name: str, value: Expr) -> None:
        if name not in info.type.attributes and self.session.classes.give_attribute(info, name, value.type):
            self.session.specialiser.outdate()
        elif name not in info.declared:
            self.learn_attribute(info, name, value.type)
        wanted = info.type.attributes.get(name)
        if wanted is not None:
            fitted = self.coerce(value, wanted, f"attribute '{name}'")
            if not is_silent(fitted):
                self.emit(SetAttribute(value.span, made, name, fitted))

    def kind_of_items(self, items: list[Expr]) -> Type:
        if not items:
            return Placeholder()
        kinds = [resolve(item.type) for item in items]
        return self.session.functions.merged_all(kinds) or join(*kinds)

    def copied_items(self, span: Span, items: list[PyAny]) -> list[Expr] | None:
        found: list[Expr] = []
        for item in items:
            value = self.session.denote(item, span)
            if isinstance(value, Static):
                is_container = isinstance(value.denotation, ContainerDenotation)
                made = self.copied_container(span, item) if is_container else self.reify(value)
                if made is None:
                    return None
                value = made
            if is_silent(value):
                return None
            found.append(value)
        return found

    def copied_container(self, span: Span, python: PyAny) -> Expr | None:
        """A container in another; None if it holds itself, or has no constant form."""
        if any(each is python for each in self.copying):
            return None
        self.copying.append(python)
        try:
            return self.container_copy(span, python)
        finally:
            self.copying.pop()


def holds_tensors(kind: Type) -> bool:
    return kind == TENSOR or any(map(holds_tensors, kind.members))
