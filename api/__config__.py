"""tsm.__config__: how the library was built, for programs that look for a library's name in it."""

from __future__ import annotations

from .binding import version


def show() -> str:
    """A line; no other library is built in."""
    return f"libtsm {version()}, USE_CUDA=OFF, USE_MKL=OFF, USE_MKLDNN=OFF, USE_MPI=OFF, USE_NCCL=OFF"


def parallel_info() -> str:
    """The number of threads."""
    from .binding.settings import get_num_threads

    return f"libtsm: {get_num_threads()} threads"
