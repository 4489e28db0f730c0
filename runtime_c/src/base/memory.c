/* memory.c - every byte the library holds.
 * In: the host's allocator. Out: accounted blocks, lanes of threads, arenas.
 * Holds: memory <= memory_cap at every moment; a block's size is given back exactly. A lane's credit is part of
 * `memory` but of no block, so that small blocks can be accounted without the lock. */
#include "base.h"

struct tsm_arena_block {
  tsm_arena_block *next;
  size_t size; /* of the whole block, header included */
};

enum { ARENA_BLOCK = 16384, ARENA_HEADER = 16 };
enum { CREDIT = 4096, BATCH = 16, CACHED_MAX = 64 << 10, SPINS = 100, ALIGNMENT = 64 };

typedef struct stack { tsm_loose *first, *last; } stack; /* last: only if there is a first */

struct tsm_lane {
  _Atomic uintptr_t owner;  /* the thread that is inside; 0: none */
  int64_t objects;          /* what it added to the runtime's refs, not yet counted there */
  _Atomic size_t credit;    /* bytes; written by the owner only */
  size_t cached;            /* bytes in the lists */
  stack small[TSM_SMALL_KINDS];
};

static size_t block_size(size_t size) { return size ? size : 1; }

/* ---- The lock */

static void lock(tsm_runtime *rt) {
  for (int spins = 0; atomic_flag_test_and_set_explicit(&rt->lock, memory_order_acquire); spins++)
    if (spins > SPINS) tsm_yield();
}

static void unlock(tsm_runtime *rt) { atomic_flag_clear_explicit(&rt->lock, memory_order_release); }

/* Reserves `size` bytes of the cap; false if it would be passed. Under the lock. */
static bool account(tsm_runtime *rt, size_t size) {
  uint64_t now = atomic_load_explicit(&rt->memory, memory_order_relaxed) + size;
  if (now < size || (rt->memory_cap && now > rt->memory_cap)) return false;
  atomic_store_explicit(&rt->memory, now, memory_order_relaxed);
  if (now > atomic_load_explicit(&rt->memory_peak, memory_order_relaxed))
    atomic_store_explicit(&rt->memory_peak, now, memory_order_relaxed);
  return true;
}

static void discount(tsm_runtime *rt, size_t size) {
  uint64_t now = atomic_load_explicit(&rt->memory, memory_order_relaxed) - size;
  atomic_store_explicit(&rt->memory, now, memory_order_relaxed);
}

static size_t credit_of(const tsm_lane *lane) { return atomic_load_explicit(&lane->credit, memory_order_relaxed); }
static void set_credit(tsm_lane *lane, size_t credit) {
  atomic_store_explicit(&lane->credit, credit, memory_order_relaxed);
}

/* ---- Lanes */

/* A number that no other running thread has; 0 where there is none to be had, and so no lanes. */
static uintptr_t this_thread(void) {
  uintptr_t id = 0;
#if defined(__x86_64__) && defined(__linux__)
  __asm__("mov %%fs:0, %0" : "=r"(id));
#elif defined(__aarch64__) && defined(__linux__)
  __asm__("mrs %0, tpidr_el0" : "=r"(id));
#elif defined(__aarch64__) && defined(__APPLE__)
  __asm__("mrs %0, tpidrro_el0" : "=r"(id));
#endif
  return id;
}

static _Atomic(tsm_lane *) *lane_of(tsm_runtime *rt, uintptr_t thread) {
  return &rt->lanes[(uint64_t)thread * UINT64_C(0x9E3779B97F4A7C15) >> 58];
}

/* The lane this thread is inside of, or NULL. */
static tsm_lane *lane_here(tsm_runtime *rt) {
  uintptr_t thread = this_thread();
  tsm_lane *lane = atomic_load_explicit(lane_of(rt, thread), memory_order_acquire);
  return lane && atomic_load_explicit(&lane->owner, memory_order_relaxed) == thread && thread ? lane : NULL;
}

