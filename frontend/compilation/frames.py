"""Frames: the functions whose bodies are typed in one place, and where each name of theirs lives.

In: function sources, where they are defined. Out: full names of variables, unique in one typed function.
Holds: the outermost function's variables keep their names; those of a body typed inside another have a prefix, "3:x",
so that a closure reads and writes the very variables of the function around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...ir.types import Type
from ..objects.function_source import FunctionSource
from ..parser.liveness import Names
from ..parser.syntax import FunctionDef, GeneratorExp, Lambda, walk

if TYPE_CHECKING:
    from ..core.typed import Expr
    from ..infer.base import Jump

MARK = ":"
Scopes = tuple[Mapping[str, str], ...]  # names of enclosing comprehensions, under their full names


def shown_name(full: str) -> str:
    """The user's name of a variable, "" of a hidden one."""
    if full.startswith("."):
        return ""
    name = full.rpartition(MARK)[2]
    return name if name.isidentifier() else ""


@dataclass(eq=False)
class Frame:
    """One body. `outer` and `scopes`: where the function was defined, if in a function.

    `exit` is where `return` goes in a body typed inside another, `result` the variable it leaves its value in;
    `on_yield` gets the values of a generator, and the variable `closing` tells how its consumer left; a body that
    `suspends` waits at its yields, which may raise;
    `kept` are hidden variables of statements that wait for this body.
    """

    source: FunctionSource
    prefix: str = ""
    outer: Frame | None = None
    scopes: Scopes = ()
    declared: Type | None = None
    exit: Jump | None = None
    on_yield: Callable[[Expr, bool], Expr | None] | None = None
    suspends: bool = False
    owned: list[str] = field(default_factory=list)  # variables that hold generators which end with the body
    closing: str = ""
    kept: frozenset[str] = frozenset()
    callers: tuple[tuple[FunctionSource, Frame | None], ...] = ()  # bodies around this one

    @property
    def live_at_end(self) -> LiveAtEnd | None:
        """What is read once the body has ended; None, all: a function or generator of it may have got out."""
        defines = any(isinstance(node, (FunctionDef, Lambda, GeneratorExp)) for node in walk(self.source.node) if (
            node is not self.source.node))
        return None if defines else LiveAtEnd(self)

    @property
    def result(self) -> str:
        return f"{self.prefix}{MARK}result"

    def find(self, name: str) -> str | None:
        """The full name of a variable of this function or one around it; None: it is none of theirs."""
        if name in self.source.locals:
            return self.prefix + name
        if self.outer is None:
            return None
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.outer.find(name)

    def is_within(self, other: Frame) -> bool:
        """Whether it is that frame, or was defined in it."""
        frame: Frame | None = self
        while frame is not None and frame is not other:
            frame = frame.outer
        return frame is not None

    def owns(self, full: str) -> bool:
        """Whether a variable is this body's own."""
        if full.startswith("."):
            return False
        return full.startswith(self.prefix) if self.prefix else MARK not in full


@dataclass(frozen=True)
class LiveAtEnd:
    """Full names that may still be read when a body has ended: its result, with the object that a method or view is of,
    and all but its own variables."""

    frame: Frame

    def __contains__(self, full: object) -> bool:
        assert isinstance(full, str)
        result = self.frame.result
        return full == result or full.startswith(f"{result}{MARK}") or not self.frame.owns(full)


@dataclass(frozen=True)
class LiveNames:
    """Full names that may still be read: those of one frame that its liveness names, and all of others'."""

    frame: Frame
    names: Names

    def __contains__(self, full: object) -> bool:
        assert isinstance(full, str)
        if not self.frame.owns(full):
            return True
        name = full[len(self.frame.prefix) :]
        return name in self.names or MARK in name
