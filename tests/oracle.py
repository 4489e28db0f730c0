"""The one oracle: a program must give in tsm what plain Python gives, on every road through the project.

In: functions or modules with inputs (`@program`), or a direct `check(fn, *calls)`. Out: an AssertionError showing the
road, the call and both answers. Roads: scripted without passes, after a single pass (after each one under --whole),
after all; printed, parsed and run; saved, loaded and run; the loaded file saved again byte for byte. Values, types,
exceptions, printed text, changed arguments and identities are compared; tensor programs are also run under PyTorch.
"""

from __future__ import annotations

import contextlib
import copy
import enum
import io
import math
import types
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import language_rows
import tsm
from python_texts import is_same_error
from tsm import ir, serialize

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]


@dataclass
class Program:
    """A program of the corpus: what it is first to exercise, how to make it, and the calls to compare."""

    feature: str
    make: Callable[[], Any]  # a function or a fresh module
    calls: list[tuple[Any, ...]]
    source: Callable[..., Any] | type
    under_torch: bool = True
    method: str = "forward"
    row: str = ""

    @property
    def name(self) -> str:
        return f"{self.source.__module__}.{self.source.__qualname__}"


@dataclass
class Refused:
    """A program that Python runs and tsm refuses: what the message says, and why it is refused."""

    feature: str
    message: str
    reason: str
    calls: list[tuple[Any, ...]]
    source: Any
    row: str = ""
    method: str = "forward"

    @property
    def name(self) -> str:
        return f"{self.source.__module__}.{self.source.__qualname__}"


SIZES = (tsm.Size,) if torch is None else (tsm.Size, torch.Size)
ALL_PASSES = False  # whether each pass has a road of its own; else one of them, by the program's name
CORPUS: list[Program] = []
REFUSED: list[Refused] = []


def program(feature: str, *calls: tuple[Any, ...], torch: bool = True, method: str = "forward") -> Callable[[Any], Any]:
    """Adds a function, or a module class, to the corpus. Each call is a tuple of arguments; `T(...)` makes tensors."""

    def add(source: Any) -> Any:
        make = source if isinstance(source, type) else lambda: source
        CORPUS.append(Program(feature, make, list(calls), source, torch, method, language_rows.current()))
        return source

    return add


def refused(feature: str, message: str, reason: str, *calls: tuple[Any, ...], **options: Any) -> Callable[[Any], Any]:
    """Adds what Python accepts and tsm does not; options are those of `program`."""

    def add(source: Any) -> Any:
        method = options.get("method", "forward")
        REFUSED.append(Refused(feature, message, reason, list(calls), source, language_rows.current(), method))
        return source

    return add


class T:
    """A tensor argument, not yet of any library: T([[1.0, 2.0]]), T([1, 2], "int32")."""

    def __init__(self, data: Any, dtype: str | None = None) -> None:
        array = np.asarray(data)
        self.array = array.astype(dtype or {"f": "float32", "i": "int64", "b": "bool", "u": "uint8"}[array.dtype.kind])

    def __deepcopy__(self, memo: dict[int, Any]) -> T:
        new = T.__new__(T)
        new.array = self.array.copy()
        return new


@dataclass
class Outcome:
    """What a call did: its result or exception, the arguments afterwards, printed text, and who is who."""

    result: Any = None
    error: tuple[type, str] | None = None
    args: tuple[Any, ...] = ()
    printed: str = ""
    same: list[int] = field(default_factory=list)  # for each mutable in args and result: number of its first appearance

    def __str__(self) -> str:
        what = f"raises {self.error[0].__name__}: {self.error[1]}" if self.error else f"gives {self.result!r}"
        return f"{what}; arguments after: {self.args!r}; printed {self.printed!r}; identities {self.same}"


def instantiate(value: Any, make_tensor: Callable[[np.ndarray], Any], memo: dict[int, Any]) -> Any:
    """The argument with each T replaced by a library's tensor; one T, list or dict stays one object."""
    if id(value) in memo:
        return memo[id(value)]
    new: Any
    if isinstance(value, T):
        new = make_tensor(value.array.copy())
    elif isinstance(value, list):
        new = memo[id(value)] = []
        new.extend(instantiate(item, make_tensor, memo) for item in value)
    elif isinstance(value, dict):
        new = memo[id(value)] = copy.copy(value)  # a Counter stays one
        for key, item in value.items():
            new[key] = instantiate(item, make_tensor, memo)
    elif type(value) is tuple:
        new = tuple(instantiate(item, make_tensor, memo) for item in value)
    elif isinstance(value, (int, float, str, bytes, complex, type(None))):
        return value
    else:
        new = copy.deepcopy(value)
    memo[id(value)] = new
    return new


def is_instance(value: Any) -> bool:
    """Whether it is an instance of a class of the corpus."""
    is_ours = type(value).__module__.endswith("_corpus") and hasattr(value, "__dict__")
    return is_ours and not isinstance(value, enum.Enum)


