"""Inference of the arguments of a call, and how Python binds them to parameters.

In: calls and the functions they go to. Out: values by parameter, defaults filled in, what `*args` and `**kwargs` catch.
Holds: arguments are evaluated in the order written; how many there are and how they are named is known when compiling.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import ANY, STR, DictType, TupleType, Type, arms_of
from ...compilation.frames import MARK
from ...compilation.notes import text_of
from ...core.conversions import convert
from ...core.denotations import ClosureDenotation, KeywordsDenotation, is_mutable_container
from ...core.placeholders import Placeholder, join, resolve
from ...core.typed import ERROR, STATIC, Const, Expr, MakeDict, MakeTuple, Static, is_silent
from ...diagnostics import suggestion
from ...objects.function_source import FunctionSource, looked_up
from ...objects.signatures import is_callable_annotation, outer_type, signature_types
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..parts import Named
from ..type_facts import converted_to, tuple_items
from .closures import Default
from .spreads import OTHERS, REST, is_spread, listed


class ArgumentInference(InferenceBase):
    """Arguments."""

    def arguments_of(
        self, node: syntax.Call, source: FunctionSource, receiver: Sequence[Expr]
    ) -> tuple[list[Expr], Named] | None:
        """Positional and named arguments; None after reporting. What stars and `**kwargs` need held is held."""
        hints, _result = signature_types(source, None)
        names = [param.arg for param in source.params[: source.positional_count]]
        args = source.node.args
        is_held = args.kwarg is not None or args.vararg is not None or is_unpacking(node)
        is_held |= len(node.args) + len(node.keywords) > 1 and any(map(self.is_lazy, node.args))
        positional: list[Expr] = list(receiver)
        named: Named = []
        for argument in node.args:
            if isinstance(argument, syntax.Starred):
                items = self.rest_items(argument)
                if items is None:
                    return None
                is_rest = args.vararg is not None and len(positional) >= len(names)
                if isinstance(items, Expr) and not (is_rest and not any(map(is_spread, positional))):
                    is_last = argument is node.args[-1] and not node.keywords
                    positional.append(self.spread_row(argument, items, is_last))
                    continue
                if isinstance(items, Expr):
                    named.append((REST, self.rest_of(node, source, positional[len(names) :], items, argument)))
                    del positional[len(names) :]
                    break
                positional.extend(items)
                continue
            rest = "" if args.vararg is None else args.vararg.arg
            name = names[len(positional)] if len(positional) < len(names) else rest
            want = hints.get(name) or self.meant_by(source, name, argument)
            positional.append(self.kept(self.expr(argument, want), is_held))
        known = {param.arg for param in source.params}
        for keyword in node.keywords:
            if keyword.arg is not None:
                other = "" if args.kwarg is None or keyword.arg in known else args.kwarg.arg
                want = hints.get(other or keyword.arg) or self.meant_by(source, keyword.arg, keyword.value)
                named.append((keyword.arg, self.kept(self.expr(keyword.value, want), is_held)))
                continue
            pairs = self.double_starred_items(keyword.value)
            if pairs is None:
                return None
            named.extend(pairs)
        return positional, named

    def meant_by(self, source: FunctionSource, name: str, argument: syntax.Node) -> Type | None:
        """What `[]` is for a parameter that leaves its type open, as `Sequence[tuple[str, int]]` does."""
        if not is_empty(argument):
            return None
        param = next((each for each in source.params if each.arg == name), None)
        return None if param is None or param.annotation is None else outer_type(param.annotation, source)

    def kept(self, value: Expr, is_held: bool) -> Expr:
        """An argument, evaluated now if others that follow may use variables of its own."""
        if not is_held:
            return value
        if isinstance(value, Static) and value.before:
            self.evaluate(value)
            return Static(STATIC, value.span, value.denotation)
        return self.hold(value)

    def rest_of(
        self, node: syntax.Call, source: FunctionSource, before: Sequence[Expr], row: Expr, starred: syntax.Starred
    ) -> Expr:
        """What `*args` catches where a list is spread into it: the values before it, its items, and all that follow."""
        names = [MARK + self.hidden("part") for _ in (*before, row)]
        for hidden, value in zip(names, (*before, row)):
            self.store(hidden, value)
        parts: list[syntax.Expression] = [syntax.Name(node.span, hidden) for hidden in names[:-1]]
        parts.append(syntax.Starred(starred.span, syntax.Name(starred.span, names[-1])))
        parts += node.args[node.args.index(starred) + 1 :]
        whole = self.rest_as_tuple(node.span, source, parts)
        self.drop(names)
        return whole

    def rest_as_tuple(self, span: Span, source: FunctionSource, parts: list[syntax.Expression]) -> Expr:
        """What `*args` catches, at the type that it declares."""
        assert source.node.args.vararg is not None
        name = source.node.args.vararg.arg
        kind = signature_types(source, None)[0].get(name)
        want = None if kind is None else TupleType((kind,), True)
        whole = self.keep(self.expr(syntax.Tuple(span, parts), want))
        if want is None or is_silent(whole):
            return whole
        return self.keep(self.coerce(whole, want, f"argument '{name}' of '{source.name}'"))

    def starred_items(self, node: syntax.Starred) -> list[Expr] | None:
        """The elements of `*value`, which must be a tuple or a display; None after reporting."""
        inner = node.value
        if isinstance(inner, (syntax.List, syntax.Tuple)):
            found: list[Expr] = []
            for item in inner.elts:
                if not isinstance(item, syntax.Starred):
                    found.append(self.kept(self.expr(item), True))
                elif (items := self.starred_items(item)) is not None:
                    found += items
                else:
                    return None
            return found
        whole = self.value(inner)
        kind = resolve(whole.type)
        if is_silent(whole):
            return [whole]
        if not isinstance(kind, TupleType) or kind.is_variadic:
            self.error(node, f"'*' in a call needs a tuple, whose length is known, not {kind}",
                       "write the elements out, or index them")
            return None
        return tuple_items(self.hold(whole), kind)

    def rest_items(self, node: syntax.Starred) -> list[Expr] | Expr | None:
        """The elements where all go to `*args`: any iterable may stand there, one of unknown length as one list."""
        inner = node.value
        if isinstance(inner, (syntax.List, syntax.Tuple)):
            if not any(isinstance(item, syntax.Starred) for item in inner.elts):
                return self.starred_items(node)
        whole = self.list_from(inner) if self.is_lazy(inner) else self.expr(inner)
        kind = resolve(whole.type)
        if not is_silent(whole) and isinstance(kind, TupleType) and not kind.is_variadic:
            return tuple_items(self.hold(whole), kind)
        row = self.list_of(inner, whole)
        return [row] if is_silent(row) else self.hold(row)

    def double_starred_items(self, node: syntax.Node) -> Named | None:
        """The arguments in `**value`: a display with constant keys, dict(...) or `**kwargs`; None after reporting."""
        if isinstance(node, syntax.Dict) and self.has_known_keys(node):
            return self.displayed_items(node)
        if isinstance(node, syntax.Call) and self.has_known_keys(node):
            return [(k.arg or "", self.kept(self.expr(k.value), True)) for k in node.keywords]
        if (outside := self.items_outside(node)) is not None:
            return outside
        value = self.expr(node)
        if isinstance(value, Static) and isinstance(value.denotation, KeywordsDenotation):
            return self.keyword_values(node.span, value.denotation)
        if is_silent(value):
            return None
        return self.spread_table(node, self.valued(value))

    def has_known_keys(self, node: syntax.Node) -> bool:
        """Whether it is a display of texts as keys, dict(...) or `**kwargs`, or made of such alone."""
        if isinstance(node, syntax.Dict):
            return all(is_text(key) if key is not None else self.has_known_keys(value)
                       for key, value in zip(node.keys, node.values))
        if isinstance(node, syntax.Call):
            is_dict = isinstance(node.func, syntax.Name) and self.is_builtin(node.func, "dict")
            return is_dict and not node.args and all(keyword.arg is not None for keyword in node.keywords)
        found = self.expr(node) if isinstance(node, syntax.Name) else None
        return isinstance(found, Static) and isinstance(found.denotation, KeywordsDenotation)

    def items_outside(self, node: syntax.Node) -> Named | None:
        """The items of a dict outside the function, of texts and constants; None for anything else."""
        if not isinstance(node, syntax.Name) or self.find_name(node.id) is not None:
            return None
        held = looked_up(self.source, node)
        if type(held) is not dict or not all(isinstance(key, str) for key in held):
            return None
        pairs = [(key, self.session.denote(value, node.span)) for key, value in held.items()]
        return None if any(isinstance(value, Static) for _, value in pairs) else pairs

    def keywords_assigned(self, target: syntax.Node, value: syntax.Node, kind: Type | None) -> Expr | None:
        """What a variable is whose dict, known key by key, is there for `**` only; None for any other variable.

        opts = dict(dim=-1, keepdim=True)
        return x.sum(**opts) / x.amax(**opts)
        """
        if not isinstance(target, syntax.Name) or not isinstance(value, (syntax.Dict, syntax.Call)):
            return None
        if target.id not in self.source.keyword_tables or not self.has_known_keys(value):
            return None
        pairs = self.double_starred_items(value) or []
        want = kind.value if isinstance(kind, DictType) and kind.value != ANY else None
        if want is not None:
            pairs = [(name, self.coerce(each, want, f"'{target.id}'")) for name, each in pairs]
        return self.keywords_of(value.span, target.id, pairs, want)

    def displayed_items(self, node: syntax.Dict) -> Named | None:
        """The same of `{"key": value, **more}`: the last value of a key is the one."""
        found: dict[str, Expr] = {}
        for key, value in zip(node.keys, node.values):
            if isinstance(key, syntax.Constant):
                found[str(key.value)] = self.kept(self.expr(value), True)
                continue
            pairs = self.double_starred_items(value)
            if pairs is None:
                return None
            found.update(pairs)
        return list(found.items())

    # Binding

    def bind(
        self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named,
        closure: ClosureDenotation | None = None, leaves: bool = False,
    ) -> dict[str, Expr] | None:
        """Arguments by parameter, in the order of the parameters, defaults filled in. None after reporting, or with
        `leaves` where `failed_call` gives the call."""
        around, self.defined_in = self.defined_in, closure.outer if closure is not None else None
        was_leaving = self.chosen_calls.leaves
        self.chosen_calls.leaves = leaves
        try:
            return self.bound_by_name(span, source, values, named)
        finally:
            self.defined_in = around
            self.chosen_calls.leaves = was_leaving

    def written_keyword(self, name: str, value: Expr) -> Span:
        """The text `name=value`, if a value is written so."""
        for node in syntax.walk(self.current) if self.current is not None else ():
            if isinstance(node, syntax.keyword) and node.arg == name and node.value.span == value.span:
                return node.span
        return value.span

    def bound_by_name(
        self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named
    ) -> dict[str, Expr] | None:
        apart = self.taken_apart(span, source, values, named)
        if apart is None:
            return None
        values, named = apart
        if source.forms is not None:
            form = (len(values), *(name for name, _ in named))
            source.forms = source.forms or [form]
            if source.forms != [form]:
                self.error(span, f"the cache of '{source.name}' takes calls with other keywords, or other defaults "
                           "left out, for different ones", "write all calls in one way")
                return None
        params = [param.arg for param in source.params]
        count = source.positional_count
        args = source.node.args
        bound = dict(zip(params[:count], values))
        others: Named = []
        rest = next((value for name, value in named if name == REST), None)
        for name, value in named:
            if name in (REST, OTHERS):
                continue
            is_known = name in params and not source.is_positional_only(params.index(name))
            if not is_known and args.kwarg is None:
                text, hint = f"got some positional-only arguments passed as keyword arguments: '{name}'", None
                if name not in params:
                    text = f"got an unexpected keyword argument '{name}'"
                    hint = suggestion(name, params) or shown_signature(source)
                self.refuse_call(self.written_keyword(name, value), source, text, hint)
                return None
            if (name in bound and is_known) or any(name == other for other, _ in others):
                text = f"got multiple values for argument '{name}'"
                self.refuse_call(self.written_keyword(name, value), source, text)
                return None
            if is_known:
                bound[name] = value
            else:
                others.append((name, value))
        if len(values) > count and args.vararg is None:
            unseen = source.unseen if self.chosen_calls.leaves else 0
            self.refuse_call(span, source, too_many(source, len(values), named, unseen), shown_signature(source))
            return None
        if not self.has_required(span, source, bound):
            return None
        for name in params:
            if name not in bound:
                bound[name] = self.default(span, source, name)
        for param in source.params:
            value = bound[param.arg]
            if param.annotation is not None and not isinstance(value, Static) and not is_silent(value):
                if is_callable_annotation(param.annotation, source) and not self.can_be_called(value.type):
                    text = f"the parameter '{param.arg}' of '{source.name}' takes a function, not {resolve(value.type)}"
                    self.error(value, text, "pass a function, or a lambda")
                    return None
        result = {name: bound[name] for name in params}
        if args.vararg is not None:
            result[args.vararg.arg] = rest or self.variadic(span, self.each_as(source, args.vararg, values[count:]))
        if args.kwarg is not None:
            given = self.each_as(source, args.kwarg, [value for _, value in others], [name for name, _ in others])
            others = [(name, value) for (name, _), value in zip(others, given)]
            kind = signature_types(source, None)[0].get(args.kwarg.arg)
            whole = next((value for name, value in named if name == OTHERS), None)
            if whole is not None:
                return {**result, args.kwarg.arg: whole}
            caught = self.keywords_of(span, args.kwarg.arg, others, kind)
            result[args.kwarg.arg] = caught
        return result

    def can_be_called(self, kind: Type) -> bool:
        return self.session.functions.is_function(kind) or all(
            self.defines(arm, "__call__") or self.module_info(arm) is not None for arm in arms_of(resolve(kind)))

    def has_required(self, span: Span, source: FunctionSource, bound: dict[str, Expr]) -> bool:
        """Whether no parameter is missing; reports as CPython, keyword-only ones apart."""
        params = [param.arg for param in source.params]
        missing = [name for name in params if name not in bound and name not in source.defaults]
        positional = [name for name in missing if params.index(name) < source.positional_count]
        if missing:
            wanted = positional or missing
            word = "positional" if positional else "keyword-only"
            text = f"{len(wanted)} required {word} argument{'s' * (len(wanted) > 1)}: {listed(wanted)}"
            self.refuse_call(span, source, f"missing {text}", shown_signature(source))
        return not missing

    def each_as(
        self, source: FunctionSource, param: syntax.arg, values: Sequence[Expr], names: Sequence[str] = ()
    ) -> list[Expr]:
        """The values that a starred parameter catches, each at the annotated type."""
        hints, _result = signature_types(source, None)
        if param.arg not in hints:
            return list(values)
        return [
            v if is_silent(v) else self.coerce(v, hints[param.arg], f"argument '{name}' of '{source.name}'")
            for v, name in zip(values, names or [param.arg] * len(values))
        ]

    def variadic(self, span: Span, values: Sequence[Expr]) -> Expr:
        """The tuple that `*args` is."""
        values = list(values)
        for place, value in enumerate(values):
            if not isinstance(value, Static):
                continue
            made = self.reify(value)
            if made is None:
                return self.error(value, f"{value.denotation.describe()} cannot be passed through '*'",
                                  "give it a parameter of its own")
            values[place] = made
        if is_silent(*values):
            return self.silent(span, values)
        return MakeTuple(TupleType(tuple(resolve(value.type) for value in values)), span, list(values))

    def keywords_of(self, span: Span, name: str, named: Named, kind: Type | None) -> Expr:
        """What `**kwargs` is: variables by name."""
        values = [value for _, value in named]
        if is_silent(*values):
            return self.silent(span, values)
        variables: list[tuple[str, str]] = []
        for key, value in named:
            full = self.hidden("keyword")
            self.store(full, value)
            variables.append((key, full))
        return Static(STATIC, span, KeywordsDenotation(name, tuple(variables), kind))

    def default(self, span: Span, source: FunctionSource, name: str) -> Expr:
        value = source.defaults[name]
        if type(value) is frozenset:
            return self.valued(self.session.denote(value, span))
        if isinstance(value, Default):
            variable = value.variable(self.defined_in)
            return self.given_defaults.get(variable) or self.read_variable(variable, span)
        found = self.session.denote(value, span)
        if not (isinstance(found, Static) and is_mutable_container(found.denotation)):
            return found
        self.session.defaults[id(value)] = f"the default of '{name}' of '{source.name}'"
        return self.opened(found)

    # What `**kwargs` can do

    def keywords_dict(self, span: Span, denotation: KeywordsDenotation) -> Expr:
        """A new dict of the arguments."""
        pairs = self.keyword_values(span, denotation)
        for place, (name, value) in enumerate(pairs):
            made = self.reify(value) if isinstance(value, Static) else value
            if made is None and isinstance(value, Static):
                return self.error(value, f"{value.denotation.describe()} cannot be an element of a dict")
            pairs[place] = name, made or value
        if is_silent(*(value for _, value in pairs)):
            return self.silent(span, [value for _, value in pairs])
        if not pairs:
            return MakeDict(DictType(STR, denotation.kind or Placeholder()), span, [])
        kind: Type = join(*(value.type for _, value in pairs))
        items: list[Expr] = []
        for key, value in pairs:
            items += [Const(STR, span, key), converted_to(value, kind)]
        return MakeDict(DictType(STR, kind), span, items)

    def keywords_item(self, node: syntax.Subscript, denotation: KeywordsDenotation) -> Expr:
        """`kwargs["name"]`."""
        key = self.value(node.slice)
        texts = self.text_form(node.slice).texts
        if texts is not None and len(texts) == 1:
            key = Const(STR, key.span, texts[0])
        if not isinstance(key, Const) and resolve(key.type) == STR:
            return self.operate(node, "_[_]", [self.keywords_dict(node.span, denotation), key])
        if not isinstance(key, Const) or key.type != STR:
            return key if key.type == ERROR else self.error(node.slice, "this key must be a str")
        for name, value in self.keyword_values(node.span, denotation):
            if name == key.value:
                return value
        return self.raise_key(node.span, key)

    # Functions that call themselves

    def ended_arguments(self, source: FunctionSource, operands: dict[str, Expr]) -> dict[str, Expr]:
        """Arguments whose types grow from call to call, at types that end."""
        made = dict(operands)
        for place, (name, value) in enumerate(operands.items()):
            end = None if isinstance(value, Static) else self.session.specialiser.ended_argument(
                source, place, resolve(value.type))
            converted = None if end is None else convert(value, end)
            made[name] = value if converted is None else converted[0]
        return made


def is_unpacking(node: syntax.Call) -> bool:
    return any(isinstance(item, syntax.Starred) for item in node.args) or any(k.arg is None for k in node.keywords)


def is_text(node: syntax.Node | None) -> bool:
    return isinstance(node, syntax.Constant) and isinstance(node.value, str)


def shown_signature(source: FunctionSource) -> str | None:
    """The header of a function as it is written, if it fits a line."""
    node = source.node
    if source.is_generated and source.name == "__init__":
        return "it takes: " + ", ".join(param.arg for param in source.params[1:])
    if source.is_generated or not all(text_of(param.span) for param in source.all_params):
        return None
    is_operator = source.owner is not None and source.name.startswith("__") and source.name != "__init__"
    if is_operator or isinstance(source.definition, syntax.Lambda):
        return None
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    values = dict(zip((param.arg for param in positional[len(positional) - len(args.defaults) :]), args.defaults))
    values.update((p.arg, value) for p, value in zip(args.kwonlyargs, args.kw_defaults) if value is not None)

    def shown(param: syntax.arg | None, stars: str = "") -> str:
        text = stars + text_of(param.span).lstrip("* ") if param is not None else stars
        return text + (f" = {text_of(values[param.arg].span)}" if param is not None and param.arg in values else "")

    parts = [*map(shown, args.posonlyargs), *(["/"] if args.posonlyargs else []), *map(shown, args.args)]
    parts += [shown(args.vararg, "*")] if args.vararg is not None or args.kwonlyargs else []
    parts += [*map(shown, args.kwonlyargs), *([shown(args.kwarg, "**")] if args.kwarg is not None else [])]
    return f"it is defined as {node.name}({', '.join(parts)}) on line {node.span.line}"


def too_many(source: FunctionSource, given: int, named: Named, unseen: int) -> str:
    """CPython's sentence for too many positional arguments; it counts those that are `unseen` here."""
    count, given = source.positional_count + unseen, given + unseen
    least = count - sum(1 for param in source.params[: source.positional_count] if param.arg in source.defaults)
    takes = f"from {least} to {count}" if least < count else f"{count}"
    plural = "s" if count != 1 else ""
    params = [param.arg for param in source.params]
    words = sum(1 for name, _ in named if name in params and source.is_keyword_only(params.index(name)))
    verb = "was" if given == 1 and not words else "were"
    also = f" positional argument{'s' * (given != 1)} (and {words} keyword-only argument{'s' * (words != 1)})"
    return f"takes {takes} positional argument{plural} but {given}{also * bool(words)} {verb} given"


def is_empty(node: syntax.Node) -> bool:
    """Whether it is a list or dict without elements, or a list of these."""
    if isinstance(node, syntax.Dict):
        return not node.values
    return isinstance(node, syntax.List) and all(map(is_empty, node.elts))
