"""Classes as people write them: state machines, configurations, registries, small containers, inheritance."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Optional, Union

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor

of_row("classes")


class Stack:
    def __init__(self, limit: int = 3) -> None:
        self.items: list[int] = []
        self.limit = limit

    def push(self, item: int) -> Stack:
        if len(self.items) == self.limit:
            raise OverflowError(f"more than {self.limit} items")
        self.items.append(item)
        return self

    def pop(self) -> int:
        return self.items.pop()

    def __len__(self) -> int:
        return len(self.items)


@program("a stack with a limit, pushed in chains", (2,), (3,), (4,), (0,))
def stack_use(n: int) -> tuple[int, int]:
    stack = Stack()
    for i in range(n):
        stack.push(i).push(i)
        stack.pop()
    return stack.pop(), len(stack)


class Light(enum.Enum):
    RED = "red"
    GREEN = "green"
    YELLOW = "yellow"


class Crossing:
    def __init__(self) -> None:
        self.light = Light.RED
        self.log: list[str] = []
        self.ticks = 0

    def tick(self, cars: int) -> Light:
        self.ticks += 1
        before = self.light
        if self.light is Light.RED and (cars > 2 or self.ticks % 3 == 0):
            self.light = Light.GREEN
        elif self.light == Light.GREEN:
            self.light = Light.YELLOW
        elif self.light == Light.YELLOW:
            self.light = Light.RED
        if before is not self.light:
            self.log.append(f"{before.value}->{self.light.name}")
        return self.light


@program("a state machine on an enum with a log", ([0, 3, 0, 1, 1, 5],), ([],))
def crossing(cars: list[int]) -> tuple[list[Light], list[str]]:
    machine = Crossing()
    seen = [machine.tick(c) for c in cars]
    return seen, machine.log


class Parser:
    OPERATORS = "+-*/"

    def __init__(self, text: str) -> None:
        self.text = text.replace(" ", "")
        self.at = 0

    def peek(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def take(self) -> str:
        c = self.peek()
        self.at += 1
        return c

    def number(self) -> float:
        start = self.at
        while self.peek().isdigit() or self.peek() == ".":
            self.at += 1
        if start == self.at:
            raise ValueError(f"number expected at {self.at}, found {self.peek()!r}")
        return float(self.text[start : self.at])

    def factor(self) -> float:
        if self.peek() == "(":
            self.take()
            value = self.sum()
            if self.take() != ")":
                raise ValueError("unbalanced")
            return value
        if self.peek() == "-":
            self.take()
            return -self.factor()
        return self.number()

    def term(self) -> float:
        value = self.factor()
        while self.peek() in ("*", "/"):
            if self.take() == "*":
                value *= self.factor()
            else:
                value /= self.factor()
        return value

    def sum(self) -> float:
        value = self.term()
        while self.peek() and self.peek() in "+-":
            sign = 1 if self.take() == "+" else -1
            value += sign * self.term()
        return value


@program("a recursive-descent calculator", ("1 + 2*3",), ("-(2-5)*1.5/2",), ("(1",), ("1/0",), ("*2",))
def calculate(text: str) -> float:
    return Parser(text).sum()


class Temperature:
    def __init__(self, celsius: float) -> None:
        self._celsius = celsius
        self.reads = 0

    @property
    def fahrenheit(self) -> float:
        self.reads += 1
        return self._celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value: float) -> None:
        if value < -459.67:
            raise ValueError("below absolute zero")
        self._celsius = (value - 32) * 5 / 9


@program("a property that counts its reads and checks its writes", (100.0,), (-500.0,))
def thermometer(value: float) -> tuple[float, int]:
    t = Temperature(0.0)
    t.fahrenheit = value
    t.fahrenheit += 1.0
    return round(t.fahrenheit, 6), t.reads


class Vector:
    def __init__(self, *parts: float) -> None:
        self.parts = list(parts)

    def __add__(self, other: Vector) -> Vector:
        out = Vector()
        out.parts = [a + b for a, b in zip(self.parts, other.parts)]
        return out

    def __mul__(self, k: float) -> Vector:
        out = Vector()
        for p in self.parts:
            out.parts.append(p * k)
        return out

    __rmul__ = __mul__

    def __neg__(self) -> Vector:
        return self * -1.0

    def __abs__(self) -> float:
        return math.sqrt(sum(p * p for p in self.parts))

    def __repr__(self) -> str:
        return f"Vector({', '.join(map(str, self.parts))})"


@program("a vector with *args, operators under two names and repr", (3.0, 4.0), (0.0, -1.0))
def vectors(a: float, b: float) -> str:
    v = Vector(a, b) + 2.0 * Vector(1.0, 0.5)
    return f"{v!r} {abs(-v):.3f} {Vector()}"


class Matrix:
    def __init__(self, rows: int, columns: int) -> None:
        self.shape = (rows, columns)
        self.data = [0] * (rows * columns)

    def __getitem__(self, at: tuple[int, int]) -> int:
        i, j = at
        if not (0 <= i < self.shape[0] and 0 <= j < self.shape[1]):
            raise IndexError(f"{at} is outside {self.shape}")
        return self.data[i * self.shape[1] + j]

    def __setitem__(self, at: tuple[int, int], value: int) -> None:
        self.data[at[0] * self.shape[1] + at[1]] = value

    def __contains__(self, value: int) -> bool:
        return value in self.data


@program("items by pairs of indices, read and written", (2, 3), (1, 1))
def matrix_items(n: int, m: int) -> tuple[int, bool, list[int]]:
    grid = Matrix(n, m)
    for i in range(n):
        for j in range(m):
            grid[i, j] = i * 10 + j
    grid[0, 0] += 5
    return grid[n - 1, m - 1], 5 in grid, grid.data


@program("an index outside that the class refuses", (0, 0), (2, 0), (0, -1))
def matrix_outside(i: int, j: int) -> int:
    return Matrix(2, 2)[i, j]


class Cache:
    """Least recently used entries leave first."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.entries: dict[str, int] = {}
        self.hits = self.misses = 0

    def get(self, key: str) -> Optional[int]:
        if key not in self.entries:
            self.misses += 1
            return None
        value = self.entries.pop(key)
        self.entries[key] = value
        self.hits += 1
        return value

    def put(self, key: str, value: int) -> None:
        self.entries.pop(key, None)
        self.entries[key] = value
        if len(self.entries) > self.room:
            oldest = next(iter(self.entries))
            del self.entries[oldest]


