"""Keys and elements of unions some of whose types a container does not hold.

In: an operator on a container that its operands do not fit. Out: the operator for the types that do; for the others
what CPython does about a key that is not there, or a TypeError where a declared container would have to take it (D2),
if the union was inferred; None where the message of compilation stands. Holds: there is no answer for numbers of
another kind than the keys': they may be equal to one.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.operators import Operator
from ....ir.types import INT, STR, DictType, ListType, SetType, TupleType, Type, arms_of
from ...core.conversions import once_all, operate
from ...core.matcher import NoMatch, match
from ...core.placeholders import join, resolve
from ...core.typed import NEVER, Choose, Const, Expr, MakeTuple, is_silent, none
from ...parser.syntax import Span
from ...prelude import containers as prelude
from ..base import InferenceBase
from ..open_lengths import may_have_lengths
from ..operand_errors import NUMBERS, class_name, is_denied
from ..type_facts import converted_to, dict_class

FINDS = ("del_[_]", ".pop", ".remove")  # and raise KeyError
PLACES = (".count", ".index", ".remove")  # of lists
LOOKUPS = frozenset(("_[_]", ".get", ".discard", *FINDS))
STORES = frozenset(("_[_]=_", ".append", ".appendleft", ".insert", ".add", ".setdefault"))


class DeniedElementInference(InferenceBase):
    """What a container cannot hold."""

    def by_elements(
        self, span: Span, spelling: str, values: Sequence[Expr], rows: Sequence[Operator]
    ) -> Expr | None:
        """What stands for an operator that did not take its operands; the container is the first."""
        owner = resolve(values[0].type) if values else None
        if not isinstance(owner, (ListType, DictType, SetType)) or dict_class(owner):
            return None
        if isinstance(owner, ListType) and spelling in PLACES and len(values) == 2 and self.is_left(span) and (
            is_other(values[1], owner.element)
        ):
            return self.not_found(span, spelling, values)
        if (found := self.by_length(span, spelling, values, rows)) is not None:
            return found
        is_lookup = spelling in LOOKUPS and not isinstance(owner, ListType)
        is_store = spelling in STORES and self.is_declared(values[0])
        unions = [value for value in values[1:] if len(arms_of(resolve(value.type))) > 1]
        if not (is_lookup or is_store and self.are_inferred_unions(unions)) or not unions:
            return None
        mark, before = self.reporter.mark(), self.here.copy()

        def use(held: list[Expr], fixed: list[Expr]) -> Expr:
            if held:
                return self.each_arm(held[0], lambda one: use(held[1:], [*fixed, one]))
            denied = [value for value, kind in elements_of(owner, spelling, fixed) if is_other(value, kind)]
            if not denied:
                return self.operate(span, spelling, fixed, rows=rows)
            if is_lookup:
                return self.missing(span, spelling, fixed)
            refused = self.raise_error(span, "TypeError", denial(spelling, fixed, rows))
            if isinstance(owner, ListType) and spelling == "_[_]=_" and resolve(fixed[1].type) == INT:
                place = self.invoke_source(span, self.session.source(prelude.check_place), fixed[:2], [])
                return self.silent(span, [place, refused])
            return refused

        result = once_all(values, lambda held: use(held[1:], held[:1]))
        if is_silent(result) or self.reporter.since(mark):
            self.reporter.rewind(mark)
            self.env = before
            return None
        return result

    def by_length(self, span: Span, spelling: str, values: Sequence[Expr], rows: Sequence[Operator]) -> Expr | None:
        """An operator on a container of tuples of a known length that is given tuples of any length."""
        owner = resolve(values[0].type)
        if spelling in STORES and self.is_declared(values[0]):
            wanted = {id(value): kind for value, kind in elements_of(owner, spelling, values)}
            what = denial(spelling, values, rows).partition(" must be ")[0]
            told = {id(value): self.at_length(value, wanted[id(value)], what) for value in values[1:]
                    if id(value) in wanted and may_have_lengths(value.type, wanted[id(value)])}
            parts = [told.get(id(value), value) for value in values]
            found = [part for part in parts if part is not None]
            return self.operate(span, spelling, found, rows=rows) if told and len(found) == len(parts) else None
        if spelling not in LOOKUPS or not isinstance(owner, (DictType, SetType)) or len(values) < 2:
            return None
        wanted_key, key = resolve(owner.members[0]), resolve(values[1].type)
        if not isinstance(wanted_key, TupleType) or not isinstance(key, TupleType) or not key.is_variadic:
            return None
        count = len(wanted_key.elements)

        def use(held: list[Expr]) -> Expr:
            whole = MakeTuple(wanted_key, span, self.first_items(held[1], count))
            found = self.operate(span, spelling, [held[0], whole, *held[2:]], rows=rows)
            absent = self.missing(span, spelling, held)
            kind = resolve(found.type) if absent.type == NEVER else join(found.type, absent.type)
            test = self.is_of_length(held[1], count)
            return Choose(kind, span, test, converted_to(found, kind), converted_to(absent, kind), [])

        return once_all(values, use) if may_have_lengths(key, wanted_key) else None

    def not_found(self, span: Span, spelling: str, values: Sequence[Expr]) -> Expr:
        """What looking for an element gives that no list of this type has."""
        _owner, item = self.hold(values[0]), self.hold(values[1])
        if spelling == ".count":
            return Const(INT, span, 0)
        if spelling == ".remove":
            return self.raise_error(span, "ValueError", "list.remove(x): x not in list")
        text = operate("add.str", self.text_of(item, "repr.any"), Const(STR, span, " is not in list"))
        return self.raise_error(span, "ValueError", text)

    def missing(self, span: Span, spelling: str, values: Sequence[Expr]) -> Expr:
        """What looking for a key gives that cannot be there."""
        if spelling == ".discard" or spelling == ".get" and len(values) == 2:
            return none(span)
        return values[2] if len(values) == 3 else self.raise_key(span, values[1])


def denial(spelling: str, values: Sequence[Expr], rows: Sequence[Operator]) -> str:
    """The sentence about operands that an operator does not take."""
    try:
        match(spelling, values, (), rows)
    except NoMatch as failure:
        return failure.message()
    return ""


def elements_of(owner: Type, spelling: str, values: Sequence[Expr]) -> list[tuple[Expr, Type]]:
    """The operands that are, or would become, elements of a container, with the types that it has for them."""
    if isinstance(owner, ListType):
        return [(values[-1], owner.element)]
    return list(zip(values[1:], owner.members[: 1 if spelling in LOOKUPS else None]))


def is_other(value: Expr, kind: Type) -> bool:
    """Whether a value of one type is neither one of another nor equal to one."""
    kind, wanted = resolve(value.type), resolve(kind)
    both = class_name(kind) in NUMBERS and any(class_name(arm) in NUMBERS for arm in arms_of(wanted))
    return kind.is_hashable and not both and is_denied(kind, wanted)
