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
    "Tensor": "_wrap(result_words[1], {0})",
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


def _list_of(index: int, kind: SchemaType, python_type: type) -> str | None:
    """What makes a list of the runtime of argument `index`; None if its type is not one of which it is known."""
    inner = kind.args[0] if kind.kind == "optional" else kind
    if inner.kind != "list" or inner.args[0].kind not in ("int", "Tensor"):
        return None
    if python_type is int and inner.fill:
        return f"_new_ints((a{index},) * {inner.fill})"
    if python_type is list or python_type is tuple:
        return f"_new_ints(a{index})" if inner.args[0].kind == "int" else f"_new_tensors(_refs(a{index}))"
    return None


def _refs(items: Sequence[Any]) -> list[int]:
    """Addresses of tensors; none if something else is among them."""
    found = [item._ref for item in items if isinstance(item, Tensor)]
    return found if len(found) == len(items) else []


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
        made, store = _list_of(index, param.type, python_type), _store(index, param.type, python_type)
        if made is not None:
            lists[f"l{index}"] = made
            store = [f"words[{2 * index}] = {library.LIST}", f"words[{2 * index + 1}] = l{index}"]
        if store is None:
            return None
        stores += store
    if int in types:  # one beyond 64 bits: the general path says so
        stores = ["try:", *(f"    {line}" for line in stores), "except OverflowError: return _general(args)"]
    call = f"_op_call(context, {row.number}, buffer, {len(types)}, results, error)"
    tensors = [name for name, made in lists.items() if "_new_tensors" in made]
    given = f"(*args, {''.join(f'*a{name[1:]}, ' for name in tensors)})" if tensors else "args"
    result = _RESULTS[schema.results[0].type.kind].format(given)
    body = [
        "context, buffer, words, floats, results, result_words, result_floats, error = _thread().fast",
        *([f"{names}= args"] if names else []),
        *_over_lists(lists, [*stores, f"if {call}:", "    _raise_pending()", "    raise _exception_from(error)"]),
        "if _pending: _raise_pending()",
        f"result = {result}",
        "return _record(args, result) if _active else result",
    ]
    if lists:
        body.insert(0, "if _active: return _general(args)")
    return _compiled(row, body, ways)


def _over_lists(lists: dict[str, str], body: list[str]) -> list[str]:
    """`body` with the lists that it names made before it and released after it; if one cannot be made, the general path
    runs instead."""
    if not lists:
        return body
    release = [f"if {name} is not None: _release({name}, {library.LIST})" for name in lists]
    return [
        *(f"{name} = {made}" for name, made in lists.items()),
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
        "_record": ways.record, "_general": ways.general, "_release": lib.tsm_py_release, "_refs": _refs,
        "_new_ints": _list_maker(False), "_new_tensors": _list_maker(True),
    }
    source = "def runner(args):\n" + "".join(f"    {line}\n" for line in body)
    exec(compile(source, f"<operator {row.full_name}>", "exec"), scope)
    runner: Runner = scope["runner"]
    return runner


@cache
def _list_maker(is_tensors: bool) -> Callable[[Any], int | None]:
    """The function of lists.h that makes a list of the runtime: of ints, or of tensors at addresses."""
    place: list[Any] = [None]
    if not lib.tsm_py_make_lists(library.runtime(), is_tensors, id(place)):
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
