"""Containers that values of type Any hold: what is put into them, what they are asked, what they are taken for later."""
# ruff: noqa: B007, C416, D105, PERF203, PERF401, SIM102 - written as users write it

from __future__ import annotations

import copy
from typing import Any, Optional, Union

import tsm
from language_rows import of_row
from oracle import T, program

of_row("scalars")


@program("lists in a record take other elements, and are lists of ints where that is declared", (1,), (2,))
def grown_record(n: int) -> Any:
    config: dict[str, Any] = {"sizes": [1, 2, 3], "names": ["a"], "flags": [True], "rows": [[1], [2, 3]],
                              "deep": {"a": {"b": [1]}}}
    config["sizes"].append(n)
    sizes: list[int] = config["sizes"]
    sizes.append(5)
    config["names"].append(1)
    config["flags"].append(None)
    config["rows"][0].append("in a row")
    config["rows"].append(None)
    config["deep"]["a"]["b"].append((1, 2))
    config["deep"]["a"]["c"] = config["sizes"]
    config["deep"]["z"] = n
    return config, sizes


@program("values of other types in dicts that a record holds", (1,))
def grown_dicts(n: int) -> Any:
    record: dict[str, Any] = {"m": {1: 2}, "t": (1, [2])}
    record["m"][2] = "y"
    record["m"][1] = None
    record["t"][1].append("in a tuple")
    del record["m"][2]
    return record


def small_list() -> list[int]:
    return [1, 2]


@program("a new list of a function is open where an Any takes it", (1,))
def lists_of_functions(n: int) -> Any:
    x: Any = {"p": small_list(), "q": {"r": small_list()}}
    x["p"].append("s")
    x["q"]["r"].extend(["t", n])
    x["q"].update({"u": 1.5})
    x["p"].extend(x["q"]["r"])
    taken: list[Any] = x["p"]
    return x, taken, sum(small_list())


@program("a list of the host takes other elements, and is a list of ints where it still is one", ({"a": [1], "b": [2]},))
def changed_by_turns(x: Any) -> list[int]:
    x["a"].append("new")
    x["a"].append(4)
    del x["a"][1]
    x["b"].append(3)
    numbers: list[int] = x["b"]
    return [*numbers, len(x["a"])]


@program("the numbers of a tensor with something behind them", (T([1, 2]),), (T([[0.5]]),))
def numbers_and_text(x: tsm.Tensor) -> Any:
    values: Any = x.tolist()
    values.append("end")
    declared: list[Any] = x.tolist()
    declared[0] = None
    return values, declared


@program("lists that rows of a table become", (3,))
def rows_of_everything(n: int) -> list[Any]:
    table: list[Any] = []
    for i in range(n):
        row: Any = [i]
        row.append(str(i))
        table.append(row)
        table[i].append(i / 2)
    table.append(table[0])
    table[-1].append("same")
    return table


@program("methods of whatever a record holds", (1,))
def methods_of_values(n: int) -> Any:
    d: dict[str, Any] = {"xs": [3, 1, 2], "s": "a,b", "m": {"k": 1}}
    d["xs"].sort()
    last = d["xs"].pop()
    d["xs"].insert(0, 9)
    d["xs"].remove(1)
    parts = d["s"].split(",")
    upper = d["s"].upper()
    taken = d["m"].pop("k")
    place = d["xs"].index(9)
    again = d["m"].copy()
    d["xs"].reverse()
    d["m"].clear()
    return d, last, parts, upper, taken, place, again


@program("a method that the value has not", (0,), (1,), (2,), (3,))
def missing_methods(which: int) -> Any:
    values: list[Any] = ["text", [1], {"a": 1}, None]
    return values[which].upper()


@program("slices of texts, lists and tuples with bounds of type Any", ("hello", 1), ([1, 2, 3], None), ((1, "b", 2.5), 1),
         ({"a": 1}, 1), (5, 1), ("abc", 1.5))
def slices(x: Any, at: Any) -> Any:
    return x[at:], x[::-1], "hello"[:at], [1, 2, 3][at:]


