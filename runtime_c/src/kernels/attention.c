/* attention.c - scaled_dot_product_attention: softmax(query @ key.T * scale + mask) @ value without the score matrix.
 * In: operands of any strides (attention.h). Out: a contiguous result.
 * Holds: a row whose keys are all masked gives 0. float32 runs in
 * simd/attention.c, block by block of queries; float64 and operands of enormous extents row by row here. */
#include "attention.h"

#include <math.h>

#include "base/pool.h"
#include "kernels.h"
#include "simd/attention.h"

enum { TILE = 64, PART = 1 << 16 };
static const double NS_PER_PRODUCT = 0.015;

static double element(const char *data, uint8_t dtype, int64_t at) {
  return dtype == TSM_F32 ? (double)((const float *)(const void *)data)[at] : ((const double *)(const void *)data)[at];
}

typedef struct row_job {
  const tsm_attention *a;
  uint8_t dtype;
  const char *q, *k, *v, *mask; /* q and mask: of this row */
  double *sums, total, most;
} row_job;

/* Charges for its work, a part at a time: a depth may be 2^60 of one element. */
static tsm_status score_of(tsm_opcall *c, const row_job *r, int64_t key, double *out) {
  const tsm_attention *a = r->a;
  double score = 0;
  for (int64_t done = 0; done < a->depth; done += PART) {
    int64_t end = a->depth - done < PART ? a->depth : done + PART;
    tsm_status status = tsm_charge_elements(c->ctx, end - done);
    if (status) return status;
    for (int64_t e = done; e < end; e++)
      score += element(r->q, r->dtype, e * a->query.column) *
               element(r->k, r->dtype, key * a->key.row + e * a->key.column);
  }
  score *= a->scale;
  int64_t at = key * a->mask.column;
  if (r->mask && a->mask.tensor->dtype == TSM_BOOL8) score += r->mask[at] ? 0 : -HUGE_VAL;
  else if (r->mask) score += element(r->mask, a->mask.tensor->dtype, at);
  *out = score;
  return TSM_OK;
}

/* Adds the keys [begin, end) to the running softmax of a row. */
static tsm_status add_keys(tsm_opcall *c, row_job *r, int64_t begin, int64_t end) {
  const tsm_attention *a = r->a;
  double scores[TILE], most = r->most;
  for (int64_t j = begin; j < end; j++) {
    tsm_status status = score_of(c, r, j, &scores[j - begin]);
    if (status) return status;
    if (scores[j - begin] > most) most = scores[j - begin];
  }
  double base = most == -HUGE_VAL ? 0 : most, shrink = exp(r->most - base);
  r->most = most;
  r->total *= shrink;
  for (int64_t d = 0; d < a->width; d++) r->sums[d] *= shrink;
  for (int64_t j = begin; j < end; j++) {
    double weight = exp(scores[j - begin] - base);
    r->total += weight;
    for (int64_t d = 0; d < a->width; d++)
      r->sums[d] += weight * element(r->v, r->dtype, j * a->value.row + d * a->value.column);
  }
  return tsm_charge_elements(c->ctx, (end - begin) * a->width);
}

static tsm_status run_row(tsm_opcall *c, row_job *r, int64_t row, char *out) {
  const tsm_attention *a = r->a;
  int64_t keys = a->is_causal && row + 1 < a->keys ? row + 1 : a->keys;
  tsm_status status = TSM_OK;
  r->total = 0;
  r->most = -HUGE_VAL;
  memset(r->sums, 0, (size_t)a->width * sizeof *r->sums);
  for (int64_t j = 0; j < keys && !status; j += TILE) {
    status = add_keys(c, r, j, keys - j < TILE ? keys : j + TILE);
  }
  for (int64_t d = 0; d < a->width; d++) {
    double x = r->total == 0 ? 0 : r->sums[d] / r->total;
    if (r->dtype == TSM_F32) ((float *)(void *)out)[d] = (float)x;
    else ((double *)(void *)out)[d] = x;
  }
  return status;
}

static tsm_status run_plain(tsm_opcall *c, const tsm_attention *a, const tsm_tensor *out) {
  row_job r = {.a = a, .dtype = out->dtype};
  int64_t item = (int64_t)tsm_item_size(out->dtype), mask_item = a->mask.tensor ? (int64_t)tsm_item_size(a->mask.tensor->dtype) : 0;
  size_t room = tsm_room(a->width, sizeof *r.sums);
  r.sums = tsm_alloc(c->ctx->rt, room);
  if (!r.sums) return tsm_out_of_memory(c->ctx);
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < a->count && !status; i++) {
    const char *q = tsm_heads_at(a, &a->query, i), *mask = a->mask.tensor ? tsm_heads_at(a, &a->mask, i) : NULL;
    r.k = tsm_heads_at(a, &a->key, i);
    r.v = tsm_heads_at(a, &a->value, i);
    for (int64_t row = 0; row < a->rows && !status; row++) {
      r.q = q + row * a->query.row * item;
      r.mask = mask ? mask + row * a->mask.row * mask_item : NULL;
      status = run_row(c, &r, row, (char *)out->storage->data + (i * a->rows + row) * a->width * item);
    }
  }
  tsm_free(c->ctx->rt, r.sums, room);
  return status;
}

