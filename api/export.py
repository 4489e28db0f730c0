"""tsm.export: called, it marks a method that a scripted module shall have, as `tsm.jit.export` does; imported, it is
where PyTorch has `torch.export`, which tsm's files take the place of.
"""

from __future__ import annotations

from .absent import of_module
from .callable_module import make_callable
from .scripting import export as _export

__path__: list[str] = []  # imports may look for modules inside
__getattr__ = of_module("export")

make_callable(__name__, _export)
