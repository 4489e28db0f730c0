"""Inference of `match`: each pattern becomes a condition over hidden names, each case an arm of an if/elif chain.

In: match statements. Out: branches; the conditions are inferred as any other, so they narrow the subject's type.
Holds: the subject is evaluated once; names are bound when the whole pattern has matched, before the guard.
"""

from __future__ import annotations

from typing import NoReturn

from ....ir.types import ANY, Type, arms_of
from ...compilation.frames import MARK
from ...core.denotations import ClassDenotation
from ...core.placeholders import resolve
from ...core.typed import Static, is_silent
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..containers.deques import DEQUE, RANGE
from ..type_facts import holds_any
from .exhaustion import leaves_nothing

Bindings = dict[str, syntax.Name]  # a captured name, and the hidden one that holds its value
WHOLE = (bool, bytes, dict, float, frozenset, int, list, set, str, tuple)  # `int(x)` captures the subject itself


class _Refused(Exception):
    """A pattern that was reported."""


class MatchInference(InferenceBase):
    """match."""

    def _Match(self, node: syntax.Match) -> None:
        subject = self.value(node.subject)
        name = self.hidden("subject")
        self.store(name, subject)
        if self.env is None:
            return
        hidden = [name]
        live = self.live_after(node)
        known = self.subject_variable(node.subject)

        def run(number: int) -> None:
            if number == len(node.cases):
                if leaves_nothing(self, node.cases, self.here.variables[name].type):
                    self.evaluate(self.raise_error(node.span, "AssertionError", "no case matches"))
                return
            case = node.cases[number]
            test = self.case_test(case, name, hidden)
            if test is None:
                return
            if case.guard is not None:
                self.guarded[case.guard] = lambda: self.narrow_subject(name, known)
            condition, true, false = self.condition(test)
            if is_silent(condition):
                self.evaluate(condition)
                return

            def taken() -> None:
                self.narrow_subject(name, known)
                self.body(case.body)

            self.branch(case.pattern.span, condition, true, false, live, taken, lambda: run(number + 1))

        run(0)
        self.drop(hidden)

    def subject_variable(self, subject: syntax.Node) -> tuple[str, int] | None:
        """The variable that is matched, and which of its values; None for other subjects."""
        full = self.find_name(subject.id) if isinstance(subject, syntax.Name) and not self.spec.celled else None
        state = self.here.variables.get(full) if full is not None else None
        return None if full is None or state is None or state.static is not None else (full, state.definition)

    def narrow_subject(self, hidden: str, known: tuple[str, int] | None) -> None:
        """In a case, a variable has the type that the patterns left its value, unless they stored another one in it."""
        state = self.here.variables.get(known[0]) if known is not None else None
        if known is not None and state is not None and state.definition == known[1]:
            self.here.narrow(known[0], self.here.variables[hidden].type)

    def case_test(self, case: syntax.match_case, subject: str, hidden: list[str]) -> syntax.Expression | None:
        """The condition of a case; None after reporting."""
        builder = _Patterns(self, hidden, subject)
        bindings: Bindings = {}
        span = case.pattern.span
        try:
            tests = builder.tests(case.pattern, syntax.Name(span, subject), bindings)
        except _Refused:
            return None
        tests += [_bind(span, name, value) for name, value in bindings.items()]
        if case.guard is not None:
            tests.append(case.guard)
        return _all(span, tests)


def _all(span: Span, tests: list[syntax.Expression]) -> syntax.Expression:
    if not tests:
        return syntax.Constant(span, True)
    return tests[0] if len(tests) == 1 else syntax.BoolOp(span, "and", tests)


def _bind(span: Span, name: str, value: syntax.Expression) -> syntax.Expression:
    """`(name := value,)`, which is true."""
    return syntax.Tuple(span, [syntax.NamedExpr(span, syntax.Name(span, name), value)])


