/* str_shape.c - kernels of str that pad, expand, change case, or ask what characters are.
 * Holds: a question or a change of case that ASCII does not decide raises for text beyond ASCII. */
#include "base/unicode.h"
#include "containers.h"

static tsm_status beyond_ascii(tsm_opcall *c) {
  return tsm_raise(c->ctx, "ValueError", "%s() of text beyond ASCII is not supported", c->site->op->name);
}

static tsm_status return_text(tsm_opcall *c, tsm_text *text) {
  tsm_status status = text->failed ? tsm_out_of_memory(c->ctx) : TSM_OK;
  if (status == TSM_OK)
    status = tsm_return_object(c, tsm_str_new(c->ctx->heap, text->length ? text->bytes : "", text->length));
  tsm_text_free(text);
  return status;
}

/* ---- Padding */

static void repeat(tsm_text *out, const char *bytes, size_t length, int64_t count) {
  for (; count > 0 && !out->failed; count--) tsm_text_add(out, bytes, length);
}

static tsm_status pad(tsm_opcall *c, bool on_left, bool on_right) {
  const tsm_str *s = tsm_arg_str(c, 0), *with = tsm_arg_str(c, 2);
  int64_t width = tsm_arg_int(c, 1), padding = width > s->chars ? width - s->chars : 0;
  if (with->chars != 1)
    return tsm_raise(c->ctx, "TypeError", "The fill character must be exactly one character long");
  if (padding > INT32_MAX) return tsm_out_of_memory(c->ctx);
  int64_t left = !on_left ? 0 : !on_right ? padding : padding / 2 + (padding & width & 1);
  tsm_status status = tsm_charge(c->ctx, padding / 16);
  if (status != TSM_OK) return status;
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  repeat(&text, with->bytes, with->length, left);
  tsm_text_add(&text, s->bytes, s->length);
  repeat(&text, with->bytes, with->length, padding - left);
  return return_text(c, &text);
}

tsm_status tsm_k_str_center(tsm_opcall *c) { return pad(c, true, true); }
tsm_status tsm_k_str_ljust(tsm_opcall *c) { return pad(c, false, true); }
tsm_status tsm_k_str_rjust(tsm_opcall *c) { return pad(c, true, false); }

tsm_status tsm_k_str_zfill(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  int64_t width = tsm_arg_int(c, 1), padding = width > s->chars ? width - s->chars : 0;
  size_t sign = s->bytes[0] == '+' || s->bytes[0] == '-';
  if (padding > INT32_MAX) return tsm_out_of_memory(c->ctx);
  tsm_status status = tsm_charge(c->ctx, padding / 16);
  if (status != TSM_OK) return status;
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  tsm_text_add(&text, s->bytes, sign);
  repeat(&text, "0", 1, padding);
  tsm_text_add(&text, s->bytes + sign, s->length - sign);
  return return_text(c, &text);
}

tsm_status tsm_k_str_expandtabs(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  int64_t size = tsm_arg_int(c, 1), column = 0;
  tsm_text text;
  if (tsm_charge(c->ctx, s->length / 64) != TSM_OK) return c->ctx->status;
  tsm_text_init(&text, c->ctx->rt);
  for (size_t at = 0, n; at < s->length && !text.failed; at += n) {
    uint32_t ch = tsm_utf8_decode(s->bytes + at, &n);
    if (ch != '\t') {
      tsm_text_add(&text, s->bytes + at, n);
      column = ch == '\n' || ch == '\r' ? 0 : column + 1;
    } else if (size > 0) {
      int64_t gap = size - column % size;
      column += gap;
      if (gap > INT32_MAX) text.failed = true;
      else if (tsm_charge(c->ctx, gap / 16) != TSM_OK) break;
      else repeat(&text, " ", 1, gap);
    }
  }
  if (c->ctx->status == TSM_OK) return return_text(c, &text);
  tsm_text_free(&text);
  return c->ctx->status;
}

/* ---- Case */

static bool is_lower(char ch) { return ch >= 'a' && ch <= 'z'; }
static bool is_upper(char ch) { return ch >= 'A' && ch <= 'Z'; }
static bool is_digit(char ch) { return ch >= '0' && ch <= '9'; }
static bool is_letter(char ch) { return is_lower(ch) || is_upper(ch); }

typedef enum change { CAPITALIZE, TITLE, SWAP, FOLD } change;

static tsm_status change_case(tsm_opcall *c, change what) {
  const tsm_str *s = tsm_arg_str(c, 0);
  if (s->chars != s->length) return beyond_ascii(c);
  tsm_status status = tsm_charge(c->ctx, s->length / 64);
  if (status != TSM_OK) return status;
  tsm_str *out = tsm_str_new(c->ctx->heap, s->bytes, s->length);
  bool after_letter = false;
  for (uint32_t i = 0; out && i < out->length; i++) {
    char ch = out->bytes[i];
    bool is_start = what == CAPITALIZE ? i == 0 : what == TITLE && !after_letter;
    bool flips = what == SWAP ? is_letter(ch) : is_start ? is_lower(ch) : is_upper(ch);
    after_letter = is_letter(ch);
    if (flips) out->bytes[i] = (char)(ch ^ 0x20);
  }
  return tsm_return_object(c, out);
}

