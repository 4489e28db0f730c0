"""Values that are of one of several types by inference, where an annotation names one of them: a result, an argument,
an element, a key."""
# ruff: noqa: ANN001, ANN201, ANN202, PERF401 - written as users write it

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from language_rows import of_row
from oracle import program

of_row("refinement")


@program("the best so far begins as None and is the result", ([3, 1, 2],), ([-5],))
def largest(xs: List[int]) -> int:
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


@program("what a search found is an argument of a declared type", ([4, 5, 6], 5), ([7], 7))
def doubled_place(xs: List[int], wanted: int) -> int:
    def search(values, value):
        found = None
        for place, each in enumerate(values):
            if each == value:
                found = place
        return found

    def twice(place: int) -> int:
        return 2 * place

    return twice(search(xs, wanted))


@program("an item of a dict that is surely there", ({"a": [1, 2]}, "a"), ({"b": []}, "b"))
def surely_there(known: Dict[str, List[int]], key: str) -> List[int]:
    found = known.get(key)
    found.append(9)
    return found


of_row("numbers meet")


@program("a value changes its class from round to round", (0,), (1,), (2,))
def alternating(n: int) -> str:
    shown = ""
    for i in range(n + 1):
        shown = i if i % 2 else f"<{shown}>"
        if i == n and i % 2:
            shown = str(shown)
    return shown


of_row("dict methods")


@program("keys that may be None are looked for among ints", ({1: 2, 3: 4}, [1]), ({1: 2}, []), ({}, [3]))
def perhaps_key(known: Dict[int, int], keys: List[int]) -> List[str]:
    last, out = None, []
    for key in keys:
        last = key
    out.append(str(last in known) + str(known.get(last)) + str(known.get(last, -1)) + str(known.pop(last, -2)))
    for attempt in range(3):
        try:
            if attempt == 0:
                out.append(str(known[last]))
            elif attempt == 1:
                del known[last]
            else:
                out.append(str(known.pop(last)))
        except KeyError as error:
            out.append(f"{error} {error.args}")
    out.append(str(known))
    return out


@program("a doubly linked list with sentinels that have no key", ([1, 2, 1, 3, 2],), ([],))
def recently_used(keys: List[int]) -> List[str]:
    cache, out = Recent(2), []
    for key in keys:
        cache.touch(key)
        out.append(f"{cache.order()} {len(cache.known)}")
    return out


class Entry:
    def __init__(self, key):
        self.key = key
        self.before = self.after = None


class Recent:
    def __init__(self, size):
        self.size = size
        self.known = {}
        self.first, self.last = Entry(None), Entry(None)
        self.first.after, self.last.before = self.last, self.first

    def take_out(self, entry):
        entry.before.after, entry.after.before = entry.after, entry.before

    def touch(self, key):
        if key in self.known:
            self.take_out(self.known[key])
        elif len(self.known) == self.size:
            oldest = self.last.before
            self.take_out(oldest)
            del self.known[oldest.key]
        entry = self.known[key] = Entry(key)
        entry.after, entry.before = self.first.after, self.first
        self.first.after.before = self.first.after = entry

    def order(self):
        out, entry = [], self.first.after
        while entry is not self.last:
            out.append(entry.key)
            entry = entry.after
        return out


of_row("sets")


@program("elements that may be None are looked for among text", ({"a", "b"}, 0), ({"a"}, 3))
def perhaps_element(known: set[str], at: int) -> List[str]:
    wanted = {0: "a", 1: "b"}.get(at)
    out = [str(wanted in known)]
    known.discard(wanted)
    try:
        known.remove(wanted)
    except KeyError as error:
        out.append(repr(error))
    return out + sorted(known)


of_row("list methods")


@program("None is left out of what is appended to a declared list", ([1, -2, 3],), ([],))
def positives(xs: List[int]) -> List[int]:
    kept: List[int] = []
    waiting = deque(xs)
    while waiting:
        x = waiting.popleft()
        found = x if x > 0 else None
        if x > 0:
            kept.append(found)
    return kept


of_row("annotations")


@program("a result of anything, filled with values of many types", ({"a": 1, "b": 2},), ({},))
def told_of_dict(known: Dict[str, int]) -> list[object]:
    out = []
    out.append(known.get("a", -1))
    out.append(list(known.items()))
    out.append({value: key for key, value in known.items()})
    out.append("b" in known)
    return out


@program("lists of anything by their keys, as a result", (5,), (0,))
def by_remainder(n: int) -> Dict[str, list[Any]]:
    groups = {}
    for i in range(n):
        groups.setdefault(str(i % 2), []).append(i if i < 3 else str(i))
    return groups


@program("an entry point takes any object", (True,), (-4,), ([1, 2, 3],), ({"k": 1, "z": 2},), ("s",), (None,), (2.5,))
def of_what_kind(value: object) -> str:
    if isinstance(value, bool):
        return "bit"
    if isinstance(value, (int, float)):
        return f"number {value + 1}"
    if isinstance(value, list):
        return f"list of {len(value)}"
    return "nothing" if value is None else f"{type(value).__name__} {value!r}"


