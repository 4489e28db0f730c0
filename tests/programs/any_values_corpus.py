"""Values declared as Any that are containers: they tell what they are when the program runs."""
# ruff: noqa: ANN001, ANN201, ANN202, ANN401, E721

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, TypedDict, Union, cast

from language_rows import of_row
from oracle import program

of_row("annotations")

DEFAULTS: Dict[str, Any] = {"rate": 0.1, "steps": 10, "layers": [4, 8], "verbose": False}
Json = Union[None, bool, int, float, str, List["Json"], Dict[str, "Json"]]
Nested = Union[int, List["Nested"]]


def dump(v: Any) -> str:
    if v is None:
        return "null"
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, (int, float)):
        return str(v)
    if isinstance(v, str):
        return '"' + v + '"'
    if isinstance(v, list):
        return "[" + ", ".join(dump(x) for x in v) + "]"
    if isinstance(v, dict):
        return "{" + ", ".join(f'"{k}": {dump(x)}' for k, x in v.items()) + "}"
    raise TypeError(f"cannot dump {type(v).__name__}")


@program("a recursive function over anything", ({"a": [1, 2.5, None], "b": {"c": "x"}},), ([],), (True,), ((1, 2),), ({1: "a"},))
def dumped(v: Any) -> str:
    text = dump(v)
    return f"{text} ({len(text)})"


def flatten(x: Any) -> list:
    if isinstance(x, (list, tuple)):
        out = []
        for y in x:
            out.extend(flatten(y))
        return out
    return [x]


@program("lists and tuples in each other flattened", ([1, [2, (3, [4])], 5],), (7,), ([],), ("ab",))
def flattened(x: Any) -> list:
    return [*flatten(x), "end"]


@program("len, items, unpacking and in of what turns out to be something else", ([1, 2, 3], 1), ("abc", 0), ((1, "b"), 5), (3, 0),
         ({0: 1}, 0), ([], 0), (None, 1), (b"ab", 1))
def asked(x: Any, i: int) -> Any:
    first, *rest = x
    print(len(x), x[i], first, rest, i in x)
    return x[i]


@program("an index of the wrong kind says what it is", ([1], "a"), ((1,), None), ("ab", 1.5), ({"a": 1}, "b"), ([5, 6], True))
def indexed(x: Any, key: Any) -> str:
    return f"{x[key]!r}"


def count(node: Any, key: str) -> int:
    if isinstance(node, dict):
        return sum(count(v, key) for v in node.values()) + (key in node)
    elif isinstance(node, list):
        return sum(count(v, key) for v in node)
    return 0


@program("a search through dicts of Any by path", ({"a": {"b": [1, {"c": 5}]}, "c": 0}, "a.b.1.c"), ({"a": 1}, "z"), ({"a": 1}, "a.b"), ({"a": [1]}, "a.3"))
def found(data: Dict[str, Any], path: str) -> Any:
    print(count(data, "c"))
    at = data
    for part in path.split("."):
        if isinstance(at, dict):
            if part not in at:
                return at.get(part, "none")
            at = at[part]
        elif isinstance(at, list):
            at = at[int(part)]
        else:
            raise KeyError(part)
    return at


def merge(a: Dict[str, Any], b: Dict[str, Any]) -> Dict[str, Any]:
    out = dict(a)
    for k, v in b.items():
        if k in out and isinstance(out[k], dict) and isinstance(v, dict):
            out[k] = merge(out[k], v)
        else:
            out[k] = v
    return out


@program("dicts of Any merged, whose inner dicts hold one type", ({"a": 1, "b": {"c": 2}}, {"b": {"d": 3}, "a": [1]}), ({}, {}))
def merged(a: Dict[str, Any], b: Dict[str, Any]) -> Dict[str, Any]:
    return merge(a, b)


