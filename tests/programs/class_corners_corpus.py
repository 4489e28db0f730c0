"""What classes say of themselves beyond methods: attributes that go, names made at run time, classes of values, members
and instances with an equality of their own, also where they are of type Any, numbered OSErrors, stacks of managers."""
# ruff: noqa: B009, C419, D105, PERF203, PERF401, PLW1641, SIM105, TRY300, TRY301 - written as users write it

from __future__ import annotations

import contextlib
import copy
import errno
from contextlib import ExitStack
from dataclasses import FrozenInstanceError, dataclass, field
from enum import Enum, IntEnum
from functools import cached_property, singledispatchmethod
from typing import Any, Callable, NamedTuple, Protocol, overload

from language_rows import of_row
from oracle import program

of_row("classes")


class Session:
    limit = 3

    def __init__(self, user: str):
        self.user = user
        self.token = "t-" + user
        self.hits: list[int] = [1]
        self.width = 10
        self.height = 20

    def logout(self):
        del self.token, self.hits

    @property
    def area(self) -> int:
        return self.width * self.height

    @area.setter
    def area(self, value: int):
        self.width, self.height = value, 1

    @property
    def fixed(self) -> int:
        return 1

    @cached_property
    def shout(self):
        return self.user.upper()


class Slotted:
    __slots__ = ("p", "q")

    def __init__(self):
        self.p = 1
        self.q = "q"


@program("attributes deleted, asked for, read and given again", ("ann", 1), ("bob", 0))
def deleted_attributes(user: str, n: int) -> list[str]:
    found = []
    session = Session(user)
    first = session.token
    for i in range(3):
        try:
            found.append(session.token + first)
            if i == n:
                session.logout()
        except AttributeError as error:
            found.append(str(error))
            session.token = "new"
    found += [str(hasattr(session, "hits")), getattr(session, "token", "none"), str(getattr(session, "hits", [0]))]
    slotted = Slotted()
    del slotted.q
    for attempt in ("q", "p"):
        try:
            if attempt == "q":
                del slotted.q
            else:
                del session.fixed
        except AttributeError as error:
            found.append(repr(error))
    return found


@program("delattr, and cached properties that are computed anew", ("x",))
def deleted_by_name(user: str) -> tuple[str, str, str]:
    session = Session(user)
    before = session.shout
    session.user = "other"
    kept = session.shout
    del session.shout
    delattr(session, "token")
    return before, kept, session.shout + str(hasattr(session, "token"))


@program("attributes set by any name, properties among them", ({"width": 3, "height": 4},), ({"area": 7},), ({"user": 1},))
def set_by_any_name(values: dict[str, int]) -> tuple[int, list[int]]:
    session = Session("u")
    for name, value in values.items():
        if hasattr(session, name) and name != "user":
            setattr(session, name, value)
    a, b = "width", "height"
    swapped = getattr(session, a)
    setattr(session, a, getattr(session, b))
    setattr(session, b, swapped)
    return session.area, [getattr(session, name) for name in ("width", "height")]


class Shape:
    sides = 0
    label = "shape"

    @classmethod
    def named(cls) -> str:
        return cls.label.upper()


class Tri(Shape):
    sides = 3
    label = "tri"

    def __init__(self, base: float):
        self.base = base


class Square(Shape):
    sides = 4

    def __init__(self, side: float):
        self.side = side


@program("attributes and class methods of a class found when running", (3,), (4,))
def attributes_of_types(n: int) -> tuple[int, str, str, list[str], list[int]]:
    shape = Tri(3.0) if n == 3 else Square(2.0)
    bases = [each.__name__ for each in Tri.__mro__]
    several: list[Shape] = [shape, Shape(), Square(1.0)]
    return (type(shape).sides, shape.__class__.label, type(shape).named(), [*bases, Square.__bases__[0].__name__],
            [type(each).sides for each in several])


class Visitor:
    def visit_tri(self, shape: Tri) -> str:
        return f"tri {shape.base}"

    def visit_square(self, shape: Square) -> str:
        return f"square {shape.side}"


@program("a visitor chosen by the lower case of the class's name", (0,), (1,), (2,))
def visited_by_name(n: int) -> str:
    shapes: list[Shape] = [Tri(1.0), Square(2.0), Shape()]
    method = "visit_" + type(shapes[n]).__name__.lower()
    return getattr(Visitor(), method)(shapes[n])


