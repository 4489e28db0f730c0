"""Methods of submodules that a host calls by their path: "encoder.forward", "layers.0.step".

In: a module, the path of one below it, the source of a method there. Out: a method of the module itself, with the
parameters of that one, that calls it. Holds: "path.__call__" runs the hooks of the submodule, "path.forward" does not.
"""

from __future__ import annotations

import builtins
import typing
from typing import Any as PyAny

from ...binding.tensor import Tensor
from ...ir.graph import Program
from ..parser import parse, syntax
from .function_source import FunctionSource
from .hooks import CALL
from .program_members import is_program_module, source_of


def submodule_entry(module: PyAny, path: str, name: str, source: FunctionSource) -> FunctionSource:
    """The method that a host calls as "path.name"."""
    args = source.node.args
    receiver = source.params[0].arg
    called = place_of(module, path, receiver) + ("" if name == CALL else f".{name}")
    positional = [param.arg for param in (*args.posonlyargs, *args.args)][1:]
    passed = [*positional, *([f"*{args.vararg.arg}"] if args.vararg is not None else []),
              *(f"{param.arg}={param.arg}" for param in args.kwonlyargs),
              *([f"**{args.kwarg.arg}"] if args.kwarg is not None else [])]
    text = f"def entry({receiver}):\n    return {called}({', '.join(passed)})\n"
    node = parse.parse_source(text, source.node.span.file).body[0]
    assert isinstance(node, syntax.FunctionDef)
    for each in syntax.walk(node):
        each.span = source.node.span
    node.args, node.name = args, source.node.name
    made = FunctionSource(
        f"{path}.{name}", node, source.lookup, source.defaults, type(module), class_type=source.class_type)
    return made


def program_method(program: Program, name: str) -> FunctionSource:
    """The head of a method of a traced or loaded module, as source."""
    method = program.methods[name if name in program.methods else "forward"]
    parts = ["self"]
    for param in method.params:
        parts += ["*"] if param.is_keyword_only and "*" not in parts else []
        parts.append(f"{param.name}: {param.type}" + (f" = {param.default!r}" if param.has_default else ""))
    node = parse.parse_source(f"def {method.name}({', '.join(parts)}):\n    pass\n", "<program>").body[0]
    assert isinstance(node, syntax.FunctionDef)
    defaults = {param.name: param.default for param in method.params if param.has_default}
    names = {**vars(typing), **vars(builtins), "Tensor": Tensor}
    return FunctionSource(method.name, node, names.__getitem__, defaults)


def place_of(module: PyAny, path: str, receiver: str) -> str:
    """The expression for a submodule: `self.layers[0]`."""
    text = receiver
    for name in path.split("."):
        source = source_of(module)
        python = type(source)
        is_item = not name.isidentifier() or (hasattr(python, "__getitem__") and not is_program_module(source))
        is_list = is_item and not hasattr(python, "keys")
        text += f"[{list(module._modules).index(name)}]" if is_list else f"[{name!r}]" if is_item else f".{name}"
        module = module._modules[name]
    return text
