"""Inference of the element types of containers that nothing declares, from all that a function puts into them.

In: what did not go into a container that a variable holds. Out: a wider type for the variable, with which the
function's inference starts again. Holds: elements keep their own types, as arms of a union; a container that an
annotation describes is never widened; types only grow, so starts end.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import TENSOR, DictType, ListType, SetType, TupleType, Type, arms_of, map_members
from ...compilation.self_nesting import ended_growth
from ...compilation.specialise import Again, Specialisation
from ...core.conversions import convert, is_tensor_or_number
from ...core.placeholders import Placeholder, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Choose,
    ClassObject,
    Const,
    Do,
    Expr,
    GetAttribute,
    Invoke,
    Let,
    MakeDict,
    MakeList,
    MakeSet,
    Operate,
    Read,
    ReadTemp,
    Recast,
)
from ...objects.class_info import ClassInfo
from ...objects.function_source import FunctionSource, is_copied
from ...objects.modules import ModuleInfo
from ...parser import syntax
from ...parser.ownership import is_new
from ..base import InferenceBase
from ..iteration import DictIteration
from ..joined_types import inner_container, joined_container, widened_at
from ..type_facts import dict_class, tuple_items

Holder = str | tuple[ClassInfo | ModuleInfo, str]  # a variable, or an attribute of a class
Place = tuple[Holder, tuple[int, ...]]  # and the way from its type to the container's: member by member

ADDS = frozenset((".append", ".appendleft", ".add", ".insert", "_[_]=_", ".setdefault"))
JOINS = frozenset((".extend", ".extendleft", ".update", "_+=_", "_|=_", "_[:]=_"))
READS = {"getitem": -1, "list.pop": 0, "dict.get": 1, "dict.get.default": 1, "dict.setdefault": 1, "dict.pop": 1}
FIXED = ("Counter", "defaultdict")  # their values are what counts and factories give


class ElementTypeInference(InferenceBase):
    """Containers that learn what they hold."""

    # What goes in

    def learn_elements(self, spelling: str, values: Sequence[Expr]) -> None:
        """After an operator that did not take its operands: if a container could hold them, starts again with it."""
        if spelling not in ADDS | JOINS or not values or any(v.type in (ERROR, NEVER, STATIC) for v in values):
            return
        owner = resolve(values[0].type)
        taken = taken_in(spelling, owner, [resolve(value.type) for value in values[1:]])
        if isinstance(taken, SetType) and not taken.element.is_hashable:
            return
        if taken is not None and spelling in ADDS:
            self.learn_result(values[-1], inner_container(owner, values[-1].type))
        if taken is not None:
            self.learn(self.places_of(values[0]), taken)

    def learn(self, places: Sequence[Place], taken: Type, is_deep: bool = False) -> None:
        """Widens the variables that hold containers in some places to what a container of type `taken` holds."""
        has_grown = False
        for name, path in places:
            if isinstance(name, tuple):
                self.learn_attribute_elements(*name, path, taken)
                continue
            known = self.known_type(name)
            if known is None or name in self.declared or name.startswith("."):
                continue
            wide = widened_at(known, path, lambda kind: joined_container(kind, of_class(taken, kind), is_deep))
            if wide is None or wide == resolve(known):
                continue
            wide = ended_growth(wide, known)
            if name in self.spec.captured:
                self.learn_captured(name, wide)
            elif name in self.spec.names and name != copied_keywords(self.spec.source):
                self.spec.wanted[name] = wide
            elif self.spec.learned.get(name) != wide:
                self.spec.learned[name] = wide
                has_grown = True
        if has_grown:
            raise Again(self.spec)

    def learn_captured(self, name: str, wide: Type) -> None:
        """The same for a variable of the function around a stored one."""
        outer = self.spec.outer
        for spec in self.session.specialiser.known.values():
            if outer is not None and (spec.root is outer or outer in spec.frames.values()):
                if spec.learned.get(name) != wide:
                    spec.learned[name] = wide
                    self.session.functions.widen_captured(outer, name, wide)
                    self.session.specialiser.start_again()
                    raise Again(self.spec)

    def known_type(self, name: str) -> Type | None:
        if name in self.spec.learned:
            return self.spec.learned[name]
        state = self.here.variables.get(name)
        return None if state is None or state.static is not None else state.storage

    def learn_arguments(self, callee: Specialisation, values: Sequence[Expr]) -> None:
        """After a call of a function that puts other elements into what it was given."""
        for name, value in zip(callee.given_names, values):
            if name in callee.wanted:
                self.learn(self.places_of(value), callee.wanted[name])
                self.foresee(value.type, callee.wanted[name])

    def foresee(self, kind: Type, wanted: Type) -> None:
        """An empty display that is given away as it is holds what is put into it there."""
        known = {id(member): wide for member, wide in zip(kind.members, wanted.members)}
        found = {key: known[id(member)] for key, member in self.spec.displays.items() if id(member) in known}
        if any(self.spec.foreseen.get(key) != wide for key, wide in found.items()):
            self.spec.foreseen.update(found)
            raise Again(self.spec)

    def places_of(self, value: Expr, seen: tuple[str, ...] = ()) -> list[Place]:
        """Where a container may be known from: its variable, and the containers it was taken out of."""
        if isinstance(value, (Let, Do)):
            return self.places_of(value.body if isinstance(value, Let) else value.value, seen)
        if isinstance(value, Recast):
            return self.places_of(value.value, seen)
        if isinstance(value, ReadTemp):
            return [] if value.temp.value is None else self.places_of(value.temp.value, seen)
        if isinstance(value, Choose):
            return self.places_of(value.then, seen) + self.places_of(value.otherwise, seen)
        if isinstance(value, Operate) and value.operands:
            kind = resolve(value.operands[0].type)
            step = READS.get(value.row.name, READS.get(value.row.full_name))
            if step is None or not isinstance(kind, (ListType, DictType)):
                return []
            step = len(kind.members) - 1
            return [(name, (*path, step)) for name, path in self.places_of(value.operands[0], seen)]
        if isinstance(value, GetAttribute):
            info = self.session.classes.of(value.value.type)
            if isinstance(value.value, ClassObject):
                info = self.session.class_state.info
            if info is None and (module := self.module_info(value.value.type)) is not None:
                return [] if module.is_declared(value.name) else [((module, value.name), ())]
            is_known = info is not None and value.name in info.type.attributes and value.name not in info.declared
            return [((info, value.name), ())] if info is not None and is_known else []
        if not isinstance(value, Read) or value.name in seen:
            return []
        origin = self.origins.get(value.name) or self.taken_from.get(value.name)
        found = [] if origin is None else self.places_of(origin, (*seen, value.name))
        return [(value.name, ()), *found]

    def learn_folded(self, value: Expr, declared: Type) -> None:
        """A container that does not fit a result that nests itself: what holds it holds whatever there is."""
        kinds = {type(arm): arm for arm in arms_of(resolve(declared)) if not isinstance(arm, TupleType)}
        for arm in arms_of(resolve(value.type)):
            if type(arm) not in kinds:
                continue
            call = value.body if isinstance(value, Let) else value
            if isinstance(call, Invoke) and call.callee.declared is None and call.callee.depth < 0:
                call.callee.is_folded, call.callee.is_done = True, False
                call.callee.declare(kinds[type(arm)])
                raise Again(self.spec)
            self.learn(self.places_of(value), kinds[type(arm)], is_deep=True)

    # Variables with a learned type

    def learned_type(self, target: syntax.Node) -> Type | None:
        """What a variable, or each of several, was found to hold; None: nothing was learned."""
        if not self.spec.learned:
            return None
        if isinstance(target, syntax.Name):
            return self.spec.learned.get(self.local_name(target.id))
        if not isinstance(target, (syntax.Tuple, syntax.List)):
            return None
        kinds = [self.learned_type(each) for each in target.elts]
        if not any(kinds):
            return None
        return TupleType(tuple(Placeholder() if kind is None else kind for kind in kinds))

    def natural_type(self, node: syntax.Node) -> Type:
        """The type of an expression where nothing is wanted of it."""
        mark, before = self.reporter.mark(), self.here.copy()
        with self.collect():
            kind = resolve(self.expr(node).type)
        self.reporter.rewind(mark)
        self.env = before
        return kind

    def learn_value(self, target: syntax.Node, node: syntax.Node) -> None:
        """Before a learned type becomes the hint for a value: it has to cover what the value is without a hint."""
        kind = self.natural_type(node)
        targets: list[syntax.Node] = [target]
        kinds: list[Type] = [kind]
        if isinstance(target, (syntax.Tuple, syntax.List)):
            if not isinstance(kind, TupleType) or len(kind.elements) != len(target.elts):
                return
            targets, kinds = list(target.elts), list(kind.elements)
        for each, natural in zip(targets, kinds):
            if isinstance(each, syntax.Name):
                self.learn_kind(self.local_name(each.id), natural)

    def take_sources(self, node: syntax.Assign) -> None:
        """Takes note of what each variable that an assignment names is made of."""
        if not self.spec.learned:
            return
        for target in node.targets:
            pairs: list[tuple[syntax.Node, syntax.Node]] = [(target, node.value)]
            if isinstance(target, (syntax.Tuple, syntax.List)) and isinstance(node.value, (syntax.Tuple, syntax.List)):
                pairs = list(zip(target.elts, node.value.elts)) if len(target.elts) == len(node.value.elts) else []
            self.made_of.update((name, value) for name, value in pairs if len(node.targets) == 1)

    def learn_kind(self, name: str, kind: Type) -> None:
        known = self.spec.learned.get(name)
        wide = None if known is None else joined_container(known, kind, is_deep=True)
        if wide is not None and wide != known:
            self.spec.learned[name] = wide
            raise Again(self.spec)

    def at_learned_type(self, name: str, target: syntax.Name, value: Expr) -> Expr:
        """A value of a variable with a learned type: a container that is new is made of that type; one that another
        variable holds is widened there."""
        known, kind = self.spec.learned.get(name), resolve(value.type)
        if known is None:
            self.follow(name, value)
            return value
        if kind == known or any(type(arm) is not type(known) for arm in arms_of(kind)):
            return value
        if len(arms_of(kind)) > 1:
            self.learn(self.places_of(value), known)
            return value
        if joined_container(known, kind, is_deep=True) != resolve(known):
            self.learn_kind(name, kind)
            return value
        self.learn(self.places_of(value), known)
        node = self.made_of.get(target)
        return self.remade(node, value, known) if node is not None and is_new(node) else value

    def follow(self, name: str, value: Expr) -> None:
        """A variable that had another container is given one of a variable whose type was learned: both are of it."""
        state = self.here.variables.get(name)
        if state is None or state.static is not None or name in self.declared or name.startswith("."):
            return
        if any(place in self.spec.learned and not path for place, path in self.places_of(value)):
            wide = joined_container(state.type, value.type, is_deep=True)
            if wide is not None and wide != resolve(state.type):
                self.learn([(name, ())], resolve(value.type))

    def remade(self, node: syntax.Node, value: Expr, kind: Type) -> Expr:
        """A new container with the elements of one that nobody else has, each at the element type of `kind`."""
        converted = convert(value, kind)
        kind, source = resolve(kind), resolve(value.type)
        if converted is not None:
            return converted[0]
        if len(arms_of(source)) > 1 and not (kind == TENSOR and is_tensor_or_number(source)):
            checked = self.at_declared(value, kind, "an element of the result")
            return checked or self.each_arm(value, lambda one: self.remade(node, one, kind))
        if joined_container(kind, source) is None:
            return self.coerce(value, kind, "an element of the result")
        made = MakeDict if isinstance(kind, DictType) else MakeSet if isinstance(kind, SetType) else MakeList

        with self.collect() as statements:
            held = self.hold(value)
            result = self.hold_once(made(kind, node.span, []))
            self.put_each(node, result, held)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        return Do(kind, node.span, statements, result)

    def put_each(self, node: syntax.Node, result: Expr, held: Expr) -> None:
        """Puts the elements of one container into another of its class."""
        kind = resolve(result.type)
        is_dict = isinstance(kind, DictType)
        row = "_[_]=_" if is_dict else ".add" if isinstance(kind, SetType) else ".append"
        iteration = DictIteration(self, node.span, held, "items") if is_dict else self.iterate_value(node, held)

        def each(item: Expr, on_break: object, on_continue: object) -> None:
            item = self.hold(item)
            pair = resolve(item.type)
            items = tuple_items(item, pair) if is_dict and isinstance(pair, TupleType) else [item]
            parts = [self.remade(node, part, wanted) for part, wanted in zip(items, kind.members)]
            self.evaluate(self.operate(node, row, [result, *parts]))

        self.walk(node.span, iteration, frozenset(), None, None, each, None)
        self.drop(iteration.own_names())


def copied_keywords(source: FunctionSource) -> str | None:
    """The parameter `**kwargs` of a function that begins with a copy of it."""
    kwarg = source.node.args.kwarg
    return kwarg.arg if kwarg is not None and is_copied(source.node, kwarg) else None


def of_class(taken: Type, kind: Type) -> Type:
    """What a defaultdict takes, as a type of the class with its factory: a wider one is made by a script."""
    if isinstance(taken, DictType) and isinstance(kind, DictType) and dict_class(kind) == dict_class(taken):
        return DictType(taken.key, taken.value, kind.name)
    return taken


def taken_in(spelling: str, owner: Type, kinds: Sequence[Type]) -> Type | None:
    """The type of a container of the owner's class that holds just what an operator puts in; None if it is none."""
    if not isinstance(owner, (ListType, DictType, SetType)) or not kinds:
        return None
    if isinstance(owner, DictType) and dict_class(owner) in FIXED:
        is_count = dict_class(owner) == "Counter" or len(kinds) != 2
        return DictType(kinds[0], owner.value if is_count else kinds[1], owner.name) if spelling in ADDS else None
    if spelling in JOINS:
        return kinds[-1] if type(kinds[-1]) is type(owner) else None
    if isinstance(owner, DictType):
        return DictType(kinds[0], kinds[-1], owner.name) if len(kinds) == 2 else None
    return map_members(owner, lambda _: kinds[-1])
