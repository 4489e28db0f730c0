"""`tsm.script`: Python functions and modules compiled from their source.

In: a function, a module, a bound method, or source text. Out: ScriptFunction, ScriptModule: callables run by libtsm.
Holds: the program enters the runtime as the bytes a file would hold, the module's tensors bound instead of copied, so
what works here works from C.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, Any, TypeVar, overload

from .binding.call_forms import MethodInfo
from .binding.program import Program as LoadedProgram
from .ir import passes
from .ir.graph import Function, Program
from .ir.knobs import read_knobs
from .ir.printer import print_functions
from .ir.state import StorageState
from .loaded import LoadedModule, LoadedObject
from .module_tree import is_module_object
from .signatures import Schema

if TYPE_CHECKING:
    from .frontend.listing.explanation import Explanation
    from .frontend.program import Compilation

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
    _compilation: Callable[[], Compilation] | None = None  # of what was made from source

    def __init__(self, source: Any, make: Callable[[], Program]) -> None:
        """`make` compiles anew: passes change a program in place, and `graph` shows it as it was before them."""
        loaded, optimised, bound = compiled(make)
        for name, value in {"_source": source, "_make": make, "_optimised": optimised, "_bound": bound}.items():
            object.__setattr__(self, name, value)
        loaded.exceptions = loaded.hosts.classes = optimised.exceptions
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
        """What was compiled, as one Python text that runs by itself: constants, classes and functions, with branches
        that nothing reaches left out. Of a trace, whose Python was run and not compiled, the text of its graph."""
        if self._compilation is None:
            return str(self.graph)
        from .frontend.listing.code import code_of

        return code_of(self._compilation())

    @property
    def code_with_constants(self) -> tuple[str, dict[str, Any]]:
        """The text, and what it takes from elsewhere: nothing, constants are in it."""
        return self.code, {}

    @property
    def schema(self) -> Schema:
        """The signature of the first method: "f(x: Tensor, n: int = 1) -> Tensor"."""
        return next(iter(self.schemas.values()))

    @property
    def schemas(self) -> dict[str, Schema]:
        """Signatures by method."""
        return {name: Schema.of(info) for name, info in self.methods.items()}

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

        if not extra_files and not metadata:
            return super().save(target)
        program = serialize.loads(self.to_bytes())
        program.extra_files.update(extra_files or {})
        program.metadata.update(metadata or {})
        write_file(target, serialize.dumps(program))


def compiled(make: Callable[[], Program]) -> tuple[LoadedProgram, Program, list[Any]]:
    """The program as the runtime has it, as the passes left it, and the tensors bound to it. CompileError, also for a
    failure of ours."""
    from . import serialize
    from .frontend.depth import deep_recursion
    from .frontend.diagnostics import CompileError
    from .frontend.failures import NOWHERE, bug, too_deep

    with deep_recursion():
        program = make()
        texts, graph = program.sources, print_functions(program) if read_knobs().repro else ""
        try:
            optimised = passes.optimize(program)
            storages: list[StorageState] = []
            image = serialize.dumps(optimised, bound=storages)
            bound = [storage.tensor() for storage in storages]
            is_constant = any(storage.is_window for storage in storages)
            made = LoadedProgram.from_bytes(image, bound, bound_is_constant=is_constant, functions=optimised.hosts)
            return made, optimised, bound
        except RecursionError:
            raise too_deep(NOWHERE) from None
        except (CompileError, MemoryError):
            raise
        except Exception as error:
            raise bug(error, NOWHERE, texts, list(program.methods), graph) from error


class ScriptFunction(Scripted):
    """A compiled function. Calls take and give what the Python function would."""

    def __init__(self, source: Any, make: Callable[[], Program]) -> None:
        super().__init__(source, make)
        name = next(iter(self.methods))
        if callable(getattr(type(self), name, None)):  # `f.save` is ours, also of a function of that name
            self.__dict__.pop(name, None)
        object.__setattr__(self, "_run", LoadedModule.method(self, name))
        if callable(source):
            object.__setattr__(self, "__wrapped__", source)
            object.__setattr__(self, "__doc__", source.__doc__)
        object.__setattr__(self, "__name__", next(iter(self.methods)))

    _run: Callable[..., Any]

    @property
    def name(self) -> str:
        """The function's name."""
        return str(self.__name__)

    @property
    def qualified_name(self) -> str:
        """The name with those of the functions and classes around it."""
        return str(getattr(self._source, "__qualname__", self.__name__))

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

    @property
    def original_name(self) -> str:
        """The name of its class."""
        return type(self._source).__name__

    def define(self, text: str) -> None:
        """Adds methods written as text: `scripted.define("def twice(self, x): return self.forward(x) * 2")`. What the
        attributes hold now stays. CompileError, after which nothing is added."""
        from .script_classes import methods_of

        frame = inspect.currentframe()
        around = frame.f_back.f_globals if frame is not None and frame.f_back is not None else {}
        python = type(self._source)
        extended = type(python.__name__, (python,), {"__module__": python.__module__, **methods_of(text, around)})
        source: Any = object.__new__(extended)
        object.__setattr__(source, "__dict__", vars(self._source))
        made = script(source)
        if (root := self._root()) is not None:
            _carry_over(root, "", made)
        vars(self).clear()
        vars(self).update(vars(made))
        self.program.hosts.register(self.instance.handle, self)

    def __repr__(self) -> str:
        return f"<tsm.ScriptModule {type(self._source).__name__}: {', '.join(self.methods)}>"