class Formatter:
    def __init__(self, digits: int):
        self.digits = digits

    @singledispatchmethod
    def format(self, value):
        return "?"

    @format.register
    def _(self, value: float):
        return f"{value:.{self.digits}f}"

    @format.register(int)
    def _(self, value):
        return f"#{value + self.digits}"


class Copied:
    def __init__(self, x: int):
        self.x = x
        self.copies = 0

    def __copy__(self):
        made = Copied(self.x)
        made.copies = self.copies + 1
        return made


@program("methods chosen by the class of their argument; copies that the class makes", (2, 1.239))
def dispatched_methods(digits: int, value: float) -> tuple[str, str, str, int]:
    formatter = Formatter(digits)
    return formatter.format(value), formatter.format(digits), formatter.format("s"), copy.copy(copy.copy(Copied(1))).copies


of_row("inheritance")


class Base:
    def __init__(self, name: str, **options: int):
        self.name = name
        self.options = options

    def describe(self, prefix: str = "") -> str:
        return prefix + self.name + str(self.options)


class Middle(Base):
    def __init__(self, name, level=1, **options):
        super(Middle, self).__init__(name, **options)
        self.level = level

    def describe(self, prefix=""):
        return super(Middle, self).describe(prefix + f"L{self.level}:")


class Last(Middle):
    def __init__(self, *args, **options):
        super(Last, self).__init__(*args, **options)
        self.is_last = True

    def describe(self, prefix="*"):
        return super(Middle, self).describe(prefix) + Middle.describe(self, "!") + str(vars(self))


@program("super() with its class and its object", (3,))
def told_supers(n: int) -> list[str]:
    return [each.describe() for each in (Base("b", a=n), Middle("m", 2, z=n), Last("l", level=n))]


class HasArea(Protocol):
    def area(self) -> float: ...


class Field:
    def __init__(self, side: float):
        self.side = side

    def area(self) -> float:
        return self.side * 2


def total(shapes: list[HasArea]) -> float:
    whole = 0.0
    for shape in shapes:
        whole += shape.area()
    return whole


@program("functions of containers of a protocol, without elements and with", (2.0,))
def totals(side: float) -> tuple[float, float, float]:
    later = []
    before = total(later)
    later.append(Field(side))
    return total([]), before, total(later) + total([Field(side), Field(1.0)])


of_row("dataclasses")


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list, compare=False)


def moved(point: Point, y: int) -> int:
    if y > 5:
        point.y = y
    if y < 0:
        del point.x
    return point.y


@program("fields of frozen dataclasses assigned and deleted in branches and helpers", (1,), (7,), (-1,))
def frozen_fields(y: int) -> str:
    try:
        return str(moved(Point(1), y))
    except FrozenInstanceError as error:
        return f"{type(error).__name__}: {error}"


@program("errors of frozen dataclasses that reach the caller", (1,), (7,))
def frozen_outside(y: int) -> int:
    return moved(Point(2), y)


@dataclass(frozen=True)
class Sized:
    x: float
    y: float
    norm: float = field(init=False, default=0.0)
    tags: tuple[str, ...] = ()

    def __post_init__(self):
        for name in ("x", "y"):
            object.__setattr__(self, name, abs(getattr(self, name)))
        object.__setattr__(self, "norm", (self.x ** 2 + self.y ** 2) ** 0.5)
        object.__setattr__(self, "tags", tuple(sorted(self.tags)))

    def spoil(self) -> None:
        self.norm = 1.0


@program("frozen dataclasses that object.__setattr__ completes", (3.0,), (-3.0,))
def thawed(x: float) -> tuple[str, bool, int, str]:
    sized = Sized(x, 4.0, ("b", "a"))
    try:
        sized.spoil()
        text = ""
    except FrozenInstanceError as error:
        text = str(error)
    return repr(sized), sized == Sized(-x, -4.0, ("a", "b")), len({sized, Sized(x, 4.0)}), text


def inc(x: int) -> int:
    return x + 1


def dec(x: int) -> int:
    return x - 1


@dataclass
class Job:
    name: str
    work: Callable[[int], int]
    later: list[Callable[[int], int]] = field(default_factory=list)


@program("dataclasses, tuples, lists and dicts that hold functions are compared", (0,), (1,))
def compared_functions(n: int) -> tuple[bool, bool, bool, bool, bool, int]:
    first, second = Job("a", inc), Job("a", inc if n > 0 else dec)
    jobs = [first, second, Job("a", inc, [dec])]
    jobs.remove(second)
    table = {"k": inc}
    return (first == second, first != Job("a", inc, [dec]), [inc, dec] == [inc, dec], table == {"k": dec},
            (1, inc) == (n, second.work), len(jobs))


