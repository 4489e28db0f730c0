/* decimal.c - floats to decimal text and back: exact, correctly rounded, independent of the locale.
 * In: a double, or text. Out: CPython's repr and formats, or the nearest double.
 * Method: Steele and White's digit generation on big integers; parsing by Clinger's fast path, else long division. */
#include <math.h>

#include "base.h"
#include "bigint.h"

enum { MAX_DIGITS = 800, MAX_PARSED = 780 }; /* no double has more than 767 significant digits */

/* Decimal digits d1 d2 ... with value 0.d1d2... * 10^point. */
typedef struct digits { int count, point; char text[MAX_DIGITS]; } digits;

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* value = mantissa * 2^exponent, for a finite value that is not 0. */
static uint64_t split(double value, int *out_exponent) {
  uint64_t bits = bits_of(value), fraction = bits & UINT64_C(0xfffffffffffff);
  int field = (int)(bits >> 52 & 0x7ff);
  *out_exponent = (field ? field : 1) - 1075;
  return field ? fraction | UINT64_C(1) << 52 : fraction;
}

/* An estimate of the decimal point's place that is right or one too small. */
static int estimate_point(uint64_t mantissa, int exponent) {
  int bits = 64 - __builtin_clzll(mantissa) + exponent;
  return (int)ceil((bits - 1) * 0.30102999566398114 - 1e-9);
}

/* Divides r / s by 10^point. */
static void scale(tsm_big *r, tsm_big *s, int point) {
  if (point >= 0) tsm_big_multiply_power10(s, point);
  else tsm_big_multiply_power10(r, -point);
}

static void round_up(digits *d) {
  int i = d->count;
  while (i > 0 && d->text[i - 1] == '9') i--;
  if (i == 0) {
    d->text[0] = '1';
    d->count = 1;
    d->point++;
    return;
  }
  d->text[i - 1]++;
  d->count = i;
}

static void trim_zeros(digits *d) {
  while (d->count > 1 && d->text[d->count - 1] == '0') d->count--;
}

/* The shortest digits that read back as the same double; of those the nearest. */
static void shortest_digits(double value, digits *d) {
  int exponent;
  uint64_t mantissa = split(value, &exponent);
  bool is_even = !(mantissa & 1), is_boundary = mantissa == UINT64_C(1) << 52 && exponent > -1074;
  tsm_big r, s, below; /* below, above: half the gaps to the neighbours; above = below, or twice it */
  tsm_big_set(&r, mantissa);
  tsm_big_set(&s, 1);
  tsm_big_set(&below, 1);
  int extra = is_boundary ? 2 : 1;
  tsm_big_shift_left(&r, extra + (exponent > 0 ? exponent : 0));
  tsm_big_shift_left(&s, extra + (exponent < 0 ? -exponent : 0));
  if (exponent > 0) tsm_big_shift_left(&below, exponent);
  int point = estimate_point(mantissa, exponent);
  scale(&r, &s, point);
  if (point < 0) tsm_big_multiply_power10(&below, -point);
  tsm_big above = below;
  if (is_boundary) tsm_big_multiply_add(&above, 2, 0);
  int order = tsm_big_compare_sum(&r, &above, &s);
  if (order > 0 || (order == 0 && is_even)) {
    point++;
    tsm_big_multiply_add(&s, 10, 0);
  }
  d->point = point;
  d->count = 0;
  for (;;) {
    tsm_big_multiply_add(&r, 10, 0);
    tsm_big_multiply_add(&below, 10, 0);
    tsm_big_multiply_add(&above, 10, 0);
    int digit = tsm_big_take_digit(&r, &s);
    int low = tsm_big_compare(&r, &below), high = tsm_big_compare_sum(&r, &above, &s);
    bool is_low = low < 0 || (low == 0 && is_even), is_high = high > 0 || (high == 0 && is_even);
    d->text[d->count++] = (char)('0' + digit);
    if (!is_low && !is_high) continue;
    if (is_low && is_high) {
      int half = tsm_big_compare_sum(&r, &r, &s);
      if (half > 0 || (half == 0 && digit % 2)) round_up(d);
    } else if (is_high) {
      round_up(d);
    }
    return;
  }
}

