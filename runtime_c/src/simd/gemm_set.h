/* gemm_set.h - what one instruction set offers for matrix products; kernels/gemm_run.c cuts products into such blocks.
 * In: blocks of packed or strided operands. Out: finished blocks of C.
 * Holds: nothing here allocates, fails or looks at threads. */
#ifndef TSM_SIMD_GEMM_SET_H
#define TSM_SIMD_GEMM_SET_H

#include <stdbool.h>

#include "base/cpu.h"
#include "gemm.h"

/* C (m x n) = D + A B over a depth of k. A comes in tiles of `height` rows, B in panels of the set's width. */
typedef struct tsm_gemm_block {
  int64_t m, n, k, height;
  const void *a;
  int64_t a_row, a_column, a_tile; /* a_tile: elements from one tile to the next */
  const void *b;
  int64_t b_row, b_panel;          /* each row of each panel can be read in its full width */
  void *c;
  int64_t c_row;
  const void *d;                   /* NULL: 0 */
  int64_t d_row, d_column;
  bool is_backward;                /* panels are taken from the last to the first */
  bool goes_on;                    /* another panel follows the last taken, and will be next */
} tsm_gemm_block;

/* Panels of `width` along one extent, depth by depth: out[(i / width * depth + p) * width + i % width] is
 * from[i * along_step + p * depth_step]; the last panel is filled up with zeros. */
typedef struct tsm_gemm_pack {
  int64_t along, depth, along_step, depth_step, width;
  const void *from;
  void *out;
} tsm_gemm_pack;

/* A larger weight of a network has left the second cache when it is used again. */
enum { TSM_GEMM_NEAR_BYTES = 3 << 19 };

/* C (m x n) = D + A B where both run along the depth: rows of A and columns of B are contiguous, and lie a_row and
 * b_column elements apart. C and D have any strides. */
typedef struct tsm_gemm_dot {
  int64_t m, n, k;
  const void *a;
  int64_t a_row;
  const void *b;
  int64_t b_column;
  bool is_far;        /* B comes from memory rather than from a cache */
  bool is_asked;      /* what is far is asked for early, see tsm_asks_memory */
  const float *scale; /* multiplies the sum of each column before D is added; NULL: 1. Not for float64 */
  void *c;
  int64_t c_row, c_column;
  const void *d;      /* NULL: 0 */
  int64_t d_row, d_column;
} tsm_gemm_dot;

/* c (n) = d + a B for one row a: rows of B are contiguous and b_row apart. */
typedef struct tsm_gemm_spread {
  int64_t n, k;
  const void *a;
  int64_t a_column;
  const void *b;
  int64_t b_row;
  void *c;
  const void *d;      /* NULL: 0 */
  int64_t d_column;   /* 0 or 1 */
} tsm_gemm_spread;

typedef struct tsm_gemm_set {
  int64_t height, width;  /* of the largest tile */
  bool any_height;        /* tiles of all heights below are as good for their size */
  void (*block)(const tsm_gemm_block *block);
  void (*pack)(const tsm_gemm_pack *pack);
  void (*dot)(const tsm_gemm_dot *dot);
  void (*spread)(const tsm_gemm_spread *spread);
} tsm_gemm_set;

/* Weights that become float32 when they are read. */
typedef struct tsm_gemm_mixed {
  void (*dot)(const tsm_gemm_dot *dot);
  void (*widen)(const void *from, const float *scale, int64_t count, float *out); /* times *scale, if it is not NULL */
} tsm_gemm_mixed;

TSM_ISA_DECLARE(tsm_gemm_set, tsm_gemm_f32);
TSM_ISA_DECLARE(tsm_gemm_set, tsm_gemm_f64);
TSM_ISA_DECLARE(tsm_gemm_mixed, tsm_gemm_i8);
TSM_ISA_DECLARE(tsm_gemm_mixed, tsm_gemm_bf16);

#endif
