"""Methods, items and builtins on values of several types that nothing declares, and types that nest themselves."""
# ruff: noqa: C416, D105, PERF203, PERF401, SIM102, SIM118 - written as users write it

from __future__ import annotations

import math
from typing import Annotated, Any, TypedDict

from language_rows import of_row
from oracle import program

of_row("dict methods")


@program("records of mixed values that are changed in place", ("ann",), ("",))
def record(name: str):
    record = {"name": name, "scores": [1, 2], "meta": {"visits": 0}, "active": False}
    record["scores"].append(3)
    record["meta"]["visits"] += 1
    record["meta"]["last"] = name.upper()
    record["scores"] += [4, 5]
    record["scores"][0] *= 10
    del record["meta"]["visits"]
    return record


@program("records in a dict that link to each other", ([("b", "a"), ("c", "a"), ("d", "b")],), ([],))
def family(pairs: list[tuple[str, str]]) -> list[str]:
    people = {}
    for child, parent in pairs:
        for who in (child, parent):
            if who not in people:
                people[who] = {"name": who, "parent": None, "children": []}
        people[child]["parent"] = parent
        people[parent]["children"].append(child)

    def tree(name, level):
        lines = ["  " * level + name]
        for each in people[name]["children"]:
            lines.extend(tree(each, level + 1))
        return lines

    out = []
    for each in people.values():
        if each["parent"] is None:
            out += tree(each["name"], 0)
    return out


@program("every change of every class, with Python's errors", (0,), (1,), (2,), (3,), (4,), (5,), (6,))
def changes(which: int):
    items = [3, "ab", [1, 2], {"k": 1}, (1, 2), None, {4, 5}]
    x, out = items[which], []
    for use in range(12):
        try:
            if use == 0:
                x.append(7)
            elif use == 1:
                x["k"] = 5
            elif use == 2:
                x[0] = 9
            elif use == 3:
                del x[0]
            elif use == 4:
                x += [5]
            elif use == 5:
                x.discard(4)
            elif use == 6:
                del x["k"]
            elif use == 7:
                out.append(x.copy())
            elif use == 8:
                x[0:1] = [8, 8]
            elif use == 9:
                del x[1:]
            elif use == 10:
                x.clear()
            else:
                x.reverse()
        except Exception as error:
            out.append(type(error).__name__ + ": " + str(error))
    return out, str(x), str(items)


@program("a method's arguments are evaluated after it is found", (0,), (1,), (2,))
def order(which: int) -> list[str]:
    log = []

    def noted(value: int) -> int:
        log.append(f"noted {value}")
        return value

    targets = [[0], 5, {"a": 1}]
    try:
        targets[which].append(noted(3))
    except AttributeError as error:
        log.append(str(error))
    try:
        targets[which][noted(0)] = noted(4)
    except TypeError as error:
        log.append(str(error))
    return [*log, str(targets)]


@program("what is behind a method is of the classes that have it", (True,), (False,))
def narrowed(is_list: bool) -> str:
    x = None
    if is_list:
        x = [3, 1]
    try:
        x.sort()
        x.append(len(x))
        return f"{x[-1]} {x}"
    except AttributeError as error:
        return str(error)


@program("undone changes of a text, kept as numbers and lists", (["add hello", "del 2", "undo", "add !", "undo"],),
         ([],), (["undo", "del 0", "undo"],))
def undo_stack(commands: list[str]) -> tuple[str, int]:
    text, undo = [], []
    for command in commands:
        operation, _, argument = command.partition(" ")
        if operation == "add":
            undo.append(("add", len(argument)))
            text.extend(argument)
        elif operation == "del":
            count = int(argument)
            removed = text[-count:] if count else []
            del text[len(text) - len(removed) :]
            undo.append(("del", removed))
        elif undo:
            kind, info = undo.pop()
            if kind == "add":
                del text[len(text) - info :]
            else:
                text += info
    return "".join(text), len(undo)


@program("a container of one of several classes that grows", ("list", 3), ("str", 3), ("int", 3), ("dict", 2))
def grown(kind: str, n: int):
    if kind == "list":
        x, y = [0], [n]
    elif kind == "str":
        x, y = "0", str(n)
    elif kind == "dict":
        x, y = {0: 1}, {n: 2}
    else:
        x, y = 0, n
    alias = x
    try:
        x += y
    except TypeError as error:
        return str(error)
    return x, alias


