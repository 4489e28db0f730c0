/* activation.c - activation functions with parameters.
 * In: a float Tensor and numbers. Out: the same dtype.
 * Holds: parameters are rounded to the tensor's dtype once, before the loop. */
#include <math.h>

#include "kernels.h"
#include "pointwise.h"

/* Parameters in both dtypes, so that each loop reads its own. */
typedef struct parameters { float f32[2]; double f64[2]; } parameters;
#define F(i) (((const parameters *)extra)->f32[i])
#define D(i) (((const parameters *)extra)->f64[i])

#define ACTIVATION(name, EXPRESSION_F32, EXPRESSION_F64)                \
  TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, name, EXPRESSION_F32, EXPRESSION_F64) \
  TSM_FLOAT_TABLE(name)

static inline float gelu_by_tanhf(float x) {
  return 0.5f * x * (1.0f + tanhf(0.7978845608028654f * (x + 0.044715f * x * x * x)));
}
static inline double gelu_by_tanh(double x) {
  return 0.5 * x * (1.0 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

ACTIVATION(leaky_relu, x > 0 ? x : x * F(0), x > 0 ? x : x * D(0))
ACTIVATION(elu, x > 0 ? x : F(0) * expm1f(x), x > 0 ? x : D(0) * expm1(x))
ACTIVATION(gelu, 0.5f * x * (1.0f + erff(x * 0.70710678118654752f)), 0.5 * x * (1.0 + erf(x * 0.70710678118654752)))
ACTIVATION(gelu_tanh, gelu_by_tanhf(x), gelu_by_tanh(x))
ACTIVATION(silu, x / (1.0f + expf(-x)), x / (1.0 + exp(-x)))
ACTIVATION(softplus, x *F(0) > F(1) ? x : log1pf(expf(x * F(0))) / F(0), x *D(0) > D(1) ? x : log1p(exp(x * D(0))) / D(0))

static tsm_status run(tsm_opcall *c, const tsm_loop_fn *loops, size_t parameter_count) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  parameters params = {{0, 0}, {0, 0}};
  for (size_t i = 0; i < parameter_count; i++) {
    tsm_element_store(TSM_F64, &params.f64[i], tsm_arg_pair(c, i + 1));
    params.f32[i] = (float)params.f64[i];
  }
  tsm_operand operands[2] = {tsm_operand_tensor(out, out->dtype), tsm_operand_tensor(tsm_arg_tensor(c, 0), out->dtype)};
  return tsm_pointwise_run(c, loops[out->dtype], &params, operands, 2);
}

tsm_status tsm_k_leaky_relu(tsm_opcall *c) { return run(c, leaky_relu_loops, 1); }
tsm_status tsm_k_elu(tsm_opcall *c) { return run(c, elu_loops, 1); }
tsm_status tsm_k_silu(tsm_opcall *c) { return run(c, silu_loops, 0); }
tsm_status tsm_k_softplus(tsm_opcall *c) { return run(c, softplus_loops, 2); }

tsm_status tsm_k_gelu(tsm_opcall *c) {
  const tsm_str *approximate = tsm_arg_str(c, 1);
  if (!strcmp(approximate->bytes, "none")) return run(c, gelu_loops, 0);
  if (!strcmp(approximate->bytes, "tanh")) return run(c, gelu_tanh_loops, 0);
  return tsm_raise(c->ctx, "RuntimeError", "gelu: approximate must be 'none' or 'tanh', but got '%.60s'",
                   approximate->bytes);
}
