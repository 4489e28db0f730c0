/* elementary.h - exp, log, sin and their kin on vectors, for the sources of this folder.
 * In: vectors of vector.h. Out: the functions, right for NaN, infinities, zeros, denormals and overflow as libm's.
 * Holds: results depend on the lane's value alone; largest errors in ulp, which tests/c/test_rows.c checks over all
 * exponents: exp exp2 log 1, log2 erf rsqrt 1.5, log10 expm1 log1p sin cos 2, sigmoid silu 2.5, tanh 3; gelu, gelu_tanh
 * 3 above -1, below it as far from exact as PyTorch's. Where 1 + exp(-x) overflows, sigmoid and silu give 0. */
#ifndef TSM_SIMD_ELEMENTARY_H
#define TSM_SIMD_ELEMENTARY_H

#include <math.h>

#include "vector.h"

#if defined(__FMA__) || defined(__aarch64__)
#define TSM_HAS_FMA 1
#else
#define TSM_HAS_FMA 0
#endif

/* c[0] + c[1] x + ... by Horner's rule; n is a constant, so the loop goes away. */
TSM_INLINE vf vf_poly(vf x, const float *c, size_t n) {
  vf y = vf_set1(c[n - 1]);
  TSM_UNROLL(16)
  for (size_t i = n - 1; i-- > 0;) y = y * x + c[i];
  return y;
}
TSM_INLINE vd vd_poly(vd x, const double *c, size_t n) {
  vd y = vd_set1(c[n - 1]);
  TSM_UNROLL(32)
  for (size_t i = n - 1; i-- > 0;) y = y * x + c[i];
  return y;
}
#define TSM_POLY(v, x, ...)                                                                 \
  v##_poly(x, (const TSM_REAL_##v[]){__VA_ARGS__}, sizeof((const TSM_REAL_##v[]){__VA_ARGS__}) / sizeof(TSM_REAL_##v))
#define TSM_REAL_vf float
#define TSM_REAL_vd double

/* exp(x) = 2^n (1 + p): n is log2(e) x rounded, given as a sum (see vector.h); p is expm1 of the rest, which lies within
 * ln(2) / 2 of 0. ln(2) is taken away in two parts, the product with the first being exact. */
TSM_INLINE vf vf_exp_rest(vf r) {
  const vf s = r * r; /* pairs of terms do not wait for each other */
  return r + s * ((0x1.fffffep-2f + r * 0x1.5554bp-3f) + s * ((0x1.55571ap-5f + r * 0x1.122814p-7f) + s * 0x1.6b6f5ap-10f));
}
TSM_INLINE vf vf_exp_parts(vf x, vf *out_sum) {
  const vf sum = x * 0x1.715476p0f + TSM_ONES_vf, n = sum - TSM_ONES_vf;
  vf r = x - n * 0x1.62e4p-1f;
  r = r - n * 0x1.7f7d1cp-20f;
  *out_sum = sum;
  return vf_exp_rest(r);
}
TSM_INLINE vd vd_exp_rest(vd r) {
  return r + r * r * TSM_POLY(vd, r, 0x1.0000000000005p-1, 0x1.555555555553dp-3, 0x1.5555555552098p-5,
                              0x1.1111111118012p-7, 0x1.6c16c17f5cd7p-10, 0x1.a01a017b0c808p-13, 0x1.a019a5f6cd25ap-16,
                              0x1.71de78fe8a3afp-19, 0x1.28a35219b1e46p-22, 0x1.ae86354604b14p-26);
}

TSM_INLINE vd vd_exp_parts(vd x, vd *out_sum) {
  const vd sum = x * 0x1.71547652b82fep0 + TSM_ONES_vd, n = sum - TSM_ONES_vd;
  vd r = x - n * 0x1.62e42feep-1;
  r = r - n * 0x1.a39ef35793c76p-33;
  *out_sum = sum;
  return vd_exp_rest(r);
}

/* Beyond these bounds exp is 0 or infinite; min and max keep NaN, their second operand. */
TSM_INLINE vf vf_exp(vf x) {
  vf sum, p = vf_exp_parts(vf_max(vf_set1(-104), vf_min(vf_set1(89), x)), &sum);
  return vf_scale(1 + p, sum);
}
TSM_INLINE vd vd_exp(vd x) {
  vd sum, p = vd_exp_parts(vd_max(vd_set1(-746), vd_min(vd_set1(710), x)), &sum);
  return vd_scale(1 + p, sum);
}

