"""No name of a parameter disturbs a call: names of builtins, and names that generated source text uses itself."""

from __future__ import annotations

import builtins
import itertools
import keyword
import linecache
from types import CodeType
from typing import Any

import numpy as np
import pytest

import tsm
from tsm import Tensor, nn

# One signature for each path that a call can take, its result and its arguments; {n} is the name.
PATHS: dict[str, tuple[str, str, tuple[Any, ...], Any]] = {
    "plain": ("{n}: int", "{n} + 1", (3,), 4),
    "numbers": ("{n}: float, other: bool", "{n} if other else 0.0", (2.5, True), 2.5),
    "tensor": ("{n}: Tensor", "{n} + 1", (np.ones(2, np.float32),), [2.0, 2.0]),
    "tensors": ("{n}: Tensor, other: Tensor", "{n} + other", (np.ones(1), np.ones(1)), [2.0]),
    "containers": ("{n}: list[int]", "[i + 1 for i in {n}]", ([1, 2],), [2, 3]),
    "texts": ("{n}: dict[str, int], other: str", "f'{{{n}[other]}}'", ({"a": 1}, "a"), "1"),
    "general": ("{n}: Optional[complex], *, other: int = 2", "other if {n} is None else 0", (None,), 2),
}
_files = itertools.count()


def module_of(names: list[str], signature: str, value: str) -> Any:
    """A module with one method for each name."""
    methods = [f"    @tsm.jit.export\n    def m{i}(self, {signature.format(n=name)}):\n"
               f"        return {value.format(n=name)}\n" for i, name in enumerate(names)]
    return defined("class Names(nn.Module):\n" + "".join(methods), "Names")()


def defined(text: str, name: str) -> Any:
    """What a text defines, with its source where inspect finds it."""
    text, file = f"from typing import *\n{text}", f"<parameter names {next(_files)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope: dict[str, Any] = {"tsm": tsm, "nn": nn, "Tensor": Tensor, "__name__": __name__}
    exec(compile(text, file, "exec", dont_inherit=True), scope)
    return scope[name]


def own_names() -> set[str]:
    """Names in the generated functions of all paths: their variables and the globals that they read."""
    found = {"self_", "args", "kwargs", "result", "values", "index", "function", "node", "instance"}
    for signature, value, _, _ in PATHS.values():
        code: CodeType = tsm.script(module_of(["ordinary"], signature, value)).m0.__code__
        found |= {*code.co_names, *code.co_varnames, code.co_name}
    return found - {"ordinary", "other"}


def builtin_names() -> set[str]:
    return {name for name in dir(builtins) if name.isidentifier() and not keyword.iskeyword(name)} - {"__debug__"}


NAMES = sorted(builtin_names() | own_names())


def plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, Tensor) else value


@pytest.mark.parametrize("path", PATHS)
def test_methods_and_loaded_ones(path: str) -> None:
    signature, value, args, expected = PATHS[path]
    scripted = tsm.script(module_of(NAMES, signature, value))
    rest = dict(zip(("other",), args[1:]))
    for owner in (scripted, tsm.load(scripted.to_bytes())):
        for i, name in enumerate(NAMES):
            call = getattr(owner, f"m{i}")
            assert plain(call(*args)) == plain(call(**{name: args[0]}, **rest)) == expected, name


def test_functions_and_traces() -> None:
    for name in sorted(own_names() | {"type", "int", "float", "len", "range", "tuple", "isinstance", "OverflowError"}):
        function = defined(f"def {name}_({name}: Tensor, other: Tensor):\n    return {name} + other\n", f"{name}_")
        for made in (tsm.script(function), tsm.trace(function, (tsm.ones(1), tsm.ones(1)))):
            assert plain(made(**{name: tsm.ones(2)}, other=tsm.ones(2))) == [2.0, 2.0], name


def test_classes() -> None:
    for name in ("type", "int", "object", "super", "property", "isinstance", "len", "list"):
        made = tsm.script(defined(
            f"class Holder:\n    def __init__(self, {name}: int):\n        self.{name} = {name}\n"
            f"    def get(self, {name}: int) -> int:\n        return self.{name} + {name}\n", "Holder"))
        assert made(3).get(4) == made(**{name: 3}).get(**{name: 4}) == 7, name
