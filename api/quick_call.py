"""The path of calls with small containers: one C function converts, calls and converts back.

In: a method whose types are numbers, texts, tensors, and lists, dicts and tuples of these. Out: source of the path for
arguments of exactly these types. Holds: what the C function declines has not been called yet, and goes the general way.
"""

from __future__ import annotations

from typing import Any

from .binding import dispatch, library
from .binding.library import ffi, lib
from .binding.schema import SchemaType
from .binding.size import Size
from .binding.tensor import Tensor

_CODES = {"int": "i", "float": "f", "bool": "b", "str": "s", "Tensor": "T"}
_RESULTS = frozenset((*_CODES, "None"))
_HOLDERS = frozenset(("list", "dict", "tuple", "tuple...", "optional", "union"))
_MOST_ITEMS = 9
_MOST_PARAMS = 16


def code_of(kind: SchemaType) -> str | None:
    """The type as calls.h spells it; None for one that it does not take."""
    if kind.kind in _CODES:
        return _CODES[kind.kind]
    if kind.kind == "dict" and not kind.name:
        return _joined("d", kind.args[1:]) if kind.args[0].kind == "str" else None
    if kind.kind == "list" and not kind.name:
        return _joined("l", kind.args)
    if kind.kind == "tuple" and len(kind.args) <= _MOST_ITEMS:
        return _joined(f"t{len(kind.args)}", kind.args)
    return None


def _joined(first: str, kinds: tuple[SchemaType, ...]) -> str | None:
    codes = [code_of(kind) for kind in kinds]
    return None if None in codes else first + "".join(code for code in codes if code)


def is_result(kind: SchemaType) -> bool:
    """Whether calls.h makes Python objects of values of the type."""
    return kind.kind in _RESULTS or (kind.kind in _HOLDERS and not kind.name and all(map(is_result, kind.args)))


def watched(instance: Any, scope: dict[str, Any]) -> str:
    """What is true while a call must go the general way: something records, or Python has parts of the state."""
    if not instance.program.shares_state:
        return "_active"
    scope["_held"] = instance.shared.held
    return "(_active or _held)"


def quick_path(caller: Any, scope: dict[str, Any]) -> str:
    """Source of the path; "" for a method that has none. Fills in the names it uses."""
    info, instance = caller.info, caller.instance
    codes = [code_of(param.type) for param in info.params]
    if None in codes or not is_result(info.result) or len(codes) > _MOST_PARAMS:
        return ""
    if any(param.is_keyword_only for param in info.params):
        return ""
    containers = {i for i, param in enumerate(info.params) if param.type.kind != "Tensor"}
    failed, declined, error = object(), object(), ffi.new("tsm_error *")
    made: list[Any] = [Tensor, failed, declined, Size]
    text = "".join(code for code in codes if code).encode()
    is_mutating = bool(info.mutates & containers)
    if not lib.tsm_py_make_quick(
        library.runtime(), instance.handle, info.index, text, len(codes), is_mutating, error, id(made)
    ):
        return ""
    scope.update(
        _active=dispatch.active, _quick=made[0], _failed=failed, _declined=declined, _quick_error=error,
        _keep=instance, _acquire=instance.lock.acquire, _release=instance.lock.release, _wait=instance.wait,
        _fail=caller.fail, _pending=library.pending, _raise_pending=library.raise_hook_error,
    )
    args = ", ".join(param.name for param in info.params)
    lines = [
        f"    if not {watched(instance, scope)}:",
        "        if not _acquire(False): _wait()",
        "        try:",
        f"            _found = _quick({args})",
        "            if _found is _failed: _fail(_quick_error)",
        "            if _found is not _declined:",
        "                if _pending: _raise_pending()",
        "                return _found",
        "        finally: _release()",
    ]
    return "\n".join(lines) + "\n"
