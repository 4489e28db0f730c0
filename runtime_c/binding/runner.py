"""Eager calls whose argument types are all plain, as one straight-line function per (operator, types).

In: a row and the exact Python types of a call. Out: a function of the arguments that fills this thread's buffers, runs
the operator and wraps its result. Holds: it does what the general path of dispatch.py does, only without looking again
at what the types already say; rows or types it does not know are left to that path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import dtype as dtypes
from . import library
from .errors import exception_from
from .library import lib
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


def make(row: Operator, types: Sequence[type], record: Callable[..., Any], active: list[Any]) -> Runner | None:
    """The function, or None if the row or the types are not plain. `record` is called while `active` is not empty."""
    schema = row.parsed
    if len(schema.results) != 1 or schema.results[0].type.kind not in _RESULTS:
        return None
    lines: list[str] = []
    for index, (param, python_type) in enumerate(zip(schema.params, types, strict=False)):
        store = _store(index, param.type, python_type)
        if store is None:
            return None
        lines += store
    names = "".join(f"a{index}, " for index in range(len(types)))
    body = [
        "context, buffer, words, floats, results, result_words, result_floats, error = _thread().fast",
        *([f"{names}= args"] if names else []),
        *lines,
        f"if _op_call(context, {row.number}, buffer, {len(types)}, results, error): raise _exception_from(error)",
        "if _pending: _raise_pending()",
        f"result = {_RESULTS[schema.results[0].type.kind]}",
        "return _record(args, result) if _active else result",
    ]
    scope: dict[str, Any] = {
        "_thread": library.thread, "_op_call": lib.tsm_op_call, "_exception_from": exception_from, "_wrap": _wrap,
        "_pending": library.pending, "_raise_pending": library.raise_hook_error, "_active": active, "_record": record,
    }
    source = "def runner(args):\n" + "".join(f"    {line}\n" for line in body)
    exec(compile(source, f"<operator {row.full_name}>", "exec"), scope)
    runner: Runner = scope["runner"]
    return runner


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
