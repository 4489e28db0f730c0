/* runtime.c - the runtime's life, statuses and error texts.
 * In: the host's options. Out: a runtime with its operator table and shared heap.
 * Holds: a runtime goes with the last of the caller's hold, its programs, contexts and shared objects. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "op/op.h"
#include "pool.h"
#include "simd/pointwise.h"

enum { SLACK = 1 << 20 };
enum { SPIN_US = 50 };

#if defined(__SANITIZE_ADDRESS__)
#define IS_ADDRESS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_ADDRESS_SANITIZED 1
#endif
#endif
#ifndef IS_ADDRESS_SANITIZED
#define IS_ADDRESS_SANITIZED 0
#endif

static void *default_alloc(void *user, void *block, size_t old_size, size_t new_size) {
  (void)user;
  (void)old_size;
  if (new_size) return realloc(block, new_size);
  free(block);
  return NULL;
}

const char *tsm_version(void) { return TSM_VERSION; }

const char *tsm_status_text(tsm_status status) {
  switch (status) {
#define TSM_STATUS_TEXT_(name, text) case name: return text;
    TSM_STATUS_LIST(TSM_STATUS_TEXT_)
#undef TSM_STATUS_TEXT_
    default: return "unknown status";
  }
}

void tsm_text_fit(char *out, size_t capacity, const char *text, size_t length) {
  if (!capacity) return;
  if (length >= capacity) {
    length = capacity - 1;
    while (length && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
  }
  if (length) memmove(out, text, length);
  out[length] = 0;
}

tsm_noted tsm_error_set(tsm_error *out_error, tsm_status code, const char *format, ...) {
  if (!out_error) return code;
  memset(out_error, 0, sizeof *out_error);
  out_error->code = code;
  char text[sizeof out_error->message + 8]; /* longer, so that a cut character is seen as such */
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (length < 0) length = 0;
  size_t have = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
  tsm_text_fit(out_error->message, sizeof out_error->message, text, have);
  return code;
}

bool tsm_struct_read(void *full, size_t full_size, const void *given, const char *name,
                     tsm_error *out_error) {
  if (!given) return true;
  size_t size;
  memcpy(&size, given, sizeof size);
  if (size < sizeof size) {
    tsm_error_set(out_error, TSM_ERR_ARGUMENT, "%s.size must be sizeof(%s)", name, name);
    return false;
  }
  memcpy(full, given, size < full_size ? size : full_size);
  return true;
}

static void apply_tuning(tsm_runtime *rt, const tsm_tuning *tuning) {
  const uint32_t spin_us = tuning->spin_us ? tuning->spin_us : SPIN_US;
  rt->tuning = *tuning;
  rt->spin_ns = spin_us == TSM_SPIN_NEVER ? 0 : (uint64_t)spin_us * 1000;
  rt->asks_memory = tuning->fetching ? tuning->fetching == TSM_CHOICE_ALWAYS : tsm_asks_memory();
}

static void apply_options(tsm_runtime *rt, const tsm_runtime_options *o) {
  rt->alloc = o->alloc ? o->alloc : default_alloc;
  rt->alloc_user = o->alloc_user;
  rt->print = o->print;
  rt->print_error = o->print_error;
  rt->warn = o->warn;
  rt->text_user = o->text_user;
  rt->poll = o->poll;
  rt->poll_user = o->poll_user;
  rt->memory_cap = o->memory_cap;
  rt->file_cap = o->file_cap;
  rt->threads = tsm_thread_count(o->threads);
  rt->recursion_cap = o->recursion_cap ? o->recursion_cap : 1000;
  rt->is_pooled = o->pooling == TSM_POOLING_ON || (o->pooling == TSM_POOLING_DEFAULT && !IS_ADDRESS_SANITIZED);
  rt->blocks.alloc = o->alloc;
  rt->blocks.alloc_user = o->alloc_user;
  /* Free blocks between those in use are not under the cap, but may not be many times more either. */
  uint64_t cap = rt->memory_cap;
  if (cap && cap < UINT64_MAX / 2) rt->blocks.held_cap = cap + cap / 4 + SLACK;
}

