"""Keys and elements of sets that are of type Any, dicts that are made from values of type Any, and types that places
declare for what is made of these."""
# ruff: noqa: B007, C402, C416, D105, PERF203, PERF401, PERF403, SIM102 - written as users write it

from __future__ import annotations

from collections import Counter, defaultdict
from enum import Enum
from typing import Any, Generic, Iterator, Optional, TypeVar, Union

from language_rows import of_row
from oracle import program

of_row("scalars")


class Colour(Enum):
    RED = 1
    BLUE = 2


@program("keys of type Any are tuples, members, numbers and texts", ([1, (1, 2), 1.0, (1, 2), None, "x"],), ([[1]],), ([],))
def counted_keys(values: list[Any]) -> dict[Any, int]:
    counts = {Colour.RED: 7, ("z", 3): 1}
    found: dict[Any, int] = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    for key in counts:
        found[key] = counts[key]
    found.pop(None, 0)
    return {key: n for key, n in found.items() if key is not Colour.RED}


@program("sets of values of type Any", ([3, (4,), "a", 3.0], "a"), ([{}], 1), ([], []), ([(1,)], (1,)))
def sets_of_any(values: list[Any], gone: Any) -> tuple[int, bool, list[Any], frozenset[Any]]:
    first = set(values)
    second: set[Any] = set()
    second.update(values)
    second |= {gone, 9}
    second.discard(gone)
    return len(first), 3 in first, sorted({value for value in values}, key=str), frozenset(second)


@program("displays with keys of type Any, and what is not there", (5,), ("z",), ([1],))
def shown_keys(value: Any) -> list[Any]:
    table = {value: "a", Colour.BLUE: "b", (1, value): "c"}
    try:
        del table[(2, value)]
    except KeyError as error:
        table["missing"] = str(error)
    return [table[1, value], table[Colour.BLUE], table["missing"], len(table)]


class Place:
    def __init__(self, x: int) -> None:
        self.x = x


@program("instances are keys of type Any by identity", (3,))
def instances_as_any_keys(n: int) -> int:
    a: Any = Place(n)
    b: Any = Place(n)
    table = {a: 1}
    table[b] = 2
    table[a] += 5
    return table[a] * 10 + len(table)


@program("counters, groups and first occurrences of values of type Any", ([1, (1,), (1,), "a"],), ([],))
def groups_of_any(values: list[Any]) -> Any:
    kinds = defaultdict(list)
    for value in values:
        kinds[value].append(type(value).__name__)
    return Counter(values).most_common(2), dict(kinds), list(dict.fromkeys(values))


of_row("dict methods")


@program("a dict of an Any is changed by others, and is one of texts where its keys are",
         ({"a": {"x": 1}, "b": {"x": 2, "y": [3]}},), ({"a": {}, "b": {}},), ({"a": 1, "b": {}},),
         ({"a": {}, "b": [("k", 1)]},), ({"a": {}, "b": 3},))
def updated_by_any(config: dict[str, Any]) -> dict[str, Any]:
    inner = dict(config["a"])
    inner.update(config["b"])
    inner["z"] = 4
    other: dict[str, Any] = {"q": 1}
    other.update(config["b"])
    config["a"].update(config["b"])
    return {"inner": inner, "other": other, "both": {**config["a"], **inner}}


@program("a dict of an Any takes keys of other types", ({"a": {"x": 1}}, (1, 2)), ({"a": {3: 1}}, 3), ({"a": {}}, []))
def other_keys_of_any(config: dict[str, Any], key: Any) -> Any:
    table = dict(config["a"])
    table[key] = 4
    table[(1, 2)] = 5
    return table


def read_value(text: str, i: int) -> tuple[Any, int]:
    if text[i] == "{":
        return read_object(text, i + 1)
    j = i
    while j < len(text) and text[j] not in ":,}":
        j += 1
    return text[i:j], j


def read_object(text: str, i: int) -> tuple[dict[str, Any], int]:
    result = {}
    while text[i] != "}":
        key, i = read_value(text, i)
        value, i = read_value(text, i + 1)
        result[key] = value
        if text[i] == ",":
            i += 1
    return result, i + 1


@program("a reader that calls itself fills a dict under keys it read", ("{a:1,b:{c:2,d:{}}}",), ("{}",), ("x",))
def read_nested(text: str) -> Any:
    return read_value(text, 0)[0]


