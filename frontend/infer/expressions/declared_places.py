"""Values of inferred unions where a type is declared: which type a value has shows when the program runs.

In: a value and the declared type. Out: the value at that type, with a TypeError for what the annotation denies (D2);
None where the message of compilation stands: no type of the union fits, or an annotation says that it is a union.
Holds: a container is never taken for one of other elements.
"""

from __future__ import annotations

from ....ir.types import OptionalType, Type, UnionType, arms_of
from ...core.conversions import convert
from ...core.placeholders import resolve
from ...core.typed import Expr, ReadTemp, Temp
from ..base import InferenceBase
from ..operand_errors import is_denied


class DeclaredPlaceInference(InferenceBase):
    """Results, arguments, attributes and variables that an annotation describes."""

    def at_declared(self, value: Expr, kind: Type, what: str) -> Expr | None:
        """Chosen at run time."""
        source, wanted = resolve(value.type), resolve(kind)
        if not isinstance(source, (OptionalType, UnionType)) or not self.are_inferred_unions([value]):
            return None
        fits = [convert(ReadTemp(arm, value.span, Temp()), kind) is not None for arm in arms_of(source)]
        if not any(fits) or not all(fit or is_denied(arm, wanted) for fit, arm in zip(fits, arms_of(source))):
            return None

        def use(one: Expr) -> Expr:
            converted = convert(one, kind)
            if converted is not None:
                return converted[0]
            return self.raise_error(value.span, "TypeError", f"{what} must be {wanted}, got {resolve(one.type)}")

        return self.each_arm(value, use)
