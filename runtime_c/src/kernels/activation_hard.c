/* activation_hard.c - piecewise linear activations: hardtanh (the kernel is clamp's), hardsigmoid, hardswish.
 * In: a tensor. Out: the same dtype. Holds: the order of operations is PyTorch's, so results are equal to the bit. */
#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"

/* NaN stays: both comparisons are false for it. */
#define GATE(x, three) ((x) + (three) < 0 ? 0 : (x) + (three) > 2 * (three) ? 2 * (three) : (x) + (three))

TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, hardsigmoid, GATE(x, 3.0f) / 6.0f, GATE(x, 3.0) / 6.0)
TSM_FLOAT_TABLE(hardsigmoid)
TSM_FLOAT_LOOPS(TSM_UNARY_LOOP, hardswish, x * GATE(x, 3.0f) / 6.0f, x * GATE(x, 3.0) / 6.0)
TSM_FLOAT_TABLE(hardswish)

static tsm_status run(tsm_opcall *c, const tsm_loop_fn *loops) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  tsm_operand operands[2] = {tsm_operand_tensor(out, out->dtype), tsm_operand_tensor(tsm_arg_tensor(c, 0), out->dtype)};
  return tsm_pointwise_run(c, loops[out->dtype], NULL, operands, 2);
}

tsm_status tsm_k_hardsigmoid(tsm_opcall *c) { return run(c, hardsigmoid_loops); }
tsm_status tsm_k_hardswish(tsm_opcall *c) { return run(c, hardswish_loops); }

tsm_status tsm_i_hardtanh(tsm_opcall *c, tsm_meta *out) {
  double bounds[2];
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (out->dtype == TSM_BOOL8) return tsm_raise(c->ctx, "RuntimeError", "hardtanh: bool tensors are not supported");
  for (size_t i = 0; i < 2; i++) {
    tsm_pair bound = tsm_arg_pair(c, i + 1);
    tsm_element_store(TSM_F64, &bounds[i], bound);
    tsm_status status = tsm_check_scalar(c, out->dtype, bound);
    if (status) return status;
    if (out->dtype == TSM_U8 && bounds[i] < 0)
      return tsm_raise(c->ctx, "RuntimeError", "hardtanh: negative limits are not for an unsigned dtype");
  }
  if (bounds[0] > bounds[1]) return tsm_raise(c->ctx, "ValueError", "hardtanh: min_val cannot be greater than max_val");
  return TSM_OK;
}
