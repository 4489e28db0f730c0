"""Special methods of builtin values that are called by name: `x.__len__()`, `d.__contains__(k)`, `a.__add__(b)`.

In: such a call. Out: what the operator or builtin gives that stands for the method. Holds: the method is one that
CPython's class has, and its operands are such that it does not give NotImplemented; all others are refused.
"""

from __future__ import annotations

from ....ir.types import TENSOR, FrozenSetType, SetType, Type, arms_of
from ...compilation.frames import MARK
from ...core.denotations import SpecialDenotation, SpecialMethodDenotation
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import STATIC, Expr, Static, is_silent, none
from ...objects.builtin_classes import class_behind
from ...parser import syntax
from ..base import InferenceBase
from ..operand_errors import NUMBERS, class_name

BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and": "&",
    "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}
COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
UNARY = {"neg": "-", "pos": "+", "invert": "~"}
BY_BUILTIN = {
    "len": "len", "abs": "abs", "str": "str", "repr": "repr", "hash": "hash", "bool": "bool", "int": "int",
    "float": "float", "index": "int", "iter": "iter", "reversed": "reversed", "format": "format", "round": "round",
    "divmod": "divmod",
}
ITEMS = ("contains", "getitem", "setitem", "delitem")
REPEATED = ("str", "bytes", "list", "tuple")  # their + * % are those of the operator, errors included


class CalledOperatorInference(InferenceBase):
    """The methods that are known by their names."""

    def called_operator(self, node: syntax.Node, owner: Expr, name: str) -> Static | None:
        """A special method of a value; None if scripts know none of that name."""
        kind, short = resolve(owner.type), name.strip("_")
        python = class_behind(kind)
        is_known = short in BINARY or short[:1] == "r" and short[1:] in BINARY or short in (
            *COMPARED, *UNARY, *BY_BUILTIN, *ITEMS)
        if name != f"__{short}__" or not is_known or python is None or kind == TENSOR or not hasattr(python, name):
            return None
        return Static(STATIC, node.span, SpecialMethodDenotation(f".{name}", owner, f"operator_{short}"))

    def call_by_name(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        """A call of such a method: the expression that means the same."""
        short, receiver = denotation.name.removeprefix("operator_"), denotation.receiver
        assert receiver is not None
        is_alone = short in UNARY or short in BY_BUILTIN and short not in ("format", "divmod")
        least = 2 if short == "setitem" else 0 if is_alone else 1
        most = 1 if short == "round" else least
        if node.keywords or not least <= len(node.args) <= most:
            return self.error(node, f"__{short}__() takes {least} argument{'s' * (least != 1)}")
        hidden = MARK + self.hidden("receiver")
        self.store(hidden, receiver)
        found = self.meant_by_call(node, short, syntax.Name(node.span, hidden), receiver.type)
        if isinstance(found, Static) or is_silent(found):
            return found
        found = self.hold(found)
        self.drop([hidden])
        return found

    def meant_by_call(self, node: syntax.Call, short: str, receiver: syntax.Name, kind: Type) -> Expr:
        span, args = node.span, node.args
        if short in UNARY:
            return self.expr(syntax.UnaryOp(span, UNARY[short], receiver))
        if short in BY_BUILTIN:
            return self.expr(syntax.Call(span, self.builtin_name(span, BY_BUILTIN[short]), [receiver, *args], []))
        if short == "contains":
            return self.expr(syntax.Compare(span, args[0], ["in"], [receiver]))
        if short in ITEMS:
            return self.item_by_call(node, short, receiver)
        operand = self.expr(args[0])
        if is_silent(operand):
            return operand
        if not all(answers(short, resolve(kind), resolve(arm)) for arm in arms_of(resolve(operand.type))):
            text = f"__{short}__() of {resolve(kind)} gives NotImplemented for {describe(operand)}"
            return self.error(node, text, "write the operator")
        other = self.named_operand(operand)
        if short in COMPARED:
            return self.expr(syntax.Compare(span, receiver, [COMPARED[short]], [other]))
        if short in BINARY:
            return self.expr(syntax.BinOp(span, receiver, BINARY[short], other))
        return self.expr(syntax.BinOp(span, other, BINARY[short[1:]], receiver))

    def item_by_call(self, node: syntax.Call, short: str, receiver: syntax.Name) -> Expr:
        place = node.args[0]
        if short != "getitem" and not isinstance(place, syntax.Constant):
            place = self.named_operand(self.expr(place))
        item = syntax.Subscript(node.span, receiver, place)
        if short == "getitem":
            return self.expr(item)
        if short == "setitem":
            self.assign(item, self.expr(node.args[1]))
        else:
            self.delete_item(item)
        return none(node.span)

    def named_operand(self, operand: Expr) -> syntax.Name:
        name = MARK + self.hidden("held")
        self.store(name, operand)
        return syntax.Name(operand.span, name)


def answers(short: str, kind: Type, other: Type) -> bool:
    """Whether a method of two operands has an answer for these classes, or raises what the operator raises."""
    own, given = class_name(kind), class_name(other)
    if own in NUMBERS and given in NUMBERS:
        return NUMBERS.index(own) >= NUMBERS.index(given) or (own, given) == ("bool", "int")
    if own in REPEATED and (short in BINARY or short == "rmul"):
        return True
    is_set = isinstance(kind, (SetType, FrozenSetType)) and isinstance(other, (SetType, FrozenSetType))
    return is_set or own is not None and own == given
