"""Inference of functions that get, from what they are given, an item, an attribute, or what a method gives.

In: calls of operator.itemgetter, attrgetter and methodcaller; methods of builtin types as functions, `str.lower`.
Out: lambdas that stand for them, calls of the method.
Holds: what a getter was given is evaluated once, when it is made.
"""

from __future__ import annotations

from ....ir.types import STR, Type, arms_of
from ...compilation.frames import MARK
from ...core.placeholders import resolve
from ...core.typed import ERROR, Const, Expr, Static, after, is_silent
from ...parser import syntax
from ..base import InferenceBase
from ..functions.keyword_names import type_name
from .names import whole_number

OWNER = "object"  # the parameter of the lambda


class GetterInference(InferenceBase):
    """Getters."""

    def _call_operator_itemgetter(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1000):
            return self.wrong(node)
        kept = [each for each in node.args if not is_literal(each)]

        def build(held: list[syntax.Expression]) -> syntax.Lambda:
            names = iter(held)
            keys = [each if is_literal(each) else next(names) for each in node.args]
            return getter(node, [syntax.Subscript(node.span, owner(node), key) for key in keys])

        return self.function_over(node, kept, build)

    def _call_operator_attrgetter(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1000):
            return self.wrong(node)
        paths = self.constant_texts(node.args, "attrgetter")
        if paths is None:
            return self.wrong(node)

        def build(held: list[syntax.Expression]) -> syntax.Lambda:
            return getter(node, [attribute(node, path) for path in paths])

        return self.function_over(node, [], build)

    def _call_operator_methodcaller(self, node: syntax.Call, want: Type | None) -> Expr:
        names = self.constant_texts(node.args[:1], "methodcaller")
        if not names:
            return self.wrong(node) if names is None else self.error(node, "methodcaller needs at least one argument")
        if any(isinstance(each, syntax.Starred) for each in node.args) or any(k.arg is None for k in node.keywords):
            return self.error(node, "'*' is not supported in a call of methodcaller()", "write the arguments out")
        count = len(node.args) - 1

        def build(held: list[syntax.Expression]) -> syntax.Lambda:
            named = [syntax.keyword(node.span, each.arg, value) for each, value in zip(node.keywords, held[count:])]
            return getter(node, [syntax.Call(node.span, attribute(node, names[0]), held[:count], named)])

        return self.function_over(node, [*node.args[1:], *(each.value for each in node.keywords)], build)

    def constant_texts(self, nodes: list[syntax.Expression], name: str) -> list[str] | None:
        """The values of arguments that name attributes; None after reporting."""
        found: list[str] = []
        for each in nodes:
            value = self.expr(each)
            if not isinstance(value, Const) or value.type != STR:
                if value.type != ERROR:
                    self.error(each, f"the names that {name}() is given must be constant texts")
                return None
            found.append(value.value)
        return found

    def call_unbound(self, node: syntax.Call, kind: str, method: str, want: Type | None) -> Expr:
        """`str.lower(x)`, also where a function is called for each item of something."""
        if not node.args or isinstance(node.args[0], syntax.Starred):
            return self.error(node, f"TypeError: unbound method {kind}.{method}() needs an argument")
        with self.collect() as before:
            value = self.value(node.args[0])
            if is_silent(value):
                return self.silent(node.span, [value])

            def use(one: Expr) -> Expr:
                given = next((found for found in map(type_name, arms_of(resolve(one.type))) if found != kind), kind)
                if given != kind:
                    shown = given or str(resolve(one.type))
                    text = f"descriptor '{method}' for '{kind}' objects doesn't apply to a '{shown}' object"
                    if one is not value:
                        return self.raise_error(node.span, "TypeError", text)
                    raised = ("TypeError", given and text)
                    return self.wrong_or_left(node.args[0], raised, f"TypeError: {text}", None, [one])
                name = MARK + self.hidden("owner")
                self.store(name, one)
                bound = syntax.Attribute(node.span, syntax.Name(node.span, name), method)
                return self.expr(syntax.Call(node.span, bound, node.args[1:], node.keywords), want)

            kinds = [type_name(arm) for arm in arms_of(resolve(value.type))]
            is_some = kind in kinds and None not in kinds and set(kinds) != {kind} and self.is_told_apart(value)
            result = self.by_branches(node.span, value, use) if is_some else use(value)
        return result if isinstance(result, Static) else after(before, result)


def is_literal(node: syntax.Expression) -> bool:
    return whole_number(node) is not None or isinstance(node, syntax.Constant)


def owner(node: syntax.Node) -> syntax.Name:
    return syntax.Name(node.span, OWNER)


def attribute(node: syntax.Node, path: str) -> syntax.Expression:
    """`object.a.b`."""
    found: syntax.Expression = owner(node)
    for name in path.split("."):
        found = syntax.Attribute(node.span, found, name)
    return found


def getter(node: syntax.Node, parts: list[syntax.Expression]) -> syntax.Lambda:
    """A function of one argument that gives these, several as a tuple."""
    params = syntax.arguments(node.span, [syntax.arg(node.span, OWNER, None)], [], None, [], [], None, [])
    return syntax.Lambda(node.span, params, parts[0] if len(parts) == 1 else syntax.Tuple(node.span, parts))
