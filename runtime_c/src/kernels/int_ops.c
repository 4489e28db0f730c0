/* int_ops.c - kernels of whole numbers beyond arithmetic: bases, modular powers, rounding, bits, combinatorics. */
#include "base/modular.h"
#include "base/unicode.h"
#include "chars.h"
#include "containers.h"
#include "op/scalar.h"

static tsm_status overflow(tsm_opcall *c) {
  return tsm_raise_fault(c->ctx, TSM_FAULT_INT_OVERFLOW, c->site->op->name);
}

static uint64_t magnitude(int64_t a) { return a < 0 ? 0 - (uint64_t)a : (uint64_t)a; }

/* ---- int(text, base) */

/* The next character as ASCII: digits of other scripts become theirs, anything else beyond ASCII 127. */
static char next_char(const tsm_str *s, size_t *at) {
  size_t n;
  uint32_t ch = tsm_utf8_decode(s->bytes + *at, &n);
  int digit = tsm_char_digit(ch);
  *at += n;
  return digit >= 0 ? (char)('0' + digit) : ch < 128 ? (char)ch : 127;
}

static int digit_of(char ch) {
  if (ch >= '0' && ch <= '9') return ch - '0';
  ch |= 32;
  return ch >= 'a' && ch <= 'z' ? ch - 'a' + 10 : 99;
}

static int base_of_prefix(char letter) {
  letter |= 32;
  return letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
}

typedef enum parsed { GOOD, MALFORMED, TOO_LARGE } parsed;

static parsed parse_digits(const char *text, size_t length, int base, bool is_negative, int64_t *out) {
  bool is_large = false, after_digit = false;
  *out = 0;
  for (size_t i = 0; i < length; i++) {
    int digit = digit_of(text[i]);
    if (text[i] == '_' && after_digit && i + 1 < length) {
      after_digit = false;
      continue;
    }
    if (digit >= base) return MALFORMED;
    after_digit = true;
    if (!is_large) is_large = tsm_mul_overflows(*out, base, out) || tsm_sub_overflows(*out, digit, out);
  }
  if (!after_digit) return MALFORMED;
  return is_large || (!is_negative && tsm_sub_overflows(0, *out, out)) ? TOO_LARGE : GOOD;
}

static parsed parse_in_base(const char *text, size_t length, int base, int64_t *out) {
  bool is_negative = length && *text == '-', is_zero_only = base == 0;
  if (length && (*text == '-' || *text == '+')) text++, length--;
  int prefix = length > 1 && text[0] == '0' ? base_of_prefix(text[1]) : 0;
  if (prefix && (base == 0 || base == prefix)) {
    base = prefix;
    is_zero_only = false;
    text += 2;
    length -= 2;
    if (length > 1 && *text == '_') text++, length--;
  }
  is_zero_only = is_zero_only && length > 1 && text[0] == '0';
  parsed result = parse_digits(text, length, base ? base : 10, is_negative, out);
  return result == GOOD && is_zero_only && *out ? MALFORMED : result; /* "012" */
}

static tsm_status refuse_literal(tsm_opcall *c, int base) {
  char before[64];
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  tsm_text_format(&text, "invalid literal for int() with base %d: ", base);
  tsm_text_add(&text, "", 1);
  tsm_text_fit(before, sizeof before, text.failed ? "" : text.bytes, text.failed ? 0 : text.length - 1);
  tsm_text_free(&text);
  return tsm_raise_about(c->ctx, "ValueError", before, (tsm_pair){TSM_STR, *tsm_arg(c, 0)}, "");
}

