/* hostvalue.c - values of the host: counts, text, bytes, complex, tuples, str() and repr().
 * In: the host's data. Out: objects on the runtime's shared heap, owned by the caller.
 * Holds: a value of the wrong kind gives TSM_ERR_ARGUMENT, 0 or NULL, never a crash. */
#include "hostvalue.h"

#include "base/floatmode.h"
#include "object/cycles.h"
#include "object/type.h"

void tsm_retain(tsm_value value) {
  if (value.kind >= TSM_FIRST_REF && value.as.ref) tsm_ref(value.as.ref);
}

/* The owner of the object's heap is gone: what this count kept alive may be a cycle that only the search finds. */
static void release_from_closed(tsm_object *o) {
  tsm_heap *heap = o->heap;
  bool is_last = atomic_load_explicit(&o->refs, memory_order_relaxed) == 1;
  bool may_leave_cycle = is_last || (o->flags & TSM_OBJ_TRACKED);
  heap->live++; /* so that the heap outlives the object */
  tsm_unref(o);
  if (may_leave_cycle && heap->cyclic) tsm_heap_collect(heap);
  tsm_heap_drop(heap);
}

void tsm_release(tsm_value value) {
  if (value.kind < TSM_FIRST_REF || !value.as.ref) return;
  tsm_object *o = value.as.ref;
  if (o->heap && o->heap->is_closed && !o->heap->is_shared) release_from_closed(o);
  else tsm_unref(o);
}

void tsm_release_all(tsm_value *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    tsm_release(values[i]);
    values[i] = tsm_none();
  }
}

tsm_pair tsm_pair_of_value(tsm_value v) {
  tsm_pair p;
  p.tag = v.kind | (uint64_t)v.type << 32;
  p.as.i = v.as.i;
  if (v.kind == TSM_BOOL) p.as.i = v.as.b;
  if (v.kind == TSM_NONE) p.as.i = 0;
  return p;
}

bool tsm_value_is_whole(tsm_value v) {
  if (v.kind <= TSM_DEVICE || v.kind == TSM_ENUM)
    return v.kind != TSM_DTYPE || (uint64_t)v.as.i < TSM_DTYPE_NAMES;
  return v.kind >= TSM_FIRST_REF && v.kind <= TSM_FROZENSET && v.as.ref && v.as.ref->kind == v.kind;
}

tsm_status tsm_give_object(void *object, tsm_value *out_value) {
  *out_value = tsm_none();
  if (!object) return TSM_ERR_MEMORY;
  out_value->kind = ((tsm_object *)object)->kind;
  out_value->as.ref = object;
  return TSM_OK;
}

tsm_status tsm_complex_new(tsm_runtime *runtime, double re, double im, tsm_value *out_value) {
  return tsm_give_object(tsm_complex_make(runtime->shared, re, im), out_value);
}

void tsm_complex_get(tsm_value value, double *out_re, double *out_im) {
  bool is_complex = value.kind == TSM_COMPLEX && value.as.ref;
  *out_re = is_complex ? ((tsm_complex *)value.as.ref)->re : 0;
  *out_im = is_complex ? ((tsm_complex *)value.as.ref)->im : 0;
}

tsm_status tsm_str_copy(tsm_runtime *runtime, const char *bytes, size_t length, tsm_value *out_value) {
  *out_value = tsm_none();
  if (tsm_utf8_valid(bytes, length, NULL) != length) return TSM_ERR_ARGUMENT;
  return tsm_give_object(tsm_str_new(runtime->shared, length ? bytes : "", length), out_value);
}

const char *tsm_str_borrow(tsm_value value, size_t *out_length) {
  const tsm_str *s = value.kind == TSM_STR ? (tsm_str *)value.as.ref : NULL;
  if (out_length) *out_length = s ? s->length : 0;
  return s ? s->bytes : NULL;
}

tsm_status tsm_bytes_copy(tsm_runtime *runtime, const void *bytes, size_t length, tsm_value *out_value) {
  return tsm_give_object(tsm_bytes_new(runtime->shared, bytes, length), out_value);
}

