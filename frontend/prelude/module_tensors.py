"""What `parameters()`, `named_buffers()`, `state_dict()`, `modules()` and their like give, written as scripts.

In: the tensors of a module and of those below it with their dotted names, in the order of the tree; each may be None.
Or all these modules with their names.
Out: functions that inference calls in the place of the methods, with the methods' parameters.
Holds: a tensor that has several names is given once, under the first; a name without a dot is the module's own.
"""

from __future__ import annotations

from ...binding.tensor import Tensor


def named_tensors(named, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True):
    seen: list[Tensor] = []
    for name, tensor in named:
        if tensor is None or (not recurse and "." in name):
            continue
        if remove_duplicate:
            if any(tensor is other for other in seen):
                continue
            seen.append(tensor)
        yield (f"{prefix}.{name}" if prefix else name), tensor


def tensors(named, recurse: bool = True):
    for _, tensor in named_tensors(named, "", recurse):
        yield tensor


def state_dict(named, *, prefix: str = "", keep_vars: bool = False):
    return {prefix + name: tensor if keep_vars else tensor.detach() for name, tensor in named if tensor is not None}


def named_modules(found, memo: None = None, prefix: str = "", remove_duplicate: bool = True):
    for name, module in found:
        yield (f"{prefix}.{name}" if prefix and name else prefix + name), module


def modules(found):
    for _, module in found:
        yield module
