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


of_row("scalars")


@program("values of type Any that are changed, whatever they are", *[
    ({"a": ["x"], "b": {}, "c": 1, "d": "s", "e": None}, key) for key in "abcde"])
def changed(d: dict[str, Any], key: str) -> list[str]:
    out: list[str] = []
    for use in range(7):
        try:
            if use == 0:
                d[key].append("z")
            elif use == 1:
                d[key]["q"] = 5
            elif use == 2:
                del d[key][0]
            elif use == 3:
                d[key].extend(["u", "v"])
            elif use == 4:
                out.append(str(d[key].setdefault("m", [])))
                d[key]["m"].append(3)
            elif use == 5:
                d[key].update({"n": 7})
            else:
                del d[key]["q"]
        except (AttributeError, TypeError, KeyError, IndexError) as error:
            out.append(f"{type(error).__name__}: {error}")
    return out


@program("settings in settings, changed on their way", (1,), (2,))
def settings(n: int) -> dict[str, Any]:
    made: dict[str, Any] = {"db": {"host": "h", "port": 1}, "tags": ["a"], "deep": {"x": {"y": {}}}}
    made["db"]["port"] += n
    made["db"]["user"] = None
    made["tags"].append("b")
    made["deep"]["x"]["y"]["z"] = [n]
    made["deep"]["x"]["w"] = {"v": 1}
    made["deep"]["x"]["w"]["u"] = "t"
    alias = made["db"]
    alias["host"] = len(made["tags"])
    return made


@program("a list of type Any that grows while it is walked", ([1, 2], 5), ([], 3), ([7], 0))
def grows_while_walked(values: Any, n: int) -> list[int]:
    seen: list[int] = []
    for value in values:
        seen.append(value)
        if len(values) < n:
            values.append(len(seen))
    return seen


@program("a dict of type Any that changes its size while it is walked", ({"a": 1}, ""), ({"a": 1}, "a"),
         ({"a": 1}, "b"), ({"z": 1}, "z"))
def resized_while_walked(d: Any, key: str) -> list[str]:
    seen: list[str] = []
    try:
        for name in d:
            seen.append(name)
            if key:
                d[key] = 1
        for name, value in d.items():
            seen.append(f"{name} {value}")
            if key == "z":
                d["y"] = 2
    except RuntimeError as error:
        seen.append(str(error))
    return seen


Trie = dict[str, "Trie"]


def enter(trie: Trie, word: str) -> None:
    for letter in word:
        trie = trie.setdefault(letter, {})
    trie["$"] = {}


def words_of(trie: Trie, prefix: str = "") -> list[str]:
    out: list[str] = []
    for letter, rest in sorted(trie.items()):
        if letter == "$":
            out.append(prefix)
        else:
            out += words_of(rest, prefix + letter)
    return out


@program("a trie that is a dict of tries", (["to", "tea", "ten", "t"],), ([],))
def trie_words(words: list[str]) -> list[str]:
    root: Trie = {}
    for word in words:
        enter(root, word)
    return words_of(root)


class Shown:
    def __repr__(self) -> str:
        return "shown"


@program("the text of a value of type Any that holds itself, beside an instance with a text of its own", (1,), (0,))
def text_around_itself(n: int) -> list[str]:
    inner: Dict[str, Any] = {"n": n}
    row: List[Any] = [Shown(), inner, (inner,)]
    inner["row"] = row
    row.append(row)
    held: Any = row
    return [repr(held), str(inner), f"{held[2]}"]


class Bag:
    def __init__(self, **held: Any) -> None:
        self.held = dict(held)

    def __getitem__(self, key: str) -> Any:
        return self.held[key]

    def __len__(self) -> int:
        return 70 + len(self.held)


class Walked:
    def __iter__(self):
        yield 1


@program("Any beside classes that can be indexed, measured and walked through", (3,), (0,))
def beside_bags(n: int) -> list[str]:
    given: list[Any] = [Bag(a=n, b=[n, "x"]), {"a": 5}, [1, 2], "abc", Walked(), 7]
    found: list[str] = []
    for each in given:
        try:
            found.append(str(len(each)))
        except TypeError as error:
            found.append(str(error))
        try:
            found.append(str(each["a"]))
        except TypeError as error:
            found.append(str(error))
        if isinstance(each, (list, dict, str)):
            for part in each:
                found.append(str(part))
            found.append(f"{[part for part in each]} {'a' in each} {list(each)}")
        if isinstance(each, (list, str)):
            first, *rest = each
            found.append(f"{first} {rest} {each[1:]}")
    bag = Bag(a=n, b=[n, "x"])
    return [*found, str(bag["a"] + 1), str(bag["b"][1]), str(bag["b"] + [2])]
