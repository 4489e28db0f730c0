"""Inference of containers outside the function: lists, dicts and sets of constants and functions, read as they are when
the script is compiled (D10).

In: names of such containers where one is indexed, searched or looped over. Out: reads of a copy that is made at the
start of the function. Holds: nothing can change a copy or get hold of it, so that it is one cannot be told.
"""

from __future__ import annotations

from typing import Any as PyAny

from ....ir.types import DictType, ListType, SetType, TupleType, Type
from ...compilation.frames import MARK
from ...compilation.specialise import Again
from ...core.denotations import ContainerDenotation
from ...core.placeholders import Placeholder, join, resolve
from ...core.typed import ERROR, Const, Expr, MakeDict, MakeList, MakeSet, MakeTuple, Static, is_silent
from ...parser.syntax import Node, Span
from ..base import InferenceBase
from ..type_facts import converted_to

MAX_ITEMS = 4096
READ_METHODS = frozenset(("get", "items", "keys", "values", "index", "count", "copy", "union", "intersection",
                          "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint"))


class GlobalInference(InferenceBase):
    """Containers outside."""

    def opened(self, value: Expr) -> Expr:
        """A container outside the function as a value to read from; anything else as it is."""
        if not isinstance(value, Static) or not isinstance(value.denotation, ContainerDenotation):
            return value
        denotation = value.denotation
        name = f"{MARK}global.{id(denotation.python)}"
        if name not in self.here.variables:
            if name in self.spec.containers:
                return self.error(value, denotation.reason)
            self.spec.containers[name] = denotation.python
            raise Again(self.spec)
        if self.here.variables[name].type == ERROR:
            return self.error(value, denotation.reason)
        return self.read_hidden(name, value.span)

    def open_containers(self) -> None:
        """At the start of the function: copies of those it reads."""
        for name, python in self.spec.containers.items():
            span = self.source.node.span
            made = self.container_copy(span, python)
            if made is None:
                self.here.store(name, ERROR)
            else:
                self.store(name, made)

    def container_copy(self, span: Span, python: PyAny) -> Expr | None:
        """A display of the same elements; None if one of them has no constant form."""
        if len(python) > MAX_ITEMS:
            return None
        if isinstance(python, dict):
            keys, values = self.copied_items(span, list(python)), self.copied_items(span, list(python.values()))
            if keys is None or values is None:
                return None
            kind, whole = self.kind_of_items(keys), self.kind_of_items(values)
            if keys and not kind.is_hashable:
                return None
            items = [converted_to(item, of) for pair in zip(keys, values) for item, of in zip(pair, (kind, whole))]
            return MakeDict(DictType(kind, whole), span, items)
        found = self.copied_items(span, list(python))
        if found is None:
            return None
        if isinstance(python, tuple):
            return MakeTuple(TupleType(tuple(resolve(item.type) for item in found)), span, found)
        kind = self.kind_of_items(found)
        found = [converted_to(item, kind) for item in found]
        if isinstance(python, list):
            return MakeList(ListType(kind), span, found)
        made = MakeSet(SetType(kind), span, found)
        return self.frozen(made) if isinstance(python, frozenset) else made

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
                is_tuple = isinstance(value.denotation, ContainerDenotation) and isinstance(item, tuple)
                made = self.container_copy(span, item) if is_tuple else self.reify(value)
                if made is None:
                    return None
                value = made
            kind = resolve(value.type)
            if is_silent(value) or (kind.is_mutable and not self.session.functions.is_function(kind)):
                if not (isinstance(item, tuple) and not isinstance(value, Const)):
                    return None
            found.append(value)
        return found

    def is_read_of_container(self, node: Node, owner: Static, name: str) -> bool:
        return isinstance(owner.denotation, ContainerDenotation) and name in READ_METHODS
