"""Conversions of a value to a type that is wanted: the only place that inserts them.

In: typed expressions and declared types. Out: converted expressions with a cost for ranking overloads, or None.
Holds: numbers widen bool -> int -> float (D3), a value widens to Optional, Union, Scalar and Any; containers never
change their element type; a Scalar is checked at run time where one kind of number is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...binding.result_classes import result_classes
from ...ir.operators import OPERATORS
from ...ir.types import (
    ANY,
    BOOL,
    COMPLEX,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    SHAPE,
    STR,
    TENSOR,
    DictType,
    EnumType,
    ListType,
    NamedTupleType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    arms_of,
    has_arm,
    union,
)
from .exception_types import ARGS, ARGS_TYPE, HOLDER, KEEPER, PAYLOAD, ExceptionClass, is_exception
from .function_values import holds_function
from .placeholders import has_placeholder, resolve, unify
from .typed import (
    ERROR,
    NEVER,
    STATIC,
    Choose,
    Const,
    Expr,
    GetAttribute,
    IsType,
    Let,
    MakeDict,
    MakeList,
    MakeSet,
    MakeTuple,
    Operate,
    Read,
    ReadTemp,
    Recast,
    Static,
    Temp,
    TupleItem,
)

EXACT, WIDER, INTEGRAL, FLOATING, NUMBER, ANYTHING, CHECKED = 0, 1, 2, 3, 5, 7, 9  # costs, for ranking overloads

Converted = tuple[Expr, int]
NUMBERS = (BOOL, INT, FLOAT)
EXACT_IN_FLOAT = 2**53
HELD = ".held"  # begins the names of hidden variables that are stored once


def operate(name: str, *operands: Expr, result: Type | None = None) -> Operate:
    """An operator row by full name on operands that fit exactly."""
    row = OPERATORS[name]
    results = (result,) if result is not None else row.schema.results
    return Operate(results[0], operands[0].span, row, list(operands), results)


def is_trivial(value: Expr) -> bool:
    """Whether evaluating it twice, or later, cannot be told from once and now."""
    if isinstance(value, (Const, ReadTemp, Static)):
        return True
    if isinstance(value, Read):
        return value.name.startswith(HELD)
    return isinstance(value, Recast) and is_trivial(value.value)


def is_idle(value: Expr) -> bool:
    """Whether nobody can tell if it is evaluated at all."""
    return isinstance(value, (Const, ReadTemp, Static)) or isinstance(value, Read) and not value.is_checked


def once(value: Expr, use: Callable[[Expr], Expr]) -> Expr:
    """`use(value)` where use may mention the value several times."""
    if is_trivial(value):
        return use(value)
    temp = Temp(value)
    body = use(ReadTemp(value.type, value.span, temp))
    return Let(body.type, value.span, temp, value, body)


def once_all(values: Sequence[Expr], use: Callable[[list[Expr]], Expr]) -> Expr:
    """`use(values)` where use may mention each several times or never; they are evaluated from left to right."""
    temps = {i: Temp(value) for i, value in enumerate(values) if not is_trivial(value)}
    body = use([ReadTemp(v.type, v.span, temps[i]) if i in temps else v for i, v in enumerate(values)])
    for i, temp in reversed(temps.items()):
        body = Let(body.type, body.span, temp, values[i], body)
    return body


def holds_value_enum(kind: Type) -> bool:
    """Whether values of a type are, or hold, members that are values: as Any they would not be equal to them."""
    kind = resolve(kind)
    return isinstance(kind, EnumType) and kind.is_value or any(map(holds_value_enum, kind.members))


def is_number(kind: Type) -> bool:
    """Whether all its values are bool, int or float."""
    return all(arm in NUMBERS for arm in arms_of(kind))


def is_scalar(kind: Type) -> bool:
    """Whether all its values are numbers of any kind."""
    return kind != ANY and all(arm in arms_of(SCALAR) for arm in arms_of(kind))


def is_tensor_or_number(kind: Type) -> bool:
    """Whether its values are tensors and numbers, as sum() of tensors is."""
    arms = arms_of(kind)
    return len(arms) > 1 and TENSOR in arms and all(arm == TENSOR or is_scalar(arm) for arm in arms)


def keeps_kinds(source: Type, target: Type) -> bool:
    """Whether a value of one type is the same value at the other: no number in it changes its kind."""
    source, target = resolve(source), resolve(target)
    if source == target or has_arm(target, source):
        return True
    if isinstance(source, TupleType) and isinstance(target, TupleType) and not source.is_variadic:
        wanted = target.elements * len(source.elements) if target.is_variadic else target.elements
        return len(wanted) == len(source.elements) and all(map(keeps_kinds, source.elements, wanted))
    if len(arms_of(source)) > 1:
        return all(keeps_kinds(arm, target) for arm in arms_of(source))
    arms = arms_of(target)
    return len(arms) > 1 and any(keeps_kinds(source, arm) for arm in arms)


def convert(value: Expr, target: Type) -> Converted | None:
    """`value` at type `target`, and what it costs; None if it does not go there."""
    target, source = resolve(target), resolve(value.type)
    if source == target or source in (ERROR, NEVER) or target == ERROR:
        return value, EXACT
    if source == STATIC:
        return None
    if (has_placeholder(source) or has_placeholder(target)) and unify(source, target):
        return value, EXACT
    number = _convert_number(value, source, target)
    if number is not None:
        return number
    if isinstance(source, TupleType) and isinstance(target, TupleType):
        return _convert_tuple(value, source, target)
    if isinstance(source, NamedTupleType) and isinstance(target, TupleType) and source.name in result_classes():
        return convert(as_tuple(value), target)
    if target == EXCEPTION and is_exception(source):
        return as_exception(value), WIDER
    if target == ANY and (holds_function(source) or holds_value_enum(source)):
        return None
    if has_arm(target, source):
        return Recast(target, value.span, value), ANYTHING if target == ANY else NUMBER if target == SCALAR else WIDER
    display = _convert_display(value, target)
    if display is not None:
        return display
    return _convert_to_arm(value, source, target)


def _convert_number(value: Expr, source: Type, target: Type) -> Converted | None:
    if source == BOOL and target == INT:
        return operate("int.bool", value), INTEGRAL
    if source in (BOOL, INT) and target == FLOAT:
        if isinstance(value, Const) and abs(int(value.value)) <= EXACT_IN_FLOAT:
            return Const(FLOAT, value.span, float(value.value)), FLOATING
        return operate("float.bool" if source == BOOL else "float.int", value), FLOATING
    if source == TENSOR and target in NUMBERS:
        return _convert_tensor(value, target), CHECKED
    if target == FLOAT and is_scalar(source):
        return operate("float.Scalar", to_scalar(value)), CHECKED
    if target == INT and (source == ANY or BOOL in arms_of(source) and is_scalar(source)):
        return once(value, _to_int), CHECKED
    if target == FLOAT and source == ANY:
        return once(value, _any_to_float), CHECKED
    if target in (BOOL, INT) and (source == ANY or target in arms_of(source) and is_scalar(source)):
        return Recast(target, value.span, value), CHECKED
    return None


def _convert_tensor(value: Expr, target: Type) -> Expr:
    """The one element of a tensor (D3); an int takes no fraction."""
    if target != INT:
        return operate("bool.Tensor" if target == BOOL else "float.Tensor", value)
    return once(operate("item", value), _to_int)


def _to_int(value: Expr) -> Expr:
    is_bool = IsType(BOOL, value.span, value, BOOL)
    from_bool = operate("int.bool", Recast(BOOL, value.span, value))
    return Choose(INT, value.span, is_bool, from_bool, Recast(INT, value.span, value), [])


def _any_to_float(value: Expr) -> Expr:
    found: Expr = Recast(FLOAT, value.span, value)
    for kind, row in ((INT, "float.int"), (BOOL, "float.bool")):
        test = IsType(BOOL, value.span, value, kind)
        found = Choose(FLOAT, value.span, test, operate(row, Recast(kind, value.span, value)), found, [])
    return found


def to_scalar(value: Expr) -> Expr:
    """A number at type Scalar, its kind kept."""
    return value if resolve(value.type) == SCALAR else Recast(SCALAR, value.span, value)


def to_any(value: Expr) -> Expr:
    return value if resolve(value.type) == ANY else Recast(ANY, value.span, value)


def as_exception(value: Expr) -> Expr:
    """An exception of any class: one of the runtime, which stands for an instance of a user's class."""

    def use(whole: Expr) -> Expr:
        found: Expr | None = None
        for arm in reversed(arms_of(resolve(value.type))):
            made = _standing_for(narrowed(whole, arm))
            test = IsType(BOOL, value.span, whole, arm)
            found = made if found is None else Choose(EXCEPTION, value.span, test, made, found, [])
        assert found is not None
        return found

    return value if resolve(value.type) == EXCEPTION else once(value, use)


