/* dict_ops.c - kernels of dicts, and those of sets that only read one. Keys and values are stored tagged; registers of type k and v have the layouts that
 * the dict's header names. */
#include "containers.h"

static tsm_pair key_of(const tsm_opcall *c, const tsm_dict *d, size_t i) {
  return tsm_arg_element(c, i, (tsm_layout)d->head.layout, tsm_object_member_type(&d->head, 0));
}

static tsm_pair value_of(const tsm_opcall *c, const tsm_dict *d, size_t i) {
  return tsm_arg_element(c, i, (tsm_layout)d->head.layout2, tsm_object_member_type(&d->head, 1));
}

static tsm_status return_counted(const tsm_opcall *c, uint8_t layout, tsm_pair p) {
  tsm_pair_ref(p);
  return tsm_return_value(c, (tsm_layout)layout, p);
}

tsm_status tsm_k_dict_len(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_dict(c, 0)->length); }

/* The entry of the key in argument 1, NULL if absent; raises for a key that is not hashable. */
static tsm_status find(const tsm_opcall *c, tsm_dict_entry **out) {
  const tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_pair key = key_of(c, d, 1);
  tsm_status status = tsm_check_hashable(c->ctx, key);
  *out = status == TSM_OK ? tsm_dict_find(c->ctx, d, key) : NULL;
  return tsm_has_stopped(c->ctx) ? c->ctx->status : status;
}

static tsm_status key_error(const tsm_opcall *c) { return tsm_raise_key(c->ctx, key_of(c, tsm_arg_dict(c, 0), 1)); }

tsm_status tsm_copy_hashed(const tsm_opcall *c, tsm_dict *d, const tsm_dict *other) {
  int64_t position = 0;
  d->head.flags |= TSM_OBJ_HASHED;
  for (tsm_dict_entry *e; (e = tsm_dict_pass(c->ctx, other, &position));) {
    tsm_status status = tsm_charge_elements(c->ctx, TSM_COST_ENTRY);
    if (status != TSM_OK) return status;
    tsm_pair_ref(e->key);
    tsm_pair_ref(e->value);
    if (tsm_dict_append(c->ctx, d, e->hash, e->key, e->value) != TSM_OK) return tsm_out_of_memory(c->ctx);
  }
  return TSM_OK;
}

/* Adds or replaces an entry; keeps counts of its own. */
static tsm_status put(const tsm_opcall *c, tsm_dict *d, tsm_pair key, tsm_pair value) {
  tsm_pair_ref(key);
  tsm_pair_ref(value);
  return tsm_dict_put(c->ctx, d, key, value) == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
}

tsm_status tsm_k_dict_getitem(tsm_opcall *c) {
  tsm_dict_entry *e;
  tsm_status status = find(c, &e);
  if (status != TSM_OK) return status;
  return e ? return_counted(c, tsm_arg_dict(c, 0)->head.layout2, e->value) : key_error(c);
}

tsm_status tsm_k_dict_setitem(tsm_opcall *c) {
  tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_pair key = key_of(c, d, 1);
  tsm_status status = tsm_check_hashable(c->ctx, key);
  return status == TSM_OK ? put(c, d, key, value_of(c, d, 2)) : status;
}

tsm_status tsm_k_dict_delitem(tsm_opcall *c) {
  tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_pair key = key_of(c, d, 1);
  tsm_status status = tsm_check_hashable(c->ctx, key);
  if (status != TSM_OK) return status;
  return tsm_dict_delete(c->ctx, d, key) ? TSM_OK : key_error(c);
}

tsm_status tsm_k_dict_contains(tsm_opcall *c) {
  tsm_dict_entry *e;
  tsm_status status = find(c, &e);
  return status == TSM_OK ? tsm_return_bool(c, e != NULL) : status;
}

tsm_status tsm_k_dict_get(tsm_opcall *c) {
  tsm_dict_entry *e;
  tsm_status status = find(c, &e);
  if (status != TSM_OK) return status;
  tsm_pair none = {TSM_NONE, {0}};
  bool is_ref = tsm_arg_dict(c, 0)->head.layout2 == TSM_L_REF; /* Optional of a reference stays one */
  return return_counted(c, is_ref ? TSM_L_REF : TSM_L_PAIR, e ? e->value : none);
}

tsm_status tsm_k_dict_get_default(tsm_opcall *c) {
  tsm_dict_entry *e;
  const tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_status status = find(c, &e);
  if (status != TSM_OK) return status;
  return return_counted(c, d->head.layout2, e ? e->value : value_of(c, d, 2));
}

tsm_status tsm_k_dict_setdefault(tsm_opcall *c) {
  tsm_dict_entry *e;
  tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_status status = find(c, &e);
  if (status != TSM_OK) return status;
  tsm_pair value = e ? e->value : value_of(c, d, 2);
  if (!e) status = put(c, d, key_of(c, d, 1), value);
  return status == TSM_OK ? return_counted(c, d->head.layout2, value) : status;
}

