"""One compilation: what all functions of one program share while they are inferred and lowered.

In: entry points. Out: specialisations, module structures, tensor constants, messages.
Holds: every Python object that a script mentions is turned into an expression here, once and the same way.
"""

from __future__ import annotations

import builtins
import copy
import dataclasses
import functools
import inspect
import os
import sys
import sysconfig
import typing
from collections import Counter, OrderedDict
from collections.abc import Callable
from types import MethodDescriptorType
from typing import Any as PyAny

from ...binding.size import Size
from ...ir.graph import Function, Node, Value
from ...ir.types import TENSOR, ClassType, EnumType, NamedTupleType, TupleType, Type
from ..core.constants import NotConstant, constant, dtype_of
from ..core.conversions import convert
from ..core.denotations import (
    BuiltinDenotation,
    ClassDenotation,
    ContainerDenotation,
    Denotation,
    FunctionDenotation,
    GraphDenotation,
    MarkerDenotation,
    ModuleDenotation,
    ObjectDenotation,
    OperatorDenotation,
    RangeDenotation,
    SliceDenotation,
    SpecialDenotation,
)
from ..core.function_values import FunctionValues
from ..core.futures import Futures
from ..core.typed import STATIC, Const, Expr, MakeTuple, Static
from ..diagnostics import CompileError, Diagnostic
from ..objects import library_sources
from ..objects.annotations import AnnotationError
from ..objects.cached_functions import cached_source, is_cache, why_not, why_not_wrapped
from ..objects.class_facts import is_enum, is_instance, is_named_tuple, is_namespace
from ..objects.class_state import ClassState
from ..objects.classes import MADE_CLASSES, Classes
from ..objects.enums import member_constant
from ..objects.exception_classes import ExceptionClasses
from ..objects.flags import enumerator_name
from ..objects.function_source import FunctionSource, has_overloads, managing_generator, python_defaults, python_lookup
from ..objects.hooks import hooked_forward
from ..objects.library_refusals import PACKAGES, library_refusal, package_of, package_refusal, process_refusal
from ..objects.local_classes import Taken
from ..objects.memo_functions import memoized
from ..objects.modules import ModuleInfo, Modules, is_module
from ..objects.named_tuples import VersionInfo
from ..objects.sentinels import Sentinel, sentinel_class
from ..objects.single_dispatch import is_single_dispatch, source_of_dispatch, why_not_dispatched
from ..objects.tensors import TensorPool, is_tensor
from ..parser import parse, syntax
from ..parser.syntax import Span
from ..prelude import containers as prelude
from .attempts import AttemptReporter
from .dict_factories import DictFactories
from .frames import MARK
from .host_names import HostNames
from .notes import Notes
from .specialise import Specialiser

STANDARD_LIBRARY = sysconfig.get_paths()["stdlib"] + os.sep
LIBRARY: dict[PyAny, str] = {
    dataclasses.replace: "dataclasses.replace", dataclasses.asdict: "dataclasses.asdict",
    dataclasses.fields: "dataclasses.fields", dataclasses.is_dataclass: "dataclasses.is_dataclass",
    dataclasses.astuple: "dataclasses.astuple", copy.copy: "copy.copy", copy.deepcopy: "copy.deepcopy",
}
METHODS_OF = (str, bytes, int, float, complex, bool, list, tuple, dict, set, frozenset)
BUILTINS = {id(value): name for name, value in vars(builtins).items() if callable(value)}


