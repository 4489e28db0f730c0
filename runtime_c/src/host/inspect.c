/* inspect.c - what a host may ask a program: methods, defaults, metadata, extra files, operators.
 * Holds: all texts live as long as the program. */
#include "load/load.h"

size_t tsm_program_method_count(const tsm_program *program) { return program->method_count; }

tsm_status tsm_program_method(const tsm_program *program, size_t index, tsm_method_info *out_info) {
  if (index >= program->method_count) return TSM_ERR_NOT_FOUND;
  *out_info = program->methods[index].info;
  return TSM_OK;
}

int32_t tsm_program_find(const tsm_program *program, const char *name) {
  uint32_t low = 0, high = program->method_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = strcmp(program->methods[middle].info.name, name);
    if (!order) return (int32_t)middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

const tsm_type *tsm_enum_type(const tsm_program *program, tsm_value value) {
  if (value.kind != TSM_ENUM || value.type >= program->type_count) return NULL;
  const tsm_type *type = program->types[value.type];
  return type->kind == TSM_T_ENUM ? type : NULL;
}

const tsm_type *tsm_program_type(const tsm_program *program, size_t number) {
  return number < program->type_count ? program->types[number] : NULL;
}

static void release_program(void *user) { tsm_program_free(user); }

/* A storage of the file for a holder of its own: over the program's bytes, kept alive, or the host's bound one. */
tsm_storage *tsm_program_storage(tsm_program *p, uint32_t number) {
  const tsm_file_storage *s = &p->storages[number];
  tsm_storage *bound = p->shared_storages[number];
  if (bound && !p->bound_is_constant) {
    atomic_fetch_add_explicit(&bound->refs, 1, memory_order_relaxed);
    return bound;
  }
  void *data = bound ? bound->data : (void *)(uintptr_t)(p->data + s->offset);
  tsm_storage *storage = tsm_storage_borrow(p->rt, 0, data, (size_t)s->bytes, TSM_ST_COW | TSM_ST_KEPT, release_program,
                                            p);
  if (!storage) return NULL;
  tsm_program_retain(p);
  atomic_store_explicit(&storage->packed, &p->packed[number], memory_order_relaxed);
  return storage;
}

static tsm_status export_tensor(tsm_program *p, uint32_t number, tsm_value *out_value) {
  const tsm_file_tensor *t = &p->tensors[number];
  tsm_storage *s = tsm_program_storage(p, t->storage);
  tsm_tensor *tensor = s ? tsm_tensor_over(p->rt, s, t->dtype, t->rank, t->dims, t->dims + t->rank, t->offset) : NULL;
  if (s) tsm_storage_unref(s);
  if (!tensor) return TSM_ERR_MEMORY;
  out_value->kind = TSM_TENSOR;
  out_value->as.ref = &tensor->head;
  return TSM_OK;
}

tsm_status tsm_program_default(const tsm_program *program, size_t method, size_t param, tsm_value *out_value) {
  *out_value = tsm_none();
  if (method >= program->method_count || param >= program->methods[method].info.param_count) return TSM_ERR_NOT_FOUND;
  const tsm_pair *value = program->methods[method].defaults[param];
  if (!value) return TSM_ERR_NOT_FOUND;
  tsm_program *p = (tsm_program *)(uintptr_t)program; /* only its count changes */
  if (value->tag == TSM_TENSOR) return export_tensor(p, (uint32_t)value->as.i, out_value);
  return tsm_pair_export(p->rt, *value, out_value);
}

size_t tsm_program_metadata_count(const tsm_program *program) { return program->metadata_count; }

tsm_status tsm_program_metadata(const tsm_program *program, size_t index, const char **out_key, const char **out_value,
                                size_t *out_value_length) {
  if (index >= program->metadata_count) return TSM_ERR_NOT_FOUND;
  *out_key = program->metadata[index].key;
  *out_value = program->metadata[index].value;
  if (out_value_length) *out_value_length = program->metadata[index].value_length;
  return TSM_OK;
}

size_t tsm_program_extra_count(const tsm_program *program) { return program->extra_count; }

tsm_status tsm_program_extra(const tsm_program *program, size_t index, const char **out_name, const void **out_bytes,
                             size_t *out_length) {
  if (index >= program->extra_count) return TSM_ERR_NOT_FOUND;
  *out_name = program->extras[index].key;
  *out_bytes = program->extras[index].value;
  *out_length = program->extras[index].value_length;
  return TSM_OK;
}

tsm_status tsm_program_source(const tsm_program *program, const char *file, const char **out_text, size_t *out_length) {
  const tsm_section *s = tsm_program_section(program, TSM_S_TEXT);
  if (!s) return TSM_ERR_NOT_FOUND;
  tsm_reader r; /* loading has checked the section */
  tsm_reader_init(&r, program->bytes + s->offset, (size_t)s->size, "TEXT", s->offset, NULL);
  for (uint32_t left = tsm_read_count(&r, 2, "files"); left; left--) {
    size_t length;
    const char *path = tsm_read_text(&r, &length);
    *out_text = tsm_read_text(&r, out_length);
    if (length == strlen(file) && memcmp(path, file, length) == 0) return TSM_OK;
  }
  return TSM_ERR_NOT_FOUND;
}

size_t tsm_program_operator_count(const tsm_program *program) { return program->operator_count; }

const char *tsm_program_operator(const tsm_program *program, size_t index) {
  return index < program->operator_count ? program->operator_names[index] : NULL;
}
