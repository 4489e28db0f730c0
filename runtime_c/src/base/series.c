/* series.c - see series.h: the time between runs, and trials of short ones. */
#include "series.h"

#include "pool.h"

enum { SERIES_LEAST_NS = 4 * TSM_TASK_NS }; /* of a run in a series; smaller ones do not look at the time */
/* Of so many runs in a series with less work than this, the first few are tried alone and then shared, the later ones of
 * each with what they need in their caches, and the others done as was shorter: shared if that gained a thirty-second
 * part. */
enum { TRIAL_EVERY = 1024, TRIAL_RUNS = 16, TRIAL_GAIN = 32, TRIAL_MOST_NS = 200000 };
/* How long a trial waits for a worker: longer than a system takes to see that it wakes on the caller's processor while
 * another one is idle, which are a few ticks of 1 to 10 ms. After one that waited in vain the next ones wait less. */
enum { PATIENT_NS = 40000000, IMPATIENT_NS = 2000000 };

static uint64_t patience(const tsm_run_record *record) { return record->is_vain ? IMPATIENT_NS : PATIENT_NS; }

bool tsm_run_choose(tsm_run_record *record) {
  record->is_trial = record->turn < TRIAL_RUNS;
  if (record->turn == 0) {
    record->best[0] = record->best[1] = UINT64_MAX;
    record->missed = 0;
  }
  if (record->is_trial) record->is_shared = record->turn >= TRIAL_RUNS / 2;
  if (record->turn == TRIAL_RUNS) {
    record->is_shared = record->best[1] < record->best[0] - record->best[0] / TRIAL_GAIN;
    record->is_vain = record->missed >= patience(record);
  }
  record->turn = (record->turn + 1) % TRIAL_EVERY;
  return record->is_shared;
}

void tsm_run_note(tsm_run_record *record, uint64_t nanoseconds, bool is_joined) {
  uint64_t *best = &record->best[record->is_shared];
  if (!record->is_trial) return;
  if (record->is_shared && !is_joined && record->missed < patience(record)) {
    record->missed += nanoseconds;
    record->turn--; /* once more */
  } else if (nanoseconds < *best) {
    *best = nanoseconds;
  }
}

/* A run of `expected` work begins `now`. Returns what the series that it belongs to had to share so far, 0 if it follows
 * no other. */
static uint64_t continue_series(tsm_runtime *rt, uint64_t expected, uint64_t now) {
  const uint64_t ended = atomic_load_explicit(&rt->run_ended, memory_order_relaxed);
  const bool follows = ended && now - ended < rt->spin_ns;
  uint64_t had = follows ? atomic_load_explicit(&rt->series_work, memory_order_relaxed) + expected : 0;
  if (had > INT64_MAX) had = INT64_MAX;
  atomic_store_explicit(&rt->series_work, had, memory_order_relaxed);
  return had;
}

/* Whether the run is tried or done as a trial found, and if so how. */
static bool is_tried(tsm_runtime *rt, tsm_run_record *record, uint64_t had, uint64_t now) {
  if (had < TSM_WAKE_TOGETHER_NS || record->work >= TRIAL_MOST_NS || rt->tuning.sharing != TSM_CHOICE_DEFAULT) return false;
  record->began = now;
  atomic_store_explicit(&rt->is_joined, false, memory_order_relaxed);
  if (!tsm_run_choose(record)) atomic_store_explicit(&rt->is_alone, true, memory_order_relaxed);
  return true;
}

tsm_run_plan tsm_run_begin(tsm_runtime *rt, tsm_run_record *record) {
  tsm_run_plan plan = {false, false, false};
  if (record) record->began = 0;
  if (!record || record->work < SERIES_LEAST_NS || rt->threads < 2) return plan;
  const uint64_t now = tsm_now_ns(), had = continue_series(rt, record->work, now);
  const bool is_alone = is_tried(rt, record, had, now) && !record->is_shared;
  plan.is_timed = true;
  plan.is_worth = !is_alone && (record->work >= TSM_WAKE_NS || had >= TSM_WAKE_TOGETHER_NS);
  plan.is_series = had && (!is_alone || record->is_trial);
  return plan;
}

void tsm_run_end(tsm_runtime *rt, tsm_run_record *record, uint64_t work) {
  if (atomic_load_explicit(&rt->is_alone, memory_order_relaxed))
    atomic_store_explicit(&rt->is_alone, false, memory_order_relaxed);
  if (work < SERIES_LEAST_NS) return;
  const uint64_t now = tsm_now_ns();
  atomic_store_explicit(&rt->run_ended, now, memory_order_relaxed);
  if (!record || !record->began) return;
  tsm_run_note(record, now - record->began, atomic_load_explicit(&rt->is_joined, memory_order_relaxed));
  record->began = 0;
}
