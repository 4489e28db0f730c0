"""tsm.nn.utils: PyTorch's name for what works on sequences of different lengths."""

from . import rnn

__all__ = ["rnn"]
