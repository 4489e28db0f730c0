"""Exception classes with methods, texts and attributes of their own; causes, notes, arguments of every kind."""
# ruff: noqa
from __future__ import annotations

import enum
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any, Dict, List, Optional, Tuple, Union

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor

of_row("raise")


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


class Spoken(Exception):
    def __init__(self, code: int) -> None:
        self.code = code

    def __str__(self) -> str:
        return f"code {self.code}"


class Shown(ValueError):
    def __repr__(self) -> str:
        return f"Shown<{len(self.args)}>"


class Loud(Spoken):
    def __str__(self) -> str:
        return super().__str__().upper() + "!"


class AppError(Exception):
    """Chained constructors, a class constant, a property and methods."""

    status = 500

    def __init__(self, message: str, level: Level = Level.LOW) -> None:
        super().__init__(message)
        self.message = message
        self.level = level
        self.trail: List[str] = []

    @property
    def is_high(self) -> bool:
        return self.level == Level.HIGH

    def visit(self, place: str) -> "AppError":
        self.trail.append(place)
        return self

    def describe(self) -> str:
        return f"{self.status} {self.message}"

    @classmethod
    def of(cls, n: int) -> "AppError":
        return cls("number " + str(n))

    @staticmethod
    def limit() -> int:
        return 3


class NotFound(AppError):
    status = 404

    def __init__(self, name: str, *where: int) -> None:
        super().__init__(f"{name} not found", Level.HIGH)
        self.name = name
        self.where = len(where)

    def describe(self) -> str:
        return "missing: " + super().describe()


class Branched(Exception):
    def __init__(self, code: int) -> None:
        if code > 10:
            self.kind = "high"
        else:
            self.kind = "low"
        super().__init__(self.kind, code)


class Spread(Exception):
    def __init__(self, *parts: int) -> None:
        super().__init__(*parts)
        self.count = len(parts)


class Coded:
    code = 7

    def twice(self) -> int:
        return self.code * 2


class Mixed(Coded, ValueError):
    pass


class Defaulted(Exception):
    def __init__(self, message: str = "by default", *, code: int = 1) -> None:
        Exception.__init__(self, message)
        self.code = code


class Invalid(Exception):
    def __init__(self, errors: List[str]) -> None:
        self.errors = errors
        super().__init__("; ".join(errors))


class Plain(Exception):
    def __init__(self, message, code=None):
        super().__init__(message)
        self.message = message
        self.code = code


class Fields(Exception):
    def __init__(self, code, name):
        self.code = code
        self.name = name

    def __str__(self):
        return f"{self.name}={self.code}"


def fail(name: str) -> None:
    if name:
        raise NotFound(name, 1, 2)
    raise AppError("app")


@program("an exception class with __str__, caught by itself", (3,))
def own_text(code: int) -> List[str]:
    try:
        raise Spoken(code)
    except Spoken as e:
        return [str(e), repr(e), f"{e}|{e!r}", "%s" % e, str(e.args)]


@program("__str__ of an exception caught by a base class, printed", (3,), (0,), (-1,))
def text_by_base(code: int) -> str:
    try:
        if code > 0:
            raise Spoken(code)
        if code == 0:
            raise Loud(code)
        raise ValueError("plain")
    except Exception as e:
        print("failed:", e)
        return f"{type(e).__name__}: {e}"


@program("__repr__ of an exception, alone and in containers", (1,), (0,))
def own_repr(n: int) -> Tuple[str, str, str]:
    found: List[Exception] = [ValueError("v")]
    try:
        raise Shown(n, "a") if n else Shown()
    except Shown as e:
        found.append(e)
        return repr(e), str(e), str(found) + repr({"e": found[1]})


@program("a chain of constructors, methods that are virtual", ("f",), ("",))
def chained(name: str) -> str:
    try:
        fail(name)
    except NotFound as e:
        return f"{e.describe()} {e.name} {e.where} {e.level.name} {e.is_high} {e} {e.args}"
    except AppError as e:
        return f"{e.describe()} {e.level.name} {e.is_high} {e}"
    return "none"


