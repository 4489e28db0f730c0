"""Inference of calls of functions that are run-time values.

In: a value that is one of several functions, arguments. Out: a choice over calls of the functions it may be.
Holds: arguments are evaluated once, before the choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....ir.types import NONE, TupleType, Type, arms_of
from ...compilation.frames import MARK
from ...compilation.specialise import TooManySpecialisations
from ...core.denotations import (
    ArmsDenotation,
    ClosureDenotation,
    Denotation,
    FunctionDenotation,
    KeywordsDenotation,
    MethodDenotation,
    OperatorDenotation,
)
from ...core.function_values import RECEIVER, FunctionInfo
from ...core.placeholders import resolve
from ...core.typed import ERROR, STATIC, Const, Expr, GetAttribute, Invoke, Static, after, is_silent
from ...objects.function_source import FunctionSource
from ...objects.hooks import hooks_of
from ...objects.signatures import signature_types
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..hints import none_hint
from ..operand_errors import class_name, count_error
from ..parts import Named
from ..type_facts import converted_to, is_class_like
from .captures import cell_name
from .spreads import TABLE, is_spread

EMPTY: Mapping[str, Expr] = {}
MAX_ROWS = 8  # tuples of different types that one argument may be


class StoredCallInference(InferenceBase):
    """Calls of stored functions."""

    def call_function_value(self, node: syntax.Call, callee: Expr) -> Expr:
        """A call of a value that is one of several functions: arguments are evaluated once, before the choice."""
        if (told := self.call_by_rows(node, callee)) is not None:
            return told
        is_declared = not (self.is_unannotated(callee) or self.is_told_apart(callee))

        def call(one: Expr) -> Expr:
            name = None if is_declared else class_name(one.type)
            if name is not None:
                return self.raise_error(node.span, "TypeError", f"'{name}' object is not callable")
            return self.call_stored(node, callee, one, positional, named)

        with self.collect() as before:
            callee = self.hold(callee)
            count = len(arms_of(resolve(callee.type)))
            given = self.values_of(node)
            if given is None:
                return Const(ERROR, node.span, None)
            positional, named = given
            everything = [*positional, *(value for _, value in named)]
            if is_silent(*everything):
                return after(before, self.silent(node.span, everything))
            outer = self.chosen_calls.is_choice
            self.chosen_calls.is_choice = count > 1
            failed = self.chosen_calls.failed
            result = self.each_arm(callee, call)
            self.chosen_calls.is_choice = outer
            if self.chosen_calls.failed - failed == count > 1 and not self.is_left(node):
                return self.error(node, "none of the functions that this may be takes these arguments")
        return after(before, result)

    def call_by_rows(self, node: syntax.Call, callee: Expr) -> Expr | None:
        """The same with `*` of a variable that holds one of several tuples: a call for each; None for all others."""
        found = next(filter(None, (self.row_of_several(argument) for argument in node.args)), None)
        if found is None:
            return None
        starred, row = found
        with self.collect() as before:
            held = self.hold(callee)
            result = self.by_branches(node.span, row, lambda one: self.call_function_value(
                self.with_row(node, node.args.index(starred), one), held))
        return after(before, result)

    def row_of_several(self, argument: syntax.Expression) -> tuple[syntax.Expression, Expr] | None:
        name = argument.value if isinstance(argument, syntax.Starred) else None
        if not isinstance(name, syntax.Name) or self.find_name(name.id) is None:
            return None
        row = self.expr(name)
        arms = arms_of(resolve(row.type))
        is_one = all(isinstance(arm, TupleType) and not arm.is_variadic for arm in arms)
        return (argument, row) if is_one and 1 < len(arms) <= MAX_ROWS else None

    def with_row(self, node: syntax.Call, place: int, row: Expr) -> syntax.Call:
        """A call with a tuple in the place of a starred argument."""
        name = MARK + self.hidden("row")
        self.store(name, row)
        starred = syntax.Starred(node.args[place].span, syntax.Name(node.args[place].span, name))
        return replace(node, args=[*node.args[:place], starred, *node.args[place + 1 :]])

    def values_of(self, node: syntax.Call, is_bound: bool = True) -> tuple[list[Expr], Named] | None:
        """Arguments, held; those spread of unknown length as `bind` takes them apart, if it will."""
        positional: list[Expr] = []
        named: Named = []
        for argument in node.args:
            if isinstance(argument, syntax.Starred):
                items = self.rest_items(argument) if is_bound else self.starred_items(argument)
                if items is None:
                    return None
                if isinstance(items, Expr):
                    is_last = argument is node.args[-1] and not node.keywords
                    items = [self.spread_row(argument, items, is_last)]
                positional.extend(items)
            else:
                positional.append(self.held_argument(argument))
        for keyword in node.keywords:
            if keyword.arg is None:
                pairs = self.double_starred_items(keyword.value)
                if pairs is None:
                    return None
                if not is_bound and any(name == TABLE for name, _ in pairs):
                    self.error(keyword, "'**' here needs a dict whose keys are known: a display, dict(...) or the "
                               "function's own **kwargs", "write the keyword arguments out")
                    return None
                named.extend(pairs)
            else:
                named.append((keyword.arg, self.held_argument(keyword.value)))
        return positional, named

    def held_argument(self, node: syntax.Node) -> Expr:
        return self.hold(self.value(node))

    def call_stored(
        self, node: syntax.Call, callee: Expr, one: Expr, values: Sequence[Expr], named: Named
    ) -> Expr:
        """A call of a value of one function's class."""
        info = self.session.functions.of(one.type)
        if info is None and self.speaks(("__call__",), one.type):
            return self.call_member(node.span, one, "__call__", values, named)
        module = self.module_info(one.type)
        if info is None and module is not None and not hooks_of(module.sample):
            return self.call_member(node.span, one, "forward", values, named)
        if info is None:
            hint = none_hint(callee) if resolve(one.type) == NONE else None
            return self.error(node.func, f"a value of type {resolve(one.type)} cannot be called", hint)
        entry = self.here.copy()
        with self.collect() as before:
            result = self.call_known(node.span, info, one, values, named)
            if isinstance(result, Static):
                made = self.reify(result)
                result = made if made is not None else self.error(
                    result, f"{result.denotation.describe()} has no value in scripts; call it")
        self.env = entry
        self.here.forget_all_paths()
        return after(before, result)

    def call_known(self, span: Span, info: FunctionInfo, one: Expr, values: Sequence[Expr], named: Named) -> Expr:
        denotation = info.denotation
        if isinstance(denotation, FunctionDenotation):
            return self.invoke_stored(span, info, one, denotation.source, None, values, named)
        if isinstance(denotation, ClosureDenotation):
            return self.invoke_stored(span, info, one, denotation.source, denotation, values, named)
        receiver: Expr | None = None
        if info.captured:
            receiver = GetAttribute(info.captured[0].type, span, one, RECEIVER)
        elif RECEIVER in info.statics:
            receiver = Static(STATIC, span, info.statics[RECEIVER])
        if isinstance(denotation, MethodDenotation) and receiver is not None:
            return self.invoke_stored(span, info, one, denotation.source, None, [receiver, *values], named)
        if isinstance(denotation, ArmsDenotation) and receiver is not None:
            method = denotation.name
            return self.each_arm(receiver, lambda arm: self.call_member(span, arm, method, values, named))
        if isinstance(denotation, OperatorDenotation) and receiver is not None:
            denotation = replace(denotation, receiver=self.hold(receiver))
        return self.apply_known(span, denotation, values, named)

    def apply_known(self, span: Span, denotation: Denotation, values: Sequence[Expr], named: Named) -> Expr:
        """A call of a builtin, an operator or a class, with values already there."""
        if self.chosen_calls.is_choice and not named and not any(map(is_spread, values)):
            text = count_error(denotation, len(values))
            if text is not None:
                self.chosen_calls.failed += 1
                return self.raise_error(span, "TypeError", text)
        callee = MARK + self.hidden("function")
        self.here.store(callee, STATIC, denotation)
        arguments: list[syntax.Expression] = []
        keywords: list[syntax.keyword] = []
        for key, value in (*(("", value) for value in values), *named):
            full = MARK + self.hidden("argument")
            if is_spread(value):
                self.store(full, self.spread_of(value))
                if key:
                    keywords.append(syntax.keyword(span, None, syntax.Name(span, full)))
                else:
                    arguments.append(syntax.Starred(span, syntax.Name(span, full)))
                continue
            self.store(full, value)
            if key:
                keywords.append(syntax.keyword(span, key, syntax.Name(span, full)))
            else:
                arguments.append(syntax.Name(span, full))
        return self.expr(syntax.Call(span, syntax.Name(span, callee), arguments, keywords))

    def call_spread(self, node: syntax.Call, denotation: Denotation) -> Expr:
        """A call of a builtin or an operator with `*` of tuples and `**` of what has known keys."""
        with self.collect() as before:
            given = self.values_of(node, is_bound=False)
            if given is None:
                return Const(ERROR, node.span, None)
            everything = [*given[0], *(value for _, value in given[1])]
            if is_silent(*everything):
                return self.silent(node.span, everything)
            result = self.apply_known(node.span, denotation, *given)
        return after(before, result)

    def invoke_stored(
        self, span: Span, info: FunctionInfo, one: Expr, source: FunctionSource, closure: ClosureDenotation | None,
        values: Sequence[Expr], named: Named,
    ) -> Expr:
        """A call of a function of its own, which gets what it captured as further arguments."""
        taken = {} if closure is None else self.brought(span, info, one)
        may_not_run = self.chosen_calls.is_choice or self.is_left(span)
        outer, self.given_defaults = self.given_defaults, taken
        try:
            bound = self.bind(span, source, values, named, closure, may_not_run)
        finally:
            self.given_defaults = outer
        if bound is None:
            return self.failed_call(span, [*values, *(value for _, value in named)])
        if source.is_generator:
            return self.generator_object(span, source, bound, closure, taken)
        hints, declared = signature_types(source, None)
        operands: dict[str, Expr] = {}
        for name, value in bound.items():
            if name in hints and not isinstance(value, Static) and any(name == p.arg for p in source.params):
                what = f"argument '{name}' of '{source.name}'"
                value = self.chosen_arm(value, hints[name], what) or self.coerce(value, hints[name], what)
            if isinstance(value, Static) and isinstance(value.denotation, KeywordsDenotation):
                value = self.handed_keywords(span, value.denotation, taken)
            operands[name] = value
        if is_silent(*operands.values()):
            return self.silent(span, list(operands.values()))
        return self.request_stored(span, source, operands, declared, closure, taken)

    def request_stored(
        self, span: Span, source: FunctionSource, operands: dict[str, Expr], declared: Type | None,
        closure: ClosureDenotation | None = None, taken: Mapping[str, Expr] = EMPTY,
    ) -> Expr:
        """A call of a function that gives functions as values; `taken` is what it captured."""
        around: dict[str, Expr | Type] = {k: v if isinstance(v, Static) else v.type for k, v in taken.items()}
        values = [self.handed_on(value) for value in operands.values()]
        if is_silent(*values):
            return self.silent(span, values)
        arguments = tuple(v if isinstance(v, Static) else resolve(v.type) for v in values)
        try:
            callee = self.session.specialiser.request(
                source, arguments, declared, closure, around or None, is_stored=True,
                is_chosen=self.chosen_calls.is_choice or self.is_left(span))
        except TooManySpecialisations as error:
            return self.error(span, error.message, error.hint)
        run = [value for value in (*values, *taken.values()) if not isinstance(value, Static)]
        return Invoke(resolve(callee.result), span, callee, run)

    def chosen_arm(self, value: Expr, wanted: Type, what: str) -> Expr | None:
        """An instance of several classes for a parameter of one of them, where one of several functions is called:
        which goes with which, as in a visitor, shows when the program runs."""
        arms, kind = arms_of(resolve(value.type)), resolve(wanted)
        fitting = [arm for arm in arms if arm in arms_of(kind)]
        if not self.chosen_calls.is_choice or not all(map(is_class_like, arms)) or not 0 < len(fitting) < len(arms):
            return None

        def use(one: Expr) -> Expr:
            if resolve(one.type) in fitting:
                return converted_to(one, kind)
            text = f"{what} must be {kind}, got {resolve(one.type)}"
            return self.raise_error(value.span, "TypeError", text)

        return self.each_arm(value, use)

    def brought(self, span: Span, info: FunctionInfo, one: Expr) -> dict[str, Expr]:
        """What a stored closure captured, by the names of the parameters that it has for them."""
        taken: dict[str, Expr] = {}
        for each in info.captured:
            name = cell_name(each.full) if each.is_cell else each.full
            taken[name] = GetAttribute(each.type, span, one, each.attribute)
        taken.update((full, Static(STATIC, span, static)) for full, static in info.statics.items())
        return taken

    def handed_keywords(self, span: Span, denotation: KeywordsDenotation, taken: dict[str, Expr]) -> Static:
        """What `**kwargs` caught, as further arguments with the same names in every call."""
        variables: list[tuple[str, str]] = []
        for key, full in denotation.variables:
            name = f"{MARK}keyword.{key}"
            taken[name] = self.read_variable(full, span)
            variables.append((key, name))
        return Static(STATIC, span, KeywordsDenotation(denotation.name, tuple(variables), denotation.kind))
