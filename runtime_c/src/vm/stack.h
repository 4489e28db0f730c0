/* stack.h - the frames of an instance's running functions, and what is known of its last error.
 * Holds: slots and frames are only ever used by index across a call, since growing moves them. Between calls the
 * stack is empty but keeps its memory. */
#ifndef TSM_STACK_H
#define TSM_STACK_H

#include "lower/plan.h"

typedef struct tsm_frame {
  const tsm_plan *plan;
  const uint64_t *pc;   /* of a frame that called another: its call instruction */
  size_t base;          /* first slot */
} tsm_frame;

enum { TSM_CAUGHT_DEPTH = 32 };

/* A container of the host that carries a type of the program. */
typedef struct tsm_adopted { tsm_object *object; uint32_t refs; } tsm_adopted;

struct tsm_stack {
  tsm_slot *slots;
  tsm_frame *frames;
  size_t slot_capacity;
  uint32_t frame_capacity, depth;
  uint32_t frame_limit;   /* depth up to which there is room and no RecursionError */
  bool is_running;
  tsm_exception *caught;  /* owned: the exception caught last, and where it came from, should it be raised again */
  const tsm_location *caught_at[TSM_CAUGHT_DEPTH];
  uint32_t caught_count;
  tsm_adopted *adopted;       /* each with a count; `refs` was the count before */
  size_t adopted_count, adopted_capacity;
  const tsm_location *where;  /* of the last uncaught error */
  char op[64];
  tsm_text trace;
};

/* The stack of an instance, made at first use; NULL when out of memory. */
struct tsm_stack *tsm_stack_of(tsm_instance *instance);
/* Room for a frame of `slots` above the top one. TSM_ERR_RAISED: RecursionError; TSM_ERR_MEMORY. */
tsm_status tsm_stack_reserve(tsm_context *ctx, struct tsm_stack *stack, size_t base, size_t slots);
/* Releases what the top frame holds and takes it off. */
void tsm_stack_pop(struct tsm_stack *stack);
/* The handler for the pending exception: takes the frames above it off, stores the exception in its register, leaves
 * in the frame's pc where to go on. False: no handler, or no memory (then the pending error is that). */
bool tsm_stack_catch(tsm_context *ctx, struct tsm_stack *stack);
/* Remembers where the pending error happened and the stack of Python lines that led there. */
void tsm_stack_trace(tsm_context *ctx, struct tsm_stack *stack);
/* Where in the source a frame is, by its pc; NULL when the program does not say. */
const tsm_location *tsm_frame_location(const tsm_frame *frame);
/* Whether a call is running, that is, whether a hook called by it asks. */
static inline bool tsm_instance_is_running(const tsm_instance *i) { return i->stack && i->stack->is_running; }

#endif
