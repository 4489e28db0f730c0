"""tsm.nn: modules and layers with PyTorch's names, parameters and initial values."""

from . import functional, init
from .activation import GELU, Dropout, Flatten, LogSoftmax, ReLU, Sigmoid, SiLU, Softmax, Tanh
from .container import ModuleList, Sequential
from .conv import Conv1d, Conv2d
from .linear import Embedding, Identity, Linear
from .module import Module
from .norm import BatchNorm2d, LayerNorm
from .parameter import Parameter
from .pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d

__all__ = [
    "GELU", "AdaptiveAvgPool2d", "AvgPool2d", "BatchNorm2d", "Conv1d", "Conv2d", "Dropout", "Embedding", "Flatten",
    "Identity", "LayerNorm", "Linear", "LogSoftmax", "MaxPool2d", "Module", "ModuleList", "Parameter", "ReLU",
    "Sequential", "SiLU", "Sigmoid", "Softmax", "Tanh", "functional", "init",
]
