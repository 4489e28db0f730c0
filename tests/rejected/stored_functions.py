"""Functions as values and containers outside: what is refused beside what works."""
# ruff: noqa
from __future__ import annotations

from language_rows import of_row
from typing import Callable, Any, List, Dict
of_row("functions as values")


def r1(x: int) -> int:
    fs = [lambda: x]
    print(fs)  # error 11: the text of functions is not supported
    return x
def r2(x: int):  # error 1: 'r2' is an entry point and cannot take or return functions
    return [lambda: x]
def r3(x: int):
    return lambda: x  # error 12: a function cannot return the function '<lambda>'
def r8(x: int) -> int:
    fs = [lambda: y]  # error 11: 'y' may be unbound where the function '<lambda>' is stored
    y = 3
    return fs[0]()
def r9(fs: List[Callable[[int], int]]) -> int:  # error 8: an entry point cannot take a function
    return fs[0](1)
def r13(x: int) -> str:
    fs = [lambda a: a]
    return f"{fs[0]}"  # error 15: the text of functions is not supported
def r15(x: int) -> Any:
    fs = [lambda a: a]
    y: Any = fs[0]  # error 14: 'y' must be Any, got function '<lambda>'
    return y
def r16(x: int) -> int:
    fs = [lambda: x]
    del x  # error 9: 'x' is used by a stored function and cannot be deleted
    return fs[0]()
def r17(x: int) -> int:
    fs = {lambda: 1}
    return hash(abs)  # error 12: unhashable type: function 'abs'
def r18(x: int) -> int:
    fs = [lambda: 1]
    return hash(fs[0])  # error 12: unhashable type: function '<lambda>'
def r19(x: int) -> bool:
    fs = [lambda: 1]
    return isinstance(fs[0], int)
def r20(x: int) -> str:
    fs = [lambda: 1]
    return type(fs[0]).__name__  # error 12: type() of function '<lambda>' is not supported in scripts
def r21(x: int) -> int:
    fs = [lambda: 1]
    fs.remove(fs[0])
    return fs.index(fs[0])  # error 12: index() of functions is not supported
def r23(x: int) -> int:
    f = lambda: 1
    def g(y: int) -> int:
        return y
    return g(f)  # error 14: argument 'y' of 'g' must be int, got the function '<lambda>'
L = [1, 2]
def r25(x: int) -> int:
    L.append(x)  # error 5: a script cannot change a list outside the function: it is read once, when the script is compiled
    return 1
def r26(x: int) -> List[int]:
    return L  # error 5: a script cannot return a list outside the function: it is read once, when the script is compiled
def r27(x: int) -> int:
    L[0] = x  # error 5: a script cannot change a list outside the function: it is read once, when the script is compiled
    y = L
    return 1
def r28(x: int) -> int:
    fs = [lambda v: v + 1]  # error 21: unsupported operand types for +: str and int
    t = 0
    for f in fs:
        t += f("a")
    return t


def keeps_exception(n: int) -> int:
    reads = []
    try:
        raise ValueError(n)
    except ValueError as error:
        reads.append(lambda: len(str(error)))  # error 22: 'error' is unbound when its handler ends: a stored function cannot use it
    return len(reads)
