/* compare.c - comparisons and logical operators: bool results.
 * In: a Tensor and a Tensor or Scalar. Out: bool, computed in the promoted dtype.
 * Holds: comparisons with NaN are false, except `ne`. */
#include <math.h>

#include "kernels.h"
#include "pointwise.h"

#define TO_BOOL_LOOPS(name, EXPRESSION)                                     \
  TSM_BINARY_LOOP(name##_u8, uint8_t, uint8_t, uint8_t, EXPRESSION)         \
  TSM_BINARY_LOOP(name##_i8, int8_t, int8_t, uint8_t, EXPRESSION)           \
  TSM_BINARY_LOOP(name##_i16, int16_t, int16_t, uint8_t, EXPRESSION)        \
  TSM_BINARY_LOOP(name##_i32, int32_t, int32_t, uint8_t, EXPRESSION)        \
  TSM_BINARY_LOOP(name##_i64, int64_t, int64_t, uint8_t, EXPRESSION)        \
  TSM_BINARY_LOOP(name##_f32, float, float, uint8_t, EXPRESSION)            \
  TSM_BINARY_LOOP(name##_f64, double, double, uint8_t, EXPRESSION)          \
  TSM_LOOP_TABLE(name, name##_u8)

TO_BOOL_LOOPS(eq, x == y)
TO_BOOL_LOOPS(ne, x != y)
TO_BOOL_LOOPS(lt, x < y)
TO_BOOL_LOOPS(le, x <= y)
TO_BOOL_LOOPS(gt, x > y)
TO_BOOL_LOOPS(ge, x >= y)
TO_BOOL_LOOPS(logical_and, (x != 0) & (y != 0))
TO_BOOL_LOOPS(logical_or, (x != 0) | (y != 0))

static tsm_status run(tsm_opcall *c, const tsm_loop_fn *loops) {
  uint8_t computed = tsm_promote_args(c, 0, 1);
  tsm_operand operands[3] = {tsm_operand_tensor(tsm_result_tensor(c, 0), TSM_BOOL8), tsm_operand_arg(c, 0, computed),
                             tsm_operand_arg(c, 1, computed)};
  return tsm_pointwise_run(c, loops[computed], NULL, operands, 3);
}

tsm_status tsm_k_eq(tsm_opcall *c) { return run(c, eq_loops); }
tsm_status tsm_k_ne(tsm_opcall *c) { return run(c, ne_loops); }
tsm_status tsm_k_lt(tsm_opcall *c) { return run(c, lt_loops); }
tsm_status tsm_k_le(tsm_opcall *c) { return run(c, le_loops); }
tsm_status tsm_k_gt(tsm_opcall *c) { return run(c, gt_loops); }
tsm_status tsm_k_ge(tsm_opcall *c) { return run(c, ge_loops); }
tsm_status tsm_k_logical_and(tsm_opcall *c) { return run(c, logical_and_loops); }
tsm_status tsm_k_logical_or(tsm_opcall *c) { return run(c, logical_or_loops); }

#define TEST_LOOPS(name, INT_EXPRESSION, FLOAT_EXPRESSION)                   \
  TSM_UNARY_LOOP(name##_u8, uint8_t, uint8_t, uint8_t, INT_EXPRESSION)       \
  TSM_UNARY_LOOP(name##_i8, int8_t, int8_t, uint8_t, INT_EXPRESSION)         \
  TSM_UNARY_LOOP(name##_i16, int16_t, int16_t, uint8_t, INT_EXPRESSION)      \
  TSM_UNARY_LOOP(name##_i32, int32_t, int32_t, uint8_t, INT_EXPRESSION)      \
  TSM_UNARY_LOOP(name##_i64, int64_t, int64_t, uint8_t, INT_EXPRESSION)      \
  TSM_UNARY_LOOP(name##_f32, float, float, uint8_t, FLOAT_EXPRESSION)        \
  TSM_UNARY_LOOP(name##_f64, double, double, uint8_t, FLOAT_EXPRESSION)      \
  TSM_LOOP_TABLE(name, name##_u8)

TEST_LOOPS(logical_not, x == 0, x == 0)
TEST_LOOPS(isnan, x != x, x != x)
TEST_LOOPS(isinf, x != x, x == INFINITY || x == -INFINITY)
TEST_LOOPS(isfinite, x == x, x - x == 0)

static tsm_status run_test(tsm_opcall *c, const tsm_loop_fn *loops) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0);
  tsm_operand operands[2] = {tsm_operand_tensor(tsm_result_tensor(c, 0), TSM_BOOL8),
                             tsm_operand_tensor(self, self->dtype)};
  return tsm_pointwise_run(c, loops[self->dtype], NULL, operands, 2);
}

tsm_status tsm_k_logical_not(tsm_opcall *c) { return run_test(c, logical_not_loops); }
tsm_status tsm_k_isnan(tsm_opcall *c) { return run_test(c, isnan_loops); }
tsm_status tsm_k_isinf(tsm_opcall *c) { return run_test(c, isinf_loops); }
tsm_status tsm_k_isfinite(tsm_opcall *c) { return run_test(c, isfinite_loops); }
