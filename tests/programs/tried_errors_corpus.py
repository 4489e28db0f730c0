"""Operations without a meaning for their types, in the body of a `try` whose handlers name what Python raises there."""

# ruff: noqa
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Optional, Union

from language_rows import of_row
from oracle import program

of_row("try")


@program("operators that have no meaning raise in a try", *[(k,) for k in range(20)])
def tried_operators(k: int) -> str:
    try:
        if k == 0:
            return str("a" + 1)
        if k == 1:
            return str(None + 1)
        if k == 2:
            return str([1] + (2,))
        if k == 3:
            return str("a" * "b")
        if k == 4:
            return str({} + {})
        if k == 5:
            return str(1 < "a")
        if k == 6:
            return str(-"a")
        if k == 7:
            return str(~1.5)
        if k == 8:
            return str(1 in "abc")
        if k == 9:
            return str("a" in 5)
        if k == 10:
            return str(b"a" + "b")
        if k == 11:
            return str("a" + b"b")
        if k == 12:
            return str(1j < 2j)
        if k == 13:
            return str({1} + {2})
        if k == 14:
            text = "a"
            text += 5
            return text
        if k == 15:
            return str("abc" in b"abc")
        if k == 16:
            return str(1 @ 2)
        if k == 17:
            return str([1, 2][1:"a"])
        if k == 18:
            return str("abc"[0.5:])
        return "%d" % "x"
    except TypeError as error:
        return str(error)


@program("builtins that do not take these types raise in a try", *[(k,) for k in range(36)])
def tried_builtins(k: int) -> str:
    try:
        if k == 0:
            return str(len(3))
        if k == 1:
            return str(int([]))
        if k == 2:
            return str(int("a", "b"))
        if k == 3:
            return str(int(3, 10))
        if k == 4:
            return str(float(None))
        if k == 5:
            return str(ord(5))
        if k == 6:
            return str(chr("a"))
        if k == 7:
            return str(round(1, "a"))
        if k == 8:
            return str(divmod("a", 1))
        if k == 9:
            return str(pow(2.0, 2, 3))
        if k == 10:
            return str(sum([1], "a"))
        if k == 11:
            return str(sum(["a", "b"]))
        if k == 12:
            return str(max("a", 1))
        if k == 13:
            return str(sorted([1, "a"]))
        if k == 14:
            return str(list(reversed({1})))
        if k == 15:
            return str(next([1]))
        if k == 16:
            return str(dict([1]))
        if k == 17:
            return str(set([[1]]))
        if k == 18:
            return str(complex([]))
        if k == 19:
            return str(bytes("a"))
        if k == 20:
            return str(bytes(1.5))
        if k == 21:
            return str(isinstance(1, 5))
        if k == 22:
            return str(list(range("a")))
        if k == 23:
            return str(range(1.5))
        if k == 24:
            return str(list(zip([1], 5)))
        if k == 25:
            return str(len())
        if k == 26:
            return str(abs(1, 2))
        if k == 27:
            return str(sorted([1], foo=1))
        if k == 28:
            return str(list(map(5, [1])))
        if k == 29:
            return str(max([1], key=5))
        if k == 30:
            zip(5)
        if k == 31:
            iter(5)
        if k == 32:
            return str([*5])
        if k == 33:
            return str((*5, 1))
        if k == 34:
            return str({**5})
        return str({*5})
    except TypeError as error:
        return str(error)
    return "nothing"


