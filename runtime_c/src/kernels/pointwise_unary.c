/* pointwise_unary.c - one operand: signs, rounding, powers and transcendental functions; new results and in place.
 * In: a Tensor. Out: elements in the result's dtype (float32 for integers of the float functions).
 * Holds: integers wrap; rounding leaves integers as they are. */
#include <math.h>

#include "kernels.h"
#include "pointwise.h"

#define COPY_LOOPS(name, FLOAT_F32, FLOAT_F64)   \
  TSM_INT_LOOPS(TSM_UNARY_LOOP, name, x)         \
  TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, name, FLOAT_F32, FLOAT_F64)
COPY_LOOPS(floor, floorf(x), floor(x))
COPY_LOOPS(ceil, ceilf(x), ceil(x))
COPY_LOOPS(round, rintf(x), rint(x))
COPY_LOOPS(trunc, truncf(x), trunc(x))
TSM_LOOP_TABLE(floor, NULL)
TSM_LOOP_TABLE(ceil, NULL)
TSM_LOOP_TABLE(round, NULL)
TSM_LOOP_TABLE(trunc, NULL)

TSM_INT_LOOPS(TSM_UNARY_LOOP, clone, x)
TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, clone, x, x)
TSM_LOOP_TABLE(clone, clone_u8)

TSM_INT_LOOPS(TSM_UNARY_LOOP, neg, (wide)0 - (wide)x)
TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, neg, -x, -x)
TSM_LOOP_TABLE(neg, NULL)

TSM_UNARY_LOOP(abs_u8, uint8_t, uint8_t, uint8_t, x)
TSM_UNARY_LOOP(abs_i8, int8_t, uint32_t, int8_t, x < 0 ? (wide)0 - (wide)x : (wide)x)
TSM_UNARY_LOOP(abs_i16, int16_t, uint32_t, int16_t, x < 0 ? (wide)0 - (wide)x : (wide)x)
TSM_UNARY_LOOP(abs_i32, int32_t, uint32_t, int32_t, x < 0 ? (wide)0 - (wide)x : (wide)x)
TSM_UNARY_LOOP(abs_i64, int64_t, uint64_t, int64_t, x < 0 ? (wide)0 - (wide)x : (wide)x)
TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, abs, fabsf(x), fabs(x))
TSM_LOOP_TABLE(abs, NULL)

TSM_UNARY_LOOP(sign_u8, uint8_t, uint8_t, uint8_t, x > 0)
TSM_UNARY_LOOP(sign_i8, int8_t, int8_t, int8_t, (x > 0) - (x < 0))
TSM_UNARY_LOOP(sign_i16, int16_t, int16_t, int16_t, (x > 0) - (x < 0))
TSM_UNARY_LOOP(sign_i32, int32_t, int32_t, int32_t, (x > 0) - (x < 0))
TSM_UNARY_LOOP(sign_i64, int64_t, int64_t, int64_t, (x > 0) - (x < 0))
TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, sign, (x > 0) - (x < 0), (x > 0) - (x < 0))
TSM_LOOP_TABLE(sign, clone_u8)

TSM_NUMBER_LOOPS(TSM_UNARY_LOOP, square, (wide)x * (wide)x)
TSM_LOOP_TABLE(square, NULL)

TSM_INT_LOOPS(TSM_UNARY_LOOP, relu, x > 0 ? x : 0)
/* -0.0 and NaN stay */
TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, relu, x < 0 ? 0 : x, x < 0 ? 0 : x)
TSM_LOOP_TABLE(relu, NULL)

TSM_INT_LOOPS(TSM_UNARY_LOOP, bitwise_not, ~x)
TSM_UNARY_LOOP(bitwise_not_bool, uint8_t, uint8_t, uint8_t, x ^ 1)
TSM_INT_TABLE(bitwise_not, bitwise_not_bool)

