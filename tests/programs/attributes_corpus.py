"""Attributes without annotations: their types come from all that the program assigns to them."""
# ruff: noqa: ANN001, ANN201, ANN202, ANN204, ANN205, ANN206, D105 - classes as users write them

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from language_rows import of_row
from oracle import program

of_row("classes")


class Reading:
    def __init__(self, celsius: float):
        self._celsius = celsius
        self._fahrenheit = None
        self.computed = 0

    @property
    def fahrenheit(self) -> float:
        if self._fahrenheit is None:
            self.computed += 1
            self._fahrenheit = self._celsius * 9 / 5 + 32
        return self._fahrenheit


@program("an attribute that is None until a property computes it", (0.0, 2), (37.5, 0), (-40.0, 3))
def cached(celsius: float, times: int) -> tuple[list[float], int]:
    reading = Reading(celsius)
    return [reading.fahrenheit for _ in range(times)], reading.computed


class Average:
    def __init__(self):
        self.total = 0
        self.seen = 0

    def add(self, x: float) -> None:
        self.total += x
        self.seen += 1

    def mean(self):
        return self.total / self.seen if self.seen else 0


@program("an int that becomes a float keeps its tag until then", ([1.5, 2.0],), ([],), ([-0.0],))
def average(xs: list[float]) -> str:
    made = Average()
    for x in xs:
        made.add(x)
    return f"{made.total!r} {made.mean()!r} {made.seen}"


class Link:
    def __init__(self, value):
        self.value = value
        self.next = None


class Stack:
    def __init__(self):
        self.head = None
        self.size = 0

    def push(self, value: str) -> None:
        link = Link(value)
        link.next = self.head
        self.head = link
        self.size += 1

    def pop(self) -> str:
        if self.head is None:
            raise IndexError(f"pop from a stack of {self.size}")
        link = self.head
        self.head = link.next
        self.size -= 1
        return link.value


@program("linked values whose class says nothing of their types", (["a", "b", "c"], 2), (["a"], 2), ([], 0))
def linked(values: list[str], count: int) -> list[str]:
    stack = Stack()
    for value in values:
        stack.push(value)
    return [stack.pop() for _ in range(count)] + [str(stack.size)]


class Branch:
    def __init__(self, key: int):
        self.key = key
        self.left = None
        self.right = None

    def insert(self, key: int) -> None:
        if key < self.key:
            if self.left is None:
                self.left = Branch(key)
            else:
                self.left.insert(key)
        elif self.right is None:
            self.right = Branch(key)
        else:
            self.right.insert(key)

    def __iter__(self) -> Iterator[int]:
        if self.left:
            yield from self.left
        yield self.key
        if self.right:
            yield from self.right


@program("a tree whose branches are None at first", ([3, 1, 2, 5, 4],), ([1],), ([],))
def sorted_by_tree(keys: list[int]) -> list[int]:
    tree = Branch(keys[0])
    for key in keys[1:]:
        tree.insert(key)
    return list(tree)


class Folder:
    def __init__(self, name: str):
        self.name = name
        self.parent = None
        self.inside = []

    def add(self, folder):
        folder.parent = self
        self.inside.append(folder)
        return folder

    def path(self) -> str:
        return self.name if self.parent is None else self.parent.path() + "/" + self.name

    def depth(self) -> int:
        return max([folder.depth() for folder in self.inside], default=0) + 1


@program("instances of one class that know one another", ("a",), ("",))
def folders(name: str) -> tuple[str, int, bool]:
    root = Folder("root")
    leaf = root.add(Folder(name)).add(Folder("leaf"))
    return leaf.path(), root.depth(), leaf.parent is root.inside[0]


class Machine:
    def __init__(self):
        self.state = None
        self.log = None
        self.counts = None

    def step(self, event: str):
        if self.log is None or self.counts is None:
            self.log, self.counts = [], {}
        self.log.append(event)
        self.counts[event] = self.counts.get(event, 0) + 1
        self.state = event if event != "reset" else None
        return self.state


@program("None, then a text, a list and a dict", (["a", "reset", "a"],), ([],))
def machine(events: list[str]) -> str:
    made = Machine()
    states = [made.step(event) for event in events]
    return f"{states} {made.log} {made.counts} {made.state}"


class Search:
    def __init__(self):
        self.best = None
        self.score = float("-inf")

    def offer(self, name: str, score: float) -> bool:
        if score <= self.score:
            return False
        self.best, self.score = name, score
        return True


@program("two attributes unpacked to", ([("a", 1.0), ("b", 3.0), ("c", 2.0)],), ([],))
def best(offers: list[tuple[str, float]]) -> str:
    search = Search()
    taken = [search.offer(name, score) for name, score in offers]
    if search.best is not None:
        return search.best.upper() + str(taken)
    return "nothing"


class Slot:
    def __init__(self):
        self.value = None