/* Correctly rounded (ties to even) digits: `count` significant ones, or up to 10^-count when is_fixed. */
static void rounded_digits(double value, int64_t count, bool is_fixed, digits *d) {
  int exponent;
  uint64_t mantissa = split(value, &exponent);
  tsm_big r, s;
  tsm_big_set(&r, mantissa);
  tsm_big_set(&s, 1);
  if (exponent > 0) tsm_big_shift_left(&r, exponent);
  if (exponent < 0) tsm_big_shift_left(&s, -exponent);
  int point = estimate_point(mantissa, exponent);
  scale(&r, &s, point);
  if (tsm_big_compare(&r, &s) >= 0) {
    point++;
    tsm_big_multiply_add(&s, 10, 0);
  }
  d->point = point;
  d->count = 0;
  int64_t wanted = is_fixed ? count + point : count;
  if (wanted < 0) return; /* below half of the last place */
  while (d->count < wanted && d->count < MAX_DIGITS && r.count) {
    tsm_big_multiply_add(&r, 10, 0);
    d->text[d->count++] = (char)('0' + tsm_big_take_digit(&r, &s));
  }
  int half = tsm_big_compare_sum(&r, &r, &s);
  bool is_odd = d->count > 0 && (d->text[d->count - 1] - '0') % 2;
  if (half > 0 || (half == 0 && is_odd)) round_up(d);
}

/* ---- Text */

typedef struct writer { char *out; size_t capacity, length; } writer;

static void put(writer *w, char c) {
  if (w->length < w->capacity) w->out[w->length] = c;
  w->length++;
}

static void put_text(writer *w, const char *s) {
  while (*s) put(w, *s++);
}

static char digit_at(const digits *d, int64_t i) { return i >= 0 && i < d->count ? d->text[i] : '0'; }

static void put_exponent(writer *w, int exponent, char letter) {
  put(w, letter);
  put(w, exponent < 0 ? '-' : '+');
  unsigned n = (unsigned)(exponent < 0 ? -exponent : exponent);
  if (n >= 100) put(w, (char)('0' + n / 100));
  put(w, (char)('0' + n / 10 % 10));
  put(w, (char)('0' + n % 10));
}

/* Places before the point from the digits, then `places` after it. */
static void put_fixed(writer *w, const digits *d, int64_t places, bool keep_point) {
  if (d->point <= 0) put(w, '0');
  for (int i = 0; i < d->point; i++) put(w, digit_at(d, i));
  if (places > 0 || keep_point) put(w, '.');
  for (int64_t i = 0; i < places && w->length <= w->capacity; i++) put(w, digit_at(d, d->point + i));
}

static void put_scientific(writer *w, const digits *d, int64_t places, bool keep_point, char letter) {
  put(w, digit_at(d, 0));
  if (places > 0 || keep_point) put(w, '.');
  for (int64_t i = 1; i <= places && w->length <= w->capacity; i++) put(w, digit_at(d, i));
  put_exponent(w, d->point - 1, letter);
}

static bool put_special(writer *w, double value, bool is_upper) {
  if (isnan(value)) put_text(w, is_upper ? "NAN" : "nan");
  else if (isinf(value)) put_text(w, is_upper ? "INF" : "inf");
  else return false;
  return true;
}

static bool is_negative(double value) { return bits_of(value) >> 63 && !isnan(value); }

size_t tsm_float_repr(double value, char *out) {
  writer w = {out, TSM_FLOAT_TEXT, 0};
  if (is_negative(value)) put(&w, '-');
  if (put_special(&w, value, false)) return w.length;
  digits d = {1, 1, {'0'}};
  if (bits_of(value) << 1) shortest_digits(from_bits(bits_of(value) & INT64_MAX), &d);
  trim_zeros(&d);
  if (d.point > -4 && d.point <= 16) {
    int places = d.count - d.point;
    put_fixed(&w, &d, places > 1 ? places : 1, true);
  } else {
    put_scientific(&w, &d, d.count - 1, false, 'e');
  }
  return w.length;
}

