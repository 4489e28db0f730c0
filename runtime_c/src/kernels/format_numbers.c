/* format_numbers.c - numbers as text for a format specification: digits, signs, separators, padding.
 * In: a value and a specification that was read. Out: text as CPython 3.11 makes it in the C locale, or its error. */
#include "format_numbers.h"

#include <limits.h>
#include <math.h>

#include "base/unicode.h"

tsm_status tsm_format_finish(tsm_opcall *c, tsm_text *text, tsm_status status) {
  if (status == TSM_OK && text->failed) status = tsm_text_raise(c->ctx, text);
  if (status == TSM_OK)
    status = tsm_return_object(c, tsm_str_new(c->ctx->heap, text->length ? text->bytes : "", text->length));
  tsm_text_free(text);
  return status;
}

void tsm_format_begin(const tsm_opcall *c, tsm_text *text) {
  tsm_text_init(text, c->ctx->rt);
  text->heap = c->ctx->heap;
}

/* ---- Padding */

static void fill(tsm_text *out, const tsm_format_spec *f, int64_t count) {
  for (; count > 0 && !out->failed; count--) tsm_text_add(out, f->fill, f->fill_length);
}

void tsm_format_pad_text(tsm_text *out, const tsm_format_spec *f, const char *bytes, size_t length, int64_t chars) {
  int64_t padding = f->width > chars ? f->width - chars : 0;
  int64_t left = f->align == '>' ? padding : f->align == '^' ? padding / 2 : 0;
  fill(out, f, left);
  tsm_text_add(out, bytes, length);
  fill(out, f, padding - left);
}

/* The digits with separators, from the right, zeros in front up to `least` characters: backwards into `out`, if that
 * is not NULL. Returns the length. */
static int64_t group_digits(const tsm_format_number *n, char separator, int64_t least, char *out_end) {
  int64_t left = (int64_t)n->digit_count, length = 0;
  for (int in_group = 0; left > 0 || least > 0; in_group++) {
    if (separator && in_group == n->group) {
      in_group = 0;
      length++;
      least--;
      if (out_end) *--out_end = separator;
    }
    length++;
    least--;
    if (out_end) *--out_end = left > 0 ? n->digits[left - 1] : '0';
    left--;
  }
  return length;
}

void tsm_format_pad_number(tsm_text *out, const tsm_format_spec *f, const tsm_format_number *n) {
  int64_t around = (int64_t)(n->head_length + n->tail_length);
  int64_t least = f->fill[0] == '0' && f->fill_length == 1 && f->align == '=' ? f->width - around : 0;
  int64_t digits = n->digit_count ? group_digits(n, f->separator, least, NULL) : 0;
  int64_t padding = f->width > around + digits ? f->width - around - digits : 0;
  int64_t left = f->align == '>' ? padding : f->align == '^' ? padding / 2 : 0;
  fill(out, f, left);
  tsm_text_add(out, n->head, n->head_length);
  if (f->align == '=') fill(out, f, padding);
  size_t at = out->length;
  for (int64_t i = 0; i < digits && !out->failed; i += 16) /* makes room */
    tsm_text_add(out, "0000000000000000", (size_t)(digits - i < 16 ? digits - i : 16));
  if (!out->failed && digits) group_digits(n, f->separator, least, out->bytes + at + digits);
  tsm_text_add(out, n->tail, n->tail_length);
  if (f->align != '=') fill(out, f, padding - left);
}

void tsm_format_sign(tsm_format_number *n, bool is_negative, char sign) {
  n->head_length = 0;
  if (is_negative) n->head[n->head_length++] = '-';
  else if (sign == '+' || sign == ' ') n->head[n->head_length++] = sign;
}

/* ---- int */

char *tsm_format_digits(uint64_t magnitude, unsigned base, bool is_upper, char *end) {
  const char *letters = is_upper ? "0123456789ABCDEF" : "0123456789abcdef";
  do *--end = letters[magnitude % base]; while (magnitude /= base);
  return end;
}

unsigned tsm_format_base(char type) { return type == 'b' ? 2 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10; }

