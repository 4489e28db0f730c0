/* angles.h - tangents, angles of sines, cosines and tangents, and the hyperbolic functions, on vectors with FMA.
 * In: vectors of vector.h. Out: the functions, right for NaN, infinities, signs of zeros, denormals and overflow.
 * Holds: as elementary.h, of which these are made; largest errors in ulp, which tests/c/test_rows.c checks: asin acos
 * cosh 2, atan atan2 2, sinh tan 3, atanh 3.5. */
#ifndef TSM_SIMD_ANGLES_H
#define TSM_SIMD_ANGLES_H

#include "elementary.h"

/* Where sin itself is good: the tangent of what is left of quarter turns, or after an odd number of them -1 by it; of
 * doubles as sine by cosine. */
TSM_INLINE vf vf_tan(vf x) {
  vf r, shifted = vf_quarter_turns(x, &r), z = r * r;
  const vf y = r + r * z * TSM_POLY(vf, z, 0x1.55556p-2f, 0x1.110d88p-3f, 0x1.badd08p-5f, 0x1.5ca382p-6f, 0x1.6353e4p-7f, 0x1.4c2cdp-14f, 0x1.1f25ap-8f);
  return vf_blend(vf_eq((vf)(((vu)shifted & 1) << 30), vf_set1(0)), y, -1 / y);
}
TSM_INLINE vd vd_tan(vd x) {
  vd sine, cosine, shifted = vd_wave_parts(x, &sine, &cosine);
  const vdm is_even = vd_eq((vd)(((vu64)shifted & 1) << 62), vd_set1(0));
  return vd_blend(is_even, sine, cosine) / vd_blend(is_even, cosine, -sine);
}

/* (atan(t) / t - 1) / t^2 for t from 0 to 1, by the square of t. */
TSM_INLINE vf vf_atan_rest(vf z) {
  return TSM_POLY(vf, z, -0x1.55553ep-2f, 0x1.9991fap-3f, -0x1.242198p-3f, 0x1.c098cap-4f, -0x1.58310ep-4f,
                  0x1.dabde4p-5f, -0x1.feb98ap-6f, 0x1.658cdcp-7f, -0x1.d6027cp-10f);
}
TSM_INLINE vd vd_atan_rest(vd z) {
  return TSM_POLY(vd, z, -0x1.5555555555525p-2, 0x1.99999999955p-3, -0x1.249249237d309p-3, 0x1.c71c717f5eb72p-4,
                  -0x1.745d11a754a41p-4, 0x1.3b13664cac323p-4, -0x1.110e4ed13fcafp-4, 0x1.e1bb8bed5be4p-5,
                  -0x1.ae5e015e9229ap-5, 0x1.82d96349a7b14p-5, -0x1.59a04aa1399e4p-5, 0x1.2c26ff52bfe1ap-5,
                  -0x1.e9e330f7f2ceep-6, 0x1.6821367850c4ep-6, -0x1.c75caf83b126bp-7, 0x1.d771c77c40d02p-8,
                  -0x1.79f105a721e28p-9, 0x1.b39560ebebf8cp-11, -0x1.3edf48f7b6b29p-13, 0x1.bb63681e2f426p-17);
}
#define TSM_PI_vf 0x1.921fb6p1f
#define TSM_PI_REST_vf -0x1.777a5cp-24f
#define TSM_PI_vd 0x1.921fb54442d18p1
#define TSM_PI_REST_vd 0x1.1a62633145c07p-53

/* The angle of the smaller side by the larger one, taken from pi / 2 where y is larger and from pi where x is negative.
 * `base` is in halves of pi, and exact beside its rest. */
#define TSM_ATAN2_(v, m)                                                                          \
  TSM_INLINE v v##_atan2(v y, v x) {                                                              \
    const v a = v##_abs(x), b = v##_abs(y), zero = v##_set1(0), one = v##_set1(1);                \
    const m is_steep = v##_lt(a, b), is_back = v##_lt(v##_signed(one, x), zero);                  \
    const v low = v##_blend(is_steep, a, b), high = v##_blend(is_steep, b, a);                    \
    const v t = v##_blend(v##_lt(low, high), low / high, v##_blend(v##_lt(zero, high), one, zero)); \
    const v z = t * t, angle = t + t * z * v##_atan_rest(z);                                      \
    const v turn = v##_blend(is_steep, -one, one) * v##_blend(is_back, -one, one);                \
    const v base = v##_blend(is_steep, one, v##_blend(is_back, one + one, zero)) * (TSM_REAL_##v)0.5; \
    const v r = base * TSM_PI_##v + (angle * turn + base * TSM_PI_REST_##v);                      \
    return v##_blend(v##_unordered(x, y), x + y, v##_signed(v##_abs(r), y));                      \
  }
