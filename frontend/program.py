"""The script front end's door: functions, modules and source text to typed SSA programs.

In: Python functions, modules, text. Out: `ir.graph.Program` with methods, initial state, sources.
Holds: all errors found are raised together as one CompileError; a failure of the compiler itself is reported as such.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any as PyAny

from ..binding.call_forms import CALL_FORMS, maker_name, written_forms
from ..binding.program import RESIDENTS
from ..binding.state_names import CONSTANTS, STATE
from ..ir.effects import Summaries
from ..ir.graph import Function, Method, Param, Program, walk
from ..ir.types import (
    ANY,
    NONE,
    SCALAR,
    STR,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    TupleType,
    Type,
    UnionType,
    optional,
)
from .collection import paused_collection
from .compilation.attempts import AttemptReporter
from .compilation.dict_factories import leaves_program
from .compilation.session import Session
from .compilation.specialise import Specialisation, TooManySpecialisations
from .compilation.text_namespace import functions_of_text
from .core.constants import NotConstant
from .core.conversions import convert
from .core.exception_types import is_exception
from .core.function_values import WantsIdentities
from .core.placeholders import leave_open, resolve, settled
from .core.typed import ERROR, Const, Expr, MakeTuple, Operate, Recast, Static
from .depth import deep_recursion
from .diagnostics import CompileError, Diagnostic
from .entry_parameters import call_form, default_source
from .failures import bug, too_deep
from .lower.caches import check_caches
from .lower.class_state import hand_on_class_state
from .lower.function import lower_specialisation
from .lower.outside import check_outside
from .lower.resumption import make_resumable
from .lower.sharing import holds_things, note_sharing
from .objects.annotations import AnnotationError
from .objects.class_facts import is_enum, is_module_class, is_named_tuple, is_protocol, is_script_class, refusal
from .objects.class_places import span_of
from .objects.class_state import WantsClassState
from .objects.function_source import FunctionSource
from .objects.hooks import CALL, hooked_entry, hooks_of
from .objects.module_attributes import OwnMethod, constant_values, state_names
from .objects.modules import NotAttribute, type_of_value
from .objects.plain_parameters import with_plain_parameters
from .objects.program_members import is_program_module, name_apart, source_of
from .objects.signatures import (
    annotation_of,
    is_left_open,
    is_open_annotation,
    is_resident_annotation,
    mentions_callable,
    named_object,
    outer_error,
    outer_type,
    signature_types,
)
from .objects.submodule_entries import program_method, submodule_entry
from .own_files import portable_name
from .parser import syntax
from .parser.syntax import Span

Calls = Sequence[tuple[PyAny, ...]]  # examples: the arguments of each call
OWN_CLASS_HINTS = {  # what crosses the boundary in their place
    "range": "pass its ends, or a list of its items", "slice": "pass its ends", "bytearray": "pass bytes",
}


@dataclass
class Compilation:
    """A program, and what is known of how it was made."""

    program: Program
    session: Session
    entries: list[tuple[str, Specialisation]]


def compile_function(function: PyAny, example_inputs: Sequence[PyAny] | None = None) -> Program:
    """A program with one method, named as the function. Raises CompileError.

    Parameters without annotation take the type of their default, of the example inputs, else Tensor.
    """
    return compilation_of_function(function, as_calls(example_inputs)).program


def compile_module(module: PyAny, methods: Sequence[str] = ("forward",)) -> Program:
    """A program whose state is the module, with these methods and all they call. Raises CompileError."""
    return compilation_of_module(module, methods).program


def compile_source(text: str, filename: str = "<string>") -> Program:
    """A program with a method for each function that the text defines. Imports of math, tsm and typing, and constants,
    may stand beside them. Raises CompileError."""
    return compilation_of_source(text, filename).program


def as_calls(example_inputs: PyAny) -> Calls:
    """Example inputs as calls: a tuple, a list or one value are the arguments of one, a list of tuples are several."""
    if example_inputs is None:
        return []
    if isinstance(example_inputs, list) and example_inputs and all(type(each) is tuple for each in example_inputs):
        return example_inputs
    return [tuple(example_inputs) if isinstance(example_inputs, (list, tuple)) else (example_inputs,)]


def compilation_of_function(function: PyAny, calls: Calls) -> Compilation:
    """Of a function and all it calls."""

    def make(session: Session) -> list[tuple[str, Specialisation]]:
        source = session.source(function)
        return [(source.name, entry(session, source, None, calls))]

    return _compile(make, None)


def compilation_of_module(
    module: PyAny, methods: Sequence[str], calls: Mapping[str, Calls] = MappingProxyType({})
) -> Compilation:
    """Of methods of a module and all they call; `calls` are examples by method."""

    def make(session: Session) -> list[tuple[str, Specialisation]]:
        try:
            info = session.modules.describe(module)
        except NotAttribute as error:
            session.reporter.error(span_of(type(module)), str(error))
            return []
        made = []
        given: dict[str, Type] = {}  # by path: what __getstate__ gives, which __setstate__ takes
        for name in sorted(methods, key=lambda each: each.rpartition(".")[2] == "__setstate__"):
            path, _, short = name.rpartition(".")
            inner = source_of(module.get_submodule(path)) if path else module
            program = session.modules.traced_program(inner) if is_program_module(inner) else None
            source = program_method(program, short) if program is not None else method_source(session, inner, short)
            if source is None:
                continue
            if path:
                source = submodule_entry(module, path, short, source)
            state = given.get(path) if short == "__setstate__" else None
            made.append((name, entry(session, source, info.type, calls.get(name, ()), state)))
            if short == "__getstate__":
                given[path] = settled(made[-1][1].result)
            if name == "forward" and hooks_of(module):
                if source.node.args.vararg or source.node.args.kwarg:
                    session.reporter.error(source.node.span, "a forward with '*' or '**' cannot be scripted with hooks",
                                           "make the module a submodule of another one")
                    continue
                made.append((CALL, entry(session, hooked_entry(module, source), info.type, calls.get(name, ()))))
        return made

    return _compile(make, module)


def method_source(session: Session, module: PyAny, name: str) -> FunctionSource | None:
    """The source of a method; None, with a message, if there is none. A call of a module is one of its `forward`."""
    python, wanted = type(module), "forward" if name == CALL else name
    kept = OwnMethod.of(module, vars(module).get(wanted))
    if kept is not None:
        return session.source(kept.function, kept.owner(python))
    if inspect.getattr_static(python, wanted, None) is None or not callable(getattr(module, wanted, None)):
        session.reporter.error(span_of(python), f"'{python.__name__}' has no method '{wanted}'")
        return None
    owner = next(base for base in python.__mro__ if wanted in base.__dict__)
    return session.source(getattr(python, wanted), owner)


def compilation_of_source(
    text: str, filename: str = "<string>", names: Mapping[str, PyAny] = MappingProxyType({}), only: str | None = None
) -> Compilation:
    """Of the functions that a text defines, or `only` one of them. `names` are those of the code around it."""

    def make(session: Session) -> list[tuple[str, Specialisation]]:
        sources = functions_of_text(session, text, filename, names)
        if not sources and not session.reporter.has_errors:
            where = Span(filename, 1, 1, 1, 1)
            session.reporter.error(where, "the text defines no function", "write def name(...): ...")
        wanted = sources if only is None else (only,)
        return [(name, entry(session, sources[name], None, ())) for name in wanted]

    return _compile(make, None)


def check_class(python: type) -> None:
    """Raises CompileError for a class whose instances scripts cannot use."""
    if is_enum(python) or is_named_tuple(python) or is_protocol(python):
        return
    reason = refusal(python) if is_script_class(python) else "it is no class of the program's own"
    if reason is not None:
        text = f"'{python.__name__}' cannot be used in scripts: {reason}"
        raise CompileError([Diagnostic(span_of(python), text)])


def _compile(make: Callable[[Session], list[tuple[str, Specialisation]]], module: PyAny) -> Compilation:
    with deep_recursion(), paused_collection():
        return _compile_within(make, module)


def _compile_within(
    make: Callable[[Session], list[tuple[str, Specialisation]]], module: PyAny, have_identities: bool = False,
    state: frozenset[tuple[type, str]] = frozenset(), takes_none: bool = False, splits: bool = False,
) -> Compilation:
    """`takes_none`: parameters of entry points that say nothing but the default None take nothing else. `splits`: a
    generic class that is called without its arguments is one class for each kind of arguments of its `__init__`."""
    reporter = AttemptReporter()
    session = Session(reporter)
    session.takes_none = takes_none
    session.classes.splits = splits
    session.functions.have_identities = have_identities
    session.has_module = module is not None
    session.class_state.wanted = state
    entries: list[tuple[str, Specialisation]] = []
    try:
        entries = make(session)
        makers = default_makers(session, entries)
        while not all(spec.is_done for _, spec in (*entries, *makers)):
            for _, spec in (*entries, *makers):
                session.specialiser.complete(spec)
        for _, spec in entries:
            _refuse_functions(session, spec, module is not None)
        reporter.raise_if_errors()
        program = assemble(session, entries, makers, module)
        reporter.raise_if_errors()
        return Compilation(program, session, entries)
    except CompileError as error:
        if session.has_taken and not takes_none:
            with suppress(CompileError):
                return _compile_within(make, module, have_identities, state, True, splits)
        if session.classes.may_split and not splits:
            with suppress(CompileError):
                return _compile_within(make, module, have_identities, state, takes_none, True)
        if error.diagnostics and list(error.diagnostics) != reporter.diagnostics[: len(error.diagnostics)]:
            reporter.absorb(error)
            reporter.raise_if_errors()
        raise
    except WantsIdentities:
        return _compile_within(make, module, True, state, takes_none, splits)
    except WantsClassState as wanted:
        return _compile_within(make, module, have_identities, state | wanted.places, takes_none, splits)
    except RecursionError:
        raise too_deep(session.place or _first_span(session)) from None
    except Exception as error:
        known = [spec.source.name for spec in session.specialiser.known.values()][:1]
        names = ([name for name, _ in entries] or known) if module is None else []
        raise bug(error, session.place or _first_span(session), session.texts, names) from error


def _first_span(session: Session) -> Span:
    for spec in session.specialiser.known.values():
        return spec.source.node.span
    return Span(next(iter(session.texts), "<unknown>"), 1, 1, 1, 1)


def entry(
    session: Session, source: FunctionSource, self_type: Type | None, calls: Calls, given_type: Type | None = None
) -> Specialisation:
    """The specialisation of an entry point: its parameters' types come from itself alone, and `given_type`, that of a
    first one which says nothing."""
    source.has_overloads = False
    star = source.node.args.vararg or source.node.args.kwarg
    hidden = getattr(getattr(source.python, "__wrapped__", None), "__name__", None)
    if star is not None and hidden is not None:
        place = source.node.name
        text = f"a decorator of '{hidden}' puts '{place}' in its place, whose *args or **kwargs may be anything"
        hint = f"script what it hides, tsm.script({hidden}.__wrapped__), or list the parameters of '{place}'"
        session.reporter.error(star.span, text, hint)
    written, source = source, with_plain_parameters(source)
    hints, declared = signature_types(source, None)
    arguments: list[Expr | Type] = []
    rest = list(source.params)
    if self_type is not None:
        arguments.append(self_type)
        rest = rest[1:]
    annotations = [annotation_of(param, source) for param in rest]
    for param, annotation in zip(rest, annotations):
        closed = None if annotation is None else outer_type(annotation, source)
        if closed is not None:
            hints[param.arg] = only_none(session, closed) if source.defaults.get(param.arg, ...) is None else closed
        elif annotation is not None and mentions_callable(annotation, source):
            session.reporter.error(param.span, "an entry point cannot take a function",
                                   "call the function in the script by name")
            hints[param.arg] = ERROR
    for i, (param, annotation) in enumerate(zip(rest, annotations)):
        is_open = annotation is not None and (
            is_open_annotation(annotation, source) or is_left_open(annotation, source))
        if param.arg not in hints and annotation is not None and is_open:
            text = f"'{param.arg}' of an entry point must have a class for its type, so that calls can be checked"
            missing = outer_error(annotation, source)
            hint = "name the class, or a Union of classes"
            if is_module_class(named_object(annotation, source)):
                hint = "make the module an attribute of the one that is scripted"
            session.reporter.error(annotation.span, missing or text, None if missing else hint)
            hints[param.arg] = ERROR
        given = [call[i] for call in calls if i < len(call)]
        if given_type is not None and i == 0 and annotation is None and not given and param.arg not in source.defaults:
            hints.setdefault(param.arg, given_type)
        if param.annotation is None and is_named(written.node.args.vararg, param):
            each = parameter_type(session, written, param, None, [value for call in calls for value in call[i:]])
            hints[param.arg] = TupleType((each,), is_variadic=True)
        elif param.annotation is None and is_named(written.node.args.kwarg, param):
            hints[param.arg] = DictType(STR, TENSOR)
        arguments.append(parameter_type(session, source, param, hints.get(param.arg), given))
    try:
        made = session.specialiser.request(source, tuple(arguments), declared, has_examples=bool(calls))
    except TooManySpecialisations:
        raise AssertionError("an entry point has one specialisation") from None
    made.written = written
    outside = (made.result, *made.types[1 if self_type is not None else 0:])
    refused: list[tuple[str, str]] = []
    if any(map(session.futures.is_in, outside)):
        refused.append(("a Future", "return future.wait()"))
    own = next(filter(None, map(session.classes.own_class_in, outside)), None)
    if own is not None:
        refused.append((f"a {own}", OWN_CLASS_HINTS.get(own, "make it in the script")))
    if any(map(session.classes.holds_sentinel, outside)):
        refused.append(("an object()", "return None"))
    if any(holds_exception(resolve(kind)) for kind in outside):
        refused.append(("an exception", "raise it, or pass its text"))
    for what, hint in refused:
        text = f"'{source.name}' is an entry point and cannot take or return {what}"
        session.reporter.error(source.node.span, text, hint)
    return made


def is_named(starred: syntax.arg | None, param: syntax.arg) -> bool:
    """Whether a parameter stands for `*args` or `**kwargs`."""
    return starred is not None and starred.arg == param.arg


def _refuse_functions(session: Session, spec: Specialisation, has_self: bool) -> None:
    if session.functions.is_generator(spec.result):
        text = f"'{spec.source.name}' is an entry point and cannot return a generator"
        session.reporter.error(spec.source.node.span, text, "return a list of its items: list(...)")
    elif any(map(session.functions.is_held, (spec.result, *spec.types[has_self:]))):
        text = f"'{spec.source.name}' is an entry point and cannot take or return functions"
        session.reporter.error(spec.source.node.span, text, "call them in the script")


def holds_exception(kind: Type, seen: frozenset[Type] = frozenset()) -> bool:
    """Whether values of a type are, or hold, exceptions."""
    if kind in seen:
        return False
    parts = kind.attributes.values() if isinstance(kind, ClassType) else kind.members
    return is_exception(kind) or any(holds_exception(resolve(part), seen | {kind}) for part in parts)


def parameter_type(
    session: Session, source: FunctionSource, param: syntax.arg, hint: Type | None, examples: list[PyAny]
) -> Type:
    """The annotated type; else that of a default that is not None; of all examples; Tensor. A default None makes it
    optional; where the program does not compile with a tensor there, it is None."""
    if hint is not None:
        return hint
    default = source.defaults.get(param.arg)
    try:
        if default is not None:
            return of_any_length(type_of_value(default))
        if param.arg in source.defaults and not examples:
            return only_none(session, TENSOR)
        kind = session.modules.example_type(examples) if examples else TENSOR
    except (NotAttribute, AnnotationError) as error:
        session.reporter.error(param.span, f"'{param.arg}': {error}", "annotate the parameter")
        return TENSOR
    return optional(kind) if param.arg in source.defaults and kind != NONE else kind


def of_any_length(kind: Type) -> Type:
    """The type of a default; a tuple of one item, as in `topk=(1,)`, stands for those of any length."""
    is_single = type(kind) is TupleType and len(kind.elements) == 1
    return TupleType(kind.elements, is_variadic=True) if is_single and isinstance(kind, TupleType) else kind


def only_none(session: Session, kind: Type) -> Type:
    """The type of a parameter whose default is None and which is taken for one of a type that it does not declare."""
    session.has_taken = True
    return NONE if session.takes_none else optional(kind)


def default_makers(
    session: Session, entries: Sequence[tuple[str, Specialisation]]
) -> list[tuple[str, Specialisation]]:
    """Functions that give the defaults that are no constants, and those in front of them, by the methods' names."""
    found: list[tuple[str, Specialisation]] = []
    for name, spec in entries:
        source = spec.source
        places = [i for i, param in enumerate(source.params)
                  if param.arg in source.defaults and not is_constant(session, source, param, spec.types[i])]
        last = max((i for i in places if i < source.positional_count), default=-1)
        for i, (param, kind) in enumerate(zip(source.params, spec.types)):
            if param.arg in source.defaults and (i in places or i < last):
                session.defaults[id(source.defaults[param.arg])] = f"the default of '{param.arg}' of '{source.name}'"
                made = session.specialiser.request(default_source(source, param), (), kind)
                found.append((maker_name(name, param.arg), made))
    return found


