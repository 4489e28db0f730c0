"""What people write without a thought of a compiler: dunder methods called by name, defaults of None, mixed calls,
errors that come before others."""

# ruff: noqa
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate, chain, combinations, takewhile
from typing import Optional

from language_rows import of_row
from oracle import program

of_row("names")


def first_of(number: int, row: list[int]) -> int:
    return number


@program("the first of several arguments that read unbound names raises, whatever the others would end", ([1],), ([],))
def unbound_arguments(p: list[int]) -> str:
    for k, n in []:
        pass
    if p:
        return str(first_of(n, list(range(k))))
    first_of(row=n, number=len(list(range(k))))
    return "no"


of_row("errors")


def put(rows: list[int], place: int, is_known: bool):
    rows[place] = place if is_known else None
    return rows


@program("an index that is out of range is found before what the list cannot take", ([], 12), ([1], -2), ([1], 0))
def place_first(rows: list[int], place: int) -> str:
    return str(put(rows, place, place == 0))

of_row("tuples")


def points_of(text: str) -> list[tuple[int, int]]:
    return [tuple(map(int, line.split(","))) for line in text.split()]


def corner(text: str, known: dict[tuple[int, int], str]) -> Optional[tuple[int, int]]:
    if not text:
        return None
    found = tuple(sorted(int(part) for part in text.split(",")))
    if found in known:
        known[found[::-1]] = known[found]
    return found


def area(points: list[tuple[int, int]]) -> float:
    return sum(x * b - a * y for (x, y), (a, b) in zip(points, points[1:] + points[:1])) / 2


class Cursor:
    place: tuple[int, int]

    def __init__(self, text: str):
        self.place = tuple(map(int, text.split(",")))

    def moved(self, by: tuple[int, int]) -> tuple[int, int]:
        self.place = tuple(a + b for a, b in zip(self.place, by))
        return self.place


@program("tuples made of iterables where tuples of a known length are declared", ("1,2 5,2 5,9",), ("3,4",), ("1,x",))
def parsed_points(text: str) -> tuple[float, set[tuple[int, int]], dict[tuple[int, int], str]]:
    table: dict[tuple[int, int], str] = {(2, 1): "two"}
    rows: list[tuple[int, int]] = [tuple(map(int, text.split(" ")[0].split(","))), (0, 0)]
    for part in text.split():
        rows.append(tuple(int(x) for x in part.split(",")))
        rows.insert(0, tuple(reversed(rows[-1])))
        table[tuple([len(rows), len(part)])] = part
        print(corner(part, table), table.get(tuple(rows[0])), table.pop(tuple(rows[-1]), "none"))
    cursor = Cursor(text.split()[0])
    print(rows, cursor.moved((1, 1)), area([tuple(int(x) for x in part.split(",")) for part in text.split()]))
    return area(points_of(text)), {tuple(map(int, part.split(","))) for part in text.split()}, table


def closest(numbers: list[float]) -> tuple[float, float]:
    found = None
    gap = None
    for i, first in enumerate(numbers):
        for second in numbers[i + 1 :]:
            if gap is None or abs(first - second) < gap:
                gap = abs(first - second)
                found = tuple(sorted([first, second]))
    return found


@program("a tuple of a known length declared, of any length or None by what the variable was given", ([1.0, 4.5, 4.0, 0.5],))
def closest_pair(numbers: list[float]) -> tuple[float, float]:
    return closest(numbers)

of_row("unannotated")


def ways(grid: list[list[int]], row=0, column=0, memo=None) -> int:
    if memo is None:
        memo = {}
    if row >= len(grid) or column >= len(grid[0]) or grid[row][column]:
        return 0
    if (row, column) == (len(grid) - 1, len(grid[0]) - 1):
        return 1
    if (row, column) not in memo:
        memo[row, column] = ways(grid, row + 1, column, memo) + ways(grid, row, column + 1, memo)
    return memo[row, column]


@program("an entry point's parameter with the default None that is given a dict where it is None", ([[0, 0, 0], [0, 1, 0], [0, 0, 0]],), ([[0]],))
def count_ways(grid: list[list[int]], known: dict = None, out: list = None, path=None) -> list[int]:
    known = {} if known is None else known
    path = path or []
    if out is None:
        out = []
    known[len(grid)] = ways(grid)
    out.extend(known.values())
    return out + path

of_row("operators")


