/* scalar.h - what arithmetic on bool, int and float means, written once: kernels and the VM's opcodes share it.
 * In: operands. Out: TSM_FAULT_NONE and the result, or the fault that says which Python exception to raise.
 * Holds: no undefined behaviour for any operands; int / int and conversions are correctly rounded. */
#ifndef TSM_SCALAR_H
#define TSM_SCALAR_H

#include <math.h>

#include "base/context.h"

/* fault, exception class, text; %s stands for the operation as Python writes it. */
#define TSM_FAULT_LIST(X)                                                                               \
  X(NONE, "SystemError", "no error")                                                                    \
  X(INT_OVERFLOW, "OverflowError", "integer overflow: the result of %s does not fit in 64 bits")        \
  X(INT_FLOORDIV_ZERO, "ZeroDivisionError", "integer division or modulo by zero")                       \
  X(INT_MOD_ZERO, "ZeroDivisionError", "integer modulo by zero")                                        \
  X(INT_TRUEDIV_ZERO, "ZeroDivisionError", "division by zero")                                          \
  X(FLOAT_DIV_ZERO, "ZeroDivisionError", "float division by zero")                                      \
  X(FLOAT_FLOORDIV_ZERO, "ZeroDivisionError", "float floor division by zero")                           \
  X(FLOAT_MOD_ZERO, "ZeroDivisionError", "float modulo")                                                \
  X(NEGATIVE_EXPONENT, "ValueError", "an int to a negative power is not an int: write float(x) ** n")   \
  X(NEGATIVE_SHIFT, "ValueError", "negative shift count")                                               \
  X(ZERO_TO_NEGATIVE, "ZeroDivisionError", "0.0 cannot be raised to a negative power")                  \
  X(POWER_OVERFLOW, "OverflowError", "")                                                                \
  X(POWER_COMPLEX, "ValueError", "a negative float to a fractional power is not a float")               \
  X(NAN_TO_INT, "ValueError", "cannot convert float NaN to integer")                                    \
  X(INFINITY_TO_INT, "OverflowError", "cannot convert float infinity to integer")                       \
  X(ROUND_OVERFLOW, "OverflowError", "rounded value too large to represent")                            \
  X(MATH_DOMAIN, "ValueError", "math domain error")                                                     \
  X(MATH_RANGE, "OverflowError", "math range error")                                                    \
  X(COMPLEX_DIV_ZERO, "ZeroDivisionError", "complex division by zero")                                  \
  X(COMPLEX_ZERO_POWER, "ZeroDivisionError", "0.0 to a negative or complex power")                      \
  X(COMPLEX_POWER, "OverflowError", "complex exponentiation")                                           \
  X(COMPLEX_ABS, "OverflowError", "absolute value too large")
typedef enum tsm_fault {
#define TSM_FAULT_ENUM_(name, type, text) TSM_FAULT_##name,
  TSM_FAULT_LIST(TSM_FAULT_ENUM_)
#undef TSM_FAULT_ENUM_
} tsm_fault;

/* Raises the exception of a fault; `operation` is a static text as "+" or "int()". Returns TSM_ERR_RAISED. */
tsm_status tsm_raise_fault(tsm_context *ctx, tsm_fault fault, const char *operation);

static inline tsm_fault tsm_int_add(int64_t a, int64_t b, int64_t *out) {
  return tsm_add_overflows(a, b, out) ? TSM_FAULT_INT_OVERFLOW : TSM_FAULT_NONE;
}
static inline tsm_fault tsm_int_sub(int64_t a, int64_t b, int64_t *out) {
  return tsm_sub_overflows(a, b, out) ? TSM_FAULT_INT_OVERFLOW : TSM_FAULT_NONE;
}
static inline tsm_fault tsm_int_mul(int64_t a, int64_t b, int64_t *out) {
  return tsm_mul_overflows(a, b, out) ? TSM_FAULT_INT_OVERFLOW : TSM_FAULT_NONE;
}
static inline tsm_fault tsm_int_neg(int64_t a, int64_t *out) { return tsm_int_sub(0, a, out); }
static inline tsm_fault tsm_int_abs(int64_t a, int64_t *out) {
  *out = a;
  return a < 0 ? tsm_int_neg(a, out) : TSM_FAULT_NONE;
}
static inline tsm_fault tsm_int_floordiv(int64_t a, int64_t b, int64_t *out) {
  if (TSM_UNLIKELY(b == 0)) return TSM_FAULT_INT_FLOORDIV_ZERO;
  if (TSM_UNLIKELY(b == -1)) return tsm_int_neg(a, out);
  int64_t q = a / b;
  *out = q - (a % b != 0 && (a < 0) != (b < 0));
  return TSM_FAULT_NONE;
}
static inline tsm_fault tsm_int_mod(int64_t a, int64_t b, int64_t *out) {
  if (TSM_UNLIKELY(b == 0)) return TSM_FAULT_INT_MOD_ZERO;
  *out = 0;
  if (TSM_UNLIKELY(b == -1)) return TSM_FAULT_NONE;
  int64_t r = a % b;
  *out = r != 0 && (r < 0) != (b < 0) ? r + b : r;
  return TSM_FAULT_NONE;
}
static inline tsm_fault tsm_int_pow(int64_t a, int64_t b, int64_t *out) {
  int64_t result = 1;
  if (b < 0) return a ? TSM_FAULT_NEGATIVE_EXPONENT : TSM_FAULT_ZERO_TO_NEGATIVE;
  for (;;) {
    if ((b & 1) && tsm_mul_overflows(result, a, &result)) return TSM_FAULT_INT_OVERFLOW;
    b >>= 1;
    if (!b) break;
    if (tsm_mul_overflows(a, a, &a)) return TSM_FAULT_INT_OVERFLOW;
  }
  *out = result;
  return TSM_FAULT_NONE;
}
static inline tsm_fault tsm_int_lshift(int64_t a, int64_t b, int64_t *out) {
  if (b < 0) return TSM_FAULT_NEGATIVE_SHIFT;
  *out = 0;
  if (a == 0) return TSM_FAULT_NONE;
  if (b > 63) return TSM_FAULT_INT_OVERFLOW;
  *out = (int64_t)((uint64_t)a << b);
  return *out >> b == a ? TSM_FAULT_NONE : TSM_FAULT_INT_OVERFLOW;
}
static inline tsm_fault tsm_int_rshift(int64_t a, int64_t b, int64_t *out) {
  if (b < 0) return TSM_FAULT_NEGATIVE_SHIFT;
  *out = a >> (b > 63 ? 63 : b);
  return TSM_FAULT_NONE;
}
/* The quotient of operands beyond 2^53, by long division to 56 bits and a sticky one. */
double tsm_int_truediv_large(int64_t a, int64_t b);
static inline tsm_fault tsm_int_truediv(int64_t a, int64_t b, double *out) {
  const int64_t exact = INT64_C(1) << 53;
  if (TSM_UNLIKELY(b == 0)) return TSM_FAULT_INT_TRUEDIV_ZERO;
  bool is_exact = a <= exact && a >= -exact && b <= exact && b >= -exact;
  *out = is_exact ? (double)a / (double)b : tsm_int_truediv_large(a, b);
  return TSM_FAULT_NONE;
}

