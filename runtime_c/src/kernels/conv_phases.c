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

/* x with a * x = 1 modulo m, with which a has no divisor in common; 0 where m is 1. */
static int64_t inverse(int64_t a, int64_t m) {
  int64_t x = 0, next = 1, left = m, rest = a % m;
  while (rest) {
    const int64_t times = left / rest, old = next, old_rest = rest;
    next = x - times * next;
    x = old;
    rest = left - times * rest;
    left = old_rest;
  }
  return x < 0 ? x + m : x;
}

/* a * b modulo m, whose square may overflow. */
static int64_t product_modulo(int64_t a, int64_t b, int64_t m) {
  uint64_t product = 0, part = (uint64_t)a;
  for (; b; b >>= 1, part = 2 * part % (uint64_t)m)
    if (b & 1) product = (product + part) % (uint64_t)m;
  return (int64_t)product;
}

/* What dimension `d` has in the phase of remainder `rest`, 0 <= rest < stride. */
static axis axis_of(const tsm_window *w, int d, int64_t rest) {
  const int64_t stride = w->stride[d], common = divisor(stride, w->dilation[d]);
  axis a = {.tap_step = stride / common, .dilation = w->dilation[d] / common};
  a.first = ((rest - w->padding[d]) % stride + stride) % stride;
  a.count = a.first < w->out[d] ? (w->out[d] - 1 - a.first) / stride + 1 : 0;
  if (rest % common == 0) /* the first k with k * dilation = rest modulo stride */
    a.tap = product_modulo(rest / common, inverse(a.dilation, a.tap_step), a.tap_step);
  if (rest % common || a.tap >= w->kernel[d]) a.tap = 0;
  else a.taps = (w->kernel[d] - 1 - a.tap) / a.tap_step + 1;
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

/* Phases of a dimension that have results. */
static int64_t phases_of(const tsm_window *w, int d) {
  return w->stride[d] < w->out[d] ? w->stride[d] : w->out[d];
}

/* In the order of remainders where all are there, which is all that a kept copy of a weight knows. */
static int64_t rest_of(const tsm_window *w, int d, int64_t i) {
  return w->stride[d] <= w->out[d] ? i : (i + w->padding[d]) % w->stride[d];
}

/* All phases, those of rows one behind the other. */
static int64_t count_of(const tsm_window *w) { return phases_of(w, 0) * phases_of(w, 1) * phases_of(w, 2); }

static void phase_of(const tsm_window *w, int64_t phase, axis axes[TSM_AXES]) {
  const int64_t rows = phases_of(w, 0), places = phases_of(w, 1);
  axes[1] = axis_of(w, 1, rest_of(w, 1, phase % places));
  axes[0] = axis_of(w, 0, rest_of(w, 0, phase / places % rows));
  axes[2] = axis_of(w, 2, rest_of(w, 2, phase / places / rows));
}

/* Pays for what a phase takes besides its products. */
static bool pay_phase(const tsm_conv_work *v) {
  enum { SETUP = 2048 };
  return tsm_charge_elements(v->c->ctx, SETUP) == TSM_OK;
}

static bool pack_all(const tsm_conv_work *v, const tsm_tensor *weight, float *to, bool pays) {
  for (int64_t i = 0; i < count_of(&v->w); i++) {
    if (pays && !pay_phase(v)) return false;
    axis axes[TSM_AXES];
    phase_of(&v->w, i, axes);
    tsm_conv_weight part = weight_of(&v->weight, axes);
    const int64_t floats = tsm_conv_weight_floats(&part);
    if (floats) tsm_conv_weight_pack(&part, weight, to);
    to += floats;
  }
  return true;
}

/* Few phases: of a geometry that is kept. */
static void pack_phases(const tsm_tensor *weight, void *user, uint8_t *out) {
  pack_all(user, weight, (float *)(void *)out, false);
}

/* Kept beside the weight where the geometry fits what names a copy. */
static const float *prepare_weights(tsm_conv_work *v) {
  const tsm_window *w = &v->w;
  const tsm_tensor *weight = tsm_arg_tensor(v->c, 1);
  const int64_t floats = tsm_conv_weight_floats(&v->weight); /* every tap is of one phase at most */
  bool is_named = v->groups < 1 << 12;
  for (int d = 0; d < TSM_AXES; d++) is_named &= w->stride[d] < 16 && w->stride[d] <= w->out[d] && w->dilation[d] == 1;
  const uint32_t kind = TSM_PACKED_TRANSPOSED | (uint32_t)w->stride[0] << 8 | (uint32_t)w->stride[1] << 12 |
                        (uint32_t)w->stride[2] << 16 | (uint32_t)v->groups << 20;
  const float *kept = is_named ? tsm_packed(weight, kind, tsm_room(floats, sizeof(float)), pack_phases, v) : NULL;
  float *packed = kept ? NULL : tsm_conv_take(v, floats, sizeof(float));
  return kept || (packed && !pack_all(v, weight, packed, true)) ? kept : packed;
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
  const float *weights = prepare_weights(v);
  float *out = v->out.data;
  if (!weights || !tsm_conv_take_rows(v)) return v->c->ctx->status;
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < count_of(&v->w) && !status; i++) {
    axis axes[TSM_AXES];
    if (!pay_phase(v)) {
      status = v->c->ctx->status;
      break;
    }
    phase_of(&v->w, i, axes);
    v->weight = weight_of(&whole, axes);
    v->v.weight = weights;
    weights += tsm_conv_weight_floats(&v->weight);
    status = run_phase(v, axes, out);
  }
  v->weight = whole;
  return status;
}
