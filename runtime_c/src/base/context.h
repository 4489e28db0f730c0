/* context.h - what running code carries: the pending error, fuel, random streams. An instance embeds one; eager
 * operator calls have their own. In: kernels and the VM. Out: the caller's tsm_error. */
#ifndef TSM_CONTEXT_H
#define TSM_CONTEXT_H

#include "base/pool.h"
#include "object/object.h"

struct tsm_context {
  tsm_runtime *rt;
  tsm_heap *heap;           /* where results that are not tensors go */
  tsm_streams *streams;     /* the runtime's, or `own_streams` */
  tsm_streams own_streams;
  bool has_fuel;
  int64_t fuel;             /* remaining; meaningful if has_fuel */
  int64_t unpolled;         /* units until the host's poll is asked, below zero: see tsm_context_poll */
  int64_t elements;         /* not charged yet, fewer than 64: see tsm_charge_elements */
  int64_t element_cost;     /* of the row that runs: 64ths of a unit that an element takes; 1 between rows */
  _Atomic bool cancelled;
  struct tsm_after *after;  /* what follows the operator about to run, NULL: nothing. See op/op.h */
  uint32_t depth;           /* call depth */
  unsigned kernel_opcode;   /* the opcode whose operator `kernel` is, NULL: none yet; see tsm_step_by_kernel */
  const struct tsm_op *kernel;
  const void **shown;       /* owned: containers and instances whose text is being made, for those inside themselves */
  size_t shown_count, shown_capacity;
  /* The pending error: set by tsm_raise and its kin, read by whoever reports or catches. */
  tsm_status status;
  const char *error_type;   /* static text: "ValueError" */
  char *message;            /* owned; NULL when empty or when it could not be allocated */
  size_t message_length, message_capacity;
  tsm_exception *exception; /* owned: set when a program raised an exception object */
  char fallback[128];       /* message when there is no memory for one */
  tsm_pair handled;         /* owned: the exception whose handler runs, None: no handler; of programs that ask for it */
};
void tsm_context_init(tsm_context *ctx, tsm_runtime *rt, tsm_heap *heap);
void tsm_context_close(tsm_context *ctx);
/* Gives the context streams of its own, which begin at a seed. */
void tsm_context_own_streams(tsm_context *ctx, uint64_t seed);

/* Raises a builtin Python exception: returns TSM_ERR_RAISED. `type` must be a static text. */
tsm_noted tsm_raise(tsm_context *ctx, const char *type, const char *format, ...) TSM_PRINTF(3, 4);
tsm_noted tsm_raise_text(tsm_context *ctx, const char *type, const char *message, size_t length);
/* Raises an exception object; takes over the count. */
tsm_noted tsm_raise_exception(tsm_context *ctx, tsm_exception *e);
tsm_noted tsm_out_of_memory(tsm_context *ctx);   /* TSM_ERR_MEMORY */
/* The pending error as an exception object (for a handler); clears it. NULL when out of memory. */
tsm_exception *tsm_context_catch(tsm_context *ctx);
/* The pending error's message, with a zero at its end. */
const char *tsm_context_message(const tsm_context *ctx, size_t *out_length);
void tsm_context_clear(tsm_context *ctx);

/* Begins the text of an object: `out_is_new` tells whether it is not being made already. TSM_ERR_MEMORY. */
tsm_status tsm_context_show(tsm_context *ctx, const void *object, bool *out_is_new);

/* Moves the pending error into the host's error (may be NULL) with the operator's name ("" if none), clears it and
 * returns its status. */
tsm_status tsm_context_report(tsm_context *ctx, const char *op, tsm_error *out_error);

enum { TSM_POLL_UNITS = 65536 };

/* Asks the host's poll, if there is one, whether to go on. TSM_ERR_CANCELLED. */
tsm_status tsm_context_poll(tsm_context *ctx);

/* Fuel is time: no program takes more than 100 ns of a thread's time a unit. What loops over data of the program's size
 * charges before each stretch of a millisecond at most, and stops where that fails. */

