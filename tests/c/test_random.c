/* test_random.c - streams of random numbers: one a runtime, seeded by options and calls, shared out to threads; streams
 * of an instance's own, cloned, reset, kept and set. */
#include <pthread.h>

#include "check.h"
#include "image.h"
#include "op/op.h"

enum { THREADS = 4, DRAWS = 200 };

static size_t op_named(const char *name) {
  tsm_op_info info;
  for (size_t i = 0; tsm_op_get(i, &info) == TSM_OK; i++)
    if (!strcmp(info.name, name) && !*info.overload) return i;
  exit(1);
}

/* `n` numbers of an operator; the first three. */
static void draw(tsm_runtime *rt, tsm_context *ctx, const char *op, int64_t n, tsm_dtype dtype, double out[3]) {
  tsm_value args[2], result;
  CHECK(tsm_list_new(rt, TSM_INT, 1, &args[0]) == TSM_OK && tsm_list_append(args[0], tsm_int(n)) == TSM_OK);
  args[1] = tsm_dtype_value(dtype);
  CHECK(tsm_op_call(ctx, op_named(op), args, 2, &result, NULL) == TSM_OK);
  const void *data = tsm_tensor_data(result);
  for (int64_t i = 0; i < 3 && i < n; i++)
    out[i] = dtype == TSM_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
  tsm_release(args[0]);
  tsm_release(result);
}

static double drawn(tsm_runtime *rt, tsm_context *ctx, int64_t n) {
  double first[3];
  draw(rt, ctx, "rand", n, TSM_F32, first);
  return first[0];
}

/* What every machine gives after seed 1. */
static void check_first_numbers(void) {
  static const struct { const char *op; tsm_dtype dtype; double want[3]; } draws[] = {
    {"rand", TSM_F32, {0x1.c7d00c0000000p-1, 0x1.ca141c0000000p-1, 0x1.5810280000000p-1}},
    {"randn", TSM_F32, {-0x1.4dfc240000000p-18, 0x1.928d740000000p-6, 0x1.324a7c0000000p+0}},
    {"randn", TSM_F64, {-0x1.3031057ca6cacp-5, -0x1.5e8dd659ba64bp-2, 0x1.4d56f5e0190ecp+0}},
    {"rand", TSM_F64, {0x1.9a75867216277p-1, 0x1.dd200909bf460p-3, 0x1.24d1987496959p-1}},
  };
  tsm_runtime *rt = tsm_runtime_new(NULL, NULL);
  tsm_context *ctx = tsm_context_new(rt, NULL);
  tsm_runtime_seed(rt, 1);
  for (size_t i = 0; i < sizeof draws / sizeof *draws; i++) {
    double found[3];
    draw(rt, ctx, draws[i].op, 3, draws[i].dtype, found);
    CHECK(memcmp(found, draws[i].want, sizeof found) == 0);
  }
  tsm_context_free(ctx);
  tsm_runtime_free(rt);
}

static void check_seeds(void) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.seed = 5;
  tsm_runtime *a = tsm_runtime_new(&options, NULL), *b = tsm_runtime_new(NULL, NULL);
  tsm_context *one = tsm_context_new(a, NULL), *two = tsm_context_new(a, NULL), *other = tsm_context_new(b, NULL);
  double first = drawn(a, one, 3), second = drawn(a, two, 3);
  CHECK(first != second && drawn(b, other, 3) != first);
  tsm_runtime_seed(b, 5);
  CHECK(drawn(b, other, 100) == first && drawn(b, other, 3) != second); /* a hundred take more of the stream */
  tsm_runtime_seed(b, 5);
  drawn(b, other, 3);
  CHECK(drawn(b, other, 3) == second);
  uint64_t state[2];
  tsm_runtime_random(a, state);
  CHECK(state[0] == 5 && state[1] == 2);
  double third = drawn(a, one, 3);
  tsm_runtime_set_random(b, state);
  CHECK(drawn(b, other, 3) == third);
  tsm_context_seed(two, 5);
  CHECK(drawn(a, two, 3) == first && drawn(a, two, 3) == second && drawn(a, one, 3) != third);
  tsm_context_free(one);
  tsm_context_free(two);
  tsm_context_free(other);
  tsm_runtime_free(a);
  tsm_runtime_free(b);
}

typedef struct worker { tsm_runtime *rt; double numbers[DRAWS]; pthread_t thread; } worker;

static void *draw_many(void *user) {
  worker *w = user;
  tsm_context *ctx = tsm_context_new(w->rt, NULL);
  for (int i = 0; i < DRAWS; i++) w->numbers[i] = drawn(w->rt, ctx, 1);
  tsm_context_free(ctx);
  return NULL;
}

static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Threads get each number of the stream once. */
static void check_threads(void) {
  static worker workers[THREADS];
  static double want[THREADS * DRAWS], found[THREADS * DRAWS];
  tsm_runtime *rt = tsm_runtime_new(NULL, NULL);
  tsm_context *ctx = tsm_context_new(rt, NULL);
  for (int i = 0; i < THREADS * DRAWS; i++) want[i] = drawn(rt, ctx, 1);
  tsm_runtime_seed(rt, TSM_DEFAULT_SEED);
  for (int i = 0; i < THREADS; i++) {
    workers[i].rt = rt;
    CHECK(pthread_create(&workers[i].thread, NULL, draw_many, &workers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(workers[i].thread, NULL);
    memcpy(found + i * DRAWS, workers[i].numbers, sizeof workers[i].numbers);
  }
  qsort(want, THREADS * DRAWS, sizeof *want, order);
  qsort(found, THREADS * DRAWS, sizeof *found, order);
  CHECK(memcmp(want, found, sizeof want) == 0);
  tsm_context_free(ctx);
  tsm_runtime_free(rt);
}

static void check_instances(void) {
  size_t length;
  uint8_t *file = sample_image(&length);
  uint64_t state[4], now[4];
  tsm_runtime *rt = tsm_runtime_new(NULL, NULL);
  tsm_program *p = tsm_program_load_copy(rt, file, length, NULL, NULL);
  tsm_instance *i = tsm_instance_new(p, NULL);
  CHECK(!tsm_instance_random(i, state) && state[0] == 0);
  tsm_instance_seed(i, 9);
  CHECK(tsm_instance_random(i, state) && state[0] == 9 && state[1] == 0);
  state[1] = 77;
  tsm_instance_set_random(i, state);
  tsm_instance *copy = tsm_instance_clone(i, NULL);
  CHECK(tsm_instance_random(copy, now) && memcmp(now, state, sizeof now) == 0);
  CHECK(tsm_instance_reset(i, NULL) == TSM_OK && tsm_instance_random(i, now) && now[0] == 9 && now[1] == 0);
  CHECK(tsm_instance_random(copy, now) && now[1] == 77);
  tsm_instance_set_random(i, NULL);
  CHECK(!tsm_instance_random(i, now));
  tsm_instance_free(copy);
  tsm_instance_free(i);
  tsm_program_free(p);
  tsm_runtime_free(rt);
  free(file);
}

int main(void) {
  check_first_numbers();
  check_seeds();
  check_threads();
  check_instances();
  return check_done();
}
