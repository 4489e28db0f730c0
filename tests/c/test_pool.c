/* test_pool.c - work divided among threads: each piece exactly once, whoever does it, from any thread of the host. */
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
    tsm_pool *entered = tsm_pool_enter(rt, NULL);
    tsm_parallel(rt, count, nanoseconds, mark, &t);
    tsm_pool_leave(rt, entered, NULL);
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

typedef struct call { _Atomic int64_t calls, pieces; _Atomic int64_t longest; } call;

static void count_call(void *user, size_t worker, int64_t begin, int64_t end) {
  call *c = user;
  (void)worker;
  int64_t longest = atomic_load(&c->longest);
  while (end - begin > longest && !atomic_compare_exchange_weak(&c->longest, &longest, end - begin)) {}
  atomic_fetch_add(&c->calls, 1);
  atomic_fetch_add(&c->pieces, end - begin);
}

/* The most pieces that one call of the task got. */
static int64_t longest_part(tsm_runtime *rt, int64_t count, double nanoseconds) {
  call c;
  memset(&c, 0, sizeof c);
  tsm_pool *entered = tsm_pool_enter(rt, NULL);
  tsm_parallel(rt, count, nanoseconds, count_call, &c);
  tsm_pool_leave(rt, entered, NULL);
  CHECK(c.pieces == count);
  return c.longest;
}

static tsm_runtime *sharing_runtime(tsm_choice sharing) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.threads = 3;
  tsm_tuning tuning = TSM_TUNING_INIT;
  tuning.sharing = sharing;
  options.tuning = &tuning;
  return tsm_runtime_new(&options, NULL);
}

static void test_choices(void) {
  tsm_runtime *rt = sharing_runtime(TSM_CHOICE_DEFAULT);
  CHECK(longest_part(rt, 100, 1) == 100 && longest_part(rt, 100, TSM_WAKE_NS) < 100);
  tsm_runtime_free(rt);
  rt = sharing_runtime(TSM_CHOICE_ALWAYS);
  CHECK(longest_part(rt, 100, 1) == 1 && longest_part(rt, 1, 1) == 1 && longest_part(rt, 7, TSM_WAKE_NS) == 1);
  tsm_runtime_free(rt);
  rt = sharing_runtime(TSM_CHOICE_NEVER);
  CHECK(longest_part(rt, 100, 1) == 100 && longest_part(rt, 100, TSM_WAKE_NS) == 100 && !atomic_load(&rt->pool));
  tsm_runtime_free(rt);
}

/* A run of many small tasks wakes nobody until there were some; the next one like it does so at its beginning. */
static uint64_t small_tasks(tsm_runtime *rt, uint64_t expected, int count) {
  call c;
  memset(&c, 0, sizeof c);
  tsm_run_record record = {.work = expected};
  tsm_pool *entered = tsm_pool_enter(rt, &record);
  CHECK((expected >= TSM_WAKE_NS) == (entered != NULL));
  for (int i = 0; i < count; i++) tsm_parallel(rt, 4, TSM_TASK_NS, count_call, &c);
  tsm_pool_leave(rt, entered, &record);
  return record.work;
}

static void test_estimates(void) {
  tsm_runtime *rt = sharing_runtime(TSM_CHOICE_DEFAULT);
  CHECK(small_tasks(rt, 0, 0) == 0);
  CHECK(small_tasks(rt, 0, 2) == 8 * TSM_TASK_NS && !atomic_load(&rt->pool));
  CHECK(small_tasks(rt, 8 * TSM_TASK_NS, 2) == 8 * TSM_TASK_NS && !atomic_load(&rt->pool));
  CHECK(small_tasks(rt, 0, 100) == 400 * TSM_TASK_NS && atomic_load(&rt->pool));
  CHECK(!tsm_runtime_set_threads(rt, 1)); /* no pool any more */
  CHECK(small_tasks(rt, 0, 100) == 0 && !atomic_load(&rt->pool));
  CHECK(!tsm_runtime_set_threads(rt, 2));
  CHECK(small_tasks(rt, 400 * TSM_TASK_NS, 100) == 400 * TSM_TASK_NS);
  tsm_runtime_free(rt);
}

