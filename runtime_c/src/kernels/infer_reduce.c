/* infer_reduce.c - dtype and shape of reductions, cumsum and softmax.
 * In: shape, dim, keepdim, dtype. Out: the shape without (or with 1 for) the reduced dimensions.
 * Holds: what has no value for no elements (max, argmax) refuses empty dimensions here. */
#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"

static tsm_status reduced_shape(tsm_opcall *c, uint8_t dtype, bool needs_elements, tsm_meta *out) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  const char *name = c->site->op->name;
  tsm_reduction r;
  tsm_status status = tsm_reduction_read(c, &r);
  if (status) return status;
  if (needs_elements && r.is_full && t->numel == 0) {
    bool is_index = name[0] == 'a' && name[1] == 'r';
    return tsm_raise(c->ctx, is_index ? "IndexError" : "RuntimeError",
                     "%s(): Expected reduction dim to be specified for input.numel() == 0.%s", name,
                     is_index ? "" : " Specify the reduction dim with the 'dim' argument.");
  }
  out->dtype = dtype;
  out->rank = 0;
  for (size_t d = 0; d < t->rank; d++) {
    if (needs_elements && r.is_reduced[d] && tsm_shape(t)[d] == 0)
      return tsm_raise(c->ctx, "IndexError", "%s(): Expected reduction dim %zu to have non-zero size.", name, d);
    if (!r.is_reduced[d] || r.keeps) out->shape[out->rank++] = r.is_reduced[d] ? 1 : tsm_shape(t)[d];
  }
  return TSM_OK;
}

static uint8_t sum_dtype(const tsm_opcall *c) {
  uint8_t dtype = tsm_arg_tensor(c, 0)->dtype;
  return tsm_arg_dtype_or(c, "dtype", tsm_dtype_is_float(dtype) ? dtype : (uint8_t)TSM_I64);
}

static tsm_status reduce_mean(tsm_opcall *c, tsm_meta *out) {
  uint8_t dtype = tsm_arg_tensor(c, 0)->dtype;
  const char *name = c->site->op->name;
  if (!tsm_dtype_is_float(dtype))
    return *name != 'm' ? tsm_raise(c->ctx, "RuntimeError", "%s: needs a floating point dtype, but got %s", name,
                                    tsm_dtype_name((tsm_dtype)dtype))
                        : tsm_raise(c->ctx, "RuntimeError", "mean(): could not infer output dtype. Input dtype must be "
                                    "either a floating point or complex dtype. Got: %s", tsm_dtype_torch_name(dtype));
  return reduced_shape(c, dtype, false, out);
}

/* any and all keep uint8, as PyTorch does. */
static tsm_status reduce_bool(tsm_opcall *c, tsm_meta *out) {
  return reduced_shape(c, tsm_arg_tensor(c, 0)->dtype == TSM_U8 ? TSM_U8 : TSM_BOOL8, false, out);
}

tsm_status tsm_i_reduce_all_sum(tsm_opcall *c, tsm_meta *out) { return reduced_shape(c, sum_dtype(c), false, out); }
tsm_status tsm_i_reduce_dim_sum(tsm_opcall *c, tsm_meta *out) { return reduced_shape(c, sum_dtype(c), false, out); }
tsm_status tsm_i_reduce_all_mean(tsm_opcall *c, tsm_meta *out) { return reduce_mean(c, out); }
tsm_status tsm_i_reduce_dim_mean(tsm_opcall *c, tsm_meta *out) { return reduce_mean(c, out); }
tsm_status tsm_i_reduce_all_bool(tsm_opcall *c, tsm_meta *out) { return reduce_bool(c, out); }
tsm_status tsm_i_reduce_dim_bool(tsm_opcall *c, tsm_meta *out) { return reduce_bool(c, out); }

tsm_status tsm_i_reduce_all_same(tsm_opcall *c, tsm_meta *out) {
  return reduced_shape(c, tsm_arg_tensor(c, 0)->dtype, true, out);
}

tsm_status tsm_i_reduce_dim_same(tsm_opcall *c, tsm_meta *out) {
  return reduced_shape(c, tsm_arg_tensor(c, 0)->dtype, true, out);
}

tsm_status tsm_i_reduce_arg(tsm_opcall *c, tsm_meta *out) {
  if (tsm_arg_tensor(c, 0)->dtype == TSM_BOOL8)
    return tsm_raise(c->ctx, "RuntimeError", "%s: does not support bool input", c->site->op->name);
  return reduced_shape(c, TSM_I64, true, out);
}

tsm_status tsm_i_reduce_arg_pair(tsm_opcall *c, tsm_meta *out) {
  tsm_status status = reduced_shape(c, tsm_arg_tensor(c, 0)->dtype, true, &out[0]);
  out[1] = out[0];
  out[1].dtype = TSM_I64;
  return status;
}

tsm_status tsm_i_cumsum(tsm_opcall *c, tsm_meta *out) {
  size_t dim;
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (!tsm_dtype_is_float(out->dtype)) out->dtype = TSM_I64;
  return tsm_dim_wrap(c, tsm_arg_int(c, 1), out->rank, &dim);
}

tsm_status tsm_i_cummax(tsm_opcall *c, tsm_meta *out) {
  size_t dim;
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  out[1] = out[0];
  out[1].dtype = TSM_I64;
  return tsm_dim_wrap(c, tsm_arg_int(c, 1), out->rank, &dim);
}

tsm_status tsm_i_kthvalue(tsm_opcall *c, tsm_meta *out) {
  const int64_t k = tsm_arg_int(c, 1);
  size_t dim;
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 2), out->rank, &dim);
  if (status) return status;
  if (k < 1 || k > (out->rank ? out->shape[dim] : 1))
    return tsm_raise(c->ctx, "RuntimeError", "kthvalue(): selected number k out of range for dimension %zu", dim);
  if (out->rank && tsm_arg_bool(c, 3)) out->shape[dim] = 1;
  else if (out->rank) {
    memmove(out->shape + dim, out->shape + dim + 1, (out->rank - dim - 1) * sizeof *out->shape);
    out->rank--;
  }
  out[1] = out[0];
  out[1].dtype = TSM_I64;
  return TSM_OK;
}

tsm_status tsm_i_softmax(tsm_opcall *c, tsm_meta *out) {
  size_t dim;
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (!tsm_dtype_is_float(out->dtype)) return tsm_raise_not_implemented(c, out->dtype);
  return tsm_dim_wrap(c, tsm_arg_int(c, 1), out->rank, &dim);
}