def _standing_for(value: Expr) -> Expr:
    kind = resolve(value.type)
    if not isinstance(kind, ExceptionClass):
        return value
    args = GetAttribute(ARGS_TYPE, value.span, value, ARGS)
    held = GetAttribute(EXCEPTION, value.span, value, KEEPER)
    items = [Const(STR, value.span, PAYLOAD), value, Const(STR, value.span, HOLDER), held]
    parts = MakeTuple(TupleType((STR, kind, STR, EXCEPTION)), value.span, items)
    return operate("exception.make", Const(STR, value.span, kind.text), to_any(args), to_any(parts))


def instance_of(value: Expr, kind: Type) -> Expr:
    """The instance of a user's class that an exception stands for."""
    held = operate("exception.attribute", value, Const(STR, value.span, PAYLOAD))
    return Recast(kind, value.span, held)


def as_tuple(value: Expr) -> Expr:
    """A named tuple's elements as a plain tuple; any other value as it is."""
    kind = resolve(value.type)
    if not isinstance(kind, NamedTupleType):
        return value
    members = kind.members
    if isinstance(value, MakeTuple):
        return MakeTuple(TupleType(members), value.span, value.items)
    return once(value, lambda whole: MakeTuple(
        TupleType(members), value.span, [TupleItem(each, value.span, whole, i) for i, each in enumerate(members)]))


