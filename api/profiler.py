"""tsm.profiler: names of parts of a program, under PyTorch's spelling.

Out: `record_function`, also as `tsm.record_function` and `tsm.autograd.profiler.record_function`.
"""

from .modes import record_function

__all__ = ["record_function"]
