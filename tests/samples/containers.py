"""Samples of lists, dicts, tuples, values of any kind and exceptions: results, changes and identities."""

from __future__ import annotations

import builtins
import collections
import itertools
import operator
import warnings
from typing import Any

from rows import Raised

import tsm

from .sample import Failure, Plain, plain
from .text import SLICES, contains, sliced

NAN = float("nan")
INTS, FLOATS, TEXTS, MIXED = [3, 1, 2], [2.5, -0.0, 1e300], ["b", "a", ""], [1, "a", None, [2.5]]
LISTS: tuple[list[Any], ...] = (
    [],
    [5],
    INTS,
    FLOATS,
    TEXTS,
    [True, False],
    MIXED,
    [[1], [2, 3], []],
    [(1, "a"), (2, "b")],
)
INDICES = (0, 1, 2, 3, -1, -3, -4, 2**63 - 1, -(2**63))
SHARED = [7]
FALSY: tuple[Any, ...] = (None, False, 0, 0.0, -0.0, 0j, "", b"", [], (), {})
TRUTHY: tuple[Any, ...] = (True, 1, -1.5, NAN, 2j, "0", b"\0", [0], (None,), {0: 0})


def call_method(name: str) -> Any:
    return lambda self, *args: getattr(self, name)(*args)


def set_item(target: Any, key: Any, value: Any) -> None:
    target[key] = value


def delete_item(target: Any, key: Any) -> None:
    del target[key]


def set_slice(target: list[Any], start: Any, stop: Any, step: Any, values: list[Any]) -> None:
    target[start:stop:step] = values


def delete_slice(target: list[Any], start: Any = None, stop: Any = None, step: Any = None) -> None:
    del target[start:stop:step]


def pop_left(target: list[Any]) -> Any:
    queue = collections.deque(target)
    first = queue.popleft()
    target[:] = queue
    return first


def push_left(target: list[Any], item: Any) -> None:
    target.insert(0, item)


def take(target: list[Any]) -> list[Any]:
    taken = target[:]
    target.clear()
    return taken


def restore(target: list[Any], items: list[Any]) -> bool:
    is_changed = bool(target)
    target[:], items[:] = items[:], target[:]
    return is_changed


def both_ways(key: str) -> Any:
    """list.sort and sorted take reverse by keyword."""
    return lambda values, reverse=False: (
        getattr(values, key)(reverse=reverse) if key == "sort" else sorted(values, reverse=reverse)
    )


def total(values: list[Any], start: Any) -> Any:
    """sum() with 64-bit integers."""
    for value in values:
        start = start + value
        if isinstance(start, int) and not -(2**63) <= start < 2**63:
            raise OverflowError("integer overflow: the result of sum() does not fit in 64 bits")
    return start


SORTABLE: tuple[list[Any], ...] = (
    [],
    [1],
    INTS,
    FLOATS,
    TEXTS,
    [True, False, True],
    [2**63 - 1, -(2**63), 0],
    [(2, "a"), (1, "b"), (1, "a")],
    [[2], [1, 5], [1]],
    ["b", "é", "日", "𝄞", "a"],
    list(range(50, 0, -1)),
    [1, 2.5, True],
)
ITEMS: tuple[tuple[list[Any], Any], ...] = (
    (INTS, 1),
    (INTS, 9),
    ([], 1),
    (TEXTS, "a"),
    (FLOATS, 0.0),
    (FLOATS, NAN),
    ([[1], [2]], [2]),
    ([(1, 2)], (1, 2)),
    ([1, 1, 1], 1),
    ([True, False], True),
)

