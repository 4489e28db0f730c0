/* list_search.c - kernels that look at every element of a list: in, index, count, remove, min, max, sum, any, all. */
#include "op/scalar.h"
#include "containers.h"

enum { STRETCH = 1 << 14 };

/* The same for elements that are untagged ints (or alike) or floats, as the item is then. */
static tsm_status find_number(tsm_opcall *c, const tsm_list *l, tsm_pair item, int64_t from, int64_t *out_index) {
  int64_t i = from;
  for (int64_t end; i < l->length; ) {
    int64_t room = l->length - i < STRETCH ? l->length - i : STRETCH;
    end = i + room;
    int64_t start = i;
    if (l->head.layout == TSM_L_I64)
      while (i < end && l->as.i64[i] != item.as.i) i++;
    else
      while (i < end && l->as.f64[i] != item.as.f) i++;
    tsm_status status = tsm_charge_work(c->ctx, i - start + 1, 2);
    if (status != TSM_OK) return status;
    if (i < end) break;
  }
  *out_index = i < l->length ? i : -1;
  return TSM_OK;
}

/* Position of the first element from `from` on that equals the item in argument 1, or -1. */
static tsm_status find_from(tsm_opcall *c, int64_t from, int64_t *out_index) {
  const tsm_list *l = tsm_arg_list(c, 0);
  tsm_pair item = tsm_arg_element(c, 1, (tsm_layout)l->head.layout, tsm_object_member_type(&l->head, 0));
  *out_index = -1;
  if (l->head.layout == TSM_L_I64 || l->head.layout == TSM_L_F64) return find_number(c, l, item, from, out_index);
  for (int64_t i = from; i < l->length; i++) {
    bool is_equal;
    tsm_status status = tsm_charge_elements(c->ctx, TSM_COST_ITEM);
    if (status == TSM_OK) status = tsm_pair_equal(c->ctx, tsm_list_peek(l, i), item, &is_equal);
    if (status != TSM_OK) return status;
    if (!is_equal) continue;
    *out_index = i;
    break;
  }
  return TSM_OK;
}

tsm_status tsm_k_list_contains(tsm_opcall *c) {
  int64_t index;
  tsm_status status = find_from(c, 0, &index);
  return status == TSM_OK ? tsm_return_bool(c, index >= 0) : status;
}

tsm_status tsm_k_list_index(tsm_opcall *c) {
  int64_t index;
  tsm_status status = find_from(c, 0, &index);
  if (status != TSM_OK) return status;
  if (index >= 0) return tsm_return_int(c, index);
  const tsm_list *l = tsm_arg_list(c, 0);
  tsm_pair item = tsm_arg_element(c, 1, (tsm_layout)l->head.layout, tsm_object_member_type(&l->head, 0));
  return tsm_raise_about(c->ctx, "ValueError", "", item, " is not in list");
}

tsm_status tsm_k_list_count(tsm_opcall *c) {
  int64_t index = -1, count = 0;
  for (;;) {
    tsm_status status = find_from(c, index + 1, &index);
    if (status != TSM_OK) return status;
    if (index < 0) return tsm_return_int(c, count);
    if ((status = tsm_charge_elements(c->ctx, TSM_COST_ITEM))) return status;
    count++;
  }
}

tsm_status tsm_k_list_remove(tsm_opcall *c) {
  int64_t index;
  tsm_list *l = tsm_arg_list(c, 0);
  tsm_status status = find_from(c, 0, &index);
  if (status == TSM_OK && index >= 0) status = tsm_charge_work(c->ctx, l->length - index, 4);
  if (status != TSM_OK) return status;
  if (index < 0) return tsm_raise(c->ctx, "ValueError", "list.remove(x): x not in list");
  tsm_pair old = tsm_list_peek(l, index);
  size_t size = tsm_layout_size((tsm_layout)l->head.layout);
  char *at = (char *)l->as.any + (size_t)index * size;
  memmove(at, at + size, (size_t)(l->length - index - 1) * size);
  l->length--;
  tsm_pair_unref(old);
  return TSM_OK;
}

enum { NUMBER = 4 }; /* what one costs, compared or added */

