/* linalg_svd.c - singular values and vectors.
 * In: matrices at least as high as wide. Out: left vectors as columns, values in descending order, right vectors as rows,
 * and 1 for a matrix that is not finite. Holds: QR first where there are more rows than columns, reflections from both
 * sides make the triangle bidiagonal, QR steps with implicit shifts make that diagonal; vectors are kept as rows. */
#include <float.h>
#include <math.h>

#include "kernels.h"
#include "linalg_qr.h"

enum { STEPS = 60 };

/* What one matrix takes: m x n with m >= n; all else is n x n but q (m x width), tall (m x n) and v (n x m). */
typedef struct singular {
  tsm_block tall, v, q;                   /* the matrix, the reflections of its columns, their product */
  tsm_block square, left, right, lv, rv;  /* its triangle, both sides' vectors as rows, and their reflections */
  tsm_block scratch;
  double *tau, *ltau, *rtau, *d, *e, *w;
} singular;

/* The left side of step k: makes column k zero below the diagonal, where row k is done before the others. */
static void reflect_column(const tsm_linalg *l, singular *x, int64_t k) {
  tsm_block *a = &x->square;
  const int64_t m = a->rows - k, n = m - 1;
  double *u = tsm_row(&x->lv, k) + k;
  memset(u - k, 0, (size_t)k * sizeof(double));
  for (int64_t i = 0; i < m; i++) u[i] = tsm_row(a, k + i)[k];
  x->ltau[k] = tsm_reflector(l, u, m);
  x->d[k] = u[0];
  u[0] = 1;
  memset(x->w, 0, (size_t)n * sizeof(double));
  for (int64_t i = 0; i < m; i++) l->set->add_scaled(x->w, tsm_row(a, k + i) + k + 1, u[i] * x->ltau[k], (size_t)n);
}

/* Both sides of all steps. */
static tsm_status bidiagonal(tsm_linalg *l, singular *x) {
  tsm_block *a = &x->square;
  for (int64_t k = 0; k < a->rows; k++) {
    const int64_t m = a->rows - k, n = m - 1;
    tsm_status status = tsm_charge_elements(l->call->ctx, 4 * m * m);
    if (status) return status;
    reflect_column(l, x, k);
    const double *u = tsm_row(&x->lv, k) + k;
    double *row = tsm_row(a, k) + k + 1, *v = tsm_row(&x->rv, k) + k + 1;
    memset(tsm_row(&x->rv, k), 0, (size_t)a->rows * sizeof(double));
    x->rtau[k] = 0;
    if (!n) break;
    l->set->add_scaled(row, x->w, -1, (size_t)n);
    memcpy(v, row, (size_t)n * sizeof(double));
    x->rtau[k] = tsm_reflector(l, v, n);
    x->e[k] = v[0];
    v[0] = 1;
    for (int64_t i = 1; i < m; i++) {
      double *other = tsm_row(a, k + i) + k + 1;
      if (x->ltau[k] != 0) l->set->add_scaled(other, x->w, -u[i], (size_t)n);
      if (x->rtau[k] != 0) l->set->add_scaled(other, v, -x->rtau[k] * l->set->dot(other, v, (size_t)n), (size_t)n);
    }
  }
  return TSM_OK;
}

typedef struct rotation { double c, s, r; } rotation;

/* c f + s g = r, c g - s f = 0. */
static rotation rotation_of(double f, double g) {
  double r = hypot(f, g);
  return r == 0 ? (rotation){1, 0, 0} : (rotation){f / r, g / r, r};
}

static void turn(const tsm_linalg *l, tsm_block *rows, int64_t i, int64_t k, rotation by) {
  if (rows) l->set->rotate(tsm_row(rows, i), tsm_row(rows, k), by.c, by.s, (size_t)rows->columns);
}

/* d[at] is as good as zero: what is beside it is moved out of the rows to its right. */
static void clear_row(const tsm_linalg *l, singular *x, int64_t at, int64_t last, tsm_block *left) {
  double f = x->e[at];
  x->e[at] = 0;
  for (int64_t j = at + 1; j <= last && f != 0; j++) {
    rotation by = rotation_of(x->d[j], f);
    x->d[j] = by.r;
    if (j < last) f = -by.s * x->e[j];
    if (j < last) x->e[j] *= by.c;
    turn(l, left, j, at, by);
  }
}

