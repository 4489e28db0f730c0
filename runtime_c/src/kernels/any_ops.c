/* any_ops.c - kernels on values of any kind: comparison, membership, identity, hash, text, print. */
#include "chars.h"
#include "instance/clone.h"
#include "load/program.h"
#include "vm/steps.h"

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
    status = tsm_charge_elements(ctx, TSM_COST_ITEM);
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
      is_there = tsm_dict_find(c->ctx, (tsm_dict *)self.as.ref, item);
      break;
    case TSM_BYTES:
      if (item.tag == TSM_INT || item.tag == TSM_BOOL) {
        tsm_chars t = tsm_chars_of(self.as.ref);
        if (item.as.i < 0 || item.as.i > 255) return tsm_raise(c->ctx, "ValueError", "byte must be in range(0, 256)");
        is_there = t.count && tsm_pay_bytes(c->ctx, (size_t)t.count) && memchr(t.bytes, (int)item.as.i, (size_t)t.count);
        break;
      }
      if (item.tag != TSM_BYTES) return raise_kind(c->ctx, "a bytes-like object is required, not '", item, "'");
      status = tsm_str_search(c->ctx, self.as.ref, item.as.ref, &is_there);
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

static tsm_status sequence_item(tsm_opcall *c, tsm_pair self, tsm_pair key) {
  bool is_list = self.tag == TSM_LIST;
  int64_t length = is_list ? ((tsm_list *)self.as.ref)->length : ((tsm_tuple *)self.as.ref)->length, i = key.as.i;
  if (key.tag != TSM_INT && key.tag != TSM_BOOL)
    return raise_kind(c->ctx, is_list ? "list indices must be integers or slices, not "
                                      : "tuple indices must be integers or slices, not ", key, "");
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
  if (key.tag != TSM_INT && key.tag != TSM_BOOL)
    return raise_kind(c->ctx, t.str ? "string indices must be integers, not '" : "byte indices must be integers or slices, not ",
                      key, t.str ? "'" : "");
  if (!tsm_index_wrap(&i, t.count))
    return tsm_raise(c->ctx, "IndexError", t.str ? "string index out of range" : "index out of range");
  if (!t.str) return tsm_return_value(c, TSM_L_PAIR, (tsm_pair){TSM_INT, {.i = (unsigned char)t.bytes[i]}});
  at = tsm_chars_offset(c, &t, i);
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
  const tsm_dict_entry *found = status == TSM_OK ? tsm_dict_find(c->ctx, (tsm_dict *)self.as.ref, key) : NULL;
  if (tsm_has_stopped(c->ctx)) return c->ctx->status;
  if (status != TSM_OK) return status;
  if (!found) return tsm_raise_key(c->ctx, key);
  tsm_pair_ref(found->value);
  return tsm_return_value(c, TSM_L_PAIR, found->value);
}

tsm_status tsm_k_is_tuple_any(tsm_opcall *c) {
  return tsm_return_bool(c, TSM_TAG_KIND(tsm_arg_pair(c, 0).tag) == TSM_TUPLE);
}

/* len(value); -1 if it has none. */
static int64_t length_of(tsm_pair value) {
  switch (TSM_TAG_KIND(value.tag)) {
    case TSM_LIST: return ((tsm_list *)value.as.ref)->length;
    case TSM_TUPLE: return ((tsm_tuple *)value.as.ref)->length;
    case TSM_DICT: case TSM_SET: case TSM_FROZENSET: return ((tsm_dict *)value.as.ref)->length;
    case TSM_STR: case TSM_BYTES: return tsm_chars_of(value.as.ref).count;
    default: return -1;
  }
}

tsm_status tsm_k_any_len(tsm_opcall *c) {
  tsm_pair self = tsm_arg_pair(c, 0);
  int64_t length = length_of(self);
  return length < 0 ? raise_kind(c->ctx, "object of type '", self, "' has no len()") : tsm_return_int(c, length);
}

/* The item that an iterator over a container or text gives at a place; `*at` is where the search for the next goes on. */
static bool next_item(tsm_context *ctx, tsm_pair self, int64_t *at, tsm_pair *out) {
  const tsm_dict_entry *entry;
  tsm_chars t;
  size_t n;
  switch (TSM_TAG_KIND(self.tag)) {
    case TSM_LIST: *out = tsm_list_peek((tsm_list *)self.as.ref, (*at)++); break;
    case TSM_TUPLE: *out = ((tsm_tuple *)self.as.ref)->items[(*at)++]; break;
    case TSM_DICT: case TSM_SET: case TSM_FROZENSET:
      entry = tsm_dict_pass(ctx, (tsm_dict *)self.as.ref, at);
      if (!entry) return false;
      *out = entry->key;
      break;
    default:
      t = tsm_chars_of(self.as.ref);
      if (!t.str) {
        *out = (tsm_pair){TSM_INT, {.i = (unsigned char)t.bytes[(*at)++]}};
        break;
      }
      tsm_chars_decode(&t, (size_t)*at, &n);
      tsm_str *made = tsm_str_new(ctx->heap, t.bytes + *at, n);
      *at += (int64_t)n;
      *out = (tsm_pair){TSM_STR, {.ref = made ? &made->head : NULL}};
      return made != NULL;
  }
  tsm_pair_ref(*out);
  return true;
}

