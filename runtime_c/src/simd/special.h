/* special.h - erf and its kin, and lgamma, on vectors with FMA.
 * In: vectors of vector.h. Out: the functions, right for NaN, infinities, zeros and underflow.
 * Holds: as elementary.h, of which these are made; largest errors in ulp, which tests/c/test_rows.c checks: erf of doubles
 * 2, erfc 4.5, erfinv 4; lgamma of positive floats 1.5. */
#ifndef TSM_SIMD_SPECIAL_H
#define TSM_SIMD_SPECIAL_H

#include "elementary.h"

/* (1 + 2 t) exp(t^2) erfc(t) by q = (t - 4) / (t + 4): smooth for all positive t. */
TSM_INLINE vf vf_erfc_scaled(vf q) {
  return TSM_POLY(vf, q, 0x1.3ba592p0f, -0x1.1df1a6p-3f, 0x1.f7e2a2p-7f, 0x1.16e8d6p-4f, -0x1.9da8eep-4f,
                  0x1.804ce2p-4f, -0x1.10e7a4p-4f, 0x1.2a4c7p-5f, -0x1.05109ap-6f, 0x1.c9a1fp-8f, 0x1.c90472p-11f);
}
TSM_INLINE vd vd_erfc_scaled(vd q) {
  return TSM_POLY(vd, q, 0x1.3ba5916e9fd7fp0, -0x1.1df1ad154a29bp-3, 0x1.f7f5df66fd8p-7, 0x1.16ecefcfa5f6bp-4,
                  -0x1.9ddb23c3e90d8p-4, 0x1.7fee004df83d1p-4, -0x1.0fb06dfe4f405p-4, 0x1.3079edf9d2132p-5,
                  -0x1.096238823f608p-6, 0x1.49c6719923d26p-8, -0x1.8d4a9e673854bp-11, -0x1.a1de86219fb9cp-13,
                  0x1.3be0b963754fp-13, -0x1.9969e970a10d9p-16, -0x1.78a468e115f58p-17, 0x1.7fb219cbfb20dp-18,
                  0x1.437a9ca4a07a2p-22, -0x1.c02c0c5e323a8p-21, 0x1.0e1f5a6ba02bfp-24, 0x1.eeadd88fd2e01p-24,
                  -0x1.0d605c3032e8bp-27, -0x1.d5351ae635c28p-27, -0x1.ef6f01ec5f844p-30);
}
TSM_INLINE vd vd_erf_near(vd x) { /* |x| up to 1 */
  const vd z = x * x;
  return x + x * TSM_POLY(vd, z, 0x1.06eba8214db69p-3, -0x1.812746b0379e6p-2, 0x1.ce2f21a042b2p-4, -0x1.b82ce31284998p-6,
                          0x1.565bcd0db0234p-8, -0x1.c02db3d8eb35ep-11, 0x1.f9a321a0e6a84p-14, -0x1.f4d1df353d455p-17,
                          0x1.b9def16b0024fp-20, -0x1.5f1d351b2101bp-23, 0x1.f7a400c23c227p-27,
                          -0x1.386a8bfe529dap-30, 0x1.05791ec075ca8p-34);
}
/* The square is rounded, and exp of what that took is 1 less it. Beyond `end` erfc is 0. */
#define TSM_ERFC_(v, end)                                                                         \
  TSM_INLINE v v##_erfc_tail(v x) {                                                       \
    const v t = v##_min(v##_set1(end), x), square = t * t;                                        \
    v again = t;                                                                                  \
    vf_keep(again);                                                                               \
    const v lost = again * t - square;                                                            \
    const v inverse = 1 / ((t + 4) * (t + t + 1));                                                \
    const v g = v##_erfc_scaled((t - 4) * (t + t + 1) * inverse) * ((t + 4) * inverse);           \
    return v##_exp(-square) * (g - g * lost);                                                     \
  }                                                                                               \
  TSM_INLINE v v##_erfc(v x) {                                                                    \
    const v t = v##_abs(x), tail = v##_erfc_tail(t);                                      \
    const v far = v##_blend(v##_lt(x, v##_set1(0)), 2 - tail, tail);                              \
    return v##_blend(v##_lt(t, v##_set1((TSM_REAL_##v)0.5)), 1 - v##_erf_near(x), far);           \
  }
TSM_ERFC_(vf, 10.5f)
TSM_ERFC_(vd, 27.5)

TSM_INLINE vd vd_erf(vd x) {
  const vd t = vd_abs(x);
  return vd_blend(vd_lt(t, vd_set1(1)), vd_erf_near(x), vd_signed(1 - vd_erfc_tail(t), x));
}
/* As far from the exact result below -1 as the argument of erfc is. */
TSM_INLINE vd vd_gelu(vd x) { return x * 0.5 * vd_erfc(x * -0.70710678118654752); }

