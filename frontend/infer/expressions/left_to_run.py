"""Errors that Python certainly raises, in a `try` and in code of a helper that may never run with the types it has.

In: places where an operation has no meaning, with the exception that CPython 3.11 raises there. Out: that exception
when the program runs, or the message of compilation.
Holds: left to the run is what a `try` is around, and what a call or a setting decides: code behind a choice of a
function whose parameters have no annotations, branches that attributes of a module choose, functions that are one of
several called at a place, and what such code calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Flag

from ....ir.types import NONE, EnumType, Type
from ...core.denotations import BuiltinDenotation, Denotation
from ...core.placeholders import resolve
from ...core.typed import ERROR, NEVER, Const, Expr, Static, is_silent
from ...objects.class_facts import is_module_class
from ...objects.function_source import FunctionSource
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase, Unreachable
from ..operand_errors import class_name
from ..parts import Named
from ..sampled_errors import certain_error, spelled_function

_STEPS = (syntax.Assign, syntax.AugAssign, syntax.AnnAssign, syntax.Expr, syntax.Return)
ASKED_FIRST = (".add", ".discard", ".remove", ".setdefault")  # they may take what only the run refuses
OF_ONE = frozenset((".append", ".extend", ".remove", ".count", ".add", ".discard"))


class LeftToRunInference(InferenceBase):
    """Errors of code that may not run."""

    def may_not_run(self, place: syntax.Node | Expr | Span) -> bool:
        """Whether code is reached only by calls with other types, or of modules with other settings, for all that is
        known."""
        if self.spec.is_chosen or self.chosen_calls.is_choice or self.settings:
            return True
        is_helper = self.spec.caller is not None or self.frame is not self.spec.root
        source = self.frame.source
        if not is_helper or not source.has_open_params or source.first_choice is None:
            return False
        span = place if isinstance(place, Span) else place.span
        return (span.line, span.column) >= source.first_choice

    def asks_setting(self, test: syntax.Node) -> bool:
        """Whether a condition reads an attribute of the module whose method this is: `if self.is_conditioned:`."""
        source = self.source
        if source.owner is None or not is_module_class(source.owner) or not source.params:
            return False
        receiver = source.params[0].arg
        return any(
            isinstance(part, syntax.Attribute) and isinstance(part.value, syntax.Name) and part.value.id == receiver
            for part in syntax.walk(test)
        )

    def is_left(self, place: syntax.Node | Expr | Span) -> bool:
        """Whether an error is raised when the program runs: something may catch it, or nothing may come to it."""
        return bool(self.here.logs) or self.may_not_run(place)

    def runs_for_sure(self, node: syntax.Node) -> bool:
        """Whether every call of the program runs a part of it, and nothing catches what it raises."""
        if self.here.logs or self.spec.caller is not None or self.frame is not self.spec.root:
            return False
        return self.is_step(node)

    def is_step(self, node: syntax.Node) -> bool:
        """Whether it is part of a statement that no branch or loop of its function is around."""
        body = getattr(self.frame.source.node, "body", None)
        steps = body if isinstance(body, list) else []
        return any(part is node for step in steps if isinstance(step, _STEPS) for part in syntax.walk(step))

    def wrong_or_left(
        self, node: syntax.Node | Expr | Span, raised: tuple[str, str | None], message: str, hint: str | None = None,
        before: Sequence[Expr] = (),
    ) -> Expr:
        """The error that Python raises once the operands `before` are there, where that is left to the run; else the
        message."""
        nothing = self.first_of_nothing(node, before)
        left = self.left_to_run(node, raised, before) if nothing is None else nothing
        return self.error(node, message, hint) if left is None else left

    def first_of_nothing(self, node: syntax.Node | Expr | Span, values: Sequence[Expr]) -> Expr | None:
        """What an operation on values is, one of which is an element of a container that nothing was put into."""
        for value in values:
            found = self.of_nothing(node, value, "an element of an empty container")
            if found is not None:
                return found
        return None

    def left_to_run(
        self, node: syntax.Node | Expr | Span, raised: tuple[str, str | None], before: Sequence[Expr] = ()
    ) -> Expr | None:
        """The error alone; None where the message of compilation stands."""
        name, text = raised
        if text is None or not self.is_left(node):
            return None
        span = node if isinstance(node, Span) else node.span
        given = [value for value in before if not isinstance(value, Static)]
        if is_silent(*given):
            return self.silent(span, given)
        return self.silent(span, [*given, self.raise_error(span, name, text)])

    def unhashable(
        self, node: syntax.Node, values: Sequence[Expr], message: str, hint: str | None = None,
        keys: Sequence[Expr] | None = None,
    ) -> Expr:
        """What `values` are together, of which `keys` (or all) have to have hashes and some have none."""
        first = next(filter(None, map(self.hash_error, values if keys is None else keys)), None)
        return self.wrong_or_left(node, ("TypeError", first), message, hint, values)

    def hash_error(self, value: Expr) -> str | None:
        """The text of the TypeError that the hash of a value certainly raises."""
        python = self.session.classes.python_of(value.type)
        if python is not None and python.__hash__ is None:
            return f"unhashable type: '{python.__name__}'"
        return certain_error(hash, [value])

    def class_misfit(
        self, node: syntax.Node | Expr | Span, owner: Expr, shown: str | None, message: str, hint: str | None = None
    ) -> Expr:
        """The TypeError of an instance whose class has not what is asked; `shown` has {} for its name. What
        is None where an instance may be is left to the run, as attributes are."""
        if resolve(owner.type) == NONE and shown is not None:
            span = node if isinstance(node, Span) else node.span
            return self.silent(span, [owner, self.raise_error(span, "TypeError", shown.format("NoneType"))])
        python = self.session.classes.python_of(owner.type)
        text = None if python is None or shown is None else shown.format(python.__name__)
        return self.wrong_or_left(node, ("TypeError", text), message, hint, [owner])

    def names_with_members(self, *values: Expr) -> list[str] | None:
        """The names of the classes of operands, some of which are members of enums without operators."""
        kinds = [resolve(value.type) for value in values]
        names = [self.enum_name(kind) or class_name(kind) for kind in kinds]
        is_told = any(map(self.enum_name, kinds)) and None not in names
        return [name for name in names if name is not None] if is_told else None

    def enum_name(self, kind: Type) -> str | None:
        """The name of an enum whose members are no numbers and no texts."""
        python = self.session.classes.python_of(kind) if isinstance(kind, EnumType) else None
        return python.__name__ if python is not None and not issubclass(python, (int, str, Flag)) else None

    def called_or_left(self, node: syntax.Call, denotation: Denotation, call: Callable[[], Expr]) -> Expr:
        """`call`, a call of something built in; what CPython raises for arguments of these types, where the call has
        no meaning and that is left to the run."""
        if not self.is_left(node) or any(isinstance(each, syntax.Starred) for each in node.args):
            return call()
        mark, before, outer, self.out = self.reporter.mark(), self.here.copy(), self.out, []
        try:
            value: Expr | None = call()
        except Unreachable:
            value = None
        finally:
            statements, self.out = self.out, outer
        is_wrong = bool(self.reporter.since(mark))
        is_doubted = getattr(denotation, "spelling", "") in ASKED_FIRST or denotation == BuiltinDenotation("dict")
        if value is not None and value.type != NEVER and not (is_wrong or is_doubted or isinstance(value, Static)):
            outer.extend(statements)
            return value
        after, self.env = self.env, before.copy()
        left = self.certainly_left(node, denotation)
        if left is not None:
            self.reporter.rewind(mark)
            return left
        if is_wrong:
            self.reporter.rewind(mark)
            self.env = before
            return call()
        self.env = after
        outer.extend(statements)
        if value is None:
            raise Unreachable
        return value

    def certainly_left(self, node: syntax.Call, denotation: Denotation) -> Expr | None:
        """The TypeError that CPython raises for all arguments of these types."""
        mark = self.reporter.mark()
        with self.collect() as statements:
            given = [self.expr(argument) for argument in node.args]
            named = [(each.arg, self.expr(each.value)) for each in node.keywords if each.arg is not None]
        receiver = getattr(denotation, "receiver", None)
        values = [*([] if receiver is None else [receiver]), *given, *(value for _, value in named)]
        if self.reporter.since(mark) or is_silent(*values):
            self.reporter.rewind(mark)
            return None
        function = spelled_function(denotation, None if receiver is None else resolve(receiver.type))
        text = certain_error(function, values, [name for name, _ in named])
        if not text:
            return None
        self.out.extend(statements)
        return self.left_to_run(node, ("TypeError", text), values)

    def misfit_of_one(self, node: syntax.Call, spelling: str, values: Sequence[Expr], named: Named) -> Expr | None:
        """The TypeError of a container's method of one argument that gets another number, where it is left to the
        run; the container is the first of the values."""
        if spelling not in OF_ONE or len(values) == 2 and not named:
            return None
        what = "no keyword arguments" if named else f"exactly one argument ({len(values) - 1} given)"
        text = f"{class_name(values[0].type)}{spelling}() takes {what}"
        return self.left_to_run(node, ("TypeError", text), values)

    def refuse_call(self, node: Expr | Span, source: FunctionSource, text: str, hint: str | None = None) -> None:
        """Arguments that do not fit the parameters: a message, or why the call fails when it is run."""
        if self.chosen_calls.leaves:
            self.chosen_calls.wrong = f"{source.qualified}() {text}"
        else:
            self.error(node, f"{source.name}() {text}", hint)

    def failed_call(self, span: Span, written: Sequence[Expr]) -> Expr:
        """What a call is whose arguments do not fit: the TypeError that was left to the run, or silence."""
        text, self.chosen_calls.wrong = self.chosen_calls.wrong, ""
        if not text:
            return Const(ERROR, span, None)
        self.chosen_calls.failed += 1
        given = [value for value in written if not isinstance(value, Static)]
        if is_silent(*given):
            return self.silent(span, given)
        return self.silent(span, [*given, self.raise_error(span, "TypeError", text)])