static void put_general(writer *w, digits *d, int64_t precision, bool alternate, char letter) {
  if (!alternate) trim_zeros(d);
  int64_t significant = alternate ? precision : d->count;
  int64_t exponent = d->point - 1;
  if (exponent < -4 || exponent >= precision) put_scientific(w, d, significant - 1, alternate, letter);
  else put_fixed(w, d, significant - d->point > 0 ? significant - d->point : 0, alternate);
}

size_t tsm_float_format(double value, char type, int precision, bool alternate, char *out, size_t capacity) {
  writer w = {out, capacity, 0};
  bool is_upper = type >= 'A' && type <= 'Z';
  char kind = is_upper ? (char)(type + 32) : type, letter = is_upper ? 'E' : 'e';
  if (precision < 0 || (kind != 'e' && kind != 'f' && kind != 'g')) return 0;
  if (is_negative(value)) put(&w, '-');
  if (!put_special(&w, value, is_upper)) {
    int64_t count = kind == 'e' ? (int64_t)precision + 1 : kind == 'g' && precision == 0 ? 1 : precision;
    digits d = {0, 1, {'0'}};
    if (bits_of(value) << 1) rounded_digits(from_bits(bits_of(value) & INT64_MAX), count, kind == 'f', &d);
    if (!d.count && kind != 'e') d.point = kind == 'f' ? 0 : 1;
    if (kind == 'f') put_fixed(&w, &d, precision, alternate);
    else if (kind == 'e') put_scientific(&w, &d, precision, alternate, letter);
    else put_general(&w, &d, count, alternate, letter);
  }
  return w.length <= capacity ? w.length : 0;
}

/* ---- Parsing */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_word(const char *text, size_t length, const char *word) {
  size_t i = 0;
  for (; i < length && word[i]; i++)
    if ((text[i] | 32) != word[i]) return false;
  return i == length && !word[i];
}

/* The digits of a decimal literal; false when malformed. At most MAX_PARSED are kept, the rest only as "not 0". */
typedef struct literal { int count; bool is_cut; int64_t exponent; char digits[MAX_PARSED]; } literal;

static void keep_digit(literal *l, char c, bool is_fraction) {
  if (is_fraction) l->exponent--;
  if (!l->count && c == '0') return;
  if (l->count < MAX_PARSED) {
    l->digits[l->count++] = c;
  } else {
    l->exponent++;
    if (c != '0') l->is_cut = true;
  }
}

static bool parse_exponent(const char *text, size_t length, size_t *at, int64_t *exponent) {
  size_t i = *at;
  if (i == length) return true;
  if ((text[i] | 32) != 'e') return false;
  i++;
  bool is_negative_exponent = i < length && text[i] == '-';
  if (i < length && (text[i] == '-' || text[i] == '+')) i++;
  if (i == length) return false;
  int64_t n = 0;
  for (; i < length && is_digit(text[i]); i++)
    if (n < 100000000000) n = n * 10 + (text[i] - '0');
  *exponent += is_negative_exponent ? -n : n;
  *at = i;
  return true;
}

static bool read_literal(const char *text, size_t length, literal *l) {
  size_t i = 0, seen = 0;
  l->count = 0;
  l->is_cut = false;
  l->exponent = 0;
  for (; i < length && is_digit(text[i]); i++, seen++) keep_digit(l, text[i], false);
  if (i < length && text[i] == '.')
    for (i++; i < length && is_digit(text[i]); i++, seen++) keep_digit(l, text[i], true);
  return seen && parse_exponent(text, length, &i, &l->exponent) && i == length;
}

/* Whether the processor rounds to nearest: load and defaults are read with whatever the host has set. */
static bool is_rounding_to_nearest(void) {
  const volatile double one = 1;
  return one + 0x1p-60 == one && one - 0x1p-60 == one;
}

/* Digits and power both exact in a double: one correctly rounded operation. */
static bool parse_fast(const literal *l, double *out) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (l->count > 15 || l->exponent < -22 || l->exponent > 22 || !is_rounding_to_nearest()) return false;
  uint64_t n = 0;
  for (int i = 0; i < l->count; i++) n = n * 10 + (uint64_t)(l->digits[i] - '0');
  *out = l->exponent < 0 ? (double)n / powers[-l->exponent] : (double)n * powers[l->exponent];
  return true;
}

