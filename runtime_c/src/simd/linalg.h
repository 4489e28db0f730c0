/* linalg.h - what factorisations of matrices do to rows of doubles, for each instruction set.
 * In: contiguous rows that do not overlap. Out: sums, changed rows. Holds: any n; the order of additions depends on n. */
#ifndef TSM_SIMD_LINALG_H
#define TSM_SIMD_LINALG_H

#include <stddef.h>

#include "base/cpu.h"

typedef struct tsm_linalg_set {
  double (*dot)(const double *x, const double *y, size_t n);
  void (*add_scaled)(double *y, const double *x, double a, size_t n);                            /* y += a x */
  void (*add_two)(double *y, const double *x, double a, const double *z, double b, size_t n);    /* y += a x + b z */
  void (*rotate)(double *x, double *y, double c, double s, size_t n); /* x, y = c x + s y, c y - s x */
} tsm_linalg_set;
TSM_ISA_DECLARE(tsm_linalg_set, tsm_linalg);
static inline const tsm_linalg_set *tsm_linalg_of(tsm_isa isa) {
  static const tsm_linalg_set *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_linalg);
  return sets[isa];
}

#endif