/* Calls of a method of `work` nanoseconds; how many of them were shared. */
static int runs_shared(tsm_runtime *rt, int64_t work, int runs) {
  tsm_run_record record = {.work = 0};
  int shared = 0;
  for (int i = 0; i < runs; i++) {
    call c;
    memset(&c, 0, sizeof c);
    tsm_pool *entered = tsm_pool_enter(rt, &record);
    tsm_parallel(rt, 4, (double)work / 4, count_call, &c);
    tsm_pool_leave(rt, entered, &record);
    CHECK(c.pieces == 4);
    shared += c.longest < 4;
  }
  return shared;
}

static tsm_runtime *spinning_runtime(uint32_t spin_us) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.threads = 2;
  tsm_tuning tuning = TSM_TUNING_INIT;
  tuning.spin_us = spin_us;
  options.tuning = &tuning;
  return tsm_runtime_new(&options, NULL);
}

/* Runs in a series share what none of them is worth waking a worker for, others do not, and workers that spin end at
 * once with their runtime. */
static void test_series(void) {
  enum { HALF_HOUR_US = 1800 * 1000000, RUNS = 16, SMALL = 4 * TSM_TASK_NS, TINY = SMALL - 4, LARGE = 4 * TSM_WAKE_NS };
  tsm_runtime *rt = spinning_runtime(HALF_HOUR_US);
  CHECK(runs_shared(rt, TINY, RUNS) == 0 && !atomic_load(&rt->pool));
  const int alone = 2 * TSM_WAKE_NS / SMALL;
  CHECK(runs_shared(rt, SMALL, alone) == 0 && !atomic_load(&rt->pool));
  const int shared = runs_shared(rt, SMALL, alone + RUNS);
  CHECK(shared >= RUNS / 2 - 1 && shared < alone + RUNS - 1); /* not those of the trial that are made alone */
  CHECK(runs_shared(rt, LARGE, RUNS) == RUNS);
  tsm_runtime_free(rt);
  rt = spinning_runtime(TSM_SPIN_NEVER);
  CHECK(runs_shared(rt, SMALL, 4 * alone) == 0 && !atomic_load(&rt->pool));
  CHECK(runs_shared(rt, TSM_WAKE_NS, 3) == 3);
  while (runs_shared(rt, SMALL, 1)) {} /* until the worker sleeps */
  CHECK(runs_shared(rt, SMALL, 4 * alone) == 0);
  tsm_runtime_free(rt);
}

/* Of so many calls that take these times, how many are shared: first those of the trial, then of the same number. */
static int choices(uint64_t alone, uint64_t shared, tsm_run_record *record, int calls) {
  int found = 0;
  for (int i = 0; i < calls; i++) {
    const bool is_shared = tsm_run_choose(record);
    found += is_shared;
    tsm_run_note(record, (is_shared ? shared : alone) + (uint64_t)(i % 3) * 1000, true);
  }
  return found;
}

