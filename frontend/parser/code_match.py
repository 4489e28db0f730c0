"""Whether a source text is what a code object was compiled from: the text is compiled again and compared.

In: the text of a whole file, a code object. Out: yes, no, or None where it cannot be told.
Holds: positions within lines do not count; a module whose code an import hook rewrote (pytest's assertions) cannot be
told.
"""

from __future__ import annotations
import __future__

import types
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag
_REWRITTEN = "@py"  # names that pytest's rewriting of assertions makes


def is_compiled_from(text: str, code: types.CodeType) -> bool | None:
    """Whether compiling the text gives this code at its line."""
    if _is_rewritten(code):
        return None
    found = _codes(text, code.co_filename, code.co_flags & _FUTURE)
    if found is None:
        return None
    wanted = _essence(code)
    places = found.get((code.co_name, code.co_firstlineno), [])
    return any(_essence(each) == wanted for each in places)


@lru_cache(maxsize=16)
def _codes(text: str, file: str, flags: int) -> dict[tuple[str, int], list[types.CodeType]] | None:
    """All code objects of a text by name and line; None for a text that CPython does not compile."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = compile(text, file, "exec", flags=flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None
    found: dict[tuple[str, int], list[types.CodeType]] = {}
    for each in _all(module):
        found.setdefault((each.co_name, each.co_firstlineno), []).append(each)
    return found


def _all(code: types.CodeType) -> Iterator[types.CodeType]:
    pending = [code]
    while pending:
        each = pending.pop()
        yield each
        pending.extend(const for const in each.co_consts if isinstance(const, types.CodeType))


def _is_rewritten(code: types.CodeType) -> bool:
    return any(name.startswith(_REWRITTEN) for each in _all(code) for name in (*each.co_names, *each.co_varnames))


def _essence(code: types.CodeType) -> tuple[Any, ...]:
    """All that decides what the code does."""
    constants = tuple(
        _essence(const) if isinstance(const, types.CodeType) else (type(const), _shown(const))
        for const in code.co_consts
    )
    return (
        code.co_name, code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
        code.co_argcount, code.co_kwonlyargcount, getattr(code, "co_exceptiontable", b""),
    )


def _shown(constant: object) -> str:
    """A constant with the types of its parts; sets in an order of their own."""
    if isinstance(constant, frozenset):
        return f"{{{sorted(map(_shown, constant))}}}"
    if isinstance(constant, tuple):
        return f"({', '.join(map(_shown, constant))})"
    return f"{type(constant).__name__} {constant!r}"
