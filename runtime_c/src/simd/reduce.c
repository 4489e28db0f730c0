/* reduce.c - the functions of reduce.h on this instruction set, for both float types.
 * In: rows. Out: tsm_reduce of this set. Holds: see reduce_rows.h, which has the bodies; accumulators are doubles. */
/* The bodies are written out in vectors: what -O3 adds to them is only size. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
#include "reduce.h"

#include "elementary.h"

enum { AHEAD = 16384, HELD = 16384, PAGE = 4096, LINE = 64 }; /* bytes */

static inline double neutral(tsm_join join) {
  return join == TSM_JOIN_MAX ? -INFINITY : join == TSM_JOIN_MIN ? INFINITY : 0;
}

static inline double join_numbers(tsm_join join, double a, double b) {
  if (join == TSM_JOIN_MAX) return b > a || b != b ? b : a;
  if (join == TSM_JOIN_MIN) return b < a || b != b ? b : a;
  return a + b;
}

static inline double take_number(tsm_join join, double a, double x, double mean) {
  if (join == TSM_JOIN_SQUARES) return a + (x - mean) * (x - mean);
  return join_numbers(join, a, x);
}

/* max and min keep their second operand beside NaN, so that a NaN once taken stays. */
TSM_INLINE vd join_vectors(tsm_join join, vd a, vd b) {
  if (join == TSM_JOIN_MAX) return vd_blend(vd_ne(b, b), b, vd_max(b, a));
  if (join == TSM_JOIN_MIN) return vd_blend(vd_ne(b, b), b, vd_min(b, a));
  return a + b;
}

TSM_INLINE vd take_vector(tsm_join join, vd a, vd x, vd mean) {
  if (join == TSM_JOIN_SQUARES) return a + (x - mean) * (x - mean);
  return join_vectors(join, a, x);
}

#define REAL float
#define EXP_OF_NEGATIVE vf_exp_of_negative
#define V(name) vf##name
#define NAME(name) name##_f32
#define MASK vfm
#define LANES ((size_t)VF)
#define TAKE_2(join, a, b, p, m, m2)                      \
  do {                                                    \
    a = take_vector(join, a, vd_load_floats(p), m);       \
    b = take_vector(join, b, vd_load_floats((p) + VD), m2); \
  } while (0)
#define ADD_EXACT(a, b, x) a = a + vf_low(x), b = b + vf_high(x)
#define TAKE(join, a, b, p, m) TAKE_2(join, a, b, p, m, m)
#include "reduce_rows.h"

static void sum_four(double *out, const float *x, size_t n, ptrdiff_t apart) {
  vd a[4], b[4];
  size_t i = 0;
  TSM_UNROLL(4)
  for (size_t k = 0; k < 4; k++) a[k] = b[k] = vd_set1(0);
  for (; i + 4 * LANES <= n; i += 4 * LANES) {
    const float *p = x + i;
    TSM_UNROLL(4)
    for (size_t k = 0; k < 4; k++, p += apart) {
      const vf few = four_added_f32(p);
      ADD_EXACT(a[k], b[k], few);
    }
  }
  double both[4][VD];
  TSM_UNROLL(4)
  for (size_t k = 0; k < 4; k++) vd_store(both[k], a[k] + b[k]);
  TSM_ROLLED
  for (size_t k = 0; k < 4; k++, x += apart) out[k] = sum_end_f32(vd_load(both[k]), x, i, n);
  vectors_end();
}

#undef REAL
#undef V
#undef NAME
#undef MASK
#undef LANES
#undef TAKE_2
#undef ADD_EXACT
#undef EXP_OF_NEGATIVE

#define REAL double
#define EXP_OF_NEGATIVE vd_exp
#define V(name) vd##name
#define NAME(name) name##_f64
#define MASK vdm
#define LANES ((size_t)VD)
#define TAKE_2(join, a, b, p, m, m2) a = take_vector(join, a, vd_load(p), m), (void)b, (void)m2
#define ADD_EXACT(a, b, x) a = a + (x)
#include "reduce_rows.h"

/* It wraps. */
static uint64_t sum_i64(const uint64_t *x, size_t n) {
  vu64 a = {0}, b = a, c = a, d = a;
  size_t i = 0;
  for (; i + 4 * VD <= n; i += 4 * VD) {
    const int32_t *p = (const int32_t *)(const void *)(x + i);
    for (size_t at = 0; at < 4 * TSM_VB; at += 64) __builtin_prefetch((const char *)p + AHEAD / 2 + at);
    a += (vu64)vi_load(p);
    b += (vu64)vi_load(p + VF);
    c += (vu64)vi_load(p + 2 * VF);
    d += (vu64)vi_load(p + 3 * VF);
  }
  a = (a + b) + (c + d);
  uint64_t sum = 0;
  for (size_t k = 0; k < VD; k++) sum += a[k];
  vectors_end();
  for (; i < n; i++) sum += x[i];
  return sum;
}

#define JOINS(kind, real) {kind##_sum_##real, kind##_squares_##real, kind##_max_##real, kind##_min_##real}
const tsm_reduce_set TSM_NAMED(tsm_reduce) = {
    .row = {JOINS(row, f32), JOINS(row, f64)},
    .columns = {JOINS(columns, f32), JOINS(columns, f64)},
    .softmax = {softmax_f32, softmax_f64},
    .normalize = {normalize_f32, normalize_f64},
    .sum_four = sum_four,
    .sum_i64 = sum_i64,
};
