"""Programs and instances: loaded files and their state, as handles on libtsm.

In: bytes or a path. Out: what a program says of itself (methods, types, metadata) and instances to run.
Holds: calls of methods are made by api/call.py; an instance keeps its program, a program the runtime.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType, SimpleNamespace
from typing import Any
from weakref import WeakValueDictionary

from . import convert, exceptions, library, warned
from .call_forms import CALL_FORMS, SHARES, MethodInfo, ParamInfo, with_forms
from .errors import LoadError, Raised, exception_from, tell_place
from .hosts import HostFunction, HostFunctions
from .instances import ProgramTypes
from .library import ffi, lib
from .program_types import c_text as _text
from .program_types import read_type
from .schema import SchemaType
from .shared import Shared
from .state_names import STATE, ModuleNames, names_by_module
from .tensor import Tensor

RESIDENTS = "tsm.residents"  # in the metadata: names of parameters and "return", by method; SHARES as well


class Program:
    """A loaded, verified, immutable program. Threads may share it."""

    def __init__(self, handle: Any, error: Any, hosts: HostFunctions) -> None:
        if handle == ffi.NULL:
            raise _missing(error) if error.code == lib.TSM_ERR_NOT_FOUND else exception_from(error)
        self.handle = ffi.gc(handle, lib.tsm_program_free)
        self.hosts = hosts
        self.exceptions: dict[str, type[BaseException]] = {}  # Python's classes of user exceptions, where known

    @classmethod
    def from_bytes(
        cls, data: Any, bound: Sequence[Tensor] = (), check_weights: bool = False, bound_is_constant: bool = False,
        functions: Mapping[str, HostFunction] = MappingProxyType({}),
    ) -> Program:
        """Loads an image from bytes-like memory, which is copied. `bound` are the tensors for the storages that an
        in-memory image marks as bound, in their order; constant ones are copied by what writes them. `functions` are
        what it calls by name. LoadError if the image is not valid, or calls others."""
        error, hosts = ffi.new("tsm_error *"), HostFunctions(functions)
        options, kept = _load_options(bound, check_weights, hosts)
        options.bound_is_constant = bound_is_constant
        with ffi.from_buffer(data) as view:
            handle = lib.tsm_program_load_copy(library.runtime(), view, len(view), options, error)
        del kept
        return cls(handle, error, hosts)

    @classmethod
    def from_path(
        cls, path: str | os.PathLike[str], check_weights: bool = False, is_mapped: bool = False,
        functions: Mapping[str, HostFunction] = MappingProxyType({}),
    ) -> Program:
        """Reads a file, or maps it: a mapped file must not be truncated while in use. OSError, LoadError."""
        error, hosts = ffi.new("tsm_error *"), HostFunctions(functions)
        options, _ = _load_options((), check_weights, hosts)
        entry = lib.tsm_program_map if is_mapped else lib.tsm_program_open
        name = os.fsencode(path)
        if b"\0" in name:
            raise ValueError("a path cannot contain a zero byte")
        handle = entry(library.runtime(), name, options, error)
        if handle == ffi.NULL and error.code == lib.TSM_ERR_IO:
            _raise_io(path, error)
        return cls(handle, error, hosts)

    @cached_property
    def types(self) -> ProgramTypes:
        """Its classes and enums."""
        return ProgramTypes(self)

    @cached_property
    def methods(self) -> tuple[MethodInfo, ...]:
        """Entry points, sorted by name."""
        found = tuple(self._read_method(index) for index in range(lib.tsm_program_method_count(self.handle)))
        return with_forms(found, self.metadata.get(CALL_FORMS, "{}"))

    def _read_method(self, index: int) -> MethodInfo:
        info = ffi.new("tsm_method_info *")
        library.check(lib.tsm_program_method(self.handle, index, info))
        params = tuple(self._read_param(index, position, info.params[position]) for position in range(info.param_count))
        mutates = frozenset(position for position in range(len(params)) if info.mutates >> position & 1)
        name = _text(info.name)
        residents = frozenset(self._residents.get(name, ()))
        return MethodInfo(index, name, _text(info.doc), params, read_type(info.result), mutates, residents)

    @cached_property
    def _residents(self) -> dict[str, list[str]]:
        """By method; what is not as a compiler of ours writes it says nothing."""
        try:
            found = json.loads(self.metadata.get(RESIDENTS, "{}"))
        except (ValueError, RecursionError):
            return {}
        given = found.items() if isinstance(found, dict) else ()
        return {name: names for name, names in given if isinstance(names, list) and all(type(n) is str for n in names)}

    @cached_property
    def shares_state(self) -> bool:
        """Whether Python and its state may have the same containers or instances."""
        return any(SHARES in method.residents for method in self.methods)

    def _read_param(self, method: int, position: int, param: Any) -> ParamInfo:
        default = self._read_default(method, position) if param.has_default else None
        return ParamInfo(
            _text(param.name), read_type(param.type), bool(param.has_default), default, bool(param.keyword_only)
        )

    def _read_default(self, method: int, position: int) -> Any:
        owner = SimpleNamespace(program=self)  # an enum's members are the program's, and no instance is needed
        place, scope = convert.Buffer(1), convert.Scope(instance=owner)
        library.check(lib.tsm_program_default(self.handle, method, position, place.values))
        try:
            return convert.read(place, 0, scope)
        finally:
            scope.close()

    @cached_property
    def state_names(self) -> dict[str, str] | None:
        """Paths of parameters, buffers and hidden buffers of the module that was scripted; None if it was none."""
        try:
            found = json.loads(self.metadata[STATE])
        except (KeyError, ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None

    @cached_property
    def module_names(self) -> dict[str, ModuleNames]:
        """What the modules at paths of the module that was scripted have; empty if it was none."""
        return {} if self.state_names is None else names_by_module(self.state_names)

    @property
    def metadata(self) -> dict[str, str]:
        """Text that was stored with the program."""
        key, value, length = ffi.new("char **"), ffi.new("char **"), ffi.new("size_t *")
        found = {}
        for index in range(lib.tsm_program_metadata_count(self.handle)):
            library.check(lib.tsm_program_metadata(self.handle, index, _const(key), _const(value), length))
            found[_text(key[0])] = ffi.buffer(value[0], length[0])[:].decode() if length[0] else ""
        return found

    @property
    def extra_files(self) -> dict[str, bytes]:
        """Files that were stored with the program."""
        name, data, length = ffi.new("char **"), ffi.new("void **"), ffi.new("size_t *")
        found = {}
        for index in range(lib.tsm_program_extra_count(self.handle)):
            library.check(
                lib.tsm_program_extra(self.handle, index, _const(name), ffi.cast("const void **", data), length)
            )
            found[_text(name[0])] = ffi.buffer(data[0], length[0])[:] if length[0] else b""
        return found

    @property
    def operators(self) -> tuple[str, ...]:
        """Full names of the operators it uses."""
        count = lib.tsm_program_operator_count(self.handle)
        return tuple(_text(lib.tsm_program_operator(self.handle, index)) for index in range(count))

    def verify(self) -> None:
        """Checks the checksum of the weights, which loading leaves out. LoadError if it does not match."""
        error = ffi.new("tsm_error *")
        library.check(lib.tsm_program_verify(self.handle, error), error)


def _const(pointer: Any) -> Any:
    return ffi.cast("const char **", pointer)


def _missing(error: Any) -> LoadError:
    """The program calls functions that were not given."""
    found = LoadError(f"{ffi.string(error.message).decode()}; pass them as load(..., functions={{name: function}})")
    found.status = "functions"
    return found


def _load_options(bound: Sequence[Tensor], check_weights: bool, hosts: HostFunctions) -> tuple[Any, Any]:
    """Load options, and the memory they point to."""
    values = convert.Buffer(len(bound))
    for index, tensor in enumerate(bound):
        values.put(index, library.TENSOR, tensor._ref)
    options = ffi.new("tsm_load_options *")
    options.size = ffi.sizeof("tsm_load_options")
    options.bound = values.values
    options.bound_count = len(bound)
    options.check_weights = check_weights
    options.functions, options.function_count = hosts.table, len(hosts)
    return options, values


def _raise_io(path: Any, error: Any) -> None:
    """Python's own exception for a file that cannot be read, where Python cannot read it either."""
    with open(path, "rb"):
        pass
    raise exception_from(error)


