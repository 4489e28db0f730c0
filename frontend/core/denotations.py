"""What a name can denote at compile time, other than a run-time value.

In: Python objects that a script mentions. Out: denotations that calls, attributes and iteration dispatch on.
Holds: a denotation is compared by what it denotes, so two paths that agree on it may merge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar
from typing import Any as PyAny

if TYPE_CHECKING:
    from ...ir.types import Type
    from ..compilation.frames import Frame
    from ..objects.function_source import FunctionSource
    from .typed import Expr


def receiver_key(receiver: Expr) -> str:
    """What makes two receivers one object: the variable, else the expression itself."""
    return getattr(receiver, "name", "") if type(receiver).__name__ == "Read" else f"#{id(receiver)}"


class Denotation:
    """Something known at compile time. `shown` names it in messages, with its fields filled in."""

    shown: ClassVar[str]

    def describe(self) -> str:
        return self.shown.format(self)

    def refusal(self, otherwise: str) -> tuple[str, str | None]:
        """What to say where a value is asked for, and what to write instead."""
        return getattr(self, "reason", "") or otherwise, getattr(self, "hint", None)


@dataclass(frozen=True)
class FunctionDenotation(Denotation):
    """A Python function that is compiled when called."""

    source: FunctionSource

    shown = "the function '{0.source.name}'"


@dataclass(frozen=True)
class GraphDenotation(Denotation):
    """A function that has a program already: a traced or loaded one, or a method of such a module with its `receiver`.
    `program` is an ir.graph.Program; without a `method` its main one is meant."""

    name: str
    program: PyAny = field(hash=False)
    method: str = ""
    receiver: Expr | None = field(default=None, compare=False)

    shown = "the compiled function '{0.name}'"


@dataclass(frozen=True)
class MethodDenotation(Denotation):
    """A method with the object it is bound to."""

    source: FunctionSource
    receiver: Expr = field(compare=False)
    variable: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "variable", receiver_key(self.receiver))

    shown = "the method '{0.source.name}'"


@dataclass(frozen=True)
class ClosureDenotation(Denotation):
    """A function that was defined in a function: `outer` is the frame it was defined in, `scopes` the comprehensions
    there, so its free names are the variables they had."""

    source: FunctionSource
    outer: Frame
    scopes: tuple[tuple[tuple[str, str], ...], ...] = ()

    shown = "the function '{0.source.name}'"


@dataclass(frozen=True)
class KeywordsDenotation(Denotation):
    """What `**kwargs` caught: for each name the variable that holds the argument; `kind` is the annotated type."""

    name: str
    variables: tuple[tuple[str, str], ...]
    kind: Type | None = None

    shown = "the keyword arguments '{0.name}'; write dict({0.name}) for a dict of them"


@dataclass(frozen=True)
class OperatorDenotation(Denotation):
    """An operator by its Python spelling, with the value before the dot if it is a method."""

    spelling: str
    receiver: Expr | None = field(compare=False, default=None)
    variable: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "variable", "" if self.receiver is None else receiver_key(self.receiver))

    def describe(self) -> str:
        return f"the operator '{self.spelling.strip('.')}'"


@dataclass(frozen=True)
class SpecialDenotation(Denotation):
    """What the compiler itself gives a meaning: annotate, fork, wait and their like; `receiver` of a method."""

    name: str
    receiver: Expr | None = field(compare=False, default=None)

    def describe(self) -> str:
        return f"'{self.name.replace('future_', 'Future.')}'"


@dataclass(frozen=True)
class SpecialMethodDenotation(OperatorDenotation):
    """A method to which the compiler itself gives a meaning: `xs.__len__`, `g.send`; it is called as `special` says."""

    special: str = ""

    def called(self) -> SpecialDenotation:
        return SpecialDenotation(self.special, self.receiver)


@dataclass(frozen=True)
class BuiltinDenotation(Denotation):
    """A builtin function or type by name: len, print, range, int."""

    name: str

    shown = "the builtin '{0.name}'"


@dataclass(frozen=True)
class ClassDenotation(Denotation):
    """A class that is no builtin function: an exception, Tensor, a module class, a typing construct. `arguments` are
    the types in `Stack[int]`."""

    python: PyAny = field(hash=False)
    arguments: tuple[Type, ...] = ()

    def describe(self) -> str:
        return f"the class '{getattr(self.python, '__name__', self.python)}'"


@dataclass(frozen=True)
class ArmsDenotation(Denotation):
    """A method of a value that may be of several classes: which one, its class decides at run time."""

    name: str
    receiver: Expr = field(compare=False)

    shown = "the method '{0.name}'"


@dataclass(frozen=True)
class UnionMethodDenotation(Denotation):
    """A method of a value that may be of several classes, built-in ones among them."""

    name: str
    receiver: Expr = field(compare=False)

    shown = "the method '{0.name}'"


@dataclass(frozen=True)
class FieldsDenotation(Denotation):
    """A method of all named tuples: `_replace`, `_asdict`."""

    name: str
    receiver: Expr = field(compare=False)

    shown = "the method '{0.name}'"


@dataclass(frozen=True)
class DataFieldDenotation(Denotation):
    """A field of a dataclass, a dataclasses.Field."""

    python: PyAny = field(hash=False)
    reason = "a field of a dataclass can only be asked for its name, in a loop over fields()"

    shown = "the field '{0.python.name}'"


@dataclass(frozen=True)
class MarkerDenotation(Denotation):
    """NotImplemented, and what stands for an argument that was not given."""

    python: PyAny = field(hash=False)

    def describe(self) -> str:
        return getattr(self.python, "__tsm_marker__", "NotImplemented")


@dataclass(frozen=True)
class ModuleDenotation(Denotation):
    """A Python module: math, tsm, tsm.nn.functional; or a namespace of settings."""

    python: PyAny = field(hash=False)

    def describe(self) -> str:
        if not hasattr(self.python, "__name__"):
            return f"a {type(self.python).__name__}"
        return f"the Python module '{self.python.__name__}'"


@dataclass(frozen=True)
class SuperDenotation(Denotation):
    """`super()`: attributes are looked up after `owner` in the object's class."""

    owner: type
    receiver: Expr

    shown = "super()"