static void runtime_destroy(tsm_runtime *rt) {
  tsm_pool_free(rt);
  if (rt->ops) tsm_op_table_free(rt, rt->ops);
  void *rows = (void *)(uintptr_t)rt->rows;
  if (rows) tsm_free(rt, rows, sizeof *rt->rows);
  if (rt->shared) tsm_heap_close(rt->shared);
  tsm_blocks_close(&rt->blocks);
  rt->alloc(rt->alloc_user, rt, sizeof *rt, 0);
}

static tsm_status runtime_fill(tsm_runtime *rt) {
  rt->shared = tsm_heap_new(rt, NULL);
  tsm_row_set *rows = tsm_alloc(rt, sizeof *rows);
  rt->rows = rows;
  if (!rt->shared || !rows) return TSM_ERR_MEMORY;
  tsm_rows_fill(rt->isa, rows);
  return tsm_op_table_new(rt, &rt->ops);
}

tsm_runtime *tsm_runtime_new(const tsm_runtime_options *options, tsm_error *out_error) {
  tsm_runtime_options full = TSM_RUNTIME_OPTIONS_INIT;
  tsm_tuning tuning = TSM_TUNING_INIT;
  if (!tsm_struct_read(&full, sizeof full, options, "tsm_runtime_options", out_error) ||
      !tsm_struct_read(&tuning, sizeof tuning, full.tuning, "tsm_tuning", out_error))
    return NULL;
  tsm_isa isa = tsm_isa_best();
  if (full.isa && !tsm_isa_find(full.isa, &isa)) {
    tsm_error_set(out_error, TSM_ERR_ARGUMENT, "tsm_runtime_options.isa: no instruction set '%s' here; the best is '%s'",
                  full.isa, tsm_isa_name(isa));
    return NULL;
  }
  tsm_alloc_fn alloc = full.alloc ? full.alloc : default_alloc;
  tsm_runtime *rt = NULL;
  if (!full.memory_cap || full.memory_cap >= sizeof *rt) rt = alloc(full.alloc_user, NULL, 0, sizeof *rt);
  tsm_status status = TSM_ERR_MEMORY;
  if (rt) {
    memset(rt, 0, sizeof *rt);
    apply_options(rt, &full);
    apply_tuning(rt, &tuning);
    rt->isa = isa;
    tsm_streams_init(&rt->streams, full.seed ? full.seed : TSM_DEFAULT_SEED);
    atomic_init(&rt->refs, 1);
    atomic_init(&rt->memory, sizeof *rt);
    atomic_init(&rt->memory_peak, sizeof *rt);
    atomic_init(&rt->tensors, 0);
    atomic_init(&rt->tensors_peak, 0);
    status = runtime_fill(rt);
    if (status == TSM_OK) return rt;
    runtime_destroy(rt);
  }
  tsm_error_set(out_error, status, "%s", tsm_status_text(status));
  return NULL;
}

void tsm_runtime_release(tsm_runtime *rt) {
  if (tsm_runtime_drop(rt)) runtime_destroy(rt);
}

void tsm_runtime_free(tsm_runtime *runtime) {
  if (runtime) tsm_runtime_release(runtime);
}

const char *tsm_runtime_isa(const tsm_runtime *runtime) { return tsm_isa_name(runtime->isa); }

void tsm_runtime_seed(tsm_runtime *runtime, uint64_t seed) { tsm_streams_seed(&runtime->streams, seed); }

void tsm_runtime_random(tsm_runtime *runtime, uint64_t out_state[2]) {
  tsm_random_get(&runtime->streams.tensors, &out_state[0], &out_state[1]);
}

void tsm_runtime_set_random(tsm_runtime *runtime, const uint64_t state[2]) {
  tsm_random_set(&runtime->streams.tensors, state[0], state[1]);
}

uint32_t tsm_runtime_threads(const tsm_runtime *runtime) { return runtime->threads; }