@program("a cache that forgets the least recently used", (["a", "b", "a", "c", "b"], 2), ([], 1))
def cache_use(keys: list[str], room: int) -> tuple[list[str], int, int]:
    cache = Cache(room)
    for n, key in enumerate(keys):
        if cache.get(key) is None:
            cache.put(key, n)
    return list(cache.entries), cache.hits, cache.misses


class Account:
    rate = 0.5
    opened = 0

    def __init__(self, owner: str, balance: float = 0.0) -> None:
        self.owner = owner
        self.balance = balance
        self.history: list[tuple[str, float]] = []

    def deposit(self, amount: float) -> float:
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(("in", amount))
        return self.balance

    def withdraw(self, amount: float) -> float:
        if amount > self.balance:
            raise RuntimeError(f"{self.owner} has only {self.balance:.2f}")
        self.balance -= amount
        self.history.append(("out", amount))
        return self.balance

    def add_interest(self) -> None:
        self.deposit(self.balance * self.rate)

    @classmethod
    def joint(cls, *names: str) -> Account:
        return cls(" & ".join(names), 10.0)

    @staticmethod
    def is_valid(name: str) -> bool:
        return name.isalpha()


@program("an account: class constant, class method with *args, static method", (5.0,), (50.0,), (-1.0,))
def banking(amount: float) -> tuple[str, float, list[tuple[str, float]]]:
    account = Account.joint("Ann", "Bob")
    account.add_interest()
    account.withdraw(amount)
    if not Account.is_valid(account.owner):
        account.deposit(amount)
    return account.owner, account.balance, account.history


class Node:
    def __init__(self, key: int) -> None:
        self.key = key
        self.left: Optional[Node] = None
        self.right: Optional[Node] = None

    def insert(self, key: int) -> None:
        if key < self.key:
            if self.left is None:
                self.left = Node(key)
            else:
                self.left.insert(key)
        elif key > self.key:
            if self.right is None:
                self.right = Node(key)
            else:
                self.right.insert(key)

    def depth(self) -> int:
        l = self.left.depth() if self.left else 0
        r = self.right.depth() if self.right is not None else 0
        return 1 + max(l, r)


