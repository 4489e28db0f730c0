/* copy.c - copying a strided window to another, converting: contiguous(), clone, cat, to() and all that fills memory
 * from memory. In: an iterator over destination and source. Out: the destination, by several threads if it is large.
 * Holds: neighbours on both sides are moved as blocks; where the source's neighbours lie along another dimension than
 * the destination's, two dimensions are turned in blocks; all else goes element by element. */
#include "base/pool.h"
#include "iterate.h"
#include "simd/convert.h"
#include "simd/transpose.h"

enum { STRIP = 256 };
static const double NS_PER_ELEMENT = 0.3, NS_PER_BYTE = 0.06;

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
  bool cuts_rows;             /* strips are of rows, of which there are more than columns */
} turning;

static void turn_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const turning *t = user;
  (void)worker;
  for (int64_t i = begin; i < end; i++) {
    int64_t place = i / t->strips, first = i % t->strips * STRIP;
    char *dst = t->outer.base[0] + first * (t->cuts_rows ? t->item : t->column_step);
    char *src = t->outer.base[1] + first * (t->cuts_rows ? t->row_step : t->item);
    for (size_t d = t->outer.rank; d-- > 0; place /= t->outer.shape[d]) {
      dst += place % t->outer.shape[d] * t->outer.step[0][d];
      src += place % t->outer.shape[d] * t->outer.step[1][d];
    }
    const int64_t left = (t->cuts_rows ? t->rows : t->columns) - first, count = left < STRIP ? left : STRIP;
    t->turn(dst, (ptrdiff_t)t->column_step, src, (ptrdiff_t)t->row_step, (size_t)(t->cuts_rows ? count : t->rows),
            (size_t)(t->cuts_rows ? t->columns : count));
  }
}

/* False if no two dimensions are worth turning. */
static bool find_turning(tsm_runtime *rt, const tsm_iter *it, size_t item, turning *t) {
  enum { LEAST = 16 };
  const size_t last = it->rank - 1;
  size_t other = last;
  if (!item || it->step[0][last] != (int64_t)item) return false;
  for (size_t d = 0; d < last; d++)
    if (it->step[1][d] == (int64_t)item) other = d;
  if (other == last || it->shape[other] * it->shape[last] < LEAST) return false;
  const tsm_transpose_set *set = tsm_transpose_of(rt->isa);
  t->turn = item == 1 ? tsm_transpose_1 : item == 2 ? tsm_transpose_2 : item == 4 ? set->by4 : set->by8;
  t->item = (int64_t)item;
  t->rows = it->shape[last];
  t->row_step = it->step[1][last];
  t->columns = it->shape[other];
  t->column_step = it->step[0][other];
  t->cuts_rows = t->rows > t->columns;
  t->strips = ((t->cuts_rows ? t->rows : t->columns) + STRIP - 1) / STRIP;
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

/* Rows that are blocks on both sides, too short to be worth a call each: the two innermost dimensions. */
typedef struct moving {
  tsm_iter outer;
  tsm_move_rows_fn move;
  int64_t bytes, rows, dst_step, src_step, at_once, strips;
} moving;

static void move_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const moving *m = user;
  (void)worker;
  for (int64_t i = begin; i < end; i++) {
    int64_t place = i / m->strips, first = i % m->strips * m->at_once, left = m->rows - first;
    char *dst = m->outer.base[0] + first * m->dst_step, *src = m->outer.base[1] + first * m->src_step;
    for (size_t d = m->outer.rank; d-- > 0; place /= m->outer.shape[d]) {
      dst += place % m->outer.shape[d] * m->outer.step[0][d];
      src += place % m->outer.shape[d] * m->outer.step[1][d];
    }
    m->move(dst, (ptrdiff_t)m->dst_step, src, (ptrdiff_t)m->src_step, (size_t)(left < m->at_once ? left : m->at_once), (size_t)m->bytes);
  }
}

static bool find_moving(tsm_runtime *rt, const tsm_iter *it, size_t item, moving *m) {
  enum { SHORTEST = 32, LONGEST = 16384, PIECE = 32768 };
  const size_t last = it->rank - 1;
  if (!item || it->rank < 2 || it->step[0][last] != (int64_t)item || it->step[1][last] != (int64_t)item) return false;
  m->bytes = it->shape[last] * (int64_t)item;
  if (m->bytes < SHORTEST || m->bytes > LONGEST) return false;
  m->move = tsm_transpose_of(rt->isa)->move_rows;
  m->rows = it->shape[last - 1];
  m->dst_step = it->step[0][last - 1];
  m->src_step = it->step[1][last - 1];
  m->at_once = PIECE / m->bytes;
  m->strips = (m->rows + m->at_once - 1) / m->at_once;
  m->outer = *it;
  m->outer.rank = it->rank - 2;
  return true;
}

/* Rows of a few elements become columns, if those are longer. */
static void lengthen_rows(tsm_iter *it) {
  enum { FEW = 8 };
  if (it->rank < 2) return;
  const size_t last = it->rank - 1, before = last - 1;
  const int64_t extent = it->shape[last];
  if (extent >= FEW || it->shape[before] <= extent) return;
  it->shape[last] = it->shape[before];
  it->shape[before] = extent;
  for (int k = 0; k < 2; k++) {
    const int64_t step = it->step[k][last];
    it->step[k][last] = it->step[k][before];
    it->step[k][before] = step;
  }
}

tsm_status tsm_iter_copy(tsm_context *ctx, tsm_iter *it, unsigned dst_dtype, unsigned src_dtype) {
  const bool is_same = src_dtype == dst_dtype || (src_dtype <= TSM_I8 && (dst_dtype == TSM_U8 || dst_dtype == TSM_I8));
  copying c = {tsm_convert_best(ctx->rt->isa, src_dtype, dst_dtype), is_same ? tsm_item_size(src_dtype) : 0};
  turning t;
  moving m;
  if (!it->numel) return TSM_OK;
  tsm_iter_sort(it);
  if (find_moving(ctx->rt, it, c.item, &m)) {
    const int64_t count = it->numel * (int64_t)c.item / (m.rows * m.bytes) * m.strips;
    return tsm_parallel_paid(ctx, count, it->numel / count + 1, NS_PER_BYTE * (double)(m.at_once * m.bytes), move_task, &m);
  }
  if (it->step[1][it->rank - 1] == (int64_t)c.item || !find_turning(ctx->rt, it, c.item, &t)) {
    lengthen_rows(it);
    return tsm_iter_spread(ctx, it, NS_PER_ELEMENT, copy_span, &c);
  }
  const int64_t pieces = it->numel / (t.rows * t.columns) * t.strips;
  const double cost = NS_PER_ELEMENT * (double)(it->numel / pieces);
  return tsm_parallel_paid(ctx, pieces, 2 * (it->numel / pieces + 1), cost, turn_task, &t);
}
