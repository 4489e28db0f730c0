/* winograd_4.c - F(4x4, 3x3) over the points 0, +-5/8, +-3/2 and infinity.
 * In: lines of 6 values, 3 weights, or 6 products. Out: 6 values, 6 weights, or 4 results.
 * Holds: the points keep the error about twice that of the sums themselves (0, +-1, +-2 give ten times); their powers
 * are exact in binary. */
#include "vector.h"

#define NAME tsm_winograd4
#define A 0.625
#define B 1.5
#define AA (A * A)
#define BB (B * B)
#define F(x) vf_set1((float)(x))
#define D(x) vd_set1(x)
enum { TILE = 4 };

TSM_INLINE void in_line(const vf *d, vf *v) {
  vf even_a = d[4] - F(BB) * d[2], odd_a = F(A) * (d[3] - F(BB) * d[1]);
  vf even_b = d[4] - F(AA) * d[2], odd_b = F(B) * (d[3] - F(AA) * d[1]);
  v[0] = d[4] - F(AA + BB) * d[2] + F(AA * BB) * d[0];
  v[1] = even_a + odd_a;
  v[2] = even_a - odd_a;
  v[3] = even_b + odd_b;
  v[4] = even_b - odd_b;
  v[5] = d[5] - F(AA + BB) * d[3] + F(AA * BB) * d[1];
}

TSM_INLINE void out_line(const vf *m, vf *y) {
  vf sum_a = m[1] + m[2], difference_a = m[1] - m[2], sum_b = m[3] + m[4], difference_b = m[3] - m[4];
  y[0] = m[0] + sum_a + sum_b;
  y[1] = F(A) * difference_a + F(B) * difference_b;
  y[2] = F(AA) * sum_a + F(BB) * sum_b;
  y[3] = F(A * AA) * difference_a + F(B * BB) * difference_b + m[5];
}

TSM_INLINE void weight_line(vd g0, vd g1, vd g2, vd *u) {
  vd even_a = D(1 / (2 * AA * (AA - BB))) * (g0 + D(AA) * g2), odd_a = D(A / (2 * AA * (AA - BB))) * g1;
  vd even_b = D(1 / (2 * BB * (BB - AA))) * (g0 + D(BB) * g2), odd_b = D(B / (2 * BB * (BB - AA))) * g1;
  u[0] = D(1 / (AA * BB)) * g0;
  u[1] = even_a + odd_a;
  u[2] = even_a - odd_a;
  u[3] = even_b + odd_b;
  u[4] = even_b - odd_b;
  u[5] = g2;
}

#include "winograd.h"
