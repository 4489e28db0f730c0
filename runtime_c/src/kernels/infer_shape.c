/* infer_shape.c - dtype and shape of joining, indexing and rearranging operators.
 * In: shapes, dtypes, int arguments. Out: the result's shape, or PyTorch's exception.
 * Holds: index values are not read here; kernels check them. */
#include "arguments.h"
#include "kernels.h"

/* PyTorch lets tensors of shape (0,) join anything. */
static bool is_legacy_empty(const tsm_tensor *t) { return t->rank == 1 && tsm_shape(t)[0] == 0; }

static const tsm_tensor *joined(const tsm_opcall *c, int64_t i) {
  return (const tsm_tensor *)(const void *)tsm_arg_list(c, 0)->as.ref[i];
}

static tsm_status join_one(tsm_opcall *c, tsm_meta *out, size_t dim, const tsm_tensor *t, int64_t number) {
  if (t->rank != out->rank)
    return tsm_raise(c->ctx, "RuntimeError", "Tensors must have same number of dimensions: got %d and %d",
                     out->rank, t->rank);
  for (size_t d = 0; d < t->rank; d++)
    if (d != dim && tsm_shape(t)[d] != out->shape[d])
      return tsm_raise(c->ctx, "RuntimeError",
                       "Sizes of tensors must match except in dimension %zu. Expected size %lld but got size %lld for "
                       "tensor number %lld in the list.", dim, (long long)out->shape[d], (long long)tsm_shape(t)[d],
                       (long long)number);
  if (tsm_add_overflows(out->shape[dim], tsm_shape(t)[dim], &out->shape[dim]))
    return tsm_raise(c->ctx, "RuntimeError", "cat: the result is too large");
  return TSM_OK;
}

static uint8_t promoted_list(const tsm_opcall *c) {
  tsm_promotion p = TSM_PROMOTION_INIT;
  for (int64_t i = 0; i < tsm_arg_list(c, 0)->length; i++) tsm_promote_tensor(&p, joined(c, i));
  return tsm_promote_result(&p);
}

tsm_status tsm_i_cat(tsm_opcall *c, tsm_meta *out) {
  int64_t count = tsm_arg_list(c, 0)->length;
  const tsm_tensor *model = NULL;
  size_t dim;
  if (!count) return tsm_raise(c->ctx, "ValueError", "torch.cat(): expected a non-empty list of Tensors");
  for (int64_t i = 0; i < count; i++) {
    const tsm_tensor *t = joined(c, i);
    if (t->rank == 0)
      return tsm_raise(c->ctx, "RuntimeError", "zero-dimensional tensor (at position %lld) cannot be concatenated",
                       (long long)i);
    if (!model || (is_legacy_empty(model) && !is_legacy_empty(t))) model = t;
  }
  tsm_meta_of(model, out);
  out->dtype = promoted_list(c);
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), model->rank, &dim);
  if (status) return status;
  out->shape[dim] = 0;
  for (int64_t i = 0; i < count && !status; i++)
    if (!is_legacy_empty(joined(c, i)) || model->rank == 1) status = join_one(c, out, dim, joined(c, i), i);
  return status;
}

tsm_status tsm_i_stack(tsm_opcall *c, tsm_meta *out) {
  int64_t count = tsm_arg_list(c, 0)->length;
  if (!count) return tsm_raise(c->ctx, "RuntimeError", "stack expects a non-empty TensorList");
  const tsm_tensor *first = joined(c, 0);
  size_t dim;
  for (int64_t i = 1; i < count; i++) {
    char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
    if (!tsm_is_same_shape(first, joined(c, i)))
      return tsm_raise(c->ctx, "RuntimeError", "stack expects each tensor to be equal size, but got %s at entry 0 and %s "
                       "at entry %lld", tsm_list_text(a, tsm_shape(first), first->rank),
                       tsm_list_text(b, tsm_shape(joined(c, i)), joined(c, i)->rank), (long long)i);
  }
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), first->rank + 1u, &dim);
  if (status) return status;
  if (first->rank == TSM_MAX_RANK) return tsm_raise(c->ctx, "RuntimeError", "stack: too many dimensions");
  out->dtype = promoted_list(c);
  out->rank = (uint8_t)(first->rank + 1);
  for (size_t d = 0, from = 0; d < out->rank; d++) out->shape[d] = d == dim ? count : tsm_shape(first)[from++];
  return TSM_OK;
}

static bool is_index(const tsm_tensor *t) { return t->dtype == TSM_I32 || t->dtype == TSM_I64; }

