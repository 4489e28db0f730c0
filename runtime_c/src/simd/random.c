/* random.c - see random.h. Philox by vectors of blocks; normal samples by Box and Muller's transform, in which the angle
 * is a whole number of quarter turns and a rest, so that no argument needs to be reduced. */
#include "random.h"

#include "elementary.h"

enum { BLOCKS = 8, DRAWS = 2 * BLOCKS, WORDS = 4 * BLOCKS, ROUNDS = 10 };

/* The product of the low halves of the lanes and of m. */
TSM_INLINE vu64 product(vu64 a, uint32_t m) {
#if defined(TSM_RAW) && TSM_VB == 64
  return (vu64)_mm512_mul_epu32((__m512i)a, _mm512_set1_epi64(m));
#elif defined(TSM_RAW) && TSM_VB == 32
  return (vu64)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi64x(m));
#elif defined(TSM_RAW)
  return (vu64)_mm_mul_epu32((__m128i)a, _mm_set1_epi64x(m));
#else
  return (a & 0xffffffffu) * (uint64_t)m;
#endif
}

/* Words lie in the low halves of lanes; what is above them does not matter until the end. */
static void bits(uint64_t key, uint64_t first, uint64_t *out, size_t count) {
  vu64 steps, keys[ROUNDS][2];
  for (size_t i = 0; i < VD; i++) steps[i] = i;
  for (uint32_t r = 0; r < ROUNDS; r++) {
    keys[r][0] = (uint64_t)((uint32_t)key + r * 0x9e3779b9u) - (vu64){0};
    keys[r][1] = (uint64_t)((uint32_t)(key >> 32) + r * 0xbb67ae85u) - (vu64){0};
  }
  uint64_t block = first * BLOCKS;
  for (size_t i = 0; i < count * BLOCKS; i += VD, block += VD) {
    vu64 x0 = steps + block, x1 = x0 >> 32, x2 = {0}, x3 = {0};
    TSM_UNROLL(10)
    for (int r = 0; r < ROUNDS; r++) {
      vu64 p = product(x0, 0xd2511f53u), q = product(x2, 0xcd9e8d57u);
      x0 = (q >> 32) ^ x1 ^ keys[r][0];
      x1 = q;
      x2 = (p >> 32) ^ x3 ^ keys[r][1];
      x3 = p;
    }
    uint64_t *to = out + i / BLOCKS * DRAWS + i % BLOCKS;
    vu64 low = (x0 & 0xffffffffu) | x1 << 32, high = (x2 & 0xffffffffu) | x3 << 32;
    memcpy(to, &low, sizeof low);
    memcpy(to + BLOCKS, &high, sizeof high);
  }
}

TSM_INLINE vu words_at(const uint32_t *p) { vu v; memcpy(&v, p, sizeof v); return v; }
TSM_INLINE vu64 draws_at(const uint64_t *p) { vu64 v; memcpy(&v, p, sizeof v); return v; }

static void uniform_f32(const uint32_t *words, float *out, size_t chunks, float low, float span) {
  for (size_t i = 0; i < chunks * WORDS; i += VF) {
    vf u = __builtin_convertvector((vi)(words_at(words + i) >> 8), vf) * 0x1p-24f;
    vf_store(out + i, u * span + low);
  }
}

/* The upper 52 bits of a draw behind the point, and 1. */
TSM_INLINE vd one_and(vu64 draw) { return (vd)((draw >> 12) | 0x3ff0000000000000u); }

static void uniform_f64(const uint64_t *draws, double *out, size_t chunks, double low, double span) {
  for (size_t i = 0; i < chunks * DRAWS; i += VD) {
    vu64 draw = draws_at(draws + i);
    vd last = (vd)((draw & 0x800) << 40 | 0x3ff0000000000000u) - 1; /* the 53rd bit, as 0 or 1 half */
    vd_store(out + i, ((one_and(draw) - 1) + last * 0x1p-52) * span + low);
  }
}

/* In (0, 1), by all 32 bits: near 0 they count. */
TSM_INLINE vf open_f32(vu word) {
  vf high = __builtin_convertvector((vi)(word >> 16), vf), low = __builtin_convertvector((vi)(word & 0xffff), vf);
  return high * 0x1p-16f + (low + 0.5f) * 0x1p-32f;
}
TSM_INLINE vd open_f64(vu64 draw) { return one_and(draw) - 0x1.fffffffffffffp-1; }

