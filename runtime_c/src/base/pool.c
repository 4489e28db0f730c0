/* pool.c - workers that join a piece of work while it is open, spin while a program runs or runs follow each other
 * closely, and sleep otherwise.
 * In: tasks from any thread of the host, one at a time. Out: the task done, by whoever was awake.
 * Holds: the caller never waits for a worker that has not joined; a joined worker is waited for, so the task's memory may
 * go when tsm_parallel returns. Threads of the host that run programs count: with them no more are at work than the
 * runtime has threads. */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "floatmode.h"

enum { STACK = 256 << 10, CHUNKS_PER_WORKER = 8, YIELD_EVERY = 256, LINE = 64 };
enum { PATIENCE_NS = 400000 }; /* a run without a task for so long goes on alone: its workers sleep */

/* state: bit 0 while a job may be joined, then 8 bits of workers that joined, then the job's number. */
#define OPEN ((uint64_t)1)
#define JOIN ((uint64_t)2)
#define JOB ((uint64_t)512)
#define JOINED(state) ((size_t)((state) / JOIN % 256))

/* A thread and its part of the job, in a line of its own. Each begins with its own part, so that it finds what it used
 * in the last run in its own caches, and goes on with what others have left. */
typedef struct worker {
  _Alignas(LINE) _Atomic int64_t next;
  int64_t end;
  tsm_pool *pool;
  pthread_t thread;
} worker;

struct tsm_pool {
  _Alignas(LINE) _Atomic uint64_t state; /* this and what follows: all that a worker reads to begin */
  tsm_task_fn task;
  void *user;
  int64_t chunk;
  tsm_float_mode mode;          /* workers compute as the caller does: rounding and flushing of denormals */
  _Alignas(LINE) _Atomic uint32_t finished;
  _Alignas(LINE) _Atomic uint32_t sleepers, runs, calls; /* calls: how often sleepers were called */
  _Atomic bool is_busy, is_stopping, is_young; /* young: the run that made the pool goes on */
  _Atomic bool is_series;   /* the last run followed the one before closely */
  pthread_mutex_t lock;
  pthread_cond_t wake;
  pid_t process;
  const tsm_runtime *rt;
  size_t worker_count;      /* without the caller */
  worker workers[];         /* the first is the caller */
};

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* For threads that wait for others: with more threads than processors those need this one's turn. */
static void wait_turn(uint32_t *spins) {
  if (++*spins % YIELD_EVERY) relax();
  else sched_yield();
}

static void work(tsm_pool *pool, size_t self) {
  const size_t count = pool->worker_count + 1;
  for (size_t i = self; i < self + count; i++) {
    worker *w = &pool->workers[i < count ? i : i - count];
    while (atomic_load_explicit(&w->next, memory_order_relaxed) < w->end) {
      int64_t begin = atomic_fetch_add_explicit(&w->next, pool->chunk, memory_order_relaxed);
      if (begin >= w->end) break;
      pool->task(pool->user, self, begin, w->end - begin < pool->chunk ? w->end : begin + pool->chunk);
    }
  }
}

/* Joins the open job, if there is one, and only once. */
static bool join_job(tsm_pool *pool, size_t self) {
  uint64_t state = atomic_load(&pool->state);
  while (state & OPEN) {
    if (!atomic_compare_exchange_weak(&pool->state, &state, state + JOIN)) continue;
    tsm_float_mode_use(&pool->mode);
    work(pool, self);
    uint64_t job = state / JOB;
    atomic_fetch_add(&pool->finished, 1);
    for (uint32_t spins = 0; (state = atomic_load(&pool->state)) & OPEN && state / JOB == job;) wait_turn(&spins);
    return true;
  }
  return false;
}

/* Until there is a job or a call later than `heard`. */
static void sleep_until_needed(tsm_pool *pool, uint32_t heard) {
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add(&pool->sleepers, 1);
  while (!(atomic_load(&pool->state) & OPEN) && atomic_load(&pool->calls) == heard && !atomic_load(&pool->is_stopping))
    pthread_cond_wait(&pool->wake, &pool->lock);
  atomic_fetch_sub(&pool->sleepers, 1);
  pthread_mutex_unlock(&pool->lock);
}

static bool is_running(tsm_pool *pool) {
  return atomic_load_explicit(&pool->runs, memory_order_relaxed) ||
         atomic_load_explicit(&pool->is_young, memory_order_relaxed);
}

