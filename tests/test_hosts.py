"""Functions marked `tsm.jit.ignore` are called in Python while a program runs there, and by name anywhere else.

Each program gives on every road what plain Python gives: arguments changed by reference, exceptions, order of effects.
"""

from __future__ import annotations

import enum
import math
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Set, Tuple, Union

import pytest

import tsm
from tsm import Tensor, nn
from tsm.binding.program import Program
from tsm.ir import passes
from tsm.ir.parser import parse
from tsm.ir.printer import print_program
from tsm.loaded import LoadedModule
from tsm.serialize import dumps


def roads(function: Callable[..., Any], tmp_path: Path) -> list[Callable[..., Any]]:
    """The Python function, scripted, without passes, printed and parsed, saved and loaded."""
    scripted = tsm.script(function)
    hosts, classes = scripted._optimised.hosts, list(scripted._classes.values())

    def made(program: Any) -> Any:
        loaded = Program.from_bytes(dumps(program), functions=hosts)
        loaded.exceptions = loaded.hosts.classes = scripted._optimised.exceptions
        return LoadedModule(loaded, classes=classes)

    plain = tsm.to_ir(function)
    parsed = parse(print_program(passes.optimize(tsm.to_ir(function))))
    scripted.save(tmp_path / "f.tsm")
    loaded = tsm.load(tmp_path / "f.tsm", classes=classes, functions=hosts)
    loaded.program.exceptions = loaded.program.hosts.classes = scripted._optimised.exceptions
    return [function, scripted, made(plain), made(parsed), loaded]


class Unusual(ValueError):
    pass


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Pair(NamedTuple):
    a: int
    b: List[int]


@dataclass
class Box:
    size: int
    items: List[str] = field(default_factory=list)
    inner: Optional["Box"] = None


@tsm.jit.ignore
def describe(a: int, b: float, c: str, d: Optional[bytes], e: Tuple[int, str], *, g: bool = True) -> str:
    return f"{a!r} {b!r} {c!r} {d!r} {e!r} {g!r}"


@tsm.jit.ignore
def grow(xs: List[int], table: Dict[str, List[int]], seen: Set[int]) -> List[int]:
    xs.append(len(xs))
    table.setdefault("new", []).append(xs[0])
    table["same"] = xs
    seen.add(99)
    return xs


@tsm.jit.ignore
def open_box(box: Box, name: str) -> Box:
    box.size += 1
    box.items.append(name)
    if box.inner is None:
        box.inner = Box(0)
        return box.inner
    return box


@tsm.jit.ignore
def picky(n: int) -> int:
    if n == 0:
        raise KeyError("k", n)
    if n == 1:
        raise Unusual("odd", (n, 2))
    if n == 2:
        raise FileNotFoundError("no")
    if n == 3:
        return 10 // (n - 3)
    return n


@tsm.jit.ignore
def other(colour: Colour, pair: Pair, value: Union[int, str]) -> Pair:
    pair.b.append(colour.value)
    return Pair(pair.a + 1, pair.b) if value == 1 else Pair(-1, [0])


@tsm.jit.ignore
def nothing(x: Tensor) -> None:
    x += 1


@tsm.jit.ignore
def number(x: int) -> float:
    return x


def calls_describe(n: int) -> Tuple[str, str]:
    return describe(n, 1.0, "é", None, (n, "t")), describe(n, c="c", d=b"\0", e=(1, "u"), b=math.inf, g=False)


def calls_grow(xs: List[int], seen: Set[int]) -> Tuple[List[int], Dict[str, List[int]], bool, int]:
    table = {"old": [5]}
    first = grow(xs, table, seen)
    first.append(-1)
    second = grow(table["same"], table, seen)
    return second, table, first is xs, len(seen)


def calls_open_box(box: Box) -> Tuple[Box, int, Optional[Box], bool]:
    inner = open_box(box, "a")
    inner.size += 10
    same = open_box(box, "b") is box
    return inner, box.size, box.inner, same