@dataclass(frozen=True)
class ViewDenotation(Denotation):
    """`d.keys()`, `d.values()`, `d.items()`: a live view, for loops and consuming builtins. `is_method`: the method
    itself, which is still to be called."""

    receiver: Expr
    view: str
    is_method: bool = False

    shown = "a dict view; write list(d.{0.view}()) to keep it"


@dataclass(frozen=True)
class IteratorDenotation(Denotation):
    """An iterator that a variable holds. `is_push`: it cannot be asked for one item at a time; `frame`: where it was
    made, at `place` by `node`, with the hidden variables `own_names`, once the variables `checked` (by definition) were
    found bound; `variable`: the one that it was first bound to, of the function `holder`."""

    iteration: PyAny = field(hash=False, compare=False)
    identity: int
    is_push: bool
    frame: Frame = field(hash=False, compare=False)
    node: PyAny = field(hash=False, compare=False)
    own_names: frozenset[str] = field(compare=False)
    place: PyAny = field(default=None, hash=False, compare=False)
    variable: str = field(compare=False, default="")
    holder: FunctionSource | None = field(compare=False, default=None)
    checked: tuple[tuple[str, int], ...] = field(compare=False, default=())
    reason = "an iterator can only be kept in a variable, looped over and given to next(); write list(...) to store it"

    shown = "an iterator"


@dataclass(frozen=True)
class GeneratorDenotation(Denotation):
    """A generator as a value: what has it waits in the body of `spec`, a Specialisation."""

    spec: PyAny = field(hash=False)

    shown = "a generator"


@dataclass(frozen=True)
class TypeDenotation(Denotation):
    """`type(x)` of a value whose class is known at run time only; `value` is held."""

    value: Expr = field(hash=False, compare=False)
    identity: int
    reason = "a class that is known at run time only can be compared and asked for its name"

    shown = "a class that is known at run time only"


@dataclass(frozen=True)
class SpreadDenotation(Denotation):
    """`*row` or `**table` among the arguments of a call: a list or dict, whose length or keys are known at run time."""

    value: Expr = field(compare=False)

    shown = "a spread argument"


@dataclass(frozen=True)
class RangeDenotation(Denotation):
    """A range that a variable holds: start, stop and step, each held; `made`: the value that it was taken from."""

    parts: tuple[Expr, Expr, Expr] = field(hash=False, compare=False)
    identity: int
    made: Expr | None = field(default=None, hash=False, compare=False)

    shown = "a range"


@dataclass(frozen=True)
class SliceDenotation(Denotation):
    """A slice that a variable holds: start, stop and step, each held; `made`: the value that it was taken from."""

    parts: tuple[Expr, Expr, Expr] = field(hash=False, compare=False)
    identity: int
    made: Expr | None = field(default=None, hash=False, compare=False)

    shown = "a slice"


@dataclass(frozen=True)
class ContainerDenotation(Denotation):
    """A container or an instance outside the function: it can be read, as it is when the script is compiled, but not
    changed."""

    python: PyAny = field(hash=False, compare=False)
    identity: int
    reason: str = ""

    def describe(self) -> str:
        return described_outside(self.python)


def described_outside(python: PyAny) -> str:
    """A container or an instance outside the function, in messages."""
    name = type(python).__name__
    is_container = isinstance(python, (list, dict, set, tuple, frozenset))
    return f"a {name} outside the function" if is_container else f"an instance of '{name}' outside the function"


def is_mutable_container(denotation: Denotation) -> bool:
    """Whether it is a list, dict, set or instance outside the function, or a tuple with a container that is none of
    constants: it becomes a value wherever it is named."""
    if not isinstance(denotation, ContainerDenotation) or isinstance(denotation.python, frozenset):
        return False
    return _may_change(denotation.python)


def _may_change(python: PyAny) -> bool:
    if type(python) is tuple:
        return any(map(_may_change, filter(_is_container, python)))
    return not isinstance(python, tuple)


def _is_container(python: PyAny) -> bool:
    return isinstance(python, (tuple, list, dict, set, frozenset))


@dataclass(frozen=True)
class ObjectDenotation(Denotation):
    """A Python object that scripts cannot use; `reason` says why and what to do, or `hint` what to write instead."""

    python: PyAny = field(hash=False, compare=False)
    reason: str = ""
    hint: str | None = None
    identity: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "identity", id(self.python))

    def describe(self) -> str:
        if type(self.python) is int:
            return f"{self.python}, which does not fit 64 bits"
        return f"a Python object of type '{type(self.python).__name__}'"


KEPT_BY_PARTS = (RangeDenotation, SliceDenotation)  # what becomes an instance where it is kept as a value
BOUND = (MethodDenotation, OperatorDenotation, UnionMethodDenotation, ViewDenotation)  # to an object that they keep
