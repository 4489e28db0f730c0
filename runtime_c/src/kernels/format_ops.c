/* format_ops.c - format(), and with it f-strings and str.format; ascii(), hex(), oct(), bin().
 * In: a value and a specification as Python writes it. Out: text as CPython 3.11 makes it in the C locale, or its
 * error. */
#include "chars.h"
#include "base/unicode.h"
#include "format_numbers.h"

static tsm_status format_str(tsm_opcall *c, tsm_text *out, const tsm_str *value, const tsm_str *s) {
  tsm_format_spec f;
  tsm_status status = tsm_format_read(c, s, 's', '<', &f);
  if (status != TSM_OK) return status;
  if (f.type != 's') return tsm_format_unknown_code(c, (unsigned char)f.type);
  if (f.sign == ' ') return tsm_value_error(c, "Space not allowed in string format specifier");
  if (f.sign) return tsm_value_error(c, "Sign not allowed in string format specifier");
  if (f.no_negative_zero)
    return tsm_value_error(c, "Negative zero coercion (z) not allowed in string format specifier");
  if (f.alternate) return tsm_value_error(c, "Alternate form (#) not allowed in string format specifier");
  if (f.align == '=') return tsm_value_error(c, "'=' alignment not allowed in string format specifier");
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
  tsm_format_pad_text(out, &f, value->bytes, length, chars);
  return TSM_OK;
}

static tsm_status format_number(tsm_opcall *c, tsm_text *out, tsm_pair value, const tsm_str *s) {
  tsm_format_spec f;
  bool is_float = value.tag == TSM_FLOAT;
  tsm_status status = tsm_format_read(c, s, is_float ? 0 : 'd', '>', &f);
  if (status != TSM_OK) return status;
  if (!is_float && f.type && strchr("bcdoxXn", f.type)) return tsm_format_int(c, out, &f, value.as.i);
  if (f.type && !strchr("eEfFgGn%", f.type)) return tsm_format_unknown_code(c, (unsigned char)f.type);
  return tsm_format_float(c, out, &f, is_float ? value.as.f : (double)value.as.i);
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
    case TSM_COMPLEX: return tsm_format_complex(c, out, (const tsm_complex *)value.as.ref, s);
    default: return tsm_raise_kind(c, "TypeError", "unsupported format string passed to ", ".__format__");
  }
}

tsm_status tsm_k_format_any(tsm_opcall *c) {
  tsm_text text;
  tsm_format_begin(c, &text);
  return tsm_format_finish(c, &text, format_value(c, &text, tsm_arg_pair(c, 0), tsm_arg_str(c, 1)));
}

/* ---- ascii(), hex(), oct(), bin() */

tsm_status tsm_k_ascii_any(tsm_opcall *c) {
  tsm_text shown, text;
  tsm_format_begin(c, &shown);
  tsm_format_begin(c, &text);
  shown.ctx = c->ctx;
  tsm_text_repr(&shown, tsm_arg_pair(c, 0));
  tsm_status status = shown.failed ? tsm_text_raise(c->ctx, &shown) : TSM_OK;
  for (size_t at = 0, n, paid = 0; status == TSM_OK && at < shown.length; at += n) {
    if (!tsm_chars_go_on(c, at, shown.length, &paid)) status = c->ctx->status;
    uint32_t ch = tsm_utf8_decode(shown.bytes + at, &n);
    if (ch < 128) tsm_text_add(&text, shown.bytes + at, 1);
    else if (ch < 0x100) tsm_text_format(&text, "\\x%02x", (unsigned)ch);
    else if (ch < 0x10000) tsm_text_format(&text, "\\u%04x", (unsigned)ch);
    else tsm_text_format(&text, "\\U%08x", (unsigned)ch);
  }
  tsm_text_free(&shown);
  return tsm_format_finish(c, &text, status);
}

static tsm_status in_base(tsm_opcall *c, char letter) {
  char room[72];
  int64_t value = tsm_arg_int(c, 0);
  uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  char *at = tsm_format_digits(magnitude, tsm_format_base(letter), false, room + sizeof room);
  *--at = letter;
  *--at = '0';
  if (value < 0) *--at = '-';
  return tsm_return_object(c, tsm_str_new(c->ctx->heap, at, (size_t)(room + sizeof room - at)));
}

tsm_status tsm_k_int_hex(tsm_opcall *c) { return in_base(c, 'x'); }
tsm_status tsm_k_int_oct(tsm_opcall *c) { return in_base(c, 'o'); }
tsm_status tsm_k_int_bin(tsm_opcall *c) { return in_base(c, 'b'); }
