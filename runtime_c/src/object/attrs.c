/* attrs.c - attributes by dotted path: "layers.0.weight" goes through instances, lists, tuples and dicts.
 * In: a path from the root. Out: a value of the host, or a changed place.
 * Holds: what is set has been checked and converted to the type of its place. */
#include <stdio.h>

#include "host/hostvalue.h"
#include "load/program.h"

/* A place that holds a value: an attribute, an element or an entry of `holder`. */
typedef struct place {
  tsm_object *holder;
  const tsm_type *type;  /* of the value; NULL when the holder has no type */
  int64_t index;         /* attribute or element */
  tsm_pair key;          /* of a dict; the dict owns its count */
} place;

static tsm_status not_found(tsm_error *out_error, const char *path, size_t length, const char *why) {
  return tsm_error_set(out_error, TSM_ERR_NOT_FOUND, "'%.*s': %s", (int)(length < 200 ? length : 200), path, why);
}

/* A decimal index; -1 if the text is none. */
static int64_t parse_index(const char *text, size_t length) {
  int64_t n = 0;
  if (!length || length > 18) return -1;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return -1;
    n = n * 10 + (text[i] - '0');
  }
  return n;
}

static int64_t find_member(const tsm_type *type, const char *name, size_t length) {
  for (uint32_t i = 0; type && type->member_names && i < type->count; i++)
    if (strlen(type->member_names[i]) == length && memcmp(type->member_names[i], name, length) == 0) return i;
  return -1;
}

static bool key_is(tsm_pair key, const char *text, size_t length) {
  if (key.tag == TSM_STR) {
    const tsm_str *s = (const tsm_str *)key.as.ref;
    return s->length == length && memcmp(s->bytes, text, length) == 0;
  }
  return key.tag == TSM_INT && key.as.i == parse_index(text, length);
}

static bool find_entry(tsm_object *o, const char *text, size_t length, place *out) {
  int64_t position = 0;
  for (tsm_dict_entry *e; (e = tsm_dict_walk((tsm_dict *)o, &position));) {
    if (!key_is(e->key, text, length)) continue;
    out->key = e->key;
    out->type = tsm_object_member_type(o, 1);
    return true;
  }
  return false;
}

/* The place that one step of a path names inside `o`. */
static bool find_place(tsm_object *o, const char *step, size_t length, place *out) {
  out->holder = o;
  switch (o->kind) {
    case TSM_OBJECT:
      out->index = find_member(o->type, step, length);
      if (out->index >= 0) out->type = o->type->members[out->index];
      return out->index >= 0;
    case TSM_LIST:
      out->index = parse_index(step, length);
      out->type = tsm_object_member_type(o, 0);
      return out->index >= 0 && out->index < ((tsm_list *)o)->length;
    case TSM_TUPLE:
      out->index = o->type ? find_member(o->type, step, length) : -1;
      if (out->index < 0) out->index = parse_index(step, length);
      out->type = NULL;
      return out->index >= 0 && out->index < ((tsm_tuple *)o)->length;
    case TSM_DICT: return find_entry(o, step, length, out);
    default: return false;
  }
}

/* What is at a place, without a count; false when an attribute is unset. */
static bool read_place(const place *p, tsm_pair *out) {
  switch (p->holder->kind) {
    case TSM_OBJECT: {
      tsm_instance_object *o = (tsm_instance_object *)p->holder;
      if (!tsm_attr_is_set(o->head.type, o, (uint32_t)p->index)) return false;
      *out = tsm_pair_from_slot(p->type, &o->slots[o->head.type->record[p->index]]);
      return true;
    }
    case TSM_LIST: *out = tsm_list_peek((tsm_list *)p->holder, p->index); return true;
    case TSM_TUPLE: *out = ((tsm_tuple *)p->holder)->items[p->index]; return true;
    default: *out = tsm_dict_find(NULL, (tsm_dict *)p->holder, p->key)->value; return true;
  }
}

