/* grid_sample.c - images and volumes read at positions.
 * In: (N, C, spatial ...) and, for each result, where in [-1, 1] of width, height, depth it lies. Out: (N, C, places).
 * Holds: positions of a tile become offsets and weights of their neighbours once, for all channels; positions and
 * borders are PyTorch's, computed in the tensor's precision. */
#include <math.h>

#include "arguments.h"
#include "pointwise.h"
#include "base/pool.h"
#include "kernels.h"
#include "resampling.h"
#include "simd/resample.h"

enum { AXES = 3, TILE = 64, MOST_TAPS = 16 };
typedef enum sampling { BILINEAR, NEAREST, BICUBIC } sampling;
typedef enum outside { ZEROS, BORDER, REFLECTION } outside;
static const double NS_PER_TAP = 0.4;

typedef struct grid_sampling {
  sampling mode;
  outside outside;
  bool aligns;
  tsm_rounding r;
  int axes;
  int64_t size[AXES];     /* of dimensions behind the channels */
  int64_t taps, channels, places, tiles, plane;
  const char *in, *grid;
  char *out;
  int64_t item, first;
  const tsm_resample_set *set;
} grid_sampling;

/* Offsets and weights of a tile's neighbours, [tap][place]. */
typedef struct tile {
  int32_t at[MOST_TAPS * TILE];
  double weights[MOST_TAPS * TILE]; /* floats where the tensor's are */
} tile;

static tsm_status read_word(tsm_opcall *c, size_t i, const char *const names[3], int *out) {
  for (int k = 0; k < 3; k++)
    if (!strcmp(tsm_arg_str(c, i)->bytes, names[k])) {
      *out = k;
      return TSM_OK;
    }
  return tsm_raise(c->ctx, "RuntimeError", "grid_sample: %s must be %s, %s or %s", c->site->op->schema.params[i].name,
                   names[0], names[1], names[2]);
}

static tsm_status read_modes(tsm_opcall *c, grid_sampling *v) {
  static const char *const modes[] = {"bilinear", "nearest", "bicubic"}, *const borders[] = {"zeros", "border", "reflection"};
  int mode = 0, border = 0;
  tsm_status status = read_word(c, 2, modes, &mode);
  if (!status) status = read_word(c, 3, borders, &border);
  v->mode = (sampling)mode;
  v->outside = (outside)border;
  return status;
}

tsm_status tsm_i_grid_sample(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *in = tsm_arg_tensor(c, 0), *grid = tsm_arg_tensor(c, 1);
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
  grid_sampling v;
  tsm_status status = read_modes(c, &v);
  if (status) return status;
  tsm_meta_of(in, out);
  if (!tsm_dtype_is_float(in->dtype)) return tsm_raise_not_implemented(c, in->dtype);
  if (grid->dtype != in->dtype)
    return tsm_raise(c->ctx, "RuntimeError", "grid_sampler(): expected input and grid to have same dtype, but input has "
                     "%s and grid has %s", tsm_dtype_name((tsm_dtype)in->dtype), tsm_dtype_name((tsm_dtype)grid->dtype));
  const int64_t axes = in->rank - 2;
  bool fits = (axes == 2 || axes == 3) && grid->rank == in->rank && tsm_shape(grid)[0] == tsm_shape(in)[0] &&
              tsm_shape(grid)[axes + 1] == axes && (v.mode != BICUBIC || axes == 2);
  int64_t plane = 1;
  for (int64_t i = 0; fits && i < axes; i++) {
    out->shape[2 + i] = tsm_shape(grid)[1 + i];
    fits = tsm_shape(in)[2 + i] > 0 && !tsm_mul_overflows(plane, tsm_shape(in)[2 + i], &plane) && plane <= INT32_MAX;
  }
  if (fits) return TSM_OK;
  return tsm_raise(c->ctx, "RuntimeError", "grid_sampler(): input of shape %s and grid of shape %s do not fit",
                   tsm_shape_text(a, in), tsm_shape_text(b, grid));
}

/* floor() of what can be inside; anything else stays, which is outside as it is. */
static double floor_of(double x) {
  if (!(x > -INT32_MAX && x < INT32_MAX)) return x;
  const int32_t whole = (int32_t)x;
  return whole - (x < whole);
}


/* [-1, 1] as positions of elements. */
static double placed(const grid_sampling *v, double x, int64_t size) {
  const double from_low = tsm_fit(v->r, x + 1);
  if (v->aligns) return tsm_fit(v->r, from_low * 0.5 * (double)(size - 1));
  return tsm_fit(v->r, tsm_fit(v->r, tsm_fit(v->r, from_low * (double)size) - 1) * 0.5);
}

