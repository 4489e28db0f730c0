/* integer.c - the functions of integer.h on this instruction set.
 * In: vectors, rows. Out: tsm_ints of this set. Holds: integer_rows.h has the bodies, once a type; each loop serves rows
 * and single values, which are vectors that it does not move on from. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
#include "integer.h"

#include "vector.h"

#if TSM_VB < 64

/* What does not fill a vector is the caller's to copy. */
#define STREAM(name, V, BODY, out_bytes)                                                                            \
  static void name(void *to, const void *first, const void *second, const void *third, size_t count,                \
                   tsm_int_steps step) {                                                                            \
    char *out = to;                                                                                                 \
    const char *a = first, *b = second, *c = third;                                                                 \
    for (; count; count--, out += (out_bytes), a += step.a, b += step.b, c += step.c) { BODY; }                     \
    vectors_end();                                                                                                  \
  }

typedef uint8_t bytes __attribute__((vector_size(TSM_VB), aligned(1), may_alias));
#define BITWISE(name, OPERATOR) \
  STREAM(name, bytes, *(bytes *)out = *(const bytes *)a OPERATOR *(const bytes *)b, TSM_VB)
BITWISE(bitwise_and, &)
BITWISE(bitwise_or, |)
BITWISE(bitwise_xor, ^)

/* Where the set has the larger and the smaller of two for a type, MOST(max) and MOST(min) are they. */
#if defined(__AVX2__)
#define RAW __m256i
#else
#define RAW __m128i
#endif
#if defined(__SSE2__)
#define MOST(which) TSM_RAW(which##_epu8)
#endif
#define T uint8_t
#define U uint8_t
#define BITS 8
#define NAME(name) name##_u8
#define SAME(name) name##_u8
#define FIRST 1
#include "integer_rows.h"

#if defined(__AVX2__)
#define MOST(which) TSM_RAW(which##_epi8)
#endif
#define T int8_t
#define U uint8_t
#define BITS 8
#define NAME(name) name##_i8
#define SAME(name) name##_u8
#define FIRST 0
#include "integer_rows.h"

#if defined(__SSE2__)
#define MOST(which) TSM_RAW(which##_epi16)
#endif
#define T int16_t
#define U uint16_t
#define BITS 16
#define NAME(name) name##_i16
#define SAME(name) name##_u16
#define FIRST 1
#include "integer_rows.h"

#if defined(__AVX2__)
#define MOST(which) TSM_RAW(which##_epi32)
#endif
#define T int32_t
#define U uint32_t
#define BITS 32
#define NAME(name) name##_i32
#define SAME(name) name##_u32
#define FIRST 1
#include "integer_rows.h"

#define T int64_t
#define U uint64_t
#define BITS 64
#define NAME(name) name##_i64
#define SAME(name) name##_u64
#define FIRST 1
#include "integer_rows.h"

#define ABS(name, T, V) \
  STREAM(name, V, const V x = *(const V *)a; const V sign = x < 0; *(V *)out = (x ^ sign) - sign, TSM_VB)
ABS(abs_i8, int8_t, v_i8)
ABS(abs_i16, int16_t, v_i16)
ABS(abs_i32, int32_t, v_i32)
ABS(abs_i64, int64_t, v_i64)

static uint64_t sum_u8(const uint8_t *x, size_t n) {
  uint64_t sum = 0;
  size_t i = 0;
#if defined(__AVX2__)
  __m256i sums = _mm256_setzero_si256();
  for (; i + TSM_VB <= n; i += TSM_VB)
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(_mm256_loadu_si256((const void *)(x + i)), _mm256_setzero_si256()));
  for (size_t k = 0; k < 4; k++) sum += ((vu64)sums)[k];
  vectors_end();
#elif defined(__SSE2__)
  __m128i sums = _mm_setzero_si128();
  for (; i + TSM_VB <= n; i += TSM_VB)
    sums = _mm_add_epi64(sums, _mm_sad_epu8(_mm_loadu_si128((const void *)(x + i)), _mm_setzero_si128()));
  sum = ((vu64)sums)[0] + ((vu64)sums)[1];
#endif
  TSM_ROLLED
  for (; i < n; i++) sum += x[i];
  return sum;
}

#define SIX(x, u8, i8, i16, i32, i64) {x##_##u8, x##_##u8, x##_##i8, x##_##i16, x##_##i32, x##_##i64}
#define BY_WIDTH(x) SIX(x, u8, u8, u16, u32, u64)
#define BY_TYPE(x) SIX(x, u8, i8, i16, i32, i64)
#define FOR_ALL(x) {x, x, x, x, x, x}
const tsm_int_set TSM_NAMED(tsm_ints) = {
    .bytes = TSM_VB,
    .op = {[TSM_INT_ADD] = BY_WIDTH(add), [TSM_INT_SUB] = BY_WIDTH(sub), [TSM_INT_MUL] = BY_WIDTH(mul),
           [TSM_INT_ADD_SCALED] = BY_WIDTH(add_scaled), [TSM_INT_AND] = FOR_ALL(bitwise_and),
           [TSM_INT_OR] = FOR_ALL(bitwise_or), [TSM_INT_XOR] = FOR_ALL(bitwise_xor),
           [TSM_INT_ABS] = {NULL, NULL, abs_i8, abs_i16, abs_i32, abs_i64}, [TSM_INT_MAX] = BY_TYPE(max),
           [TSM_INT_MIN] = BY_TYPE(min), [TSM_INT_CLAMP] = BY_TYPE(clamp), [TSM_INT_LEFT] = BY_WIDTH(left),
           [TSM_INT_RIGHT] = BY_TYPE(right), [TSM_INT_EQ] = BY_WIDTH(eq), [TSM_INT_LT] = BY_TYPE(lt)},
    .most = BY_TYPE(most),
    .find = BY_WIDTH(find),
    .sum_u8 = sum_u8,
};
#else
typedef int nothing; /* a source has to hold something */
#endif
