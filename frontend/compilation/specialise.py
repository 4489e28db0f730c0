"""Specialisations: one function compiled for one tuple of parameter types, and the fixpoint over recursion.

In: calls (a source and its arguments' types). Out: `Specialisation`s with typed bodies and result types.
Holds: equal requests give one specialisation; a result that recursion assumed is the one finally found.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from typing import Any as PyAny

from ...ir.types import Type, holds_shapes
from ..core.generator_values import FRAME
from ..core.placeholders import has_placeholder, resolve
from ..core.typed import ERROR, NEVER, NOT_IMPLEMENTED, Expr, Static, Stmt
from ..objects.function_source import FunctionSource
from .frames import Frame, Scopes
from .self_nesting import ended, ended_argument, is_within

if TYPE_CHECKING:
    from ...ir.graph import Function
    from ..core.denotations import ClosureDenotation
    from ..core.generator_values import GeneratorInfo
    from ..diagnostics import Diagnostic
    from ..parser.syntax import Span
    from .session import Session

MAX_SPECIALISATIONS = 16
MAX_ROUNDS = 8  # of the fixpoint over a recursive function's result
MAX_DEPTH = 120  # of calls that need a specialisation of their own

Arguments = tuple[Expr | Type, ...]  # a Static for what is known at compile time, else a type


@dataclass(eq=False, slots=True)
class Specialisation:
    """`declared` is the annotated result; `result` what callers may rely on, NEVER while nothing is known."""

    source: FunctionSource
    name: str
    arguments: Arguments
    declared: Type | None = None
    result: Type = NEVER
    accepted: Type = NEVER  # of the results of a round some of which were refused, the others
    body: list[Stmt] = field(default_factory=list)
    function: Function | None = None
    is_done: bool = False
    is_folded: bool = False  # what is declared was found: the result nested itself
    is_assumed: bool = False  # recursion met it before its result was known
    depth: int = -1  # on the stack of those being inferred; -1 when it is not
    lowest: int = 0  # the outermost recursion that its result rests on
    starts: int = 0  # how often its inference started again with what it had learned
    guess: int = 0  # which type lists of tensors are taken for where nothing declares one
    has_guessed: bool = False
    messages: list[Diagnostic] = field(default_factory=list)  # said again where a round of a caller took them back
    tentative: list[Specialisation] = field(default_factory=list)
    prefix: str = ""  # of its variables, if it was defined in a function
    outer: Frame | None = None
    scopes: Scopes = ()
    captured: dict[str, Expr | Type] = field(default_factory=dict)  # full names of variables around it, by name
    frames: dict[PyAny, Frame] = field(default_factory=dict)  # of bodies typed inside its own
    caller: Specialisation | None = None  # the function with the first call of it
    site: Span | None = None  # and that call
    has_examples: bool = False  # an entry point whose types example_inputs gave
    written: FunctionSource | None = None  # an entry point as it is written, with `*args` and `**kwargs`
    gives_function: bool = False  # a return gives a function: it can only be typed where it is called
    may_decline: bool = False  # an operator method that gives NotImplemented on some paths
    is_stored: bool = False  # called as a value: a function that it returns is one, too
    is_chosen: bool = False  # first called where it may never be run with these types
    root: Frame | None = None
    valued: set[object] = field(default_factory=set)  # variables that hold functions as values
    celled: dict[object, Type] = field(default_factory=dict)  # variables that live in cells, with their types
    foreign: set[str] = field(default_factory=set)  # those of them that are another function's
    displays: dict[tuple[int, str], Type] = field(default_factory=dict)  # element types of displays, of functions too
    foreseen: dict[tuple[int, str], Type] = field(default_factory=dict)  # those that displays turned out to have
    learned: dict[str, Type] = field(default_factory=dict)  # of variables: containers that take all that goes in
    by_use: dict[str, Type] = field(default_factory=dict)  # of variables: what the place declares that they go to
    wanted: dict[str, Type] = field(default_factory=dict)  # what parameters would have to be for that
    containers: dict[str, PyAny] = field(default_factory=dict)  # outside the function, that it reads
    asked: Type | None = None  # of what it returns: the containers in it take what callers put into them

    generator: GeneratorInfo | None = None  # of a generator function that makes values

    def declare(self, result: Type) -> None:
        """Takes a type for the declared one of the result."""
        self.declared = self.result = result
        if self.root is not None:
            self.root.declared = result

    @property
    def types(self) -> list[Type]:
        """Types of the parameters of the compiled function: of a generator, its frame."""
        return self.given_types if self.generator is None else [self.generator.type]

    @property
    def names(self) -> list[str]:
        """Full names of the parameters of the compiled function."""
        return self.given_names if self.generator is None else [FRAME]

    @property
    def given_types(self) -> list[Type]:
        """Types of the run-time arguments, captured variables last."""
        return [kind for kind in (*self.arguments, *self.captured.values()) if isinstance(kind, Type)]

    @property
    def given_names(self) -> list[str]:
        """Full names of the run-time arguments."""
        own = zip((param.arg for param in self.source.all_params), self.arguments)
        given = [(self.prefix + name, kind) for name, kind in own]
        return [name for name, kind in (*given, *self.captured.items()) if isinstance(kind, Type)]


@dataclass(eq=False)
class SharedFrames:
    """The bodies typed in one specialisation, kept when it is forgotten: a function defined in one of them is still the
    same function when the specialisation is made again."""

    root: Frame | None = None
    inner: dict[PyAny, Frame] = field(default_factory=dict)
    is_used: bool = False  # by a specialisation that is being inferred


class Specialiser:
    """Makes and infers specialisations for a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.known: dict[tuple[object, ...], Specialisation] = {}
        self.counts: dict[object, int] = {}  # by function, and by class of the receiver
        self.stack: list[Specialisation] = []
        self.frames: dict[tuple[object, ...], SharedFrames] = {}
        self.learned = 0  # how often something was learned that what is known did not rest on
        self.site: Span | None = None  # of the call being looked at

    def request(
        self, source: FunctionSource, arguments: Arguments, declared: Type | None,
        closure: ClosureDenotation | None = None, captured: dict[str, Expr | Type] | None = None,
        is_stored: bool = False, asked: Type | None = None, is_chosen: bool = False, has_examples: bool = False,
    ) -> Specialisation:
        """The specialisation, inferred as far as recursion allows. Raises CompileError through the session."""
        around = {} if captured is None else captured
        extra = [(name, _key(kind)) for name, kind in around.items()]
        key = (source, *map(_key, arguments), closure, is_stored, asked, *extra)
        found = self.known.get(key)
        if found is None:
            functions = tuple(each.denotation for each in arguments if isinstance(each, Static))
            counted = (source, key[1] if source.owner is not None and arguments else None, functions)
            count = self.counts[counted] = self.counts.get(counted, 0) + 1
            if count > MAX_SPECIALISATIONS:
                raise TooManySpecialisations(source)
            name = self.session.unique_name(qualified_name(source, arguments))
            found = Specialisation(source, name, arguments, declared, is_stored=is_stored, asked=asked)
            found.is_chosen, found.has_examples = is_chosen, has_examples
            self.known[key] = found
            found.caller, found.site = (self.stack[-1], self.site) if self.stack else (None, None)
            if closure is not None or around:
                found.prefix, found.captured = self.session.unique_prefix(), around
            if closure is not None:
                found.outer, found.scopes = closure.outer, tuple(map(dict, closure.scopes))
            if declared is not None:
                found.result = declared
            if is_stored and source.is_generator:
                self.session.functions.add_generator(found)
        if declared is not None and source.refined_result is not None:
            found.declare(source.refined_result)
        if found.depth >= 0:
            if declared is None:
                found.is_assumed = True
                for active in self.stack[found.depth :]:
                    active.lowest = min(active.lowest, found.depth)
        elif not found.is_done:
            self._infer(found)
        for message in found.messages:
            self.session.reporter.add(message)
        return found

    @contextmanager
    def sharing(self, spec: Specialisation) -> Iterator[None]:
        """Types a specialisation in the frames that one of the same function and types had before."""
        if spec.outer is not None or spec.prefix:
            yield
            return
        key = (spec.source, spec.is_stored, spec.asked, *map(_key, spec.arguments))
        shared = self.frames.setdefault(key, SharedFrames())
        if shared.is_used or (spec.root is not None and spec.root is not shared.root):
            yield
            return
        shared.is_used = True
        spec.root, spec.frames = shared.root, shared.inner
        if spec.root is not None:
            spec.root.declared = spec.declared
        try:
            yield
        finally:
            shared.root, shared.is_used = spec.root, False

    def ended_argument(self, source: FunctionSource, place: int, kind: Type) -> Type | None:
        """A type for an argument that grows from call to call of a function that calls itself; None: it does not."""
        before = [spec.arguments[place] for spec in self.stack if spec.source is source and place < len(spec.arguments)]
        return ended_argument(kind, before)

    def remember(self) -> object:
        """What is known now, for `restore`: classes are looked at tentatively."""
        return dict(self.known), dict(self.counts), dict(self.session.names)

    def restore(self, kept: object) -> None:
        """Forgets every specialisation made since, but for generators: attributes may have their classes as types."""
        assert isinstance(kept, tuple)
        generators = {key: spec for key, spec in self.known.items() if spec.generator is not None}
        is_less = len(self.known) > len(kept[0])
        self.known, self.counts, names = kept
        for key, spec in generators.items():
            if is_less:
                spec.is_done = False  # it may call what is forgotten
            if key not in self.known:
                self.known[key] = spec
                name = qualified_name(spec.source, spec.arguments)
                names[name] = max(names.get(name, 0), self.session.names[name])
        self.session.names.clear()
        self.session.names.update(names)

    def outdate(self) -> None:
        """After something all functions share was learned: what is known of them has to be found out anew. Those that
        are being inferred go on to their ends, to learn what else there is, and are then inferred again."""
        self.learned += 1
        for spec in self.known.values():
            spec.is_done = False
            spec.messages = []

    def look_again(self, caller: Specialisation) -> None:
        """What empty displays turned out to hold is known from their start from now on: the function and what it called
        are inferred anew, and whatever was refused elsewhere."""
        is_later = False
        for spec in self.known.values():
            spec.foreseen.update((key, resolve(kind)) for key, kind in spec.displays.items()
                                 if not has_placeholder(kind))
            is_later |= spec is caller
            if is_later or spec.messages:
                spec.is_done = False
                spec.messages = []

    def start_again(self) -> None:
        """As `outdate`, where what is being inferred could not go on."""
        self.outdate()
        if self.stack:
            raise Again(self.stack[0])

    def complete(self, spec: Specialisation) -> None:
        """Infers it again if what was learned since asks for it."""
        if not spec.is_done:
            self._infer(spec)

    def _infer(self, spec: Specialisation) -> None:
        from ..infer.inference import infer_function

        if len(self.stack) >= MAX_DEPTH:
            raise TooDeepCalls(spec.source)
        spec.depth = spec.lowest = len(self.stack)
        self.stack.append(spec)
        reporter = self.session.reporter
        first = reporter.mark()
        try:
            for turn in range(MAX_ROUNDS):
                mark = reporter.mark()
                spec.is_assumed = False
                spec.body, found = infer_function(self.session, spec)
                found = resolve(found)
                if spec.generator is not None and spec.generator.ended is not None and is_within(found, spec.result):
                    found = spec.result
                is_refused = found == ERROR  # for what the round assumed, or for good
                found = spec.accepted if is_refused else found
                if not spec.is_assumed or found == spec.result and (turn or not is_refused):
                    found = ERROR if is_refused else found
                    break
                end = ended(found, spec.result, turn)
                if end is not None and spec.generator is not None:
                    found = spec.generator.ended = end
                elif end is not None:
                    spec.is_folded = True
                    spec.declare(end)
                spec.result = spec.declared or found
                reporter.rewind(mark)
                for other in spec.tentative:
                    other.is_done = False
                spec.tentative.clear()
            else:
                reporter.error(spec.source.node.span, f"the result of '{spec.source.name}' grows without end",
                               "annotate it")
        finally:
            self.stack.pop()
            depth, spec.depth = spec.depth, -1
        if spec.declared is None or found == NOT_IMPLEMENTED:
            spec.result = found
        spec.messages = reporter.since(first)
        spec.is_done = True
        if spec.lowest < depth:
            self.stack[spec.lowest].tentative.append(spec)
            self.stack[-1].lowest = min(self.stack[-1].lowest, spec.lowest)