/* Short runs are done as was shorter in a trial, which is made again from time to time. */
static void test_trials(void) {
  enum { TRIAL = 16, EVERY = 1024 };
  tsm_run_record record = {.work = 0};
  CHECK(choices(20000, 12000, &record, TRIAL) == TRIAL / 2);
  CHECK(choices(20000, 12000, &record, EVERY - TRIAL) == EVERY - TRIAL);
  CHECK(choices(12000, 20000, &record, TRIAL) == TRIAL / 2); /* the machine has changed */
  CHECK(choices(12000, 20000, &record, EVERY - TRIAL) == 0);
  CHECK(choices(20000, 19900, &record, EVERY) == TRIAL / 2); /* too little to keep a worker for */
  for (int i = 0; i < TRIAL / 2; i++) {
    CHECK(!tsm_run_choose(&record));
    tsm_run_note(&record, 20000, false);
  }
  for (int i = 0; i < 1000; i++) { /* those that no worker came to do not count: it may take 20 ms to get a processor */
    CHECK(tsm_run_choose(&record));
    tsm_run_note(&record, 19900, false);
  }
  CHECK(choices(20000, 12000, &record, TRIAL) == TRIAL);
  tsm_run_record lone = {.work = 0}; /* where none ever comes the trial ends all the same, and the next one sooner */
  int waited[2] = {0};
  for (int trial = 0; trial < 2; trial++)
    for (int i = 0; i < EVERY || lone.turn; i++) {
      const bool is_shared = tsm_run_choose(&lone);
      waited[trial] += is_shared;
      CHECK(!is_shared || lone.is_trial);
      tsm_run_note(&lone, 200000, false);
    }
  CHECK(waited[0] > 100 && waited[1] > TRIAL / 2 && waited[1] < 30);
}

/* Two runs of the host are as many threads as the runtime has. */
static void test_crowd(void) {
  tsm_runtime *rt = spinning_runtime(0);
  CHECK(longest_part(rt, 100, TSM_WAKE_NS) < 100);
  tsm_run_record record = {.work = 100 * TSM_WAKE_NS};
  tsm_pool *other = tsm_pool_enter(rt, &record);
  CHECK(other && longest_part(rt, 100, TSM_WAKE_NS) == 100);
  tsm_pool_leave(rt, other, &record);
  CHECK(longest_part(rt, 100, TSM_WAKE_NS) < 100);
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

/* A host built against an older header knows fewer fields, one against a newer more; one without a size is refused. */
static void test_struct_sizes(void) {
  struct { tsm_runtime_options known; uint64_t later; } options = {TSM_RUNTIME_OPTIONS_INIT, 1};
  struct { tsm_tuning known; uint64_t later; } tuning = {TSM_TUNING_INIT, 1};
  tsm_error error;
  options.known.size = sizeof options;
  options.known.threads = 3;
  options.known.tuning = &tuning.known;
  tuning.known.size = sizeof tuning;
  tuning.known.sharing = TSM_CHOICE_NEVER;
  tuning.known.no_fusion = true;
  tsm_runtime *rt = tsm_runtime_new(&options.known, &error);
  CHECK(rt && rt->threads == 3 && rt->tuning.sharing == TSM_CHOICE_NEVER && rt->tuning.no_fusion);
  tsm_runtime_free(rt);
  tuning.known.size = offsetof(tsm_tuning, no_fusion);
  rt = tsm_runtime_new(&options.known, &error);
  CHECK(rt && rt->tuning.sharing == TSM_CHOICE_NEVER && !rt->tuning.no_fusion);
  tsm_runtime_free(rt);
  options.known.size = offsetof(tsm_runtime_options, tuning);
  rt = tsm_runtime_new(&options.known, &error);
  CHECK(rt && rt->threads == 3 && rt->tuning.sharing == TSM_CHOICE_DEFAULT);
  tsm_runtime_free(rt);
  options.known.size = sizeof options;
  tuning.known.size = 0;
  CHECK(!tsm_runtime_new(&options.known, &error));
  CHECK(error.code == TSM_ERR_ARGUMENT && strstr(error.message, "tsm_tuning.size"));
  options.known.size = 0;
  CHECK(!tsm_runtime_new(&options.known, &error));
  CHECK(error.code == TSM_ERR_ARGUMENT && strstr(error.message, "tsm_runtime_options.size"));
}

int main(void) {
  test_threads(1);
  test_threads(2);
  test_threads(5);
  test_threads(0);
  test_threads(100000);
  test_choices();
  test_estimates();
  test_series();
  test_trials();
  test_crowd();
  test_isa();
  test_struct_sizes();
  return check_done();
}
