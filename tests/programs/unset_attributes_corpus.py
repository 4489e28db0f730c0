"""Attributes that an instance does not have yet, and causes of exceptions whose class a test finds out."""

# ruff: noqa
from __future__ import annotations

from dataclasses import dataclass, field

from language_rows import of_row
from oracle import program

of_row("classes")


class Lazy:
    def __init__(self, early=False):
        self.n = 1
        if early:
            self.early = 7

    def made(self):
        if not hasattr(self, "_made"):
            self._made = self.n * 5
            self.n += 1
        return self._made

    def label(self):
        return getattr(self, "_label", -1)

    def reset(self):
        for name in ("_made", "_label"):
            if hasattr(self, name):
                setattr(self, name, 0)

    def names(self):
        return [name for name in ("n", "_made", "_label", "early", "none") if hasattr(self, name)]


@dataclass
class Late:
    x: int
    y: int = field(init=False)

    def fill(self) -> None:
        self.y = self.x


@program("classes: hasattr and getattr of attributes that are not there yet", (3,))
def lazily(n: int) -> list[str]:
    lazy = Lazy()
    found = [str(lazy.made()), str(lazy.made()), str(lazy.label()), str(lazy.names()), str(Lazy(True).names())]
    lazy._label = "four"
    found += [str(lazy.label()), str(lazy.names()), str(hasattr(lazy, "made")), str(hasattr(lazy, "none"))]
    lazy.reset()
    found += [str(lazy.made()), str(lazy.label())]
    late = Late(n)
    found.append(str(hasattr(late, "y")))
    late.fill()
    found.append(f"{hasattr(late, 'y')} {getattr(late, 'y', 0)} {getattr(Late(1), 'y', 'none')}")
    return [*found, *(str(getattr(lazy, name, "default")) for name in ["_made", "early"])]


of_row("errors")


class StepError(Exception):
    def __init__(self, step):
        super().__init__(f"step {step} failed")
        self.step = step

    def root(self):
        error = self
        while error.__cause__ is not None and isinstance(error.__cause__, StepError):
            error = error.__cause__
        return error


def stepped(n: int, depth: int) -> int:
    try:
        return 10 // n if depth == 0 else stepped(n, depth - 1) + 1
    except (ZeroDivisionError, StepError) as error:
        raise StepError(depth) from error


@program("errors: a chain of causes followed to its root", (0, 3), (0, 0), (2, 2))
def rooted(n: int, depth: int) -> list[str]:
    try:
        return [str(stepped(n, depth))]
    except StepError as error:
        root = error.root()
        return [str(error), str(error.step), str(root.step), type(root.__cause__).__name__]