/* Charges fuel for `units` of work and looks at the cancel flag. */
static inline tsm_status tsm_charge(tsm_context *ctx, int64_t units) {
  if (ctx->has_fuel) {
    if (ctx->fuel < units) { ctx->fuel = 0; return ctx->status = TSM_ERR_FUEL; }
    ctx->fuel -= units;
  }
  if (TSM_UNLIKELY(atomic_load_explicit(&ctx->cancelled, memory_order_relaxed))) return ctx->status = TSM_ERR_CANCELLED;
  ctx->unpolled += units;
  return TSM_UNLIKELY(ctx->unpolled >= 0) ? tsm_context_poll(ctx) : TSM_OK;
}

/* The same for elements, 64 a unit, and fewer by the weight of the row that runs: what is left over counts next time, so
 * that many short rows cost as much as a long one. */
static inline tsm_status tsm_charge_elements(tsm_context *ctx, int64_t count) {
  count = count < INT64_MAX / 64 ? count * ctx->element_cost : INT64_MAX - 64; /* at most 32 */
  int64_t units = count / 64;
  ctx->elements += count % 64;
  units += ctx->elements / 64;
  ctx->elements %= 64;
  return tsm_charge(ctx, units);
}

/* 64ths of a unit that a piece of work costs: an element of a long row counts as one. */
enum {
  TSM_COST_BYTES = 4,    /* so many bytes moved or compared count as one element */
  TSM_COST_FRESH = 8,    /* eight bytes written to memory that the system has yet to give */
  TSM_COST_ITEM = 16,    /* an element of a container: looked at, compared, hashed, counted */
  TSM_COST_CHAR = 8,     /* a character of a text: decoded, looked up, written */
  TSM_COST_CASE = 16,    /* one in another case */
  TSM_COST_WIDE = 256,   /* the same beyond ASCII, besides: searched in several tables */
  TSM_COST_ENTRY = 64,   /* an entry of a dict or set: searched, moved, added */
  TSM_COST_STEP = 8,     /* a step of a search in a table */
  TSM_COST_SPECIAL = 32, /* a special function: lgamma, erfinv, pow, a remainder */
  TSM_COST_GATHER = 8    /* an element of a tensor far from the one before */
};

/* tsm_charge_elements for `count` pieces of work of the same cost; the product may be of any size. */
static inline tsm_status tsm_charge_work(tsm_context *ctx, int64_t count, int64_t cost) {
  return tsm_charge_elements(ctx, count < INT64_MAX / 64 / cost ? count * cost : INT64_MAX - 64);
}

/* End of the next stretch of a loop over `length` elements from `at` on, which is paid for; below zero: ctx->status. */
static inline int64_t tsm_stretch(tsm_context *ctx, int64_t at, int64_t length, int64_t cost) {
  enum { STRETCH = 1 << 14 };
  int64_t end = length - at < STRETCH ? length : at + STRETCH;
  return tsm_charge_work(ctx, end - at, cost) == TSM_OK ? end : -1;
}

/* The same for helpers that answer with a value instead of a status: false when the work must stop, and then the answer
 * means nothing. What runs the operator asks tsm_has_stopped, and a helper that changes anything asks first. Without a
 * context (the host's own containers, loading) nothing is charged. */
static inline bool tsm_pay(tsm_context *ctx, int64_t count, int64_t cost) {
  return !ctx || tsm_charge_work(ctx, count, cost) == TSM_OK;
}
/* The same for bytes that are moved or compared; few cost nothing. */
static inline bool tsm_pay_bytes(tsm_context *ctx, size_t length) {
  return length < 256 || tsm_pay(ctx, (int64_t)(length / TSM_COST_BYTES), 1);
}
/* tsm_parallel for pieces that cost `elements` each, which it charges for: some millions at a time, so that a stretch of
 * them is a few milliseconds. */
tsm_status tsm_parallel_paid(tsm_context *ctx, int64_t count, int64_t elements, double nanoseconds, tsm_task_fn task,
                             void *user);
/* Whether fuel has ended or the call was cancelled. */
static inline bool tsm_has_stopped(const tsm_context *ctx) {
  return ctx && TSM_UNLIKELY(ctx->status == TSM_ERR_FUEL || ctx->status == TSM_ERR_CANCELLED);
}

#endif
