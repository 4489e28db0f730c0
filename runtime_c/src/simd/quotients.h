/* quotients.h - what division leaves, quotients rounded down, and lengths, on vectors with FMA.
 * In: two vectors. Out: fmod, Python's % and //, hypot. Holds: remainders are exact, as fmod's of libm; where the quotient
 * has more bits than the type, the caller's `far` finds them lane by lane. hypot is good to 1.5 ulp. */
#ifndef TSM_SIMD_QUOTIENTS_H
#define TSM_SIMD_QUOTIENTS_H

#include "elementary.h"

/* Quotients below: their remainders need no more bits than the type has, though the quotient is one too large. */
#define TSM_QUOTIENT_vf 0x1p22f
#define TSM_QUOTIENT_vd 0x1p51

#define TSM_FMOD_(v)                                                                              \
  TSM_INLINE v v##_fmod_near(v x, v y) {                                                          \
    const v a = v##_abs(x), b = v##_abs(y);                                                       \
    v r = a - v##_trunc(a / b) * b;                                                               \
    r = v##_blend(v##_lt(r, v##_set1(0)), r + b, r);                                              \
    r = v##_blend(v##_lt(a, b), a, r);                                                            \
    return v##_signed(v##_abs(r), x);                                                             \
  }                                                                                               \
  /* Which lanes are not right: quotients too large, but that of a number by 0, which is NaN. */  \
  TSM_INLINE bool v##_fmod_is_far(v x, v y) {                                                     \
    return v##_any_lane(v##_lt(v##_set1(TSM_QUOTIENT_##v), v##_abs(x) / v##_abs(y)));             \
  }                                                                                               \
  /* rest is fmod(x, y). */                                                                       \
  TSM_INLINE v v##_remainder_of(v rest, v y) {                                                    \
    return v##_blend(v##_lt(rest * v##_signed(v##_set1(1), y), v##_set1(0)), rest + y, rest);     \
  }                                                                                               \
  TSM_INLINE v v##_floor_divide_of(v rest, v x, v y) {                                            \
    const v zero = v##_set1(0), one = v##_set1(1), half = v##_set1((TSM_REAL_##v)0.5);            \
    v q = (x - rest) / y;                                                                         \
    q = q - v##_blend(v##_lt(rest * v##_signed(one, y), zero), one, zero);                        \
    const v down = v##_floor(q), whole = v##_blend(v##_lt(half, q - down), down + one, down);     \
    const v exact = v##_blend(v##_eq(q, zero), v##_signed(zero, x / y), whole);                   \
    return v##_blend(v##_eq(y, zero), x / y, exact);                                              \
  }
TSM_FMOD_(vf)
TSM_FMOD_(vd)

/* Squares are taken of both multiplied by a power of 2 that keeps them in range. */
#define TSM_HYPOT_(v, large, scale)                                                               \
  TSM_INLINE v v##_hypot(v x, v y) {                                                              \
    const v a = v##_abs(x), b = v##_abs(y), one = v##_set1(1), inf = v##_set1(INFINITY);          \
    const v most = v##_max(a, b);                                                                 \
    const v up = v##_blend(v##_lt(most, v##_set1(1 / large)), v##_set1(scale), one);              \
    const v by = v##_blend(v##_lt(v##_set1(large), most), v##_set1(1 / scale), up);               \
    const v back = v##_blend(v##_lt(v##_set1(large), most), v##_set1(scale), one);                \
    const v to = v##_blend(v##_lt(most, v##_set1(1 / large)), v##_set1(1 / scale), back);         \
    const v p = a * by, q = b * by, r = v##_sqrt(p * p + q * q) * to;                             \
    return v##_blend(v##_eq(a, inf), inf, v##_blend(v##_eq(b, inf), inf, r));                     \
  }
TSM_HYPOT_(vf, 0x1p50f, 0x1p90f)
TSM_HYPOT_(vd, 0x1p500, 0x1p600)

#endif
