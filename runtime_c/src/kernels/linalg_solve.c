/* linalg_solve.c - elimination: LU and Cholesky factors, and what solves by them.
 * In: square matrices, right sides. Out: factors with pivots or the minor that failed, solutions.
 * Holds: TSM_BLOCK columns are factored row by row, the rest is updated by a product; pivots are the largest of their
 * column, the first of equals. */
#include <math.h>

#include "kernels.h"
#include "linalg.h"

static double *column_below(const tsm_block *a, int64_t k) { return tsm_row(a, k) + k; }

/* The row at or below k with the largest element of column k; a NaN is the largest. */
static int64_t find_pivot(const tsm_block *a, int64_t k) {
  int64_t best = k;
  double largest = fabs(*column_below(a, k));
  for (int64_t i = k + 1; i < a->rows && largest == largest; i++) {
    double size = fabs(tsm_row(a, i)[k]);
    if (size > largest || size != size) largest = size, best = i;
  }
  return best;
}

static void swap_rows(tsm_block *a, int64_t i, int64_t j) {
  double *x = tsm_row(a, i), *y = tsm_row(a, j);
  if (x != y) for (int64_t c = 0; c < a->columns; c++) { double kept = x[c]; x[c] = y[c]; y[c] = kept; }
}

/* Columns from..to of all rows below, eliminated within these columns. */
static tsm_status factor_panel(tsm_linalg *l, tsm_block *a, int64_t from, int64_t to, bool pivots, int32_t *swaps) {
  for (int64_t k = from; k < to; k++) {
    tsm_status status = tsm_charge_elements(l->call->ctx, (a->rows - k) * (to - k) + a->columns);
    if (status) return status;
    int64_t at = pivots ? find_pivot(a, k) : k;
    swaps[k] = (int32_t)(at + 1);
    swap_rows(a, k, at);
    const double *row = tsm_row(a, k), pivot = row[k];
    for (int64_t i = k + 1; i < a->rows && pivot != 0; i++) {
      double *under = tsm_row(a, i), factor = under[k] / pivot;
      under[k] = factor;
      if (factor != 0) l->set->add_scaled(under + k + 1, row + k + 1, -factor, (size_t)(to - k - 1));
    }
  }
  return TSM_OK;
}

/* out = the block with its sign turned. */
static void negate(const tsm_block *from, tsm_block *out) {
  for (int64_t i = 0; i < from->rows; i++)
    for (int64_t j = 0; j < from->columns; j++) tsm_row(out, i)[j] = -tsm_row(from, i)[j];
}

/* Rows from..to of X with A X = B, of a triangle whose rows they are; b has B and becomes X. */
static tsm_status solve_rows(tsm_linalg *l, const tsm_block *a, int64_t from, int64_t to, bool is_upper, bool is_unit,
                             tsm_block *b) {
  tsm_status status = tsm_charge_elements(l->call->ctx, (to - from) * (to - from) / 2 * (b->columns + 4));
  for (int64_t step = 0; step < to - from; step++) {
    int64_t i = is_upper ? to - 1 - step : from + step;
    double *row = tsm_row(b, i);
    for (int64_t k = is_upper ? i + 1 : from; k < (is_upper ? to : i); k++)
      l->set->add_scaled(row, tsm_row(b, k), -tsm_row(a, i)[k], (size_t)b->columns);
    if (!is_unit) for (int64_t j = 0; j < b->columns; j++) row[j] /= tsm_row(a, i)[i];
  }
  return status;
}

/* X with A X = B in b's place. `turned` has room for TSM_BLOCK rows of A. */
static tsm_status solve_triangle(tsm_linalg *l, const tsm_block *a, bool is_upper, bool is_unit, tsm_block *b,
                                 tsm_block *turned) {
  const int64_t n = a->rows, blocks = (n + TSM_BLOCK - 1) / TSM_BLOCK;
  tsm_status status = TSM_OK;
  for (int64_t step = 0; step < blocks && !status; step++) {
    int64_t from = (is_upper ? blocks - 1 - step : step) * TSM_BLOCK, to = from + TSM_BLOCK < n ? from + TSM_BLOCK : n;
    int64_t known = is_upper ? to : 0, width = is_upper ? n - to : from;
    tsm_block part = {tsm_row(a, from) + known, to - from, width, a->row}, rows = *b;
    *turned = (tsm_block){turned->at, to - from, width, width};
    rows = (tsm_block){tsm_row(b, from), to - from, b->columns, b->row};
    tsm_block given = {tsm_row(b, known), width, b->columns, b->row};
    if (width) {
      negate(&part, turned);
      status = tsm_block_product(l, turned, false, &given, &rows, true);
    }
    if (!status) status = solve_rows(l, a, from, to, is_upper, is_unit, b);
  }
  return status;
}