@program("a method that several classes have", (0,), (1,), (2,))
def shared_methods(which: int) -> list[str]:
    text = ["x", "y", "x"] if which == 0 else "xyx" if which == 1 else ("x", "z")
    pop = [5, 6] if which == 0 else {0: 7}
    return [str(text.count("x")), str(text.index("x")), str(pop.pop(0)), str(pop), str([*reversed(text)])]


of_row("builtins")


@program("builtins of numbers that are of several types", ("n",), ("x",), ("none",), ("l",), ("s",), ("t",))
def numbers(key: str) -> list[str]:
    r = {"n": 2, "s": "ab", "x": 2.5, "none": None, "l": [1, "a"], "t": True}
    out = []
    for use in range(8):
        try:
            if use == 0:
                out.append(str(round(r[key])))
            elif use == 1:
                out.append(str(abs(r[key])))
            elif use == 2:
                out.append(str(int(r[key])))
            elif use == 3:
                out.append(str(float(r[key])))
            elif use == 4:
                out.append(str(round(r[key], 1)))
            elif use == 5:
                out.append(chr(r[key]))
            elif use == 6:
                out.append(hex(r[key]))
            else:
                out.append(str(math.sqrt(r[key])))
        except (TypeError, ValueError) as error:
            out.append(str(error))
    return out


@program("builtins of numbers of type Any", ({"a": 4, "l": ["x", "y"]},), ({"a": "4", "l": ["x", 2]},),
         ({"a": None, "l": []},), ({"a": True, "l": [None]},), ({"a": [1], "l": []},), ({"a": -2.5, "l": ["z"]},))
def numbers_of_any(d: dict[str, Any]) -> list[str]:
    out = []
    for use in range(7):
        try:
            if use == 0:
                out.append(str(round(d["a"])))
            elif use == 1:
                out.append(str(abs(d["a"])))
            elif use == 2:
                out.append(str(int(d["a"])))
            elif use == 3:
                out.append(str(float(d["a"])))
            elif use == 4:
                out.append(str(math.floor(d["a"])))
            elif use == 5:
                out.append(str(math.sqrt(d["a"])))
            else:
                out.append("/".join(d["l"]))
        except (TypeError, ValueError) as error:
            out.append(str(error))
    return out


@program("a key of one of several types", ("a",), ("b",), ("c",), ("d",))
def looked_up(which: str) -> str:
    keys = {"a": "x", "b": None, "c": [1], "d": "z"}
    known = {"x": 1, "y": 2}
    try:
        return str(known[keys[which]] + 1)
    except (KeyError, TypeError) as error:
        return f"{type(error).__name__} {error}"


of_row("annotations")


def repeated(text: str, times: int) -> str:
    return text * times


@program("a value of several types where one is declared", ("a",), ("b",))
def declared_parts(key: str) -> str:
    record = {"a": "x", "b": "yz", "n": 3}
    times: int = record["n"]
    return repeated(record[key], times)


@program("annotations with remarks, and containers of anything", (2, (1, "a")), (0, ()))
def remarks(n: Annotated[int, "not negative"], parts: tuple) -> tuple:
    kept: set = set()
    for i in range(n):
        kept.add(i)
    return len(parts), kept, tuple(str(part) for part in parts)


class Movie(TypedDict, total=False):
    title: str
    year: int


def label(movie: Movie) -> str:
    year = movie.get("year")
    return movie["title"] + (f" ({year + 1})" if year is not None else "")


@program("dicts made by the name of their type", ("Up", 2009), ("Up", None))
def movies(title: str, year: int | None) -> dict[str, str]:
    first = Movie(title=title)
    if year is not None:
        first["year"] = year
    others: list[Movie] = [first, {"title": "Alien", "year": 1979}]
    return {movie["title"]: label(movie) for movie in others}


@program("floats of type Any that are ints", ({"a": 3, "b": True, "c": 1.5},))
def floats_of_any(d: dict[str, Any]) -> tuple[float, float, float, int]:
    a: float = d["a"]
    b: float = d["b"]
    c: float = d["c"]
    n: int = d["b"]
    return a / 2, b / 2, c / 2, n + 1