@program("a tree without its Nones", ({"a": None, "b": [1, None, {"c": None}], 3: "x"},), ([None, [None]],), (1,))
def cleaned(x: Any) -> Any:
    if isinstance(x, dict):
        return {k: cleaned(v) for k, v in x.items() if v is not None}
    if isinstance(x, list):
        return [cleaned(v) for v in x if v is not None]
    return x


@program("values of any type as keys", (["a", 1, "a", True, None],), ([1, [2]],), ([],))
def counted(xs: list[Any]) -> Any:
    counts = {}
    seen = set()
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
        if x not in seen:
            seen.add(x)
    return counts, len(seen)


@program("a key of type Any that a dict has not", ({"a": 1}, "a"), ({"a": 1}, 5), ({"a": 1}, [5]))
def looked_up(d: dict[str, int], k: Any) -> int:
    return d[k] + d.get(k, -1)


@program("all of arithmetic on values of type Any", (7, 2), (7.5, 2), (-7, 2), (True, 3), ("a", 1), (1, None))
def arithmetic(a: Any, b: Any) -> Any:
    return a // b, a % 2, a**2, -a, +a, a - b


of_row("refinement")


@program("elements that a test has told apart", ([1, "abc", 2],), (["", 5],))
def told_apart(xs: list[Union[int, str]]) -> int:
    total = 0
    for i in range(len(xs)):
        if isinstance(xs[i], int):
            total += xs[i]
        else:
            total += len(xs[i])
    return total


@program("a test of an element says nothing after another was stored", ({"a": 1, "b": None}, "a"), ({"a": None}, "a"))
def stored_after_test(d: dict[str, Optional[int]], k: str) -> int:
    if d[k] is not None:
        first = d[k] + 1
        d[k] = None
        return first if d[k] is None else -1
    d[k] = 7
    return d[k] * 2


@program("cells of a grid by two indices", ([["a", None], [None, "b"]], 0, 0), ([["a", None], [None, "b"]], 0, 1))
def cell(grid: list[list[Optional[str]]], r: int, c: int) -> str:
    if grid[r][c] is None:
        return "-"
    c += 0
    if grid[r][c - 0] is not None:
        return grid[r][c - 0].upper()
    return "?"


@program("an element while it is something", ([1, 2, 9], 0), ([1, None], 0), ([], 0))
def walked_up(xs: list[Optional[int]], i: int) -> int:
    while i < len(xs) and xs[i] is not None and xs[i] < 5:
        i += 1
    return i


@program("a flag that remembers the test", (None,), (3,))
def by_flag(x: Optional[int]) -> int:
    is_there = x is not None
    if is_there:
        return x + 1
    return 0


class Holder:
    def __init__(self, value: Optional[int]) -> None:
        self.value = value
        self.count = 0

    def touch(self) -> None:
        self.count += 1


@program("an attribute that was tested before a call", (None,), (3,))
def tested_before_call(x: Optional[int]) -> int:
    holder = Holder(x)
    if holder.value is None:
        return -1
    holder.touch()
    return holder.value + holder.count


of_row("operators")


@program("counts, bounds and places that are floats", *((n,) for n in range(9)))
def floats_for_ints(n: int) -> str:
    count: Union[int, float] = 2 if n > 8 else 2.5
    if n == 0:
        return "ab" * count
    if n == 1:
        return str([0] * count)
    if n == 2:
        return chr(count)
    if n == 3:
        return "abc"[:count]
    if n == 4:
        return "a".zfill(count)
    if n == 5:
        return hex(count)
    if n == 6:
        return str(round(2.5, count))
    if n == 7:
        return str(count.bit_length())
    return str(count * (1, 2))


@program("a tuple of two types as often as the run says", (2,), (0,), (-1,))
def repeated_pair(n: int) -> tuple[int, str]:
    items = (1, "a") * n
    return len(items), "".join(str(item) for item in items)


@program("an annotated union where every class has the operator", (2,), ("ab",))
def doubled(x: Union[int, str]) -> Union[int, str]:
    return x * 2


