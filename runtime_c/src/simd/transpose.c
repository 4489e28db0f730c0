/* transpose.c - see transpose.h. As many rows as a vector has lanes, 16 bytes of each: gathered so that quarter q of
 * vector k holds row k + 4 q, and then turned within the quarters. */
#include "transpose.h"

#include "transpose_blocks.h"

#include "vector.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O2")
#endif

#if defined(__AVX512F__)
TSM_INLINE __m512 gather(const char *p, ptrdiff_t skip) {
  __m512 v = _mm512_castps128_ps512(_mm_loadu_ps((const float *)(const void *)p));
  v = _mm512_insertf32x4(v, _mm_loadu_ps((const float *)(const void *)(p + skip)), 1);
  v = _mm512_insertf32x4(v, _mm_loadu_ps((const float *)(const void *)(p + 2 * skip)), 2);
  return _mm512_insertf32x4(v, _mm_loadu_ps((const float *)(const void *)(p + 3 * skip)), 3);
}
#define LOW(a, b) _mm512_unpacklo_ps(a, b)
#define HIGH(a, b) _mm512_unpackhi_ps(a, b)
#define LOW_PAIR(a, b) _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)))
#define HIGH_PAIR(a, b) _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)))
#define PUT(p, v) _mm512_storeu_ps((float *)(void *)(p), v)
typedef __m512 quarters;
#elif defined(__AVX2__)
TSM_INLINE __m256 gather(const char *p, ptrdiff_t skip) {
  __m256 v = _mm256_castps128_ps256(_mm_loadu_ps((const float *)(const void *)p));
  return _mm256_insertf128_ps(v, _mm_loadu_ps((const float *)(const void *)(p + skip)), 1);
}
#define LOW(a, b) _mm256_unpacklo_ps(a, b)
#define HIGH(a, b) _mm256_unpackhi_ps(a, b)
#define LOW_PAIR(a, b) _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)))
#define HIGH_PAIR(a, b) _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)))
#define PUT(p, v) _mm256_storeu_ps((float *)(void *)(p), v)
typedef __m256 quarters;
#elif defined(__SSE2__)
TSM_INLINE __m128 gather(const char *p, ptrdiff_t skip) {
  (void)skip;
  return _mm_loadu_ps((const float *)(const void *)p);
}
#define LOW(a, b) _mm_unpacklo_ps(a, b)
#define HIGH(a, b) _mm_unpackhi_ps(a, b)
#define LOW_PAIR(a, b) _mm_castpd_ps(_mm_unpacklo_pd(_mm_castps_pd(a), _mm_castps_pd(b)))
#define HIGH_PAIR(a, b) _mm_castpd_ps(_mm_unpackhi_pd(_mm_castps_pd(a), _mm_castps_pd(b)))
#define PUT(p, v) _mm_storeu_ps((float *)(void *)(p), v)
typedef __m128 quarters;
#endif

#if defined(LOW)
/* VF rows, 4 columns of 4 bytes. */
TSM_INLINE void turn4(char *dst, ptrdiff_t dst_step, const char *src, ptrdiff_t step) {
  quarters a = gather(src, 4 * step), b = gather(src + step, 4 * step);
  quarters c = gather(src + 2 * step, 4 * step), d = gather(src + 3 * step, 4 * step);
  quarters ab = LOW(a, b), cd = LOW(c, d), ab2 = HIGH(a, b), cd2 = HIGH(c, d);
  PUT(dst, LOW_PAIR(ab, cd));
  PUT(dst + dst_step, HIGH_PAIR(ab, cd));
  PUT(dst + 2 * dst_step, LOW_PAIR(ab2, cd2));
  PUT(dst + 3 * dst_step, HIGH_PAIR(ab2, cd2));
}
/* VD rows, 2 columns of 8 bytes. */
TSM_INLINE void turn8(char *dst, ptrdiff_t dst_step, const char *src, ptrdiff_t step) {
  quarters a = gather(src, 2 * step), b = gather(src + step, 2 * step);
  PUT(dst, LOW_PAIR(a, b));
  PUT(dst + dst_step, HIGH_PAIR(a, b));
}
#else
#define TURN(name, T, lanes, columns)                                                              \
  TSM_INLINE void name(char *dst, ptrdiff_t dst_step, const char *src, ptrdiff_t step) {           \
    for (ptrdiff_t c = 0; c < columns; c++)                                                        \
      for (ptrdiff_t r = 0; r < lanes; r++)                                                        \
        ((T *)(void *)(dst + c * dst_step))[r] = ((const T *)(const void *)(src + r * step))[c];   \
  }
TURN(turn4, uint32_t, VF, 4)
TURN(turn8, uint64_t, VD, 2)
#endif

TSM_TRANSPOSE(by4, uint32_t, turn4, VF, 4)
TSM_TRANSPOSE(by8, uint64_t, turn8, VD, 2)

/* Whole vectors, the last of which goes back over bytes that are done; short rows are left to memcpy. Rows further on are
 * asked for, as nothing else foresees where they begin. */
static void move_rows(void *to, ptrdiff_t dst_step, const void *from, ptrdiff_t src_step, size_t rows, size_t bytes) {
  enum { LANES = TSM_VB / 4, FOUR = 4 * TSM_VB, ROWS_AHEAD = 16 };
  char *dst = to;
  const char *src = from;
  for (; rows; rows--, dst += dst_step, src += src_step) {
    size_t i = 0;
    for (; i + FOUR <= bytes; i += FOUR) {
      const int32_t *p = (const int32_t *)(const void *)(src + i);
      int32_t *q = (int32_t *)(void *)(dst + i);
      for (size_t at = 0; at < FOUR; at += 64) __builtin_prefetch(src + ROWS_AHEAD * src_step + (ptrdiff_t)(i + at));
      const vi a = vi_load(p), b = vi_load(p + LANES), c = vi_load(p + 2 * LANES), d = vi_load(p + 3 * LANES);
      vi_store(q, a);
      vi_store(q + LANES, b);
      vi_store(q + 2 * LANES, c);
      vi_store(q + 3 * LANES, d);
    }
    if (bytes < TSM_VB) memcpy(dst, src, bytes);
    for (; i < bytes && bytes >= TSM_VB; i += TSM_VB) {
      const size_t at = i + TSM_VB <= bytes ? i : bytes - TSM_VB;
      memcpy(dst + at, src + at, TSM_VB);
    }
  }
}

const tsm_transpose_set TSM_NAMED(tsm_transpose) = {by4, by8, move_rows};
