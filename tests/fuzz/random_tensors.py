"""Random tensor programs: PyTorch says what each means, and every road through tsm must agree.

In: a seed. Out: a program (source text and inputs) whose statements PyTorch accepted, but for at most one that raises.
Holds: a seed gives the same program for ever under one PyTorch; results, dtypes, shapes, exception classes, changed
inputs, identities and which results share memory are compared. `python tests/fuzz/random_tensors.py 1 500` runs seeds.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import math
import random
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import tsm

DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64")
FLOATS = ("float32", "float64")
TOO_LARGE = 1e6  # a float beyond it makes rounding visible in what follows


@dataclass
class Source:
    """A program as text, one line a statement, and its inputs by name."""

    inputs: dict[str, np.ndarray]
    lines: list[str]
    results: list[str]

    def text(self) -> str:
        params = ", ".join(f"{name}: Tensor" for name in self.inputs)
        body = "".join(f"    {line}\n" for line in self.lines)
        return f"def compute({params}) -> list[Tensor]:\n{body}    return [{', '.join(self.results)}]\n"


# ---- Running


@dataclass
class Outcome:
    """Arrays of results and of inputs afterwards, or the class of the exception; who is who, who shares memory."""

    error: str | None = None
    message: str = ""
    results: list[np.ndarray] = field(default_factory=list)
    inputs: list[np.ndarray] = field(default_factory=list)
    same: list[int] = field(default_factory=list)
    shared: list[int] = field(default_factory=list)


def define(text: str, library: Any, number: list[int] = [0]) -> Callable[..., Any]:
    """The function of a text, with `tsm`, `F` and `Tensor` of a library, and its source for `inspect`."""
    number[0] += 1
    name = f"<random program {number[0]}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    module = types.ModuleType("random_program")
    module.__dict__.update({"tsm": library, "F": library.nn.functional, "Tensor": library.Tensor})
    exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)
    function: Callable[..., Any] = module.__dict__["compute"]
    return function


def observe(run: Callable[..., Any], source_inputs: dict[str, np.ndarray], make: Callable[..., Any]) -> Outcome:
    arguments = [make(array.copy()) for array in source_inputs.values()]
    out = Outcome()
    results: list[Any] = []
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            results = run(*arguments)
        except Exception as error:  # noqa: BLE001 - whatever is raised is compared
            out.error, out.message = public_class(error), str(error)
            if "INDICES element is out of DATA bounds" in out.message:  # PyTorch's fast path for few dimensions
                out.error = "IndexError"
    out.results = [as_array(tensor) for tensor in results]
    out.inputs = [as_array(tensor) for tensor in arguments]
    every = [*arguments, *results]
    out.same = numbered(id(tensor) for tensor in every)
    out.shared = numbered(
        tensor.untyped_storage().data_ptr() if tensor.numel() else -1 for tensor in every
    )
    return out


def public_class(error: BaseException) -> str:
    """The builtin class that catches an exception: some of PyTorch's are subclasses without a public name."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")


def numbered(keys: Any) -> list[int]:
    first: dict[Any, int] = {}
    return [first.setdefault(key, position) for position, key in enumerate(keys)]


def as_array(tensor: Any) -> np.ndarray:
    array: np.ndarray = tensor.numpy()
    return array.copy()


def difference(expected: Outcome, got: Outcome) -> str:
    """What two outcomes disagree in, "" if nothing."""
    if expected.error != got.error:
        return f"error {got.error} ({got.message}), expected {expected.error} ({expected.message})"
    if expected.error and not got.inputs:
        return ""
    for what, before, after in (("result", expected.results, got.results), ("input", expected.inputs, got.inputs)):
        if len(before) != len(after):
            return f"{len(after)} {what}s, expected {len(before)}"
        for i, (a, b) in enumerate(zip(before, after)):
            if a.dtype != b.dtype or a.shape != b.shape:
                return f"{what} {i} is {b.dtype}{b.shape}, expected {a.dtype}{a.shape}"
            if not close(a, b):
                return f"{what} {i} is {b.tolist()}, expected {a.tolist()}"
    if expected.same != got.same:
        return f"identities {got.same}, expected {expected.same}"
    if expected.shared != got.shared:
        return f"memory shared by {got.shared}, expected {expected.shared}"
    return ""


