/* random.h - streams of random numbers: Philox4x32-10 (Salmon et al., 2011), a cipher of a counter under a key.
 * In: a seed, which is the key. Out: blocks of 128 bits by number, in chunks of eight.
 * Holds: a stream's state is its seed and the number of its next chunk, so whoever draws takes chunks under the lock
 * and computes them without it, in any order and on any thread; the bits are the same on every machine. */
#ifndef TSM_RANDOM_H
#define TSM_RANDOM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Draws of a chunk: 16 of 64 bits, or 32 of 32 bits, the low half of each first. */
enum { TSM_CHUNK_DRAWS = 16, TSM_CHUNK_WORDS = 32 };
/* The seed of a stream that nobody seeded: PyTorch's. */
#define TSM_DEFAULT_SEED UINT64_C(67280421310721)

typedef struct tsm_random {
  atomic_flag lock;
  uint64_t seed, chunk; /* `chunk` is the next one that nobody has taken */
} tsm_random;

/* What a program draws from: tensors, and Python's module `random`, which PyTorch's seeds do not reach. */
typedef struct tsm_streams { tsm_random tensors, python; } tsm_streams;

/* Some chunks of a stream, taken: nobody else gets them. */
typedef struct tsm_chunks { uint64_t key, first; } tsm_chunks;

void tsm_streams_init(tsm_streams *s, uint64_t seed);
/* Both anew, from any thread. */
void tsm_streams_seed(tsm_streams *s, uint64_t seed);
/* From any thread: starts anew; takes the next `count` chunks; reads and sets the state. */
void tsm_random_seed(tsm_random *r, uint64_t seed);
tsm_chunks tsm_random_take(tsm_random *r, uint64_t count);
/* The same of a stream whose state, seed and next chunk, lies in memory that `r`'s lock guards as well. */
tsm_chunks tsm_random_take_from(tsm_random *r, uint64_t state[2], uint64_t count);
void tsm_random_get(tsm_random *r, uint64_t *out_seed, uint64_t *out_chunk);
void tsm_random_set(tsm_random *r, uint64_t seed, uint64_t chunk);

/* Draw number `index` of the chunks, by itself. `attempt` 0 is the draw; others stand in where it must be repeated. */
uint64_t tsm_random_draw(tsm_chunks chunks, uint64_t index, uint32_t attempt);
/* The same of 32 bits. */
uint32_t tsm_random_word(tsm_chunks chunks, uint64_t index, uint32_t attempt);
/* One of 0 to span - 1, all equally likely, span not 0, from draw `index`. */
uint64_t tsm_random_below(tsm_chunks chunks, uint64_t index, uint64_t span);

#endif
