/* convert.c - see convert.h. Holds: only one set has them, as the plain loops of machines with narrow vectors are no
 * slower, and wider ones wait for memory. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
#if defined(__AVX2__) && !defined(__AVX512F__)
#include "convert.h"

#include "integer.h"
#include "vector.h"

#define NEIGHBOURS(S, D, from, to)                                                   \
  if (dst_step != sizeof(D) || src_step != sizeof(S)) {                              \
    tsm_convert_loop(from, to)(dst, dst_step, src, src_step, n);                     \
    return;                                                                          \
  }                                                                                  \
  D *d = (D *)(void *)dst;                                                           \
  const S *s = (const S *)(const void *)src;                                         \
  int64_t i = 0;
#define CONVERSION(name) static void name(char *dst, int64_t dst_step, const char *src, int64_t src_step, int64_t n)

/* Whether each is not 0: the other answer of a comparison with 0. */
#define TO_BOOL(S, from)                                                             \
  CONVERSION(S##_to_bool) {                                                          \
    static const uint8_t zeros[TSM_VB], one[1] = {1};                                \
    NEIGHBOURS(S, uint8_t, from, TSM_BOOL8)                                          \
    const size_t lanes = TSM_VB / sizeof(S), whole = (size_t)n / lanes;              \
    const tsm_int_steps step = {TSM_VB, 0, 0};                                       \
    tsm_ints_avx2.op[TSM_INT_EQ][from](d, s, zeros, one, whole, step);               \
    for (i = (int64_t)(whole * lanes); i < n; i++) d[i] = s[i] != 0;                 \
  }
TO_BOOL(uint8_t, TSM_U8)
TO_BOOL(int16_t, TSM_I16)
TO_BOOL(int32_t, TSM_I32)
TO_BOOL(int64_t, TSM_I64)

CONVERSION(float_to_bool) {
  NEIGHBOURS(float, uint8_t, TSM_F32, TSM_BOOL8)
  for (; i + 2 * VF <= n; i += 2 * VF) {
    const vi a = vf_ne(vf_load(s + i), vf_set1(0)), b = vf_ne(vf_load(s + i + VF), vf_set1(0));
    const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32((__m256i)a, (__m256i)b), 0xD8);
    const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    _mm_storeu_si128((__m128i *)(void *)(d + i), _mm_and_si128(bytes, _mm_set1_epi8(1)));
  }
  vectors_end();
  for (; i < n; i++) d[i] = s[i] != 0;
}
CONVERSION(double_to_bool) {
  NEIGHBOURS(double, uint8_t, TSM_F64, TSM_BOOL8)
  for (; i + VD <= n; i += VD) {
    const uint32_t bits = (uint32_t)_mm256_movemask_pd((__m256d)vd_ne(vd_load(s + i), vd_set1(0)));
    const uint32_t bytes = bits * 0x204081u & 0x01010101u;
    memcpy(d + i, &bytes, sizeof bytes);
  }
  vectors_end();
  for (; i < n; i++) d[i] = s[i] != 0;
}

/* What no int32 can hold becomes the smallest, by the instruction as by the plain loop. */
CONVERSION(float_to_i32) {
  NEIGHBOURS(float, int32_t, TSM_F32, TSM_I32)
  for (; i + VF <= n; i += VF) vi_store(d + i, (vi)_mm256_cvttps_epi32((__m256)vf_load(s + i)));
  vectors_end();
  tsm_convert_loop(TSM_F32, TSM_I32)((char *)(d + i), sizeof *d, (const char *)(s + i), sizeof *s, n - i);
}
CONVERSION(double_to_i32) {
  NEIGHBOURS(double, int32_t, TSM_F64, TSM_I32)
  for (; i + VD <= n; i += VD) _mm_storeu_si128((__m128i *)(void *)(d + i), _mm256_cvttpd_epi32((__m256d)vd_load(s + i)));
  vectors_end();
  tsm_convert_loop(TSM_F64, TSM_I32)((char *)(d + i), sizeof *d, (const char *)(s + i), sizeof *s, n - i);
}

