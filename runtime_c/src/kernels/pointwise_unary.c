/* pointwise_unary.c - one operand: signs, rounding, powers and transcendental functions; new results and in place.
 * In: a Tensor. Out: elements in the result's dtype (float32 for integers of the float functions).
 * Holds: integers wrap, and go by simd/integer.h; floats go by the rows of simd/pointwise.h, and by libm where there is
 * none. */
#include <math.h>

#include "kernels.h"
#include "pointwise.h"

/* Functions of libm, where no set or not every set has a row. */
typedef struct libm { float (*f32)(float); double (*f64)(double); } libm;

#define BY_LIBM(name, T, member)                                                                 \
  static void name(char *const *p, const int64_t *s, int64_t n, void *extra) {                   \
    const libm *f = extra;                                                                       \
    for (int64_t i = 0; i < n; i++)                                                              \
      *(T *)(void *)(p[0] + i * s[0]) = f->member(*(const T *)(const void *)(p[1] + i * s[1])); \
  }
BY_LIBM(libm_f32, float, f32)
BY_LIBM(libm_f64, double, f64)
TSM_FLOAT_TABLE(libm)

static const libm by_sin = {sinf, sin}, by_cos = {cosf, cos}, by_tan = {tanf, tan}, by_asin = {asinf, asin};
static const libm by_acos = {acosf, acos}, by_atan = {atanf, atan}, by_sinh = {sinhf, sinh}, by_cosh = {coshf, cosh};
static const libm by_atanh = {atanhf, atanh}, by_exp2 = {exp2f, exp2}, by_log10 = {log10f, log10}, by_erf = {erff, erf};
static const libm by_erfc = {erfcf, erfc};

static float lgamma_float(float x) { return (float)lgamma(x); }
static const libm by_lgamma = {lgamma_float, lgamma};

/* Reflection for negative numbers, recurrence up to 10, then the asymptotic series. */
static double digamma(double x) {
  double shifted = 0;
  if (x == 0) return copysign(INFINITY, -x);
  if (x < 0) {
    if (x == floor(x)) return NAN;
    const double pi = 3.14159265358979323846;
    return digamma(1 - x) - pi / tan(pi * fmod(x, 1));
  }
  for (; x < 10; x++) shifted -= 1 / x;
  double z = 1 / (x * x);
  double series = ((((((z / 12 - 691.0 / 32760) * z + 1.0 / 132) * z - 1.0 / 240) * z + 1.0 / 252) * z - 1.0 / 120) * z +
                   1.0 / 12) * z;
  return shifted + log(x) - 0.5 / x - series;
}
static float digamma_float(float x) { return (float)digamma(x); }
static const libm by_digamma = {digamma_float, digamma};

/* A quotient of polynomials, then Newton's method. */
static double erfinv(double y) {
  const double size = fabs(y);
  if (!(size < 1)) return size == 1 ? copysign(INFINITY, y) : NAN;
  const double z = size < 0.7 ? y * y : sqrt(-log((1 - size) / 2));
  double x = y * (((-0.140543331 * z + 0.914624893) * z - 1.645349621) * z + 0.886226899) /
             ((((0.012229801 * z - 0.329097515) * z + 1.442710462) * z - 2.118377725) * z + 1);
  if (size >= 0.7)
    x = copysign((((1.641345311 * z + 3.429567803) * z - 1.624906493) * z - 1.970840454) /
                     ((1.637067800 * z + 3.543889200) * z + 1), y);
  for (int k = 0; k < 3; k++) {
    const double miss = size < 0.5 ? erf(x) - y : copysign((1 - size) - erfc(fabs(x)), y);
    x -= miss / (exp(-x * x) * 1.12837916709551257);
  }
  return y == 0 ? y : x;
}
static float erfinv_float(float x) { return (float)erfinv(x); }
static const libm by_erfinv = {erfinv_float, erfinv};

/* What an operator does to integers, if it does not make floats of them. Rounding leaves them as they are. */
typedef enum whole { NONE, SAME, NEG, SQUARE, ABS, SIGN, RELU, NOT } whole;

static tsm_status run_whole(tsm_opcall *c, const tsm_tensor *out, uint8_t dtype, whole act) {
  const tsm_operand x = tsm_operand_tensor(tsm_arg_tensor(c, 0), dtype);
  const bool is_unsigned = dtype <= TSM_U8;
  const tsm_pair zero = {.tag = TSM_INT, .as = {.i = 0}};
  const tsm_operand operands[3] = {tsm_operand_tensor(out, dtype), act == NEG ? tsm_operand_scalar(zero, dtype) : x, x};
  switch (act) {
    case NEG: return tsm_pointwise_int(c, TSM_INT_SUB, operands, 3);
    case SQUARE: return tsm_pointwise_int(c, TSM_INT_MUL, operands, 3);
    case SIGN: return tsm_pointwise_int_with(c, TSM_INT_CLAMP, out, x, is_unsigned ? 0 : -1, 1);
    case RELU: return tsm_pointwise_int_with(c, TSM_INT_MAX, out, x, 0, 0);
    case NOT: return tsm_pointwise_int_with(c, TSM_INT_XOR, out, x, dtype == TSM_BOOL8 ? 1 : -1, 0);
    default: break;
  }
  if (dtype == TSM_BOOL8) return tsm_raise_not_implemented(c, dtype);
  return tsm_pointwise_int(c, act == ABS && !is_unsigned ? TSM_INT_ABS : TSM_INT_AND, operands, 3);
}

