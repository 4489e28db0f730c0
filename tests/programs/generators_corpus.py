"""Generators as values: consumed in parts, stored, passed on, recursive; iterators in containers and attributes."""

# ruff: noqa
from __future__ import annotations

from typing import Callable, Iterable, Iterator, Optional

from language_rows import of_row
from oracle import T, program, refused

import tsm
from tsm import Tensor

of_row("generators")


def squares(n: int):
    for i in range(n):
        yield i * i


@program("a generator: next twice, then the rest in a loop", (5,), (2,), (1,), (0,))
def in_parts(n: int) -> list[int]:
    g = squares(n)
    a = next(g)
    b = next(g, -1)
    total = 0
    for x in g:
        total += x
    return [a, b, total]


@program("a generator expression consumed in parts", ([1, 2, 3, 4],), ([1],))
def expression_in_parts(v: list[int]) -> tuple[int, int]:
    g = (x * x for x in v if x)
    first = next(g)
    return first, sum(g)


@program("a generator zipped with itself", (5,), (4,), (1,))
def paired(n: int) -> list[tuple[int, int]]:
    g = squares(n)
    return list(zip(g, g))


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


@program("an endless generator asked in a comprehension", (10,), (0,))
def first_fibonacci(n: int) -> list[int]:
    f = fibonacci()
    return [next(f) for _ in range(n)]


@program("a generator asked until StopIteration", (3,), (0,))
def until_stop(n: int) -> int:
    g = squares(n)
    total = 0
    while True:
        try:
            total += next(g)
        except StopIteration:
            return total


@program("a helper that takes some items of a generator, twice", (6, 2), (3, 2), (0, 1))
def taken_twice(n: int, k: int) -> tuple[list[int], list[int]]:
    def take(it: Iterator[int], count: int) -> list[int]:
        out: list[int] = []
        if count:
            for x in it:
                out.append(x)
                count -= 1
                if not count:
                    break
        return out

    g = squares(n)
    return take(g, k), take(g, k)


@program("sum of a generator that was summed already", (4,))
def summed_twice(n: int) -> int:
    g = (x for x in range(n))
    return sum(g) + 10 * sum(g)


@program("a generator of a list that grows while it waits", ([1, 2],))
def grows(v: list[int]) -> list[int]:
    g = (x + 1 for x in v)
    out = [next(g)]
    v.append(10)
    out.extend(g)
    return out


@program("a generator expression sees the variable as it is when asked", (3,))
def sees_variable(n: int) -> list[int]:
    k = 1
    g = (x * k for x in range(n))
    first = next(g)
    k = 100
    return [first, *g]


@program("the events of a generator and its consumer, in order", (3,), (0,))
def events(n: int) -> str:
    log: list[str] = []

    def ticks():
        log.append("start")
        for i in range(n):
            log.append(f"before {i}")
            yield i
            log.append(f"after {i}")
        log.append("end")

    g = ticks()
    log.append("made")
    log.append(str(next(g, "none")))
    for x in g:
        log.append(f"got {x}")
    return ", ".join(log)


class Node:
    def __init__(self, value: int, left: Optional[Node] = None, right: Optional[Node] = None) -> None:
        self.value = value
        self.left = left
        self.right = right

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.value
        if self.right is not None:
            yield from self.right


def balanced(low: int, high: int) -> Optional[Node]:
    if low >= high:
        return None
    middle = (low + high) // 2
    return Node(middle, balanced(low, middle), balanced(middle + 1, high))


def in_order(node: Optional[Node]):
    if node is not None:
        yield from in_order(node.left)
        yield node.value
        yield from in_order(node.right)


@program("a recursive generator over a tree", (6,), (0,))
def tree_walk(n: int) -> list[int]:
    return list(in_order(balanced(0, n)))


@program("a recursive __iter__ of a class", (5,), (1,))
def tree_iteration(n: int) -> list[int]:
    root = balanced(0, n)
    assert root is not None
    return [x * 2 for x in root]


@program("the first items of a recursive generator", (7,))
def first_of_tree(n: int) -> int:
    walk = in_order(balanced(0, n))
    a = next(walk)
    b = next(walk)
    return a * 10 + b


def permutations_of(items: list[int]):
    if not items:
        yield []
        return
    for i in range(len(items)):
        for rest in permutations_of(items[:i] + items[i + 1 :]):
            yield [items[i]] + rest


