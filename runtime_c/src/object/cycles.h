/* cycles.h - objects that could be part of a cycle, and the search for cycles nobody refers to. */
#ifndef TSM_CYCLES_H
#define TSM_CYCLES_H

#include "object.h"

enum { TSM_OBJ_LINKS = 2 }; /* flag: tsm_cycle_links lie before the object */

/* Lies before the header of every object whose type is_cyclic and whose heap belongs to an instance. */
typedef struct tsm_cycle_links {
  tsm_object *previous, *next; /* in heap->cyclic */
  int64_t outside;             /* during a search: counts held by others than tracked objects; -1: reachable */
  tsm_object *work;            /* during a search: the next object of a work list */
} tsm_cycle_links;

static inline tsm_cycle_links *tsm_links(tsm_object *o) { return (tsm_cycle_links *)(void *)o - 1; }
/* Takes a dying object out of heap->cyclic. */
void tsm_cycle_unlink(tsm_object *o);
/* One object less is alive; frees the heap with the last one after it was closed. */
void tsm_heap_drop(tsm_heap *heap);

#endif
