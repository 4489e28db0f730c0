"""What print does with arguments that `*` spreads, whose number is known at run time only; streams, and warnings.

In: nothing. Out: functions that inference calls. Holds: a value's own text is made after what stands before it is
written, as CPython does.
"""

from __future__ import annotations

from .containers import operator


def texts(values):
    return [str(value) for value in values]


def print_each(values, sep, end):
    is_first = True
    for value in values:
        if not is_first:
            print(sep, end="")
        print(value, end="")
        is_first = False
    print(end=end)


@operator("prelude.print_error")
def print_error(text):
    """Writes to the host's sys.stderr."""


def print_each_error(values, sep, end):
    is_first = True
    for value in values:
        if not is_first:
            print_error(sep)
        print_error(str(value))
        is_first = False
    print_error(end)


def write(text: str) -> int:
    """`sys.stdout.write`"""
    print(text, end="")
    return len(text)


def write_error(text: str) -> int:
    """`sys.stderr.write`"""
    print_error(text)
    return len(text)


def write_lines(lines) -> None:
    """`sys.stdout.writelines`"""
    for line in lines:
        write(line)


def write_error_lines(lines) -> None:
    """`sys.stderr.writelines`"""
    for line in lines:
        write_error(line)


def flush() -> None:
    """`sys.stdout.flush`: the host writes through streams of its own."""


@operator("prelude.warn")
def is_fatal(text, warning, level):
    """Tells the host of a warning; whether it wants that raised."""


def warn(message, category=UserWarning, stacklevel=1):
    """`warnings.warn`"""
    if isinstance(message, Warning):
        if is_fatal(str(message), message, stacklevel):
            raise message
    elif issubclass(category, Warning):
        warning = category(message)
        if is_fatal(str(message), warning, stacklevel):
            raise warning
    else:
        raise TypeError("category must be a Warning subclass, not 'type'")
