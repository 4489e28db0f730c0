/* convert.h - conversions between dtypes that the compiler does not make vectors of by itself.
 * In: strided rows. Out: what tensor/convert.c gives, to the bit. Holds: neighbours go by vectors, other rows by the loops
 * of tensor/convert.c. */
#ifndef TSM_SIMD_CONVERT_H
#define TSM_SIMD_CONVERT_H

#include "base/cpu.h"
#include "tensor/tensor.h"

#if defined(__x86_64__)
/* NULL: there is none. */
tsm_convert_fn tsm_convert_avx2(unsigned from, unsigned to);
#endif

/* The fastest there is for this pair. */
static inline tsm_convert_fn tsm_convert_best(tsm_isa isa, unsigned from, unsigned to) {
#if defined(__x86_64__)
  const tsm_convert_fn found = isa == TSM_ISA_BASE ? NULL : tsm_convert_avx2(from, to);
  if (found) return found;
#endif
  (void)isa;
  return tsm_convert_loop(from, to);
}

#endif