@program("assigned from outside, with other values at other times", (1,), (0,))
def from_outside(number: int) -> str:
    slot = Slot()
    found = [f"{slot.value}"]
    slot.value = number
    found.append(f"{slot.value + 1}")
    slot.value = "text"
    found.append(slot.value.upper())
    slot.value = [number] * 2
    for item in slot.value:
        found.append(str(item))
    slot.value = None
    return " ".join([*found, str(slot.value)])


class Shape:
    def __init__(self):
        self.size = None

    def describe(self) -> str:
        return "?" if self.size is None else f"{self.size}"


class Square(Shape):
    def grow(self, by: int):
        self.size = (self.size or 0) + by
        return self


class Label(Shape):
    def grow(self, by: int):
        self.size = (self.size or "") + "x" * by
        return self


@program("classes that give an attribute of their base other types", (2, 3), (0, 0))
def inherited(first: int, second: int) -> list[str]:
    shapes = [Shape(), Square().grow(first).grow(second), Label().grow(first).grow(second)]
    return [shape.describe() for shape in shapes]


class Halves:
    def __init__(self):
        self.value = 8

    def halve(self):
        self.value = self.value / 2
        return self


@program("a division makes an int attribute a float where it runs", (0,), (1,), (3,))
def halved(times: int) -> str:
    made = Halves()
    for _ in range(times):
        made.halve()
    return f"{made.value} {made.value + 1!r} {isinstance(made.value, int)}"


class Pair:
    def __init__(self, first, second=2):
        self.first = first
        self.second = second

    def swap(self):
        self.first, self.second = self.second, self.first
        return self

    def __repr__(self):
        return f"<{self.first!r}, {self.second!r}>"


@program("a class without annotations, made of several types", (1, 2.5), (0, -0.0))
def pairs(a: int, b: float) -> str:
    made = [Pair(a), Pair("x").swap(), Pair(b, second=[a]), Pair(None, None)]
    return " ".join(map(repr, made))


class Guarded:
    def __init__(self):
        self.last = None
        self.error = None

    def divide(self, a: int, b: int) -> None:
        self.last = a
        try:
            self.last = a / b
        except ZeroDivisionError as error:
            self.error = str(error)
        else:
            self.error = None


@program("assigned in try, except and else", (1, 2), (1, 0))
def guarded(a: int, b: int) -> str:
    made = Guarded()
    made.divide(a, b)
    return f"{made.last!r} {made.error!r}"


class Owner:
    def __init__(self, name: str):
        self.name = name
        self.pet = None


class Pet:
    def __init__(self):
        self.owner = None

    def move_to(self, owner: Owner) -> Pet:
        if self.owner is not None:
            self.owner.pet = None
        self.owner, owner.pet = owner, self
        return self


@program("two classes that refer to each other", ("a", "b"), ("c", "c"))
def owners(first: str, second: str) -> list[bool]:
    one, two = Owner(first), Owner(second)
    pet = Pet().move_to(one).move_to(two)
    found = [one.pet is None, two.pet is pet, pet.owner is two]
    if pet.owner is not None:
        found.append(pet.owner.name == second)
    return found


class Counter:
    def __init__(self):
        self.value = None

    def counting(self, limit: int) -> Iterator[int]:
        for i in range(limit):
            self.value = i if self.value is None else self.value + 0.5
            yield i

    def setter(self):
        def put(value: bool) -> None:
            self.value = value

        return put


@program("assigned in a generator and in a closure", (3, True), (0, False))
def in_functions(limit: int, last: bool) -> str:
    counter = Counter()
    seen = [f"{counter.value!r}" for _ in counter.counting(limit)]
    counter.setter()(last)
    return f"{seen} {counter.value!r} {hasattr(counter, 'value')} {hasattr(counter, 'other')}"


class Weighted:
    def __init__(self, weight, items):
        self.weight = weight
        self.items = []
        for item in items:
            self.items.append(item * weight)

    def total(self):
        return sum(self.items)


@program("a container filled with what a parameter without annotation gives", ([1, 2], 3), ([], 1))
def weighted(items: list[int], weight: int) -> tuple[int, int]:
    made = Weighted(weight, items)
    made.items.append(made.weight)
    return made.total(), len(made.items)


class Samples:
    def __init__(self):
        self.values = [0.5]
        self.named = {"first": 0.5}
        self.seen = []
        self.cells = [[0] * 2 for _ in range(2)]

    def put(self, name: str, value):
        self.values.append(value)
        self.named[name] = value
        self.seen.append((name, value))
        self.cells[-1][0] = value
        return self


@program("elements keep their types in containers that attributes hold", (1, True), (-3, False))
def samples(number: int, flag: bool) -> str:
    made = Samples().put("number", number).put("flag", flag).put("half", number / 2)
    kept = made.values
    made.values = [number, 0.25]
    made.values[0] += 1
    return f"{kept} {made.values} {made.named} {made.seen} {made.cells}"


class Entry:
    def __init__(self, key, value):
        self.key, self.value = key, value
        self.before = self.after = None


