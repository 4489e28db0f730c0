"""What scripts do not have of Python's library."""
# ruff: noqa
import io
import logging
import random
import re
import struct
import sys
import time
import warnings
from string import Template

import tsm
from language_rows import of_row

of_row("builtins")

logger = logging.getLogger("rejected")
SINK = io.StringIO()


def pattern(s: str) -> list[str]:
    return re.findall("a", s)  # error 12: 're.findall' of the standard library is not supported in scripts


def chance(n: int) -> float:
    return random.paretovariate(n)  # error 12: 'random.paretovariate' of the standard library is not supported in scripts


def clock(n: int) -> float:
    return time.perf_counter()  # error 12: 'time.perf_counter' of the standard library is not supported in scripts


def packed(n: int) -> bytes:
    return struct.pack("<I", n)  # error 12: 'struct.pack' of the standard library is not supported in scripts


def logged(n: int) -> int:
    logger.info("n")  # error 5: a 'Logger' of the module 'logging' is not supported in scripts
    return n


def template(s: str) -> str:
    return Template(s).substitute(a=s)  # error 12: 'string.Template' of the standard library is not supported in scripts


def left(n: int) -> int:
    sys.exit(n)  # error 5: 'sys.exit' of the standard library is not supported in scripts
    return n


def to_sink(n: int) -> int:
    print(n, file=SINK)  # error 14: print() writes to sys.stdout and sys.stderr only in scripts
    return n


def other_warnings(n: int) -> int:
    warnings.warn("n", UserWarning, 1, None, ())  # error 5: warn() takes from 1 to 3 positional arguments but 5 were given
    return n


def threaded(n: int) -> int:
    tsm.set_num_threads(n)  # error 5: 'set_num_threads' acts on the process, which scripts cannot do
    return n