/* Mirrored at both ends. */
static double reflected(tsm_rounding r, double x, double low, double high) {
  const double span = high - low, gone = fabs(tsm_fit(r, x - low));
  if (span <= 0) return 0;
  const double extra = fmod(gone, span), flips = floor(tsm_fit(r, gone / span));
  return tsm_fit(r, fmod(flips, 2) == 0 ? extra + low : tsm_fit(r, span - extra) + low);
}

/* Inside; what is not a number is at 0. */
static double bordered(const grid_sampling *v, double x, int64_t size) {
  if (v->outside == ZEROS) return x;
  const double last = (double)(size - 1);
  if (v->outside == REFLECTION) x = v->aligns ? reflected(v->r, x, 0, last) : reflected(v->r, x, -0.5, (double)size - 0.5);
  return !(x > 0) ? 0 : x > last ? last : x;
}

/* The offset of a neighbour, or -1 outside; `at` by dimension. */
static int32_t offset_of(const grid_sampling *v, const double *at) {
  int64_t offset = 0;
  bool is_in = true;
  for (int d = 0; d < v->axes; d++) {
    is_in &= at[d] >= 0 && at[d] <= (double)(v->size[d] - 1);
    offset = offset * v->size[d] + (is_in ? (int64_t)at[d] : 0);
  }
  return is_in ? (int32_t)offset : -1;
}

static void set_tap(const grid_sampling *v, tile *t, int64_t tap, int64_t place, int32_t at, double weight) {
  t->at[tap * TILE + place] = at;
  if (v->r.is_float) ((float *)(void *)t->weights)[tap * TILE + place] = (float)weight;
  else t->weights[tap * TILE + place] = weight;
}

static void set_linear(const grid_sampling *v, tile *t, int64_t place, const double *where) {
  double low[AXES], gone[AXES];
  for (int d = 0; d < v->axes; d++) {
    low[d] = floor_of(where[d]);
    gone[d] = tsm_fit(v->r, where[d] - low[d]);
  }
  for (int corner = 0; corner < 1 << v->axes; corner++) {
    double at[AXES], weight = 1;
    for (int d = 0; d < v->axes; d++) {
      const int is_high = corner >> (v->axes - 1 - d) & 1;
      at[d] = low[d] + is_high;
      weight = tsm_fit(v->r, weight * (is_high ? gone[d] : tsm_fit(v->r, 1 - gone[d])));
    }
    set_tap(v, t, corner, place, offset_of(v, at), weight);
  }
}

static void set_cubic(const grid_sampling *v, tile *t, int64_t place, const double *where) {
  double weights[2][4], at[2];
  for (int d = 0; d < 2; d++) tsm_cubic_weights(v->r, tsm_fit(v->r, where[d] - floor_of(where[d])), weights[d]);
  for (int tap = 0; tap < 16; tap++) {
    at[0] = bordered(v, floor_of(where[0]) + (tap / 4 - 1), v->size[0]);
    at[1] = bordered(v, floor_of(where[1]) + (tap % 4 - 1), v->size[1]);
    set_tap(v, t, tap, place, offset_of(v, at), tsm_fit(v->r, weights[0][tap / 4] * weights[1][tap % 4]));
  }
}

static void set_places(const grid_sampling *v, tile *t, int64_t count, const char *position) {
  for (int64_t i = 0; i < count; i++, position += v->axes * v->item) {
    double where[AXES];
    for (int d = 0; d < v->axes; d++) { /* the last dimension's comes first */
      const int at = v->axes - 1 - d;
      const double x = v->r.is_float ? (double)((const float *)(const void *)position)[at] : ((const double *)(const void *)position)[at];
      where[d] = placed(v, x, v->size[d]);
      if (v->mode != BICUBIC) where[d] = bordered(v, where[d], v->size[d]);
      if (v->mode == NEAREST) where[d] = rint(where[d]);
    }
    if (v->mode == BILINEAR) set_linear(v, t, i, where);
    else if (v->mode == BICUBIC) set_cubic(v, t, i, where);
    else set_tap(v, t, 0, i, offset_of(v, where), 1);
  }
}