class Recent:
    def __init__(self, size: int):
        self.size = size
        self.known = {}
        self.oldest, self.newest = Entry(0, 0), Entry(0, 0)
        self.oldest.after, self.newest.before = self.newest, self.oldest

    def take_out(self, entry):
        entry.before.after, entry.after.before = entry.after, entry.before

    def put_last(self, entry):
        last = self.newest.before
        last.after = self.newest.before = entry
        entry.before, entry.after = last, self.newest

    def get(self, key: int) -> int:
        if key not in self.known:
            return -1
        entry = self.known[key]
        self.take_out(entry)
        self.put_last(entry)
        return entry.value

    def put(self, key: int, value: int) -> None:
        if key in self.known:
            self.take_out(self.known[key])
        self.known[key] = entry = Entry(key, value)
        self.put_last(entry)
        if len(self.known) > self.size:
            gone = self.oldest.after
            self.take_out(gone)
            del self.known[gone.key]


@program("a cache of linked entries", ([(1, 1), (2, 2), (1, 0), (3, 3), (2, 0), (3, 0)],), ([],), ([(5, 0)],))
def recent(steps: list[tuple[int, int]]) -> list[int]:
    cache = Recent(2)
    found: list[int] = []
    for key, value in steps:
        if value:
            cache.put(key, value)
        else:
            found.append(cache.get(key))
    cache.take_out(cache.newest.before)
    cache.take_out(cache.newest.before)
    return found


class Idle:
    def __init__(self, name: str):
        self.name = name
        self.history = []
        self.table = {}
        self.seen = set()

    def show(self) -> str:
        return f"{self.name} {self.history} {len(self.table)} {self.seen} {not self.history}"


@program("containers that nothing is ever put into", ("a",), ("",))
def idle(name: str) -> list[str]:
    return [each.show() for each in (Idle(name), Idle("b"))]


FULL = Idle("x")
FULL.history += [1, "two"]


@program("an instance brings things in a container that the program only counts", (FULL, 1), (Idle(""), 0))
def brought(given: Idle, count: int) -> tuple[str, int]:
    return given.name * count, len(given.history)


of_row("refinement")


class Step:
    def __init__(self, cost: int, following: Step | None = None):
        self.cost = cost
        self.following = following

    def name(self) -> str:
        return f"step {self.cost}"


@program("links that may be None are followed as Python does", (0,), (1,), (2,), (3,), (4,), (5,))
def links(way: int) -> str:
    first = Step(1, Step(2))
    seen: list[str] = []

    def said(text: str) -> str:
        seen.append(text)
        return text

    try:
        if way == 0:
            return first.following.name()
        if way == 1:
            return str(first.following.following.cost)
        if way == 2:
            first.following.following.cost = len(said("value"))
        if way == 3:
            return first.following.following.name() + said("argument")
        if way == 4:
            first.following.following = Step(9)
            return first.following.following.name()
        first.following.following.cost += len(said("more"))
    except AttributeError as error:
        return f"{error} {seen}"
    return "?"


def step_of(cost: int, steps: list[Step]) -> Step | None:
    for step in steps:
        if step.cost == cost:
            return step
    return None


@program("behind an attribute a variable is known not to be None", (1,), (2,), (3,))
def found_step(cost: int) -> tuple[str, int]:
    step = step_of(cost, [Step(1), Step(2, Step(1))])
    name = step.name()
    step.cost += 1
    return name, step.cost + (step.following.cost if cost == 2 else 0)


@program("a variable without annotation that is None until a loop runs", (["a", "b"],), ([],))
def last_upper(texts: list[str]) -> str:
    last = None
    for text in texts:
        last = text
    return last.upper()


of_row("dataclasses")


@dataclass
class Chain:
    value: int
    following: Chain = None
    label: str = None


@program("fields with the default None may be None, whatever they are declared as", ([1, 2],), ([],))
def chained(values: list[int]) -> str:
    last = None
    for value in values:
        last = Chain(value, last, "x" * value)
    return f"{last} {Chain(0).label is None} {Chain(5, Chain(6)).following.value}"


of_row("classes")


class Settings:
    level = 1
    name = "plain"
    verbose = False

    def describe(self) -> str:
        return f"{self.name}:{self.level}"


@program("an instance gets a value of its own for its class's", (5, "a"), (0, ""))
def settings(level: int, name: str) -> str:
    first, second = Settings(), Settings()
    before = first.describe()
    first.level = level / 2
    if name:
        first.name = name
    return f"{before} {first.describe()} {second.describe()} {Settings.level} {first.verbose}"


of_row("sets")


@program("sets take in and leave out the keys and items of a dict", ({"a": 1, "b": 2}, {"b", "c"}), ({}, set()))
def with_views(table: dict[str, int], names: set[str]) -> tuple[list[str], list[str], list[str], int]:
    kept = names
    names |= table.keys()
    all_names = sorted(names)
    names -= {"a": 0}.keys()
    pairs = {("b", 2)}
    pairs &= table.items()
    return all_names, sorted(kept), sorted(name for name, _ in pairs), len(names)
