"""What flow proves of variables that inner functions assign, until a call that may assign them; plain tuples of named
ones."""

# ruff: noqa
from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Optional, Tuple, Union

from language_rows import of_row
from oracle import program

of_row("refinement")

def debounce(limit: int):
    last: Optional[int] = None
    dropped = 0

    def hit(t: int) -> bool:
        nonlocal last, dropped
        if last is not None and t - last < limit:
            dropped += 1
            return False
        last = t
        return last + 1 > 0

    def stats() -> Tuple[Optional[int], int]:
        return last, dropped

    return hit, stats

@program("cells: tested in the function that assigns them", ([0, 1, 5, 6, 20], 3), ([], 1))
def debounced(ts: List[int], limit: int):
    hit, stats = debounce(limit)
    return stats(), [hit(t) for t in ts], stats()

@program("cells: a call forgets what was tested", (3,))
def forgotten(n: int) -> List[str]:
    current: Union[int, str, None] = None

    def clear() -> None:
        nonlocal current
        current = None

    def put(value: Union[int, str]) -> None:
        nonlocal current
        current = value

    def shown() -> str:
        if current is None:
            return "none"
        if isinstance(current, int):
            return str(current + 1)
        return current.upper()

    def cleared() -> str:
        if current is not None:
            clear()
            return repr(current)
        return "empty"

    out = [shown(), cleared()]
    put(n)
    out.append(shown())
    put("abc")
    return out + [shown(), cleared(), shown()]

def running_best():
    best: Optional[int] = None

    def feed(xs: List[int]) -> Optional[int]:
        nonlocal best
        for x in xs:
            if best is None or x > best:
                best = x
            while best is not None and best > 10:
                best -= 3
                if best == 9:
                    best = None
        return best if best is None else best + 0

    return feed

@program("cells: tested in loops that assign them", ([3, 5],), ([12],), ([],))
def looped(xs: List[int]):
    feed = running_best()
    return feed(xs), feed([1]), feed([20])

class Watcher:
    def __init__(self, told: Callable[[], None]):
        self.told = told

    def __add__(self, other: int) -> int:
        self.told()
        return other

    def __bool__(self) -> bool:
        self.told()
        return True

    @property
    def size(self) -> int:
        self.told()
        return 5

@program("cells: operators and properties that call back", (0,), (1,), (2,), (3,), (4,))
def called_back(k: int) -> str:
    current: Optional[int] = None

    def clear() -> None:
        nonlocal current
        current = None

    def go() -> str:
        nonlocal current
        watcher = Watcher(clear)
        current = 5
        if current is not None:
            if k == 0:
                watcher + 1
            elif k == 1:
                return repr(current) if watcher else ""
            elif k == 2:
                watcher.size
            elif k == 3:
                sorted([2, 1], key=lambda v: watcher + v)
            return repr(current)
        return "none"

    return go()

of_row("named tuples")

class Token(NamedTuple):
    kind: str
    line: int

@program("named tuples: tuple() of one has the types of its fields", (3,))
def plain_tuples(n: int) -> Tuple[List[Tuple[str, int]], str, int, Dict[str, int], bool, str]:
    token = Token("a", n)
    kind, line = tuple(token)
    return [tuple(each) for each in (token, Token("b", 0))], kind + "x", line + 1, dict([tuple(token)]), tuple(
        token) == token, repr(tuple(token))
