"""tsm: Python functions and modules as one portable file that a small C library runs without Python.

    @tsm.script
    def collatz(n: int) -> int: ...

    collatz.save("collatz.tsm")        # C: tsm_program_open("collatz.tsm")
    tsm.load("collatz.tsm")(27)

Importing is light: tensors and eager functions are there at once, compiler and file format when first used.
"""

from __future__ import annotations

import math as _math
from importlib import import_module
from sys import _getframe
from typing import TYPE_CHECKING, Any

from . import absent as _absent
from .binding import (
    CancelledError,
    Device,
    DType,
    FuelError,
    GradientError,
    InternalError,
    LoadError,
    ScriptError,
    Tensor,
    TsmError,
    from_dlpack,
    from_numpy,
)
from .binding import version as _version
from .binding.device import STRIDED
from .binding.functions import namespace
from .binding.settings import get_num_threads, set_num_threads
from .binding.size import Size
from .defaults import NAMES as _SETTINGS
from .modes import (
    annotate,
    enable_grad,
    inference_mode,
    is_scripting,
    is_tracing,
    no_grad,
    record_function,
    set_grad_enabled,
)
from .written import FUNCTIONS, formats
from .written.conversion import TENSOR_TYPES
from .written.generators import Generator

if TYPE_CHECKING:
    from . import jit, nn
    from .binding import version
    from .binding.resident import Dict, List
    from .freezing import FrozenModule, freeze
    from .frontend.diagnostics import CompileError
    from .frontend.trace.tracer import TracerWarning
    from .loaded import LoadedModule, load
    from .saving import save
    from .scripting import ScriptFunction, ScriptModule, explain, export, script, to_ir
    from .tracing import TracingCheckError, trace, trace_module

__version__ = _version()

_LAZY = {
    "autocast": (".autocasting", "autocast"),
    "__config__": (".__config__", None),
    "amp": (".amp", None),
    "autograd": (".autograd", None),
    "backends": (".backends", None),
    "compiler": (".compiler", None),
    "cuda": (".cuda", None),
    "functional": (".functional", None),
    "ops": (".ops", None),
    "profiler": (".profiler", None),
    "random": (".random", None),
    "return_types": (".return_types", None),
    "jit": (".jit", None),
    "library": (".library", None),
    "linalg": (".linalg", None),
    "special": (".special", None),
    "nn": (".nn", None),
    "torch_version": (".torch_version", None),
    "utils": (".utils", None),
    "version": (".version", None),
    "CompileError": (".frontend.diagnostics", "CompileError"),
    "TracerWarning": (".frontend.trace.tracer", "TracerWarning"),
    "Dict": (".binding.resident", "Dict"),
    "FrozenModule": (".freezing", "FrozenModule"),
    "freeze": (".freezing", "freeze"),
    "List": (".binding.resident", "List"),
    "LoadedModule": (".loaded", "LoadedModule"),
    "load": (".loaded", "load"),
    "finfo": (".written.limits", "finfo"),
    "iinfo": (".written.limits", "iinfo"),
    "save": (".saving", "save"),
    "ScriptFunction": (".scripting", "ScriptFunction"),
    "ScriptModule": (".scripting", "ScriptModule"),
    "TracingCheckError": (".tracing", "TracingCheckError"),
    "explain": (".scripting", "explain"),
    "export": (".export", None),
    "script": (".scripting", "script"),
    "to_ir": (".scripting", "to_ir"),
    "trace": (".tracing", "trace"),
    "trace_module": (".tracing", "trace_module"),
}

_LAYERS = (  # functions of tsm.nn.functional that PyTorch has here too
    "adaptive_avg_pool1d", "alpha_dropout", "avg_pool1d", "celu", "celu_", "channel_shuffle", "conv3d",
    "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity", "ctc_loss", "dropout",
    "group_norm", "hardshrink", "layer_norm", "max_pool1d", "pairwise_distance", "pdist", "pixel_shuffle",
    "pixel_unshuffle", "prelu", "rms_norm", "rrelu", "rrelu_", "selu", "selu_", "threshold", "threshold_",
)
_LAZY.update({name: (".nn.functional", name) for name in _LAYERS})

globals().update(namespace("tsm."))
globals().update(FUNCTIONS)
globals().update(TENSOR_TYPES)
globals().update(_SETTINGS)
globals().update({member.name: member for member in DType})
globals().update(
    float=DType.float32, double=DType.float64, long=DType.int64, int=DType.int32, short=DType.int16,
    half=DType.float16, chalf=DType.complex32, cfloat=DType.complex64, cdouble=DType.complex128,
    dtype=DType, device=Device, Size=Size, inf=_math.inf, nan=_math.nan, pi=_math.pi, e=_math.e, newaxis=None,
    contiguous_format=formats.contiguous_format, preserve_format=formats.preserve_format,
    channels_last=formats.channels_last, strided=STRIDED,
)
from .random import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state  # noqa: E402

_absent.install()
_absent_name = _absent.of_module("")


def __getattr__(name: str) -> Any:
    """Loads the parts of the package that not every program needs. A submodule may have its function's name."""
    if name not in _LAZY:
        return _absent_name(name, _getframe(1))
    module, attribute = _LAZY[name]
    found = import_module(module, __name__)
    value = found if attribute is None else getattr(found, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


__all__ = [
    "CancelledError", "CompileError", "DType", "Dict", "FrozenModule", "FuelError", "Generator", "GradientError",
    "InternalError",
    "List", "LoadError", "LoadedModule", "ScriptError", "ScriptFunction", "ScriptModule", "Tensor", "TracerWarning",
    "TracingCheckError", "TsmError", "annotate", "as_tensor", "default_generator", "enable_grad", "explain", "export",
    "freeze", "from_dlpack", "from_numpy", "get_num_threads", "get_rng_state", "inference_mode", "initial_seed",
    "is_scripting", "is_tracing", "jit", "load", "manual_seed", "nn", "no_grad", "record_function", "save", "script",
    "seed", "set_grad_enabled", "set_num_threads", "set_rng_state", "to_ir", "trace", "trace_module", "version",
]
