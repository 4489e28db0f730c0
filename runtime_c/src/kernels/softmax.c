/* softmax.c - softmax and log_softmax along a dimension.
 * In: a float tensor. Out: the same shape.
 * Holds: the largest element is subtracted first; sums are as simd/reduce.h says. Along the last dimension a row at a
 * time; along others a tile of neighbouring columns at a time, by rows of simd/pointwise.h. */
#include <math.h>

#include "arguments.h"
#include "base/pool.h"
#include "kernels.h"
#include "simd/pointwise.h"
#include "simd/reduce.h"

enum { WIDTH = 256 };
static const double NS_PER_ELEMENT = 0.2;

typedef struct softmax {
  const char *in;
  char *out;
  int64_t n, step; /* elements of a line, and between them */
  size_t item;
  bool is_log;
  const tsm_reduce_set *reduce;
  const tsm_row_op *rows; /* of the dtype */
  const _Atomic bool *cancelled; /* read along lines, one of which may be all there is */
} softmax;

static bool must_end(const softmax *s, size_t row) {
  return row % 4096 == 4095 && atomic_load_explicit(s->cancelled, memory_order_relaxed);
}

static void row_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const softmax *s = user;
  (void)worker;
  for (int64_t line = begin; line < end; line++) {
    const size_t at = (size_t)(line * s->n) * s->item;
    s->reduce->softmax[s->item == 8](s->out + at, s->in + at, (size_t)s->n, s->is_log);
  }
}

/* Doubles to the tensor's dtype. */
static void narrow(const softmax *s, void *to, const double *from, size_t n) {
  if (s->item == 8) memcpy(to, from, n * sizeof *from);
  else s->rows[TSM_ROW_FROM_FLOAT](to, from, NULL, NULL, n);
}

/* `width` columns side by side. */
static void columns(const softmax *s, char *out, const char *in, size_t width) {
  double acc[WIDTH], most[WIDTH], factor[WIDTH], tile[WIDTH];
  const int real = s->item == 8;
  const size_t skip = (size_t)s->step * s->item, count = (size_t)s->n;
  for (size_t i = 0; i < WIDTH; i++) acc[i] = -INFINITY;
  s->reduce->columns[real][TSM_JOIN_MAX](acc, in, width, count, (ptrdiff_t)s->step, NULL);
  narrow(s, most, acc, width);
  memset(acc, 0, sizeof acc);
  for (size_t r = 0; r < count && !must_end(s, r); r++) {
    void *to = s->is_log ? (void *)tile : (void *)(out + r * skip);
    s->rows[TSM_ROW_SUB](to, in + r * skip, most, NULL, width);
    s->rows[TSM_ROW_EXP](to, to, NULL, NULL, width);
    s->reduce->columns[real][TSM_JOIN_SUM](acc, to, width, 1, 0, NULL);
  }
  for (size_t i = 0; i < width; i++) acc[i] = s->is_log ? log(acc[i]) : 1 / acc[i];
  narrow(s, factor, acc, width);
  for (size_t r = 0; r < count && !must_end(s, r); r++) {
    char *to = out + r * skip;
    if (s->is_log) s->rows[TSM_ROW_SUB](to, in + r * skip, most, NULL, width);
    s->rows[s->is_log ? TSM_ROW_SUB : TSM_ROW_MUL](to, to, factor, NULL, width);
  }
}

/* Pieces: tiles of columns. */
static void column_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const softmax *s = user;
  const int64_t tiles = (s->step + WIDTH - 1) / WIDTH;
  (void)worker;
  for (int64_t i = begin; i < end; i++) {
    const int64_t first = i % tiles * WIDTH, left = s->step - first;
    const size_t at = (size_t)(i / tiles * s->step * s->n + first) * s->item;
    columns(s, s->out + at, s->in + at, (size_t)(left < WIDTH ? left : WIDTH));
  }
}

static tsm_status run(tsm_opcall *c, bool is_log) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  size_t dim;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), out->rank, &dim);
  if (status || !out->numel) return status;
  tsm_tensor *in = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 0));
  if (!in) return c->ctx->status;
  const tsm_row_set *rows = c->ctx->rt->rows;
  softmax s = {tsm_tensor_read(in), (char *)tsm_tensor_read(out), 1, 1, tsm_item_size(out->dtype), is_log,
               tsm_reduce_of(c->ctx->rt->isa), out->dtype == TSM_F32 ? rows->f32 : rows->f64, &c->ctx->cancelled};
  if (out->rank) {
    s.n = tsm_shape(out)[dim];
    for (size_t d = dim + 1; d < out->rank; d++) s.step *= tsm_shape(out)[d];
  }
  const int64_t tiles = s.step == 1 ? 1 : (s.step + WIDTH - 1) / WIDTH, pieces = out->numel / (s.n * s.step) * tiles;
  const double cost = NS_PER_ELEMENT * (double)(out->numel / pieces + 1);
  status = tsm_parallel_paid(c->ctx, pieces, out->numel / pieces + 1, cost, s.step == 1 ? row_task : column_task, &s);
  tsm_unref(&in->head);
  return status ? status : tsm_charge(c->ctx, 0);
}

tsm_status tsm_k_softmax(tsm_opcall *c) { return run(c, false); }
tsm_status tsm_k_log_softmax(tsm_opcall *c) { return run(c, true); }
