/* dict.c - dicts and sets: entries in insertion order, found by an open-addressed table of their numbers.
 * Holds: at most two thirds of the table are not empty, so a probe always ends; removed entries stay as holes until
 * the next rebuild. */
#include "base/context.h"

enum { EMPTY = -1, DELETED = -2, FREE_STEPS = 32 };

tsm_dict *tsm_dict_make(tsm_heap *heap, tsm_kind kind, tsm_layout key, tsm_layout value, const tsm_type *type) {
  tsm_dict *d = tsm_object_alloc(heap, sizeof *d, kind, type);
  if (!d) return NULL;
  d->head.layout = (uint8_t)key;
  d->head.layout2 = (uint8_t)value;
  return d;
}

static uint64_t spread(uint64_t hash) {
  hash ^= hash >> 33;
  hash *= UINT64_C(0xff51afd7ed558ccd);
  return hash ^ (hash >> 33);
}

/* Charges steps that were taken; false when the context has stopped. */
static bool pay_steps(tsm_context *ctx, uint64_t steps) {
  return TSM_LIKELY(steps <= FREE_STEPS) || tsm_pay(ctx, (int64_t)steps, TSM_COST_STEP);
}

/* Whether two keys with one hash are equal: most often they are the same object, or texts. */
static bool is_equal(tsm_context *ctx, tsm_pair a, tsm_pair b) {
  if (a.tag == b.tag && a.tag == TSM_INT) return a.as.i == b.as.i;
  if (a.tag == b.tag && a.tag == TSM_STR) {
    const tsm_str *x = (const tsm_str *)a.as.ref, *y = (const tsm_str *)b.as.ref;
    if (x == y || x->length != y->length) return x == y;
    return tsm_pay_bytes(ctx, x->length) && memcmp(x->bytes, y->bytes, x->length) == 0;
  }
  return tsm_key_equal(ctx, a, b);
}

/* The table slot of entry `number`, which is in the chain of its hash. */
static int64_t slot_of(tsm_context *ctx, const tsm_dict *d, int64_t number) {
  uint64_t start = spread(d->entries[number].hash), i = start;
  while (d->table[i & d->table_mask] != number) i++;
  pay_steps(ctx, i - start);
  return (int64_t)(i & d->table_mask);
}

/* The same for a key, or -1, where the entries have hashes that the key's own class gave: not those of tsm_pair_hash. */
static int64_t search_slot(tsm_context *ctx, const tsm_dict *d, tsm_pair key) {
  for (int64_t number = d->first; number < d->used && tsm_pay(ctx, 1, TSM_COST_ITEM); number++)
    if (d->entries[number].is_live && is_equal(ctx, d->entries[number].key, key)) return slot_of(ctx, d, number);
  return -1;
}

/* Table slot that holds the key, or -1 if there is none or the context has stopped. */
static int64_t find_slot(tsm_context *ctx, const tsm_dict *d, tsm_pair key, uint64_t hash) {
  if (!d->length) return -1;
  if (TSM_UNLIKELY(d->head.flags & TSM_OBJ_HASHED)) return search_slot(ctx, d, key);
  uint64_t start = spread(hash), i = start;
  int64_t slot;
  for (;; i++) {
    slot = (int64_t)(i & d->table_mask);
    int32_t number = d->table[slot];
    if (TSM_UNLIKELY(i - start == FREE_STEPS)) {
      if (!tsm_pay(ctx, FREE_STEPS, TSM_COST_STEP)) return -1;
      start = i;
    }
    if (number == EMPTY) return -1;
    if (number == DELETED) continue;
    const tsm_dict_entry *e = &d->entries[number];
    if (e->hash == hash && is_equal(ctx, e->key, key)) return slot;
  }
}

static void insert_number(tsm_context *ctx, int32_t *table, uint32_t mask, uint64_t hash, int32_t number) {
  uint64_t start = spread(hash), i = start;
  while (table[i & mask] >= 0) i++;
  table[i & mask] = number;
  pay_steps(ctx, i - start);
}

tsm_dict_entry *tsm_dict_find(tsm_context *ctx, const tsm_dict *d, tsm_pair key) {
  int64_t slot = find_slot(ctx, d, key, tsm_pair_hash(ctx, key));
  return slot < 0 || tsm_has_stopped(ctx) ? NULL : &d->entries[d->table[slot]];
}

enum { PART = 4096 };

/* Whether work on the next entries may go on, asked for each. */
static bool pay_entry(tsm_context *ctx, int64_t i, int64_t count) {
  if (i % PART || count < PART) return true; /* few are in what the operator itself costs */
  return tsm_pay(ctx, count - i < PART ? count - i : PART, TSM_COST_ENTRY);
}

