"""The one matcher: from a Python spelling and arguments to an operator row and converted operands.

In: rows in overload priority, positional and keyword arguments in Python's order. Out: a call of the best row.
Holds: an exact fit wins, then the cheapest conversions, then row order; arguments are evaluated in the order written.
A failure names the closest candidates and the argument that does not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...ir.operators import Operator, spelled
from ...ir.schema import SchemaParam
from ...ir.signature import substitute
from ...ir.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    SHAPE,
    TENSOR,
    DictType,
    FrozenSetType,
    ListType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    UnionType,
    VarType,
    arms_of,
    is_shape,
    optional,
    union,
)
from ..diagnostics import suggestion
from .conversions import CHECKED, INTEGRAL, NUMBER, Converted, convert, is_scalar, is_trivial, narrowed, once, operate
from .placeholders import Placeholder, has_placeholder, resolve, unify
from .tensor_tuples import listed, several
from .typed import ERROR, Choose, Expr, IsType, Let, MakeList, Operate, ReadTemp, Static, Temp, TupleItem

Named = Sequence[tuple[str, Expr]]
COMPARISONS = ("_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_")
SHAPES = frozenset(("shape", "size.tuple"))  # operators that give a torch.Size
TUPLES_FOR_LISTS = ("_+=_", "_[:]=_")  # operators that take any iterable where the row says list
MIRRORED = {"_<_": "_>_", "_<=_": "_>=_", "_>_": "_<_", "_>=_": "_<=_", "_==_": "_==_", "_!=_": "_!=_"}
KEYS_COMPARED = ("list.index", "list.count", "list.remove")  # compare by ==, so a conversion must not round


@dataclass(slots=True)
class Mismatch(Exception):
    """Why a row does not take the arguments. `progress`: how many arguments fitted."""

    row: Operator
    reason: str
    progress: int = 0
    expr: Expr | None = None


@dataclass(slots=True)
class _Fit:
    operands: list[Expr]  # converted, in schema order
    order: list[int]  # for each argument as written, its place in operands
    cost: int
    results: tuple[Type, ...]


class NoMatch(Exception):
    """No row takes the arguments; `mismatches` are the closest first."""

    def __init__(self, spelling: str, mismatches: list[Mismatch]) -> None:
        self.spelling = spelling
        self.mismatches = sorted(mismatches, key=lambda mismatch: -mismatch.progress)
        super().__init__(spelling)

    @property
    def expr(self) -> Expr | None:
        return self.mismatches[0].expr if self.mismatches else None

    def hint(self, keywords: Named = ()) -> str | None:
        """What to write: a keyword spelled right, or the one form there is."""
        names = {param.name for mismatch in self.mismatches for param in mismatch.row.schema.params}
        for name, _ in keywords:
            if name not in names:
                return suggestion(name, names) or self.form()
        is_short = any("missing" in mismatch.reason or "takes" in mismatch.reason for mismatch in self.mismatches)
        return self.form() if is_short else None

    def form(self) -> str | None:
        """How the call is written, if there is one way."""
        rows = {mismatch.row.full_name: mismatch.row for mismatch in self.mismatches}
        if len(rows) != 1 or not self.spelling.startswith((".", "tsm.", "F.", "math.")):
            return None
        text = display_schema(self.spelling, next(iter(rows.values())))
        return f"write {text.replace('(Tensor self, ', '(').replace('(Tensor self)', '()')}" if (
            self.spelling.startswith(".")
        ) else f"write {text}"

    def message(self) -> str:
        """One sentence if one row was meant, else the closest candidates with what fails in each."""
        shown = display_spelling(self.spelling)
        furthest = [m for m in self.mismatches if m.progress == self.mismatches[0].progress]
        if len({mismatch.reason for mismatch in furthest}) == 1:
            return f"{shown}: {furthest[0].reason}"
        lines = [f"no form of {shown} takes these arguments; closest:"]
        seen: set[str] = set()
        for mismatch in furthest:
            line = f"  {display_schema(self.spelling, mismatch.row)}: {mismatch.reason}"
            if line not in seen and len(seen) < 3:
                seen.add(line)
                lines.append(line)
        return "\n".join(lines)


def match(spelling: str, positional: Sequence[Expr], keywords: Named = (), rows: Sequence[Operator] = ()) -> Expr:
    """The call of the best row that Python spells so. Raises NoMatch."""
    candidates = rows or spelled(spelling)
    best: tuple[int, Operator, _Fit] | None = None
    checked = 0
    mismatches: list[Mismatch] = []
    for row in candidates:
        if _is_inexact(spelling, row, positional):
            continue
        try:
            fit = _fit(spelling, row, positional, keywords)
        except Mismatch as mismatch:
            mismatches.append(mismatch)
            continue
        checked += fit.cost >= CHECKED
        if best is None or fit.cost < best[0]:
            best = fit.cost, row, fit
        if fit.cost == 0:
            break
    if best is None:
        raise NoMatch(spelling, mismatches)
    if best[0] >= CHECKED and checked > 1:
        unknown = next((value for value in positional if resolve(value.type) == ANY), None)
        if unknown is not None:
            raise NoMatch(spelling, [Mismatch(best[1], "what an Any holds must be tested first", 0, unknown)])
    return _call(best[1], best[2], [*positional, *(value for _, value in keywords)])


def match_mirrored(spelling: str, left: Expr, right: Expr) -> Expr | None:
    """`number < tensor` as `tensor > number`; None if that has no row either."""
    if spelling not in MIRRORED:
        return None
    temp = Temp()
    first: Expr = left if is_trivial(left) else ReadTemp(left.type, left.span, temp)
    rows = [row for row in spelled(MIRRORED[spelling]) if row.overload != "any"]
    try:
        call = match(MIRRORED[spelling], [right, first], (), rows)
    except NoMatch:
        return None
    return call if first is left else Let(call.type, left.span, temp, left, call)


def _is_inexact(spelling: str, row: Operator, arguments: Sequence[Expr]) -> bool:
    """A comparison of int with float must not round the int: it is left to the Scalar rows."""
    if spelling not in COMPARISONS or row.overload != "float":
        return False
    return any(resolve(a.type) == INT and _rounds(a) for a in arguments)


def _rounds(value: Expr) -> bool:
    converted = convert(value, FLOAT)
    return converted is not None and isinstance(converted[0], Operate)


def _fit(spelling: str, row: Operator, positional: Sequence[Expr], keywords: Named) -> _Fit:
    params = row.schema.params
    places = _assign(spelling, row, positional, keywords)
    binding: dict[str, Type] = {}
    operands: dict[int, Expr] = {}
    cost = 0
    for progress, (place, value) in enumerate(sorted(places, key=lambda pair: pair[0])):
        param = params[place]
        found = _fit_argument(spelling, row, param, value, binding)
        if found is None:
            raise Mismatch(row, _explain(param, value, binding), progress, value)
        operands[place] = found[0]
        cost = max(cost, found[1])
    last = max(operands, default=-1)
    for place in range(last):
        if place not in operands:
            operands[place] = default_operand(params[place], positional or [value for _, value in keywords])
    results = tuple(_result(kind, binding) for kind in row.schema.results)
    return _Fit([operands[i] for i in range(last + 1)], [place for place, _ in places], cost, results)


def _result(kind: Type, binding: dict[str, Type]) -> Type:
    if isinstance(kind, OptionalType) and isinstance(kind.inner, VarType):
        return optional(resolve(binding[kind.inner.name]))
    return substitute(kind, binding)


def _assign(
    spelling: str, row: Operator, positional: Sequence[Expr], keywords: Named
) -> list[tuple[int, Expr]]:
    """Parameter of each argument as written, as Python binds them; extra ints are gathered into a last int[]."""
    params = row.schema.params
    slots = [i for i, param in enumerate(params) if not param.is_keyword_only]
    arguments = list(positional)
    if slots and len(arguments) >= len(slots) and _is_ints(params[slots[-1]].type) and not spelling.startswith("_"):
        packed = arguments[len(slots) - 1 :]
        if all(map(_is_whole, packed)) and not (len(packed) == 1 and params[slots[-1]].fill):
            if not any(name == params[slots[-1]].name for name, _ in keywords):
                ints = [fit[0] for fit in (convert(value, INT) for value in packed) if fit is not None]
                arguments[len(slots) - 1 :] = [MakeList(ListType(INT), packed[0].span, ints)]
    if len(arguments) > len(slots) and slots and _is_ints(params[slots[-1]].type):
        wrong = next((value for value in arguments[len(slots) - 1 :] if resolve(value.type) != INT), None)
        if wrong is not None:
            raise Mismatch(row, f"argument '{params[slots[-1]].name}' must be ints, got {describe(wrong)}", 0, wrong)
    if len(arguments) > len(slots):
        most = len(slots) - (1 if spelling.startswith(".") else 0)
        given = len(arguments) - (1 if spelling.startswith(".") else 0)
        limit = f"at most {most} positional argument{'s' * (most != 1)}" if most else "no positional arguments"
        raise Mismatch(row, f"takes {limit}, got {given}")
    places = list(zip(slots, arguments))
    names = {param.name: i for i, param in enumerate(params)}
    if spelling.startswith("tsm.") and "self" in names:
        names.setdefault("input", names["self"])  # what PyTorch calls it in functions
    for name, value in keywords:
        if name not in names:
            raise Mismatch(row, f"has no parameter '{name}'", 0, value)
        if any(place == names[name] for place, _ in places):
            raise Mismatch(row, f"argument '{name}' is given twice", 0, value)
        places.append((names[name], value))
    for i, param in enumerate(params):
        if not param.has_default and all(place != i for place, _ in places):
            raise Mismatch(row, f"argument '{param.name}' is missing")
    return places


def _fit_argument(
    spelling: str, row: Operator, param: SchemaParam, value: Expr, binding: dict[str, Type]
) -> Converted | None:
    if isinstance(param.type, SetType) and not param.is_written:
        value = readable_set(value)
    if param.is_written and not isinstance(value, Static):
        found = _fit_pattern(param.type, value, binding)
    else:
        found = _fit_pattern(param.type, value, binding) or _fit_sequence(spelling, param, value, binding)
    if found is not None and row.name in KEYS_COMPARED and isinstance(found[0], Operate) and found[1] > INTEGRAL:
        return None
    return None if found is not None and _may_be_absent(row, param, value, found[1]) else found


def _may_be_absent(row: Operator, param: SchemaParam, value: Expr, cost: int) -> bool:
    """Whether a value that is looked for is a number of one of several known kinds, some of which the container cannot
    hold: of those Python says that they are not there."""
    is_looked_for = isinstance(param.type, VarType) and not row.schema.params[0].is_written
    return is_looked_for and cost >= CHECKED and resolve(value.type) not in (ANY, SCALAR)


def readable_set(value: Expr) -> Expr:
    """A frozenset as a set, for operators that only read it; any other value as it is."""
    kind = resolve(value.type)
    if not isinstance(kind, FrozenSetType):
        return value
    return operate("set.of_frozenset", value, result=SetType(kind.element))


def _fit_pattern(pattern: Type, value: Expr, binding: dict[str, Type]) -> Converted | None:
    source = resolve(value.type)
    if isinstance(pattern, VarType):
        if pattern.name not in binding:
            if isinstance(value, Static):
                return None
            binding[pattern.name] = source
            return value, 0
        return convert(value, binding[pattern.name])
    if not _has_variable(pattern):
        is_number = source == TENSOR and all(arm == NONE or is_scalar(arm) for arm in arms_of(pattern))
        return None if is_number else convert(value, pattern)  # numbers of operators are none of tensors: clamp(min=x)
    bound = _instantiate(pattern, binding)
    if isinstance(bound, ListType) and isinstance(source, ListType):
        bound = ListType(bound.element, source.name)
    if isinstance(bound, DictType) and isinstance(source, DictType):
        bound = DictType(bound.key, bound.value, source.name)  # a subclass of dict is a dict to operators
    if has_placeholder(bound):
        if source == ERROR:
            return value, 0
        if not unify(bound, source):
            return _fit_variadic(bound, source, value, pattern, binding)
        _learn(pattern, resolve(bound), binding)
        return value, 0
    return convert(value, bound)


def _fit_variadic(
    bound: Type, source: Type, value: Expr, pattern: Type, binding: dict[str, Type]
) -> Converted | None:
    """A tuple of known length with equal elements as a tuple of any length."""
    if not (isinstance(bound, TupleType) and isinstance(source, TupleType) and source.elements):
        return None
    if not bound.is_variadic or any(element != source.elements[0] for element in source.elements):
        return None
    _learn(pattern, TupleType((source.elements[0],), True), binding)
    return convert(value, TupleType((source.elements[0],), True))


def _has_variable(pattern: Type) -> bool:
    return isinstance(pattern, VarType) or any(map(_has_variable, pattern.members))


def _instantiate(pattern: Type, binding: dict[str, Type]) -> Type:
    """The pattern with fresh placeholders for variables that are not bound yet."""
    if isinstance(pattern, VarType):
        return binding.get(pattern.name) or Placeholder()
    if isinstance(pattern, ListType):
        return ListType(_instantiate(pattern.element, binding))
    if isinstance(pattern, SetType):
        return SetType(_instantiate(pattern.element, binding))
    if isinstance(pattern, FrozenSetType):
        return FrozenSetType(_instantiate(pattern.element, binding))
    if isinstance(pattern, DictType):
        return DictType(_instantiate(pattern.key, binding), _instantiate(pattern.value, binding))
    if isinstance(pattern, TupleType):
        return TupleType(tuple(_instantiate(t, binding) for t in pattern.elements), pattern.is_variadic)
    return pattern


def _learn(pattern: Type, actual: Type, binding: dict[str, Type]) -> None:
    if isinstance(pattern, VarType):
        binding.setdefault(pattern.name, actual)
        return
    for inner, outer in zip(pattern.members, actual.members):
        _learn(inner, outer, binding)


def _is_whole(value: Expr) -> bool:
    """Whether it is an int, or a number that may turn out to be one."""
    kind = resolve(value.type)
    return kind == INT or (kind != BOOL and is_scalar(kind) and INT in arms_of(kind))


def _is_ints(kind: Type) -> bool:
    return kind == ListType(INT)


def _fit_sequence(spelling: str, param: SchemaParam, value: Expr, binding: dict[str, Type]) -> Converted | None:
    """Tuples, and one int for int[n], where the row wants a list."""
    kind = resolve(value.type)
    if not isinstance(param.type, ListType) or (spelling.startswith("_") and spelling not in TUPLES_FOR_LISTS):
        return None
    if param.fill and kind == INT:
        copies = once(value, lambda one: MakeList(ListType(INT), value.span, [one] * param.fill))
        return copies, INTEGRAL
    if isinstance(kind, TupleType) and kind.is_variadic:
        found = _fit_pattern(param.type, listed(value, kind.elements[0]), binding)
    elif isinstance(kind, TupleType) and kind.elements:
        found = _fit_pattern(param.type, once(value, lambda whole: list_of_tuple(whole, kind)), binding)
    elif isinstance(kind, TupleType) and _is_ints(param.type):  # zeros(())
        found = MakeList(ListType(INT), value.span, []), NUMBER
    elif isinstance(kind, UnionType) and _is_either(kind):
        found = _fit_pattern(param.type, once(value, lambda whole: _list_of_either(whole, kind)), binding)
    else:
        return None
    return None if found is None else (found[0], max(found[1], NUMBER))


def _is_either(kind: UnionType) -> bool:
    """Whether it is a list, or a tuple of any length, of the same elements: what a Sequence is."""
    arms = [arm for arm in kind.arms if isinstance(arm, ListType) or isinstance(arm, TupleType) and arm.is_variadic]
    return len(arms) == len(kind.arms) == 2 and arms[0].members == arms[1].members


def _list_of_either(whole: Expr, kind: UnionType) -> Expr:
    """The list, or a new one of the tuple's elements."""
    wanted = next(arm for arm in kind.arms if isinstance(arm, ListType))
    other = next(arm for arm in kind.arms if arm is not wanted)
    made = operate("list.from_tuple", narrowed(whole, other), result=wanted)
    return Choose(wanted, whole.span, IsType(BOOL, whole.span, whole, wanted), narrowed(whole, wanted), made, [])