@program("classes of Any compared, named and looked for", (1, 2), ([1], [1]), ("a", None), ({}, {"a": 1}), (True, 1), (1.5, 2))
def classes(x: Any, y: Any) -> List[bool]:
    kinds = [type(x) == type(y), type(x) is int, type(x) is list, type(x) != dict, type(x) in (int, str)]
    if type(x) is not type(y):
        print(type(x).__name__, type(y).__name__)
    return [*kinds, type(y) not in (list, tuple)]


@program("options of several types checked against their defaults", ({},), ({"rate": 0.5, "layers": [1]},), ({"steps": 1.5},), ({"bad": 1},))
def configured(options: Dict[str, Any]) -> str:
    for k, v in options.items():
        if k not in DEFAULTS:
            raise KeyError(f"unknown option {k}")
        if type(v) is not type(DEFAULTS[k]):
            raise TypeError(f"{k}: {type(v).__name__}")
    return ";".join(f"{k}={options.get(k, DEFAULTS[k])}" for k in ("rate", "steps", "layers"))


@program("arithmetic with values of dicts of Any", ([{"n": 1, "x": 2.5}, {"n": True, "x": 1}],), ([{"n": "a", "x": "b"}],), ([],), ([{"n": None, "x": [1]}],))
def totals(rows: List[Dict[str, Any]]) -> Any:
    total = 0
    for row in rows:
        print("x=" + str(row["x"]), row["x"] + row["x"], row["x"] * 2)
        total += row["n"]
    return total


@program("bare list and dict annotations hold anything", ([1, 2.5, [1], "x"], {"end": "!"}), ([], {}))
def bare(items: list, options: dict) -> str:
    out = []
    for it in items:
        if isinstance(it, list):
            out.append("L%d" % len(it))
        elif isinstance(it, (int, float)):
            out.append(str(it + 1))
        else:
            out.append(it)
    return repr(out) + options.get("end", ".")


def depth(v: Json) -> int:
    if isinstance(v, list):
        return 1 + max((depth(x) for x in v), default=0)
    if isinstance(v, dict):
        return 1 + max((depth(x) for x in v.values()), default=0)
    return 0


@program("an alias that contains itself", ([1, [2, [3]]],), ({"a": {"b": [1]}},), (None,), ({},))
def deep(v: Json) -> tuple[int, int]:
    return depth(v), depth([v])


def total(v: Nested) -> int:
    if isinstance(v, int):
        return v
    return sum(total(x) for x in v)


@program("an alias of numbers and lists of itself", ([1, [2, [3]]],), (5,), ([],))
def summed(v: Nested) -> int:
    return -total(v)


class Pair(NamedTuple):
    a: int
    b: str


def parts(x: Any) -> str:
    if isinstance(x, tuple):
        first, second = x
        return f"{type(x).__name__} {len(x)} {first} {second} {x[1]}"
    return type(x).__name__


@program("a named tuple that an Any holds is a tuple", (1,))
def named(n: int) -> List[str]:
    xs: List[Any] = [Pair(n, "b"), (n, n), [n]]
    return [parts(x) for x in xs]


class Film(TypedDict):
    name: str
    year: int


class Options(TypedDict, total=False):
    depth: int
    title: str


def labelled(film: Film, options: Options) -> str:
    return f"{film['name']} ({film['year']}) {options.get('depth', 0)}"


@program("typed dicts are dicts of anything", (["a", "b"], 2), ([], 1))
def films(names: List[str], n: int) -> List[str]:
    made: List[Film] = [{"name": each, "year": 1990 + i} for i, each in enumerate(names)]
    options: Options = {"depth": n}
    if n > 1:
        made[0]["year"] += 10
        options["title"] = "big"
    return [labelled(film, options) for film in made if film["year"] >= 1991] + [str(options)]


@program("typing.cast of Any, Optionals and displays", (1, 2, [3, "a"]), (-3, 3, []))
def recast(x: Any, y: Optional[int], z: Any) -> Any:
    total = cast(int, x) + cast("int", y)
    xs = cast(List[int], [])
    xs.append(total)
    return xs, [each for each in cast(list, z)], cast(float, total), len(cast(List[int], z))
