"""What the metadata of a module's program says of the paths of its state.

In: the entry "tsm.state", a JSON object from paths to words: parameter, buffer, hidden (a buffer that is no part of
`state_dict()`) or module. Out: the names that each module has, by its path. Holds: what is not written so says nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

STATE = "tsm.state"
CONSTANTS = "tsm.constants"  # a JSON object too: values that are no part of the state, by path
PARAMETER, BUFFER, HIDDEN, MODULE = "parameter", "buffer", "hidden", "module"


@dataclass(frozen=True)
class ModuleNames:
    """Names of what one module has, in their order; `hidden` are some of the `buffers`."""

    parameters: list[str] = field(default_factory=list)
    buffers: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)


NO_NAMES = ModuleNames()


def read_constants(metadata: Mapping[str, str]) -> dict[str, Any]:
    """Constants by path, lists as the tuples that they are in scripts."""
    try:
        found = json.loads(metadata.get(CONSTANTS, "{}"))
    except (ValueError, RecursionError):
        return {}
    return {name: _as_tuple(value) for name, value in found.items()} if isinstance(found, dict) else {}


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def names_by_module(state: Mapping[str, Any]) -> dict[str, ModuleNames]:
    """The names by the paths of modules; the root's is empty."""
    found = {"": ModuleNames()}
    found.update((path, ModuleNames()) for path, kind in state.items() if kind == MODULE)
    for path, kind in state.items():
        owner, _, name = path.rpartition(".")
        if owner in found:
            names = found[owner]
            lists = {PARAMETER: (names.parameters,), BUFFER: (names.buffers,), MODULE: (names.modules,),
                     HIDDEN: (names.buffers, names.hidden)}
            for each in lists.get(str(kind), ()):
                each.append(name)
    return found