class _Patterns:
    """Patterns of one case as conditions."""

    def __init__(self, inference: MatchInference, hidden: list[str], whole: str) -> None:
        self.inference = inference
        self.hidden = hidden
        state = inference.here.variables.get(whole)
        self.may_be_range = state is not None and self.holds_range(state.type)

    def refuse(self, node: syntax.Node, message: str, hint: str | None = None) -> NoReturn:
        self.inference.error(node, message, hint)
        raise _Refused

    def holds_range(self, kind: Type) -> bool:
        """Whether a part of a value may be a range, and none is an Any, which is no range."""
        arms = arms_of(resolve(kind))
        is_here = any(self.inference.is_instance_of(arm, range) for arm in arms)
        return not holds_any(kind) and (is_here or any(self.holds_range(part) for arm in arms for part in arm.members))

    def new_name(self) -> str:
        self.hidden.append(MARK + self.inference.hidden("part"))  # unlike other hidden ones, kept by merges
        return self.hidden[-1]

    def tests(self, pattern: syntax.Pattern, subject: syntax.Name, found: Bindings) -> list[syntax.Expression]:
        span = pattern.span
        if isinstance(pattern, syntax.MatchValue):
            return [syntax.Compare(span, subject, ["=="], [pattern.value])]
        if isinstance(pattern, syntax.MatchSingleton):
            return self.singleton(pattern, subject)
        if isinstance(pattern, syntax.MatchAs):
            tests = [] if pattern.pattern is None else self.tests(pattern.pattern, subject, found)
            if pattern.name is not None:
                found[pattern.name] = subject
            return tests
        if isinstance(pattern, syntax.MatchOr):
            return [self.alternatives(pattern, subject, found)]
        if isinstance(pattern, syntax.MatchSequence):
            return self.sequence(pattern, subject, found)
        if isinstance(pattern, syntax.MatchMapping):
            return self.mapping(pattern, subject, found)
        if isinstance(pattern, syntax.MatchClass):
            return self.instance(pattern, subject, found)
        return self.refuse(pattern, "this pattern is not supported in scripts")

    def is_of(self, span: Span, subject: syntax.Name, *classes: str) -> syntax.Expression:
        """isinstance(subject, classes), of builtins."""
        names = [syntax.Name(span, name) for name in classes]
        for name in [syntax.Name(span, "isinstance"), *names]:
            if not self.inference.is_builtin(name, name.id):
                text = f"'{name.id}' is not the builtin here, which this pattern needs"
                self.refuse(name, text, "rename the variable")
        kinds: syntax.Expression = names[0] if len(names) == 1 else syntax.Tuple(span, list(names))
        return syntax.Call(span, syntax.Name(span, "isinstance"), [subject, kinds], [])

    def singleton(self, pattern: syntax.MatchSingleton, subject: syntax.Name) -> list[syntax.Expression]:
        span = pattern.span
        constant = syntax.Constant(span, pattern.value)
        if pattern.value is None:
            return [syntax.Compare(span, subject, ["is"], [constant])]
        return [self.is_of(span, subject, "bool"), syntax.Compare(span, subject, ["=="], [constant])]

    def alternatives(self, pattern: syntax.MatchOr, subject: syntax.Name, found: Bindings) -> syntax.Expression:
        span = pattern.span
        shared: dict[str, str] = {}
        arms: list[syntax.Expression] = []
        for alternative in pattern.patterns:
            own: Bindings = {}
            tests = self.tests(alternative, subject, own)
            for name, value in own.items():
                shared.setdefault(name, self.new_name())
                tests.append(_bind(span, shared[name], value))
            arms.append(_all(span, tests))
        found.update((name, syntax.Name(span, hidden)) for name, hidden in shared.items())
        return syntax.BoolOp(span, "or", arms)

    def part(
        self, pattern: syntax.Pattern, value: syntax.Expression, found: Bindings
    ) -> list[syntax.Expression]:
        """A pattern on a part of the subject."""
        if isinstance(pattern, syntax.MatchAs) and pattern.pattern is None and pattern.name is None:
            return []
        name = self.new_name()
        return [_bind(pattern.span, name, value), *self.tests(pattern, syntax.Name(pattern.span, name), found)]

    def sequence(
        self, pattern: syntax.MatchSequence, subject: syntax.Name, found: Bindings
    ) -> list[syntax.Expression]:
        span, count = pattern.span, len(pattern.patterns)
        stars = [i for i, item in enumerate(pattern.patterns) if isinstance(item, syntax.MatchStar)]
        is_sequence = self.is_of(span, subject, "list", "tuple")
        assert isinstance(is_sequence, syntax.Call) and isinstance(is_sequence.args[1], syntax.Tuple)
        is_sequence.args[1].elts.append(syntax.Name(span, DEQUE))
        state = self.inference.here.variables.get(subject.id)
        if self.may_be_range if state is None else ANY not in arms_of(resolve(state.type)):
            is_sequence.args[1].elts.append(syntax.Name(span, RANGE))
        tests: list[syntax.Expression] = [is_sequence]
        length = syntax.Call(span, syntax.Name(span, "len"), [subject], [])
        least = syntax.Constant(span, count - len(stars))
        tests.append(syntax.Compare(span, length, [">=" if stars else "=="], [least]))
        for i, item in enumerate(pattern.patterns):
            if isinstance(item, syntax.MatchStar):
                if item.name is not None:
                    found[item.name] = syntax.Name(item.span, self.new_name())
                    rest = self.rest(item.span, subject, i, count - i - 1)
                    tests.append(_bind(item.span, found[item.name].id, rest))
                continue
            place = i if not stars or i < stars[0] else i - count
            index = syntax.Constant(item.span, place)
            tests += self.part(item, syntax.Subscript(item.span, subject, index), found)
        return tests

    def rest(self, span: Span, subject: syntax.Name, start: int, after: int) -> syntax.Expression:
        """The list of what a star takes."""
        upper = syntax.Constant(span, -after) if after else None
        part = syntax.Slice(span, syntax.Constant(span, start), upper, None)
        return syntax.Call(span, syntax.Name(span, "list"), [syntax.Subscript(span, subject, part)], [])

    def mapping(self, pattern: syntax.MatchMapping, subject: syntax.Name, found: Bindings) -> list[syntax.Expression]:
        span = pattern.span
        tests = [self.is_of(span, subject, "dict")]
        for key, item in zip(pattern.keys, pattern.patterns):
            tests.append(syntax.Compare(span, key, ["in"], [subject]))
            tests += self.part(item, syntax.Subscript(item.span, subject, key), found)
        if pattern.rest is not None:
            hidden = self.new_name()
            tests.append(_bind(span, hidden, self.other_entries(pattern, subject)))
            found[pattern.rest] = syntax.Name(span, hidden)
        return tests

    def other_entries(self, pattern: syntax.MatchMapping, subject: syntax.Name) -> syntax.Expression:
        """The dict of what `**rest` takes."""
        span = pattern.span
        pair: list[syntax.Expression] = [syntax.Name(span, ".key"), syntax.Name(span, ".value")]
        tests: list[syntax.Expression] = [syntax.Compare(span, pair[0], ["!="], [key]) for key in pattern.keys]
        items = syntax.Call(span, syntax.Attribute(span, subject, "items"), [], [])
        part = syntax.comprehension(span, syntax.Tuple(span, pair), items, tests)
        return syntax.DictComp(span, pair[0], pair[1], [part])

    def instance(self, pattern: syntax.MatchClass, subject: syntax.Name, found: Bindings) -> list[syntax.Expression]:
        span = pattern.span
        value = self.inference.expr(pattern.cls)
        python = getattr(value.denotation, "python", None) if isinstance(value, Static) else None
        if isinstance(value, Static) and not isinstance(value.denotation, ClassDenotation):
            named = getattr(value.denotation, "name", "")
            python = next((kind for kind in (*WHOLE, range) if kind.__name__ == named), python)
        if not isinstance(python, type):
            self.refuse(pattern.cls, "a class pattern needs a class known at compile time")
        test = syntax.Call(span, syntax.Name(span, "isinstance"), [subject, pattern.cls], [])
        tests: list[syntax.Expression] = [test]
        if python in WHOLE:
            if len(pattern.patterns) > 1 or pattern.kwd_attrs:
                self.refuse(pattern, f"{python.__name__}() takes at most one sub-pattern here")
            for item in pattern.patterns:
                tests += self.tests(item, subject, found)
            return tests
        names = getattr(python, "__match_args__", ())
        if not (isinstance(names, tuple) and all(isinstance(name, str) for name in names)):
            self.refuse(pattern, f"'{python.__name__}.__match_args__' is no tuple of texts")
        twice = next((name for name in pattern.kwd_attrs if name in names[: len(pattern.patterns)]), None)
        if twice is not None:
            self.refuse(pattern, f"{python.__name__}() got multiple sub-patterns for attribute '{twice}'")
        if len(pattern.patterns) > len(names):
            text = f"{python.__name__}() accepts {len(names)} positional sub-patterns"
            self.refuse(pattern, text, "name the attributes")
        pairs = [*zip(names, pattern.patterns), *zip(pattern.kwd_attrs, pattern.kwd_patterns)]
        for attribute, item in pairs:
            tests += self.part(item, syntax.Attribute(item.span, subject, attribute), found)
        return tests
