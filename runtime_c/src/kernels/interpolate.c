/* interpolate.c - the last dimensions of a tensor resized: nearest, linear, cubic.
 * In: (N, C, spatial ...), extents, and for each how many old elements a new one is wide. Out: the same dtype.
 * Holds: dimensions are resized one after the other, each by a table of neighbours and weights; positions and weights
 * are those of PyTorch to the bit, computed in the tensor's precision. */
#include <math.h>

#include "arguments.h"
#include "pointwise.h"
#include "base/pool.h"
#include "kernels.h"
#include "resampling.h"
#include "simd/resample.h"
#include "tensor/order.h"

enum { AXES = 3, MOST_TAPS = 4 };
typedef enum resizing { NEAREST, NEAREST_EXACT, LINEAR, CUBIC } resizing;
static const double NS_PER_ELEMENT = 0.5;

static tsm_status read_mode(tsm_opcall *c, resizing *out) {
  static const char *const names[] = {"nearest", "nearest-exact", "linear", "cubic"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(tsm_arg_str(c, 3)->bytes, names[i])) {
      *out = (resizing)i;
      return TSM_OK;
    }
  return tsm_raise(c->ctx, "RuntimeError", "interpolate: mode must be nearest, nearest-exact, linear or cubic");
}

tsm_status tsm_i_interpolate(tsm_opcall *c, tsm_meta *out) {
  const int64_t count = tsm_arg_list(c, 1)->length;
  resizing mode;
  tsm_status status = read_mode(c, &mode);
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (status) return status;
  if (count < 1 || count > AXES || out->rank != count + 2 || tsm_arg_list(c, 2)->length != count)
    return tsm_raise(c->ctx, "RuntimeError", "interpolate: expected 1 to 3 extents, as many scales and two dimensions more");
  if (mode >= LINEAR && !tsm_dtype_is_float(out->dtype)) return tsm_raise_not_implemented(c, out->dtype);
  for (int64_t i = 0; i < count; i++) {
    int64_t *extent = &out->shape[2 + i];
    const int64_t wanted = tsm_arg_list(c, 1)->as.i64[i];
    if (*extent < 1 || *extent > INT32_MAX || wanted < 1 || wanted > INT32_MAX)
      return tsm_raise(c->ctx, "RuntimeError", "Input and output sizes should be greater than 0, but got input (%lld) "
                       "output (%lld)", (long long)*extent, (long long)wanted);
    *extent = wanted;
  }
  return TSM_OK;
}

/* One dimension: of each place the neighbours and weights, [tap][place]. */
typedef struct table {
  int64_t old, extent, taps;
  int32_t *at;
  double *weights;  /* for whole rows */
  void *own;        /* the same in the tensor's dtype, for elements */
} table;

static int32_t clamped(double x, int64_t old) {
  return !(x > 0) ? 0 : x >= (double)(old - 1) ? (int32_t)(old - 1) : (int32_t)x;
}

static void set_tap(table *t, int64_t tap, int64_t place, int32_t at, double weight) {
  t->at[tap * t->extent + place] = at;
  t->weights[tap * t->extent + place] = weight;
}

static void set_nearest(table *t, double scale, bool is_exact) {
  for (int64_t i = 0; i < t->extent; i++) {
    const float at = is_exact ? ((float)i + 0.5f) * (float)scale : (float)i * (float)scale;
    set_tap(t, 0, i, clamped(floorf(at), t->old), 1);
  }
}

static double position(const table *t, int64_t i, double scale, bool aligns, tsm_rounding r) {
  const double at = tsm_fit(r, (double)i);
  if (aligns) return tsm_fit(r, at * tsm_fit(r, t->extent > 1 ? (double)(t->old - 1) / (double)(t->extent - 1) : 0));
  return tsm_fit(r, tsm_fit(r, tsm_fit(r, at + 0.5) * tsm_fit(r, scale)) - 0.5);
}

