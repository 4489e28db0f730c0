"""`tsm.jit`: TorchScript's names, so that a program moves by changing its imports.

Out: what each name means here, most of it also at the top of `tsm`. Holds: a name of torch.jit that means nothing here
raises AttributeError and says what to write instead.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

from . import loaded as _loaded
from .absent import of_module
from .freezing import FrozenModule, freeze
from .frontend.diagnostics import CompileError
from .frontend.trace.tracer import TracerWarning
from .futures import Future, fork, wait
from .loaded import LoadedModule
from .marks import Attribute, ignore, interface, overload, script_if_tracing, unused
from .marks import container_isinstance as isinstance
from .modes import annotate, is_scripting, is_tracing
from .saving import save as _save
from .script_classes import CompilationUnit, ScriptModule, script_method
from .scripting import ScriptFunction, export, script
from .scripting import ScriptModule as RecursiveScriptModule
from .tracing import TracingCheckError, trace, trace_module
from .tuning import (
    enable_onednn_fusion,
    fuser,
    onednn_fusion_enabled,
    optimized_execution,
    run_frozen_optimizations,
    set_fusion_strategy,
    strict_fusion,
)

__all__ = [
    "Attribute", "CompilationUnit", "CompileError", "Error", "Final", "Future", "RecursiveScriptModule",
    "ScriptFunction", "ScriptModule", "TracerWarning", "TracingCheckError", "annotate", "enable_onednn_fusion",
    "export", "export_opnames", "fork", "freeze", "fuser", "ignore", "interface", "is_scripting", "is_tracing",
    "isinstance", "load", "onednn_fusion_enabled", "optimize_for_inference", "optimized_execution",
    "run_frozen_optimizations", "save", "script", "script_if_tracing", "script_method", "set_fusion_strategy",
    "strict_fusion", "trace", "trace_module", "unused", "wait",
]

_absent = of_module("jit")
__path__: list[str] = []  # imports may look for modules inside
Error = Exception  # of compiled code: each keeps its Python class
_fork, _wait, _isinstance, _script_if_tracing = fork, wait, isinstance, script_if_tracing
_overload = _overload_method = overload
_INSTEAD = {
    "last_executed_optimized_graph": "print(scripted.inlined_graph) is what runs",
    "jit_module_from_flatbuffer": "write tsm.load(path)",
    "save_jit_module_to_flatbuffer": "write tsm.save(module, path)",
    "ONNXTracedModule": "there is no ONNX export",
    "mobile": "a .tsm file runs on any device: save it, and load it with libtsm",
    "supported_ops": "docs/ops.md lists all operators",
    "TopLevelTracedModule": "write tsm.jit.ScriptModule",
}


def load(
    source: Any, map_location: Any = None, _extra_files: dict[str, Any] | None = None, _restore_shapes: bool = False,
    **options: Any,
) -> LoadedModule:
    """`tsm.load` with torch.jit's parameters: `map_location` may be None or "cpu", `_extra_files` is filled in."""
    if map_location is not None and str(map_location) != "cpu":
        raise ValueError(f"programs run on the CPU: map_location must be None or 'cpu', not {map_location!r}")
    module = _loaded.load(source, **options)
    for name in _extra_files or ():
        assert _extra_files is not None
        if name in module.extra_files:
            _extra_files[name] = module.extra_files[name]
    return module


def save(
    module: Any, target: str | os.PathLike[str] | IO[bytes], _extra_files: Mapping[str, Any] | None = None
) -> None:
    """`tsm.save` with torch.jit's parameters: `_extra_files` maps names to bytes or text."""
    _save(getattr(module, "scripted", module), target, _extra_files=_extra_files)


def _unwrap_optional(value: Any) -> Any:
    """A value that is not None, which compiled code knows after it. AssertionError."""
    assert value is not None, "Unwrapping null optional"
    return value


def optimize_for_inference(module: Any, other_methods: Sequence[str] | None = None) -> FrozenModule:
    """What `freeze` gives; a frozen module is returned as it is."""
    if type(module) is FrozenModule:
        return module
    return freeze(module, other_methods)


def export_opnames(module: Any) -> list[str]:
    """Names of the operators that a scripted module uses, sorted."""
    from .ir.graph import walk
    from .ir.operators import OPERATORS

    program = getattr(module, "scripted", module).inlined_graph.program
    found = {node.op for function in program.functions for node in walk(function.body)}
    return sorted(found.intersection(OPERATORS))


def __getattr__(name: str) -> Any:
    if name in _INSTEAD:
        raise AttributeError(f"tsm.jit has no {name!r}: {_INSTEAD[name]}")
    return _absent(name, sys._getframe(1))