of_row("unannotated")


def convert(text):
    if text in ("yes", "no"):
        return text == "yes"
    if "," in text:
        return [convert(part) for part in text.split(",")]
    try:
        return int(text)
    except ValueError:
        return text


@program("a recursive function whose result nests itself", ("1",), ("1,a,yes",), ("",), (",no",))
def converted(text: str) -> str:
    found = convert(text)
    return f"{found} {len(found) if isinstance(found, list) else -1}"


class Reader:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def value(self):
        if self.at >= len(self.text):
            raise ValueError("unexpected end")
        if self.text[self.at] == "[":
            return self.items()
        if self.text[self.at] == "{":
            return self.entries()
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isdigit():
            self.at += 1
        return int(self.text[start : self.at])

    def items(self):
        out = []
        self.at += 1
        while self.text[self.at] != "]":
            out.append(self.value())
            self.at += self.text[self.at] == ","
        self.at += 1
        return out

    def entries(self):
        out = {}
        self.at += 1
        while self.text[self.at] != "}":
            name = self.text[self.at]
            self.at += 2
            out[name] = self.value()
            self.at += self.text[self.at] == ","
        self.at += 1
        return out


def total(value):
    if isinstance(value, dict):
        return sum(total(each) for each in value.values())
    if isinstance(value, list):
        return sum(total(each) for each in value)
    return value


@program("methods that call each other and give what nests itself", ("12",), ("[1,[2,3],{a:4,b:[]}]",), ("{}",), ("",),
         ("[x]",))
def read(text: str):
    try:
        value = Reader(text).value()
    except ValueError as error:
        return str(error)
    return value, total(value)


def insert(tree, value):
    if tree is None:
        return (None, value, None)
    left, middle, right = tree
    if value < middle:
        return (insert(left, value), middle, right)
    return (left, middle, insert(right, value))


def in_order(tree):
    if tree is None:
        return []
    left, middle, right = tree
    return in_order(left) + [middle] + in_order(right)


@program("a tree of tuples that a loop builds around itself", ([3, 1, 2],), ([],))
def tuple_tree(values: list[int]):
    tree = None
    for value in values:
        tree = insert(tree, value)
    return in_order(tree), tree


def node(n):
    return None if n <= 0 else {"v": n, "l": node(n - 1), "r": node(n - 2)}


def weight(tree):
    if tree is None:
        return 0
    return tree["v"] + weight(tree["l"]) + weight(tree["r"])


@program("a tree of dicts", (4,), (0,), (1,))
def dict_tree(n: int):
    tree = node(n)
    return weight(tree), tree


@program("a list of pairs, each with the rest", (3,), (0,))
def linked(n: int):
    chain = None
    for i in range(n):
        chain = (i, chain)
    out = []
    while chain is not None:
        out.append(chain[0])
        chain = chain[1]
    return out


@program("a tuple that gets longer in a loop", (3,), (0,))
def lengthened(n: int):
    squares, text = (), "-"
    for i in range(n):
        squares += (i * i,)
        if len(squares) > 1:
            text = text + str(squares[-1] - squares[-2])
    return squares, text, sum(squares)


def chosen(items, k):
    if k == 0:
        return [()]
    if not items:
        return []
    head, *rest = items
    return [(head,) + each for each in chosen(rest, k - 1)] + chosen(rest, k)


@program("combinations as tuples of any length", ([1, 2, 3], 2), ([], 1), ([1], 0))
def combinations(items: list[int], k: int):
    return chosen(items, k)


def ways(graph, start, goal, seen=()):
    if start == goal:
        return [seen + (start,)]
    out = []
    for each in graph.get(start, []):
        if each not in seen:
            out += ways(graph, each, goal, seen + (start,))
    return out


@program("a path that is handed on as a longer tuple", ([("a", "b"), ("b", "d"), ("a", "d"), ("b", "a")],), ([],))
def simple_paths(edges: list[tuple[str, str]]):
    graph = {}
    for a, b in edges:
        graph.setdefault(a, []).append(b)
    return ways(graph, "a", "d")
