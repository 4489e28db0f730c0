"""Inference of keys whose classes have `__eq__` and `__hash__` of their own: scripts search dicts and sets for them.

In: operator rows that compare keys. Out: calls of prelude/keys.py.
Holds: no row that compares keys is left where scripts have to: what stands neither in FOUND nor in PLAIN is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import (
    ANY,
    INT,
    STR,
    ClassType,
    DictType,
    EnumType,
    FrozenSetType,
    ListType,
    NamedTupleType,
    SetType,
    TupleType,
    Type,
    arms_of,
    become_keys,
)
from ...core.conversions import as_tuple, once, once_all, operate, to_any
from ...core.denotations import SpecialDenotation
from ...core.matcher import describe, readable_set
from ...core.placeholders import has_placeholder, join, resolve
from ...core.typed import Choose, Const, Do, Evaluate, Expr, MakeDict, MakeList, MakeSet, Operate, is_silent
from ...objects.class_facts import find, is_generated
from ...objects.classes import is_hashed_by_scripts
from ...parser import syntax
from ...prelude import keys as prelude
from ...prelude.dict_classes import ordered_equal
from ..base import InferenceBase
from ..type_facts import any_of, converted_to, dict_class, hashes_identity, holds_any, tuple_items

FOUND: dict[str, Callable[..., object]] = {
    "setitem.dict": prelude.set_item, "contains.dict": prelude.contains, "dict.get": prelude.get,
    "dict.get.default": prelude.get_default, "dict.setdefault": prelude.set_default,
    "dict.pop.default": prelude.pop_default, "dict.update": prelude.update, "or.dict": prelude.united,
    "contains.set": prelude.contains, "set.add": prelude.add, "set.discard": prelude.discard,
    "or.set": prelude.set_or, "and.set": prelude.set_and, "sub.set": prelude.set_sub, "xor.set": prelude.set_xor,
    "set.update": prelude.set_update, "set.intersection_update": prelude.and_update,
    "set.difference_update": prelude.sub_update, "set.symmetric_difference_update": prelude.xor_update,
    "set.isdisjoint": prelude.is_disjoint, "le.set": prelude.set_le, "lt.set": prelude.set_lt,
    "ge.set": prelude.set_ge, "gt.set": prelude.set_gt,
}
PLAIN = frozenset((
    "len.dict", "len.set", "dict.clear", "dict.copy", "dict.popitem", "dict.keys", "dict.values", "dict.items",
    "dict.next", "dict.version", "dict.key_at", "dict.value_at", "set.clear", "set.copy", "set.pop", "set.next",
    "set.item_at", "set.of_frozenset", "frozenset.of_set", "list.from_set", "is.any", "bool.any",
    "keys.probe.dict", "keys.probe.set", "keys.hashes.dict", "keys.hashes.set", "keys.rehash.dict", "keys.rehash.set",
    "keys.append.dict", "keys.append.set", "keys.store", "keys.remove.dict", "keys.remove.set", "keys.move",
))
KEYED = (DictType, SetType, FrozenSetType)
UNHASHED = "use a tuple of its sorted elements"


class OwnKeyInference(InferenceBase):
    """Keys that hash and compare themselves."""

    def hashes_itself(self, kind: Type) -> bool:
        if isinstance(resolve(kind), ClassType):
            self.class_info(kind)  # which describes it
        return is_hashed_by_scripts(kind) or (is_any_key(kind) and bool(self.asked_classes("__eq__")))

    def has_own_keys(self, kind: Type) -> bool:
        """Whether it is a dict or set of such keys."""
        kind = resolve(kind)
        if not isinstance(kind, KEYED) or has_placeholder(kind.members[0]):
            return False
        return self.hashes_itself(kind.members[0])

    def by_scripts(self, result: Operate) -> Expr | None:
        """What stands for an operator on a dict or set of such keys; None for all others."""
        name = result.row.full_name
        node, operands = syntax.Node(result.span), result.operands
        self.take_any_keys([each.type for each in (result, *operands)])
        unhashed = next(filter(None, (self.unhashed(each.type) for each in [result, *operands])), None)
        if unhashed is not None:
            return self.error(result.span, f"{unhashed} cannot be a key here", UNHASHED)
        if name in ("set.from_list", "dict.fromkeys") and self.has_own_keys(result.type):
            made = MakeSet if name == "set.from_list" else MakeDict
            fill = prelude.add_list if name == "set.from_list" else prelude.fill_keys
            return self.by_prelude(node, fill, [made(resolve(result.type), node.span, []), *operands])
        pairs = zip(result.row.schema.params, operands)
        searched = [each for param, each in pairs if isinstance(param.type, KEYED)]
        if name in PLAIN or not any(self.has_own_keys(each.type) for each in searched):
            return None
        if name in FOUND:
            return self.by_prelude(node, FOUND[name], operands)
        return self.at_place(node, name, operands) or self.error(
            result.span, f"{name.partition('.')[2] or name} of {resolve(operands[0].type)} is not supported",
            "walk through it with a for loop")

    def take_any_keys(self, kinds: Sequence[Type]) -> None:
        """Where keys are of type Any, instances of all classes that do not hash themselves may be keys."""
        members = [resolve(kind).members[0] for kind in map(resolve, kinds) if isinstance(kind, KEYED)]
        if any(map(holds_any, members)):
            self.session.classes.are_keys = True

    def unhashed(self, kind: Type) -> Type | None:
        """What in the keys of a dict or set neither the runtime nor scripts can hash."""
        kind = resolve(kind)
        if not self.has_own_keys(kind):
            return None
        parts = [kind.members[0]]
        for part in parts:
            parts.extend(resolve(part).members)
        return next((part for part in map(resolve, parts) if isinstance(part, FrozenSetType)), None)

    def compared(self, result: Expr) -> Expr:
        """An operator that compares keys, by scripts where they have to."""
        asked = self.by_scripts(result) or self.key_of_any(result) if isinstance(result, Operate) else None
        return asked or result

    def at_place(self, node: syntax.Node, name: str, operands: Sequence[Expr]) -> Expr | None:
        """A row that raises KeyError where the key is missing."""
        uses: dict[str, Callable[[list[Expr], Expr], Expr]] = {
            "getitem.dict": lambda held, at: self.operate(node, "prelude.value_at", [held[0], at]),
            "delitem.dict": lambda held, at: self.operate(node, "prelude.remove_at", [held[0], at]),
            "set.remove": lambda held, at: self.operate(node, "prelude.remove_at", [held[0], at]),
            "dict.pop": lambda held, at: self.by_prelude(node, prelude.pop_at, [held[0], at]),
            "dict.move_to_end": lambda held, at: self.operate(node, "prelude.move_at", [held[0], at, held[2]]),
        }
        if name not in uses:
            return None

        def use(held: list[Expr]) -> Expr:
            search = prelude.place_to_pop if name == "dict.pop" else prelude.place_of
            place = self.by_prelude(node, search, held[:2])

            def choose(at: Expr) -> Expr:
                found = uses[name](held, at)
                if is_silent(found):
                    return found
                test = operate("ge.int", at, Const(INT, node.span, 0))
                return Choose(resolve(found.type), node.span, test, found, self.raise_key(node.span, held[1]), [])

            return place if is_silent(place) else once(place, choose)

        return once_all(list(operands), use)

    def own_item_or(self, node: syntax.Node, is_pop: bool, held: list[Expr]) -> Expr:
        """`d.get(key, default)` or `d.pop(key, default)` whose default has a type of its own."""
        owner, key, default = held

        def choose(at: Expr) -> Expr:
            found = self.by_prelude(node, prelude.pop_at, [owner, at]) if is_pop else self.operate(
                node, "prelude.value_at", [owner, at])
            if is_silent(found):
                return found
            kind, test = join(found.type, default.type), operate("ge.int", at, Const(INT, node.span, 0))
            return Choose(kind, node.span, test, converted_to(found, kind), converted_to(default, kind), [])

        place = self.by_prelude(node, prelude.place_to_pop if is_pop else prelude.place_of, [owner, key])
        return place if is_silent(place) else once(place, choose)

    def displayed_keys(self, made: MakeDict | MakeSet) -> Expr:
        """A display: where scripts compare its keys, an empty one into which its items go, all evaluated before."""
        self.take_any_keys([made.type])
        if not made.items or not self.has_own_keys(made.type):
            return made
        unhashed = self.unhashed(made.type)
        if unhashed is not None:
            return self.error(made.span, f"{unhashed} cannot be a key here", UNHASHED)
        node, step = syntax.Node(made.span), 2 if isinstance(made, MakeDict) else 1

        def use(held: list[Expr]) -> Expr:
            with self.collect() as statements:
                whole = self.hold(type(made)(made.type, made.span, []))
                for i in range(0, len(held), step):
                    enter = prelude.set_item if step == 2 else prelude.add
                    self.emit(Evaluate(made.span, self.by_prelude(node, enter, [whole, *held[i : i + step]])))
            return Do(made.type, made.span, statements, whole)

        return once_all(list(made.items), use)

    def own_keys_relation(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        """== and != of dicts or sets of such keys."""
        left, right = readable_set(left), readable_set(right)
        a, b = resolve(left.type), resolve(right.type)
        if type(a) is not type(b) or a.members[0] != b.members[0] or "Counter" in map(dict_class, (a, b)):
            return self.error(node, f"{a} and {b} cannot be compared", "compare what they hold in a loop")
        function = prelude.dicts_equal if isinstance(a, DictType) else prelude.sets_equal
        function = ordered_equal if dict_class(a) == dict_class(b) == "OrderedDict" else function
        same = self.by_prelude(node, function, [left, right])
        return same if op == "==" or is_silent(same) else self.negate(same, node.span)

    # What the prelude asks

    def _special_key_hash(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        return self.key_hash(node, self.value(node.args[0]), True)

    def _special_same_key(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        def use(held: list[Expr]) -> Expr:
            if any(self.session.functions.may_be_function(each.type) for each in held):
                return self.compare(node, "==", *held)
            equal = self.truth(self.relation(node, "==", *held))
            if is_silent(equal) or not all(isinstance(resolve(each.type), ClassType) for each in held):
                return equal
            return any_of([self.identity(node, "is", *held), equal])

        return once_all([self.value(each) for each in node.args], use)

    def _special_is_kept(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        return operate("is.any", *(to_any(self.value(each)) for each in node.args))

    def key_hash(self, node: syntax.Node, value: Expr, is_key: bool) -> Expr:
        """hash(); of a key also where it depends on which instance it is."""
        kind = resolve(value.type)
        if is_silent(value):
            return value
        if len(arms_of(kind)) > 1:
            return self.each_arm(value, lambda one: self.key_hash(node, one, is_key))
        if kind == ANY and self.asked_classes("__eq__"):
            return once(value, lambda whole: self.by_asked_class(
                whole, ("__eq__",), lambda own: self.hash_of_asked(node, own, is_key),
                self.operate(node, "hash()", [whole])))
        if is_key and self.session.functions.is_function(kind) and isinstance(kind, ClassType):
            return self.then(value, self.function_hash(node, kind))
        if isinstance(kind, ClassType):
            return self.instance_hash(node, value, kind) if is_key else self.class_hash(node, value)
        if not self.hashes_itself(kind):
            if not is_key and hashes_identity(kind):
                return self.error(node, f"the hash of {describe(value)} depends on the address of an instance",
                                  "define __hash__ in the class")
            become_keys(kind)
            return self.operate(node, "hash()", [value])
        if isinstance(kind, (EnumType, NamedTupleType)) and kind.hashes_itself:
            if self.defines(kind, "__hash__"):
                return self.own_hash(node, self.call_member(node.span, value, "__hash__", []))
            return self.hash_of_asked(node, value, is_key)
        if isinstance(kind, (TupleType, NamedTupleType)):
            return self.tuple_hash(node, as_tuple(value), is_key)
        return self.error(node, f"{kind} cannot be hashed here", UNHASHED)

    def hash_of_asked(self, node: syntax.Node, own: Expr, is_key: bool) -> Expr:
        """The hash of an instance of a class that was found when running, if it has one."""
        python = self.session.classes.python_of(own.type)
        if python is None or getattr(python, "__hash__", None) is None:
            name = getattr(python, "__name__", "")
            return self.then(own, self.raise_error(node.span, "TypeError", f"unhashable type: '{name}'"))
        become_keys(own.type)
        return self.key_hash(node, own, is_key)

    def tuple_hash(self, node: syntax.Node, value: Expr, is_key: bool) -> Expr:
        kind = resolve(value.type)
        assert isinstance(kind, TupleType)
        if kind.is_variadic:
            return self.by_prelude(node, prelude.hash_of_items, [value])
        return once(value, lambda whole: self.combined(
            node, [self.key_hash(node, each, is_key) for each in tuple_items(whole, kind)]))

    def combined(self, node: syntax.Node, hashes: list[Expr]) -> Expr:
        if is_silent(*hashes):
            return self.silent(node.span, hashes)
        return self.operate(node, "prelude.combined_hash", [MakeList(ListType(INT), node.span, hashes)])

    def function_hash(self, node: syntax.Node, kind: ClassType) -> Expr:
        """One number for all functions of a definition: which of them it is, == tells."""
        return self.operate(node, "hash()", [Const(STR, node.span, kind.name)])

    def instance_hash(self, node: syntax.Node, value: Expr, kind: ClassType) -> Expr:
        """What its class says: the hash of its fields, or which instance it is."""
        info = self.class_info(kind)
        assert info is not None
        found = find(info.python, "__hash__")
        if found is None:
            become_keys(kind)
            return self.operate(node, "hash()", [value])
        if info.key_fields and is_generated(found[0], "__hash__"):
            return once(value, lambda whole: self.combined(node, [
                self.key_hash(node, self.attribute(node, whole, name, None), True) for name in info.key_fields]))
        return self.class_hash(node, value)


def is_any_key(kind: Type) -> bool:
    """Whether a key is a value of type Any, or a tuple that holds some."""
    kind = resolve(kind)
    return kind == ANY or (isinstance(kind, TupleType) and any(map(is_any_key, kind.members)))
