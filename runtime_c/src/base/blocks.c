/* blocks.c - see blocks.h.
 * A large block has a header of 16 bytes, which end where its 64-byte aligned payload starts. Its stride, a multiple of
 * 64, leads to the next block of the chunk, its `before` to the one before. A slab is a large block aligned to its own
 * size, so that a small block's address tells its slab. */
#include "blocks.h"

#include <string.h>

#include "base.h"

enum { GRAIN = 64, HEADER = 16, SLAB = 8192, MIN_REST = 256, SEARCH = 8 };
#define MAX_STRIDE ((size_t)1 << (sizeof(size_t) > 4 ? 46 : 30))
enum { FIRST_CHUNK = 64 << 10, PAGES_CHUNK = 2 << 20, MAX_SURPLUS = 64 << 20 };

typedef struct tsm_large {
  struct tsm_large *before; /* NULL: the first of its chunk */
  size_t stride;            /* bytes to the next block; bit 0: free. The end of a chunk has 0 */
  struct tsm_large *next, *previous; /* only of a free block: in the payload */
} tsm_large;

typedef struct tsm_chunk {
  struct tsm_chunk *next, *previous;
  size_t size;
  tsm_large *first;
} tsm_chunk;

typedef struct tsm_slab {
  struct tsm_slab *next;
  uint32_t cut, free; /* blocks cut so far; of them free, only counted by tsm_blocks_trim */
} tsm_slab;

_Static_assert(sizeof(tsm_chunk) + HEADER <= GRAIN && sizeof(tsm_slab) <= GRAIN, "headers fit before the first block");

static size_t round_up(size_t n, size_t step) { return (n + step - 1) & ~(step - 1); }
static bool is_free(const tsm_large *block) { return block->stride & 1; }
static size_t stride_of(const tsm_large *block) { return block->stride & ~(size_t)1; }
static char *payload_of(tsm_large *block) { return (char *)block + HEADER; }
static tsm_large *block_at(void *payload) { return (tsm_large *)(void *)((char *)payload - HEADER); }
static tsm_large *after(tsm_large *block) { return (tsm_large *)(void *)((char *)block + stride_of(block)); }

/* ---- Lists of free blocks: by power of two of the stride, and sixteen steps between */

typedef struct place { unsigned row, column; } place;

static place place_of(size_t stride) {
  size_t units = stride / GRAIN;
  if (units < TSM_LARGE_COLUMNS) return (place){0, (unsigned)units};
  unsigned log = 63u - (unsigned)__builtin_clzll(units);
  return (place){log - 3, (unsigned)(units >> (log - 4)) & (TSM_LARGE_COLUMNS - 1)};
}

static void list_add(tsm_blocks *b, tsm_large *block, size_t stride) {
  place at = place_of(stride);
  tsm_large **list = &b->large[at.row][at.column];
  block->stride = stride | 1;
  block->previous = NULL;
  block->next = *list;
  if (*list) (*list)->previous = block;
  *list = block;
  b->rows |= (uint64_t)1 << at.row;
  b->columns[at.row] = (uint16_t)(b->columns[at.row] | 1u << at.column);
}

static void list_remove(tsm_blocks *b, tsm_large *block) {
  if (block->next) block->next->previous = block->previous;
  if (block->previous) {
    block->previous->next = block->next;
    return;
  }
  place at = place_of(stride_of(block));
  b->large[at.row][at.column] = block->next;
  if (block->next) return;
  b->columns[at.row] = (uint16_t)(b->columns[at.row] & ~(1u << at.column));
  if (!b->columns[at.row]) b->rows &= ~((uint64_t)1 << at.row);
}

/* The best of the first few of a list that some may be too short for. */
static tsm_large *best_of_list(tsm_large *block, size_t stride) {
  tsm_large *best = NULL;
  for (int i = 0; i < SEARCH && block; i++, block = block->next) {
    size_t have = stride_of(block);
    if (have < stride || (best && have >= stride_of(best))) continue;
    best = block;
    if (have == stride) break;
  }
  return best;
}

