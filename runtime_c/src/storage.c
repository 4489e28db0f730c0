/* storage.c - the memory behind tensors: one counted header per block of bytes.
 * In: sizes, or the host's memory. Out: storages with one count.
 * Holds: data made here lies behind its header in the same allocation; data that became private later (a written
 * weight) lies in a block of its own whose byte before the data tells how far the block starts before it. */
#include "tensor.h"

enum { DATA_ALIGNMENT = 64, SMALL_DATA = 256 };

static uint8_t *aligned_up(uint8_t *p) {
  size_t rest = (size_t)((uintptr_t)p % DATA_ALIGNMENT);
  return rest ? p + (DATA_ALIGNMENT - rest) : p;
}

static void storage_init(tsm_storage *s, tsm_runtime *rt, size_t bytes, size_t block, uint32_t flags) {
  atomic_init(&s->refs, 1);
  s->flags = flags;
  s->rt = rt;
  s->data = NULL;
  s->bytes = bytes;
  s->version = 0;
  s->block = block;
  s->release = NULL;
  s->release_user = NULL;
}

tsm_storage *tsm_storage_new(tsm_runtime *rt, size_t bytes, bool zeroed) {
  size_t block;
  size_t extra = sizeof(tsm_storage) + (bytes > SMALL_DATA ? DATA_ALIGNMENT : 0);
  if (tsm_add_overflows(bytes, extra, &block) || block > PTRDIFF_MAX) return NULL;
  tsm_storage *s = zeroed ? tsm_alloc_zeroed(rt, block) : tsm_alloc(rt, block);
  if (!s) return NULL;
  storage_init(s, rt, bytes, block, TSM_ST_INLINE);
  s->data = (uint8_t *)(s + 1);
  if (bytes > SMALL_DATA) s->data = aligned_up(s->data);
  return s;
}

tsm_storage *tsm_storage_borrow(tsm_runtime *rt, void *data, size_t bytes, uint32_t flags, tsm_release_fn release,
                                void *user) {
  tsm_storage *s = tsm_alloc(rt, sizeof *s);
  if (!s) return NULL;
  storage_init(s, rt, bytes, sizeof *s, flags);
  s->data = data;
  s->release = release;
  s->release_user = user;
  return s;
}

/* A 64-byte aligned block apart from its header. */
static uint8_t *separate_data_new(tsm_runtime *rt, size_t bytes) {
  size_t block;
  if (tsm_add_overflows(bytes, (size_t)DATA_ALIGNMENT, &block) || block > PTRDIFF_MAX) return NULL;
  uint8_t *start = tsm_alloc(rt, block);
  if (!start) return NULL;
  uint8_t *data = aligned_up(start + 1);
  data[-1] = (uint8_t)(data - start);
  return data;
}

static void separate_data_free(tsm_runtime *rt, uint8_t *data, size_t bytes) {
  tsm_free(rt, data - data[-1], bytes + DATA_ALIGNMENT);
}

static void storage_data_release(tsm_storage *s) {
  if (s->flags & TSM_ST_OWNED) separate_data_free(s->rt, s->data, s->bytes);
  if (s->release) s->release(s->release_user);
  s->release = NULL;
}

void tsm_storage_unref(tsm_storage *s) {
  if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1) return;
  storage_data_release(s);
  tsm_free(s->rt, s, s->block);
}

tsm_status tsm_storage_make_private(tsm_storage *s) {
  if (!(s->flags & TSM_ST_COW)) return TSM_OK;
  uint8_t *copy = separate_data_new(s->rt, s->bytes);
  if (!copy) return TSM_ERR_MEMORY;
  if (s->bytes) memcpy(copy, s->data, s->bytes);
  storage_data_release(s);
  s->data = copy;
  s->flags = TSM_ST_OWNED;
  return TSM_OK;
}
