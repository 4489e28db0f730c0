/* encode_state.c - see encode_state.h. The mirror image of decode_state.c, state.c and decode_constants.c.
 * Holds: numbers follow FORMAT.md's walk (methods, state, functions), so equal states give equal bytes. Objects wait
 * in a queue; only tuples recurse. */
#include "encode_state.h"

#include "base/bytes.h"
#include "base/endian.h"

void tsm_put_u8(tsm_text *out, uint8_t v) { tsm_text_add(out, (const char *)&v, 1); }

void tsm_put_uv(tsm_text *out, uint64_t v) {
  for (; v > 127; v >>= 7) tsm_put_u8(out, (uint8_t)((v & 127) | 128));
  tsm_put_u8(out, (uint8_t)v);
}

static void put_sv(tsm_text *out, int64_t v) { tsm_put_uv(out, ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0)); }

static void put_f64(tsm_text *out, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  for (int i = 0; i < 8; i++) tsm_put_u8(out, (uint8_t)(bits >> (8 * i)));
}

static void fail(tsm_state_encoder *e, tsm_status status, const char *why) {
  if (e->status == TSM_OK) e->status = tsm_error_set(e->out_error, status, "%s", why);
}

static void no_memory(tsm_state_encoder *e) { fail(e, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY)); }

/* Room for one more element. */
static void *grown(tsm_state_encoder *e, void *array, size_t *capacity, size_t used, size_t size) {
  if (used < *capacity) return array;
  size_t more = *capacity ? *capacity * 2 : 32;
  void *moved = tsm_realloc(e->rt, array, *capacity * size, more * size);
  if (moved) *capacity = more;
  else no_memory(e);
  return moved;
}

/* The file is little-endian: on other machines elements are turned around, for which they must have one size. */
static void check_item(tsm_state_encoder *e, const encoded_storage *s, uint8_t item) {
  if (TSM_IS_BIG_ENDIAN && s->item != item)
    fail(e, TSM_ERR_ARGUMENT, "tensors with elements of different sizes share memory, which a big-endian machine cannot save");
}

static uint64_t storage_number(tsm_state_encoder *e, tsm_storage *s, uint8_t item) {
  const uint64_t *known = tsm_object_map_get(&e->storage_numbers, s);
  if (known) {
    check_item(e, &e->storages[*known], item);
    return *known;
  }
  if (s->bytes && !s->data) fail(e, TSM_ERR_ARGUMENT, "a tensor without memory cannot be saved");
  encoded_storage *storages = grown(e, e->storages, &e->storage_capacity, e->storage_count, sizeof *storages);
  if (!storages) return 0;
  e->storages = storages;
  if (!tsm_object_map_put(&e->storage_numbers, s, e->storage_count)) no_memory(e);
  storages[e->storage_count] = (encoded_storage){s, item};
  return e->storage_count++;
}

static uint64_t tensor_number(tsm_state_encoder *e, tsm_tensor *t) {
  if (!t) {
    no_memory(e);
    return 0;
  }
  const uint64_t *known = tsm_object_map_get(&e->tensor_numbers, t);
  if (known) return *known;
  if (!tsm_object_map_put(&e->tensor_numbers, t, e->tensor_count)) no_memory(e);
  tsm_put_uv(&e->tensors, storage_number(e, t->storage, (uint8_t)tsm_item_size(t->dtype)));
  tsm_put_u8(&e->tensors, t->dtype);
  tsm_put_u8(&e->tensors, t->rank);
  for (uint8_t i = 0; i < t->rank; i++) tsm_put_uv(&e->tensors, (uint64_t)tsm_shape(t)[i]);
  for (uint8_t i = 0; i < t->rank; i++) put_sv(&e->tensors, tsm_strides(t)[i]);
  tsm_put_uv(&e->tensors, (uint64_t)t->offset);
  return e->tensor_count++;
}

static uint64_t object_number(tsm_state_encoder *e, tsm_object *o, const tsm_type *type) {
  const uint64_t *known = tsm_object_map_get(&e->object_numbers, o);
  if (known) {
    if (e->objects[*known].type != type)
      fail(e, TSM_ERR_ARGUMENT, "a container of the host stands at places of different types");
    return *known;
  }
  encoded_object *objects = grown(e, e->objects, &e->object_capacity, e->object_count, sizeof *objects);
  if (!objects) return 0;
  e->objects = objects;
  if (!tsm_object_map_put(&e->object_numbers, o, e->object_count)) no_memory(e);
  objects[e->object_count] = (encoded_object){o, type};
  return e->object_count++;
}

