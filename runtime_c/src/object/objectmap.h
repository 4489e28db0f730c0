/* objectmap.h - numbers for objects and storages by their address: what a copy or a save has seen already. */
#ifndef TSM_OBJECTMAP_H
#define TSM_OBJECTMAP_H

#include "base/base.h"

typedef struct tsm_map_entry { const void *key; uint64_t value; } tsm_map_entry; /* key NULL: empty */
typedef struct tsm_object_map {
  tsm_runtime *rt;
  tsm_map_entry *entries;
  size_t count, capacity;  /* capacity is a power of two */
} tsm_object_map;

void tsm_object_map_init(tsm_object_map *map, tsm_runtime *rt);
void tsm_object_map_free(tsm_object_map *map);
/* NULL when the key (not NULL) has no value. */
const uint64_t *tsm_object_map_get(const tsm_object_map *map, const void *key);
/* The key must be new. False when out of memory. */
bool tsm_object_map_put(tsm_object_map *map, const void *key, uint64_t value);

#endif
