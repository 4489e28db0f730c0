/* overlap.c - do tensors share memory, with themselves or with each other?
 * In: windows over storages. Out: yes or no, or PyTorch's RuntimeError before a write that would depend on order.
 * Holds: like PyTorch, windows with gaps are taken to be disjoint when they cannot be compared cheaply. */
#include "tensor.h"

/* Lowest and highest byte a tensor with elements can reach; the window is known to be inside its storage. */
static void byte_range(const tsm_tensor *t, const uint8_t **out_low, const uint8_t **out_high) {
  int64_t low = 0, high = 0;
  for (size_t i = 0; i < t->rank; i++) {
    int64_t reach = (tsm_shape(t)[i] - 1) * tsm_strides(t)[i];
    if (reach < 0) low += reach;
    else high += reach;
  }
  int64_t item = (int64_t)tsm_item_size(t->dtype);
  *out_low = t->storage->data + (t->offset + low) * item;
  *out_high = t->storage->data + (t->offset + high + 1) * item - 1;
}

bool tsm_tensors_overlap(const tsm_tensor *a, const tsm_tensor *b) {
  if (!a->numel || !b->numel || (a->storage->flags & TSM_ST_META) || (b->storage->flags & TSM_ST_META)) return false;
  const uint8_t *a_low, *a_high, *b_low, *b_high;
  byte_range(a, &a_low, &a_high);
  byte_range(b, &b_low, &b_high);
  return (uintptr_t)a_low <= (uintptr_t)b_high && (uintptr_t)b_low <= (uintptr_t)a_high;
}

/* Dimensions of extent > 1 in order of growing stride; returns how many. */
static size_t sort_by_stride(const tsm_tensor *t, size_t *order) {
  size_t count = 0;
  for (size_t d = 0; d < t->rank; d++) {
    if (tsm_shape(t)[d] <= 1) continue;
    size_t at = count++;
    for (; at > 0 && tsm_strides(t)[order[at - 1]] > tsm_strides(t)[d]; at--) order[at] = order[at - 1];
    order[at] = d;
  }
  return count;
}

/* Whether the elements fill their range without gaps or repetition, in some order of dimensions. */
static bool is_dense(const tsm_tensor *t) {
  if (t->is_contiguous) return true;
  size_t order[TSM_MAX_RANK], count = sort_by_stride(t, order);
  int64_t expected = 1;
  for (size_t i = 0; i < count; i++) {
    if (tsm_strides(t)[order[i]] != expected) return false;
    expected *= tsm_shape(t)[order[i]];
  }
  return true;
}

tsm_status tsm_check_no_overlap(tsm_context *ctx, const tsm_tensor *t) {
  if (t->is_contiguous || t->numel <= 1) return TSM_OK;
  for (size_t i = 0; i < t->rank; i++)
    if (tsm_shape(t)[i] > 1 && tsm_strides(t)[i] == 0)
      return tsm_raise(ctx, "RuntimeError",
                       "unsupported operation: more than one element of the written-to tensor refers to a single "
                       "memory location. Please clone() the tensor before performing the operation.");
  return TSM_OK;
}

static bool is_same_window(const tsm_tensor *a, const tsm_tensor *b) {
  if (a->rank != b->rank || a->dtype != b->dtype || tsm_tensor_read(a) != tsm_tensor_read(b)) return false;
  for (size_t i = 0; i < a->rank; i++) {
    if (tsm_shape(a)[i] != tsm_shape(b)[i]) return false;
    if (tsm_shape(a)[i] > 1 && tsm_strides(a)[i] != tsm_strides(b)[i]) return false;
  }
  return true;
}

tsm_status tsm_check_no_partial_overlap(tsm_context *ctx, const tsm_tensor *written, const tsm_tensor *read) {
  if (written == read || !tsm_tensors_overlap(written, read)) return TSM_OK;
  if (!is_dense(written) || !is_dense(read) || is_same_window(written, read)) return TSM_OK;
  return tsm_raise(ctx, "RuntimeError",
                   "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                   "single memory location. Please clone() the tensor before performing the operation.");
}

tsm_tensor *tsm_tensor_apart(tsm_context *ctx, const tsm_tensor *written, tsm_tensor *read) {
  if (!tsm_tensors_overlap(written, read)) {
    tsm_ref(&read->head);
    return read;
  }
  if (is_dense(written) && is_dense(read)) {
    tsm_raise(ctx, "RuntimeError",
              "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
              "memory location. Please clone() the tensor before performing the operation.");
    return NULL;
  }
  tsm_meta meta = {read->dtype, read->rank, {0}};
  memcpy(meta.shape, tsm_shape(read), read->rank * sizeof(int64_t));
  tsm_tensor *copy = tsm_tensor_make(ctx, &meta, false);
  if (copy && tsm_tensor_copy_into(ctx, copy, read)) {
    tsm_unref(&copy->head);
    return NULL;
  }
  return copy;
}
