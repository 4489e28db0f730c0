"""The modules of a program as a tree: children, elements of containers, and the tensors below one of them.

In: an object with named attributes of which some are modules. Out: PyTorch's questions, answered in the order in which
the module was built as far as the file tells it. Holds: a module that has several names is given once, under the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .binding.tensor import Tensor

DICTS = ("ModuleDict", "ParameterDict")


class ModuleTree:
    """What a program's module and those below it share. `_place` says where one is."""

    def _place(self) -> tuple[Any, str, Any]:
        """The module of the whole program, the dotted path from there, and the object, None if there is no module."""
        raise NotImplementedError

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """Modules that are its attributes, by name."""
        seen: set[int] = set()
        for name, child in _children(*self._place()):
            if child._tsm_address not in seen:
                seen.add(child._tsm_address)
                yield name, child

    def children(self) -> Iterator[Any]:
        return (child for _, child in ModuleTree.named_children(self))

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, Any]]:
        """It and all modules below it, by dotted path."""
        item = self._place()[2]
        seen = {item._tsm_address} if item is not None else set()
        yield prefix, self
        yield from _below(self, prefix, seen)

    def modules(self) -> Iterator[Any]:
        return (module for _, module in ModuleTree.named_modules(self))

    def get_submodule(self, target: str) -> Any:
        """The module at a dotted path. AttributeError."""
        found = self
        for name in target.split(".") if target else ():
            found = getattr(found, name)
        return found

    def named_parameters(self, prefix: str = "", recurse: bool = True,
                         remove_duplicate: bool = True) -> Iterator[tuple[str, Tensor]]:
        """Parameters by dotted path; a shared one once, under its first name."""
        return self._tensors(("parameter",), prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Tensor]:
        return (tensor for _, tensor in ModuleTree.named_parameters(self, recurse=recurse))

    def named_buffers(self, prefix: str = "", recurse: bool = True,
                      remove_duplicate: bool = True) -> Iterator[tuple[str, Tensor]]:
        """Buffers by dotted path, those too that are no part of `state_dict()`."""
        return self._tensors(("buffer", "hidden"), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        return (tensor for _, tensor in ModuleTree.named_buffers(self, recurse=recurse))

    def _tensors(self, kinds: Sequence[str], prefix: str, recurse: bool,
                 remove_duplicate: bool) -> Iterator[tuple[str, Tensor]]:
        """The tensors of these kinds; not those that are None, or constants of a frozen module."""
        root, path, _ = self._place()
        start = f"{path}." if path else ""
        seen: set[int] = set()
        for full, kind in (root.program.state_names or {}).items():
            name = full.removeprefix(start)
            if kind not in kinds or not full.startswith(start) or (not recurse and "." in name):
                continue
            try:
                found = type(root).get(root, full)
            except AttributeError:
                continue
            if isinstance(found, Tensor) and not (remove_duplicate and found._ref in seen):
                seen.add(found._ref)
                yield f"{prefix}.{name}" if prefix else name, found


def _below(module: Any, path: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    for name, child in ModuleTree.named_children(module):
        if child._tsm_address not in seen:
            seen.add(child._tsm_address)
            full = f"{path}.{name}" if path else name
            yield full, child
            yield from _below(child, full, seen)


def _children(root: Any, path: str, item: Any) -> list[tuple[str, Any]]:
    if item is None:
        return []
    found = [(name, getattr(item, name, None)) for name in element_names(item, path, root.program)]
    return [(name, value) for name, value in found if is_module_object(value)]


def is_module_object(value: Any) -> bool:
    return hasattr(value, "_tsm_address") and "training" in dir(value)


def element_names(item: Any, path: str, program: Any = None) -> list[str]:
    """The names of an object's attributes but `training`: 0, 1, 2 ... of a list, others in the order of the program's
    tensors."""
    start, names = f"{path}." if path else "", [name for name in dir(item) if name != "training"]
    paths = (program.state_names or ()) if program is not None else ()
    told = [full.removeprefix(start).partition(".")[0] for full in paths if full.startswith(start)]
    numbered = sorted((name for name in names if name.isdigit()), key=int)
    return [name for name in dict.fromkeys((*numbered, *told, *names)) if name in names]