/* 1 + exp(x). Where it overflows 1 is nothing beside it, and so is exp(x) beside 1 where its power would not be normal. */
#if defined(__AVX512F__)
TSM_INLINE vf vf_one_and_exp(vf x) { return 1 + vf_exp(x); }
TSM_INLINE vd vd_one_and_exp(vd x) { return 1 + vd_exp(x); }
#else
#define TSM_ONE_AND_EXP_(v, low, high)                                                            \
  TSM_INLINE v v##_one_and_exp(v x) {                                                             \
    v sum, p = v##_exp_parts(v##_max(v##_set1(low), v##_min(v##_set1(high), x)), &sum), e = 1 + p; \
    return v##_half_power(sum) * (e + e) + 1;                                                     \
  }
TSM_ONE_AND_EXP_(vf, -87, 89)
TSM_ONE_AND_EXP_(vd, -708, 710)
#endif

/* 2^x: the fraction is exact, and only its product with ln(2) is rounded. */
#define TSM_EXP2_(v, low, high, ln2)                                                              \
  TSM_INLINE v v##_exp2(v x) {                                                                    \
    x = v##_max(v##_set1(low), v##_min(v##_set1(high), x));                                       \
    v sum = x + TSM_ONES_##v;                                                                     \
    return v##_scale(1 + v##_exp_rest((x - (sum - TSM_ONES_##v)) * ln2), sum);                    \
  }
TSM_EXP2_(vf, -151, 129, 0x1.62e43p-1f)
TSM_EXP2_(vd, -1076, 1025, 0x1.62e42fefa39efp-1)

/* exp of what is not positive, or NaN, within 1.1 ulp with FMA: below the bound it is 0. Where a register has the powers
 * of 2 by sixteenths, x is log(2) n and a rest within log(2) / 32 of 0, for which a short polynomial will do; vf_scale
 * takes the floor of n, and the low bits of the sum that rounds it are those after the point. */
TSM_INLINE vf vf_exp_of_negative(vf x) {
  x = vf_max(vf_set1(-104), x);
#if TSM_VB == 64
  const vf powers = {0x1p0f,        0x1.0b5586p0f, 0x1.172b84p0f, 0x1.2387a6p0f, 0x1.306fep0f,  0x1.3dea64p0f,
                     0x1.4bfdaep0f, 0x1.5ab07ep0f, 0x1.6a09e6p0f, 0x1.7a1148p0f, 0x1.8ace54p0f, 0x1.9c4918p0f,
                     0x1.ae89fap0f, 0x1.c199bep0f, 0x1.d5818ep0f, 0x1.ea4afap0f};
  const vf rounded = x * 0x1.715476p0f + 0x1.8p19f, n = rounded - 0x1.8p19f;
  vf r = x - n * 0x1.62e4p-1f;
  r = r - n * 0x1.7f7d1cp-20f;
  const vf power = vf_picked(powers, (vi)rounded);
  return vf_scale_floor(power + power * (r + r * r * (0.5f + r * 0x1.555556p-3f)), n);
#else
  vf sum, p = vf_exp_parts(x, &sum);
  return vf_scale(1 + p, sum);
#endif
}

/* 2^n (p + (1 - 2^-n)), in which 2^-n no longer matters from some n on; -0 stays. */
#define TSM_EXPM1_(v, low, high, enough)                                                          \
  TSM_INLINE v v##_expm1(v x) {                                                                   \
    v sum, p = v##_exp_parts(v##_max(v##_set1(low), v##_min(v##_set1(high), x)), &sum);           \
    v one = 1 - v##_power(TSM_ONES_##v - v##_min(v##_set1(enough), sum - TSM_ONES_##v));          \
    return v##_blend(v##_eq(x, v##_set1(0)), x, v##_scale(p + one, sum));                         \
  }
TSM_EXPM1_(vf, -18, 89, 30)
TSM_EXPM1_(vd, -40, 710, 60)

/* With t = expm1(-2 |x|), tanh |x| is -t / (t + 2). */
#define TSM_TANH_(v, low)                                                                         \
  TSM_INLINE v v##_tanh(v x) {                                                                    \
    v sum, p = v##_exp_parts(v##_max(v##_set1(low), v##_abs(x) * -2), &sum);                      \
    v power = v##_power(sum), t = power * p + (power - 1);                                                                \
    return v##_signed(v##_abs(t / (t + 2)), x);                                                   \
  }
TSM_TANH_(vf, -20)
TSM_TANH_(vd, -42)