/* What is right of and below a factored panel. */
static tsm_status update_rest(tsm_linalg *l, tsm_block *a, int64_t from, int64_t to, tsm_block *turned) {
  const int64_t rest = a->columns - to;
  tsm_block right = {a->at + to, a->rows, rest, a->row};
  tsm_status status = solve_rows(l, a, from, to, false, true, &right);
  tsm_block lower = {tsm_row(a, to) + from, a->rows - to, to - from, a->row};
  tsm_block upper = {tsm_row(a, from) + to, to - from, rest, a->row};
  tsm_block under = {tsm_row(a, to) + to, a->rows - to, rest, a->row};
  *turned = (tsm_block){turned->at, lower.rows, lower.columns, lower.columns};
  negate(&lower, turned);
  return status ? status : tsm_block_product(l, turned, false, &upper, &under, true);
}

static tsm_status factor(tsm_linalg *l, tsm_block *a, bool pivots, int32_t *swaps, tsm_block *turned) {
  const int64_t steps = a->rows < a->columns ? a->rows : a->columns;
  for (int64_t from = 0; from < steps; from += TSM_BLOCK) {
    int64_t to = from + TSM_BLOCK < steps ? from + TSM_BLOCK : steps, rest = a->columns - to;
    tsm_status status = factor_panel(l, a, from, to, pivots, swaps);
    if (!status && rest) status = update_rest(l, a, from, to, turned);
    if (status) return status;
  }
  return TSM_OK;
}

tsm_status tsm_k_linalg_lu_factor(tsm_opcall *c) {
  tsm_matrices a;
  tsm_linalg l;
  tsm_status status = tsm_matrices_open(c, 0, &a);
  if (status) return status;
  const int64_t steps = a.rows < a.columns ? a.rows : a.columns;
  const int64_t counts[] = {tsm_doubles(a.rows, a.columns), tsm_doubles(a.rows, TSM_BLOCK)};
  status = tsm_linalg_begin(c, tsm_doubles_sum(counts, 2), &l);
  if (!status && a.rows > INT32_MAX - 1) status = tsm_raise(c->ctx, "RuntimeError", "linalg_lu_factor: too many rows");
  if (!status) {
    tsm_block matrix = tsm_take(&l, a.rows, a.columns), turned = tsm_take(&l, a.rows, TSM_BLOCK);
    int32_t *swaps = (int32_t *)(void *)tsm_result_tensor(c, 1)->storage->data;
    for (int64_t i = 0; i < a.count && steps && !status; i++) {
      status = tsm_matrix_read(&l, &a, i, &matrix);
      if (!status) status = factor(&l, &matrix, tsm_arg_bool(c, 1), swaps + i * steps, &turned);
      if (!status) status = tsm_matrix_write(&l, tsm_result_tensor(c, 0), i, &matrix);
    }
  }
  tsm_linalg_end(&l);
  tsm_matrices_close(&a);
  return status;
}

/* Whether the pivots name rows of the matrix, at or below their own. */
static tsm_status check_swaps(tsm_opcall *c, const int32_t *swaps, int64_t n) {
  for (int64_t k = 0; k < n; k++)
    if (swaps[k] <= k || swaps[k] > n)
      return tsm_raise(c->ctx, "RuntimeError", "Pivots given to lu_solve must all be greater or equal to 1. Did you "
                       "properly pass the result of lu_factor?");
  return TSM_OK;
}

/* One batch of right sides by its matrix; swaps: of LU factors, NULL for a triangle as arguments 2 and 3 say. */
static tsm_status solve_one(tsm_linalg *l, const tsm_block *matrix, const int32_t *swaps, tsm_block *right,
                            tsm_block *turned) {
  const tsm_opcall *c = l->call;
  if (!swaps) return solve_triangle(l, matrix, tsm_arg_bool(c, 2), tsm_arg_bool(c, 3), right, turned);
  tsm_status status = check_swaps(l->call, swaps, matrix->rows);
  for (int64_t k = 0; k < matrix->rows && !status; k++) swap_rows(right, k, swaps[k] - 1);
  if (!status) status = solve_triangle(l, matrix, false, true, right, turned);
  return status ? status : solve_triangle(l, matrix, true, false, right, turned);
}

