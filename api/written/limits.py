"""`tsm.finfo` and `tsm.iinfo`: what the numbers of a dtype reach to.

In: a dtype, also one that no tensor has. Out: an instance with its limits. Holds: the classes compile as a user's own;
a complex dtype has the limits of its parts.
"""

from __future__ import annotations

from ..binding.dtype import DType
from ..modes import is_scripting


class finfo:
    """The limits of a dtype of floats. TypeError for another one."""

    __tsm_compiles__ = True

    def __init__(self, type: DType = DType.float32) -> None:
        if type == DType.float32 or type == DType.complex64:
            self.bits, self.eps, self.resolution, self.dtype = 32, 2.0**-23, 1e-06, "float32"
            self.max, self.tiny = 3.4028234663852886e38, 2.0**-126
        elif type == DType.float64 or type == DType.complex128:
            self.bits, self.eps, self.resolution, self.dtype = 64, 2.0**-52, 1e-15, "float64"
            self.max, self.tiny = 1.7976931348623157e308, 2.0**-1022
        elif type == DType.float16 or type == DType.complex32:
            self.bits, self.eps, self.resolution, self.dtype = 16, 2.0**-10, 0.001, "float16"
            self.max, self.tiny = 65504.0, 2.0**-14
        elif type == DType.bfloat16:
            self.bits, self.eps, self.resolution, self.dtype = 16, 2.0**-7, 0.01, "bfloat16"
            self.max, self.tiny = 3.3895313892515355e38, 2.0**-126
        elif type == DType.float8_e4m3fn:
            self.bits, self.eps, self.resolution, self.dtype = 8, 2.0**-3, 1.0, "float8_e4m3fn"
            self.max, self.tiny = 448.0, 2.0**-6
        elif type == DType.float8_e5m2:
            self.bits, self.eps, self.resolution, self.dtype = 8, 2.0**-2, 1.0, "float8_e5m2"
            self.max, self.tiny = 57344.0, 2.0**-14
        elif type == DType.float8_e4m3fnuz:
            self.bits, self.eps, self.resolution, self.dtype = 8, 2.0**-3, 1.0, "float8_e4m3fnuz"
            self.max, self.tiny = 240.0, 2.0**-7
        elif type == DType.float8_e5m2fnuz:
            self.bits, self.eps, self.resolution, self.dtype = 8, 2.0**-3, 1.0, "float8_e5m2fnuz"
            self.max, self.tiny = 57344.0, 2.0**-15
        elif type == DType.float8_e8m0fnu:
            self.bits, self.eps, self.resolution, self.dtype = 8, 1.0, 1.0, "float8_e8m0fnu"
            self.max, self.tiny = 2.0**127, 2.0**-127
        else:
            text = "torch.finfo() requires a floating point input type. "
            raise TypeError(text + "Use torch.iinfo to handle 'torch.finfo'")
        self.min = self.tiny if type == DType.float8_e8m0fnu else -self.max  # it has no sign
        self.smallest_normal = self.tiny


class iinfo:
    """The limits of a dtype of integers. TypeError for another one; in a script OverflowError for uint64."""

    __tsm_compiles__ = True

    def __init__(self, type: DType) -> None:
        if type == DType.uint8:
            self.bits, self.min, self.max, self.dtype = 8, 0, 255, "uint8"
        elif type == DType.int8:
            self.bits, self.min, self.max, self.dtype = 8, -128, 127, "int8"
        elif type == DType.int16:
            self.bits, self.min, self.max, self.dtype = 16, -32768, 32767, "int16"
        elif type == DType.uint16:
            self.bits, self.min, self.max, self.dtype = 16, 0, 65535, "uint16"
        elif type == DType.int32:
            self.bits, self.min, self.max, self.dtype = 32, -2147483648, 2147483647, "int32"
        elif type == DType.uint32:
            self.bits, self.min, self.max, self.dtype = 32, 0, 4294967295, "uint32"
        elif type == DType.int64:
            self.bits, self.min, self.max = 64, -9223372036854775808, 9223372036854775807
            self.dtype = "int64"
        elif type == DType.uint64:
            self.bits, self.min, self.dtype = 64, 0, "uint64"
            if is_scripting():
                raise OverflowError("the largest uint64 does not fit an int of a program")
            else:
                self.max = 18446744073709551615
        else:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