/* Makes room for `capacity` entries and closes the holes; otherwise all stays as it was. */
static tsm_status rebuild(tsm_context *ctx, tsm_dict *d, int64_t capacity) {
  if (capacity > INT32_MAX / 4) return TSM_ERR_MEMORY;
  tsm_runtime *rt = d->head.heap->rt;
  size_t slots = 16;
  while (slots * 2 < (size_t)capacity * 3) slots *= 2;
  tsm_dict_entry *entries = tsm_alloc_array(rt, (size_t)capacity, sizeof *entries);
  int32_t *table = tsm_alloc_array(rt, slots, sizeof *table);
  if (!entries || !table) {
    tsm_free(rt, entries, (size_t)capacity * sizeof *entries);
    tsm_free(rt, table, slots * sizeof *table);
    return TSM_ERR_MEMORY;
  }
  memset(table, 0xFF, slots * sizeof *table);
  int32_t used = 0;
  for (int64_t i = 0; i < d->used; i++) {
    if (!pay_entry(ctx, i, d->used) || tsm_has_stopped(ctx)) {
      tsm_free(rt, entries, (size_t)capacity * sizeof *entries);
      tsm_free(rt, table, slots * sizeof *table);
      return ctx->status;
    }
    if (!d->entries[i].is_live) continue;
    entries[used] = d->entries[i];
    insert_number(ctx, table, (uint32_t)slots - 1, entries[used].hash, used);
    used++;
  }
  tsm_free(rt, d->entries, (size_t)d->capacity * sizeof *entries);
  if (d->table) tsm_free(rt, d->table, ((size_t)d->table_mask + 1) * sizeof *table);
  d->entries = entries;
  d->table = table;
  d->table_mask = (uint32_t)slots - 1;
  d->used = d->filled = used;
  d->first = 0;
  d->capacity = capacity;
  return TSM_OK;
}

/* A change that does not come about gives back the counts it would have taken over. */
static tsm_status give_back(tsm_pair key, tsm_pair value, tsm_status status) {
  tsm_pair_unref(key);
  tsm_pair_unref(value);
  return status;
}

tsm_status tsm_dict_put(tsm_context *ctx, tsm_dict *d, tsm_pair key, tsm_pair value) {
  uint64_t hash = tsm_pair_hash(ctx, key);
  int64_t slot = find_slot(ctx, d, key, hash);
  if (tsm_has_stopped(ctx)) return give_back(key, value, ctx->status);
  if (slot >= 0) {
    tsm_dict_entry *e = &d->entries[d->table[slot]];
    tsm_pair old = e->value;
    e->value = value;
    return give_back(key, old, TSM_OK);
  }
  if (TSM_UNLIKELY(d->head.flags & TSM_OBJ_HASHED)) {
    tsm_status status = tsm_dict_rehash(ctx, d, NULL);
    if (status != TSM_OK) return give_back(key, value, status);
  }
  return tsm_dict_append(ctx, d, hash, key, value);
}

/* As many as CPython makes room for (calculate_log2_keysize of dictobject.c), so that holes close when its holes do: a
 * loop over a dict whose keys are exchanged meets the same ones. */
static int64_t next_capacity(int64_t length) {
  int64_t size = 8, most = ((length * 3 | 8) - 1) | 7;
  while (size <= most) size *= 2;
  return size * 2 / 3;
}

tsm_status tsm_dict_append(tsm_context *ctx, tsm_dict *d, uint64_t hash, tsm_pair key, tsm_pair value) {
  if (d->filled == d->capacity) {
    tsm_status status = rebuild(ctx, d, next_capacity(d->length));
    if (status != TSM_OK) return give_back(key, value, status);
  }
  d->entries[d->used] = (tsm_dict_entry){hash, key, value, true};
  insert_number(ctx, d->table, d->table_mask, hash, (int32_t)d->used);
  d->used++;
  d->filled++;
  d->length++;
  d->version++;
  return TSM_OK;
}

bool tsm_dict_delete(tsm_context *ctx, tsm_dict *d, tsm_pair key) {
  tsm_dict_entry *e = tsm_dict_find(ctx, d, key);
  if (e) tsm_dict_drop(ctx, d, e);
  return e != NULL;
}

void tsm_dict_drop(tsm_context *ctx, tsm_dict *d, tsm_dict_entry *e) {
  int64_t slot = slot_of(ctx, d, e - d->entries);
  tsm_dict_entry old = *e;
  e->is_live = false;
  d->table[slot] = DELETED;
  d->length--;
  d->version++;
  while (d->first < d->used && !d->entries[d->first].is_live) d->first++;
  tsm_pair_unref(old.key);
  tsm_pair_unref(old.value);
}

int64_t tsm_dict_probe(tsm_context *ctx, const tsm_dict *d, uint64_t hash, int64_t after) {
  if (!d->length) return -1;
  bool is_past = after < 0;
  uint64_t start = spread(hash), i = start;
  int32_t number;
  for (;; i++) {
    number = d->table[i & d->table_mask];
    if (number == EMPTY) {
      if (is_past) break;
      is_past = true; /* the entry has gone: from the start again */
      i = start - 1;
      continue;
    }
    if (number == DELETED || d->entries[number].hash != hash) continue;
    if (is_past) break;
    is_past = number == after;
  }
  pay_steps(ctx, i - start);
  return number;
}

