"""Inference of script classes: making instances, their attributes and methods, values of several classes.

In: calls of classes, attributes of instances. Out: invocations of the methods that CPython would run.
Holds: a value's type names its exact class, or every class it may have; only then a test at run time picks the method.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any as PyAny

from ....ir.types import BOOL, INT, NONE, STR, ListType, Type, arms_of
from ...compilation.frames import MARK
from ...core.conversions import as_exception, is_idle, is_trivial, narrowed, once, operate
from ...core.denotations import (
    ArmsDenotation,
    ClassDenotation,
    FunctionDenotation,
    MethodDenotation,
    SpecialDenotation,
    SuperDenotation,
)
from ...core.exception_types import ARGS, KEEPER, ExceptionClass
from ...core.matcher import describe
from ...core.placeholders import has_placeholder, join, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Choose,
    Const,
    Do,
    Evaluate,
    Expr,
    GetAttribute,
    IsType,
    Let,
    MakeObject,
    ReadTemp,
    SetAttribute,
    Static,
    Stmt,
    Temp,
    after,
    is_silent,
)
from ...diagnostics import members_hint, suggestion
from ...objects.annotations import AnnotationError
from ...objects.class_facts import (
    find,
    find_method,
    is_abstract,
    is_enum,
    is_named_tuple,
    is_own_member,
    is_script_class,
    mangled,
)
from ...objects.class_info import ClassInfo
from ...objects.classes import NotScriptable
from ...objects.exception_classes import KEPT, is_builtin_exception
from ...objects.hooks import CALL, hooks_of
from ...objects.signatures import hints_of_fields, signature_types, variables_told, variables_told_by_hint
from ...objects.single_dispatch import source_of_dispatch, why_not_dispatched
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..operand_errors import LACKING
from ..parts import Named
from ..type_facts import converted_to, is_class_like
from .named_tuples import makes

CALLED = (FunctionType, staticmethod, classmethod)  # what a class defines as a method


def nothing() -> None:
    pass


class ClassInference(InferenceBase):
    """Instances."""

    def class_info(self, kind: Type) -> ClassInfo | None:
        """What is known of a script class, its attributes among it; None for every other type."""
        info = self.session.classes.of(kind)
        return None if info is None else self.session.classes.describe(info)

    # Values of several classes

    def each_arm(self, value: Expr, use: Callable[[Expr], Expr]) -> Expr:
        """`use` of the value at each type that it may have, chosen at run time."""
        kind = resolve(value.type)
        arms = arms_of(kind)
        if len(arms) == 1 or is_silent(value):
            return use(value)

        def chain(whole: Expr) -> Expr:
            ones = [narrowed(whole, arm) for arm in arms]
            results = self.used_by_choice(ones, use) if all(map(is_class_like, arms)) else [use(one) for one in ones]
            if any(result.type == ERROR for result in results):
                return next(result for result in results if result.type == ERROR)
            for result in results:
                if isinstance(result, Static):
                    return self.error(result, f"{result.denotation.describe()} has no value in scripts; call it")
            return self.chosen(whole, arms, results)

        return once(value, chain)

    def used_by_choice(self, ones: Sequence[Expr], use: Callable[[Expr], Expr]) -> list[Expr]:
        """`use` of instances one of which there is at run time: what its class lacks is found out there, unless all
        lack it."""
        before, emitted, outer = self.here.copy(), len(self.out), self.chosen_calls.is_choice
        self.chosen_calls.is_choice = True
        try:
            results = [use(one) for one in ones]
        finally:
            self.chosen_calls.is_choice = outer
        if self.is_left(ones[0]) or not all(result.type == NEVER for result in results):
            return results
        self.env = before
        del self.out[emitted:]
        return [use(one) for one in ones]

    def chosen(self, whole: Expr, arms: Sequence[Type], results: Sequence[Expr]) -> Expr:
        """The result that belongs to the arm which a value has at run time."""
        kind = join(*(result.type for result in results))
        found = converted_to(results[-1], kind)
        for arm, result in reversed(list(zip(arms[:-1], results[:-1]))):
            test = IsType(BOOL, whole.span, whole, arm)
            found = Choose(kind, whole.span, test, converted_to(result, kind), found, [])
        return found

    # Making instances

    def construct(self, node: syntax.Call, python: PyAny, arguments: tuple[Type, ...] = ()) -> Expr:
        """`Point(1, 2)`, `Stack[int]()`."""
        try:
            info = self.session.classes.describe(self.session.classes.exact(python, arguments))
        except NotScriptable as error:
            return self.error(node, str(error))
        if is_abstract(python):
            return self.refuse_abstract(node, python)
        temp = Temp()
        made: Expr = ReadTemp(info.type, node.span, temp)
        found = find_method(python, "__init__")
        if isinstance(info.type, ExceptionClass):
            return self.construct_exception(node, info, found)
        if found is not None:
            run = self.call_source(node, self.session.classes.method(found[0], "__init__"), [made])
        elif node.args or node.keywords:
            text = f"{python.__name__}() takes no arguments"
            spread = None if node.keywords else self.spread_in(node.args)
            if spread is not None:
                return self.construct_of_none(node, info, spread, text)
            self.chosen_calls.failed += self.chosen_calls.is_choice
            given = [self.expr(each) for each in (*node.args, *(keyword.value for keyword in node.keywords))]
            return self.wrong_or_left(node, ("TypeError", text), text, None, given)
        else:
            run = Const(NONE, node.span, None)
        if run.type == ERROR:
            return run
        kind = NEVER if run.type == NEVER else info.type
        steps: list[Stmt] = [*self.initial_values(node, info, made), Evaluate(node.span, run)]
        value = Do(kind, node.span, steps, made if kind != NEVER else run)
        if kind == NEVER:
            value = Do(NEVER, node.span, steps[:-1], run)
        return Let(kind, node.span, temp, MakeObject(info.type, node.span), value)

    def spread_in(self, args: Sequence[syntax.Expression]) -> Expr | None:
        """The list that is the only argument, and spread; None where there are others, or their number is known."""
        value = args[0].value if len(args) == 1 and isinstance(args[0], syntax.Starred) else None
        row = None if value is None else self.list_from(value)
        return row if row is not None and isinstance(resolve(row.type), ListType) else None

    def construct_of_none(self, node: syntax.Call, info: ClassInfo, spread: Expr, text: str) -> Expr:
        """An instance of a class that takes no arguments, of as many as there turn out to be."""
        made = self.construct(syntax.Call(node.span, node.func, [], []), info.python)
        is_some = self.relation(node, "!=", self.operate(node, "len()", [spread]), Const(INT, node.span, 0))
        return Choose(made.type, node.span, is_some, self.raise_error(node.span, "TypeError", text), made, [])

    def refuse_abstract(self, node: syntax.Call, python: PyAny) -> Expr:
        """An instance of a class that lacks methods: in a `try`, what Python raises."""
        lacking = sorted(python.__abstractmethods__)
        names = ", ".join(lacking)
        if self.runs_for_sure(node):
            return self.error(node, f"'{python.__name__}' is abstract: it does not define {names}")
        for value in (*node.args, *(keyword.value for keyword in node.keywords)):
            self.evaluate(self.expr(value))
        methods = "method" if len(lacking) == 1 else "methods"
        text = f"Can't instantiate abstract class {python.__name__} with abstract {methods} {names}"
        return self.raise_error(node.span, "TypeError", text)

    def arguments_of_class(self, node: syntax.Call, python: type) -> tuple[Type, ...]:
        """The arguments of a generic class that is called without them, where the parameters of `__init__` tell them
        and such a class is named elsewhere, or all are told apart."""
        variables = getattr(python, "__parameters__", ())
        found = find_method(python, "__init__") if variables else None
        if found is None or any(isinstance(each, syntax.Starred) for each in node.args):
            return ()
        source = self.session.classes.method(found[0], "__init__")
        values = dict(zip([param.arg for param in source.params[1:]], node.args))
        values.update({keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None})
        hints = hints_of_fields(found[0]) if source.is_generated else {}
        told: dict[object, Type] = {}
        for param in source.all_params:
            if param.annotation is not None and param.arg in values:
                kind, hint = self.natural_type(values[param.arg]), hints.get(param.arg)
                for variable, known in (variables_told(param.annotation, kind, source) if hint is None
                                        else variables_told_by_hint(hint, kind)):
                    told.setdefault(variable, known)
        arguments = tuple(told[each] for each in variables if each in told)
        is_told = len(arguments) == len(variables) and not any(map(has_placeholder, arguments))
        return arguments if is_told and self.session.classes.takes_as_told(python, arguments) else ()

    def construct_exception(self, node: syntax.Call, info: ClassInfo, found: tuple[type, PyAny] | None) -> Expr:
        """An instance of a user's exception class: its arguments are `args` until `super().__init__` is called."""
        assert isinstance(info.type, ExceptionClass)
        if self.session.exceptions.makes(info.type, info.python):
            self.session.specialiser.outdate()
        with self.collect() as before:
            values = self.exception_arguments(syntax.Call(node.span, node.func, node.args, []), info.python)
            if values is None:
                return Const(ERROR, node.span, None)
            names = [self.keep_name(value) for value in values]
            if self.env is None:
                return Do(NEVER, node.span, before, Const(NEVER, node.span, None))
            seen = [] if self.replaces_arguments(info.python) else names
            kept = self.arguments_kept(node, info.python, [self.read_variable(name, node.span) for name in seen])
            if is_silent(kept):
                return kept
            made = self.new_exception(node, info, kept)
            again = [syntax.Name(argument.span, name) for argument, name in zip(node.args, names)]
            call = syntax.Call(node.span, node.func, [*again, *(
                syntax.Name(node.span, name) for name in names[len(again):])], node.keywords)
            if found is not None:
                self.evaluate(self.call_source(call, self.session.classes.method(found[0], "__init__"), [made]))
            elif node.keywords:
                return self.error(node, f"{info.python.__name__}() takes no keyword arguments")
        if self.env is None:
            return Do(NEVER, node.span, before, Const(NEVER, node.span, None))
        return Do(info.type, node.span, before, made)

    def new_exception(self, node: syntax.Node, info: ClassInfo, args: Expr) -> Expr:
        """An instance before its `__init__`."""
        assert isinstance(info.type, ExceptionClass)
        made = self.hold(MakeObject(info.type, node.span))
        held = operate("exception.new", Const(STR, node.span, info.type.text), Const(STR, node.span, ""))
        for step in (*self.initial_values(node, info, made), SetAttribute(node.span, made, ARGS, args),
                     SetAttribute(node.span, made, KEEPER, held)):
            self.emit(step)
        return made

    def initial_values(self, node: syntax.Node, info: ClassInfo, made: Expr) -> list[Stmt]:
        """What attributes of instances are until they are assigned: the class's values."""
        found = self.take_around(node, info, made)
        for name, value in info.initial.items():
            if name in info.type.attributes and name not in info.deleted:
                given = self.opened(self.session.denote(value, node.span))
                if isinstance(given, Static):
                    self.error(node, getattr(given.denotation, "reason", "") or given.denotation.describe())
                    continue
                held = self.coerce(given, info.type.attributes[name], f"attribute '{name}'")
                found.append(SetAttribute(node.span, made, name, held))
        return found

    # Attributes

    def instance_attribute(
        self, node: syntax.Node, owner: Expr, info: ClassInfo, name: str, path: tuple[str, ...] | None
    ) -> Expr:
        found = find(info.python, name)
        if isinstance(info.type, ExceptionClass) and name in KEPT:
            return self.exception_attribute(node, as_exception(owner), name)
        if found is not None and isinstance(found[1], property):
            return self.get_property(node, owner, found[0], found[1])
        if found is not None and isinstance(found[1], functools.cached_property):
            return self.get_cached(node, owner, info, found[0], found[1])
        if name in info.deleted and name in info.initial:
            return self.own_or_initial(node, owner, info, name)
        if name in info.type.attributes:
            return self.known_at(GetAttribute(info.type.attributes[name], node.span, owner, name), path)
        assigned = self.assigned_class_attribute(node, info.python.__mro__, name)
        if assigned is not None:
            return self.past_instance(owner, assigned)
        if name == "__class__":
            return self.past_instance(owner, Static(STATIC, node.span, ClassDenotation(info.python)))
        if name == "__dict__":
            return self.namespace(node, owner, info)
        if found is None and self.session.classes.guess(info, name):
            return self.instance_attribute(node, owner, info, name, path)
        if found is None and name in info.broken:
            return Const(ERROR, node.span, None)
        is_tried = bool(self.here.logs) and not isinstance(info.type, ExceptionClass)
        if found is None and is_tried and self.is_closed(info):
            return self.no_attribute(node, owner, info, name)
        if found is None:
            known_names = [*info.type.attributes, *(each for each in dir(info.python) if not each.startswith("_"))]
            text = f"'{info.python.__name__}' has no attribute '{name}'"
            is_certain = name not in info.assigned and self.may_not_run(node)  # a host's may have what it likes
            certain = None if not is_certain else f"'{info.python.__name__}' object has no attribute '{name}'"
            return self.wrong_or_left(
                node, ("AttributeError", certain), text, members_hint(name, known_names), [owner])
        return self.class_member(node, owner, info.python, found)

    def class_member(self, node: syntax.Node, owner: Expr, python: type, found: tuple[type, object]) -> Expr:
        """What a class defines, reached through an instance, an enum member or a named tuple."""
        base, value = found
        if isinstance(value, property):
            return self.get_property(node, owner, base, value)
        if inspect.isfunction(value):
            source = self.session.classes.method(base, value.__name__) if (
                value.__name__ in base.__dict__ and base.__dict__[value.__name__] is value
            ) else self.session.source(value, base)
            return Static(STATIC, node.span, MethodDenotation(source, owner))
        if isinstance(value, functools.singledispatchmethod):
            return self.dispatching_member(node, owner, value.dispatcher)
        return self.past_instance(owner, self.unbound_member(node, python, base, value))

    def past_instance(self, owner: Expr, value: Expr) -> Expr:
        """What does not depend on an instance, once that has been evaluated."""
        is_there = isinstance(owner, Static) or is_silent(owner) or is_idle(owner)
        return value if is_there else after([Evaluate(owner.span, owner)], value)

    def dispatching_member(self, node: syntax.Node, owner: Expr, dispatcher: PyAny) -> Expr:
        """A method made by `singledispatchmethod`."""
        reason = why_not_dispatched(dispatcher)
        other = next((each for each in dispatcher.registry.values() if not inspect.isfunction(each)), None)
        if reason is not None or other is not None:
            return self.error(node, reason or f"a {type(other).__name__} registered for a class is not supported")
        source = self.session.classes.variants.get(dispatcher)
        if source is None:
            source = self.session.classes.variants[dispatcher] = source_of_dispatch(dispatcher, node.span, True)
        return Static(STATIC, node.span, MethodDenotation(source, owner))

    def unbound_member(self, node: syntax.Node, python: type, base: type, value: object) -> Expr:
        """What a class defines, reached through the class or an instance, where that makes no difference."""
        if isinstance(value, staticmethod):
            return Static(STATIC, node.span, FunctionDenotation(self.session.source(value.__func__, base)))
        if isinstance(value, classmethod):
            owner = Static(STATIC, node.span, ClassDenotation(python))
            return Static(STATIC, node.span, MethodDenotation(self.session.source(value.__func__, base), owner))
        if isinstance(value, functools.cached_property):
            return self.error(node, f"the cached property '{value.attrname}' needs an instance that can keep its value",
                              "make it a property")
        if hasattr(type(value), "__get__") and not inspect.isfunction(value):
            return self.error(node, f"attributes made by '{type(value).__name__}' are not supported in scripts")
        return self.class_container(node, base, value) or self.session.denote(value, node.span)

    def get_property(self, node: syntax.Node, owner: Expr, base: type, found: property) -> Expr:
        if found.fget is None:
            return self.error(node, "this property cannot be read")
        return self.invoke_source(node.span, self.session.classes.property_source(found, base), [owner], [])

    def get_cached(
        self, node: syntax.Node, owner: Expr, info: ClassInfo, base: type, found: functools.cached_property[PyAny]
    ) -> Expr:
        """A `cached_property`: the attribute of its name, which its function gives a value when it has none."""
        name, source = str(found.attrname), self.session.source(found.func, base)
        if name not in info.type.attributes:
            before = self.here.copy()
            with self.collect():
                tried = self.invoke_source(node.span, source, [owner], [])
            if is_silent(tried):
                return tried
            self.env = before
            info.assigned.setdefault(name)
            self.learn_attribute(info, name, tried.type)
        kind = info.type.attributes[name]
        result = f"{MARK}{self.hidden('cached')}"
        with self.collect() as statements:
            owner = self.hold(owner)

            def ask() -> None:
                self.store(result, GetAttribute(kind, node.span, owner, name))

            def make(_caught: str) -> None:
                made = self.invoke_source(node.span, source, [owner], [])
                if is_silent(made):
                    self.evaluate(made)
                    return
                if name not in info.declared:
                    self.learn_attribute(info, name, made.type)
                value = self.hold(self.coerce(made, info.type.attributes[name], f"'{name}'"))
                self.emit(SetAttribute(node.span, owner, name, value))
                self.store(result, value)

            self.protect(node.span, None, ask, make)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
            value = self.read_variable(result, node.span)
            self.drop([result])
        return Do(value.type, node.span, statements, value)

    def arms_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """An attribute of a value that may be of several classes."""
        arms = arms_of(resolve(owner.type))
        pythons = [self.python_class(arm) for arm in arms]
        found = [find(python, name) if python is not None else None for python in pythons]
        if all(each is not None and isinstance(each[1], CALLED) for each in found):
            return Static(STATIC, node.span, ArmsDenotation(name, owner))
        return self.each_arm(owner, lambda value: self.attribute(node, value, name, None))

    def call_arms(self, node: syntax.Call, denotation: ArmsDenotation) -> Expr:
        """A method of a value that may be of several classes: arguments are evaluated once, before the choice."""
        temps: list[tuple[Temp, Expr]] = []

        hints = self.shared_hints(denotation)

        def hold(argument: syntax.Node, name: str | int) -> Expr:
            value = self.expr(argument, hints.get(name))
            if is_trivial(value) or is_silent(value):
                return value
            temps.append((Temp(), value))
            return ReadTemp(value.type, value.span, temps[-1][0])

        if any(isinstance(each, syntax.Starred) for each in node.args) or any(k.arg is None for k in node.keywords):
            return self.error(node, "'*' and '**' are not supported in a call of a method that several classes define",
                              "write the arguments out")
        receiver, start = denotation.receiver, Temp()
        held = receiver if is_trivial(receiver) else ReadTemp(receiver.type, receiver.span, start)
        values = [hold(argument, place) for place, argument in enumerate(node.args)]
        named: Named = [(keyword.arg or "", hold(keyword.value, keyword.arg or "")) for keyword in node.keywords]
        if is_silent(*values, *(value for _, value in named)):
            return self.silent(node.span, [receiver, *values, *(value for _, value in named)])

        def call(value: Expr) -> Expr:
            return self.call_member(node.span, value, denotation.name, values, named)

        result = self.each_arm(held, call)
        for temp, value in [*reversed(temps), *([(start, receiver)] if held is not receiver else [])]:
            result = Let(result.type, node.span, temp, value, result)
        return result

    def shared_hints(self, denotation: ArmsDenotation) -> dict[str | int, Type]:
        """What all classes declare the parameters of a method as, by their names and places."""
        shared: dict[str | int, Type] | None = None
        for arm in arms_of(resolve(denotation.receiver.type)):
            python = self.python_class(arm)
            name = "forward" if denotation.name == CALL and self.module_info(arm) is not None else denotation.name
            found = find(python, name) if python is not None else None
            if found is None or not inspect.isfunction(found[1]):
                return {}
            source = self.session.classes.method(found[0], name)
            declared = signature_types(source, None)[0]
            names = [param.arg for param in source.params[1 : source.positional_count]]
            hints: dict[str | int, Type] = dict(declared.items())
            hints.update((place, declared[name]) for place, name in enumerate(names) if name in declared)
            shared = hints if shared is None else {key: kind for key, kind in shared.items() if hints.get(key) == kind}
        return shared or {}

    def call_member(
        self, span: Span, owner: Expr, name: str, values: Sequence[Expr], named: Sequence[tuple[str, Expr]] = ()
    ) -> Expr:
        """A method of a value of one class, which defines it; a module's hooks run around its call."""
        info = self.module_info(owner.type)
        if info is not None and name == CALL:
            if hooks_of(info.sample):
                source = self.session.hooked(info, len(values), tuple(key for key, _ in named))
                return self.invoke_source(span, source, [owner, *values], list(named))
            name = "forward"
        python = self.python_class(owner.type)
        found = find(python, name) if python is not None else None
        if found is None or not isinstance(found[1], CALLED):
            return self.class_misfit(span, owner, LACKING.get(name), f"{describe(owner)} has no method '{name}'")
        if isinstance(found[1], (staticmethod, classmethod)):
            bound = [Static(STATIC, span, ClassDenotation(python))] if isinstance(found[1], classmethod) else []
            return self.invoke_source(
                span, self.session.source(found[1].__func__, found[0]), [*bound, *values], list(named))
        source = self.session.classes.method(found[0], name)
        return self.invoke_source(span, source, [owner, *values], list(named))

    def python_class(self, kind: Type) -> type | None:
        """The Python class of instances and modules of a type."""
        info = self.module_info(kind)
        return self.session.classes.python_of(kind) if info is None else info.python

    def defines(self, kind: Type, name: str) -> bool:
        """Whether the class of a value defines a special method."""
        python = self.session.classes.python_of(kind)
        return python is not None and find_method(python, name) is not None

    # Classes and super()

    def class_attribute_of(self, node: syntax.Node, python: type, name: str) -> Expr | None:
        """`Point.origin`: a member of a class, reached through the class. None for classes that are no user's."""
        classes = self.session.classes
        if is_named_tuple(python) and name == "_make":
            return Static(STATIC, node.span, makes(python))
        if name in ("__name__", "__qualname__"):
            return self.session.denote(getattr(python, name), node.span)
        if name in ("__mro__", "__bases__", "__doc__", "__module__") and is_script_class(python):
            return self.session.denote(getattr(python, name), node.span)
        if is_enum(python) and name == "__members__":
            return self.members_by_name(node, python)
        if is_enum(python) and name not in getattr(python, "__members__", ()) and self.enum_kind(node, python) is None:
            return Const(ERROR, node.span, None)
        if is_named_tuple(python) and is_own_member(find(python, name)):
            try:
                classes.kind_of(python)
            except AnnotationError as error:
                return self.error(node, str(error))
        if not is_script_class(python) and python not in classes.python_classes().values():
            return None
        name = mangled(name, self.source.owner)
        assigned = self.assigned_class_attribute(node, python.__mro__, name)
        if assigned is not None:
            return assigned
        found = find(python, name)
        if found is None:
            return self.error(node, f"'{python.__name__}' has no attribute '{name}'", suggestion(name, dir(python)))
        if inspect.isfunction(found[1]):
            return Static(STATIC, node.span, FunctionDenotation(classes.method(found[0], name)))
        if isinstance(found[1], property):
            return self.error(node, f"the property '{name}' needs an instance")
        return self.unbound_member(node, python, *found)

    def super_member(self, node: syntax.Node, denotation: SuperDenotation, python: type, name: str) -> Expr:
        """An attribute after the class whose method says super()."""
        order = python.__mro__
        assigned = self.assigned_class_attribute(node, order[order.index(denotation.owner) + 1 :], name)
        if assigned is not None:
            return assigned
        for base in order[order.index(denotation.owner) + 1 :]:
            if base is object and name == "__init__":
                return Static(STATIC, node.span, FunctionDenotation(self.session.source(nothing)))
            if is_builtin_exception(base) and name in ("__init__", "__str__", "__repr__"):
                return Static(STATIC, node.span, SpecialDenotation(f"exception_{name.strip('_')}", denotation.receiver))
            if name in base.__dict__ and base is not object:
                found = base.__dict__[name]
                if inspect.isfunction(found):
                    source = self.session.classes.method(base, name)
                    return Static(STATIC, node.span, MethodDenotation(source, denotation.receiver))
                return self.class_member(node, denotation.receiver, python, (base, found))
        return self.error(node, f"no base class of '{denotation.owner.__name__}' has '{name}'")

    def super_of_class(self, node: syntax.Node, denotation: SuperDenotation, receiver: Static, name: str) -> Expr:
        """`super().name` in a class method."""
        python: PyAny = receiver.denotation.python  # type: ignore[attr-defined]
        order = python.__mro__
        assigned = self.assigned_class_attribute(node, order[order.index(denotation.owner) + 1 :], name)
        if assigned is not None:
            return assigned
        for base in order[order.index(denotation.owner) + 1 :]:
            if name in base.__dict__ and base is not object:
                found = base.__dict__[name]
                if inspect.isfunction(found):
                    source = self.session.classes.method(base, name)
                    return Static(STATIC, node.span, FunctionDenotation(source))
                return self.unbound_member(node, python, base, found)
        return self.error(node, f"no base class of '{denotation.owner.__name__}' has '{name}'")