#define FLOAT_FUNCTION(name, EXPRESSION_F32, EXPRESSION_F64)             \
  TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, name, EXPRESSION_F32, EXPRESSION_F64)  \
  TSM_FLOAT_TABLE(name)
FLOAT_FUNCTION(exp, expf(x), exp(x))
FLOAT_FUNCTION(expm1, expm1f(x), expm1(x))
FLOAT_FUNCTION(log, logf(x), log(x))
FLOAT_FUNCTION(log1p, log1pf(x), log1p(x))
FLOAT_FUNCTION(log2, log2f(x), log2(x))
FLOAT_FUNCTION(sqrt, sqrtf(x), sqrt(x))
FLOAT_FUNCTION(rsqrt, 1.0f / sqrtf(x), 1.0 / sqrt(x))
FLOAT_FUNCTION(reciprocal, 1.0f / x, 1.0 / x)
FLOAT_FUNCTION(sin, sinf(x), sin(x))
FLOAT_FUNCTION(cos, cosf(x), cos(x))
FLOAT_FUNCTION(tan, tanf(x), tan(x))
FLOAT_FUNCTION(tanh, tanhf(x), tanh(x))
FLOAT_FUNCTION(erf, erff(x), erf(x))
FLOAT_FUNCTION(sigmoid, 1.0f / (1.0f + expf(-x)), 1.0 / (1.0 + exp(-x)))

static tsm_status run_into(tsm_opcall *c, const tsm_tensor *out, uint8_t computed, const tsm_loop_fn *loops) {
  tsm_operand operands[2] = {tsm_operand_tensor(out, computed), tsm_operand_tensor(tsm_arg_tensor(c, 0), computed)};
  return tsm_pointwise_run(c, loops[computed], NULL, operands, 2);
}

static tsm_status run_new(tsm_opcall *c, const tsm_loop_fn *loops) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  return run_into(c, out, out->dtype, loops);
}

static tsm_status run_inplace(tsm_opcall *c, uint8_t computed, const tsm_loop_fn *loops) {
  tsm_status status = tsm_inplace_prepare(c, 1, 0, computed);
  if (!status) status = run_into(c, tsm_arg_tensor(c, 0), computed, loops);
  return status ? status : tsm_return_self(c);
}

#define KERNEL(name) \
  tsm_status tsm_k_##name(tsm_opcall *c) { return run_new(c, name##_loops); }
KERNEL(floor)
KERNEL(ceil)
KERNEL(round)
KERNEL(trunc)
KERNEL(clone)
KERNEL(neg)
KERNEL(abs)
KERNEL(sign)
KERNEL(square)
KERNEL(relu)
KERNEL(bitwise_not)
KERNEL(exp)
KERNEL(expm1)
KERNEL(log)
KERNEL(log1p)
KERNEL(log2)
KERNEL(sqrt)
KERNEL(rsqrt)
KERNEL(reciprocal)
KERNEL(sin)
KERNEL(cos)
KERNEL(tan)
KERNEL(tanh)
KERNEL(erf)
KERNEL(sigmoid)

/* neg and relu refuse bool as their infer function does. */
static tsm_status run_inplace_no_bool(tsm_opcall *c, const tsm_loop_fn *loops) {
  tsm_meta unused;
  tsm_status status = tsm_i_unary_no_bool(c, &unused);
  return status ? status : run_inplace(c, tsm_arg_tensor(c, 0)->dtype, loops);
}

tsm_status tsm_k_relu_(tsm_opcall *c) { return run_inplace_no_bool(c, relu_loops); }
tsm_status tsm_k_neg_(tsm_opcall *c) { return run_inplace_no_bool(c, neg_loops); }
tsm_status tsm_k_exp_(tsm_opcall *c) { return run_inplace(c, tsm_float_dtype(tsm_arg_tensor(c, 0)->dtype), exp_loops); }
tsm_status tsm_k_sqrt_(tsm_opcall *c) {
  return run_inplace(c, tsm_float_dtype(tsm_arg_tensor(c, 0)->dtype), sqrt_loops);
}
