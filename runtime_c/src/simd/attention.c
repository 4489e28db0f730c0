/* attention.c - see attention.h. Lanes of vectors are queries: the block's queries and weights are kept column by column,
 * so both products take elements of key and value one at a time from where they lie, whatever their strides, and maxima
 * and sums run along the lanes. With few queries that would waste lanes: then they are elements of a row instead. */
#include "attention.h"

#include "elementary.h"
#include "transpose.h"

/* Memory-bound loops that the compiler would only make long. */
#if defined(__GNUC__) && !defined(__clang__)
#define SMALL __attribute__((optimize("no-tree-vectorize", "no-unroll-loops"), noinline))
#else
#define SMALL
#endif

/* ROWS x WIDE vectors are summed at once: as many as there are registers for. TILE is a multiple of ROWS. Of what is
 * left, SOME rows hide the latency of the sums, which one row would wait for at each step. */
enum {
  WIDE = 2,
  LANES = WIDE * VF,
  ROWS = TSM_VECTOR_REGISTERS < 32 ? (TSM_VECTOR_BYTES < 32 ? 4 : 6) : (TSM_VECTOR_BYTES < 64 ? 8 : 12),
  SOME = 4,
  TILE = 96,
  FEW = VF / 4
};

/* C[i] = C[i] * shrink + sum over p of A[i][p] * B[p], for ROWS or fewer rows of `wide` vectors; shrink NULL: C starts
 * from 0. Rows of B and C are LANES apart. */
typedef struct factor { const float *data; int64_t row, column; } factor;

TSM_INLINE void product_rows(size_t rows, size_t wide, int64_t depth, factor a, const float *b, float *c,
                             const float *shrink) {
  vf sum[ROWS][WIDE];
  TSM_UNROLL(12)
  for (size_t i = 0; i < rows; i++)
    TSM_UNROLL(2)
    for (size_t w = 0; w < wide; w++) {
      sum[i][w] = vf_set1(0);
      if (shrink) sum[i][w] = vf_load(c + i * LANES + w * VF) * vf_load(shrink + w * VF);
    }
  for (int64_t p = 0; p < depth; p++, b += LANES) {
    const float *from = a.data + p * a.column;
    vf right[WIDE];
    TSM_UNROLL(2)
    for (size_t w = 0; w < wide; w++) right[w] = vf_load(b + w * VF);
    TSM_UNROLL(12)
    for (size_t i = 0; i < rows; i++) {
      vf left = vf_set1(from[(int64_t)i * a.row]);
      TSM_UNROLL(2)
      for (size_t w = 0; w < wide; w++) sum[i][w] += left * right[w];
    }
  }
  TSM_UNROLL(12)
  for (size_t i = 0; i < rows; i++)
    TSM_UNROLL(2)
    for (size_t w = 0; w < wide; w++) vf_store(c + i * LANES + w * VF, sum[i][w]);
}

TSM_INLINE void product_of(size_t wide, int64_t rows, int64_t depth, factor a, const float *b, float *c,
                           const float *shrink) {
  for (; rows >= ROWS; rows -= ROWS, a.data += ROWS * a.row, c += ROWS * LANES)
    product_rows(ROWS, wide, depth, a, b, c, shrink);
  for (; rows >= SOME; rows -= SOME, a.data += SOME * a.row, c += SOME * LANES)
    product_rows(SOME, wide, depth, a, b, c, shrink);
  for (; rows > 0; rows--, a.data += a.row, c += LANES) product_rows(1, wide, depth, a, b, c, shrink);
}
static void product_1(int64_t rows, int64_t depth, factor a, const float *b, float *c, const float *shrink) {
  product_of(1, rows, depth, a, b, c, shrink);
}
static void product_2(int64_t rows, int64_t depth, factor a, const float *b, float *c, const float *shrink) {
  product_of(2, rows, depth, a, b, c, shrink);
}

/* The running softmax of a block: for every lane the largest score, the sum of weights, and what older sums are
 * multiplied by for the present tile; then the sums over values, the weights and the queries, column by column. */
