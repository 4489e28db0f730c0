"""Iterators, generics: what is refused beside what works."""
# ruff: noqa
from __future__ import annotations
import copy
import dataclasses
from tsm import Tensor
from language_rows import of_row
from typing import Callable, Any, List, Dict, Iterator, Iterable, TypeVar, Generic, Protocol
of_row("generators")
T = TypeVar("T")
def countdown(n: int):
    while n > 0:
        yield n  # error 9: the generator 'countdown' cannot be scripted by itself
        n -= 1
def iterator_returned(xs: List[int]):
    return iter(xs)  # error 12: a function cannot return an iterator
def range_returned(n: int):  # error 1: 'range_returned' is an entry point and cannot take or return a range
    return range(n)
def bytes_returned(n: int):  # error 1: 'bytes_returned' is an entry point and cannot take or return a bytearray
    return [bytearray(n)]
def range_taken(r: range) -> int:  # error 1: 'range_taken' is an entry point and cannot take or return a range
    return len(r)
def length_of_iterator(xs: List[int]) -> int:
    it = iter(xs)
    return len(it)  # error 12: len() does not work with an iterator
def next_of_a_list(xs: List[int]) -> int:
    return next(xs)  # error 12: next() needs an iterator, not list[int]
def range_by_float(n: int) -> int:
    r = range(n)
    return r["a"]  # error 14: range indices must be integers or slices, not str
def float_in_range(n: int, x: float) -> bool:
    r = range(n)
    return x in r  # error 12: 'in' of a range works with an int here
def range_method(n: int) -> int:
    r = range(n)
    return r.stride  # error 12: attribute 'stride' of a range is not supported in scripts
def text_searched(n: int) -> int:
    r = range(n)
    return r.index("a")  # error 20: a range is searched for an int here
def finally_yields(n: int) -> int:
    t = 0
    for v in late(n):  # error 14: 'late' yields inside 'finally', which is not supported
        t += v
    return t
def late(n: int):
    try:
        yield 1  # error 9: the generator 'late' cannot be scripted by itself
    finally:
        yield 2  # error 9: the generator 'late' cannot be scripted by itself
def catches_all(n: int) -> int:
    t = 0
    for v in catching(n):  # error 14: 'catching' yields inside a 'try' that catches GeneratorExit, which is not supported
        t += v
    return t
def catching(n: int):
    try:
        yield 1  # error 9: the generator 'catching' cannot be scripted by itself
    except:
        yield 2  # error 9: the generator 'catching' cannot be scripted by itself
of_row("abstract types")
def first(xs: List[T]) -> T:  # error 15: 'xs' of an entry point must have a class for its type, so that calls can be checked
    return xs[0]
def entry_with_variable(x: T) -> int:  # error 28: 'x' of an entry point must have a class for its type, so that calls can be checked
    return 1
def entry_with_iterator(it: Iterator[int]) -> int:  # error 29: 'it' of an entry point must have a class for its type, so that calls can be checked
    return next(it)
class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: List[T] = []
    def push(self, x: T) -> None:
        self.items.append(x)
def too_many_types(n: int) -> int:
    s = Stack[int, str]()  # error 9: 'Stack' takes 1 type arguments, got 2
    return n
def seventeen(a, b, c):
    return a
def many_specialisations(x: int) -> int:
    for t in ((1,), (1, 1), (1, 1, 1), (1, 1, 1, 1), (1.0,), (1.0, 1), (1, 1.0), ("",), ("", 1), (1, ""), (True,), (True, 1), (1, True), (None,), (None, 1), (1, None), (None, None)):
        seventeen(t, 1, 2)  # error 9: 'seventeen' is called with too many combinations of argument types
    return x
class Shown(Protocol):
    def show(self) -> str: ...
def entry_protocol(s: Shown) -> str:  # error 23: 's' of an entry point must have a class for its type, so that calls can be checked
    return s.show()
def shown(s: Shown) -> str:  # error 14: 's' of an entry point must have a class for its type, so that calls can be checked
    return s.show()
def entry_iterable_indexed(xs: Iterable[int]) -> int:
    return xs["a"]  # error 12: Union[frozenset[int], list[int], set[int], tuple[int, ...]] cannot be indexed
def no_next(n: int) -> int:
    t = 0
    for x in Broken():  # error 14: __iter__ gives int, which has no __next__
        t += x
    return t
class Broken:
    def __iter__(self):
        return 5
of_row("builtins")
def columns_of_dicts(rows: List[Dict[str, int]]) -> int:
    return len(list(zip(*rows)))  # error 25: zip(*rows) needs rows that are lists, tuples or texts, not dict[str, int]
def columns_kept(pairs: List[tuple[int, str]]) -> int:
    it = zip(*pairs)  # error 10: zip(*rows) of tuples can be looped over and unpacked, not kept
    for c in it:
        return len(c)
    return 0
of_row("classes")
class Copied:
    def __init__(self) -> None:
        self.x = [1]
    def __deepcopy__(self, memo):
        return Copied()
def copy_of_own(n: int) -> int:
    c = Copied()
    return len(copy.deepcopy([c])[0].x)  # error 16: deepcopy() of list[rejected_iterators_generics.Copied] is not supported: 'Copied' defines __deepcopy__
def copy_of_function(n: int) -> int:
    fs = [lambda: n]
    return copy.deepcopy(fs)[0]()  # error 12: deepcopy() of list[function '<lambda>'] is not supported: list[function '<lambda>'] has no copy here
def dict_of_int(n: int) -> int:
    return len(dataclasses.asdict(n))  # error 16: asdict() needs an instance of one dataclass, not int