@program("what a base class gives, whatever the class", ("f",), ("",))
def by_base(name: str) -> Tuple[int, str, bool, str]:
    try:
        fail(name)
    except AppError as e:
        return e.status, e.describe(), isinstance(e, NotFound), type(e).__name__
    return 0, "", False, ""


@program("attributes of an exception are changed and kept when it is raised again", (2,))
def changed_on_its_way(n: int) -> Tuple[List[str], str]:
    try:
        try:
            raise AppError("x" * n)
        except AppError as e:
            e.visit("inner").visit("more")
            e.message += "!"
            raise
    except AppError as e:
        return e.trail, e.message


@program("an exception that makes itself: class and static methods", (0,), (5,))
def factories(n: int) -> str:
    try:
        if n > AppError.limit():
            raise NotFound.of(n)
        raise AppError.of(n)
    except AppError as e:
        return f"{type(e).__name__} {e}"


@program("attributes assigned in branches", (1,), (11,))
def branched(n: int) -> str:
    try:
        raise Branched(n)
    except Branched as e:
        return e.kind + str(e) + repr(e)


@program("a constructor of any number of arguments", (1,))
def spread(n: int) -> str:
    try:
        raise Spread(n, n + 1, 7)
    except Spread as e:
        return f"{e.count} {e.args} {e}"


@program("an exception class with a mixin", (1,))
def mixed(n: int) -> Tuple[int, str]:
    try:
        raise Mixed("a", n)
    except ValueError as e:
        text = repr(e)
        if isinstance(e, Mixed):
            return e.twice() + e.code, text
    return 0, ""


@program("a class raised without a call takes its defaults; keywords are no arguments", (0,), (1,))
def defaulted(n: int) -> str:
    try:
        if n:
            raise Defaulted
        raise Defaulted("own", code=n)
    except Defaulted as e:
        return f"{e!r} {e.code} {e.args}"


@program("constructors without annotations", (0,), (1,))
def plain_constructors(n: int) -> Tuple[str, int]:
    try:
        if n:
            raise Plain("m", n)
        raise Fields(n, "v")
    except Plain as e:
        return f"{e.message} {e}", e.code
    except Fields as e:
        return str(e), e.code


@program("a list as attribute is the caller's own", ({"a": 1, "b": -1, "c": -2},), ({},))
def collected(d: Dict[str, int]) -> Tuple[str, List[str]]:
    errors: List[str] = []
    for key, value in d.items():
        if value < 0:
            errors.append(f"{key} is negative")
    try:
        if errors:
            raise Invalid(errors)
    except Invalid as e:
        e.errors.append("and more")
        return str(e), errors
    return "ok", errors


@program("instances in annotated lists, dicts and results", ([1, -1, 2, -3],))
def kept(xs: List[int]) -> Tuple[List[str], int, str]:
    found: List[Spoken] = []
    last: Optional[Spoken] = None
    table: Dict[int, Exception] = {}
    for i, x in enumerate(xs):
        try:
            if x < 0:
                raise Loud(i) if i > 1 else Spoken(i)
        except Spoken as e:
            found.append(e)
            last = e
            table[i] = e
    assert last is not None
    return [f"{e.code}:{e}" for e in found], last.code, str(sorted(table)) + str(table[3])


@program("attributes of what was not raised yet", (4,))
def not_raised(n: int) -> Tuple[int, str]:
    e = Spoken(n)
    e.code += 1
    other: Exception = e
    return e.code, str(other)


@program("an exception of a user's class or of any other", (0,), (1,), (2,))
def of_any(n: int) -> str:
    error: Exception = ValueError("v")
    if n == 1:
        error = Spoken(n)
    elif n == 2:
        error = Shown("s")
    if isinstance(error, Spoken):
        return f"spoken {error.code}"
    return f"{error!r} {isinstance(error, (Shown, KeyError))}"


@program("user exceptions end the program", (0,), (1,), (2,), (3,))
def escapes(n: int) -> int:
    if n == 0:
        raise NotFound("x", n)
    if n == 1:
        raise Invalid(["a", "b"])
    if n == 2:
        raise Spoken(n)
    raise Mixed({"k": [n]}, (n, "t"))


