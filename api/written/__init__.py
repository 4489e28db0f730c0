"""Functions and methods of tensors that are written as scripts, on top of the table's operators.

In: the rows of ops.def. Out: `FUNCTIONS`, what `tsm` shows besides the rows; methods of Tensor. Holds: each is plain
Python that runs eagerly, is traced operator by operator and compiles like a user's own.
"""

from .. import linalg, special
from . import (
    calculus,
    conversion,
    creation,
    factors,
    facts,
    formats,
    indexing,
    inplace,
    inplace_names,
    pointwise,
    products,
    quantiles,
    reductions,
    samplers,
    shape_changes,
    shapes,
    told_later,
    windows,
)
from .spelling import spelled_functions

FUNCTIONS = spelled_functions("tsm")

__all__ = [
    "FUNCTIONS",
    "calculus",
    "conversion",
    "creation",
    "factors",
    "facts",
    "formats",
    "indexing",
    "inplace",
    "inplace_names",
    "linalg",
    "pointwise",
    "products",
    "quantiles",
    "reductions",
    "samplers",
    "shape_changes",
    "shapes",
    "special",
    "told_later",
    "windows",
]
