/* conv.h - float32 convolution over images that lie channels-last: what src/simd offers to kernels/conv_*.c.
 * In: geometry, an input whose channels lie one behind the other, packed weights. Out: places of `filters` floats each.
 * Holds: a place is computed alike whoever computes it, so that work may be divided anyhow; places outside of the image
 * read a row of zeros instead, so that no inner loop asks where it is. */
#ifndef TSM_SIMD_CONV_H
#define TSM_SIMD_CONV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

/* Called with finished results: `places` of them from `first` on, filters [filter, filter + filters) of each, the
 * first at `out`, `step` floats between places. */
typedef void (*tsm_conv_finish_fn)(void *user, float *out, int64_t step, int64_t first, int64_t places, int64_t filter,
                                   int64_t filters);

/* What happens to a sum before it is stored: + bias[filter], + add[place * add_step + filter], clamped to [low, high]
 * (NaN stays), then `finish`. The added tensor must not share memory with the result, unless it is the same window. */
typedef struct tsm_conv_epilogue {
  const float *bias, *add; /* or NULL */
  int64_t add_step;
  bool clamps;
  float low, high;
  tsm_conv_finish_fn finish; /* or NULL */
  int64_t first_filter;      /* what `finish` is told of the filter numbered 0 here */
  void *user;
} tsm_conv_epilogue;

/* Results are numbered places: ((image * out_size[2] + z) * out_size[0] + y) * out_size[1] + x, out_step floats apart;
 * spread: so are those of a row only. Volumes (z, taps and padding deep) and spread results are for `direct` alone. */
typedef struct tsm_conv {
  const float *in;                  /* channel 0 of place (0, 0) of image 0 */
  int64_t image_step, row_step, place_step, plane_step;
  int64_t channel_step;             /* of planes; otherwise it is 1 */
  const float *zeros;               /* `run` zeros */
  const float *weight;              /* packed */
  float *out;
  int64_t out_step;
  bool is_spread;                   /* then: */
  int64_t out_image, out_plane, out_row;
  int64_t size[3], out_size[3], taps[3], stride[3], padding[3], dilation[3]; /* down, across, deep; padding may be < 0 */
  int64_t run;                      /* floats that one tap reads: channels, or a whole row of the kernel */
  int64_t tap_step;                 /* of depthwise weights: floats from one tap to the next */
  int64_t ring, ring_start;         /* depthwise: 0, or how many rows of the input there are; y is number
                                     * (ring_start + y) % ring of them */
  int64_t filters;
  tsm_conv_epilogue end;
} tsm_conv;

/* Winograd's algorithm for 3x3 windows of stride 1: tiles of `tile` x `tile` results come from (tile + 2)^2 products
 * a channel and filter. Needs channels and filters that are multiples of 16. */
typedef struct tsm_winograd_set {
  int64_t tile, points;                             /* points = (tile + 2)^2 */
  /* Floats of scratch memory for `count` tiles computed together. */
  int64_t (*scratch_floats)(const tsm_conv *v, int64_t count);
  int64_t (*packed_floats)(int64_t filters, int64_t channels);
  /* Transformed weights of filters [first, first + block): from (filters, channels, 3, 3), contiguous, to `packed`,
   * which has a packed matrix for each point. */
  void (*pack)(float *packed, int64_t filters, int64_t channels, int64_t first, const float *from);
  /* Tiles [first, last), at most as many as the scratch memory is for. False: some result is not finite, and those of
   * its tile may differ from the sums. */
  bool (*run)(const tsm_conv *v, int64_t first, int64_t last, float *scratch);
} tsm_winograd_set;

typedef struct tsm_conv_set {
  int64_t tile;     /* places computed together */
  int64_t block;    /* filters computed together; half of them in the last block when they suffice */
  /* Places [first, last) of filter blocks [first_block, last_block). `rows` has tsm_conv_rows(set, conv) entries. */
  void (*direct)(const tsm_conv *v, int64_t first, int64_t last, int64_t first_block, int64_t last_block,
                 uintptr_t *rows);
  /* Packed weights of one block, `width` floats wide: [tap][channel][filter], 0 behind the last, from `count` filters
   * [channel][tap] that follow each other. */
  void (*pack)(float *packed, int64_t width, const float *from, int64_t count, int64_t channels, int64_t taps);
  /* One weight a tap and channel: weight [tap][channel], filters == run. Rows [first, last) of all images' results; of
   * one image when there is a ring. */
  void (*depthwise)(const tsm_conv *v, int64_t first, int64_t last);
  /* At most `few` filters of planes, place_step 1, with stride 1 along a row and no padding: rows [first, last)
   * of all images' results. To the right of every row TSM_CONV_MARGIN floats can be read. Weights as for `direct`. */
  int64_t few;
  void (*planes)(const tsm_conv *v, int64_t first, int64_t last);
  const tsm_winograd_set *winograd2, *winograd4; /* or NULL */
} tsm_conv_set;
TSM_ISA_DECLARE(tsm_conv_set, tsm_conv_set);

enum { TSM_CONV_MARGIN = 31 };
enum { TSM_CONV_GROUP = 4 }; /* tiles whose places are looked up together */
static inline int64_t tsm_conv_rows(const tsm_conv_set *set, const tsm_conv *v) {
  return TSM_CONV_GROUP * set->tile * v->taps[0] * v->taps[1] * v->taps[2];
}
static inline int64_t tsm_conv_blocks(const tsm_conv_set *set, int64_t filters) {
  return (filters + set->block - 1) / set->block;
}
/* Packed weights: blocks of filters, in a block [depth][filter]. */
static inline int64_t tsm_conv_packed_floats(const tsm_conv_set *set, int64_t filters, int64_t depth) {
  int64_t half = set->block / 2;
  return (filters + half - 1) / half * half * depth;
}
static inline int64_t tsm_conv_block_width(const tsm_conv_set *set, int64_t filters, int64_t block) {
  return filters - block * set->block > set->block / 2 ? set->block : set->block / 2;
}

#endif
