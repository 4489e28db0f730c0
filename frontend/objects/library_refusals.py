"""Objects of Python's own library that scripts cannot use: what to say, and what to write instead.

In: Python objects that a script names. Out: a message and a hint. Holds: the hint is code where there is a short one.
"""

from __future__ import annotations

import sys

STAYS = "keep it in a function marked @tsm.jit.ignore, which stays in Python"
HINTS = {
    "io": "write print(...)",
    "logging": "write print(...), or log in a function marked @tsm.jit.ignore",
    "random": "write tsm.rand(...), tsm.randint(...) or tsm.randperm(...)",
    "re": "write it with methods of str: split, partition, find, startswith, isdigit",
    "statistics": "write sum(xs) / len(xs) and its like",
    "string": "write it with methods of str, or an f-string",
    "struct": "write n.to_bytes(4, 'little') and int.from_bytes(b, 'little')",
    "sys": "raise an exception",
    "time": "take the time around the call of the script, in Python",
}


def library_refusal(value: object) -> tuple[str, str] | None:
    """The message and the hint for an object of the standard library; None for any other object."""
    named = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    holder = value if isinstance(named, str) else type(value)
    module = str(getattr(holder, "__module__", None)).lstrip("_")
    top = module.partition(".")[0]
    if top not in sys.stdlib_module_names or top == "builtins":
        return None
    hint = HINTS.get(top, STAYS)
    if holder is value:
        return f"'{module}.{str(named).rpartition('.')[2]}' of the standard library is not supported in scripts", hint
    return f"a '{holder.__name__}' of the module '{module}' is not supported in scripts", hint  # type: ignore[attr-defined]
