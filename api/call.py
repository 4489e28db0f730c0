"""Calling a program's method from Python: one function per method, made for its signature.

In: an Instance and a MethodInfo. Out: a Python function with the method's parameters.
Holds: arguments keep their identity during a call; lists and dicts that the method may change are written back before
the call returns or raises; signatures of int, float, bool and Tensor take a path without any allocation but the result.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from .binding import convert, dispatch, library
from .binding.call_forms import KEYWORDS, PLAIN, POSITIONAL_ONLY, SHARES, STAR, MethodInfo, ParamInfo
from .binding.library import ffi, lib
from .binding.program import Instance
from .binding.resident import Resident, refuse_copy, resident_of
from .binding.schema import SchemaType
from .binding.tensor import Tensor, wrap
from .quick_call import quick_path, watched

# Generated text uses only names that begin with an underscore, which no parameter of it does.
_PLAIN_TYPES = {"int": "_int", "float": "_float", "bool": "_bool", "Tensor": "_Tensor"}
_PLAIN_KINDS = {"int": library.INT, "float": library.FLOAT, "bool": library.BOOL, "Tensor": library.TENSOR}
_RESULTS = {
    "int": "return _result[1]",
    "float": "return _result_float[1]",
    "bool": "return (_result[1] & 255) != 0",
    "None": "return None",
    "Tensor": "return _wrap(_result[1], ({args}))",
}


# A result that can be none of the arguments, as they are no tensors.
_NEW_RESULT = [
    "            _tensor = _new(_Tensor)",
    "            _tensor._ref = _result[1]",
    "            _tensor._facts = None",
    "            return _tensor",
]


class _Missing:
    def __repr__(self) -> str:
        return "<default>"


class _Spelled(_Missing):
    def __repr__(self) -> str:
        return "_missing"


MISSING = _Missing()
_SPELLED = _Spelled()  # MISSING, as the source of a method's function spells it
_KINDS = {
    POSITIONAL_ONLY: inspect.Parameter.POSITIONAL_ONLY, STAR: inspect.Parameter.VAR_POSITIONAL,
    KEYWORDS: inspect.Parameter.VAR_KEYWORD,
}


class Host(Protocol):
    """What a caller asks of the object whose method it is."""

    _classes: dict[str, Any]  # Python classes of the program's named tuples and enums, by name

    def wrap_object(self, address: int) -> Any:
        """A Python object for an instance that a call returned."""
        ...

    def record_call(self, recorder: Any, info: MethodInfo, args: Sequence[Any], result: Any) -> Any:
        """Tells a recorder of a call made while it listens; gives what the caller gets."""
        ...


class Caller:
    """The general path of one method: any signature, any arguments that fit it."""

    def __init__(self, instance: Instance, info: MethodInfo, host: Host) -> None:
        self.instance = instance
        self.info = info
        self.host = host
        self.writers = [
            _resident_writer(param.type) if param.name in info.residents else convert.writer(param.type)
            for param in info.params
        ]
        self.names = [ffi.new("char[]", param.name.encode()) for param in info.params]
        self.makes_defaults = any(param.maker is not None for param in info.params)

    def call(self, args: Sequence[Any]) -> Any:
        """Calls with one argument a parameter, MISSING for a default. TypeError for arguments that do not fit."""
        if self.makes_defaults:
            args = [self._default(at) if value is MISSING else value for at, value in enumerate(args)]
        recorders = dispatch.recorders()
        if not recorders:
            return self._run(args)
        result = self._run([recorders[0].plain(value) for value in args])
        for recorder in recorders:
            result = self.host.record_call(recorder, self.info, self.filled(args), result)
        return result

    def _default(self, position: int) -> Any:
        """A default; one that is made is one object for all calls of an instance, as in Python."""
        maker, key = self.info.params[position].maker, (self.info.index, position)
        if maker is None:
            return MISSING
        if key not in self.instance.defaults:
            self.instance.defaults.setdefault(key, Caller(self.instance, maker, self.host)._run(()))
        return self.instance.defaults[key]

    def _run(self, args: Sequence[Any]) -> Any:
        scope, shared = convert.Scope(self.host._classes, self.host.wrap_object, self.instance), self.instance.shared
        shares = SHARES in self.info.residents
        if self.info.mutates or shares or shared:
            scope.changed, scope.is_typed = {}, shares
        with self.instance.locked():  # instances of classes are made in the instance's own memory
            try:
                if shared:
                    shared.enter(scope)
                result = self._call(args, scope)
            finally:
                if shares or shared:
                    shared.leave(scope, shares)
                scope.close()
        if library.pending:
            library.raise_hook_error()
        return result

    def fail(self, error: Any) -> None:
        """Raises the exception of a failed call whose arguments crossed without a scope."""
        scope = convert.Scope(self.host._classes, self.host.wrap_object, self.instance)
        try:
            self.instance.fail(error, scope)
        finally:
            scope.close()

    def filled(self, args: Sequence[Any]) -> list[Any]:
        """The arguments with defaults in their places."""
        return [
            param.default if value is MISSING else value for param, value in zip(self.info.params, args, strict=True)
        ]

    def _call(self, args: Sequence[Any], scope: convert.Scope) -> Any:
        buffer, result, error = convert.Buffer(len(args)), convert.Buffer(1), ffi.new("tsm_error *")
        count, named = self._write(args, buffer, scope)
        names = ffi.new("const char *[]", named) if named else ffi.NULL
        status = lib.tsm_call_method(
            self.instance.handle, self.info.index, buffer.values, count, names, len(named), result.values, error
        )
        if scope.changed:
            convert.write_back(scope)
        scope.changed = None
        if status:
            self.instance.fail(error, scope)
        if "return" in self.info.residents:
            return resident_of(result, 0, self.info.result, scope)
        return convert.read(result, 0, scope)

    def _write(self, args: Sequence[Any], buffer: convert.Buffer, scope: convert.Scope) -> tuple[int, list[Any]]:
        """Writes the given arguments: leading ones by position, those behind a gap and keyword-only ones by name."""
        count, named = 0, []
        for position, (param, value) in enumerate(zip(self.info.params, args, strict=True)):
            if value is MISSING:
                continue
            try:
                self.writers[position](buffer, count, value, scope)
            except (TypeError, ValueError, OverflowError) as error:
                raise type(error)(f"{self.info.name}() argument '{param.name}': {error}") from None
            if param.is_keyword_only or position != count:
                named.append(self.names[position])
            count += 1
        return count, named

    def call_loosely(self, *args: Any, **kwargs: Any) -> Any:
        """Binds arguments as Python does, for methods whose parameter names are not Python's."""
        return self.call(bind(self.info, args, kwargs))


