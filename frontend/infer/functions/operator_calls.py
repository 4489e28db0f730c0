"""Inference of calls of operators: the rows that a spelling has, asked with what the call gives.

In: a call and the operator that it names. Out: an operation of one of its rows.
Holds: arguments are evaluated in the order written; what builtin types do otherwise than a row comes before the rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....binding.dispatch import extensions
from ....binding.numpy_names import NUMPY_NAMES
from ....ir.operators import Operator
from ....ir.operators import spelled as rows_spelled
from ....ir.types import NONE, DictType, FrozenSetType, ListType, SetType, TupleType, Type
from ...core.denotations import OperatorDenotation, SpecialMethodDenotation
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import (
    Expr,
    Static,
    is_silent,
)
from ...parser import syntax
from ..base import InferenceBase
from ..collection_types import KEYWORDS, is_deque
from ..operand_errors import iteration_error
from ..parts import Named
from ..type_facts import dict_class, is_receiver
from .keyword_names import refused_keyword, type_name


class OperatorCallInference(InferenceBase):
    """Calls of operators."""

    def list_to_join(self, node: syntax.Node) -> Expr:
        """What `join` gets, as a list."""
        if self.is_lazy(node) or isinstance(node, syntax.GeneratorExp):
            return self.list_from(node)
        joined = self.fitting(node, self.expr(node), lambda kind: iteration_error(kind) and "can only join an iterable")
        return self.list_of(node, joined)

    def refused_keyword(self, node: syntax.Call, denotation: OperatorDenotation) -> str | None:
        """Why CPython does not take a keyword of this call."""
        before, _, name = denotation.spelling.rpartition(".")
        kind = None if denotation.receiver is None else type_name(resolve(denotation.receiver.type))
        if denotation.receiver is not None and f"{dict_class(denotation.receiver.type)}.{name}" in KEYWORDS:
            return None
        owner = kind or (before if before in ("math", "cmath") else None)
        return owner and refused_keyword(owner, name, [each.arg for each in node.keywords if each.arg is not None])

    def call_operator(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr:
        if isinstance(denotation, SpecialMethodDenotation):
            return self.call_special(node, denotation.called())
        spelling, receiver = denotation.spelling, denotation.receiver
        refused = self.refused_keyword(node, denotation)
        if refused is not None:
            return self.error(node, f"TypeError: {refused}", "pass the arguments by position")
        if (made := self.call_of_builtin_type(node, denotation)) is not None:
            return made
        rows = rows_spelled(spelling)
        if not rows:
            return self.error(node.func, f"'{spelling}' is not supported in scripts yet")
        if receiver is not None:
            kind = resolve(receiver.type)
            rows = tuple(row for row in rows if is_receiver(row.schema.params[0].type, kind))
            special = self.call_set_method(node, denotation) if isinstance(kind, SetType) else None
            if special is not None:
                return special
        stars = [each for each in node.args if isinstance(each, syntax.Starred)]
        if stars:
            return self.error(stars[0], "'*' is not supported in a call of an operator", "write the arguments out")
        pairs = [each for each in node.keywords if each.arg is None]
        if pairs:
            return self.error(pairs[0], "'**' in a call is not supported yet", "write the keyword arguments out")
        positional = self.operands_by_place(node, denotation, rows)
        named = self.operands_by_name(node, spelling, rows)
        return self.asked_of_rows(node, spelling, positional, named, rows)

    def call_of_builtin_type(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr | None:
        """What a method of a builtin type does otherwise than a row; None where a row is asked."""
        spelling, receiver = denotation.spelling, denotation.receiver
        made = self.call_text_method(node, denotation) or self.call_number_method(node, denotation)
        if receiver is not None and spelling == ".copy" and is_deque(receiver.type):
            return self.call_copy_of_deque(node, receiver)
        if receiver is not None and dict_class(receiver.type):
            made = self.call_dict_class_method(node, receiver, spelling)
        made = made or self.call_sequence_method(node, denotation)
        if made is not None or receiver is None:
            return made
        if spelling == ".sort" and any(keyword.arg == "key" for keyword in node.keywords):
            return self.sort_list(node, receiver)
        if isinstance(resolve(receiver.type), FrozenSetType):
            return self.call_frozenset_method(node, denotation)
        return None

    def operands_by_place(
        self, node: syntax.Call, denotation: OperatorDenotation, rows: Sequence[Operator]
    ) -> list[Expr]:
        """The receiver and the positional arguments, of the types that the rows' parameters or the receiver want."""
        spelling, receiver = denotation.spelling, denotation.receiver
        if spelling == ".to":
            return [*([] if receiver is None else [receiver]), *self.operands_of_move(node)]
        wants = rows[0].schema.params
        container = receiver if receiver is not None and is_container(receiver.type) else None
        element = element_hint(container) if container is not None and self.is_declared(container) else None
        positional = [] if receiver is None else [receiver]
        for argument in node.args:
            if spelling == ".join":
                positional.append(self.list_to_join(argument))
                continue
            place = len(positional)
            wanted = wants[place].type if place < len(wants) and not wants[place].type.members else None
            if container is not None and spelling in FILLING:
                wanted = element or self.wanted_element(container, argument)
            given = self.value(argument, wanted)
            if spelling == "tsm.tensor" and self.is_kept_range(resolve(given.type)):
                given = self.list_of(argument, given)
            if container is not None and element is not None and spelling in FILLING:
                given = self.made_for(container, given)
            positional.append(given)
            if container is not None and spelling in (".append", ".insert"):
                self.declare_by_declared_list(container, given)
        return positional

    def operands_of_move(self, node: syntax.Call) -> list[Expr]:
        """The arguments of `to` that say more than where the tensor is to be."""
        moved = [(argument, self.expr(argument)) for argument in node.args]
        return [self.value(argument) if isinstance(value, Static) else value
                for argument, value in moved if not self.is_place(argument, value)]

    def operands_by_name(self, node: syntax.Call, spelling: str, rows: Sequence[Operator]) -> Named:
        """The keyword arguments, NumPy's names of dimensions as the rows' own."""
        given = {keyword.arg for keyword in node.keywords}
        known = {param.name for row in rows for param in row.schema.params}
        named: Named = []
        for keyword in node.keywords:
            if keyword.arg is not None and not self.is_device_argument(keyword):
                own = NUMPY_NAMES.get(keyword.arg, keyword.arg)
                is_own = own not in given and (own in known or spelling in extensions)
                named.append((own if is_own else keyword.arg, self.value(keyword.value)))
        return named

    def asked_of_rows(
        self, node: syntax.Call, spelling: str, positional: list[Expr], named: Named, rows: Sequence[Operator]
    ) -> Expr:
        """The operation, once its arguments are known."""
        if spelling == ".to" and len(positional) == 1 and not named:
            return positional[0]
        if spelling in (".startswith", ".endswith") and len(positional) > 1:
            kind = resolve(positional[1].type)
            if isinstance(kind, TupleType) and not kind.is_variadic and not is_silent(*positional):
                return self.any_affix(node, spelling, positional, tuple(rows))
        if spelling == ".get" and len(positional) == 3 and resolve(positional[2].type) == NONE:
            positional.pop()
        if spelling in (".get", ".pop") and len(positional) == 3 and not named and self.is_other_default(positional):
            return self.dict_item_or(node, spelling, positional)
        if not positional and not named:
            return self.error(node, f"{spelling.strip('.')}() needs arguments")
        if spelling.startswith(".") and positional and is_container(positional[0].type):
            left = self.misfit_of_one(node, spelling, positional, named)
            if left is not None:
                return left
        extended = self.extended(node, spelling, positional, named, rows)
        return self.operate(node, spelling, positional, named, rows) if extended is None else extended


FILLING = (".append", ".appendleft", ".insert", ".add", ".setdefault")


def is_container(kind: Type) -> bool:
    """Whether values of the type are lists, dicts or sets."""
    return isinstance(resolve(kind), (ListType, DictType, SetType))


def element_hint(owner: Expr) -> Type | None:
    kind = resolve(owner.type)
    if isinstance(kind, (ListType, SetType)) and not has_placeholder(kind):
        return kind.element
    return None
