"""tsm.autograd: the modes of differentiation, under PyTorch's spelling: `autograd.no_grad`, `autograd.profiler`.

Out: the names of tsm itself. Holds: gradients are not computed, so modes change nothing.
"""

from . import profiler
from .modes import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = ["enable_grad", "inference_mode", "no_grad", "profiler", "set_grad_enabled"]