of_row("match")


@program(
    "patterns of every kind for any object", (0,), (-4,), ([1, 2],), ([1, 2, 3],), ({"k": 1, "z": 2},), ("s",), (None,), (2.5,), ((1, 2),), ([],)
)
def matched(value: object) -> str:
    match value:
        case 0 | 1:
            return "bit"
        case int(n) if n < 0:
            return f"negative {n}"
        case [x, y]:
            return f"pair {x} {y}"
        case [first, *rest]:
            return f"sequence {first} {len(rest)}"
        case {"k": found, **others}:
            return f"mapping {found} {len(others)}"
        case str() as text:
            return text
        case None:
            return "none"
    return "other"


of_row("refinement")


@program("an Any is asked for classes of collections", (0,), (1,), (2,), (3,), (4,))
def which_collection(n: int) -> str:
    made: List[Any] = [deque([n, n]), Counter([n]), OrderedDict(a=n), {"b": n}, [n]]
    value = made[n]
    return f"{isinstance(value, deque)} {isinstance(value, (Counter, OrderedDict))} {isinstance(value, dict)} {len(value)}"


def weighted(*shares: float) -> float:
    return sum(shares) / max(len(shares), 1)


@program("tuples of any length of ints, or of ints and floats, where floats are declared", ([1, 2],), ([3, 0.5],), ([],))
def shares_of(xs: list[Union[int, float]]) -> tuple[float, float]:
    half: tuple[float, ...] = tuple(x // 2 for x in xs)
    whole: tuple[float, ...] = tuple(int(x) for x in xs)
    return (sum(half) + sum(whole)) / 2, weighted(*(x + 1 for x in xs)) + weighted(*[len(xs)] * 2)


of_row("abstract types")


def paired(rows: Sequence[tuple[str, int]]) -> dict[str, int]:
    return {name: number for name, number in rows}


def flattened(rows: Iterable[Iterable[float]]) -> list[float]:
    return [number for row in rows for number in row]


def summed(table: Mapping[str, Sequence[int]], *, others: Sequence[Sequence[int]] = ()) -> int:
    return sum(sum(row) for row in table.values()) + sum(len(row) for row in others)


class Grid:
    def __init__(self, rows: Iterable[Iterable[float]]):
        self.rows = [list(map(float, row)) for row in rows]

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Grid:
        return cls([[number for number in row] for row in rows])


@program("empty lists and dicts for parameters that leave their type open", (1,), (0,))
def given_nothing(n: int) -> tuple[list[float], int]:
    print(paired([]), flattened([]), flattened([[], [n / 2]]), summed({}), summed({"a": [n]}, others=[[], []]), Grid([]).rows)
    print(Grid.of([]).rows, Grid.of([[n, 2]]).rows, paired([("a", n)]))
    return flattened([[]]), summed({}, others=[])


of_row("classes")


class Echo:
    def __call__(self, request: dict[str, Any]) -> Any:
        request["seen"] = True
        return request["text"] * request["times"]

    def answer(self, request: dict[str, Any]) -> Any:
        return self(request)


class Refusal(Echo):
    def answer(self, request: dict[str, Any]) -> Any:
        request["status"] = 403
        return request["status"]


@program("dicts written in the calls of instances, whatever their class", ("ab", 2), ("", 0))
def called_with_dicts(text: str, times: int) -> list[Any]:
    app = Echo()
    handlers: list[Echo] = [app, Refusal()]
    found = [handler.answer({"text": text, "times": times}) for handler in handlers]
    return [app({"text": text, "times": times}), app(request={"text": "x", "times": 3}), *found]


class Shelf:
    def __init__(self) -> None:
        self.items: list[Any] = []

    def fill(self, items: list[Any]) -> None:
        self.items = items[:]
        self.items.append(1.5)


@program("a copy goes where another element type is declared", ([1, 2],), ([],))
def copies_at_declared(xs: list[int]) -> tuple[float, list[Any], dict[str, Any], list[Optional[int]], float]:
    floats: list[float] = [0.5] + xs[1:]
    anything: list[Any] = xs[:]
    anything.append("a")
    table: dict[str, Any] = {str(x): x for x in xs}.copy()
    table["n"] = None
    maybe: list[Optional[int]] = sorted(xs)
    maybe.append(None)
    rows: list[list[Any]] = []
    rows.append(xs[:])
    rows.insert(0, xs * 2)
    rows[0].append(2.5)
    places: list[Optional[list[float]]] = [None] * 2
    places[1] = xs.copy()
    shelf = Shelf()
    shelf.fill(xs)
    first, second = Shelf(), Shelf()
    first.items = second.items = list(xs)
    first.items.append("both")
    return sum(floats), anything, table, maybe + [len(rows[0])], float(sum(places[1] or [])) + len(shelf.items) + len(second.items)
