/* list_ops.c - kernels that read or change lists by index. Elements keep the list's layout; an argument or result of
 * type t has it too. Mutation through several names of one list behaves as CPython's. */
#include "containers.h"

static tsm_layout layout_of(const tsm_list *l) { return (tsm_layout)l->head.layout; }

tsm_status tsm_k_list_len(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_list(c, 0)->length); }

static tsm_status out_of_range(const tsm_opcall *c, const tsm_list *l, const char *what) {
  return tsm_raise(c->ctx, "IndexError", "%s out of range", tsm_is_deque(&l->head) ? "deque index" : what);
}

tsm_status tsm_k_list_getitem(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  int64_t index = tsm_arg_int(c, 1);
  if (!tsm_index_wrap(&index, l->length)) return out_of_range(c, l, "list index");
  tsm_slot slots[2];
  tsm_list_load(l, index, slots);
  return tsm_return_element(c, layout_of(l), slots);
}

tsm_status tsm_k_list_setitem(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  int64_t index = tsm_arg_int(c, 1);
  if (!tsm_index_wrap(&index, l->length)) return out_of_range(c, l, "list assignment index");
  const tsm_slot *value = tsm_arg(c, 2);
  tsm_slot_ref(layout_of(l), value);
  tsm_list_store(l, index, value);
  return TSM_OK;
}

/* Charges for moving elements. */
static tsm_status charge_shift(tsm_context *ctx, const tsm_list *l, int64_t count) {
  return tsm_charge_work(ctx, count, (int64_t)tsm_layout_size(layout_of(l)) / 4 + 1);
}

/* Moves the elements from `index` on by `by` places; there must be room. */
static void shift(tsm_list *l, int64_t index, int64_t by) {
  size_t size = tsm_layout_size(layout_of(l));
  char *bytes = l->as.any;
  size_t tail = (size_t)(l->length - index) * size;
  if (tail) memmove(bytes + (size_t)(index + by) * size, bytes + (size_t)index * size, tail);
  l->length += by;
}

/* Takes an element out, with its count. */
static void take_out(tsm_list *l, int64_t index, tsm_slot *out_slots) {
  tsm_list_load(l, index, out_slots);
  tsm_slot_unref(layout_of(l), out_slots); /* the list's count, ours stays: the object lives on */
  shift(l, index + 1, -1);
}

tsm_status tsm_k_list_delitem(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  int64_t index = tsm_arg_int(c, 1);
  if (!tsm_index_wrap(&index, l->length)) return out_of_range(c, l, "list assignment index");
  tsm_status status = charge_shift(c->ctx, l, l->length - index);
  if (status != TSM_OK) return status;
  tsm_slot slots[2];
  take_out(l, index, slots);
  tsm_slot_unref(layout_of(l), slots);
  return TSM_OK;
}

tsm_status tsm_k_list_append(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  const tsm_slot *item = tsm_arg(c, 1);
  tsm_slot_ref(layout_of(l), item);
  return tsm_list_push(l, item) == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
}

tsm_status tsm_k_list_extend(tsm_opcall *c) {
  const tsm_list *other = tsm_arg_list(c, 1);
  return tsm_list_append_range(c->ctx, tsm_arg_list(c, 0), other, 0, 1, other->length);
}

tsm_status tsm_k_list_iadd(tsm_opcall *c) {
  tsm_status status = tsm_k_list_extend(c);
  if (status != TSM_OK) return status;
  tsm_object *self = tsm_arg(c, 0)->ref;
  tsm_ref(self);
  tsm_return_ref(c, 0, self);
  return TSM_OK;
}

tsm_status tsm_k_list_insert(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  int64_t index = tsm_arg_int(c, 1);
  const tsm_slot *item = tsm_arg(c, 2);
  if (index < 0) index += l->length;
  if (index < 0) index = 0;
  if (index > l->length) index = l->length;
  tsm_status status = charge_shift(c->ctx, l, l->length - index);
  if (status != TSM_OK) return status;
  tsm_slot_ref(layout_of(l), item);
  if (tsm_list_push(l, item) != TSM_OK) return tsm_out_of_memory(c->ctx);
  l->length--; /* the new element lies behind the end: make a hole and put it there */
  shift(l, index, 1);
  switch (layout_of(l)) {
    case TSM_L_U8: l->as.u8[index] = item->i != 0; break;
    case TSM_L_PAIR: l->as.pair[index] = (tsm_pair){item[0].bits, item[1]}; break;
    case TSM_L_REF: l->as.ref[index] = item->ref; break;
    default: l->as.i64[index] = item->i; break;
  }
  return TSM_OK;
}

tsm_status tsm_k_list_pop(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  int64_t index = tsm_arg_int(c, 1);
  if (!l->length) return tsm_raise(c->ctx, "IndexError", "pop from empty list");
  if (!tsm_index_wrap(&index, l->length)) return tsm_raise(c->ctx, "IndexError", "pop index out of range");
  tsm_status status = index ? charge_shift(c->ctx, l, l->length - index) : TSM_OK;
  if (status != TSM_OK) return status;
  tsm_slot slots[2];
  tsm_layout layout = layout_of(l);
  if (index) take_out(l, index, slots);
  else tsm_list_pop_front(l, slots);
  return tsm_return_element(c, layout, slots);
}

