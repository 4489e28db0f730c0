/* choose.c - elements chosen by a mask or by bounds, and whole-tensor writes: where, masked_fill, clamp, zero_, fill_,
 * copy_. In: tensors and scalars. Out: new results or argument 0, written.
 * Holds: choosing depends on an element's size only, so there is one loop for each size. */
#include <math.h>

#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"

#define CHOOSE_LOOP(name, T)                                                                             \
  static void name(char *const *p, const int64_t *s, int64_t n, void *extra) {                           \
    (void)extra;                                                                                         \
    char *out = p[0];                                                                                    \
    const char *mask = p[1], *a = p[2], *b = p[3];                                                       \
    for (int64_t i = 0; i < n; i++, out += s[0], mask += s[1], a += s[2], b += s[3]) {                   \
      const T x = *(const T *)(const void *)a, y = *(const T *)(const void *)b;                          \
      *(T *)(void *)out = *(const uint8_t *)mask ? x : y;                                                \
    }                                                                                                    \
  }
CHOOSE_LOOP(choose_1, uint8_t)
CHOOSE_LOOP(choose_2, uint16_t)
CHOOSE_LOOP(choose_4, uint32_t)
CHOOSE_LOOP(choose_8, uint64_t)
static const tsm_loop_fn choose_loops[TSM_DTYPE_COUNT] = {choose_1, choose_1, choose_1, choose_2,
                                                          choose_4, choose_8, choose_4, choose_8};

/* operands: out, mask, a, b; only the size of the elements matters, so 4 and 8 bytes are moved as floats. */
static tsm_status choose(tsm_opcall *c, const tsm_operand *operands) {
  const uint8_t dtype = operands[0].computed;
  const size_t item = tsm_item_size(dtype);
  bool is_same = operands[1].computed == TSM_BOOL8;
  for (int k = 0; k < 4 && is_same; k += k ? 1 : 2)
    is_same = !operands[k].tensor || operands[k].tensor->dtype == dtype;
  if (item >= 4 && is_same)
    return tsm_pointwise_row(c, item == 4 ? TSM_F32 : TSM_F64, TSM_ROW_WHERE, operands, 4);
  return tsm_pointwise_run(c, choose_loops[dtype], NULL, operands, 4);
}

tsm_status tsm_k_where(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0), *condition = tsm_arg_tensor(c, 0);
  tsm_operand operands[4] = {tsm_operand_tensor(out, out->dtype), tsm_operand_tensor(condition, condition->dtype),
                             tsm_operand_arg(c, 1, out->dtype), tsm_operand_arg(c, 2, out->dtype)};
  return choose(c, operands);
}

static tsm_status fill_masked(tsm_opcall *c, const tsm_tensor *out) {
  tsm_operand operands[4] = {tsm_operand_tensor(out, out->dtype), tsm_operand_tensor(tsm_arg_tensor(c, 1), TSM_BOOL8),
                             tsm_operand_arg(c, 2, out->dtype), tsm_operand_arg(c, 0, out->dtype)};
  return choose(c, operands);
}

tsm_status tsm_k_masked_fill(tsm_opcall *c) { return fill_masked(c, tsm_result_tensor(c, 0)); }

tsm_status tsm_k_masked_fill_(tsm_opcall *c) {
  tsm_meta unused;
  tsm_status status = tsm_i_masked_fill(c, &unused);
  if (!status) status = tsm_inplace_prepare(c, 1, 1, TSM_BOOL8);
  if (!status) status = fill_masked(c, tsm_arg_tensor(c, 0));
  return status ? status : tsm_return_self(c);
}

/* What an absent bound is: the dtype's own end. */
static void whole_range(uint8_t dtype, tsm_pair *out_low, tsm_pair *out_high) {
  static const int64_t low[] = {0, 0, INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN};
  static const int64_t high[] = {1, UINT8_MAX, INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX};
  out_low->tag = out_high->tag = tsm_dtype_is_float(dtype) ? TSM_FLOAT : TSM_INT;
  if (tsm_dtype_is_float(dtype)) {
    out_low->as.f = -INFINITY;
    out_high->as.f = INFINITY;
  } else {
    out_low->as.i = low[dtype];
    out_high->as.i = high[dtype];
  }
}

