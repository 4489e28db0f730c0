/* intern.c - see intern.h. */
#include "intern.h"

enum { MAX_PROBES = 256, MAX_SEEDS = 16, FIRST_SLOTS = 64 };

void tsm_intern_init(tsm_intern *t, tsm_runtime *rt) {
  memset(t, 0, sizeof *t);
  t->rt = rt;
}

void tsm_intern_free(tsm_intern *t) {
  tsm_free(t->rt, t->entries, t->capacity * sizeof *t->entries);
  tsm_free(t->rt, t->slots, t->slot_count * sizeof *t->slots);
  tsm_intern_init(t, t->rt);
}

static uint64_t stir(uint64_t h, uint64_t word) {
  h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ (h >> 29);
}

static uint64_t hash_bytes(uint64_t seed, const uint8_t *bytes, size_t length) {
  uint64_t h = stir(stir(seed, UINT64_C(0xd1b54a32d192ed03)), length);
  while (length >= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    h = stir(h, word);
    bytes += 8;
    length -= 8;
  }
  uint64_t tail = 0;
  for (size_t i = 0; i < length; i++) tail = tail << 8 | bytes[i];
  return stir(stir(h, tail), seed);
}

/* Slot of the entry with this hash and bytes, or the empty slot where it belongs. False after too many probes. */
static bool find(const tsm_intern *t, const tsm_intern_entry *like, size_t *out_slot) {
  for (size_t probe = 0; probe < MAX_PROBES; probe++) {
    size_t slot = (size_t)(like->hash + probe) & (t->slot_count - 1);
    uint32_t number = t->slots[slot];
    *out_slot = slot;
    if (!number) return true;
    const tsm_intern_entry *e = &t->entries[number - 1];
    if (e->hash == like->hash && e->length == like->length && memcmp(e->bytes, like->bytes, e->length) == 0)
      return true;
  }
  return false;
}

/* Places all entries anew, under the present seed or a later one. */
static tsm_status place_all(tsm_intern *t) {
  for (int tries = 0; tries < MAX_SEEDS; tries++, t->seed++) {
    bool is_placed = true;
    memset(t->slots, 0, t->slot_count * sizeof *t->slots);
    for (uint32_t i = 0; i < t->count && is_placed; i++) {
      size_t slot;
      t->entries[i].hash = hash_bytes(t->seed, t->entries[i].bytes, t->entries[i].length);
      is_placed = find(t, &t->entries[i], &slot);
      if (is_placed) t->slots[slot] = i + 1;
    }
    if (is_placed) return TSM_OK;
  }
  return TSM_ERR_LIMIT;
}

static tsm_status grow(tsm_intern *t) {
  size_t slot_count = t->slot_count ? t->slot_count * 2 : FIRST_SLOTS;
  uint32_t capacity = (uint32_t)(slot_count / 2);
  tsm_intern_entry *entries = tsm_realloc(t->rt, t->entries, t->capacity * sizeof *entries, capacity * sizeof *entries);
  if (!entries) return TSM_ERR_MEMORY;
  t->entries = entries;
  t->capacity = capacity;
  uint32_t *slots = tsm_alloc_array(t->rt, slot_count, sizeof *slots);
  if (!slots) return TSM_ERR_MEMORY;
  tsm_free(t->rt, t->slots, t->slot_count * sizeof *slots);
  t->slots = slots;
  t->slot_count = slot_count;
  return place_all(t);
}

tsm_status tsm_intern_add(tsm_intern *t, const void *bytes, size_t length, uint32_t *out_number) {
  tsm_intern_entry entry = {bytes, length, 0};
  size_t slot;
  if (t->slot_count < 2 * ((size_t)t->count + 1)) {
    tsm_status status = grow(t);
    if (status != TSM_OK) return status;
  }
  for (int tries = 0; tries < MAX_SEEDS; tries++) {
    entry.hash = hash_bytes(t->seed, bytes, length);
    if (find(t, &entry, &slot)) {
      if (!t->slots[slot]) {
        t->entries[t->count++] = entry;
        t->slots[slot] = t->count;
      }
      *out_number = t->slots[slot] - 1;
      return TSM_OK;
    }
    t->seed++;
    tsm_status status = place_all(t);
    if (status != TSM_OK) return status;
  }
  return TSM_ERR_LIMIT;
}
