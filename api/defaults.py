"""Settings of PyTorch's process that have one value here: default dtype and device, algorithms, precision.

In: what a program wants. Out: what holds. Holds: a setting that tsm always has is taken, another one is refused; what
only chooses between algorithms of other devices is remembered and changes nothing.
"""

from __future__ import annotations

from typing import Any

from .binding.device import CPU, Device, check_place
from .binding.dtype import DType

_remembered: dict[str, Any] = {"deterministic": False, "warn_only": False, "precision": "highest", "warn_always": False}


def get_default_device() -> Device:
    """The CPU."""
    return CPU


def set_default_device(device: Any) -> None:
    """Nothing for the CPU or None; RuntimeError for another device."""
    if device is not None:
        check_place(device)


def set_default_dtype(d: DType) -> None:
    """Nothing for float32. NotImplementedError for another dtype, TypeError for one that is not of floats."""
    if not isinstance(d, DType) or not d.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, not {d}")
    if d is not DType.float32:
        raise NotImplementedError(f"the default dtype is float32: pass dtype={d}, or convert a module with .to({d})")


def set_default_tensor_type(t: Any) -> None:
    """As set_default_dtype, for a class of tensors or its name."""
    name = t if isinstance(t, str) else getattr(t, "__name__", str(t))
    if name.rpartition(".")[2] not in ("FloatTensor", "Tensor"):
        raise NotImplementedError(f"tensors are float32 by default, not {name}: pass dtype=")


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Remembered: all algorithms are deterministic, so nothing changes."""
    _remembered.update(deterministic=bool(mode), warn_only=bool(warn_only))


def are_deterministic_algorithms_enabled() -> bool:
    """What use_deterministic_algorithms was told."""
    return bool(_remembered["deterministic"])


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """What use_deterministic_algorithms was told."""
    return bool(_remembered["warn_only"])


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """As use_deterministic_algorithms: 0 "default", 1 "warn", 2 "error"."""
    mode = ("default", "warn", "error").index(debug_mode) if isinstance(debug_mode, str) else debug_mode
    use_deterministic_algorithms(mode > 0, warn_only=mode == 1)


def get_deterministic_debug_mode() -> int:
    """0, 1 or 2."""
    return 0 if not _remembered["deterministic"] else 1 if _remembered["warn_only"] else 2


def set_float32_matmul_precision(precision: str) -> None:
    """Remembered: products of float32 are computed in float32. ValueError for an unknown word."""
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(f"precision is 'highest', 'high' or 'medium', not {precision!r}")
    _remembered["precision"] = precision


def get_float32_matmul_precision() -> str:
    """What set_float32_matmul_precision was told."""
    return str(_remembered["precision"])


def set_warn_always(b: bool) -> None:
    """Remembered."""
    _remembered["warn_always"] = bool(b)


def is_warn_always_enabled() -> bool:
    """What set_warn_always was told."""
    return bool(_remembered["warn_always"])


def set_flush_denormal(mode: bool) -> bool:
    """Whether denormal numbers are flushed to 0 as asked: they are kept."""
    return not mode


def get_num_interop_threads() -> int:
    """1: operators of a program run one after another."""
    return 1


def set_num_interop_threads(num: int) -> None:
    """Nothing: operators of a program run one after another."""


def is_grad_enabled() -> bool:
    """False: no gradients are computed, whichever mode is set."""
    return False


def is_inference_mode_enabled() -> bool:
    """False, as is_grad_enabled."""
    return False


def is_anomaly_enabled() -> bool:
    """False: there is no backward pass to look for anomalies in."""
    return False


NAMES = {
    each.__name__: each for each in (
        get_default_device, set_default_device, set_default_dtype, set_default_tensor_type,
        use_deterministic_algorithms, are_deterministic_algorithms_enabled,
        is_deterministic_algorithms_warn_only_enabled, set_deterministic_debug_mode, get_deterministic_debug_mode,
        set_float32_matmul_precision, get_float32_matmul_precision, set_warn_always, is_warn_always_enabled,
        set_flush_denormal, get_num_interop_threads, set_num_interop_threads, is_grad_enabled,
        is_inference_mode_enabled, is_anomaly_enabled,
    )
}
