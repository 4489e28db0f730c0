/* pointwise_unary.c - one operand: signs, rounding, powers and transcendental functions; new results and in place.
 * In: a Tensor. Out: elements in the result's dtype (float32 for integers of the float functions).
 * Holds: integers wrap; floats go by the rows of simd/pointwise.h, and by libm where there is none. */
#include <math.h>

#include "kernels.h"
#include "pointwise.h"

/* Rounding leaves integers as they are. */
TSM_INT_LOOPS(TSM_UNARY_LOOP, same, x)
TSM_INT_TABLE(same, NULL)

TSM_INT_LOOPS(TSM_UNARY_LOOP, neg, (wide)0 - (wide)x)
TSM_INT_TABLE(neg, NULL)

TSM_UNARY_LOOP(abs_i8, int8_t, uint32_t, int8_t, x < 0 ? (wide)0 - (wide)x : (wide)x)
TSM_UNARY_LOOP(abs_i16, int16_t, uint32_t, int16_t, x < 0 ? (wide)0 - (wide)x : (wide)x)
TSM_UNARY_LOOP(abs_i32, int32_t, uint32_t, int32_t, x < 0 ? (wide)0 - (wide)x : (wide)x)
TSM_UNARY_LOOP(abs_i64, int64_t, uint64_t, int64_t, x < 0 ? (wide)0 - (wide)x : (wide)x)
#define abs_u8 same_u8
TSM_INT_TABLE(abs, NULL)

TSM_UNARY_LOOP(sign_u8, uint8_t, uint8_t, uint8_t, x > 0)
TSM_UNARY_LOOP(sign_i8, int8_t, int8_t, int8_t, (x > 0) - (x < 0))
TSM_UNARY_LOOP(sign_i16, int16_t, int16_t, int16_t, (x > 0) - (x < 0))
TSM_UNARY_LOOP(sign_i32, int32_t, int32_t, int32_t, (x > 0) - (x < 0))
TSM_UNARY_LOOP(sign_i64, int64_t, int64_t, int64_t, (x > 0) - (x < 0))
TSM_INT_TABLE(sign, sign_u8)

TSM_INT_LOOPS(TSM_UNARY_LOOP, square, (wide)x * (wide)x)
TSM_INT_TABLE(square, NULL)

TSM_INT_LOOPS(TSM_UNARY_LOOP, relu, x > 0 ? x : 0)
TSM_INT_TABLE(relu, NULL)

TSM_INT_LOOPS(TSM_UNARY_LOOP, bitwise_not, ~x)
TSM_UNARY_LOOP(bitwise_not_bool, uint8_t, uint8_t, uint8_t, x ^ 1)
TSM_INT_TABLE(bitwise_not, bitwise_not_bool)

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

static tsm_status run_into(tsm_opcall *c, const tsm_tensor *out, uint8_t computed, tsm_row row,
                           const tsm_loop_fn *loops) {
  tsm_operand operands[2] = {tsm_operand_tensor(out, computed), tsm_operand_tensor(tsm_arg_tensor(c, 0), computed)};
  if (row != TSM_ROW_COUNT && tsm_has_row(c, computed, row)) return tsm_pointwise_row(c, computed, row, operands, 2);
  return tsm_pointwise_run(c, loops ? loops[computed] : NULL, NULL, operands, 2);
}

static tsm_status run_new(tsm_opcall *c, tsm_row row, const tsm_loop_fn *loops) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  return run_into(c, out, out->dtype, row, loops);
}

static tsm_status run_inplace(tsm_opcall *c, uint8_t computed, tsm_row row, const tsm_loop_fn *loops) {
  tsm_status status = tsm_inplace_prepare(c, 1, 0, computed);
  if (!status) status = run_into(c, tsm_arg_tensor(c, 0), computed, row, loops);
  return status ? status : tsm_return_self(c);
}

#define KERNEL(name, row, loops) \
  tsm_status tsm_k_##name(tsm_opcall *c) { return run_new(c, TSM_ROW_##row, loops); }
KERNEL(floor, FLOOR, same_loops)
KERNEL(ceil, CEIL, same_loops)
KERNEL(round, ROUND, same_loops)
KERNEL(trunc, TRUNC, same_loops)
KERNEL(neg, NEG, neg_loops)
KERNEL(abs, ABS, abs_loops)
KERNEL(sign, SIGN, sign_loops)
KERNEL(square, SQUARE, square_loops)
KERNEL(relu, RELU, relu_loops)
KERNEL(bitwise_not, COUNT, bitwise_not_loops)
KERNEL(exp, EXP, NULL)
KERNEL(expm1, EXPM1, NULL)
KERNEL(log, LOG, NULL)
KERNEL(log1p, LOG1P, NULL)
KERNEL(log2, LOG2, NULL)
KERNEL(sqrt, SQRT, NULL)
KERNEL(rsqrt, RSQRT, NULL)
KERNEL(reciprocal, RECIPROCAL, NULL)
KERNEL(sin, SIN, sin_loops)
KERNEL(cos, COS, cos_loops)
KERNEL(tan, COUNT, tan_loops)
KERNEL(tanh, TANH, NULL)
KERNEL(erf, ERF, erf_loops)
KERNEL(erfc, COUNT, erfc_loops)
KERNEL(lgamma, COUNT, lgamma_loops)
KERNEL(digamma, COUNT, digamma_loops)
KERNEL(sigmoid, SIGMOID, NULL)

tsm_status tsm_k_clone(tsm_opcall *c) {
  return tsm_tensor_copy_into(c->ctx, tsm_result_tensor(c, 0), tsm_arg_tensor(c, 0));
}

/* neg and relu refuse bool as their infer function does. */
static tsm_status run_inplace_no_bool(tsm_opcall *c, tsm_row row, const tsm_loop_fn *loops) {
  tsm_meta unused;
  tsm_status status = tsm_i_unary_no_bool(c, &unused);
  return status ? status : run_inplace(c, tsm_arg_tensor(c, 0)->dtype, row, loops);
}

tsm_status tsm_k_relu_(tsm_opcall *c) { return run_inplace_no_bool(c, TSM_ROW_RELU, relu_loops); }
tsm_status tsm_k_neg_(tsm_opcall *c) { return run_inplace_no_bool(c, TSM_ROW_NEG, neg_loops); }
tsm_status tsm_k_exp_(tsm_opcall *c) {
  return run_inplace(c, tsm_float_dtype(tsm_arg_tensor(c, 0)->dtype), TSM_ROW_EXP, NULL);
}
tsm_status tsm_k_sqrt_(tsm_opcall *c) {
  return run_inplace(c, tsm_float_dtype(tsm_arg_tensor(c, 0)->dtype), TSM_ROW_SQRT, NULL);
}