def is_constant(session: Session, source: FunctionSource, param: syntax.arg, kind: Type) -> bool:
    """Whether a file has constants for a default. What is wrong with a default is reported."""
    try:
        default_value(session, source, param, kind)
    except NotConstant:
        value = source.defaults[param.arg]
        found = session.denote(value, param.span)
        if isinstance(found, Static) or convert(found, kind) is not None:
            return False
        session.reporter.error(param.span, f"'{param.arg}': the default {value!r} is not {kind}")
    return True


def assemble(
    session: Session, entries: Sequence[tuple[str, Specialisation]], makers: Sequence[tuple[str, Specialisation]],
    module: PyAny,
) -> Program:
    """Lowers every specialisation that the entries reach, and adds methods, state and sources."""
    session.classes.finish()
    session.modules.finish()
    session.functions.finish()
    for info in session.functions.generators.values():
        make_resumable(info)
    program = Program()
    by_function: dict[Function, Specialisation] = {}
    pending = [spec for _, spec in (*entries, *makers)]
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
        program.metadata[STATE] = json.dumps(state_names(module, ""))
        if constants := constant_values(module, lambda inner: session.modules.describe(inner).constants):
            program.metadata[CONSTANTS] = json.dumps(constants)
    program.sources = {portable_name(file): text for file, text in session.texts.items()}
    program.exceptions = dict(session.exceptions.python)
    program.hosts = dict(session.hosts.functions)
    made_by = dict(makers)
    for name, spec in (*entries, *makers):
        program.methods[name] = method(session, name, spec, made_by)
    forms = {name: form for name, spec in entries if (form := _form(name, spec, made_by))}
    if forms:
        program.metadata[CALL_FORMS] = written_forms(forms)
    if session.class_readers:
        add_class_state(session, program)
    if session.modules.foreign:
        name_apart(program, session.modules.foreign)
    if not session.reporter.has_errors:
        _set_mutations(program)
        check_caches(program, [*session.specialiser.known.values()], session.reporter)
        note_sharing(program)
        wanted = check_outside(program, session.outside, session.copying, session.reporter, session.class_state)
        if wanted:
            raise WantsClassState(wanted)
    residents = {name: sorted(made.residents) for name, made in sorted(program.methods.items()) if made.residents}
    if residents:
        program.metadata[RESIDENTS] = json.dumps(residents)
    return program


