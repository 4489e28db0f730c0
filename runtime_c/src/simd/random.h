/* random.h - random numbers by the chunk, for each instruction set. See base/random.h.
 * In: chunks by number; their bits. Out: bits; samples.
 * Holds: every machine and set gives the same bits. The source is compiled without contraction (EXACT in the Makefile),
 * and uses nothing but what IEEE 754 rounds correctly. `out` may not be `bits`. */
#ifndef TSM_SIMD_RANDOM_H
#define TSM_SIMD_RANDOM_H

#include <stddef.h>

#include "base/cpu.h"

typedef struct tsm_sampling_set {
  /* Draws of `count` chunks from `first` on. */
  void (*bits)(uint64_t key, uint64_t first, uint64_t *out, size_t count);
  /* Samples of low + span [0, 1), one a word or one a draw; of a normal distribution, the same. */
  void (*uniform_f32)(const uint32_t *words, float *out, size_t chunks, float low, float span);
  void (*uniform_f64)(const uint64_t *draws, double *out, size_t chunks, double low, double span);
  void (*normal_f32)(const uint32_t *words, float *out, size_t chunks, float mean, float std);
  void (*normal_f64)(const uint64_t *draws, double *out, size_t chunks, double mean, double std);
  /* Samples of the exponential distribution with mean `scale`, never 0. */
  void (*exponential)(const uint64_t *draws, double *out, size_t chunks, double scale);
  /* x times 0 where the word is below `bound`, else times `scale`. */
  void (*keep_f32)(const uint32_t *words, const float *x, float *out, size_t n, uint32_t bound, float scale);
  void (*keep_f64)(const uint32_t *words, const double *x, double *out, size_t n, uint32_t bound, double scale);
} tsm_sampling_set;
TSM_ISA_DECLARE(tsm_sampling_set, tsm_sampling);
static inline const tsm_sampling_set *tsm_sampling_of(tsm_isa isa) {
  static const tsm_sampling_set *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_sampling);
  return sets[isa];
}

#endif