typedef struct state { float largest[LANES], total[LANES], shrink[LANES], weights[TILE * LANES], addend[TILE * LANES]; } state;

static float addend_of(const tsm_attention_block *b, int64_t row, int64_t key) {
  int64_t at = row * b->mask_row + key * b->mask_column;
  if (b->mask_is_bool) return ((const uint8_t *)b->mask)[at] ? 0 : -INFINITY;
  return ((const float *)b->mask)[at];
}

/* A row's part of the mask down one lane. */
SMALL static void spread_mask_row(const tsm_attention_block *b, int64_t row, int64_t first, int64_t count, float *lane) {
  int64_t at = row * b->mask_row + first * b->mask_column, step = b->mask_column;
  if (b->mask_is_bool) {
    const uint8_t *from = (const uint8_t *)b->mask + at;
    for (int64_t j = 0; j < count; j++) lane[j * LANES] = from[j * step] ? 0 : -INFINITY;
  } else {
    const float *from = (const float *)b->mask + at;
    for (int64_t j = 0; j < count; j++) lane[j * LANES] = from[j * step];
  }
}

/* Adds the mask to the scores of the keys [first, first + count). */
SMALL static void add_mask(const tsm_attention_block *b, state *s, size_t wide, int64_t first, int64_t count) {
  if (b->mask_row == 0) {
    for (int64_t j = 0; j < count; j++) {
      vf add = vf_set1(addend_of(b, 0, first + j));
      for (size_t w = 0; w < wide; w++)
        vf_store(s->weights + j * LANES + w * VF, vf_load(s->weights + j * LANES + w * VF) + add);
    }
    return;
  }
  for (int64_t i = 0; i < b->rows; i++) spread_mask_row(b, i, first, count, s->addend + i);
  for (int64_t j = 0; j < count; j++)
    for (size_t w = 0; w < wide; w++) {
      float *at = s->weights + j * LANES + w * VF;
      vf_store(at, vf_load(at) + vf_load(s->addend + j * LANES + w * VF));
    }
}

SMALL static void hide_future(const tsm_attention_block *b, state *s, int64_t first, int64_t count) {
  for (int64_t j = 0; j < count; j++)
    for (int64_t i = 0; i < b->rows && b->first + i < first + j; i++) s->weights[j * LANES + i] = -INFINITY;
}

/* Scores become weights relative to the largest so far. A lane without any finite score keeps 0 as its base. */
static void weigh(state *s, size_t wide, int64_t count) {
  for (size_t w = 0; w < wide; w++) {
    float *weights = s->weights + w * VF;
    vf before = vf_load(s->largest + w * VF), most = before, total = {0};
    for (int64_t j = 0; j < count; j++) most = vf_max(vf_load(weights + j * LANES), most);
    vf base = vf_blend(vf_eq(most, vf_set1(-INFINITY)), vf_set1(0), most);
    for (int64_t j = 0; j < count; j++) {
      vf weight = vf_exp_of_negative(vf_load(weights + j * LANES) - base);
      vf_store(weights + j * LANES, weight);
      total += weight;
    }
    vf shrink = vf_exp_of_negative(before - base);
    vf_store(s->largest + w * VF, most);
    vf_store(s->shrink + w * VF, shrink);
    vf_store(s->total + w * VF, vf_load(s->total + w * VF) * shrink + total);
  }
}

static size_t padded(int64_t count) { return (size_t)(count + VF - 1) / VF * VF; }

static size_t scratch(int64_t depth, int64_t width) {
  const uint64_t bytes = sizeof(state) + ((uint64_t)padded(depth) + padded(width)) * LANES * sizeof(float);
  return bytes < SIZE_MAX / 2 ? (size_t)bytes : SIZE_MAX / 2;
}

SMALL static void read_query(const tsm_attention_block *b, int64_t row, float *query) {
  for (int64_t e = 0; e < b->depth; e++) query[e] = b->query[row * b->query_row + e * b->query_column] * b->scale;
}

