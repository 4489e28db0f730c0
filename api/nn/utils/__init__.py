"""tsm.nn.utils: PyTorch's name for sequences of different lengths and for weights that are computed."""

from . import rnn
from .weights import remove_spectral_norm, remove_weight_norm, spectral_norm, weight_norm

__all__ = ["remove_spectral_norm", "remove_weight_norm", "rnn", "spectral_norm", "weight_norm"]
