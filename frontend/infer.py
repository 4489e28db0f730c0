"""Inference of one function: from its syntax and its arguments' types to a typed tree and a result type.

In: a specialisation. Out: typed statements and the union of what its returns give.
Holds: falling off the end returns None; parameters may be assigned like any variable, at their declared type.
"""

from __future__ import annotations

from ..ir.types import Type
from . import syntax
from .conversions import convert
from .infer_base import Unreachable
from .infer_builtins import BuiltinInference
from .infer_calls import CallInference
from .infer_conditions import ConditionInference
from .infer_consumers import ConsumerInference
from .infer_expressions import ExpressionInference
from .infer_iteration import IterationInference, NotIterable
from .infer_names import NameInference
from .infer_operators import OperatorInference
from .infer_statements import StatementInference
from .placeholders import join, resolve
from .refine import RefinementInference
from .session import Session
from .signatures import signature_types
from .specialise import Specialisation
from .subscripts import SubscriptInference
from .syntax import Span
from .typed import ERROR, NEVER, STATIC, Return, Static, Stmt, none


class FunctionInference(
    StatementInference,
    IterationInference,
    SubscriptInference,
    CallInference,
    BuiltinInference,
    ConsumerInference,
    NameInference,
    OperatorInference,
    ConditionInference,
    RefinementInference,
    ExpressionInference,
):
    """All of inference, for one specialisation."""

    def statement(self, node: syntax.Node) -> None:
        try:
            super().statement(node)
        except NotIterable:
            return

    def run(self) -> tuple[list[Stmt], Type]:
        """The typed body, and the type of the result."""
        self.bind_parameters()
        try:
            self.body(self.source.node.body)
        except Unreachable:
            self.env = None
        if self.env is not None:
            self.fall_off()
        kinds = [kind for kind in map(resolve, self.results) if kind not in (NEVER, STATIC)]
        if ERROR in kinds:
            return self.out, self.spec.declared or ERROR
        return self.out, self.spec.declared or (join(*kinds) if kinds else NEVER)

    def bind_parameters(self) -> None:
        hints, _result = signature_types(self.source, self.error)
        for param, argument in zip(self.source.params, self.spec.arguments):
            if isinstance(argument, Static):
                self.here.store(param.arg, STATIC, argument.denotation)
                continue
            assert isinstance(argument, Type)
            self.here.store(param.arg, argument)
            if param.arg in hints:
                self.declared[param.arg] = hints[param.arg]

    def fall_off(self) -> None:
        """`return None` at the end."""
        last = self.source.node.body[-1].span if self.source.node.body else self.source.node.span
        span = Span(last.file, last.end_line, last.end_column, last.end_line, last.end_column)
        value = none(span)
        declared = self.spec.declared
        if declared is not None:
            converted = convert(value, declared)
            if converted is None and ERROR in self.results:
                return
            if converted is None:
                head = self.source.node.span
                name = self.source.name
                where = Span(head.file, head.line, head.column, head.line, head.column + len("def ") + len(name))
                self.error(where, f"'{name}' can end without a return, but its result is {declared}",
                           "return a value on every path, or raise")
                return
            value = converted[0]  # type: ignore[assignment]
        self.results.append(value.type)
        self.emit(Return(span, value))
        self.env = None


def infer_function(session: Session, spec: Specialisation) -> tuple[list[Stmt], Type]:
    """Types a specialisation's body. What is wrong with it goes to the session's reporter."""
    return FunctionInference(session, spec).run()
