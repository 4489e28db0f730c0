"""tsm.cuda.amp: mixed precision on a device that is not there, so nothing changes."""

from __future__ import annotations

from .absent import of_module
from .absent.modules import passing
from .autocasting import autocast as _autocast
from .binding.dtype import DType

custom_fwd = custom_bwd = passing


class autocast(_autocast):
    """`with autocast():` changes nothing: no tensor is on the device."""

    def __init__(self, enabled: bool = True, dtype: DType | None = None, cache_enabled: bool = True) -> None:
        super().__init__("cuda", dtype, enabled, cache_enabled)


__getattr__ = of_module("cuda.amp")
__all__ = ["autocast", "custom_bwd", "custom_fwd"]