tsm_status tsm_i_index_select(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *index = tsm_arg_tensor(c, 2);
  size_t dim;
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), out->rank, &dim);
  if (status) return status;
  if (index->rank > 1) return tsm_raise(c->ctx, "IndexError", "index_select: the index must be a vector");
  if (!is_index(index)) return tsm_raise(c->ctx, "RuntimeError", "index_select: the index must be int32 or int64");
  if (out->rank) out->shape[dim] = index->numel;
  return TSM_OK;
}

tsm_status tsm_i_gather(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0), *index = tsm_arg_tensor(c, 2);
  size_t dim;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), self->rank, &dim);
  if (status) return status;
  if (!is_index(index)) return tsm_raise(c->ctx, "RuntimeError", "gather: the index must be int32 or int64");
  if ((index->rank ? index->rank : 1) != (self->rank ? self->rank : 1))
    return tsm_raise(c->ctx, "RuntimeError", "gather: the index must have the same number of dimensions as the input");
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
  for (size_t d = 0; d < self->rank && d < index->rank && index->numel; d++)
    if (d != dim && tsm_shape(index)[d] > tsm_shape(self)[d])
      return tsm_raise(c->ctx, "RuntimeError", "gather: the index of shape %s must not be larger than the input of shape "
                       "%s apart from dimension %zu", tsm_shape_text(a, index), tsm_shape_text(b, self), dim);
  tsm_meta_of(index, out);
  out->dtype = self->dtype;
  return TSM_OK;
}

tsm_status tsm_i_flip(tsm_opcall *c, tsm_meta *out) {
  const tsm_list *dims = tsm_arg_list(c, 1);
  bool seen[TSM_MAX_RANK] = {false};
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  for (int64_t i = 0; i < dims->length; i++) {
    size_t dim;
    tsm_status status = tsm_dim_wrap(c, dims->as.i64[i], out->rank, &dim);
    if (status) return status;
    if (seen[dim]) return tsm_raise(c->ctx, "RuntimeError", "flip: dim %zu appears multiple times in the list of dims", dim);
    seen[dim] = true;
  }
  return TSM_OK;
}

tsm_status tsm_i_triangle(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (out->rank >= 2) return TSM_OK;
  return tsm_raise(c->ctx, "RuntimeError", "%s: input tensor must have at least 2 dimensions", c->site->op->name);
}

tsm_status tsm_i_repeat(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  tsm_status status = tsm_arg_shape(c, 1, out);
  if (status) return status;
  if (out->rank < t->rank)
    return tsm_raise(c->ctx, "RuntimeError",
                     "repeat: the number of repeats (%d) can not be smaller than the number of dimensions (%d)",
                     out->rank, t->rank);
  for (size_t d = 0; d < t->rank; d++) {
    int64_t *extent = &out->shape[out->rank - t->rank + d];
    if (tsm_mul_overflows(*extent, tsm_shape(t)[d], extent))
      return tsm_raise(c->ctx, "RuntimeError", "repeat: the result is too large");
  }
  out->dtype = t->dtype;
  return TSM_OK;
}

/* Appends an extent to the shape of `t`. */
static tsm_status with_last(tsm_opcall *c, const tsm_tensor *t, uint8_t dtype, int64_t extent, tsm_meta *out) {
  if (t->rank == TSM_MAX_RANK) return tsm_raise(c->ctx, "RuntimeError", "%s: too many dimensions", c->site->op->name);
  tsm_meta_of(t, out);
  out->dtype = dtype;
  out->shape[out->rank++] = extent;
  return TSM_OK;
}

tsm_status tsm_i_one_hot(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  int64_t classes = tsm_arg_int(c, 1);
  if (t->dtype != TSM_I64) return tsm_raise(c->ctx, "RuntimeError", "one_hot: is only applicable to int64 tensors");
  if (classes < 1) return tsm_raise(c->ctx, "RuntimeError", "one_hot: num_classes must be positive, but is %lld",
                                    (long long)classes);
  return with_last(c, t, TSM_I64, classes, out);
}

tsm_status tsm_i_embedding(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *weight = tsm_arg_tensor(c, 0), *indices = tsm_arg_tensor(c, 1);
  if (weight->rank != 2)
    return tsm_raise(c->ctx, "RuntimeError", "embedding: the weight must have 2 dimensions, but has %d", weight->rank);
  if (!is_index(indices))
    return tsm_raise(c->ctx, "RuntimeError", "embedding: indices must be int32 or int64, but are %s",
                     tsm_dtype_name((tsm_dtype)indices->dtype));
  return with_last(c, indices, weight->dtype, tsm_shape(weight)[1], out);
}
