"""What a name can denote at compile time, other than a run-time value.

In: Python objects that a script mentions. Out: denotations that calls, attributes and iteration dispatch on.
Holds: a denotation is compared by what it denotes, so two paths that agree on it may merge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from typing import Any as PyAny

if TYPE_CHECKING:
    from .function_source import FunctionSource
    from .typed import Expr


class Denotation:
    """Something known at compile time. `describe()` names it in messages."""

    def describe(self) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class FunctionDenotation(Denotation):
    """A Python function that is compiled when called."""

    source: FunctionSource

    def describe(self) -> str:
        return f"the function '{self.source.name}'"


@dataclass(frozen=True)
class GraphDenotation(Denotation):
    """A function that has a program already: a traced function. `program` is an ir.graph.Program."""

    name: str
    program: PyAny = field(hash=False)

    def describe(self) -> str:
        return f"the traced function '{self.name}'"


@dataclass(frozen=True)
class MethodDenotation(Denotation):
    """A method with the object it is bound to."""

    source: FunctionSource
    receiver: Expr

    def describe(self) -> str:
        return f"the method '{self.source.name}'"


@dataclass(frozen=True)
class OperatorDenotation(Denotation):
    """An operator by its Python spelling, with the value before the dot if it is a method."""

    spelling: str
    receiver: Expr | None = None

    def describe(self) -> str:
        return f"the operator '{self.spelling.strip('.')}'"


@dataclass(frozen=True)
class BuiltinDenotation(Denotation):
    """A builtin function or type by name: len, print, range, int."""

    name: str

    def describe(self) -> str:
        return f"the builtin '{self.name}'"


@dataclass(frozen=True)
class ClassDenotation(Denotation):
    """A class that is no builtin function: an exception, Tensor, a module class, a typing construct."""

    python: PyAny = field(hash=False)

    def describe(self) -> str:
        return f"the class '{getattr(self.python, '__name__', self.python)}'"


@dataclass(frozen=True)
class ModuleDenotation(Denotation):
    """A Python module: math, tsm, tsm.nn.functional."""

    python: PyAny

    def describe(self) -> str:
        return f"the Python module '{self.python.__name__}'"


@dataclass(frozen=True)
class SuperDenotation(Denotation):
    """`super()`: attributes are looked up after `owner` in the object's class."""

    owner: type
    receiver: Expr

    def describe(self) -> str:
        return "super()"


@dataclass(frozen=True)
class ViewDenotation(Denotation):
    """`d.keys()`, `d.values()`, `d.items()`: a live view, for loops and consuming builtins."""

    receiver: Expr
    view: str

    def describe(self) -> str:
        return f"a dict view; write list(d.{self.view}()) to keep it"


@dataclass(frozen=True)
class ObjectDenotation(Denotation):
    """A Python object that scripts cannot use; `reason` says why and what to do."""

    python: PyAny = field(hash=False, compare=False)
    reason: str = ""

    def describe(self) -> str:
        return f"a Python object of type '{type(self.python).__name__}'"
