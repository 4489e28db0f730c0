"""The rows of the language: the closed list that every program of the corpus belongs to.

In: nothing. Out: `ROWS`, in the order of the page; `of_row(key)` in a corpus file starts the programs of a row.
Holds: a row is what its title says; a program belongs to the row it is first to exercise. Mark: T is what TorchScript
accepts too, + what it does not, py what it answers differently from Python.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of docs/language-matrix.md."""

    key: str
    group: str
    mark: str
    title: str


ROWS = [
    Row("scalars", "Types", "T", "int, float, complex, bool, str, None, device, dtype, Any"),
    Row("bytes", "Types", "+", "bytes"),
    Row("annotations", "Types", "T", "containers, Optional, Union, `A | B`, string annotations, type comments, aliases"),
    Row("named tuples", "Types", "T", "NamedTuple in both spellings, defaults, methods"),
    Row("enums", "Types", "T", "Enum, IntEnum, auto(), look-up by value and name, members as keys"),
    Row("sets", "Types", "+", "set and frozenset"),
    Row("abstract types", "Types", "+", "tuple[T, ...], Protocol, Callable, Literal, TypeVar, Sequence, Iterable, NewType"),
    Row("unannotated", "Types", "T", "parameters without annotation"),
    Row("numbers meet", "Types", "py", "numbers keep their type where they meet; item(), tolist()"),
    Row("assignment", "Statements", "T", "assignment, unpacking, augmented assignment, evaluation order"),
    Row("more assignment", "Statements", "+", "`//=`, `@=`, slice assignment and deletion, walrus, unpacking of tensors"),
    Row("loops", "Statements", "T", "if, while, for over everything; break, continue, return anywhere"),
    Row("loop else", "Statements", "+", "while/for else, exits from loops over tuples and module lists"),
    Row("raise", "Statements", "T", "raise, raise from, assert, del, pass, print, docstrings"),
    Row("try", "Statements", "+", "try/except/else/finally, bare raise, user exception classes"),
    Row("with", "Statements", "T", "with: no_grad, record_function, script classes, exit that suppresses"),
    Row("functions in functions", "Statements", "+", "nested functions, lambdas, nonlocal, closures"),
    Row("generators", "Statements", "+", "generator functions and generator expressions"),
    Row("match", "Statements", "+", "match on literals, sequences, mappings, classes, names"),
    Row("mutated while iterated", "Statements", "py", "lists grow and shrink, dicts and sets raise RuntimeError"),
    Row("names", "Statements", "py", "unbound locals, scopes, closures capture variables, globals are constants"),
    Row("operators", "Expressions", "T", "arithmetic, comparison chains, in, ternary, and/or, bits"),
    Row("python answers", "Expressions", "py", "`**`, `%`, round, zero divisors, NaN, and/or operands, texts of numbers"),
    Row("overflow", "Expressions", "py", "64-bit ints: OverflowError"),
    Row("comprehensions", "Expressions", "T", "list and dict comprehensions; with if, several generators, sets"),
    Row("calls", "Expressions", "+", "`*` and `**` in calls and displays, `*args`, `**kwargs`, keyword-only, defaults"),
    Row("formatting", "Expressions", "+", "f-strings, str.format, %, format()"),
    Row("functions as values", "Expressions", "+", "constants of globals, functions and bound methods as values, recursion, getattr"),
    Row("builtins", "Expressions", "T", "the builtins, with key=, reverse=, default=, start"),
    Row("math", "Expressions", "T", "math and cmath"),
    Row("str methods", "Expressions", "T", "methods of str"),
    Row("list methods", "Expressions", "T", "methods and slices of list, equality and order"),
    Row("tuples", "Expressions", "T", "tuples: indexing, joining, order, loops"),
    Row("dict methods", "Expressions", "T", "methods of dict, `|`, OrderedDict"),
    Row("identity", "Identity", "py", "is; what is lazy; live views"),
    Row("unicode", "Text", "+", "text beyond ASCII, by code point"),
    Row("tensor operations", "Tensors", "T", "arithmetic, promotion, reductions, shapes, factories"),
    Row("tensor indexing", "Tensors", "T", "reading and writing by int, slice, None, ..., list, tensor, mask"),
    Row("tensor views", "Tensors", "py", "aliasing, in-place writes, truth of a tensor, shapes as tuples"),
    Row("refinement", "Refinement", "T", "Optional and Union narrowed by tests and early exits"),
    Row("pruned branches", "Refinement", "T", "branches that constants decide are not compiled"),
    Row("classes", "Classes and modules", "T", "attributes, methods, properties, static and class methods, operators"),
    Row("inheritance", "Classes and modules", "+", "single inheritance, virtual methods, super(), protocols of instances"),
    Row("dataclasses", "Classes and modules", "T", "dataclasses"),
    Row("instances outside", "Classes and modules", "+", "instances across the Python boundary, by reference"),
    Row("modules", "Classes and modules", "T", "parameters, buffers, submodules, training flag, state"),
    Row("module containers", "Classes and modules", "T", "Sequential, ModuleList, ModuleDict, with dynamic index"),
    Row("errors", "Errors", "py", "classes and texts of run-time errors"),
    Row("whole programs", "Whole programs", "T", "what people write: decoding, batching, parsing, scheduling"),
]
BY_KEY = {each.key: each for each in ROWS}

_current = ""


def of_row(key: str) -> None:
    """The programs that follow in this file belong to this row."""
    global _current
    assert key in BY_KEY or not key, f"{key!r} is no row of tests/language_rows.py"
    _current = key


def current() -> str:
    """The row of the program being declared."""
    return _current
