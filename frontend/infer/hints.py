"""What to write instead: the hints of messages about types, as code with the names that the user wrote.

In: the operands of what is refused. Out: a hint, or None where there is nothing to advise. Holds: `x` stands for an
expression that has no name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...ir.types import FLOAT, INT, NONE, STR, TENSOR, DictType, EnumType, ListType, SetType, TupleType, Type, arms_of
from ..compilation.notes import text_of
from ..core.conversions import is_number
from ..core.function_values import FunctionClass
from ..core.placeholders import resolve
from ..core.typed import Expr, Static
from ..diagnostics import nearest

NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")

GRADIENTS = "gradients are no part of scripts: train outside, and script what is trained"
HALF = "tensors have no float16: write bfloat16 or float32"
COMPLEX = "tensors hold no complex numbers: keep real and imaginary parts in two tensors"
MODULE_ADVICE = {  # for what `tsm` has not
    "autograd": GRADIENTS, "grad": GRADIENTS, "is_grad_enabled": GRADIENTS, "float16": HALF, "half": HALF,
    **dict.fromkeys(("complex", "complex64", "complex128", "polar", "view_as_complex", "view_as_real", "fft"), COMPLEX),
}
TENSOR_ADVICE = {
    "half": HALF,
    "backward": GRADIENTS, "grad": GRADIENTS, "requires_grad": GRADIENTS, "requires_grad_": GRADIENTS,
    "cuda": "scripts run on the CPU: leave it out",
    "numpy": "return the tensor, and call .numpy() outside",
    "apply_": "loop over the elements, or write it with operators of tensors",
}
_LENGTH = dict.fromkeys(("length", "size", "count", "len"), "write len(...)")
_ELSEWHERE: tuple[tuple[type[Type] | Type, dict[str, str]], ...] = (  # methods as other languages call them
    (ListType, {**_LENGTH, "add": "write append(...)", "push": "write append(...)", "contains": "write `x in xs`"}),
    (SetType, {**_LENGTH, "append": "write add(...)", "contains": "write `x in xs`", "extend": "write update(...)"}),
    (DictType, {**_LENGTH, "has_key": "write `key in d`", "contains": "write `key in d`", "iteritems": "write items()",
                "add": "write d[key] = value", "append": "write d[key] = value"}),
    (TupleType, {**_LENGTH, "append": "a tuple cannot be changed: write t + (x,)"}),
    (STR, {"length": "write len(...)", "size": "write len(...)", "contains": "write `part in s`",
           "trim": "write strip()", "append": "a str cannot be changed: write s + part", "reverse": "write s[::-1]"}),
)


def method_hint(kind: Type, name: str, known: Sequence[str]) -> str | None:
    """The nearest method of a type, or what it is called where the name is another language's."""
    others: dict[str, str] = TENSOR_ADVICE if kind == TENSOR else {}
    for owner, words in _ELSEWHERE:
        if kind == owner or isinstance(owner, type) and isinstance(kind, owner):
            others = words
    if name in others:
        return others[name]
    close = nearest(name, [*known, *others])
    return None if close is None else others[close] if close not in known else f"did you mean '{close}'?"


def name_of(value: Expr) -> str | None:
    """The variable or attribute that an expression is."""
    text = text_of(value.span)
    return text if NAME.fullmatch(text) else None


def none_hint(value: Expr) -> str | None:
    """For a value that may be None and must not be."""
    kind = resolve(value.type)
    if isinstance(value, Static) or kind == NONE or NONE not in arms_of(kind):
        return None
    name = name_of(value)
    if name is None:
        return "it may be None here; give it a name and test that first: `if x is not None:`"
    return f"it may be None here; test it first: `if {name} is not None:`"


def conversion_hint(value: Expr, kind: Type) -> str | None:
    """For a value that is no `kind`."""
    source = resolve(value.type)
    if isinstance(value, Static):
        return None
    if NONE not in arms_of(kind) and (hint := none_hint(value)) is not None:
        return hint
    if source == FLOAT and kind == INT:
        return "write int(...) to truncate"
    if source == TENSOR and kind in (INT, FLOAT):
        return f"write {kind}(...) for a tensor of one element"
    if kind == TENSOR and source in (INT, FLOAT):
        return "write tsm.tensor(...), or annotate the parameter as " + str(source)
    return None


def operand_hint(*operands: Expr) -> str | None:
    """For operands that an operator does not take."""
    for value in operands:
        if isinstance(resolve(value.type), FunctionClass):
            return f"call it: {text_of(value.span)}()"
        if isinstance(resolve(value.type), EnumType):
            return f"a member is not its value: write {text_of(value.span)}.value"
        if (hint := none_hint(value)) is not None:
            return hint
    kinds = [resolve(value.type) for value in operands]
    if STR in kinds and any(is_number(kind) for kind in kinds):
        return "write str(...) to make text of a number"
    for value, kind in zip(operands, kinds):
        if len(arms_of(kind)) > 1:
            return arm_hint(value, arms_of(kind)[0])
    return None


def arm_hint(value: Expr, arm: Type) -> str:
    """For a value of several types, one of which would do."""
    return f"find out which it is first: `if isinstance({name_of(value) or 'x'}, {str(arm).partition('[')[0]}):`"
