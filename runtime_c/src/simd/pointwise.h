/* pointwise.h - elementwise operations on rows of floats, for each instruction set.
 * In: up to three rows or single values. Out: one row. The kernels of kernels/pointwise*.c and the tile interpreter of
 * fused chains call the same rows.
 * Holds: any n, any alignment, nothing beyond n elements is touched; out may be an input of the same element size (the
 * same address), never a shifted one; results do not depend on how a row is cut. Errors in ulp: see elementary.h. */
#ifndef TSM_SIMD_POINTWISE_H
#define TSM_SIMD_POINTWISE_H

#include <stddef.h>

#include "base/cpu.h"

/* Rows in a, b, c; parameters that a comment calls a value are read once, from one element of the row's float type.
 * Rows that give bool write uint8_t 0 or 1; masks are read as uint8_t, any value but 0 being true. */
typedef void (*tsm_row_op)(void *out, const void *a, const void *b, const void *c, size_t n);

/* X(name): row of a -> float. */
#define TSM_ROWS_UNARY(X)                                                                                     \
  X(NEG) X(ABS) X(SIGN) X(SQUARE) X(CUBE) X(SQRT) X(RSQRT) X(RECIPROCAL) X(FLOOR) X(CEIL) X(ROUND) X(TRUNC)   \
  X(RELU) X(EXP) X(EXPM1) X(LOG) X(LOG1P) X(LOG2) X(SIN) X(COS) X(TANH) X(SIGMOID) X(ERF) X(GELU) X(GELU_TANH) \
  X(SILU) X(HARDSIGMOID) X(HARDSWISH) X(EXP2) X(LOG10) X(TAN) X(ASIN) X(ACOS) X(ATAN) X(SINH) X(COSH) X(ATANH) \
  X(ERFC) X(ERFINV) X(LGAMMA)                                                                                 \
  X(LEAKY_RELU) /* slope: value b */                                                                          \
  X(ELU)        /* alpha: value b */                                                                          \
  X(SOFTPLUS)   /* beta: value b; threshold: value c */                                                       \
  X(CLAMP)      /* low: value b; high: value c; a NaN bound gives NaN */
/* X(name): two operands -> float. Three entries each: both rows, then name_VS with b a value, name_SV with a one. */
#define TSM_ROWS_BINARY(X) X(ADD) X(SUB) X(MUL) X(DIV) X(MAX) X(MIN) X(POW)
/* The same, -> bool. */
#define TSM_ROWS_COMPARE(X) X(EQ) X(NE) X(LT) X(LE) X(GT) X(GE)
/* X(name): row of a -> bool. */
#define TSM_ROWS_TEST(X) X(IS_ZERO) X(IS_NAN) X(IS_INF) X(IS_FINITE) X(IS_TRUE)
/* Others: */
#define TSM_ROWS_OTHER(X)                                                                                     \
  X(ADD_SCALED) /* a + c * b, c a value: torch.add's alpha */                                                 \
  X(FMA)        /* a * b + c, rounded once where the set has it (not base on x86) */                          \
  X(WHERE)      /* mask a ? b : c */                                                                          \
  X(WHERE_VS)   /* mask a ? b : value c */                                                                    \
  X(WHERE_SV)   /* mask a ? value b : c */                                                                    \
  X(ATAN2) X(HYPOT) X(FMOD) X(REMAINDER) X(FLOOR_DIVIDE) /* of a and b */                                     \
  X(FILL)       /* value a */                                                                                 \
  X(FROM_BOOL)  /* bool (or uint8_t), int32_t, int64_t, the other float type -> this float type */            \
  X(FROM_I32) X(FROM_I64) X(FROM_FLOAT)

#define TSM_ROW_ONE_(name) TSM_ROW_##name,
#define TSM_ROW_THREE_(name) TSM_ROW_##name, TSM_ROW_##name##_VS, TSM_ROW_##name##_SV,
typedef enum tsm_row {
  TSM_ROWS_UNARY(TSM_ROW_ONE_) TSM_ROWS_BINARY(TSM_ROW_THREE_) TSM_ROWS_COMPARE(TSM_ROW_THREE_)
  TSM_ROWS_TEST(TSM_ROW_ONE_) TSM_ROWS_OTHER(TSM_ROW_ONE_)
  TSM_ROW_COUNT
} tsm_row;

/* The row that takes what is at hand: `row` is one without _VS or _SV, bits 0, 1, 2 of `values` say that a, b, c are
 * single values. Operands that are values though the row wants rows remain in *out_splat: they must be spread out. */
static inline tsm_row tsm_row_for(tsm_row row, unsigned values, unsigned *out_splat) {
  if (row >= TSM_ROW_ADD && row < TSM_ROW_IS_ZERO) {
    *out_splat = values == 3 ? 1 : 0;
    return (tsm_row)(row + (values & 2u ? 1 : values & 1u ? 2 : 0));
  }
  if (row == TSM_ROW_WHERE) {
    *out_splat = values & (values & 4u ? 3u : 1u);
    return values & 4u ? TSM_ROW_WHERE_VS : values & 2u ? TSM_ROW_WHERE_SV : row;
  }
  unsigned taken = row == TSM_ROW_LEAKY_RELU || row == TSM_ROW_ELU ? 2u
                   : row == TSM_ROW_SOFTPLUS || row == TSM_ROW_CLAMP ? 6u
                   : row == TSM_ROW_ADD_SCALED ? 4u : row == TSM_ROW_FILL ? 1u : 0u;
  *out_splat = values & ~taken;
  return row;
}

/* The rows of an instruction set, of which a runtime has its own in rt->rows: as constants they would be 500 relocated
 * pointers. NULL: this set has no such row; the caller has a plain loop over libm, or declines. */
typedef struct tsm_row_set { tsm_row_op f32[TSM_ROW_COUNT], f64[TSM_ROW_COUNT]; } tsm_row_set;
typedef struct tsm_row_source { void (*fill)(tsm_row_set *out_rows); } tsm_row_source; /* all that is not NULL */
TSM_ISA_DECLARE(tsm_row_source, tsm_rows);
static inline void tsm_rows_fill(tsm_isa isa, tsm_row_set *out_rows) {
  static const tsm_row_source *const sources[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_rows);
  *out_rows = (tsm_row_set){{NULL}, {NULL}};
  sources[isa]->fill(out_rows);
}

#endif
