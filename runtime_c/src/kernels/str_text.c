/* str_text.c - kernels of str that make new text: case, strip, split, join, replace. */
#include "base/unicode.h"
#include "containers.h"

/* Puts a finished text into result 0 and frees it. */
static tsm_status return_text(tsm_opcall *c, tsm_text *text, tsm_status status) {
  if (status == TSM_OK && text->failed) status = tsm_out_of_memory(c->ctx);
  if (status == TSM_OK)
    status = tsm_return_object(c, tsm_str_new(c->ctx->heap, text->length ? text->bytes : "", text->length));
  tsm_text_free(text);
  return status;
}

static tsm_status change_case(tsm_opcall *c, const char *method, char first, char last) {
  const tsm_str *s = tsm_arg_str(c, 0);
  if (s->chars != s->length)
    return tsm_raise(c->ctx, "ValueError", "str.%s() of text beyond ASCII is not supported", method);
  tsm_status status = tsm_charge(c->ctx, s->length / 64);
  if (status != TSM_OK) return status;
  tsm_str *out = tsm_str_new(c->ctx->heap, s->bytes, s->length);
  for (uint32_t i = 0; out && i < out->length; i++)
    if (out->bytes[i] >= first && out->bytes[i] <= last) out->bytes[i] = (char)(out->bytes[i] ^ 0x20);
  return tsm_return_object(c, out);
}

tsm_status tsm_k_str_upper(tsm_opcall *c) { return change_case(c, "upper", 'a', 'z'); }
tsm_status tsm_k_str_lower(tsm_opcall *c) { return change_case(c, "lower", 'A', 'Z'); }

/* ---- strip */

static bool is_in(const tsm_str *set, const char *at, size_t length) {
  if (!set) return tsm_char_is_space(tsm_utf8_decode(at, &length));
  for (size_t i = 0, n; i < set->length; i += n) {
    tsm_utf8_decode(set->bytes + i, &n);
    if (n == length && memcmp(set->bytes + i, at, n) == 0) return true;
  }
  return false;
}

static size_t last_char(const tsm_str *s, size_t end) {
  size_t at = end - 1;
  while (((unsigned char)s->bytes[at] & 0xC0) == 0x80) at--;
  return at;
}

static tsm_status strip(tsm_opcall *c, bool left, bool right) {
  const tsm_str *s = tsm_arg_str(c, 0);
  const tsm_str *set = tsm_arg_str(c, 1); /* NULL: white space */
  size_t from = 0, to = s->length, n;
  uint64_t work = 0, cost = set ? set->length / 64 + 1 : 1;
  for (; left && from < to; from += n, work += cost) {
    tsm_utf8_decode(s->bytes + from, &n);
    if (!is_in(set, s->bytes + from, n)) break;
  }
  for (; right && to > from; work += cost) {
    size_t at = last_char(s, to);
    if (!is_in(set, s->bytes + at, to - at)) break;
    to = at;
  }
  tsm_status status = tsm_charge(c->ctx, (int64_t)(work / 16));
  if (status != TSM_OK) return status;
  return tsm_return_object(c, tsm_str_new(c->ctx->heap, s->bytes + from, to - from));
}

tsm_status tsm_k_str_strip(tsm_opcall *c) { return strip(c, true, true); }
tsm_status tsm_k_str_lstrip(tsm_opcall *c) { return strip(c, true, false); }
tsm_status tsm_k_str_rstrip(tsm_opcall *c) { return strip(c, false, true); }

/* ---- split */

static tsm_status append_part(tsm_opcall *c, tsm_list *l, const char *bytes, size_t length) {
  tsm_slot slot;
  slot.ref = (tsm_object *)tsm_str_new(c->ctx->heap, length ? bytes : "", length);
  if (!slot.ref || tsm_list_push(l, &slot) != TSM_OK) return tsm_out_of_memory(c->ctx);
  return tsm_charge(c->ctx, 1);
}

static size_t skip_while(const tsm_str *s, size_t at, bool is_space) {
  for (size_t n; at < s->length; at += n)
    if (tsm_char_is_space(tsm_utf8_decode(s->bytes + at, &n)) != is_space) break;
  return at;
}

