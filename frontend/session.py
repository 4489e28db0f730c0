"""One compilation: what all functions of one program share while they are inferred and lowered.

In: entry points. Out: specialisations, module structures, tensor constants, messages.
Holds: every Python object that a script mentions is turned into an expression here, once and the same way.
"""

from __future__ import annotations

import builtins
import inspect
from typing import Any as PyAny

from ..ir.types import TENSOR
from . import parse
from .attempts import AttemptReporter
from .constants import NotConstant, constant
from .denotations import (
    BuiltinDenotation,
    ClassDenotation,
    Denotation,
    FunctionDenotation,
    GraphDenotation,
    ModuleDenotation,
    ObjectDenotation,
    OperatorDenotation,
)
from .function_source import FunctionSource, python_defaults, python_lookup
from .modules import Modules, is_module
from .specialise import Specialiser
from .syntax import Span
from .tensors import TensorPool, is_tensor
from .typed import STATIC, Const, Expr, Static

BUILTINS = {id(value): name for name, value in vars(builtins).items() if callable(value)}


class Session:
    """State of one compilation."""

    def __init__(self, reporter: AttemptReporter) -> None:
        self.reporter = reporter
        self.tensors = TensorPool()
        self.modules = Modules(self.tensors, self.unique_name)
        self.specialiser = Specialiser(self)
        self.texts: dict[str, str] = {}  # file -> source
        self._names: dict[str, int] = {}
        self._sources: dict[int, FunctionSource] = {}
        self._kept: list[PyAny] = []

    def unique_name(self, name: str) -> str:
        """ "f", then "f.1", "f.2"."""
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        return f"{name}.{count}" if count else name

    def source(self, function: PyAny, owner: type | None = None) -> FunctionSource:
        """The source of a Python function. Raises CompileError when it has none, or does not parse."""
        function = unwrap(function)
        found = self._sources.get(id(function))
        if found is None:
            parsed = parse.parse_function(function, self.reporter)
            self.texts.setdefault(parsed.file, parsed.text)
            found = self._sources[id(function)] = FunctionSource(
                function.__name__, parsed.node, python_lookup(function), python_defaults(function), owner, function
            )
            self._kept.append(function)
        return found

    def denote(self, value: PyAny, span: Span) -> Expr:
        """A Python object that a script names, as an expression."""
        if isinstance(value, FunctionSource):
            return Static(STATIC, span, FunctionDenotation(value))
        if is_tensor(value):
            return Const(TENSOR, span, self.tensors.state(value))
        denotation = self._denotation(value)
        if denotation is not None:
            return Static(STATIC, span, denotation)
        try:
            if isinstance(value, (list, dict, set)):
                raise NotConstant(
                    f"a {type(value).__name__} outside the function cannot be used: it may change after compilation; "
                    "pass it as an argument" + (", or make it a tuple" if isinstance(value, list) else "")
                )
            return constant(value, span)
        except NotConstant as error:
            return Static(STATIC, span, ObjectDenotation(value, str(error)))

    def _denotation(self, value: PyAny) -> Denotation | None:
        spelling = getattr(value, "__tsm_spelling__", None)
        if isinstance(spelling, str):
            return OperatorDenotation(spelling)
        program = getattr(value, "__tsm_program__", None)
        if program is not None:
            return GraphDenotation(getattr(value, "__name__", "traced"), program)
        if inspect.isfunction(unwrap(value)):
            return FunctionDenotation(self.source(value))
        if inspect.ismodule(value):
            return ModuleDenotation(value)
        if id(value) in BUILTINS and not (isinstance(value, type) and issubclass(value, BaseException)):
            return BuiltinDenotation(BUILTINS[id(value)])
        if inspect.isbuiltin(value) and value.__module__ == "math":
            return OperatorDenotation(f"math.{value.__name__}")
        if isinstance(value, type) or getattr(value, "__module__", "") == "typing":
            return ClassDenotation(value)
        if is_module(value):
            return ObjectDenotation(
                value, "a module outside the function cannot be used; make it a submodule: self.x = module"
            )
        return None


def unwrap(value: PyAny) -> PyAny:
    """The Python function inside a scripted or decorated one."""
    seen = 0
    while hasattr(value, "__wrapped__") and seen < 32:
        value, seen = value.__wrapped__, seen + 1
    return value
