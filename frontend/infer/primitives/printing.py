"""Inference of print: texts of the arguments, what stands between them, arguments that `*` spreads.

In: its calls. Out: writes of texts. Holds: a text is made after what stands before it is written, where it shows.
"""

from __future__ import annotations

import sys
from functools import reduce

from ....ir.types import NONE, STR, ListType, TupleType, Type
from ...core.conversions import once_all, operate
from ...core.denotations import ViewDenotation
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import ERROR, STATIC, Const, Do, Evaluate, Expr, MakeList, Static, is_silent, none
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import printing as prelude_print
from ..base import InferenceBase
from ..type_facts import tuple_items

OPTIONS = ("sep", "end", "flush")
OUTPUT_METHODS = {
    "write": prelude_print.write, "writelines": prelude_print.write_lines, "flush": prelude_print.flush,
}
ERROR_METHODS = {
    "write": prelude_print.write_error, "writelines": prelude_print.write_error_lines, "flush": prelude_print.flush,
}


class PrintInference(InferenceBase):
    """print."""

    def _call_print(self, node: syntax.Call, want: Type | None) -> Expr:
        node, is_error = self.without_file(node)
        plain = [argument for argument in node.args if not isinstance(argument, syntax.Starred)]
        if not self.takes(syntax.Call(node.span, node.func, plain, node.keywords), 0, 1000, OPTIONS):
            return self.wrong(node)
        is_spread = len(plain) < len(node.args)
        parts = [self.print_part(argument) if is_spread else self.expr(argument) for argument in node.args]
        options = self.print_options(node)
        if is_silent(*parts, *options.values()):
            return self.silent(node.span, [*parts, *options.values()])
        count = len(parts)
        views = [view_of(part) for part in parts]
        parts = [part if view is None else view.receiver for part, view in zip(parts, views)]

        def use(values: list[Expr]) -> Expr:
            for place, view in enumerate(views):
                if view is not None:
                    values[place] = Static(STATIC, values[place].span, ViewDenotation(values[place], view.view))
            ends = dict(zip(options, values[count:]))
            sep = self.print_option(node.span, ends.get("sep"), " ")
            end = self.print_option(node.span, ends.get("end"), "\n")
            write = self.printed_spread if is_spread else self.printed
            return write(node, values[:count], sep, end, is_error)

        return once_all([*parts, *options.values()], use)

    def without_file(self, node: syntax.Call) -> tuple[syntax.Call, bool]:
        """The call without `file=`, which may be sys.stdout, or sys.stderr: then the second is True."""
        for keyword in node.keywords:
            if keyword.arg == "file":
                value = self.expr(keyword.value)
                python = getattr(value.denotation, "python", None) if isinstance(value, Static) else None
                is_none = isinstance(value, Const) and value.type == NONE
                is_error = python is not None and python is sys.stderr
                if python is not sys.stdout and not is_none and not is_error and value.type != ERROR:
                    self.error(keyword, "print() writes to sys.stdout and sys.stderr only in scripts",
                               "print(...) without file=, or print in a function marked @tsm.jit.ignore")
                rest = [each for each in node.keywords if each is not keyword]
                return syntax.Call(node.span, node.func, node.args, rest), is_error
        return node, False

    def print_part(self, argument: syntax.Expression) -> Expr:
        """An argument; one that `*` spreads as a list of its own."""
        if not isinstance(argument, syntax.Starred):
            return self.value(argument)
        if self.is_lazy(argument.value):
            return self.list_from(argument.value)
        items = self.expr(argument.value)
        kind = resolve(items.type)
        if is_silent(items) or isinstance(kind, TupleType) and not kind.is_variadic:
            return items
        items = self.list_of(argument, items)
        return items if is_silent(items) else self.operate(argument, "list()", [items])

    def print_options(self, node: syntax.Call) -> dict[str, Expr]:
        """`sep` and `end` as given, by name."""
        options = {str(keyword.arg): self.value(keyword.value) for keyword in node.keywords if keyword.arg != "flush"}
        for name, value in options.items():
            if not is_silent(value) and resolve(value.type) not in (STR, NONE):
                options[name] = self.error(value, f"{name} must be None or a string, not {describe(value)}")
        return options

    def print_option(self, span: Span, value: Expr | None, default: str) -> Expr:
        """What stands between the texts or behind them."""
        return Const(STR, span, default) if value is None or resolve(value.type) == NONE else value

    def printed(self, node: syntax.Call, values: list[Expr], sep: Expr, end: Expr, is_error: bool) -> Expr:
        """Writes evaluated values; what a method of one prints or raises comes behind the texts before it."""
        texts = [self.text_of(value) for value in values]
        if is_silent(*texts):
            return self.silent(node.span, texts)
        if any(self.says_text("str.any", value.type) for value in values):
            behind = [sep] * (len(texts) - 1) + [end]
            return self.written(node.span, [operate("add.str", *both) for both in zip(texts, behind)], is_error)
        if not texts:
            return self.written(node.span, [end], is_error)
        joined = texts[0] if len(texts) == 1 else operate("str.join", sep, MakeList(ListType(STR), node.span, texts))
        return self.written(node.span, [operate("add.str", joined, end)], is_error)

    def written(self, span: Span, pieces: list[Expr], is_error: bool) -> Expr:
        rows = [operate("print.error" if is_error else "print.str", piece, result=NONE) for piece in pieces]
        for row in rows:
            row.result_types = ()
        return Do(NONE, span, [Evaluate(span, row) for row in rows], none(span))

    def printed_spread(self, node: syntax.Call, values: list[Expr], sep: Expr, end: Expr, is_error: bool) -> Expr:
        """Writes values some of which `*` spreads: tuples of a known length, or lists."""
        parts: list[tuple[bool, Expr]] = []
        for argument, value in zip(node.args, values):
            kind = resolve(value.type)
            if isinstance(argument, syntax.Starred) and isinstance(kind, TupleType) and not kind.is_variadic:
                parts.extend((False, item) for item in tuple_items(value, kind))
            else:
                parts.append((isinstance(argument, syntax.Starred), value))
        if not any(is_list for is_list, _ in parts):
            return self.printed(node, [value for _, value in parts], sep, end, is_error)
        if any(self.holds_instances(value.type) for _, value in parts):
            lists = [value if is_list else self.list_of_one(value) for is_list, value in parts]
            whole = reduce(lambda a, b: self.binary(node, "+", a, b), lists)
            each = prelude_print.print_each_error if is_error else prelude_print.print_each
            return whole if is_silent(whole) else self.by_prelude(node, each, [whole, sep, end])
        texts = [self.by_prelude(node, prelude_print.texts, [value]) if is_list else
                 self.list_of_one(self.text_of(value)) for is_list, value in parts]
        if is_silent(*texts):
            return self.silent(node.span, texts)
        joined = reduce(lambda a, b: operate("add.list", a, b, result=ListType(STR)), texts)
        return self.written(node.span, [operate("add.str", operate("str.join", sep, joined), end)], is_error)

    def list_of_one(self, value: Expr) -> Expr:
        return value if is_silent(value) else MakeList(ListType(resolve(value.type)), value.span, [value])


def stream_method(python: object, name: str) -> object:
    """A method of sys.stdout or sys.stderr as a function of the prelude; None for anything else."""
    if python is not None and (python is sys.stdout or python is sys.stderr):
        methods = ERROR_METHODS if python is sys.stderr else OUTPUT_METHODS
        return methods.get(name)
    return None


def view_of(value: Expr) -> ViewDenotation | None:
    """The view of a dict that a value is, if making it does nothing."""
    if not isinstance(value, Static) or value.before or not isinstance(value.denotation, ViewDenotation):
        return None
    return None if value.denotation.is_method else value.denotation
