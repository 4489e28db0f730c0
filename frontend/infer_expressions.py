"""Inference of expressions: names, attributes, operators, conditions, displays, f-strings.

In: expression trees, and the type that the context wants as a hint for literals. Out: typed expressions.
Holds: `condition` evaluates once and gives the environments of both outcomes, which is all that refinement is.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from functools import reduce

from ..ir.types import (
    ANY,
    BOOL,
    COMPLEX,
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
    ListType,
    OptionalType,
    TupleType,
    Type,
    arms_of,
    union,
)
from . import syntax
from .constants import NotConstant, constant
from .conversions import (
    convert,
    is_number,
    is_scalar,
    narrowed,
    once,
    operate,
    remove_none,
    to_any,
    to_scalar,
)
from .denotations import (
    BuiltinDenotation,
    ClassDenotation,
    MethodDenotation,
    ModuleDenotation,
    ObjectDenotation,
    OperatorDenotation,
    SuperDenotation,
    ViewDenotation,
)
from .diagnostics import suggestion
from .environment import Environment, after_choice, merge
from .infer_base import InferenceBase
from .matcher import NoMatch, describe, match, match_mirrored, spelled
from .modules import ModuleInfo
from .placeholders import Placeholder, has_placeholder, join, resolve
from .syntax import Span
from .typed import (
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
    MakeDict,
    MakeList,
    MakeTuple,
    Operate,
    Read,
    ReadTemp,
    Recast,
    Static,
    Stmt,
    Temp,
    boolean,
    is_silent,
)

Outcome = tuple[Expr, Environment | None, Environment | None]
RELATIONS: dict[str, Callable[[object, object], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}
ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**")
METHODS = {"str": STR, "list": ListType, "dict": DictType}
VIEWS = ("keys", "values", "items")
LATER = {
    syntax.Lambda: ("'lambda' is not supported yet", "define a function at module level"),
    syntax.Set: ("sets are not supported yet", "use a list, or a dict with values True"),
    syntax.SetComp: ("sets are not supported yet", "use a list comprehension"),
    syntax.Await: ("'await' is not supported", None),
    syntax.Yield: ("generators are not supported yet", "build and return a list"),
    syntax.YieldFrom: ("generators are not supported yet", "build and return a list"),
    syntax.Slice: ("a slice can only stand in an index", None),
    syntax.Starred: ("a starred expression is not supported here", "write the elements out"),
}


class ExpressionInference(InferenceBase):
    """One method an expression class: `_Name`, `_BinOp`."""

    def expr(self, node: syntax.Node, want: Type | None = None) -> Expr:
        """The typed form of an expression; ERROR after a message, NEVER if it raises for sure."""
        refusal = LATER.get(type(node))
        if refusal is not None:
            return self.error(node, *refusal)
        method: Callable[[syntax.Node, Type | None], Expr] = getattr(self, f"_{type(node).__name__}")
        if self.env is None:
            return Const(ERROR, node.span, None)
        result = method(node, want)
        return result

    def value(self, node: syntax.Node, want: Type | None = None) -> Expr:
        """An expression that must have a run-time value."""
        result = self.expr(node, want)
        if isinstance(result, Static):
            reason = getattr(result.denotation, "reason", "")
            return self.error(node, reason or f"{result.denotation.describe()} has no value in scripts; call it")
        return result

    # Names and attributes

    def _Constant(self, node: syntax.Constant, want: Type | None) -> Expr:
        try:
            return constant(node.value, node.span)
        except NotConstant as error:
            if isinstance(node.value, int):
                return self.error(node, f"{error}", "use a float")
            return self.error(node, f"{error}")

    def local_name(self, name: str) -> str:
        """A comprehension's variable under the hidden name it has here."""
        for scope in reversed(self.renames):
            if name in scope:
                return scope[name]
        return name

    def _Name(self, node: syntax.Name, want: Type | None) -> Expr:
        name = self.local_name(node.id)
        state = self.here.variables.get(name)
        if state is None:
            if name not in self.source.locals and name == node.id:
                return self.outer_name(node)
            text = f"cannot access local variable '{node.id}' where it is not associated with a value"
            return self.raise_error(node.span, "UnboundLocalError", text)
        if state.is_conflict:
            return self.error(
                node, f"'{node.id}' denotes different functions or classes on different paths", "call them in the branches"
            )
        if state.static is not None:
            return Static(STATIC, node.span, state.static)
        if not state.is_bound:
            self.here.mark_bound(name)
            return Read(resolve(state.type), node.span, name, True, node.id)
        return Read(resolve(state.type), node.span, name, False, node.id)

    def outer_name(self, node: syntax.Name) -> Expr:
        try:
            value = self.source.lookup(node.id)
        except KeyError:
            known = [*self.here.variables, *getattr(self.source.python, "__globals__", ())]
            return self.error(node, f"name '{node.id}' is not defined", suggestion(node.id, map(str, known)))
        return self.session.denote(value, node.span)

    def path_of(self, node: syntax.Node) -> tuple[str, ...] | None:
        """The path of names of a variable's attribute, if an expression is one."""
        if isinstance(node, syntax.Name):
            return (self.local_name(node.id),)
        if isinstance(node, syntax.Attribute):
            path = self.path_of(node.value)
            return None if path is None else (*path, node.attr)
        if isinstance(node, syntax.NamedExpr):
            return self.path_of(node.target)
        return None

    def _Attribute(self, node: syntax.Attribute, want: Type | None) -> Expr:
        owner = self.expr(node.value)
        return self.attribute(node, owner, node.attr, self.path_of(node))

    def attribute(self, node: syntax.Node, owner: Expr, name: str, path: tuple[str, ...] | None) -> Expr:
        if isinstance(owner, Static):
            return self.static_attribute(node, owner, name)
        if is_silent(owner):
            return self.silent(node.span, [owner])
        kind = resolve(owner.type)
        if isinstance(kind, ClassType):
            return self.object_attribute(node, owner, kind, name, path)
        if spelled(f".{name}:"):
            rows = [row for row in spelled(f".{name}:") if row.schema.params[0].type == kind]
            if rows:
                return self.operate(node, f".{name}:", [owner], (), rows)
        if isinstance(kind, DictType) and name in VIEWS:
            return Static(STATIC, node.span, ViewDenotation(owner, name))
        if any(is_receiver(row.schema.params[0].type, kind) for row in spelled(f".{name}")):
            return Static(STATIC, node.span, OperatorDenotation(f".{name}", owner))
        if isinstance(kind, OptionalType) or NONE in arms_of(kind):
            return self.error(node, f"{kind} may be None here and has no attribute '{name}'",
                              "test it first: `if x is not None:`")
        known = [
            spelling[1:].rstrip(":") for spelling in all_methods() if any(
                is_receiver(row.schema.params[0].type, kind) for row in spelled(spelling)
            )
        ]
        return self.error(node, f"'{kind}' has no attribute '{name}' in scripts", suggestion(name, known))

    def static_attribute(self, node: syntax.Node, owner: Static, name: str) -> Expr:
        denotation = owner.denotation
        if isinstance(denotation, SuperDenotation):
            return self.super_attribute(node, denotation, name)
        python = getattr(denotation, "python", None)
        if isinstance(denotation, (ModuleDenotation, ClassDenotation)) and not isinstance(python, type):
            if not hasattr(python, name):
                known = suggestion(name, dir(python))
                return self.error(node, f"module '{python.__name__}' has no attribute '{name}'", known)
            return self.session.denote(getattr(python, name), node.span)
        if isinstance(python, type) and name != "__name__" and hasattr(python, name):
            value = inspect.getattr_static(python, name)
            if not callable(value) and not isinstance(value, (property, staticmethod, classmethod)):
                return self.session.denote(value, node.span)
        if isinstance(denotation, ObjectDenotation):
            return self.error(node, denotation.reason)
        return self.error(node, f"attribute '{name}' of {denotation.describe()} is not supported in scripts")

    def super_attribute(self, node: syntax.Node, denotation: SuperDenotation, name: str) -> Expr:
        info = self.module_info(denotation.receiver.type)
        assert info is not None
        order = info.python.__mro__
        for base in order[order.index(denotation.owner) + 1 :]:
            if name in base.__dict__:
                found = base.__dict__[name]
                if inspect.isfunction(found):
                    return Static(STATIC, node.span, MethodDenotation(self.session.source(found, base), denotation.receiver))
                break
        return self.error(node, f"no base class of '{denotation.owner.__name__}' has a method '{name}'")

    def module_info(self, kind: Type) -> ModuleInfo | None:
        kind = resolve(kind)
        return self.session.modules.info.get(kind) if isinstance(kind, ClassType) else None

    def object_attribute(
        self, node: syntax.Node, owner: Expr, kind: ClassType, name: str, path: tuple[str, ...] | None
    ) -> Expr:
        if name in kind.attributes:
            value: Expr = GetAttribute(kind.attributes[name], node.span, owner, name)
            known = self.here.paths.get(path) if path is not None else None
            return value if known is None else narrowed(value, known)
        info = self.module_info(kind)
        if info is None:
            return self.error(node, f"'{kind}' has no attribute '{name}'")
        if name in info.constants:
            return self.session.denote(info.constants[name], node.span)
        if name in info.refused:
            return self.error(node, f"attribute '{name}' cannot be used: {info.refused[name]}")
        try:
            found = inspect.getattr_static(info.python, name)
        except AttributeError:
            known_names = [*kind.attributes, *info.constants, *(n for n in dir(info.python) if not n.startswith("_"))]
            return self.error(node, f"'{kind}' has no attribute '{name}'", suggestion(name, known_names))
        return self.class_attribute(node, owner, info, name, found)

    def class_attribute(self, node: syntax.Node, owner: Expr, info: ModuleInfo, name: str, found: object) -> Expr:
        base = next(base for base in info.python.__mro__ if name in base.__dict__)
        if isinstance(found, staticmethod):
            return self.session.denote(found.__func__, node.span)
        if isinstance(found, property) and found.fget is not None:
            return self.invoke_source(node.span, self.session.source(found.fget, base), [owner], [])
        if isinstance(found, classmethod):
            return self.error(node, "class methods are not supported yet", "make it a static method or a function")
        if inspect.isfunction(found) or hasattr(found, "__wrapped__"):
            return Static(STATIC, node.span, MethodDenotation(self.session.source(found, base), owner))
        return self.session.denote(found, node.span)

    # Operators

    def _BinOp(self, node: syntax.BinOp, want: Type | None) -> Expr:
        hint = want if node.op in "+*" and isinstance(want, ListType) else None
        left = self.value(node.left, hint)
        right = self.value(node.right, hint if node.op == "+" else None)
        return self.binary(node, node.op, left, right)

    def binary(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        if is_silent(left, right):
            return self.silent(node.span, [left, right])
        a, b = resolve(left.type), resolve(right.type)
        if op in ARITHMETIC and is_scalar(a) and is_scalar(b) and (len(arms_of(a)) > 1 or len(arms_of(b)) > 1):
            return self.mixed_arithmetic(node, op, left, right)
        if op == "+" and isinstance(a, TupleType) and isinstance(b, TupleType):
            joined = self.tuple_sum(node, left, right)
            if joined is not None:
                return joined
        if op == "*":
            repeated = self.repeated(node, left, right)
            if repeated is not None:
                return repeated
        if op == "%" and a == STR:
            return self.error(node, "str % values is not supported yet", "write an f-string")
        if op == "/" and b == NONE or a == NONE:
            pass
        try:
            result = match(f"_{op}_", [left, right])
        except NoMatch as failure:
            return self.error(node, self.operand_message(op, left, right), self.operand_hint(a, b) or hint_of(failure))
        result.span = node.span
        return result

    def operand_message(self, op: str, left: Expr, right: Expr) -> str:
        return f"unsupported operand types for {op}: {describe(left)} and {describe(right)}"

    def operand_hint(self, a: Type, b: Type) -> str | None:
        for kind in (a, b):
            if NONE in arms_of(kind) and kind != NONE:
                return "it may be None here; test it first: `if x is not None:`"
        if (a == STR) != (b == STR) and (is_number(a) or is_number(b)):
            return "write str(...) to make text of a number"
        return None

    def mixed_arithmetic(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        """Numbers of which at least one has its kind only at run time."""
        a, b = resolve(left.type), resolve(right.type)
        if FLOAT in (a, b) and is_number(a) and is_number(b):
            first, second = convert(left, FLOAT), convert(right, FLOAT)
            assert first is not None and second is not None
            return self.operate(node, f"_{op}_", [first[0], second[0]])
        result = self.operate(node, f"_{op}_", [to_scalar(left), to_scalar(right)])
        kinds = [number_result(op, x, y) for x in arms_of(a) for y in arms_of(b)]
        return narrowed(result, union(*kinds)) if is_number(a) and is_number(b) else result

    def tuple_sum(self, node: syntax.Node, left: Expr, right: Expr) -> Expr | None:
        a, b = resolve(left.type), resolve(right.type)
        assert isinstance(a, TupleType) and isinstance(b, TupleType)
        if a.is_variadic or b.is_variadic:
            if len(set(a.elements + b.elements)) > 1:
                return None
            kind = TupleType((a.elements[0],), True)
            lists = [self.operate(node, "list()", [side]) for side in (left, right)]
            both = operate("add.list", *lists, result=ListType(kind.elements[0]))
            return operate("tuple.list", both, result=kind)
        whole = TupleType(a.elements + b.elements)
        return once(left, lambda x: once(right, lambda y: MakeTuple(
            whole, node.span, [*tuple_items(x, a), *tuple_items(y, b)])))

    def repeated(self, node: syntax.Node, left: Expr, right: Expr) -> Expr | None:
        """n * sequence, and a tuple times a constant."""
        a, b = resolve(left.type), resolve(right.type)
        if a in (INT, BOOL) and (b == STR or isinstance(b, (ListType, TupleType))):
            return once(left, lambda count: once(right, lambda value: self.binary(node, "*", value, count)))
        if isinstance(a, TupleType) and not a.is_variadic and b in (INT, BOOL) and isinstance(right, Const):
            count = max(int(right.value), 0)
            if count * len(a.elements) > 1000:
                return self.error(node, "this tuple would have more than 1000 elements", "use a list")
            whole = TupleType(a.elements * count)
            return once(left, lambda x: MakeTuple(whole, node.span, tuple_items(x, a) * count))
        return None

    def _UnaryOp(self, node: syntax.UnaryOp, want: Type | None) -> Expr:
        if node.op == "not":
            return self.negate(self.truth(self.expr(node.operand)), node.span)
        if node.op == "-" and isinstance(node.operand, syntax.Constant):
            literal = node.operand.value
            if type(literal) in (int, float, complex):
                return self._Constant(syntax.Constant(node.span, -literal), want)
        value = self.value(node.operand)
        if is_silent(value):
            return self.silent(node.span, [value])
        kind = resolve(value.type)
        if is_scalar(kind) and len(arms_of(kind)) > 1 and node.op in "+-":
            result = self.operate(node, f"{node.op}_", [to_scalar(value)])
            kinds = [INT if arm == BOOL else arm for arm in arms_of(kind)]
            return narrowed(result, union(*kinds)) if kind != SCALAR else result
        try:
            result = match(f"{node.op}_", [value])
        except NoMatch:
            return self.error(node, f"bad operand type for unary {node.op}: {describe(value)}", self.operand_hint(kind, kind))
        result.span = node.span
        return result

    def negate(self, value: Expr, span: Span) -> Expr:
        if isinstance(value, Const) and value.type == BOOL:
            return boolean(span, not value.value)
        return value if is_silent(value) else operate("not.bool", value)

    # Conditions

    def condition(self, node: syntax.Node) -> Outcome:
        """A condition as a bool, and what is known where it is true and where it is false (None: it cannot be)."""
        if isinstance(node, syntax.UnaryOp) and node.op == "not":
            value, true, false = self.condition(node.operand)
            return self.negate(value, node.span), false, true
        if isinstance(node, syntax.BoolOp):
            return self.short_circuit(node.op, node.values, node.span)
        narrowing = self.narrowing(node)
        if narrowing is None:
            value = self.truth(self.expr(node))
            if self.env is None or value.type == NEVER:
                self.evaluate(value)
                self.env = None
            return self.decided(value, self.env, self.env.copy() if self.env is not None else None)
        return narrowing

    def decided(self, value: Expr, true: Environment | None, false: Environment | None) -> Outcome:
        """Takes away the outcome that a constant excludes."""
        if isinstance(value, Const) and value.type == BOOL:
            return (value, true, None) if value.value else (value, None, false)
        inner = value.value if isinstance(value, Do) else None
        if isinstance(inner, Const) and inner.type == BOOL:
            return (value, true, None) if inner.value else (value, None, false)
        return value, true, false

    def short_circuit(self, op: str, nodes: Sequence[syntax.Node], span: Span) -> Outcome:
        """a and b and ...: conditions from left to right, each where the ones before allow it."""
        entry = self.here
        value, true, false = self.condition(nodes[0])
        for node in nodes[1:]:
            value, true, false = self.and_then(op, value, true, false, node, entry)
        return value, true, false

    def and_then(
        self, op: str, left: Expr, true: Environment | None, false: Environment | None, node: syntax.Node,
        entry: Environment,
    ) -> Outcome:
        is_and = op == "and"
        start, other = (true, false) if is_and else (false, true)
        if start is None:
            return left, true, false
        self.env = start
        entry = start.copy() if other is None else entry
        right, right_true, right_false = self.condition(node)
        if other is None:
            return (self.then(left, right), right_true, right_false)
        joined, carried = merge([other, right_true, right_false], None, entry)
        short = boolean(left.span, not is_and)
        value: Expr
        if is_silent(left):
            value = left
        elif is_and:
            value = Choose(BOOL, left.span, left, right, short, carried)
        else:
            value = Choose(BOOL, left.span, left, short, right, carried)
        right_true = after_choice(right_true, joined, carried)
        right_false = after_choice(right_false, joined, carried)
        other = after_choice(other, joined, carried)
        assert joined is not None
        if is_and:
            return value, right_true, merge([other, right_false], None, joined)[0]
        return value, merge([other, right_true], None, joined)[0], right_false

    def then(self, first: Expr, second: Expr) -> Expr:
        """Evaluates both, for the second's value."""
        if isinstance(first, Const):
            return second
        return Do(second.type, second.span, [Evaluate(first.span, first)], second)

    def narrowing(self, node: syntax.Node) -> Outcome | None:
        """Tests that tell arms of a type apart: None, isinstance, truth of an Optional. None if `node` is no such test."""
        if isinstance(node, syntax.Compare) and len(node.ops) == 1 and node.ops[0] in ("is", "is not", "==", "!="):
            left, right = node.left, node.comparators[0]
            for subject, other in ((left, right), (right, left)):
                if isinstance(other, syntax.Constant) and other.value is None:
                    return self.none_test(node, subject, node.ops[0] in ("is", "=="))
            return None
        if isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and node.func.id == "isinstance":
            if len(node.args) == 2 and self.is_builtin(node.func, "isinstance"):
                return self.isinstance_test(node)
            return None
        if isinstance(node, (syntax.Name, syntax.Attribute, syntax.NamedExpr)):
            return self.truth_test(node)
        return None

    def is_builtin(self, node: syntax.Name, name: str) -> bool:
        if node.id in self.source.locals:
            return False
        value = self.outer_name(node)
        return isinstance(value, Static) and value.denotation == BuiltinDenotation(name)

    def none_test(self, node: syntax.Node, subject: syntax.Node, is_positive: bool) -> Outcome:
        value = self.expr(subject)
        if is_silent(value):
            self.env = None if value.type == NEVER else self.env
            return self.silent(node.span, [value]), self.env, self.env and self.env.copy()
        kind = resolve(value.type)
        if value.type == STATIC or NONE not in (ANY, *arms_of(kind)) and kind != ANY:
            test: Expr = self.then(value, boolean(node.span, False)) if not isinstance(value, Static) else boolean(
                node.span, False)
        elif kind == NONE:
            test = self.then(value, boolean(node.span, True))
        else:
            test = IsType(BOOL, node.span, value, NONE)
        yes, no = self.both(subject, NONE, kind if kind == ANY else remove_none(kind))
        value, yes, no = self.decided(test, yes, no)
        return (value, yes, no) if is_positive else (self.negate_test(value), no, yes)

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
        if len(path) > 1:
            env.paths[path] = kind
        elif path[0] in env.variables and env.variables[path[0]].static is None:
            env.narrow(path[0], kind)

    def isinstance_test(self, node: syntax.Call) -> Outcome:
        value = self.expr(node.args[0])
        classes = self.class_arms(node.args[1])
        if is_silent(value) or classes is None:
            kind = ERROR if classes is None else value.type
            if kind == NEVER:
                self.env = None
            return Const(ERROR, node.span, None), self.env, self.env and self.env.copy()
        kind = resolve(value.type)
        if kind == ANY:
            return self.isinstance_any(node, value, classes)
        arms = arms_of(kind)
        inside = [arm for arm in arms if any(is_instance(arm, python) for python in classes)]
        outside = [arm for arm in arms if arm not in inside]
        if not inside or not outside:
            test = boolean(node.span, bool(inside) and not isinstance(value, Static))
            if not isinstance(value, (Static, Const, Read)):
                return self.decided(self.then(value, test), self.here, self.here.copy())
            return self.decided(test, self.here, self.here.copy())
        test = once(value, lambda x: any_of([IsType(BOOL, node.span, x, arm) for arm in inside]))
        yes, no = self.both(node.args[0], union(*inside), union(*outside))
        return test, yes, no

    def isinstance_any(self, node: syntax.Call, value: Expr, classes: list[object]) -> Outcome:
        kinds: list[Type] = []
        for python in classes:
            found = ANY_ARMS.get(getattr(python, "__name__", ""))
            if found is None:
                return self.error(node, f"isinstance of Any cannot test '{python}'"), self.env, self.env
            kinds.extend(found)
        test = once(value, lambda x: any_of([IsType(BOOL, node.span, x, arm) for arm in kinds]))
        yes, no = self.both(node.args[0], union(*kinds), ANY)
        return test, yes, no

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
                import builtins

                found.append(getattr(builtins, denotation.name))
            elif isinstance(denotation, ClassDenotation):
                found.append(denotation.python)
            elif isinstance(value, Const) and value.type == NONE:
                found.append(type(None))
            elif isinstance(value, MakeTuple):
                found.append(None)
            else:
                if value.type != ERROR:
                    self.error(item, "isinstance needs a class, or a tuple of classes, known at compile time")
                return None
        return found

    def truth_test(self, node: syntax.Node) -> Outcome | None:
        value = self.expr(node)
        kind = resolve(value.type)
        test = self.truth(value)
        if self.env is None or test.type == NEVER:
            self.evaluate(test)
            self.env = None
            return test, None, None
        if value.type in (STATIC, ERROR) or NONE not in arms_of(kind):
            return self.decided(test, self.here, self.here.copy())
        yes, no = self.both(node, remove_none(kind), kind)
        if kind == NONE:
            return self.decided(test, self.here, self.here.copy())
        if all(always_true(arm) for arm in arms_of(kind) if arm != NONE):
            self.narrow_path(no, node, NONE)
        return test, yes, no

    def truth(self, value: Expr) -> Expr:
        """bool(value)."""
        if isinstance(value, Static):
            return boolean(value.span, True)
        if is_silent(value):
            return value
        kind = resolve(value.type)
        if kind == BOOL:
            return value
        if isinstance(value, Const) and kind not in (TENSOR,):
            return boolean(value.span, bool(value.value))
        if kind == NONE:
            return self.then(value, boolean(value.span, False))
        if kind in (INT, FLOAT, STR, SCALAR, TENSOR):
            return self.operate(value, "bool()", [value])
        if isinstance(kind, TupleType) and not kind.is_variadic:
            return self.then(value, boolean(value.span, bool(kind.elements)))
        if isinstance(kind, (ListType, DictType, TupleType)):
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
            return self.then(value, boolean(value.span, not is_empty))
        if kind in (DTYPE, EXCEPTION):
            return self.then(value, boolean(value.span, True))
        return operate("bool.any", to_any(value))

    def _BoolOp(self, node: syntax.BoolOp, want: Type | None) -> Expr:
        return self.operand_of(node.op, node.values, node.span, want)

    def operand_of(self, op: str, nodes: Sequence[syntax.Node], span: Span, want: Type | None) -> Expr:
        """`a and b` as a value: the operand that decides, at the union of what the operands can be then."""
        if len(nodes) == 1:
            return self.value(nodes[0], want)
        entry = self.here
        left = self.value(nodes[0], want)
        if is_silent(left):
            return left
        kind = resolve(left.type)
        if kind == BOOL:
            return self.bool_operand(op, nodes, span, want, left)
        temp = Temp()
        read = ReadTemp(kind, left.span, temp)
        test = self.truth(read)
        if isinstance(test, Const):
            is_left = bool(test.value) != (op == "and")
            return left if is_left else self.then(left, self.operand_of(op, nodes[1:], span, want))
        kept = remove_none(kind) if op == "or" else kind
        if op == "and" and isinstance(kind, OptionalType) and always_true(kind.inner):
            kept = NONE
        true, false = self.both(nodes[0], remove_none(kind) if NONE in arms_of(kind) else kind, kind)
        start, other = (true, false) if op == "and" else (false, true)
        self.env = start
        right = self.operand_of(op, nodes[1:], span, want)
        self.env, carried = merge([other, self.env if right.type != NEVER else None], None, entry)
        if right.type == ERROR:
            return right
        whole = join(kept, resolve(right.type))
        first, second = convert(narrowed(read, kept), whole), convert(right, whole)
        assert first is not None and second is not None
        arms = (second[0], first[0]) if op == "and" else (first[0], second[0])
        return Let(whole, span, temp, left, Choose(whole, span, test, arms[0], arms[1], carried))

    def bool_operand(self, op: str, nodes: Sequence[syntax.Node], span: Span, want: Type | None, left: Expr) -> Expr:
        """A bool on the left: known on each side, so refinement by conditions works as in `if`."""
        entry = self.here
        test, true, false = self.reconsider(nodes[0], left)
        start, other = (true, false) if op == "and" else (false, true)
        if start is None:
            return left
        self.env = start
        right = self.operand_of(op, nodes[1:], span, want)
        if other is None:
            return self.then(test, right)
        self.env, carried = merge([other, self.env if right.type != NEVER else None], None, entry)
        if right.type == ERROR:
            return right
        whole = join(BOOL, resolve(right.type))
        decided, second = convert(boolean(span, op == "or"), whole), convert(right, whole)
        assert decided is not None and second is not None
        arms = (second[0], decided[0]) if op == "and" else (decided[0], second[0])
        return Choose(whole, span, test, arms[0], arms[1], carried)

    def reconsider(self, node: syntax.Node, left: Expr) -> Outcome:
        """The condition form of an operand whose value form is known to be a bool."""
        if not isinstance(node, (syntax.Compare, syntax.Call, syntax.UnaryOp, syntax.BoolOp)):
            return self.decided(left, self.here, self.here.copy())
        if any(isinstance(inner, syntax.NamedExpr) for inner in syntax.walk(node)):
            return self.decided(left, self.here, self.here.copy())
        return self.condition(node)

    def _IfExp(self, node: syntax.IfExp, want: Type | None) -> Expr:
        entry = self.here
        test, true, false = self.condition(node.test)
        if true is None and false is None:
            return Const(ERROR, node.span, None) if test.type == ERROR else test
        if true is None or false is None:
            self.env = true if false is None else false
            return self.then(test, self.expr(node.body if false is None else node.orelse, want))
        self.env = true
        first = self.value(node.body, want)
        after_first = self.env if first.type != NEVER else None
        self.env = false
        second = self.value(node.orelse, want)
        after_second = self.env if second.type != NEVER else None
        self.env, carried = merge([after_first, after_second], None, entry)
        if ERROR in (first.type, second.type, test.type):
            self.env = self.env or entry
            return Const(ERROR, node.span, None)
        kind = join(first.type, second.type)
        arms = [arm if arm.type == NEVER else converted_to(arm, kind) for arm in (first, second)]
        return Choose(kind, node.span, test, arms[0], arms[1], carried)

    def _Compare(self, node: syntax.Compare, want: Type | None) -> Expr:
        if len(node.ops) == 1:
            narrowing = self.narrowing(node)
            if narrowing is not None:
                value, true, false = narrowing
                self.env = merge([true, false], None, true or false or Environment())[0]
                return value
        left = self.expr(node.left)
        return self.chain(node, left, list(zip(node.ops, node.comparators)))

    def chain(self, node: syntax.Compare, left: Expr, rest: list[tuple[str, syntax.Node]]) -> Expr:
        op, comparator = rest[0]
        want = resolve(left.type) if isinstance(comparator, (syntax.List, syntax.Dict)) else None
        if len(rest) == 1:
            return self.compare(node, op, left, self.expr(comparator, want))
        if is_silent(left):
            return left

        def middle(first: Expr) -> Expr:
            entry = self.here
            right = self.expr(comparator, want)
            if is_silent(right):
                return right

            def use(second: Expr) -> Expr:
                test = self.compare(node, op, first, second)
                if is_silent(test):
                    return test
                before = self.here.copy()
                tail = self.chain(node, second, rest[1:])
                self.env, carried = merge([before, self.env], None, entry)
                if is_silent(tail):
                    return tail
                if test.type == BOOL and tail.type == BOOL:
                    return Choose(BOOL, node.span, test, tail, boolean(node.span, False), carried)
                return once(test, lambda t: Choose(
                    join(t.type, tail.type), node.span, self.truth(t), converted_to(tail, join(t.type, tail.type)),
                    converted_to(t, join(t.type, tail.type)), carried))

            return once(right, use)

        return once(left, middle)

    def compare(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        if op in ("is", "is not"):
            return self.identity(node, op, left, right)
        if is_silent(left, right):
            return self.silent(node.span, [left, right])
        for side in (left, right):
            if isinstance(side, Static):
                return self.error(side, f"{side.denotation.describe()} cannot be compared with '{op}'")
        if op in ("in", "not in"):
            found = self.contains(node, left, right)
            return self.negate(found, node.span) if op == "not in" else found
        return self.relation(node, op, left, right)

    def relation(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        a, b = resolve(left.type), resolve(right.type)
        if isinstance(left, Const) and isinstance(right, Const) and (a == b == STR or is_number(a) and is_number(b)):
            return boolean(node.span, RELATIONS[op](left.value, right.value))
        if op in ("==", "!=") and NONE in (a, b):
            other = b if a == NONE else a
            if NONE not in arms_of(other) and other != ANY:
                return self.then(left, self.then(right, boolean(node.span, op == "!=")))
        if is_scalar(a) and is_scalar(b) and (len(arms_of(a)) > 1 or len(arms_of(b)) > 1):
            return self.operate(node, f"_{op}_", [to_scalar(left), to_scalar(right)])
        rows = [row for row in spelled(f"_{op}_") if row.overload != "any"]
        try:
            result = match(f"_{op}_", [left, right], (), rows)
        except NoMatch:
            mirrored = match_mirrored(f"_{op}_", left, right)
            return mirrored if mirrored is not None else self.relation_of_any(node, op, left, right)
        result.span = node.span
        return result

    def relation_of_any(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        """== of anything is allowed in Python; order only where both sides are sequences of one kind."""
        a, b = resolve(left.type), resolve(right.type)
        is_ordered = type(a) is type(b) and isinstance(a, (ListType, TupleType)) or ANY in (a, b)
        if op not in ("==", "!=") and not is_ordered:
            hint = self.operand_hint(a, b)
            return self.error(node, f"'{op}' is not supported between {describe(left)} and {describe(right)}", hint)
        if TENSOR in (a, b):
            return self.error(node, f"a Tensor cannot be compared with {b if a == TENSOR else a}")
        for side in (left, right):
            if has_placeholder(side.type):
                convert(left, right.type)
        name = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}[op]
        return operate(f"{name}.any", to_any(left), to_any(right))

    def contains(self, node: syntax.Node, item: Expr, owner: Expr) -> Expr:
        kind = resolve(owner.type)
        if isinstance(owner, Static):
            return self.error(owner, f"'in' does not work with {owner.denotation.describe()}")
        if isinstance(kind, TupleType) and not kind.is_variadic:
            return self.contains_in_tuple(node, item, owner, kind)
        if not (kind in (STR, ANY) or isinstance(kind, (ListType, DictType, TupleType))):
            return self.error(node, f"'in' is not supported for {describe(owner)}", self.operand_hint(kind, kind))

        def use(first: Expr) -> Expr:
            def test(second: Expr) -> Expr:
                rows = [row for row in spelled("_in_") if row.overload != "any"]
                try:
                    result = match("_in_", [second, first], (), rows)
                    if not (isinstance(result, Operate) and is_rounded(result.operands[1])):
                        return result
                except NoMatch as failure:
                    if kind == STR:
                        return self.error(node, failure.message())
                return operate("contains.any", to_any(second), to_any(first))

            return once(owner, test)

        return once(item, use)

    def contains_in_tuple(self, node: syntax.Node, item: Expr, owner: Expr, kind: TupleType) -> Expr:
        def use(first: Expr) -> Expr:
            def test(second: Expr) -> Expr:
                parts = [self.relation(node, "==", part, first) for part in tuple_items(second, kind)]
                return any_of([self.truth(part) for part in parts]) if parts else boolean(node.span, False)

            return once(owner, test)

        return once(item, use)

    def identity(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        if isinstance(left, Static) and isinstance(right, Static):
            is_same = left.denotation == right.denotation
            return boolean(node.span, is_same == (op == "is"))
        if is_silent(left, right):
            return self.silent(node.span, [left, right])
        if isinstance(left, Static) or isinstance(right, Static):
            return boolean(node.span, op == "is not")
        a, b = resolve(left.type), resolve(right.type)
        for kind in (a, b):
            wrong = [arm for arm in arms_of(kind) if not has_identity(arm)]
            if wrong:
                return self.error(node, f"'{op}' on {wrong[0]} is not supported: its values have no identity", "write " + (
                    "==" if op == "is" else "!="))
        if a == b == BOOL:
            same: Expr = operate("eq.bool", left, right)
        elif a == b == DTYPE:
            same = operate("eq.dtype", left, right)
        else:
            same = operate("is.any", to_any(left), to_any(right))
        return self.negate(same, node.span) if op == "is not" else same

    def _NamedExpr(self, node: syntax.NamedExpr, want: Type | None) -> Expr:
        value = self.expr(node.value, want)
        with self.collect() as statements:
            self.renames, outer = [], self.renames
            try:
                self.assign(node.target, value)
                result = self.expr(node.target) if self.env is not None else value
            finally:
                self.renames = outer
        if isinstance(result, Static) or is_silent(result):
            return result
        return Do(result.type, node.span, statements, result)

    # Displays

    def _Tuple(self, node: syntax.Tuple, want: Type | None) -> Expr:
        wants: list[Type | None] = [None] * len(node.elts)
        wanted = next((arm for arm in arms_of(resolve(want)) if isinstance(arm, TupleType)), None) if want else None
        if wanted is not None:
            wants = list(wanted.elements) * (len(node.elts) if wanted.is_variadic else 1)
        items: list[Expr] = []
        lets: list[tuple[Temp, Expr]] = []
        is_starred = any(isinstance(item, syntax.Starred) for item in node.elts)
        for i, item in enumerate(node.elts):
            value = self.value(item.value if isinstance(item, syntax.Starred) else item, wants[i] if i < len(wants) else None)
            if is_starred and not is_silent(value):
                lets.append((Temp(), value))
                value = ReadTemp(value.type, value.span, lets[-1][0])
            if not isinstance(item, syntax.Starred) or is_silent(value):
                items.append(value)
                continue
            kind = resolve(value.type)
            if not isinstance(kind, TupleType) or kind.is_variadic:
                return self.error(item, "only a tuple of known length can be starred here", "write tuple([...])")
            items.extend(tuple_items(value, kind))
        if is_silent(*items):
            return self.silent(node.span, items)
        result: Expr = MakeTuple(TupleType(tuple(resolve(item.type) for item in items)), node.span, items)
        for temp, value in reversed(lets):
            result = Let(result.type, node.span, temp, value, result)
        return result

    def _List(self, node: syntax.List, want: Type | None) -> Expr:
        wanted = next((arm for arm in arms_of(resolve(want)) if isinstance(arm, ListType)), None) if want else None
        element = wanted.element if wanted is not None else None
        if not node.elts:
            return MakeList(ListType(element or self.placeholder(node)), node.span, [])
        if any(isinstance(item, syntax.Starred) for item in node.elts):
            return self.starred_list(node, element)
        items = [self.value(item, element) for item in node.elts]
        if is_silent(*items):
            return self.silent(node.span, items)
        kind, items = self.common(items, element)
        return MakeList(ListType(kind), node.span, items)

    def starred_list(self, node: syntax.List, element: Type | None) -> Expr:
        """[*a, b]: lists added up."""
        parts: list[Expr] = []
        for item in node.elts:
            if isinstance(item, syntax.Starred):
                parts.append(self.list_from(item.value))
            else:
                value = self.value(item, element)
                parts.append(value if is_silent(value) else MakeList(ListType(resolve(value.type)), item.span, [value]))
        if len(parts) == 1:
            return parts[0]
        return reduce(lambda a, b: self.binary(node, "+", a, b), parts)

    def common(self, items: list[Expr], element: Type | None) -> tuple[Type, list[Expr]]:
        """Elements of one display at one type: the wanted one if all go there, else their union."""
        if element is not None:
            converted = [convert(item, element) for item in items]
            if all(pair is not None for pair in converted):
                return resolve(element), [pair[0] for pair in converted if pair is not None]
        kind = join(*(item.type for item in items))
        return kind, [converted_to(item, kind) for item in items]

    def _Dict(self, node: syntax.Dict, want: Type | None) -> Expr:
        wanted = next((arm for arm in arms_of(resolve(want)) if isinstance(arm, DictType)), None) if want else None
        if not node.keys:
            key = wanted.key if wanted else self.placeholder(node, "key")
            value = wanted.value if wanted else self.placeholder(node, "value")
            return MakeDict(DictType(key, value), node.span, [])
        if any(key is None for key in node.keys):
            return self.error(node, "'**' in a dict display is not supported yet", "write d.copy() and update()")
        keys, values = [], []
        for key_node, value_node in zip(node.keys, node.values):
            assert key_node is not None
            keys.append(self.value(key_node, wanted.key if wanted else None))
            values.append(self.value(value_node, wanted.value if wanted else None))
        if is_silent(*keys, *values):
            return self.silent(node.span, [*keys, *values])
        key_kind, keys = self.common(keys, wanted.key if wanted else None)
        value_kind, values = self.common(values, wanted.value if wanted else None)
        if not key_kind.is_hashable:
            return self.error(node, f"{key_kind} cannot be a dict key here", "use keys of one type: int, str, bool, float, tuple")
        items = [item for pair in zip(keys, values) for item in pair]
        return MakeDict(DictType(key_kind, value_kind), node.span, items)

    def placeholder(self, node: syntax.Node, part: str = "") -> Placeholder:
        """The unknown element type of an empty display, the same one in every round of a fixpoint."""
        key = (id(node), part)
        found = self.placeholders.get(key)
        if found is None:
            found = self.placeholders[key] = Placeholder()
        return found

    def _JoinedStr(self, node: syntax.JoinedStr, want: Type | None) -> Expr:
        parts: list[Expr] = []
        for item in node.values:
            if isinstance(item, syntax.FormattedValue):
                parts.append(self.formatted(item))
            else:
                parts.append(self.expr(item))
        if is_silent(*parts):
            return self.silent(node.span, parts)
        if not parts:
            return Const(STR, node.span, "")
        if len(parts) <= 2:
            return reduce(lambda a, b: operate("add.str", a, b), parts)
        return operate("str.join", Const(STR, node.span, ""), MakeList(ListType(STR), node.span, parts))

    def formatted(self, node: syntax.FormattedValue) -> Expr:
        value = self.value(node.value)
        if node.format_spec is not None:
            return self.error(node.format_spec, "format specifications in f-strings are not supported yet",
                              "use round(x, n) or str()")
        if node.conversion == "a":
            return self.error(node, "the conversion !a is not supported", "write !r")
        return self.text_of(value, "repr.any" if node.conversion == "r" else "str.any")

    def text_of(self, value: Expr, row: str = "str.any") -> Expr:
        """str(value), or repr(value)."""
        if isinstance(value, Static):
            return self.error(value, f"{value.denotation.describe()} cannot be printed in scripts")
        if is_silent(value) or (resolve(value.type) == STR and row == "str.any"):
            return value
        return operate(row, to_any(value))


def tuple_items(whole: Expr, kind: TupleType) -> list[Expr]:
    """The elements of a tuple of known length; `whole` is trivial to evaluate, or a display."""
    from .typed import TupleItem

    if isinstance(whole, MakeTuple):
        return list(whole.items)
    return [TupleItem(element, whole.span, whole, i) for i, element in enumerate(kind.elements)]


def converted_to(value: Expr, kind: Type) -> Expr:
    """A value at a union that has its type as an arm."""
    from .conversions import has_arm

    source, kind = resolve(value.type), resolve(kind)
    if source == kind or source in (NEVER, ERROR):
        return value
    if has_arm(kind, source):
        return Recast(kind, value.span, value)
    converted = convert(value, kind)
    return value if converted is None else converted[0]


def any_of(tests: Sequence[Expr]) -> Expr:
    """or of bools that have no effects."""
    result = tests[-1]
    for test in reversed(tests[:-1]):
        result = Choose(BOOL, test.span, test, boolean(test.span, True), result, [])
    return result


def number_result(op: str, a: Type, b: Type) -> Type:
    """Type of Python's arithmetic on two kinds of number."""
    if COMPLEX in (a, b):
        return COMPLEX
    return FLOAT if op == "/" or FLOAT in (a, b) else INT


def is_instance(kind: Type, python: object) -> bool:
    """Whether values of a static type are instances of a Python class."""
    name = getattr(python, "__name__", "")
    if python is int:
        return kind in (INT, BOOL)
    if python is object:
        return True
    if isinstance(kind, ListType):
        return name == "list"
    if isinstance(kind, DictType):
        return name == "dict"
    if isinstance(kind, TupleType):
        return name == "tuple"
    if kind == NONE:
        return name == "NoneType"
    return name == str(kind) or (kind == DTYPE and name == "DType")


ANY_ARMS: dict[str, tuple[Type, ...]] = {
    "int": (INT, BOOL), "float": (FLOAT,), "bool": (BOOL,), "str": (STR,), "complex": (COMPLEX,), "Tensor": (TENSOR,),
    "NoneType": (NONE,),
}


def always_true(kind: Type) -> bool:
    """Whether every value of the type is true."""
    return isinstance(kind, ClassType) or kind in (DTYPE, EXCEPTION) or (
        isinstance(kind, TupleType) and not kind.is_variadic and bool(kind.elements)
    )


def has_identity(kind: Type) -> bool:
    return kind in (NONE, BOOL, TENSOR, DTYPE, ANY) or isinstance(kind, (ListType, DictType, ClassType))


def is_receiver(pattern: Type, kind: Type) -> bool:
    """Whether a method's first parameter may be of this type."""
    if isinstance(pattern, TupleType) or isinstance(kind, TupleType):
        return isinstance(pattern, TupleType) and isinstance(kind, TupleType)
    if isinstance(pattern, (ListType, DictType)):
        return type(pattern) is type(kind)
    return pattern == kind


def all_methods() -> list[str]:
    from ..ir.operators import OPERATORS

    return sorted({s for row in OPERATORS.values() for s in row.spellings if s.startswith(".")})


def is_rounded(value: Expr) -> bool:
    """Whether a conversion of an int to float may have changed it."""
    return isinstance(value, Operate) and value.row.full_name == "float.int"


def hint_of(failure: NoMatch) -> str | None:
    return None


def statements_of(value: Expr) -> list[Stmt]:
    return value.body if isinstance(value, Do) else []
