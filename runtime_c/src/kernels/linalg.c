/* linalg.c - see linalg.h: matrices in and out of working memory, products, and reflections in blocks.
 * Holds: the product of k reflections is I - V^T T V with V's rows the vectors and T a triangle of k x k, so that it is
 * applied by three products of matrices. */
#include "linalg.h"

#include <math.h>

int64_t tsm_doubles(int64_t rows, int64_t columns) {
  int64_t made;
  return rows < 0 || columns < 0 || tsm_mul_overflows(rows, columns, &made) ? -1 : made;
}

int64_t tsm_doubles_sum(const int64_t *counts, size_t n) {
  int64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    if (counts[i] < 0 || tsm_add_overflows(sum, counts[i], &sum)) return -1;
  return sum;
}

tsm_status tsm_linalg_begin(tsm_opcall *call, int64_t count, tsm_linalg *out) {
  *out = (tsm_linalg){.call = call, .set = tsm_linalg_of(call->ctx->rt->isa)};
  if (count < 0 || (uint64_t)count > SIZE_MAX / sizeof(double) - 1) return tsm_out_of_memory(call->ctx);
  out->space.capacity = (size_t)count + 1;
  out->space.memory = tsm_alloc(call->ctx->rt, out->space.capacity * sizeof(double));
  return out->space.memory ? TSM_OK : tsm_out_of_memory(call->ctx);
}

void tsm_linalg_end(tsm_linalg *l) {
  if (l->space.memory) tsm_free(l->call->ctx->rt, l->space.memory, l->space.capacity * sizeof(double));
  l->space.memory = NULL;
}

tsm_block tsm_take(tsm_linalg *l, int64_t rows, int64_t columns) {
  tsm_block made = {l->space.memory + l->space.used, rows, columns, columns};
  l->space.used += (size_t)(rows * columns);
  return made;
}

tsm_status tsm_matrices_open(tsm_opcall *call, size_t argument, tsm_matrices *out) {
  tsm_tensor *t = tsm_arg_tensor(call, argument);
  *out = (tsm_matrices){.rows = tsm_shape(t)[t->rank - 2], .columns = tsm_shape(t)[t->rank - 1], .count = 1};
  for (size_t d = 0; d + 2 < t->rank; d++) out->count *= tsm_shape(t)[d];
  out->tensor = tsm_tensor_contiguous(call->ctx, t);
  return out->tensor ? TSM_OK : call->ctx->status;
}

void tsm_matrices_close(tsm_matrices *m) {
  if (m->tensor) tsm_unref(&m->tensor->head);
  m->tensor = NULL;
}

tsm_status tsm_matrix_read(tsm_linalg *l, const tsm_matrices *m, int64_t index, tsm_block *out) {
  const size_t item = tsm_item_size(m->tensor->dtype);
  const int64_t n = m->rows * m->columns;
  const char *from = (const char *)tsm_tensor_read(m->tensor) + (size_t)(index * n) * item;
  for (int64_t at = 0, end; at < n; at = end) {
    if ((end = tsm_stretch(l->call->ctx, at, n, 3)) < 0) return l->call->ctx->status; /* scaled and looked at, too */
    tsm_convert_loop(m->tensor->dtype, TSM_F64)((char *)(out->at + at), sizeof(double), from + at * (int64_t)item,
                                                (int64_t)item, end - at);
  }
  return TSM_OK;
}

static void write_row(tsm_tensor *result, int64_t at, const double *from, int64_t n) {
  const size_t item = tsm_item_size(result->dtype);
  char *to = (char *)result->storage->data + (size_t)at * item;
  tsm_convert_loop(TSM_F64, result->dtype)(to, (int64_t)item, (const char *)from, sizeof(double), n);
}

tsm_status tsm_matrix_write(tsm_linalg *l, tsm_tensor *result, int64_t index, const tsm_block *from) {
  const int64_t n = from->rows * from->columns;
  for (int64_t i = 0; i < from->rows; i++) {
    tsm_status status = tsm_charge_elements(l->call->ctx, from->columns);
    if (status) return status;
    write_row(result, index * n + i * from->columns, tsm_row(from, i), from->columns);
  }
  return TSM_OK;
}

void tsm_vector_write(tsm_tensor *result, int64_t index, const double *from, int64_t n) {
  write_row(result, index * n, from, n);
}

bool tsm_block_is_finite(const tsm_block *m) {
  double sum = 0; /* becomes NaN where one element is not finite */
  for (int64_t i = 0; i < m->rows; i++)
    for (int64_t j = 0; j < m->columns; j++) sum += tsm_row(m, i)[j] * 0;
  return sum == 0;
}

