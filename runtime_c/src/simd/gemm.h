/* gemm.h - float matrix products C = D + A B for kernels: layers, convolutions, attention.
 * In: strided A (m x k), strided or packed B (k x n), what to start from. Out: row-major C, epilogue applied.
 * Holds: the order of additions of an element depends on sizes, layout and instruction set only, never on threads; NaN
 * and Inf go through, zeros are not skipped; any strides (0 too), any alignment, any extent down to 0. */
#ifndef TSM_SIMD_GEMM_H
#define TSM_SIMD_GEMM_H

#include <stddef.h>

#include "base/base.h"

/* Called once for each finished block of C while it is in cache, from any thread: c points at element (row, column) and
 * rows are c_row elements apart. The blocks cover C once; how C is divided may depend on the number of threads. Must
 * not touch a tsm_context, allocate or fail. */
typedef struct tsm_epilogue {
  void (*run)(void *user, int64_t row, int64_t column, int64_t rows, int64_t columns, void *c, int64_t c_row);
  void *user;
} tsm_epilogue;

/* One product; all pointers are to elements of `dtype` (TSM_F32 or TSM_F64), strides count elements. */
typedef struct tsm_product {
  uint8_t dtype;
  int64_t m, n, k;
  const void *a;
  int64_t a_row, a_column;  /* A[i][p] is a[i * a_row + p * a_column] */
  const void *b;            /* may be NULL when packed_b is given */
  int64_t b_row, b_column;  /* B[p][j] is b[p * b_row + j * b_column] */
  const void *packed_b;     /* B by tsm_product_pack_b, else NULL */
  bool is_backward;         /* reads packed_b from its end: what was read last is still near when B is used again */
  void *c;
  int64_t c_row;            /* rows of C are contiguous; C overlaps neither A nor B */
  const void *d;            /* what the sum is added to: NULL 0, or D[i][j] is d[i * d_row + j * d_column]; */
  int64_t d_row, d_column;  /* d_column 0 or 1: a bias a row (1, 0), a bias a column (0, 1), C itself (c_row, 1) */
  const tsm_epilogue *epilogue; /* NULL: none */
} tsm_product;

/* ---- Whole products, split over the threads of the runtime.
 * False: no memory for scratch, C undefined. Charges no fuel: the kernel that calls does, tsm_product_cost units. */
bool tsm_product_run(tsm_runtime *rt, const tsm_product *product);
static inline int64_t tsm_product_cost(int64_t m, int64_t n, int64_t k) {
  const double a = (double)m * (double)k, b = (double)n * (double)k, c = (double)m * (double)n;
  const double units = (c * (double)k + 2 * (a + b + c)) / 32; /* each operand is moved once, whatever it is used for */
  return units < 9e18 ? (int64_t)units : INT64_MAX;
}

/* ---- The same on the calling thread, for use inside a tsm_parallel task: `scratch`, one for each worker, has
 * tsm_product_scratch bytes and is 64-byte aligned. Gives the same bits as tsm_product_run. */
size_t tsm_product_scratch(tsm_isa isa, const tsm_product *product);
void tsm_product_run_serial(tsm_isa isa, const tsm_product *product, void *scratch);

/* ---- B in the kernels' order: panels of tsm_product_panel columns, the last filled up with zeros; in a panel row p
 * holds its columns side by side: element (p, j) is out[(j / width * k + p) * width + j % width]. A caller that makes B
 * itself (unfolding, Winograd) may write this order directly. `out` has tsm_product_packed_bytes, 64-byte aligned. */
int64_t tsm_product_panel(tsm_isa isa, uint8_t dtype);
/* Whether there are so few columns, and more rows, that sums along the depths of A and B, as they lie, take less than
 * tiles of a packed B: only for products whose operands lie so. */
bool tsm_product_is_narrow(tsm_isa isa, const tsm_product *product);
size_t tsm_product_packed_bytes(tsm_isa isa, uint8_t dtype, int64_t k, int64_t n); /* 0: does not fit a size_t */
void tsm_product_pack_b(tsm_isa isa, uint8_t dtype, int64_t k, int64_t n, const void *b, int64_t b_row,
                        int64_t b_column, void *out);

#endif