@program("methods that do not take these types, and names that are not there, raise in a try", *[(k,) for k in range(20)])
def tried_methods(k: int) -> str:
    try:
        if k == 0:
            return str("abc".split(1))
        if k == 1:
            return ",".join(["a", 1])
        if k == 2:
            return ",".join(5)
        if k == 3:
            return "abc".replace("a")
        if k == 4:
            return "abc".zfill("5")
        if k == 5:
            return str("abc".encode(1))
        if k == 6:
            [1].extend(5)
        if k == 7:
            [1].insert("a", 1)
        if k == 8:
            {}.update([1])
        if k == 9:
            {1}.union(5)
        if k == 10:
            return str([1].index())
        if k == 11:
            numbers = {1}
            numbers.add([])
        if k == 12:
            return str((5).foo)
        if k == 13:
            return str("s".push(1))
        if k == 14:
            return str(None.x)
        if k == 15:
            number = 5
            number.y = 1
        if k == 16:
            return str((1, 2).append(3))
        if k == 17:
            raise 5
        if k == 18:
            with 5:
                pass
        return str.upper(5)
    except (TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"


@program("items and keys that no container takes raise in a try", *[(k,) for k in range(18)])
def tried_items(k: int) -> str:
    numbers = [1, 2, 3]
    table = {"a": 1}
    pair = (1, 2)
    try:
        if k == 0:
            pair[0] = 5
        if k == 1:
            del pair[0]
        if k == 2:
            return str(numbers["a"])
        if k == 3:
            table[[1]] = 2
        if k == 4:
            return str({[1]: 2})
        if k == 5:
            return str({1, [2]})
        if k == 6:
            return str(hash((1, [2])))
        if k == 7:
            return str(5[0])
        if k == 8:
            numbers[0:1] = 5
        if k == 9:
            numbers[::2] = 5
        if k == 10:
            a, b = 5
        if k == 11:
            a, b = 1, 2, 3
        if k == 12:
            return str([i for i in 5])
        if k == 13:
            for i in None:
                pass
        if k == 14:
            return str(numbers())
        if k == 15:
            return str(table["a"]["b"])
        if k == 16:
            text = "abc"
            text[0] = "x"
        return str(None[0])
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"


class Plain:
    def __init__(self, x: int):
        self.x = x


@dataclass
class Point:
    x: int


@program("what a class does not define raises in a try", *[(k,) for k in range(16)])
def tried_instances(k: int) -> str:
    plain = Plain(1)
    try:
        if k == 0:
            return str(len(plain))
        if k == 1:
            return str(plain[0])
        if k == 2:
            plain[0] = 1
        if k == 3:
            del plain[0]
        if k == 4:
            return str(plain())
        if k == 5:
            return str([i for i in plain])
        if k == 6:
            return str(1 in plain)
        if k == 7:
            return str(int(plain))
        if k == 8:
            return str(-plain)
        if k == 9:
            return str(abs(plain))
        if k == 10:
            return str(sorted([plain, Plain(2)]))
        if k == 11:
            return str(hash(Point(1)))
        if k == 12:
            return str({Point(1): 2})
        if k == 13:
            return str({Point(1)})
        if k == 14:
            return str(list(reversed(plain)))
        with plain:
            pass
    except TypeError as error:
        return str(error)
    return "nothing"


@program("declared unions are told apart where a TypeError is caught", (1,), ("a",), (None,), ([2, 3],))
def tried_union(x: Union[int, str, None, list[int]]) -> list[str]:
    found = []
    try:
        found.append(str(x + 1))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str(len(x)))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str(x[0]))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str(x * 2))
    except TypeError as error:
        found.append(str(error))
    return found


@program("an Optional that is used as if it were there, and is caught", (None,), ([],), ([2, 3],))
def tried_optional(x: Optional[list[int]]) -> str:
    try:
        return str(sum(x) + x[0])
    except TypeError as error:
        return f"TypeError {error}"
    except IndexError as error:
        return f"IndexError {error}"


def is_iterable(x) -> bool:
    try:
        iter(x)
    except TypeError:
        return False
    return True


def has_hash(x) -> bool:
    try:
        hash(x)
        return True
    except TypeError:
        return False


@program("helpers that try what a value can")
def tried_abilities() -> list[bool]:
    return [is_iterable([1]), is_iterable(5), is_iterable("s"), is_iterable(None), has_hash(1), has_hash([1]),
            has_hash((1, [2])), has_hash({1: 2}), has_hash(frozenset())]


@program("operands are evaluated before what they raise", (0,), (1,))
def tried_order(k: int) -> list[str]:
    seen: list[str] = []

    def note(name: str) -> str:
        seen.append(name)
        return name

    try:
        if k == 0:
            seen.append(str(len(note("a"), note("b"))))
        seen.append(note("c") + len(note("d")) + note("e"))
    except Exception as error:
        seen.append(str(error))
    finally:
        seen.append("end")
    return seen


def joined(a, b):
    return a + b


@program("what a helper that is called in a try raises", (2,))
def tried_helper(n: int) -> list[str]:
    found = []
    for attempt in range(n):
        try:
            found.append(str(joined(attempt, "b")))
        except Exception as error:
            found.append(f"{type(error).__name__} {error}")
    return found


class Suit(Enum):
    CLUB = 1
    HEART = 2


@program("members of an enum have no order, attributes or operators of others", *[(k,) for k in range(11)])
def tried_members(k: int) -> str:
    try:
        if k == 0:
            return str(Suit.CLUB < Suit.HEART)
        if k == 1:
            return str(Suit.CLUB + 1)
        if k == 2:
            return str(1 + Suit.CLUB)
        if k == 3:
            return str(Suit.CLUB.foo)
        if k == 4:
            return str(sorted([Suit.HEART, Suit.CLUB]))
        if k == 5:
            return str(max(Suit.HEART, Suit.CLUB))
        if k == 6:
            return str(min([Suit.HEART, Suit.CLUB]))
        if k == 7:
            return str(sorted([2, 1], key=lambda value: Suit(value)))
        if k == 8:
            return str([Suit.CLUB] < [Suit.HEART])
        if k == 9:
            data = b"ab"
            data[0] = 1
        return str(sorted([Suit.CLUB]))
    except (TypeError, AttributeError) as error:
        return str(error)


@program("a property of a local class that has no setter", ())
def tried_property() -> str:
    class Fixed:
        @property
        def x(self) -> int:
            return 1

    try:
        Fixed().x = 5
    except AttributeError as error:
        return str(error)
    return "set"
