/* The rows of simd/pointwise.h on every instruction set this machine has: errors in ulp against functions of a wider
 * type, over all exponents and at random; special values; lengths, alignments and cuts that must not matter; softmax;
 * what rows and reductions leave in the registers. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "check.h"
#include "simd/pointwise.h"
#include "simd/reduce.h"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

typedef long double wide;
typedef wide (*exact_fn)(wide x);

static uint64_t random_state = 88172645463325252u;
static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

static wide exact_sigmoid(wide x) { return 1 / (1 + expl(-x)); }
static wide exact_silu(wide x) { return x / (1 + expl(-x)); }
static wide exact_gelu(wide x) { return x * erfcl(-x * 0.707106781186547524400844362104849L) / 2; }
/* Newton's method on erfc near 1, as what erf has lost there. */
static wide exact_erfinv(wide y) {
  const wide size = fabsl(y), left = 1 - size;
  if (!(size < 1)) return size == 1 ? copysignl(INFINITY, y) : NAN;
  wide x = size < 0.9L ? size * 0.886226925452758L : sqrtl(-logl(left));
  for (int k = 0; k < 60; k++) {
    const wide miss = size < 0.5L ? erfl(x) - size : left - erfcl(x);
    const wide step = miss / (expl(-x * x) * 1.128379167095512573896L);
    x -= step > 0.5L ? 0.5L : step < -0.5L ? -0.5L : step;
    if (fabsl(step) <= x * 1e-19L) break;
  }
  return copysignl(x, y);
}
static wide exact_rsqrt(wide x) { return 1 / sqrtl(x); }
static wide exact_gelu_tanh(wide x) {
  wide u = x * (x * x * 0.044715L + 1);
  return x / (1 + expl(u * -1.595769121605730711759278366505985L));
}

/* low, high: where the bound holds; what lies beyond is of no size, or its relative error is. */
typedef struct claim {
  const char *name;
  tsm_row row;
  exact_fn exact;
  double ulp32, ulp64; /* with FMA; 0: not tested */
  double low, high;
} claim;

static const claim claims[] = {
    {"exp", TSM_ROW_EXP, expl, 1, 1, -1e9, 1e9},
    {"expm1", TSM_ROW_EXPM1, expm1l, 2, 2, -1e9, 1e9},
    {"log", TSM_ROW_LOG, logl, 1, 1, 0, INFINITY},
    {"log2", TSM_ROW_LOG2, log2l, 1.5, 1.5, 0, INFINITY},
    {"log1p", TSM_ROW_LOG1P, log1pl, 2, 2, -1, INFINITY},
    {"tanh", TSM_ROW_TANH, tanhl, 3, 3, -INFINITY, INFINITY},
    {"sigmoid", TSM_ROW_SIGMOID, exact_sigmoid, 2.5, 2.5, -88, INFINITY},
    {"silu", TSM_ROW_SILU, exact_silu, 2.5, 2.5, -88, INFINITY},
    {"erf", TSM_ROW_ERF, erfl, 1.5, 2, -INFINITY, INFINITY},
    {"gelu", TSM_ROW_GELU, exact_gelu, 3, 3, -1, INFINITY},
    {"gelu_tanh", TSM_ROW_GELU_TANH, exact_gelu_tanh, 3, 3, -1, INFINITY},
    {"sin", TSM_ROW_SIN, sinl, 2, 2, -INFINITY, INFINITY},
    {"cos", TSM_ROW_COS, cosl, 2, 2, -INFINITY, INFINITY},
    {"tan", TSM_ROW_TAN, tanl, 3, 3, -INFINITY, INFINITY},
    {"asin", TSM_ROW_ASIN, asinl, 2, 2, -INFINITY, INFINITY},
    {"acos", TSM_ROW_ACOS, acosl, 2, 2, -INFINITY, INFINITY},
    {"atan", TSM_ROW_ATAN, atanl, 2, 2, -INFINITY, INFINITY},
    {"sinh", TSM_ROW_SINH, sinhl, 3, 3, -INFINITY, INFINITY},
    {"cosh", TSM_ROW_COSH, coshl, 2, 2, -INFINITY, INFINITY},
    {"atanh", TSM_ROW_ATANH, atanhl, 3.5, 3.5, -INFINITY, INFINITY},
    {"exp2", TSM_ROW_EXP2, exp2l, 1, 1, -1e9, 1e9},
    {"log10", TSM_ROW_LOG10, log10l, 2, 2, 0, INFINITY},
    {"erfc", TSM_ROW_ERFC, erfcl, 4.5, 4.5, -INFINITY, INFINITY},
    {"erfinv", TSM_ROW_ERFINV, exact_erfinv, 4, 4, -INFINITY, INFINITY},
    {"lgamma", TSM_ROW_LGAMMA, lgammal, 1.5, 0, 0, INFINITY},
    {"sqrt", TSM_ROW_SQRT, sqrtl, 0.5, 0.501, 0, INFINITY},
    {"rsqrt", TSM_ROW_RSQRT, exact_rsqrt, 1.5, 1.5, 0, INFINITY},
};

