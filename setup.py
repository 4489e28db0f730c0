"""Builds the package: the C library, its headers and configs, tsm-run, and the cffi extension beside them.

In: runtime_c/. Out: tsm/binding/{lib,include,bin,_tsm}. Holds: an object is compiled again only if its source, a header
it includes or the command line changed, so that a rebuild takes seconds.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
RUNTIME = ROOT / "runtime_c"
PACKAGES = {
    "tsm": "api",
    "tsm.written": "api/written",
    "tsm.nn": "api/nn",
    "tsm.nn.utils": "api/nn/utils",
    "tsm.absent": "api/absent",
    "tsm.utils": "api/utils",
    "tsm.frontend": "frontend",
    "tsm.frontend.parser": "frontend/parser",
    "tsm.frontend.core": "frontend/core",
    "tsm.frontend.prelude": "frontend/prelude",
    "tsm.frontend.objects": "frontend/objects",
    "tsm.frontend.compilation": "frontend/compilation",
    "tsm.frontend.infer": "frontend/infer",
    "tsm.frontend.infer.functions": "frontend/infer/functions",
    "tsm.frontend.infer.loops": "frontend/infer/loops",
    "tsm.frontend.infer.classes": "frontend/infer/classes",
    "tsm.frontend.infer.containers": "frontend/infer/containers",
    "tsm.frontend.infer.primitives": "frontend/infer/primitives",
    "tsm.frontend.infer.expressions": "frontend/infer/expressions",
    "tsm.frontend.infer.statements": "frontend/infer/statements",
    "tsm.frontend.lower": "frontend/lower",
    "tsm.frontend.listing": "frontend/listing",
    "tsm.frontend.trace": "frontend/trace",
    "tsm.ir": "ir",
    "tsm.ir.passes": "ir/passes",
    "tsm.serialize": "serialize",
    "tsm.binding": "runtime_c/binding",
}
LIBRARIES = ["-lm", "-pthread"]
COMMAND = ROOT / "build" / "bin" / "tsm-run"  # with the library in it: on the PATH, it starts no Python
EXTENSION = "tsm.binding._tsm"
IS_MAC = sys.platform == "darwin"
SHARED = "libtsm.0.dylib" if IS_MAC else "libtsm.so.0"
LINK_NAME = "libtsm.dylib" if IS_MAC else "libtsm.so"
ORIGIN = "@loader_path" if IS_MAC else "$ORIGIN"


def version() -> str:
    """TSM_VERSION of tsm.h: the one place that says it."""
    match = re.search(r'#define TSM_VERSION "([^"]+)"', (RUNTIME / "include" / "tsm.h").read_text(encoding="utf-8"))
    if match is None:
        raise RuntimeError("runtime_c/include/tsm.h does not define TSM_VERSION")
    return match.group(1)


def run(command: list[str]) -> None:
    """Runs a tool; its own messages and the command line are the error."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    if done.stderr:
        sys.stderr.write(done.stderr)


@cache
def makefile_line(name: str) -> list[str]:
    """Words of a `name := words` line of runtime_c/Makefile; none when there is no such line."""
    rules = (RUNTIME / "Makefile").read_text(encoding="utf-8")
    line = re.search(rf"^{re.escape(name)} *:= *(.*)$", rules, re.MULTILINE)
    return shlex.split(line.group(1)) if line else []


def flags() -> list[str]:
    """What every source is compiled with; runtime_c/Makefile says it."""
    common = [*makefile_line("LANGUAGE"), *makefile_line("SMALL")]
    return ["-O2", "-Wall", "-Wextra", "-I", str(RUNTIME / "src"), *common]


def isa_flags(isa: str) -> list[str]:
    return [*makefile_line(f"ISA_FLAGS_{isa}"), f"-DTSM_ISA={isa}", f"-DTSM_ISA_IS_{isa}=1"] if isa else []