/* Not accounted: it belongs to the runtime, and a first call should not look like a leak. */
static tsm_lane *lane_new(tsm_runtime *rt, _Atomic(tsm_lane *) *place) {
  lock(rt);
  tsm_lane *lane = atomic_load_explicit(place, memory_order_relaxed);
  if (!lane && (lane = tsm_blocks_take(&rt->blocks, sizeof *lane))) {
    memset(lane, 0, sizeof *lane);
    atomic_init(&lane->owner, 0);
    atomic_init(&lane->credit, 0);
    atomic_store_explicit(place, lane, memory_order_release);
  }
  unlock(rt);
  return lane;
}

static bool lane_claim(tsm_lane *lane, uintptr_t thread) {
  uintptr_t none = 0;
  return atomic_compare_exchange_strong_explicit(&lane->owner, &none, thread, memory_order_acquire,
                                                 memory_order_relaxed);
}

static void lane_release(tsm_lane *lane) { atomic_store_explicit(&lane->owner, 0, memory_order_release); }

tsm_lane *tsm_lane_enter(tsm_runtime *rt) {
  uintptr_t thread = this_thread();
  if (!rt->is_pooled || !thread) return NULL;
  _Atomic(tsm_lane *) *place = lane_of(rt, thread);
  tsm_lane *lane = atomic_load_explicit(place, memory_order_acquire);
  if (!lane) lane = lane_new(rt, place);
  return lane && lane_claim(lane, thread) ? lane : NULL;
}

/* The lane's small blocks go to the runtime's lists. Under the lock. */
static void lane_empty(tsm_runtime *rt, tsm_lane *lane) {
  for (size_t kind = 0; kind < TSM_SMALL_KINDS; kind++) {
    stack *s = &lane->small[kind];
    if (!s->first) continue;
    s->last->next = rt->blocks.small[kind];
    rt->blocks.small[kind] = s->first;
    s->first = NULL;
  }
  lane->cached = 0;
}

void tsm_lane_leave(tsm_runtime *rt, tsm_lane *entered) {
  if (!entered) return;
  if (entered->objects) {
    atomic_fetch_add_explicit(&rt->refs, (uint64_t)entered->objects, memory_order_relaxed);
    entered->objects = 0;
  }
  if (TSM_UNLIKELY(entered->cached > CACHED_MAX)) {
    lock(rt);
    lane_empty(rt, entered);
    unlock(rt);
  }
  lane_release(entered);
}

/* More credit, of which `size` at least; false when the cap is reached. Keeps a few blocks of the kind, too. */
static bool lane_reserve(tsm_runtime *rt, tsm_lane *lane, size_t size) {
  lock(rt);
  size_t more = CREDIT + size;
  bool is_good = account(rt, more) || account(rt, more = size);
  unlock(rt);
  if (is_good) set_credit(lane, credit_of(lane) + more);
  return is_good;
}

static void lane_repay(tsm_runtime *rt, tsm_lane *lane) {
  lock(rt);
  discount(rt, credit_of(lane) - CREDIT);
  unlock(rt);
  set_credit(lane, CREDIT);
}

/* One block, and up to BATCH more from the runtime's list into the lane's empty one. */
static void *lane_refill(tsm_runtime *rt, tsm_lane *lane, size_t kind) {
  stack *s = &lane->small[kind];
  lock(rt);
  tsm_loose *block = tsm_blocks_take(&rt->blocks, kind * TSM_SMALL_GRAIN);
  tsm_loose *first = rt->blocks.small[kind], *last = first;
  size_t count = first != NULL;
  for (; last && last->next && count < BATCH; count++) last = last->next;
  if (block && first) {
    rt->blocks.small[kind] = last->next;
    last->next = NULL;
    *s = (stack){first, last};
    lane->cached += count * kind * TSM_SMALL_GRAIN;
  }
  unlock(rt);
  return block;
}

static void *lane_take(tsm_runtime *rt, tsm_lane *lane, size_t size) {
  size_t kind = tsm_small_kind(size), credit = credit_of(lane);
  if (TSM_UNLIKELY(credit < size)) {
    if (!lane_reserve(rt, lane, size)) return NULL;
    credit = credit_of(lane);
  }
  stack *s = &lane->small[kind];
  tsm_loose *block = s->first;
  if (TSM_LIKELY(block != NULL)) {
    s->first = block->next;
    lane->cached -= kind * TSM_SMALL_GRAIN;
  } else {
    block = lane_refill(rt, lane, kind);
    if (!block) return NULL;
  }
  set_credit(lane, credit - size);
  return block;
}