/* Walks the whole path; *out is the place its last step names. */
static tsm_status walk(tsm_instance *instance, const char *path, place *out, tsm_error *out_error) {
  if (!instance->root)
    return tsm_error_set(out_error, TSM_ERR_NOT_FOUND, "the program has no module, so it has no attributes");
  tsm_object *o = instance->root;
  for (const char *step = path;;) {
    size_t length = strcspn(step, ".");
    size_t done = (size_t)(step - path) + length;
    if (!find_place(o, step, length, out))
      return not_found(out_error, path, done, "there is no such attribute, item or key");
    if (!step[length]) return TSM_OK;
    tsm_pair value;
    if (!read_place(out, &value)) return not_found(out_error, path, done, "the attribute is not set");
    if (!tsm_tag_is_ref(value.tag) || !value.as.ref)
      return not_found(out_error, path, done, "the value has no attributes");
    o = value.as.ref;
    step += length + 1;
  }
}

tsm_status tsm_get_attr(tsm_instance *instance, const char *path, tsm_value *out_value, tsm_error *out_error) {
  place p;
  tsm_pair value;
  *out_value = tsm_none();
  tsm_status status = walk(instance, path, &p, out_error);
  if (status != TSM_OK) return status;
  if (!read_place(&p, &value)) return not_found(out_error, path, strlen(path), "the attribute is not set");
  status = tsm_pair_export(instance->ctx.rt, value, out_value);
  return status == TSM_OK ? TSM_OK : tsm_error_set(out_error, status, "%s", tsm_status_text(status));
}

/* Takes over the count in the slots. */
static tsm_status write_place(const place *p, tsm_slot *slots) {
  tsm_layout layout = (tsm_layout)p->type->layout;
  if (p->holder->kind == TSM_LIST) {
    tsm_list_store((tsm_list *)p->holder, p->index, slots);
    return TSM_OK;
  }
  if (p->holder->kind == TSM_DICT) {
    tsm_pair_ref(p->key);
    return tsm_dict_put(NULL, (tsm_dict *)p->holder, p->key, tsm_pair_from_slot(p->type, slots));
  }
  tsm_instance_object *o = (tsm_instance_object *)p->holder;
  tsm_slot *at = &o->slots[o->head.type->record[p->index]], old[2];
  old[0] = at[0];
  old[1] = layout == TSM_L_PAIR ? at[1] : at[0];
  at[0] = slots[0];
  if (layout == TSM_L_PAIR) at[1] = slots[1];
  tsm_attr_mark_set(o->head.type, o, (uint32_t)p->index);
  tsm_slot_unref(layout, old);
  return TSM_OK;
}

tsm_status tsm_set_attr(tsm_instance *instance, const char *path, tsm_value value, tsm_error *out_error) {
  place p;
  tsm_slot slots[2];
  tsm_status status = walk(instance, path, &p, out_error);
  if (status != TSM_OK) return status;
  if (!p.type || p.holder->kind == TSM_TUPLE)
    return tsm_error_set(out_error, TSM_ERR_ARGUMENT, "'%.200s' cannot be set: tuples do not change", path);
  status = tsm_slot_from_value(&instance->ctx, p.type, value, path, slots);
  if (status == TSM_OK) status = write_place(&p, slots);
  if (status == TSM_OK) return TSM_OK;
  if (instance->ctx.status != TSM_OK) return tsm_context_report(&instance->ctx, "", out_error);
  return tsm_error_set(out_error, status, "%s", tsm_status_text(status));
}

tsm_status tsm_object_get(tsm_value object, size_t index, tsm_value *out_value) {
  *out_value = tsm_none();
  if (object.kind != TSM_OBJECT || !object.as.ref) return TSM_ERR_ARGUMENT;
  tsm_instance_object *o = (tsm_instance_object *)object.as.ref;
  const tsm_type *type = o->head.type;
  if (index >= type->count || !tsm_attr_is_set(type, o, (uint32_t)index)) return TSM_ERR_NOT_FOUND;
  return tsm_pair_export(o->head.heap->rt, tsm_pair_from_slot(type->members[index], &o->slots[type->record[index]]),
                         out_value);
}

