/* fused_tiles.h - what fused.c prepares and fused_tiles.c runs: one execution of a fused plan.
 * In: operands that the guard took, results that exist. Out: the results, filled.
 * Holds: read-only while tiles run, so that several threads may share it. */
#ifndef TSM_FUSED_TILES_H
#define TSM_FUSED_TILES_H

#include "fused.h"

/* Up to TINY elements are one tile, whatever the plan: 8 + 32 tiles of 48 doubles fit into the pool. */
enum { TSM_FUSED_DIMS = 6, TSM_FUSED_POOL = 16384, TSM_FUSED_TINY = 48 };
/* How an input is read: in the results' order, one element for all, or by strides. */
enum { TSM_READ_DENSE, TSM_READ_ONE, TSM_READ_STRIDED };

typedef struct tsm_fused_work {
  const tsm_fused *f;
  uint8_t dtype;
  const tsm_row_set *set;
  tsm_choice fetching;
  tsm_row_op rows[TSM_FUSED_STEPS];
  tsm_slot values[TSM_FUSED_VALUES];
  const char *in[TSM_FUSED_INPUTS];
  char *out[TSM_FUSED_RESULTS];
  uint8_t how[TSM_FUSED_INPUTS];
  tsm_tensor *made;                /* what the producer made, owned until a result takes it over */
  bool is_uniform;                 /* all inputs have one shape */
  bool is_turned;                  /* results and dense inputs lie channels-last */
  bool is_strided;                 /* some input is; then dims and strides hold, adjacent dimensions merged */
  bool is_far;                     /* operands and results are too large for the caches near a processor */
  uint8_t rank;
  int64_t numel;
  int64_t dims[TSM_FUSED_DIMS], strides[TSM_FUSED_INPUTS][TSM_FUSED_DIMS]; /* innermost first, in elements */
  int64_t tile, pieces, first;     /* elements of a tile; tiles of an innermost row, 0: rows do not matter */
} tsm_fused_work;

/* Chooses the tiles; returns how many there are. */
int64_t tsm_fused_cut(tsm_fused_work *r);
/* Runs the steps on operands of one element, which need neither tiles nor layouts. */
void tsm_fused_element(const tsm_fused_work *r);
/* Runs the steps on `rows` runs of `columns` elements that begin `step` apart, on this thread. */
void tsm_fused_block(tsm_fused_work *r, int64_t start, int64_t rows, int64_t columns, int64_t step);
/* Runs the tiles [begin, end) after r->first: a tsm_task_fn. */
void tsm_fused_tiles(void *run, size_t worker, int64_t begin, int64_t end);

#endif
