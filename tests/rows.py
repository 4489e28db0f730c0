"""Calls of single rows of ops.def, not of a spelling: what the operator suite is made of.

In: a row's full name and Python arguments, placed by its schema. Out: what the row gives. Holds: nothing is chosen or
converted beyond the schema; lists and dicts that the row changed are changed; exceptions are passed as ``Raised``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tsm.binding import convert, library, match, table
from tsm.binding.errors import exception_from
from tsm.binding.library import ffi, lib
from tsm.binding.schema import SchemaType


@dataclass(frozen=True)
class Raised:
    """An exception value of a program."""

    name: str
    message: str
    args: tuple[Any, ...] | None = None  # None: the message
    attributes: tuple[Any, ...] | None = None  # names and values in turn


def placed(full_name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    """Arguments in schema order without trailing defaults."""
    params = table.find(full_name).parsed.params
    found = match.arrange(table.find(full_name).parsed, args, kwargs)
    assert not isinstance(found, str), f"{full_name} {found}"
    given = list(found)
    while given and given[-1] is match.MISSING:
        given.pop()
    return [param.default if value is match.MISSING else value for param, value in zip(params, given)]


def elements(kinds: Sequence[SchemaType], given: Sequence[Any]) -> SchemaType | None:
    """The type of the elements of an empty list or set, from the other arguments of its type variable."""
    for kind, value in zip(kinds, given):
        if kind.kind in ("list", "set") and kind.args[0].kind == "var" and value:
            found = convert.any_type(value)
            return found.args[0] if found else None
    return None


def write(kind: SchemaType, buffer: Any, index: int, value: Any, scope: convert.Scope) -> None:
    if kind.kind != "exception":
        return convert.writer(kind)(buffer, index, value, scope)
    inner = convert.Buffer(3)
    write(SchemaType("str"), inner, 0, value.name, scope)
    if value.args is None:
        write(SchemaType("str"), inner, 1, value.message, scope)
        run(library.thread().context, lib.tsm_op_call, "exception.new", inner, 2, buffer.values + index)
    else:
        write(SchemaType("Any"), inner, 1, value.args, scope)
        write(SchemaType("Any"), inner, 2, value.attributes, scope)
        run(library.thread().context, lib.tsm_op_call, "exception.make", inner, 3, buffer.values + index)
    scope.own(buffer.words[2 * index + 1], library.EXCEPTION)


def read(buffer: Any, index: int, scope: convert.Scope) -> Any:
    """As convert.read; an exception as the text of its repr, memory of no tensor as None."""
    if buffer.words[2 * index] & 0xFFFFFFFF != library.EXCEPTION:
        return convert.read(buffer, index, scope)
    scope.own(buffer.words[2 * index + 1], library.EXCEPTION)
    text = convert.Buffer(1)
    library.check(lib.tsm_value_text(library.runtime(), buffer.values[index], True, text.values))
    return convert.read(text, 0, scope)


def run(context: Any, entry: Any, full_name: str, buffer: Any, count: int, results: Any) -> None:
    error = ffi.new("tsm_error *")
    if entry(context, table.find(full_name).number, buffer.values, count, results, error):
        raise exception_from(error)


def context(fuel: int = 0, seed: int = 0) -> Any:
    """A context of its own, freed with the returned object. ``fuel`` counts down over all its calls; 0: no limit."""
    error = ffi.new("tsm_error *")
    made = lib.tsm_context_new(library.runtime(), error)
    if made == ffi.NULL:
        raise exception_from(error)
    lib.tsm_context_set_fuel(made, fuel)
    lib.tsm_context_seed(made, seed)
    return ffi.gc(made, lib.tsm_context_free)


def call(full_name: str, /, *args: Any, within: Any = None, entry: Any = None, **kwargs: Any) -> Any:
    """Runs one row, in the context ``within`` if one is given; several results come as a tuple, none as None."""
    schema = table.find(full_name).parsed
    given = placed(full_name, args, kwargs)
    scope, buffer, results = convert.Scope(), convert.Buffer(len(given)), convert.Buffer(len(schema.results))
    scope.changed = {}
    try:
        kinds = [param.type for param in schema.params]
        element = elements(kinds, given)
        for index, value in enumerate(given):
            is_empty = (
                element is not None
                and value in ([], set())
                and kinds[index].args[:1]
                and kinds[index].args[0].kind == "var"
            )
            write(SchemaType(kinds[index].kind, (element,)) if is_empty else kinds[index], buffer, index, value, scope)
        where = within if within is not None else library.thread().context
        run(where, entry or lib.tsm_op_call, full_name, buffer, len(given), results.values)
        found = tuple(read(results, index, scope) for index in range(len(schema.results)))
    finally:
        convert.write_back(scope)
        scope.close()
    return found[0] if len(found) == 1 else found or None


def infer(full_name: str, /, *args: Any, **kwargs: Any) -> Any:
    """Results without memory: dtype and shape only."""
    return call(full_name, *args, entry=lib.tsm_op_infer, **kwargs)