/* The same of the most frequent kind: floats of images, between four neighbours of which some may be outside. */
static void set_image_places(const grid_sampling *v, tile *t, int64_t count, const float *position) {
  const int32_t height = (int32_t)v->size[0], width = (int32_t)v->size[1];
  float *weights = (float *)(void *)t->weights;
  for (int64_t i = 0; i < count; i++, position += 2) {
    const double x = bordered(v, placed(v, (double)position[0], width), width);
    const double y = bordered(v, placed(v, (double)position[1], height), height);
    const double left = floor_of(x), top = floor_of(y);
    const float right = (float)(x - left), low = (float)(y - top), from_right = 1 - right, from_low = 1 - low;
    const bool has[4] = {top >= 0 && top < height, top >= -1 && top < height - 1, left >= 0 && left < width,
                         left >= -1 && left < width - 1};
    const int32_t at = (has[0] | has[1]) & (has[2] | has[3]) ? (int32_t)top * width + (int32_t)left : 0;
    t->at[i] = has[0] & has[2] ? at : -1;
    t->at[TILE + i] = has[0] & has[3] ? at + 1 : -1;
    t->at[2 * TILE + i] = has[1] & has[2] ? at + width : -1;
    t->at[3 * TILE + i] = has[1] & has[3] ? at + width + 1 : -1;
    weights[i] = from_low * from_right;
    weights[TILE + i] = from_low * right;
    weights[2 * TILE + i] = low * from_right;
    weights[3 * TILE + i] = low * right;
  }
}

static void fill(const grid_sampling *v, tile *t, int64_t count, const char *position) {
  if (v->r.is_float && v->axes == 2 && v->mode == BILINEAR) set_image_places(v, t, count, (const float *)(const void *)position);
  else set_places(v, t, count, position);
}

static void sample_tiles(void *user, size_t worker, int64_t begin, int64_t end) {
  const grid_sampling *v = user;
  tile t;
  (void)worker;
  for (int64_t i = v->first + begin; i < v->first + end; i++) {
    const int64_t image = i / v->tiles, first = i % v->tiles * TILE;
    const int64_t count = v->places - first < TILE ? v->places - first : TILE;
    fill(v, &t, count, v->grid + (image * v->places + first) * v->axes * v->item);
    for (int64_t channel = image * v->channels; channel < (image + 1) * v->channels; channel++)
      v->set->sample[!v->r.is_float](v->out + (channel * v->places + first) * v->item, v->in + channel * v->plane * v->item,
                                     t.at, t.weights, v->taps, TILE, count);
  }
}

static tsm_status run(tsm_opcall *c, grid_sampling *v, int64_t images) {
  enum { SLICE = 1 << 20, PLACE_COST = 64 };
  const int64_t work = TILE * (v->taps * v->channels * 2 + PLACE_COST * (v->mode == BICUBIC ? 4 : 1));
  const int64_t slice = SLICE / work + 1, count = images * v->tiles;
  for (int64_t now; v->first < count; v->first += now) {
    now = count - v->first < slice ? count - v->first : slice;
    tsm_status status = tsm_charge_work(c->ctx, now, work);
    if (status) return status;
    tsm_parallel(c->ctx->rt, now, NS_PER_TAP * (double)work, sample_tiles, v);
  }
  return TSM_OK;
}

tsm_status tsm_k_grid_sample(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  grid_sampling v = {.aligns = tsm_arg_bool(c, 4), .r = {out->dtype == TSM_F32}, .axes = out->rank - 2,
                     .item = (int64_t)tsm_item_size(out->dtype), .set = tsm_resample_of(c->ctx->rt->isa),
                     .places = 1, .plane = 1};
  tsm_status status = read_modes(c, &v);
  if (status || !out->numel) return status;
  tsm_tensor *in = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 0));
  tsm_tensor *grid = in ? tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 1)) : NULL;
  for (int d = 0; in && d < v.axes; d++) {
    v.size[d] = tsm_shape(in)[2 + d];
    v.plane *= v.size[d];
    v.places *= tsm_shape(out)[2 + d];
  }
  if (grid) {
    v.taps = v.mode == BICUBIC ? 16 : v.mode == NEAREST ? 1 : 1 << v.axes;
    v.channels = tsm_shape(in)[1];
    v.tiles = (v.places + TILE - 1) / TILE;
    v.in = tsm_tensor_read(in);
    v.grid = tsm_tensor_read(grid);
    v.out = (char *)out->storage->data + out->offset * v.item;
    status = run(c, &v, tsm_shape(in)[0]);
    tsm_unref(&grid->head);
  } else {
    status = c->ctx->status;
  }
  if (in) tsm_unref(&in->head);
  return status;
}
