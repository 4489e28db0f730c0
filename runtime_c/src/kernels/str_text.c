/* str_text.c - kernels of str and bytes that strip, split, join and replace. */
#include "chars.h"

/* ---- strip */

/* Whether the character at `at`, `width` bytes wide, is one of `set`; without a set, whether it is white space. */
static bool is_in(const tsm_chars *t, const tsm_chars *set, size_t at, size_t width) {
  size_t n;
  if (!set) return tsm_chars_is_space(t, tsm_chars_decode(t, at, &n));
  for (size_t i = 0; i < set->length; i += n) {
    tsm_chars_decode(set, i, &n);
    if (n == width && memcmp(set->bytes + i, t->bytes + at, n) == 0) return true;
  }
  return false;
}

static tsm_status strip(tsm_opcall *c, bool left, bool right) {
  tsm_chars t = tsm_arg_chars(c, 0), chars, *set = NULL;
  if (tsm_arg(c, 1)->ref) {
    chars = tsm_arg_chars(c, 1);
    set = &chars;
  }
  size_t from = 0, to = t.length, n;
  int64_t cost = TSM_COST_ITEM + (set ? TSM_COST_CHAR * (int64_t)set->length : 0);
  for (; left && from < to && tsm_pay(c->ctx, 1, cost); from += n) {
    tsm_chars_decode(&t, from, &n);
    if (!is_in(&t, set, from, n)) break;
  }
  while (right && to > from && tsm_pay(c->ctx, 1, cost)) {
    size_t at = tsm_chars_before(&t, to);
    if (!is_in(&t, set, at, to - at)) break;
    to = at;
  }
  return tsm_return_chars(c, &t, t.bytes + from, to - from);
}

tsm_status tsm_k_str_strip(tsm_opcall *c) { return strip(c, true, true); }
tsm_status tsm_k_str_lstrip(tsm_opcall *c) { return strip(c, true, false); }
tsm_status tsm_k_str_rstrip(tsm_opcall *c) { return strip(c, false, true); }

/* ---- split */

static size_t skip_while(const tsm_opcall *c, const tsm_chars *t, size_t at, bool is_space) {
  size_t paid = 0;
  for (size_t n; at < t->length && tsm_chars_go_on(c, at, at + 64 < t->length ? at + 64 : t->length, &paid); at += n)
    if (tsm_chars_is_space(t, tsm_chars_decode(t, at, &n)) != is_space) break;
  return at;
}

/* At white space; when the splits run out, the rest is the last part. */
static tsm_status split_at_space(tsm_opcall *c, const tsm_chars *t, tsm_list *l, int64_t most) {
  tsm_status status = TSM_OK;
  size_t at = skip_while(c, t, 0, true);
  for (; at < t->length && status == TSM_OK; most--) {
    size_t end = most == 0 ? t->length : skip_while(c, t, at, false);
    status = tsm_push_part(c, l, t, t->bytes + at, end - at);
    at = skip_while(c, t, end, true);
  }
  return status;
}

static tsm_status split_at(tsm_opcall *c, const tsm_chars *t, tsm_list *l, const tsm_chars *separator, int64_t most) {
  size_t at = 0;
  if (!separator->length) return tsm_raise(c->ctx, "ValueError", "empty separator");
  for (; most != 0; most--) {
    size_t hit;
    tsm_status status =
        tsm_bytes_find(c->ctx, t->bytes + at, t->length - at, separator->bytes, separator->length, &hit);
    if (status == TSM_OK && hit == SIZE_MAX) break;
    if (status == TSM_OK) status = tsm_push_part(c, l, t, t->bytes + at, hit);
    if (status != TSM_OK) return status;
    at += hit + separator->length;
  }
  return tsm_push_part(c, l, t, t->bytes + at, t->length - at);
}

tsm_status tsm_k_str_split(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0), separator;
  int64_t most = tsm_arg_int(c, 2);
  tsm_list *l = tsm_result_list(c, TSM_L_REF, 0);
  if (!l) return c->ctx->status;
  if (most < 0) most = -1;
  tsm_status status;
  if (tsm_arg(c, 1)->ref) {
    separator = tsm_arg_chars(c, 1);
    status = split_at(c, &t, l, &separator, most);
  } else {
    status = split_at_space(c, &t, l, most);
  }
  if (status == TSM_OK) return tsm_return_object(c, l);
  tsm_unref(&l->head);
  return status;
}

/* ---- join and replace */

tsm_status tsm_k_str_join(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0);
  const tsm_list *parts = tsm_arg_list(c, 1);
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  for (int64_t i = 0; i < parts->length && !text.failed; i++) {
    tsm_chars part = tsm_chars_of(parts->as.ref[i]);
    text.failed = !tsm_pay(c->ctx, (int64_t)(t.length + part.length) + TSM_COST_ITEM, 1);
    if (i) tsm_text_add(&text, t.bytes, t.length);
    tsm_text_add(&text, part.bytes, part.length);
  }
  return tsm_return_made(c, &t, &text, TSM_OK);
}

/* An empty `old`: `new` before every character and at the end. */
static void interleave(const tsm_opcall *c, tsm_text *text, const tsm_chars *t, const tsm_chars *new, int64_t most) {
  size_t at = 0;
  for (; most != 0 && !text->failed; most--) {
    size_t n = 0;
    text->failed = !tsm_pay(c->ctx, (int64_t)new->length + TSM_COST_ITEM, 1);
    tsm_text_add(text, new->bytes, new->length);
    if (at == t->length) return;
    tsm_chars_decode(t, at, &n);
    tsm_text_add(text, t->bytes + at, n);
    at += n;
  }
  tsm_text_add(text, t->bytes + at, t->length - at);
}

static tsm_status substitute(tsm_opcall *c, tsm_text *text, const tsm_chars *t, const tsm_chars *old,
                             const tsm_chars *new, int64_t most) {
  size_t at = 0;
  for (; most != 0 && !text->failed; most--) {
    size_t hit;
    tsm_status status = tsm_bytes_find(c->ctx, t->bytes + at, t->length - at, old->bytes, old->length, &hit);
    if (status != TSM_OK) return status;
    if (hit == SIZE_MAX) break;
    text->failed = !tsm_pay(c->ctx, (int64_t)(hit + new->length) + TSM_COST_ITEM, 1);
    tsm_text_add(text, t->bytes + at, hit);
    tsm_text_add(text, new->bytes, new->length);
    at += hit + old->length;
  }
  tsm_text_add(text, t->bytes + at, t->length - at);
  return TSM_OK;
}

tsm_status tsm_k_str_replace(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0), old = tsm_arg_chars(c, 1), new = tsm_arg_chars(c, 2);
  int64_t most = tsm_arg_int(c, 3) < 0 ? -1 : tsm_arg_int(c, 3);
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  tsm_status status = TSM_OK;
  if (old.length) status = substitute(c, &text, &t, &old, &new, most);
  else interleave(c, &text, &t, &new, most);
  return tsm_return_made(c, &t, &text, status);
}
