"""Inference of functions as run-time values: in containers and attributes, chosen by `if`, returned.

In: denotations of functions where a value is needed. Out: instances of function classes, choices over them.
Holds: what is found out too late for the tree under construction starts the function's inference again.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from ....ir.types import ANY, EXCEPTION, STR, ClassType, DictType, ListType, SetType, Type, arms_of, has_arm
from ...compilation.specialise import Again
from ...core.conversions import once_all
from ...core.denotations import (
    ArmsDenotation,
    BuiltinDenotation,
    ClassDenotation,
    ClosureDenotation,
    ContainerDenotation,
    Denotation,
    FunctionDenotation,
    GraphDenotation,
    IteratorDenotation,
    MethodDenotation,
    ObjectDenotation,
    OperatorDenotation,
    RangeDenotation,
    SliceDenotation,
    TypeDenotation,
)
from ...core.function_values import (
    CONTENT,
    RECEIVER,
    Captured,
    FunctionInfo,
    WantsIdentities,
    function_name,
    holds_function,
)
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    STATIC,
    Const,
    Do,
    Expr,
    GetAttribute,
    Let,
    MakeObject,
    ReadTemp,
    SetAttribute,
    Static,
    Stmt,
    Temp,
    after,
    boolean,
    is_silent,
)
from ...objects.class_facts import is_enum, is_named_tuple, is_script_class
from ...objects.sentinels import is_sentinel
from ...parser import syntax
from ...parser.function_attributes import attribute_variable
from ...parser.syntax import Span
from ..base import InferenceBase
from ..operand_errors import class_name
from ..type_facts import converted_to
from .captures import Kept


class FunctionValueInference(InferenceBase):
    """Functions as values."""

    # From a denotation to a value

    def reify(self, value: Static) -> Expr | None:
        """A function known when compiling as a run-time value; None if it is no function, ERROR after reporting."""
        if isinstance(value.denotation, IteratorDenotation):
            return self.kept_iterator(value, value.denotation)
        if isinstance(value.denotation, RangeDenotation):
            return self.range_value(value, value.denotation)
        if isinstance(value.denotation, SliceDenotation):
            return self.kept_slice(value, value.denotation)
        if isinstance(value.denotation, ContainerDenotation):
            return self.opened(value)
        if isinstance(value.denotation, TypeDenotation):
            return self.stored_class(value, value.denotation)
        if isinstance(value.denotation, ObjectDenotation) and is_sentinel(value.denotation.python):
            return after(value.before, self.session.sentinel(value.denotation.python, value.span))
        return self.stored_function(value)

    def stored_class(self, value: Static, denotation: TypeDenotation) -> Expr | None:
        """The class of a value as a run-time value; None where scripts do not know all that it may be."""
        arms = arms_of(resolve(denotation.value.type))
        if any(arm in (ANY, EXCEPTION) or self.class_of_arm(arm) is None for arm in arms):
            return None

        def one(arm: Expr) -> Expr:
            python = self.class_of_arm(resolve(arm.type))
            made = None if python is None else self.stored_function(Static(STATIC, value.span, python))
            return made or self.error(value, "this class has no value in scripts")

        return after(value.before, self.each_arm(denotation.value, one))

    def stored_function(self, value: Static) -> Expr | None:
        """The same of a function."""
        denotation = value.denotation
        identity: object = denotation
        kept: Kept | None = []
        statics: dict[str, Denotation] = {}
        if isinstance(denotation, ClosureDenotation):
            identity = (denotation.source, denotation.outer)
            kept = self.kept_by(value.span, denotation, statics)
        elif isinstance(denotation, (MethodDenotation, OperatorDenotation, ArmsDenotation)):
            identity = (type(denotation), getattr(denotation, "source", function_name(denotation)))
            kept = self.kept_receiver(denotation, statics)
        elif not self.is_plain_function(denotation):
            return None
        if kept is None:
            return Const(ERROR, value.span, None)
        functions = self.session.functions
        info = functions.function(denotation, identity, [each for each, _ in kept], statics)
        if functions.has_grown:
            functions.has_grown = False
            self.session.specialiser.start_again()
            raise Again(self.spec)
        return after(value.before, self.made(value.span, info, kept))

    def is_plain_function(self, denotation: Denotation) -> bool:
        if isinstance(denotation, ClassDenotation):
            python = denotation.python
            if python is type(None) or isinstance(python, type) and issubclass(python, BaseException):
                return True
            return is_enum(python) or is_named_tuple(python) or is_script_class(python)
        return isinstance(denotation, (FunctionDenotation, BuiltinDenotation, GraphDenotation))

    def kept_receiver(
        self, denotation: MethodDenotation | OperatorDenotation | ArmsDenotation, statics: dict[str, Denotation]
    ) -> Kept:
        receiver = denotation.receiver
        if isinstance(receiver, Static):
            statics[RECEIVER] = receiver.denotation
        if receiver is None or isinstance(receiver, Static):
            return []
        return [(Captured(RECEIVER, "", RECEIVER, resolve(receiver.type), False), receiver)]

    def made(self, span: Span, info: FunctionInfo, kept: Kept) -> Expr:
        """A new instance of a function's class."""
        if not kept:
            return MakeObject(info.type, span)
        temp = Temp()
        whole = ReadTemp(info.type, span, temp)
        steps: list[Stmt] = [
            SetAttribute(span, whole, each.attribute, converted_to(value, each.type))
            for each, (_, value) in zip(info.captured, kept)
        ]
        return Let(info.type, span, temp, MakeObject(info.type, span), Do(info.type, span, steps, whole))

    # Containers of functions

    def widen_functions(self, values: Sequence[Expr]) -> None:
        """A function that goes into a container of other functions: the display that made it holds both."""
        owner = resolve(values[0].type) if values else STATIC
        if not isinstance(owner, (ListType, DictType, SetType)):
            return
        if isinstance(owner, DictType):
            self.widen_member(resolve(owner.key), values[1:2])
        self.widen_member(resolve(owner.members[-1]), values[2 if isinstance(owner, DictType) else 1:])

    def widen_member(self, member: Type, values: Sequence[Expr]) -> None:
        """The same of one type of elements, keys or values."""
        functions = self.session.functions
        if not functions.is_held(member):
            return
        wide: Type | None = member
        for kind in [resolve(arm) for value in values for arm in arms_of(resolve(value.type))]:
            if functions.is_held(kind) and wide is not None and kind != wide and not has_arm(wide, kind):
                wide = functions.merged(wide, kind)
        if wide is None or wide == member:
            return
        known = (self.spec, *self.session.specialiser.known.values())
        keys = {key for spec in known for key, kind in spec.displays.items() if resolve(kind) == member}
        functions.widened.update(dict.fromkeys(keys, wide))
        if self.session.classes.widen(member, wide) or keys:
            self.session.specialiser.start_again()
            raise Again(self.spec)

    # What else a function value can do

    def kept_attribute(
        self, node: syntax.Node, owner: Static, denotation: Denotation, name: str
    ) -> Expr | None:
        """What a function was given as an attribute: by the function around it, or outside the script."""
        if isinstance(denotation, ClosureDenotation):
            full = denotation.outer.find(attribute_variable(denotation.source.node.name, name))
            if full is not None and full in self.here.variables:
                return after(owner.before, self.read_variable(full, node.span))
        python = denotation.source.python if isinstance(denotation, FunctionDenotation) else None
        given = getattr(python, "__dict__", {})
        return after(owner.before, self.session.denote(given[name], node.span)) if name in given else None

    def stored_attribute(self, node: syntax.Node, value: Expr, info: FunctionInfo, name: str) -> Expr | None:
        """The same of a function that is a value."""
        denotation = info.denotation
        if isinstance(denotation, ClassDenotation):
            found = self.class_attribute_of(node, denotation.python, name)
            return (self.reify(found) or found) if isinstance(found, Static) else found
        if not isinstance(denotation, ClosureDenotation):
            return self.kept_attribute(node, Static(STATIC, node.span, denotation), denotation, name)
        full = denotation.outer.find(attribute_variable(denotation.source.node.name, name))
        each = next((each for each in info.captured if each.full == full), None)
        if each is None:
            return None
        held = GetAttribute(each.type, node.span, value, each.attribute)
        cell = resolve(each.type)
        if not each.is_cell or not isinstance(cell, ClassType):
            return held
        return GetAttribute(resolve(cell.attributes[CONTENT]), node.span, held, CONTENT)

    def function_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """`f.__name__`; of a generator, nothing."""
        if self.session.functions.is_generator(owner.type):
            return self.generator_attribute(node, owner, name)

        def one(value: Expr) -> Expr:
            info = self.session.functions.of(value.type)
            if info is None:
                return self.error(node, f"'{value.type}' has no attribute '{name}'")
            if name not in ("__name__", "__qualname__"):
                text = f"attribute '{name}' of a function is not supported in scripts"
                return self.stored_attribute(node, value, info, name) or self.error(node, text)
            text = function_name(info.denotation)
            if name == "__qualname__":
                python = getattr(getattr(info.denotation, "source", None), "python", None)
                text = getattr(python, name, "")
            if not text:
                return self.error(node, "'__qualname__' of this function is not supported in scripts")
            return self.then(value, self.session.denote(text, node.span))

        return self.each_arm(owner, one)

    def function_identity(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`is` and `==` with a function on one side; None if there is none."""
        functions = self.session.functions
        sides = [left, right]
        if not any(functions.may_be_function(side.type) for side in sides) and not all(map(is_known_function, sides)):
            return None
        for i, side in enumerate(sides):
            if isinstance(side, Static):
                made = self.reify(side)
                if made is None:
                    return self.then(sides[1 - i], boolean(node.span, op in ("is not", "!=")))
                sides[i] = made
        if any(functions.is_generator(side.type) for side in sides):
            return self.identity(node, "is" if op in ("is", "==") else "is not", sides[0], sides[1])
        refused = self.refuse_identity(node, op, *(side.type for side in sides))
        if refused is not None:
            return refused
        if is_silent(*sides):
            return self.silent(node.span, sides)
        same = once_all(sides, lambda held: self.each_arm(held[0], lambda a: self.each_arm(
            held[1], lambda b: self.same_function(node, a, b))))
        return self.negate(same, node.span) if op in ("is not", "!=") else same

    def order_of_functions(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`<` and its like with a function on one side raise a TypeError; None where neither side is one."""
        functions = self.session.functions
        if op in ("==", "!=") or is_silent(left, right) or not any(
            functions.may_be_function(side.type) for side in (left, right)
        ):
            return None
        if len(arms_of(resolve(left.type))) > 1 or len(arms_of(resolve(right.type))) > 1:
            return once_all([left, right], lambda held: self.each_arm(held[0], lambda a: self.each_arm(
                held[1], lambda b: self.relation(node, op, a, b))))
        names = [self.class_in_errors(side) for side in (left, right)]
        if None in names:
            return self.error(node, f"'{op}' of functions is not supported")
        text = f"'{op}' not supported between instances of '{names[0]}' and '{names[1]}'"
        return self.silent(node.span, [left, right, self.raise_error(node.span, "TypeError", text)])

    def class_in_errors(self, value: Expr) -> str | None:
        """What errors call the class of a value: of a function, or of one of Python's own classes."""
        info = self.session.functions.of(value.type)
        if info is None:
            return class_name(value.type)
        if isinstance(info.denotation, (FunctionDenotation, ClosureDenotation)):
            return "function"
        if isinstance(info.denotation, BuiltinDenotation):
            return type(getattr(builtins, info.denotation.name, len)).__name__
        named = {MethodDenotation: "method", ClassDenotation: "type"}
        return named.get(type(info.denotation))

    def refuse_identity(self, node: syntax.Node | Expr | Span, op: str, *kinds: Type) -> Expr | None:
        """A message where nothing says whether two functions of these types are one."""
        functions = self.session.functions
        arms = [arm for kind in kinds for arm in arms_of(resolve(kind)) if not functions.is_generator(arm)]
        infos = list(map(functions.of, arms))
        made = [info for info in infos if info is not None and not (info.is_single or info.is_bound)]
        if made and not self.session.functions.have_identities:
            raise WantsIdentities
        if any(info.identity_attribute is None for info in made):
            return self.error(node, f"'{op}' of functions that were made in a function is not supported",
                              "compare a name or a number that stands for it")
        if op in ("is", "is not") and any(info is not None and info.is_bound for info in infos):
            hint = f"write {'==' if op == 'is' else '!='}: a method is bound anew each time that it is read"
            return self.error(node, f"'{op}' of bound methods is not supported", hint)
        return None

    def same_function(self, node: syntax.Node, left: Expr, right: Expr) -> Expr:
        """Whether two functions are one: of one class, and methods of one object."""
        kind = resolve(left.type)
        info = self.session.functions.of(kind)
        where = None if info is None else info.identity_attribute or (
            RECEIVER if RECEIVER in info.type.attributes else None)
        if kind != resolve(right.type) or info is None or where is None:
            return boolean(node.span, kind == resolve(right.type))
        owner = info.type.attributes[where]
        sides = [GetAttribute(owner, node.span, side, where) for side in (left, right)]
        return self.identity(node, "is", *sides)

    def function_text(self, value: Expr) -> Expr | None:
        """repr() of a function as errors show it, without the address; None for any other value."""
        info = self.session.functions.of(value.type)
        if info is None:
            return None
        denotation = info.denotation
        python = getattr(denotation, "python", None) or getattr(builtins, getattr(denotation, "name", ""), None)
        shown = repr(python) if isinstance(python, type) else f"<function {function_name(denotation)}>"
        return self.then(value, Const(STR, value.span, shown))

    def refuse_functions(self, node: syntax.Node | Expr | Span, what: str, *kinds: Type) -> Expr | None:
        """A message where a value holds functions and that makes no sense; None where it holds none."""
        if any(map(holds_function, kinds)):
            return self.error(node, f"{what} of functions is not supported")
        return None


def is_known_function(value: Expr) -> bool:
    """Whether it is known when compiling as a function, or a method of an object."""
    denotation = value.denotation if isinstance(value, Static) else None
    receiver = denotation.receiver if isinstance(denotation, (MethodDenotation, OperatorDenotation)) else None
    is_method = receiver is not None and not isinstance(receiver, Static)
    return is_method or isinstance(denotation, (FunctionDenotation, ClosureDenotation))