class Session:
    """State of one compilation."""

    def __init__(self, reporter: AttemptReporter) -> None:
        self.reporter = reporter
        self.tensors = TensorPool()
        self.modules = Modules(self.tensors, self.unique_name)
        self.specialiser = Specialiser(self)
        self.futures = Futures()
        self.declined = ClassType("NotImplemented")  # of the value that an operator method gives on some paths
        self.hosts = HostNames()
        self.notes = Notes()
        self.place: Span | None = None  # the statement that is being typed, for the report of a failure
        self.exceptions = ExceptionClasses()
        self.classes = self.modules.classes = Classes(self)
        self.class_state = ClassState()
        self.class_readers: dict[Function, Value] = {}  # what they call its object
        self.has_module = False  # whether what is compiled is a module's
        self.recursive: set[FunctionSource] = set()  # functions that give functions, and call themselves through others
        self.takes_none = False  # whether parameters of entry points with the default None take nothing else
        self.has_taken = False  # whether some of these were taken for tensors, or containers of anything
        self.functions = FunctionValues()
        self.factories = DictFactories()
        self.texts: dict[str, str] = {}  # file -> source
        self.names: dict[str, int] = {}
        self._sources: dict[int, FunctionSource] = {}
        self._kept: list[PyAny] = []
        self._sentinels: dict[int, type[Sentinel]] = {}
        self._prefixes = 0
        self.defaults: dict[int, str] = {}  # containers that are defaults of parameters, by identity, with their names
        self.outside: dict[Value, str] = {}  # copies of containers outside the functions, with what they are
        self.copying: set[Node] = set()  # the steps that make these copies
        self.caches: dict[tuple[syntax.Node, str], PyAny] = {}  # of functions defined in functions
        self.made_lambdas: dict[tuple[syntax.Node, str], syntax.Lambda] = {}
        self.decorating_calls: dict[str, syntax.Call] = {}
        self.expression_functions: dict[syntax.GeneratorExp, syntax.FunctionDef] = {}
        self.local_classes: dict[syntax.ClassDef, type] = {}  # by the statements in functions that define them
        self.taken: dict[type, dict[Taken, Type]] = {}  # by local classes: variables of the functions around them
        self.library_calls: dict[syntax.Call, tuple[syntax.Call, FunctionSource]] = {}
        self._text_functions: dict[tuple[str, int], dict[str, FunctionSource]] = {}  # by text and the names around it
        self._texts: dict[str, FunctionSource] = {}  # functions of our own text
        self._renamed: dict[PyAny, FunctionSource] = {}  # wrappers with the names of what they wrap
        self._hooked: dict[PyAny, FunctionSource] = {}  # calls of modules with hooks
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
                definition.name, definition, around.lookup, class_type=around.class_type, definition=node,
                qualname=f"{around.qualified}.<locals>.{definition.name}",
            )
        return found

    def source(self, function: PyAny, owner: type | None = None) -> FunctionSource:
        """The source of a Python function. Raises CompileError when it has none, or does not parse."""
        if is_cache(function):
            return self._cached_source(function)
        hidden = hidden_function(function)
        if hidden is not None:
            code = inspect.unwrap(function).__code__
            where = Span(code.co_filename, code.co_firstlineno, 1, code.co_firstlineno, 2)
            raise CompileError([Diagnostic(where, hidden)])
        function = unwrap(function)
        found = self._sources.get(id(function))
        if found is not None and found.owner is None:
            found.owner = owner
        if found is None:
            key, generator = function, managing_generator(function)
            function = generator or function
            parsed = parse.parse_function(function, self.reporter)
            self.texts.setdefault(parsed.file, parsed.text)
            found = self._sources[id(key)] = FunctionSource(
                function.__name__, parsed.node, python_lookup(function, owner), python_defaults(function), owner,
                python=function, class_type=self.classes.annotated, is_manager=generator is not None,
                has_overloads=has_overloads(function),
            )
            self._kept.append(key)
            wrapped = memoized(function, found)
            if wrapped is not None:
                found = self._sources[id(key)] = self._memo_source(function, found, wrapped)
        return found

    def _memo_source(self, function: PyAny, source: FunctionSource, wrapped: PyAny) -> FunctionSource:
        """The source of what a decorator of the program made, which keeps results in a dict."""
        plain = self.source(wrapped)
        try:
            is_named = plain.lookup(plain.name) is function
        except KeyError:
            is_named = False
        refused = why_not(plain) if is_named else why_not_wrapped(plain)
        return cached_source(plain) if refused is None else source

    def _cached_source(self, function: PyAny) -> FunctionSource:
        """The source of what `functools.cache` made. Raises CompileError."""
        found = self._sources.get(id(function))
        if found is None:
            plain = self.source(function.__wrapped__)
            reason = why_not(plain)
            if reason is not None:
                raise CompileError([Diagnostic(plain.node.span, f"'{plain.name}' {reason}", "take the decorator away")])
            found = self._sources[id(function)] = cached_source(plain)
            self._kept.append(function)
        return found

    def _made_source(self, value: PyAny, make: Callable[[PyAny, Span], FunctionSource]) -> FunctionSource:
        """The source of what the library made of functions outside the script: a partial, a generic function."""
        found = self._sources.get(id(value))
        if found is None:
            home = self.source(prelude.identity).node.span
            found = self._sources[id(value)] = make(value, home)
            self._kept.append(value)
        return found

    def maker(self, python: type) -> FunctionSource:
        """The script for calls of a class without arguments."""
        return self._made_source(python, library_sources.source_of_making)

    def hooked(self, info: ModuleInfo, count: int, keywords: tuple[str, ...]) -> FunctionSource:
        """The script for calls of a module with forward hooks."""
        key = (info.type, count, keywords)
        found = self._hooked.get(key)
        if found is None:
            home = self.source(prelude.identity).node.span
            found = self._hooked[key] = hooked_forward(
                info.sample, [f"a{i}" for i in range(count)], keywords, home)
        return found

    def library_source(self, call: library_sources.LibraryCall) -> FunctionSource:
        """The script for a call of a function of Python's library."""
        if not call.text:
            return self.source(call.function)
        found = self._texts.get(call.text)
        if found is None:
            home = self.source(prelude.identity).node.span
            found = self._texts[call.text] = library_sources.source_of_text(call.text, home)
        return found

    def renamed(self, source: FunctionSource, function: FunctionSource) -> FunctionSource:
        """The source of a wrapper that `functools.wraps` gives the name of another function."""
        key = source, function.name, function.qualified
        if key not in self._renamed:
            self._renamed[key] = dataclasses.replace(source, name=function.name, qualname=function.qualified)
        return self._renamed[key]

    def text_source(self, function: PyAny) -> FunctionSource | None:
        """The source of a function that was compiled from text; None if it was not."""
        from .text_namespace import functions_of_text

        text, names, name = function.__tsm_text__
        key = text, id(names)
        known = self._text_functions.get(key)
        if known is None:
            self._kept.append(names)
            count = len(self._text_functions)
            filename = f"<string {count + 1}>" if "<string>" in self.texts else "<string>"
            known = self._text_functions[key] = functions_of_text(self, text, filename, names)
        return known.get(name)

    def known_source(self, function: PyAny) -> FunctionSource | None:
        """The source of a function that this compilation has looked at."""
        return self._sources.get(id(function))

    def denote(self, value: PyAny, span: Span) -> Expr:
        """A Python object that a script names, as an expression."""
        if isinstance(value, FunctionSource):
            return Static(STATIC, span, FunctionDenotation(value))
        if value is Size:
            return Static(STATIC, span, BuiltinDenotation("Size"))
        if value is sys.version_info:
            value = VersionInfo(*value)
        try:
            getattr(value, "__tsm_special__", None)
        except Exception as error:  # a stand-in for a module that is missing
            text = f"a '{type(value).__name__}' whose attributes raise {type(error).__name__}: {error}"
            return Static(STATIC, span, ObjectDenotation(value, text, "leave out what needs it"))
        if is_tensor(value):
            refused = package_refusal(value)
            if refused is not None:
                return Static(STATIC, span, ObjectDenotation(value, *refused))
            return Const(TENSOR, span, self.tensors.state(value))
        if is_enum(type(value)) and dtype_of(value) is None:
            return self._member(value, span)
        if isinstance(value, tuple) and any(map(is_record, (value, *value))):
            made = self._tuple(value, span)
            if made is not None:
                return made
        denotation = self._denotation(value)
        if denotation is not None:
            return Static(STATIC, span, denotation)
        try:
            if type(value) is range:
                start, stop, step = (constant(part, span) for part in (value.start, value.stop, value.step))
                return Static(STATIC, span, RangeDenotation((start, stop, step), id(value)))
            if type(value) is slice:
                start, stop, step = (constant(part, span) for part in (value.start, value.stop, value.step))
                return Static(STATIC, span, SliceDenotation((start, stop, step), id(value)))
            if type(value) is frozenset:
                reason = "a frozenset outside the function can hold constants only"
                return Static(STATIC, span, ContainerDenotation(value, id(value), reason))
            if type(value) in (list, dict, set, OrderedDict, Counter):
                what = "constants, functions and containers of these"
                reason = f"a {type(value).__name__} outside the function can be used if it holds {what} only"
                self._kept.append(value)
                return Static(STATIC, span, ContainerDenotation(value, id(value), reason))
            return constant(value, span)
        except NotConstant as error:
            if is_instance(value):
                what = "constants, functions, containers and instances of these"
                reason = f"an instance of '{type(value).__name__}' outside the function can be used if it holds {what}"
                self._kept.append(value)
                return Static(STATIC, span, ContainerDenotation(value, id(value), f"{reason} only"))
            if type(value) is tuple:
                return Static(STATIC, span, ContainerDenotation(value, id(value), str(error)))
            return Static(STATIC, span, ObjectDenotation(value, *(library_refusal(value) or (str(error),))))

    def _tuple(self, value: tuple[PyAny, ...], span: Span) -> Expr | None:
        """A named tuple, or a tuple that holds some; None if an element is no constant."""
        items = [self.denote(item, span) for item in value]
        if any(isinstance(item, Static) for item in items):
            return None
        if not is_named_tuple(type(value)):
            return MakeTuple(TupleType(tuple(item.type for item in items)), span, items)
        try:
            kind = self.classes.kind_of(type(value))
        except AnnotationError as error:
            return Static(STATIC, span, ObjectDenotation(value, str(error)))
        assert isinstance(kind, NamedTupleType)
        if not getattr(type(value), "__annotations__", None):
            fields = tuple((name, item.type) for (name, _), item in zip(kind.fields, items))
            kind = NamedTupleType(kind.name, fields, kind.hashes_itself)
            self.classes.register(kind, type(value))
        fitted = [convert(item, member) for item, member in zip(items, kind.members)]
        made = [pair[0] for pair in fitted if pair is not None]
        return MakeTuple(kind, span, made) if len(made) == len(items) else None

    def sentinel(self, value: PyAny, span: Span) -> Expr:
        """An `object()` outside the function, as a value."""
        if id(value) not in self._sentinels:
            self._kept.append(value)
            self._sentinels[id(value)] = sentinel_class(len(self._sentinels))
        return self._member(next(iter(self._sentinels[id(value)])), span)

    def _member(self, value: PyAny, span: Span) -> Expr:
        try:
            kind = self.classes.kind_of(type(value))
        except AnnotationError as error:
            return Static(STATIC, span, ObjectDenotation(value, str(error)))
        assert isinstance(kind, EnumType)
        return member_constant(kind, enumerator_name(value), span)

    def _denotation(self, value: PyAny) -> Denotation | None:
        if isinstance(value, type) and value in MADE_CLASSES:
            return ClassDenotation(MADE_CLASSES[value])
        value = getattr(value, "__tsm_instead__", value)  # what a function of Python means in scripts
        spelling = getattr(value, "__tsm_spelling__", None)
        if isinstance(spelling, str):
            return OperatorDenotation(spelling)
        special = getattr(value, "__tsm_special__", None)
        if isinstance(special, str):
            return SpecialDenotation(special)
        if isinstance(getattr(value, "__tsm_text__", None), tuple) and (source := self.text_source(value)) is not None:
            return FunctionDenotation(source)
        if getattr(value, "_inst", False) and isinstance(getattr(value, "__origin__", None), type):
            value = value.__origin__  # typing.OrderedDict() makes what collections.OrderedDict() does
        if value is typing.cast:
            return SpecialDenotation("cast")
        program = self.modules.traced_program(value)
        if program is not None:
            return GraphDenotation(getattr(value, "__name__", "traced"), program)
        if is_cache(value):
            return FunctionDenotation(self.source(value))
        if type(value) is functools.partial and value.func is not print:
            return FunctionDenotation(self._made_source(value, library_sources.source_of_partial))
        if is_single_dispatch(value):
            reason = why_not_dispatched(value)
            return ObjectDenotation(value, reason) if reason else FunctionDenotation(
                self._made_source(value, source_of_dispatch))
        if is_foreign(value):
            return ObjectDenotation(value, *(library_refusal(value) or ()))
        hidden = hidden_function(value)
        if hidden is not None:
            return ObjectDenotation(value, hidden)
        if id(value) in library_sources.NAMES:
            return BuiltinDenotation(library_sources.NAMES[id(value)])
        script = library_sources.script_of(value)
        if script is not None:
            return FunctionDenotation(self.source(script))
        if inspect.isfunction(value) and value in LIBRARY:
            return BuiltinDenotation(LIBRARY[value])
        if is_of_standard_library(value):
            return ObjectDenotation(value, *(library_refusal(value) or ()))
        refused = process_refusal(value)
        if refused is not None:
            return ObjectDenotation(value, *refused)
        if inspect.isfunction(unwrap(value)):
            return FunctionDenotation(self.source(value))
        if inspect.ismodule(value) or is_namespace(value):
            return ModuleDenotation(value)
        if id(value) in BUILTINS and not (isinstance(value, type) and issubclass(value, BaseException)):
            return BuiltinDenotation(BUILTINS[id(value)])
        if type(value) is MethodDescriptorType and value.__objclass__ in METHODS_OF:
            return BuiltinDenotation(f"{value.__objclass__.__name__}.{value.__name__}")
        if inspect.isbuiltin(value) and value.__module__ in ("math", "cmath"):
            return OperatorDenotation(f"{value.__module__}.{value.__name__}")
        if isinstance(value, type) or getattr(value, "__module__", "") == "typing":
            return ClassDenotation(value)
        if hasattr(value, "__supertype__"):
            return FunctionDenotation(self.source(prelude.identity))
        if hasattr(value, "__tsm_marker__") or value is NotImplemented:
            return MarkerDenotation(value)
        if is_module(value):
            return ObjectDenotation(
                value, "a module outside the function cannot be used; make it a submodule: self.x = module"
            )
        return None


