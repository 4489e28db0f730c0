/* set_ops.c - kernels of sets: dicts without values. Results keep the order of the first operand, then of the second
 * (D7); what only reads a set (len, in, iteration, copies) is in dict_ops.c. */
#include "containers.h"

static tsm_pair item_of(const tsm_opcall *c) {
  const tsm_dict *s = tsm_arg_dict(c, 0);
  return tsm_arg_element(c, 1, (tsm_layout)s->head.layout, tsm_object_member_type(&s->head, 0));
}

/* Adds an item, with counts of its own. */
static tsm_status add(const tsm_opcall *c, tsm_dict *s, tsm_pair item) {
  tsm_pair none = {TSM_NONE, {0}};
  tsm_pair_ref(item);
  return tsm_dict_put(c->ctx, s, item, none) == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
}

tsm_status tsm_k_set_add(tsm_opcall *c) {
  tsm_status status = tsm_check_hashable(c->ctx, item_of(c));
  return status == TSM_OK ? add(c, tsm_arg_dict(c, 0), item_of(c)) : status;
}

static tsm_status take_out(tsm_opcall *c, bool *out_found) {
  tsm_status status = tsm_check_hashable(c->ctx, item_of(c));
  if (status != TSM_OK) return status;
  *out_found = tsm_dict_delete(c->ctx, tsm_arg_dict(c, 0), item_of(c));
  return TSM_OK;
}

tsm_status tsm_k_set_discard(tsm_opcall *c) {
  bool is_found;
  return take_out(c, &is_found);
}

tsm_status tsm_k_set_remove(tsm_opcall *c) {
  bool is_found;
  tsm_status status = take_out(c, &is_found);
  if (status != TSM_OK || is_found) return status;
  return tsm_raise_key(c->ctx, item_of(c));
}

tsm_status tsm_k_set_pop(tsm_opcall *c) {
  tsm_dict *s = tsm_arg_dict(c, 0);
  int64_t position = 0;
  tsm_dict_entry *e = tsm_dict_pass(c->ctx, s, &position);
  if (!e) return tsm_raise_key_text(c->ctx, "pop from an empty set");
  tsm_pair item = e->key;
  tsm_layout layout = (tsm_layout)s->head.layout;
  tsm_pair_ref(item);
  tsm_dict_drop(c->ctx, s, e);
  return tsm_return_value(c, layout, item);
}

/* ---- From other containers */

static tsm_dict *result_set(const tsm_opcall *c, tsm_layout layout) {
  const tsm_type *type = tsm_result_type(c, 0);
  if (type && type->kind == TSM_T_SET && type->count) layout = (tsm_layout)type->members[0]->layout;
  tsm_dict *s = tsm_dict_make(c->ctx->heap, TSM_SET, layout, TSM_L_I64, type);
  if (!s) tsm_out_of_memory(c->ctx);
  return s;
}

static tsm_status finish(tsm_opcall *c, tsm_dict *s, tsm_status status) {
  if (status == TSM_OK) return tsm_return_object(c, s);
  tsm_unref(&s->head);
  return status;
}

static tsm_status add_all(tsm_opcall *c, tsm_dict *s, const tsm_dict *from) {
  int64_t position = 0;
  tsm_status status = TSM_OK;
  if (s == from) return status;
  if (!s->length && from->head.flags & TSM_OBJ_HASHED) return tsm_copy_hashed(c, s, from);
  for (tsm_dict_entry *e; status == TSM_OK && (e = tsm_dict_pass(c->ctx, from, &position));)
    if ((status = tsm_charge_elements(c->ctx, TSM_COST_ENTRY)) == TSM_OK) status = add(c, s, e->key);
  return status;
}

tsm_status tsm_k_frozenset_of_set(tsm_opcall *c) {
  const tsm_dict *from = tsm_arg_dict(c, 0);
  const tsm_type *type = tsm_result_type(c, 0);
  tsm_dict *s = tsm_dict_make(c->ctx->heap, TSM_FROZENSET, (tsm_layout)from->head.layout, TSM_L_I64, type);
  return s ? finish(c, s, add_all(c, s, from)) : tsm_out_of_memory(c->ctx);
}

/* The same object: what takes the result does not write it. */
tsm_status tsm_k_set_of_frozenset(tsm_opcall *c) {
  tsm_ref(&tsm_arg_dict(c, 0)->head);
  return tsm_return_object(c, tsm_arg_dict(c, 0));
}

tsm_status tsm_k_set_from_list(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 0);
  tsm_dict *s = result_set(c, (tsm_layout)l->head.layout);
  if (!s) return c->ctx->status;
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < l->length && status == TSM_OK; i++) {
    tsm_pair item = tsm_list_peek(l, i);
    status = tsm_charge_elements(c->ctx, TSM_COST_ENTRY);
    if (status == TSM_OK) status = tsm_check_hashable(c->ctx, item);
    if (status == TSM_OK) status = add(c, s, item);
  }
  return finish(c, s, status);
}