def mutables(value: Any, above: frozenset[int] = frozenset()) -> Iterator[Any]:
    """Everything in a value that has an identity; what contains itself is not followed round."""
    if isinstance(value, (list, dict, set, tsm.Tensor)) or (torch is not None and isinstance(value, torch.Tensor)):
        yield value
    if is_instance(value):
        yield value
        for item in value.__dict__.values() if id(value) not in above else ():
            yield from mutables(item, above | {id(value)})
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from mutables(item, above)
    elif isinstance(value, dict):
        for item in value.values():
            yield from mutables(item, above)


def identities(values: Sequence[Any]) -> list[int]:
    first: dict[int, int] = {}
    return [first.setdefault(id(item), number) for number, item in enumerate(m for v in values for m in mutables(v))]


def observe(fn: Callable[..., Any], call: tuple[Any, ...], make_tensor: Callable[[np.ndarray], Any]) -> Outcome:
    args = instantiate(call, make_tensor, {})
    out = Outcome(args=args)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            out.result = fn(*args)
        except Exception as error:  # noqa: BLE001 - the oracle compares whatever Python raises
            out.error = (type(error), str(error))
    out.printed = printed.getvalue()
    out.same = identities([args, out.result])
    return out


def is_tensor(value: Any) -> bool:
    return isinstance(value, tsm.Tensor) or (torch is not None and isinstance(value, torch.Tensor))


def to_array(tensor: Any) -> np.ndarray:
    return tensor.numpy() if isinstance(tensor, tsm.Tensor) else tensor.detach().numpy()


def equal(a: Any, b: Any, exact: bool, above: frozenset[int] = frozenset()) -> bool:
    """Equality of value and type, NaN equal to NaN, 0.0 different from -0.0."""
    if is_tensor(a) and is_tensor(b):
        x, y = to_array(a), to_array(b)
        if x.shape != y.shape or x.dtype != y.dtype:
            return False
        if exact or x.dtype.kind != "f":
            return bool(np.array_equal(x, y, equal_nan=x.dtype.kind == "f"))
        return bool(np.allclose(x, y, rtol=2e-5 if x.dtype == np.float32 else 1e-9, atol=1e-6, equal_nan=True))
    if isinstance(a, float) and isinstance(b, float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        if not exact:
            return math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-6)
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    a, b = (tsm.Size(side) if isinstance(side, SIZES) else side for side in (a, b))
    if type(a) is not type(b):
        return False
    if isinstance(a, complex):
        return equal(a.real, b.real, exact) and equal(a.imag, b.imag, exact)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(equal(x, y, exact, above) for x, y in zip(a, b))
    if isinstance(a, defaultdict) and a.default_factory is not b.default_factory:
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(equal(a[key], b[key], exact, above) for key in a)
    if isinstance(a, enum.Enum):
        return a is b
    if hasattr(a, "__dict__") and not isinstance(a, type):
        return id(a) in above or equal(vars(a), vars(b), exact, above | {id(a)})
    return bool(a == b)


def equal_errors(a: tuple[type, str] | None, b: tuple[type, str] | None) -> bool:
    """Class and text, as 3.11 has them. D12: the depth of recursion is our own."""
    if a is None or b is None:
        return a is b
    if a[0] is not b[0] and not is_remade(a[0], b[0]):
        return is_same_error((a[0].__name__, a[1]), (b[0].__name__, b[1]))
    return a[0] is RecursionError or is_same_error((a[0].__name__, a[1]), (a[0].__name__, b[1]))


def is_remade(expected: type, got: type) -> bool:
    """D14: after load, a user's exception class is a ScriptError of that name and of the same nearest builtin class."""

    def builtin(kind: type) -> type:
        return next(base for base in kind.__mro__ if base.__module__ == "builtins")

    is_same = expected.__name__ == got.__name__ and builtin(expected) is builtin(got)
    return is_same and issubclass(got, tsm.ScriptError) and not issubclass(expected, tsm.ScriptError)


def compare(road: str, call: tuple[Any, ...], expected: Outcome, got: Outcome, exact: bool = True) -> None:
    same = (
        equal_errors(expected.error, got.error)
        if exact
        else (expected.error is None) == (got.error is None)
        and (expected.error is None or got.error is None or expected.error[0] is got.error[0])
    )
    same = same and equal(expected.result, got.result, exact) and equal(expected.args, got.args, exact)
    same = same and expected.same == got.same and (expected.printed == got.printed or not exact)
    if not same:
        raise AssertionError(f"{road}, called with {call!r}:\n  expected: {expected}\n  got:      {got}")


