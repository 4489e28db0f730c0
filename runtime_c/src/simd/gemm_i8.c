/* gemm_i8.c - float32 rows times int8 weights: each becomes a float when it is read; its row's scale comes last. */
#define DOT_IS_MIXED
#define DOT_B int8_t
#define DOT_LOAD load_i8
#define DOT_HAS_SCALE(x) ((x)->scale != NULL)
#include "gemm_lanes.h"

typedef int8_t bytes __attribute__((vector_size(LANES), aligned(1), may_alias));

/* The compiler's own conversion of many bytes goes in two steps. */
TSM_INLINE V load_i8(const int8_t *p) {
#if LANES == 16
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)p)));
#elif LANES == 8
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)p)));
#else
  return __builtin_convertvector(__builtin_convertvector(*(const bytes *)p, vi), V);
#endif
}

#include "gemm_dot.h"

static void widen(const void *from, const float *scale, int64_t count, float *out) {
  const int8_t *weights = from;
  const float factor = scale ? *scale : 1;
  TSM_ROLLED
  for (int64_t i = 0; i < count; i++) out[i] = (float)weights[i] * factor;
}

const tsm_gemm_mixed TSM_NAMED(tsm_gemm_i8) = {dot, widen};
