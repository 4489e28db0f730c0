/* scalar_tagged.c - arithmetic on numbers whose kind is known only at run time: bool, int, float, complex.
 * In: tagged numbers. Out: the number CPython gives, of the kind it gives.
 * Holds: bool counts as int; int meets float as float, anything meets complex as complex. */
#include "scalar.h"

typedef struct complex_number { double re, im; } complex_number;

static tsm_pair int_pair(int64_t i) {
  tsm_pair p;
  p.tag = TSM_INT;
  p.as.i = i;
  return p;
}

static tsm_pair float_pair(double f) {
  tsm_pair p;
  p.tag = TSM_FLOAT;
  p.as.f = f;
  return p;
}

static double as_float(tsm_pair p) { return p.tag == TSM_FLOAT ? p.as.f : (double)p.as.i; }

static complex_number as_complex(tsm_pair p) {
  if (p.tag != TSM_COMPLEX) return (complex_number){as_float(p), 0};
  const tsm_complex *c = (const tsm_complex *)p.as.ref;
  return (complex_number){c->re, c->im};
}

static tsm_status give_complex(tsm_context *ctx, complex_number z, tsm_pair *out) {
  tsm_complex *c = tsm_complex_make(ctx->heap, z.re, z.im);
  if (!c) return tsm_out_of_memory(ctx);
  out->tag = TSM_COMPLEX;
  out->as.ref = &c->head;
  return TSM_OK;
}