tsm_status tsm_k_int_from_base(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  int64_t base = tsm_arg_int(c, 1), value = 0;
  if ((base != 0 && base < 2) || base > 36)
    return tsm_raise(c->ctx, "ValueError", "int() base must be >= 2 and <= 36, or 0");
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  size_t kept = 0;
  for (size_t at = 0, paid = 64; at < s->length && !text.failed;) {
    size_t n;
    if (at >= paid) text.failed = !tsm_chars_go_on(c, at, s->length, &paid);
    bool is_space = tsm_char_is_blank(tsm_utf8_decode(s->bytes + at, &n));
    char ch = next_char(s, &at);
    if (is_space && !text.length) continue;
    tsm_text_add(&text, &ch, 1);
    if (!is_space) kept = text.length;
  }
  parsed result = text.failed ? MALFORMED : parse_in_base(text.bytes ? text.bytes : "", kept, (int)base, &value);
  bool has_failed = text.failed;
  tsm_text_free(&text);
  if (has_failed) return tsm_out_of_memory(c->ctx);
  if (result == MALFORMED) return refuse_literal(c, (int)base);
  return result == TOO_LARGE ? tsm_raise_fault(c->ctx, TSM_FAULT_INT_OVERFLOW, "int()") : tsm_return_int(c, value);
}

/* ---- pow(a, b, mod) */

/* x with a * x = 1 modulo m, or 0 if there is none (and m is not 1). The factors alternate in sign and stay within m, so
 * that arithmetic modulo 2^64 keeps them. */
static uint64_t inverse(uint64_t a, uint64_t m) {
  uint64_t r = m, next = a, x = 0, y = 1;
  while (next) {
    uint64_t q = r / next, rest = r % next, factor = x - q * y;
    r = next;
    next = rest;
    x = y;
    y = factor;
  }
  if (r != 1) return 0;
  return (x > INT64_MAX ? x + m : x) % m;
}

/* a modulo m, from 0. */
static uint64_t residue(int64_t a, uint64_t m) {
  uint64_t rest = magnitude(a) % m;
  return a < 0 && rest ? m - rest : rest;
}

tsm_status tsm_k_pow_mod(tsm_opcall *c) {
  int64_t exponent = tsm_arg_int(c, 1), mod = tsm_arg_int(c, 2);
  if (mod == 0) return tsm_raise(c->ctx, "ValueError", "pow() 3rd argument cannot be 0");
  uint64_t m = magnitude(mod), base = residue(tsm_arg_int(c, 0), m), result = 1 % m;
  if (exponent < 0) {
    base = inverse(base, m);
    if (!base && m != 1) return tsm_raise(c->ctx, "ValueError", "base is not invertible for the given modulus");
  }
  for (uint64_t left = magnitude(exponent); left; left >>= 1) {
    if (left & 1) result = tsm_times_mod(result, base, m);
    base = tsm_times_mod(base, base, m);
  }
  return tsm_return_int(c, mod < 0 && result ? -(int64_t)(m - result) : (int64_t)result);
}

/* ---- round(a, ndigits) */

/* Halves go to the even side, which is the same for a number and its opposite. */
tsm_status tsm_k_round_int(tsm_opcall *c) {
  int64_t a = tsm_arg_int(c, 0), digits = tsm_arg_int(c, 1);
  if (digits >= 0) return tsm_return_int(c, a);
  if (digits < -19) return tsm_return_int(c, 0);
  uint64_t unit = 1, size = magnitude(a);
  while (digits++ < 0) unit *= 10;
  uint64_t count = size / unit, rest = size % unit;
  count += rest > unit - rest || (rest == unit - rest && count % 2);
  uint64_t rounded = count * unit;
  if (rounded > (uint64_t)INT64_MAX + (a < 0)) return overflow(c);
  return tsm_return_int(c, a < 0 ? (int64_t)(0 - rounded) : (int64_t)rounded);
}

/* ---- Bits */

tsm_status tsm_k_bit_length(tsm_opcall *c) {
  uint64_t a = magnitude(tsm_arg_int(c, 0));
  return tsm_return_int(c, a ? 64 - __builtin_clzll(a) : 0);
}

tsm_status tsm_k_bit_count(tsm_opcall *c) { return tsm_return_int(c, __builtin_popcountll(magnitude(tsm_arg_int(c, 0)))); }

/* ---- Combinatorics */

