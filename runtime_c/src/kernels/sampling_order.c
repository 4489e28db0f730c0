/* sampling_order.c - random orders of integers, and the numbers of Python's module random, which has a stream of its own.
 * In: chunks of a stream (sampling.h). Out: tensors, numbers. */
#include "sampling.h"

/* CHARGE: how many elements of a plain kernel take as long as one that goes anywhere in memory. */
enum { BUFFER_CHUNKS = 8, CHARGE = 8 };

static void exchange(int64_t *items, int64_t i, uint64_t j) {
  int64_t item = items[i];
  items[i] = items[j];
  items[j] = item;
}

/* Fisher and Yates: each place, from the last on, changes with one of those up to itself. */
static tsm_status shuffle(tsm_context *ctx, tsm_chunks chunks, int64_t *items, int64_t n) {
  const tsm_sampling_set *set = tsm_sampling_of(ctx->rt->isa);
  uint64_t bits[BUFFER_CHUNKS * TSM_CHUNK_DRAWS];
  const uint32_t *words = (const uint32_t *)(const void *)bits;
  for (int64_t i = n - 1; i > 0; chunks.first += BUFFER_CHUNKS) {
    if (tsm_charge_elements(ctx, CHARGE * BUFFER_CHUNKS * TSM_CHUNK_WORDS)) return ctx->status;
    tsm_sampling_words(set, chunks.key, chunks.first, bits, BUFFER_CHUNKS);
    for (uint64_t k = 0; k < BUFFER_CHUNKS * TSM_CHUNK_WORDS && i > 0; k++, i--)
      exchange(items, i, tsm_below_of_word(chunks, k, words[k], (uint64_t)i + 1));
  }
  return TSM_OK;
}

/* The same of more items than words can number. */
static tsm_status shuffle_many(tsm_context *ctx, tsm_chunks chunks, int64_t *items, int64_t n) {
  for (int64_t i = n - 1; i > 0; i--) {
    if (tsm_charge_elements(ctx, CHARGE)) return ctx->status;
    exchange(items, i, tsm_random_below(chunks, (uint64_t)(n - 1 - i), (uint64_t)i + 1));
  }
  return TSM_OK;
}

tsm_status tsm_k_randperm(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  int64_t n = tsm_arg_int(c, 0), *items = (int64_t *)(void *)out->storage->data;
  tsm_chunks chunks;
  tsm_status status = tsm_take_draws(c, 1, (uint64_t)n, &chunks);
  if (status) return status;
  for (int64_t i = 0; i < n; i++) items[i] = i;
  return (n <= UINT32_MAX ? shuffle : shuffle_many)(c->ctx, chunks, items, n);
}

static tsm_chunks next_chunk(tsm_opcall *c) { return tsm_random_take(&c->ctx->streams->python, 1); }

tsm_status tsm_k_python_seed(tsm_opcall *c) {
  tsm_random_seed(&c->ctx->streams->python, ~(uint64_t)tsm_arg_int(c, 0));
  return TSM_OK;
}

tsm_status tsm_k_python_random(tsm_opcall *c) {
  int64_t bits = tsm_arg_int(c, 0);
  if (bits < 1 || bits > 53) return tsm_raise(c->ctx, "ValueError", "a number has 1 to 53 random bits");
  return tsm_return_float(c, (double)(tsm_random_draw(next_chunk(c), 0, 0) >> (64 - bits)) * (1 / (double)((int64_t)1 << bits)));
}

tsm_status tsm_k_python_below(tsm_opcall *c) {
  int64_t count = tsm_arg_int(c, 0);
  if (count <= 0) return tsm_raise(c->ctx, "ValueError", "empty range for randrange()");
  return tsm_return_int(c, (int64_t)tsm_random_below(next_chunk(c), 0, (uint64_t)count));
}
