"""Instances that may be None where their methods are asked for: what Python raises there; protocols in isinstance."""
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from typing import Dict, List, Optional, Protocol, Union, runtime_checkable

from language_rows import of_row
from oracle import program

of_row("refinement")


class Table:
    def __init__(self, size: int):
        self.size = size

    def __getitem__(self, key: int) -> int:
        return self.size * key

    def __setitem__(self, key: int, value: int) -> None:
        self.size = key + value

    def __delitem__(self, key: int) -> None:
        self.size -= key

    def __len__(self) -> int:
        return self.size

    def __contains__(self, item: int) -> bool:
        return item == self.size

    def __call__(self, step: int) -> int:
        return self.size + step

    def __iter__(self):
        yield self.size

    def __reversed__(self):
        return iter([self.size, -1])

    def __add__(self, other: int) -> int:
        return self.size + other

    def __radd__(self, other: str) -> str:
        return other + str(self.size)

    def __lt__(self, other: int) -> bool:
        return self.size < other


class Shelf:
    def __init__(self, size: int):
        self.table: Optional[Table] = Table(size) if size else None
        self.moves = 0

    def move(self) -> None:
        self.moves += 1


@program("an Optional instance that is indexed, measured, called, walked and compared untested", (3,), (0,))
def asked_untested(size: int) -> list[str]:
    shelf, found = Shelf(size), []
    questions = (
        lambda: shelf.table[2], lambda: len(shelf.table), lambda: shelf.table(4), lambda: 3 in shelf.table,
        lambda: [x for x in shelf.table], lambda: list(reversed(shelf.table)), lambda: shelf.table + 1,
        lambda: "size " + shelf.table, lambda: shelf.table < 9, lambda: sum(shelf.table),
    )
    for ask in questions:
        try:
            found.append(str(ask()))
        except TypeError as error:
            found.append(str(error))
    return found


@program("items of an Optional instance that are set and deleted untested", (3,), (0,))
def changed_untested(size: int) -> int:
    shelf = Shelf(size)
    shelf.table[1] = 6
    del shelf.table[2]
    return shelf.table.size


class Part:
    def __init__(self, name: str, needs: Optional[List[str]] = None):
        self.name = name
        self.needs = needs if needs is not None else []
        self.store: Optional[Store] = None
        self.level: Optional[int] = None

    def order(self, seen: List[str]) -> List[str]:
        assert self.store is not None
        for need in self.needs:
            if need not in seen:
                self.store[need].order(seen)
        seen.append(self.name)
        return seen

    def steps(self) -> List[int]:
        if self.level is None:
            self.order([])
        return list(range(self.level))


class Store:
    def __init__(self) -> None:
        self.parts: dict[str, Part] = {}

    def __getitem__(self, name: str) -> Part:
        return self.parts[name]

    def add(self, part: Part) -> None:
        part.store = self
        self.parts[part.name] = part


@program("an attribute tested before a loop whose calls may change it", ("car", 2), ("wheel", None), ("nut", 0))
def tested_before(name: str, level: Optional[int]) -> tuple[list[str], list[int]]:
    store = Store()
    for part in (Part("car", ["wheel", "door"]), Part("wheel", ["nut"]), Part("door", ["nut"]), Part("nut")):
        store.add(part)
    store[name].level = level
    return store[name].order([]), store[name].steps()


of_row("abstract types")


@runtime_checkable
class Named(Protocol):
    name: str


@runtime_checkable
class Closeable(Protocol):
    is_open: bool

    def close(self) -> None: ...


@runtime_checkable
class Measured(Protocol):
    def __len__(self) -> int: ...


class Door:
    is_open = True

    def __init__(self, name: str):
        self.name = name

    def close(self) -> None:
        self.is_open = False


class Wall:
    @property
    def name(self) -> str:
        return "wall"

    def __len__(self) -> int:
        return 7


class Gap:
    is_open = True


def described(thing) -> str:
    if isinstance(thing, Closeable):
        thing.close()
        return f"{thing.is_open}"
    return thing.name if isinstance(thing, Named) else str(len(thing)) if isinstance(thing, Measured) else "?"