def under_torch(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with `tsm`, `F` and `Tensor` of its module replaced by PyTorch's."""
    replaced = dict(fn.__globals__)
    for name, value in fn.__globals__.items():
        if value is tsm:
            replaced[name] = torch
        elif value is tsm.nn.functional:
            replaced[name] = torch.nn.functional
        elif value is tsm.Tensor:
            replaced[name] = torch.Tensor
        elif isinstance(value, types.FunctionType) and value.__globals__ is fn.__globals__ and value is not fn:
            replaced[name] = types.FunctionType(value.__code__, replaced, name, value.__defaults__, value.__closure__)
            replaced[name].__kwdefaults__ = value.__kwdefaults__
    twin = types.FunctionType(fn.__code__, replaced, fn.__name__, fn.__defaults__, fn.__closure__)
    twin.__kwdefaults__ = fn.__kwdefaults__
    replaced[fn.__name__] = twin
    return twin


def single_passes(name: str) -> Sequence[str]:
    """The passes that a program also runs after alone."""
    names = ir.passes.NAMES
    return names if ALL_PASSES else [names[zlib.crc32(name.encode()) % len(names)]]


def roads(target: Any, name: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """(name, maker of a fresh runnable) for every way from the source of this name to a running program."""
    compiled = tsm.to_ir(target)
    raw, classes = serialize.dumps(compiled), tuple(compiled.classes.values())
    read = serialize.loads(raw)

    def load(data: bytes) -> Any:
        return tsm.load(data, classes=classes, functions=compiled.hosts)

    yield "scripted", lambda: tsm.script(target)
    yield "without passes", lambda: load(raw)
    for alone in single_passes(name):
        yield f"only {alone}", lambda alone=alone: load(after(read, [alone]))
    best = after(read, ir.passes.NAMES)
    printed = ir.print_program(serialize.loads(best))
    yield "printed and parsed", lambda: load(serialize.dumps(ir.parse(printed)))
    yield "saved and loaded", lambda: load(best)
    assert serialize.dumps(serialize.loads(best)) == best, "reading and writing a file again changed it"
    assert saved_again(load(best)) == best, "loading and saving a file in the runtime changed it"


def after(program: ir.Program, names: Sequence[str]) -> bytes:
    """The file of a copy of the program after some passes, verified after each."""
    changed = program.copy()
    ir.passes.run(changed, names)
    ir.verify(changed)
    return serialize.dumps(changed)


def saved_again(loaded: Any) -> bytes:
    buffer = io.BytesIO()
    loaded.save(buffer)
    return buffer.getvalue()


def entry(runnable: Any, name: str) -> Callable[..., Any]:
    """The method to call: a scripted function is its own."""
    method = None if isinstance(runnable, tsm.ScriptFunction) else getattr(runnable, name, None)
    return method if method is not None else runnable


def make_tensor(array: np.ndarray) -> tsm.Tensor:
    return tsm.from_numpy(array)


def expectations(make: Callable[[], Any], calls: Sequence[tuple[Any, ...]], name: str) -> list[Outcome]:
    """What plain Python does, call after call: a module keeps its state."""
    target = make()
    run = target if isinstance(target, types.FunctionType) else getattr(target, name)
    return [observe(run, copy.deepcopy(call), make_tensor) for call in calls]


def check(make: Callable[[], Any], calls: Sequence[tuple[Any, ...]], method: str, name: str) -> None:
    """Every road against plain Python. `make` gives the function, or a fresh module each time; `name` is what the
    program is called."""
    expected = expectations(make, calls, method)
    for road, build in roads(make(), name):
        runnable = build()
        run = entry(runnable, method)
        for call, want in zip(calls, expected):
            compare(road, call, want, observe(run, copy.deepcopy(call), make_tensor))


def check_scripted(item: Program) -> None:
    """The scripted road alone."""
    target = item.make()
    name = target.__name__ if isinstance(target, types.FunctionType) else item.method
    run = entry(tsm.script(target), name)
    for call, want in zip(item.calls, expectations(item.make, item.calls, name)):
        compare("scripted", call, want, observe(run, copy.deepcopy(call), make_tensor))


def check_program(item: Program) -> None:
    """A program of the corpus; with tensors also plain Python on tsm against PyTorch, where installed."""
    target = item.make()
    is_function = isinstance(target, types.FunctionType)
    check(item.make, item.calls, target.__name__ if is_function else item.method, item.name)
    if torch is None or not is_function or not item.under_torch or not any(map(has_tensor, item.calls)):
        return
    twin = under_torch(target)
    for call in item.calls:
        want = observe(twin, copy.deepcopy(call), lambda array: torch.from_numpy(array))
        got = observe(target, copy.deepcopy(call), make_tensor)
        compare("plain Python, against PyTorch", call, want, got, exact=False)


def check_refused(item: Refused) -> None:
    """Python runs it; tsm's refusal names a line and says what the program's entry says."""
    target = item.source
    name = item.method if isinstance(target, type) else target.__name__
    outcomes = expectations(target if isinstance(target, type) else lambda: target, item.calls, name)
    assert any(outcome.error is None for outcome in outcomes), f"plain Python raises: {outcomes[0]}"
    try:
        tsm.script(target() if isinstance(target, type) else target)
    except tsm.CompileError as error:
        texts = [diagnostic.message for diagnostic in error.diagnostics]
        assert item.message in texts, f"refused with {texts}"
        assert all(diagnostic.span.line > 0 for diagnostic in error.diagnostics)
        return
    raise AssertionError("it is accepted now: make it a program of the corpus")


def has_tensor(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(has_tensor, value))
    if isinstance(value, dict):
        return any(map(has_tensor, value.values()))
    return isinstance(value, T)