static inline tsm_fault tsm_float_truediv(double a, double b, double *out) {
  if (TSM_UNLIKELY(b == 0)) return TSM_FAULT_FLOAT_DIV_ZERO;
  *out = a / b;
  return TSM_FAULT_NONE;
}
static inline double tsm_float_remainder(double a, double b) {
  double r = fmod(a, b);
  if (r != 0) return (b < 0) != (r < 0) ? r + b : r;
  return copysign(0.0, b);
}
static inline tsm_fault tsm_float_mod(double a, double b, double *out) {
  if (TSM_UNLIKELY(b == 0)) return TSM_FAULT_FLOAT_MOD_ZERO;
  *out = tsm_float_remainder(a, b);
  return TSM_FAULT_NONE;
}
static inline tsm_fault tsm_float_floordiv(double a, double b, double *out) {
  if (TSM_UNLIKELY(b == 0)) return TSM_FAULT_FLOAT_FLOORDIV_ZERO;
  double r = fmod(a, b), q = (a - r) / b;
  if (r != 0 && (b < 0) != (r < 0)) q -= 1.0;
  if (q != 0) {
    double whole = floor(q);
    *out = q - whole > 0.5 ? whole + 1.0 : whole;
  } else {
    *out = copysign(0.0, a / b);
  }
  return TSM_FAULT_NONE;
}
tsm_fault tsm_float_pow(double a, double b, double *out);

/* Truncates. */
static inline tsm_fault tsm_float_to_int(double f, int64_t *out) {
  if (TSM_LIKELY(f >= -0x1p63 && f < 0x1p63)) {
    *out = (int64_t)f;
    return TSM_FAULT_NONE;
  }
  return isnan(f) ? TSM_FAULT_NAN_TO_INT : isinf(f) ? TSM_FAULT_INFINITY_TO_INT : TSM_FAULT_INT_OVERFLOW;
}
/* To the nearest int, ties to even. */
static inline tsm_fault tsm_float_to_nearest(double f, int64_t *out) {
  double rounded = round(f);
  if (fabs(f - rounded) == 0.5) rounded = 2.0 * round(f / 2.0);
  return tsm_float_to_int(rounded, out);
}

static inline int64_t tsm_int_min(int64_t a, int64_t b) { return b < a ? b : a; }
static inline int64_t tsm_int_max(int64_t a, int64_t b) { return b > a ? b : a; }
static inline double tsm_float_min(double a, double b) { return b < a ? b : a; }
static inline double tsm_float_max(double a, double b) { return b > a ? b : a; }

/* len(range(start, stop, step)); step is not 0. */
static inline tsm_fault tsm_range_length(int64_t start, int64_t stop, int64_t step, int64_t *out) {
  *out = 0;
  if (step > 0 ? start >= stop : start <= stop) return TSM_FAULT_NONE;
  uint64_t span = step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
  uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
  uint64_t length = (span - 1) / stride + 1;
  if (length > INT64_MAX) return TSM_FAULT_INT_OVERFLOW;
  *out = (int64_t)length;
  return TSM_FAULT_NONE;
}

/* Numbers whose kind is known only at run time (tags BOOL, INT, FLOAT, COMPLEX). Results own a count; complex ones are
 * made on ctx->heap. They raise through ctx. */
tsm_status tsm_scalar_add(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out);
tsm_status tsm_scalar_sub(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out);
tsm_status tsm_scalar_mul(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out);
tsm_status tsm_scalar_truediv(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out);
tsm_status tsm_scalar_floordiv(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out);
tsm_status tsm_scalar_mod(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out);
tsm_status tsm_scalar_pow(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out);
tsm_status tsm_scalar_neg(tsm_context *ctx, tsm_pair a, tsm_pair *out);
tsm_status tsm_scalar_pos(tsm_context *ctx, tsm_pair a, tsm_pair *out);
tsm_status tsm_scalar_abs(tsm_context *ctx, tsm_pair a, tsm_pair *out);
tsm_status tsm_scalar_to_int(tsm_context *ctx, tsm_pair a, int64_t *out);
tsm_status tsm_scalar_to_float(tsm_context *ctx, tsm_pair a, double *out);
bool tsm_scalar_truth(tsm_pair a);

#endif