static void lane_give(tsm_runtime *rt, tsm_lane *lane, void *block, size_t size) {
  size_t kind = tsm_small_kind(size), credit = credit_of(lane) + size;
  stack *s = &lane->small[kind];
  tsm_loose *loose = block;
  loose->next = s->first;
  if (!s->first) s->last = loose;
  s->first = loose;
  lane->cached += kind * TSM_SMALL_GRAIN;
  set_credit(lane, credit);
  if (TSM_UNLIKELY(credit > 2 * CREDIT)) lane_repay(rt, lane);
}

void tsm_runtime_retain(tsm_runtime *rt) {
  tsm_lane *lane = lane_here(rt);
  if (lane) lane->objects++;
  else atomic_fetch_add_explicit(&rt->refs, 1, memory_order_relaxed);
}

bool tsm_runtime_drop(tsm_runtime *rt) {
  tsm_lane *lane = lane_here(rt);
  if (!lane) return atomic_fetch_sub_explicit(&rt->refs, 1, memory_order_acq_rel) == 1;
  lane->objects--;
  return false;
}

/* Takes the credit of lanes nobody is in back into the cap, and with `and_blocks` their blocks. */
static void settle_lanes(tsm_runtime *rt, bool and_blocks) {
  uintptr_t thread = this_thread();
  for (size_t i = 0; i < TSM_LANES; i++) {
    tsm_lane *lane = atomic_load_explicit(&rt->lanes[i], memory_order_acquire);
    if (!lane) continue;
    bool is_mine = atomic_load_explicit(&lane->owner, memory_order_relaxed) == thread;
    if (!is_mine && !lane_claim(lane, thread)) continue;
    lock(rt);
    discount(rt, credit_of(lane));
    set_credit(lane, 0);
    if (and_blocks) lane_empty(rt, lane);
    unlock(rt);
    if (!is_mine) lane_release(lane);
  }
}

/* ---- Blocks */

static void *unpooled_alloc(tsm_runtime *rt, void *block, size_t old_size, size_t new_size) {
  lock(rt);
  bool is_good = new_size <= old_size || account(rt, new_size - old_size);
  unlock(rt);
  if (!is_good) return NULL;
  void *moved = rt->alloc(rt->alloc_user, block, old_size, new_size);
  size_t less = moved ? (old_size > new_size ? old_size - new_size : 0) : new_size > old_size ? new_size - old_size : 0;
  if (!less) return moved;
  lock(rt);
  discount(rt, less);
  unlock(rt);
  return moved;
}

static void *locked_take(tsm_runtime *rt, size_t size) {
  void *block = NULL;
  lock(rt);
  if (account(rt, size)) {
    block = tsm_blocks_take(&rt->blocks, size);
    if (!block) discount(rt, size);
  }
  unlock(rt);
  return block;
}

void *tsm_alloc(tsm_runtime *rt, size_t size) {
  size = block_size(size);
  if (size >= PTRDIFF_MAX) return NULL;
  if (!rt->is_pooled) return unpooled_alloc(rt, NULL, 0, size);
  tsm_lane *lane = tsm_is_small(size) ? lane_here(rt) : NULL;
  void *block = lane ? lane_take(rt, lane, size) : locked_take(rt, size);
  if (TSM_LIKELY(block != NULL)) return block;
  settle_lanes(rt, false); /* what they hold back may be what is missing */
  return locked_take(rt, size);
}

void *tsm_alloc_zeroed(tsm_runtime *rt, size_t size) {
  void *block = tsm_alloc(rt, size);
  if (block) memset(block, 0, block_size(size));
  return block;
}

void tsm_free(tsm_runtime *rt, void *block, size_t size) {
  if (!block) return;
  size = block_size(size);
  tsm_lane *lane = rt->is_pooled && tsm_is_small(size) ? lane_here(rt) : NULL;
  if (lane) {
    lane_give(rt, lane, block, size);
    return;
  }
  if (!rt->is_pooled) rt->alloc(rt->alloc_user, block, size, 0);
  lock(rt);
  if (rt->is_pooled) tsm_blocks_give(&rt->blocks, block, size);
  discount(rt, size);
  unlock(rt);
}

