"""Attributes and methods of instances that are values of type Any: `other.x`, `shape.area()`, `record.n += 1`.

In: a value of type Any, and the name that it is asked for. Out: a branch for each class of the program that has it,
CPython's AttributeError for all others.
Holds: a class that the program comes to know later is among the branches too, as all is inferred anew.
"""

from __future__ import annotations

import collections
import inspect
from collections.abc import Callable, Sequence
from typing import Any as PyAny

from ....binding.tensor import Tensor
from ....ir.types import BOOL, STR, Type
from ...compilation.frames import MARK
from ...core.conversions import once, operate
from ...core.denotations import UnionMethodDenotation
from ...core.exception_types import ExceptionClass
from ...core.typed import (
    NEVER,
    STATIC,
    Choose,
    Const,
    Do,
    Expr,
    IsType,
    Recast,
    Static,
    boolean,
    is_silent,
)
from ...objects.class_facts import find, is_enum
from ...objects.classes import OWN_CLASSES
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import any_values as prelude
from ..base import InferenceBase
from ..type_facts import any_of
from .any_methods import has_plain_method

BUILT_IN = (
    Tensor, int, float, complex, bool, str, bytes, list, tuple, dict, set, frozenset, range, type(None),
    collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter,
)
OTHERS = (Tensor, int, float, complex, bool, range)  # classes with attributes that are no methods
Arm = tuple[Expr, Expr]  # the test of a class, and the value as one of it


class AnyMemberInference(InferenceBase):
    """What instances of all classes have."""

    def classes_having(self, name: str) -> list[Type]:
        """The classes whose instances, members or tuples have an attribute that a value of type Any is asked for."""
        classes = self.session.classes
        classes.asked_attributes.add(name)
        found: list[Type] = [
            info.type for info in list(classes.info.values())
            if not isinstance(info.type, ExceptionClass) and info.python not in OWN_CLASSES.values()
            and self.has_member(info.type, name)
        ]
        for python in classes.values_of_types():
            members: PyAny = python
            has_name = hasattr(next(iter(members), None) if is_enum(python) else python, name)
            found += [classes.kind_of(python)] if has_name else []
        return found

    def are_methods(self, kinds: Sequence[Type], name: str) -> bool:
        """Whether all these classes define it as a function."""
        found = [find(python, name) for python in map(self.session.classes.python_of, kinds) if python is not None]
        return all(each is not None and (
            inspect.isfunction(each[1]) or isinstance(each[1], (staticmethod, classmethod))) for each in found)

    def instances_among(self, span: Span, value: Expr, kinds: Sequence[Type]) -> list[Arm]:
        return [(IsType(BOOL, span, value, kind), Recast(kind, span, value)) for kind in kinds]

    def member_of_any(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        """`x.name`; None where some classes have a method and others a value, or none has it and that is not left to
        the run."""
        kinds = self.classes_having(name)
        if kinds and self.are_methods(kinds, name):
            return Static(STATIC, node.span, UnionMethodDenotation(name, owner))
        is_absent = not kinds and (has_plain_method(name) or not self.is_left(node))
        if is_absent or any(self.are_methods([kind], name) for kind in kinds):
            return None
        return self.read_of_any(node, owner, name, kinds, None)

    def member_of_any_or(self, node: syntax.Node, owner: Expr, name: str, other: Expr) -> Expr:
        """`getattr(x, name, other)`."""
        if is_silent(owner, other):
            return self.silent(node.span, [owner, other])
        kinds = self.classes_having(name)
        shared = next((each.__name__ for each in BUILT_IN if hasattr(each, name)), None)
        if shared is not None or any(self.are_methods([kind], name) for kind in kinds):
            return self.error(node, f"getattr() of a value of type Any cannot give a method, or what a "
                              f"{shared or 'class'} has", "find out its class first, by isinstance")
        return self.read_of_any(node, owner, name, kinds, other)

    def read_of_any(
        self, node: syntax.Node, owner: Expr, name: str, kinds: Sequence[Type], other: Expr | None
    ) -> Expr:
        result = MARK + self.hidden("result")

        def read(one: Expr) -> None:
            self.store(result, self.valued(self.attribute(node, one, name, None)))

        with self.collect() as statements:
            held, default = self.hold(owner), None if other is None else self.hold(other)
            self.by_class_of_any(node.span, held, name, kinds, read, None if default is None else (
                lambda: self.store(result, default)))
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
            value = self.read_hidden(result, node.span)
            self.drop([result])
        return Do(value.type, node.span, statements, value)

    def has_member_of_any(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """`hasattr(x, name)`."""
        kinds = self.classes_having(name)
        names = [each.__name__ for each in BUILT_IN if hasattr(each, name)]

        def use(whole: Expr) -> Expr:
            own = operate("class_name.any", whole)
            found: Expr = boolean(node.span, False)
            if names:
                found = any_of([operate("eq.str", own, Const(STR, node.span, each)) for each in names])
            for kind in kinds:
                one = Recast(kind, node.span, whole)
                has = self.is_set(node, one, name) if self.may_lack(kind, name) else boolean(node.span, True)
                found = Choose(BOOL, node.span, IsType(BOOL, node.span, whole, kind), has, found, [])
            return found

        return self.silent(node.span, [owner]) if is_silent(owner) else once(owner, use)

    def set_member_of_any(self, target: syntax.Attribute, owner: Expr, value: Expr) -> bool:
        """`x.name = value`; whether some class has the attribute."""
        kinds = self.classes_having(target.attr)
        if not kinds or any(self.are_methods([kind], target.attr) for kind in kinds):
            return False
        owner, value = self.hold(owner), self.hold(value)
        self.by_class_of_any(
            target.span, owner, target.attr, kinds, lambda one: self.set_attribute(target, one, value))
        return True

    def by_class_of_any(
        self, span: Span, owner: Expr, name: str, kinds: Sequence[Type], use: Callable[[Expr], None],
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        def fail() -> None:
            others = ",".join(python.__name__ for python in OTHERS if hasattr(python, name))
            given = [owner, Const(STR, span, name), Const(STR, span, others)]
            self.evaluate(self.by_prelude(syntax.Node(span), prelude.refuse_attribute, given))
            self.evaluate(self.raise_error(span, "AttributeError", name))

        self.by_tests(span, self.instances_among(span, owner, kinds), use, otherwise or fail)
