"""`tsm.save` and `tsm.as_tensor`: the ways out of and into tsm that are functions."""

from __future__ import annotations

import os
from typing import IO, Any

from .binding import DType, Tensor
from .binding.functions import namespace
from .nn.weights import as_tensor as _as_tensor


def save(program: Any, target: str | os.PathLike[str] | IO[bytes], **options: Any) -> None:
    """Writes a scripted, traced or loaded program to a path or an open binary file. Options as of its `save` method.

    TypeError for what is not a program: script or trace it first.
    """
    from .loaded import LoadedModule

    if not isinstance(program, LoadedModule):
        raise TypeError(f"tsm.save takes a program, not a {type(program).__name__}: use tsm.script or tsm.trace first")
    program.save(target, **options)


def as_tensor(data: Any, dtype: DType | None = None) -> Tensor:
    """A tensor of `data`, without a copy where that is possible: arrays and tensors of other libraries share memory.

    TypeError for data without a tensor form.
    """
    if isinstance(data, (list, tuple, int, float, bool)):
        made: Tensor = namespace("tsm.")["tensor"](data, dtype=dtype)
        return made
    tensor = _as_tensor(data)
    return tensor if dtype is None else tensor.to(dtype)