tsm_status tsm_k_list_from_any(tsm_opcall *c) {
  tsm_pair self = tsm_arg_pair(c, 0), item;
  int64_t length = length_of(self), at = 0;
  if (length < 0) return raise_kind(c->ctx, "'", self, "' object is not iterable");
  tsm_list *l = tsm_result_list(c, TSM_L_PAIR, length);
  if (!l) return c->ctx->status;
  for (int64_t i = 0; i < length; i++) {
    tsm_slot slots[2];
    if (!tsm_pay(c->ctx, 1, TSM_COST_ENTRY) || !next_item(c->ctx, self, &at, &item)) {
      tsm_unref(&l->head);
      return tsm_out_of_memory(c->ctx);
    }
    tsm_pair_to_slot(TSM_L_PAIR, item, slots);
    (void)tsm_list_push(l, slots); /* has room */
  }
  return tsm_return_object(c, l);
}

static bool is_open(const tsm_opcall *c, uint64_t tag) {
  tsm_pair self = tsm_arg_pair(c, 0);
  return self.tag == tag && tsm_pair_is_open(self);
}

tsm_status tsm_k_is_open_list(tsm_opcall *c) { return tsm_return_bool(c, is_open(c, TSM_LIST)); }
tsm_status tsm_k_is_open_dict(tsm_opcall *c) { return tsm_return_bool(c, is_open(c, TSM_DICT)); }

static bool keys_fit(tsm_context *ctx, const tsm_type *type, const tsm_object *o) {
  int64_t position = 0;
  if (o->kind != TSM_DICT) return true;
  for (tsm_dict_entry *e; (e = tsm_dict_pass(ctx, (const tsm_dict *)o, &position));)
    if (!tsm_value_fits(ctx, type->members[0], e->key)) return false;
  return true;
}

tsm_status tsm_k_open_any(tsm_opcall *c) {
  const tsm_type *type = tsm_result_type(c, 0);
  tsm_pair self = tsm_arg_pair(c, 0);
  if (!type || !is_open(c, tsm_type_tag(type)) || !keys_fit(c->ctx, type, self.as.ref))
    return raise_kind(c->ctx, "cannot open '", self, "' object");
  tsm_status status = tsm_pair_adopt(c->ctx, type, self);
  if (status != TSM_OK) return status;
  tsm_ref(self.as.ref);
  return tsm_return_object(c, self.as.ref);
}

/* The list stays loose, or the host's: no reference of a static type leads to it after the call. */
tsm_status tsm_k_append_open(tsm_opcall *c) {
  tsm_pair self = tsm_arg_pair(c, 0), item = tsm_arg_pair(c, 1);
  const tsm_type *wide = tsm_arg_list(c, 2)->head.type;
  if (!wide || !is_open(c, TSM_LIST)) return raise_kind(c->ctx, "cannot open '", self, "' object");
  tsm_list *l = (tsm_list *)self.as.ref;
  tsm_slot slots[2];
  if (!l->head.type || !tsm_value_fits(c->ctx, l->head.type->members[0], item)) {
    uint8_t loose = l->head.flags & TSM_OBJ_LOOSE;
    if (tsm_object_fasten(&l->head, wide) != TSM_OK) return tsm_out_of_memory(c->ctx);
    l->head.flags |= loose;
  }
  tsm_pair_ref(item);
  tsm_pair_to_slot((tsm_layout)l->head.layout, item, slots);
  return tsm_list_push(l, slots) == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
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

tsm_status tsm_k_member_index_any(tsm_opcall *c) {
  tsm_pair member = tsm_arg_pair(c, 0);
  return tsm_return_int(c, TSM_TAG_KIND(member.tag) == TSM_ENUM ? member.as.i : -1);
}

tsm_status tsm_k_attribute_unset(tsm_opcall *c) {
  tsm_pair owner = tsm_arg_pair(c, 0);
  tsm_instance_object *o = (tsm_instance_object *)owner.as.ref;
  const tsm_type *t = TSM_TAG_KIND(owner.tag) == TSM_OBJECT ? o->head.type : NULL;
  for (uint32_t i = 0; t && i < t->count; i++) {
    if (strcmp(t->member_names[i], tsm_arg_str(c, 1)->bytes) != 0) continue;
    bool is_set = tsm_attr_is_set(t, o, i);
    *tsm_attr_word(t, o, i) &= ~((uint64_t)1 << (i & 63));
    tsm_set_slot((tsm_layout)t->members[i]->layout, &o->slots[t->record[i]], (tsm_pair){TSM_NONE, {0}});
    return tsm_return_bool(c, is_set);
  }
  return tsm_return_bool(c, false);
}

tsm_status tsm_k_is_any(tsm_opcall *c) {
  tsm_pair a = tsm_arg_pair(c, 0), b = tsm_arg_pair(c, 1);
  if (a.tag != b.tag || a.tag == TSM_NONE) return tsm_return_bool(c, a.tag == b.tag);
  return tsm_return_bool(c, tsm_tag_is_ref(a.tag) ? a.as.ref == b.as.ref : a.as.bits == b.as.bits);
}

tsm_status tsm_k_copy_any(tsm_opcall *c) {
  tsm_pair out;
  tsm_status status = tsm_pair_copy(c->ctx, tsm_arg_pair(c, 0), tsm_arg_bool(c, 1), &out);
  return status == TSM_OK ? tsm_return_value(c, TSM_L_PAIR, out) : status;
}

tsm_status tsm_k_hash_any(tsm_opcall *c) {
  tsm_pair p = tsm_arg_pair(c, 0);
  tsm_status status = tsm_check_hashable(c->ctx, p);
  return status == TSM_OK ? tsm_return_int(c, (int64_t)tsm_pair_hash(c->ctx, p)) : status;
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
  if (status == TSM_OK) status = tsm_charge_work(c->ctx, (int64_t)c->ctx->shown_count, 2);
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

tsm_status tsm_k_print_error(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  const tsm_runtime *rt = c->ctx->rt;
  if (rt->print_error) rt->print_error(rt->text_user, s->bytes, s->length);
  return TSM_OK;
}
