"""tsm.nn.functional: the table's functions spelled `F.*`, and those written in scriptable Python on top of them.

In: tensors. Out: tensors. Holds: functions below are plain scripted Python, so eager code and compiled code run the
same lines; all others come from the operator table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..binding import functions
from ..binding.tensor import Tensor

_rows_by_weight: Any = functions.namespace("tsm.")["embedding"]


def embedding(input: Tensor, weight: Tensor) -> Tensor:
    """Rows of `weight`, of shape (n, d), at integer indices of any shape: result of shape (*input.shape, d)."""
    return _rows_by_weight(weight, input)


globals().update({name: made for name, made in functions.namespace("F.").items() if name != "embedding"})

if TYPE_CHECKING:

    def __getattr__(name: str) -> Callable[..., Any]: ...