static double ulp_error(wide got, wide want, int digits, int least) {
  if (isnan(want)) return isnan(got) ? 0 : INFINITY;
  if (isinf(want)) return got == want ? 0 : INFINITY;
  if (want == 0) return got == 0 ? 0 : INFINITY;
  int e;
  frexpl(want, &e);
  if (e < least) e = least;
  return (double)(fabsl(got - want) / ldexpl(1, e - digits));
}

enum { BATCH = 1024 };

static double worst32(const claim *q, tsm_row_op row, double *out_at) {
  float x[BATCH], y[BATCH];
  double worst = 0;
  for (uint32_t high = 0; high < 512; high++) { /* sign and exponent */
    for (int i = 0; i < BATCH; i++) {
      uint32_t drawn = (uint32_t)random_bits() & 0x7fffffu, end = (uint32_t)i % 4;
      uint32_t bits = high << 23 | (i < 4 ? end : i < 8 ? 0x7fffffu - end : drawn);
      memcpy(&x[i], &bits, 4);
    }
    row(y, x, NULL, NULL, BATCH);
    for (int i = 0; i < BATCH; i++) {
      if (!isnan(x[i]) && !(x[i] >= q->low && x[i] <= q->high)) continue;
      wide exact = q->exact(x[i]);
      double error = ulp_error(fabsl(exact) > FLT_MAX && isinf(y[i]) ? exact : y[i], exact, 24, -125);
      if (error > worst) {
        worst = error;
        *out_at = x[i];
      }
    }
  }
  return worst;
}

static double worst64(const claim *q, tsm_row_op row, double *out_at) {
  double x[BATCH / 16], y[BATCH / 16], worst = 0;
  for (uint64_t high = 0; high < 4096; high++) {
    for (int i = 0; i < BATCH / 16; i++) {
      uint64_t mask = ((uint64_t)1 << 52) - 1;
      uint64_t bits = high << 52 | (i < 2 ? (uint64_t)i : i < 4 ? mask - (uint64_t)(i - 2) : random_bits() & mask);
      memcpy(&x[i], &bits, 8);
    }
    row(y, x, NULL, NULL, BATCH / 16);
    for (int i = 0; i < BATCH / 16; i++) {
      if (!isnan(x[i]) && !(x[i] >= q->low && x[i] <= q->high)) continue;
      wide exact = q->exact(x[i]);
      double error = ulp_error(fabsl(exact) > (wide)DBL_MAX && isinf(y[i]) ? exact : y[i], exact, 53, -1021);
      if (error > worst) {
        worst = error;
        *out_at = x[i];
      }
    }
  }
  return worst;
}

static void test_claims(const tsm_row_set *set, const char *isa) {
  for (size_t k = 0; k < sizeof claims / sizeof *claims; k++) {
    const claim *q = &claims[k];
    double at32 = 0, at64 = 0, e32 = 0, e64 = 0;
    if (set->f32[q->row] && q->ulp32 > 0) e32 = worst32(q, set->f32[q->row], &at32);
    if (set->f64[q->row] && q->ulp64 > 0) e64 = worst64(q, set->f64[q->row], &at64);
    if (getenv("TSM_TEST_SHOW"))
      printf("%-7s %-10s %6.3f at %-14.8g %6.3f at %.17g\n", isa, q->name, e32, at32, e64, at64);
    CHECK(e32 <= q->ulp32);
    CHECK(e64 <= q->ulp64);
  }
}

/* ---- what must not matter: length, alignment, place in a row, writing over an input */
enum { LONGEST = 150, SLACK = 8 };

static void fill(unsigned char *bytes, size_t item, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double x = (double)(int64_t)(random_bits() % 4001) / 1000 - 2;
    float narrow = (float)x;
    memcpy(bytes + i * item, item == 4 ? (void *)&narrow : (void *)&x, item);
  }
}