def is_record(value: PyAny) -> bool:
    """Whether it is a named tuple that a script may make."""
    return isinstance(value, tuple) and type(value) is not tuple and is_named_tuple(type(value))


def is_of_standard_library(value: PyAny) -> bool:
    """Whether it is a function of Python's own library, which is not written to be scripted."""
    code = getattr(value, "__code__", None)
    file = getattr(code, "co_filename", "")
    is_own = inspect.isfunction(value) and managing_generator(value) is None
    return is_own and file.startswith((STANDARD_LIBRARY, "<frozen ")) and "site-packages" not in file


def is_foreign(value: PyAny) -> bool:
    """Whether it is a function of PyTorch or NumPy; their classes may stand in annotations."""
    return callable(value) and not isinstance(value, type) and not is_module(value) and package_of(value) in PACKAGES


def unwrap(value: PyAny) -> PyAny:
    """The Python function inside a scripted one, or one that our own decorators wrapped. What another decorator made is
    a function of its own, which calls the one it wraps or does not."""
    seen = 0
    while hasattr(value, "__wrapped__") and seen < 32 and is_own_wrapper(value):
        value, seen = value.__wrapped__, seen + 1
    return value


def is_own_wrapper(value: PyAny) -> bool:
    """Whether one of our own decorators made it: a scripted function, or a function of this package around another."""
    place = value.__globals__.get("__name__", "") if inspect.isfunction(value) else type(value).__module__
    return str(place).partition(".")[0] == __name__.partition(".")[0]


def hidden_function(value: PyAny) -> str | None:
    """Why a callable object that somebody else's decorator made is not the function it wraps; None for all else."""
    is_plain = inspect.isfunction(value) or isinstance(value, type)
    if is_plain or not hasattr(value, "__wrapped__") or is_own_wrapper(value):
        return None
    name, kind = getattr(value.__wrapped__, "__name__", "?"), type(value)
    if kind.__module__ == "functools" and kind.__name__ == "_lru_cache_wrapper":
        text = "which compiled programs do not have; take the decorator away"
        return f"'{name}' is wrapped by a cache of functools, {text}"
    return f"'{name}' is hidden by a decorator that makes a '{kind.__name__}' of it; take the decorator away"
