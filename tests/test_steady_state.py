"""A run whose shapes came before allocates nothing: counted in a C program that stands in for malloc and mmap.

Whole programs are written here and run there: layers, convolutions, a loop with lists, texts, dicts and tuples. With
lengths that change at every run, what the runtime holds does not grow after the largest.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tsm
from tsm import Tensor, nn

CC = os.environ.get("CC", "cc")
RUNS = 10_000

# Arguments: file, runs, threads, whether the first extent changes (up to the one given), extents of the input.
PROGRAM = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <tsm.h>

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t), __libc_free(void *);
static long calls;
void *malloc(size_t n) { calls++; return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { calls++; return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { calls++; return __libc_realloc(p, n); }
void *aligned_alloc(size_t a, size_t n) { calls++; return __libc_memalign(a, n); }
void *memalign(size_t a, size_t n) { calls++; return __libc_memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) { calls++; *p = __libc_memalign(a, n); return *p ? 0 : 12; }
void free(void *p) { calls++; __libc_free(p); }
void *mmap(void *at, size_t n, int prot, int flags, int file, long offset) {
  calls++;
  return (void *)syscall(SYS_mmap, at, n, prot, flags, file, offset);
}

static float data[1 << 20];

static int fail(const tsm_error *e) {
  fprintf(stderr, "%s: %s\n%s", e->type, e->message, e->trace);
  return 1;
}

int main(int argc, char **argv) {
  tsm_error e;
  tsm_value args[2], result;
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  int runs = atoi(argv[2]), rank = argc - 5, changes = atoi(argv[4]);
  int64_t shape[4];
  for (int i = 0; i < rank; i++) shape[i] = atol(argv[5 + i]);
  options.threads = (unsigned)atoi(argv[3]);
  for (size_t i = 0; i < sizeof data / sizeof *data; i++) data[i] = (float)(i % 13) / 13;
  tsm_runtime *rt = tsm_runtime_new(&options, &e);
  tsm_program *program = tsm_program_open(rt, argv[1], NULL, &e);
  if (!program) return fail(&e);
  tsm_instance *model = tsm_instance_new(program, &e);
  size_t method = (size_t)tsm_program_find(program, "forward");
  unsigned long long random = 88172645463325252ull, held = 0, used = 0;
  int64_t most = shape[0];
  long before = 0;
  for (int i = 0; i < runs; i++) {
    if (i == runs / 4) before = calls, held = tsm_runtime_memory_held(rt), used = tsm_runtime_memory(rt);
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    if (changes) shape[0] = i == 3 ? most : 1 + (int64_t)(random % (unsigned long long)most);
    if (tsm_tensor_borrow(rt, TSM_F32, (size_t)rank, shape, NULL, data, true, NULL, NULL, &args[0])) return 2;
    args[1] = tsm_int(1 + i % 7);
    if (tsm_call_method(model, method, args, 2, NULL, 0, &result, &e)) return fail(&e);
    tsm_release(result);
    tsm_release(args[0]);
  }
  printf("%ld %lld %lld %llu %llu\n", calls - before, (long long)(tsm_runtime_memory_held(rt) - held),
         (long long)(tsm_runtime_memory(rt) - used), (unsigned long long)tsm_runtime_memory_peak(rt),
         (unsigned long long)tsm_runtime_memory_held(rt));
  tsm_instance_free(model);
  tsm_program_free(program);
  tsm_runtime_free(rt);
  return 0;
}
"""


class Layers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(10, 64), nn.Linear(64, 2)

    def forward(self, x: Tensor, n: int) -> Tensor:
        y = self.second(tsm.relu(self.first(x)))
        return tsm.softmax(y, -1)


class Convolutions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 6, 5), nn.Conv2d(6, 16, 3, padding=1)
        self.norm = nn.BatchNorm2d(6)
        self.pool, self.last = nn.MaxPool2d(2), nn.Linear(16 * 7 * 7, 10)

    def forward(self, x: Tensor, n: int) -> Tensor:
        y = self.pool(tsm.relu(self.norm(self.first(x))))
        y = self.pool(tsm.relu(self.second(y)))
        return self.last(y.flatten(1))


class Loop(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gates, self.hidden = nn.Linear(16, 64), nn.Linear(16, 64)
        self.seen = 0

    def step(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        i, f, g, o = (self.gates(x) + self.hidden(h)).chunk(4, 1)
        c = tsm.sigmoid(f) * c + tsm.sigmoid(i) * tsm.tanh(g)
        return tsm.sigmoid(o) * tsm.tanh(c), c

    def forward(self, x: Tensor, n: int) -> tuple[Tensor, str, dict[str, float]]:
        h, c = tsm.zeros(1, 16), tsm.zeros(1, 16)
        states: list[Tensor] = []
        words: list[str] = []
        sums: dict[str, float] = {}
        for t in range(x.shape[0]):
            h, c = self.step(x[t : t + 1], h, c)
            states.append(h)
            word = "w" + str(t % n)
            words.append(word)
            sums[word] = sums.get(word, 0.0) + float(t)
        self.seen += len(states)
        pairs = [(w, len(w)) for w in words]
        return tsm.cat(states), " ".join(sorted([w for w, _ in pairs])), sums


PROGRAMS = {
    "layers": (Layers, (4, 10), False),
    "any number of rows": (Layers, (300, 10), True),
    "convolutions": (Convolutions, (1, 3, 32, 32), False),
    "loop": (Loop, (5, 16), False),
    "loop of any length": (Loop, (25, 16), True),
}


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not sys.platform.startswith("linux"):
        pytest.skip("counting calls of malloc needs glibc's names")
    folder = tmp_path_factory.mktemp("steady")
    (folder / "main.c").write_text(PROGRAM)
    words = [sys.executable, "-m", "tsm", "config", "--cflags", "--libs"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    subprocess.run([CC, "main.c", *done.stdout.split(), "-o", "main"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_runs_allocate_nothing(runner: Path, name: str, threads: int) -> None:
    model, shape, changes = PROGRAMS[name]
    tsm.manual_seed(1)
    tsm.script(model().eval()).save(runner / "model.tsm")
    runs = RUNS if changes and threads == 1 else 400
    command = [runner / "main", runner / "model.tsm", runs, threads, int(changes), *shape]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    calls, held, used, peak, all_held = map(int, done.stdout.split())
    assert (calls, held, used) == (0, 0, 0)
    assert all_held <= 4 * peak + (4 << 20)