of_row("enums")


class Level(Enum):
    LOW = 1
    MID = 5
    HIGH = 10

    def __eq__(self, other):
        if isinstance(other, int):
            return self.value == other
        return self is other

    def __hash__(self):
        return hash(self.value)


class Bare(Enum):
    A = 1
    B = 2

    def __eq__(self, other):
        return isinstance(other, Bare) and self.value == other.value


@program("enums with an equality and a hash of their own", (5,), (10,))
def own_equality(n: int) -> tuple[bool, bool, bool, bool, int, dict[str, int], str]:
    level = Level(n)
    table = {Level.LOW: 1, Level.HIGH: 2}
    table[level] = 7
    try:
        text = str(len({Bare.A: n}))
    except TypeError as error:
        text = str(error)
    same = level == n and level != 3 and 5 != Level.LOW
    return (same, n in [level], level in (Level.MID, Level.LOW), [Bare.A] == [Bare(1)], [Level.LOW, level].index(level),
            {key.name: value for key, value in table.items()}, text)


class Priority(IntEnum):
    LOW = 1
    MID = 2
    HIGH = 3


def doubled(level: int) -> int:
    return level * 2


@program("members of an IntEnum where ints are declared", (2,), (3,))
def members_for_ints(n: int) -> tuple[int, list[int], tuple[int, ...], int]:
    def one(flag: bool) -> int:
        return Priority(n) if flag else n

    def several() -> list[int]:
        return [Priority.LOW, Priority(n), n]

    def rest() -> tuple[int, ...]:
        return tuple(each for each in Priority if each >= n)

    return one(True), several(), rest(), doubled(Priority.MID) + sum(several()) + one(False)


class Word(str, Enum):
    A = "a"
    B = "b"


@program("members and what they are equal to as keys of one another", (1, "a"), (3, "b"), (2, "z"))
def equal_keys(n: int, text: str) -> list[str]:
    of_members, of_ints = {Priority.LOW: 5, Priority.HIGH: 6}, {1: "x", 3: "y"}
    of_words = {Word.A: 1, Word.B: 2}
    found = [str(of_members.get(n)), str(of_members.get(n, 0)), str(n in of_members), of_ints[Priority.HIGH]]
    found += [of_ints.get(Priority(n), "?"), str(of_words.get(text, -1))]
    try:
        found.append(of_ints[Priority(n)] + str(of_members[n]) + str(of_words[text]))
    except KeyError as error:
        found.append(repr(error))
    return found


of_row("named tuples")


class Version(NamedTuple):
    major: int
    tag: str = ""

    def __eq__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.major == other.major

    def __hash__(self):
        return hash(self.major)


@program("named tuples with an equality and a hash of their own", (1,), (2,))
def own_versions(n: int) -> tuple[bool, bool, bool, int, dict[int, str], bool]:
    versions = [Version(n, "p"), Version(n, "q"), Version(2, "r")]
    table = {each: each.tag for each in versions}
    first, second = versions[0], versions[1]
    return (first == second, first != second, first == (n, "p"), len(set(versions)),
            {each.major: tag for each, tag in table.items()}, (first, 1) == (second, 1))


of_row("scalars")


class Key:
    def __init__(self, a: int, b: str):
        self.a = a
        self.b = b

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Key) and (self.a, self.b) == (other.a, other.b)

    def __hash__(self):
        return hash((self.a, self.b))


class Unhashed:
    def __eq__(self, other):
        return isinstance(other, Unhashed)


@program("instances with their own hash are keys of type Any", (3,), (0,))
def any_keys(n: int) -> tuple[int, int, bool, int, str]:
    table: dict[Any, int] = {Key(n, "x"): 1, "x": 3}
    table[Key(n, "x")] = 2
    table[n] = 5
    seen: set[Any] = set()
    for i in range(n):
        seen.add(Key(i % 2, "a"))
        seen.add((i % 2, "t"))
    try:
        seen.add(Unhashed())
        text = ""
    except TypeError as error:
        text = str(error)
    return len(table), table[Key(n, "x")], Key(n, "y") in table, len(seen), text


@program("instances of classes with == are values of type Any", (1,), (0,))
def any_equals(n: int) -> tuple[bool, bool, bool, int, list[str]]:
    values: list[Any] = [Key(n, "x"), 3, Key(1, "x"), "s"]
    other: Any = Key(n, "x")
    kinds = ["key" if isinstance(each, Key) else "int" if isinstance(each, int) else "other" for each in values]
    return values[0] == other, values[2] == other, other in values[1:], values.index(other), kinds


