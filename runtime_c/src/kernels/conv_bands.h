/* conv_bands.h - the work of a chain of convolutions, band by band: conv_chain.c prepares it, conv_bands.c does it.
 * In a band, a block of channels is expanded into a ring of rows and goes through the depthwise windows while it is in
 * the first-level cache; then all channels of the band are projected.
 * Holds: a row is in the ring from when it is made until no window needs it; those above a thread's first are made
 * twice. */
#ifndef TSM_CONV_BANDS_H
#define TSM_CONV_BANDS_H

#include "conv_chain.h"
#include "conv_images.h"
#include "conv_pack.h"

/* How the work is cut; all numbers of floats are multiples of a cache line. */
typedef struct tsm_chain_cut {
  int64_t band;                   /* rows of results */
  int64_t span;                   /* rows of a window */
  int64_t ring;                   /* rows of the ring: all of an image's, or a multiple of what a band takes */
  int64_t turned, held, middle, ended, added; /* floats: the input turned, the rings, the depthwise results, ... */
  int64_t floats, pieces, rows;   /* of one thread's memory; of the work; of results, of all images */
} tsm_chain_cut;

typedef struct tsm_bands {
  tsm_runtime *rt;
  tsm_context *ctx;
  const tsm_conv_set *set;
  tsm_window w;                   /* the depthwise one's */
  bool has_expand, has_project;
  int64_t images, inputs, channels, filters; /* of the input, in the middle, of the result */
  tsm_conv_weight weights[TSM_CHAIN_LINKS];
  /* of a run */
  tsm_chain_cut c;
  tsm_images in, out, add;
  bool is_in_place, is_out_place, is_add_place; /* channels-last where they lie */
  bool has_add;
  tsm_conv expand, depth, project;
  float *scratch;
  uintptr_t *rows;
  int64_t row_count, first_piece;
} tsm_bands;

/* Blocks of channels in the middle. */
static inline int64_t tsm_bands_blocks(const tsm_bands *v) { return tsm_conv_blocks(v->set, v->channels); }
/* Does pieces [begin, end) after v->first_piece: a tsm_task_fn. */
void tsm_bands_run(void *bands, size_t worker, int64_t begin, int64_t end);

#endif