class NativeBuild:
    """Compiles runtime_c into `target` (lib/, include/, bin/), keeping objects under `scratch`."""

    def __init__(self, scratch: Path, target: Path) -> None:
        self.scratch = scratch
        self.target = target
        self.compiler = shlex.split(os.environ.get("CC", "cc"))
        self.flags = shlex.split(os.environ.get("CFLAGS", ""))
        self.link_flags = shlex.split(os.environ.get("LDFLAGS", ""))
        self.outputs: list[Path] = []

    def build(self) -> None:
        for folder in ("lib", "include", "bin"):
            (self.target / folder).mkdir(parents=True, exist_ok=True)
        simd = RUNTIME / "src" / "simd"
        sources = [path for path in sorted((RUNTIME / "src").rglob("*.c")) if path.parent != simd]
        objects = self.compile_all([(path, "") for path in sources]
                                   + [(path, isa) for isa in self.isas() for path in sorted(simd.glob("*.c"))])
        self.put("include/tsm.h", (RUNTIME / "include" / "tsm.h").read_text(encoding="utf-8"))
        self.link_shared(objects)
        self.archive(objects)
        self.link_runner()
        self.write_configs()

    def isas(self) -> list[str]:
        """Instruction sets that the sources of src/simd are compiled for, by runtime_c/Makefile."""
        done = subprocess.run([*self.compiler, "-dumpmachine"], capture_output=True, text=True)
        is_x86 = done.stdout.startswith("x86_64") and "-arch" not in " ".join(self.flags)
        return makefile_line("ISA_x86_64" if is_x86 else "ISA_other")

    def compile_all(self, sources: list[tuple[Path, str]]) -> list[Path]:
        """Objects of (source, instruction set or "") pairs."""
        self.scratch.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            return list(pool.map(self.compile, *zip(*sources, strict=True)))

    def compile(self, source: Path, isa: str) -> Path:
        relative = source.relative_to(RUNTIME)
        output = self.scratch / relative.parent / isa / f"{relative.stem}.o"
        command = [*self.compiler, *flags(), "-MMD", "-I", str(RUNTIME / "include"), *self.file_flags(source)]
        command += [*self.flags, *isa_flags(isa), *self.exact_flags(source), "-c", str(source), "-o", str(output)]
        if not self.is_current(output, command):
            output.parent.mkdir(parents=True, exist_ok=True)
            run(command)
            output.with_suffix(".cmd").write_text(shlex.join(command), encoding="utf-8")
        return output

    @staticmethod
    def exact_flags(source: Path) -> list[str]:
        """No contraction for the exact ones of runtime_c/Makefile."""
        path = source.relative_to(RUNTIME).as_posix().removeprefix("src/").removesuffix(".c")
        return makefile_line("EXACT_FLAGS") if path in makefile_line("EXACT") else []

    @staticmethod
    def file_flags(source: Path) -> list[str]:
        """-Os for the cold ones of runtime_c/Makefile."""
        path = source.relative_to(RUNTIME).as_posix().removeprefix("src/").removesuffix(".c")
        is_cold = any(fnmatchcase(path, pattern.replace("%", "*")) for pattern in makefile_line("COLD"))
        return ["-Os"] if is_cold else []

    def is_current(self, output: Path, command: list[str]) -> bool:
        """Whether an object is newer than all it was made from and was made by the same command."""
        try:
            made = output.stat().st_mtime
            if output.with_suffix(".cmd").read_text(encoding="utf-8") != shlex.join(command):
                return False
            rule = output.with_suffix(".d").read_text(encoding="utf-8").replace("\\\n", " ")
            inputs = shlex.split(rule.partition(":")[2])
            return all(Path(name).stat().st_mtime <= made for name in inputs)
        except OSError:
            return False

    def link_shared(self, objects: list[Path]) -> None:
        shared = self.target / "lib" / SHARED
        if IS_MAC:
            kind = ["-dynamiclib", "-install_name", f"@rpath/{SHARED}"]
        else:
            kind = ["-shared", f"-Wl,-soname,{SHARED}", "-Wl,-z,defs", *makefile_line("LINK")]
        if "-fsanitize" in " ".join(self.flags):
            kind = [flag for flag in kind if flag != "-Wl,-z,defs"]  # the sanitizer's runtime is in the executable
        self.link(kind, objects, shared)
        shutil.copyfile(shared, self.target / "lib" / LINK_NAME)
        self.outputs += [shared, self.target / "lib" / LINK_NAME]

    def link(self, kind: list[str], objects: list[Path], output: Path) -> None:
        """Links beside the old file and replaces it, so that running programs keep theirs."""
        fresh = output.with_name(output.name + ".new")
        flags = [flag for flag in self.flags if flag.startswith(("-fsanitize", "-g", "-m", "-O", "-flto"))]
        run([*self.compiler, *flags, *kind, *map(str, objects), *self.link_flags, *LIBRARIES, "-o", str(fresh)])
        fresh.replace(output)

    def archive(self, objects: list[Path]) -> None:
        static = self.target / "lib" / "libtsm.a"
        static.unlink(missing_ok=True)
        run([*shlex.split(os.environ.get("AR", "ar")), "rcs", str(static), *map(str, objects)])
        self.outputs.append(static)

    def link_runner(self) -> None:
        sources = sorted((RUNTIME / "cli").glob("*.c"))
        if not sources:
            return
        runner = self.target / "bin" / "tsm-run"
        search = ["-L", str(self.target / "lib"), "-ltsm", f"-Wl,-rpath,{ORIGIN}/../lib"]
        objects = self.compile_all([(source, "") for source in sources])
        self.link([], [*objects, *map(Path, search)], runner)
        self.outputs.append(runner)
        COMMAND.parent.mkdir(parents=True, exist_ok=True)
        self.link([], [*objects, self.target / "lib" / "libtsm.a"], COMMAND)

    def put(self, name: str, text: str) -> None:
        path = self.target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.outputs.append(path)

    def write_configs(self) -> None:
        """Both configs find the files relative to themselves, so the package can be moved."""
        self.put("lib/pkgconfig/tsm.pc", PKG_CONFIG.format(version=version()))
        self.put("lib/cmake/Tsm/TsmConfig.cmake", CMAKE_CONFIG.format(shared=SHARED))
        major, minor = version().split(".")[:2]
        self.put("lib/cmake/Tsm/TsmConfigVersion.cmake",
                 CMAKE_VERSION.format(version=version(), major=major, minor=minor))


