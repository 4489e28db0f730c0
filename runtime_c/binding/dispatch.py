"""The one interception point: every eager operator call passes here, and a trace listens here.

In: a spelling ("tsm.add", ".view", "_+_") or a full name ("add.Tensor"), and Python arguments. Out: Python results.
Holds: arguments are converted only as the table allows; the runtime sees exactly typed values; recorders of this thread
see every call with its arguments in schema order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np

from . import convert, library, match, runner, table
from . import dtype as dtypes
from .device import PLACES, Device, without_device
from .errors import exception_from
from .library import lib
from .match import CONVERTED, EXACT, MISSING, THROUGH_ANY
from .numpy_names import with_own_names
from .out import put
from .result_classes import result_class
from .schema import SchemaType
from .table import Operator
from .tensor import Tensor


class Recorder(Protocol):
    """Listens to the operators of this thread."""

    def record(self, operator: Operator, args: tuple[Any, ...], results: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Called after each operator. `args` are in schema order, trailing defaults left out. What it returns, if not
        None, is what the caller gets: a trace returns ints that remember where they come from."""
        ...

    def escape(self, tensor: Tensor, what: str) -> None:
        """Called before Python sees a tensor's elements, which a trace cannot follow: "bool", "numpy", "tolist" ..."""
        ...

    def plain(self, value: Any) -> Any:
        """An argument as a compiled program takes it: without what the recorder knows of it."""
        ...


PARTS = frozenset(("unbind", "split", "chunk"))  # rows that make lists, of which PyTorch makes tuples

active: list[Recorder] = []  # recorders of all threads: empty means that nobody listens, which is cheap to see


def push_recorder(recorder: Recorder) -> None:
    """Starts recording on this thread."""
    library.thread().recorders.append(recorder)
    active.append(recorder)


def pop_recorder(recorder: Recorder) -> None:
    """Ends what push_recorder began; recorders nest."""
    library.thread().recorders.remove(recorder)
    active.remove(recorder)


def recorders() -> list[Recorder]:
    """The recorders of this thread, innermost last."""
    return library.thread().recorders if active else []


class paused:
    """`with paused():` calls operators that no recorder of this thread sees."""

    def __enter__(self) -> None:
        state = library.thread()
        self.saved, state.recorders = state.recorders, []

    def __exit__(self, *error: object) -> None:
        library.thread().recorders = self.saved


def escape(tensor: Tensor, what: str) -> None:
    """Tells the recorders of this thread that Python is about to see elements of a tensor."""
    for recorder in recorders() if active else ():
        recorder.escape(tensor, what)


# ---- Which row ----------------------------------------------------------------------------------------------------


