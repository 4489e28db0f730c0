"""`tsm.script`: Python functions and modules compiled from their source.

In: a function, a module, a bound method, or source text. Out: ScriptFunction, ScriptModule: callables run by libtsm.
Holds: the program enters the runtime as the bytes a file would hold, the module's tensors bound instead of copied, so
what works here works from C.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from .binding.program import Program as LoadedProgram
from .binding.resident import Dict, List, Resident
from .frontend.objects.program_members import is_program_module, source_of
from .ir import passes
from .ir.graph import Function, Program
from .ir.knobs import read_knobs
from .ir.printer import print_functions
from .ir.state import StorageState
from .loaded import LoadedModule
from .nn.module import Module
from .program_modules import RootModule
from .recompiling import add_method, add_text, replace_submodule, with_submodule
from .script_objects import is_plain_instance, script_object
from .signatures import Schema

if TYPE_CHECKING:
    from .frontend.listing.explanation import Explanation
    from .frontend.program import Compilation

F = TypeVar("F", bound=Callable[..., Any])
S = TypeVar("S", bound="Scripted")


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

    _optimised: Program
    _source: Any
    _make: Callable[[], Program]
    _compilation: Callable[[], Compilation] | None = None  # of what was made from source

    def __init__(self, source: Any, make: Callable[[], Program]) -> None:
        """`make` compiles anew: passes change a program in place, and `graph` shows it as it was before them."""
        loaded, optimised, bound = compiled(make)
        for name, value in {"_source": source, "_make": make, "_optimised": optimised, "_bound": bound}.items():
            object.__setattr__(self, name, value)
        loaded.exceptions = loaded.hosts.classes = optimised.exceptions
        LoadedModule.__init__(self, loaded)
        self._classes.update(optimised.classes)

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


def compiled(make: Callable[[], Program]) -> tuple[LoadedProgram, Program, list[Any]]:
    """The program as the runtime has it, as the passes left it, and the tensors bound to it. CompileError, also for a
    failure of ours."""
    from . import serialize
    from .frontend.collection import paused_collection
    from .frontend.depth import deep_recursion
    from .frontend.diagnostics import CompileError
    from .frontend.failures import NOWHERE, bug, too_deep

    with deep_recursion():
        program = make()
        texts, graph = program.sources, print_functions(program) if read_knobs().repro else ""
        try:
            storages: list[StorageState] = []
            with paused_collection():
                optimised = passes.optimize(program)
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


class ScriptModule(RootModule, Scripted):
    """A compiled module. Its parameters and buffers are the Python module's own tensors; other attributes are copies
    that the calls may change, read and set by name (D11)."""

    _examples: Any  # example inputs it was made with
    _more: tuple[str, ...]  # methods it was not made with at first

    def __init__(self, source: Any, make: Callable[[], Program], examples: Any = None) -> None:
        Scripted.__init__(self, source, make)
        vars(self).update(_examples=examples, _more=())

    @property
    def original(self) -> Any:
        """The Python module it was made from."""
        return self._source

    def set(self, path: str, value: Any) -> None:
        """Sets an attribute by dotted path; a module in the place of a submodule is compiled. AttributeError,
        TypeError, CompileError."""
        if self._is_remade and path in self.program.module_names and isinstance(value, Module):
            replace_submodule(self, path, value)
        else:
            super().set(path, value)

    def has_hooks(self, path: str) -> bool:
        from .frontend.objects.hooks import hooks_of

        return super().has_hooks(path) or (self._is_remade and bool(hooks_of(self.original.get_submodule(path))))

    def want_method(self, name: str) -> None:
        if self._owner_of(name) is None:
            super().want_method(name)
        add_method(self, name)

    def uncompiled(self, name: str) -> Any:
        """A method that nothing marked `export`, compiled now; one marked `ignore` or `unused` runs in Python."""
        path, _, method = name.rpartition(".")
        owner = self._owner_of(name)
        if owner is None:
            return self._of_original(name)
        if not is_program_module(owner):
            function = vars(owner).get(method, getattr(type(owner), method))
            if getattr(function, "__tsm_mark__", None) is not None:
                is_bound = inspect.ismethod(function)
                return function if is_bound else MethodType(function, LoadedModule.get(self, path) if path else self)
        try:
            add_method(self, name)
        except Exception as error:
            if is_report(error):
                raise AttributeError(f"{name!r} is no attribute, and no method that can be compiled: {error}") from None
            raise
        return LoadedModule.method(self, name)

    def _of_original(self, name: str) -> Any:
        """What the program does not have as an attribute: constants, and properties, which Python computes."""
        path, _, short = name.rpartition(".")
        owner = self.original.get_submodule(path) if self._is_remade else None
        owner = source_of(owner)
        found = inspect.getattr_static(type(owner), short, None)
        if isinstance(found, property) and found.fget is not None and not is_program_module(owner):
            return found.fget(LoadedModule.get(self, path) if path else self)
        constants = {} if owner is None or is_program_module(owner) else vars(owner)
        if short in constants and not short.startswith("_"):
            return constants[short]
        return super().uncompiled(name)

    def _owner_of(self, name: str) -> Any:
        """The module that a method, "path.name", would be compiled from; None if there is no such method or source."""
        path, _, method = name.rpartition(".")
        if not self._is_remade:
            return None
        original = source_of(self.original.get_submodule(path))
        if is_program_module(original):
            methods = original.methods if isinstance(original, RootModule) else ()
            return original if method in methods or (method == "__call__" and "forward" in methods) else None
        return original if is_users_method(original, method) else None

    def define(self, text: str) -> None:
        """Adds methods written as text: `scripted.define("def twice(self, x): return self.forward(x) * 2")`. What the
        attributes hold now stays. CompileError, after which nothing is added."""
        frame = inspect.currentframe()
        add_text(self, text, frame.f_back.f_globals if frame is not None and frame.f_back is not None else {})

    @property
    def _is_remade(self) -> bool:
        """Whether it can become another program: it is no trace, and more than one bound method."""
        return "_tsm_trace" not in vars(self) and vars(self).get("_examples") is not NEVER

    def _remade(self, source: Any, more: tuple[str, ...]) -> ScriptModule:
        """What is compiled from a source like this one's with more methods."""
        examples = self._examples
        made = ScriptModule(source, lambda: compilation_of(source, examples, more).program, examples)
        vars(made).update(_compilation=lambda: compilation_of(source, examples, more), _more=more)
        return made


