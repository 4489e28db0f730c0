/* resample.c - see resample.h. */
#include "resample.h"

#include "vector.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O2")
#endif

/* Vectors of elements from anywhere, 0 where `at` is negative; what is left goes one by one. On x86 they have 32 bytes: 64
 * take more than twice as long. */
#if defined(__AVX2__)
typedef float some_float __attribute__((vector_size(32), aligned(4), may_alias));
typedef double some_double __attribute__((vector_size(32), aligned(8), may_alias));
TSM_INLINE some_float gather_float(const float *in, const int32_t *at) {
  const __m256i index = _mm256_loadu_si256((const __m256i *)(const void *)at);
  const __m256 is_in = _mm256_castsi256_ps(_mm256_xor_si256(index, _mm256_set1_epi32(-1)));
  return (some_float)_mm256_mask_i32gather_ps(_mm256_setzero_ps(), in, index, is_in, 4);
}
TSM_INLINE some_double gather_double(const double *in, const int32_t *at) {
  const __m128i index = _mm_loadu_si128((const __m128i *)(const void *)at);
  const __m256d is_in = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_xor_si128(index, _mm_set1_epi32(-1))));
  return (some_double)_mm256_mask_i32gather_pd(_mm256_setzero_pd(), in, index, is_in, 8);
}
#else
typedef float some_float __attribute__((vector_size(16), aligned(4), may_alias));
typedef double some_double __attribute__((vector_size(16), aligned(8), may_alias));
#define GATHER(T)                                                                                            \
  TSM_INLINE some_##T gather_##T(const T *in, const int32_t *at) {                                           \
    some_##T x;                                                                                              \
    for (size_t i = 0; i < sizeof x / sizeof(T); i++) x[i] = at[i] < 0 ? 0 : in[at[i]];                      \
    return x;                                                                                                \
  }
GATHER(float)
GATHER(double)
#endif

#define LOAD(T, p) (*(const some_##T *)(const void *)(p))
#define SAMPLE(T)                                                                             \
  static void sample_##T(void *to, const void *from, const int32_t *at, const void *by, int64_t taps, int64_t step,  \
                         int64_t count) {                                                                            \
    const T *in = from, *weights = by;                                                                               \
    T *out = to;                                                                                                     \
    int64_t i = 0;                                                                                                   \
    for (const int64_t lanes = sizeof(some_##T) / sizeof(T); i + lanes <= count; i += lanes) {                                                                     \
      some_##T sum = gather_##T(in, at + i) * LOAD(T, weights + i);                                                            \
      for (int64_t k = 1; k < taps; k++) sum += gather_##T(in, at + k * step + i) * LOAD(T, weights + k * step + i);    \
      *(some_##T *)(void *)(out + i) = sum;                                                                                           \
    }                                                                                                                \
    for (; i < count; i++) {                                                                                         \
      T sum = 0;                                                                                                     \
      for (int64_t k = 0; k < taps; k++)                                                                             \
        sum += at[k * step + i] < 0 ? 0 : in[at[k * step + i]] * weights[k * step + i];                              \
      out[i] = sum;                                                                                                  \
    }                                                                                                                \
  }
SAMPLE(float)
SAMPLE(double)

/* In vectors, the last of which goes back over results that are there already; one by one where there are few, and where
 * those would be read again. */
#define MIX(T, V, lanes, load, store, set1)                                                                          \
  static void mix_##T(void *to, const void *const *rows, const double *weights, int64_t taps, int64_t count) {       \
    const int64_t whole = count < (lanes) ? 0 : rows[0] == to ? count / (lanes) * (lanes) : count;                   \
    T *out = to;                                                                                                     \
    for (int64_t i = 0; i < whole; i += (lanes)) {                                                                   \
      const int64_t at = i + (lanes) <= count ? i : count - (lanes);                                                 \
      V sum = load((const T *)rows[0] + at) * set1((T)weights[0]);                                                   \
      for (int64_t k = 1; k < taps; k++) sum += load((const T *)rows[k] + at) * set1((T)weights[k]);                 \
      store(out + at, sum);                                                                                          \
    }                                                                                                                \
    for (int64_t i = whole; i < count; i++) {                                                                        \
      T sum = ((const T *)rows[0])[i] * (T)weights[0];                                                               \
      for (int64_t k = 1; k < taps; k++) sum += ((const T *)rows[k])[i] * (T)weights[k];                             \
      out[i] = sum;                                                                                                  \
    }                                                                                                                \
  }
MIX(float, vf, VF, vf_load, vf_store, vf_set1)
MIX(double, vd, VD, vd_load, vd_store, vd_set1)

const tsm_resample_set TSM_NAMED(tsm_resample) = {{sample_float, sample_double}, {mix_float, mix_double}};
