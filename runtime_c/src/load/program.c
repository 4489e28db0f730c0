/* program.c - the life of a program: where its bytes come from, who holds it, what goes with it.
 * In: a path or bytes. Out: a loaded program with one hold.
 * Holds: bytes that were borrowed are given back exactly once, and only if loading succeeded. */
#include "load.h"
#include "tensor/packed.h"

uint8_t *tsm_image_new(tsm_runtime *rt, size_t length) {
  size_t block;
  if (tsm_add_overflows(length, (size_t)TSM_ALIGNMENT, &block) || block > PTRDIFF_MAX) return NULL;
  uint8_t *start = tsm_alloc(rt, block);
  if (!start) return NULL;
  uint8_t shift = (uint8_t)(TSM_ALIGNMENT - (uintptr_t)start % TSM_ALIGNMENT); /* 1 .. 64 */
  start[shift - 1] = shift;
  return start + shift;
}

void tsm_image_free(tsm_runtime *rt, uint8_t *bytes, size_t length) {
  if (bytes) tsm_free(rt, bytes - bytes[-1], length + TSM_ALIGNMENT);
}

static bool owns_object(const tsm_type *type) {
  return type->kind == TSM_T_COMPLEX || type->kind == TSM_T_BYTES || type->kind == TSM_T_TUPLE ||
         type->kind == TSM_T_NAMED_TUPLE;
}

static void free_immortal(tsm_object *o) {
  atomic_store_explicit(&o->refs, 1, memory_order_relaxed);
  tsm_object_free(o);
}

/* Later constants are made of earlier ones, so the last goes first. */
static void free_constants(tsm_program *p) {
  for (uint32_t i = p->constant_count; i-- > 0;)
    if (owns_object(p->constant_types[i])) free_immortal(p->constants[i].as.ref);
  for (uint32_t i = 0; i < p->string_count; i++) free_immortal((tsm_object *)(uintptr_t)&p->strings[i]->head);
}

static void free_bytes(tsm_program *p) {
  if (p->bytes_from == TSM_BYTES_OWNED) tsm_image_free(p->rt, (uint8_t *)(uintptr_t)p->bytes, p->length);
  else if (p->bytes_from == TSM_BYTES_MAPPED) tsm_file_unmap(p->bytes, p->length);
  else if (p->release) p->release(p->release_user);
}

static void program_destroy(tsm_program *p) {
  tsm_runtime *rt = p->rt;
  free_constants(p);
  for (uint32_t i = 0; p->shared_storages && i < p->storage_count; i++)
    if (p->shared_storages[i]) tsm_storage_unref(p->shared_storages[i]);
  for (uint32_t i = 0; p->packed && i < p->storage_count; i++) tsm_packed_free(rt, &p->packed[i]);
  if (p->heap) tsm_heap_close(p->heap);
  tsm_arena_free(&p->arena);
  tsm_image_free(rt, p->swapped, (size_t)p->data_length);
  free_bytes(p);
  tsm_free(rt, p, sizeof *p);
  tsm_runtime_release(rt);
}

void tsm_program_retain(tsm_program *p) { atomic_fetch_add_explicit(&p->refs, 1, memory_order_relaxed); }

void tsm_program_free(tsm_program *program) {
  if (program && atomic_fetch_sub_explicit(&program->refs, 1, memory_order_acq_rel) == 1) program_destroy(program);
}

