/* test_faults.c - allocation number n fails, for every n: TSM_ERR_MEMORY, nothing leaked, and what was there still works.
 * In: nothing, for the programs of programs.h; or SAMPLES FILE..., for .tsm files: so many numbers n of each step, spread
 * evenly, 0 for every n. Out: a line a file: failures made, calls they were made in, bytes that leaked.
 * Holds for loading, making an instance, every method, saving, loading what was saved, cloning, resetting; pooled and
 * not, with one failure or all from n on, and under memory caps from next to nothing to what all of it needs. */
#include "arguments.h"
#include "check.h"
#include "programs.h"

enum { MAX_ARGUMENTS = 8, SEEDS = 3, CAPS = 40, FUEL_SMALL = 50000, FUEL_FILE = 2000000 };

/* Fails allocation number `left`, counted from 0, and with `all` every later one; -1: none. */
typedef struct faults {
  long left, seen, injected, calls, samples;
  bool all;
  size_t live, leaked;
  uint64_t fuel;
} faults;

static void *faulty_alloc(void *user, void *block, size_t old_size, size_t new_size) {
  faults *f = user;
  if (!new_size) {
    if (block) f->live -= old_size;
    free(block);
    return NULL;
  }
  f->seen++;
  if (f->left == 0) {
    if (!f->all) f->left = -1;
    f->injected++;
    return NULL;
  }
  if (f->left > 0) f->left--;
  void *moved = realloc(block, new_size);
  if (moved) f->live += new_size - (block ? old_size : 0);
  return moved;
}

typedef struct fixture {
  faults *f;
  tsm_runtime *rt;
  tsm_program *p;
  tsm_instance *i;
  const program_image *image;
  bool is_pooled, all;
} fixture;

static tsm_runtime *new_runtime(faults *f, bool is_pooled, uint64_t cap, tsm_error *e) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.alloc = faulty_alloc;
  options.alloc_user = f;
  options.memory_cap = cap;
  options.threads = 1;
  options.pooling = is_pooled ? TSM_POOLING_ON : TSM_POOLING_OFF;
  return tsm_runtime_new(&options, e);
}

/* What grows when something leaks. A pooled runtime keeps its chunks. */
static size_t held(const fixture *x) { return x->is_pooled ? (size_t)tsm_runtime_memory(x->rt) : x->f->live; }

static void check_held(fixture *x, size_t before) {
  size_t now = held(x);
  CHECK(now == before);
  if (now > before) x->f->leaked += now - before;
}

/* The distance of the numbers n to try when there are `count`. */
static long stride(const faults *f, long count) { return f->samples && count > f->samples ? count / f->samples : 1; }

static void fail_at(fixture *x, long n) {
  x->f->left = n;
  x->f->all = x->all;
}

/* ---- What is done while allocations fail: true once it was done without a failure */

static bool load_and_free(fixture *x) {
  tsm_error e;
  tsm_program *p = tsm_program_load_copy(x->rt, x->image->bytes, x->image->length, NULL, &e);
  CHECK(p || (e.code == TSM_ERR_MEMORY && e.message[0]));
  tsm_instance *i = p ? tsm_instance_new(p, &e) : NULL;
  CHECK(!p || i || e.code == TSM_ERR_MEMORY);
  tsm_program_free(p);
  tsm_instance_free(i);
  return i != NULL;
}

typedef struct buffer { uint8_t *bytes; size_t length, capacity; } buffer;

static bool write_buffer(void *user, const void *bytes, size_t length) {
  buffer *b = user;
  if (b->length + length > b->capacity) {
    b->capacity = 2 * (b->length + length);
    b->bytes = realloc(b->bytes, b->capacity);
    if (!b->bytes) abort();
  }
  if (length) memcpy(b->bytes + b->length, bytes, length);
  b->length += length;
  return true;
}

