/* string.c - str objects: immutable UTF-8 with constant-time indexing by code point.
 * Holds: the lazily made hash and index are published atomically, so threads may share constants. */
#include "base/context.h"

enum { STRIDE = 64 };

static bool is_start(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

tsm_str *tsm_str_new(tsm_heap *heap, const char *bytes, size_t length) {
  if (length > INT32_MAX) return NULL;
  tsm_str *s = tsm_object_alloc(heap, sizeof *s + length + 1, TSM_STR, NULL);
  if (!s) return NULL;
  s->length = (uint32_t)length;
  s->chars = 0;
  s->hash = 0;
  s->index = NULL;
  s->bytes[length] = 0;
  if (bytes) {
    if (length) memcpy(s->bytes, bytes, length);
    tsm_str_finish(s);
  }
  return s;
}

void tsm_str_finish(tsm_str *s) {
  uint32_t chars = 0;
  for (uint32_t i = 0; i < s->length; i++) chars += is_start(s->bytes[i]);
  s->chars = chars;
}

/* A size with at most a quarter to spare: the same for all sizes up to it that are over the step below. */
static size_t with_room(size_t size) {
  size_t step = ((size_t)1 << (8 * sizeof(long) - 1 - (unsigned)__builtin_clzl(size))) / 4;
  if (step < 16) step = 16;
  return (size + step - 1) / step * step;
}

size_t tsm_str_block(const tsm_str *s) {
  size_t size = sizeof *s + s->length + 1;
  return s->head.flags & TSM_OBJ_ROOMY ? with_room(size) : size;
}

tsm_str *tsm_str_append(tsm_str *s, const tsm_str *tail) {
  size_t length = (size_t)s->length + tail->length, size = sizeof *s + length + 1, have = tsm_str_block(s);
  if (length > INT32_MAX) return NULL;
  tsm_runtime *rt = s->head.heap->rt;
  if (s->index) tsm_free(rt, s->index, ((size_t)s->chars / STRIDE + 1) * sizeof *s->index);
  s->index = NULL;
  if (size > have) {
    tsm_str *moved = tsm_realloc(rt, s, have, with_room(size));
    if (!moved) return NULL;
    s = moved;
    s->head.flags |= TSM_OBJ_ROOMY;
  }
  memcpy(s->bytes + s->length, tail->bytes, (size_t)tail->length + 1);
  s->length = (uint32_t)length;
  s->chars += tail->chars;
  s->hash = 0;
  return s;
}

/* Byte offset of the n-th character after `at`. */
static size_t skip_chars(const tsm_str *s, size_t at, size_t n) {
  while (n) {
    at++;
    if (at >= s->length || is_start(s->bytes[at])) n--;
  }
  return at;
}

/* NULL when out of memory or stopped. */
static uint32_t *make_index(tsm_context *ctx, const tsm_str *s) {
  enum { PART = 4096 };
  size_t count = (size_t)s->chars / STRIDE + 1;
  uint32_t *index = tsm_alloc_array(s->head.heap->rt, count, sizeof *index);
  if (!index) return NULL;
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    index[i] = (uint32_t)at;
    if (i % PART == 0 && !tsm_pay(ctx, (int64_t)(count - i < PART ? count - i : PART), 4 * STRIDE)) {
      tsm_free(s->head.heap->rt, index, count * sizeof *index);
      return NULL;
    }
    if (i + 1 < count) at = skip_chars(s, at, STRIDE);
  }
  return index;
}

size_t tsm_str_offset(tsm_context *ctx, tsm_str *s, size_t i) {
  if (s->chars == s->length) return i;
  if (i >= s->chars) return s->length;
  if (i < STRIDE) return skip_chars(s, 0, i);
  uint32_t *index = __atomic_load_n(&s->index, __ATOMIC_ACQUIRE);
  if (!index) {
    uint32_t *mine = make_index(ctx, s);
    if (!mine) return (size_t)-1;
    if (__atomic_compare_exchange_n(&s->index, &index, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) index = mine;
    else tsm_free(s->head.heap->rt, mine, ((size_t)s->chars / STRIDE + 1) * sizeof *mine);
  }
  return skip_chars(s, index[i / STRIDE], i % STRIDE);
}

uint64_t tsm_str_hash(tsm_context *ctx, tsm_str *s) {
  uint64_t hash = __atomic_load_n(&s->hash, __ATOMIC_RELAXED);
  if (hash) return hash;
  hash = tsm_hash_bytes(ctx, s->bytes, s->length);
  if (tsm_has_stopped(ctx)) return hash;
  __atomic_store_n(&s->hash, hash, __ATOMIC_RELAXED);
  return hash;
}

uint64_t tsm_hash_bytes(tsm_context *ctx, const void *bytes, size_t length) {
  enum { FREE = 64, PART = 1 << 18 };
  const unsigned char *p = bytes;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length;) {
    size_t end = length - i < PART ? length : i + PART;
    if (length > FREE && !tsm_pay(ctx, (int64_t)(end - i), 1)) return 1;
    for (; i < end; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  }
  hash ^= hash >> 32;
  hash *= UINT64_C(0xd6e8feb86659fd93);
  hash ^= hash >> 32;
  return hash ? hash : 1;
}
