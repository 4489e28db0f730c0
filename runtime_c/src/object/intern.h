/* intern.h - numbering distinct byte strings: strings, type records and type keys of a file.
 * Holds: time is linear whatever the bytes are. A table whose probes grow long changes its seed and starts over; bytes
 * that defeat several seeds were made to, and are refused. */
#ifndef TSM_INTERN_H
#define TSM_INTERN_H

#include "base/base.h"

typedef struct tsm_intern_entry { const uint8_t *bytes; size_t length; uint64_t hash; } tsm_intern_entry;
typedef struct tsm_intern {
  tsm_runtime *rt;
  tsm_intern_entry *entries;
  uint32_t count, capacity;
  uint32_t *slots;  /* entry number + 1, 0 empty */
  size_t slot_count;
  uint64_t seed;
} tsm_intern;

void tsm_intern_init(tsm_intern *t, tsm_runtime *rt);
void tsm_intern_free(tsm_intern *t);
/* Number of the entry with these bytes, which are kept by reference; a new one gets the number t->count had before.
 * TSM_ERR_MEMORY, or TSM_ERR_LIMIT for bytes made to collide. */
tsm_status tsm_intern_add(tsm_intern *t, const void *bytes, size_t length, uint32_t *out_number);

#endif