def judge(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    """How well a Python value fits a schema type (match.Judge)."""
    return _JUDGES[kind.kind](kind, value, variables)


def _judge_tensor(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    return EXACT if isinstance(value, Tensor) else None


def _judge_bool(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    if isinstance(value, (bool, np.bool_)):
        return EXACT
    return None


def _judge_int(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    if isinstance(value, (bool, np.bool_)):
        return CONVERTED
    if isinstance(value, (int, np.integer)):
        return EXACT
    return CONVERTED if isinstance(value, Tensor) and value.is_integer_scalar else None


def _judge_float(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    if isinstance(value, (float, np.floating)):
        return EXACT
    return CONVERTED if isinstance(value, (bool, int, np.integer, np.bool_)) else _judge_number_tensor(value)


def _judge_scalar(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    is_number = isinstance(value, (bool, int, float, complex, np.number, np.bool_))
    return CONVERTED if is_number else _judge_number_tensor(value)


def _judge_number_tensor(value: Any) -> int | None:
    """A tensor without dimensions, where a number is asked and no other row takes the tensor."""
    return THROUGH_ANY if isinstance(value, Tensor) and value.dim() == 0 else None


def _judge_any(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    return THROUGH_ANY if convert.any_type(value) is not None else None


def _judge_dtype(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    if isinstance(value, dtypes.DType):
        return EXACT
    return CONVERTED if dtypes.from_python(value) is not None else None


def _judge_optional(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    return EXACT if value is None else judge(kind.args[0], value, variables)


def _judge_list(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    """A list or tuple whose elements fit; one int for `int[2]`."""
    if not isinstance(value, (list, tuple)):
        found = judge(kind.args[0], value, variables) if kind.fill else None
        return None if found is None else max(found, CONVERTED)
    level = EXACT if isinstance(value, list) else CONVERTED
    for item in value:
        found = judge(kind.args[0], item, variables)
        if found is None:
            return None
        level = max(level, found)
    return level


def _judge_plain(python_type: type) -> Callable[[SchemaType, Any, dict[str, Any]], int | None]:
    return lambda kind, value, variables: EXACT if isinstance(value, python_type) else None


def _judge_never(kind: SchemaType, value: Any, variables: dict[str, Any]) -> int | None:
    return None


_JUDGES: dict[str, Callable[[SchemaType, Any, dict[str, Any]], int | None]] = {
    "Tensor": _judge_tensor, "bool": _judge_bool, "int": _judge_int, "float": _judge_float, "Scalar": _judge_scalar,
    "complex": _judge_plain(complex), "str": _judge_plain(str), "bytes": _judge_plain(bytes), "Any": _judge_any,
    "None": _judge_plain(type(None)), "dtype": _judge_dtype, "device": _judge_plain(Device),
    "optional": _judge_optional,
    "list": _judge_list, "dict": _judge_plain(dict), "tuple": _judge_plain(tuple), "tuple...": _judge_plain(tuple),
    "var": _judge_any, "exception": _judge_never,
}


def describe(value: Any) -> str:
    """A value in an error text: its type, with what made it not fit."""
    if isinstance(value, (list, tuple)) and value:
        kinds = sorted({describe(item) for item in value})
        return f"{type(value).__name__}[{', '.join(kinds)}]"
    return "None" if value is None else type(value).__name__


@cache
def _rows_of(spelling: str) -> tuple[Operator, ...]:
    """Rows of a spelling that eager code can mean: those with a tensor, else all of them (factories)."""
    rows = table.by_spelling().get(spelling, ())
    return tuple(row for row in rows if _deals_with_tensors(row)) or rows


def _deals_with_tensors(row: Operator) -> bool:
    schema = row.parsed
    kinds = [param.type for param in schema.params] + [result.type for result in schema.results]
    return any(kind.has_tensor for kind in kinds)


extensions: dict[str, Callable[..., Any]] = {}  # spelling -> what takes the arguments that no row of it takes
_chosen: dict[Any, runner.Runner] = {}  # (spelling, argument types) -> how to run, where the types decide
_chosen_by_name: dict[Any, runner.Runner] = {}  # (full name, argument types) -> the same
_PLAIN = frozenset((Tensor, int, float, bool, dtypes.DType, type(None)))


def call(spelling: str, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> Any:
    """Runs the operator that Python spells so. TypeError if no overload takes the arguments."""
    key: tuple[Any, ...] | None = None
    if not kwargs:
        key = (spelling, *map(type, args))
        run_chosen = _chosen.get(key)
        if run_chosen is not None:
            return run_chosen(args)
    return _choose_and_run(spelling, args, kwargs or {}, key)


def _choose_and_run(
    spelling: str, args: Sequence[Any], kwargs: Mapping[str, Any], key: tuple[Any, ...] | None
) -> Any:
    """`key`: under which a way to run these types is remembered, if they decide the row; None: not at all."""
    if spelling == ".to" or not PLACES.isdisjoint(kwargs):
        given = len(args)
        args, kwargs = without_device(args, kwargs)
        key = key if len(args) == given else None
        if spelling == ".to" and len(args) == 1 and not kwargs:
            return args[0]
    if "out" in kwargs:
        out, result = kwargs["out"], call(spelling, args, {name: kwargs[name] for name in kwargs if name != "out"})
        if not isinstance(result, Tensor) or not isinstance(out, (Tensor, type(None))):
            raise TypeError(f"{_shown(spelling)}: out= is supported for one tensor")
        return result if out is None else put(out, result)
    kwargs = with_own_names(kwargs)
    found = match.choose(_rows_of(spelling), args, kwargs, judge, describe)
    if isinstance(found, list):
        extension = extensions.get(spelling)
        if extension is not None and takes(extension, args, kwargs):
            return extension(*args, **kwargs)
        raise TypeError(match.explain(_shown(spelling), found, _given(args, kwargs)))
    _remember(_chosen, key, found, args, lambda again: _choose_and_run(spelling, again, {}, None))
    return _run(found.row, _trimmed(found.row, found.args))


def takes(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a function has parameters for these arguments."""
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _is_plain(kind: type, value: Any) -> bool:
    """A runner of lists looks at their elements in each call: here they are those that it takes."""
    if kind is list or kind is tuple:
        return len(value) > 0 and (all(type(item) is int for item in value) or all(map(_is_tensor, value)))
    return kind in _PLAIN or issubclass(kind, Tensor)


def _remember(
    chosen: dict[Any, runner.Runner], key: tuple[Any, ...] | None, found: match.Match, args: Sequence[Any],
    general: runner.Runner,
) -> None:
    """Keeps how to run a row on arguments of these types, if they decide it."""
    row, types = found.row, map(type, args)
    if key is None or not all(map(_is_plain, types, args)) or not _types_decide(row, args):
        return

    def record(args: Sequence[Any], result: Any) -> Any:
        return _recorded(row, args, (result,))[0]

    made = runner.make(row, key[1:], found.is_packed, runner.Ways(record, general, active))
    if made is not None:
        chosen[key] = made
    elif not found.is_packed and not {list, tuple} & set(key[1:]):
        chosen[key] = lambda args: _run(row, args)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def _types_decide(row: Operator, args: Sequence[Any]) -> bool:
    """Whether any arguments of these types choose this row: not where a tensor stands for a number."""
    return not any(
        isinstance(value, Tensor) and not param.type.has_tensor
        for param, value in zip(row.parsed.params, args, strict=False)
    )


def _trimmed(row: Operator, args: tuple[Any, ...]) -> Sequence[Any]:
    """Arguments up to the last one given; defaults before it filled in, 0-d tensors that stand for numbers read."""
    given = list(args)
    while given and given[-1] is MISSING:
        given.pop()
    params = row.parsed.params
    return [
        params[i].default if value is MISSING
        else value if params[i].type.has_tensor or params[i].type.kind == "Any"
        else _without_tensors(value, params[i].type)
        for i, value in enumerate(given)
    ]


def _without_tensors(value: Any, kind: SchemaType) -> Any:
    """Reading a tensor is an operator call of its own, so it comes before the arguments are written."""
    if isinstance(value, Tensor):
        while kind.kind in ("optional", "list"):
            kind = kind.args[0]
        return index_of(value) if kind.kind == "int" else value.item()
    if isinstance(value, (list, tuple)) and any(isinstance(item, Tensor) for item in value):
        return [_without_tensors(item, kind) for item in value]
    return value


def index_of(tensor: Tensor) -> Any:
    """A tensor of one whole number as an int: a traced one while a trace records. TypeError."""
    if tensor._read_facts()[2] != 1 or tensor.dtype.is_floating_point:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return call("int()", (tensor,))


def _shown(spelling: str) -> str:
    """A spelling as a user reads it."""
    if spelling.startswith("."):
        return f"Tensor{spelling}"
    return spelling.replace("_", "") if _is_symbol(spelling) else spelling


def _is_symbol(spelling: str) -> bool:
    return not any(letter.isalnum() for letter in spelling)


def _given(args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    return ", ".join([*map(describe, args), *(f"{name}={describe(value)}" for name, value in kwargs.items())])


# ---- Running a row ------------------------------------------------------------------------------------------------


class _Plan:
    """What running a row takes: how each argument is written, and what the results become in Python."""

    __slots__ = ("number", "result_class", "result_count", "writers")

    def __init__(self, row: Operator) -> None:
        schema = row.parsed
        self.number = row.number
        self.writers = tuple(_eager_writer(param.type) for param in schema.params)
        self.result_count = len(schema.results)
        self.result_class = tuple if row.full_name in PARTS else result_class(row)


def _eager_writer(kind: SchemaType) -> convert.Writer:
    """As convert.writer, with the conversions of eager calls: tuples as lists, one int as int[2]."""
    if kind.kind == "int":
        return _write_eager_int
    if kind.kind == "optional":
        inner = _eager_writer(kind.args[0])

        def write_optional(buffer: convert.Buffer, index: int, value: Any, scope: convert.Scope) -> None:
            if value is None:
                buffer.put(index, library.NONE, 0)
            else:
                inner(buffer, index, value, scope)

        return write_optional
    if kind.kind == "list":
        write_list, is_ints, fill = convert.writer(kind), kind.args[0].kind == "int", kind.fill

        def write(buffer: convert.Buffer, index: int, value: Any, scope: convert.Scope) -> None:
            items = list(value) if isinstance(value, (list, tuple)) else [value] * fill
            if is_ints:
                items = [item if type(item) is int else convert.index_of(item) for item in items]
            write_list(buffer, index, items, scope)

        return write
    return convert.writer(kind)


def _write_eager_int(buffer: convert.Buffer, index: int, value: Any, scope: convert.Scope) -> None:
    number = value if type(value) is int else convert.index_of(value)
    buffer.put(index, library.INT, convert.int_of(number))


_plans: dict[int, _Plan] = {}


def _plan_of(row: Operator) -> _Plan:
    plan = _plans.get(row.number)
    if plan is None:
        plan = _plans[row.number] = _Plan(row)
    return plan


class _Frame(convert.Buffer):
    """This thread's argument buffers, seen as a convert.Buffer."""

    __slots__ = ()

    def __init__(self, values: Any, words: Any, floats: Any) -> None:
        self.values, self.words, self.floats = values, words, floats


def _frames(state: library.ThreadState) -> tuple[_Frame, _Frame]:
    if state.frames is None:
        state.frames = (
            _Frame(state.args, state.words, state.floats),
            _Frame(state.results, state.result_words, state.result_floats),
        )
    frames: tuple[_Frame, _Frame] = state.frames
    return frames


def _run(row: Operator, args: Sequence[Any]) -> Any:
    """Runs a row on arguments in schema order and tells the recorders."""
    results = _invoke(row, args, lib.tsm_op_call)
    if active:
        results = _recorded(row, args, results)
    made = _plan_of(row).result_class
    if made is not None:
        return made(*results)
    return results[0] if len(results) == 1 else results or None


def _recorded(row: Operator, args: Sequence[Any], results: tuple[Any, ...]) -> tuple[Any, ...]:
    """What the recorders of this thread make of the results."""
    for recorder in library.thread().recorders:
        replaced = recorder.record(row, tuple(args), results)
        results = results if replaced is None else replaced
    return results


def _invoke(row: Operator, args: Sequence[Any], entry: Any) -> tuple[Any, ...]:
    plan, state = _plan_of(row), library.thread()
    frame, result_frame = _frames(state)
    scope = convert.Scope()
    try:
        index = 0
        for write, value in zip(plan.writers, args, strict=False):
            write(frame, index, value, scope)
            index += 1
        if entry(state.context, plan.number, state.args, index, state.results, state.error):
            library.raise_hook_error()
            raise exception_from(state.error)
        if library.pending:
            library.raise_hook_error()
        return tuple([convert.read(result_frame, i, scope) for i in range(plan.result_count)])
    finally:
        scope.close()


def run(full_name: str, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> Any:
    """Runs an operator by full name ("add.Tensor") on its arguments; those with defaults may be left out.

    Raises KeyError for an unknown operator, TypeError for arguments that do not fit its schema.
    """
    key = None if kwargs else (full_name, *map(type, args))
    run_chosen = _chosen_by_name.get(key)
    return run_chosen(args) if run_chosen is not None else _match_and_run(full_name, args, kwargs or {}, key)


def _match_and_run(
    full_name: str, args: Sequence[Any], kwargs: Mapping[str, Any], key: tuple[Any, ...] | None
) -> Any:
    row = table.find(full_name)
    found = match.try_row(row, args, kwargs, judge, describe)
    if isinstance(found, match.Misfit):
        raise TypeError(match.explain(full_name, [found], _given(args, kwargs)))
    _remember(_chosen_by_name, key, found, args, lambda again: _match_and_run(full_name, again, {}, None))
    return _run(row, _trimmed(row, found.args))


def infer(full_name: str, args: Sequence[Any]) -> tuple[Any, ...]:
    """Results of an operator as tensors without memory: dtype and shape only. Arguments may be such tensors too."""
    return _invoke(table.find(full_name), args, lib.tsm_op_infer)
