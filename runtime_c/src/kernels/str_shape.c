/* str_shape.c - kernels of str and bytes that pad, expand, change case, or ask what characters are. */
#include <limits.h>

#include "chars.h"

/* ---- Padding */

static tsm_status pad(tsm_opcall *c, bool on_left, bool on_right) {
  tsm_chars t = tsm_arg_chars(c, 0), with = tsm_arg_chars(c, 2);
  int64_t width = tsm_arg_int(c, 1), padding = width > t.count ? width - t.count : 0;
  if (with.count != 1 && !with.str) {
    const char *method = c->site->op->name + sizeof "bytes." - 1;
    return tsm_raise(c->ctx, "TypeError", "%s() argument 2 must be a byte string of length 1, not bytes", method);
  }
  if (with.count != 1) return tsm_raise(c->ctx, "TypeError", "The fill character must be exactly one character long");
  if (padding > INT32_MAX) return tsm_out_of_memory(c->ctx);
  int64_t left = !on_left ? 0 : !on_right ? padding : padding / 2 + (padding & width & 1);
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  tsm_chars_repeat(c, &text, with.bytes, with.length, left);
  tsm_text_add(&text, t.bytes, t.length);
  tsm_chars_repeat(c, &text, with.bytes, with.length, padding - left);
  return tsm_return_made(c, &t, &text, TSM_OK);
}

tsm_status tsm_k_str_center(tsm_opcall *c) { return pad(c, true, true); }
tsm_status tsm_k_str_ljust(tsm_opcall *c) { return pad(c, false, true); }
tsm_status tsm_k_str_rjust(tsm_opcall *c) { return pad(c, true, false); }

tsm_status tsm_k_str_zfill(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0);
  int64_t width = tsm_arg_int(c, 1), padding = width > t.count ? width - t.count : 0;
  size_t sign = t.length && (t.bytes[0] == '+' || t.bytes[0] == '-');
  if (padding > INT32_MAX) return tsm_out_of_memory(c->ctx);
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  tsm_text_add(&text, t.bytes, sign);
  tsm_chars_repeat(c, &text, "0", 1, padding);
  tsm_text_add(&text, t.bytes + sign, t.length - sign);
  return tsm_return_made(c, &t, &text, TSM_OK);
}

tsm_status tsm_k_str_expandtabs(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0);
  int64_t size = tsm_arg_int(c, 1), column = 0;
  tsm_text text;
  if (size > INT_MAX || size < INT_MIN)
    return tsm_raise(c->ctx, "OverflowError", "Python int too large to convert to C int");
  tsm_text_init(&text, c->ctx->rt);
  for (size_t at = 0, n, paid = 0; at < t.length && !text.failed && tsm_chars_go_on(c, at, t.length, &paid); at += n) {
    uint32_t ch = tsm_chars_decode(&t, at, &n);
    if (ch != '\t') {
      tsm_text_add(&text, t.bytes + at, n);
      column = ch == '\n' || ch == '\r' ? 0 : column + 1;
    } else if (size > 0) {
      int64_t gap = size - column % size;
      column += gap;
      if (gap > INT32_MAX) text.failed = true;
      else tsm_chars_repeat(c, &text, " ", 1, gap);
    }
  }
  return tsm_return_made(c, &t, &text, c->ctx->status);
}

/* ---- Case */

static unsigned flags_of(const tsm_chars *t, uint32_t ch) { return t->str || ch < 0x80 ? tsm_char_flags(ch) : 0; }

/* Whether the sigma at `at` ends a word: a letter with case before it and none behind, past what is ignorable. Sigmas end
 * each other's search. */
static bool is_final_sigma(const tsm_opcall *c, const tsm_chars *t, size_t at) {
  size_t n, i = at;
  unsigned flags = 0;
  while (i > 0 && tsm_pay(c->ctx, 1, TSM_COST_ITEM)) {
    i = tsm_chars_before(t, i);
    flags = tsm_char_flags(tsm_chars_decode(t, i, &n));
    if (!(flags & TSM_CHAR_IGNORABLE)) break;
    flags = 0;
  }
  if (!(flags & TSM_CHAR_CASED)) return false;
  for (tsm_chars_decode(t, at, &n), i = at + n; i < t->length && tsm_pay(c->ctx, 1, TSM_COST_ITEM); i += n) {
    flags = tsm_char_flags(tsm_chars_decode(t, i, &n));
    if (!(flags & TSM_CHAR_IGNORABLE)) return !(flags & TSM_CHAR_CASED);
  }
  return true;
}

