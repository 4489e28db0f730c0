"""`tsm.script`: Python functions and modules compiled from their source.

In: a function, a module, a bound method, or source text. Out: ScriptFunction, ScriptModule: callables run by libtsm.
Holds: the program enters the runtime as the bytes a file would hold, the module's tensors bound instead of copied, so
what works here works from C.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from typing import IO, Any, TypeVar, overload

from .binding.program import MethodInfo
from .binding.program import Program as LoadedProgram
from .ir import passes
from .ir.graph import Function, Program
from .ir.printer import print_functions
from .loaded import LoadedModule

F = TypeVar("F", bound=Callable[..., Any])


class Graph:
    """A program to look at: str() is the text of its functions (`python -m tsm dump` prints all that a file holds)."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def function(self, name: str) -> Function:
        """A function of the program by name. KeyError."""
        return self.program.function(name)

    def __str__(self) -> str:
        return print_functions(self.program)

    def __repr__(self) -> str:
        return f"<graph of {len(self.program.functions)} functions; print it to read it>"


class Scripted(LoadedModule):
    """A program made in this process: what ScriptFunction and ScriptModule share."""

    _source: Any
    _make: Callable[[], Program]

    def __init__(self, source: Any, make: Callable[[], Program]) -> None:
        """`make` compiles anew: passes change a program in place, and `graph` shows it as it was before them."""
        from . import serialize

        optimised = passes.optimize(make())
        bound: list[Any] = []
        image = serialize.dumps(optimised, bound=bound)
        for name, value in {"_source": source, "_make": make, "_optimised": optimised, "_bound": bound}.items():
            object.__setattr__(self, name, value)
        loaded = LoadedProgram.from_bytes(image, bound)
        loaded.exceptions = optimised.exceptions
        super().__init__(loaded)
        self._classes.update(optimised.classes)

    def record_call(self, recorder: Any, info: MethodInfo, args: Sequence[Any], result: Any) -> Any:
        """A call while a trace records: it stays a call there."""
        return recorder.call(self._optimised, self._optimised.methods[info.name], self, args, result)

    @property
    def graph(self) -> Graph:
        """The program as the front end made it."""
        return Graph(self._make())

    @property
    def inlined_graph(self) -> Graph:
        """The program after all passes: what runs, and what a file holds."""
        return Graph(self._optimised)

    @property
    def code(self) -> str:
        """The Python source that was compiled."""
        return "\n".join(self._optimised.sources.values()) if isinstance(self._source, str) else source_of(self._source)

    def save(
        self,
        target: str | os.PathLike[str] | IO[bytes],
        *,
        extra_files: dict[str, bytes] | None = None,
        metadata: dict[str, str] | None = None,
    ) -> None:
        """Writes a .tsm file with the present state. A failed write leaves an older file as it was. OSError."""
        from . import serialize
        from .serialize.storage import write_file

        data = self.to_bytes()
        if extra_files or metadata:
            program = serialize.loads(data)
            program.extra_files.update(extra_files or {})
            program.metadata.update(metadata or {})
            data = serialize.dumps(program)
        write_file(target, data)


class ScriptFunction(Scripted):
    """A compiled function. Calls take and give what the Python function would."""

    def __init__(self, source: Any, make: Callable[[], Program]) -> None:
        super().__init__(source, make)
        object.__setattr__(self, "_run", self.method(next(iter(self.methods))))
        if callable(source):
            object.__setattr__(self, "__wrapped__", source)
            object.__setattr__(self, "__doc__", source.__doc__)
        object.__setattr__(self, "__name__", next(iter(self.methods)))

    _run: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._run(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<tsm.ScriptFunction {self.__name__}{inspect.signature(self._run)}>"


class ScriptModule(Scripted):
    """A compiled module. Its parameters and buffers are the Python module's own tensors; other attributes are copies
    that the calls may change, read and set by name (D11)."""

    @property
    def original(self) -> Any:
        """The Python module it was made from."""
        return self._source

    def __repr__(self) -> str:
        return f"<tsm.ScriptModule {type(self._source).__name__}: {', '.join(self.methods)}>"


class CompiledSource(Scripted):
    """Functions compiled from text; each is an attribute."""


def to_ir(target: Any, example_inputs: Sequence[Any] | None = None) -> Program:
    """The typed SSA program of a function, module, bound method or source text, before any pass. CompileError."""
    from .frontend import program

    if isinstance(target, str):
        return program.compile_source(target)
    if is_module(target):
        return program.compile_module(target, exported_methods(target))
    if inspect.ismethod(target) and is_module(target.__self__):
        return program.compile_module(target.__self__, (target.__name__,))
    if isinstance(target, Scripted):
        return target._make()
    if not callable(target):
        raise TypeError(f"script() takes a function, a module or source text, not {type(target).__name__}")
    return program.compile_function(target, example_inputs)


@overload
def script(target: F) -> F: ...
@overload
def script(target: Any, example_inputs: Sequence[Any] | None = None) -> Any: ...
def script(target: Any, example_inputs: Sequence[Any] | None = None) -> Any:
    """Compiles Python to a program that runs without Python.

    `target` is a function (also as a decorator), a module (its forward and what `@tsm.export` marks), a bound method of
    a module, or source text. Parameters without annotation take the types of `example_inputs`, else Tensor.
    Raises CompileError, which lists every problem with its file, line and column.
    """
    if isinstance(target, Scripted):
        return target

    def make() -> Program:
        return to_ir(target, example_inputs)

    if isinstance(target, str):
        return CompiledSource(target, make)
    if is_module(target) or (inspect.ismethod(target) and is_module(target.__self__)):
        return ScriptModule(target if is_module(target) else target.__self__, make)
    return ScriptFunction(target, make)


def export(function: F) -> F:
    """Marks a method of a module as an entry point beside forward."""
    function.__tsm_export__ = True  # type: ignore[attr-defined]
    return function


def is_module(value: Any) -> bool:
    from .frontend.modules import is_module as looks_like_module

    return looks_like_module(value)


def exported_methods(module: Any) -> tuple[str, ...]:
    """forward, and methods marked by `export`, by name. TypeError if there is none."""
    names = [name for name in dir(type(module)) if getattr(getattr(type(module), name), "__tsm_export__", False)]
    has_forward = not getattr(getattr(type(module), "forward", None), "__tsm_abstract__", False)
    found = (["forward"] if has_forward and hasattr(module, "forward") else []) + names
    if not found:
        raise TypeError(f"{type(module).__name__} has no forward and no method marked @tsm.export")
    return tuple(dict.fromkeys(found))


def source_of(target: Any) -> str:
    """Source text of a function or of a module's class."""
    return inspect.cleandoc("\n" + inspect.getsource(target if inspect.isroutine(target) else type(target)))
