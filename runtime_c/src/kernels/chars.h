/* chars.h - str and bytes as the kernels that serve both see them: a str is code points, bytes are themselves.
 * Holds: a byte is a character as ASCII has it, and none above 127 is a letter, a digit or white space. */
#ifndef TSM_CHARS_H
#define TSM_CHARS_H

#include "base/unicode.h"
#include "containers.h"

typedef struct tsm_chars {
  const char *bytes;
  size_t length;   /* in bytes */
  int64_t count;   /* in characters */
  tsm_str *str;    /* NULL: it is bytes */
} tsm_chars;

static inline tsm_chars tsm_chars_of(tsm_object *o) {
  tsm_str *s = (tsm_str *)o;
  tsm_bytes *b = (tsm_bytes *)o;
  if (o->kind == TSM_STR) return (tsm_chars){s->bytes, s->length, s->chars, s};
  return (tsm_chars){(const char *)b->bytes, b->length, b->length, NULL};
}
static inline tsm_chars tsm_arg_chars(const tsm_opcall *c, size_t i) { return tsm_chars_of(tsm_arg(c, i)->ref); }

/* The character at a byte position, and its width. */
static inline uint32_t tsm_chars_decode(const tsm_chars *t, size_t at, size_t *out_width) {
  if (t->str) return tsm_utf8_decode(t->bytes + at, out_width);
  return *out_width = 1, (unsigned char)t->bytes[at];
}
/* Where the character that ends at `end` begins. */
static inline size_t tsm_chars_before(const tsm_chars *t, size_t end) {
  do end--; while (t->str && ((unsigned char)t->bytes[end] & 0xC0) == 0x80);
  return end;
}
/* Byte position of a character; (size_t)-1 when out of memory. */
static inline size_t tsm_chars_offset(const tsm_opcall *c, const tsm_chars *t, int64_t i) {
  return t->str ? tsm_str_offset(c->ctx, t->str, (size_t)i) : (size_t)i;
}
static inline bool tsm_chars_is_space(const tsm_chars *t, uint32_t ch) {
  return t->str ? tsm_char_is_space(ch) : (ch >= 9 && ch <= 13) || ch == ' ';
}
static inline int64_t tsm_chars_count(const tsm_chars *t, size_t from, size_t to) {
  if (!t->str || t->str->chars == t->str->length) return (int64_t)(to - from);
  int64_t count = 0;
  for (size_t i = from; i < to; i++) count += ((unsigned char)t->bytes[i] & 0xC0) != 0x80;
  return count;
}

/* Charges for the characters that a loop is about to look at, a stretch at a time: asked before each of them, with its
 * place and how far was paid. False: c->ctx->status says why the loop must end. */
static inline bool tsm_chars_pay(const tsm_opcall *c, size_t at, size_t length, size_t *paid, int64_t cost) {
  if (TSM_LIKELY(at < *paid)) return true;
  size_t part = length - at < 4096 ? length - at : 4096;
  *paid = at + part;
  return tsm_charge_work(c->ctx, (int64_t)part, cost) == TSM_OK;
}
static inline bool tsm_chars_go_on(const tsm_opcall *c, size_t at, size_t length, size_t *paid) {
  return tsm_chars_pay(c, at, length, paid, TSM_COST_CHAR);
}
/* Fills `total` bytes with copies of a text; false when it must stop. */
static inline bool tsm_chars_fill(const tsm_opcall *c, void *to, const void *bytes, size_t length, size_t total) {
  enum { PART = 1 << 18 };
  for (size_t done = 0, part; done < total; done += part) {
    part = !done || length > PART ? length : done < PART ? done : PART / length * length; /* what is there is copied on */
    if (part > total - done) part = total - done;
    if (!tsm_pay(c->ctx, (int64_t)part, 1)) return false;
    memcpy((char *)to + done, done ? to : bytes, part);
  }
  return true;
}
/* Adds `count` copies of a few bytes to a text. */
static inline void tsm_chars_repeat(const tsm_opcall *c, tsm_text *out, const char *bytes, size_t length, int64_t count) {
  size_t paid = 0;
  for (size_t i = 0; i < (size_t)count && !out->failed; i++) {
    out->failed = !tsm_chars_go_on(c, i, (size_t)count, &paid);
    tsm_text_add(out, bytes, length);
  }
}

/* A new object of the same kind; NULL when out of memory or stopped. */
static inline tsm_object *tsm_chars_new(const tsm_opcall *c, const tsm_chars *like, const char *bytes, size_t length) {
  if (!length) bytes = "";
  if (!tsm_pay(c->ctx, (int64_t)length, 1)) return NULL;
  return like->str ? (tsm_object *)tsm_str_new(c->ctx->heap, bytes, length)
                   : (tsm_object *)tsm_bytes_new(c->ctx->heap, bytes, length);
}
static inline tsm_status tsm_return_chars(const tsm_opcall *c, const tsm_chars *like, const char *bytes, size_t length) {
  return tsm_return_object(c, tsm_chars_new(c, like, bytes, length));
}
/* Puts a finished text into result 0 as an object of the same kind, unless something failed; frees it. */
static inline tsm_status tsm_return_made(const tsm_opcall *c, const tsm_chars *like, tsm_text *text, tsm_status status) {
  if (status == TSM_OK && (text->failed || tsm_has_stopped(c->ctx))) status = tsm_out_of_memory(c->ctx);
  if (status == TSM_OK) status = tsm_return_chars(c, like, text->bytes, text->length);
  tsm_text_free(text);
  return status;
}
/* Appends a part to a list of str or bytes. */
static inline tsm_status tsm_push_part(const tsm_opcall *c, tsm_list *l, const tsm_chars *like, const char *bytes,
                                       size_t length) {
  tsm_slot slot;
  slot.ref = tsm_chars_new(c, like, bytes, length);
  if (!slot.ref || tsm_list_push(l, &slot) != TSM_OK) return tsm_out_of_memory(c->ctx);
  return tsm_charge(c->ctx, 2);
}
/* Raises ValueError about the first of some characters that this build has no facts of; else TSM_OK. */
static inline tsm_status tsm_chars_check(const tsm_opcall *c, const tsm_chars *t) {
  if (tsm_char_is_known(0x80) || !t->str || t->str->chars == t->str->length) return TSM_OK;
  return tsm_raise(c->ctx, "ValueError", "%s() of text beyond ASCII: this build has no Unicode tables",
                   c->site->op->name);
}

#endif
