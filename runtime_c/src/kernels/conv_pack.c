/* conv_pack.c - see conv_pack.h. */
#include "conv_pack.h"

enum { STRIP = 8 };

static int64_t taps_of(const tsm_conv_weight *w) { return w->taps[0] * w->taps[1] * w->taps[2]; }
static int64_t depth_of(const tsm_conv_weight *w) { return taps_of(w) * w->channels; }

int64_t tsm_conv_weight_floats(const tsm_conv_weight *w) {
  if (w->is_depthwise) return depth_of(w) * w->groups;
  return tsm_conv_packed_floats(w->set, w->filters, depth_of(w)) * w->groups;
}

typedef struct source { const float *data; int64_t group, filter, channel, step[3]; } source; /* floats */

static source source_of(const tsm_conv_weight *w, const tsm_tensor *weight) {
  const int64_t *strides = tsm_strides(weight);
  const bool is_turned = w->is_transposed;
  source s = {tsm_tensor_read(weight), 0, strides[is_turned], strides[!is_turned], {0, 0, 0}};
  s.group = strides[0] * (is_turned ? w->channels : w->filters);
  for (size_t i = 0; i + 2 < weight->rank; i++) {
    const size_t axis = i < 2 ? 1 - i : i; /* from the last one: across, down, deep */
    s.step[axis] = strides[weight->rank - 1 - i];
    if (!is_turned) continue;
    s.data += w->first[axis] * s.step[axis];
    s.step[axis] *= w->step[axis];
  }
  return s;
}

/* One filter's channels from `first` on into column `to` of its block. */
static void pack_strip(const tsm_conv_weight *w, const source *s, const float *filter, int64_t first, int64_t width,
                       float *to) {
  int64_t last = w->channels - first < STRIP ? w->channels : first + STRIP;
  for (int64_t c = first; c < last; c++) {
    const float *from = filter + c * s->channel;
    float *at = to + c * width;
    for (int64_t kz = 0; kz < w->taps[2]; kz++)
      for (int64_t ky = 0; ky < w->taps[0]; ky++)
        for (int64_t kx = 0; kx < w->taps[1]; kx++, at += w->channels * width)
          *at = from[kz * s->step[2] + ky * s->step[0] + kx * s->step[1]];
  }
}

static bool is_dense(const tsm_conv_weight *w, const source *s) {
  return !w->is_transposed && s->step[1] == 1 && (w->taps[0] == 1 || s->step[0] == w->taps[1]) &&
         (w->taps[2] == 1 || s->step[2] == w->taps[0] * w->taps[1]) && s->channel == taps_of(w) && s->filter == depth_of(w);
}

static void pack_group(const tsm_conv_weight *w, const source *s, int64_t group, float *out) {
  const int64_t depth = depth_of(w), size = w->set->block;
  const bool dense = is_dense(w, s);
  for (int64_t block = 0; block * size < w->filters; block++) {
    int64_t width = tsm_conv_block_width(w->set, w->filters, block), count = w->filters - block * size;
    const float *from = s->data + group * s->group + block * size * s->filter;
    float *to = out + block * size * depth;
    if (dense) {
      w->set->pack(to, width, from, count < width ? count : width, w->channels, taps_of(w));
      continue;
    }
    if (count < width) memset(to, 0, (size_t)(depth * width) * sizeof *to);
    if (count > width) count = width;
    for (int64_t c = 0; c < w->channels; c += STRIP)
      for (int64_t k = 0; k < count; k++) pack_strip(w, s, from + k * s->filter, c, width, to + k);
  }
}

void tsm_conv_weight_pack(const tsm_conv_weight *w, const tsm_tensor *weight, float *out) {
  source s = source_of(w, weight);
  if (!w->is_depthwise) {
    int64_t matrix = tsm_conv_packed_floats(w->set, w->filters, depth_of(w));
    for (int64_t group = 0; group < w->groups; group++) pack_group(w, &s, group, out + group * matrix);
    return;
  }
  for (int64_t ky = 0; ky < w->taps[0]; ky++)
    for (int64_t kx = 0; kx < w->taps[1]; kx++)
      for (int64_t k = 0; k < w->groups; k++) *out++ = s.data[k * s.filter + ky * s.step[0] + kx * s.step[1]];
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
