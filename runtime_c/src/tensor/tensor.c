/* tensor.c - making tensors, looking through them at elements, copying between them.
 * In: shapes, strides, storages. Out: tensors with one count.
 * Holds: every window lies inside its storage; numel and is_contiguous agree with shape and strides. */
#include "kernels/iterate.h"

bool tsm_meta_bytes(const tsm_meta *meta, int64_t *out_numel, size_t *out_bytes) {
  int64_t numel = 1, bytes;
  bool is_empty = false;
  for (size_t i = 0; i < meta->rank; i++) {
    if (meta->shape[i] < 0) return false;
    if (meta->shape[i] == 0) is_empty = true;
    /* the product of the other extents must fit too: strides are made of it */
    if (meta->shape[i] > 0 && tsm_mul_overflows(numel, meta->shape[i], &numel)) return false;
  }
  if (tsm_mul_overflows(numel, (int64_t)tsm_item_size(meta->dtype), &bytes) || bytes > PTRDIFF_MAX) return false;
  *out_numel = is_empty ? 0 : numel;
  *out_bytes = is_empty ? 0 : (size_t)bytes;
  return true;
}

static bool strides_are_contiguous(size_t rank, const int64_t *shape, const int64_t *strides) {
  int64_t expected = 1;
  for (size_t i = rank; i-- > 0;) {
    if (shape[i] != 1 && strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

/* Row-major strides; an extent of 0 counts as 1, as in PyTorch. */
static void fill_contiguous_strides(size_t rank, const int64_t *shape, int64_t *strides) {
  int64_t next = 1;
  for (size_t i = rank; i-- > 0;) {
    strides[i] = next;
    next *= shape[i] > 1 ? shape[i] : 1;
  }
}

static void tensor_init(tsm_tensor *t, tsm_storage *s, unsigned dtype, size_t rank) {
  atomic_init(&t->head.refs, TSM_SHARED + 1);
  t->storage = s;
  t->offset = 0;
  t->dtype = (uint8_t)dtype;
  t->rank = (uint8_t)rank;
  t->unused = 0;
}

/* Takes over the count of `s`, also when it fails. */
static tsm_tensor *tensor_alloc(tsm_runtime *rt, tsm_storage *s, uint8_t dtype, size_t rank) {
  tsm_tensor *t = tsm_object_alloc(rt->shared, tsm_tensor_object_size(rank), TSM_TENSOR, NULL);
  if (t) tensor_init(t, s, dtype, rank);
  else tsm_storage_unref(s);
  return t;
}

/* The tensor in the room behind a storage's header; takes over its count. */
static tsm_tensor *tensor_inside(tsm_storage *s, const tsm_meta *meta) {
  tsm_tensor *t = (tsm_tensor *)(void *)(s + 1);
  memset(&t->head, 0, sizeof t->head);
  t->head.kind = TSM_TENSOR;
  t->head.flags = TSM_OBJ_INSIDE;
  t->head.heap = s->rt->shared;
  tsm_runtime_retain(s->rt);
  tensor_init(t, s, meta->dtype, meta->rank);
  return t;
}

static void set_contiguous(tsm_tensor *t, const tsm_meta *meta, int64_t numel) {
  for (size_t i = 0; i < meta->rank; i++) t->dims[i] = meta->shape[i];
  fill_contiguous_strides(meta->rank, t->dims, t->dims + meta->rank);
  t->numel = numel;
  t->is_contiguous = 1;
}

static void set_strided(tsm_tensor *t, const int64_t *shape, const int64_t *strides, int64_t offset) {
  size_t rank = t->rank;
  t->offset = offset;
  t->numel = 1;
  for (size_t i = 0; i < rank; i++) {
    t->dims[i] = shape[i];
    t->dims[rank + i] = strides[i];
    t->numel *= shape[i];
  }
  t->is_contiguous = t->numel <= 1 || strides_are_contiguous(rank, shape, strides);
}

tsm_tensor *tsm_tensor_new_block(tsm_runtime *rt, const tsm_meta *meta, int64_t numel, size_t bytes, bool zeroed) {
  tsm_storage *s = tsm_storage_new(rt, tsm_tensor_object_size(meta->rank), bytes, zeroed);
  if (!s) return NULL;
  tsm_tensor *t = tensor_inside(s, meta);
  set_contiguous(t, meta, numel);
  return t;
}

tsm_tensor *tsm_tensor_new_over(tsm_runtime *rt, const tsm_meta *meta, const int64_t *strides, int64_t offset,
                                void *data, size_t bytes, uint32_t flags) {
  tsm_storage *s = tsm_storage_borrow(rt, tsm_tensor_object_size(meta->rank), data, bytes, flags, NULL, NULL);
  if (!s) return NULL;
  tsm_tensor *t = tensor_inside(s, meta);
  set_strided(t, meta->shape, strides, offset);
  return t;
}

static tsm_noted raise_too_large(tsm_context *ctx) {
  return tsm_raise(ctx, "RuntimeError", "the tensor is too large: its size in bytes does not fit in %d bits",
                   (int)(8 * sizeof(size_t)));
}

/* Whether kernels may count the elements, of which many can share memory, and their bytes in a size_t. */
static bool is_countable(unsigned dtype, size_t rank, const int64_t *shape) {
  tsm_meta meta = {.dtype = (uint8_t)dtype, .rank = (uint8_t)rank};
  int64_t numel;
  size_t bytes;
  if (rank) memcpy(meta.shape, shape, rank * sizeof *shape);
  return tsm_meta_bytes(&meta, &numel, &bytes);
}

static tsm_noted raise_bad_size(tsm_context *ctx, const tsm_meta *meta) {
  for (size_t i = 0; i < meta->rank; i++)
    if (meta->shape[i] < 0)
      return tsm_raise(ctx, "RuntimeError", "a tensor cannot have a negative extent: %lld in dimension %zu",
                       (long long)meta->shape[i], i);
  return raise_too_large(ctx);
}

tsm_tensor *tsm_tensor_make(tsm_context *ctx, const tsm_meta *meta, bool zeroed) {
  int64_t numel;
  size_t bytes;
  if (!tsm_meta_bytes(meta, &numel, &bytes)) {
    raise_bad_size(ctx, meta);
    return NULL;
  }
  tsm_tensor *t = tsm_tensor_new_block(ctx->rt, meta, numel, bytes, zeroed);
  if (!t) tsm_out_of_memory(ctx);
  return t;
}

tsm_tensor *tsm_tensor_shape_only(tsm_runtime *rt, const tsm_meta *meta) {
  int64_t numel;
  size_t bytes;
  if (!tsm_meta_bytes(meta, &numel, &bytes)) return NULL;
  int64_t strides[TSM_MAX_RANK];
  fill_contiguous_strides(meta->rank, meta->shape, strides);
  return tsm_tensor_new_over(rt, meta, strides, 0, NULL, bytes, TSM_ST_META);
}

tsm_tensor *tsm_tensor_over(tsm_runtime *rt, tsm_storage *s, uint8_t dtype, size_t rank, const int64_t *shape,
                            const int64_t *strides, int64_t offset) {
  atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
  tsm_tensor *t = tensor_alloc(rt, s, dtype, rank);
  if (!t) return NULL;
  set_strided(t, shape, strides, offset);
  return t;
}

tsm_tensor *tsm_tensor_make_view(tsm_context *ctx, const tsm_tensor *t, uint8_t dtype, size_t rank,
                                 const int64_t *shape, const int64_t *strides, int64_t offset) {
  if (sizeof(size_t) < sizeof(int64_t) && !is_countable(dtype, rank, shape)) {
    raise_too_large(ctx);
    return NULL;
  }
  tsm_tensor *view = tsm_tensor_over(ctx->rt, t->storage, dtype, rank, shape, strides, offset);
  if (!view) tsm_out_of_memory(ctx);
  return view;
}

bool tsm_window_is_inside(size_t bytes, size_t item, size_t rank, const int64_t *shape, const int64_t *strides,
                          int64_t offset) {
  size_t items = bytes / item;
  int64_t low = offset, high = offset, numel = 1;
  bool is_empty = false;
  if (offset < 0 || (uint64_t)offset > items) return false;
  for (size_t i = 0; i < rank; i++) {
    if (shape[i] < 0) return false;
    if (shape[i] == 0) is_empty = true;
    if (shape[i] > 0 && tsm_mul_overflows(numel, shape[i], &numel)) return false;
  }
  if (is_empty) return true;
  for (size_t i = 0; i < rank; i++) {
    int64_t reach, *end = strides[i] < 0 ? &low : &high;
    if (tsm_mul_overflows(shape[i] - 1, strides[i], &reach) || tsm_add_overflows(*end, reach, end)) return false;
  }
  return low >= 0 && (uint64_t)high < items;
}

void *tsm_tensor_writable(tsm_context *ctx, tsm_tensor *t) {
  tsm_storage *s = t->storage;
  if (TSM_UNLIKELY(s->flags & (TSM_ST_READONLY | TSM_ST_COW | TSM_ST_META))) {
    if (s->flags & TSM_ST_META) {
      tsm_raise(ctx, "RuntimeError", "the tensor has only a shape and no memory that could be written");
      return NULL;
    }
    if (s->flags & TSM_ST_READONLY) {
      tsm_raise(ctx, "RuntimeError", "the tensor lies in read-only memory of the host and cannot be written");
      return NULL;
    }
    if (tsm_storage_make_private(s)) {
      tsm_out_of_memory(ctx);
      return NULL;
    }
  }
  s->version++;
  return s->data + (size_t)t->offset * tsm_item_size(t->dtype);
}

tsm_tensor *tsm_tensor_contiguous(tsm_context *ctx, tsm_tensor *t) {
  if (t->is_contiguous) {
    tsm_ref(&t->head);
    return t;
  }
  tsm_meta meta = {t->dtype, t->rank, {0}};
  memcpy(meta.shape, tsm_shape(t), t->rank * sizeof(int64_t));
  if (t->storage->flags & TSM_ST_META) {
    tsm_tensor *shape_only = tsm_tensor_shape_only(ctx->rt, &meta);
    if (!shape_only) tsm_out_of_memory(ctx);
    return shape_only;
  }
  tsm_tensor *copy = tsm_tensor_make(ctx, &meta, false);
  if (copy && tsm_tensor_copy_into(ctx, copy, t)) {
    tsm_unref(&copy->head);
    return NULL;
  }
  return copy;
}

tsm_status tsm_tensor_copy_into(tsm_context *ctx, tsm_tensor *dst, const tsm_tensor *src) {
  int64_t shape[TSM_MAX_RANK];
  size_t rank = dst->rank;
  memcpy(shape, tsm_shape(dst), rank * sizeof *shape);
  if (src->rank > dst->rank || !tsm_broadcast(shape, &rank, tsm_shape(src), src->rank) ||
      memcmp(shape, tsm_shape(dst), rank * sizeof *shape) != 0) {
    char to[TSM_SHAPE_TEXT], from[TSM_SHAPE_TEXT];
    return tsm_raise(ctx, "RuntimeError", "copy: a tensor of shape %s does not broadcast to %s",
                     tsm_shape_text(from, src), tsm_shape_text(to, dst));
  }
  if (src->storage->flags & TSM_ST_META)
    return tsm_raise(ctx, "RuntimeError", "copy: the source has only a shape and no memory");
  if (!tsm_tensor_writable(ctx, dst)) return ctx->status;
  tsm_iter it;
  tsm_iter_init(&it, dst->rank, tsm_shape(dst));
  tsm_iter_add_tensor(&it, dst);
  tsm_iter_add_tensor(&it, src);
  return tsm_iter_copy(ctx, &it, dst->dtype, src->dtype);
}

tsm_status tsm_tensor_item(tsm_context *ctx, const tsm_tensor *t, tsm_pair *out_pair) {
  if (t->numel != 1)
    return tsm_raise(ctx, "RuntimeError", "a Tensor with %lld elements cannot be converted to Scalar",
                     (long long)t->numel);
  if (t->storage->flags & TSM_ST_META)
    return tsm_raise(ctx, "RuntimeError", "the tensor has only a shape and no value");
  *out_pair = tsm_element_load(t->dtype, tsm_tensor_read(t));
  return TSM_OK;
}

tsm_status tsm_tensor_truth(tsm_context *ctx, const tsm_tensor *t, bool *out_truth) {
  if (t->numel == 0)
    return tsm_raise(ctx, "RuntimeError", "Boolean value of Tensor with no values is ambiguous");
  if (t->numel > 1)
    return tsm_raise(ctx, "RuntimeError", "Boolean value of Tensor with more than one value is ambiguous");
  tsm_pair p;
  tsm_status status = tsm_tensor_item(ctx, t, &p);
  if (status) return status;
  *out_truth = p.tag == TSM_FLOAT ? p.as.f != 0 : p.as.i != 0;
  return TSM_OK;
}