@program("special methods of numbers, texts and containers called by name", (7, 2.5, "ab"), (-3, 0.5, "b"))
def by_name(n: int, x: float, s: str) -> list[str]:
    items, table, pair, seen = [n, 1, 2], {s: n}, (n, s), {n, 1}
    items.__setitem__(0, items.__len__())
    items.__delitem__(1)
    table.__setitem__("k", items.__getitem__(-1))
    numbers = [n.__add__(2), n.__rsub__(2), n.__floordiv__(2), n.__neg__(), n.__abs__(), n.__lshift__(2), n.__index__()]
    reals = [x.__add__(n), x.__rtruediv__(1), x.__divmod__(2), x.__round__(), x.__round__(1), x.__int__(), n.__truediv__(2)]
    tests = [x.__lt__(n), s.__eq__("ab"), pair.__contains__(s), table.__contains__("k"), items.__eq__([3, 2]), seen.__le__({1, 7})]
    texts = [s.__add__("c"), s.__mul__(2), s.__getitem__(0), x.__format__(".2f"), n.__repr__(), items.__add__([0]).__str__()]
    it = items.__iter__()
    words = sorted([s, "k"], key=table.__getitem__)
    return [str(each) for each in (numbers, reals, tests, texts, next(it), words, list(filter("aeiou".__contains__, s)), pair.__getitem__(1))]


of_row("loops")


@program("zip of a range and the columns of rows", ([[1, 2, 3], [4, 5, 6]],), ([[1], [2], [3]],))
def sums_of_columns(rows: list[list[int]]) -> list[int]:
    return [i * 10 + sum(column) for i, *column in zip(range(len(rows[0])), *rows)]

of_row("dict methods")


@program("a dict takes the pairs of lists, zip and generators by |=", (3,), (0,))
def taken_pairs(n: int) -> dict[str, int]:
    table = {"a": 1}
    same = table
    table |= [("b", n), ("a", 2)]
    table |= zip("xyz", range(n))
    table |= ((k * 2, len(k)) for k in ("p", "q"))
    table |= {"c": n}
    return same


of_row("dataclasses")


@dataclass
class Worker:
    name: str
    pay: float


@program("pairs with instances that have no order are sorted by what stands first", (["a:1", "b:3", "a:2"],), (["b:1"],), (["b:1", "c:1"],))
def groups_in_order(rows: list[str]) -> list[str]:
    groups = defaultdict(list)
    for row in rows:
        name, pay = row.split(":")
        groups[name].append(Worker(name, float(pay)))
    pairs = [(worker.pay, worker) for group in groups.values() for worker in group]
    found = [f"{name} {len(group)}" for name, group in sorted(groups.items(), reverse=True)]
    return [*found, max(pairs)[1].name, min((pay, worker) for pay, worker in pairs)[1].name, str(sorted(pairs)[0][0])]

of_row("calls")


class Options:
    def __init__(self, **given):
        self.values = {"level": 1, **given}

    def changed(self, **changes):
        return Options(**{**self.values, **changes})


def ordered(**given):
    return sorted(given.items())


@program("** of a display that dicts of run-time keys are put into: the last value of a key is the one", (3,), (1,))
def merged_options(n: int) -> str:
    table, more = {"a": n, "b": 2}, {"b": 5}
    options = Options(depth=n).changed(level=n + 1).changed(depth=0, width=1)
    return f"{options.values} {ordered(**{**table, **more})} {ordered(**{**table, 'a': 0})} {ordered(**{'b': 1, **more})}"

of_row("refinement")


def last_of(row: list[int]):
    found = None
    for each in row:
        found = each
    return found


def size_or_name(n: int):
    return "big" if n > 5 else n


def total(row: list[int]) -> int:
    return sum(row)


@program("items of displays that are of several types where one is declared", ([7, 9],), ([8],))
def displayed_items(row: list[int]) -> dict[str, list[int]]:
    words: list[str] = ["a", size_or_name(row[0])]
    pair: tuple[list[int], str] = ([last_of(row), 1], size_or_name(row[-1]))
    some: list[int] = [last_of(row)] if len(row) > 1 else [0, last_of(row)]
    print(words, pair, some, total([last_of(row), 3]))
    return {"last": [last_of(row)], "all": row}


of_row("calls")


def loan(name: str, title: str, days: int = 14) -> str:
    return f"{name} {title} {days}"


@program("* of texts where a later parameter with a default is no text; pow by keywords", ("loan a b",), ("loan a",), ("loan a b c d",))
def commands(text: str) -> str:
    verb, *rest = text.split()
    try:
        return loan(*rest) + str(pow(base=len(rest), exp=2) + pow(7, 5, mod=3))
    except TypeError as error:
        return str(error)


of_row("errors")


@program("the message of a SyntaxError or ImportError", ("x",), ("yz",))
def messages(name: str) -> str:
    try:
        if len(name) > 1:
            raise SyntaxError("bad " + name)
        raise ImportError("no " + name)
    except SyntaxError as error:
        return error.msg
    except ImportError as error:
        return error.msg + "!"


of_row("generators")


