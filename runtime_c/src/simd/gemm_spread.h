/* gemm_spread.h - one row times a matrix with contiguous rows, for the float type of gemm_lanes.h.
 * In: a row and B. Out: the sum of B's rows, each times an element of the row.
 * Holds: eight rows of B are added at once to a stretch of the result that stays in the first cache. */
#include "gemm_lanes.h"
#include "gemm_set.h"

enum { SPREAD_ROWS = 8, SPREAD_STRETCH = 8192 / sizeof(T) };

/* c[0..n) = from (its c, or d, or 0) + SPREAD_ROWS rows of B, for the vectors that fit; returns the columns done. */
static int64_t spread_rows(int64_t n, const V *left, const T *b, int64_t b_row, T *c, const T *from,
                           int64_t from_step) {
  const V start = from && !from_step ? SET1(from[0]) : (V){0};
  const bool adds = from && from_step;
  int64_t j = 0;
  TSM_ROLLED
  for (; j + LANES <= n; j += LANES) {
    V sum = adds ? LOAD(from + j) : start;
    TSM_UNROLL(8)
    for (int i = 0; i < SPREAD_ROWS; i++) sum += left[i] * LOAD(b + i * b_row + j);
    STORE(c + j, sum);
  }
  return j;
}

/* The same for up to SPREAD_ROWS rows and all columns from j on. */
static void spread_rest(int64_t j, int rows, int64_t n, const V *left, const T *b, int64_t b_row, T *c,
                        const T *from, int64_t from_step) {
  for (; j < n; j += LANES) {
    const size_t count = (size_t)(n - j < LANES ? n - j : LANES);
    V sum = !from ? (V){0} : from_step ? LOAD_PART(from + j, count) : SET1(from[0]);
    TSM_ROLLED
    for (int i = 0; i < rows; i++) sum += left[i] * LOAD_PART(b + i * b_row + j, count);
    STORE_PART(c + j, sum, count);
  }
}

static void spread(const tsm_gemm_spread *x) {
  for (int64_t j = 0; j < x->n; j += SPREAD_STRETCH) {
    const int64_t n = x->n - j < SPREAD_STRETCH ? x->n - j : SPREAD_STRETCH;
    const T *a = x->a, *b = (const T *)x->b + j, *from = x->d;
    T *c = (T *)x->c + j;
    int64_t p = 0, step = x->d_column;
    if (from) from += j * step;
    do { /* once even when there is no row: c = d */
      const int rows = (int)(x->k - p < SPREAD_ROWS ? x->k - p : SPREAD_ROWS);
      V left[SPREAD_ROWS];
      TSM_ROLLED
      for (int i = 0; i < rows; i++) left[i] = SET1(a[i * x->a_column]);
      const int64_t done = rows == SPREAD_ROWS ? spread_rows(n, left, b, x->b_row, c, from, step) : 0;
      if (done < n) spread_rest(done, rows, n, left, b, x->b_row, c, from, step);
      p += rows;
      a += rows * x->a_column;
      b += rows * x->b_row;
      from = c;
      step = 1;
    } while (p < x->k);
  }
}
