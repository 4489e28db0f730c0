/* convert_ops.c - int(), float(), bool(), round(): between numbers, and from text.
 * Text is parsed as CPython does it: white space around, single underscores between digits, digits of any script. */
#include "chars.h"
#include "op/scalar.h"
#include "base/unicode.h"
#include "kernels.h"

static tsm_status finish_int(tsm_opcall *c, tsm_fault fault, int64_t out, const char *operation) {
  if (fault != TSM_FAULT_NONE) return tsm_raise_fault(c->ctx, fault, operation);
  return tsm_return_int(c, out);
}

tsm_status tsm_k_int_from_float(tsm_opcall *c) {
  int64_t out = 0;
  tsm_fault fault = tsm_float_to_int(tsm_arg_float(c, 0), &out);
  return finish_int(c, fault, out, "int()");
}

tsm_status tsm_k_int_from_scalar(tsm_opcall *c) {
  int64_t out = 0;
  tsm_status status = tsm_scalar_to_int(c->ctx, tsm_arg_pair(c, 0), &out);
  return status == TSM_OK ? tsm_return_int(c, out) : status;
}

tsm_status tsm_k_float_from_int(tsm_opcall *c) { return tsm_return_float(c, (double)tsm_arg_int(c, 0)); }

tsm_status tsm_k_float_from_scalar(tsm_opcall *c) {
  double out = 0;
  tsm_status status = tsm_scalar_to_float(c->ctx, tsm_arg_pair(c, 0), &out);
  return status == TSM_OK ? tsm_return_float(c, out) : status;
}

tsm_status tsm_k_bool_from_int(tsm_opcall *c) { return tsm_return_bool(c, tsm_arg_int(c, 0) != 0); }
tsm_status tsm_k_bool_from_float(tsm_opcall *c) { return tsm_return_bool(c, tsm_arg_float(c, 0) != 0); }
tsm_status tsm_k_bool_from_str(tsm_opcall *c) { return tsm_return_bool(c, tsm_arg_str(c, 0)->length != 0); }
tsm_status tsm_k_bool_from_scalar(tsm_opcall *c) { return tsm_return_bool(c, tsm_scalar_truth(tsm_arg_pair(c, 0))); }

tsm_status tsm_k_bool_from_any(tsm_opcall *c) {
  tsm_pair p = tsm_arg_pair(c, 0);
  bool truth = true;
  tsm_status status = TSM_OK;
  switch (TSM_TAG_KIND(p.tag)) {
    case TSM_NONE: truth = false; break;
    case TSM_BOOL: case TSM_INT: case TSM_FLOAT: case TSM_COMPLEX: truth = tsm_scalar_truth(p); break;
    case TSM_STR: truth = ((tsm_str *)p.as.ref)->length != 0; break;
    case TSM_BYTES: truth = ((tsm_bytes *)p.as.ref)->length != 0; break;
    case TSM_LIST: truth = ((tsm_list *)p.as.ref)->length != 0; break;
    case TSM_DICT: case TSM_SET: case TSM_FROZENSET: truth = ((tsm_dict *)p.as.ref)->length != 0; break;
    case TSM_TUPLE: truth = ((tsm_tuple *)p.as.ref)->length != 0; break;
    case TSM_TENSOR: status = tsm_tensor_truth(c->ctx, p.as.tensor, &truth); break;
    default: break;
  }
  return status == TSM_OK ? tsm_return_bool(c, truth) : status;
}

tsm_status tsm_k_round_float(tsm_opcall *c) {
  int64_t out = 0;
  tsm_fault fault = tsm_float_to_nearest(tsm_arg_float(c, 0), &out);
  return finish_int(c, fault, out, "round()");
}

tsm_status tsm_k_round_digits(tsm_opcall *c) {
  double out;
  if (!tsm_float_round(tsm_arg_float(c, 0), tsm_arg_int(c, 1), &out))
    return tsm_raise_fault(c->ctx, TSM_FAULT_ROUND_OVERFLOW, "");
  return tsm_return_float(c, out);
}

/* ---- From text */

/* The text without white space around it, in ASCII: digits of other scripts become theirs, other characters '?'.
 * Underscores between digits go; any other stays, which makes the number malformed. */
