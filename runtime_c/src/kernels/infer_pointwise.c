/* infer_pointwise.c - dtype and shape of elementwise results.
 * In: dtypes and shapes. Out: the promoted dtype and the broadcast shape, or PyTorch's exception.
 * Holds: reads no elements, so it works on tensors without memory. */
#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"

/* Argument `last` does not broadcast with the tensors among first..last - 1. */
static tsm_status raise_broadcast(tsm_opcall *c, size_t first, size_t last) {
  const tsm_tensor *t = tsm_arg_tensor(c, last);
  int64_t shape[TSM_MAX_RANK];
  size_t rank = 0;
  for (size_t i = first; i < last; i++)
    if (tsm_arg_is_tensor(c, i))
      tsm_broadcast(shape, &rank, tsm_shape(tsm_arg_tensor(c, i)), tsm_arg_tensor(c, i)->rank);
  return tsm_raise_broadcast(c, shape, rank, tsm_shape(t), t->rank);
}

/* Broadcast shape of the tensors among arguments first..last. */
static tsm_status broadcast_args(tsm_opcall *c, size_t first, size_t last, tsm_meta *out) {
  size_t rank = 0;
  bool is_first = true;
  for (size_t i = first; i <= last; i++) {
    if (!tsm_arg_is_tensor(c, i)) continue;
    const tsm_tensor *t = tsm_arg_tensor(c, i);
    if (is_first) {
      rank = t->rank;
      memcpy(out->shape, tsm_shape(t), rank * sizeof(int64_t));
      is_first = false;
    } else if (!tsm_broadcast(out->shape, &rank, tsm_shape(t), t->rank)) {
      return raise_broadcast(c, first, i);
    }
  }
  out->rank = (uint8_t)rank;
  return TSM_OK;
}

tsm_status tsm_i_binary(tsm_opcall *c, tsm_meta *out) {
  out->dtype = tsm_promote_args(c, 0, 1);
  return broadcast_args(c, 0, 1, out);
}

static bool arg_is_bool(const tsm_opcall *c, size_t i) {
  return tsm_arg_is_tensor(c, i) ? tsm_arg_tensor(c, i)->dtype == TSM_BOOL8
                                 : TSM_TAG_KIND(tsm_arg_pair(c, i).tag) == TSM_BOOL;
}

tsm_status tsm_i_binary_no_bool(tsm_opcall *c, tsm_meta *out) {
  if (arg_is_bool(c, 0) && arg_is_bool(c, 1))
    return tsm_raise(c->ctx, "RuntimeError",
                     "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
                     "`logical_xor()` operator instead.");
  if (arg_is_bool(c, 0) || arg_is_bool(c, 1))
    return tsm_raise(c->ctx, "RuntimeError",
                     "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to "
                     "invert a mask, use the `~` or `logical_not()` operator instead.");
  return tsm_i_binary(c, out);
}

tsm_status tsm_i_binary_float(tsm_opcall *c, tsm_meta *out) {
  out->dtype = tsm_float_dtype(tsm_promote_args(c, 0, 1));
  return broadcast_args(c, 0, 1, out);
}

tsm_status tsm_i_compare(tsm_opcall *c, tsm_meta *out) {
  out->dtype = TSM_BOOL8;
  return broadcast_args(c, 0, 1, out);
}

tsm_status tsm_i_bitwise(tsm_opcall *c, tsm_meta *out) {
  out->dtype = tsm_promote_args(c, 0, 1);
  tsm_status status = broadcast_args(c, 0, 1, out);
  return status || !tsm_dtype_is_float(out->dtype) ? status : tsm_raise_not_implemented(c, out->dtype);
}

tsm_status tsm_i_unary(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (out->dtype != TSM_BOOL8) return TSM_OK;
  const char *name = c->site->op->name;
  if (!strcmp(name, "square")) out->dtype = TSM_I64;
  return TSM_OK;
}

tsm_status tsm_i_unary_no_bool(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (out->dtype != TSM_BOOL8) return TSM_OK;
  if (c->site->op->name[0] == 'a') return tsm_raise_not_implemented(c, TSM_BOOL8);
  if (c->site->op->name[0] == 'r') return tsm_raise(c->ctx, "RuntimeError", "Boolean inputs not supported for relu");
  return tsm_raise(c->ctx, "RuntimeError",
                   "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, "
                   "use the `~` or `logical_not()` operator instead.");
}

tsm_status tsm_i_unary_float(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  out->dtype = tsm_float_dtype(out->dtype);
  return TSM_OK;
}

tsm_status tsm_i_unary_floating(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  return tsm_dtype_is_float(out->dtype) ? TSM_OK : tsm_raise_not_implemented(c, out->dtype);
}

tsm_status tsm_i_bitwise_unary(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  return tsm_dtype_is_float(out->dtype) ? tsm_raise_not_implemented(c, out->dtype) : TSM_OK;
}

tsm_status tsm_i_compare_unary(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  out->dtype = TSM_BOOL8;
  return TSM_OK;
}

tsm_status tsm_i_clamp(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (tsm_arg_is_none(c, 1) && tsm_arg_is_none(c, 2))
    return tsm_raise(c->ctx, "RuntimeError", "%s: at least one of min and max must not be None", c->site->op->name);
  tsm_promotion p = TSM_PROMOTION_INIT;
  tsm_promote_tensor(&p, tsm_arg_tensor(c, 0));
  for (size_t i = 1; i <= 2; i++)
    if (!tsm_arg_is_none(c, i)) tsm_promote_scalar(&p, tsm_arg_pair(c, i));
  out->dtype = tsm_promote_result(&p);
  for (size_t i = 1; i <= 2; i++) {
    tsm_status status = tsm_arg_is_none(c, i) ? TSM_OK : tsm_check_scalar(c, out->dtype, tsm_arg_pair(c, i));
    if (status) return status;
  }
  return TSM_OK;
}

tsm_status tsm_i_where(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *condition = tsm_arg_tensor(c, 0);
  if (condition->dtype != TSM_BOOL8 && condition->dtype != TSM_U8)
    return tsm_raise(c->ctx, "RuntimeError", "where expected condition to be a boolean tensor, but got a tensor with dtype %s",
                     tsm_dtype_torch_name(condition->dtype));
  out->dtype = tsm_promote_args(c, 1, 2);
  return broadcast_args(c, 0, 2, out);
}

tsm_status tsm_i_masked_fill(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *mask = tsm_arg_tensor(c, 1);
  if (mask->dtype != TSM_BOOL8)
    return tsm_raise(c->ctx, "RuntimeError", "%s: only supports boolean masks, but got a mask of dtype %s",
                     c->site->op->name, tsm_dtype_name((tsm_dtype)mask->dtype));
  out->dtype = tsm_arg_tensor(c, 0)->dtype;
  tsm_status status = tsm_check_scalar(c, out->dtype, tsm_arg_pair(c, 2));
  return status ? status : broadcast_args(c, 0, 1, out);
}
