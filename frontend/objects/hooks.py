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

CALL = "__call__"  # the method that a module with hooks has beside `forward`


def hooks_of(module: PyAny) -> tuple[PyAny, ...]:
    """The functions that a call of a module runs before and behind its forward, each with its place."""
    before = tuple(("pre", hook) for hook in getattr(module, "_forward_pre_hooks", {}).values())
    return before + tuple(("post", hook) for hook in getattr(module, "_forward_hooks", {}).values())


def hooked_entry(module: PyAny, forward: FunctionSource) -> FunctionSource:
    """What a host calls for a module with hooks: its parameters are those of `forward`, and hooks see the arguments
    without which it cannot be called."""
    params = forward.params[1:]
    given = [param.arg for i, param in enumerate(params, 1) if not (
        param.arg in forward.defaults or forward.is_keyword_only(i))]
    by_name = [param.arg for param in params if param.arg not in given]
    made = hooked_forward(module, given, by_name, forward.node.span)
    made.node.args = forward.node.args

    def lookup(name: str) -> PyAny:
        return made.lookup(name) if name.startswith("hook") else forward.lookup(name)

    return FunctionSource(CALL, made.node, lookup, forward.defaults, forward.owner, class_type=forward.class_type)


def hooked_forward(
    module: PyAny, given: Sequence[str], by_name: Sequence[str], where: syntax.Span
) -> FunctionSource:
    """The script for calls of a module with arguments by position and by name."""
    hooks = hooks_of(module)
    names = {f"hook{i}": hook for i, (_, hook) in enumerate(hooks)}
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
