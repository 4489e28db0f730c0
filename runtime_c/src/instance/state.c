/* state.c - the mutable side of a program: tensors, objects and the root of one instance.
 * In: the program's storages, tensors and STATE. Out: a graph of objects with sharing and cycles as in the file.
 * Holds: storages start as windows on the program's bytes and become private on the first write; one tensor record is
 * one tensor object, whoever refers to it. STATE was checked at load, so building fails only for want of memory, or when
 * somebody chose the keys of a dict so that they collide. */
#include "base/bytes.h"
#include "base/series.h"
#include "load/program.h"

enum { FREE_FUEL = 1 << 21, ENTRY_FUEL = 8 }; /* for searches among keys: more than keys without an enemy need */

typedef struct state_builder {
  tsm_instance *instance;
  tsm_program *p;
  tsm_heap *heap;
  tsm_object **objects;  /* by object number, one count each until the end */
  tsm_object **strings;  /* by string number, made on first use: the same */
  tsm_reader r;
  tsm_context payer;     /* of the searches in dicts and sets */
} state_builder;

static tsm_storage *instance_storage(tsm_instance *instance, uint32_t number) {
  if (!instance->storages[number]) instance->storages[number] = tsm_program_storage(instance->program, number);
  return instance->storages[number];
}

tsm_tensor *tsm_instance_tensor(tsm_instance *instance, uint32_t number) {
  if (instance->tensors[number]) return instance->tensors[number];
  const tsm_file_tensor *t = &instance->program->tensors[number];
  tsm_storage *s = instance_storage(instance, t->storage);
  if (!s) return NULL;
  tsm_tensor *tensor = tsm_tensor_over(instance->ctx.rt, s, t->dtype, t->rank, t->dims, t->dims + t->rank, t->offset);
  instance->tensors[number] = tensor;
  return tensor;
}

/* A constant's copy; tuples hold only constants, and are as deep as the loader lets them. */
static tsm_object *copy_constant(tsm_heap *heap, const tsm_object *o) {
  if (o->kind == TSM_STR) return (tsm_object *)tsm_str_new(heap, ((tsm_str *)o)->bytes, ((tsm_str *)o)->length);
  if (o->kind == TSM_BYTES) return (tsm_object *)tsm_bytes_new(heap, ((tsm_bytes *)o)->bytes, ((tsm_bytes *)o)->length);
  if (o->kind == TSM_COMPLEX) return (tsm_object *)tsm_complex_make(heap, ((tsm_complex *)o)->re, ((tsm_complex *)o)->im);
  const tsm_tuple *from = (const tsm_tuple *)o;
  tsm_tuple *t = tsm_tuple_make(heap, from->length, o->type);
  for (int64_t i = 0; t && i < from->length; i++) {
    tsm_pair item = from->items[i];
    if (tsm_tag_is_ref(item.tag) && item.as.ref && !(item.as.ref = copy_constant(heap, item.as.ref))) {
      tsm_unref(&t->head);
      return NULL;
    }
    t->items[i] = item;
  }
  return (tsm_object *)t;
}

tsm_object *tsm_instance_constant(tsm_instance *instance, uint32_t number) {
  tsm_object **at = &instance->constants[number];
  if (!*at) *at = copy_constant(instance->ctx.heap, instance->program->constants[number].as.ref);
  return *at;
}

/* What builds a value or fills an object says whether it could, and the first failure ends it all: numbers read after it
 * would be zeros, and so name objects of other types. */
static bool out_of_memory(state_builder *b) {
  tsm_reader_no_memory(&b->r);
  return false;
}

/* A new reference. */
static TSM_MUST_CHECK bool give(state_builder *b, tsm_kind kind, void *object, tsm_pair *out) {
  *out = (tsm_pair){object ? kind : TSM_NONE, {.ref = object}};
  return object || out_of_memory(b);
}

/* One more count of something that exists. */
static TSM_MUST_CHECK bool share(state_builder *b, tsm_kind kind, void *object, tsm_pair *out) {
  if (!give(b, kind, object, out)) return false;
  tsm_pair_ref(*out);
  return true;
}

