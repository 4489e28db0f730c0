/* math_ops.c - the math module: libm's functions under CPython's rules for domain and range errors. */
#include "op/scalar.h"
#include "kernels.h"

/* A NaN out of a number is a domain error; an infinity out of a finite number is a range error where the function can
 * overflow, else a domain error. */
static tsm_fault check(double x, double result, bool can_overflow) {
  if (isnan(result) && !isnan(x)) return TSM_FAULT_MATH_DOMAIN;
  if (isinf(result) && isfinite(x)) return can_overflow ? TSM_FAULT_MATH_RANGE : TSM_FAULT_MATH_DOMAIN;
  return TSM_FAULT_NONE;
}

static tsm_status finish(tsm_opcall *c, tsm_fault fault, double result) {
  if (fault != TSM_FAULT_NONE) return tsm_raise_fault(c->ctx, fault, "");
  return tsm_return_float(c, result);
}

#define UNARY(name, can_overflow)                               \
  tsm_status tsm_k_math_##name(tsm_opcall *c) {                 \
    double x = tsm_arg_float(c, 0), result = name(x);           \
    return finish(c, check(x, result, can_overflow), result);   \
  }
UNARY(sqrt, false)
UNARY(exp, true)
UNARY(expm1, true)
UNARY(log1p, false)
UNARY(log, false)
UNARY(log2, false)
UNARY(log10, false)
UNARY(sin, false)
UNARY(cos, false)
UNARY(tan, false)
UNARY(asin, false)
UNARY(acos, false)
UNARY(atan, false)
UNARY(sinh, true)
UNARY(cosh, true)
UNARY(tanh, false)
UNARY(erf, false)
UNARY(erfc, false)
UNARY(asinh, false)
UNARY(acosh, false)
UNARY(cbrt, false)
UNARY(exp2, true)

tsm_status tsm_k_math_atanh(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0), result = atanh(x);
  return finish(c, check(x, result, false), result);
}

tsm_status tsm_k_math_lgamma(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0);
  if (isinf(x)) return tsm_return_float(c, INFINITY);
  if (x <= 0 && x == floor(x)) return finish(c, TSM_FAULT_MATH_DOMAIN, 0);
  double result = lgamma(x);
  return finish(c, check(x, result, true), result);
}

tsm_status tsm_k_math_gamma(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0);
  if ((isinf(x) && x < 0) || (x <= 0 && isfinite(x) && x == floor(x))) return finish(c, TSM_FAULT_MATH_DOMAIN, 0);
  double result = tgamma(x);
  return finish(c, check(x, result, true), result);
}

tsm_status tsm_k_math_degrees(tsm_opcall *c) {
  return tsm_return_float(c, tsm_arg_float(c, 0) * (180.0 / 3.141592653589793238462643));
}

tsm_status tsm_k_math_radians(tsm_opcall *c) {
  return tsm_return_float(c, tsm_arg_float(c, 0) * (3.141592653589793238462643 / 180.0));
}

tsm_status tsm_k_math_ldexp(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0);
  int64_t i = tsm_arg_int(c, 1);
  double result = ldexp(x, i > 100000 ? 100000 : i < -100000 ? -100000 : (int)i);
  return finish(c, isinf(result) && isfinite(x) ? TSM_FAULT_MATH_RANGE : TSM_FAULT_NONE, result);
}

tsm_status tsm_k_math_remainder(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0), y = tsm_arg_float(c, 1), result = remainder(x, y);
  bool is_domain = isnan(result) && !isnan(x) && !isnan(y);
  return finish(c, is_domain ? TSM_FAULT_MATH_DOMAIN : TSM_FAULT_NONE, result);
}

tsm_status tsm_k_math_nextafter(tsm_opcall *c) {
  return tsm_return_float(c, nextafter(tsm_arg_float(c, 0), tsm_arg_float(c, 1)));
}