tsm_status tsm_block_turn(tsm_linalg *l, tsm_block *m) {
  for (int64_t i = 0; i < m->rows; i++) {
    tsm_status status = tsm_charge_work(l->call->ctx, i, TSM_COST_GATHER / 2);
    if (status) return status;
    for (int64_t j = 0; j < i; j++) {
      double kept = tsm_row(m, i)[j];
      tsm_row(m, i)[j] = tsm_row(m, j)[i];
      tsm_row(m, j)[i] = kept;
    }
  }
  return TSM_OK;
}

tsm_status tsm_block_identity(tsm_linalg *l, tsm_block *m) {
  for (int64_t i = 0; i < m->rows; i++) {
    tsm_status status = tsm_charge_elements(l->call->ctx, m->columns);
    if (status) return status;
    memset(tsm_row(m, i), 0, (size_t)m->columns * sizeof(double));
    if (i < m->columns) tsm_row(m, i)[i] = 1;
  }
  return TSM_OK;
}

tsm_status tsm_block_product(tsm_linalg *l, const tsm_block *a, bool is_turned, const tsm_block *b, tsm_block *c,
                             bool adds) {
  tsm_matrix left = {a->at, is_turned ? 1 : a->row, is_turned ? a->row : 1}, right = {b->at, b->row, 1};
  return tsm_gemm(l->call, TSM_F64, c->rows, c->columns, b->rows, left, right, c->at, c->row, adds);
}

/* ---- Reflections */

double tsm_reflector(const tsm_linalg *l, double *x, int64_t n) {
  double rest = n > 1 ? l->set->dot(x + 1, x + 1, (size_t)n - 1) : 0;
  if (rest == 0) return 0;
  const double alpha = x[0], beta = -copysign(sqrt(alpha * alpha + rest), alpha), scale = 1 / (alpha - beta);
  for (int64_t i = 1; i < n; i++) x[i] *= scale;
  x[0] = beta;
  return (beta - alpha) / beta;
}

int64_t tsm_reflect_doubles(int64_t columns) {
  int64_t wide = tsm_doubles(2 * TSM_BLOCK, columns), counts[] = {wide, TSM_BLOCK * TSM_BLOCK};
  return tsm_doubles_sum(counts, 2);
}

/* T of k reflections, a triangle, with its sign turned. */
static void make_triangle(const tsm_linalg *l, const tsm_block *v, const double *tau, tsm_block *t) {
  memset(t->at, 0, (size_t)(t->rows * t->row) * sizeof(double));
  for (int64_t j = 0; j < v->rows; j++) {
    double along[TSM_BLOCK];
    for (int64_t i = 0; i < j; i++) along[i] = l->set->dot(tsm_row(v, i), tsm_row(v, j), (size_t)v->columns);
    for (int64_t i = 0; i < j; i++) {
      double sum = 0;
      for (int64_t k = i; k < j; k++) sum += tsm_row(t, i)[k] * along[k];
      tsm_row(t, i)[j] = -tau[j] * sum;
    }
    tsm_row(t, j)[j] = tau[j];
  }
  for (int64_t i = 0; i < t->rows * t->row; i++) t->at[i] = -t->at[i];
}

tsm_status tsm_reflect(tsm_linalg *l, const tsm_block *v, const double *tau, bool is_turned, tsm_block *c,
                       const tsm_block *scratch) {
  const int64_t k = v->rows;
  tsm_block t = {scratch->at, k, k, k}, w = {t.at + TSM_BLOCK * TSM_BLOCK, k, c->columns, c->columns}, tw = w;
  tw.at += k * w.row;
  if (!k || !c->columns) return TSM_OK;
  tsm_status status = tsm_charge_elements(l->call->ctx, k * (k + 3) / 4 * v->columns);
  if (status) return status;
  make_triangle(l, v, tau, &t);
  status = tsm_block_product(l, v, false, c, &w, false);
  if (!status) status = tsm_block_product(l, &t, is_turned, &w, &tw, false);
  return status ? status : tsm_block_product(l, v, true, &tw, c, true);
}

tsm_status tsm_reflectors_product(tsm_linalg *l, const tsm_block *v, const double *tau, int64_t shift, tsm_block *out,
                                  const tsm_block *scratch) {
  const int64_t blocks = (v->rows + TSM_BLOCK - 1) / TSM_BLOCK;
  tsm_status status = tsm_block_identity(l, out);
  for (int64_t b = blocks - 1; b >= 0 && !status; b--) {
    const int64_t first = b * TSM_BLOCK, at = first + shift, k = v->rows - first < TSM_BLOCK ? v->rows - first : TSM_BLOCK;
    tsm_block rows = {tsm_row(v, first) + at, k, v->columns - at, v->row};
    tsm_block part = {tsm_row(out, at), out->rows - at, out->columns, out->row};
    if (at < out->columns) part = (tsm_block){part.at + at, part.rows, out->columns - at, out->row};
    else part.columns = 0;
    status = tsm_reflect(l, &rows, tau + first, false, &part, scratch);
  }
  return status;
}
