"""Modules that hold modules or parameters: Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..binding.tensor import Tensor
from .module import Module
from .parameter import Parameter


class _Ordered(Module):
    """Submodules named 0, 1, 2 ... (or as given), reached by index. A place may hold None, as PyTorch's."""

    def _values(self) -> list[Any]:
        return list(self._modules.values())

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values())

    def _name_at(self, index: Any) -> str:
        position = operator.index(index)
        if not -len(self) <= position < len(self):
            raise IndexError(f"index {position} is out of range")
        return list(self._modules)[position]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._sliced(index)
        return self._modules[self._name_at(index)]

    def _sliced(self, index: slice) -> Module:
        raise NotImplementedError

    def __setitem__(self, index: int, module: Module | None) -> None:
        self._check_module(module)
        self._modules[self._name_at(index)] = module

    def __delitem__(self, index: Any) -> None:
        names = list(self._modules)
        for name in names[index] if isinstance(index, slice) else [self._name_at(index)]:
            del self._modules[name]
        self._renumber()

    def _renumber(self) -> None:
        """Closes gaps in numbered names; names that were given stay."""
        modules = self._values()
        if all(name.isdigit() for name in self._modules):
            self._modules.clear()
            self._modules.update({str(i): module for i, module in enumerate(modules)})

    @staticmethod
    def _check_module(module: Any) -> None:
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"expected a Module or None, got a {type(module).__name__}")

    def append(self, module: Module | None) -> Any:
        """Adds a module at the end."""
        self._check_module(module)
        self._modules[str(len(self))] = module
        return self

    def extend(self, modules: Iterable[Module | None]) -> Any:
        """Adds modules at the end."""
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module | None) -> Any:
        """Inserts a module before an index."""
        self._check_module(module)
        modules = self._values()
        modules.insert(index, module)
        self._modules.clear()
        self._modules.update({str(i): each for i, each in enumerate(modules)})
        return self


class Sequential(_Ordered):
    """Applies its modules one after the other. Made of modules, or of one dict of names to modules."""

    def __init__(self, *modules: Any) -> None:
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], dict):
            for name, module in modules[0].items():
                self.add_module(name, module)
            return
        for index, module in enumerate(modules):
            self._check_module(module)
            self.add_module(str(index), module)

    def _sliced(self, index: slice) -> Module:
        return Sequential(dict(list(self._modules.items())[index]))

    def forward(self, input):  # type: ignore[no-untyped-def]
        for module in self:
            input = module(input)
        return input


class ModuleList(_Ordered):
    """A list of modules; it has no forward of its own."""

    def __init__(self, modules: Iterable[Module | None] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def _sliced(self, index: slice) -> Module:
        return ModuleList(self._values()[index])

    def __iadd__(self, modules: Iterable[Module | None]) -> ModuleList:
        self.extend(modules)
        return self

    def __add__(self, modules: Iterable[Module | None]) -> ModuleList:
        return ModuleList([*self, *modules])

    def __contains__(self, module: object) -> bool:
        return any(module is each for each in self)


class ModuleDict(Module):
    """Modules by name, in the order in which they were added; it has no forward of its own."""

    def __init__(self, modules: Mapping[str, Module] | Iterable[Sequence[Any]] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def update(self, modules: Mapping[str, Module] | Iterable[Sequence[Any]]) -> None:
        """Adds modules, replacing those of the same names: of a dict, or of pairs of name and module."""
        pairs: Iterable[Sequence[Any]] = [*modules.items()] if isinstance(modules, Mapping) else modules
        for name, module in pairs:
            self[name] = module

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module | None) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def keys(self) -> Any:
        """The names, in order."""
        return self._modules.keys()

    def items(self) -> Any:
        """Names and modules."""
        return self._modules.items()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()


def _as_parameter(value: Any) -> Parameter:
    """A tensor as a parameter. TypeError for anything else."""
    if isinstance(value, Parameter):
        return value
    if not isinstance(value, Tensor):
        raise TypeError(f"expected a Parameter or a Tensor, got a {type(value).__name__}")
    return Parameter(value)


class ParameterList(Module):
    """A list of parameters; tensors become parameters. It has no forward of its own."""

    __tsm_items__ = "_parameters"

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        if values is not None:
            self.extend(values)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parameters.values())

    def _name_at(self, index: Any) -> str:
        position = operator.index(index)
        if not -len(self) <= position < len(self):
            raise IndexError(f"index {position} is out of range")
        return list(self._parameters)[position]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return ParameterList(list(self)[index])
        return self._parameters[self._name_at(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        self._parameters[self._name_at(index)] = _as_parameter(value)

    def append(self, value: Any) -> ParameterList:
        """Adds a parameter at the end."""
        self._parameters[str(len(self))] = _as_parameter(value)
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Adds parameters at the end."""
        for value in list(values):
            self.append(value)
        return self

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)


class ParameterDict(Module):
    """Parameters by name, in the order in which they were added, of a plain dict in that of their names; tensors become
    parameters."""

    __tsm_items__ = "_parameters"

    def __init__(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]] | None = None) -> None:
        super().__init__()
        if parameters is not None:
            self.update(parameters)

    def update(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Adds parameters, replacing those of the same names."""
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            pairs: Iterable[tuple[str, Any]] = parameters.items()
        else:
            pairs = sorted(parameters.items()) if isinstance(parameters, Mapping) else parameters
        for name, value in pairs:
            self[name] = value

    def __getitem__(self, key: str) -> Any:
        return self._parameters[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._parameters[key] = _as_parameter(value)

    def __delitem__(self, key: str) -> None:
        del self._parameters[key]

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __contains__(self, key: object) -> bool:
        return key in self._parameters

    def keys(self) -> Any:
        """The names, in order."""
        return self._parameters.keys()

    def items(self) -> Any:
        """Names and parameters."""
        return self._parameters.items()

    def values(self) -> Any:
        """The parameters."""
        return self._parameters.values()