/* round(q * 2^exponent) for a 64-bit q with its top bit set; `is_inexact`: more bits follow. */
static double assemble(uint64_t q, int exponent, bool is_inexact) {
  int top = exponent + 63; /* value is 1.xxx * 2^top */
  int drop = top < -1022 ? 11 + (-1022 - top) : 11;
  if (drop > 64) return 0;
  uint64_t kept = drop == 64 ? 0 : q >> drop;
  uint64_t rest = drop == 64 ? q : q & ((UINT64_C(1) << drop) - 1);
  uint64_t half = UINT64_C(1) << (drop - 1);
  if (rest > half || (rest == half && (is_inexact || (kept & 1)))) kept++;
  if (top < -1022) return from_bits(kept); /* a carry into the exponent field is right */
  uint64_t biased = (uint64_t)(top + 1023);
  uint64_t bits = ((biased - 1) << 52) + kept;
  return bits >= UINT64_C(0x7ff0000000000000) ? from_bits(UINT64_C(0x7ff0000000000000)) : from_bits(bits);
}

static double parse_exact(const literal *l) {
  if (!l->count || l->exponent + l->count < -330) return 0;
  if (l->exponent + l->count > 310) return from_bits(UINT64_C(0x7ff0000000000000));
  tsm_big r, s;
  tsm_big_set(&r, 0);
  tsm_big_set(&s, 1);
  for (int i = 0; i < l->count; i++) {
    if (!r.count) tsm_big_set(&r, (uint64_t)(l->digits[i] - '0'));
    else tsm_big_multiply_add(&r, 10, (uint32_t)(l->digits[i] - '0'));
  }
  int exponent = (int)l->exponent;
  if (exponent > 0) tsm_big_multiply_power10(&r, exponent);
  else tsm_big_multiply_power10(&s, -exponent);
  int shift = tsm_big_bits(&s) - tsm_big_bits(&r); /* then 1/2 < r / s < 2 */
  if (shift > 0) tsm_big_shift_left(&r, shift);
  else tsm_big_shift_left(&s, -shift);
  if (tsm_big_compare(&r, &s) < 0) {
    tsm_big_shift_left(&r, 1);
    shift++;
  }
  uint64_t q = 0;
  for (int i = 0; i < 64; i++) {
    q <<= 1;
    if (tsm_big_compare(&r, &s) >= 0) {
      tsm_big_subtract(&r, &s);
      q |= 1;
    }
    tsm_big_shift_left(&r, 1);
  }
  return assemble(q, -shift - 63, r.count || l->is_cut);
}

bool tsm_float_parse(const char *text, size_t length, double *out_value) {
  bool is_minus = length && *text == '-';
  if (length && (*text == '-' || *text == '+')) text++, length--;
  double value;
  literal l;
  if (is_word(text, length, "inf") || is_word(text, length, "infinity")) {
    value = from_bits(UINT64_C(0x7ff0000000000000));
  } else if (is_word(text, length, "nan")) {
    value = from_bits(UINT64_C(0x7ff8000000000000));
  } else {
    if (!read_literal(text, length, &l)) return false;
    if (!parse_fast(&l, &value)) value = parse_exact(&l);
  }
  *out_value = is_minus ? -value : value;
  return true;
}

bool tsm_float_round(double value, int64_t ndigits, double *out_value) {
  *out_value = value;
  if (!isfinite(value) || value == 0 || ndigits > 323) return true;
  *out_value = is_negative(value) ? -0.0 : 0.0;
  if (ndigits < -308) return true;
  digits d;
  rounded_digits(from_bits(bits_of(value) & INT64_MAX), ndigits, true, &d);
  if (!d.count) return true;
  literal l = {0, false, 0, {0}};
  for (int i = 0; i < d.count && i < MAX_PARSED; i++) keep_digit(&l, d.text[i], false);
  l.exponent = (int64_t)d.point - d.count;
  double rounded = l.count ? parse_exact(&l) : 0;
  if (isinf(rounded)) return false;
  *out_value = is_negative(value) ? -rounded : rounded;
  return true;
}