static tsm_large *find(const tsm_blocks *b, size_t stride) {
  place at = place_of(stride);
  if (at.row >= TSM_LARGE_ROWS) return NULL;
  tsm_large *block = best_of_list(b->large[at.row][at.column], stride);
  if (block) return block;
  unsigned columns = b->columns[at.row] & ~((2u << at.column) - 1);
  if (columns) return b->large[at.row][__builtin_ctz(columns)];
  uint64_t rows = b->rows & ~(((uint64_t)2 << at.row) - 1);
  if (!rows) return NULL;
  unsigned row = (unsigned)__builtin_ctzll(rows);
  return b->large[row][__builtin_ctz(b->columns[row])];
}

/* ---- Cutting and joining */

/* Makes the last `rest` bytes of a block in use a free block of their own, joined with what follows. */
static void cut_rest(tsm_blocks *b, tsm_large *block, size_t rest) {
  block->stride -= rest;
  tsm_large *next = after(block), *behind = (tsm_large *)(void *)((char *)next + rest);
  next->before = block;
  if (is_free(behind)) {
    list_remove(b, behind);
    rest += stride_of(behind);
    behind = after(behind);
  }
  behind->before = next;
  list_add(b, next, rest);
}

/* A rest below `least` stays with the block. */
static void *use(tsm_blocks *b, tsm_large *block, size_t stride, size_t least) {
  block->stride &= ~(size_t)1;
  if (block->stride - stride >= least) cut_rest(b, block, block->stride - stride);
  return payload_of(block);
}

void tsm_blocks_give_large(tsm_blocks *b, void *payload) {
  tsm_large *block = block_at(payload), *next = after(block), *before = block->before;
  size_t stride = block->stride;
  if (is_free(next)) {
    list_remove(b, next);
    stride += stride_of(next);
  }
  if (before && is_free(before)) {
    list_remove(b, before);
    stride += stride_of(before);
    block = before;
  }
  ((tsm_large *)(void *)((char *)block + stride))->before = block;
  list_add(b, block, stride);
}

bool tsm_blocks_resize_large(tsm_blocks *b, void *payload, size_t size) {
  tsm_large *block = block_at(payload), *next = after(block);
  size_t stride = round_up(size + HEADER, GRAIN), have = block->stride;
  if (stride > have) {
    if (!is_free(next) || have + stride_of(next) < stride) return false;
    list_remove(b, next);
    block->stride = have + stride_of(next);
    after(block)->before = block;
  }
  use(b, block, stride, MIN_REST);
  return true;
}

/* ---- Chunks */

static tsm_chunk *chunk_get(tsm_blocks *b, size_t size) {
  if (b->held_cap && (size > b->held_cap || b->held > b->held_cap - size)) return NULL;
  return b->alloc ? b->alloc(b->alloc_user, NULL, 0, size) : tsm_pages_new(size);
}

static void chunk_return(tsm_blocks *b, tsm_chunk *chunk) {
  b->held -= chunk->size;
  if (b->alloc) b->alloc(b->alloc_user, chunk, chunk->size, 0);
  else tsm_pages_free(chunk, chunk->size);
}

/* Returns the chunks that are one free block. */
static void return_free_chunks(tsm_blocks *b) {
  for (tsm_chunk *chunk = b->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    if (!is_free(chunk->first) || stride_of(after(chunk->first))) continue;
    list_remove(b, chunk->first);
    if (next) next->previous = chunk->previous;
    if (chunk->previous) chunk->previous->next = next;
    else b->chunks = next;
    chunk_return(b, chunk);
  }
}

/* A chunk becomes one free block and an end. */
static void chunk_add(tsm_blocks *b, tsm_chunk *chunk, size_t size) {
  uintptr_t start = (uintptr_t)chunk, payload = round_up(start + sizeof *chunk + HEADER, GRAIN);
  uintptr_t end = (start + size) & ~(uintptr_t)(GRAIN - 1);
  tsm_large *block = block_at((char *)chunk + (payload - start)), *last = block_at((char *)chunk + (end - start));
  *chunk = (tsm_chunk){b->chunks, NULL, size, block};
  if (b->chunks) b->chunks->previous = chunk;
  b->chunks = chunk;
  b->held += size;
  block->before = NULL;
  last->before = block;
  last->stride = 0;
  list_add(b, block, end - payload);
}

