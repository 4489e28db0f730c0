"""The programs of networks/ for tsm and for PyTorch, with weights that depend on their names only.

In: a name such as "convnets.LeNet". Out: the function, or a module in eval mode with its weights. Holds: the PyTorch
twin is the same text with `torch` in the place of `tsm`; every process that asks for a weight gets the same numbers.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np

NETWORKS = Path(__file__).with_name("networks")


def make(program: str, library: str, folder: Path) -> Any:
    """The function or module `program` over `library`, "tsm" or "torch"; `folder` takes the twin's text."""
    file, name = program.split(".")
    if library == "tsm":
        found = getattr(importlib.import_module(f"networks.{file}"), name)
    else:
        found = getattr(_twin(file, library, folder), name)
    if not inspect.isclass(found):
        return found
    module = found().eval()
    fill(module, importlib.import_module(library))
    return module


def _twin(file: str, library: str, folder: Path) -> Any:
    path = folder / f"{library}_{file}.py"
    path.write_text(re.sub(r"\btsm\b", library, (NETWORKS / f"{file}.py").read_text()))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    twin = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = twin
    spec.loader.exec_module(twin)
    return twin


def weight(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Values that keep activations near one: by the attribute's name and the number of dimensions."""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    if name.endswith("running_var"):
        return random.uniform(0.5, 1.5, shape).astype(np.float32)
    values = random.standard_normal(shape, np.float32)
    if len(shape) > 1:
        fan = shape[0] if "_weight" in name else int(np.prod(shape[1:]))
        return values / np.float32(np.sqrt(fan))
    return np.float32(0.1) * values + np.float32(1 if name.endswith("weight") else 0)


def fill(module: Any, library: Any) -> None:
    """Gives every floating-point parameter and buffer its values."""
    for name, tensor in module.state_dict().items():
        if tensor.is_floating_point():  # one by one, so that there are never two copies of all
            module.load_state_dict({name: library.from_numpy(weight(name, tuple(tensor.shape)))}, strict=False)
