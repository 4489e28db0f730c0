/* compare.c - comparisons and logical operators: bool results.
 * In: a Tensor and a Tensor or Scalar. Out: bool, computed in the promoted dtype.
 * Holds: comparisons with NaN are false, except `ne`. */
#include "kernels.h"
#include "pointwise.h"

#define TO_BOOL_LOOPS(name, EXPRESSION)                                     \
  TSM_BINARY_LOOP(name##_u8, uint8_t, uint8_t, uint8_t, EXPRESSION)         \
  TSM_BINARY_LOOP(name##_i8, int8_t, int8_t, uint8_t, EXPRESSION)           \
  TSM_BINARY_LOOP(name##_i16, int16_t, int16_t, uint8_t, EXPRESSION)        \
  TSM_BINARY_LOOP(name##_i32, int32_t, int32_t, uint8_t, EXPRESSION)        \
  TSM_BINARY_LOOP(name##_i64, int64_t, int64_t, uint8_t, EXPRESSION)        \
  TSM_INT_TABLE(name, name##_u8)

TO_BOOL_LOOPS(eq, x == y)
TO_BOOL_LOOPS(ne, x != y)
TO_BOOL_LOOPS(lt, x < y)
TO_BOOL_LOOPS(le, x <= y)
TO_BOOL_LOOPS(gt, x > y)
TO_BOOL_LOOPS(ge, x >= y)
TSM_BINARY_LOOP(and_bool, uint8_t, uint8_t, uint8_t, x & y)
TSM_BINARY_LOOP(or_bool, uint8_t, uint8_t, uint8_t, x | y)

static tsm_status run(tsm_opcall *c, tsm_row row, const tsm_loop_fn *loops) {
  uint8_t computed = tsm_promote_args(c, 0, 1);
  tsm_operand operands[3] = {tsm_operand_tensor(tsm_result_tensor(c, 0), TSM_BOOL8), tsm_operand_arg(c, 0, computed),
                             tsm_operand_arg(c, 1, computed)};
  if (tsm_dtype_is_float(computed)) return tsm_pointwise_row(c, computed, row, operands, 3);
  return tsm_pointwise_run(c, loops[computed], NULL, operands, 3);
}

tsm_status tsm_k_eq(tsm_opcall *c) { return run(c, TSM_ROW_EQ, eq_loops); }
tsm_status tsm_k_ne(tsm_opcall *c) { return run(c, TSM_ROW_NE, ne_loops); }
tsm_status tsm_k_lt(tsm_opcall *c) { return run(c, TSM_ROW_LT, lt_loops); }
tsm_status tsm_k_le(tsm_opcall *c) { return run(c, TSM_ROW_LE, le_loops); }
tsm_status tsm_k_gt(tsm_opcall *c) { return run(c, TSM_ROW_GT, gt_loops); }
tsm_status tsm_k_ge(tsm_opcall *c) { return run(c, TSM_ROW_GE, ge_loops); }
/* Both operands as bools: whether they are not 0. */
static tsm_status run_logical(tsm_opcall *c, tsm_loop_fn loop) {
  tsm_operand operands[3] = {tsm_operand_tensor(tsm_result_tensor(c, 0), TSM_BOOL8), tsm_operand_arg(c, 0, TSM_BOOL8),
                             tsm_operand_arg(c, 1, TSM_BOOL8)};
  return tsm_pointwise_run(c, loop, NULL, operands, 3);
}

tsm_status tsm_k_logical_and(tsm_opcall *c) { return run_logical(c, and_bool); }
tsm_status tsm_k_logical_or(tsm_opcall *c) { return run_logical(c, or_bool); }

#define TEST_LOOPS(name, EXPRESSION)                                     \
  TSM_UNARY_LOOP(name##_u8, uint8_t, uint8_t, uint8_t, EXPRESSION)       \
  TSM_UNARY_LOOP(name##_i8, int8_t, int8_t, uint8_t, EXPRESSION)         \
  TSM_UNARY_LOOP(name##_i16, int16_t, int16_t, uint8_t, EXPRESSION)      \
  TSM_UNARY_LOOP(name##_i32, int32_t, int32_t, uint8_t, EXPRESSION)      \
  TSM_UNARY_LOOP(name##_i64, int64_t, int64_t, uint8_t, EXPRESSION)      \
  TSM_INT_TABLE(name, name##_u8)
TEST_LOOPS(logical_not, x == 0)

/* For integers `whole`, if there are no loops. */
static tsm_status run_test(tsm_opcall *c, tsm_row row, const tsm_loop_fn *loops, bool whole) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0), *out = tsm_result_tensor(c, 0);
  tsm_operand operands[2] = {tsm_operand_tensor(out, TSM_BOOL8), tsm_operand_tensor(self, self->dtype)};
  if (tsm_dtype_is_float(self->dtype)) return tsm_pointwise_row(c, self->dtype, row, operands, 2);
  if (loops) return tsm_pointwise_run(c, loops[self->dtype], NULL, operands, 2);
  tsm_pair value = {.tag = TSM_BOOL, .as = {.i = whole}};
  return tsm_tensor_fill(c, out, value);
}

tsm_status tsm_k_logical_not(tsm_opcall *c) { return run_test(c, TSM_ROW_IS_ZERO, logical_not_loops, false); }
tsm_status tsm_k_isnan(tsm_opcall *c) { return run_test(c, TSM_ROW_IS_NAN, NULL, false); }
tsm_status tsm_k_isinf(tsm_opcall *c) { return run_test(c, TSM_ROW_IS_INF, NULL, false); }
tsm_status tsm_k_isfinite(tsm_opcall *c) { return run_test(c, TSM_ROW_IS_FINITE, NULL, true); }
