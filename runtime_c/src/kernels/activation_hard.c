/* activation_hard.c - piecewise linear activations: hardtanh (the kernel is clamp's), hardsigmoid, hardswish.
 * In: a tensor. Out: the same dtype. Holds: the order of operations is PyTorch's, so results are equal to the bit. */
#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"

static tsm_status run(tsm_opcall *c, tsm_row row) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  const tsm_operand operands[2] = {tsm_operand_tensor(out, out->dtype),
                                   tsm_operand_tensor(tsm_arg_tensor(c, 0), out->dtype)};
  return tsm_pointwise_row(c, out->dtype, row, operands, 2);
}

tsm_status tsm_k_hardsigmoid(tsm_opcall *c) { return run(c, TSM_ROW_HARDSIGMOID); }
tsm_status tsm_k_hardswish(tsm_opcall *c) { return run(c, TSM_ROW_HARDSWISH); }

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
