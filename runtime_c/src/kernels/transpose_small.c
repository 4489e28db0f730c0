/* transpose_small.c - turning matrices of elements of 1 and 2 bytes, in squares with sides of 16 bytes: the same on every
 * instruction set. See simd/transpose.h. */
#include <stdint.h>
#include <string.h>

#include "simd/transpose.h"
#include "simd/transpose_blocks.h"

/* Squares of 16-byte rows. Rows i and i + half become rows 2 i and 2 i + 1, an element of each in turn, which moves the
 * highest bit of a row's number to the lowest of a column's: as often as a number has bits, and they are exchanged. */
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint16_t pairs8 __attribute__((vector_size(16)));
#define LOW_16(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_16(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW_8(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define TURN_SQUARE(name, V, side, bits)                                                           \
  static inline void name(char *dst, ptrdiff_t dst_step, const char *src, ptrdiff_t step) {           \
    V at[side], next[side];                                                                        \
    TSM_UNROLL(16) for (int i = 0; i < side; i++) memcpy(&at[i], src + i * step, 16);              \
    TSM_UNROLL(4) for (int round = 0; round < bits; round++) {                                     \
      TSM_UNROLL(16) for (int i = 0; i < side / 2; i++) {                                          \
        next[2 * i] = LOW_##side(at[i], at[i + side / 2]);                                         \
        next[2 * i + 1] = HIGH_##side(at[i], at[i + side / 2]);                                    \
      }                                                                                            \
      TSM_UNROLL(16) for (int i = 0; i < side; i++) at[i] = next[i];                               \
    }                                                                                              \
    TSM_UNROLL(16) for (int i = 0; i < side; i++) memcpy(dst + i * dst_step, &at[i], 16);          \
  }
TURN_SQUARE(turn1, bytes16, 16, 4)
TURN_SQUARE(turn2, pairs8, 8, 3)


TSM_TRANSPOSE(by1, uint8_t, turn1, 16, 16)
TSM_TRANSPOSE(by2, uint16_t, turn2, 8, 8)
const tsm_transpose_fn tsm_transpose_1 = by1, tsm_transpose_2 = by2;