/* Adds the character at `at` in another case. */
static void add_in_case(const tsm_opcall *c, tsm_text *text, const tsm_chars *t, size_t at, uint32_t ch, tsm_case to) {
  uint32_t changed[3] = {ch, 0, 0};
  size_t count = 1;
  if (!t->str && ch >= 0x80) {
    tsm_text_add(text, t->bytes + at, 1);
    return;
  }
  if (ch == 0x3A3 && to == TSM_CASE_LOWER) changed[0] = is_final_sigma(c, t, at) ? 0x3C2 : 0x3C3;
  else count = tsm_char_to_case(ch, to, changed);
  for (size_t i = 0; i < count; i++) {
    char bytes[4];
    tsm_text_add(text, bytes, tsm_utf8_encode(changed[i], bytes));
  }
}

typedef enum change { UPPER, LOWER, FOLD, CAPITALIZE, TITLE, SWAP } change;

static tsm_status change_case(tsm_opcall *c, change what) {
  tsm_chars t = tsm_arg_chars(c, 0);
  tsm_status status = tsm_chars_check(c, &t);
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  bool after_letter = false;
  for (size_t at = 0, n, paid = 0; at < t.length && status == TSM_OK && !text.failed; at += n) {
    if (!tsm_chars_pay(c, at, t.length, &paid, TSM_COST_CASE)) break;
    uint32_t ch = tsm_chars_decode(&t, at, &n);
    if (t.str && ch >= 0x80 && !tsm_pay(c->ctx, 1, TSM_COST_WIDE)) break;
    unsigned flags = what >= TITLE ? flags_of(&t, ch) : 0;
    tsm_case to = what == UPPER ? TSM_CASE_UPPER : what == FOLD ? TSM_CASE_FOLD : TSM_CASE_LOWER;
    if ((what == CAPITALIZE && at == 0) || (what == TITLE && !after_letter)) to = TSM_CASE_TITLE;
    if (what == SWAP && flags & TSM_CHAR_LOWER) to = TSM_CASE_UPPER;
    after_letter = flags & TSM_CHAR_CASED;
    if (what == SWAP && !(flags & (TSM_CHAR_LOWER | TSM_CHAR_UPPER))) tsm_text_add(&text, t.bytes + at, n);
    else add_in_case(c, &text, &t, at, ch, to);
  }
  return tsm_return_made(c, &t, &text, status);
}

tsm_status tsm_k_str_upper(tsm_opcall *c) { return change_case(c, UPPER); }
tsm_status tsm_k_str_lower(tsm_opcall *c) { return change_case(c, LOWER); }
tsm_status tsm_k_str_casefold(tsm_opcall *c) { return change_case(c, FOLD); }
tsm_status tsm_k_str_capitalize(tsm_opcall *c) { return change_case(c, CAPITALIZE); }
tsm_status tsm_k_str_title(tsm_opcall *c) { return change_case(c, TITLE); }
tsm_status tsm_k_str_swapcase(tsm_opcall *c) { return change_case(c, SWAP); }

/* ---- Questions */

tsm_status tsm_k_str_isascii(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0);
  bool is_so = true;
  size_t paid = 0;
  for (size_t i = 0; is_so && i < t.length && tsm_chars_go_on(c, i, t.length, &paid); i++) is_so = (unsigned char)t.bytes[i] < 0x80;
  return tsm_return_bool(c, is_so);
}

