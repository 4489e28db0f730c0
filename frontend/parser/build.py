"""Lark's trees to nodes of syntax.py.

In: a tree of grammar.lark and its Source. Out: one node. Holds: a rule is the class of its name in snake case, called
with the rule's children, or a method here; what the grammar accepts too loosely is refused. No recursion with depth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token
from lark.ast_utils import camel_to_snake

from ..diagnostics import Span
from . import syntax
from .build_checks import ASSIGNABLE
from .build_parameters import ParameterBuilder
from .build_patterns import PatternBuilder
from .lalr import Tree
from .strings import ParseExpression, build_string, number_value
from .syntax import Expression, Statement
from .tokens import Source

_snake: Callable[[str], str] = camel_to_snake
CONSTANTS: dict[str, object] = {"None": None, "True": True, "False": False, "...": ...}
RULE_CLASSES: dict[str, type[syntax.Node]] = {_snake(kind.__name__): kind for kind in syntax.FIELDS}


class Builder(ParameterBuilder, PatternBuilder):
    """Builds the nodes of one Source."""

    def __init__(self, source: Source, parse_expression: ParseExpression) -> None:
        super().__init__(source)
        self.parse_expression = parse_expression

    def build(self, root: Tree) -> Any:
        """The value of the root's rule; children before parents, with a stack of our own."""
        pending: list[tuple[Tree, list[Any], Any]] = [(root, [], iter(root.children))]
        while True:
            tree, done, rest = pending[-1]
            for child in rest:
                if isinstance(child, Tree):
                    pending.append((child, [], iter(child.children)))
                    break
                done.append(child if child is None or child.type == "STRING" else str(child))
            else:
                pending.pop()
                value = self._apply(tree, done)
                if not pending:
                    return value
                pending[-1][1].append(value)

    def _apply(self, tree: Tree, children: list[Any]) -> Any:
        rule: Callable[..., Any] | None = getattr(self, f"build_{tree.data}", None)
        if rule is None:
            rule = RULE_CLASSES[tree.data]
        first: Any = tree.first
        last: Any = tree.last
        if first is None or last is None:
            return rule(Span(self.source.file, self.source.first_line, 1, self.source.first_line, 1), *children)
        return rule(Span(self.source.file, first.line, first.column, last.end_line, last.end_column), *children)

    # Statements

    def build_module(self, span: Span, *body: Statement) -> syntax.Module:
        return syntax.Module(span, list(body))

    def build_expression(self, span: Span, value: Expression) -> Expression:
        return value

    def build_body(self, span: Span, *statements: Statement) -> list[Statement]:
        return list(statements)

    def build_expr(self, span: Span, value: Expression) -> syntax.Expr:
        self.check_starred(value)
        return syntax.Expr(span, value)

    def build_assign(self, span: Span, *parts: Expression) -> syntax.Assign:
        for target in parts[:-1]:
            self.check_target(target)
        self.check_starred(parts[-1])
        return syntax.Assign(span, list(parts[:-1]), parts[-1])

    def build_aug_assign(self, span: Span, target: Expression, op: str, value: Expression) -> syntax.AugAssign:
        if not isinstance(target, ASSIGNABLE):
            what = self.describe(target)
            self.source.fail(target.span, f"{what} cannot be the target of an augmented assignment")
        self.check_starred(value)
        return syntax.AugAssign(span, target, op[:-1], value)

    def build_ann_assign(
        self, span: Span, target: Expression, annotation: Expression, value: Expression | None
    ) -> syntax.AnnAssign:
        if not isinstance(target, ASSIGNABLE):
            self.source.fail(target.span, f"{self.describe(target)} cannot be annotated", "annotate one name")
        is_simple = isinstance(target, syntax.Name) and target.span.column == span.column
        return syntax.AnnAssign(span, target, annotation, value, is_simple)

    def build_return(self, span: Span, value: Expression | None) -> syntax.Return:
        self.check_starred(value)
        return syntax.Return(span, value)

    def build_delete(self, span: Span, value: Expression) -> syntax.Delete:
        is_list = isinstance(value, syntax.Tuple) and self.source_char(value.span) != "("
        targets = value.elts if isinstance(value, syntax.Tuple) and is_list else [value]
        for target in targets:
            self.check_target(target, "delete")
        return syntax.Delete(span, targets)

    def source_char(self, span: Span) -> str:
        line = self.source.line_text(span.line) or ""
        return line[span.column - 1 : span.column]

    def build_global(self, span: Span, *names: str) -> syntax.Global:
        return syntax.Global(span, list(names))

    def build_nonlocal(self, span: Span, *names: str) -> syntax.Nonlocal:
        return syntax.Nonlocal(span, list(names))

    def build_dotted_name(self, span: Span, *names: str) -> str:
        return ".".join(names)

    def build_dotted_alias(self, span: Span, name: str, asname: str | None) -> syntax.alias:
        return syntax.alias(span, name, asname)

    build_plain_alias = build_dotted_alias

    def build_import(self, span: Span, *names: syntax.alias) -> syntax.Import:
        return syntax.Import(span, list(names))

    def build_dots(self, span: Span, *dots: str) -> int:
        return len("".join(dots))

    def build_from_module(self, span: Span, *parts: str | int) -> tuple[str | None, int]:
        level = parts[0] if isinstance(parts[0], int) else 0
        return parts[-1] if isinstance(parts[-1], str) else None, level

    def build_import_star(self, span: Span, star: str) -> syntax.alias:
        return syntax.alias(span, star)

    def build_import_names(self, span: Span, *names: syntax.alias) -> list[syntax.alias]:
        return list(names)

    def build_import_from(
        self, span: Span, module: tuple[str | None, int], names: list[syntax.alias]
    ) -> syntax.ImportFrom:
        return syntax.ImportFrom(span, module[0], names, module[1])

    # Compound statements

    def build_if(
        self, span: Span, test: Expression, body: list[Statement], orelse: list[Statement] | None
    ) -> syntax.If:
        return syntax.If(span, test, body, orelse or [])

    build_elif = build_if

    def build_or_else(self, span: Span, block: list[Statement] | syntax.If) -> list[Statement]:
        return [block] if isinstance(block, syntax.If) else block

    def build_while(
        self, span: Span, test: Expression, body: list[Statement], orelse: list[Statement] | None
    ) -> syntax.While:
        return syntax.While(span, test, body, orelse or [])

    def build_for(
        self, span: Span, target: Expression, iterable: Expression, body: list[Statement],
        orelse: list[Statement] | None,
    ) -> syntax.For:  # fmt: skip
        self.check_target(target)
        self.check_starred(iterable)
        return syntax.For(span, target, iterable, body, orelse or [])

    def build_else_body(self, span: Span, body: list[Statement]) -> list[Statement]:
        return body

    build_finally_body = build_else_body

    def build_with(self, span: Span, *parts: Any) -> syntax.With:
        items = [part for part in parts if isinstance(part, syntax.withitem)]
        return syntax.With(span, self._split_items(items), parts[-1])

    def _split_items(self, items: list[syntax.withitem]) -> list[syntax.withitem]:
        """`with (a, b):` has two items, though it parses as one tuple."""
        only = items[0]
        group = only.context_expr
        if len(items) > 1 or only.optional_vars or not isinstance(group, syntax.Tuple) or group.span != only.span:
            return items
        if not group.elts or any(isinstance(e, syntax.Starred | syntax.NamedExpr) for e in group.elts):
            return items
        return [syntax.withitem(e.span, e) for e in group.elts]

    def build_withitem(self, span: Span, value: Expression, target: Expression | None) -> syntax.withitem:
        if target is not None:
            self.check_target(target)
        return syntax.withitem(span, value, target)

    def build_try(self, span: Span, body: list[Statement], *parts: Any) -> syntax.Try:
        *handlers, orelse, finalbody = parts
        self._check_handlers(handlers)
        return syntax.Try(span, body, handlers, orelse or [], finalbody or [])

    def build_try_finally(self, span: Span, body: list[Statement], finalbody: list[Statement]) -> syntax.Try:
        return syntax.Try(span, body, [], [], finalbody)

    def build_try_star(self, span: Span, body: list[Statement], *parts: Any) -> syntax.TryStar:
        *handlers, orelse, finalbody = parts
        return syntax.TryStar(span, body, handlers, orelse or [], finalbody or [])

    def _check_handlers(self, handlers: list[syntax.ExceptHandler]) -> None:
        for handler in handlers[:-1]:
            if handler.type is None:
                self.source.fail(handler.span, "a bare 'except:' must be the last handler")

    def build_except_star(
        self, span: Span, kind: Expression, name: str | None, body: list[Statement]
    ) -> syntax.ExceptHandler:
        return syntax.ExceptHandler(span, kind, name, body)

    def build_async(self, span: Span, node: Any) -> Statement:
        if isinstance(node, syntax.FunctionDef):
            return syntax.AsyncFunctionDef(span, node.name, node.args, node.body, node.decorator_list, node.returns)
        if isinstance(node, syntax.For):
            return syntax.AsyncFor(span, node.target, node.iter, node.body, node.orelse)
        return syntax.AsyncWith(span, node.items, node.body)

    def build_decorator(self, span: Span, value: Expression) -> Expression:
        return value

    def build_decorated(self, span: Span, *parts: Any) -> Statement:
        *decorators, definition = parts
        if isinstance(definition, syntax.AsyncFor | syntax.AsyncWith):
            self.source.fail(definition.span, "expected a function or class after the decorator")
        definition.decorator_list = decorators
        return definition

    def build_function_def(
        self, span: Span, name: str, args: syntax.arguments, returns: Expression | None, body: list[Statement]
    ) -> syntax.FunctionDef:
        return syntax.FunctionDef(span, name, args, body, [], returns)

    def build_class_def(
        self, span: Span, name: str, arguments: tuple[list[Expression], list[syntax.keyword]] | None,
        body: list[Statement],
    ) -> syntax.ClassDef:  # fmt: skip
        bases, keywords = arguments or ([], [])
        return syntax.ClassDef(span, name, bases, keywords, body, [])

    # Expressions

    def build_if_exp(self, span: Span, body: Expression, test: Expression, orelse: Expression) -> syntax.IfExp:
        return syntax.IfExp(span, test, body, orelse)

    def build_named_expr(self, span: Span, target: syntax.Name, value: Expression) -> syntax.NamedExpr:
        return syntax.NamedExpr(span, target, value)

    def build_starred(self, span: Span, value: Expression) -> syntax.Starred:
        return syntax.Starred(span, value)

    build_starred_argument = build_starred

    def build_or_op(self, span: Span, *values: Expression) -> syntax.BoolOp:
        return syntax.BoolOp(span, "or", list(values))

    def build_and_op(self, span: Span, *values: Expression) -> syntax.BoolOp:
        return syntax.BoolOp(span, "and", list(values))

    def build_not_op(self, span: Span, operand: Expression) -> syntax.UnaryOp:
        return syntax.UnaryOp(span, "not", operand)

    def build_comparison(self, span: Span, *words: str) -> str:
        return " ".join(words)

    def build_compare(self, span: Span, left: Expression, *rest: Any) -> syntax.Compare:
        return syntax.Compare(span, left, list(rest[0::2]), list(rest[1::2]))

    def build_call(self, span: Span, func: Expression, arguments: Any) -> syntax.Call:
        if isinstance(arguments, syntax.GeneratorExp):
            return syntax.Call(span, func, [arguments], [])
        return syntax.Call(span, func, *arguments)

    def build_double_starred(self, span: Span, value: Expression) -> syntax.keyword:
        return syntax.keyword(span, None, value)

    def build_call_arguments(self, span: Span, *arguments: Any) -> tuple[list[Expression], list[syntax.keyword]]:
        args: list[Expression] = []
        keywords: list[syntax.keyword] = []
        names: set[str] = set()
        for each in arguments:
            if isinstance(each, syntax.keyword):
                if each.arg is not None and each.arg in names:
                    self.source.fail(each.span, f"keyword argument repeated: {each.arg}")
                names.update([each.arg] if each.arg else [])
                keywords.append(each)
                continue
            unpacks = any(k.arg is None for k in keywords)
            if isinstance(each, syntax.Starred) and unpacks:
                self.source.fail(each.span, "iterable argument unpacking follows keyword argument unpacking")
            if keywords and not isinstance(each, syntax.Starred):
                follows = "keyword argument unpacking" if unpacks else "keyword argument"
                self.source.fail(each.span, f"positional argument follows {follows}")
            args.append(each)
        return args, keywords

    def build_subscript(self, span: Span, value: Expression, index: Expression) -> syntax.Subscript:
        if isinstance(index, syntax.Starred):
            index = syntax.Tuple(index.span, [index])
        return syntax.Subscript(span, value, index)

    def build_tuple(self, span: Span, *elts: Expression) -> syntax.Tuple:
        return syntax.Tuple(span, list(elts))

    build_paren_tuple = build_tuple
    build_empty_tuple = build_tuple

    def build_list(self, span: Span, *elts: Expression) -> syntax.List:
        return syntax.List(span, list(elts))

    def build_set(self, span: Span, *elts: Expression) -> syntax.Set:
        return syntax.Set(span, list(elts))

    def build_group(self, span: Span, value: Expression) -> Expression:
        self.check_starred(value)
        return value

    def build_pair(self, span: Span, key: Expression, value: Expression) -> tuple[Expression, Expression]:
        return key, value

    def build_double_starred_item(self, span: Span, value: Expression) -> tuple[None, Expression]:
        return None, value

    def build_dict(self, span: Span, *items: tuple[Expression | None, Expression]) -> syntax.Dict:
        return syntax.Dict(span, [key for key, _ in items], [value for _, value in items])

    def build_comprehension(
        self, span: Span, is_async: str | None, target: Expression, iterable: Expression, *ifs: Expression
    ) -> syntax.comprehension:
        self.check_target(target)
        return syntax.comprehension(span, target, iterable, list(ifs), is_async is not None)

    def _check_element(self, elt: Expression) -> Expression:
        if isinstance(elt, syntax.Starred):
            self.source.fail(elt.span, "iterable unpacking cannot be used in comprehension")
        return elt

    def build_list_comp(self, span: Span, elt: Expression, *generators: syntax.comprehension) -> syntax.ListComp:
        return syntax.ListComp(span, self._check_element(elt), list(generators))

    def build_set_comp(self, span: Span, elt: Expression, *generators: syntax.comprehension) -> syntax.SetComp:
        return syntax.SetComp(span, self._check_element(elt), list(generators))

    def build_generator_exp(
        self, span: Span, elt: Expression, *generators: syntax.comprehension
    ) -> syntax.GeneratorExp:
        return syntax.GeneratorExp(span, self._check_element(elt), list(generators))

    def build_dict_comp(
        self, span: Span, item: tuple[Expression | None, Expression], *generators: syntax.comprehension
    ) -> syntax.DictComp:
        key, value = item
        if key is None:
            self.source.fail(value.span, "dict unpacking cannot be used in dict comprehension")
        return syntax.DictComp(span, key, value, list(generators))

    def build_number(self, span: Span, text: str) -> syntax.Constant:
        return syntax.Constant(span, number_value(text))

    def build_constant(self, span: Span, text: str) -> syntax.Constant:
        return syntax.Constant(span, CONSTANTS[text])

    build_singleton = build_constant

    def build_strings(self, span: Span, *tokens: Token) -> Expression:
        return build_string(self.source, list(tokens), span, self.parse_expression)
