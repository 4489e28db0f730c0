"""Inference of `f(*row)` and `f(**table)` where the length or the keys are known at run time only.

In: evaluated arguments, a list or dict among them that is to be spread, and the function they go to. Out: arguments one
by one, behind the checks that CPython makes. Holds: all arguments are evaluated before the first check; a check that
fails raises CPython's TypeError.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ....ir.types import INT, STR, DictType, ListType, arms_of
from ...compilation.frames import MARK
from ...core.conversions import convert, narrowed, operate
from ...core.denotations import SpreadDenotation
from ...core.placeholders import has_placeholder, resolve, unify
from ...core.typed import ERROR, STATIC, Const, Expr, MakeList, Static, is_silent
from ...objects.function_source import FunctionSource
from ...objects.signatures import signature_types
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import calls as prelude
from ..base import InferenceBase
from ..parts import Named

REST = "*"  # names what `*args` catches as a whole, among the named arguments
TABLE = "**"  # names a dict that is spread, among them
OTHERS = "***"  # and what `**kwargs` catches as a whole
OWN_NAMES = frozenset(("functools.partial", "operator.methodcaller", ".format"))  # and with `**`
OWN_STARS = OWN_NAMES | frozenset(  # builtins and operators that know what to do with `*`
    ("zip", "map", "print", "max", "min", "math.hypot", "math.gcd", "math.lcm")
)


class SpreadInference(InferenceBase):
    """Spread arguments."""

    def spread_row(self, node: syntax.Starred, row: Expr, is_last: bool) -> Static:
        """`*row` as an argument that `bind` takes apart. What is evaluated after it cannot change it."""
        kind = resolve(row.type)
        assert isinstance(kind, ListType)
        if not is_last:
            row = operate("list.copy", row, result=ListType(kind.element))
        return Static(STATIC, node.span, SpreadDenotation(self.keep(row)))

    def spread_table(self, node: syntax.Node, table: Expr) -> Named | None:
        """`**table` as arguments that `bind` takes apart; None after reporting."""
        table = self.one_mapping(node, table)
        kind = resolve(table.type)
        if isinstance(kind, DictType) and has_placeholder(kind.key):
            unify(kind.key, STR)
            kind = resolve(table.type)
        if not isinstance(kind, DictType) or resolve(kind.key) != STR:
            self.error(node, f"'**' in a call needs a dict of str, not {kind}", "write the keyword arguments out")
            return None
        return [(TABLE, Static(STATIC, node.span, SpreadDenotation(self.keep(table))))]

    def taken_apart(
        self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named
    ) -> tuple[Sequence[Expr], Named] | None:
        """The arguments one by one; None after reporting."""
        place = next((i for i, value in enumerate(values) if is_spread(value)), None)
        tables = [value for name, value in named if name == TABLE]
        if place is not None and tables:
            self.error(span, "'*' and '**' of what is known at run time only cannot stand in one call",
                       "write the keyword arguments out")
            return None
        if place is not None:
            return self.row_apart(span, source, values[:place], values[place:], named)
        if len(tables) > 1:
            self.error(span, "a call takes one dict of keys that are known at run time only", "merge them: {**a, **b}")
            return None
        if tables:
            return self.table_apart(span, source, values, named, tables[0])
        return values, named

    # A row

    def row_apart(
        self, span: Span, source: FunctionSource, before: Sequence[Expr], tail: Sequence[Expr], named: Named
    ) -> tuple[Sequence[Expr], Named] | None:
        params = [param.arg for param in source.params]
        start, count = len(before), source.positional_count
        left = params[start:count]
        given = {name for name, _ in named if name in params and not source.is_positional_only(params.index(name))}
        taken = next((i for i, name in enumerate(left) if name in given), len(left))
        needed = [i for i, name in enumerate(left) if name not in given and name not in source.defaults]
        least = needed[-1] + 1 if needed else 0
        has_rest = source.node.args.vararg is not None
        if least > taken:
            self.error(span, f"{source.name}() got multiple values for argument '{left[taken]}'")
            return None
        is_exact = not has_rest and taken == len(left) == least and sum(map(is_spread, tail)) == 1
        row = self.spread_of(tail[0]) if is_exact or len(tail) == 1 else self.joined_rows(span, tail)
        if is_silent(row):
            return [*before, row], named
        extra = len(tail) - 1 if is_exact else 0
        length = self.hold(self.operate(span, "len()", [row]))
        total = length if not extra else self.hold(operate("add.int", length, Const(INT, span, extra)))
        if taken < len(left):
            self.refuse_if(span, "gt.int", total, taken, "TypeError",
                           f"{source.qualified}() got multiple values for argument '{left[taken]}'")
        elif not has_rest:
            self.refuse_many(span, source, total, start, given)
        for number in range(least):
            names = [left[i] for i in needed if i >= number]
            self.refuse_if(span, "eq.int", total, number, "TypeError", f"{source.qualified}() {missing(names)}")
        if is_exact:
            index = next(i for i, value in enumerate(tail) if is_spread(value))
            items = [self.row_item(source, row, left[index + i], i) for i in range(least - extra)]
            return [*before, *tail[:index], *items, *tail[index + 1 :]], named
        found = [self.row_item(source, row, name, i) if i < least else self.optional_item(source, row, length, name, i)
                 for i, name in enumerate(left[:taken])]
        if has_rest and taken == len(left):
            named = [*named, (REST, self.rest_of_row(span, source, row, taken))]
        return [*before, *found], named

    def spread_of(self, value: Expr) -> Expr:
        assert isinstance(value, Static) and isinstance(value.denotation, SpreadDenotation)
        return value.denotation.value

    def joined_rows(self, span: Span, tail: Sequence[Expr]) -> Expr:
        """One list of several arguments, some of them spread."""
        parts: list[syntax.Expression] = []
        names = [MARK + self.hidden("part") for _ in tail]
        for name, value in zip(names, tail):
            self.store(name, self.spread_of(value) if is_spread(value) else value)
            part = syntax.Name(span, name)
            parts.append(syntax.Starred(span, part) if is_spread(value) else part)
        whole = self.keep(self.expr(syntax.List(span, parts)))
        self.drop(names)
        return whole

    def refuse_many(self, span: Span, source: FunctionSource, total: Expr, start: int, given: set[str]) -> None:
        """CPython's error for too many positional arguments, of which `total` come after the first `start`."""
        count = source.positional_count
        params = source.params
        least = count - sum(1 for param in params[:count] if param.arg in source.defaults)
        takes = f"from {least + source.unseen} to {count + source.unseen}" if least < count else str(
            count + source.unseen)
        plural = "" if least == count and count + source.unseen == 1 else "s"
        keywords = sum(1 for param in params[count:] if param.arg in given)
        extra = f" positional arguments (and {keywords} keyword-only argument{'s' * (keywords > 1)})" * (keywords > 0)
        begin = f"{source.qualified}() takes {takes} positional argument{plural} but "
        if count + source.unseen == 0:
            one = extra.replace("arguments (", "argument (") + (" were" if extra else " was")
            self.refuse_if(span, "eq.int", total, 1, "TypeError", f"{begin}1{one} given")
        whole = operate("add.int", total, Const(INT, span, start + source.unseen))
        text = operate("add.str", Const(STR, span, begin), self.text_of(whole))
        text = operate("add.str", text, Const(STR, span, f"{extra} were given"))
        self.refuse_if(span, "gt.int", total, count - start, "TypeError", text)

    def refuse_if(self, span: Span, op: str, value: Expr, limit: int, error: str, text: str | Expr) -> None:
        """Raises where the comparison holds."""
        test = operate(op, value, Const(INT, span, limit))
        here = self.here
        self.branch(span, test, here, here.copy(), None,
                    lambda: self.evaluate(self.raise_error(span, error, text)), lambda: None)

    def row_item(self, source: FunctionSource, row: Expr, name: str, index: int) -> Expr:
        item = self.operate(row, "_[_]", [row, Const(INT, row.span, index)])
        return self.keep(self.element_for(source, name, item))

    def element_for(self, source: FunctionSource, name: str, item: Expr, may_lack: bool = False) -> Expr:
        """An element at the type that its parameter declares: which of several types it has is known at run time.
        `may_lack`: the row may be shorter, or the table lack the key."""
        hint = signature_types(source, None)[0].get(name)
        if hint is None or is_silent(item) or convert(item, hint) is not None:
            return item
        what = f"argument '{name}' of '{source.name}'"
        arms = [narrowed(item, arm) for arm in arms_of(resolve(item.type))]
        if not may_lack and not any(convert(arm, hint) for arm in arms):
            return self.coerce(item, hint, what)

        def one(arm: Expr) -> Expr:
            converted = convert(arm, hint)
            text = f"{what} must be {hint}, got {resolve(arm.type)}"
            return converted[0] if converted is not None else self.raise_error(item.span, "TypeError", text)

        return self.each_arm(item, one)

    def optional_item(self, source: FunctionSource, row: Expr, length: Expr, name: str, index: int) -> Expr:
        """`row[index]` if it is so long, else the parameter's default."""
        test = operate("gt.int", length, Const(INT, row.span, index))
        return self.item_or_default(
            row.span, source, name, test,
            lambda: self.element_for(source, name, self.operate(row, "_[_]", [row, Const(INT, row.span, index)]), True))

    def item_or_default(
        self, span: Span, source: FunctionSource, name: str, test: Expr, item: Callable[[], Expr]
    ) -> Expr:
        """What `item` gives where the test holds, else the parameter's default."""
        stored = MARK + self.hidden("kept")
        hint = signature_types(source, None)[0].get(name)
        what = f"the default of '{name}'"

        def default() -> None:
            value = self.default(span, source, name)
            self.store(stored, value if hint is None or isinstance(value, Static) or is_silent(value) else (
                self.coerce(value, hint, what)))

        here = self.here
        self.branch(span, test, here, here.copy(), None, lambda: self.store(stored, item()), default)
        if self.env is None:
            return Const(ERROR, span, None)
        state = self.here.variables.get(stored)
        if state is None or state.static is not None or state.is_conflict:
            text = f"'{name}' of '{source.name}' may be its default or an element, which is not supported"
            return self.error(span, text, "pass it by itself")
        return self.read_variable(stored, span)

    def rest_of_row(self, span: Span, source: FunctionSource, row: Expr, taken: int) -> Expr:
        """What `*args` catches."""
        assert source.node.args.vararg is not None
        name = MARK + self.hidden("part")
        self.store(name, row)
        part: syntax.Expression = syntax.Name(span, name)
        if taken:
            part = syntax.Subscript(span, part, syntax.Slice(span, syntax.Constant(span, taken), None, None))
        whole = self.rest_as_tuple(span, source, [syntax.Starred(span, part)])
        self.drop([name])
        return whole

    # A table

    def table_apart(
        self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named, spread: Expr
    ) -> tuple[Sequence[Expr], Named] | None:
        table = self.spread_of(spread)
        args = source.node.args
        given = [(name, value) for name, value in named if name != TABLE]
        names = [param.arg for param in source.params]
        taken = names[len(args.posonlyargs) :]
        reached = min(len(values), source.positional_count)
        first = max(reached, len(args.posonlyargs))
        free = [name for i, name in enumerate(names) if i >= first and all(name != key for key, _ in given)]
        bound = names[len(args.posonlyargs) : reached]
        self.check_table(span, prelude.check_repeated, table, [name for name, _ in given], f"{called(source)}()")
        if args.kwarg is None:
            unnamed = names[: len(args.posonlyargs)]
            self.check_table(span, prelude.check_keywords, table, free, f"{source.qualified}()", bound, unnamed)
        else:
            self.check_table(span, prelude.check_bound, table, bound, f"{source.qualified}()")
        required = [name for name in free if name not in source.defaults]
        positional = [name for name in required if names.index(name) < source.positional_count]
        for word, part in (("positional", positional), ("keyword-only", [n for n in required if n not in positional])):
            if part:
                self.check_table(span, prelude.check_missing, table, part, f"{source.qualified}()", word)
        for name in free:
            item = self.operate(span, "_[_]", [table, Const(STR, span, name)])
            if name in source.defaults:
                test = self.contains(syntax.Constant(span, None), Const(STR, span, name), table)
                fitted = partial(self.element_for, source, name, item, True)
                found = self.item_or_default(span, source, name, test, fitted)
            else:
                found = self.keep(self.element_for(source, name, item))
            given.append((name, found))
        return values, [*given, *self.caught(span, source, named, table, taken)]

    def caught(self, span: Span, source: FunctionSource, named: Named, table: Expr, taken: Sequence[str]) -> Named:
        """What `**kwargs` catches, as one argument: the entries of the table and the arguments beside it, in the order
        of the call."""
        kwarg = source.node.args.kwarg
        if kwarg is None:
            return []
        keys: list[syntax.Expression | None] = []
        values: list[syntax.Expression] = []
        hidden: list[str] = []
        for name, value in named:
            if name in taken or name == REST:
                continue
            if name == TABLE:
                items = MakeList(ListType(STR), span, [Const(STR, span, each) for each in taken])
                value = self.by_prelude(syntax.Constant(span, None), prelude.others, [table, items])
            hidden.append(MARK + self.hidden("part"))
            self.store(hidden[-1], value)
            keys.append(None if name == TABLE else syntax.Constant(span, name))
            values.append(syntax.Name(span, hidden[-1]))
        hint = signature_types(source, None)[0].get(kwarg.arg)
        want = None if hint is None else DictType(STR, hint)
        whole = self.keep(self.expr(syntax.Dict(span, keys, values), want))
        self.drop(hidden)
        if want is not None and not is_silent(whole):
            whole = self.keep(self.coerce(whole, want, f"argument '{kwarg.arg}' of '{source.name}'"))
        return [(OTHERS, whole)]

    def check_table(
        self, span: Span, function: object, table: Expr, names: Sequence[str], *more: str | Sequence[str]
    ) -> None:
        def of(value: str | Sequence[str]) -> Expr:
            if isinstance(value, str):
                return Const(STR, span, value)
            return MakeList(ListType(STR), span, [Const(STR, span, name) for name in value])

        node = syntax.Constant(span, None)
        self.evaluate(self.by_prelude(node, function, [table, of(names), *map(of, more)]))


def is_spread(value: Expr) -> bool:
    return isinstance(value, Static) and isinstance(value.denotation, SpreadDenotation)


def missing(names: Sequence[str]) -> str:
    """CPython's words for positional parameters without an argument."""
    return f"missing {len(names)} required positional argument{'s' * (len(names) > 1)}: {listed(names)}"


def listed(names: Sequence[str]) -> str:
    """ "'a', 'b', and 'c'", as CPython lists them."""
    quoted = [f"'{name}'" for name in names]
    if len(quoted) < 3:
        return " and ".join(quoted)
    return f"{', '.join(quoted[:-1])}, and {quoted[-1]}"


def called(source: FunctionSource) -> str:
    """A function as CPython names it where keyword arguments are repeated: with its module."""
    home = getattr(source.python if source.python is not None else source.owner, "__module__", None)
    name = source.qualified.removesuffix(".__init__").removesuffix(".__new__")
    if home is None:  # it is defined in a function
        try:
            home = source.lookup("__name__")
        except KeyError:
            return name
    return f"{home}.{name}" if home and home != "builtins" else name
