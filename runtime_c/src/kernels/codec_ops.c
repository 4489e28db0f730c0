/* codec_ops.c - kernels that turn str into bytes and back: UTF-8, ASCII, Latin-1.
 * Holds: what cannot be coded is treated as CPython's error handlers do, and found in the same pieces. */
#include "chars.h"

/* The compiler passes these numbers. */
enum { UTF_8, ASCII, LATIN_1 };
enum { STRICT, IGNORE, REPLACE, BACKSLASH, XML };

static const char codec_names[][8] = {"utf-8", "ascii", "latin-1"};

static int64_t codec_of(const tsm_opcall *c) { return (int64_t)((uint64_t)tsm_arg_int(c, 1) % 3); }

static tsm_object *text_object(tsm_opcall *c, const char *text) {
  return (tsm_object *)tsm_str_new(c->ctx->heap, text, strlen(text));
}

/* Raises UnicodeEncodeError or UnicodeDecodeError about the units [from, to) of an object, with Python's arguments. */
static tsm_status refuse(tsm_opcall *c, const char *what, tsm_object *object, int64_t from, int64_t to,
                         const char *reason, const char *message) {
  const char *codec = codec_names[codec_of(c)];
  tsm_tuple *args = tsm_tuple_make(c->ctx->heap, 5, NULL);
  if (!args) return tsm_out_of_memory(c->ctx);
  tsm_ref(object);
  args->items[0] = (tsm_pair){TSM_STR, {.ref = text_object(c, codec)}};
  args->items[1] = (tsm_pair){object->kind, {.ref = object}};
  args->items[2] = (tsm_pair){TSM_INT, {.i = from}};
  args->items[3] = (tsm_pair){TSM_INT, {.i = to}};
  args->items[4] = (tsm_pair){TSM_STR, {.ref = text_object(c, reason)}};
  bool is_complete = args->items[0].as.ref && args->items[4].as.ref;
  tsm_exception *e = is_complete ? tsm_exception_make(c->ctx->heap, (tsm_str *)text_object(c, what),
                                                      (tsm_str *)text_object(c, message)) : NULL;
  if (!e) {
    tsm_unref(&args->head);
    return tsm_out_of_memory(c->ctx);
  }
  e->args = args;
  return tsm_raise_exception(c->ctx, e);
}

/* ---- decode */

/* Bytes of the character at `at`, or 0: then *out_bad bytes are wrong, for this reason. */
static size_t utf8_unit(const uint8_t *p, size_t left, size_t *out_bad, const char **out_reason) {
  size_t n = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
  *out_bad = 1;
  *out_reason = "invalid start byte";
  for (size_t i = 1; i < n; i++) {
    *out_bad = i;
    *out_reason = "unexpected end of data";
    if (i >= left) return 0;
    bool is_bad = (p[i] & 0xC0) != 0x80;
    if (i == 1)
      is_bad = is_bad || (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) ||
               (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F);
    *out_reason = "invalid continuation byte";
    if (is_bad) return 0;
  }
  return n;
}

static tsm_status refuse_bytes(tsm_opcall *c, size_t at, size_t count, const char *reason) {
  const tsm_bytes *b = (const tsm_bytes *)tsm_arg(c, 0)->ref;
  const char *codec = codec_names[codec_of(c)];
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  if (count == 1)
    tsm_text_format(&text, "'%s' codec can't decode byte 0x%02x in position %zu: %s", codec, b->bytes[at], at, reason);
  else
    tsm_text_format(&text, "'%s' codec can't decode bytes in position %zu-%zu: %s", codec, at, at + count - 1, reason);
  tsm_text_add(&text, "", 1);
  tsm_status status = text.failed ? tsm_out_of_memory(c->ctx)
                                  : refuse(c, "UnicodeDecodeError", tsm_arg(c, 0)->ref, (int64_t)at,
                                           (int64_t)(at + count), reason, text.bytes);
  tsm_text_free(&text);
  return status;
}

