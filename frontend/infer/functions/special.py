"""Inference of calls that mean something to the compiler itself: annotate, isinstance of containers, fork and wait,
and of functions that a mark keeps out of compiled code.

In: calls of what carries `__tsm_special__` or `__tsm_mark__`. Out: typed expressions.
Holds: a fork runs at once, so it is a call whose result is kept in an object.
"""

from __future__ import annotations

from collections.abc import Callable

from ....ir.types import ANY, BOOL, STR, ClassType, OptionalType, Type, UnionType, arms_of, union
from ...core.conversions import keeps_kinds
from ...core.denotations import ClassDenotation, SpecialDenotation, SpecialMethodDenotation
from ...core.futures import RESULT
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Const,
    Do,
    Evaluate,
    Expr,
    GetAttribute,
    IsType,
    Let,
    MakeObject,
    Raise,
    Read,
    ReadTemp,
    SetAttribute,
    Static,
    Stmt,
    Temp,
    boolean,
    is_silent,
)
from ...objects.annotations import AnnotationError, type_of_annotation
from ...objects.class_facts import is_module_class
from ...objects.function_source import FunctionSource
from ...parser import syntax
from ..base import InferenceBase
from ..environment import Environment, merge
from ..parts import Outcome
from ..type_facts import any_of

UNUSED = "Cannot call @unused methods"