def evaluated(expression: Any, names: dict[str, Any]) -> Any:
    if isinstance(expression, str):
        return names[expression]
    if not isinstance(expression, list):
        return expression
    if expression[0] == "let":
        _, name, value, body = expression
        inner = dict(names)
        inner[name] = evaluated(value, names)
        return evaluated(body, inner)
    total = 0
    for each in expression:
        total += evaluated(each, names)
    return total


@program("a copy that takes keys of type Any is of the type that it is handed on as",
         (["let", "x", 5, ["x", 1, "y"]],), ([1, 2],), ("z",))
def evaluated_with_names(expression: Any) -> Any:
    return evaluated(expression, {"y": 2.5})


of_row("annotations")


@program("rows that grow by their keys go into a list of declared dicts", (["a", "b"], [0.25]), ([], []))
def grown_rows(names: list[str], scores: list[float]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for i, name in enumerate(names):
        row = {}
        row["id"] = i
        row["name"] = name
        row["score"] = scores[i] if i < len(scores) else None
        rows.append(row)
    return rows


@program("what setdefault gives is of the declared values", ([("n", "b", 2.0), ("n", "a", 3.5), ("n", "b", 5.0)],), ([],))
def declared_inside(sales: list[tuple[str, str, float]]) -> dict[str, dict[str, float]]:
    result: dict[str, dict[str, float]] = {}
    for region, item, amount in sales:
        inner = result.setdefault(region, {})
        inner[item] = inner.get(item, 0) + amount
    return {k: dict(sorted(v.items())) for k, v in result.items()}


def chosen(a, b, op="add"):
    if op == "add":
        return a + b
    return (a, b)


@program("items of a tuple that is returned go to their declared types", (3, 2.5), (0, 0.0))
def items_of_results(n: int, f: float) -> Optional[tuple[float, str, list[str]]]:
    heap = [(0, "x")]
    heap.append((n * f, "y"))
    cost, name = heap.pop()
    path = [name]
    if n > 100:
        return None
    return cost, chosen("a", name), path[::-1]


of_row("loops")


class Countdown:
    def __init__(self, start: int) -> None:
        self.start = start

    def __iter__(self) -> Iterator[int]:
        n = self.start
        while n > 0:
            yield n
            n -= 1


def total_of(source: Union[list[int], Countdown]) -> int:
    total = 0
    for each in source:
        total = total * 10 + each
    return total


@program("a loop over a list or an instance whose class yields", (4, True), (4, False), (0, False))
def listed_or_counted(n: int, is_list: bool) -> int:
    return total_of(list(range(n)) if is_list else Countdown(n))


of_row("generators")


@program("a nested generator that calls itself", (3,), (0,))
def nested_recursive_generator(n: int) -> list[str]:
    def halves(low: int, high: int) -> Iterator[str]:
        if low < high:
            middle = (low + high) // 2
            yield from halves(low, middle)
            yield str(middle)
            yield from halves(middle + 1, high)

    def all_halves() -> Iterator[str]:
        yield from halves(0, n)

    return list(all_halves())


of_row("abstract types")

K = TypeVar("K")
V = TypeVar("V")


class Link(Generic[K, V]):
    def __init__(self, key: K, value: V) -> None:
        self.key = key
        self.value = value
        self.next: Optional[Link[K, V]] = None


class Chain(Generic[K, V]):
    def __init__(self) -> None:
        self.head: Optional[Link[K, V]] = None

    def push(self, link: Link[K, V]) -> None:
        link.next = self.head
        self.head = link

    def put(self, key: K, value: V) -> None:
        self.push(Link(key, value))

    def __iter__(self) -> Iterator[K]:
        link = self.head
        while link:
            yield link.key
            link = link.next


@program("instances of a generic class made in another generic class", (["a", "b"],), ([],))
def chained_links(names: list[str]) -> list[str]:
    chain: Chain[str, int] = Chain()
    for i, name in enumerate(names):
        chain.put(name, i)
    return list(chain)


of_row("tuples")


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from paths_of(each, path + (key,))
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from paths_of(each, path + (i,))
    else:
        yield path


@program("tuples of any length are joined with others of other elements", ({"a": [1, {"b": None}], 2: 3},), ([],), (5,))
def joined_paths(value: Any) -> list[str]:
    places = tuple(range(len(str(value)) % 3))
    return ["/".join(str(part) for part in path + ("end",)) for path in paths_of(value)] + [
        str((0.5, "x") + places), str(places + (None,) + places)]
