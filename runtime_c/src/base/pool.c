/* pool.c - workers that join a piece of work while it is open, spin while a program runs and sleep otherwise.
 * In: tasks from any thread of the host, one at a time. Out: the task done, by whoever was awake.
 * Holds: the caller never waits for a worker that has not joined; a joined worker is waited for, so the task's memory may
 * go when tsm_parallel returns. */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif
#include "pool.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

enum { STACK = 256 << 10, CHUNKS_PER_WORKER = 4, SPINS = 4000, YIELD_EVERY = 256 };
enum { WAKE_TOGETHER_NS = 4 * TSM_WAKE_NS }; /* of pieces that were not worth it each */

/* state: bit 0 while a job may be joined, then 8 bits of workers that joined, then the job's number. */
#define OPEN ((uint64_t)1)
#define JOIN ((uint64_t)2)
#define JOB ((uint64_t)512)
#define JOINED(state) ((size_t)((state) / JOIN % 256))

struct tsm_pool {
  _Atomic uint64_t state;
  _Atomic uint32_t finished, sleepers, runs;
  _Atomic uint64_t shared, shared_before; /* nanoseconds of work that threads shared, in this run and the one before */
  _Atomic bool is_busy, is_stopping, is_young; /* young: the run that made the pool goes on */
  tsm_task_fn task;
  void *user;
  int64_t count, chunk;
  _Atomic int64_t next;
  fenv_t rounding;          /* workers compute as the caller does: rounding and flushing of denormals */
  pthread_mutex_t lock;
  pthread_cond_t wake;
  pid_t process;
  size_t worker_count;
  pthread_t workers[];
};

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* For threads that wait for others: with more threads than processors those need this one's turn. */
static void wait_turn(int *spins) {
  if (++*spins % YIELD_EVERY) relax();
  else sched_yield();
}

static void work(tsm_pool *pool, size_t worker) {
  for (;;) {
    int64_t begin = atomic_fetch_add_explicit(&pool->next, pool->chunk, memory_order_relaxed);
    if (begin >= pool->count) return;
    int64_t end = pool->count - begin < pool->chunk ? pool->count : begin + pool->chunk;
    pool->task(pool->user, worker, begin, end);
  }
}

/* Joins the open job, if there is one, and only once. */
static bool join_job(tsm_pool *pool) {
  uint64_t state = atomic_load(&pool->state);
  while (state & OPEN) {
    if (!atomic_compare_exchange_weak(&pool->state, &state, state + JOIN)) continue;
    fesetenv(&pool->rounding);
    work(pool, JOINED(state) + 1);
    uint64_t job = state / JOB;
    atomic_fetch_add(&pool->finished, 1);
    for (int spins = 0; (state = atomic_load(&pool->state)) & OPEN && state / JOB == job;) wait_turn(&spins);
    return true;
  }
  return false;
}

static void sleep_until_needed(tsm_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add(&pool->sleepers, 1);
  while (!(atomic_load(&pool->state) & OPEN) && !atomic_load(&pool->is_stopping))
    pthread_cond_wait(&pool->wake, &pool->lock);
  atomic_fetch_sub(&pool->sleepers, 1);
  pthread_mutex_unlock(&pool->lock);
}

static bool is_running(tsm_pool *pool) {
  return atomic_load_explicit(&pool->runs, memory_order_relaxed) ||
         atomic_load_explicit(&pool->is_young, memory_order_relaxed);
}

static void *worker_main(void *user) {
  tsm_pool *pool = user;
  while (!atomic_load(&pool->is_stopping)) {
    int spins = 0;
    while (!join_job(pool) && is_running(pool) && spins < SPINS) wait_turn(&spins);
    if (spins == SPINS || !is_running(pool)) sleep_until_needed(pool);
  }
  return NULL;
}

static void start_workers(tsm_pool *pool, size_t count) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes)) return;
  pthread_attr_setstacksize(&attributes, STACK);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the host's: workers inherit a mask that takes none */
  while (pool->worker_count < count &&
         !pthread_create(&pool->workers[pool->worker_count], &attributes, worker_main, pool))
    pool->worker_count++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

static size_t pool_size(const tsm_runtime *rt) {
  return sizeof(tsm_pool) + (rt->threads - 1) * sizeof(pthread_t);
}

static tsm_pool *pool_new(tsm_runtime *rt) {
  tsm_pool *pool = tsm_alloc_zeroed(rt, pool_size(rt));
  if (!pool) return NULL;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pool->process = getpid();
  atomic_store(&pool->is_young, true);
  start_workers(pool, rt->threads - 1);
  return pool;
}

static void pool_close(tsm_runtime *rt, tsm_pool *pool) {
  if (pool->process == getpid()) { /* a child of fork has no workers to join */
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->is_stopping, true);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->worker_count; i++) pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
  }
  tsm_free(rt, pool, pool_size(rt));
}

void tsm_pool_free(tsm_runtime *rt) {
  tsm_pool *pool = atomic_exchange(&rt->pool, NULL);
  if (pool) pool_close(rt, pool);
}