PLAIN: dict[str, list[Plain]] = {
    "len.list": [plain(len, *((x,) for x in (*LISTS, [0] * 10_000)))],
    "getitem.list": [
        plain(operator.getitem, *itertools.product((INTS, FLOATS, TEXTS, MIXED, [SHARED, SHARED, [7]], []), INDICES))
    ],
    "setitem.list": [
        plain(
            set_item,
            *((x, i, v) for x, v in ((INTS, 9), (FLOATS, 9.5), (TEXTS, "z"), (MIXED, [1]), ([], 1)) for i in INDICES),
        )
    ],
    "delitem.list": [plain(delete_item, *itertools.product((INTS, FLOATS, TEXTS, MIXED, []), INDICES))],
    "getslice.list": [
        plain(
            sliced, *((x, *s) for x in ([0, 1, 2, 3, 4, 5], TEXTS, []) for s in SLICES[::3]), (INTS,), (INTS, 0, 3, 0)
        )
    ],
    "setslice.list": [
        plain(
            set_slice,
            *(([0, 1, 2, 3, 4, 5], *s, v) for s in SLICES[::7] for v in ([], [7, 8], [7, 8, 9])),
            (INTS, 0, 3, 0, []),
        ),
        plain(
            set_slice,
            (TEXTS, 1, 2, None, ["x", "y"]),
            ([SHARED, SHARED], 0, 1, None, [SHARED]),
            ([1, 2, 3], None, None, -1, [4, 5, 6]),
        ),
    ],
    "delslice.list": [
        plain(
            delete_slice, *((x, *s) for x in ([0, 1, 2, 3, 4, 5], TEXTS) for s in SLICES[::5]), (INTS,), (INTS, 0, 3, 0)
        )
    ],
    "add.list": [plain(operator.add, (INTS, [4]), ([], []), (TEXTS, ["x"]), ([SHARED], [SHARED]), (FLOATS, FLOATS))],
    "mul.list": [
        plain(operator.mul, *itertools.product((INTS, TEXTS, [SHARED], []), (0, 1, 3, -1, -(2**63))), ([], 2**63 - 1))
    ],
    "iadd.list": [plain(operator.iadd, (INTS, [4]), ([], []), (TEXTS, ["x"]), ([SHARED], [SHARED]), (FLOATS, FLOATS))],
    "contains.list": [plain(contains, *((x, v) for x, v in ITEMS))],
    "list.append": [
        plain(call_method("append"), (INTS, 4), (TEXTS, "x"), ([SHARED], SHARED), (FLOATS, NAN), ([True], False))
    ],
    "list.extend": [
        plain(call_method("extend"), (INTS, [4, 5]), ([], []), (TEXTS, TEXTS), ([SHARED], [SHARED, SHARED]))
    ],
    "list.insert": [
        plain(call_method("insert"), *((x, i, v) for x, v in ((INTS, 9), (TEXTS, "z"), ([], 1)) for i in INDICES))
    ],
    "list.pop": [
        plain(call_method("pop"), *itertools.product((INTS, TEXTS, [SHARED, SHARED, [8]], []), INDICES), (INTS,), ([],))
    ],
    "deque.popleft": [plain(pop_left, (INTS,), (TEXTS,), ([SHARED, [8]],), ([True],), ([],))],
    "deque.pushleft": [plain(push_left, (INTS, 4), (TEXTS, "x"), ([], 1), ([SHARED], SHARED), (FLOATS, NAN))],
    "deque.limit": [plain(lambda x: -1, (INTS,), ([],))],
    "deque.set_limit": [plain(lambda x, most: None, (INTS, 5), ([], 0))],
    "deque.version": [plain(lambda x: 0, ([],))],
    "deque.changed": [plain(lambda x: None, (INTS,), ([],))],
    "list.remove": [plain(call_method("remove"), *ITEMS)],
    "list.clear": [plain(call_method("clear"), *((x,) for x in LISTS))],
    "list.take": [plain(take, *((x,) for x in LISTS))],
    "list.restore": [plain(restore, (INTS, [4, 5]), ([], [1]), ([1], []), (TEXTS, ["x"]), ([SHARED], [SHARED, [8]]))],
    "list.copy": [plain(list, *((x,) for x in LISTS), ([SHARED],))],
    "list.reverse": [plain(call_method("reverse"), *((x,) for x in LISTS))],
    "list.index": [plain(call_method("index"), *ITEMS)],
    "list.count": [plain(call_method("count"), *ITEMS)],
    "list.sort": [
        plain(
            both_ways("sort"),
            *itertools.product(SORTABLE, (False, True)),
            ([1, 2],),
            ([1, "a"],),
            ([2j, 1j],),
            ([None, None],),
            ([{}, {}],),
        )
    ],
    "sorted.list": [
        plain(
            both_ways("sorted"),
            *itertools.product(SORTABLE, (False, True)),
            ([1, 2],),
            ([1, "a"],),
            ([2j, 1j],),
            ([None, None],),
        )
    ],
    "min.ints": [plain(min, (INTS,), ([5],), ([],), ([2**63 - 1, -(2**63)],))],
    "max.ints": [plain(max, (INTS,), ([5],), ([],), ([2**63 - 1, -(2**63)],))],
    "min.floats": [plain(min, (FLOATS,), ([],), ([NAN, 1.0],), ([1.0, NAN],), ([0.0, -0.0],), ([-0.0, 0.0],))],
    "max.floats": [plain(max, (FLOATS,), ([],), ([NAN, 1.0],), ([1.0, NAN],), ([0.0, -0.0],), ([-0.0, 0.0],))],
    "sum.ints": [
        plain(
            total, (INTS, 0), ([], 5), ([2**63 - 1, 1], 0), ([2**63 - 1], -1), ([-(2**63)], -1), ([2**63 - 1, 1, -5], 0)
        )
    ],
    "sum.floats": [
        plain(
            total,
            (FLOATS, 0.0),
            ([0.1] * 10, 0.0),
            ([1e308, 1e308, -1e308], 0.0),
            ([1e16, 1.0, 1.0], 0.0),
            ([NAN], 0.0),
            ([2.5], 1.5),
        )
    ],
    "any.bools": [plain(any, *(([*x],) for x in ((), (True,), (False,), (False, True), (False, False))))],
    "all.bools": [plain(all, *(([*x],) for x in ((), (True,), (False,), (True, False), (True, True))))],
    "range_length": [
        plain(
            lambda a, b, s: len(range(a, b, s)),
            *itertools.product((0, 3, -5, 100), (0, 3, 7, -9), (1, 2, -1, -3, 0, 2**63 - 1, -(2**63))),
        )
    ],
    "range_list": [
        plain(
            lambda a, b, s: list(range(a, b, s)),
            *itertools.product((0, 3, -5), (0, 3, 7, -9), (1, 2, -1, -3, 0, 2**63 - 1, -(2**63))),
        )
    ],
    "len.tuple": [plain(len, ((),), ((1, "a"),))],
    "getitem.tuple": [plain(operator.getitem, *itertools.product(((1, 2, 3), ("a", "b", "c"), ()), INDICES))],
    "getslice.tuple": [
        plain(
            sliced, *((x, *s) for x in ((0, 1, 2, 3, 4), ("a",), ()) for s in SLICES[::5]), ((1, 2),), ((1, 2), 0, 2, 0)
        )
    ],
    "list.from_tuple": [plain(list, ((),), ((1, 2, 3),), (("a", "b"),))],
    "size.tuple": [plain(tsm.Size, ((),), ((1, 2),))],
    "tuple.size": [plain(tuple, (tsm.Size(),), (tsm.Size((2, 3)),))],
    "tuple.list": [plain(tuple, *((x,) for x in LISTS))],
}

