"""tsm.profiler: names of parts of a program, under PyTorch's spelling.

Out: `record_function`, also as `tsm.record_function` and `tsm.autograd.profiler.record_function`.
"""

from .absent import of_module
from .modes import record_function

__path__: list[str] = []  # imports may look for modules inside
__getattr__ = of_module("profiler")
__all__ = ["record_function"]
