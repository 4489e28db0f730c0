"""`tsm.List` and `tsm.Dict`: as sequences and mappings, and as what a program and Python both keep."""

from __future__ import annotations

import copy
import gc
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple, Union

import pytest

import tsm
from tsm import Tensor, nn
from tsm.binding import library
from tsm.binding.library import lib


def steps_of_a_list(xs: Any) -> list[Any]:
    """What a list of [3, 1, 2] gives, step by step: results, or class and text of errors."""
    found: list[Any] = []

    def step(run: Callable[[], Any]) -> None:
        try:
            result = run()
        except Exception as error:
            result = type(error).__name__, str(error)
        found.append((result if not isinstance(result, tsm.List) else list(result), list(xs), repr(xs), len(xs)))

    step(lambda: xs.append(5))
    step(lambda: xs[0])
    step(lambda: xs[-1])
    step(lambda: xs[9])
    step(lambda: xs["a"])
    step(lambda: xs[1:])
    step(lambda: xs[::-2])
    step(lambda: xs.__setitem__(0, 7))
    step(lambda: xs.__setitem__(9, 7))
    step(lambda: xs.__setitem__(slice(1, 2), [8, 9]))
    step(lambda: xs.insert(1, 4))
    step(lambda: xs.insert(-100, 4))
    step(lambda: xs.pop())
    step(lambda: xs.pop(0))
    step(lambda: xs.pop(50))
    step(lambda: xs.__delitem__(0))
    step(lambda: xs.__delitem__(slice(0, 1)))
    step(lambda: xs.__delitem__(40))
    step(lambda: xs.extend([1, 2, 2, 6]))
    step(lambda: xs.extend(xs))
    step(lambda: xs.count(2))
    step(lambda: xs.index(6))
    step(lambda: xs.remove(6))
    step(lambda: 2 in xs)
    step(lambda: "a" in xs)
    step(lambda: xs.reverse())
    step(lambda: xs.sort(reverse=True))
    step(lambda: xs.sort(key=lambda x: x % 3))
    step(lambda: xs == list(xs))
    step(lambda: list(xs) == xs)
    step(lambda: xs != [1])
    step(lambda: xs + [1])
    step(lambda: xs < [100])
    step(lambda: list(reversed(xs)))
    step(lambda: xs.copy())
    step(lambda: xs.__iadd__([4]) is xs)
    step(lambda: hash(xs) and None)
    step(lambda: xs.clear())
    step(lambda: xs.pop())
    return found


def test_a_list_is_as_pythons() -> None:
    expected = steps_of_a_list([3, 1, 2])
    got = steps_of_a_list(tsm.List[int]([3, 1, 2]))
    for want, found in zip(expected, got, strict=True):
        if want[0] != found[0] and isinstance(want[0], tuple):  # the texts name the class
            assert want[0][0] == found[0][0] and want[1:] == found[1:]
            continue
        assert want == found


def steps_of_a_dict(d: Any) -> list[Any]:
    found: list[Any] = []

    def step(run: Callable[[], Any]) -> None:
        try:
            result = run()
        except Exception as error:
            result = type(error).__name__, str(error)
        found.append((dict(result) if isinstance(result, tsm.Dict) else result, list(d.items()), repr(d), len(d)))

    step(lambda: d.__setitem__("c", 3))
    step(lambda: d["a"])
    step(lambda: d["z"])
    step(lambda: d[1])
    step(lambda: d[[1]])
    step(lambda: d.get("z", -1))
    step(lambda: d.setdefault("y", 8))
    step(lambda: d.pop("a"))
    step(lambda: d.pop("a"))
    step(lambda: d.pop("a", None))
    step(lambda: d.update({"b": 0, "k": 1}))
    step(lambda: d.update(m=4))
    step(lambda: d.__delitem__("nope"))
    step(lambda: d.__delitem__("m"))
    step(lambda: "b" in d)
    step(lambda: 1 in d)
    step(lambda: list(d))
    step(lambda: list(reversed(d)))
    step(lambda: list(d.values()))
    step(lambda: sorted(d.keys() & {"b", "q"}))
    step(lambda: d == dict(d))
    step(lambda: dict(d) == d)
    step(lambda: d | {"n": 1})
    step(lambda: d.__ior__({"n": 1}) is d)
    step(lambda: d.copy())
    step(lambda: [d.__setitem__("new", 1) for _ in d])
    step(lambda: hash(d) and None)
    step(lambda: d.clear())
    step(lambda: d.popitem() and None)
    return found


def test_a_dict_is_as_pythons() -> None:
    expected = steps_of_a_dict({"a": 1, "b": 2})
    got = steps_of_a_dict(tsm.Dict[str, int]({"a": 1, "b": 2}))
    for want, found in zip(expected, got, strict=True):
        if want[0] != found[0] and isinstance(want[0], tuple):
            assert want[0][0] == found[0][0] and want[1:] == found[1:]
            continue
        assert want == found


