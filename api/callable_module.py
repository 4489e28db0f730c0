"""Modules that are called: where PyTorch has a package, tsm has a function of the same name, and both work.

In: a module and its function. Out: the module, which can be called.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any


def make_callable(name: str, function: Callable[..., Any]) -> None:
    """Makes a module, which is being imported, do what the function does when it is called."""

    class CallableModule(types.ModuleType):
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

    CallableModule.__call__.__doc__ = function.__doc__
    sys.modules[name].__class__ = CallableModule
