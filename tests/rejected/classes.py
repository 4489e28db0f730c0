"""Classes, enums and named tuples used in ways that scripts cannot take."""
# ruff: noqa
from language_rows import of_row
import enum
import functools
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple, Optional, Protocol


class Point:
    def __init__(self, x: int, y: int = 2) -> None:
        self.x = x
        self.y = y
        self.ratio = 0.5
        self.link = None

    def norm(self) -> int:
        return self.x * self.x

    @property
    def total(self) -> int:
        return self.x + self.y


class Slippery:
    def __getattr__(self, name):
        return 1


class Dying:
    def __del__(self):
        pass


class Meta(type):
    pass


class Made(metaclass=Meta):
    pass


class Left:
    pass


class Right:
    pass


class Both(Left, Right):
    pass


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...


class Sized(Protocol):
    def size(self) -> int: ...


@dataclass(frozen=True)
class Frozen:
    a: int


class Color(enum.Enum):
    RED = 1


class Mixed(enum.Enum):
    A = 1
    B = range(3)


class Mask(enum.Flag):
    A = 1

    @classmethod
    def _missing_(cls, value):
        return cls.A


class Pair(NamedTuple):
    left: int


of_row("classes")


def missing_argument() -> int:
    return Point().x  # error 12: __init__() missing 1 required positional argument: 'x'


def wrong_argument() -> int:
    return Point("a").x  # error 18: argument 'x' of '__init__' must be int, got str


def unknown_attribute(p: Point) -> int:
    return p.z  # error 12: 'Point' has no attribute 'z'


OUTSIDE = Point(1, 2)
CORNERS = {"low": OUTSIDE}


def changed_outside(n: int) -> int:
    OUTSIDE.x = n  # error 5: a script cannot change an instance of 'Point' outside the function: it is read once, when the script is compiled
    return n


def returned_outside() -> Point:
    return CORNERS["low"]  # error 5: a script cannot return a dict outside the function: it is read once, when the script is compiled


class Hooked:
    def __init__(self, hook):
        self.hook = hook


HOOK = Hooked(abs)
HOOKS = [HOOK]


def told_apart() -> bool:
    return HOOK is HOOKS[0]  # error 12: a script cannot tell the identity of an instance of 'Hooked' outside the function: it is read once, when the script is compiled


def looked_for() -> bool:
    return HOOK in HOOKS  # error 20: a script cannot tell the identity of a list outside the function: it is read once, when the script is compiled


def changed_where_told_apart(n: int) -> int:
    found = OUTSIDE if n > 0 else Point(n, n)
    if found is OUTSIDE:
        found.x = n  # error 9: a script cannot change an instance of 'Point' outside the function: it is read once, when the script is compiled
    return found.x


def returned_where_told_apart(n: int) -> Point:
    found = CORNERS["low"]
    if found is OUTSIDE:
        return found  # error 9: a script cannot return a dict outside the function: it is read once, when the script is compiled
    return Point(n, n)


class Slotted:
    __slots__ = ("own",)
    shared = 1

    def __init__(self) -> None:
        self.own = 0


def beside_slots(n: int) -> int:
    slotted = Slotted()
    slotted.shared = n  # error 5: 'Slotted' has no attribute 'shared'
    return slotted.own


class Declared:
    level: int = 1


def against_declaration(n: int) -> int:
    declared = Declared()
    declared.level = "x"  # error 22: attribute 'level' must be int, got str
    return n


def endless_types(p: Point) -> None:
    p.link = [p.link]  # error 5: the types that attribute 'link' is assigned grow without end


def either_type(p: Point, is_text: bool) -> float:
    if is_text:
        p.ratio = "a"
    return p.ratio - "b"  # error 12: unsupported operand types for -: Union[float, str] and str


def no_setter(p: Point) -> None:
    p.total = 3  # error 5: property 'total' has no setter


def no_operator(p: Point) -> bool:
    return p < p  # error 12: '<' is not supported between rejected_classes.Point and rejected_classes.Point


def no_sum(p: Point) -> int:
    return (p + 1).x  # error 13: unsupported operand types for +: rejected_classes.Point and int


def no_length(p: Point) -> int:
    return len(p)  # error 16: rejected_classes.Point has no len()


def no_items(p: Point) -> int:
    return p[0]  # error 12: rejected_classes.Point cannot be indexed


def no_loop(p: Point) -> int:
    for item in p:  # error 17: rejected_classes.Point is not iterable here
        return 1
    return 0


def not_callable(p: Point) -> int:
    return p(1)  # error 12: rejected_classes.Point has no method '__call__'


def no_hash(p: Point) -> int:
    return hash(p)  # error 12: the hash of an instance without __hash__ is its address


def slippery() -> int:
    return Slippery().x  # error 12: 'Slippery' cannot be used in scripts: '__getattr__' is not supported: attributes are not made up when they are read; write a method


def dying() -> None:
    d = Dying()  # error 9: 'Dying' cannot be used in scripts: '__del__' is not supported: when an instance ends is not defined; write a method and call it


of_row("inheritance")


def metaclass() -> None:
    m = Made()  # error 9: 'Made' cannot be used in scripts: the metaclass 'Meta' is not supported


def abstract() -> float:
    return Shape().area()  # error 12: 'Shape' is abstract: it does not define area


of_row("dataclasses")


def unimplemented(s: Shape) -> float:  # error 22: 'Shape' is abstract and no class implements it
    return s.area()


of_row("abstract types")


def protocol_at_entry(s: Sized) -> int:  # error 26: 's' of an entry point must have a class for its type, so that calls can be checked
    return s.size()


