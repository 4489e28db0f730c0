/* format_ops.c - format(), and with it f-strings and str.format, and the conversions of str % values.
 * In: a value and a specification as Python writes it. Out: text as CPython 3.11 makes it in the C locale, or its error.
 * Holds: nothing is written before fuel for the width and the precision was charged. */
#include <limits.h>
#include <math.h>

#include "base/unicode.h"
#include "containers.h"

typedef struct spec {
  char fill[4];
  size_t fill_length;
  char align, sign, type; /* 0: not given; type 0 is the default of the value's kind */
  bool alternate, no_negative_zero;
  char separator;         /* ',' or '_', 0: none */
  int64_t width, precision; /* -1: not given */
} spec;

/* A number in parts: sign and prefix, the digits that may be grouped, and what follows them. */
typedef struct number {
  char head[4];
  size_t head_length, digit_count, tail_length;
  const char *digits, *tail;
  int group; /* digits between separators */
} number;

static bool is_align(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

/* ---- Reading a specification */

/* Digits of any script at `at`; returns how many bytes, or SIZE_MAX when the number is too large. */
static size_t read_number(const tsm_str *s, size_t at, int64_t *out) {
  size_t start = at, n;
  int64_t value = 0;
  while (at < s->length) {
    int digit = tsm_char_digit(tsm_utf8_decode(s->bytes + at, &n));
    if (digit < 0) break;
    if (tsm_mul_overflows(value, 10, &value) || tsm_add_overflows(value, digit, &value)) return SIZE_MAX;
    at += n;
  }
  if (at > start) *out = value;
  return at - start;
}

static tsm_status value_error(tsm_opcall *c, const char *text) { return tsm_raise(c->ctx, "ValueError", "%s", text); }

/* Raises about the kind of the value in argument 0, whose name replaces the second %s. */
static tsm_status raise_kind(tsm_opcall *c, const char *type, const char *before, const char *after) {
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  text.heap = c->ctx->heap;
  tsm_text_add(&text, before, strlen(before));
  tsm_text_type_name(&text, tsm_arg_pair(c, 0));
  tsm_text_add(&text, after, strlen(after));
  tsm_status status = text.failed ? tsm_out_of_memory(c->ctx) : tsm_raise_text(c->ctx, type, text.bytes, text.length);
  tsm_text_free(&text);
  return status;
}

/* A character as CPython's messages show it. */
static void show_char(uint32_t ch, char out[16]) {
  if (ch > 32 && ch < 128) {
    out[0] = (char)ch;
    out[1] = 0;
    return;
  }
  char digits[8];
  size_t count = 0, at = 2;
  do digits[count++] = "0123456789abcdef"[ch & 15]; while (ch >>= 4);
  out[0] = '\\';
  out[1] = 'x';
  while (count) out[at++] = digits[--count];
  out[at] = 0;
}

static tsm_status unknown_code(tsm_opcall *c, uint32_t code) {
  char shown[16], before[64] = "Unknown format code '";
  show_char(code, shown);
  strcat(before, shown);
  strcat(before, "' for object of type '");
  return raise_kind(c, "ValueError", before, "'");
}

static tsm_status refuse_separator(tsm_opcall *c, char separator, uint32_t type) {
  char shown[16];
  show_char(type, shown);
  return tsm_raise(c->ctx, "ValueError", "Cannot specify '%c' with '%s'.", separator, shown);
}

static tsm_status invalid(tsm_opcall *c, const tsm_str *s) {
  char before[64] = "Invalid format specifier '";
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  tsm_text_add(&text, before, strlen(before));
  tsm_text_add(&text, s->bytes, s->length);
  tsm_text_add(&text, "' for object of type '", 22);
  tsm_text_add(&text, "", 1);
  tsm_status status = text.failed ? tsm_out_of_memory(c->ctx) : raise_kind(c, "ValueError", text.bytes, "'");
  tsm_text_free(&text);
  return status;
}

static size_t read_align(const tsm_str *s, spec *f, char default_align, bool *out_has_fill, bool *out_has_align) {
  size_t n = 0, at = 0;
  f->fill[0] = ' ';
  f->fill_length = 1;
  f->align = default_align;
  *out_has_fill = *out_has_align = false;
  if (s->length) tsm_utf8_decode(s->bytes, &n);
  if (n && n < s->length && is_align(s->bytes[n])) {
    memcpy(f->fill, s->bytes, n);
    f->fill_length = n;
    f->align = s->bytes[n];
    *out_has_fill = *out_has_align = true;
    at = n + 1;
  } else if (s->length && is_align(s->bytes[0])) {
    f->align = s->bytes[0];
    *out_has_align = true;
    at = 1;
  }
  return at;
}

/* The part from the width on. */
static tsm_status read_rest(tsm_opcall *c, const tsm_str *s, size_t at, spec *f, uint32_t *out_type) {
  size_t n = read_number(s, at, &f->width);
  if (n == SIZE_MAX) return value_error(c, "Too many decimal digits in format string");
  at += n;
  if (s->bytes[at] == ',') f->separator = s->bytes[at++];
  if (s->bytes[at] == '_') {
    if (f->separator) return value_error(c, "Cannot specify both ',' and '_'.");
    f->separator = s->bytes[at++];
  }
  if (s->bytes[at] == ',' && f->separator == '_') return value_error(c, "Cannot specify both ',' and '_'.");
  if (s->bytes[at] == '.') {
    n = read_number(s, ++at, &f->precision);
    if (n == SIZE_MAX) return value_error(c, "Too many decimal digits in format string");
    if (!n) return value_error(c, "Format specifier missing precision");
    at += n;
  }
  *out_type = 0;
  if (at < s->length) {
    *out_type = tsm_utf8_decode(s->bytes + at, &n);
    if (at + n < s->length) return invalid(c, s);
  }
  if (f->separator && *out_type && (*out_type > 127 || !strchr("deEfFgG%", (char)*out_type)) &&
      (*out_type > 127 || !strchr("boxX", (char)*out_type) || f->separator == ','))
    return refuse_separator(c, f->separator, *out_type);
  return TSM_OK;
}

/* Reads the whole of it; a type that is not ASCII is refused. `default_type` only matters for messages. */
static tsm_status read_spec(tsm_opcall *c, const tsm_str *s, char default_type, char default_align, spec *f) {
  bool has_fill, has_align;
  memset(f, 0, sizeof *f);
  f->width = f->precision = -1;
  size_t at = read_align(s, f, default_align, &has_fill, &has_align);
  char next = s->bytes[at]; /* a str ends in a zero byte */
  if (next == ' ' || next == '+' || next == '-') f->sign = s->bytes[at++];
  if (s->bytes[at] == 'z') f->no_negative_zero = at++ || true;
  if (s->bytes[at] == '#') f->alternate = at++ || true;
  if (!has_fill && s->bytes[at] == '0') {
    f->fill[0] = '0';
    if (!has_align && default_align == '>') f->align = '=';
    at++;
  }
  uint32_t type = 0;
  tsm_status status = read_rest(c, s, at, f, &type);
  if (status != TSM_OK) return status;
  if (f->separator && !type && default_type == 's') return refuse_separator(c, f->separator, 's');
  if (type > 127) return unknown_code(c, type);
  f->type = type ? (char)type : default_type;
  int64_t cost = (f->width > 0 ? f->width / 64 : 0) + (f->precision > 0 ? f->precision / 16 : 0);
  if (f->width > INT32_MAX) return tsm_out_of_memory(c->ctx);
  return tsm_charge(c->ctx, cost);
}

/* ---- Writing */

static void fill(tsm_text *out, const spec *f, int64_t count) {
  for (; count > 0 && !out->failed; count--) tsm_text_add(out, f->fill, f->fill_length);
}

static void pad_text(tsm_text *out, const spec *f, const char *bytes, size_t length, int64_t chars) {
  int64_t padding = f->width > chars ? f->width - chars : 0;
  int64_t left = f->align == '>' ? padding : f->align == '^' ? padding / 2 : 0;
  fill(out, f, left);
  tsm_text_add(out, bytes, length);
  fill(out, f, padding - left);
}

/* The digits with separators, from the right, zeros in front up to `least` characters: backwards into `out`, if that
 * is not NULL. Returns the length. */
static int64_t group_digits(const number *n, char separator, int64_t least, char *out_end) {
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

static void pad_number(tsm_text *out, const spec *f, const number *n) {
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

static void put_sign(number *n, bool is_negative, char sign) {
  n->head_length = 0;
  if (is_negative) n->head[n->head_length++] = '-';
  else if (sign == '+' || sign == ' ') n->head[n->head_length++] = sign;
}

/* ---- str, int */

static tsm_status format_str(tsm_opcall *c, tsm_text *out, const tsm_str *value, const tsm_str *s) {
  spec f;
  tsm_status status = read_spec(c, s, 's', '<', &f);
  if (status != TSM_OK) return status;
  if (f.type != 's') return unknown_code(c, (unsigned char)f.type);
  if (f.sign == ' ') return value_error(c, "Space not allowed in string format specifier");
  if (f.sign) return value_error(c, "Sign not allowed in string format specifier");
  if (f.no_negative_zero) return value_error(c, "Negative zero coercion (z) not allowed in string format specifier");
  if (f.alternate) return value_error(c, "Alternate form (#) not allowed in string format specifier");
  if (f.align == '=') return value_error(c, "'=' alignment not allowed in string format specifier");
  int64_t chars = value->chars;
  size_t length = value->length;
  if (f.precision >= 0 && f.precision < chars) {
    chars = f.precision;
    length = 0;
    for (int64_t i = 0; i < chars; i++) {
      size_t n;
      tsm_utf8_decode(value->bytes + length, &n);
      length += n;
    }
  }
  pad_text(out, &f, value->bytes, length, chars);
  return TSM_OK;
}

/* Digits of a magnitude in a base, backwards from `end`; returns where they start. */
static char *write_digits(uint64_t magnitude, unsigned base, bool is_upper, char *end) {
  const char *letters = is_upper ? "0123456789ABCDEF" : "0123456789abcdef";
  do *--end = letters[magnitude % base]; while (magnitude /= base);
  return end;
}

static unsigned base_of(char type) { return type == 'b' ? 2 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10; }

static tsm_status format_char(tsm_opcall *c, tsm_text *out, const spec *f, int64_t value) {
  char bytes[4];
  if (f->sign) return value_error(c, "Sign not allowed with integer format specifier 'c'");
  if (f->alternate) return value_error(c, "Alternate form (#) not allowed with integer format specifier 'c'");
  if (value < 0 || value > 0x10FFFF) return tsm_raise(c->ctx, "OverflowError", "%%c arg not in range(0x110000)");
  if (value >= 0xD800 && value <= 0xDFFF)
    return value_error(c, "%c arg is a surrogate, which a str cannot hold alone");
  spec right = *f;
  if (f->align == '=') right.align = '>';
  pad_text(out, &right, bytes, tsm_utf8_encode((uint32_t)value, bytes), 1);
  return TSM_OK;
}

static tsm_status write_int(tsm_opcall *c, tsm_text *out, const spec *f, int64_t value) {
  char room[72];
  if (f->precision >= 0) return value_error(c, "Precision not allowed in integer format specifier");
  if (f->no_negative_zero)
    return value_error(c, "Negative zero coercion (z) not allowed in integer format specifier");
  if (f->type == 'c') return format_char(c, out, f, value);
  number n = {.group = base_of(f->type) == 10 ? 3 : 4};
  uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  n.digits = write_digits(magnitude, base_of(f->type), f->type == 'X', room + sizeof room);
  n.digit_count = (size_t)(room + sizeof room - n.digits);
  put_sign(&n, value < 0, f->sign);
  if (f->alternate && base_of(f->type) != 10) {
    n.head[n.head_length++] = '0';
    n.head[n.head_length++] = f->type;
  }
  n.tail = "";
  pad_number(out, f, &n);
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
static void split_float(number *n, const tsm_text *text) {
  n->group = 3;
  n->digits = text->bytes;
  n->digit_count = 0;
  while (n->digit_count < text->length && text->bytes[n->digit_count] >= '0' && text->bytes[n->digit_count] <= '9')
    n->digit_count++;
  n->tail = text->bytes + n->digit_count;
  n->tail_length = text->length - n->digit_count;
}

/* The magnitude as text, and the sign it has then. */
static bool prepare(tsm_text *text, const spec *f, double value) {
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

static tsm_status write_float(tsm_opcall *c, tsm_text *out, const spec *f, double value) {
  if (f->precision > INT_MAX) return value_error(c, "precision too big");
  tsm_text text;
  number n;
  memset(&n, 0, sizeof n);
  tsm_text_init(&text, c->ctx->rt);
  put_sign(&n, prepare(&text, f, value), f->sign);
  if (text.failed) {
    tsm_text_free(&text);
    return tsm_out_of_memory(c->ctx);
  }
  split_float(&n, &text);
  if (n.digit_count) {
    pad_number(out, f, &n);
  } else { /* inf, nan: padded with zeros where those are the fill, never grouped */
    spec plain = *f;
    plain.separator = 0;
    pad_number(out, &plain, &n);
  }
  tsm_text_free(&text);
  return TSM_OK;
}

static void add_part(tsm_text *out, const spec *f, double value, bool with_sign) {
  tsm_text text;
  number n;
  memset(&n, 0, sizeof n);
  tsm_text_init(&text, out->rt);
  put_sign(&n, prepare(&text, f, value), with_sign ? '+' : f->sign);
  split_float(&n, &text);
  spec bare = *f;
  bare.width = -1;
  if (text.failed) out->failed = true;
  else pad_number(out, &bare, &n);
  tsm_text_free(&text);
}

/* A part of a complex number has no ".0" as a float has, or with `#` only its point. */
static void drop_zero(tsm_text *text, bool alternate) {
  if (text->failed || text->length < 2 || memcmp(text->bytes + text->length - 2, ".0", 2) != 0) return;
  text->length -= alternate ? 1 : 2;
}

static tsm_status format_complex(tsm_opcall *c, tsm_text *out, const tsm_complex *value, const tsm_str *s) {
  spec f;
  tsm_status status = read_spec(c, s, 0, '>', &f);
  if (status != TSM_OK) return status;
  if (f.type && !strchr("eEfFgGn", f.type)) return unknown_code(c, (unsigned char)f.type);
  if (f.fill[0] == '0') return value_error(c, "Zero padding is not allowed in complex format specifier");
  if (f.align == '=') return value_error(c, "'=' alignment flag is not allowed in complex format specifier");
  if (f.precision > INT_MAX) return value_error(c, "precision too big");
  spec part = f;
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
  else pad_text(out, &f, text.bytes, text.length, (int64_t)text.length);
  tsm_text_free(&text);
  return status;
}

/* ---- format() */

static tsm_status format_number(tsm_opcall *c, tsm_text *out, tsm_pair value, const tsm_str *s) {
  spec f;
  bool is_float = value.tag == TSM_FLOAT;
  tsm_status status = read_spec(c, s, is_float ? 0 : 'd', '>', &f);
  if (status != TSM_OK) return status;
  if (!is_float && f.type && strchr("bcdoxXn", f.type)) return write_int(c, out, &f, value.as.i);
  if (f.type && !strchr("eEfFgGn%", f.type)) return unknown_code(c, (unsigned char)f.type);
  return write_float(c, out, &f, is_float ? value.as.f : (double)value.as.i);
}

static tsm_status format_value(tsm_opcall *c, tsm_text *out, tsm_pair value, const tsm_str *s) {
  if (!s->length) {
    out->ctx = c->ctx;
    tsm_text_str(out, value);
    return out->failed ? tsm_text_raise(c->ctx, out) : TSM_OK;
  }
  switch (TSM_TAG_KIND(value.tag)) {
    case TSM_BOOL: case TSM_INT: case TSM_FLOAT: return format_number(c, out, value, s);
    case TSM_STR: return format_str(c, out, (const tsm_str *)value.as.ref, s);
    case TSM_COMPLEX: return format_complex(c, out, (const tsm_complex *)value.as.ref, s);
    default: return raise_kind(c, "TypeError", "unsupported format string passed to ", ".__format__");
  }
}

static tsm_status finish(tsm_opcall *c, tsm_text *text, tsm_status status) {
  if (status == TSM_OK && text->failed) status = tsm_text_raise(c->ctx, text);
  if (status == TSM_OK)
    status = tsm_return_object(c, tsm_str_new(c->ctx->heap, text->length ? text->bytes : "", text->length));
  tsm_text_free(text);
  return status;
}

static void begin(const tsm_opcall *c, tsm_text *text) {
  tsm_text_init(text, c->ctx->rt);
  text->heap = c->ctx->heap;
}

tsm_status tsm_k_format_any(tsm_opcall *c) {
  tsm_text text;
  begin(c, &text);
  return finish(c, &text, format_value(c, &text, tsm_arg_pair(c, 0), tsm_arg_str(c, 1)));
}

/* ---- str % values: one conversion, as "-08.3d" */

static tsm_status read_percent(tsm_opcall *c, const tsm_str *s, spec *f) {
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
  size_t n = read_number(s, at, &f->width);
  if (n == SIZE_MAX || f->width > INT32_MAX) return value_error(c, "width too big");
  at += n;
  if (at < s->length && s->bytes[at] == '.') {
    bool is_negative = s->bytes[++at] == '-'; /* from a `*` */
    f->precision = 0;
    n = read_number(s, at + is_negative, &f->precision);
    if (n == SIZE_MAX || f->precision > INT_MAX) return value_error(c, "precision too big");
    at += n + is_negative;
    if (is_negative) f->precision = 0;
  }
  f->type = at + 1 == s->length ? s->bytes[at] : 0;
  if (is_zero && f->type && strchr("diuoxXeEfFgG", f->type) && f->align == '>') {
    f->fill[0] = '0';
    f->align = '=';
  }
  return tsm_charge(c->ctx, (f->width > 0 ? f->width / 64 : 0) + (f->precision > 0 ? f->precision / 16 : 0));
}

static tsm_status percent_int(tsm_opcall *c, tsm_text *out, spec *f, tsm_pair value) {
  char room[400], before[48] = {'%', f->type};
  bool is_decimal = strchr("diu", f->type) != NULL;
  bool is_large = false; /* a float beyond 64 bits, which has no fraction */
  int64_t whole = value.as.i;
  if (value.tag == TSM_FLOAT && is_decimal) {
    if (isnan(value.as.f)) return value_error(c, "cannot convert float NaN to integer");
    if (isinf(value.as.f)) return tsm_raise(c->ctx, "OverflowError", "cannot convert float infinity to integer");
    is_large = !(fabs(value.as.f) < 9223372036854775808.0);
    whole = is_large ? (value.as.f < 0 ? -1 : 1) : (int64_t)value.as.f;
  } else if (value.tag != TSM_INT && value.tag != TSM_BOOL) {
    strcat(before, is_decimal ? " format: a real number is required, not " : " format: an integer is required, not ");
    return raise_kind(c, "TypeError", before, "");
  }
  unsigned base = base_of(f->type);
  uint64_t magnitude = whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole;
  char *digits = write_digits(magnitude, base, f->type == 'X', room + sizeof room);
  number n = {.group = 3, .tail = ""};
  tsm_text padded;
  tsm_text_init(&padded, c->ctx->rt);
  int64_t count = room + sizeof room - digits;
  if (is_large) {
    digits = room;
    count = (int64_t)tsm_float_format(fabs(value.as.f), 'f', 0, false, room, sizeof room);
  }
  for (int64_t zeros = f->precision - count; zeros > 0 && !padded.failed; zeros--) tsm_text_add(&padded, "0", 1);
  tsm_text_add(&padded, digits, (size_t)count);
  put_sign(&n, whole < 0, f->sign);
  if (f->alternate && base != 10) {
    n.head[n.head_length++] = '0';
    n.head[n.head_length++] = f->type;
  }
  n.digits = padded.bytes;
  n.digit_count = padded.length;
  if (padded.failed) out->failed = true;
  else pad_number(out, f, &n);
  tsm_text_free(&padded);
  return TSM_OK;
}

static tsm_status percent_float(tsm_opcall *c, tsm_text *out, spec *f, tsm_pair value) {
  if (value.tag == TSM_FLOAT) return write_float(c, out, f, value.as.f);
  if (value.tag == TSM_INT || value.tag == TSM_BOOL) return write_float(c, out, f, (double)value.as.i);
  return raise_kind(c, "TypeError", "must be real number, not ", "");
}

static tsm_status percent_char(tsm_opcall *c, tsm_text *out, spec *f, tsm_pair value) {
  const tsm_str *s = value.tag == TSM_STR ? (const tsm_str *)value.as.ref : NULL;
  f->sign = 0;
  f->alternate = false;
  if (s && s->chars == 1) pad_text(out, f, s->bytes, s->length, 1);
  else if (value.tag == TSM_INT || value.tag == TSM_BOOL) return format_char(c, out, f, value.as.i);
  else return tsm_raise(c->ctx, "TypeError", "%%c requires int or char");
  return TSM_OK;
}

static tsm_status percent_text(tsm_opcall *c, tsm_text *out, const spec *f, tsm_pair value) {
  tsm_text text;
  begin(c, &text);
  text.ctx = c->ctx;
  tsm_text_str(&text, value);
  tsm_status status = text.failed ? tsm_text_raise(c->ctx, &text) : TSM_OK;
  int64_t chars = 0;
  size_t length = 0;
  for (size_t n; status == TSM_OK && length < text.length && (f->precision < 0 || chars < f->precision); chars++) {
    tsm_utf8_decode(text.bytes + length, &n);
    length += n;
  }
  if (status == TSM_OK) pad_text(out, f, length ? text.bytes : "", length, chars);
  tsm_text_free(&text);
  return status;
}

static tsm_status percent_value(tsm_opcall *c, tsm_text *out, tsm_pair value, const tsm_str *s) {
  spec f;
  tsm_status status = read_percent(c, s, &f);
  if (status != TSM_OK) return status;
  if (f.type == 's') return percent_text(c, out, &f, value);
  if (f.type == 'c') return percent_char(c, out, &f, value);
  if (f.type && strchr("diuoxX", f.type)) return percent_int(c, out, &f, value);
  if (f.type && strchr("eEfFgG", f.type)) {
    if (f.precision < 0) f.precision = 6;
    return percent_float(c, out, &f, value);
  }
  return value_error(c, "unsupported format character");
}

tsm_status tsm_k_percent_any(tsm_opcall *c) {
  tsm_text text;
  begin(c, &text);
  return finish(c, &text, percent_value(c, &text, tsm_arg_pair(c, 0), tsm_arg_str(c, 1)));
}

/* ---- ascii(), hex(), oct(), bin() */

tsm_status tsm_k_ascii_any(tsm_opcall *c) {
  tsm_text shown, text;
  begin(c, &shown);
  begin(c, &text);
  shown.ctx = c->ctx;
  tsm_text_repr(&shown, tsm_arg_pair(c, 0));
  tsm_status status = shown.failed ? tsm_text_raise(c->ctx, &shown) : TSM_OK;
  for (size_t at = 0, n; status == TSM_OK && at < shown.length; at += n) {
    uint32_t ch = tsm_utf8_decode(shown.bytes + at, &n);
    if (ch < 128) tsm_text_add(&text, shown.bytes + at, 1);
    else if (ch < 0x100) tsm_text_format(&text, "\\x%02x", (unsigned)ch);
    else if (ch < 0x10000) tsm_text_format(&text, "\\u%04x", (unsigned)ch);
    else tsm_text_format(&text, "\\U%08x", (unsigned)ch);
  }
  tsm_text_free(&shown);
  return finish(c, &text, status);
}

static tsm_status in_base(tsm_opcall *c, char letter) {
  char room[72];
  int64_t value = tsm_arg_int(c, 0);
  char *at = write_digits(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, base_of(letter), false, room + sizeof room);
  *--at = letter;
  *--at = '0';
  if (value < 0) *--at = '-';
  return tsm_return_object(c, tsm_str_new(c->ctx->heap, at, (size_t)(room + sizeof room - at)));
}

tsm_status tsm_k_int_hex(tsm_opcall *c) { return in_base(c, 'x'); }
tsm_status tsm_k_int_oct(tsm_opcall *c) { return in_base(c, 'o'); }
tsm_status tsm_k_int_bin(tsm_opcall *c) { return in_base(c, 'b'); }
