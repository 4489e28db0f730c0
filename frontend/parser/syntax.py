"""The syntax tree: what the parser makes of source text and all later stages read.

In: rules of grammar.lark, each named as its class in snake case. Out: nodes with the names and fields of CPython's
`ast` module, without `ctx`; operators are strings as written ("+", "not in").
Holds: every node has a span; nodes are compared and hashed by identity; no tree is nested deeper than parse.MAX_DEPTH.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from ..diagnostics import Span


@dataclass(eq=False)
class Node:
    span: Span


def child_nodes(node: Node) -> list[Node]:
    """The direct children of `node`, in field order, which for most nodes is source order."""
    found: list[Node] = []
    for name in CHILD_FIELDS[type(node)]:
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, Node)]
    return found


def walk(root: Node) -> Iterator[Node]:
    """`root` and everything below it, parents before children, in field order."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(child_nodes(node))


@dataclass(eq=False)
class Statement(Node):
    pass


@dataclass(eq=False)
class Expression(Node):
    pass


@dataclass(eq=False)
class Pattern(Node):
    pass


# Modules and definitions


@dataclass(eq=False)
class Module(Node):
    body: list[Statement]


@dataclass(eq=False)
class arg(Node):
    arg: str
    annotation: Expression | None = None
    type_comment: str | None = None


@dataclass(eq=False)
class arguments(Node):
    """`defaults` belong to the last of posonlyargs + args; `kw_defaults` match kwonlyargs, None for a required one."""

    posonlyargs: list[arg]
    args: list[arg]
    vararg: arg | None
    kwonlyargs: list[arg]
    kw_defaults: list[Expression | None]
    kwarg: arg | None
    defaults: list[Expression]

    @property
    def all(self) -> list[arg]:
        """Every parameter in the order of CPython's co_varnames: positional, keyword-only, `*args`, `**kwargs`."""
        starred = [each for each in (self.vararg, self.kwarg) if each is not None]
        return [*self.posonlyargs, *self.args, *self.kwonlyargs, *starred]


@dataclass(eq=False)
class keyword(Node):
    """`arg` is None for `**value`."""

    arg: str | None
    value: Expression


@dataclass(eq=False)
class alias(Node):
    name: str
    asname: str | None = None


@dataclass(eq=False)
class FunctionDef(Statement):
    """The span starts at `def`, as CPython's; decorators have their own. `type_comment` is the text after `# type:`."""

    name: str
    args: arguments
    body: list[Statement]
    decorator_list: list[Expression]
    returns: Expression | None = None
    type_comment: str | None = None


@dataclass(eq=False)
class AsyncFunctionDef(Statement):
    name: str
    args: arguments
    body: list[Statement]
    decorator_list: list[Expression]
    returns: Expression | None = None
    type_comment: str | None = None


@dataclass(eq=False)
class ClassDef(Statement):
    name: str
    bases: list[Expression]
    keywords: list[keyword]
    body: list[Statement]
    decorator_list: list[Expression]


# Simple statements


@dataclass(eq=False)
class Return(Statement):
    value: Expression | None = None


@dataclass(eq=False)
class Delete(Statement):
    targets: list[Expression]


@dataclass(eq=False)
class Assign(Statement):
    targets: list[Expression]
    value: Expression
    type_comment: str | None = None


@dataclass(eq=False)
class AugAssign(Statement):
    """`op` is the operator without "=": "+" for `+=`."""

    target: Expression
    op: str
    value: Expression


@dataclass(eq=False)
class AnnAssign(Statement):
    """`simple` is false for a target that is no bare name: `self.x: int`, `(x): int`."""

    target: Expression
    annotation: Expression
    value: Expression | None
    simple: bool


@dataclass(eq=False)
class Raise(Statement):
    exc: Expression | None = None
    cause: Expression | None = None


@dataclass(eq=False)
class Assert(Statement):
    test: Expression
    msg: Expression | None = None


@dataclass(eq=False)
class Import(Statement):
    names: list[alias]


@dataclass(eq=False)
class ImportFrom(Statement):
    """`level` counts the leading dots; `module` is None for `from . import x`."""

    module: str | None
    names: list[alias]
    level: int


