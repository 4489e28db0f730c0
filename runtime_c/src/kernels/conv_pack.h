/* conv_pack.h - weights of convolutions in the order their kernels read them.
 * In: a float32 weight (filters, channels, [[planes,] rows,] columns), any strides. Out: the packed copy kept beside it, or one
 * in the caller's memory. */
#ifndef TSM_CONV_PACK_H
#define TSM_CONV_PACK_H

#include "simd/conv.h"
#include "tensor/packed.h"

typedef struct tsm_conv_weight {
  const tsm_conv_set *set;
  int64_t groups, filters, channels, taps[3]; /* filters and channels of one group; taps down, across, deep */
  bool is_depthwise;                          /* [tap][filter], else a packed matrix a group: [tap][channel] a filter */
  bool is_transposed;                         /* the weight is (channels, filters, ...) of all groups, and taps are */
  int64_t first[3], step[3];                  /* number first + i * step of it, 0 <= i < taps */
} tsm_conv_weight;

int64_t tsm_conv_weight_floats(const tsm_conv_weight *w);
/* Fills memory of the caller. */
void tsm_conv_weight_pack(const tsm_conv_weight *w, const tsm_tensor *weight, float *out);
/* The kept copy; NULL when there can be none. */
const float *tsm_conv_weight_packed(const tsm_conv_weight *w, const tsm_tensor *weight);
/* The kept copy for Winograd's algorithm, of a contiguous weight without groups; NULL when there can be none. */
const float *tsm_conv_winograd_packed(const tsm_conv_weight *w, const tsm_winograd_set *set, const tsm_tensor *weight);

#endif