def list_of_tuple(whole: Expr, kind: TupleType) -> Expr:
    """A new list of the elements of a tuple; of the type of the first, where they differ but convert."""
    items: list[Expr] = [TupleItem(element, whole.span, whole, i) for i, element in enumerate(kind.elements)]
    for element in (items[0].type, union(*map(resolve, kind.elements))):
        converted = [pair[0] for pair in (convert(item, element) for item in items) if pair is not None]
        if len(converted) == len(items):
            items = converted
            break
    return MakeList(ListType(element), whole.span, items)


def default_operand(param: SchemaParam, near: Sequence[Expr]) -> Expr:
    """The default of a parameter as an expression."""
    from .constants import default_of_parameter

    value = default_of_parameter(param.default, near[0].span)
    converted = convert(value, param.type)
    return value if converted is None else converted[0]


def _call(row: Operator, fit: _Fit, written: Sequence[Expr]) -> Expr:
    results = tuple(map(resolve, fit.results))
    kind: Type = results[0] if len(results) == 1 else several(row, results) if results else NONE
    if row.full_name in SHAPES or row.full_name == "getslice.tuple" and is_shape(resolve(fit.operands[0].type)):
        kind = SHAPE
    span = written[0].span
    if fit.order == sorted(fit.order):
        return Operate(kind, span, row, fit.operands, fit.results)
    temps = [(place, Temp()) for place in fit.order]
    values = {place: fit.operands[place] for place in fit.order}
    operands = list(fit.operands)
    for place, temp in temps:
        operands[place] = ReadTemp(values[place].type, values[place].span, temp)
    body: Expr = Operate(kind, span, row, operands, fit.results)
    for place, temp in reversed(temps):
        body = Let(body.type, span, temp, values[place], body)
    return body