/* Whether a worker that has had no task since `begin` still spins for one. */
static bool is_patient(tsm_pool *pool, uint64_t begin, uint64_t now) {
  if (is_running(pool)) return now - begin <= PATIENCE_NS;
  const uint64_t ended = atomic_load_explicit(&pool->rt->run_ended, memory_order_relaxed);
  return now < ended || now - ended < pool->rt->spin_ns;
}

/* Whether a worker has a reason to spin at all, which costs less to ask than the time. */
static bool may_spin(tsm_pool *pool, size_t self) {
  if (atomic_load_explicit(&pool->is_stopping, memory_order_relaxed)) return false;
  if (atomic_load_explicit(&pool->runs, memory_order_relaxed) + self > pool->rt->threads) return false;
  return is_running(pool) || atomic_load_explicit(&pool->is_series, memory_order_relaxed);
}

/* Joins the next job if one comes soon. Time is read as seldom as turns are given up: a pause takes 2 to 60 ns, by
 * processor. */
static bool spin_for_job(tsm_pool *pool, size_t self) {
  uint64_t begin = 0;
  for (uint32_t spins = 0; !join_job(pool, self); wait_turn(&spins)) {
    if (!may_spin(pool, self)) return false;
    if (spins % YIELD_EVERY) continue;
    const uint64_t now = tsm_now_ns();
    if (!spins) begin = now;
    if (!is_patient(pool, begin, now)) return false;
  }
  return true;
}

