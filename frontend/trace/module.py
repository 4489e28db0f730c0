"""The module behind a trace, as state: its tensors at their paths, and the scripted modules inside it.

In: an object with `_parameters`, `_buffers` and `_modules`. Out: an `ObjectState` tree and the path of each tensor.
Holds: a submodule or tensor reached by two paths is one object in the state; plain attributes are not kept: a trace
has their values in it already.
"""

from __future__ import annotations

from typing import Any as PyAny

from ...ir.state import ObjectState
from ...ir.types import TENSOR, ClassType
from ..objects.tensors import TensorPool

Path = tuple[str, ...]


class ModuleState:
    """State of a traced module; `root` is its description."""

    def __init__(self, module: PyAny, pool: TensorPool) -> None:
        self._pool = pool
        self._objects: dict[int, ObjectState] = {}
        self._tensors: dict[int, Path] = {}
        self._modules: dict[int, Path] = {}
        self._alive = [module]
        self._class_names: set[str] = set()
        self.root = self._describe(module, ())

    def _describe(self, module: PyAny, path: Path) -> ObjectState:
        known = self._objects.get(id(module))
        if known is not None:
            return known
        state = ObjectState(ClassType(self._class_name(type(module).__name__), is_module=True))
        self._objects[id(module)] = state
        self._modules[id(module)] = path
        for name, tensor in (*module._parameters.items(), *module._buffers.items()):
            if tensor is not None:
                state.type.attributes[name] = TENSOR
                state.attributes[name] = self._pool.state(tensor)
                self._tensors.setdefault(id(tensor), (*path, name))
        for name, inner in module._modules.items():
            if inner is not None and hasattr(inner, "_parameters"):
                described = self._describe(inner, (*path, name))
                state.type.attributes[name] = described.type
                state.attributes[name] = described
        return state

    def _class_name(self, name: str) -> str:
        unique, number = name, 0
        while unique in self._class_names:
            number += 1
            unique = f"{name}.{number}"
        self._class_names.add(unique)
        return unique

    def path_of(self, tensor: PyAny) -> Path | None:
        return self._tensors.get(id(tensor))

    def adopt(self, owner: PyAny, root: ObjectState) -> Path:
        """Path of a scripted module's own state, put under the root at its first call."""
        known = self._modules.get(id(root))
        if known is None:
            number = sum(name.startswith("scripted_") for name in self.root.attributes)
            known = (f"scripted_{number}",)
            self.root.type.attributes[known[0]] = root.type
            self.root.attributes[known[0]] = root
            self._modules[id(root)] = known
            self._alive += [owner, root]
        return known
