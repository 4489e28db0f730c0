"""`tsm.freeze`: a program for inference only, whose weights and settings are constants.

In: a module in eval mode, scripted or not, or a loaded one. Out: a FrozenModule with the same results but for rounding.
Holds: the frozen program has one copy of the weights, and none keeps the module; what its code changes stays an
attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .binding import functions
from .binding.dtype import DType
from .ir import passes
from .ir.graph import Program
from .loaded import LoadedModule
from .program_modules import RootModule
from .scripting import Scripted, ScriptFunction, is_module, script


class FrozenModule(RootModule, Scripted):
    """A frozen program. Attributes that became constants are gone."""

    @property
    def code(self) -> str:
        """The Python source that was compiled."""
        return "\n".join(self._optimised.sources.values())

    def __init__(self, source: Any, make: Callable[[], Program]) -> None:
        Scripted.__init__(self, source, make)


def freeze(
    module: Any, preserved_attrs: Sequence[str] | None = None, optimize_numerics: bool = True
) -> FrozenModule:
    """A copy of a module's program with constants in the place of all that it never changes, as torch.jit.freeze.

    `module` is a module, its scripted form or a loaded file, in eval mode. `forward` is kept; other methods, and
    attributes that must stay readable and settable ("scale", "head.weight"), are kept if `preserved_attrs` names
    them. Branches on settings go away, batch norms go into the layers before them. Later changes of the module are
    not seen. `optimize_numerics` changes nothing.

    TypeError for what is not a module; RuntimeError for one in training mode; AttributeError for a name it lacks.
    """
    scripted = script(module) if is_module(module) else module
    if isinstance(scripted, ScriptFunction) or not isinstance(scripted, LoadedModule) or scripted._root() is None:
        raise TypeError(f"freeze() takes a module, not {_described(module)}")
    if "training" in dir(scripted._root()) and scripted.get("training"):
        raise RuntimeError("freeze() takes a module in eval mode: call .eval() on it (and script it) first")
    names = tuple(preserved_attrs or ())
    for name in names:
        path, _, method = name.rpartition(".")
        if path in scripted.program.module_names:
            getattr(scripted.get(path) if path else scripted, method, None)  # a method is compiled by this
    methods = [name for name in scripted.methods if name in ("forward", "__call__", *names)]
    if not methods:
        raise AttributeError("the module has no forward; name the methods to keep in preserved_attrs")
    paths = frozenset(name.rpartition(".")[0] if name in scripted.methods else name for name in names) - {""}
    data = _saved_for_kernels(scripted)
    hosts = scripted.program.hosts.functions
    _refuse_views(scripted)

    def make() -> Program:
        from . import serialize

        program = serialize.loads(data)
        program.hosts = dict(hosts)
        program.methods = {
            name: method for name, method in program.methods.items()
            if any(name == kept or name.startswith(f"{kept}.") for kept in methods)
        }
        return passes.freeze_program(program, paths)

    return FrozenModule(None, make)


def _saved_for_kernels(module: LoadedModule) -> memoryview:
    """The bytes of a file with the module's state, where the library keeps tensors. Kernels read the weights there, and
    would be slower in memory that is not aligned as the file is, or not in huge pages."""
    sizes: list[int] = []
    module.instance.save(lambda piece: sizes.append(len(piece)))
    held = memoryview(functions.namespace("tsm.")["empty"](sum(sizes), dtype=DType.uint8).numpy())
    place = 0

    def put(piece: bytes) -> None:
        nonlocal place
        held[place : place + len(piece)] = piece
        place += len(piece)

    module.instance.save(put)
    return held[:place].toreadonly()


def _refuse_views(scripted: LoadedModule) -> None:
    """A method marked `ignore` may read and set any attribute of its module, so none is known to stay as it is."""
    from . import serialize
    from .ir.graph import walk
    from .ir.types import ClassType

    for function in serialize.loads(scripted.to_bytes()).functions if len(scripted.program.hosts) else ():
        for node in walk(function.body):
            if node.op != "host.call.any":
                continue
            items = node.operands[1].node.operands if node.operands[1].node is not None else []
            kinds = [item.node.operands[0].type for item in items if item.node is not None and item.node.operands]
            if any(isinstance(kind, ClassType) and kind.is_module for kind in kinds):
                raise RuntimeError("freeze() cannot take a module whose ignored methods see it: "
                                   "make them functions of what they need")


def _described(value: Any) -> str:
    if isinstance(value, (ScriptFunction, LoadedModule)):
        return "a program of functions"
    return f"a value of type {type(value).__name__}"
