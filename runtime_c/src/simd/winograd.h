/* winograd.h - one size of Winograd's algorithm: included by winograd_2.c and winograd_4.c, which define TILE, the
 * transforms of a line (in, out, weight) and the table's name.
 * In: see tsm_winograd_set in conv.h. Out: TSM_NAMED(NAME).
 * Holds: products lie [point][tile][channel or filter], each point a matrix product of its own; the distance between
 * points is odd in cache lines, so that they do not fall on the same cache sets. */
#include "conv_tile.h"

#if CONV_HAS_WINOGRAD

enum { SIDE = TILE + 2, POINTS = SIDE * SIDE, PAD = 16 };

static int64_t rounded(int64_t count) { return (count + CONV_TILE - 1) / CONV_TILE * CONV_TILE; }
static int64_t point_step(int64_t count, int64_t width) { return (rounded(count) * width / PAD | 1) * PAD; }

static int64_t scratch_floats(const tsm_conv *v, int64_t count) {
  return POINTS * (point_step(count, v->run) + point_step(count, v->filters));
}

/* ---- Weights */

/* Floats from one point's packed matrix to the next. */
static int64_t matrix_step(int64_t filters, int64_t channels) {
  return ((filters + VF - 1) / VF * VF * channels / PAD | 1) * PAD;
}

typedef float vd_floats __attribute__((vector_size(TSM_VB / 2), aligned(4), may_alias));
TSM_INLINE void vd_store_floats(float *to, vd x) { *(vd_floats *)to = __builtin_convertvector(x, vd_floats); }

/* One channel of VD filters, to `made` [point][CONV_BLOCK]. */
static void pack_vector(float *made, const float *from, int64_t filter_step, int64_t count) {
  double g[9][VD];
  vd half[SIDE][3];
  TSM_ROLLED
  for (int64_t k = 0; k < VD; k++)
    for (int j = 0; j < 9; j++) g[j][k] = k < count ? (double)from[k * filter_step + j] : 0;
  TSM_ROLLED
  for (int x = 0; x < 3; x++) {
    vd line[SIDE];
    weight_line(vd_load(g[x]), vd_load(g[3 + x]), vd_load(g[6 + x]), line);
    for (int i = 0; i < SIDE; i++) half[i][x] = line[i];
  }
  TSM_ROLLED
  for (int i = 0; i < SIDE; i++) {
    vd line[SIDE];
    weight_line(half[i][0], half[i][1], half[i][2], line);
    for (int j = 0; j < SIDE; j++) vd_store_floats(made + (i * SIDE + j) * CONV_BLOCK, line[j]);
  }
}

static void pack(float *packed, int64_t filters, int64_t channels, int64_t first, const float *from) {
  int64_t width = filters - first > VF ? CONV_BLOCK : VF, step = matrix_step(filters, channels);
  float made[POINTS * CONV_BLOCK];
  packed += first * channels;
  for (int64_t c = 0; c < channels; c++) {
    for (int64_t k = 0; k < width; k += VD)
      pack_vector(made + k, from + ((first + k) * channels + c) * 9, channels * 9, filters - first - k);
    for (int64_t point = 0; point < POINTS; point++)
      memcpy(packed + point * step + c * width, made + point * CONV_BLOCK, (size_t)width * sizeof *made);
  }
}

/* ---- Tiles */

typedef struct tile_place { int64_t image, y, x; } tile_place;

static tile_place place_of(const tsm_conv *v, int64_t tile) {
  int64_t down = (v->out_size[0] + TILE - 1) / TILE, across = (v->out_size[1] + TILE - 1) / TILE;
  return (tile_place){tile / (down * across), tile / across % down * TILE, tile % across * TILE};
}

static void transform_in(const tsm_conv *v, tile_place p, float *to, int64_t step) {
  const float *from[SIDE][SIDE];
  const float *image = v->in + p.image * v->image_step;
  for (int64_t i = 0; i < SIDE; i++)
    for (int64_t j = 0; j < SIDE; j++) {
      int64_t y = p.y - v->padding[0] + i, x = p.x - v->padding[1] + j;
      bool is_inside = y >= 0 && y < v->size[0] && x >= 0 && x < v->size[1];
      from[i][j] = is_inside ? image + y * v->row_step + x * v->place_step : v->zeros;
    }
  for (int64_t c = 0; c < v->run; c += VF) {
    vf half[SIDE][SIDE], line[SIDE], made[SIDE];
    TSM_ROLLED
    for (int j = 0; j < SIDE; j++) {
      for (int i = 0; i < SIDE; i++) line[i] = vf_load(from[i][j] + c);
      in_line(line, made);
      for (int i = 0; i < SIDE; i++) half[i][j] = made[i];
    }
    TSM_ROLLED
    for (int i = 0; i < SIDE; i++) {
      in_line(half[i], made);
      for (int j = 0; j < SIDE; j++) vf_store(to + (i * SIDE + j) * step + c, made[j]);
    }
  }
}

