"""torch's names standing for tsm's: `import torch.x` gives the module tsm.x.

In: imports of libraries that are written for PyTorch. Out: the modules of tsm. Holds: a module stays one object under
both names, and `torch.__version__` is the version whose meanings tsm has.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import types
from typing import Any


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Put first into sys.meta_path."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[Any, ...]] = {}

    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] != "torch":
            return None
        try:
            importlib.import_module("tsm" + name[len("torch") :])
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(str(error), name=name) from None
        return importlib.machinery.ModuleSpec(name, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = sys.modules["tsm" + spec.name[len("torch") :]]
        self.kept[module.__name__] = module.__spec__, module.__loader__, module.__name__, module.__package__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        assert module.__spec__ is not None
        own = "tsm" + module.__spec__.name[len("torch") :]
        module.__spec__, module.__loader__, module.__name__, module.__package__ = self.kept.get(own, self.kept.get(
            sys.modules[own].__name__, (module.__spec__, None, own, own)))


def install() -> None:
    """Makes torch's names tsm's in this process, which must not have imported torch."""
    import tsm

    tsm.__version__ = tsm.torch_version.__version__
    sys.meta_path.insert(0, Finder())