static complex_number multiply(complex_number a, complex_number b) {
  return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static tsm_fault divide(complex_number a, complex_number b, complex_number *out) {
  if (fabs(b.re) >= fabs(b.im)) {
    if (b.re == 0) return TSM_FAULT_COMPLEX_DIV_ZERO;
    double ratio = b.im / b.re, scale = b.re + b.im * ratio;
    *out = (complex_number){(a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale};
  } else if (fabs(b.im) >= fabs(b.re)) {
    double ratio = b.re / b.im, scale = b.re * ratio + b.im;
    *out = (complex_number){(a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale};
  } else {
    *out = (complex_number){NAN, NAN};
  }
  return TSM_FAULT_NONE;
}

static complex_number power_by_squaring(complex_number a, unsigned n) {
  complex_number result = {1, 0};
  for (; n; n >>= 1) {
    if (n & 1) result = multiply(result, a);
    a = multiply(a, a);
  }
  return result;
}

static tsm_fault power_by_angle(complex_number a, complex_number b, complex_number *out) {
  *out = (complex_number){b.re == 0 && b.im == 0, 0};
  if (out->re == 1) return TSM_FAULT_NONE;
  if (a.re == 0 && a.im == 0) return b.im != 0 || b.re < 0 ? TSM_FAULT_COMPLEX_ZERO_POWER : TSM_FAULT_NONE;
  double length = hypot(a.re, a.im), angle = atan2(a.im, a.re);
  double size = pow(length, b.re), phase = angle * b.re;
  if (b.im != 0) {
    size /= exp(angle * b.im);
    phase += b.im * log(length);
  }
  if (isinf(phase)) return TSM_FAULT_COMPLEX_ZERO_POWER; /* as CPython, which sees cos() fail */
  *out = (complex_number){size * cos(phase), size * sin(phase)};
  return TSM_FAULT_NONE;
}

static tsm_fault complex_power(complex_number a, complex_number b, complex_number *out) {
  tsm_fault fault = TSM_FAULT_NONE;
  if (b.im == 0 && b.re == floor(b.re) && fabs(b.re) <= 100) {
    *out = power_by_squaring(a, (unsigned)fabs(b.re));
    if (b.re <= 0) fault = divide((complex_number){1, 0}, *out, out);
    if (fault != TSM_FAULT_NONE) return TSM_FAULT_COMPLEX_ZERO_POWER;
  } else {
    fault = power_by_angle(a, b, out);
  }
  if (fault == TSM_FAULT_NONE && (isinf(out->re) || isinf(out->im))) fault = TSM_FAULT_COMPLEX_POWER;
  return fault;
}

static bool is_complex(tsm_pair a, tsm_pair b) { return a.tag == TSM_COMPLEX || b.tag == TSM_COMPLEX; }
static bool is_float(tsm_pair a, tsm_pair b) { return a.tag == TSM_FLOAT || b.tag == TSM_FLOAT; }

static tsm_status finish(tsm_context *ctx, tsm_fault fault, const char *operation) {
  return fault == TSM_FAULT_NONE ? TSM_OK : tsm_raise_fault(ctx, fault, operation);
}

static tsm_status finish_int(tsm_context *ctx, tsm_fault fault, const char *operation, int64_t i, tsm_pair *out) {
  *out = int_pair(i);
  return finish(ctx, fault, operation);
}

static tsm_status finish_float(tsm_context *ctx, tsm_fault fault, double f, tsm_pair *out) {
  *out = float_pair(f);
  return finish(ctx, fault, "");
}

tsm_status tsm_scalar_add(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out) {
  int64_t i;
  if (is_complex(a, b)) {
    complex_number x = as_complex(a), y = as_complex(b);
    return give_complex(ctx, (complex_number){x.re + y.re, x.im + y.im}, out);
  }
  if (is_float(a, b)) return finish_float(ctx, TSM_FAULT_NONE, as_float(a) + as_float(b), out);
  tsm_fault fault = tsm_int_add(a.as.i, b.as.i, &i);
  return finish_int(ctx, fault, "+", i, out);
}

tsm_status tsm_scalar_sub(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out) {
  int64_t i;
  if (is_complex(a, b)) {
    complex_number x = as_complex(a), y = as_complex(b);
    return give_complex(ctx, (complex_number){x.re - y.re, x.im - y.im}, out);
  }
  if (is_float(a, b)) return finish_float(ctx, TSM_FAULT_NONE, as_float(a) - as_float(b), out);
  tsm_fault fault = tsm_int_sub(a.as.i, b.as.i, &i);
  return finish_int(ctx, fault, "-", i, out);
}

tsm_status tsm_scalar_mul(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out) {
  int64_t i;
  if (is_complex(a, b)) return give_complex(ctx, multiply(as_complex(a), as_complex(b)), out);
  if (is_float(a, b)) return finish_float(ctx, TSM_FAULT_NONE, as_float(a) * as_float(b), out);
  tsm_fault fault = tsm_int_mul(a.as.i, b.as.i, &i);
  return finish_int(ctx, fault, "*", i, out);
}

tsm_status tsm_scalar_truediv(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out) {
  double f = 0;
  complex_number z;
  tsm_fault fault;
  if (is_complex(a, b)) {
    fault = divide(as_complex(a), as_complex(b), &z);
    return fault == TSM_FAULT_NONE ? give_complex(ctx, z, out) : finish(ctx, fault, "/");
  }
  if (is_float(a, b)) fault = tsm_float_truediv(as_float(a), as_float(b), &f);
  else fault = tsm_int_truediv(a.as.i, b.as.i, &f);
  return finish_float(ctx, fault, f, out);
}

static tsm_status refuse_complex(tsm_context *ctx, const char *op, tsm_pair a, tsm_pair b) {
  tsm_text left, right;
  tsm_text_init(&left, ctx->rt);
  tsm_text_init(&right, ctx->rt);
  tsm_text_type_name(&left, a);
  tsm_text_type_name(&right, b);
  tsm_status status = left.failed || right.failed
      ? tsm_out_of_memory(ctx)
      : tsm_raise(ctx, "TypeError", "unsupported operand type(s) for %s: '%.*s' and '%.*s'", op, (int)left.length,
                  left.bytes, (int)right.length, right.bytes);
  tsm_text_free(&left);
  tsm_text_free(&right);
  return status;
}

tsm_status tsm_scalar_floordiv(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out) {
  double f = 0;
  int64_t i = 0;
  if (is_complex(a, b)) return refuse_complex(ctx, "//", a, b);
  if (is_float(a, b)) {
    tsm_fault fault = tsm_float_floordiv(as_float(a), as_float(b), &f);
    return finish_float(ctx, fault, f, out);
  }
  tsm_fault fault = tsm_int_floordiv(a.as.i, b.as.i, &i);
  return finish_int(ctx, fault, "//", i, out);
}

tsm_status tsm_scalar_mod(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out) {
  double f = 0;
  int64_t i = 0;
  if (is_complex(a, b)) return refuse_complex(ctx, "%", a, b);
  if (is_float(a, b)) {
    tsm_fault fault = tsm_float_mod(as_float(a), as_float(b), &f);
    return finish_float(ctx, fault, f, out);
  }
  tsm_fault fault = tsm_int_mod(a.as.i, b.as.i, &i);
  return finish_int(ctx, fault, "%", i, out);
}

tsm_status tsm_scalar_pow(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_pair *out) {
  if (!is_complex(a, b) && !is_float(a, b) && b.as.i >= 0) {
    int64_t i = 0;
    tsm_fault fault = tsm_int_pow(a.as.i, b.as.i, &i);
    return finish_int(ctx, fault, "**", i, out);
  }
  tsm_fault fault = TSM_FAULT_POWER_COMPLEX;
  if (!is_complex(a, b)) {
    double f = 0;
    fault = tsm_float_pow(as_float(a), as_float(b), &f);
    if (fault != TSM_FAULT_POWER_COMPLEX) return finish_float(ctx, fault, f, out);
  }
  complex_number z;
  fault = complex_power(as_complex(a), as_complex(b), &z);
  return fault == TSM_FAULT_NONE ? give_complex(ctx, z, out) : finish(ctx, fault, "**");
}

tsm_status tsm_scalar_neg(tsm_context *ctx, tsm_pair a, tsm_pair *out) {
  int64_t i;
  complex_number z = {0, 0};
  if (a.tag == TSM_COMPLEX) z = as_complex(a);
  if (a.tag == TSM_COMPLEX) return give_complex(ctx, (complex_number){-z.re, -z.im}, out);
  if (a.tag == TSM_FLOAT) return finish_float(ctx, TSM_FAULT_NONE, -a.as.f, out);
  tsm_fault fault = tsm_int_neg(a.as.i, &i);
  return finish_int(ctx, fault, "-", i, out);
}

tsm_status tsm_scalar_pos(tsm_context *ctx, tsm_pair a, tsm_pair *out) {
  (void)ctx;
  tsm_pair_ref(a);
  *out = a.tag == TSM_BOOL ? int_pair(a.as.i) : a;
  return TSM_OK;
}

tsm_status tsm_scalar_abs(tsm_context *ctx, tsm_pair a, tsm_pair *out) {
  int64_t i;
  if (a.tag == TSM_COMPLEX) {
    complex_number z = as_complex(a);
    double length = hypot(z.re, z.im);
    bool is_too_large = isinf(length) && isfinite(z.re) && isfinite(z.im);
    return finish_float(ctx, is_too_large ? TSM_FAULT_COMPLEX_ABS : TSM_FAULT_NONE, length, out);
  }
  if (a.tag == TSM_FLOAT) return finish_float(ctx, TSM_FAULT_NONE, fabs(a.as.f), out);
  tsm_fault fault = tsm_int_abs(a.as.i, &i);
  return finish_int(ctx, fault, "abs()", i, out);
}

tsm_status tsm_scalar_to_int(tsm_context *ctx, tsm_pair a, int64_t *out) {
  *out = a.as.i;
  if (a.tag == TSM_COMPLEX)
    return tsm_raise(ctx, "TypeError",
                     "int() argument must be a string, a bytes-like object or a real number, not 'complex'");
  return a.tag == TSM_FLOAT ? finish(ctx, tsm_float_to_int(a.as.f, out), "int()") : TSM_OK;
}

tsm_status tsm_scalar_to_float(tsm_context *ctx, tsm_pair a, double *out) {
  if (a.tag == TSM_COMPLEX)
    return tsm_raise(ctx, "TypeError", "float() argument must be a string or a real number, not 'complex'");
  *out = as_float(a);
  return TSM_OK;
}

bool tsm_scalar_truth(tsm_pair a) {
  if (a.tag == TSM_FLOAT) return a.as.f != 0;
  if (a.tag == TSM_COMPLEX) return as_complex(a).re != 0 || as_complex(a).im != 0;
  return a.as.i != 0;
}