def calls_picky(ns: List[int]) -> List[str]:
    out: List[str] = []
    for n in ns:
        try:
            out.append(str(picky(n)))
        except Unusual as e:
            out.append(f"unusual {e} {e.args}")
        except LookupError as e:
            out.append(f"lookup {e}")
        except OSError as e:
            out.append(f"os {e}")
        finally:
            out.append("done")
    return out


def passes_on(n: int) -> int:
    return picky(n) + 1


def calls_other(colour: Colour, items: List[int]) -> Tuple[Pair, Pair, List[int]]:
    pair = Pair(1, items)
    return other(colour, pair, 1), other(Colour.BLUE, pair, "s"), items


def calls_nothing(n: int) -> Tuple[List[float], None]:
    x = tsm.zeros(2)
    y = x[0]
    for _ in range(n):
        nothing(y)
    return x.tolist(), nothing(x)


def calls_number(n: int) -> Tuple[float, bool]:
    return number(n), isinstance(number(n), float)


PROGRAMS: list[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = [
    (calls_describe, lambda: (3,)),
    (calls_grow, lambda: ([7], {1})),
    (calls_grow, lambda: ([7, 8, 9], set())),
    (calls_open_box, lambda: (Box(1),)),
    (calls_open_box, lambda: (Box(1, ["z"], Box(5)),)),
    (calls_picky, lambda: ([0, 1, 2, 4],)),
    (calls_other, lambda: (Colour.RED, [1])),
]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=lambda value: getattr(value, "__name__", ""))
def test_gives_what_python_gives(
    function: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]], tmp_path: Path
) -> None:
    found = []
    for road in roads(function, tmp_path):
        given = arguments()
        found.append((road(*given), given))
    assert all(each == found[0] for each in found[1:]), found


def test_tensors_are_shared() -> None:
    scripted = tsm.script(calls_nothing)
    assert scripted(3) == calls_nothing(3)


def test_an_int_becomes_a_declared_float() -> None:
    assert repr(tsm.script(calls_number)(3)) == "(3.0, True)"


@pytest.mark.parametrize("n", range(4))
def test_exceptions_pass_through(n: int, tmp_path: Path) -> None:
    for road in roads(passes_on, tmp_path):
        with pytest.raises((KeyError, Unusual, FileNotFoundError, ZeroDivisionError)) as caught:
            road(n)
        with pytest.raises(type(caught.value)) as expected:
            picky(n)
        assert type(caught.value) is type(expected.value) and caught.value.args == expected.value.args


def test_the_exception_is_the_one_that_was_raised() -> None:
    kept: list[BaseException] = []

    @tsm.jit.ignore
    def fails(n: int) -> int:
        kept.append(RuntimeError([n], "list"))
        raise kept[-1]

    def calls(n: int) -> int:
        return fails(n)

    with pytest.raises(RuntimeError) as caught:
        tsm.script(calls)(1)
    assert caught.value is kept[0] and caught.value.args == ([1], "list")
    assert "in calls" in caught.value.tsm_traceback


def test_interrupts_pass_handlers_of_exception() -> None:
    @tsm.jit.ignore
    def stops(n: int) -> int:
        raise KeyboardInterrupt

    def calls(n: int) -> int:
        try:
            return stops(n)
        except Exception:
            return 0

    with pytest.raises(KeyboardInterrupt):
        tsm.script(calls)(1)


def test_a_result_of_another_type_is_a_type_error() -> None:
    @tsm.jit.ignore
    def lies(n: int) -> List[int]:
        return [n, "a"]

    @tsm.jit.ignore
    def unannotated(n: int):
        return n

    def calls(n: int, second: bool) -> int:
        try:
            return 1 if second and len(unannotated(n).shape) else len(lies(n))
        except TypeError as e:
            print(e)
            raise

    with pytest.raises(TypeError, match="^the result of 'lies': expected int, got str"):
        tsm.script(calls)(1, False)
    with pytest.raises(TypeError, match="^the result of 'unannotated': expected Tensor, got int"):
        tsm.script(calls)(1, True)


