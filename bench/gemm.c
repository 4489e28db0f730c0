/* gemm.c - times tsm's matrix products for gemm.py: one call, one shape, packed weights, no operator around it.
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

/* Once: c (m x n) = a (m x k) @ b (n x k).T; is_packed copies b into the kernels' order first. 0: no memory. */
EXPORT int bench_set(bench *b, int is_double, int64_t m, int64_t n, int64_t k, const void *a, const void *weight,
                     void *c, int is_packed) {
  b->product = (tsm_product){.dtype = is_double ? TSM_F64 : TSM_F32, .m = m, .n = n, .k = k, .a = a, .a_row = k,
                             .a_column = 1, .b = weight, .b_row = 1, .b_column = k, .c = c, .c_row = n};
  if (!is_packed) return 1;
  const size_t bytes = tsm_product_packed_bytes(b->rt->isa, b->product.dtype, k, n);
  b->size = bytes + 64;
  b->room = tsm_alloc(b->rt, b->size);
  if (!b->room) return 0;
  char *packed = b->room + (64 - (uintptr_t)b->room % 64) % 64;
  tsm_product_pack_b(b->rt->isa, b->product.dtype, k, n, weight, 1, k, packed);
  b->product.packed_b = packed;
  return 1;
}

/* Seconds a product takes, on the given clock (clock_gettime's number). */
EXPORT double bench_run(bench *b, int clock, int count) {
  struct timespec start, end;
  tsm_pool *entered = tsm_pool_enter(b->rt);
  clock_gettime((clockid_t)clock, &start);
  for (int i = 0; i < count; i++)
    if (!tsm_product_run(b->rt, &b->product)) return -1;
  clock_gettime((clockid_t)clock, &end);
  tsm_pool_leave(b->rt, entered);
  return ((double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec)) / count;
}

EXPORT void bench_free(bench *b) {
  if (b->room) tsm_free(b->rt, b->room, b->size);
  tsm_runtime_free(b->rt);
  free(b);
}
