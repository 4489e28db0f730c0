/* containers.c - see containers.h. */
#include "containers.h"

static int64_t bound(const tsm_opcall *c, size_t i, int64_t missing) {
  tsm_pair p = tsm_arg_pair(c, i);
  return p.tag == TSM_NONE ? missing : p.as.i;
}

static int64_t clip(int64_t index, int64_t length, bool is_backward) {
  if (index < 0) {
    index += length;
    return index < 0 ? (is_backward ? -1 : 0) : index;
  }
  return index >= length ? (is_backward ? length - 1 : length) : index;
}

tsm_status tsm_slice_read(const tsm_opcall *c, size_t first, int64_t length, tsm_slice *out) {
  out->step = bound(c, first + 2, 1);
  if (out->step == 0) return tsm_raise(c->ctx, "ValueError", "slice step cannot be zero");
  if (out->step < -INT64_MAX) out->step = -INT64_MAX;
  bool is_backward = out->step < 0;
  out->start = clip(bound(c, first, is_backward ? INT64_MAX : 0), length, is_backward);
  out->stop = tsm_arg_pair(c, first + 1).tag == TSM_NONE ? (is_backward ? -1 : length)
                                                         : clip(bound(c, first + 1, 0), length, is_backward);
  out->count = 0;
  if (is_backward && out->stop < out->start) out->count = (out->start - out->stop - 1) / -out->step + 1;
  if (!is_backward && out->start < out->stop) out->count = (out->stop - out->start - 1) / out->step + 1;
  return TSM_OK;
}

tsm_status tsm_return_element(const tsm_opcall *c, tsm_layout layout, const tsm_slot *slots) {
  tsm_slot *result = tsm_result(c, 0);
  tsm_slot old[2] = {result[0], result[0]};
  result[0] = slots[0];
  if (layout == TSM_L_PAIR) {
    old[1] = result[1];
    result[1] = slots[1];
  }
  tsm_slot_unref(layout, old);
  return TSM_OK;
}

tsm_status tsm_return_value(const tsm_opcall *c, tsm_layout layout, tsm_pair value) {
  tsm_slot slots[2];
  slots[1].bits = 0;
  tsm_pair_to_slot(layout, value, slots);
  return tsm_return_element(c, layout, slots);
}

tsm_list *tsm_result_list(const tsm_opcall *c, tsm_layout layout, int64_t reserve) {
  const tsm_type *type = tsm_result_type(c, 0);
  if (type && type->kind == TSM_T_LIST && type->count) layout = (tsm_layout)type->members[0]->layout;
  tsm_list *l = tsm_list_make(c->ctx->heap, layout, type, reserve);
  if (!l) tsm_out_of_memory(c->ctx);
  return l;
}

tsm_status tsm_return_object(const tsm_opcall *c, void *object) {
  if (!object) return tsm_out_of_memory(c->ctx);
  const tsm_object *o = object;
  if (o->kind == TSM_STR && ((const tsm_str *)object)->length > 256) tsm_pay(c->ctx, ((const tsm_str *)object)->length, 1);
  tsm_return_ref(c, 0, object);
  return TSM_OK;
}

/* Elements of equal layout, one after the other: one copy, then the counts. */
static void append_block(tsm_list *dst, const tsm_list *src, int64_t from, int64_t count) {
  size_t size = tsm_layout_size((tsm_layout)dst->head.layout);
  if (!count) return;
  memcpy((char *)dst->as.any + (size_t)dst->length * size, (const char *)src->as.any + (size_t)from * size,
         (size_t)count * size);
  for (int64_t i = dst->length; i < dst->length + count; i++) {
    if (dst->head.layout == TSM_L_REF) tsm_ref_maybe(dst->as.ref[i]);
    else if (dst->head.layout == TSM_L_PAIR) tsm_pair_ref(dst->as.pair[i]);
    else break;
  }
  dst->length += count;
}

tsm_status tsm_list_append_range(tsm_context *ctx, tsm_list *dst, const tsm_list *src, int64_t from, int64_t step,
                                 int64_t count) {
  int64_t need;
  if (tsm_add_overflows(dst->length, count, &need)) return tsm_out_of_memory(ctx);
  const int64_t spare = need > dst->capacity && dst->length ? need / 8 : 0; /* grows like repeated appends */
  if (need > dst->capacity && !tsm_pay(ctx, dst->length, TSM_COST_FRESH)) return ctx->status; /* they may move */
  if (tsm_list_extend_room(dst, need, spare) != TSM_OK) return tsm_out_of_memory(ctx);
  bool is_block = dst->head.layout == src->head.layout && step == 1;
  int64_t cost = !is_block || src->head.layout >= TSM_L_REF ? TSM_COST_ITEM /* what it costs to let go is in it */
                 : src->head.layout == TSM_L_U8 ? 1 : TSM_COST_FRESH;
  for (int64_t at = 0, end; at < count; at = end) {
    if ((end = tsm_stretch(ctx, at, count, cost)) < 0) return ctx->status;
    if (is_block) append_block(dst, src, from + at, end - at);
    for (int64_t i = at; i < end && !is_block; i++) {
      tsm_slot slots[2];
      tsm_pair p = tsm_list_peek(src, from + i * step);
      tsm_pair_ref(p);
      tsm_pair_to_slot((tsm_layout)dst->head.layout, p, slots);
      (void)tsm_list_push(dst, slots); /* has room */
    }
  }
  return TSM_OK;
}

