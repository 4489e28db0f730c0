"""The C programs of the benchmark, compiled against the installed package.

In: a folder. Out: a program in it, or why it could not be built.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
LUA = ("-I/usr/include/lua5.4", "-llua5.4", "-lm")


def library_flags() -> list[str]:
    """What a program that uses libtsm is compiled with."""
    asked = [sys.executable, "-m", "tsm", "config", "--cflags", "--libs"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()


def library() -> Path:
    """The shared library that is measured."""
    folder = next(flag[2:] for flag in library_flags() if flag.startswith("-L"))
    return next(path for path in sorted(Path(folder).glob("libtsm.so*")) if not path.is_symlink())


def build(name: str, folder: Path, *flags: str, sources: tuple[Path, ...] = ()) -> str | None:
    """Makes folder/name of name.c; the compiler's first line if it fails."""
    if shutil.which("cc") is None:
        return "there is no C compiler"
    command = ["cc", "-O2", str(HERE / f"{name}.c"), *map(str, sources), "-o", str(folder / name), *flags]
    built = subprocess.run(command, capture_output=True, text=True)
    return built.stderr.strip().splitlines()[0] if built.returncode else None


def build_driver(folder: Path) -> str | None:
    """driver.c, which reads arguments as tsm-run does."""
    runtime = HERE.parent / "runtime_c"
    cli = runtime / "cli"
    include = (f"-I{cli}", f"-I{runtime / 'src'}")
    return build("driver", folder, *include, *library_flags(), sources=(cli / "npy.c", cli / "literal.c"))
