/* bytes_ops.c - kernels of bytes alone: items, hexadecimal text, and what makes bytes. Search, case and their like are
 * shared with str. */
#include "chars.h"

static tsm_bytes *arg_bytes(const tsm_opcall *c, size_t i) { return (tsm_bytes *)tsm_arg(c, i)->ref; }

tsm_status tsm_k_bytes_len(tsm_opcall *c) { return tsm_return_int(c, arg_bytes(c, 0)->length); }

/* An empty result of this length to be filled; NULL: error raised. */
static tsm_bytes *make(tsm_opcall *c, int64_t length) {
  if (length > INT32_MAX) tsm_out_of_memory(c->ctx);
  else if (tsm_charge_work(c->ctx, length, 2) == TSM_OK) {
    tsm_bytes *b = tsm_bytes_new(c->ctx->heap, NULL, (size_t)length);
    if (b) return b;
    tsm_out_of_memory(c->ctx);
  }
  return NULL;
}

tsm_status tsm_k_bytes_add(tsm_opcall *c) {
  const tsm_bytes *x = arg_bytes(c, 0), *y = arg_bytes(c, 1);
  tsm_bytes *b = make(c, (int64_t)x->length + y->length);
  if (!b) return c->ctx->status;
  memcpy(b->bytes, x->bytes, x->length);
  memcpy(b->bytes + x->length, y->bytes, y->length);
  return tsm_return_object(c, b);
}

tsm_status tsm_k_bytes_mul(tsm_opcall *c) {
  const tsm_bytes *x = arg_bytes(c, 0);
  int64_t n = tsm_arg_int(c, 1) > 0 ? tsm_arg_int(c, 1) : 0, total;
  if (tsm_mul_overflows((int64_t)x->length, n, &total))
    return tsm_raise(c->ctx, "OverflowError", "repeated bytes are too long");
  tsm_bytes *b = make(c, total);
  if (!b) return c->ctx->status;
  if (tsm_chars_fill(c, b->bytes, x->bytes, x->length, (size_t)total)) return tsm_return_object(c, b);
  tsm_unref(&b->head);
  return c->ctx->status;
}

tsm_status tsm_k_bytes_getitem(tsm_opcall *c) {
  const tsm_bytes *b = arg_bytes(c, 0);
  int64_t index = tsm_arg_int(c, 1);
  if (!tsm_index_wrap(&index, b->length)) return tsm_raise(c->ctx, "IndexError", "index out of range");
  return tsm_return_int(c, b->bytes[index]);
}

tsm_status tsm_k_bytes_getslice(tsm_opcall *c) {
  const tsm_bytes *from = arg_bytes(c, 0);
  tsm_slice slice;
  tsm_status status = tsm_slice_read(c, 1, from->length, &slice);
  if (status != TSM_OK) return status;
  tsm_bytes *b = make(c, slice.count);
  if (!b) return c->ctx->status;
  if (slice.step == 1 && slice.count) memcpy(b->bytes, from->bytes + slice.start, (size_t)slice.count);
  else for (int64_t i = 0; i < slice.count; i++) b->bytes[i] = from->bytes[slice.start + i * slice.step];
  return tsm_return_object(c, b);
}

tsm_status tsm_k_bytes_from_list(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  tsm_bytes *b = make(c, l->length);
  if (!b) return c->ctx->status;
  for (int64_t i = 0; i < l->length; i++) {
    if (l->as.i64[i] >= 0 && l->as.i64[i] < 256) b->bytes[i] = (uint8_t)l->as.i64[i];
    else {
      tsm_unref(&b->head);
      return tsm_raise(c->ctx, "ValueError", "bytes must be in range(0, 256)");
    }
  }
  return tsm_return_object(c, b);
}

tsm_status tsm_k_bytes_from_byte(tsm_opcall *c) {
  int64_t i = tsm_arg_int(c, 0);
  uint8_t byte = (uint8_t)i;
  if (i < 0 || i > 255) return tsm_raise(c->ctx, "ValueError", "byte must be in range(0, 256)");
  return tsm_return_object(c, tsm_bytes_new(c->ctx->heap, &byte, 1));
}