/* Cosine and sine of `quarter` quarter turns and r, |r| <= pi / 4, times a radius. */
#define TURN_(v, w, SHIFT, SIGN, sine_rest, cosine_rest)                                          \
  TSM_INLINE void v##_turn(v r, w quarter, v radius, v *out_cosine, v *out_sine) {                \
    v z = r * r, s = r + r * z * sine_rest, c = z * z * cosine_rest + (1 - z * 0.5f);             \
    v##m is_even = v##_eq((v)((quarter & 1) << SHIFT), v##_set1(0));                              \
    *out_cosine = (v)((w)(v##_blend(is_even, c, s) * radius) ^ (((quarter + 1) & 2) << SIGN));     \
    *out_sine = (v)((w)(v##_blend(is_even, s, c) * radius) ^ ((quarter & 2) << SIGN));            \
  }
TURN_(vf, vu, 30, 30, TSM_POLY(vf, z, -0x1.555546p-3f, 0x1.11076ep-7f, -0x1.994e38p-13f),
      TSM_POLY(vf, z, 0x1.55554ap-5f, -0x1.6c0c22p-10f, 0x1.99e50cp-16f))
TURN_(vd, vu64, 62, 62, TSM_POLY(vd, z, -0x1.5555555555548p-3, 0x1.111111110f721p-7, -0x1.a01a019be567p-13,
                                 0x1.71de35507077p-19, -0x1.ae5e46bec5c3cp-26, 0x1.5d89abee82d0dp-33),
      TSM_POLY(vd, z, 0x1.555555555554bp-5, -0x1.6c16c16c1500ap-10, 0x1.a01a019c8c62fp-16, -0x1.27e4f7ee3219p-22,
               0x1.1ee9d88dcaf6ap-29, -0x1.8fa4573bc70f6p-37))

/* The first half of a chunk gives the radius of points, the second the angle. */
static void normal_f32(const uint32_t *words, float *out, size_t chunks, float mean, float std) {
  for (size_t i = 0; i < chunks * WORDS; i += i % WORDS + VF < WORDS / 2 ? VF : VF + WORDS / 2) {
    vu angle = words_at(words + i + WORDS / 2);
    vf rest = __builtin_convertvector((vi)(angle << 2), vf) * (0x1.921fb6p0f * 0x1p-32f), x, y;
    vf_turn(rest, angle >> 30, vf_sqrt(vf_log(open_f32(words_at(words + i))) * -2), &x, &y);
    vf_store(out + i, x * std + mean);
    vf_store(out + i + WORDS / 2, y * std + mean);
  }
}

static void normal_f64(const uint64_t *draws, double *out, size_t chunks, double mean, double std) {
  for (size_t i = 0; i < chunks * DRAWS; i += i % DRAWS + VD < DRAWS / 2 ? VD : VD + DRAWS / 2) {
    vu64 angle = draws_at(draws + i + DRAWS / 2);
    vd rest = (one_and(angle << 2) - 1.5) * 0x1.921fb54442d18p0, x, y;
    vd_turn(rest, angle >> 62, vd_sqrt(vd_log(open_f64(draws_at(draws + i))) * -2), &x, &y);
    vd_store(out + i, x * std + mean);
    vd_store(out + i + DRAWS / 2, y * std + mean);
  }
}

static void exponential(const uint64_t *draws, double *out, size_t chunks, double scale) {
  for (size_t i = 0; i < chunks * DRAWS; i += VD) vd_store(out + i, vd_log(open_f64(draws_at(draws + i))) * -scale);
}

static void keep_f32(const uint32_t *words, const float *x, float *out, size_t n, uint32_t bound, float scale) {
  for (size_t i = 0; i < n; i++) out[i] = x[i] * (words[i] < bound ? 0 : scale);
}
static void keep_f64(const uint32_t *words, const double *x, double *out, size_t n, uint32_t bound, double scale) {
  for (size_t i = 0; i < n; i++) out[i] = x[i] * (words[i] < bound ? 0 : scale);
}

const tsm_sampling_set TSM_NAMED(tsm_sampling) = {bits,       uniform_f32, uniform_f64, normal_f32,
                                                   normal_f64, exponential, keep_f32,    keep_f64};
