/* linalg.c - see linalg.h. Four vectors at a time, then one, then what is left element by element. */
#include "linalg.h"

#include "vector.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O2")
#endif

static double dot(const double *x, const double *y, size_t n) {
  vd sums[4] = {{0}, {0}, {0}, {0}};
  size_t i = 0;
  for (; i + 4 * VD <= n; i += 4 * VD)
    for (size_t k = 0; k < 4; k++) sums[k] += vd_load(x + i + k * VD) * vd_load(y + i + k * VD);
  for (; i + VD <= n; i += VD) sums[0] += vd_load(x + i) * vd_load(y + i);
  vd joined = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  double sum = 0;
  for (size_t k = 0; k < VD; k++) sum += joined[k];
  for (; i < n; i++) sum += x[i] * y[i];
  return vectors_end_with(sum);
}

static void add_scaled(double *y, const double *x, double a, size_t n) {
  const vd by = vd_set1(a);
  size_t i = 0;
  for (; i + 2 * VD <= n; i += 2 * VD) {
    vd_store(y + i, vd_load(y + i) + by * vd_load(x + i));
    vd_store(y + i + VD, vd_load(y + i + VD) + by * vd_load(x + i + VD));
  }
  for (; i + VD <= n; i += VD) vd_store(y + i, vd_load(y + i) + by * vd_load(x + i));
  for (; i < n; i++) y[i] += a * x[i];
  vectors_end();
}

static void add_two(double *y, const double *x, double a, const double *z, double b, size_t n) {
  const vd by_x = vd_set1(a), by_z = vd_set1(b);
  size_t i = 0;
  for (; i + VD <= n; i += VD) vd_store(y + i, vd_load(y + i) + by_x * vd_load(x + i) + by_z * vd_load(z + i));
  for (; i < n; i++) y[i] += a * x[i] + b * z[i];
  vectors_end();
}

static void rotate(double *x, double *y, double c, double s, size_t n) {
  const vd cosine = vd_set1(c), sine = vd_set1(s);
  size_t i = 0;
  for (; i + VD <= n; i += VD) {
    const vd a = vd_load(x + i), b = vd_load(y + i);
    vd_store(x + i, cosine * a + sine * b);
    vd_store(y + i, cosine * b - sine * a);
  }
  for (; i < n; i++) {
    const double a = x[i], b = y[i];
    x[i] = c * a + s * b;
    y[i] = c * b - s * a;
  }
  vectors_end();
}

const tsm_linalg_set TSM_NAMED(tsm_linalg) = {dot, add_scaled, add_two, rotate};