def test_a_program_cannot_be_called_from_inside_itself() -> None:
    @tsm.jit.ignore
    def again(n: int) -> int:
        return int(scripted(n - 1))

    def calls(n: int) -> int:
        return again(n)

    scripted = tsm.script(calls)
    with pytest.raises(RuntimeError, match="from inside its own print\\(\\), warning or ignored function"):
        scripted(2)
    assert scripted.method("calls") is not None


def test_another_program_can_be_called() -> None:
    @tsm.script
    def double(x: Tensor, n: int) -> Tensor:
        return x * n

    @tsm.jit.ignore
    def uses(x: Tensor) -> Tensor:
        return double(x, 3) + tsm.ones(2)

    def calls(x: Tensor) -> Tensor:
        return uses(x) + uses(x)

    assert tsm.script(calls)(tsm.ones(2)).tolist() == [8.0, 8.0]


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.inner = Inner()
        self.count = 0
        self.log: List[float] = []
        self.outside = object()

    @property
    def doubled(self) -> int:
        return self.count * 2

    @tsm.jit.ignore
    def note(self, x: Tensor) -> int:
        assert isinstance(self, Counter) and self.outside is not None
        self.count += self.helper(x)
        self.log.append(float(x.sum()))
        self.log.append(float(self.linear(x).shape[0]))
        self.inner.total += 1
        self.inner.weight += 1
        return self.doubled

    def helper(self, x: Tensor) -> int:
        return len(self.log) + int(x.shape[0])

    def forward(self, x: Tensor) -> Tensor:
        before = self.count
        noted = self.note(x)
        return self.inner(x) + (self.count - before) * 100 + noted + len(self.log)

    @tsm.export
    def totals(self) -> Tuple[int, int, List[float]]:
        return self.count, self.inner.total, list(self.log)


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.total = 0
        self.weight = nn.Buffer(tsm.zeros(2)) if hasattr(nn, "Buffer") else tsm.zeros(2)

    @tsm.jit.ignore
    def scale(self) -> float:
        self.total += 10
        return self.total / 2

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale() + self.weight


def test_a_method_sees_and_changes_its_module() -> None:
    plain, module = Counter(), Counter()
    scripted = tsm.script(module)
    x = tsm.ones(2)
    for _ in range(3):
        assert scripted(x).tolist() == plain(x).tolist()
    assert scripted.totals() == plain.totals()
    copy = scripted.clone()
    assert copy(x).tolist() == plain(x).tolist() and copy.totals() == plain.totals()
    assert scripted.totals() != copy.totals()


def test_freeze_refuses_methods_that_see_the_module() -> None:
    with pytest.raises(RuntimeError, match="^freeze\\(\\) cannot take a module whose ignored methods see it"):
        tsm.freeze(tsm.script(Counter().eval()))


def test_a_loaded_module_calls_what_it_is_given(tmp_path: Path) -> None:
    tsm.script(Counter()).save(tmp_path / "c.tsm")
    with pytest.raises(tsm.LoadError, match="not given when it was loaded: Counter.note, Inner.scale;"):
        tsm.load(tmp_path / "c.tsm")
    with pytest.raises(tsm.LoadError, match="loaded: Inner.scale; pass them as load\\(..., functions="):
        tsm.load(tmp_path / "c.tsm", functions={"Counter.note": lambda self, x: 1})
    with pytest.raises(TypeError, match="the function 'Inner.scale' is a int, which cannot be called"):
        tsm.load(tmp_path / "c.tsm", functions={"Inner.scale": 1})

    def note(self: Any, x: Tensor) -> int:
        self.count += 5
        self.log.append(0.5)
        return self.count

    loaded = tsm.load(tmp_path / "c.tsm", functions={"Counter.note": note, "Inner.scale": lambda self: 2.0})
    assert loaded(tsm.ones(2)).tolist() == [508.0, 508.0] and loaded.totals() == (5, 0, [0.5])