/* Scaled, column by column; 0 in lanes without a query. */
static void read_queries(const tsm_attention_block *b, float *queries) {
  const vf scale = vf_set1(b->scale);
  if (b->rows < LANES) memset(queries, 0, (size_t)b->depth * LANES * sizeof(float));
  if (b->query_column == 1) {
    TSM_NAMED(tsm_transpose).by4(queries, LANES * sizeof(float), b->query, (ptrdiff_t)b->query_row * (ptrdiff_t)sizeof(float),
                                 (size_t)b->rows, (size_t)b->depth);
  } else {
    for (int64_t i = 0; i < b->rows; i++)
      for (int64_t e = 0; e < b->depth; e++) queries[e * LANES + i] = b->query[i * b->query_row + e * b->query_column];
  }
  for (int64_t i = 0; i < b->depth * LANES; i += VF) vf_store(queries + i, vf_load(queries + i) * scale);
}

/* The sums over their totals, lane by lane; 0 when no key was seen. */
static void write_lanes(const tsm_attention_block *b, const state *s, float *sums, size_t wide) {
  for (size_t w = 0; w < wide; w++) {
    const vf total = vf_load(s->total + w * VF), zero = vf_set1(0), inverse = 1 / total;
    for (int64_t d = 0; d < b->width; d++) {
      float *at = sums + d * LANES + w * VF;
      vf_store(at, vf_blend(vf_eq(total, zero), zero, vf_load(at) * inverse));
    }
  }
  TSM_NAMED(tsm_transpose).by4(b->out, (ptrdiff_t)b->width * (ptrdiff_t)sizeof(float), sums, LANES * sizeof(float),
                               (size_t)b->width, (size_t)b->rows);
}

static void run(const tsm_attention_block *b, float *room) {
  state *s = (state *)(void *)room;
  float *sums = (float *)(void *)(s + 1), *queries = sums + padded(b->width) * LANES;
  size_t wide = b->rows > VF ? 2 : 1;
  for (size_t i = 0; i < LANES; i++) {
    s->largest[i] = -INFINITY;
    s->total[i] = 0;
  }
  memset(sums, 0, (size_t)b->width * LANES * sizeof(float));
  if (b->mask && b->rows < LANES) memset(s->addend, 0, sizeof s->addend);
  read_queries(b, queries);
  int64_t keys = b->is_causal && b->first + b->rows < b->keys ? b->first + b->rows : b->keys;
  for (int64_t j = 0; j < keys; j += TILE) {
    int64_t count = keys - j < TILE ? keys - j : TILE;
    factor key = {b->key + j * b->key_row, b->key_row, b->key_column};
    factor value = {b->value + j * b->value_row, b->value_column, b->value_row};
    (wide == 2 ? product_2 : product_1)(count, b->depth, key, queries, s->weights, NULL);
    if (b->mask) add_mask(b, s, wide, j, count);
    if (b->is_causal && j + count - 1 > b->first) hide_future(b, s, j, count);
    weigh(s, wide, count);
    (wide == 2 ? product_2 : product_1)(b->width, count, value, s->weights, sums, s->shrink);
  }
  write_lanes(b, s, sums, wide);
}

/* ---- Few rows: lanes are elements of a key or value row. */

/* Dot products of one query with `count` keys, and 0s up to a whole vector. */
static void score_keys(const tsm_attention_block *b, const float *query, int64_t first, int64_t count, float *scores) {
  int64_t whole = b->depth / VF * VF;
  for (int64_t j = 0; j < count; j++) {
    const float *key = b->key + (first + j) * b->key_row;
    vf sum = {0}, other = {0};
    int64_t e = 0;
    for (; e + 2 * VF <= whole; e += 2 * VF) {
      sum += vf_load(query + e) * vf_load(key + e);
      other += vf_load(query + e + VF) * vf_load(key + e + VF);
    }
    if (e < whole) {
      sum += vf_load(query + e) * vf_load(key + e);
      e += VF;
    }
    if (e < b->depth) other += vf_load_part(query + e, (size_t)(b->depth - e)) * vf_load_part(key + e, (size_t)(b->depth - e));
    scores[j] = vf_sum(sum + other);
  }
}

