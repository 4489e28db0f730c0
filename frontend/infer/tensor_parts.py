"""The same as infer/parts.py, of tensors and of what modules hold of them.

In: nothing. Out: the signatures. Holds: every method here is implemented by exactly one part of `FunctionInference`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ...ir.types import Type
from ..core.typed import Expr, Static
from ..objects.modules import ModuleInfo
from ..parser import syntax

if TYPE_CHECKING:
    from ...binding.indexing import Item
    from ..core.denotations import SpecialDenotation
    from .indices import Hold, TensorIndex

Fact = Type | tuple["Fact | None", ...]  # what kind of numbers a tensor holds, or each of several


class TensorParts(Protocol):
    """All of them; a type for the checker only."""

    # containers/tensor_subscripts.py
    def items_of_index(self, node: syntax.Node, hold: Hold) -> list[Item]: ...
    def get_tensor(self, node: syntax.Subscript, owner: Expr, index: TensorIndex) -> Expr: ...
    def set_tensor(self, node: syntax.Subscript, owner: Expr, index: TensorIndex, value: Expr) -> None: ...

    # containers/tensor_lists.py
    def tolist_method(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None: ...
    def is_any_guessed(self) -> bool: ...
    def call_tolist(self, node: syntax.Call, denotation: SpecialDenotation, want: Type | None) -> Expr: ...

    # containers/module_tensors.py
    def module_tensors(self, node: syntax.Node, owner: Expr, info: ModuleInfo, name: str) -> Expr | None: ...

    # containers/own_tensors.py
    def note_own(self, name: str, value: Expr) -> None: ...
    def shape_method(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None: ...
    def call_into(self, node: syntax.Call, callee: Static) -> Expr | None: ...

    # functions/calls.py
    def call_of(self, node: syntax.Call, callee: Expr, want: Type | None) -> Expr: ...

    # primitives/tensor_numbers.py
    def note_numbers(self, name: str, value: Expr) -> None: ...
    def number_kind(self, tensor: Expr) -> Type | None: ...