tsm_status tsm_format_char(tsm_opcall *c, tsm_text *out, const tsm_format_spec *f, int64_t value) {
  char bytes[4];
  if (f->sign) return tsm_value_error(c, "Sign not allowed with integer format specifier 'c'");
  if (f->alternate) return tsm_value_error(c, "Alternate form (#) not allowed with integer format specifier 'c'");
  if (value < 0 || value > 0x10FFFF) return tsm_raise(c->ctx, "OverflowError", "%%c arg not in range(0x110000)");
  if (value >= 0xD800 && value <= 0xDFFF)
    return tsm_value_error(c, "%c arg is a surrogate, which a str cannot hold alone");
  tsm_format_spec right = *f;
  if (f->align == '=') right.align = '>';
  tsm_format_pad_text(out, &right, bytes, tsm_utf8_encode((uint32_t)value, bytes), 1);
  return TSM_OK;
}

tsm_status tsm_format_int(tsm_opcall *c, tsm_text *out, const tsm_format_spec *f, int64_t value) {
  char room[72];
  if (f->precision >= 0) return tsm_value_error(c, "Precision not allowed in integer format specifier");
  if (f->no_negative_zero)
    return tsm_value_error(c, "Negative zero coercion (z) not allowed in integer format specifier");
  if (f->type == 'c') return tsm_format_char(c, out, f, value);
  tsm_format_number n = {.group = tsm_format_base(f->type) == 10 ? 3 : 4};
  uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  n.digits = tsm_format_digits(magnitude, tsm_format_base(f->type), f->type == 'X', room + sizeof room);
  n.digit_count = (size_t)(room + sizeof room - n.digits);
  tsm_format_sign(&n, value < 0, f->sign);
  if (f->alternate && tsm_format_base(f->type) != 10) {
    n.head[n.head_length++] = '0';
    n.head[n.head_length++] = f->type;
  }
  n.tail = "";
  tsm_format_pad_number(out, f, &n);
  return TSM_OK;
}

/* ---- float, complex */

/* Digits of a finite or infinite magnitude; `type` 0 as repr, or with a precision as g that keeps a point. */
static void write_magnitude(tsm_text *out, double value, char type, int64_t precision, bool alternate) {
  char kind = type ? type : 'g';
  if (!type && precision < 0) {
    char shortest[TSM_FLOAT_TEXT];
    size_t length = tsm_float_repr(value, shortest), whole = length;
    const char *exponent = memchr(shortest, 'e', length);
    if (exponent) whole = (size_t)(exponent - shortest);
    tsm_text_add(out, shortest, whole);
    if (alternate && isfinite(value) && !memchr(shortest, '.', length)) tsm_text_add(out, ".", 1);
    tsm_text_add(out, shortest + whole, length - whole);
    return;
  }
  int digits = (int)(precision < 0 ? 6 : precision);
  size_t room = (size_t)digits + 400, start = out->length;
  while (out->length < start + room && !out->failed) tsm_text_add(out, "0000000000000000", 16);
  if (out->failed) return;
  size_t length = tsm_float_format(value, kind, digits, alternate, out->bytes + start, room);
  out->length = start + length;
  if (type || !isfinite(value)) return;
  const char *text = out->bytes + start;
  const char *point = memchr(text, '.', length);
  size_t before = point ? (size_t)(point - text) : length;
  if (memchr(text, 'e', length) || (text[0] == '0' && value != 0)) return;
  if (before < (size_t)(digits ? digits : 1)) { /* room for ".0" within the precision */
    if (!point) tsm_text_add(out, ".0", 2);
    return;
  }
  length = tsm_float_format(value, 'e', digits ? digits - 1 : 0, alternate, out->bytes + start, room);
  out->length = start + length;
  if (alternate) return;
  size_t end = (size_t)((const char *)memchr(text, 'e', length) - text), kept = end;
  if (memchr(text, '.', end)) {
    while (text[kept - 1] == '0') kept--;
    if (text[kept - 1] == '.') kept--;
  }
  memmove(out->bytes + start + kept, out->bytes + start + end, length - end);
  out->length = start + length - (end - kept);
}

static bool is_zero_text(const tsm_text *t) {
  for (size_t i = 0; i < t->length && t->bytes[i] != 'e' && t->bytes[i] != 'E'; i++)
    if (t->bytes[i] != '0' && t->bytes[i] != '.') return false;
  return true;
}

