/* state.c - the mutable side of a program: tensors, objects and the root of one instance.
 * In: the program's storages, tensors and STATE. Out: a graph of objects with sharing and cycles as in the file.
 * Holds: storages start as windows on the program's bytes and become private on the first write; one tensor record is
 * one tensor object, whoever refers to it. STATE was checked at load, so building fails only for want of memory, or when
 * somebody chose the keys of a dict so that they collide. */
#include "base/bytes.h"
#include "base/series.h"
#include "load/program.h"

enum { MAX_DICT_STEPS = 1 << 24 }; /* of searches among keys with equal hashes */

typedef struct state_builder {
  tsm_instance *instance;
  tsm_program *p;
  tsm_heap *heap;
  tsm_object **objects;  /* by object number, one count each until the end */
  tsm_object **strings;  /* by string number, made on first use: the same */
  tsm_reader r;
  uint64_t dict_steps;
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

static void out_of_memory(state_builder *b) { tsm_reader_no_memory(&b->r); }

/* A new reference, or None when there was no memory. */
static tsm_pair give(state_builder *b, tsm_kind kind, void *object) {
  tsm_pair p = {kind, {0}};
  p.as.ref = object;
  if (object) return p;
  out_of_memory(b);
  p.tag = TSM_NONE;
  return p;
}

/* One more count of something that exists. */
static tsm_pair share(state_builder *b, tsm_kind kind, void *object) {
  tsm_pair p = give(b, kind, object);
  tsm_pair_ref(p);
  return p;
}

static tsm_pair build_value(state_builder *b, const tsm_type *type);

static void put_entry(state_builder *b, tsm_dict *d, const tsm_type *type) {
  tsm_pair key = build_value(b, type->members[0]), value = {TSM_NONE, {0}};
  if (type->kind == TSM_T_DICT) value = build_value(b, type->members[1]);
  if (!tsm_pair_is_hashable(key)) { /* nor asked for a hash, which may take for ever */
    tsm_pair_unref(key);
    tsm_pair_unref(value);
    tsm_reader_fail(&b->r, TSM_ERR_FORMAT, "a key of a dict or set is not hashable");
    return;
  }
  if (tsm_dict_put(d, key, value) != TSM_OK) out_of_memory(b);
  b->dict_steps += tsm_dict_steps(d);
  if (b->dict_steps > MAX_DICT_STEPS)
    tsm_reader_fail(&b->r, TSM_ERR_LIMIT, "too many keys of a dict or set have the same hash");
}

static tsm_pair build_tuple(state_builder *b, const tsm_type *type) {
  uint64_t count = type->is_variadic ? tsm_read_uv(&b->r) : type->count;
  tsm_pair p = give(b, TSM_TUPLE, tsm_tuple_make(b->heap, (int64_t)count, type));
  for (uint64_t i = 0; i < count && tsm_reader_ok(&b->r); i++)
    ((tsm_tuple *)p.as.ref)->items[i] = build_value(b, type->members[type->is_variadic ? 0 : i]);
  return p;
}

static tsm_pair build_frozenset(state_builder *b, const tsm_type *type) {
  uint64_t count = tsm_read_uv(&b->r);
  tsm_layout layout = (tsm_layout)type->members[0]->layout;
  tsm_pair p = give(b, TSM_FROZENSET, tsm_dict_make(b->heap, TSM_FROZENSET, layout, TSM_L_I64, type));
  for (uint64_t i = 0; i < count && tsm_reader_ok(&b->r); i++) put_entry(b, (tsm_dict *)p.as.ref, type);
  return p;
}

static tsm_pair build_str(state_builder *b) {
  uint64_t number = tsm_read_uv(&b->r);
  if (!b->strings[number]) b->strings[number] = copy_constant(b->heap, &b->p->strings[number]->head);
  return share(b, TSM_STR, b->strings[number]);
}

static tsm_pair build_bytes(state_builder *b) {
  size_t length;
  const uint8_t *bytes = tsm_read_blob(&b->r, &length);
  return give(b, TSM_BYTES, bytes ? tsm_bytes_new(b->heap, bytes, length) : NULL);
}

static tsm_pair build_complex(state_builder *b) {
  double re = tsm_read_f64(&b->r), im = tsm_read_f64(&b->r);
  return give(b, TSM_COMPLEX, tsm_complex_make(b->heap, re, im));
}

/* A value with a count of its own; None after a failure. */
static tsm_pair build_value(state_builder *b, const tsm_type *type) {
  tsm_pair v = {tsm_type_tag(type), {0}};
  switch (type->kind) {
    case TSM_T_BOOL: v.as.i = tsm_read_u8(&b->r); break;
    case TSM_T_INT: v.as.i = tsm_read_sv(&b->r); break;
    case TSM_T_FLOAT: v.as.f = tsm_read_f64(&b->r); break;
    case TSM_T_DTYPE: case TSM_T_DEVICE: case TSM_T_ENUM: v.as.i = (int64_t)tsm_read_uv(&b->r); break;
    case TSM_T_COMPLEX: return build_complex(b);
    case TSM_T_BYTES: return build_bytes(b);
    case TSM_T_STR: return build_str(b);
    case TSM_T_TENSOR: return share(b, TSM_TENSOR, tsm_instance_tensor(b->instance, (uint32_t)tsm_read_uv(&b->r)));
    case TSM_T_CLASS: case TSM_T_LIST: case TSM_T_DICT: case TSM_T_SET:
      return share(b, TSM_TAG_KIND(v.tag), b->objects[tsm_read_uv(&b->r)]);
    case TSM_T_TUPLE: case TSM_T_NAMED_TUPLE: return build_tuple(b, type);
    case TSM_T_FROZENSET: return build_frozenset(b, type);
    case TSM_T_OPTIONAL: return tsm_read_u8(&b->r) ? build_value(b, type->members[0]) : (tsm_pair){TSM_NONE, {0}};
    case TSM_T_UNION: case TSM_T_SCALAR: case TSM_T_ANY: return build_value(b, b->p->types[tsm_read_uv(&b->r)]);
    default: break;
  }
  return v;
}

static void build_attributes(state_builder *b, const tsm_type *type, tsm_instance_object *o) {
  for (uint32_t i = 0; i < type->count && tsm_reader_ok(&b->r); i++) {
    if (!tsm_read_u8(&b->r)) continue;
    tsm_pair value = build_value(b, type->members[i]);
    tsm_pair_to_slot((tsm_layout)type->members[i]->layout, value, &o->slots[type->record[i]]);
    tsm_attr_mark_set(type, o, i);
  }
}

static void build_list(state_builder *b, const tsm_type *type, tsm_list *l) {
  uint64_t count = tsm_read_uv(&b->r);
  if (tsm_list_grow(l, (int64_t)count) != TSM_OK) out_of_memory(b);
  for (uint64_t i = 0; i < count && tsm_reader_ok(&b->r); i++) {
    tsm_slot slots[2];
    tsm_pair_to_slot((tsm_layout)l->head.layout, build_value(b, type->members[0]), slots);
    if (tsm_list_push(l, slots) != TSM_OK) out_of_memory(b);
  }
}

static void build_dict(state_builder *b, const tsm_type *type, tsm_dict *d) {
  uint64_t count = tsm_read_uv(&b->r);
  for (uint64_t i = 0; i < count && tsm_reader_ok(&b->r); i++) put_entry(b, d, type);
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

static void build_objects(state_builder *b) {
  for (uint32_t i = 0; i < b->p->object_count; i++) {
    b->objects[i] = make_object(b->heap, b->p->objects[i].type);
    if (!b->objects[i]) {
      out_of_memory(b);
      return;
    }
  }
  for (uint32_t i = 0; i < b->p->object_count && tsm_reader_ok(&b->r); i++) {
    const tsm_file_object *f = &b->p->objects[i];
    tsm_reader_init(&b->r, f->bytes, f->length, "STATE", 0, b->r.out_error);
    if (f->type->kind == TSM_T_CLASS) build_attributes(b, f->type, (tsm_instance_object *)b->objects[i]);
    else if (f->type->kind == TSM_T_LIST) build_list(b, f->type, (tsm_list *)b->objects[i]);
    else build_dict(b, f->type, (tsm_dict *)b->objects[i]);
  }
}

/* Counts of the tables go; what the root does not reach dies here. */
static void settle_objects(state_builder *b) {
  if (tsm_reader_ok(&b->r) && b->p->root >= 0) {
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
  b.objects = tsm_alloc_zeroed(rt, p->object_count * sizeof *b.objects);
  b.strings = tsm_alloc_zeroed(rt, p->string_count * sizeof *b.strings);
  tsm_reader_init(&b.r, NULL, 0, "STATE", 0, out_error);
  if (is_empty && b.objects && b.strings) {
    build_objects(&b);
    settle_objects(&b);
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