static TSM_MUST_CHECK bool build_value(state_builder *b, const tsm_type *type, tsm_pair *out);

static TSM_MUST_CHECK bool put_entry(state_builder *b, tsm_dict *d, const tsm_type *type) {
  tsm_pair key, value = {TSM_NONE, {0}};
  if (!build_value(b, type->members[0], &key)) return false;
  b->payer.fuel += ENTRY_FUEL + (key.tag == TSM_STR ? ((tsm_str *)key.as.ref)->length / 32 : 0);
  bool is_hashable = tsm_pair_is_hashable(NULL, key); /* else not asked for a hash, which may take for ever */
  if (!is_hashable || (type->kind == TSM_T_DICT && !build_value(b, type->members[1], &value))) {
    tsm_pair_unref(key);
    if (!is_hashable) tsm_reader_fail(&b->r, TSM_ERR_FORMAT, "a key of a dict or set is not hashable");
    return false;
  }
  tsm_status status = tsm_dict_put(&b->payer, d, key, value);
  if (status == TSM_OK) return true;
  if (status == TSM_ERR_MEMORY) return out_of_memory(b);
  tsm_reader_fail(&b->r, TSM_ERR_LIMIT, "too many keys of a dict or set have the same hash");
  return false;
}

/* What has been built goes with `made` when the rest cannot be. */
static bool keep_whole(bool is_done, tsm_pair *made) {
  if (is_done) return true;
  tsm_pair_unref(*made);
  *made = (tsm_pair){TSM_NONE, {0}};
  return false;
}

static bool build_tuple(state_builder *b, const tsm_type *type, tsm_pair *out) {
  uint64_t count = type->is_variadic ? tsm_read_uv(&b->r) : type->count;
  tsm_tuple *t = tsm_tuple_make(b->heap, (int64_t)count, type);
  bool is_done = give(b, TSM_TUPLE, t, out);
  for (uint64_t i = 0; i < count && is_done; i++)
    is_done = build_value(b, type->members[type->is_variadic ? 0 : i], &t->items[i]);
  return keep_whole(is_done, out);
}

static TSM_MUST_CHECK bool build_dict(state_builder *b, const tsm_type *type, tsm_dict *d) {
  bool is_done = true;
  for (uint64_t count = tsm_read_uv(&b->r); count && is_done; count--) is_done = put_entry(b, d, type);
  return is_done;
}

static bool build_frozenset(state_builder *b, const tsm_type *type, tsm_pair *out) {
  tsm_layout layout = (tsm_layout)type->members[0]->layout;
  tsm_dict *d = tsm_dict_make(b->heap, TSM_FROZENSET, layout, TSM_L_I64, type);
  return keep_whole(give(b, TSM_FROZENSET, d, out) && build_dict(b, type, d), out);
}

static bool build_str(state_builder *b, tsm_pair *out) {
  uint64_t number = tsm_read_uv(&b->r);
  if (!b->strings[number]) b->strings[number] = copy_constant(b->heap, &b->p->strings[number]->head);
  return share(b, TSM_STR, b->strings[number], out);
}

static bool build_bytes(state_builder *b, tsm_pair *out) {
  size_t length;
  const uint8_t *bytes = tsm_read_blob(&b->r, &length);
  return give(b, TSM_BYTES, bytes ? tsm_bytes_new(b->heap, bytes, length) : NULL, out);
}

static bool build_complex(state_builder *b, tsm_pair *out) {
  double re = tsm_read_f64(&b->r), im = tsm_read_f64(&b->r);
  return give(b, TSM_COMPLEX, tsm_complex_make(b->heap, re, im), out);
}

static bool build_optional(state_builder *b, const tsm_type *type, tsm_pair *out) {
  *out = (tsm_pair){TSM_NONE, {0}};
  return !tsm_read_u8(&b->r) || build_value(b, type->members[0], out);
}

