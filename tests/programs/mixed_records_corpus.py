"""Records whose values are of many kinds, attributes that are known late, and keyword arguments of any kind."""
# ruff: noqa: ANN001, ANN002, ANN003, ANN201, ANN202 - written as users write it

from __future__ import annotations

import heapq
import itertools

from language_rows import of_row
from oracle import program


def record():
    return {"a": [1, 2], "b": ["x", "y"], "c": "xyz", "d": 5, "e": None}


of_row("comprehensions")


@program("consumers of a value of one of several classes, some of them no iterables", ("a",), ("c",), ("d",), ("e",))
def walked(key: str) -> list[str]:
    value = record()[key]
    uses = []
    for use in (
        lambda: [repr(each) for each in value],
        lambda: sorted(value, reverse=True),
        lambda: list(enumerate(value)),
        lambda: "-".join(value),
        lambda: [0, *value],
        lambda: list(zip(value, "ab")),
        lambda: max(value),
        lambda: list(map(str, value)),
    ):
        try:
            uses.append(str(use()))
        except TypeError as error:
            uses.append(str(error))
    return uses


@program("conditions of a comprehension that some kinds of elements do not have", (0,), (2,))
def lengths(least: int) -> tuple[list[int], int]:
    found = record()
    return [len(each) for each in found["b"] if len(each) > least], sum(ord(each) for each in found["c"])


of_row("builtins")


@program("reversed, range and slices of a value of one of several classes", ("a",), ("b",), ("c",), ("d",), ("e",))
def backwards(key: str) -> list[str]:
    lines = []
    value = record()[key]
    try:
        lines.append(str(list(reversed(value))))
    except TypeError as error:
        lines.append(str(error))
    try:
        lines.append(str(value[1:]))
    except TypeError as error:
        lines.append(str(error))
    try:
        lines.append(str(list(range(value))))
    except TypeError as error:
        lines.append(str(error))
    return lines


@program("len of what is a range or a list", (3,), (0,))
def extents(n: int) -> list[int]:
    class Span:
        def __init__(self, items):
            self.items = items

    return [sum(each.items) + 10 * len(each.items) for each in (Span(range(n)), Span([n, n]))]


of_row("list methods")


@program("count and index of elements that lists of other kinds never have", ("a", "x"), ("b", "x"), ("c", "x"))
def places(key: str, what: str) -> str:
    value = record()[key]
    try:
        return f"{value.count(what)} {value.index(what)}"
    except ValueError as error:
        return f"{error}"


of_row("str methods")


@program("an argument of a method of str that is one of several classes", ("b", 0), ("c", 1), ("d", 0))
def replaced(key: str, place: int) -> str:
    found = record()
    try:
        return "axb".replace("x", found[key][place]) + "axb".replace("x", found[key])
    except TypeError as error:
        return str(error)


of_row("dict methods")


@program("keys of a display of which only some kinds have hashes", ("c",), ("d",), ("a",))
def keyed(key: str) -> str:
    found = record()
    try:
        return f"{ {found[key]: 1} } { {found[each]: each for each in ('c', key)} }"
    except TypeError as error:
        return str(error)


of_row("calls")


def shown(first, second=5, /, third=3, *, fourth=4):
    return f"{first=} {second=} {third=} {fourth=}"


@program("a dict of keyword arguments after positional-only ones", ("first", 7), ("second", 1), ("third", 2), ("x", 3))
def after_positional_only(key: str, value: int) -> list[str]:
    named = {"fourth": 1}
    named[key] = value
    lines = []
    for count in range(1, 4):
        try:
            if count == 1:
                lines.append(shown(1, **named))
            elif count == 2:
                lines.append(shown(1, 2, **named))
            else:
                lines.append(shown(1, 2, 3, **named))
        except TypeError as error:
            lines.append(str(error))
    return lines


def best_of(measure, **axes):
    best = None
    for values in itertools.product(*axes.values()):
        chosen = dict(zip(list(axes), values))
        found = measure(**chosen)
        if best is None or found < best[0]:
            best = (found, chosen)
    return best


@program("ranges, lists and tuples as keyword arguments that are caught", (3,), (1,))
def searched(n: int) -> str:
    return f"{best_of(lambda x, y=0, *, k=1: (x - 1) ** 2 + (y + 2) ** 2 + k, x=[-1, 0, 2], y=range(-n, n), k=(1, 2))}"


@program("functions as keyword arguments that are caught as a dict", (3, "half"), (3, "none"))
def tabled(x: int, name: str) -> str:
    def table(which, **functions):
        return functions[which](x), {key: function(x) for key, function in functions.items()}, sorted(functions)

    return f"{table(name, half=lambda v: v // 2, less=lambda v: v - 1)}"


of_row("classes")


class Dial:
    def __init__(self, value=0):
        self.watchers = []
        self.value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        self._value = new
        for watcher in self.watchers:
            watcher(new)

    def watch(self, watcher):
        self.watchers.append(watcher)


@program("callbacks that are called by code which runs before the first is there", ([3, 5],), ([],))
def watched(values: list[int]) -> list[int]:
    seen: list[int] = []
    dial = Dial(1)
    dial.watch(seen.append)
    dial.watch(lambda new: seen.append(-new))
    for each in values:
        dial.value = each
    return seen


class Queue:
    gone = "<gone>"

    def __init__(self):
        self.heap = []
        self.entries = {}

    def add(self, name, weight=0):
        if name in self.entries:
            entry = self.entries.pop(name)
            entry[-1] = self.gone
        entry = [weight, len(self.heap), name]
        self.entries[name] = entry
        heapq.heappush(self.heap, entry)

    def take(self):
        while self.heap:
            weight, _, name = heapq.heappop(self.heap)
            if name != self.gone:
                del self.entries[name]
                return f"{name}:{weight}"
        raise KeyError("empty")


@program("entries taken out of a dict that is filled further down", (2,), (5,))
def queued(count: int) -> list[str]:
    queue = Queue()
    for number, name in enumerate(["write", "read", "eat"]):
        queue.add(name, number * 2 % 3)
    queue.add("read", -1)
    taken = []
    for _ in range(count):
        try:
            taken.append(queue.take())
        except KeyError as error:
            taken.append(str(error))
    return taken


of_row("generators")


def noted(log):
    try:
        yield 1
        yield 2
    except ValueError as error:
        log.append(f"caught {error}")
        yield 99
    finally:
        log.append("closed")


@program("a generator with clean-up whose rest is taken by a generator expression", (0,), (1,), (2,))
def rest_of_noted(how: int) -> list[str]:
    log: list[str] = []
    walked = noted(log)
    log.append(str(next(walked)))
    if how == 0:
        walked.close()
    elif how == 1:
        log.append(str(walked.throw(ValueError("bad"))))
        log.extend(str(each) for each in walked)
    else:
        log.append("".join(str(each) for each in walked))
    return log
