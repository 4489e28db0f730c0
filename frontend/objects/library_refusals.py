"""Objects of Python's own library, of PyTorch and of NumPy that scripts cannot use: what to say, and what to write
instead.

In: Python objects that a script names. Out: a message and a hint. Holds: the hint is code where there is a short one.
"""

from __future__ import annotations

import inspect
import math
import sys

from ...ir.operators import spelled

STAYS = "keep it in a function marked @tsm.jit.ignore, which stays in Python"
HINTS = {
    "io": "write print(...)",
    "logging": "write print(...), or log in a function marked @tsm.jit.ignore",
    "random": "write random.random(), randint(...), choice(...), or tsm.rand(...) and its like",
    "re": "write it with methods of str: split, partition, find, startswith, isdigit",
    "statistics": "write sum(xs) / len(xs) and its like",
    "string": "write it with methods of str, or an f-string",
    "struct": "write n.to_bytes(4, 'little') and int.from_bytes(b, 'little')",
    "sys": "raise an exception",
    "time": "take the time around the call of the script, in Python",
}


PROCESS = ("binding.settings", "random", "library.generator_states")  # our modules of functions that act on the process
PACKAGES = {"torch": "PyTorch", "numpy": "NumPy", "einops": "einops"}
EINOPS = "write it with reshape, permute, flatten, unflatten or expand"
IMPORTS = {"torch.nn.functional": "import tsm.nn.functional as F", "torch.nn": "import tsm.nn as nn"}
MAKERS = {"array": "tsm.tensor(...)", "asarray": "tsm.tensor(...)"}


def process_refusal(value: object) -> tuple[str, str] | None:
    """The message and the hint for a function of ours such as get_rng_state, which has no meaning in a script."""
    module = str(getattr(value, "__module__", None))
    if not inspect.isfunction(value) or module not in [f"{__name__.partition('.')[0]}.{each}" for each in PROCESS]:
        return None
    return f"'{value.__name__}' acts on the process, which scripts cannot do", "call it in Python, before the script"


def package_of(value: object) -> str:
    """The package that a function, a class or the class of anything else comes from."""
    module = getattr(value if isinstance(getattr(value, "__name__", None), str) else type(value), "__module__", None)
    return str(module).partition(".")[0]


def package_refusal(value: object) -> tuple[str, str] | None:
    """The message and the hint for an object of PyTorch, NumPy or einops; None for any other object."""
    package = package_of(value)
    if package not in PACKAGES or package == "einops" and isinstance(value, type):  # its layers are written in scripts
        return None
    name = getattr(value, "__name__", None)
    if not isinstance(name, str):
        maker = "numpy" if package == "numpy" else "dlpack"
        return (f"a '{package}.{type(value).__name__}' cannot be used in a script",
                f"make a tensor of it outside: tsm.from_{maker}(x)")
    module = str(getattr(value, "__module__", None))
    home = next((each for each in IMPORTS if module.startswith(each)), package)
    said = f"'{home}.{name}' belongs to {PACKAGES[package]}, which compiled programs do not have"
    if package == "einops":
        return said, EINOPS
    return said, IMPORTS.get(home, "import tsm as torch") if package == "torch" else numpy_hint(name)


def numpy_hint(name: str) -> str:
    """What to write for a function of NumPy."""
    maker = MAKERS.get(name) or (f"tsm.{name}(...)" if spelled(f"tsm.{name}") else "")
    if hasattr(math, name):
        return f"write math.{name}(...) for a number" + (f", {maker} for a tensor" if maker else "")
    return f"write {maker}" if maker else STAYS


def library_refusal(value: object) -> tuple[str, str] | None:
    """The message and the hint for an object of the standard library or of PACKAGES; None for any other object."""
    refused = package_refusal(value)
    if refused is not None:
        return refused
    named = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    holder = value if isinstance(named, str) else type(value)
    module = str(getattr(holder, "__module__", None)).lstrip("_")
    top = module.partition(".")[0]
    module = {"posixpath": "os.path", "ntpath": "os.path", "posix": "os", "nt": "os"}.get(top, module)
    if top not in sys.stdlib_module_names or top == "builtins":
        return None
    hint = HINTS.get(top, STAYS)
    if holder is value:
        return f"'{module}.{str(named).rpartition('.')[2]}' of the standard library is not supported in scripts", hint
    return f"a '{holder.__name__}' of the module '{module}' is not supported in scripts", hint  # type: ignore[attr-defined]
