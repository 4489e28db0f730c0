"""The module behind a trace, as state: its tensors at their paths, and the compiled modules inside it.

In: an object with `_parameters`, `_buffers` and `_modules`. Out: an `ObjectState` tree and the path of each tensor.
Holds: a submodule or tensor reached by two paths is one object in the state; of plain attributes only `training` is
kept: a trace has their values in it already. A compiled module keeps its whole state, and its program.
"""

from __future__ import annotations

from typing import Any as PyAny

from ...ir.graph import Program
from ...ir.state import ObjectState
from ...ir.types import BOOL, TENSOR, ClassType
from ..objects.program_members import is_program_module, program_now
from ..objects.tensors import TensorPool

Path = tuple[str, ...]


class ModuleState:
    """State of a traced module; `root` is its description."""

    def __init__(self, module: PyAny, pool: TensorPool) -> None:
        self.module = module
        self._pool = pool
        self._objects: dict[int, ObjectState] = {}
        self._tensors: dict[int, Path] = {}
        self._modules: dict[int, Path] = {}
        self._alive = [module]
        self._programs: dict[int, Program] = {}  # of compiled modules
        self.root = self._describe(module, ())

    def _describe(self, module: PyAny, path: Path) -> ObjectState:
        known = self._objects.get(id(module))
        if known is not None:
            return known
        if is_program_module(module) and hasattr(module, "present_program"):
            self._objects[id(module)] = self._adopt(module, path)
            return self._objects[id(module)]
        state = ObjectState(ClassType(type(module).__name__, is_module=True))
        self._objects[id(module)] = state
        self._modules[id(module)] = path
        for name, tensor in (*module._parameters.items(), *module._buffers.items()):
            if tensor is not None:
                state.type.attributes[name] = TENSOR
                state.attributes[name] = self._pool.state(tensor)
                self._tensors.setdefault(id(tensor), (*path, name))
        for name, inner in module._modules.items():
            if inner is not None and (is_program_module(inner) or hasattr(inner, "_parameters")):
                described = self._describe(inner, (*path, name))
                state.type.attributes[name] = described.type
                state.attributes[name] = described
        if "training" in vars(module):
            state.type.attributes["training"] = BOOL
            state.attributes["training"] = bool(module.training)
        return state

    def _adopt(self, owner: PyAny, path: Path) -> ObjectState:
        """The state of a compiled module, from now on at a path."""
        program = self._programs[id(owner)] = program_now(owner, self._pool)
        root: ObjectState = program.root
        self._modules[id(owner)] = path
        self._alive.append(owner)
        return root

    def path_of(self, tensor: PyAny) -> Path | None:
        return self._tensors.get(id(tensor))

    def program_of(self, owner: PyAny) -> tuple[Program, Path]:
        """The program of a compiled module and the path of its state, which is put under the root at its first call."""
        if id(owner) not in self._programs:
            number = sum(name.startswith("scripted_") for name in self.root.attributes)
            root = self._adopt(owner, (f"scripted_{number}",))
            self.root.type.attributes[f"scripted_{number}"] = root.type
            self.root.attributes[f"scripted_{number}"] = root
        return self._programs[id(owner)], self._modules[id(owner)]