/* erfinv(x) / x by w = -log(1 - x^2), or by its root where that is large. */
TSM_INLINE vf vf_erfinv(vf x) {
  const vf w = -vf_log(1 - x * x), s = w - 2.5f, r = vf_sqrt(w) - 3;
  const vf near = TSM_POLY(vf, s, 0x1.805c5ep0f, 0x1.f91e8cp-3f, -0x1.11c42p-8f, -0x1.486646p-10f, 0x1.c9c59p-13f,
                           -0x1.4cfc9ap-18f, -0x1.ccfb74p-19f, 0x1.f43e12p-22f, 0x1.35ca5p-26f, -0x1.2d6b68p-27f,
                           0x1.714beep-32f);
  vf y = near;
  if (vf_any_lane(vf_le(vf_set1(5), w))) {
    const vf far = TSM_POLY(vf, r, 0x1.6a9efcp1f, 0x1.006dcap0f, 0x1.358106p-7f, -0x1.f4e012p-8f, 0x1.74be3cp-8f,
                            -0x1.d38f4cp-9f, 0x1.82c6d4p-10f, -0x1.f66c4ap-14f, -0x1.237db8p-12f, 0x1.504c34p-13f,
                            -0x1.ea806cp-16f);
    y = vf_blend(vf_lt(w, vf_set1(5)), near, far);
  }
  const vf a = vf_abs(x), one = vf_set1(1), end = vf_blend(vf_eq(a, one), vf_signed(vf_set1(INFINITY), x), vf_set1(NAN));
  return vf_blend(vf_lt(a, one), x * y, end);
}
TSM_INLINE vd vd_erfinv(vd x) {
  const vd w = -vd_log(1 - x * x), root = vd_sqrt(w), s = w - 3.125, r = root - 3.25, f = root - 5;
  const vd near = TSM_POLY(
      vd, s, 0x1.a755e7c99ae86p0, 0x1.ebd80d9b13df9p-3, -0x1.8b6c33114ea68p-8, -0x1.8457694834e46p-11,
      0x1.879c2a20b0de1p-13, -0x1.d1d1f7ca92fc5p-17, -0x1.6e8a53c9bd01dp-20, 0x1.c6b4f8a1ad919p-22,
      -0x1.f36cee52165c2p-26, -0x1.1a9eb598ea43dp-28, 0x1.20f5401c0030dp-30, -0x1.dc3dd9a7de9ffp-35,
      -0x1.c8a5d0b1cf318p-37, 0x1.722f29cfb6ad5p-39, -0x1.6ba2024bb88f6p-44, -0x1.680c0260db5e9p-45,
      0x1.d62f62fee0f16p-48, -0x1.aca0ad028ebc4p-55, -0x1.1a9bee479331dp-53, 0x1.2b48750ff2b9fp-56,
      0x1.76d996c551543p-61, -0x1.d06e15caf778fp-62, 0x1.6566caf61e5fbp-66, 0x1.732d75765cdb9p-68,
      -0x1.9c4d77a23f8f7p-72, -0x1.10e65e2adb89ap-75);
  vd y = near;
  if (vd_any_lane(vd_le(vd_set1(6.25), w))) {
    const vd middle = TSM_POLY(
        vd, r, 0x1.8abcc380d5a48p1, 0x1.0158a6d641d55p0, 0x1.5ffcfe5b6cd72p-8, -0x1.ebadabba023ccp-9,
        0x1.468eeca943089p-9, -0x1.ba9240d8965f1p-10, 0x1.f3cc545e41909p-11, -0x1.7448bcc1cf5a5p-12,
        0x1.932e8edd25a82p-16, 0x1.1e6abb0abb19dp-14, -0x1.8cf46002aa1a5p-15, 0x1.a241e61d97fa9p-17,
        0x1.8999c5b9a930dp-19, -0x1.0b7a931e4c45bp-18, 0x1.8dbb010ecbf63p-20, -0x1.d95eee070d4bdp-26,
        -0x1.07b506dc33887p-22, 0x1.1a757d2abbddbp-23, -0x1.65df610abd687p-26, -0x1.0694c14c0932bp-26,
        0x1.06da388c47126p-27);
    const vd far = TSM_POLY(
        vd, f, 0x1.3664ddd1ad7fbp2, 0x1.02a30d1fba10bp0, -0x1.22ea5df1ccb95p-13, -0x1.c2f36aa161bfap-13,
        0x1.3ebf4efb4f292p-14, -0x1.4a3490400eb03p-16, 0x1.2fbcfd5f92d7bp-18, -0x1.0a9035e436435p-20,
        0x1.ebe33997b530ep-23, -0x1.2237b5abb211ap-24, 0x1.f2869bcea2eabp-26, -0x1.056c141289f9ep-26,
        0x1.0cc8722cc3da5p-27, -0x1.e50d81ca89c11p-29, 0x1.6963834392e19p-30, -0x1.a7b9f1b1d6bf8p-32,
        0x1.35230e362852p-34, 0x1.2c4da354c21eap-36, -0x1.69adbfad58fe1p-36, 0x1.7ac0ba493a8aep-38);
    y = vd_blend(vd_lt(w, vd_set1(6.25)), near, vd_blend(vd_lt(w, vd_set1(16)), middle, far));
  }
  const vd a = vd_abs(x), one = vd_set1(1), end = vd_blend(vd_eq(a, one), vd_signed(vd_set1(INFINITY), x), vd_set1(NAN));
  return vd_blend(vd_lt(a, one), x * y, end);
}

/* lgamma of what is positive and finite, to 1e-14 absolute: Stirling's series from 8 on, less the logarithm of what leads
 * there from below. For floats, whose zeros at 1 and 2 are as good then as the rest. */
TSM_INLINE vd vd_lgamma_short(vd x) {
  const vdm is_low = vd_lt(x, vd_set1(8));
  vd lead = x;
  TSM_UNROLL(8)
  for (int k = 1; k < 8; k++) lead = lead * (x + k);
  const vd far = vd_blend(is_low, x + 8, x), inverse = 1 / far;
  const vd series = inverse * TSM_POLY(vd, inverse * inverse, 0x1.5555555555555p-4, -0x1.6c16c16c16c17p-9,
                                       0x1.a01a01a01a01ap-11, -0x1.3813813813814p-11, 0x1.b951e2b18ff23p-11,
                                       -0x1.f6ab0d9993c7dp-10, 0x1.a41a41a41a41ap-8);
  const vd sum = (far - 0.5) * vd_log(far) - far + (0x1.d67f1c864beb5p-1 + series);
  return sum - vd_log(vd_blend(is_low, lead, vd_set1(1)));
}

#endif
