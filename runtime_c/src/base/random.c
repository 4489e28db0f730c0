/* random.c - see random.h. One block at a time, for single draws; simd/random.c computes the same blocks by vectors. */
#include "random.h"

#include "base.h"

static void lock(tsm_random *r) {
  while (atomic_flag_test_and_set_explicit(&r->lock, memory_order_acquire)) tsm_yield();
}
static void unlock(tsm_random *r) { atomic_flag_clear_explicit(&r->lock, memory_order_release); }

static void init(tsm_random *r, uint64_t seed) {
  atomic_flag_clear(&r->lock);
  r->seed = seed;
  r->chunk = 0;
}

void tsm_streams_init(tsm_streams *s, uint64_t seed) {
  init(&s->tensors, seed);
  init(&s->python, ~seed);
}

void tsm_random_set(tsm_random *r, uint64_t seed, uint64_t chunk) {
  lock(r);
  r->seed = seed;
  r->chunk = chunk;
  unlock(r);
}

void tsm_random_seed(tsm_random *r, uint64_t seed) { tsm_random_set(r, seed, 0); }

void tsm_random_get(tsm_random *r, uint64_t *out_seed, uint64_t *out_chunk) {
  lock(r);
  *out_seed = r->seed;
  *out_chunk = r->chunk;
  unlock(r);
}

void tsm_streams_seed(tsm_streams *s, uint64_t seed) {
  tsm_random_seed(&s->tensors, seed);
  tsm_random_seed(&s->python, ~seed);
}

tsm_chunks tsm_random_take(tsm_random *r, uint64_t count) {
  lock(r);
  tsm_chunks taken = {r->seed, r->chunk};
  r->chunk += count;
  unlock(r);
  return taken;
}

tsm_chunks tsm_random_take_from(tsm_random *r, uint64_t state[2], uint64_t count) {
  lock(r);
  tsm_chunks taken = {state[0], state[1]};
  state[1] += count;
  unlock(r);
  return taken;
}

/* Ten rounds on the counter (block, attempt); draw 0 is the first two words of the result, draw 1 the others. */
static uint64_t block_draw(uint64_t key, uint64_t block, uint32_t attempt, unsigned draw) {
  uint32_t x[4] = {(uint32_t)block, (uint32_t)(block >> 32), attempt, 0};
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  for (int round = 0; round < 10; round++) {
    uint64_t p = (uint64_t)x[0] * 0xd2511f53u, q = (uint64_t)x[2] * 0xcd9e8d57u;
    x[0] = (uint32_t)(q >> 32) ^ x[1] ^ k0;
    x[1] = (uint32_t)q;
    x[2] = (uint32_t)(p >> 32) ^ x[3] ^ k1;
    x[3] = (uint32_t)p;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  return x[2 * draw] | (uint64_t)x[2 * draw + 1] << 32;
}

uint64_t tsm_random_draw(tsm_chunks chunks, uint64_t index, uint32_t attempt) {
  uint64_t block = (chunks.first + index / TSM_CHUNK_DRAWS) * (TSM_CHUNK_DRAWS / 2) + index % (TSM_CHUNK_DRAWS / 2);
  return block_draw(chunks.key, block, attempt, index / (TSM_CHUNK_DRAWS / 2) % 2);
}

uint32_t tsm_random_word(tsm_chunks chunks, uint64_t index, uint32_t attempt) {
  return (uint32_t)(tsm_random_draw(chunks, index / 2, attempt) >> (index % 2 * 32));
}

uint64_t tsm_random_below(tsm_chunks chunks, uint64_t index, uint64_t span) {
  uint64_t draw = tsm_random_draw(chunks, index, 0);
  /* those of the incomplete last multiple of span are repeated */
  const uint64_t excess = (UINT64_MAX % span + 1) % span;
  for (uint32_t attempt = 1; draw > UINT64_MAX - excess; attempt++) draw = tsm_random_draw(chunks, index, attempt);
  return draw % span;
}