static void add_digits(const tsm_opcall *call, tsm_text *out, const tsm_str *s) {
  if (s->length > 64 && !tsm_pay(call->ctx, s->length, 2 * TSM_COST_CHAR)) {
    out->failed = true;
    return;
  }
  size_t paid = 0, at = 0, end = s->length, n;
  bool after_digit = false;
  while (at < end && tsm_char_is_blank(tsm_utf8_decode(s->bytes + at, &n))) at += n;
  for (size_t i = at, last = at; ; i += n) { /* the end of the last character that is not a space */
    if (i >= s->length) {
      end = last;
      break;
    }
    if (!tsm_char_is_blank(tsm_utf8_decode(s->bytes + i, &n))) last = i + n;
  }
  for (; at < end && !out->failed; at += n) {
    if (at >= 64) out->failed = !tsm_chars_go_on(call, at, end, &paid);
    uint32_t c = tsm_utf8_decode(s->bytes + at, &n);
    int digit = tsm_char_digit(c);
    char ascii = digit >= 0 ? (char)('0' + digit) : c < 0x80 ? (char)c : '?';
    bool is_joint = false;
    if (ascii == '_' && after_digit && at + 1 < end) {
      size_t next;
      is_joint = tsm_char_digit(tsm_utf8_decode(s->bytes + at + 1, &next)) >= 0;
    }
    after_digit = digit >= 0;
    if (!is_joint) tsm_text_add(out, &ascii, 1);
  }
}

/* At most `most` characters of the repr are shown, as CPython's %.200R does. */
static tsm_status refuse_text(tsm_opcall *c, const char *what, size_t most) {
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  text.ctx = c->ctx;
  tsm_text_add(&text, what, strlen(what));
  size_t end = text.length;
  tsm_text_repr(&text, (tsm_pair){TSM_STR, *tsm_arg(c, 0)});
  for (size_t shown = 0, width; shown < most && end < text.length && !text.failed; shown++, end += width)
    tsm_utf8_decode(text.bytes + end, &width);
  tsm_status status = text.failed ? tsm_out_of_memory(c->ctx)
                                  : tsm_raise_text(c->ctx, "ValueError", text.bytes, end);
  tsm_text_free(&text);
  return status;
}

typedef enum int_text { INT_GOOD, INT_MALFORMED, INT_TOO_LARGE } int_text;

static int_text parse_int(const char *s, size_t length, int64_t *out) {
  bool is_negative = length && *s == '-', is_large = false;
  size_t i = length && (*s == '-' || *s == '+');
  if (i == length) return INT_MALFORMED;
  *out = 0;
  for (; i < length; i++) {
    int digit = s[i] - '0';
    if (digit < 0 || digit > 9) return INT_MALFORMED;
    if (is_large) continue;
    is_large = tsm_mul_overflows(*out, 10, out) || tsm_sub_overflows(*out, digit, out); /* negative reaches further */
  }
  if (is_large || (!is_negative && tsm_sub_overflows(0, *out, out))) return INT_TOO_LARGE;
  return INT_GOOD;
}

tsm_status tsm_k_int_from_str(tsm_opcall *c) {
  tsm_text digits;
  tsm_text_init(&digits, c->ctx->rt);
  add_digits(c, &digits, tsm_arg_str(c, 0));
  int64_t out = 0;
  bool has_failed = digits.failed;
  int_text result = has_failed ? INT_MALFORMED : parse_int(digits.bytes, digits.length, &out);
  tsm_text_free(&digits);
  if (has_failed) return tsm_out_of_memory(c->ctx);
  if (result == INT_MALFORMED) return refuse_text(c, "invalid literal for int() with base 10: ", 200);
  return finish_int(c, result == INT_GOOD ? TSM_FAULT_NONE : TSM_FAULT_INT_OVERFLOW, out, "int()");
}

tsm_status tsm_k_float_from_str(tsm_opcall *c) {
  tsm_text digits;
  tsm_text_init(&digits, c->ctx->rt);
  add_digits(c, &digits, tsm_arg_str(c, 0));
  double out = 0;
  bool has_failed = digits.failed;
  bool is_good = !has_failed && tsm_float_parse(digits.bytes, digits.length, &out);
  tsm_text_free(&digits);
  if (has_failed) return tsm_out_of_memory(c->ctx);
  return is_good ? tsm_return_float(c, out) : refuse_text(c, "could not convert string to float: ", SIZE_MAX);
}
