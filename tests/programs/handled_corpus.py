"""Which exception is being handled: `raise` alone in helpers, contexts of exceptions, identity of exceptions."""

# ruff: noqa
from __future__ import annotations

from language_rows import of_row
from oracle import program

of_row("try")

def again():
    raise

def classified(log: list[str]) -> str:
    try:
        again()
    except ZeroDivisionError:
        return "division"
    except (KeyError, IndexError) as e:
        return "lookup " + type(e).__name__
    except Exception as e:
        log.append(str(e))
        return "other"
    return "none"

@program("handled: a helper raises again what its caller handles", (0,), (1,), (2,), (3,))
def by_helper(what: int) -> list[str]:
    log: list[str] = []
    try:
        if what == 0:
            1 // what
        elif what == 1:
            [].pop()
        elif what == 2:
            {}["x"]
        else:
            raise ValueError("bad")
    except Exception:
        log.append(classified(log))
    return log

def probe() -> str:
    try:
        raise
    except RuntimeError as e:
        return "idle: " + str(e)
    except Exception as e:
        return type(e).__name__

@program("handled: until the handler is left, by continue, break, return or its end", (4,))
def until_left(n: int) -> list[str]:
    out = []
    def returned() -> str:
        try:
            raise OSError
        except OSError:
            return probe()
    for i in range(n):
        try:
            if i == 1:
                raise TypeError
            if i == 2:
                raise KeyError
        except TypeError:
            out.append(probe())
            continue
        except KeyError:
            out.append(probe())
            break
        out.append(probe())
    return [*out, probe(), returned(), probe()]

@program("handled: contexts of what handlers, finally and __exit__ raise", (0,), (1,), (2,))
def contexts(n: int) -> str:
    try:
        try:
            [1][n]
            {}["k"]
        except IndexError:
            int("x" * n)
        finally:
            if n == 1:
                raise OSError("late")
    except Exception as e:
        inner = e.__context__
        above = inner.__context__ if inner is not None else None
        return f"{e!r} {inner!r} {above!r} {e.__suppress_context__}"
    return "none"

class Noisy:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, where):
        if error is not None:
            [][3]

@program("handled: the context of what __exit__ raises", (0,), (5,))
def by_exit(n: int) -> str:
    try:
        with Noisy():
            10 // n
    except LookupError as e:
        return f"{e} {e.__context__}"
    return "fine"

class Failed(Exception):
    def __init__(self, step: int):
        super().__init__(step)
        self.step = step

@program("handled: contexts are instances of their classes, and one of two paths only", (1,), (7,))
def own_class(n: int) -> list[str]:
    out = []
    saved = None
    try:
        try:
            raise Failed(n)
        except Failed as first:
            saved = first
            raise Failed(n + 1)
    except Failed as second:
        context = second.__context__
        assert isinstance(context, Failed)
        out.append(f"{context.step} {context is saved} {context is not second}")
        try:
            raise saved
        except Failed as third:
            out.append(f"{third.__context__!r} {second.__context__!r}")
    return out

def sunk(depth: int) -> None:
    if depth == 0:
        raise LookupError("deep")
    sunk(depth - 1)

@program("handled: the context of what a recursive helper raises", (0,), (3,))
def by_recursion(n: int) -> str:
    try:
        try:
            n // 0
        except ZeroDivisionError as e:
            sunk(n)
    except LookupError as e:
        cause = e.__cause__
        return f"{e} {e.__context__} {cause is None} {cause is e}"
    return ""

of_row("assignment")

class Snapshots:
    def __init__(self):
        self.states = [1]

@program("assignment: containers that hold copies of themselves", (2,))
def copies_inside(n: int) -> str:
    out: list = []
    for i in range(n):
        out.append(i)
        out.append([x for x in out])
    s = Snapshots()
    s.states.append(list(s.states))
    state = {"n": n}
    state["prev"] = dict(state)
    return f"{out} {s.states} {state}"

of_row("raise")

@program("raise: SystemExit, KeyboardInterrupt and GeneratorExit pass except Exception", (5,))
def not_exceptions(n: int) -> list[str]:
    out = []
    for i in range(n):
        try:
            try:
                match i:
                    case 0:
                        raise SystemExit
                    case 1:
                        raise SystemExit(3, "x")
                    case 2:
                        raise KeyboardInterrupt("k")
                    case 3:
                        raise GeneratorExit
                raise ValueError("v")
            except Exception as e:
                out.append("E" + repr(e))
            except SystemExit as e:
                out.append(f"S {e.code!r} {e}")
        except BaseException as e:
            out.append("B" + repr(e) + str(isinstance(e, Exception)))
    return out