def in_order(node: Optional[Node], out: list[int]) -> None:
    if node is None:
        return
    in_order(node.left, out)
    out.append(node.key)
    in_order(node.right, out)


@program("a search tree that inserts itself", ([4, 2, 6, 1, 3, 4],), ([1, 2, 3, 4],))
def tree(keys: list[int]) -> tuple[list[int], int]:
    root = Node(keys[0])
    for key in keys[1:]:
        root.insert(key)
    out: list[int] = []
    in_order(root, out)
    return out, root.depth()


class Trie:
    def __init__(self) -> None:
        self.children: dict[str, Trie] = {}
        self.ends = False

    def add(self, word: str) -> None:
        node = self
        for c in word:
            if c not in node.children:
                node.children[c] = Trie()
            node = node.children[c]
        node.ends = True

    def longest(self, text: str, start: int) -> int:
        node = self
        best = -1
        for i in range(start, len(text)):
            found = node.children.get(text[i])
            if found is None:
                break
            node = found
            if node.ends:
                best = i + 1
        return best


@program("a trie: segmenting text by the longest known word", ("catcathe", ["cat", "cathe", "he"]), ("xx", ["y"]), ("", []))
def segment(text: str, words: list[str]) -> list[str]:
    trie = Trie()
    for w in words:
        trie.add(w)
    out: list[str] = []
    i = 0
    while i < len(text):
        end = trie.longest(text, i)
        if end < 0:
            end = i + 1
        out.append(text[i:end])
        i = end
    return out


class Timer:
    def __init__(self) -> None:
        self.events: list[str] = []

    def __enter__(self) -> Timer:
        self.events.append("start")
        return self

    def __exit__(self, kind: object, value: object, trace: object) -> bool:
        self.events.append("stop")
        return False

    def __call__(self, name: str) -> int:
        self.events.append(name)
        return len(self.events)


@program("one object that is called, entered and kept", (1,), (3,))
def timed(n: int) -> list[str]:
    timer = Timer()
    with timer as t:
        for i in range(n):
            t("step" + str(i))
    timer("after")
    return timer.events


class Countdown:
    def __init__(self, start: int) -> None:
        self.start = start

    def __iter__(self):
        n = self.start
        while n > 0:
            yield n
            n -= 1


@program("a class whose __iter__ is a generator: for, list, sum, in", (4,), (0,))
def counting(n: int) -> tuple[list[int], int, bool, int]:
    down = Countdown(n)
    last = 0
    for last in down:
        if last == 2:
            break
    return list(down), sum(down), 3 in list(down), last


class Fraction:
    def __init__(self, top: int, bottom: int = 1) -> None:
        if bottom == 0:
            raise ZeroDivisionError("bottom is 0")
        g = math.gcd(top, bottom)
        if bottom < 0:
            g = -g
        self.top, self.bottom = top // g, bottom // g

    def __add__(self, other: Union[Fraction, int]) -> Fraction:
        if isinstance(other, int):
            other = Fraction(other)
        return Fraction(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __radd__(self, other: int) -> Fraction:
        return self + other

    def __lt__(self, other: Fraction) -> bool:
        return self.top * other.bottom < other.top * self.bottom

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fraction) and (self.top, self.bottom) == (other.top, other.bottom)

    def __hash__(self) -> int:
        return hash((self.top, self.bottom))

    def __bool__(self) -> bool:
        return self.top != 0

    def __str__(self) -> str:
        return f"{self.top}/{self.bottom}" if self.bottom != 1 else str(self.top)


@program("fractions: reduced, added to ints on both sides, compared", (1, 2, 3, 4), (2, -4, 1, 2), (1, 0, 1, 1))
def fractions(a: int, b: int, c: int, d: int) -> str:
    x, y = Fraction(a, b), Fraction(c, d)
    total = 1 + x + y + 2
    return f"{total} {x < y} {x == Fraction(a * 2, b * 2)} {bool(x + y)} {x != y}"


