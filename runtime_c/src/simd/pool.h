/* pool.h - float32 pooling and per-channel scaling of images that lie channels-last: what src/simd offers to
 * kernels/pool.c and norm.c.
 * In: for each output row and column, the range of input rows and columns it joins. Out: places of `channels` floats.
 * Holds: a window's elements are joined in row-major order. */
#ifndef TSM_SIMD_POOL_H
#define TSM_SIMD_POOL_H

#include <stddef.h>

#include "base/cpu.h"

/* Rows or columns first, first + step, ...: `count` of them. */
typedef struct tsm_pool_range { int64_t first, count, step; } tsm_pool_range;

typedef struct tsm_pool_job {
  const float *in;
  float *out;
  int64_t in_image, in_row, in_place, out_image, out_row, out_place; /* steps in floats; channels lie side by side */
  int64_t channels, rows, columns;                                   /* of the result */
  const tsm_pool_range *down, *across;                               /* one an output row, one an output column */
  const float *divide_down, *divide_across; /* of a mean: what its sum is divided by, one after the other */
  bool is_max;
} tsm_pool_job;

typedef struct tsm_pool_set {
  /* Output rows [first, last), counted over all images. */
  void (*rows)(const tsm_pool_job *job, int64_t first, int64_t last);
  /* out = in * scale + shift, each of `channels` floats, for `places` places one behind the other. */
  void (*scale)(float *out, const float *in, int64_t places, int64_t channels, const float *scale, const float *shift);
} tsm_pool_set;
TSM_ISA_DECLARE(tsm_pool_set, tsm_pool_set);

#endif