/* Hashes of all entries, and a table of them, in memory of their own, so that a trap leaves the old ones. */
static tsm_status hash_anew(tsm_context *ctx, const tsm_dict *d, const int64_t *given, uint64_t *hashes, int32_t *table) {
  memset(table, 0xFF, ((size_t)d->table_mask + 1) * sizeof *table);
  for (int64_t i = 0; i < d->used; i++) {
    if (!d->entries[i].is_live) continue;
    if (!tsm_pay(ctx, 1, TSM_COST_ENTRY)) return ctx->status;
    hashes[i] = given ? (uint64_t)*given++ : tsm_pair_hash(ctx, d->entries[i].key);
    insert_number(ctx, table, d->table_mask, hashes[i], (int32_t)i);
    if (tsm_has_stopped(ctx)) return ctx->status;
  }
  return TSM_OK;
}

tsm_status tsm_dict_rehash(tsm_context *ctx, tsm_dict *d, const int64_t *given) {
  tsm_runtime *rt = d->head.heap->rt;
  size_t slots = (size_t)d->table_mask + 1, count = (size_t)d->used;
  if (!d->table) return TSM_OK;
  uint64_t *hashes = tsm_alloc_array(rt, count, sizeof *hashes);
  int32_t *table = tsm_alloc_array(rt, slots, sizeof *table);
  tsm_status status = (hashes || !count) && table ? hash_anew(ctx, d, given, hashes, table) : TSM_ERR_MEMORY;
  if (status == TSM_OK) {
    int32_t *old = d->table;
    d->table = table;
    table = old;
    for (size_t i = 0; i < count; i++) if (d->entries[i].is_live) d->entries[i].hash = hashes[i];
    d->head.flags = (uint8_t)(given ? d->head.flags | TSM_OBJ_HASHED : d->head.flags & ~TSM_OBJ_HASHED);
  }
  tsm_free(rt, hashes, count * sizeof *hashes);
  tsm_free(rt, table, slots * sizeof *table);
  return status;
}

tsm_status tsm_dict_move(tsm_context *ctx, tsm_dict *d, tsm_dict_entry *e, bool is_last) {
  tsm_dict_entry moved = *e;
  if (e == (is_last ? tsm_dict_last(d) : &d->entries[d->first])) return TSM_OK;
  if (is_last) {
    tsm_pair_ref(moved.key);
    tsm_pair_ref(moved.value);
    tsm_dict_drop(ctx, d, e);
    return tsm_dict_append(ctx, d, moved.hash, moved.key, moved.value);
  }
  tsm_dict_entry *first = &d->entries[d->first];
  memmove(first + 1, first, (size_t)(e - first) * sizeof *e);
  *first = moved;
  d->version++;
  tsm_status status = rebuild(ctx, d, d->capacity);
  if (status == TSM_OK) return TSM_OK;
  memmove(first, first + 1, (size_t)(e - first) * sizeof *e);
  *e = moved;
  return status;
}

void tsm_dict_empty(tsm_dict *d) {
  if (d->length) d->version++;
  tsm_dict_entry *entries = d->entries;
  int64_t used = d->used, capacity = d->capacity;
  tsm_runtime *rt = d->head.heap->rt;
  if (d->table) tsm_free(rt, d->table, ((size_t)d->table_mask + 1) * sizeof *d->table);
  d->entries = NULL;
  d->table = NULL;
  d->table_mask = 0;
  d->length = d->used = d->capacity = d->first = d->filled = 0;
  for (int64_t i = 0; i < used; i++) {
    if (!entries[i].is_live) continue;
    tsm_pair_unref(entries[i].key);
    tsm_pair_unref(entries[i].value);
  }
  tsm_free(rt, entries, (size_t)capacity * sizeof *entries);
}

tsm_dict_entry *tsm_dict_last(tsm_dict *d) {
  while (d->used && !d->entries[d->used - 1].is_live) d->used--;
  if (d->first > d->used) d->first = d->used;
  return d->used ? &d->entries[d->used - 1] : NULL;
}

tsm_dict_entry *tsm_dict_pass(tsm_context *ctx, const tsm_dict *d, int64_t *position) {
  const int64_t start = *position;
  tsm_dict_entry *e = tsm_dict_walk(d, position);
  return *position - start < FREE_STEPS || tsm_pay(ctx, *position - start, TSM_COST_STEP / 2) ? e : NULL;
}

tsm_dict_entry *tsm_dict_walk(const tsm_dict *d, int64_t *position) {
  if (*position >= 0 && *position < d->first) *position = d->first;
  while (*position >= 0 && *position < d->used) {
    tsm_dict_entry *e = &d->entries[(*position)++];
    if (e->is_live) return e;
  }
  return NULL;
}