static void *worker_main(void *user) {
  worker *w = user;
  tsm_pool *pool = w->pool;
  while (!atomic_load(&pool->is_stopping)) {
    const uint32_t heard = atomic_load(&pool->calls);
    if (!spin_for_job(pool, (size_t)(w - pool->workers))) sleep_until_needed(pool, heard);
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
  for (worker *w = pool->workers + 1; pool->worker_count < count; w++) {
    w->pool = pool;
    if (pthread_create(&w->thread, &attributes, worker_main, w)) break;
    pool->worker_count++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

static size_t pool_size(const tsm_runtime *rt) {
  return sizeof(tsm_pool) + rt->threads * sizeof(worker);
}

static tsm_pool *pool_new(tsm_runtime *rt) {
  tsm_pool *pool = tsm_alloc_aligned(rt, pool_size(rt));
  if (!pool) return NULL;
  memset(pool, 0, pool_size(rt));
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pool->process = getpid();
  pool->rt = rt;
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
    for (size_t i = 0; i < pool->worker_count; i++) pthread_join(pool->workers[i + 1].thread, NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
  }
  tsm_free_aligned(rt, pool, pool_size(rt));
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

static void wake_sleepers(tsm_pool *pool) {
  if (!atomic_load(&pool->sleepers)) return;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

/* Equal parts for all: which one is whose does not change from run to run. */
static void divide(tsm_pool *pool, int64_t count) {
  const int64_t workers = (int64_t)pool->worker_count + 1, each = count / workers, rest = count % workers;
  int64_t begin = 0;
  for (worker *w = pool->workers; w <= pool->workers + pool->worker_count; w++) {
    atomic_store_explicit(&w->next, begin, memory_order_relaxed);
    begin += each + (w - pool->workers < rest);
    w->end = begin;
  }
}

static void open_job(tsm_pool *pool, int64_t count, int64_t chunk, tsm_task_fn task, void *user) {
  pool->task = task;
  pool->user = user;
  pool->chunk = chunk;
  divide(pool, count);
  atomic_store_explicit(&pool->finished, 0, memory_order_relaxed);
  tsm_float_mode_read(&pool->mode);
  uint64_t number = atomic_load_explicit(&pool->state, memory_order_relaxed) / JOB + 1;
  atomic_store(&pool->state, number * JOB + OPEN);
  wake_sleepers(pool);
}

static void close_job(tsm_runtime *rt, tsm_pool *pool) {
  const size_t joined = JOINED(atomic_fetch_and(&pool->state, ~OPEN));
  if (joined) atomic_store_explicit(&rt->is_joined, true, memory_order_relaxed);
  for (uint32_t spins = 0; atomic_load(&pool->finished) < joined;) wait_turn(&spins);
}

/* Whether `work` nanoseconds are worth workers that have to be woken: alone, or with what this run has had before. */
static bool is_worth_waking(tsm_runtime *rt, uint64_t work) {
  const uint64_t before = atomic_load_explicit(&rt->work_alone, memory_order_relaxed);
  const bool is_worth = work >= TSM_WAKE_NS || before >= TSM_WAKE_TOGETHER_NS;
  atomic_store_explicit(&rt->work_alone, is_worth ? 0 : before + work, memory_order_relaxed);
  return is_worth;
}

/* The pool, claimed for a task, or NULL when one thread is to do it. */
static tsm_pool *claim_pool(tsm_runtime *rt, double work) {
  const bool is_forced = rt->tuning.sharing == TSM_CHOICE_ALWAYS;
  if (rt->threads < 2 || (work < 2 * TSM_TASK_NS && !is_forced) || rt->tuning.sharing == TSM_CHOICE_NEVER) return NULL;
  const uint64_t units = work < INT32_MAX ? (uint64_t)work : INT32_MAX;
  atomic_store_explicit(&rt->work, atomic_load_explicit(&rt->work, memory_order_relaxed) + units, memory_order_relaxed);
  if (atomic_load_explicit(&rt->is_alone, memory_order_relaxed)) return NULL;
  tsm_pool *pool = atomic_load_explicit(&rt->pool, memory_order_acquire);
  if (!pool || atomic_load_explicit(&pool->sleepers, memory_order_relaxed) == pool->worker_count) {
    if (!is_forced && !is_worth_waking(rt, units)) return NULL;
    if (!pool) pool = pool_of(rt);
    if (!pool || !pool->worker_count || pool->process != getpid()) return NULL;
  }
  if (atomic_load_explicit(&pool->runs, memory_order_relaxed) >= rt->threads) return NULL;
  return atomic_exchange(&pool->is_busy, true) ? NULL : pool;
}

void tsm_parallel(tsm_runtime *rt, int64_t count, double nanoseconds, tsm_task_fn task, void *user) {
  if (count <= 0) return;
  tsm_pool *pool = count > 1 ? claim_pool(rt, (double)count * nanoseconds) : NULL;
  if (!pool) {
    task(user, 0, 0, count);
    return;
  }
  int64_t grain = nanoseconds < TSM_TASK_NS ? (int64_t)((TSM_TASK_NS - 1) / (nanoseconds + 1e-3)) + 1 : 1;
  int64_t chunk = count / ((int64_t)(pool->worker_count + 1) * CHUNKS_PER_WORKER);
  if (rt->tuning.sharing == TSM_CHOICE_ALWAYS) grain = chunk = 1;
  open_job(pool, count, chunk > grain ? chunk : grain, task, user);
  work(pool, 0);
  close_job(rt, pool);
  atomic_store_explicit(&pool->is_busy, false, memory_order_release);
}

tsm_pool *tsm_pool_start_run(tsm_runtime *rt, tsm_run_record *record) {
  const tsm_run_plan plan = tsm_run_begin(rt, record);
  tsm_pool *pool = plan.is_worth ? pool_of(rt) : atomic_load_explicit(&rt->pool, memory_order_acquire);
  if (!pool) return NULL;
  if (plan.is_timed) atomic_store_explicit(&pool->is_series, plan.is_series, memory_order_relaxed);
  const bool is_crowded = atomic_fetch_add_explicit(&pool->runs, 1, memory_order_relaxed) + 1 >= rt->threads;
  if (TSM_UNLIKELY(atomic_load_explicit(&pool->is_young, memory_order_relaxed))) tsm_pool_settle(rt);
  if (is_crowded) atomic_store_explicit(&rt->series_work, 0, memory_order_relaxed);
  if (!plan.is_worth || is_crowded || pool->process != getpid()) return pool;
  atomic_fetch_add(&pool->calls, 1);
  wake_sleepers(pool);
  return pool;
}

void tsm_pool_end_run(tsm_runtime *rt, tsm_pool *pool, tsm_run_record *record, uint64_t work) {
  tsm_run_end(rt, record, work);
  if (pool) atomic_fetch_sub_explicit(&pool->runs, 1, memory_order_relaxed);
}

void tsm_pool_settle(tsm_runtime *rt) {
  tsm_pool *pool = atomic_load_explicit(&rt->pool, memory_order_acquire);
  if (pool) atomic_store_explicit(&pool->is_young, false, memory_order_relaxed);
}