/* ---- Two sets */

/* Adds the items of `from` of which `is_in` tells whether they are in `other`. */
static tsm_status add_where(tsm_opcall *c, tsm_dict *s, const tsm_dict *from, const tsm_dict *other, bool is_in) {
  int64_t position = 0;
  tsm_status status = TSM_OK;
  for (tsm_dict_entry *e; status == TSM_OK && (e = tsm_dict_pass(c->ctx, from, &position));) {
    status = tsm_charge_elements(c->ctx, TSM_COST_ENTRY);
    bool is_there = status == TSM_OK && tsm_dict_find(c->ctx, other, e->key);
    if (status == TSM_OK && is_there == is_in) status = add(c, s, e->key);
  }
  return status;
}

typedef enum operation { UNION, INTERSECTION, DIFFERENCE, EITHER } operation;

/* The set that the operation makes of arguments 0 and 1, as a new object; NULL: error raised. */
static tsm_dict *combine(tsm_opcall *c, operation what) {
  const tsm_dict *a = tsm_arg_dict(c, 0), *b = tsm_arg_dict(c, 1);
  tsm_dict *s = result_set(c, (tsm_layout)a->head.layout);
  if (!s) return NULL;
  tsm_status status;
  if (what == UNION) {
    status = add_all(c, s, a);
    if (status == TSM_OK) status = add_all(c, s, b);
  } else {
    status = add_where(c, s, a, b, what == INTERSECTION);
    if (what == EITHER && status == TSM_OK) status = add_where(c, s, b, a, false);
  }
  if (status == TSM_OK) return s;
  tsm_unref(&s->head);
  return NULL;
}

static tsm_status return_combined(tsm_opcall *c, operation what) {
  tsm_dict *s = combine(c, what);
  return s ? tsm_return_object(c, s) : c->ctx->status;
}

tsm_status tsm_k_set_or(tsm_opcall *c) { return return_combined(c, UNION); }
tsm_status tsm_k_set_and(tsm_opcall *c) { return return_combined(c, INTERSECTION); }
tsm_status tsm_k_set_sub(tsm_opcall *c) { return return_combined(c, DIFFERENCE); }
tsm_status tsm_k_set_xor(tsm_opcall *c) { return return_combined(c, EITHER); }

tsm_status tsm_k_set_update(tsm_opcall *c) { return add_all(c, tsm_arg_dict(c, 0), tsm_arg_dict(c, 1)); }

/* Argument 0 becomes what the operation makes of it. */
static tsm_status replace(tsm_opcall *c, operation what) {
  tsm_dict *self = tsm_arg_dict(c, 0), *s = combine(c, what);
  if (!s) return c->ctx->status;
  tsm_dict_empty(self);
  tsm_status status = add_all(c, self, s);
  tsm_unref(&s->head);
  return status;
}

tsm_status tsm_k_set_intersection_update(tsm_opcall *c) { return replace(c, INTERSECTION); }
tsm_status tsm_k_set_difference_update(tsm_opcall *c) { return replace(c, DIFFERENCE); }
tsm_status tsm_k_set_symmetric_difference_update(tsm_opcall *c) { return replace(c, EITHER); }

/* ---- Relations */

/* Whether every item of argument `a` is (or with is_in false: is not) in argument `b`. */
static tsm_status compare(tsm_opcall *c, size_t a, size_t b, bool is_in, bool *out) {
  const tsm_dict *left = tsm_arg_dict(c, a), *right = tsm_arg_dict(c, b);
  int64_t position = 0;
  *out = true;
  tsm_status status = TSM_OK;
  for (tsm_dict_entry *e; *out && status == TSM_OK && (e = tsm_dict_pass(c->ctx, left, &position));) {
    status = tsm_charge_elements(c->ctx, TSM_COST_ENTRY);
    *out = (tsm_dict_find(c->ctx, right, e->key) != NULL) == is_in;
  }
  return status;
}

#define RELATION(name, a, b, is_in, more)                                                     \
  tsm_status tsm_k_set_##name(tsm_opcall *c) {                                                \
    const tsm_dict *x = tsm_arg_dict(c, a), *y = tsm_arg_dict(c, b);                          \
    bool is_true;                                                                             \
    tsm_status status = compare(c, a, b, is_in, &is_true);                                    \
    return status == TSM_OK ? tsm_return_bool(c, is_true && (more)) : status;                 \
  }
RELATION(le, 0, 1, true, x->length <= y->length)
RELATION(lt, 0, 1, true, x->length < y->length)
RELATION(ge, 1, 0, true, x->length <= y->length)
RELATION(gt, 1, 0, true, x->length < y->length)
RELATION(isdisjoint, 0, 1, false, x != y || !x->length)