static void set_linear(table *t, double scale, bool aligns, tsm_rounding r) {
  for (int64_t i = 0; i < t->extent; i++) {
    const double raw = position(t, i, scale, aligns, r), at = raw > 0 ? raw : 0;
    const int32_t first = clamped(floor(at), t->old);
    const double weight = tsm_fit(r, at - first);
    set_tap(t, 0, i, first, tsm_fit(r, 1 - weight));
    set_tap(t, 1, i, clamped(first + 1, t->old), weight);
  }
}

/* ((a x + b) x + c) x + d. */
static double cube(tsm_rounding r, double x, double a, double b, double c, double d) {
  return tsm_fit(r, tsm_fit(r, tsm_fit(r, tsm_fit(r, tsm_fit(r, tsm_fit(r, a * x) + b) * x) + c) * x) + d);
}

void tsm_cubic_weights(tsm_rounding r, double x, double out[4]) {
  const double near = tsm_fit(r, 1 - x);
  out[0] = cube(r, tsm_fit(r, x + 1), -0.75, 3.75, -6, 3);
  out[1] = tsm_fit(r, tsm_fit(r, tsm_fit(r, tsm_fit(r, tsm_fit(r, 1.25 * x) - 2.25) * x) * x) + 1);
  out[2] = tsm_fit(r, tsm_fit(r, tsm_fit(r, tsm_fit(r, tsm_fit(r, 1.25 * near) - 2.25) * near) * near) + 1);
  out[3] = cube(r, tsm_fit(r, 2 - x), -0.75, 3.75, -6, 3);
}

static void set_cubic(table *t, double scale, bool aligns, tsm_rounding r) {
  for (int64_t i = 0; i < t->extent; i++) {
    const double at = position(t, i, scale, aligns, r), low = floor(at);
    double weights[4];
    tsm_cubic_weights(r, tsm_fit(r, at - low), weights);
    for (int k = 0; k < 4; k++) set_tap(t, k, i, clamped(low + (k - 1), t->old), weights[k]);
  }
}

static void fill(table *t, resizing mode, double scale, bool aligns, bool is_float) {
  const tsm_rounding r = {is_float};
  if (mode == LINEAR) set_linear(t, scale, aligns, r);
  else if (mode == CUBIC) set_cubic(t, scale, aligns, r);
  else set_nearest(t, scale, mode == NEAREST_EXACT);
  for (int64_t i = 0; i < t->taps * t->extent; i++) {
    if (is_float) ((float *)t->own)[i] = (float)t->weights[i];
    else ((double *)t->own)[i] = t->weights[i];
  }
}

/* ---- Passes */

typedef struct interpolation {
  table tables[AXES];
  size_t axes;
  int order[AXES];        /* of the passes */
  int64_t item, inner;    /* bytes; elements behind the last dimension: channels, if those lie innermost */
  bool is_copy;
  const tsm_resample_set *set;
  bool is_double;
  const char *in;
  char *out, *scratch;
  int64_t from_bytes, to_bytes, scratch_bytes; /* of one image or channel; of a worker */
} interpolation;

#define PICK(T)                                                                              \
  static void pick_##T(void *to, const void *from, const int32_t *at, int64_t count) {       \
    T *out = to;                                                                             \
    const T *in = from;                                                                      \
    TSM_UNROLL_BY(4) for (int64_t i = 0; i < count; i++) out[i] = in[at[i]];                 \
  }
PICK(uint8_t)
PICK(uint16_t)
PICK(uint32_t)
PICK(uint64_t)

/* Elements of a row that is resized. */
static void resize_row(const interpolation *v, const table *t, char *to, const char *from) {
  if (!v->is_copy) v->set->sample[v->is_double](to, from, t->at, t->own, t->taps, t->extent, t->extent);
  else if (v->item == 1) pick_uint8_t(to, from, t->at, t->extent);
  else if (v->item == 2) pick_uint16_t(to, from, t->at, t->extent);
  else if (v->item == 4) pick_uint32_t(to, from, t->at, t->extent);
  else pick_uint64_t(to, from, t->at, t->extent);
}

