"""Inference of copies: copy.copy, copy.deepcopy, dataclasses.asdict, dataclasses.astuple.

In: their calls. Out: new containers and instances.
Holds: what a class says about its own copies is not gone past: such a class is refused.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ....ir.types import (
    ANY,
    BOOL,
    EXCEPTION,
    STR,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    SetType,
    TupleType,
    Type,
    arms_of,
    union,
)
from ...compilation.frames import MARK
from ...core.conversions import narrowed, operate, to_any
from ...core.function_values import holds_function
from ...core.matcher import describe
from ...core.placeholders import Placeholder, resolve
from ...core.typed import Const, Do, Expr, IsType, MakeDict, MakeTuple, Recast, Static, is_silent
from ...parser import syntax
from ...prelude import dataclass_copies as prelude
from ..base import InferenceBase, Jump
from ..iteration import DictIteration, SequenceIteration
from ..type_facts import converted_to, tuple_items

OWN = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__")


class CopyInference(InferenceBase):
    """Copies."""

    taken_apart_now: tuple[Type, ...] = ()  # dataclasses whose fields are being copied, one in another

    def _call_copy_copy(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.copied(node, False)

    def _call_copy_deepcopy(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.copied(node, True)

    def copied(self, node: syntax.Call, is_deep: bool) -> Expr:
        name = "deepcopy" if is_deep else "copy"
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], syntax.Starred):
            return self.error(node, f"{name}() takes one argument here")
        value = self.value(node.args[0])
        if is_silent(value):
            return value
        kind = resolve(value.type)
        if not is_deep and TENSOR in arms_of(kind):
            return self.each_arm(value, lambda one: operate("detach", one) if resolve(one.type) == TENSOR else one)
        if not is_deep and self.copies_itself(kind):
            return self.call_member(node.span, value, "__copy__", [])
        reason = self.not_copied(kind, is_deep, set())
        if reason is not None:
            return self.error(node, f"{name}() of {describe(value)} is not supported: {reason[0]}", reason[1])
        if not kind.is_mutable or (isinstance(kind, TupleType) and not is_deep):
            return value
        is_flat = not is_deep or not any(member.is_mutable for member in kind.members)
        is_plain = getattr(kind, "name", "") in ("list", "dict") or isinstance(kind, SetType)
        if is_flat and is_plain and isinstance(kind, (ListType, DictType, SetType)):
            rows = self.set_rows(".copy") if isinstance(kind, SetType) else ()
            return self.operate(node, ".copy", [value], (), rows)
        made = operate("copy.any", to_any(value), Const(BOOL, node.span, is_deep))
        return Recast(kind, node.span, made)

    def copies_itself(self, kind: Type) -> bool:
        """Whether the class of a value says itself what copy.copy() gives, and nothing else of its copies."""
        python = self.session.classes.python_of(kind)
        own = [name for name in OWN if getattr(python, name, None) is not getattr(object, name, None)]
        return python is not None and self.defines(kind, "__copy__") and set(own) <= {"__copy__", "__deepcopy__"}

    def not_copied(self, kind: Type, is_deep: bool, seen: set[Type]) -> tuple[str, str] | None:
        """Why values of a type are not copied, and what to do; None if they are."""
        kind = resolve(kind)
        if kind in seen:
            return None
        seen.add(kind)
        if kind == ANY:
            copied = [info for info in self.session.classes.info.values() if any(
                getattr(info.python, name, None) is not getattr(object, name, None) for name in OWN)]
            text = copied and f"Any may be an instance of '{copied[0].python.__name__}'"
            return (text, "copy what it is made of") if text else None
        if kind == EXCEPTION or holds_function(kind) or self.session.functions.is_function(kind):
            return f"{kind} has no copy here", "copy what it is made of"
        python = self.session.classes.python_of(kind)
        if isinstance(kind, ClassType) and python is None:
            return "a module has one state", "copy the module outside: copy.deepcopy(module)"
        if python is not None:
            other = "__copy__" if is_deep else "__deepcopy__"
            own = next((name for name in OWN if name != other and (
                getattr(python, name, None) is not getattr(object, name, None))), None)
            if own is not None:
                return f"'{python.__name__}' defines {own}", f"call a method of '{python.__name__}' that makes the copy"
        if not is_deep and len(arms_of(kind)) == 1:
            return None
        inside = kind.attributes.values() if isinstance(kind, ClassType) else kind.members
        return next(filter(None, (self.not_copied(each, is_deep, seen) for each in inside)), None)

    # Dataclasses

    def _call_dataclasses_asdict(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.fields_copied(node, "asdict")

    def _call_dataclasses_astuple(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.fields_copied(node, "astuple")

    def fields_copied(self, node: syntax.Call, form: str) -> Expr:
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], syntax.Starred):
            return self.error(node, f"{form}() takes one argument here", "build it by hand where a factory is needed")
        owner = self.value(node.args[0])
        if is_silent(owner):
            return owner
        info = self.class_info(owner.type)
        if info is None or not dataclasses.is_dataclass(info.python):
            return self.error(node, f"{form}() needs an instance of one dataclass, not {describe(owner)}")
        return self.held(node, owner, form)

    def held(self, node: syntax.Call, owner: Expr, form: str) -> Expr:
        with self.collect() as statements:
            result = self.copied_part(node, owner, form)
        if is_silent(result) or isinstance(result, Static) or self.env is None:
            return result
        return Do(result.type, node.span, statements, result)

    def copied_part(self, node: syntax.Call, value: Expr, form: str) -> Expr:
        """The value of a field in the result: dataclasses become dicts or tuples, containers are made anew."""
        kind = resolve(value.type)
        info = self.class_info(kind)
        if info is not None and dataclasses.is_dataclass(info.python):
            if info.type in self.taken_apart_now:
                return self.by_prelude(node, getattr(prelude, form), [value])
            outer, self.taken_apart_now = self.taken_apart_now, (*self.taken_apart_now, info.type)
            made = self.fields_of(node, self.hold(value), info.python, form)
            self.taken_apart_now = outer
            return made
        if not kind.is_mutable:
            return value
        if kind == TENSOR:
            return narrowed(operate("copy.any", to_any(value), Const(BOOL, node.span, True)), TENSOR)
        if len(arms_of(kind)) > 1:
            return self.arms_part(node, self.hold(value), form)
        if isinstance(kind, SetType):
            return self.operate(node, ".copy", [value], (), self.set_rows(".copy"))
        if isinstance(kind, TupleType) and not kind.is_variadic:
            items = [self.copied_part(node, item, form) for item in tuple_items(self.hold(value), kind)]
            if is_silent(*items):
                return self.silent(node.span, items)
            return MakeTuple(TupleType(tuple(resolve(item.type) for item in items)), node.span, items)
        if isinstance(kind, ListType):
            return self.list_part(node, self.hold(value), form)
        if isinstance(kind, DictType):
            return self.dict_part(node, self.hold(value), form)
        return self.error(node, f"{form}() of a field of type {kind} is not supported", "build the result by hand")

    def arms_part(self, node: syntax.Call, value: Expr, form: str) -> Expr:
        """What becomes of the type that a value has."""
        name = MARK + self.hidden("copied")

        def of_first(arms: Sequence[Type]) -> None:
            def take() -> None:
                self.store(name, self.copied_part(node, narrowed(value, arms[0]), form))

            if len(arms) == 1:
                take()
                return
            here, test = self.here, IsType(BOOL, node.span, value, arms[0])
            self.branch(node.span, test, here, here.copy(), None, take, lambda: of_first(arms[1:]))

        of_first(arms_of(resolve(value.type)))
        return self.read_hidden(name, node.span)

    def list_part(self, node: syntax.Call, value: Expr, form: str) -> Expr:
        def build(result: Expr) -> None:
            items = SequenceIteration(self, node.span, value)

            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                self.evaluate(self.operate(node, ".append", [result, self.copied_part(node, item, form)]))

            self.walk(node.span, items, frozenset(), None, None, each, None)
            self.drop(items.own_names())

        return self.gather(node, ListType(Placeholder()), build)

    def dict_part(self, node: syntax.Call, value: Expr, form: str) -> Expr:
        def build(result: Expr) -> None:
            items = DictIteration(self, node.span, value, "items")

            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                pair = resolve(item.type)
                assert isinstance(pair, TupleType)
                key, entry = tuple_items(self.hold(item), pair)
                self.evaluate(self.operate(node, "_[_]=_", [result, key, self.copied_part(node, entry, form)]))

            self.walk(node.span, items, frozenset(), None, None, each, None)
            self.drop(items.own_names())

        return self.gather(node, DictType(Placeholder(), Placeholder()), build)

    def fields_of(self, node: syntax.Call, owner: Expr, python: type, form: str) -> Expr:
        names = [each.name for each in dataclasses.fields(python)]
        items: list[Expr] = []
        for name in names:
            item = self.copied_part(node, self.attribute(node, owner, name, None), form)
            if is_silent(item):
                return item
            items.append(self.hold(item))
        kinds = [resolve(item.type) for item in items]
        if form == "astuple":
            return MakeTuple(TupleType(tuple(kinds)), node.span, items)
        whole = union(*kinds) if kinds else Placeholder()
        entries = [part for name, item in zip(names, items) for part in (
            Const(STR, node.span, name), converted_to(item, whole))]
        return MakeDict(DictType(STR, whole), node.span, entries)