@program("a recursive generator of lists", ([1, 2, 3],), ([],))
def all_orders(v: list[int]) -> list[list[int]]:
    return list(permutations_of(v))


def solve(row: int, n: int, columns: list[int]):
    if row == n:
        yield list(columns)
        return
    for c in range(n):
        if all(c != d and abs(c - d) != row - r for r, d in enumerate(columns)):
            columns.append(c)
            yield from solve(row + 1, n, columns)
            columns.pop()


@program("backtracking by a recursive generator, its first answer", (4,), (3,), (1,))
def queens(n: int) -> Optional[list[int]]:
    return next(solve(0, n, []), None)


def tokens(text: str):
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j].isdigit():
            j += 1
        if j > i:
            yield text[i:j]
            i = j
        else:
            yield text[i]
            i += 1


class Calculator:
    def __init__(self, text: str) -> None:
        self.stream = tokens(text)
        self.token = next(self.stream, "")

    def advance(self) -> str:
        token = self.token
        self.token = next(self.stream, "")
        return token

    def total(self) -> int:
        value = self.product()
        while self.token in ("+", "-") and self.token:
            value = value + self.product() if self.advance() == "+" else value - self.product()
        return value

    def product(self) -> int:
        value = int(self.advance())
        while self.token == "*":
            self.advance()
            value *= int(self.advance())
        return value


@program("a tokenizer kept in an attribute of a parser", ("12+3*4-5",), ("7",))
def calculated(text: str) -> int:
    return Calculator(text).total()


@program("two generators of one function, in turn", (3, 2), (0, 1))
def in_turn(a: int, b: int) -> list[int]:
    def down(n: int):
        while n > 0:
            yield n
            n -= 1

    first, second = down(a), down(b)
    out: list[int] = []
    for x in first:
        out.append(x)
        for y in second:
            out.append(-y)
            break
    return out


@program("a generator with continue, break and else, resumed at each yield", (4,), (0,))
def loops_inside(n: int) -> list[int]:
    def g():
        i = 0
        while i < n:
            i += 1
            if i == 3:
                continue
            for j in (10, 20):
                if i == 2:
                    break
                yield i + j
            else:
                yield -i
        else:
            yield 99

    h = g()
    return [next(h, 0), next(h, 0), *h]


@program("a generator that handles exceptions between its yields", (["1", "x", "2"],), ([],), (["z"],))
def handled(texts: list[str]) -> list[str]:
    def parsed():
        for text in texts:
            try:
                value = int(text)
                yield str(value)
            except ValueError as error:
                yield "bad"
                yield str(error)
            else:
                yield "good"

    h = parsed()
    return [next(h, "none"), *h]


@program("a generator that raises, and is then at its end", (2,), (0,))
def raising(n: int) -> list[str]:
    def g():
        yield 1
        yield 10 // n

    h = g()
    out = [str(next(h))]
    try:
        out.append(str(next(h)))
    except ZeroDivisionError as error:
        out.append(str(error))
    return [*out, str(next(h, "end"))]


@program("StopIteration raised inside a generator", (1,))
def stops_inside(n: int) -> str:
    def g():
        yield n
        raise StopIteration

    h = g()
    next(h)
    try:
        next(h)
    except RuntimeError as error:
        return str(error)
    return "none"


@program("a variable that is unbound after a yield", (True,), (False,))
def unbound_after(c: bool) -> str:
    def g():
        yield 1
        if c:
            z = 2
        yield z

    h = g()
    next(h)
    try:
        return str(next(h))
    except UnboundLocalError as error:
        return str(error)


@program("what a generator returns, by yield from and in StopIteration", (3,), (0,))
def returned_value(n: int) -> list[str]:
    def inner():
        total = 0
        for i in range(n):
            total += i
            yield i
        return total

    def outer():
        total = yield from inner()
        yield total * 100

    g = outer()
    out = [str(next(g)), *map(str, g)]
    h = inner()
    try:
        while True:
            next(h)
    except StopIteration as stop:
        out.append(repr(stop))
    return out


@program("nonlocal of a variable that a waiting generator shares", ([1, 2, 3],))
def shares_variable(v: list[int]) -> list[int]:
    count = 10

    def counted():
        nonlocal count
        for x in v:
            count += 1
            yield x + count

    g = counted()
    a = next(g)
    count = 100
    return [a, *g, count]