NEVER = object()  # in the place of example inputs: the module is only the owner of the method that was scripted


def is_users_method(module: Any, name: str) -> bool:
    """Whether a module's class has a method of its user's; `forward` may be ours."""
    found = inspect.getattr_static(type(module), name, None)
    is_own = getattr(found, "__module__", "").partition(".")[0] == __package__
    is_abstract = getattr(found, "__tsm_abstract__", False)
    return inspect.isfunction(found) and not is_abstract and (not is_own or name in ("forward", "__call__"))


class CompiledSource(Scripted):
    """Functions compiled from text; each is an attribute."""


def to_ir(target: Any, example_inputs: Any = None) -> Program:
    """The typed SSA program of a function, module, bound method or source text, before any pass. CompileError."""
    if isinstance(target, Scripted):
        return target._make()
    return compilation_of(target, example_inputs).program


def compilation_of(target: Any, example_inputs: Any = None, more: tuple[str, ...] = ()) -> Compilation:
    """The program of a function, module, bound method or source text, and how it was made; `more` are methods of a
    module beside those that it exports. CompileError."""
    from .frontend import program

    if isinstance(target, str):
        return program.compilation_of_source(target)
    is_bound = inspect.ismethod(target) and is_module(target.__self__)
    if is_module(target) or is_bound:
        names = (target.__name__,) if is_bound else (*exported_methods(target), *more)
        module = target.__self__ if is_bound else target
        if not isinstance(example_inputs, dict):
            example_inputs = {names[0]: example_inputs} if names else {}
        calls = {each: program.as_calls(given) for key, given in example_inputs.items()
                 for each in example_names(module, key)}
        unknown = sorted(name for name in calls if name not in names and "." not in name)
        if unknown:
            raise AttributeError(f"example_inputs are given for {unknown[0]!r}, which is none of {', '.join(names)}")
        return program.compilation_of_module(module, names, calls)
    if not callable(target):
        raise TypeError(f"script() takes a function, a module or source text, not {type(target).__name__}")
    return program.compilation_of_function(target, program.as_calls(example_inputs))


