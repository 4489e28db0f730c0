"""A C program outside the project: compiled with the flags that the package gives, it loads a file and calls it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tsm
from tsm import Tensor, nn

CC = os.environ.get("CC", "cc")

PROGRAM = """
#include <stdio.h>
#include <tsm.h>

int main(int argc, char **argv) {
  (void)argc;
  tsm_error error;
  float data[4] = {1, 2, 3, 4};
  int64_t shape[2] = {2, 2};
  tsm_value x, y, n;
  tsm_runtime *runtime = tsm_runtime_new(NULL, &error);
  tsm_program *program = tsm_program_open(runtime, argv[1], NULL, &error);
  if (!program) return fprintf(stderr, "%s\\n", error.message), 1;
  tsm_instance *model = tsm_instance_new(program, &error);
  tsm_tensor_copy(runtime, TSM_F32, 2, shape, NULL, data, &x);
  if (tsm_call(model, "forward", &x, 1, &y, &error)) return fprintf(stderr, "%s\\n%s", error.message, error.trace), 2;
  if (tsm_call(model, "calls", NULL, 0, &n, &error)) return fprintf(stderr, "%s\\n", error.message), 3;
  printf("%g %d\\n", ((const float *)tsm_tensor_data(y))[3], (int)n.as.i);
  tsm_release(x), tsm_release(y);
  tsm_instance_free(model);
  tsm_program_free(program);
  tsm_runtime_free(runtime);
  return 0;
}
"""


class Doubler(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def forward(self, x: Tensor) -> Tensor:
        self.count += 1
        return x * 2

    @tsm.export
    def calls(self) -> int:
        return self.count


def config(*options: str) -> list[str]:
    done = subprocess.run([sys.executable, "-m", "tsm", "config", *options], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("embedding")
    (path / "main.c").write_text(PROGRAM)
    tsm.script(Doubler()).save(path / "model.tsm")
    return path


def build_and_run(folder: Path, flags: list[str]) -> str:
    subprocess.run([CC, "-Wall", "-Werror", "main.c", "-o", "main", *flags], cwd=folder, check=True)
    return subprocess.run(["./main", "model.tsm"], cwd=folder, capture_output=True, text=True, check=True).stdout


def test_with_config_flags(folder: Path) -> None:
    assert build_and_run(folder, config("--cflags", "--libs")) == "8 1\n"


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="pkg-config is not installed")
def test_with_pkg_config(folder: Path) -> None:
    environment = dict(os.environ, PKG_CONFIG_PATH=config("--pkg-config-path")[0])
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "tsm"], env=environment, capture_output=True, text=True, check=True
    ).stdout.split()
    assert build_and_run(folder, flags) == "8 1\n"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
def test_with_cmake(folder: Path) -> None:
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(user C)\nfind_package(Tsm REQUIRED)\n"
        "add_executable(user main.c)\ntarget_link_libraries(user Tsm::tsm)\n"
    )
    prefix = config("--cmake-dir")[0]
    configure = ["cmake", "-S", ".", "-B", "build", f"-DTsm_DIR={prefix}"]
    subprocess.run(configure, cwd=folder, check=True, capture_output=True)
    subprocess.run(["cmake", "--build", "build"], cwd=folder, check=True, capture_output=True)
    done = subprocess.run(["build/user", "model.tsm"], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == "8 1\n"


def test_errors_reach_c_with_their_python_line(folder: Path) -> None:
    class Wrong(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x @ x.view(4)

        @tsm.export
        def calls(self) -> int:
            return 0

    tsm.script(Wrong()).save(folder / "wrong.tsm")
    build_and_run(folder, config("--cflags", "--libs"))
    done = subprocess.run(["./main", "wrong.tsm"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert re.search(r"size mismatch, got input \(2\), mat \(2x2\), vec \(4\)", done.stderr)
    assert re.search(r'File ".*test_embedding\.py", line \d+, in Wrong.forward', done.stderr)


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed")
def test_library_needs_only_libc(tmp_path: Path) -> None:
    library = Path(config("--prefix")[0]) / "lib" / "libtsm.so"
    dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.*?)\]", dynamic))
    assert needed <= {"libc.so.6", "libm.so.6", "libpthread.so.0"}
    stripped = tmp_path / "libtsm.so"
    subprocess.run(["strip", "-o", stripped, library], check=True)
    assert stripped.stat().st_size < 1_200_000
