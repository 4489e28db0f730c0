"""Where an answer is easily nearly right: the order of comparisons in a sort, arguments of exceptions, exchanged keys."""
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Any, Optional, Union

import tsm
from language_rows import of_row
from oracle import program

of_row("list methods")


class Weight:
    def __init__(self, n: int) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        print("==")
        return isinstance(other, Weight) and self.n == other.n

    def __lt__(self, other: Weight) -> bool:
        print(self.n, other.n)
        return self.n < other.n


class Touchy:
    def __init__(self, n: int) -> None:
        self.n = n

    def __lt__(self, other: Touchy) -> bool:
        if self.n == 13 and other.n < 5:
            raise ValueError(f"{self.n} beside {other.n}")
        return self.n < other.n


class Member:
    def __init__(self, n: int, owner: list[Member]) -> None:
        self.n = n
        self.owner = owner

    def __lt__(self, other: Member) -> bool:
        print(len(self.owner))
        if self.n == 3:
            self.owner.append(self)
        return self.n < other.n


@program("sorting asks for CPython's comparisons in CPython's order, at every length",
         (64, 1, 100), (64, 37, 61), (70, 3, 67), (129, 5, 131), (300, 7, 997), (301, 399, 400), (260, 1, 130), (2, 1, 2))
def asked_in_order(n: int, step: int, modulus: int) -> list[int]:
    items = [Weight(i * step % modulus) for i in range(n)]
    items.sort()
    return [each.n for each in items]


@program("runs that fall, rise and gallop", (40, 90, 33), (100, 70, 1), (1, 300, 64))
def runs(a: int, b: int, c: int) -> list[int]:
    ns = [*range(a, 0, -1), *range(0, 2 * b, 2), *range(c), *range(2 * b, b, -2)]
    return [each.n for each in sorted([Weight(n) for n in ns], reverse=c % 2 == 1)]


@program("keys with their own < are compared by it alone", (5, 3, 4), (100, 7, 30), (64, 3, 7))
def by_key(n: int, step: int, modulus: int) -> list[int]:
    values = [i * step % modulus for i in range(n)]
    ordered = sorted(values, key=lambda i: Weight(i), reverse=n % 2 == 0)
    values.sort(key=lambda i: Weight(-i))
    return ordered + values


@program("a comparison that raises leaves the elements as CPython leaves them", (20, 3, 17), (100, 7, 30), (70, 1, 100), (64, 3, 7))
def interrupted(n: int, step: int, modulus: int) -> list[int]:
    items = [Touchy(i * step % modulus) for i in range(n)]
    try:
        items.sort(reverse=n % 2 == 1)
    except ValueError as error:
        print(error)
    return [each.n for each in items]


@program("a list is empty while it is sorted, and must stay so", (3,), (20,), (80,), (1,))
def emptied(n: int) -> list[int]:
    items: list[Member] = []
    for i in range(n):
        items.append(Member(i * 7 % 5, items))
    try:
        items.sort()
    except ValueError as error:
        print(error)
    return [each.n for each in items]


of_row("errors")


class Letter(Enum):
    A = 1


@program("the argument of a KeyError is the key", *[({"a": 1}, {"a"}, k, "q'x") for k in range(8)])
def keys_of_errors(d: dict[str, int], s: set[str], k: int, name: str) -> str:
    try:
        if k == 0:
            s.remove(name)
        elif k == 1:
            s.clear()
            s.pop()
        elif k == 2:
            d.clear()
            d.popitem()
        elif k == 3:
            return str(Letter[name])
        elif k == 4:
            return "{x}".format(y=name)  # noqa: F522, F524
        elif k == 5:
            return str(d[name])
        elif k == 6:
            return str(d.pop(name))
        else:
            del d[name]
    except KeyError as error:
        return f"{error} {error!r} {error.args} {error.args == (name,)}"
    return "none"


@program("OverflowError of a power has the number and text of errno", (1e308,), (2.0,), (-1e200,))
def too_large(x: float) -> str:
    try:
        return repr(x**2)
    except OverflowError as error:
        return f"{error} {error!r} {error.args} {error.args[0] == 34}"


@program("errors of divmod", (1.0, 0, 0), (0.0, 0.0, 3), (-7.5, 2, 4), (float("nan"), 1.0, -3))
def divided(a: float, b: Union[int, float], c: int) -> str:
    parts: list[str] = []
    for k in range(4):
        try:
            if k == 0:
                parts.append(repr(divmod(a, b)))
            elif k == 1:
                parts.append(repr(divmod(c, a)))
            elif k == 2:
                parts.append(repr(divmod(b, c)))
            else:
                parts.append(repr(divmod(c, c)))
        except ZeroDivisionError as error:
            parts.append(str(error))
    return " ".join(parts)


of_row("mutated while iterated")


@program("keys of a dict exchanged while it is iterated", *[({i: i * i + 1 for i in range(n)}, k) for n in (0, 1, 2, 4, 9, 13) for k in range(3)])
def exchanged(d: dict[int, int], k: int) -> str:
    seen = ""
    try:
        if k == 0:
            for x in d:
                seen += f"{x} "
                del d[x]
                d[x + 100] = 1
        elif k == 1:
            for x, v in d.items():
                seen += f"{x} "
                d.pop(x)
                d[x + 10] = v
        else:
            for v in d.values():
                seen += f"{v} "
                d.popitem()
                d[v + 50] = v
    except RuntimeError as error:
        seen += str(error)
    return seen + str(d)