@dataclass(eq=False)
class Global(Statement):
    names: list[str]


@dataclass(eq=False)
class Nonlocal(Statement):
    names: list[str]


@dataclass(eq=False)
class Expr(Statement):
    value: Expression


@dataclass(eq=False)
class Pass(Statement):
    pass


@dataclass(eq=False)
class Break(Statement):
    pass


@dataclass(eq=False)
class Continue(Statement):
    pass


# Compound statements


@dataclass(eq=False)
class If(Statement):
    """`elif` is an If that is alone in `orelse`."""

    test: Expression
    body: list[Statement]
    orelse: list[Statement]


@dataclass(eq=False)
class While(Statement):
    test: Expression
    body: list[Statement]
    orelse: list[Statement]


@dataclass(eq=False)
class For(Statement):
    target: Expression
    iter: Expression
    body: list[Statement]
    orelse: list[Statement]
    type_comment: str | None = None


@dataclass(eq=False)
class AsyncFor(Statement):
    target: Expression
    iter: Expression
    body: list[Statement]
    orelse: list[Statement]
    type_comment: str | None = None


@dataclass(eq=False)
class withitem(Node):
    context_expr: Expression
    optional_vars: Expression | None = None


@dataclass(eq=False)
class With(Statement):
    items: list[withitem]
    body: list[Statement]
    type_comment: str | None = None


@dataclass(eq=False)
class AsyncWith(Statement):
    items: list[withitem]
    body: list[Statement]
    type_comment: str | None = None


@dataclass(eq=False)
class ExceptHandler(Node):
    type: Expression | None
    name: str | None
    body: list[Statement]


@dataclass(eq=False)
class Try(Statement):
    body: list[Statement]
    handlers: list[ExceptHandler]
    orelse: list[Statement]
    finalbody: list[Statement]


@dataclass(eq=False)
class TryStar(Statement):
    """`try` with `except*`."""

    body: list[Statement]
    handlers: list[ExceptHandler]
    orelse: list[Statement]
    finalbody: list[Statement]


@dataclass(eq=False)
class match_case(Node):
    pattern: Pattern
    guard: Expression | None
    body: list[Statement]


@dataclass(eq=False)
class Match(Statement):
    subject: Expression
    cases: list[match_case]


# Patterns


@dataclass(eq=False)
class MatchValue(Pattern):
    value: Expression


@dataclass(eq=False)
class MatchSingleton(Pattern):
    """`value` is None, True or False, compared by identity."""

    value: bool | None


@dataclass(eq=False)
class MatchSequence(Pattern):
    patterns: list[Pattern]


@dataclass(eq=False)
class MatchMapping(Pattern):
    keys: list[Expression]
    patterns: list[Pattern]
    rest: str | None


@dataclass(eq=False)
class MatchClass(Pattern):
    cls: Expression
    patterns: list[Pattern]
    kwd_attrs: list[str]
    kwd_patterns: list[Pattern]


@dataclass(eq=False)
class MatchStar(Pattern):
    """`name` is None for `*_`."""

    name: str | None


@dataclass(eq=False)
class MatchAs(Pattern):
    """`pattern as name`; a bare capture has no pattern, `_` has neither."""

    pattern: Pattern | None
    name: str | None


@dataclass(eq=False)
class MatchOr(Pattern):
    patterns: list[Pattern]


# Expressions


@dataclass(eq=False)
class Constant(Expression):
    """None, bool, int of any size, float, complex, str, bytes or Ellipsis; `kind` is "u" for u"..."."""

    value: object
    kind: str | None = None


@dataclass(eq=False)
class Name(Expression):
    """`id` is NFKC-normalised, as Python's identifiers are; private names are not mangled yet (see scope.mangle)."""

    id: str


@dataclass(eq=False)
class Attribute(Expression):
    value: Expression
    attr: str


@dataclass(eq=False)
class Subscript(Expression):
    """`slice` is any expression; a Slice, or a Tuple that may hold Slices and Starred."""

    value: Expression
    slice: Expression