tsm_status tsm_k_math_ulp(tsm_opcall *c) {
  double x = fabs(tsm_arg_float(c, 0));
  if (!isfinite(x)) return tsm_return_float(c, x);
  double next = nextafter(x, INFINITY);
  return tsm_return_float(c, isinf(next) ? x - nextafter(x, -INFINITY) : next - x);
}

tsm_status tsm_k_math_isclose(tsm_opcall *c) {
  double a = tsm_arg_float(c, 0), b = tsm_arg_float(c, 1), relative = tsm_arg_float(c, 2), least = tsm_arg_float(c, 3);
  if (relative < 0 || least < 0) return tsm_raise(c->ctx, "ValueError", "tolerances must be non-negative");
  if (a == b) return tsm_return_bool(c, true);
  if (isinf(a) || isinf(b)) return tsm_return_bool(c, false);
  double gap = fabs(b - a);
  return tsm_return_bool(c, gap <= fabs(relative * b) || gap <= fabs(relative * a) || gap <= least);
}

tsm_status tsm_k_float_is_integer(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0);
  return tsm_return_bool(c, isfinite(x) && floor(x) == x);
}

tsm_status tsm_k_math_modf(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0), whole, part = modf(x, &whole);
  tsm_result(c, 0)->f = part;
  tsm_result(c, 1)->f = whole;
  return TSM_OK;
}

tsm_status tsm_k_math_frexp(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0);
  int exponent = 0;
  double mantissa = isfinite(x) && x != 0 ? frexp(x, &exponent) : x;
  tsm_result(c, 0)->f = mantissa;
  tsm_result(c, 1)->i = exponent;
  return TSM_OK;
}

tsm_status tsm_k_math_log_base(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0), base = tsm_arg_float(c, 1), result = 0;
  double top = log(x), bottom = log(base);
  tsm_fault fault = check(x, top, false);
  if (fault == TSM_FAULT_NONE) fault = check(base, bottom, false);
  if (fault == TSM_FAULT_NONE) fault = tsm_float_truediv(top, bottom, &result);
  return finish(c, fault, result);
}

tsm_status tsm_k_math_atan2(tsm_opcall *c) {
  return tsm_return_float(c, atan2(tsm_arg_float(c, 0), tsm_arg_float(c, 1)));
}

/* ---- Euclidean length, as CPython 3.11 computes it: scaled, with what rounding loses added back */

typedef struct exact_sum { double total, lost[3]; } exact_sum;

static void add_part(exact_sum *s, int i, double x) {
  double before = s->total;
  s->total += x;
  s->lost[i] += (before - s->total) + x;
}

/* Adds sign * x * x, with x split in two halves whose products are exact. */
static void add_square(exact_sum *s, double x, double sign, bool is_last_exact) {
  double t = x * 134217729.0, high = t - (t - x), low = x - high;
  add_part(s, 0, sign * high * high);
  add_part(s, 1, sign * 2.0 * high * low);
  if (is_last_exact) add_part(s, 2, sign * low * low);
  else s->lost[2] += low * low;
}

static double sum_of(const exact_sum *s) { return s->total - 1.0 + (s->lost[0] + (s->lost[1] + s->lost[2])); }

static double norm(const double *v, int64_t n, double unit) {
  double largest = 0, scale;
  bool has_nan = false;
  int exponent;
  for (int64_t i = 0; i < n; i++) {
    double x = fabs(v[i]) / unit;
    has_nan = has_nan || isnan(x);
    if (x > largest) largest = x;
  }
  if (isinf(largest)) return largest;
  if (has_nan) return NAN;
  if (largest == 0 || n <= 1) return largest;
  frexp(largest, &exponent);
  if (exponent < -1023) return 0x1p-1022 * norm(v, n, 0x1p-1022);
  scale = ldexp(1.0, -exponent);
  exact_sum s = {1.0, {0, 0, 0}};
  for (int64_t i = 0; i < n; i++) add_square(&s, fabs(v[i]) / unit * scale, 1, false);
  double h = sqrt(sum_of(&s));
  add_square(&s, h, -1, true);
  return (h + sum_of(&s) / (2.0 * h)) / scale;
}

