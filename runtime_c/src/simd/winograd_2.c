/* winograd_2.c - F(2x2, 3x3) over the points 0, 1, -1 and infinity.
 * In: lines of 4 values, 3 weights, or 4 products. Out: 4 values, 4 weights, or 2 results.
 * Holds: errors are no larger than those of the sums themselves. */
#include "vector.h"

#define NAME tsm_winograd2
enum { TILE = 2 };

TSM_INLINE void in_line(const vf *d, vf *v) {
  v[0] = d[0] - d[2];
  v[1] = d[1] + d[2];
  v[2] = d[2] - d[1];
  v[3] = d[3] - d[1];
}

TSM_INLINE void out_line(const vf *m, vf *y) {
  y[0] = m[0] + m[1] + m[2];
  y[1] = m[1] - m[2] + m[3];
}

TSM_INLINE void weight_line(vd g0, vd g1, vd g2, vd *u) {
  vd even = vd_set1(0.5) * (g0 + g2), odd = vd_set1(0.5) * g1;
  u[0] = g0;
  u[1] = even + odd;
  u[2] = even - odd;
  u[3] = g2;
}

#include "winograd.h"
