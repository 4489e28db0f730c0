/* vector.h - vectors of this instruction set, for the sources of this folder.
 * Each source of src/simd is compiled once per instruction set with TSM_ISA (base, avx2, avx512) defined; what it exports
 * is named by TSM_NAMED(name), which gives name_avx2, and is reached through a table of functions chosen by tsm_isa.
 * Holds: base uses 16-byte vectors and nothing beyond the machine's minimum (SSE2, NEON, or what the compiler makes of
 * them); a part load reads, and a part store writes, only the lanes it is asked for. a * b + c contracts to one FMA. */
#ifndef TSM_SIMD_VECTOR_H
#define TSM_SIMD_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

#ifndef TSM_ISA
#error "sources of src/simd are compiled with -DTSM_ISA=..."
#endif

#define TSM_NAMED__(name, isa) name##_##isa
#define TSM_NAMED_(name, isa) TSM_NAMED__(name, isa)
#define TSM_NAMED(name) TSM_NAMED_(name, TSM_ISA)

/* TSM_RAW(sqrt_ps) is the instruction for vectors of floats of this width, TSM_RAW_PS their type; pd, PD: of doubles. */
#if defined(__AVX512F__)
#include <immintrin.h>
enum { TSM_VECTOR_BYTES = 64, TSM_VECTOR_REGISTERS = 32 };
#define TSM_VB 64
#define TSM_RAW(name) _mm512_##name
#define TSM_RAW_PS __m512
#define TSM_RAW_PD __m512d
#elif defined(__AVX2__)
#include <immintrin.h>
enum { TSM_VECTOR_BYTES = 32, TSM_VECTOR_REGISTERS = 16 };
#define TSM_VB 32
#define TSM_RAW(name) _mm256_##name
#define TSM_RAW_PS __m256
#define TSM_RAW_PD __m256d
#elif defined(__aarch64__)
enum { TSM_VECTOR_BYTES = 16, TSM_VECTOR_REGISTERS = 32 };
#define TSM_VB 16
#else
#if defined(__SSE2__)
#include <emmintrin.h>
#define TSM_RAW(name) _mm_##name
#define TSM_RAW_PS __m128
#define TSM_RAW_PD __m128d
#endif
enum { TSM_VECTOR_BYTES = 16, TSM_VECTOR_REGISTERS = 16 };
#define TSM_VB 16
#endif

/* 32-bit and 64-bit lanes: floats, signed and unsigned ints. A comparison gives all ones or all zeros a lane. */
typedef float vf __attribute__((vector_size(TSM_VB), may_alias));
typedef double vd __attribute__((vector_size(TSM_VB), may_alias));
typedef int32_t vi __attribute__((vector_size(TSM_VB), may_alias));
typedef uint32_t vu __attribute__((vector_size(TSM_VB), may_alias));
typedef int64_t vl __attribute__((vector_size(TSM_VB), may_alias));
typedef uint64_t vu64 __attribute__((vector_size(TSM_VB), may_alias));
enum { VF = TSM_VB / 4, VD = TSM_VB / 8 };

/* The same at any address. */
typedef float vf_any __attribute__((vector_size(TSM_VB), aligned(4), may_alias));
typedef double vd_any __attribute__((vector_size(TSM_VB), aligned(8), may_alias));
typedef int32_t vi_any __attribute__((vector_size(TSM_VB), aligned(4), may_alias));

#define TSM_INLINE static inline __attribute__((always_inline, unused))

TSM_INLINE vf vf_load(const float *p) { return *(const vf_any *)p; }
TSM_INLINE void vf_store(float *p, vf v) { *(vf_any *)p = v; }
TSM_INLINE vd vd_load(const double *p) { return *(const vd_any *)p; }
TSM_INLINE void vd_store(double *p, vd v) { *(vd_any *)p = v; }
TSM_INLINE vi vi_load(const int32_t *p) { return *(const vi_any *)p; }
TSM_INLINE void vi_store(int32_t *p, vi v) { *(vi_any *)p = v; }
TSM_INLINE vf vf_set1(float x) { return x - (vf){0}; }
TSM_INLINE vd vd_set1(double x) { return x - (vd){0}; }
TSM_INLINE vi vi_set1(int32_t x) { return x - (vi){0}; }
TSM_INLINE vl vl_set1(int64_t x) { return x - (vl){0}; }

