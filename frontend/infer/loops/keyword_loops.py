"""Loops over what `**kwargs` caught: `for name, value in kwargs.items():`, over its keys or values; and over a display
of names and values that sets attributes by them.

In: the iterable of a for statement. Out: a walk that is unrolled, as the names are known and each value has its own
type. Holds: what `**kwargs` caught as names and variables does not change while it is walked through.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import STR, TupleType
from ...core.denotations import KeywordsDenotation
from ...core.typed import Const, Expr, MakeTuple, Static, is_silent
from ...parser import syntax
from ..base import InferenceBase
from ..iteration import Iteration, UnrolledIteration

MANY = 32  # names


def keyword_iteration(
    inference: InferenceBase, node: syntax.Node, body: Sequence[syntax.Node] = ()
) -> Iteration | None:
    """None where it is anything else."""
    walked, view = node, "keys"
    if isinstance(node, syntax.Call) and isinstance(node.func, syntax.Attribute) and not (node.args or node.keywords):
        walked, view = node.func.value, node.func.attr
    if isinstance(walked, syntax.Dict) and view == "items" and any(map(sets_attribute, body)):
        return display_iteration(inference, walked)
    if not isinstance(walked, syntax.Name) or view not in ("keys", "values", "items"):
        return None
    if not inference.is_for_loop(node) or inference.env is None:
        return None
    state = inference.env.variables.get(inference.local_name(walked.id))
    caught = None if state is None else state.static
    if not isinstance(caught, KeywordsDenotation) or len(caught.variables) > MANY:
        return None
    items: list[Expr] = []
    for name, value in inference.keyword_values(node.span, caught):
        key = Const(STR, node.span, name)
        if isinstance(value, Static):
            return None
        value = inference.hold(value)
        pair = MakeTuple(TupleType((STR, value.type)), node.span, [key, value])
        items.append({"keys": key, "values": value}.get(view, pair))
    return UnrolledIteration(inference, node.span, items)


def display_iteration(inference: InferenceBase, node: syntax.Dict) -> Iteration | None:
    names = [key.value for key in node.keys if isinstance(key, syntax.Constant) and isinstance(key.value, str)]
    if not len(set(names)) == len(node.keys) <= MANY:
        return None
    items: list[Expr] = []
    for name, part in zip(names, node.values):
        value = inference.hold(inference.value(part))
        if is_silent(value):
            return None
        items.append(MakeTuple(TupleType((STR, value.type)), node.span, [Const(STR, node.span, name), value]))
    return UnrolledIteration(inference, node.span, items)


def sets_attribute(node: syntax.Node) -> bool:
    """Whether a statement calls `setattr`."""
    return any(
        isinstance(each, syntax.Call) and isinstance(each.func, syntax.Name) and each.func.id == "setattr"
        for each in syntax.walk(node))
