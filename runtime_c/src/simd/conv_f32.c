/* conv_f32.c - direct convolution: a tile of places times a block of filters in registers. See conv.h.
 * In: a table of addresses, one a tap and place of the tile. Out: the tile, with its epilogue.
 * Holds: taps and channels are added up in one order for every place; the last places of a range repeat the last one,
 * and what they give is not stored. */
#include "conv_tile.h"
#include "transpose.h"

enum { GROUP = TSM_CONV_GROUP, NEAR_AHEAD = 1024 };

/* PLACES rows of VECTORS vectors. */
#define CONV_KERNEL(name, PLACES, VECTORS)                                                         \
  static __attribute__((noinline)) void name(const conv_tile *t, const vf *bias, const tsm_conv_epilogue *end, \
                                             const float *add, float *to, int64_t step) {          \
    vf acc[PLACES * VECTORS];                                                                      \
    const uintptr_t *rows = t->rows;                                                               \
    const float *w = t->weight;                                                                    \
    const char *ahead = t->ahead;                                                                  \
    const int64_t ahead_step = t->ahead_step;                                                      \
    TSM_UNROLL(16) for (int i = 0; i < PLACES; i++)                                                \
      TSM_UNROLL(2) for (int k = 0; k < VECTORS; k++) acc[i * VECTORS + k] = bias[k];              \
    for (int64_t s = 0; s < t->segments; s++, rows += CONV_TILE) {                                 \
      const float *in[PLACES];                                                                     \
      TSM_UNROLL(16) for (int i = 0; i < PLACES; i++) in[i] = (const float *)rows[i];              \
      for (int64_t c = 0; c < t->run; c++, w += VECTORS * VF) {                                    \
        vf weight[VECTORS];                                                                        \
        TSM_UNROLL(2) for (int k = 0; k < VECTORS; k++) weight[k] = vf_load(w + k * VF);           \
        __builtin_prefetch(ahead, 0, 2);                                                           \
        ahead += ahead_step;                                                                       \
        for (int i = 0; i < VECTORS * TSM_VB; i += 64) __builtin_prefetch((const char *)w + NEAR_AHEAD + i); \
        TSM_UNROLL(16) for (int i = 0; i < PLACES; i++) {                                          \
          vf x = vf_set1(in[i][c]);                                                                \
          TSM_UNROLL(2) for (int k = 0; k < VECTORS; k++) acc[i * VECTORS + k] += x * weight[k];           \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
    if (end) conv_end_sums(acc, PLACES, VECTORS, end, add);                                        \
    TSM_UNROLL(16) for (int i = 0; i < PLACES; i++)                                                \
      TSM_UNROLL(2) for (int k = 0; k < VECTORS; k++)                                              \
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

/* Where the places of a tile go: they follow each other up to the end of a row. */
static void store_spread(const tsm_conv *v, const conv_tile *t, const float *sums, int64_t vectors, int64_t filters) {
  for (int64_t at = 0, count; at < t->count; at += count) {
    const int64_t place = t->first + at, x = place % v->out_size[1], row = place / v->out_size[1];
    const int64_t y = row % v->out_size[0], plane = row / v->out_size[0];
    const int64_t z = plane % v->out_size[2], image = plane / v->out_size[2];
    float *to = v->out + image * v->out_image + z * v->out_plane + y * v->out_row + x * v->out_step;
    count = v->out_size[1] - x < t->count - at ? v->out_size[1] - x : t->count - at;
    TSM_NAMED(tsm_conv_store)(&v->end, sums + at * vectors * VF, vectors, to, v->out_step, 0, count,
                              t->filter, filters);
  }
}

static void run_tile(const tsm_conv *v, const conv_tile *t) {
  const tsm_conv_epilogue *end = &v->end;
  vf sums[CONV_TILE * 2], bias[2] = {{0}, {0}};
  int64_t vectors = t->filters > VF ? 2 : 1, filters = t->filters < CONV_BLOCK ? t->filters : CONV_BLOCK;
  for (int64_t k = 0; end->bias && k < filters; k += VF)
    bias[k / VF] = vf_load_part(end->bias + t->filter + k, filters - k < VF ? (size_t)(filters - k) : (size_t)VF);
  if (t->count == CONV_TILE && filters == vectors * VF && !v->is_spread) {
    const float *add = end->add ? end->add + t->first * end->add_step + t->filter : NULL;
    TSM_NAMED(tsm_conv_kernel)(t, bias, end, add, t->out + t->first * t->out_step + t->filter, t->out_step);
  } else {
    TSM_NAMED(tsm_conv_kernel)(t, bias, NULL, NULL, (float *)sums, vectors * VF);
    if (v->is_spread) store_spread(v, t, (const float *)sums, vectors, filters);
    else
      TSM_NAMED(tsm_conv_store)(end, (const float *)sums, vectors, t->out, t->out_step, t->first, t->count, t->filter,
                                filters);
  }
  conv_finish(end, t->out, t->out_step, t->first, t->count, t->filter, filters);
}

/* Where the place number `at` of a range starts: the corner of its window, and that in memory. */
typedef struct corner { int64_t base, at[3]; } corner; /* y, x, z */

static void find_corners(const tsm_conv *v, int64_t first, int64_t count, corner *out) {
  int64_t row = first / v->out_size[1], x = first % v->out_size[1], y = row % v->out_size[0];
  int64_t plane = row / v->out_size[0], z = plane % v->out_size[2], image = plane / v->out_size[2];
  for (int64_t i = 0; i < count; i++) {
    out[i].at[0] = y * v->stride[0] - v->padding[0];
    out[i].at[1] = x * v->stride[1] - v->padding[1];
    out[i].at[2] = z * v->stride[2] - v->padding[2];
    out[i].base = image * v->image_step + out[i].at[2] * v->plane_step + out[i].at[0] * v->row_step +
                  out[i].at[1] * v->place_step;
    if (++x < v->out_size[1]) continue;
    x = 0;
    if (++y < v->out_size[0]) continue;
    y = 0;
    if (++z < v->out_size[2]) continue;
    z = 0;
    image++;
  }
}

/* Whether some window reaches beyond the input. */
static bool has_edges(const tsm_conv *v) {
  for (int d = 0; d < 3; d++)
    if (v->padding[d] > 0 ||
        (v->out_size[d] - 1) * v->stride[d] + (v->taps[d] - 1) * v->dilation[d] - v->padding[d] >= v->size[d])
      return true;
  return false;
}

/* Addresses for one tile: [tap][place]. */
static void fill_rows(const tsm_conv *v, bool is_edged, const corner *corners, int64_t count, uintptr_t *rows) {
  uintptr_t zeros = (uintptr_t)v->zeros, in[CONV_TILE];
  int64_t y[CONV_TILE], x[CONV_TILE], z[CONV_TILE];
  for (int64_t i = 0; i < CONV_TILE; i++) {
    const corner *c = &corners[i < count ? i : count - 1];
    in[i] = (uintptr_t)v->in + (uintptr_t)c->base * sizeof(float);
    y[i] = c->at[0];
    x[i] = c->at[1];
    z[i] = c->at[2];
  }
  for (int64_t kz = 0; kz < v->taps[2]; kz++)
    for (int64_t ky = 0; ky < v->taps[0]; ky++)
      for (int64_t kx = 0; kx < v->taps[1]; kx++, rows += CONV_TILE) {
        int64_t down = ky * v->dilation[0], right = kx * v->dilation[1], deep = kz * v->dilation[2];
        uintptr_t shift = (uintptr_t)(deep * v->plane_step + down * v->row_step + right * v->place_step) * sizeof(float);
        for (int64_t i = 0; i < CONV_TILE; i++) rows[i] = in[i] + shift;
        if (!is_edged) continue;
        for (int64_t i = 0; i < CONV_TILE; i++) {
          bool has_plane = (uint64_t)(z[i] + deep) < (uint64_t)v->size[2];
          bool has_row = (uint64_t)(y[i] + down) < (uint64_t)v->size[0];
          bool has_place = (uint64_t)(x[i] + right) < (uint64_t)v->size[1];
          rows[i] = (has_plane & has_row & has_place) ? rows[i] : zeros;
        }
      }
}

/* Whether results are one product of two matrices: place by place, the input's places follow each other. */
static bool is_product(const tsm_conv *v) {
  for (int d = 0; d < 3; d++)
    if (v->taps[d] != 1 || v->stride[d] != 1 || v->padding[d] || v->size[d] != v->out_size[d]) return false;
  /* sizes differ where a run is a row of the kernel */
  return (v->size[0] == 1 || v->row_step == v->size[1] * v->place_step) &&
         (v->size[2] == 1 || v->plane_step == v->size[0] * v->size[1] * v->place_step) &&
         v->image_step == v->size[0] * v->size[1] * v->size[2] * v->place_step;
}

static void fill_product_rows(const tsm_conv *v, int64_t first, int64_t count, uintptr_t *rows) {
  for (int64_t i = 0; i < (count + CONV_TILE - 1) / CONV_TILE * CONV_TILE; i++)
    rows[i] = (uintptr_t)(v->in + (first + (i < count ? i : count - 1)) * v->place_step);
}

static void fill_group(const tsm_conv *v, int64_t first, int64_t count, uintptr_t *rows) {
  corner corners[GROUP * CONV_TILE];
  const bool is_edged = has_edges(v);
  find_corners(v, first, count, corners);
  for (int64_t at = 0; at < count; at += CONV_TILE)
    fill_rows(v, is_edged, corners + at, count - at, rows + at * v->taps[0] * v->taps[1] * v->taps[2]);
}

static void run_group(const tsm_conv *v, int64_t first, int64_t count, int64_t first_block, int64_t last_block,
                      uintptr_t *rows) {
  const int64_t taps = v->taps[0] * v->taps[1] * v->taps[2], depth = taps * v->run;
  const int64_t blocks = (v->filters + CONV_BLOCK - 1) / CONV_BLOCK;
  if (is_product(v)) fill_product_rows(v, first, count, rows);
  else fill_group(v, first, count, rows);
  for (int64_t block = first_block; block < last_block; block++)
    for (int64_t at = 0; at < count; at += CONV_TILE) {
      const float *weight = v->weight + block * CONV_BLOCK * depth;
      conv_tile t = {rows + at * taps, taps, v->run, weight, v->out, v->out_step,
                     first + at, count - at < CONV_TILE ? count - at : CONV_TILE, block * CONV_BLOCK,
                     v->filters - block * CONV_BLOCK, (const char *)weight, 0};
      if (depth && block + 1 < blocks) conv_ask(&t, at / CONV_TILE, (count + CONV_TILE - 1) / CONV_TILE);
      run_tile(v, &t);
    }
}

static void run_direct(const tsm_conv *v, int64_t first, int64_t last, int64_t first_block, int64_t last_block,
                       uintptr_t *rows) {
  for (int64_t step = GROUP * CONV_TILE; first < last; first += step)
    run_group(v, first, last - first < step ? last - first : step, first_block, last_block, rows);
}

/* The filters turned a part at a time, whose rows then go where they belong. */
static void pack(float *packed, int64_t width, const float *from, int64_t count, int64_t channels, int64_t taps) {
  enum { PART = 64 };
  const int64_t depth = channels * taps;
  float part[PART * CONV_BLOCK];
  memset(part, 0, sizeof part);
  for (int64_t first = 0; first < depth; first += PART) {
    const int64_t rows = depth - first < PART ? depth - first : PART;
    TSM_NAMED(tsm_transpose).by4(part, (ptrdiff_t)width * (ptrdiff_t)sizeof(float), from + first, (ptrdiff_t)depth * (ptrdiff_t)sizeof(float),
                                 (size_t)count, (size_t)rows);
    for (int64_t i = 0; i < rows; i++) {
      const int64_t channel = (first + i) / taps, tap = (first + i) % taps;
      memcpy(packed + (tap * channels + channel) * width, part + i * width, (size_t)width * sizeof *packed);
    }
  }
}

#if CONV_HAS_WINOGRAD
extern const tsm_winograd_set TSM_NAMED(tsm_winograd2), TSM_NAMED(tsm_winograd4);
#define WINOGRAD(name) &TSM_NAMED(name)
#else
#define WINOGRAD(name) NULL
#endif
const tsm_conv_set TSM_NAMED(tsm_conv_set) = {CONV_TILE, CONV_BLOCK, run_direct, pack, TSM_NAMED(tsm_conv_depthwise),
                                              CONV_FEW, TSM_NAMED(tsm_conv_planes), WINOGRAD(tsm_winograd2),
                                              WINOGRAD(tsm_winograd4)};