/* The value stays in its register: the compiler may not read it from memory again at each use. */
#if defined(__x86_64__)
#define vf_keep(x) __asm__("" : "+v"(x))
#elif defined(__aarch64__)
#define vf_keep(x) __asm__("" : "+w"(x))
#else
#define vf_keep(x) ((void)0)
#endif

/* Of a function whose loop does two vectors at a time, each a long chain of operations: these are laid side by side, as
 * processors with narrow vectors do not see far enough to begin the second by themselves. Sources compiled for size name
 * it. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__AVX512F__) && (defined(__AVX2__) || defined(__aarch64__))
#define TSM_SIDE_BY_SIDE __attribute__((optimize("O3,schedule-insns,sched-pressure,no-unswitch-loops,no-align-loops")))
#define TSM_SIDE_BY_SIDE_PAYS 1
#else
#define TSM_SIDE_BY_SIDE
#define TSM_SIDE_BY_SIDE_PAYS 0
#endif

/* The end of a function that others call, in sources optimised for size, where the compiler leaves it out: while upper
 * halves of vectors are in use, a first SSE instruction takes 100 ns and more on Intel's server cores. */
#if defined(__AVX__)
#define TSM_UPPER_ "memory", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", \
  "xmm12", "xmm13", "xmm14", "xmm15"
#define vectors_end() __asm__ volatile("vzeroupper" : : : "xmm0", TSM_UPPER_)
TSM_INLINE double vectors_end_with(double x) {
  __asm__ volatile("vzeroupper" : "+Yz"(x) : : TSM_UPPER_);
  return x;
}
#else
#define vectors_end() ((void)0)
TSM_INLINE double vectors_end_with(double x) { return x; }
#endif

/* Lanes where the mask (all ones or zeros) is set from a, else from b. */
TSM_INLINE vf vf_select(vi mask, vf a, vf b) { return (vf)(((vi)a & mask) | ((vi)b & ~mask)); }
TSM_INLINE vd vd_select(vl mask, vd a, vd b) { return (vd)(((vl)a & mask) | ((vl)b & ~mask)); }

/* What is the same for floats and doubles: v is the vector, x its element, m its mask. */
#if defined(__AVX512F__)
typedef __mmask16 vfm;
typedef __mmask8 vdm;
#define TSM_COMPARISON_(v, m, ps, PS, name, how) \
  TSM_INLINE m v##_##name(v a, v b) { return TSM_RAW(cmp_##ps##_mask)((TSM_RAW_##PS)a, (TSM_RAW_##PS)b, how); }
#define TSM_LANES_(v, x, m, ps, PS)                                                                                   \
  TSM_INLINE v v##_load_part(const x *p, size_t n) {                                                                  \
    return (v)TSM_RAW(maskz_loadu_##ps)((m)((1u << n) - 1u), p);                                                      \
  }                                                                                                                   \
  TSM_INLINE void v##_store_part(x *p, v a, size_t n) {                                                               \
    TSM_RAW(mask_storeu_##ps)(p, (m)((1u << n) - 1u), (TSM_RAW_##PS)a);                                               \
  }                                                                                                                   \
  TSM_COMPARISON_(v, m, ps, PS, lt, _CMP_LT_OQ)                                                                       \
  TSM_COMPARISON_(v, m, ps, PS, le, _CMP_LE_OQ)                                                                       \
  TSM_COMPARISON_(v, m, ps, PS, eq, _CMP_EQ_OQ)                                                                       \
  TSM_COMPARISON_(v, m, ps, PS, ne, _CMP_NEQ_UQ)                                                                      \
  TSM_COMPARISON_(v, m, ps, PS, unordered, _CMP_UNORD_Q)                                                              \
  TSM_INLINE v v##_blend(m mask, v a, v b) {                                                                          \
    return (v)TSM_RAW(mask_blend_##ps)(mask, (TSM_RAW_##PS)b, (TSM_RAW_##PS)a);                                       \
  }                                                                                                                   \
  TSM_INLINE bool v##_any_lane(m mask) { return mask; }
#else
typedef vi vfm;
typedef vl vdm;
#define TSM_LANES_(v, x, m, ps, PS)                                                                                   \
  TSM_PARTS_(v, x, m, ps, PS)                                                                                         \
  TSM_INLINE m v##_lt(v a, v b) { return a < b; }                                                                     \
  TSM_INLINE m v##_le(v a, v b) { return a <= b; }                                                                    \
  TSM_INLINE m v##_eq(v a, v b) { return a == b; }                                                                    \
  TSM_INLINE m v##_ne(v a, v b) { return a != b; }                                                                    \
  TSM_INLINE m v##_unordered(v a, v b) { return (a != a) | (b != b); }                                                \
  TSM_BLEND_(v, m, ps, PS)
