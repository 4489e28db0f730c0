/* test_blocks.c - the pool under the library: contents stay apart, sizes and alignments hold, memory comes back, and
 * what is held follows the largest need and not the number of runs. */
#include <pthread.h>

#include "base/base.h"
#include "check.h"

enum { SLOTS = 400, STEPS = 40000 };

typedef struct block { uint8_t *at; size_t size; uint8_t fill; bool is_aligned; } block;
typedef struct host { long left, calls; size_t live; } host; /* left: chunks until one fails; < 0: never */

static uint64_t next_random(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  return *seed ^= *seed << 17;
}

static void *host_alloc(void *user, void *old, size_t old_size, size_t new_size) {
  host *h = user;
  if (!new_size) {
    h->live -= old_size;
    free(old);
    return NULL;
  }
  h->calls++;
  if (h->left == 0) return NULL;
  if (h->left > 0) h->left--;
  h->live += new_size;
  return malloc(new_size);
}

static tsm_runtime *pooled(host *h, uint64_t cap) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.pooling = TSM_POOLING_ON;
  options.memory_cap = cap;
  if (h) {
    options.alloc = host_alloc;
    options.alloc_user = h;
  }
  return tsm_runtime_new(&options, NULL);
}

static bool is_intact(const block *b) {
  for (size_t i = 0; i < b->size; i++)
    if (b->at[i] != b->fill) return false;
  return true;
}

/* Mostly small, some up to 300 KB. */
static size_t random_size(uint64_t *seed) {
  uint64_t r = next_random(seed);
  size_t most = r % 16 < 10 ? 300 : r % 16 < 15 ? 9000 : 300000;
  return (size_t)(next_random(seed) % most);
}

static void drop(tsm_runtime *rt, block *b) {
  if (!b->at) return;
  CHECK(is_intact(b));
  if (b->is_aligned) tsm_free_aligned(rt, b->at, b->size);
  else tsm_free(rt, b->at, b->size);
  b->at = NULL;
}

static void fill(block *b, uint64_t *seed) {
  b->fill = (uint8_t)next_random(seed);
  if (b->at && b->size) memset(b->at, b->fill, b->size);
}

static void make(tsm_runtime *rt, block *b, uint64_t *seed) {
  b->size = random_size(seed);
  b->is_aligned = next_random(seed) % 2;
  b->at = b->is_aligned ? tsm_alloc_aligned(rt, b->size) : tsm_alloc(rt, b->size);
  CHECK(!b->is_aligned || (uintptr_t)b->at % 64 == 0);
  CHECK((uintptr_t)b->at % 16 == 0);
  fill(b, seed);
}

static void resize(tsm_runtime *rt, block *b, uint64_t *seed) {
  size_t size = random_size(seed), kept = size < b->size ? size : b->size;
  uint8_t *moved = tsm_realloc(rt, b->at, b->size, size);
  if (!moved) return;
  *b = (block){moved, kept, b->fill, false};
  CHECK(is_intact(b));
  b->size = size;
  fill(b, seed);
}

static void traffic(tsm_runtime *rt, uint64_t seed, bool in_lane) {
  static block blocks[SLOTS];
  uint64_t before = tsm_runtime_memory(rt);
  tsm_lane *lane = NULL;
  for (int i = 0; i < STEPS; i++) {
    if (i % 1000 == 0) {
      tsm_lane_leave(rt, lane);
      lane = in_lane ? tsm_lane_enter(rt) : NULL;
    }
    block *b = &blocks[next_random(&seed) % SLOTS];
    if (!b->at) make(rt, b, &seed);
    else if (!b->is_aligned && next_random(&seed) % 4 == 0) resize(rt, b, &seed);
    else drop(rt, b);
  }
  for (int i = 0; i < SLOTS; i++) drop(rt, &blocks[i]);
  tsm_lane_leave(rt, lane);
  CHECK(tsm_runtime_memory(rt) == before);
}

static void test_traffic(host *h) {
  tsm_runtime *rt = pooled(h, 0);
  uint64_t held = tsm_runtime_memory_held(rt);
  for (uint64_t seed = 1; seed <= 4; seed++) traffic(rt, seed, seed % 2);
  CHECK(tsm_runtime_memory_held(rt) <= 4 * tsm_runtime_memory_peak(rt) + (4 << 20));
  tsm_runtime_trim(rt);
  CHECK(tsm_runtime_memory_held(rt) <= held);
  traffic(rt, 5, true);
  tsm_runtime_free(rt);
  CHECK(!h || h->live == 0);
}

/* Sizes that change with every run: after the largest, nothing more is obtained. */
static void test_lengths(void) {
  host h = {-1, 0, 0};
  tsm_runtime *rt = pooled(&h, 0);
  uint64_t seed = 7;
  long calls = 0;
  for (int run = 0; run < 10000; run++) {
    size_t length = run == 500 ? 2000 : (size_t)(next_random(&seed) % 2000) + 1;
    void *last = NULL;
    size_t last_size = 0;
    for (size_t step = 1; step <= 6; step++) {
      size_t size = length * 16 * step;
      void *block = tsm_alloc_aligned(rt, size);
      CHECK(block != NULL);
      tsm_free_aligned(rt, last, last_size);
      last = block;
      last_size = size;
    }
    tsm_free_aligned(rt, last, last_size);
    if (run == 1000) calls = h.calls;
  }
  CHECK(h.calls == calls);
  CHECK(tsm_runtime_memory_held(rt) <= 4 * tsm_runtime_memory_peak(rt));
  tsm_runtime_free(rt);
  CHECK(h.live == 0);
}