@pytest.mark.parametrize(
    ("kind", "items"),
    [
        (bool, [True, False]), (float, [1.5, -0.0]), (str, ["é", ""]), (bytes, [b"\0"]), (complex, [1j]),
        (Tuple[int, str], [(1, "a")]), (tuple[int, ...], [(1, 2), ()]), (Optional[int], [None, 1]),
        (Optional[str], [None, "x"]), (type(None), [None]),
    ],
    ids=str,
)
def test_elements(kind: Any, items: list[Any]) -> None:
    made = tsm.List[kind](items)
    assert made == items and list(made) == items and repr(made) == repr(items)
    assert tsm.List(made) == items
    table = tsm.Dict[int, kind](dict(enumerate(items)))
    assert table == dict(enumerate(items))


def test_tensors_share_memory() -> None:
    x = tsm.zeros(2)
    made = tsm.List([x])
    x += 1
    made[0][0] = 5
    assert x.tolist() == [5.0, 1.0]


@pytest.mark.parametrize("kind", [set[int], dict, list, object, Union[int, str], List[set], Dict[Tensor, int]], ids=str)
def test_other_elements_are_refused(kind: Any) -> None:
    with pytest.raises(TypeError, match="a tsm.List or tsm.Dict holds numbers, texts, tensors, tuples"):
        tsm.List[kind]()


def nested_steps(table: Any, other: Any) -> list[Any]:
    """What Python's dict of lists of lists gives, and one that lives in the runtime."""
    inner = table["a"]
    inner.append([5])
    inner[0].append(9)
    table["b"] = [[1], []]
    table["b"][1].extend([2, 3])
    table["c"] = other
    other.append([8])
    del table["b"][0]
    found = [table["a"] is table["a"], table["c"] == other, [list(each) for each in table["a"]], len(table["b"])]
    table["a"], last = [], table["a"].pop()
    return [*found, last, inner, table, list(table.values()), table.get("z"), other[-1] == [8]]


def test_containers_of_containers_stay_where_they_are() -> None:
    want = nested_steps({"a": [[1, 2], [3]]}, [[0]])
    for made in tsm.script({"a": [[1, 2], [3]]}), tsm.Dict[str, tsm.List[List[int]]]({"a": [[1, 2], [3]]}):
        assert repr(nested_steps(made, tsm.List([[0]]))) == repr(want) and isinstance(made["b"][0], tsm.List)
    assert tsm.script([[], [1]]) == [[], [1]] and tsm.script([{"a": 1.5}])[0]["a"] == 1.5
    for unclear in ([[]], [[1], ["a"]], [[1], {}], {"a": {}}):
        with pytest.raises(TypeError):
            tsm.script(unclear)
    with pytest.raises(TypeError, match="expected int, got str"):
        tsm.script([[1]]).append(["a"])


def fill(table: Dict[str, List[int]], n: int) -> List[int]:
    table["a"].append(n)
    table["b"] = [n]
    table["b"].append(n)
    return table["a"]


def test_programs_change_what_is_inside() -> None:
    made, plain = tsm.script({"a": [1]}), {"a": [1]}
    inner, scripted = made["a"], tsm.script(fill)
    assert scripted(made, 4) == fill(plain, 4) == [1, 4] and made == plain and inner == [1, 4]
    kept = made["b"]
    del scripted
    gc.collect()
    kept.append(7)
    assert made == {"a": [1, 4], "b": [4, 4, 7]}


