"""Inference of builtin functions that take values: print, len, isinstance, getattr, numbers and text.

In: their calls. Out: operator rows, constants that types decide.
Holds: what a builtin refuses is said in its own words, with what to write instead.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from ....binding.tensor import Tensor
from ....ir.operators import spelled as rows_spelled
from ....ir.types import (
    ANY,
    BOOL,
    COMPLEX,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    TupleType,
    Type,
    arms_of,
    become_keys,
)
from ...compilation.frames import MARK
from ...core.constants import constant
from ...core.conversions import as_exception, as_tuple, is_idle, is_scalar, narrowed, once, once_all, to_scalar
from ...core.denotations import (
    BuiltinDenotation,
    ClassDenotation,
    ClosureDenotation,
    FunctionDenotation,
    KeywordsDenotation,
    ModuleDenotation,
    RangeDenotation,
    SuperDenotation,
    ViewDenotation,
)
from ...core.exception_types import is_exception
from ...core.matcher import describe, readable_set
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    STATIC,
    Const,
    Do,
    Evaluate,
    Expr,
    IsType,
    MakeTuple,
    Static,
    after,
    boolean,
    is_silent,
)
from ...objects.class_facts import find, is_enum
from ...objects.function_source import own_nodes
from ...objects.library_refusals import STAYS
from ...parser import syntax
from ...prelude import exceptions as prelude_exceptions
from ...prelude import numbers as prelude_numbers
from ..base import InferenceBase
from ..classes.number_methods import ASKED
from ..environment import Environment, merge
from ..hints import none_hint
from ..operand_errors import length_error
from ..parts import Named
from ..type_facts import any_of, hashes_identity, is_receiver
from .names import BUILTIN_MEMBERS

ITERATORS = ("range", "zip", "enumerate", "reversed", "map", "filter", "iter")
ADVICE = {
    "memoryview": "use bytes",
    "input": "pass the text as an argument", "open": "read the file outside and pass its contents",
    "set": "use a list, or a dict with values True", "eval": STAYS, "exec": STAYS, "compile": STAYS,
    "id": "compare with 'is'", "object": "make it outside the function: MISSING = object()",
    "vars": "name the attributes: {'x': p.x}", "dir": "name the attributes",
    "globals": "name the variables", "locals": "name the variables: {'x': x}",
    "super": "call super().method(...) inside a module's method",
}


def sample_function() -> None:
    """Has what every function has."""


class BuiltinInference(InferenceBase):
    """One method a builtin: `_call_len`."""

    def call_builtin(self, node: syntax.Call, name: str, want: Type | None) -> Expr:
        self.note_views(node, name)
        method = getattr(self, f"_call_{name.replace('.', '_')}", None)
        if method is not None:
            return method(node, want)
        owner, _, member = name.rpartition(".")
        if (owner, member) in BUILTIN_MEMBERS:
            return self.call_unbound(node, owner, member, want)
        if name in ITERATORS:
            return self.stored_range(node) if name == "range" else self.stored_iterator(node)
        if not rows_spelled(f"{name}()"):
            return self.error(node.func, f"the builtin '{name}' is not supported in scripts", ADVICE.get(name))
        values, named = [self.value(argument) for argument in node.args], self.keywords(node)
        if not values:
            return self.empty_call(node, name, named)
        return self.operate(node, f"{name}()", values, named)

    def keywords(self, node: syntax.Call) -> Named:
        named: Named = []
        for keyword in node.keywords:
            if keyword.arg is None:
                self.error(keyword, "'**' in a call is not supported yet", "write the keyword arguments out")
            else:
                named.append((keyword.arg, self.value(keyword.value)))
        return named

    def empty_call(self, node: syntax.Call, name: str, named: Named) -> Expr:
        empty = {"int": 0, "float": 0.0, "str": "", "bool": False}
        if name in empty and not named:
            return constant(empty[name], node.span)
        return self.error(node, f"{name}() needs an argument")

    def takes(self, node: syntax.Call, least: int, most: int, allowed: Sequence[str] = ()) -> bool:
        """Checks the number of arguments of a builtin."""
        name = node.func.id if isinstance(node.func, syntax.Name) else "it"
        for argument in node.args:
            if isinstance(argument, syntax.Starred):
                self.error(argument, "'*' is not supported in a call of a builtin", "write the arguments out")
                return False
        for keyword in node.keywords:
            if keyword.arg not in allowed:
                self.error(keyword, f"{name}() has no parameter '{keyword.arg}' here")
                return False
        if not least <= len(node.args) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            self.error(node, f"{name}() takes {wanted} argument{'s' * (most != 1)}, got {len(node.args)}")
            return False
        return True

    def wrong(self, node: syntax.Node) -> Expr:
        return Const(ERROR, node.span, None)

    def builtin_name(self, span: syntax.Span, name: str) -> syntax.Name:
        """A name for a builtin, whatever the script calls so."""
        full = f"{MARK}builtin.{name}"
        self.here.store(full, STATIC, BuiltinDenotation(name))
        return syntax.Name(span, full)

    def _call_isinstance(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 2, 2):
            return self.wrong(node)
        value, true, false = self.isinstance_asked(node)
        self.env = merge([true, false], None, true or false or Environment())[0]
        return value

    def _call_len(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        value = self.opened(self.expr(node.args[0]))
        view = value.denotation if isinstance(value, Static) else None
        if isinstance(value, Static) and isinstance(view, ViewDenotation) and not view.is_method:
            value = after(value.before, view.receiver)
        if isinstance(value, Static) and is_enum(getattr(value.denotation, "python", None)):
            value = self.members(node, value.denotation.python)  # type: ignore[attr-defined]
        if isinstance(value, Static) and isinstance(value.denotation, KeywordsDenotation):
            return after(value.before, Const(INT, node.span, len(value.denotation.variables)))
        if isinstance(value, Static) and isinstance(value.denotation, RangeDenotation):
            return after(value.before, self.range_length(node.span, value.denotation))
        if isinstance(value, Static) or self.is_lazy(node.args[0]):
            return value if value.type == ERROR else self.error(node, f"len() does not work with {describe(value)}")
        if is_silent(value):
            return value
        if self.speaks(("__len__",), value.type):
            return self.each_arm(value, lambda arm: self.class_length(arm) if self.speaks(("__len__",), arm.type) else (
                self.length_of(node, arm)))
        if (flag := self.flag_kind(value.type)) is not None:
            return self.flag_length(value, flag)
        value = readable_set(as_tuple(self.plain(value)))
        kind = resolve(value.type)
        if len(arms_of(kind)) < 2:
            return self.length_of(node, value)
        found = self.length_of_arms(node, value, lambda arm: self.length_of(node, arm))
        if found is None and NONE in arms_of(kind):
            return self.length_of(node, value)
        return found or self.each_arm(value, lambda arm: self.length_of(node, arm))

    def length_of(self, node: syntax.Call, value: Expr) -> Expr:
        """len() of a value of one type."""
        value = readable_set(as_tuple(value))
        kind = resolve(value.type)
        info = self.module_info(kind)
        if info is not None and info.is_container:
            return Const(INT, node.span, len(info.children))
        own = self.module_special(node, value, "__len__", [])
        if own is not None:
            return own
        if isinstance(kind, TupleType) and not kind.is_variadic:
            return Do(INT, node.span, [Evaluate(node.span, value)], Const(INT, node.span, len(kind.elements)))
        if kind == ANY:
            return self.length_of_any(node, value)
        if not any(is_receiver(row.schema.params[0].type, kind) for row in rows_spelled("len()")):
            raised = ("TypeError", length_error(value.type))
            return self.wrong_or_left(node, raised, f"{describe(value)} has no len()", none_hint(value), [value])
        return self.operate(node, "len()", [value])

    def _call_hasattr(self, node: syntax.Call, want: Type | None) -> Expr:
        found = self.named_attribute(node, 2)
        if found is None:
            return self.wrong(node)
        owner, name = found
        if not isinstance(name, str):
            return self.computed_hasattr(node, owner, name)
        if is_silent(owner):
            return self.silent(node.span, [owner])
        info = self.module_info(owner.type)
        if info is not None:
            names = {*info.type.attributes, *info.constants, *info.refused}
            return boolean(node.span, name in names or hasattr(info.python, name))
        if isinstance(owner, Static):
            is_function = isinstance(owner.denotation, (FunctionDenotation, ClosureDenotation))
            python = sample_function if is_function else getattr(owner.denotation, "python", None)
            if isinstance(owner.denotation, BuiltinDenotation):
                python = getattr(builtins, owner.denotation.name, None)
            return boolean(node.span, hasattr(python, name) or self.is_kept_attribute(node, owner, name))
        kind = resolve(owner.type)
        if kind == ANY:
            return self.has_member_of_any(node, owner, name)
        if name == "__notes__" and all(map(is_exception, arms_of(kind))):
            return self.each_arm(owner, lambda one: self.by_prelude(
                node, prelude_exceptions.has_notes, [as_exception(one)]))
        if EXCEPTION in arms_of(kind) and not hasattr(Exception, name):
            return self.unknown_member(node, name)
        if any(self.may_decline_to_give(arm, name) for arm in arms_of(kind)):
            return self.declined_by_property(node, name)
        having = [arm for arm in arms_of(kind) if self.arm_has(arm, name)]
        if any(self.may_lack(arm, name) for arm in having):
            return self.each_arm(owner, lambda one: self.is_set(node, one, name) if self.may_lack(one.type, name) else (
                boolean(node.span, resolve(one.type) in having)))
        if having and len(having) < len(arms_of(kind)):
            return once(owner, lambda x: any_of([IsType(BOOL, node.span, x, arm) for arm in having]))
        answer = boolean(node.span, bool(having))
        return answer if is_idle(owner) else self.then(owner, answer)

    def may_decline_to_give(self, kind: Type, name: str) -> bool:
        """Whether a class has a property of this name that raises AttributeError itself."""
        python = self.session.classes.python_of(kind)
        found = None if python is None else find(python, name)
        getter = found[1].fget if found is not None and isinstance(found[1], property) else None
        if found is None or getter is None:
            return False
        raised = [each.exc for each in own_nodes(self.session.source(getter, found[0]).node)
                  if isinstance(each, syntax.Raise)]
        names = [each.func if isinstance(each, syntax.Call) else each for each in raised]
        return any(isinstance(each, syntax.Name) and each.id == "AttributeError" for each in names)

    def declined_by_property(self, node: syntax.Call, name: str) -> Expr:
        return self.error(node, f"the property '{name}' may raise AttributeError, which is not caught here",
                          f"write try: x.{name} except AttributeError: ...")

    def is_kept_attribute(self, node: syntax.Node, owner: Static, name: str) -> bool:
        """Whether a function was given an attribute of its own."""
        return self.kept_attribute(node, owner, owner.denotation, name) is not None

    def unknown_member(self, node: syntax.Call, name: str) -> Expr:
        return self.error(node, f"whether an exception of any class has '{name}' is not known",
                          "find out its class first: if isinstance(e, MyError)")

    def arm_has(self, kind: Type, name: str) -> bool:
        """Whether values of a type have an attribute in Python."""
        if kind in (TENSOR, EXCEPTION):
            return hasattr(Tensor if kind == TENSOR else Exception, name)
        function = self.session.functions.of(kind)
        if function is not None and isinstance(function.denotation, (FunctionDenotation, ClosureDenotation)):
            return hasattr(sample_function, name)
        denotation = self.class_of_arm(kind)
        if isinstance(denotation, BuiltinDenotation):
            return hasattr(getattr(builtins, denotation.name, None), name)
        python = getattr(denotation, "python", None)
        if python is not None and is_enum(python):
            return hasattr(next(iter(python), None), name)
        known = hasattr(python, name) if kind == NONE else self.has_member(kind, name)
        if known is not None:
            return known
        rows = [*rows_spelled(f".{name}"), *rows_spelled(f".{name}:")]
        return any(is_receiver(row.schema.params[0].type, kind) for row in rows)

    def _call_getattr(self, node: syntax.Call, want: Type | None) -> Expr:
        found = self.named_attribute(node, 3)
        if found is None:
            return self.wrong(node)
        owner, name = found
        if not isinstance(name, str):
            return self.computed_getattr(node, owner, name)
        denotation = owner.denotation if isinstance(owner, Static) else None
        if len(node.args) == 3 and isinstance(denotation, ModuleDenotation) and not hasattr(denotation.python, name):
            return self.value(node.args[2])
        if len(node.args) == 3 and resolve(owner.type) == ANY:
            return self.member_of_any_or(node, owner, name, self.value(node.args[2]))
        info = self.module_info(owner.type)
        if len(node.args) == 3 and info is not None:
            if name not in {*info.type.attributes, *info.constants} and not hasattr(info.python, name):
                return self.value(node.args[2])
        if len(node.args) == 3 and name == "__notes__" and all(map(is_exception, arms_of(resolve(owner.type)))):
            return self.each_arm(owner, lambda one: self.notes_or(node, as_exception(one)))
        if len(node.args) == 3 and EXCEPTION in arms_of(resolve(owner.type)) and not hasattr(Exception, name):
            return self.unknown_member(node, name)
        arms = arms_of(resolve(owner.type))
        if len(node.args) == 3 and any(self.may_decline_to_give(arm, name) for arm in arms):
            return self.declined_by_property(node, name)
        is_made = not isinstance(node.args[1], syntax.Constant) and not self.runs_for_sure(node)
        if is_made and len(node.args) == 2 and self.has_member(owner.type, name) is False:
            return self.then(owner, self.absent(node, owner, Const(STR, node.span, name)))
        if len(node.args) == 3 and len(arms) > 1 and all(self.has_member(arm, name) is False for arm in arms):
            return self.then(owner, self.value(node.args[2]))
        lacking = self.arms_or_none_without(owner, name) if len(node.args) == 3 else []
        if lacking or len(node.args) == 3 and any(self.may_lack(arm, name) for arm in arms):
            return self.attribute_or(node, owner, name, self.value(node.args[2]), lacking)
        if len(node.args) == 3 and self.has_member(owner.type, name) is False:
            other = self.value(node.args[2])
            return other if is_idle(owner) else self.then(owner, other)
        return self.attribute(node, owner, name, None)

    def attribute_or(self, node: syntax.Call, owner: Expr, name: str, other: Expr, lacking: list[Type]) -> Expr:
        """An attribute where the class has it, else the default."""
        def one(value: Expr, default: Expr) -> Expr:
            if self.may_lack(value.type, name):
                return self.set_or(node, value, name, default)
            found = default if resolve(value.type) in lacking else self.attribute(node, value, name, None)
            made = self.reify(found) if isinstance(found, Static) else None
            return found if made is None else made

        if is_silent(other):
            return self.silent(node.span, [owner, other])
        return once_all([owner, other], lambda held: self.each_arm(held[0], lambda arm: one(arm, held[1])))

    def _call_setattr(self, node: syntax.Call, want: Type | None) -> Expr:
        """`x.name = value`, the name a constant."""
        return self.set_by_name(node) if self.takes(node, 3, 3) else self.wrong(node)

    def _call_object___setattr__(self, node: syntax.Call, want: Type | None) -> Expr:
        """`object.__setattr__(self, "name", value)`, as frozen dataclasses do in `__post_init__`."""
        return self.set_by_name(node, is_thawed=True) if self.takes(node, 3, 3) else self.wrong(node)

    def known_name(self, node: syntax.Call, name: Expr) -> str | Expr | None:
        """The text where it is known when compiling; None after reporting."""
        if isinstance(name, Const) and name.type == STR:
            return str(name.value)
        if resolve(name.type) == STR:
            texts = self.text_form(node.args[1]).texts
            return texts[0] if texts is not None and len(texts) == 1 else name
        if name.type != ERROR:
            self.error(node.args[1], f"attribute name must be string, not '{describe(name)}'")
        return None

    def has_member(self, kind: Type, name: str) -> bool | None:
        """Whether an instance of a script class has an attribute; None for values of other types."""
        python = self.session.classes.python_of(kind)
        if python is None:
            return None
        info = self.class_info(kind)
        if info is None or hasattr(python, name):
            return hasattr(python, name)
        if name in info.type.attributes or self.session.classes.guess(info, name):
            return True
        info.missed.add(name)
        return False

    def named_attribute(self, node: syntax.Call, most: int) -> tuple[Expr, str | Expr] | None:
        if not self.takes(node, 2, most):
            return None
        owner, name = self.expr(node.args[0]), self.expr(node.args[1])
        if owner.type == ERROR:
            return None
        known = self.known_name(node, name)
        return None if known is None else (owner, known)

    def _call_super(self, node: syntax.Call, want: Type | None) -> Expr:
        full = self.frame.prefix + self.source.params[0].arg if self.source.params else ""
        state = self.here.variables.get(full)
        if len(node.args) == 2 and not node.keywords and (told := self.super_of_told(node)) is not None:
            return told
        if state is not None and isinstance(state.static, ClassDenotation) and not node.args and self.source.owner:
            receiver: Expr = Static(STATIC, node.span, state.static)
            return Static(STATIC, node.span, SuperDenotation(self.source.owner, receiver))
        if node.args or self.source.owner is None or state is None or not self.has_parent(state.type):
            return self.error(node, "super() works without arguments in a method only")
        receiver = self.read_hidden(full, node.span)
        return Static(STATIC, node.span, SuperDenotation(self.source.owner, receiver))

    def super_of_told(self, node: syntax.Call) -> Expr | None:
        """`super(Base, self)`: None where the class or the object is none that has such a base."""
        above, receiver = self.expr(node.args[0]), self.expr(node.args[1])
        if is_silent(above, receiver):
            return self.silent(node.span, [above, receiver])
        owner = getattr(above.denotation, "python", None) if isinstance(above, Static) else None
        held = receiver.denotation if isinstance(receiver, Static) else None
        python = held.python if isinstance(held, ClassDenotation) else self.python_class(receiver.type)
        if not (isinstance(owner, type) and isinstance(python, type) and issubclass(python, owner)):
            return None
        return Static(STATIC, node.span, SuperDenotation(owner, receiver))

    def has_parent(self, kind: Type) -> bool:
        return self.module_info(kind) is not None or self.session.classes.python_of(kind) is not None

    def _call_divmod(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 2, 2):
            return self.wrong(node)
        left, right = self.value(node.args[0]), self.value(node.args[1])
        if is_silent(left, right):
            return self.silent(node.span, [left, right])
        return self.binary(node, "divmod()", left, right)

    def divided(self, node: syntax.Node, left: Expr, right: Expr) -> Expr:
        """divmod() of numbers, tensors and what is told apart at run time."""
        if self.has_instances(left.type, right.type):
            text = f"unsupported operand types for divmod(): {describe(left)} and {describe(right)}"
            return self.error(node, text, "define __divmod__ in the class")
        arms = {arm for value in (left, right) for arm in arms_of(resolve(value.type))}
        if FLOAT in arms and arms <= {BOOL, INT, FLOAT}:
            return self.by_prelude(node, prelude_numbers.divmod_of, [left, right])

        def parts(a: Expr, b: Expr) -> Expr:
            quotient, rest = self.binary(node, "//", a, b), self.binary(node, "%", a, b)
            if is_silent(quotient, rest):
                return self.silent(node.span, [quotient, rest])
            return MakeTuple(TupleType((quotient.type, rest.type)), node.span, [quotient, rest])

        return once(left, lambda a: once(right, lambda b: parts(a, b)))

    def _call_pow(self, node: syntax.Call, want: Type | None) -> Expr:
        names = [keyword.arg for keyword in node.keywords]
        if names and names == ["base", "exp", "mod"][len(node.args) : len(node.args) + len(names)]:
            args = [*node.args, *(keyword.value for keyword in node.keywords)]
            return self._call_pow(syntax.Call(node.span, node.func, args, []), want)
        if not self.takes(node, 2, 3):
            return self.wrong(node)
        values = [self.value(argument) for argument in node.args]
        if len(values) == 3 and not is_silent(*values) and self.defines(values[0].type, "__pow__"):
            return self.call_member(node.span, values[0], "__pow__", values[1:])
        if len(values) == 3:
            return self.operate(node, "pow()", values)
        return self.binary(node, "**", *values)

    def _call_str(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 3, ("encoding", "errors")):
            return self.wrong(node)
        if len(node.args) > 1 or (node.args and node.keywords):
            return self.decoded(node, self.value(node.args[0]), node.args[1:])
        return self.text_of(self.expr(node.args[0])) if node.args else Const(STR, node.span, "")

    def _call_repr(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.text_of(self.expr(node.args[0]), "repr.any") if self.takes(node, 1, 1) else self.wrong(node)

    def _call_bool(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1):
            return self.wrong(node)
        return self.truth(self.expr(node.args[0])) if node.args else boolean(node.span, False)

    def _call_callable(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        value, true, false = self.callable_test(node)
        self.env = merge([true, false], None, true or false or Environment())[0]
        return value

    def _call_hash(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        value = self.value(node.args[0])
        if self.is_number_member(value.type) and not self.hashes_itself(value.type):
            value = self.plain(value)
        kind = resolve(value.type)
        if self.hashes_itself(kind):
            return self.key_hash(node, value, False)
        if self.has_instances(kind):
            return self.class_hash(node, value)
        if not is_silent(value) and not all(arm.is_hashable for arm in arms_of(kind)):
            return self.unhashable(node, [value], f"unhashable type: {describe(value)}")
        if hashes_identity(kind):
            return self.error(node, f"the hash of {describe(value)} depends on the address of an instance",
                              "define __hash__ in the class")
        become_keys(kind)
        return self.operate(node, "hash()", [value])

    def _call_abs(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.number_call(node, "abs")

    def _call_round(self, node: syntax.Call, want: Type | None) -> Expr:
        values = [self.plain(self.value(argument)) for argument in node.args]
        named = self.keywords(node)
        if len(values) == 2 and resolve(values[1].type) == NONE:
            values.pop()
        if not values or is_silent(*values) or not is_scalar(resolve(values[0].type)):
            if values and not named and not is_silent(*values) and self.has_instances(values[0].type):
                return self.rounded_instance(node, values)
            return self.operate(node, "round()", values, named)

        def use(held: list[Expr]) -> Expr:
            rest, options = held[1 : len(values)], list(zip((name for name, _ in named), held[len(values) :]))
            return self.each_arm(held[0], lambda arm: self.operate(node, "round()", [arm, *rest], options))

        return once_all([*values, *(value for _, value in named)], use)

    def number_call(self, node: syntax.Call, name: str) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        value = self.value(node.args[0])
        if not is_silent(value) and self.speaks(ASKED[name], value.type):
            return self.number_of_instance(node, name, value)
        value = self.plain(value)
        kind = resolve(value.type)
        if not is_silent(value) and is_scalar(kind) and len(arms_of(kind)) > 1:
            value = to_scalar(value)
        elif STR in arms_of(kind) and len(arms_of(kind)) > 1 and set(arms_of(kind)) <= {BOOL, INT, FLOAT, STR}:
            return self.each_arm(value, lambda arm: self.operate(node, f"{name}()", [arm]))
        found = self.operate(node, f"{name}()", [value])
        return narrowed(found, FLOAT) if name == "abs" and kind == COMPLEX and not is_silent(found) else found

    def _call_int(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.number_of(node, "int")

    def _call_float(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.number_of(node, "float")

    def number_of(self, node: syntax.Call, name: str) -> Expr:
        if name == "int" and len(node.args) + len(node.keywords) == 2:
            return self.operate(node, "int()", [self.value(argument) for argument in node.args], self.keywords(node))
        if len(node.args) > 1 or node.keywords:
            return self.error(node, f"{name}() takes one argument here")
        if not node.args:
            return constant(0 if name == "int" else 0.0, node.span)
        return self.number_call(node, name)
