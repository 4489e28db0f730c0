"""Containers that functions without a declared result return, where callers put more into them.

In: the type that a caller found for what a call gives. Out: a specialisation of the called function whose own
containers take that from their start. Holds: elements keep their own types; a function that cannot give the type gives
what it gave.
"""

from __future__ import annotations

from ....ir.types import ANY, DictType, ListType, TupleType, Type, arms_of
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import Expr, GetAttribute, MakeTuple, Static, is_silent
from ...parser import syntax
from ..base import InferenceBase
from ..joined_types import inner_container, inner_containers, joined, joined_container

MADE = (syntax.Dict, syntax.List, syntax.Set, syntax.DictComp, syntax.ListComp, syntax.SetComp)  # new containers


class AskedResultInference(InferenceBase):
    """What a function returns, as its caller wants it."""

    def asked_result(self, node: syntax.Return) -> Type | None:
        """The hint for what is returned: all that callers put into it, and what it is without a hint."""
        asked = self.spec.asked
        if asked is None or node.value is None or self.frame.exit is not None:
            return None
        wide = joined(asked, self.natural_type(node.value), is_deep=True)
        return wide if len(arms_of(wide)) == 1 else None

    def learn_result(self, value: Expr, asked: Type | None) -> None:
        """Variables whose containers are returned hold what callers put in."""
        if asked is None or isinstance(value, Static) or is_silent(value):
            return
        asked = resolve(asked)
        if isinstance(value, MakeTuple) and isinstance(asked, TupleType) and len(asked.members) == len(value.items):
            for item, kind in zip(value.items, asked.members):
                self.learn_result(item, kind)
        elif joined_container(resolve(value.type), asked, is_deep=True) not in (None, resolve(value.type)):
            self.learn(self.places_of(value), asked, is_deep=True)

    def wanted_element(self, owner: Expr, node: syntax.Node) -> Type | None:
        """The hint for a new container that goes into another, whose containers were found to hold more than it."""
        is_learned = self.spec.learned or isinstance(owner, GetAttribute)
        if not is_learned or isinstance(node, (syntax.Name, syntax.Constant)) or not inner_containers(owner.type):
            return None
        return inner_container(owner.type, self.natural_type(node))

    def wanted_item(self, target: syntax.Subscript, node: syntax.Node) -> Type | None:
        """The same for an item that is assigned; a container's annotation says it as well."""
        mark, before = self.reporter.mark(), self.here.copy()
        with self.collect():
            owner = self.expr(target.value)
            found = self.item_of_annotation(owner, target, node)
            if found is None and not isinstance(owner, Static):
                found = self.wanted_element(owner, node)
        self.reporter.rewind(mark)
        self.env = before
        return found

    def item_of_annotation(self, owner: Expr, target: syntax.Subscript, node: syntax.Node) -> Type | None:
        """What a new container becomes as an item of one that holds anything, or that an annotation describes."""
        kind = resolve(owner.type)
        holds_any = kind == ANY or isinstance(kind, DictType) and resolve(kind.value) == ANY
        if holds_any and isinstance(node, (syntax.Dict, syntax.List)):
            return ANY
        if not isinstance(kind, (DictType, ListType)) or isinstance(target.slice, syntax.Slice):
            return None
        is_known = isinstance(node, MADE) and not has_placeholder(kind) and self.is_declared(owner)
        return resolve(kind.members[-1]) if is_known else None