static tsm_status pop(tsm_opcall *c, bool has_default) {
  tsm_dict_entry *e = NULL;
  tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_status status = d->length ? find(c, &e) : TSM_OK; /* an empty dict does not hash its key */
  if (status != TSM_OK) return status;
  if (!e) return has_default ? return_counted(c, d->head.layout2, value_of(c, d, 2)) : key_error(c);
  tsm_pair value = e->value;
  tsm_layout layout = (tsm_layout)d->head.layout2;
  tsm_pair_ref(value);
  tsm_dict_drop(c->ctx, d, e);
  return tsm_return_value(c, layout, value);
}

tsm_status tsm_k_dict_pop(tsm_opcall *c) { return pop(c, false); }
tsm_status tsm_k_dict_pop_default(tsm_opcall *c) { return pop(c, true); }

static tsm_status put_all(const tsm_opcall *c, tsm_dict *d, const tsm_dict *other) {
  int64_t position = 0;
  tsm_status status = TSM_OK;
  if (d == other) return status;
  if (!d->length && other->head.flags & TSM_OBJ_HASHED) return tsm_copy_hashed(c, d, other);
  for (tsm_dict_entry *e; status == TSM_OK && (e = tsm_dict_pass(c->ctx, other, &position));)
    if ((status = tsm_charge_elements(c->ctx, TSM_COST_ENTRY)) == TSM_OK) status = put(c, d, e->key, e->value);
  return status;
}

/* An empty dict takes the places of one without holes that fills its table, as CPython's does: a running loop over it
 * meets the new entries where those of the other lie. */
tsm_status tsm_k_dict_update(tsm_opcall *c) {
  enum { SMALLEST = 5 };
  tsm_dict *d = tsm_arg_dict(c, 0);
  const tsm_dict *other = tsm_arg_dict(c, 1);
  bool is_full = other->capacity <= SMALLEST || other->capacity / 2 < other->length;
  if (!d->length && other->length && other->used == other->length && is_full) tsm_dict_empty(d);
  return put_all(c, d, other);
}

tsm_status tsm_k_dict_clear(tsm_opcall *c) {
  tsm_dict_empty(tsm_arg_dict(c, 0));
  return TSM_OK;
}

tsm_status tsm_k_dict_copy(tsm_opcall *c) {
  const tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_dict *copy = tsm_dict_make(c->ctx->heap, (tsm_kind)d->head.kind, (tsm_layout)d->head.layout,
                                 (tsm_layout)d->head.layout2, tsm_result_type(c, 0));
  if (!copy) return tsm_out_of_memory(c->ctx);
  tsm_status status = put_all(c, copy, d);
  if (status == TSM_OK) return tsm_return_object(c, copy);
  tsm_unref(&copy->head);
  return status;
}

tsm_status tsm_k_dict_or(tsm_opcall *c) {
  const tsm_dict *a = tsm_arg_dict(c, 0);
  tsm_dict *made = tsm_dict_make(c->ctx->heap, TSM_DICT, (tsm_layout)a->head.layout, (tsm_layout)a->head.layout2,
                                 tsm_result_type(c, 0));
  if (!made) return tsm_out_of_memory(c->ctx);
  tsm_status status = put_all(c, made, a);
  if (status == TSM_OK) status = put_all(c, made, tsm_arg_dict(c, 1));
  if (status == TSM_OK) return tsm_return_object(c, made);
  tsm_unref(&made->head);
  return status;
}

tsm_status tsm_k_dict_move_to_end(tsm_opcall *c) {
  tsm_dict_entry *e;
  tsm_dict *d = tsm_arg_dict(c, 0);
  bool is_last = tsm_arg_bool(c, 2);
  tsm_status status = find(c, &e);
  if (status != TSM_OK) return status;
  if (!e) return key_error(c);
  if (!is_last) status = tsm_charge_work(c->ctx, d->used, TSM_COST_ENTRY);
  if (status != TSM_OK) return status;
  return tsm_dict_move(c->ctx, d, e, is_last) == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
}

tsm_status tsm_k_dict_version(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_dict(c, 0)->version); }

/* Puts a value, whose count the caller owns, into a result of this layout. */
static void return_part(const tsm_opcall *c, size_t result, uint8_t layout, tsm_pair value) {
  tsm_slot *slot = tsm_result(c, result), old[2] = {slot[0], slot[0]};
  if (layout == TSM_L_PAIR) old[1] = slot[1];
  tsm_pair_to_slot((tsm_layout)layout, value, slot);
  tsm_slot_unref((tsm_layout)layout, old);
}

tsm_status tsm_k_dict_popitem(tsm_opcall *c) {
  tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_dict_entry *e = tsm_dict_last(d);
  if (!e) return tsm_raise_key_text(c->ctx, "popitem(): dictionary is empty");
  tsm_pair key = e->key, value = e->value;
  uint8_t layouts[2] = {d->head.layout, d->head.layout2};
  tsm_pair_ref(key);
  tsm_pair_ref(value);
  tsm_dict_drop(c->ctx, d, e);
  d->used--; /* the next one takes its place, as in CPython: a running loop does not meet it */
  if (d->first > d->used) d->first = d->used;
  return_part(c, 0, layouts[0], key);
  return_part(c, 1, layouts[1], value);
  return TSM_OK;
}

