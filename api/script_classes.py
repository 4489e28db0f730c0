"""The classes of `tsm.jit` that programs written for TorchScript derive from or make: ScriptModule, CompilationUnit.

In: subclasses with `@script_method`s, source text. Out: modules and collections of functions that run compiled.
Holds: a ScriptModule is compiled when it is first called; from then on its plain attributes are the program's.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import os
import sys
import textwrap
from collections.abc import Callable, Iterator
from itertools import count
from types import FrameType
from typing import IO, Any, TypeVar

from .binding.tensor import Tensor
from .nn.module import Module
from .program_modules import ProgramModule
from .scripting import Scripted, ScriptFunction, compile_text, function_of_text, script

F = TypeVar("F", bound=Callable[..., Any])
_texts = count(1)


def script_method(function: F) -> F:
    """Marks a method of a ScriptModule: calls of it run compiled."""

    @functools.wraps(function)
    def compiled(self: Any, *args: Any, **kwargs: Any) -> Any:
        return self.scripted.method(function.__name__)(*args, **kwargs)

    compiled.__tsm_export__ = True  # type: ignore[attr-defined]
    return compiled  # type: ignore[return-value]


class _IsScriptModule(type):
    """isinstance(x, ScriptModule) is also true of what script(), trace() and load() give for a module."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if super().__instancecheck__(instance):
            return True
        return cls.__dict__.get("__tsm_is_base__", False) and isinstance(instance, ProgramModule)


class ScriptModule(Module, metaclass=_IsScriptModule):
    """Base of modules whose methods are marked `@script_method`, or written as text for `define`."""

    __tsm_is_base__ = True

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "_tsm_program", None)

    @property
    def scripted(self) -> Any:
        """The compiled program, made when it is first asked for. CompileError."""
        program = self.__dict__["_tsm_program"]
        if program is None:
            program = script(self)
            object.__setattr__(self, "_tsm_program", program)
            object.__setattr__(self, "_tsm_state", frozenset(dir(program._root())))
            object.__setattr__(self, "_tsm_tensors", dict(self._tensors()))
            return program
        known = self.__dict__["_tsm_tensors"]
        for path, tensor in self._tensors():
            if known.get(path) is not tensor:  # assigned since then
                program.set(path, tensor)
                known[path] = tensor
        return program

    def _tensors(self) -> Iterator[tuple[str, Any]]:
        """Parameters and buffers of this module and of those below it that are no programs of their own."""
        for path, module in self.named_modules(remove_duplicate=False):
            if not isinstance(module, ProgramModule):
                for name, tensor in (*module._parameters.items(), *module._buffers.items()):
                    if tensor is not None:
                        yield f"{path}.{name}" if path else name, tensor

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        program = self.__dict__.get("_tsm_program")
        if program is None or not isinstance(found, Tensor) or self.__dict__["_tsm_tensors"].get(name) is not found:
            return found
        now = program.get(name)  # which a script may have assigned
        is_same = isinstance(now, Tensor) and now.data_ptr() == found.data_ptr() and now.shape == found.shape
        return found if is_same else now

    def __getattribute__(self, name: str) -> Any:
        fields = object.__getattribute__(self, "__dict__")
        if name in fields.get("_tsm_state", ()) and name in fields and fields["_tsm_program"] is not None:
            return fields["_tsm_program"].get(name)
        return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        program = self.__dict__.get("_tsm_program")
        if program is not None and name in self.__dict__.get("_tsm_state", ()) and name in self.__dict__:
            program.set(name, value)
        super().__setattr__(name, value)

    def train(self, mode: bool = True) -> Any:
        """Sets `training` of this module and all below it; they are compiled anew if they were before."""
        object.__setattr__(self, "_tsm_program", None)
        return super().train(mode)

    def define(self, text: str) -> None:
        """Adds methods written as text: `self.define("def forward(self, x): return self.weight * x")`."""
        frame = inspect.currentframe()
        around = frame.f_back if frame is not None else None
        names = dict(around.f_globals) if around is not None else {}
        methods = methods_of(text, names)
        python = type(self)
        made = type(python.__name__, (python,), {"__module__": python.__module__, **methods})
        object.__setattr__(self, "__class__", made)
        object.__setattr__(self, "_tsm_program", None)

    @property
    def graph(self) -> Any:
        """The program as the front end made it."""
        return self.scripted.graph

    @property
    def code(self) -> str:
        """The Python source of what was compiled."""
        text: str = self.scripted.code
        return text

    def save(self, target: str | os.PathLike[str] | IO[bytes], **options: Any) -> None:
        """Writes a .tsm file with the present state."""
        self.scripted.save(target, **options)


ScriptModule.__init__.__tsm_export__ = False  # type: ignore[attr-defined]


def methods_of(text: str, names: dict[str, Any]) -> dict[str, Any]:
    """The functions that a text defines, as script methods whose source can be found."""
    from .frontend.compilation.text_namespace import text_names

    cleaned = textwrap.dedent(text) + "\n"
    name = f"<define {next(_texts)}>"
    linecache.cache[name] = (len(cleaned), None, cleaned.splitlines(True), name)
    found: dict[str, Any] = {}
    exec(compile(cleaned, name, "exec"), {**text_names(), **names}, found)
    return {key: script_method(value) for key, value in found.items() if inspect.isfunction(value)}


class CompilationUnit:
    """Functions compiled from text, called by name: `CompilationUnit("def twice(x): return x * 2").twice(x)`.

    The text may name what the code that gives it can name. Each function is a ScriptFunction; scripts may call it."""

    __tsm_namespace__ = True

    def __init__(self, text: str | None = None, _frames_up: int = 0) -> None:
        self._text = ""
        self._names: dict[str, Any] = {}  # of the code around the text
        self._program: Scripted | None = None
        self._functions: dict[str, ScriptFunction] = {}
        if text:
            self._add(text, sys._getframe(_frames_up + 1))

    def define(self, text: str, rcb: Any = None, _frames_up: int = 0) -> None:
        """Adds functions; they may call those that are there. CompileError, after which nothing is added."""
        self._add(text, sys._getframe(_frames_up + 1))

    def _add(self, text: str, around: FrameType) -> None:
        whole = self._text + textwrap.dedent(text) + "\n\n"
        names = {**self._names, **around.f_globals, **around.f_locals}
        self._program = compile_text(whole, names)
        self._text, self._names, self._functions = whole, names, {}

    def find_function(self, name: str) -> Callable[..., Any]:
        """A function by name. AttributeError."""
        function: Callable[..., Any] = getattr(self, name)
        return function

    def get_functions(self) -> list[ScriptFunction]:
        """All functions."""
        return [getattr(self, name) for name in ({} if self._program is None else self._program.methods)]

    @property
    def code(self) -> str:
        """The Python source of the functions."""
        return "" if self._program is None else self._program.code

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        known = {} if self._program is None else self._program.methods
        if name not in known:
            raise AttributeError(f"the compilation unit defines no function {name!r}; it defines: "
                                 f"{', '.join(known) or 'nothing'}")
        if name not in self._functions:
            self._functions[name] = function_of_text(self._text, self._names, name)
        return self._functions[name]
