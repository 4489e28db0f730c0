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

/* The first of `n` numbers of rand(n). */
static double drawn(tsm_runtime *rt, tsm_context *ctx, int64_t n) {
  tsm_value size, result;
  CHECK(tsm_list_new(rt, TSM_INT, 1, &size) == TSM_OK && tsm_list_append(size, tsm_int(n)) == TSM_OK);
  CHECK(tsm_op_call(ctx, op_named("rand"), &size, 1, &result, NULL) == TSM_OK);
  double first = (double)*(const float *)tsm_tensor_data(result);
  tsm_release(size);
  tsm_release(result);
  return first;
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
  check_seeds();
  check_threads();
  check_instances();
  return check_done();
}
