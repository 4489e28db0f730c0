"""Exceptions of a user's classes as typed values: their class types, and what refers to what at run time.

In: nothing. Out: the class type, the names of the attributes. Holds: an instance is what a value of such a class type
is; where any exception may be, an exception of the runtime stands for it, whose attribute PAYLOAD it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.types import ANY, EXCEPTION, ClassType, TupleType, Type, arms_of

PAYLOAD = "self"  # the attribute of a runtime exception that is the instance it stands for
HOLDER = "holder"  # and that of the one that keeps the instance's cause and notes, as prelude/exceptions.py says
ARGS = "args"
KEEPER = "__exception__"  # the attribute of instances that it is
ARGS_TYPE = TupleType((ANY,), is_variadic=True)


@dataclass(eq=False, slots=True)
class ExceptionClass(ClassType):
    """The class type of a user's exception class; `text` names the class and its bases."""

    text: str = ""


def is_exception(kind: Type) -> bool:
    """Whether every value of a type is an exception."""
    return all(arm == EXCEPTION or isinstance(arm, ExceptionClass) for arm in arms_of(kind))
