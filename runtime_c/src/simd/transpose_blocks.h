/* transpose_blocks.h - a matrix turned in blocks by what turns one, for transpose.c and small elements.
 * Holds: what no block covers goes element by element, along the longer side of what is left. */
#ifndef TSM_SIMD_TRANSPOSE_BLOCKS_H
#define TSM_SIMD_TRANSPOSE_BLOCKS_H

#include "base/compiler.h"

/* Columns in strips, down which the rows of dst grow along whole cache lines. */
#define TSM_TRANSPOSE(name, T, turn, lanes, group)                                                                       \
  static void name(void *to, ptrdiff_t dst_step, const void *from, ptrdiff_t src_step, size_t rows, size_t columns) { \
    enum { STRIP = 64 };                                                                                             \
    const size_t whole = rows / (lanes) * (lanes), groups = columns / (group) * (group);                             \
    char *dst = to;                                                                                                  \
    const char *src = from;                                                                                          \
    for (size_t strip = 0; strip < groups; strip += STRIP)                                                           \
      for (size_t r = 0; r < whole; r += (lanes))                                                                    \
        for (size_t c = strip; c < groups && c < strip + STRIP; c += (group))                                        \
          turn(dst + (ptrdiff_t)c * dst_step + r * sizeof(T), dst_step,                                              \
               src + (ptrdiff_t)r * src_step + c * sizeof(T), src_step);                                             \
    for (size_t r = whole; r < rows; r++) {                                                                          \
      const T *in = (const T *)(const void *)(src + (ptrdiff_t)r * src_step);                                        \
      char *out = dst + r * sizeof(T);                                                                               \
      TSM_UNROLL_BY(4) for (size_t c = 0; c < columns; c++, out += dst_step) *(T *)(void *)out = in[c];              \
    }                                                                                                                \
    for (size_t c = groups; c < columns; c++) {                                                                      \
      const char *in = src + c * sizeof(T);                                                                          \
      T *out = (T *)(void *)(dst + (ptrdiff_t)c * dst_step);                                                         \
      TSM_UNROLL_BY(4) for (size_t r = 0; r < whole; r++, in += src_step) out[r] = *(const T *)(const void *)in;     \
    }                                                                                                                \
  }

#endif
