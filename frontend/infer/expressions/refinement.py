"""Refinement: tests that tell the arms of a type apart, and truth of values.

In: `x is None`, `isinstance(x, T)`, a name as a condition. Out: a bool, and the environments of both outcomes.
Holds: only a variable or a path of attributes is narrowed; a test that types decide becomes a constant.
"""

from __future__ import annotations

import builtins
import types as python_types
from typing import Any as PyAny

from ....binding.size import Size
from ....binding.tensor import Tensor
from ....ir.types import (
    ANY,
    BOOL,
    DEVICE,
    DTYPE,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    STR,
    TENSOR,
    ClassType,
    DictType,
    EnumType,
    FrozenSetType,
    ListType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    arms_of,
    union,
)
from ...core.conversions import as_tuple, is_idle, is_scalar, once, operate, remove_none, to_any, to_scalar
from ...core.denotations import (
    BuiltinDenotation,
    ClassDenotation,
    ClosureDenotation,
    ContainerDenotation,
    Denotation,
    FunctionDenotation,
    IteratorDenotation,
    KeywordsDenotation,
    MethodDenotation,
    ObjectDenotation,
    RangeDenotation,
    SliceDenotation,
    SpecialDenotation,
    TypeDenotation,
    ViewDenotation,
)
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Choose,
    Const,
    Do,
    Expr,
    GetAttribute,
    IsType,
    MakeTuple,
    Recast,
    Static,
    after,
    boolean,
    is_silent,
)
from ...objects.class_facts import (
    is_generic,
    is_plain_class,
    is_root_of_modules,
    is_runtime_protocol,
    is_script_class,
    protocol_members,
)
from ...objects.classes import NotScriptable
from ...objects.function_source import looked_up
from ...objects.module_attributes import PARAMETERS
from ...objects.sentinels import is_sentinel
from ...parser import syntax
from ..abstract_classes import bare_alias
from ..base import InferenceBase
from ..classes.special_methods import TRUTH
from ..environment import Environment
from ..iteration import GeneratorCall
from ..parts import Outcome
from ..type_facts import ANY_ARMS, always_true, any_of, is_instance


