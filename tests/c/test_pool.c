/* test_pool.c - work divided among threads: each piece exactly once, whoever does it, from several threads of the host. */
#include "base/pool.h"
#include "check.h"

#include <pthread.h>
#include <stdio.h>

enum { PIECES = 5000, ROUNDS = 100, HOSTS = 3 };

typedef struct task { _Atomic int done[PIECES]; _Atomic size_t most; size_t workers; } task;

static void mark(void *user, size_t worker, int64_t begin, int64_t end) {
  task *t = user;
  size_t most = atomic_load(&t->most);
  while (worker > most && !atomic_compare_exchange_weak(&t->most, &most, worker)) {}
  for (int64_t i = begin; i < end; i++) atomic_fetch_add(&t->done[i], 1);
}

static bool rounds_are_right(tsm_runtime *rt, int64_t count, double nanoseconds, int rounds) {
  static _Thread_local task t;
  for (int r = 0; r < rounds; r++) {
    memset(&t, 0, sizeof t);
    tsm_pool *entered = tsm_pool_enter(rt);
    tsm_parallel(rt, count, nanoseconds, mark, &t);
    tsm_pool_leave(rt, entered);
    for (int64_t i = 0; i < PIECES; i++)
      if (t.done[i] != (i < count)) return false;
    if (t.most >= tsm_pool_workers(rt)) return false;
  }
  return true;
}

static void *host_main(void *user) { return rounds_are_right(user, PIECES, 1500, ROUNDS) ? user : NULL; }

static void test_threads(uint32_t threads) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.threads = threads;
  tsm_runtime *rt = tsm_runtime_new(&options, NULL);
  CHECK(rt != NULL);
  CHECK(tsm_runtime_threads(rt) >= 1);
  CHECK(rounds_are_right(rt, PIECES, TSM_TASK_NS, ROUNDS));
  CHECK(rounds_are_right(rt, PIECES, 1, 3));
  CHECK(rounds_are_right(rt, 1, TSM_WAKE_NS, 3));
  CHECK(rounds_are_right(rt, 0, TSM_WAKE_NS, 3));
  pthread_t hosts[HOSTS];
  for (int i = 0; i < HOSTS; i++) CHECK(!pthread_create(&hosts[i], NULL, host_main, rt));
  for (int i = 0; i < HOSTS; i++) {
    void *result = NULL;
    pthread_join(hosts[i], &result);
    CHECK(result == rt);
  }
  tsm_runtime_free(rt);
}

static void test_isa(void) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  tsm_error error;
  options.isa = "base";
  tsm_runtime *rt = tsm_runtime_new(&options, &error);
  CHECK(rt && !strcmp(tsm_runtime_isa(rt), "base"));
  tsm_runtime_free(rt);
  options.isa = "abacus";
  CHECK(tsm_runtime_new(&options, &error) == NULL);
  CHECK(error.code == TSM_ERR_ARGUMENT && strstr(error.message, "abacus"));
}

int main(void) {
  test_threads(1);
  test_threads(2);
  test_threads(5);
  test_threads(0);
  test_threads(100000);
  test_isa();
  return check_done();
}