/* Whether a pooled block can have another size where it is. */
static bool resize_here(tsm_runtime *rt, void *block, size_t old_size, size_t new_size) {
  bool is_small = tsm_is_small(old_size);
  if (is_small != tsm_is_small(new_size)) return false;
  if (is_small && tsm_small_kind(old_size) != tsm_small_kind(new_size)) return false;
  lock(rt);
  bool is_good = new_size <= old_size || account(rt, new_size - old_size);
  if (is_good && !is_small && !tsm_blocks_resize_large(&rt->blocks, block, new_size)) {
    is_good = false;
    if (new_size > old_size) discount(rt, new_size - old_size);
  } else if (is_good && new_size < old_size) {
    discount(rt, old_size - new_size);
  }
  unlock(rt);
  return is_good;
}

void *tsm_realloc(tsm_runtime *rt, void *block, size_t old_size, size_t new_size) {
  if (!block) return tsm_alloc(rt, new_size);
  old_size = block_size(old_size);
  new_size = block_size(new_size);
  if (new_size >= PTRDIFF_MAX) return NULL;
  if (!rt->is_pooled) return unpooled_alloc(rt, block, old_size, new_size);
  if (old_size == new_size || resize_here(rt, block, old_size, new_size)) return block;
  void *moved = tsm_alloc(rt, new_size);
  if (!moved) return NULL;
  memcpy(moved, block, old_size < new_size ? old_size : new_size);
  tsm_free(rt, block, old_size);
  return moved;
}

/* What is asked for in a pool: there, blocks of such sizes are aligned. */
static size_t aligned_size(size_t size) { return (block_size(size) + (ALIGNMENT - 1)) & ~(size_t)(ALIGNMENT - 1); }

void *tsm_alloc_aligned(tsm_runtime *rt, size_t size) {
  size_t room;
  if (tsm_add_overflows(size, (size_t)ALIGNMENT, &room) || room >= PTRDIFF_MAX) return NULL;
  if (rt->is_pooled) return tsm_alloc(rt, aligned_size(size));
  uint8_t *start = tsm_alloc(rt, room);
  if (!start) return NULL;
  size_t shift = ALIGNMENT - (uintptr_t)start % ALIGNMENT; /* 1 .. 64 */
  start[shift - 1] = (uint8_t)shift;
  return start + shift;
}

void tsm_free_aligned(tsm_runtime *rt, void *block, size_t size) {
  uint8_t *start = block;
  if (!block) return;
  if (rt->is_pooled) tsm_free(rt, block, aligned_size(size));
  else tsm_free(rt, start - start[-1], size + ALIGNMENT);
}

uint64_t tsm_runtime_memory(const tsm_runtime *runtime) {
  uint64_t memory = atomic_load_explicit(&runtime->memory, memory_order_relaxed);
  for (size_t i = 0; i < TSM_LANES; i++) {
    const tsm_lane *lane = atomic_load_explicit(&runtime->lanes[i], memory_order_acquire);
    if (lane) memory -= credit_of(lane);
  }
  return memory;
}

uint64_t tsm_runtime_memory_peak(const tsm_runtime *runtime) {
  return atomic_load_explicit(&runtime->memory_peak, memory_order_relaxed);
}
uint64_t tsm_runtime_tensors_peak(const tsm_runtime *runtime) {
  return atomic_load_explicit(&runtime->tensors_peak, memory_order_relaxed);
}

uint64_t tsm_runtime_memory_held(tsm_runtime *runtime) {
  lock(runtime);
  uint64_t held = runtime->is_pooled ? runtime->blocks.held + sizeof *runtime : tsm_runtime_memory(runtime);
  unlock(runtime);
  return held;
}

void tsm_runtime_trim(tsm_runtime *runtime) {
  if (!runtime->is_pooled) return;
  settle_lanes(runtime, true);
  lock(runtime);
  tsm_blocks_trim(&runtime->blocks);
  unlock(runtime);
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
