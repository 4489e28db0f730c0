"""The typed tree: what `infer` makes of a function and all that `lower` reads.

In: the AST, types, resolutions (operator rows, callees, unrolled forms). Out: a small core language in which every
conversion, temporary, check and merge is explicit, in Python's order of evaluation.
Holds: lowering a tree needs no decision about types; a tree may mention placeholders, which are solved by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from typing import Any as PyAny

from ...ir.types import BOOL, NONE, Primitive, Type

if TYPE_CHECKING:
    from ...ir.graph import Function
    from ...ir.operators import Operator
    from ..compilation.specialise import Specialisation
    from ..parser.syntax import Span
    from .denotations import Denotation

NEVER = Primitive("Never")  # of an expression that does not yield: it raises, or recursion is not solved yet
ERROR = Primitive("<error>")  # of an expression that was reported; silences what follows from it
NOT_IMPLEMENTED = Primitive("NotImplemented")  # result of an operator method that leaves it to the other operand
STATIC = Primitive("<static>")  # of an expression that denotes something known at compile time, no run-time value


@dataclass(eq=False, slots=True)
class Expr:
    type: Type
    span: Span


@dataclass(eq=False, slots=True)
class Const(Expr):
    """A constant with its type."""

    value: PyAny


@dataclass(eq=False, slots=True)
class Static(Expr):
    """A function, class, module, container of modules, range ...: used at compile time, never lowered."""

    denotation: Denotation
    before: list[Stmt] = field(default_factory=list)  # what finding it out did, which has still to run


def unbound_error(name: str, is_free: bool) -> tuple[str, str]:
    """(class, message) of what reading an unbound variable raises; one with a point is an attribute of a function."""
    if "." in name:
        return "AttributeError", f"'function' object has no attribute '{name.partition('.')[2]}'"
    if is_free:
        text = f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
        return "NameError", text
    return "UnboundLocalError", f"cannot access local variable '{name}' where it is not associated with a value"


@dataclass(eq=False, slots=True)
class Read(Expr):
    """A variable. `is_checked`: it may be unbound here, which raises UnboundLocalError; NameError where it `is_free`,
    in a comprehension, which is a function of its own in Python 3.11."""

    name: str
    is_checked: bool = False
    shown: str = ""  # the user's name, in the error
    is_free: bool = False

    @property
    def unbound_error(self) -> tuple[str, str]:
        """(class, message)."""
        return unbound_error(self.shown, self.is_free)


class Temp:
    """A value computed once and used several times."""

    __slots__ = ("value",)

    def __init__(self, value: Expr | None = None) -> None:
        self.value = value  # where it is known from the start


@dataclass(eq=False, slots=True)
class ReadTemp(Expr):
    temp: Temp


@dataclass(eq=False, slots=True)
class Let(Expr):
    """Evaluates `value` into `temp`, then `body`."""

    temp: Temp
    value: Expr
    body: Expr


@dataclass(eq=False, slots=True)
class Operate(Expr):
    """An operator row on operands of exactly its types. Several results become a tuple."""

    row: Operator
    operands: list[Expr]
    result_types: tuple[Type, ...]


@dataclass(eq=False, slots=True)
class Recast(Expr):
    """The same value at another type: widened, or narrowed where flow has proved the arm."""

    value: Expr


@dataclass(eq=False, slots=True)
class Invoke(Expr):
    """A call of another function of the program."""

    callee: Specialisation
    operands: list[Expr]


@dataclass(eq=False, slots=True)
class CallGraph(Expr):
    """A call of a function that exists as IR already: a traced one."""

    function: Function
    operands: list[Expr]


@dataclass(eq=False, slots=True)
class MakeTuple(Expr):
    items: list[Expr]


@dataclass(eq=False, slots=True)
class TupleItem(Expr):
    value: Expr
    index: int


@dataclass(eq=False, slots=True)
class MakeList(Expr):
    items: list[Expr]


@dataclass(eq=False, slots=True)
class MakeSet(Expr):
    items: list[Expr]


@dataclass(eq=False, slots=True)
class MakeDict(Expr):
    """Keys and values in turn."""

    items: list[Expr]


@dataclass(eq=False, slots=True)
class Outside(Expr):
    """A copy of a container outside the function, which the program may read only."""

    value: Expr
    shown: str


@dataclass(eq=False, slots=True)
class MakeObject(Expr):
    """A new instance of a class type, no attribute set."""


@dataclass(eq=False, slots=True)
class GetAttribute(Expr):
    value: Expr
    name: str


@dataclass(eq=False, slots=True)
class ClassObject(Expr):
    """The object that has the attributes of classes which the program assigns."""


@dataclass(eq=False, slots=True)
class IsType(Expr):
    value: Expr
    arm: Type


@dataclass(eq=False, slots=True)
class Raise(Expr):
    """Raises a builtin exception; its type is NEVER."""

    name: str
    message: Expr


@dataclass(eq=False, slots=True)
class Throw(Expr):
    """Raises an exception value; its type is NEVER."""

    value: Expr


@dataclass(slots=True)
class Carried:
    """A variable that control flow merges: its type after the merge; `is_maybe` if it may be unbound there."""

    name: str
    type: Type
    is_maybe: bool


@dataclass(eq=False, slots=True)
class Choose(Expr):
    """`then if condition else otherwise`; the variables that the arms bind are merged."""

    condition: Expr
    then: Expr
    otherwise: Expr
    merges: list[Carried]


@dataclass(eq=False, slots=True)
class Do(Expr):
    """Statements, then a value: comprehensions and walrus."""

    body: list[Stmt]
    value: Expr


@dataclass(eq=False, slots=True)
class Inside(Do):
    """The body of another function, typed where it is called; `span` is the call."""

    name: str


@dataclass(eq=False, slots=True)
class Stmt:
    span: Span


@dataclass(eq=False, slots=True)
class Evaluate(Stmt):
    value: Expr


@dataclass(eq=False, slots=True)
class Around(Stmt):
    """In a generator's body: statements of the loop that consumes it."""

    body: list[Stmt]


