/* str_ops.c - kernels of str: length, slices, search, comparison, characters. Positions count code points. */
#include <limits.h>

#include "chars.h"

static tsm_status return_str(tsm_opcall *c, const char *bytes, size_t length) {
  if (!tsm_pay(c->ctx, (int64_t)length, 1)) return c->ctx->status;
  return tsm_return_object(c, tsm_str_new(c->ctx->heap, length ? bytes : "", length));
}

tsm_status tsm_k_str_len(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_str(c, 0)->chars); }

tsm_status tsm_k_str_add(tsm_opcall *c) {
  const tsm_str *a = tsm_arg_str(c, 0), *b = tsm_arg_str(c, 1);
  tsm_status status = tsm_charge(c->ctx, ((int64_t)a->length + b->length) / 64);
  if (status != TSM_OK) return status;
  tsm_str *s = tsm_str_new(c->ctx->heap, NULL, (size_t)a->length + b->length);
  if (!s) return tsm_out_of_memory(c->ctx);
  memcpy(s->bytes, a->bytes, a->length);
  memcpy(s->bytes + a->length, b->bytes, b->length);
  s->chars = a->chars + b->chars;
  return tsm_return_object(c, s);
}

tsm_status tsm_k_str_mul(tsm_opcall *c) {
  const tsm_str *a = tsm_arg_str(c, 0);
  int64_t n = tsm_arg_int(c, 1) > 0 ? tsm_arg_int(c, 1) : 0, total;
  if (tsm_mul_overflows((int64_t)a->chars, n, &total))
    return tsm_raise(c->ctx, "OverflowError", "repeated string is too long");
  if (tsm_mul_overflows((int64_t)a->length, n, &total) || total > INT32_MAX) return tsm_out_of_memory(c->ctx);
  tsm_str *s = tsm_str_new(c->ctx->heap, NULL, (size_t)total);
  if (!s) return tsm_out_of_memory(c->ctx);
  if (!tsm_chars_fill(c, s->bytes, a->bytes, a->length, (size_t)total)) {
    tsm_unref(&s->head);
    return c->ctx->status;
  }
  s->chars = (uint32_t)(total ? a->chars * n : 0);
  return tsm_return_object(c, s);
}

static int compare(const tsm_str *a, const tsm_str *b) { /* UTF-8 sorts as its code points */
  int order = memcmp(a->bytes, b->bytes, a->length < b->length ? a->length : b->length);
  return order ? order : (a->length > b->length) - (a->length < b->length);
}

#define COMPARE(name, operator)                                                                 \
  tsm_status tsm_k_str_##name(tsm_opcall *c) {                                                  \
    const tsm_str *a = tsm_arg_str(c, 0), *b = tsm_arg_str(c, 1);                               \
    tsm_status status = tsm_charge(c->ctx, (a->length < b->length ? a->length : b->length) / 64); \
    return status ? status : tsm_return_bool(c, compare(a, b) operator 0);                      \
  }
COMPARE(eq, ==)
COMPARE(ne, !=)
COMPARE(lt, <)
COMPARE(le, <=)
COMPARE(gt, >)
COMPARE(ge, >=)

/* ---- Search */

/* A hostile text makes every position compare far: only what most differ in is in the price of a position. */
bool tsm_bytes_match(tsm_context *ctx, const char *text, const char *part, size_t length) {
  enum { FIRST = 32 };
  if (length <= FIRST) return memcmp(text, part, length) == 0;
  return memcmp(text, part, FIRST) == 0 && tsm_pay(ctx, (int64_t)(length / TSM_COST_BYTES), 1) &&
         memcmp(text + FIRST, part + FIRST, length - FIRST) == 0;
}

enum { STRETCH = 1 << 16 };

tsm_status tsm_bytes_find(tsm_context *ctx, const char *text, size_t length, const char *part, size_t part_length,
                          size_t *out_at) {
  *out_at = SIZE_MAX;
  if (part_length == 0) *out_at = 0;
  if (part_length == 0 || part_length > length) return TSM_OK;
  size_t last = length - part_length;
  for (size_t at = 0; at <= last;) {
    size_t room = last - at < STRETCH ? last - at + 1 : STRETCH;
    const char *hit = memchr(text + at, part[0], room);
    size_t passed = hit ? (size_t)(hit - text) - at : room;
    tsm_status status = tsm_charge_elements(ctx, (int64_t)(passed / TSM_COST_BYTES) + TSM_COST_ITEM);
    at += passed;
    if (status == TSM_OK && hit && tsm_bytes_match(ctx, hit, part, part_length)) *out_at = at;
    if (status != TSM_OK || *out_at != SIZE_MAX || tsm_has_stopped(ctx)) return status ? status : ctx->status;
    at += hit != NULL;
  }
  return TSM_OK;
}