@program("fractions: instances with hash and equality as keys and in sets", ([(1, 2), (2, 4), (3, 1)],), ([],))
def fraction_keys(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    counts: dict[Fraction, int] = {}
    for a, b in pairs:
        key = Fraction(a, b)
        counts[key] = counts.get(key, 0) + 1
    return len(counts), counts.get(Fraction(1, 2), 0)


class Registry:
    def __init__(self) -> None:
        self.names: list[str] = []
        self.sizes: dict[str, tuple[int, int]] = {}

    def register(self, name: str, size: tuple[int, int]) -> int:
        if name in self.sizes:
            raise KeyError(name)
        self.names.append(name)
        self.sizes[name] = size
        return len(self.names) - 1

    def __getitem__(self, key: Union[int, str]) -> tuple[int, int]:
        if isinstance(key, int):
            key = self.names[key]
        return self.sizes[key]


@program("a registry found by number or by name", (["conv", "fc"], "fc"), (["a"], "b"), (["x", "x"], "x"))
def registry(names: list[str], wanted: str) -> tuple[int, int]:
    known = Registry()
    for i, name in enumerate(names):
        known.register(name, (i, i * 2))
    a, _ = known[len(names) - 1]
    _, b = known[wanted]
    return a, b


class Meter:
    def __init__(self, name: str) -> None:
        self.name = name
        self.reset()

    def reset(self) -> None:
        self.total = 0.0
        self.count = 0

    def update(self, value: float, n: int = 1) -> None:
        self.total += value * n
        self.count += n

    @property
    def average(self) -> float:
        return self.total / self.count if self.count else math.nan


@program("meters in a dict, reset halfway", ([1.0, 2.0, 3.0],), ([],))
def meters(losses: list[float]) -> dict[str, float]:
    table = {name: Meter(name) for name in ("train", "test")}
    for i, loss in enumerate(losses):
        table["train"].update(loss)
        table["test"].update(loss / 2, n=2)
        if i == 1:
            table["train"].reset()
    return {m.name: m.average for m in table.values() if m.count}


class Chain:
    def __init__(self, value: int, rest: Optional[Chain] = None) -> None:
        self.value = value
        self.rest = rest

    def __len__(self) -> int:
        return 1 + (len(self.rest) if self.rest is not None else 0)


@program("a chain folded from a list, reversed by relinking", ([1, 2, 3],), ([9],))
def relinked(values: list[int]) -> tuple[list[int], int]:
    head: Optional[Chain] = None
    for v in values:
        head = Chain(v, head)
    previous: Optional[Chain] = None
    while head is not None:
        following = head.rest
        head.rest = previous
        previous, head = head, following
    out: list[int] = []
    size = len(previous) if previous is not None else 0
    while previous:
        out.append(previous.value)
        previous = previous.rest
    return out, size


class Grid:
    WALL = "#"

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.seen: set[tuple[int, int]] = set()

    def is_free(self, i: int, j: int) -> bool:
        inside = 0 <= i < len(self.lines) and 0 <= j < len(self.lines[i])
        return inside and self.lines[i][j] != self.WALL and (i, j) not in self.seen

    def reach(self, i: int, j: int) -> int:
        if not self.is_free(i, j):
            return 0
        self.seen.add((i, j))
        return 1 + sum([self.reach(i + di, j + dj) for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0))])


@program("flood fill by recursive methods over a set of pairs", ("..#\n.#.\n...",), ("#",), ("",))
def flood(text: str) -> int:
    return Grid(text).reach(0, 0)


class Event:
    def __init__(self, time: float, name: str) -> None:
        self.time, self.name = time, name

    def __lt__(self, other: Event) -> bool:
        return (self.time, self.name) < (other.time, other.name)

    def __repr__(self) -> str:
        return f"<{self.name}@{self.time}>"


@program("events sorted by their own order, min and max of them", ([(2.0, "b"), (1.0, "z"), (1.0, "a")],), ([(0.0, "x")],))
def agenda(pairs: list[tuple[float, str]]) -> tuple[str, str, str]:
    events = [Event(t, n) for t, n in pairs]
    first, last = min(events), max(events)
    return repr(sorted(events)), str(first), str(last)


