/* sampling.h - how kernels draw: from the stream of the call's context, or from a generator that is an argument.
 * Holds: a kernel takes all it may need at once, so its numbers do not depend on threads or on how it is divided. */
#ifndef TSM_SAMPLING_H
#define TSM_SAMPLING_H

#include "arguments.h"
#include "kernels.h"
#include "simd/random.h"

/* Chunks for `count` words (32 bits) or draws (64 bits). Argument `generator` of the row is None or an int64 tensor
 * (seed, next chunk), which goes on; -1: the row has no such argument. RuntimeError for another tensor. */
tsm_status tsm_take_words(tsm_opcall *c, int generator, uint64_t count, tsm_chunks *out_chunks);
tsm_status tsm_take_draws(tsm_opcall *c, int generator, uint64_t count, tsm_chunks *out_chunks);

/* Words of `count` chunks from `first` on, in their order on every machine. */
void tsm_sampling_words(const tsm_sampling_set *set, uint64_t key, uint64_t first, uint64_t *out, size_t count);

/* One of 0 to span - 1, span at most 2^32, from word `index` of the chunks: the word times the span, over 2^32. Words are
 * repeated that would make some values likelier than others. */
static inline uint64_t tsm_below_of_word(tsm_chunks chunks, uint64_t index, uint32_t word, uint64_t span) {
  uint64_t scaled = word * span;
  if (TSM_UNLIKELY((uint32_t)scaled < span)) {
    const uint32_t excess = (uint32_t)(((uint64_t)1 << 32) % span);
    for (uint32_t attempt = 1; (uint32_t)scaled < excess; attempt++)
      scaled = tsm_random_word(chunks, index, attempt) * span;
  }
  return scaled >> 32;
}

#endif