/* The runtime's pool, made at the first use; NULL when there is no memory for one. */
static tsm_pool *pool_of(tsm_runtime *rt) {
  tsm_pool *pool = atomic_load_explicit(&rt->pool, memory_order_acquire);
  if (pool) return pool;
  pool = pool_new(rt);
  tsm_pool *other = NULL;
  if (!pool || atomic_compare_exchange_strong(&rt->pool, &other, pool)) return pool;
  pool_close(rt, pool);
  return other;
}

tsm_status tsm_runtime_set_threads(tsm_runtime *runtime, uint32_t threads) {
  tsm_pool *pool = atomic_load(&runtime->pool);
  if (pool && (atomic_load(&pool->runs) || atomic_load(&pool->is_busy))) return TSM_ERR_ARGUMENT;
  threads = tsm_thread_count(threads);
  if (threads == runtime->threads) return TSM_OK;
  tsm_pool_free(runtime); /* its size is given back as it was taken: by the old number */
  runtime->threads = threads;
  return TSM_OK;
}

size_t tsm_pool_workers(const tsm_runtime *rt) { return rt->threads; }

static void open_job(tsm_pool *pool, int64_t count, int64_t chunk, tsm_task_fn task, void *user) {
  pool->task = task;
  pool->user = user;
  pool->count = count;
  pool->chunk = chunk;
  atomic_store(&pool->next, 0);
  atomic_store(&pool->finished, 0);
  fegetenv(&pool->rounding);
  uint64_t number = atomic_load(&pool->state) / JOB + 1;
  atomic_store(&pool->state, number * JOB + OPEN);
  if (!atomic_load(&pool->sleepers)) return;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

static void close_job(tsm_pool *pool) {
  size_t joined = JOINED(atomic_fetch_and(&pool->state, ~OPEN));
  for (int spins = 0; atomic_load(&pool->finished) < joined;) wait_turn(&spins);
}

/* Whether `work` nanoseconds are worth workers that have to be woken: alone, with what the run has had before, or with
 * what will come if this run is as the last one. */
static bool is_worth_waking(tsm_runtime *rt, const tsm_pool *pool, double work) {
  if (work >= TSM_WAKE_NS) return true;
  if (pool && atomic_load_explicit(&pool->shared_before, memory_order_relaxed) >= WAKE_TOGETHER_NS) return true;
  uint32_t before = atomic_load_explicit(&rt->work_alone, memory_order_relaxed);
  if (before >= WAKE_TOGETHER_NS) return true;
  atomic_store_explicit(&rt->work_alone, before + (uint32_t)work, memory_order_relaxed);
  return false;
}

/* The pool, claimed for a task, or NULL when one thread is to do it. */
static tsm_pool *claim_pool(tsm_runtime *rt, int64_t count, double work) {
  if (rt->threads < 2 || count < 2 || work < 2 * TSM_TASK_NS) return NULL;
  tsm_pool *pool = atomic_load_explicit(&rt->pool, memory_order_acquire);
  bool is_awake = pool && atomic_load_explicit(&pool->sleepers, memory_order_relaxed) < pool->worker_count;
  if (!is_awake && !is_worth_waking(rt, pool, work)) return NULL;
  if (!pool) pool = pool_of(rt);
  if (!pool || !pool->worker_count || pool->process != getpid() || atomic_exchange(&pool->is_busy, true)) return NULL;
  return pool;
}

void tsm_parallel(tsm_runtime *rt, int64_t count, double nanoseconds, tsm_task_fn task, void *user) {
  if (count <= 0) return;
  const double all = (double)count * nanoseconds;
  tsm_pool *pool = claim_pool(rt, count, all);
  if (!pool) {
    task(user, 0, 0, count);
    return;
  }
  atomic_fetch_add_explicit(&pool->shared, all < INT32_MAX ? (uint64_t)all : INT32_MAX, memory_order_relaxed);
  int64_t grain = (int64_t)((TSM_TASK_NS - 1) / nanoseconds) + 1; /* below count, as there is work for two */
  int64_t chunk = count / ((int64_t)(pool->worker_count + 1) * CHUNKS_PER_WORKER);
  open_job(pool, count, chunk > grain ? chunk : grain, task, user);
  work(pool, 0);
  close_job(pool);
  atomic_store(&pool->is_busy, false);
}

void tsm_pool_count_run(tsm_pool *pool, int by) {
  if (by > 0)
    atomic_store_explicit(&pool->shared_before, atomic_exchange_explicit(&pool->shared, 0, memory_order_relaxed),
                          memory_order_relaxed);
  atomic_fetch_add_explicit(&pool->runs, (uint32_t)by, memory_order_relaxed);
}

void tsm_pool_settle(tsm_runtime *rt) {
  tsm_pool *pool = atomic_load_explicit(&rt->pool, memory_order_acquire);
  if (pool) atomic_store_explicit(&pool->is_young, false, memory_order_relaxed);
}