tsm_status tsm_k_bytes_decode(tsm_opcall *c) {
  const tsm_bytes *b = (const tsm_bytes *)tsm_arg(c, 0)->ref;
  int64_t codec = codec_of(c), errors = tsm_arg_int(c, 2);
  tsm_status status = TSM_OK;
  size_t paid = 0;
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  for (size_t at = 0, n = 0, bad = 0; at < b->length && status == TSM_OK && !text.failed; at += n + bad) {
    const char *reason = "ordinal not in range(128)";
    char wide[4];
    if (!tsm_chars_go_on(c, at, b->length, &paid)) break;
    bad = 0;
    if (codec == UTF_8) n = utf8_unit(b->bytes + at, b->length - at, &bad, &reason);
    else n = b->bytes[at] < 0x80 || codec == LATIN_1, bad = 1;
    if (n) bad = 0;
    if (n && codec == LATIN_1) tsm_text_add(&text, wide, tsm_utf8_encode(b->bytes[at], wide));
    else if (n) tsm_text_add(&text, (const char *)b->bytes + at, n);
    else if (errors == STRICT) status = refuse_bytes(c, at, bad, reason);
    else if (errors == REPLACE) tsm_text_add(&text, "\xEF\xBF\xBD", 3);
    else if (errors != IGNORE)
      for (size_t i = 0; i < bad; i++) tsm_text_format(&text, "\\x%02x", b->bytes[at + i]);
  }
  if (status == TSM_OK && (text.failed || tsm_has_stopped(c->ctx))) status = tsm_out_of_memory(c->ctx);
  if (status == TSM_OK)
    status = tsm_return_object(c, tsm_str_new(c->ctx->heap, text.length ? text.bytes : "", text.length));
  tsm_text_free(&text);
  return status;
}

/* ---- encode */

static void add_escape(tsm_text *text, uint32_t ch) {
  if (ch < 0x100) tsm_text_format(text, "\\x%02x", ch);
  else tsm_text_format(text, ch < 0x10000 ? "\\u%04x" : "\\U%08x", ch);
}

/* About the character `ch` at position `at` and the `more` behind it that cannot be coded either. */
static tsm_status refuse_chars(tsm_opcall *c, uint32_t ch, int64_t at, int64_t more, uint32_t limit) {
  const char *codec = codec_names[codec_of(c)];
  char reason[40];
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  tsm_text_format(&text, "ordinal not in range(%u)", limit);
  tsm_text_fit(reason, sizeof reason, text.failed ? "" : text.bytes, text.length);
  text.length = 0;
  tsm_text_format(&text, "'%s' codec can't encode character%s ", codec, more ? "s" : "");
  if (!more) {
    tsm_text_add(&text, "'", 1);
    add_escape(&text, ch);
    tsm_text_format(&text, "' in position %lld: %s", (long long)at, reason);
  } else {
    tsm_text_format(&text, "in position %lld-%lld: %s", (long long)at, (long long)(at + more), reason);
  }
  tsm_text_add(&text, "", 1);
  tsm_status status = text.failed ? tsm_out_of_memory(c->ctx)
                                  : refuse(c, "UnicodeEncodeError", tsm_arg(c, 0)->ref, at, at + more + 1, reason,
                                           text.bytes);
  tsm_text_free(&text);
  return status;
}

tsm_status tsm_k_str_encode(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  int64_t codec = codec_of(c), errors = tsm_arg_int(c, 2), position = 0;
  uint32_t limit = codec == ASCII ? 128 : 256;
  tsm_status status = tsm_charge_work(c->ctx, s->length, 1);
  size_t paid = 0;
  if (status != TSM_OK) return status;
  if (codec == UTF_8 || s->chars == s->length)
    return tsm_return_object(c, tsm_bytes_new(c->ctx->heap, s->bytes, s->length));
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  for (size_t at = 0, n; at < s->length && status == TSM_OK && !text.failed; at += n, position++) {
    if (!tsm_chars_go_on(c, at, s->length, &paid)) break;
    uint32_t ch = tsm_utf8_decode(s->bytes + at, &n);
    char byte = (char)ch;
    if (ch < limit) tsm_text_add(&text, &byte, 1);
    else if (errors == REPLACE) tsm_text_add(&text, "?", 1);
    else if (errors == BACKSLASH) add_escape(&text, ch);
    else if (errors == XML) tsm_text_format(&text, "&#%u;", ch);
    else if (errors == STRICT) {
      int64_t more = 0;
      for (size_t next = at + n, width; next < s->length; next += width, more++)
        if (!tsm_pay(c->ctx, 1, TSM_COST_CHAR) || tsm_utf8_decode(s->bytes + next, &width) < limit) break;
      status = refuse_chars(c, ch, position, more, limit);
    }
  }
  if (status == TSM_OK && (text.failed || tsm_has_stopped(c->ctx))) status = tsm_out_of_memory(c->ctx);
  if (status == TSM_OK) status = tsm_return_object(c, tsm_bytes_new(c->ctx->heap, text.bytes, text.length));
  tsm_text_free(&text);
  return status;
}