static void put_str(tsm_state_encoder *e, const tsm_str *s) {
  uint32_t before = e->strings.count, number = 0;
  tsm_status status = tsm_intern_add(&e->strings, s->bytes, s->length, &number);
  if (status != TSM_OK) fail(e, status, tsm_status_text(status));
  if (number == before && status == TSM_OK) {
    tsm_put_uv(&e->new_strings, s->length);
    tsm_text_add(&e->new_strings, s->bytes, s->length);
    e->new_string_count++;
  }
  tsm_put_uv(&e->state, number);
}

static uint8_t plain_kind(tsm_pair v) {
  switch (TSM_TAG_KIND(v.tag)) {
    case TSM_NONE: return TSM_T_NONE;
    case TSM_BOOL: return TSM_T_BOOL;
    case TSM_INT: return TSM_T_INT;
    case TSM_FLOAT: return TSM_T_FLOAT;
    case TSM_DTYPE: return TSM_T_DTYPE;
    case TSM_DEVICE: return TSM_T_DEVICE;
    case TSM_COMPLEX: return TSM_T_COMPLEX;
    case TSM_STR: return TSM_T_STR;
    case TSM_BYTES: return TSM_T_BYTES;
    case TSM_TENSOR: return TSM_T_TENSOR;
    default: return TSM_T_COUNT;
  }
}

static const tsm_type plain_types[] = {
  {.kind = TSM_T_NONE}, {.kind = TSM_T_BOOL}, {.kind = TSM_T_INT}, {.kind = TSM_T_FLOAT}, {.kind = TSM_T_COMPLEX},
  {.kind = TSM_T_STR}, {.kind = TSM_T_BYTES}, {.kind = TSM_T_TENSOR}, {.kind = TSM_T_DTYPE}, {.kind = TSM_T_DEVICE},
};

static const tsm_type *plain_type(uint8_t kind) {
  for (size_t i = 0; i < sizeof plain_types / sizeof *plain_types; i++)
    if (plain_types[i].kind == kind) return &plain_types[i];
  return NULL;
}

/* Writes the number of a type without members, which the file gets if it lacks it. */
static const tsm_type *put_plain_type(tsm_state_encoder *e, uint8_t kind) {
  if (e->type_of_kind[kind] < 0) {
    e->type_of_kind[kind] = (int64_t)e->p->type_count + e->new_type_count++;
    tsm_put_u8(&e->new_types, kind);
    if (kind == TSM_T_TENSOR) tsm_text_add(&e->new_types, "\xFF\xFF", 2);
  }
  tsm_put_uv(&e->state, (uint64_t)e->type_of_kind[kind]);
  return plain_type(kind);
}

/* The arm of a Union that an object without a type of its own (the host made it) stands for. */
static const tsm_type *arm_of_kind(const tsm_type *wide, uint64_t tag) {
  for (uint32_t i = 0; wide->kind == TSM_T_UNION && i < wide->count; i++)
    if (tsm_type_tag(wide->members[i]) == tag) return wide->members[i];
  return NULL;
}

/* Writes which type a value of a Union, Scalar or Any has, and returns it; NULL: failed. */
static const tsm_type *put_arm(tsm_state_encoder *e, const tsm_type *wide, tsm_pair v) {
  const tsm_type *arm = NULL;
  if (plain_kind(v) != TSM_T_COUNT) return put_plain_type(e, plain_kind(v));
  if (TSM_TAG_KIND(v.tag) == TSM_ENUM) arm = e->p->types[v.tag >> 32];
  else if (v.as.ref->type) arm = v.as.ref->type;
  else arm = arm_of_kind(wide, v.tag);
  if (arm && (v.as.ref->flags & TSM_OBJ_LOOSE) && !tsm_value_fits(NULL, arm, v)) arm = NULL; /* something in it has changed */
  if (!arm || arm->id >= e->p->type_count || e->p->types[arm->id] != arm) {
    fail(e, TSM_ERR_ARGUMENT, "a value at a place of type Any has no type of the program and cannot be saved");
    return NULL;
  }
  tsm_put_uv(&e->state, arm->id);
  return arm;
}

static void put_value(tsm_state_encoder *e, const tsm_type *type, tsm_pair v);

static void put_tuple(tsm_state_encoder *e, const tsm_type *type, const tsm_tuple *t) {
  if (type->is_variadic) tsm_put_uv(&e->state, (uint64_t)t->length);
  for (int64_t i = 0; i < t->length; i++) put_value(e, type->members[type->is_variadic ? 0 : i], t->items[i]);
}

static void put_entries(tsm_state_encoder *e, const tsm_type *type, const tsm_dict *d) {
  int64_t position = 0;
  tsm_put_uv(&e->state, (uint64_t)d->length);
  for (tsm_dict_entry *entry; e->status == TSM_OK && (entry = tsm_dict_walk(d, &position));) {
    if (!tsm_pair_is_plain(NULL, entry->key)) fail(e, TSM_ERR_ARGUMENT, "a dict or set with instances as keys cannot be saved");
    put_value(e, type->members[0], entry->key);
    if (type->kind == TSM_T_DICT) put_value(e, type->members[1], entry->value);
  }
}

