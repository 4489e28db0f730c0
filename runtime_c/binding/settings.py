"""Threads, instruction set, and what can be turned on and off in this process's runtime.

In: the variables below, read once when the runtime is made. Out: what to make it with, and functions that change the
number of threads later. Holds: results do not depend on the number of threads.

TSM_THREADS=2     threads at work in one operator, the caller's among them; 0 or unset: one a processor
TSM_SPIN=200      calls that follow each other within so many microseconds are a series, between which workers spin for
                  the next task and do not sleep; 0: none are; unset: 50
TSM_FUSION=0      fused nodes run operator by operator, to find out whether fusing is at fault
TSM_WINOGRAD=0    3x3 convolutions are plain sums of products: slower, with half the rounding error
TSM_CHAINS=0      convolutions that feed each other run one by one, with what is between them in memory in full
TSM_SHARING=1     every piece of work that can be divided is, however little; 0: none; unset: where it pays
TSM_FETCHING=1    fused chains and products of one row ask memory early for what they read next; 0: never; unset: where
                  it pays
TSM_ISA=avx2      instruction set of the kernels: base, avx2, avx512; unset: the best this processor has
"""

from __future__ import annotations

import os

SPIN_NEVER = 0xFFFFFFFF  # TSM_SPIN_NEVER of tsm.h


def threads_wanted() -> int:
    """TSM_THREADS as a number, 0 if unset. ValueError for what is not a number of threads."""
    return _number_wanted("TSM_THREADS", "a number of threads")


def spin_wanted() -> int:
    """TSM_SPIN as spin_us of tsm_tuning. ValueError for what is not a number of microseconds."""
    wanted = _number_wanted("TSM_SPIN", "a number of microseconds")
    return SPIN_NEVER if os.environ.get("TSM_SPIN") and not wanted else wanted


def _number_wanted(name: str, what: str) -> int:
    text = os.environ.get(name, "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(f"{name} must be {what}, not {text!r}")
    return int(text or 0)


def isa_wanted() -> str:
    """TSM_ISA, "" if unset."""
    return os.environ.get("TSM_ISA", "")


def tuning_wanted() -> dict[str, int]:
    """The fields of tsm_tuning that the variables above set. ValueError for a TSM_SPIN that is none."""
    return {
        "spin_us": spin_wanted(),
        "no_fusion": _is_off("TSM_FUSION"),
        "no_winograd": _is_off("TSM_WINOGRAD"),
        "no_chains": _is_off("TSM_CHAINS"),
        "sharing": _choice_wanted("TSM_SHARING"),
        "fetching": _choice_wanted("TSM_FETCHING"),
    }


def _is_off(name: str) -> bool:
    return os.environ.get(name) == "0"


def _choice_wanted(name: str) -> int:
    """An environment variable as a tsm_choice: 1 always, 0 never, else where it pays."""
    return {"1": 1, "0": 2}.get(os.environ.get(name, ""), 0)


def set_num_threads(count: int) -> None:
    """Sets how many threads work on one operator or program, the caller's among them; at most 64 are used.

    RuntimeError while another thread is in a call that uses the present ones. ValueError for less than 1.
    """
    from .library import lib, runtime

    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"set_num_threads expects an int, not {type(count).__name__}")
    if count < 1:
        raise ValueError(f"set_num_threads expects a positive number of threads, not {count}")
    if lib.tsm_runtime_set_threads(runtime(), min(count, 0xFFFFFFFF)):
        raise RuntimeError("the number of threads cannot change while another thread is in a call")


def get_num_threads() -> int:
    """How many threads work on one operator or program at most."""
    from .library import lib, runtime

    return int(lib.tsm_runtime_threads(runtime()))