tsm_status tsm_k_bytes_zeros(tsm_opcall *c) {
  int64_t n = tsm_arg_int(c, 0);
  if (n < 0) return tsm_raise(c->ctx, "ValueError", "negative count");
  tsm_bytes *b = make(c, n);
  if (!b) return c->ctx->status;
  memset(b->bytes, 0, (size_t)n);
  return tsm_return_object(c, b);
}

tsm_status tsm_k_list_from_bytes(tsm_opcall *c) {
  const tsm_bytes *b = arg_bytes(c, 0);
  tsm_status status = tsm_charge_work(c->ctx, b->length, TSM_COST_CHAR);
  tsm_list *l = status == TSM_OK ? tsm_result_list(c, TSM_L_I64, b->length) : NULL;
  if (!l) return c->ctx->status;
  for (uint32_t i = 0; i < b->length; i++) l->as.i64[i] = b->bytes[i];
  l->length = b->length;
  return tsm_return_object(c, l);
}

/* ---- Hexadecimal text */

/* `sep` between groups of `group` bytes, counted from the end, or from the start if negative. */
static tsm_status to_hex(tsm_opcall *c, const char *sep, int64_t group) {
  const tsm_bytes *b = arg_bytes(c, 0);
  uint64_t size = group < 0 ? 0 - (uint64_t)group : (uint64_t)group;
  tsm_status status = TSM_OK;
  size_t paid = 0;
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  for (uint32_t i = 0; i < b->length && status == TSM_OK; i++) {
    if (i >= paid && !tsm_chars_go_on(c, i, b->length, &paid)) status = c->ctx->status;
    char digits[2] = {"0123456789abcdef"[b->bytes[i] >> 4], "0123456789abcdef"[b->bytes[i] & 15]};
    if (i && size && (group < 0 ? i : b->length - i) % size == 0) tsm_text_add(&text, sep, 1);
    tsm_text_add(&text, digits, 2);
  }
  if (status == TSM_OK && text.failed) status = tsm_out_of_memory(c->ctx);
  if (status == TSM_OK)
    status = tsm_return_object(c, tsm_str_new(c->ctx->heap, text.length ? text.bytes : "", text.length));
  tsm_text_free(&text);
  return status;
}

tsm_status tsm_k_bytes_hex(tsm_opcall *c) { return to_hex(c, "", 0); }

tsm_status tsm_k_bytes_hex_sep(tsm_opcall *c) {
  const tsm_str *sep = tsm_arg_str(c, 1);
  if (sep->chars != 1) return tsm_raise(c->ctx, "ValueError", "sep must be length 1.");
  if (sep->length != 1) return tsm_raise(c->ctx, "ValueError", "sep must be ASCII.");
  return to_hex(c, sep->bytes, tsm_arg_int(c, 2));
}

static int hex_digit(char ch) {
  if (ch >= '0' && ch <= '9') return ch - '0';
  ch |= 32;
  return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

static tsm_status refuse_hex(tsm_opcall *c, size_t at) {
  return tsm_raise(c->ctx, "ValueError", "non-hexadecimal number found in fromhex() arg at position %zu", at);
}

tsm_status tsm_k_bytes_fromhex(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  tsm_status status = tsm_charge_work(c->ctx, s->length, 1);
  size_t paid = 0;
  for (size_t i = 0; i < s->length && status == TSM_OK && s->chars != s->length; i++)
    if ((unsigned char)s->bytes[i] > 127) status = refuse_hex(c, i);
  for (size_t at = 0; at < s->length && status == TSM_OK;) {
    if (!tsm_chars_go_on(c, at, s->length, &paid)) status = c->ctx->status;
    if (tsm_char_is_blank((unsigned char)s->bytes[at])) {
      at++;
      continue;
    }
    int high = hex_digit(s->bytes[at]), low = hex_digit(s->bytes[at + 1]); /* a zero byte follows the text */
    char byte = (char)(high < 0 || low < 0 ? 0 : high << 4 | low);
    if (high < 0 || low < 0) status = refuse_hex(c, high < 0 ? at : at + 1);
    else tsm_text_add(&text, &byte, 1);
    at += 2;
  }
  if (status == TSM_OK && text.failed) status = tsm_out_of_memory(c->ctx);
  if (status == TSM_OK) status = tsm_return_object(c, tsm_bytes_new(c->ctx->heap, text.bytes, text.length));
  tsm_text_free(&text);
  return status;
}
