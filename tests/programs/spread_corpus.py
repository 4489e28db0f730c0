"""Arguments that `*` spreads into print and builtins; iterables that go into lists one by one; defaults with a type of
their own; texts of ranges and of classes that say how they are formatted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Callable, Optional, Union

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor, nn

of_row("builtins")


@dataclass
class Loud:
    x: int

    def __str__(self) -> str:
        print("<str>", end="")
        if self.x > 1:
            raise ValueError(self.x)
        return f"L{self.x}"


@program("print of lists, tuples, texts and iterators that '*' spreads", ([1, 2], ["x"], (1, "q"), 3), ([], [], (0, ""), 0))
def print_spread(v: list[int], w: list[str], t: tuple[int, str], n: int) -> None:
    print(*v)
    print("a", *w, 1.5, sep="-")
    print(*t, *v, end="!\n")
    print(*(x * 2 for x in v), sep="")
    print(*t, sep=None, end=None)
    print(*w, v, sep="\n")
    print(*"abc", *range(n))
    print(*{1: 2}, *[None, True], *[[1.0], [2.5]])
    print(v, *v, v.append(9))


@program("print of instances that '*' spreads writes before the next one's text is made", (2,), (3,), (0,))
def print_loud(n: int) -> str:
    try:
        print(*[Loud(i) for i in range(n)], sep=",")
    except ValueError as error:
        return f"stopped at {error}"
    return "done"


@program("max, min and str.format of a tuple that '*' spreads", ((1, 2.5), 3), ((9, -0.5), 0))
def spread_builtins(t: tuple[int, float], n: int) -> tuple[list[Union[int, float]], str]:
    return [max(*t), min(n, *t), max(*(n, 4)), min(*t, *t, n)], "{1}|{0}|{2!r}".format(*t, n)


@program("round of a number whose kind is known at run time", (1,), (2.0,), (2.5,), (-0.5,))
def round_union(x: Union[int, float]) -> list[str]:
    return [repr(round(x)), repr(round(x, 1)), repr(round(x, ndigits=-1)), repr(round(x, None)), repr(round(x > 1))]


@program("setattr with a constant name, of an attribute and a property", (2,), (-1,))
def set_by_name(n: int) -> tuple[int, float]:
    gauge = Gauge()
    setattr(gauge, "count", getattr(gauge, "count") + n)
    setattr(gauge, "level", 1.5)
    return gauge.count, gauge.level


class Gauge:
    def __init__(self) -> None:
        self.count = 1
        self._level = 0.0
        self.__steps = 0

    @property
    def level(self) -> float:
        return self._level + self.__steps

    @level.setter
    def level(self, value: float) -> None:
        self._level = value * 2
        self.__steps += 1


@program("hasattr of a tensor says what Python says, whatever scripts know", (T([1.0]),))
def tensor_attributes(x: Tensor) -> list[bool]:
    return [hasattr(x, "sum"), hasattr(x, "nothing"), hasattr(x, "data_ptr"), hasattr(x, "__len__")]


@program("private attributes in augmented assignments, through a method of the class", (3,))
def private_steps(n: int) -> list[float]:
    gauge, out = Gauge(), [0.0]
    for i in range(n):
        gauge.level = float(i)
        out.append(gauge.level)
    return out


of_row("assignment")


@program("slice assignment of iterators, views, sets and texts", ([1, 2, 3], {5: 6}), ([], {}))
def slices_of_anything(v: list[int], d: dict[int, int]) -> list[int]:
    v[1:2] = range(3)
    v[:0] = (x * x for x in v)
    v[::2] = [0] * len(v[::2])
    v[5:] = d
    v[:1] = {4}
    v[2:2] = reversed(v)
    v[0:0] = map(abs, [-1])
    v[-1:] = (1, 2)
    v[1:3] = d.values()
    return v


@program("what an iterator gave before it raised stays in the list that it extends", ([], []), ([1], [2]))
def partly_extended(v: list[int], w: list[int]) -> tuple[list[int], list[int]]:
    try:
        v.extend(10 // x for x in [5, 0])
    except ZeroDivisionError:
        v.append(-1)
    try:
        w += map(int, ["1", "x"])
    except ValueError:
        w.append(-2)
    try:
        v[0:1] = (10 // x for x in [1, 0])
    except ZeroDivisionError:
        v.append(-3)
    w.extend(len(w) + q for q in range(3))
    return v, w


@program("a list and any iterable: += with ranges, generators, views, sets, bytes", ([], {5: "a"}, {9}), ([1], {}, set()))
def plus_anything(v: list[int], d: dict[int, str], s: set[int]) -> tuple[list[int], bool]:
    w = v
    v += range(3)
    v += (x * 2 for x in [1])
    v += d
    v += d.keys()
    v += s
    v += b"ab"
    v += reversed([1, 2])
    return v, w is v


@program("a list display is unpacked with the type of each item", ([1, 2], "x"))
def unpacked_display(v: list[int], s: str) -> str:
    [(a, b), c] = [v, s]
    [d, e] = [a + b, c * 2]
    return f"{d} {e}"


of_row("dict methods")


@program("get and pop of a dict with a default of another type", ({"a": 1}, {"a": 2.5}, "a"), ({}, {}, "b"))
def other_defaults(d: dict[str, int], e: dict[str, float], key: str) -> list[str]:
    shown = [repr(e.get(key, 0)), repr(e.get(key, False)), repr(d.get(key, "none")), repr(d.get(key, False))]
    d.pop("nothing", None)
    shown += [repr(d.pop(key, None)), repr(e.pop(key, "gone"))]
    return [*shown, repr(d), repr(e)]


@program("containers made by their written types", (2,), (0,))
def written_types(n: int) -> tuple[list[int], dict[str, list[int]], set[int], list[float], tuple[int, ...]]:
    v = list[int](range(n))
    d = dict[str, list[int]]()
    d["x"] = v
    return v, d, set[int](v), list[float](), tuple[int, ...](v)


of_row("refinement")


@program("the truth of an element of a tuple tells that it is not None", (("a", 1),), ((None, 1),), (("", None),))
def true_element(p: tuple[Optional[str], Optional[int]]) -> str:
    if p[0] and p[1]:
        return p[0].upper() * p[1]
    return p[0].lower() if p[0] else "-"


of_row("formatting")


class Money:
    def __init__(self, amount: float) -> None:
        self.amount = amount

    def __format__(self, spec: str) -> str:
        return "<" + format(self.amount, spec or ".1f") + ">"


@program("a class that says how it is formatted", (1.5,), (-0.25,))
def formatted_by_class(x: float) -> list[str]:
    m = Money(x)
    either = m if x > 0 else 7
    return [f"{m}", f"{m:.3f}", format(m, "e"), "{:g}".format(m), format(m), f"{either:>5}"]


@program("texts of ranges", (5,), (-1,))
def range_texts(n: int) -> list[str]:
    r = range(n)
    return [str(r), f"{r} {r!r}", repr(range(2, n, 3)), f"{r[1:]!s:>12}"]


of_row("tensor operations")


@program("sum of tensors goes on as a tensor", ([T([1.0]), T([2.0])], T([0.5])), ([T([1.0])], T([3.0])), torch=False)
def summed_tensors(xs: list[Tensor], y: Tensor) -> tuple[Tensor, Tensor, list[bool]]:
    total = sum(xs)
    mean: Tensor = total / len(xs)
    return y + sum(x.sum() for x in xs), 1 - mean, [bool(total > y), bool(y != total), bool(total)]


@program("parts of what max, sort and topk give, by name", (T([3.0, 1.0, 2.0]),), torch=False)
def named_parts(x: Tensor) -> list[Tensor]:
    found, ordered = x.max(dim=0), tsm.sort(x, descending=True)
    again = found
    for k in range(1, 3):
        top = x.topk(k)
        place = top.indices
    return [found.values, again.indices, ordered.values, x.min(dim=0, keepdim=True).indices, place]


of_row("module containers")


class Counted(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.__size = size

    @property
    def size(self) -> int:
        return self.__size * 10

    @size.setter
    def size(self, value: int) -> None:
        self.__size = value

    def __len__(self) -> int:
        return self.__size

    def __getitem__(self, index: int) -> int:
        return self.__size + index

    def __contains__(self, item: int) -> bool:
        return item == self.__size

    def forward(self, x: int) -> int:
        return x


@program("a module's own len, index, in and truth; a property that is set", (1,), (5,))
class Special(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.none = Counted(0)
        self.two = Counted(2)

    def forward(self, x: int) -> tuple[list[bool], list[int]]:
        self.two.size += x
        self.two.size = self.two.size % 7
        tests = [bool(self.none), x in self.two, not self.none, True if self.two else False]
        return tests, [len(self.two), self.two[x], self.two.size]


@program("names of a ModuleDict as values, members of a slice of a ModuleList", (T([1.0, -2.0]), "b"), (T([3.0, 1.0]), "x"))
class Members(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
        self.row = nn.ModuleList([nn.ReLU(), nn.Sigmoid(), nn.Tanh()])

    def forward(self, x: Tensor, key: str) -> tuple[Tensor, list[str], list[bool], int]:
        for layer in self.row[1:]:
            x = layer(x)
        if key in self.table:
            x = self.table[key](x)
        tests = [key in self.table, key not in self.table, "a" in self.table, "a" in self.table.keys()]
        return x, sorted(self.table.keys(), reverse=True), tests, len(self.row[:-1])


of_row("try")


class Coded(ValueError):
    def __init__(self, code: int) -> None:
        super().__init__(f"c{code}")
        self.code = code


@dataclass
class Attempt:
    text: str
    failure: Optional[Exception] = None

    def shown(self) -> str:
        return "fine" if self.failure is None else f"{type(self.failure).__name__}: {self.failure}"


@program("exceptions as declared types of elements, parameters and attributes", (["1", "x", "9"],), ([],), (["q"],))
def kept_exceptions(texts: list[str]) -> list[str]:
    errors: list[Exception] = []
    named: dict[str, ValueError] = {}
    last: Optional[ValueError] = None
    attempts = []
    for text in texts:
        try:
            if int(text) > 5:
                raise Coded(9)
            errors.append(KeyError(text))
        except ValueError as error:
            errors.append(error)
            named[text] = last = error
            attempts.append(Attempt(text, error))
    out = [told(e, last) for e in errors] + [f"{k}: {e}" for k, e in named.items()] + [a.shown() for a in attempts]
    try:
        if last is not None:
            raise last
    except Coded as coded:
        out.append(str(coded.code))
    except ValueError as plain:
        out.append(repr(plain.args))
    return out


def told(error: Exception, last: Optional[ValueError] = None) -> str:
    return f"{type(error).__name__} {error} {last!r}"


of_row("classes")


class Above:
    def __init__(self, n: int) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        print("above", end=" ")
        return isinstance(other, Above) and self.n == other.n


class Below(Above):
    def __eq__(self, other: object) -> bool:
        print("below", end=" ")
        return super().__eq__(other)


class Beside(Above):
    pass


@program("the instance of a subclass is asked first, also by != and where it inherits ==", (1,))
def asked_first(n: int) -> list[bool]:
    a, b, c = Above(n), Below(n), Beside(n)
    return [a == b, a != b, b != a, a == c, c != a, [a] == [b], (a, c) == (c, a), b in [a]]


of_row("tuples")


@program("a tuple of any length times an int", ((1, 2), 2), ((), 5), ((7,), -1))
def repeated_tuple(t: tuple[int, ...], n: int) -> tuple[tuple[int, ...], int]:
    return t * n + 2 * t, len(t * True)


of_row("calls")


def composed(*steps: Callable[[int], int]) -> Callable[[int], int]:
    def run(x: int) -> int:
        for step in steps:
            x = step(x)
        return x

    return run


def adder(n: int) -> Callable[[int], int]:
    return lambda x: x + n


@program("functions caught by *args, of several kinds, none, and kept by a closure", (1,), (-4,))
def composed_functions(n: int) -> list[int]:
    all_of, one, none = composed(adder(n), lambda x: x * x, abs), composed(adder(1)), composed()
    return [all_of(3), one(n), none(n)]


@program("the length and truth of **kwargs", (5,))
def counted_keywords(n: int) -> list[str]:
    return [keyword_facts(), keyword_facts(a=n), keyword_facts(b=1, c=n)]


def keyword_facts(**options: int) -> str:
    if not options:
        return "none"
    return f"{len(options)} {'a' in options} {sorted(options)} {sum(options.values())}"


of_row("functions as values")


def plus(a: int, b: int = 1) -> int:
    return a + b


def times(a: int, b: int = 2) -> int:
    return a * b


OPERATIONS = (plus, times, max)
NAMED = [("x", plus), ("y", times)]
PAIRED = (("p", times), ("q", plus))


@program("functions of the module in tuples, in tuples of tuples and in a list of pairs", (0, 1), (1, 3), (2, 0))
def tabled(i: int, n: int) -> list[int]:
    picked = [OPERATIONS[i](n, 5)] + [operation(n, 3) for operation in OPERATIONS]
    return picked + [g(n, 2) for name, g in NAMED if name != "x"] + [g(n, 4) for _, g in PAIRED]


of_row("enums")


class Level(IntEnum):
    LOW = 1
    HIGH = 12


@program("format specifications of IntEnum members are those of their ints", (1,), (12,))
def formatted_members(n: int) -> list[str]:
    x = Level(n)
    either = x if n > 1 else 7.5
    texts = [f"{x:03d}", f"{x:>5}", f"{x!s:>5}", f"{x!r:>16}", "%d %5d" % (x, x), "{0:{0}} {0:x}".format(x), f"{x:.2f}"]
    return [*texts, f"{either:.1f}", format(x, "b"), str([i for i in range(x, Level.HIGH, 5)])]


of_row("abstract types")


@program("length, items, slices and `in` of a Union of containers", ([1, 2],), ((3,),), ("ab",), ([],))
def union_container(x: Union[list[int], tuple[int, ...], str]) -> list[str]:
    first = repr(x[0]) if x else "-"
    return [str(len(x)), first, repr(x[1:]), repr(x[::-1]), "text" if isinstance(x, str) else str(3 in x)]


of_row("classes")


class Bits:
    def __init__(self, n: int) -> None:
        self.n = n

    def __iter__(self):
        return (i for i in range(8) if self.n >> i & 1)


@program("__iter__ that returns a generator expression", (5,), (0,))
def iterated_bits(n: int) -> tuple[list[int], int]:
    total = 0
    for bit in Bits(n):
        total += bit
    return [x * 2 for x in Bits(n)], sum(Bits(n + 1)) - total


of_row("tensor operations")


@program("a tensor, and a list of tensors without dimensions, made a new tensor", (T([1.5, 2.5]),), (T([3]),), torch=False)
def copied_tensor(x: Tensor) -> list[Tensor]:
    return [tsm.tensor(x), tsm.tensor([x[0], 2]), tsm.tensor(x[0]) + 1]


of_row("comprehensions")


@program("a generator expression's names do not reach the code that consumes it", ([1, 2],), ([],))
def names_of_generators(xs: list[int]) -> tuple[list[int], list[int], int, list[int]]:
    w = 100
    listed = [v + w for v in (w * 2 for w in xs)]
    looped = []
    for v in (w * 2 for w in xs):
        looped.append(v + w)
        w += 1
    i = 50
    counted = [j + i for j, _ in enumerate(i * i for i in xs)]
    return listed, looped, sum(y + w for y in (w - 1 for w in xs)) + w, counted


@program("a comprehension's names do not reach the generator that it consumes", ([1, 2],))
def names_of_consumers(xs: list[int]) -> list[str]:
    out = []
    try:
        out += [v * 2 for v in (w + 1 for w in xs if w > v)]
    except NameError as error:
        out.append(f"{type(error).__name__}")
    v = 1
    return [*out, *(str(v) for v in (w + v for w in xs)), str(v)]


of_row("names")


@program("an unbound variable in the first of several spread parts", (3,))
def unbound_first(a: int) -> list[int]:
    while True:
        ns = [*range(a, len(ns), -1), *range(a)]  # noqa: F821
        break
    return [n for n in ns]


@program("the truth of a dict's methods, not of its views", ({},), ({"a": 1},))
def true_methods(d: dict[str, int]) -> list[bool]:
    return [bool(d.items), True if d.keys else False, not d.values, bool(d.items()), callable(d.items)]


of_row("calls")


def listed(first: int, *rest: float, scale: int = 1) -> str:
    return f"{first} {rest} {len(rest)} {scale}"


def gathered(*values):
    return values


@program("a list spread into *args, alone and among others", ([0.5, 1.5],), ([],))
def into_rest(xs: list[float]) -> list[str]:
    return [listed(1, *xs), listed(2, 3.5, *xs, scale=4), listed(3, *xs, 9.0, *xs), str(gathered(*xs)), str(gathered("a", *xs, None))]


@program("iterables spread into *args", ([3, 1],), ([],))
def any_into_rest(xs: list[int]) -> list[str]:
    def total(*more: int) -> int:
        return sum(more) + len(xs)

    texts = [str(gathered(*{x: 1 for x in xs})), str(gathered(*"ab")), str(gathered(*[xs])), str(gathered(*[*xs, 7]))]
    return texts + [str(total(*(x * 2 for x in xs))), str(total(*range(len(xs)))), str(total(*map(int, ["4"])))]


class Terms:
    def __init__(self, *terms: float) -> None:
        self.terms = terms

    def plus(self, *others: float) -> "Terms":
        return Terms(*[a + b for a, b in zip(self.terms, others)])


@program("a constructor and a method that take a spread list", ([1.0, 2.5],), ([],))
def made_of(xs: list[float]) -> tuple[list[float], int]:
    terms = Terms(*xs).plus(*xs)
    return list(terms.terms), len(Terms(*xs, 1.0).terms)


@program("a spread list is read before what follows it", ([1, 2],))
def read_first(xs: list[int]) -> tuple[list[int], list[int]]:
    return list(gathered(*xs, xs.pop(), *xs)), xs


def settings(**given: int) -> dict[str, int]:
    kept = {"width": 1}
    kept.update(given)
    for name, value in given.items():
        kept[name.upper()] = value
    kept.update(given, depth=len(given))
    return kept


@program("update with **kwargs, of none and of some", (4,))
def updated(n: int) -> list[dict[str, int]]:
    return [settings(), settings(width=n, height=2)]


class Quiet:
    def __enter__(self) -> None:
        pass

    def __exit__(self, *what: object) -> bool:
        return what[0] is not None and len(what) == 3


@program("starred parameters annotated as object", (0,), (2,))
def of_objects(n: int) -> str:
    result = "none"
    with Quiet():
        result = str(6 // n)
    return result


of_row("builtins")


@program("range and slice of a list that '*' spreads", ([1, 9, 3],), ([2],), ([],), ([1, 2, 3, 4],))
def spread_bounds(v: list[int]) -> str:
    try:
        return f"{list(range(*v))} {'abcdef'[slice(*v)]} {[i for i in range(*v)]}"
    except TypeError as error:
        return str(error)


@program("map over rows that '*' spreads", ([[1, 5, 7], [3, 4]],), ([[1]],), ([],))
def mapped_rows(rows: list[list[int]]) -> str:
    def total(*values):
        return sum(values)

    try:
        pair = (rows[0], "xyz")
        columns = list(map(lambda *column: list(column), *rows))
        return f"{list(map(total, *rows))} {columns} {list(map(lambda n, c: c * n, *pair))} {list(map(max, [6], *rows))}"
    except (TypeError, IndexError) as error:
        return f"{error}"


of_row("dict methods")


@program("dict and update with a table of keys known at run time", ({"a": 1},), ({"x": 4, "b": 2},), ({},))
def spread_table(d: dict[str, int]) -> str:
    out: list[str] = []
    kept = {"q": 0}
    for step in range(4):
        try:
            if step == 0:
                out.append(str(dict(**d)))
            elif step == 1:
                out.append(str(dict([("a", 9)], x=1, **d)))
            elif step == 2:
                kept.update({"b": 7}, **d)
            else:
                kept.update(a=5, **d)
        except TypeError as error:
            out.append(str(error))
    return f"{out} {kept}"


of_row("formatting")


@program("% with a tuple of unknown length", ([1, 2],), ([1],), ([],))
def percent_of_row(v: list[int]) -> str:
    try:
        return "%d-%03d" % tuple(v)
    except TypeError as error:
        return str(error)


@program("texts of classes that are known at run time only", (0,), (1,), (2,), (3,))
def class_texts(n: int) -> str:
    value = [1, "a", None, [n]][n]
    print(type(value), slice(1, n))
    return f"{type(value)} {str(type(value))}"


of_row("calls")


def element(name, *children, kind=None, **others):
    if kind is not None:
        others["class"] = kind
    shown = "".join(f" {key}={value}" for key, value in sorted(others.items()))
    return f"<{name}{shown}>{''.join(children)}</{name}>"


@program("a list and a table that '*' and '**' spread into one call", (2,), (0,))
def both_spread(n: int) -> str:
    items = [str(i) for i in range(n)]
    options = {"id": "main", "data": n}
    nothing = {}
    return element("ul", *items, **options) + element("p", "x", *items, kind="y", **options) + element("b", **nothing)


of_row("builtins")


@program("set.union of a list that '*' spreads where it may be empty", ([{1}, {2}],), ([],))
def united_if_any(sets: list[set[int]]) -> list[int]:
    return sorted(set.union(*sets) if sets else {0})


@program("hasattr of functions", (1,))
def functions_have(n: int) -> list[bool]:
    def own(x):
        return x + n

    own.calls = n
    kept = [own, lambda x: x]
    return [hasattr(own, "__name__"), hasattr(own, "name"), hasattr(own, "calls"), hasattr(kept[n], "__call__"),
            hasattr(functions_have, "__doc__"), hasattr(kept[0], "append"), hasattr(len, "__name__")]


@program("min and max of what '*' spreads, by a key", ([3, -7],), ([2],), ([],))
def extreme_by_key(v: list[int]) -> str:
    pair = (len(v), -9)
    try:
        return f"{max(*pair, key=abs)} {min(0, *v, 5, key=lambda x: -x)} {max(*v, key=abs)}"
    except TypeError as error:
        return str(error)


of_row("calls")


def counted(*rows: dict[str, int | str | None], **named: list[float | None] | None) -> str:
    return f"{rows} {named}"


@program("displays given to *args and **kwargs are of the annotated type", (1,))
def typed_displays(n: int) -> str:
    return counted({"a": n, "b": None}, {"c": "x"}, {}, first=[n * 0.5, None], second=None, third=[])


def completed(**options):
    options.setdefault("seed", None)
    options["tag"] = options.get("tag", "t") + "!"
    return options


def scaled(x: float, **options):
    if "scale" in options:
        x *= options.pop("scale")
    options["seen"] = []
    return x, sorted(options), completed(**{key: "s" for key in options})


@program("**options that take values of other types than those of the call", (2,), (0,))
def completed_options(n: int) -> tuple[str, str]:
    def put_late(**options):
        def put() -> None:
            options["late"] = n * 0.5

        put()
        return options

    return f"{completed(size=n)} {completed()} {put_late(a='x')}", f"{scaled(n, scale=1.5)} {scaled(1.5, other=None)}"