static uint64_t gcd(uint64_t x, uint64_t y) {
  while (y) {
    uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}

tsm_status tsm_k_math_lcm(tsm_opcall *c) {
  uint64_t a = magnitude(tsm_arg_int(c, 0)), b = magnitude(tsm_arg_int(c, 1)), product;
  if (!a || !b) return tsm_return_int(c, 0);
  if (tsm_mul_overflows(a / gcd(a, b), b, &product) || product > INT64_MAX) return overflow(c);
  return tsm_return_int(c, (int64_t)product);
}

tsm_status tsm_k_math_factorial(tsm_opcall *c) {
  int64_t n = tsm_arg_int(c, 0), product = 1;
  if (n < 0) return tsm_raise(c->ctx, "ValueError", "factorial() not defined for negative values");
  if (n > 20) return overflow(c);
  for (int64_t i = 2; i <= n; i++) product *= i;
  return tsm_return_int(c, product);
}

tsm_status tsm_k_math_perm(tsm_opcall *c) {
  int64_t n = tsm_arg_int(c, 0), k = tsm_arg_pair(c, 1).tag == TSM_NONE ? n : tsm_arg_pair(c, 1).as.i, product = 1;
  if (tsm_arg_pair(c, 1).tag == TSM_NONE) {
    if (n < 0) return tsm_raise(c->ctx, "ValueError", "factorial() not defined for negative values");
    if (n > 20) return overflow(c);
  }
  if (n < 0) return tsm_raise(c->ctx, "ValueError", "n must be a non-negative integer");
  if (k < 0) return tsm_raise(c->ctx, "ValueError", "k must be a non-negative integer");
  if (k > n) return tsm_return_int(c, 0);
  for (int64_t i = 0; i < k; i++)
    if (tsm_mul_overflows(product, n - i, &product)) return overflow(c);
  return tsm_return_int(c, product);
}

tsm_status tsm_k_math_comb(tsm_opcall *c) {
  int64_t n = tsm_arg_int(c, 0), k = tsm_arg_int(c, 1);
  if (n < 0) return tsm_raise(c->ctx, "ValueError", "n must be a non-negative integer");
  if (k < 0) return tsm_raise(c->ctx, "ValueError", "k must be a non-negative integer");
  if (k > n) return tsm_return_int(c, 0);
  if (k > n - k) k = n - k;
  uint64_t result = 1;
  for (int64_t i = 0; i < k; i++) { /* result * (n - i) / (i + 1), which is whole */
    uint64_t top = (uint64_t)(n - i), bottom = (uint64_t)(i + 1), shared = gcd(result, bottom);
    result /= shared;
    top /= bottom / shared;
    if (tsm_mul_overflows(result, top, &result) || result > INT64_MAX) return overflow(c);
  }
  return tsm_return_int(c, (int64_t)result);
}

tsm_status tsm_k_math_isqrt(tsm_opcall *c) {
  int64_t n = tsm_arg_int(c, 0);
  if (n < 0) return tsm_raise(c->ctx, "ValueError", "isqrt() argument must be nonnegative");
  int64_t root = (int64_t)sqrt((double)n);
  while (root > 0 && (root > 3037000499 || root * root > n)) root--;
  while (root < 3037000499 && (root + 1) * (root + 1) <= n) root++;
  return tsm_return_int(c, root);
}

tsm_status tsm_k_prod_ints(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  int64_t product = tsm_arg_int(c, 1);
  bool is_zero = product == 0, is_large = false;
  for (int64_t at = 0, end; at < l->length; at = end) {
    if ((end = tsm_stretch(c->ctx, at, l->length, TSM_COST_CHAR)) < 0) return c->ctx->status;
    for (int64_t i = at; i < end; i++) {
      is_zero = is_zero || l->as.i64[i] == 0;
      if (!is_large) is_large = tsm_mul_overflows(product, l->as.i64[i], &product);
    }
  }
  return is_large && !is_zero ? overflow(c) : tsm_return_int(c, is_zero ? 0 : product);
}

tsm_status tsm_k_prod_floats(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  double product = tsm_arg_float(c, 1);
  for (int64_t at = 0, end; at < l->length; at = end) {
    if ((end = tsm_stretch(c->ctx, at, l->length, TSM_COST_CHAR)) < 0) return c->ctx->status;
    for (int64_t i = at; i < end; i++) product *= l->as.f64[i];
  }
  return tsm_return_float(c, product);
}
