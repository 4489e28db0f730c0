"""The script front end's door: functions, modules and source text to typed SSA programs.

In: Python functions, modules, text. Out: `ir.graph.Program` with methods, initial state, sources.
Holds: all errors found are raised together as one CompileError; a failure of the compiler itself is reported as such.
"""

from __future__ import annotations

import builtins
import inspect
import math
import os
import traceback
import types as python_types
import typing
from collections.abc import Callable, Sequence
from typing import Any as PyAny

from ..ir.effects import Summaries
from ..ir.graph import Function, Method, Param, Program, walk
from ..ir.knobs import read_knobs
from ..ir.types import EXCEPTION, TENSOR, Type
from . import parse, syntax
from .attempts import AttemptReporter
from .constants import NotConstant
from .conversions import convert
from .diagnostics import CompileError
from .function_source import FunctionSource
from .lower import lower_specialisation
from .modules import NotAttribute, type_of_value
from .placeholders import resolve
from .session import Session
from .signatures import is_callable_annotation, is_open_annotation, signature_types
from .specialise import Specialisation, TooManySpecialisations
from .syntax import Span
from .typed import ERROR, Const, Expr, MakeTuple


def compile_function(function: PyAny, example_inputs: Sequence[PyAny] | None = None) -> Program:
    """A program with one method, named as the function. Raises CompileError.

    Parameters without annotation take the type of their default, of the example input, else Tensor.
    """

    def make(session: Session) -> list[tuple[str, Specialisation]]:
        source = session.source(function)
        return [(source.name, entry(session, source, None, list(example_inputs or ())))]

    return _compile(make, None)


def compile_module(module: PyAny, methods: Sequence[str] = ("forward",)) -> Program:
    """A program whose state is the module, with these methods and all they call. Raises CompileError."""

    def make(session: Session) -> list[tuple[str, Specialisation]]:
        try:
            info = session.modules.describe(module)
        except NotAttribute as error:
            session.reporter.error(_span_of(type(module)), str(error))
            return []
        made = []
        for name in methods:
            found = inspect.getattr_static(type(module), name, None)
            if found is None or not callable(getattr(module, name, None)):
                session.reporter.error(_span_of(type(module)), f"'{type(module).__name__}' has no method '{name}'")
                continue
            owner = next(base for base in type(module).__mro__ if name in base.__dict__)
            source = session.source(getattr(type(module), name), owner)
            made.append((name, entry(session, source, info.type, [])))
        return made

    return _compile(make, module)


def compile_source(text: str, filename: str = "<string>") -> Program:
    """A program with a method for each function that the text defines. Imports of math, tsm and typing, and constants,
    may stand beside them. Raises CompileError."""

    def make(session: Session) -> list[tuple[str, Specialisation]]:
        module = parse.parse_source(text, filename)
        session.texts[filename] = text
        sources = TextNamespace(session, module).functions
        if not sources and not session.reporter.has_errors:
            where = Span(filename, 1, 1, 1, 1)
            session.reporter.error(where, "the text defines no function", "write def name(...): ...")
        return [(name, entry(session, source, None, [])) for name, source in sources.items()]

    return _compile(make, None)


def _compile(make: Callable[[Session], list[tuple[str, Specialisation]]], module: PyAny) -> Program:
    reporter = AttemptReporter()
    session = Session(reporter)
    try:
        entries = make(session)
        reporter.raise_if_errors()
        program = assemble(session, entries, module)
        reporter.raise_if_errors()
        return program
    except CompileError as error:
        if error.diagnostics and list(error.diagnostics) != reporter.diagnostics[: len(error.diagnostics)]:
            reporter.absorb(error)
            reporter.raise_if_errors()
        raise
    except RecursionError:
        reporter.error(_first_span(session), "this program is nested too deeply for the compiler", "split it up")
        reporter.raise_if_errors()
        raise
    except Exception as error:
        raise _internal(session, error) from error