static bool save_and_load(fixture *x) {
  tsm_error e;
  buffer b = {NULL, 0, 0};
  tsm_status status = tsm_instance_save(x->i, write_buffer, &b, &e);
  CHECK(status == TSM_OK || status == TSM_ERR_MEMORY);
  const program_image saved = {"saved", b.bytes, b.length}, *whole = x->image;
  x->image = &saved;
  bool is_done = status == TSM_OK && load_and_free(x);
  x->image = whole;
  free(b.bytes);
  return is_done;
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

static void check_each(fixture *x, bool (*step)(fixture *)) {
  x->f->seen = 0;
  CHECK(step(x));
  size_t before = held(x);
  const long count = x->f->seen;
  for (long n = 0; n < count; n += stride(x->f, count)) {
    fail_at(x, n);
    step(x);
    x->f->left = -1;
    check_held(x, before);
  }
  CHECK(step(x));
}

/* ---- Calls */

/* Only the call itself sees failures. Without arguments that fit: TSM_ERR_ARGUMENT. */
static tsm_status call(fixture *x, tsm_instance *i, size_t method, uint64_t seed) {
  value_maker maker = {x->rt, &seed};
  tsm_method_info info;
  tsm_value args[MAX_ARGUMENTS], result = tsm_none();
  const char *names[MAX_ARGUMENTS];
  size_t named;
  tsm_error e;
  long left = x->f->left;
  x->f->left = -1;
  CHECK(tsm_program_method(tsm_instance_program(i), method, &info) == TSM_OK);
  size_t made = make_arguments(&maker, &info, MAX_ARGUMENTS, args, names, &named);
  tsm_instance_set_fuel(i, x->f->fuel);
  x->f->left = left;
  x->f->seen = 0;
  tsm_status status = tsm_call_method(i, method, args, made, names, named, &result, &e);
  CHECK(!status || e.code == status);
  left = x->f->left;
  x->f->left = -1;
  if (status == TSM_OK) tsm_release(result);
  tsm_release_all(args, made);
  x->f->left = left;
  return status;
}

/* One call on a copy of the instance with allocation n failing, then the same call again without. */
static void call_once(fixture *x, size_t method, long n, uint64_t seed, tsm_status expected) {
  size_t before = held(x);
  tsm_instance *copy = tsm_instance_clone(x->i, NULL);
  CHECK(copy != NULL);
  if (!copy) return;
  fail_at(x, n);
  tsm_status status = call(x, copy, method, seed);
  bool has_failed = x->f->left == (x->all ? 0 : -1);
  x->f->left = -1;
  CHECK(status == expected || (has_failed && status == TSM_ERR_MEMORY));
  status = call(x, copy, method, seed);
  CHECK(status == expected || status == TSM_OK || status == TSM_ERR_RAISED);
  tsm_instance_free(copy);
  check_held(x, before);
}

static void check_method(fixture *x, size_t method, uint64_t seed) {
  long count = 0;
  tsm_status expected = TSM_OK;
  for (int round = 0; round < 2; round++) { /* the first makes what the program keeps: packed weights */
    tsm_instance *copy = tsm_instance_clone(x->i, NULL);
    CHECK(copy != NULL);
    if (!copy) return;
    expected = call(x, copy, method, seed);
    count = x->f->seen > count ? x->f->seen : count;
    tsm_instance_free(copy);
  }
  if (expected != TSM_OK && expected != TSM_ERR_RAISED) return;
  x->f->calls++;
  for (long n = 0; n < count; n += stride(x->f, count)) call_once(x, method, n, seed, expected);
}

static void check_program(faults *f, const program_image *image, bool is_pooled, bool all) {
  size_t start = f->live;
  fixture x = {f, new_runtime(f, is_pooled, 0, NULL), NULL, NULL, image, is_pooled, all};
  CHECK(x.rt != NULL);
  if (!x.rt) return;
  check_each(&x, load_and_free);
  x.p = tsm_program_load_copy(x.rt, image->bytes, image->length, NULL, NULL);
  x.i = x.p ? tsm_instance_new(x.p, NULL) : NULL;
  CHECK(x.i != NULL);
  if (!x.i) return;
  check_each(&x, save_and_load);
  check_each(&x, clone);
  check_each(&x, reset);
  for (size_t m = 0; m < tsm_program_method_count(x.p); m++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) check_method(&x, m, seed);
  tsm_instance_free(x.i);
  tsm_program_free(x.p);
  tsm_runtime_free(x.rt);
  CHECK(f->live == start);
  if (f->live > start) f->leaked += f->live - start;
}

/* ---- Memory caps */

/* Loads, calls and saves in a runtime of its own. Returns the most memory it took. */
static uint64_t run_capped(faults *f, const program_image *image, bool is_pooled, uint64_t cap) {
  tsm_error e;
  tsm_runtime *rt = new_runtime(f, is_pooled, cap, &e);
  CHECK(rt || e.code == TSM_ERR_MEMORY);
  if (!rt) return 0;
  fixture x = {f, rt, tsm_program_load_copy(rt, image->bytes, image->length, NULL, &e), NULL, image, is_pooled, false};
  CHECK(x.p || (cap && e.code == TSM_ERR_MEMORY));
  x.i = x.p ? tsm_instance_new(x.p, &e) : NULL;
  CHECK(!x.p || x.i || (cap && e.code == TSM_ERR_MEMORY));
  for (size_t m = 0; x.i && m < tsm_program_method_count(x.p); m++) {
    tsm_status status = call(&x, x.i, m, 1);
    CHECK(cap || status != TSM_ERR_MEMORY);
    CHECK(status != TSM_ERR_INTERNAL);
    f->injected += status == TSM_ERR_MEMORY;
  }
  f->injected += !x.i;
  bool is_saved = x.i && save_and_load(&x);
  CHECK(cap || is_saved);
  tsm_instance_free(x.i);
  tsm_program_free(x.p);
  uint64_t peak = tsm_runtime_memory_peak(rt);
  CHECK(!cap || peak <= cap);
  tsm_runtime_free(rt);
  return peak;
}

static void check_caps(faults *f, const program_image *image, bool is_pooled) {
  size_t start = f->live;
  const long count = f->samples ? f->samples : CAPS;
  uint64_t peak = run_capped(f, image, is_pooled, 0);
  for (long i = 1; i <= count; i++) {
    run_capped(f, image, is_pooled, peak / (uint64_t)count * (uint64_t)i + 1);
    CHECK(f->live == start);
    if (f->live > start) f->leaked += f->live - start;
  }
}

static void check_image(faults *f, const program_image *image) {
  for (int all = 0; all < 2; all++) {
    check_program(f, image, false, all);
    check_program(f, image, true, all);
    check_caps(f, image, all);
  }
}

static void check_runtime(faults *f) {
  tsm_runtime *rt = NULL;
  for (long n = 0; !rt; n++) {
    tsm_error e;
    f->left = n;
    f->all = false;
    rt = new_runtime(f, false, 0, &e);
    f->left = -1;
    CHECK(rt || (e.code == TSM_ERR_MEMORY && f->live == 0));
  }
  tsm_runtime_free(rt);
  CHECK(f->live == 0);
}

static void check_file(const char *path, long samples) {
  faults f = {.left = -1, .samples = samples, .fuel = FUEL_FILE};
  static uint8_t bytes[1 << 22];
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  if (!file) return;
  const program_image image = {path, bytes, fread(bytes, 1, sizeof bytes, file)};
  fclose(file);
  check_image(&f, &image);
  printf("%s injected %ld calls %ld leaked %zu\n", path, f.injected, f.calls, f.leaked);
}

int main(int argc, char **argv) {
  for (int i = 2; i < argc; i++) check_file(argv[i], atol(argv[1]));
  if (argc > 2) return check_done();
  faults f = {.left = -1, .fuel = FUEL_SMALL};
  check_runtime(&f);
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) check_image(&f, &programs[i]);
  return check_done();
}
