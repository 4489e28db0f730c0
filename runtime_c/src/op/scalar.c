/* scalar.c - the rarer parts of scalar arithmetic: faults as exceptions, large quotients, powers of floats. */
#include "scalar.h"

/* As code: an offset in a jump table takes a third of a relocated pointer's room. */
static const char *type_of(tsm_fault fault) {
  switch (fault) {
#define FAULT(name, type, text) case TSM_FAULT_##name: return type;
    TSM_FAULT_LIST(FAULT)
#undef FAULT
    default: return "";
  }
}

static const char *text_of(tsm_fault fault) {
  switch (fault) {
#define FAULT(name, type, text) case TSM_FAULT_##name: return text;
    TSM_FAULT_LIST(FAULT)
#undef FAULT
    default: return "";
  }
}

/* Of pow(): its arguments are errno's number and text, as the C library's errors are raised in Python. */
static tsm_status raise_range(tsm_context *ctx, const char *type) {
  static const char text[] = "Numerical result out of range";
  tsm_raise(ctx, type, "(34, '%s')", text);
  tsm_exception *e = ctx->heap ? tsm_context_catch(ctx) : NULL;
  if (!e) return ctx->status;
  e->args = tsm_tuple_make(ctx->heap, 2, NULL);
  if (e->args) {
    tsm_str *shown = tsm_str_new(ctx->heap, text, sizeof text - 1);
    e->args->items[0] = (tsm_pair){TSM_INT, {.i = 34}};
    e->args->items[1] = (tsm_pair){shown ? TSM_STR : TSM_NONE, {.ref = shown ? &shown->head : NULL}};
  }
  return tsm_raise_exception(ctx, e);
}

tsm_status tsm_raise_fault(tsm_context *ctx, tsm_fault fault, const char *operation) {
  const char *type = type_of(fault), *text = text_of(fault), *hole = strstr(text, "%s");
  if (fault == TSM_FAULT_POWER_OVERFLOW) return raise_range(ctx, type);
  if (!hole) return tsm_raise_text(ctx, type, text, strlen(text));
  return tsm_raise(ctx, type, "%.*s%s%s", (int)(hole - text), text, operation, hole + 2);
}

double tsm_int_truediv_large(int64_t a, int64_t b) {
  uint64_t n = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, d = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
  if (!n) return b < 0 ? -0.0 : 0.0;
  uint64_t q = n / d, r = n % d;
  int exponent = 0;
  for (; q < UINT64_C(1) << 55; exponent--) { /* d <= 2^63, so 2 * r does not overflow */
    r <<= 1;
    q <<= 1;
    if (r >= d) {
      r -= d;
      q |= 1;
    }
  }
  double magnitude = ldexp((double)(q | (r != 0)), exponent);
  return (a < 0) != (b < 0) ? -magnitude : magnitude;
}

static bool is_odd(double x) { return fmod(fabs(x), 2.0) == 1.0; }

/* Powers with an infinite or NaN operand, or a base of 0: decided without pow(), whose corners differ by platform. */
static bool special_power(double a, double b, double *out) {
  if (b == 0) *out = 1.0;
  else if (isnan(a)) *out = a;
  else if (isnan(b)) *out = a == 1.0 ? 1.0 : b;
  else if (isinf(b)) *out = fabs(a) == 1.0 ? 1.0 : (b > 0) == (fabs(a) > 1.0) ? fabs(b) : 0.0;
  else if (isinf(a) && b > 0) *out = is_odd(b) ? a : fabs(a);
  else if (isinf(a)) *out = is_odd(b) ? copysign(0.0, a) : 0.0;
  else if (a == 0 && b > 0) *out = is_odd(b) ? a : 0.0;
  else return false;
  return true;
}

tsm_fault tsm_float_pow(double a, double b, double *out) {
  if (special_power(a, b, out)) return TSM_FAULT_NONE;
  if (a == 0) return TSM_FAULT_ZERO_TO_NEGATIVE;
  if (a < 0 && b != floor(b)) return TSM_FAULT_POWER_COMPLEX;
  double magnitude = fabs(a) == 1.0 ? 1.0 : pow(fabs(a), b);
  if (isinf(magnitude)) return TSM_FAULT_POWER_OVERFLOW;
  *out = a < 0 && is_odd(b) ? -magnitude : magnitude;
  return TSM_FAULT_NONE;
}