/* A value with a count of its own; None after a failure. */
static bool build_value(state_builder *b, const tsm_type *type, tsm_pair *out) {
  *out = (tsm_pair){tsm_type_tag(type), {0}};
  switch (type->kind) {
    case TSM_T_BOOL: out->as.i = tsm_read_u8(&b->r); break;
    case TSM_T_INT: out->as.i = tsm_read_sv(&b->r); break;
    case TSM_T_FLOAT: out->as.f = tsm_read_f64(&b->r); break;
    case TSM_T_DTYPE: case TSM_T_DEVICE: case TSM_T_ENUM: out->as.i = (int64_t)tsm_read_uv(&b->r); break;
    case TSM_T_COMPLEX: return build_complex(b, out);
    case TSM_T_BYTES: return build_bytes(b, out);
    case TSM_T_STR: return build_str(b, out);
    case TSM_T_TENSOR: return share(b, TSM_TENSOR, tsm_instance_tensor(b->instance, (uint32_t)tsm_read_uv(&b->r)), out);
    case TSM_T_CLASS: case TSM_T_LIST: case TSM_T_DICT: case TSM_T_SET:
      return share(b, TSM_TAG_KIND(out->tag), b->objects[tsm_read_uv(&b->r)], out);
    case TSM_T_TUPLE: case TSM_T_NAMED_TUPLE: return build_tuple(b, type, out);
    case TSM_T_FROZENSET: return build_frozenset(b, type, out);
    case TSM_T_OPTIONAL: return build_optional(b, type, out);
    case TSM_T_UNION: case TSM_T_SCALAR: case TSM_T_ANY: return build_value(b, b->p->types[tsm_read_uv(&b->r)], out);
    default: break;
  }
  return true;
}

static TSM_MUST_CHECK bool build_attributes(state_builder *b, const tsm_type *type, tsm_instance_object *o) {
  for (uint32_t i = 0; i < type->count; i++) {
    tsm_pair value;
    if (!tsm_read_u8(&b->r)) continue;
    if (!build_value(b, type->members[i], &value)) return false;
    tsm_pair_to_slot((tsm_layout)type->members[i]->layout, value, &o->slots[type->record[i]]);
    tsm_attr_mark_set(type, o, i);
  }
  return true;
}

static TSM_MUST_CHECK bool build_list(state_builder *b, const tsm_type *type, tsm_list *l) {
  uint64_t count = tsm_read_uv(&b->r);
  if (tsm_list_grow(l, (int64_t)count) != TSM_OK) return out_of_memory(b);
  for (uint64_t i = 0; i < count; i++) {
    tsm_pair value;
    tsm_slot slots[2];
    if (!build_value(b, type->members[0], &value)) return false;
    tsm_pair_to_slot((tsm_layout)l->head.layout, value, slots);
    if (tsm_list_push(l, slots) != TSM_OK) return out_of_memory(b);
  }
  return true;
}

static tsm_object *make_object(tsm_heap *heap, const tsm_type *type) {
  switch (type->kind) {
    case TSM_T_LIST: return (tsm_object *)tsm_list_make(heap, (tsm_layout)type->members[0]->layout, type, 0);
    case TSM_T_CLASS: return (tsm_object *)tsm_instance_object_make(heap, type);
    case TSM_T_SET:
      return (tsm_object *)tsm_dict_make(heap, TSM_SET, (tsm_layout)type->members[0]->layout, TSM_L_I64, type);
    default:
      return (tsm_object *)tsm_dict_make(heap, TSM_DICT, (tsm_layout)type->members[0]->layout,
                                         (tsm_layout)type->members[1]->layout, type);
  }
}

static TSM_MUST_CHECK bool fill_object(state_builder *b, const tsm_file_object *f, tsm_object *o) {
  tsm_reader_init(&b->r, f->bytes, f->length, "STATE", 0, b->r.out_error);
  if (f->type->kind == TSM_T_CLASS) return build_attributes(b, f->type, (tsm_instance_object *)o);
  if (f->type->kind == TSM_T_LIST) return build_list(b, f->type, (tsm_list *)o);
  return build_dict(b, f->type, (tsm_dict *)o);
}