class Again(Exception):
    """What was learned about a function asks for its inference to start again."""

    def __init__(self, spec: Specialisation) -> None:
        self.spec = spec
        super().__init__(spec.name)


class TooManySpecialisations(Exception):
    """A function is not compiled for one more combination of types: what to say of its call, and a hint."""

    def __init__(self, source: FunctionSource) -> None:
        self.message = f"'{source.name}' is called with too many combinations of argument types"
        self.hint = "annotate its parameters"
        super().__init__(self.message)


class TooDeepCalls(TooManySpecialisations):
    """The functions of a program call each other in a chain that is too long."""

    def __init__(self, source: FunctionSource) -> None:
        super().__init__(source)
        self.message = f"the call of '{source.name}' is more than {MAX_DEPTH} functions deep"
        self.hint = "let the functions between be called one after the other"


def _key(argument: Expr | Type) -> object:
    if isinstance(argument, Static):
        return argument.denotation
    assert isinstance(argument, Type)
    resolved = resolve(argument)
    if has_placeholder(resolved):
        return id(argument)
    return (resolved, repr(resolved)) if holds_shapes(resolved) else resolved


def qualified_name(source: FunctionSource, arguments: Arguments) -> str:
    """ "f", or "Net.forward" for a method."""
    if source.owner is not None and arguments and isinstance(arguments[0], Type):
        return f"{arguments[0]}.{source.name}"
    return source.name