@dataclass
class Plain:
    x: int


@program("dataclasses beside values of type Any, which are looked for", ([1, "a", 1, (1, 2)], 1), (["b"], "z"))
def any_beside_dataclasses(values: list[Any], wanted: Any) -> tuple[bool, bool, dict[Any, int]]:
    plain = Plain(len(values))
    copied: list[Any] = [*values, plain]
    counts: dict[Any, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + plain.x
    return wanted in values, Plain(len(values)) in copied, counts


class Shown:
    def __init__(self, x: int):
        self.x = x

    def __repr__(self):
        return f"Shown({self.x})"


class Spoken:
    def __init__(self, name: str):
        self.name = name

    def __str__(self):
        return "S:" + self.name

    def __iter__(self):
        return iter(self.name)


@program("texts of values of type Any that are or hold instances", (5,), (0,))
def any_texts(n: int) -> list[str]:
    values: list[Any] = [
        Shown(n), Plain(n), Spoken("a"), 3, "s", None, [Shown(1), "q", (Plain(2),)], {"k": Shown(2), 1: [2.5]}, (1,)]
    table: dict[Any, Any] = {"a": Shown(n), Shown(1).x: Plain(n)}
    return [*(str(value) for value in values), f"{values[0]} {values[0]!r}", repr(values[6]) + str(table) + repr(table["a"])]


of_row("errors")


class Kind(Enum):
    NUMBER = 1
    END = 2

    def __repr__(self):
        return self.name


class Token(NamedTuple):
    kind: Kind
    text: str


class TokenError(ValueError):
    def __init__(self, token: Token):
        super().__init__("unexpected token")
        self.token = token


@program("texts of named tuples whose members have texts of their own, and notes that may be missing", (1,), (2,))
def shown_tokens(n: int) -> list[str]:
    found = []
    for is_noted in (False, True):
        try:
            raise TokenError(Token(Kind(n), "a"))
        except TokenError as error:
            if is_noted:
                error.add_note("note")
            found += [f"{error.token!r} {error.token} {[error.token]}", *getattr(error, "__notes__", ["none"])]
    try:
        raise ValueError(n)
    except ValueError as error:
        found += getattr(error, "__notes__", [])
    return found


def opened(path: str, found: dict[str, str]) -> str:
    if path not in found:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
    if found[path] == "":
        raise OSError(errno.EACCES, "Permission denied")
    return found[path]


@program("OSErrors by number, text and file name", ("a",), ("b",), ("c",))
def numbered_errors(path: str) -> tuple[str, str]:
    try:
        return opened(path, {"a": "x", "b": ""}), ""
    except PermissionError as error:
        return "refused", f"{error} {error.errno == errno.EACCES} {error.args} {error!r} {error.filename}"
    except OSError as error:
        return type(error).__name__, f"{error.strerror} {error.filename} {error}"


@program("an OSError that reaches the caller", ("a",), ("b",))
def uncaught_numbers(path: str) -> str:
    return opened(path, {"b": ""})


@program("the class of a caught exception in a variable that is read later", (3,), (0,))
def name_of_caught(n: int) -> str:
    name = ""
    try:
        name = str(10 // n)
        if n > 1:
            raise FileExistsError(n)
    except (OSError, ArithmeticError) as error:
        name = type(error).__name__
    return name


@program("whether an exception has notes", (0,), (1,))
def has_notes(n: int) -> tuple[bool, bool]:
    error = ValueError(n)
    before = hasattr(error, "__notes__")
    if n > 0:
        error.add_note("n")
    return before, hasattr(error, "__notes__")


of_row("with")


class Resource:
    def __init__(self, name: str, log: list[str], swallows: bool = False):
        self.name = name
        self.log = log
        self.swallows = swallows

    def __enter__(self):
        self.log.append("open " + self.name)
        return self

    def __exit__(self, kind, error, trace):
        self.log.append("close " + self.name + " " + (kind.__name__ if kind is not None else "-"))
        return self.swallows


class Replacing:
    def __enter__(self) -> int:
        return 5

    def __exit__(self, kind, error, trace):
        if isinstance(error, ValueError):
            raise KeyError("from exit")


def entered(stack: ExitStack, name: str, log: list[str]) -> Resource:
    return stack.enter_context(Resource(name, log))


@program("an ExitStack of managers and callbacks", (["a", "b"],), (["a", "b", "c"],), ([],))
def stacked(names: list[str]) -> list[str]:
    log: list[str] = []
    with contextlib.ExitStack() as stack:
        opened_names = [entered(stack, name, log).name for name in names]
        number = stack.enter_context(Replacing())
        stack.callback(log.append, f"callback {number}")
        stack.callback(lambda: log.append(",".join(opened_names)))
        if len(names) > 2:
            return [*log, "early"]
    return log


@program("an ExitStack that an exception leaves", (0,), (1,), (2,))
def stack_left(kind: int) -> list[str]:
    log: list[str] = []
    try:
        with ExitStack() as stack, Resource("outer", log):
            stack.enter_context(Resource("a", log, kind == 1))
            if kind == 2:
                stack.enter_context(Replacing())
            raise ValueError("v")
    except (ValueError, KeyError) as error:
        log.append("caught " + repr(error))
    with ExitStack() as stack:
        stack.enter_context(Resource("kept", log))
        kept = stack.pop_all()
    log.append("before")
    kept.close()
    return log


@contextlib.contextmanager
def section(log: list[str], name: str, swallows: bool = False):
    log.append("<" + name)
    try:
        yield name.upper()
    except KeyError as error:
        log.append("caught " + str(error))
        if not swallows:
            raise
    finally:
        log.append(name + ">")


class Owner:
    def __init__(self):
        self.depth = 0

    @contextlib.contextmanager
    def deeper(self):
        self.depth += 1
        yield self.depth
        self.depth -= 1


@program("an ExitStack of managers that generator functions make", (0,), (1,), (2,), (3,))
def stacked_sections(kind: int) -> list[str]:
    log: list[str] = []
    owner = Owner()
    try:
        with ExitStack() as stack:
            log += [stack.enter_context(section(log, name, kind == 1 and name == "b")) for name in ("a", "b", "c")]
            log.append(str([stack.enter_context(owner.deeper()) for _ in range(2)]))
            if kind == 2:
                raise ValueError("v")
            if kind < 2:
                raise KeyError("k")
    except (ValueError, KeyError) as error:
        log.append(repr(error))
    return [*log, str(owner.depth)]


of_row("instances outside")


@program("an instance of the caller's loses attributes", (Session("s"),))
def loses(session: Session) -> str:
    session.logout()
    return session.user


of_row("classes")


class Run:
    def __init__(self, items: list[int]) -> None:
        self.items = items

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> "Run": ...
    def __getitem__(self, at: "int | slice") -> "int | Run":
        if isinstance(at, slice):
            return Run(self.items[at])
        return self.items[at]


@overload
def turned(x: int) -> str: ...
@overload
def turned(x: str) -> int: ...
def turned(x: "int | str") -> "int | str":
    return str(x) if isinstance(x, int) else int(x)


@program("typing.overload says what a call gives", ([3, 4, 5], 7))
def overloaded(v: list[int], n: int) -> str:
    run = Run(v)
    return f"{run[0] + 1} {run[1:].items} {run[:2][1] * 2} {turned(n) + '!'} {turned('12') + n}"


class Meter:
    def __init__(self, n: int) -> None:
        self.n = n

    def __add__(self, other):
        return Meter(self.n + other.n) if isinstance(other, Meter) else NotImplemented

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.n < other.n if isinstance(other, Meter) else NotImplemented


@program("operators that give NotImplemented in one arm of a choice", (1,), (4,))
def choosing_not(n: int) -> list[str]:
    found = [str(sum([Meter(1), Meter(n)]).n), str(Meter(2) < Meter(n))]
    for k in range(2):
        try:
            found.append(str(Meter(n) + 1 if k else Meter(n) < 2))
        except TypeError as error:
            found.append(str(error))
    return found


def noted(log: list[str], n: int) -> int:
    log.append(f"n{n}")
    return n


def summed(a: int, b: int = 1) -> int:
    return a + b


class Nothing:
    pass


@program("calls with wrong arguments raise inside a try", (1,))
def caught_calls(n: int) -> list[str]:
    log: list[str] = []
    try:
        summed()
    except TypeError as error:
        log.append(str(error))
    try:
        summed(noted(log, 1), noted(log, n), noted(log, 3))
    except TypeError as error:
        log.append(str(error))
    try:
        Nothing(noted(log, 5))
    except TypeError as error:
        log.append(str(error))
    try:
        Meter()
    except TypeError as error:
        log.append(str(error))
    try:
        len(n)
    except TypeError as error:
        log.append(str(error))
    return log


class Animal:
    def __init__(self, n: int) -> None:
        self.n = n


class Bird(Animal):
    pass


@program("instances of the class that another has", ([1, 2],), ([],))
def again(v: list[int]) -> list[str]:
    kept: list[Animal] = [Bird(k) if k % 2 else Animal(k) for k in v]
    return [f"{type(each)(each.n + 5).n} {type(type(each)(1)).__name__}" for each in kept]


class Tinted:
    colour = "red"
    level = 0


class Blue(Tinted):
    colour = "blue"


@program("deleting an attribute shows the class's value again", (3,), (0,))
def deleted_again(k: int) -> list[str]:
    a, b = Tinted(), Blue()
    a.colour, b.colour = "green", "black"
    if k:
        a.level = k
    found = [a.colour, b.colour, str(a.level)]
    del a.colour, b.colour
    found += [a.colour, b.colour, str(hasattr(a, "colour"))]
    for name in ("colour", "level"):
        try:
            if name == "colour":
                del a.colour
            else:
                del a.level
        except AttributeError as error:
            found.append(str(error))
    return [*found, str(a.level)]


class EqualToAll:
    def __eq__(self, other: object) -> bool:
        return True


@program("instances, lists and dicts that cannot be keys", (1,))
def unhashed(n: int) -> list[str]:
    found: list[str] = []
    try:
        found.append(str({EqualToAll(): n}))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str({EqualToAll(), EqualToAll()}))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str({[n]: 1}))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str(hash({n: 1})))
    except TypeError as error:
        found.append(str(error))
    return found


