"""Every kind of value crosses the C interface: a C program passes and receives them, by position and by name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Optional

import tsm
from tsm import Tensor, nn

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
#include <tsm.h>

#define DO(call) \
  do { if (call) return fprintf(stderr, "line %d: %s\n", __LINE__, error.message), 1; } while (0)

static tsm_error error;

static float first(tsm_value tensor) { return *(const float *)tsm_tensor_data(tensor); }

int main(int argc, char **argv) {
  (void)argc;
  tsm_runtime *rt = tsm_runtime_new(NULL, &error);
  tsm_program *program = tsm_program_open(rt, argv[1], NULL, &error);
  tsm_instance *model = program ? tsm_instance_new(program, &error) : NULL;
  if (!model) return fprintf(stderr, "%s\n", error.message), 1;
  float data[2] = {1, 2};
  int64_t shape[1] = {2};
  tsm_value x, key, named, list, text, pair, got, result;

  /* a dict of tensors and a list of tensors: both are changed by the call, and seen so here */
  DO(tsm_tensor_copy(rt, TSM_F32, 1, shape, NULL, data, &x));
  DO(tsm_str_copy(rt, "a", 1, &key));
  DO(tsm_dict_new(rt, TSM_STR, TSM_TENSOR, &named));
  DO(tsm_dict_set(named, key, x));
  DO(tsm_list_new(rt, TSM_TENSOR, 1, &list));
  DO(tsm_list_append(list, x));
  DO(tsm_str_copy(rt, "h\xc3\xa9", 3, &text));

  /* two by position, one by name, the rest are defaults */
  tsm_value args[3] = {named, list, text};
  const char *names[1] = {"text"};
  DO(tsm_call_method(model, (size_t)tsm_program_find(program, "mix"), args, 3, names, 1, &result, &error));
  printf("%zu %zu ", tsm_dict_length(named), tsm_list_length(list));
  DO(tsm_list_get(list, 1, &got));
  printf("%g ", (double)first(got));
  tsm_release(got);

  /* the result: (str, None, dict of tensors, (int, float)) */
  size_t length;
  DO(tsm_tuple_get(result, 0, &got));
  const char *letters = tsm_str_borrow(got, &length);
  printf("%s %zu ", letters, length);
  tsm_release(got);
  DO(tsm_tuple_get(result, 1, &got));
  printf("%s ", got.kind == TSM_NONE ? "None" : "?");
  DO(tsm_tuple_get(result, 2, &got));
  size_t position = 0;
  tsm_value k, v;
  while (tsm_dict_next(got, &position, &k, &v)) {
    printf("%s=%g ", tsm_str_borrow(k, NULL), (double)first(v));
    tsm_release(k), tsm_release(v);
  }
  tsm_release(got);
  DO(tsm_tuple_get(result, 3, &pair));
  DO(tsm_tuple_get(pair, 0, &got));
  printf("%d ", (int)got.as.i);
  DO(tsm_tuple_get(pair, 1, &got));
  printf("%g\n", got.as.f);
  tsm_release(pair), tsm_release(result);

  /* attributes by path, both ways */
  DO(tsm_get_attr(model, "inner.scale", &got, &error));
  printf("%g ", got.as.f);
  DO(tsm_set_attr(model, "inner.scale", tsm_float(10), &error));
  DO(tsm_set_attr(model, "calls", tsm_int(41), &error));
  DO(tsm_call(model, "forward", &x, 1, &result, &error));
  printf("%g ", (double)first(result));
  tsm_release(result);
  DO(tsm_get_attr(model, "calls", &got, &error));
  printf("%d\n", (int)got.as.i);

  /* a tensor of one element is the number that is declared, a tuple the list */
  tsm_value one, numbers[2] = {tsm_bool(true), tsm_int(3)}, chosen[2];
  DO(tsm_tensor_copy(rt, TSM_I64, 2, (int64_t[]){1, 1}, NULL, (int64_t[]){7}, &one));
  DO(tsm_tuple_new(rt, 2, numbers, &chosen[0]));
  chosen[1] = one;
  DO(tsm_call(model, "choose", chosen, 2, &result, &error));
  printf("%g\n", result.as.f);
  DO(tsm_set_attr(model, "calls", one, &error));
  tsm_status refused = tsm_call(model, "choose", (tsm_value[]){chosen[0], x}, 2, &result, &error);
  printf("%d %s: %s\n", refused == TSM_ERR_ARGUMENT, error.type, error.message);
  tsm_release(chosen[0]), tsm_release(one);

  /* what does not fit is a sentence, not a crash */
  tsm_status status = tsm_call(model, "forward", &text, 1, &result, &error);
  printf("%d %s: %s\n", status == TSM_ERR_ARGUMENT, error.type, error.message);
  status = tsm_set_attr(model, "inner.missing", tsm_int(1), &error);
  printf("%d %s\n", status == TSM_ERR_NOT_FOUND, error.message);

  tsm_release(x), tsm_release(key), tsm_release(named), tsm_release(list), tsm_release(text);
  tsm_instance_free(model), tsm_program_free(program), tsm_runtime_free(rt);
  return 0;
}
"""


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = 2.0

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale


class Outer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return self.inner(x)

    @tsm.export
    def choose(self, items: list[float], n: Optional[int] = None) -> float:
        return sum(items) + (0.0 if n is None else n)

    @tsm.export
    def mix(
        self, named: dict[str, Tensor], items: list[Tensor], flag: bool = True, text: str = "?", n: Optional[int] = None
    ) -> tuple[str, Optional[int], dict[str, Tensor], tuple[int, float]]:
        named["b"] = named["a"] + 1
        items.append(items[0] * 5)
        return text * 2, n, {"sum": named["a"].sum()}, (len(items) if flag else 0, 0.5)


def test_values_cross(tmp_path: Path) -> None:
    (tmp_path / "values.c").write_text(PROGRAM)
    tsm.script(Outer()).save(tmp_path / "model.tsm")
    flags = subprocess.run(
        [sys.executable, "-m", "tsm", "config", "--cflags", "--libs"], capture_output=True, text=True, check=True
    ).stdout.split()
    subprocess.run(["cc", "-Wall", "-Werror", "values.c", "-o", "values", *flags], cwd=tmp_path, check=True)
    done = subprocess.run(["./values", "model.tsm"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "2 2 5 héhé 6 None sum=3 2 0.5",
        "2 10 42",
        "11",
        "1 TypeError: choose() argument 'n' must be Optional[int], not Tensor",
        "1 TypeError: forward() argument 'x' must be Tensor, not str",
        "1 'inner.missing': there is no such attribute, item or key",
    ]
