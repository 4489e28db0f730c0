/* gemm_bf16.c - float32 rows times bfloat16 weights: a bfloat16 is the upper half of the float that it becomes. */
#define DOT_IS_MIXED
#define DOT_B uint16_t
#define DOT_LOAD load_bf16
#define DOT_HAS_SCALE(x) ((x)->scale != NULL)
#include "gemm_lanes.h"

typedef uint16_t halves __attribute__((vector_size(2 * LANES), aligned(2), may_alias));

/* The compiler's own conversion of many halves goes in two steps. */
TSM_INLINE V load_bf16(const uint16_t *p) {
#if LANES == 16
  return (V)((vu)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)p)) << 16);
#elif LANES == 8
  return (V)((vu)_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)p)) << 16);
#else
  return (V)(__builtin_convertvector(*(const halves *)p, vu) << 16);
#endif
}

#include "gemm_dot.h"

static void widen(const void *from, const float *scale, int64_t count, float *out) {
  const uint16_t *weights = from;
  const float factor = scale ? *scale : 1;
  for (int64_t i = 0; i < count; i++) {
    const uint32_t bits = (uint32_t)weights[i] << 16;
    float one;
    memcpy(&one, &bits, sizeof one);
    out[i] = one * factor;
  }
}

const tsm_gemm_mixed TSM_NAMED(tsm_gemm_bf16) = {dot, widen};
