/* reduce.h - joining rows and columns of floats: sums, squared distances, largest, smallest; softmax and normalising.
 * In: contiguous rows, or rows `step` elements apart. Out: doubles, or rows. One table for each instruction set.
 * Holds: sums and what is divided by them are float64, but that four floats of a row, the squares of four distances, or
 * four exponentials that a lane of softmax has, are added before they are widened; the order of additions depends on
 * sizes alone; NaN of any element is the result of largest and smallest. Element 0 of each pair is for float, element
 * 1 for double. */
#ifndef TSM_SIMD_REDUCE_H
#define TSM_SIMD_REDUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

/* SQUARES: of distances from `mean`. Neutral elements: 0, 0, -inf, inf. */
typedef enum tsm_join { TSM_JOIN_SUM, TSM_JOIN_SQUARES, TSM_JOIN_MAX, TSM_JOIN_MIN, TSM_JOIN_COUNT } tsm_join;

/* The n elements of a row joined, n may be 0. A sum of finite floats, or of their squares, that doubles can hold is
 * finite; for sums a `mean` of TSM_ROW_IS_FAR says that the row is likelier in memory than in a cache. */
enum { TSM_ROW_IS_FAR = 1 };
typedef double (*tsm_row_join)(const void *x, size_t n, double mean);
/* Joins `rows` rows of `width` elements into acc[width], whose memory must extend to a multiple of 16; means may be
 * NULL unless SQUARES, and extends as acc does. */
typedef void (*tsm_columns_join)(double *acc, const void *x, size_t width, size_t rows, ptrdiff_t step,
                                 const double *means);

/* out may be x, but not a shifted one; n > 0. */
typedef void (*tsm_softmax_row)(void *out, const void *x, size_t n, bool is_log);
/* (x - mean) * scale - shift, then times weight and plus bias where they are not NULL; out may be x. */
typedef void (*tsm_normalize_row)(void *out, const void *x, size_t n, double mean, double scale, const void *weight,
                                  const void *bias, double shift);

typedef struct tsm_reduce_set {
  tsm_row_join row[2][TSM_JOIN_COUNT];
  tsm_columns_join columns[2][TSM_JOIN_COUNT];
  tsm_softmax_row softmax[2];
  tsm_normalize_row normalize[2];
  /* What row[0][TSM_JOIN_SUM] gives for four rows, each `apart` elements after the one before: read at the same time,
   * which is faster if they are in the second or third cache and far from each other. */
  void (*sum_four)(double *out, const float *x, size_t n, ptrdiff_t apart);
  uint64_t (*sum_i64)(const uint64_t *x, size_t n);
} tsm_reduce_set;
TSM_ISA_DECLARE(tsm_reduce_set, tsm_reduce);
static inline const tsm_reduce_set *tsm_reduce_of(tsm_isa isa) {
  static const tsm_reduce_set *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_reduce);
  return sets[isa];
}

#endif