def _carry_over(item: LoadedObject, path: str, made: Scripted) -> None:
    """Gives another program of the same module what the attributes of this one hold."""
    for name in dir(item):
        try:
            value = getattr(item, name)
        except AttributeError:
            continue  # it is not set
        full = f"{path}.{name}" if path else name
        if is_module_object(value):
            _carry_over(value, full, made)
        else:
            made.set(full, value)


class CompiledSource(Scripted):
    """Functions compiled from text; each is an attribute."""


def to_ir(target: Any, example_inputs: Any = None) -> Program:
    """The typed SSA program of a function, module, bound method or source text, before any pass. CompileError."""
    if isinstance(target, Scripted):
        return target._make()
    return compilation_of(target, example_inputs).program


def compilation_of(target: Any, example_inputs: Any = None) -> Compilation:
    """The program of a function, module, bound method or source text, and how it was made. CompileError."""
    from .frontend import program

    if isinstance(target, str):
        return program.compilation_of_source(target)
    is_bound = inspect.ismethod(target) and is_module(target.__self__)
    if is_module(target) or is_bound:
        names = (target.__name__,) if is_bound else exported_methods(target)
        module = target.__self__ if is_bound else target
        if not isinstance(example_inputs, dict):
            example_inputs = {names[0]: example_inputs}
        calls = {getattr(name, "__name__", name): program.as_calls(each) for name, each in example_inputs.items()}
        unknown = sorted(set(calls) - set(names))
        if unknown:
            raise AttributeError(f"example_inputs are given for {unknown[0]!r}, which is none of {', '.join(names)}")
        return program.compilation_of_module(module, names, calls)
    if not callable(target):
        raise TypeError(f"script() takes a function, a module or source text, not {type(target).__name__}")
    return program.compilation_of_function(target, program.as_calls(example_inputs))


@overload
def script(target: F) -> F: ...
@overload
def script(target: Any, example_inputs: Any = None) -> Any: ...
def script(target: Any, example_inputs: Any = None) -> Any:
    """Compiles Python to a program that runs without Python.

    `target` is a function (also as a decorator), a module (its forward and what `@tsm.export` marks), a bound method of
    a module, or source text. A class is checked and returned as it is.

    Parameters without annotation take the type of their default, else of `example_inputs`, else Tensor. Examples are a
    tuple of arguments, or a list of such tuples, whose types are joined; for a module also a dict of those by method.

    Raises CompileError, which lists every problem with its file, line and column.
    """
    if isinstance(target, Scripted):
        return target

    def make() -> Program:
        return to_ir(target, example_inputs)

    try:
        if isinstance(target, type):
            return checked_class(target)
        if isinstance(target, str):
            made: Scripted = CompiledSource(target, make)
        elif is_module(target) or (inspect.ismethod(target) and is_module(target.__self__)):
            made = ScriptModule(target if is_module(target) else target.__self__, make)
        else:
            made = ScriptFunction(target, make)
    except Exception as error:
        if is_report(error):
            raise error.with_traceback(None) from None
        raise
    object.__setattr__(made, "_compilation", lambda: compilation_of(target, example_inputs))
    return made


def is_report(error: Exception) -> bool:
    """Whether it says all there is to know about a program, so that the compiler's own frames would only hide it."""
    from .frontend.diagnostics import CompileError

    return isinstance(error, CompileError) and error.__cause__ is None


def explain(target: Any, example_inputs: Any = None) -> Explanation:
    """What compiling a function, module, bound method or source text does: print it to read which types were found and
    why, which branches were left out, and what is compiled with it. CompileError."""
    from .frontend.listing import explanation

    made = target._compilation() if isinstance(target, Scripted) and target._compilation is not None else None
    if made is None and isinstance(target, Scripted):
        raise TypeError("explain() takes what is compiled from source; print(traced.graph) shows a trace")
    return explanation.explain(made if made is not None else compilation_of(target, example_inputs))


def compile_text(text: str) -> CompiledSource:
    """Functions of a source text. CompileError."""
    made: CompiledSource = script(text)
    return made


def checked_class(python: type) -> type:
    """A class that scripts may use, as it is: its methods are compiled where they are used. CompileError."""
    from .frontend.program import check_class

    if is_module_class(python):
        raise TypeError(f"script() takes a module, not its class: write script({python.__name__}(...))")
    check_class(python)
    return python


def export(function: F) -> F:
    """Marks a method of a module as an entry point beside forward."""
    function.__tsm_export__ = True  # type: ignore[attr-defined]
    return function


def is_module_class(value: type) -> bool:
    from .frontend.objects.class_facts import is_module_class as looks_like_module_class

    return looks_like_module_class(value)


def is_module(value: Any) -> bool:
    from .frontend.objects.modules import is_module as looks_like_module

    return looks_like_module(value)


def exported_methods(module: Any) -> tuple[str, ...]:
    """forward, and methods marked by `export`, by name. TypeError if there is none."""
    names = [name for name in dir(type(module)) if getattr(getattr(type(module), name), "__tsm_export__", False)]
    has_forward = not getattr(getattr(type(module), "forward", None), "__tsm_abstract__", False)
    found = (["forward"] if has_forward and hasattr(module, "forward") else []) + names
    if not found:
        raise TypeError(f"{type(module).__name__} has no forward and no method marked @tsm.export")
    return tuple(dict.fromkeys(found))