static tsm_status clamp_into(tsm_opcall *c, const tsm_tensor *out, uint8_t computed) {
  tsm_pair low, high;
  whole_range(computed, &low, &high);
  if (!tsm_arg_is_none(c, 1)) low = tsm_arg_pair(c, 1);
  if (!tsm_arg_is_none(c, 2)) high = tsm_arg_pair(c, 2);
  const tsm_operand operands[4] = {tsm_operand_tensor(out, computed), tsm_operand_arg(c, 0, computed),
                                   tsm_operand_scalar(low, computed), tsm_operand_scalar(high, computed)};
  if (!tsm_dtype_is_float(computed)) return tsm_pointwise_int(c, TSM_INT_CLAMP, operands, 4);
  return tsm_pointwise_row(c, computed, TSM_ROW_CLAMP, operands, 4);
}

tsm_status tsm_k_clamp(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  return clamp_into(c, out, out->dtype);
}

tsm_status tsm_k_clamp_(tsm_opcall *c) {
  tsm_meta meta;
  tsm_status status = tsm_i_clamp(c, &meta);
  if (!status) status = tsm_inplace_prepare(c, 1, 0, meta.dtype);
  if (!status) status = clamp_into(c, tsm_arg_tensor(c, 0), meta.dtype);
  return status ? status : tsm_return_self(c);
}

TSM_UNARY_LOOP(fill_1, uint8_t, uint8_t, uint8_t, x)
TSM_UNARY_LOOP(fill_2, uint16_t, uint16_t, uint16_t, x)
TSM_UNARY_LOOP(fill_4, uint32_t, uint32_t, uint32_t, x)
TSM_UNARY_LOOP(fill_8, uint64_t, uint64_t, uint64_t, x)
static const tsm_loop_fn fill_loops[TSM_DTYPE_COUNT] = {fill_1, fill_1, fill_1, fill_2, fill_4, fill_8, fill_4, fill_8,
                                                         fill_2};

tsm_status tsm_tensor_fill(tsm_opcall *c, const tsm_tensor *out, tsm_pair value) {
  tsm_operand operands[2] = {tsm_operand_tensor(out, out->dtype), tsm_operand_scalar(value, out->dtype)};
  return tsm_pointwise_run(c, fill_loops[out->dtype], NULL, operands, 2);
}

/* Elements that share memory get the same value, so overlap is no error, as in PyTorch. */
static tsm_status fill_self(tsm_opcall *c, tsm_pair value) {
  tsm_tensor *self = tsm_arg_tensor(c, 0);
  if (!tsm_tensor_writable(c->ctx, self)) return c->ctx->status;
  tsm_status status = tsm_tensor_fill(c, self, value);
  return status ? status : tsm_return_self(c);
}

tsm_status tsm_k_zero_(tsm_opcall *c) {
  tsm_pair zero;
  zero.tag = TSM_INT;
  zero.as.i = 0;
  return fill_self(c, zero);
}

tsm_status tsm_k_fill_(tsm_opcall *c) {
  tsm_status status = tsm_check_scalar(c, tsm_arg_tensor(c, 0)->dtype, tsm_arg_pair(c, 1));
  return status ? status : fill_self(c, tsm_arg_pair(c, 1));
}

tsm_status tsm_k_copy_(tsm_opcall *c) {
  tsm_tensor *self = tsm_arg_tensor(c, 0);
  const tsm_tensor *src = tsm_arg_tensor(c, 1);
  tsm_status status = tsm_inplace_prepare(c, 1, 1, TSM_BOOL8);
  if (status) return status;
  bool is_same = self == src || (tsm_tensor_read(self) == tsm_tensor_read(src) && self->dtype == src->dtype &&
                                 self->rank == src->rank &&
                                 !memcmp(self->dims, src->dims, 2 * self->rank * sizeof(int64_t)));
  if (!is_same) status = tsm_tensor_copy_into(c->ctx, self, src);
  return status ? status : tsm_return_self(c);
}