static bool is_of_program(const tsm_instance *instance, const tsm_type *type) {
  const tsm_program *p = instance->program;
  return type && type->id < p->type_count && p->types[type->id] == type;
}

tsm_status tsm_object_new(tsm_instance *instance, const tsm_type *type, tsm_value *out_value) {
  *out_value = tsm_none();
  tsm_heap *heap = instance->ctx.heap;
  if (!is_of_program(instance, type) || type->is_module) return TSM_ERR_ARGUMENT;
  const tsm_type *const *members = type->members;
  switch (type->kind) {
    case TSM_T_CLASS: return tsm_give_object(tsm_instance_object_make(heap, type), out_value);
    case TSM_T_LIST:
      return tsm_give_object(tsm_list_make(heap, (tsm_layout)members[0]->layout, type, 0), out_value);
    case TSM_T_DICT:
      return tsm_give_object(tsm_dict_make(heap, TSM_DICT, (tsm_layout)members[0]->layout,
                                           (tsm_layout)members[1]->layout, type), out_value);
    case TSM_T_SET: case TSM_T_FROZENSET: /* a set until tsm_set_freeze */
      return tsm_give_object(tsm_dict_make(heap, TSM_SET, (tsm_layout)members[0]->layout, TSM_L_I64, type), out_value);
    default: return TSM_ERR_ARGUMENT;
  }
}

static tsm_status report(tsm_instance *instance, tsm_status status, tsm_error *out_error) {
  if (instance->ctx.status != TSM_OK) return tsm_context_report(&instance->ctx, "", out_error);
  return tsm_error_set(out_error, status, "%s", tsm_status_text(status));
}

tsm_status tsm_named_tuple_new(tsm_instance *instance, const tsm_type *type, const tsm_value *items,
                               tsm_value *out_value, tsm_error *out_error) {
  *out_value = tsm_none();
  if (!is_of_program(instance, type) || type->kind != TSM_T_NAMED_TUPLE)
    return tsm_error_set(out_error, TSM_ERR_ARGUMENT, "this is no named tuple type of the program");
  tsm_tuple *t = tsm_tuple_make(instance->ctx.heap, (int64_t)type->count, type);
  if (!t) return tsm_error_set(out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
  for (uint32_t i = 0; i < type->count; i++) {
    tsm_slot slots[2];
    char what[200];
    snprintf(what, sizeof what, "field '%.100s'", type->member_names[i]);
    tsm_status status = tsm_slot_from_value(&instance->ctx, type->members[i], items[i], what, slots);
    if (status != TSM_OK) {
      tsm_unref(&t->head);
      return report(instance, status, out_error);
    }
    t->items[i] = tsm_pair_from_slot(type->members[i], slots);
  }
  return tsm_give_object(t, out_value);
}

tsm_status tsm_object_set(tsm_instance *instance, tsm_value object, size_t index, tsm_value value,
                          tsm_error *out_error) {
  if (object.kind != TSM_OBJECT || !object.as.ref || index >= object.as.ref->type->count)
    return tsm_error_set(out_error, TSM_ERR_ARGUMENT, "there is no attribute %zu", index);
  const tsm_type *type = object.as.ref->type;
  place p = {.holder = object.as.ref, .type = type->members[index], .index = (int64_t)index};
  tsm_slot slots[2];
  char what[200];
  snprintf(what, sizeof what, "attribute '%.100s'", type->member_names[index]);
  tsm_status status = tsm_slot_from_value(&instance->ctx, p.type, value, what, slots);
  return status == TSM_OK ? write_place(&p, slots) : report(instance, status, out_error);
}

tsm_status tsm_instance_root(tsm_instance *instance, tsm_value *out_value) {
  *out_value = tsm_none();
  if (!instance->root) return TSM_ERR_NOT_FOUND;
  return tsm_pair_export(instance->ctx.rt, (tsm_pair){TSM_OBJECT, {.ref = instance->root}}, out_value);
}
