"""Inference of `t.tolist()`, a list for each dimension of a tensor, and of `t.item()` of a known kind of number.

In: the call, and the type that its place declares. Out: loops over rows, and the row's numbers at once.
Holds: how many dimensions and which dtype there are is known at run time. An annotation says the type; where there is
none the list is asked when the program runs, or taken for the first type that the function can do its work with; what
does not fit a type raises TypeError.
"""

from __future__ import annotations

from ....ir.types import ANY, BOOL, FLOAT, INT, SCALAR, TENSOR, ListType, Type, arms_of, union
from ...core.conversions import operate
from ...core.denotations import SpecialDenotation
from ...core.placeholders import Placeholder, resolve
from ...core.typed import ERROR, STATIC, Const, Expr, Recast, Static
from ...parser import syntax
from ...prelude import tensor_lists as prelude
from ..base import InferenceBase, Jump

LEAVES: dict[Type, str] = {BOOL: "tolist.bools", INT: "tolist.ints", FLOAT: "tolist.floats"}
HINT = "annotate what takes it, as in: rows: list[list[float]] = t.tolist(); for one number use t.item()"
REAL = union(BOOL, INT, FLOAT)
GUESSES: tuple[Type, ...] = (ANY, *(ListType(leaf) for leaf in (SCALAR, REAL, INT, FLOAT)), *(
    ListType(ListType(leaf)) for leaf in (SCALAR, INT, FLOAT)))  # of a list that nothing declares, in turn
NUMBERS = {SCALAR: prelude.numbers_of, REAL: prelude.real_numbers_of}
# A guess that goes through says the type only if its rival does not.
RIVALS: dict[Type, Type] = {ListType(INT): ListType(FLOAT), ListType(ListType(INT)): ListType(ListType(FLOAT))}


class TensorListInference(InferenceBase):
    """Tensors as lists."""

    def tolist_method(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        if resolve(owner.type) != TENSOR or name not in ("tolist", "item"):
            return None
        if name == "item" and self.number_kind(owner) is None:
            return None
        return Static(STATIC, node.span, SpecialDenotation(name, owner))

    def _special_item(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        assert denotation.receiver is not None
        kind = self.number_kind(denotation.receiver)
        if kind is None or not self.has_count(node, "item", 0):
            return Const(ERROR, node.span, None)
        return Recast(kind, node.span, operate("item", denotation.receiver))

    def call_tolist(self, node: syntax.Call, denotation: SpecialDenotation, want: Type | None) -> Expr:
        assert denotation.receiver is not None
        if node.args or node.keywords:
            return self.error(node, "tolist() takes no arguments")
        kinds = [arm for arm in arms_of(resolve(want)) if isinstance(arm, ListType)] if want else []
        leaf: Type | None = kinds[0] if len(kinds) == 1 else None
        while isinstance(leaf, ListType):
            leaf = resolve(leaf.element)
        if leaf is None or isinstance(leaf, Placeholder):
            return self.guessed_list(node, denotation.receiver)
        if leaf == ANY:
            return Recast(kinds[0], node.span, self.by_prelude(node, prelude.nested_numbers, [denotation.receiver]))
        if leaf not in LEAVES:
            return self.error(node, f"tolist() gives lists of bool, int or float, not {kinds[0]}", HINT)
        return self.tensor_rows(node, denotation.receiver, kinds[0])

    def guessed_list(self, node: syntax.Call, tensor: Expr) -> Expr:
        """The list where nothing says its type: as the guess that is being tried takes it."""
        self.spec.has_guessed = True
        if self.spec.guess == len(GUESSES):
            return self.error(node, "the type of what tolist() gives is not known here", HINT)
        guess = GUESSES[self.spec.guess]
        if guess == ANY:
            return self.by_prelude(node, prelude.nested_numbers, [tensor])
        assert isinstance(guess, ListType)
        kind = self.number_kind(tensor)
        if kind is not None:
            is_nested = isinstance(guess.element, ListType)
            return self.tensor_rows(node, tensor, ListType(ListType(kind) if is_nested else kind))
        return self.tensor_rows(node, tensor, guess)

    def is_any_guessed(self) -> bool:
        """Whether lists of numbers are being tried as Any, which later guesses say better."""
        return self.spec.has_guessed and self.spec.guess < len(GUESSES) and GUESSES[self.spec.guess] == ANY

    def tensor_rows(self, node: syntax.Call, tensor: Expr, kind: ListType) -> Expr:
        element = resolve(kind.element)
        if element in NUMBERS:
            return self.by_prelude(node, NUMBERS[element], [tensor])
        if not isinstance(element, ListType):
            return operate(LEAVES[element], tensor)

        def build(result: Expr) -> None:
            def each(item: Expr, on_break: Jump, on_continue: Jump) -> None:
                self.evaluate(self.operate(node, ".append", [result, self.tensor_rows(node, item, element)]))

            self.walk(node.span, self.iterate_value(node, tensor), frozenset(), None, None, each, None)

        return self.gather(node, kind, build)
