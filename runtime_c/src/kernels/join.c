/* join.c - joined, repeated, flipped and masked copies: cat stack repeat flip tril triu one_hot.
 * In: tensors. Out: a contiguous result, filled by strided copies.
 * Holds: infer has checked all shapes. */
#include "arguments.h"
#include "iterate.h"
#include "kernels.h"

static const tsm_tensor *joined(const tsm_opcall *c, int64_t i) {
  return (const tsm_tensor *)(const void *)tsm_arg_list(c, 0)->as.ref[i];
}

static char *result_at(const tsm_opcall *c, int64_t offset) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  return (char *)out->storage->data + (size_t)(out->offset + offset) * tsm_item_size(out->dtype);
}

/* Copies t to the result from `offset` elements on, with these result strides for t's dimensions. */
static tsm_status place(tsm_opcall *c, const tsm_tensor *t, int64_t offset, const int64_t *strides) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  tsm_iter it;
  tsm_iter_init(&it, t->rank, tsm_shape(t));
  tsm_iter_add(&it, result_at(c, offset), tsm_item_size(out->dtype), t->rank, tsm_shape(t), strides);
  tsm_iter_add_tensor(&it, t);
  return tsm_iter_copy(c->ctx, &it, out->dtype, t->dtype);
}

tsm_status tsm_k_cat(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  size_t dim;
  int64_t offset = 0;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), out->rank, &dim);
  for (int64_t i = 0; i < tsm_arg_list(c, 0)->length && !status; i++) {
    const tsm_tensor *t = joined(c, i);
    if (!t->numel) continue;
    status = place(c, t, offset, tsm_strides(out));
    offset += tsm_shape(t)[dim] * tsm_strides(out)[dim];
  }
  return status;
}

tsm_status tsm_k_stack(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  int64_t strides[TSM_MAX_RANK];
  size_t dim, rank = 0;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), out->rank, &dim);
  if (status) return status;
  for (size_t d = 0; d < out->rank; d++)
    if (d != dim) strides[rank++] = tsm_strides(out)[d];
  for (int64_t i = 0; i < tsm_arg_list(c, 0)->length && !status; i++)
    if (joined(c, i)->numel) status = place(c, joined(c, i), i * tsm_strides(out)[dim], strides);
  return status;
}

tsm_status tsm_k_repeat(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0), *t = tsm_arg_tensor(c, 0);
  const int64_t *repeats = tsm_arg_list(c, 1)->as.i64;
  int64_t shape[2 * TSM_MAX_RANK], to[2 * TSM_MAX_RANK], from[2 * TSM_MAX_RANK];
  size_t count = 0, lead = (size_t)(out->rank - t->rank), item = tsm_item_size(t->dtype);
  if (!out->numel) return TSM_OK;
  for (size_t d = 0; d < out->rank; d++) {
    int64_t extent = d < lead ? 1 : tsm_shape(t)[d - lead];
    if (repeats[d] > 1) {
      shape[count] = repeats[d];
      to[count] = extent * tsm_strides(out)[d];
      from[count++] = 0;
    }
    if (extent > 1) {
      shape[count] = extent;
      to[count] = tsm_strides(out)[d];
      from[count++] = tsm_strides(t)[d - lead];
    }
  }
  if (count > TSM_MAX_RANK) return tsm_raise(c->ctx, "RuntimeError", "repeat: too many dimensions");
  tsm_iter it;
  tsm_iter_init(&it, count, shape);
  tsm_iter_add(&it, result_at(c, 0), item, count, shape, to);
  tsm_iter_add(&it, tsm_tensor_read(t), item, count, shape, from);
  return tsm_iter_copy(c->ctx, &it, out->dtype, t->dtype);
}

tsm_status tsm_k_flip(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  const tsm_list *dims = tsm_arg_list(c, 1);
  int64_t strides[TSM_MAX_RANK], offset = 0;
  size_t item = tsm_item_size(t->dtype), dim;
  if (!t->numel || !t->rank) {
    tsm_tensor *out = tsm_result_tensor(c, 0);
    return t->numel ? tsm_tensor_copy_into(c->ctx, out, t) : TSM_OK;
  }
  memcpy(strides, tsm_strides(t), t->rank * sizeof(int64_t));
  for (int64_t i = 0; i < dims->length; i++) {
    tsm_status status = tsm_dim_wrap(c, dims->as.i64[i], t->rank, &dim);
    if (status) return status;
    offset += (tsm_shape(t)[dim] - 1) * strides[dim];
    strides[dim] = -strides[dim];
  }
  tsm_iter it;
  tsm_iter_init(&it, t->rank, tsm_shape(t));
  tsm_iter_add_tensor(&it, tsm_result_tensor(c, 0));
  tsm_iter_add(&it, (const char *)tsm_tensor_read(t) + offset * (int64_t)item, item, t->rank, tsm_shape(t), strides);
  return tsm_iter_copy(c->ctx, &it, t->dtype, t->dtype);
}

/* Copies, then clears in each row the columns on the other side of the diagonal. */
static tsm_status keep_triangle(tsm_opcall *c, bool is_lower) {
  tsm_tensor *out = tsm_result_tensor(c, 0);
  int64_t diagonal = tsm_arg_int(c, 1), rows = tsm_shape(out)[out->rank - 2], columns = tsm_shape(out)[out->rank - 1];
  size_t item = tsm_item_size(out->dtype);
  tsm_status status = tsm_tensor_copy_into(c->ctx, out, tsm_arg_tensor(c, 0));
  if (status || !out->numel) return status;
  if (diagonal > columns) diagonal = columns;
  if (diagonal < -rows) diagonal = -rows;
  for (int64_t line = 0; line < out->numel / columns; line++) {
    int64_t cut = line % rows + diagonal + (is_lower ? 1 : 0);
    cut = cut < 0 ? 0 : cut > columns ? columns : cut;
    int64_t first = is_lower ? cut : 0, end = is_lower ? columns : cut;
    memset(result_at(c, line * columns + first), 0, (size_t)(end - first) * item);
    if ((status = tsm_charge_elements(c->ctx, end - first))) return status;
  }
  return TSM_OK;
}

tsm_status tsm_k_tril(tsm_opcall *c) { return keep_triangle(c, true); }
tsm_status tsm_k_triu(tsm_opcall *c) { return keep_triangle(c, false); }

typedef struct hot { tsm_opcall *call; int64_t classes, row; int64_t *out; } hot;

static tsm_status hot_row(void *user, char *const *ptr, const int64_t *step, int64_t n) {
  hot *h = user;
  for (int64_t i = 0; i < n; i++) {
    int64_t class_index = *(const int64_t *)(const void *)(ptr[0] + i * step[0]);
    if (class_index < 0 || class_index >= h->classes)
      return tsm_raise(h->call->ctx, "RuntimeError", class_index < 0 ? "Class values must be non-negative."
                                                                     : "Class values must be smaller than num_classes.");
    h->out[h->row++ * h->classes + class_index] = 1;
  }
  return TSM_OK;
}

tsm_status tsm_k_one_hot(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  hot h = {c, tsm_arg_int(c, 1), 0, (int64_t *)(void *)result_at(c, 0)};
  tsm_status status = tsm_k_zeros(c);
  tsm_iter it;
  tsm_iter_init(&it, t->rank, tsm_shape(t));
  tsm_iter_add_tensor(&it, t);
  return status ? status : tsm_iter_run(c->ctx, &it, hot_row, &h);
}