/* Argument 0 has the matrices, `side` the right sides. */
static tsm_status solve(tsm_opcall *c, size_t side, const tsm_tensor *pivots) {
  tsm_matrices a, b;
  tsm_linalg l = {.call = c};
  tsm_status status = tsm_matrices_open(c, 0, &a);
  if (status) return status;
  status = tsm_matrices_open(c, side, &b);
  const int64_t n = a.rows, counts[] = {tsm_doubles(n, n), tsm_doubles(n, b.columns), tsm_doubles(n, TSM_BLOCK)};
  if (!status) status = tsm_linalg_begin(c, tsm_doubles_sum(counts, 3), &l);
  if (!status) {
    tsm_block matrix = tsm_take(&l, n, n), right = tsm_take(&l, n, b.columns), turned = tsm_take(&l, n, TSM_BLOCK);
    for (int64_t i = 0; i < b.count && n && !status; i++) {
      status = tsm_matrix_read(&l, &a, i, &matrix);
      if (!status) status = tsm_matrix_read(&l, &b, i, &right);
      const int32_t *swaps = pivots ? (const int32_t *)tsm_tensor_read(pivots) + i * n : NULL;
      if (!status) status = solve_one(&l, &matrix, swaps, &right, &turned);
      if (!status) status = tsm_matrix_write(&l, tsm_result_tensor(c, 0), i, &right);
    }
  }
  tsm_linalg_end(&l);
  tsm_matrices_close(&b);
  tsm_matrices_close(&a);
  return status;
}

tsm_status tsm_k_linalg_lu_solve(tsm_opcall *c) {
  tsm_tensor *pivots = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 1));
  if (!pivots) return c->ctx->status;
  tsm_status status = solve(c, 2, pivots);
  tsm_unref(&pivots->head);
  return status;
}

tsm_status tsm_k_linalg_solve_triangular(tsm_opcall *c) { return solve(c, 1, NULL); }

/* ---- Cholesky */

/* Columns from..to, whose products with earlier ones are subtracted; *out_failed is the minor that is not positive. */
static tsm_status cholesky_panel(tsm_linalg *l, tsm_block *a, int64_t from, int64_t to, int32_t *out_failed) {
  for (int64_t k = from; k < to; k++) {
    tsm_status status = tsm_charge_elements(l->call->ctx, (a->rows - k) * (k - from + 4));
    if (status) return status;
    const double *row = tsm_row(a, k) + from;
    const size_t before = (size_t)(k - from);
    double square = tsm_row(a, k)[k] - l->set->dot(row, row, before);
    if (!(square > 0)) {
      *out_failed = (int32_t)(k + 1);
      return TSM_OK;
    }
    const double root = sqrt(square);
    tsm_row(a, k)[k] = root;
    for (int64_t i = k + 1; i < a->rows; i++)
      tsm_row(a, i)[k] = (tsm_row(a, i)[k] - l->set->dot(tsm_row(a, i) + from, row, before)) / root;
  }
  return TSM_OK;
}

static tsm_status cholesky(tsm_linalg *l, tsm_block *a, tsm_block *turned, int32_t *out_failed) {
  const int64_t n = a->rows;
  tsm_status status = TSM_OK;
  *out_failed = 0;
  for (int64_t from = 0; from < n && !status && !*out_failed; from += TSM_BLOCK) {
    int64_t to = from + TSM_BLOCK < n ? from + TSM_BLOCK : n;
    if (from) { /* the columns minus L of all rows below times L^T of these */
      for (int64_t i = from; i < to; i++)
        for (int64_t j = 0; j < from; j++) turned->at[j * TSM_BLOCK + i - from] = -tsm_row(a, i)[j];
      tsm_block left = {tsm_row(a, from), n - from, from, a->row}, right = {turned->at, from, to - from, TSM_BLOCK};
      tsm_block part = {tsm_row(a, from) + from, n - from, to - from, a->row};
      status = tsm_block_product(l, &left, false, &right, &part, true);
    }
    if (!status) status = cholesky_panel(l, a, from, to, out_failed);
  }
  for (int64_t i = 0; i < n; i++) memset(tsm_row(a, i) + i + 1, 0, (size_t)(n - i - 1) * sizeof(double));
  return status;
}

tsm_status tsm_k_linalg_cholesky(tsm_opcall *c) {
  tsm_matrices a;
  tsm_linalg l;
  tsm_status status = tsm_matrices_open(c, 0, &a);
  if (status) return status;
  const int64_t n = a.rows, counts[] = {tsm_doubles(n, n), tsm_doubles(n, TSM_BLOCK)};
  status = tsm_linalg_begin(c, tsm_doubles_sum(counts, 2), &l);
  if (!status) {
    tsm_block matrix = tsm_take(&l, n, n), turned = tsm_take(&l, n, TSM_BLOCK);
    int32_t *failed = (int32_t *)(void *)tsm_result_tensor(c, 1)->storage->data;
    for (int64_t i = 0; i < a.count && !status; i++) {
      failed[i] = 0;
      if (!n) continue;
      status = tsm_matrix_read(&l, &a, i, &matrix);
      if (!status) status = cholesky(&l, &matrix, &turned, &failed[i]);
      if (!status) status = tsm_matrix_write(&l, tsm_result_tensor(c, 0), i, &matrix);
    }
  }
  tsm_linalg_end(&l);
  tsm_matrices_close(&a);
  return status;
}
