/* any_ops.c - kernels on values of any kind: comparison, membership, identity, hash, text, print. */
#include "chars.h"
#include "instance/clone.h"

tsm_status tsm_k_any_eq(tsm_opcall *c) {
  bool is_equal;
  tsm_status status = tsm_pair_equal(c->ctx, tsm_arg_pair(c, 0), tsm_arg_pair(c, 1), &is_equal);
  return status == TSM_OK ? tsm_return_bool(c, is_equal) : status;
}

tsm_status tsm_k_any_ne(tsm_opcall *c) {
  bool is_equal;
  tsm_status status = tsm_pair_equal(c->ctx, tsm_arg_pair(c, 0), tsm_arg_pair(c, 1), &is_equal);
  return status == TSM_OK ? tsm_return_bool(c, !is_equal) : status;
}

#define ORDER(name, symbol, expression)                                                                      \
  tsm_status tsm_k_any_##name(tsm_opcall *c) {                                                               \
    tsm_order order;                                                                                         \
    tsm_status status = tsm_pair_compare_as(c->ctx, tsm_arg_pair(c, 0), tsm_arg_pair(c, 1), symbol, &order); \
    return status == TSM_OK ? tsm_return_bool(c, expression) : status;                                       \
  }
ORDER(lt, "<", order == TSM_LESS)
ORDER(le, "<=", order == TSM_LESS || order == TSM_EQUAL)
ORDER(gt, ">", order == TSM_GREATER)
ORDER(ge, ">=", order == TSM_GREATER || order == TSM_EQUAL)

static tsm_status contains_item(tsm_context *ctx, tsm_pair self, tsm_pair item, bool *out) {
  bool is_list = self.tag == TSM_LIST;
  int64_t length = is_list ? ((tsm_list *)self.as.ref)->length : ((tsm_tuple *)self.as.ref)->length;
  tsm_status status = TSM_OK;
  *out = false;
  for (int64_t i = 0; i < length && !*out && status == TSM_OK; i++) {
    tsm_pair p = is_list ? tsm_list_peek((tsm_list *)self.as.ref, i) : ((tsm_tuple *)self.as.ref)->items[i];
    status = i % 64 ? TSM_OK : tsm_charge(ctx, 1);
    if (status == TSM_OK) status = tsm_pair_equal(ctx, p, item, out);
  }
  return status;
}

/* Raises TypeError with the name of a value's type between two texts. */
static tsm_status raise_kind(tsm_context *ctx, const char *before, tsm_pair value, const char *after) {
  tsm_text text;
  tsm_text_init(&text, ctx->rt);
  text.heap = ctx->heap;
  tsm_text_add(&text, before, strlen(before));
  tsm_text_type_name(&text, value);
  tsm_text_add(&text, after, strlen(after));
  tsm_status status = text.failed ? tsm_out_of_memory(ctx)
                                  : tsm_raise_text(ctx, "TypeError", text.bytes, text.length);
  tsm_text_free(&text);
  return status;
}

tsm_status tsm_k_any_contains(tsm_opcall *c) {
  tsm_pair self = tsm_arg_pair(c, 0), item = tsm_arg_pair(c, 1);
  bool is_there = false;
  tsm_status status = TSM_OK;
  switch (TSM_TAG_KIND(self.tag)) {
    case TSM_LIST: case TSM_TUPLE: status = contains_item(c->ctx, self, item, &is_there); break;
    case TSM_DICT: case TSM_SET: case TSM_FROZENSET:
      if (item.tag == TSM_SET && self.tag != TSM_DICT) item.tag = TSM_FROZENSET; /* sought as one of its elements */
      status = tsm_check_hashable(c->ctx, item);
      if (status != TSM_OK) break;
      is_there = tsm_dict_find((tsm_dict *)self.as.ref, item);
      status = tsm_charge_dict(c->ctx, (tsm_dict *)self.as.ref);
      break;
    case TSM_STR:
      if (item.tag != TSM_STR)
        return raise_kind(c->ctx, "'in <string>' requires string as left operand, not ", item, "");
      status = tsm_str_search(c->ctx, self.as.ref, item.as.ref, &is_there);
      break;
    default: return raise_kind(c->ctx, "argument of type '", self, "' is not iterable");
  }
  return status == TSM_OK ? tsm_return_bool(c, is_there) : status;
}

/* ---- Items by a key that a text gives, and the name of a class */

static tsm_status raise_indices(tsm_opcall *c, const char *text) { return tsm_raise(c->ctx, "TypeError", "%s", text); }

static tsm_status sequence_item(tsm_opcall *c, tsm_pair self, tsm_pair key) {
  bool is_list = self.tag == TSM_LIST;
  int64_t length = is_list ? ((tsm_list *)self.as.ref)->length : ((tsm_tuple *)self.as.ref)->length, i = key.as.i;
  if (key.tag != TSM_INT && is_list) return raise_indices(c, "list indices must be integers or slices, not str");
  if (key.tag != TSM_INT) return raise_indices(c, "tuple indices must be integers or slices, not str");
  if (!tsm_index_wrap(&i, length))
    return tsm_raise(c->ctx, "IndexError", "%s index out of range", is_list ? "list" : "tuple");
  tsm_pair found = is_list ? tsm_list_peek((tsm_list *)self.as.ref, i) : ((tsm_tuple *)self.as.ref)->items[i];
  tsm_pair_ref(found);
  return tsm_return_value(c, TSM_L_PAIR, found);
}