static tsm_program *out_of_memory(tsm_error *out_error) {
  tsm_error_set(out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
  return NULL;
}

/* A program without bytes. */
static tsm_program *program_new(tsm_runtime *rt) {
  tsm_program *p = tsm_alloc_zeroed(rt, sizeof *p);
  if (!p) return NULL;
  atomic_init(&p->refs, 1);
  p->rt = rt;
  p->root = -1;
  tsm_arena_init(&p->arena, rt);
  tsm_runtime_retain(rt);
  p->heap = tsm_heap_new(rt, NULL);
  if (p->heap) return p;
  tsm_program_free(p);
  return NULL;
}

/* Decodes p's bytes. On failure p is freed, its bytes are not: they are the caller's again. */
static tsm_program *finish(tsm_program *p, const tsm_load_options *options, tsm_error *out_error) {
  tsm_load_options full = TSM_LOAD_OPTIONS_INIT;
  uint8_t bytes_from = p->bytes_from;
  if (tsm_struct_read(&full, sizeof full, options, "tsm_load_options", out_error) &&
      tsm_program_decode(p, &full, out_error) == TSM_OK)
    return p;
  p->bytes_from = TSM_BYTES_BORROWED;
  p->release = NULL;
  const uint8_t *bytes = p->bytes;
  size_t length = p->length;
  tsm_runtime *rt = p->rt;
  tsm_runtime_retain(rt);
  tsm_program_free(p);
  if (bytes_from == TSM_BYTES_OWNED) tsm_image_free(rt, (uint8_t *)(uintptr_t)bytes, length);
  if (bytes_from == TSM_BYTES_MAPPED) tsm_file_unmap(bytes, length);
  tsm_runtime_release(rt);
  return NULL;
}

/* Takes over bytes that were read (OWNED) or MAPPED. */
static tsm_program *load_taken(tsm_runtime *rt, const uint8_t *bytes, size_t length, uint8_t bytes_from,
                               const tsm_load_options *options, tsm_error *out_error) {
  tsm_program *p = program_new(rt);
  if (!p) {
    if (bytes_from == TSM_BYTES_OWNED) tsm_image_free(rt, (uint8_t *)(uintptr_t)bytes, length);
    else tsm_file_unmap(bytes, length);
    return out_of_memory(out_error);
  }
  p->bytes = bytes;
  p->length = length;
  p->bytes_from = bytes_from;
  return finish(p, options, out_error);
}

static bool is_in_order(tsm_runtime *rt, const void *source, size_t length, tsm_error *out_error) {
  if (out_error) memset(out_error, 0, sizeof *out_error);
  if (!rt || !source) {
    tsm_error_set(out_error, TSM_ERR_ARGUMENT, "%s is NULL", rt ? "the file" : "the runtime");
    return false;
  }
  if (rt->file_cap && length > rt->file_cap) {
    tsm_error_set(out_error, TSM_ERR_LIMIT, "%zu bytes are more than the cap of %llu", length,
                  (unsigned long long)rt->file_cap);
    return false;
  }
  return true;
}

tsm_program *tsm_program_open(tsm_runtime *runtime, const char *path, const tsm_load_options *options,
                              tsm_error *out_error) {
  uint8_t *bytes;
  size_t length;
  if (!is_in_order(runtime, path, 0, out_error)) return NULL;
  if (tsm_file_read(runtime, path, &bytes, &length, out_error) != TSM_OK) return NULL;
  return load_taken(runtime, bytes, length, TSM_BYTES_OWNED, options, out_error);
}

tsm_program *tsm_program_load_copy(tsm_runtime *runtime, const void *bytes, size_t length,
                                   const tsm_load_options *options, tsm_error *out_error) {
  if (!is_in_order(runtime, bytes, length, out_error)) return NULL;
  uint8_t *copy = tsm_image_new(runtime, length);
  if (!copy) return out_of_memory(out_error);
  memcpy(copy, bytes, length);
  return load_taken(runtime, copy, length, TSM_BYTES_OWNED, options, out_error);
}

tsm_program *tsm_program_load_borrow(tsm_runtime *runtime, const void *bytes, size_t length, tsm_release_fn release,
                                     void *user, const tsm_load_options *options, tsm_error *out_error) {
  if (!is_in_order(runtime, bytes, length, out_error)) return NULL;
  if ((uintptr_t)bytes % TSM_ALIGNMENT) {
    tsm_error_set(out_error, TSM_ERR_ARGUMENT, "borrowed bytes must be aligned to %d bytes", TSM_ALIGNMENT);
    return NULL;
  }
  tsm_program *p = program_new(runtime);
  if (!p) return out_of_memory(out_error);
  p->bytes = bytes;
  p->length = length;
  p->bytes_from = TSM_BYTES_BORROWED;
  p->release = release;
  p->release_user = user;
  return finish(p, options, out_error);
}

tsm_program *tsm_program_map(tsm_runtime *runtime, const char *path, const tsm_load_options *options,
                             tsm_error *out_error) {
  const uint8_t *bytes;
  size_t length;
  if (!is_in_order(runtime, path, 0, out_error)) return NULL;
  if (tsm_file_map(path, &bytes, &length, out_error) != TSM_OK) return NULL;
  if (!is_in_order(runtime, path, length, out_error)) {
    tsm_file_unmap(bytes, length);
    return NULL;
  }
  return load_taken(runtime, bytes, length, TSM_BYTES_MAPPED, options, out_error);
}