def close(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype.kind != "f":
        return bool(np.array_equal(a, b))
    rtol = 2e-5 if a.dtype == np.float32 else 1e-6  # a double may come from a float32
    return bool(np.allclose(a, b, rtol=rtol, atol=1e-5, equal_nan=True))


def roads(text: str, inputs: dict[str, np.ndarray]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """(name, runnable) for eager, scripted, saved and loaded, and traced tsm."""
    eager = define(text, tsm)
    yield "eager", eager
    scripted = tsm.script(define(text, tsm))
    yield "scripted", scripted
    yield "saved and loaded", reloaded(scripted)
    yield "traced", Traced(text, inputs)


def reloaded(program: Any) -> Any:
    buffer = io.BytesIO()
    program.save(buffer)
    return tsm.load(buffer.getvalue())


class Traced:
    """Traces on copies of the inputs when it is called, so that an error of the program is an error of the call."""

    def __init__(self, text: str, inputs: dict[str, np.ndarray]) -> None:
        self.text, self.inputs = text, inputs

    def __call__(self, *arguments: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            examples = tuple(tsm.from_numpy(array.copy()) for array in self.inputs.values())
            traced = tsm.trace(define(self.text, tsm), examples, check_trace=False)
        return reloaded(traced)(*arguments)


def failure(text: str, inputs: dict[str, np.ndarray], expected: Outcome) -> tuple[str, str] | None:
    """(road, what is different) of the first road that disagrees, None if all agree."""
    road = "scripted"
    try:
        for road, run in roads(text, inputs):
            got = observe(run, inputs, tsm.from_numpy)
            if road == "traced" and expected.error:  # tracing raised: the arguments were not touched
                got.inputs = []
            problem = difference(expected, got)
            if problem:
                return road, problem
    except Exception:  # noqa: BLE001 - a refusal to compile is a finding too
        return road + " compiling", traceback.format_exc(limit=-3)
    return None


# ---- Generating


def make_array(rng: random.Random, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    count = math.prod(shape)
    if dtype == "bool":
        values: list[Any] = [rng.random() < 0.5 for _ in range(count)]
    elif dtype == "uint8":
        values = [rng.choice((0, 1, 2, 3, 5, 7, 200)) for _ in range(count)]
    elif dtype in FLOATS:
        values = [rng.choice((rng.randint(-8, 8) / 2, rng.randint(-40, 40) / 8)) for _ in range(count)]
    else:
        values = [rng.choice((rng.randint(-5, 5), rng.randint(-5, 5), rng.choice((-100, 100)))) for _ in range(count)]
    return np.array(values, dtype).reshape(shape)


BINARY = ("+", "-", "*", "/", "//", "%", "+", "-", "*", "**", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=")
AUGMENTED = ("+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=")
UNARY = (
    "-{x}", "abs({x})", "~{x}", "{x}.neg()", "{x}.abs()", "{x}.sign()", "{x}.exp()", "{x}.tanh()", "{x}.sigmoid()",
    "{x}.floor()", "{x}.ceil()", "{x}.round()", "{x}.trunc()", "{x}.relu()", "{x}.square()", "{x}.isnan()",
    "{x}.logical_not()", "{x}.sqrt()", "{x}.reciprocal()", "tsm.sin({x})", "tsm.log1p({x})", "F.relu({x})",
    "F.silu({x})",
    "F.elu({x})", "F.leaky_relu({x}, 0.25)", "F.gelu({x})", "{x}.clone()", "{x}.isfinite()", "tsm.erf({x})",
    "+{x}", "{x}.rsqrt()", "{x}.expm1()", "F.softplus({x})", "{x}.cos()", "{x}.log()", "{x}.detach()", "{x}.isinf()",
)
INPLACE = (
    "{x}.add_({y})", "{x}.sub_({y})", "{x}.mul_({y})", "{x}.div_({y})", "{x}.copy_({y})", "{x}.add_({s})",
    "{x}.mul_({s})", "{x}.zero_()", "{x}.fill_({s})", "{x}.neg_()", "{x}.relu_()", "{x}.clamp_({i}, {i})",
    "{x}.add_({y}, alpha={i})", "{x}.masked_fill_({y}, {s})", "{x}.clamp_(min={s})", "{x}.sqrt_()", "{x}.div_({s})",
    "{x}.sub_({s}, alpha={i})", "{x}.floor_divide_({s})", "{x}.remainder_({y})", "{x}.pow_({i})",
    "{x}.bitwise_and_({y})",
)
TWO = (
    "tsm.maximum({x}, {y})", "tsm.minimum({x}, {y})", "{x}.eq({y})", "{x}.logical_and({y})", "{x} @ {y}", "{x} @ {y}.t()",
    "tsm.where({x}, {y}, {s})", "tsm.where({x} > {s}, {x}, {y})", "tsm.where({y}, {s}, {s})", "{x}.masked_fill({y}, {s})",
    "tsm.logical_or({x}, {y})", "tsm.add({x}, {y}, alpha={i})", "tsm.where({x} > 0, {s}, {y})", "tsm.atan2({x}, {y})",
    "tsm.cat([{x}, {y}], {d})", "tsm.stack([{x}, {y}], {d})", "tsm.cat([{x}, {x}], {d})", "{x}.sub({y})",
    "tsm.stack([{x}, {x}, {x}], {d})", "{x}.pow({y})", "tsm.floor_divide({x}, {y})", "tsm.remainder({x}, {y})",
    "tsm.matmul({x}, {y})", "{x}.matmul({x}.transpose(-1, -2))", "F.linear({x}, {y})", "{x}.equal({y})", "{x}.bitwise_xor({y})",
)
REDUCE = (
    "{x}.sum()", "{x}.sum({d})", "{x}.sum(dim={d}, keepdim=True)", "{x}.mean()", "{x}.mean({d}, keepdim=True)",
    "{x}.prod()", "{x}.max()", "{x}.min()", "{x}.amax({d})", "{x}.amin({d}, keepdim=True)", "{x}.max({d})[0]",
    "{x}.min({d}, keepdim=True)[1]", "{x}.argmax()", "{x}.argmax({d})", "{x}.argmin({d}, keepdim=True)", "{x}.any()",
    "{x}.any({d})", "{x}.all()", "{x}.all({d}, keepdim=True)", "{x}.var()", "{x}.std({d})", "{x}.cumsum({d})",
    "{x}.softmax({d})", "F.log_softmax({x}, {d})", "{x}.sum([0, -1])", "{x}.mean((0, 1))", "{x}.sum(dtype=tsm.{t})",
    "{x}.sum({d}, dtype=tsm.{t})", "{x}.amax()", "{x}.var({d}, unbiased=False)",
)
VIEWS = (
    "{x}.view(-1)", "{x}.reshape(-1)", "{x}.reshape({x}.numel(), 1)", "{x}.view({x}.shape)", "{x}.flatten()",
    "{x}.flatten({d})", "{x}.transpose({d}, {d})", "{x}.t()", "{x}.squeeze()", "{x}.squeeze({d})",
    "{x}.unsqueeze({d})", "{x}.expand({n}, {n})", "{x}.unsqueeze({d}).expand({n}, -1, -1)", "{x}.select({d}, {k})",
    "{x}.narrow({d}, {n}, {n})", "{x}.contiguous()", "{x}.diagonal()", "{x}.diagonal({k})", "{x}.permute(1, 0)",
    "{x}.permute(2, 0, 1)", "{x}.permute(-1, 0)", "{x}.unbind({d})[{k}]", "{x}.split({n}, {d})[{k}]",
    "{x}.chunk({n}, {d})[{k}]", "{x}.reshape({n}, -1)", "{x}.view(-1, {n})", "{x}.swapaxes({d}, {d})",
    "{x}.reshape({x}.shape[0], -1)", "{x}.diagonal(0, {d}, {d})",
)
GATHERS = (
    "{x}.index_select({d}, {y})", "{x}.gather({d}, {y})", "{x}.flip([{d}])", "tsm.tril({x})", "tsm.triu({x}, {k})",
    "{x}.repeat({n}, {n})", "{x}.nonzero().contiguous()", "{x}.gather({d}, {x}.argmax({d}, keepdim=True))", "F.one_hot({y}, {n})",
    "{x}.index_select({d}, tsm.tensor([{k}, {k}]))", "{x}.index_add_({d}, tsm.tensor([{k}, {k}]), {y})",
    "{x}.scatter_({d}, {y}, {x})", "tsm.embedding({x}, {y})", "{x}.repeat(2, 1, 1)", "F.embedding({y}, {x})",
)
FACTORIES = (
    "tsm.zeros({n}, {n})", "tsm.ones([{n}], dtype=tsm.{t})", "tsm.full([{n}, {n}], {s})", "tsm.arange({n})",
    "tsm.arange({k}, {n}, dtype=tsm.{t})", "tsm.eye({n})", "tsm.zeros_like({x})", "tsm.ones_like({x}, dtype=tsm.{t})",
    "tsm.full_like({x}, {i})", "tsm.tensor({s})", "tsm.tensor([{s}, {s}])", "tsm.tensor([[{i}], [{s}]])",
    "tsm.tensor({s}, dtype=tsm.{t})", "tsm.linspace(0, {n}, 4)", "tsm.arange(0.0, 2.0, 0.5)", "tsm.zeros({x}.shape)",
    "tsm.full({x}.shape, {s}, dtype=tsm.{t})", "tsm.zeros(({n},), dtype={x}.dtype)",
)
CASTS = (
    "{x}.to(tsm.{t})", "{x}.float()", "{x}.double()", "{x}.long()", "{x}.int()", "{x}.bool()", "{x}.to({y}.dtype)",
    "{x}.type(tsm.{t})", "{x}.to(tsm.{t}) + {x}",
)
SCALARS = ("{x}.item()", "{x}.numel()", "{x}.dim()", "len({x})", "{x}.size({d})", "{x}.shape[{d}]", "{x}.sum().item()",
           "int({x}.sum())", "float({x}.max())", "bool({x}.any())", "{x}.shape[-1] * 2 - 1")  # fmt: skip
FAMILIES: tuple[tuple[int, tuple[str, ...]], ...] = (
    (5, UNARY), (9, TWO), (8, REDUCE), (12, VIEWS), (5, GATHERS), (3, FACTORIES), (5, CASTS),
)  # fmt: skip


class Generator:
    """Grows a program statement by statement; PyTorch runs each, and what it refuses is mostly thrown away."""

    def __init__(self, seed: int, torch: Any) -> None:
        self.rng = random.Random(seed)
        self.torch = torch
        self.inputs: dict[str, np.ndarray] = {}
        self.lines: list[str] = []
        self.names: dict[str, Any] = {"tsm": torch, "F": torch.nn.functional}
        self.count = 0

    def program(self) -> Source:
        rng = self.rng
        base = tuple(rng.choice((1, 2, 3, 3, 4)) for _ in range(rng.choice((0, 1, 1, 2, 2, 2, 3))))
        for name in "abc"[: rng.randint(1, 3)]:
            self.inputs[name] = make_array(rng, self.related(base), rng.choice(DTYPES + FLOATS))
            self.names[name] = self.torch.from_numpy(self.inputs[name].copy())
        may_raise = rng.random() < 0.25
        for _ in range(rng.randint(2, 7)):
            if not self.grow(may_raise):
                break
        tensors = [name for name in self.names if self.is_tensor(name)]
        results = rng.sample(tensors, min(len(tensors), 4))
        made = [name for name in tensors if name not in self.inputs and name not in results]
        return Source(self.inputs, self.lines, [*results, *made])

    def related(self, base: tuple[int, ...]) -> tuple[int, ...]:
        """A shape that often broadcasts with `base`."""
        kind = self.rng.random()
        if kind < 0.5:
            return base
        if kind < 0.65:
            return base[self.rng.randint(0, len(base)) :]
        if kind < 0.8:
            return tuple(extent if self.rng.random() < 0.6 else 1 for extent in base)
        return tuple(self.rng.choice((0, 1, 2, 3)) for _ in range(self.rng.randint(0, 3)))

    def grow(self, may_raise: bool) -> bool:
        """Adds a statement; False after one that raises."""
        for _ in range(30):
            lines = self.statement()
            before = dict(self.names)
            saved = {name: self.names[name].clone() for name in self.names if self.is_tensor(name)}
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    exec("\n".join(lines), self.names)
            except Exception as error:  # noqa: BLE001
                kinds = (RuntimeError, IndexError, ValueError, TypeError, ZeroDivisionError)
                if may_raise and type(error) in kinds and self.rng.random() < 0.2 and not self.is_scalar_read(lines[-1]):
                    self.lines += lines
                    self.names = before
                    if self.makes(lines):
                        self.names[lines[0].partition(" = ")[0]] = self.torch.zeros(0)
                    return False
                self.names = before
                continue
            if self.is_sound() and not self.is_quirk(lines[-1]):
                self.lines += lines
                return True
            self.names = before
            for name, value in saved.items():
                with contextlib.suppress(RuntimeError):
                    self.names[name].copy_(value)
        return True

    @staticmethod
    def makes(lines: list[str]) -> bool:
        """Whether a statement defines a new tensor: the result must use it, or the compiler may leave it out."""
        return len(lines) == 1 and lines[0].startswith("v") and lines[0].partition(" = ")[0].isidentifier()

    @staticmethod
    def is_scalar_read(line: str) -> bool:
        """Whether a statement reads a number, which no result can hold."""
        calls = (" = len(", " = int(", " = float(", " = bool(", ".size(", ".shape[")
        return line.endswith((".item()", ".numel()", ".dim()")) or any(call in line for call in calls)

    def is_number(self, text: str) -> bool:
        return not self.is_tensor(text) and (text.isidentifier() or text.lstrip("-")[0].isdigit())

    def is_tensor(self, name: str) -> bool:
        return isinstance(self.names.get(name), self.torch.Tensor)

    def is_quirk(self, line: str) -> bool:
        """Whether PyTorch let something through only because there were no elements, or multiplied bool matrices."""
        made = self.names.get(line.partition(" = ")[0])
        is_bool = isinstance(made, self.torch.Tensor) and made.dtype == self.torch.bool
        if is_bool and any(name in line for name in ("@", "matmul(", "linear(")):
            return True
        is_empty = isinstance(made, self.torch.Tensor) and made.numel() == 0
        return is_empty and any(name in line for name in ("softmax(", "gather(", "one_hot("))

    def is_sound(self) -> bool:
        """Whether all values are of our dtypes, small and of moderate size."""
        for name in self.names:
            value = self.names[name]
            if isinstance(value, self.torch.Tensor):
                if str(value.dtype).removeprefix("torch.") not in DTYPES or value.numel() > 400 or value.dim() > 5:
                    return False
                if value.is_floating_point() and value.numel() and not bool((value.abs() < TOO_LARGE).all()):
                    return False
            elif isinstance(value, (int, float)) and not abs(value) < TOO_LARGE:
                return False
        return True

    # ---- Statements

    def statement(self) -> list[str]:
        rng = self.rng
        kind = rng.random()
        if kind < 0.06:
            condition = rng.choice(("bool(({x} > {s}).any())", "{x}.dim() > {n}", "{x}.numel() == {n}", "{x}.size(0) < {n}",
                                    "{x}.sum() > {s}"))  # fmt: skip
            target = self.tensor()
            body = rng.choice(("{z} = {z} {op} {s}", "{z} += {i}", "{z}[...] = {i}", "{z} = {z}[:1]"))
            return [f"if {self.fill(condition)}:", "    " + self.fill(body.replace("{z}", target))]
        if kind < 0.10:
            x, y = self.tensor(), self.tensor()
            body = rng.choice((f"{x}[i] = {y}[0]", f"{x}[i] += i", f"{y} = {y} + {x}[i]", f"{x}[i, ...] *= 2"))
            return [f"for i in range({x}.size(0)):", "    " + body]
        if kind < 0.22:
            return [self.augmented()]
        if kind < 0.32:
            return [f"{self.place()} = {self.operand()}"]
        if kind < 0.40:
            return [self.fill(rng.choice(INPLACE))]
        if kind < 0.44:
            return [f"{self.fresh()} = {self.fill(rng.choice(SCALARS))}"]
        return [f"{self.fresh()} = {self.value()}"]

    def augmented(self) -> str:
        target = self.place() if self.rng.random() < 0.4 else self.tensor()
        return f"{target} {self.rng.choice(AUGMENTED)} {self.operand()}"

    def value(self) -> str:
        kind = self.rng.random()
        if kind < 0.22:
            left, right = self.operand(), self.operand()
            if self.is_number(left) and self.is_number(right):
                left = self.tensor()
            return f"{left} {self.rng.choice(BINARY)} {right}"
        if kind < 0.45:
            return self.place()
        family = self.rng.choices([each for _, each in FAMILIES], [weight for weight, _ in FAMILIES])[0]
        return self.fill(self.rng.choice(family))

    def operand(self) -> str:
        kind = self.rng.random()
        if kind < 0.6:
            return self.tensor()
        if kind < 0.9:
            return self.scalar()
        return self.place() if kind < 0.97 else self.fill(self.rng.choice(FACTORIES))

    def tensor(self) -> str:
        names = [name for name in self.names if self.is_tensor(name)]
        return self.rng.choice(names[-4:] if self.rng.random() < 0.6 else names)

    def scalar(self) -> str:
        numbers = [name for name, value in self.names.items() if isinstance(value, (bool, int, float))]
        if numbers and self.rng.random() < 0.4:
            return self.rng.choice(numbers)
        return self.rng.choice(("0", "1", "2", "-1", "3", "0.5", "-1.5", "2.0", "True", "False", "7", "-2", "100"))

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def fill(self, template: str) -> str:
        rng = self.rng
        choices: dict[str, Callable[[], str]] = {
            "{x}": self.tensor, "{y}": self.tensor, "{s}": self.scalar, "{t}": lambda: rng.choice(DTYPES),
            "{i}": lambda: str(rng.randint(-2, 3)), "{n}": lambda: str(rng.randint(0, 4)),
            "{k}": lambda: str(rng.randint(-2, 2)), "{d}": lambda: str(rng.choice((0, 0, 1, -1, -1, 2, -2))),
            "{op}": lambda: rng.choice(BINARY),
        }  # fmt: skip
        same = {"{x}": choices["{x}"]()}  # one {x} is one tensor
        for key, choose in choices.items():
            while key in template:
                template = template.replace(key, same.get(key) or choose(), -1 if key in same else 1)
        return template

    # ---- Subscripts

    def place(self) -> str:
        name = self.tensor()
        rank = self.names[name].dim()
        items = [self.index_item(name, dim) for dim in range(self.rng.randint(1, max(1, rank)))]
        if self.rng.random() < 0.15:
            items.insert(self.rng.randint(0, len(items)), "None")
        if self.rng.random() < 0.2:
            items.insert(self.rng.randint(0, len(items)), "...")
        return f"{name}[{', '.join(items)}]"

    def index_item(self, name: str, dim: int) -> str:
        rng, shape = self.rng, self.names[name].shape
        extent = shape[dim] if dim < len(shape) else 1
        if rng.random() < 0.08:
            extent += 1
        kind = rng.random()
        number = str(rng.randint(-extent, max(extent - 1, 0)))
        if kind < 0.3:
            return number
        if kind < 0.6:
            bounds = [rng.choice(("", "", str(rng.randint(-4, 4)))) for _ in range(2)]
            return f"{bounds[0]}:{bounds[1]}" + rng.choice(("", "", ":2", ":3"))
        if kind < 0.72:
            return "[" + ", ".join(str(rng.randint(-extent, max(extent - 1, 0))) for _ in range(rng.randint(1, 3))) + "]"
        if kind < 0.80:
            return f"tsm.tensor([{number}, {number}])"
        if kind < 0.84:
            return f"tsm.tensor([[{number}], [0]])"
        if kind < 0.92:
            masks = [m for m in self.names if self.is_tensor(m) and self.names[m].dtype == self.torch.bool]
            return rng.choice(masks) if masks else f"{name} > 0"
        if kind < 0.95:
            numbers = [n for n, v in self.names.items() if isinstance(v, int) and not isinstance(v, bool)]
            return rng.choice(numbers) if numbers else number
        if kind < 0.97:
            return "[" + ", ".join(rng.choice(("True", "False")) for _ in range(extent)) + "]"
        integers = [n for n in self.names if self.is_tensor(n) and self.names[n].dtype == self.torch.int64]
        return rng.choice(integers) if integers else ":"


def generate(seed: int) -> Source:
    import torch

    state = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return Generator(seed, torch).program()
    finally:
        torch.set_num_threads(state)


def expectation(source: Source) -> Outcome:
    """What PyTorch does."""
    import torch

    return observe(define(source.text(), torch), source.inputs, torch.from_numpy)


# ---- Minimising


def minimise(source: Source, road: str) -> Source:
    """The program without lines and results that the disagreement on `road` does not need."""

    def still_fails(candidate: Source) -> bool:
        try:
            expected = expectation(candidate)
        except Exception:  # noqa: BLE001 - no program any more
            return False
        if expected.error in ("NameError", "UnboundLocalError"):
            return False
        found = failure(candidate.text(), candidate.inputs, expected)
        return found is not None and found[0] == road and "is not defined" not in found[1]

    progress = True
    while progress:
        progress = False
        for candidate in smaller(source):
            if still_fails(candidate):
                source, progress = candidate, True
                break
    return source


def smaller(source: Source) -> Iterator[Source]:
    groups: list[list[str]] = []
    for line in source.lines:
        if line.startswith("    "):
            groups[-1].append(line)
        else:
            groups.append([line])
    for i in range(len(groups)):
        rest = [line for j, group in enumerate(groups) if j != i for line in group]
        yield Source(source.inputs, rest, source.results)
        made = groups[i][0].partition(" = ")[0]
        kept = [name for name in source.results if name != made]
        if kept:
            yield Source(source.inputs, rest, kept)
        if len(groups[i]) > 1:
            flat = [line.strip() for line in groups[i][1:]]
            lines = [line for group in (*groups[:i], flat, *groups[i + 1 :]) for line in group]
            yield Source(source.inputs, lines, source.results)
    for i in range(len(source.results)):
        if len(source.results) > 1:
            yield Source(source.inputs, source.lines, source.results[:i] + source.results[i + 1 :])
    for name in source.inputs:
        if len(source.inputs) > 1:
            yield Source({k: v for k, v in source.inputs.items() if k != name}, source.lines, source.results)


def report(seed: int, source: Source, found: tuple[str, str]) -> str:
    inputs = "".join(f"{name} = {array!r}\n" for name, array in source.inputs.items())
    return f"==== seed {seed}, {found[0]}: {found[1]}\n{inputs}{source.text()}"


def main(first: int, last: int) -> int:
    failed = 0
    for seed in range(first, last):
        source = generate(seed)
        expected = expectation(source)
        found = failure(source.text(), source.inputs, expected)
        if found is not None:
            failed += 1
            small = minimise(source, found[0])
            print(report(seed, small, failure(small.text(), small.inputs, expectation(small)) or found), flush=True)
    print(f"{last - first} programs, {failed} disagree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