/* Whether every character has one of the flags, and there is one (or `if_empty`). `first`: flags of the first one. */
static tsm_status every(tsm_opcall *c, unsigned first, unsigned wanted, bool if_empty) {
  tsm_chars t = tsm_arg_chars(c, 0);
  tsm_status status = tsm_chars_check(c, &t);
  bool is_so = t.length != 0 || if_empty;
  for (size_t at = 0, n, paid = 0; status == TSM_OK && is_so && at < t.length; at += n) {
    if (!tsm_chars_go_on(c, at, t.length, &paid)) break;
    is_so = flags_of(&t, tsm_chars_decode(&t, at, &n)) & (at ? wanted : first);
  }
  return status == TSM_OK ? tsm_return_bool(c, is_so) : status;
}

enum { ANY_NUMBER = TSM_CHAR_DECIMAL | TSM_CHAR_DIGIT | TSM_CHAR_NUMERIC };

static tsm_status each(tsm_opcall *c, unsigned wanted) { return every(c, wanted, wanted, false); }

tsm_status tsm_k_str_isalpha(tsm_opcall *c) { return each(c, TSM_CHAR_ALPHA); }
tsm_status tsm_k_str_isalnum(tsm_opcall *c) { return each(c, TSM_CHAR_ALPHA | ANY_NUMBER); }
tsm_status tsm_k_str_isdecimal(tsm_opcall *c) { return each(c, TSM_CHAR_DECIMAL); }
tsm_status tsm_k_str_isdigit(tsm_opcall *c) { return each(c, TSM_CHAR_DIGIT); }
tsm_status tsm_k_str_isnumeric(tsm_opcall *c) { return each(c, TSM_CHAR_NUMERIC); }
tsm_status tsm_k_str_isprintable(tsm_opcall *c) { return every(c, TSM_CHAR_PRINTABLE, TSM_CHAR_PRINTABLE, true); }
tsm_status tsm_k_str_isidentifier(tsm_opcall *c) { return every(c, TSM_CHAR_START, TSM_CHAR_CONTINUE, false); }

tsm_status tsm_k_str_isspace(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0);
  bool is_so = t.length != 0;
  for (size_t at = 0, n, paid = 0; is_so && at < t.length && tsm_chars_go_on(c, at, t.length, &paid); at += n)
    is_so = tsm_chars_is_space(&t, tsm_chars_decode(&t, at, &n));
  return tsm_return_bool(c, is_so);
}

/* Whether there is a character with the flag and none with one of the others. */
static tsm_status only_case(tsm_opcall *c, unsigned wanted, unsigned others) {
  tsm_chars t = tsm_arg_chars(c, 0);
  bool is_so = false;
  tsm_status status = tsm_chars_check(c, &t);
  if (status != TSM_OK) return status;
  for (size_t at = 0, n, paid = 0; at < t.length && tsm_chars_go_on(c, at, t.length, &paid); at += n) {
    unsigned flags = flags_of(&t, tsm_chars_decode(&t, at, &n));
    if (flags & others) return tsm_return_bool(c, false);
    is_so = is_so || flags & wanted;
  }
  return tsm_return_bool(c, is_so);
}

tsm_status tsm_k_str_isupper(tsm_opcall *c) { return only_case(c, TSM_CHAR_UPPER, TSM_CHAR_LOWER | TSM_CHAR_TITLE); }
tsm_status tsm_k_str_islower(tsm_opcall *c) { return only_case(c, TSM_CHAR_LOWER, TSM_CHAR_UPPER | TSM_CHAR_TITLE); }

tsm_status tsm_k_str_istitle(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0);
  bool has_letter = false, after_letter = false;
  tsm_status status = tsm_chars_check(c, &t);
  if (status != TSM_OK) return status;
  for (size_t at = 0, n, paid = 0; at < t.length && tsm_chars_go_on(c, at, t.length, &paid); at += n) {
    unsigned flags = flags_of(&t, tsm_chars_decode(&t, at, &n));
    if (flags & (after_letter ? TSM_CHAR_UPPER | TSM_CHAR_TITLE : TSM_CHAR_LOWER)) return tsm_return_bool(c, false);
    after_letter = flags & (TSM_CHAR_UPPER | TSM_CHAR_TITLE | TSM_CHAR_LOWER);
    has_letter = has_letter || after_letter;
  }
  return tsm_return_bool(c, has_letter);
}
