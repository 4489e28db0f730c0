"""tsm.torch_version: the version of PyTorch whose names and meanings tsm has, for programs that ask.

Out: `__version__`, a text that compares as versions do. A program whose gates read `torch.__version__` is given it by
`tsm.__version__ = tsm.torch_version.__version__`.
"""

from __future__ import annotations

import re
from typing import Any


class TorchVersion(str):
    """A version as text; compared with a text or a tuple of numbers it is ordered by its numbers."""

    def _numbers(self, other: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
        def numbers(version: Any) -> tuple[int, ...]:
            if isinstance(version, str):
                return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[^0-9.]", version)[0]))
            return tuple(map(int, version))

        left, right = numbers(str(self)), numbers(other)
        count = max(len(left), len(right))
        return left + (0,) * (count - len(left)), right + (0,) * (count - len(right))

    def __lt__(self, other: Any) -> bool:
        left, right = self._numbers(other)
        return left < right

    def __le__(self, other: Any) -> bool:
        left, right = self._numbers(other)
        return left <= right

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (str, tuple, list)):
            return NotImplemented
        left, right = self._numbers(other)
        return left == right

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


__version__ = TorchVersion("2.13.0")
