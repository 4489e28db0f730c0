"""Signals during a call: Ctrl-C ends it soon, other handlers run, and the program can be called again."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import tsm
from tsm import Tensor

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="POSIX signals")
DELAY = 0.1  # seconds until the signal


def spin(n: int) -> int:
    total = 0
    for i in range(n):
        total = (total + i) % 7
    return total


def marked(n: int, out: list[int]) -> int:
    out.append(1)
    try:
        for i in range(n):
            out[0] = i
    except BaseException:
        out.append(2)
        raise
    finally:
        out.append(3)
    return 0


def products(x: Tensor, n: int) -> Tensor:
    for _ in range(n):
        y = x @ x
    return y


@contextlib.contextmanager
def signal_soon(number: int) -> Iterator[None]:
    timer = threading.Timer(DELAY, lambda: os.kill(os.getpid(), number))
    timer.start()
    try:
        yield
    finally:
        timer.join()


@contextlib.contextmanager
def handler(function: Any) -> Iterator[None]:
    before = signal.signal(signal.SIGUSR1, function)
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR1, before)


@pytest.fixture(autouse=True)
def pythons_own_handler() -> Iterator[None]:
    """A shell's background job starts with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt(call: Any) -> None:
    """Of a call that would take hours: that it ends is what is tested."""
    with pytest.raises(KeyboardInterrupt), signal_soon(signal.SIGINT):
        call()


def test_ctrl_c_ends_a_loop() -> None:
    run = tsm.script(spin)
    interrupt(lambda: run(10**12))
    assert run(10) == spin(10)


def test_ctrl_c_ends_a_loop_with_fuel() -> None:
    run: Any = tsm.script(spin)
    run.set_fuel(10**15)
    interrupt(lambda: run(10**12))


def test_no_handler_in_the_program_catches_it_and_what_was_written_stays() -> None:
    run, out = tsm.script(marked), [0]
    interrupt(lambda: run(10**12, out))
    assert len(out) == 2
    assert out[0] > 0


def test_ctrl_c_ends_kernels_in_and_outside_programs() -> None:
    run, x = tsm.script(products), tsm.ones(700, 700)
    interrupt(lambda: run(x, 10**9))

    def eager() -> None:
        while True:
            tsm.matmul(x, x)

    interrupt(eager)


def test_ctrl_c_within_one_kernel_outside_programs_is_raised_once() -> None:
    tsm.matmul(tsm.ones(2, 2), tsm.ones(2, 2))  # how it is run is known from now on
    x = tsm.ones(4000, 4000)
    interrupt(lambda: [tsm.matmul(x, x) for _ in range(10**6)])
    assert tsm.matmul(tsm.ones(2, 2), tsm.ones(2, 2)).tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_other_handlers_run_during_a_call_and_do_not_end_it() -> None:
    run, seen = tsm.script(spin), []
    with handler(lambda number, frame: seen.append(time.monotonic())), signal_soon(signal.SIGUSR1):
        run(10**7)
        while not seen:
            run(10**7)
    assert len(seen) == 1


def test_what_a_handler_raises_is_raised_by_the_call() -> None:
    def fail(number: int, frame: Any) -> None:
        raise LookupError("from the handler")

    run = tsm.script(spin)
    with handler(fail), pytest.raises(LookupError, match="from the handler"), signal_soon(signal.SIGUSR1):
        run(10**12)


def test_a_handler_cannot_call_the_program_that_it_interrupts() -> None:
    run = tsm.script(spin)
    with handler(lambda number, frame: run(3)), signal_soon(signal.SIGUSR1):
        with pytest.raises(RuntimeError, match="cannot be called by a signal handler while it runs"):
            run(10**12)


def test_other_threads_are_not_asked() -> None:
    run: Any = tsm.script(spin)
    worker = threading.Thread(target=lambda: run(10**7))
    worker.start()
    with pytest.raises(KeyboardInterrupt), signal_soon(signal.SIGINT):
        while True:
            time.sleep(0.01)
    worker.join()