def as_shape(value: Expr) -> Expr:
    """A tuple of ints of any length as a Size."""
    return operate("size.tuple", value, result=SHAPE)


def _convert_tuple(value: Expr, source: TupleType, target: TupleType) -> Converted | None:
    if source.is_variadic or (not target.is_variadic and len(source.elements) != len(target.elements)):
        return None
    wanted = target.elements * len(source.elements) if target.is_variadic else target.elements
    fixed = TupleType(tuple(map(resolve, wanted)))
    cost = EXACT

    def each(whole: Expr) -> Expr | None:
        nonlocal cost
        items: list[Expr] = []
        for i, element in enumerate(wanted):
            taken = TupleItem(source.elements[i], value.span, whole, i)
            item = whole.items[i] if isinstance(whole, MakeTuple) else taken
            converted = convert(item, element)
            if converted is None:
                return None
            items.append(converted[0])
            cost = max(cost, converted[1])
        return MakeTuple(fixed, value.span, items)

    if source.elements == fixed.elements:
        result: Expr | None = value
    elif isinstance(value, MakeTuple) or is_trivial(value):
        result = each(value)
    else:
        temp = Temp()
        body = each(ReadTemp(value.type, value.span, temp))
        result = None if body is None else Let(body.type, value.span, temp, value, body)
    if result is None:
        return None
    return (Recast(target, value.span, result), max(cost, WIDER)) if target.is_variadic else (result, cost)


