"""Inference of what containers do by the == and < of their elements: index, count, remove, sort, order; and of dict
views as sets.

In: method calls and comparisons. Out: calls of the prelude where instances have methods of their own or bounds are
given; the runtime's rows serve all else.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    DictType,
    ListType,
    NamedTupleType,
    SetType,
    TupleType,
    Type,
    arms_of,
    has_arm,
)
from ...core.conversions import convert, keeps_kinds, once_all, operate
from ...core.denotations import OperatorDenotation, ViewDenotation
from ...core.function_values import FunctionClass
from ...core.matcher import describe
from ...core.placeholders import has_placeholder, join, resolve
from ...core.typed import Choose, Const, Expr, Operate, Static, after, boolean, is_silent
from ...parser import syntax
from ...prelude import containers as prelude
from ...prelude import sorting as prelude_sorting
from ..base import InferenceBase
from ..classes.special_methods import COMPARED, SWAPPED
from ..type_facts import converted_to, dict_class

LAST = 2**63 - 1
NUMBERS = (BOOL, INT, FLOAT, COMPLEX)
PLAIN = (*NUMBERS, STR, BYTES, NONE)
ORDERS = ("__eq__", "__lt__", "__gt__")
FINDS = {"list.count": prelude.number_of, "list.remove": prelude.taken_out}
BY_ITEMS = {"<": prelude.sequences_less, "<=": prelude.sequences_less_equal, ">": prelude.sequences_greater,
            ">=": prelude.sequences_greater_equal}
BY_PAIRS = {"<": prelude.tuples_less, "<=": prelude.tuples_less_equal, ">": prelude.tuples_greater,
            ">=": prelude.tuples_greater_equal}
SET_OPERATORS = ("&", "|", "-", "^")


def is_plain(kind: Type) -> bool:
    return all(arm in PLAIN for arm in arms_of(resolve(kind)))


def is_taken(kind: Type, by: Sequence[Type]) -> bool:
    """Whether a value becomes one of these types, as a bool or an int becomes a float."""
    higher = NUMBERS[NUMBERS.index(kind) :] if kind in NUMBERS else (kind,)
    return any(each in by for each in higher)


class SequenceInference(InferenceBase):
    """Elements that are compared."""

    def is_tuple_method(self, kind: Type, name: str) -> bool:
        return isinstance(kind, TupleType) and name in ("index", "count")

    def call_sequence_method(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr | None:
        """index with bounds, index and count of tuples; None for other methods."""
        receiver, name = denotation.receiver, denotation.spelling[1:]
        kind = resolve(receiver.type) if receiver is not None else None
        if receiver is not None and name == "update" and isinstance(kind, DictType):
            return self.call_dict_update(node, receiver)
        if name == "setdefault" and isinstance(kind, DictType) and len(node.args) == 1 and not node.keywords:
            nothing = syntax.Constant(node.span, None)
            return self.call_operator(syntax.Call(node.span, node.func, [*node.args, nothing], []), denotation)
        if receiver is not None and name == "extend" and isinstance(kind, ListType) and len(node.args) == 1:
            return self.call_extend(node, receiver) if not isinstance(node.args[0], syntax.Starred) else None
        if receiver is None or name not in ("index", "count") or not isinstance(kind, (ListType, TupleType)):
            return None
        is_row = isinstance(kind, ListType) and (name == "count" or len(node.args) < 2)
        if isinstance(kind, ListType) and is_row and not self.is_other_element(node, kind.element):
            return None
        most = 3 if name == "index" else 1
        if not 1 <= len(node.args) <= most or any(isinstance(each, syntax.Starred) for each in node.args):
            return self.error(node, f"{name}() takes {'1 to 3 arguments here' if most > 1 else 'a value'}")
        values = [receiver, self.value(node.args[0]), *(self.value(argument) for argument in node.args[1:])]
        if is_silent(*values):
            return self.silent(node.span, values)
        for bound in values[2:]:
            if resolve(bound.type) not in (INT, BOOL):
                return self.error(bound, f"slice indices must be integers, not {describe(bound)}")
        bounds = [self.coerce(bound, INT, "a bound") for bound in values[2:]]
        if name == "count":
            return self.by_prelude(node, prelude.number_of, values)
        bounds += [Const(INT, node.span, 0), Const(INT, node.span, LAST)][len(bounds) :]
        made = prelude.place_of if isinstance(kind, ListType) else prelude.place_in_tuple
        return self.by_prelude(node, made, [*values[:2], *bounds])

    def is_other_element(self, node: syntax.Call, element: Type) -> bool:
        """Whether the only argument of a call is none of a list's elements, though it may equal one of them."""
        if len(node.args) != 1 or isinstance(node.args[0], syntax.Starred) or not is_plain(element):
            return False
        kind = self.natural_type(node.args[0])
        return is_plain(kind) and not all(is_taken(arm, arms_of(resolve(element))) for arm in arms_of(kind))

    # Where the runtime would have to call the elements' own methods

    def orders_by_method(self, kind: Type) -> bool:
        """Whether values of a type hold functions, or instances whose class decides about == or order."""
        kind = resolve(kind)
        if isinstance(kind, FunctionClass):
            return True
        if kind == ANY:
            return bool(self.asked_classes("__lt__", "__gt__"))
        if isinstance(kind, ClassType) or self.says(kind, ORDERS):
            return any(self.defines(kind, name) for name in ORDERS)
        if self.is_number_member(kind) or self.enum_name(kind) is not None:
            return True
        return any(map(self.orders_by_method, kind.members))

    def holds_instances(self, kind: Type) -> bool:
        """Whether values of a type are, or hold, instances of script classes."""
        return self.has_instances(kind) or any(map(self.holds_instances, resolve(kind).members))

    def without_order(self, kind: Type, op: str = "<") -> Type | None:
        """A class whose instances have no such order, and are compared wherever two values of a type are: what stands
        behind the first element of tuples is only compared where that is equal."""
        kind = resolve(kind)
        if isinstance(kind, ClassType):
            is_told = any(self.defines(kind, name) for name in (COMPARED[op], SWAPPED[op]))
            return None if is_told or isinstance(kind, FunctionClass) else kind  # which raises a TypeError
        if self.enum_name(kind) is not None:
            return None if any(self.defines(kind, name) for name in (COMPARED[op], SWAPPED[op])) else kind
        members = kind.members[:1] if isinstance(kind, (TupleType, NamedTupleType)) else kind.members
        return next(filter(None, (self.without_order(member, op) for member in members)), None)

    def found_by_method(self, result: Operate) -> Expr:
        """list.index, count and remove of instances with their own ==."""
        node = syntax.Node(result.span)
        name = result.row.full_name
        if name == "list.index":
            bounds: list[Expr] = [Const(INT, result.span, 0), Const(INT, result.span, LAST)]
            return self.by_prelude(node, prelude.place_of, [*result.operands, *bounds])
        return self.by_prelude(node, FINDS[name], result.operands)

    def sorted_by_method(self, result: Operate) -> Expr:
        """list.sort and sorted of what has its own <."""
        node = syntax.Node(result.span)
        if self.without_order(result.operands[0].type) is not None and not self.is_left(node):
            return self.error(node, "sorting instances needs a key", "sorted(..., key=lambda x: x.attribute)")
        reverse = result.operands[1] if len(result.operands) > 1 else boolean(result.span, False)
        made = prelude_sorting.sort_items if result.row.full_name == "list.sort" else prelude_sorting.sorted_items
        return self.by_prelude(node, made, [result.operands[0], reverse])

    def container_order(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """<, <=, > and >= of lists and tuples of instances; None where that is an error."""
        a, b = resolve(left.type), resolve(right.type)
        lacking = self.without_order(a, op) or self.without_order(b, op)
        if lacking is not None and not self.is_left(node):
            text = f"'{op}' is not supported between containers of '{lacking}'"
            return self.error(node, text, f"define {COMPARED[op]} in the class")
        if isinstance(a, TupleType) and isinstance(b, TupleType) and not (a.is_variadic or b.is_variadic):
            return self.by_prelude(node, BY_PAIRS[op], [left, right])
        if isinstance(a, (ListType, TupleType)) and type(a) is type(b):
            return self.by_prelude(node, BY_ITEMS[op], [left, right])
        return None

    # Dict views as sets

    def is_set_view(self, value: Expr) -> bool:
        return isinstance(value, Static) and isinstance(value.denotation, ViewDenotation) and (
            value.denotation.view in ("keys", "items"))

    def view_as_set(self, node: syntax.Node, value: Expr) -> Expr:
        """The keys or items of a dict as a new set; other values as they are."""
        if not isinstance(value, Static) or not isinstance(value.denotation, ViewDenotation):
            return value
        view, owner = value.denotation.view, self.one_dict(node, value.denotation.receiver)
        kind = resolve(owner.type)
        assert isinstance(kind, DictType)
        element = kind.key if view == "keys" else TupleType((kind.key, kind.value))
        if not element.is_hashable:
            return self.error(node, f"the items of {kind} are not hashable", "compare the dicts")
        listed = operate(f"dict.{view}", owner, result=ListType(element))
        return after(value.before, self.compared(operate("set.from_list", listed, result=SetType(element))))

    def view_text(self, value: Static, view: ViewDenotation) -> Expr:
        """`str(d.keys())`: the same as its repr."""
        listed = self.list_of(syntax.Node(value.span), value)
        text = self.text_of(listed, "repr.any")
        if is_silent(text):
            return text
        name = ("odict_" if dict_class(view.receiver.type) == "OrderedDict" else "dict_") + view.view
        start, end = Const(STR, value.span, f"{name}("), Const(STR, value.span, ")")
        return operate("add.str", operate("add.str", start, text), end)

    def contains_in_view(self, node: syntax.Node, item: Expr, value: Static) -> Expr:
        """`key in d.keys()`, `value in d.values()`."""
        assert isinstance(value.denotation, ViewDenotation)
        view, owner = value.denotation.view, self.one_dict(node, value.denotation.receiver)
        kind = resolve(owner.type)
        assert isinstance(kind, DictType)
        if view == "keys":
            return self.contains(node, item, after(value.before, owner))
        element = kind.value if view == "values" else TupleType((kind.key, kind.value))
        listed = operate(f"dict.{view}", owner, result=ListType(element))
        return self.contains(node, item, after(value.before, listed))

    # dict.get and dict.pop

    def is_other_default(self, values: Sequence[Expr]) -> bool:
        """Whether the default of `d.get(key, default)` has a type of its own beside that of the dict's values."""
        kind, default = resolve(values[0].type), values[2]
        if not isinstance(kind, DictType) or is_silent(*values) or isinstance(default, Static):
            return False
        converted = convert(default, kind.value)
        given, wanted = resolve(default.type), resolve(kind.value)
        is_number = converted is not None and given in (BOOL, INT) and given != wanted and not has_arm(wanted, given)
        if converted is None or is_number:
            return True
        is_known = not (has_placeholder(given) or has_placeholder(wanted) or self.is_declared(values[0]))
        return is_known and not keeps_kinds(given, wanted) and self.session.functions.merged(given, wanted) != wanted

    def dict_item_or(self, node: syntax.Call, spelling: str, values: list[Expr]) -> Expr:
        """The item if the key is there, else the default, at the union of their types."""

        def use(held: list[Expr]) -> Expr:
            owner, key, default = held
            if self.has_own_keys(owner.type):
                return self.own_item_or(node, spelling == ".pop", held)
            found = self.operate(node, "_[_]" if spelling == ".get" else ".pop", [owner, key])
            test = self.contains(node, key, owner)
            if is_silent(found, test):
                return self.silent(node.span, [found, test])
            kind = join(found.type, default.type)
            return Choose(kind, node.span, test, converted_to(found, kind), converted_to(default, kind), [])

        return once_all(values, use)

    def view_operation(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`d.keys() & other`, `d.items() == e.items()`; None where no view is a set here."""
        if not (self.is_set_view(left) or self.is_set_view(right)):
            return None
        sides: Sequence[Expr] = (left, right)
        if op in SET_OPERATORS:
            made = [self.view_as_set(node, side) for side in sides]
            for i, side in enumerate(made):
                if not is_silent(side) and not isinstance(resolve(side.type), SetType):
                    made[i] = self.set_of_list(node, self.list_of(node, side))
            return self.binary(node, op, made[0], made[1])
        if any(isinstance(side, Static) and not self.is_set_view(side) for side in sides):
            return None
        first, second = (self.view_as_set(node, side) for side in sides)
        return self.relation(node, op, first, second)
