/* series.h - runs of programs that follow each other closely, and whether workers are worth it for the next one.
 * In: how the calls of a method went. Out: how the next one is to be done.
 * Holds: only the time that a run takes depends on it, never a result. */
#ifndef TSM_SERIES_H
#define TSM_SERIES_H

#include "base.h"

/* How the calls of one method went, from which the next one begins. Zero at first. */
typedef struct tsm_run_record {
  uint64_t work;             /* nanoseconds by estimate that threads could share in the last one */
  uint64_t began;            /* when this one did, if it is in a series of short ones */
  uint64_t best[2];          /* of the trial: the shortest run alone, and shared */
  uint64_t missed;           /* nanoseconds of shared runs of the trial that no worker came to, as it slept still */
  uint32_t turn;
  bool is_trial, is_shared;  /* this one */
  bool is_vain;              /* no worker came to the last trial for as long as it waited */
} tsm_run_record;

typedef struct tsm_run_plan {
  bool is_timed;             /* it is large enough to be one of a series or to end one */
  bool is_worth, is_series;  /* workers are woken for it; they spin for the next one when it is over */
} tsm_run_plan;

/* Around a run. `record` may be NULL: a run of which nothing is known, which is no part of a series. */
tsm_run_plan tsm_run_begin(tsm_runtime *rt, tsm_run_record *record);
void tsm_run_end(tsm_runtime *rt, tsm_run_record *record, uint64_t work);

/* How the next short run in a series is to be done; how long it took, and whether a worker came. What a second thread
 * costs a short run, the lines that go from one processor to another, differs between machines, and on virtual ones from
 * hour to hour: so it is tried. */
bool tsm_run_choose(tsm_run_record *record);
void tsm_run_note(tsm_run_record *record, uint64_t nanoseconds, bool is_joined);

#endif