/* At white space; when the splits run out, the rest is the last part. */
static tsm_status split_at_space(tsm_opcall *c, tsm_list *l, int64_t most) {
  const tsm_str *s = tsm_arg_str(c, 0);
  tsm_status status = TSM_OK;
  size_t at = skip_while(s, 0, true);
  for (; at < s->length && status == TSM_OK; most--) {
    size_t end = skip_while(s, at, false);
    if (most == 0) end = s->length;
    status = append_part(c, l, s->bytes + at, end - at);
    at = skip_while(s, end, true);
  }
  return status;
}

static tsm_status split_at(tsm_opcall *c, tsm_list *l, const tsm_str *separator, int64_t most) {
  const tsm_str *s = tsm_arg_str(c, 0);
  size_t at = 0;
  if (!separator->length) return tsm_raise(c->ctx, "ValueError", "empty separator");
  for (; most != 0; most--) {
    size_t hit;
    tsm_status status =
        tsm_bytes_find(c->ctx, s->bytes + at, s->length - at, separator->bytes, separator->length, &hit);
    if (status == TSM_OK && hit == SIZE_MAX) break;
    if (status == TSM_OK) status = append_part(c, l, s->bytes + at, hit);
    if (status != TSM_OK) return status;
    at += hit + separator->length;
  }
  return append_part(c, l, s->bytes + at, s->length - at);
}

tsm_status tsm_k_str_split(tsm_opcall *c) {
  const tsm_str *separator = tsm_arg_str(c, 1);
  int64_t most = tsm_arg_int(c, 2);
  tsm_list *l = tsm_result_list(c, TSM_L_REF, 0);
  if (!l) return c->ctx->status;
  if (most < 0) most = -1;
  tsm_status status = separator ? split_at(c, l, separator, most) : split_at_space(c, l, most);
  if (status == TSM_OK) return tsm_return_object(c, l);
  tsm_unref(&l->head);
  return status;
}

/* ---- join and replace */

tsm_status tsm_k_str_join(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  const tsm_list *parts = tsm_arg_list(c, 1);
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  for (int64_t i = 0; i < parts->length && !text.failed; i++) {
    const tsm_str *part = (const tsm_str *)parts->as.ref[i];
    if (i) tsm_text_add(&text, s->bytes, s->length);
    tsm_text_add(&text, part->bytes, part->length);
  }
  return return_text(c, &text, tsm_charge(c->ctx, parts->length / 16 + (int64_t)(text.length / 64)));
}

/* An empty `old`: `new` before every character and at the end. */
static void interleave(tsm_text *text, const tsm_str *s, const tsm_str *new, int64_t most) {
  size_t at = 0;
  for (; most != 0 && !text->failed; most--) {
    size_t n = 0;
    tsm_text_add(text, new->bytes, new->length);
    if (at == s->length) return;
    tsm_utf8_decode(s->bytes + at, &n);
    tsm_text_add(text, s->bytes + at, n);
    at += n;
  }
  tsm_text_add(text, s->bytes + at, s->length - at);
}

static tsm_status substitute(tsm_opcall *c, tsm_text *text, const tsm_str *old, const tsm_str *new, int64_t most) {
  const tsm_str *s = tsm_arg_str(c, 0);
  size_t at = 0;
  for (; most != 0 && !text->failed; most--) {
    size_t hit;
    tsm_status status = tsm_bytes_find(c->ctx, s->bytes + at, s->length - at, old->bytes, old->length, &hit);
    if (status != TSM_OK) return status;
    if (hit == SIZE_MAX) break;
    tsm_text_add(text, s->bytes + at, hit);
    tsm_text_add(text, new->bytes, new->length);
    at += hit + old->length;
  }
  tsm_text_add(text, s->bytes + at, s->length - at);
  return tsm_charge(c->ctx, (int64_t)(text->length / 64));
}

tsm_status tsm_k_str_replace(tsm_opcall *c) {
  const tsm_str *old = tsm_arg_str(c, 1), *new = tsm_arg_str(c, 2);
  int64_t most = tsm_arg_int(c, 3) < 0 ? -1 : tsm_arg_int(c, 3);
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  tsm_status status = TSM_OK;
  if (old->length) status = substitute(c, &text, old, new, most);
  else interleave(&text, tsm_arg_str(c, 0), new, most);
  return return_text(c, &text, status);
}