/* x is 2^e (1 + f) with 1 + f from sqrt(1/2) to sqrt(2); denormals are scaled up first. Returns f. */
TSM_INLINE vf vf_log_parts(vf x, vf *out_e) {
  vfm is_small = vf_lt(x, vf_set1(0x1p-126f));
  vi bits = (vi)((vu)vf_blend(is_small, x * 0x1p23f, x) - 0x3f3504f3u);
  *out_e = __builtin_convertvector(bits >> 23, vf) - vf_blend(is_small, vf_set1(23), vf_set1(0));
  return (vf)((bits & 0x7fffff) + 0x3f3504f3) - 1;
}
TSM_INLINE vd vd_log_parts(vd x, vd *out_e) {
  vdm is_small = vd_lt(x, vd_set1(0x1p-1022));
  vl bits = (vl)((vu64)vd_blend(is_small, x * 0x1p52, x) - 0x3fe6a09e667f3bcdu);
  /* the exponent, biased to be positive, in the low bits of a double whose ulp is 1 */
  vl biased = (vl)(((vu64)bits + ((uint64_t)1100 << 52)) >> 52) | 0x4330000000000000;
  *out_e = (vd)biased - (0x1p52 + 1100) - vd_blend(is_small, vd_set1(52), vd_set1(0));
  return (vd)((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd) - 1;
}

/* y where x is positive and finite; x itself at +inf and NaN, -inf at 0, NaN below. */
#define TSM_LOG_ENDS_(v)                                                                          \
  TSM_INLINE v v##_log_ends(v x, v y) {                                                           \
    y = v##_blend(v##_lt(x, v##_set1(INFINITY)), y, x);                                           \
    y = v##_blend(v##_lt(v##_set1(0), x), y, v##_set1(-INFINITY));                                \
    return v##_blend(v##_le(v##_set1(0), x), y, x - x + NAN);                                     \
  }
TSM_LOG_ENDS_(vf)
TSM_LOG_ENDS_(vd)

/* log(1 + f) = f - f^2 / 2 + f^3 q; returned without f, so that the sum with e ln(2) rounds once. */
TSM_INLINE vf vf_log_rest(vf f) {
  vf q = TSM_POLY(vf, f, 0x1.555554p-2f, -0x1.000226p-2f, 0x1.99a01cp-3f, -0x1.54728cp-3f, 0x1.22d958p-3f,
                  -0x1.0d826p-3f, 0x1.055caep-3f, -0x1.38c228p-4f);
  return f * f * (f * q) - f * f * 0.5f;
}
/* By s = f / (2 + f): log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + r), r even in s. */
TSM_INLINE vd vd_log_rest(vd f) {
  vd s = f / (2 + f), z = s * s, half = f * f * 0.5;
  vd r = z * TSM_POLY(vd, z, 0x1.5555555555593p-1, 0x1.999999997fa9bp-2, 0x1.249249421bd49p-2, 0x1.c71c51e682088p-3,
                      0x1.7466463260fecp-3, 0x1.39a0f9fe07c58p-3, 0x1.2f0d2d73ac476p-3);
  return s * (half + r) - half;
}

TSM_INLINE vf vf_log(vf x) {
  vf e, f = vf_log_parts(x, &e), y = vf_log_rest(f) + e * 0x1.7f7d1cp-20f;
  return vf_log_ends(x, e * 0x1.62e4p-1f + (f + y));
}
TSM_INLINE vd vd_log(vd x) {
  vd e, f = vd_log_parts(x, &e), y = vd_log_rest(f) + e * 0x1.a39ef35793c76p-33;
  return vd_log_ends(x, e * 0x1.62e42feep-1 + (f + y));
}
/* log2(e) is 1 and a rest, so that f keeps its bits. */
TSM_INLINE vf vf_log2(vf x) {
  vf e, f = vf_log_parts(x, &e), y = vf_log_rest(f);
  return vf_log_ends(x, e + (f + (y + (f + y) * 0x1.c551d94ap-2f)));
}
TSM_INLINE vd vd_log2(vd x) {
  vd e, f = vd_log_parts(x, &e), y = vd_log_rest(f);
  return vd_log_ends(x, e + (f + (y + (f + y) * 0x1.c551d94ae0bf8p-2)));
}