tsm_status tsm_str_search(tsm_context *ctx, tsm_object *text, tsm_object *part, bool *out_found) {
  size_t at;
  tsm_chars t = tsm_chars_of(text), p = tsm_chars_of(part);
  tsm_status status = tsm_bytes_find(ctx, t.bytes, t.length, p.bytes, p.length, &at);
  *out_found = at != SIZE_MAX;
  return status;
}

tsm_status tsm_k_str_contains(tsm_opcall *c) {
  bool is_there;
  tsm_status status = tsm_str_search(c->ctx, tsm_arg(c, 0)->ref, tsm_arg(c, 1)->ref, &is_there);
  return status == TSM_OK ? tsm_return_bool(c, is_there) : status;
}

/* ---- Characters and slices */

/* Bytes [out_from, out_to) of the characters [from, to). */
static tsm_status byte_range(tsm_opcall *c, tsm_str *s, int64_t from, int64_t to, size_t *out_from, size_t *out_to) {
  *out_from = tsm_str_offset(c->ctx, s, (size_t)from);
  *out_to = to == from + 1 && *out_from < s->length ? *out_from : tsm_str_offset(c->ctx, s, (size_t)to);
  if (*out_from == (size_t)-1 || *out_to == (size_t)-1) return tsm_out_of_memory(c->ctx);
  if (*out_to == *out_from && to > from) {
    size_t n;
    tsm_utf8_decode(s->bytes + *out_from, &n);
    *out_to += n;
  }
  return TSM_OK;
}

tsm_status tsm_k_str_getitem(tsm_opcall *c) {
  tsm_str *s = tsm_arg_str(c, 0);
  int64_t index = tsm_arg_int(c, 1);
  size_t from, to;
  if (!tsm_index_wrap(&index, s->chars)) return tsm_raise(c->ctx, "IndexError", "string index out of range");
  tsm_status status = byte_range(c, s, index, index + 1, &from, &to);
  return status == TSM_OK ? return_str(c, s->bytes + from, to - from) : status;
}

static tsm_status slice_by_step(tsm_opcall *c, tsm_str *s, tsm_slice slice) {
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < slice.count && status == TSM_OK; i++) {
    size_t from, to;
    status = tsm_charge_elements(c->ctx, TSM_COST_ENTRY); /* up to 64 characters are passed over to it */
    if (status != TSM_OK) break;
    int64_t at = slice.start + i * slice.step;
    status = byte_range(c, s, at, at + 1, &from, &to);
    if (status == TSM_OK) tsm_text_add(&text, s->bytes + from, to - from);
  }
  if (status == TSM_OK) status = text.failed ? tsm_out_of_memory(c->ctx) : return_str(c, text.bytes, text.length);
  tsm_text_free(&text);
  return status;
}

tsm_status tsm_k_str_getslice(tsm_opcall *c) {
  tsm_str *s = tsm_arg_str(c, 0);
  tsm_slice slice;
  size_t from, to;
  tsm_status status = tsm_slice_read(c, 1, s->chars, &slice);
  if (status != TSM_OK) return status;
  if (slice.step != 1) return slice_by_step(c, s, slice);
  if (!slice.count) return return_str(c, "", 0);
  status = byte_range(c, s, slice.start, slice.stop, &from, &to);
  return status == TSM_OK ? return_str(c, s->bytes + from, to - from) : status;
}

tsm_status tsm_k_list_from_str(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  tsm_list *l = tsm_result_list(c, TSM_L_REF, s->chars);
  if (!l) return c->ctx->status;
  for (size_t at = 0, n; at < s->length; at += n) {
    tsm_utf8_decode(s->bytes + at, &n);
    tsm_slot slot;
    slot.ref = (tsm_object *)tsm_str_new(c->ctx->heap, s->bytes + at, n);
    if (slot.ref && tsm_list_push(l, &slot) == TSM_OK && tsm_pay(c->ctx, 1, TSM_COST_ENTRY)) continue;
    tsm_unref(&l->head);
    return tsm_out_of_memory(c->ctx);
  }
  return tsm_return_object(c, l);
}

tsm_status tsm_k_str_ord(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  size_t n;
  if (s->chars != 1)
    return tsm_raise(c->ctx, "TypeError", "ord() expected a character, but string of length %u found", s->chars);
  return tsm_return_int(c, tsm_utf8_decode(s->bytes, &n));
}

tsm_status tsm_k_str_chr(tsm_opcall *c) {
  int64_t i = tsm_arg_int(c, 0);
  char bytes[4];
  if (i > INT_MAX || i < INT_MIN) return tsm_raise(c->ctx, "OverflowError", "Python int too large to convert to C int");
  if (i < 0 || i > 0x10FFFF) return tsm_raise(c->ctx, "ValueError", "chr() arg not in range(0x110000)");
  if (i >= 0xD800 && i <= 0xDFFF)
    return tsm_raise(c->ctx, "ValueError", "chr() arg is a surrogate, which a str cannot hold alone");
  return return_str(c, bytes, tsm_utf8_encode((uint32_t)i, bytes));
}
