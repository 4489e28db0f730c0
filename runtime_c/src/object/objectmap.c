/* objectmap.c - see objectmap.h. */
#include "objectmap.h"

void tsm_object_map_init(tsm_object_map *map, tsm_runtime *rt) {
  memset(map, 0, sizeof *map);
  map->rt = rt;
}

void tsm_object_map_free(tsm_object_map *map) {
  tsm_free(map->rt, map->entries, map->capacity * sizeof *map->entries);
  tsm_object_map_init(map, map->rt);
}

static tsm_map_entry *find(tsm_map_entry *entries, size_t capacity, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
  size_t i = (size_t)(hash >> 32) & (capacity - 1);
  while (entries[i].key && entries[i].key != key) i = (i + 1) & (capacity - 1);
  return &entries[i];
}

const uint64_t *tsm_object_map_get(const tsm_object_map *map, const void *key) {
  if (!map->capacity) return NULL;
  const tsm_map_entry *e = find(map->entries, map->capacity, key);
  return e->key ? &e->value : NULL;
}

static bool grow(tsm_object_map *map) {
  size_t capacity = map->capacity ? map->capacity * 2 : 64;
  tsm_map_entry *entries = tsm_alloc_zeroed(map->rt, capacity * sizeof *entries);
  if (!entries) return false;
  for (size_t i = 0; i < map->capacity; i++)
    if (map->entries[i].key) *find(entries, capacity, map->entries[i].key) = map->entries[i];
  tsm_free(map->rt, map->entries, map->capacity * sizeof *entries);
  map->entries = entries;
  map->capacity = capacity;
  return true;
}

bool tsm_object_map_put(tsm_object_map *map, const void *key, uint64_t value) {
  if (map->count * 2 >= map->capacity && !grow(map)) return false;
  *find(map->entries, map->capacity, key) = (tsm_map_entry){key, value};
  map->count++;
  return true;
}
