"""Matches a call to a row of the operator table: the one set of rules for every caller.

In: rows in priority order, arguments, and a judge that says how well an argument fits a schema type. Arguments may be
Python values (eager calls) or anything else the judge knows, such as static types (the compiler).
Out: the row and its arguments in schema order. Holds: an exact match wins, then conversions, then Any; among equals the
first row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .schema import Schema, SchemaType

EXACT, CONVERTED, THROUGH_ANY = 0, 1, 2

# How well an argument fits a type: a level above, or None if it does not. The dict binds type variables.
Judge = Callable[[SchemaType, Any, dict[str, Any]], "int | None"]


class Row(Protocol):
    """What matching reads of an operator."""

    @property
    def full_name(self) -> str: ...
    @property
    def parsed(self) -> Schema: ...


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()  # an argument that takes its default


@dataclass(frozen=True, slots=True)
class Match:
    row: Any
    args: tuple[Any, ...]  # one a parameter; MISSING where the default applies
    level: int
    is_packed: bool = False  # trailing ints were gathered into the last argument: x.view(2, 3)


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a row does not take a call; `fitting` counts the arguments that do fit."""

    row: Any
    reason: str
    fitting: int


def takes_varargs(schema: Schema) -> int | None:
    """Position of an `int[]` that `x.view(2, 3)` or `zeros(2, 3)` may spell out; None if the row has none."""
    count = schema.positional_count
    first = 1 if count and schema.params[0].name == "self" else 0
    if count != first + 1:
        return None
    kind = schema.params[first].type
    return first if kind.kind == "list" and not kind.fill and kind.args[0].kind == "int" else None


def arrange(schema: Schema, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, ...] | str:
    """Arguments in schema order, or why they cannot be put there."""
    limit = schema.positional_count
    if len(args) > limit:
        takes = f"at most {limit} positional argument{'s' * (limit != 1)}"
        return f"takes {takes}, {len(args)} given"
    placed = list(args) + [MISSING] * (len(schema.params) - len(args))
    names = [param.name for param in schema.params]
    for name, value in kwargs.items():
        if name == "input" and name not in names and "self" in names:
            name = "self"  # what PyTorch calls it in functions
        if name not in names:
            return f"has no parameter {name!r}"
        position = names.index(name)
        if placed[position] is not MISSING:
            return f"got {name!r} twice"
        placed[position] = value
    for param, value in zip(schema.params, placed, strict=True):
        if value is MISSING and not param.has_default:
            return f"needs {param.name!r}"
    return tuple(placed)


def try_row(
    row: Row, args: Sequence[Any], kwargs: Mapping[str, Any], judge: Judge, describe: Callable[[Any], str]
) -> Match | Misfit:
    schema = row.parsed
    placed = arrange(schema, args, kwargs)
    packed = False
    position = takes_varargs(schema)
    if position is not None and len(args) > position:
        rest = tuple(args[position:])
        if len(rest) != 1 or judge(schema.params[position].type.args[0], rest[0], {}) is not None:
            placed = arrange(schema, (*args[:position], rest), kwargs)
            packed = True
    if isinstance(placed, str):
        return Misfit(row, placed, -1)
    level, fitting, variables = EXACT, 0, {}  # type: ignore[var-annotated]
    for index, (param, value) in enumerate(zip(schema.params, placed, strict=True)):
        if value is MISSING:
            continue
        if packed and index == position:
            found = [judge(param.type.args[0], item, variables) for item in value]
            fit = None if None in found else max((one for one in found if one is not None), default=EXACT)
        else:
            fit = judge(param.type, value, variables)
        if fit is None:
            return Misfit(row, f"{param.name!r} must be {param.type}, not {describe(value)}", fitting)
        level, fitting = max(level, fit), fitting + 1
    return Match(row, placed, level, packed)


def choose(
    rows: Sequence[Row], args: Sequence[Any], kwargs: Mapping[str, Any], judge: Judge, describe: Callable[[Any], str]
) -> Match | list[Misfit]:
    """The best row for a call, or why none fits, closest first."""
    best: Match | None = None
    misfits: list[Misfit] = []
    for row in rows:
        found = try_row(row, args, kwargs, judge, describe)
        if isinstance(found, Misfit):
            misfits.append(found)
        elif found.level == EXACT:
            return found
        elif best is None or found.level < best.level:
            best = found
    if best is not None:
        return best
    return sorted(misfits, key=lambda misfit: -misfit.fitting)


def explain(name: str, misfits: Sequence[Misfit], given: str, most: int = 3) -> str:
    """The error text of a call that no row takes: the closest candidates and which argument does not fit."""
    lines = [f"{name} does not take ({given})"]
    seen: dict[str, None] = {}
    for misfit in misfits:
        seen.setdefault(f"  {name}{misfit.row.parsed}: {misfit.reason}")
    lines += list(seen)[:most]
    if len(seen) > most:
        lines.append(f"  ... and {len(seen) - most} more")
    return "\n".join(lines)