PKG_CONFIG = """\
prefix=${{pcfiledir}}/../..
libdir=${{prefix}}/lib
includedir=${{prefix}}/include

Name: tsm
Description: Loads and runs .tsm programs
Version: {version}
Cflags: -I${{includedir}}
Libs: -L${{libdir}} -Wl,-rpath,${{libdir}} -ltsm
Libs.private: -lm -pthread
"""

CMAKE_CONFIG = """\
get_filename_component(TSM_PREFIX "${{CMAKE_CURRENT_LIST_DIR}}/../../.." ABSOLUTE)
if(NOT TARGET Tsm::tsm)
  add_library(Tsm::tsm SHARED IMPORTED)
  set_target_properties(Tsm::tsm PROPERTIES
    IMPORTED_LOCATION "${{TSM_PREFIX}}/lib/{shared}"
    INTERFACE_INCLUDE_DIRECTORIES "${{TSM_PREFIX}}/include")
  add_library(Tsm::tsm_static STATIC IMPORTED)
  set_target_properties(Tsm::tsm_static PROPERTIES
    IMPORTED_LOCATION "${{TSM_PREFIX}}/lib/libtsm.a"
    INTERFACE_LINK_LIBRARIES "m;pthread"
    INTERFACE_INCLUDE_DIRECTORIES "${{TSM_PREFIX}}/include")
endif()
"""

CMAKE_VERSION = """\
set(PACKAGE_VERSION "{version}")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR NOT PACKAGE_FIND_VERSION_MAJOR EQUAL {major})
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
"""


class BuildExtension(build_ext):
    """Builds the library first, then the extension that links with it and finds it by its own place."""

    def run(self) -> None:
        if sys.byteorder == "big":
            raise SystemExit("the Python package needs a little-endian machine; the library alone: make -C runtime_c")
        if sys.platform == "win32":
            raise SystemExit("tsm builds on Linux and macOS with GCC or Clang; Windows is not supported")
        package = Path(self.get_ext_fullpath(EXTENSION)).parent
        scratch = Path(self.build_temp).resolve() / "native"
        self.native = NativeBuild(scratch, package.resolve())
        self.native.build()
        extension = self.extensions[0]
        extension.sources = [write_binding(scratch)]
        extension.include_dirs = [str(package / "include"), str(RUNTIME)]
        extension.define_macros = [("_CFFI_NO_LIMITED_API", None)]  # Python 3.10's limited API lacks buffers
        extension.library_dirs = [str(package / "lib")]
        extension.libraries = ["tsm"]
        extension.depends = [str(path) for path in (package / "include" / "tsm.h", RUNTIME / "ops.def",
                                                    self.native.target / "lib" / SHARED)]
        extension.extra_link_args = [f"-Wl,-rpath,{ORIGIN}/lib"] + ([] if IS_MAC else ["-Wl,--enable-new-dtags"])
        super().run()

    def get_outputs(self) -> list[str]:
        native = getattr(self, "native", None)
        return super().get_outputs() + [str(path) for path in (native.outputs if native else [])]


def write_binding(scratch: Path) -> str:
    """C source of the cffi extension; untouched when nothing changed, so that it is not compiled again."""
    sys.path.insert(0, str(RUNTIME / "binding"))
    try:
        import build_cffi
    finally:
        sys.path.pop(0)
    source = scratch / "_tsm.c"
    build_cffi.make_builder(RUNTIME / "include" / "tsm.h").emit_c_code(str(source))
    return os.path.relpath(source)


# The saved tables name classes of tsm.frontend.parser.tables, and tsm itself cannot be imported before it is built: so
# the two packages above it are stood in for by empty ones with the right folders.
WRITE_TABLES = """
import sys, types
for name, folder in (("tsm", {api!r}), ("tsm.frontend", {frontend!r})):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
from tsm.frontend.parser import tables
if tables.load() is None:
    tables.write()
"""


class BuildPython(build_py):
    """Makes the front end's parse tables before its files are collected."""

    def run(self) -> None:
        if (ROOT / "frontend" / "parser" / "tables.py").is_file():
            code = WRITE_TABLES.format(api=str(ROOT / "api"), frontend=str(ROOT / "frontend"))
            run([sys.executable, "-c", code])
        super().run()


setup(
    version=version(),
    packages=list(PACKAGES),
    package_dir=PACKAGES,
    package_data={
        "tsm": ["py.typed", "*.pyi"],
        "tsm.frontend.parser": ["*.lark", "*.bin"],
        "tsm.serialize": ["FORMAT.md"],
    },
    ext_modules=[Extension(EXTENSION, sources=[])],
    data_files=[("bin", [str(COMMAND.relative_to(ROOT))])],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildPython},
    zip_safe=False,
)