class Place(NamedTuple):
    x: int
    y: float


class Pick(IntEnum):
    ONE = 1
    TWO = 2

    @classmethod
    def all(cls, names: str) -> "list[Pick]":
        found = (cls[name.upper()] for name in names.split(",") if name)
        return list(map(lambda each: cls[each.name], found))


class Third:
    def __index__(self) -> int:
        return 2


@program("columns of named tuples, members by names in generators, ranges by an instance", ("one,two",), ("",))
def columns_of_places(names: str) -> str:
    places = [Place(k, k / 2) for k in range(3)]
    xs, ys = zip(*places)
    return f"{xs} {ys} {[c for c in zip(*places)]} {Pick.all(names)} {range(5, 9)[Third()]}"


class Disc:
    def __init__(self, r: float) -> None:
        self.r = r


class Tile:
    def __init__(self, a: float) -> None:
        self.a = a


class Blank:
    pass


AREAS: dict[type, Callable[..., float]] = {Disc: lambda c: 3 * c.r ** 2, Tile: lambda s: s.a * s.a}
LETTERS = {Disc: "d", Tile: "t"}


@program("classes of values are looked for among classes", (2.0,))
def by_class(k: float) -> list[str]:
    found: list[str] = []
    for each in (Disc(k), Tile(k), Blank()):
        area = AREAS.get(type(each))
        found.append("none" if area is None else str(area(each)))
        found.append(f"{LETTERS.get(type(each), '?')} {type(each) in LETTERS}")
        try:
            found.append(LETTERS[type(each)])
        except KeyError:
            found.append("no key")
    return found


