"""Attributes, methods and items of values whose class is known at run time only, where not all the classes have them.

In: a value whose type is a union that inference found, and what is asked of it. Out: code for each class: those that
have it do what they do, the others raise CPython's AttributeErrors and TypeErrors.
Holds: a method's arguments are evaluated once the method is found, as in Python; an annotated union is tested first.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Mapping

from ....ir.types import BOOL, EXCEPTION, DictType, Type, arms_of, union
from ...compilation.frames import MARK
from ...core.conversions import is_scalar, narrowed, once
from ...core.denotations import UnionMethodDenotation, ViewDenotation
from ...core.exception_types import is_exception
from ...core.placeholders import resolve
from ...core.typed import NEVER, STATIC, Choose, Const, Do, Expr, IsType, Static, none
from ...objects.class_facts import find
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..indices import Index, SliceIndex, TensorIndex
from ..operand_errors import MAX_COMBINATIONS, change_error, class_name
from ..type_facts import VIEWS, is_class_like

Use = Callable[[Expr], Expr]


class UnionMemberInference(InferenceBase):
    """What a part of the classes has."""

    def is_told_apart(self, value: Expr) -> bool:
        """Whether the classes of a value are asked for at run time: inference found them, and they are few."""
        return 1 < len(arms_of(resolve(value.type))) <= MAX_COMBINATIONS and self.is_inferred(value)

    def by_branches(self, span: Span, value: Expr, use: Use) -> Expr:
        """`use` of the value at each type that it may have: statements of their own for each."""
        name = MARK + self.hidden("result")
        arms = list(arms_of(resolve(value.type)))
        count = len(arms) if self.is_inferred(value) else 1
        with self.collect() as statements:
            held = self.hold(value)

            def take() -> None:
                arm = arms.pop(0)

                def run() -> None:
                    with self.chosen_calls.choosing(count):
                        self.store(name, self.valued(use(narrowed(held, arm))))

                if arms:
                    test = IsType(BOOL, span, held, arm)
                    self.branch(span, test, self.here, self.here.copy(), None, run, take)
                else:
                    run()

            take()
            if self.env is None:
                return Do(NEVER, span, statements, Const(NEVER, span, None))
            result = self.read_hidden(name, span)
            self.drop([name])
        return Do(result.type, span, statements, result)

    # Attributes and methods

    def attribute_of_some(
        self, node: syntax.Node, owner: Expr, name: str, path: tuple[str, ...] | None
    ) -> Expr | None:
        """An attribute of a value of several classes; None where that is not left to the run."""
        arms = arms_of(resolve(owner.type))
        if len(arms) < 2 or all(map(is_class_like, arms)) or EXCEPTION in arms or any(map(is_exception, arms)):
            return None
        having = [arm for arm in arms if self.arm_has(arm, name)]
        if not (self.is_told_apart(owner) or having == [*arms] or is_scalar(resolve(owner.type))):
            return None
        lacking = {arm: attribute_error(self.python_of_arm(arm), name) for arm in arms if arm not in having}
        if not having or None in lacking.values():
            return None
        found = self.of_some(node, owner, union(*having), lacking, "AttributeError")
        if lacking:
            self.narrowed_behind(node, found, union(*having))
        if len(having) == 1 or all(map(is_class_like, having)):
            return self.attribute_behind(node, found, name, path)
        if name in VIEWS and all(isinstance(arm, DictType) for arm in having):
            return Static(STATIC, node.span, ViewDenotation(found, name, True))
        if all(is_method(self.python_of_arm(arm), name) for arm in having):
            return Static(STATIC, node.span, UnionMethodDenotation(name, found))
        return self.each_arm(found, lambda one: self.attribute(node, one, name, None))

    def python_of_arm(self, kind: Type) -> type | None:
        """The class of values of a type, if it is a plain built-in one or the program's."""
        name = class_name(kind)
        return type(None) if name == "NoneType" else getattr(builtins, name) if name else self.python_class(kind)

    def lacking_everywhere(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        """The AttributeError of an attribute that no class of a value has, where it is left to the run."""
        arms = arms_of(resolve(owner.type))
        texts = {arm: attribute_error(self.python_of_arm(arm), name) if class_name(arm) else None for arm in arms}
        if None in texts.values() or not self.is_left(node):
            return None
        return self.each_arm(owner, lambda one: self.silent(node.span, [
            one, self.raise_error(node.span, "AttributeError", texts[resolve(one.type)] or "")]))

    def of_some(
        self, node: syntax.Node, owner: Expr, rest: Type, lacking: Mapping[Type, str | None], name: str
    ) -> Expr:
        """The value if it is of type `rest`; else the error of its class."""
        def test(whole: Expr) -> Expr:
            found = narrowed(whole, rest)
            for arm, text in lacking.items():
                absent = self.raise_error(node.span, name, text or "")
                found = Choose(rest, node.span, IsType(BOOL, node.span, whole, arm), absent, found, [])
            return found

        return once(owner, test) if lacking else owner

    def fitting(self, node: syntax.Node, value: Expr, error: Callable[[Type], str | None]) -> Expr:
        """A value at those of its classes for which there is no error; the TypeErrors of the others when it is run."""
        arms = arms_of(resolve(value.type))
        if isinstance(value, Static) or not self.is_told_apart(value):
            return value
        wrong = {arm: text for arm in arms if (text := error(arm)) is not None}
        rest = [arm for arm in arms if arm not in wrong]
        return self.of_some(node, value, union(*rest), wrong, "TypeError") if rest and wrong else value

    def call_of_union(self, node: syntax.Call, denotation: UnionMethodDenotation) -> Expr:
        """A call of a method that each of several classes has in its own way."""
        def use(one: Expr) -> Expr:
            return self.call_of(node, self.attribute(node.func, one, denotation.name, None), None)

        return self.by_branches(node.span, denotation.receiver, use)

    # Items

    def items_of_union(
        self, node: syntax.Subscript, owner: Expr, index: Index, change: Callable[[Expr], None], is_deletion: bool
    ) -> Expr | None:
        """`x[i] = v` or `del x[i]`, as `change` does it for one class; None where that is not left to the run."""
        if isinstance(index, TensorIndex):
            return None
        at = None if isinstance(index, SliceIndex) else resolve(index.type)
        if len(arms_of(resolve(owner.type))) == 1:
            return self.left_to_run(node, ("TypeError", change_error(owner.type, at, is_deletion)), [owner])
        if not self.is_told_apart(owner):
            return None
        texts = {arm: change_error(arm, at, is_deletion) for arm in arms_of(resolve(owner.type))}
        if None not in texts.values():
            return None  # no class of them takes it: the message of compilation

        def use(one: Expr) -> Expr:
            text = texts[resolve(one.type)]
            if text is not None:
                return self.raise_error(node.span, "TypeError", text)
            change(one)
            return none(node.span)

        return self.by_branches(node.span, owner, use)


def attribute_error(python: type | None, name: str) -> str | None:
    """CPython's text where instances of a class have no such attribute; None where that is not certain."""
    if python is None or hasattr(python, name):
        return None
    return f"'{python.__name__}' object has no attribute '{name}'"


def is_method(python: type | None, name: str) -> bool:
    """Whether an attribute of the instances of a class is called."""
    found = None if python is None else find(python, name)
    return found is not None and (inspect.isfunction(found[1]) or inspect.ismethoddescriptor(found[1]))
