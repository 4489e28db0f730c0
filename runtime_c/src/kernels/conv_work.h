/* conv_work.h - a float32 convolution that runs: conv_f32.c prepares it, conv_phases.c takes transposed ones apart.
 * In: a call. Out: pieces of its result. Holds: memory that was taken lives until the run ends. */
#ifndef TSM_CONV_WORK_H
#define TSM_CONV_WORK_H

#include "base/pool.h"
#include "conv_f32.h"
#include "conv_images.h"
#include "conv_pack.h"

enum { TSM_CONV_BLOCKS = 8 };
typedef struct tsm_conv_work {
  tsm_opcall *c;
  tsm_runtime *rt;
  const tsm_conv_after *after;
  const tsm_tensor *out_tensor;
  tsm_window w;
  tsm_conv_weight weight;
  tsm_images in, out, result; /* out: where the kernel writes, channels-last; result: the tensor */
  tsm_conv v;                 /* of group 0 */
  bool is_by_planes;          /* few filters: places are the lanes */
  int64_t groups, places;
  size_t block_count;
  struct { void *data; size_t bytes; } blocks[TSM_CONV_BLOCKS]; /* scratch memory, freed at the end */
  tsm_tensor *bias;
  /* of a run */
  int64_t first_piece, chunk, chunks, parts, row_count, scratch_count;
  uintptr_t *rows;
  float *scratch;
  const tsm_winograd_set *winograd;
  atomic_bool is_not_finite;
} tsm_conv_work;

/* Scratch memory, aligned; NULL: raised. */
void *tsm_conv_take(tsm_conv_work *v, int64_t count, size_t item);
/* Memory for the rows of a direct run with the taps that v->v has now. False: raised. */
bool tsm_conv_take_rows(tsm_conv_work *v);
/* All places of v->v by the direct kernel, with the packed weights of v->v.weight. */
tsm_status tsm_conv_run_direct(tsm_conv_work *v);
/* A transposed convolution, by strides. */
tsm_status tsm_conv_run_phases(tsm_conv_work *v);

#endif
