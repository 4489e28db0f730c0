/* pair.c - one value in its three forms: untagged slot, tagged pair, value of the host.
 * Holds: conversions between slots and pairs move no counts. */
#include "tensor/tensor.h"
#include "type.h"

uint64_t tsm_type_tag(const tsm_type *type) {
  switch (type->kind) {
    case TSM_T_NONE: return TSM_NONE;
    case TSM_T_BOOL: return TSM_BOOL;
    case TSM_T_INT: return TSM_INT;
    case TSM_T_FLOAT: return TSM_FLOAT;
    case TSM_T_DTYPE: return TSM_DTYPE;
    case TSM_T_DEVICE: return TSM_DEVICE;
    case TSM_T_ENUM: return TSM_ENUM | (uint64_t)type->id << 32;
    case TSM_T_COMPLEX: return TSM_COMPLEX;
    case TSM_T_STR: return TSM_STR;
    case TSM_T_BYTES: return TSM_BYTES;
    case TSM_T_TENSOR: return TSM_TENSOR;
    case TSM_T_LIST: return TSM_LIST;
    case TSM_T_DICT: return TSM_DICT;
    case TSM_T_SET: return TSM_SET;
    case TSM_T_FROZENSET: return TSM_FROZENSET;
    case TSM_T_TUPLE: case TSM_T_NAMED_TUPLE: return TSM_TUPLE;
    case TSM_T_CLASS: return TSM_OBJECT;
    case TSM_T_EXCEPTION: return TSM_EXCEPTION;
    case TSM_T_FUNCTION: return TSM_FUNCTION;
    case TSM_T_CELL: return TSM_CELL;
    default: return TSM_NONE; /* never stored untagged */
  }
}

tsm_pair tsm_pair_from_layout(tsm_layout layout, const tsm_type *type, const tsm_slot *slot) {
  tsm_pair p;
  p.as = slot[0];
  switch (layout) {
    case TSM_L_PAIR:
      p.tag = slot[0].bits;
      p.as = slot[1];
      break;
    case TSM_L_REF: p.tag = slot->ref ? slot->ref->kind : TSM_NONE; break;
    case TSM_L_U8: p.tag = TSM_BOOL; break;
    case TSM_L_F64: p.tag = TSM_FLOAT; break;
    default: p.tag = type ? tsm_type_tag(type) : TSM_INT; break;
  }
  return p;
}

tsm_pair tsm_pair_from_slot(const tsm_type *type, const tsm_slot *slot) {
  return tsm_pair_from_layout((tsm_layout)type->layout, type, slot);
}

void tsm_pair_to_slot(tsm_layout layout, tsm_pair pair, tsm_slot *out_slot) {
  if (layout == TSM_L_PAIR) {
    out_slot[0].bits = pair.tag;
    out_slot[1] = pair.as;
  } else if (layout == TSM_L_REF && !tsm_tag_is_ref(pair.tag)) {
    out_slot->ref = NULL;
  } else {
    *out_slot = pair.as;
  }
}

void tsm_slot_ref(tsm_layout layout, const tsm_slot *slot) {
  if (layout == TSM_L_REF) tsm_ref_maybe(slot->ref);
  else if (layout == TSM_L_PAIR) tsm_pair_ref((tsm_pair){slot[0].bits, slot[1]});
}

void tsm_slot_unref(tsm_layout layout, const tsm_slot *slot) {
  if (layout == TSM_L_REF) tsm_unref_maybe(slot->ref);
  else if (layout == TSM_L_PAIR) tsm_pair_unref((tsm_pair){slot[0].bits, slot[1]});
}

const tsm_type *tsm_object_member_type(const tsm_object *o, size_t index) {
  const tsm_type *type = o->type;
  return type && index < type->count ? type->members[index] : NULL;
}

enum { COPY_DEPTH = 100 };

static tsm_status copy_pair(tsm_heap *heap, tsm_pair from, int depth, tsm_pair *out);

static tsm_object *copy_tensor(tsm_heap *heap, const tsm_tensor *t) {
  tsm_tensor *copy = tsm_tensor_over(heap->rt, t->storage, t->dtype, t->rank, tsm_shape(t), tsm_strides(t), t->offset);
  return copy ? &copy->head : NULL;
}

static tsm_object *copy_tuple(tsm_heap *heap, const tsm_tuple *t, int depth) {
  tsm_tuple *copy = tsm_tuple_make(heap, t->length, NULL);
  for (int64_t i = 0; copy && i < t->length; i++) {
    if (copy_pair(heap, t->items[i], depth, &copy->items[i]) == TSM_OK) continue;
    tsm_unref(&copy->head);
    return NULL;
  }
  tsm_tuple_mark_like(copy, t);
  return copy ? &copy->head : NULL;
}