class Table(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rows: Dict[str, List[int]] = {"a": [0]}

    @tsm.export
    def keep(self, rows: tsm.Dict[str, List[int]]) -> None:
        self.rows = rows

    @tsm.export
    def add(self, name: str, n: int) -> int:
        self.rows.setdefault(name, []).append(n)
        return len(self.rows[name])

    @tsm.export
    def all(self) -> tsm.Dict[str, List[int]]:
        return self.rows


def test_a_module_keeps_containers_of_containers() -> None:
    module, rows = tsm.script(Table()), tsm.script({"a": [1]})
    assert module.add("a", 5) == 2 and module.all() == {"a": [0, 5]}
    module.keep(rows)
    inner = rows["a"]
    assert module.add("a", 6) == 2 and inner == [1, 6] and module.all() is rows
    inner.append(7)
    assert module.add("a", 8) == 4 and module.add("b", 1) == 1 and rows == {"a": [1, 6, 7, 8], "b": [1]}


def test_parts_are_guarded_as_their_whole() -> None:
    outer, inner = tsm.List[List[int]](), tsm.List([1])
    outer.append(inner)
    assert inner.guard is outer.guard is outer[0].guard and outer[0] is inner
    copied = outer.copy()
    copied[0].append(2)
    assert inner == [1, 2] and copied.guard is outer.guard


def test_an_element_of_another_type_changes_nothing() -> None:
    made = tsm.List[int]([1, 2])
    for run in (
        lambda: made.append("a"), lambda: made.insert(0, 1.5), lambda: made.__setitem__(0, None),
        lambda: made.__setitem__(slice(0, 2), [7, "a"]),
    ):
        with pytest.raises(TypeError, match="expected int, got"):
            run()
        assert made == [1, 2]
    with pytest.raises(OverflowError):
        made.append(2**63)
    with pytest.raises(TypeError, match="name the type of the elements"):
        tsm.List()
    with pytest.raises(TypeError, match="name the types of keys and values"):
        tsm.Dict()
    with pytest.raises(TypeError, match="takes two types"):
        tsm.Dict[int]


class History(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen: List[int] = [0]
        self.table: Dict[str, float] = {}

    @tsm.export
    def keep(self, xs: tsm.List[int], table: "tsm.Dict[str, float]") -> None:
        self.seen = xs
        self.table = table

    @tsm.export
    def push(self, n: int) -> int:
        self.seen.append(n)
        self.table[str(n)] = n / 2
        return len(self.seen)

    @tsm.export
    def history(self) -> tsm.List[int]:
        return self.seen

    @tsm.export
    def names(self, extra: List[int]) -> List[str]:
        extra.extend(self.seen)
        return list(self.table)

    def forward(self, x: Tensor) -> Tensor:
        return x * len(self.seen)


def use(module: Any) -> list[Any]:
    xs, table = tsm.List[int]([5]), tsm.Dict[str, float]()
    module.keep(xs, table)
    out: list[Any] = [module.push(1)]
    xs.append(2)
    out += [list(xs), module.push(3), table.todict()]
    history = module.history()
    out += [history is xs, list(history)]
    history[0] = -1
    extra: list[int] = [9]
    out += [module.names(extra), extra, xs[0], module(tsm.ones(1)).tolist()]
    del xs, table, history
    gc.collect()
    out += [module.push(4), list(module.history())]
    return out


def test_what_a_module_keeps_is_the_callers(tmp_path: Path) -> None:
    scripted = tsm.script(History())
    scripted.save(tmp_path / "h.tsm")
    expected = use(History())
    assert use(scripted) == expected
    assert use(tsm.load(tmp_path / "h.tsm")) == expected
    fresh = tsm.load(tmp_path / "h.tsm")
    assert fresh.history() == [0] and fresh.history() is fresh.history()
    fresh.history().append(7)
    assert fresh.push(1) == 3
    fresh.reset()
    assert fresh.history() == [0]


def test_a_plain_container_that_is_kept_is_refused() -> None:
    scripted = tsm.script(History())
    with pytest.raises(TypeError, match=r"'xs': expected tsm.List\[int\], which the program can keep, got list: pass"):
        scripted.keep([1], tsm.Dict[str, float]())
    with pytest.raises(TypeError, match=r"'table': expected dict\[str, float\], got tsm.Dict\[str, int\]"):
        scripted.keep(tsm.List([1]), tsm.Dict({"a": 1}))

    def nested(xs: tsm.List[Set[int]]) -> int:
        return len(xs)

    with pytest.raises(tsm.CompileError, match="'xs': a tsm.List or tsm.Dict cannot hold sets"):
        tsm.script(nested)


def test_without_conversion_where_a_list_is_asked_for() -> None:
    def change(xs: List[int], d: Dict[str, int], o: Optional[List[float]] = None) -> Tuple[List[int], int]:
        xs.append(len(d))
        d["n"] = len(xs)
        if o is not None:
            o.append(1)
        return xs, sum(xs)

    scripted = tsm.script(change)
    xs, d, o = tsm.List([1]), tsm.Dict({"a": 1}), tsm.List([0.5])
    result, total = scripted(xs, d, o)
    assert result is xs and total == 2 and xs == [1, 1] and d == {"a": 1, "n": 2} and o == [0.5, 1.0]
    with pytest.raises(TypeError, match=r"expected list\[int\], got tsm.List\[float\]"):
        scripted(tsm.List([1.0]), d)
    assert scripted(xs, d) == (xs, 4) and xs == [1, 1, 2]


def test_a_script_makes_lists_of_its_own() -> None:
    def makes() -> List[int]:
        return tsm.List([1])

    with pytest.raises(tsm.CompileError, match="instances of 'List' cannot be made in scripts"):
        tsm.script(makes)


def test_annotation_on_a_function() -> None:
    @tsm.script
    def push(xs: tsm.List[int], n: int) -> tsm.List[int]:
        xs.append(n)
        return xs

    xs = tsm.List[int]()
    assert push(xs, 3) is xs and xs == [3]
    with pytest.raises(TypeError, match="expected tsm.List"):
        push([1], 3)


def test_one_thread_at_a_time() -> None:
    xs = tsm.List(list(range(10)))
    started, stop = threading.Event(), threading.Event()

    @tsm.jit.ignore
    def wait(n: int) -> None:
        started.set()
        assert stop.wait(20)

    @tsm.script
    def busy(xs: List[int]) -> int:
        wait(1)
        xs.append(1)
        return len(xs)

    @tsm.script
    def count(xs: List[int]) -> int:
        return len(xs)

    thread = threading.Thread(target=lambda: busy(xs))
    thread.start()
    assert started.wait(20)
    with pytest.raises(RuntimeError, match="in use by another thread"):
        xs.append(3)
    with pytest.raises(RuntimeError, match="in use by another thread"):
        count(xs)
    stop.set()
    thread.join()
    assert len(xs) == 11


def test_two_containers_of_one_program_in_another() -> None:
    @tsm.script
    def both(xs: tsm.List[int], ys: tsm.List[int]) -> int:
        xs.append(len(ys))
        return len(xs)

    @tsm.script
    def others(xs: tsm.List[int], ys: tsm.List[int]) -> int:
        ys.append(len(xs))
        return len(ys)

    xs, ys = tsm.List[int](), tsm.List([1])
    assert both(xs, ys) == 1 and others(xs, ys) == 2 and others(ys, ys) == 3 and both(ys, ys) == 4
    assert xs == [1] and ys == [1, 1, 2, 3]


def test_in_a_function_of_the_host() -> None:
    seen: list[int] = []

    @tsm.jit.ignore
    def look(n: int) -> None:
        seen.append(len(xs))
        xs.append(n)

    @tsm.script
    def calls(given: List[int]) -> List[int]:
        look(1)
        given.append(2)
        look(3)
        return given

    xs = tsm.List([0])
    assert calls(xs) is xs and xs == [0, 1, 2, 3] and seen == [1, 3]


def test_deep_copies_and_pickles_are_refused() -> None:
    with pytest.raises(TypeError):
        copy.deepcopy(tsm.List([1]))


def test_constants_of_a_program_outlive_it() -> None:
    """What a program put into a container is read after the program is gone, and its memory in use again."""

    @tsm.script
    def fill(words: list[str]) -> int:
        words.append("a constant of the program")
        return len(words)

    words = tsm.List[str]()
    assert fill(words) == 1
    del fill
    gc.collect()
    others = [tsm.List[str](["z" * size] * 30) for size in (25, 24, 26) for _ in range(200)]
    assert words == ["a constant of the program"] and len(others) == 600


def churn() -> None:
    """Uses memory again that something was wrongly given back of."""
    gc.collect()
    others = [tsm.List[str](["z" * size] * 30) for size in (2, 8, 24, 25, 26, 40) for _ in range(200)]
    assert len(others) == 1200


def test_constants_move_on_to_other_programs() -> None:
    """Out of a container that a first program filled into the state of a second one, where they stay."""

    class First(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.names = ["an initial text of the first", "another"]

        @tsm.export
        def fill(self, parts: tsm.List[tuple[str, bytes]], texts: tsm.List[str], text: str = "a default text") -> int:
            parts.append(("a text in a tuple", b"bytes in a tuple"))
            texts.append(self.names[0])
            texts.append(text)
            return len(texts)

    class Second(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.kept: dict[str, bytes] = {"a key of the second": b""}

        @tsm.export
        def take(self, parts: tsm.List[tuple[str, bytes]], texts: tsm.List[str]) -> int:
            for name, value in parts:
                self.kept[name] = value
            for text in texts:
                self.kept[text] = b"text"
            return len(self.kept)

        @tsm.export
        def look(self) -> dict[str, bytes]:
            return {name: value for name, value in self.kept.items()}

    first, second = tsm.script(First()), tsm.script(Second())
    parts, texts = tsm.List[tuple[str, bytes]](), tsm.List[str]()
    assert first.fill(parts, texts) == 2
    assert second.take(parts, texts) == 4
    del first, parts, texts
    churn()
    assert second.look() == {
        "a key of the second": b"", "a text in a tuple": b"bytes in a tuple", "an initial text of the first": b"text",
        "a default text": b"text",
    }


def test_a_program_goes_with_the_last_of_its_texts(tmp_path: Path) -> None:
    @tsm.script
    def fill(words: list[str]) -> int:
        words.append("a constant of the program")
        return len(words)

    fill.save(tmp_path / "fill.tsm")
    words, sizes = tsm.List[str](), []
    for _ in range(6):
        assert tsm.load(tmp_path / "fill.tsm")(words) == 1
        words.clear()
        gc.collect()
        sizes.append(lib.tsm_runtime_memory(library.runtime()))
    assert len(set(sizes[1:])) == 1