# ---- Dicts

ONE, MANY, DEEP = {"a": 1}, {"a": 1, "b": 2, "c": 3}, {1: SHARED, 2: [8]}
BY_TUPLE, BY_FLOAT, BY_BOOL = {(1, "x"): 1.5, (2, "y"): 2.5}, {0.0: "z", 1.5: "h"}, {True: 1, False: 0}
FOUND: tuple[tuple[dict[Any, Any], Any], ...] = (
    (ONE, "a"),
    (ONE, "b"),
    ({}, "a"),
    (MANY, "c"),
    (DEEP, 1),
    (DEEP, 9),
    (BY_TUPLE, (2, "y")),
    (BY_TUPLE, (2, "z")),
    (BY_FLOAT, -0.0),
    (BY_FLOAT, NAN),
    (BY_BOOL, True),
    ({"it's": 1}, "it's"),
    (MANY, 'a"b'),
    (MANY, "日"),
    ({2**63 - 1: 1, -(2**63): 2}, -(2**63)),
    ({1: "x"}, -1),
    ({}, [1]),
    ({}, ([], 1)),
    (MANY, [1]),
    (MANY, ([], 1)),
)


def with_default(calls: tuple[tuple[dict[Any, Any], Any], ...]) -> tuple[tuple[Any, ...], ...]:
    return tuple((d, key, next(iter(d.values()), 0) if not isinstance(key, bool) else 5) for d, key in calls)


def move_to_end(table: dict[Any, Any], key: Any, last: bool) -> None:
    ordered = collections.OrderedDict(table)
    ordered.move_to_end(key, last=last)
    table.clear()
    table.update(ordered)


CHANGED = "dictionary keys changed during a search"


def probed(items: dict[Any, Any] | set[Any], hashed: int, after: int) -> int:
    return -2 if items else -1  # nobody gave these entries hashes


def rehashed(items: dict[Any, Any] | set[Any], hashes: list[int]) -> None:
    if len(items) != len(hashes):
        raise RuntimeError("dictionary keys changed during hashing")


