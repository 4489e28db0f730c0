/* integer_product.h - the inner loop of matrix products of integers, for each instruction set.
 * In: rows of A and a panel of B, both copied to the lanes' width. Out: a panel of C. Holds: nothing here allocates; what
 * has not all its rows or columns is padded by the caller. */
#ifndef TSM_SIMD_INTEGER_PRODUCT_H
#define TSM_SIMD_INTEGER_PRODUCT_H

#include <stddef.h>

#include "base/cpu.h"

enum { TSM_INT_PRODUCT_ROWS = 4 };

typedef struct tsm_int_product_set {
  size_t bytes; /* of a row of a panel */
  /* out[r][j] = sum of a[r * k + p] * b[p][j] over p < k: lanes of 16, 32 and 64 bits; of 64 whose values fit in 32. */
  void (*panel[4])(void *out, const void *a, const void *b, size_t k);
} tsm_int_product_set;

#if defined(__x86_64__)
extern const tsm_int_product_set tsm_int_product_base, tsm_int_product_avx2;
#else
extern const tsm_int_product_set tsm_int_product_base;
#endif
static inline const tsm_int_product_set *tsm_int_product_of(tsm_isa isa) {
#if defined(__x86_64__)
  if (isa != TSM_ISA_BASE) return &tsm_int_product_avx2;
#endif
  (void)isa;
  return &tsm_int_product_base;
}

#endif
