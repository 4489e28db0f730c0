"""Inference of sets: displays, comprehensions, the constructor, methods.

In: their syntax. Out: operator rows on sets of one element type.
Holds: what a method takes as any iterable becomes a set of the receiver's element type first; elements are hashable.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ....ir.operators import Operator, spelled
from ....ir.types import ANY, NONE, STR, FrozenSetType, ListType, SetType, Type, arms_of, union
from ...compilation.frames import MARK
from ...core.conversions import convert, keeps_kinds, once_all, operate
from ...core.denotations import BuiltinDenotation, Denotation, OperatorDenotation
from ...core.matcher import describe, readable_set
from ...core.placeholders import Placeholder, has_placeholder, resolve
from ...core.typed import (
    ERROR,
    Const,
    Do,
    Evaluate,
    Expr,
    MakeSet,
    Operate,
    ReadTemp,
    Static,
    Temp,
    after,
    boolean,
    is_silent,
    none,
)
from ...parser import syntax
from ...prelude import containers as prelude_containers
from ..base import InferenceBase
from ..type_facts import wanted_arm

KEY_OF_INSTANCE = "use what identifies it: an attribute, or a tuple of attributes"
HASHABLE = "use elements of one type: int, str, bytes, tuple ..."
NEW = {".union": "_|_", ".intersection": "_&_", ".difference": "_-_", ".symmetric_difference": "_^_"}
UPDATES = (".update", ".intersection_update", ".difference_update", ".symmetric_difference_update")
FROZEN_METHODS = ("copy", "union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset",
                  "isdisjoint")
QUESTIONS = (".issubset", ".issuperset", ".isdisjoint")
ONE_ONLY = (".symmetric_difference", ".symmetric_difference_update", *QUESTIONS)
MANY = (".union", ".intersection", ".difference", ".update", ".difference_update", ".intersection_update")
BY_ELEMENTS = {"|": prelude_containers.of_either, "&": prelude_containers.of_both, "-": prelude_containers.of_first,
               "^": prelude_containers.of_one}


def node_name(denotation: Denotation) -> str:
    """The last part of a builtin's name."""
    return denotation.name.rpartition(".")[2] if isinstance(denotation, BuiltinDenotation) else ""