def _internal(session: Session, error: Exception) -> CompileError:
    """What the user sees of a failure of the compiler itself; TSM_REPRO keeps the details."""
    place = read_knobs().repro
    text = f"internal error of the compiler ({type(error).__name__}: {error}); please report it"
    hint = "set TSM_REPRO=dir to keep what to attach"
    if place:
        os.makedirs(place, exist_ok=True)
        path = os.path.join(place, "compile_error.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(traceback.format_exception(error)))
            for name, source in session.texts.items():
                file.write(f"\n# {name}\n{source}")
        hint = f"attach {path}"
    reporter = AttemptReporter()
    reporter.error(_first_span(session), text, hint)
    try:
        reporter.raise_if_errors()
    except CompileError as found:
        return found
    raise AssertionError("a reporter with an error raises")


def _first_span(session: Session) -> Span:
    for spec in session.specialiser.known.values():
        return spec.source.node.span
    return Span(next(iter(session.texts), "<unknown>"), 1, 1, 1, 1)


def _span_of(python: type) -> Span:
    try:
        file = inspect.getsourcefile(python) or "<unknown>"
        line = inspect.getsourcelines(python)[1]
    except (OSError, TypeError):
        file, line = "<unknown>", 1
    return Span(file, line, 1, line, 2)


def entry(session: Session, source: FunctionSource, self_type: Type | None, examples: list[PyAny]) -> Specialisation:
    """The specialisation of an entry point: its parameters' types come from itself alone."""
    if source.node.args.vararg is not None or source.node.args.kwarg is not None:
        star = source.node.args.vararg or source.node.args.kwarg
        assert star is not None
        session.reporter.error(star.span, "an entry point cannot have *args or **kwargs", "list the parameters")
    hints, declared = signature_types(source, None)
    arguments: list[Expr | Type] = []
    rest = list(source.params)
    if self_type is not None:
        arguments.append(self_type)
        rest = rest[1:]
    for param in rest:
        if param.annotation is not None and is_callable_annotation(param.annotation, source):
            session.reporter.error(param.span, "an entry point cannot take a function",
                                   "call the function in the script by name")
            hints[param.arg] = ERROR
    for i, param in enumerate(rest):
        if param.arg not in hints and param.annotation is not None and is_open_annotation(param.annotation, source):
            text = f"'{param.arg}' of an entry point must have a class for its type, so that calls can be checked"
            session.reporter.error(param.annotation.span, text, "name the class, or a Union of classes")
        arguments.append(parameter_type(session, source, param, hints.get(param.arg), examples[i : i + 1]))
    try:
        made = session.specialiser.request(source, tuple(arguments), declared)
    except TooManySpecialisations:
        raise AssertionError("an entry point has one specialisation") from None
    if holds_exception(resolve(made.result)):
        text = f"'{source.name}' is an entry point and cannot return an exception"
        session.reporter.error(source.node.span, text, "raise it, or return its text")
    return made


def holds_exception(kind: Type) -> bool:
    return kind == EXCEPTION or any(map(holds_exception, kind.members))


def parameter_type(
    session: Session, source: FunctionSource, param: syntax.arg, hint: Type | None, example: list[PyAny]
) -> Type:
    if hint is not None:
        return hint
    default = source.defaults.get(param.arg)
    for value in ([default] if default is not None else []) + example:
        try:
            return type_of_value(value)
        except NotAttribute as error:
            session.reporter.error(param.span, f"'{param.arg}': {error}", "annotate the parameter")
            return TENSOR
    return TENSOR


def assemble(session: Session, entries: Sequence[tuple[str, Specialisation]], module: PyAny) -> Program:
    """Lowers every specialisation that the entries reach, and adds methods, state and sources."""
    session.classes.finish()
    program = Program()
    by_function: dict[Function, Specialisation] = {}
    pending = [spec for _, spec in entries]
    done: set[Specialisation] = set()
    known = {id(spec): spec for spec in session.specialiser.known.values()}
    while pending:
        spec = pending.pop(0)
        if spec in done:
            continue
        done.add(spec)
        function = lower_specialisation(session, spec)
        by_function[function] = spec
        program.functions.append(function)
        for node in walk(function.body):
            if node.op != "call":
                continue
            callee: Function = node.attrs["function"]
            found = next((other for other in known.values() if other.function is callee), None)
            if found is not None:
                pending.append(found)
            else:
                _add_foreign(program, callee)
    program.classes.update(session.classes.python_classes())
    if module is not None:
        program.root = session.modules.state(module)
    program.sources = dict(session.texts)
    program.exceptions = dict(session.exceptions.python)
    for name, spec in entries:
        program.methods[name] = method(session, name, spec)
    if not session.reporter.has_errors:
        _set_mutations(program)
    return program


def _add_foreign(program: Program, function: Function) -> None:
    """A traced callee, with all it calls."""
    if function in program.functions:
        return
    program.functions.append(function)
    for node in walk(function.body):
        if node.op == "call":
            _add_foreign(program, node.attrs["function"])


def _set_mutations(program: Program) -> None:
    summaries = Summaries(program)
    for found in program.methods.values():
        skip = 1 if found.function.has_self else 0
        writes = summaries.functions[found.function].writes
        found.mutates = frozenset(place - skip for place in writes if place >= skip)


def method(session: Session, name: str, spec: Specialisation) -> Method:
    """The entry point's record: parameters with defaults as Python values."""
    assert spec.function is not None
    source = spec.source
    params: list[Param] = []
    skip = 1 if spec.function.has_self else 0
    spec.function.has_self = bool(skip)
    for i, (param, kind) in enumerate(zip(source.params, spec.types)):
        if i < skip:
            continue
        made = Param(param.arg, kind, is_keyword_only=source.is_keyword_only(i))
        if param.arg in source.defaults:
            made.has_default = True
            made.default = default_value(session, source, param, kind)
        params.append(made)
    return Method(name, spec.function, params, doc=source.doc)


def default_value(session: Session, source: FunctionSource, param: syntax.arg, kind: Type) -> PyAny:
    """The default at the parameter's type, as a Python value."""
    value = source.defaults[param.arg]
    try:
        if isinstance(value, (list, dict, set)):
            raise NotConstant("a mutable default is not supported; use None, or a tuple")
        found = session.denote(value, param.span)
        converted = convert(found, kind)
        if converted is None:
            raise NotConstant(f"the default {value!r} is not {kind}")
        return python_value(converted[0])
    except NotConstant as error:
        session.reporter.error(param.span, f"'{param.arg}': {error}")
        return None


def python_value(value: Expr) -> PyAny:
    """The Python value of a converted constant. NotConstant."""
    from .typed import Operate, Recast

    if isinstance(value, Const):
        return value.value
    if isinstance(value, Recast):
        return python_value(value.value)
    if isinstance(value, MakeTuple):
        return tuple(python_value(item) for item in value.items)
    if isinstance(value, Operate) and value.row.full_name in ("int.bool", "float.bool", "float.int"):
        inner = python_value(value.operands[0])
        return int(inner) if value.row.name == "int" else float(inner)
    raise NotConstant("this default is no constant")


class TextNamespace:
    """The names of a source text: functions, imports of known modules, constants."""

    def __init__(self, session: Session, module: syntax.Module) -> None:
        self.session = session
        self.names: dict[str, PyAny] = {}
        self.functions: dict[str, FunctionSource] = {}
        for statement in module.body:
            self.add(statement)

    def lookup(self, name: str) -> PyAny:
        if name in self.names:
            return self.names[name]
        return vars(builtins)[name]

    def add(self, node: syntax.Node) -> None:
        if isinstance(node, syntax.FunctionDef):
            self.define(node)
        elif isinstance(node, (syntax.Import, syntax.ImportFrom)):
            self.import_names(node)
        elif isinstance(node, syntax.Assign) and all(isinstance(target, syntax.Name) for target in node.targets):
            for target in node.targets:
                assert isinstance(target, syntax.Name)
                self.names[target.id] = self.evaluate(node.value)
        elif isinstance(node, syntax.AnnAssign) and isinstance(node.target, syntax.Name) and node.value is not None:
            self.names[node.target.id] = self.evaluate(node.value)
        elif not (isinstance(node, syntax.Expr) and isinstance(node.value, syntax.Constant)):
            self.session.reporter.error(
                node.span, "source text may hold functions, imports and constants only", "move this into a function"
            )

    def define(self, node: syntax.FunctionDef) -> None:
        source = FunctionSource(node.name, node, self.lookup)
        positional = [*node.args.posonlyargs, *node.args.args]
        for param, default in zip(positional[len(positional) - len(node.args.defaults) :], node.args.defaults):
            source.defaults[param.arg] = self.evaluate(default)
        for param, keyword_default in zip(node.args.kwonlyargs, node.args.kw_defaults):
            if keyword_default is not None:
                source.defaults[param.arg] = self.evaluate(keyword_default)
        self.names[node.name] = self.functions[node.name] = source

    def import_names(self, node: syntax.Import | syntax.ImportFrom) -> None:
        package = __name__.rpartition(".frontend")[0]
        allowed = {"math": math, "typing": typing, "__future__": None}
        for alias in node.names:
            full = alias.name if isinstance(node, syntax.Import) else node.module or ""
            if full in allowed:
                module = allowed[full]
            elif full.split(".")[0] == package.split(".")[0]:
                module = _import(full)
            else:
                text = f"source text cannot import '{full}'"
                self.session.reporter.error(node.span, text, "import math, typing or tsm")
                continue
            if isinstance(node, syntax.Import):
                top = module if alias.asname else _import(full.split(".")[0])
                self.names[alias.asname or full.split(".")[0]] = top
            elif module is not None:
                self.names[alias.asname or alias.name] = getattr(module, alias.name, None)

    def evaluate(self, node: syntax.Node) -> PyAny:
        """The Python value of a constant expression: literals, tuples, names and their attributes."""
        if isinstance(node, syntax.Constant):
            return node.value
        if isinstance(node, syntax.Tuple):
            return tuple(self.evaluate(item) for item in node.elts)
        if isinstance(node, syntax.UnaryOp) and node.op == "-":
            value = self.evaluate(node.operand)
            if isinstance(value, (int, float)):
                return -value
        if isinstance(node, syntax.Name):
            try:
                return self.lookup(node.id)
            except KeyError:
                pass
        if isinstance(node, syntax.Attribute):
            owner = self.evaluate(node.value)
            if owner is not None and hasattr(owner, node.attr):
                return getattr(owner, node.attr)
        self.session.reporter.error(node.span, "this is not a constant", "write a literal")
        return None


def _import(name: str) -> python_types.ModuleType:
    import importlib

    return importlib.import_module(name)


