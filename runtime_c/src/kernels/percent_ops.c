/* percent_ops.c - the conversions of str % values, one at a time, as "-08.3d".
 * In: a value and a conversion without its '%'. Out: text as CPython 3.11 makes it in the C locale, or its error. */
#include <limits.h>
#include <math.h>

#include "chars.h"
#include "base/unicode.h"
#include "format_numbers.h"

static tsm_status read_percent(tsm_opcall *c, const tsm_str *s, tsm_format_spec *f) {
  size_t at = 0;
  memset(f, 0, sizeof *f);
  f->fill[0] = ' ';
  f->fill_length = 1;
  f->align = '>';
  f->width = f->precision = -1;
  bool is_zero = false;
  for (; at < s->length && strchr("-+ #0", s->bytes[at]); at++) {
    char flag = s->bytes[at];
    if (flag == '-') f->align = '<';
    else if (flag == '#') f->alternate = true;
    else if (flag == '0') is_zero = true;
    else if (f->sign != '+') f->sign = flag;
  }
  size_t n = tsm_format_read_count(s, at, &f->width);
  if (n == SIZE_MAX || f->width > INT32_MAX) return tsm_value_error(c, "width too big");
  at += n;
  if (at < s->length && s->bytes[at] == '.') {
    bool is_negative = s->bytes[++at] == '-'; /* from a `*` */
    f->precision = 0;
    n = tsm_format_read_count(s, at + is_negative, &f->precision);
    if (n == SIZE_MAX || f->precision > INT_MAX) return tsm_value_error(c, "precision too big");
    at += n + is_negative;
    if (is_negative) f->precision = 0;
  }
  f->type = at + 1 == s->length ? s->bytes[at] : 0;
  if (is_zero && f->type && strchr("diuoxXeEfFgG", f->type) && f->align == '>') {
    f->fill[0] = '0';
    f->align = '=';
  }
  return tsm_charge(c->ctx, (f->width > 0 ? f->width / 16 : 0) + (f->precision > 0 ? f->precision / 8 : 0));
}

static tsm_status percent_int(tsm_opcall *c, tsm_text *out, tsm_format_spec *f, tsm_pair value) {
  char room[400], before[48] = {'%', f->type};
  bool is_decimal = strchr("diu", f->type) != NULL;
  bool is_large = false; /* a float beyond 64 bits, which has no fraction */
  int64_t whole = value.as.i;
  if (value.tag == TSM_FLOAT && is_decimal) {
    if (isnan(value.as.f)) return tsm_value_error(c, "cannot convert float NaN to integer");
    if (isinf(value.as.f)) return tsm_raise(c->ctx, "OverflowError", "cannot convert float infinity to integer");
    is_large = !(fabs(value.as.f) < 9223372036854775808.0);
    whole = is_large ? (value.as.f < 0 ? -1 : 1) : (int64_t)value.as.f;
  } else if (value.tag != TSM_INT && value.tag != TSM_BOOL) {
    strcat(before, is_decimal ? " format: a real number is required, not " : " format: an integer is required, not ");
    return tsm_raise_kind(c, "TypeError", before, "");
  }
  unsigned base = tsm_format_base(f->type);
  uint64_t magnitude = whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole;
  char *digits = tsm_format_digits(magnitude, base, f->type == 'X', room + sizeof room);
  tsm_format_number n = {.group = 3, .tail = ""};
  tsm_text padded;
  tsm_text_init(&padded, c->ctx->rt);
  int64_t count = room + sizeof room - digits;
  if (is_large) {
    digits = room;
    count = (int64_t)tsm_float_format(fabs(value.as.f), 'f', 0, false, room, sizeof room);
  }
  for (int64_t zeros = f->precision - count; zeros > 0 && !padded.failed; zeros--) tsm_text_add(&padded, "0", 1);
  tsm_text_add(&padded, digits, (size_t)count);
  tsm_format_sign(&n, whole < 0, f->sign);
  if (f->alternate && base != 10) {
    n.head[n.head_length++] = '0';
    n.head[n.head_length++] = f->type;
  }
  n.digits = padded.bytes;
  n.digit_count = padded.length;
  if (padded.failed) out->failed = true;
  else tsm_format_pad_number(out, f, &n);
  tsm_text_free(&padded);
  return TSM_OK;
}

static tsm_status percent_float(tsm_opcall *c, tsm_text *out, tsm_format_spec *f, tsm_pair value) {
  if (value.tag == TSM_FLOAT) return tsm_format_float(c, out, f, value.as.f);
  if (value.tag == TSM_INT || value.tag == TSM_BOOL) return tsm_format_float(c, out, f, (double)value.as.i);
  return tsm_raise_kind(c, "TypeError", "must be real number, not ", "");
}

static tsm_status percent_char(tsm_opcall *c, tsm_text *out, tsm_format_spec *f, tsm_pair value) {
  const tsm_str *s = value.tag == TSM_STR ? (const tsm_str *)value.as.ref : NULL;
  f->sign = 0;
  f->alternate = false;
  if (s && s->chars == 1) tsm_format_pad_text(out, f, s->bytes, s->length, 1);
  else if (value.tag == TSM_INT || value.tag == TSM_BOOL) return tsm_format_char(c, out, f, value.as.i);
  else return tsm_raise(c->ctx, "TypeError", "%%c requires int or char");
  return TSM_OK;
}

static tsm_status percent_text(tsm_opcall *c, tsm_text *out, const tsm_format_spec *f, tsm_pair value) {
  tsm_text text;
  tsm_format_begin(c, &text);
  text.ctx = c->ctx;
  tsm_text_str(&text, value);
  tsm_status status = text.failed ? tsm_text_raise(c->ctx, &text) : TSM_OK;
  int64_t chars = 0;
  size_t length = 0;
  for (size_t n, paid = 0; status == TSM_OK && length < text.length && (f->precision < 0 || chars < f->precision); chars++) {
    if (!tsm_chars_go_on(c, length, text.length, &paid)) status = c->ctx->status;
    tsm_utf8_decode(text.bytes + length, &n);
    length += n;
  }
  if (status == TSM_OK) tsm_format_pad_text(out, f, length ? text.bytes : "", length, chars);
  tsm_text_free(&text);
  return status;
}

static tsm_status percent_value(tsm_opcall *c, tsm_text *out, tsm_pair value, const tsm_str *s) {
  tsm_format_spec f;
  tsm_status status = read_percent(c, s, &f);
  if (status != TSM_OK) return status;
  if (f.type == 's') return percent_text(c, out, &f, value);
  if (f.type == 'c') return percent_char(c, out, &f, value);
  if (f.type && strchr("diuoxX", f.type)) return percent_int(c, out, &f, value);
  if (f.type && strchr("eEfFgG", f.type)) {
    if (f.precision < 0) f.precision = 6;
    return percent_float(c, out, &f, value);
  }
  return tsm_value_error(c, "unsupported format character");
}

tsm_status tsm_k_percent_any(tsm_opcall *c) {
  tsm_text text;
  tsm_format_begin(c, &text);
  return tsm_format_finish(c, &text, percent_value(c, &text, tsm_arg_pair(c, 0), tsm_arg_str(c, 1)));
}