tsm_status tsm_k_dict_fromkeys(tsm_opcall *c) {
  const tsm_list *keys = tsm_arg_list(c, 0);
  const tsm_type *type = tsm_result_type(c, 0);
  tsm_layout layout = type ? (tsm_layout)type->members[1]->layout : TSM_L_PAIR;
  tsm_dict *d = tsm_dict_make(c->ctx->heap, TSM_DICT, (tsm_layout)keys->head.layout, layout, type);
  if (!d) return tsm_out_of_memory(c->ctx);
  tsm_pair value = tsm_arg_element(c, 1, layout, type ? type->members[1] : NULL);
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < keys->length && status == TSM_OK; i++) {
    status = tsm_charge_elements(c->ctx, TSM_COST_ENTRY);
    if (status == TSM_OK) status = tsm_check_hashable(c->ctx, tsm_list_peek(keys, i));
    if (status == TSM_OK) status = put(c, d, tsm_list_peek(keys, i), value);
  }
  if (status == TSM_OK) return tsm_return_object(c, d);
  tsm_unref(&d->head);
  return status;
}

/* Appends one value, adding a count. */
static tsm_status append(const tsm_opcall *c, tsm_list *l, tsm_pair p) {
  tsm_slot slots[2];
  tsm_pair_ref(p);
  tsm_pair_to_slot((tsm_layout)l->head.layout, p, slots);
  return tsm_list_push(l, slots) == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
}

static tsm_status append_entry(const tsm_opcall *c, tsm_list *l, const tsm_dict_entry *e) {
  const tsm_type *type = tsm_object_member_type(&l->head, 0);
  tsm_tuple *t = tsm_tuple_make(c->ctx->heap, 2, type);
  if (!t) return tsm_out_of_memory(c->ctx);
  t->items[0] = e->key;
  t->items[1] = e->value;
  tsm_pair_ref(e->key);
  tsm_pair_ref(e->value);
  tsm_slot slot;
  slot.ref = &t->head;
  return tsm_list_push(l, &slot) == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
}

typedef enum listed { KEYS, VALUES, ITEMS } listed;

static tsm_status list_entries(tsm_opcall *c, listed what) {
  const tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_layout layout = what == ITEMS ? TSM_L_REF : (tsm_layout)(what == KEYS ? d->head.layout : d->head.layout2);
  tsm_list *l = tsm_result_list(c, layout, d->length);
  if (!l) return c->ctx->status;
  int64_t position = 0;
  tsm_status status = TSM_OK;
  for (tsm_dict_entry *e; status == TSM_OK && (e = tsm_dict_pass(c->ctx, d, &position));)
    if ((status = tsm_charge_elements(c->ctx, what == ITEMS ? TSM_COST_ENTRY : TSM_COST_ITEM)) == TSM_OK) status = what == ITEMS ? append_entry(c, l, e) : append(c, l, what == KEYS ? e->key : e->value);
  if (status == TSM_OK) return tsm_return_object(c, l);
  tsm_unref(&l->head);
  return status;
}

tsm_status tsm_k_dict_keys(tsm_opcall *c) { return list_entries(c, KEYS); }
tsm_status tsm_k_dict_values(tsm_opcall *c) { return list_entries(c, VALUES); }
tsm_status tsm_k_dict_items(tsm_opcall *c) { return list_entries(c, ITEMS); }

tsm_status tsm_k_dict_next(tsm_opcall *c) {
  const tsm_dict *d = tsm_arg_dict(c, 0);
  int64_t position = tsm_arg_int(c, 1);
  if (d->length != tsm_arg_int(c, 2))
    return tsm_raise(c->ctx, "RuntimeError", "%s changed size during iteration",
                     d->head.kind == TSM_SET ? "Set" : "dictionary");
  const tsm_dict_entry *e = tsm_dict_pass(c->ctx, d, &position);
  return tsm_return_int(c, e ? position - 1 : -1);
}

static tsm_status entry_at(const tsm_opcall *c, const tsm_dict_entry **out) {
  const tsm_dict *d = tsm_arg_dict(c, 0);
  int64_t position = tsm_arg_int(c, 1);
  *out = position >= 0 && position < d->used ? &d->entries[position] : NULL;
  if (*out && (*out)->is_live) return TSM_OK;
  return tsm_raise(c->ctx, "RuntimeError", "dictionary keys changed during iteration");
}

tsm_status tsm_k_dict_key_at(tsm_opcall *c) {
  const tsm_dict_entry *e;
  tsm_status status = entry_at(c, &e);
  return status == TSM_OK ? return_counted(c, tsm_arg_dict(c, 0)->head.layout, e->key) : status;
}

tsm_status tsm_k_dict_value_at(tsm_opcall *c) {
  const tsm_dict_entry *e;
  tsm_status status = entry_at(c, &e);
  return status == TSM_OK ? return_counted(c, tsm_arg_dict(c, 0)->head.layout2, e->value) : status;
}
