"""One compilation: what all functions of one program share while they are inferred and lowered.

In: entry points. Out: specialisations, module structures, tensor constants, messages.
Holds: every Python object that a script mentions is turned into an expression here, once and the same way.
"""

from __future__ import annotations

import builtins
import inspect
from typing import Any as PyAny

from ..ir.types import TENSOR, EnumType
from . import parse, syntax
from .annotations import AnnotationError
from .attempts import AttemptReporter
from .class_facts import is_enum
from .classes import Classes
from .constants import NotConstant, constant, dtype_of
from .denotations import (
    BuiltinDenotation,
    ClassDenotation,
    Denotation,
    FunctionDenotation,
    GraphDenotation,
    MarkerDenotation,
    ModuleDenotation,
    ObjectDenotation,
    OperatorDenotation,
)
from .enums import member_constant
from .exception_classes import ExceptionClasses
from .frames import MARK
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
        self.exceptions = ExceptionClasses()
        self.classes = self.modules.classes = Classes(self)
        self.texts: dict[str, str] = {}  # file -> source
        self.names: dict[str, int] = {}
        self._sources: dict[int, FunctionSource] = {}
        self._kept: list[PyAny] = []
        self._prefixes = 0
        self._nested: dict[syntax.Node, FunctionSource] = {}

    def unique_name(self, name: str) -> str:
        """ "f", then "f.1", "f.2"."""
        count = self.names.get(name, 0)
        self.names[name] = count + 1
        return f"{name}.{count}" if count else name

    def unique_prefix(self) -> str:
        """Of the variables of a body that is typed inside another."""
        self._prefixes += 1
        return f"{self._prefixes}{MARK}"

    def nested_source(self, node: syntax.FunctionDef | syntax.Lambda, around: FunctionSource) -> FunctionSource:
        """The source of a function defined in a function."""
        found = self._nested.get(node)
        if found is None:
            definition = node if isinstance(node, syntax.FunctionDef) else syntax.FunctionDef(
                node.span, "<lambda>", node.args, [syntax.Return(node.body.span, node.body)], []
            )
            found = self._nested[node] = FunctionSource(
                definition.name, definition, around.lookup, class_type=around.class_type, definition=node
            )
        return found

    def source(self, function: PyAny, owner: type | None = None) -> FunctionSource:
        """The source of a Python function. Raises CompileError when it has none, or does not parse."""
        function = unwrap(function)
        found = self._sources.get(id(function))
        if found is not None and found.owner is None:
            found.owner = owner
        if found is None:
            parsed = parse.parse_function(function, self.reporter)
            self.texts.setdefault(parsed.file, parsed.text)
            found = self._sources[id(function)] = FunctionSource(
                function.__name__, parsed.node, python_lookup(function), python_defaults(function), owner, function,
                class_type=self.classes.annotated,
            )
            self._kept.append(function)
        return found

    def denote(self, value: PyAny, span: Span) -> Expr:
        """A Python object that a script names, as an expression."""
        if isinstance(value, FunctionSource):
            return Static(STATIC, span, FunctionDenotation(value))
        if is_tensor(value):
            return Const(TENSOR, span, self.tensors.state(value))
        if is_enum(type(value)) and dtype_of(value) is None:
            return self._member(value, span)
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

    def _member(self, value: PyAny, span: Span) -> Expr:
        try:
            kind = self.classes.kind_of(type(value))
        except AnnotationError as error:
            return Static(STATIC, span, ObjectDenotation(value, str(error)))
        assert isinstance(kind, EnumType)
        return member_constant(kind, value.name, span)

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
        if hasattr(value, "__tsm_marker__") or value is NotImplemented:
            return MarkerDenotation(value)
        if is_module(value):
            return ObjectDenotation(
                value, "a module outside the function cannot be used; make it a submodule: self.x = module"
            )
        return None


def unwrap(value: PyAny) -> PyAny:
    """The Python function inside a scripted one, or one that our own decorators wrapped. What another decorator made is
    a function of its own, which calls the one it wraps or does not."""
    seen = 0
    while hasattr(value, "__wrapped__") and seen < 32 and not is_foreign_wrapper(value):
        value, seen = value.__wrapped__, seen + 1
    return value


def is_foreign_wrapper(value: PyAny) -> bool:
    """Whether it is a Python function that somebody else's decorator put around another."""
    package = __name__.partition(".")[0]
    return inspect.isfunction(value) and value.__globals__.get("__name__", "").partition(".")[0] != package