static void truncate_list(tsm_list *l, int64_t length) {
  while (l->length > length) tsm_pair_unref(tsm_list_peek(l, --l->length));
}

tsm_status tsm_k_list_clear(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  truncate_list(l, 0);
  tsm_list_free_room(l);
  return TSM_OK;
}

static void exchange(tsm_list *a, tsm_list *b) {
  tsm_list kept = *a;
  a->as = b->as, a->length = b->length, a->capacity = b->capacity, a->hidden = b->hidden;
  b->as = kept.as, b->length = kept.length, b->capacity = kept.capacity, b->hidden = kept.hidden;
}

tsm_status tsm_k_deque_pop_front(tsm_opcall *c) {
  tsm_slot slots[2];
  tsm_list *l = tsm_arg_list(c, 0);
  if (!l->length) return tsm_raise(c->ctx, "IndexError", "pop from an empty deque");
  l->version++;
  tsm_list_pop_front(l, slots);
  return tsm_return_element(c, layout_of(l), slots);
}

tsm_status tsm_k_deque_push_front(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  const tsm_slot *item = tsm_arg(c, 1);
  l->version++;
  tsm_slot_ref(layout_of(l), item);
  return tsm_list_push_front(l, item) == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
}

tsm_status tsm_k_deque_limit(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_list(c, 0)->limit - 1); }

tsm_status tsm_k_deque_set_limit(tsm_opcall *c) {
  tsm_arg_list(c, 0)->limit = tsm_arg_int(c, 1) == INT64_MAX ? 0 : tsm_arg_int(c, 1) + 1;
  return TSM_OK;
}

tsm_status tsm_k_deque_version(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_list(c, 0)->version); }

tsm_status tsm_k_deque_changed(tsm_opcall *c) {
  tsm_arg_list(c, 0)->version++;
  return TSM_OK;
}

tsm_status tsm_k_list_take(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0), *taken = tsm_list_make(c->ctx->heap, layout_of(l), l->head.type, 0);
  if (!taken) return tsm_out_of_memory(c->ctx);
  exchange(l, taken);
  return tsm_return_object(c, &taken->head);
}

tsm_status tsm_k_list_restore(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  bool is_changed = l->capacity + l->hidden != 0; /* a list that had anything since it was taken has room for it */
  exchange(l, tsm_arg_list(c, 1));
  return tsm_return_bool(c, is_changed);
}

tsm_status tsm_k_list_reverse(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  int64_t paid = 0;
  for (int64_t i = 0, j = l->length - 1; i < j; i++, j--) {
    if (i == paid && (paid = tsm_stretch(c->ctx, i, l->length / 2, 2 * TSM_COST_FRESH)) < 0) return c->ctx->status;
    if (layout_of(l) == TSM_L_U8) {
      uint8_t item = l->as.u8[i];
      l->as.u8[i] = l->as.u8[j];
      l->as.u8[j] = item;
    } else if (layout_of(l) == TSM_L_PAIR) {
      tsm_pair item = l->as.pair[i];
      l->as.pair[i] = l->as.pair[j];
      l->as.pair[j] = item;
    } else if (layout_of(l) == TSM_L_REF) {
      tsm_object *item = l->as.ref[i];
      l->as.ref[i] = l->as.ref[j];
      l->as.ref[j] = item;
    } else {
      int64_t item = l->as.i64[i];
      l->as.i64[i] = l->as.i64[j];
      l->as.i64[j] = item;
    }
  }
  return TSM_OK;
}

/* A new list of a range of `src` as result 0. */
static tsm_status return_range(tsm_opcall *c, const tsm_list *src, int64_t from, int64_t step, int64_t count) {
  tsm_list *l = tsm_result_list(c, layout_of(src), 0);
  if (!l) return c->ctx->status;
  tsm_status status = tsm_list_append_range(c->ctx, l, src, from, step, count);
  if (status == TSM_OK) return tsm_return_object(c, l);
  tsm_unref(&l->head);
  return status;
}

tsm_status tsm_k_list_copy(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  return return_range(c, l, 0, 1, l->length);
}

tsm_status tsm_k_list_getslice(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  tsm_slice s;
  tsm_status status = tsm_slice_read(c, 1, l->length, &s);
  return status == TSM_OK ? return_range(c, l, s.start, s.step, s.count) : status;
}

tsm_status tsm_k_list_add(tsm_opcall *c) {
  const tsm_list *a = tsm_arg_list(c, 0), *b = tsm_arg_list(c, 1);
  tsm_list *l = tsm_result_list(c, layout_of(a), 0);
  if (!l) return c->ctx->status;
  int64_t total;
  tsm_status status = TSM_OK;
  if (tsm_add_overflows(a->length, b->length, &total) || tsm_list_grow(l, total) != TSM_OK)
    status = tsm_out_of_memory(c->ctx);
  if (status == TSM_OK) status = tsm_list_append_range(c->ctx, l, a, 0, 1, a->length);
  if (status == TSM_OK) status = tsm_list_append_range(c->ctx, l, b, 0, 1, b->length);
  if (status == TSM_OK) return tsm_return_object(c, l);
  tsm_unref(&l->head);
  return status;
}