class Coins:
    def __init__(self, cents):
        self.cents = cents

    def __add__(self, other):
        return Coins(self.cents + other.cents)

    def __radd__(self, other):
        if other == 0:
            return self
        return self.__add__(other)


@program("a sum of instances that begins with 0", (3,), (0,))
def all_coins(n: int) -> int:
    total = sum(Coins(i) for i in range(n))
    return total.cents if total else -1


of_row("dict methods")


@program("keys that are equal numbers of another type", (1,), (3,), (2,))
def equal_numbers(k: int) -> str:
    prices = {1.0: "a", 2.0: "b", 2.5: "c"}
    names = {1: "x", 2: "y"}
    half = k / 2
    return f"{prices.get(k, '?')} {names.get(half, '-')} {prices[k]}"


of_row("annotations")


@program("an Any where Optional and unions are declared", (1,), (None,), ("a",))
def declared_later(x: Any) -> str:
    number: Union[int, str, None] = x
    return f"{number!r}"


@program("an Any where a tuple, a set or a dict of lists is declared", (0,), (1,), (2,))
def declared_containers(which: int) -> str:
    values: dict[str, Any] = {"t": (1, "a"), "s": {1, 2}, "d": {"a": [1]}}
    if which == 0:
        pair: tuple[int, str] = values["t"]
        return pair[1] * pair[0]
    if which == 1:
        numbers: set[int] = values["s"]
        return str(sum(numbers))
    lists: dict[str, list[int]] = values["d"]
    lists["a"].append(5)
    return str(values["d"])


@program("keys that are annotated as Any", ([{"k": 1}, {"k": "b"}, {"k": 1}], "k"))
def grouped(rows: list[dict[str, Any]], by: str) -> Any:
    groups: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row[by], []).append(row)
    return {k: len(v) for k, v in groups.items()}


@program("dicts and sets of values of type Any, and one record over another", ({"a": 1, "b": {"c": 2}}, {"b": 3, 1: "x"}),
         ({"a": 1}, [("p", 2)]), ({"a": 1}, [1]))
def combined(a: Any, b: Any) -> Any:
    copied = dict(b)
    keys = set(a) | {"z"}
    return copied, sorted(keys), {**a, "new": 0}, [x for x in reversed(list(keys))][:0]


of_row("refinement")


@program("an element that is filled and counted up", ([None, 4],), ([],))
def filled(xs: list[Optional[int]]) -> int:
    for i in range(len(xs)):
        if xs[i] is None:
            xs[i] = 0
        xs[i] += 1
    return sum(x for x in xs if x)


of_row("list methods")


@program("items of type Any that lists of one type are asked for", (1,), ("x",), (None,))
def looked_for(x: Any) -> str:
    numbers = [1, 2, 1]
    mixed: list[Union[int, str]] = [1, "a"]
    found = f"{numbers.count(x)} {x in numbers} {x in mixed} {mixed.count(x)}"
    numbers.remove(x)
    return f"{found} {numbers} {mixed.index(x)}"


@program("places and numbers of rounds of type Any", (1,), (1.5,), (True,), ("a",))
def places(x: Any) -> str:
    if x == 1:
        return str([i for i in range(x)]) + "abc"[x]
    try:
        return "abc"[x]
    except TypeError as error:
        text = str(error)
    try:
        return str([5, 6][x])
    except TypeError as error:
        text += f"; {error}"
    return text + str(list(range(x)))


of_row("formatting")


@program("a text filled in from a record", ({"name": "x", "age": None, "t": [1]},), ({"name": "x"},))
def filled_in(record: dict[str, Any]) -> str:
    return "{name:<4}|{age!r:>5}|{t[0]}".format(**record)


of_row("dataclasses")


@program("a deep copy of a record that changes alone", (1,))
def copied_record(n: int) -> Any:
    first: dict[str, Any] = {"xs": [1, 2], "d": {"k": [n]}}
    second = copy.deepcopy(first)
    second["xs"].append("x")
    second["d"]["k"].append(None)
    return first, second
