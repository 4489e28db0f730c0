/* linalg_eigh.c - eigenvalues and eigenvectors of symmetric matrices.
 * In: square matrices, of which the lower triangle is read. Out: eigenvalues in ascending order, eigenvectors as
 * columns, NaN where a matrix is not finite, and 1 where the steps do not end. Holds: reflections make a matrix tridiagonal, QL steps with implicit
 * shifts make that diagonal; vectors are kept as rows, so that a rotation changes two rows. */
#include <float.h>
#include <math.h>

#include "kernels.h"
#include "linalg.h"

enum { STEPS = 60 }; /* QL steps for one eigenvalue; a finite matrix takes two or three */

/* The product of the symmetric matrix behind column k (its lower triangle) with x. */
static void symmetric_product(const tsm_linalg *l, const tsm_block *a, int64_t k, const double *x, double *out) {
  const int64_t n = a->rows - k - 1;
  memset(out, 0, (size_t)n * sizeof(double));
  for (int64_t i = 0; i < n; i++) {
    const double *row = tsm_row(a, k + 1 + i) + k + 1;
    out[i] += l->set->dot(row, x, (size_t)i) + row[i] * x[i];
    l->set->add_scaled(out, row, x[i], (size_t)i);
  }
}

/* a becomes tridiagonal: its diagonal in d, what is beside it in e; row k of v gets the reflection of column k. */
static tsm_status tridiagonal(tsm_linalg *l, tsm_block *a, tsm_block *v, double *tau, double *d, double *e, double *w) {
  const int64_t n = a->rows;
  for (int64_t k = 0; k + 1 < n; k++) {
    const int64_t m = n - k - 1;
    tsm_status status = tsm_charge_elements(l->call->ctx, 2 * m * m);
    if (status) return status;
    double *x = tsm_row(v, k) + k + 1;
    memset(x - k - 1, 0, (size_t)(k + 1) * sizeof(double));
    for (int64_t i = 0; i < m; i++) x[i] = tsm_row(a, k + 1 + i)[k];
    tau[k] = tsm_reflector(l, x, m);
    d[k] = tsm_row(a, k)[k];
    e[k] = x[0];
    x[0] = 1;
    if (tau[k] == 0) continue;
    symmetric_product(l, a, k, x, w);
    const double share = -0.5 * tau[k] * l->set->dot(w, x, (size_t)m);
    l->set->add_scaled(w, x, share, (size_t)m);
    for (int64_t i = 0; i < m; i++)
      l->set->add_two(tsm_row(a, k + 1 + i) + k + 1, w, -tau[k] * x[i], x, -tau[k] * w[i], (size_t)i + 1);
  }
  if (n) d[n - 1] = tsm_row(a, n - 1)[n - 1];
  return TSM_OK;
}

/* The first index at or behind `from` whose off-diagonal element is as good as zero. */
static int64_t split_at(const double *d, const double *e, int64_t from, int64_t n) {
  int64_t m = from;
  while (m < n - 1 && fabs(e[m]) > DBL_EPSILON * 0.5 * (fabs(d[m]) + fabs(d[m + 1]))) m++;
  return m;
}

