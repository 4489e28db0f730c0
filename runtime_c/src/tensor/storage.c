/* storage.c - the memory behind tensors: one counted header per block of bytes.
 * In: sizes, or the host's memory. Out: storages with one count.
 * Holds: data made here lies behind its header in the same block, 64-byte aligned, and between the two there may be
 * room for the tensor it is made for; data that became private later (a written weight) is a block of its own. */
#include "packed.h"

enum { DATA_ALIGNMENT = 64 };

/* Data of a tensor was made. */
static void watch_data(tsm_runtime *rt, size_t bytes) {
  if (!rt->tuning.watch_tensors) return;
  uint64_t now = atomic_fetch_add_explicit(&rt->tensors, bytes, memory_order_relaxed) + bytes;
  uint64_t most = atomic_load_explicit(&rt->tensors_peak, memory_order_relaxed);
  while (now > most && !atomic_compare_exchange_weak_explicit(&rt->tensors_peak, &most, now, memory_order_relaxed,
                                                              memory_order_relaxed)) {}
}

static void unwatch_data(tsm_runtime *rt, size_t bytes) {
  if (rt->tuning.watch_tensors) atomic_fetch_sub_explicit(&rt->tensors, bytes, memory_order_relaxed);
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
  atomic_init(&s->packed, NULL);
}

tsm_storage *tsm_storage_new(tsm_runtime *rt, size_t room, size_t bytes, bool zeroed) {
  size_t block, before = (sizeof(tsm_storage) + room + (DATA_ALIGNMENT - 1)) & ~(size_t)(DATA_ALIGNMENT - 1);
  if (tsm_add_overflows(bytes, before, &block)) return NULL;
  tsm_storage *s = tsm_alloc_aligned(rt, block);
  if (!s) return NULL;
  storage_init(s, rt, bytes, block, TSM_ST_INLINE);
  s->data = (uint8_t *)s + before;
  watch_data(rt, bytes);
  if (zeroed) memset(s->data, 0, bytes);
  return s;
}

tsm_storage *tsm_storage_borrow(tsm_runtime *rt, size_t room, void *data, size_t bytes, uint32_t flags,
                                tsm_release_fn release, void *user) {
  tsm_storage *s = tsm_alloc(rt, sizeof *s + room);
  if (!s) return NULL;
  storage_init(s, rt, bytes, sizeof *s + room, flags);
  s->data = data;
  s->release = release;
  s->release_user = user;
  return s;
}

static void storage_data_release(tsm_storage *s) {
  if (s->flags & TSM_ST_OWNED) {
    unwatch_data(s->rt, s->bytes);
    tsm_free_aligned(s->rt, s->data, s->bytes);
  }
  if (s->release) s->release(s->release_user);
  s->release = NULL;
}

/* Lets go of the packed copies: those of copy-on-write memory are the program's. */
static void storage_packed_release(tsm_storage *s) {
  tsm_packed_list *list = atomic_exchange(&s->packed, NULL);
  if (!list || s->flags & TSM_ST_COW) return;
  tsm_packed_free(s->rt, list);
  tsm_free(s->rt, list, sizeof *list);
}

void tsm_storage_unref(tsm_storage *s) {
  if (atomic_load_explicit(&s->refs, memory_order_acquire) != 1 &&
      atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1)
    return;
  if (TSM_UNLIKELY(atomic_load_explicit(&s->packed, memory_order_relaxed) != NULL)) storage_packed_release(s);
  if (s->flags & TSM_ST_INLINE) {
    unwatch_data(s->rt, s->bytes);
    tsm_free_aligned(s->rt, s, s->block);
    return;
  }
  storage_data_release(s);
  tsm_free(s->rt, s, s->block);
}

tsm_status tsm_storage_make_private(tsm_storage *s) {
  if (!(s->flags & TSM_ST_COW)) return TSM_OK;
  uint8_t *copy = tsm_alloc_aligned(s->rt, s->bytes);
  if (!copy) return TSM_ERR_MEMORY;
  if (s->bytes) memcpy(copy, s->data, s->bytes);
  storage_packed_release(s);
  storage_data_release(s);
  s->data = copy;
  watch_data(s->rt, s->bytes);
  s->flags = TSM_ST_OWNED | TSM_ST_KEPT;
  return TSM_OK;
}