def dict_with(table: dict[Any, Any], hashed: int, key: Any, value: Any) -> None:
    table[key] = value


def set_with(items: set[Any], hashed: int, item: Any) -> None:
    items.add(item)


def key_at(items: dict[Any, Any] | set[Any], place: int) -> Any:
    if not 0 <= place < len(items):
        raise RuntimeError(CHANGED)
    return list(items)[place]


def stored_at(table: dict[Any, Any], place: int, value: Any) -> None:
    table[key_at(table, place)] = value


def removed_at(items: dict[Any, Any] | set[Any], place: int) -> None:
    key = key_at(items, place)
    items.discard(key) if isinstance(items, set) else items.pop(key)


def moved_at(table: dict[Any, Any], place: int, last: bool) -> None:
    move_to_end(table, key_at(table, place), last)


def next_entry(table: dict[Any, Any], position: int, length: int) -> int:
    if len(table) != length:
        raise RuntimeError("dictionary changed size during iteration")
    return position if position < len(table) else -1


PLAIN |= {
    "len.dict": [plain(len, *((x,) for x in ({}, ONE, MANY, DEEP)))],
    "getitem.dict": [plain(operator.getitem, *FOUND)],
    "setitem.dict": [
        plain(
            set_item,
            (ONE, "a", 2),
            (ONE, "b", 2),
            ({}, "k", 1),
            (DEEP, 1, SHARED),
            (BY_FLOAT, -0.0, "n"),
            ({}, [1], 1),
            (BY_TUPLE, (1, "x"), 9.5),
        )
    ],
    "delitem.dict": [plain(delete_item, *FOUND)],
    "contains.dict": [plain(contains, *FOUND)],
    "dict.get": [plain(call_method("get"), *FOUND)],
    "dict.get.default": [plain(call_method("get"), *with_default(FOUND))],
    "dict.setdefault": [plain(call_method("setdefault"), *with_default(FOUND))],
    "dict.pop": [plain(call_method("pop"), *FOUND)],
    "dict.pop.default": [plain(call_method("pop"), *with_default(FOUND))],
    "dict.update": [
        plain(
            call_method("update"), (ONE, {"b": 2}), (MANY, {"c": 9, "z": 8}), ({}, {}), (ONE, {}), (DEEP, {3: SHARED})
        )
    ],
    "dict.move_to_end": [
        plain(move_to_end, *((MANY, key, last) for key in ("a", "c", "none") for last in (False, True)), (ONE, "a", True))
    ],
    "dict.version": [plain(lambda d: 0, ({},))],
    "keys.probe.dict": [plain(probed, ({}, 1, -1), (ONE, 1, -1))],
    "keys.probe.set": [plain(probed, (set(), 1, 3), ({1, 2}, 1, -1))],
    "keys.hashes.dict": [plain(lambda d: [hash(key) for key in d], ({},), ({5: 1, -7: 2},))],
    "keys.hashes.set": [plain(lambda s: [hash(item) for item in s], (set(),), ({5, 6},))],
    "keys.rehash.dict": [plain(rehashed, ({}, []), (ONE, [7]), (MANY, [1, 1, 1]), (ONE, [1, 2]))],
    "keys.rehash.set": [plain(rehashed, (set(), []), ({1, 2}, [4, 4]), ({1}, []))],
    "keys.append.dict": [plain(dict_with, (ONE, 3, "z", 2), ({}, 1, "k", 1))],
    "keys.append.set": [plain(set_with, ({1}, 3, 7), (set(), 1, 5))],
    "keys.store": [plain(stored_at, (MANY, 1, 9), (ONE, 0, 4), (ONE, 1, 4), (ONE, -1, 4))],
    "keys.remove.dict": [plain(removed_at, (MANY, 1), (ONE, 0), (ONE, 1), ({}, 0))],
    "keys.remove.set": [plain(removed_at, ({1, 2}, 1), ({1}, 0), ({1}, 1))],
    "keys.move": [plain(moved_at, (MANY, 1, True), (MANY, 1, False), (ONE, 0, True), (ONE, 1, True))],
    "keys.combine": [plain(lambda hashes: hash(tuple(hashes)), ([],), ([1, 2],), ([-5, 0, 7],))],
    "dict.clear": [plain(call_method("clear"), ({},), (ONE,), (DEEP,))],
    "dict.copy": [plain(dict, ({},), (ONE,), (DEEP,), (BY_TUPLE,))],
    "dict.keys": [plain(lambda d: list(d), ({},), (MANY,), (BY_TUPLE,), (BY_FLOAT,))],
    "dict.values": [plain(lambda d: list(d.values()), ({},), (MANY,), (DEEP,), (BY_FLOAT,))],
    "dict.items": [plain(lambda d: list(d.items()), ({},), (MANY,), (DEEP,), (BY_TUPLE,))],
    "dict.next": [
        plain(next_entry, *((MANY, p, 3) for p in (0, 1, 2, 3, 2**63 - 1)), ({}, 0, 0), (MANY, 0, 2), (MANY, 3, 4))
    ],
    "dict.key_at": [plain(lambda d, p: list(d)[p], *((MANY, p) for p in (0, 1, 2)), (BY_TUPLE, 1))],
    "dict.value_at": [plain(lambda d, p: list(d.values())[p], *((MANY, p) for p in (0, 1, 2)), (DEEP, 0))],
}

