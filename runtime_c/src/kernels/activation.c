/* activation.c - activation functions with parameters.
 * In: a float Tensor and numbers. Out: the same dtype.
 * Holds: parameters are rounded to the tensor's dtype once; only gelu of float64 may have no row. */
#include <math.h>

#include "kernels.h"
#include "pointwise.h"

TSM_UNARY_LOOP(gelu_f64, double, double, double, 0.5 * x * erfc(x * -0.70710678118654752))

static tsm_status run(tsm_opcall *c, tsm_row row, size_t parameter_count) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  tsm_operand operands[4] = {tsm_operand_tensor(out, out->dtype), tsm_operand_tensor(tsm_arg_tensor(c, 0), out->dtype)};
  for (size_t i = 0; i < parameter_count; i++) operands[i + 2] = tsm_operand_scalar(tsm_arg_pair(c, i + 1), out->dtype);
  if (tsm_has_row(c, out->dtype, row)) return tsm_pointwise_row(c, out->dtype, row, operands, (int)parameter_count + 2);
  return tsm_pointwise_run(c, gelu_f64, NULL, operands, 2);
}

tsm_status tsm_k_leaky_relu(tsm_opcall *c) { return run(c, TSM_ROW_LEAKY_RELU, 1); }
tsm_status tsm_k_elu(tsm_opcall *c) { return run(c, TSM_ROW_ELU, 1); }
tsm_status tsm_k_silu(tsm_opcall *c) { return run(c, TSM_ROW_SILU, 0); }
tsm_status tsm_k_softplus(tsm_opcall *c) { return run(c, TSM_ROW_SOFTPLUS, 2); }

tsm_status tsm_k_gelu(tsm_opcall *c) {
  const tsm_str *approximate = tsm_arg_str(c, 1);
  if (!strcmp(approximate->bytes, "none")) return run(c, TSM_ROW_GELU, 0);
  if (!strcmp(approximate->bytes, "tanh")) return run(c, TSM_ROW_GELU_TANH, 0);
  return tsm_raise(c->ctx, "RuntimeError", "gelu: approximate must be 'none' or 'tanh', but got '%.60s'",
                   approximate->bytes);
}
