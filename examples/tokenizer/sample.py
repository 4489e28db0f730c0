"""English text and source that every Python has: what the tokenizer is trained and tested on."""

from __future__ import annotations

import pydoc_data
import sysconfig
from pathlib import Path


def real_text(size: int) -> str:
    """The first `size` characters of Python's language reference and the standard library's modules."""
    library = Path(sysconfig.get_path("stdlib"))
    paths = [Path(pydoc_data.__path__[0]) / "topics.py", *sorted(library.glob("*.py"))]
    text = ""
    for path in paths:
        if len(text) >= size:
            break
        text += path.read_text(encoding="utf-8")
    return text[:size]