class Pool:
    def __init__(self, size: int) -> None:
        self.free = list(range(size))
        self.used: dict[str, int] = {}

    def __contains__(self, who: str) -> bool:
        return who in self.used

    def __delitem__(self, who: str) -> None:
        self.free.append(self.used.pop(who))

    def __getitem__(self, who: str) -> int:
        if who not in self:
            if not self.free:
                raise LookupError("the pool is empty")
            self.used[who] = self.free.pop(0)
        return self.used[who]


@program("a pool that hands out numbers and takes them back by del", (["a", "b", "a"], 2), (["a", "b", "c"], 2))
def pool(names: list[str], size: int) -> tuple[list[int], list[int]]:
    numbers = Pool(size)
    got = [numbers[n] for n in names]
    del numbers[names[0]]
    return got, numbers.free


of_row("inheritance")


class Shape:
    sides = 0

    def __init__(self, name: str) -> None:
        self.name = name

    def area(self) -> float:
        raise NotImplementedError(f"{self.name} has no area")

    def describe(self) -> str:
        return f"{self.name} with {self.sides} sides and area {self.area():.1f}"


class Square(Shape):
    sides = 4

    def __init__(self, side: float) -> None:
        super().__init__("square")
        self.side = side

    def area(self) -> float:
        return self.side**2


class Circle(Shape):
    def __init__(self, r: float) -> None:
        super().__init__("circle")
        self.r = r

    def area(self) -> float:
        return round(math.pi * self.r * self.r, 3)

    def describe(self) -> str:
        return "round " + super().describe()


@program("shapes: a base method calls what a subclass defines", (2.0,), (0.0,))
def shapes(x: float) -> list[str]:
    return [s.describe() for s in [Square(x), Circle(x)]]


@program("a base class's method that is not implemented", (0,), (1,))
def abstract(n: int) -> float:
    shape = Shape("blob") if n else Square(3.0)
    return shape.area()


@program("the largest of several classes by key", (1.0, 2.0), (3.0, 1.0))
def largest(a: float, b: float) -> str:
    shapes: list[Shape] = [Square(a), Circle(b), Square(b)]
    best = max(shapes, key=lambda s: s.area())
    return type(best).__name__ + best.name


class Layer:
    def __init__(self) -> None:
        self.calls = 0

    def forward(self, x: float) -> float:
        return x

    def __call__(self, x: float) -> float:
        self.calls += 1
        return self.forward(x)


class Affine(Layer):
    def __init__(self, a: float, b: float) -> None:
        super().__init__()
        self.a, self.b = a, b

    def forward(self, x: float) -> float:
        return self.a * x + self.b


class Clamp(Layer):
    low: float = -1.0
    high: float = 1.0

    def forward(self, x: float) -> float:
        return max(self.low, min(self.high, x))


class Seq(Layer):
    def __init__(self, layers: list[Layer]) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, x: float) -> float:
        for layer in self.layers:
            x = layer(x)
        return x


@program("layers in plain classes: __call__ counts, forward is virtual", (0.3,), (5.0,))
def layered(x: float) -> tuple[float, int]:
    shared = Affine(2.0, 0.5)
    net = Seq([shared, Clamp(), shared, Seq([shared])])
    return net(x), shared.calls


@program("layers made by name from a chain of ifs", (["affine", "clamp"],), (["pool"],))
def built(names: list[str]) -> float:
    layers: list[Layer] = []
    for name in names:
        if name == "affine":
            layers.append(Affine(1.5, 1.0))
        elif name == "clamp":
            layers.append(Clamp())
        else:
            raise ValueError(f"unknown layer {name!r}")
    return Seq(layers)(3.0)


class Animal:
    def __init__(self, name: str) -> None:
        self.name = name

    def speak(self) -> str:
        return "..."

    def __str__(self) -> str:
        return f"{self.name} says {self.speak()}"


class Dog(Animal):
    def speak(self) -> str:
        return "woof"


class Puppy(Dog):
    def speak(self) -> str:
        return super().speak().replace("oo", "ee") + "!"

    def __str__(self) -> str:
        return "little " + super().__str__()


@program("three generations, super() through two of them", ("rex",))
def generations(name: str) -> list[str]:
    animals: list[Animal] = [Animal(name), Dog(name), Puppy(name)]
    return [str(a) for a in animals]