class SetInference(InferenceBase):
    """Sets."""

    def set_element(self, want: Type | None) -> Type | None:
        """The element type that the context wants of a set."""
        wanted = wanted_arm(want, SetType)
        return None if wanted is None else wanted.element

    def _Set(self, node: syntax.Set, want: Type | None) -> Expr:
        wanted = self.set_element(want)
        if any(isinstance(item, syntax.Starred) for item in node.elts):
            return self.set_of_list(node, self.starred_list(syntax.List(node.span, node.elts), None, True))
        items = [self.value(item, wanted) for item in node.elts]
        if is_silent(*items):
            return self.silent(node.span, items)
        given = items
        kind, items = self.common(items, self.widened(node, items) or wanted)
        self.displayed(node, kind)
        if not kind.is_hashable:
            text = f"{kind} cannot be a set element here"
            return self.unhashable(node, given, text, self.element_hint(kind))
        return self.displayed_keys(MakeSet(SetType(kind), node.span, items))

    def element_hint(self, kind: Type) -> str:
        return KEY_OF_INSTANCE if self.has_instances(kind) else HASHABLE

    def _SetComp(self, node: syntax.SetComp, want: Type | None) -> Expr:
        wanted = self.set_element(want)

        def make(kinds: Sequence[list[Type]], element: Type) -> Expr:
            def build(result: Expr) -> None:
                def add() -> None:
                    value = self.value(node.elt, None if isinstance(element, Placeholder) else element)
                    kinds[0].append(value.type)
                    self.evaluate(self.operate(node.elt, ".add", [result, value], (), self.set_rows(".add")))

                self.comprehend(node, node.generators, add)

            return self.gather(node, SetType(element), build)

        def free() -> Expr:
            return self.as_they_are(1, make)

        result = free() if wanted is None else self.expr_or(lambda: make([[]], wanted), free)
        return result if is_silent(result) else self.checked_set(node, result)

    def set_rows(self, spelling: str) -> list[Operator]:
        return [row for row in spelled(spelling) if isinstance(row.schema.params[0].type, SetType)]

    def checked_set(self, node: syntax.Node, value: Expr) -> Expr:
        kind = resolve(value.type)
        if isinstance(kind, SetType) and not isinstance(kind.element, Placeholder) and not kind.element.is_hashable:
            return self.error(node, f"{kind.element} cannot be a set element here", self.element_hint(kind.element))
        return value

    def _call_set(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1):
            return self.wrong(node)
        if not node.args:
            element = self.set_element(want)
            return MakeSet(SetType(element or self.placeholder(node)), node.span, [])
        if isinstance(node.args[0], syntax.GeneratorExp):
            inner = node.args[0]
            return self._SetComp(syntax.SetComp(node.span, inner.elt, inner.generators), want)
        return self.set_from(node.args[0], is_new=True)

    def set_from(self, node: syntax.Node, is_new: bool = False) -> Expr:
        """Any iterable as a set; with `is_new` never the set itself."""
        if not self.is_lazy(node) and not isinstance(node, syntax.GeneratorExp):
            value = self.expr(node)
            value = value if is_new else readable_set(value)
            if isinstance(resolve(value.type), SetType):
                return self.operate(node, ".copy", [value], (), self.set_rows(".copy")) if is_new else value
            return self.set_of_list(node, self.list_of(node, value))
        return self.set_of_list(node, self.list_from(node))

    def frozen(self, value: Expr) -> Expr:
        """A set as a frozenset."""
        kind = resolve(value.type)
        if is_silent(value) or not isinstance(kind, SetType):
            return value
        return operate("frozenset.of_set", value, result=FrozenSetType(kind.element))

    def _call_frozenset(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1):
            return self.wrong(node)
        wanted = None if want is None else next(
            (arm for arm in arms_of(resolve(want)) if isinstance(arm, FrozenSetType)), None)
        hint = SetType(wanted.element) if wanted is not None else None
        if not node.args or isinstance(node.args[0], syntax.GeneratorExp):
            return self.frozen(self._call_set(node, hint))
        argument = node.args[0]
        if self.is_lazy(argument):
            return self.frozen(self.set_from(argument))
        value = self.opened(self.expr(argument, hint))
        if isinstance(resolve(value.type), FrozenSetType):
            return value
        if not isinstance(resolve(value.type), SetType):
            value = self.set_of_list(argument, self.list_of(argument, value))
        return self.frozen(value)

    def set_of_list(self, node: syntax.Node, values: Expr) -> Expr:
        if is_silent(values):
            return values
        kind = resolve(values.type)
        if isinstance(values, Static) or not isinstance(kind, ListType):
            return self.error(node, f"{describe(values)} cannot be made a set")
        return self.checked_set(node, self.operate(node, "set()", [values]))

    # Methods

    def call_frozenset_method(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr:
        """The method of a set on the frozenset as one; a new set is frozen."""
        receiver, spelling = denotation.receiver, denotation.spelling
        assert receiver is not None
        if spelling == ".copy":
            return receiver if self.takes(node, 0, 0) else self.wrong(node)
        made = self.call_set_method(node, OperatorDenotation(spelling, readable_set(receiver)))
        assert made is not None
        return self.frozen(made)

    def call_set_method(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr | None:
        """A method that takes iterables; None for the others, which rows take as they are."""
        spelling, receiver = denotation.spelling, denotation.receiver
        assert receiver is not None
        if spelling not in (*NEW, *UPDATES, *QUESTIONS):
            return None
        is_frozen = isinstance(receiver, Operate) and receiver.row.full_name == "set.of_frozenset"
        shown = f"{'frozenset' if is_frozen else 'set'}{spelling}()"
        if node.keywords or any(isinstance(argument, syntax.Starred) for argument in node.args):
            return self.error(node, f"{shown} takes positional arguments only")
        if spelling in ONE_ONLY and len(node.args) != 1:
            return self.error(node, f"{shown} takes exactly one argument ({len(node.args)} given)")
        others = [self.set_from(argument) for argument in node.args]
        if is_silent(receiver, *others):
            return self.silent(node.span, [receiver, *others])
        return once_all([receiver, *others], lambda held: self.set_method(node, spelling, held[0], held[1:]))

    def call_set_spread(self, node: syntax.Call, denotation: Denotation) -> Expr | None:
        """`s.union(*rows)`, `set.intersection(*sets)`: a method that takes any number of iterables; None for others."""
        is_unbound = isinstance(denotation, BuiltinDenotation) and denotation.name.startswith("set.")
        receiver = denotation.receiver if isinstance(denotation, OperatorDenotation) else None
        kind = NONE if receiver is None else resolve(receiver.type)
        spelling = denotation.spelling if isinstance(denotation, OperatorDenotation) else f".{node_name(denotation)}"
        if spelling not in MANY or node.keywords or not (is_unbound or isinstance(kind, (SetType, FrozenSetType))):
            return None
        with self.collect() as before:
            result = self.of_many_sets(node, spelling, receiver)
        return after(before, self.frozen(result) if isinstance(kind, FrozenSetType) else result)

    def of_many_sets(self, node: syntax.Call, spelling: str, receiver: Expr | None) -> Expr:
        """The same once it is known which; without a receiver, the first of the arguments is it."""
        span = node.span
        names = [MARK + self.hidden("part") for _ in range(2)]
        first, others = (syntax.Name(span, name) for name in names)
        if receiver is not None:
            self.store(first.id, receiver)
        self.store(others.id, self.expr(syntax.List(span, node.args)))
        if receiver is None:
            self.evaluate(self.by_prelude(node, prelude_containers.check_owner, [self.expr(others), Const(
                STR, span, f"unbound method set{spelling}() needs an argument")]))
            self.store(first.id, self.expr(syntax.Subscript(span, others, syntax.Constant(span, 0))))
            rest = syntax.Slice(span, syntax.Constant(span, 1), None, None)
            self.store(others.id, self.expr(syntax.Subscript(span, others, rest)))
        if self.env is None:
            return Const(ERROR, span, None)
        if spelling == ".union":
            each = syntax.Name(span, ".each")
            parts = [syntax.comprehension(span, syntax.Name(span, ".part"), others, []),
                     syntax.comprehension(span, each, syntax.Name(span, ".part"), [])]
            rows: list[syntax.Expression] = [syntax.Starred(span, first), syntax.Starred(
                span, syntax.GeneratorExp(span, each, parts))]
            result = self.keep(self.set_of_list(node, self.expr(syntax.List(span, rows))))
        else:
            function = getattr(prelude_containers, spelling[1:] + "_all")
            result = self.keep(self.by_prelude(node, function, [self.expr(first), self.expr(others)]))
        self.drop(names)
        return result

    def set_changed(
        self, node: syntax.Node, spelling: str, receiver: Expr, other: Expr, rows: Sequence[Operator]
    ) -> Expr:
        """A set after a method took in, or took out, the elements of another, which may be of narrower types."""
        kinds = resolve(receiver.type), resolve(other.type)
        if all(isinstance(kind, SetType) for kind in kinds) and not any(map(has_placeholder, kinds)):
            wanted, given = kinds[0].members[0], kinds[1].members[0]
            if spelling == ".update" and not keeps_kinds(given, wanted) and not self.is_declared(receiver):
                self.learn_elements(spelling, [receiver, other])
            elif wanted != given and convert(ReadTemp(given, node.span, Temp()), wanted) is not None:
                other = self.remade(node, other, kinds[0])
        elif spelling == ".update" and not self.is_declared(receiver) and self.changes_kinds(receiver, other):
            self.learn_elements(spelling, [receiver, other])
        return self.operate(node, spelling, [receiver, other], (), rows)

    def set_method(self, node: syntax.Call, spelling: str, receiver: Expr, others: list[Expr]) -> Expr:
        if spelling in NEW:
            if not others:
                return self.operate(node, ".copy", [receiver], (), self.set_rows(".copy"))
            return reduce(lambda a, b: self.binary(node, NEW[spelling][1:-1], a, b), others, receiver)
        rows = self.set_rows(spelling)
        kinds = resolve(receiver.type), resolve(others[0].type) if others else NONE
        if spelling == ".isdisjoint" and are_unlike(*kinds):
            return self.by_prelude(node, prelude_containers.share_none, [receiver, others[0]])
        if spelling in QUESTIONS:
            return self.operate(node, spelling, [receiver, others[0]], (), rows)
        calls = [self.set_changed(node, spelling, receiver, other, rows) for other in others]
        if is_silent(*calls):
            return self.silent(node.span, calls)
        done = none(node.span)
        return Do(done.type, node.span, [Evaluate(node.span, call) for call in calls], done)

    def joined_sets(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`a | b` and its like of sets with elements of several types; None for all others."""
        left, right = readable_set(left), readable_set(right)
        if op not in BY_ELEMENTS or not are_unlike(resolve(left.type), resolve(right.type)):
            return None
        elements = [resolve(side.type).members[0] for side in (left, right)]
        made = MakeSet(SetType(elements[0] if op == "-" else union(*elements)), node.span, [])
        return self.by_prelude(node, BY_ELEMENTS[op], [made, left, right])

    def order_of_sets(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`a <= b` and its like of such sets; None for all others."""
        left, right = readable_set(left), readable_set(right)
        if op in ("==", "!=") or not are_unlike(resolve(left.type), resolve(right.type)):
            return None
        is_proper = boolean(node.span, op in ("<", ">"))
        return once_all([left, right], lambda held: self.by_prelude(
            node, prelude_containers.are_in, [*(held if op[0] == "<" else held[::-1]), is_proper]))


def are_unlike(first: Type, second: Type) -> bool:
    """Whether two types are those of sets whose elements are known to be of different types."""
    kinds = (first, second)
    is_known = not any(has_placeholder(kind) or kind.members[:1] == (ANY,) for kind in kinds)
    return is_known and all(isinstance(kind, SetType) for kind in kinds) and first != second
