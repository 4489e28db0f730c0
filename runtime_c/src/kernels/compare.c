/* compare.c - comparisons and logical operators: bool results.
 * In: a Tensor and a Tensor or Scalar. Out: bool, computed in the promoted dtype.
 * Holds: comparisons with NaN are false, except `ne`. */
#include "kernels.h"
#include "pointwise.h"

static tsm_status run(tsm_opcall *c, tsm_row row) {
  uint8_t computed = tsm_promote_args(c, 0, 1);
  tsm_operand operands[3] = {tsm_operand_tensor(tsm_result_tensor(c, 0), TSM_BOOL8), tsm_operand_arg(c, 0, computed),
                             tsm_operand_arg(c, 1, computed)};
  if (tsm_dtype_is_float(computed)) return tsm_pointwise_row(c, computed, row, operands, 3);
  return tsm_pointwise_int_compare(c, row, operands);
}

tsm_status tsm_k_eq(tsm_opcall *c) { return run(c, TSM_ROW_EQ); }
tsm_status tsm_k_ne(tsm_opcall *c) { return run(c, TSM_ROW_NE); }
tsm_status tsm_k_lt(tsm_opcall *c) { return run(c, TSM_ROW_LT); }
tsm_status tsm_k_le(tsm_opcall *c) { return run(c, TSM_ROW_LE); }
tsm_status tsm_k_gt(tsm_opcall *c) { return run(c, TSM_ROW_GT); }
tsm_status tsm_k_ge(tsm_opcall *c) { return run(c, TSM_ROW_GE); }

/* Both operands as bools: whether they are not 0. */
static tsm_status run_logical(tsm_opcall *c, tsm_int_kind op) {
  const tsm_operand operands[3] = {tsm_operand_tensor(tsm_result_tensor(c, 0), TSM_BOOL8),
                                   tsm_operand_arg(c, 0, TSM_BOOL8), tsm_operand_arg(c, 1, TSM_BOOL8)};
  return tsm_pointwise_int(c, op, operands, 3);
}

tsm_status tsm_k_logical_and(tsm_opcall *c) { return run_logical(c, TSM_INT_AND); }
tsm_status tsm_k_logical_or(tsm_opcall *c) { return run_logical(c, TSM_INT_OR); }
tsm_status tsm_k_logical_xor(tsm_opcall *c) { return run_logical(c, TSM_INT_XOR); }

/* Of floats; integers all have the same answer. */
static tsm_status run_test(tsm_opcall *c, tsm_row row, bool of_integers) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0), *out = tsm_result_tensor(c, 0);
  const tsm_operand operands[2] = {tsm_operand_tensor(out, TSM_BOOL8), tsm_operand_tensor(self, self->dtype)};
  if (tsm_dtype_is_float(self->dtype)) return tsm_pointwise_row(c, self->dtype, row, operands, 2);
  const tsm_pair value = {.tag = TSM_BOOL, .as = {.i = of_integers}};
  return tsm_tensor_fill(c, out, value);
}

tsm_status tsm_k_logical_not(tsm_opcall *c) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0);
  if (tsm_dtype_is_float(self->dtype)) return run_test(c, TSM_ROW_IS_ZERO, false);
  const tsm_pair zero = {.tag = TSM_INT, .as = {.i = 0}};
  const tsm_operand operands[3] = {tsm_operand_tensor(tsm_result_tensor(c, 0), TSM_BOOL8),
                                   tsm_operand_tensor(self, self->dtype), tsm_operand_scalar(zero, self->dtype)};
  return tsm_pointwise_int_compare(c, TSM_ROW_EQ, operands);
}
tsm_status tsm_k_isnan(tsm_opcall *c) { return run_test(c, TSM_ROW_IS_NAN, false); }
tsm_status tsm_k_isinf(tsm_opcall *c) { return run_test(c, TSM_ROW_IS_INF, false); }
tsm_status tsm_k_isfinite(tsm_opcall *c) { return run_test(c, TSM_ROW_IS_FINITE, true); }
