"""Where a function's own text hands a variable's tensor on, so that others may know it from then on.

In: the AST of a function, a name. Out: places. Holds: the answer errs on the side of more; computing with a tensor,
asking it, taking views of it and passing it to a function that makes a new one does not give it away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from . import syntax
from .liveness import Names
from .ownership import is_named

SHAPE_CHANGES = ("unsqueeze_", "squeeze_", "transpose_", "t_", "swapaxes_", "swapdims_")

MAY_GIVE_SAME = frozenset((
    "contiguous", "to", "type", "float", "double", "long", "int", "bool", "half", "bfloat16", "cpu", "cuda", "flatten",
    "ravel", "type_as", "positive", "conj", "real", "as_tensor", "asarray", "atleast_1d", "atleast_2d", "atleast_3d",
    "broadcast_tensors", "resolve_conj",
))  # the tensor itself where there is nothing to do
ASKING = frozenset(("len", "print", "float", "int", "bool", "str", "repr", "isinstance"))


def names_reshaped(nodes: Iterable[syntax.Node]) -> Names:
    """Variables that calls may give a tensor of another shape: `x.unsqueeze_(0)`, `f(y, out=x)`."""
    found: set[str] = set()
    for node in (each for root in nodes for each in syntax.walk(root)):
        if not isinstance(node, syntax.Call):
            continue
        changed = [each.value for each in node.keywords if each.arg == "out"]
        if isinstance(node.func, syntax.Attribute) and node.func.attr in SHAPE_CHANGES:
            changed.append(node.func.value)
        found.update(each.id for each in changed if isinstance(each, syntax.Name))
    return frozenset(found)


def handed_on(function: syntax.FunctionDef, name: str, is_library: Callable[[str], bool]) -> Iterator[syntax.Node]:
    """The mentions of a variable that may give its tensor to somebody. `is_library`: whether a name is a function of
    the package that makes new tensors."""
    nodes = list(syntax.walk(function))
    discarded = {id(node.value) for node in nodes if isinstance(node, syntax.Expr)}
    allowed: set[int] = set()
    for node in nodes:
        allowed.update(id(each) for each in kept(node, id(node) in discarded, is_library))
    for node in nodes:
        if isinstance(node, (syntax.FunctionDef, syntax.Lambda)) and node is not function:
            yield from (each for each in syntax.walk(node) if is_named(each, name))
        if is_named(node, name) and id(node) not in allowed:
            yield node


def kept(node: syntax.Node, is_discarded: bool, is_library: Callable[[str], bool]) -> list[syntax.Node]:
    """The parts of a piece of syntax whose tensors it gives to nobody, and the variables it assigns."""
    if isinstance(node, (syntax.Subscript, syntax.FormattedValue)):
        index = getattr(node, "slice", None)
        return [node.value, *([index] if index is not None else [])]
    if isinstance(node, syntax.Attribute):
        return [] if changes_or_same(node.attr) else [node.value]
    if isinstance(node, syntax.Call):
        return kept_by_call(node, is_discarded, is_library)
    if isinstance(node, syntax.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, syntax.BinOp):
        return [node.left, node.right]
    if isinstance(node, syntax.UnaryOp):
        return [node.operand] if node.op != "+" else []
    if isinstance(node, syntax.AugAssign):
        return [node.target, node.value]
    if isinstance(node, syntax.Assign):
        return [*node.targets]
    return [node.target] if isinstance(node, syntax.AnnAssign) else []


def kept_by_call(node: syntax.Call, is_discarded: bool, is_library: Callable[[str], bool]) -> list[syntax.Node]:
    given: list[syntax.Node] = [*node.args, *(each.value for each in node.keywords)]
    if isinstance(node.func, syntax.Name):
        return given if node.func.id in ASKING else []
    if not isinstance(node.func, syntax.Attribute):
        return []
    found: list[syntax.Node] = [node.func.value] if is_discarded and node.func.attr.endswith("_") else []
    if is_library(node.func.attr) and not changes_or_same(node.func.attr):
        found += given
        found += [item for each in given if isinstance(each, (syntax.List, syntax.Tuple)) for item in each.elts]
    return found


def changes_or_same(name: str) -> bool:
    """Whether a method may give the tensor itself."""
    return name in MAY_GIVE_SAME or (name.endswith("_") and not name.endswith("__"))