/* Weights of `count` scores in place; returns what older sums are multiplied by. */
static float weigh_row(float *scores, int64_t count, float *largest, float *total) {
  size_t whole = padded(count);
  for (size_t j = (size_t)count; j < whole; j++) scores[j] = -INFINITY;
  vf most = vf_set1(*largest), sum = {0};
  for (size_t j = 0; j < whole; j += VF) most = vf_max(vf_load(scores + j), most);
  float before = *largest;
  for (size_t i = 0; i < VF; i++)
    if (most[i] > *largest) *largest = most[i];
  float base = *largest == -INFINITY ? 0 : *largest;
  for (size_t j = 0; j < whole; j += VF) {
    vf weight = vf_exp_of_negative(vf_load(scores + j) - base);
    vf_store(scores + j, weight);
    sum += weight;
  }
  float shrink = vf_exp_of_negative(vf_set1(before - base))[0];
  *total = *total * shrink + vf_sum(sum);
  return shrink;
}

/* sums = sums * shrink + weights @ value, four vectors of columns at a time. */
static void add_values(const tsm_attention_block *b, const float *weights, int64_t first, int64_t count, float shrink,
                       float *sums) {
  const float *value = b->value + first * b->value_row;
  int64_t d = 0;
  for (; d + 4 * VF <= b->width; d += 4 * VF) {
    vf a0 = vf_load(sums + d) * shrink, a1 = vf_load(sums + d + VF) * shrink;
    vf a2 = vf_load(sums + d + 2 * VF) * shrink, a3 = vf_load(sums + d + 3 * VF) * shrink;
    const float *from = value + d;
    for (int64_t j = 0; j < count; j++, from += b->value_row) {
      vf weight = vf_set1(weights[j]);
      a0 += weight * vf_load(from);
      a1 += weight * vf_load(from + VF);
      a2 += weight * vf_load(from + 2 * VF);
      a3 += weight * vf_load(from + 3 * VF);
    }
    vf_store(sums + d, a0);
    vf_store(sums + d + VF, a1);
    vf_store(sums + d + 2 * VF, a2);
    vf_store(sums + d + 3 * VF, a3);
  }
  for (; d < b->width; d += VF) {
    size_t part = b->width - d < VF ? (size_t)(b->width - d) : VF;
    vf sum = vf_load(sums + d) * shrink;
    for (int64_t j = 0; j < count; j++) sum += weights[j] * vf_load_part(value + j * b->value_row + d, part);
    vf_store(sums + d, sum);
  }
}

/* The sums of one row over its total; 0 when no key was seen. */
static void write_row(const tsm_attention_block *b, int64_t row, const float *sums, float total) {
  const float inverse = 1 / total;
  for (int64_t d = 0; d < b->width; d++) b->out[row * b->width + d] = total == 0 ? 0 : sums[d] * inverse;
}

static void run_few(const tsm_attention_block *b, float *room) {
  state *s = (state *)(void *)room;
  float *sums = (float *)(void *)(s + 1), *query = sums + padded(b->width), *scores = s->weights;
  for (int64_t i = 0; i < b->rows; i++) {
    float largest = -INFINITY, total = 0;
    memset(sums, 0, padded(b->width) * sizeof(float));
    read_query(b, i, query);
    int64_t keys = b->is_causal && b->first + i + 1 < b->keys ? b->first + i + 1 : b->keys;
    for (int64_t j = 0; j < keys; j += TILE) {
      int64_t count = keys - j < TILE ? keys - j : TILE;
      score_keys(b, query, j, count, scores);
      if (b->mask)
        for (int64_t k = 0; k < count; k++) scores[k] += addend_of(b, i, j + k);
      add_values(b, scores, j, count, weigh_row(scores, count, &largest, &total), sums);
    }
    write_row(b, i, sums, total);
  }
}

const tsm_attention_set TSM_NAMED(tsm_attention_set) = {LANES, FEW, scratch, run, run_few};