static tsm_object *copy_list(tsm_heap *heap, const tsm_list *l, int depth) {
  bool is_mixed = l->head.layout == TSM_L_I64 && tsm_object_member_type(&l->head, 0) &&
                  tsm_object_member_type(&l->head, 0)->kind != TSM_T_INT;
  tsm_layout layout = is_mixed ? TSM_L_PAIR : (tsm_layout)l->head.layout; /* without a type I64 means int */
  tsm_list *copy = tsm_list_make(heap, layout, NULL, l->length);
  for (int64_t i = 0; copy && i < l->length; i++) {
    tsm_pair item;
    tsm_slot slots[2];
    if (copy_pair(heap, tsm_list_peek(l, i), depth, &item) == TSM_OK) {
      tsm_pair_to_slot(layout, item, slots);
      if (tsm_list_push(copy, slots) == TSM_OK) continue;
    }
    tsm_unref(&copy->head);
    return NULL;
  }
  return copy ? &copy->head : NULL;
}

static tsm_object *copy_dict(tsm_heap *heap, const tsm_dict *d, int depth) {
  tsm_dict *copy = tsm_dict_make(heap, (tsm_kind)d->head.kind, TSM_L_PAIR, TSM_L_PAIR, NULL);
  int64_t position = 0;
  for (tsm_dict_entry *e; copy && (e = tsm_dict_walk(d, &position));) {
    tsm_pair key, value;
    if (copy_pair(heap, e->key, depth, &key) == TSM_OK) {
      if (copy_pair(heap, e->value, depth, &value) == TSM_OK) {
        if (tsm_dict_put(NULL, copy, key, value) == TSM_OK) continue;
      } else {
        tsm_pair_unref(key);
      }
    }
    tsm_unref(&copy->head);
    return NULL;
  }
  return copy ? &copy->head : NULL;
}

static tsm_object *copy_object(tsm_heap *heap, tsm_object *o, int depth) {
  switch (o->kind) {
    case TSM_STR: return (tsm_object *)tsm_str_new(heap, ((tsm_str *)o)->bytes, ((tsm_str *)o)->length);
    case TSM_BYTES: return (tsm_object *)tsm_bytes_new(heap, ((tsm_bytes *)o)->bytes, ((tsm_bytes *)o)->length);
    case TSM_COMPLEX: return (tsm_object *)tsm_complex_make(heap, ((tsm_complex *)o)->re, ((tsm_complex *)o)->im);
    case TSM_TENSOR: return copy_tensor(heap, (tsm_tensor *)o);
    case TSM_TUPLE: return copy_tuple(heap, (tsm_tuple *)o, depth);
    case TSM_LIST: return copy_list(heap, (tsm_list *)o, depth);
    case TSM_DICT: case TSM_SET: case TSM_FROZENSET: return copy_dict(heap, (tsm_dict *)o, depth);
    case TSM_EXCEPTION: {
      const tsm_exception *e = (tsm_exception *)o;
      tsm_str *name = tsm_str_new(heap, e->name->bytes, e->name->length);
      tsm_str *message = tsm_str_new(heap, e->message->bytes, e->message->length);
      tsm_exception *copy = tsm_exception_make(heap, name, message);
      if (!copy) return NULL;
      if (e->args) copy->args = (tsm_tuple *)copy_tuple(heap, e->args, depth);
      if (e->fields) copy->fields = (tsm_tuple *)copy_tuple(heap, e->fields, depth);
      if (!e->args == !copy->args && !e->fields == !copy->fields) return &copy->head;
      tsm_unref(&copy->head);
      return NULL;
    }
    default: return NULL;
  }
}

/* A value with a count of its own; immortal parts are copied, others shared. */
static tsm_status copy_pair(tsm_heap *heap, tsm_pair from, int depth, tsm_pair *out) {
  *out = from;
  if (!tsm_tag_is_ref(from.tag) || !from.as.ref) return TSM_OK;
  if (atomic_load_explicit(&from.as.ref->refs, memory_order_relaxed) < TSM_IMMORTAL) {
    tsm_ref(from.as.ref);
    return TSM_OK;
  }
  out->as.ref = depth < COPY_DEPTH ? copy_object(heap, from.as.ref, depth + 1) : NULL;
  return out->as.ref ? TSM_OK : TSM_ERR_MEMORY;
}

tsm_status tsm_pair_export(tsm_runtime *rt, tsm_pair pair, tsm_value *out_value) {
  tsm_pair own;
  *out_value = tsm_none();
  if (tsm_tag_is_ref(pair.tag) && !pair.as.ref) return TSM_OK;
  tsm_status status = copy_pair(rt->shared, pair, 0, &own);
  if (status != TSM_OK) return status;
  out_value->kind = (uint32_t)TSM_TAG_KIND(own.tag);
  out_value->type = (uint32_t)(own.tag >> 32);
  if (out_value->kind == TSM_BOOL) *out_value = tsm_bool(own.as.i != 0);
  else out_value->as.i = own.as.i;
  return TSM_OK;
}