@program("lists, dicts and exceptions as arguments", ([1, 2], "x"), ([], "1"))
def arguments(xs: List[int], s: str) -> str:
    made = ValueError("bad", xs, {"k": xs})
    xs.append(9)
    try:
        try:
            int(s)
        except ValueError as e:
            raise RuntimeError(e)
        raise made
    except RuntimeError as e:
        return f"{e} {e!r}"
    except ValueError as e:
        return f"{e} {e!r} {len(e.args)}"


@program("arguments of every kind leave the program", ([1, 2],))
def arguments_escape(xs: List[int]) -> int:
    raise KeyError("bad", xs, {"k": (1, None)}, ValueError("inner"), 2.5)


@program("the only argument is a list, or a dict of a KeyError", ([3],), ([],))
def only_argument(xs: List[int]) -> Tuple[str, str]:
    a, b = ValueError(xs), KeyError({"a": xs})
    xs.append(1)
    return str(a) + repr(a), str(b) + repr(b)


of_row("try")


@program("raise from, and reading the cause", (0,), (2,))
def cause(x: int) -> str:
    try:
        try:
            return str(10 // x)
        except ZeroDivisionError as e:
            raise ValueError("bad") from e
    except ValueError as e:
        why = e.__cause__
        return f"{e} / {why!r} / {type(why).__name__} {e.__suppress_context__}"


@program("a chain of causes walked to its end", (0,), (1,))
def chain_of_causes(x: int) -> List[str]:
    try:
        try:
            try:
                1 // x
            except ZeroDivisionError as e:
                raise Spoken(3) from e
        except Spoken as e:
            raise ValueError("v") from e
    except ValueError as e:
        found: List[str] = []
        here: Optional[BaseException] = e
        while here is not None:
            found.append(str(here))
            here = here.__cause__
        return found
    return []


@program("a cause that may be None", (0,), (1,), (4,))
def last_cause(tries: int) -> int:
    error: Optional[Exception] = None
    for i in range(tries):
        try:
            if i < 3:
                raise RuntimeError(f"attempt {i}")
            return i
        except RuntimeError as e:
            error = e
    raise ValueError("gave up") from error


@program("raise from None, and of a user's class from another", (0,), (1,))
def causes_of_instances(n: int) -> Tuple[bool, bool, str]:
    try:
        try:
            raise Spoken(n)
        except Spoken as e:
            if n:
                raise NotFound("x") from None
            raise NotFound("y") from e
    except NotFound as e:
        return e.__cause__ is None, e.__suppress_context__, repr(e.__cause__)


@program("notes are added on the way, and read", (0,), (1,))
def notes(x: int) -> List[str]:
    try:
        try:
            if x:
                raise Spoken(x)
            1 // x
        except Exception as e:
            e.add_note("first")
            e.add_note(f"second {x}")
            raise
    except ZeroDivisionError as e:
        return e.__notes__
    except Spoken as e:
        e.add_note("third")
        return e.__notes__
    return []


@program("notes that were never added", (0,))
def no_notes(x: int) -> str:
    try:
        try:
            1 // x
        except ZeroDivisionError as e:
            return str(e.__notes__)
    except AttributeError as e:
        return str(e)
    return "none"


NUMERIC = (ValueError, OverflowError)
LOOKUPS = (*NUMERIC, KeyError)


@program("a constant tuple of classes, and one spread in a tuple", ("1",), ("b",), ("c",))
def constant_classes(s: str) -> str:
    try:
        try:
            return str(int(s) + {"a": 1, "1": 2}[s])
        except NUMERIC as e:
            if s == "c":
                raise KeyError(s)
            return "number " + str(isinstance(e, LOOKUPS))
    except (*NUMERIC, KeyError) as e:
        return type(e).__name__


@program("type(e) compared with classes", (0,), (1,), (2,), (3,))
def exact_class(n: int) -> List[bool]:
    try:
        if n == 1:
            raise Loud(n)
        if n == 2:
            raise Spoken(n)
        if n == 3:
            raise KeyError(n)
        1 // n
    except Exception as e:
        return [type(e) is ZeroDivisionError, type(e) is Spoken, type(e) == Loud, type(e) is not LookupError]
    return []


@program("exceptions are equal to themselves only", (1,))
def identity(n: int) -> List[bool]:
    a, b = ValueError("a"), ValueError("a")
    c = Spoken(n)
    d: Exception = c
    found = [a == b, a == a, a != b, a is b, a in [b], a in [b, a], d == c, d is c, c in [d], a == c]
    try:
        raise c
    except Spoken as e:
        found += [e is c, e == d]
    try:
        raise a
    except ValueError as e:
        found += [e is a, e is not b]
    return found


@program("a union with an exception is told apart", ("1",), ("b",), ("",))
def union_result(s: str) -> str:
    found = parsed(s)
    if isinstance(found, ValueError):
        return "value " + str(found)
    if isinstance(found, Exception):
        return "other " + repr(found)
    return str(found + 1)


def parsed(s: str) -> Union[int, Exception]:
    if not s:
        return Shown("empty") if s else LookupError(s)
    try:
        return int(s)
    except ValueError as e:
        return e


@dataclass(frozen=True)
class Fixed:
    x: int


of_row("dataclasses")


@program("a field of a frozen dataclass is assigned in a try", (0,), (1,))
def frozen_field(x: int) -> str:
    p = Fixed(x)
    try:
        if x:
            p.x = x + 1
        return f"kept {p.x}"
    except FrozenInstanceError as e:
        return f"{type(e).__name__}: {e} {isinstance(e, AttributeError)}"


of_row("with")


class Journal:
    def __init__(self, log: List[str]) -> None:
        self.log = log

    def __enter__(self) -> "Journal":
        self.log.append("in")
        return self

    def __exit__(self, kind, error, trace) -> bool:
        self.log.append("out" if kind is None else f"{kind.__name__}: {error}")
        return kind is KeyError or (kind is not None and issubclass(kind, (ArithmeticError, Spoken)))


@program("__exit__ asks for the class", (0,), (1,), (2,), (3,), (4,))
def class_in_exit(n: int) -> List[str]:
    log: List[str] = []
    try:
        with Journal(log):
            if n == 0:
                raise KeyError("k")
            if n == 1:
                raise IndexError("i")
            if n == 2:
                raise Loud(n)
            log.append(str(6 // (n - 3)))
    except LookupError as e:
        log.append("caught " + str(e))
    return log


of_row("generators")


def counted(n: int):
    for i in range(n):
        yield i
    return n * 10


@program("the value of StopIteration", (0,), (2,))
def stop_value(n: int) -> int:
    g = counted(n)
    while True:
        try:
            print(next(g))
        except StopIteration as e:
            return e.value


def stopping(x: int):
    yield 1
    if x:
        raise StopIteration("inner")
    yield 2


@program("a generator that raises StopIteration: the cause", (1,), (0,))
def stop_escapes(x: int) -> str:
    try:
        return str(list(stopping(x)))
    except RuntimeError as e:
        return f"{e} {e.__cause__!r}"


@dataclass
class LineError(Exception):
    line: int
    message: str = "oops"
    marks: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class CodeError(ValueError):
    code: int


@dataclass
class TextError(Exception):
    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(eq=False)
class DeepError(TextError):
    depth: int = 0

    def __post_init__(self) -> None:
        Exception.__init__(self, self.message)


class Same(Exception):
    def __init__(self, code: int) -> None:
        self.code = code

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.code == other.code

    def __hash__(self) -> int:
        return hash(self.code)


class Word:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"Word({self.text})"


class AtWord(Exception):
    def __init__(self, message: str, word: Word) -> None:
        super().__init__(f"{message}: {word!r}")
        self.word = word


class Layered(Exception):
    def __init__(self, message: str, inner: Optional[Exception] = None) -> None:
        super().__init__(message)
        self.inner = inner

    def __str__(self) -> str:
        return "<" + super().__str__() + ">"


class Computed(Exception):
    def __init__(self, f) -> None:
        self.value = f(3)
        super().__init__(self.value)


@program("dataclasses that are exceptions: fields, texts, equality, args", (0,), (1,), (2,), (3,), (4,), (5,), (6,))
def data_exceptions(k: int) -> List[str]:
    try:
        if k == 0:
            raise LineError(k, "no =")
        if k == 1:
            raise LineError(line=k, message="kw")
        if k == 2:
            raise CodeError(k)
        if k == 3:
            raise TextError(3, "t")
        if k == 4:
            raise DeepError(4, "d", 5)
        if k == 5:
            raise TextError(line=5, message="x") from LineError(1)
    except LineError as e:
        e.marks.append("n")
        return [str(e), repr(e), str(e.args), str(e.line), str(e == LineError(k, "no =", ["n"])), str(e != LineError(9))]
    except CodeError as e:
        return [str(e), repr(e), str(e.args), str(e == CodeError(2)), str(e == CodeError(3))]
    except TextError as e:
        found = [str(e), repr(e), str(e.args), f"{e}", str(e.__cause__), repr(e.__cause__)]
        return found + [str(e.depth)] if isinstance(e, DeepError) else found
    return []


@program("an exception class with an equality and a hash of its own", (1, 1), (1, 2))
def own_equality(a: int, b: int) -> List[bool]:
    x, y = Same(a), Same(b)
    out = [x == y, x != y, x == x, hash(x) == hash(y), x in [y]]
    try:
        raise x
    except Same as e:
        out.append(e == y)
    return out


@program("arguments that only __init__ sees: an instance with a text, an exception with one, a function",
         (0,), (1,), (2,), (3,))
def replaced_arguments(k: int) -> str:
    try:
        if k == 0:
            raise AtWord("bad", Word("x"))
        if k == 1:
            raise Layered("top", Layered("in", ValueError("v")))
        if k == 2:
            raise Computed(lambda v: v * 2)
    except AtWord as e:
        return f"{e} {e.args} {e.word}"
    except Layered as e:
        return f"{e} {e.inner} {e.args} {e!r}"
    except Computed as e:
        return f"{e!r} {e.value}"
    return ""


@program("an exception class out of a table is raised, called or not", ("v", 2), ("t", 0), ("r", 5), ("q", 1), ("z", 0), ("z", 2))
def class_from_table(kind: str, n: int) -> str:
    errors = {"v": ValueError, "t": TypeError, "r": RuntimeError}
    classes = [Mixed, ValueError, AppError]
    try:
        if kind == "z":
            raise classes[n]("text")
        found = errors.get(kind)
        if found is None:
            raise KeyError(kind)
        if n > 1:
            raise found(f"n={n}")
        raise found
    except (ValueError, TypeError) as e:
        return f"{type(e).__name__}:{e}"
    except Exception as e:
        return f"other {e!r}"


class Owner:
    def __init__(self, name):
        self.name = name
        self.history = [1]

    def take(self, amount):
        if amount > 3:
            raise TooMuch(self, amount)
        self.history.append(amount)


class TooMuch(Exception):
    def __init__(self, owner, amount):
        super().__init__(f"{owner.name} has not {amount}")
        self.owner = owner
        self.amount = amount


@program("what an exception holds is changed by its handler", (2,), (5,))
def changed_by_handler(amount: int) -> str:
    owner = Owner("ann")
    try:
        owner.take(amount)
    except TooMuch as error:
        error.owner.history.append(error.amount + 1)
        return f"{error} {owner.history} {error.owner is owner}"
    return str(owner.history)


class Leaving(BaseException):
    pass


class LeavingNow(Leaving):
    def __init__(self, code: int) -> None:
        super().__init__("now", code)
        self.code = code


@program("except Exception takes no class of the program that derives from BaseException", (0,), (1,), (2,))
def passing_by(k: int) -> list[str]:
    log: list[str] = []
    try:
        try:
            if k:
                raise Leaving("bye") if k == 1 else LeavingNow(k)
            log.append("stays")
        except Exception as error:
            log.append(f"caught {error!r}")
        finally:
            log.append("finally")
    except LeavingNow as error:
        log.append(f"now {error.code}")
    except BaseException as error:
        log.append(repr(error))
    return log
