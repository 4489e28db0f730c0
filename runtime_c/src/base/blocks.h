/* blocks.h - memory in blocks of any size, cut from large chunks that are kept.
 * In: chunks, from the host's allocator or as pages of the system. Out: blocks, whose size is given back with them.
 * Holds: a block is aligned to the largest power of two up to 64 that divides its size; small blocks have no header and
 * return to the list of their size, large ones join their free neighbours. Not locked: see memory.c. */
#ifndef TSM_BLOCKS_H
#define TSM_BLOCKS_H

#include "../../include/tsm.h"

enum { TSM_SMALL_GRAIN = 16, TSM_SMALL_MAX = 1024, TSM_SMALL_KINDS = TSM_SMALL_MAX / TSM_SMALL_GRAIN + 1 };

/* A free small block. */
typedef struct tsm_loose { struct tsm_loose *next; } tsm_loose;

enum { TSM_LARGE_ROWS = 40, TSM_LARGE_COLUMNS = 16 };

typedef struct tsm_blocks {
  tsm_alloc_fn alloc;  /* NULL: pages of the system */
  void *alloc_user;
  uint64_t held;       /* bytes of all chunks */
  uint64_t held_cap;   /* they do not get more than this; 0: no cap */
  struct tsm_chunk *chunks;
  tsm_loose *small[TSM_SMALL_KINDS];         /* by size in grains, rounded up */
  struct tsm_slab *slabs[TSM_SMALL_KINDS];   /* what small blocks are cut from; only the first has room left */
  uint64_t rows;                             /* bit i: row i has a free large block */
  uint16_t columns[TSM_LARGE_ROWS];          /* bit j of entry i: list i, j is not empty */
  struct tsm_large *large[TSM_LARGE_ROWS][TSM_LARGE_COLUMNS]; /* free blocks by size: a power of two, in 16 steps */
} tsm_blocks;

/* A zero filled struct is a good one; alloc, alloc_user and held_cap are to be set before the first block. */

static inline bool tsm_is_small(size_t size) { return size <= TSM_SMALL_MAX; }
static inline size_t tsm_small_kind(size_t size) { return (size + TSM_SMALL_GRAIN - 1) / TSM_SMALL_GRAIN; }

/* A block of a kind when the list is empty; NULL when there is no memory. */
void *tsm_blocks_cut(tsm_blocks *b, size_t kind);
void *tsm_blocks_take_large(tsm_blocks *b, size_t size);
void tsm_blocks_give_large(tsm_blocks *b, void *block);
/* Whether a large block could be made to hold `size` bytes, itself more than TSM_SMALL_MAX, where it is. */
bool tsm_blocks_resize_large(tsm_blocks *b, void *block, size_t size);

static inline void *tsm_blocks_take(tsm_blocks *b, size_t size) {
  if (!tsm_is_small(size)) return tsm_blocks_take_large(b, size);
  size_t kind = tsm_small_kind(size);
  tsm_loose *first = b->small[kind];
  if (!first) return tsm_blocks_cut(b, kind);
  b->small[kind] = first->next;
  return first;
}

static inline void tsm_blocks_give(tsm_blocks *b, void *block, size_t size) {
  if (!tsm_is_small(size)) {
    tsm_blocks_give_large(b, block);
    return;
  }
  tsm_loose *loose = block;
  size_t kind = tsm_small_kind(size);
  loose->next = b->small[kind];
  b->small[kind] = loose;
}

/* Returns the chunks that no block lies in. */
void tsm_blocks_trim(tsm_blocks *b);
/* Returns all chunks. */
void tsm_blocks_close(tsm_blocks *b);

#endif
