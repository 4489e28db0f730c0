"""Modules of PyTorch that tsm has not, or not in full: they import, and say what they lack.

In: the table. Out: modules, made when they are imported; the error of a name that is missing.
Holds: a finder behind all others makes a module only where tsm has no file of that name.
"""

from __future__ import annotations

import dis
import importlib
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Callable
from typing import Any

from .stand_in import stand_in
from .table import HINTS, MODULES, Absent

TOP = __name__.partition(".")[0]
_IMPORT_FROM = dis.opmap["IMPORT_FROM"]


def of_module(module: str) -> Callable[..., Any]:
    """`__getattr__` of a module of tsm, "" being tsm itself: stand-ins where the table has the name, else `missing`."""

    def read(name: str, frame: types.FrameType | None = None) -> Any:
        inner = f"{module}.{name}" if module else name
        if inner in MODULES:
            return importlib.import_module(f"{TOP}.{inner}")
        known = MODULES.get(module)
        if known is None or name not in known.names or name.startswith("__"):
            raise missing(module, name, frame or sys._getframe(1))
        found = _made(module, name, known)
        setattr(sys.modules[f"{TOP}.{module}" if module else TOP], name, found)
        return found

    return read


def _made(module: str, name: str, known: Absent) -> Any:
    kind = known.names[name]
    if kind == "@":
        return passing
    if kind.startswith(":"):
        return int(kind[1:])
    if kind:
        value = {"=False": False, "=0": 0, "=None": None}[kind]
        return lambda *args, **kwargs: value
    return stand_in(f"{module}.{name}" if module else name, HINTS.get((module, name), known.hint))


def passing(*args: Any, **kwargs: Any) -> Any:
    """A decorator, with or without arguments, that marks for a tool which is not there: the function stays as it is."""
    if len(args) == 1 and callable(args[0]) and not kwargs:
        return args[0]
    return lambda function: function


def missing(module: str, name: str, frame: types.FrameType | None = None) -> Exception:
    """The AttributeError of a name that a module has not, with a hint where there is one; an ImportError where `frame`
    imports it, since Python drops the text of an AttributeError there."""
    home = f"{TOP}.{module}" if module else TOP
    text = f"module {home!r} has no attribute {name!r}"
    hint = "" if name.startswith("__") else hint_of(module, name)
    text += f": {hint}" if hint else ""
    if frame is not None and frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] == _IMPORT_FROM:
        said = f"cannot import name {name!r} from {home!r}" + (f": {hint}" if hint else "")
        return ImportError(said, name=home)
    return AttributeError(text)


def hint_of(module: str, name: str) -> str:
    """What to write instead of `module.name`; empty if the table does not know it."""
    found = HINTS.get((module, name))
    if found is not None:
        return found
    inner = MODULES.get(f"{module}.{name}" if module else name) or MODULES.get(module)
    return inner.hint if inner is not None else ""


class AbsentModule(types.ModuleType):
    """A module of the table. It may hold others, which are imported when they are asked for."""

    def __init__(self, name: str, doc: str) -> None:
        super().__init__(name, doc)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        own = self.__name__.removeprefix(f"{TOP}.")
        if f"{own}.{name}" in MODULES:
            return importlib.import_module(f"{self.__name__}.{name}")
        known = MODULES[own]
        if name.startswith("__") or name not in known.names:
            raise missing(own, name, sys._getframe(1))
        found = _made(own, name, known)
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *MODULES[self.__name__.removeprefix(f"{TOP}.")].names})


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if not name.startswith(f"{TOP}.") or name[len(TOP) + 1 :] not in MODULES:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return AbsentModule(spec.name, MODULES[spec.name[len(TOP) + 1 :]].hint)

    def exec_module(self, module: types.ModuleType) -> None:
        return None


def install() -> None:
    """Lets `import tsm.optim` find the modules of the table; called once, when tsm is imported."""
    if not any(type(finder) is _Finder for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