@program("numbers of both kinds from one generator", (4,), (1,))
def mixed_items(n: int) -> str:
    def g():
        x = 1
        for i in range(n):
            yield x
            x = x + 0.5 if i % 2 else x

    h = g()
    first = next(h)
    return f"{first} {list(h)}"


@program("a generator as an item to test for membership, unpack and sort", ([3, 1, 2, 5],), ([3, 1],))
def other_consumers(v: list[int]) -> str:
    g = (x for x in v)
    found = 1 in g
    rest = sorted(g)
    h = (x + 1 for x in v)
    first, *others = h
    k = (str(x) for x in v)
    next(k)
    return f"{found} {rest} {first} {others} {'-'.join(k)} {max((x for x in v), default=0)}"


@program("iterators in a list, asked in turn", ([1, 2, 3], [7, 8]), ([1], [2]))
def listed(a: list[int], b: list[int]) -> list[int]:
    sources = [iter(a), (x * 10 for x in b)]
    out = [next(source) for source in sources]
    out.append(next(sources[0], -1))
    return out


@program("the same iterator many times: groups of n", ([1, 2, 3, 4, 5], 2), ([1, 2, 3], 3), ([], 2))
def grouper(v: list[int], n: int) -> list[tuple[int, ...]]:
    return list(zip(*[iter(v)] * n))


@program("iterators in a dict, taken out when they end", ([1, 2], [5]))
def round_robin(a: list[int], b: list[int]) -> list[str]:
    waiting = {"a": iter(a), "b": iter(b)}
    out: list[str] = []
    while waiting:
        for name in list(waiting):
            value = next(waiting[name], None)
            if value is None:
                del waiting[name]
            else:
                out.append(f"{name}{value}")
    return out


@program("iterators in a tuple and in an attribute", ("abc", "xy"))
def held(a: str, b: str) -> str:
    class_free = (iter(a), enumerate(b))
    i, c = next(class_free[1])
    return next(class_free[0]) + c + str(i) + "".join(class_free[0])


class Window:
    def __init__(self, values: list[int], size: int) -> None:
        self.values = iter(values)
        self.size = size

    def take(self) -> list[int]:
        return [x for x, _ in zip(self.values, range(self.size))]


@program("an iterator in an attribute, consumed by a method", ([1, 2, 3, 4, 5], 2), ([], 1))
def windows(v: list[int], size: int) -> list[list[int]]:
    window = Window(v, size)
    return [window.take(), window.take()]


@program("an iterator chosen by a condition", ([1, 2, 3], True), ([1, 2, 3], False))
def chosen(v: list[int], up: bool) -> list[int]:
    if up:
        it = iter(v)
    else:
        it = reversed(v)
    first = next(it)
    return [first, *it]


@program("a stored function that asks an iterator", ([1, 2, 3],))
def asked_by_functions(v: list[int]) -> list[int]:
    it = iter(v)
    calls: list[Callable[[], int]] = [lambda: next(it), lambda: -next(it)]
    return [call() for call in calls]


def counting_up(n: int):
    yield n
    yield n + 1


@program("generator functions in a list", (3,))
def stored_makers(n: int) -> list[int]:
    makers = [counting_up, squares]
    return [x for make in makers for x in make(n)]


@program("generators through *args and zip", (3,))
def star_iterators(n: int) -> list[int]:
    def firsts(*sources) -> int:
        return sum(next(source) for source in sources)

    return [firsts(squares(n), iter([5])), *map(lambda a, b: a - b, squares(n), counting_up(n))]


def batched(items: Iterable[int], size: int) -> Iterator[list[int]]:
    batch: list[int] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


@program("batches of a generator, the first apart", (7, 3), (2, 5))
def batch_by_batch(n: int, size: int) -> list[list[int]]:
    batches = batched((x * x for x in range(n)), size)
    first = next(batches)
    return [first, *batches]


def cleaned(lines: list[str]):
    stripped = (line.strip() for line in lines)
    kept = (line for line in stripped if line)
    return (line.upper() for line in kept)


@program("a pipeline of generators that a function returns", ([" a", "", "b ", "c"],), ([],))
def pipeline(lines: list[str]) -> str:
    p = cleaned(lines)
    head = next(p, "none")
    return head + "|" + ",".join(p)


def rows_of(x: Tensor):
    for row in x:
        yield row * 2


