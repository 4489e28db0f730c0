"""tsm.library: operators of a program's own, under PyTorch's spelling. An operator stays the function that it is.

In: a function and a name. Out: the function, which Python and scripts call as any other. Holds: there is no second
registry of operators, so what tells PyTorch about one, such as `register_fake`, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .absent import of_module
from .absent.modules import passing

register_autocast = register_fake = register_kernel = register_vmap = passing
register_torch_dispatch = impl = impl_abstract = passing


def custom_op(
    name: str, fn: Callable[..., Any] | None = None, /, *, mutates_args: Any = (), device_types: Any = None,
    schema: str | None = None, tags: Any = None,
) -> Any:
    """The function, which gets `register_fake`, `register_autograd` and their kin; without one, a decorator."""
    return _own(fn) if fn is not None else _own


triton_op = custom_op


def _own(function: Any) -> Any:
    for each in ("register_fake", "register_kernel", "register_autograd", "register_vmap", "register_torch_dispatch"):
        setattr(function, each, passing)
    return function


def define(qualname: str, schema: str = "", *, lib: Any = None, tags: Any = ()) -> None:
    """Nothing: there is no table of operators to add to."""


def register_autograd(op: Any, backward: Any, /, *, setup_context: Any = None, lib: Any = None) -> None:
    """Nothing: gradients are not computed yet."""


class Library:
    """Operators of a namespace: what is told about them changes nothing."""

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """The operator's name: it is not added to any table."""
        return schema.partition("(")[0]

    def impl(self, op_name: Any, fn: Any, dispatch_key: str = "", **options: Any) -> None:
        """Nothing."""

    def fallback(self, fn: Any, dispatch_key: str = "", **options: Any) -> None:
        """Nothing."""

    _register_fake = impl


__getattr__ = of_module("library")
