"""The command line: look into .tsm files, make them from text, run them, and tell C users how to compile.

In: arguments. Out: text, an exit status: 0, 1 for an error, 2 for wrong usage. Holds: errors are one line on stderr.
"""

from __future__ import annotations

import argparse
import ast
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .binding import version


def _package() -> Path:
    from . import binding

    return Path(binding.__file__).absolute().parent


def config(args: argparse.Namespace) -> None:
    """Prints what a C user needs: `cc prog.c $(python -m tsm config --cflags --libs)`."""
    folder = _package()
    answers = {
        "cflags": f"-I{folder / 'include'}",
        "libs": f"-L{folder / 'lib'} -Wl,-rpath,{folder / 'lib'} -ltsm",
        "static_libs": f"{folder / 'lib' / 'libtsm.a'} -lm -pthread",
        "version": version(),
        "prefix": str(folder),
        "pkg_config_path": str(folder / "lib" / "pkgconfig"),
        "cmake_dir": str(folder / "lib" / "cmake" / "Tsm"),
        "runner": str(folder / "bin" / "tsm-run"),
    }
    asked = [name for name in answers if getattr(args, name)]
    if asked:
        print(" ".join(answers[name] for name in asked))
    else:
        for name, answer in answers.items():
            print(f"--{name.replace('_', '-')}: {answer}")


def dump(args: argparse.Namespace) -> None:
    """Prints the text form of a file."""
    from . import serialize
    from .ir.printer import print_program

    print(print_program(serialize.load(args.file)), end="")


def asm(args: argparse.Namespace) -> None:
    """Turns the text form back into a file."""
    from . import serialize
    from .ir.parser import parse
    from .ir.verify import verify as verify_program

    if args.file == "-" and not args.output:
        args.usage("text from standard input needs --output")
    output = Path(args.output or Path(args.file).with_suffix(".tsm"))
    try:
        text = (sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()).decode()
    except UnicodeDecodeError:
        raise ValueError(f"{args.file} is not the text form of a program: it is not text") from None
    program = parse(text)
    verify_program(program)
    if output.is_dir() or not output.parent.is_dir():
        raise OSError(f"{output} cannot be written: it is a directory, or there is no such directory")
    serialize.save(program, str(output))


def verify(args: argparse.Namespace) -> None:
    """Checks a file as loading does, and the checksum of its weights."""
    from .binding.program import Program

    Program.from_path(args.file, check_weights=True)
    print(f"{args.file}: ok")


def info(args: argparse.Namespace) -> None:
    """Prints methods, attributes, metadata and operators of a file."""
    from .loaded import load

    module = load(args.file)
    print("methods:")
    for method in module.program.methods:
        params = ", ".join(
            f"{param.name}: {param.type}" + (f" = {param.default!r}" if param.has_default else "")
            for param in method.params
        )
        print(f"  {method.name}({params}) -> {method.result}")
    _section("tensors", [f"{name}: {t.dtype.name}{list(t.shape)}" for name, t in module.state_dict().items()])
    _section("metadata", [f"{key}: {value}" for key, value in module.metadata.items()])
    _section("extra files", [f"{name}: {len(data)} bytes" for name, data in module.extra_files.items()])
    _section("operators", list(module.program.operators))


def _section(title: str, lines: list[str]) -> None:
    if lines:
        print(f"{title}:", *lines, sep="\n  ")


def run(args: argparse.Namespace) -> None:
    """Calls a method on .npy files or Python literals and prints the result."""
    from .loaded import load

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's own handler would wait for the program's end
    module = load(args.file)
    names, inputs = list(module.methods), list(args.inputs)
    if inputs and inputs[0] in names:
        name = inputs.pop(0)
    else:
        name = names[0] if len(names) == 1 else "__call__" if "__call__" in names else "forward"
    if args.fuel:
        module.set_fuel(args.fuel)
    result = module.method(name)(*map(_input, inputs))
    if args.output:
        _save_array(args.output, result)
    elif result is not None:
        print(result)


def _input(text: str) -> Any:
    """An argument: an array for a .npy file, else a Python literal, else the text itself."""
    if text.endswith(".npy"):
        import numpy as np

        return np.load(text, allow_pickle=False)
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _save_array(path: str, result: Any) -> None:
    import numpy as np

    from .binding import Tensor

    if not isinstance(result, Tensor):
        raise TypeError(f"--output takes a tensor result, this one is a {type(result).__name__}")
    with open(path, "wb") as file:  # by name, save() would add .npy
        np.save(file, result.numpy())


def _positive(text: str) -> int:
    if not 0 < (number := int(text)) < 2**63:
        raise ValueError
    return number


_positive.__name__ = "positive number"  # as argparse says it


def _in_one_line(error: Exception) -> str:
    """Where in the program's Python source if it was there, the error's class and its text."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        text = f"{error.strerror}: {error.filename!r}"
    place = f"{error.tsm_file}:{error.tsm_line}: " if getattr(error, "tsm_file", None) else ""  # type: ignore[attr-defined]
    return f"{place}{type(error).__name__}: " + "; ".join(line.strip() for line in text.splitlines() if line.strip())


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="tsm", description="Look into, make and run .tsm programs.")
    top.add_argument("--version", action="version", version=f"tsm {version()}")
    commands = top.add_subparsers(required=True, metavar="command")

    def command(function: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
        added = commands.add_parser(function.__name__, help=function.__doc__, description=function.__doc__)
        added.set_defaults(run=function, usage=added.error)
        return added

    command(dump).add_argument("file")
    assemble = command(asm)
    assemble.add_argument("file", help="text form, - for standard input")
    assemble.add_argument("-o", "--output", help="default: the text's name with .tsm")
    command(verify).add_argument("file")
    runner = command(run)
    runner.add_argument("file")
    runner.add_argument("inputs", nargs="*", metavar="input", help="[method] then .npy files or Python literals")
    runner.add_argument("-o", "--output", help="write a tensor result to this .npy file")
    runner.add_argument("--fuel", type=_positive, help="limit of the call: units of at most 100 ns")
    command(info).add_argument("file")
    settings = command(config)
    for name in ("cflags", "libs", "static-libs", "version", "prefix", "pkg-config-path", "cmake-dir", "runner"):
        settings.add_argument(f"--{name}", action="store_true")
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; the exit status is the result."""
    args = parser().parse_args(argv)
    try:
        args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
    except Exception as error:
        print(f"tsm: {_in_one_line(error)}", file=sys.stderr)
        return 1
    return 0
