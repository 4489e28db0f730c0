"""Operators on values of several types that nothing declares: each works or raises as the class that a value has."""
# ruff: noqa: B007, C416, D105, PERF203, PERF401 - written as users write it

from __future__ import annotations

import math

from language_rows import of_row
from oracle import program

of_row("operators")


@program("runs of letters counted in lists of a letter and a number", ("aabbbc",), ("",), ("zzz",))
def runs(text: str) -> str:
    out = []
    for letter in text:
        if out and out[-1][0] == letter:
            out[-1][1] += 1
        else:
            out.append([letter, 1])
    return str(out)


@program("a sum with the value of a dict of several types", ("n",), ("s",), ("f",), ("b",), ("z",))
def mixed_dict(key: str):
    record = {"n": 4, "s": "four", "f": 4.5, "b": True, "extra": 9}
    return record[key] * 2 + 1


@program("what was not found is None in a sum", ([3, 1, 2],), ([],))
def best_plus_one(xs: list[int]) -> int:
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best + 1


@program("every operator of numbers, text, None and lists as Python reports it", (0,), (1,), (2,), (3,))
def all_reports(at: int) -> list[str]:
    values = [5, "ab", None, [1, 2]]
    a = values[at]
    out = []
    for b in values:
        try:
            out.append(str(a + b))
        except TypeError as error:
            out.append(str(error))
        try:
            out.append(str(a * b))
        except TypeError as error:
            out.append(str(error))
        try:
            out.append(str(a - b) + str(b ** 2))
        except TypeError as error:
            out.append(str(error))
        try:
            out.append(str(a < b))
        except TypeError as error:
            out.append(str(error))
    return out



def noted(name: str) -> str:
    return "<" + name + ">"


@program("operands are evaluated before the operator fails", (0, 1), (1, 0), (0, 0), (1, 1))
def evaluated_in_order(i: int, j: int) -> list[str]:
    values, seen = [7, "seven"], []

    def take(at: int):
        seen.append(noted(str(at)))
        return values[at]

    try:
        seen.append(str(take(i) + take(j)))
    except TypeError as error:
        seen.append(str(error))
    try:
        seen.append(str(take(i) < take(j) < take(i)))
    except TypeError as error:
        seen.append(str(error))
    return seen


class Box:
    def __init__(self, is_text: bool) -> None:
        self.value = 1
        if is_text:
            self.value = "one"
        self.reads = 0

    def me(self) -> Box:
        self.reads += 1
        return self


@program("augmented assignments to an attribute and an item of several types", (True,), (False,))
def augmented_places(is_text: bool) -> list[str]:
    box, out = Box(is_text), []
    items = {"a": 2, "b": "two", "c": None}
    for key in ("a", "b", "c", "d"):
        try:
            items[key] += 3
        except (TypeError, KeyError) as error:
            out.append(repr(error))
        try:
            items[key] *= 2
        except (TypeError, KeyError) as error:
            out.append(repr(error))
    try:
        box.me().value += 1
    except TypeError as error:
        out.append(str(error))
    return [*out, str(items), str(box.value), str(box.reads)]


@program("names of operators in errors of augmented assignments", (None,), (3,))
def names_of_operators(start: int | None) -> list[str]:
    found, out = None, []
    if start is not None:
        found = start
    for step in range(5):
        count = found
        try:
            if step == 0:
                count **= 2
            elif step == 1:
                count //= 2
            elif step == 2:
                count <<= 1
            elif step == 3:
                count %= 2
            else:
                count = count ** 2
        except TypeError as error:
            out.append(str(error))
        out.append(str(count))
    return out


@program("bits of a bool, an int or a float", ())
def bits() -> list[str]:
    out = []
    for a in [True, 6, 1.5]:
        for b in [3, False, 2.0]:
            try:
                out.append(str(a & b) + str(a | b) + str(a ^ b) + str(b << a))
            except TypeError as error:
                out.append(str(error))
        try:
            out.append(str(~a))
        except TypeError as error:
            out.append(str(error))
    return out


@program("a tuple among the values that are formatted", (0,), (1,), (2,))
def formatted(at: int) -> str:
    values = [5, (1,), ("x",)]
    try:
        return "<%s>" % values[at]
    except TypeError as error:
        return str(error)


of_row("errors")


@program("order where some values have none", ())
def order() -> list[str]:
    out, values = [], [1, "a", None]
    for a in values:
        for b in [2, "b"]:
            for op in range(3):
                try:
                    out.append(str(a < b if op == 0 else a >= b if op == 1 else 0 < a <= b))
                except TypeError as error:
                    out.append(str(error))
        out.append(str(a == 1) + str(a != "a"))
    return out


of_row("errors")


@program("nested records, items of which are of several types", ("user",), ("tags",), ("count",), ("none",))
def nested(key: str) -> list[str]:
    data = {"user": {"name": "ann"}, "tags": ["x", "y"], "count": 3, "none": None}
    value, out = data[key], []
    for attempt in range(4):
        try:
            if attempt == 0:
                out.append(str(value["name"]))
            elif attempt == 1:
                out.append(str(len(value)))
            elif attempt == 2:
                out.append(str([each for each in value]))
            else:
                out.append(str("x" in value))
        except TypeError as error:
            out.append(str(error))
    return out


@program("slices and items of text, a number or a tuple", ())
def parts() -> list[str]:
    out = []
    for value in ["text", 4.5, (1, 2, 3), None]:
        try:
            out.append(str(value[:2]))
        except TypeError as error:
            out.append(str(error))
        try:
            out.append(str(value[1]) + str(-value))
        except TypeError as error:
            out.append(str(error))
    return out


of_row("loops")


@program("a loop over what may be no container", ("a",), ("b",), ("c",), ("d",))
def loop_or_error(key: str) -> list[str]:
    known, out = {"a": [1, 2], "b": 5, "c": "xy"}, []
    try:
        for each in known.get(key):
            if each == 2:
                break
            out.append(str(each))
        else:
            out.append("all")
    except TypeError as error:
        out.append(str(error))
    numbers = {"a": [3, 1]}.get(key)
    for attempt in range(3):
        try:
            out.append(str(sorted(numbers) if attempt == 0 else sum(numbers) if attempt == 1 else list(numbers)))
        except TypeError as error:
            out.append(str(error))
    return out


@program("a number of one of two kinds is looked for among ints", (0,), (2,), (7,))
def number_among_ints(n: int) -> str:
    found = n if n > 1 else 0.5
    table = {1: "a", 2: "b"}
    return f"{found in table} {found in [1, 2]} {found not in {2, 3}} {found in (2, 'x')}"


@program("a number of one of two kinds is rounded to an int", (0,), (3,))
def rounded_number(n: int) -> list[int]:
    number = n if n > 1 else n - 1.5
    return [math.floor(number), math.ceil(number), math.trunc(number), math.ceil(number) ** 2]
