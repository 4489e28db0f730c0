"""tsm_call_into from C: results land in the caller's tensors; what does not fit is refused before it is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import tsm
from tsm import Tensor, nn

CC = os.environ.get("CC", "cc")

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
#include <tsm.h>

static tsm_runtime *rt;
static float x[6] = {1, 2, 3, 4, 5, 6}, y[6], z[2];

static tsm_value over(float *data, int64_t rows, int64_t columns, int64_t step, bool writable) {
  int64_t shape[2] = {rows, columns}, strides[2] = {step, 1};
  tsm_value v = tsm_none();
  tsm_tensor_borrow(rt, TSM_F32, 2, shape, strides, data, writable, NULL, NULL, &v);
  return v;
}

static void call(tsm_instance *model, const char *name, tsm_value arg, tsm_value *outs, size_t count) {
  tsm_error e;
  int32_t method = tsm_program_find(tsm_instance_program(model), name);
  tsm_status status = tsm_call_into(model, (size_t)method, &arg, 1, NULL, 0, outs, count, &e);
  printf("%s %s\n", name, status ? tsm_status_text(status) : "ok");
  if (status) printf("  %s\n", e.message);
}

int main(int argc, char **argv) {
  (void)argc;
  tsm_error e;
  rt = tsm_runtime_new(NULL, &e);
  tsm_program *program = tsm_program_open(rt, argv[1], NULL, &e);
  tsm_instance *model = tsm_instance_new(program, &e);
  tsm_value in = over(x, 2, 3, 3, true), out = over(y, 2, 3, 3, true), sums = over(z, 2, 1, 1, true);
  tsm_value small = over(y, 1, 3, 3, true), fixed = over(y, 2, 3, 3, false), pair[2] = {out, sums};
  call(model, "forward", in, &out, 1);
  printf("%g %g\n", y[0], y[5]);
  call(model, "both", in, pair, 2);
  printf("%g %g\n", y[5], z[1]);
  call(model, "turned", in, &in, 1);
  printf("%g %g %g\n", x[0], x[1], x[2]);
  call(model, "forward", in, &small, 1);
  call(model, "forward", in, &fixed, 1);
  call(model, "forward", in, pair, 2);
  call(model, "number", in, &out, 1);
  tsm_value all[] = {in, out, sums, small, fixed};
  tsm_release_all(all, 5);
  tsm_instance_free(model);
  tsm_program_free(program);
  tsm_runtime_free(rt);
  return 0;
}
"""

EXPECTED = """\
forward ok
2 12
both ok
3 15
turned ok
3 2 1
forward an argument does not fit the method's signature
  tensor 0 for the results: it is float32(1, 3), the result is float32(2, 3)
forward an argument does not fit the method's signature
  tensor 0 for the results: it cannot be written
forward an argument does not fit the method's signature
  2 tensors were given for 1 results
number an argument does not fit the method's signature
  tensor 0 for the results: the method does not return a tensor there
"""


class Model(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2

    @tsm.export
    def both(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return x / 2, x.sum(1, keepdim=True)

    @tsm.export
    def turned(self, x: Tensor) -> Tensor:
        return x.flip(1)

    @tsm.export
    def number(self, x: Tensor) -> int:
        return x.shape[0]


def test_results_land_in_the_callers_tensors(tmp_path: Path) -> None:
    tsm.script(Model()).save(tmp_path / "model.tsm")
    (tmp_path / "main.c").write_text(PROGRAM)
    words = [sys.executable, "-m", "tsm", "config", "--cflags", "--libs"]
    flags = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    subprocess.run([CC, "-Wall", "main.c", "-o", "main", *flags], cwd=tmp_path, check=True)
    done = subprocess.run(["./main", "model.tsm"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == EXPECTED
