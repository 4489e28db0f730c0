/* conv_depthwise.c - depthwise convolution: neighbouring places of a row times two vectors of channels. See conv.h.
 * In: channels-last rows, perhaps a ring of them; one weight a tap and channel. Out: rows of results, epilogue done.
 * Holds: taps are added up in one order for every place, whichever kernel computes it; taps outside of the image are
 * left out. */
#include "conv_tile.h"

enum { PLACES = TSM_VECTOR_REGISTERS / 4 }; /* of a row, computed together; two vectors of channels each */

/* Some taps of neighbouring places of a row. */
typedef struct depth_taps {
  const float *in, *weight;   /* of the first tap: a place of row 0, weights */
  int64_t row, ring;          /* of the input, among those there are; how many those are */
  int64_t down, across;       /* how many taps */
  int64_t place, channel;     /* first result */
  size_t lanes;               /* of the last vector */
  bool skips_first, skips_last; /* three taps across: the first place's first tap is outside, the last one's last */
} depth_taps;

/* The input's row of the next tap down; a ring begins again at its end. */
TSM_INLINE int64_t next_row(const tsm_conv *v, const depth_taps *t, int64_t row) {
  row += v->dilation[0];
  return row >= t->ring ? row - t->ring : row;
}

/* Two vectors are whole ones. */
TSM_INLINE void sum_taps(const tsm_conv *v, const depth_taps *t, vf *acc, int places, int vectors) {
  int64_t step = v->stride[1] * v->place_step, row = t->row;
  const size_t lanes = vectors == 2 ? (size_t)VF : t->lanes;
  for (int64_t ky = 0; ky < t->down; ky++, row = next_row(v, t, row))
    for (int64_t kx = 0; kx < t->across; kx++) {
      const float *w = t->weight + (ky * v->taps[1] + kx) * v->tap_step;
      const float *in = t->in + row * v->row_step + kx * v->dilation[1] * v->place_step;
      vf weight[2];
      for (int k = 0; k < vectors; k++) weight[k] = lanes == VF ? vf_load(w + k * VF) : vf_load_part(w + k * VF, lanes);
      TSM_UNROLL(8)
      for (int i = 0; i < places; i++, in += step) {
        __asm__("" : "+r"(in)); /* one pointer that moves, not as many as there are places */
        TSM_UNROLL(2)
        for (int k = 0; k < vectors; k++)
          acc[i * vectors + k] += (lanes == VF ? vf_load(in + k * VF) : vf_load_part(in + k * VF, lanes)) * weight[k];
      }
    }
}

/* The same for three taps across, side by side: what one place reads is in registers for its neighbours. */
TSM_INLINE void sum_three(const tsm_conv *v, const depth_taps *t, vf *acc) {
  int64_t row = t->row;
  for (int64_t ky = 0; ky < t->down; ky++, row = next_row(v, t, row)) {
    const float *in = t->in + row * v->row_step, *w = t->weight + 3 * ky * v->tap_step;
    vf weight[6];
    TSM_UNROLL(6)
    for (int i = 0; i < 6; i++) weight[i] = vf_load(w + i / 2 * v->tap_step + i % 2 * VF);
    TSM_UNROLL(10)
    for (int i = 0; i < PLACES + 2; i++, in += v->place_step) {
      if ((i == 0 && t->skips_first) || (i == PLACES + 1 && t->skips_last)) continue;
      __asm__("" : "+r"(in));
      vf x[2] = {vf_load(in), vf_load(in + VF)};
      vf_keep(x[0]);
      vf_keep(x[1]);
      TSM_UNROLL(3)
      for (int k = 0; k < 3; k++)
        if (i >= k && i - k < PLACES) {
          acc[2 * (i - k)] += x[0] * weight[2 * k];
          acc[2 * (i - k) + 1] += x[1] * weight[2 * k + 1];
        }
    }
  }
}

TSM_INLINE void run_places(const tsm_conv *v, const depth_taps *t, int places, int vectors, bool is_three) {
  vf acc[2 * PLACES];
  TSM_UNROLL(2)
  for (int k = 0; k < vectors; k++) {
    vf bias = v->end.bias ? vf_load_part(v->end.bias + t->channel + k * VF, t->lanes) : (vf){0};
    TSM_UNROLL(8)
    for (int i = 0; i < places; i++) acc[i * vectors + k] = bias;
  }
  if (is_three) sum_three(v, t, acc);
  else sum_taps(v, t, acc, places, vectors);
  if (vectors == 2) {
    float *to = v->out + t->place * v->out_step + t->channel;
    conv_end_sums(acc, places, 2, &v->end, v->end.add ? v->end.add + t->place * v->end.add_step + t->channel : NULL);
    TSM_UNROLL(16)
    for (int i = 0; i < 2 * places; i++) vf_store(to + i / 2 * v->out_step + i % 2 * VF, acc[i]);
  } else {
    TSM_NAMED(tsm_conv_store)(&v->end, (const float *)acc, 1, v->out, v->out_step, t->place, places, t->channel,
                              (int64_t)t->lanes);
  }
}

