"""tsm.hub: where PyTorch keeps what it downloads; nothing is downloaded here."""

from __future__ import annotations

import os
from urllib.parse import urlparse  # noqa: F401 - libraries take it from here

from .absent import of_module


def _get_torch_home() -> str:
    """The folder that PyTorch keeps weights in."""
    cache = os.path.join(os.getenv("XDG_CACHE_HOME", "~/.cache"), "torch")
    return os.path.expanduser(os.getenv("TORCH_HOME", cache))


def get_dir() -> str:
    """The folder of PyTorch's hub."""
    return os.path.join(_get_torch_home(), "hub")


__getattr__ = of_module("hub")
