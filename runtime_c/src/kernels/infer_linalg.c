/* infer_linalg.c - dtype and shape of factors and solutions of batches of matrices.
 * In: tensors of floats with matrices in the last two dimensions. Out: shapes, or an error that names them. */
#include "arguments.h"
#include "kernels.h"

static tsm_status check_matrices(tsm_opcall *c, size_t argument, bool is_square) {
  const tsm_tensor *t = tsm_arg_tensor(c, argument);
  char text[TSM_SHAPE_TEXT];
  const char *name = c->site->op->name;
  if (t->dtype != TSM_F32 && t->dtype != TSM_F64)
    return tsm_raise(c->ctx, "RuntimeError", "%s: expected float32 or float64, but got %s", name,
                     tsm_dtype_name((tsm_dtype)t->dtype));
  if (t->rank < 2)
    return tsm_raise(c->ctx, "RuntimeError", "%s: expected at least 2 dimensions, but got %s", name,
                     tsm_shape_text(text, t));
  if (is_square && tsm_shape(t)[t->rank - 2] != tsm_shape(t)[t->rank - 1])
    return tsm_raise(c->ctx, "RuntimeError", "%s: expected square matrices, but got %s", name, tsm_shape_text(text, t));
  return TSM_OK;
}

/* The leading dimensions with one matrix, vector or number for each matrix; -1: no such dimension. */
static void leading(const tsm_tensor *t, unsigned dtype, int64_t rows, int64_t columns, tsm_meta *out) {
  out->dtype = (uint8_t)dtype;
  out->rank = (uint8_t)(t->rank - 2);
  memcpy(out->shape, tsm_shape(t), out->rank * sizeof *out->shape);
  if (rows >= 0) out->shape[out->rank++] = rows;
  if (columns >= 0) out->shape[out->rank++] = columns;
}

static int64_t extent(const tsm_opcall *c, size_t argument, size_t from_end) {
  const tsm_tensor *t = tsm_arg_tensor(c, argument);
  return tsm_shape(t)[t->rank - from_end];
}

tsm_status tsm_i_linalg_lu_factor(tsm_opcall *c, tsm_meta *out) {
  tsm_status status = check_matrices(c, 0, false);
  if (status) return status;
  const tsm_tensor *a = tsm_arg_tensor(c, 0);
  const int64_t m = extent(c, 0, 2), n = extent(c, 0, 1);
  tsm_meta_of(a, &out[0]);
  leading(a, TSM_I32, m < n ? m : n, -1, &out[1]);
  return TSM_OK;
}

/* Argument b's matrices meet those of a: the same dtype, leading dimensions and rows. */
static tsm_status check_sides(tsm_opcall *c, size_t a, size_t b) {
  tsm_status status = check_matrices(c, a, true);
  if (!status) status = check_matrices(c, b, false);
  if (status) return status;
  const tsm_tensor *x = tsm_arg_tensor(c, a), *y = tsm_arg_tensor(c, b);
  bool fits = x->dtype == y->dtype && x->rank == y->rank;
  for (size_t d = 0; fits && d + 1 < x->rank; d++) fits = tsm_shape(x)[d] == tsm_shape(y)[d];
  if (fits) return TSM_OK;
  char text[TSM_SHAPE_TEXT], other[TSM_SHAPE_TEXT];
  return tsm_raise(c->ctx, "RuntimeError", "%s: %s of %s and %s of %s do not fit", c->site->op->name,
                   tsm_shape_text(text, x), tsm_dtype_name((tsm_dtype)x->dtype), tsm_shape_text(other, y),
                   tsm_dtype_name((tsm_dtype)y->dtype));
}

tsm_status tsm_i_linalg_solve_triangular(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 1), out);
  return check_sides(c, 0, 1);
}

tsm_status tsm_i_linalg_lu_solve(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *lu = tsm_arg_tensor(c, 0), *pivots = tsm_arg_tensor(c, 1);
  tsm_status status = check_sides(c, 0, 2);
  if (status) return status;
  bool fits = pivots->dtype == TSM_I32 && pivots->rank + 1 == lu->rank;
  for (size_t d = 0; fits && d < pivots->rank; d++) fits = tsm_shape(pivots)[d] == tsm_shape(lu)[d];
  char text[TSM_SHAPE_TEXT], other[TSM_SHAPE_TEXT];
  if (!fits)
    return tsm_raise(c->ctx, "RuntimeError", "%s: pivots of int32 for %s are expected, but got %s of %s",
                     c->site->op->name, tsm_shape_text(text, lu), tsm_shape_text(other, pivots),
                     tsm_dtype_name((tsm_dtype)pivots->dtype));
  tsm_meta_of(tsm_arg_tensor(c, 2), out);
  return TSM_OK;
}

tsm_status tsm_i_linalg_cholesky(tsm_opcall *c, tsm_meta *out) {
  tsm_status status = check_matrices(c, 0, true);
  if (status) return status;
  tsm_meta_of(tsm_arg_tensor(c, 0), &out[0]);
  leading(tsm_arg_tensor(c, 0), TSM_I32, -1, -1, &out[1]);
  return TSM_OK;
}

tsm_status tsm_i_linalg_qr(tsm_opcall *c, tsm_meta *out) {
  tsm_status status = check_matrices(c, 0, false);
  if (status) return status;
  const tsm_tensor *a = tsm_arg_tensor(c, 0);
  const int64_t m = extent(c, 0, 2), n = extent(c, 0, 1), width = tsm_arg_bool(c, 1) || m < n ? m : n;
  leading(a, a->dtype, m, width, &out[0]);
  leading(a, a->dtype, width, n, &out[1]);
  return TSM_OK;
}

tsm_status tsm_i_linalg_eigh(tsm_opcall *c, tsm_meta *out) {
  tsm_status status = check_matrices(c, 0, true);
  if (status) return status;
  const tsm_tensor *a = tsm_arg_tensor(c, 0);
  const int64_t n = extent(c, 0, 1), kept = tsm_arg_bool(c, 1) ? n : 0;
  leading(a, a->dtype, n, -1, &out[0]);
  leading(a, a->dtype, kept, kept, &out[1]);
  leading(a, TSM_I32, -1, -1, &out[2]);
  return TSM_OK;
}

tsm_status tsm_i_linalg_svd(tsm_opcall *c, tsm_meta *out) {
  tsm_status status = check_matrices(c, 0, false);
  if (status) return status;
  const tsm_tensor *a = tsm_arg_tensor(c, 0);
  const int64_t m = extent(c, 0, 2), n = extent(c, 0, 1);
  const bool is_full = tsm_arg_bool(c, 1), has_vectors = tsm_arg_bool(c, 2);
  char text[TSM_SHAPE_TEXT];
  if (m < n)
    return tsm_raise(c->ctx, "RuntimeError", "%s: expected at least as many rows as columns, but got %s",
                     c->site->op->name, tsm_shape_text(text, a));
  leading(a, a->dtype, has_vectors ? m : 0, has_vectors ? is_full ? m : n : 0, &out[0]);
  leading(a, a->dtype, n, -1, &out[1]);
  leading(a, a->dtype, has_vectors ? n : 0, has_vectors ? n : 0, &out[2]);
  leading(a, TSM_I32, -1, -1, &out[3]);
  return TSM_OK;
}