@program("raise: the code of a SystemExit", (3,))
def exit_code(x: int) -> int:
    try:
        raise SystemExit(x)
    except SystemExit as e:
        return e.code

class Ignoring:
    def __init__(self, *classes):
        self.classes = classes
        self.caught = ""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, where):
        if error is not None and isinstance(error, self.classes):
            self.caught = repr(error)
            return True
        return False

@program("raise: classes that variables and attributes hold, in except and isinstance", ("q",), ("5",), ("",))
def held_classes(text: str) -> str:
    lookups = (KeyError, IndexError)
    try:
        with Ignoring(ValueError, TypeError) as manager:
            text[0]
            int(text)
    except lookups as e:
        return f"lookup {e}"
    return manager.caught

of_row("generators")

def trails(graph, a, b, trail=()):
    trail = trail + (a,)
    if a == b:
        yield trail
        return
    for n in graph.get(a, ()):
        if n not in trail:
            yield from trails(graph, n, b, trail)

@program("generators: recursion with a tuple that grows", ({"a": ["b", "c"], "b": ["d"], "c": ["d"]}, "a", "d"))
def all_trails(graph: dict[str, list[str]], a: str, b: str) -> list[tuple[str, ...]]:
    return sorted(trails(graph, a, b))

def spelled(s):
    yield from s

def digits(n):
    while n:
        n, d = divmod(n, 10)
        yield str(d)

@program("generators: compared, and taken out of lists, by identity", ("abc", 12), ("", 305))
def taken_out(s: str, n: int) -> tuple[list[str], bool, bool]:
    live = [spelled(s), digits(n), spelled(s[:1])]
    first, last = live[0], live[2]
    known = (first == last, first in live)
    out = []
    while live:
        for g in live[:]:
            try:
                out.append(next(g))
            except StopIteration:
                live.remove(g)
    return (out, *known)

of_row("assignment")

@program("assignment: items of Any, at the element types that the result declares", (["x", 2.5, "y"],))
def of_any(values: list) -> tuple[list[str], dict[str, float]]:
    names, numbers = [], {}
    for v in values:
        if isinstance(v, str):
            names.append(v)
        else:
            numbers[str(v)] = v
    return names, numbers

of_row("generators")

def partitions(n, largest):
    if n == 0:
        yield ()
    for k in range(min(n, largest), 0, -1):
        for rest in partitions(n - k, k):
            yield (k,) + rest

@program("generators: recursion whose items are tuples that grow", (5,), (0,))
def all_partitions(n: int):
    return list(partitions(n, n)), sum(len(p) for p in partitions(n, n))

@program("generators: a StopIteration is context and cause of the RuntimeError", (1,))
def stopped(n: int) -> str:
    def given():
        yield n
        raise StopIteration("inner")
    try:
        return str(list(given()))
    except RuntimeError as e:
        return f"{e} / {e.__cause__!r} / {e.__context__ is e.__cause__}"

of_row("identity")

@program("lazy: maps that one definition after the other is put around", (4,))
def around(n: int) -> list[int]:
    def scaled(it, k):
        return map(lambda x: x * k, it)
    it = iter(range(n))
    for k in (1, 2, 3):
        it = map(lambda x, k=k: x + k, scaled(it, k))
    kept = filter(lambda x, m=n: x % m, it)
    n = 2
    return list(kept)


of_row("try")


class Several(Exception):
    def __init__(self, found: list[int]) -> None:
        super().__init__(f"{len(found)} found")
        self.found = found

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, i: int) -> int:
        return self.found[i]


@program("exceptions with a length, items and a truth of their own", ([1, -1, -2],), ([0],), ([],))
def several(xs: list[int]) -> str:
    last: Several | None = None
    try:
        raise Several([x for x in xs if x < 0])
    except Several as error:
        last = error
        return f"{len(error)} {error[0] if error else None} {error} {bool(error)} {'some' if last else 'none'}"


@program("errors of decoding and encoding that the program makes", (0, b"\xffb", "é"), (1, b"\xffb", "x"), (2, b"a", "é"), (2, b"a", "\U0001f600"), (3, b"a", "日本x"))
def made_codec_errors(k: int, data: bytes, text: str) -> str:
    try:
        if k < 2:
            raise UnicodeDecodeError("utf-8", data, 0, k + 1, "bad")
        raise UnicodeEncodeError("ascii", text, 0, k - 1, "worse")
    except UnicodeDecodeError as error:
        return f"{error} {error.args} {error.start} {error.end} {error.reason} {error.encoding} {error.object!r}"
    except ValueError as error:
        return f"{type(error).__name__} {error} {error.args} {error!r}"