def _explain(param: SchemaParam, value: Expr, binding: dict[str, Type]) -> str:
    wanted = param.type
    try:
        wanted = substitute(wanted, {name: resolve(kind) for name, kind in binding.items()})
    except KeyError:
        pass
    return f"argument '{param.name}' must be {spell_wanted(wanted)}, got {describe(value)}"


def spell_wanted(kind: Type) -> str:
    if isinstance(kind, VarType):
        return "a value"
    if isinstance(kind, ListType) and isinstance(kind.element, VarType):
        return "a list"
    return str(kind)


def describe(value: Expr) -> str:
    """An expression's type for a message."""
    if isinstance(value, Static):
        return value.denotation.describe()
    return str(resolve(value.type))


def display_spelling(spelling: str) -> str:
    """`_+_` as '+', `.view` as 'view()'."""
    if spelling.startswith(("_", "-", "+", "~", "del_")) and not spelling.endswith("()"):
        return "'" + spelling.replace("del_", "del ").replace("_", "") + "'"
    return spelling.strip(".").removesuffix("()") + "()"


def display_schema(spelling: str, row: Operator) -> str:
    """A row as its caller writes it."""
    text = row.schema_text.rsplit(" -> ", 1)[0]
    for mark in ("(a!)", "(b!)", "(a)"):
        text = text.replace(mark, "")
    return display_spelling(spelling).strip("'").removesuffix("()") + text
