/* pool.h - the worker threads of a runtime.
 * In: a count of independent pieces of work. Out: the same work done by several threads.
 * Holds: what a task writes for an index may not depend on how the indices were divided, so that results are the same
 * for any number of threads; workers start only when the first large task comes, and sleep between runs of a program but
 * for a series: runs that begin within the runtime's spin_ns of the end of the one before. */
#ifndef TSM_POOL_H
#define TSM_POOL_H

#include "base.h"
#include "series.h"

/* Does the pieces [begin, end). `worker` is below tsm_pool_workers(rt), unique among those at work: an index for scratch
 * memory made by the caller. Must not touch a tsm_context, allocate or fail. */
typedef void (*tsm_task_fn)(void *user, size_t worker, int64_t begin, int64_t end);

enum { TSM_MAX_THREADS = 64 };
/* The number of threads a host's wish comes to: 0 is one a processor. */
static inline uint32_t tsm_thread_count(uint32_t wanted) {
  if (!wanted) wanted = tsm_processor_count();
  return wanted < TSM_MAX_THREADS ? wanted : TSM_MAX_THREADS;
}

/* Most workers that can be at work in one tsm_parallel: 1 when the runtime has one thread. */
size_t tsm_pool_workers(const tsm_runtime *rt);

/* Does the pieces [0, count), each of which takes about `nanoseconds` on one thread. This and series.h are the rules of
 * when threads are worth it: ranges take TSM_TASK_NS or more; workers that sleep are woken for TSM_WAKE_NS of work, or
 * for less in a run that has had several times that in smaller tasks. Otherwise, when another thread of the host is using
 * the pool, or in a child process, all is done here alone. Each thread begins with its own share of the pieces: the same
 * one whenever the count is. */
void tsm_parallel(tsm_runtime *rt, int64_t count, double nanoseconds, tsm_task_fn task, void *user);
/* On virtual machines a wake takes 7 to 15 microseconds of the caller and 22 to 38 until the worker is there; one that is
 * awake is there after 0.3. */
enum { TSM_TASK_NS = 2000, TSM_WAKE_NS = 80000, TSM_WAKE_TOGETHER_NS = 2 * TSM_WAKE_NS /* of smaller pieces */ };

tsm_pool *tsm_pool_start_run(tsm_runtime *rt, tsm_run_record *record);
void tsm_pool_end_run(tsm_runtime *rt, tsm_pool *pool, tsm_run_record *record, uint64_t work);
void tsm_pool_settle(tsm_runtime *rt); /* the run in which the pool was made is over */
/* Around a host's call into a program or operator: between the two, workers spin for the next task; after it they do so
 * for spin_ns, if it was one of a series, and else sleep. They are woken at once if what the record expects, or what the
 * series had, is worth it. `record` may be NULL; both get the same. leave gets what enter gave: NULL when there was no
 * pool. */
static inline tsm_pool *tsm_pool_enter(tsm_runtime *rt, tsm_run_record *record) {
  if (atomic_load_explicit(&rt->work, memory_order_relaxed)) { /* seldom: the line may be shared by many threads */
    atomic_store_explicit(&rt->work, 0, memory_order_relaxed);
    atomic_store_explicit(&rt->work_alone, 0, memory_order_relaxed);
  }
  if (!(record && record->work) && !atomic_load_explicit(&rt->pool, memory_order_relaxed)) return NULL;
  return tsm_pool_start_run(rt, record);
}
static inline void tsm_pool_leave(tsm_runtime *rt, tsm_pool *entered, tsm_run_record *record) {
  const uint64_t work = atomic_load_explicit(&rt->work, memory_order_relaxed);
  if (TSM_UNLIKELY(entered != atomic_load_explicit(&rt->pool, memory_order_acquire))) tsm_pool_settle(rt);
  if (entered || work) tsm_pool_end_run(rt, entered, record, work);
  if (record) record->work = work;
}

/* Ends and joins the workers, if any were started. */
void tsm_pool_free(tsm_runtime *rt);

#endif
