/* test_faults.c - allocation number n fails, for every n: an error, nothing leaked, and what was there still works.
 * Holds for loading, making an instance, every method of every program of programs.h, saving, cloning, resetting. */
#include "arguments.h"
#include "check.h"
#include "programs.h"

enum { MAX_ALLOCATIONS = 20000, MAX_ARGUMENTS = 8 };

/* Fails allocation number `left`, counted from 0, and with `all` every later one; -1: none. */
typedef struct faults { long left; bool all; size_t live; } faults;

static void *faulty_alloc(void *user, void *block, size_t old_size, size_t new_size) {
  faults *f = user;
  if (!new_size) {
    if (block) f->live -= old_size;
    free(block);
    return NULL;
  }
  if (f->left == 0) {
    if (!f->all) f->left = -1;
    return NULL;
  }
  if (f->left > 0) f->left--;
  void *moved = realloc(block, new_size);
  if (moved) f->live += new_size - (block ? old_size : 0);
  return moved;
}

typedef struct fixture { faults *f; tsm_runtime *rt; tsm_program *p; tsm_instance *i; } fixture;

static bool discard(void *user, const void *bytes, size_t length) {
  (void)user;
  return bytes || !length;
}

/* ---- What is done while allocations fail: true once it was done without a failure */

static bool load_and_free(fixture *x, const program_image *image) {
  tsm_error e;
  tsm_program *p = tsm_program_load_copy(x->rt, image->bytes, image->length, NULL, &e);
  CHECK(p || (e.code == TSM_ERR_MEMORY && e.message[0]));
  tsm_instance *i = p ? tsm_instance_new(p, &e) : NULL;
  CHECK(!p || i || e.code == TSM_ERR_MEMORY);
  tsm_program_free(p);
  tsm_instance_free(i);
  return i != NULL;
}

static bool save(fixture *x) {
  tsm_error e;
  tsm_status status = tsm_instance_save(x->i, discard, NULL, &e);
  CHECK(status == TSM_OK || status == TSM_ERR_MEMORY);
  return status == TSM_OK;
}

static bool clone(fixture *x) {
  tsm_error e;
  tsm_instance *copy = tsm_instance_clone(x->i, &e);
  CHECK(copy || e.code == TSM_ERR_MEMORY);
  tsm_instance_free(copy);
  return copy != NULL;
}

static bool reset(fixture *x) {
  tsm_error e;
  tsm_status status = tsm_instance_reset(x->i, &e);
  CHECK(status == TSM_OK || status == TSM_ERR_MEMORY);
  return status == TSM_OK;
}

static void check_each(fixture *x, bool all, bool (*step)(fixture *)) {
  size_t before = x->f->live;
  bool is_done = false;
  for (long n = 0; !is_done && n < MAX_ALLOCATIONS; n++) {
    x->f->left = n;
    x->f->all = all;
    is_done = step(x);
    x->f->left = -1;
    CHECK(x->f->live == before);
  }
  CHECK(is_done && save(x));
}

/* ---- Calls */

static tsm_status call(fixture *x, tsm_instance *i, size_t method, uint64_t seed) {
  value_maker maker = {x->rt, &seed};
  tsm_method_info info;
  tsm_value args[MAX_ARGUMENTS], result = tsm_none();
  const char *names[MAX_ARGUMENTS];
  size_t named;
  tsm_error e;
  faults wanted = *x->f;
  x->f->left = -1;
  CHECK(tsm_program_method(x->p, method, &info) == TSM_OK);
  size_t made = make_arguments(&maker, &info, MAX_ARGUMENTS, args, names, &named);
  tsm_instance_set_fuel(i, 50000);
  x->f->left = wanted.left;
  tsm_status status = tsm_call_method(i, method, args, made, names, named, &result, &e);
  CHECK(!status || e.code == status);
  wanted.left = x->f->left;
  x->f->left = -1;
  if (status == TSM_OK) tsm_release(result);
  tsm_release_all(args, made);
  x->f->left = wanted.left;
  return status;
}

/* One call on a copy of the instance with allocation n failing, then the same call again without. True if n was more
 * than there were. */
static bool call_once(fixture *x, size_t method, long n, bool all, uint64_t seed, tsm_status expected) {
  size_t before = x->f->live;
  tsm_instance *copy = tsm_instance_clone(x->i, NULL);
  CHECK(copy != NULL);
  x->f->left = n;
  x->f->all = all;
  tsm_status status = call(x, copy, method, seed);
  bool has_failed = x->f->left == (all ? 0 : -1);
  x->f->left = -1;
  CHECK(status == expected || (has_failed && status == TSM_ERR_MEMORY));
  status = call(x, copy, method, seed);
  CHECK(status == expected || status == TSM_OK || status == TSM_ERR_RAISED);
  tsm_instance_free(copy);
  CHECK(x->f->live == before);
  return !has_failed;
}

static void check_method(fixture *x, size_t method, bool all, uint64_t seed) {
  tsm_instance *copy = tsm_instance_clone(x->i, NULL);
  tsm_status expected = call(x, copy, method, seed);
  CHECK(expected == TSM_OK || expected == TSM_ERR_RAISED);
  tsm_instance_free(copy);
  bool is_done = false;
  for (long n = 0; !is_done && n < MAX_ALLOCATIONS; n++) is_done = call_once(x, method, n, all, seed, expected);
  CHECK(is_done);
}

static void check_program(faults *f, const program_image *image, bool all) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.alloc = faulty_alloc;
  options.alloc_user = f;
  options.pooling = TSM_POOLING_OFF;
  fixture x = {f, tsm_runtime_new(&options, NULL), NULL, NULL};
  bool is_done = false;
  size_t before = f->live;
  for (long n = 0; !is_done && n < MAX_ALLOCATIONS; n++) {
    f->left = n;
    f->all = all;
    is_done = load_and_free(&x, image);
    f->left = -1;
    CHECK(f->live == before);
  }
  CHECK(is_done);
  x.p = tsm_program_load_copy(x.rt, image->bytes, image->length, NULL, NULL);
  x.i = x.p ? tsm_instance_new(x.p, NULL) : NULL;
  CHECK(x.i != NULL);
  if (!x.i) return;
  check_each(&x, all, save);
  check_each(&x, all, clone);
  check_each(&x, all, reset);
  for (size_t m = 0; m < tsm_program_method_count(x.p); m++)
    for (uint64_t seed = 1; seed <= 3; seed++) check_method(&x, m, all, seed);
  tsm_instance_free(x.i);
  tsm_program_free(x.p);
  CHECK(f->live == before);
  tsm_runtime_free(x.rt);
  CHECK(f->live == 0);
}

static void check_runtime(faults *f) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.alloc = faulty_alloc;
  options.alloc_user = f;
  options.pooling = TSM_POOLING_OFF;
  tsm_runtime *rt = NULL;
  for (long n = 0; !rt && n < MAX_ALLOCATIONS; n++) {
    tsm_error e;
    f->left = n;
    f->all = false;
    rt = tsm_runtime_new(&options, &e);
    f->left = -1;
    CHECK(rt || (e.code == TSM_ERR_MEMORY && f->live == 0));
  }
  CHECK(rt != NULL);
  tsm_runtime_free(rt);
  CHECK(f->live == 0);
}

int main(void) {
  faults f = {-1, false, 0};
  check_runtime(&f);
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    check_program(&f, &programs[i], false);
    check_program(&f, &programs[i], true);
  }
  return check_done();
}
