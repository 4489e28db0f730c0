/* attention.h - the geometry of scaled_dot_product_attention: what infer and the kernel read from a call.
 * In: query (..., L, E), key (..., S, E), value (..., S, Ev), a mask that broadcasts to (..., L, S). Out: extents, and for
 * every operand where the matrix of a batch starts.
 * Holds: no operand is copied; extents of 1 repeat, and with enable_gqa heads of key and value serve several of query. */
#ifndef TSM_ATTENTION_H
#define TSM_ATTENTION_H

#include "op/op.h"

/* An operand: strides in elements, and for each batch dimension of the result the step and how often one is repeated. */
typedef struct tsm_heads {
  const tsm_tensor *tensor;
  int64_t row, column;
  int64_t step[TSM_MAX_RANK], repeat[TSM_MAX_RANK];
} tsm_heads;

typedef struct tsm_attention {
  size_t rank;                                  /* batch dimensions of the result */
  int64_t batch[TSM_MAX_RANK], count;           /* their extents and product */
  int64_t rows, keys, depth, width;             /* L, S, E, Ev */
  double scale;
  bool is_causal;
  tsm_heads query, key, value, mask;            /* mask.tensor: NULL without one */
} tsm_attention;

/* Checks everything; RuntimeError (IndexError for a mask of one dimension). */
tsm_status tsm_attention_read(tsm_opcall *c, tsm_attention *out);
/* Where matrix number `index` of an operand begins. */
const char *tsm_heads_at(const tsm_attention *a, const tsm_heads *h, int64_t index);

#endif