of_row("refinement")


@program("jit.isinstance as a value narrows nothing", (1, None), ("a", [1]))
def noted(x: Union[int, str], y: Optional[list[int]]) -> str:
    is_number = tsm.jit.isinstance(x, int)
    is_absent = not tsm.jit.isinstance(y, list[int])
    print(is_number, is_absent, x, y)
    return str(x) + "!" + ("n" if y is None else str(len(y)))


of_row("formatting")


@program("attributes asked for by a text known at run time", ("{0.real}", 1), ("{0.numerator} {0.denominator}", 7), ("{0.foo}", 1),
         ("{0.foo}", "a"), ("{0.bar}", [1]), ("{0.imag}", 1j), ("{0.zz}", None), ("{0.denominator}", True))
def asked_by_text(text: str, x: Union[int, float, complex, str, None, list[int]]) -> str:
    try:
        return text.format(x)
    except AttributeError as error:
        return str(error)


of_row("enums")


class Step(IntEnum):
    ZERO = 0
    ONE = 1
    TWO = 2


@program("members of an IntEnum in containers are equal to their ints", (1,), (2,), (0,))
def equal_inside(n: int) -> list[bool]:
    same = [Step.ONE, Step.TWO] == [Step(n), Step.TWO]
    plain = [[Step.ONE] == [n], [[Step.ONE]] == [[n]], {"a": Step.ONE} == {"a": n}, (Step.ONE, "x") == (n, "x"), [Step.ONE] != [n]]
    inside = [n in [Step.ONE, Step.TWO], Step.ONE in [n], 1.0 in [Step.ONE], n in (Step.ONE,), Step(n) in {2.0}, n in {Step.ONE}]
    return [same, *plain, *inside, {Step.ONE} == {Step(n)}, {"a": Step.ONE} == {"a": Step(n)}]


@program("order of members of an IntEnum in containers", ([Step.TWO, Step.ZERO, Step.ONE], [(Step.TWO, "x"), (Step.ONE, "y"), (Step.TWO, "a")]))
def ordered_members(v: list[Step], w: list[tuple[Step, str]]) -> str:
    w.sort(reverse=True)
    tops = f"{max(v)} {min(v)} {max(w)} {max(Step.ONE, 5)} {max(v, key=lambda e: -e)}"
    return f"{sorted(v)} {tops} {sum(v)} {w} {sorted(w)} {sorted(range(3), key=lambda i: v[i])} {v < [Step.TWO]} {any(v)} {all(v)}"


@program("members of an IntEnum beside other types at one place", (Step.ONE, Step.ONE, [1, Step.ONE, "a"]), (Step.ZERO, 0, ["b", Step.ZERO]),
         (None, 5, []), ("", Step.ZERO, [Step.ONE, 2]))
def beside(x: Union[Step, str, None], y: Union[Step, int], v: list[Union[Step, int, str]]) -> str:
    truth = "t" if x else "f"
    return f"{truth} {x == 1} {y == 1} {y < 2} {1 in v} {v.count(1)} {Step.ONE in v} {v} {y + 1} {x == y} {isinstance(x, int)}"


@program("members of an IntEnum as keys, looked up by ints", ({Step.ONE: "y"},), ({Step.ONE: "y", Step.TWO: "w"},), ({},))
def keyed(d: dict[Step, str]) -> str:
    return f"{1 in d} {5 in d} {1.0 in d} {Step.ONE in d} {d} {d == {Step.ONE: 'y'}}" + " %d %s %r %x" % (Step.TWO, Step.TWO, Step.TWO, Step.TWO)


of_row("scalars")


@program("values of type Any are equal as Python's are", (1, 1), ("a", "a"), (None, 1), ([1], [1]), (1.0, 1), (True, 1), ({"a": 1}, {"a": 1}))
def equal_anyhow(x: Any, y: Any) -> str:
    return f"{x == y} {x != y} {x == 1} {'a' == x} {x == None} {[x] == [y]} {x in [1, 'a']} {(x, y) == (y, x)}"  # noqa: E711


@program("values of type Any beside others in comparisons", ([1, 2], [1, 2], "a", 1), ("a", [], "a", None), (1, [1], "", 1), (None, [], "", None),
         (1.0, [], "", 1), (True, [], "", 1))
def any_beside(x: Any, v: list[int], s: str, n: Optional[int]) -> list[bool]:
    return [x == v, v == x, x == s, s != x, x == n, n == x, x == (1, 2), x == [1, 2], x == 1.0, True == x]  # noqa: E712


@program("order of values of type Any", (1, 2.5), ("a", "b"), (None, 1), ([1], [2]), (True, 0), ((1, 2), (1, 3)))
def any_order(x: Any, y: Any) -> str:
    try:
        return f"{x < y} {x >= 1}"
    except TypeError as error:
        return str(error)


of_row("match")


@program("match on a tuple display with patterns without parentheses", (Step.ONE, "x"), (Step.ONE, "z"), (Step.TWO, "!"), (Step.ZERO, "y"))
def moved(step: Step, c: str) -> Step:
    match step, c:
        case Step.ONE, "x":
            return Step.TWO
        case Step.TWO | Step.ZERO, "x" | "y":
            return Step.ONE
        case _, "!":
            return Step.ZERO
        case _:
            return step