/* Stores a row of results; NaN in the result when one is not finite. */
static vf store_row(const tsm_conv *v, const vf *row, int64_t place, int64_t count, int64_t filter) {
  vf bias = v->end.bias ? vf_load(v->end.bias + filter) : (vf){0}, check = {0};
  for (int64_t j = 0; j < count; j++) {
    vf sum = row[j] + bias;
    if (v->end.add) sum += vf_load(v->end.add + (place + j) * v->end.add_step + filter);
    check += sum * vf_set1(0);
    if (v->end.clamps) sum = conv_clamp(sum, vf_set1(v->end.low), vf_set1(v->end.high));
    vf_store(v->out + (place + j) * v->out_step + filter, sum);
  }
  return check;
}

static bool transform_out(const tsm_conv *v, tile_place p, const float *from, int64_t step) {
  int64_t down = v->out_size[0] - p.y < TILE ? v->out_size[0] - p.y : TILE;
  int64_t across = v->out_size[1] - p.x < TILE ? v->out_size[1] - p.x : TILE;
  int64_t first = (p.image * v->out_size[0] + p.y) * v->out_size[1] + p.x;
  vf check = {0};
  for (int64_t k = 0; k < v->filters; k += VF) {
    vf half[TILE][SIDE], line[SIDE], made[TILE];
    TSM_ROLLED
    for (int j = 0; j < SIDE; j++) {
      for (int i = 0; i < SIDE; i++) line[i] = vf_load(from + (i * SIDE + j) * step + k);
      out_line(line, made);
      for (int i = 0; i < TILE; i++) half[i][j] = made[i];
    }
    for (int64_t i = 0; i < down; i++) {
      out_line(half[i], made);
      check += store_row(v, made, first + i * v->out_size[1], across, k);
    }
  }
  for (int64_t i = 0; i < down; i++)
    conv_finish(&v->end, v->out, v->out_step, first + i * v->out_size[1], across, 0, v->filters);
  return vf_sum(check) == 0;
}

/* For each point a product (tiles x channels) times (channels x filters). */
static void multiply(const tsm_conv *v, const float *from, float *to, int64_t count) {
  int64_t from_step = point_step(count, v->run), to_step = point_step(count, v->filters);
  int64_t matrix = matrix_step(v->filters, v->run);
  vf none[2] = {{0}, {0}};
  for (int64_t point = 0; point < POINTS; point++, from += from_step, to += to_step)
    for (int64_t filter = 0; filter < v->filters; filter += CONV_BLOCK)
      for (int64_t at = 0; at < count; at += CONV_TILE) {
        uintptr_t rows[CONV_TILE];
        for (int64_t i = 0; i < CONV_TILE; i++) rows[i] = (uintptr_t)(from + (at + i) * v->run);
        const float *weight = v->weight + point * matrix + filter * v->run;
        conv_tile t = {rows, 1, v->run, weight, to, v->filters, at, count - at, filter, v->filters - filter,
                       (const char *)weight, 0};
        conv_ask(&t, at / CONV_TILE, (count + CONV_TILE - 1) / CONV_TILE);
        TSM_NAMED(tsm_conv_kernel)(&t, none, NULL, NULL, to + at * v->filters + filter, v->filters);
      }
}

static bool run(const tsm_conv *v, int64_t first, int64_t last, float *scratch) {
  int64_t count = last - first, in_step = point_step(count, v->run), out_step = point_step(count, v->filters);
  float *products = scratch + POINTS * in_step;
  bool is_finite = true;
  for (int64_t i = 0; i < count; i++) transform_in(v, place_of(v, first + i), scratch + i * v->run, in_step);
  for (int64_t i = count; i < rounded(count); i++) /* rows that are computed in vain */
    for (int64_t point = 0; point < POINTS; point++)
      memset(scratch + point * in_step + i * v->run, 0, (size_t)v->run * sizeof(float));
  multiply(v, scratch, products, count);
  for (int64_t i = 0; i < count; i++)
    is_finite &= transform_out(v, place_of(v, first + i), products + i * v->filters, out_step);
  return is_finite;
}

static int64_t packed_floats(int64_t filters, int64_t channels) { return POINTS * matrix_step(filters, channels); }

const tsm_winograd_set TSM_NAMED(NAME) = {TILE, POINTS, scratch_floats, packed_floats, pack, run};
#endif
