/* hostcontainer.c - lists, dicts and sets as the host makes, reads and changes them.
 * In: tagged values. Out: elements with a count of their own.
 * Holds: what is put into a program's container fits its type; a host's container takes the kind it was made for. */
#include "hostvalue.h"
#include "object/type.h"

/* Element layout for a kind the host names. */
static bool layout_for(tsm_kind kind, tsm_layout *out) {
  switch (kind) {
    case TSM_INT: *out = TSM_L_I64; return true;
    case TSM_FLOAT: *out = TSM_L_F64; return true;
    case TSM_BOOL: *out = TSM_L_U8; return true;
    case TSM_ANY: case TSM_NONE: case TSM_DTYPE: case TSM_DEVICE: case TSM_ENUM: *out = TSM_L_PAIR; return true;
    default: *out = TSM_L_REF; return kind >= TSM_FIRST_REF && kind <= TSM_FROZENSET;
  }
}

static tsm_list *list_of(tsm_value value) { return value.kind == TSM_LIST ? (tsm_list *)value.as.ref : NULL; }

tsm_status tsm_list_new(tsm_runtime *runtime, tsm_kind element, size_t reserve, tsm_value *out_value) {
  tsm_layout layout;
  *out_value = tsm_none();
  if (!layout_for(element, &layout)) return TSM_ERR_ARGUMENT;
  if (reserve > PTRDIFF_MAX) return TSM_ERR_MEMORY;
  tsm_list *l = tsm_list_make(runtime->shared, layout, NULL, (int64_t)reserve);
  if (l) l->head.layout2 = layout == TSM_L_REF ? (uint8_t)element : 0;
  return tsm_give_object(l, out_value);
}

size_t tsm_list_length(tsm_value list) {
  const tsm_list *l = list_of(list);
  return l ? (size_t)l->length : 0;
}

tsm_status tsm_list_get(tsm_value list, size_t index, tsm_value *out_value) {
  const tsm_list *l = list_of(list);
  *out_value = tsm_none();
  if (!l) return TSM_ERR_ARGUMENT;
  if (index >= (size_t)l->length) return TSM_ERR_NOT_FOUND;
  return tsm_pair_export(l->head.heap->rt, tsm_list_peek(l, (int64_t)index), out_value);
}

/* The value as slots of the list's layout with a count of their own; false when it does not fit. */
static bool element_slots(const tsm_list *l, tsm_value value, tsm_slot *out_slots) {
  if (!tsm_value_is_whole(value)) return false;
  tsm_pair p = tsm_pair_of_value(value);
  tsm_layout layout = (tsm_layout)l->head.layout;
  if (!tsm_element_fits(NULL, layout, tsm_object_member_type(&l->head, 0), l->head.layout2, p)) return false;
  tsm_pair_ref(p);
  tsm_pair_to_slot(layout, p, out_slots);
  return true;
}

tsm_status tsm_list_set(tsm_value list, size_t index, tsm_value value) {
  tsm_list *l = list_of(list);
  tsm_slot slots[2];
  if (!l) return TSM_ERR_ARGUMENT;
  if (index >= (size_t)l->length) return TSM_ERR_NOT_FOUND;
  if (!element_slots(l, value, slots)) return TSM_ERR_ARGUMENT;
  tsm_list_store(l, (int64_t)index, slots);
  return TSM_OK;
}

size_t tsm_deque_limit(tsm_value deque) {
  const tsm_list *l = list_of(deque);
  if (!l || !l->limit) return SIZE_MAX;
  return l->limit <= PTRDIFF_MAX ? (size_t)l->limit - 1 : PTRDIFF_MAX;
}

tsm_status tsm_deque_set_limit(tsm_value deque, size_t limit) {
  tsm_list *l = list_of(deque);
  if (!l || limit >= PTRDIFF_MAX) return TSM_ERR_ARGUMENT;
  l->limit = (int64_t)limit + 1;
  return TSM_OK;
}

