"""OrderedDict, Counter and defaultdict: what is refused."""
# ruff: noqa
from language_rows import of_row
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Dict, List


of_row("dict methods")


def bare_annotation(d: OrderedDict) -> int:  # error 24: 'OrderedDict' needs its element type: write OrderedDict[str, int]
    return 1


def counter_of_two(c: Counter[str, int]) -> int:  # error 23: the annotation Counter[...] is not supported yet
    return 1


def dict_for_ordered(d: Dict[str, int]) -> int:
    e: OrderedDict[str, int] = d  # error 32: 'e' must be OrderedDict[str, int], got dict[str, int]
    return len(e)


def display_for_ordered(x: int) -> int:
    e: OrderedDict[str, int] = {"a": x}  # error 32: 'e' must be OrderedDict[str, int], got dict[str, int]
    return len(e)


def plain(d: Dict[str, int]) -> int:
    return len(d)


def ordered_for_dict(x: int) -> int:
    return plain(OrderedDict(a=str(x)))  # error 18: argument 'd' of 'plain' must be dict[str, int], got OrderedDict[str, str]


def moved_in_dict(d: Dict[str, int]) -> None:
    d.move_to_end("a")  # error 5: 'dict[str, int]' has no attribute 'move_to_end' in scripts


def too_many(x: int) -> int:
    return len(OrderedDict({"a": 1}, {"b": 2}))  # error 16: OrderedDict() takes at most 1 arguments here, got 2


def starred(pairs: List[int]) -> int:
    return len(Counter(*pairs))  # error 16: '*' and '**' are not supported in Counter(...)


def fractional(words: List[str]) -> float:
    c = Counter(words)
    c["a"] += 0.5  # error 5: '[]=': argument 'value' must be int, got float
    return c["a"]


def counter_and_dict(c: Counter[str], d: Dict[str, int]) -> int:
    c |= d  # error 5: unsupported operand types for |=: Counter[str, int] and dict[str, int]
    return len(c)


def counter_plus_dict(c: Counter[str], d: Dict[str, int]) -> int:
    return len(c + d)  # error 16: unsupported operand types for +: Counter[str, int] and dict[str, int]


def sum_of_ordered(a: OrderedDict[str, int]) -> int:
    return len(a + a)  # error 16: unsupported operand types for +: OrderedDict[str, int] and OrderedDict[str, int]


def counter_fromkeys(words: List[str]) -> int:
    return len(Counter.fromkeys(words, 1))  # error 16: attribute 'fromkeys' of the class 'Counter' is not supported in scripts


def no_factory(x: int) -> int:
    return len(defaultdict())  # error 16: a defaultdict without a factory is not supported in scripts


def factory_of_value(x: int) -> int:
    return len(defaultdict(x))  # error 28: int cannot make the values of a defaultdict here


def factory_with_variables(x: int) -> int:
    d = defaultdict(lambda: x)  # error 21: a factory that uses variables of the function around it is not supported
    return d["a"]


def another_factory(x: int) -> int:
    d: defaultdict[str, float] = defaultdict(str)  # error 46: the factory makes str, but the values are declared as float
    return len(d)


def factory_read(d: defaultdict[str, int]) -> bool:
    return d.default_factory is None  # error 12: the factory of a defaultdict cannot be read or changed in scripts


def factory_leaves(x: int) -> defaultdict[str, int]:  # error 1: 'factory_leaves' takes or gives a defaultdict whose factory is a function, which cannot leave its program
    d: defaultdict[str, int] = defaultdict(lambda: 7)
    d["a"] += x
    return d


def two_results(words: List[str], flag: bool) -> Dict[str, int]:
    if flag:
        return Counter(words)
    return {"a": 1}  # error 12: the result of 'two_results' must be Counter[str, int], got dict[str, int]
