"""Inference of exceptions as values: making them, their attributes and classes, tests of their class.

In: calls of exception classes, attributes, isinstance and comparisons of classes. Out: operators on exceptions of the
runtime. Holds: an exception of any class has type EXCEPTION; one that is known to be of a user's class is an instance
of it, which an exception stands for where any may be.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Sequence

from ....ir.types import (
    ANY,
    BOOL,
    BYTES,
    EXCEPTION,
    INT,
    NONE,
    STR,
    ListType,
    TupleType,
    Type,
    holds_shapes,
    map_members,
)
from ...core.conversions import as_exception, once, once_all, operate, to_any
from ...core.denotations import Denotation, KeywordsDenotation, SpecialDenotation, SpecialMethodDenotation
from ...core.exception_types import ARGS, ARGS_TYPE, is_exception
from ...core.placeholders import join, resolve
from ...core.typed import (
    ERROR,
    STATIC,
    Choose,
    Const,
    Do,
    Expr,
    MakeTuple,
    Recast,
    SetAttribute,
    Static,
    boolean,
    is_silent,
    none,
)
from ...objects.class_facts import subclasses
from ...objects.exception_classes import KEPT, NotSimple, builtin_base, is_builtin
from ...objects.own_attributes import is_super
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import exceptions as prelude_exceptions
from ..base import InferenceBase
from ..environment import Environment
from ..type_facts import any_of, converted_to

FEW_ARGUMENTS = (OSError, SyntaxError, ImportError, StopIteration)  # more arguments mean more than a text to them
READ = {
    "__cause__": prelude_exceptions.cause_of, "__notes__": prelude_exceptions.notes_of,
    "__suppress_context__": prelude_exceptions.is_context_suppressed, "__context__": prelude_exceptions.context_of,
}
CODEC = {"encoding": STR, "object": BYTES, "start": INT, "end": INT, "reason": STR}  # as they stand in `args`
FIRST_ARGUMENTS = (("value", StopIteration), ("msg", SyntaxError), ("msg", ImportError))
OF_OS = ("errno", "strerror", "filename")
TOO_MANY = (UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError)


class ExceptionValueInference(InferenceBase):
    """What other parts ask about exceptions."""

    # Exceptions as values

    def made_exception(self, node: syntax.Call, python: type) -> Expr:
        """A call of an exception class, as an exception of any class."""
        made = self.construct(node, python) if not is_builtin(python) else self.make_exception(node, python)
        return made if is_silent(made) else as_exception(made)

    def make_exception(self, node: syntax.Call, python: type) -> Expr:
        """A call of a builtin exception class."""
        if not issubclass(python, Exception) and not self.session.exceptions.passes_exception:
            self.session.exceptions.passes_exception = True
            self.session.specialiser.start_again()
        values = self.exception_arguments(node, python)
        return Const(ERROR, node.span, None) if values is None else self.exception_of(node.span, python, values)

    def exception_arguments(self, node: syntax.Call, python: type) -> list[Expr] | None:
        """The arguments of a builtin exception class; None after reporting."""
        values: list[Expr] = []
        for argument in node.args:
            found = self.starred_items(argument) if isinstance(argument, syntax.Starred) else [self.value(argument)]
            if found is None:
                return None
            values += found
        for keyword in node.keywords:
            spread = self.expr(keyword.value) if keyword.arg is None else None
            if not (isinstance(spread, Static) and isinstance(spread.denotation, KeywordsDenotation)
                    and not spread.denotation.variables):
                self.error(node, f"{python.__name__}() takes no keyword arguments")
                return None
        return values

    def arguments_kept(self, node: syntax.Node, python: type, values: Sequence[Expr]) -> Expr:
        """Arguments as `args` of an instance of a user's class that derives from this builtin one."""
        if is_silent(*values):
            return self.silent(node.span, values)
        refused = self.refuse_arguments(node.span, python, values)
        if refused is not None:
            return refused
        values = [as_exception(value) if is_exception(resolve(value.type)) else value for value in values]
        kinds = TupleType(tuple(resolve(value.type) for value in values))
        return self.coerce(MakeTuple(kinds, node.span, list(values)), ARGS_TYPE, "an argument of an exception")

    def refuse_arguments(self, span: Span, python: type, values: Sequence[Expr]) -> Expr | None:
        """A message for what a class, or any exception, cannot take; None if all is well."""
        base = builtin_base(python)
        is_special = issubclass(base, TOO_MANY) or base.__name__.endswith("Group")
        if self.has_error_number(python, values) or has_codec_arguments(python, values):
            return None
        if is_special or (issubclass(base, FEW_ARGUMENTS) and len(values) > 1):
            return self.error(span, f"'{python.__name__}' cannot be made with these arguments in scripts",
                              "raise a ValueError or RuntimeError with a message")
        for value in values:
            kind = EXCEPTION if is_exception(resolve(value.type)) else resolve(value.type)
            if isinstance(value, Static) or self.session.functions.is_held(kind):
                what = value.denotation.describe() if isinstance(value, Static) else f"of type {kind}"
                return self.error(value, f"an argument of an exception cannot be {what} in scripts")
            if self.shows_by_method(without_any(kind)):
                text = f"an argument of an exception cannot be of type {kind} in scripts, which has a text of its own"
                return self.error(value, text, "pass str(...) of it")
        return None

    def replaces_arguments(self, python: type, above: type | None = None) -> bool:
        """Whether every way through `__init__` gives the instance its `args`, so that nobody sees those of the call."""
        chain = python.__mro__
        start = 0 if above is None else chain.index(above) + 1
        owner = next(base for base in chain[start:] if "__init__" in vars(base))
        if is_builtin(owner):
            return above is not None
        if not inspect.isfunction(vars(owner)["__init__"]):
            return False
        source = self.session.classes.method(owner, "__init__")
        for statement in source.node.body:
            if is_super_init(statement, owner.__name__, source.node.args.all[0].arg):
                return self.replaces_arguments(python, owner)
            if may_show(statement, source.node.args.all[0].arg):
                return False
        return False

    # `__init__`, `__str__` and `__repr__` of the builtin base class

    def _special_exception_init(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        """`super().__init__(...)`, `Exception.__init__(self, ...)`: the instance's arguments."""
        owner = denotation.receiver
        if owner is None and node.args:
            owner, node = self.value(node.args[0]), syntax.Call(node.span, node.func, node.args[1:], node.keywords)
        if owner is None or is_silent(owner):
            return self.error(node, "the instance is missing", "write super().__init__(...)")
        python = self.session.classes.python_of(owner.type)
        values = None if python is None else self.exception_arguments(node, python)
        if values is None or python is None:
            return Const(ERROR, node.span, None)
        kept = self.arguments_kept(node, python, values)
        return kept if is_silent(kept) else Do(
            NONE, node.span, [SetAttribute(node.span, owner, ARGS, kept)], none(node.span))

    def _special_exception_note(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        """`e.add_note(text)`"""
        assert denotation.receiver is not None
        if not self.has_count(node, "add_note", 1):
            return Const(ERROR, node.span, None)
        owner, note = self.hold(denotation.receiver), self.value(node.args[0])
        if not is_silent(note) and resolve(note.type) != STR:
            return self.error(note, "a note of an exception must be str")
        return self.by_prelude(node, prelude_exceptions.add_note, [owner, note])

    def _special_exception_str(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        return operate("exception.message", as_exception(denotation.receiver))

    def _special_exception_repr(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        self.take_exceptions_apart()
        return operate("repr.any", to_any(as_exception(denotation.receiver)))

    def exception_of(self, span: Span, python: type, values: Sequence[Expr]) -> Expr:
        """An exception of a builtin class with these arguments."""
        if is_silent(*values):
            return self.silent(span, values)
        values = self.shapes_as_texts(python, values)
        refused = self.refuse_arguments(span, python, values)
        if refused is not None:
            return refused
        values = [as_exception(value) if is_exception(resolve(value.type)) else value for value in values]
        if self.has_error_number(python, values):
            return self.os_error(span, python, values)
        if has_codec_arguments(python, values):
            return self.codec_error(span, python, values)
        name = Const(STR, span, python.__name__)
        only = values[0] if len(values) == 1 else None
        is_text = isinstance(only, Const) and only.type == STR and bool(only.value)
        if not values or (is_text and not issubclass(python, KeyError)):
            return operate("exception.new", name, only if only is not None else Const(STR, span, ""))
        kinds = TupleType(tuple(resolve(value.type) for value in values))
        return operate("exception.make", name, to_any(MakeTuple(kinds, span, values)), to_any(none(span)))

    def shapes_as_texts(self, python: type, values: Sequence[Expr]) -> Sequence[Expr]:
        """The only argument as its text if it is a torch.Size, or holds one, and nobody asks for more than the text."""
        exceptions = self.session.exceptions
        is_text = len(values) == 1 and not isinstance(values[0], Static) and holds_shapes(resolve(values[0].type))
        if not is_text or exceptions.is_taken_apart or issubclass(python, KeyError):
            return values
        exceptions.has_texts_of_shapes = True
        return [self.text_of(values[0])]

    def take_exceptions_apart(self) -> None:
        """Notes that the program asks exceptions for more than their texts."""
        exceptions = self.session.exceptions
        if not exceptions.is_taken_apart:
            exceptions.is_taken_apart = True
            if exceptions.has_texts_of_shapes:
                self.session.specialiser.start_again()

    def has_error_number(self, python: type, values: Sequence[Expr]) -> bool:
        """Whether these arguments of a class of OSErrors are a number and texts."""
        kinds = [resolve(value.type) for value in values]
        return is_builtin(python) and issubclass(python, OSError) and kinds in ([INT, STR], [INT, STR, STR])

    def os_error(self, span: Span, python: type, values: Sequence[Expr]) -> Expr:
        """`OSError(number, text, filename)`, whose class the number decides."""
        node = syntax.Node(span)

        def use(held: list[Expr]) -> Expr:
            number, text = held[:2]
            filename = held[2] if len(held) > 2 else none(span)
            name: Expr = Const(STR, span, python.__name__)
            if python is OSError:
                name = self.by_prelude(node, prelude_exceptions.os_class, [number])
            shown = self.by_prelude(node, prelude_exceptions.os_text, [number, text, to_any(filename)])
            fields = {"__str__": shown, "errno": number, "strerror": text}
            if len(held) > 2:
                fields["filename"] = filename
            parts = [part for key, value in fields.items() for part in (Const(STR, span, key), value)]
            made = [MakeTuple(TupleType(tuple(resolve(part.type) for part in each)), span, each)
                    for each in ([number, text], parts)]
            return operate("exception.make", name, *map(to_any, made))

        return once_all(list(values), use)

    def codec_error(self, span: Span, python: type, values: Sequence[Expr]) -> Expr:
        """`UnicodeDecodeError(encoding, object, start, end, reason)`."""
        text = prelude_exceptions.decode_text if python is UnicodeDecodeError else prelude_exceptions.encode_text

        def use(held: list[Expr]) -> Expr:
            parts = [Const(STR, span, "__str__"), self.by_prelude(syntax.Node(span), text, held)]
            made = [MakeTuple(TupleType(tuple(resolve(part.type) for part in each)), span, each)
                    for each in (held, parts)]
            return operate("exception.make", Const(STR, span, python.__name__), *map(to_any, made))

        return once_all(list(values), use)

    def exception_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """`e.args`, and what a builtin class that is known here has."""
        if name == ARGS:
            self.take_exceptions_apart()
            return operate("exception.args", owner)
        if name == "__context__":
            self.track_handled()
        if name in READ:
            known = dict(self.here.paths)
            value = self.by_prelude(node, READ[name], [owner])
            self.here.paths.update(known)  # it only reads
            return self.known_at(value, self.path_of(node))
        if name == "__name__" and isinstance(node, syntax.Attribute) and self.is_raised_class(node.value):
            return operate("exception.class", owner)
        if name == "add_note":
            return Static(STATIC, node.span, SpecialMethodDenotation(f".{name}", owner, "exception_note"))
        if name in KEPT:
            return self.error(node, f"'{name}' of an exception is not supported in scripts")
        python = self.exception_class_of(node)
        if python is not None and any(name == each and issubclass(python, base) for each, base in FIRST_ARGUMENTS):
            return self.by_prelude(node, prelude_exceptions.stop_value, [operate("exception.args", owner)])
        if name in OF_OS and python is not None and issubclass(python, OSError):
            return self.by_prelude(node, prelude_exceptions.of_os, [owner, Const(STR, node.span, name)])
        if name == "code" and python is SystemExit:
            return self.by_prelude(node, prelude_exceptions.exit_code, [operate("exception.args", owner)])
        if name in CODEC and python is not None and issubclass(python, (UnicodeDecodeError, UnicodeEncodeError)):
            kind = (BYTES if issubclass(python, UnicodeDecodeError) else STR) if name == "object" else CODEC[name]
            place = Const(INT, node.span, list(CODEC).index(name))
            given = to_any(operate("exception.args", owner))
            return Recast(kind, node.span, operate("getitem.any", given, to_any(place)))
        return self.error(node, f"an exception has no attribute '{name}' here",
                          "catch the class that has it: except MyError as e")

    def notes_or(self, node: syntax.Call, error: Expr) -> Expr:
        """`getattr(e, "__notes__", default)`"""
        def use(held: list[Expr]) -> Expr:
            test = self.by_prelude(node, prelude_exceptions.has_notes, held[:1])
            found = self.by_prelude(node, prelude_exceptions.notes_of, held[:1])
            kind = join(found.type, held[1].type)
            return Choose(kind, node.span, test, converted_to(found, kind), converted_to(held[1], kind), [])

        other = self.value(node.args[2], ListType(STR))
        return other if is_silent(other) else once_all([error, other], use)

    def exception_class_of(self, node: syntax.Node) -> type | None:
        """The class of the exception that a variable before the dot is known to hold."""
        if not isinstance(node, syntax.Attribute) or not isinstance(node.value, syntax.Name):
            return None
        state = self.here.variables.get(self.local_name(node.value.id))
        return None if state is None else self.exception_classes.get(state.definition)

    def exception_of_type(self, node: syntax.Node) -> syntax.Node | None:
        """The `e` of `type(e)` and `e.__class__`, if it is a variable or attribute that holds an exception."""
        named: syntax.Node | None = None
        if isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and len(node.args) == 1:
            named = node.args[0] if self.is_builtin(node.func, "type") else None
        elif isinstance(node, syntax.Attribute) and node.attr == "__class__":
            named = node.value
        if isinstance(named, syntax.Attribute) and self.kind_at(named) == EXCEPTION:
            return named
        if not isinstance(named, syntax.Name) or self.env is None:
            return None
        state = self.env.variables.get(self.local_name(named.id))
        is_exception = state is not None and state.static is None and resolve(state.type) == EXCEPTION
        return named if is_exception else None

    def exception_class_name(self, node: syntax.Node, raised: syntax.Node) -> Expr:
        """type(e).__name__"""
        value = self.expr(raised)
        return self.silent(node.span, [value]) if is_silent(value) else operate("exception.class", value)

    def narrow_exception(self, env: Environment, subject: syntax.Node, classes: Sequence[type]) -> None:
        """After isinstance of a variable that holds an exception."""
        kind = self.instances_of(subject, classes)
        if kind is not None:
            self.narrow_path(env, subject, kind)

    def matches_any(self, value: Expr, classes: Sequence[type], span: Span) -> Expr:
        """isinstance(value, classes) of an exception; True where every exception is one."""
        if any(python in (BaseException, object) for python in classes):
            return boolean(span, True)
        generator = self.spec.generator
        is_closed = generator is not None and generator.uses.is_thrown  # by a GeneratorExit
        if Exception in classes and not is_closed and not self.session.exceptions.passes_exception:
            return boolean(span, True)
        return any_of([self.matches(value, python, span) for python in classes]) if classes else boolean(span, False)

    def is_raised_class(self, node: syntax.Node) -> bool:
        """Whether an expression is the first parameter of `__exit__`, which stands for the class of the exception."""
        params = self.source.params
        if self.source.name != "__exit__" or len(params) < 2 or not isinstance(node, syntax.Name):
            return False
        return node.id == params[1].arg and self.kind_at(node) == EXCEPTION

    def exact_class_test(self, span: Span, value: Expr, denotation: Denotation, op: str) -> Expr:
        """`type(value) is C` of an exception of any class."""
        python = getattr(denotation, "python", None)
        if not isinstance(python, type) or not issubclass(python, BaseException):
            return boolean(span, op in ("is not", "!="))

        def use(whole: Expr) -> Expr:
            is_one = self.matches(whole, python, span)
            if is_builtin(python):
                name = operate("eq.str", operate("exception.class", whole), Const(STR, span, python.__name__))
                return Choose(BOOL, span, is_one, name, boolean(span, False), [])
            for below in subclasses(python):
                other = self.negate(self.matches(whole, below, span), span)
                is_one = Choose(BOOL, span, is_one, other, boolean(span, False), [])
            return is_one

        found = once(value, use)
        return self.negate(found, span) if op in ("is not", "!=") else found

    def frozen_field(self, span: Span, name: str, change: str = "assign to") -> None:
        """What the assignment of a field of a frozen dataclass raises."""
        text = MakeTuple(TupleType((STR,)), span, [Const(STR, span, f"cannot {change} field {name!r}")])
        kind = Const(STR, span, self.session.exceptions.describe(dataclasses.FrozenInstanceError))
        self.throw(span, operate("exception.make", kind, to_any(text), to_any(none(span))))
        self.env = None

    def matches(self, value: Expr, python: type, span: Span) -> Expr:
        """isinstance(value, python) of an exception."""
        try:
            name = self.session.exceptions.name(python)
        except NotSimple as problem:
            return self.error(span, f"the exception '{python.__name__}' cannot be used: {problem}", problem.hint)
        return operate("exception.matches", value, Const(STR, span, name))


def without_any(kind: Type) -> Type:
    """A type with ints in the place of values of type Any: where an exception has these, the runtime gives the text."""
    kind = resolve(kind)
    if kind == ANY:
        return INT
    return map_members(kind, without_any) if kind.members else kind


def may_show(statement: syntax.Node, owner: str) -> bool:
    """Whether a statement may return, or do anything with an instance but assign its attributes."""
    uses = 0
    for each in syntax.walk(statement):
        if isinstance(each, (syntax.Return, syntax.Try, syntax.With)):
            return True
        targets = each.targets if isinstance(each, syntax.Assign) else [getattr(each, "target", None)]
        for target in targets:
            parts = target.elts if isinstance(target, syntax.Tuple) else [target]
            uses -= sum(isinstance(part, syntax.Attribute) and isinstance(part.value, syntax.Name) and (
                part.value.id == owner) for part in parts)
        uses += isinstance(each, syntax.Name) and each.id == owner
    return uses != 0


def is_super_init(node: syntax.Node, owner: str, me: str) -> bool:
    """`super().__init__(...)` in a method of a class."""
    call = node.value if isinstance(node, syntax.Expr) else None
    method = call.func if isinstance(call, syntax.Call) else None
    if not isinstance(method, syntax.Attribute) or method.attr != "__init__":
        return False
    return is_super(method.value, owner, me)


def has_codec_arguments(python: type, values: Sequence[Expr]) -> bool:
    """Whether these are the arguments of an error of decoding or encoding."""
    if python not in (UnicodeDecodeError, UnicodeEncodeError):
        return False
    kinds = [resolve(value.type) for value in values]
    return kinds == [STR, BYTES if python is UnicodeDecodeError else STR, INT, INT, STR]
