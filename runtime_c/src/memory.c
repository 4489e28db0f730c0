/* memory.c - every byte the library holds.
 * In: the host's allocator. Out: accounted blocks, arenas, heaps.
 * Holds: memory <= memory_cap at every moment; a block's size is given back exactly. */
#include "base.h"

struct tsm_arena_block {
  tsm_arena_block *next;
  size_t size; /* of the whole block, header included */
};

enum { ARENA_BLOCK = 16384, ARENA_HEADER = 16 };

static size_t block_size(size_t size) { return size ? size : 1; }

/* Reserves `size` bytes of the cap; false if it would be passed. */
static bool account(tsm_runtime *rt, size_t size) {
  uint64_t now = atomic_fetch_add_explicit(&rt->memory, size, memory_order_relaxed) + size;
  if (now < size || (rt->memory_cap && now > rt->memory_cap)) {
    atomic_fetch_sub_explicit(&rt->memory, size, memory_order_relaxed);
    return false;
  }
  uint64_t peak = atomic_load_explicit(&rt->memory_peak, memory_order_relaxed);
  while (now > peak && !atomic_compare_exchange_weak_explicit(&rt->memory_peak, &peak, now, memory_order_relaxed,
                                                              memory_order_relaxed)) {}
  return true;
}

static void discount(tsm_runtime *rt, size_t size) {
  atomic_fetch_sub_explicit(&rt->memory, size, memory_order_relaxed);
}

void *tsm_alloc(tsm_runtime *rt, size_t size) {
  size = block_size(size);
  if (size > PTRDIFF_MAX || !account(rt, size)) return NULL;
  void *block = rt->alloc(rt->alloc_user, NULL, 0, size);
  if (!block) discount(rt, size);
  return block;
}

void *tsm_alloc_zeroed(tsm_runtime *rt, size_t size) {
  void *block = tsm_alloc(rt, size);
  if (block) memset(block, 0, block_size(size));
  return block;
}

void *tsm_realloc(tsm_runtime *rt, void *block, size_t old_size, size_t new_size) {
  if (!block) return tsm_alloc(rt, new_size);
  old_size = block_size(old_size);
  new_size = block_size(new_size);
  if (new_size > PTRDIFF_MAX) return NULL;
  if (new_size > old_size && !account(rt, new_size - old_size)) return NULL;
  void *moved = rt->alloc(rt->alloc_user, block, old_size, new_size);
  if (!moved) {
    if (new_size > old_size) discount(rt, new_size - old_size);
    return NULL;
  }
  if (new_size < old_size) discount(rt, old_size - new_size);
  return moved;
}

void tsm_free(tsm_runtime *rt, void *block, size_t size) {
  if (!block) return;
  size = block_size(size);
  rt->alloc(rt->alloc_user, block, size, 0);
  discount(rt, size);
}

void *tsm_alloc_array(tsm_runtime *rt, size_t count, size_t size) {
  size_t total;
  if (tsm_mul_overflows(count, size, &total)) return NULL;
  return tsm_alloc(rt, total);
}

void tsm_arena_init(tsm_arena *arena, tsm_runtime *rt) {
  arena->rt = rt;
  arena->blocks = NULL;
  arena->used = arena->capacity = 0;
}

static void *arena_from_new_block(tsm_arena *arena, size_t total) {
  size_t size = total > ARENA_BLOCK - ARENA_HEADER ? total + ARENA_HEADER : ARENA_BLOCK;
  tsm_arena_block *block = tsm_alloc_zeroed(arena->rt, size);
  if (!block) return NULL;
  block->size = size;
  bool is_own_block = size != ARENA_BLOCK && arena->blocks;
  if (is_own_block) { /* the current block keeps its room */
    block->next = arena->blocks->next;
    arena->blocks->next = block;
  } else {
    block->next = arena->blocks;
    arena->blocks = block;
    arena->used = ARENA_HEADER + total;
    arena->capacity = size;
  }
  return (char *)block + ARENA_HEADER;
}

void *tsm_arena_alloc(tsm_arena *arena, size_t count, size_t size) {
  size_t total;
  if (tsm_mul_overflows(count, size, &total) || total > PTRDIFF_MAX - 64) return NULL;
  total = (total + 15) & ~(size_t)15;
  if (!total) total = 16;
  if (!arena->blocks || total > arena->capacity - arena->used) return arena_from_new_block(arena, total);
  void *out = (char *)arena->blocks + arena->used;
  arena->used += total;
  return out;
}

void tsm_arena_free(tsm_arena *arena) {
  tsm_arena_block *block = arena->blocks;
  while (block) {
    tsm_arena_block *next = block->next;
    tsm_free(arena->rt, block, block->size);
    block = next;
  }
  tsm_arena_init(arena, arena->rt);
}
