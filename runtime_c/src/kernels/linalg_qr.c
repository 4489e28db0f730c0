/* linalg_qr.c - orthogonal and triangular factors by reflections.
 * In: matrices of any shape. Out: Q with orthonormal columns, R upper triangular, Q R = A; signs are LAPACK's.
 * Holds: TSM_BLOCK columns are reduced as rows of a turned copy, then their reflections change the rest at once. */
#include "kernels.h"
#include "linalg_qr.h"

/* Columns from..from + k: the reflections into rows of v, their triangle into a. */
static tsm_status reduce_panel(tsm_linalg *l, tsm_block *a, int64_t from, int64_t k, tsm_block *v, double *tau) {
  const int64_t length = a->rows - from;
  for (int64_t j = 0; j < k; j++) {
    tsm_status status = tsm_charge_work(l->call->ctx, length, TSM_COST_GATHER);
    if (status) return status;
    for (int64_t i = 0; i < length; i++) tsm_row(v, from + j)[from + i] = tsm_row(a, from + i)[from + j];
  }
  for (int64_t j = 0; j < k; j++) {
    tsm_status status = tsm_charge_elements(l->call->ctx, 2 * length * (k - j));
    if (status) return status;
    double *x = tsm_row(v, from + j) + from;
    tau[from + j] = tsm_reflector(l, x + j, length - j);
    const double beta = x[j];
    x[j] = 1;
    for (int64_t other = j + 1; other < k && tau[from + j] != 0; other++) {
      double *y = tsm_row(v, from + other) + from + j;
      double along = l->set->dot(x + j, y, (size_t)(length - j));
      l->set->add_scaled(y, x + j, -tau[from + j] * along, (size_t)(length - j));
    }
    for (int64_t i = 0; i < length; i++) tsm_row(a, from + i)[from + j] = i < j ? x[i] : i == j ? beta : 0;
    memset(x - from, 0, (size_t)(from + j) * sizeof(double));
  }
  return TSM_OK;
}

tsm_status tsm_reduce_columns(tsm_linalg *l, tsm_block *a, tsm_block *v, double *tau, const tsm_block *scratch) {
  const int64_t steps = v->rows;
  for (int64_t from = 0; from < steps; from += TSM_BLOCK) {
    const int64_t k = steps - from < TSM_BLOCK ? steps - from : TSM_BLOCK, to = from + k;
    tsm_status status = reduce_panel(l, a, from, k, v, tau);
    tsm_block rows = {tsm_row(v, from) + from, k, a->rows - from, v->row};
    tsm_block rest = {tsm_row(a, from) + to, a->rows - from, a->columns - to, a->row};
    if (!status) status = tsm_reflect(l, &rows, tau + from, true, &rest, scratch);
    if (status) return status;
  }
  return TSM_OK;
}

tsm_status tsm_k_linalg_qr(tsm_opcall *c) {
  tsm_matrices a;
  tsm_linalg l;
  tsm_tensor *q_out = tsm_result_tensor(c, 0), *r_out = tsm_result_tensor(c, 1);
  tsm_status status = tsm_matrices_open(c, 0, &a);
  if (status) return status;
  const int64_t m = a.rows, n = a.columns, steps = m < n ? m : n, width = tsm_shape(q_out)[q_out->rank - 1];
  const int64_t counts[] = {tsm_doubles(m, n), tsm_doubles(m, width), tsm_doubles(steps, m), steps,
                            tsm_reflect_doubles(n > width ? n : width)};
  status = tsm_linalg_begin(c, tsm_doubles_sum(counts, 5), &l);
  if (!status) {
    tsm_block r = tsm_take(&l, m, n), q = tsm_take(&l, m, width), v = tsm_take(&l, steps, m);
    tsm_block tau = tsm_take(&l, 1, steps), scratch = tsm_take(&l, 1, counts[4]);
    const bool is_empty = !q_out->numel && !r_out->numel;
    for (int64_t i = 0; i < a.count && !is_empty && !status; i++) {
      status = tsm_matrix_read(&l, &a, i, &r);
      if (!status) status = tsm_reduce_columns(&l, &r, &v, tau.at, &scratch);
      if (!status) status = tsm_reflectors_product(&l, &v, tau.at, 0, &q, &scratch);
      tsm_block top = {r.at, width < m ? width : m, n, n};
      if (!status) status = tsm_matrix_write(&l, q_out, i, &q);
      if (!status) status = tsm_matrix_write(&l, r_out, i, &top);
    }
  }
  tsm_linalg_end(&l);
  tsm_matrices_close(&a);
  return status;
}