of_row("dataclasses")


def frozen(f: Frozen) -> None:
    f.a = 3  # error 5: cannot assign to field 'a': 'Frozen' is frozen


of_row("enums")


def mixed_enum() -> bool:
    return Mixed.A == Mixed.B  # error 12: the values of the enum 'Mixed' must be numbers, texts, None, functions, instances of classes or containers of these; that of B is a range


def flags() -> bool:
    return Mask.A == Mask.A  # error 12: the flags 'Mask' are not supported: scripts know flags of bits only, without __init__ and _missing_


def no_member() -> Color:
    return Color.BLUE  # error 12: 'Color' has no attribute 'BLUE'


of_row("classes")


def name_of_type() -> Color:
    return Color[1]  # error 18: a member is looked up by its name, a str, not int


of_row("named tuples")


def no_field(p: Pair) -> int:
    return p.right  # error 12: 'Pair' has no attribute 'right' in scripts


def fixed_field(p: Pair) -> None:
    p.left = 3  # error 5: attribute 'left' of Pair cannot be assigned


def unknown_field(p: Pair) -> Pair:
    return p._replace(right=1)  # error 23: 'Pair' has no field 'right'


of_row("refinement")


def maybe_none(p: Optional[list[Point]]) -> None:
    p.append(Point(1))  # error 5: Optional[list[rejected_classes.Point]] may be None here and has no attribute 'append'


class Rank:
    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rank) and self.x == other.x

    def __lt__(self, other: "Rank") -> bool:
        return self.x > other.x


of_row("classes")


of_row("named tuples")


class Vector(NamedTuple):
    x: int

    def __iter__(self):
        return iter([self.x])


def special_of_named_tuple(x: int) -> int:
    return Vector(x).x  # error 12: 'Vector' has its own __iter__, which is not supported; give it another name


of_row("enums")


class Worded(enum.Enum):
    A = 1

    def __round__(self) -> int:
        return 1


def special_of_enum(x: int) -> bool:
    return Worded(x) == 1  # error 12: 'Worded' has its own __round__, which is not supported; give it another name


class Asked(enum.Enum):
    A = 1

    @classmethod
    def _missing_(cls, value: int) -> int:
        return value

    def __add__(self, other: "Asked") -> int:
        return 1


def missing_of_enum(x: int) -> Asked:
    return Asked(x)  # error 12: _missing_ of 'Asked' must return a member or None, not int


def operand_of_enum(x: Asked) -> int:
    return x - x  # error 12: unsupported operand types for -: Asked and Asked


class Cached:
    def __init__(self, x: int) -> None:
        self.x = x

    @functools.cached_property
    def double(self):
        return self.x * 2


def cached_without_type(x: int) -> int:
    return Cached.double  # error 12: the cached property 'double' needs an instance that can keep its value


class Unindexed:
    def __init__(self, x: int) -> None:
        self.x = x

    def __index__(self) -> str:
        return "x"


def index_of_text(xs: list[int]) -> int:
    return xs[Unindexed(1)]  # error 15: __index__ returned non-int (type str)


def reversed_without_method(x: int) -> int:
    return sum(i for i in reversed(Cached(x)))  # error 27: rejected_classes.Cached is not iterable here


def namespace_outside(p: Point) -> str:
    return str(vars(p))  # error 16: an instance of 'Point' from outside may have attributes that the program does not know of


def namespace_kept() -> int:
    names = vars(Point(1))  # error 13: the attributes of an instance change with it, and cannot be kept or changed here
    return len(names)


def tried_attribute(p: Point) -> str:
    try:
        return str(p.z)  # error 20: 'Point' has no attribute 'z'
    except AttributeError:
        return ""


class Positive:
    def __set_name__(self, owner: type, name: str) -> None:
        self.name = "_" + name

    def __get__(self, instance: object, owner: type) -> int:
        return 1


class Described:
    size = Positive()


def descriptor(x: int) -> int:
    return Described().size  # error 12: 'Described' cannot be used in scripts: attribute 'size' is a descriptor of a class of its own; write a property


def deleted_field(f: Point) -> None:
    del f.nothing  # error 9: 'Point' has no attribute 'nothing'


of_row("classes")


class Both:
    count = 0

    def bump(self) -> int:
        self.count += 1
        return self.count


def both_have_it(n: int) -> int:
    Both.count = n  # error 5: 'count' is an attribute of 'Both' and of its instances
    return Both().bump()


class Restarting:
    def __init__(self, n: int) -> None:
        self.n = n
        self.at = 0

    def __iter__(self) -> "Restarting":
        self.at = 0
        return self

    def __next__(self) -> int:
        if self.at >= self.n:
            raise StopIteration
        self.at += 1
        return self.at


def rest_of_restarting(n: int) -> int:
    first, *rest = Restarting(n)  # error 5: the rest of an unpacked iterator is asked of its __iter__ again, which does more than to return self
    return len(rest)


of_row("classes")


def one_error_of_attributes(n: int) -> int:
    class Cascade:
        def __init__(self, n: int) -> None:
            self.first = missing_function(n)  # error 26: name 'missing_function' is not defined
            self.second = self.first + 1
            self.third, self.fourth = self.second, n

    made = Cascade(n)
    return made.first + made.second + made.third + made.fourth


of_row("overflow")


class Least:
    @staticmethod
    def of(n: int, most: int = 1 << 63) -> int:
        return min(n, most)


def large_default(n: int) -> int:
    return Least.of(n)  # error 12: argument 'most' of 'of' must be int, got 9223372036854775808, which does not fit 64 bits
