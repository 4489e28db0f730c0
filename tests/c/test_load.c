/* test_load.c - the loader and the state of instances: what is right loads, what is wrong is refused with a reason,
 * and failing allocations leave nothing behind. */
#include <pthread.h>

#include "check.h"
#include "image.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_LARGE_FRAMES
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_LARGE_FRAMES
#endif

static tsm_program *load(tsm_runtime *rt, const uint8_t *file, size_t length, tsm_error *error) {
  tsm_load_options options = TSM_LOAD_OPTIONS_INIT;
  options.check_weights = true;
  return tsm_program_load_copy(rt, file, length, &options, error);
}

static void test_contents(tsm_program *p) {
  tsm_method_info m;
  tsm_value v;
  char text[64];
  CHECK(tsm_program_method_count(p) == 1 && tsm_program_find(p, "forward") == 0 && tsm_program_find(p, "x") == -1);
  CHECK(tsm_program_method(p, 0, &m) == TSM_OK && m.param_count == 2);
  CHECK(tsm_program_type(p, 0) != NULL && tsm_program_type(p, SIZE_MAX) == NULL);
  CHECK(strcmp(m.params[1].name, "k") == 0 && m.params[1].has_default && !m.params[0].has_default);
  tsm_type_text(m.params[0].type, text, sizeof text);
  CHECK(strncmp(text, "Tensor", 6) == 0 && m.params[0].type->dtype == TSM_F32 && m.params[0].type->rank == 2);
  CHECK(tsm_program_default(p, 0, 1, &v) == TSM_OK && v.kind == TSM_INT && v.as.i == 3);
  CHECK(tsm_program_default(p, 0, 0, &v) == TSM_ERR_NOT_FOUND);
  CHECK(tsm_program_operator_count(p) == 2 && strcmp(tsm_program_operator(p, 1), "lt.int") == 0);
  CHECK(tsm_program_metadata_count(p) == 1 && tsm_program_extra_count(p) == 1);
  const tsm_type *net = p->types[TY_NET];
  CHECK(net->is_cyclic && strcmp(net->name, "Net") == 0 && strcmp(net->qualified, "pkg.Net") == 0);
  CHECK(p->types[TY_TENSOR] == p->types[TY_REFINED] && !p->types[TY_LIST]->is_cyclic && p->types[TY_TUPLE]->is_cyclic);
  const tsm_function *f = &p->functions[0];
  CHECK(f->value_count == 8 && f->node_count == 9 && f->body.node_count == 3);
  CHECK(f->locations[2]->line == 4 && f->locations[2]->inlined_at == f->locations[0] && !f->locations[3]);
}

static float first_element(tsm_value tensor) {
  float f = -1;
  if (tensor.kind == TSM_TENSOR) memcpy(&f, tsm_tensor_data(tensor), sizeof f);
  return f;
}

static void test_state(tsm_runtime *rt, tsm_instance *i) {
  tsm_value weight, tied, column, v;
  tsm_error e;
  CHECK(tsm_get_attr(i, "weight", &weight, &e) == TSM_OK && tsm_get_attr(i, "tied", &tied, &e) == TSM_OK);
  CHECK(weight.as.ref == tied.as.ref && tsm_tensor_numel(weight) == 6);
  CHECK(tsm_get_attr(i, "me.me.table.x", &column, &e) == TSM_OK && first_element(column) == 1.0f);
  CHECK(tsm_tensor_storage(weight, NULL) == tsm_tensor_storage(column, NULL));
  float *data = tsm_tensor_data_mut(weight);
  CHECK(data != NULL);
  if (data) data[1] = 42;
  CHECK(first_element(column) == 42.0f);
  CHECK(tsm_get_attr(i, "items.2", &v, &e) == TSM_OK && v.as.i == 3);
  CHECK(tsm_get_attr(i, "any.1", &v, &e) == TSM_OK && v.kind == TSM_STR);
  tsm_release(v);
  CHECK(tsm_get_attr(i, "unset", &v, &e) == TSM_ERR_NOT_FOUND && strstr(e.message, "not set"));
  CHECK(tsm_get_attr(i, "items.3", &v, &e) == TSM_ERR_NOT_FOUND);
  CHECK(tsm_get_attr(i, "nothing", &v, &e) == TSM_ERR_NOT_FOUND);
  CHECK(tsm_set_attr(i, "count", tsm_int(8), &e) == TSM_OK && tsm_set_attr(i, "items.0", tsm_int(-1), &e) == TSM_OK);
  CHECK(tsm_set_attr(i, "unset", tsm_int(5), &e) == TSM_OK && tsm_get_attr(i, "unset", &v, &e) == TSM_OK && v.as.i ==
        5);
  CHECK(tsm_set_attr(i, "count", tsm_none(), &e) == TSM_ERR_RAISED);
  tsm_instance *copy = tsm_instance_clone(i, &e);
  CHECK(copy != NULL);
  if (data) data[1] = 1;
  CHECK(tsm_get_attr(copy, "table.x", &v, &e) == TSM_OK && first_element(v) == 42.0f);
  tsm_release(v);
  CHECK(tsm_get_attr(copy, "me.count", &v, &e) == TSM_OK && v.as.i == 8);
  CHECK(tsm_instance_reset(i, &e) == TSM_OK && tsm_get_attr(i, "count", &v, &e) == TSM_OK && v.as.i == 7);
  CHECK(tsm_get_attr(i, "table.x", &v, &e) == TSM_OK && first_element(v) == 1.0f);
  tsm_release(v);
  tsm_instance_free(copy);
  tsm_release(weight);
  tsm_release(tied);
  tsm_release(column);
  (void)rt;
}

