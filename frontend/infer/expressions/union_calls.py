"""Builtin functions of one number or text, called with a value whose class is known at run time only.

In: operands that no row takes as they are. Out: the row for each class that fits, CPython's TypeErrors for the rest.
Holds: this is for values of type Any and unions that inference found; None where the text of the error is not certain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from ....ir.operators import Operator
from ....ir.operators import spelled as rows_spelled
from ....ir.types import ANY, BOOL, BYTES, FLOAT, INT, STR, TENSOR, ListType, Type, arms_of
from ...core.conversions import is_tensor_or_number, once_all, operate
from ...core.denotations import BuiltinDenotation
from ...core.matcher import Named, NoMatch, match
from ...core.placeholders import join, resolve
from ...core.typed import Choose, Const, Expr, IsType, ReadTemp, Recast, Static, Temp, is_silent
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import any_values as prelude
from ..base import InferenceBase
from ..operand_errors import class_name
from ..sampled_errors import certain_error, spelled_function
from ..type_facts import converted_to

INTEGRAL = ("'", "' object cannot be interpreted as an integer")
TEXTS = {
    "round()": ("type ", " doesn't define __round__ method"),
    "abs()": ("bad operand type for abs(): '", "'"),
    "int()": ("int() argument must be a string, a bytes-like object or a real number, not '", "'"),
    "float()": ("float() argument must be a string or a real number, not '", "'"),
    "chr()": INTEGRAL, "hex()": INTEGRAL, "bin()": INTEGRAL, "oct()": INTEGRAL,
}  # of TypeErrors, around the name of the class of the first argument
OF_REALS = ("must be real number, not ", "")
ASKED = ("__round__", "__abs__", "__int__", "__float__", "__index__", "__trunc__")
PLAIN = (BOOL, INT, FLOAT, STR)  # what Any is tried as


class UnionCallInference(InferenceBase):
    """Calls of functions that take several classes."""

    def operated_by_class(
        self, span: Span, spelling: str, values: Sequence[Expr], rows: Sequence[Operator]
    ) -> Expr | None:
        """`spelling` of operands the first of which is of one of several classes."""
        node = syntax.Node(span)
        if spelling == ".join" and len(values) == 2 and may_be_texts(values[1].type):
            return self.by_prelude(node, prelude.joined, values)
        texts = texts_of(spelling)
        if not values or is_silent(*values) or any(isinstance(value, Static) for value in values):
            return None
        if texts is None:
            return self.operated_where_taken(node, spelling, values, rows)

        def takes(kind: Type) -> bool:
            if kind == ANY:
                return False
            try:
                match(spelling, [ReadTemp(kind, values[0].span, Temp()), *values[1:]], (), rows)
            except NoMatch:
                return False
            return True

        if resolve(values[0].type) == ANY:
            arms = [kind for kind in PLAIN if takes(kind)]
            if any(map(self.asks_any_quietly, ASKED)) or not arms:
                return None
            return once_all(values, lambda held: self.operated_as(node, spelling, held, rows, arms))
        if not self.is_told_apart(values[0]) and not self.is_left(span):
            return None

        def error(kind: Type, *others: Type) -> str | None:
            name = None if takes(kind) else class_name(kind)
            return name and f"{texts[0]}{name}{texts[1]}"

        return self.by_arms(node, values, error, lambda *held: self.operate(node, spelling, held, (), rows))

    def operated_where_taken(
        self, node: syntax.Node, spelling: str, values: Sequence[Expr], rows: Sequence[Operator]
    ) -> Expr | None:
        """The operator of a text or function for each combination of the operands' classes that it takes."""
        function = python_function(spelling, values[0])
        if function is None or not self.are_few_unions(values) or not any(map(self.is_told_apart, values)):
            return None

        def error(*kinds: Type) -> str | None:
            given = [value if resolve(value.type) == kind else ReadTemp(kind, value.span, Temp())
                     for kind, value in zip(kinds, values)]
            try:
                match(spelling, given, (), rows)
            except NoMatch:
                return certain_error(function, given)
            return None

        if all(error(*kinds) for kinds in product(*(arms_of(resolve(value.type)) for value in values))):
            return None
        return self.by_arms(node, values, error, lambda *held: self.operate(node, spelling, held, (), rows))

    def by_tensors(
        self, span: Span, spelling: str, values: Sequence[Expr], named: Named, rows: Sequence[Operator]
    ) -> Expr | None:
        """The operator on what a sum() of tensors may be, where it takes a tensor only: a number raises TypeError."""
        whole, names = [*values, *(value for _, value in named)], [name for name, _ in named]
        if spelling.startswith("_") or not any(is_tensor_or_number(resolve(value.type)) for value in whole):
            return None

        def call(of: Sequence[Expr]) -> tuple[Sequence[Expr], Named]:
            return of[: len(values)], list(zip(names, of[len(values) :]))

        def takes(of: Sequence[Expr]) -> bool:
            try:
                match(spelling, *call(of), rows)
            except NoMatch:
                return False
            return True

        tensors = [
            Recast(TENSOR, value.span, value) if is_tensor_or_number(resolve(value.type)) else value for value in whole]
        if not takes(tensors):
            return None
        for place, value in enumerate(whole):
            for arm in arms_of(resolve(value.type)) if tensors[place] is not value else ():
                number = ReadTemp(arm, value.span, Temp())
                if arm != TENSOR and takes([*tensors[:place], number, *tensors[place + 1 :]]):
                    return None
        return self.operate(span, spelling, *call(tensors), rows)

    def asks_any_quietly(self, method: str) -> bool:
        """Whether some class of the program has the special method."""
        return any(hasattr(info.python, method) for info in self.session.classes.info.values())

    def operated_as(
        self, node: syntax.Node, spelling: str, held: Sequence[Expr], rows: Sequence[Operator], arms: Sequence[Type]
    ) -> Expr:
        """The operator for each class of a value of type Any that it takes; the TypeError for all others."""
        whole, rest = held[0], held[1:]
        texts = texts_of(spelling)
        assert texts is not None
        text = operate("add.str", Const(STR, node.span, texts[0]), operate("class_name.any", whole))
        found = self.raise_error(node.span, "TypeError", operate("add.str", text, Const(STR, node.span, texts[1])))
        results = [self.operate(node, spelling, [Recast(arm, node.span, whole), *rest], (), rows) for arm in arms]
        kind = join(*(result.type for result in results))
        for arm, result in reversed(list(zip(arms, results))):
            test = IsType(BOOL, node.span, whole, arm)
            found = Choose(kind, node.span, test, converted_to(result, kind), found, [])
        return found


def may_be_texts(kind: Type) -> bool:
    """Whether it is a list that holds texts among other things."""
    kind = resolve(kind)
    arms = arms_of(kind.element) if isinstance(kind, ListType) else ()
    return ANY in arms or len(arms) > 1 and STR in arms


def python_function(spelling: str, first: Expr) -> Callable[..., object] | None:
    """A method of texts or a function, as Python has it."""
    owner = resolve(first.type)
    if not spelling.startswith("."):
        return spelled_function(BuiltinDenotation(spelling.removesuffix("()")), None)
    return spelled_function(BuiltinDenotation(spelling), owner) if owner in (STR, BYTES) else None


def texts_of(spelling: str) -> tuple[str, str] | None:
    """What stands around the name of a class in the TypeError about an argument of it; None where it is not known."""
    if spelling in TEXTS:
        return TEXTS[spelling]
    rows = rows_spelled(spelling) if spelling.startswith("math.") else ()
    firsts = {row.schema.params[0].type for row in rows if row.schema.params}
    is_real = FLOAT in firsts and firsts <= {INT, FLOAT}
    return OF_REALS if is_real else None
