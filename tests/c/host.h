/* host.h - for tests: an allocator that counts and fails on demand, and operators called by name. */
#ifndef HOST_H
#define HOST_H

#include "../../runtime_c/include/tsm.h"
#include "check.h"

typedef struct counting { long blocks, bytes, calls, fail_at; } counting; /* fail_at < 0: never */

/* Fails the fail_at-th request for memory (0-based) and checks that sizes come back exactly. */
static inline void *counting_alloc(void *user, void *block, size_t old_size, size_t new_size) {
  counting *c = user;
  if (new_size > old_size && c->calls++ == c->fail_at) return NULL;
  size_t *header = block ? (size_t *)block - 2 : NULL;
  if (header && header[0] != old_size) {
    fprintf(stderr, "a block of %zu bytes came back as %zu\n", header[0], old_size);
    exit(1);
  }
  c->bytes += (long)new_size - (long)old_size;
  c->blocks += (new_size != 0) - (block != NULL);
  if (!new_size) {
    free(header);
    return NULL;
  }
  header = realloc(header, new_size + 2 * sizeof(size_t));
  if (!header) exit(1);
  header[0] = new_size;
  return header + 2;
}

static inline tsm_runtime *counting_runtime(counting *c, long fail_at, tsm_error *error) {
  *c = (counting){0, 0, 0, fail_at};
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.alloc = counting_alloc;
  options.alloc_user = c;
  options.pooling = TSM_POOLING_OFF;
  return tsm_runtime_new(&options, error);
}

/* Number of an operator; exits when there is none. */
static inline size_t op_number(const char *name, const char *overload) {
  tsm_op_info info;
  for (size_t i = 0; tsm_op_get(i, &info) == TSM_OK; i++)
    if (strcmp(info.name, name) == 0 && strcmp(info.overload, overload) == 0) return i;
  fprintf(stderr, "no operator %s.%s\n", name, overload);
  exit(1);
}

static inline tsm_value text_value(tsm_runtime *rt, const char *text) {
  tsm_value v;
  CHECK(tsm_str_copy(rt, text, strlen(text), &v) == TSM_OK);
  return v;
}

/* Whether repr(value) is `want`. */
static inline int has_repr(tsm_runtime *rt, tsm_value value, const char *want) {
  tsm_value text;
  if (tsm_value_text(rt, value, true, &text) != TSM_OK) return 0;
  int is_same = strcmp(tsm_str_borrow(text, NULL), want) == 0;
  if (!is_same) fprintf(stderr, "repr is %s\n", tsm_str_borrow(text, NULL));
  tsm_release(text);
  return is_same;
}

#endif
