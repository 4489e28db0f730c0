"""Managers of contextlib where scripts do not take them."""
# ruff: noqa
from contextlib import AsyncExitStack, contextmanager, suppress

from language_rows import of_row

of_row("with")


@contextmanager
def looping(n: int):
    for i in range(n):
        yield i  # error 9: the context manager 'looping' cannot be scripted by itself


@contextmanager
def twice(n: int):
    yield 1  # error 5: the context manager 'twice' cannot be scripted by itself
    if n:
        yield 2  # error 9: the context manager 'twice' cannot be scripted by itself


@contextmanager
def once(n: int):
    yield n  # error 5: the context manager 'once' cannot be scripted by itself


def yields_in_loop(n: int) -> int:
    with looping(n) as k:  # error 10: 'looping' may yield twice, which a context manager cannot
        n += k
    return n


def yields_twice(n: int) -> int:
    with twice(n) as k:  # error 10: 'twice' may yield twice, which a context manager cannot
        n += k
    return n


def kept_suppress(n: int) -> int:
    s = suppress(ValueError)  # error 9: 'suppress' can only be used in a with statement
    return n


def looped_over(n: int) -> int:
    for i in once(n):  # error 14: the context manager that 'once' makes can only be used in a with statement
        n += i
    return n


def kept_manager(n: int) -> int:
    a = once(n)  # error 9: the context manager that 'once' makes can only be used in a with statement
    return n


def stored_maker(n: int) -> int:
    makers = [once]
    for x in makers[0](1):  # error 14: the context manager that 'once' makes can only be used in a with statement
        n += x
    return n


def suppressed_value(n: int) -> int:
    with suppress(n):  # error 19: an except clause needs an exception class, or a tuple of them, known at compile time
        n += 1
    return n


def stack(n: int) -> int:
    with AsyncExitStack():  # error 10: 'contextlib.AsyncExitStack' is not supported in scripts
        return n


def under_yield(n: int) -> int:
    def items():
        with once(n):  # error 14: a yield under 'with once(...)' is not supported: 'once' would see that the generator is closed
            yield n

    for item in items():
        n += item
    return n


class OneOf:
    def __enter__(self):
        return self

    def __exit__(self, *caught):
        return caught[0] is ValueError


def class_among_all(n: int) -> int:
    with OneOf():  # error 10: __exit__ may only take the exception out of '*caught' in scripts, or compare with None what stands beside it
        raise ValueError(n)
    return n