static void test_sample(tsm_runtime *rt, const uint8_t *file, size_t length) {
  tsm_error e;
  tsm_program *p = load(rt, file, length, &e);
  CHECK(p != NULL);
  if (!p) {
    fprintf(stderr, "%s\n", e.message);
    return;
  }
  test_contents(p);
  tsm_instance *i = tsm_instance_new(p, &e);
  CHECK(i != NULL);
  tsm_program_free(p);
  if (!i) return;
  test_state(rt, i);
  tsm_instance_free(i);
}

static void expect(tsm_runtime *rt, const uint8_t *file, size_t length, tsm_status code, const char *part) {
  tsm_error e;
  tsm_program *p = load(rt, file, length, &e);
  CHECK(!p && e.code == code && strstr(e.message, part));
  if (!p && (e.code != code || !strstr(e.message, part))) fprintf(stderr, "  %d: %s\n", e.code, e.message);
  tsm_program_free(p);
}

/* Every proper prefix is refused, and so is every flipped bit of header and table. */
static void test_damage(tsm_runtime *rt, uint8_t *file, size_t length) {
  tsm_error e;
  for (size_t n = 0; n < length; n++) {
    tsm_program *p = load(rt, file, n, &e);
    CHECK(!p && (e.code == TSM_ERR_TRUNCATED || e.code == TSM_ERR_FORMAT) && e.message[0]);
    tsm_program_free(p);
  }
  for (size_t bit = 0; bit < (64 + 14 * 32) * 8; bit++) {
    file[bit / 8] ^= (uint8_t)(1 << bit % 8);
    tsm_program *p = load(rt, file, length, &e);
    CHECK(!p && e.code != TSM_OK && e.message[0]);
    tsm_program_free(p);
    file[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
}

/* Every bit of the contents flipped, with the checksums repaired: loads and makes an instance, or is refused. */
static void test_flips(tsm_runtime *rt, uint8_t *file, size_t length) {
  tsm_error e;
  size_t loaded = 0;
  for (size_t bit = (64 + 14 * 32) * 8; bit < length * 8; bit++) {
    file[bit / 8] ^= (uint8_t)(1 << bit % 8);
    image_seal(file);
    tsm_program *p = load(rt, file, length, &e);
    CHECK(p || e.message[0]);
    if (p) {
      loaded++;
      tsm_instance *i = tsm_instance_new(p, &e);
      CHECK(i != NULL);
      tsm_instance_free(i);
      tsm_program_free(p);
    }
    file[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  image_seal(file);
  CHECK(loaded > 100);
}

/* The sample with one section replaced. */
static void expect_section(tsm_runtime *rt, int kind, const out *with, tsm_status code, const char *part) {
  static out sections[15];
  bool has[15];
  size_t length;
  sample_sections(sections, has);
  sections[kind] = *with;
  uint8_t *file = image_make(sections, has, 0, &length);
  expect(rt, file, length, code, part);
  free(file);
}

static void test_refused(tsm_runtime *rt) {
  out o;
  memset(&o, 0, sizeof o);
  PUT(&o, 2);
  put_text(&o, "add");
  put_text(&o, "int");
  PUT(&o, 1);
  put_text(&o, "zap");
  put_text(&o, "new");
  put_uv(&o, 2003);
  expect_section(rt, 7, &o, TSM_ERR_OPERATOR, "zap.new (since 2.3)");
  memset(&o, 0, sizeof o);
  PUT(&o, 2);
  put_text(&o, "same");
  put_text(&o, "same");
  expect_section(rt, 2, &o, TSM_ERR_FORMAT, "string 1 equals string 0");
  memset(&o, 0, sizeof o);
  PUT(&o, 3, 0, 2, 2);
  expect_section(rt, 3, &o, TSM_ERR_FORMAT, "type 2 equals type 1");
  memset(&o, 0, sizeof o);
  for (int i = 0; i < 9; i++) put_u8(&o, 0xFF);
  put_u8(&o, 1);
  expect_section(rt, 5, &o, TSM_ERR_FORMAT, "there cannot be 18446744073709551615 tensors");
  memset(&o, 0, sizeof o);
  PUT(&o, 1, 0, 6, 1, 7, 2, 0);
  expect_section(rt, 5, &o, TSM_ERR_FORMAT, "does not lie inside its storage");
}

/* ---- failing allocations */

typedef struct failing { long left; size_t live; } failing;

static void *failing_alloc(void *user, void *block, size_t old_size, size_t new_size) {
  failing *f = user;
  if (!new_size) {
    f->live -= old_size;
    free(block);
    return NULL;
  }
  if (f->left-- == 0) return NULL;
  void *moved = realloc(block, new_size);
  if (moved) f->live += new_size - (block ? old_size : 0);
  return moved;
}

static bool discard(void *user, const void *bytes, size_t length) {
  (void)user;
  return bytes || !length;
}

static bool run_all(tsm_runtime *rt, const uint8_t *file, size_t length) {
  tsm_error e;
  tsm_program *p = load(rt, file, length, &e);
  CHECK(p || e.code == TSM_ERR_MEMORY);
  if (!p) return false;
  tsm_instance *i = tsm_instance_new(p, &e);
  CHECK(i || e.code == TSM_ERR_MEMORY);
  tsm_program_free(p);
  tsm_instance *copy = i ? tsm_instance_clone(i, &e) : NULL;
  CHECK(!i || copy || e.code == TSM_ERR_MEMORY);
  bool is_reset = copy && tsm_instance_reset(copy, &e) == TSM_OK;
  if (is_reset && tsm_set_attr(i, "count", tsm_int(1), &e) == TSM_OK)
    is_reset = tsm_instance_save(i, discard, NULL, &e) == TSM_OK;
  else is_reset = false;
  tsm_instance_free(copy);
  tsm_instance_free(i);
  return is_reset;
}

static void test_failing_allocations(const uint8_t *file, size_t length) {
  failing f = {-1, 0};
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.alloc = failing_alloc;
  options.alloc_user = &f;
  options.pooling = TSM_POOLING_OFF;
  tsm_runtime *rt = tsm_runtime_new(&options, NULL);
  CHECK(rt != NULL);
  if (!rt) return;
  size_t before = f.live;
  bool is_done = false;
  long n = 0;
  for (; !is_done && n < 5000; n++) {
    f.left = n;
    is_done = run_all(rt, file, length);
    CHECK(f.live == before && tsm_runtime_memory(rt) == before);
  }
  CHECK(is_done && n > 20);
  tsm_runtime_free(rt);
  CHECK(f.live == 0);
}

static void test_memory_cap(const uint8_t *file, size_t length) {
  tsm_runtime *free_rt = tsm_runtime_new(NULL, NULL);
  uint64_t base = tsm_runtime_memory(free_rt);
  tsm_runtime_free(free_rt);
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.memory_cap = base + 20000;
  tsm_error e;
  tsm_runtime *rt = tsm_runtime_new(&options, &e);
  if (!rt) options.memory_cap = 0;
  if (rt) {
    tsm_program *p = load(rt, file, length, &e);
    CHECK(!p && e.code == TSM_ERR_MEMORY);
    CHECK(tsm_runtime_memory_peak(rt) <= options.memory_cap);
    tsm_runtime_free(rt);
  }
}

#ifndef HAS_LARGE_FRAMES
/* Threads of embedded hosts have small stacks. */
static void *load_in_thread(void *user) {
  size_t length;
  uint8_t *file = sample_image(&length);
  tsm_runtime *rt = user;
  tsm_error e;
  CHECK(run_all(rt, file, length));
  tsm_program_free(load(rt, file, length - 1, &e));
  free(file);
  return NULL;
}

static void test_small_stack(void) {
  tsm_runtime *rt = tsm_runtime_new(NULL, NULL);
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  bool is_small = !pthread_attr_setstacksize(&attributes, 65536);
  CHECK(is_small || !pthread_attr_setstacksize(&attributes, 131072)); /* the least that AArch64 grants */
  CHECK(pthread_create(&thread, &attributes, load_in_thread, rt) == 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  tsm_runtime_free(rt);
}
#endif

int main(void) {
  size_t length;
  uint8_t *file = sample_image(&length);
  tsm_runtime *rt = tsm_runtime_new(NULL, NULL);
  uint64_t before = tsm_runtime_memory(rt);
  test_sample(rt, file, length);
  test_refused(rt);
  test_damage(rt, file, length);
  test_flips(rt, file, length);
  CHECK(tsm_runtime_memory(rt) == before);
  tsm_runtime_free(rt);
  test_failing_allocations(file, length);
  test_memory_cap(file, length);
#ifndef HAS_LARGE_FRAMES
  test_small_stack();
#endif
  free(file);
  return check_done();
}
