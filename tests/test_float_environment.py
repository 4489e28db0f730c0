"""What the host's thread has set does not matter: rounding, floating-point traps, flushing of denormals, locale, stack.

A host in C runs the programs of fuzz/fault_programs.py in each setting; values and texts are those of a plain thread,
and the host finds its settings as they were.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
STACK = 1 << 22
ENOUGH_STACK = 65536 - 8192  # tsm.h promises that 64 KB are enough; the rest is for the host's hooks

# Arguments: rounding, what else is set, bytes of the thread's stack, files. Each method gets one int.
# The bytes of the stack that were used go to stderr.
HOST = r"""
#define _GNU_SOURCE
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsm.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

static char **words;
static int word_count;
static tsm_runtime *rt;
static tsm_error e;

static void print(tsm_value value) {
  tsm_value text;
  size_t length;
  if (tsm_value_text(rt, value, 1, &text)) return;
  const char *bytes = tsm_str_borrow(text, &length);
  printf("%.*s\n", (int)length, bytes);
  tsm_release(text);
}

static void run(const char *path) {
  tsm_program *p = tsm_program_open(rt, path, NULL, &e);
  tsm_instance *i = p ? tsm_instance_new(p, &e) : NULL;
  if (!i) printf("%s\n", e.message);
  for (size_t m = 0; i && m < tsm_program_method_count(p); m++)
    for (int64_t seed = 1; seed <= 4; seed++) {
      tsm_value argument = tsm_int(seed), result;
      tsm_instance_set_fuel(i, 3000000);
      if (!tsm_call_method(i, m, &argument, 1, NULL, 0, &result, &e)) {
        print(result);
        tsm_release(result);
      } else {
        printf("%d %s %s\n", (int)e.code, e.type, e.message);
      }
    }
  tsm_instance_free(i);
  tsm_program_free(p);
}

static void *thread(void *unused) {
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  const int rounding = roundings[atoi(words[1])];
  const char *what = words[2];
  int traps = 0;
  if (!strcmp(what, "locale") && !setlocale(LC_ALL, "de_DE.UTF-8")) setlocale(LC_ALL, "");
#if defined(__GLIBC__)
  if (!strcmp(what, "traps")) feenableexcept(FE_ALL_EXCEPT & ~FE_INEXACT), traps = fegetexcept();
#endif
#if defined(__SSE2__)
  if (!strcmp(what, "flush")) _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  fesetround(rounding);
  rt = tsm_runtime_new(NULL, &e);
  for (int k = 4; k < word_count; k++) run(words[k]);
  tsm_runtime_free(rt);
  if (fegetround() != rounding) printf("the rounding has changed\n");
#if defined(__GLIBC__)
  if (fegetexcept() != traps) printf("the traps have changed\n");
#endif
#if defined(__SSE2__)
  if (!strcmp(what, "flush") && (_mm_getcsr() & 0x8040) != 0x8040) printf("flushing has changed\n");
#endif
  return unused;
}

int main(int count, char **list) {
  pthread_attr_t attributes;
  pthread_t id;
  words = list;
  word_count = count;
  const size_t size = (size_t)atol(list[3]);
  unsigned char *stack = aligned_alloc(65536, size);
  size_t unused = 0;
  if (!stack) return 2;
  memset(stack, 0xA5, size);
  pthread_attr_init(&attributes);
  if (pthread_attr_setstack(&attributes, stack, size)) return 3;
  if (pthread_create(&id, &attributes, thread, NULL)) return 4;
  pthread_join(id, NULL);
  while (unused < size && stack[unused] == 0xA5) unused++;
  fprintf(stderr, "%zu\n", size - unused);
  free(stack);
  return 0;
}
"""

Run = Callable[..., tuple[list[str], int]]


@pytest.fixture(scope="module")
def run_host(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("host")
    spec = importlib.util.spec_from_file_location("fault_programs", HERE / "fuzz" / "fault_programs.py")
    assert spec is not None and spec.loader is not None
    programs = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(programs)
    for name, image in programs.images(has_all_seeds=False).items():
        (folder / f"{name}.tsm").write_bytes(image)
    (folder / "host.c").write_text(HOST)
    words = [sys.executable, "-m", "tsm", "config", "--cflags", "--libs"]
    flags = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-Wall", "host.c", "-o", "host", *flags, "-lm", "-pthread"], cwd=folder, check=True)
    files = sorted(path.name for path in folder.glob("*.tsm"))

    def run(rounding: int = 0, what: str = "plain") -> tuple[list[str], int]:
        command = ["./host", str(rounding), what, str(STACK), *files]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        return done.stdout.splitlines(), int(done.stderr)

    return run


def test_settings_of_the_thread_do_not_matter(run_host: Run) -> None:
    plain, used = run_host()
    assert len(plain) > 100
    assert used <= ENOUGH_STACK
    for rounding in (1, 2, 3):
        assert run_host(rounding)[0] == plain, f"rounding {rounding}"
    for what in ("traps", "flush", "locale"):
        assert run_host(0, what)[0] == plain, what