@program("isinstance of protocols with attributes", ("a",), ("",))
def by_protocol(name: str) -> list[str]:
    things: list[Union[Door, Wall, Gap]] = [Door(name), Wall(), Gap()]
    named = [thing.name for thing in things if isinstance(thing, Named)]
    flags = [isinstance(things[i], (Closeable, Measured)) for i in range(3)]
    print(flags, isinstance([1], Measured), isinstance(name, Measured), isinstance(len(name), Measured))
    return [*named, described(Door(name)), described(Wall()), described(Gap()), described([1, 2]), described(name)]


of_row("inheritance")


class Column:
    def __init__(self, items: List[int]):
        self.items = items

    def __gt__(self, other: int) -> List[bool]:
        return [item > other for item in self.items]

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, place: int) -> int:
        return self.items[place]

    def __add__(self, other: int) -> Column:
        return Column([item + other for item in self.items])


class Frame:
    def __init__(self, columns: dict[str, Column]):
        self.columns = columns

    def __getitem__(self, key: Union[str, List[bool]]):
        if isinstance(key, str):
            return self.columns[key]
        return Frame({name: Column([item for item, keep in zip(column.items, key) if keep])
                      for name, column in self.columns.items()})


@program("a method that gives one of two classes, only one of which has what is asked", ("a",), ("b",))
def one_of_two(name: str) -> tuple[list[int], list[str]]:
    frame = Frame({"a": Column([1, 2, 3]), "b": Column([4, 5, 6])})
    some, found = frame[frame["a"] > 1], []
    for ask in (lambda: len(some), lambda: some[0], lambda: some + 1, lambda: some > 2, lambda: some.items):
        try:
            found.append(str(ask()))
        except (TypeError, AttributeError) as error:
            found.append(type(error).__name__)
    return [len(frame[name]), frame[name][0], *(frame[name] + 1).items, *some[name].items], found


of_row("try")


class Refused(Exception):
    code = 0

    def __init__(self, order: str, *details: object) -> None:
        super().__init__(order, *details)
        self.order = order
        self.details = details

    def __str__(self) -> str:
        return self.order + str(len(self.details))


class SoldOut(Refused):
    code = 1


class Unpaid(Refused):
    code = 2

    @property
    def is_late(self) -> bool:
        return bool(self.details) and self.details[0] == "late"


@program("exceptions of a base class with star parameters, of which the program makes none", (0,), (1,), (2,))
def never_made(n: int) -> str:
    try:
        if n == 0:
            raise SoldOut("a", n)
        if n == 1:
            raise Unpaid("b", "late", 2)
        return "none"
    except Unpaid as error:
        return f"{error} {error.is_late}"
    except Refused as error:
        return f"{error} {error.code} {type(error).__name__}"

of_row("refinement")

class Sized:
    def __init__(self, v):
        self.v = v

    def size(self):
        return 7

class Weighed:
    def __init__(self):
        self.w = 1

class SizedHolder:
    def __init__(self, inner: Optional[Sized] = None):
        self.inner = inner

    def get(self) -> int:
        return getattr(self.inner, "v", 0) + 1

@program("getattr() with a default: of what may be None", (0,), (1,), (2,))
def defaults_of_absent(k: int):
    x: Optional[Sized] = Sized(k) if k == 1 else None
    y = Sized(k) if k == 1 else Weighed() if k == 2 else None
    size = getattr(y, "size", None)
    found = x and x.v
    return found, getattr(x, "v", -1), hasattr(x, "v"), getattr(y, "v", "d"), getattr(y, "w", 5.5), getattr(
        y, "other", None), size() if size is not None else "no", SizedHolder().get(), SizedHolder(x).get()

class Keyed:
    def __init__(self, v=0, **more):
        self.v = v
        self.more = more

class NeverMade(Keyed):
    def __init__(self, *args, extra=None, **more):
        super().__init__(*args, **more)
        self.extra = extra

@program("attributes of a subclass that is never made are those of its base", (3,))
def read_of_base(n: int) -> List[int]:
    table: Dict[str, Optional[Keyed]] = {"x": Keyed(n, w=1), "y": None}
    return [each.v if each else -1 for each in table.values()]
