"""How the parts of inference call each other: what one part offers to the rest, each implemented in its own file.

In: nothing. Out: the signatures. Holds: every method here is implemented by exactly one part of `FunctionInference`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..ir.types import Type
from . import syntax
from .environment import Environment
from .modules import ModuleInfo
from .syntax import Span
from .typed import Expr

if TYPE_CHECKING:
    from .function_source import FunctionSource
    from .infer_base import Jump
    from .iteration import Iteration
    from .liveness import Names
    from .subscripts import Index

Outcome = tuple[Expr, "Environment | None", "Environment | None"]  # a condition; what holds if true, if false
Named = list[tuple[str, Expr]]


class InferenceParts:
    """Abstract."""

    # infer_expressions.py

    def expr(self, node: syntax.Node, want: Type | None = None) -> Expr:
        raise NotImplementedError

    def value(self, node: syntax.Node, want: Type | None = None) -> Expr:
        raise NotImplementedError

    def text_of(self, value: Expr, row: str = "str.any") -> Expr:
        raise NotImplementedError

    # infer_names.py

    def literal(self, node: syntax.Constant) -> Expr:
        raise NotImplementedError

    def outer_name(self, node: syntax.Name) -> Expr:
        raise NotImplementedError

    def attribute(self, node: syntax.Node, owner: Expr, name: str, path: tuple[str, ...] | None) -> Expr:
        raise NotImplementedError

    def path_of(self, node: syntax.Node) -> tuple[str, ...] | None:
        raise NotImplementedError

    def local_name(self, name: str) -> str:
        raise NotImplementedError

    def module_info(self, kind: Type) -> ModuleInfo | None:
        raise NotImplementedError

    # infer_operators.py

    def binary(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        raise NotImplementedError

    def compare(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        raise NotImplementedError

    def negate(self, value: Expr, span: Span) -> Expr:
        raise NotImplementedError

    # infer_conditions.py

    def condition(self, node: syntax.Node) -> Outcome:
        raise NotImplementedError

    def decided(self, value: Expr, true: Environment | None, false: Environment | None) -> Outcome:
        raise NotImplementedError

    def then(self, first: Expr, second: Expr) -> Expr:
        raise NotImplementedError

    # refine.py

    def narrowing(self, node: syntax.Node) -> Outcome | None:
        raise NotImplementedError

    def isinstance_test(self, node: syntax.Call) -> Outcome:
        raise NotImplementedError

    def both(self, subject: syntax.Node, yes: Type, no: Type) -> tuple[Environment, Environment]:
        raise NotImplementedError

    def truth(self, value: Expr) -> Expr:
        raise NotImplementedError

    def is_builtin(self, node: syntax.Name, name: str) -> bool:
        raise NotImplementedError

    # infer_statements.py

    def body(self, statements: Sequence[syntax.Node]) -> None:
        raise NotImplementedError

    def assign(self, target: syntax.Node, value: Expr) -> None:
        raise NotImplementedError

    def in_loop(self, on_break: Jump, on_continue: Jump, body: Sequence[syntax.Node]) -> None:
        raise NotImplementedError

    # infer_iteration.py

    def for_loop(self, node: syntax.For) -> None:
        raise NotImplementedError

    def walk(
        self, span: Span, iteration: Iteration, assigned: Names, head: Names | None, live: Names | None,
        each: Callable[[Expr, Jump, Jump], None], leave: Jump | None,
    ) -> None:
        raise NotImplementedError

    def comprehend(
        self, node: syntax.Node, generators: Sequence[syntax.comprehension], build: Callable[[], None]
    ) -> None:
        raise NotImplementedError

    def list_from(self, node: syntax.Node, want: Type | None = None) -> Expr:
        raise NotImplementedError

    def is_lazy(self, node: syntax.Node) -> bool:
        raise NotImplementedError

    # infer_calls.py

    def invoke_source(self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named) -> Expr:
        raise NotImplementedError

    # infer_builtins.py

    def call_builtin(self, node: syntax.Call, name: str, want: Type | None) -> Expr:
        raise NotImplementedError

    def keywords(self, node: syntax.Call) -> Named:
        raise NotImplementedError

    def takes(self, node: syntax.Call, least: int, most: int, allowed: Sequence[str] = ()) -> bool:
        raise NotImplementedError

    def wrong(self, node: syntax.Node) -> Expr:
        raise NotImplementedError

    # subscripts.py

    def held_index(self, owner: Expr, node: syntax.Node) -> Index:
        raise NotImplementedError

    def get_item(self, node: syntax.Subscript, owner: Expr, index: Index) -> Expr:
        raise NotImplementedError

    def set_item(self, node: syntax.Subscript, owner: Expr, index: Index, value: Expr) -> None:
        raise NotImplementedError

    def delete_item(self, node: syntax.Subscript) -> None:
        raise NotImplementedError

    def sequence_parts(self, node: syntax.Node, value: Expr, count: int, star: int | None) -> list[Expr]:
        raise NotImplementedError
