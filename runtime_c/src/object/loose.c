/* loose.c - lists, dicts and sets that only places of type Any hold: what they hold may be of other types later.
 * In: values that become an Any, with the type they had; types that loose ones are taken for.
 * Out: the flag TSM_OBJ_LOOSE, and layouts that fit a new type.
 * Holds: no reference of a static type leads to a loose object: it had one reference when it became an Any, and
 * tsm_object_fasten comes before a static type describes it again. */
#include "type.h"

bool tsm_type_can_loosen(const tsm_type *type) {
  switch (type->kind) {
    case TSM_T_LIST: /* without a type, whole numbers are ints */
      return !type->dict_class && (type->members[0]->layout != TSM_L_I64 || type->members[0]->kind == TSM_T_INT);
    case TSM_T_DICT: case TSM_T_SET: return !type->dict_class;
    case TSM_T_OPTIONAL: case TSM_T_UNION: case TSM_T_TUPLE:
      for (uint32_t i = 0; i < type->count; i++)
        if (tsm_type_can_loosen(type->members[i])) return true;
      return false;
    default: return false;
  }
}

static void loosen_items(const tsm_type *type, const tsm_object *o) {
  const tsm_type *inner = type->members[o->kind == TSM_DICT];
  if (o->kind == TSM_SET || !tsm_type_can_loosen(inner)) return;
  if (o->kind == TSM_LIST) {
    const tsm_list *l = (const tsm_list *)o;
    for (int64_t i = 0; i < l->length; i++) tsm_pair_loosen(inner, tsm_list_peek(l, i));
    return;
  }
  int64_t position = 0;
  for (tsm_dict_entry *e; (e = tsm_dict_walk((const tsm_dict *)o, &position));) tsm_pair_loosen(inner, e->value);
}

void tsm_pair_loosen(const tsm_type *type, tsm_pair pair) {
  tsm_object *o = tsm_tag_is_ref(pair.tag) ? pair.as.ref : NULL;
  if (!o || atomic_load_explicit(&o->refs, memory_order_relaxed) != 1) return;
  if (o->kind == TSM_TUPLE && type->kind == TSM_T_TUPLE) {
    const tsm_tuple *t = (const tsm_tuple *)o;
    for (int64_t i = 0; i < t->length; i++) tsm_pair_loosen(type->members[type->is_variadic ? 0 : i], t->items[i]);
  }
  bool is_mutable = o->kind == TSM_LIST || o->kind == TSM_DICT || o->kind == TSM_SET;
  if (!is_mutable || !o->type || !tsm_type_can_loosen(o->type)) return;
  o->flags |= TSM_OBJ_LOOSE;
  loosen_items(o->type, o);
}

tsm_status tsm_object_fasten(tsm_object *o, const tsm_type *type) {
  if (o->kind == TSM_LIST) {
    tsm_status status = tsm_list_relayout((tsm_list *)o, (tsm_layout)type->members[0]->layout);
    if (status != TSM_OK) return status;
  } else {
    o->layout = type->members[0]->layout;
    if (o->kind == TSM_DICT) o->layout2 = type->members[1]->layout;
  }
  if (o->flags & TSM_OBJ_LOOSE) o->type = type;
  o->flags &= (uint8_t)~TSM_OBJ_LOOSE;
  return TSM_OK;
}

bool tsm_pair_is_open(tsm_pair pair) {
  if (pair.tag != TSM_LIST && pair.tag != TSM_DICT) return false;
  return pair.as.ref && (!pair.as.ref->type || (pair.as.ref->flags & TSM_OBJ_LOOSE));
}