static tsm_status text_item(tsm_opcall *c, tsm_pair self, tsm_pair key) {
  tsm_chars t = tsm_chars_of(self.as.ref);
  int64_t i = key.as.i;
  size_t n, at;
  if (key.tag != TSM_INT && t.str) return raise_indices(c, "string indices must be integers, not 'str'");
  if (key.tag != TSM_INT) return raise_indices(c, "byte indices must be integers or slices, not str");
  if (!tsm_index_wrap(&i, t.count))
    return tsm_raise(c->ctx, "IndexError", t.str ? "string index out of range" : "index out of range");
  if (!t.str) return tsm_return_value(c, TSM_L_PAIR, (tsm_pair){TSM_INT, {.i = (unsigned char)t.bytes[i]}});
  at = tsm_chars_offset(&t, i);
  if (at == (size_t)-1) return tsm_out_of_memory(c->ctx);
  tsm_chars_decode(&t, at, &n);
  tsm_str *made = tsm_str_new(c->ctx->heap, t.bytes + at, n);
  return made ? tsm_return_value(c, TSM_L_PAIR, (tsm_pair){TSM_STR, {.ref = &made->head}}) : tsm_out_of_memory(c->ctx);
}

tsm_status tsm_k_any_getitem(tsm_opcall *c) {
  tsm_pair self = tsm_arg_pair(c, 0), key = tsm_arg_pair(c, 1);
  if (self.tag == TSM_LIST || self.tag == TSM_TUPLE) return sequence_item(c, self, key);
  if (self.tag == TSM_STR || self.tag == TSM_BYTES) return text_item(c, self, key);
  if (self.tag != TSM_DICT) return raise_kind(c->ctx, "'", self, "' object is not subscriptable");
  tsm_status status = tsm_check_hashable(c->ctx, key);
  const tsm_dict_entry *found = status == TSM_OK ? tsm_dict_find((tsm_dict *)self.as.ref, key) : NULL;
  if (status == TSM_OK) status = tsm_charge_dict(c->ctx, (tsm_dict *)self.as.ref);
  if (status != TSM_OK) return status;
  if (!found) return tsm_raise_key(c->ctx, key);
  tsm_pair_ref(found->value);
  return tsm_return_value(c, TSM_L_PAIR, found->value);
}

tsm_status tsm_k_class_name_any(tsm_opcall *c) {
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  text.heap = c->ctx->heap;
  tsm_text_type_name(&text, tsm_arg_pair(c, 0));
  tsm_status status = text.failed ? tsm_out_of_memory(c->ctx)
                                  : tsm_return_object(c, tsm_str_new(c->ctx->heap, text.bytes, text.length));
  tsm_text_free(&text);
  return status;
}

tsm_status tsm_k_is_any(tsm_opcall *c) {
  tsm_pair a = tsm_arg_pair(c, 0), b = tsm_arg_pair(c, 1);
  return tsm_return_bool(c, a.tag == b.tag && (a.tag == TSM_NONE || a.as.bits == b.as.bits));
}

tsm_status tsm_k_copy_any(tsm_opcall *c) {
  tsm_pair out;
  tsm_status status = tsm_pair_copy(c->ctx, tsm_arg_pair(c, 0), tsm_arg_bool(c, 1), &out);
  return status == TSM_OK ? tsm_return_value(c, TSM_L_PAIR, out) : status;
}

tsm_status tsm_k_hash_any(tsm_opcall *c) {
  tsm_pair p = tsm_arg_pair(c, 0);
  tsm_status status = tsm_check_hashable(c->ctx, p);
  return status == TSM_OK ? tsm_return_int(c, (int64_t)tsm_pair_hash(p)) : status;
}

static tsm_status return_text(tsm_opcall *c, bool is_repr) {
  tsm_pair p = tsm_arg_pair(c, 0);
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  text.heap = c->ctx->heap;
  text.ctx = c->ctx;
  if (is_repr) tsm_text_repr(&text, p);
  else tsm_text_str(&text, p);
  tsm_status status;
  if (text.failed) status = tsm_text_raise(c->ctx, &text);
  else status = tsm_return_object(c, tsm_str_new(c->ctx->heap, text.length ? text.bytes : "", text.length));
  tsm_text_free(&text);
  return status;
}

tsm_status tsm_k_str_any(tsm_opcall *c) { return return_text(c, false); }
tsm_status tsm_k_repr_any(tsm_opcall *c) { return return_text(c, true); }

tsm_status tsm_k_text_begin(tsm_opcall *c) {
  tsm_pair a = tsm_arg_pair(c, 0);
  bool is_object = a.tag == TSM_LIST || a.tag == TSM_DICT || a.tag == TSM_SET || a.tag == TSM_TUPLE || a.tag == TSM_OBJECT;
  bool is_new;
  tsm_status status = tsm_context_show(c->ctx, is_object ? a.as.ref : NULL, &is_new);
  if (status == TSM_OK) status = tsm_charge_elements(c->ctx, (int64_t)c->ctx->shown_count);
  return status == TSM_OK ? tsm_return_bool(c, is_new) : status;
}

tsm_status tsm_k_text_end(tsm_opcall *c) {
  if (c->ctx->shown_count) c->ctx->shown_count--;
  return TSM_OK;
}

tsm_status tsm_k_print_str(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  const tsm_runtime *rt = c->ctx->rt;
  if (rt->print) rt->print(rt->text_user, s->bytes, s->length);
  return TSM_OK;
}

tsm_status tsm_k_warn_str(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  const tsm_runtime *rt = c->ctx->rt;
  if (rt->warn) rt->warn(rt->text_user, s->bytes, s->length);
  return TSM_OK;
}