/* Chunks grow with what is held, so that their number stays small; those that turned out too small for what is wanted are
 * returned first if nothing lies in them, so that growing sizes do not pile up. */
static bool grow(tsm_blocks *b, size_t stride) {
  if (stride > MAX_STRIDE) return false;
  return_free_chunks(b);
  size_t least = round_up(stride + 2 * GRAIN, 4096), size = least;
  size_t surplus = b->held / 4 < MAX_SURPLUS ? (size_t)b->held / 4 : MAX_SURPLUS;
  if (size < surplus) size = surplus;
  size = b->alloc ? round_up(size, FIRST_CHUNK) : round_up(size, PAGES_CHUNK);
  tsm_chunk *chunk = chunk_get(b, size);
  if (!chunk) chunk = chunk_get(b, size = least);
  if (!chunk) return false;
  chunk_add(b, chunk, size);
  return true;
}

void *tsm_blocks_take_large(tsm_blocks *b, size_t size) {
  if (size > MAX_STRIDE - GRAIN) return NULL;
  size_t stride = round_up(size + HEADER, GRAIN);
  tsm_large *block = find(b, stride);
  if (!block) {
    if (!grow(b, stride)) return NULL;
    block = find(b, stride);
    if (!block) return NULL;
  }
  list_remove(b, block);
  return use(b, block, stride, MIN_REST);
}

/* ---- Small blocks */

/* A large block of SLAB bytes whose payload is aligned to that; what lies before it becomes a free block. */
static tsm_slab *slab_new(tsm_blocks *b) {
  char *payload = tsm_blocks_take_large(b, 2 * SLAB - HEADER);
  if (!payload) return NULL;
  tsm_large *block = block_at(payload);
  size_t front = (size_t)(round_up((uintptr_t)payload, SLAB) - (uintptr_t)payload);
  if (front) {
    tsm_large *slab = (tsm_large *)(void *)((char *)block + front);
    slab->before = block;
    slab->stride = block->stride - front;
    after(slab)->before = slab;
    block->stride = front;
    tsm_blocks_give_large(b, payload);
    block = slab;
  }
  return (tsm_slab *)(void *)use(b, block, SLAB, GRAIN);
}

void *tsm_blocks_cut(tsm_blocks *b, size_t kind) {
  tsm_slab *slab = b->slabs[kind];
  size_t size = kind * TSM_SMALL_GRAIN;
  if (!slab || GRAIN + (slab->cut + 1) * size > SLAB - HEADER) {
    slab = slab_new(b);
    if (!slab) return NULL;
    *slab = (tsm_slab){b->slabs[kind], 0, 0};
    b->slabs[kind] = slab;
  }
  return (char *)slab + GRAIN + slab->cut++ * size;
}

static tsm_slab *slab_of(tsm_loose *loose) {
  size_t inside = (uintptr_t)loose & (SLAB - 1);
  return (tsm_slab *)(void *)((char *)loose - inside);
}

/* Gives slabs all of whose blocks are free back to the large blocks. */
static void return_free_slabs(tsm_blocks *b, size_t kind) {
  for (tsm_loose *loose = b->small[kind]; loose; loose = loose->next) slab_of(loose)->free++;
  tsm_loose **link = &b->small[kind];
  while (*link) {
    const tsm_slab *slab = slab_of(*link);
    if (slab->free == slab->cut) *link = (*link)->next;
    else link = &(*link)->next;
  }
  tsm_slab **at = &b->slabs[kind];
  while (*at) {
    tsm_slab *slab = *at;
    if (slab->free == slab->cut) {
      *at = slab->next;
      tsm_blocks_give_large(b, slab);
    } else {
      slab->free = 0;
      at = &slab->next;
    }
  }
}

void tsm_blocks_trim(tsm_blocks *b) {
  for (size_t kind = 0; kind < TSM_SMALL_KINDS; kind++) return_free_slabs(b, kind);
  return_free_chunks(b);
}

void tsm_blocks_close(tsm_blocks *b) {
  while (b->chunks) {
    tsm_chunk *chunk = b->chunks;
    b->chunks = chunk->next;
    chunk_return(b, chunk);
  }
}
