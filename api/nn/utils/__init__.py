"""tsm.nn.utils: PyTorch's name for sequences of different lengths and for weights that are computed."""

from ...absent import of_module
from . import convert_parameters, parametrizations, parametrize, rnn
from .convert_parameters import parameters_to_vector, vector_to_parameters
from .weights import remove_spectral_norm, remove_weight_norm, spectral_norm, weight_norm

__getattr__ = of_module("nn.utils")
__all__ = [
    "convert_parameters", "parameters_to_vector", "parametrizations", "parametrize", "remove_spectral_norm",
    "remove_weight_norm", "rnn", "spectral_norm", "vector_to_parameters", "weight_norm",
]
