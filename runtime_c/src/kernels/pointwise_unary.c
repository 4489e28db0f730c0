/* pointwise_unary.c - one operand: signs, rounding, powers and transcendental functions; new results and in place.
 * In: a Tensor. Out: elements in the result's dtype (float32 for integers of the float functions).
 * Holds: integers wrap, and go by simd/integer.h; floats go by the rows of simd/pointwise.h, and by libm where there is
 * none. */
#include <math.h>

#include "kernels.h"
#include "pointwise.h"

/* By libm, where no set or not every set has a row. */
#define FLOAT_FUNCTION(name, EXPRESSION_F32, EXPRESSION_F64)             \
  TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, name, EXPRESSION_F32, EXPRESSION_F64)  \
  TSM_FLOAT_TABLE(name)
FLOAT_FUNCTION(sin, sinf(x), sin(x))
FLOAT_FUNCTION(cos, cosf(x), cos(x))
FLOAT_FUNCTION(tan, tanf(x), tan(x))
TSM_UNARY_LOOP(erf_f64, double, double, double, erf(x))
#define erf_f32 NULL
TSM_FLOAT_TABLE(erf)
FLOAT_FUNCTION(erfc, erfcf(x), erfc(x))
FLOAT_FUNCTION(lgamma, (float)lgamma(x), lgamma(x))

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
FLOAT_FUNCTION(digamma, (float)digamma(x), digamma(x))

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
                           const tsm_loop_fn *loops) {
  if (act != NONE && !tsm_dtype_is_float(computed)) return run_whole(c, out, computed, act);
  tsm_operand operands[2] = {tsm_operand_tensor(out, computed), tsm_operand_tensor(tsm_arg_tensor(c, 0), computed)};
  if (row != TSM_ROW_COUNT && tsm_has_row(c, computed, row)) return tsm_pointwise_row(c, computed, row, operands, 2);
  return tsm_pointwise_run(c, loops ? loops[computed] : NULL, NULL, operands, 2);
}

static tsm_status run_new(tsm_opcall *c, tsm_row row, whole act, const tsm_loop_fn *loops) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  return run_into(c, out, out->dtype, row, act, loops);
}

static tsm_status run_inplace(tsm_opcall *c, uint8_t computed, tsm_row row, whole act) {
  tsm_status status = tsm_inplace_prepare(c, 1, 0, computed);
  if (!status) status = run_into(c, tsm_arg_tensor(c, 0), computed, row, act, NULL);
  return status ? status : tsm_return_self(c);
}

#define KERNEL(name, row, act, loops) \
  tsm_status tsm_k_##name(tsm_opcall *c) { return run_new(c, TSM_ROW_##row, act, loops); }
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
KERNEL(sin, SIN, NONE, sin_loops)
KERNEL(cos, COS, NONE, cos_loops)
KERNEL(tan, COUNT, NONE, tan_loops)
KERNEL(tanh, TANH, NONE, NULL)
KERNEL(erf, ERF, NONE, erf_loops)
KERNEL(erfc, COUNT, NONE, erfc_loops)
KERNEL(lgamma, COUNT, NONE, lgamma_loops)
KERNEL(digamma, COUNT, NONE, digamma_loops)
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
