"""Numbers that remember the Value they come from: what shapes and item() give while a function is traced.

In: a plain number and its Value. Out: an int or float whose arithmetic is recorded too.
Holds: it is an int or float, so everything in Python takes it; a comparison gives a plain bool, which fixes the branch,
so it warns.
"""

from __future__ import annotations

import math
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

    __tsm_number__ = True  # for the binding it is the number that it stands for
    value: Value
    trace: Trace


def make_number(trace: Trace, value: Value, number: PyAny) -> PyAny:
    """`number` as a traced one; what is no number, or a bool, stays plain."""
    if type(number) is int or isinstance(number, TracedInt):
        traced: PyAny = TracedInt(plain_number(number))
    elif type(number) is float or isinstance(number, TracedFloat):
        traced = TracedFloat(plain_number(number))
    else:
        return number
    traced.value, traced.trace = value, trace
    return traced


def plain_number(number: PyAny) -> PyAny:
    """The same number, which remembers nothing."""
    return int.__int__(number) if isinstance(number, int) else float.__float__(number)


def _binary(name: str, apply: Callable[[PyAny, PyAny], PyAny], is_swapped: bool) -> Callable[[PyAny, PyAny], PyAny]:
    def method(self: PyAny, other: PyAny) -> PyAny:
        if not isinstance(other, (int, float)):
            return NotImplemented
        left, right = (other, self) if is_swapped else (self, other)
        result = apply(plain_number(left), plain_number(right))
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
        result = apply(plain_number(self))
        return make_number(self.trace, self.trace.operate(f"{name}.{kind}", [self.value], kind), result)

    return method


def _whole(name: str, apply: Callable[[PyAny], int]) -> Callable[[PyAny], PyAny]:
    """`math.floor(x)` and its like; of an int it is the same."""

    def method(self: PyAny) -> PyAny:
        if isinstance(self, int):
            return self
        return make_number(self.trace, self.trace.operate(name, [self.value], INT), apply(plain_number(self)))

    return method


def _rounded(self: PyAny, digits: int | None = None) -> PyAny:
    if digits is not None or isinstance(self, int):
        return round(plain_number(self), digits)
    return make_number(self.trace, self.trace.operate("round.float", [self.value], INT), round(plain_number(self)))


def _escaped(kind: type) -> Callable[[PyAny], PyAny]:
    """`int(x)` and `float(x)`, which Python wants plain."""

    def method(self: PyAny) -> PyAny:
        name = kind.__name__
        self.trace.warn_branch(f"{name}() of a size while tracing gives a plain {name}, fixed in the trace"
                               + (": use math.floor(), math.trunc(), // or round()" if kind is int else ""))
        return kind(plain_number(self))

    return method


def _comparison(apply: Callable[[PyAny, PyAny], PyAny], symbol: str) -> Callable[[PyAny, PyAny], PyAny]:
    def method(self: PyAny, other: PyAny) -> PyAny:
        if not isinstance(other, (int, float)):
            return NotImplemented
        self.trace.warn_branch(
            f"comparison '{symbol}' of a size while tracing: the trace follows only the branch that this size takes"
        )
        return apply(plain_number(self), plain_number(other))

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
    for name, apply in (("floor", math.floor), ("ceil", math.ceil)):
        found[f"__{name}__"] = _whole(f"math.{name}.float", apply)
    found.update(__trunc__=_whole("int.float", math.trunc), __round__=_rounded, __int__=_escaped(int))
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