@program("isinstance tells subclasses apart and narrows them", (0,), (1,), (2,))
def kind_of(n: int) -> str:
    animals: list[Animal] = [Animal("a"), Dog("d"), Puppy("p")]
    a = animals[n]
    if isinstance(a, Puppy):
        return "puppy"
    if isinstance(a, (Dog, Puppy)):
        return "dog"
    return "animal" if not isinstance(a, Dog) else "never"


class Counter:
    def __init__(self) -> None:
        self.n = 0

    def step(self) -> int:
        return 1

    def run(self, times: int) -> int:
        for _ in range(times):
            self.n += self.step()
        return self.n


class Doubling(Counter):
    def step(self) -> int:
        return self.n or 1


class Limited(Doubling):
    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def step(self) -> int:
        wanted = super().step()
        return wanted if self.n + wanted <= self.most else self.most - self.n


@program("a loop of the base driven by steps of the subclasses", (5,), (0,))
def stepped(times: int) -> list[int]:
    counters: list[Counter] = [Counter(), Doubling(), Limited(10)]
    return [c.run(times) for c in counters]


class Base:
    label = "base"

    def name(self) -> str:
        return self.label + "/" + type(self).__name__

    @classmethod
    def make(cls) -> Base:
        return cls()


class Derived(Base):
    label = "derived"


@program("class constants overridden, type(self).__name__, cls() of a subclass", (1,))
def class_names(n: int) -> list[str]:
    return [Base().name(), Derived().name(), Derived.make().name(), Base.label * n]


class Optimiser:
    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.state: dict[str, float] = {}

    def update(self, name: str, grad: float) -> float:
        return -self.rate * grad


class Momentum(Optimiser):
    def __init__(self, rate: float, beta: float = 0.5) -> None:
        super().__init__(rate)
        self.beta = beta

    def update(self, name: str, grad: float) -> float:
        v = self.beta * self.state.get(name, 0.0) + grad
        self.state[name] = v
        return super().update(name, v)


@program("optimisers: a subclass keeps state in its base's dict", ({"w": 1.0, "b": -2.0}, 3), ({}, 1))
def optimise(params: dict[str, float], steps: int) -> dict[str, float]:
    opt: Optimiser = Momentum(0.1)
    for _ in range(steps):
        for name in params:
            params[name] += opt.update(name, 2 * params[name])
    return params


of_row("dataclasses")


@dataclass
class Config:
    width: int = 64
    depth: int = 2
    dropout: float = 0.1
    name: str = "net"
    sizes: list[int] = field(default_factory=list)

    @property
    def total(self) -> int:
        return self.width * self.depth

    def scaled(self, k: int) -> Config:
        return Config(self.width * k, self.depth, self.dropout, f"{self.name}-x{k}", [s * k for s in self.sizes])


@program("a configuration: defaults, keywords, a property, a scaled copy", (2,), (0,))
def configured(k: int) -> tuple[str, int, bool]:
    base = Config(depth=3, sizes=[1, 2])
    base.sizes.append(k)
    big = base.scaled(k)
    return str(big), big.total, big == base


@program("the factory makes a new list for each", (1,))
def factories(n: int) -> list[int]:
    a, b = Config(), Config()
    a.sizes.append(n)
    return a.sizes + b.sizes + [len(a.sizes), int(a != b)]


@dataclass
class Block:
    config: Config
    skip: bool = False


@program("dataclasses in a dataclass, changed through the outer", (3,))
def outer(n: int) -> str:
    block = Block(Config(name="inner"))
    block.config.width += n
    block.skip = not block.skip
    return repr(block)


@dataclass(frozen=True)
class Key:
    row: int
    column: int = 0


@program("frozen dataclasses as keys of a dict", ([(1, 2), (1, 2), (0, 0)],), ([],))
def frozen_keys(cells: list[tuple[int, int]]) -> tuple[int, list[int]]:
    table: dict[Key, int] = {}
    for r, c in cells:
        table[Key(r, c)] = table.get(Key(r, c), 0) + 1
    return table.get(Key(0), -1), [k.row for k in table]


@dataclass(order=True)
class Version:
    major: int
    minor: int = 0
    tag: str = ""


