"""Calls of modules that have forward hooks: a script that runs them around `forward`, in PyTorch's order.

In: a module, how many arguments a call gives and the names of the others. Out: the script for the call.
Holds: what a hook returns takes the place of the arguments, or of the result, unless it is None.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any as PyAny

from ..parser import parse, syntax
from .function_source import FunctionSource


def hooks_of(module: PyAny) -> tuple[PyAny, ...]:
    """The functions that a call of a module runs before and behind its forward, each with its place."""
    before = tuple(("pre", hook) for hook in getattr(module, "_forward_pre_hooks", {}).values())
    return before + tuple(("post", hook) for hook in getattr(module, "_forward_hooks", {}).values())


def hooked_forward(
    module: PyAny, count: int, keywords: Sequence[str], where: syntax.Span
) -> FunctionSource:
    """The script for calls of a module with `count` arguments by position and these by name."""
    hooks = hooks_of(module)
    names = {f"hook{i}": hook for i, (_, hook) in enumerate(hooks)}
    given = [f"a{i}" for i in range(count)]
    by_name = list(keywords)
    header = ", ".join(["self", *given, *(["*", *by_name] if by_name else [])])
    lines = [f"input0 = ({''.join(f'{name}, ' for name in given)})"]
    stage = 0
    for i, (kind, _) in enumerate(hooks):
        if kind == "pre":
            lines += [
                f"made{i} = hook{i}(self, input{stage})",
                f"if made{i} is None:", f"    input{stage + 1} = input{stage}",
                f"elif isinstance(made{i}, tuple):", f"    input{stage + 1} = made{i}",
                "else:", f"    input{stage + 1} = (made{i},)",
            ]
            stage += 1
    passed = ", ".join([f"*input{stage}", *(f"{name}={name}" for name in by_name)])
    lines.append(f"output0 = self.forward({passed})")
    step = 0
    for i, (kind, _) in enumerate(hooks):
        if kind == "post":
            lines += [
                f"made{i} = hook{i}(self, input{stage}, output{step})",
                f"if made{i} is None:", f"    output{step + 1} = output{step}",
                "else:", f"    output{step + 1} = made{i}",
            ]
            step += 1
    text = f"def forward({header}):\n" + "".join(f"    {line}\n" for line in [*lines, f"return output{step}"])
    node = parse.parse_source(text, where.file).body[0]
    assert isinstance(node, syntax.FunctionDef)
    for each in syntax.walk(node):
        each.span = where
    return FunctionSource(node.name, node, {**vars(builtins), **names}.__getitem__)
