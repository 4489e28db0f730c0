/* conv_planes.c - convolutions with few filters: neighbouring places of a row are the lanes. See conv.h.
 * In: planes, in which whole vectors of places may be read to the right of every row of results. Out: channels-last.
 * Holds: taps and channels are added up in the order of conv_f32.c, so that the two give the same. */
#include "conv_tile.h"

enum { FEW = CONV_FEW, PLACES = 2 * VF, TURNED = (FEW + 3) / 4 * 4 };
typedef float quad __attribute__((vector_size(16), aligned(4), may_alias));

/* Four filters' places become places' four filters. */
static void turn(const float *from, float *to) {
  for (int64_t i = 0; i < PLACES; i += 4, from += 4, to += 4 * VF) {
    quad a = *(const quad *)from, b = *(const quad *)(from + PLACES);
    quad c = *(const quad *)(from + 2 * PLACES), d = *(const quad *)(from + 3 * PLACES);
    quad ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    quad ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    *(quad *)to = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    *(quad *)(to + VF) = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    *(quad *)(to + 2 * VF) = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *(quad *)(to + 3 * VF) = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
  }
}

/* Sums of PLACES places, the first of which has its window at `in`: [filter][place]. */
static void sum_places(const tsm_conv *v, const float *in, float *out) {
  vf acc[2 * FEW];
  const float *w = v->weight;
  TSM_UNROLL(6)
  for (int f = 0; f < FEW; f++)
    acc[2 * f] = acc[2 * f + 1] = vf_set1(v->end.bias && f < v->filters ? v->end.bias[f] : 0);
  for (int64_t ky = 0; ky < v->taps[0]; ky++)
    for (int64_t kx = 0; kx < v->taps[1]; kx++) {
      const float *p = in + ky * v->dilation[0] * v->row_step + kx * v->dilation[1];
      for (int64_t c = 0; c < v->run; c++, p += v->channel_step, w += VF) {
        vf left = vf_load(p), right = vf_load(p + VF);
        TSM_UNROLL(6)
        for (int f = 0; f < FEW; f++) {
          vf weight = vf_set1(w[f]);
          acc[2 * f] += left * weight;
          acc[2 * f + 1] += right * weight;
        }
      }
    }
  TSM_UNROLL(12)
  for (int i = 0; i < 2 * FEW; i++) vf_store(out + i * VF, acc[i]);
}

void TSM_NAMED(tsm_conv_planes)(const tsm_conv *v, int64_t first, int64_t last) {
  float sums[TURNED * PLACES], turned[PLACES * VF];
  memset(sums, 0, sizeof sums);
  memset(turned, 0, sizeof turned);
  for (int64_t row = first; row < last; row++) {
    int64_t image = row / v->out_size[0], y = row % v->out_size[0];
    const float *in = v->in + image * v->image_step + y * v->stride[0] * v->row_step;
    for (int64_t x = 0; x < v->out_size[1]; x += PLACES) {
      int64_t count = v->out_size[1] - x < PLACES ? v->out_size[1] - x : PLACES, place = row * v->out_size[1] + x;
      sum_places(v, in + x, sums);
      for (int64_t f = 0; f < TURNED; f += 4) turn(sums + f * PLACES, turned + f);
      TSM_NAMED(tsm_conv_store)(&v->end, turned, 1, v->out, v->out_step, place, count, 0, v->filters);
      conv_finish(&v->end, v->out, v->out_step, place, count, 0, v->filters);
    }
  }
}