class Instance:
    """The mutable state of a program: one thread at a time runs it, others wait."""

    def __init__(self, program: Program, handle: Any = None) -> None:
        error = ffi.new("tsm_error *")
        if handle is None:
            handle = lib.tsm_instance_new(program.handle, error)
        if handle == ffi.NULL:
            raise exception_from(error)
        self.program = program
        self.handle = ffi.gc(handle, lib.tsm_instance_free)
        self.lock = threading.Lock()
        warned.programs[int(ffi.cast("uintptr_t", handle))] = program
        self.runner = 0  # the thread that is in a function of the host
        self.shared = Shared(self.handle)
        self.residents: WeakValueDictionary[int, Any] = WeakValueDictionary()  # what Python has of its containers
        self.defaults: dict[tuple[int, int], Any] = {}  # those that were made, by method and parameter

    def wait(self) -> None:
        """Takes the lock, which another thread holds. RuntimeError if this one does: a print hook or the handler of a
        signal called back."""
        if library.thread().hook_depth:
            text = "a program cannot be called again from inside its own print(), warning or ignored function"
            raise RuntimeError(text)
        if library.is_in_signal_handler():
            raise RuntimeError("a program cannot be called by a signal handler while it runs")
        self.lock.acquire()

    def locked(self) -> _Locked:
        return _Locked(self)

    def fail(self, error: Any, scope: convert.Scope) -> None:
        """Raises the exception of a failed call, with its message in full. `scope` is the call's."""
        if library.pending:
            library.raise_hook_error()
        length = ffi.new("size_t *")
        text = lib.tsm_instance_message(self.handle, length)
        message = ffi.buffer(text, length[0])[:].decode("utf-8", "replace") if text != ffi.NULL and length[0] else None
        short = _text_of(error)
        full = message if message is not None and _is_cut(short, message) else None
        raised = self.raised(scope)
        own = self.program.hosts.take_failure(raised)
        if own is not None:
            tell_place(own, error)
            raise own
        raise exception_from(error, full, raised)

    def raised(self, scope: convert.Scope) -> Raised | None:
        """The exception object of the last failed call, if the program raised one."""
        places = convert.Buffer(2)
        classes = lib.tsm_instance_exception(self.handle, places.values, places.values + 1)
        if classes == ffi.NULL:
            return None
        name = _text(classes)
        return Raised(name, exceptions.read_parts(name, places, scope))

    def clone(self) -> Instance:
        """A second instance with a copy of this one's state."""
        error = ffi.new("tsm_error *")
        with self.locked():
            self._take_changes()
            handle = lib.tsm_instance_clone(self.handle, error)
        if handle == ffi.NULL:
            raise exception_from(error)
        return Instance(self.program, handle)

    def reset(self) -> None:
        """Back to the state in the file."""
        self._run(lambda error: lib.tsm_instance_reset(self.handle, error))
        self.defaults.clear()

    def save(self, write: Callable[[bytes], Any]) -> None:
        """Writes a file with the present state through `write`, whose exceptions pass through."""
        failures: list[BaseException] = []
        user = ffi.new_handle((write, failures))
        try:
            self._run(lambda error: lib.tsm_instance_save(self.handle, lib.tsm_py_write, user, error))
        except Exception:
            if failures:
                raise failures[0] from None
            raise

    def _run(self, call: Callable[[Any], int]) -> None:
        error = ffi.new("tsm_error *")
        with self.locked():
            self._take_changes()
            status = call(error)
        library.check(status, error)

    def _take_changes(self) -> None:
        """Gives the program what Python changed in what both have."""
        if self.shared:
            scope = convert.Scope(instance=self)
            try:
                self.shared.enter(scope)
            finally:
                scope.close()

    def get(self, path: str, scope: convert.Scope) -> Any:
        """Attribute by dotted path. AttributeError if there is none."""
        if self.shared:
            self.shared.enter(scope)
        place, error = convert.Buffer(1), ffi.new("tsm_error *")
        library.check(lib.tsm_get_attr(self.handle, path.encode(), place.values, error), error)
        return convert.read(place, 0, scope)

    def set(self, path: str, value: Any, kind: SchemaType, scope: convert.Scope) -> None:
        """Sets an attribute by dotted path. AttributeError, TypeError."""
        if self.shared:
            self.shared.enter(scope)
        place, error = convert.Buffer(1), ffi.new("tsm_error *")
        convert.writer(kind)(place, 0, value, scope)
        library.check(lib.tsm_set_attr(self.handle, path.encode(), place.values[0], error), error)

    def set_fuel(self, fuel: int) -> None:
        """Fuel of each later call; 0 is no limit. A call that uses it up raises FuelError."""
        lib.tsm_instance_set_fuel(self.handle, fuel)

    @property
    def fuel_used(self) -> int:
        """Fuel that the last call used."""
        return int(lib.tsm_instance_fuel_used(self.handle))

    def cancel(self) -> None:
        """Stops the running call soon, from any thread: it raises CancelledError."""
        lib.tsm_instance_cancel(self.handle)

    def seed(self, seed: int) -> None:
        """Starts the random stream anew."""
        lib.tsm_instance_seed(self.handle, seed & 0xFFFFFFFFFFFFFFFF)


class _Locked:
    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def __enter__(self) -> None:
        if not self.instance.lock.acquire(False):
            self.instance.wait()

    def __exit__(self, *error: object) -> None:
        self.instance.lock.release()


def _text_of(error: Any) -> str:
    return ffi.string(error.message).decode("utf-8", "replace")


def _is_cut(short: str, full: str) -> bool:
    return len(full) > len(short) and full.startswith(short)


@ffi.def_extern()
def tsm_py_write(user: Any, data: Any, length: int) -> bool:
    write, failures = ffi.from_handle(user)
    try:
        write(ffi.buffer(data, length)[:])
    except BaseException as error:
        failures.append(error)
        return False
    return True
