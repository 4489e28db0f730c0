"""The house's structure and what an installation contains: layering law, headers, libraries, configs, command line."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tsm
import tsm.binding

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"binding": "runtime_c/binding", "ir": "ir", "serialize": "serialize", "frontend": "frontend", "api": "api"}
ALLOWED = {
    "binding": {"binding"},
    "ir": {"ir", "binding"},
    "serialize": {"serialize", "ir", "binding"},
    "frontend": {"frontend", "ir", "binding"},
    "api": {"api", "frontend", "serialize", "ir", "binding"},
}
PREFIX = {
    "binding": "tsm.binding",
    "ir": "tsm.ir",
    "serialize": "tsm.serialize",
    "frontend": "tsm.frontend",
    "api": "tsm",
}
INSTALLED = Path(tsm.binding.__file__).absolute().parent


def modules():
    """(package, dotted module, path) of every Python file of ours."""
    for package, folder in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            yield package, ".".join((PREFIX[package], *parts)).removesuffix(".__init__"), path


def imported(module: str, path: Path):
    """(line, absolute name) of what a file imports, relative imports resolved."""
    is_package = path.name == "__init__.py"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                parts = parts[: len(parts) - node.level + is_package]
                base = ".".join([*parts, base]) if base else ".".join(parts)
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def owner(name: str) -> str | None:
    """Which of our packages a module belongs to; None for others' packages."""
    if name.split(".")[0] != "tsm":
        return None
    part = name.split(".")[1] if "." in name else ""
    return part if part in FOLDERS and part != "api" else "api"


def test_imports_go_one_way():
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {package} imports {name}"
        for package, module, path in modules()
        for line, name in imported(module, path)
        if (found := owner(name)) is not None and found not in ALLOWED[package]
    ]
    assert not wrong, "\n".join(wrong)


# The packages of the front end, and its single files: at module level each imports only those before it.
LAYERS = """
diagnostics collection depth failures own_files parser core prelude objects compilation infer
infer.functions infer.loops infer.classes infer.containers infer.primitives infer.expressions infer.statements
infer.inference lower listing trace entry_parameters program
""".split()


def layer(module: str) -> int | None:
    """The place in LAYERS of a module, or of a name in one; None outside the front end."""
    parts = module.removeprefix("tsm.frontend").strip(".").split(".")
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    found = next((name for name in names if name in LAYERS), None)
    return LAYERS.index(found) if module.startswith("tsm.frontend.") and found else None


def test_packages_of_the_front_end_import_one_way():
    wrong, seen = [], set()
    for _, module, path in modules():
        place = layer(module)
        if place is None:
            assert not module.startswith("tsm.frontend."), f"{module} belongs to no package of LAYERS"
            continue
        seen.add(LAYERS[place])
        top = {node.lineno for node in ast.parse(path.read_text(encoding="utf-8")).body}
        for line, name in imported(module, path):
            found = layer(name)
            if line in top and found is not None and found > place:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {LAYERS[place]} imports {name}")
    assert not wrong, "\n".join(wrong)
    assert seen == set(LAYERS)


def test_every_package_is_installed():
    listed = (ROOT / "setup.py").read_text(encoding="utf-8")
    for folder in FOLDERS.values():
        for path in sorted((ROOT / folder).rglob("__init__.py")):
            assert f'"{path.parent.relative_to(ROOT).as_posix()}"' in listed, path


def test_the_law_is_checked_for_all_forms_of_import():
    source = "from ..ir.types import INT\nfrom .. import frontend\nimport tsm.api\ndef f():\n    from . import table\n"
    path = ROOT / "tests" / "none.py"
    names = [name for _, name in imported_from(source, "tsm.binding.library", path)]
    assert names == ["tsm.ir.types.INT", "tsm.frontend", "tsm.api", "tsm.binding.table"]
    assert [owner(name) for name in names] == ["ir", "frontend", "api", "binding"]


