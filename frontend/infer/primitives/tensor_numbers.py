"""What kind of numbers a tensor holds, where the operators that made it say so: `x.argmax().item()` is an int.

In: typed expressions. Out: bool, int or float, a tuple of these for several tensors, None where nothing is known.
Holds: what is known only spares annotations: a number that is of another kind after all raises TypeError.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import BOOL, DTYPE, FLOAT, INT, TENSOR, DType, ListType, TupleType, Type, arms_of
from ...core.placeholders import resolve
from ...core.typed import Const, Do, Expr, Invoke, Let, MakeList, MakeTuple, Operate, Read, ReadTemp, Recast, TupleItem
from ..base import InferenceBase
from ..functions.library import is_own
from ..tensor_parts import Fact

BOOLS = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_not", "isnan", "isinf",
                   "isfinite", "cast.bool", "isin", "isclose"))
INTS = frozenset(("argmax", "argmin", "argsort", "nonzero", "cast.int64", "cast.int32", "one_hot", "argwhere",
                  "randperm", "searchsorted", "bucketize", "count_nonzero", "tril_indices", "triu_indices",
                  "multinomial", "_nonzero_columns"))
FLOATS = frozenset(("cast.float32", "cast.float64", "div.Tensor", "div.TensorScalar", "div.ScalarTensor", "exp", "log",
                    "log2", "log10", "log1p", "expm1", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "erf", "sigmoid",
                    "reciprocal", "mean", "var", "std", "softmax", "log_softmax", "logsumexp", "norm", "linear",
                    "rand", "randn", "layer_norm", "silu", "gelu", "zeros", "ones", "empty", "linspace"))
KEPT = frozenset(("neg", "pos", "abs", "view", "reshape", "flatten", "permute", "transpose", "t", "squeeze",
                  "unsqueeze", "expand", "select", "slice", "narrow", "unbind", "split", "chunk", "diagonal",
                  "contiguous", "detach", "clone", "index", "index_select", "gather", "flip", "tril", "triu",
                  "repeat", "amax", "amin", "max", "min", "getitem", "relu", "round", "floor", "ceil", "masked_fill",
                  "roll", "masked_select", "take", "_unique", "_consecutive", "rows_of", "ravel", "zeros_like",
                  "ones_like", "repeat_interleave"))
SUMS = frozenset(("sum", "cumsum", "prod", "cumprod"))
MIXED = frozenset(("add", "sub", "mul", "remainder", "floor_divide", "maximum", "minimum"))
WITH_PLACES = frozenset(("max.dim", "min.dim", "sort.Tensor", "topk", "kthvalue", "mode", "cummax", "cummin",
                         "_unique_all", "_unique_inverse", "_unique_counts", "_consecutive_inverse",
                         "_consecutive_counts"))


class TensorNumberInference(InferenceBase):
    """Kinds of numbers in tensors."""

    def note_numbers(self, name: str, value: Expr) -> None:
        """Remembers what is known of a variable's tensors; a list that a script can change may hold others later."""
        kind = resolve(value.type)
        is_kept = kind == TENSOR or isinstance(kind, TupleType) or (isinstance(kind, ListType) and name.startswith("."))
        if is_kept and (fact := self.numbers_in(value)) is not None:
            self.number_facts[self.here.variables[name].definition] = fact

    def number_kind(self, tensor: Expr) -> Type | None:
        """Of the numbers in one tensor."""
        fact = self.numbers_in(tensor)
        return fact if isinstance(fact, Type) else None

    def numbers_in(self, value: Expr) -> Fact | None:
        if isinstance(value, Read):
            state = self.here.variables.get(value.name)
            return None if state is None else self.number_facts.get(state.definition)
        if isinstance(value, ReadTemp):
            return None if value.temp.value is None else self.numbers_in(value.temp.value)
        if isinstance(value, (Let, Do)):
            return self.numbers_in(value.body if isinstance(value, Let) else value.value)
        if isinstance(value, Recast):
            return self.numbers_in(value.value)
        if isinstance(value, TupleItem):
            whole = self.numbers_in(value.value)
            return whole[value.index] if isinstance(whole, tuple) else whole
        if isinstance(value, MakeTuple):
            facts = tuple(map(self.numbers_in, value.items))
            return facts if any(facts) else None
        if isinstance(value, Operate):
            return self.numbers_of(value.row.full_name, value.row.name, value.operands)
        if isinstance(value, Invoke) and is_own(value.callee.source):
            return self.numbers_of(value.callee.source.name, value.callee.source.name, value.operands)
        return None

    def numbers_of(self, full_name: str, name: str, operands: Sequence[Expr]) -> Fact | None:
        """Of what an operator, or a function of the package's own, gives."""
        dtypes = [each for each in operands if DTYPE in arms_of(resolve(each.type)) and not is_none(each)]
        if dtypes:
            return kind_of_dtype(dtypes[0])
        for names, kind in ((BOOLS, BOOL), (INTS, INT), (FLOATS, FLOAT)):
            if name in names or full_name in names:
                return kind
        if not operands:
            return None
        if full_name in WITH_PLACES:
            return self.numbers_in(operands[0]), INT, INT
        if name in KEPT:
            return self.numbers_in(operands[0])
        if name == "tensor":
            return leaf_of(operands[0])
        if name in ("cat", "stack") and isinstance(operands[0], MakeList):
            kinds = {self.numbers_in(item) for item in operands[0].items}
            return kinds.pop() if len(kinds) == 1 else None
        if name in SUMS:
            found = self.numbers_in(operands[0])
            return INT if found == BOOL else found
        return self.numbers_met(operands) if name in MIXED else None

    def numbers_met(self, operands: Sequence[Expr]) -> Type | None:
        """Of arithmetic on two tensors, or a tensor and a number."""
        kinds: list[Type | None] = []
        for each in operands[:2]:
            kind = resolve(each.type)
            kinds.append(self.number_kind(each) if kind == TENSOR else kind)
        if FLOAT in kinds:
            return FLOAT
        return INT if INT in kinds and all(kind in (INT, BOOL) for kind in kinds) else None


def is_none(value: Expr) -> bool:
    """Whether it is the None that stands for an argument's default."""
    while isinstance(value, Recast):
        value = value.value
    return isinstance(value, Const) and value.value is None


def kind_of_dtype(value: Expr) -> Type | None:
    """Of the numbers of a dtype that is a constant."""
    while isinstance(value, Recast):
        value = value.value
    if not isinstance(value, Const) or not isinstance(value.value, DType):
        return None
    return FLOAT if value.value >= DType.float32 else BOOL if value.value == DType.bool else INT


def leaf_of(value: Expr) -> Type | None:
    """Of the numbers in nested lists."""
    while isinstance(value, Recast):
        value = value.value
    kind = resolve(value.type)
    while isinstance(kind, ListType):
        kind = resolve(kind.element)
    return kind if kind in (BOOL, INT, FLOAT) else None