class SpecialInference(InferenceBase):
    """One method a name: `_special_annotate`."""

    def call_special(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        for argument in node.args if denotation.name != "exception_init" else ():
            if isinstance(argument, syntax.Starred):
                return self.error(argument, f"'*' is not supported in a call of {denotation.name}",
                                  "write the arguments out")
        if denotation.name.startswith("operator_"):
            return self.call_by_name(node, denotation)
        method: Callable[[syntax.Call, SpecialDenotation], Expr] = getattr(self, f"_special_{denotation.name}")
        return method(node, denotation)

    def has_count(self, node: syntax.Call, name: str, count: int) -> bool:
        if len(node.args) == count and not node.keywords:
            return True
        self.error(node, f"{name}() takes {count} positional argument{'s' * (count != 1)}")
        return False

    def _special_is_scripting(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        return boolean(node.span, True)

    def _special_is_tracing(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        return boolean(node.span, False)

    def _special_annotate(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        if not self.has_count(node, "annotate", 2):
            return Const(ERROR, node.span, None)
        mark = self.reporter.mark()
        kind = self.annotation(node.args[0])
        if kind is None:
            return Const(ERROR, node.span, None) if self.reporter.since(mark) else self.expr(node.args[1])
        value = self.expr(node.args[1], kind)
        return value if is_silent(value) else self.coerce(value, kind, "the annotated value")

    def names_module_class(self, node: syntax.Node) -> bool:
        """Whether it is the name of a class of modules."""
        if not isinstance(node, (syntax.Name, syntax.Attribute)):
            return False
        with self.collect():
            named = self.expr(node)
        named_class = named.denotation if isinstance(named, Static) else None
        return isinstance(named_class, ClassDenotation) and is_module_class(named_class.python)

    def _special_cast(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        """`cast(T, value)`: the value itself, at the type if it may be of it as it is."""
        if not self.has_count(node, "cast", 2):
            return Const(ERROR, node.span, None)
        if self.names_module_class(node.args[0]):
            return self.expr(node.args[1])
        mark = self.reporter.mark()
        kind = self.annotation(node.args[0])
        if kind is None:
            return Const(ERROR, node.span, None) if self.reporter.since(mark) else self.expr(node.args[1])
        value = self.valued(self.expr(node.args[1], kind))
        if is_silent(value):
            return value
        source = resolve(value.type)
        if source == ANY and kind.members and not isinstance(kind, (OptionalType, UnionType)):
            return value  # as a container it is asked at run time
        if len(arms_of(source)) > 1 and kind in arms_of(source):
            return self.each_arm(value, lambda one: one if resolve(one.type) == kind else self.then(
                one, self.raise_error(node.span, "TypeError", f"cast() to {kind} got {resolve(one.type)}")))
        is_same = source == ANY or keeps_kinds(source, kind)
        return self.coerce(value, kind, "the value of cast()") if is_same else value

    def annotated_kind(self, node: syntax.Node) -> Type | None:
        """The type that `annotate(T, value)` gives a variable it is assigned to."""
        if not isinstance(node, syntax.Call) or len(node.args) != 2:
            return None
        name = node.func.attr if isinstance(node.func, syntax.Attribute) else getattr(node.func, "id", "")
        if name != "annotate":
            return None
        callee = self.expr(node.func)
        if not isinstance(callee, Static) or callee.denotation != SpecialDenotation("annotate"):
            return None
        try:
            return type_of_annotation(node.args[0], self.source.lookup, self.source.class_type)
        except AnnotationError:
            return None

    # isinstance of containers

    def _special_isinstance(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        value, true, false = self.container_test(node)
        self.env = merge([true, false], None, true or false or Environment())[0]
        return value

    def container_test(self, node: syntax.Call) -> Outcome:
        """`tsm.jit.isinstance(x, list[int])`: exact types, known of an arm or asked of a value of type Any."""
        failed: Outcome = Const(ERROR, node.span, None), self.here, self.here.copy()
        if not self.has_count(node, "isinstance", 2):
            return failed
        wanted = node.args[1].elts if isinstance(node.args[1], syntax.Tuple) else [node.args[1]]
        mark = self.reporter.mark()
        kinds = [kind for kind in map(self.annotation, wanted) if kind is not None]
        if len(kinds) < len(wanted) and not self.reporter.since(mark):
            return self.isinstance_test(node)  # containers of whatever
        value = self.expr(node.args[0])
        if value.type == NEVER:
            return value, None, None
        if is_silent(value) or isinstance(value, Static) or len(kinds) < len(wanted):
            return failed
        kind = resolve(value.type)
        tested = [arm for one in kinds for arm in arms_of(one)]
        inside = tested if kind == ANY else [arm for arm in arms_of(kind) if arm in tested]
        outside = [] if kind == ANY else [arm for arm in arms_of(kind) if arm not in tested]
        if kind != ANY and (not inside or not outside):
            test: Expr = boolean(node.span, bool(inside))
            if not isinstance(value, (Const, Read)):
                test = self.then(value, test)
            return self.decided(test, self.here, self.here.copy())
        held = self.hold(value)
        test = any_of([IsType(BOOL, node.span, held, arm) for arm in inside])
        yes, no = self.both(node.args[0], union(*inside), union(*outside) if outside else ANY)
        return test, yes, no

    # Futures

    def _special_fork(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        if not node.args:
            return self.error(node, "fork() needs a function to run", "write fork(function, arguments)")
        result = self.expr(syntax.Call(node.span, node.args[0], node.args[1:], node.keywords))
        if is_silent(result):
            return result
        if isinstance(result, Static):
            return self.error(node, f"fork() cannot keep {describe(result)}", "call the function directly")
        kind = self.session.futures.of(result.type)
        held, made = Temp(), Temp()
        future = ReadTemp(kind, node.span, made)
        store: list[Stmt] = [SetAttribute(node.span, future, RESULT, ReadTemp(result.type, node.span, held))]
        body = Let(kind, node.span, made, MakeObject(kind, node.span), Do(kind, node.span, store, future))
        return Let(kind, node.span, held, result, body)

    def _special_wait(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        if not self.has_count(node, "wait", 1):
            return Const(ERROR, node.span, None)
        return self.result_of_future(node, self.expr(node.args[0]))

    def _special_Future(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        return self.error(node, "a Future is made by fork(function, arguments)")

    def future_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        if name in ("wait", "value", "done"):
            return Static(STATIC, node.span, SpecialMethodDenotation(f".{name}", owner, f"future_{name}"))
        return self.error(node, f"'{owner.type}' has no attribute '{name}'", "write future.wait()")

    def _special_future_wait(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        if not self.has_count(node, "wait", 0):
            return Const(ERROR, node.span, None)
        return self.result_of_future(node, denotation.receiver)

    _special_future_value = _special_future_wait

    def _special_future_done(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        return Do(BOOL, node.span, [Evaluate(node.span, denotation.receiver)], boolean(node.span, True))

    def result_of_future(self, node: syntax.Call, future: Expr) -> Expr:
        if is_silent(future):
            return future
        kind = resolve(future.type)
        element = self.session.futures.element(kind)
        if element is None:
            return self.error(node, f"wait() takes what fork() gave, got {describe(future)}")
        assert isinstance(kind, ClassType)
        return GetAttribute(element, node.span, future, RESULT)

    # Functions that are not compiled

    def marked_call(self, node: syntax.Call, source: FunctionSource, receiver: list[Expr]) -> Expr | None:
        """A call of a function marked unused; None for any other."""
        mark = getattr(source.python, "__tsm_mark__", None)
        if mark == "unused":
            values = [*receiver, *map(self.expr, node.args), *(self.expr(keyword.value) for keyword in node.keywords)]
            raised = Raise(NEVER, node.span, "RuntimeError", Const(STR, node.span, UNUSED))
            return self.silent(node.span, [*values, raised])
        return None