def _resident_writer(kind: SchemaType) -> convert.Writer:
    """Of a parameter that the program may keep."""

    def write(buffer: convert.Buffer, index: int, value: Any, scope: convert.Scope) -> None:
        if not isinstance(value, Resident):
            raise refuse_copy(value, kind)
        value.put(buffer, index, kind, scope)
        value.attach(scope.instance)

    return write


def bind(info: MethodInfo, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    """Arguments in the order of the parameters, MISSING where the default applies; Python's TypeErrors."""
    limit = sum(not param.is_keyword_only and param.form != STAR for param in info.params)
    rest: dict[str, Any] = {param.name: args[limit:] for param in info.params if param.form == STAR}
    args = args[:limit] if rest else args
    if len(args) > limit:
        raise TypeError(f"{info.name}() takes {limit} positional arguments but {len(args)} were given")
    placed = list(args) + [rest.get(param.name, MISSING) for param in info.params[len(args) :]]
    positions = {param.name: i for i, param in enumerate(info.params) if param.form == PLAIN}
    last = info.params[-1] if info.params else None
    if last is not None and last.form == KEYWORDS:
        placed[-1] = {name: value for name, value in kwargs.items() if name not in positions}
        kwargs = {name: value for name, value in kwargs.items() if name in positions}
    for name, value in kwargs.items():
        if name not in positions:
            raise TypeError(f"{info.name}() got an unexpected keyword argument '{name}'")
        if positions[name] < len(args):
            raise TypeError(f"{info.name}() got multiple values for argument '{name}'")
        placed[positions[name]] = value
    missing = [p.name for p, value in zip(info.params, placed, strict=True) if value is MISSING and not p.has_default]
    if missing:
        raise TypeError(f"{info.name}() missing required arguments: {', '.join(map(repr, missing))}")
    return placed


def make_callable(instance: Instance, info: MethodInfo, host: Host) -> Callable[..., Any]:
    """A function that calls a method of an instance. Its parameters, defaults and doc are the method's."""
    caller = Caller(instance, info, host)
    if not all(_is_safe(param.name) for param in info.params):
        function: Any = caller.call_loosely
        return function
    scope: dict[str, Any] = {"_slow": caller.call, "_missing": MISSING}
    is_general = bool(info.residents)
    plain = "" if is_general else _plain_path(caller, scope) if _is_plain(info) else quick_path(caller, scope)
    exec(compile(f"def _function({_parameters(info)}):\n{plain}    return _slow(({_arguments(info)}))\n",
                 f"<method {info.name}>", "exec"), scope)
    function = scope["_function"]
    function.__name__ = function.__qualname__ = info.name
    function.__doc__ = info.doc or None
    function.__signature__ = signature(info)
    function.__tsm_caller__ = caller
    return function


def _is_safe(name: str) -> bool:
    """Names come from files, so only true identifiers become source text."""
    return name.isidentifier() and name.isascii() and not keyword.iskeyword(name) and not name.startswith("_")


def _parameters(info: MethodInfo) -> str:
    """The parameters as the inside of the brackets of a `def`."""
    return str(inspect.Signature([_parameter(param, _SPELLED) for param in info.params]))[1:-1]


def _parameter(param: ParamInfo, default: Any, annotation: Any = inspect.Parameter.empty) -> inspect.Parameter:
    """A parameter as inspect knows it, with this default if it has one."""
    plain = inspect.Parameter.KEYWORD_ONLY if param.is_keyword_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
    kind = _KINDS.get(param.form, plain)
    has_default = param.has_default and param.form not in (STAR, KEYWORDS)
    given = default if has_default else inspect.Parameter.empty
    return inspect.Parameter(param.name, kind, default=given, annotation=annotation)


def _arguments(info: MethodInfo) -> str:
    """The arguments as the inside of a tuple display."""
    return "".join(f"{param.name}, " for param in info.params)


def signature(info: MethodInfo) -> inspect.Signature:
    """The method's signature as inspect shows it."""
    return inspect.Signature(
        [_parameter(param, param.default, str(param.type)) for param in info.params],
        return_annotation=str(info.result),
    )


def _is_plain(info: MethodInfo) -> bool:
    return (
        info.result.kind in _RESULTS
        and all(param.type.kind in _PLAIN_TYPES and not param.is_keyword_only for param in info.params)
        and not info.mutates & {i for i, param in enumerate(info.params) if param.type.kind != "Tensor"}
    )


def _plain_path(caller: Caller, scope: dict[str, Any]) -> str:
    """Source of the path for arguments of exactly the declared plain types; fills in the names it uses."""
    info, instance = caller.info, caller.instance
    buffer, result, error = convert.Buffer(len(info.params)), convert.Buffer(1), ffi.new("tsm_error *")
    tests, stores = [f"not {watched(instance, scope)}"], []
    for index, param in enumerate(info.params):
        kind, name = param.type.kind, param.name
        buffer.put(index, _PLAIN_KINDS[kind], 0)
        tests.append(f"_type({name}) is {_PLAIN_TYPES[kind]}")
        target = "_floats" if kind == "float" else "_words"
        stores.append(f"{target}[{2 * index + 1}] = {name}{'._ref' if kind == 'Tensor' else ''}")
    scope.update(
        _active=dispatch.active, _Tensor=Tensor, _words=buffer.words, _floats=buffer.floats, _args=buffer.values,
        _kept=(buffer, result), _result=result.words, _result_float=result.floats, _out=result.values, _error=error,
        _instance=instance.handle, _run=lib.tsm_call_method, _null=ffi.NULL, _acquire=instance.lock.acquire,
        _release=instance.lock.release, _wait=instance.wait, _fail=caller.fail, _wrap=_wrap,
        _pending=library.pending, _raise_pending=library.raise_hook_error, _overflow=_overflow,
        _type=type, _int=int, _float=float, _bool=bool, _OverflowError=OverflowError,
    )
    tensors = [param.name for param in info.params if param.type.kind == "Tensor"]
    body = [
        "        if not _acquire(False): _wait()",
        "        try:",
        "            try:",
        *(f"                {store}" for store in stores or ["pass"]),
        "            except _OverflowError: _overflow()",
        f"            _status = _run(_instance, {info.index}, _args, {len(info.params)}, _null, 0, _out, _error)",
        "            if _status: _fail(_error)",
        "            if _pending: _raise_pending()",
        "            " + _RESULTS[info.result.kind].format(args="".join(f"{name}, " for name in tensors)),
        "        finally: _release()",
    ]
    lines = [f"    if {' and '.join(tests)}:", *body]
    if len(tensors) == 1:
        lines += _one_array_path(info, tensors[0], tests, body, scope)
    elif tensors:
        lines += _arrays_path(info, tensors, scope)
    return "\n".join(lines) + "\n"


def _one_array_path(info: MethodInfo, name: str, tests: list[str], body: list[str], scope: dict[str, Any]) -> list[str]:
    """The plain path for a NumPy array in the place of the only tensor: nothing of it outlives the call here."""
    position = next(i for i, param in enumerate(info.params) if param.name == name)
    made: list[Any] = [None]
    if not lib.tsm_py_make_call(
        library.runtime(), scope["_instance"], info.index, scope["_args"], len(info.params), position, scope["_out"],
        scope["_error"], id(made),
    ):
        return []
    scope.update(_array=np.ndarray, _run_over=made[0], _new=object.__new__)
    run = f"            _status = _run_over({name})"
    is_called = False
    lines = [f"    if {' and '.join(tests).replace(f'_type({name}) is _Tensor', f'_type({name}) is _array')}:"]
    for line in body:
        if f"{name}._ref" in line:
            lines.append("                pass")
        elif "_run(" in line:
            lines += [run, f"            if _status != {int(lib.TSM_STATUS_COUNT)}:"]  # else: on to the general path
            is_called = True
        else:
            inner = "    " if is_called and "finally" not in line else ""
            lines += [inner + new for new in ([line] if "_wrap(" not in line else _NEW_RESULT)]
    return lines


def _arrays_path(info: MethodInfo, tensors: list[str], scope: dict[str, Any]) -> list[str]:
    """Makes tensors over NumPy arrays and then takes the plain path."""
    scope.update(_over=_over)
    args = ", ".join(f"_made[{tensors.index(p.name)}]" if p.name in tensors else p.name for p in info.params)
    return [
        f"    _made = None if _active else _over(({''.join(f'{name}, ' for name in tensors)}))",
        f"    if _made is not None: return _function({args})",
    ]


def _over(values: tuple[Any, ...]) -> list[Tensor] | None:
    """Tensors over distinct arrays, at least one, and tensors; None for what is left to the general path."""
    made: list[Tensor] = []
    has_array = False
    for value in values:
        if type(value) is np.ndarray:
            address = lib.tsm_py_borrow(library.runtime(), id(value))
            if not address or (made and any(value is other for other in values[: len(made)])):
                if address:
                    lib.tsm_py_release(address, library.TENSOR)
                return None
            made.append(wrap(address))
            has_array = True
        elif type(value) is Tensor:
            made.append(value)
        else:
            return None
    return made if has_array else None


def _overflow() -> None:
    raise OverflowError("an int argument does not fit into 64 bits") from None


def _wrap(address: int, args: tuple[Any, ...], new: Any = object.__new__) -> Tensor:
    """The result tensor: the caller's own object if the method returned an argument."""
    for arg in args:
        if arg._ref == address:
            lib.tsm_py_release(address, library.TENSOR)
            return arg
    tensor: Tensor = new(Tensor)
    tensor._ref = address
    tensor._facts = None
    return tensor