tsm_status tsm_list_append(tsm_value list, tsm_value value) {
  tsm_list *l = list_of(list);
  tsm_slot slots[2];
  if (!l || !element_slots(l, value, slots)) return TSM_ERR_ARGUMENT;
  return tsm_list_push(l, slots);
}

tsm_status tsm_list_resize(tsm_value list, size_t length) {
  tsm_list *l = list_of(list);
  if (!l) return TSM_ERR_ARGUMENT;
  if (length > PTRDIFF_MAX) return TSM_ERR_MEMORY;
  if ((int64_t)length > l->length) {
    tsm_layout layout = (tsm_layout)l->head.layout;
    const tsm_type *type = tsm_object_member_type(&l->head, 0);
    tsm_pair filler;
    static const uint64_t tags[] = {TSM_INT, TSM_FLOAT, TSM_BOOL, TSM_NONE, TSM_NONE}; /* by layout */
    filler.tag = tags[layout];
    filler.as.bits = 0;
    if (!tsm_element_fits(NULL, layout, type, l->head.layout2, filler)) return TSM_ERR_ARGUMENT;
    if (tsm_list_grow(l, (int64_t)length) != TSM_OK) return TSM_ERR_MEMORY;
    size_t size = tsm_layout_size(layout);
    memset((char *)l->as.any + (size_t)l->length * size, 0, (length - (size_t)l->length) * size);
    l->length = (int64_t)length;
  }
  while (l->length > (int64_t)length) tsm_pair_unref(tsm_list_peek(l, --l->length));
  return TSM_OK;
}

static void *elements(tsm_value list, tsm_layout layout) {
  const tsm_list *l = list_of(list);
  if (!l || l->head.layout != layout) return NULL;
  const tsm_type *type = tsm_object_member_type(&l->head, 0);
  return type && layout == TSM_L_I64 && type->kind != TSM_T_INT ? NULL : l->as.any;
}

int64_t *tsm_list_ints(tsm_value list) { return elements(list, TSM_L_I64); }
double *tsm_list_floats(tsm_value list) { return elements(list, TSM_L_F64); }
uint8_t *tsm_list_bools(tsm_value list) { return elements(list, TSM_L_U8); }

static tsm_dict *dict_of(tsm_value value) {
  bool is_dict = value.kind == TSM_DICT || value.kind == TSM_SET || value.kind == TSM_FROZENSET;
  return is_dict ? (tsm_dict *)value.as.ref : NULL;
}

tsm_status tsm_dict_new(tsm_runtime *runtime, tsm_kind key, tsm_kind value, tsm_value *out_value) {
  tsm_layout key_layout, value_layout;
  *out_value = tsm_none();
  if (!layout_for(key, &key_layout) || !layout_for(value, &value_layout)) return TSM_ERR_ARGUMENT;
  return tsm_give_object(tsm_dict_make(runtime->shared, TSM_DICT, key_layout, value_layout, NULL), out_value);
}

tsm_status tsm_set_new(tsm_runtime *runtime, tsm_kind element, tsm_value *out_value) {
  tsm_layout layout;
  *out_value = tsm_none();
  if (!layout_for(element, &layout)) return TSM_ERR_ARGUMENT;
  return tsm_give_object(tsm_dict_make(runtime->shared, TSM_SET, layout, TSM_L_I64, NULL), out_value);
}

size_t tsm_dict_length(tsm_value dict) {
  const tsm_dict *d = dict_of(dict);
  return d ? (size_t)d->length : 0;
}

static bool is_key_fit(const tsm_dict *d, tsm_value key) {
  if (!tsm_value_is_whole(key)) return false;
  tsm_pair p = tsm_pair_of_value(key);
  return tsm_element_fits(NULL, (tsm_layout)d->head.layout, tsm_object_member_type(&d->head, 0), 0, p) &&
         tsm_pair_is_hashable(NULL, p);
}

