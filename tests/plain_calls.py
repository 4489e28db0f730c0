"""What can be seen of a call without tensors, as text: result or exception, arguments afterwards, and identities.

In: a function and arguments. Out: an outcome that compares and that a file can hold. Holds: floats are exact (repr), a
float result apart, so that it may be compared in units of its last place; long texts are kept by length and checksum.
"""

from __future__ import annotations

import copy
import io
import math
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from typing import Any


def shown(value: Any) -> str:
    """repr(value), of a long one its length and checksum."""
    text = repr(value)
    return (
        text if len(text) <= 300 else f"<{type(value).__name__} of {len(text)} characters, {zlib.crc32(text.encode())}>"
    )


def containers(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every list and dict in a value, with where it is."""
    if isinstance(value, (list, dict)):
        yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    for key, item in items:
        yield from containers(item, f"{path}[{key!r}]")


def identity(result: Any, args: tuple[Any, ...]) -> str:
    """Which containers of the result are containers of the arguments."""
    known = {id(value): path for path, value in containers(args, "args")}
    pairs = [f"{path} is {known[id(value)]}" for path, value in containers(result, "result") if id(value) in known]
    return ", ".join(pairs)


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[str]:
    """Result or exception, identities, what was printed or warned, and the arguments afterwards."""
    args = copy.deepcopy(arguments)
    printed, saved = io.StringIO(), sys.stdout
    sys.stdout = printed
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            result = function(*args)
        first, same = f"gives {shown(result)}", identity(result, args)
    except Exception as error:
        first, same = f"raises {type(error).__name__}: {error}", ""
    finally:
        sys.stdout = saved
    said = printed.getvalue() + "".join(f"{w.category.__name__}: {w.message}" for w in heard)
    return [first, same, shown(said), shown(args)]


def agrees(got: list[str], want: list[str], ulps: int) -> bool:
    """Equal, apart from ``ulps`` units in the last place of a float result."""
    if got == want:
        return True
    if not ulps or got[1:] != want[1:]:
        return False
    try:
        mine, theirs = (complex(text.removeprefix("gives ")) for text in (got[0], want[0]))
    except ValueError:
        return False
    return ("j" in got[0]) == ("j" in want[0]) and abs(mine - theirs) <= ulps * math.ulp(abs(theirs))