CONVERSION(float_to_bfloat) {
  NEIGHBOURS(float, uint16_t, TSM_F32, TSM_BF16)
  for (; i + 2 * VF <= n; i += 2 * VF) {
    vu half[2];
    for (int k = 0; k < 2; k++) {
      const vf x = vf_load(s + i + k * VF);
      const vu bits = (vu)x, rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
      half[k] = (vu)vf_blend(vf_ne(x, x), (vf)(vi_set1(0x7FC0)), (vf)rounded);
    }
    const __m256i both = _mm256_packus_epi32((__m256i)half[0], (__m256i)half[1]);
    _mm256_storeu_si256((__m256i *)(void *)(d + i), _mm256_permute4x64_epi64(both, 0xD8));
  }
  vectors_end();
  tsm_convert_loop(TSM_F32, TSM_BF16)((char *)(d + i), sizeof *d, (const char *)(s + i), sizeof *s, n - i);
}
CONVERSION(bfloat_to_float) {
  NEIGHBOURS(uint16_t, float, TSM_BF16, TSM_F32)
  for (; i + VF <= n; i += VF) {
    const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(s + i)));
    vf_store(d + i, (vf)_mm256_slli_epi32(wide, 16));
  }
  vectors_end();
  tsm_convert_loop(TSM_BF16, TSM_F32)((char *)(d + i), sizeof *d, (const char *)(s + i), sizeof *s, n - i);
}

/* By way of float. */
#define TO_BFLOAT(S, from)                                                           \
  CONVERSION(S##_to_bfloat) {                                                        \
    enum { TILE = 512 };                                                             \
    float tile[TILE];                                                                \
    for (int64_t done = 0, part; done < n; done += part) {                           \
      part = n - done < TILE ? n - done : TILE;                                      \
      tsm_convert_loop(from, TSM_F32)((char *)tile, sizeof *tile, src + done * src_step, src_step, part); \
      float_to_bfloat(dst + done * dst_step, dst_step, (const char *)tile, sizeof *tile, part);           \
    }                                                                                \
  }
TO_BFLOAT(uint8_t, TSM_U8)
TO_BFLOAT(int32_t, TSM_I32)
TO_BFLOAT(int64_t, TSM_I64)
TO_BFLOAT(double, TSM_F64)

tsm_convert_fn tsm_convert_avx2(unsigned from, unsigned to) {
  static const struct { uint8_t from, to; tsm_convert_fn run; } known[] = {
      {TSM_U8, TSM_BOOL8, uint8_t_to_bool},    {TSM_I8, TSM_BOOL8, uint8_t_to_bool},
      {TSM_I16, TSM_BOOL8, int16_t_to_bool},   {TSM_I32, TSM_BOOL8, int32_t_to_bool},
      {TSM_I64, TSM_BOOL8, int64_t_to_bool},   {TSM_F32, TSM_BOOL8, float_to_bool},
      {TSM_F64, TSM_BOOL8, double_to_bool},    {TSM_F32, TSM_I32, float_to_i32},
      {TSM_F64, TSM_I32, double_to_i32},       {TSM_F32, TSM_BF16, float_to_bfloat},
      {TSM_F64, TSM_BF16, double_to_bfloat},   {TSM_I32, TSM_BF16, int32_t_to_bfloat},
      {TSM_I64, TSM_BF16, int64_t_to_bfloat},  {TSM_U8, TSM_BF16, uint8_t_to_bfloat},
      {TSM_BOOL8, TSM_BF16, uint8_t_to_bfloat}, {TSM_BF16, TSM_F32, bfloat_to_float},
  };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (known[k].from == from && known[k].to == to) return known[k].run;
  return NULL;
}
#else
typedef int nothing; /* a source has to hold something */
#endif
