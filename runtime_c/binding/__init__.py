"""Python's side of libtsm: the library, the operator table, tensors and the dispatcher.

In: tsm.h through cffi. Out: what ir, serialize, frontend and api build on. Holds: imports nothing else of tsm.
"""

from . import methods
from . import warned as warned  # the hook for warnings
from .device import Device
from .dtype import DType
from .errors import CancelledError, FuelError, InternalError, LoadError, ScriptError, TsmError
from .gradients import GradientError
from .library import crc32c, version
from .tensor import Tensor, from_dlpack, from_numpy

methods.install()

__all__ = [
    "CancelledError", "DType", "Device", "FuelError", "GradientError",
    "InternalError", "LoadError", "ScriptError", "Tensor", "TsmError",
    "crc32c", "from_dlpack", "from_numpy", "version",
]