/* ---- float32: blocks of queries on all threads */

typedef struct job {
  const tsm_attention *a;
  const tsm_attention_set *set;
  float *out, *scratch;
  size_t scratch_floats;   /* of a worker */
  int64_t per_head, lanes; /* blocks of a head, and rows of a block */
  int64_t start;           /* number of the first block of this slice */
  bool is_few;
} job;

/* Block number `index`: of every head in turn the first to the last rows. */
static void run_blocks(void *user, size_t worker, int64_t begin, int64_t end) {
  const job *j = user;
  const tsm_attention *a = j->a;
  for (int64_t index = j->start + begin; index < j->start + end; index++) {
    int64_t head = index / j->per_head, first = index % j->per_head * j->lanes;
    const tsm_tensor *mask = a->mask.tensor;
    const char *mask_at = mask ? tsm_heads_at(a, &a->mask, head) + first * a->mask.row * (int64_t)tsm_item_size(mask->dtype)
                               : NULL;
    tsm_attention_block b = {
        (const float *)(const void *)tsm_heads_at(a, &a->query, head) + first * a->query.row,
        (const float *)(const void *)tsm_heads_at(a, &a->key, head),
        (const float *)(const void *)tsm_heads_at(a, &a->value, head),
        mask_at,
        j->out + (head * a->rows + first) * a->width,
        a->query.row, a->query.column, a->key.row, a->key.column, a->value.row, a->value.column, a->mask.row,
        a->mask.column,
        a->rows - first < j->lanes ? a->rows - first : j->lanes, a->keys, a->depth, a->width, first,
        (float)a->scale, a->is_causal, mask && mask->dtype == TSM_BOOL8};
    (j->is_few ? j->set->run_few : j->set->run)(&b, j->scratch + worker * j->scratch_floats);
  }
}

static int64_t at_least_one(double x) { return x < 1 ? 1 : x > 1e9 ? 1000000000 : (int64_t)x; }

/* Blocks so large that a cancelled run would not end soon are for run_plain. */
static bool is_for_blocks(const tsm_attention *a, const tsm_tensor *out) {
  return out->dtype == TSM_F32 && a->depth < 1 << 20 && a->width < 1 << 20 &&
         (double)a->keys * (double)(a->depth + a->width + 8) < 1e10;
}

static tsm_status run_float(tsm_opcall *c, const tsm_attention *a, const tsm_tensor *out) {
  static const tsm_attention_set *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_attention_set);
  tsm_runtime *rt = c->ctx->rt;
  const tsm_attention_set *set = sets[rt->isa];
  job j = {.a = a, .set = set, .out = (float *)(void *)out->storage->data};
  j.is_few = a->rows <= set->few && (a->key.column == 1 || a->depth == 1) && (a->value.column == 1 || a->width == 1);
  j.lanes = set->lanes;
  j.per_head = (a->rows + j.lanes - 1) / j.lanes;
  j.scratch_floats = set->scratch(a->depth, a->width) / sizeof(float);
  size_t room = tsm_room((int64_t)j.scratch_floats, sizeof(float) * tsm_pool_workers(rt)) + 64;
  void *block = tsm_alloc(rt, room);
  if (!block) return tsm_out_of_memory(c->ctx);
  j.scratch = (float *)(((uintptr_t)block + 63) / 64 * 64);
  double rows = (double)(a->rows < j.lanes ? a->rows : j.lanes);
  double work = rows * (double)a->keys * (double)(a->depth + a->width + 8);
  int64_t count = a->count * j.per_head, slice = at_least_one(1e9 / work);
  tsm_status status = TSM_OK;
  for (int64_t done = 0; done < count && !status; done += slice) {
    int64_t part = count - done < slice ? count - done : slice;
    status = tsm_charge(c->ctx, at_least_one((double)part * work / 32));
    j.start = done;
    if (!status) tsm_parallel(rt, part, NS_PER_PRODUCT * work, run_blocks, &j);
  }
  tsm_free(rt, block, room);
  return status;
}

tsm_status tsm_k_attention(tsm_opcall *c) {
  tsm_attention a;
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  tsm_status status = tsm_attention_read(c, &a);
  if (status || !out->numel) return status;
  a.count = out->numel / (a.rows * a.width);
  return is_for_blocks(&a, out) ? run_float(c, &a, out) : run_plain(c, &a, out);
}