#if TSM_HAS_FMA
/* Products with log10(e), which is high and low; `two` and two_rest are log10(2), the first exact beside exponents. */
#define TSM_LOG10_(v, high, low, two, two_rest)                                                   \
  TSM_INLINE v v##_log10(v x) {                                                                   \
    v e, f = v##_log_parts(x, &e), y = v##_log_rest(f), r = f * high, again = f;                  \
    vf_keep(again);                                                                               \
    v rest = (again * high - r) + (f * low + y * high);                                           \
    return v##_log_ends(x, e * two + (r + (rest + e * two_rest)));                                \
  }
TSM_LOG10_(vf, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, 0x1.344p-2f, 0x1.3509f8p-18f)
TSM_LOG10_(vd, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f7p-2, 0x1.3fde623e2566bp-43)
#endif

/* log(u) with u = 1 + x rounded, and what the rounding lost; the quotient is NaN where u is 0 or infinite. */
#define TSM_LOG1P_(v)                                                                             \
  TSM_INLINE v v##_log1p(v x) {                                                                   \
    v u = 1 + x, lost = (x - (u - 1)) / u;                                                        \
    v y = v##_log(u) + v##_blend(v##_lt(v##_abs(lost), v##_set1(1)), lost, v##_set1(0));          \
    return v##_blend(v##_eq(x, v##_set1(0)), x, y);                                               \
  }
TSM_LOG1P_(vf)
TSM_LOG1P_(vd)

#if TSM_HAS_FMA
/* Sine of x, or cosine with shift 1: x is n quarter turns and a rest of at most half a one; n's parity chooses the
 * polynomial, its second bit the sign. A sum is returned whose low bits are n. pi / 2 comes in parts, good for |x| up to 2^15, or 1e8 in doubles. */
TSM_INLINE vf vf_quarter_turns(vf x, vf *out_rest) {
  vf shifted = x * 0x1.45f306p-1f + 0x1.8p23f, n = shifted - 0x1.8p23f;
  vf r = x - n * 0x1.921fb6p0f;
  r = r + n * 0x1.777a5cp-25f;
  *out_rest = r + n * 0x1.ee59dap-50f;
  return shifted;
}
TSM_INLINE vf vf_wave(vf x, int32_t shift) {
  vf r, shifted = vf_quarter_turns(x, &r), z = r * r;
  vi quarter = (vi)((vu)shifted + (uint32_t)shift);
  vf sine = r + r * z * TSM_POLY(vf, z, -0x1.555546p-3f, 0x1.11076ep-7f, -0x1.994e38p-13f);
  vf cosine = z * z * TSM_POLY(vf, z, 0x1.55554ap-5f, -0x1.6c0c22p-10f, 0x1.99e50cp-16f) + (1 - z * 0.5f);
  vf y = vf_blend(vf_eq((vf)((quarter & 1) << 30), vf_set1(0)), sine, cosine);
  return (vf)((vu)y ^ ((vu)(quarter & 2) << 30));
}
TSM_INLINE vd vd_wave_parts(vd x, vd *out_sine, vd *out_cosine) {
  vd shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, n = shifted - 0x1.8p52;
  vd r = x - n * 0x1.921fb54442d18p0;
  r = r - n * 0x1.1a62633145c07p-54;
  r = r + n * 0x1.f1976b7ed8fbcp-110;
  vd z = r * r;
  *out_sine = r + r * z * TSM_POLY(vd, z, -0x1.5555555555548p-3, 0x1.111111110f721p-7, -0x1.a01a019be567p-13,
                                 0x1.71de35507077p-19, -0x1.ae5e46bec5c3cp-26, 0x1.5d89abee82d0dp-33);
  *out_cosine = z * z * TSM_POLY(vd, z, 0x1.555555555554bp-5, -0x1.6c16c16c1500ap-10, 0x1.a01a019c8c62fp-16,
                               -0x1.27e4f7ee3219p-22, 0x1.1ee9d88dcaf6ap-29, -0x1.8fa4573bc70f6p-37) + (1 - z * 0.5);
  return shifted;
}
TSM_INLINE vd vd_wave(vd x, int64_t shift) {
  vd sine, cosine, shifted = vd_wave_parts(x, &sine, &cosine);
  vl quarter = (vl)((vu64)shifted + (uint64_t)shift);
  vd y = vd_blend(vd_eq((vd)((quarter & 1) << 62), vd_set1(0)), sine, cosine);
  return (vd)((vu64)y ^ ((vu64)(quarter & 2) << 62));
}
#endif

