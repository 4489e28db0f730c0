/* test_hostile.c - what the fuzzer and failing allocations found, and what nests as deep as a file may.
 * Runs every program of programs.h on a thread with a stack of 64 KB, as embedded hosts have them. */
#include <pthread.h>

#include "arguments.h"
#include "check.h"
#include "op/op.h"
#include "programs.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_LARGE_FRAMES
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_LARGE_FRAMES
#endif

#define NAN_BITS UINT64_C(0x7FF8000000000000)
#ifdef __s390x__
enum { SMALL_STACK = 131072 }; /* each call takes 160 bytes more there */
#else
enum { SMALL_STACK = 65536 };
#endif
enum { MAX_ARGUMENTS = 8, IMAGE_MAX = 65536, KEYS = 2000 };

typedef struct buffer { uint8_t *bytes; size_t length; } buffer;

static bool append(void *user, const void *bytes, size_t length) {
  buffer *b = user;
  if (length > IMAGE_MAX - b->length) return false;
  memcpy(b->bytes + b->length, bytes, length);
  b->length += length;
  return true;
}

static void call_all(tsm_runtime *rt, tsm_instance *i) {
  tsm_program *p = tsm_instance_program(i);
  for (size_t m = 0; m < tsm_program_method_count(p); m++) {
    uint64_t random = m;
    value_maker maker = {rt, &random};
    tsm_method_info info;
    tsm_value args[MAX_ARGUMENTS], result, text;
    const char *names[MAX_ARGUMENTS];
    size_t named;
    CHECK(tsm_program_method(p, m, &info) == TSM_OK);
    size_t made = make_arguments(&maker, &info, MAX_ARGUMENTS, args, names, &named);
    tsm_instance_set_fuel(i, 50000);
    tsm_status status = tsm_call_method(i, m, args, made, names, named, &result, NULL);
    CHECK(status == TSM_OK || status == TSM_ERR_RAISED);
    if (status == TSM_OK) {
      if (tsm_value_text(rt, result, true, &text) == TSM_OK) tsm_release(text);
      tsm_release(result);
    }
    tsm_release_all(args, made);
  }
}

/* A copy of an instance saves the same bytes: also when tuples are the keys of its dicts. */
static void check_clone(tsm_instance *i) {
  buffer a = {malloc(IMAGE_MAX), 0}, b = {malloc(IMAGE_MAX), 0};
  tsm_instance *copy = tsm_instance_clone(i, NULL);
  CHECK(copy && tsm_instance_save(i, append, &a, NULL) == TSM_OK);
  CHECK(copy && tsm_instance_save(copy, append, &b, NULL) == TSM_OK);
  CHECK(a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0);
  tsm_instance_free(copy);
  free(a.bytes);
  free(b.bytes);
}

static void *run_programs(void *user) {
  tsm_runtime *rt = user;
  for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
    static tsm_error e;
    tsm_program *p = tsm_program_load_copy(rt, programs[k].bytes, programs[k].length, NULL, &e);
    tsm_instance *i = p ? tsm_instance_new(p, &e) : NULL;
    if (!i) fprintf(stderr, "%s: %s\n", programs[k].name, e.message);
    CHECK(i != NULL);
    tsm_program_free(p);
    if (!i) continue;
    check_clone(i);
    call_all(rt, i);
    check_clone(i);
    tsm_instance_free(i);
  }
  return NULL;
}

