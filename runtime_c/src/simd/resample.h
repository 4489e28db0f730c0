/* resample.h - sums of a few weighted elements or rows: what resizing and sampling of images come down to.
 * In: where the elements lie and their weights. Out: a row of sums. Element 0 of each pair is for float, 1 for double.
 * Holds: terms are added in order. */
#ifndef TSM_SIMD_RESAMPLE_H
#define TSM_SIMD_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

/* out[i] = the sum over k < taps of weights[k * step + i] * in[at[k * step + i]]; where `at` is negative, of nothing. */
typedef void (*tsm_sample_fn)(void *out, const void *in, const int32_t *at, const void *weights, int64_t taps,
                              int64_t step, int64_t count);
/* out[i] = the sum over k < taps of weights[k] * in[k][i]; taps > 0; out may be in[0]. */
typedef void (*tsm_mix_fn)(void *out, const void *const *in, const double *weights, int64_t taps, int64_t count);

typedef struct tsm_resample_set { tsm_sample_fn sample[2]; tsm_mix_fn mix[2]; } tsm_resample_set;
TSM_ISA_DECLARE(tsm_resample_set, tsm_resample);
static inline const tsm_resample_set *tsm_resample_of(tsm_isa isa) {
  static const tsm_resample_set *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_resample);
  return sets[isa];
}

#endif