def test_what_ignored_methods_share_with_the_state() -> None:
    class Keeps(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.log: List[float] = []

        @tsm.jit.ignore
        def keep(self, xs: List[float]) -> None:
            self.log = xs

        def forward(self, xs: List[float]) -> int:
            self.keep(xs)
            return len(self.log)

    class Gives(Keeps):
        @tsm.jit.ignore
        def give(self) -> List[float]:
            return self.log

        def forward(self, n: int) -> List[float]:
            return self.give()

    class Copies(Keeps):
        def forward(self, xs: List[float]) -> int:
            self.keep(list(xs))
            xs.append(1)
            return len(self.log)

    keeps, xs = tsm.script(Keeps()), [0.5]
    assert keeps(xs) == 1
    xs.append(1.5)
    assert keeps.log == [0.5, 1.5] and keeps([]) == 0 and keeps.log == []
    gives = tsm.script(Gives())
    given = gives(1)
    given.append(2.5)
    assert gives(1) is given and gives.log == [2.5]
    assert tsm.script(Copies())([0.5]) == Copies()([0.5]) == 1


def test_two_functions_of_one_name() -> None:
    def made(n: int) -> Callable[[int], int]:
        @tsm.jit.ignore
        def give(x: int) -> int:
            return x * n

        return give

    two, three = made(2), made(3)

    def calls(x: int) -> Tuple[int, int, int]:
        return two(x), three(x), two(x)

    assert tsm.script(calls)(5) == (10, 15, 10)


def test_in_traces() -> None:
    @tsm.jit.ignore
    def add(x: Tensor) -> Tensor:
        return x + 1

    @tsm.script
    def calls(x: Tensor) -> Tensor:
        return add(x) if x.sum() > 0 else x

    traced = tsm.trace(lambda x: calls(x) * 2, (tsm.ones(2),))
    assert traced(tsm.ones(2)).tolist() == [4.0, 4.0] and traced(-tsm.ones(2)).tolist() == [-2.0, -2.0]

    def uses(x: Tensor) -> Tensor:
        return traced(x) + 1

    assert tsm.script(uses)(tsm.ones(2)).tolist() == [5.0, 5.0]


def test_as_a_value() -> None:
    @tsm.jit.ignore
    def key(x: int) -> int:
        return -x

    def calls(xs: List[int]) -> Tuple[List[int], List[int], int]:
        functions = [key, abs]
        return sorted(xs, key=key), list(map(key, xs)), functions[len(xs) % 2](xs[0])

    for xs in ([1, 3, 2], [4, 5]):
        assert tsm.script(calls)(xs) == calls(xs)


def test_what_cannot_cross_is_refused() -> None:
    @tsm.jit.ignore
    def takes(f: Callable[[int], int]) -> int:
        return f(1)

    @tsm.jit.ignore
    def spread(*args: int) -> int:
        return len(args)

    def calls(n: int) -> int:
        return takes(lambda x: x + n)

    def spreads(n: int) -> int:
        return spread(n, n)

    with pytest.raises(tsm.CompileError, match="'takes' is marked ignore: its argument 'f' cannot be"):
        tsm.script(calls)
    with pytest.raises(tsm.CompileError, match="'spread' is marked ignore and cannot take \\* or \\*\\*"):
        tsm.script(spreads)


def test_the_operator_is_for_programs() -> None:
    from tsm.binding import dispatch

    with pytest.raises(RuntimeError, match="only a program can call a function of its host"):
        dispatch.run("host.call.any", ("f", [], [0]))


HOST = r"""
#include <stdio.h>
#include <string.h>
#include <tsm.h>

static int calls;

static tsm_status half(void *user, tsm_instance *instance, const tsm_value *args, size_t count, const tsm_type *result,
                       tsm_value *out_result) {
  (*(int *)user)++;
  if (count != 1 || args[0].kind != TSM_INT || tsm_type_kind_of(result) != TSM_T_FLOAT) return TSM_ERR_INTERNAL;
  if (args[0].as.i == 7) {
    tsm_value parts[2] = {tsm_int(7), tsm_none()};
    return tsm_instance_raise(instance, "KeyError", parts, 2);
  }
  if (args[0].as.i == 8) return TSM_ERR_INTERNAL;
  *out_result = args[0].as.i % 2 ? tsm_float((double)args[0].as.i / 2) : tsm_int(args[0].as.i / 2);
  return TSM_OK;
}

static tsm_status push(void *user, tsm_instance *instance, const tsm_value *args, size_t count, const tsm_type *result,
                       tsm_value *out_result) {
  (void)user, (void)count, (void)result;
  tsm_value list;
  if (tsm_list_append(args[0], args[1]) != TSM_OK) return TSM_ERR_INTERNAL;
  tsm_status status = tsm_list_new(tsm_instance_runtime_of(instance), TSM_INT, 1, &list);
  if (status != TSM_OK) return status;
  tsm_list_append(list, args[1]);
  *out_result = list;
  return TSM_OK;
}

int main(int argc, char **argv) {
  (void)argc;
  tsm_error error;
  runtime = tsm_runtime_new(NULL, &error);
  uint64_t before = tsm_runtime_memory(runtime);
  tsm_host_function functions[2] = {{"half", half, &calls}, {"push", push, NULL}};
  tsm_load_options options = TSM_LOAD_OPTIONS_INIT;
  if (!tsm_program_open(runtime, argv[1], NULL, &error))
    printf("%d %s\n", error.code == TSM_ERR_NOT_FOUND, error.message);
  options.functions = functions;
  options.function_count = 2;
  tsm_program *program = tsm_program_open(runtime, argv[1], &options, &error);
  if (!program) return fprintf(stderr, "%s\n", error.message), 1;
  memset(functions, 0, sizeof functions);
  tsm_instance *instance = tsm_instance_new(program, &error);
  for (int64_t i = 5; i < 10; i++) {
    tsm_value n = tsm_int(i), text;
    if (tsm_call(instance, "calls", &n, 1, &text, &error)) printf("%s: %s\n", error.type, error.message);
    else printf("%s\n", tsm_str_borrow(text, NULL)), tsm_release(text);
  }
  printf("%d\n", calls);
  tsm_instance_free(instance);
  tsm_program_free(program);
  printf("%d\n", tsm_runtime_memory(runtime) < before + 16384);
  tsm_runtime_free(runtime);
  return 0;
}
""".replace("tsm_instance_runtime_of(instance)", "runtime").replace(
    "static int calls;", "static int calls;\nstatic tsm_runtime *runtime;")


def test_functions_of_a_c_program(tmp_path: Path) -> None:
    @tsm.jit.ignore
    def half(n: int) -> float:
        raise AssertionError

    @tsm.jit.ignore
    def push(xs: List[int], n: int) -> List[int]:
        raise AssertionError

    def calls(n: int) -> str:
        xs = [n]
        kept = [push(xs, i) for i in range(3)]
        try:
            return f"{half(n)} {xs} {kept}"
        except KeyError as e:
            return f"no {e} {e.args[0]}"

    tsm.script(calls).save(tmp_path / "calls.tsm")
    (tmp_path / "main.c").write_text(HOST)
    flags = subprocess.run(
        [sys.executable, "-m", "tsm", "config", "--cflags", "--libs"], capture_output=True, text=True, check=True
    ).stdout.split()
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-Wall", "-Werror", "main.c", "-o", "main", *flags], cwd=tmp_path, check=True)
    done = subprocess.run(["./main", "calls.tsm"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "1 the program calls functions that were not given when it was loaded: push, half",
        "2.5 [5, 0, 1, 2] [[0], [1], [2]]",
        "3.0 [6, 0, 1, 2] [[0], [1], [2]]",
        "no (7, None) 7",
        "RuntimeError: 'half' of the host failed",
        "4.5 [9, 0, 1, 2] [[0], [1], [2]]",
        "5",
        "1",
    ]
