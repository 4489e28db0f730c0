"""Parameters of functions and lambdas.

In: what the rules of parameters have as children. Out: `arguments`. Holds: the order that Python asks for is checked.
"""

from __future__ import annotations

from typing import Any

from ..diagnostics import Span
from . import syntax
from .build_checks import Checks
from .syntax import Expression


class Marker(syntax.Node):
    """A bare `*` or `/` among parameters, or `*` after `import`."""

    def __init__(self, span: Span, text: str) -> None:
        super().__init__(span)
        self.text = text


class ParameterBuilder(Checks):
    """One method a rule."""

    def build_parameter(
        self, span: Span, name: str, annotation: Expression | None, default: Expression | None
    ) -> tuple[str, syntax.arg, Expression | None]:
        end = annotation.span if annotation is not None else None
        where = self._before_default(span, name, end, default)
        return "", syntax.arg(where, name, annotation), default

    def _before_default(self, span: Span, name: str, end: Span | None, default: Expression | None) -> Span:
        if default is None:
            return span
        if end is not None:
            return span.to(end)
        width = len(name)
        return Span(span.file, span.line, span.column, span.line, span.column + width)

    def build_rest_parameter(
        self, span: Span, name: str, annotation: Expression | None = None
    ) -> tuple[str, syntax.arg, None]:
        return "*", syntax.arg(_without_stars(span, 1), name, annotation), None

    def build_keywords_parameter(
        self, span: Span, name: str, annotation: Expression | None = None
    ) -> tuple[str, syntax.arg, None]:
        return "**", syntax.arg(_without_stars(span, 2), name, annotation), None

    def build_lambda_parameter(
        self, span: Span, name: str, default: Expression | None
    ) -> tuple[str, syntax.arg, Expression | None]:
        return self.build_parameter(span, name, None, default)

    build_lambda_rest = build_rest_parameter
    build_lambda_keywords = build_keywords_parameter
    build_bare_star = Marker
    build_bare_slash = Marker

    def build_arguments(self, span: Span, *parameters: Any) -> syntax.arguments:
        result = syntax.arguments(span, [], [], None, [], [], None, [])
        seen: set[str] = set()
        star: Marker | None = None
        for parameter in parameters:
            if isinstance(parameter, Marker):
                self._add_marker(result, parameter, star)
                star = parameter if parameter.text == "*" else star
                continue
            kind, each, default = parameter
            if each.arg in seen:
                self.source.fail(each.span, f"duplicate argument '{each.arg}' in function definition")
            seen.add(each.arg)
            self._add_parameter(result, kind, each, default, star)
        if star is not None and not result.kwonlyargs:
            self.source.fail(star.span, "named arguments must follow bare *")
        return result

    build_lambda_arguments = build_arguments

    def _add_marker(self, result: syntax.arguments, marker: Marker, star: Marker | None) -> None:
        if result.kwarg is not None:
            self.source.fail(marker.span, "arguments cannot follow the '**' argument")
        if marker.text == "*":
            if star is not None or result.vararg is not None:
                self.source.fail(marker.span, "* argument may appear only once")
            return
        if result.posonlyargs:
            self.source.fail(marker.span, "/ may appear only once")
        if star is not None or result.vararg is not None:
            self.source.fail(marker.span, "/ must be ahead of *")
        if not result.args:
            self.source.fail(marker.span, "at least one argument must precede /")
        result.posonlyargs, result.args = result.args, []

    def _add_parameter(
        self, result: syntax.arguments, kind: str, each: syntax.arg, default: Expression | None, star: Marker | None
    ) -> None:
        if result.kwarg is not None:
            self.source.fail(each.span, "arguments cannot follow the '**' argument")
        if kind == "**":
            result.kwarg = each
        elif kind == "*":
            if star is not None or result.vararg is not None:
                self.source.fail(each.span, "* argument may appear only once")
            result.vararg = each
        elif star is not None or result.vararg is not None:
            result.kwonlyargs.append(each)
            result.kw_defaults.append(default)
        else:
            if default is None and result.defaults:
                self.source.fail(
                    each.span, "non-default argument follows default argument", f"give '{each.arg}' a default"
                )
            result.args.append(each)
            if default is not None:
                result.defaults.append(default)


def _without_stars(span: Span, count: int) -> Span:
    return span._replace(column=span.column + count)
