/* pointwise.c - the rows of pointwise.h on this instruction set, for both float types.
 * In: rows. Out: what fills a tsm_row_set with those of this set. Holds: see pointwise_rows.h, which has the bodies. */
/* The bodies are written out in vectors: what -O3 adds to them is only size. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
#include "pointwise.h"

#include "elementary.h"
#if defined(__FMA__) || defined(__aarch64__)
#include "angles.h"
#include "quotients.h"
#include "special.h"
#endif

#if TSM_VB != 64
/* The elements from `at` on through one whole vector: `sizes` has a byte an operand, its bytes an element or 0. */
static __attribute__((noinline)) void finish(tsm_row_op row, void *out, const void *a, const void *b, const void *c,
                                             size_t at, size_t n, uint32_t sizes) {
  uint64_t copies[4][TSM_VB / 8];
  const void *from[3] = {a, b, c};
  const size_t count = n - at, lanes = TSM_VB / (sizes >> 8 & 8u || sizes & 8u || sizes >> 16 & 8u ? 8u : 4u);
  memset(copies, 0, sizeof copies);
  for (unsigned k = 0; k < 3; k++) {
    const size_t size = sizes >> 8 * (k + 1) & 255u;
    if (!size) continue;
    memcpy(copies[k + 1], (const char *)from[k] + at * size, count * size);
    from[k] = copies[k + 1];
  }
  row(copies[0], from[0], from[1], from[2], lanes);
  const size_t size = sizes & 255u;
  memcpy((char *)out + at * size, copies[0], count * size);
}
#endif

#define REAL float
#define OTHER_REAL double
#define BITS 32
#define V(name) vf##name
#define MASK vfm
#define ROW(name) name##_f32
#define LIBM(name) name##f
#define WAVE_LIMIT 32768.0f
#define QUOTIENT TSM_QUOTIENT_vf
#if TSM_VB == 64
#define KMASK __mmask16
#define LOAD_MASKED(p, k) ((vf)_mm512_maskz_loadu_ps(k, p))
#define STORE_MASKED(p, v, k) _mm512_mask_storeu_ps(p, k, (__m512)(v))
#else
#define KMASK int
#endif
#include "pointwise_rows.h"

#define REAL double
#define OTHER_REAL float
#define BITS 64
#define V(name) vd##name
#define MASK vdm
#define ROW(name) name##_f64
#define LIBM(name) name
#define WAVE_LIMIT 1e8
#define QUOTIENT TSM_QUOTIENT_vd
#if TSM_VB == 64
#define KMASK __mmask8
#define LOAD_MASKED(p, k) ((vd)_mm512_maskz_loadu_pd(k, p))
#define STORE_MASKED(p, v, k) _mm512_mask_storeu_pd(p, k, (__m512d)(v))
#else
#define KMASK int
#endif
#include "pointwise_rows.h"

#define ONE(name) rows[TSM_ROW_##name] = ROW(name);
#define THREE(name) ONE(name) ONE(name##_VS) ONE(name##_SV)
/* The rows of a set; those it lacks are NULL. */
#define BOTH_TABLES(X)                                                                                                \
  X(NEG) X(ABS) X(SIGN) X(SQUARE) X(CUBE) X(SQRT) X(RSQRT) X(RECIPROCAL) X(FLOOR) X(CEIL) X(ROUND) X(TRUNC) X(RELU)   \
  X(EXP) X(EXPM1) X(LOG) X(LOG1P) X(LOG2) X(TANH) X(SIGMOID) X(GELU_TANH) X(SILU) X(LEAKY_RELU) X(ELU) X(SOFTPLUS)    \
  X(CLAMP) X(HARDSIGMOID) X(HARDSWISH)
#if TSM_HAS_FMA
#define WITH_FMA(X)                                                                                                   \
  X(SIN) X(COS) X(TAN) X(EXP2) X(LOG10) X(ASIN) X(ACOS) X(ATAN) X(SINH) X(COSH) X(ATANH) X(ERFC) X(ERFINV) X(ATAN2)   \
  X(HYPOT) X(FMOD) X(REMAINDER) X(FLOOR_DIVIDE)
#define FLOATS_WITH_FMA(X) X(LGAMMA)
#define DOUBLES_WITH_FMA(X) X(ERF) X(GELU)
#else
#define WITH_FMA(X)
#define FLOATS_WITH_FMA(X)
#define DOUBLES_WITH_FMA(X)
#endif
/* What both tables have of the others. */
#define OTHERS(X)                                                                                                     \
  X(ADD_SCALED) X(FMA) X(WHERE) X(WHERE_VS) X(WHERE_SV) X(FILL) X(FROM_BOOL) X(FROM_I32) X(FROM_I64) X(FROM_FLOAT)
#define BINARIES(X) X(ADD) X(SUB) X(MUL) X(DIV) X(MAX) X(MIN)

static void fill(tsm_row_set *out_rows) {
  tsm_row_op *rows = out_rows->f32;
#define ROW(name) name##_f32
  BOTH_TABLES(ONE) WITH_FMA(ONE) FLOATS_WITH_FMA(ONE) ONE(ERF) ONE(GELU) THREE(POW) BINARIES(THREE)
  TSM_ROWS_COMPARE(THREE) TSM_ROWS_TEST(ONE) OTHERS(ONE)
#undef ROW
  rows = out_rows->f64;
#define ROW(name) name##_f64
  BOTH_TABLES(ONE) WITH_FMA(ONE) DOUBLES_WITH_FMA(ONE) BINARIES(THREE) TSM_ROWS_COMPARE(THREE) TSM_ROWS_TEST(ONE)
  OTHERS(ONE)
}

const tsm_row_source TSM_NAMED(tsm_rows) = {fill};