/* One QL step from m up to `from`, with the shift that the two first rows give. */
static void ql_step(const tsm_linalg *l, double *d, double *e, int64_t from, int64_t m, tsm_block *vectors) {
  double half = (d[from + 1] - d[from]) / (2 * e[from]);
  double g = d[m] - d[from] + e[from] / (half + copysign(hypot(half, 1), half)), s = 1, c = 1, p = 0;
  for (int64_t i = m - 1; i >= from; i--) {
    double f = s * e[i], b = c * e[i], r = hypot(f, g);
    e[i + 1] = r;
    if (r == 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    if (vectors) l->set->rotate(tsm_row(vectors, i + 1), tsm_row(vectors, i), c, s, (size_t)vectors->columns);
  }
  d[from] -= p;
  e[from] = g;
  e[m] = 0;
}

/* e has n elements, the last of them free. */
static tsm_status diagonal(tsm_linalg *l, double *d, double *e, int64_t n, tsm_block *vectors, bool *out_fails) {
  if (n) e[n - 1] = 0;
  for (int64_t from = 0; from < n; from++) {
    int64_t m;
    for (int steps = 0; (m = split_at(d, e, from, n)) != from; steps++) {
      if (steps == STEPS) {
        *out_fails = true;
        return TSM_OK;
      }
      tsm_status status = tsm_charge_elements(l->call->ctx, (m - from) * (vectors ? n + 16 : 16));
      if (status) return status;
      ql_step(l, d, e, from, m, vectors);
    }
  }
  return TSM_OK;
}

/* Ascending order, the rows of `vectors` with their values. */
static void sort_pairs(double *d, int64_t n, tsm_block *vectors) {
  for (int64_t i = 0; i < n; i++) {
    int64_t least = i;
    for (int64_t k = i + 1; k < n; k++) if (d[k] < d[least]) least = k;
    if (least == i) continue;
    double kept = d[i];
    d[i] = d[least];
    d[least] = kept;
    for (int64_t j = 0; vectors && j < n; j++) {
      kept = tsm_row(vectors, i)[j];
      tsm_row(vectors, i)[j] = tsm_row(vectors, least)[j];
      tsm_row(vectors, least)[j] = kept;
    }
  }
}

typedef struct eigen { tsm_block matrix, v, vectors, scratch; double *tau, *d, *e, *w; } eigen;

static tsm_status decompose(tsm_linalg *l, eigen *x, bool wants_vectors, bool *out_fails) {
  const int64_t n = x->matrix.rows;
  tsm_status status = tridiagonal(l, &x->matrix, &x->v, x->tau, x->d, x->e, x->w);
  if (!status && wants_vectors) {
    tsm_block used = x->v;
    used.rows = n > 1 ? n - 1 : 0;
    status = tsm_reflectors_product(l, &used, x->tau, 1, &x->vectors, &x->scratch);
    if (!status) status = tsm_block_turn(l, &x->vectors);
  }
  if (!status) status = diagonal(l, x->d, x->e, n, wants_vectors ? &x->vectors : NULL, out_fails);
  if (!status) status = tsm_charge_elements(l->call->ctx, n * n);
  sort_pairs(x->d, n, wants_vectors ? &x->vectors : NULL);
  return status;
}

/* Scaled by a power of two, so that squares of its elements neither overflow nor vanish; gives the exponent. */
static int scale_lower(tsm_block *a) {
  double largest = 0;
  for (int64_t i = 0; i < a->rows; i++)
    for (int64_t j = 0; j <= i; j++) largest = fmax(largest, fabs(tsm_row(a, i)[j]));
  int exponent = 0;
  if (largest > 0) frexp(largest, &exponent);
  for (int64_t i = 0; i < a->rows; i++) {
    for (int64_t j = 0; j <= i; j++) tsm_row(a, i)[j] = ldexp(tsm_row(a, i)[j], -exponent);
    memset(tsm_row(a, i) + i + 1, 0, (size_t)(a->rows - i - 1) * sizeof(double));
  }
  return exponent;
}

static tsm_status run_eigh(tsm_linalg *l, const tsm_matrices *a, eigen *x, bool wants_vectors, int64_t i) {
  tsm_opcall *c = l->call;
  tsm_status status = tsm_matrix_read(l, a, i, &x->matrix);
  if (status) return status;
  int exponent = 0;
  for (int64_t k = 0; k < a->rows; k++) memset(tsm_row(&x->matrix, k) + k + 1, 0, (size_t)(a->rows - k - 1) * sizeof(double));
  const bool is_finite = tsm_block_is_finite(&x->matrix);
  bool fails = false;
  if (is_finite) {
    exponent = scale_lower(&x->matrix);
    status = decompose(l, x, wants_vectors, &fails);
  }
  if (status) return status;
  for (int64_t k = 0; k < a->rows; k++) x->d[k] = is_finite ? ldexp(x->d[k], exponent) : (double)NAN;
  for (int64_t k = 0; k < a->rows * a->rows && !is_finite; k++) x->vectors.at[k] = (double)NAN;
  ((int32_t *)(void *)tsm_result_tensor(c, 2)->storage->data)[i] = fails;
  tsm_vector_write(tsm_result_tensor(c, 0), i, x->d, a->rows);
  if (!wants_vectors) return TSM_OK;
  status = tsm_block_turn(l, &x->vectors);
  return status ? status : tsm_matrix_write(l, tsm_result_tensor(c, 1), i, &x->vectors);
}

tsm_status tsm_k_linalg_eigh(tsm_opcall *c) {
  tsm_matrices a;
  tsm_linalg l;
  tsm_status status = tsm_matrices_open(c, 0, &a);
  if (status) return status;
  const bool wants_vectors = tsm_arg_bool(c, 1);
  const int64_t n = a.rows, square = tsm_doubles(n, n);
  const int64_t counts[] = {square, square, square, tsm_doubles(4, n), tsm_reflect_doubles(n)};
  status = tsm_linalg_begin(c, tsm_doubles_sum(counts, 5), &l);
  if (!status) {
    eigen x = {.matrix = tsm_take(&l, n, n), .v = tsm_take(&l, n, n), .vectors = tsm_take(&l, n, n)};
    tsm_block rows = tsm_take(&l, 4, n);
    x.tau = tsm_row(&rows, 0), x.d = tsm_row(&rows, 1), x.e = tsm_row(&rows, 2), x.w = tsm_row(&rows, 3);
    x.scratch = tsm_take(&l, 1, counts[4]);
    memset(x.vectors.at, 0, (size_t)square * sizeof(double));
    for (int64_t i = 0; i < a.count && !status; i++) status = run_eigh(&l, &a, &x, wants_vectors, i);
  }
  tsm_linalg_end(&l);
  tsm_matrices_close(&a);
  return status;
}