# ---- Values of any kind

ORDERED: tuple[tuple[Any, Any], ...] = (
    ([1, 2], [1, 3]),
    ([1, 2], [1]),
    ([], []),
    ((1, "a"), (1, "b")),
    ((), (1,)),
    ("a", "b"),
    (1, 2.5),
    (True, 1),
    ([[1]], [[1, 0]]),
    (INTS, INTS),
    ([1.0, 2.0], [1.0, NAN]),
    ((1, 2), (1, 2)),
    (b"a", b"b"),
    ([True], [1]),
)
UNORDERED: tuple[tuple[Any, Any], ...] = (
    ([1], (1,)),
    (1, "a"),
    ({}, {}),
    (None, None),
    ([1, "a"], [1, 2]),
    (2j, 1j),
    ("a", b"a"),
    ([], None),
)
EQUAL: tuple[tuple[Any, Any], ...] = (
    *ORDERED,
    *UNORDERED,
    ({"a": [1]}, {"a": [1]}),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({"a": 1}, {"a": 2}),
    (1, True),
    (1, 1.0),
    (1, 1 + 0j),
    (2**53 + 1, 2.0**53),
    (0.0, -0.0),
    (NAN, NAN),
    ("1", 1),
    ([], ()),
    ([[], [[]]], [[], [[]]]),
    (None, 0),
    ((1, (2, [3])), (1, (2, [3]))),
)
HELD: tuple[tuple[Any, Any], ...] = (
    ([1, 2], 2),
    ([1, 2], 2.0),
    ([1, "a", None], None),
    ((1, "a"), "a"),
    ((), 1),
    ({"a": 1}, "a"),
    ({"a": 1}, 1),
    ({1: 2}, 1.0),
    ("abc", "b"),
    ("abc", 1),
    (5, 1),
    (None, 1),
    ([[1]], [1]),
    ({"a": 1}, [1]),
    (2.5, 1),
    ({(1, 2): 3}, (1, 2)),
    ([NAN], 1.0),
)
for _name in ("lt", "le", "gt", "ge"):
    PLAIN[f"{_name}.any"] = [plain(getattr(operator, _name), *ORDERED, *UNORDERED)]
PLAIN |= {
    "eq.any": [plain(operator.eq, *EQUAL)],
    "ne.any": [plain(operator.ne, *EQUAL)],
    "contains.any": [plain(contains, *HELD)],
    "bool.any": [plain(bool, *((x,) for x in (*FALSY, *TRUTHY)))],
    "is.any": [
        plain(
            operator.is_,
            (None, None),
            (True, True),
            (True, False),
            (INTS, INTS),
            (INTS, [*INTS]),
            (None, 0),
            (SHARED, SHARED),
            (DEEP, DEEP),
            ({}, {}),
        )
    ],
    "hash.any": [
        plain(
            hash,
            *(
                (x,)
                for x in (
                    0,
                    1,
                    -1,
                    -2,
                    True,
                    2**61 - 1,
                    2**61,
                    2**63 - 1,
                    -(2**63),
                    0.0,
                    -0.0,
                    1.0,
                    2.5,
                    -2.5,
                    1e300,
                    5e-324,
                    2.0**61,
                )
            ),
        ),
        plain(
            hash,
            *(
                (x,)
                for x in (
                    float("inf"),
                    float("-inf"),
                    2j,
                    1 + 0j,
                    (),
                    (1,),
                    (1, 2),
                    ((1, 2.5), (3,)),
                    [],
                    {},
                    ([],),
                    [1],
                )
            ),
        ),
    ],
}
ERRORS: dict[str, list[Failure]] = {
    "keys.append.dict": [Failure(({}, 3, [1], 2), "TypeError", "unhashable type: 'list'", reference=dict_with)],
    "keys.append.set": [Failure((set(), 3, [1]), "TypeError", "unhashable type: 'list'", reference=set_with)],
    "mul.list": [
        Failure(([1], 2**62), "MemoryError", "", only_ours=True),
        Failure((["a"], 2**62), "MemoryError", "", only_ours=True),
    ],
    "range_length": [Failure((-(2**63), 2**63 - 1, 1), "OverflowError", "", only_ours=True)],
    "range_list": [Failure((0, 2**62, 1), "MemoryError", "", only_ours=True)],
    "dict.key_at": [
        Failure((MANY, p), "RuntimeError", "changed", only_ours=True) for p in (3, -1, 2**63 - 1, -(2**63))
    ],
    "dict.value_at": [
        Failure((MANY, p), "RuntimeError", "changed", only_ours=True) for p in (3, -1, 2**63 - 1, -(2**63))
    ],
}