/* log(erfc(t)) / t as a polynomial, good to 1e-8 / erfc(t)^(1/2) for t from 0 to 4 and steeper than erfc's beyond. */
TSM_INLINE vf vf_erfc_of_positive(vf t) {
  return vf_exp(t * TSM_POLY(vf, t, -0x1.20dd7cp0f, -0x1.45f212p-1f, -0x1.a5213ap-4f, 0x1.3b3edcp-6f, 0x1.ff0e14p-15f,
                             -0x1.a99556p-10f, 0x1.51becep-11f, -0x1.1e3626p-13f, 0x1.0c9acep-16f, -0x1.b54d0ep-21f));
}
TSM_INLINE vf vf_erf_near(vf x) { /* |x| up to 1 */
  vf z = x * x;
  return x + x * TSM_POLY(vf, z, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2cecp-4f, -0x1.b7f7fp-6f, 0x1.53fbd8p-8f,
                          -0x1.a3ac6p-11f, 0x1.489c8p-14f);
}
TSM_INLINE vf vf_erf(vf x) {
  vf t = vf_abs(x), inner = vf_erf_near(x);
  vf outer = vf_signed(1 - vf_erfc_of_positive(vf_min(vf_set1(4), t)), x);
  return vf_blend(vf_lt(t, vf_set1(1)), inner, outer);
}
/* x Phi(x), for positive x with 1 less Phi(-x). Phi(-t) is 2^(t q(t)) / 2: q, good to 2e-9 / Phi(-t), falls ever more
 * steeply beyond 6. Even and odd powers are summed apart, as the time is that of what has to wait for each other. */
TSM_INLINE vf vf_gelu(vf x) {
  vf t = vf_min(vf_set1(11.25f), vf_abs(x)), z = t * t;
  vf q = TSM_POLY(vf, z, -0x1.26aec4p+0f, -0x1.ad7732p-5f, 0x1.acd5fap-15f, 0x1.798d92p-14f, 0x1.43dd5ep-20f) +
         t * TSM_POLY(vf, z, -0x1.d63e9ep-2f, 0x1.c4931cp-8f, -0x1.49c1bcp-12f, -0x1.d48074p-17f, -0x1.84b0acp-25f);
  vf sum = t * q + TSM_ONES_vf, r = t * q - (sum - TSM_ONES_vf), s = r * r;
  vf tail = TSM_POLY(vf, s, 0.5f, 0x1.ebfbdcp-4f, 0x1.3b2d4cp-8f, 0x1.41fbbcp-14f) +
            r * TSM_POLY(vf, s, 0x1.62e43p-2f, 0x1.c6aee8p-6f, 0x1.5f3e52p-11f);
  tail = vf_scale(tail, sum);
  return x * vf_blend(vf_lt(x, vf_set1(0)), tail, 1 - tail);
}

/* x^y as C's pow, but good only to 1e-13 relative: for floats, by way of doubles. */
TSM_INLINE vd vd_pow_short(vd x, vd y) {
  const vd one = vd_set1(1), zero = vd_set1(0);
  vd l = vd_log(vd_abs(x)), whole = vd_trunc(y), half = y * 0.5;
  vd r = vd_exp(vd_blend(vd_eq(l, zero), zero, y * l));
  vdm is_odd = vd_eq(whole, y) & vd_ne(vd_trunc(half), half);
  r = vd_blend(is_odd, vd_signed(r, x), r);
  vdm is_bad = vd_lt(x, zero) & vd_lt(vd_set1(-INFINITY), x) & vd_ne(whole, y);
  r = vd_blend(is_bad, vd_set1(NAN), r);
  return vd_blend(vd_eq(y, zero), one, r);
}
TSM_INLINE vf vf_pow(vf x, vf y) {
  return vf_of_doubles(vd_pow_short(vf_low(x), vf_low(y)), vd_pow_short(vf_high(x), vf_high(y)));
}

#define TSM_SIGMOIDS_(v)                                                                          \
  TSM_INLINE v v##_sigmoid(v x) { return 1 / v##_one_and_exp(-x); }                               \
  TSM_INLINE v v##_silu(v x) { return x / v##_one_and_exp(-x); }                                  \
  /* 1 + tanh(u) is 2 sigmoid(2 u) */                                                             \
  TSM_INLINE v v##_gelu_tanh(v x) {                                                               \
    v u = x * (x * x * (TSM_REAL_##v)0.044715 + 1);                                               \
    return x / v##_one_and_exp(u * (TSM_REAL_##v)-1.5957691216057308);                            \
  }
TSM_SIGMOIDS_(vf)
TSM_SIGMOIDS_(vd)

#endif