/* The row over n elements `shift` bytes past alignment must give what it gives one element at a time, and no more. */
static void check_cut(tsm_row_op op, size_t item, size_t out_item, size_t n, size_t shift, bool over) {
  static _Alignas(64) unsigned char memory[5][(LONGEST + 2 * SLACK) * 8 + 64];
  unsigned char *p[5];
  for (int k = 0; k < 5; k++) {
    p[k] = memory[k] + shift;
    fill(p[k], item, LONGEST + SLACK);
  }
  memset(p[0], 0xab, (LONGEST + SLACK) * item);
  memcpy(p[4], p[0], (LONGEST + SLACK) * item);
  unsigned char *in = p[1];
  for (size_t i = 0; i < n; i++) op(p[4] + i * out_item, in + i * item, p[2] + i * item, p[3] + i * item, 1);
  if (over) { /* out is a */
    memcpy(p[0], in, (n + SLACK) * item);
    memcpy(p[4] + n * item, in + n * item, SLACK * item);
    in = p[0];
  }
  op(p[0], in, p[2], p[3], n);
  CHECK(!memcmp(p[0], p[4], n * out_item + SLACK));
}

/* ---- two operands */
typedef wide (*exact_pair)(wide x, wide y);
static wide exact_remainder(wide x, wide y) {
  const wide rest = fmodl(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

static const struct { const char *name; tsm_row row; exact_pair exact; double ulp; } pairs[] = {
    {"atan2", TSM_ROW_ATAN2, atan2l, 2},
    {"hypot", TSM_ROW_HYPOT, hypotl, 1.5},
    {"fmod", TSM_ROW_FMOD, fmodl, 0},
    {"%", TSM_ROW_REMAINDER, exact_remainder, 0.5},
};

/* All exponents on one side; on the other one near it, now and then any; and the values that are special. */
static double drawn(size_t item, double near) {
  static const double special[] = {0.0, -0.0, 1, -1, 2, -3, 0x1p-149, 0x1p-1074, INFINITY, -INFINITY, NAN, FLT_MAX, DBL_MAX};
  const uint64_t bits = random_bits();
  if (bits % 16 == 0) return special[random_bits() % (sizeof special / sizeof *special)];
  if (bits % 16 < 10 && near != 0 && isfinite(near))
    return near * (1 + (double)(random_bits() % 1000) / 100) * ldexp(1, (int)(random_bits() % 24) - 12);
  if (item == 4) {
    const uint32_t narrow = (uint32_t)random_bits();
    float x;
    memcpy(&x, &narrow, 4);
    return x;
  }
  double x;
  memcpy(&x, &bits, 8);
  return x;
}

static void test_pairs(const tsm_row_op *ops, size_t item, const char *isa) {
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    double worst = 0, at[2] = {0, 0};
    for (int turn = 0; turn < 4000 && ops[pairs[k].row]; turn++) {
      double a[16], b[16], got[16];
      float narrow[3][16];
      for (int i = 0; i < 16; i++) {
        a[i] = drawn(item, 0);
        b[i] = drawn(item, a[i]);
        narrow[0][i] = (float)a[i];
        narrow[1][i] = (float)b[i];
      }
      if (item == 8) ops[pairs[k].row](got, a, b, NULL, 16);
      else ops[pairs[k].row](narrow[2], narrow[0], narrow[1], NULL, 16);
      for (int i = 0; i < 16; i++) {
        const wide x = item == 8 ? a[i] : narrow[0][i], y = item == 8 ? b[i] : narrow[1][i];
        const wide want = pairs[k].exact(x, y), most = item == 8 ? (wide)DBL_MAX : (wide)FLT_MAX;
        const wide have = item == 8 ? got[i] : narrow[2][i];
        const int digits = item == 8 ? 53 : 24, least = item == 8 ? -1021 : -125;
        const double error = ulp_error(fabsl(want) > most && isinf(have) ? want : have, want, digits, least);
        CHECK(want != 0 || have != 0 || !signbit(want) == !signbit(have));
        if (error <= worst) continue;
        worst = error;
        at[0] = (double)x;
        at[1] = (double)y;
      }
    }
    if (getenv("TSM_TEST_SHOW")) printf("%-7s %-6s %zu %6.3f at %.17g %.17g\n", isa, pairs[k].name, item, worst, at[0], at[1]);
    CHECK(worst <= pairs[k].ulp);
  }
}

static void test_cuts(const tsm_row_op *ops, size_t item) {
  static const tsm_row plain[] = {TSM_ROW_NEG, TSM_ROW_EXP, TSM_ROW_TANH, TSM_ROW_LOG1P, TSM_ROW_SIN, TSM_ROW_FLOOR,
                                  TSM_ROW_ADD, TSM_ROW_DIV, TSM_ROW_MAX, TSM_ROW_POW, TSM_ROW_FMA, TSM_ROW_GELU,
                                  TSM_ROW_TAN, TSM_ROW_ASIN, TSM_ROW_ATAN2, TSM_ROW_SINH, TSM_ROW_ERFC, TSM_ROW_ERFINV,
                                  TSM_ROW_LGAMMA, TSM_ROW_FMOD, TSM_ROW_FLOOR_DIVIDE, TSM_ROW_HYPOT, TSM_ROW_EXP2};
  for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
    for (size_t n = 0; n <= LONGEST && ops[plain[k]]; n += n < 40 ? 1 : 37)
      for (size_t shift = 0; shift < 3; shift++) {
        check_cut(ops[plain[k]], item, item, n, shift * item, false);
        check_cut(ops[plain[k]], item, item, n, shift * item, true);
      }
  for (int row = TSM_ROW_EQ; row < TSM_ROW_IS_ZERO; row += 3)
    for (size_t n = 0; n <= LONGEST; n += 7) check_cut(ops[row], item, 1, n, 0, false);
}

static float at32(const tsm_row_op *ops, tsm_row row, float a, float b, float c) {
  float out = 0;
  ops[row](&out, &a, &b, &c, 1);
  return out;
}
static bool same(float a, float b) { return (a != a && b != b) || (a == b && !signbit(a) == !signbit(b)); }

static void test_specials(const tsm_row_op *f32) {
  const float inf = INFINITY, nan = NAN;
#define IS(row, a, b, c, want) CHECK(same(at32(f32, TSM_ROW_##row, a, b, c), want))
  IS(MAX, nan, 1, 0, nan); IS(MAX, 1, nan, 0, nan); IS(MIN, nan, 1, 0, nan); IS(MIN, 1, nan, 0, nan);
  IS(RELU, -0.0f, 0, 0, -0.0f); IS(RELU, nan, 0, 0, nan); IS(RELU, -1, 0, 0, 0); IS(SIGN, nan, 0, 0, 0);
  IS(SIGN, -0.0f, 0, 0, 0); IS(SIGN, -inf, 0, 0, -1); IS(CLAMP, nan, -1, 1, nan); IS(CLAMP, 5, -1, 1, 1);
  IS(CLAMP, 0, nan, 1, nan); IS(CLAMP, 0, -1, nan, nan); IS(CLAMP, 3, -inf, inf, 3); IS(CLAMP, -5, -1, inf, -1);
  IS(EXP, -inf, 0, 0, 0); IS(EXP, inf, 0, 0, inf); IS(EXPM1, -0.0f, 0, 0, -0.0f); IS(EXPM1, -inf, 0, 0, -1);
  IS(LOG, 0, 0, 0, -inf); IS(LOG, -0.0f, 0, 0, -inf); IS(LOG, -1, 0, 0, nan); IS(LOG, inf, 0, 0, inf);
  IS(LOG, 1, 0, 0, 0); IS(LOG1P, -1, 0, 0, -inf); IS(LOG1P, -0.0f, 0, 0, -0.0f); IS(LOG1P, inf, 0, 0, inf);
  IS(LOG2, 0x1p-140f, 0, 0, -140); IS(LOG2, 0x1p100f, 0, 0, 100); IS(TANH, inf, 0, 0, 1); IS(TANH, -0.0f, 0, 0, -0.0f);
  IS(SIGMOID, -inf, 0, 0, 0); IS(SIGMOID, inf, 0, 0, 1); IS(ERF, -inf, 0, 0, -1); IS(ERF, -0.0f, 0, 0, -0.0f);
  IS(GELU, inf, 0, 0, inf); IS(SQRT, -1, 0, 0, nan); IS(RSQRT, 0, 0, 0, inf); IS(FLOOR, -0.5f, 0, 0, -1);
  IS(CEIL, -0.5f, 0, 0, -0.0f); IS(ROUND, 2.5f, 0, 0, 2); IS(ROUND, -0.4f, 0, 0, -0.0f); IS(TRUNC, -1.7f, 0, 0, -1);
  IS(FLOOR, 0x1p30f, 0, 0, 0x1p30f); IS(ROUND, nan, 0, 0, nan); IS(TRUNC, -inf, 0, 0, -inf);
  IS(POW, 0, 0, 0, 1); IS(POW, nan, 0, 0, 1); IS(POW, 1, nan, 0, 1); IS(POW, -2, 3, 0, -8); IS(POW, -2, 2, 0, 4);
  IS(POW, -2, 0.5f, 0, nan); IS(POW, -0.0f, -1, 0, -inf); IS(POW, -1, inf, 0, 1); IS(POW, -inf, 0.5f, 0, inf);
  IS(POW, 2, -inf, 0, 0); IS(POW, -inf, 3, 0, -inf); IS(POW, 2, 128, 0, inf); IS(POW, 2, -149, 0, 0x1p-149f);
  IS(POW, -1, nan, 0, nan);
#undef IS
  CHECK(!f32[TSM_ROW_SIN] || isnan(at32(f32, TSM_ROW_SIN, inf, 0, 0)));
}

/* Of a row whose largest element is 0. */
static void test_softmax(tsm_softmax_row softmax) {
  float x[BATCH], y[BATCH];
  for (int least = -103; least < 0; least++) {
    wide sum = 1;
    for (int i = 1; i < BATCH; i++) x[i] = (float)least + (float)(random_bits() % 0x1000001u) * 0x1p-24f;
    x[0] = 0;
    for (int i = 1; i < BATCH; i++) sum += expl(x[i]);
    softmax(y, x, BATCH, false);
    for (int i = 0; i < BATCH; i++) CHECK(ulp_error(y[i], expl(x[i]) / sum, 24, -125) <= 5);
  }
  x[0] = -INFINITY;
  softmax(y, x, 40, false);
  CHECK(y[0] == 0 && y[1] > 0);
  x[39] = NAN;
  softmax(y, x, 40, false);
  for (int i = 0; i < 40; i++) CHECK(isnan(y[i]));
  for (int i = 0; i < 40; i++) x[i] = -INFINITY;
  softmax(y, x, 40, false);
  CHECK(isnan(y[0]) && isnan(y[39]));
}

/* ---- upper halves of vectors, which slow the SSE code of callers down while they are in use */

/* Whether the processor says that some are. */
static bool halves_in_use(void) {
#if defined(__x86_64__)
  uint32_t a, b, c, d, low, high;
  if (!__get_cpuid_count(13, 1, &a, &b, &c, &d) || !(a & 4)) return false;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  return low & (1u << 2 | 1u << 6);
#else
  return false;
#endif
}

static void test_upper_halves(const tsm_row_set *rows, const tsm_reduce_set *reduce) {
  static double x[3][1024], out[1024];
  for (int real = 0; real < 2; real++) {
    for (size_t n = 50; n <= 64; n += 14) {
      for (int row = 0; row < TSM_ROW_COUNT; row++) {
        const tsm_row_op op = (real ? rows->f64 : rows->f32)[row];
        if (op) op(out, x[0], x[1], x[2], n);
        CHECK(!halves_in_use());
      }
      for (int join = 0; join < TSM_JOIN_COUNT; join++) {
        reduce->row[real][join](x[0], n, 0);
        CHECK(!halves_in_use());
        reduce->columns[real][join](out, x[0], n, 3, 64, x[1]);
        CHECK(!halves_in_use());
      }
      for (int is_log = 0; is_log < 2; is_log++) {
        reduce->softmax[real](out, x[0], n, is_log);
        CHECK(!halves_in_use());
      }
      reduce->normalize[real](out, x[0], n, 0, 1, x[1], x[2], 0);
      CHECK(!halves_in_use());
    }
  }
  reduce->sum_four(out, (const float *)x[0], 64, 64);
  CHECK(!halves_in_use());
  CHECK(reduce->sum_i64((const uint64_t *)x[0], 64) == 0);
  CHECK(!halves_in_use());
}

int main(void) {
  for (int isa = 0; isa <= (int)tsm_isa_best(); isa++) {
    tsm_row_set filled;
    const tsm_row_set *set = &filled;
    tsm_rows_fill((tsm_isa)isa, &filled);
    test_claims(set, tsm_isa_name((tsm_isa)isa));
    test_pairs(set->f32, 4, tsm_isa_name((tsm_isa)isa));
    test_pairs(set->f64, 8, tsm_isa_name((tsm_isa)isa));
    test_cuts(set->f32, 4);
    test_cuts(set->f64, 8);
    test_specials(set->f32);
    test_softmax(tsm_reduce_of((tsm_isa)isa)->softmax[0]);
    test_upper_halves(set, tsm_reduce_of((tsm_isa)isa));
  }
  return check_done();
}