static TSM_MUST_CHECK bool build_objects(state_builder *b) {
  for (uint32_t i = 0; i < b->p->object_count; i++)
    if (!(b->objects[i] = make_object(b->heap, b->p->objects[i].type))) return out_of_memory(b);
  for (uint32_t i = 0; i < b->p->object_count; i++)
    if (!fill_object(b, &b->p->objects[i], b->objects[i])) return false;
  return true;
}

/* Counts of the tables go; what the root does not reach dies here. */
static void settle_objects(state_builder *b, bool is_done) {
  if (is_done && b->p->root >= 0) {
    b->instance->root = b->objects[b->p->root];
    tsm_ref(b->instance->root);
  }
  for (uint32_t i = 0; i < b->p->object_count; i++)
    if (b->objects[i]) tsm_unref(b->objects[i]);
  for (uint32_t i = 0; i < b->p->string_count; i++)
    if (b->strings[i]) tsm_unref(b->strings[i]);
}

bool tsm_state_empty(tsm_instance *instance) {
  tsm_program *p = instance->program;
  instance->root = NULL;
  instance->tensors = tsm_alloc_zeroed(p->rt, p->tensor_count * sizeof *instance->tensors);
  instance->storages = tsm_alloc_zeroed(p->rt, p->storage_count * sizeof *instance->storages);
  instance->constants = tsm_alloc_zeroed(p->rt, p->constant_count * sizeof *instance->constants);
  instance->runs = tsm_alloc_zeroed(p->rt, p->method_count * sizeof *instance->runs);
  instance->ctx.heap = tsm_heap_new(p->rt, p);
  return instance->tensors && instance->storages && instance->constants && instance->runs && instance->ctx.heap;
}

tsm_status tsm_state_init(tsm_instance *instance, tsm_error *out_error) {
  tsm_program *p = instance->program;
  tsm_runtime *rt = p->rt;
  state_builder b;
  memset(&b, 0, sizeof b);
  bool is_empty = tsm_state_empty(instance);
  b.instance = instance;
  b.p = p;
  b.heap = instance->ctx.heap;
  b.payer.rt = rt;
  b.payer.element_cost = 1;
  b.payer.has_fuel = true;
  b.payer.fuel = FREE_FUEL;
  b.objects = tsm_alloc_zeroed(rt, p->object_count * sizeof *b.objects);
  b.strings = tsm_alloc_zeroed(rt, p->string_count * sizeof *b.strings);
  tsm_reader_init(&b.r, NULL, 0, "STATE", 0, out_error);
  if (is_empty && b.objects && b.strings) {
    settle_objects(&b, build_objects(&b));
  } else {
    out_of_memory(&b);
  }
  tsm_free(rt, b.objects, p->object_count * sizeof *b.objects);
  tsm_free(rt, b.strings, p->string_count * sizeof *b.strings);
  if (!tsm_reader_ok(&b.r)) tsm_state_close(instance);
  return b.r.status;
}

void tsm_state_close(tsm_instance *instance) {
  tsm_program *p = instance->program;
  tsm_unref_maybe(instance->root);
  for (uint32_t i = 0; instance->tensors && i < p->tensor_count; i++)
    if (instance->tensors[i]) tsm_unref(&instance->tensors[i]->head);
  for (uint32_t i = 0; instance->storages && i < p->storage_count; i++)
    if (instance->storages[i]) tsm_storage_unref(instance->storages[i]);
  for (uint32_t i = 0; instance->constants && i < p->constant_count; i++) tsm_unref_maybe(instance->constants[i]);
  tsm_free(p->rt, instance->tensors, p->tensor_count * sizeof *instance->tensors);
  tsm_free(p->rt, instance->storages, p->storage_count * sizeof *instance->storages);
  tsm_free(p->rt, instance->constants, p->constant_count * sizeof *instance->constants);
  tsm_free(p->rt, instance->runs, p->method_count * sizeof *instance->runs);
  if (instance->ctx.heap) tsm_heap_close(instance->ctx.heap);
  instance->root = NULL;
  instance->tensors = NULL;
  instance->storages = NULL;
  instance->constants = NULL;
  instance->runs = NULL;
  instance->ctx.heap = NULL;
}
