"""tsm.version: called, it is tsm's version; read, it is what torch.version says of a build without other devices."""

from __future__ import annotations

from .binding import version as _version
from .callable_module import make_callable
from .torch_version import __version__  # noqa: F401

cuda: str | None = None
hip: str | None = None
xpu: str | None = None
rocm: str | None = None
debug = False
git_version = "unknown"

make_callable(__name__, _version)