static void test_programs(tsm_runtime *rt) {
#ifdef HAS_LARGE_FRAMES
  run_programs(rt);
#else
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  bool is_small = !pthread_attr_setstacksize(&attributes, SMALL_STACK);
  CHECK(is_small || !pthread_attr_setstacksize(&attributes, 2 * SMALL_STACK)); /* the least that AArch64 grants */
  CHECK(pthread_create(&thread, &attributes, run_programs, rt) == 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
#endif
}

/* Keys that collide are charged for; keys that do not, are not. */
static void test_dict_steps(tsm_runtime *rt) {
  const int64_t fuel = INT64_C(1) << 40, units = KEYS * (KEYS / 4) / 8;
  tsm_context *ctx = tsm_context_new(rt, NULL);
  ctx->has_fuel = true;
  ctx->fuel = fuel;
  tsm_dict *d = tsm_dict_make(rt->shared, TSM_DICT, TSM_L_F64, TSM_L_I64, NULL);
  for (uint64_t i = 0; i < KEYS; i++)
    CHECK(tsm_dict_put(ctx, d, (tsm_pair){TSM_FLOAT, {.f = (double)i}}, (tsm_pair){TSM_INT, {0}}) == TSM_OK);
  CHECK(fuel - ctx->fuel < 4 * KEYS);
  for (uint64_t i = 0; i < KEYS; i++)
    CHECK(tsm_dict_put(ctx, d, (tsm_pair){TSM_FLOAT, {.bits = NAN_BITS + i}}, (tsm_pair){TSM_INT, {0}}) == TSM_OK);
  CHECK(fuel - ctx->fuel > units);
  ctx->fuel = 100; /* a put that runs out changes nothing */
  int64_t length = d->length;
  CHECK(tsm_dict_put(ctx, d, (tsm_pair){TSM_FLOAT, {.bits = NAN_BITS + KEYS}}, (tsm_pair){TSM_INT, {0}}) == TSM_ERR_FUEL);
  CHECK(d->length == length && ctx->status == TSM_ERR_FUEL);
  tsm_unref(&d->head);
  tsm_context_free(ctx);
}

/* A view may say that it has 2^38 rows of three elements, all the same: each of its rows costs fuel. Where elements are
 * counted in 32 bits there are fewer. */
static void test_short_rows_cost_fuel(tsm_runtime *rt) {
  static const char *const names[] = {"sum", "min", "var", "argmax"};
  const int64_t one_row[2] = {1, 3}, shape[2] = {sizeof(size_t) > 4 ? INT64_C(1) << 38 : INT64_C(1) << 27, 3}, strides[2] = {0, 1};
  tsm_context *context = tsm_context_new(rt, NULL);
  tsm_value base, view, result;
  tsm_error e;
  CHECK(tsm_tensor_new(rt, TSM_F32, 2, one_row, &base) == TSM_OK);
  CHECK(tsm_tensor_view(base, TSM_F32, 2, shape, strides, 0, &view) == TSM_OK);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const tsm_op *op = tsm_op_find(rt->ops, names[i], strcmp(names[i], "min") == 0 ? "Tensor" : "");
    tsm_context_set_fuel(context, 20000);
    CHECK(op && tsm_op_call(context, op->number, &view, 1, &result, &e) == TSM_ERR_FUEL);
  }
  tsm_release(view);
  tsm_release(base);
  tsm_context_free(context);
}

/* An empty tensor may have any shape whose other extents fit in 63 bits. */
static void test_empty_shapes_do_not_wrap(tsm_runtime *rt) {
  static const char *const names[] = {"view", "reshape"};
  const int64_t none = 0, shape[3] = {0, 4, INT64_MAX};
  tsm_context *context = tsm_context_new(rt, NULL);
  tsm_value args[2], result;
  tsm_error e;
  CHECK(tsm_tensor_new(rt, TSM_F32, 1, &none, &args[0]) == TSM_OK && tsm_list_new(rt, TSM_INT, 3, &args[1]) == TSM_OK);
  for (size_t i = 0; i < 3; i++) CHECK(tsm_list_append(args[1], tsm_int(shape[i])) == TSM_OK);
  for (size_t i = 0; i < 2; i++) {
    const tsm_op *op = tsm_op_find(rt->ops, names[i], "");
    CHECK(op && tsm_op_call(context, op->number, args, 2, &result, &e) == TSM_ERR_RAISED);
  }
  tsm_release_all(args, 2);
  tsm_context_free(context);
}

int main(void) {
  tsm_runtime *rt = tsm_runtime_new(NULL, NULL);
  uint64_t before = tsm_runtime_memory(rt);
  test_dict_steps(rt);
  test_short_rows_cost_fuel(rt);
  test_empty_shapes_do_not_wrap(rt);
  test_programs(rt);
  CHECK(tsm_runtime_memory(rt) == before);
  tsm_runtime_free(rt);
  return check_done();
}
