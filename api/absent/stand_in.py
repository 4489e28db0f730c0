"""Classes that stand for what PyTorch has and tsm has not.

In: a name and a hint. Out: a class to subclass, to annotate with and to ask isinstance of, which no value ever is.
Holds: NotImplementedError as soon as one is called, or an instance of a subclass is made.
"""

from __future__ import annotations

from abc import ABCMeta
from typing import Any


class StandIn(ABCMeta):
    """The class of stand-ins. A name inside one is a stand-in, too: `ReduceOp.SUM` may be a default argument."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(said(cls))

    def __getattr__(cls, name: str) -> Any:
        if name.startswith(("__", "_abc")) or "__tsm_absent__" not in cls.__dict__:  # a subclass has what it defines
            raise AttributeError(f"type object '{cls.__name__}' has no attribute {name!r}")
        path, hint = cls.__dict__["__tsm_absent__"]
        found = stand_in(f"{path}.{name}", hint)
        setattr(cls, name, found)
        return found

    def __getitem__(cls, item: Any) -> Any:
        return cls

    def __repr__(cls) -> str:
        marked = "__tsm_absent__" in cls.__dict__
        return f"<absent {cls.__dict__['__tsm_absent__'][0]}>" if marked else super().__repr__()


def said(cls: StandIn) -> str:
    """The text of the error of a stand-in, or of a class derived from one."""
    path, hint = cls.__tsm_absent__
    return f"tsm has no {path}: {hint}"


def stand_in(path: str, hint: str) -> Any:
    """A class for `path`, which reads as `optim.Adam`."""
    home, _, name = path.rpartition(".")
    return StandIn(name, (), {"__tsm_absent__": (path, hint), "__module__": f"tsm.{home}" if home else "tsm"})
