"""The files of this package, which the stack of a user's program does not show and a saved file does not place.

In: the path of a Python file. Out: whether it is ours, and the name it has in programs: that of the module, from the
package's folder on, wherever it is installed. Holds: other paths keep their names.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path

_PACKAGE = __name__.rpartition(".frontend")[0]
_ROOT = Path(__file__).resolve().parent.parent


def is_own_file(path: str) -> bool:
    """Whether it belongs to the package, or was written by it."""
    return path.startswith(("<method ", "<operator ")) or any(path.startswith(folder) for folder, _ in _folders())


def is_own_name(name: str) -> bool:
    """Whether a file with this name in a program belongs to the package."""
    return name.startswith(("<method ", "<operator ", f"{_PACKAGE}/"))


@lru_cache(maxsize=1024)
def portable_name(path: str) -> str:
    """The name that a program gives a file: equal on every machine for files of the package."""
    for folder, name in _folders():
        if path.startswith(folder):
            return name + path[len(folder) :].replace("\\", "/")
    return path


def _folders() -> list[tuple[str, str]]:
    """Folders of the installed package with their names; in an editable install they lie beside one another."""
    places = [(folder, _PACKAGE) for folder in sys.modules[_PACKAGE].__path__]
    beside = {"frontend": _ROOT / "frontend", "binding": _ROOT / "runtime_c" / "binding"}
    places += [(str(folder), f"{_PACKAGE}/{name}") for name, folder in beside.items()]
    return [(folder + os.sep, name + "/") for folder, name in places]