def example_names(module: Any, key: Any) -> list[str]:
    """The methods that a key of `example_inputs` means: a name, a method, or a module, whose `forward` it is."""
    if isinstance(key, str):
        return [key]
    if is_module(key):
        found = [path for path, inner in module.named_modules() if inner is key]
        return [f"{path}.forward" if path else "forward" for path in found] or [type(key).__name__]
    owner = getattr(key, "__self__", module)
    found = [path for path, inner in module.named_modules() if inner is owner]
    return [f"{path}.{key.__name__}" if path else key.__name__ for path in found or [""]]


@overload
def script(target: F) -> F: ...
@overload
def script(target: Any, example_inputs: Any = None) -> Any: ...
def script(target: Any, example_inputs: Any = None) -> Any:
    """Compiles Python to a program that runs without Python.

    `target` is a function (also as a decorator), a module (its forward and what `@tsm.export` marks), a bound method of
    a module, or source text. A class is checked and returned as it is. A list or dict gives a `tsm.List` or `tsm.Dict`
    of the same elements, whose types are those of what is in it. An instance of a class of one's own gives a copy whose
    methods run compiled.

    Parameters without annotation take the type of their default, else of `example_inputs`, else Tensor. Examples are a
    tuple of arguments, or a list of such tuples, whose types are joined; for a module also a dict of those by method.

    Raises CompileError, which lists every problem with its file, line and column.
    """
    if isinstance(target, (LoadedModule, Resident)):
        return target
    if isinstance(target, (list, dict)):
        return List(target) if isinstance(target, list) else Dict(target)
    if is_module(target):
        target = prepared(target)
    elif is_plain_instance(target):
        return script_object(target)

    def make() -> Program:
        return to_ir(target, example_inputs)

    try:
        if isinstance(target, type):
            return checked_class(target)
        if isinstance(target, str):
            made: Scripted = CompiledSource(target, make)
        elif is_module(target) or (inspect.ismethod(target) and is_module(target.__self__)):
            is_whole = is_module(target)
            source, examples = (target, example_inputs) if is_whole else (target.__self__, NEVER)
            made = ScriptModule(source, make, examples)
        else:
            made = ScriptFunction(target, make)
    except Exception as error:
        if is_report(error):
            raise error.with_traceback(None) from None
        raise
    object.__setattr__(made, "_compilation", lambda: compilation_of(target, example_inputs))
    return made


def prepared(module: Any) -> Any:
    """The module with those in its place that `__prepare_scriptable__` of it, or of one below it, gives."""
    pending, seen = [("", module)], set()
    while pending:
        path, inner = pending.pop()
        if id(inner) in seen or is_program_module(inner):
            continue
        seen.add(id(inner))
        prepare = getattr(type(inner), "__prepare_scriptable__", None)
        if prepare is not None:
            inner = prepare(inner)
            module = with_submodule(module, path.split("."), inner) if path else inner
        pending += [(f"{path}.{name}" if path else name, each) for name, each in inner._modules.items()
                    if each is not None]
    return module


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


def compile_text(text: str, names: Mapping[str, Any]) -> CompiledSource:
    """Functions of a source text, which may name what is around it. CompileError."""
    return _of_text(CompiledSource, text, names, None)


def function_of_text(text: str, names: Mapping[str, Any], name: str) -> ScriptFunction:
    """One function of such a text. CompileError."""
    made = _of_text(ScriptFunction, text, names, name)
    object.__setattr__(made, "__tsm_text__", (text, names, name))
    return made


def _of_text(kind: type[S], text: str, names: Mapping[str, Any], only: str | None) -> S:
    from .frontend.program import compilation_of_source

    def compilation() -> Compilation:
        return compilation_of_source(text, names=names, only=only)

    try:
        made = kind(text, lambda: compilation().program)
    except Exception as error:
        if is_report(error):
            raise error.with_traceback(None) from None
        raise
    object.__setattr__(made, "_compilation", compilation)
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
    """forward, and methods marked by `export`, by name; of submodules the latter too, by path."""
    forward = getattr(module, "forward", None)  # which a module may also keep as an attribute
    found = ["forward"] if forward is not None and not getattr(forward, "__tsm_abstract__", False) else []
    for path, inner in module.named_modules():
        if not is_program_module(inner) and not (path and "_tsm_program" in vars(inner)):
            found += [f"{path}.{name}" if path else name for name in marked_methods(type(inner))]
    return tuple(dict.fromkeys(found))


def marked_methods(python: type) -> list[str]:
    """The methods of a class that `export` marks."""
    return [name for name in dir(python) if getattr(getattr(python, name), "__tsm_export__", False)]
