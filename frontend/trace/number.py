"""Numbers that remember the Value they come from: what shapes and item() give while a function is traced.

In: a plain number and its Value. Out: an int or float whose arithmetic is recorded too.
Holds: it is an int or float, so everything in Python takes it; a comparison gives a plain bool, which fixes the branch,
so it warns.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING
from typing import Any as PyAny

from ...ir.graph import Value
from ...ir.types import FLOAT, INT, Type

if TYPE_CHECKING:
    from .tracer import Trace


class TracedNumber:
    """What TracedInt and TracedFloat share."""

    value: Value
    trace: Trace


def make_number(trace: Trace, value: Value, number: PyAny) -> PyAny:
    """`number` as a traced one; what is no number, or a bool, stays plain."""
    if type(number) is int or isinstance(number, TracedInt):
        traced: PyAny = TracedInt(int(number))
    elif type(number) is float or isinstance(number, TracedFloat):
        traced = TracedFloat(float(number))
    else:
        return number
    traced.value, traced.trace = value, trace
    return traced


def _plain(number: PyAny) -> PyAny:
    return int(number) if isinstance(number, int) else float(number)


def _binary(name: str, apply: Callable[[PyAny, PyAny], PyAny], is_swapped: bool) -> Callable[[PyAny, PyAny], PyAny]:
    def method(self: PyAny, other: PyAny) -> PyAny:
        if not isinstance(other, (int, float)):
            return NotImplemented
        left, right = (other, self) if is_swapped else (self, other)
        result = apply(_plain(left), _plain(right))
        kind: Type = INT if isinstance(left, int) and isinstance(right, int) else FLOAT
        if isinstance(result, complex) or (name == "pow" and isinstance(result, int) != (kind == INT)):
            return result
        operands = [self.trace.value_of(left, kind), self.trace.value_of(right, kind)]
        result_kind = INT if isinstance(result, int) else FLOAT
        return make_number(self.trace, self.trace.operate(f"{name}.{kind}", operands, result_kind), result)

    return method


def _unary(name: str, apply: Callable[[PyAny], PyAny]) -> Callable[[PyAny], PyAny]:
    def method(self: PyAny) -> PyAny:
        kind = self.value.type
        return make_number(self.trace, self.trace.operate(f"{name}.{kind}", [self.value], kind), apply(_plain(self)))

    return method


def _comparison(apply: Callable[[PyAny, PyAny], PyAny], symbol: str) -> Callable[[PyAny, PyAny], PyAny]:
    def method(self: PyAny, other: PyAny) -> PyAny:
        if not isinstance(other, (int, float)):
            return NotImplemented
        self.trace.warn_branch(
            f"comparison '{symbol}' of a size while tracing: the trace follows only the branch that this size takes"
        )
        return apply(_plain(self), _plain(other))

    return method


def _methods() -> dict[str, PyAny]:
    names: dict[str, PyAny] = {
        "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
        "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow,
    }
    found: dict[str, PyAny] = {}
    for name, apply in names.items():
        found[f"__{name}__"] = _binary(name, apply, is_swapped=False)
        found[f"__r{name}__"] = _binary(name, apply, is_swapped=True)
    found["__neg__"], found["__abs__"] = _unary("neg", operator.neg), _unary("abs", operator.abs)
    for name, symbol in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
        found[f"__{name}__"] = _comparison(getattr(operator, name), symbol)
    return found


class TracedInt(int, TracedNumber):
    """An int that a traced function computed from its inputs."""

    __hash__ = int.__hash__


class TracedFloat(float, TracedNumber):
    """A float that a traced function computed from its inputs."""

    __hash__ = float.__hash__


for _name, _method in _methods().items():
    setattr(TracedInt, _name, _method)
    setattr(TracedFloat, _name, _method)