def _convert_display(value: Expr, target: Type) -> Converted | None:
    """A literal list or dict that nobody else holds yet may still take another element type."""
    wanted: list[Type]
    made = MakeSet if isinstance(target, SetType) else MakeList
    if not _is_same_class(value.type, target):
        return None
    if isinstance(target, (ListType, SetType)) and isinstance(value, (MakeList, MakeSet)) and isinstance(value, made):
        wanted = [target.element] * len(value.items)
    elif isinstance(value, MakeDict) and isinstance(target, DictType):
        wanted = [target.key, target.value] * (len(value.items) // 2)
    else:
        return None
    converted = [convert(item, kind) or convert(_unwidened(item), kind) for item, kind in zip(value.items, wanted)]
    items = [pair[0] for pair in converted if pair is not None]
    if len(items) < len(converted):
        return None
    cost = max((pair[1] for pair in converted if pair is not None), default=WIDER)
    return type(value)(target, value.span, items), max(cost, WIDER)


def _unwidened(item: Expr) -> Expr:
    """An item of a display before it met those of other types."""
    is_widened = isinstance(item, Recast) and has_arm(resolve(item.type), resolve(item.value.type))
    return item.value if isinstance(item, Recast) and is_widened else item


def _is_same_class(source: Type, target: Type) -> bool:
    """Whether neither is a deque or a subclass of dict that the other is not."""
    return getattr(resolve(source), "name", "") == getattr(target, "name", "") or isinstance(target, SetType)


def _convert_to_arm(value: Expr, source: Type, target: Type) -> Converted | None:
    """Into Optional or Union by way of one of its arms, the cheapest first listed: int to Optional[float]."""
    tuples = _convert_tuples(value, source, target)
    if tuples is not None:
        return tuples
    if not isinstance(target, OptionalType) and len(arms_of(target)) < 2:
        return _narrow_any(value, source, target)
    if isinstance(source, OptionalType):
        return _convert_optional(value, source, target)
    if source == ANY:
        return _any_to_arm(value, target)
    best: Converted | None = None
    for arm in arms_of(target):
        if arm != NONE and (found := convert(value, arm)) is not None and found[1] < CHECKED:
            if best is None or found[1] < best[1]:
                best = found
    if best is None and source == TENSOR:
        best = _tensor_to_arm(value, target)
    if best is None and is_scalar(source):
        best = _checked_number(value, source, target)
    return None if best is None else (Recast(target, value.span, best[0]), max(best[1], WIDER))


def _convert_tuples(value: Expr, source: Type, target: Type) -> Converted | None:
    """Tuples of several types, each as what it is: of one item or two to tuple[int, ...]."""
    arms = arms_of(source)
    is_of_tuples = len(arms) > 1 and any(isinstance(arm, TupleType) for arm in arms) and source != SCALAR
    if not is_of_tuples or not all(keeps_kinds(arm, target) for arm in arms):
        return None

    def use(whole: Expr) -> Expr:
        found: Expr | None = None
        for arm in reversed(arms):
            made = convert(narrowed(whole, arm), target)
            assert made is not None
            test = IsType(BOOL, value.span, whole, arm)
            found = made[0] if found is None else Choose(target, value.span, test, made[0], found, [])
        assert found is not None
        return found

    return once(value, use), WIDER


def _any_to_arm(value: Expr, target: Type) -> Converted | None:
    """The arm of Optional or Union shows at run time; a number of a kind that is not declared widens (D3)."""
    if isinstance(target, OptionalType):
        inner = target.inner
        if convert(ReadTemp(ANY, value.span, Temp()), inner) is None:
            return None

        def of_optional(one: Expr) -> Expr:
            converted = convert(one, inner)
            assert converted is not None
            empty = Recast(target, value.span, Const(NONE, value.span, None))
            found = Recast(target, value.span, converted[0])
            return Choose(target, value.span, IsType(BOOL, value.span, one, NONE), empty, found, [])

        return once(value, of_optional), CHECKED

    def of_union(one: Expr) -> Expr:
        found: Expr = Recast(target, value.span, one)
        for place, kind in enumerate(NUMBERS):
            wider = [arm for arm in NUMBERS[place:] if arm in arms_of(target)]
            number = _convert_number(Recast(kind, value.span, one), kind, wider[0]) if wider else None
            if number is not None and kind != wider[0]:
                widened = Recast(target, value.span, number[0])
                found = Choose(target, value.span, IsType(BOOL, value.span, one, kind), widened, found, [])
        return found

    return once(value, of_union), CHECKED


def _checked_number(value: Expr, source: Type, target: Type) -> Converted | None:
    """A number whose kind shows at run time, where some kinds of numbers stand beside None, lists and their like."""
    numbers = [arm for arm in arms_of(target) if is_scalar(arm)]
    if len(numbers) < 2:
        return _convert_number(value, source, numbers[0]) if numbers else None
    return _any_to_arm(to_any(value), union(*numbers))


def _tensor_to_arm(value: Expr, target: Type) -> Converted | None:
    """The one element of a tensor where some kind of number stands beside None, lists and their like; a number of any
    kind is an operator's, which has another form for tensors."""
    numbers = [arm for arm in arms_of(target) if is_scalar(arm)]
    if not numbers or has_arm(target, COMPLEX):
        return None
    if len(numbers) == 1:
        return _convert_number(value, TENSOR, numbers[0])
    return _checked_number(operate("item", value), SCALAR, target)


def _convert_optional(value: Expr, source: OptionalType, target: Type) -> Converted | None:
    if NONE not in arms_of(target):
        return None
    cost = EXACT

    def use(whole: Expr) -> Expr:
        nonlocal cost
        inner = convert(Recast(source.inner, value.span, whole), target)
        if inner is None:
            cost = -1
            return whole
        cost = inner[1]
        empty = Recast(target, value.span, Const(NONE, value.span, None))
        return Choose(target, value.span, IsType(BOOL, value.span, whole, NONE), empty, inner[0], [])

    result = once(value, use)
    return None if cost < 0 else (result, cost)


def _narrow_any(value: Expr, source: Type, target: Type) -> Converted | None:
    if source != ANY or isinstance(target, TupleType) and _holds_float(target):
        return None
    return Recast(target, value.span, value), CHECKED


def _holds_float(kind: Type) -> bool:
    """Whether some number in a tuple may have to become a float (D3)."""
    kind = resolve(kind)
    return kind == FLOAT or isinstance(kind, (TupleType, OptionalType)) and any(map(_holds_float, kind.members))


def narrowed(value: Expr, kind: Type) -> Expr:
    """A value of which flow has proved that it is of this narrower type."""
    return value if resolve(value.type) == resolve(kind) else Recast(kind, value.span, value)


def remove_none(kind: Type) -> Type:
    """The type without its None arm; NEVER if that is all of it."""
    arms = [arm for arm in arms_of(resolve(kind)) if arm != NONE]
    return union(*arms) if arms else NEVER
