/* integer.h - elementwise operations and reductions on rows of integers and bools, for each instruction set.
 * In: whole vectors of `bytes` bytes, or rows of any length. Out: vectors, bools a byte each, or one number.
 * Holds: integers wrap; what depends on the width of an element alone is one function for signed and unsigned; sets
 * with wider floats than 32 bytes share these of 32, which wait for memory already. */
#ifndef TSM_SIMD_INTEGER_H
#define TSM_SIMD_INTEGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

/* Steps, in bytes from one vector to the next: of a value that every element sees 0, its vector being full of it. */
typedef struct tsm_int_steps { size_t a, b, c; } tsm_int_steps;
/* `count` vectors of operands; out may be an operand of the same element size. */
typedef void (*tsm_int_op)(void *out, const void *a, const void *b, const void *c, size_t count, tsm_int_steps step);

/* EQ and LT give the lowest bit of c where the comparison fails, and the other one where it holds: a byte an element.
 * CLAMP: at least b, then at most c. ADD_SCALED: a + c * b. Shifts: counts outside the type shift everything out. */
typedef enum tsm_int_kind {
  TSM_INT_ADD, TSM_INT_SUB, TSM_INT_MUL, TSM_INT_ADD_SCALED, TSM_INT_AND, TSM_INT_OR, TSM_INT_XOR, TSM_INT_ABS,
  TSM_INT_MAX, TSM_INT_MIN, TSM_INT_CLAMP, TSM_INT_LEFT, TSM_INT_RIGHT, TSM_INT_EQ, TSM_INT_LT, TSM_INT_COUNT
} tsm_int_kind;

enum { TSM_INT_TYPES = 6 }; /* in tsm_dtype order: bool, whose operations are uint8_t's, u8, i8, i16, i32, i64 */

typedef struct tsm_int_set {
  size_t bytes; /* of a vector */
  tsm_int_op op[TSM_INT_COUNT][TSM_INT_TYPES];
  /* The largest, or the smallest, of n > 0 neighbours. */
  int64_t (*most[TSM_INT_TYPES])(const void *x, size_t n, bool is_max);
  /* Where the first neighbour that equals `value` is; n if there is none. */
  size_t (*find[TSM_INT_TYPES])(const void *x, size_t n, int64_t value);
  uint64_t (*sum_u8)(const uint8_t *x, size_t n);
} tsm_int_set;

#if defined(__x86_64__)
extern const tsm_int_set tsm_ints_base, tsm_ints_avx2;
#else
extern const tsm_int_set tsm_ints_base;
#endif
static inline const tsm_int_set *tsm_ints_of(tsm_isa isa) {
#if defined(__x86_64__)
  if (isa != TSM_ISA_BASE) return &tsm_ints_avx2;
#endif
  (void)isa;
  return &tsm_ints_base;
}

#endif
