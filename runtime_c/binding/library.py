"""The library in this process: one runtime, its hooks, and the per-thread state of eager calls.

In: `_tsm`, the cffi extension. Out: `ffi`, `lib`, `runtime()`, `thread()` and the mapping of failures to exceptions.
Holds: print goes to sys.stdout or sys.stderr, warnings as warned.py says; each thread has a context and buffers.
"""

from __future__ import annotations

import itertools
import sys
import threading
from typing import Any

from . import errors, settings
from ._tsm import ffi, lib

MAX_ARGUMENTS = 64  # the table's widest row has fewer; calls of programs make their own buffers
MAX_RESULTS = 8

NONE = int(lib.TSM_NONE)
BOOL = int(lib.TSM_BOOL)
INT = int(lib.TSM_INT)
FLOAT = int(lib.TSM_FLOAT)
DTYPE = int(lib.TSM_DTYPE)
DEVICE = int(lib.TSM_DEVICE)
ENUM = int(lib.TSM_ENUM)
FIRST_REF = int(lib.TSM_FIRST_REF)
COMPLEX = int(lib.TSM_COMPLEX)
STR = int(lib.TSM_STR)
BYTES = int(lib.TSM_BYTES)
TENSOR = int(lib.TSM_TENSOR)
LIST = int(lib.TSM_LIST)
DICT = int(lib.TSM_DICT)
SET = int(lib.TSM_SET)
FROZENSET = int(lib.TSM_FROZENSET)
TUPLE = int(lib.TSM_TUPLE)
OBJECT = int(lib.TSM_OBJECT)
EXCEPTION = int(lib.TSM_EXCEPTION)
ANY = int(lib.TSM_ANY)

_kept: dict[int, Any] = {}  # what borrowed memory belongs to, by the number given to the runtime
_numbers = itertools.count(1)


@ffi.def_extern()
def tsm_py_print(user: Any, text: Any, length: int) -> None:
    with HookGuard():
        sys.stdout.write(ffi.buffer(text, length)[:].decode("utf-8", "replace"))


@ffi.def_extern()
def tsm_py_print_error(user: Any, text: Any, length: int) -> None:
    with HookGuard():
        sys.stderr.write(ffi.buffer(text, length)[:].decode("utf-8", "replace"))


@ffi.def_extern()
def tsm_py_dropped(user: Any) -> None:
    _kept.pop(int(ffi.cast("uintptr_t", user)), None)


def _keep_signal(kind: Any, error: Any, trace: Any) -> None:
    pending.setdefault(threading.get_ident(), error)


@ffi.def_extern(error=True, onerror=_keep_signal)
def tsm_py_signals(user: Any) -> bool:
    """Python handles signals when a function begins; what a handler raises goes to `_keep_signal`."""
    return False


def is_in_signal_handler() -> bool:
    """Whether this thread runs a signal handler in the middle of a call of a program."""
    frame = sys._getframe()
    while frame is not None and frame.f_code is not _SIGNALS_CODE:
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None


_SIGNALS_CODE = tsm_py_signals.__code__


def keep(owner: Any) -> Any:
    """Keeps `owner` alive until the runtime calls the release hook with the returned `void *`."""
    number = next(_numbers)
    _kept[number] = owner
    return ffi.cast("void *", number)


def forget(token: Any) -> None:
    """Undoes `keep` after the runtime refused the memory."""
    tsm_py_dropped(token)


class HookGuard:
    """Remembers what a stream of sys or a warnings filter raised, so that the call that printed can raise it."""

    def __enter__(self) -> None:
        thread().hook_depth += 1

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        thread().hook_depth -= 1
        if error is not None:
            pending.setdefault(threading.get_ident(), error)
        return True


def _new_runtime() -> Any:
    options = ffi.new("tsm_runtime_options *")
    options.size = ffi.sizeof("tsm_runtime_options")
    options.print = lib.tsm_py_print
    options.print_error = lib.tsm_py_print_error
    options.warn = lib.tsm_py_warn
    options.poll = ffi.addressof(lib, "tsm_py_poll")
    options.poll_user = _poll_state
    options.threads = settings.threads_wanted()
    isa = ffi.new("char[]", settings.isa_wanted().encode())
    options.isa = isa if len(isa) > 1 else ffi.NULL
    options.tuning = tuning = ffi.new("tsm_tuning *", settings.tuning_wanted())
    tuning.size = ffi.sizeof("tsm_tuning")
    error = ffi.new("tsm_error *")
    found = lib.tsm_runtime_new(options, error)
    if found == ffi.NULL:
        raise errors.exception_from(error)
    return found


_poll_state = ffi.new("tsm_py_poll_state *", {"thread": threading.main_thread().ident or 0})
_runtime: Any = None
_runtime_lock = threading.Lock()


def runtime() -> Any:
    """The one runtime of this process, made at first use; it lives until the process ends."""
    global _runtime
    if _runtime is None:
        with _runtime_lock:
            if _runtime is None:
                _runtime = _new_runtime()
    return _runtime


class ThreadState(threading.local):
    """A context, and buffers that every eager call of this thread uses again.

    `words` and `result_words` are the same memory as `args` and `results`, as int64: a value's kind, then its payload.
    """

    def __init__(self) -> None:
        self.error = ffi.new("tsm_error *")
        self.context = lib.tsm_context_new(runtime(), self.error)
        if self.context == ffi.NULL:
            raise errors.exception_from(self.error)
        self.owner = ffi.gc(self.context, lib.tsm_context_free)
        self.args = ffi.new("tsm_value[]", MAX_ARGUMENTS)
        self.words = ffi.cast("int64_t *", self.args)
        self.floats = ffi.cast("double *", self.args)
        self.results = ffi.new("tsm_value[]", MAX_RESULTS)
        self.result_words = ffi.cast("int64_t *", self.results)
        self.result_floats = ffi.cast("double *", self.results)
        self.fast = (
            self.context, self.args, self.words, self.floats, self.results, self.result_words, self.result_floats,
            self.error,
        )
        self.facts = ffi.new("int64_t[]", 5 + 2 * 32)
        self.recorders: list[Any] = []
        self.is_checking = False  # a traced function runs again, to be compared with its trace
        self.frames: Any = None  # the buffers as the dispatcher sees them
        self.hook_depth = 0


_state = ThreadState()


def thread() -> ThreadState:
    """This thread's state."""
    return _state


pending: dict[int, BaseException] = {}  # what hooks raised, by thread; empty in all but the rarest moments


def raise_hook_error() -> None:
    """Raises what sys.stdout or a warnings filter raised during this thread's last call, if anything."""
    error = pending.pop(threading.get_ident(), None)
    if error is not None:
        raise error


def check(status: int, error: Any = None) -> None:
    """Raises the exception of a failed API call; functions without a tsm_error get the status's sentence."""
    if status == lib.TSM_OK:
        return
    if error is None:
        error = ffi.new("tsm_error *")
        error.code = status
    raise errors.exception_from(error)


def crc32c(data: Any, crc: int = 0) -> int:
    """CRC32C (Castagnoli) of bytes-like data, continuing from `crc`."""
    with ffi.from_buffer(data) as view:
        return int(lib.tsm_crc32c(crc, view, len(view)))


def version() -> str:
    """Version of the loaded library, "major.minor.patch"."""
    return ffi.string(lib.tsm_version()).decode()
