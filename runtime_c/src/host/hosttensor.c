/* hosttensor.c - tensors as the host makes and reads them: the tsm_tensor_ and tsm_dtype_ functions of tsm.h.
 * In: dtype, shape, strides, memory. Out: values with one count.
 * Holds: nothing the host passes is believed: ranks, extents and windows are checked before they are used. */
#include "tensor/tensor.h"

size_t tsm_dtype_size(tsm_dtype dtype) { return (unsigned)dtype < TSM_DTYPE_COUNT ? tsm_item_size(dtype) : 0; }

const char *tsm_dtype_name(tsm_dtype dtype) {
  static const char names[TSM_DTYPE_NAMES][16] = {
      "bool",     "uint8",   "int8",      "int16",      "int32",  "int64",  "float32", "float64",
      "bfloat16", "float16", "complex64", "complex128", "uint16", "uint32", "uint64",
      "complex32", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"};
  return (unsigned)dtype < TSM_DTYPE_NAMES ? names[dtype] : "unknown";
}

static const tsm_tensor *tensor_in(tsm_value value) {
  return value.kind == TSM_TENSOR ? (const tsm_tensor *)(const void *)value.as.ref : NULL;
}

static tsm_status give(tsm_tensor *t, tsm_value *out_value) {
  if (!t) return TSM_ERR_MEMORY;
  out_value->kind = TSM_TENSOR;
  out_value->type = 0;
  out_value->as.ref = &t->head;
  return TSM_OK;
}

/* Row-major strides for a shape whose size is known to fit. */
static void row_major(const tsm_meta *meta, int64_t *strides) {
  int64_t next = 1;
  for (size_t d = meta->rank; d-- > 0;) {
    strides[d] = next;
    next *= meta->shape[d] > 1 ? meta->shape[d] : 1;
  }
}

static bool read_meta(tsm_dtype dtype, size_t rank, const int64_t *shape, tsm_meta *out, int64_t *out_numel,
                      size_t *out_bytes) {
  if ((unsigned)dtype >= TSM_DTYPE_COUNT || rank > TSM_MAX_RANK || (rank && !shape)) return false;
  out->dtype = (uint8_t)dtype;
  out->rank = (uint8_t)rank;
  if (rank) memcpy(out->shape, shape, rank * sizeof *shape);
  return tsm_meta_bytes(out, out_numel, out_bytes);
}

tsm_status tsm_tensor_new(tsm_runtime *rt, tsm_dtype dtype, size_t rank, const int64_t *shape, tsm_value *out_value) {
  tsm_meta meta;
  int64_t numel;
  size_t bytes;
  if (!read_meta(dtype, rank, shape, &meta, &numel, &bytes)) return TSM_ERR_ARGUMENT;
  return give(tsm_tensor_new_block(rt, &meta, numel, bytes, true), out_value);
}

/* The elements before and after element 0 that strides reach; false if they do not fit. */
static bool reach_of(const tsm_meta *meta, const int64_t *strides, int64_t *out_before, int64_t *out_after) {
  *out_before = *out_after = 0;
  for (size_t d = 0; d < meta->rank; d++) {
    int64_t reach, *end = strides[d] < 0 ? out_before : out_after;
    if (meta->shape[d] <= 1) continue;
    if (tsm_mul_overflows(meta->shape[d] - 1, strides[d], &reach) || tsm_add_overflows(*end, reach, end)) return false;
  }
  *out_before = -*out_before;
  int64_t total;
  return !tsm_add_overflows(*out_before, *out_after, &total) &&
         !tsm_mul_overflows(total, (int64_t)tsm_item_size(meta->dtype), &total) && total < PTRDIFF_MAX - 64;
}

/* A bool from the host may be any byte; inside it is 0 or 1. */
static void normalize_bools(uint8_t *data, size_t count) {
  for (size_t i = 0; i < count; i++) data[i] = data[i] != 0;
}

tsm_status tsm_tensor_copy(tsm_runtime *rt, tsm_dtype dtype, size_t rank, const int64_t *shape, const int64_t *strides,
                           const void *data, tsm_value *out_value) {
  tsm_meta meta;
  int64_t numel, plain[TSM_MAX_RANK], before, after, index[TSM_MAX_RANK] = {0};
  size_t bytes;
  if (!read_meta(dtype, rank, shape, &meta, &numel, &bytes) || (numel && !data)) return TSM_ERR_ARGUMENT;
  row_major(&meta, plain);
  if (!strides) strides = plain;
  if (!reach_of(&meta, strides, &before, &after)) return TSM_ERR_ARGUMENT;
  tsm_tensor *t = tsm_tensor_new_block(rt, &meta, numel, bytes, false);
  if (!t) return TSM_ERR_MEMORY;
  uint8_t *to = t->storage->data;
  size_t item = tsm_item_size(meta.dtype);
  const char *from = data;
  if (!memcmp(strides, plain, rank * sizeof *strides)) {
    if (bytes) memcpy(to, data, bytes);
  } else {
    for (int64_t i = 0; i < numel; i++) {
      memcpy(to + (size_t)i * item, from, item);
      for (size_t d = rank; d-- > 0;) {
        from += strides[d] * (int64_t)item;
        if (++index[d] < meta.shape[d]) break;
        from -= strides[d] * meta.shape[d] * (int64_t)item;
        index[d] = 0;
      }
    }
  }
  if (dtype == TSM_BOOL8) normalize_bools(to, bytes);
  return give(t, out_value);
}

tsm_status tsm_tensor_borrow(tsm_runtime *rt, tsm_dtype dtype, size_t rank, const int64_t *shape, const int64_t *strides,
                             void *data, bool writable, tsm_release_fn release, void *user, tsm_value *out_value) {
  tsm_meta meta;
  int64_t numel, plain[TSM_MAX_RANK], before, after;
  size_t bytes, item;
  if (!read_meta(dtype, rank, shape, &meta, &numel, &bytes) || (numel && !data)) return TSM_ERR_ARGUMENT;
  row_major(&meta, plain);
  if (!strides) strides = plain;
  if (!reach_of(&meta, strides, &before, &after)) return TSM_ERR_ARGUMENT;
  item = tsm_item_size(meta.dtype);
  if (numel && (uintptr_t)data % item) return TSM_ERR_ARGUMENT;
  if (!numel) before = 0;
  bytes = numel ? (size_t)(before + after + 1) * item : 0;
  uint8_t *start = numel ? (uint8_t *)data - (size_t)before * item : NULL;
  tsm_tensor *t = tsm_tensor_new_over(rt, &meta, strides, before, start, bytes,
                                      TSM_ST_EXPOSED | (writable ? 0u : TSM_ST_READONLY));
  if (!t) return TSM_ERR_MEMORY; /* the memory stays the caller's */
  if (!numel) t->storage->data = (uint8_t *)(t->storage + 1); /* of no bytes, but not NULL */
  t->storage->release = release;
  t->storage->release_user = user;
  return give(t, out_value);
}

tsm_dtype tsm_tensor_dtype(tsm_value value) { return tensor_in(value) ? (tsm_dtype)tensor_in(value)->dtype : TSM_DTYPE_COUNT; }
size_t tsm_tensor_rank(tsm_value value) { return tensor_in(value) ? tensor_in(value)->rank : 0; }
const int64_t *tsm_tensor_shape(tsm_value value) { return tensor_in(value) ? tsm_shape(tensor_in(value)) : NULL; }
const int64_t *tsm_tensor_strides(tsm_value value) { return tensor_in(value) ? tsm_strides(tensor_in(value)) : NULL; }
int64_t tsm_tensor_numel(tsm_value value) { return tensor_in(value) ? tensor_in(value)->numel : 0; }
bool tsm_tensor_is_contiguous(tsm_value value) { return tensor_in(value) && tensor_in(value)->is_contiguous; }
int64_t tsm_tensor_offset(tsm_value value) { return tensor_in(value) ? tensor_in(value)->offset : 0; }

const void *tsm_tensor_data(tsm_value value) {
  const tsm_tensor *t = tensor_in(value);
  return t && t->storage->data ? tsm_tensor_read(t) : NULL;
}

void *tsm_tensor_data_mut(tsm_value value) {
  const tsm_tensor *t = tensor_in(value);
  if (!t || (t->storage->flags & (TSM_ST_META | TSM_ST_READONLY))) return NULL;
  if (tsm_storage_make_private(t->storage)) return NULL;
  t->storage->version++;
  t->storage->flags |= TSM_ST_EXPOSED;
  return t->storage->data + (size_t)t->offset * tsm_item_size(t->dtype);
}

const void *tsm_tensor_storage(tsm_value value, size_t *out_bytes) {
  const tsm_tensor *t = tensor_in(value);
  if (out_bytes) *out_bytes = t ? t->storage->bytes : 0;
  return t ? t->storage : NULL;
}

tsm_status tsm_tensor_view(tsm_value base, tsm_dtype dtype, size_t rank, const int64_t *shape, const int64_t *strides,
                           int64_t offset, tsm_value *out_value) {
  const tsm_tensor *t = tensor_in(base);
  tsm_meta meta;
  int64_t numel, plain[TSM_MAX_RANK];
  size_t bytes;
  if (!t || !read_meta(dtype, rank, shape, &meta, &numel, &bytes)) return TSM_ERR_ARGUMENT;
  row_major(&meta, plain);
  if (!strides) strides = plain;
  if (!tsm_window_is_inside(t->storage->bytes, tsm_item_size(meta.dtype), rank, meta.shape, strides, offset))
    return TSM_ERR_ARGUMENT;
  /* bytes of another dtype are no bools */
  if (dtype == TSM_BOOL8 && t->dtype != TSM_BOOL8) return TSM_ERR_ARGUMENT;
  if (t->storage->data && (uintptr_t)t->storage->data % tsm_item_size(meta.dtype)) return TSM_ERR_ARGUMENT;
  return give(tsm_tensor_over(t->storage->rt, t->storage, meta.dtype, rank, meta.shape, strides, offset), out_value);
}

tsm_status tsm_tensor_meta(tsm_runtime *rt, tsm_dtype dtype, size_t rank, const int64_t *shape, tsm_value *out_value) {
  tsm_meta meta;
  int64_t numel;
  size_t bytes;
  if (!read_meta(dtype, rank, shape, &meta, &numel, &bytes)) return TSM_ERR_ARGUMENT;
  return give(tsm_tensor_shape_only(rt, &meta), out_value);
}