@dataclass(eq=False, slots=True)
class Suspend(Stmt):
    """In the body of a generator that is a value: gives an item, and waits to be asked for the next."""

    value: Expr


@dataclass(eq=False, slots=True)
class Received(Expr):
    """Behind a Suspend: what the generator was sent when it was asked to go on."""


@dataclass(eq=False, slots=True)
class Store(Stmt):
    name: str
    value: Expr


@dataclass(eq=False, slots=True)
class Unbind(Stmt):
    """`del name`; `is_checked`: it may be unbound already."""

    name: str
    is_checked: bool


@dataclass(eq=False, slots=True)
class SetAttribute(Stmt):
    """`object` and `value` are evaluated in the order that `is_value_first` says."""

    object: Expr
    name: str
    value: Expr


@dataclass(eq=False, slots=True)
class Branch(Stmt):
    condition: Expr
    then: list[Stmt]
    otherwise: list[Stmt]
    merges: list[Carried]


@dataclass(eq=False, slots=True)
class Loop(Stmt):
    """Runs `body` until a Leave; `carried` are the variables that change from round to round."""

    body: list[Stmt] = field(default_factory=list)
    carried: list[Carried] = field(default_factory=list)
    merges: list[Carried] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Once(Stmt):
    """Runs `body` once; a Leave goes to its end. An unrolled loop, and each of its rounds."""

    body: list[Stmt] = field(default_factory=list)
    merges: list[Carried] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Try(Stmt):
    """Runs `body`; what it raises is stored as `caught`, and `handler` runs. `cells` are the variables that the body
    stores, which the handler reads as they were when it raised."""

    body: list[Stmt]
    caught: str
    handler: list[Stmt]
    cells: list[Carried]
    merges: list[Carried]


@dataclass(eq=False, slots=True)
class Leave(Stmt):
    """Ends a Loop or Once; with `is_again`, begins a Loop's next round."""

    target: Loop | Once
    is_again: bool = False


@dataclass(eq=False, slots=True)
class Return(Stmt):
    value: Expr


def is_silent(*values: Expr) -> bool:
    """Whether an operand was reported already, or never yields: nothing more is to be said about the whole."""
    return any(value.type in (ERROR, NEVER) for value in values)


def absorb(values: Sequence[Expr]) -> Type:
    """Type of an expression one of whose operands is silent: ERROR wins, so that follow-ups stay silent."""
    return ERROR if any(value.type == ERROR for value in values) else NEVER


def none(span: Span) -> Const:
    return Const(NONE, span, None)


def boolean(span: Span, value: bool) -> Const:
    return Const(BOOL, span, value)


def after(before: list[Stmt], value: Expr) -> Expr:
    """The value, once some statements have run."""
    if not before or value.type == ERROR:
        return value
    if isinstance(value, Static):
        return Static(STATIC, value.span, value.denotation, [*before, *value.before])
    return Do(value.type, value.span, before, value)