/* Growing sizes: what is held stays near what is needed. */
static void test_growth(void) {
  host h = {-1, 0, 0};
  tsm_runtime *rt = pooled(&h, 0);
  for (size_t size = 1000; size < (8 << 20); size += 40000) tsm_free(rt, tsm_alloc(rt, size), size);
  CHECK(tsm_runtime_memory_held(rt) < (16 << 20));
  tsm_runtime_trim(rt);
  CHECK(tsm_runtime_memory_held(rt) < (2 << 20));
  tsm_runtime_free(rt);
}

static void test_failing_chunks(void) {
  host h = {-1, 0, 0};
  tsm_runtime *rt = pooled(&h, 0);
  h.left = 0;
  uint64_t before = tsm_runtime_memory(rt);
  CHECK(tsm_alloc(rt, 50 << 20) == NULL && tsm_alloc(rt, SIZE_MAX) == NULL && tsm_alloc(rt, SIZE_MAX / 2) == NULL);
  CHECK(tsm_alloc_aligned(rt, SIZE_MAX - 3) == NULL && tsm_alloc_array(rt, SIZE_MAX / 8, 16) == NULL);
  h.left = -1;
  void *block = tsm_alloc(rt, 50 << 20);
  CHECK(block != NULL);
  h.left = 0;
  CHECK(tsm_realloc(rt, block, 50 << 20, 500 << 20) == NULL);
  h.left = -1;
  tsm_free(rt, block, 50 << 20);
  CHECK(tsm_runtime_memory(rt) == before);
  tsm_runtime_free(rt);
  CHECK(h.live == 0);
  for (long n = 0; n < 3; n++) {
    host small = {n, 0, 0};
    tsm_runtime *other = pooled(&small, 0);
    CHECK(other || small.live == 0);
    tsm_runtime_free(other);
    CHECK(small.live == 0);
  }
}

static void test_cap(void) {
  tsm_runtime *rt = pooled(NULL, 3 << 20);
  CHECK(rt != NULL);
  tsm_lane *lane = tsm_lane_enter(rt);
  size_t count = 0;
  void **first = NULL;
  for (void **block; (block = tsm_alloc(rt, 500)); count++) {
    *block = (void *)first;
    first = block;
  }
  CHECK(tsm_runtime_memory(rt) <= 3 << 20 && tsm_runtime_memory(rt) + 500 > 3 << 20);
  CHECK(tsm_runtime_memory_peak(rt) <= 3 << 20);
  CHECK(tsm_runtime_memory_held(rt) < 6 << 20);
  while (first) {
    void **next = *first;
    tsm_free(rt, first, 500);
    first = next;
  }
  tsm_lane_leave(rt, lane);
  tsm_runtime_free(rt);
}

/* Data of tensors counts while it lives, memory of others does not; without the option nothing counts. */
static void test_tensors_peak(bool watches) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  tsm_tuning tuning = TSM_TUNING_INIT;
  tuning.watch_tensors = watches;
  options.tuning = &tuning;
  tsm_runtime *rt = tsm_runtime_new(&options, NULL);
  int64_t shape[] = {1000};
  float lent[1000];
  tsm_value a, b;
  for (int round = 0; round < 3; round++) {
    CHECK(tsm_tensor_new(rt, TSM_F32, 1, shape, &a) == TSM_OK && tsm_tensor_new(rt, TSM_F64, 1, shape, &b) == TSM_OK);
    tsm_release(a);
    tsm_release(b);
    CHECK(tsm_tensor_borrow(rt, TSM_F32, 1, shape, NULL, lent, true, NULL, NULL, &a) == TSM_OK);
    tsm_release(a);
  }
  CHECK(tsm_runtime_tensors_peak(rt) == (watches ? 12000 : 0));
  tsm_runtime_free(rt);
}

/* ---- Blocks of one thread freed by another, with and without lanes */

typedef struct exchange { tsm_runtime *rt; _Atomic(block *) *mailbox; uint64_t seed; bool in_lane; } exchange;

enum { MAILBOXES = 64, ROUNDS = 30000 };

static void *trade(void *user) {
  exchange *x = user;
  tsm_lane *lane = NULL;
  for (int i = 0; i < ROUNDS; i++) {
    if (i % 100 == 0) {
      tsm_lane_leave(x->rt, lane);
      lane = x->in_lane ? tsm_lane_enter(x->rt) : NULL;
      if (i % 3000 == 0) tsm_runtime_trim(x->rt);
    }
    block *mine = tsm_alloc(x->rt, sizeof *mine);
    make(x->rt, mine, &x->seed);
    block *other = atomic_exchange(&x->mailbox[next_random(&x->seed) % MAILBOXES], mine);
    if (!other) continue;
    drop(x->rt, other);
    tsm_free(x->rt, other, sizeof *other);
  }
  tsm_lane_leave(x->rt, lane);
  return NULL;
}

static void test_threads(void) {
  tsm_runtime *rt = pooled(NULL, 0);
  static _Atomic(block *) mailbox[MAILBOXES];
  uint64_t before = tsm_runtime_memory(rt);
  exchange sides[3] = {{rt, mailbox, 11, true}, {rt, mailbox, 12, true}, {rt, mailbox, 13, false}};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, trade, &sides[i]) == 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < MAILBOXES; i++) {
    block *b = atomic_exchange(&mailbox[i], NULL);
    if (!b) continue;
    drop(rt, b);
    tsm_free(rt, b, sizeof *b);
  }
  CHECK(tsm_runtime_memory(rt) == before);
  tsm_runtime_free(rt);
}

int main(void) {
  host h = {-1, 0, 0};
  test_traffic(NULL);
  test_traffic(&h);
  test_lengths();
  test_growth();
  test_failing_chunks();
  test_cap();
  test_tensors_peak(0);
  test_tensors_peak(1);
  test_threads();
  return check_done();
}