#if defined(__AVX2__)
TSM_INLINE __m256i vf_lanes(size_t n) { return (__m256i)((vi){0, 1, 2, 3, 4, 5, 6, 7} < vi_set1((int32_t)n)); }
TSM_INLINE __m256i vd_lanes(size_t n) { return (__m256i)((vl){0, 1, 2, 3} < vl_set1((int64_t)n)); }
#define TSM_PARTS_(v, x, m, ps, PS)                                                                                   \
  TSM_INLINE v v##_load_part(const x *p, size_t n) { return (v)TSM_RAW(maskload_##ps)(p, v##_lanes(n)); }             \
  TSM_INLINE void v##_store_part(x *p, v a, size_t n) { TSM_RAW(maskstore_##ps)(p, v##_lanes(n), (TSM_RAW_##PS)a); }
#define TSM_BLEND_(v, m, ps, PS)                                                                                      \
  TSM_INLINE v v##_blend(m mask, v a, v b) {                                                                          \
    return (v)TSM_RAW(blendv_##ps)((TSM_RAW_##PS)b, (TSM_RAW_##PS)a, (TSM_RAW_##PS)mask);                             \
  }
#else
#define TSM_PARTS_(v, x, m, ps, PS)                                                                                   \
  TSM_INLINE v v##_load_part(const x *p, size_t n) {                                                                  \
    v a = {0};                                                                                                        \
    for (size_t i = 0; i < n; i++) a[i] = p[i];                                                                       \
    return a;                                                                                                         \
  }                                                                                                                   \
  TSM_INLINE void v##_store_part(x *p, v a, size_t n) {                                                               \
    for (size_t i = 0; i < n; i++) p[i] = a[i];                                                                       \
  }
#define TSM_BLEND_(v, m, ps, PS) \
  TSM_INLINE v v##_blend(m mask, v a, v b) { return v##_select(mask, a, b); }
#endif
#endif

/* min and max give b where either is NaN. */
#if defined(TSM_RAW)
#define TSM_EXTREMES_(v, x, ps, PS)                                                                                   \
  TSM_INLINE v v##_min(v a, v b) { return (v)TSM_RAW(min_##ps)((TSM_RAW_##PS)a, (TSM_RAW_##PS)b); }                   \
  TSM_INLINE v v##_max(v a, v b) { return (v)TSM_RAW(max_##ps)((TSM_RAW_##PS)a, (TSM_RAW_##PS)b); }                   \
  TSM_INLINE v v##_sqrt(v a) { return (v)TSM_RAW(sqrt_##ps)((TSM_RAW_##PS)a); }
#else
#define TSM_EXTREMES_(v, x, ps, PS)                                                                                   \
  TSM_INLINE v v##_min(v a, v b) { return v##_select(a < b, a, b); }                                                  \
  TSM_INLINE v v##_max(v a, v b) { return v##_select(a > b, a, b); }                                                  \
  TSM_INLINE v v##_sqrt(v a) {                                                                                        \
    for (size_t i = 0; i < sizeof(v) / sizeof(x); i++) a[i] = (x)__builtin_sqrt(a[i]);                                \
    return a;                                                                                                         \
  }
#endif

/* part loads and stores take the first n lanes, 0 <= n <= VF; the others are 0, or left alone. Masks of lanes are a
 * register of bits, or all ones and all zeros a lane; unordered: lanes of which either is NaN. */
TSM_LANES_(vf, float, vfm, ps, PS)
TSM_LANES_(vd, double, vdm, pd, PD)
TSM_EXTREMES_(vf, float, ps, PS)
TSM_EXTREMES_(vd, double, pd, PD)

#if !defined(__AVX512F__)
TSM_INLINE bool vf_any_lane(vfm mask) {
#if defined(__AVX2__)
  return _mm256_movemask_epi8((__m256i)mask);
#elif defined(__SSE2__)
  return _mm_movemask_epi8((__m128i)mask);
#else
  uint32_t seen = 0;
  for (size_t i = 0; i < VF; i++) seen |= (uint32_t)mask[i];
  return seen;
#endif
}
TSM_INLINE bool vd_any_lane(vdm mask) { return vf_any_lane((vfm)mask); }
#endif