static void put_value(tsm_state_encoder *e, const tsm_type *type, tsm_pair v) {
  if (e->status != TSM_OK) return;
  bool is_present = !tsm_tag_is_ref(v.tag) || v.as.ref;
  switch (type->kind) {
    case TSM_T_NONE: break;
    case TSM_T_BOOL: tsm_put_u8(&e->state, v.as.i != 0); break;
    case TSM_T_INT: put_sv(&e->state, v.as.i); break;
    case TSM_T_FLOAT: put_f64(&e->state, v.as.f); break;
    case TSM_T_DTYPE: case TSM_T_DEVICE: case TSM_T_ENUM: tsm_put_uv(&e->state, (uint64_t)v.as.i); break;
    case TSM_T_COMPLEX:
      put_f64(&e->state, ((tsm_complex *)v.as.ref)->re);
      put_f64(&e->state, ((tsm_complex *)v.as.ref)->im);
      break;
    case TSM_T_STR: put_str(e, (tsm_str *)v.as.ref); break;
    case TSM_T_BYTES:
      tsm_put_uv(&e->state, ((tsm_bytes *)v.as.ref)->length);
      tsm_text_add(&e->state, (char *)((tsm_bytes *)v.as.ref)->bytes, ((tsm_bytes *)v.as.ref)->length);
      break;
    case TSM_T_TENSOR: tsm_put_uv(&e->state, tensor_number(e, (tsm_tensor *)v.as.ref)); break;
    case TSM_T_CLASS: case TSM_T_LIST: case TSM_T_DICT: case TSM_T_SET:
      if (tsm_is_deque(v.as.ref)) fail(e, TSM_ERR_ARGUMENT, "a deque cannot be saved");
      tsm_put_uv(&e->state, object_number(e, v.as.ref, type));
      break;
    case TSM_T_TUPLE: case TSM_T_NAMED_TUPLE: put_tuple(e, type, (tsm_tuple *)v.as.ref); break;
    case TSM_T_FROZENSET: put_entries(e, type, (tsm_dict *)v.as.ref); break;
    case TSM_T_OPTIONAL:
      is_present = is_present && TSM_TAG_KIND(v.tag) != TSM_NONE;
      tsm_put_u8(&e->state, is_present);
      if (is_present) put_value(e, type->members[0], v);
      break;
    case TSM_T_UNION: case TSM_T_SCALAR: case TSM_T_ANY:
      type = put_arm(e, type, is_present ? v : (tsm_pair){TSM_NONE, {0}});
      if (type) put_value(e, type, v);
      break;
    default: fail(e, TSM_ERR_ARGUMENT, "an attribute holds an exception, function or cell and cannot be saved"); break;
  }
}

static void put_attributes(tsm_state_encoder *e, const tsm_type *type, tsm_instance_object *o) {
  for (uint32_t i = 0; i < type->count && e->status == TSM_OK; i++) {
    bool is_set = tsm_attr_is_set(type, o, i);
    tsm_put_u8(&e->state, is_set);
    if (is_set) put_value(e, type->members[i], tsm_pair_from_slot(type->members[i], &o->slots[type->record[i]]));
  }
}

static void put_contents(tsm_state_encoder *e, encoded_object item) {
  const tsm_type *type = item.type;
  tsm_put_uv(&e->state, type->id);
  if (type->kind == TSM_T_CLASS) {
    put_attributes(e, type, (tsm_instance_object *)item.object);
  } else if (type->kind == TSM_T_LIST) {
    const tsm_list *l = (tsm_list *)item.object;
    tsm_put_uv(&e->state, (uint64_t)l->length);
    for (int64_t i = 0; i < l->length && e->status == TSM_OK; i++) put_value(e, type->members[0], tsm_list_peek(l, i));
  } else {
    put_entries(e, type, (tsm_dict *)item.object);
  }
}

static void encode_objects(tsm_state_encoder *e) {
  tsm_object *root = e->instance->root;
  tsm_text counted;
  if (root) object_number(e, root, root->type);
  for (size_t i = 0; i < e->object_count && e->status == TSM_OK; i++) put_contents(e, e->objects[i]);
  tsm_text_init(&counted, e->rt);
  tsm_put_uv(&counted, e->object_count);
  tsm_text_append(&counted, &e->state);
  tsm_put_uv(&counted, root ? 1 : 0);
  tsm_text_free(&e->state);
  e->state = counted;
}

static void see_constant(tsm_state_encoder *e, const tsm_pair *constant) {
  if (constant && constant->tag == TSM_TENSOR)
    tensor_number(e, tsm_instance_tensor(e->instance, (uint32_t)constant->as.i));
}

