"""`tsm.finfo` and `tsm.iinfo`: what the numbers of a dtype reach to.

In: a dtype. Out: an instance with its limits. Holds: the classes compile as a user's own.
"""

from __future__ import annotations

from ..binding.dtype import DType


class finfo:
    """The limits of a dtype of floats. TypeError for another one."""

    __tsm_compiles__ = True

    def __init__(self, type: DType = DType.float32) -> None:
        if type == DType.float32:
            self.bits, self.eps, self.resolution = 32, 2.0**-23, 1e-06
            self.max, self.tiny = 3.4028234663852886e38, 2.0**-126
        elif type == DType.float64:
            self.bits, self.eps, self.resolution = 64, 2.0**-52, 1e-15
            self.max, self.tiny = 1.7976931348623157e308, 2.0**-1022
        elif type == DType.float16:
            self.bits, self.eps, self.resolution = 16, 2.0**-10, 0.001
            self.max, self.tiny = 65504.0, 2.0**-14
        elif type == DType.bfloat16:
            self.bits, self.eps, self.resolution = 16, 2.0**-7, 0.01
            self.max, self.tiny = 3.3895313892515355e38, 2.0**-126
        else:
            text = "torch.finfo() requires a floating point input type. "
            raise TypeError(text + "Use torch.iinfo to handle 'torch.finfo'")
        self.min = -self.max
        self.smallest_normal = self.tiny


class iinfo:
    """The limits of a dtype of integers. TypeError for another one."""

    __tsm_compiles__ = True

    def __init__(self, type: DType) -> None:
        if type == DType.uint8:
            self.bits, self.min, self.max = 8, 0, 255
        elif type == DType.int8:
            self.bits, self.min, self.max = 8, -128, 127
        elif type == DType.int16:
            self.bits, self.min, self.max = 16, -32768, 32767
        elif type == DType.int32:
            self.bits, self.min, self.max = 32, -2147483648, 2147483647
        elif type == DType.int64:
            self.bits, self.min, self.max = 64, -9223372036854775808, 9223372036854775807
        else:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
