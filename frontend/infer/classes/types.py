"""Inference of classes as values at compile time: type(x), issubclass, dataclasses.replace.

In: their calls. Out: denotations of classes, tests of a value's exact class, calls of `__init__`; the
fields of dataclasses.
Holds: a class is known when compiling, or is one of those that the value's type has.
"""

from __future__ import annotations

import builtins
import collections
import dataclasses
from collections.abc import Sequence
from typing import Any as PyAny

from ....binding.tensor import Tensor
from ....ir.types import (
    ANY,
    BOOL,
    EXCEPTION,
    NONE,
    STR,
    TENSOR,
    ClassType,
    DictType,
    TupleType,
    Type,
    arms_of,
    is_shape,
)
from ...core.conversions import narrowed, operate
from ...core.denotations import (
    ArmsDenotation,
    BuiltinDenotation,
    ClassDenotation,
    DataFieldDenotation,
    Denotation,
    TypeDenotation,
)
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import STATIC, Choose, Const, Evaluate, Expr, GetAttribute, IsType, Static, after, boolean, is_silent
from ...objects.class_facts import find, mangled
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..collection_types import is_deque, python_class
from ..type_facts import dict_class


class TypeInference(InferenceBase):
    """Classes."""

    def _call_type(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        value = self.value(node.args[0])
        if is_silent(value):
            return value
        arms = arms_of(resolve(value.type))
        if arms == (ANY,):
            return self.class_at_run_time(node.span, value)
        if TENSOR in arms and not isinstance(value, GetAttribute):
            return self.class_at_run_time(node.span, value)
        if not self.have_classes(resolve(value.type)):
            return self.error(node, f"type() of {describe(value)} is not supported in scripts", "write isinstance(...)")
        first = self.class_of_arm(arms[0])
        if arms != (EXCEPTION,) and len(arms) == 1 and first is not None:
            return Static(STATIC, node.span, first, [Evaluate(node.span, value)])
        return self.class_at_run_time(node.span, value)

    def have_classes(self, kind: Type) -> bool:
        """Whether the class of every value of a type is one that scripts know."""
        return all(arm == EXCEPTION or self.class_of_arm(arm) is not None for arm in arms_of(kind))

    def class_at_run_time(self, span: Span, value: Expr) -> Static:
        """`type(value)` where it is known at run time only."""
        with self.collect() as before:
            held = self.keep_always(value)
        return Static(STATIC, span, TypeDenotation(held, next(self._counter)), before)

    def class_of_arm(self, arm: Type) -> Denotation | None:
        """The class of values of one type."""
        module = self.module_info(arm)
        python = self.session.classes.python_of(arm) if module is None else module.python
        if python is not None:
            return ClassDenotation(python)
        if arm == NONE:
            return ClassDenotation(type(None))
        if is_deque(arm):
            return ClassDenotation(collections.deque)
        if isinstance(arm, DictType) and dict_class(arm):
            return ClassDenotation(python_class(arm))
        if is_shape(arm):
            return BuiltinDenotation("Size")
        if arm == TENSOR or isinstance(arm, ClassType) or str(arm) in ("Any", "dtype", "device"):
            return None
        return BuiltinDenotation(str(arm).partition("[")[0])

    def type_test(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`type(x) is C` where the class of x is known at run time only; None for anything else."""
        if isinstance(right, Static) and isinstance(right.denotation, TypeDenotation):
            left, right = right, left
        if not (isinstance(left, Static) and isinstance(left.denotation, TypeDenotation) and isinstance(right, Static)):
            return None
        value, other = left.denotation.value, right.denotation
        if is_class_of_tensors(left.denotation) and is_class_of_tensors(other):
            return self.error(node, "whether a tensor is a Parameter is not known here", "write isinstance(x, Tensor)")
        with self.collect() as before:
            self.evaluate(left)
            self.evaluate(right)
        return after(before, self.exact_type(node, op, value, left.denotation, other))

    def exact_type(
        self, node: syntax.Node, op: str, value: Expr, denotation: TypeDenotation, other: Denotation
    ) -> Expr:
        """Whether the class of a value, which `denotation` denotes, is another one."""
        kinds = arms_of(resolve(value.type))
        if isinstance(other, TypeDenotation) or ANY in kinds:
            if EXCEPTION in (*kinds, *arms_of(resolve(getattr(other, "value", value).type))):
                return self.error(node, "two classes that are known at run time only cannot be compared",
                                  "compare each with a class")
            same = self.same_name(node, denotation, other)
            return self.negate(same, node.span) if op in ("is not", "!=") and not is_silent(same) else same
        arms = [arm for arm in kinds if arm == EXCEPTION or self.class_of_arm(arm) == other]
        found: Expr = boolean(node.span, False)
        for arm in arms:
            test: Expr = boolean(node.span, True) if len(kinds) == 1 else IsType(BOOL, node.span, value, arm)
            if arm == EXCEPTION:
                exact = self.exact_class_test(node.span, narrowed(value, EXCEPTION), other, "is")
                test = exact if len(kinds) == 1 else Choose(BOOL, node.span, test, exact, boolean(node.span, False), [])
            found = test if isinstance(found, Const) else Choose(
                BOOL, node.span, test, boolean(node.span, True), found, [])
        return self.negate(found, node.span) if op in ("is not", "!=") else found

    def name_of_type(self, node: syntax.Node, denotation: TypeDenotation, name: str) -> Expr:
        """`type(x).__name__`, and what the class itself has."""
        if name not in ("__name__", "__qualname__"):
            return self.member_of_type(node, denotation, name)

        def one(value: Expr) -> Expr:
            if resolve(value.type) == ANY:
                return operate("class_name.any", value)
            if resolve(value.type) == EXCEPTION:
                return operate("exception.class", value)
            if resolve(value.type) == TENSOR:
                return Const(STR, node.span, "Tensor")
            found = self.class_of_arm(resolve(value.type))
            text = getattr(getattr(found, "python", None), name, None) or getattr(found, "name", "")
            return Const(STR, node.span, text)

        return self.each_arm(denotation.value, one)

    def member_of_type(self, node: syntax.Node, denotation: TypeDenotation, name: str) -> Expr:
        """`type(x).label`, `type(x).parse`: an attribute of each class that the value may have."""
        classes = [self.session.classes.python_of(arm) for arm in arms_of(resolve(denotation.value.type))]
        found = [None if python is None else find(python, mangled(name, self.source.owner)) for python in classes]
        if all(each is not None and isinstance(each[1], (classmethod, staticmethod)) for each in found):
            return Static(STATIC, node.span, ArmsDenotation(name, denotation.value))
        if None in found:
            return self.error(node, f"attribute '{name}' of a class that is known at run time only is not supported")

        def one(value: Expr) -> Expr:
            python = self.session.classes.python_of(resolve(value.type))
            member = None if python is None else self.class_attribute_of(node, python, name)
            if member is None:
                return self.error(node, f"{describe(value)} has no class with an attribute '{name}' in scripts")
            return self.reify(member) or member if isinstance(member, Static) else member

        return self.each_arm(denotation.value, one)

    def make_of_type(self, node: syntax.Call, denotation: TypeDenotation) -> Expr | None:
        """`type(x)(...)`: an instance of the class that the value has; None if that may be one without a call."""
        arms = arms_of(resolve(denotation.value.type))
        known = [self.class_info(arm) for arm in arms]
        plain = [self.class_of_arm(arm) for arm in arms]
        if all(isinstance(each, BuiltinDenotation) for each in plain):
            made = dict(zip(arms, filter(None, plain)))
            return self.by_branches(node.span, denotation.value, lambda value: self.call_of(
                node, Static(STATIC, node.span, made[resolve(value.type)]), None))
        if None in known:
            return None

        def one(value: Expr) -> Expr:
            info = self.class_info(value.type)
            assert info is not None
            return self.construct(node, info.python, info.arguments)

        return self.each_arm(denotation.value, one)

    def text_of_type(self, of: Static, denotation: TypeDenotation) -> Expr:
        """`str(type(x))`."""

        def one(value: Expr) -> Expr:
            found = self.class_of_arm(resolve(value.type)) if resolve(value.type) not in (ANY, EXCEPTION) else None
            python = found and (getattr(found, "python", None) or getattr(builtins, getattr(found, "name", ""), None))
            if python is None:
                return self.error(of, f"{denotation.describe()} cannot be printed in scripts")
            return Const(STR, of.span, repr(getattr(python, "__tsm_stands_for__", python)))

        return after(of.before, self.each_arm(denotation.value, one))

    def _call_issubclass(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 2, 2):
            return self.wrong(node)
        value = self.expr(node.args[0])
        asked = self.instance_asked(node.args[0], value)
        if asked is not None and (chosen := self.chosen_classes(node.args[1])) is not None:
            return self.is_of_chosen(node.span, asked, *chosen)
        first = python_class_of(value)
        second = node.args[1]
        others: list[type | None] = []
        for each in second.elts if isinstance(second, syntax.Tuple) else [second]:
            other = self.expr(each)
            named = python_class_of(other)
            others += (named is None and self.stored_classes(other)) or [named]
        if None not in others and isinstance(value, Static) and isinstance(value.denotation, TypeDenotation):
            if (made := self.is_below_any(node, value, [each for each in others if each is not None])) is not None:
                return made
        if first is None or None in others:
            if None not in others and self.is_raised_class(node.args[0]):
                return self.matches_any(value, [each for each in others if each], node.span)
            if None not in others and (made := self.chosen_is_below(node, value, others)) is not None:
                return made
            return self.error(node, "issubclass() works with classes that are known when compiling")
        try:
            return boolean(node.span, issubclass(first, tuple(each for each in others if each is not None)))
        except TypeError as error:  # of a protocol that is none at run time
            return self.raise_error(node.span, "TypeError", str(error))

    def chosen_is_below(self, node: syntax.Call, value: Expr, others: Sequence[type | None]) -> Expr | None:
        """`issubclass(c, ...)` where c is one of several classes; None if it is anything else."""
        arms = [] if isinstance(value, Static) or is_silent(value) else arms_of(resolve(value.type))
        known = {arm: found for arm in arms if (found := self.classes_of_value(arm)) and not isinstance(arm, TupleType)}
        if not arms or len(known) < len(arms):
            return None
        return self.each_arm(value, lambda one: boolean(
            node.span, issubclass(known[resolve(one.type)][0], tuple(each for each in others if each is not None))))

    def instance_asked(self, node: syntax.Node, value: Expr) -> Expr | None:
        """The instance whose class an expression is: `type(x)`, or the first parameter of `__exit__`."""
        if isinstance(value, Static):
            of = value.denotation
            return after(value.before, of.value) if isinstance(of, TypeDenotation) else None
        return value if self.is_raised_class(node) else None

    def is_below_any(self, node: syntax.Call, of: Static, others: list[type]) -> Expr | None:
        """`issubclass(type(x), ...)` where x may be of several classes; None if one of them is not known."""
        assert isinstance(of.denotation, TypeDenotation)
        value = of.denotation.value
        below: dict[Type, bool] = {}
        for arm in arms_of(resolve(value.type)):
            if arm == EXCEPTION:
                continue
            python = self.session.classes.python_of(arm)
            if python is None:
                return None
            try:
                below[arm] = issubclass(python, tuple(others))
            except TypeError as error:
                return self.raise_error(node.span, "TypeError", str(error))
        return after(of.before, self.each_arm(value, lambda one: (
            boolean(node.span, below[resolve(one.type)]) if resolve(one.type) in below
            else self.matches_any(one, others, node.span))))

    def dataclass_of(self, node: syntax.Call) -> PyAny:
        """The dataclass that the argument is, or is an instance of; None if it is neither."""
        value = self.expr(node.args[0])
        self.evaluate(value)
        info = None if isinstance(value, Static) else self.class_info(value.type)
        python = info.python if info is not None else getattr(getattr(value, "denotation", None), "python", None)
        return python if dataclasses.is_dataclass(python) else None

    def data_fields(self, node: syntax.Call) -> list[Expr]:
        """`fields(x)`: what is known of each field when compiling."""
        python = self.dataclass_of(node) if self.takes(node, 1, 1) else None
        if python is None:
            self.error(node, "fields() needs a dataclass or an instance of one")
            self.give_up()
        return [Static(STATIC, node.span, DataFieldDenotation(each)) for each in dataclasses.fields(python)]

    def _call_dataclasses_fields(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.error(node, "fields() can be looped over, and is no value in scripts",
                          "write for field in fields(x): ...")

    def _call_dataclasses_is_dataclass(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        return boolean(node.span, self.dataclass_of(node) is not None)

    def _call_dataclasses_replace(self, node: syntax.Call, want: Type | None) -> Expr:
        """A new instance made by `__init__` of the old one's fields and the new values."""
        if len(node.args) != 1 or any(keyword.arg is None for keyword in node.keywords):
            return self.error(node, "replace() takes an instance and keyword arguments here")
        owner = self.value(node.args[0])
        info = self.class_info(owner.type)
        if is_silent(owner):
            return owner
        if info is None or not dataclasses.is_dataclass(info.python):
            return self.error(node, f"replace() needs an instance of one dataclass, not {describe(owner)}")
        fields = {name: each for name, each in info.python.__dataclass_fields__.items() if (
            each._field_type is not dataclasses._FIELD_CLASSVAR)}  # type: ignore[attr-defined]
        variables = [name for name, each in fields.items() if each.default is dataclasses.MISSING and (
            each._field_type is dataclasses._FIELD_INITVAR)]  # type: ignore[attr-defined]
        for keyword in node.keywords:
            if not fields.get(keyword.arg or "", _MISSING).init:
                text = f"replace() cannot set '{keyword.arg}' of '{info.python.__name__}'"
                return self.error(keyword, text, "name a field that __init__ takes")

        def use(whole: Expr) -> Expr:
            given = [keyword.arg for keyword in node.keywords]
            missing = next((name for name in variables if name not in given), None)
            if missing is not None:
                for keyword in node.keywords:
                    self.evaluate(self.value(keyword.value))
                return self.raise_error(
                    node.span, "ValueError", f"InitVar '{missing}' must be specified with replace()")
            keywords = [syntax.keyword(node.span, keyword.arg, keyword.value) for keyword in node.keywords]
            for name, each in fields.items():
                if each.init and name not in given:
                    full = self.keep_name(self.attribute(node, whole, name, None))
                    keywords.append(syntax.keyword(node.span, name, syntax.Name(node.span, full)))
            assert info is not None
            return self.construct(syntax.Call(node.span, node.func, [], keywords), info.python, info.arguments)

        with self.collect() as before:
            made = use(self.keep_always(owner))
        return after(before, made)


def python_class_of(value: Expr) -> type | None:
    """The class that an expression is known to be when compiling."""
    denotation = value.denotation if isinstance(value, Static) else None
    if isinstance(denotation, BuiltinDenotation):
        python = getattr(builtins, denotation.name, None)
    else:
        python = denotation.python if isinstance(denotation, ClassDenotation) else None
    return python if isinstance(python, type) else None


def is_class_of_tensors(denotation: Denotation) -> bool:
    """Whether it is Tensor or Parameter, or may be."""
    if isinstance(denotation, TypeDenotation):
        return TENSOR in arms_of(resolve(denotation.value.type))
    python = getattr(denotation, "python", None)
    return denotation == BuiltinDenotation("Tensor") or isinstance(python, type) and issubclass(python, Tensor)


class _Missing:
    init = False


_MISSING = _Missing()
