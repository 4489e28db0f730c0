/* The rows of simd/pointwise.h on every instruction set this machine has: errors in ulp against functions of a wider
 * type, over all exponents and at random; special values; lengths, alignments and cuts that must not matter. */
#include <float.h>
#include <math.h>
#include <stdint.h>

#include "check.h"
#include "simd/pointwise.h"

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
static wide exact_rsqrt(wide x) { return 1 / sqrtl(x); }
static wide exact_gelu_tanh(wide x) {
  wide u = x * (x * x * 0.044715L + 1);
  return x / (1 + expl(u * -1.595769121605730711759278366505985L));
}

/* low, high: where the bound holds; beyond, results are compared with bound `absolute` * |x| * epsilon if there is one. */
typedef struct claim {
  const char *name;
  tsm_row row;
  exact_fn exact;
  double ulp32, ulp64; /* with FMA; 0: not tested */
  double low, high;
} claim;

static const claim claims[] = {
    {"exp", TSM_ROW_EXP, expl, 1.5, 1.5, -1e9, 1e9},
    {"expm1", TSM_ROW_EXPM1, expm1l, 2, 2, -1e9, 1e9},
    {"log", TSM_ROW_LOG, logl, 1.5, 1.5, 0, INFINITY},
    {"log2", TSM_ROW_LOG2, log2l, 2, 2, 0, INFINITY},
    {"log1p", TSM_ROW_LOG1P, log1pl, 2.5, 2.5, -1, INFINITY},
    {"tanh", TSM_ROW_TANH, tanhl, 3, 3, -INFINITY, INFINITY},
    {"sigmoid", TSM_ROW_SIGMOID, exact_sigmoid, 2.5, 2.5, -88, INFINITY},
    {"silu", TSM_ROW_SILU, exact_silu, 3, 3, -88, INFINITY},
    {"erf", TSM_ROW_ERF, erfl, 1.5, 0, -INFINITY, INFINITY},
    {"gelu", TSM_ROW_GELU, exact_gelu, 3, 0, -1, INFINITY},
    {"gelu_tanh", TSM_ROW_GELU_TANH, exact_gelu_tanh, 4, 4, -1, INFINITY},
    {"sin", TSM_ROW_SIN, sinl, 1.5, 1.5, -INFINITY, INFINITY},
    {"cos", TSM_ROW_COS, cosl, 1.5, 1.5, -INFINITY, INFINITY},
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
      uint32_t bits = high << 23 | (i < 4 ? (uint32_t)i : i < 8 ? 0x7fffffu - (uint32_t)(i - 4) : (uint32_t)random_bits() & 0x7fffffu);
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
    if (getenv("TSM_TEST_SHOW")) printf("%-7s %-10s %6.3f at %-14.8g %6.3f at %.17g\n", isa, q->name, e32, at32, e64, at64);
    CHECK(e32 <= q->ulp32);
    CHECK(e64 <= q->ulp64);
  }
}

int main(void) {
  for (int isa = 0; isa <= (int)tsm_isa_best(); isa++) test_claims(tsm_rows_of((tsm_isa)isa), tsm_isa_name((tsm_isa)isa));
  return check_done();
}
