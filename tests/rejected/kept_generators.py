"""Generators as values, library functions, slices: what is refused beside what works."""

# ruff: noqa
from __future__ import annotations

import itertools
import operator
from functools import cmp_to_key
from itertools import chain, combinations, groupby, islice, product, zip_longest
from typing import Dict, List, Optional

from language_rows import of_row

of_row("generators")


def countdown(n: int):
    while n > 0:
        yield n  # error 9: the generator 'countdown' cannot be scripted by itself
        n -= 1


def asked(n: int) -> bool:
    g = countdown(n)
    next(g)
    return g.gi_running  # error 12: attribute 'gi_running' of a generator is not supported in scripts


def sent_open(n: int) -> int:
    g = countdown(n)
    next(g)
    return g.send([])  # error 19: what is sent to a generator must have a type that is known


def sent_twice(n: int) -> int:
    g = countdown(n)
    return g.send(n, n)  # error 12: send() takes 1 positional argument


def thrown_number(n: int) -> int:
    g = countdown(n)
    return g.throw(n)  # error 20: only an exception can be raised


def cleaning(n: int):
    try:
        yield n  # error 9: the generator 'cleaning' cannot be scripted by itself
    finally:
        print("end")


def walking(n: int):
    for x in cleaning(n):
        yield x  # error 9: the generator 'walking' cannot be scripted by itself


def in_list(n: int) -> int:
    gs = [cleaning(n)]  # error 11: the generator 'cleaning' is kept, and yields in a 'try' with 'finally', which would have to end when it is dropped
    return next(gs[0])


def in_list_inside(n: int) -> int:
    gs = [walking(n)]  # error 11: the generator 'walking' is kept, and yields in a 'try' with 'finally', which would have to end when it is dropped
    return next(gs[0])


def in_branch(n: int) -> int:
    if n:
        g = cleaning(n)  # error 13: the generator 'cleaning' is kept, and yields in a 'try' with 'finally', which would have to end when it is dropped
        for x in g:
            break
    return n


def given_away(n: int) -> int:
    g = cleaning(n)  # error 9: the generator 'cleaning' is kept, and yields in a 'try' with 'finally', which would have to end when it is dropped
    other = [g]
    return next(other[0])


def length(n: int) -> int:
    g = countdown(n)
    next(g)
    return len(g)  # error 12: generator 'countdown' has no len()


def indexed(n: int) -> int:
    g = countdown(n)
    next(g)
    return g[0]  # error 12: generator 'countdown' cannot be indexed


def called(n: int) -> int:
    g = countdown(n)
    next(g)
    return g()  # error 12: a generator cannot be called in scripts


def shown(n: int) -> str:
    g = countdown(n)
    next(g)
    return str(g)  # error 16: the text of functions is not supported


def inside(n: int):
    x = 1 + (yield n)  # error 14: the generator 'inside' cannot be scripted by itself
    yield x  # error 5: the generator 'inside' cannot be scripted by itself


def with_block(n: int):
    with Block():
        yield n  # error 9: the generator 'with_block' cannot be scripted by itself


class Block:
    def __enter__(self) -> int:
        return 1

    def __exit__(self, a, b, c) -> None:
        pass


def kept_with(n: int) -> int:
    gs = [with_block(n)]  # error 11: the generator 'with_block' is kept, and yields in a 'with', which would have to end when it is dropped
    return next(gs[0]) + next(gs[0], 0)


def numbered(r, k: int):
    for i in r:
        yield i + k  # error 9: the generator 'numbered' cannot be scripted by itself


def given_view(d: dict[int, int]) -> int:
    g = numbered(d.keys(), 1)  # error 18: a dict view; write list(d.keys()) to keep it cannot be given to a generator that is kept
    return next(g) + next(g)


def returned(n: int):  # error 1: 'returned' is an entry point and cannot return a generator
    g = countdown(n)
    next(g)
    return g


def product_starred(v: List[List[int]]) -> int:
    return len(list(product(*v, repeat=2)))  # error 21: '*' in a call of product() is not supported in scripts


def without_r(v: List[int]) -> int:
    return len(list(combinations(v)))  # error 21: combinations() missing required argument 'r' (pos 2)


def wrong_keyword(v: List[int]) -> int:
    return len(list(islice(v, stop=2)))  # error 21: islice() got an unexpected keyword argument 'stop'


def count_of_tee(v: List[int], n: int) -> int:
    return len(itertools.tee(v, n))  # error 16: the number of iterators that tee() gives must be a constant int here


of_row("functions as values")


def wrong_receiver(v: List[int]) -> List[str]:
    return list(map(str.lower, v))  # error 17: TypeError: descriptor 'lower' for 'str' objects doesn't apply to a 'int' object


def largest_by_comparison(v: List[int]) -> int:
    return max(v, key=cmp_to_key(lambda a, b: a - b))  # error 23: cmp_to_key() can only be written as the key= of sorted() or sort()


def without_receiver(s: str) -> str:
    return str.lower()  # error 12: TypeError: unbound method str.lower() needs an argument


def name_of_attribute(s: str, v: List[complex]) -> float:
    return operator.attrgetter(s)(v[0])  # error 32: the names that attrgetter() is given must be constant texts


of_row("more assignment")


def parts_of_slice(s: str) -> str:
    return s[slice("a", 2)]  # error 20: the parts of a slice must be int or None, not str


def slice_attribute(v: List[int]) -> int:
    s = slice(1)
    return s.length  # error 12: attribute 'length' of a slice is not supported in scripts


def entry_slice(v: List[int], s: slice) -> List[int]:  # error 34: 's' of an entry point must have a class for its type, so that calls can be checked
    return v[s]
