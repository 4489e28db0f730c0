/* attention.h - attention of one block of queries to all keys of a head, in tiles of keys.
 * In: float matrices of any strides. Out: rows of the result.
 * Holds: the softmax runs online, so no row of scores is kept; what a row gives depends on neither its block nor others. */
#ifndef TSM_SIMD_ATTENTION_H
#define TSM_SIMD_ATTENTION_H

#include "base/base.h"

/* Strides count elements. Row i of the block is query number first + i, which matters to is_causal only. */
typedef struct tsm_attention_block {
  const float *query, *key, *value;
  const void *mask;                 /* NULL: none; bool8 or float */
  float *out;                       /* rows of `width` elements side by side */
  int64_t query_row, query_column, key_row, key_column, value_row, value_column, mask_row, mask_column;
  int64_t rows, keys, depth, width, first;
  float scale;
  bool is_causal, mask_is_bool;
} tsm_attention_block;

typedef struct tsm_attention_set {
  int64_t lanes;                                     /* most rows of a block */
  int64_t few;                                       /* up to so many rows, `run_few` is faster */
  size_t (*scratch)(int64_t depth, int64_t width);   /* bytes for either, a multiple of 64; extents up to 2^31 */
  void (*run)(const tsm_attention_block *block, float *scratch); /* scratch is 64-byte aligned */
  /* Any number of rows; key and value columns must be side by side (key_column, value_column 1). */
  void (*run_few)(const tsm_attention_block *block, float *scratch);
} tsm_attention_set;
TSM_ISA_DECLARE(tsm_attention_set, tsm_attention_set);

#endif
