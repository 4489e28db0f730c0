"""Saving and loading of a module's own part of a state_dict, and modules that do so themselves.

In: modules; a class may have `_save_to_state_dict` and `_load_from_state_dict` of its own, a scripted one exports them.
Out: what is left for Module's own way. Holds: a module's own keys begin with its path and do not lead below it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from ..binding.tensor import Tensor
from .weights import as_tensor

T = TypeVar("T")
ASSIGN = "assign_to_params_buffers"  # in `local_metadata`, as PyTorch says it


def own_state(module: Any, prefix: str) -> dict[str, Tensor]:
    """Parameters and persistent buffers of the module itself; they share memory with it."""
    state = {prefix + name: each.detach() for name, each in module._parameters.items() if each is not None}
    buffers = {name: each for name, each in module._buffers.items() if name not in module._non_persistent}
    return {**state, **{prefix + name: each for name, each in buffers.items() if each is not None}}


def load_own_state(
    module: Any, given: dict[str, Any], prefix: str, metadata: Any, strict: bool, missing: list[str],
    unexpected: list[str], errors: list[str],
) -> None:
    """Copies what is there into the module's own tensors, or puts it in their place if `metadata` says so; names what
    is not, is too much, or has another shape."""
    own = own_state(module, prefix)
    for name, target in own.items():
        source = as_tensor(given[name]) if name in given else None
        if source is None:
            missing += [name] if strict else []
        elif source.shape != target.shape:
            errors.append(f"size mismatch for {name}: the state has shape {tuple(source.shape)}, "
                          f"the module {tuple(target.shape)}.")
        elif metadata.get(ASSIGN, False):
            module._assign(name[len(prefix):], source)
        else:
            target.copy_(source)
    if strict:
        unexpected += [name for name in own_keys(module, prefix, given) if name not in own]


def own_keys(module: Any, prefix: str, names: Iterable[str]) -> list[str]:
    """Those of the names that are the module's own and lead to nothing below it."""
    below = tuple(f"{prefix}{name}." for name in module._modules)
    return [name for name in names if name.startswith(prefix) and not name.startswith(below)]


def load_by_hooks(
    root: Any, given: dict[str, Any], strict: bool, assign: bool
) -> tuple[list[str], list[str], list[str]]:
    """Calls the modules that load for themselves; names that they miss, that they do not know, and their errors."""
    missing: list[str] = []
    unexpected: list[str] = []
    errors: list[str] = []
    for path, module in root.named_modules():
        hook = module._state_hook("_load_from_state_dict")
        if hook is not None:
            tensors = {name: as_tensor(value) for name, value in given.items()}
            metadata = {ASSIGN: True} if assign else {}
            hook(tensors, f"{path}." if path else "", metadata, strict, missing, unexpected, errors)
    return missing, unexpected, errors


def plainly_loaded(root: Any) -> dict[str, Tensor]:
    """The tensors of the modules that do not load for themselves, by dotted name."""
    found: dict[str, Tensor] = {}
    for path, module in root.named_modules(remove_duplicate=False):
        if module._state_hook("_load_from_state_dict") is None:
            found.update(own_state(module, f"{path}." if path else ""))
    return found


def without_hooked(root: Any, state: dict[str, T]) -> dict[str, T]:
    """A state without the keys of modules that load for themselves."""
    done: set[str] = set()
    for path, module in root.named_modules():
        if module._state_hook("_load_from_state_dict") is not None:
            done.update(own_keys(module, f"{path}." if path else "", state))
    return {name: value for name, value in state.items() if name not in done}