TSM_INLINE vf vf_abs(vf a) { return (vf)((vi)a & vi_set1(INT32_MAX)); }
TSM_INLINE vd vd_abs(vd a) { return (vd)((vl)a & vl_set1(INT64_MAX)); }
/* Magnitudes of a, which has no signs, with the signs of b. */
TSM_INLINE vf vf_signed(vf a, vf b) { return (vf)((vi)a | ((vi)b & vi_set1(INT32_MIN))); }
TSM_INLINE vd vd_signed(vd a, vd b) { return (vd)((vl)a | ((vl)b & vl_set1(INT64_MIN))); }

/* To integral values: nearest with ties to even, down, up, toward zero; signs of zeros, NaN and infinities stay. */
#if defined(__AVX512F__) || defined(__AVX2__)
#if defined(__AVX512F__)
#define TSM_ROUND_(v, ps, PS, name, how) \
  TSM_INLINE v v##_##name(v a) { return (v)_mm512_roundscale_##ps((TSM_RAW_##PS)a, how); }
#else
#define TSM_ROUND_(v, ps, PS, name, how) \
  TSM_INLINE v v##_##name(v a) { return (v)_mm256_round_##ps((TSM_RAW_##PS)a, how); }
#endif
#define TSM_ROUNDS_(v, ps, PS)                                                            \
  TSM_ROUND_(v, ps, PS, round, 8)                                                         \
  TSM_ROUND_(v, ps, PS, floor, 9)                                                         \
  TSM_ROUND_(v, ps, PS, ceil, 10)                                                         \
  TSM_ROUND_(v, ps, PS, trunc, 11)
TSM_ROUNDS_(vf, ps, PS)
TSM_ROUNDS_(vd, pd, PD)
#else
/* Adding and taking away the first value without fractions rounds to nearest; the rest steps by one where that went
 * the wrong way. Larger values, NaN and infinities are returned as they are. */
#define TSM_ROUND_(v, large, name, STEP)                                                   \
  TSM_INLINE v v##_##name(v a) {                                                           \
    v size = v##_abs(a), whole = size + large - large, one = v##_set1(1);                  \
    v result = v##_signed(v##_abs(STEP), a);                                               \
    return v##_blend(v##_lt(size, v##_set1(large)), result, a);                            \
  }
#define TSM_STEP_(v, mask) v##_blend(mask, one, v##_set1(0))
#define TSM_NEAREST_(v) v##_signed(whole, a)
#define TSM_ROUNDS_(v, large)                                                                            \
  TSM_ROUND_(v, large, round, ((void)one, whole))                                                           \
  TSM_ROUND_(v, large, floor, TSM_NEAREST_(v) - TSM_STEP_(v, v##_lt(a, TSM_NEAREST_(v))))                \
  TSM_ROUND_(v, large, ceil, TSM_NEAREST_(v) + TSM_STEP_(v, v##_lt(TSM_NEAREST_(v), a)))                 \
  TSM_ROUND_(v, large, trunc, whole - TSM_STEP_(v, v##_lt(size, whole)))
TSM_ROUNDS_(vf, 0x1p23f)
TSM_ROUNDS_(vd, 0x1p52)
#endif

/* Integers n as sums n + TSM_ONES_vf: their ulp is 1, so that adding rounds and the low bits are n, from where it moves
 * to an exponent's place. */
#define TSM_ONES_vf 0x1.8p23f
#define TSM_ONES_vd 0x1.8p52
/* 2^n, where that is normal. */
TSM_INLINE vf vf_power(vf sum) { return (vf)(((vu)sum + 127) << 23); }
TSM_INLINE vd vd_power(vd sum) { return (vd)(((vu64)sum + 1023) << 52); }
/* 2^(n - 1), or 0 where the exponent's place would be 0. */
TSM_INLINE vf vf_half_power(vf sum) { return (vf)(((vu)sum + 126) << 23); }
TSM_INLINE vd vd_half_power(vd sum) { return (vd)(((vu64)sum + 1022) << 52); }
/* a * 2^n, rounded once, for n from -250 to 250, or -2000 to 2000. */
#if defined(__AVX512F__)
/* By the floor of n, which is given itself. */
TSM_INLINE vf vf_scale_floor(vf a, vf n) { return (vf)_mm512_scalef_ps((__m512)a, (__m512)n); }
TSM_INLINE vf vf_scale(vf a, vf sum) { return vf_scale_floor(a, sum - TSM_ONES_vf); }
TSM_INLINE vd vd_scale(vd a, vd sum) { return (vd)_mm512_scalef_pd((__m512d)a, (__m512d)(sum - TSM_ONES_vd)); }
#else
/* By the two halves of n, one of them rounded up: only the second product may leave the normal range. */
TSM_INLINE vf vf_scale(vf a, vf sum) {
  vu twice = (vu)sum + 254, half = twice >> 1;
  return a * (vf)(half << 23) * (vf)((twice - half) << 23);
}
TSM_INLINE vd vd_scale(vd a, vd sum) {
  vu64 twice = (vu64)sum + 2046, half = twice >> 1;
  return a * (vd)(half << 52) * (vd)((twice - half) << 52);
}
#endif

#if defined(__AVX512F__)
/* For each lane the lane of `from` that the low bits of `at` number. */
TSM_INLINE vf vf_picked(vf from, vi at) { return (vf)_mm512_permutexvar_ps((__m512i)at, (__m512)from); }
#endif

/* The lower and upper half of the lanes as doubles. */
#if defined(__AVX512F__)
TSM_INLINE vd vf_low(vf a) { return (vd)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)a)); }
TSM_INLINE vd vf_high(vf a) { return (vd)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)a, 1)); }
#elif defined(__AVX2__)
TSM_INLINE vd vf_low(vf a) { return (vd)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)a)); }
TSM_INLINE vd vf_high(vf a) { return (vd)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)a, 1)); }
#elif defined(__SSE2__)
TSM_INLINE vd vf_low(vf a) { return (vd)_mm_cvtps_pd((__m128)a); }
TSM_INLINE vd vf_high(vf a) { return (vd)_mm_cvtps_pd(_mm_movehl_ps((__m128)a, (__m128)a)); }
#else
typedef float vf_half __attribute__((vector_size(TSM_VB / 2)));
TSM_INLINE vd vf_low(vf a) {
  vf_half half;
  memcpy(&half, &a, sizeof half);
  return __builtin_convertvector(half, vd);
}
TSM_INLINE vd vf_high(vf a) {
  vf_half half;
  memcpy(&half, (const char *)&a + sizeof half, sizeof half);
  return __builtin_convertvector(half, vd);
}
#endif

