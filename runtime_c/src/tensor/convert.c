/* convert.c - elements from one dtype to another, as tensor.to() does.
 * In: strided rows, or one element. Out: the same values in another dtype.
 * Holds: integers wrap, floats truncate toward zero; what no integer can hold gives the most negative int32 or int64,
 * of which narrower types keep the low bits: the same answer on every platform. Anything becomes bfloat16 by way of
 * float, rounded to nearest. */
#include "tensor.h"

typedef uint8_t bool8;
typedef uint16_t bfloat; /* the upper half of a float's bits */

static inline float float_from_bfloat(bfloat x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
/* To nearest, ties to even; every NaN becomes the same one. */
static inline bfloat bfloat_from_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return x != x ? 0x7FC0 : (bfloat)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static inline int64_t int_from_float(double x) {
  return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (int64_t)x : INT64_MIN;
}
static inline int32_t int32_from_float(double x) {
  return x > -2147483649.0 && x < 2147483648.0 ? (int32_t)x : INT32_MIN;
}

#define TO_bool8(x) ((bool8)((x) != 0))
#define TO_float(x) ((float)(x))
#define TO_double(x) ((double)(x))
#define TO_bfloat(x) (bfloat_from_float((float)(x)))
#define INT_TO(T, x) ((T)(x))
#define FLOAT_TO_uint8_t(x) ((uint8_t)int_from_float((double)(x)))
#define FLOAT_TO_int8_t(x) ((int8_t)int_from_float((double)(x)))
#define FLOAT_TO_int16_t(x) ((int16_t)int_from_float((double)(x)))
#define FLOAT_TO_int32_t(x) (int32_from_float((double)(x)))
#define FLOAT_TO_int64_t(x) (int_from_float((double)(x)))

#define LOOP(S, D, EXPRESSION)                                                                        \
  static void S##_to_##D(char *dst, int64_t dst_step, const char *src, int64_t src_step, int64_t n) { \
    if (dst_step == sizeof(D) && src_step == sizeof(S)) {                                             \
      D *restrict d = (D *)(void *)dst;                                                               \
      const S *restrict s = (const S *)(const void *)src;                                             \
      for (int64_t i = 0; i < n; i++) {                                                               \
        S x = s[i];                                                                                   \
        d[i] = EXPRESSION;                                                                            \
      }                                                                                               \
      return;                                                                                         \
    }                                                                                                 \
    for (int64_t i = 0; i < n; i++, dst += dst_step, src += src_step) {                               \
      S x = *(const S *)(const void *)src;                                                            \
      *(D *)(void *)dst = EXPRESSION;                                                                 \
    }                                                                                                 \
  }

#define FROM_INT(S)                    \
  LOOP(S, bool8, TO_bool8(x))          \
  LOOP(S, uint8_t, INT_TO(uint8_t, x)) \
  LOOP(S, int8_t, INT_TO(int8_t, x))   \
  LOOP(S, int16_t, INT_TO(int16_t, x)) \
  LOOP(S, int32_t, INT_TO(int32_t, x)) \
  LOOP(S, int64_t, INT_TO(int64_t, x)) \
  LOOP(S, float, TO_float(x))          \
  LOOP(S, double, TO_double(x))        \
  LOOP(S, bfloat, TO_bfloat(x))
#define FROM_FLOAT(S)                     \
  LOOP(S, bool8, TO_bool8(x))             \
  LOOP(S, uint8_t, FLOAT_TO_uint8_t(x))   \
  LOOP(S, int8_t, FLOAT_TO_int8_t(x))     \
  LOOP(S, int16_t, FLOAT_TO_int16_t(x))   \
  LOOP(S, int32_t, FLOAT_TO_int32_t(x))   \
  LOOP(S, int64_t, FLOAT_TO_int64_t(x))   \
  LOOP(S, float, TO_float(x))             \
  LOOP(S, double, TO_double(x))           \
  LOOP(S, bfloat, TO_bfloat(x))
#define FROM_BFLOAT(D, EXPRESSION) LOOP(bfloat, D, EXPRESSION(float_from_bfloat(x)))

FROM_INT(bool8)
FROM_INT(uint8_t)
FROM_INT(int8_t)
FROM_INT(int16_t)
FROM_INT(int32_t)
FROM_INT(int64_t)
FROM_FLOAT(float)
FROM_FLOAT(double)
FROM_BFLOAT(bool8, TO_bool8)
FROM_BFLOAT(uint8_t, FLOAT_TO_uint8_t)
FROM_BFLOAT(int8_t, FLOAT_TO_int8_t)
FROM_BFLOAT(int16_t, FLOAT_TO_int16_t)
FROM_BFLOAT(int32_t, FLOAT_TO_int32_t)
FROM_BFLOAT(int64_t, FLOAT_TO_int64_t)
FROM_BFLOAT(float, TO_float)
FROM_BFLOAT(double, TO_double)
LOOP(bfloat, bfloat, x)

#define ROW(S) \
  {S##_to_bool8, S##_to_uint8_t, S##_to_int8_t, S##_to_int16_t, S##_to_int32_t, S##_to_int64_t, S##_to_float, \
   S##_to_double, S##_to_bfloat}
static const tsm_convert_fn loops[TSM_DTYPE_COUNT][TSM_DTYPE_COUNT] = {
    ROW(bool8), ROW(uint8_t), ROW(int8_t), ROW(int16_t), ROW(int32_t), ROW(int64_t), ROW(float), ROW(double),
    ROW(bfloat),
};

tsm_convert_fn tsm_convert_loop(unsigned from, unsigned to) { return loops[from][to]; }

tsm_pair tsm_element_load(unsigned dtype, const void *element) {
  tsm_pair p;
  if (tsm_dtype_is_float(dtype)) {
    p.tag = TSM_FLOAT;
    loops[dtype][TSM_F64]((char *)&p.as.f, 0, element, 0, 1);
  } else {
    p.tag = dtype == TSM_BOOL8 ? TSM_BOOL : TSM_INT;
    loops[dtype][TSM_I64]((char *)&p.as.i, 0, element, 0, 1);
  }
  return p;
}

void tsm_element_store(unsigned dtype, void *element, tsm_pair scalar) {
  unsigned from = TSM_TAG_KIND(scalar.tag) == TSM_FLOAT ? TSM_F64 : TSM_I64;
  loops[from][dtype](element, 0, (const char *)&scalar.as, 0, 1);
}
