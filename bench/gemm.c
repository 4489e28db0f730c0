/* gemm.c - times tsm's matrix products for gemm.py: one call, one shape, packed weights, no operator around it; and
 * what they are measured by: multiply-adds in registers, and reading memory.
 * Built into a shared library together with libtsm.a. */
#include <stdlib.h>
#include <time.h>

#include "base/pool.h"
#include "simd/gemm.h"

#define EXPORT __attribute__((visibility("default")))

typedef struct bench { tsm_runtime *rt; tsm_product product; char *room; size_t size; } bench;

EXPORT bench *bench_new(const char *isa, uint32_t threads) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.isa = isa;
  options.threads = threads;
  bench *b = calloc(1, sizeof *b);
  if (b && !(b->rt = tsm_runtime_new(&options, NULL))) {
    free(b);
    b = NULL;
  }
  return b;
}

/* Once: c (m x n) = a (m x k) @ b (n x k).T; is_packed copies b into the kernels' order first, where the operators would.
 * 0: no memory. */
EXPORT int bench_set(bench *b, int is_double, int64_t m, int64_t n, int64_t k, const void *a, const void *weight,
                     void *c, int is_packed) {
  b->product = (tsm_product){.dtype = is_double ? TSM_F64 : TSM_F32, .m = m, .n = n, .k = k, .a = a, .a_row = k,
                             .a_column = 1, .b = weight, .b_row = 1, .b_column = k, .c = c, .c_row = n};
  if (!is_packed || tsm_product_is_narrow(b->rt->isa, &b->product)) return 1;
  const size_t bytes = tsm_product_packed_bytes(b->rt->isa, b->product.dtype, k, n);
  b->size = bytes + 64;
  b->room = tsm_alloc(b->rt, b->size);
  if (!b->room) return 0;
  char *packed = b->room + (64 - (uintptr_t)b->room % 64) % 64;
  tsm_product_pack_b(b->rt->isa, b->product.dtype, k, n, weight, 1, k, packed);
  b->product.packed_b = packed;
  return 1;
}

#if defined(__AVX512F__)
#define VECTOR 64
#elif defined(__AVX__)
#define VECTOR 32
#else
#define VECTOR 16
#endif
typedef float lanes __attribute__((vector_size(VECTOR), aligned(4), may_alias));
#if defined(__x86_64__)
#define KEEP(x) __asm__ volatile("" : "+v"(x))
#else
#define KEEP(x) __asm__ volatile("" : "+w"(x))
#endif
enum { SUMS = VECTOR == 64 ? 24 : 12, LANES = VECTOR / 4 };

static double now(int clock) {
  struct timespec t;
  clock_gettime((clockid_t)clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Pieces of a job for all threads; each keeps what it computes from being left out. */
typedef struct job { const float *data; int64_t floats, rounds, pieces; } job;

static void add_products(void *user, size_t worker, int64_t begin, int64_t end) {
  const job *j = user;
  lanes sums[SUMS], x, y;
  (void)worker;
  for (int i = 0; i < LANES; i++) x[i] = 1.0f - 0.001f * (float)i, y[i] = 0.25f * (float)i;
#pragma GCC unroll 24
  for (int i = 0; i < SUMS; i++) sums[i] = y + (float)i;
  for (int64_t k = 0; k < j->rounds * (end - begin); k++)
#pragma GCC unroll 24
    for (int i = 0; i < SUMS; i++) {
      sums[i] = sums[i] * x + y;
      KEEP(sums[i]);
    }
}

static void read_piece(void *user, size_t worker, int64_t begin, int64_t end) {
  const job *j = user;
  lanes sums[8];
  (void)worker;
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) sums[i] = (lanes){0};
  int64_t first = j->floats / j->pieces * begin, last = j->floats / j->pieces * end;
  for (const float *p = j->data + first; p + 8 * LANES <= j->data + last; p += 8 * LANES)
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
      if (VECTOR == 64 || i % 2 == 0) __builtin_prefetch((const char *)(p + i * LANES) + 4096);
      sums[i] += *(const lanes *)(const void *)(p + i * LANES);
    }
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) KEEP(sums[i]);
}

static double timed(bench *b, tsm_task_fn task, job *j, int clock, int count) {
  tsm_pool *entered = tsm_pool_enter(b->rt, NULL);
  double start = now(clock);
  for (int i = 0; i < count; i++) tsm_parallel(b->rt, j->pieces, 1e6, task, j);
  double end = now(clock);
  tsm_pool_leave(b->rt, entered, NULL);
  return (end - start) / count;
}

/* Multiply-adds of floats a second times two, on all threads. */
EXPORT double bench_peak(bench *b, int clock) {
  job j = {NULL, 0, 20000, b->rt->threads};
  return 2.0 * LANES * SUMS * (double)(j.rounds * j.pieces) / timed(b, add_products, &j, clock, 1);
}

/* Seconds to read the weights where the product reads them, on all threads: the same bytes elsewhere may be in pages or
 * caches that serve better. */
EXPORT double bench_read(bench *b, int clock, int count) {
  const tsm_product *x = &b->product;
  job j = {x->packed_b ? x->packed_b : x->b, x->n * x->k, 0, b->rt->threads};
  return timed(b, read_piece, &j, clock, count);
}

/* Seconds a product takes, on the given clock (clock_gettime's number). */
EXPORT double bench_run(bench *b, int clock, int count) {
  tsm_pool *entered = tsm_pool_enter(b->rt, NULL);
  double start = now(clock);
  for (int i = 0; i < count; i++)
    if (!tsm_product_run(b->rt, &b->product)) return -1;
  double end = now(clock);
  tsm_pool_leave(b->rt, entered, NULL);
  return (end - start) / count;
}

EXPORT void bench_free(bench *b) {
  if (b->room) tsm_free(b->rt, b->room, b->size);
  tsm_runtime_free(b->rt);
  free(b);
}
