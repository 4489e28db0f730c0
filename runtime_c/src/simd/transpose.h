/* transpose.h - turning a matrix of elements of 1, 2, 4 or 8 bytes, for copies that exchange two dimensions; moving rows.
 * In: rows of neighbouring elements. Out: their columns as rows. Holds: steps are bytes; the two do not overlap. */
#ifndef TSM_SIMD_TRANSPOSE_H
#define TSM_SIMD_TRANSPOSE_H

#include <stddef.h>

#include "base/cpu.h"

/* dst[c * dst_step + r * item] = src[r * src_step + c * item] for r < rows, c < columns. */
typedef void (*tsm_transpose_fn)(void *dst, ptrdiff_t dst_step, const void *src, ptrdiff_t src_step, size_t rows,
                                 size_t columns);
/* Rows of `bytes` bytes to others. */
typedef void (*tsm_move_rows_fn)(void *dst, ptrdiff_t dst_step, const void *src, ptrdiff_t src_step, size_t rows,
                                 size_t bytes);
typedef struct tsm_transpose_set { tsm_transpose_fn by4, by8; tsm_move_rows_fn move_rows; } tsm_transpose_set;
extern const tsm_transpose_fn tsm_transpose_1, tsm_transpose_2; /* of elements of 1 and 2 bytes: kernels/transpose_small.c */
TSM_ISA_DECLARE(tsm_transpose_set, tsm_transpose);
static inline const tsm_transpose_set *tsm_transpose_of(tsm_isa isa) {
  static const tsm_transpose_set *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_transpose);
  return sets[isa];
}

#endif
