/* conv_pack.c - see conv_pack.h. */
#include "conv_pack.h"

enum { STRIP = 8 };

static int64_t depth_of(const tsm_conv_weight *w) { return w->taps[0] * w->taps[1] * w->channels; }

int64_t tsm_conv_weight_floats(const tsm_conv_weight *w) {
  if (w->is_depthwise) return depth_of(w) * w->groups;
  return tsm_conv_packed_floats(w->set, w->filters, depth_of(w)) * w->groups;
}

typedef struct source { const float *data; int64_t step[4]; } source; /* filter, channel, row, column */

static source source_of(const tsm_tensor *weight) {
  const int64_t *strides = tsm_strides(weight);
  int64_t down = weight->rank == 3 ? 0 : strides[2];
  return (source){tsm_tensor_read(weight), {strides[0], strides[1], down, strides[weight->rank - 1]}};
}

/* One filter's channels from `first` on into column `to` of its block. */
static void pack_strip(const tsm_conv_weight *w, const source *s, int64_t filter, int64_t first, int64_t width,
                       float *to) {
  int64_t last = w->channels - first < STRIP ? w->channels : first + STRIP;
  for (int64_t c = first; c < last; c++) {
    const float *from = s->data + filter * s->step[0] + c * s->step[1];
    float *at = to + c * width;
    for (int64_t ky = 0; ky < w->taps[0]; ky++)
      for (int64_t kx = 0; kx < w->taps[1]; kx++, at += w->channels * width)
        *at = from[ky * s->step[2] + kx * s->step[3]];
  }
}

static bool is_dense(const tsm_conv_weight *w, const source *s) {
  return s->step[3] == 1 && s->step[2] == (w->taps[0] > 1 ? w->taps[1] : s->step[2]) &&
         s->step[1] == w->taps[0] * w->taps[1] && s->step[0] == depth_of(w);
}

static void pack_group(const tsm_conv_weight *w, const source *s, int64_t group, float *out) {
  const int64_t depth = depth_of(w), size = w->set->block;
  const bool dense = is_dense(w, s);
  for (int64_t block = 0; block * size < w->filters; block++) {
    int64_t width = tsm_conv_block_width(w->set, w->filters, block), count = w->filters - block * size;
    float *to = out + block * size * depth;
    if (dense) {
      const float *from = s->data + (group * w->filters + block * size) * depth;
      w->set->pack(to, width, from, count < width ? count : width, w->channels, w->taps[0] * w->taps[1]);
      continue;
    }
    if (count < width) memset(to, 0, (size_t)(depth * width) * sizeof *to);
    if (count > width) count = width;
    for (int64_t c = 0; c < w->channels; c += STRIP)
      for (int64_t k = 0; k < count; k++)
        pack_strip(w, s, group * w->filters + block * size + k, c, width, to + k);
  }
}

void tsm_conv_weight_pack(const tsm_conv_weight *w, const tsm_tensor *weight, float *out) {
  source s = source_of(weight);
  if (!w->is_depthwise) {
    int64_t matrix = tsm_conv_packed_floats(w->set, w->filters, depth_of(w));
    for (int64_t group = 0; group < w->groups; group++) pack_group(w, &s, group, out + group * matrix);
    return;
  }
  for (int64_t ky = 0; ky < w->taps[0]; ky++)
    for (int64_t kx = 0; kx < w->taps[1]; kx++)
      for (int64_t k = 0; k < w->groups; k++) *out++ = s.data[k * s.step[0] + ky * s.step[2] + kx * s.step[3]];
}

static void pack_plain(const tsm_tensor *weight, void *user, uint8_t *out) {
  tsm_conv_weight_pack(user, weight, (float *)(void *)out);
}

const float *tsm_conv_weight_packed(const tsm_conv_weight *w, const tsm_tensor *weight) {
  if (w->groups > INT32_MAX >> 9) return NULL;
  uint32_t kind = TSM_PACKED_CONV | (uint32_t)w->is_depthwise << 8 | (uint32_t)w->groups << 9;
  return tsm_packed(weight, kind, tsm_room(tsm_conv_weight_floats(w), sizeof(float)), pack_plain, (void *)(uintptr_t)w);
}

typedef struct winograd_weight { const tsm_conv_weight *w; const tsm_winograd_set *set; } winograd_weight;

static void pack_winograd(const tsm_tensor *weight, void *user, uint8_t *out) {
  const winograd_weight *v = user;
  for (int64_t first = 0; first < v->w->filters; first += v->w->set->block)
    v->set->pack((float *)(void *)out, v->w->filters, v->w->channels, first, tsm_tensor_read(weight));
}

const float *tsm_conv_winograd_packed(const tsm_conv_weight *w, const tsm_winograd_set *set, const tsm_tensor *weight) {
  winograd_weight v = {w, set};
  int64_t floats = set->packed_floats(w->filters, w->channels);
  return tsm_packed(weight, TSM_PACKED_WINOGRAD | (uint32_t)set->tile << 8, tsm_room(floats, sizeof(float)),
                    pack_winograd, &v);
}