@program("ordered dataclasses sorted, with ties and default fields", (["1.2", "1.10", "0.9"],), (["3"],))
def versions(texts: list[str]) -> list[str]:
    found: list[Version] = []
    for t in texts:
        parts = [int(p) for p in t.split(".")]
        found.append(Version(parts[0], parts[1]) if len(parts) > 1 else Version(parts[0]))
    found.sort()
    return [f"v{v.major}.{v.minor}{v.tag}" for v in found]


@dataclass
class Interval:
    low: float
    high: float

    def __post_init__(self) -> None:
        if self.low > self.high:
            self.low, self.high = self.high, self.low

    def __contains__(self, x: float) -> bool:
        return self.low <= x < self.high

    def merge(self, other: Interval) -> Optional[Interval]:
        if self.high < other.low or other.high < self.low:
            return None
        return Interval(min(self.low, other.low), max(self.high, other.high))


@program("__post_init__ puts fields in order; methods may find nothing", (1.0, 3.0, 2.0), (3.0, 1.0, 9.0))
def intervals(a: float, b: float, c: float) -> tuple[bool, str]:
    first, second = Interval(a, b), Interval(c, c + 1)
    both = first.merge(second)
    return c in first, "none" if both is None else f"{both.low}..{both.high}"


@dataclass
class Trained(Config):
    epochs: int = 1
    losses: dict[str, float] = field(default_factory=dict)


@program("an inherited dataclass takes its base's fields first", (4,))
def inherited_fields(n: int) -> str:
    t = Trained(n, epochs=n + 1)
    t.losses["train"] = 0.5
    return f"{t} {t.total} {isinstance(t, Config)}"


@dataclass
class Batch:
    tokens: Tensor
    lengths: list[int]

    def masked(self) -> Tensor:
        out = self.tokens.clone()
        for i, n in enumerate(self.lengths):
            out[i, n:] = 0
        return out


@program("a dataclass of a tensor and a list", (T([[1, 2, 3], [4, 5, 6]]), [1, 2]), (T([[7]]), [0]))
def batch_masked(tokens: Tensor, lengths: list[int]) -> tuple[Tensor, int]:
    batch = Batch(tokens, lengths)
    result = batch.masked()
    return result, int(result.sum())


@program("replace() of a dataclass", (5,))
def replaced(n: int) -> str:
    return str(replace(Config(), width=n, name="other"))


of_row("named tuples")


class Point(NamedTuple):
    x: float
    y: float = 0.0

    def dist(self, other: Point) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)

    def text(self) -> str:
        return f"({self.x:g}; {self.y:g})"


class State(NamedTuple):
    hidden: Tensor
    cell: Tensor
    step: int = 0


@program("a recurrent state as a named tuple through a loop", (T([1.0, 2.0]), 3), (T([0.0]), 0))
def recurrent(x: Tensor, steps: int) -> State:
    state = State(tsm.zeros_like(x), tsm.ones_like(x))
    for _ in range(steps):
        cell = state.cell * 0.5 + x
        state = State(tsm.tanh(cell), cell, state.step + 1)
    return state


@program("fields unpacked in a for, points ordered as tuples", ([(1.0, 2.0), (1.0, 1.0)],), ([],))
def sorted_points(pairs: list[tuple[float, float]]) -> list[str]:
    points = sorted([Point(a, b) for a, b in pairs] + [Point(0.5)])
    return [p.text() for p in points if p.x <= 1] + [str(x + y) for x, y in points]


@program("_replace in a chain, and the original unchanged", (2.0,))
def moved(d: float) -> tuple[Point, Point, float]:
    p = Point(1.0)
    q = p._replace(y=d)._replace(x=p.y - d)
    return p, q, p.dist(q)


class Step(NamedTuple):
    name: str
    args: list[int]


@program("a named tuple holding a list that changes", ([1],))
def holding(args: list[int]) -> tuple[int, str]:
    step = Step("add", args)
    step.args.append(len(step.name))
    name, values = step
    values.extend(values)
    return len(args), repr(step)


@program("named tuples as dict keys and in sets", ([1.0, 2.0, 1.0],), ([],))
def point_keys(xs: list[float]) -> tuple[dict[Point, int], int]:
    table: dict[Point, int] = {}
    for x in xs:
        table[Point(x)] = table.get(Point(x, 0.0), 0) + 1
    return table, len({Point(x) for x in xs})


