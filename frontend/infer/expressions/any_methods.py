"""Methods of values of type Any: of texts, bytes, numbers, lists and dicts, whichever the run shows.

In: the call of a method that some built-in class has. Out: a branch for each class that has it, CPython's
AttributeError for all others. Holds: the class is found before the arguments are evaluated, as in Python; a method that
changes a list or dict works where nothing but values of type Any hold it, or its elements are Any or plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import ANY, BOOL, BYTES, COMPLEX, FLOAT, INT, NONE, STR, DictType, ListType, SetType, TupleType, Type
from ...compilation.frames import MARK
from ...core.conversions import operate, to_any
from ...core.denotations import UnionMethodDenotation
from ...core.placeholders import resolve
from ...core.typed import NEVER, Choose, Const, Do, Expr, IsType, MakeTuple, Recast, boolean, none
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import any_values as prelude
from ..base import InferenceBase

PLAIN = (INT, STR, FLOAT, BOOL)  # elements that a value of type Any is tried with
SIMPLE: dict[type, Type] = {str: STR, bytes: BYTES, int: INT, float: FLOAT, complex: COMPLEX}
READING = ("index", "count")  # of a list
ORDERING = ("sort", "reverse")  # which leave a list of ints one
HELD = (list, dict, set)
SAMPLES: dict[Type, object] = {STR: "", INT: 0, FLOAT: 0.0, BOOL: False}
Arm = tuple[Expr, Expr]  # the test of a class, and the value as one of it


def has_plain_method(name: str) -> bool:
    """Whether values of some built-in class have a method that values of type Any may be asked for."""
    return not name.startswith("_") and any(callable(getattr(python, name, None)) for python in (*SIMPLE, *HELD))


class AnyMethodInference(InferenceBase):
    """Methods of what the run shows."""

    def by_tests(
        self, span: Span, arms: Sequence[Arm], use: Callable[[Expr], None], otherwise: Callable[[], None]
    ) -> None:
        """`use` of the value that belongs to the first test that holds."""
        def take(rest: Sequence[Arm]) -> None:
            if not rest:
                otherwise()
                return
            test, taken = rest[0]
            self.branch(span, test, self.here, self.here.copy(), None, lambda: use(taken), lambda: take(rest[1:]))

        take(arms)

    def arms_of_any(self, span: Span, value: Expr, kinds: Sequence[Type]) -> list[Arm]:
        """Tests of types; a list or dict that only values of type Any hold takes everything."""
        arms: list[Arm] = []
        for kind in kinds:
            if kind == ListType(ANY):
                arms.append((operate("is_open.list", value), operate("open.list", value)))
            elif isinstance(kind, DictType) and kind.value == ANY and (key := sample(kind.key, span)) is not None:
                test: Expr = operate("is_open.dict", value)
                if kind.key != ANY:
                    test = Choose(BOOL, span, test, IsType(BOOL, span, value, kind), boolean(span, False), [])
                arms.append((test, operate("open.dict", value, key, result=kind)))
        return arms + [(IsType(BOOL, span, value, kind), Recast(kind, span, value)) for kind in kinds]

    def call_of_any(self, node: syntax.Call, denotation: UnionMethodDenotation) -> Expr:
        name = denotation.name
        owners = [python for python in (*SIMPLE, *HELD) if callable(getattr(python, name, None))]
        classes = self.classes_having(name)
        result = MARK + self.hidden("result")
        with self.collect() as statements:
            owner = self.hold(denotation.receiver)

            def call(one: Expr) -> Expr:
                return self.valued(self.call_of(node, self.attribute(node.func, one, name, None), None))

            def use(one: Expr) -> None:
                found = call(one)
                is_one = len(owners) == 1 and not classes and resolve(one.type) in SIMPLE.values()
                is_one = is_one or not owners or resolve(found.type) == NONE
                self.store(result, found if is_one else to_any(found))

            def fail() -> None:
                names = ",".join(python.__name__ for python in owners)
                given = [owner, Const(STR, node.span, name), Const(STR, node.span, names)]
                self.evaluate(self.by_prelude(node, prelude.refuse_method, given))

            arms = self.instances_among(node.span, owner, classes) + self.arms_with(node, owner, name, owners)
            self.by_tests(node.span, [arm for arm in arms if self.is_called(arm, call)] or arms, use, fail)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
            value = self.read_hidden(result, node.span)
            self.drop([result])
        return Do(value.type, node.span, statements, value)

    def is_called(self, arm: Arm, call: Callable[[Expr], Expr]) -> bool:
        """Whether a class takes the arguments: one that does not raises TypeError where it is met."""
        mark, before = self.reporter.mark(), self.here.copy()
        with self.collect():
            call(arm[1])
        is_wrong = bool(self.reporter.since(mark))
        self.reporter.rewind(mark)
        self.env = before
        return not is_wrong

    def arms_with(self, node: syntax.Call, owner: Expr, name: str, owners: Sequence[type]) -> list[Arm]:
        kinds: list[Type] = [SIMPLE[python] for python in owners if python in SIMPLE]
        arms = self.arms_of_any(node.span, owner, kinds)
        if list in owners and name in READING:
            is_list = operate("eq.str", operate("class_name.any", owner), Const(STR, node.span, "list"))
            arms.append((is_list, operate("list.from_any", owner)))
        elif list in owners:
            anything = self.arms_of_any(node.span, owner, [ListType(ANY)])
            known = self.arms_of_any(node.span, owner, [ListType(element) for element in PLAIN])
            arms += [*known, *anything] if name in ORDERING else [*anything, *known]
        if dict in owners:
            key = self.key_type(node)
            arms += self.arms_of_any(node.span, owner, [DictType(key, value) for value in (ANY, *PLAIN)])
        if set in owners:
            arms += self.arms_of_any(node.span, owner, [SetType(element) for element in PLAIN])
        return arms

    def key_type(self, node: syntax.Call) -> Type:
        """The type of the key that a dict is asked for; of a method without one, any."""
        kind = self.natural_type(node.args[0]) if node.args else None
        return STR if kind is None or not kind.is_hashable or kind == NONE else kind


def sample(kind: Type, span: Span) -> Expr | None:
    """Some value of the type of a key; None where there is no constant of that type."""
    kind = resolve(kind)
    if kind == ANY:
        return to_any(none(span))
    if isinstance(kind, TupleType) and not kind.is_variadic:
        items = [sample(element, span) for element in kind.elements]
        found = [item for item in items if item is not None]
        return MakeTuple(kind, span, found) if len(found) == len(items) else None
    return Const(kind, span, SAMPLES[kind]) if kind in SAMPLES else None
