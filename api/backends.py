"""tsm.backends: switches of libraries that are not here. They are read and set, and nothing changes.

In: `backends.cudnn.benchmark = True`. Out: modules of flags, also by import. Holds: no backend is available.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__path__: list[str] = []  # imports may look for modules inside


def _unavailable(*args: Any, **kwargs: Any) -> bool:
    """Whether the backend is there: never."""
    return False


def _nothing(*args: Any, **kwargs: Any) -> None:
    """Takes a setting of what is not there."""
    return None


class Backend(types.ModuleType):
    """A backend with its flags, which hold what they are set to. Functions `enable_x` take a setting, `x_enabled` and
    `is_x` are False."""

    def __init__(self, name: str, **flags: Any) -> None:
        super().__init__(name)
        self.__dict__.update(flags, is_available=_unavailable, is_built=_unavailable, version=_nothing)

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("enable_", "allow_", "set_", "preferred_")):
            return _nothing
        if name.startswith(("is_", "can_")) or name.endswith(("_enabled", "_available")):
            return _unavailable
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    @contextmanager
    def flags(self, **flags: Any) -> Iterator[None]:
        """Sets flags for the time of a `with`."""
        kept = {name: self.__dict__.get(name) for name in flags}
        self.__dict__.update(flags)
        try:
            yield
        finally:
            self.__dict__.update(kept)


def _backend(name: str, **flags: Any) -> Backend:
    made = sys.modules[f"{__name__}.{name}"] = Backend(f"{__name__}.{name}", **flags)
    return made


_matmul = types.SimpleNamespace(
    allow_tf32=False, allow_fp16_reduced_precision_reduction=True, allow_bf16_reduced_precision_reduction=True,
    allow_fp16_accumulation=False, fp32_precision="ieee",
)
_plans = types.SimpleNamespace(max_size=0, size=0, clear=_nothing)
cudnn = _backend(
    "cudnn", enabled=True, benchmark=False, deterministic=False, allow_tf32=True, benchmark_limit=10,
    conv=types.SimpleNamespace(fp32_precision="ieee"), rnn=types.SimpleNamespace(fp32_precision="ieee"),
    fp32_precision="ieee", is_acceptable=_unavailable,
)
cuda = _backend("cuda", matmul=_matmul, cufft_plan_cache=_plans)
cpu = _backend("cpu", get_cpu_capability=lambda: "DEFAULT")
mha = _backend("mha", get_fastpath_enabled=_unavailable, set_fastpath_enabled=_nothing)
mkl = _backend("mkl", VERBOSE_OFF=0, VERBOSE_ON=1)
mkldnn = _backend("mkldnn", enabled=False, deterministic=False, allow_tf32=False)
mps = _backend("mps")
openmp = _backend("openmp")
opt_einsum = _backend("opt_einsum", enabled=False, strategy=None)
quantized = _backend("quantized", engine="none", supported_engines=["none"])
xeon = _backend("xeon")
xnnpack = _backend("xnnpack", enabled=False)

__all__ = [
    "Backend", "cpu", "cuda", "cudnn", "mha", "mkl", "mkldnn", "mps", "openmp", "opt_einsum", "quantized", "xeon",
    "xnnpack",
]