const void *tsm_bytes_borrow(tsm_value value, size_t *out_length) {
  const tsm_bytes *b = value.kind == TSM_BYTES ? (tsm_bytes *)value.as.ref : NULL;
  if (out_length) *out_length = b ? b->length : 0;
  return b ? b->bytes : NULL;
}

tsm_status tsm_tuple_new(tsm_runtime *runtime, size_t length, const tsm_value *items, tsm_value *out_value) {
  *out_value = tsm_none();
  for (size_t i = 0; i < length; i++)
    if (!tsm_value_is_whole(items[i])) return TSM_ERR_ARGUMENT;
  tsm_tuple *t = length <= PTRDIFF_MAX ? tsm_tuple_make(runtime->shared, (int64_t)length, NULL) : NULL;
  for (size_t i = 0; t && i < length; i++) {
    t->items[i] = tsm_pair_of_value(items[i]);
    tsm_pair_ref(t->items[i]);
  }
  return tsm_give_object(t, out_value);
}

static const tsm_tuple *tuple_of(tsm_value value) {
  return value.kind == TSM_TUPLE ? (const tsm_tuple *)value.as.ref : NULL;
}

size_t tsm_tuple_length(tsm_value tuple) {
  const tsm_tuple *t = tuple_of(tuple);
  return t ? (size_t)t->length : 0;
}

tsm_status tsm_tuple_get(tsm_value tuple, size_t index, tsm_value *out_value) {
  const tsm_tuple *t = tuple_of(tuple);
  *out_value = tsm_none();
  if (!t) return TSM_ERR_ARGUMENT;
  if (index >= (size_t)t->length) return TSM_ERR_NOT_FOUND;
  return tsm_pair_export(t->head.heap->rt, t->items[index], out_value);
}

tsm_status tsm_tuple_set_size(tsm_value tuple) {
  tsm_object *o = tuple_of(tuple) ? tuple.as.ref : NULL;
  if (!o || o->type) return TSM_ERR_ARGUMENT;
  for (int64_t i = 0; i < tuple_of(tuple)->length; i++)
    if (tuple_of(tuple)->items[i].tag != TSM_INT) return TSM_ERR_ARGUMENT;
  o->flags |= TSM_OBJ_SIZE;
  return TSM_OK;
}

bool tsm_tuple_is_size(tsm_value tuple) {
  const tsm_tuple *t = tuple_of(tuple);
  return t && t->head.flags & TSM_OBJ_SIZE;
}

tsm_status tsm_enum_new(const tsm_type *type, size_t member, tsm_value *out_value) {
  *out_value = tsm_none();
  if (!type || type->kind != TSM_T_ENUM || member >= type->count) return TSM_ERR_ARGUMENT;
  out_value->kind = TSM_ENUM;
  out_value->type = (uint32_t)(tsm_type_tag(type) >> 32);
  out_value->as.i = (int64_t)member;
  return TSM_OK;
}

tsm_status tsm_enum_value(tsm_runtime *runtime, const tsm_type *type, size_t member, tsm_value *out_value) {
  *out_value = tsm_none();
  if (!type || type->kind != TSM_T_ENUM || member >= type->count || !type->enum_values) return TSM_ERR_ARGUMENT;
  return tsm_pair_export(runtime, type->enum_values[member], out_value);
}

tsm_status tsm_value_text(tsm_runtime *runtime, tsm_value value, bool repr, tsm_value *out_str) {
  *out_str = tsm_none();
  if (!tsm_value_is_whole(value)) return TSM_ERR_ARGUMENT;
  tsm_float_mode host_mode;
  tsm_float_enter(&host_mode);
  tsm_text text;
  tsm_text_init(&text, runtime);
  if (value.kind >= TSM_FIRST_REF) text.heap = value.as.ref->heap;
  if (repr) tsm_text_repr(&text, tsm_pair_of_value(value));
  else tsm_text_str(&text, tsm_pair_of_value(value));
  tsm_status status = text.is_too_deep ? TSM_ERR_LIMIT : TSM_ERR_MEMORY;
  if (!text.failed) status = tsm_give_object(tsm_str_new(runtime->shared, text.length ? text.bytes : "", text.length),
                                             out_str);
  tsm_text_free(&text);
  tsm_float_leave(&host_mode);
  return status;
}
