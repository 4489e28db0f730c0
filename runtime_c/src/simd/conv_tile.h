/* conv_tile.h - the innermost kernel of convolutions, shared by direct and Winograd.
 * In: for each step of the sum, the addresses of CONV_TILE rows of `run` floats, and weights [run][block]. Out: the
 * products, with the epilogue of conv.h.
 * Holds: sums run over segments and floats in order, in one register each. */
#ifndef TSM_SIMD_CONV_TILE_H
#define TSM_SIMD_CONV_TILE_H

#include "conv.h"
#include "vector.h"

/* On x86 the minimum, SSE2, is for machines too old to be worth the code. */
#if defined(__x86_64__) && TSM_VB == 16
#define CONV_HAS_WINOGRAD 0
#else
#define CONV_HAS_WINOGRAD 1
#endif

/* Two accumulators a place, two registers of weights, one value spread, one to spare. */
enum { CONV_TILE = TSM_VECTOR_REGISTERS / 2 - 2, CONV_HALF = CONV_TILE / 2, CONV_BLOCK = 2 * VF };
enum { CONV_FEW = VF < 6 ? VF : 6 }; /* with two vectors of places each; their weights are half a block */

typedef struct conv_tile {
  const uintptr_t *rows;      /* [segment][CONV_TILE] */
  int64_t segments, run;
  const float *weight;        /* [segment][run][CONV_BLOCK, or VF when filters <= VF] */
  float *out;                 /* of place 0, filter 0 */
  int64_t out_step, first, count, filter, filters; /* count <= CONV_TILE; filters left from `filter` on */
  const char *ahead;          /* what is read after these weights: one line of it is asked for at each step of the sum.
                               * Never NULL: to ask for an address that is not mapped takes as long as a page's walk */
  int64_t ahead_step;         /* bytes; 0: the same line again */
} conv_tile;

/* While `tiles` tiles pass over a block of weights, each asks for its part of the block behind it. */
TSM_INLINE void conv_ask(conv_tile *t, int64_t tile, int64_t tiles) {
  const int64_t bytes = t->segments * t->run * (int64_t)sizeof(float) * (t->filters <= VF ? VF : CONV_BLOCK);
  t->ahead_step = bytes / (t->segments * t->run * tiles);
  t->ahead = (const char *)t->weight + bytes + tile * t->segments * t->run * t->ahead_step;
}

/* NaN and -0 above `low` 0 stay. */
TSM_INLINE vf conv_clamp(vf x, vf low, vf high) {
  return vf_min(high, vf_max(low, x));
}

/* The epilogue in registers. */
TSM_INLINE void conv_end_sums(vf *acc, int places, int vectors, const tsm_conv_epilogue *end, const float *add) {
  if (end->add) {
    TSM_UNROLL(16)
    for (int i = 0; i < places; i++)
      TSM_UNROLL(2)
      for (int k = 0; k < vectors; k++) acc[i * vectors + k] += vf_load(add + i * end->add_step + k * VF);
  }
  if (end->clamps) {
    vf low = vf_set1(end->low), high = vf_set1(end->high);
    TSM_UNROLL(32)
    for (int i = 0; i < places * vectors; i++) acc[i] = conv_clamp(acc[i], low, high);
  }
}

void TSM_NAMED(tsm_conv_planes)(const tsm_conv *v, int64_t first, int64_t last);
void TSM_NAMED(tsm_conv_depthwise)(const tsm_conv *v, int64_t first, int64_t last);

/* Stores rows of sums [place][vectors], with their bias already, after the epilogue. */
void TSM_NAMED(tsm_conv_store)(const tsm_conv_epilogue *end, const float *sums, int64_t vectors, float *out,
                               int64_t out_step, int64_t first, int64_t count, int64_t filter, int64_t filters);

static inline void conv_finish(const tsm_conv_epilogue *end, float *out, int64_t out_step, int64_t first, int64_t count,
                               int64_t filter, int64_t filters) {
  if (!end->finish) return;
  end->finish(end->user, out + first * out_step + filter, out_step, first, count, end->first_filter + filter, filters);
}

/* Writes rows of sums at `to`, `step` floats apart: as many as the kernel computes, at least t->count. `bias` has two
 * vectors. `end`: its addition, `add` for the first row, and limits are for these rows, full vectors; or NULL. */
void TSM_NAMED(tsm_conv_kernel)(const conv_tile *t, const vf *bias, const tsm_conv_epilogue *end, const float *add,
                                float *to, int64_t step);

#endif