/* VD floats of memory as doubles. */
TSM_INLINE vd vd_load_floats(const float *p) {
#if defined(__AVX512F__)
  return (vd)_mm512_cvtps_pd(_mm256_loadu_ps(p));
#elif defined(__AVX2__)
  return (vd)_mm256_cvtps_pd(_mm_loadu_ps(p));
#elif defined(__SSE2__)
  return (vd)_mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
#else
  vf_half half;
  memcpy(&half, p, sizeof half);
  return __builtin_convertvector(half, vd);
#endif
}

/* Doubles rounded to floats: a to the lower lanes, b to the upper. */
TSM_INLINE vf vf_of_doubles(vd a, vd b) {
#if defined(__AVX512F__)
  return (vf)_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)a)), _mm512_cvtpd_ps((__m512d)b), 1);
#elif defined(__AVX2__)
  return (vf)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps((__m256d)a)), _mm256_cvtpd_ps((__m256d)b), 1);
#elif defined(__SSE2__)
  return (vf)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)a), _mm_cvtpd_ps((__m128d)b));
#else
  vf_half low = __builtin_convertvector(a, vf_half), high = __builtin_convertvector(b, vf_half);
  vf both;
  memcpy(&both, &low, sizeof low);
  memcpy((char *)&both + sizeof low, &high, sizeof high);
  return both;
#endif
}

/* Sums of the lanes, halves first: the same order on each machine with vectors of this width. */
TSM_INLINE float vf_sum(vf v) {
  float lanes[VF];
  memcpy(lanes, &v, sizeof v);
  for (size_t half = VF / 2; half; half /= 2)
    for (size_t i = 0; i < half; i++) lanes[i] += lanes[i + half];
  return lanes[0];
}
TSM_INLINE double vd_sum(vd v) {
#if defined(__AVX512F__)
  const __m256d four = _mm512_castpd512_pd256((__m512d)v) + _mm512_extractf64x4_pd((__m512d)v, 1);
#elif defined(__AVX2__)
  const __m256d four = (__m256d)v;
#endif
#if defined(__AVX2__)
  const __m128d two = _mm256_castpd256_pd128(four) + _mm256_extractf128_pd(four, 1);
  return two[0] + two[1];
#else
  return v[0] + v[1];
#endif
}

#endif
