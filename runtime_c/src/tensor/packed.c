/* packed.c - see packed.h.
 * Holds: a weight that changes before each use is packed once and then not again until one version is used twice. */
#include "packed.h"

struct tsm_packed_copy {
  tsm_packed_copy *next;
  uint64_t version, wanted; /* of the storage: what was packed, and what was last asked for */
  void *block;              /* the header ends, and the copy starts, at an aligned byte of it */
  size_t bytes;
  uint32_t kind;
  _Atomic bool is_odd;      /* of uses that alternate: the last one */
  uint8_t rank, dtype;
  int64_t offset;
  int64_t dims[2 * TSM_MAX_RANK];
};

enum { ALIGNMENT = 64 };

static size_t block_size(size_t bytes) { return sizeof(tsm_packed_copy) + bytes + ALIGNMENT; }

static uint8_t *data_of(tsm_packed_copy *c) { return (uint8_t *)(c + 1); }

static bool is_of(const tsm_packed_copy *c, const tsm_tensor *t, uint32_t kind, size_t bytes) {
  return c->kind == kind && c->bytes == bytes && c->offset == t->offset && c->rank == t->rank && c->dtype == t->dtype &&
         !memcmp(c->dims, t->dims, 2 * t->rank * sizeof *c->dims);
}

static tsm_packed_copy *copy_new(tsm_runtime *rt, const tsm_tensor *t, uint32_t kind, size_t bytes) {
  if (bytes > PTRDIFF_MAX - sizeof(tsm_packed_copy) - ALIGNMENT) return NULL;
  char *block = tsm_alloc(rt, block_size(bytes));
  if (!block) return NULL;
  const size_t past = ((uintptr_t)block + sizeof(tsm_packed_copy)) % ALIGNMENT;
  tsm_packed_copy *c = (tsm_packed_copy *)(void *)(block + (past ? ALIGNMENT - past : 0));
  memset(c, 0, sizeof *c);
  c->block = block;
  c->kind = kind;
  c->bytes = bytes;
  c->rank = t->rank;
  c->dtype = t->dtype;
  c->offset = t->offset;
  memcpy(c->dims, t->dims, 2 * t->rank * sizeof *c->dims);
  return c;
}

bool tsm_is_packable(const tsm_tensor *weight) {
  return (weight->storage->flags & (TSM_ST_KEPT | TSM_ST_EXPOSED | TSM_ST_META)) == TSM_ST_KEPT;
}

/* The storage's list of copies: the program's for a weight that was not written, else its own. */
static tsm_packed_list *list_of(tsm_storage *s) {
  tsm_packed_list *list = atomic_load_explicit(&s->packed, memory_order_acquire);
  if (list) return list;
  list = tsm_alloc_zeroed(s->rt, sizeof *list);
  tsm_packed_list *other = NULL;
  if (!list || atomic_compare_exchange_strong(&s->packed, &other, list)) return list;
  tsm_free(s->rt, list, sizeof *list);
  return other;
}

static const void *find_or_make(tsm_packed_list *list, const tsm_tensor *weight, uint32_t kind, size_t bytes,
                                tsm_pack_fn pack, void *user) {
  uint64_t version = weight->storage->version;
  tsm_packed_copy *c = list->first;
  while (c && !is_of(c, weight, kind, bytes)) c = c->next;
  if (c && c->version == version) return data_of(c);
  if (c && c->wanted != version) { /* written since: worth packing only if it is used again */
    c->wanted = version;
    return NULL;
  }
  if (!c) {
    c = copy_new(weight->storage->rt, weight, kind, bytes);
    if (!c) return NULL;
    c->next = list->first;
    list->first = c;
  }
  pack(weight, user, data_of(c));
  c->version = c->wanted = version;
  return data_of(c);
}

const void *tsm_packed(const tsm_tensor *weight, uint32_t kind, size_t bytes, tsm_pack_fn pack, void *user) {
  if (!tsm_is_packable(weight)) return NULL;
  tsm_packed_list *list = list_of(weight->storage);
  if (!list) return NULL;
  while (atomic_flag_test_and_set_explicit(&list->lock, memory_order_acquire)) {}
  const void *data = find_or_make(list, weight, kind, bytes, pack, user);
  atomic_flag_clear_explicit(&list->lock, memory_order_release);
  return data;
}

bool tsm_packed_alternate(const void *packed) {
  tsm_packed_copy *c = (tsm_packed_copy *)(uintptr_t)packed - 1;
  const bool is_odd = !atomic_load_explicit(&c->is_odd, memory_order_relaxed);
  atomic_store_explicit(&c->is_odd, is_odd, memory_order_relaxed);
  return is_odd;
}

void tsm_packed_free(tsm_runtime *rt, tsm_packed_list *list) {
  tsm_packed_copy *c = list->first;
  list->first = NULL;
  while (c) {
    tsm_packed_copy *next = c->next;
    tsm_free(rt, c->block, block_size(c->bytes));
    c = next;
  }
}