/* Tensors that functions use, in the order of the text. */
static void see_block(tsm_state_encoder *e, const tsm_block *block) {
  for (uint32_t i = 0; i < block->node_count && e->status == TSM_OK; i++) {
    const tsm_node *n = &block->nodes[i];
    if (n->code == TSM_N_CONST) see_constant(e, n->of.constant);
    for (uint32_t b = 0; b < n->block_count; b++) see_block(e, &n->blocks[b]);
  }
}

/* One constant as it is in the file, with the new number of a tensor. */
static void copy_constant(tsm_state_encoder *e, tsm_reader *r) {
  size_t start = r->at, length;
  const tsm_type *type = e->p->types[tsm_read_uv(r)];
  if (type->kind == TSM_T_TENSOR) {
    tsm_text_add(&e->constants, (const char *)r->bytes + start, r->at - start);
    tsm_put_uv(&e->constants, tensor_number(e, tsm_instance_tensor(e->instance, (uint32_t)tsm_read_uv(r))));
    return;
  }
  uint64_t count = type->kind == TSM_T_NONE ? 0 : 1;
  if (type->kind == TSM_T_TUPLE || type->kind == TSM_T_NAMED_TUPLE)
    count = type->is_variadic ? tsm_read_uv(r) : type->count;
  if (type->kind == TSM_T_COMPLEX || type->kind == TSM_T_FLOAT) r->at += type->kind == TSM_T_COMPLEX ? 16 : 8;
  else if (type->kind == TSM_T_BYTES) tsm_read_blob(r, &length);
  else
    for (; count; count--) tsm_read_uv(r);
  tsm_text_add(&e->constants, (const char *)r->bytes + start, r->at - start);
}

static void encode_constants(tsm_state_encoder *e) {
  tsm_reader r;
  for (uint32_t i = 0; i < e->p->section_count; i++)
    if (e->p->sections[i].kind == TSM_S_CONSTANTS)
      tsm_reader_init(&r, e->p->bytes + e->p->sections[i].offset, (size_t)e->p->sections[i].size, "CONSTANTS", 0, NULL);
  tsm_put_uv(&e->constants, tsm_read_uv(&r));
  for (uint32_t i = 0; i < e->p->constant_count && e->status == TSM_OK; i++) copy_constant(e, &r);
}

static void encode_all(tsm_state_encoder *e) {
  uint32_t number;
  for (uint32_t i = 0; i < e->p->string_count && e->status == TSM_OK; i++)
    if (tsm_intern_add(&e->strings, e->p->strings[i]->bytes, e->p->strings[i]->length, &number) != TSM_OK) no_memory(e);
  for (uint32_t i = 0; i < e->p->method_count && e->status == TSM_OK; i++)
    for (size_t k = 0; k < e->p->methods[i].info.param_count; k++) see_constant(e, e->p->methods[i].defaults[k]);
  if (e->status == TSM_OK) encode_objects(e);
  for (uint32_t i = 0; i < e->p->function_count && e->status == TSM_OK; i++) see_block(e, &e->p->functions[i].body);
  if (e->status == TSM_OK) encode_constants(e);
  if (e->state.failed || e->tensors.failed || e->constants.failed || e->new_strings.failed || e->new_types.failed)
    no_memory(e);
}

tsm_status tsm_state_encode(tsm_state_encoder *e, tsm_instance *instance, tsm_error *out_error) {
  memset(e, 0, sizeof *e);
  e->instance = instance;
  e->p = instance->program;
  e->rt = e->p->rt;
  e->out_error = out_error;
  tsm_text *texts[] = {&e->state, &e->tensors, &e->constants, &e->new_strings, &e->new_types};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) tsm_text_init(texts[i], e->rt);
  tsm_intern_init(&e->strings, e->rt);
  tsm_object_map_init(&e->object_numbers, e->rt);
  tsm_object_map_init(&e->tensor_numbers, e->rt);
  tsm_object_map_init(&e->storage_numbers, e->rt);
  for (int i = 0; i < TSM_T_COUNT; i++) e->type_of_kind[i] = -1;
  for (uint32_t i = e->p->type_count; i-- > 0;) e->type_of_kind[e->p->types[i]->kind] = i;
  encode_all(e);
  return e->status;
}

void tsm_state_encoder_free(tsm_state_encoder *e) {
  tsm_text *texts[] = {&e->state, &e->tensors, &e->constants, &e->new_strings, &e->new_types};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) tsm_text_free(texts[i]);
  tsm_intern_free(&e->strings);
  tsm_object_map_free(&e->object_numbers);
  tsm_object_map_free(&e->tensor_numbers);
  tsm_object_map_free(&e->storage_numbers);
  tsm_free(e->rt, e->objects, e->object_capacity * sizeof *e->objects);
  tsm_free(e->rt, e->storages, e->storage_capacity * sizeof *e->storages);
}