@program("named tuples with wrong arguments, and their fields assigned, inside a try", (1,))
def wrong_places(n: int) -> list[str]:
    found: list[str] = []
    for k in range(5):
        try:
            if k == 0:
                Place(n)
            if k == 1:
                Place(1, 2, n)
            if k == 2:
                Place(1, z=3)
            if k == 3:
                Place(1, 2.0, x=2)
            place = Place(n, 2.0)
            place.x = 5
        except (TypeError, AttributeError) as error:
            found.append(str(error))
    return [*found, str(hash(Pick.TWO) == hash(2))]


class Passing:
    def __init__(self, *kinds: type[Exception]) -> None:
        self.kinds = kinds
        self.count = 0

    def __enter__(self) -> "Passing":
        return self

    def __exit__(self, kind, value, trace) -> bool:
        if kind is not None and issubclass(kind, self.kinds):
            self.count += 1
            return True
        return False


@program("a manager that swallows the classes it was made with", (2,), (5,))
def swallowing(n: int) -> str:
    passing = Passing(ValueError, LookupError)
    try:
        for k in range(n):
            with passing:
                if k == 0:
                    raise ValueError("v")
                if k == 1:
                    [].pop()
                if k == 3:
                    1 // 0
    except ZeroDivisionError:
        return f"out {passing.count}"
    return str(passing.count)
