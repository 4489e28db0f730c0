/* tuple_ops.c - kernels of tuples of any length. Items are tagged; the register of an item has the layout of the
 * program's type, or is a pair when the host calls. */
#include "containers.h"

tsm_status tsm_k_tuple_len(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_tuple(c, 0)->length); }

tsm_status tsm_k_tuple_getitem(tsm_opcall *c) {
  const tsm_tuple *t = tsm_arg_tuple(c, 0);
  int64_t index = tsm_arg_int(c, 1);
  if (!tsm_index_wrap(&index, t->length)) return tsm_raise(c->ctx, "IndexError", "tuple index out of range");
  const tsm_type *type = tsm_result_type(c, 0);
  tsm_pair_ref(t->items[index]);
  return tsm_return_value(c, type ? (tsm_layout)type->layout : TSM_L_PAIR, t->items[index]);
}

tsm_status tsm_k_tuple_getslice(tsm_opcall *c) {
  const tsm_tuple *t = tsm_arg_tuple(c, 0);
  tsm_slice s;
  tsm_status status = tsm_slice_read(c, 1, t->length, &s);
  if (status == TSM_OK) status = tsm_charge_work(c->ctx, s.count, TSM_COST_ITEM);
  if (status != TSM_OK) return status;
  tsm_tuple *out = tsm_tuple_make(c->ctx->heap, s.count, tsm_result_type(c, 0));
  for (int64_t i = 0; out && i < s.count; i++) {
    out->items[i] = t->items[s.start + i * s.step];
    tsm_pair_ref(out->items[i]);
  }
  tsm_tuple_mark_like(out, t);
  return tsm_return_object(c, out);
}

/* The same items in a tuple that is a Size, or is none. */
static tsm_status remade(tsm_opcall *c, uint8_t flags) {
  const tsm_tuple *t = tsm_arg_tuple(c, 0);
  tsm_status status = tsm_charge_work(c->ctx, t->length, TSM_COST_ITEM);
  if (status != TSM_OK) return status;
  tsm_tuple *out = tsm_tuple_make(c->ctx->heap, t->length, tsm_result_type(c, 0));
  if (out) memcpy(out->items, t->items, (size_t)t->length * sizeof *t->items); /* ints */
  if (out) out->head.flags |= flags;
  return tsm_return_object(c, out);
}

tsm_status tsm_k_size_from_tuple(tsm_opcall *c) { return remade(c, TSM_OBJ_SIZE); }
tsm_status tsm_k_tuple_from_size(tsm_opcall *c) { return remade(c, 0); }

/* The layout that holds all items without tags, or PAIR. */
static tsm_layout common_layout(const tsm_tuple *t) {
  uint64_t tag = t->length ? t->items[0].tag : TSM_NONE;
  bool is_same = true, is_ref = true;
  for (int64_t i = 0; i < t->length; i++) {
    is_same = is_same && t->items[i].tag == tag;
    is_ref = is_ref && tsm_tag_is_ref(t->items[i].tag);
  }
  if (is_ref && t->length) return TSM_L_REF;
  if (!is_same) return TSM_L_PAIR;
  return tag == TSM_INT ? TSM_L_I64 : tag == TSM_FLOAT ? TSM_L_F64 : tag == TSM_BOOL ? TSM_L_U8 : TSM_L_PAIR;
}

tsm_status tsm_k_list_from_tuple(tsm_opcall *c) {
  const tsm_tuple *t = tsm_arg_tuple(c, 0);
  tsm_status status = tsm_charge_work(c->ctx, t->length, 2 * TSM_COST_ITEM);
  if (status != TSM_OK) return status;
  tsm_list *l = tsm_result_list(c, tsm_result_type(c, 0) ? TSM_L_PAIR : common_layout(t), t->length);
  if (!l) return c->ctx->status;
  for (int64_t i = 0; i < t->length; i++) {
    tsm_slot slots[2];
    tsm_pair_ref(t->items[i]);
    tsm_pair_to_slot((tsm_layout)l->head.layout, t->items[i], slots);
    (void)tsm_list_push(l, slots); /* has room */
  }
  return tsm_return_object(c, l);
}

tsm_status tsm_k_tuple_from_list(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  tsm_status status = tsm_charge_work(c->ctx, l->length, TSM_COST_ITEM);
  if (status != TSM_OK) return status;
  tsm_tuple *t = tsm_tuple_make(c->ctx->heap, l->length, tsm_result_type(c, 0));
  for (int64_t i = 0; t && i < l->length; i++) {
    t->items[i] = tsm_list_peek(l, i);
    tsm_pair_ref(t->items[i]);
  }
  return tsm_return_object(c, t);
}