of_row("enums")


class Op(enum.IntEnum):
    PUSH = 0
    ADD = 1
    MUL = 2
    JUMP = 3
    HALT = 4


@program("a bytecode machine dispatching on an IntEnum", ([0, 2, 0, 3, 1, 0, 4, 2, 4],), ([0, 1, 3, 5, 4, 4],), ([1, 4],), ([9],))
def machine(code: list[int]) -> list[int]:
    stack: list[int] = []
    at = 0
    while True:
        op = Op(code[at])
        at += 1
        if op == Op.PUSH:
            stack.append(code[at])
            at += 1
        elif op in (Op.ADD, Op.MUL):
            b, a = stack.pop(), stack.pop()
            stack.append(a + b if op is Op.ADD else a * b)
        elif op == Op.JUMP:
            at = code[at]
        else:
            return stack


class Mode(enum.Enum):
    TRAIN = enum.auto()
    TEST = enum.auto()

    def flipped(self) -> Mode:
        return Mode.TEST if self is Mode.TRAIN else Mode.TRAIN


@program("auto() values and a method that flips", (Mode.TRAIN, 3), (Mode.TEST, 0))
def flips(mode: Mode, n: int) -> tuple[Mode, int, str]:
    for _ in range(n):
        mode = mode.flipped()
    return mode, mode.value, f"{mode} {mode.name.lower()}"


@program("a dict from members to lists, looped in order", ([("a", 0), ("b", 1), ("c", 0)],), ([],))
def by_mode(items: list[tuple[str, int]]) -> list[tuple[Mode, list[str]]]:
    table: dict[Mode, list[str]] = {m: [] for m in Mode}
    for name, flag in items:
        table[Mode.TEST if flag else Mode.TRAIN].append(name)
    return [(m, names) for m, names in table.items()]


@program("arithmetic, order and range over IntEnum members", (2,), (4,))
def ranks(n: int) -> tuple[list[int], int, bool, str]:
    return [op for op in range(Op.PUSH, Op(n))], Op.MUL << 2, Op.ADD < Op.MUL <= n, f"{Op.JUMP:03d}|{Op(n).name:>6}"


@program("an unknown name of a member raises KeyError, an unknown value ValueError", ("ADD", 1), ("SUB", 1), ("ADD", 77))
def unknown_member(name: str, value: int) -> bool:
    return Op[name] is Op(value)


@program("enum members with values of several floats", (0.5,), (2.0,))
def by_value(x: float) -> str:
    for level in Threshold:
        if x < level.value:
            return level.name
    return "NONE"


class Threshold(enum.Enum):
    LOW = 0.75
    MID = 1.5


of_row("instances outside")


class Particle:
    def __init__(self, x: float, tags: list[str]) -> None:
        self.x = x
        self.tags = tags
        self.friend: Optional[Particle] = None


A = Particle(1.0, ["a"])


@program("a list of instances from Python, changed one by one", ([Particle(1.0, []), Particle(2.0, ["q"])],))
def nudged(particles: list[Particle]) -> list[Particle]:
    for i, p in enumerate(particles):
        p.x += i + 0.5
        p.tags.append(str(i))
    return particles[::-1]


@program("instances linked inside the call are linked outside", (Particle(0.0, []), Particle(3.0, [])))
def befriend(a: Particle, b: Particle) -> Particle:
    a.friend, b.friend = b, a
    b.x = a.x - b.x
    return a


@program("new instances beside old ones in a dict result", (Particle(5.0, ["t"]),))
def beside(p: Particle) -> dict[str, Particle]:
    copied = Particle(p.x, p.tags[:])
    copied.tags.append("copy")
    return {"old": p, "new": copied, "again": p}


@program("an instance argument that shares its list with another argument", (Particle(0.0, []), ["solo"]))
def adopt(p: Particle, tags: list[str]) -> Particle:
    p.tags = tags
    tags.append("both")
    return p


@program("dataclass arguments, optional, changed in place", (Config(), None), (Config(), Config(1, 2, 0.5, "b", [3])))
def tuned(a: Config, b: Optional[Config]) -> int:
    a.width //= 3
    if b is not None:
        b.sizes += [a.width]
        a.sizes = b.sizes
    return a.total + (b.total if b else 0)
