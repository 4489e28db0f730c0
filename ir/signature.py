"""Fits operand types to an operator's schema: the one place that binds type variables.

In: schema types and static types. Out: a binding of t, k, v, and the result types under it.
Holds: exact types only (conversions are the front end's business); refinements of tensors do not matter.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any as PyAny

from .graph import Node, Value
from .operators import Operator
from .schema import SchemaParam
from .types import (
    DEVICE,
    FLOAT,
    DictType,
    FrozenSetType,
    ListType,
    OptionalType,
    Primitive,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    VarType,
    optional,
    unrefined,
)

Binding = dict[str, Type]


def unify(pattern: Type, actual: Type, binding: Binding) -> bool:
    """Whether `actual` is exactly `pattern`, binding the pattern's variables; on False `binding` is unspecified."""
    if isinstance(pattern, VarType):
        actual = unrefined(actual)
        return binding.setdefault(pattern.name, actual) == actual
    if type(pattern) is not type(actual):
        return False
    if isinstance(pattern, Primitive):
        return pattern == actual
    if isinstance(pattern, TensorType):
        return True
    if isinstance(pattern, TupleType) and isinstance(actual, TupleType) and pattern.is_variadic != actual.is_variadic:
        return False
    if isinstance(pattern, (ListType, SetType, FrozenSetType, DictType, TupleType, OptionalType)):
        inner, outer = pattern.members, actual.members
        return len(inner) == len(outer) and all(unify(p, a, binding) for p, a in zip(inner, outer))
    if isinstance(pattern, UnionType) and isinstance(actual, UnionType):
        return set(pattern.arms) == set(unrefined(actual).members)
    return pattern == unrefined(actual)


def substitute(pattern: Type, binding: Binding) -> Type:
    """`pattern` with its variables replaced; KeyError for one that is not bound."""
    if isinstance(pattern, VarType):
        return binding[pattern.name]
    if isinstance(pattern, ListType):
        return ListType(substitute(pattern.element, binding))
    if isinstance(pattern, SetType):
        return SetType(substitute(pattern.element, binding))
    if isinstance(pattern, FrozenSetType):
        return FrozenSetType(substitute(pattern.element, binding))
    if isinstance(pattern, DictType):
        return DictType(substitute(pattern.key, binding), substitute(pattern.value, binding))
    if isinstance(pattern, TupleType):
        return TupleType(tuple(substitute(t, binding) for t in pattern.elements), pattern.is_variadic)
    if isinstance(pattern, OptionalType):
        return optional(substitute(pattern.inner, binding))
    return pattern


def bind(operator: Operator, operands: Sequence[Type]) -> Binding | None:
    """The binding under which operands in schema order fit, trailing defaults left out; None if they do not."""
    schema = operator.schema
    if not len(operands) <= len(schema.params):
        return None
    if not all(param.has_default for param in schema.params[len(operands) :]):
        return None
    binding: Binding = {}
    fits = all(unify(param.type, kind, binding) for param, kind in zip(schema.params, operands))
    return binding if fits else None


def result_types(operator: Operator, operands: Sequence[Type]) -> tuple[Type, ...] | None:
    """Types of the results for exactly fitting operands; None if the operands do not fit."""
    binding = bind(operator, operands)
    if binding is None:
        return None
    return tuple(substitute(kind, binding) for kind in operator.schema.results)


_ABSENT = object()


def constant_of(value: Value) -> PyAny:
    """The Python value of a constant, also seen through `widen` and, if nobody else holds it, a list of constants.
    Raises LookupError for a value that is no constant, and for a device, which no Python value tells from an int."""
    node = value.node
    if value.type == DEVICE:
        raise LookupError
    if node is not None and node.op == "const":
        return node.attrs["value"]
    if node is not None and node.op == "widen" and not isinstance(value.type, TupleType):
        return constant_of(node.operands[0])
    if node is not None and node.op == "list" and len(value.uses) == 1:
        return [constant_of(operand) for operand in node.operands]
    raise LookupError


def is_same_constant(left: PyAny, right: PyAny) -> bool:
    """Equal in kind and bits: 1, True and 1.0 differ, 0.0 and -0.0 differ, a NaN is itself."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return struct.pack("<d", left) == struct.pack("<d", right)
    if isinstance(left, complex):
        return is_same_constant(left.real, right.real) and is_same_constant(left.imag, right.imag)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(is_same_constant, left, right))
    return bool(left == right)


def _is_default(param: SchemaParam, operand: Value) -> bool:
    try:
        value = constant_of(operand)
    except LookupError:
        return False
    default = float(param.default) if param.type == FLOAT else param.default
    return is_same_constant(value, default)


def needed_operands(operator: Operator, node: Node) -> int:
    """How many operands of the node must be written: trailing ones that equal their defaults need not."""
    count = len(node.operands)
    params = operator.schema.params
    while count and params[count - 1].has_default and _is_default(params[count - 1], node.operands[count - 1]):
        count -= 1
    return count


def spell_type_mismatch(operator: Operator, operands: Sequence[Type]) -> str:
    """Why the operands do not fit, naming the first one that is wrong."""
    params = operator.schema.params
    if len(operands) > len(params):
        return f"takes {len(params)} operands, got {len(operands)}"
    binding: Binding = {}
    for param, kind in zip(params, operands):
        if not unify(param.type, kind, binding):
            bound = "".join(f", with {name} = {t}" for name, t in binding.items())
            return f"operand {param.name} must be {param.type}{bound}, got {kind}"
    return f"needs operand {params[len(operands)].name}"


def is_union_like(kind: Type) -> bool:
    """Whether a value of the type carries its own arm: Optional, Union, Scalar, Any."""
    return isinstance(kind, (OptionalType, UnionType)) or str(kind) in ("Scalar", "Any")