tsm_status tsm_k_math_hypot(tsm_opcall *c) {
  double v[2] = {tsm_arg_float(c, 0), tsm_arg_float(c, 1)};
  return tsm_return_float(c, norm(v, 2, 1));
}

tsm_status tsm_k_math_norm(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  tsm_status status = tsm_charge(c->ctx, l->length / 8);
  return status == TSM_OK ? tsm_return_float(c, norm(l->as.f64, l->length, 1)) : status;
}

/* ---- Parts of complex numbers */

static tsm_complex *arg_complex(const tsm_opcall *c) { return (tsm_complex *)tsm_arg(c, 0)->ref; }

tsm_status tsm_k_complex_real(tsm_opcall *c) { return tsm_return_float(c, arg_complex(c)->re); }
tsm_status tsm_k_complex_imag(tsm_opcall *c) { return tsm_return_float(c, arg_complex(c)->im); }

tsm_status tsm_k_complex_make(tsm_opcall *c) {
  tsm_complex *z = tsm_complex_make(c->ctx->heap, tsm_arg_float(c, 0), tsm_arg_float(c, 1));
  if (!z) return tsm_out_of_memory(c->ctx);
  tsm_return_ref(c, 0, &z->head);
  return TSM_OK;
}

tsm_status tsm_k_math_copysign(tsm_opcall *c) {
  return tsm_return_float(c, copysign(tsm_arg_float(c, 0), tsm_arg_float(c, 1)));
}

tsm_status tsm_k_math_pow(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0), y = tsm_arg_float(c, 1), result = pow(x, y);
  tsm_fault fault = TSM_FAULT_NONE;
  if (isfinite(x) && isfinite(y) && !isfinite(result))
    fault = isnan(result) || x == 0 ? TSM_FAULT_MATH_DOMAIN : TSM_FAULT_MATH_RANGE;
  return finish(c, fault, result);
}

tsm_status tsm_k_math_fmod(tsm_opcall *c) {
  double x = tsm_arg_float(c, 0), y = tsm_arg_float(c, 1);
  double result = isinf(y) && isfinite(x) ? x : fmod(x, y);
  bool is_domain = isnan(result) && !isnan(x) && !isnan(y);
  return finish(c, is_domain ? TSM_FAULT_MATH_DOMAIN : TSM_FAULT_NONE, result);
}

static tsm_status finish_int(tsm_opcall *c, double whole, const char *operation) {
  int64_t out = 0;
  tsm_fault fault = tsm_float_to_int(whole, &out);
  if (fault != TSM_FAULT_NONE) return tsm_raise_fault(c->ctx, fault, operation);
  return tsm_return_int(c, out);
}

tsm_status tsm_k_math_floor(tsm_opcall *c) { return finish_int(c, floor(tsm_arg_float(c, 0)), "math.floor()"); }
tsm_status tsm_k_math_ceil(tsm_opcall *c) { return finish_int(c, ceil(tsm_arg_float(c, 0)), "math.ceil()"); }
tsm_status tsm_k_math_isnan(tsm_opcall *c) { return tsm_return_bool(c, isnan(tsm_arg_float(c, 0))); }
tsm_status tsm_k_math_isinf(tsm_opcall *c) { return tsm_return_bool(c, isinf(tsm_arg_float(c, 0))); }
tsm_status tsm_k_math_isfinite(tsm_opcall *c) { return tsm_return_bool(c, isfinite(tsm_arg_float(c, 0))); }

tsm_status tsm_k_math_gcd(tsm_opcall *c) {
  int64_t a = tsm_arg_int(c, 0), b = tsm_arg_int(c, 1);
  uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
  while (y) {
    uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  if (x > INT64_MAX) return tsm_raise_fault(c->ctx, TSM_FAULT_INT_OVERFLOW, "math.gcd()");
  return tsm_return_int(c, (int64_t)x);
}