#define DEPTHWISE(name, places, vectors, is_three)                                              \
  static __attribute__((noinline)) void name(const tsm_conv *v, const depth_taps *t) {          \
    run_places(v, t, places, vectors, is_three);                                                \
  }
DEPTHWISE(run_three, PLACES, 2, true)
DEPTHWISE(run_many, PLACES, 2, false)
DEPTHWISE(run_one, 1, 2, false)
DEPTHWISE(run_part, 1, 1, false)

/* Taps first .. first + *out_count of a window that starts at `start` lie in [0, size). */
static int64_t taps_inside(int64_t start, int64_t taps, int64_t dilation, int64_t size, int64_t *out_count) {
  int64_t first = start < 0 ? (-start + dilation - 1) / dilation : 0;
  int64_t end = size > start ? (size - start + dilation - 1) / dilation : 0;
  if (end > taps) end = taps;
  *out_count = end > first ? end - first : 0;
  return first;
}

/* How a row is computed: places [first, last) several at once; with three taps across even where a tap is outside. */
typedef struct plan { int64_t first, last; bool is_three; } plan;

static plan plan_row(const tsm_conv *v) {
  int64_t reach = (v->taps[1] - 1) * v->dilation[1], room = v->size[1] - 1 - reach + v->padding[1];
  plan p = {(v->padding[1] + v->stride[1] - 1) / v->stride[1], room < 0 ? 0 : room / v->stride[1] + 1, false};
  if (p.last > v->out_size[1]) p.last = v->out_size[1];
  if (p.first > p.last) p.first = p.last;
  p.is_three = v->taps[1] == 3 && v->stride[1] == 1 && v->dilation[1] == 1 && v->padding[1] <= 1 &&
               v->out_size[1] >= PLACES;
  if (p.is_three) p = (plan){0, v->out_size[1], true};
  return p;
}

/* `t` is changed, not copied: its fields have only just been written. `in` is where places 0 of the rows lie. */
static void run_edge(const tsm_conv *v, depth_taps *t, const float *in, int64_t x, bool is_part) {
  const float *weight = t->weight;
  int64_t left = x * v->stride[1] - v->padding[1];
  int64_t skipped = taps_inside(left, v->taps[1], v->dilation[1], v->size[1], &t->across);
  t->in = in + (left + skipped * v->dilation[1]) * v->place_step;
  t->weight += skipped * v->tap_step;
  if (is_part) run_part(v, t);
  else run_one(v, t);
  t->weight = weight;
}

/* Several places from x on. */
static void run_several(const tsm_conv *v, depth_taps *t, const float *in, int64_t x, bool is_three) {
  int64_t left = x * v->stride[1] - v->padding[1];
  t->in = in + left * v->place_step;
  t->across = v->taps[1];
  t->skips_first = left < 0;
  t->skips_last = left + PLACES + 2 > v->size[1];
  if (is_three) run_three(v, t);
  else run_many(v, t);
}

/* The last of several go back over some that are done, where that changes nothing. */
static void run_row(const tsm_conv *v, depth_taps *t, const plan *p, bool is_part) {
  const float *in = t->in;
  int64_t x = 0, place = t->place;
  bool is_many = !is_part && p->last - p->first >= PLACES;
  while (x < v->out_size[1]) {
    bool is_near = is_many && x >= p->first && x < p->last;
    if (is_near && x + PLACES > p->last && !v->end.add) x = p->last - PLACES;
    t->place = place + x;
    if (is_near && x + PLACES <= p->last) {
      run_several(v, t, in, x, p->is_three);
      x += PLACES;
    } else {
      run_edge(v, t, in, x++, is_part);
    }
  }
}

/* A row of results, for one or two vectors of channels. */
static void run_channels(const tsm_conv *v, int64_t row, int64_t channel, const plan *p, bool is_part) {
  int64_t image = row / v->out_size[0], top = row % v->out_size[0] * v->stride[0] - v->padding[0];
  int64_t left = v->filters - channel;
  depth_taps t = {.in = v->in + image * v->image_step + channel,
                  .place = row * v->out_size[1], .channel = channel, .lanes = left < VF ? (size_t)left : (size_t)VF};
  int64_t skipped = taps_inside(top, v->taps[0], v->dilation[0], v->size[0], &t.down);
  t.row = top + skipped * v->dilation[0];
  t.ring = v->ring ? v->ring : INT64_MAX;
  if (v->ring) t.row = (v->ring_start + t.row) % v->ring;
  t.weight = v->weight + skipped * v->taps[1] * v->tap_step + channel;
  run_row(v, &t, p, is_part);
}

/* Channels outside, so that the rows that a window spans stay in the first-level cache. */
void TSM_NAMED(tsm_conv_depthwise)(const tsm_conv *v, int64_t first, int64_t last) {
  int64_t channel = 0, step = 2 * VF;
  const plan p = plan_row(v);
  for (; channel < v->filters; channel += step) {
    if (channel + 2 * VF > v->filters) step = VF;
    for (int64_t row = first; row < last; row++) run_channels(v, row, channel, &p, step == VF);
  }
  for (int64_t row = first; row < last; row++)
    conv_finish(&v->end, v->out, v->out_step, row * v->out_size[1], v->out_size[1], 0, v->filters);
}
