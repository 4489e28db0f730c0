"""User exception classes: their names in a program, and what keeps one from being used.

In: Python classes that derive from Exception. Out: "Mine<Base<ValueError", unique in the program; the class types of
their instances. Holds: an instance is what a value of such a class type is; raised, or where any exception may be, an
exception of the runtime stands for it: see core/exception_types.py.
"""

from __future__ import annotations

import builtins
import inspect

from ..core.exception_types import ExceptionClass

DECIDING = (
    "__init_subclass__", "__slots__", "args", "with_traceback", "add_note",
)
KEPT = (
    "__traceback__", "__cause__", "__context__", "__suppress_context__", "__notes__", "add_note", "with_traceback",
    "__exception__",
)  # of every exception, whatever its class
UNWRITTEN = (*KEPT, "__class__")


class NotSimple(Exception):
    """Why a class cannot be used, and what to write instead."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.hint = hint
        super().__init__(message)


class ExceptionClasses:
    """The exception classes that one program mentions."""

    def __init__(self) -> None:
        self.python: dict[str, type[BaseException]] = {}  # by their full text
        self.speaking: list[ExceptionClass] = []  # those that the program makes, with texts of their own
        self.comparing: list[ExceptionClass] = []  # those with an equality of their own
        self.weighing: list[ExceptionClass] = []  # those with a truth of their own
        self.is_asked = False  # for the text of an exception of any class
        self.is_compared = False  # an exception of any class
        self.is_weighed = False  # an exception of any class, for its truth
        self.is_tracked = False  # whether the program keeps at run time which exception is being handled
        self.passes_exception = False  # whether the program makes exceptions that `except Exception` does not take
        self.is_taken_apart = False  # whether the program reads the arguments of exceptions, or their repr()
        self.has_texts_of_shapes = False  # whether exceptions keep a torch.Size as its text
        self.is_hosted = False  # whether functions of the host are called, which may raise them
        self._names: dict[type, str] = {}
        self._counts: dict[str, int] = {}

    def name(self, python: type) -> str:
        """The class by itself: "Mine", or "Mine.1" for a second one of that name. NotSimple."""
        if is_builtin(python):
            return python.__name__
        found = self._names.get(python)
        if found is None:
            check_simple(python)
            own = python.__name__
            count = self._counts.get(own, int(hasattr(builtins, own)))
            self._counts[own] = count + 1
            found = self._names[python] = f"{own}.{count}" if count else own
        return found

    def describe(self, python: type) -> str:
        """The class with its bases up to the first builtin one. NotSimple."""
        bases = [base for base in python.__mro__ if issubclass(base, BaseException) and not is_builtin(base)]
        text = "<".join([*map(self.name, bases), builtin_base(python).__name__])
        if bases:
            self.python[text] = python
        return text

    def makes(self, kind: ExceptionClass, python: type) -> bool:
        """Takes note that instances of a class are made; whether this changes what was asked for of exceptions."""
        speaks = kind not in self.speaking and has_own(python, "__str__", "__repr__")
        compares = kind not in self.comparing and has_own(python, "__eq__")
        self.speaking += [kind] * speaks
        weighs = kind not in self.weighing and has_own(python, "__bool__", "__len__")
        self.comparing += [kind] * compares
        self.weighing += [kind] * weighs
        return (speaks and self.is_asked) or (compares and self.is_compared) or (weighs and self.is_weighed)


def is_builtin(python: type) -> bool:
    return python.__module__ == "builtins"


def is_builtin_exception(python: object) -> bool:
    return isinstance(python, type) and issubclass(python, BaseException) and is_builtin(python)


def builtin_base(python: type) -> type:
    """The nearest builtin class."""
    return next(base for base in python.__mro__ if is_builtin(base) and issubclass(base, BaseException))


def has_own(python: type, *names: str) -> bool:
    """Whether it has one of these special methods of its own."""
    return any(inspect.isfunction(base.__dict__.get(name)) for base in python.__mro__ for name in names)


def check_simple(python: type) -> None:
    """NotSimple for a class whose exceptions cannot be told apart by the names of classes."""
    found = [base for base in python.__mro__ if is_builtin_exception(base)]
    if not all(issubclass(found[0], base) for base in found):
        raise NotSimple(f"'{python.__name__}' derives from both '{found[0].__name__}' and '{found[1].__name__}'",
                        "derive it from one builtin exception class")
    if not python.__name__.isidentifier():
        raise NotSimple(f"'{python.__name__}' is not made by a plain class statement")
    for base in python.__mro__:
        for name in DECIDING:
            if name in base.__dict__ and issubclass(base, BaseException) and not is_builtin(base):
                raise NotSimple(f"'{base.__name__}' defines {name}", "keep to __init__, __str__, __repr__ and methods")
