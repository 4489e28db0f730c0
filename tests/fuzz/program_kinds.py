"""The types of random programs, and the values that calls pass for them.

In: a random.Random. Out: `Kind`s spelled as annotations, and Python literals of a kind, edge values included.
Holds: values stay small, so that 64 bits suffice (D1); no NaN, which containers find by identity in Python (D6).
"""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A type: str() is its annotation."""

    name: str
    args: tuple[Kind, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(map(str, self.args))}]" if self.args else self.name

    @property
    def item(self) -> Kind:
        """Element of a list, value of a dict, inside of an Optional."""
        return self.args[-1]

    @property
    def is_mutable(self) -> bool:
        return self.name in ("list", "dict")

    @property
    def has_mutable(self) -> bool:
        return self.is_mutable or any(arg.has_mutable for arg in self.args)


INT, FLOAT, BOOL, STR, NONE = Kind("int"), Kind("float"), Kind("bool"), Kind("str"), Kind("None")
NUMBER = Kind("Union", (INT, FLOAT))  # a value that keeps its tag
BOX = Kind("Box")  # an instance of the class that random_programs.py declares
TEXT_OR_INT = Kind("Union", (INT, STR))


def list_of(item: Kind) -> Kind:
    return Kind("list", (item,))


def dict_of(key: Kind, value: Kind) -> Kind:
    return Kind("dict", (key, value))


def tuple_of(*items: Kind) -> Kind:
    return Kind("tuple", items)


def optional(inner: Kind) -> Kind:
    return Kind("Optional", (inner,))


INTS, TEXTS, FLOATS = list_of(INT), list_of(STR), list_of(FLOAT)
ROWS, PAIR, TABLE = list_of(INTS), tuple_of(INT, STR), dict_of(STR, INT)

POOL: list[tuple[Kind, int]] = [
    (INT, 10), (BOOL, 3), (STR, 4), (FLOAT, 3), (INTS, 10), (ROWS, 6), (TEXTS, 2), (FLOATS, 1), (TABLE, 4),
    (dict_of(STR, INTS), 3), (dict_of(INT, INT), 2), (dict_of(PAIR, INT), 1), (dict_of(INT, ROWS), 1), (PAIR, 2),
    (tuple_of(INTS, INTS), 3), (tuple_of(INT, tuple_of(STR, INTS)), 1), (tuple_of(INT, INT, INT), 1),
    (list_of(PAIR), 2), (list_of(tuple_of(INT, INTS)), 2), (list_of(TABLE), 1), (list_of(BOOL), 1),
    (optional(INT), 4), (optional(INTS), 3), (optional(STR), 1), (optional(PAIR), 1), (list_of(optional(INT)), 2),
    (list_of(optional(INTS)), 1), (dict_of(STR, optional(INT)), 1), (NUMBER, 1), (TEXT_OR_INT, 1), (list_of(ROWS), 1),
]  # fmt: skip


def copied(kind: Kind, value: str, depth: int = 0) -> str:
    """An expression that copies a value of this kind, with all that it holds."""
    name = f"v{depth}"
    if not kind.has_mutable:
        return value
    if kind.name == "list":
        return f"[{copied(kind.item, name, depth + 1)} for {name} in {value}]"
    if kind.name == "dict":
        return f"{{k{name}: {copied(kind.item, name, depth + 1)} for k{name}, {name} in {value}.items()}}"
    if kind.name == "tuple":
        return f"({', '.join(copied(arg, f'{value}[{i}]', depth) for i, arg in enumerate(kind.args))},)"
    return f"(None if {value} is None else {copied(kind.item, value, depth)})"


def any_kind(rng: random.Random) -> Kind:
    return rng.choices([kind for kind, _ in POOL], [weight for _, weight in POOL])[0]


def literal(rng: random.Random, kind: Kind, longest: int = 4) -> str:
    """A Python expression of constants with a value of this kind."""
    if kind == INT:
        return str(rng.choice((0, 1, -1, 2, 3, 4, 5, 7, 10, -3, 12) if rng.random() < 0.97 else (255, 2**31, -(2**40))))
    if kind == FLOAT:
        return repr(rng.choice((0.0, -0.0, 1.0, 0.5, -2.5, 3.25, 0.1, 1e16, -7.0)))
    if kind == BOOL:
        return rng.choice(("True", "False"))
    if kind == STR:
        return repr(rng.choice(("", "a", "b", "ab", "abc", "a,b", " x ", "é😀", "12", "it's")))
    if kind == NONE:
        return "None"
    if kind == BOX:
        return f"Box({literal(rng, INT)}, {literal(rng, INTS, 3)})"
    if kind.name == "Optional":
        return "None" if rng.random() < 0.4 else literal(rng, kind.item)
    if kind.name == "Union":
        return literal(rng, rng.choice(kind.args))
    if kind.name == "tuple":
        return f"({', '.join(literal(rng, arg, 2) for arg in kind.args)},)"
    count = rng.choice((0, 1, 2, 2, 3, 3, longest, longest))
    if kind.name == "list":
        return f"[{', '.join(literal(rng, kind.item, 3) for _ in range(count))}]"
    entries = {literal(rng, kind.args[0]): literal(rng, kind.args[1], 2) for _ in range(count)}
    return f"{{{', '.join(f'{key}: {value}' for key, value in entries.items())}}}"
