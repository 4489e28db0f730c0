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


of_row("names")


@program("questions about elements of a list that is filled further down", (6,), (1,), (0,))
def asked_early(n: int) -> list[str]:
    mixed, texts, pairs = [], [], []
    lines = []
    for i in range(n):
        if mixed:
            last = mixed[-1]
            lines.append(f"{last is None} {last == None} {isinstance(last, int)} {type(last) is int}")  # noqa: E711
            lines.append(f"{isinstance(texts[-1], str)} {hasattr(texts[-1], 'upper')} {type(texts[-1]).__name__}")
            lines.append(f"{isinstance(pairs[-1], (tuple, list))} {texts[-1] == 'a'} {pairs[-1] != 'a'}")
        mixed.append(None if i % 2 else i // 2)
        texts.append("a"[: i % 2])
        pairs.append((i, "a"))
    return lines


@program("operators popped from a stack that is filled further down", ("( x + 3 ) * y - 1", 2), ("x", 5))
def postfix(text: str, x: int) -> str:
    ranks = {"+": (1, lambda a, b: a + b), "-": (1, lambda a, b: a - b), "*": (2, lambda a, b: a * b)}

    def compiled(source):
        out, stack = [], []
        for token in source.split():
            if token in ranks:
                while stack and stack[-1] != "(" and ranks[stack[-1]][0] >= ranks[token][0]:
                    out.append(stack.pop())
                stack.append(token)
            elif token == "(":
                stack.append(token)
            elif token == ")":
                while (top := stack.pop()) != "(":
                    out.append(top)
            else:
                out.append(token)
        out += reversed(stack)

        def run(**given):
            values = []
            for token in out:
                if token in ranks:
                    b, a = values.pop(), values.pop()
                    values.append(ranks[token][1](a, b))
                else:
                    values.append(given[token] if token in given else int(token))
            return values[0]

        return run

    function = compiled(text)
    return f"{function(x=x, y=2)} {function(x=1, y=4)}"


def lined(headers, rows, shown=str):
    cells = [[shown(cell) for cell in row] for row in rows]
    widths = [max(len(head), *(len(row[i]) for row in cells)) if cells else len(head) for i, head in enumerate(headers)]

    def line(values):
        return "|".join(value.rjust(width) for value, width in zip(values, widths))

    return "\n".join([line(headers), *map(line, cells)])


@program("a table without rows beside tables with rows", (22,))
def tables(n: int) -> list[str]:
    return [lined(["x"], []), lined(["a", "b"], [(1, "b"), (n, None)]), lined(["q"], [[1.5]], lambda v: f"<{v}>")]


of_row("inheritance")


class Grid:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]

    def __mul__(self, other):
        if isinstance(other, Grid):
            return Grid([[sum(a * b for a, b in zip(row, column)) for column in zip(*other.rows)] for row in self.rows])
        return Grid([[x * other for x in row] for row in self.rows])

    __rmul__ = __mul__

    def __pow__(self, k):
        made = Grid([[int(i == j) for j in range(len(self.rows))] for i in range(len(self.rows))])
        for _ in range(k):
            made = made * self
        return made

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0]) if self.rows else 0


@program("instances made of rows of ints, of floats, of tuples and of nothing", (5,), (0,))
def grids(n: int) -> str:
    start = Grid([(1, 1), (1, 0)])
    half = start * 1.5
    start.rows[0].append(n)
    return f"{(Grid([(1, 1), (1, 0)]) ** n).rows} {(2 * half).rows} {half.rows} {start.rows} {Grid([]).shape}"


of_row("builtins")


@program("zip of lists and the columns of others", (5,), (0,))
def beside(n: int) -> str:
    head, rows = ["a", "b"], [[1, 2], [3, n]]
    widths = [max(len(str(x)) for x in column) for column in zip(head, *rows)]
    return f"{list(zip(head, *rows))} {[list(each) for each in zip(*rows, head)]} {widths}"


@program("calls of the class of a value of one of several classes", ("7", "2"), ("q", "x"))
def converted(n: str, rate: str) -> str:
    defaults = {"n": 1, "rate": 0.5, "name": "x", "on": True}
    given = {"n": n, "rate": rate}
    try:
        return str({key: type(value)(given[key]) if key in given else type(value)() for key, value in defaults.items()})
    except ValueError as error:
        return str(error)


@program("a key function that may be None", ([3, -5, 1], True), ([3, -5, 1], False))
def in_order(values: list[int], absolute: bool) -> str:
    key = abs if absolute else None

    def best(items, count=1, by=None):
        return sorted(items, key=by, reverse=True)[:count]

    ordered = values[:]
    ordered.sort(key=key)
    first = sorted(values, key=abs if absolute else None)
    return f"{best(values, 2)} {best(values, 2, by=lambda v: -v)} {max(values, key=key)} {ordered} {first}"


@program("a counter of a generator in a key function", (["crane", "crate", "slate"],))
def least_common(words: list[str]) -> str:
    from collections import Counter

    def worst(guess):
        groups = Counter(guess[0] + word[0] for word in words)
        return max(groups.values()), guess

    return min(words, key=worst)


@program("an iterator beside a comprehension among the arguments of chain", (3,), (1,))
def chained_sums(n: int) -> set[int]:
    square = [[i * n + j for j in range(n)] for i in range(n)]
    return {sum(each) for each in itertools.chain(square, zip(*square), [[square[i][i] for i in range(n)]])}


of_row("functions as values")


def counted(n, seen):
    if n in seen:
        return seen[n]
    if n < 2:
        result = (n, None)
    else:
        result = max((counted(n - i, seen)[0], i) for i in (1, 2))
    seen[n] = result
    return result


@program("an empty display given to a function that puts values of several kinds into it", (5,), (1,))
def filled_there(n: int) -> str:
    def put(items, one):
        items.append(one)
        items.append(str(one))
        return items

    return f"{counted(n, {})} {put([], n)}"


class Reader:
    def __init__(self, text):
        self.text, self.place = text, 0

    def more(self):
        return self.place < len(self.text)

    def choice(self):
        parts = [self.row()]
        while self.more() and self.text[self.place] == "|":
            self.place += 1
            parts.append(self.row())
        return parts[0] if len(parts) == 1 else ("or", parts)

    def row(self):
        items = []
        while self.more() and self.text[self.place] not in "|)":
            items.append(self.item())
        return ("row", items)

    def item(self):
        char = self.text[self.place]
        self.place += 1
        if char != "(":
            return ("char", char)
        inner = self.choice()
        self.place += 1
        return ("times", "*", inner)


def spelled(node) -> str:
    kind = node[0]
    if kind == "char":
        return node[1]
    if kind == "times":
        return f"({spelled(node[2])}){node[1]}"
    return f"[{(' ' if kind == 'row' else '|').join(spelled(each) for each in node[1])}]"


@program("trees of tuples of several lengths that a tag tells apart", ("a(b|c)d",), ("x|y",), ("",))
def tagged(text: str) -> str:
    return spelled(Reader(text).choice())
