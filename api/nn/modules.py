"""`tsm.nn.modules` and the modules inside it, which PyTorch's users import layers and helpers from.

In: `from tsm.nn.modules.conv import Conv2d`. Out: what `tsm.nn` has. Holds: every module inside is this one, since no
two of PyTorch's have different things of one name.
"""

from __future__ import annotations

import sys

from .. import nn
from ..absent import of_module
from .conv import _Convolution as _ConvNd  # noqa: F401 - what users ask isinstance of
from .loss import _Loss  # noqa: F401
from .module import IncompatibleKeys as _IncompatibleKeys  # noqa: F401
from .norm import _BatchNorm, _InstanceNorm  # noqa: F401

__path__: list[str] = []  # imports may look for modules inside


def _single(x):  # type: ignore[no-untyped-def] # a number, or one for each dimension
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def _pair(x):  # type: ignore[no-untyped-def]
    return tuple(x) if isinstance(x, (tuple, list)) else (x, x)


def _triple(x):  # type: ignore[no-untyped-def]
    return tuple(x) if isinstance(x, (tuple, list)) else (x, x, x)


def _quadruple(x):  # type: ignore[no-untyped-def]
    return tuple(x) if isinstance(x, (tuple, list)) else (x, x, x, x)


globals().update({name: value for name, value in vars(nn).items() if not name.startswith("_")})
for _name in (
    "activation", "adaptive", "batchnorm", "channelshuffle", "container", "conv", "distance", "dropout", "flatten",
    "fold", "instancenorm", "linear", "loss", "module", "normalization", "padding", "pixelshuffle", "pooling", "rnn",
    "sparse", "transformer", "upsampling", "utils",
):
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = sys.modules[__name__]
__getattr__ = of_module("nn")