@program("a generator of tensors, in parts", (T([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),))
def tensors_in_parts(x: Tensor) -> Tensor:
    rows = rows_of(x)
    first = next(rows)
    for row in rows:
        first = first * row.sum()
    return first


class Countdown:
    def __init__(self, n: int) -> None:
        self.n = n

    def steps(self):
        while self.n > 0:
            yield self.n
            self.n -= 1


@program("a generator method that sees its object change", (5,))
def object_changes(n: int) -> list[int]:
    c = Countdown(n)
    steps = c.steps()
    out = [next(steps)]
    c.n = 2
    out += steps
    return out + [c.n]


class Asker:
    def __init__(self, n: int) -> None:
        self.own = self.asking(n)

    def asking(self, n: int):
        yield n
        yield next(self.own) + n


@program("a generator that asks itself", (1,))
def asks_itself(n: int) -> str:
    asker = Asker(n)
    out = str(next(asker.own))
    try:
        return str(next(asker.own))
    except ValueError as error:
        return out + str(error) + str(next(asker.own, -1))


@program("yields that give nothing", (2,))
def gives_none(n: int) -> list[str]:
    def g():
        yield
        for _ in range(n):
            yield None

    h = g()
    return [str(next(h)), *map(str, h)]


@program("names of a generator expression are not those of its consumer", ([1, 2],), ([],))
def own_names(v: list[int]) -> str:
    q = 100
    out = [f"{i}{q}" for i in (q * 2 for q in v)]
    for i in (q + 1 for q in v):
        out.append(str(q + i))
    return f"{out} {sum(i + q for i in (q for q in v))} {[q + i for i in (q for q in v)]}"


@program("a local that is unbound in a loop over a generator expression", ([1],), ([],))
def unbound_in_body(v: list[int]) -> str:
    try:
        for i in (q * 2 for q in v):
            print(i + late)
            late = 1
    except UnboundLocalError as error:
        return str(error)
    return "none"


@program("a generator that raises before its first yield", (1,))
def never_yields(n: int) -> str:
    def g():
        raise KeyError(n)
        yield n

    h = g()
    try:
        next(h)
    except KeyError as error:
        return f"{error} {next(h, 'end')}"
    return ""


@program("iterators in a list over dicts and sets that change", ({"a": 1}, {1, 2}, True), ({"a": 1}, {1, 2}, False))
def changed_sizes(d: dict[str, int], s: set[int], grows: bool) -> str:
    keys, numbers = [iter(d), iter({"z": 0})], [iter(s), iter({5})]
    counted = [enumerate(d.values())]
    out = next(keys[1]) + str(next(numbers[1]))
    if grows:
        d["b"] = 2
    try:
        out += next(keys[0])
    except RuntimeError as error:
        out += str(error)
    s.add(9)
    try:
        return out + str(next(numbers[0]))
    except RuntimeError as error:
        return out + str(error) + str(len(counted))


@program("close of a generator that waits", (3,))
def closed(n: int) -> list[int]:
    def g():
        k = n
        while True:
            yield k
            k += 1

    h = g()
    out = [next(h), next(h)]
    h.close()
    h.close()
    return [*out, *h, next(h, -1)]


class Replayed:
    def __init__(self, v: list[int]) -> None:
        self.items = (x * 2 for x in v)

    def __iter__(self):
        return self.items

    def __next__(self) -> int:
        return next(self.items)


@program("__iter__ that returns a generator it keeps", ([1, 2, 3],), ([4],))
def replayed(v: list[int]) -> list[int]:
    r = Replayed(v)
    return [next(r), *(x for x in r)]


@refused(
    "a generator in a list that cleans up",
    "the generator 'cleaning' is kept, and yields in a 'try' with 'finally', which would have to end when it is dropped",
    "When a generator in a container is dropped is not known; one that a variable of the function holds may clean up.",
    (2,),
)
def cleans_up(n: int) -> int:
    gs = [cleaning(n)]
    return next(gs[0]) + next(gs[0])


def cleaning(n: int):
    try:
        yield n
        yield n + 1
    finally:
        print("end")


def taking(n: int) -> int:
    g = cleaning(n)
    next(g)
    return 1 // n


@refused(
    "an exception that leaves a generator that cleans up for a handler",
    "the generator 'cleaning' is kept, and yields in a 'try' with 'finally', which would have to end when it is dropped",
    "CPython keeps the variables of the function that was left until the handler has ended.",
    (2,),
    (0,),
)
def caught_outside(n: int) -> int:
    try:
        return taking(n)
    except ZeroDivisionError:
        return 0