class RefinementInference(InferenceBase):
    """Tests."""

    def narrowing(self, node: syntax.Node) -> Outcome | None:
        """Tests that tell arms of a type apart: None, isinstance, truth of an Optional; None for anything else."""
        if isinstance(node, syntax.Compare) and len(node.ops) == 1 and node.ops[0] in ("<", "<=", ">", ">="):
            return self.length_test(node, node.left, node.comparators[0])
        if isinstance(node, syntax.Compare) and len(node.ops) == 1 and node.ops[0] in ("in", "not in"):
            return self.one_of_types_test(node, node.left, node.comparators[0])
        if isinstance(node, syntax.Compare) and len(node.ops) == 1 and node.ops[0] in ("is", "is not", "==", "!="):
            left, right = node.left, node.comparators[0]
            exact = self.exact_type_test(node, left, right)
            if exact is not None:
                return exact
            by_length = self.length_test(node, left, right)
            if by_length is not None:
                return by_length
            for subject, other in ((left, right), (right, left)):
                if isinstance(other, syntax.Constant) and other.value is None:
                    return self.none_test(node, subject, node.ops[0])
                if isinstance(other, syntax.Name) and self.find_name(other.id) is None:
                    if is_sentinel(looked_up(self.source, other)):
                        return self.sentinel_test(node, subject, other)
            return self.constant_test(node, left, right) or self.constant_test(node, right, left)
        if isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and node.func.id == "isinstance":
            if len(node.args) == 2 and self.is_builtin(node.func, "isinstance"):
                return self.isinstance_asked(node)
        if isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and node.func.id == "callable":
            if len(node.args) == 1 and not node.keywords and self.is_builtin(node.func, "callable"):
                return self.callable_test(node)
        if isinstance(node, syntax.Call):
            return self.container_test(node) if self.is_container_test(node.func) else self.predicate_test(node)
        is_element = isinstance(node, syntax.Subscript) and self.path_of(node) is not None
        if is_element or isinstance(node, (syntax.Name, syntax.Attribute, syntax.NamedExpr)):
            return self.truth_test(node)
        return None

    def is_container_test(self, node: syntax.Node) -> bool:
        """Whether it names tsm.jit.isinstance."""
        name = node.attr if isinstance(node, syntax.Attribute) else getattr(node, "id", "")
        if name != "isinstance" or (isinstance(node, syntax.Name) and self.find_name(node.id) is not None):
            return False
        value = self.expr(node)
        return isinstance(value, Static) and value.denotation == SpecialDenotation("isinstance")

    def exact_type_test(self, node: syntax.Compare, left: syntax.Node, right: syntax.Node) -> Outcome | None:
        """`type(x) is C` and `x.__class__ is C`: what is known of the variable x on either side; None for anything
        else."""
        subject: syntax.Node | None = left.value if isinstance(left, syntax.Attribute) and (
            left.attr == "__class__") else None
        if isinstance(left, syntax.Call) and isinstance(left.func, syntax.Name) and len(left.args) == 1:
            is_type = left.func.id == "type" and self.is_builtin(left.func, "type")
            subject = left.args[0] if is_type else None
        if subject is None or self.path_of(subject) is None:
            return None
        before = self.here.copy()
        value, other = self.expr(subject), self.expr(right)
        is_known = isinstance(other, Static) and not isinstance(other.denotation, TypeDenotation)
        if is_silent(value, other) or isinstance(value, Static) or not is_known:
            self.env = before  # what the right side stored is stored where it is compared
            return None
        assert isinstance(other, Static)
        if resolve(value.type) == ANY:
            return self.exact_any_test(node, subject, self.expr(left), other)
        arms = arms_of(resolve(value.type))
        classes = [self.class_of_arm(arm) for arm in arms]
        if None in classes or arms == (EXCEPTION,):
            return None
        if len(arms) == 1:
            is_same = (classes[0] == other.denotation) == (node.ops[0] in ("is", "=="))
            return self.decided(self.then(value, boolean(node.span, is_same)), self.here, self.here.copy())
        same = [arm for arm, python in zip(arms, classes) if python == other.denotation]
        rest = [arm for arm in arms if arm not in same]
        test = self.type_test(node, "is", self.expr(left), other)
        assert test is not None
        yes, no = self.both(subject, union(*same) if same else NEVER, union(*rest) if rest else NEVER)
        result, true, false = self.decided(test, yes, no)
        return (result, true, false) if node.ops[0] in ("is", "==") else (self.negate_test(result), false, true)

    def exact_kind(self, of: Static) -> Type | None:
        """The type of instances of exactly a class of the user's, without type variables; None for all else."""
        python: PyAny = of.denotation.python if isinstance(of.denotation, ClassDenotation) else None
        if not is_script_class(python) or is_generic(python) or issubclass(python, BaseException):
            return None
        try:
            return self.session.classes.exact(python).type
        except NotScriptable:
            return None

    def exact_any_test(self, node: syntax.Compare, subject: syntax.Node, left: Expr, other: Static) -> Outcome:
        """The same of a value of type Any."""
        kind = self.exact_kind(other)
        if kind is not None and isinstance(left, Static) and isinstance(left.denotation, TypeDenotation):
            test: Expr | None = after(left.before, IsType(BOOL, node.span, left.denotation.value, kind))
        else:
            test = self.type_test(node, "is", left, other)
        assert test is not None
        arms = ANY_ARMS.get(getattr(other.denotation, "name", ""), (ANY,))
        yes, no = self.both(subject, kind or arms[0], ANY)
        result, true, false = self.decided(test, yes, no)
        return (result, true, false) if node.ops[0] in ("is", "==") else (self.negate_test(result), false, true)

    def one_of_types_test(self, node: syntax.Compare, left: syntax.Node, right: syntax.Node) -> Outcome | None:
        """`type(x) in (int, float)`, as `type(x) is int or type(x) is float`; None for anything else."""
        if not isinstance(right, (syntax.Tuple, syntax.List, syntax.Set)) or not right.elts:
            return None
        if not (isinstance(left, syntax.Call) and isinstance(left.func, syntax.Name) and left.func.id == "type"):
            return None
        if len(left.args) != 1 or not self.is_builtin(left.func, "type") or self.path_of(left.args[0]) is None:
            return None
        tests: list[syntax.Expression] = [syntax.Compare(node.span, left, ["is"], [each]) for each in right.elts]
        test = tests[0] if len(tests) == 1 else syntax.BoolOp(node.span, "or", tests)
        return self.condition(test if node.ops[0] == "in" else syntax.UnaryOp(node.span, "not", test))

    def is_builtin(self, node: syntax.Name, name: str) -> bool:
        if self.find_name(node.id) is not None:
            return False
        value = self.outer_name(node)
        return isinstance(value, Static) and value.denotation == BuiltinDenotation(name)

    def none_test(self, node: syntax.Node, subject: syntax.Node, op: str) -> Outcome:
        value, is_positive = self.expr(subject), op in ("is", "==")
        if is_silent(value):
            if value.type == NEVER:
                return value, None, None
            return Const(ERROR, node.span, None), self.here, self.here.copy()
        kind = resolve(value.type)
        is_none = kind if op in ("==", "!=") and self.asks_of_none(kind) else NONE
        if is_none == kind != NONE:
            asked = self.relation(node, "==", value, Const(NONE, node.span, None))
            if is_silent(asked):
                return asked, self.here, self.here.copy()
            test = self.truth(asked)
        elif value.type == STATIC or NONE not in (ANY, *arms_of(kind)) and kind != ANY:
            never = boolean(node.span, False)
            test = after(value.before, never) if isinstance(value, Static) else self.then(value, never)
        elif kind == NONE:
            test = self.then(value, boolean(node.span, True))
        else:
            test = IsType(BOOL, node.span, value, NONE)
        yes, no = self.both(subject, is_none, kind if kind == ANY else remove_none(kind))
        result, true, false = self.decided(test, yes, no)
        return (result, true, false) if is_positive else (self.negate_test(result), false, true)

    def sentinel_kind(self, value: Expr) -> Type | None:
        """The type of an `object()` outside the function; None of any other value."""
        python = value.denotation.python if isinstance(value, Static) and isinstance(
            value.denotation, ObjectDenotation) else None
        return self.session.sentinel(python, value.span).type if is_sentinel(python) else None

    def sentinel_test(self, node: syntax.Compare, subject: syntax.Node, other: syntax.Node) -> Outcome | None:
        """`x is MISSING`, where x is one of several types; None for anything else."""
        before = self.here.copy()
        value, kind = self.expr(subject), self.sentinel_kind(self.expr(other))
        arms = arms_of(resolve(value.type))
        if kind is None or kind not in arms or len(arms) == 1 or is_silent(value) or isinstance(value, Static):
            self.env = before
            return None
        test = IsType(BOOL, node.span, value, kind)
        yes, no = self.both(subject, kind, union(*(arm for arm in arms if arm != kind)))
        result, true, false = self.decided(test, yes, no)
        return (result, true, false) if node.ops[0] in ("is", "==") else (self.negate_test(result), false, true)

    def negate_test(self, value: Expr) -> Expr:
        if isinstance(value, Do):
            return Do(BOOL, value.span, value.body, self.negate(value.value, value.span))
        return self.negate(value, value.span)

    def both(self, subject: syntax.Node, yes: Type, no: Type) -> tuple[Environment, Environment]:
        """Environments in which the subject, if it is a path, has been narrowed."""
        true, false = self.here, self.here.copy()
        for env, kind in ((true, yes), (false, no)):
            self.narrow_path(env, subject, kind)
        return true, false

    def narrow_path(self, env: Environment, subject: syntax.Node, kind: Type) -> None:
        path = self.path_of(subject)
        if path is None or kind == NEVER:
            return
        self.tested.add(path[-1])
        if len(path) > 1:
            env.paths[path] = kind
        elif path[0] in env.variables and env.variables[path[0]].static is None:
            env.narrow(path[0], kind)
            if self.spec.celled and (cell := self.cell_path(path[0])) is not None:
                env.paths[cell] = kind

    def isinstance_asked(self, node: syntax.Call) -> Outcome:
        """`isinstance(x, List[int])`, which Python refuses, asks what tsm.jit.isinstance does, as in TorchScript."""
        wanted = node.args[1].elts if isinstance(node.args[1], syntax.Tuple) else [node.args[1]]
        has_arguments = any(isinstance(each, syntax.Subscript) for each in wanted)
        return self.container_test(node) if has_arguments else self.isinstance_test(node)

    def isinstance_test(self, node: syntax.Call) -> Outcome:
        value = self.expr(node.args[0])
        if value.type == NEVER:
            return value, None, None
        if (told := self.isinstance_of_value(node, value)) is not None:
            return told
        classes = self.class_arms(node.args[1])
        if is_silent(value) or classes is None:
            return Const(ERROR, node.span, None), self.here, self.here.copy()
        return self.isinstance_outcome(node, value, classes)

    def isinstance_outcome(self, node: syntax.Call, value: Expr, classes: list[object]) -> Outcome:
        """Whether the value of a call's first argument is of one of these classes."""
        kind = resolve(value.type)
        if isinstance(value, Static):
            held = self.class_of_iterator(value.denotation) or class_of_static(value.denotation)
            test: Expr = boolean(node.span, any(isinstance(each, type) and issubclass(held, each) for each in classes))
            return self.decided(after(value.before, test), self.here, self.here.copy())
        if kind == ANY:
            return self.isinstance_any(node, value, classes)
        if kind == EXCEPTION:
            return self.isinstance_exception(node, value, classes)
        arms = arms_of(kind)
        if TENSOR in arms and any(map(is_kind_of_tensor, classes)):
            known = self.without_parameters(node, value, classes)
            if known is None:
                return Const(ERROR, node.span, None), self.here, self.here.copy()
            classes = known
        if EXCEPTION in arms and not {object, Exception, BaseException}.intersection(filter(None, classes)):
            return self.isinstance_part(node, value, classes)
        inside = [arm for arm in arms if any(self.is_instance_of(arm, python) for python in classes)]
        outside = [arm for arm in arms if arm not in inside]
        if not inside or not outside:
            test = boolean(node.span, bool(inside))
            if not is_idle(value):
                return self.decided(self.then(value, test), self.here, self.here.copy())
            return self.decided(test, self.here, self.here.copy())
        test = once(value, lambda x: any_of([IsType(BOOL, node.span, x, arm) for arm in inside]))
        yes, no = self.both(node.args[0], union(*inside), union(*outside))
        return test, yes, no

    def without_parameters(self, node: syntax.Call, value: Expr, classes: list[object]) -> list[object] | None:
        """Classes to ask a tensor for in the place of those with Parameter; None after reporting that nobody knows."""
        if any(self.is_instance_of(TENSOR, each) for each in classes):
            return classes
        info = self.module_info(value.value.type) if isinstance(value, GetAttribute) else None
        if info is None or not isinstance(value, GetAttribute):
            self.error(node, "whether a tensor is a Parameter is known of a module's own attributes only",
                       "ask isinstance(x, Tensor)")
            return None
        others = [each for each in classes if not is_kind_of_tensor(each)]
        return [*others, Tensor] if value.name in info.tensors[PARAMETERS] else others

    def callable_test(self, node: syntax.Call) -> Outcome:
        """`callable(x)`, which tells functions and instances that can be called from all else."""
        value = self.expr(node.args[0])
        if value.type == NEVER:
            return value, None, None
        if isinstance(value, Static):
            test: Expr = boolean(node.span, callable(getattr(value.denotation, "python", len)))
            return self.decided(after(value.before, test), self.here, self.here.copy())
        arms = [] if is_silent(value) else arms_of(resolve(value.type))
        inside = [arm for arm in arms if self.can_be_called(arm)]
        outside = [arm for arm in arms if arm not in inside]
        if not inside or not outside:
            test = value if is_silent(value) else self.then(value, boolean(node.span, bool(inside)))
            return self.decided(test, self.here, self.here.copy())
        test = once(value, lambda x: any_of([IsType(BOOL, node.span, x, arm) for arm in inside]))
        yes, no = self.both(node.args[0], union(*inside), union(*outside))
        return test, yes, no

    def class_of_iterator(self, denotation: Denotation) -> type | None:
        """The class in Python of an iterator that a variable holds; None of anything else."""
        if not isinstance(denotation, IteratorDenotation):
            return None
        made = denotation.node
        if isinstance(made, syntax.GeneratorExp) or isinstance(denotation.iteration, GeneratorCall):
            return python_types.GeneratorType
        called = made.func if isinstance(made, syntax.Call) else None
        if isinstance(called, syntax.Name) and self.is_builtin(called, called.id):
            python = getattr(builtins, called.id)
            return python if isinstance(python, type) else type(iter([]))
        return type(iter([]))

    def is_instance_of(self, kind: Type, python: object) -> bool:
        """Whether values of a static type are instances of a Python class."""
        if isinstance(python, type) and self.session.functions.is_generator(kind):
            return issubclass(python_types.GeneratorType, python)
        if isinstance(python, type) and is_runtime_protocol(python):
            return all(self.arm_has(kind, name) for name in protocol_members(python))
        own = self.python_class(kind)
        if own is None and isinstance(kind, ClassType) and kind.is_module:
            return is_root_of_modules(python)
        if own is None or not isinstance(python, type):
            return is_instance(kind, python)
        own, python = (getattr(each, "__tsm_stands_for__", each) for each in (own, python))
        return issubclass(own, python)

    def isinstance_exception(self, node: syntax.Call, value: Expr, classes: list[object]) -> Outcome:
        wanted = [item for item in classes if isinstance(item, type) and (item is object or is_exception(item))]
        test = once(value, lambda x: self.matches_any(x, wanted, node.span))
        true, false = self.here, self.here.copy()
        if wanted and not isinstance(test, Const):
            self.narrow_exception(true, node.args[0], wanted)
        return self.decided(test, true, false)

    def isinstance_part(self, node: syntax.Call, value: Expr, classes: list[object]) -> Outcome:
        """The same where the value may be an exception of any class, or something else."""
        wanted = [item for item in classes if isinstance(item, type) and is_exception(item)]

        def one(arm: Expr) -> Expr:
            if resolve(arm.type) == EXCEPTION and wanted:
                return self.matches_any(arm, wanted, node.span)
            return boolean(node.span, any(self.is_instance_of(arm.type, python) for python in classes))

        test, yes, no = self.each_arm(value, one), self.here, self.here.copy()
        if wanted and not any(self.is_instance_of(arm, each) for arm in arms_of(resolve(value.type))
                              if arm != EXCEPTION for each in classes):
            self.narrow_path(yes, node.args[0], EXCEPTION)
            self.narrow_exception(yes, node.args[0], wanted)
        return self.decided(test, yes, no)

    def class_arms(self, node: syntax.Node) -> list[object] | None:
        """The classes that the second argument of isinstance names; None after reporting."""
        items = node.elts if isinstance(node, syntax.Tuple) else [node]
        if isinstance(node, syntax.BinOp) and node.op == "|":
            items = [node.left, node.right]
        found: list[object] = []
        for item in items:
            value = self.expr(item)
            denotation = value.denotation if isinstance(value, Static) else None
            if isinstance(denotation, BuiltinDenotation):
                found.append(Size if denotation.name == "Size" else getattr(builtins, denotation.name, None))
            elif isinstance(denotation, ClassDenotation) and is_plain_class(denotation.python):
                if getattr(denotation.python, "_is_protocol", False) and not is_runtime_protocol(denotation.python):
                    self.error(item, f"isinstance with the protocol '{denotation.python.__name__}' raises TypeError",
                               "mark it @runtime_checkable")
                    return None
                found.append(denotation.python)
            elif isinstance(denotation, ClassDenotation) and (bare := bare_alias(denotation.python)) is not None:
                found.append(bare)
            elif isinstance(denotation, ContainerDenotation) and is_tuple_of_classes(denotation.python):
                found.extend(denotation.python)
            elif isinstance(value, Const) and value.type == NONE:
                found.append(type(None))
            elif classes := self.stored_classes(value):
                found.extend(classes)
            elif isinstance(value, MakeTuple):
                found.append(None)
            else:
                if value.type != ERROR:
                    text = value.value if isinstance(value, Const) and value.type == STR else None
                    self.error(item, "isinstance needs a class, or a tuple of classes, known at compile time",
                               f"write {text} without quotes" if text is not None else None)
                return None
        return found

    def truth_test(self, node: syntax.Node) -> Outcome | None:
        value = self.expr(node)
        kind = resolve(value.type)
        test = self.truth(value)
        if self.env is None or test.type == NEVER:
            return test, None, None
        if value.type in (STATIC, ERROR) or NONE not in arms_of(kind):
            return self.decided(test, self.here, self.here.copy())
        yes, no = self.both(node, remove_none(kind), kind)
        if kind == NONE:
            return self.decided(test, self.here, self.here.copy())
        if all(always_true(arm) for arm in arms_of(kind) if arm != NONE):
            self.narrow_path(no, node, NONE)
        return test, yes, no

    def truth_of_static(self, value: Static) -> Expr:
        opened = self.opened(value)
        if not isinstance(opened, Static):
            return self.truth(opened)
        denotation = value.denotation
        length: Expr | None = None
        if isinstance(denotation, KeywordsDenotation):
            return after(value.before, boolean(value.span, bool(denotation.variables)))
        if isinstance(denotation, ViewDenotation) and not denotation.is_method:
            length = operate("len.dict", self.one_dict(syntax.Node(value.span), denotation.receiver))
        elif isinstance(denotation, RangeDenotation):
            length = self.range_length(value.span, denotation)
        empty = Const(INT, value.span, 0)
        return after(value.before, boolean(value.span, True) if length is None else operate("ne.int", length, empty))

    def truth(self, value: Expr) -> Expr:
        """bool(value)."""
        if isinstance(value, Static):
            return self.truth_of_static(value)
        if is_silent(value):
            return value
        if self.speaks(TRUTH, value.type):
            return self.class_truth(value)
        value = as_tuple(self.plain(value))
        kind = resolve(value.type)
        if kind == BOOL:
            return value
        if self.flag_kind(kind) is not None:
            return operate("ne.int", self.flag_value(value), Const(INT, value.span, 0))
        if isinstance(kind, EnumType):
            return self.then(value, boolean(value.span, True))
        if isinstance(value, Const) and kind not in (TENSOR,):
            return boolean(value.span, bool(value.value))
        if kind == NONE:
            return self.then(value, boolean(value.span, False))
        if kind in (INT, FLOAT, STR, SCALAR, TENSOR):
            return self.operate(value, "bool()", [value])
        if isinstance(kind, TupleType) and not kind.is_variadic:
            return self.then(value, boolean(value.span, bool(kind.elements)))
        if isinstance(kind, (ListType, DictType, SetType, FrozenSetType, TupleType)):
            size = self.operate(value, "len()", [value])
            return operate("ne.int", size, Const(INT, value.span, 0))
        if isinstance(kind, OptionalType):
            inner = kind.inner

            def test(whole: Expr) -> Expr:
                is_none = IsType(BOOL, value.span, whole, NONE)
                rest = self.truth(Recast(inner, value.span, whole))
                return Choose(BOOL, value.span, is_none, boolean(value.span, False), rest, [])

            return once(value, test)
        if is_scalar(kind):
            return operate("bool.Scalar", to_scalar(value))
        if isinstance(kind, ClassType):
            info = self.module_info(kind)
            is_empty = info is not None and info.is_container and not info.children
            own = self.module_special(value, value, "__len__", [])  # type: ignore[arg-type]
            if own is not None:
                return self.truth(own)
            return self.then(value, boolean(value.span, not is_empty))
        if kind in (EXCEPTION, ANY):
            self.session.exceptions.is_weighed = True
            if self.session.exceptions.weighing:
                return self.error(value, "the truth of an exception of any class is not known here, as one of the "
                                  "script's classes defines __bool__ or __len__", "find out the class first")
        if kind in (DTYPE, DEVICE, EXCEPTION):
            return self.then(value, boolean(value.span, True))
        return operate("bool.any", to_any(value))


def is_tuple_of_classes(value: object) -> bool:
    return type(value) is tuple and all(map(is_plain_class, value))


def is_exception(python: type) -> bool:
    return issubclass(python, BaseException)


def class_of_static(denotation: Denotation) -> type:
    """The class in Python of what a denotation denotes."""
    if isinstance(denotation, (RangeDenotation, SliceDenotation)):
        return range if isinstance(denotation, RangeDenotation) else slice
    if isinstance(denotation, ViewDenotation) and not denotation.is_method:
        return type(getattr({}, denotation.view)())
    if isinstance(denotation, BuiltinDenotation):
        return type(getattr(builtins, denotation.name, len))
    if isinstance(denotation, (FunctionDenotation, ClosureDenotation)):
        return python_types.FunctionType
    if isinstance(denotation, MethodDenotation):
        return python_types.MethodType
    python = getattr(denotation, "python", None)
    return type(len) if python is None else type(python)


def is_kind_of_tensor(python: object) -> bool:
    """Whether it is Parameter, or another subclass of Tensor."""
    return isinstance(python, type) and issubclass(python, Tensor) and python is not Tensor