@dataclass(eq=False)
class Slice(Expression):
    lower: Expression | None = None
    upper: Expression | None = None
    step: Expression | None = None


@dataclass(eq=False)
class Starred(Expression):
    value: Expression


@dataclass(eq=False)
class Call(Expression):
    func: Expression
    args: list[Expression]
    keywords: list[keyword]


@dataclass(eq=False)
class BoolOp(Expression):
    """`op` is "and" or "or"; `a and b and c` is one node with three values."""

    op: str
    values: list[Expression]


@dataclass(eq=False)
class NamedExpr(Expression):
    target: Name
    value: Expression


@dataclass(eq=False)
class BinOp(Expression):
    """`op` is one of + - * @ / // % ** << >> & | ^."""

    left: Expression
    op: str
    right: Expression


@dataclass(eq=False)
class UnaryOp(Expression):
    """`op` is one of - + ~ not."""

    op: str
    operand: Expression


@dataclass(eq=False)
class Compare(Expression):
    """`ops[i]` stands before `comparators[i]`: one of == != < <= > >= is "is not" in "not in"."""

    left: Expression
    ops: list[str]
    comparators: list[Expression]


@dataclass(eq=False)
class IfExp(Expression):
    test: Expression
    body: Expression
    orelse: Expression


@dataclass(eq=False)
class Lambda(Expression):
    args: arguments
    body: Expression


@dataclass(eq=False)
class Tuple(Expression):
    elts: list[Expression]


@dataclass(eq=False)
class List(Expression):
    elts: list[Expression]


@dataclass(eq=False)
class Set(Expression):
    elts: list[Expression]


@dataclass(eq=False)
class Dict(Expression):
    """A key that is None stands for `**value`."""

    keys: list[Expression | None]
    values: list[Expression]


@dataclass(eq=False)
class comprehension(Node):
    target: Expression
    iter: Expression
    ifs: list[Expression]
    is_async: bool = False


@dataclass(eq=False)
class ListComp(Expression):
    elt: Expression
    generators: list[comprehension]


@dataclass(eq=False)
class SetComp(Expression):
    elt: Expression
    generators: list[comprehension]


@dataclass(eq=False)
class DictComp(Expression):
    key: Expression
    value: Expression
    generators: list[comprehension]


@dataclass(eq=False)
class GeneratorExp(Expression):
    elt: Expression
    generators: list[comprehension]


@dataclass(eq=False)
class JoinedStr(Expression):
    """An f-string: `values` are Constants (str, never empty) and FormattedValues; `{x=}` adds a Constant `x=`."""

    values: list[Expression]


@dataclass(eq=False)
class FormattedValue(Expression):
    """`conversion` is "s", "r", "a" or None (CPython stores a character code); `{x=}` without a format means "r"."""

    value: Expression
    conversion: str | None = None
    format_spec: JoinedStr | None = None


@dataclass(eq=False)
class Await(Expression):
    value: Expression


@dataclass(eq=False)
class Yield(Expression):
    value: Expression | None = None


@dataclass(eq=False)
class YieldFrom(Expression):
    value: Expression


AnyComprehension = ListComp | SetComp | DictComp | GeneratorExp
FUNCTIONS = (FunctionDef, AsyncFunctionDef, Lambda)
COMPREHENSIONS = (ListComp, SetComp, DictComp, GeneratorExp)


def _concrete(kind: type[Node]) -> Iterator[type[Node]]:
    for sub in kind.__subclasses__():
        if sub.__subclasses__():
            yield from _concrete(sub)
        else:
            yield sub


# The fields of every node class, in order, without `span`.
FIELDS: dict[type[Node], tuple[str, ...]] = {
    kind: tuple(f.name for f in fields(kind) if f.name != "span") for kind in _concrete(Node)
}
_PLAIN = ("str", "str | None", "bool", "int", "object", "list[str]")
# Those that may hold nodes.
CHILD_FIELDS: dict[type[Node], tuple[str, ...]] = {
    kind: tuple(f.name for f in fields(kind) if f.name in FIELDS[kind] and f.type not in _PLAIN) for kind in FIELDS
}