def imported_from(source: str, module: str, path: Path):
    class Text(type(path)):
        def read_text(self, *args, **kwargs):
            return source

    return list(imported(module, Text(path)))


def test_names_and_places():
    for _, _, path in modules():
        assert path.stem not in ("utils", "helpers", "misc", "common"), path
    for folder in (*FOLDERS.values(), "ir/passes", "api/nn"):
        assert (ROOT / folder / "__init__.py").is_file(), folder
    assert not (ROOT / "tests" / "__init__.py").exists() and not (ROOT / "tsm").exists()


def test_modules_have_a_charter():
    missing = [
        str(path.relative_to(ROOT)) for _, _, path in modules() if not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert not missing


def test_version_has_one_source():
    header = (ROOT / "runtime_c" / "include" / "tsm.h").read_text()
    assert f'#define TSM_VERSION "{tsm.__version__}"' in header and tsm.version() == tsm.__version__


# ---- declarations from the header


def declared() -> str:
    sys.path.insert(0, str(ROOT / "runtime_c" / "binding"))
    try:
        import build_cffi
    finally:
        sys.path.pop(0)
    return build_cffi.declarations((ROOT / "runtime_c" / "include" / "tsm.h").read_text())


def test_every_public_function_is_declared_for_python():
    header = re.sub(r"/\*.*?\*/", "", (ROOT / "runtime_c" / "include" / "tsm.h").read_text(), flags=re.DOTALL)
    public = set(re.findall(r"TSM_API[^;(]*?\b(tsm_\w+)\(", header))
    text = declared()
    assert len(public) > 90 and all(f"{name}(" in text for name in public)
    assert "#" not in text and "TSM_API" not in text and "static inline" not in text and 'extern "C"' not in text
    assert re.search(r"TSM_ERR_INTERNAL,\s+TSM_STATUS_COUNT", text)


# ---- the installation


def test_import_is_light():
    code = (
        "import sys, tsm\n"
        "parts = ('lark', 'torch', 'tsm.frontend.', 'tsm.ir.', 'tsm.serialize.')\n"
        "print([name for name in sys.modules if name.startswith(parts)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_headers_and_libraries_are_installed():
    names = ["include/tsm.h", "lib/pkgconfig/tsm.pc", "lib/cmake/Tsm/TsmConfig.cmake", "lib/libtsm.a"]
    for name in names:
        assert (INSTALLED / name).is_file(), name
    assert any((INSTALLED / "lib").glob("libtsm.so.0")) or any((INSTALLED / "lib").glob("libtsm.0.dylib"))


def config(*options: str) -> list[str]:
    done = subprocess.run([sys.executable, "-m", "tsm", "config", *options], capture_output=True, text=True, check=True)
    return done.stdout.split()


PROGRAM = """
#include <stdio.h>
#include <tsm.h>
int main(void) {
  tsm_error error;
  tsm_runtime *runtime = tsm_runtime_new(NULL, &error);
  if (!runtime) return 1;
  printf("%s %s", tsm_version(), TSM_VERSION);
  tsm_runtime_free(runtime);
  return 0;
}
"""


def compiled(folder: Path, flags: list[str]) -> str:
    source, program = folder / "program.c", folder / "program"
    source.write_text(PROGRAM)
    subprocess.run([os.environ.get("CC", "cc"), str(source), *flags, "-o", str(program)], check=True)
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


needs_compiler = pytest.mark.skipif(shutil.which(os.environ.get("CC", "cc")) is None, reason="no C compiler")


@needs_compiler
@pytest.mark.parametrize("flags", [("--cflags", "--libs"), ("--cflags", "--static-libs")])
def test_c_program_with_the_flags_of_config(tmp_path, flags):
    assert (
        compiled(tmp_path, [word for flag in flags for word in config(flag)]) == f"{tsm.__version__} {tsm.__version__}"
    )


@needs_compiler
@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="no pkg-config")
def test_c_program_with_pkg_config(tmp_path):
    env = {**os.environ, "PKG_CONFIG_PATH": config("--pkg-config-path")[0]}
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "tsm"], capture_output=True, text=True, check=True, env=env
    )
    assert compiled(tmp_path, flags.stdout.split()) == f"{tsm.__version__} {tsm.__version__}"