/* One QR step on rows first..last, with the shift that the last two rows give. */
static void qr_step(const tsm_linalg *l, singular *x, int64_t first, int64_t last, tsm_block *left, tsm_block *right) {
  double *d = x->d, *e = x->e;
  const double above = last - 1 > first ? e[last - 2] : 0;
  const double a = d[last - 1] * d[last - 1] + above * above, b = d[last - 1] * e[last - 1];
  const double c = d[last] * d[last] + e[last - 1] * e[last - 1], half = (a - c) / 2;
  const double away = half + copysign(hypot(half, b), half), shift = away == 0 ? c : c - b * b / away;
  double y = d[first] * d[first] - shift, z = d[first] * e[first];
  for (int64_t k = first; k < last; k++) {
    rotation by = rotation_of(y, z);
    if (k > first) e[k - 1] = by.r;
    double f = by.c * d[k] + by.s * e[k];
    e[k] = by.c * e[k] - by.s * d[k];
    z = by.s * d[k + 1];
    d[k + 1] *= by.c;
    turn(l, right, k, k + 1, by);
    by = rotation_of(f, z);
    d[k] = by.r;
    f = e[k];
    e[k] = by.c * f + by.s * d[k + 1];
    d[k + 1] = by.c * d[k + 1] - by.s * f;
    turn(l, left, k, k + 1, by);
    y = e[k];
    if (k + 1 < last) {
      z = by.s * e[k + 1];
      e[k + 1] *= by.c;
    }
  }
}

/* The first row of the block that ends at `last` and has no zero inside; zeros of the diagonal are cleared. */
static int64_t block_start(const tsm_linalg *l, singular *x, int64_t last, double least, tsm_block *left) {
  for (int64_t k = last; k > 0; k--) {
    double *e = &x->e[k - 1];
    if (fabs(*e) <= DBL_EPSILON * 0.5 * (fabs(x->d[k - 1]) + fabs(x->d[k])) || fabs(*e) <= least) {
      *e = 0;
      return k;
    }
    if (fabs(x->d[k - 1]) <= least) {
      x->d[k - 1] = 0;
      clear_row(l, x, k - 1, last, left);
      return k;
    }
  }
  return 0;
}

static tsm_status diagonal(tsm_linalg *l, singular *x, int64_t n, tsm_block *left, tsm_block *right, bool *out_fails) {
  double largest = 0;
  for (int64_t k = 0; k < n; k++) largest = fmax(largest, fmax(fabs(x->d[k]), k + 1 < n ? fabs(x->e[k]) : 0));
  const double least = largest * DBL_EPSILON * 0x1p-10;
  for (int64_t last = n - 1; last > 0;) {
    int64_t first;
    for (int steps = 0; (first = block_start(l, x, last, least, left)) != last; steps++) {
      if (steps == STEPS) {
        *out_fails = true;
        return TSM_OK;
      }
      tsm_status status = tsm_charge_elements(l->call->ctx, (last - first) * (left ? 2 * n + 32 : 32));
      if (status) return status;
      qr_step(l, x, first, last, left, right);
    }
    last--;
  }
  return TSM_OK;
}

static void swap(tsm_block *rows, int64_t i, int64_t k) {
  for (int64_t j = 0; rows && j < rows->columns; j++) {
    double kept = tsm_row(rows, i)[j];
    tsm_row(rows, i)[j] = tsm_row(rows, k)[j];
    tsm_row(rows, k)[j] = kept;
  }
}

/* Values made positive and put in descending order, vectors with them. */
static void sort_values(singular *x, int64_t n, tsm_block *left, tsm_block *right) {
  for (int64_t k = 0; k < n; k++) {
    if (!signbit(x->d[k])) continue;
    x->d[k] = -x->d[k];
    for (int64_t j = 0; right && j < n; j++) tsm_row(right, k)[j] = -tsm_row(right, k)[j];
  }
  for (int64_t i = 0; i < n; i++) {
    int64_t most = i;
    for (int64_t k = i + 1; k < n; k++) if (x->d[k] > x->d[most]) most = k;
    double kept = x->d[i];
    x->d[i] = x->d[most];
    x->d[most] = kept;
    if (most != i) swap(left, i, most), swap(right, i, most);
  }
}

/* Largest size of an element as a power of two, by which all are divided. */
static int scale(tsm_block *a) {
  double largest = 0;
  for (int64_t i = 0; i < a->rows * a->columns; i++) largest = fmax(largest, fabs(a->at[i]));
  int exponent = 0;
  if (largest > 0) frexp(largest, &exponent);
  for (int64_t i = 0; i < a->rows * a->columns; i++) a->at[i] = ldexp(a->at[i], -exponent);
  return exponent;
}

/* The square triangle of the matrix, which is the matrix itself if it is square; q gets what makes the whole of it. */
static tsm_status make_square(tsm_linalg *l, singular *x, bool wants_vectors) {
  const int64_t m = x->tall.rows, n = x->tall.columns;
  tsm_status status = m > n ? tsm_reduce_columns(l, &x->tall, &x->v, x->tau, &x->scratch) : TSM_OK;
  if (!status && m > n && wants_vectors) status = tsm_reflectors_product(l, &x->v, x->tau, 0, &x->q, &x->scratch);
  for (int64_t i = 0; i < n; i++) memcpy(tsm_row(&x->square, i), tsm_row(&x->tall, i), (size_t)n * sizeof(double));
  return status;
}

