/* fused_producer.h - a fused node that begins with an operator that is not pointwise; what fused.c offers for it.
 * In: a plan, a frame. Out: the node's results.
 * Holds: the producer runs only if the guard takes what it will make, which is known from its infer function. */
#ifndef TSM_FUSED_PRODUCER_H
#define TSM_FUSED_PRODUCER_H

#include "fused_tiles.h"

/* The producer's call, on a frame of its own that borrows its operands. */
typedef struct tsm_fused_call { tsm_opcall call; tsm_slot slots[TSM_FUSED_SLOTS]; } tsm_fused_call;
void tsm_fused_start_call(tsm_fused_call *p, tsm_context *ctx, const tsm_slot *frame,
                          const tsm_fused_producer *producer);

/* A tensor that has a shape and nothing else, for the guard: at `at`. */
typedef struct tsm_shape_only {
  _Alignas(tsm_tensor) char at[sizeof(tsm_tensor) + 2 * TSM_MAX_RANK * sizeof(int64_t)];
} tsm_shape_only;
static inline tsm_tensor *tsm_shape_tensor(tsm_shape_only *s) { return (tsm_tensor *)(void *)s->at; }
/* What the producer will make; false: it would raise. Nothing is pending. */
bool tsm_fused_predict(tsm_fused_call *p, tsm_shape_only *out);

/* As tsm_fused_run. */
tsm_status tsm_fused_run_produced(tsm_context *ctx, tsm_fused_work *r, tsm_slot *frame, bool *out_done);

/* ---- fused.c */

/* The guard: fills all but the layouts. r->f, r->set and, with a producer, r->made are set. */
bool tsm_fused_is_taken(tsm_fused_work *r, const tsm_slot *frame, tsm_meta *meta);
bool tsm_fused_find_layouts(tsm_fused_work *r, const tsm_slot *frame, const tsm_meta *meta);
/* Runs what the guard took. */
tsm_status tsm_fused_run_taken(tsm_context *ctx, tsm_fused_work *r, tsm_slot *frame, tsm_meta *meta);
/* Sets the registers of results, whose counts it takes over, and drops what dies. A result may be NULL. */
void tsm_fused_store(const tsm_fused *f, tsm_slot *frame, tsm_tensor *const *results);
bool tsm_fused_has_shape(const tsm_tensor *t, const tsm_meta *meta);

#endif