static tsm_status extreme(tsm_opcall *c, bool is_max) {
  const tsm_list *l = tsm_arg_list(c, 0);
  if (!l->length) return tsm_raise(c->ctx, "ValueError", "%s() arg is an empty sequence", is_max ? "max" : "min");
  if (l->head.layout == TSM_L_F64) {
    double best = l->as.f64[0];
    for (int64_t at = 0, end; at < l->length; at = end) {
      if ((end = tsm_stretch(c->ctx, at, l->length, NUMBER)) < 0) return c->ctx->status;
      for (int64_t i = at; i < end; i++)
        best = is_max ? tsm_float_max(best, l->as.f64[i]) : tsm_float_min(best, l->as.f64[i]);
    }
    return tsm_return_float(c, best);
  }
  int64_t best = l->as.i64[0];
  for (int64_t at = 0, end; at < l->length; at = end) {
    if ((end = tsm_stretch(c->ctx, at, l->length, NUMBER)) < 0) return c->ctx->status;
    for (int64_t i = at; i < end; i++)
      best = is_max ? tsm_int_max(best, l->as.i64[i]) : tsm_int_min(best, l->as.i64[i]);
  }
  return tsm_return_int(c, best);
}

tsm_status tsm_k_min_list(tsm_opcall *c) { return extreme(c, false); }
tsm_status tsm_k_max_list(tsm_opcall *c) { return extreme(c, true); }

tsm_status tsm_k_sum_ints(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  int64_t sum = tsm_arg_int(c, 1);
  for (int64_t at = 0, end; at < l->length; at = end) {
    if ((end = tsm_stretch(c->ctx, at, l->length, NUMBER)) < 0) return c->ctx->status;
    for (int64_t i = at; i < end; i++)
      if (tsm_int_add(sum, l->as.i64[i], &sum) != TSM_FAULT_NONE)
        return tsm_raise_fault(c->ctx, TSM_FAULT_INT_OVERFLOW, "sum()");
  }
  return tsm_return_int(c, sum);
}

tsm_status tsm_k_sum_floats(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  double sum = tsm_arg_float(c, 1);
  for (int64_t at = 0, end; at < l->length; at = end) {
    if ((end = tsm_stretch(c->ctx, at, l->length, NUMBER)) < 0) return c->ctx->status;
    for (int64_t i = at; i < end; i++) sum += l->as.f64[i];
  }
  return tsm_return_float(c, sum);
}

tsm_status tsm_k_any_list(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  tsm_status status = tsm_charge_elements(c->ctx, l->length);
  return status ? status : tsm_return_bool(c, l->length && memchr(l->as.u8, 1, (size_t)l->length));
}

tsm_status tsm_k_all_list(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  tsm_status status = tsm_charge_elements(c->ctx, l->length);
  return status ? status : tsm_return_bool(c, !l->length || !memchr(l->as.u8, 0, (size_t)l->length));
}

tsm_status tsm_k_range_length(tsm_opcall *c) {
  int64_t length = 0;
  if (tsm_arg_int(c, 2) == 0) return tsm_raise(c->ctx, "ValueError", "range() arg 3 must not be zero");
  tsm_fault fault = tsm_range_length(tsm_arg_int(c, 0), tsm_arg_int(c, 1), tsm_arg_int(c, 2), &length);
  if (fault != TSM_FAULT_NONE) return tsm_raise_fault(c->ctx, fault, "len()");
  return tsm_return_int(c, length);
}

tsm_status tsm_k_range_list(tsm_opcall *c) {
  int64_t start = tsm_arg_int(c, 0), step = tsm_arg_int(c, 2), length = 0;
  if (step == 0) return tsm_raise(c->ctx, "ValueError", "range() arg 3 must not be zero");
  if (tsm_range_length(start, tsm_arg_int(c, 1), step, &length) != TSM_FAULT_NONE) return tsm_out_of_memory(c->ctx);
  tsm_list *l = tsm_result_list(c, TSM_L_I64, length);
  if (!l) return c->ctx->status;
  for (int64_t at = 0, end; at < length; at = end) {
    if ((end = tsm_stretch(c->ctx, at, length, NUMBER)) < 0) {
      tsm_unref(&l->head);
      return c->ctx->status;
    }
    for (int64_t i = at; i < end; i++) l->as.i64[i] = (int64_t)((uint64_t)start + (uint64_t)i * (uint64_t)step);
    l->length = end;
  }
  return tsm_return_object(c, l);
}