def add_class_state(session: Session, program: Program) -> None:
    """The root that has the attributes of classes which the program assigns."""
    state = session.class_state
    for kind in map(settled, state.kind.attributes.values()):
        leave_open(kind)
    state.kind.attributes.update((name, settled(kind)) for name, kind in state.kind.attributes.items())
    for (python, name), _ in state.places.items():
        for info in session.classes.info.values():
            if issubclass(info.python, python) and name in info.assigned:
                text = f"'{name}' is an attribute of '{python.__name__}' and of instances of '{info.python.__name__}'"
                session.reporter.error(span_of(python), text, "give one of them another name")
    entries = [method.function for method in program.methods.values()]
    hand_on_class_state(program.functions, session.class_readers, entries, state.kind)
    program.root = state.initial(session.classes)


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


def _form(name: str, spec: Specialisation, made_by: Mapping[str, Specialisation]) -> dict[str, PyAny]:
    """What callers in Python know of a method beyond its record."""
    written = spec.written or spec.source
    skipped = 1 if spec.function is not None and spec.function.has_self else 0
    return call_form(written, skipped, [p.arg for p in spec.source.params if maker_name(name, p.arg) in made_by])


def method(
    session: Session, name: str, spec: Specialisation, made_by: Mapping[str, Specialisation]
) -> Method:
    """The entry point's record: parameters with constant defaults as Python values."""
    assert spec.function is not None
    source = spec.source
    params: list[Param] = []
    skip = 1 if spec.function.has_self else 0
    spec.function.has_self = bool(skip)
    for i, (param, kind) in enumerate(zip(source.params, spec.types)):
        if i < skip:
            continue
        made = Param(param.arg, kind, is_keyword_only=source.is_keyword_only(i))
        if param.arg in source.defaults and maker_name(name, param.arg) not in made_by:
            made.has_default = True
            made.default = default_value(session, source, param, kind)
        params.append(made)
    marked = {param.arg for param in source.params[skip:] if is_resident_annotation(param.annotation, source)}
    if is_resident_annotation(source.node.returns, source):
        marked.add("return")
    if not all(map(leaves_program, (*spec.types[skip:], resolve(spec.result)))):
        what = "a defaultdict whose factory is a function, which cannot leave its program"
        text = f"'{source.name}' takes or gives {what}"
        session.reporter.error(source.node.span, text, "return dict(d)")
    nested = [param for param in source.params[skip:] if param.arg in marked and not all(
        map(_may_be_resident, spec.types[source.params.index(param)].members))]
    for param in nested:
        text = f"'{param.arg}': a tsm.List or tsm.Dict cannot hold sets or instances"
        session.reporter.error(param.span, text, "use one of numbers, texts, tensors, tuples of these, lists and dicts")
    return Method(name, spec.function, params, doc=source.doc, residents=frozenset(marked))


def _may_be_resident(kind: Type) -> bool:
    """Whether values of the type may be in a container that lives in the runtime."""
    is_plain = isinstance(kind, ListType) and kind.name == "list" or isinstance(kind, DictType) and kind.name == "dict"
    return all(map(_may_be_resident, kind.members)) if is_plain else not holds_things(kind)


def default_value(session: Session, source: FunctionSource, param: syntax.arg, kind: Type) -> PyAny:
    """The default at the parameter's type, as a Python value. NotConstant."""
    value = source.defaults[param.arg]
    if kind in (SCALAR, ANY) or isinstance(kind, UnionType):
        raise NotConstant(f"{kind} has no constants")
    converted = convert(session.denote(value, param.span), kind)
    if converted is None:
        raise NotConstant(f"the default {value!r} is not {kind}")
    return python_value(converted[0])


def python_value(value: Expr) -> PyAny:
    """The Python value of a converted constant. NotConstant."""
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