/* The middle dimension of (outer, old, inner). */
static void resize(const interpolation *v, const table *t, int64_t outer, int64_t inner, char *to, const char *from) {
  const int64_t row = inner * v->item;
  for (int64_t o = 0; o < outer; o++, from += t->old * row) {
    if (inner == 1) {
      resize_row(v, t, to, from);
      to += t->extent * row;
      continue;
    }
    for (int64_t i = 0; i < t->extent; i++, to += row) {
      const void *rows[MOST_TAPS];
      double weights[MOST_TAPS];
      for (int64_t k = 0; k < t->taps; k++) {
        rows[k] = from + t->at[k * t->extent + i] * row;
        weights[k] = t->weights[k * t->extent + i];
      }
      if (v->is_copy) memcpy(to, rows[0], (size_t)row);
      else v->set->mix[v->is_double](to, rows, weights, t->taps, inner);
    }
  }
}

static void resize_images(void *user, size_t worker, int64_t begin, int64_t end) {
  const interpolation *v = user;
  char *room[2] = {v->scratch + (int64_t)worker * v->scratch_bytes, NULL};
  room[1] = room[0] + v->scratch_bytes / 2;
  for (int64_t i = begin; i < end; i++) {
    int64_t shape[AXES];
    for (size_t d = 0; d < v->axes; d++) shape[d] = v->tables[d].old;
    const char *from = v->in + i * v->from_bytes;
    for (size_t pass = 0; pass < v->axes; pass++) {
      const int d = v->order[pass];
      char *to = pass + 1 < v->axes ? room[pass % 2] : v->out + i * v->to_bytes;
      int64_t outer = 1, inner = v->inner;
      for (int k = 0; k < d; k++) outer *= shape[k];
      for (size_t k = (size_t)d + 1; k < v->axes; k++) inner *= shape[k];
      resize(v, &v->tables[d], outer, inner, to, from);
      shape[d] = v->tables[d].extent;
      from = to;
    }
  }
}

/* Whether a pass of `a` comes before one of `b`, a later dimension: what shrinks more, else what is cheaper in the end:
 * rows while they are few. */
static bool is_first(const table *a, const table *b) {
  const double x = (double)a->extent * (double)b->old, y = (double)b->extent * (double)a->old;
  return x < y || (x == y && a->extent < a->old);
}

/* Gives the largest intermediate result, in elements, and all elements of the passes. */
static int64_t plan_passes(interpolation *v, int64_t *out_work) {
  int64_t size = v->inner, largest = 0;
  for (size_t d = 0; d < v->axes; d++) {
    size_t at = d;
    const table *t = &v->tables[d];
    for (; at > 0 && !is_first(&v->tables[v->order[at - 1]], t); at--) v->order[at] = v->order[at - 1];
    v->order[at] = (int)d;
    size *= t->old;
  }
  *out_work = 0;
  for (size_t pass = 0; pass < v->axes; pass++) {
    const table *t = &v->tables[v->order[pass]];
    size = size / t->old * t->extent;
    *out_work += size * t->taps;
    if (pass + 1 < v->axes && size > largest) largest = size;
  }
  return largest;
}

/* Images in slices, so that a cancelled run ends soon. */
static tsm_status run_images(tsm_opcall *c, interpolation *v, int64_t images, int64_t work) {
  enum { SLICE = 1 << 20, COST = 2 };
  const int64_t slice = SLICE / work + 1;
  for (int64_t done = 0, now; done < images; done += now) {
    now = images - done < slice ? images - done : slice;
    tsm_status status = tsm_charge_work(c->ctx, now, work * COST);
    if (status) return status;
    tsm_parallel(c->ctx->rt, now, NS_PER_ELEMENT * (double)work, resize_images, v);
    v->in += now * v->from_bytes;
    v->out += now * v->to_bytes;
  }
  return TSM_OK;
}