tsm_status tsm_dict_get(tsm_value dict, tsm_value key, tsm_value *out_value) {
  const tsm_dict *d = dict_of(dict);
  *out_value = tsm_none();
  if (!d || !tsm_value_is_whole(key) || !tsm_pair_is_hashable(NULL, tsm_pair_of_value(key))) return TSM_ERR_ARGUMENT;
  const tsm_dict_entry *e = tsm_dict_find(NULL, d, tsm_pair_of_value(key));
  return e ? tsm_pair_export(d->head.heap->rt, e->value, out_value) : TSM_ERR_NOT_FOUND;
}

tsm_status tsm_dict_set(tsm_value dict, tsm_value key, tsm_value value) {
  tsm_dict *d = dict_of(dict);
  if (!d || d->head.kind != TSM_DICT || !is_key_fit(d, key) || !tsm_value_is_whole(value)) return TSM_ERR_ARGUMENT;
  tsm_pair k = tsm_pair_of_value(key), v = tsm_pair_of_value(value);
  if (!tsm_element_fits(NULL, (tsm_layout)d->head.layout2, tsm_object_member_type(&d->head, 1), 0, v))
    return TSM_ERR_ARGUMENT;
  tsm_pair_ref(k);
  tsm_pair_ref(v);
  return tsm_dict_put(NULL, d, k, v);
}

tsm_status tsm_set_add(tsm_value set, tsm_value item) {
  tsm_dict *d = dict_of(set);
  if (!d || d->head.kind != TSM_SET || !is_key_fit(d, item)) return TSM_ERR_ARGUMENT;
  tsm_pair none = {TSM_NONE, {0}}, p = tsm_pair_of_value(item);
  tsm_pair_ref(p);
  return tsm_dict_put(NULL, d, p, none);
}

tsm_status tsm_set_freeze(tsm_value *set) {
  tsm_dict *d = dict_of(*set);
  if (!d || d->head.kind != TSM_SET || atomic_load_explicit(&d->head.refs, memory_order_relaxed) != 1)
    return TSM_ERR_ARGUMENT;
  if (d->head.type && d->head.type->kind != TSM_T_FROZENSET) return TSM_ERR_ARGUMENT;
  d->head.kind = TSM_FROZENSET;
  set->kind = TSM_FROZENSET;
  return TSM_OK;
}

tsm_status tsm_dict_remove(tsm_value dict, tsm_value key) {
  tsm_dict *d = dict_of(dict);
  if (!d || d->head.kind == TSM_FROZENSET) return TSM_ERR_ARGUMENT;
  if (!tsm_value_is_whole(key) || !tsm_pair_is_hashable(NULL, tsm_pair_of_value(key))) return TSM_ERR_ARGUMENT;
  return tsm_dict_delete(NULL, d, tsm_pair_of_value(key)) ? TSM_OK : TSM_ERR_NOT_FOUND;
}

void tsm_dict_clear(tsm_value dict) {
  tsm_dict *d = dict_of(dict);
  if (d && d->head.kind != TSM_FROZENSET) tsm_dict_empty(d);
}

bool tsm_dict_next(tsm_value dict, size_t *position, tsm_value *out_key, tsm_value *out_value) {
  const tsm_dict *d = dict_of(dict);
  int64_t at = *position <= PTRDIFF_MAX ? (int64_t)*position : PTRDIFF_MAX;
  const tsm_dict_entry *e = d ? tsm_dict_walk(d, &at) : NULL;
  *out_key = *out_value = tsm_none();
  if (!e) return false;
  *position = (size_t)at;
  if (tsm_pair_export(d->head.heap->rt, e->key, out_key) != TSM_OK) return false;
  if (tsm_pair_export(d->head.heap->rt, e->value, out_value) == TSM_OK) return true;
  tsm_release(*out_key);
  *out_key = tsm_none();
  return false;
}
