/* format_spec.c - reading of a format specification, "*^+#012,.3f".
 * In: its text, the kind of the value. Out: its parts, or the error that CPython 3.11 raises.
 * Holds: nothing is written before fuel for the width and the precision was charged. */
#include "format_spec.h"

#include "base/unicode.h"

static bool is_align(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

size_t tsm_format_read_count(const tsm_str *s, size_t at, int64_t *out) {
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

tsm_status tsm_value_error(tsm_opcall *c, const char *text) { return tsm_raise(c->ctx, "ValueError", "%s", text); }

tsm_status tsm_raise_kind(tsm_opcall *c, const char *type, const char *before, const char *after) {
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

tsm_status tsm_format_unknown_code(tsm_opcall *c, uint32_t code) {
  char shown[16], before[64] = "Unknown format code '";
  show_char(code, shown);
  strcat(before, shown);
  strcat(before, "' for object of type '");
  return tsm_raise_kind(c, "ValueError", before, "'");
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
  tsm_status status = text.failed ? tsm_out_of_memory(c->ctx) : tsm_raise_kind(c, "ValueError", text.bytes, "'");
  tsm_text_free(&text);
  return status;
}

static size_t read_align(const tsm_str *s, tsm_format_spec *f, char default_align, bool *out_has_fill,
                         bool *out_has_align) {
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
static tsm_status read_rest(tsm_opcall *c, const tsm_str *s, size_t at, tsm_format_spec *f, uint32_t *out_type) {
  size_t n = tsm_format_read_count(s, at, &f->width);
  if (n == SIZE_MAX) return tsm_value_error(c, "Too many decimal digits in format string");
  at += n;
  if (s->bytes[at] == ',') f->separator = s->bytes[at++];
  if (s->bytes[at] == '_') {
    if (f->separator) return tsm_value_error(c, "Cannot specify both ',' and '_'.");
    f->separator = s->bytes[at++];
  }
  if (s->bytes[at] == ',' && f->separator == '_') return tsm_value_error(c, "Cannot specify both ',' and '_'.");
  if (s->bytes[at] == '.') {
    n = tsm_format_read_count(s, ++at, &f->precision);
    if (n == SIZE_MAX) return tsm_value_error(c, "Too many decimal digits in format string");
    if (!n) return tsm_value_error(c, "Format specifier missing precision");
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

tsm_status tsm_format_read(tsm_opcall *c, const tsm_str *s, char default_type, char default_align, tsm_format_spec *f) {
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
  if (type > 127) return tsm_format_unknown_code(c, type);
  f->type = type ? (char)type : default_type;
  int64_t cost = (f->width > 0 ? f->width / 64 : 0) + (f->precision > 0 ? f->precision / 16 : 0);
  if (f->width > INT32_MAX) return tsm_out_of_memory(c->ctx);
  return tsm_charge(c->ctx, cost);
}
