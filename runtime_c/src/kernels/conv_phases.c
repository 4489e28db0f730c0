/* conv_phases.c - transposed convolution of float32: results that are `stride` apart are an ordinary convolution of the
 * input with every stride-th row, column and plane of the kernel, turned round.
 * In: a prepared run. Out: its channels-last result, phase by phase. Holds: a result o of a dimension sums i, k with
 * o + padding = i * stride + k * dilation, so its phase, the remainder of o + padding by stride, says which k. */
#include "conv_work.h"

typedef struct axis {
  int64_t first, count;             /* results first, first + stride, ...: so many */
  int64_t tap, tap_step, taps;      /* positions tap, tap + tap_step, ... of the kernel */
  int64_t dilation, padding;        /* of the convolution with these taps, the last one first */
} axis;

static int64_t divisor(int64_t a, int64_t b) { return b ? divisor(b, a % b) : a; }

/* What dimension `d` has in the phase of remainder `rest`, 0 <= rest < stride. */
static axis axis_of(const tsm_window *w, int d, int64_t rest) {
  const int64_t stride = w->stride[d], common = divisor(stride, w->dilation[d]);
  axis a = {.tap_step = stride / common, .dilation = w->dilation[d] / common};
  a.first = ((rest - w->padding[d]) % stride + stride) % stride;
  a.count = a.first < w->out[d] ? (w->out[d] - 1 - a.first) / stride + 1 : 0;
  while (a.tap < a.tap_step && a.tap < w->kernel[d] && a.tap * w->dilation[d] % stride != rest) a.tap++;
  if (a.tap < a.tap_step && a.tap < w->kernel[d]) a.taps = (w->kernel[d] - 1 - a.tap) / a.tap_step + 1;
  a.padding = (a.taps - 1) * a.dilation - (a.first + w->padding[d] - a.tap * w->dilation[d]) / stride;
  return a;
}

/* The weight's taps of a phase; `axes` by dimension. */
static tsm_conv_weight weight_of(const tsm_conv_weight *whole, const axis *axes) {
  tsm_conv_weight w = *whole;
  for (int d = 0; d < TSM_AXES; d++) {
    w.taps[d] = axes[d].taps;
    w.first[d] = axes[d].tap + (axes[d].taps - 1) * axes[d].tap_step;
    w.step[d] = -axes[d].tap_step;
  }
  return w;
}

/* All phases, those of rows one behind the other. */
static int64_t count_of(const tsm_window *w) { return w->stride[0] * w->stride[1] * w->stride[2]; }

static void phase_of(const tsm_window *w, int64_t phase, axis axes[TSM_AXES]) {
  axes[1] = axis_of(w, 1, phase % w->stride[1]);
  axes[0] = axis_of(w, 0, phase / w->stride[1] % w->stride[0]);
  axes[2] = axis_of(w, 2, phase / w->stride[1] / w->stride[0]);
}

static void pack_phases(const tsm_tensor *weight, void *user, uint8_t *out) {
  const tsm_conv_work *v = user;
  float *to = (float *)(void *)out;
  for (int64_t i = 0; i < count_of(&v->w); i++) {
    axis axes[TSM_AXES];
    phase_of(&v->w, i, axes);
    tsm_conv_weight part = weight_of(&v->weight, axes);
    const int64_t floats = tsm_conv_weight_floats(&part);
    if (floats) tsm_conv_weight_pack(&part, weight, to);
    to += floats;
  }
}

/* Kept beside the weight where the geometry fits what names a copy. */
static const float *prepare_weights(tsm_conv_work *v) {
  const tsm_window *w = &v->w;
  const tsm_tensor *weight = tsm_arg_tensor(v->c, 1);
  const int64_t floats = tsm_conv_weight_floats(&v->weight); /* every tap is of one phase, or of none */
  bool is_named = v->groups < 1 << 12;
  for (int d = 0; d < TSM_AXES; d++) is_named &= w->stride[d] < 16 && w->dilation[d] == 1;
  const uint32_t kind = TSM_PACKED_TRANSPOSED | (uint32_t)w->stride[0] << 8 | (uint32_t)w->stride[1] << 12 |
                        (uint32_t)w->stride[2] << 16 | (uint32_t)v->groups << 20;
  const float *kept = is_named ? tsm_packed(weight, kind, tsm_room(floats, sizeof(float)), pack_phases, v) : NULL;
  float *packed = kept ? NULL : tsm_conv_take(v, floats, sizeof(float));
  if (packed) pack_phases(weight, v, (uint8_t *)packed);
  return kept ? kept : packed;
}

static tsm_status run_phase(tsm_conv_work *v, const axis *axes, float *out) {
  static const int steps[TSM_AXES] = {TSM_ROW, TSM_PLACE, TSM_PLANE};
  tsm_conv *k = &v->v;
  k->out = out;
  v->places = v->out.size[TSM_IMAGE];
  for (int d = 0; d < TSM_AXES; d++) {
    k->out += axes[d].first * v->out.step[steps[d]];
    k->out_size[d] = axes[d].count;
    k->taps[d] = axes[d].taps;
    k->dilation[d] = axes[d].dilation;
    k->padding[d] = axes[d].padding;
    k->stride[d] = 1;
    v->places *= axes[d].count;
  }
  k->out_image = v->out.step[TSM_IMAGE];
  k->out_plane = v->out.step[TSM_PLANE] * v->w.stride[2];
  k->out_row = v->out.step[TSM_ROW] * v->w.stride[0];
  k->out_step = v->out.step[TSM_PLACE] * v->w.stride[1];
  k->is_spread = true;
  return v->places ? tsm_conv_run_direct(v) : TSM_OK;
}

tsm_status tsm_conv_run_phases(tsm_conv_work *v) {
  const tsm_conv_weight whole = v->weight;
  enum { PHASE = 16 }; /* units of one, however little it does */
  const double units = PHASE * (double)count_of(&v->w);
  if (tsm_charge(v->c->ctx, units < 1e18 ? (int64_t)units : INT64_MAX)) return v->c->ctx->status;
  const float *weights = prepare_weights(v);
  float *out = v->out.data;
  if (!weights || !tsm_conv_take_rows(v)) return v->c->ctx->status;
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < count_of(&v->w) && !status; i++) {
    axis axes[TSM_AXES];
    phase_of(&v->w, i, axes);
    v->weight = weight_of(&whole, axes);
    v->v.weight = weights;
    weights += tsm_conv_weight_floats(&v->weight);
    status = run_phase(v, axes, out);
    if (!status) status = tsm_charge(v->c->ctx, PHASE);
  }
  v->weight = whole;
  return status;
}