@needs_compiler
@pytest.mark.skipif(shutil.which("cmake") is None, reason="no CMake")
@pytest.mark.parametrize("target", ["Tsm::tsm", "Tsm::tsm_static"])
def test_c_program_with_cmake(tmp_path, target):
    (tmp_path / "program.c").write_text(PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(program C)\nfind_package(Tsm 0.1 REQUIRED CONFIG)\n"
        f"add_executable(program program.c)\ntarget_link_libraries(program PRIVATE {target})\n"
    )
    build = tmp_path / "build"
    subprocess.run(
        ["cmake", "-S", str(tmp_path), "-B", str(build), f"-DTsm_DIR={config('--cmake-dir')[0]}"],
        check=True,
        capture_output=True,
    )
    subprocess.run(["cmake", "--build", str(build)], check=True, capture_output=True)
    done = subprocess.run([str(build / "program")], capture_output=True, text=True, check=True)
    assert done.stdout == f"{tsm.__version__} {tsm.__version__}"


@pytest.mark.skipif(shutil.which("readelf") is None, reason="no readelf")
def test_the_library_needs_only_the_c_library():
    shared = next((INSTALLED / "lib").glob("libtsm.so.0"))
    text = subprocess.run(["readelf", "-d", str(shared)], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.+?)\]", text)
    assert needed and all(re.match(r"lib(c|m|pthread)\.so|ld-linux", name) for name in needed), needed
    assert "libtsm.so.0" in re.findall(r"\(SONAME\).*\[(.+?)\]", text)


@pytest.mark.skipif(shutil.which("nm") is None, reason="no nm")
def test_the_library_exports_only_the_api():
    shared = next((INSTALLED / "lib").glob("libtsm.so.0"))
    text = subprocess.run(
        ["nm", "-D", "--defined-only", str(shared)], capture_output=True, text=True, check=True
    ).stdout
    exported = {line.split()[-1].partition("@")[0] for line in text.splitlines()}
    header = re.sub(r"/\*.*?\*/", "", (INSTALLED / "include" / "tsm.h").read_text(), flags=re.DOTALL)
    public = set(re.findall(r"TSM_API[^;(]*?\b(tsm_\w+)\(", header))
    assert public <= exported, sorted(public - exported)
    assert exported - public <= {"_init", "_fini", "__bss_start", "_edata", "_end"}, sorted(exported - public)


# ---- command line


def tsm_command(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "tsm", *arguments], capture_output=True, text=True)


def test_config_prints_everything_without_options():
    text = tsm_command("config").stdout
    assert "--cflags: -I" in text and "--version: " + tsm.__version__ in text
    assert config("--version") == [tsm.__version__]


@pytest.mark.parametrize("command", ["verify", "info", "run", "dump"])
def test_commands_report_errors_in_one_line(command, tmp_path):
    for name, data in [("missing.tsm", None), ("empty.tsm", b""), ("junk.tsm", b"\x89TSM junk" * 20)]:
        path = tmp_path / name
        if data is not None:
            path.write_bytes(data)
        done = tsm_command(command, str(path))
        assert done.returncode == 1 and done.stdout == ""
        assert done.stderr.startswith("tsm: ") and len(done.stderr.splitlines()) == 1, done.stderr


def test_wrong_usage_is_status_2():
    assert tsm_command("nonsense").returncode == 2 and tsm_command().returncode == 2


def test_lazy_names_resolve():
    for name in tsm.__all__:
        assert getattr(tsm, name) is not None, name
    assert {"script", "load", "nn", "zeros", "float32"} <= set(dir(tsm))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        tsm.nonsense  # noqa: B018
    assert "script" in vars(tsm), "a lazy name is looked up once"