static tsm_status make_vectors(tsm_linalg *l, singular *x) {
  tsm_status status = tsm_reflectors_product(l, &x->lv, x->ltau, 0, &x->left, &x->scratch);
  tsm_block used = x->rv;
  used.rows -= used.rows > 0;
  if (!status) status = tsm_reflectors_product(l, &used, x->rtau, 1, &x->right, &x->scratch);
  if (!status) status = tsm_block_turn(l, &x->left);
  return status ? status : tsm_block_turn(l, &x->right);
}

/* U of the whole matrix into result 0. */
static tsm_status write_left(tsm_linalg *l, singular *x, int64_t i) {
  const int64_t m = x->tall.rows, n = x->tall.columns;
  tsm_status status = tsm_block_turn(l, &x->left);
  if (status) return status;
  if (m == n) return tsm_matrix_write(l, tsm_result_tensor(l->call, 0), i, &x->left);
  tsm_block first = {x->q.at, m, n, x->q.row};
  status = tsm_block_product(l, &first, false, &x->left, &x->tall, false);
  for (int64_t r = 0; r < m; r++) memcpy(tsm_row(&x->q, r), tsm_row(&x->tall, r), (size_t)n * sizeof(double));
  return status ? status : tsm_matrix_write(l, tsm_result_tensor(l->call, 0), i, &x->q);
}

static tsm_status run_svd(tsm_linalg *l, const tsm_matrices *a, singular *x, bool wants_vectors, int64_t i) {
  tsm_opcall *c = l->call;
  const int64_t n = a->columns;
  tsm_block *left = wants_vectors ? &x->left : NULL, *right = wants_vectors ? &x->right : NULL;
  tsm_status status = tsm_matrix_read(l, a, i, &x->tall);
  if (status) return status;
  bool fails = !tsm_block_is_finite(&x->tall);
  if (fails) {
    for (int64_t k = 0; k < n; k++) x->d[k] = (double)NAN;
  } else {
    int exponent = scale(&x->tall);
    status = make_square(l, x, wants_vectors);
    if (!status) status = bidiagonal(l, x);
    if (!status && wants_vectors) status = make_vectors(l, x);
    if (!status) status = diagonal(l, x, n, left, right, &fails);
    if (!status) status = tsm_charge_elements(c->ctx, n * n);
    if (status) return status;
    sort_values(x, n, left, right);
    for (int64_t k = 0; k < n; k++) x->d[k] = ldexp(x->d[k], exponent);
  }
  ((int32_t *)(void *)tsm_result_tensor(c, 3)->storage->data)[i] = fails;
  tsm_vector_write(tsm_result_tensor(c, 1), i, x->d, n);
  if (!wants_vectors) return TSM_OK;
  status = write_left(l, x, i);
  return status ? status : tsm_matrix_write(l, tsm_result_tensor(c, 2), i, &x->right);
}

tsm_status tsm_k_linalg_svd(tsm_opcall *c) {
  tsm_matrices a;
  tsm_linalg l;
  tsm_status status = tsm_matrices_open(c, 0, &a);
  if (status) return status;
  const bool wants_vectors = tsm_arg_bool(c, 2);
  const tsm_tensor *u = tsm_result_tensor(c, 0);
  const int64_t m = a.rows, n = a.columns, width = wants_vectors ? tsm_shape(u)[u->rank - 1] : 0;
  const int64_t square = tsm_doubles(n, n), tall = tsm_doubles(m, n);
  const int64_t counts[] = {tall, tall, tsm_doubles(m, width), square, square, square, square, square, tsm_doubles(6, n),
                            tsm_reflect_doubles(n > width ? n : width)};
  status = tsm_linalg_begin(c, tsm_doubles_sum(counts, 10), &l);
  if (!status) {
    singular x = {.tall = tsm_take(&l, m, n), .v = tsm_take(&l, n, m), .q = tsm_take(&l, m, width),
                  .square = tsm_take(&l, n, n), .left = tsm_take(&l, n, n), .right = tsm_take(&l, n, n),
                  .lv = tsm_take(&l, n, n), .rv = tsm_take(&l, n, n)};
    tsm_block rows = tsm_take(&l, 6, n);
    double **places[] = {&x.tau, &x.ltau, &x.rtau, &x.d, &x.e, &x.w};
    for (int64_t k = 0; k < 6; k++) *places[k] = tsm_row(&rows, k);
    x.scratch = tsm_take(&l, 1, counts[9]);
    memset(l.space.memory, 0, l.space.capacity * sizeof(double));
    for (int64_t i = 0; i < a.count && !status; i++) status = run_svd(&l, &a, &x, wants_vectors, i);
  }
  tsm_linalg_end(&l);
  tsm_matrices_close(&a);
  return status;
}
