/* copy.c - copying a strided window to another, converting: contiguous(), clone, cat, to() and all that fills memory
 * from memory. In: an iterator over destination and source. Out: the destination, by several threads if it is large.
 * Holds: neighbours on both sides are moved as blocks; where the source's neighbours lie along another dimension than
 * the destination's, two dimensions are turned in blocks; all else goes element by element. */
#include "base/pool.h"
#include "iterate.h"
#include "simd/transpose.h"

enum { STRIP = 256 };
static const double NS_PER_ELEMENT = 0.3;

typedef struct copying { tsm_convert_fn convert; size_t item; } copying; /* item: 0 if elements are converted */

static void copy_span(void *user, char *const *ptr, const int64_t *step, int64_t n) {
  const copying *c = user;
  if (c->item && step[0] == (int64_t)c->item && step[1] == step[0]) memcpy(ptr[0], ptr[1], (size_t)n * c->item);
  else c->convert(ptr[0], step[0], ptr[1], step[1], n);
}

/* Matrices: the destination's last dimension, and the one along which the source's neighbours lie. */
typedef struct turning {
  tsm_iter outer;
  tsm_transpose_fn turn;
  int64_t rows, columns, row_step, column_step, strips, item; /* steps of the source's rows, the destination's */
} turning;

static void turn_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const turning *t = user;
  (void)worker;
  for (int64_t i = begin; i < end; i++) {
    int64_t place = i / t->strips, first = i % t->strips * STRIP;
    char *dst = t->outer.base[0] + first * t->column_step, *src = t->outer.base[1] + first * t->item;
    for (size_t d = t->outer.rank; d-- > 0; place /= t->outer.shape[d]) {
      dst += place % t->outer.shape[d] * t->outer.step[0][d];
      src += place % t->outer.shape[d] * t->outer.step[1][d];
    }
    const int64_t left = t->columns - first;
    t->turn(dst, t->column_step, src, t->row_step, (size_t)t->rows, (size_t)(left < STRIP ? left : STRIP));
  }
}

/* False if no two dimensions are worth turning. */
static bool find_turning(tsm_runtime *rt, const tsm_iter *it, size_t item, turning *t) {
  const size_t last = it->rank - 1;
  size_t other = last;
  if ((item != 4 && item != 8) || it->step[0][last] != (int64_t)item) return false;
  for (size_t d = 0; d < last; d++)
    if (it->step[1][d] == (int64_t)item) other = d;
  if (other == last || it->shape[other] < 4 || it->shape[last] < 4) return false;
  const tsm_transpose_set *set = tsm_transpose_of(rt->isa);
  t->turn = item == 4 ? set->by4 : set->by8;
  t->item = (int64_t)item;
  t->rows = it->shape[last];
  t->row_step = it->step[1][last];
  t->columns = it->shape[other];
  t->column_step = it->step[0][other];
  t->strips = (t->columns + STRIP - 1) / STRIP;
  t->outer = *it;
  t->outer.rank = 0;
  for (size_t d = 0; d < last; d++) {
    if (d == other) continue;
    t->outer.shape[t->outer.rank] = it->shape[d];
    for (int k = 0; k < 2; k++) t->outer.step[k][t->outer.rank] = it->step[k][d];
    t->outer.rank++;
  }
  return true;
}

tsm_status tsm_iter_copy(tsm_context *ctx, tsm_iter *it, unsigned dst_dtype, unsigned src_dtype) {
  copying c = {tsm_convert_loop(src_dtype, dst_dtype), src_dtype == dst_dtype ? tsm_item_size(src_dtype) : 0};
  turning t;
  if (!it->numel) return TSM_OK;
  tsm_iter_sort(it);
  if (it->step[1][it->rank - 1] == (int64_t)c.item || !find_turning(ctx->rt, it, c.item, &t))
    return tsm_iter_spread(ctx, it, NS_PER_ELEMENT, copy_span, &c);
  tsm_status status = tsm_charge_elements(ctx, it->numel);
  const int64_t pieces = it->numel / (t.rows * t.columns) * t.strips;
  const double cost = NS_PER_ELEMENT * (double)(it->numel / pieces);
  if (!status) tsm_parallel(ctx->rt, pieces, cost, turn_task, &t);
  return status;
}