TSM_ATAN2_(vf, vfm)
TSM_ATAN2_(vd, vdm)

/* (asin(s) / s - 1) / s^2 for s from 0 to 1/2, by the square of s. */
TSM_INLINE vf vf_asin_rest(vf z) {
  return TSM_POLY(vf, z, 0x1.55554cp-3f, 0x1.33387cp-4f, 0x1.6caed8p-5f, 0x1.049168p-5f, 0x1.d92364p-7f, 0x1.33546p-5f);
}
TSM_INLINE vd vd_asin_rest(vd z) {
  return TSM_POLY(vd, z, 0x1.5555555555577p-3, 0x1.333333332e109p-4, 0x1.6db6db7213ap-5, 0x1.f1c71a94a3d13p-6,
                  0x1.6e8bdee627f59p-6, 0x1.1c49f0168cd25p-6, 0x1.ca1f918a4f4c4p-7, 0x1.758577a0c29d5p-7,
                  0x1.613cad28b0044p-7, 0x1.e5f6d63cbaeacp-9, 0x1.639b3ecdd9f36p-6, -0x1.57fad7b10387cp-6,
                  0x1.0b45aaa6a1573p-5);
}
/* asin, or acos: above 1/2 by asin of sqrt((1 - |x|) / 2), which is half of the angle that is left. */
#define TSM_ARC_(v, m)                                                                            \
  TSM_INLINE v v##_arc(v x, bool is_cosine) {                                                     \
    const v a = v##_abs(x), zero = v##_set1(0);                                                   \
    const m is_far = v##_lt(v##_set1((TSM_REAL_##v)0.5), a), is_back = v##_lt(x, zero);           \
    const v z = v##_blend(is_far, (TSM_REAL_##v)0.5 - a * (TSM_REAL_##v)0.5, a * a);              \
    const v s = v##_blend(is_far, v##_sqrt(z), a), r = s + s * z * v##_asin_rest(z);              \
    const v half = v##_set1(TSM_PI_##v / 2), rest = v##_set1(TSM_PI_REST_##v / 2);                \
    if (!is_cosine) return v##_signed(v##_abs(v##_blend(is_far, (half - (r + r)) + rest, r)), x); \
    const v far = v##_blend(is_back, (half + half) - ((r + r) - (rest + rest)), r + r);           \
    return v##_blend(is_far, far, half - (v##_blend(is_back, -r, r) - rest));                     \
  }
TSM_ARC_(vf, vfm)
TSM_ARC_(vd, vdm)

/* With t = expm1(|x|) / 2, sinh is t + t / (2 t + 1); below `least` x itself, of which t would lose a bit. cosh is half of
 * exp(|x|) and a quarter of its inverse. Both halve by the exponent, so that they overflow where they should. */
#define TSM_HYPERBOLIC_(v, high, enough, least)                                                   \
  TSM_INLINE v v##_sinh(v x) {                                                                    \
    const v a = v##_abs(x), one = v##_set1(1);                                                    \
    v sum, p = v##_exp_parts(v##_min(v##_set1(high), a), &sum);                                   \
    const v gap = one - v##_power(TSM_ONES_##v - v##_min(v##_set1(enough), sum - TSM_ONES_##v));  \
    const v t = v##_scale(p + gap, sum - one);                                                    \
    const v rest = v##_blend(v##_lt(t, v##_set1(0x1p100f)), t / (t + t + one), one);              \
    return v##_signed(v##_abs(v##_blend(v##_lt(a, v##_set1(least)), a, t + rest)), x);            \
  }                                                                                               \
  TSM_INLINE v v##_cosh(v x) {                                                                    \
    v sum, p = v##_exp_parts(v##_min(v##_set1(high), v##_abs(x)), &sum);                          \
    const v half = v##_scale(1 + p, sum - 1);                                                     \
    return half + (TSM_REAL_##v)0.25 / half;                                                      \
  }                                                                                               \
  TSM_INLINE v v##_atanh(v x) {                                                                   \
    const v a = v##_abs(x);                                                                       \
    return v##_signed(v##_abs(v##_log1p((a + a) / (1 - a)) * (TSM_REAL_##v)0.5), x);              \
  }
TSM_HYPERBOLIC_(vf, 90, 30, 0x1p-13f)
TSM_HYPERBOLIC_(vd, 711, 60, 0x1p-28)

#endif