static tsm_status run_into(tsm_opcall *c, const tsm_tensor *out, uint8_t computed, tsm_row row, whole act,
                           const libm *f) {
  if (act != NONE && !tsm_dtype_is_float(computed)) return run_whole(c, out, computed, act);
  tsm_operand operands[2] = {tsm_operand_tensor(out, computed), tsm_operand_tensor(tsm_arg_tensor(c, 0), computed)};
  if (row != TSM_ROW_COUNT && tsm_has_row(c, computed, row)) return tsm_pointwise_row(c, computed, row, operands, 2);
  return tsm_pointwise_run(c, f ? libm_loops[computed] : NULL, (void *)(uintptr_t)f, operands, 2);
}

static tsm_status run_new(tsm_opcall *c, tsm_row row, whole act, const libm *f) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  return run_into(c, out, out->dtype, row, act, f);
}

static tsm_status run_inplace(tsm_opcall *c, uint8_t computed, tsm_row row, whole act) {
  tsm_status status = tsm_inplace_prepare(c, 1, 0, computed);
  if (!status) status = run_into(c, tsm_arg_tensor(c, 0), computed, row, act, NULL);
  return status ? status : tsm_return_self(c);
}

#define KERNEL(name, row, act, f) \
  tsm_status tsm_k_##name(tsm_opcall *c) { return run_new(c, TSM_ROW_##row, act, f); }
KERNEL(floor, FLOOR, SAME, NULL)
KERNEL(ceil, CEIL, SAME, NULL)
KERNEL(round, ROUND, SAME, NULL)
KERNEL(trunc, TRUNC, SAME, NULL)
KERNEL(neg, NEG, NEG, NULL)
KERNEL(abs, ABS, ABS, NULL)
KERNEL(sign, SIGN, SIGN, NULL)
KERNEL(square, SQUARE, SQUARE, NULL)
KERNEL(relu, RELU, RELU, NULL)
KERNEL(bitwise_not, COUNT, NOT, NULL)
KERNEL(exp, EXP, NONE, NULL)
KERNEL(expm1, EXPM1, NONE, NULL)
KERNEL(log, LOG, NONE, NULL)
KERNEL(log1p, LOG1P, NONE, NULL)
KERNEL(log2, LOG2, NONE, NULL)
KERNEL(sqrt, SQRT, NONE, NULL)
KERNEL(rsqrt, RSQRT, NONE, NULL)
KERNEL(reciprocal, RECIPROCAL, NONE, NULL)
KERNEL(sin, SIN, NONE, &by_sin)
KERNEL(cos, COS, NONE, &by_cos)
KERNEL(tan, TAN, NONE, &by_tan)
KERNEL(asin, ASIN, NONE, &by_asin)
KERNEL(acos, ACOS, NONE, &by_acos)
KERNEL(atan, ATAN, NONE, &by_atan)
KERNEL(sinh, SINH, NONE, &by_sinh)
KERNEL(cosh, COSH, NONE, &by_cosh)
KERNEL(atanh, ATANH, NONE, &by_atanh)
KERNEL(exp2, EXP2, NONE, &by_exp2)
KERNEL(log10, LOG10, NONE, &by_log10)
KERNEL(erfinv, ERFINV, NONE, &by_erfinv)
KERNEL(tanh, TANH, NONE, NULL)
KERNEL(erf, ERF, NONE, &by_erf)
KERNEL(erfc, ERFC, NONE, &by_erfc)
KERNEL(lgamma, LGAMMA, NONE, &by_lgamma)
KERNEL(digamma, COUNT, NONE, &by_digamma)
KERNEL(sigmoid, SIGMOID, NONE, NULL)

tsm_status tsm_k_clone(tsm_opcall *c) {
  return tsm_tensor_copy_into(c->ctx, tsm_result_tensor(c, 0), tsm_arg_tensor(c, 0));
}

/* neg and relu refuse bool as their infer function does. */
static tsm_status run_inplace_no_bool(tsm_opcall *c, tsm_row row, whole act) {
  tsm_meta unused;
  tsm_status status = tsm_i_unary_no_bool(c, &unused);
  return status ? status : run_inplace(c, tsm_arg_tensor(c, 0)->dtype, row, act);
}

tsm_status tsm_k_relu_(tsm_opcall *c) { return run_inplace_no_bool(c, TSM_ROW_RELU, RELU); }
tsm_status tsm_k_neg_(tsm_opcall *c) { return run_inplace_no_bool(c, TSM_ROW_NEG, NEG); }
tsm_status tsm_k_exp_(tsm_opcall *c) {
  return run_inplace(c, tsm_float_dtype(tsm_arg_tensor(c, 0)->dtype), TSM_ROW_EXP, NONE);
}
tsm_status tsm_k_sqrt_(tsm_opcall *c) {
  return run_inplace(c, tsm_float_dtype(tsm_arg_tensor(c, 0)->dtype), TSM_ROW_SQRT, NONE);
}
