"""Minimal programs of differences that random programs found; each names what went wrong once."""

# ruff: noqa: F821, F841, PLW0127
from __future__ import annotations

from enum import Enum
from typing import Optional

from language_rows import of_row
from oracle import program
from tsm import nn

of_row("annotations")


@program("None at an optional list stays a conversion, never a constant", (True,), (False,))
def none_as_optional_list(flag: bool) -> Optional[list[int]]:
    v: Optional[list[int]] = None
    if flag:
        v = [1]
    return v


of_row("names")


@program("an unbound variable read in a comprehension is free there", (0, [1]), (1, [2]), (0, []))
def unbound_in_comprehension(n: int, values: list[int]) -> list[int]:
    if n:
        x = 3
    return [x + value for value in values]


@program("a later generator's source cannot read its own target", ([1, 2],), ([],))
def own_target(values: list[int]) -> list[int]:
    return [value for value in values for inner in range(inner)]


of_row("annotations")


@program("an optional attribute starts as an empty list of its declared type", (1,), (2,), torch=False)
class OptionalHistory(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen: Optional[list[Optional[int]]] = []

    def forward(self, n: int) -> int:
        seen = self.seen
        if seen is None:
            return n
        seen.append(n)
        if len(seen) > 1:
            self.seen = None
        return len(seen)


of_row("refinement")


@program("isinstance as a value narrows nothing behind it", (1,), (4,))
def isinstance_as_value(p: int) -> tuple[bool, float | int]:
    n: float | int = p if p > 2 else -0.5
    found = (isinstance(n, int), n)
    return found


of_row("names")


@program("sum of an unbound variable, and of its values", ([],), ([{"a": 2}],))
def sum_of_unbound(rows: list[dict[str, int]]) -> int:
    for row in rows:
        pass
    return sum(row.values()) + sum(list(row.values()))


@program("pairs of an unbound dict", ([],), ([{"a": 2, "b": 3}],))
def pairs_of_unbound(rows: list[dict[str, int]]) -> list[str]:
    for row in rows:
        pass
    found = []
    for key, value in row.items():
        found.append(key * value)
    return found


@program("a tuple of an unbound list", ([],), ([[1, 2]],))
def tuple_of_unbound(rows: list[list[int]]) -> tuple[int, ...]:
    for row in rows:
        pass
    return tuple(row)


of_row("calls")


def named(*values: int, x: int = 1, **more: int) -> int:
    return len(values) + x


@program("an argument that never comes, in front of one that **more takes", (0,), (2,))
def raising_argument(n: int) -> int:
    found: list[int] = []
    if n:
        return named(n, 0, x=1, y=5)
    return named(n, 0, x=min(found, key=lambda value: missing), y=5)
    for missing in range(n):
        pass


def shown(value: int) -> int:
    print(value)
    return value


of_row("names")


@program("a default that is unbound, behind what was evaluated before it", ([2, 1],), ([],))
def unbound_default(rows: list[int]) -> int:
    try:
        print(shown(3), max((row for row in rows), default=late), shown(4))
    except UnboundLocalError as e:
        print(e)
    best = shown(5) + min(rows, key=lambda row: -row, default=late)
    late = 1
    return best


@program("iterables that are unbound in the middle of a display and of a call", ([2, 1],), ([],))
def unbound_iterable(rows: list[int]) -> dict[int, int]:
    try:
        return {shown(1): next(i for i in range(late))}
    except UnboundLocalError:
        print([shown(2), *rows])
    if any(row > 1 for row in rows):
        return {sum([shown(7), *sorted(late)]): max(late)}
    late = [1]
    return {}


of_row("refinement")


@program("isinstance of a variable that may be unbound, whatever its type says", (0,), (3,))
def instance_of_unbound(n: int) -> str:
    if n:
        v, w = n, "a"
    try:
        if isinstance(v, int):
            print("int")
    except UnboundLocalError as error:
        print(error)
    if n < 0 or isinstance(w, str):
        return w
    return str(v)


def taken(values: list[int]) -> list[int]:
    values.pop()
    return values


@program("hasattr and getattr evaluate what they ask", ([1, 2, 3],), ([1],), ([],))
def asked(values: list[int]) -> tuple[bool, bool, int]:
    return hasattr(taken(values), "append"), hasattr(taken(values), "nothing"), len(values)


class Level(Enum):
    LOW = 1


@program("hasattr of values of builtin types, of enums, and of a Union", (0,), (1,))
def has_attributes(n: int) -> list[bool]:
    either: int | str | None = [n, "a", None][n] if n < 1 else "b"
    found = [hasattr(n, "real"), hasattr(n, "upper"), hasattr("a", "format_map"), hasattr([n], "__len__"), hasattr(1.0, "hex")]
    return [*found, hasattr(Level.LOW, "value"), hasattr(either, "upper"), hasattr(None, "real"), hasattr((n,), "count")]


def said(n: int) -> int:
    print(n)
    return n


@program("'in' of a range evaluates what is looked for first", (1,), (3,))
def first_looked_for(n: int) -> tuple[bool, bool]:
    return said(n) in range(said(n + 1)), said(n) not in range(said(0), said(9), said(2))



of_row("builtins")


@program("an iterator made on the spot, asked for its truth and compared with None", (3,))
def shown_iterators(n: int) -> tuple[bool, bool, int, int]:
    first = reversed([shown(1)]) is None, zip([shown(2)]) is not None
    second = bool(iter([shown(3)])) or n
    third = bool(range(shown(0))) or n
    return (*first, int(second), third)


@program("next() takes the iterator before its default", ([],), ([7],))
def next_in_order(found: list[int]) -> tuple[int, int, int]:
    return (
        next(iter([shown(1), *found]), shown(2)), next((x for x in [shown(3)]), shown(4)), next(zip(found), (shown(5),))[0],
    )


@program("a condition that never holds, with a function in the other arm", ([3, 1],), ([],))
def function_in_arm(xs: list[int]) -> list[int]:
    def key(x: int) -> int:
        return -x

    xs.sort(key=key) if xs.append(0) else key
    print(sorted(xs, key=key if print(len(xs)) is None else len))
    return xs


of_row("builtins")


@program("sorted() by a key of a list that is unbound", (1,), (0,))
def sort_unbound(n: int) -> dict[int, list[int]]:
    try:
        return {n: sorted(late, key=abs), shown(n): [n]}
    except UnboundLocalError:
        late = [n]
    return {n: late}


class Loud:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        print("<", end="")
        if self.name == "bad":
            raise ValueError(self.name)
        return self.name


of_row("builtins")


@program("print makes its texts after all arguments are evaluated", ([1, 2, 3, 4, 5, 6],), ([1, 2],))
def print_of_what_changes(items: list[int]) -> int:
    print(items, items.pop(), [last := items.pop(), last], sep="-" * len(items))
    print(items, end=str(items.pop()))
    return len(items)


@program("print writes what stands before a text that raises", ("good",), ("bad",))
def print_of_instances(name: str) -> str:
    try:
        print("a", Loud(name), [Loud("x")], 1, sep="|", end="!\n")
    except ValueError as error:
        return str(error)
    print(Loud(name), end=f"{Loud(name)}")
    print()
    return ""


of_row("formatting")


@program("a literal of %s and %r is filled value by value", ([1, 2, 3],), ([4, 5],))
def percent_of_what_changes(items: list[int]) -> list[str]:
    return [
        "%s %-6s|%5s|%.2s %%" % (items, items.pop(), [items.pop()], "text"),
        "%d %s" % (len(items), items),
        "%r%a" % ("é", "é"),
    ]


@program("a format specification comes before the conversion", ([1, 2, 3, 12],))
def conversion_after_specification(items: list[int]) -> str:
    return f"{len(items):{items.pop()}}|{items!r:>{items.pop() + 12}}|{items!s:>{10}}"


@program("a bool is a width and a precision", ("%.*f|", True, 2.55), ("%*.1f|", False, 2.5), ("%-*d|", True, 7.0))
def percent_star_of_bool(template: str, star: bool, value: float) -> str:
    return template % (star, value) + "%.*f|" % (star, value)


of_row("operators")


@program("a chain that ends before a name that is never bound", (1, 2), (2, 1), (0, 0))
def chain_before_unbound(a: int, b: int) -> bool:
    if a > b >= never:
        return False
    result = a < b < a < never
    return result
    never = 3


@program("an operand of and/or that may be unbound", ([], 1), ([1], 1), ([1], 5))
def operand_may_be_unbound(items: list[int], n: int) -> str:
    if items:
        bound = n
    try:
        found = bound == 1 or n > 3
        kept = list(filter(lambda item: bound == item or False, [1, 5]))
        return str(found) + str(kept) + str(bound > 1 and n)
    except NameError as error:
        return type(error).__name__ + str(error)


of_row("loops")


@program("a zip that a tuple ends asks what stands before it once more", ({1: 2, 3: 4, 5: 6}, [1, 2, 3, 4]), ({}, [1]))
def zip_ended_by_tuple(table: dict[int, int], items: list[int]) -> tuple[list[int], list[int], list[int]]:
    found: list[int] = []
    try:
        for key, other in zip(table, (0, 9)):
            found.append(key + other)
            if len(found) == 2:
                table[77] = 1
    except RuntimeError:
        found.append(-1)
    rest = iter(items)
    products = [a * b for a, b in zip(rest, (1, 2))]
    return found, products, list(rest)


of_row("calls")


def sum_of(first: int, *, second: int) -> int:
    return first + second


@program("an argument that is not bound before ** of a display", ({},), ({"b": 3},))
def unbound_before_display(table: dict[str, int]) -> str:
    try:
        return str(sum_of(late, **{"second": table["a"]}))
    except (NameError, KeyError) as error:
        return type(error).__name__
    late = 1


of_row("generators")


@program("an iterator used in two places, over what may be unbound (seed 99405)", (0, [4, 5]), (9, [4, 5]), (1, [4]))
def kept_over_unbound(n: int, items: list[int]) -> tuple[list[int], str]:
    for i in range(n):
        is_late = i > 7
    try:
        doubled = (item * 2 for item in (items if is_late else [1, 2]).copy() if item != 1)
        first = next(doubled, -1)
        return [first, *list(zip(doubled, doubled))[:0], *doubled], "made"
    except UnboundLocalError as error:
        return [n], type(error).__name__


of_row("match")


@program("a range in a tuple that is matched by patterns of sequences", (3,), (0,), (1,))
def ranges_inside(n: int) -> tuple[int, list[int], bool]:
    whole = (range(n), 2)
    is_long = bool((part := whole[0],) and isinstance(part, range) and len(part) > 1)
    match whole:
        case ([], k):
            return k, [], is_long
        case ([first, *rest], k):
            return first + k, rest, is_long
    return -1, [], is_long