tsm_status tsm_k_list_mul(tsm_opcall *c) {
  const tsm_list *a = tsm_arg_list(c, 0);
  int64_t n = tsm_arg_int(c, 1) > 0 ? tsm_arg_int(c, 1) : 0, total;
  tsm_list *l = tsm_result_list(c, layout_of(a), 0);
  if (!l) return c->ctx->status;
  tsm_status status = TSM_OK;
  if (tsm_mul_overflows(a->length, n, &total) || tsm_list_grow(l, total) != TSM_OK) status = tsm_out_of_memory(c->ctx);
  for (int64_t i = 0; i < n && a->length && status == TSM_OK; i++)
    status = tsm_list_append_range(c->ctx, l, a, 0, 1, a->length);
  if (status == TSM_OK) return tsm_return_object(c, l);
  tsm_unref(&l->head);
  return status;
}

/* Replaces l[start:stop] by `count` elements of `values` (not l itself). */
static tsm_status replace_range(tsm_opcall *c, tsm_list *l, int64_t start, int64_t stop, const tsm_list *values,
                                int64_t count) {
  int64_t added = count - (stop - start), need;
  tsm_status status = tsm_charge_work(c->ctx, count + stop - start, TSM_COST_ITEM);
  if (status == TSM_OK && added) status = charge_shift(c->ctx, l, l->length - stop);
  if (status != TSM_OK) return status;
  if (tsm_add_overflows(l->length, added, &need) || (added > 0 && tsm_list_extend_room(l, need, need > l->capacity ? need / 8 : 0) != TSM_OK))
    return tsm_out_of_memory(c->ctx);
  for (int64_t i = start; i < stop; i++) tsm_pair_unref(tsm_list_peek(l, i));
  shift(l, stop, added);
  size_t size = tsm_layout_size(layout_of(l));
  if (count) memcpy((char *)l->as.any + (size_t)start * size, values->as.any, (size_t)count * size);
  for (int64_t i = start; i < start + count; i++) tsm_pair_ref(tsm_list_peek(l, i));
  return TSM_OK;
}

static tsm_status assign_slice(tsm_opcall *c, tsm_list *l, tsm_slice s, const tsm_list *values) {
  bool is_empty = s.step < 0 ? s.start < s.stop : s.start > s.stop;
  if (is_empty) s.stop = s.start;
  if (s.step == 1) return replace_range(c, l, s.start, s.stop, values, values->length);
  if (values->length != s.count)
    return tsm_raise(c->ctx, "ValueError", "attempt to assign sequence of size %lld to extended slice of size %lld",
                     (long long)values->length, (long long)s.count);
  tsm_status status = tsm_charge_work(c->ctx, s.count, TSM_COST_ITEM);
  for (int64_t i = 0; i < s.count && status == TSM_OK; i++) {
    tsm_slot slots[2];
    tsm_list_load(values, i, slots);
    tsm_list_store(l, s.start + i * s.step, slots);
  }
  return status;
}

tsm_status tsm_k_list_setslice(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  const tsm_list *values = tsm_arg_list(c, 4);
  tsm_slice s;
  tsm_status status = tsm_slice_read(c, 1, l->length, &s);
  if (status != TSM_OK) return status;
  if (values != l && values->head.layout == l->head.layout) return assign_slice(c, l, s, values);
  tsm_list *copy = tsm_list_make(c->ctx->heap, layout_of(l), NULL, 0); /* REF and I64 copies need no type */
  if (!copy) return tsm_out_of_memory(c->ctx);
  status = tsm_list_append_range(c->ctx, copy, values, 0, 1, values->length);
  if (status == TSM_OK) status = assign_slice(c, l, s, copy);
  tsm_unref(&copy->head);
  return status;
}

tsm_status tsm_k_list_delslice(tsm_opcall *c) {
  tsm_list *l = tsm_arg_list(c, 0);
  tsm_slice s;
  tsm_status status = tsm_slice_read(c, 1, l->length, &s);
  if (status == TSM_OK) status = tsm_charge_work(c->ctx, s.count, 2 * TSM_COST_ITEM);
  if (status == TSM_OK && s.count) status = charge_shift(c->ctx, l, l->length);
  if (status != TSM_OK || !s.count) return status;
  if (s.step < 0) {
    s.start += (s.count - 1) * s.step;
    s.step = -s.step;
  }
  size_t size = tsm_layout_size(layout_of(l));
  char *bytes = l->as.any;
  int64_t kept = s.start, next = s.start;
  for (int64_t i = 0; i < s.count; i++) {
    tsm_pair_unref(tsm_list_peek(l, next));
    int64_t from = next + 1, to = i + 1 < s.count ? next + s.step : l->length;
    memmove(bytes + (size_t)kept * size, bytes + (size_t)from * size, (size_t)(to - from) * size);
    kept += to - from;
    next = to;
  }
  l->length = kept;
  return TSM_OK;
}
