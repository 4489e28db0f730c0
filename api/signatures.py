"""Signatures of methods: as one line of text, and in parts.

In: what a program says of a method. Out: "f(x: Tensor, n: int = 1) -> Tensor". Holds: types are spelled as in a file.
"""

from __future__ import annotations

import enum
from types import SimpleNamespace
from typing import Any

from .binding.call_forms import MethodInfo


class Schema(str):
    """The text, and its parts: `name`, `arguments` (each with name, type, default_value, kwarg_only), `returns`."""

    name: str
    arguments: list[SimpleNamespace]
    returns: list[SimpleNamespace]

    @classmethod
    def of(cls, info: MethodInfo) -> Schema:
        made = cls(f"{info.name}{signature_text(info)}")
        made.name = info.name
        made.arguments = [SimpleNamespace(
            name=param.name, type=param.type, kwarg_only=param.is_keyword_only,
            default_value=param.default if param.has_default else None,
        ) for param in info.params]
        made.returns = [SimpleNamespace(name="", type=info.result)]
        return made


def signature_text(info: MethodInfo) -> str:
    params = ", ".join(
        f"{param.name}: {param.type}" + (f" = {_default_text(param.default)}" if param.has_default else "")
        for param in info.params
    )
    return f"({params}) -> {info.result}"


def _default_text(value: Any) -> str:
    return f"{type(value).__name__}.{value.name}" if isinstance(value, enum.Enum) else repr(value)
