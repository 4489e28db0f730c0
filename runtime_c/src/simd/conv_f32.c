/* conv_f32.c - direct convolution: a tile of places times a block of filters in registers. See conv.h.
 * In: a table of addresses, one a tap and place of the tile. Out: the tile, with its epilogue.
 * Holds: taps and channels are added up in one order for every place; the last places of a range repeat the last one,
 * and what they give is not stored. */
#include "conv_tile.h"

enum { GROUP = TSM_CONV_GROUP };

/* The epilogue in registers. */
TSM_INLINE void end_sums(vf *acc, int places, int vectors, const tsm_conv_epilogue *end, const float *add) {
  if (end->add) {
#pragma GCC unroll 16
    for (int i = 0; i < places; i++)
#pragma GCC unroll 2
      for (int k = 0; k < vectors; k++) acc[i * vectors + k] += vf_load(add + i * end->add_step + k * VF);
  }
  if (end->clamps) {
    vf low = vf_set1(end->low), high = vf_set1(end->high);
#pragma GCC unroll 32
    for (int i = 0; i < places * vectors; i++) acc[i] = conv_clamp(acc[i], low, high);
  }
}

/* PLACES rows of VECTORS vectors. */
#define CONV_KERNEL(name, PLACES, VECTORS)                                                         \
  static __attribute__((noinline)) void name(const conv_tile *t, const vf *bias, const tsm_conv_epilogue *end, \
                                             const float *add, float *to, int64_t step) {          \
    vf acc[PLACES * VECTORS];                                                                      \
    const uintptr_t *rows = t->rows;                                                               \
    const float *w = t->weight;                                                                    \
    _Pragma("GCC unroll 16") for (int i = 0; i < PLACES; i++)                                      \
      _Pragma("GCC unroll 2") for (int k = 0; k < VECTORS; k++) acc[i * VECTORS + k] = bias[k];    \
    for (int64_t s = 0; s < t->segments; s++, rows += CONV_TILE) {                                 \
      const float *in[PLACES];                                                                     \
      _Pragma("GCC unroll 16") for (int i = 0; i < PLACES; i++) in[i] = (const float *)rows[i];    \
      for (int64_t c = 0; c < t->run; c++, w += VECTORS * VF) {                                    \
        vf weight[VECTORS];                                                                        \
        _Pragma("GCC unroll 2") for (int k = 0; k < VECTORS; k++) weight[k] = vf_load(w + k * VF); \
        _Pragma("GCC unroll 16") for (int i = 0; i < PLACES; i++) {                                \
          vf x = vf_set1(in[i][c]);                                                                \
          _Pragma("GCC unroll 2") for (int k = 0; k < VECTORS; k++) acc[i * VECTORS + k] += x * weight[k]; \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
    if (end) end_sums(acc, PLACES, VECTORS, end, add);                                             \
    _Pragma("GCC unroll 16") for (int i = 0; i < PLACES; i++)                                      \
      _Pragma("GCC unroll 2") for (int k = 0; k < VECTORS; k++)                                    \
        vf_store(to + i * step + k * VF, acc[i * VECTORS + k]);                                    \
  }
CONV_KERNEL(conv_full_wide, CONV_TILE, 2)
CONV_KERNEL(conv_half_wide, CONV_HALF, 2)
CONV_KERNEL(conv_full_narrow, CONV_TILE, 1)

void TSM_NAMED(tsm_conv_kernel)(const conv_tile *t, const vf *bias, const tsm_conv_epilogue *end, const float *add,
                                float *to, int64_t step) {
  if (t->filters <= VF) conv_full_narrow(t, bias, end, add, to, step);
  else if (t->count <= CONV_HALF) conv_half_wide(t, bias, end, add, to, step);
  else conv_full_wide(t, bias, end, add, to, step);
}

void TSM_NAMED(tsm_conv_store)(const tsm_conv_epilogue *end, const float *sums, int64_t vectors, float *out,
                               int64_t out_step, int64_t first, int64_t count, int64_t filter, int64_t filters) {
  vf low = vf_set1(end->low), high = vf_set1(end->high);
  out += first * out_step + filter;
  const float *add = end->add ? end->add + first * end->add_step + filter : NULL;
  for (int64_t i = 0; i < count; i++) {
    float *to = out + i * out_step;
    for (int64_t k = 0; k < filters; k += VF) {
      size_t lanes = filters - k < VF ? (size_t)(filters - k) : (size_t)VF;
      vf x = vf_load(sums + i * vectors * VF + k);
      const float *more = add ? add + i * end->add_step + k : NULL;
      if (more) x += lanes == VF ? vf_load(more) : vf_load_part(more, lanes);
      if (end->clamps) x = conv_clamp(x, low, high);
      if (lanes == VF) vf_store(to + k, x);
      else vf_store_part(to + k, x, lanes);
    }
  }
}

static void run_tile(const conv_tile *t, const tsm_conv_epilogue *end) {
  vf sums[CONV_TILE * 2], bias[2] = {{0}, {0}};
  int64_t vectors = t->filters > VF ? 2 : 1, filters = t->filters < CONV_BLOCK ? t->filters : CONV_BLOCK;
  for (int64_t k = 0; end->bias && k < filters; k += VF)
    bias[k / VF] = vf_load_part(end->bias + t->filter + k, filters - k < VF ? (size_t)(filters - k) : (size_t)VF);
  if (t->count == CONV_TILE && filters == vectors * VF) {
    const float *add = end->add ? end->add + t->first * end->add_step + t->filter : NULL;
    TSM_NAMED(tsm_conv_kernel)(t, bias, end, add, t->out + t->first * t->out_step + t->filter, t->out_step);
  } else {
    TSM_NAMED(tsm_conv_kernel)(t, bias, NULL, NULL, (float *)sums, vectors * VF);
    TSM_NAMED(tsm_conv_store)(end, (const float *)sums, vectors, t->out, t->out_step, t->first, t->count, t->filter,
                              filters);
  }
  conv_finish(end, t->out, t->out_step, t->first, t->count, t->filter, filters);
}

/* Where the place number `at` of a range starts: image, and the corner of its window. */
typedef struct corner { int64_t base, y, x; } corner;

static void find_corners(const tsm_conv *v, int64_t first, int64_t count, corner *out) {
  int64_t per_image = v->out_size[0] * v->out_size[1];
  int64_t image = first / per_image, y = first % per_image / v->out_size[1], x = first % v->out_size[1];
  for (int64_t i = 0; i < count; i++) {
    out[i].y = y * v->stride[0] - v->padding[0];
    out[i].x = x * v->stride[1] - v->padding[1];
    out[i].base = image * v->image_step + out[i].y * v->row_step + out[i].x * v->place_step;
    if (++x < v->out_size[1]) continue;
    x = 0;
    if (++y < v->out_size[0]) continue;
    y = 0;
    image++;
  }
}

/* Addresses for one tile: [tap][place]. */
static void fill_rows(const tsm_conv *v, const corner *corners, int64_t count, uintptr_t *rows) {
  uintptr_t zeros = (uintptr_t)v->zeros, in[CONV_TILE];
  int64_t y[CONV_TILE], x[CONV_TILE];
  bool has_edges = v->padding[0] || v->padding[1];
  for (int64_t i = 0; i < CONV_TILE; i++) {
    const corner *c = &corners[i < count ? i : count - 1];
    in[i] = (uintptr_t)v->in + (uintptr_t)c->base * sizeof(float);
    y[i] = c->y;
    x[i] = c->x;
  }
  for (int64_t ky = 0; ky < v->taps[0]; ky++)
    for (int64_t kx = 0; kx < v->taps[1]; kx++, rows += CONV_TILE) {
      int64_t down = ky * v->dilation[0], right = kx * v->dilation[1];
      uintptr_t shift = (uintptr_t)(down * v->row_step + right * v->place_step) * sizeof(float);
      for (int64_t i = 0; i < CONV_TILE; i++) rows[i] = in[i] + shift;
      if (!has_edges) continue;
      for (int64_t i = 0; i < CONV_TILE; i++) {
        bool has_row = (uint64_t)(y[i] + down) < (uint64_t)v->size[0];
        bool has_place = (uint64_t)(x[i] + right) < (uint64_t)v->size[1];
        rows[i] = (has_row & has_place) ? rows[i] : zeros;
      }
    }
}

/* Whether results are one product of two matrices: place by place, the input's places follow each other. */
static bool is_product(const tsm_conv *v) {
  return v->taps[0] * v->taps[1] == 1 && v->stride[0] == 1 && v->stride[1] == 1 && !v->padding[0] && !v->padding[1] &&
         v->size[1] == v->out_size[1] && /* not where a run is a row of the kernel */
         v->row_step == v->size[1] * v->place_step && v->image_step == v->size[0] * v->row_step;
}

static void fill_product_rows(const tsm_conv *v, int64_t first, int64_t count, uintptr_t *rows) {
  for (int64_t i = 0; i < (count + CONV_TILE - 1) / CONV_TILE * CONV_TILE; i++)
    rows[i] = (uintptr_t)(v->in + (first + (i < count ? i : count - 1)) * v->place_step);
}

static void fill_group(const tsm_conv *v, int64_t first, int64_t count, uintptr_t *rows) {
  corner corners[GROUP * CONV_TILE];
  find_corners(v, first, count, corners);
  for (int64_t at = 0; at < count; at += CONV_TILE)
    fill_rows(v, corners + at, count - at, rows + at * v->taps[0] * v->taps[1]);
}

static void run_group(const tsm_conv *v, int64_t first, int64_t count, int64_t first_block, int64_t last_block,
                      uintptr_t *rows) {
  int64_t taps = v->taps[0] * v->taps[1], depth = taps * v->run;
  if (is_product(v)) fill_product_rows(v, first, count, rows);
  else fill_group(v, first, count, rows);
  for (int64_t block = first_block; block < last_block; block++)
    for (int64_t at = 0; at < count; at += CONV_TILE) {
      conv_tile t = {rows + at * taps, taps, v->run, v->weight + block * CONV_BLOCK * depth, v->out, v->out_step,
                     first + at, count - at < CONV_TILE ? count - at : CONV_TILE, block * CONV_BLOCK,
                     v->filters - block * CONV_BLOCK};
      run_tile(&t, &v->end);
    }
}

static void run_direct(const tsm_conv *v, int64_t first, int64_t last, int64_t first_block, int64_t last_block,
                       uintptr_t *rows) {
  for (int64_t step = GROUP * CONV_TILE; first < last; first += step)
    run_group(v, first, last - first < step ? last - first : step, first_block, last_block, rows);
}

/* ---- Depthwise */

enum { PLACES = TSM_VECTOR_REGISTERS / 4 }; /* of a row, computed together; two vectors of channels each */

/* Some taps of neighbouring places of a row. */
typedef struct depth_taps {
  const float *in, *weight;  /* of the first tap */
  int64_t down, across;      /* how many taps */
  int64_t place, channel;    /* first result */
  size_t lanes;              /* of the last vector */
} depth_taps;

/* Two vectors are whole ones. */
TSM_INLINE void depthwise_sums(const tsm_conv *v, const depth_taps *t, vf *acc, int places, int vectors) {
  int64_t step = v->stride[1] * v->place_step;
  const size_t lanes = vectors == 2 ? (size_t)VF : t->lanes;
  for (int64_t ky = 0; ky < t->down; ky++)
    for (int64_t kx = 0; kx < t->across; kx++) {
      const float *w = t->weight + (ky * v->taps[1] + kx) * v->filters;
      const float *in = t->in + ky * v->dilation[0] * v->row_step + kx * v->dilation[1] * v->place_step;
      vf weight[2];
      for (int k = 0; k < vectors; k++) weight[k] = lanes == VF ? vf_load(w + k * VF) : vf_load_part(w + k * VF, lanes);
#pragma GCC unroll 8
      for (int i = 0; i < places; i++, in += step) {
        __asm__("" : "+r"(in)); /* one pointer that moves, not as many as there are places */
#pragma GCC unroll 2
        for (int k = 0; k < vectors; k++)
          acc[i * vectors + k] += (lanes == VF ? vf_load(in + k * VF) : vf_load_part(in + k * VF, lanes)) * weight[k];
      }
    }
}

TSM_INLINE void depthwise_places(const tsm_conv *v, const depth_taps *t, int places, int vectors) {
  vf acc[2 * PLACES];
#pragma GCC unroll 2
  for (int k = 0; k < vectors; k++) {
    vf bias = v->end.bias ? vf_load_part(v->end.bias + t->channel + k * VF, t->lanes) : (vf){0};
#pragma GCC unroll 8
    for (int i = 0; i < places; i++) acc[i * vectors + k] = bias;
  }
  depthwise_sums(v, t, acc, places, vectors);
  if (vectors == 2) {
    float *to = v->out + t->place * v->out_step + t->channel;
    end_sums(acc, places, 2, &v->end, v->end.add ? v->end.add + t->place * v->end.add_step + t->channel : NULL);
#pragma GCC unroll 16
    for (int i = 0; i < 2 * places; i++) vf_store(to + i / 2 * v->out_step + i % 2 * VF, acc[i]);
  } else {
    TSM_NAMED(tsm_conv_store)(&v->end, (const float *)acc, 1, v->out, v->out_step, t->place, places, t->channel,
                              (int64_t)t->lanes);
  }
}

#define DEPTHWISE(name, places, vectors)                                                        \
  static __attribute__((noinline)) void name(const tsm_conv *v, const depth_taps *t) {          \
    depthwise_places(v, t, places, vectors);                                                    \
  }
DEPTHWISE(depthwise_many, PLACES, 2)
DEPTHWISE(depthwise_one, 1, 2)
DEPTHWISE(depthwise_part, 1, 1)

/* Taps first .. first + *out_count of a window that starts at `start` lie in [0, size). */
static int64_t taps_inside(int64_t start, int64_t taps, int64_t dilation, int64_t size, int64_t *out_count) {
  int64_t first = start < 0 ? (-start + dilation - 1) / dilation : 0;
  int64_t end = size > start ? (size - start + dilation - 1) / dilation : 0;
  if (end > taps) end = taps;
  *out_count = end > first ? end - first : 0;
  return first;
}

/* Places whose whole window lies inside of the row: [first, last). */
typedef struct inner { int64_t first, last; } inner;

static inner inner_places(const tsm_conv *v) {
  int64_t reach = (v->taps[1] - 1) * v->dilation[1], room = v->size[1] - 1 - reach + v->padding[1];
  inner r = {(v->padding[1] + v->stride[1] - 1) / v->stride[1], room < 0 ? 0 : room / v->stride[1] + 1};
  if (r.last > v->out_size[1]) r.last = v->out_size[1];
  if (r.first > r.last) r.first = r.last;
  return r;
}

static void depthwise_edge(const tsm_conv *v, const float *row, depth_taps t, int64_t x, bool is_part) {
  int64_t left = x * v->stride[1] - v->padding[1];
  int64_t skipped = taps_inside(left, v->taps[1], v->dilation[1], v->size[1], &t.across);
  t.in = row + (left + skipped * v->dilation[1]) * v->place_step;
  t.weight += skipped * v->filters;
  t.place += x;
  if (is_part) depthwise_part(v, &t);
  else depthwise_one(v, &t);
}

/* The last of several go back over some that are done, where that changes nothing. */
static void depthwise_inner(const tsm_conv *v, const float *row, depth_taps t, inner range, bool is_part) {
  int64_t place = t.place, step = v->stride[1] * v->place_step;
  bool is_many = !is_part && range.last - range.first >= PLACES;
  row -= v->padding[1] * v->place_step;
  for (int64_t x = range.first; x < range.last; x += is_many ? PLACES : 1) {
    if (is_many && x + PLACES > range.last) {
      if (v->end.add) is_many = false;
      else x = range.last - PLACES;
    }
    t.in = row + x * step;
    t.place = place + x;
    if (is_part) depthwise_part(v, &t);
    else if (is_many) depthwise_many(v, &t);
    else depthwise_one(v, &t);
  }
}

/* A row of results, for one or two vectors of channels. */
static void depthwise_row(const tsm_conv *v, int64_t row, int64_t channel, inner range, bool is_part) {
  int64_t image = row / v->out_size[0], top = row % v->out_size[0] * v->stride[0] - v->padding[0];
  int64_t left = v->filters - channel;
  depth_taps t = {.across = v->taps[1], .place = row * v->out_size[1], .channel = channel,
                  .lanes = left < VF ? (size_t)left : (size_t)VF};
  int64_t skipped = taps_inside(top, v->taps[0], v->dilation[0], v->size[0], &t.down);
  const float *in = v->in + image * v->image_step + channel + (top + skipped * v->dilation[0]) * v->row_step;
  t.weight = v->weight + skipped * v->taps[1] * v->filters + channel;
  for (int64_t x = 0; x < range.first; x++) depthwise_edge(v, in, t, x, is_part);
  depthwise_inner(v, in, t, range, is_part);
  for (int64_t x = range.last; x < v->out_size[1]; x++) depthwise_edge(v, in, t, x, is_part);
}

/* Channels outside, so that the rows that a window spans stay in the first-level cache. */
static void run_depthwise(const tsm_conv *v, int64_t first, int64_t last) {
  int64_t channel = 0, step = 2 * VF;
  inner range = inner_places(v);
  for (; channel < v->filters; channel += step) {
    if (channel + 2 * VF > v->filters) step = VF;
    for (int64_t row = first; row < last; row++) depthwise_row(v, row, channel, range, step == VF);
  }
  for (int64_t row = first; row < last; row++)
    conv_finish(&v->end, v->out, v->out_step, row * v->out_size[1], v->out_size[1], 0, v->filters);
}

#if CONV_HAS_WINOGRAD
extern const tsm_winograd_set TSM_NAMED(tsm_winograd2), TSM_NAMED(tsm_winograd4);
#define WINOGRAD(name) &TSM_NAMED(name)
#else
#define WINOGRAD(name) NULL
#endif
const tsm_conv_set TSM_NAMED(tsm_conv_set) = {CONV_TILE, CONV_BLOCK, run_direct, run_depthwise,
                                              CONV_FEW, TSM_NAMED(tsm_conv_planes), WINOGRAD(tsm_winograd2),
                                              WINOGRAD(tsm_winograd4)};