static tsm_status run(tsm_opcall *c, interpolation *v, const tsm_tensor *in, const tsm_tensor *out, bool is_turned) {
  int64_t work, largest = plan_passes(v, &work), images = tsm_shape(in)[0] * (is_turned ? 1 : tsm_shape(in)[1]);
  const int64_t workers = (int64_t)tsm_pool_workers(c->ctx->rt);
  int64_t room;
  v->scratch_bytes = 2 * largest * v->item;
  v->from_bytes = in->numel / images * v->item;
  v->to_bytes = out->numel / images * v->item;
  v->in = tsm_tensor_read(in);
  v->out = (char *)out->storage->data + out->offset * v->item;
  if (tsm_mul_overflows(v->scratch_bytes, workers, &room)) return tsm_out_of_memory(c->ctx);
  v->scratch = tsm_alloc(c->ctx->rt, (size_t)room + 1);
  if (!v->scratch) return tsm_out_of_memory(c->ctx);
  tsm_status status = run_images(c, v, images, work);
  tsm_free(c->ctx->rt, v->scratch, (size_t)room + 1);
  return status;
}

/* All tables in one piece of memory. */
static tsm_status run_with_tables(tsm_opcall *c, interpolation *v, const tsm_tensor *in, const tsm_tensor *out,
                                  bool is_turned, resizing mode) {
  int64_t places = 0;
  const int64_t taps = mode == LINEAR ? 2 : mode == CUBIC ? 4 : 1;
  for (size_t d = 0; d < v->axes; d++) places += tsm_shape(out)[2 + d];
  const size_t bytes = tsm_room(places * taps, 2 * sizeof(double) + sizeof(int32_t));
  tsm_status status = tsm_charge_work(c->ctx, places, taps * 8);
  double *weights = status ? NULL : tsm_alloc(c->ctx->rt, bytes);
  if (!weights) return status ? status : tsm_out_of_memory(c->ctx);
  double *own = weights + places * taps;
  int32_t *at = (int32_t *)(void *)(own + places * taps);
  for (size_t d = 0; d < v->axes; d++) {
    table *t = &v->tables[d];
    *t = (table){tsm_shape(in)[2 + d], tsm_shape(out)[2 + d], taps, at, weights, own};
    fill(t, mode, tsm_arg_list(c, 2)->as.f64[d], tsm_arg_bool(c, 4), in->dtype == TSM_F32);
    weights += t->extent * taps;
    own += t->extent * taps;
    at += t->extent * taps;
  }
  status = run(c, v, in, out, is_turned);
  tsm_free(c->ctx->rt, v->tables[0].weights, bytes);
  return status;
}

tsm_status tsm_k_interpolate(tsm_opcall *c) {
  tsm_tensor *in = tsm_arg_tensor(c, 0), *out = tsm_result_tensor(c, 0);
  interpolation v = {.axes = (size_t)tsm_arg_list(c, 1)->length, .item = (int64_t)tsm_item_size(out->dtype), .inner = 1,
                     .set = tsm_resample_of(c->ctx->rt->isa), .is_double = out->dtype == TSM_F64};
  resizing mode;
  tsm_status status = read_mode(c, &mode);
  if (status || !out->numel) return status;
  const bool is_turned = tsm_is_channels_last(in) && tsm_is_channels_last(out);
  v.is_copy = mode <= NEAREST_EXACT;
  if (is_turned) v.inner = tsm_shape(in)[1];
  tsm_tensor *plain = is_turned ? in : tsm_tensor_contiguous(c->ctx, in), *made = out;
  if (plain && !is_turned) made = tsm_tensor_contiguous(c->ctx, out); /* where the passes can write */
  status = plain && made ? run_with_tables(c, &v, plain, made, is_turned, mode) : c->ctx->status;
  if (!status && made != out) status = tsm_tensor_copy_into(c->ctx, out, made);
  if (plain && !is_turned) tsm_unref(&plain->head);
  if (made && !is_turned && plain) tsm_unref(&made->head);
  return status;
}