# ---- Exceptions

TYPES = (
    "ValueError",
    "KeyError",
    "IndexError",
    "ZeroDivisionError",
    "RuntimeError",
    "OverflowError",
    "AssertionError",
    "NotImplementedError",
)
MESSAGES = ("", "bad", "it's", "日本", "x" * 5000)

ARGUMENTS: tuple[tuple[Any, ...], ...] = ((), ("",), ("it's",), (1,), (None,), (2.5, "b"), ((1, "t"),), ("a", 1, True))


def builtin(name: str) -> Any:
    return getattr(builtins, name)


def made(name: str, message: str) -> str:
    """An exception's repr; the message is its str(), so that of a KeyError is already a repr."""
    return f"{name}({message})" if name == "KeyError" else repr(builtin(name)(*([message] if message else [])))


def told(text: str, warning: Raised, level: int) -> bool:
    warnings.warn(text, UserWarning, stacklevel=level)
    return False


def is_instance(error: Raised, name: str) -> bool:
    return issubclass(builtin(error.name), builtin(name))


PLAIN |= {
    "exception.new": [plain(made, *itertools.product(TYPES, MESSAGES))],
    "exception.matches": [
        plain(
            is_instance,
            *(
                (Raised(name, "m"), other)
                for name in TYPES
                for other in (*TYPES, "Exception", "ArithmeticError", "LookupError", "OSError")
            ),
        )
    ],
    "exception.make": [
        plain(
            lambda name, args, attributes: repr(builtin(name)(*args)),
            *itertools.product(TYPES, ARGUMENTS, (None, ("code", 1))),
        ),
        plain(lambda name, args, attributes: f"Mine{args!r}", ("Mine<ValueError", (1, "a"), None)),
    ],
    "exception.args": [
        plain(
            lambda error: error.args if error.args is not None else (error.message,) * bool(error.message),
            *((Raised("KeyError", "m", args),) for args in (None, *ARGUMENTS)),
            (Raised("ValueError", ""),),
        )
    ],
    "exception.attribute": [
        plain(
            lambda error, name: dict(zip(error.attributes[::2], error.attributes[1::2]))[name],
            *((Raised("Mine<ValueError", "", (), ("x", 1, "text", "t", "none", None)), name) for name in ("x", "text", "none")),
        )
    ],
    "exception.set": [
        plain(
            lambda error, name, value: None,
            (Raised("ValueError", "m"), "note", 1),
            (Raised("Mine<ValueError", "", (), ("note", 1)), "note", [1]),
            (Raised("Mine<ValueError", "", (), ("x", 1)), "note", "t"),
        )
    ],
    "exception.handle": [plain(lambda error: None, (None,))],
    "warn.exception": [plain(told, ("careful", Raised("UserWarning", "x"), 1))],
    "exception.class": [
        plain(
            lambda error: error.name.split("<")[0].split(".")[0],
            *((Raised(name, "m"),) for name in ("ValueError", "Mine<ValueError", "Mine.1<Base<KeyError")),
        )
    ],
    "exception.message": [
        plain(
            lambda error: str(builtin(error.name)(*error.args)),
            *((Raised(name, "", args),) for name in TYPES for args in ARGUMENTS),
        ),
        plain(
            lambda error: error.message,
            *((Raised(name, message),) for name in ("ValueError", "RuntimeError") for message in MESSAGES),
        )
    ],
}