tsm_status tsm_k_str_capitalize(tsm_opcall *c) { return change_case(c, CAPITALIZE); }
tsm_status tsm_k_str_title(tsm_opcall *c) { return change_case(c, TITLE); }
tsm_status tsm_k_str_swapcase(tsm_opcall *c) { return change_case(c, SWAP); }
tsm_status tsm_k_str_casefold(tsm_opcall *c) { return change_case(c, FOLD); }

/* ---- Questions */

tsm_status tsm_k_str_isascii(tsm_opcall *c) {
  return tsm_return_bool(c, tsm_arg_str(c, 0)->chars == tsm_arg_str(c, 0)->length);
}

/* What a character that is not ASCII is: 1 so, 0 not so, -1 not known here. */
static int never_known(uint32_t ch) { (void)ch; return -1; }
static int wide_space(uint32_t ch) { return tsm_char_is_space(ch); }
static int wide_printable(uint32_t ch) { return tsm_char_is_printable(ch); }
static int wide_decimal(uint32_t ch) { return tsm_char_digit(ch) >= 0; }
static int wide_digit(uint32_t ch) { return tsm_char_digit(ch) >= 0 ? 1 : -1; }

/* Whether every character is so, and there is one (or `if_empty`). */
static tsm_status every(tsm_opcall *c, bool (*narrow)(char), int (*wide)(uint32_t), bool if_empty) {
  const tsm_str *s = tsm_arg_str(c, 0);
  tsm_status status = tsm_charge(c->ctx, s->length / 64);
  bool is_so = s->length != 0 || if_empty;
  for (size_t at = 0, n; status == TSM_OK && is_so && at < s->length; at += n) {
    uint32_t ch = tsm_utf8_decode(s->bytes + at, &n);
    int answer = ch < 128 ? narrow((char)ch) : wide(ch);
    if (answer < 0) return beyond_ascii(c);
    is_so = answer;
  }
  return status == TSM_OK ? tsm_return_bool(c, is_so) : status;
}

static bool is_alnum(char ch) { return is_letter(ch) || is_digit(ch); }
static bool is_space(char ch) { return tsm_char_is_space((unsigned char)ch); }
static bool is_printable(char ch) { return ch >= 32 && ch < 127; }

tsm_status tsm_k_str_isalpha(tsm_opcall *c) { return every(c, is_letter, never_known, false); }
tsm_status tsm_k_str_isalnum(tsm_opcall *c) { return every(c, is_alnum, wide_digit, false); }
tsm_status tsm_k_str_isdecimal(tsm_opcall *c) { return every(c, is_digit, wide_decimal, false); }
tsm_status tsm_k_str_isdigit(tsm_opcall *c) { return every(c, is_digit, wide_digit, false); }
tsm_status tsm_k_str_isspace(tsm_opcall *c) { return every(c, is_space, wide_space, false); }
tsm_status tsm_k_str_isprintable(tsm_opcall *c) { return every(c, is_printable, wide_printable, true); }

tsm_status tsm_k_str_isidentifier(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  bool is_so = s->length && !is_digit(s->bytes[0]);
  tsm_status status = tsm_charge(c->ctx, s->length / 64);
  if (status != TSM_OK) return status;
  for (uint32_t i = 0; is_so && i < s->length; i++) {
    if ((unsigned char)s->bytes[i] > 127) return beyond_ascii(c);
    is_so = is_alnum(s->bytes[i]) || s->bytes[i] == '_';
  }
  return tsm_return_bool(c, is_so);
}

/* Whether there is a letter and none of the other case. */
static tsm_status only_case(tsm_opcall *c, bool (*wrong)(char)) {
  const tsm_str *s = tsm_arg_str(c, 0);
  bool has_letter = false;
  tsm_status status = tsm_charge(c->ctx, s->length / 64);
  if (status != TSM_OK) return status;
  for (uint32_t i = 0; i < s->length; i++) {
    if ((unsigned char)s->bytes[i] > 127) return beyond_ascii(c);
    if (wrong(s->bytes[i])) return tsm_return_bool(c, false);
    has_letter = has_letter || is_letter(s->bytes[i]);
  }
  return tsm_return_bool(c, has_letter);
}

tsm_status tsm_k_str_isupper(tsm_opcall *c) { return only_case(c, is_lower); }
tsm_status tsm_k_str_islower(tsm_opcall *c) { return only_case(c, is_upper); }

tsm_status tsm_k_str_istitle(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  bool has_letter = false, after_letter = false;
  tsm_status status = tsm_charge(c->ctx, s->length / 64);
  if (status != TSM_OK) return status;
  for (uint32_t i = 0; i < s->length; i++) {
    char ch = s->bytes[i];
    if ((unsigned char)ch > 127) return beyond_ascii(c);
    if (after_letter ? is_upper(ch) : is_lower(ch)) return tsm_return_bool(c, false);
    after_letter = is_letter(ch);
    has_letter = has_letter || after_letter;
  }
  return tsm_return_bool(c, has_letter);
}
