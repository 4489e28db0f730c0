"""Eager calls whose argument types are all plain, as one straight-line function per (operator, types).

In: a row and the exact Python types of a call. Out: a function of the arguments that fills this thread's buffers, runs
the operator and wraps its result. Holds: it does what the general path of dispatch.py does, only without looking again
at what the types already say; rows, types or lists it does not know are left to that path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from . import dtype as dtypes
from . import library
from .errors import exception_from
from .library import lib
from .match import takes_varargs
from .schema import SchemaType
from .table import Operator
from .tensor import Tensor

Runner = Callable[[Sequence[Any]], Any]

# (argument type, kind of the parameter) -> kind of the value, and its payload as source text
_STORES: dict[tuple[type, str], tuple[int, str]] = {
    (Tensor, "Tensor"): (library.TENSOR, "{0}._ref"),
    (bool, "bool"): (library.BOOL, "{0}"),
    (bool, "Scalar"): (library.BOOL, "{0}"),
    (bool, "int"): (library.INT, "{0}"),
    (int, "int"): (library.INT, "{0}"),
    (int, "Scalar"): (library.INT, "{0}"),
    (dtypes.DType, "dtype"): (library.DTYPE, "{0}.value"),
}
_FLOATS = {(float, "float"), (float, "Scalar"), (int, "float"), (bool, "float")}
_RESULTS = {
    "Tensor": "_wrap(result_words[1], args)",
    "int": "result_words[1]",
    "bool": "(result_words[1] & 255) != 0",
    "float": "result_floats[1]",
}


def _store(index: int, kind: SchemaType, python_type: type) -> list[str] | None:
    """Statements that write argument `index`; None if its type is not plain for the parameter."""
    name, place = f"a{index}", 2 * index
    inner = kind.args[0] if kind.kind == "optional" else kind
    if python_type is type(None):
        return [f"words[{place}] = {library.NONE}"] if kind.kind == "optional" else None
    if (python_type, inner.kind) in _FLOATS:
        return [f"words[{place}] = {library.FLOAT}", f"floats[{place + 1}] = {name}"]
    if issubclass(python_type, Tensor):
        python_type = Tensor
    found = _STORES.get((python_type, inner.kind))
    if found is None:
        return None
    return [f"words[{place}] = {found[0]}", f"words[{place + 1}] = {found[1].format(name)}"]


class Ways(NamedTuple):
    """What a runner leaves to the dispatcher: telling `active` recorders, and calls with other lists than it takes."""

    record: Callable[[Sequence[Any], Any], Any]
    general: Runner
    active: list[Any]


def _ints_of(index: int, kind: SchemaType, python_type: type) -> str | None:
    """The ints of argument `index` as a tuple or list; None if its type is not one that becomes a list of ints."""
    inner = kind.args[0] if kind.kind == "optional" else kind
    if inner.kind != "list" or inner.args[0].kind != "int":
        return None
    if python_type is int and inner.fill:
        return f"(a{index},) * {inner.fill}"
    return f"a{index}" if python_type is list or python_type is tuple else None


def make(row: Operator, types: Sequence[type], is_packed: bool, ways: Ways) -> Runner | None:
    """The function, or None if the row or the types are not plain. `is_packed`: the last parameter takes all the ints
    that are left."""
    schema = row.parsed
    if len(schema.results) != 1 or schema.results[0].type.kind not in _RESULTS:
        return None
    if is_packed:
        position = takes_varargs(schema)
        if position is None or any(kind is not int for kind in types[position:]):
            return None
        types = (*types[:position], tuple)
        names = "".join(f"a{index}, " for index in range(position)) + f"*a{position}, "
    else:
        names = "".join(f"a{index}, " for index in range(len(types)))
    stores: list[str] = []
    lists: dict[str, str] = {}
    for index, (param, python_type) in enumerate(zip(schema.params, types, strict=False)):
        ints, store = _ints_of(index, param.type, python_type), _store(index, param.type, python_type)
        if ints is not None:
            lists[f"l{index}"] = ints
            store = [f"words[{2 * index}] = {library.LIST}", f"words[{2 * index + 1}] = l{index}"]
        if store is None:
            return None
        stores += store
    call = f"_op_call(context, {row.number}, buffer, {len(types)}, results, error)"
    result = _RESULTS[schema.results[0].type.kind]
    body = [
        "context, buffer, words, floats, results, result_words, result_floats, error = _thread().fast",
        *([f"{names}= args"] if names else []),
        *_over_lists(lists, [*stores, f"if {call}: raise _exception_from(error)"]),
        "if _pending: _raise_pending()",
        f"result = {result}",
        "return _record(args, result) if _active else result",
    ]
    if lists:
        body.insert(0, "if _active: return _general(args)")
    return _compiled(row, body, ways)


def _over_lists(lists: dict[str, str], body: list[str]) -> list[str]:
    """`body` with the lists that it names made before it and released after it; if one is not of ints, the general
    path runs instead."""
    if not lists:
        return body
    release = [f"if {name} is not None: _release({name}, {library.LIST})" for name in lists]
    return [
        *(f"{name} = _new_ints({ints})" for name, ints in lists.items()),
        "try:",
        f"    if {' or '.join(f'{name} is None' for name in lists)}: return _general(args)",
        *(f"    {line}" for line in body),
        "finally:",
        *(f"    {line}" for line in release),
    ]


def _compiled(row: Operator, body: list[str], ways: Ways) -> Runner:
    scope: dict[str, Any] = {
        "_thread": library.thread, "_op_call": lib.tsm_op_call, "_exception_from": exception_from, "_wrap": _wrap,
        "_pending": library.pending, "_raise_pending": library.raise_hook_error, "_active": ways.active,
        "_record": ways.record, "_general": ways.general, "_new_ints": _new_ints(), "_release": lib.tsm_py_release,
    }
    source = "def runner(args):\n" + "".join(f"    {line}\n" for line in body)
    exec(compile(source, f"<operator {row.full_name}>", "exec"), scope)
    runner: Runner = scope["runner"]
    return runner


@cache
def _new_ints() -> Callable[[Any], int | None]:
    """calls.h's function that makes a list of the runtime from a Python list or tuple of ints."""
    place: list[Any] = [None]
    if not lib.tsm_py_make_ints(library.runtime(), id(place)):
        raise MemoryError
    made: Callable[[Any], int | None] = place[0]
    return made


def _wrap(address: int, args: Sequence[Any], new: Any = object.__new__) -> Tensor:
    """The result as a Tensor: the argument itself if the operator returned it."""
    for arg in args:
        if isinstance(arg, Tensor) and arg._ref == address:
            lib.tsm_py_release(address, library.TENSOR)
            return arg
    tensor: Tensor = new(Tensor)
    tensor._ref = address
    tensor._facts = None
    return tensor