def powerset(items):
    items = list(items)
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def shifted(items):
    by = len(items)
    return enumerate(item + by for item in items)


def twice_through(items):
    by = max(items)
    return (double for double in (item * by for item in items))


def growing(items, limit):
    return takewhile(lambda total: total < limit + len(items), accumulate(item + len(items) for item in items))


@program("helpers that return iterators of generator expressions with their variables", ([1, 2, 3], 20), ([4], 5))
def returned_iterators(items: list[int], limit: int) -> list[str]:
    out = []
    for subset in powerset(items):
        out.append(str(subset))
    for place, item in shifted(items):
        out.append(f"{place}:{item}")
    for item in twice_through(items):
        out.append(str(item))
    for total in growing(items, limit):
        out.append(str(total))
    return out + [str(list(powerset(items))), str(next(iter(shifted(items)))), str(sum(growing(items, limit)))]

of_row("numbers meet")


@program("containers in declared tuples and dicts convert numbers that are put into them", (("ab", [1.5], 2), {"k": [0.5]}))
def put_into_parts(pair: tuple[str, list[float], int], rows: dict[str, list[float]]) -> tuple[list[float], str]:
    name, numbers, count = pair
    numbers.append(float(count))
    pair[1].append(count * 0.5)
    for key, row in rows.items():
        row.append(len(key) / 2)
    for row in rows.values():
        row[0] = count + 0.5
    return numbers, name + str(rows)


@program("ints become floats in the parts of declared tuples and dicts", ("ab",), ("",))
def widened_parts(text: str) -> bool:
    pair: tuple[str, list[float], int] = (text, [0.5], 2)
    rows: dict[str, list[float]] = {"k": [0.5]}
    name, numbers, count = pair
    numbers.append(count)
    pair[1].append(len(name))
    for key, row in rows.items():
        row.append(len(key))
    return sum(numbers) == 2.5 + len(text) and rows == {"k": [0.5, 1.0]}

of_row("generators")


def computed(characters):
    terms, number, sign = [], 0, 1
    for character in characters:
        if character.isdigit():
            number = number * 10 + int(character)
        elif character == "(":
            number = computed(characters)
        elif character == ")":
            break
        else:
            terms.append(sign * number)
            number, sign = 0, -1 if character == "-" else 1
    return sum(terms) + sign * number


@program("a function that calls itself with the iterator it was given", ("12-(3-(4+5))+1",), ("(7)",), ("",))
def shared_iterator(text: str) -> int:
    return computed(iter(text)) + computed(character for character in text if character != "1")

of_row("tuples")


@program("reversed tuples that are unpacked, kept, mapped", (1, "s"), (7, ""))
def backwards(n: int, s: str) -> list[str]:
    x, y = reversed((n, s))
    first, *rest = reversed((n, s, 2.5))
    kept = reversed((n, s, n))
    ahead = next(kept)
    table = dict(map(reversed, [(n, s), (2, "b")]))
    pairs = zip(reversed((n, s)), reversed((3, 4)))
    one = next(pairs)
    return [f"{x}{y} {first}{rest} {ahead}{list(kept)} {table} {one}{list(pairs)}", *(str(each) for each in reversed((s, n)))]

of_row("functions as values")


class Conditions:
    def __init__(self, words: list[str]):
        self.words = words

    def either(self):
        parts = [self.one()]
        while self.words and self.words[0] == "or":
            self.words.pop(0)
            parts.append(self.one())
        return parts[0] if len(parts) == 1 else lambda n: any(part(n) for part in parts)

    def one(self):
        word = self.words.pop(0)
        if word == "not":
            inner = self.one()
            return lambda n: not inner(n)
        if word == "(":
            found = self.either()
            self.words.pop(0)
            return found
        limit = int(word[1:])
        return {"<": lambda n: n < limit, ">": lambda n: n > limit}[word[0]]


@program("methods that call each other and return functions made of what they get", ("not ( <3 or >8 )", 5), (">1 or not not <0", 0), ("=1", 1))
def compiled_conditions(text: str, most: int) -> list[bool]:
    test = Conditions(text.split()).either()
    return [test(n) for n in range(most)]

of_row("classes")


class Branch:
    def __init__(self, label=None, below=None):
        self.label, self.below = label, below or {}

    def __repr__(self):
        return self.label if not self.below else f"{len(self.below)}{self.below}"

    def __str__(self):
        return self.label


@program("a text of an instance that may be None by what its attribute was given", ("a",), ("",))
def branches(label: str) -> str:
    tree = Branch(None, {label: Branch(label), "b": Branch("c")})
    try:
        return f"{tree!r} {Branch(label)} " + str(tree)
    except TypeError as error:
        return f"{tree!r} {error}"