tsm_status tsm_raise_about(tsm_context *ctx, const char *type, const char *before, tsm_pair value, const char *after) {
  tsm_text text;
  tsm_text_init(&text, ctx->rt);
  text.heap = ctx->heap;
  text.ctx = ctx;
  tsm_text_add(&text, before, strlen(before));
  tsm_text_repr(&text, value);
  tsm_text_add(&text, after, strlen(after));
  tsm_status status = text.failed ? tsm_text_raise(ctx, &text) : tsm_raise_text(ctx, type, text.bytes, text.length);
  tsm_text_free(&text);
  return status;
}

/* The text of a key as a new object; NULL after raising. */
static tsm_str *key_text(tsm_context *ctx, tsm_pair key) {
  tsm_text text;
  tsm_text_init(&text, ctx->rt);
  text.heap = ctx->heap;
  text.ctx = ctx;
  tsm_text_repr(&text, key);
  tsm_str *made = text.failed ? NULL : tsm_str_new(ctx->heap, text.bytes, text.length);
  if (text.failed) tsm_text_raise(ctx, &text);
  else if (!made) tsm_out_of_memory(ctx);
  tsm_text_free(&text);
  return made;
}

tsm_status tsm_raise_key(tsm_context *ctx, tsm_pair key) {
  static const char name[] = "KeyError";
  tsm_str *message = key_text(ctx, key);
  if (!message) return ctx->status;
  tsm_exception *e = tsm_exception_make(ctx->heap, tsm_str_new(ctx->heap, name, sizeof name - 1), message);
  if (!e) return tsm_out_of_memory(ctx);
  if (tsm_pair_is_plain(ctx, key)) e->args = tsm_tuple_make(ctx->heap, 1, NULL);
  if (e->args) {
    tsm_pair_ref(key);
    e->args->items[0] = key;
  }
  return tsm_raise_exception(ctx, e);
}

tsm_status tsm_raise_key_text(tsm_context *ctx, const char *text) {
  tsm_str *key = tsm_str_new(ctx->heap, text, strlen(text));
  if (!key) return tsm_out_of_memory(ctx);
  tsm_status status = tsm_raise_key(ctx, (tsm_pair){TSM_STR, {.ref = &key->head}});
  tsm_unref(&key->head);
  return status;
}

tsm_status tsm_check_plain(tsm_context *ctx, tsm_pair value) {
  tsm_status status = tsm_check_hashable(ctx, value);
  if (status != TSM_OK || tsm_pair_is_plain(ctx, value)) return status;
  return tsm_raise(ctx, "TypeError", "an exception cannot keep an instance");
}

static bool has_parts(tsm_pair key) {
  return key.tag == TSM_TUPLE || (key.tag == TSM_OBJECT && key.as.ref->type->is_key);
}

/* The value that makes a key not hashable: itself, or a part of a tuple or an instance. */
static tsm_pair find_unhashable(tsm_context *ctx, tsm_pair key) {
  while (has_parts(key)) {
    int64_t i = 0, count = tsm_key_part_count(key.as.ref);
    while (i < count && tsm_pair_is_hashable(ctx, tsm_key_part(key.as.ref, i))) i++;
    if (i == count) break; /* too deep or too large */
    key = tsm_key_part(key.as.ref, i);
  }
  return key;
}

tsm_status tsm_check_hashable(tsm_context *ctx, tsm_pair key) {
  if (TSM_LIKELY(key.tag == TSM_STR || key.tag == TSM_INT)) return TSM_OK;
  bool is_hashable = tsm_pair_is_hashable(ctx, key);
  if (is_hashable || tsm_has_stopped(ctx)) return is_hashable ? TSM_OK : ctx->status;
  tsm_pair culprit = find_unhashable(ctx, key);
  if (has_parts(culprit)) return tsm_raise(ctx, "RecursionError", "the tuple is too deep or too large to hash");
  tsm_text name;
  tsm_text_init(&name, ctx->rt);
  tsm_text_type_name(&name, culprit);
  tsm_status status = name.failed ? tsm_out_of_memory(ctx)
                                  : tsm_raise(ctx, "TypeError", "unhashable type: '%.*s'", (int)name.length,
                                              name.bytes);
  tsm_text_free(&name);
  return status;
}

tsm_pair tsm_arg_element(const tsm_opcall *c, size_t i, tsm_layout layout, const tsm_type *type) {
  return tsm_pair_from_layout(layout, type, tsm_arg(c, i));
}