/* A float's digits in `text` as parts of a number. */
static void split_float(tsm_format_number *n, const tsm_text *text) {
  n->group = 3;
  n->digits = text->bytes;
  n->digit_count = 0;
  while (n->digit_count < text->length && text->bytes[n->digit_count] >= '0' && text->bytes[n->digit_count] <= '9')
    n->digit_count++;
  n->tail = text->bytes + n->digit_count;
  n->tail_length = text->length - n->digit_count;
}

/* The magnitude as text, and the sign it has then. */
static bool prepare(tsm_text *text, const tsm_format_spec *f, double value) {
  char type = f->type == 'n' ? 'g' : f->type == '%' ? 'f' : f->type;
  bool is_negative = signbit(value) && !isnan(value);
  double magnitude = fabs(f->type == '%' ? value * 100 : value);
  write_magnitude(text, magnitude, type, f->precision, f->alternate);
  if (f->type == '%') tsm_text_add(text, "%", 1);
  if (!text->failed && is_negative && f->no_negative_zero) {
    tsm_text digits = *text;
    digits.length -= f->type == '%';
    is_negative = !is_zero_text(&digits);
  }
  return is_negative;
}

tsm_status tsm_format_float(tsm_opcall *c, tsm_text *out, const tsm_format_spec *f, double value) {
  if (f->precision > INT_MAX) return tsm_value_error(c, "precision too big");
  tsm_text text;
  tsm_format_number n;
  memset(&n, 0, sizeof n);
  tsm_text_init(&text, c->ctx->rt);
  tsm_format_sign(&n, prepare(&text, f, value), f->sign);
  if (text.failed) {
    tsm_text_free(&text);
    return tsm_out_of_memory(c->ctx);
  }
  split_float(&n, &text);
  if (n.digit_count) {
    tsm_format_pad_number(out, f, &n);
  } else { /* inf, nan: padded with zeros where those are the fill, never grouped */
    tsm_format_spec plain = *f;
    plain.separator = 0;
    tsm_format_pad_number(out, &plain, &n);
  }
  tsm_text_free(&text);
  return TSM_OK;
}

static void add_part(tsm_text *out, const tsm_format_spec *f, double value, bool with_sign) {
  tsm_text text;
  tsm_format_number n;
  memset(&n, 0, sizeof n);
  tsm_text_init(&text, out->rt);
  tsm_format_sign(&n, prepare(&text, f, value), with_sign ? '+' : f->sign);
  split_float(&n, &text);
  tsm_format_spec bare = *f;
  bare.width = -1;
  if (text.failed) out->failed = true;
  else tsm_format_pad_number(out, &bare, &n);
  tsm_text_free(&text);
}

/* A part of a complex number has no ".0" as a float has, or with `#` only its point. */
static void drop_zero(tsm_text *text, bool alternate) {
  if (text->failed || text->length < 2 || memcmp(text->bytes + text->length - 2, ".0", 2) != 0) return;
  text->length -= alternate ? 1 : 2;
}

tsm_status tsm_format_complex(tsm_opcall *c, tsm_text *out, const tsm_complex *value, const tsm_str *s) {
  tsm_format_spec f;
  tsm_status status = tsm_format_read(c, s, 0, '>', &f);
  if (status != TSM_OK) return status;
  if (f.type && !strchr("eEfFgGn", f.type)) return tsm_format_unknown_code(c, (unsigned char)f.type);
  if (f.fill[0] == '0') return tsm_value_error(c, "Zero padding is not allowed in complex format specifier");
  if (f.align == '=') return tsm_value_error(c, "'=' alignment flag is not allowed in complex format specifier");
  if (f.precision > INT_MAX) return tsm_value_error(c, "precision too big");
  tsm_format_spec part = f;
  bool is_bare = !f.type && value->re == 0 && !signbit(value->re), has_brackets = !f.type && !is_bare;
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  if (!f.type) part.type = f.precision < 0 ? 0 : 'g';
  if (has_brackets) tsm_text_add(&text, "(", 1);
  if (!is_bare) add_part(&text, &part, value->re, false);
  if (!part.type) drop_zero(&text, f.alternate);
  add_part(&text, &part, value->im, !is_bare);
  if (!part.type) drop_zero(&text, f.alternate);
  tsm_text_add(&text, "j)", has_brackets ? 2 : 1);
  if (text.failed) status = tsm_out_of_memory(c->ctx);
  else tsm_format_pad_text(out, &f, text.bytes, text.length, (int64_t)text.length);
  tsm_text_free(&text);
  return status;
}
