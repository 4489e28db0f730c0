"""Inference of enum members, named tuples, and loops over instances.

In: `Color.RED.value`, `Color(1)`, `Color["RED"]`, `Point(x=1)`, `p._replace(x=2)`. Out: constants, choices, tuples.
Holds: a member known at compile time stays a constant; a named tuple is a tuple wherever Python takes any tuple.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any as PyAny

from ....ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    DictType,
    EnumType,
    ListType,
    NamedTupleType,
    Type,
    arms_of,
    optional,
)
from ...core.conversions import is_trivial, narrowed, once, operate, to_any
from ...core.denotations import ClassDenotation, FieldsDenotation, ViewDenotation
from ...core.matcher import describe
from ...core.placeholders import join, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Choose,
    Const,
    Do,
    Evaluate,
    Expr,
    IsType,
    Let,
    MakeDict,
    MakeList,
    MakeTuple,
    ReadTemp,
    Static,
    Temp,
    TupleItem,
    after,
    boolean,
    is_silent,
)
from ...diagnostics import members_hint, suggestion
from ...objects.annotations import AnnotationError
from ...objects.class_facts import find, find_method, is_of_library, is_own_member
from ...objects.enums import is_constant, member_constant
from ...objects.function_source import FunctionSource
from ...parser import syntax
from ...prelude.iterators import reversed_items
from ..base import InferenceBase
from ..functions.arguments import is_unpacking
from ..iteration import Iteration, MethodIteration, NotIterable
from ..loops.resumable import GeneratorObjectIteration
from ..type_facts import converted_to

FEW = 4  # members: a constant of more is looked up in a table
MIXED: dict[Type, type] = {INT: int, STR: str, BOOL: int}


class ValueInference(InferenceBase):
    """Members and fields."""

    # Enums

    def plain(self, value: Expr) -> Expr:
        """A member of an IntEnum as its int, of a StrEnum as its text; every other value as it is."""
        kind = resolve(value.type)
        if self.is_number_member(kind) and self.flag_kind(kind) is not None:
            return self.flag_value(value)
        if isinstance(kind, EnumType) and self.is_number_member(kind):
            return self.by_member(value, kind, [each for _, each in kind.enumerators], kind.value_type)
        if any(map(self.is_number_member, arms_of(kind))):
            return self.each_arm(value, self.plain)
        return value

    def is_number_member(self, kind: Type) -> bool:
        """Whether its values are members of an IntEnum or its like, which are equal to what they stand for."""
        kind = resolve(kind)
        return isinstance(kind, EnumType) and kind.is_value

    def shown(self, value: Expr) -> Expr:
        """What str() of a member shows: its value, what its own `__str__` gives, or the member."""
        kind = resolve(value.type)
        if not isinstance(kind, EnumType):
            return self.each_arm(value, self.shown) if any(
                isinstance(arm, EnumType) for arm in arms_of(kind)) and len(arms_of(kind)) > 1 else value
        if kind.shows_value:
            return self.plain(value)
        python = self.session.classes.python_of(kind)
        own = None if python is None else find_method(python, "__str__")
        if own is None or is_of_library(own[1]):
            return value
        source = self.session.classes.method(own[0], "__str__")
        return self.invoke_source(value.span, source, [value], [])

    def is_text_member(self, kind: Type) -> bool:
        return self.is_number_member(kind) and getattr(resolve(kind), "value_type", None) == STR

    def holds_number_members(self, kind: Type) -> bool:
        """Whether values of a type are, or hold, members of an IntEnum."""
        return self.is_number_member(kind) or any(map(self.holds_number_members, resolve(kind).members))

    def mixes_numbers(self, kind: Type) -> bool:
        """Whether values of a type are, or hold, members of an IntEnum or other numbers at one place."""
        kind = resolve(kind)
        arms = arms_of(kind)
        members = [arm for arm in arms if self.is_number_member(arm)]
        texts = [arm for arm in arms if arm == STR or (arm in members and self.is_text_member(arm))]
        numbers = [arm for arm in arms if arm in (BOOL, INT, FLOAT, COMPLEX) or (arm in members and arm not in texts)]
        is_mixed = any(len(each) > 1 and any(arm in members for arm in each) for each in (numbers, texts))
        return is_mixed or any(map(self.mixes_numbers, kind.members))

    def by_member(self, value: Expr, kind: EnumType, results: Sequence[object], of: Type) -> Expr:
        """The constant that belongs to a member."""
        if len(results) > FEW:
            return self.looked_up_at(value, results, of)
        return self.chosen_member(value, kind, [Const(of, value.span, result) for result in results])

    def member_repr(self, value: Expr, kind: EnumType) -> Expr:
        """repr() of a member whose value the runtime does not know."""
        python: PyAny = self.session.classes.python_of(kind)
        return self.by_member(value, kind, [repr(member) for member in python], STR)

    def member_constants(self, node: syntax.Node, owner: Expr, kind: EnumType, name: str) -> Expr | None:
        """What members have as their value, or as an attribute that the `__init__` of the enum gave them; None where
        they have no such attribute."""
        python: PyAny = self.session.classes.python_of(kind)
        given = [vars(member) for member in python]
        key = "_value_" if name == "value" else name
        if not all(key in each for each in given):
            return None
        wrong = next((each[key] for each in given if not is_constant(each[key])), None)
        if wrong is not None:
            text = f"the attribute '{name}' of members of '{kind}' may be a constant, a container or a function here"
            return self.error(node, f"{text}, not {type(wrong).__name__}")
        return self.chosen_member(owner, kind, [self.given_to_member(node, each[key]) for each in given])

    def given_to_member(self, node: syntax.Node, value: object) -> Expr:
        """A value of a member, or an attribute that its `__init__` made of it."""
        given = self.session.denote(value, node.span)
        if not isinstance(given, Static):
            return given
        text = f"{given.denotation.describe()} cannot be the value of a member of an enum"
        return self.reify(given) or self.error(node, text)

    def chosen_member(self, value: Expr, kind: EnumType, results: Sequence[Expr]) -> Expr:
        """The one of these constants that belongs to a member."""
        if isinstance(value, Const):
            return results[value.value.index]
        if is_silent(*results):
            return self.silent(value.span, results)
        of = join(*(result.type for result in results))
        constants = [converted_to(result, of) for result in results]
        if len(results) > FEW and of in (BOOL, INT, FLOAT, STR) and all(isinstance(each, Const) for each in constants):
            return self.looked_up_at(value, [each.value for each in constants if isinstance(each, Const)], of)

        def choose(member: Expr) -> Expr:
            found: Expr = constants[-1]
            for (name, _), result in reversed(list(zip(kind.enumerators[:-1], constants[:-1]))):
                test = operate("eq.any", to_any(member), to_any(member_constant(kind, name, value.span)))
                found = Choose(of, value.span, test, result, found, [])
            return found

        return once(value, choose)

    def enum_kind(self, node: syntax.Node, python: type) -> EnumType | None:
        """The type of an enum; None after reporting."""
        try:
            kind = self.session.classes.kind_of(python)
        except AnnotationError as error:
            self.error(node, str(error))
            return None
        assert isinstance(kind, EnumType)
        return kind

    def members(self, node: syntax.Node, python: type) -> Expr:
        """All members, as a list."""
        kind = self.enum_kind(node, python)
        if kind is None:
            return Const(ERROR, node.span, None)
        members: PyAny = python
        found: list[Expr] = [member_constant(kind, member.name, node.span) for member in members]
        return MakeList(ListType(kind), node.span, found)

    def members_by_name(self, node: syntax.Node, python: PyAny) -> Expr:
        """`Color.__members__`: aliases have names too."""
        kind = self.enum_kind(node, python)
        if kind is None:
            return Const(ERROR, node.span, None)
        items: list[Expr] = []
        for name, member in python.__members__.items():
            items += [Const(STR, node.span, name), member_constant(kind, member.name, node.span)]
        return MakeDict(DictType(STR, kind), node.span, items)

    def find_member(self, node: syntax.Call, python: type) -> Expr:
        """`Color(1)`."""
        kind = self.enum_kind(node, python)
        if kind is None:
            return Const(ERROR, node.span, None)
        if len(node.args) != 1 or node.keywords:
            return self.error(node, f"{python.__name__}() takes the value of a member here")
        given = self.value(node.args[0])
        if is_silent(given) or resolve(given.type) == kind:
            return given
        if kind.is_flag:
            return self.flag_by_value(node, kind, given)
        members: PyAny = python
        values = [self.given_to_member(node, member.value) for member in members]
        return self.looked_up(node, kind, given, values, "ValueError", f" is not a valid {python.__qualname__}")

    def member_by_name(self, node: syntax.Subscript, python: PyAny) -> Expr:
        """`Color["RED"]`; aliases have names too."""
        kind = self.enum_kind(node, python)
        if kind is None:
            return Const(ERROR, node.span, None)
        given = self.value(node.slice)
        if is_silent(given):
            return given
        if resolve(given.type) != STR:
            return self.error(node.slice, f"a member is looked up by its name, a str, not {describe(given)}")
        names = {name: member.name for name, member in python.__members__.items()}
        keys: list[Expr] = [Const(STR, node.span, name) for name in names]
        return self.looked_up(node, kind, given, keys, "KeyError", "", list(names.values()))

    def looked_up(
        self, node: syntax.Node, kind: EnumType, given: Expr, keys: Sequence[Expr], error: str, text: str,
        names: Sequence[str] = (),
    ) -> Expr:
        """The member whose key equals a value, else an error that shows the value."""
        members = [member_constant(kind, name, node.span) for name in names or [name for name, _ in kind.enumerators]]

        def choose(value: Expr) -> Expr:
            if not text:
                found = self.raise_key(node.span, value)
            else:
                shown = operate("add.str", self.text_of(value, "repr.any"), Const(STR, node.span, text))
                found = self.asked_missing(node, kind, value, self.raise_error(node.span, error, shown))
            for key, member in reversed(list(zip(keys, members))):
                test = self.relation(node, "==", value, key)
                if is_silent(test):
                    return test
                if isinstance(test, Const):
                    found = member if test.value else found
                else:
                    found = Choose(kind, node.span, test, member, converted_to(found, kind), [])
            return found

        return once(given, choose)

    def asked_missing(self, node: syntax.Node, kind: EnumType, value: Expr, otherwise: Expr) -> Expr:
        """What the `_missing_` of an enum makes of a value that no member has; None gives the error."""
        python: PyAny = self.session.classes.python_of(kind)
        found = find(python, "_missing_")
        if found is None or not is_own_member(found) or not isinstance(found[1], classmethod):
            return otherwise
        owner = Static(STATIC, node.span, ClassDenotation(python))
        made = self.invoke_source(node.span, self.session.source(found[1].__func__, found[0]), [owner, value], [])
        given = resolve(made.type)
        if is_silent(made) or given == kind:
            return made
        if given not in (NONE, optional(kind)):
            text = f"_missing_ of '{python.__name__}' must return a member or None, not {describe(made)}"
            return self.error(node, text)
        if given == NONE:
            return Do(NEVER, node.span, [Evaluate(node.span, made)], otherwise)

        def choose(one: Expr) -> Expr:
            test = IsType(BOOL, node.span, one, kind)
            return Choose(kind, node.span, test, narrowed(one, kind), converted_to(otherwise, kind), [])

        return once(made, choose)

    def contains_static(self, node: syntax.Node, item: Expr, owner: Static) -> Expr:
        """`member in Color`."""
        if isinstance(owner.denotation, ViewDenotation):
            return self.contains_in_view(node, item, owner)
        python = getattr(owner.denotation, "python", None)
        kind = resolve(item.type)
        if isinstance(python, type) and isinstance(owner.denotation, ClassDenotation) and (
            isinstance(kind, EnumType) and not kind.is_flag
        ):
            return self.then(item, boolean(node.span, self.session.classes.python_of(kind) is python))
        return self.error(owner, f"'in' does not work with {owner.denotation.describe()}")

    # Fields

    def field(self, node: syntax.Node, owner: Expr, kind: EnumType | NamedTupleType, name: str) -> Expr:
        """An attribute of a member or of a named tuple."""
        python = self.session.classes.python_of(kind)
        if isinstance(kind, NamedTupleType):
            names = [each for each, _ in kind.fields]
            if name in names:
                place = names.index(name)
                if isinstance(owner, MakeTuple) and all(map(is_trivial, owner.items)):
                    return owner.items[place]
                return TupleItem(kind.members[place], node.span, owner, place)
            if name == "_fields":
                return self.session.denote(tuple(names), node.span)
            if name in ("_replace", "_asdict", "index", "count"):
                return Static(STATIC, node.span, FieldsDenotation(name, owner))
        elif kind.is_flag and name in ("value", "_value_"):
            return self.flag_value(owner)
        elif kind.is_flag and name in ("name", "_name_"):
            return self.flag_name(owner, kind)
        elif name in ("name", "_name_"):
            return self.by_member(owner, kind, [each for each, _ in kind.enumerators], STR)
        elif not kind.is_flag and (held := self.member_constants(node, owner, kind, name)) is not None:
            return held
        if name == "__class__" and python is not None:
            return Static(STATIC, node.span, ClassDenotation(python))
        if isinstance(kind, EnumType) and kind.is_value and name in vars(MIXED[kind.value_type]):
            return self.attribute(node, self.plain(owner), name, None)
        found = find(python, name) if python is not None else None
        if python is None or found is None or found[0].__module__ == "enum":
            known = [each for each, _ in kind.fields] if isinstance(kind, NamedTupleType) else ["name", "value"]
            hint = suggestion(name, dir(python)) or members_hint(name, known)
            shown = None if python is None or hasattr(python, name) else python.__name__
            raised = "AttributeError", shown and f"'{shown}' object has no attribute '{name}'"
            return self.wrong_or_left(node, raised, f"'{kind}' has no attribute '{name}' in scripts", hint, [owner])
        return self.class_member(node, owner, python, found)

    def make_named_tuple(self, node: syntax.Call, python: PyAny) -> Expr:
        """`Point(1, y=2)`"""
        with self.collect() as before:
            made = self.named_tuple_of(node, python)
        return after(before, made)

    def named_tuple_of(self, node: syntax.Call, python: PyAny) -> Expr:
        """The instance; fields of a class without annotations take the types of the arguments."""
        try:
            kind = self.session.classes.kind_of(python)
        except AnnotationError as error:
            return self.error(node, str(error))
        assert isinstance(kind, NamedTupleType)
        hints = dict(kind.fields) if getattr(python, "__annotations__", None) else {}
        fields: Sequence[str] = python._fields
        source = self.field_source(python, fields)
        wants = [hints.get(name) for name in fields] + [None] * len(node.args)
        if is_unpacking(node):
            given = self.values_of(node)
            if given is None:
                return Const(ERROR, node.span, None)
            values, named = given
        else:
            values = [self.value(argument, want) for argument, want in zip(node.args, wants)]
            named = [(k.arg or "", self.value(k.value, hints.get(k.arg or ""))) for k in node.keywords]
        if is_silent(*values, *(value for _, value in named)):
            return self.silent(node.span, [*values, *(value for _, value in named)])
        temps = [(Temp(), value) for value in (*values, *(value for _, value in named))]
        reads: list[Expr] = [v if is_trivial(v) else ReadTemp(resolve(v.type), v.span, temp) for temp, v in temps]
        bound = self.bind(node.span, source, reads[: len(values)],
                          [(name, read) for (name, _), read in zip(named, reads[len(values) :])],
                          leaves=self.is_left(node))
        if bound is None:
            return self.failed_call(node.span, [value for _, value in temps])
        items = [self.coerce(bound[name], hints[name], f"field '{name}'") if name in hints else bound[name]
                 for name in fields]
        if is_silent(*items):
            return self.silent(node.span, items)
        if not hints:
            kinds = tuple((name, resolve(item.type)) for name, item in zip(fields, items))
            kind = NamedTupleType(kind.name, kinds, kind.hashes_itself)
            self.session.classes.register(kind, python)
        result: Expr = MakeTuple(kind, node.span, items)
        for temp, value in reversed(temps):
            if not is_trivial(value):
                result = Let(kind, node.span, temp, value, result)
        return result

    def field_source(self, python: PyAny, fields: Sequence[str]) -> FunctionSource:
        """The signature of a named tuple class, for binding arguments."""
        span = syntax.Span("", 1, 1, 1, 1)
        params = [syntax.arg(span, name, None) for name in fields]
        node = syntax.FunctionDef(
            span, python.__name__, syntax.arguments(span, [], params, None, [], [], None, []), [], []
        )
        names: dict[str, object] = {}
        return FunctionSource(python.__name__, node, names.__getitem__, dict(python._field_defaults),
                              qualname=f"{python.__qualname__}.__new__", unseen=1)

    def call_fields(self, node: syntax.Call, denotation: FieldsDenotation) -> Expr:
        """`_replace(x=1)`, `_asdict()`, `_make(items)`, and the methods of tuples."""
        if denotation.name == "_make":
            return self.make_of_items(node, denotation)
        if denotation.name in ("index", "count"):
            return self.call_tuple_method(node, denotation)
        owner = denotation.receiver
        kind = resolve(owner.type)
        assert isinstance(kind, NamedTupleType)
        if node.args or (denotation.name == "_asdict" and node.keywords):
            return self.error(node, f"{denotation.name}() takes no positional arguments")
        names = [name for name, _ in kind.fields]
        given: list[tuple[str, Temp, Expr]] = []
        for keyword in node.keywords:
            if keyword.arg not in names:
                text = f"'{kind}' has no field '{keyword.arg}'"
                return self.error(keyword, text, suggestion(str(keyword.arg), names))
            member = dict(kind.fields)[keyword.arg]
            value = self.coerce(self.value(keyword.value, member), member, f"field '{keyword.arg}'")
            if is_silent(value):
                return self.silent(node.span, [owner, *(before for _, _, before in given), value])
            given.append((keyword.arg, Temp(), value))

        def use(whole: Expr) -> Expr:
            fresh: dict[str, Expr] = {name: ReadTemp(value.type, value.span, temp) for name, temp, value in given}
            items = [
                fresh.get(name) or TupleItem(member, node.span, whole, i)
                for i, (name, member) in enumerate(kind.fields)
            ]
            if denotation.name == "_asdict":
                return self.field_dict(node, kind, items)
            result: Expr = MakeTuple(kind, node.span, items)
            for _, temp, value in reversed(given):
                result = Let(kind, node.span, temp, value, result)
            return result

        return once(owner, use)

    def field_dict(self, node: syntax.Node, kind: NamedTupleType, items: Sequence[Expr]) -> Expr:
        whole = join(*kind.members)
        parts: list[Expr] = []
        for (name, _), item in zip(kind.fields, items):
            parts += [Const(STR, node.span, name), converted_to(item, whole)]
        return MakeDict(DictType(STR, whole), node.span, parts)

    # Loops

    def iterate_instance(self, node: syntax.Node, value: Expr, method: str = "__iter__") -> Iteration:
        """A loop over an instance: `__iter__` or `__reversed__` that gives a container, or `iter()` of one."""
        may_walk = "iterable" if method == "__iter__" else "reversible"
        if NONE in arms_of(resolve(value.type)):
            value = self.hold(self.unless_none(value, "TypeError", f"'NoneType' object is not {may_walk}"))
            return self.iterate_instance(node, value, method)
        python = self.session.classes.python_of(value.type)
        found = find_method(python, method) if python is not None else None
        if found is None and python is not None and find_method(python, "__getitem__") is not None:
            return self.iterate_by_index(node, value, method)
        if found is None:
            hint = f"define {method} with return {'iter' if method == '__iter__' else 'reversed'}(...)"
            shown = f"'{{}}' object is not {may_walk}"
            left = self.class_misfit(node, value, shown, f"{describe(value)} is not iterable here", hint)
            if left.type == NEVER:
                self.end_with(node.span, [left])
            raise NotIterable
        source = self.session.classes.method(found[0], method)
        if source.is_generator:
            return self.generator_of(node, source, [value], [])
        last = source.node.body[-1] if source.node.body else None
        inner = last.value if isinstance(last, syntax.Return) else None
        is_call = isinstance(inner, syntax.Call) and isinstance(inner.func, syntax.Name) and len(inner.args) == 1
        name = inner.func.id if is_call else ""  # type: ignore[union-attr]
        if name not in ("iter", "reversed"):
            return self.iterate_next(node, self.invoke_source(node.span, source, [value], []))
        container = self.invoke_source(node.span, self.container_source(source, inner), [value], [])
        return self.iterate_value(node, container) if name == "iter" else self.iterate_backwards(node, container)

    def iterate_by_index(self, node: syntax.Node, value: Expr, method: str) -> Iteration:
        """A loop over an instance by its `__getitem__`, backwards from its `__len__` on."""
        if method == "__iter__":
            return MethodIteration(self, node.span, value, "__getitem__")
        value = self.hold(value)
        length = self.hold(self.class_length(value))
        if is_silent(length):
            self.end_with(node.span, [length])
        return self.generator_of(node, self.session.source(reversed_items), [value, length], [])

    def iterate_next(self, node: syntax.Node, iterator: Expr) -> Iteration:
        """What `__iter__` gave: an instance with `__next__`."""
        if is_silent(iterator):
            self.end_with(node.span, [iterator])
        stored = self.iterate_stored(node, iterator) if isinstance(iterator, Static) else None
        if stored is not None:
            return stored
        if not isinstance(iterator, Static) and self.session.functions.is_generator(iterator.type):
            return GeneratorObjectIteration(self, node.span, iterator)
        if isinstance(iterator, Static) or not self.defines(iterator.type, "__next__"):
            text = f"__iter__ gives {describe(iterator)}, which has no __next__"
            self.error(node, text, "return iter(container), or an instance with __next__")
            raise NotIterable
        return MethodIteration(self, node.span, iterator, "__next__")

    def container_source(self, source: FunctionSource, call: syntax.Node | None) -> FunctionSource:
        """`__iter__` with the container itself as its result: an iterator over it is as lazy."""
        assert isinstance(call, syntax.Call)
        key = (source, "container")
        known = self.session.classes.variants.get(key)
        if known is None:
            body = [*source.node.body[:-1], syntax.Return(call.span, call.args[0])]
            node = syntax.FunctionDef(source.node.span, source.name, source.node.args, body, [])
            known = self.session.classes.variants[key] = replace(source, node=node)
        return known

